#include "problem/matrix.h"
#include "base/base.h"
#include "contact/contact_sparse.h"
#include "contact/storage.h"

const char *thud_matrix_storage_name(thud_matrix_storage storage) {
  static const char *const names[] = {NULL, "dense", "sparse", "blocks"};
  return storage >= THUD_MATRIX_NONE && storage <= THUD_MATRIX_BLOCKS ? names[storage] : NULL;
}

/* ---- lists of entries ------------------------------------------------------------------------------------ */

thud_error thud_triplets_create(thud_context *context, size_t capacity, thud_triplets *triplets) {
  thud_triplets made = {.row = THUD_NEW_ARRAY(context, thud_index, capacity),
                        .column = THUD_NEW_ARRAY(context, thud_index, capacity),
                        .value = THUD_NEW_ARRAY(context, double, capacity),
                        .capacity = capacity};
  if (made.row == NULL || made.column == NULL || made.value == NULL) {
    thud_triplets_free(context, &made);
    return THUD_ERROR_MEMORY;
  }
  *triplets = made;
  return THUD_OK;
}

void thud_triplets_add(thud_triplets *triplets, thud_index row, thud_index column, double value) {
  size_t k = triplets->count++;
  triplets->row[k] = row;
  triplets->column[k] = column;
  triplets->value[k] = value;
}

void thud_triplets_free(thud_context *context, thud_triplets *triplets) {
  thud_free(context, triplets->row);
  thud_free(context, triplets->column);
  thud_free(context, triplets->value);
  *triplets = (thud_triplets){0};
}

thud_error thud_problem_matrix_from_triplets(thud_context *context, thud_owned_problem *owned, thud_index rows,
                                             thud_index columns, const thud_triplets *triplets, thud_matrix *matrix) {
  thud_sparse sparse = {0};
  thud_error error = thud_sparse_from_triplets(context, rows, columns, triplets->count, triplets->row, triplets->column,
                                               triplets->value, &sparse);
  if (error != THUD_OK) return error;
  error = thud_owned_problem_adopt_sparse(owned, &sparse, matrix);
  if (error != THUD_OK) thud_sparse_destroy(context, &sparse);
  return error;
}

/* ---- to sparse ---------------------------------------------------------------------------------------- */

thud_error thud_problem_matrix_to_sparse(thud_context *context, const thud_matrix *matrix, thud_sparse *sparse) {
  if (matrix->storage != THUD_MATRIX_DENSE) return thud_matrix_to_sparse(context, matrix, sparse);
  thud_triplets triplets = {0};
  size_t rows = (size_t)matrix->rows;
  thud_error error = thud_triplets_create(context, rows * (size_t)matrix->columns, &triplets);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < matrix->columns; j++)
    for (thud_index i = 0; i < matrix->rows; i++)
      thud_triplets_add(&triplets, i, j, matrix->dense[(size_t)j * rows + (size_t)i]);
  error = thud_sparse_from_triplets(context, matrix->rows, matrix->columns, triplets.count, triplets.row,
                                    triplets.column, triplets.value, sparse);
  thud_triplets_free(context, &triplets);
  return error;
}

/* ---- from sparse ---------------------------------------------------------------------------------------- */

thud_error thud_problem_matrix_store(thud_context *context, thud_owned_problem *owned, thud_matrix_storage storage,
                                     thud_index block, thud_matrix *matrix) {
  const thud_sparse sparse = matrix->sparse;
  if (matrix->storage != THUD_MATRIX_SPARSE || storage == THUD_MATRIX_SPARSE || storage == THUD_MATRIX_NONE)
    return THUD_OK;
  if (storage == THUD_MATRIX_DENSE) {
    size_t rows = (size_t)sparse.rows, columns = (size_t)sparse.columns;
    size_t stored = (size_t)sparse.column_start[columns];
    if (columns > 0 && (stored / columns != rows || stored % columns != 0))
      return thud_fail(context, THUD_ERROR_FORMAT,
                       "[bad-problem-file] a dense matrix of %zu x %zu must store every entry, found %zu", rows,
                       columns, stored);
  } else if (block < 1 || sparse.rows % block != 0 || sparse.columns % block != 0) {
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "[bad-problem-file] a matrix of %d x %d does not consist of %d x %d blocks", (int)sparse.rows,
                     (int)sparse.columns, (int)block, (int)block);
  }
  return thud_owned_problem_store(context, owned, &sparse, storage, block, matrix);
}
