/* Entries of the matrices of the half-plane for elements of constant traction and laws in their middles.
 *
 * A unit force spread over element j moves the middle of i, at the signed distance d from the middle of j, by
 *   N(d) = -(1/pi) mean of log|d + s| over |s| < h/2 = -(1/pi) [d1 ln|d1| - d2 ln|d2| - h]/h,  d1, d2 = d +- h/2,
 * and across by C(d) = sgn(d)/2. With period T the kernels are -(1/pi) log|2 sin(pi d/T)| and (sgn(d) - 2d/T)/2 for
 * |d| <= T/2, both of mean 0. */
#include "motions/half_plane/half_plane.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

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
