/* The surface of an elastic half-plane: its material, its mesh, the matrices of its elements and products with them. */
#include "base/base.h"
#include "linalg/dense.h"
#include "motions/half_plane/half_plane.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- entries of the matrices ------------------------------------------------------------------------------------- */

/* Entries for elements of constant traction and laws in their middles.
 *
 * A unit force spread over element j moves the middle of i, at the signed distance d from the middle of j, by
 *   N(d) = -(1/pi) mean of log|d + s| over |s| < h/2 = -(1/pi) [d1 ln|d1| - d2 ln|d2| - h]/h,  d1, d2 = d +- h/2,
 * and across by C(d) = sgn(d)/2. With period T the kernels are -(1/pi) log|2 sin(pi d/T)| and (sgn(d) - 2d/T)/2 for
 * |d| <= T/2, both of mean 0. */

/* d ln|d|, 0 at 0. */
static double log_primitive(double d) { return d == 0 ? 0 : d * log(fabs(d)); }

/* Mean of log|d + s| over |s| < h/2. Far away the closed form is a small difference of large numbers: the series
 * ln|d| - h^2/(24 d^2) - h^4/(320 d^4) - h^6/(2688 d^6) errs by less than 1e-15 there. */
static double mean_log(double d, double h) {
  if (fabs(d) > 20 * h) {
    double z = (h / d) * (h / d);
    return log(fabs(d)) - z / 24 - z * z / 320 - z * z * z / 2688;
  }
  return (log_primitive(d + h / 2) - log_primitive(d - h / 2) - h) / h;
}

/* log|2 sin(pi d/T)| - log|d|, smooth for |d| < T. */
static double periodic_rest(double d, double period) {
  double angle = pi * d / period;
  return log(2 * pi / period * (angle == 0 ? 1 : sin(angle) / angle));
}

/* Gauss' rule of three points on pieces of at most 1/64 of the period: the rest is smooth on that scale. */
static double mean_periodic_rest(double d, double h, double period) {
  double pieces = ceil(64 * h / period), part = h / pieces, s = 0.5 * part * 0.77459666924148337704, sum = 0;
  for (double k = 0; k < pieces; k++) {
    double m = d + (k + 0.5) * part - 0.5 * h;
    sum += 5 * periodic_rest(m - s, period) + 8 * periodic_rest(m, period) + 5 * periodic_rest(m + s, period);
  }
  return sum / (18 * pieces);
}

/* Distance from the middle of j to that of i, the nearest one of all periods. */
static double distance(const thud_half_plane *plane, thud_index i, thud_index j) {
  double d = plane->middle[i] - plane->middle[j];
  if (plane->period > 0) d -= plane->period * round(d / plane->period);
  return d;
}

double thud_half_plane_normal_entry(const thud_half_plane *plane, thud_index i, thud_index j) {
  double d = distance(plane, i, j), h = plane->width[j];
  double mean = mean_log(d, h);
  if (plane->period > 0) mean += mean_periodic_rest(d, h, plane->period);
  return -mean / pi;
}

double thud_half_plane_cross_entry(const thud_half_plane *plane, thud_index i, thud_index j) {
  double d = distance(plane, i, j), sign = (d > 0) - (d < 0);
  return plane->period > 0 ? sign / 2 - d / plane->period : sign / 2;
}

double thud_half_plane_normal(const thud_half_plane *plane, thud_index i, thud_index j) {
  if (plane->uniform) return plane->normal_row[i > j ? i - j : j - i];
  return plane->normal[(size_t)i + (size_t)j * (size_t)plane->n];
}

