#include "drawing/singular.h"

#include <math.h>

static const double zone = 0.05;       /* of the length, at each end */
static const double growth = 1.4;      /* from the border of the zone to a quarter of it, and from there to the end */
static const double means = 5;         /* times the mean are shown in any case */
static const double above_peaks = 1.1; /* of the rest of the field */

/* Elements of an end (by = 1: from the first one on) that are nearer to it than the distance. */
static size_t within(size_t n, const double *x, size_t first, ptrdiff_t by, double distance) {
  size_t count = 0;
  while (count + 1 < n && fabs(x[(ptrdiff_t)first + (ptrdiff_t)count * by] - x[first]) < distance) count++;
  return count;
}

/* Elements of the zone at an end when the field grows towards it all the way; 0: the end is regular. */
static size_t layer_of(size_t n, const double *x, const double *values, size_t first, ptrdiff_t by) {
  double length = zone * (x[n - 1] - x[0]);
  size_t border = within(n, x, first, by, length), inner = within(n, x, first, by, 0.25 * length);
  const double *end = values + first;
  double quarter = growth * fabs(end[(ptrdiff_t)inner * by]), whole = growth * fabs(end[(ptrdiff_t)border * by]);
  return fabs(end[0]) >= quarter && quarter >= growth * whole ? border : 0;
}

/* Mean size over the length, each value for half of the way to its neighbours. */
static double mean_of(size_t n, const double *x, const double *values) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += fabs(values[i]) * 0.5 * (x[i + 1 < n ? i + 1 : i] - x[i > 0 ? i - 1 : i]);
  return sum / (x[n - 1] - x[0]);
}

double thud_singular_bound(size_t n, const double *x, const double *values) {
  if (n < 2 || !(x[n - 1] > x[0])) return INFINITY;
  size_t left = layer_of(n, x, values, 0, 1), right = layer_of(n, x, values, n - 1, -1);
  double rest = 0, end = fmax(left > 0 ? fabs(values[0]) : 0, right > 0 ? fabs(values[n - 1]) : 0);
  for (size_t i = left; i < n - right; i++) rest = fmax(rest, fabs(values[i]));
  double bound = fmax(means * mean_of(n, x, values), above_peaks * rest);
  return end > bound ? bound : INFINITY;
}
