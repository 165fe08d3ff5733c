/* The local form in units of its own: products, units, residual and largest eigenvalue against their definitions. */
#include "random_matrices.h"
#include "random_problems.h"
#include "contact/contact_sparse.h"
#include "solve/scaled_matrix.h"
#include "testing.h"
#include "thud/linalg.h"

#include <stdlib.h>
#include <string.h>

/* W of a local problem, column-major; the caller frees it. */
static double *matrix_of(thud_context *context, const thud_contact_problem *problem) {
  size_t size = thud_contact_size(problem);
  double *W = thud_test_doubles(size * size), *unit = thud_test_doubles(size);
  for (size_t j = 0; j < size; j++) {
    memset(unit, 0, size * sizeof *unit);
    unit[j] = 1;
    thud_matrix_multiply_vector(context, &problem->W, false, 1, unit, 0, W + j * size);
  }
  free(unit);
  return W;
}

/* u = S W S x + S q for random x; the diagonal of S W S is of order 1 and it is that of the product. */
static void check_products(thud_context *context, const thud_scaled_form *form, const double *W, thud_random *random) {
  size_t size = form->size;
  double *x = thud_test_doubles(size), *u = thud_test_doubles(size), *y = thud_test_doubles(size);
  (void)context;
  thud_test_random_vector(random, size, x);
  thud_scaled_form_multiply(form, x, y);
  thud_scaled_form_velocity(form, x, u);
  for (size_t i = 0; i < size; i++) {
    double sum = 0, terms = 0, diagonal = form->scale[i] * W[i * size + i] * form->scale[i];
    for (size_t j = 0; j < size; j++) {
      double term = form->scale[i] * W[j * size + i] * form->scale[j] * x[j];
      sum += term;
      terms += fabs(term);
    }
    thud_assert_near(y[i], sum, 1e-13 * terms);
    thud_assert_near(u[i], sum + form->scale[i] * form->problem.q[i], 1e-13 * (terms + fabs(u[i])));
    thud_assert_equal(form->diagonal[i], W[i * size + i]);
    thud_assert_greater(diagonal, 0.05);
    thud_assert_less(diagonal, 20);
  }
  free(x);
  free(u);
  free(y);
}

/* The power iteration gives |A y| / |y| of some y: never above the norm, and near it after many steps. The norm comes
 * from the eigenvalues of the symmetric matrix. */
static void check_eigenvalue(thud_context *context, const thud_scaled_form *form, const double *W) {
  size_t size = form->size;
  double *A = thud_test_doubles(size * size), *values = thud_test_doubles(size);
  double *x = thud_test_doubles(size), *y = thud_test_doubles(size);
  for (size_t j = 0; j < size; j++)
    for (size_t i = 0; i < size; i++) A[j * size + i] = form->scale[i] * W[j * size + i] * form->scale[j];
  assert_int_equal(thud_dense_eigen_symmetric(context, (thud_index)size, A, values, NULL), THUD_OK);
  double largest = 0;
  for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(values[i]));
  thud_assert_greater(largest, 0);
  double before = 0;
  for (int steps = 1; steps <= 64; steps *= 4) {
    double found = thud_scaled_form_largest_eigenvalue(form, steps, x, y);
    thud_assert_at_most(found, largest * (1 + 1e-12));
    thud_assert_at_least(found, before * (1 - 1e-12)); /* of symmetric matrices it rises */
    before = found;
  }
  thud_assert_at_least(before, 0.9 * largest);
  free(A);
  free(values);
  free(x);
  free(y);
}

/* The residual of impulses that solve nothing is that of the contact problem. */
static void check_residual(thud_context *context, const thud_scaled_form *form, thud_random *random) {
  size_t size = form->size;
  double *r = thud_test_doubles(size), *x = thud_test_doubles(size), *u = thud_test_doubles(size);
  double *back = thud_test_doubles(size), *velocity = thud_test_doubles(size);
  thud_test_random_vector(random, size, r);
  thud_scaled_form_load(form, r, NULL, x);
  thud_scaled_form_store(form, x, back, NULL);
  thud_assert_at_most(thud_test_max_difference(size, r, back), 1e-15 * thud_test_max(size, r));
  thud_scaled_form_velocity(form, x, u);
  thud_contact_residual found;
  assert_int_equal(thud_contact_evaluate(context, &form->problem, r, NULL, NULL, velocity, &found), THUD_OK);
  thud_assert_greater(found.residual, 1e-3);
  thud_assert_near(thud_scaled_form_residual(form, x, u), found.residual, 1e-11 * found.residual);
  free(r);
  free(x);
  free(u);
  free(back);
  free(velocity);
}