double thud_half_plane_cross(const thud_half_plane *plane, thud_index i, thud_index j) {
  if (plane->uniform) return i >= j ? plane->cross_row[i - j] : -plane->cross_row[j - i];
  return thud_half_plane_cross_entry(plane, i, j);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* Products are dense, or on uniform meshes by transforms on a circle that is long
 * enough (at least 2n - 1 points) for the Toeplitz matrices to be parts of circulant ones. */

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

/* ---- on a circle ------------------------------------------------------------------------------------------------- */

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

static thud_error prepare_circle(thud_half_plane *plane) {
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

static void product_circle(thud_half_plane *plane, const double *f, const double *t, double *u, double *v) {
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

void thud_half_plane_product(thud_half_plane *plane, const double *f, const double *t, double *u, double *v) {
  if (plane->uniform)
    product_circle(plane, f, t, u, v);
  else
    product_dense(plane, f, t, u, v);
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

/* ---- materials --------------------------------------------------------------------------------------------------- */

static thud_error check_body(thud_context *context, double young, double poisson) {
  if (!isfinite(young) || !isfinite(poisson))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "half-plane: E = %g, nu = %g; finite numbers are needed", young,
                     poisson);
  if (young <= 0 || poisson <= -1 || poisson > 0.5)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] half-plane: E = %g, nu = %g; needs E > 0 and -1 < nu <= 1/2", young, poisson);
  return THUD_OK;
}

thud_error thud_half_plane_material_of(thud_context *context, double young, double poisson,
                                       thud_half_plane_material *material) {
  THUD_REQUIRE(context, material);
  thud_error error = check_body(context, young, poisson);
  if (error != THUD_OK) return error;
  material->modulus = young / (1 - poisson * poisson);
  material->coupling = (1 - 2 * poisson) / (2 * (1 - poisson));
  return THUD_OK;
}

thud_error thud_half_plane_material_of_pair(thud_context *context, double young1, double poisson1, double young2,
                                            double poisson2, thud_half_plane_material *material) {
  THUD_REQUIRE(context, material);
  thud_error error = check_body(context, young1, poisson1);
  if (error == THUD_OK) error = check_body(context, young2, poisson2);
  if (error != THUD_OK) return error;
  double compliance = (1 - poisson1 * poisson1) / young1 + (1 - poisson2 * poisson2) / young2;
  double shear1 = young1 / (2 * (1 + poisson1)), shear2 = young2 / (2 * (1 + poisson2));
  material->modulus = 1 / compliance;
  material->coupling = ((1 - 2 * poisson1) / shear1 - (1 - 2 * poisson2) / shear2) /
                       (2 * ((1 - poisson1) / shear1 + (1 - poisson2) / shear2));
  return THUD_OK;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

thud_error thud_half_plane_fill_mesh(thud_context *context, thud_half_plane_mesh mesh, thud_index elements, double left,
                                     double right, double *edges) {
  THUD_REQUIRE(context, edges);
  if (!isfinite(left) || !isfinite(right))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] half-plane: a mesh from %g to %g", left, right);
  if (elements < 1 || !(left < right))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] half-plane: %d elements from %g to %g; needs at least one, from left to right",
                     (int)elements, left, right);
  if (mesh != THUD_HALF_PLANE_UNIFORM && mesh != THUD_HALF_PLANE_GRADED)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] half-plane: mesh %d; 0 (uniform) or 1 (graded)",
                     (int)mesh);
  double middle = 0.5 * left + 0.5 * right, half = 0.5 * right - 0.5 * left;
  for (thud_index j = 0; j <= elements; j++) { /* symmetric bit for bit: sine of an odd argument */
    double part = (double)(2 * (int64_t)j - elements) / (double)elements;
    edges[j] = middle + half * (mesh == THUD_HALF_PLANE_GRADED ? sin(pi / 2 * part) : part);
  }
  edges[0] = left;
  edges[elements] = right;
  return THUD_OK;
}

thud_error thud_half_plane_fill_pieces(thud_context *context, size_t pieces, const double *ends,
                                       const thud_index *elements, double *edges) {
  THUD_REQUIRE(context, ends, elements, edges);
  if (pieces == 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] half-plane: a mesh of 0 pieces; at least 1 is needed");
  for (size_t k = 0; k < pieces; k++) {
    thud_error error =
        thud_half_plane_fill_mesh(context, THUD_HALF_PLANE_GRADED, elements[k], ends[k], ends[k + 1], edges);
    if (error != THUD_OK) return thud_fail_within(context, error, "piece %zu", k);
    edges += elements[k];
  }
  return THUD_OK;
}

static thud_error check_mesh(thud_context *context, thud_index elements, const double *edges, double period) {
  if (elements < 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] half-plane: %d element%s; at least 2 are needed",
                     (int)elements, thud_plural((size_t)(elements == 1) ? 1 : 0));
  for (thud_index j = 0; j <= elements; j++) {
    if (!isfinite(edges[j]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] half-plane: edge %d of the mesh is %g", (int)j,
                       edges[j]);
    if (j > 0 && !(edges[j] > edges[j - 1]))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] half-plane: edge %d of the mesh (%g) is not right of edge %d (%g)", (int)j,
                       edges[j], (int)(j - 1), edges[j - 1]);
  }
  double length = edges[elements] - edges[0];
  if (!isfinite(length))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "half-plane: the mesh is longer than any number");
  if (!isfinite(period))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] half-plane: the period is %g", period);
  if (period < 0 || (period > 0 && period < length * (1 - 1e-12)))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] half-plane: the period %g is shorter than the mesh (%g); 0 means none", period,
                     length);
  return THUD_OK;
}

static thud_error check_material(thud_context *context, const thud_half_plane_material *material) {
  if (!isfinite(material->modulus) || !isfinite(material->coupling))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] half-plane: modulus %g, coupling %g",
                     material->modulus, material->coupling);
  if (material->modulus <= 0 || fabs(material->coupling) >= 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] half-plane: modulus %g, coupling %g; needs a positive modulus and |coupling| < 1",
                     material->modulus, material->coupling);
  return THUD_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* Scales the mesh to [-1, 1]. Widths that agree up to the rounding of edges count as equal. */
