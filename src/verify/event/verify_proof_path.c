/* Polynomials of arcs about points of them, with their rounding errors. */
#include "verify/event/verify_proof_path.h"

#define UNIT 0x1p-53

/* a + b - sum without rounding, sum = fl(a + b) (Knuth's two-sum). */
static double rest_of_sum(double a, double b, double sum) {
  double b_part = sum - a, a_part = sum - b_part;
  return (a - a_part) + (b - b_part);
}

/* The centre is taken so that its time is a number: what depends on time by large factors then has no rounding of the
 * time to carry. Where times cannot resolve the piece its rounding is known. `half` reaches both ends and no further: a
 * difference of two numbers is rounded once. */
verify_piece thud_verify_piece(double t0, double from, double to) {
  double middle = from + (to - from) / 2, time = t0 + middle, centre = time - t0;
  verify_piece piece = {.from = from, .to = to, .time = time, .centre = centre};
  if (!(fabs(centre - middle) <= (to - from) / 8)) piece.centre = middle;
  piece.time_error = fabs(rest_of_sum(t0, piece.centre, time));
  piece.half = verify_most(to - piece.centre, piece.centre - from) * (1 + 8 * UNIT);
  if (from == to) piece.half = 0;
  return piece;
}

verify_piece thud_verify_piece_from_start(double t0, double to) {
  return (verify_piece){.to = to, .time = t0, .half = to};
}

static verify_series *zero(verify_series *out) {
  out->last = 0;
  out->middle[0] = out->radius[0] = 0;
  return out;
}

/* (k + d)!/k! */
static double falling(int k, int d) { return d == 0 ? 1 : d == 1 ? k + 1 : (k + 1.0) * (k + 2.0); }

static int trimmed(const verify_polynomial *p, int derivative) {
  int last = p->degree;
  while (last >= derivative && p->c[(size_t)last * p->stride] == 0) last--;
  return last - derivative;
}

/* Value of a derivative at the centre. Horner's rule y_k = fl(s y_(k+1) + c_k) is wrong by at most u (2 e_0 - |y_0|), to
 * first order, where e_k = |s| e_(k+1) + |y_k|, e_last = |y_last|/2 (Higham, Accuracy and stability of numerical
 * algorithms, section 5.1): near the beginning of an arc by one rounding of the value alone. Coefficients of derivatives
 * are rounded themselves. */
static void value_at(const verify_polynomial *p, int derivative, double s, verify_series *out) {
  int last = trimmed(p, derivative);
  double sum = 0, size = 0, running = 0;
  for (int k = last; k >= 0; k--) {
    double c = falling(k, derivative) * p->c[(size_t)(k + derivative) * p->stride];
    sum = sum * s + c;
    size = size * fabs(s) + fabs(c);
    running = k == last ? fabs(sum) / 2 : running * fabs(s) + fabs(sum);
  }
  zero(out)->middle[0] = sum;
  double rounding = 2 * running - fabs(sum) + (derivative > 0 ? 2 * size : 0);
  if (last > 0 && s != 0) out->radius[0] = UNIT * rounding * (1 + (8 * last + 32) * UNIT) + VERIFY_TINY;
}

/* Repeated Horner's rule: p(s + x) by synthetic division; the same with sizes bounds the terms that were added. */
static void shift(const verify_polynomial *p, int derivative, const verify_piece *piece, verify_series *out) {
  int last = trimmed(p, derivative);
  double *m = out->middle, *size = out->radius, s = piece->centre, power = 1;
  if (last <= 0) {
    value_at(p, derivative, s, out);
    return;
  }
  for (int k = 0; k <= last; k++) {
    m[k] = falling(k, derivative) * p->c[(size_t)(k + derivative) * p->stride];
    size[k] = fabs(m[k]);
  }
  for (int i = 0; i < last && s != 0; i++)
    for (int k = last - 1; k >= i; k--) {
      m[k] += s * m[k + 1];
      size[k] += fabs(s) * size[k + 1];
    }
  for (int k = 0; k <= last; k++, power *= piece->half) {
    m[k] *= power;
    out->radius[k] = (6 * last + 16) * UNIT * size[k] * power + VERIFY_TINY;
  }
  out->last = last;
}

