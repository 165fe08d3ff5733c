/* Sparse stiffness matrices with held unknowns. */
#include "base/base.h"
#include "motions/surface/surface.h"

#include <math.h>
#include <string.h>

void thud_surface_matrix_free(surface_matrix *matrix) {
  if (matrix->context == NULL) return;
  thud_factor_destroy(matrix->factor);
  thud_free(matrix->context, matrix->rhs);
  thud_free(matrix->context, matrix->none);
  thud_free(matrix->context, matrix->A.value); /* its pattern is that of K */
  thud_sparse_destroy(matrix->context, &matrix->K);
  *matrix = (surface_matrix){0};
}

thud_error thud_surface_matrix_create(thud_context *context, thud_sparse *K, surface_matrix *matrix) {
  *matrix = (surface_matrix){.context = context, .K = *K, .A = *K};
  *K = (thud_sparse){0};
  matrix->A.value = THUD_NEW_ARRAY(context, double, matrix->K.column_start[matrix->K.columns]);
  matrix->rhs = THUD_NEW_ARRAY(context, double, matrix->K.rows);
  matrix->none = THUD_NEW_ARRAY(context, double, matrix->K.rows);
  thud_error error =
      matrix->A.value != NULL && matrix->rhs != NULL && matrix->none != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_factor_create(context, &matrix->K, THUD_FACTOR_CHOLESKY, &matrix->factor);
  if (error != THUD_OK) thud_surface_matrix_free(matrix);
  return error;
}

/* Entry (i, j) of the 2 x 2 matrices on the diagonal. */
static double block_entry(const double *blocks, thud_index i, thud_index j) {
  if (blocks == NULL || i / 2 != j / 2) return 0;
  return blocks[3 * (ptrdiff_t)(i / 2) + i % 2 + j % 2];
}

thud_error thud_surface_matrix_fix(surface_matrix *matrix, const unsigned char *fixed, const double *blocks) {
  const thud_sparse *K = &matrix->K;
  for (thud_index j = 0; j < K->columns; j++)
    for (thud_index k = K->column_start[j]; k < K->column_start[j + 1]; k++) {
      thud_index i = K->row[k];
      bool off = fixed[i] != 0 || fixed[j] != 0;
      matrix->A.value[k] = !off ? K->value[k] + block_entry(blocks, i, j) : i == j ? 1 : 0;
    }
  /* A shift of nothing: errors that pivots inherit grow with the fourth power of the cells of a plate, and the refinement
   * answers for the accuracy. */
  return thud_factor_factorize(matrix->factor, &matrix->A, matrix->none);
}

thud_error thud_surface_matrix_solve(surface_matrix *matrix, const double *b, double *x) {
  return thud_factor_solve(matrix->factor, 0, b, x, NULL);
}

double thud_surface_matrix_row(const surface_matrix *matrix, thud_index i, const double *x, double *size) {
  const thud_sparse *K = &matrix->K; /* symmetric: column i is row i */
  double sum = 0, terms = 0;
  for (thud_index k = K->column_start[i]; k < K->column_start[i + 1]; k++) {
    double term = K->value[k] * x[K->row[k]];
    sum += term;
    terms += fabs(term);
  }
  if (size != NULL) *size = terms;
  return sum;
}
