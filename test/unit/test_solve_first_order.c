/* Accelerated projected gradient, extragradient and ADMM: closed forms, Coulomb's law and not its convex relaxation,
 * matrices that are not symmetric, indeterminate stacks, the global form without W, repeated solves. */
#include "random_matrices.h"
#include "random_problems.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"accelerated", "extragradient", "admm"};
enum { METHODS = sizeof names / sizeof *names };

/* Solves from zero; r[size], u[size] may be NULL. Fails unless the residual is below the tolerance by an evaluation of
 * its own. */
static thud_solver_info solve_cold(thud_context *context, const char *name, const thud_contact_problem *problem,
                                   double tolerance, int iterations, double *r, double *u) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_iterations = iterations;
  const thud_solver_method *method = thud_solver_method_find(name);
  assert_non_null(method);
  thud_solver *solver = NULL;
  assert_int_equal(thud_solver_create(context, method, problem, &options, &solver), THUD_OK);
  size_t size = thud_contact_size(problem);
  double *own = thud_test_doubles(size + 1), *l = thud_test_doubles((size_t)problem->bilateral + 1);
  thud_solver_info info;
  assert_int_equal(thud_solver_solve(solver, own, u, NULL, l, &info), THUD_OK);
  thud_contact_residual residual;
  assert_int_equal(
      thud_contact_evaluate(context, problem, own, NULL, problem->bilateral > 0 ? l : NULL, NULL, &residual), THUD_OK);
  if (!(residual.residual <= tolerance) || info.status != THUD_SOLVED)
    fail_msg("%s on %s: residual %g after %d iterations", name, thud_contact_kind_name(problem), residual.residual,
             info.iterations);
  if (r != NULL) memcpy(r, own, size * sizeof(double));
  info.history = NULL; /* goes with the solver */
  thud_solver_destroy(solver);
  free(own);
  free(l);
  return info;
}

static thud_contact_problem one_contact(thud_index dimension, const double *W, const double *q, const double *mu,
                                        const double *mu_rolling) {
  return (thud_contact_problem){
      .form = THUD_FORM_LOCAL,
      .dimension = dimension,
      .contacts = 1,
      .mu = mu,
      .mu_rolling = mu_rolling,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = dimension, .columns = dimension, .dense = W},
      .q = q};
}

/* ---- closed forms ------------------------------------------------------------------------------------------- */

/* u_N = r_N - 1, u_T = r_T + q_T, mu = 1/2. Sliding: r = (1, -1/2), u_N = 0 although the convex relaxation would lift
 * the contact to u_N = mu |u_T|; sticking: r_T = -q_T; open: q_N > 0. */
static void one_contact_slides_sticks_and_opens_without_hovering(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.5;
  const double q[3][3] = {{-1, 3, 0}, {-1, 0.3, 0}, {1, 3, 0}};
  const double r_wanted[3][3] = {{1, -0.5, 0}, {1, -0.3, 0}, {0, 0, 0}};
  const double u_wanted[3][3] = {{0, 2.5, 0}, {0, 0, 0}, {1, 3, 0}};
  for (size_t m = 0; m < METHODS; m++)
    for (size_t k = 0; k < 3; k++) {
      double r[3], u[3];
      thud_contact_problem problem = one_contact(3, W, q[k], &mu, NULL);
      solve_cold(context, names[m], &problem, 1e-11, 1000, r, u);
      thud_assert_at_most(thud_test_max_difference(3, r, r_wanted[k]), 1e-10);
      thud_assert_at_most(thud_test_max_difference(3, u, u_wanted[k]), 1e-10);
    }
  thud_test_context_end(context);
}

/* A ball of a millimetre: the response to rolling is 1e6 times the others and mu_r a tenth of the radius; in their own
 * units all parts are alike. It slides and rolls: r = (1, -mu, 0, -mu_r, 0). An error e of r_N makes the natural map
 * e / (1 + mu^2 + mu_r^2), and the residual divides by |q| = 1e3. */
static void rolling_contact_with_parts_in_different_units_takes_few_iterations(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double W[25] = {0};
  const double diagonal[5] = {1, 1, 1, 1e6, 1e6}, q[5] = {-1, 3, 0, 1e3, 0}, mu = 0.5, mu_rolling = 1e-4;
  const double wanted[5] = {1, -0.5, 0, -1e-4, 0};
  for (size_t i = 0; i < 5; i++) W[6 * i] = diagonal[i];
  thud_contact_problem problem = one_contact(5, W, q, &mu, &mu_rolling);
  for (size_t m = 0; m < METHODS; m++) {
    double r[5];
    thud_solver_info info = solve_cold(context, names[m], &problem, 1e-12, 1000, r, NULL);
    thud_assert_at_most(thud_test_max_difference(5, r, wanted), 2e-9);
    assert_in_range(info.iterations, 1, 200);
  }
  thud_test_context_end(context);
}

