/* Newton and the proximal point: the direction is Newton's, steps converge as they should, and problems with singular
 * W, which stop Gauss-Seidel, are solved. */
#include "solve/newton.h"
#include "random_matrices.h"
#include "random_problems.h"
#include "testing.h"
#include "linalg/sparse_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const thud_index dimensions[] = {1, 2, 3, 5};
static const char *const methods[] = {"newton", "fischer-burmeister", "proximal-point"};
enum { METHODS = sizeof methods / sizeof *methods };
enum { FUNCTIONS = 2 };

/* The functions that newton's steps are made for, with every line as exact as it can be. */
static thud_newton_function function_at(size_t k) {
  thud_newton_function function = k == 0 ? thud_newton_alart_curnier : thud_newton_fischer_burmeister;
  function.is_open = NULL;
  return function;
}

/* ---- the direction ---------------------------------------------------------------------------------------- */

/* Where F is differentiable, Newton's direction has d/dt |F|^2 = -2 |F|^2: only the exact one has it for any F. */
static void check_slope(thud_newton *newton, thud_random *random, int *smooth) {
  const double step = 1e-7;
  double *r = thud_test_doubles(newton->size + 1), *l = thud_test_doubles(newton->rows + 1);
  thud_test_random_vector(random, newton->size, r);
  thud_test_random_vector(random, newton->rows, l);
  double merit = thud_newton_evaluate(newton, r, l);
  if (thud_newton_direction(newton, 0, r)) {
    thud_assert_near(thud_newton_merit_along(newton, 0, r), merit, 1e-12 * merit);
    double forward = (thud_newton_merit_along(newton, step, r) - merit) / step;
    double backward = (merit - thud_newton_merit_along(newton, -step, r)) / step;
    if (fabs(forward - backward) <= 1e-3 * merit) { /* no kink between */
      thud_assert_at_most(fabs(0.5 * (forward + backward) + 2 * merit), 1e-3 * merit);
      (*smooth)++;
    }
  }
  free(r);
  free(l);
}

static void check_direction(thud_context *context, const thud_newton_function *function,
                            const thud_contact_problem *problem, thud_random *random, int *smooth) {
  thud_newton *newton;
  assert_int_equal(thud_newton_create(context, function, problem, &newton), THUD_OK);
  assert_int_equal(thud_newton_update(newton, problem), THUD_OK);
  for (int k = 0; k < 5; k++) check_slope(newton, random, smooth);
  thud_newton_scale_steps(newton, 30); /* other rho */
  check_slope(newton, random, smooth);
  newton->alpha = 0.1; /* with a proximal term */
  thud_test_random_vector(random, newton->size, newton->anchor);
  thud_test_random_vector(random, newton->rows, newton->anchor_l);
  check_slope(newton, random, smooth);
  thud_newton_destroy(newton);
}

static void direction_is_that_of_newton(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  for (size_t k = 0; k < FUNCTIONS * 4; k++) {
    const thud_newton_function function = function_at(k / 4);
    size_t d = k % 4;
    int smooth = 0;
    for (thud_index contacts = 1; contacts <= 15; contacts++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[d], contacts);
      shape.frictionless = contacts % 5 == 0;
      thud_test_problem made;
      assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
      check_direction(context, &function, made.problem, &random, &smooth);
      thud_test_problem_destroy(&made);
    }
    thud_assert_greater(smooth, 80); /* of 105 */
  }
  thud_test_context_end(context);
}

/* With bilateral rows; large ones the sparse system where there is a sparse LU. */
static void direction_is_that_of_newton_with_bilateral_rows(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  for (size_t k = 0; k < FUNCTIONS * 4; k++) {
    const thud_newton_function function = function_at(k / 4);
    size_t d = k % 4;
    int smooth = 0;
    for (thud_index contacts = 3; contacts <= 150; contacts = 3 * contacts + 1) {
      thud_test_shape shape = thud_test_shape_of(dimensions[d], contacts);
      thud_test_problem made;
      assert_int_equal(thud_test_flexible_global(context, &random, &shape, 12 + 8 * contacts, 4, 0, &made), THUD_OK);
      thud_owned_problem *local;
      assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_SPARSE, &local), THUD_OK);
      check_direction(context, &function, thud_owned_problem_view(local), &random, &smooth);
      thud_owned_problem_destroy(local);
      thud_test_problem_destroy(&made);
    }
    thud_assert_greater(smooth, 10); /* of 28 */
  }
  thud_test_context_end(context);
}

