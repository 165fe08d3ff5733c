/* Storages of matrices. */
#include "contact/storage.h"
#include "contact/owned.h"
#include "base/base.h"

/* Fill from which a dense matrix is the better choice: it needs two thirds of the memory of compressed columns there at
 * most, and its products run at full speed. */
static const double dense_fill = 0.25;

static thud_error store_dense(thud_owned_problem *owned, const thud_sparse *from, thud_matrix *matrix) {
  size_t rows = (size_t)from->rows, columns = (size_t)from->columns;
  double *dense = thud_owned_problem_alloc(owned, rows * columns, sizeof *dense);
  if (dense == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < columns; j++)
    for (thud_index p = from->column_start[j]; p < from->column_start[j + 1]; p++)
      dense[(size_t)from->row[p] + j * rows] = from->value[p];
  *matrix = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = from->rows, .columns = from->columns, .dense = dense};
  return THUD_OK;
}

static thud_error store_sparse(thud_owned_problem *owned, const thud_sparse *from, thud_matrix *matrix) {
  thud_matrix view = {.storage = THUD_MATRIX_SPARSE, .rows = from->rows, .columns = from->columns, .sparse = *from};
  return thud_owned_problem_copy_matrix(owned, &view, matrix);
}

/* start[i+1] = number of blocks of block row i; last[] is scratch. */
static void count_blocks(const thud_sparse *from, thud_index block, thud_index *last, thud_index *start) {
  thud_index rows = from->rows / block;
  for (thud_index i = 0; i < rows; i++) last[i] = -1;
  for (thud_index j = 0; j < from->columns; j++)
    for (thud_index p = from->column_start[j]; p < from->column_start[j + 1]; p++) {
      thud_index i = from->row[p] / block;
      if (last[i] == j / block) continue;
      last[i] = j / block;
      start[i + 1]++;
    }
  for (thud_index i = 0; i < rows; i++) start[i + 1] += start[i];
}

/* Columns come in increasing order, so do the blocks of each block row. next[i] is one past the block being filled. */
static void fill_blocks(const thud_sparse *from, thud_index block, const thud_index *start, thud_index *next,
                        thud_index *column, double *values) {
  size_t d = (size_t)block;
  for (thud_index i = 0; i < from->rows / block; i++) next[i] = start[i];
  for (thud_index j = 0; j < from->columns; j++)
    for (thud_index p = from->column_start[j]; p < from->column_start[j + 1]; p++) {
      thud_index i = from->row[p] / block;
      if (next[i] == start[i] || column[next[i] - 1] != j / block) column[next[i]++] = j / block;
      size_t place = ((size_t)next[i] - 1) * d * d;
      values[place + (size_t)(from->row[p] % block) + (size_t)(j % block) * d] = from->value[p];
    }
}

static thud_error store_blocks(thud_context *context, thud_owned_problem *owned, const thud_sparse *from,
                               thud_index block, thud_matrix *matrix) {
  size_t rows = (size_t)(from->rows / block), d = (size_t)block;
  thud_index *start = thud_owned_problem_alloc(owned, rows + 1, sizeof *start);
  thud_index *scratch = THUD_NEW_ARRAY(context, thud_index, rows);
  thud_index *column = NULL;
  double *values = NULL;
  if (start != NULL && scratch != NULL) {
    count_blocks(from, block, scratch, start);
    column = thud_owned_problem_alloc(owned, (size_t)start[rows], sizeof *column);
    values = thud_owned_problem_alloc(owned, (size_t)start[rows] * d * d, sizeof *values);
  }
  if (column != NULL && values != NULL) {
    fill_blocks(from, block, start, scratch, column, values);
    *matrix = (thud_matrix){.storage = THUD_MATRIX_BLOCKS, .rows = from->rows, .columns = from->columns};
    matrix->blocks = (thud_bsr){from->rows / block, from->columns / block, block, block, start, column, values};
  }
  thud_free(context, scratch);
  return column != NULL && values != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_owned_problem_store(thud_context *context, thud_owned_problem *owned, const thud_sparse *sparse,
                                    thud_matrix_storage storage, thud_index block, thud_matrix *matrix) {
  if (storage == THUD_MATRIX_NONE) {
    double all = (double)sparse->rows * (double)sparse->columns, stored = (double)sparse->column_start[sparse->columns];
    storage = stored >= dense_fill * all ? THUD_MATRIX_DENSE : THUD_MATRIX_BLOCKS;
  }
  switch (storage) {
  case THUD_MATRIX_DENSE: return store_dense(owned, sparse, matrix);
  case THUD_MATRIX_SPARSE: return store_sparse(owned, sparse, matrix);
  case THUD_MATRIX_BLOCKS: return store_blocks(context, owned, sparse, block, matrix);
  default: return thud_fail(context, THUD_ERROR_ARGUMENT, "%d is not a storage of a matrix", (int)storage);
  }
}
