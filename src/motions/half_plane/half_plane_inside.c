/* Stress and displacement inside a half-plane whose surface carries tractions that are constant in each element.
 *
 * A force (F_x, F_y) per length on the surface y = 0 at the origin gives, with r^2 = x^2 + y^2 and y into the solid (Flamant),
 *   s_xx = -(2/pi) x^2 (F_x x + F_y y)/r^4,   s_xy = -(2/pi) x y (F_x x + F_y y)/r^4,   s_yy = -(2/pi) y^2 (...)/r^4.
 * Over an element the integrals are differences of primitives in X = x - (place of the force), T = atan(X/y):
 *   2 y^3/r^4: T + X y/r^2,   2 X^2 y/r^4: T - X y/r^2,   2 X y^2/r^4: -y^2/r^2,   2 X^3/r^4: log r^2 + y^2/r^2.
 * Displacements, with g = coupling, 1/(1 - nu) = 2 (1 - g), lengths in units of the datum:
 *   pi E' u_x: F_x [-log r^2 - 2 (1-g) y^2/r^2] + F_y [-2 g T + 2 (1-g) X y/r^2]
 *   pi E' u_y: F_y [-log r^2 + 2 (1-g) y^2/r^2] + F_x [ 2 g T + 2 (1-g) X y/r^2]
 * with log r^2: X log r^2 - 2 X + 2 y T,   y^2/r^2: y T,   X y/r^2: (y/2) log r^2,   T: X T - (y/2) log r^2. */
#include "base/base.h"
#include "motions/half_plane/half_plane.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Integrals over one element, from X = a to X = b > a. */
typedef struct element_terms {
  double angle, along, ratio; /* T, X y/r^2, y^2/r^2 */
  double log_ratio;           /* log r^2 */
  double logs, angles;        /* of log r^2 and T themselves */
} element_terms;

static element_terms terms_of(double a, double b, double y, double datum) {
  double ra = a * a + y * y, rb = b * b + y * y;
  element_terms made = {.angle = atan2(y * (b - a), y * y + a * b), .along = y * (b / rb - a / ra)};
  made.ratio = y * y * (1 / rb - 1 / ra);
  made.log_ratio = log1p((b - a) * (b + a) / ra);
  double far = log(rb / (datum * datum)), near = log(ra / (datum * datum));
  made.logs = b * far - a * near - 2 * (b - a) + 2 * y * made.angle;
  made.angles = b * atan2(b, y) - a * atan2(a, y) - y / 2 * made.log_ratio;
  return made;
}

/* Adds what the tractions p and q of one element give, without the factors -1/pi and 1/(pi E'). */
static void add_element(const element_terms *e, double coupling, double y, double p, double q,
                        thud_half_plane_inside *sum) {
  double straight = 2 * (1 - coupling);
  sum->s_xx += p * (e->angle - e->along) + q * (e->log_ratio + e->ratio);
  sum->s_xy += p * -e->ratio + q * (e->angle - e->along);
  sum->s_yy += p * (e->angle + e->along) - q * e->ratio;
  sum->u_x +=
      q * (-e->logs - straight * y * e->angle) + p * (-2 * coupling * e->angles + straight * y / 2 * e->log_ratio);
  sum->u_y +=
      p * (-e->logs + straight * y * e->angle) + q * (2 * coupling * e->angles + straight * y / 2 * e->log_ratio);
}

static thud_error check_points(const thud_half_plane *plane, double datum, size_t count, const double *points) {
  if (plane->period > 0)
    return thud_fail(plane->context, THUD_ERROR_UNSUPPORTED,
                     "[out-of-range] the inside of a half-plane is computed without a period");
  if (!(datum > 0) || !isfinite(datum))
    return thud_fail(plane->context, THUD_ERROR_ARGUMENT, "[out-of-range] the datum %g is no distance", datum);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(points[2 * k]) || !isfinite(points[2 * k + 1]) || !(points[2 * k + 1] > 0))
      return thud_fail(plane->context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] point %zu at (%g, %g) is not inside: y is the depth below the surface, > 0", k,
                       points[2 * k], points[2 * k + 1]);
  return THUD_OK;
}

thud_error thud_half_plane_get_inside(const thud_half_plane *plane, const double *p, const double *q, double datum,
                                      size_t count, const double *points, thud_half_plane_inside *inside) {
  THUD_REQUIRE_OF(plane, p, q, points, inside);
  thud_error error = check_points(plane, datum, count, points);
  if (error != THUD_OK) return error;
  const thud_half_plane_material *material = &plane->material;
  for (size_t k = 0; k < count; k++) {
    double x = points[2 * k] - plane->origin, y = points[2 * k + 1];
    thud_half_plane_inside sum = {0};
    for (thud_index j = 0; j < plane->n; j++) {
      if (p[j] == 0 && q[j] == 0) continue;
      element_terms terms =
          terms_of(x - plane->length * plane->edge[j + 1], x - plane->length * plane->edge[j], y, datum);
      add_element(&terms, material->coupling, y, p[j], q[j], &sum);
    }
    double stress = -1 / pi, displacement = 1 / (pi * material->modulus);
    inside[k] = (thud_half_plane_inside){.s_xx = stress * sum.s_xx,
                                         .s_yy = stress * sum.s_yy,
                                         .s_xy = stress * sum.s_xy,
                                         .u_x = displacement * sum.u_x,
                                         .u_y = displacement * sum.u_y};
  }
  return THUD_OK;
}
