/* thud/linalg.h: small vectors and matrices inline, dense matrices (BLAS/LAPACK above tiny sizes), metrics,
 * block-sparse rows, sparse matrices and their Cholesky / LDL' factors.
 * Dense matrices are column-major with leading dimension = number of rows unless a comment says row-major. */
#ifndef THUD_LINALG_H
#define THUD_LINALG_H

#include "thud/base.h"
#include "thud/small.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dense: loops of its own up to THUD_DENSE_TINY, BLAS/LAPACK above --------------------------- */

#define THUD_DENSE_TINY 16

/* y = alpha A x + beta y (A m x n); transposed: y = alpha A' x + beta y. beta = 0 never reads y, alpha = 0 never reads
 * A and x; x and y do not overlap. */
THUD_API void thud_dense_multiply_vector(thud_index m, thud_index n, const double *A, bool transposed, double alpha,
                                         const double *x, double beta, double *y);
/* C = alpha op(A) op(B) + beta C; C is m x n, the inner size is k. */
THUD_API void thud_dense_multiply(thud_index m, thud_index n, thud_index k, double alpha, const double *A,
                                  bool a_transposed, const double *B, bool b_transposed, double beta, double *C);
/* context may be NULL (no message). In place A = L L' (lower triangle; the strict upper triangle is left alone). On
 * THUD_ERROR_NOT_SPD *failed_pivot
 * (may be NULL) is the first column whose pivot is not positive (NaN included), and the content of A is undefined. */
THUD_API thud_error thud_dense_cholesky(thud_context *context, thud_index n, double *A, thud_index *failed_pivot);
/* x = L^-1 x or L^-T x for the lower triangle in L. */
THUD_API void thud_dense_solve_lower(thud_index n, const double *L, bool transposed, double *x);
/* Numerical rank of A (m x n) by QR with column pivoting: diagonal entries above tolerance * largest. A untouched.
 * This and the next two refuse NaN and infinity with THUD_ERROR_NOT_FINITE. */
THUD_API thud_error thud_dense_rank(thud_context *context, thud_index m, thud_index n, const double *A,
                                    double tolerance, thud_index *rank);
/* Eigenvalues ascending in values[n]; when vectors is not NULL, orthonormal eigenvectors by columns. A symmetric
 * (lower triangle read), untouched. */
THUD_API thud_error thud_dense_eigen_symmetric(thud_context *context, thud_index n, const double *A, double *values,
                                               double *vectors);
/* Solves A X = B by LU with partial pivoting (A n x n untouched, B n x nrhs overwritten). THUD_ERROR_SINGULAR when
 * the reciprocal condition number, rows and columns scaled to about 1 before, is not above n DBL_EPSILON. */
THUD_API thud_error thud_dense_solve(thud_context *context, thud_index n, const double *A, thud_index nrhs, double *B);

/* ---- metric: an SPD matrix with its factor ------------------------------------------------------ */

/* (x, y)_M = x'My. Everywhere in thud a NULL metric means the Euclidean one. Immutable once made, so that any number
 * of sets and threads may share it. Diagonal matrices are recognised and kept as such. */
typedef struct thud_metric thud_metric;

/* Largest dimension of a metric that is not diagonal (its temporaries live on the stack). */
#define THUD_METRIC_DENSE_MAX 4096

/* M column-major n x n. Refused with THUD_ERROR_NOT_SPD (message names the entry or the pivot and its value) when not
 * symmetric to 1e-12 relative or not positive definite (pivots of LL' within their own rounding error count as 0); with
 * THUD_ERROR_NOT_FINITE on NaN or infinity; with THUD_ERROR_OVERFLOW above THUD_METRIC_DENSE_MAX. */
THUD_API thud_error thud_metric_create(thud_context *context, thud_index n, const double *M, thud_metric **metric);
THUD_API thud_error thud_metric_create_diagonal(thud_context *context, thud_index n, const double *diagonal,
                                                thud_metric **metric);
THUD_API void thud_metric_destroy(thud_metric *metric);
THUD_API thud_index thud_metric_dimension(const thud_metric *metric);
THUD_API bool thud_metric_is_diagonal(const thud_metric *metric);
/* Entry M_ij; for a NULL metric the identity's. */
THUD_API double thud_metric_entry(const thud_metric *metric, thud_index i, thud_index j);
/* y = M x; y = M^-1 x; y = L' x and its inverse, where M = LL' (|x|_M = |L'x|). x and y may be the same array.
 * n is the dimension, needed because metric may be NULL. */
THUD_API void thud_metric_apply(const thud_metric *metric, thud_index n, const double *x, double *y);
THUD_API void thud_metric_solve(const thud_metric *metric, thud_index n, const double *x, double *y);
THUD_API void thud_metric_to_euclidean(const thud_metric *metric, thud_index n, const double *x, double *y);
THUD_API void thud_metric_from_euclidean(const thud_metric *metric, thud_index n, const double *x, double *y);
/* y = L^-1 x: how covectors (gradients) transform; |x| in the dual metric = |L^-1 x|. */
THUD_API void thud_metric_covector_to_euclidean(const thud_metric *metric, thud_index n, const double *x, double *y);
THUD_API double thud_metric_norm(const thud_metric *metric, thud_index n, const double *x);
/* Distance of x and y; y may be NULL: that of x and 0. */
THUD_API double thud_metric_distance(const thud_metric *metric, thud_index n, const double *x, const double *y);
/* Norm of a covector: sqrt(x' M^-1 x). */
THUD_API double thud_metric_dual_norm(const thud_metric *metric, thud_index n, const double *x);
/* Smallest and largest eigenvalue of M (1, 1 for NULL). */
THUD_API void thud_metric_bounds(const thud_metric *metric, double *smallest, double *largest);

