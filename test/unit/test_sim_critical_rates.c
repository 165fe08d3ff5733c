/* What the critical coefficient of rates claims, by brute force: below it every state and load rate has exactly one
 * rate solution; just above it the state that it names has several. Nothing here shares code with the coefficient. */
#include "random_matrices.h"
#include "testing.h"
#include "thud/critical.h"
#include "thud/pivot.h"

#include <stdlib.h>
#include <string.h>

enum { N_MAX = 4, M_MAX = 2 * N_MAX };

/* ---- all solutions of a rate problem ----------------------------------------------------------------------------- */

/* What is known of a contact at the instant considered. */
typedef enum contact_state { GAP, GRAZING, INSIDE, ON_CONE } contact_state;
/* What its rates may do. */
typedef enum rate_mode { OPENS, STICKS, SLIPS_FORWARD, SLIPS_BACKWARD, RATE_MODES } rate_mode;

typedef struct rate_problem {
  thud_index n;
  const double *K, *ratio;
  double mu;
  contact_state state[N_MAX];
  int sign[N_MAX]; /* ON_CONE: r_T = sign mu r_N */
  double f[M_MAX]; /* load rates */
} rate_problem;

static bool may(const rate_problem *problem, thud_index i, rate_mode mode) {
  switch (problem->state[i]) {
  case GAP: return mode == OPENS;
  case GRAZING: return true;
  case INSIDE: return mode == STICKS;
  case ON_CONE: break;
  }
  return mode == STICKS || mode == (problem->sign[i] > 0 ? SLIPS_FORWARD : SLIPS_BACKWARD);
}

/* K u = f + r with two linear conditions per contact; u[m], r[m]. False when singular. */
static bool solve_modes(thud_context *context, const rate_problem *problem, const rate_mode *mode, double *u,
                        double *r) {
  thud_index m = 2 * problem->n;
  double A[M_MAX * M_MAX];
  for (thud_index i = 0; i < problem->n; i++) {
    thud_index N = 2 * i, T = N + 1;
    double sign = mode[i] == SLIPS_FORWARD ? 1 : -1, mu = problem->mu * problem->ratio[i] * sign;
    for (thud_index j = 0; j < m; j++) { /* rows of conditions on u: r = K u - f */
      double k_N = problem->K[N + j * m], k_T = problem->K[T + j * m];
      A[N + j * m] = mode[i] == OPENS ? k_N : j == N;
      A[T + j * m] = mode[i] == OPENS ? k_T : mode[i] == STICKS ? j == T : k_T - mu * k_N;
    }
    u[N] = mode[i] == OPENS ? problem->f[N] : 0;
    u[T] = mode[i] == OPENS ? problem->f[T] : mode[i] == STICKS ? 0 : problem->f[T] - mu * problem->f[N];
  }
  if (thud_dense_solve(context, m, A, 1, u) != THUD_OK) return false;
  thud_test_multiply(m, m, problem->K, false, u, r);
  for (thud_index j = 0; j < m; j++) r[j] -= problem->f[j];
  return true;
}

/* The inequalities of a contact that opens, sticks or slips; random data are never within rounding of them. */
static bool agrees(const rate_problem *problem, thud_index i, rate_mode mode, const double *u, const double *r) {
  double mu = problem->mu * problem->ratio[i];
  bool grazing = problem->state[i] == GRAZING;
  int sign = mode == SLIPS_FORWARD ? 1 : -1;
  switch (mode) {
  case OPENS: return !grazing || u[0] > 0;
  case STICKS:
    if (problem->state[i] == INSIDE) return true;
    return grazing ? fabs(r[1]) < mu * r[0] : problem->sign[i] * r[1] < mu * r[0];
  default: return -sign * u[1] > 0 && (!grazing || r[0] > 0);
  }
}

static int count_solutions(thud_context *context, const rate_problem *problem) {
  int count = 0, combinations = 1;
  for (thud_index i = 0; i < problem->n; i++) combinations *= RATE_MODES;
  for (int code = 0; code < combinations; code++) {
    rate_mode mode[N_MAX];
    double u[M_MAX], r[M_MAX];
    bool possible = true;
    for (thud_index i = 0, rest = code; i < problem->n; i++, rest /= RATE_MODES) {
      mode[i] = (rate_mode)(rest % RATE_MODES);
      possible = possible && may(problem, i, mode[i]);
    }
    if (!possible || !solve_modes(context, problem, mode, u, r)) continue;
    for (thud_index i = 0; i < problem->n && possible; i++)
      possible = agrees(problem, i, mode[i], u + 2 * i, r + 2 * i);
    count += possible;
  }
  return count;
}

/* ---- random systems ------------------------------------------------------------------------------------------------ */

