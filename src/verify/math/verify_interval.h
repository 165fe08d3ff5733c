/* Real intervals of the checker: it has its own, so that a mistake in those of a run is not made twice.
 *
 * Rounding goes outwards by a bound of the rounding error, without touching the rounding mode. Sums and products of
 * IEEE arithmetic are wrong by half an ulp at most, one is taken; functions of the C library are not proved, 16 ulp are
 * taken. What is not known is everything, [-inf, inf]; no end is NaN. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_INTERVAL_H
#define THUD_SRC_VERIFY_MATH_VERIFY_INTERVAL_H

#include "verify/system/verify_system.h"

#include <math.h>
#include <stdbool.h>

typedef struct verify_interval {
  double low, high;
} verify_interval;

#define VERIFY_ULP 0x1p-52       /* relative */
#define VERIFY_LIBM_ULPS 0x1p-48 /* relative: 16 ulp */
#define VERIFY_TINY 1e-300       /* more than what underflow can lose */

static inline double verify_least(double a, double b) { return a < b ? a : b; }
static inline double verify_most(double a, double b) { return a > b ? a : b; }
static inline verify_interval verify_everything(void) { return (verify_interval){-(double)INFINITY, (double)INFINITY}; }
/* Ends that are ordered and not NaN, otherwise everything. */
static inline verify_interval verify_between(double low, double high) {
  return low <= high ? (verify_interval){low, high} : verify_everything();
}
static inline verify_interval verify_point(double x) { return verify_between(x, x); }
static inline verify_interval verify_around(double x, double radius) {
  return verify_between(x - radius - fabs(x - radius) * VERIFY_ULP, x + radius + fabs(x + radius) * VERIFY_ULP);
}
static inline bool verify_is_bounded(verify_interval x) { return isfinite(x.low) && isfinite(x.high); }
static inline bool verify_is_point(verify_interval x) { return x.low == x.high; }
static inline double verify_magnitude(verify_interval x) { return verify_most(fabs(x.low), fabs(x.high)); }
static inline double verify_centre(verify_interval x) { return x.low / 2 + x.high / 2; }
/* 1, -1, or 0: both are possible. */
static inline int verify_sign(verify_interval x) { return x.low > 0 ? 1 : x.high < 0 ? -1 : 0; }
static inline verify_interval verify_hull(verify_interval x, verify_interval y) {
  return (verify_interval){verify_least(x.low, y.low), verify_most(x.high, y.high)};
}
static inline verify_interval verify_negative(verify_interval x) { return (verify_interval){-x.high, -x.low}; }

/* A distance from the centre that reaches both ends. */
double thud_verify_interval_radius(verify_interval x);
verify_interval thud_verify_interval_add(verify_interval x, verify_interval y);
verify_interval thud_verify_interval_subtract(verify_interval x, verify_interval y);
verify_interval thud_verify_interval_multiply(verify_interval x, verify_interval y);
verify_interval thud_verify_interval_divide(verify_interval x, verify_interval y);
verify_interval thud_verify_interval_square(verify_interval x);
verify_interval thud_verify_interval_abs(verify_interval x);
verify_interval thud_verify_interval_sqrt(verify_interval x);
verify_interval thud_verify_interval_exp(verify_interval x);
verify_interval thud_verify_interval_log(verify_interval x);
verify_interval thud_verify_interval_sin(verify_interval x);
verify_interval thud_verify_interval_cos(verify_interval x);
verify_interval thud_verify_interval_tan(verify_interval x);
verify_interval thud_verify_interval_asin(verify_interval x);
verify_interval thud_verify_interval_acos(verify_interval x);
verify_interval thud_verify_interval_atan(verify_interval x);
verify_interval thud_verify_interval_sinh(verify_interval x);
verify_interval thud_verify_interval_cosh(verify_interval x);
verify_interval thud_verify_interval_tanh(verify_interval x);
/* 1 - tanh(x)^2, which has no digits left as a difference. */
verify_interval thud_verify_interval_tanh_slope(verify_interval x);
verify_interval thud_verify_interval_atan2(verify_interval y, verify_interval x);
/* x^n for a whole number n; x^y for x > 0. */
verify_interval thud_verify_interval_whole_power(verify_interval x, double n);
verify_interval thud_verify_interval_power(verify_interval x, verify_interval y);

/* ---- by how much a value that is computed again may differ by rounding alone ------------------------------------- */

/* By how much a value that is computed again may differ by rounding alone: the interval of its expression gives it. */

/* A state whose numbers are rounded; q has moved for the time h. */
typedef struct verify_state_at {
  double t, h;
  const double *q, *v; /* [n] */
} verify_state_at;

/* noise [n]: width of the forces there, 0 where the intervals know nothing (expressions without bounds). values: any of
 * this system. Not fast: for what would fail otherwise. */
thud_error thud_verify_force_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                   double *noise);
/* The same of gap i. */
thud_error thud_verify_gap_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                 size_t i, double *noise);
/* The same of the velocity of constraint i, whose gradient is rounded where its terms cancel. */
thud_error thud_verify_velocity_noise(const verify_system *system, const verify_state_at *at,
                                      const verify_values *values, size_t i, double *noise);

#endif
