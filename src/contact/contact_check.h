/* The checks of validation, one file for matrices and vectors, one for the statement as a whole. */
#ifndef THUD_SRC_CONTACT_CHECK_H
#define THUD_SRC_CONTACT_CHECK_H

#include "thud/contact.h"

/* Required shape of a matrix; messages call it `name`. */
typedef struct thud_matrix_demand {
  const char *name;
  size_t rows, columns;
  thud_index block; /* of a matrix stored by blocks: > 0: blocks of this size; -1: square blocks; 0: any */
} thud_matrix_demand;

/* Storage, sizes, indices and numbers. A matrix without rows or columns may be THUD_MATRIX_NONE. */
thud_error thud_matrix_check(thud_context *context, const thud_matrix_demand *demand, const thud_matrix *A);
/* Present (unless it may be NULL or has no entries) and finite. */
thud_error thud_vector_check(thud_context *context, const char *name, size_t count, bool may_be_null, const double *x);
/* max |A_ij - A_ji| / max |A_ij| of a checked square matrix (stored by square blocks, if by blocks), 0 when A = 0. */
double thud_matrix_asymmetry(const thud_matrix *A);
/* largest[i] = max |A_ij| of row i (of column i when transposed); diagonal[i] = A_ii (may be NULL). Both must be zero
 * on entry. */
void thud_matrix_row_figures(const thud_matrix *A, bool transposed, double *largest, double *diagonal);

#endif
