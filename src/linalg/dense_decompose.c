/* Rank, eigenvalues and general linear systems. Up to THUD_DENSE_TINY: Householder QR, Jacobi's method and Gaussian
 * elimination in arrays on the stack; above: LAPACK, in the forms that take their workspace from the caller. */
#include "linalg/dense.h"
#include "base/base.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { TINY = THUD_DENSE_TINY };

static thud_error check_finite(thud_context *context, const char *what, thud_index m, thud_index n, const double *A) {
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < m; i++)
      if (!isfinite(A[thud_at(m, i, j)]))
        return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s: entry (%d,%d) is %g", what, (int)i, (int)j,
                         A[thud_at(m, i, j)]);
  return THUD_OK;
}

static void copy_matrix(thud_index m, thud_index n, const double *from, double *to) {
  size_t entries = (size_t)m * (size_t)n;
  if (entries > 0) memcpy(to, from, entries * sizeof *to);
}

/* ---- rank --------------------------------------------------------------------------------------- */

static double column_norm(thud_index m, thud_index first, const double *column) {
  double scale = 0, sum = 0;
  for (thud_index i = first; i < m; i++) scale = fmax(scale, fabs(column[i]));
  if (scale == 0) return 0;
  for (thud_index i = first; i < m; i++) sum += (column[i] / scale) * (column[i] / scale);
  return scale * sqrt(sum);
}

static void swap_columns(thud_index m, double *a, double *b) {
  if (a == b) return;
  for (thud_index i = 0; i < m; i++) {
    double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

/* Applies to columns k+1..n-1 the reflection I - v v'/v_k that sends rows k.. of column k to a multiple of e_k:
 * v = a/|a| + sign(a_k) e_k, |v|^2 = 2|v_k|. Dividing by |a| first keeps the squares in range. */
static void reflect(thud_index m, thud_index n, thud_index k, double norm, double *A) {
  double *v = A + thud_at(m, 0, k);
  for (thud_index i = k; i < m; i++) v[i] /= norm;
  v[k] += copysign(1, v[k]);
  for (thud_index j = k + 1; j < n; j++) {
    double *column = A + thud_at(m, 0, j), sum = 0;
    for (thud_index i = k; i < m; i++) sum += v[i] * column[i];
    sum /= fabs(v[k]);
    for (thud_index i = k; i < m; i++) column[i] -= sum * v[i];
  }
}

/* |R_kk| of the QR factorisation with column pivoting into diagonal[min(m,n)]; A is destroyed. The norms of what is
 * left of the columns are computed anew at every step: cheap at this size, and no digits are lost by downdating. */
static void qr_diagonal_tiny(thud_index m, thud_index n, double *A, double *diagonal) {
  for (thud_index k = 0; k < m && k < n; k++) {
    thud_index best = k;
    double norm = -1;
    for (thud_index j = k; j < n; j++) {
      double candidate = column_norm(m, k, A + thud_at(m, 0, j));
      if (candidate > norm) {
        norm = candidate;
        best = j;
      }
    }
    swap_columns(m, A + thud_at(m, 0, k), A + thud_at(m, 0, best));
    diagonal[k] = norm;
    if (norm > 0) reflect(m, n, k, norm, A);
  }
}

static thud_error qr_diagonal_lapack(thud_context *context, thud_index m, thud_index n, const double *A,
                                     double *diagonal) {
  thud_error error = THUD_ERROR_MEMORY;
  thud_index smaller = m < n ? m : n;
  double *copy = NULL, *tau = NULL, *work = NULL, query;
  lapack_int *pivots = NULL;
  if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, NULL, m, NULL, NULL, &query, -1) != 0)
    return thud_fail(context, THUD_ERROR_INTERNAL, "rank: dgeqp3 refuses a %d x %d matrix", (int)m, (int)n);
  lapack_int lwork = (lapack_int)query;
  copy = THUD_NEW_ARRAY(context, double, (size_t)m *(size_t)n);
  tau = THUD_NEW_ARRAY(context, double, smaller);
  work = THUD_NEW_ARRAY(context, double, lwork);
  pivots = THUD_NEW_ARRAY(context, lapack_int, n);
  if (copy == NULL || tau == NULL || work == NULL || pivots == NULL) goto done;
  copy_matrix(m, n, A, copy);
  THUD_BLAS(LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, copy, m, pivots, tau, work, lwork));
  for (thud_index k = 0; k < smaller; k++) diagonal[k] = fabs(copy[thud_at(m, k, k)]);
  error = THUD_OK;
