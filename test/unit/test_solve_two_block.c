/* Two-block problems without W: products body by body against the assembled W, the same bits on any number of threads,
 * methods that see the two-block form against their answers on the local one, cold starts on piles. */
#include "failing_allocator.h"
#include "random_joints.h"
#include "random_matrices.h"
#include "random_problems.h"
#include "solve/momentum.h"
#include "solve/scaled_form.h"
#include "testing.h"
#include "thud/solve.h"

#include <stdlib.h>
#include <string.h>

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* A random problem with joints; body 0 never moves when `fixed`. */
static thud_test_problem make_problem(thud_context *context, thud_random *random, thud_index dimension,
                                      thud_index joints, bool fixed) {
  thud_test_shape shape = thud_test_shape_of(dimension, 9);
  thud_test_problem made;
  shape.bodies = 7;
  if (joints > 0)
    assert_int_equal(thud_test_random_joints(context, random, &shape, joints, false, &made), THUD_OK);
  else
    assert_int_equal(thud_test_random_two_block(context, random, &shape, &made), THUD_OK);
  size_t block = (size_t)made.problem->two_block.block;
  if (fixed) memset((double *)made.problem->two_block.inverse_mass, 0, block * block * sizeof(double));
  return made;
}

/* y = A x of the local form, A = [W V; V' R]. */
static void multiply_local(thud_context *context, const thud_contact_problem *local, const double *x, double *y) {
  size_t size = thud_contact_size(local);
  thud_matrix_multiply_vector(context, &local->W, false, 1, x, 0, y);
  if (local->bilateral == 0) return;
  thud_matrix_multiply_vector(context, &local->V, false, 1, x + size, 1, y);
  thud_matrix_multiply_vector(context, &local->V, true, 1, x, 0, y + size);
  thud_matrix_multiply_vector(context, &local->R, false, 1, x + size, 1, y + size);
}

/* Every column of A, its diagonal and blocks, and the velocities without impulses. */
static void check_product(thud_context *context, const thud_contact_problem *problem) {
  thud_owned_problem *owned;
  assert_int_equal(thud_contact_to_local(context, problem, THUD_MATRIX_DENSE, &owned), THUD_OK);
  const thud_contact_problem *local = thud_owned_problem_view(owned);
  size_t size = thud_contact_size(problem), rows = (size_t)problem->bilateral, total = size + rows;
  size_t d = (size_t)problem->dimension;
  thud_two_block_product *product;
  assert_int_equal(thud_two_block_product_create(context, problem, &product), THUD_OK);
  thud_two_block_product_update(product, problem);
  double *x = thud_test_doubles(total), *y = thud_test_doubles(total), *expected = thud_test_doubles(total);
  double *diagonal = thud_test_doubles(total), *blocks = thud_test_doubles(size * d), *q = thud_test_doubles(total);
  thud_two_block_product_diagonal(product, diagonal);
  thud_two_block_product_blocks(product, blocks);
  thud_two_block_product_free_velocity(product, q);
  for (size_t j = 0; j < total; j++) {
    memset(x, 0, total * sizeof *x);
    x[j] = 1;
    multiply_local(context, local, x, expected);
    thud_two_block_product_apply(product, x, y);
    double scale = 1e-13 * (1 + thud_test_max(total, expected));
    for (size_t i = 0; i < total; i++) thud_assert_near(y[i], expected[i], scale);
    thud_assert_near(diagonal[j], expected[j], scale);
    for (size_t i = 0; j < size && i < d; i++) thud_assert_near(blocks[j * d + i], expected[j / d * d + i], scale);
    double free = j < size ? local->q[j] : local->s[j - size];
    thud_assert_near(q[j], free, 1e-13 * (1 + fabs(free)));
  }
  double *const arrays[] = {x, y, expected, diagonal, blocks, q};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  thud_two_block_product_destroy(product);
  thud_owned_problem_destroy(owned);
}

static void products_are_those_of_the_assembled_matrix(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(31);
  for (size_t k = 0; k < THUD_TEST_DIMENSIONS; k++)
    for (thud_index joints = 0; joints <= 4; joints += 2)
      for (int fixed = 0; fixed < 2; fixed++) {
        thud_test_problem made = make_problem(context, &random, thud_test_dimensions[k], joints, fixed != 0);
        check_product(context, made.problem);
        thud_test_problem_destroy(&made);
      }
  thud_test_context_end(context);
}