/* dr of the two-block form beside that of its local form, with a shift. */
static void compare_directions(thud_context *context, const thud_newton_function *function,
                               const thud_contact_problem *problem, thud_random *random) {
  thud_owned_problem *local;
  thud_newton *made[2];
  size_t size = thud_contact_size(problem);
  double *r = thud_test_doubles(size), largest = 0;
  assert_int_equal(thud_contact_to_local(context, problem, THUD_MATRIX_DENSE, &local), THUD_OK);
  const thud_contact_problem *forms[] = {problem, thud_owned_problem_view(local)};
  thud_test_random_vector(random, size, r);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(thud_newton_create(context, function, forms[k], &made[k]), THUD_OK);
    assert_int_equal(thud_newton_update(made[k], forms[k]), THUD_OK);
    thud_newton_evaluate(made[k], r, NULL);
    assert_true(thud_newton_direction(made[k], 1e-2, r));
  }
  assert_non_null(made[0]->space);
  for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(made[1]->dr[i]));
  thud_assert_greater(largest, 0);
  for (size_t i = 0; i < size; i++) {
    thud_assert_near(made[0]->u[i], made[1]->u[i], 1e-10);
    thud_assert_near(made[0]->dr[i], made[1]->dr[i], 1e-7 * largest);
  }
  for (int k = 0; k < 2; k++) thud_newton_destroy(made[k]);
  thud_owned_problem_destroy(local);
  free(r);
}

static void direction_in_the_space_of_bodies_is_the_same(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  for (size_t k = 0; k < FUNCTIONS * 4; k++) {
    const thud_newton_function function = function_at(k / 4);
    for (int seed = 0; seed < 3; seed++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[k % 4], 130);
      thud_test_problem made;
      shape.bodies = 40;
      shape.block = shape.dimension == 2 ? 3 : 6;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      compare_directions(context, &function, made.problem, &random);
      thud_test_problem_destroy(&made);
    }
  }
  thud_test_context_end(context);
}

static void direction_is_that_of_newton_on_sparse_systems(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (size_t k = 0; k < FUNCTIONS * 4; k++) {
    const thud_newton_function function = function_at(k / 4);
    size_t d = k % 4;
    int smooth = 0;
    thud_test_shape shape = thud_test_shape_of(dimensions[d], 800 / dimensions[d]);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, &made), THUD_OK);
    thud_newton *newton;
    assert_int_equal(thud_newton_create(context, &function, made.problem, &newton), THUD_OK);
    assert_int_equal(thud_newton_update(newton, made.problem), THUD_OK);
    assert_int_equal(newton->large, thud_sparse_lu_is_available());
    for (int trial = 0; trial < 10; trial++) check_slope(newton, &random, &smooth);
    assert_int_equal(newton->sparse, newton->large);
    thud_assert_at_least(smooth, 4);
    thud_newton_destroy(newton);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- solving ------------------------------------------------------------------------------------------------ */

typedef struct solution {
  double *r, *l;
  double residual; /* by the independent evaluation */
  thud_solver_info info;
} solution;

static solution solve(thud_context *context, const char *name, const thud_contact_problem *problem, double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_iterations = 2000;
  solution s = {.r = thud_test_doubles(thud_contact_size(problem) + 1),
                .l = thud_test_doubles((size_t)problem->bilateral + 1)};
  thud_solver *solver;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find(name), problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, s.r, NULL, NULL, s.l, &s.info), THUD_OK);
  thud_solver_destroy(solver);
  thud_contact_residual residual;
  assert_int_equal(
      thud_contact_evaluate(context, problem, s.r, NULL, problem->bilateral > 0 ? s.l : NULL, NULL, &residual),
      THUD_OK);
  s.residual = residual.residual;
  return s;
}

static void solution_free(solution *s) {
  free(s->r);
  free(s->l);
}

static void check_solved(thud_context *context, const thud_contact_problem *problem, double tolerance,
                         const char *what) {
  for (size_t m = 0; m < METHODS; m++) {
    solution s = solve(context, methods[m], problem, tolerance);
    if (s.info.status != THUD_SOLVED || !(s.residual <= tolerance))
      fail_msg("%s, %s: residual %g after %d steps", methods[m], what, s.residual, s.info.iterations);
    solution_free(&s);
  }
}