done:
  thud_free(context, pivots);
  thud_free(context, work);
  thud_free(context, tau);
  thud_free(context, copy);
  return error;
}

static thud_index count_above(thud_index n, const double *values, double tolerance) {
  double largest = 0;
  for (thud_index k = 0; k < n; k++) largest = fmax(largest, values[k]);
  thud_index count = 0;
  for (thud_index k = 0; k < n; k++) count += values[k] > tolerance * largest;
  return count;
}

thud_error thud_dense_rank(thud_context *context, thud_index m, thud_index n, const double *A, double tolerance,
                           thud_index *rank) {
  THUD_REQUIRE(context, context, m == 0 || n == 0 || A, rank);
  if (m < 0 || n < 0) return thud_fail(context, THUD_ERROR_ARGUMENT, "rank: the size is %d x %d", (int)m, (int)n);
  if (!(tolerance >= 0 && tolerance < 1))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "rank: the tolerance %g is not in [0, 1[", tolerance);
  thud_error error = check_finite(context, "rank", m, n, A);
  if (error != THUD_OK) return error;
  thud_index smaller = m < n ? m : n;
  if (smaller == 0) {
    *rank = 0;
  } else if (m <= TINY && n <= TINY) {
    double copy[TINY * TINY], diagonal[TINY];
    copy_matrix(m, n, A, copy);
    qr_diagonal_tiny(m, n, copy, diagonal);
    *rank = count_above(smaller, diagonal, tolerance);
  } else {
    double *diagonal = THUD_NEW_ARRAY(context, double, smaller);
    if (diagonal == NULL) return THUD_ERROR_MEMORY;
    error = qr_diagonal_lapack(context, m, n, A, diagonal);
    if (error == THUD_OK) *rank = count_above(smaller, diagonal, tolerance);
    thud_free(context, diagonal);
  }
  return error;
}

/* ---- symmetric eigenvalues ---------------------------------------------------------------------- */

/* Turns rows and columns p, q of the full symmetric A (and columns p, q of V) so that A_pq becomes 0
 * (Golub and Van Loan, 4th ed., 8.5.2: the smaller of the two angles). */
static void jacobi_rotate(thud_index n, thud_index p, thud_index q, double *A, double *V) {
  double apq = A[thud_at(n, p, q)], app = A[thud_at(n, p, p)], aqq = A[thud_at(n, q, q)];
  double theta = (aqq - app) / (2 * apq);
  double t = copysign(1, theta) / (fabs(theta) + hypot(1, theta));
  double c = 1 / sqrt(1 + t * t), s = t * c;
  for (thud_index k = 0; k < n; k++) {
    if (k != p && k != q) {
      double akp = A[thud_at(n, k, p)], akq = A[thud_at(n, k, q)];
      A[thud_at(n, k, p)] = A[thud_at(n, p, k)] = c * akp - s * akq;
      A[thud_at(n, k, q)] = A[thud_at(n, q, k)] = s * akp + c * akq;
    }
    double vkp = V[thud_at(n, k, p)], vkq = V[thud_at(n, k, q)];
    V[thud_at(n, k, p)] = c * vkp - s * vkq;
    V[thud_at(n, k, q)] = s * vkp + c * vkq;
  }
  A[thud_at(n, p, p)] = app - t * apq;
  A[thud_at(n, q, q)] = aqq + t * apq;
  A[thud_at(n, p, q)] = A[thud_at(n, q, p)] = 0;
}

