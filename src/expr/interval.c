/* Interval functions: each takes its extreme values where they are known to lie, and widens them by what the C library
 * may be wrong by. */
#include "expr/interval.h"

#define PI 3.14159265358979323846

expr_interval thud_interval_libm(double low, double high) {
  low -= fabs(low) * EXPR_LIBM_ROUNDING + DBL_TRUE_MIN;
  high += fabs(high) * EXPR_LIBM_ROUNDING + DBL_TRUE_MIN;
  return expr_interval_of(low, high);
}

/* 0 times anything is 0: ends at infinity are bounds, not numbers. */
static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static double down_unless_zero(double x) { return x == 0 ? x : expr_down(x); }
static double up_unless_zero(double x) { return x == 0 ? x : expr_up(x); }

/* A product that vanished by underflow did not vanish. */
static bool underflows(double a, double b) { return a != 0 && b != 0 && product(a, b) == 0; }

expr_interval thud_interval_multiply(expr_interval x, expr_interval y) {
  const double p[4] = {product(x.low, y.low), product(x.low, y.high), product(x.high, y.low), product(x.high, y.high)};
  double low = p[0], high = p[0];
  for (int k = 1; k < 4; k++) {
    low = fmin(low, p[k]);
    high = fmax(high, p[k]);
  }
  bool tiny =
      underflows(x.low, y.low) || underflows(x.low, y.high) || underflows(x.high, y.low) || underflows(x.high, y.high);
  if (tiny) return expr_interval_of(expr_down(low), expr_up(high));
  return expr_interval_of(down_unless_zero(low), up_unless_zero(high));
}

expr_interval thud_interval_square(expr_interval x) {
  expr_interval size = thud_interval_abs(x);
  double low = size.low * size.low, high = size.high * size.high;
  return expr_interval_of(fmax(expr_down(low), 0), size.high == 0 ? 0 : expr_up(high));
}

expr_interval thud_interval_divide(expr_interval x, expr_interval y) {
  if (!(y.low > 0 || y.high < 0)) return expr_interval_entire();
  const double q[4] = {x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high};
  double low = q[0], high = q[0];
  for (int k = 0; k < 4; k++) {
    if (isnan(q[k])) return expr_interval_entire();
    low = fmin(low, q[k]);
    high = fmax(high, q[k]);
  }
  bool zero = x.low == 0 && x.high == 0;
  return zero ? x : expr_interval_of(expr_down(low), expr_up(high));
}

expr_interval thud_interval_abs(expr_interval x) {
  if (x.low >= 0) return x;
  if (x.high <= 0) return expr_interval_negate(x);
  return (expr_interval){0, fmax(-x.low, x.high)};
}

expr_interval thud_interval_increasing(double (*function)(double), double first, double last, expr_interval x) {
  if (!(x.low >= first && x.high <= last)) return expr_interval_entire();
  return thud_interval_libm(function(x.low), function(x.high));
}

expr_interval thud_interval_acos(expr_interval x) {
  if (!(x.low >= -1 && x.high <= 1)) return expr_interval_entire();
  return thud_interval_libm(acos(x.high), acos(x.low));
}

expr_interval thud_interval_sqrt(expr_interval x) {
  if (!(x.low >= 0)) return expr_interval_entire();
  return expr_interval_of(fmax(expr_down(sqrt(x.low)), 0), expr_up(sqrt(x.high)));
}

expr_interval thud_interval_cosh(expr_interval x) {
  expr_interval size = thud_interval_abs(x), y = thud_interval_libm(cosh(size.low), cosh(size.high));
  return expr_interval_of(fmax(y.low, 1), y.high);
}

expr_interval thud_interval_sech_squared(expr_interval x) {
  expr_interval size = thud_interval_abs(x);
  double low = 1 / cosh(size.high), high = 1 / cosh(size.low); /* 0 where cosh overflows */
  expr_interval y = thud_interval_libm(low * low, high * high);
  y = expr_interval_of(y.low - y.low * 3 * EXPR_LIBM_ROUNDING, y.high + y.high * 3 * EXPR_LIBM_ROUNDING + DBL_TRUE_MIN);
  return expr_interval_of(fmax(y.low, 0), fmin(y.high, 1));
}

/* True if x + 2 pi k may lie in the interval for some whole k; the rounding of x, pi and k pi is on the safe side. */
static bool contains_turned(expr_interval x, double point) {
  double slack = 1e-15 * (4 + expr_interval_size(x));
  double turns = ceil((x.low - slack - point) / (2 * PI));
  return point + 2 * PI * turns <= x.high + slack || point + 2 * PI * (turns - 1) >= x.low - slack;
}

static expr_interval wave(double (*function)(double), double top, expr_interval x) {
  if (!(expr_interval_size(x) < 1e15) || x.high - x.low >= 2 * PI) return (expr_interval){-1, 1};
  double a = function(x.low), b = function(x.high);
  expr_interval y = thud_interval_libm(fmin(a, b), fmax(a, b));
  if (contains_turned(x, top)) y.high = 1;
  if (contains_turned(x, top + PI)) y.low = -1;
  return (expr_interval){fmax(y.low, -1), fmin(y.high, 1)};
}

expr_interval thud_interval_sin(expr_interval x) {
  if (x.low == 0 && x.high == 0) return x;
  return wave(sin, PI / 2, x);
}

expr_interval thud_interval_cos(expr_interval x) { return wave(cos, 0, x); }

expr_interval thud_interval_tan(expr_interval x) {
  expr_interval cosine = thud_interval_cos(x);
  if (!(cosine.low > 0 || cosine.high < 0)) return expr_interval_entire(); /* a pole may lie inside */
  return thud_interval_libm(tan(x.low), tan(x.high));
}

expr_interval thud_interval_whole_power(expr_interval x, double n) {
  if (n == 0) return expr_interval_point(1);
  if (n < 0) return thud_interval_divide(expr_interval_point(1), thud_interval_whole_power(x, -n));
  bool even = fmod(n, 2) == 0;
  if (even) x = thud_interval_abs(x);
  expr_interval y = thud_interval_libm(pow(x.low, n), pow(x.high, n));
  return even ? expr_interval_of(fmax(y.low, 0), y.high) : y;
}

expr_interval thud_interval_power(expr_interval x, expr_interval y) {
  if (!(x.low > 0 || (x.low == 0 && y.low > 0))) return expr_interval_entire();
  const double p[4] = {pow(x.low, y.low), pow(x.low, y.high), pow(x.high, y.low), pow(x.high, y.high)};
  double low = p[0], high = p[0];
  for (int k = 1; k < 4; k++) {
    if (isnan(p[k])) return expr_interval_entire();
    low = fmin(low, p[k]);
    high = fmax(high, p[k]);
  }
  expr_interval power = thud_interval_libm(low, high);
  if (power.low < 0) power.low = 0;
  return power;
}

/* |d atan2| <= (|x| |dy| + |y| |dx|)/(x^2 + y^2) along the way from the middle. */
expr_interval thud_interval_atan2(expr_interval y, expr_interval x, double value) {
  expr_interval square = expr_interval_add(thud_interval_square(x), thud_interval_square(y));
  if (!(square.low > 0) || !expr_interval_is_finite(square) || isnan(value)) return expr_interval_entire();
  double way =
      (expr_interval_size(x) * expr_interval_radius(y) + expr_interval_size(y) * expr_interval_radius(x)) / square.low;
  way = way * (1 + 8 * EXPR_ROUNDING) + EXPR_LIBM_ROUNDING * (fabs(value) + 1);
  return expr_interval_of(value - way, value + way);
}
