#include "linalg/compressed.h"
#include "linalg/dense.h"
#include "base/base.h"

#include <math.h>

static thud_error check_triplets(thud_context *context, thud_index rows, thud_index columns, size_t count,
                                 const thud_index *row, const thud_index *column, const double *value) {
  if (rows < 0 || columns < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "sparse: the size is %d x %d", (int)rows, (int)columns);
  if (count > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "sparse: %zu triplets, at most %d are possible", count,
                     (int)INT32_MAX);
  for (size_t k = 0; k < count; k++) {
    if (row[k] < 0 || row[k] >= rows || column[k] < 0 || column[k] >= columns)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "sparse: triplet %zu is at (%d,%d), outside a %d x %d matrix", k,
                       (int)row[k], (int)column[k], (int)rows, (int)columns);
    if (!isfinite(value[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "sparse: triplet %zu, at (%d,%d), is %g", k, (int)row[k],
                       (int)column[k], value[k]);
  }
  return THUD_OK;
}

/* Turns counts in start[1..n] into offsets; start[0] is 0. */
static void accumulate(thud_index n, thud_index *start) {
  for (thud_index i = 0; i < n; i++) start[i + 1] += start[i];
}

/* order[] lists the triplets row by row, those of one row as given: a stable counting sort. start[rows+1] is zero on
 * entry. */
static void order_by_row(thud_index rows, size_t count, const thud_index *row, thud_index *start, thud_index *order) {
  for (size_t k = 0; k < count; k++) start[row[k] + 1]++;
  accumulate(rows, start);
  for (size_t k = 0; k < count; k++) order[start[row[k]]++] = (thud_index)k;
}

/* Deals the triplets, row by row, into their columns: rows come out increasing, duplicates next to each other and in
 * the order given. */
static void deal_into_columns(size_t count, const thud_index *order, const thud_index *row, const thud_index *column,
                              const double *value, thud_sparse *sparse) {
  thud_index *next = sparse->column_start;
  for (size_t k = 0; k < count; k++) next[column[k] + 1]++;
  accumulate(sparse->columns, next);
  for (size_t k = 0; k < count; k++) {
    thud_index t = order[k], p = next[column[t]]++;
    sparse->row[p] = row[t];
    sparse->value[p] = value[t];
  }
  for (thud_index j = sparse->columns; j > 0; j--) next[j] = next[j - 1]; /* each had moved to the next one's start */
  next[0] = 0;
}

static void sum_duplicates(thud_sparse *sparse) {
  thud_index kept = 0, p = 0;
  for (thud_index j = 0; j < sparse->columns; j++) {
    thud_index first = kept;
    for (; p < sparse->column_start[j + 1]; p++) {
      if (kept > first && sparse->row[kept - 1] == sparse->row[p]) {
        sparse->value[kept - 1] += sparse->value[p];
      } else {
        sparse->row[kept] = sparse->row[p];
        sparse->value[kept++] = sparse->value[p];
      }
    }
    sparse->column_start[j] = first;
  }
  sparse->column_start[sparse->columns] = kept;
}

thud_error thud_sparse_from_triplets(thud_context *context, thud_index rows, thud_index columns, size_t count,
                                     const thud_index *row, const thud_index *column, const double *value,
                                     thud_sparse *sparse) {
  THUD_REQUIRE(context, context, count == 0 || (row && column && value), sparse);
  thud_error error = check_triplets(context, rows, columns, count, row, column, value);
  if (error != THUD_OK) return error;
  thud_sparse made = {.rows = rows, .columns = columns};
  made.column_start = THUD_NEW_ARRAY(context, thud_index, (size_t)columns + 1);
  made.row = THUD_NEW_ARRAY(context, thud_index, count);
  made.value = THUD_NEW_ARRAY(context, double, count);
  thud_index *row_start = THUD_NEW_ARRAY(context, thud_index, (size_t)rows + 1);
  thud_index *order = THUD_NEW_ARRAY(context, thud_index, count);
  error = THUD_ERROR_MEMORY;
  if (made.column_start != NULL && made.row != NULL && made.value != NULL && row_start != NULL && order != NULL) {
    order_by_row(rows, count, row, row_start, order);
    deal_into_columns(count, order, row, column, value, &made);
    sum_duplicates(&made);
    error = THUD_OK;
  }
  thud_free(context, order);
  thud_free(context, row_start);
  if (error == THUD_OK)
    *sparse = made;
  else
    thud_sparse_destroy(context, &made);
  return error;
}

void thud_sparse_destroy(thud_context *context, thud_sparse *sparse) {
  THUD_REQUIRE_OR(, context, sparse);
  if (sparse == NULL) return;
  thud_free(context, sparse->column_start);
  thud_free(context, sparse->row);
  thud_free(context, sparse->value);
  *sparse = (thud_sparse){0};
}

thud_error thud_sparse_check(thud_context *context, const thud_sparse *A) {
  THUD_REQUIRE(context, A);
  static const thud_compressed_names names = {"sparse", "column", "row"};
  if (A->rows < 0 || A->columns < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "sparse: the size is %d x %d", (int)A->rows, (int)A->columns);
  if (A->column_start == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "sparse: column_start is NULL, its first entry 0 is always needed");
  if (A->columns > 0 && A->column_start[A->columns] > 0 && (A->row == NULL || A->value == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "sparse: row or value is NULL");
  thud_error error = thud_compressed_check(context, &names, A->columns, A->rows, A->column_start, A->row);
  if (error != THUD_OK) return error;
  size_t entries = (size_t)A->column_start[A->columns], bad = thud_first_not_finite(entries, A->value);
  if (bad == entries) return THUD_OK;
  thud_index j = 0;
  while ((size_t)A->column_start[j + 1] <= bad) j++;
  return thud_fail(context, THUD_ERROR_NOT_FINITE, "sparse: entry (%d,%d) is %g", (int)A->row[bad], (int)j,
                   A->value[bad]);
}

void thud_sparse_multiply_vector(const thud_sparse *A, bool transposed, double alpha, const double *x, double beta,
                                 double *y) {
  THUD_REQUIRE_OR(, A, x, y);
  thud_scale_vector((size_t)(transposed ? A->columns : A->rows), beta, y);
  for (thud_index j = 0; j < A->columns; j++) {
    double factor = transposed ? 0 : alpha * x[j], sum = 0;
    if (!transposed && factor == 0) continue;
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      if (transposed)
        sum += A->value[p] * x[A->row[p]];
      else
        y[A->row[p]] += factor * A->value[p];
    }
    if (transposed) y[j] += alpha * sum;
  }
}