/* The shift falls with full steps: superlinear convergence, a handful of steps from any start. */
static void regular_problems_take_few_steps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(4);
  for (size_t d = 0; d < 4; d++)
    for (int trial = 0; trial < 25; trial++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[d], 30);
      thud_test_problem made;
      assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, &made), THUD_OK);
      solution s = solve(context, "newton", made.problem, 1e-11);
      assert_int_equal(s.info.status, THUD_SOLVED);
      thud_assert_at_most(s.residual, 1e-11);
      thud_assert_at_most(s.info.iterations, 60);
      solution_free(&s);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* Random Jacobians and friction up to 1 give problems without any good property: in trials with other seeds 1 in 5000
 * is left unsolved, and says so. */
static void random_problems_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (size_t d = 0; d < 4; d++) {
    int unsolved[METHODS] = {0};
    for (int trial = 0; trial < 500; trial++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[d], 1 + trial % 12);
      if (trial % 3 == 0) shape.bodies = shape.bodies / 2 + 1; /* W of lower rank */
      thud_test_problem made;
      assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
      for (size_t m = 0; m < METHODS; m++) {
        solution s = solve(context, methods[m], made.problem, 1e-8);
        assert_int_equal(s.info.status == THUD_SOLVED, s.residual <= 1e-8);
        unsolved[m] += s.info.status != THUD_SOLVED;
        solution_free(&s);
      }
      thud_test_problem_destroy(&made);
    }
    thud_assert_at_most(unsolved[0], 1);
    thud_assert_at_most(unsolved[1], 2);
    thud_assert_at_most(unsolved[2], 2);
  }
  thud_test_context_end(context);
}

static void solutions_of_p_matrix_problems_are_the_known_ones(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  for (int trial = 0; trial < 200; trial++) {
    thud_test_problem made;
    thud_index n = 1 + trial % 25;
    assert_int_equal(thud_test_lcp_p_matrix(context, &random, n, &made), THUD_OK);
    for (size_t m = 0; m < METHODS; m++) {
      solution s = solve(context, methods[m], made.problem, 1e-12);
      assert_int_equal(s.info.status, THUD_SOLVED);
      thud_assert_at_most(thud_test_max_difference((size_t)n, s.r, made.r),
                          1e-8 * (1 + thud_test_max((size_t)n, made.r)));
      solution_free(&s);
    }
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* Boxes on four points each: W has half the rank of its size, forces are indeterminate, Gauss-Seidel stalls. */
static void stacks_of_boxes_with_indeterminate_forces_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double mu[] = {0.1, 0.3, 1};
  for (size_t k = 0; k < 3; k++) {
    thud_random random = thud_random_seed(5);
    thud_test_pile pile = {.nz = 8, .dimension = 3, .mu = mu[k], .mass_ratio = 10, .noise = 0.05};
    thud_test_problem made;
    assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
    check_solved(context, made.problem, 1e-8, "stack of boxes");
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void piles_of_spheres_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index dimension = 1; dimension <= 5; dimension += 2) {
    thud_random random = thud_random_seed(7);
    thud_test_pile pile = {.nx = 4,
                           .ny = 4,
                           .nz = 4,
                           .dimension = dimension,
                           .mu = 0.3,
                           .mu_rolling = 0.02,
                           .mass_ratio = 1,
                           .noise = 0.05};
    thud_test_problem made;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    check_solved(context, made.problem, 1e-8, "pile of spheres");
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void bilateral_rows_alone_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double R[4] = {2, 1, 1, 1}, s[2] = {1, -3};
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                  .dimension = 3,
                                  .bilateral = 2,
                                  .W = {.storage = THUD_MATRIX_DENSE},
                                  .V = {.storage = THUD_MATRIX_DENSE, .columns = 2},
                                  .R = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = R},
                                  .s = s};
  for (size_t m = 0; m < METHODS; m++) {
    solution found = solve(context, methods[m], &problem, 1e-12);
    assert_int_equal(found.info.status, THUD_SOLVED);
    thud_assert_at_most(fabs(found.l[0] + 4), 1e-10);
    thud_assert_near(found.l[1], 7, 1e-10);
    solution_free(&found);
  }
  thud_test_context_end(context);
}

