#include "convex/view.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* ---- vectors ----------------------------------------------------------------------------------------- */

double thud_vector_dot(thud_index n, const double *x, const double *y) {
  double sum = 0;
  for (thud_index i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

double thud_vector_max(thud_index n, const double *x) {
  double largest = 0;
  for (thud_index i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

double thud_vector_norm(thud_index n, const double *x) {
  double scale = thud_vector_max(n, x), sum = 0;
  if (scale == 0 || !isfinite(scale)) return scale;
  for (thud_index i = 0; i < n; i++) sum += (x[i] / scale) * (x[i] / scale);
  return scale * sqrt(sum);
}

double thud_vector_distance(thud_index n, const double *x, const double *y) {
  double scale = 0, sum = 0;
  for (thud_index i = 0; i < n; i++) scale = fmax(scale, fabs(x[i] - y[i]));
  if (scale == 0 || !isfinite(scale)) return scale;
  for (thud_index i = 0; i < n; i++) sum += ((x[i] - y[i]) / scale) * ((x[i] - y[i]) / scale);
  return scale * sqrt(sum);
}

/* ---- views ------------------------------------------------------------------------------------------- */

thud_metric_view thud_view_euclidean(thud_index n) { return (thud_metric_view){.n = n}; }

thud_metric_view thud_view_of(const thud_metric *metric, thud_index n) {
  return (thud_metric_view){.n = n, .whole = metric};
}

thud_metric_view thud_view_of_diagonal(thud_index n, const double *diagonal) {
  return (thud_metric_view){.n = n, .diagonal = diagonal};
}

thud_error thud_view_of_matrix(thud_context *context, thud_index n, const double *M, double *L,
                               thud_metric_view *view) {
  memcpy(L, M, (size_t)n * (size_t)n * sizeof *L);
  thud_error error = thud_dense_cholesky(context, n, L, NULL);
  if (error == THUD_OK) *view = (thud_metric_view){.n = n, .M = M, .L = L};
  return error;
}

bool thud_view_is_euclidean(const thud_metric_view *view) {
  return view->whole == NULL && view->diagonal == NULL && view->M == NULL;
}

bool thud_view_is_diagonal(const thud_metric_view *view) {
  return view->whole != NULL ? thud_metric_is_diagonal(view->whole) : view->M == NULL;
}

double thud_view_entry(const thud_metric_view *view, thud_index i, thud_index j) {
  if (view->whole != NULL) return thud_metric_entry(view->whole, i, j);
  if (view->M != NULL) return view->M[(size_t)j * (size_t)view->n + (size_t)i];
  if (i != j) return 0;
  return view->diagonal != NULL ? view->diagonal[i] : 1;
}

void thud_view_copy(const thud_metric_view *view, double *out) {
  for (thud_index j = 0; j < view->n; j++)
    for (thud_index i = 0; i < view->n; i++) *out++ = thud_view_entry(view, i, j);
}

/* y_i = x_i * diagonal_i^power for the powers 1, -1, 1/2, -1/2 (given twice over). */
static void scale_by_diagonal(const thud_metric_view *view, int twice_power, const double *x, double *y) {
  for (thud_index i = 0; i < view->n; i++) {
    double factor = view->diagonal == NULL ? 1 : view->diagonal[i];
    if (twice_power == 1 || twice_power == -1) factor = sqrt(factor);
    y[i] = twice_power > 0 ? x[i] * factor : x[i] / factor;
  }
}

static void move_vector(thud_index n, const double *x, double *y) {
  if (x != y) memmove(y, x, (size_t)n * sizeof *y);
}

/* y = L'x in place order: row i of L' needs x_j, j >= i only. */
static void multiply_lower_transposed(thud_index n, const double *L, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) {
    double sum = 0;
    for (thud_index j = i; j < n; j++) sum += L[(size_t)i * (size_t)n + (size_t)j] * x[j];
    y[i] = sum;
  }
}

/* y = L x: row i needs x_j, j <= i only, so it is filled from the end. */
static void multiply_lower(thud_index n, const double *L, const double *x, double *y) {
  for (thud_index i = n; i-- > 0;) {
    double sum = 0;
    for (thud_index j = 0; j <= i; j++) sum += L[(size_t)j * (size_t)n + (size_t)i] * x[j];
    y[i] = sum;
  }
}

void thud_view_apply(const thud_metric_view *view, const double *x, double *y) {
  if (view->whole != NULL) {
    thud_metric_apply(view->whole, view->n, x, y);
  } else if (view->M != NULL) {
    multiply_lower_transposed(view->n, view->L, x, y);
    multiply_lower(view->n, view->L, y, y);
  } else {
    scale_by_diagonal(view, 2, x, y);
  }
}

void thud_view_solve(const thud_metric_view *view, const double *x, double *y) {
  if (view->whole != NULL) {
    thud_metric_solve(view->whole, view->n, x, y);
  } else if (view->M != NULL) {
    move_vector(view->n, x, y);
    thud_dense_solve_lower(view->n, view->L, false, y);
    thud_dense_solve_lower(view->n, view->L, true, y);
  } else {
    scale_by_diagonal(view, -2, x, y);
  }
}

void thud_view_to_euclidean(const thud_metric_view *view, const double *x, double *y) {
  if (view->whole != NULL) {
    thud_metric_to_euclidean(view->whole, view->n, x, y);
  } else if (view->M != NULL) {
    multiply_lower_transposed(view->n, view->L, x, y);
  } else {
    scale_by_diagonal(view, 1, x, y);
  }
}

void thud_view_from_euclidean(const thud_metric_view *view, const double *x, double *y) {
  if (view->whole != NULL) {
    thud_metric_from_euclidean(view->whole, view->n, x, y);
  } else if (view->M != NULL) {
    move_vector(view->n, x, y);
    thud_dense_solve_lower(view->n, view->L, true, y);
  } else {
    scale_by_diagonal(view, -1, x, y);
  }
}

void thud_view_covector(const thud_metric_view *view, const double *x, double *y) {
  if (view->whole != NULL) {
    thud_metric_covector_to_euclidean(view->whole, view->n, x, y);
  } else if (view->M != NULL) {
    move_vector(view->n, x, y);
    thud_dense_solve_lower(view->n, view->L, false, y);
  } else {
    scale_by_diagonal(view, -1, x, y);
  }
}

double thud_view_norm(const thud_metric_view *view, const double *x, double *work) {
  if (thud_view_is_euclidean(view)) return thud_vector_norm(view->n, x);
  thud_view_to_euclidean(view, x, work);
  return thud_vector_norm(view->n, work);
}

/* ---- derived metrics --------------------------------------------------------------------------------- */

thud_error thud_view_block(thud_context *context, const thud_metric_view *view, thud_index first, thud_index n,
                           double *work, thud_metric_view *block) {
  if (thud_view_is_euclidean(view)) {
    *block = thud_view_euclidean(n);
    return THUD_OK;
  }
  if (thud_view_is_diagonal(view)) {
    for (thud_index i = 0; i < n; i++) work[i] = thud_view_entry(view, first + i, first + i);
    *block = thud_view_of_diagonal(n, work);
    return THUD_OK;
  }
  size_t size = (size_t)n * (size_t)n;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++) work[j * n + i] = thud_view_entry(view, first + i, first + j);
  return thud_view_of_matrix(context, n, work, work + size, block);
}

thud_error thud_view_inverse(thud_context *context, const thud_metric_view *view, double *work,
                             thud_metric_view *inverse) {
  thud_index n = view->n;
  if (thud_view_is_euclidean(view)) {
    *inverse = *view;
    return THUD_OK;
  }
  if (thud_view_is_diagonal(view)) {
    for (thud_index i = 0; i < n; i++) work[i] = 1 / thud_view_entry(view, i, i);
    *inverse = thud_view_of_diagonal(n, work);
    return THUD_OK;
  }
  size_t size = (size_t)n * (size_t)n;
  memset(work, 0, size * sizeof *work);
  for (thud_index j = 0; j < n; j++) {
    double *column = work + (size_t)j * (size_t)n;
    column[j] = 1;
    thud_view_solve(view, column, column);
  }
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < j; i++) work[j * n + i] = work[i * n + j] = 0.5 * (work[j * n + i] + work[i * n + j]);
  return thud_view_of_matrix(context, n, work, work + size, inverse);
}

thud_error thud_view_congruence(thud_context *context, const thud_metric_view *view, const double *L, double *work,
                                thud_metric_view *congruent) {
  thud_index n = view->n;
  size_t size = (size_t)n * (size_t)n;
  double *M = work, *factor = work + size, *root = work + 2 * size;
  for (thud_index j = 0; j < n; j++)
    thud_view_to_euclidean(view, L + (size_t)j * (size_t)n, root + (size_t)j * (size_t)n);
  thud_dense_multiply(n, n, n, 1, root, true, root, false, 0, M);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < j; i++) M[i * n + j] = M[j * n + i];
  return thud_view_of_matrix(context, n, M, factor, congruent);
}
