#include "verify/math/verify_chebyshev.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
/* Halvings of [-1, 1]: beyond, intervals are as short as the rounding of their ends. */
enum { MOST_HALVINGS = 50 };
/* How many of the last terms show what was cut off: of symmetric functions every other one vanishes. */
enum { LAST_TERMS = 4 };

double thud_verify_chebyshev_point(size_t count, size_t j) { return cos(PI * ((double)j + 0.5) / (double)count); }

/* c_k = (2 - [k = 0])/n sum_j f(x_j) T_k(x_j), x_j = cos(pi (j + 1/2)/n), by T_k+1 = 2 x T_k - T_k-1: stable on
 * [-1, 1], and without a cosine for each pair. */
void thud_verify_chebyshev_fit(size_t count, const double *values, double *c) {
  for (size_t k = 0; k < count; k++) c[k] = 0;
  for (size_t j = 0; j < count; j++) {
    double x = thud_verify_chebyshev_point(count, j), before = x, now = 1; /* T_-1 = T_1 = x */
    for (size_t k = 0; k < count; k++) {
      c[k] += values[j] * now;
      double next = 2 * x * now - before;
      before = now;
      now = next;
    }
  }
  for (size_t k = 0; k < count; k++) c[k] *= (k == 0 ? 1 : 2) / (double)count;
}

double thud_verify_chebyshev_error(size_t count, const double *c) {
  double sum = 0;
  for (size_t k = count > LAST_TERMS ? count - LAST_TERMS : 0; k < count; k++) sum += fabs(c[k]);
  return 2 * sum;
}

double thud_verify_chebyshev_integral(size_t count, const double *c) {
  double sum = 0;
  for (size_t k = 0; k < count; k += 2) sum += 2 * c[k] / (1 - (double)k * (double)k);
  return sum;
}

/* Value and derivative by T_k+1 = 2 x T_k - T_k-1 and its derivative. */
static double evaluate(size_t count, const double *c, double x, double *slope) {
  double before = 1, now = x, slope_before = 0, slope_now = 1, sum = c[0];
  *slope = 0;
  for (size_t k = 1; k < count; k++) {
    sum += c[k] * now;
    *slope += c[k] * slope_now;
    double next = 2 * x * now - before, slope_next = 2 * now + 2 * x * slope_now - slope_before;
    before = now;
    now = next;
    slope_before = slope_now;
    slope_now = slope_next;
  }
  return sum;
}

/* Taylor's formula at the middle of an interval: p(x) >= p - |p'| w - max|p''| w^2/2. */
static double bound_below(size_t count, const double *c, double curvature, double low, double high, double enough,
                          int halvings) {
  double middle = (low + high) / 2, half = (high - low) / 2, slope;
  double value = evaluate(count, c, middle, &slope), bound = value - fabs(slope) * half - curvature * half * half / 2;
  if (bound >= enough) return bound;
  if (value < enough || halvings == 0) return value;
  double left = bound_below(count, c, curvature, low, middle, enough, halvings - 1);
  if (left < enough) return left;
  return fmin(left, bound_below(count, c, curvature, middle, high, enough, halvings - 1));
}

double thud_verify_chebyshev_minimum(size_t count, const double *c, double enough) {
  double curvature = 0;
  for (size_t k = 2; k < count; k++) {
    double square = (double)k * (double)k;
    curvature += fabs(c[k]) * square * (square - 1) / 3; /* max |T_k''| */
  }
  return bound_below(count, c, curvature, -1, 1, enough, MOST_HALVINGS);
}
