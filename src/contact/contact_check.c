/* Checks and figures of the matrices and vectors of a problem. */
#include "contact/contact_check.h"
#include "contact/contact_sparse.h"
#include "base/base.h"

#include <math.h>

static thud_error check_dense(thud_context *context, const char *name, const thud_matrix *A) {
  if (A->dense == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: dense is NULL", name);
  size_t rows = (size_t)A->rows, entries = rows * (size_t)A->columns, bad = thud_first_not_finite(entries, A->dense);
  if (bad == entries) return THUD_OK;
  return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s: entry (%d,%d) is %g", name, (int)(bad % rows),
                   (int)(bad / rows), A->dense[bad]);
}

static thud_error check_sparse(thud_context *context, const char *name, const thud_matrix *A) {
  if (A->sparse.rows != A->rows || A->sparse.columns != A->columns)
    return thud_fail(context, THUD_ERROR_DIMENSION, "%s: said to be %d x %d, but its sparse matrix is %d x %d", name,
                     (int)A->rows, (int)A->columns, (int)A->sparse.rows, (int)A->sparse.columns);
  thud_error error = thud_sparse_check(context, &A->sparse);
  return error == THUD_OK ? THUD_OK : thud_fail_within(context, error, "%s", name);
}

static thud_error check_blocks(thud_context *context, const thud_matrix_demand *demand, const thud_matrix *A) {
  const thud_bsr *blocks = &A->blocks;
  thud_error error = thud_bsr_check(context, blocks);
  if (error != THUD_OK) return thud_fail_within(context, error, "%s", demand->name);
  size_t rows = (size_t)blocks->block_rows * (size_t)blocks->rows_per_block;
  size_t columns = (size_t)blocks->block_columns * (size_t)blocks->columns_per_block;
  if (rows != demand->rows || columns != demand->columns)
    return thud_fail(context, THUD_ERROR_DIMENSION, "%s: said to be %d x %d, but its blocks make a %zu x %zu matrix",
                     demand->name, (int)A->rows, (int)A->columns, rows, columns);
  if (demand->block > 0 && (blocks->rows_per_block != demand->block || blocks->columns_per_block != demand->block))
    return thud_fail(context, THUD_ERROR_DIMENSION, "%s: its blocks are %d x %d, one per pair of contacts is %d x %d",
                     demand->name, (int)blocks->rows_per_block, (int)blocks->columns_per_block, (int)demand->block,
                     (int)demand->block);
  if (demand->block < 0 && blocks->rows_per_block != blocks->columns_per_block)
    return thud_fail(context, THUD_ERROR_DIMENSION, "%s: its blocks are %d x %d, square ones are needed", demand->name,
                     (int)blocks->rows_per_block, (int)blocks->columns_per_block);
  return THUD_OK;
}

/* demand->block > 0 is W: no other matrix may be an operator. */
static thud_error check_operator(thud_context *context, const thud_matrix_demand *demand, const thud_matrix *A) {
  const thud_operator *products = &A->products;
  if (demand->block <= 0)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "%s is an operator: only W may be one, give its entries",
                     demand->name);
  if (products->apply == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s is an operator without a function: apply is NULL", demand->name);
  if (products->block != demand->block)
    return thud_fail(context, THUD_ERROR_DIMENSION, "%s: its diagonal blocks have %d rows, one per contact has %d",
                     demand->name, (int)products->block, (int)demand->block);
  size_t entries = demand->rows * (size_t)products->block;
  thud_error error = thud_vector_check(context, "diagonal", entries, false, products->diagonal);
  return error == THUD_OK ? THUD_OK : thud_fail_within(context, error, "%s", demand->name);
}

thud_error thud_matrix_check(thud_context *context, const thud_matrix_demand *demand, const thud_matrix *A) {
  bool empty = demand->rows == 0 || demand->columns == 0;
  if (A->storage == THUD_MATRIX_NONE && empty) return THUD_OK;
  if (A->storage == THUD_MATRIX_NONE)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s is missing: a %zu x %zu matrix is needed", demand->name,
                     demand->rows, demand->columns);
  if (A->rows < 0 || A->columns < 0 || (size_t)A->rows != demand->rows || (size_t)A->columns != demand->columns)
    return thud_fail(context, THUD_ERROR_DIMENSION, "%s is %d x %d: a %zu x %zu matrix is needed", demand->name,
                     (int)A->rows, (int)A->columns, demand->rows, demand->columns);
  switch (A->storage) {
  case THUD_MATRIX_DENSE: return empty ? THUD_OK : check_dense(context, demand->name, A);
  case THUD_MATRIX_SPARSE: return check_sparse(context, demand->name, A);
  case THUD_MATRIX_BLOCKS: return check_blocks(context, demand, A);
  case THUD_MATRIX_OPERATOR: return check_operator(context, demand, A);
  default:
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %d is not a storage of a matrix", demand->name,
                     (int)A->storage);
  }
}

