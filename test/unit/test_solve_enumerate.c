/* All solutions of small problems: Klarbring's and Moreau's examples of one, several, none, and a continuum. */
#include "thud/solve.h"
#include "failing_allocator.h"
#include "testing.h"

#include <math.h>
#include <string.h>

typedef struct solutions {
  size_t count, continua;
  double r[64][20], u[64][20];
  size_t size;
} solutions;

static int collect(void *user, const thud_solution *solution) {
  solutions *all = user;
  thud_assert_less(all->count, 64);
  memcpy(all->r[all->count], solution->r, all->size * sizeof(double));
  memcpy(all->u[all->count], solution->u, all->size * sizeof(double));
  all->count++;
  all->continua += !solution->isolated;
  return 0;
}

static thud_contact_problem plane(thud_index contacts, const double *W, const double *q, const double *mu) {
  return (thud_contact_problem){
      .form = THUD_FORM_LOCAL,
      .dimension = 2,
      .contacts = contacts,
      .mu = mu,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = 2 * contacts, .columns = 2 * contacts, .dense = W},
      .q = q};
}

static solutions enumerate(thud_context *context, const thud_contact_problem *problem) {
  solutions all = {.size = thud_contact_size(problem)};
  size_t count = 0;
  assert_int_equal(thud_contact_enumerate(context, problem, 1e-10, collect, &all, &count), THUD_OK);
  assert_int_equal(count, all.count);
  for (size_t k = 0; k < all.count; k++) { /* every one is a solution for the independent evaluation */
    thud_contact_residual residual;
    assert_int_equal(thud_contact_evaluate(context, problem, all.r[k], NULL, NULL, NULL, &residual), THUD_OK);
    if (residual.residual >= 1e-9)
      fail_msg("solution %zu: residual %g, r = (%g, %g, ...)", k, residual.residual, all.r[k][0], all.r[k][1]);
  }
  return all;
}

static bool has(const solutions *all, const double *r) {
  for (size_t k = 0; k < all->count; k++) {
    double distance = 0;
    for (size_t i = 0; i < all->size; i++) distance = fmax(distance, fabs(all->r[k][i] - r[i]));
    if (distance < 1e-9) return true;
  }
  return false;
}

/* Klarbring's step K U = F + R from rest as u = K^-1 r - K^-1 F with the gap -U_N and r = -R: K = [[2,1],[1,1]], mu = 2
 * violates mu < k_T/|w|; F = (1, 1.5): separation, stick and slip (case B1 at t = 1; tangential direction reversed
 * together with the normal one). */
static void klarbring_three_solutions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, -1, -1, 2}, mu[1] = {2};
  const double F[2] = {1, 1.5};
  const double q[2] = {-(W[0] * F[0] + W[2] * F[1]), -(W[1] * F[0] + W[3] * F[1])};
  thud_contact_problem problem = plane(1, W, q, mu);
  solutions all = enumerate(context, &problem);
  assert_int_equal(all.count, 3);
  assert_int_equal(all.continua, 0);
  assert_true(has(&all, (const double[2]){0, 0}));
  assert_true(has(&all, (const double[2]){1, 1.5}));
  assert_true(has(&all, (const double[2]){0.5, 1}));
  thud_test_context_end(context);
}

/* Case B2: F = (1, 1) leaves a one-parameter family R = -(1 - s)(1, 1), U = (0, s), 0 <= s <= 1. */
static void klarbring_continuum(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* mu = 1 makes D_s = k_T - mu w = 0: slipping with r = (1-s)(1, 1). */
  const double W[4] = {1, -1, -1, 2}, mu[1] = {1}, F[2] = {1, 1};
  const double q[2] = {-(W[0] * F[0] + W[2] * F[1]), -(W[1] * F[0] + W[3] * F[1])};
  thud_contact_problem problem = plane(1, W, q, mu);
  solutions all = enumerate(context, &problem);
  thud_assert_at_least(all.count, 1);
  assert_int_equal(all.continua, all.count);
  thud_test_context_end(context);
}

/* A Painleve block: W_NN - mu W_NT < 0 with q_N < 0 has no solution when the tangent slides fast. */
static void painleve_without_solution_or_with_two(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* u_N = r_N + 3 r_T + q_N, u_T = 3 r_N + 10 r_T + q_T, mu = 0.5: sliding with u_T > 0 gives u_N = -0.5 r_N + q_N. */
  const double W[4] = {1, 3, 3, 10}, mu[1] = {0.5};
  const double opening[2] = {0.1, 5};
  thud_contact_problem problem = plane(1, W, opening, mu);
  solutions all = enumerate(context, &problem);
  assert_int_equal(all.count, 3); /* open; r_N = 0.2 slipping; a tangential impact that sticks, W r = -q */
  assert_true(has(&all, (const double[2]){0, 0}) && has(&all, (const double[2]){0.2, -0.1}));
  assert_true(has(&all, (const double[2]){14, -4.7}));
  const double closing[2] = {-0.1, 5};
  problem.q = closing;
  all = enumerate(context, &problem);
  /* Sliding forward is inconsistent; an impulsive stick or backward slip is all that is left. */
  for (size_t k = 0; k < all.count; k++) thud_assert_at_most(all.u[k][1], 1e-9);
  thud_test_context_end(context);
}

