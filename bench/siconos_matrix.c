#include "siconos_matrix.h"

#include <siconos/numerics/SparseBlockMatrix.h>

#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL) abort();
  return memory;
}

double *bench_siconos_vector(const double *x, size_t n) {
  double *copy = room(n, sizeof *copy);
  if (x != NULL) memcpy(copy, x, n * sizeof *copy);
  return copy;
}

static SparseBlockStructuredMatrix *blocks_of(const thud_bsr *A) {
  size_t rows = (size_t)A->block_rows, blocks = (size_t)A->row_start[rows];
  size_t height = (size_t)A->rows_per_block, width = (size_t)A->columns_per_block;
  SparseBlockStructuredMatrix *matrix = SBM_new();
  matrix->nbblocks = (unsigned)blocks;
  matrix->blocknumber0 = (unsigned)rows;
  matrix->blocknumber1 = (unsigned)A->block_columns;
  matrix->filled1 = rows + 1;
  matrix->filled2 = blocks;
  matrix->block = room(blocks, sizeof *matrix->block);
  matrix->blocksize0 = room(rows, sizeof *matrix->blocksize0);
  matrix->blocksize1 = room((size_t)A->block_columns, sizeof *matrix->blocksize1);
  matrix->index1_data = room(rows + 1, sizeof *matrix->index1_data);
  matrix->index2_data = room(blocks, sizeof *matrix->index2_data);
  for (size_t k = 0; k < rows; k++) matrix->blocksize0[k] = (unsigned)(height * (k + 1));
  for (size_t k = 0; k < (size_t)A->block_columns; k++) matrix->blocksize1[k] = (unsigned)(width * (k + 1));
  for (size_t k = 0; k <= rows; k++) matrix->index1_data[k] = (size_t)A->row_start[k];
  for (size_t k = 0; k < blocks; k++) {
    matrix->index2_data[k] = (size_t)A->block_column[k];
    matrix->block[k] = bench_siconos_vector(A->values + height * width * k, height * width);
  }
  return matrix;
}

/* Calls put(target, i, j, value) for every entry that is not 0. */
typedef void (*entry_fn)(void *target, int i, int j, double value);

static void visit_blocks(const thud_bsr *A, entry_fn put, void *target) {
  thud_index height = A->rows_per_block, width = A->columns_per_block;
  const double *value = A->values;
  for (thud_index row = 0; row < A->block_rows; row++)
    for (thud_index k = A->row_start[row]; k < A->row_start[row + 1]; k++)
      for (thud_index j = 0; j < width; j++)
        for (thud_index i = 0; i < height; i++, value++)
          if (*value != 0) put(target, row * height + i, A->block_column[k] * width + j, *value);
}

static void visit(const thud_matrix *A, entry_fn put, void *target) {
  if (A->storage == THUD_MATRIX_BLOCKS) visit_blocks(&A->blocks, put, target);
  for (thud_index j = 0; j < A->columns; j++) {
    if (A->storage == THUD_MATRIX_SPARSE)
      for (thud_index k = A->sparse.column_start[j]; k < A->sparse.column_start[j + 1]; k++)
        put(target, A->sparse.row[k], j, A->sparse.value[k]);
    if (A->storage == THUD_MATRIX_DENSE)
      for (thud_index i = 0; i < A->rows; i++) {
        double value = A->dense[(size_t)i + (size_t)j * (size_t)A->rows];
        if (value != 0) put(target, i, j, value);
      }
  }
}

static void put_dense(void *target, int i, int j, double value) {
  NumericsMatrix *matrix = target;
  matrix->matrix0[(size_t)i + (size_t)j * (size_t)matrix->size0] = value;
}

static void put_triplet(void *target, int i, int j, double value) { NM_entry(target, i, j, value); }

NumericsMatrix *bench_siconos_matrix(const thud_matrix *matrix, NM_types storage) {
  int rows = (int)matrix->rows, columns = (int)matrix->columns;
  if (storage == NM_SPARSE_BLOCK) return NM_new_SBM(rows, columns, blocks_of(&matrix->blocks));
  NumericsMatrix *made = NM_create(storage, rows, columns);
  if (storage == NM_SPARSE) {
    NM_triplet_alloc(made, rows);
    visit(matrix, put_triplet, made);
  } else {
    memset(made->matrix0, 0, (size_t)rows * (size_t)columns * sizeof(double));
    visit(matrix, put_dense, made);
  }
  return made;
}
