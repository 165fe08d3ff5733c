/* Systems in the space of bodies: against a full W; the interior point method there; impulses of what rests. */
#include "failing_allocator.h"
#include "random_matrices.h"
#include "random_problems.h"
#include "solve/body_space.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>

/* ---- the system --------------------------------------------------------------------------------------------------- */

/* dx + K S W S dx - g, largest entry, with the full W of the local form. */
static double defect_of(const thud_contact_problem *local, const double *scale, const double *K, const double *g,
                        const double *dx) {
  size_t d = (size_t)local->dimension, size = thud_contact_size(local);
  double *x = thud_test_doubles(size), *u = thud_test_doubles(size), largest = 0;
  for (size_t i = 0; i < size; i++) x[i] = scale[i] * dx[i];
  thud_matrix_multiply_vector(NULL, &local->W, false, 1, x, 0, u);
  for (size_t i = 0; i < size; i++) {
    double sum = dx[i] - g[i];
    for (size_t j = 0; j < d; j++) {
      size_t k = i / d * d + j;
      sum += K[(i / d * d + j) * d + i % d] * scale[k] * u[k];
    }
    largest = fmax(largest, fabs(sum));
  }
  free(x);
  free(u);
  return largest;
}

static void check_system(thud_context *context, thud_random *random, const thud_contact_problem *problem,
                         bool symmetric) {
  size_t d = (size_t)problem->dimension, size = thud_contact_size(problem);
  double *scale = thud_test_doubles(size), *K = thud_test_doubles(size * d), *g = thud_test_doubles(size),
         *dx = thud_test_doubles(size);
  thud_owned_problem *local = NULL;
  thud_body_space *space = NULL;
  bool fits = false;
  assert_int_equal(thud_contact_to_local(context, problem, THUD_MATRIX_DENSE, &local), THUD_OK);
  for (size_t i = 0; i < size; i++) scale[i] = exp(thud_random_uniform(random, -1, 1));
  thud_test_random_vector(random, size, g);
  for (size_t k = 0; k < size / d; k++)
    for (size_t i = 0; i < d; i++)
      for (size_t j = 0; j < d; j++)
        K[(k * d + j) * d + i] = i == j ? 2 : symmetric ? 0.1 : 0.3 * thud_random_normal(random);
  assert_int_equal(thud_body_space_create(context, problem, &space), THUD_OK);
  assert_int_equal(thud_body_space_update(space, problem, scale, &fits), THUD_OK);
  assert_true(fits);
  assert_true(thud_body_space_factorize(space, K, symmetric));
  thud_body_space_solve(space, g, dx);
  double bound = 1e-10 * (1 + thud_test_max(size, dx));
  thud_assert_less(defect_of(thud_owned_problem_view(local), scale, K, g, dx), bound);
  thud_body_space_destroy(space);
  thud_owned_problem_destroy(local);
  free(scale);
  free(K);
  free(g);
  free(dx);
}

static void solutions_are_those_with_a_full_W(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  for (int which = 0; which < THUD_TEST_DIMENSIONS; which++)
    for (thud_index block = 1; block <= 6; block++)
      for (int symmetric = 0; symmetric < 2; symmetric++) {
        thud_test_shape shape = thud_test_shape_of(thud_test_dimensions[which] % 100, 30);
        if (thud_test_dimensions[which] == THUD_TEST_PLANE_ROLLING) shape.friction = THUD_FRICTION_PLANE_ROLLING;
        thud_test_problem made;
        shape.block = block;
        shape.bodies = 12;
        assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
        check_system(context, &random, made.problem, symmetric == 1);
        thud_test_problem_destroy(&made);
      }
  thud_test_context_end(context);
}

/* ---- the method ---------------------------------------------------------------------------------------------------- */

typedef struct answer {
  double *r;
  thud_solver_info info;
} answer;

static answer solve_by(thud_context *context, const char *name, const thud_contact_problem *problem, double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  thud_solver *solver = NULL;
  answer made = {.r = thud_test_doubles(thud_contact_size(problem))};
  options.tolerance = tolerance;
  options.max_iterations = 1000;
  const thud_solver_method *method = thud_solver_method_find(name);
  assert_int_equal(thud_solver_create(context, method, problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, made.r, NULL, NULL, NULL, &made.info), THUD_OK);
  thud_solver_destroy(solver);
  return made;
}