/* Symmetric W with small mu: exactly one solution, and the enumeration finds it (thousands of random problems). */
static void small_friction_has_one_solution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(77);
  for (int instance = 0; instance < 1500; instance++) {
    thud_index contacts = 1 + (thud_index)thud_random_below(&random, 4), n = 2 * contacts;
    double W[64], q[8], mu[4];
    for (thud_index i = 0; i < n; i++) {
      for (thud_index j = 0; j < n; j++) W[i + j * n] = i == j ? 1 : 0;
      q[i] = thud_random_normal(&random);
    }
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j < i; j++) W[i + j * n] = W[j + i * n] = 0.1 * thud_random_uniform(&random, -1, 1);
    for (thud_index k = 0; k < contacts; k++)
      mu[k] = thud_random_below(&random, 4) == 0 ? 0 : thud_random_uniform(&random, 0, 1);
    thud_contact_problem problem = plane(contacts, W, q, mu);
    solutions all = enumerate(context, &problem);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.continua, 0);
  }
  thud_test_context_end(context);
}

/* Bar in a right-angle corner, mu > 1 (Moreau): immobility and falling. Modelled as two contacts whose normals support
 * each other: rest is one of a continuum of force pairs, falling another solution or none, never nothing. */
static void two_opposed_contacts_are_a_continuum(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* One body of mass 1 in a slot: normals +e1 and -e1, tangents e2: W = J J'. Pressed by nothing: any squeeze holds the
   * weight q_T. */
  const double J[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, 1}};
  double W[16], q[4];
  const double v[2] = {0, -1}, mu[2] = {1, 1};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) W[i + 4 * j] = J[i][0] * J[j][0] + J[i][1] * J[j][1];
    q[i] = J[i][0] * v[0] + J[i][1] * v[1];
  }
  thud_contact_problem problem = plane(2, W, q, mu);
  solutions all = enumerate(context, &problem);
  thud_assert_at_least(all.count, 2);
  bool falls = false, held = false;
  for (size_t k = 0; k < all.count; k++) {
    falls = falls || fabs(all.u[k][1] + 1) < 1e-9;
    held = held || fabs(all.u[k][1]) < 1e-9;
  }
  assert_true(falls);
  assert_true(held);
  thud_assert_at_least(all.continua, 1);
  thud_test_context_end(context);
}

/* The number of solutions is that of the same problem in other units of mass and velocity, powers of 2 exactly. */
static void units_change_no_solution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[3][4] = {{1, 0.75, 0.75, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
  const double q[3][2] = {{1, 3}, {-1, 5}, {1, 5}}, mu[3] = {2, 0.3, 0.3};
  const size_t counts[3] = {3, 1, 1};
  for (int k = 0; k < 3; k++) {
    thud_contact_problem problem = plane(1, W[k], q[k], &mu[k]);
    solutions expected = enumerate(context, &problem);
    assert_int_equal(expected.count, counts[k]);
    for (int mass = -60; mass <= 60; mass += 10)
      for (int speed = -60; speed <= 60; speed += 20) {
        double scaled_W[4], scaled_q[2];
        for (int i = 0; i < 4; i++) scaled_W[i] = ldexp(W[k][i], -mass);
        for (int i = 0; i < 2; i++) scaled_q[i] = ldexp(q[k][i], speed);
        thud_contact_problem scaled = plane(1, scaled_W, scaled_q, &mu[k]);
        solutions all = {.size = 2};
        assert_int_equal(thud_contact_enumerate(context, &scaled, 1e-10, collect, &all, NULL), THUD_OK);
        assert_int_equal(all.count, expected.count);
        for (size_t s = 0; s < all.count; s++)
          for (int i = 0; i < 2; i++) {
            thud_assert_equal(all.r[s][i], ldexp(expected.r[s][i], mass + speed));
            thud_assert_equal(all.u[s][i], ldexp(expected.u[s][i], speed));
          }
      }
  }
  thud_test_context_end(context);
}

/* The other contact's tolerance does not hide what is wrong at a contact: beside a mass of 1e18 the light body must not
 * be approached; a diagonal block that vanishes (found by comparison with another enumeration: no solution). */
static void contacts_of_very_different_size_have_no_false_solutions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double heavy[16] = {1e-18, 0, 0, 0, 0, 1e-18, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, q1[4] = {-1, 0, -1, 0};
  const double mu[3] = {1, 3, 3};
  thud_contact_problem problem = plane(2, heavy, q1, mu);
  solutions all = {.size = 4};
  size_t count = 0;
  assert_int_equal(thud_contact_enumerate(context, &problem, 1e-9, collect, &all, &count), THUD_OK);
  assert_int_equal(count, 1);
  thud_assert_near(all.r[0][0], 1e18, 1e8);
  thud_assert_near(all.r[0][2], 1, 1e-9);
  const double W[36] = {0,  -2, -2, 1, -1, 1, -1, 0, 0,  0, 1, 2, -1, 1, 0, 0, 0,  0,
                        -1, 2,  0,  0, 0,  0, 1,  1, -1, 0, 1, 0, -1, 1, 1, 1, -1, 2};
  const double q2[6] = {1, 2, 1, 0, -2, 0};
  problem = plane(3, W, q2, mu);
  assert_int_equal(thud_contact_enumerate(context, &problem, 1e-9, NULL, NULL, &count), THUD_OK);
  assert_int_equal(count, 0);
  thud_test_context_end(context);
}

/* Two equal bilateral rows: their multipliers are a continuum, r and u are not. */
static void free_multipliers_leave_a_solution_isolated(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {2, 0, 0, 2}, V[4] = {1, 0, 1, 0}, R[4] = {1, 1, 1, 1};
  const double q[2] = {-1, 0.3}, s[2] = {0.5, 0.5}, mu[1] = {0.3};
  thud_contact_problem problem = plane(1, W, q, mu);
  problem.bilateral = 2;
  problem.V = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = V};
  problem.R = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = R};
  problem.s = s;
  solutions all = {.size = 2};
  assert_int_equal(thud_contact_enumerate(context, &problem, 1e-10, collect, &all, NULL), THUD_OK);
  assert_int_equal(all.count, 1);
  assert_int_equal(all.continua, 0);
  assert_true(has(&all, (const double[2]){1.5, -0.15}));
  thud_test_context_end(context);
}

