/* The function of Fischer and Burmeister on one contact: its zeros are the solutions, its size is that of the natural
 * map, its linearisation is a derivative where there is one and Newton's equation at the kinks. */
#include "solve/newton.h"
#include "testing.h"

#include <math.h>
#include <string.h>

enum { D_MAX = THUD_NEWTON_DIMENSION_MAX, TRIALS = 5000 };

/* Every kind of contact there is. */
static const struct {
  thud_index dimension;
  thud_contact_friction friction;
} contacts[] = {{1, THUD_FRICTION_BY_DIMENSION}, {2, THUD_FRICTION_BY_DIMENSION}, {3, THUD_FRICTION_BY_DIMENSION},
                {5, THUD_FRICTION_BY_DIMENSION}, {4, THUD_FRICTION_BY_DIMENSION}, {6, THUD_FRICTION_BY_DIMENSION},
                {3, THUD_FRICTION_PLANE_ROLLING}};
enum { CONTACTS = sizeof contacts / sizeof *contacts, ONE_DISC = 3 };

static const thud_disc_layout *layout_of(size_t k) {
  return thud_disc_layout_of(contacts[k].dimension, contacts[k].friction);
}

static const thud_newton_function *const function = &thud_newton_fischer_burmeister;

static double signed_unit(thud_random *random) { return thud_random_uniform(random, -1, 1); }

/* Sizes from 1e-3 to 1e3. */
static double of_any_size(thud_random *random) { return pow(10, 3 * signed_unit(random)); }

static thud_newton_law any_law(thud_random *random, size_t k) {
  thud_newton_law law = {.layout = layout_of(k), .rho_normal = of_any_size(random)};
  for (size_t p = 0; p < THUD_CONTACT_DISCS_MAX; p++) {
    law.mu[p] = thud_random_uniform(random, 0, 1);
    law.rho[p] = of_any_size(random);
  }
  return law;
}

/* A direction of unit length. */
static void any_direction(thud_random *random, size_t width, double *e) {
  double angle = 3.2 * thud_random_uniform(random, -1, 1);
  e[0] = width == 2 ? cos(angle) : angle > 0 ? 1 : -1;
  e[1] = width == 2 ? sin(angle) : 0;
}

/* ---- zeros --------------------------------------------------------------------------------------------------- */

/* r and u of a solution: open, or closed with each part sticking or sliding. */
static void any_solution(thud_random *random, const thud_newton_law *law, double *r, double *u) {
  const thud_disc_layout *layout = law->layout;
  size_t d = (size_t)layout->dimension;
  memset(r, 0, d * sizeof(double));
  memset(u, 0, d * sizeof(double));
  bool open = thud_random_uniform(random, 0, 1) < 0.3;
  if (open)
    u[0] = thud_random_uniform(random, 0, 1);
  else
    r[0] = law->rho_normal * thud_random_uniform(random, 0, 1);
  for (size_t p = 0; p < layout->count; p++) {
    double e[2], slip = thud_random_uniform(random, 0, 1), share = thud_random_uniform(random, 0, 1);
    bool slides = open || thud_random_uniform(random, 0, 1) < 0.5;
    any_direction(random, layout->width[p], e);
    for (size_t i = 0; i < layout->width[p]; i++) {
      r[layout->first[p] + i] = -(slides ? 1 : share) * law->mu[p] * r[0] * e[i];
      u[layout->first[p] + i] = slides ? slip * e[i] : 0;
    }
  }
}

static void function_vanishes_at_solutions(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1);
  for (size_t k = 0; k < CONTACTS; k++)
    for (int trial = 0; trial < TRIALS; trial++) {
      thud_newton_law law = any_law(&random, k);
      if (trial % 10 == 0) law.mu[trial / 10 % 2] = 0;
      for (size_t p = 0; p < law.layout->count; p++)
        law.rho[p] = law.rho_normal * (1 + thud_random_uniform(&random, 0, 1));
      double r[D_MAX], u[D_MAX];
      any_solution(&random, &law, r, u);
      thud_assert_at_most(sqrt(function->merit(&law, r, u)), 1e-14);
    }
}

/* |x - proj_L(x - y)|^2 on the cone of n components. */
static double natural_map(size_t n, const double *x, const double *y) {
  const double mu[1] = {1};
  thud_contact_problem problem = {.dimension = (thud_index)n, .contacts = 1, .mu = n > 1 ? mu : NULL};
  double point[3], sum = 0;
  for (size_t i = 0; i < n; i++) point[i] = x[i] - y[i];
  assert_int_equal(thud_contact_project_cone(&problem, 0, point, point), THUD_OK);
  for (size_t i = 0; i < n; i++) sum += (x[i] - point[i]) * (x[i] - point[i]);
  return sum;
}

