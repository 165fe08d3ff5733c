#include "pivot/lcp.h"

#include "base/base.h"

#include <math.h>

static thud_error check(thud_context *context, const char *method, thud_index n, const double *M, const double *q) {
  if (n < 1) return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: size %d, must be >= 1", method, n);
  if (M == NULL || q == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: NULL argument", method);
  size_t size = (size_t)n;
  for (size_t k = 0; k < size * size; k++)
    if (!isfinite(M[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s: M, row %zu, column %zu is %g", method, k % size, k / size,
                       M[k]);
  for (size_t i = 0; i < size; i++)
    if (!isfinite(q[i])) return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s: q[%zu] is %g", method, i, q[i]);
  return THUD_OK;
}

/* The power of two that brings x into [1/2, 1[; 1 for 0. */
static double unit_scale(double x) {
  int exponent = 0;
  if (x > 0) frexp(x, &exponent);
  return ldexp(1, exponent > -1000 ? -exponent : 1000);
}

static void equilibrate(thud_scaled_lcp *lcp, const double *M, const double *q) {
  size_t n = (size_t)lcp->n;
  for (size_t i = 0; i < n; i++) {
    double largest = 0;
    for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(M[j * n + i]));
    lcp->row_scale[i] = unit_scale(largest > 0 ? largest : fabs(q[i]));
    lcp->q[i] = lcp->row_scale[i] * q[i];
  }
  for (size_t j = 0; j < n; j++) {
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(lcp->row_scale[i] * M[j * n + i]));
    lcp->column_scale[j] = unit_scale(largest);
    for (size_t i = 0; i < n; i++) lcp->M[j * n + i] = lcp->row_scale[i] * M[j * n + i] * lcp->column_scale[j];
  }
  /* One more factor, rows by s and columns by 1/s, leaves M' alone and brings q' to size 1. */
  double q_size = 0;
  for (size_t i = 0; i < n; i++) q_size = fmax(q_size, fabs(lcp->q[i]));
  double s = unit_scale(q_size);
  for (size_t i = 0; i < n; i++) {
    lcp->q[i] *= s;
    lcp->row_scale[i] *= s;
    lcp->column_scale[i] /= s;
  }
}

thud_error thud_scaled_lcp_allocate(thud_context *context, thud_index n, thud_scaled_lcp *lcp) {
  size_t size = (size_t)n;
  *lcp = (thud_scaled_lcp){.n = n};
  lcp->M = THUD_NEW_ARRAY(context, double, size *size);
  lcp->q = THUD_NEW_ARRAY(context, double, size);
  lcp->row_scale = THUD_NEW_ARRAY(context, double, size);
  lcp->column_scale = THUD_NEW_ARRAY(context, double, size);
  if (lcp->M != NULL && lcp->q != NULL && lcp->row_scale != NULL && lcp->column_scale != NULL) return THUD_OK;
  thud_scaled_lcp_release(context, lcp);
  return THUD_ERROR_MEMORY;
}

thud_error thud_scaled_lcp_set(thud_context *context, const char *method, thud_index n, const double *M,
                               const double *q, thud_scaled_lcp *lcp) {
  thud_error error = check(context, method, n, M, q);
  if (error != THUD_OK) return error;
  lcp->n = n;
  equilibrate(lcp, M, q);
  return THUD_OK;
}

thud_error thud_scaled_lcp_init(thud_context *context, const char *method, thud_index n, const double *M,
                                const double *q, thud_scaled_lcp *lcp) {
  thud_error error = check(context, method, n, M, q);
  if (error == THUD_OK) error = thud_scaled_lcp_allocate(context, n, lcp);
  if (error == THUD_OK) error = thud_scaled_lcp_set(context, method, n, M, q, lcp);
  return error;
}

void thud_scaled_lcp_release(thud_context *context, thud_scaled_lcp *lcp) {
  thud_free(context, lcp->M);
  thud_free(context, lcp->q);
  thud_free(context, lcp->row_scale);
  thud_free(context, lcp->column_scale);
  *lcp = (thud_scaled_lcp){0};
}

double thud_scaled_lcp_row(const thud_scaled_lcp *lcp, thud_index i, const double *z, double *size) {
  size_t n = (size_t)lcp->n, row = (size_t)i;
  double value = 0, magnitude = fabs(lcp->q[row]);
  for (size_t j = 0; j < n; j++) {
    double term = lcp->M[j * n + row] * z[j];
    value += term;
    magnitude += fabs(term);
  }
  if (size != NULL) *size = magnitude;
  return value + lcp->q[row];
}