/* An off-diagonal entry is done with when it is below eps sqrt(|a_pp a_qq|): for definite matrices this gives every
 * eigenvalue to high relative accuracy (Demmel and Veselic, SIAM J. Matrix Anal. 13, 1992), or when it is below
 * `negligible`, far beyond the rounding of the largest entry. */
static bool jacobi_sweep(thud_index n, double negligible, double *A, double *V) {
  bool rotated = false;
  for (thud_index p = 0; p < n; p++)
    for (thud_index q = p + 1; q < n; q++) {
      double size = fabs(A[thud_at(n, p, q)]);
      double floor = DBL_EPSILON * sqrt(fabs(A[thud_at(n, p, p)])) * sqrt(fabs(A[thud_at(n, q, q)]));
      if (size > floor && size > negligible) {
        jacobi_rotate(n, p, q, A, V);
        rotated = true;
      }
    }
  return rotated;
}

static void sort_eigenpairs(thud_index n, double *values, double *V) {
  for (thud_index i = 0; i < n; i++) {
    thud_index least = i;
    for (thud_index k = i + 1; k < n; k++)
      if (values[k] < values[least]) least = k;
    double t = values[i];
    values[i] = values[least];
    values[least] = t;
    swap_columns(n, V + thud_at(n, 0, i), V + thud_at(n, 0, least));
  }
}

/* Cyclic Jacobi; converges quadratically, in 5 to 8 sweeps at these sizes. */
static thud_error eigen_tiny(thud_context *context, thud_index n, const double *given, double *values,
                             double *vectors) {
  enum { MAX_SWEEPS = 60 };
  double A[TINY * TINY], V[TINY * TINY] = {0}, ordered[TINY], largest = 0;
  for (thud_index j = 0; j < n; j++) {
    for (thud_index i = j; i < n; i++) {
      A[thud_at(n, i, j)] = A[thud_at(n, j, i)] = given[thud_at(n, i, j)];
      largest = fmax(largest, fabs(given[thud_at(n, i, j)]));
    }
    V[thud_at(n, j, j)] = 1;
  }
  double negligible = DBL_EPSILON * DBL_EPSILON * DBL_EPSILON * largest;
  int sweeps = 0;
  while (jacobi_sweep(n, negligible, A, V))
    if (++sweeps == MAX_SWEEPS)
      return thud_fail(context, THUD_ERROR_NOT_CONVERGED, "eigenvalues: no convergence in %d sweeps", MAX_SWEEPS);
  for (thud_index i = 0; i < n; i++) ordered[i] = A[thud_at(n, i, i)];
  sort_eigenpairs(n, ordered, V);
  copy_matrix(n, 1, ordered, values);
  if (vectors != NULL) copy_matrix(n, n, V, vectors);
  return THUD_OK;
}

static thud_error eigen_lapack(thud_context *context, thud_index n, const double *A, double *values, double *vectors) {
  thud_error error = THUD_ERROR_MEMORY;
  char job = vectors != NULL ? 'V' : 'N';
  double *copy = NULL, *found = NULL, *work = NULL, query;
  if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, job, 'L', n, NULL, n, NULL, &query, -1) != 0)
    return thud_fail(context, THUD_ERROR_INTERNAL, "eigenvalues: dsyev refuses a matrix of size %d", (int)n);
  lapack_int lwork = (lapack_int)query;
  copy = THUD_NEW_ARRAY(context, double, (size_t)n *(size_t)n);
  found = THUD_NEW_ARRAY(context, double, n);
  work = THUD_NEW_ARRAY(context, double, lwork);
  if (copy == NULL || found == NULL || work == NULL) goto done;
  copy_matrix(n, n, A, copy);
  lapack_int info;
  THUD_BLAS(info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, job, 'L', n, copy, n, found, work, lwork));
  if (info != 0) {
    error = thud_fail(context, THUD_ERROR_NOT_CONVERGED, "eigenvalues: dsyev did not converge (size %d)", (int)n);
    goto done;
  }
  copy_matrix(n, 1, found, values);
  if (vectors != NULL) copy_matrix(n, n, copy, vectors);
  error = THUD_OK;