typedef struct random_system {
  thud_index n;
  double K[M_MAX * M_MAX], ratio[N_MAX];
  double critical;
  signed char modes[N_MAX];
} random_system;

/* A system whose rates have a finite critical coefficient. */
static void draw_system(thud_context *context, thud_random *random, thud_index largest, random_system *system) {
  do {
    system->n = 1 + (thud_index)thud_random_below(random, (uint32_t)largest);
    thud_test_random_spd(random, 2 * system->n, thud_random_uniform(random, .05, 2), system->K);
    for (thud_index i = 0; i < system->n; i++) system->ratio[i] = i == 0 ? 1 : thud_random_uniform(random, .3, 1);
    thud_critical *found = NULL;
    assert_int_equal(thud_critical_find(context, system->n, 2, system->K, system->ratio, NULL, &found), THUD_OK);
    const thud_critical_row *row = thud_critical_get(found, THUD_CRITICAL_RATE);
    assert_int_equal(row->kind, THUD_CRITICAL_EXACT);
    system->critical = row->value;
    if (row->modes != NULL) memcpy(system->modes, row->modes, (size_t)system->n);
    thud_critical_destroy(found);
  } while (isinf(system->critical));
}

static void draw_state(thud_random *random, rate_problem *problem, bool all_grazing) {
  for (thud_index i = 0; i < problem->n; i++) {
    problem->state[i] = all_grazing ? GRAZING : (contact_state)thud_random_below(random, 4);
    problem->sign[i] = thud_random_below(random, 2) ? 1 : -1;
  }
  thud_test_random_vector(random, (size_t)(2 * problem->n), problem->f);
}

static void below_every_state_has_one_rate(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  int above_one = 0;
  for (int k = 0; k < 400; k++) {
    random_system system;
    draw_system(context, &random, 3, &system);
    rate_problem problem = {.n = system.n, .K = system.K, .ratio = system.ratio};
    for (int load = 0; load < 24; load++) {
      problem.mu = system.critical * (load < 12 ? .999 : thud_random_uniform(&random, 0, .999));
      draw_state(&random, &problem, load % 3 == 0);
      thud_assert_equal(count_solutions(context, &problem), 1);
      problem.mu = 3 * system.critical; /* the count can fail */
      above_one += count_solutions(context, &problem) != 1;
    }
  }
  thud_assert_at_least(above_one, 100);
  thud_test_context_end(context);
}

/* ---- just above ------------------------------------------------------------------------------------------------------ */

/* M_s of the slipping contacts in modes, from K with the open ones condensed (by solving, one column at a time) and the
 * sticking ones dropped: column j is h = mu r_N - s r_T for u_T = -s_j e_j. Returns its size. */
static thud_index slip_matrix(thud_context *context, const random_system *system, double mu, double *M) {
  thud_index n = system->n, m = 2 * n, slips[N_MAX], count = 0, open[M_MAX], rows = 0;
  for (thud_index i = 0; i < n; i++) {
    if (system->modes[i] == THUD_CRITICAL_OPEN) open[rows++] = 2 * i, open[rows++] = 2 * i + 1;
    if (abs(system->modes[i]) == 1) slips[count++] = i;
  }
  for (thud_index j = 0; j < count; j++) {
    double u[M_MAX] = {0}, r[M_MAX], A[M_MAX * M_MAX], b[M_MAX];
    u[2 * slips[j] + 1] = -system->modes[slips[j]];
    for (thud_index a = 0; a < rows; a++) {
      b[a] = -system->K[open[a] + (2 * slips[j] + 1) * m] * u[2 * slips[j] + 1];
      for (thud_index c = 0; c < rows; c++) A[a + c * rows] = system->K[open[a] + open[c] * m];
    }
    assert_int_equal(thud_dense_solve(context, rows, A, 1, b), THUD_OK);
    for (thud_index a = 0; a < rows; a++) u[open[a]] = b[a];
    thud_test_multiply(m, m, system->K, false, u, r);
    for (thud_index i = 0; i < count; i++) {
      thud_index c = slips[i];
      M[i + j * count] = mu * system->ratio[c] * r[2 * c] - system->modes[c] * r[2 * c + 1];
    }
  }
  return count;
}

/* x with M x = l x for the eigenvalue l nearest to 0, by inverse iteration. */
static double small_eigenvalue(thud_context *context, thud_index p, const double *M, double *x) {
  double value = 0;
  for (thud_index i = 0; i < p; i++) x[i] = 1 + .1 * (double)i;
  for (int k = 0; k < 60; k++) {
    double y[N_MAX];
    memcpy(y, x, sizeof y);
    assert_int_equal(thud_dense_solve(context, p, M, 1, y), THUD_OK);
    value = thud_test_dot((size_t)p, x, x) / thud_test_dot((size_t)p, x, y);
    double size = sqrt(thud_test_dot((size_t)p, y, y));
    for (thud_index i = 0; i < p; i++) x[i] = y[i] / size;
  }
  return value;
}

