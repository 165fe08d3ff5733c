/* One contact: closed forms. K = [k_N, w'; w, K_T].
 *
 * Rates. Loaded on its cone with r_T = mu r_N e, slip u_T' = -g e: D_e g + (e.f_T' - mu f_N') = the distance by which
 * r' stays inside, D_e = e.K_T e - mu w.e. One solution for every load iff D_e > 0 for every unit e: the critical mu is
 * the least e.K_T e/(w.e) over w.e > 0; in the plane k_T/|w|, condition (6).
 *
 * Wedging. r = K (0, u_T) lies in the cone iff |x| <= mu w.K_T^-1 x for x = K_T u_T: for some x from mu = 1/|K_T^-1 w|
 * on, first for x along K_T^-1 w. A null vector of K_T is orthogonal to w (K is semidefinite): its part is left out. */
#include "motions/quasistatic/critical.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>

/* e.K_T e/(w.e) in the eigenvectors of K_T (values a <= b), signs chosen so that w = (w1, w2) >= 0: the least one then
 * has e = (cos q, sin q), q in [0, pi/2] (turning a negative component over makes w.e larger). */
typedef struct quotient {
  double a, b, w1, w2;
} quotient;

static double quotient_value(const quotient *q, double angle) {
  double c = cos(angle), s = sin(angle), below = q->w1 * c + q->w2 * s;
  return below > 0 ? (q->a * c * c + q->b * s * s) / below : INFINITY;
}

/* Sign of the derivative: the numerator N'D - N D'. */
static double quotient_slope(const quotient *q, double angle) {
  double c = cos(angle), s = sin(angle);
  return 2 * (q->b - q->a) * s * c * (q->w1 * c + q->w2 * s) - (q->a * c * c + q->b * s * s) * (q->w2 * c - q->w1 * s);
}

/* The slope is c^3 times the cubic b w1 t^3 + (b-2a) w2 t^2 + (2b-a) w1 t - a w2 of t = tan q, which has one root t > 0:
 * one change of sign for b >= 2a; otherwise three roots need a positive local maximum, hence 3a(2a-b)/(2b-a)^2 <
 * (w1/w2)^2 < (2a-b)^2/(3b(2b-a)), hence 9ab < (2a-b)(2b-a), which no positive a, b satisfy. Halved to rounding. */
static double quotient_least(const quotient *q, double *angle) {
  double low = 0, high = acos(0);
  for (;;) {
    double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    if (quotient_slope(q, middle) < 0)
      low = middle;
    else
      high = middle;
  }
  *angle = quotient_value(q, low) < quotient_value(q, high) ? low : high;
  return quotient_value(q, *angle);
}

static thud_error rate_space(const thud_critical_work *work, thud_critical_row *row) {
  double K_T[4], w[2], values[2], v[4], along[2], angle = 0;
  thud_critical_one_contact(work, K_T, w);
  thud_error error = thud_dense_eigen_symmetric(work->context, 2, K_T, values, v);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < 2; k++) along[k] = v[2 * k] * w[0] + v[2 * k + 1] * w[1];
  quotient q = {.a = values[0], .b = values[1], .w1 = fabs(along[0]), .w2 = fabs(along[1])};
  row->value = row->low = quotient_least(&q, &angle);
  double e1 = copysign(cos(angle), along[0]), e2 = copysign(sin(angle), along[1]);
  if (isfinite(row->value))
    for (size_t i = 0; i < 2; i++) row->direction[i] = e1 * v[i] + e2 * v[2 + i];
  return THUD_OK;
}

static void mark_slip(const thud_critical_work *work, thud_critical_row *row, signed char mode) {
  signed char *modes = thud_critical_modes(work, row->id);
  modes[0] = mode;
  row->modes = modes;
}

thud_error thud_critical_rate_one(const thud_critical_work *work, thud_critical_row *row) {
  if (work->components == 3) {
    thud_error error = rate_space(work, row);
    if (error == THUD_OK && isfinite(row->value)) mark_slip(work, row, THUD_CRITICAL_SLIP);
    return error;
  }
  double k_T, w;
  thud_critical_one_contact(work, &k_T, &w);
  row->value = row->low = k_T / fabs(w);
  if (w != 0) mark_slip(work, row, w > 0 ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD);
  return THUD_OK;
}

thud_error thud_critical_wedging_one(const thud_critical_work *work, thud_critical_row *row) {
  thud_index t = work->components - 1;
  double K_T[4], w[2], values[2], v[4], x[2] = {0};
  thud_critical_one_contact(work, K_T, w);
  thud_error error = thud_dense_eigen_symmetric(work->context, t, K_T, values, v);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < t; k++) {
    if (!(values[k] > work->options.tolerance)) continue;
    double along = 0;
    for (thud_index i = 0; i < t; i++) along += v[thud_at(t, i, k)] * w[i];
    for (thud_index i = 0; i < t; i++) x[i] += v[thud_at(t, i, k)] * along / values[k];
  }
  double norm = hypot(x[0], x[1]);
  row->value = row->low = 1 / norm;
  if (!isfinite(row->value)) return THUD_OK;
  if (t == 2)
    for (size_t i = 0; i < 2; i++) row->direction[i] = x[i] / norm;
  mark_slip(work, row, t == 2 ? THUD_CRITICAL_SLIP : x[0] > 0 ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD);
  return THUD_OK;
}