done:
  thud_free(context, work);
  thud_free(context, found);
  thud_free(context, copy);
  return error;
}

thud_error thud_dense_eigen_symmetric(thud_context *context, thud_index n, const double *A, double *values,
                                      double *vectors) {
  THUD_REQUIRE(context, context, n == 0 || (A && values));
  if (n < 0) return thud_fail(context, THUD_ERROR_ARGUMENT, "eigenvalues: the size is %d", (int)n);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = j; i < n; i++)
      if (!isfinite(A[thud_at(n, i, j)]))
        return thud_fail(context, THUD_ERROR_NOT_FINITE, "eigenvalues: entry (%d,%d) is %g", (int)i, (int)j,
                         A[thud_at(n, i, j)]);
  return n <= TINY ? eigen_tiny(context, n, A, values, vectors) : eigen_lapack(context, n, A, values, vectors);
}

/* ---- general systems ---------------------------------------------------------------------------- */

/* The power of two that brings `largest` into [1/2, 1[, and 1 for 0; no larger than 2^1000. */
static double scale_to_one(double largest) {
  int exponent = 0;
  frexp(largest, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* Scales each row and then each column so that its largest entry is in [1/2, 1[: exact, and makes the choice of pivots
 * and the test for singularity independent of units. */
static void equilibrate(thud_index n, double *A, double *row_scale, double *column_scale) {
  for (thud_index i = 0; i < n; i++) {
    double largest = 0;
    for (thud_index j = 0; j < n; j++) largest = fmax(largest, fabs(A[thud_at(n, i, j)]));
    row_scale[i] = scale_to_one(largest);
    for (thud_index j = 0; j < n; j++) A[thud_at(n, i, j)] *= row_scale[i];
  }
  for (thud_index j = 0; j < n; j++) {
    double largest = 0;
    for (thud_index i = 0; i < n; i++) largest = fmax(largest, fabs(A[thud_at(n, i, j)]));
    column_scale[j] = scale_to_one(largest);
    for (thud_index i = 0; i < n; i++) A[thud_at(n, i, j)] *= column_scale[j];
  }
}

/* |A|_1, the largest sum of magnitudes of a column. */
static double one_norm(thud_index n, const double *A) {
  double norm = 0;
  for (thud_index j = 0; j < n; j++) {
    double sum = 0;
    for (thud_index i = 0; i < n; i++) sum += fabs(A[thud_at(n, i, j)]);
    norm = fmax(norm, sum);
  }
  return norm;
}

/* PA = LU in place; pivots[k] is the row exchanged with k (0-based). A zero pivot leaves its column as it is. */
static void lu_tiny(thud_index n, double *A, lapack_int *pivots) {
  for (thud_index k = 0; k < n; k++) {
    thud_index p = k;
    for (thud_index i = k + 1; i < n; i++)
      if (fabs(A[thud_at(n, i, k)]) > fabs(A[thud_at(n, p, k)])) p = i;
    pivots[k] = p;
    double pivot = A[thud_at(n, p, k)];
    if (pivot == 0) continue;
    for (thud_index j = 0; j < n; j++) {
      double t = A[thud_at(n, k, j)];
      A[thud_at(n, k, j)] = A[thud_at(n, p, j)];
      A[thud_at(n, p, j)] = t;
    }
    for (thud_index i = k + 1; i < n; i++) A[thud_at(n, i, k)] /= pivot;
    for (thud_index j = k + 1; j < n; j++)
      for (thud_index i = k + 1; i < n; i++) A[thud_at(n, i, j)] -= A[thud_at(n, i, k)] * A[thud_at(n, k, j)];
  }
}

static void lu_solve_tiny(thud_index n, const double *LU, const lapack_int *pivots, double *b) {
  for (thud_index k = 0; k < n; k++) { /* all exchanges first: the multipliers took part in the later ones */
    double t = b[k];
    b[k] = b[pivots[k]];
    b[pivots[k]] = t;
  }
  for (thud_index k = 0; k < n; k++)
    for (thud_index i = k + 1; i < n; i++) b[i] -= LU[thud_at(n, i, k)] * b[k];
  for (thud_index k = n - 1; k >= 0; k--) {
    b[k] /= LU[thud_at(n, k, k)];
    for (thud_index i = 0; i < k; i++) b[i] -= LU[thud_at(n, i, k)] * b[k];
  }
}

typedef struct lu_work {
  double *LU;                       /* [n*n] */
  double *row_scale, *column_scale; /* [n] each */
  lapack_int *pivots;               /* [n] */
  double *real;                     /* [4n], sizes above THUD_DENSE_TINY only, as is the next */
  lapack_int *integer;              /* [n] */
} lu_work;
_Static_assert(sizeof(lapack_int) == sizeof(thud_index), "pivots are stored as thud_index");

/* 1/(|A|_1 |A^-1|_1), with the inverse's columns one by one. Pivots above sqrt(eps) spare the work: at this size
 * partial pivoting cannot hide singularity behind them (it would have to grow by 2^26, the most is 2^15). */
static double reciprocal_condition_tiny(thud_index n, const lu_work *work, double norm) {
  double smallest = 1, inverse_norm = 0;
  for (thud_index k = 0; k < n; k++) smallest = fmin(smallest, fabs(work->LU[thud_at(n, k, k)]));
  if (smallest > sqrt(DBL_EPSILON)) return 1;
  for (thud_index j = 0; j < n; j++) {
    double column[TINY] = {0};
    column[j] = 1;
    lu_solve_tiny(n, work->LU, work->pivots, column);
    double sum = 0;
    for (thud_index i = 0; i < n; i++) sum += fabs(column[i]);
    inverse_norm = fmax(inverse_norm, sum);
  }
  return 1 / (norm * inverse_norm);
}

/* LU = A + E with |E| of about n eps |A|: a singular A has a factorisation whose reciprocal condition is no larger. */
static thud_error check_condition(thud_context *context, thud_index n, const lu_work *work, double norm) {
  for (thud_index k = 0; k < n; k++)
    if (work->LU[thud_at(n, k, k)] == 0)
      return thud_fail(context, THUD_ERROR_SINGULAR, "solve: pivot %d is 0: the matrix is singular", (int)k);
  double reciprocal = 0;
  if (n <= TINY)
    reciprocal = reciprocal_condition_tiny(n, work, norm);
  else
    THUD_BLAS(LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, work->LU, n, norm, &reciprocal, work->real, work->integer));
  if (reciprocal > (double)n * DBL_EPSILON) return THUD_OK;
  return thud_fail(context, THUD_ERROR_SINGULAR,
                   "solve: the matrix is singular to working precision (reciprocal condition number %.3g)", reciprocal);
}

/* B is written only after the factors were found good. */
static thud_error solve_in(thud_context *context, thud_index n, const double *A, thud_index nrhs, double *B,
                           const lu_work *work) {
  copy_matrix(n, n, A, work->LU);
  equilibrate(n, work->LU, work->row_scale, work->column_scale);
  double norm = one_norm(n, work->LU);
  if (n <= TINY)
    lu_tiny(n, work->LU, work->pivots);
  else
    THUD_BLAS(LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, work->LU, n, work->pivots));
  thud_error error = check_condition(context, n, work, norm);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < nrhs; j++)
    for (thud_index i = 0; i < n; i++) B[thud_at(n, i, j)] *= work->row_scale[i];
  if (n > TINY)
    THUD_BLAS(LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, nrhs, work->LU, n, work->pivots, B, n));
  else
    for (thud_index j = 0; j < nrhs; j++) lu_solve_tiny(n, work->LU, work->pivots, B + thud_at(n, 0, j));
  for (thud_index j = 0; j < nrhs; j++)
    for (thud_index i = 0; i < n; i++) B[thud_at(n, i, j)] *= work->column_scale[i];
  return THUD_OK;
}