static answer solve(thud_context *context, const thud_contact_problem *problem, double tolerance) {
  return solve_by(context, "interior-point", problem, tolerance);
}

static void piles_are_solved_in_their_own_form(void **state) {
  (void)state;
  static const char *const names[] = {"interior-point", "newton", "fischer-burmeister", "auto"};
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  for (int k = 0; k < 4; k++) {
    thud_test_pile pile = {
        .nx = 4, .ny = 4, .nz = 3 + k, .dimension = 3, .mu = 0.2 + 0.1 * k, .mass_ratio = 1, .noise = 0.02};
    thud_test_problem made;
    thud_contact_residual residual;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
      answer a = solve_by(context, names[m], made.problem, 1e-8);
      assert_int_equal(a.info.form, THUD_FORM_TWO_BLOCK);
      assert_int_equal(thud_contact_evaluate(context, made.problem, a.r, NULL, NULL, NULL, &residual), THUD_OK);
      thud_assert_at_most(residual.residual, 1e-8);
      free(a.r);
    }
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* Takes impulses from the third time on that it is asked. */
static bool take_third(void *user, const double *r) {
  (void)r;
  return ++*(int *)user >= 3;
}

/* A judge ends a solve near the tolerance, with the impulses that it has seen; far from it nobody asks. */
static void a_judge_ends_a_solve(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  thud_test_pile pile = {.nx = 4, .ny = 4, .nz = 5, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.02};
  thud_test_problem made;
  thud_solver *solver = NULL;
  thud_solver_info info;
  thud_solver_options options = thud_solver_options_default();
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  double *r = thud_test_doubles(thud_contact_size(made.problem));
  int asked = 0;
  options.tolerance = 1e-5;
  options.check_every = 1;
  const thud_solver_method *method = thud_solver_method_find("gauss-seidel");
  assert_int_equal(thud_solver_create(context, method, made.problem, &options, &solver), THUD_OK);
  thud_solver_set_judge(solver, take_third, &asked);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVED);
  thud_assert_greater(asked, 2);
  thud_assert_greater(info.residual.residual, 1e-5);
  thud_assert_at_most(info.residual.residual, 5e-5);
  thud_solver_destroy(solver);
  free(r);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* A pyramid at rest: no contact is at the edge of its cone, and the answer is better than asked for. */
static void what_rests_is_held_from_inside(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(9);
  thud_test_pile pile = {.nx = 8, .dimension = 3, .mu = 0.5};
  thud_test_problem made;
  assert_int_equal(thud_test_pyramid_of_boxes(context, &random, &pile, &made), THUD_OK);
  answer a = solve(context, made.problem, 1e-4);
  assert_int_equal(a.info.status, THUD_SOLVED);
  thud_assert_less(a.info.residual.residual, 1e-6);
  for (size_t k = 0; k < (size_t)made.problem->contacts; k++) {
    const double *r = a.r + 3 * k;
    thud_assert_greater(r[0], 0);
    thud_assert_less(hypot(r[1], r[2]), 0.98 * made.problem->mu[k] * r[0]);
  }
  free(a.r);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static thud_error solve_pyramid(thud_context *context, void *user) {
  const thud_contact_problem *problem = user;
  thud_solver *solver = NULL;
  double *r = calloc(thud_contact_size(problem), sizeof *r);
  assert_non_null(r);
  const thud_solver_method *method = thud_solver_method_find("interior-point");
  thud_error error = thud_solver_create(context, method, problem, NULL, &solver);
  if (error == THUD_OK) error = thud_solver_solve(solver, r, NULL, NULL, NULL, NULL);
  thud_solver_destroy(solver);
  free(r);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(9);
  thud_test_pile pile = {.nx = 4, .dimension = 3, .mu = 0.5};
  thud_test_problem made;
  assert_int_equal(thud_test_pyramid_of_boxes(context, &random, &pile, &made), THUD_OK);
  thud_assert_at_least((double)thud_test_sweep_allocations(solve_pyramid, (void *)(uintptr_t)made.problem), 30);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_those_with_a_full_W), cmocka_unit_test(piles_are_solved_in_their_own_form),
      cmocka_unit_test(a_judge_ends_a_solve), cmocka_unit_test(what_rests_is_held_from_inside),
      cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
