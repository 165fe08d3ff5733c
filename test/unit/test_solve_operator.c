/* W known by its products only. */
#include "failing_allocator.h"
#include "random_matrices.h"
#include "contact/evaluator.h"
#include "random_problems.h"
#include "testing.h"
#include "thud/solve.h"
#include "thud/uniqueness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The operator of a problem's own W. */
typedef struct known {
  thud_context *context;
  const thud_matrix *W;
  size_t products;
} known;

static void apply(void *user, const double *x, double *y) {
  known *self = user;
  self->products++;
  thud_matrix_multiply_vector(self->context, self->W, false, 1, x, 0, y);
}

/* The same problem with W (dense) as an operator; diagonal[size*d] receives its blocks. */
static thud_contact_problem as_operator(const thud_contact_problem *problem, known *self, double *diagonal) {
  thud_contact_problem made = *problem;
  size_t d = (size_t)problem->dimension, size = thud_contact_size(problem);
  for (size_t j = 0; j < size; j++)
    for (size_t i = 0; i < d; i++) diagonal[j * d + i] = problem->W.dense[j * size + j / d * d + i];
  made.W = (thud_matrix){.storage = THUD_MATRIX_OPERATOR, .rows = (thud_index)size, .columns = (thud_index)size};
  made.W.products = (thud_operator){apply, self, problem->dimension, diagonal};
  return made;
}

static const char *const methods[] = {"projected-gradient", "accelerated", "extragradient"};

/* Iterates with an operator and with entries differ by rounding: the scaled W is formed in one case only. */
static void iterates_are_those_of_the_matrix(void **state) {
  (void)state;
  static const thud_index dimensions[] = {1, 2, 3, 5};
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 0; seed < 12; seed++)
    for (size_t m = 0; m < 3; m++) {
      thud_random random = thud_random_seed(seed);
      thud_test_shape shape = thud_test_shape_of(dimensions[seed % 4], 9);
      thud_test_problem made;
      assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
      size_t size = thud_contact_size(made.problem);
      double *r = thud_test_doubles(2 * size), *diagonal = thud_test_doubles(size * 6), largest = 0;
      known self = {context, &made.problem->W, 0};
      thud_contact_problem problem = as_operator(made.problem, &self, diagonal);
      const thud_contact_problem *const both[] = {made.problem, &problem};
      thud_solver_options options = thud_solver_options_default();
      options.tolerance = 1e-14;
      options.max_iterations = 15;
      for (int k = 0; k < 2; k++) {
        thud_solver *solver;
        assert_int_equal(thud_solver_create(context, thud_solver_method_find(methods[m]), both[k], &options, &solver),
                         THUD_OK);
        assert_int_equal(thud_solver_solve(solver, r + (size_t)k * size, NULL, NULL, NULL, NULL), THUD_OK);
        thud_solver_destroy(solver);
      }
      thud_assert_greater(self.products, 15);
      for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(r[i]));
      for (size_t i = 0; i < size; i++) thud_assert_near(r[i], r[size + i], 1e-10 * largest);
      free(r);
      free(diagonal);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

