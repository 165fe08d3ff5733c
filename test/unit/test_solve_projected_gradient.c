/* Projected gradient: its own cones against those that judge it, and problems whose answer is known. */
#include "random_matrices.h"
#include "random_problems.h"
#include "solve/projected_gradient_cone.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static thud_solver_info solve(thud_context *context, const thud_contact_problem *problem, double tolerance,
                              int max_iterations, double *r) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  thud_solver *solver = NULL;
  thud_solver_info info;
  const thud_solver_method *method = thud_solver_method_find("projected-gradient");
  assert_int_equal(thud_solver_create(context, method, problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
  info.history = NULL;
  thud_solver_destroy(solver);
  return info;
}

/* ---- cones -------------------------------------------------------------------------------------------------- */

/* The projections and shifts here and in contact are written apart: they must agree. */
static void cones_agree_with_those_that_judge(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(61);
  for (int round = 0; round < 1400; round++) {
    thud_test_shape shape = thud_test_shape_of(thud_test_dimensions[round % THUD_TEST_DIMENSIONS], 4);
    if (round % 14 >= 7 && thud_test_takes_laws(&shape)) shape.law = THUD_TEST_MIXED_LAWS;
    shape.frictionless = round % 16 == 3;
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    size_t d = (size_t)shape.dimension;
    thud_contact_discs discs = thud_contact_discs_of(made.problem);
    for (thud_index contact = 0; contact < 4; contact++)
      for (int k = 0; k < 10; k++) {
        double x[6] = {0}, y[6], own[6], shift, size = pow(10, thud_random_uniform(&random, -6, 6));
        thud_test_random_vector(&random, d, x);
        for (size_t i = 0; i < d; i++) x[i] *= k == 0 && i > 0 ? 0 : size; /* k = 0: on the axis */
        memcpy(own, x, sizeof own);
        assert_true(thud_gradient_cone_project(&discs, (size_t)contact, own));
        assert_int_equal(thud_contact_project_cone(made.problem, contact, x, y), THUD_OK);
        thud_assert_at_most(thud_test_max_difference(d, own, y), 1e-9 * size);
        assert_int_equal(thud_contact_shift(made.problem, contact, x, &shift), THUD_OK);
        thud_assert_near(thud_gradient_cone_shift(&discs, (size_t)contact, x), shift, 1e-9 * size);
        memcpy(y, own, sizeof y); /* a point of the cone stays */
        assert_true(thud_gradient_cone_project(&discs, (size_t)contact, y));
        thud_assert_at_most(thud_test_max_difference(d, own, y), 1e-9 * size);
      }
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* Closed forms: mu = 1, the point (0, 2) goes to (1, 1); with rolling mu_r = 1 the point (0, 2, 0, 2, 0) to
 * (4/3, 4/3, 0, 4/3, 0); below the polar cone everything goes to 0. */
static void projections_on_discs_have_closed_forms(void **state) {
  (void)state;
  const double mu[1] = {1};
  thud_contact_problem plane = {.dimension = 2, .contacts = 1, .mu = mu};
  thud_contact_discs plane_discs = thud_contact_discs_of(&plane);
  double x[2] = {0, 2};
  assert_true(thud_gradient_cone_project(&plane_discs, 0, x));
  thud_assert_equal(x[0], 1);
  thud_assert_equal(x[1], 1);
  double below[2] = {-3, 2};
  assert_true(thud_gradient_cone_project(&plane_discs, 0, below));
  thud_assert_equal(below[0], 0);
  thud_assert_equal(below[1], 0);
  thud_contact_problem rolling = {.dimension = 5, .contacts = 1, .mu = mu, .mu_rolling = mu};
  thud_contact_discs rolling_discs = thud_contact_discs_of(&rolling);
  double z[5] = {0, 2, 0, 2, 0}, expected[5] = {4. / 3, 4. / 3, 0, 4. / 3, 0};
  assert_true(thud_gradient_cone_project(&rolling_discs, 0, z));
  thud_assert_at_most(thud_test_max_difference(5, z, expected), 1e-15);
  double one[5] = {0, 0.1, 0, 2, 0}, half[5] = {1, 0.1, 0, 1, 0}; /* only the second part is too long */
  assert_true(thud_gradient_cone_project(&rolling_discs, 0, one));
  thud_assert_at_most(thud_test_max_difference(5, one, half), 1e-15);
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* Without friction a symmetric positive definite problem has one answer, and it is found. */
static void symmetric_problems_without_friction_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(62);
  for (int round = 0; round < 60; round++) {
    thud_test_shape shape = thud_test_shape_of(1, 1 + round % 12);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, (thud_matrix_storage)(1 + round % 3), &made),
                     THUD_OK);
    double r[12] = {0};
    thud_solver_info info = solve(context, made.problem, 1e-10, 200000, r);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* u = [a -b; b a] r + q turns: the plain step runs away when b is much larger than a, the corrected one does not. */
static void problems_that_turn_are_solved_by_the_corrected_step(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {0.1, 1, -1, 0.1};
  const double answer[2] = {2, 3};
  double q[2], r[2] = {0, 0};
  for (size_t i = 0; i < 2; i++) q[i] = -(W[i] * answer[0] + W[2 + i] * answer[1]);
  thud_contact_problem turning = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 2, .q = q};
  turning.W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = W};
  thud_solver_info info = solve(context, &turning, 1e-10, 10000, r);
  assert_int_equal(info.status, THUD_SOLVED);
  thud_assert_at_most(thud_test_max_difference(2, r, answer), 1e-8);
  thud_test_context_end(context);
}

/* Masses from 1e-6 to 1e6: the scale of each contact takes care of them. */
static void contacts_of_very_different_masses_do_not_slow_each_other(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 13 };
  double W[N * N] = {0}, q[N], r[N] = {0};
  for (int i = 0; i < N; i++) W[i * N + i] = pow(10, i - 6), q[i] = -1;
  thud_contact_problem apart = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = N, .q = q};
  apart.W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = N, .columns = N, .dense = W};
  thud_solver_info info = solve(context, &apart, 1e-12, 200, r);
  assert_int_equal(info.status, THUD_SOLVED);
  for (int i = 0; i < N; i++) thud_assert_near(r[i] * W[i * N + i], 1, 1e-11);
  thud_test_context_end(context);
}