/* (2 - sqrt 2) |natural map| <= |phi| <= (2 + sqrt 2) |natural map| (Bi, Pan and Chen, Taiwanese J. Math. 15, 2011):
 * no zeros but the solutions. */
static void size_is_that_of_the_natural_map_on_the_cone(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2);
  for (size_t k = 0; k < ONE_DISC; k++)
    for (int trial = 0; trial < TRIALS; trial++) {
      size_t d = (size_t)contacts[k].dimension;
      thud_newton_law law = any_law(&random, k);
      double r[3] = {0}, u[3] = {0}, x[3], y[3], slip = 0, mu = law.mu[0], scale = 1 / law.rho_normal;
      double size = of_any_size(&random);
      for (size_t i = 0; i < d; i++) {
        r[i] = law.rho_normal * signed_unit(&random);
        u[i] = size * signed_unit(&random);
        if (i > 0) slip += u[i] * u[i];
      }
      for (size_t i = 0; i < d; i++) {
        x[i] = scale * r[i] / (i > 0 ? mu : 1);
        y[i] = i > 0 ? mu * u[i] : u[0] + (d > 1 ? mu * sqrt(slip) : 0);
      }
      double natural = sqrt(natural_map(d, x, y)), found = sqrt(function->merit(&law, r, u));
      thud_assert_at_least(found, (2 - sqrt(2)) * natural * (1 - 1e-9));
      thud_assert_at_most(found, (2 + sqrt(2)) * natural * (1 + 1e-9));
    }
}

/* Several discs: the function is of another make, but where r_N >= 0 of the size of Alart and Curnier's, too. */
static void size_is_that_of_alart_and_curnier_with_several_discs(void **state) {
  (void)state;
  thud_random random = thud_random_seed(3);
  double least = INFINITY, most = 0;
  for (int trial = 0; trial < 10 * TRIALS; trial++) {
    thud_newton_law law = any_law(&random, ONE_DISC + (size_t)trial % (CONTACTS - ONE_DISC));
    law.rho_normal = law.rho[0] = law.rho[1] = law.rho[2] = 1;
    double r[D_MAX], u[D_MAX], size = of_any_size(&random);
    for (thud_index i = 0; i < law.layout->dimension; i++) {
      r[i] = signed_unit(&random);
      u[i] = size * signed_unit(&random);
    }
    r[0] = fabs(r[0]);
    if (trial % 2 == 0) u[0] = fabs(u[0]);
    double ratio = sqrt(function->merit(&law, r, u) / thud_newton_alart_curnier.merit(&law, r, u));
    least = fmin(least, ratio);
    most = fmax(most, ratio);
  }
  print_message("ratio from %g to %g\n", least, most);
  thud_assert_at_least(least, 0.1);
  thud_assert_at_most(most, 4);
}

/* ---- linearisation ------------------------------------------------------------------------------------------ */

/* F(r + dr, u + du) - F(r, u) - (D dr + P' du), the derivative taken at one of the two points. */
static double deviation(const thud_newton_law *law, size_t d, const double *r, const double *u, const double *dr,
                        const double *du, bool at_the_end) {
  double moved_r[D_MAX], moved_u[D_MAX], sum = 0;
  thud_newton_line from, to;
  for (size_t i = 0; i < d; i++) {
    moved_r[i] = r[i] + dr[i];
    moved_u[i] = u[i] + du[i];
  }
  function->linearise(law, r, u, &from);
  function->linearise(law, moved_r, moved_u, &to);
  assert_int_equal(from.unknowns, d);
  const thud_newton_line *line = at_the_end ? &to : &from;
  for (size_t m = 0; m < d; m++) {
    double left = to.b[m] - from.b[m];
    for (size_t i = 0; i < d; i++) left -= line->D[i * d + m] * dr[i] + line->P[m * d + i] * du[i];
    sum += left * left;
  }
  return sqrt(sum);
}

static void any_vector(thud_random *random, size_t d, double size, double *x) {
  for (size_t i = 0; i < d; i++) x[i] = size * signed_unit(random);
}

static thud_newton_law moderate_law(thud_random *random, size_t k) {
  thud_newton_law law = {.layout = layout_of(k), .rho = {1, 2, 1.5}};
  for (size_t p = 0; p < THUD_CONTACT_DISCS_MAX; p++) law.mu[p] = thud_random_uniform(random, 0.2, 1.2);
  law.rho_normal = thud_random_uniform(random, 0.5, 1.5);
  return law;
}