/* Units and residual of the two-block form are those of its local form: numbers, not bits. */
static void scaled_form_is_that_of_the_local_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(32);
  for (size_t k = 0; k < THUD_TEST_DIMENSIONS; k++) {
    thud_test_problem made = make_problem(context, &random, thud_test_dimensions[k], 2, false);
    thud_owned_problem *owned;
    assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_BLOCKS, &owned), THUD_OK);
    const thud_contact_problem *const both[] = {made.problem, thud_owned_problem_view(owned)};
    thud_scaled_form form[2];
    size_t total = thud_contact_size(made.problem) + (size_t)made.problem->bilateral;
    double *x = thud_test_doubles(total), *u = thud_test_doubles(2 * total), residual[2];
    thud_test_random_vector(&random, total, x);
    for (int side = 0; side < 2; side++) {
      assert_int_equal(thud_scaled_form_create(context, both[side], &form[side]), THUD_OK);
      assert_int_equal(thud_scaled_form_update(&form[side], both[side]), THUD_OK);
      thud_scaled_form_velocity(&form[side], x, u + (size_t)side * total);
      residual[side] = thud_scaled_form_residual(&form[side], x, u + (size_t)side * total);
    }
    for (size_t i = 0; i < total; i++) thud_assert_near(form[0].scale[i], form[1].scale[i], 1e-12 * form[1].scale[i]);
    thud_assert_at_most(thud_test_max_difference(total, u, u + total), 1e-11 * (1 + thud_test_max(total, u)));
    thud_assert_near(residual[0], residual[1], 1e-11 * residual[1]);
    for (int side = 0; side < 2; side++) thud_scaled_form_destroy(&form[side]);
    free(x);
    free(u);
    thud_owned_problem_destroy(owned);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static thud_test_problem make_cube(thud_context *context, thud_index side) {
  thud_random random = thud_random_seed(7);
  const thud_test_pile pile = {
      .nx = side, .ny = side, .nz = side, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.02};
  thud_test_problem made;
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  return made;
}

/* A cube of 12^3 spheres: 4 tasks of bodies, 5 of contacts. */
static void bits_do_not_depend_on_threads(void **state) {
  (void)state;
  static const int threads[] = {1, 2, 4, 8};
  static const char *const names[] = {"accelerated", "extragradient", "admm", "anderson", "newton-krylov"};
  for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
    double *r[2] = {NULL, NULL};
    for (size_t k = 0; k < 4; k++) {
      thud_context *context = thud_test_context(threads[k]);
      thud_test_problem made = make_cube(context, 12);
      size_t size = thud_contact_size(made.problem);
      thud_solver_options options = thud_solver_options_default();
      thud_solver *solver;
      thud_solver_info info;
      options.max_iterations = THUD_UNDER_SANITIZER ? 4 : 25;
      assert_int_equal(thud_solver_create(context, thud_solver_method_find(names[m]), made.problem, &options, &solver),
                       THUD_OK);
      r[k > 0] = thud_test_doubles(size);
      assert_int_equal(thud_solver_solve(solver, r[k > 0], NULL, NULL, NULL, &info), THUD_OK);
      thud_assert_greater(thud_test_max(size, r[k > 0]), 0);
      if (k > 0) {
        assert_memory_equal(r[0], r[1], size * sizeof(double));
        free(r[1]);
      }
      thud_solver_destroy(solver);
      thud_test_problem_destroy(&made);
      thud_test_context_end(context);
    }
    free(r[0]);
  }
}

static thud_error make_and_update(thud_context *context, void *user) {
  thud_scaled_form form;
  thud_error error = thud_scaled_form_create(context, user, &form);
  if (error != THUD_OK) return error;
  error = thud_scaled_form_update(&form, user);
  thud_scaled_form_destroy(&form);
  return error;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(33);
  thud_test_problem made = make_problem(context, &random, 3, 2, false);
  thud_contact_problem problem = *made.problem;
  thud_assert_at_least(thud_test_sweep_allocations(make_and_update, &problem), 13);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- answers ------------------------------------------------------------------------------------------------------ */

/* Solves from zero and gives the velocities; fails unless it is solved. */
static thud_solver_info solve_cold(thud_context *context, const char *name, const thud_contact_problem *problem,
                                   double tolerance, double *u) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  thud_solver *solver;
  thud_solver_info info;
  double *r = thud_test_doubles(thud_contact_size(problem)), *l = thud_test_doubles((size_t)problem->bilateral + 1);
  assert_int_equal(thud_solver_create(context, thud_solver_method_find(name), problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, u, NULL, l, &info), THUD_OK);
  if (info.status != THUD_SOLVED)
    fail_msg("%s on %s: residual %g after %d iterations", name, thud_contact_kind_name(problem), info.residual.residual,
             info.iterations);
  thud_solver_destroy(solver);
  free(r);
  free(l);
  return info;
}