/* ---- what cannot be done ---------------------------------------------------------------------------------------- */

static void problems_without_solution_end_unsolved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  thud_test_problem made;
  assert_int_equal(thud_test_lcp_infeasible(context, &random, 6, &made), THUD_OK);
  for (size_t m = 0; m < METHODS; m++) {
    solution s = solve(context, methods[m], made.problem, 1e-8);
    assert_int_not_equal(s.info.status, THUD_SOLVED);
    assert_true(isfinite(s.residual));
    thud_assert_greater(s.residual, 1e-8);
    solution_free(&s);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void problems_beyond_the_limit_are_not_taken(void **state) {
  (void)state;
  thud_index limit = thud_sparse_lu_is_available() ? THUD_NEWTON_SPARSE_MAX : THUD_NEWTON_DENSE_MAX;
  for (size_t m = 0; m < METHODS; m++) {
    const thud_solver_method *method = thud_solver_method_find(methods[m]);
    thud_contact_problem problem = {.form = THUD_FORM_LOCAL, .dimension = 2, .contacts = limit / 2};
    assert_true(thud_solver_method_takes(method, &problem));
    problem.bilateral = 1;
    assert_false(thud_solver_method_takes(method, &problem));
  }
}

static void a_second_solve_gives_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  thud_test_pile pile = {.nz = 3, .dimension = 3, .mu = 1, .mass_ratio = 100, .noise = 0.05};
  thud_test_problem made;
  assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  for (size_t m = 0; m < METHODS; m++) {
    thud_solver *solver;
    thud_solver_options options = thud_solver_options_default();
    double *r = thud_test_doubles(size), *again = thud_test_doubles(size);
    options.max_iterations = 40; /* long enough for changes of rho */
    assert_int_equal(thud_solver_create(context, thud_solver_method_find(methods[m]), made.problem, &options, &solver),
                     THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, NULL), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, again, NULL, NULL, NULL, NULL), THUD_OK);
    assert_memory_equal(r, again, size * sizeof(double));
    thud_solver_destroy(solver);
    free(r);
    free(again);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* A figure that halves is left alone; one that does not for 15 steps multiplies rho by 10, and after 10^4 rho begins
 * anew. */
static void figures_that_do_not_fall_change_the_steps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {2}, q[1] = {-1};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL);
  thud_newton *newton = NULL;
  thud_newton_search search;
  assert_int_equal(thud_newton_create(context, &thud_newton_alart_curnier, &problem, &newton), THUD_OK);
  assert_int_equal(thud_newton_update(newton, &problem), THUD_OK);
  thud_newton_search_begin(&search);
  double figure = 1;
  for (int k = 0; k < 100; k++, figure *= 0.49) assert_false(thud_newton_search_watch(newton, &search, figure));
  thud_assert_equal(search.rho, 1);
  const double expected[] = {10, 100, 1000, 1e4, 1, 10};
  for (size_t change = 0; change < sizeof expected / sizeof *expected; change++) {
    for (int k = 1; k < 15; k++) assert_false(thud_newton_search_watch(newton, &search, 1));
    assert_true(thud_newton_search_watch(newton, &search, 1));
    thud_assert_equal(search.rho, expected[change]);
  }
  thud_newton_search_end(newton, &search);
  thud_assert_equal(search.rho, 1);
  thud_newton_destroy(newton);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direction_is_that_of_newton),
      cmocka_unit_test(direction_is_that_of_newton_with_bilateral_rows),
      cmocka_unit_test(direction_in_the_space_of_bodies_is_the_same),
      cmocka_unit_test(direction_is_that_of_newton_on_sparse_systems),
      cmocka_unit_test(figures_that_do_not_fall_change_the_steps),
      cmocka_unit_test(regular_problems_take_few_steps),
      cmocka_unit_test(random_problems_are_solved),
      cmocka_unit_test(solutions_of_p_matrix_problems_are_the_known_ones),
      cmocka_unit_test(stacks_of_boxes_with_indeterminate_forces_are_solved),
      cmocka_unit_test(piles_of_spheres_are_solved),
      cmocka_unit_test(bilateral_rows_alone_are_solved),
      cmocka_unit_test(problems_without_solution_end_unsolved),
      cmocka_unit_test(problems_beyond_the_limit_are_not_taken),
      cmocka_unit_test(a_second_solve_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
