/* A metric as the sets see it: the caller's thud_metric, or a block, a congruence or an inverse of one that lives in a
 * set's own workspace (a thud_metric could not be made there, because queries allocate nothing). */
#ifndef THUD_SRC_CONVEX_VIEW_H
#define THUD_SRC_CONVEX_VIEW_H

#include "thud/linalg.h"

/* Exactly one of these: whole != NULL; diagonal != NULL; M and L != NULL; all NULL: the Euclidean metric. Borrows. */
typedef struct thud_metric_view {
  thud_index n;
  const thud_metric *whole;
  const double *diagonal; /* [n] > 0 */
  const double *M;        /* [n*n] column-major */
  const double *L;        /* [n*n] column-major, lower triangle, M = LL' */
} thud_metric_view;

thud_metric_view thud_view_euclidean(thud_index n);
thud_metric_view thud_view_of(const thud_metric *metric, thud_index n);
thud_metric_view thud_view_of_diagonal(thud_index n, const double *diagonal);
/* M[n*n] is full; L[n*n] is overwritten by its Cholesky factor. THUD_ERROR_NOT_SPD leaves *view untouched. */
thud_error thud_view_of_matrix(thud_context *context, thud_index n, const double *M, double *L, thud_metric_view *view);

bool thud_view_is_euclidean(const thud_metric_view *view);
bool thud_view_is_diagonal(const thud_metric_view *view); /* the Euclidean metric included */
double thud_view_entry(const thud_metric_view *view, thud_index i, thud_index j);
/* out[n*n] = M column-major. */
void thud_view_copy(const thud_metric_view *view, double *out);
/* y = M x, M^-1 x, L'x, L^-T x; x and y may be the same array. */
void thud_view_apply(const thud_metric_view *view, const double *x, double *y);
void thud_view_solve(const thud_metric_view *view, const double *x, double *y);
void thud_view_to_euclidean(const thud_metric_view *view, const double *x, double *y);
void thud_view_from_euclidean(const thud_metric_view *view, const double *x, double *y);
/* y = L^-1 x. */
void thud_view_covector(const thud_metric_view *view, const double *x, double *y);
/* sqrt(x'Mx); work[n]. */
double thud_view_norm(const thud_metric_view *view, const double *x, double *work);
/* The block of rows and columns first .. first+n-1; work[2*n*n] holds it (n entries suffice for a diagonal metric). */
thud_error thud_view_block(thud_context *context, const thud_metric_view *view, thud_index first, thud_index n,
                           double *work, thud_metric_view *block);
/* The inverse metric; work[2*n*n]. */
thud_error thud_view_inverse(thud_context *context, const thud_metric_view *view, double *work,
                             thud_metric_view *inverse);
/* The metric L'ML of the coordinates u of x = L u, L column-major n x n, invertible; work[3*n*n]. */
thud_error thud_view_congruence(thud_context *context, const thud_metric_view *view, const double *L, double *work,
                                thud_metric_view *congruent);

/* Small vector helpers of this layer; norms neither overflow nor underflow. */
double thud_vector_dot(thud_index n, const double *x, const double *y);
double thud_vector_norm(thud_index n, const double *x);
double thud_vector_distance(thud_index n, const double *x, const double *y);
double thud_vector_max(thud_index n, const double *x);

#endif
