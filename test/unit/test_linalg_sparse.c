#include "thud/linalg.h"
#include "random_matrices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- block-sparse rows -------------------------------------------------------------------------- */

/* Owns what a thud_bsr borrows. */
typedef struct blocks {
  thud_bsr A;
  thud_index *start, *column;
  double *values;
} blocks;

static blocks random_blocks(thud_random *random, thud_index rows, thud_index columns, thud_index height,
                            thud_index width, double density) {
  size_t most = (size_t)rows * (size_t)columns, size = (size_t)height * (size_t)width, count = 0;
  blocks b = {.start = calloc((size_t)rows + 1, sizeof(thud_index)), .column = calloc(most + 1, sizeof(thud_index))};
  assert_non_null(b.start);
  assert_non_null(b.column);
  for (thud_index i = 0; i < rows; i++) {
    for (thud_index j = 0; j < columns; j++)
      if (thud_random_uniform(random, 0, 1) < density) b.column[count++] = j;
    b.start[i + 1] = (thud_index)count;
  }
  b.values = thud_test_doubles(count * size);
  thud_test_random_vector(random, count * size, b.values);
  b.A = (thud_bsr){rows, columns, height, width, b.start, b.column, b.values};
  return b;
}

static void free_blocks(blocks *b) {
  free(b->start);
  free(b->column);
  free(b->values);
}

/* y = A x by the definition. */
static void multiply_blocks(const thud_bsr *A, const double *x, double *y) {
  thud_index h = A->rows_per_block, w = A->columns_per_block;
  for (thud_index i = 0; i < A->block_rows; i++)
    for (thud_index r = 0; r < h; r++) {
      double sum = 0;
      for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++)
        for (thud_index c = 0; c < w; c++) sum += A->values[p * h * w + r + c * h] * x[A->block_column[p] * w + c];
      y[i * h + r] = sum;
    }
}

static void block_products_agree_with_the_definition(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  for (int trial = 0; trial < 2000; trial++) {
    thud_index height = 1 + trial % 8, width = 1 + trial / 8 % 8;
    thud_index rows = (thud_index)thud_random_below(&random, 12),
               columns = 1 + (thud_index)thud_random_below(&random, 9);
    blocks b = random_blocks(&random, rows, columns, height, width, 0.3);
    assert_int_equal(thud_bsr_check(context, &b.A), THUD_OK);
    size_t inputs = (size_t)(columns * width), outputs = (size_t)(rows * height);
    double x[128], y[128], expected[128], alpha = thud_random_normal(&random);
    double beta = trial % 3 == 0 ? 0 : thud_random_normal(&random);
    thud_test_random_vector(&random, inputs, x);
    thud_test_random_vector(&random, outputs, y);
    multiply_blocks(&b.A, x, expected);
    for (size_t i = 0; i < outputs; i++) {
      expected[i] = alpha * expected[i] + beta * y[i];
      if (beta == 0) y[i] = NAN;
    }
    thud_bsr_multiply_vector(context, &b.A, alpha, x, beta, y);
    thud_assert_less(thud_test_max_difference(outputs, y, expected), 1e-13);
    free_blocks(&b);
  }
  thud_context_destroy(context);
}

static void block_products_are_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2);
  for (thud_index height = 1; height <= 7; height++) {
    blocks b = random_blocks(&random, 1500, 300, height, 3, 0.03);
    size_t inputs = 900, outputs = (size_t)(1500 * height);
    double *x = thud_test_doubles(inputs), *first = thud_test_doubles(outputs), *y = thud_test_doubles(outputs);
    thud_test_random_vector(&random, inputs, x);
    for (int threads = 1; threads <= 4; threads++) {
      thud_context_options options = thud_context_options_default();
      options.threads = threads;
      thud_context *context = NULL;
      assert_int_equal(thud_context_create(&options, &context), THUD_OK);
      double *out = threads == 1 ? first : y;
      for (size_t i = 0; i < outputs; i++) out[i] = 1;
      thud_bsr_multiply_vector(context, &b.A, 0.7, x, -0.3, out);
      assert_memory_equal(first, out, outputs * sizeof *out);
      thud_context_destroy(context);
    }
    thud_assert_greater(thud_test_max(outputs, first), 1);
    free(x);
    free(first);
    free(y);
    free_blocks(&b);
  }
}