static thud_error check_solve(thud_context *context, thud_index n, const double *A, thud_index nrhs, const double *B) {
  if (n < 0 || nrhs < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "solve: the size is %d with %d right-hand sides", (int)n, (int)nrhs);
  thud_error error = check_finite(context, "solve: matrix", n, n, A);
  return error == THUD_OK ? check_finite(context, "solve: right-hand side", n, nrhs, B) : error;
}

thud_error thud_dense_solve_in(thud_context *context, thud_index n, const double *A, thud_index nrhs, double *B,
                               double *real, thud_index *integer) {
  thud_error error = check_solve(context, n, A, nrhs, B);
  if (error != THUD_OK || n == 0) return error;
  size_t size = (size_t)n;
  double *rest = real + size * size;
  lu_work work = {real, rest, rest + size, integer, rest + 2 * size, integer + size};
  return solve_in(context, n, A, nrhs, B, &work);
}

bool thud_dense_lu(thud_index n, double *A, thud_index *pivots) {
  double smallest = INFINITY, largest = 0;
  if (n <= TINY)
    lu_tiny(n, A, pivots);
  else
    THUD_BLAS(LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots));
  for (thud_index k = 0; k < n; k++) {
    double pivot = fabs(A[thud_at(n, k, k)]);
    if (!isfinite(pivot)) return false;
    if (pivot < smallest) smallest = pivot;
    if (pivot > largest) largest = pivot;
  }
  return n == 0 || smallest > (double)n * DBL_EPSILON * largest;
}