/* W = 0: nothing to scale by; with q >= 0 the answer is 0, with q < 0 there is none and the impulses grow. */
static void a_matrix_of_zeros_is_no_breakdown(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {0}, up[1] = {1}, down[1] = {-1};
  thud_contact_problem nothing = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 1, .q = up};
  nothing.W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = W};
  double r[1] = {5};
  thud_solver_info info = solve(context, &nothing, 1e-10, 1000, r);
  thud_assert_equal(info.status, THUD_SOLVED);
  thud_assert_equal(r[0], 0);
  nothing.q = down;
  info = solve(context, &nothing, 1e-10, 1000, r);
  assert_int_not_equal(info.status, THUD_SOLVED);
  assert_true(isfinite(r[0]));
  thud_test_context_end(context);
}

/* R l + s = 0 without any contact, where V is not there: l = -R^-1 s, every time. */
static void bilateral_rows_alone_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double R[] = {2, 1, 1, 3}, s[] = {-3, -4}, none[1] = {0};
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL, .dimension = 1, .bilateral = 2, .q = none, .s = s};
  problem.R = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = R};
  thud_solver *solver = NULL;
  const thud_solver_method *method = thud_solver_method_find("projected-gradient");
  assert_int_equal(thud_solver_create(context, method, &problem, NULL, &solver), THUD_OK);
  for (int round = 0; round < 2; round++) {
    thud_solver_info info;
    double l[2] = {0};
    assert_int_equal(thud_solver_solve(solver, NULL, NULL, NULL, l, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_assert_near(l[0], 1, 1e-7);
    thud_assert_near(l[1], 1, 1e-7);
  }
  thud_solver_destroy(solver);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cones_agree_with_those_that_judge),
      cmocka_unit_test(projections_on_discs_have_closed_forms),
      cmocka_unit_test(symmetric_problems_without_friction_are_solved),
      cmocka_unit_test(problems_that_turn_are_solved_by_the_corrected_step),
      cmocka_unit_test(contacts_of_very_different_masses_do_not_slow_each_other),
      cmocka_unit_test(a_matrix_of_zeros_is_no_breakdown),
      cmocka_unit_test(bilateral_rows_alone_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