static void residual_and_methods_that_take_it(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  thud_test_shape shape = thud_test_shape_of(3, 6);
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  double *r = thud_test_doubles(size), *diagonal = thud_test_doubles(size * 3);
  known self = {context, &made.problem->W, 0};
  thud_contact_problem problem = as_operator(made.problem, &self, diagonal);
  thud_contact_residual a, b;
  thud_contact_diagnosis diagnosis;
  for (size_t i = 0; i < size; i++) r[i] = thud_random_normal(&random);
  assert_int_equal(thud_contact_validate(context, &problem, &diagnosis), THUD_OK);
  assert_int_equal(thud_contact_evaluate(context, made.problem, r, NULL, NULL, NULL, &a), THUD_OK);
  assert_int_equal(thud_contact_evaluate(context, &problem, r, NULL, NULL, NULL, &b), THUD_OK);
  thud_assert_near(a.residual, b.residual, 1e-13 * a.residual);
  for (size_t m = 0; m < thud_solver_method_count(); m++) {
    const thud_solver_method *method = thud_solver_method_at(m);
    bool products = (thud_solver_method_accepts(method) & THUD_ACCEPTS_OPERATOR) != 0;
    thud_solver_options options = thud_solver_options_default();
    thud_solver *solver = NULL;
    thud_solver_info info;
    options.tolerance = 1e-7;
    thud_error error = thud_solver_create(context, method, &problem, &options, &solver);
    assert_int_equal(error, products ? THUD_OK : THUD_ERROR_UNSUPPORTED);
    if (!products) {
      thud_test_message_has(context, thud_solver_method_name(method), "operator", "extragradient", NULL);
      continue;
    }
    memset(r, 0, size * sizeof *r);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    assert_int_equal(thud_contact_evaluate(context, made.problem, r, NULL, NULL, NULL, &a), THUD_OK);
    thud_assert_at_most(a.residual, 2e-7);
    uint64_t before = thud_context_allocation_count(context);
    assert_int_equal(thud_solver_update(solver, &problem), THUD_OK);
    assert_int_equal(thud_context_allocation_count(context), before);
    thud_solver_destroy(solver);
  }
  free(r);
  free(diagonal);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static int count_solution(void *user, const thud_solution *solution) {
  (void)user;
  (void)solution;
  return 0;
}

static void what_needs_entries_refuses(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  thud_test_shape shape = thud_test_shape_of(2, 3);
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem), count = 0;
  double *diagonal = thud_test_doubles(size * 2);
  known self = {context, &made.problem->W, 0};
  thud_contact_problem problem = as_operator(made.problem, &self, diagonal), bad;
  thud_owned_problem *copy = NULL;
  thud_force_set *set = NULL;
  assert_int_equal(thud_contact_copy(context, &problem, &copy), THUD_ERROR_UNSUPPORTED);
  assert_int_equal(thud_contact_to_local(context, &problem, THUD_MATRIX_DENSE, &copy), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context, "the matrix is an operator: its entries are needed here", NULL);
  assert_int_equal(thud_contact_enumerate(context, &problem, 1e-9, count_solution, NULL, &count),
                   THUD_ERROR_UNSUPPORTED);
  assert_int_equal(thud_force_set_create(context, &problem, made.r, made.u, NULL, &set), THUD_ERROR_UNSUPPORTED);
  assert_null(copy);
  assert_null(set);
  bad = problem;
  bad.W.products.apply = NULL;
  assert_int_equal(thud_contact_validate(context, &bad, NULL), THUD_ERROR_ARGUMENT);
  bad = problem;
  bad.W.products.block = 3;
  assert_int_equal(thud_contact_validate(context, &bad, NULL), THUD_ERROR_DIMENSION);
  bad = problem;
  diagonal[0] = NAN;
  assert_int_equal(thud_contact_validate(context, &bad, NULL), THUD_ERROR_NOT_FINITE);
  free(diagonal);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- global problems that are not of bodies ------------------------------------------------------------------------ */

/* W by its products is W: y = W x and the blocks of the contacts, against the W that is formed; symmetric and
 * gyroscopic M. */
static void products_of_a_global_problem_are_those_of_its_matrix(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(53);
  for (int instance = 0; instance < 6; instance++) {
    thud_test_shape shape = thud_test_shape_of(1 + instance % 3, 20);
    thud_test_problem made;
    assert_int_equal(
        thud_test_flexible_global(context, &random, &shape, 90, instance % 2, instance < 3 ? 0 : 0.2, &made), THUD_OK);
    if (instance >= 3 && instance % 2 == 1) { /* bilateral rows and an M that is not symmetric have no local form */
      thud_test_problem_destroy(&made);
      continue;
    }
    thud_contact_evaluator *evaluator = NULL;
    thud_owned_problem *formed = NULL, *products = NULL;
    assert_int_equal(thud_contact_evaluator_create(context, made.problem, &evaluator), THUD_OK);
    assert_int_equal(thud_contact_to_local_by(context, made.problem, evaluator, THUD_MATRIX_DENSE, &formed), THUD_OK);
    assert_int_equal(thud_contact_to_local_by(context, made.problem, evaluator, THUD_MATRIX_OPERATOR, &products),
                     THUD_OK);
    const thud_contact_problem *a = thud_owned_problem_view(formed), *b = thud_owned_problem_view(products);
    size_t size = thud_contact_size(a), d = (size_t)a->dimension;
    double *x = thud_test_doubles(size), *y = thud_test_doubles(size), *z = thud_test_doubles(size), scale = 0;
    for (size_t k = 0; k < size; k++) x[k] = thud_random_normal(&random);
    thud_matrix_multiply_vector(context, &a->W, false, 1, x, 0, y);
    thud_matrix_multiply_vector(context, &b->W, false, 1, x, 0, z);
    for (size_t k = 0; k < size; k++) scale = fmax(scale, fabs(y[k]));
    for (size_t k = 0; k < size; k++) thud_assert_near(z[k], y[k], 1e-12 * scale);
    for (size_t j = 0; j < size; j++)
      for (size_t i = 0; i < d; i++)
        thud_assert_near(b->W.products.diagonal[j * d + i], a->W.dense[j * size + j / d * d + i], 1e-12 * scale);
    free(x);
    free(y);
    free(z);
    thud_owned_problem_destroy(formed);
    thud_owned_problem_destroy(products);
    thud_contact_evaluator_destroy(evaluator);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* 4200 contacts of a bar: its W, dense, would take 141 MB. */
static void large_global_problems_are_solved_by_products(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(59);
  thud_test_shape shape = thud_test_shape_of(1, 4200);
  thud_test_problem made;
  assert_int_equal(thud_test_flexible_global(context, &random, &shape, 8500, 0, 0, &made), THUD_OK);
  static const char *const names[] = {"accelerated", "newton-krylov"};
  for (size_t m = 0; m < 2; m++) {
    thud_solver_options options = thud_solver_options_default();
    thud_solver *solver = NULL;
    thud_solver_info info;
    thud_contact_residual residual;
    double *r = thud_test_doubles(4200);
    options.tolerance = 1e-6;
    assert_int_equal(thud_solver_create(context, thud_solver_method_find(names[m]), made.problem, &options, &solver),
                     THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    assert_int_equal(thud_contact_evaluate(context, made.problem, r, NULL, NULL, NULL, &residual), THUD_OK);
    thud_assert_at_most(residual.residual, 1e-6);
    free(r);
    thud_solver_destroy(solver);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iterates_are_those_of_the_matrix),
      cmocka_unit_test(residual_and_methods_that_take_it),
      cmocka_unit_test(what_needs_entries_refuses),
      cmocka_unit_test(products_of_a_global_problem_are_those_of_its_matrix),
      cmocka_unit_test(large_global_problems_are_solved_by_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