void thud_dense_lu_solve(thud_index n, const double *LU, const thud_index *pivots, double *b) {
  if (n <= TINY)
    lu_solve_tiny(n, LU, pivots, b);
  else
    THUD_BLAS(LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, LU, n, pivots, b, n));
}

int thud_dense_lu_sign(thud_index n, const double *LU, const thud_index *pivots) {
  thud_index first = n <= TINY ? 0 : 1; /* LAPACK counts the rows from 1 */
  int sign = 1;
  for (thud_index k = 0; k < n; k++) {
    double pivot = LU[thud_at(n, k, k)];
    if (pivots[k] != k + first) sign = -sign;
    sign *= (pivot > 0) - (pivot < 0);
  }
  return sign;
}

bool thud_dense_solve_in_place(thud_index n, double *A, double *b, thud_index *pivots) {
  if (!thud_dense_lu(n, A, pivots)) return false;
  thud_dense_lu_solve(n, A, pivots, b);
  return true;
}

thud_error thud_dense_solve(thud_context *context, thud_index n, const double *A, thud_index nrhs, double *B) {
  THUD_REQUIRE(context, context, n == 0 || A, n == 0 || nrhs == 0 || B);
  if (n > TINY) {
    double *real = THUD_NEW_ARRAY(context, double, thud_dense_solve_reals(n));
    thud_index *integer = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)n);
    thud_error error = THUD_ERROR_MEMORY;
    if (real != NULL && integer != NULL) error = thud_dense_solve_in(context, n, A, nrhs, B, real, integer);
    thud_free(context, integer);
    thud_free(context, real);
    return error;
  }
  double real[TINY * TINY + 6 * TINY];
  thud_index integer[2 * TINY];
  return thud_dense_solve_in(context, n, A, nrhs, B, real, integer);
}
