#include "solve/lemke_lcp.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

thud_index thud_contact_lcp_order(const thud_contact_problem *problem) {
  return problem->dimension == 1 ? problem->contacts : 4 * problem->contacts;
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

thud_error thud_contact_friction_interval(const thud_contact_problem *problem, thud_index contact, double *low,
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

/* One column of M from a column of W, which velocities per unit impulse: (u_N, high u_T, low u_T), times a factor. */
static void set_velocities(const thud_contact_lcp *lcp, const double *column_of_W, double factor, double *column) {
  size_t n = (size_t)lcp->contacts;
  for (size_t k = 0; k < n; k++) {
    column[k] = factor * column_of_W[2 * k];
    column[n + k] = lcp->high[k] * factor * column_of_W[2 * k + 1];
    column[2 * n + k] = lcp->low[k] * factor * column_of_W[2 * k + 1];
    column[3 * n + k] = 0;
  }
}

/* The columns of r_N, b, c and s of one contact. */
static void set_plane_columns(thud_contact_lcp *lcp, size_t contact, const double *W) {
  size_t n = (size_t)lcp->contacts, order = 4 * n, size = 2 * n;
  const double *normal = W + 2 * contact * size, *tangent = normal + size;
  double *columns[4];
  for (size_t k = 0; k < 4; k++) columns[k] = lcp->M + (k * n + contact) * order;
  set_velocities(lcp, normal, 1, columns[0]);
  set_velocities(lcp, tangent, lcp->high[contact], columns[1]);
  set_velocities(lcp, tangent, lcp->low[contact], columns[2]);
  memset(columns[3], 0, order * sizeof *columns[3]);
  columns[0][3 * n + contact] = 1;
  columns[1][3 * n + contact] = columns[2][3 * n + contact] = -1;
  columns[3][n + contact] = columns[3][2 * n + contact] = 1;
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
    thud_error error = thud_contact_friction_interval(problem, (thud_index)k, &lcp->low[k], &lcp->high[k]);
    if (error != THUD_OK) return thud_fail_within(context, error, "law of contact %zu", k);
  }
  for (size_t k = 0; k < n; k++) set_plane_columns(lcp, k, W);
  set_velocities(lcp, q, 1, lcp->q);
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
    double tangential = lcp->high[k] * z[n + k] + lcp->low[k] * z[2 * n + k];
    r[2 * k + 1] = fmin(fmax(tangential, lcp->low[k] * z[k]), lcp->high[k] * z[k]);
  }
}

/* (c_N + max(low c_T, high c_T))+ of one contact, c = W_N' y, raised by its rounding error. */
static double pull_of_contact(const thud_contact_lcp *lcp, size_t contact, const double *W, const double *y) {
  size_t n = (size_t)lcp->contacts, d = (size_t)lcp->dimension, size = d * n;
  double c[2] = {0, 0}, rounding[2] = {0, 0};
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < n; k++) {
      double term = W[(d * contact + j) * size + d * k] * y[k];
      c[j] += term;
      rounding[j] += (double)size * DBL_EPSILON * fabs(term);
    }
  if (d == 1) return fmax(c[0] + rounding[0], 0);
  double friction = fmax(lcp->low[contact] * c[1], lcp->high[contact] * c[1]);
  double reach = fmax(-lcp->low[contact], lcp->high[contact]);
  return fmax(c[0] + friction + rounding[0] + reach * rounding[1], 0);
}

double thud_contact_lcp_excludes(const thud_contact_lcp *lcp, const double *W, const double *q, const double *y) {
  size_t n = (size_t)lcp->contacts, d = (size_t)lcp->dimension, size = d * n;
  double W_size = 0, q_size = 0, product = 0, product_size = 0, sum = 0;
  for (size_t i = 0; i < size * size; i++) W_size = fmax(W_size, fabs(W[i]));
  for (size_t i = 0; i < size; i++) q_size = fmax(q_size, fabs(q[i]));
  for (size_t k = 0; k < n; k++) {
    product += q[d * k] * y[k];
    product_size += fabs(q[d * k] * y[k]);
  }
  if (!(product < -(double)size * DBL_EPSILON * product_size)) return 0;
  for (size_t k = 0; k < n; k++) sum += pull_of_contact(lcp, k, W, y);
  if (W_size > 0) sum *= q_size / W_size;
  return sum > 0 ? -product / sum : INFINITY;
}