/* ---- families --------------------------------------------------------------------------------------------------- */

/* min x'Ax/2 + q.x over x >= 0 with A positive definite has one solution: all methods find it. */
static void frictionless_problems_have_the_known_answer(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 1; seed <= 40; seed++)
    for (size_t m = 0; m < METHODS; m++) {
      thud_random random = thud_random_seed(seed);
      thud_test_shape shape = thud_test_shape_of(1, 10);
      thud_test_problem made;
      double u[10];
      assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_SPARSE, &made), THUD_OK);
      solve_cold(context, names[m], made.problem, 1e-9, 20000, NULL, u);
      thud_assert_at_most(thud_test_max_difference(10, u, made.u), 1e-6);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* A = I + K with K skew is monotone and far from symmetric: the extragradient method is made for it, and ADMM treats
 * the skew part by deferred correction. The answer is chosen first. */
static void monotone_matrices_that_are_not_symmetric(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 12 };
  for (uint64_t seed = 1; seed <= 20; seed++) {
    thud_random random = thud_random_seed(seed);
    double W[N * N] = {0}, q[N], wanted[N];
    for (size_t i = 0; i < N; i++) {
      W[i * N + i] = 1;
      for (size_t j = 0; j < i; j++) {
        W[j * N + i] = 0.08 * thud_random_normal(&random);
        W[i * N + j] = -W[j * N + i];
      }
      wanted[i] = i % 2 == 0 ? thud_random_uniform(&random, 1, 2) : 0;
    }
    for (size_t i = 0; i < N; i++) {
      q[i] = i % 2 == 0 ? 0 : 0.5;
      for (size_t j = 0; j < N; j++) q[i] -= W[j * N + i] * wanted[j];
    }
    thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                    .dimension = 1,
                                    .contacts = N,
                                    .W = {.storage = THUD_MATRIX_DENSE, .rows = N, .columns = N, .dense = W},
                                    .q = q};
    for (size_t m = 1; m < METHODS; m++) {
      double r[N];
      solve_cold(context, names[m], &problem, 1e-10, 5000, r, NULL);
      thud_assert_at_most(thud_test_max_difference(N, r, wanted), 1e-8);
    }
  }
  thud_test_context_end(context);
}

/* Four contacts under each box: W has half the rank it could have. */
static void indeterminate_stacks_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index boxes = 1; boxes <= 6; boxes++) {
    thud_random random = thud_random_seed((uint64_t)boxes);
    thud_test_pile pile = {.nz = boxes, .dimension = 3, .mu = 0.5, .mass_ratio = 1, .noise = 0.02};
    thud_test_problem made;
    assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
    solve_cold(context, "accelerated", made.problem, 1e-8, 20000, NULL, NULL);
    solve_cold(context, "admm", made.problem, 1e-8, 20000, NULL, NULL);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ADMM on M and H against ADMM on W, with bilateral rows and with a mass matrix that is not quite symmetric: without
 * friction and with W regular the velocities are unique. */
static void admm_on_the_global_form_agrees_with_the_local_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < 10; k++) {
    thud_random random = thud_random_seed(100 + (uint64_t)k);
    thud_test_shape shape = thud_test_shape_of(3, 6);
    shape.frictionless = true;
    bool skew = k % 2 == 1; /* the local form of a skew M with bilateral rows does not exist */
    thud_test_problem made;
    thud_owned_problem *local = NULL;
    double u[18], v[18];
    assert_int_equal(thud_test_flexible_global(context, &random, &shape, 60, skew ? 0 : 3, skew ? 0.05 : 0, &made),
                     THUD_OK);
    assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_DENSE, &local), THUD_OK);
    solve_cold(context, "admm", made.problem, 1e-9, 20000, NULL, u);
    solve_cold(context, "admm", thud_owned_problem_view(local), 1e-9, 20000, NULL, v);
    thud_assert_at_most(thud_test_max_difference(18, u, v), 1e-6 * (1 + thud_test_max(18, u)));
    thud_owned_problem_destroy(local);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* A full H makes M + H H' full: the local form is made inside. */
static void admm_reduces_a_global_form_whose_product_would_be_full(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { NDOF = 120, SIZE = 3 };
  thud_random random = thud_random_seed(7);
  double f[NDOF], *H = thud_test_doubles(NDOF * SIZE), mass[NDOF], mu = 0.3;
  thud_index start[NDOF + 1], row[NDOF];
  for (thud_index i = 0; i < NDOF; i++) {
    f[i] = thud_random_normal(&random);
    mass[i] = 2;
    start[i] = row[i] = i;
    for (size_t c = 0; c < SIZE; c++) H[c * NDOF + (size_t)i] = thud_random_normal(&random);
  }
  start[NDOF] = NDOF;
  thud_contact_problem problem = {
      .form = THUD_FORM_GLOBAL,
      .dimension = 3,
      .contacts = 1,
      .mu = &mu,
      .M = {.storage = THUD_MATRIX_SPARSE,
            .rows = NDOF,
            .columns = NDOF,
            .sparse = {.rows = NDOF, .columns = NDOF, .column_start = start, .row = row, .value = mass}},
      .H = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = SIZE, .dense = H},
      .f = f};
  solve_cold(context, "admm", &problem, 1e-10, 2000, NULL, NULL);
  free(H);
  thud_test_context_end(context);
}