static void expect_block_message(thud_context *context, const thud_bsr *A, thud_error error, const char *message) {
  assert_int_equal(thud_bsr_check(context, A), error);
  assert_string_equal(thud_context_last_message(context), message);
}

static void damaged_block_rows_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_index start[3] = {0, 1, 3}, column[3] = {1, 0, 1};
  double values[6] = {1, 2, 3, 4, 5, 6};
  thud_bsr good = {2, 2, 2, 1, start, column, values}, A = good;
  assert_int_equal(thud_bsr_check(context, &good), THUD_OK);
  A.rows_per_block = 0;
  expect_block_message(context, &A, THUD_ERROR_ARGUMENT, "block rows: 2 x 2 blocks of 0 x 1 entries");
  A = good;
  A.values = NULL;
  expect_block_message(context, &A, THUD_ERROR_ARGUMENT, "block rows: block_column or values is NULL");
  A = good;
  A.row_start = NULL;
  assert_int_equal(thud_bsr_check(context, &A), THUD_ERROR_ARGUMENT);
  column[2] = 2;
  expect_block_message(context, &good, THUD_ERROR_ARGUMENT,
                       "block rows: block row 1 has an entry in block column 2, outside 0..1");
  column[2] = 0;
  expect_block_message(context, &good, THUD_ERROR_ARGUMENT,
                       "block rows: in block row 1, block column 0 comes after 0: they must increase");
  column[2] = 1;
  start[1] = 4;
  expect_block_message(context, &good, THUD_ERROR_ARGUMENT, "block rows: block row 0 has offsets 0..4, outside 0..3");
  start[1] = -1;
  expect_block_message(context, &good, THUD_ERROR_ARGUMENT, "block rows: block row 0 has offsets 0..-1, outside 0..3");
  start[0] = start[1] = 1;
  expect_block_message(context, &good, THUD_ERROR_ARGUMENT, "block rows: the offset of block row 0 is 1 instead of 0");
  start[0] = 0;
  values[5] = NAN;
  expect_block_message(context, &good, THUD_ERROR_NOT_FINITE, "block rows: entry (1,0) of block (1,1) is nan");
  thud_context_destroy(context);
}

/* ---- compressed columns ------------------------------------------------------------------------- */

static void triplets_become_columns_with_duplicates_summed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  enum { MAX = 12, COUNT = 200 };
  for (int trial = 0; trial < 3000; trial++) {
    thud_index rows = 1 + (thud_index)thud_random_below(&random, MAX);
    thud_index columns = 1 + (thud_index)thud_random_below(&random, MAX), row[COUNT], column[COUNT];
    size_t count = thud_random_below(&random, COUNT);
    double value[COUNT], dense[MAX * MAX] = {0}, x[MAX], y[MAX], expected[MAX];
    bool present[MAX * MAX] = {0};
    thud_index distinct = 0;
    for (size_t k = 0; k < count; k++) {
      row[k] = (thud_index)thud_random_below(&random, (uint32_t)rows);
      column[k] = (thud_index)thud_random_below(&random, (uint32_t)columns);
      value[k] = thud_random_normal(&random);
      dense[row[k] + column[k] * rows] += value[k];
      distinct += !present[row[k] + column[k] * rows];
      present[row[k] + column[k] * rows] = true;
    }
    thud_sparse A;
    assert_int_equal(thud_sparse_from_triplets(context, rows, columns, count, row, column, value, &A), THUD_OK);
    assert_int_equal(thud_sparse_check(context, &A), THUD_OK);
    assert_int_equal(A.column_start[columns], distinct);
    for (thud_index j = 0; j < columns; j++)
      for (thud_index p = A.column_start[j]; p < A.column_start[j + 1]; p++)
        thud_assert_equal(A.value[p], dense[A.row[p] + j * rows]); /* summed in the order given: the same bits */
    bool transposed = trial % 2 == 1;
    size_t outputs = (size_t)(transposed ? columns : rows);
    thud_test_random_vector(&random, MAX, x);
    thud_test_multiply(rows, columns, dense, transposed, x, expected);
    for (size_t i = 0; i < outputs; i++) y[i] = NAN;
    thud_sparse_multiply_vector(&A, transposed, 1, x, 0, y);
    thud_assert_less(thud_test_max_difference(outputs, y, expected), 1e-12);
    thud_sparse_multiply_vector(&A, transposed, -2, x, 3, y); /* -2Ax + 3Ax */
    thud_assert_less(thud_test_max_difference(outputs, y, expected), 1e-12);
    thud_sparse_destroy(context, &A);
    assert_null(A.value);
  }
  thud_sparse_destroy(context, NULL);
  assert_int_equal(thud_context_live_blocks(context), 0);
  thud_context_destroy(context);
}

