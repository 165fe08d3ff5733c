#include "solve/interior_point_cone.h"

#include <math.h>

/* y_0^2 - |y_1|^2 without cancellation of the squares. */
static double determinant(size_t m, const double *y) {
  double length = m == 1 ? 0 : m == 2 ? fabs(y[1]) : hypot(y[1], y[2]);
  return (y[0] - length) * (y[0] + length);
}

static double dot(size_t m, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < m; i++) sum += x[i] * y[i];
  return sum;
}

/* x'Jy */
static double signed_dot(size_t m, const double *x, const double *y) { return 2 * x[0] * y[0] - dot(m, x, y); }

static void jordan_product(size_t m, const double *x, const double *y, double *product) {
  product[0] = dot(m, x, y);
  for (size_t i = 1; i < m; i++) product[i] = x[0] * y[i] + y[0] * x[i];
}

/* y = Q x = beta (2 v v'x - J x), y = Q^-1 x = (2 (Jv) (Jv)'x - Jx) / beta */
static void apply_scaling(const thud_interior_cone *cone, bool inverse, const double *x, double *y) {
  size_t m = cone->m;
  double along = 2 * (inverse ? signed_dot(m, cone->v, x) : dot(m, cone->v, x));
  double factor = inverse ? 1 / cone->beta : cone->beta;
  for (size_t i = 0; i < m; i++) {
    double v = inverse && i > 0 ? -cone->v[i] : cone->v[i];
    y[i] = factor * (along * v + (i == 0 ? -x[i] : x[i]));
  }
}

bool thud_interior_cone_scale(thud_interior_cone *cone) {
  size_t m = cone->m;
  double det_y = determinant(m, cone->y), det_z = determinant(m, cone->z);
  double y[THUD_INTERIOR_CONE_MAX], z[THUD_INTERIOR_CONE_MAX], w[THUD_INTERIOR_CONE_MAX]; /* normalised, of det 1 */
  if (!(cone->y[0] > 0 && cone->z[0] > 0 && det_y > 0 && det_z > 0)) return false;
  for (size_t i = 0; i < m; i++) {
    y[i] = cone->y[i] / sqrt(det_y);
    z[i] = cone->z[i] / sqrt(det_z);
  }
  double gamma = sqrt((1 + dot(m, y, z)) / 2);
  for (size_t i = 0; i < m; i++) w[i] = (y[i] + (i == 0 ? z[i] : -z[i])) / (2 * gamma);
  cone->beta = sqrt(sqrt(det_y) / sqrt(det_z));
  cone->lambda_det = sqrt(det_y) * sqrt(det_z);
  double size = sqrt(cone->lambda_det);
  cone->lambda[0] = size * gamma;
  for (size_t i = 1; i < m; i++)
    cone->lambda[i] = size * ((gamma + z[0]) * y[i] + (gamma + y[0]) * z[i]) / (y[0] + z[0] + 2 * gamma);
  double root = sqrt(2 * (w[0] + 1));
  for (size_t i = 0; i < m; i++) {
    cone->v[i] = (w[i] + (i == 0 ? 1 : 0)) / root;
    for (size_t j = 0; j < m; j++) { /* P = (2 Jw (Jw)' - J) / beta^2 */
      double sign = (i == 0) == (j == 0) ? 1 : -1, identity = i != j ? 0 : i == 0 ? -1 : 1;
      cone->P[j * m + i] = (2 * sign * w[i] * w[j] + identity) / (cone->beta * cone->beta);
    }
  }
  return isfinite(cone->P[0]);
}

void thud_interior_cone_predict(thud_interior_cone *cone) {
  for (size_t i = 0; i < cone->m; i++) cone->c[i] = -cone->z[i]; /* Q^-1 lambda = z */
}

void thud_interior_cone_correct(thud_interior_cone *cone, double target) {
  size_t m = cone->m;
  double dy[THUD_INTERIOR_CONE_MAX], dz[THUD_INTERIOR_CONE_MAX], right[THUD_INTERIOR_CONE_MAX];
  apply_scaling(cone, true, cone->dy, dy);
  apply_scaling(cone, false, cone->dz, dz);
  jordan_product(m, dy, dz, right);
  for (size_t i = 0; i < m; i++) right[i] = (i == 0 ? target : 0) - right[i];
  double divided[THUD_INTERIOR_CONE_MAX]; /* lambda o divided = right */
  divided[0] = signed_dot(m, cone->lambda, right) / cone->lambda_det;
  for (size_t i = 1; i < m; i++) divided[i] = (right[i] - divided[0] * cone->lambda[i]) / cone->lambda[0];
  apply_scaling(cone, true, divided, cone->c);
  for (size_t i = 0; i < m; i++) cone->c[i] -= cone->z[i];
}

void thud_interior_cone_follow(thud_interior_cone *cone) {
  size_t m = cone->m;
  for (size_t i = 0; i < m; i++) cone->dz[i] = cone->c[i] - dot(m, cone->P + i * m, cone->dy);
}

/* The smallest t in ]0, limit] where det(y + t dy) = a t^2 + 2 b t + det y vanishes. */
static double longest_step(size_t m, const double *y, const double *dy, double limit) {
  double c = determinant(m, y), b = signed_dot(m, y, dy), a = determinant(m, dy);
  if (m == 1) return dy[0] < 0 ? fmin(limit, -y[0] / dy[0]) : limit;
  double discriminant = b * b - a * c;
  if (discriminant < 0) return limit; /* a > 0: never on the boundary */
  double root = sqrt(discriminant);
  double first = b < 0 ? c / (root - b) : a < 0 ? -(b + root) / a : INFINITY;
  return first > 0 ? fmin(limit, first) : limit;
}

double thud_interior_cone_longest_step(const thud_interior_cone *cone, double limit) {
  limit = longest_step(cone->m, cone->y, cone->dy, limit);
  return longest_step(cone->m, cone->z, cone->dz, limit);
}

double thud_interior_cone_gap(const thud_interior_cone *cone, double t) {
  double sum = 0;
  for (size_t i = 0; i < cone->m; i++) sum += (cone->y[i] + t * cone->dy[i]) * (cone->z[i] + t * cone->dz[i]);
  return sum;
}