/* The deviation is at most curvature * h^2, and the curvature 1/(distance to the next kink), which is seldom small. */
static void linearisation_is_the_derivative(void **state) {
  (void)state;
  const double h = 1e-7;
  thud_random random = thud_random_seed(4);
  for (size_t k = 0; k < CONTACTS; k++) {
    int near_kinks = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      size_t d = (size_t)contacts[k].dimension;
      thud_newton_law law = moderate_law(&random, k);
      if (trial % 10 == 0) law.mu[trial / 10 % 2] = 0;
      double r[D_MAX], u[D_MAX], dr[D_MAX], du[D_MAX];
      any_vector(&random, d, 1, r);
      any_vector(&random, d, 1, u);
      any_vector(&random, d, h, dr);
      any_vector(&random, d, h, du);
      if (deviation(&law, d, r, u, dr, du, false) > 1e-4 * h) near_kinks++;
    }
    thud_assert_at_most(near_kinks, TRIALS / 100);
  }
}

/* F(s + h) - F(s) - V(s + h) h = O(h^2) at every solution s, kinks included: where a part sticks or nothing presses, on
 * the edge of sticking, and at r = u = 0. That is why Newton converges quadratically there, too. */
static void function_is_strongly_semismooth_at_kinks(void **state) {
  (void)state;
  const double h = 1e-6;
  thud_random random = thud_random_seed(5);
  for (size_t k = 0; k < CONTACTS; k++) {
    int exceptions = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      size_t d = (size_t)contacts[k].dimension;
      thud_newton_law law = moderate_law(&random, k);
      double r[D_MAX], u[D_MAX], dr[D_MAX], du[D_MAX];
      any_solution(&random, &law, r, u);
      if (trial % 4 == 0) memset(r, 0, sizeof r);
      if (trial % 8 < 2) memset(u, 0, sizeof u); /* 0: both vanish */
      any_vector(&random, d, h, dr);
      any_vector(&random, d, h, du);
      if (deviation(&law, d, r, u, dr, du, true) > 1e-3 * h) exceptions++;
    }
    thud_assert_at_most(exceptions, TRIALS / 100);
  }
}

/* At the kinks themselves the linearisation is finite, and regular together with a regular W: |D + P' W|. */
static void linearisation_at_kinks_leaves_the_system_regular(void **state) {
  (void)state;
  thud_random random = thud_random_seed(6);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_newton_law law = moderate_law(&random, 2); /* in space */
    double r[3], u[3];
    thud_newton_line line;
    any_solution(&random, &law, r, u);
    if (trial % 4 == 0) memset(r, 0, sizeof r);
    if (trial % 8 < 2) memset(u, 0, sizeof u);
    function->linearise(&law, r, u, &line);
    double A[3][3]; /* with W = 1 */
    for (size_t m = 0; m < 3; m++)
      for (size_t i = 0; i < 3; i++) A[m][i] = line.D[i * 3 + m] + line.P[m * 3 + i];
    double determinant = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
                         A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
                         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
    thud_assert_greater(determinant, 1e-3);
  }
}

/* What is left of the equation when r is put to 0 is small against F: of second order in the impulse. */
static void contacts_that_are_called_open_nearly_are(void **state) {
  (void)state;
  thud_random random = thud_random_seed(7);
  for (size_t k = 0; k < CONTACTS; k++) {
    int called_open = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      size_t d = (size_t)contacts[k].dimension;
      thud_newton_law law = moderate_law(&random, k);
      thud_newton_line line;
      double r[D_MAX], u[D_MAX], size = 0.1 * thud_random_uniform(&random, 0, 1), left = 0, all = 0;
      any_vector(&random, d, size, r);
      any_vector(&random, d, 1, u);
      bool alone = contacts[k].friction == THUD_FRICTION_PLANE_ROLLING; /* no second component keeps |u_p| from 0 */
      if (!function->is_open(&law, r, u)) continue;
      called_open++;
      thud_assert_greater(u[0], 0);
      function->linearise(&law, r, u, &line);
      for (size_t m = 0; m < d; m++) {
        double rest = line.b[m];
        for (size_t i = 0; i < d; i++) rest -= line.D[i * d + m] * r[i];
        left += rest * rest;
        all += line.b[m] * line.b[m];
      }
      thud_assert_at_most(sqrt(left), (alone ? 0.4 : 0.3) * sqrt(all));
    }
    thud_assert_greater(called_open, TRIALS / 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(function_vanishes_at_solutions),
      cmocka_unit_test(size_is_that_of_the_natural_map_on_the_cone),
      cmocka_unit_test(size_is_that_of_alart_and_curnier_with_several_discs),
      cmocka_unit_test(linearisation_is_the_derivative),
      cmocka_unit_test(function_is_strongly_semismooth_at_kinks),
      cmocka_unit_test(linearisation_at_kinks_leaves_the_system_regular),
      cmocka_unit_test(contacts_that_are_called_open_nearly_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