static size_t count_lcp(thud_context *context, thud_index p, const double *M, const double *q) {
  size_t count = 0;
  assert_int_equal(thud_lcp_enumerate(context, p, M, q, 1e-12, NULL, NULL, &count), THUD_OK);
  return count;
}

/* Above: M x = l x with l < 0. For q = (Mx)+ - M x+ both x+ and x- solve the complementarity problem of rates;
 * Below: one solution for random q and for this one. */
static void above_the_named_state_has_several_rates(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  int several_slips = 0, opens = 0;
  for (int k = 0; k < 300; k++) {
    random_system system;
    draw_system(context, &random, N_MAX, &system);
    double M[N_MAX * N_MAX], x[N_MAX] = {0}, Mx[N_MAX], q[N_MAX], positive[N_MAX];
    thud_index p = slip_matrix(context, &system, system.critical * (1 + 1e-4), M);
    several_slips += p > 1;
    for (thud_index i = 0; i < system.n; i++) opens += system.modes[i] == THUD_CRITICAL_OPEN;
    thud_assert_less(small_eigenvalue(context, p, M, x), 0);
    thud_test_multiply(p, p, M, false, x, Mx);
    for (thud_index i = 0; i < p; i++) positive[i] = fmax(x[i], 0);
    thud_test_multiply(p, p, M, false, positive, q);
    for (thud_index i = 0; i < p; i++) q[i] = fmax(Mx[i], 0) - q[i];
    thud_assert_at_least(count_lcp(context, p, M, q), 2);
    assert_int_equal(slip_matrix(context, &system, system.critical * (1 - 1e-4), M), p);
    thud_assert_greater(small_eigenvalue(context, p, M, x), 0);
    thud_assert_equal(count_lcp(context, p, M, q), 1);
  }
  thud_assert_at_least(several_slips, 50);
  thud_assert_at_least(opens, 20);
  thud_test_context_end(context);
}

/* The same with all signs, sets of slipping and of open contacts at 0.9999 of the critical value: no combination has a
 * second solution for random q. */
static void below_every_combination_has_one_solution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  static const signed char choices[4] = {THUD_CRITICAL_OPEN, THUD_CRITICAL_STICK, THUD_CRITICAL_FORWARD,
                                         THUD_CRITICAL_BACKWARD};
  for (int k = 0; k < 60; k++) {
    random_system system;
    draw_system(context, &random, 3, &system);
    int combinations = 1 << (2 * system.n);
    for (int code = 0; code < combinations; code++) {
      double M[N_MAX * N_MAX], q[N_MAX];
      for (thud_index i = 0; i < system.n; i++) system.modes[i] = choices[(code >> (2 * i)) & 3];
      thud_index p = slip_matrix(context, &system, system.critical * .9999, M);
      if (p == 0) continue;
      for (int load = 0; load < 4; load++) {
        thud_test_random_vector(&random, (size_t)p, q);
        thud_assert_equal(count_lcp(context, p, M, q), 1);
      }
    }
  }
  thud_test_context_end(context);
}

/* A and its loads of the literature (turned to u_N >= 0): one, three, none and four solutions around mu = 1.5. */
static void two_contacts_have_the_reference_counts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double K[16] = {3, -1, -1, 0, -1, 2, 0, -.5, -1, 0, 3, 1, 0, -.5, 1, 2}, ratio[2] = {1, 1};
  static const struct {
    double mu, f_T;
    contact_state state;
    int count;
  } cases[] = {{1.4, 1, ON_CONE, 1}, {1.6, 1, ON_CONE, 3}, {2.6, 1, ON_CONE, 0}, {2.6, -1, ON_CONE, 4}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    rate_problem problem = {.n = 2, .K = K, .ratio = ratio, .mu = cases[k].mu, .sign = {-1, 1}};
    problem.state[0] = problem.state[1] = cases[k].state;
    problem.f[1] = cases[k].f_T, problem.f[3] = -cases[k].f_T;
    thud_assert_equal(count_solutions(context, &problem), cases[k].count);
  }
  rate_problem grazing = {.n = 2, .K = K, .ratio = ratio, .mu = 4, .state = {GRAZING, GRAZING}, .f = {-1, 3, -1, -3}};
  thud_assert_equal(count_solutions(context, &grazing), 9);
  grazing.mu = 1.49;
  thud_assert_equal(count_solutions(context, &grazing), 1);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(below_every_state_has_one_rate),
      cmocka_unit_test(above_the_named_state_has_several_rates),
      cmocka_unit_test(below_every_combination_has_one_solution),
      cmocka_unit_test(two_contacts_have_the_reference_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
