/* Orthonormal bases of the range of a matrix and of its complement. */
#include "linalg/dense.h"
#include "base/base.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* LAPACK's step of dgeqp3: nb columns by reflections with pivoting, kb of them done (fewer when norms have to be computed
 * anew). It is called by itself so that large matrices can be stopped between two of them. */
extern void dlaqps_(const lapack_int *m, const lapack_int *n, const lapack_int *offset, const lapack_int *nb,
                    lapack_int *kb, double *A, const lapack_int *lda, lapack_int *pivots, double *tau, double *norms,
                    double *norms_exact, double *aux, double *F, const lapack_int *ldf);

enum { PANEL = 32, BLOCK = 128 };

/* QR with column pivoting of A[n*m] in place, as dgeqp3; work[2*m + PANEL*(m + 1)]. */
static thud_error factorize_by_panels(thud_context *context, thud_index n, thud_index m, double *A, thud_index *pivots,
                                      double *tau, double *work) {
  thud_index smaller = m < n ? m : n;
  double *norms = work, *exact = norms + m, *aux = exact + m, *F = aux + PANEL;
  for (thud_index j = 0; j < m; j++) {
    pivots[j] = j;
    norms[j] = exact[j] = thud_norm2(NULL, (size_t)n, A + thud_at(n, 0, j));
  }
  for (lapack_int done = 0, step = 0; done < smaller; done += step) {
    thud_error error = thud_context_ask(context, "range of a matrix");
    if (error != THUD_OK) return error;
    lapack_int rest = m - done, wide = smaller - done < PANEL ? smaller - done : PANEL;
    THUD_BLAS(dlaqps_(&n, &rest, &done, &wide, &step, A + thud_at(n, 0, done), &n, pivots + done, tau + done,
                      norms + done, exact + done, aux, F, &rest));
  }
  return THUD_OK;
}

/* Q[n*n] of the reflections in A[n*reflections], by columns of the unit matrix. */
static thud_error form_q(thud_context *context, thud_index n, thud_index reflections, const double *A,
                         const double *tau, double *work, lapack_int lwork, double *Q) {
  for (thud_index j = 0; j < n; j += BLOCK) {
    thud_error error = thud_context_ask(context, "range of a matrix");
    if (error != THUD_OK) return error;
    thud_index count = n - j < BLOCK ? n - j : BLOCK;
    double *block = Q + thud_at(n, 0, j);
    memset(block, 0, (size_t)n * (size_t)count * sizeof *block);
    for (thud_index i = 0; i < count; i++) block[thud_at(n, j + i, i)] = 1;
    THUD_BLAS(LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, count, reflections, A, n, tau, block, n, work, lwork));
  }
  return THUD_OK;
}

/* QR with column pivoting of B[n*m] in place (leading dimension n), then Q[n*n]. */
static thud_error factorize(thud_context *context, thud_index n, thud_index m, double *columns, thud_index *pivots,
                            double *diagonal, double *Q) {
  thud_error error = THUD_ERROR_MEMORY;
  thud_index smaller = m < n ? m : n;
  double query;
  LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, BLOCK, smaller, NULL, n, NULL, NULL, n, &query, -1);
  lapack_int lwork = (lapack_int)fmax(query, 2.0 * m + PANEL * (m + 1.0));
  double *tau = THUD_NEW_ARRAY(context, double, smaller), *work = THUD_NEW_ARRAY(context, double, lwork);
  if (tau == NULL || work == NULL) goto done;
  error = factorize_by_panels(context, n, m, columns, pivots, tau, work);
  if (error != THUD_OK) goto done;
  for (thud_index k = 0; k < smaller; k++) diagonal[k] = fabs(columns[thud_at(n, k, k)]);
  error = form_q(context, n, smaller, columns, tau, work, lwork, Q);
done:
  thud_free(context, tau);
  thud_free(context, work);
  return error;
}

static void count_pivots(thud_index n, const double *diagonal, double tolerance, thud_range_split *split) {
  *split = (thud_range_split){0};
  double largest = 0;
  for (thud_index k = 0; k < n; k++) largest = fmax(largest, diagonal[k]);
  for (thud_index k = 0; k < n && largest > 0; k++) {
    double part = diagonal[k] / largest;
    if (part > tolerance) {
      split->rank++;
      split->smallest_kept = split->smallest_kept == 0 ? part : fmin(split->smallest_kept, part);
    } else {
      split->largest_dropped = fmax(split->largest_dropped, part);
    }
  }
}

thud_error thud_dense_split_range(thud_context *context, thud_index n, thud_index m, const double *B, double tolerance,
                                  double *Q, thud_range_split *split) {
  size_t rows = (size_t)n, given = rows * (size_t)m;
  thud_error error = THUD_ERROR_MEMORY;
  double *columns = THUD_NEW_ARRAY(context, double, given);
  double *diagonal = THUD_NEW_ARRAY(context, double, m < n ? m : n);
  thud_index *pivots = THUD_NEW_ARRAY(context, thud_index, m);
  if (columns == NULL || diagonal == NULL || pivots == NULL) goto done;
  for (size_t k = 0; k < given; k++)
    if (!isfinite(B[k])) {
      error = thud_fail(context, THUD_ERROR_NOT_FINITE, "range of a matrix: entry (%zu,%zu) is %g", k % rows, k / rows,
                        B[k]);
      goto done;
    }
  if (given > 0) memcpy(columns, B, given * sizeof *B);
  if (given > 0) {
    error = factorize(context, n, m, columns, pivots, diagonal, Q);
    if (error != THUD_OK) goto done;
  } else {
    for (size_t i = 0; i < rows * rows; i++) Q[i] = i % (rows + 1) == 0 ? 1 : 0;
  }
  count_pivots(m < n ? m : n, diagonal, tolerance, split);
  error = THUD_OK;
done:
  thud_free(context, columns);
  thud_free(context, diagonal);
  thud_free(context, pivots);
  return error;
}
