/* Sparse unsymmetric matrices: UMFPACK, where the library is built with it. */
#ifndef THUD_SRC_LINALG_SPARSE_LU_H
#define THUD_SRC_LINALG_SPARSE_LU_H

#include "thud/linalg.h"

/* False when built with THUD_WITH_GPL=OFF: the functions below then answer THUD_ERROR_UNSUPPORTED. */
bool thud_sparse_lu_is_available(void);

/* Square matrix by rows. */
typedef struct thud_sparse_rows {
  thud_index n;
  const thud_index *start;  /* [n+1] */
  const thud_index *column; /* [start[n]] increasing within a row */
  const double *value;      /* [start[n]] */
} thud_sparse_rows;

/* x = A^-1 b; x and b do not overlap. Allocates nothing through the context: UMFPACK has memory of its own.
 * THUD_ERROR_SINGULAR (nothing written) when A is singular to working precision. */
thud_error thud_sparse_lu_solve(thud_context *context, const thud_sparse_rows *A, const double *b, double *x);

/* A factor kept for several right-hand sides, and its analysis for several matrices with one pattern. Begins as {0}.
 * Nothing is allocated through the context. */
typedef struct thud_sparse_lu {
  void *symbolic, *numeric; /* UMFPACK's */
  double pivot_ratio;       /* smallest to largest, of the last factorization */
} thud_sparse_lu;

/* Orders the pattern of A (its values are not read) and forgets what was there. symmetric: the pattern is, and pivots
 * on the diagonal are likely good enough; that makes less fill. */
thud_error thud_sparse_lu_analyse(thud_context *context, const thud_sparse_rows *A, bool symmetric, thud_sparse_lu *lu);
/* THUD_ERROR_SINGULAR when a pivot is 0: nothing can be solved then. Small pivots are left to the caller. */
thud_error thud_sparse_lu_factorize(thud_context *context, const thud_sparse_rows *A, thud_sparse_lu *lu);
/* x = A^-1 b with the A of the last factorization; x and b do not overlap. */
thud_error thud_sparse_lu_apply(thud_context *context, const thud_sparse_rows *A, const thud_sparse_lu *lu,
                                const double *b, double *x);
void thud_sparse_lu_free(thud_sparse_lu *lu);

#endif
