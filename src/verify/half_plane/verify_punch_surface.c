/* Displacements of a half-plane by quadrature of the logarithmic kernel. */
#include "verify/half_plane/verify_punch.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

/* Gauss' rule with 8 points on [-1, 1], half of it. */
static const double points[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                 0.96028985649753623168};
static const double weights[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                  0.10122853629037625915};
/* On intervals this many times as far away as long, the rule errs by less than 1e-12 of the integral. */
static const double FAR = 2;
/* Parts of intervals that are shorter than this part of their distance hold no more than rounding. */
static const double SHORT = 1e-15;
/* Entries that are kept, and products that are made, at most: then a part of the middles is looked at. */
static const double MOST_ENTRIES = 4e6, MOST_PRODUCTS = 2e9;
enum { LEAST_ROWS = 24, DEEPEST = 60 };

/* The kernel at the distance d, lengths in units of the datum; with a period, that of all of them together. */
static double kernel(const verify_punch *punch, double d) {
  if (punch->period > 0) return -log(fabs(2 * sin(pi * d / punch->period))) / pi;
  return -log(fabs(d) / punch->datum) / pi;
}

/* Distance to the nearest singularity. */
static double nearest(const verify_punch *punch, double d) {
  if (punch->period > 0) d = remainder(d, punch->period);
  return fabs(d);
}

/* Over distances from a to b. */
static double gauss(const verify_punch *punch, double a, double b) {
  double middle = 0.5 * (a + b), half = 0.5 * (b - a), sum = 0;
  for (int k = 0; k < 4; k++)
    sum += weights[k] * (kernel(punch, middle - half * points[k]) + kernel(punch, middle + half * points[k]));
  return half * sum;
}

/* Integral of the kernel over distances from a to b: halved until each part is far from its singularity or too short to
 * matter. */
static double integrate(const verify_punch *punch, double a, double b, int depth) {
  double middle = 0.5 * (a + b), length = b - a;
  if (depth == DEEPEST || length <= SHORT * fabs(middle)) return 0;
  if (nearest(punch, middle) >= FAR * length) return gauss(punch, a, b);
  return integrate(punch, a, middle, depth + 1) + integrate(punch, middle, b, depth + 1);
}

static double integrate_element(const verify_punch *punch, double x, size_t j) {
  return integrate(punch, x - punch->edges[j + 1], x - punch->edges[j], 0);
}

/* sgn(d), made periodic with the mean 0. */
static double across(const verify_punch *punch, double d) {
  double sign = (d > 0) - (d < 0);
  if (!(punch->period > 0)) return sign;
  double r = remainder(d, punch->period);
  return ((r > 0) - (r < 0)) - 2 * r / punch->period;
}

/* Integral of that over the element j: the middle is enough but where the sign changes, and there x is the middle or
 * an edge. */
static double integrate_across(const verify_punch *punch, double x, size_t j) {
  double a = punch->edges[j], b = punch->edges[j + 1], m = punch->x[j];
  if (x > a && x < b) return across(punch, x - 0.5 * (a + x)) * (x - a) + across(punch, x - 0.5 * (x + b)) * (b - x);
  return across(punch, x - m) * (b - a);
}