static void bad_triplets_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_index row[2] = {0, 1}, column[2] = {0, 2};
  double value[2] = {1, INFINITY};
  thud_sparse A = {.rows = -7};
  assert_int_equal(thud_sparse_from_triplets(context, 2, 2, 2, row, column, value, &A), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context), "sparse: triplet 1 is at (1,2), outside a 2 x 2 matrix");
  column[1] = 1;
  assert_int_equal(thud_sparse_from_triplets(context, 2, 2, 2, row, column, value, &A), THUD_ERROR_NOT_FINITE);
  assert_string_equal(thud_context_last_message(context), "sparse: triplet 1, at (1,1), is inf");
  assert_int_equal(thud_sparse_from_triplets(context, -2, 2, 0, row, column, value, &A), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_sparse_from_triplets(context, 2, 2, (size_t)INT32_MAX + 1, row, column, value, &A),
                   THUD_ERROR_OVERFLOW);
  assert_int_equal(A.rows, -7);
  assert_int_equal(thud_sparse_from_triplets(context, 0, 0, 0, NULL, NULL, NULL, &A), THUD_OK);
  assert_int_equal(thud_sparse_check(context, &A), THUD_OK);
  thud_sparse_destroy(context, &A);
  thud_context_destroy(context);
}

static void damaged_columns_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_index start[3] = {0, 2, 3}, row[3] = {0, 1, 1};
  double value[3] = {1, 2, 3};
  thud_sparse good = {2, 2, start, row, value}, A = good;
  assert_int_equal(thud_sparse_check(context, &good), THUD_OK);
  A.rows = -1;
  assert_int_equal(thud_sparse_check(context, &A), THUD_ERROR_ARGUMENT);
  A = good;
  A.row = NULL;
  assert_int_equal(thud_sparse_check(context, &A), THUD_ERROR_ARGUMENT);
  A = good;
  A.column_start = NULL;
  assert_int_equal(thud_sparse_check(context, &A), THUD_ERROR_ARGUMENT);
  row[1] = 0;
  assert_int_equal(thud_sparse_check(context, &good), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context),
                      "sparse: in column 0, row 0 comes after 0: they must increase");
  row[1] = -1;
  assert_int_equal(thud_sparse_check(context, &good), THUD_ERROR_ARGUMENT);
  row[1] = 1;
  value[2] = NAN;
  assert_int_equal(thud_sparse_check(context, &good), THUD_ERROR_NOT_FINITE);
  assert_string_equal(thud_context_last_message(context), "sparse: entry (1,1) is nan");
  thud_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_products_agree_with_the_definition),
      cmocka_unit_test(block_products_are_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(damaged_block_rows_are_refused),
      cmocka_unit_test(triplets_become_columns_with_duplicates_summed),
      cmocka_unit_test(bad_triplets_are_named),
      cmocka_unit_test(damaged_columns_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