static void the_form_is_the_problem_in_other_units(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  const thud_index dimensions[] = {1, 2, 3, 5};
  for (size_t k = 0; k < 4; k++)
    for (int storage = THUD_MATRIX_DENSE; storage <= THUD_MATRIX_BLOCKS; storage++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[k], 5);
      thud_test_problem made = {0};
      assert_int_equal(thud_test_random_local(context, &random, &shape, (thud_matrix_storage)storage, &made), THUD_OK);
      thud_scaled_form form;
      assert_int_equal(thud_scaled_form_create(context, made.problem, &form), THUD_OK);
      assert_int_equal(thud_scaled_form_update(&form, made.problem), THUD_OK);
      double *W = matrix_of(context, made.problem);
      check_products(context, &form, W, &random);
      check_eigenvalue(context, &form, W);
      check_residual(context, &form, &random);
      free(W);
      thud_scaled_form_destroy(&form);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* What cannot be projected has no residual, rather than one of 0: nothing is taken for solved. */
static void the_residual_of_no_numbers_is_no_number(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(14);
  for (int law = THUD_TEST_DISC; law <= THUD_TEST_MIXED_LAWS; law++) {
    thud_test_shape shape = thud_test_shape_of(3, 4);
    shape.law = (thud_test_law)law;
    thud_test_problem made = {0};
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    thud_scaled_form form;
    assert_int_equal(thud_scaled_form_create(context, made.problem, &form), THUD_OK);
    assert_int_equal(thud_scaled_form_update(&form, made.problem), THUD_OK);
    double x[12], u[12];
    thud_test_random_vector(&random, 12, x);
    thud_scaled_form_velocity(&form, x, u);
    assert_true(isfinite(thud_scaled_form_residual(&form, x, u)));
    for (int k = 0; k < 12; k++) {
      double kept = x[k];
      x[k] = NAN;
      assert_true(isnan(thud_scaled_form_residual(&form, x, u)));
      x[k] = kept;
    }
    thud_scaled_form_destroy(&form);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* With a diagonal mass diag(J' diag(M)^-1 J) is the diagonal of [W V; V' R] itself; columns of J are scaled by S. */
static void units_of_the_global_form_are_those_of_a_diagonal_mass(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { NDOF = 3, CONTACTS = 2 };
  const double mass[NDOF * NDOF] = {2, 0, 0, 0, 4, 0, 0, 0, 0.5}, f[NDOF] = {1, -1, 2}, w[CONTACTS] = {0.5, -1};
  const double H[NDOF * CONTACTS] = {1, 2, 0, 0, 3, -1}, G[NDOF] = {0, 1, 5}, b[1] = {0.25};
  const double expected[3] = {1.0 / 2 + 4.0 / 4, 9.0 / 4 + 1 / 0.5, 1.0 / 4 + 25 / 0.5};
  const thud_contact_problem problem = {
      .form = THUD_FORM_GLOBAL,
      .dimension = 1,
      .contacts = CONTACTS,
      .bilateral = 1,
      .M = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = NDOF, .dense = mass},
      .H = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = CONTACTS, .dense = H},
      .G = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = 1, .dense = G},
      .f = f,
      .w = w,
      .b = b};
  assert_int_equal(thud_contact_validate(context, &problem, NULL), THUD_OK);
  thud_scaled_form form;
  thud_sparse M, J;
  double work[NDOF];
  assert_int_equal(thud_scaled_form_create(context, &problem, &form), THUD_OK);
  assert_int_equal(thud_matrix_to_sparse(context, &problem.M, &M), THUD_OK);
  assert_int_equal(thud_scaled_matrix_columns(&form, &problem, &J), THUD_OK);
  assert_int_equal(J.columns, 3);
  thud_scaled_matrix_set_units(&form, &problem, &M, &J, work);
  for (size_t c = 0; c < 3; c++) {
    thud_assert_near(form.diagonal[c], expected[c], 1e-15 * expected[c]);
    const double *column = c < CONTACTS ? H + c * NDOF : G;
    for (thud_index p = J.column_start[c]; p < J.column_start[c + 1]; p++)
      thud_assert_equal(J.value[p], column[J.row[p]] * form.scale[c]);
    thud_assert_near(form.q[c], (c < CONTACTS ? w[c] : b[0]) * form.scale[c], 1e-15 * fabs(form.q[c]));
  }
  thud_sparse_destroy(context, &M);
  thud_sparse_destroy(context, &J);
  thud_scaled_form_destroy(&form);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_form_is_the_problem_in_other_units),
      cmocka_unit_test(the_residual_of_no_numbers_is_no_number),
      cmocka_unit_test(units_of_the_global_form_are_those_of_a_diagonal_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
