/* Matrices of problems as compressed columns. */
#include "contact/contact_sparse.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* A list of triplets being filled. */
typedef struct triplets {
  thud_index *row, *column;
  double *value;
  size_t count;
} triplets;

static void add_triplet(triplets *list, thud_index row, thud_index column, double value) {
  list->row[list->count] = row;
  list->column[list->count] = column;
  list->value[list->count++] = value;
}

static void list_sparse(const thud_sparse *A, double factor, bool transposed, triplets *list) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++)
      add_triplet(list, transposed ? j : A->row[p], transposed ? A->row[p] : j, factor * A->value[p]);
}

static void list_blocks(const thud_bsr *A, triplets *list) {
  thud_index rows = A->rows_per_block, columns = A->columns_per_block;
  const double *value = A->values;
  for (thud_index i = 0; i < A->block_rows; i++)
    for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++)
      for (thud_index c = 0; c < columns; c++)
        for (thud_index r = 0; r < rows; r++)
          add_triplet(list, i * rows + r, A->block_column[p] * columns + c, *value++);
}

static size_t entry_count(const thud_matrix *A) {
  size_t count = 0;
  if (A->storage == THUD_MATRIX_SPARSE) return (size_t)A->sparse.column_start[A->columns];
  if (A->storage == THUD_MATRIX_BLOCKS)
    return (size_t)A->blocks.row_start[A->blocks.block_rows] * (size_t)A->blocks.rows_per_block *
           (size_t)A->blocks.columns_per_block;
  for (size_t k = 0; A->storage == THUD_MATRIX_DENSE && k < (size_t)A->rows * (size_t)A->columns; k++)
    if (A->dense[k] != 0) count++;
  return count;
}

static thud_error allocate_triplets(thud_context *context, size_t count, triplets *list) {
  list->row = THUD_NEW_ARRAY(context, thud_index, count);
  list->column = THUD_NEW_ARRAY(context, thud_index, count);
  list->value = THUD_NEW_ARRAY(context, double, count);
  return list->row == NULL || list->column == NULL || list->value == NULL ? THUD_ERROR_MEMORY : THUD_OK;
}

static void free_triplets(thud_context *context, triplets *list) {
  thud_free(context, list->row);
  thud_free(context, list->column);
  thud_free(context, list->value);
}

static thud_error allocate_columns(thud_context *context, const thud_matrix *A, size_t count, thud_sparse *sparse) {
  thud_sparse made = {.rows = A->rows, .columns = A->columns};
  made.column_start = THUD_NEW_ARRAY(context, thud_index, (size_t)A->columns + 1);
  made.row = THUD_NEW_ARRAY(context, thud_index, count);
  made.value = THUD_NEW_ARRAY(context, double, count);
  *sparse = made;
  if (made.column_start != NULL && made.row != NULL && made.value != NULL) return THUD_OK;
  thud_sparse_destroy(context, sparse);
  return THUD_ERROR_MEMORY;
}

static void copy_columns(const thud_sparse *A, thud_sparse *sparse) {
  size_t count = (size_t)A->column_start[A->columns];
  memcpy(sparse->column_start, A->column_start, ((size_t)A->columns + 1) * sizeof *A->column_start);
  if (count == 0) return;
  memcpy(sparse->row, A->row, count * sizeof *A->row);
  memcpy(sparse->value, A->value, count * sizeof *A->value);
}

static void compress_dense(const thud_matrix *A, thud_sparse *sparse) {
  size_t rows = (size_t)A->rows;
  thud_index count = 0;
  for (size_t j = 0; j < (size_t)A->columns; j++) {
    for (size_t i = 0; i < rows; i++) {
      double value = A->dense[i + j * rows];
      if (value == 0) continue;
      sparse->row[count] = (thud_index)i;
      sparse->value[count++] = value;
    }
    sparse->column_start[j + 1] = count;
  }
}

thud_error thud_matrix_to_sparse(thud_context *context, const thud_matrix *A, thud_sparse *sparse) {
  if (A->storage == THUD_MATRIX_OPERATOR)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "the matrix is an operator: its entries are needed here");
  size_t count = entry_count(A);
  if (count > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "sparse: %zu entries, at most %d are possible", count, INT32_MAX);
  if (A->storage == THUD_MATRIX_DENSE || A->storage == THUD_MATRIX_SPARSE) {
    thud_error error = allocate_columns(context, A, count, sparse);
    if (error != THUD_OK) return error;
    if (A->storage == THUD_MATRIX_DENSE)
      compress_dense(A, sparse);
    else
      copy_columns(&A->sparse, sparse);
    return THUD_OK;
  }
  triplets list = {0};
  thud_error error = allocate_triplets(context, count, &list);
  if (error == THUD_OK) {
    if (A->storage == THUD_MATRIX_BLOCKS) list_blocks(&A->blocks, &list);
    error =
        thud_sparse_from_triplets(context, A->rows, A->columns, list.count, list.row, list.column, list.value, sparse);
  }
  free_triplets(context, &list);
  return error;
}

thud_error thud_sparse_symmetric_part(thud_context *context, const thud_sparse *A, thud_sparse *symmetric) {
  triplets list = {0};
  thud_error error = allocate_triplets(context, 2 * (size_t)A->column_start[A->columns], &list);
  if (error == THUD_OK) {
    list_sparse(A, 0.5, false, &list);
    list_sparse(A, 0.5, true, &list);
    error = thud_sparse_from_triplets(context, A->rows, A->columns, list.count, list.row, list.column, list.value,
                                      symmetric);
  }
  free_triplets(context, &list);
  return error;
}

thud_index thud_find_index(const thud_index *sorted, thud_index first, thud_index end, thud_index wanted) {
  thud_index low = first, high = end;
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && sorted[low] == wanted ? low : -1;
}

double thud_sparse_asymmetry(const thud_sparse *A) {
  double largest = 0, skew = 0;
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      thud_index i = A->row[p];
      thud_index mirror = thud_find_index(A->row, A->column_start[i], A->column_start[i + 1], j);
      largest = fmax(largest, fabs(A->value[p]));
      skew = fmax(skew, fabs(A->value[p] - (mirror >= 0 ? A->value[mirror] : 0)));
    }
  return largest > 0 ? skew / largest : 0;
}

bool thud_sparse_fits_blocks(const thud_sparse *A, thud_index width) {
  for (thud_index first = 0; first < A->columns; first += width) {
    thud_index end = A->columns - first < width ? A->columns : first + width;
    for (thud_index p = A->column_start[first]; p < A->column_start[end]; p++)
      if ((A->row[p] < first || A->row[p] >= end) && A->value[p] != 0) return false;
  }
  return true;
}
