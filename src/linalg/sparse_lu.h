/* One-off solves with sparse unsymmetric matrices: UMFPACK, where the library is built with it. */
#ifndef THUD_SRC_LINALG_SPARSE_LU_H
#define THUD_SRC_LINALG_SPARSE_LU_H

#include "thud/linalg.h"

/* False when built with THUD_WITH_GPL=OFF: thud_sparse_lu_solve then answers THUD_ERROR_UNSUPPORTED. */
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

#endif
