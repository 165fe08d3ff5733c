/* Interval arithmetic of the checker, and what rounding alone may do to a value. */
#include "verify/math/verify_enclosure.h"
#include "verify/math/verify_interval.h"

#include <math.h>

#define PI 3.14159265358979323846
#define HALF_PI 1.57079632679489661923

static double lower(double x) { return x - (fabs(x) * VERIFY_ULP + VERIFY_TINY); }
static double upper(double x) { return x + (fabs(x) * VERIFY_ULP + VERIFY_TINY); }

/* Computed by the C library. */
static verify_interval from_library(double low, double high) {
  return verify_between(low - (fabs(low) * VERIFY_LIBM_ULPS + VERIFY_TINY),
                        high + (fabs(high) * VERIFY_LIBM_ULPS + VERIFY_TINY));
}

static verify_interval within(verify_interval x, double low, double high) {
  return verify_between(verify_most(x.low, low), verify_least(x.high, high));
}

double thud_verify_interval_radius(verify_interval x) {
  double c = verify_centre(x);
  return verify_is_point(x) ? 0 : upper(verify_most(x.high - c, c - x.low));
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

static bool is_zero(verify_interval x) { return x.low == 0 && x.high == 0; }

/* Sums do not underflow: their error is relative to the sum. */
verify_interval thud_verify_interval_add(verify_interval x, verify_interval y) {
  if (is_zero(x)) return y;
  if (is_zero(y)) return x;
  double low = x.low + y.low, high = x.high + y.high;
  low = isfinite(low) ? low - fabs(low) * VERIFY_ULP : -(double)INFINITY;
  high = isfinite(high) ? high + fabs(high) * VERIFY_ULP : (double)INFINITY;
  return verify_between(low, high);
}

verify_interval thud_verify_interval_subtract(verify_interval x, verify_interval y) {
  return thud_verify_interval_add(x, verify_negative(y));
}

/* Infinite ends are bounds: 0 times them is 0. */
static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

verify_interval thud_verify_interval_multiply(verify_interval x, verify_interval y) {
  if (is_zero(x) || is_zero(y)) return verify_point(0);
  if (verify_is_point(x) && fabs(x.low) == 1) return x.low > 0 ? y : verify_negative(y);
  if (verify_is_point(y) && fabs(y.low) == 1) return y.low > 0 ? x : verify_negative(x);
  double a = product(x.low, y.low), b = product(x.low, y.high), c = product(x.high, y.low), d = product(x.high, y.high);
  double low = verify_least(verify_least(a, b), verify_least(c, d));
  double high = verify_most(verify_most(a, b), verify_most(c, d));
  return verify_between(lower(low), upper(high));
}

verify_interval thud_verify_interval_divide(verify_interval x, verify_interval y) {
  if (verify_sign(y) == 0) return verify_everything();
  if (is_zero(x)) return x;
  double a = x.low / y.low, b = x.low / y.high, c = x.high / y.low, d = x.high / y.high;
  if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return verify_everything();
  double low = verify_least(verify_least(a, b), verify_least(c, d));
  double high = verify_most(verify_most(a, b), verify_most(c, d));
  return verify_between(lower(low), upper(high));
}

verify_interval thud_verify_interval_abs(verify_interval x) {
  if (x.low >= 0) return x;
  if (x.high <= 0) return verify_negative(x);
  return (verify_interval){0, verify_most(-x.low, x.high)};
}

verify_interval thud_verify_interval_square(verify_interval x) {
  if (is_zero(x)) return x;
  verify_interval size = thud_verify_interval_abs(x);
  return verify_between(verify_most(0, lower(size.low * size.low)), upper(size.high * size.high));
}

verify_interval thud_verify_interval_sqrt(verify_interval x) {
  if (!(x.low >= 0)) return verify_everything();
  return verify_between(verify_most(0, lower(sqrt(x.low))), upper(sqrt(x.high)));
}

/* ---- functions that grow ----------------------------------------------------------------------------------------- */

verify_interval thud_verify_interval_exp(verify_interval x) {
  verify_interval y = from_library(exp(x.low), exp(x.high));
  return (verify_interval){verify_most(0, y.low), y.high};
}

verify_interval thud_verify_interval_log(verify_interval x) {
  return x.low > 0 ? from_library(log(x.low), log(x.high)) : verify_everything();
}

verify_interval thud_verify_interval_asin(verify_interval x) {
  return x.low >= -1 && x.high <= 1 ? from_library(asin(x.low), asin(x.high)) : verify_everything();
}

verify_interval thud_verify_interval_acos(verify_interval x) {
  return x.low >= -1 && x.high <= 1 ? from_library(acos(x.high), acos(x.low)) : verify_everything();
}

verify_interval thud_verify_interval_atan(verify_interval x) { return from_library(atan(x.low), atan(x.high)); }
verify_interval thud_verify_interval_sinh(verify_interval x) { return from_library(sinh(x.low), sinh(x.high)); }

verify_interval thud_verify_interval_tanh(verify_interval x) {
  return within(from_library(tanh(x.low), tanh(x.high)), -1, 1);
}

/* ---- functions that turn ----------------------------------------------------------------------------------------- */

verify_interval thud_verify_interval_cosh(verify_interval x) {
  verify_interval size = thud_verify_interval_abs(x);
  return within(from_library(cosh(size.low), cosh(size.high)), 1, (double)INFINITY);
}

/* 1/cosh(x) = 2 e/(1 + e^2) with e = exp(-|x|), which grows with e in [0, 1] and does not overflow. */
static double inverse_cosh(double e) { return 2 * e / (1 + e * e); }

verify_interval thud_verify_interval_tanh_slope(verify_interval x) {
  verify_interval e = thud_verify_interval_exp(verify_negative(thud_verify_interval_abs(x)));
  if (!(e.high <= 2)) return (verify_interval){0, 1}; /* x is not known */
  double low = inverse_cosh(e.low), high = inverse_cosh(verify_least(e.high, 1));
  verify_interval y = {verify_most(0, low * (1 - 8 * VERIFY_ULP) - VERIFY_TINY),
                       high * (1 + 8 * VERIFY_ULP) + VERIFY_TINY};
  return within(thud_verify_interval_square(y), 0, 1);
}

/* May `point` + 2 pi k lie in x for a whole k? What rounding leaves open is answered with yes. */
static bool may_contain(verify_interval x, double point) {
  double slack = 1e-14 * (1 + verify_magnitude(x)), first = ceil((x.low - slack - point) / (2 * PI) - 1e-9);
  return point + 2 * PI * first <= x.high + slack;
}

/* A wave of height 1 that is highest at `top` and lowest half a turn later. */
static verify_interval wave(double (*function)(double), double top, verify_interval x) {
  if (!(verify_magnitude(x) < 1e9) || x.high - x.low > 6) return (verify_interval){-1, 1};
  double a = function(x.low), b = function(x.high);
  verify_interval y = from_library(verify_least(a, b), verify_most(a, b));
  if (may_contain(x, top)) y.high = 1;
  if (may_contain(x, top + PI)) y.low = -1;
  return within(y, -1, 1);
}

verify_interval thud_verify_interval_sin(verify_interval x) { return is_zero(x) ? x : wave(sin, HALF_PI, x); }
verify_interval thud_verify_interval_cos(verify_interval x) { return wave(cos, 0, x); }

/* Between two poles the cosine has one sign. */
verify_interval thud_verify_interval_tan(verify_interval x) {
  if (verify_sign(thud_verify_interval_cos(x)) == 0) return verify_everything();
  return from_library(tan(x.low), tan(x.high));
}

/* Extreme on the corners where neither axis is crossed; the argument must not meet the cut y = 0, x <= 0. */
verify_interval thud_verify_interval_atan2(verify_interval y, verify_interval x) {
  if (verify_sign(y) == 0 && !(x.low > 0)) return (verify_interval){-4, 4};
  double a = atan2(y.low, x.low), b = atan2(y.low, x.high), c = atan2(y.high, x.low), d = atan2(y.high, x.high);
  if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return verify_everything();
  return from_library(verify_least(verify_least(a, b), verify_least(c, d)),
                      verify_most(verify_most(a, b), verify_most(c, d)));
}

/* ---- powers ------------------------------------------------------------------------------------------------------ */

verify_interval thud_verify_interval_whole_power(verify_interval x, double n) {
  if (n == 0) return verify_point(1);
  if (n < 0) return thud_verify_interval_divide(verify_point(1), thud_verify_interval_whole_power(x, -n));
  bool even = fmod(n, 2) == 0;
  if (even) x = thud_verify_interval_abs(x);
  verify_interval y = from_library(pow(x.low, n), pow(x.high, n));
  return even ? within(y, 0, (double)INFINITY) : y;
}

verify_interval thud_verify_interval_power(verify_interval x, verify_interval y) {
  if (!(x.low > 0 || (x.low == 0 && y.low > 0))) return verify_everything();
  double a = pow(x.low, y.low), b = pow(x.low, y.high), c = pow(x.high, y.low), d = pow(x.high, y.high);
  if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return verify_everything();
  verify_interval z = from_library(verify_least(verify_least(a, b), verify_least(c, d)),
                                   verify_most(verify_most(a, b), verify_most(c, d)));
  return within(z, 0, (double)INFINITY);
}

/* ---- rounding alone ---------------------------------------------------------------------------------------------- */

/* Roundings that a number has gone through before it is in the record, in units in the last place. */
#define NUMBER_ULPS (4 * VERIFY_ULP)

static void widen(verify_interval *variable, double x, double size) {
  *variable = verify_around(x, NUMBER_ULPS * size);
}

/* Widths of the outputs first .. first + count - 1 of the program; at->v NULL: at velocity 0. */
static thud_error noise_of(const verify_system *system, const thud_expr_program *program, const verify_state_at *at,
                           size_t first, size_t count, double *noise) {
  size_t n = system->n;
  verify_enclosure *e = NULL;
  verify_interval *variables = NULL;
  thud_error error = thud_verify_enclosure_create(system->scene.context, program, 0, &e);
  for (size_t i = 0; i < count; i++) noise[i] = 0;
  if (error == THUD_OK) {
    variables = THUD_NEW_ARRAY(system->scene.context, verify_interval, 1 + 2 * n);
    if (variables == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK) {
    widen(&variables[system->scene.time_slot], at->t, fabs(at->t) + at->h);
    for (size_t i = 0; i < n; i++) {
      double v = at->v != NULL ? at->v[i] : 0;
      widen(&variables[system->slot_q[i]], at->q[i], fabs(at->q[i]) + at->h * fabs(v));
      widen(&variables[system->slot_v[i]], v, fabs(v));
    }
    thud_verify_enclose(e, variables);
    for (size_t i = 0; i < count; i++) {
      verify_interval x = e->values[verify_output(e, first + i)];
      if (verify_is_bounded(x)) noise[i] = 2 * thud_verify_interval_radius(x);
    }
  }
  thud_free(system->scene.context, variables);
  thud_verify_enclosure_destroy(e);
  return error;
}

thud_error thud_verify_force_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                   double *noise) {
  return noise_of(system, system->program, at, (size_t)(values->force - values->out), system->n, noise);
}

thud_error thud_verify_gap_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                 size_t i, double *noise) {
  return noise_of(system, system->program, at, (size_t)(values->gap - values->out) + i, 1, noise);
}

thud_error thud_verify_velocity_noise(const verify_system *system, const verify_state_at *at,
                                      const verify_values *values, size_t i, double *noise) {
  size_t n = system->n;
  double *part = THUD_NEW_ARRAY(system->scene.context, double, n), rate = 0;
  const verify_state_at still = {.t = at->t, .h = at->h, .q = at->q};
  *noise = 0;
  if (part == NULL) return THUD_ERROR_MEMORY;
  thud_error error = noise_of(system, system->program, at, (size_t)(values->gradient - values->out) + i * n, n, part);
  if (error == THUD_OK) error = noise_of(system, system->rate_program, &still, i, 1, &rate);
  for (size_t j = 0; j < n && error == THUD_OK; j++) *noise += part[j] * fabs(at->v[j]);
  *noise += rate;
  thud_free(system->scene.context, part);
  return error;
}