static void lcp_and_refusals(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* [[0,1],[1,0]]... with q = (-1,-1): z = (1,1) and, as M is not P, only that one is complementary here. */
  const double M[4] = {0, 1, 1, 0}, q[2] = {-1, -1};
  thud_contact_problem lcp = {.form = THUD_FORM_LOCAL,
                              .dimension = 1,
                              .contacts = 2,
                              .W = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = M},
                              .q = q};
  solutions all = enumerate(context, &lcp);
  assert_int_equal(all.count, 1);
  assert_true(has(&all, (const double[2]){1, 1}));
  size_t count = 99;
  assert_int_equal(thud_contact_enumerate(context, &lcp, 0, collect, &all, &count), THUD_ERROR_ARGUMENT);
  const double W3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q3[3] = {-1, 0, 0}, mu[1] = {0.5};
  thud_contact_problem space = {.form = THUD_FORM_LOCAL,
                                .dimension = 3,
                                .contacts = 1,
                                .mu = mu,
                                .W = {.storage = THUD_MATRIX_DENSE, .rows = 3, .columns = 3, .dense = W3},
                                .q = q3};
  assert_int_equal(thud_contact_enumerate(context, &space, 1e-10, collect, &all, &count), THUD_ERROR_UNSUPPORTED);
  assert_int_equal(count, 99);
  thud_test_context_end(context);
}

static int stop_at_third(void *user) { return ++*(int *)user >= 3; }

static void a_stop_ends_the_enumeration(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, 0, 0, 1}, mu[1] = {0.5}, q[2] = {-1, -1};
  thud_contact_problem problem = plane(1, W, q, mu);
  thud_contact_problem lcp = problem;
  lcp.dimension = 1;
  lcp.contacts = 2;
  lcp.mu = NULL;
  const thud_contact_problem *problems[2] = {&problem, &lcp};
  for (int k = 0; k < 2; k++) { /* 4 modes and 4 bases */
    int asked = 0;
    size_t count = 99;
    solutions all = {.size = 2};
    const thud_stop stop = {.ask = stop_at_third, .user = &asked}, never = {.ask = NULL};
    assert_int_equal(thud_contact_enumerate_until(context, problems[k], 1e-10, &stop, collect, &all, &count),
                     THUD_ERROR_INTERRUPTED);
    thud_assert_equal(asked, 3);
    thud_assert_equal(count, 99);
    thud_assert_equal(all.count, 0);
    assert_int_equal(thud_contact_enumerate_until(context, problems[k], 1e-10, &never, collect, &all, &count), THUD_OK);
    assert_int_equal(count, 1);
  }
  thud_test_context_end(context);
}

static thud_error enumerate_for_sweep(thud_context *context, void *user) {
  (void)user;
  const double W[4] = {1, -1, -1, 2}, mu[1] = {1}, q[2] = {0, -1};
  thud_contact_problem problem = plane(1, W, q, mu);
  size_t count = 99;
  thud_error error = thud_contact_enumerate(context, &problem, 1e-10, NULL, NULL, &count);
  if (error != THUD_OK) assert_int_equal(count, 99);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(enumerate_for_sweep, NULL), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(klarbring_three_solutions),
      cmocka_unit_test(klarbring_continuum),
      cmocka_unit_test(painleve_without_solution_or_with_two),
      cmocka_unit_test(small_friction_has_one_solution),
      cmocka_unit_test(two_opposed_contacts_are_a_continuum),
      cmocka_unit_test(units_change_no_solution),
      cmocka_unit_test(contacts_of_very_different_size_have_no_false_solutions),
      cmocka_unit_test(free_multipliers_leave_a_solution_isolated),
      cmocka_unit_test(lcp_and_refusals),
      cmocka_unit_test(a_stop_ends_the_enumeration),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
