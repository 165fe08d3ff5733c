/* Solvers of one contact: the laws of Signorini and Coulomb hold to rounding on random blocks of every sort. */
#include "random_matrices.h"
#include "solve/one_contact.h"
#include "testing.h"

#include <math.h>
#include <string.h>

enum { D_MAX = THUD_CONTACT_DIMENSION_MAX };

/* ---- the laws, written out ---------------------------------------------------------------------------- */

static double hypot_n(size_t n, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void velocity(size_t d, const double *W, const double *q, const double *r, double *u) {
  for (size_t i = 0; i < d; i++) {
    u[i] = q[i];
    for (size_t j = 0; j < d; j++) u[i] += W[j * d + i] * r[j];
  }
}

/* |x - proj onto the disc of that radius|, x = r - u */
static double disc_residual(size_t n, const double *r, const double *u, double radius) {
  double x[2] = {0, 0}, part[2] = {0, 0};
  for (size_t i = 0; i < n; i++) x[i] = r[i] - u[i];
  double length = hypot_n(n, x), ratio = length <= radius ? 1 : radius / length;
  for (size_t i = 0; i < n; i++) part[i] = r[i] - ratio * x[i];
  return hypot_n(n, part);
}

/* How much r fails Signorini, Coulomb, rolling and spinning, in units of velocity (impulses times the largest entry of W),
 * relative to the largest term of u = W r + q. */
static double law_residual(const thud_one_contact *contact, const double *q, const double *r) {
  const thud_disc_layout *layout = contact->layout;
  size_t d = (size_t)layout->dimension;
  double w = thud_test_max(d * d, contact->W), u[D_MAX] = {0}, scaled[D_MAX] = {0};
  velocity(d, contact->W, q, r, u);
  for (size_t i = 0; i < d; i++) scaled[i] = w * r[i];
  double worst = fabs(scaled[0] - fmax(scaled[0] - u[0], 0));
  double pressed = fmax(scaled[0], 0);
  for (size_t p = 0; p < layout->count; p++) {
    size_t first = layout->first[p];
    worst = fmax(worst, disc_residual(layout->width[p], scaled + first, u + first, contact->mu[p] * pressed));
  }
  double scale = fmax(thud_test_max(d, q), thud_test_max(d, scaled));
  return scale > 0 ? worst / scale : worst;
}

/* ---- random contacts ------------------------------------------------------------------------------------ */

typedef struct sample {
  thud_one_contact contact; /* with the W and mu below: not to be copied */
  double W[D_MAX * D_MAX], q[D_MAX], r[D_MAX], mu[THUD_CONTACT_DISCS_MAX];
} sample;

static double decades(thud_random *random, double low, double high) {
  return pow(10, thud_random_uniform(random, low, high));
}

/* Symmetric positive definite, condition number up to 10^digits, any scale; `rank` < d leaves eigenvalues 0. */
static void random_block(thud_random *random, thud_index d, double digits, thud_index rank, double *W) {
  double values[D_MAX], scale = decades(random, -6, 6);
  for (thud_index i = 0; i < d; i++) values[i] = i < rank ? scale * decades(random, -digits, 0) : 0;
  values[0] = scale;
  thud_test_random_with_eigenvalues(random, d, values, W);
}

static double random_mu(thud_random *random) {
  switch (thud_random_below(random, 6)) {
  case 0: return 0;
  case 1: return decades(random, -8, -2);
  case 2: return decades(random, 1, 4);
  default: return thud_random_uniform(random, 0.05, 1.5);
  }
}

/* q so that a given mode is a solution, at or near its limits: r on the boundary of the cone, u_T tiny, or r tiny. */
static void grazing_load(thud_random *random, sample *s) {
  const thud_disc_layout *layout = s->contact.layout;
  size_t d = (size_t)layout->dimension;
  double w = thud_test_max(d * d, s->W), u[D_MAX] = {0}, r[D_MAX] = {0};
  double angle = thud_random_uniform(random, 0, 6.28),
         slip = thud_random_below(random, 2) ? 0 : decades(random, -16, 0);
  r[0] = decades(random, -3, 3) / w;
  if (thud_random_below(random, 8) == 0) r[0] = 0;
  double direction[2] = {cos(angle), sin(angle)};
  double depth = thud_random_below(random, 2) ? 1 : 1 + copysign(decades(random, -16, -8), thud_random_normal(random));
  for (size_t p = 0; p < layout->count; p++)
    for (size_t k = 0; k < layout->width[p]; k++) {
      double along = layout->width[p] == 1 ? copysign(1, direction[0]) : direction[k];
      size_t i = layout->first[p] + k;
      r[i] = -s->mu[p] * r[0] * (p == 0 ? depth : 1) * along;
      u[i] = slip * r[0] * w * along;
    }
  velocity(d, s->W, u, r, s->q);
  for (size_t i = 0; i < d; i++) s->q[i] = 2 * u[i] - s->q[i];
  if (thud_random_below(random, 8) == 0) s->q[0] = copysign(decades(random, -18, -10), thud_random_normal(random));
}

static void random_sample_of(thud_random *random, const thud_disc_layout *layout, double digits, thud_index rank,
                             sample *s) {
  thud_index d = layout->dimension;
  memset(s, 0, sizeof *s);
  random_block(random, d, digits, rank, s->W);
  for (size_t p = 0; p < 2 || p < layout->count; p++) s->mu[p] = random_mu(random);
  s->contact = (thud_one_contact){.layout = layout, .W = s->W, .mu = s->mu};
  if (thud_random_below(random, 3) == 0) {
    grazing_load(random, s);
  } else {
    double scale = decades(random, -6, 6);
    for (thud_index i = 0; i < d; i++) s->q[i] = scale * thud_random_normal(random);
    s->q[0] -= scale * thud_random_uniform(random, 0, 3);
  }
  double w = thud_test_max((size_t)(d * d), s->W), size = thud_test_max((size_t)d, s->q) / w;
  for (thud_index i = 0; i < d && thud_random_below(random, 2); i++) s->r[i] = size * thud_random_normal(random);
}

static void random_sample(thud_random *random, thud_index d, double digits, thud_index rank, sample *s) {
  random_sample_of(random, thud_disc_layout_of(d, THUD_FRICTION_BY_DIMENSION), digits, rank, s);
}

static void assert_law(const sample *s, const double *r, double tolerance, int instance) {
  for (thud_index i = 0; i < s->contact.layout->dimension; i++)
    if (!isfinite(r[i]))
      fail_msg("instance %d: r %g %g, mu %g, q %g %g, W %g %g %g %g", instance, r[0], r[1], s->mu[0], s->q[0], s->q[1],
               s->W[0], s->W[1], s->W[2], s->W[3]);
  double residual = law_residual(&s->contact, s->q, r);
  if (!(residual <= tolerance))
    fail_msg("instance %d: residual %g, mu %g, mu_r %g, q %g %g %g, r %g %g %g", instance, residual, s->mu[0], s->mu[1],
             s->q[0], s->q[1], s->q[2], r[0], r[1], r[2]);
}

/* ---- tests ---------------------------------------------------------------------------------------------------- */

static void normal_contact_is_the_scalar_complementarity(void **state) {
  (void)state;
  double r = 7;
  assert_int_equal(thud_one_normal(2, -3, &r), THUD_MODE_STICK);
  thud_assert_equal(r, 1.5);
  assert_int_equal(thud_one_normal(2, 3, &r), THUD_MODE_OPEN);
  thud_assert_equal(r, 0);
  assert_int_equal(thud_one_normal(0, 0, &r), THUD_MODE_OPEN);
  r = 7;
  assert_int_equal(thud_one_normal(0, -1, &r), THUD_MODE_NONE);
  thud_assert_equal(r, 7);
}

static void exact_solvers_satisfy_the_laws_on_regular_blocks(void **state) {
  (void)state;
  thud_random random = thud_random_seed(31);
  int modes[5] = {0};
  for (int k = 0; k < 60000; k++) {
    sample s;
    thud_index d = k % 3 == 0 ? 2 : 3;
    random_sample(&random, d, k % 2 ? 8 : 1, d, &s);
    double r[3] = {s.r[0], s.r[1], s.r[2]};
    thud_one_contact_mode mode = thud_one_contact_solve(&s.contact, THUD_LOCAL_EXACT, s.q, r);
    assert_int_not_equal(mode, THUD_MODE_NONE);
    modes[mode]++;
    assert_law(&s, r, 1e-12, k);
  }
  thud_assert_greater(modes[THUD_MODE_OPEN], 1000);
  thud_assert_greater(modes[THUD_MODE_STICK], 1000);
  thud_assert_greater(modes[THUD_MODE_SLIP], 1000);
}

static void exact_solvers_do_not_depend_on_the_guess_where_the_solution_is_unique(void **state) {
  (void)state;
  thud_random random = thud_random_seed(32);
  for (int k = 0; k < 5000; k++) {
    sample s;
    random_sample(&random, 3, 1, 3, &s);
    s.mu[0] = fmin(s.mu[0], 0.3);
    for (int i = 1; i < 3; i++) s.W[i] = s.W[3 * i] = 0; /* no coupling: a convex problem with one solution */
    double first[3] = {0, 0, 0}, second[3] = {s.r[0], s.r[1], s.r[2]};
    thud_one_space(s.W, s.mu[0], s.q, first);
    thud_one_space(s.W, s.mu[0], s.q, second);
    double scale = thud_test_max(3, first) + thud_test_max(3, s.q) / thud_test_max(9, s.W);
    thud_assert_at_most(thud_test_max_difference(3, first, second), 1e-11 * scale);
  }
}

static void exact_space_agrees_with_exact_plane_where_the_second_tangent_is_apart(void **state) {
  (void)state;
  thud_random random = thud_random_seed(33);
  for (int k = 0; k < 20000; k++) {
    sample s;
    random_sample(&random, 2, 3, 2, &s);
    double W[9] = {s.W[0], s.W[1], 0, s.W[2], s.W[3], 0, 0, 0, thud_test_max(4, s.W)}, q[3] = {s.q[0], s.q[1], 0};
    double plane[2] = {0, 0}, space[3] = {0, 0, 0};
    thud_one_contact_mode a = thud_one_plane(s.W, s.mu[0], s.q, plane);
    thud_one_contact_mode b = thud_one_space(W, s.mu[0], q, space);
    thud_assert_different(a, THUD_MODE_NONE);
    thud_assert_different(b, THUD_MODE_NONE);
    double scale = thud_test_max(2, plane) + thud_test_max(2, s.q) / thud_test_max(4, s.W);
    thud_assert_at_most(thud_test_max_difference(2, plane, space), 1e-9 * scale);
    thud_assert_at_most(fabs(space[2]), 1e-12 * scale);
  }
}

static void rank_deficient_blocks_are_solved_or_said_to_have_no_solution(void **state) {
  (void)state;
  thud_random random = thud_random_seed(34);
  int solved = 0, none = 0;
  for (int k = 0; k < 30000; k++) {
    sample s;
    thud_index d = k % 3 == 0 ? 2 : 3;
    random_sample(&random, d, 2, d == 2 ? 1 : 1 + k % 2, &s);
    if (k % 4 < 2) { /* consistent: a load that the block itself produces */
      double zero[3] = {0}, pull[3];
      thud_test_random_vector(&random, 3, pull);
      velocity((size_t)d, s.W, zero, pull, s.q);
    }
    double r[3] = {s.r[0], s.r[1], s.r[2]};
    thud_one_contact_mode mode = thud_one_contact_solve(&s.contact, THUD_LOCAL_EXACT, s.q, r);
    if (mode == THUD_MODE_NONE) {
      none++;
      assert_memory_equal(r, s.r, (size_t)d * sizeof(double));
    } else {
      solved++;
      assert_law(&s, r, 1e-11, k);
    }
  }
  thud_assert_greater(solved, 20000);
  thud_assert_greater(none, 0);
}

static void slightly_asymmetric_blocks_are_solved(void **state) {
  (void)state;
  thud_random random = thud_random_seed(35);
  for (int k = 0; k < 20000; k++) {
    sample s;
    thud_index d = k % 3 == 0 ? 2 : 3;
    random_sample(&random, d, 1, d, &s);
    double size = thud_test_max((size_t)(d * d), s.W) * decades(&random, -14, -3);
    for (int i = 0; i < d * d; i++) s.W[i] += size * thud_random_normal(&random);
    double r[3] = {s.r[0], s.r[1], s.r[2]};
    assert_int_not_equal(thud_one_contact_solve(&s.contact, THUD_LOCAL_EXACT, s.q, r), THUD_MODE_NONE);
    assert_law(&s, r, 1e-12, k);
  }
}

static void contact_without_normal_response_opens_or_has_no_solution(void **state) {
  (void)state;
  const double W3[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, W2[4] = {0, 0, 0, 1};
  double r[3] = {1, 2, 3};
  const double pushed[3] = {-1, 0.5, 0}, apart[3] = {1, 0.5, 0};
  assert_int_equal(thud_one_space(W3, 0.5, pushed, r), THUD_MODE_NONE);
  assert_int_equal(thud_one_plane(W2, 0.5, pushed, r), THUD_MODE_NONE);
  thud_assert_equal(r[0], 1);
  thud_assert_equal(r[1], 2);
  thud_assert_equal(r[2], 3);
  assert_int_equal(thud_one_space(W3, 0.5, apart, r), THUD_MODE_OPEN);
  thud_assert_equal(r[0], 0);
  thud_assert_equal(r[1], 0);
  thud_assert_equal(r[2], 0);
}

static void newton_satisfies_the_laws_when_it_says_so(void **state) {
  (void)state;
  thud_random random = thud_random_seed(36);
  int converged[6] = {0}, tried[6] = {0};
  const thud_index dimensions[3] = {2, 3, 5};
  for (int k = 0; k < 30000; k++) {
    sample s;
    thud_index d = dimensions[k % 3];
    random_sample(&random, d, 2, d, &s);
    double r[5], before[5];
    memcpy(r, s.r, sizeof r);
    memcpy(before, s.r, sizeof r);
    tried[d]++;
    if (thud_one_newton(&s.contact, s.q, r)) {
      converged[d]++;
      assert_law(&s, r, 1e-9, k); /* its own function is scaled by each part's largest eigenvalue: here up to 1e2 */
    } else {
      assert_memory_equal(r, before, sizeof r);
    }
  }
  for (int d = 2; d <= 5; d++) thud_assert_at_least(10 * converged[d], 6 * tried[d]);
}

/* In other units of mass W is another multiple of itself, and r of its inverse: for a power of 2 every number of every
 * step is, too. */
static void newton_does_not_depend_on_the_unit_of_mass(void **state) {
  (void)state;
  thud_random random = thud_random_seed(41);
  const thud_index dimensions[3] = {2, 3, 5};
  int converged = 0;
  for (int k = 0; k < 3000; k++) {
    sample s;
    thud_index d = dimensions[k % 3];
    random_sample(&random, d, 2, d, &s);
    double W[25], r[5] = {0}, other[5] = {0}, unit = ldexp(1, k % 2 == 0 ? 30 : -30);
    for (size_t i = 0; i < 25; i++) W[i] = unit * s.W[i];
    thud_one_contact contact = s.contact;
    contact.W = W;
    bool good = thud_one_newton(&s.contact, s.q, r);
    assert_int_equal(thud_one_newton(&contact, s.q, other), good);
    for (thud_index i = 0; i < d; i++) thud_assert_equal(unit * other[i], r[i]);
    converged += good;
  }
  thud_assert_greater(converged, 1500);
}

static void newton_behind_the_exact_solver_always_solves(void **state) {
  (void)state;
  thud_random random = thud_random_seed(37);
  for (int k = 0; k < 20000; k++) {
    sample s;
    random_sample(&random, 3, 4, 3, &s);
    double r[3] = {s.r[0], s.r[1], s.r[2]};
    assert_int_not_equal(thud_one_contact_solve(&s.contact, THUD_LOCAL_NEWTON, s.q, r), THUD_MODE_NONE);
    assert_law(&s, r, 1e-9, k);
  }
}

static void contacts_of_several_discs_satisfy_the_laws(void **state) {
  (void)state;
  thud_random random = thud_random_seed(38);
  const struct {
    const char *name;
    thud_index dimension;
    thud_contact_friction friction;
  } kinds[] = {{"rolling", 5, THUD_FRICTION_BY_DIMENSION},
               {"spinning", 4, THUD_FRICTION_BY_DIMENSION},
               {"rolling and spinning", 6, THUD_FRICTION_BY_DIMENSION},
               {"plane rolling", 3, THUD_FRICTION_PLANE_ROLLING}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    const thud_disc_layout *layout = thud_disc_layout_of(kinds[kind].dimension, kinds[kind].friction);
    int missed = 0, wrong = 0, count = 20000;
    for (int k = 0; k < count; k++) {
      sample s;
      random_sample_of(&random, layout, k % 2 ? 3 : 1, layout->dimension, &s);
      double r[D_MAX];
      memcpy(r, s.r, sizeof r);
      if (thud_one_discs(&s.contact, s.q, r) == THUD_MODE_NONE) {
        missed++; /* said so */
        continue;
      }
      double residual = law_residual(&s.contact, s.q, r);
      if (residual > 1e-9) wrong++;
    }
    print_message("%s: %d of %d not solved, %d worse than 1e-9\n", kinds[kind].name, missed, count, wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(missed, 0);
  }
}

static void repeated_projections_reach_the_exact_solution(void **state) {
  (void)state;
  thud_random random = thud_random_seed(39);
  for (int k = 0; k < 300; k++) {
    sample s;
    random_sample(&random, k % 2 ? 3 : 2, 0.5, 3, &s);
    s.mu[0] = thud_random_uniform(&random, 0, 0.3);
    double r[3] = {0, 0, 0};
    for (int step = 0; step < 2000; step++) thud_one_projection(&s.contact, s.q, r);
    assert_law(&s, r, 1e-12, k);
  }
}

static void disc_as_a_general_law_gives_coulomb(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(40);
  for (int k = 0; k < 500; k++) {
    sample s;
    thud_index d = k % 2 ? 3 : 2;
    random_sample(&random, d, 0.5, d, &s);
    s.mu[0] = thud_random_uniform(&random, 0, 0.5);
    const double centre[2] = {0, 0};
    assert_int_equal(thud_set_ball(context, d - 1, centre, s.mu[0], &s.contact.law), THUD_OK);
    double r[3] = {0, 0, 0};
    for (int call = 0; call < 40; call++)
      assert_int_not_equal(thud_one_contact_solve(&s.contact, THUD_LOCAL_EXACT, s.q, r), THUD_MODE_NONE);
    assert_law(&s, r, 1e-12, k);
    thud_set_destroy(s.contact.law);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_contact_is_the_scalar_complementarity),
      cmocka_unit_test(exact_solvers_satisfy_the_laws_on_regular_blocks),
      cmocka_unit_test(exact_solvers_do_not_depend_on_the_guess_where_the_solution_is_unique),
      cmocka_unit_test(exact_space_agrees_with_exact_plane_where_the_second_tangent_is_apart),
      cmocka_unit_test(rank_deficient_blocks_are_solved_or_said_to_have_no_solution),
      cmocka_unit_test(slightly_asymmetric_blocks_are_solved),
      cmocka_unit_test(contact_without_normal_response_opens_or_has_no_solution),
      cmocka_unit_test(newton_satisfies_the_laws_when_it_says_so),
      cmocka_unit_test(newton_does_not_depend_on_the_unit_of_mass),
      cmocka_unit_test(newton_behind_the_exact_solver_always_solves),
      cmocka_unit_test(contacts_of_several_discs_satisfy_the_laws),
      cmocka_unit_test(repeated_projections_reach_the_exact_solution),
      cmocka_unit_test(disc_as_a_general_law_gives_coulomb),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
