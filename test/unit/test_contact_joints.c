/* Joints of the two-block form against the dense local form, the global form and all methods. */
#include "failing_allocator.h"
#include "random_joints.h"
#include "random_matrices.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static thud_test_problem make(thud_context *context, thud_index dimension, thud_index joints, bool redundant,
                              uint64_t seed) {
  thud_random random = thud_random_seed(seed);
  thud_test_shape shape = thud_test_shape_of(dimension, 8);
  thud_test_problem made;
  assert_int_equal(thud_test_random_joints(context, &random, &shape, joints, redundant, &made), THUD_OK);
  assert_int_equal(thud_contact_validate(context, made.problem, NULL), THUD_OK);
  return made;
}

/* u and the residuals of random impulses are those of `other`, another form of the same problem. */
static void assert_same_velocities(thud_context *context, thud_random *random, const thud_contact_problem *problem,
                                   const thud_contact_problem *other) {
  size_t size = thud_contact_size(problem), rows = (size_t)problem->bilateral;
  double *r = thud_test_doubles(size), *l = thud_test_doubles(rows), *u = thud_test_doubles(2 * size);
  thud_contact_residual a, b;
  assert_int_equal(other->bilateral, problem->bilateral);
  for (size_t i = 0; i < size; i++) r[i] = thud_random_normal(random);
  for (size_t i = 0; i < rows; i++) l[i] = thud_random_normal(random);
  assert_int_equal(thud_contact_evaluate(context, problem, r, NULL, l, u, &a), THUD_OK);
  assert_int_equal(thud_contact_evaluate(context, other, r, NULL, l, u + size, &b), THUD_OK);
  double largest = 0;
  for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(u[i]));
  for (size_t i = 0; i < size; i++) thud_assert_near(u[i], u[size + i], 1e-11 * largest);
  thud_assert_near(a.natural, b.natural, 1e-11 * a.natural);
  thud_assert_near(a.bilateral, b.bilateral, 1e-11 * a.bilateral);
  free(r);
  free(l);
  free(u);
}