/* [1 2; 2 1] has the eigenvalue -1: no factor, and the warm start comes back with a verdict; the next problem is
 * solved.
 */
static void admm_breaks_down_where_the_matrix_is_indefinite(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, 2, 2, 1}, definite[4] = {2, 1, 1, 2}, q[2] = {-1, -1};
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                  .dimension = 1,
                                  .contacts = 2,
                                  .W = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = W},
                                  .q = q};
  thud_solver *solver = NULL;
  thud_solver_info info;
  double r[2] = {0.5, 0.25};
  assert_int_equal(thud_solver_create(context, thud_solver_method_find("admm"), &problem, NULL, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVER_BREAKDOWN);
  thud_test_message_has(context,
                        "admm: the matrix is not positive definite with rho = 0.3 on its diagonal (which is 1): other "
                        "methods do not need that",
                        NULL);
  thud_assert_equal(r[0], 0.5);
  thud_assert_equal(r[1], 0.25);
  problem.W.dense = definite;
  assert_int_equal(thud_solver_update(solver, &problem), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVED);
  thud_assert_near(r[0], 1.0 / 3, 1e-7);
  thud_assert_near(r[1], 1.0 / 3, 1e-7);
  thud_solver_destroy(solver);
  thud_test_context_end(context);
}

/* rho moves in a solve and momentum builds up: the next solve must not notice. */
static void a_second_solve_gives_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  thud_test_pile pile = {.nx = 2, .ny = 2, .nz = 4, .dimension = 3, .mu = 0.5, .mass_ratio = 100, .noise = 0.1};
  thud_test_problem made;
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  for (size_t m = 0; m < METHODS; m++) {
    thud_solver_options options = thud_solver_options_default();
    options.max_iterations = 500;
    options.tolerance = 1e-12;
    thud_solver *solver = NULL;
    const thud_solver_method *method = thud_solver_method_find(names[m]);
    assert_int_equal(thud_solver_create(context, method, made.problem, &options, &solver), THUD_OK);
    double *first = thud_test_doubles(size), *second = thud_test_doubles(size);
    thud_solver_info a, b;
    assert_int_equal(thud_solver_solve(solver, first, NULL, NULL, NULL, &a), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, second, NULL, NULL, NULL, &b), THUD_OK);
    assert_int_equal(a.iterations, b.iterations);
    assert_memory_equal(first, second, size * sizeof(double));
    free(first);
    free(second);
    thud_solver_destroy(solver);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* Much friction makes ADMM diverge until its numbers overflow: a breakdown with the best iterate, no failed call. */
static void admm_that_overflows_breaks_down(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { CONTACTS = 8 };
  double mu[CONTACTS];
  for (size_t k = 0; k < CONTACTS; k++) mu[k] = 16;
  for (uint64_t seed = 15; seed < 18; seed++) {
    thud_random random = thud_random_seed(seed);
    thud_test_shape shape = thud_test_shape_of(2, CONTACTS);
    thud_test_problem made;
    assert_int_equal(thud_test_flexible_global(context, &random, &shape, 4 * CONTACTS + 4, 0, 0, &made), THUD_OK);
    thud_contact_problem problem = *made.problem;
    problem.mu = mu;
    thud_solver *solver = NULL;
    thud_solver_info info;
    double r[2 * CONTACTS] = {0};
    assert_int_equal(thud_solver_create(context, thud_solver_method_find("admm"), &problem, NULL, &solver), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_true(isfinite(info.residual.residual));
    for (size_t i = 0; i < 2 * CONTACTS; i++) assert_true(isfinite(r[i]));
    thud_solver_destroy(solver);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_slides_sticks_and_opens_without_hovering),
      cmocka_unit_test(rolling_contact_with_parts_in_different_units_takes_few_iterations),
      cmocka_unit_test(frictionless_problems_have_the_known_answer),
      cmocka_unit_test(monotone_matrices_that_are_not_symmetric),
      cmocka_unit_test(indeterminate_stacks_are_solved),
      cmocka_unit_test(admm_on_the_global_form_agrees_with_the_local_form),
      cmocka_unit_test(admm_reduces_a_global_form_whose_product_would_be_full),
      cmocka_unit_test(admm_breaks_down_where_the_matrix_is_indefinite),
      cmocka_unit_test(admm_that_overflows_breaks_down),
      cmocka_unit_test(a_second_solve_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
