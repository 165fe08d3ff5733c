/* Sparse LU: against a product with the matrix; singular matrices; builds without UMFPACK. */
#include "linalg/sparse_lu.h"
#include "random_matrices.h"
#include "testing.h"

#include <math.h>

enum { SIZE = 60, PER_ROW = 5, ENTRIES = SIZE * (PER_ROW + 1) };

typedef struct row_matrix {
  thud_index start[SIZE + 1], column[ENTRIES];
  double value[ENTRIES];
  thud_sparse_rows rows;
} row_matrix;

/* The diagonal and about PER_ROW other entries in every row; the diagonal does not dominate, so that pivots move. */
static void make_rows(thud_random *random, row_matrix *A) {
  thud_index count = 0;
  for (thud_index i = 0; i < SIZE; i++) {
    A->start[i] = count;
    int others = 0;
    for (thud_index j = 0; j < SIZE; j++)
      if (j == i || (others < PER_ROW && thud_random_uniform(random, 0, 1) < (double)PER_ROW / SIZE)) {
        others += j != i;
        A->column[count] = j;
        A->value[count++] = (j == i ? 0.3 : 1) * thud_random_normal(random);
      }
  }
  A->start[SIZE] = count;
  A->rows = (thud_sparse_rows){.n = SIZE, .start = A->start, .column = A->column, .value = A->value};
}

static double row_times(const row_matrix *A, thud_index i, const double *x) {
  double sum = 0;
  for (thud_index p = A->start[i]; p < A->start[i + 1]; p++) sum += A->value[p] * x[A->column[p]];
  return sum;
}

static void solutions_satisfy_the_system(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  uint64_t before = thud_context_allocation_count(context);
  for (int trial = 0; trial < 200; trial++) {
    row_matrix A;
    double b[SIZE], x[SIZE], largest = 0;
    make_rows(&random, &A);
    thud_test_random_vector(&random, SIZE, b);
    thud_error error = thud_sparse_lu_solve(context, &A.rows, b, x);
    if (!thud_sparse_lu_is_available()) {
      assert_int_equal(error, THUD_ERROR_UNSUPPORTED);
      thud_test_message_has(context, "UMFPACK", NULL);
      continue;
    }
    assert_int_equal(error, THUD_OK);
    for (thud_index i = 0; i < SIZE; i++) largest = fmax(largest, fabs(x[i]));
    for (thud_index i = 0; i < SIZE; i++) thud_assert_near(row_times(&A, i, x), b[i], 1e-12 * (1 + largest));
  }
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_test_context_end(context);
}

static void singular_matrices_are_reported_and_nothing_is_written(void **state) {
  (void)state;
  if (!thud_sparse_lu_is_available()) thud_skip("needs UMFPACK: configure with THUD_WITH_GPL=ON");
  thud_context *context = thud_test_context(1);
  const thud_index start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  const double twice[] = {1, 2, 2, 4}, zero[] = {0, 0, 0, 0}, b[] = {1, 1};
  const double *values[] = {twice, zero};
  for (size_t k = 0; k < 2; k++) {
    double x[2] = {7, 7};
    thud_sparse_rows A = {.n = 2, .start = start, .column = column, .value = values[k]};
    assert_int_equal(thud_sparse_lu_solve(context, &A, b, x), THUD_ERROR_SINGULAR);
    thud_assert_equal(x[0], 7);
    thud_assert_equal(x[1], 7);
    thud_test_message_has(context, "sparse LU: the matrix is singular to working precision (ratio of pivots 0)", NULL);
  }
  const thud_index hole[] = {0, 1, 1};
  double x[2] = {7, 7};
  thud_sparse_rows A = {.n = 2, .start = hole, .column = column, .value = twice};
  assert_int_equal(thud_sparse_lu_solve(context, &A, b, x), THUD_ERROR_SINGULAR);
  thud_assert_equal(x[0], 7);
  thud_assert_equal(x[1], 7);
  thud_sparse_rows none = {0};
  assert_int_equal(thud_sparse_lu_solve(context, &none, NULL, NULL), THUD_OK);
  thud_test_context_end(context);
}

/* One analysis, several matrices with its pattern, several right-hand sides each. */
static void kept_factors_solve_for_every_right_hand_side(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(4);
  uint64_t before = thud_context_allocation_count(context);
  row_matrix A;
  thud_sparse_lu lu = {0};
  double b[SIZE], x[SIZE];
  make_rows(&random, &A);
  if (thud_sparse_lu_is_available()) {
    assert_int_equal(thud_sparse_lu_analyse(context, &A.rows, false, &lu), THUD_OK);
    assert_int_equal(thud_sparse_lu_apply(context, &A.rows, &lu, b, x), THUD_ERROR_ARGUMENT);
  } else {
    assert_int_equal(thud_sparse_lu_analyse(context, &A.rows, false, &lu), THUD_ERROR_UNSUPPORTED);
    assert_int_equal(thud_sparse_lu_factorize(context, &A.rows, &lu), THUD_ERROR_UNSUPPORTED);
    assert_int_equal(thud_sparse_lu_apply(context, &A.rows, &lu, b, x), THUD_ERROR_UNSUPPORTED);
  }
  for (int trial = 0; thud_sparse_lu_is_available() && trial < 60; trial++) {
    double largest = 0;
    if (trial % 3 == 0) {
      thud_test_random_vector(&random, (size_t)A.start[SIZE], A.value);
      assert_int_equal(thud_sparse_lu_factorize(context, &A.rows, &lu), THUD_OK);
      thud_assert_greater(lu.pivot_ratio, 0);
      thud_assert_at_most(lu.pivot_ratio, 1);
    }
    thud_test_random_vector(&random, SIZE, b);
    assert_int_equal(thud_sparse_lu_apply(context, &A.rows, &lu, b, x), THUD_OK);
    for (thud_index i = 0; i < SIZE; i++) largest = fmax(largest, fabs(x[i]));
    for (thud_index i = 0; i < SIZE; i++) thud_assert_near(row_times(&A, i, x), b[i], 1e-11 * (1 + largest));
  }
  thud_sparse_lu_free(&lu);
  thud_sparse_lu_free(&lu); /* nothing left: no harm */
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_satisfy_the_system),
      cmocka_unit_test(singular_matrices_are_reported_and_nothing_is_written),
      cmocka_unit_test(kept_factors_solve_for_every_right_hand_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