static void forms_agree(void **state) {
  (void)state;
  static const thud_index dimensions[] = {1, 2, 3, 5};
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  for (uint64_t seed = 0; seed < 40; seed++) {
    thud_test_problem made = make(context, dimensions[seed % 4], 1 + (thud_index)(seed % 5), seed % 2 == 1, seed);
    thud_contact_residual residual;
    assert_int_equal(thud_contact_evaluate(context, made.problem, made.r, NULL, made.l, NULL, &residual), THUD_OK);
    thud_assert_at_most(residual.residual, 1e-11); /* the answer that it was made for */
    static const thud_matrix_storage storages[] = {THUD_MATRIX_DENSE, THUD_MATRIX_SPARSE, THUD_MATRIX_BLOCKS};
    for (int k = 0; k < 4; k++) {
      thud_owned_problem *other;
      thud_error error = k < 3 ? thud_contact_to_local(context, made.problem, storages[k], &other)
                               : thud_contact_to_global(context, made.problem, &other);
      assert_int_equal(error, THUD_OK);
      assert_int_equal(thud_contact_validate(context, thud_owned_problem_view(other), NULL), THUD_OK);
      assert_same_velocities(context, &random, made.problem, thud_owned_problem_view(other));
      thud_owned_problem_destroy(other);
    }
    thud_contact_scaling scaling = {.velocity = 4, .impulse = 0.5};
    thud_owned_problem *scaled;
    size_t rows = (size_t)made.problem->bilateral, size = thud_contact_size(made.problem);
    double *l = thud_test_doubles(rows), *r = thud_test_doubles(size);
    for (size_t i = 0; i < rows; i++) l[i] = made.l[i] / 0.5;
    for (size_t i = 0; i < size; i++) r[i] = made.r[i] / 0.5;
    assert_int_equal(thud_contact_scale(context, made.problem, &scaling, &scaled), THUD_OK);
    assert_int_equal(thud_contact_evaluate(context, thud_owned_problem_view(scaled), r, NULL, l, NULL, &residual),
                     THUD_OK);
    thud_assert_at_most(residual.residual, 1e-11);
    free(l);
    free(r);
    thud_owned_problem_destroy(scaled);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* Gauss-Seidel sweeps the two-block form itself; its answer and that of the dense local form judge each other. */
static void check_solution(thud_context *context, const thud_test_problem *made) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = 1e-7;
  options.max_iterations = 100000;
  size_t size = thud_contact_size(made->problem), rows = (size_t)made->problem->bilateral;
  thud_owned_problem *local;
  thud_solver *solver;
  thud_solver_info info;
  thud_contact_residual residual;
  double *r = thud_test_doubles(size), *l = thud_test_doubles(rows),
         *v = thud_test_doubles(thud_contact_ndof(made->problem));
  assert_int_equal(thud_contact_to_local(context, made->problem, THUD_MATRIX_DENSE, &local), THUD_OK);
  assert_int_equal(
      thud_solver_create(context, thud_solver_method_find("gauss-seidel"), made->problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, v, l, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVED);
  assert_int_equal(info.form, THUD_FORM_TWO_BLOCK);
  assert_int_equal(thud_contact_evaluate(context, thud_owned_problem_view(local), r, NULL, l, NULL, &residual),
                   THUD_OK);
  thud_assert_at_most(residual.residual, 2e-7);
  thud_solver_destroy(solver);
  thud_owned_problem_destroy(local);
  free(r);
  free(l);
  free(v);
}

static void sweeps_solve_joints(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 100; seed < 130; seed++) {
    thud_test_problem made = make(context, seed % 3 == 0 ? 1 : 3, 2 + (thud_index)(seed % 3), seed % 2 == 1, seed);
    check_solution(context, &made);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* The answer without contacts is that of a linear system: velocities nearest to the free ones, in the metric of M,
 * among
 * those that the joints allow. */
static void joints_alone_project_the_velocity(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 0; seed < 10; seed++) {
    thud_test_problem made = make(context, 3, 4, seed % 2 == 1, 200 + seed);
    thud_contact_problem bare = *made.problem;
    thud_solver_options options = thud_solver_options_default();
    thud_solver *solver;
    thud_solver_info info;
    size_t rows = (size_t)bare.bilateral, ndof = thud_contact_ndof(&bare);
    double *l = thud_test_doubles(rows), *v = thud_test_doubles(ndof), *other = thud_test_doubles(ndof), r[1] = {0};
    bare.contacts = 0;
    options.tolerance = 1e-10;
    options.max_iterations = 100000;
    for (int k = 0; k < 2; k++) { /* two-block by sweeps; local form by Newton */
      assert_int_equal(thud_solver_create(context, thud_solver_method_find(k == 0 ? "gauss-seidel" : "newton"), &bare,
                                          &options, &solver),
                       THUD_OK);
      memset(l, 0, rows * sizeof *l);
      assert_int_equal(thud_solver_solve(solver, r, NULL, k == 0 ? v : other, l, &info), THUD_OK);
      assert_int_equal(info.status, THUD_SOLVED);
      thud_solver_destroy(solver);
    }
    for (size_t i = 0; i < ndof; i++) thud_assert_near(v[i], other[i], 1e-6 * (1 + fabs(v[i])));
    free(l);
    free(v);
    free(other);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void wrong_joints_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make(context, 3, 2, false, 300);
  thud_index start[3], a[2], b[2];
  for (int k = 0; k < 8; k++) {
    thud_contact_problem bad = *made.problem;
    memcpy(start, bad.two_block.joint_start, sizeof start);
    memcpy(a, bad.two_block.joint_a, sizeof a);
    memcpy(b, bad.two_block.joint_b, sizeof b);
    bad.two_block.joint_start = start;
    bad.two_block.joint_a = a;
    bad.two_block.joint_b = b;
    const char *word = "";
    if (k == 0)
      word = "there are 3 bilateral rows and 0 joints: in the two-block form every row belongs to a joint",
      bad.two_block.joints = 0;
    if (k == 1) word = "joint_start", start[0] = 1;
    if (k == 2) word = "joint_start", bad.bilateral++;
    if (k == 3) word = "joint 0 has 0 rows: 1 to 6 are possible", start[1] = 0;
    if (k == 4)
      word = "joint 1 touches bodies 10 and 7: joint_a is 0 to 9, joint_b may also be -1 (the world)",
      a[1] = bad.two_block.bodies;
    if (k == 5) word = "twice", b[0] = a[0];
    if (k == 6) word = "joint_a", bad.two_block.joint_a = NULL;
    if (k == 7) word = "joint_jacobian_a", bad.two_block.joint_jacobian_a = NULL;
    thud_assert_different(thud_contact_validate(context, &bad, NULL), THUD_OK);
    thud_test_message_has(context, word, NULL);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static thud_error convert(thud_context *context, void *user) {
  const thud_contact_problem *problem = user;
  thud_owned_problem *local = NULL, *global = NULL;
  thud_error error = thud_contact_to_local(context, problem, THUD_MATRIX_NONE, &local);
  if (error == THUD_OK) error = thud_contact_to_global(context, problem, &global);
  thud_owned_problem_destroy(local);
  thud_owned_problem_destroy(global);
  return error;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make(context, 3, 3, true, 400);
  thud_test_sweep_allocations(convert, (void *)made.problem);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_agree),
      cmocka_unit_test(sweeps_solve_joints),
      cmocka_unit_test(joints_alone_project_the_velocity),
      cmocka_unit_test(wrong_joints_are_refused),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
