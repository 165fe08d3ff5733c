/* Matrices of problems on their way from and to files. */
#ifndef THUD_SRC_RECORD_PROBLEM_MATRIX_H
#define THUD_SRC_RECORD_PROBLEM_MATRIX_H

#include "contact/owned.h"

/* Growing list of entries; thud_triplets_free. */
typedef struct thud_triplets {
  thud_index *row, *column;
  double *value;
  size_t count, capacity;
} thud_triplets;

/* Room for `capacity` entries. */
thud_error thud_triplets_create(thud_context *context, size_t capacity, thud_triplets *triplets);
void thud_triplets_add(thud_triplets *triplets, thud_index row, thud_index column, double value);
void thud_triplets_free(thud_context *context, thud_triplets *triplets);

/* *matrix (one of the owned problem's) becomes the sparse matrix of the entries; duplicates are summed. */
thud_error thud_problem_matrix_from_triplets(thud_context *context, thud_owned_problem *owned, thud_index rows,
                                             thud_index columns, const thud_triplets *triplets, thud_matrix *matrix);
/* A sparse copy of any matrix; dense ones keep their zeros. thud_sparse_destroy. */
thud_error thud_problem_matrix_to_sparse(thud_context *context, const thud_matrix *matrix, thud_sparse *sparse);
/* Changes how a sparse matrix is stored: dense when it stores every entry, blocks of block x block (filled up with
 * zeros) when the sizes are multiples. THUD_ERROR_FORMAT when it does not suit; SPARSE changes nothing. */
thud_error thud_problem_matrix_store(thud_context *context, thud_owned_problem *owned, thud_matrix_storage storage,
                                     thud_index block, thud_matrix *matrix);

/* "dense", "sparse", "blocks"; NULL for NONE. */
const char *thud_matrix_storage_name(thud_matrix_storage storage);

#endif
