#include "verify/math/verify_set_project.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_form.h"

#include <math.h>
#include <string.h>

/* ---- closed forms -------------------------------------------------------------------------------------------- */

static void project_half_space(size_t n, const double *number, const double *y, double *p) {
  double square = thud_verify_dot(n, number, number), excess = thud_verify_dot(n, number, y) - number[n];
  for (size_t i = 0; i < n; i++) p[i] = excess > 0 ? y[i] - excess / square * number[i] : y[i];
}

static void project_box(size_t n, const double *number, const double *y, double *p) {
  for (size_t i = 0; i < n; i++) p[i] = fmin(fmax(y[i], number[i]), number[n + i]);
}

static void project_ball(size_t n, const double *number, const double *y, double *p) {
  double distance = thud_verify_distance(n, y, number), radius = number[n];
  for (size_t i = 0; i < n; i++) p[i] = distance > radius ? number[i] + radius / distance * (y[i] - number[i]) : y[i];
}

/* { |x_T| <= slope x_N }, 0 <= slope < infinity: inside, in the polar cone, or onto the nearest ray. */
static void project_round_cone(size_t n, double slope, const double *y, double *p) {
  double tangent = thud_verify_norm(n - 1, y + 1);
  if (tangent <= slope * y[0]) {
    memcpy(p, y, n * sizeof(double));
    return;
  }
  double along = (y[0] + slope * tangent) / (1 + slope * slope);
  p[0] = fmax(0, along);
  for (size_t i = 1; i < n; i++) p[i] = along > 0 && tangent > 0 ? slope * along * (y[i] / tangent) : 0;
}

/* mu |x_T| <= x_N: the cone of slope 1/mu, a half-space for mu = 0. */
static void project_dual_cone(size_t n, double mu, const double *y, double *p) {
  if (mu > 0) {
    project_round_cone(n, 1 / mu, y, p);
    return;
  }
  memcpy(p, y, n * sizeof(double));
  p[0] = fmax(0, y[0]);
}

/* origin + s direction with 0 <= s <= limit */
static void project_ray(size_t n, const double *origin, const double *direction, double limit, const double *y,
                        double *p) {
  double along = 0, square = thud_verify_dot(n, direction, direction);
  for (size_t i = 0; i < n; i++) along += (y[i] - origin[i]) * direction[i];
  double s = square > 0 ? fmin(fmax(along / square, 0), limit) : 0;
  for (size_t i = 0; i < n; i++) p[i] = origin[i] + s * direction[i];
}

/* Between two points: by the direction from the nearer end, so that the ends come out exactly. */
static void project_segment(size_t n, const double *number, const double *y, double *p) {
  const double *a = number, *b = number + n;
  double along = 0, square = 0;
  for (size_t i = 0; i < n; i++) {
    along += (y[i] - a[i]) * (b[i] - a[i]);
    square += (b[i] - a[i]) * (b[i] - a[i]);
  }
  double s = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
  for (size_t i = 0; i < n; i++) p[i] = (1 - s) * a[i] + s * b[i];
}

/* ---- combinators that keep closed forms ---------------------------------------------------------------------------
 */

static thud_error project_product(thud_context *context, const verify_set *set, const double *numbers, const double *y,
                                  double scale, double *p, double *accuracy) {
  thud_error error = THUD_OK;
  for (size_t k = 0, offset = 0; k < set->operand_count && error == THUD_OK; offset += set->operands[k++].n) {
    double part = 0;
    error = thud_verify_project(context, &set->operands[k], numbers, y + offset, scale, p + offset, &part);
    *accuracy = fmax(*accuracy, part);
  }
  return error;
}

/* by + C, or factor C with factor > 0: proj(y) = by + factor proj((y - by)/factor). */
static thud_error project_moved(thud_context *context, const verify_set *set, const double *numbers, const double *by,
                                double factor, const double *y, double scale, double *p, double *accuracy) {
  double *moved = THUD_NEW_ARRAY(context, double, set->n);
  if (moved == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < set->n; i++) moved[i] = (y[i] - (by != NULL ? by[i] : 0)) / factor;
  thud_error error = thud_verify_project(context, &set->operands[0], numbers, moved, scale / factor, p, accuracy);
  for (size_t i = 0; i < set->n && error == THUD_OK; i++) p[i] = (by != NULL ? by[i] : 0) + factor * p[i];
  *accuracy *= factor;
  thud_free(context, moved);
  return error;
}

thud_error thud_verify_project(thud_context *context, const verify_set *set, const double *numbers, const double *y,
                               double scale, double *p, double *accuracy) {
  const double *number = numbers + set->first;
  size_t n = set->n;
  *accuracy = 0;
  switch (set->kind) {
  case VERIFY_HALF_SPACE: project_half_space(n, number, y, p); return THUD_OK;
  case VERIFY_BOX: project_box(n, number, y, p); return THUD_OK;
  case VERIFY_BALL: project_ball(n, number, y, p); return THUD_OK;
  case VERIFY_COULOMB_CONE: project_round_cone(n, number[0], y, p); return THUD_OK;
  case VERIFY_COULOMB_DUAL_CONE: project_dual_cone(n, number[0], y, p); return THUD_OK;
  case VERIFY_HALF_LINE: project_ray(n, number, number + n, INFINITY, y, p); return THUD_OK;
  case VERIFY_SEGMENT: project_segment(n, number, y, p); return THUD_OK;
  case VERIFY_PRODUCT: return project_product(context, set, numbers, y, scale, p, accuracy);
  case VERIFY_TRANSLATION: return project_moved(context, set, numbers, number, 1, y, scale, p, accuracy);
  case VERIFY_SCALING:
    if (number[0] > 0) return project_moved(context, set, numbers, NULL, number[0], y, scale, p, accuracy);
    break;
  case VERIFY_ELLIPSOID:
  case VERIFY_POLYHEDRON:
  case VERIFY_GRADIENTS:
  case VERIFY_GENERATORS:
  case VERIFY_SUM:
  case VERIFY_INTERSECTION:
  case VERIFY_IMAGE:
  case VERIFY_PREIMAGE:
  case VERIFY_POLAR: break;
  }
  return thud_verify_form_project(context, set, numbers, y, scale, p, accuracy);
}

