/* Products with the matrices of the half-plane: dense, or on uniform meshes by transforms on a circle that is long
 * enough (at least 2n - 1 points) for the Toeplitz matrices to be parts of circulant ones. */
#include "motions/half_plane/half_plane.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* out += factor C x. Without a period C is half of (sum of the forces on the left - sum of those on the right). */
static void add_cross(const thud_half_plane *plane, double factor, const double *x, double *out) {
  thud_index n = plane->n;
  if (plane->period > 0) {
    for (thud_index j = 0; j < n; j++)
      for (thud_index i = 0; i < n; i++) out[i] += factor * thud_half_plane_cross_entry(plane, i, j) * x[j];
    return;
  }
  double left = 0, right = thud_sum(plane->context, (size_t)n, x);
  for (thud_index i = 0; i < n; i++) {
    right -= x[i];
    out[i] += factor * 0.5 * (left - right);
    left += x[i];
  }
}

static void product_dense(const thud_half_plane *plane, const double *f, const double *t, double *u, double *v) {
  thud_index n = plane->n;
  double gamma = plane->material.coupling;
  thud_dense_multiply_vector(n, n, plane->normal, false, 1, f, 0, u);
  thud_dense_multiply_vector(n, n, plane->normal, false, 1, t, 0, v);
  if (gamma == 0) return;
  add_cross(plane, gamma, t, u);
  add_cross(plane, -gamma, f, v);
}

void thud_half_plane_product(thud_half_plane *plane, const double *f, const double *t, double *u, double *v) {
  if (plane->uniform)
    thud_half_plane_product_circle(plane, f, t, u, v);
  else
    product_dense(plane, f, t, u, v);
}

/* ---- on a circle -------------------------------------------------------------------------------------- */

/* Spectrum of a kernel that is given for d = 0..n-1 and even (sign 1) or odd (sign -1); one part of it is 0. */
static void kernel_spectrum(thud_half_plane *plane, const double *row, double sign, double *part) {
  size_t n = (size_t)plane->n, size = thud_fft_size(plane->fft);
  memset(plane->line, 0, size * sizeof *plane->line);
  plane->line[0] = row[0];
  for (size_t d = 1; d < n; d++) {
    plane->line[d] = row[d];
    plane->line[size - d] = sign * row[d];
  }
  thud_fft_forward(plane->fft, plane->line, plane->spectrum_p);
  for (size_t k = 0; k <= size / 2; k++) part[k] = plane->spectrum_p[2 * k + (sign > 0 ? 0 : 1)];
}

thud_error thud_half_plane_prepare_circle(thud_half_plane *plane) {
  thud_context *context = plane->context;
  size_t n = (size_t)plane->n, size = thud_fft_good_size(2 * n), half = size / 2 + 1;
  plane->normal_row = THUD_NEW_ARRAY(context, double, n);
  plane->cross_row = THUD_NEW_ARRAY(context, double, n);
  plane->normal_spectrum = THUD_NEW_ARRAY(context, double, half);
  plane->cross_spectrum = THUD_NEW_ARRAY(context, double, half);
  plane->line = THUD_NEW_ARRAY(context, double, size);
  plane->spectrum_p = THUD_NEW_ARRAY(context, double, 2 * half);
  plane->spectrum_q = THUD_NEW_ARRAY(context, double, 2 * half);
  if (plane->normal_row == NULL || plane->cross_row == NULL || plane->normal_spectrum == NULL ||
      plane->cross_spectrum == NULL || plane->line == NULL || plane->spectrum_p == NULL || plane->spectrum_q == NULL)
    return THUD_ERROR_MEMORY;
  thud_error error = thud_fft_create(context, size, &plane->fft);
  if (error != THUD_OK) return error;
  for (thud_index d = 0; d < plane->n; d++) {
    plane->normal_row[d] = thud_half_plane_normal_entry(plane, d, 0);
    plane->cross_row[d] = thud_half_plane_cross_entry(plane, d, 0);
  }
  kernel_spectrum(plane, plane->normal_row, 1, plane->normal_spectrum);
  kernel_spectrum(plane, plane->cross_row, -1, plane->cross_spectrum);
  return THUD_OK;
}

static void to_circle(thud_half_plane *plane, const double *x, double *spectrum) {
  size_t n = (size_t)plane->n, size = thud_fft_size(plane->fft);
  memcpy(plane->line, x, n * sizeof *x);
  memset(plane->line + n, 0, (size - n) * sizeof *x);
  thud_fft_forward(plane->fft, plane->line, spectrum);
}

static void from_circle(thud_half_plane *plane, const double *spectrum, double *x) {
  thud_fft_backward(plane->fft, spectrum, plane->line);
  memcpy(x, plane->line, (size_t)plane->n * sizeof *x);
}

void thud_half_plane_product_circle(thud_half_plane *plane, const double *f, const double *t, double *u, double *v) {
  size_t size = thud_fft_size(plane->fft);
  double gamma = plane->material.coupling, *F = plane->spectrum_p, *T = plane->spectrum_q;
  to_circle(plane, f, F);
  to_circle(plane, t, T);
  for (size_t k = 0; k <= size / 2; k++) {
    double a = plane->normal_spectrum[k], b = gamma * plane->cross_spectrum[k]; /* N -> a, gamma C -> i b */
    double fr = F[2 * k], fi = F[2 * k + 1], tr = T[2 * k], ti = T[2 * k + 1];
    F[2 * k] = a * fr - b * ti;
    F[2 * k + 1] = a * fi + b * tr;
    T[2 * k] = a * tr + b * fi;
    T[2 * k + 1] = a * ti - b * fr;
  }
  from_circle(plane, F, u);
  from_circle(plane, T, v);
}

void thud_half_plane_unproduct(thud_half_plane *plane, const double *x, double *out) {
  size_t size = thud_fft_size(plane->fft);
  double *X = plane->spectrum_p;
  to_circle(plane, x, X);
  for (size_t k = 0; k <= size / 2; k++) {
    double divisor = fmax(fabs(plane->normal_spectrum[k]), 1e-3);
    X[2 * k] /= divisor;
    X[2 * k + 1] /= divisor;
  }
  from_circle(plane, X, out);
}
