/* Real intervals with outward rounding, without changing the rounding mode: a computed end is moved outwards by at
 * least its rounding error. What cannot be bounded is [-inf, inf]; no end is ever NaN.
 *
 * Sums and products are rounded correctly by IEEE arithmetic: half an ulp, and one more is taken. The functions of the
 * C library are not proved; they are taken to be within LIBM_ULPS of the truth, which is several times what is known of
 * the common ones. */
#ifndef THUD_SRC_EXPR_INTERVAL_H
#define THUD_SRC_EXPR_INTERVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct expr_interval {
  double low, high;
} expr_interval;

#define EXPR_ROUNDING 0x1p-52      /* relative: more than the rounding of one operation */
#define EXPR_LIBM_ROUNDING 0x1p-49 /* of a function of the C library: 8 ulp */
/* More than hundreds of products can lose by underflow. A number that is added: products with numbers below DBL_MIN take
 * many times as long as others. */
#define EXPR_UNDERFLOWS 0x1p-1060

static inline double expr_down(double x) { return x - (fabs(x) * EXPR_ROUNDING + DBL_TRUE_MIN); }
static inline double expr_up(double x) { return x + (fabs(x) * EXPR_ROUNDING + DBL_TRUE_MIN); }

static inline expr_interval expr_interval_entire(void) { return (expr_interval){-(double)INFINITY, (double)INFINITY}; }
static inline expr_interval expr_interval_point(double x) {
  return isnan(x) ? expr_interval_entire() : (expr_interval){x, x};
}
/* Ends that are ordered and not NaN, or everything. */
static inline expr_interval expr_interval_of(double low, double high) {
  return low <= high ? (expr_interval){low, high} : expr_interval_entire();
}
static inline bool expr_interval_is_finite(expr_interval x) { return isfinite(x.low) && isfinite(x.high); }
static inline double expr_interval_size(expr_interval x) { return fmax(fabs(x.low), fabs(x.high)); }
static inline double expr_interval_middle(expr_interval x) { return x.low + (x.high - x.low) / 2; }
/* A radius about the middle that reaches both ends. */
static inline double expr_interval_radius(expr_interval x) {
  double middle = expr_interval_middle(x);
  return x.low == x.high ? 0 : expr_up(fmax(x.high - middle, middle - x.low));
}
static inline expr_interval expr_interval_hull(expr_interval x, expr_interval y) {
  return (expr_interval){fmin(x.low, y.low), fmax(x.high, y.high)};
}
static inline expr_interval expr_interval_negate(expr_interval x) { return (expr_interval){-x.high, -x.low}; }

/* a + b rounded down and up; exact sums stay points (TwoSum gives the error of a rounded sum exactly). */
static inline double expr_sum_error(double a, double b, double sum) {
  double c = sum - a;
  return (a - (sum - c)) + (b - c);
}
static inline expr_interval expr_interval_add(expr_interval x, expr_interval y) {
  double low = x.low + y.low, high = x.high + y.high;
  if (!isfinite(low) || !isfinite(high))
    return expr_interval_of(isnan(low) ? -(double)INFINITY : low, isnan(high) ? (double)INFINITY : high);
  if (expr_sum_error(x.low, y.low, low) != 0) low = expr_down(low);
  if (expr_sum_error(x.high, y.high, high) != 0) high = expr_up(high);
  return (expr_interval){low, high};
}
static inline expr_interval expr_interval_subtract(expr_interval x, expr_interval y) {
  return expr_interval_add(x, expr_interval_negate(y));
}

expr_interval thud_interval_multiply(expr_interval x, expr_interval y);
expr_interval thud_interval_square(expr_interval x);
/* [-inf, inf] when y contains 0. */
expr_interval thud_interval_divide(expr_interval x, expr_interval y);
/* x^n for a whole number n; x^y for x > 0 (x >= 0 when y is a positive number). */
expr_interval thud_interval_whole_power(expr_interval x, double n);
expr_interval thud_interval_power(expr_interval x, expr_interval y);
expr_interval thud_interval_sin(expr_interval x);
expr_interval thud_interval_cos(expr_interval x);
expr_interval thud_interval_tan(expr_interval x);
/* 1/cosh^2, the derivative of tanh: 1 - tanh^2 would vanish by rounding from |x| = 19 on. */
expr_interval thud_interval_sech_squared(expr_interval x);
expr_interval thud_interval_cosh(expr_interval x);
expr_interval thud_interval_sqrt(expr_interval x);
/* A function of the C library that increases on its domain [first, last]; outside: everything. */
expr_interval thud_interval_increasing(double (*function)(double), double first, double last, expr_interval x);
expr_interval thud_interval_acos(expr_interval x);
expr_interval thud_interval_abs(expr_interval x);
/* atan2 on a box that does not contain the origin, continued from `value`, its value at the middle of the box. */
expr_interval thud_interval_atan2(expr_interval y, expr_interval x, double value);
/* A value that the C library computed. */
expr_interval thud_interval_libm(double low, double high);

#endif