/* Without friction W SPD has one solution, and velocities are within a few tolerances of each other. */
static void answers_are_those_of_the_local_form(void **state) {
  (void)state;
  static const char *const names[] = {"accelerated", "extragradient", "admm", "anderson", "newton-krylov"};
  thud_context *context = thud_test_context(1);
  for (size_t m = 0; m < sizeof names / sizeof *names; m++)
    for (size_t k = 0; k < THUD_TEST_DIMENSIONS; k++) {
      thud_random random = thud_random_seed(34 + k);
      thud_test_shape shape = thud_test_shape_of(thud_test_dimensions[k], 8);
      thud_test_problem made;
      shape.frictionless = true;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      thud_owned_problem *owned;
      assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_NONE, &owned), THUD_OK);
      size_t size = thud_contact_size(made.problem);
      double *u = thud_test_doubles(2 * size);
      thud_solver_info info = solve_cold(context, names[m], made.problem, 1e-10, u);
      solve_cold(context, names[m], thud_owned_problem_view(owned), 1e-10, u + size);
      thud_assert_at_most(thud_test_max_difference(size, u, u + size), 1e-6 * info.residual.scale);
      free(u);
      thud_owned_problem_destroy(owned);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* More unknowns than admm factorises, joints among them: conjugate gradients reach the accuracy of the others. */
static void large_problems_are_solved_without_a_factor(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(35);
  thud_test_shape shape = thud_test_shape_of(3, THUD_UNDER_SANITIZER ? 1001 : 1100);
  thud_test_problem made;
  assert_int_equal(thud_test_random_joints(context, &random, &shape, 20, false, &made), THUD_OK);
  double *u = thud_test_doubles(thud_contact_size(made.problem));
  thud_assert_greater(thud_contact_size(made.problem), 3000);
  solve_cold(context, "admm", made.problem, 1e-6, u);
  free(u);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* The cube of bench/large.c: with undamped momentum, or with the shift by fixed point, it takes thousands of steps. */
static void cold_starts_on_cubes_end(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make_cube(context, THUD_UNDER_SANITIZER ? 5 : 10);
  double *u = thud_test_doubles(thud_contact_size(made.problem));
  thud_assert_at_most(solve_cold(context, "accelerated", made.problem, 1e-4, u).iterations, 600);
  thud_assert_at_most(solve_cold(context, "anderson", made.problem, 1e-4, u).iterations, 500);
  solve_cold(context, "newton-krylov", made.problem, 1e-4, u);
  free(u);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- momentum ----------------------------------------------------------------------------------------------------- */

/* Nesterov's sequence without events; t_2 = (1 + 5^(1/2))/2 by hand. */
static void momentum_is_nesterovs_until_it_is_damped(void **state) {
  (void)state;
  thud_momentum momentum = thud_momentum_begin(0.25);
  thud_assert_equal(thud_momentum_next(&momentum, true), 0);
  double golden = (1 + sqrt(5.0)) / 2;
  thud_assert_near(momentum.t, golden, 1e-15);
  thud_assert_near(thud_momentum_next(&momentum, true), (golden - 1) / momentum.t, 1e-15);
  for (int k = 0; k < 100; k++) thud_momentum_next(&momentum, true);
  thud_assert_greater(thud_momentum_next(&momentum, true), 0.9);
  assert_false(thud_momentum_look(&momentum, 10, 1));
  assert_true(thud_momentum_look(&momentum, 10, 2)); /* grown */
  thud_assert_equal(thud_momentum_next(&momentum, true), 0.75);
  thud_assert_greater(thud_momentum_next(&momentum, false), 0.9);
  thud_momentum_restart(&momentum);
  thud_assert_equal(thud_momentum_next(&momentum, true), 0);
}

static void damping_falls_with_the_residual_and_rises_without(void **state) {
  (void)state;
  thud_momentum momentum = thud_momentum_begin(0.25);
  double residual = 1;
  assert_false(thud_momentum_look(&momentum, 20, residual));
  assert_true(thud_momentum_look(&momentum, 20, residual *= 2));
  for (int k = 0; k < 9; k++) assert_false(thud_momentum_look(&momentum, 10, residual *= 0.9));
  thud_assert_equal(momentum.damping, 0.25);
  assert_false(thud_momentum_look(&momentum, 10, residual *= 0.9));
  thud_assert_near(momentum.damping, 0.2, 1e-15);
  for (int k = 0; k < 9; k++) assert_false(thud_momentum_look(&momentum, 10, residual));
  assert_true(thud_momentum_look(&momentum, 10, residual)); /* 100 steps without a fall */
  thud_assert_near(momentum.damping, 0.4, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_those_of_the_assembled_matrix),
      cmocka_unit_test(scaled_form_is_that_of_the_local_form),
      cmocka_unit_test(bits_do_not_depend_on_threads),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(answers_are_those_of_the_local_form),
      cmocka_unit_test(large_problems_are_solved_without_a_factor),
      cmocka_unit_test(cold_starts_on_cubes_end),
      cmocka_unit_test(momentum_is_nesterovs_until_it_is_damped),
      cmocka_unit_test(damping_falls_with_the_residual_and_rises_without),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
