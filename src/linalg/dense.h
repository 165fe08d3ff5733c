/* Internal face of the dense kernels. */
#ifndef THUD_SRC_LINALG_DENSE_H
#define THUD_SRC_LINALG_DENSE_H

#include "thud/linalg.h"

#include <float.h>

/* Between begin and end OpenBLAS uses the calling thread alone (library_threads.c); end takes what begin has returned. */
bool thud_blas_begin(void);
void thud_blas_end(bool counted);
/* The same for parallel regions of OpenMP that the calling thread meets. */
int thud_openmp_begin(void);
void thud_openmp_end(int levels);

/* One statement that calls BLAS or LAPACK. */
#define THUD_BLAS(...)                                                                                                 \
  do {                                                                                                                 \
    bool thud_counted = thud_blas_begin();                                                                             \
    __VA_ARGS__;                                                                                                       \
    thud_blas_end(thud_counted);                                                                                       \
  } while (0)

/* In place A = LL' by plain loops, any n. False at the first pivot that is not positive and finite, with its column and
 * value (the number under the square root). */
bool thud_cholesky_loops(thud_index n, double *A, thud_index *failed, double *pivot);

/* Error of a pivot d_k = a_kk - sum l_kj^2 d_j, to first order: `terms` products are summed with an error of about
 * (terms + 1) eps scale, scale = |a_kk| + sum |l_kj^2 d_j| (Higham, Accuracy and Stability, 2nd ed., section 10.1), and
 * the errors of the earlier pivots come in multiplied by l_kj^2: inherited = sum l_kj^2 error_j. A smaller pivot cannot
 * be distinguished from 0. All of it scales like the pivot when rows and columns of the matrix are scaled. */
static inline double thud_pivot_error(double scale, thud_index terms, double inherited) {
  return ((double)terms + 1) * DBL_EPSILON * scale + inherited;
}

/* Entry (i, j) of a column-major matrix with `rows` rows. */
static inline size_t thud_at(thud_index rows, thud_index i, thud_index j) {
  return (size_t)i + (size_t)j * (size_t)rows;
}

/* thud_dense_solve in memory of the caller's: real[thud_dense_solve_reals(n)], integer[2n]. Allocates nothing. */
thud_error thud_dense_solve_in(thud_context *context, thud_index n, const double *A, thud_index nrhs, double *B,
                               double *real, thud_index *integer);
static inline size_t thud_dense_solve_reals(thud_index n) { return (size_t)n * (size_t)n + 6 * (size_t)n; }

/* A = PLU in place and b = A^-1 b, without the care of thud_dense_solve: the caller has scaled A so that its entries
 * compare, and judges the answer. pivots[n] is scratch. False, with b undefined, when a pivot is not finite or below n
 * eps times the largest one. */
bool thud_dense_solve_in_place(thud_index n, double *A, double *b, thud_index *pivots);
/* The two halves of it, for several right-hand sides. */
bool thud_dense_lu(thud_index n, double *A, thud_index *pivots);
void thud_dense_lu_solve(thud_index n, const double *LU, const thud_index *pivots, double *b);
/* Sign of the determinant of what thud_dense_lu has factorised: -1, 0 or 1 (1 for n = 0). */
int thud_dense_lu_sign(thud_index n, const double *LU, const thud_index *pivots);

/* Rank by QR with column pivoting: pivots |R_kk| above tolerance * largest count. Holds the pivots on both sides of that
 * decision relative to the largest (0: there is none). */
typedef struct thud_range_split {
  thud_index rank;
  double smallest_kept, largest_dropped;
} thud_range_split;

/* Q[n*n] orthonormal (column-major): its first rank columns span the range of B[n*m] (column-major), the others what is
 * orthogonal to it: the null space of B'. B may not overlap Q. */
thud_error thud_dense_split_range(thud_context *context, thud_index n, thud_index m, const double *B, double tolerance,
                                  double *Q, thud_range_split *split);

/* y = beta y, where beta = 0 does not read y. */
static inline void thud_scale_vector(size_t n, double beta, double *y) {
  for (size_t i = 0; i < n; i++) y[i] = beta == 0 ? 0 : beta * y[i];
}

#endif