static void scale_mesh(thud_half_plane *plane, const double *edges, double period) {
  size_t n = (size_t)plane->n;
  plane->length = 0.5 * edges[n] - 0.5 * edges[0];
  plane->origin = 0.5 * edges[n] + 0.5 * edges[0];
  plane->period = period / plane->length;
  double largest = fmax(fabs(edges[0]), fabs(edges[n])) / plane->length, even = 2 / (double)n, off = 0;
  for (size_t j = 0; j <= n; j++) plane->edge[j] = (edges[j] - plane->origin) / plane->length;
  for (size_t j = 0; j < n; j++) off = fmax(off, fabs(plane->edge[j + 1] - plane->edge[j] - even));
  plane->uniform = off <= 8 * 2.3e-16 * fmax(1, largest);
  for (size_t j = 0; j < n; j++) {
    plane->width[j] = plane->uniform ? even : plane->edge[j + 1] - plane->edge[j];
    plane->middle[j] = plane->uniform ? (double)(2 * (int64_t)j + 1 - (int64_t)n) / (double)n
                                      : 0.5 * (plane->edge[j] + plane->edge[j + 1]);
  }
}

static thud_error prepare_dense(thud_half_plane *plane) {
  thud_index n = plane->n;
  if (n > THUD_HALF_PLANE_DENSE_MAX)
    return thud_fail(plane->context, THUD_ERROR_OVERFLOW,
                     "[out-of-range] half-plane: %d elements of different widths; at most %d, or equal widths", (int)n,
                     THUD_HALF_PLANE_DENSE_MAX);
  plane->normal = THUD_NEW_ARRAY(plane->context, double, (size_t)n *(size_t)n);
  if (plane->normal == NULL) return THUD_ERROR_MEMORY;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++)
      plane->normal[(size_t)i + (size_t)j * (size_t)n] = thud_half_plane_normal_entry(plane, i, j);
  return THUD_OK;
}

thud_error thud_half_plane_create(thud_context *context, const thud_half_plane_material *material, thud_index elements,
                                  const double *edges, double period, thud_half_plane **plane) {
  THUD_REQUIRE(context, context, material, edges, plane);
  thud_error error = check_material(context, material);
  if (error == THUD_OK) error = check_mesh(context, elements, edges, period);
  if (error != THUD_OK) return error;
  thud_half_plane *made = THUD_NEW(context, thud_half_plane);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->material = *material;
  made->n = elements;
  made->edge = THUD_NEW_ARRAY(context, double, (size_t)elements + 1);
  made->middle = THUD_NEW_ARRAY(context, double, elements);
  made->width = THUD_NEW_ARRAY(context, double, elements);
  error = made->edge != NULL && made->middle != NULL && made->width != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    scale_mesh(made, edges, period);
    error = made->uniform ? prepare_circle(made) : prepare_dense(made);
  }
  if (error == THUD_OK)
    *plane = made;
  else
    thud_half_plane_destroy(made);
  return error;
}

void thud_half_plane_destroy(thud_half_plane *plane) {
  if (plane == NULL) return;
  double *arrays[] = {plane->edge,           plane->middle,     plane->width,     plane->normal,
                      plane->normal_row,     plane->line,       plane->cross_row, plane->normal_spectrum,
                      plane->cross_spectrum, plane->spectrum_p, plane->spectrum_q};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(plane->context, arrays[k]);
  thud_fft_destroy(plane->fft);
  thud_free(plane->context, plane);
}

bool thud_half_plane_is_uniform(const thud_half_plane *plane) {
  THUD_REQUIRE_OR(false, plane);
  return plane->uniform;
}

double thud_half_plane_middle(const thud_half_plane *plane, thud_index element) {
  THUD_REQUIRE_OR(NAN, plane);
  if (element < 0 || element >= plane->n) return NAN;
  return plane->origin + plane->length * plane->middle[element];
}

/* The logarithm of scaled lengths differs from that of lengths by log(length): a constant for each resultant. */
thud_error thud_half_plane_displace(thud_half_plane *plane, const double *p, const double *q, double *u, double *v) {
  THUD_REQUIRE_OF(plane, p, q, u, v);
  size_t n = (size_t)plane->n;
  double *f = THUD_NEW_ARRAY(plane->context, double, 2 * n), *t = f != NULL ? f + n : NULL;
  if (f == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < n; j++) {
    f[j] = p[j] * plane->width[j] * plane->length;
    t[j] = q[j] * plane->width[j] * plane->length;
  }
  double shift = plane->period > 0 ? 0 : log(plane->length) / pi;
  double normal = thud_sum(plane->context, n, f), tangential = thud_sum(plane->context, n, t);
  thud_half_plane_product(plane, f, t, u, v);
  for (size_t i = 0; i < n; i++) {
    u[i] = 2 / plane->material.modulus * (u[i] - shift * normal);
    v[i] = 2 / plane->material.modulus * (v[i] - shift * tangential);
  }
  thud_free(plane->context, f);
  return THUD_OK;
}