thud_error thud_verify_punch_prepare(verify_punch_motion *m) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n;
  double rows = fmin((double)n, MOST_PRODUCTS / ((double)n * (double)(m->count > 0 ? m->count : 1)));
  if (!punch->uniform) rows = fmin(rows, MOST_ENTRIES / (double)n);
  m->row_count = (size_t)fmin((double)n, fmax(rows, LEAST_ROWS));
  m->rows = THUD_NEW_ARRAY(m->context, size_t, m->row_count);
  m->kernel = THUD_NEW_ARRAY(m->context, double, punch->uniform ? n : m->row_count *n);
  m->node = THUD_NEW_ARRAY(m->context, double, m->count);
  if (m->rows == NULL || m->kernel == NULL || m->node == NULL) return THUD_ERROR_MEMORY;
  for (size_t r = 0; r < m->row_count; r++) m->rows[r] = (size_t)(((double)r + 0.5) * (double)n / (double)m->row_count);
  for (size_t j = 0; punch->uniform && j < n; j++) m->kernel[j] = integrate_element(punch, punch->x[0], j);
  for (size_t r = 0; !punch->uniform && r < m->row_count; r++)
    for (size_t j = 0; j < n; j++) m->kernel[r * n + j] = integrate_element(punch, punch->x[m->rows[r]], j);
  for (size_t k = 0; k < m->count; k++)
    m->node[k] = round((m->t[k] - punch->scene.start) / (punch->scene.end - punch->scene.start) * punch->scene.steps);
  return THUD_OK;
}

void thud_verify_punch_displace(const verify_punch_motion *m, size_t frame, size_t r, double *u, double *v) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n, i = m->rows[r];
  const double *p = m->pressure + frame * n, *q = m->traction + frame * n;
  double along[2] = {0}, other[2] = {0};
  for (size_t j = 0; j < n; j++) {
    double k = punch->uniform ? m->kernel[i > j ? i - j : j - i] : m->kernel[r * n + j];
    double c = j == i ? 0 : punch->h[j] * across(punch, punch->x[i] - punch->x[j]);
    along[0] += k * p[j];
    along[1] += k * q[j];
    other[0] += c * q[j];
    other[1] -= c * p[j];
  }
  *u = 2 / punch->modulus * (along[0] + 0.5 * punch->coupling * other[0]);
  *v = 2 / punch->modulus * (along[1] + 0.5 * punch->coupling * other[1]);
}

void thud_verify_punch_displace_at(const verify_punch_motion *m, size_t frame, double x, double *u, double *v) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n;
  const double *p = m->pressure + frame * n, *q = m->traction + frame * n;
  double along[2] = {0}, other[2] = {0};
  for (size_t j = 0; j < n; j++) {
    if (p[j] == 0 && q[j] == 0) continue;
    double k = integrate_element(punch, x, j), c = integrate_across(punch, x, j);
    along[0] += k * p[j];
    along[1] += k * q[j];
    other[0] += c * q[j];
    other[1] -= c * p[j];
  }
  *u = 2 / punch->modulus * (along[0] + 0.5 * punch->coupling * other[0]);
  *v = 2 / punch->modulus * (along[1] + 0.5 * punch->coupling * other[1]);
}

double thud_verify_punch_size(const verify_punch_motion *m, size_t frame) {
  const verify_punch *punch = m->punch;
  const double *motion = m->motion + VERIFY_PUNCH_DRIVES * frame, *load = m->load + VERIFY_PUNCH_DRIVES * frame;
  double logs = 0, gap = 0, half = 0.5 * (punch->edges[punch->n] - punch->edges[0]);
  if (!(punch->period > 0)) logs = fabs(log(half / punch->datum)); /* constants of this size cancel */
  for (size_t i = 0; i < punch->n; i++)
    if (m->mode[frame * punch->n + i] != VERIFY_MODE_APART)
      gap = fmax(gap, fabs(punch->profile[i] + motion[2] * (punch->x[i] - punch->pivot)));
  double forces = 2 * (1 + logs) * (fabs(load[0]) + fabs(load[1])) / punch->modulus;
  return fmax(fmax(forces, fabs(motion[0])), fmax(fabs(motion[1]), gap));
}

double thud_verify_punch_no_force(const verify_punch_motion *m, size_t frame) {
  const double *load = m->load + VERIFY_PUNCH_DRIVES * frame;
  double rounding = 64 * (double)m->punch->n * DBL_EPSILON * m->punch->modulus * thud_verify_punch_size(m, frame);
  return m->tolerance * (fabs(load[0]) + fabs(load[1])) + rounding + DBL_MIN;
}
