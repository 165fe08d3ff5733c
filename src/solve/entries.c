#include "solve/entries.h"

#include <string.h>

/* Called with every stored entry. */
typedef void (*entry_fn)(void *user, size_t row, size_t column, double value);

static void visit_dense(const thud_matrix *A, entry_fn visit, void *user) {
  size_t rows = (size_t)A->rows, columns = (size_t)A->columns;
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows; i++) visit(user, i, j, A->dense[j * rows + i]);
}

static void visit_sparse(const thud_sparse *A, entry_fn visit, void *user) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index k = A->column_start[j]; k < A->column_start[j + 1]; k++)
      visit(user, (size_t)A->row[k], (size_t)j, A->value[k]);
}

static void visit_blocks(const thud_bsr *A, entry_fn visit, void *user) {
  size_t height = (size_t)A->rows_per_block, width = (size_t)A->columns_per_block;
  for (thud_index row = 0; row < A->block_rows; row++)
    for (thud_index k = A->row_start[row]; k < A->row_start[row + 1]; k++) {
      const double *block = A->values + (size_t)k * height * width;
      size_t first = (size_t)row * height, left = (size_t)A->block_column[k] * width;
      for (size_t j = 0; j < width; j++)
        for (size_t i = 0; i < height; i++) visit(user, first + i, left + j, block[j * height + i]);
    }
}

/* Visits the known entries of an operator: its diagonal blocks. */
static void visit_operator(const thud_matrix *A, entry_fn visit, void *user) {
  size_t d = (size_t)A->products.block;
  for (size_t k = 0; k < (size_t)A->rows * d; k++) visit(user, k / (d * d) * d + k % d, k / d, A->products.diagonal[k]);
}

static void visit_entries(const thud_matrix *A, entry_fn visit, void *user) {
  switch (A->storage) {
  case THUD_MATRIX_DENSE: visit_dense(A, visit, user); break;
  case THUD_MATRIX_SPARSE: visit_sparse(&A->sparse, visit, user); break;
  case THUD_MATRIX_BLOCKS: visit_blocks(&A->blocks, visit, user); break;
  case THUD_MATRIX_OPERATOR: visit_operator(A, visit, user); break;
  default: break;
  }
}

typedef struct dense_place {
  size_t leading;
  double *to;
} dense_place;

static void put_dense(void *user, size_t row, size_t column, double value) {
  const dense_place *place = user;
  place->to[column * place->leading + row] = value;
}

void thud_matrix_copy_dense(const thud_matrix *A, size_t leading, double *place) {
  for (size_t j = 0; A->rows > 0 && j < (size_t)A->columns; j++)
    memset(place + j * leading, 0, (size_t)A->rows * sizeof *place);
  dense_place to = {.leading = leading, .to = place};
  visit_entries(A, put_dense, &to);
}

static void put_diagonal(void *user, size_t row, size_t column, double value) {
  double *diagonal = user;
  if (row == column) diagonal[row] = value;
}

void thud_matrix_diagonal(const thud_matrix *A, double *diagonal) {
  if (A->rows > 0) memset(diagonal, 0, (size_t)A->rows * sizeof *diagonal);
  visit_entries(A, put_diagonal, diagonal);
}