/* ---- block-sparse rows --------------------------------------------------------------------------- */

/* Blocks of fixed size rows_per_block x columns_per_block; transparent, arrays borrowed or owned by the caller. */
typedef struct thud_bsr {
  thud_index block_rows, block_columns;         /* counts of blocks */
  thud_index rows_per_block, columns_per_block; /* size of each block, 1..6 are unrolled */
  const thud_index *row_start;                  /* [block_rows+1] offsets into block_column, row_start[0] = 0 */
  const thud_index *block_column;               /* [row_start[block_rows]] increasing within a row */
  const double *values;                         /* [row_start[block_rows]*rows_per_block*columns_per_block]
                                                   each block column-major */
} thud_bsr;

/* Refuses sizes, offsets, orders and values that the other functions take for granted; names the block. context may be
 * NULL (no message). */
THUD_API thud_error thud_bsr_check(thud_context *context, const thud_bsr *matrix);
/* y = alpha A x + beta y, rows spread over the context's threads (context may be NULL: one), the same bits for any
 * number
 * of them. beta = 0 never reads y; x and y do not overlap. */
THUD_API void thud_bsr_multiply_vector(thud_context *context, const thud_bsr *A, double alpha, const double *x,
                                       double beta, double *y);

/* ---- sparse, compressed columns ------------------------------------------------------------------ */

typedef struct thud_sparse {
  thud_index rows, columns;
  thud_index *column_start; /* [columns+1] */
  thud_index *row;          /* [column_start[columns]] increasing within a column */
  double *value;            /* [column_start[columns]] */
} thud_sparse;

/* From triplets (row[k], column[k], value[k]); duplicates are summed in the order given, entries that are or become 0
 * stay in the pattern, indices are checked. Owned by the caller afterwards: thud_sparse_destroy. */
THUD_API thud_error thud_sparse_from_triplets(thud_context *context, thud_index rows, thud_index columns, size_t count,
                                              const thud_index *row, const thud_index *column, const double *value,
                                              thud_sparse *sparse);
/* Frees the arrays and zeroes the struct. NULL is allowed. */
THUD_API void thud_sparse_destroy(thud_context *context, thud_sparse *sparse);
/* Refuses sizes, offsets, indices that do not increase and values that are not finite, and names the entry. context may
 * be NULL (no message). */
THUD_API thud_error thud_sparse_check(thud_context *context, const thud_sparse *sparse);
/* y = alpha op(A) x + beta y. beta = 0 never reads y; x and y do not overlap. */
THUD_API void thud_sparse_multiply_vector(const thud_sparse *A, bool transposed, double alpha, const double *x,
                                          double beta, double *y);

typedef enum thud_factor_kind {
  THUD_FACTOR_CHOLESKY = 0, /* A = LL', A symmetric positive definite */
  THUD_FACTOR_LDL = 1       /* A = LDL', A symmetric (quasi-definite), D any sign; optional shift of given signs */
} thud_factor_kind;

/* Sparse factor of a symmetric matrix whose upper and lower triangle are both stored (the lower one is read).
 * CHOLMOD, or thud's own LDL' behind AMD when built with THUD_WITH_GPL=OFF. analyse once, factorize for each new set
 * of values on the same pattern. */
typedef struct thud_factor thud_factor;

/* Analyses the pattern, whose values are not read. THUD_ERROR_DIMENSION when it is not square. destroy(NULL) is
 * allowed. */
THUD_API thud_error thud_factor_create(thud_context *context, const thud_sparse *pattern, thud_factor_kind kind,
                                       thud_factor **factor);
THUD_API void thud_factor_destroy(thud_factor *factor);
/* A must have the pattern given to create; its values are copied. shift[n] (may be NULL) is added to the diagonal while
 * factorizing; the solve then refines against A itself, so that the shift costs accuracy only where A is singular.
 * THUD_ERROR_NOT_SPD (Cholesky) / THUD_ERROR_SINGULAR (LDL') name the column whose pivot is not positive / is 0 to
 * within the rounding error of its own terms; the factor then holds nothing until the next success. */
THUD_API thud_error thud_factor_factorize(thud_factor *factor, const thud_sparse *A, const double *shift);
/* x = A^-1 b with up to `refinements` steps of iterative refinement (0..10; it stops when the residual no longer
 * falls); x may alias b; both may be NULL for a matrix without rows. *residual (may be NULL) is |b - Ax|_inf /
 * (|A|_inf |x|_inf + |b|_inf). */
THUD_API thud_error thud_factor_solve(thud_factor *factor, int refinements, const double *b, double *x,
                                      double *residual);
/* The same for `count` >= 0 right-hand sides x[n*count], one after the other, which become the solutions: several columns
 * at a time are faster than one. Without refinement; the last bits may differ from those of single solutions. */
THUD_API thud_error thud_factor_solve_many(thud_factor *factor, thud_index count, double *x);

#ifdef __cplusplus
}
#endif
#endif