thud_error thud_vector_check(thud_context *context, const char *name, size_t count, bool may_be_null, const double *x) {
  if (x == NULL && (may_be_null || count == 0)) return THUD_OK;
  if (x == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s is NULL: an array of %zu numbers is needed", name, count);
  size_t bad = thud_first_not_finite(count, x);
  if (bad == count) return THUD_OK;
  return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s[%zu] is %g", name, bad, x[bad]);
}

/* ---- figures --------------------------------------------------------------------------------------------- */

static double dense_asymmetry(thud_index n, const double *A) {
  double largest = 0, skew = 0;
  size_t size = (size_t)n;
  for (size_t j = 0; j < size; j++)
    for (size_t i = 0; i <= j; i++) {
      double upper = A[i + j * size], lower = A[j + i * size];
      largest = fmax(largest, fmax(fabs(upper), fabs(lower)));
      skew = fmax(skew, fabs(upper - lower));
    }
  return largest > 0 ? skew / largest : 0;
}

/* Blocks (i, j) against the transposes of blocks (j, i). */
static double block_asymmetry(const thud_bsr *A) {
  double largest = 0, skew = 0;
  size_t d = (size_t)A->rows_per_block;
  for (thud_index i = 0; i < A->block_rows; i++)
    for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++) {
      thud_index j = A->block_column[p];
      thud_index mirror = thud_find_index(A->block_column, A->row_start[j], A->row_start[j + 1], i);
      const double *block = A->values + (size_t)p * d * d;
      for (size_t k = 0; k < d * d; k++) {
        double opposite = mirror >= 0 ? A->values[(size_t)mirror * d * d + k / d + k % d * d] : 0;
        largest = fmax(largest, fabs(block[k]));
        skew = fmax(skew, fabs(block[k] - opposite));
      }
    }
  return largest > 0 ? skew / largest : 0;
}

double thud_matrix_asymmetry(const thud_matrix *A) {
  if (A->storage == THUD_MATRIX_DENSE) return dense_asymmetry(A->rows, A->dense);
  if (A->storage == THUD_MATRIX_SPARSE) return thud_sparse_asymmetry(&A->sparse);
  if (A->storage == THUD_MATRIX_BLOCKS) return block_asymmetry(&A->blocks);
  return 0;
}

/* Where the figures go. */
typedef struct row_figures {
  bool transposed;
  double *largest, *diagonal;
} row_figures;

static void note_entry(const row_figures *figures, size_t row, size_t column, double value) {
  size_t i = figures->transposed ? column : row;
  figures->largest[i] = fmax(figures->largest[i], fabs(value));
  if (figures->diagonal != NULL && row == column) figures->diagonal[i] = value;
}

static void note_blocks(const thud_bsr *A, const row_figures *figures) {
  size_t rows = (size_t)A->rows_per_block, columns = (size_t)A->columns_per_block;
  const double *value = A->values;
  for (size_t i = 0; i < (size_t)A->block_rows; i++)
    for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++)
      for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
          note_entry(figures, i * rows + r, (size_t)A->block_column[p] * columns + c, *value++);
}

/* An operator shows its diagonal blocks only. */
static void note_operator(const thud_matrix *A, const row_figures *figures) {
  size_t d = (size_t)A->products.block;
  const double *value = A->products.diagonal;
  for (size_t first = 0; first < (size_t)A->rows; first += d)
    for (size_t c = 0; c < d; c++)
      for (size_t r = 0; r < d; r++) note_entry(figures, first + r, first + c, *value++);
}

void thud_matrix_row_figures(const thud_matrix *A, bool transposed, double *largest, double *diagonal) {
  const row_figures figures = {transposed, largest, diagonal};
  size_t rows = (size_t)A->rows, columns = (size_t)A->columns;
  if (A->storage == THUD_MATRIX_BLOCKS) note_blocks(&A->blocks, &figures);
  if (A->storage == THUD_MATRIX_OPERATOR) note_operator(A, &figures);
  if (A->storage == THUD_MATRIX_DENSE)
    for (size_t k = 0; k < rows * columns; k++) note_entry(&figures, k % rows, k / rows, A->dense[k]);
  if (A->storage == THUD_MATRIX_SPARSE)
    for (size_t j = 0; j < columns; j++)
      for (thud_index p = A->sparse.column_start[j]; p < A->sparse.column_start[j + 1]; p++)
        note_entry(&figures, (size_t)A->sparse.row[p], j, A->sparse.value[p]);
}