/* out_k = half slope_(k-1)/k for k >= 1; out_0 is there. */
static void integrate(const verify_series *slope, double half, verify_series *out) {
  if (slope->last == 0 && slope->middle[0] == 0 && slope->radius[0] == 0) return;
  for (int k = 1; k <= slope->last + 1; k++) {
    double factor = half / k;
    out->middle[k] = factor * slope->middle[k - 1];
    out->radius[k] = factor * slope->radius[k - 1] * (1 + 8 * UNIT) + 4 * UNIT * fabs(out->middle[k]) + VERIFY_TINY;
  }
  out->last = slope->last + 1;
}

void thud_verify_path_shift(const verify_polynomial *p, const verify_piece *piece, verify_series *out) {
  shift(p, 0, piece, out);
}

void thud_verify_path_motion(const verify_polynomial *p, const verify_piece *piece, verify_series *q, verify_series *v,
                             verify_series *a) {
  shift(p, 2, piece, a);
  value_at(p, 1, piece->centre, v);
  value_at(p, 0, piece->centre, q);
  integrate(a, piece->half, v);
  integrate(v, piece->half, q);
}

void thud_verify_path_time(const verify_piece *piece, verify_series *out) {
  zero(out)->middle[0] = piece->time;
  out->radius[0] = piece->time_error;
  out->middle[1] = piece->half;
  out->radius[1] = 0;
  out->last = piece->half > 0;
}

/* About x coefficient k is sum_{j>=k} binomial(j, k) p_j x^(j-k). For |x| <= 1 the shift by 1 of the sizes bounds it; for
 * x in [0, 1] the terms of either sign do so by themselves: `out` first has the sum of the sizes and of the terms. */
void thud_verify_path_widen(const verify_series *path, int order, bool from_start, verify_series *out) {
  int last = path->last;
  double *size = out->radius, *sum = out->middle;
  for (int k = 0; k <= last; k++) {
    size[k] = fabs(path->middle[k]) + path->radius[k];
    sum[k] = path->middle[k];
  }
  for (int i = 0; i < last; i++)
    for (int k = last - 1; k >= i; k--) {
      size[k] += size[k + 1];
      sum[k] += sum[k + 1];
    }
  out->last = last < order ? last : order;
  for (int k = 0; k <= out->last; k++) {
    double rest = verify_most(size[k] - fabs(path->middle[k]), 0), rounding = (4 * last + 8) * UNIT * size[k];
    double moved = sum[k] - path->middle[k]; /* sum of the other terms at x = 1 */
    out->middle[k] = path->middle[k] + (from_start ? moved / 2 : 0);
    /* The radii of the other coefficients count in full: about s = 0 they are rounding of these coefficients. */
    double radii = (8 * last + 32) * UNIT * size[k] + 1e9 * VERIFY_TINY;
    out->radius[k] = (from_start ? rest / 2 + path->radius[k] + radii : rest) + rounding;
    if (k == last) {
      out->middle[k] = path->middle[k];
      out->radius[k] = path->radius[k];
    }
  }
}

verify_interval thud_verify_path_range(const verify_series *path, bool from_start) {
  double low = path->middle[0], high = low, radius = path->radius[0], size = fabs(low);
  for (int k = 1; k <= path->last; k++) {
    double c = path->middle[k];
    bool one_sign = from_start || k % 2 == 0;
    low -= one_sign ? verify_most(-c, 0) : fabs(c);
    high += one_sign ? verify_most(c, 0) : fabs(c);
    radius += path->radius[k];
    size += fabs(c);
  }
  radius += path->last > 0 ? (2 * path->last + 4) * UNIT * (size + radius) : 0;
  if (radius == 0) return verify_between(low, high);
  return verify_between(low - radius - fabs(low) * VERIFY_ULP, high + radius + fabs(high) * VERIFY_ULP);
}

verify_interval thud_verify_path_centre(const verify_series *path) {
  return path->radius[0] == 0 ? verify_point(path->middle[0]) : verify_around(path->middle[0], path->radius[0]);
}
