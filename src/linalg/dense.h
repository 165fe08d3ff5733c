/* Internal face of the dense kernels. */
#ifndef THUD_SRC_LINALG_DENSE_H
#define THUD_SRC_LINALG_DENSE_H

#include "thud/linalg.h"

/* In place A = LL' by plain loops, any n. A pivot must exceed relative_floor times the diagonal entry it came from;
 * false otherwise, with the column and its pivot (the number under the square root; NaN when A has NaN). */
bool thud_cholesky_loops(thud_index n, double *A, double relative_floor, thud_index *failed, double *pivot);

/* Entry (i, j) of a column-major matrix with `rows` rows. */
static inline size_t thud_at(thud_index rows, thud_index i, thud_index j) {
  return (size_t)i + (size_t)j * (size_t)rows;
}

/* y = beta y, where beta = 0 does not read y. */
static inline void thud_scale_vector(size_t n, double beta, double *y) {
  for (size_t i = 0; i < n; i++) y[i] = beta == 0 ? 0 : beta * y[i];
}

#endif
