/* Materials, meshes and the life of the surface of an elastic half-plane. */
#include "motions/half_plane/half_plane.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- materials ---------------------------------------------------------------------------------------- */

static thud_error check_body(thud_context *context, double young, double poisson) {
  if (!isfinite(young) || !isfinite(poisson))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "half-plane: E = %g, nu = %g; finite numbers are needed", young,
                     poisson);
  if (young <= 0 || poisson <= -1 || poisson > 0.5)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "half-plane: E = %g, nu = %g; needs E > 0 and -1 < nu <= 1/2", young,
                     poisson);
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

/* ---- meshes ------------------------------------------------------------------------------------------- */

thud_error thud_half_plane_fill_mesh(thud_context *context, thud_half_plane_mesh mesh, thud_index elements, double left,
                                     double right, double *edges) {
  THUD_REQUIRE(context, edges);
  if (!isfinite(left) || !isfinite(right))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "half-plane: a mesh from %g to %g", left, right);
  if (elements < 1 || !(left < right))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "half-plane: %d elements from %g to %g; needs at least one, from left to right", (int)elements,
                     left, right);
  if (mesh != THUD_HALF_PLANE_UNIFORM && mesh != THUD_HALF_PLANE_GRADED)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "half-plane: mesh %d; 0 (uniform) or 1 (graded)", (int)mesh);
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
    return thud_fail(context, THUD_ERROR_ARGUMENT, "half-plane: a mesh of 0 pieces; at least 1 is needed");
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
    return thud_fail(context, THUD_ERROR_ARGUMENT, "half-plane: %d element%s; at least 2 are needed", (int)elements,
                     thud_plural((size_t)(elements == 1) ? 1 : 0));
  for (thud_index j = 0; j <= elements; j++) {
    if (!isfinite(edges[j]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "half-plane: edge %d of the mesh is %g", (int)j, edges[j]);
    if (j > 0 && !(edges[j] > edges[j - 1]))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "half-plane: edge %d of the mesh (%g) is not right of edge %d (%g)", (int)j, edges[j],
                       (int)(j - 1), edges[j - 1]);
  }
  double length = edges[elements] - edges[0];
  if (!isfinite(length))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "half-plane: the mesh is longer than any number");
  if (!isfinite(period)) return thud_fail(context, THUD_ERROR_NOT_FINITE, "half-plane: the period is %g", period);
  if (period < 0 || (period > 0 && period < length * (1 - 1e-12)))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "half-plane: the period %g is shorter than the mesh (%g); 0 means none", period, length);
  return THUD_OK;
}

static thud_error check_material(thud_context *context, const thud_half_plane_material *material) {
  if (!isfinite(material->modulus) || !isfinite(material->coupling))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "half-plane: modulus %g, coupling %g", material->modulus,
                     material->coupling);
  if (material->modulus <= 0 || fabs(material->coupling) >= 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "half-plane: modulus %g, coupling %g; needs a positive modulus and |coupling| < 1",
                     material->modulus, material->coupling);
  return THUD_OK;
}

/* ---- life --------------------------------------------------------------------------------------------- */

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
                     "half-plane: %d elements of different widths; at most %d, or equal widths", (int)n,
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
    error = made->uniform ? thud_half_plane_prepare_circle(made) : prepare_dense(made);
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

thud_index thud_half_plane_elements(const thud_half_plane *plane) {
  THUD_REQUIRE_OR(0, plane);
  return plane->n;
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
