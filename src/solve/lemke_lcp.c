#include "solve/lemke_lcp.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

thud_index thud_contact_lcp_order(const thud_contact_problem *problem) {
  return problem->dimension == 1 ? problem->contacts : 3 * problem->contacts;
}

thud_error thud_contact_lcp_allocate(thud_context *context, const thud_contact_problem *problem,
                                     thud_contact_lcp *lcp) {
  size_t contacts = (size_t)problem->contacts;
  *lcp = (thud_contact_lcp){.dimension = problem->dimension, .contacts = problem->contacts};
  lcp->order = thud_contact_lcp_order(problem);
  size_t order = (size_t)lcp->order;
  lcp->low = THUD_NEW_ARRAY(context, double, contacts);
  lcp->high = THUD_NEW_ARRAY(context, double, contacts);
  lcp->M = THUD_NEW_ARRAY(context, double, order *order);
  lcp->q = THUD_NEW_ARRAY(context, double, order);
  if (lcp->low != NULL && lcp->high != NULL && lcp->M != NULL && lcp->q != NULL) return THUD_OK;
  thud_contact_lcp_release(context, lcp);
  return THUD_ERROR_MEMORY;
}

void thud_contact_lcp_release(thud_context *context, thud_contact_lcp *lcp) {
  double *const arrays[] = {lcp->low, lcp->high, lcp->M, lcp->q};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  *lcp = (thud_contact_lcp){0};
}

/* The interval of r_T / r_N: [-mu, mu], or that of a law, which is an interval around 0 in the plane. */
static thud_error friction_interval(const thud_contact_problem *problem, thud_index contact, double *low,
                                    double *high) {
  thud_set *law = problem->laws != NULL ? problem->laws[contact] : NULL;
  if (law == NULL) {
    *high = problem->mu[contact];
    *low = -*high;
    return THUD_OK;
  }
  double below = 0;
  thud_error error = thud_set_support(law, (double[]){1}, high, NULL, NULL);
  if (error == THUD_OK) error = thud_set_support(law, (double[]){-1}, &below, NULL, NULL);
  *low = -below;
  return error;
}

/* Column r_j of W serves two unknowns: r_N = z_1 and r_T = z_2 + low z_1. */
static void set_plane_columns(thud_contact_lcp *lcp, size_t contact, const double *W) {
  size_t n = (size_t)lcp->contacts, order = 3 * n, size = 2 * n;
  const double *normal = W + 2 * contact * size, *tangent = normal + size;
  double *z_1 = lcp->M + contact * order, *z_2 = z_1 + n * order, *z_3 = z_2 + n * order, low = lcp->low[contact];
  for (size_t k = 0; k < n; k++) {
    z_1[k] = normal[2 * k] + low * tangent[2 * k];
    z_1[n + k] = normal[2 * k + 1] + low * tangent[2 * k + 1];
    z_2[k] = tangent[2 * k];
    z_2[n + k] = tangent[2 * k + 1];
    z_1[2 * n + k] = z_2[2 * n + k] = 0;
  }
  memset(z_3, 0, order * sizeof *z_3);
  z_3[n + contact] = 1;
  z_1[2 * n + contact] = lcp->high[contact] - low;
  z_2[2 * n + contact] = -1;
}

thud_error thud_contact_lcp_set(thud_context *context, const thud_contact_problem *problem, const double *W,
                                const double *q, thud_contact_lcp *lcp) {
  size_t n = (size_t)lcp->contacts;
  if (lcp->dimension == 1) {
    if (n > 0) memcpy(lcp->M, W, n * n * sizeof *W);
    if (n > 0) memcpy(lcp->q, q, n * sizeof *q);
    return THUD_OK;
  }
  for (size_t k = 0; k < n; k++) {
    thud_error error = friction_interval(problem, (thud_index)k, &lcp->low[k], &lcp->high[k]);
    if (error != THUD_OK) return thud_fail_within(context, error, "law of contact %zu", k);
    set_plane_columns(lcp, k, W);
    lcp->q[k] = q[2 * k];
    lcp->q[n + k] = q[2 * k + 1];
    lcp->q[2 * n + k] = 0;
  }
  return THUD_OK;
}

void thud_contact_lcp_impulses(const thud_contact_lcp *lcp, const double *z, double *r) {
  size_t n = (size_t)lcp->contacts;
  for (size_t k = 0; k < n; k++) {
    if (lcp->dimension == 1) {
      r[k] = z[k];
      continue;
    }
    r[2 * k] = z[k];
    r[2 * k + 1] = fmin(z[n + k] + lcp->low[k] * z[k], lcp->high[k] * z[k]);
  }
}

/* Data length of unknown i: an impulse, or a velocity for u_T-. */
static double data_length(const thud_contact_lcp *lcp, size_t i, double impulse, double velocity) {
  return i >= 2 * (size_t)lcp->contacts ? velocity : impulse;
}

double thud_contact_lcp_excludes(const thud_contact_lcp *lcp, const double *y) {
  size_t order = (size_t)lcp->order, rows = (size_t)(lcp->dimension * lcp->contacts); /* those of u */
  double rounding = (double)order * DBL_EPSILON, W_size = 0, q_size = 0, product = 0, product_size = 0;
  for (size_t i = 0; i < rows; i++) {
    q_size = fmax(q_size, fabs(lcp->q[i]));
    for (size_t j = 0; j < rows; j++) W_size = fmax(W_size, fabs(lcp->M[j * order + i]));
  }
  for (size_t i = 0; i < order; i++) {
    product += lcp->q[i] * y[i];
    product_size += fabs(lcp->q[i] * y[i]);
  }
  if (!(product < -rounding * product_size)) return 0;
  double impulse = W_size > 0 ? q_size / W_size : 1, sum = 0;
  for (size_t j = 0; j < order; j++) {
    double value = 0, size = 0;
    for (size_t i = 0; i < order; i++) {
      double term = lcp->M[j * order + i] * y[i];
      value += term;
      size += fabs(term);
    }
    sum += fmax(value + rounding * size, 0) * data_length(lcp, j, impulse, q_size);
  }
  return sum > 0 ? -product / sum : INFINITY;
}
