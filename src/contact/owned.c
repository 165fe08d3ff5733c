/* Problems that own their arrays: a problem beside the list of what must be freed with it. */
#include "contact/owned.h"
#include "base/base.h"

#include <string.h>

struct thud_owned_problem {
  thud_context *context;
  thud_contact_problem problem; /* every array in it is one of `blocks`, every law one of `sets` */
  void **blocks;                /* [block_count] from thud_alloc */
  size_t block_count, block_capacity;
  thud_set **sets; /* [set_count] */
  size_t set_count, set_capacity;
};

thud_error thud_owned_problem_create(thud_context *context, thud_owned_problem **owned) {
  thud_owned_problem *made = THUD_NEW(context, thud_owned_problem);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->problem.dimension = 1;
  *owned = made;
  return THUD_OK;
}

void thud_owned_problem_destroy(thud_owned_problem *owned) {
  if (owned == NULL) return;
  for (size_t k = 0; k < owned->set_count; k++) thud_set_destroy(owned->sets[k]);
  for (size_t k = 0; k < owned->block_count; k++) thud_free(owned->context, owned->blocks[k]);
  thud_free(owned->context, owned->sets);
  thud_free(owned->context, owned->blocks);
  thud_free(owned->context, owned);
}

const thud_contact_problem *thud_owned_problem_view(const thud_owned_problem *owned) {
  THUD_REQUIRE_OR(NULL, owned);
  return &owned->problem;
}

thud_contact_problem *thud_owned_problem_edit(thud_owned_problem *owned) { return &owned->problem; }

/* Room for `more` blocks, so that the additions that follow cannot fail half-way. */
static thud_error reserve_blocks(thud_owned_problem *owned, size_t more) {
  return thud_array_reserve(owned->context, &owned->blocks, &owned->block_capacity, owned->block_count + more,
                            sizeof *owned->blocks);
}

void *thud_owned_problem_alloc(thud_owned_problem *owned, size_t count, size_t size) {
  if (reserve_blocks(owned, 1) != THUD_OK) return NULL;
  void *memory = thud_alloc(owned->context, count, size);
  if (memory != NULL) owned->blocks[owned->block_count++] = memory;
  return memory;
}

thud_error thud_owned_problem_adopt_sparse(thud_owned_problem *owned, const thud_sparse *sparse, thud_matrix *matrix) {
  thud_error error = reserve_blocks(owned, 3);
  if (error != THUD_OK) return error;
  void *const arrays[3] = {sparse->column_start, sparse->row, sparse->value};
  for (int k = 0; k < 3; k++)
    if (arrays[k] != NULL) owned->blocks[owned->block_count++] = arrays[k];
  *matrix =
      (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = sparse->rows, .columns = sparse->columns, .sparse = *sparse};
  return THUD_OK;
}

thud_error thud_owned_problem_adopt_set(thud_owned_problem *owned, thud_set *set) {
  thud_error error =
      thud_array_reserve(owned->context, &owned->sets, &owned->set_capacity, owned->set_count + 1, sizeof *owned->sets);
  if (error == THUD_OK) owned->sets[owned->set_count++] = set;
  return error;
}

/* ---- copies ------------------------------------------------------------------------------------------ */

static void *copy_array(thud_owned_problem *owned, const void *original, size_t count, size_t size) {
  void *made = thud_owned_problem_alloc(owned, count, size);
  if (made != NULL && count > 0) memcpy(made, original, count * size);
  return made;
}

thud_error thud_owned_problem_copy_doubles(thud_owned_problem *owned, const double *original, size_t count,
                                           const double **copy) {
  double *made = original == NULL ? NULL : copy_array(owned, original, count, sizeof *original);
  if (original != NULL && made == NULL) return THUD_ERROR_MEMORY;
  *copy = made;
  return THUD_OK;
}

thud_error thud_owned_problem_copy_indices(thud_owned_problem *owned, const thud_index *original, size_t count,
                                           const thud_index **copy) {
  thud_index *made = original == NULL ? NULL : copy_array(owned, original, count, sizeof *original);
  if (original != NULL && made == NULL) return THUD_ERROR_MEMORY;
  *copy = made;
  return THUD_OK;
}

static thud_error copy_sparse(thud_owned_problem *owned, const thud_sparse *original, thud_matrix *copy) {
  size_t columns = (size_t)original->columns, count = (size_t)original->column_start[original->columns];
  thud_index *start = copy_array(owned, original->column_start, columns + 1, sizeof *start);
  thud_index *row = copy_array(owned, original->row, count, sizeof *row);
  double *value = copy_array(owned, original->value, count, sizeof *value);
  if (start == NULL || row == NULL || value == NULL) return THUD_ERROR_MEMORY;
  copy->sparse = (thud_sparse){original->rows, original->columns, start, row, value};
  return THUD_OK;
}

static thud_error copy_blocks(thud_owned_problem *owned, const thud_bsr *original, thud_matrix *copy) {
  size_t rows = (size_t)original->block_rows, count = (size_t)original->row_start[original->block_rows];
  size_t block = (size_t)original->rows_per_block * (size_t)original->columns_per_block;
  thud_index *start = copy_array(owned, original->row_start, rows + 1, sizeof *start);
  thud_index *column = copy_array(owned, original->block_column, count, sizeof *column);
  double *values = copy_array(owned, original->values, count * block, sizeof *values);
  if (start == NULL || column == NULL || values == NULL) return THUD_ERROR_MEMORY;
  copy->blocks = *original;
  copy->blocks.row_start = start;
  copy->blocks.block_column = column;
  copy->blocks.values = values;
  return THUD_OK;
}

thud_error thud_owned_problem_copy_matrix(thud_owned_problem *owned, const thud_matrix *original, thud_matrix *copy) {
  thud_matrix made = {.storage = original->storage, .rows = original->rows, .columns = original->columns};
  thud_error error = THUD_OK;
  if (original->storage == THUD_MATRIX_OPERATOR)
    return thud_fail(owned->context, THUD_ERROR_UNSUPPORTED,
                     "the matrix is an operator, which cannot be copied or written: give its entries");
  if (original->storage == THUD_MATRIX_DENSE)
    error =
        thud_owned_problem_copy_doubles(owned, original->dense, (size_t)made.rows * (size_t)made.columns, &made.dense);
  else if (original->storage == THUD_MATRIX_SPARSE)
    error = copy_sparse(owned, &original->sparse, &made);
  else if (original->storage == THUD_MATRIX_BLOCKS)
    error = copy_blocks(owned, &original->blocks, &made);
  if (error == THUD_OK) *copy = made;
  return error;
}
