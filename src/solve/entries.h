/* Entries of a problem's matrices, whatever their storage. */
#ifndef THUD_SRC_SOLVE_ENTRIES_H
#define THUD_SRC_SOLVE_ENTRIES_H

#include "thud/contact.h"

/* Copies A (no operator) to a place in a column-major matrix with `leading` rows. */
void thud_matrix_copy_dense(const thud_matrix *A, size_t leading, double *place);
/* The diagonal of a square matrix. */
void thud_matrix_diagonal(const thud_matrix *A, double *diagonal);

#endif