/* ---- violation ----------------------------------------------------------------------------------------------------
 */

/* Largest distance to the half-space or hyperplane of one row; a row of zeros is kept or never. */
static double violation_of_rows(const verify_set *set, const double *A, const double *b, const double *u) {
  double worst = 0;
  for (size_t i = 0; i < set->rows; i++) {
    const double *row = A + i * set->n;
    double excess = thud_verify_dot(set->n, row, u) - (b != NULL ? b[i] : 0), length = thud_verify_norm(set->n, row);
    if (i < set->equalities) excess = fabs(excess);
    if (excess > 0) worst = fmax(worst, length > 0 ? excess / length : INFINITY);
  }
  return worst;
}

/* Distance along the ray from the centre. */
static double violation_of_ellipsoid(size_t n, const double *number, const double *u) {
  double square = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) square += (u[i] - number[i]) * number[n + i * n + j] * (u[j] - number[j]);
  double gauge = sqrt(fmax(0, square));
  return gauge > 1 ? thud_verify_distance(n, u, number) * (1 - 1 / gauge) : 0;
}

/* By the closed form of the projection. */
static thud_error distance(thud_context *context, const verify_set *set, const double *numbers, const double *u,
                           double scale, double *violation, double *accuracy) {
  double *p = THUD_NEW_ARRAY(context, double, set->n);
  if (p == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_verify_project(context, set, numbers, u, scale, p, accuracy);
  if (error == THUD_OK) *violation = thud_verify_distance(set->n, u, p);
  thud_free(context, p);
  return error;
}

static thud_error violation_of_parts(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *u, double scale, double *violation, double *accuracy) {
  thud_error error = THUD_OK;
  *violation = *accuracy = 0;
  for (size_t k = 0, offset = 0; k < set->operand_count && error == THUD_OK; k++) {
    double part, part_accuracy;
    error = thud_verify_violation(context, &set->operands[k], numbers, u + offset, scale, &part, &part_accuracy);
    if (error != THUD_OK) break;
    *violation = fmax(*violation, part);
    *accuracy = fmax(*accuracy, part_accuracy);
    if (set->kind == VERIFY_PRODUCT) offset += set->operands[k].n;
  }
  return error;
}

static thud_error violation_of_moved(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *by, double factor, const double *u, double scale, double *violation,
                                     double *accuracy) {
  double *moved = THUD_NEW_ARRAY(context, double, set->n);
  if (moved == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < set->n; i++) moved[i] = (u[i] - (by != NULL ? by[i] : 0)) / factor;
  thud_error error =
      thud_verify_violation(context, &set->operands[0], numbers, moved, scale / factor, violation, accuracy);
  *violation *= factor;
  *accuracy *= factor;
  thud_free(context, moved);
  return error;
}

thud_error thud_verify_violation(thud_context *context, const verify_set *set, const double *numbers, const double *u,
                                 double scale, double *violation, double *accuracy) {
  const double *number = numbers + set->first;
  *violation = *accuracy = 0;
  switch (set->kind) {
  case VERIFY_POLYHEDRON: *violation = violation_of_rows(set, number, number + set->rows * set->n, u); return THUD_OK;
  case VERIFY_GRADIENTS: *violation = violation_of_rows(set, number, NULL, u); return THUD_OK;
  case VERIFY_ELLIPSOID: *violation = violation_of_ellipsoid(set->n, number, u); return THUD_OK;
  case VERIFY_PRODUCT:
  case VERIFY_INTERSECTION: return violation_of_parts(context, set, numbers, u, scale, violation, accuracy);
  case VERIFY_TRANSLATION: return violation_of_moved(context, set, numbers, number, 1, u, scale, violation, accuracy);
  case VERIFY_SCALING:
    if (number[0] > 0) return violation_of_moved(context, set, numbers, NULL, number[0], u, scale, violation, accuracy);
    break;
  case VERIFY_HALF_SPACE:
  case VERIFY_BOX:
  case VERIFY_BALL:
  case VERIFY_COULOMB_CONE:
  case VERIFY_COULOMB_DUAL_CONE:
  case VERIFY_HALF_LINE:
  case VERIFY_SEGMENT: return distance(context, set, numbers, u, scale, violation, accuracy);
  case VERIFY_GENERATORS:
  case VERIFY_SUM:
  case VERIFY_IMAGE:
  case VERIFY_PREIMAGE:
  case VERIFY_POLAR: break;
  }
  return thud_verify_form_distance(context, set, numbers, u, scale, violation, accuracy);
}
