/* Orthonormal bases of the range of a matrix and of its complement. */
#include "linalg/dense.h"
#include "base/base.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* QR with column pivoting of B[n*m] in place (leading dimension n), then Q[n*n] into `columns`. */
static thud_error factorize(thud_context *context, thud_index n, thud_index m, double *columns, thud_index *pivots,
                            double *diagonal) {
  thud_error error = THUD_ERROR_MEMORY;
  thud_index smaller = m < n ? m : n;
  double query[2];
  LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, NULL, n, NULL, NULL, &query[0], -1);
  LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, n, smaller, NULL, n, NULL, &query[1], -1);
  lapack_int lwork = (lapack_int)fmax(query[0], query[1]);
  double *tau = THUD_NEW_ARRAY(context, double, smaller), *work = THUD_NEW_ARRAY(context, double, lwork);
  if (tau == NULL || work == NULL) goto done;
  LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, columns, n, pivots, tau, work, lwork);
  for (thud_index k = 0; k < smaller; k++) diagonal[k] = fabs(columns[thud_at(n, k, k)]);
  LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, n, smaller, columns, n, tau, work, lwork);
  error = THUD_OK;
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
  size_t rows = (size_t)n, wide = (size_t)(m > n ? m : n), given = rows * (size_t)m;
  thud_error error = THUD_ERROR_MEMORY;
  double *columns = THUD_NEW_ARRAY(context, double, rows *wide);
  double *diagonal = THUD_NEW_ARRAY(context, double, wide);
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
    error = factorize(context, n, m, columns, pivots, diagonal);
    if (error != THUD_OK) goto done;
  } else {
    for (size_t i = 0; i < rows; i++) columns[i * rows + i] = 1;
  }
  if (rows > 0) memcpy(Q, columns, rows * rows * sizeof *Q);
  count_pivots(m < n ? m : n, diagonal, tolerance, split);
  error = THUD_OK;
done:
  thud_free(context, columns);
  thud_free(context, diagonal);
  thud_free(context, pivots);
  return error;
}
