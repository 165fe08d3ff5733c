/* Polynomials on an interval: the first root, interpolation by Hermite, Chebyshev series. */
#include "motions/event/arc_polynomial.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the first root ------------------------------------------------------------------------------------------------ */

/* First root of a polynomial by subdivision of its Bernstein form.
 *
 * On an interval a polynomial lies in the convex hull of its Bernstein coefficients, and the number of its roots is the
 * number of their sign changes minus an even number (Descartes' rule). Halves are visited from left to right, so that
 * the first root is found first:
 *   all coefficients positive      no root here
 *   one change, from + to -        exactly one root: bracketed Newton
 *   all within the noise           cannot be distinguished from a root: touched or crossed, by what follows
 *   otherwise                      halve */

enum { MAX_DEPTH = 60, NEWTON_STEPS = 100 };

/* Rounding of the change of basis and of the halvings, in units of eps sum |c_k| h^k: each coefficient is a convex
 * combination of partial sums of the terms, `degree` levels deep, and so is each of the few dozen halvings of which
 * only the average of two numbers is rounded. */
#define ROUNDING_FACTOR 4.0

double thud_arc_polynomial(int degree, const double *c, double s, double *derivative) {
  double value = c[degree], slope = 0;
  for (int k = degree - 1; k >= 0; k--) {
    slope = slope * s + value;
    value = value * s + c[k];
  }
  if (derivative != NULL) *derivative = slope;
  return value;
}

/* x in [0,1], scaled coefficients a_k = c_k h^k: b_i = sum_k C(i,k)/C(n,k) a_k by repeated sums of neighbours. */
static void to_bernstein(int n, const double *a, double *b) {
  double binomial = 1;
  for (int k = 0; k <= n; k++) {
    b[k] = a[k] / binomial;
    binomial = binomial * (n - k) / (k + 1);
  }
  for (int level = 1; level <= n; level++)
    for (int i = n; i >= level; i--) b[i] += b[i - 1];
}

/* b becomes the left half, right the other one (de Casteljau). */
static void halve(int n, double *b, double *right) {
  for (int level = 0; level <= n; level++) {
    right[n - level] = b[n];
    for (int i = n; i > level; i--) b[i] = 0.5 * (b[i - 1] + b[i]);
  }
}

typedef enum signs {
  ALL_POSITIVE,
  ONE_CHANGE,    /* from + to -, beyond the noise at both ends */
  ENDS_NEGATIVE, /* nowhere positive, negative at the end */
  ALL_NOISE,
  UNDECIDED
} signs;

static signs signs_of_coefficients(int n, const double *b, double noise) {
  int count[3] = {0, 0, 0}, changes = 0, last = 1;
  for (int i = 0; i <= n; i++) {
    int sign = b[i] > noise ? 1 : b[i] < -noise ? -1 : 0;
    count[sign + 1]++;
    changes += sign != 0 && sign != last ? 1 : 0;
    last = sign != 0 ? sign : last;
  }
  if (count[2] == n + 1) return ALL_POSITIVE;
  if (count[1] == n + 1) return ALL_NOISE;
  if (b[n] < -noise && count[2] == 0) return ENDS_NEGATIVE;
  return changes == 1 && b[0] > noise && b[n] < -noise ? ONE_CHANGE : UNDECIDED;
}

/* p(low) > 0 >= p(high): Newton's method, halving where it leaves the bracket. */
static double refine(int n, const double *a, double low, double high) {
  double x = 0.5 * (low + high);
  for (int step = 0; step < NEWTON_STEPS && high - low > 2 * DBL_EPSILON * high; step++) {
    double slope, value = thud_arc_polynomial(n, a, x, &slope);
    if (value > 0)
      low = x;
    else
      high = x;
    double next = x - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == x || fabs(next - x) <= DBL_EPSILON * x) return next;
    x = next;
  }
  return x;
}

static arc_root root_at(arc_root_kind kind, double x, double noise, double slope, double h) {
  double width = slope != 0 ? noise / fabs(slope) : 0;
  return (arc_root){.kind = kind, .s = x * h, .low = fmax(x - width, 0) * h, .high = fmin(x + width, 1) * h};
}

/* Where p is least in [low, high]: a zero of p' by bisection, from the signs at the ends. */
static double least_point(int n, const double *a, double low, double high) {
  double slope;
  while (high - low > 2 * DBL_EPSILON * high) {
    double x = 0.5 * (low + high);
    if (x <= low || x >= high) break;
    thud_arc_polynomial(n, a, x, &slope);
    if (slope < 0)
      low = x;
    else
      high = x;
  }
  return 0.5 * (low + high);
}

/* A point between `inner`, where |p| is below the noise, and `outer`, where it is not, at which it begins not to be. */
static double edge(int n, const double *a, double inner, double outer, double noise) {
  for (int step = 0; step < MAX_DEPTH; step++) {
    double x = 0.5 * (inner + outer);
    if (fabs(thud_arc_polynomial(n, a, x, NULL)) <= noise)
      inner = x;
    else
      outer = x;
  }
  return outer;
}

/* Widths up to this follow from the slope at the root; beyond it the slope is not a measure. */
#define STRAIGHT 1e-6

/* From `from` on p may not be distinguished from 0; it is negative beyond the noise at `to`: it crosses. */
static arc_root crossing(int n, const double *a, double from, double to, double noise, double h) {
  double slope, x = refine(n, a, from, to);
  thud_arc_polynomial(n, a, x, &slope);
  arc_root root = root_at(ARC_ROOT_SIMPLE, x, noise, slope, h);
  if (noise <= STRAIGHT * fabs(slope)) return root;
  root.low = thud_arc_polynomial(n, a, from, NULL) > noise ? edge(n, a, x, from, noise) * h : from * h;
  root.high = edge(n, a, x, to, noise) * h;
  return root;
}

/* On [from, to] p could not be distinguished from 0; it is positive afterwards, or the interval ends: it touches. */
static arc_root touch(int n, const double *a, double from, double to, double noise, double h) {
  double left, right;
  thud_arc_polynomial(n, a, from, &left);
  thud_arc_polynomial(n, a, to, &right);
  if (left < 0 && right < 0) /* falls through the end of the whole interval */
    return root_at(ARC_ROOT_SIMPLE, to, noise, right, h);
  double x = left < 0 ? least_point(n, a, from, to) : from;
  return (arc_root){.kind = ARC_ROOT_TANGENT, .s = x * h, .low = from * h, .high = to * h};
}

typedef struct piece {
  double low, high;
  double b[ARC_MAX_DEGREE + 1];
} piece;

/* The right half takes the place of the piece, the left one goes on top of it. */
static void split(int n, double middle, piece *here, piece *left) {
  memcpy(left->b, here->b, (size_t)(n + 1) * sizeof(double));
  left->low = here->low;
  left->high = middle;
  here->low = middle;
  halve(n, left->b, here->b);
}

static arc_root search(int n, const double *a, double noise, double h) {
  piece stack[MAX_DEPTH + 2];
  int top = 1;
  double noisy = -1; /* where the present stretch of noise begins, < 0: p is positive so far */
  stack[0].low = 0;
  stack[0].high = 1;
  to_bernstein(n, a, stack[0].b);
  while (top > 0) {
    piece *here = &stack[top - 1];
    signs found = signs_of_coefficients(n, here->b, noise);
    double middle = 0.5 * (here->low + here->high);
    bool smallest = top > MAX_DEPTH || middle <= here->low || middle >= here->high;
    if (noisy >= 0 && (found == ALL_POSITIVE || found == ONE_CHANGE)) return touch(n, a, noisy, here->low, noise, h);
    if (found == ONE_CHANGE) return crossing(n, a, here->low, here->high, noise, h);
    if (found == ENDS_NEGATIVE) return crossing(n, a, noisy >= 0 ? noisy : here->low, here->high, noise, h);
    if (found == ALL_POSITIVE) {
      top--;
    } else if (found == ALL_NOISE || smallest) {
      noisy = noisy >= 0 ? noisy : here->low;
      top--;
    } else {
      split(n, middle, here, &stack[top]);
      top++;
    }
  }
  return noisy >= 0 ? touch(n, a, noisy, 1, noise, h) : (arc_root){.kind = ARC_ROOT_NONE};
}

/* The unit of the search is h, which need not be a round number: a last step of Newton's method with the coefficients
 * as they were given. It makes the zero of t - b the number b. */
static arc_root polish(int degree, const double *c, arc_root root) {
  if (root.kind != ARC_ROOT_SIMPLE) return root;
  double slope, value = thud_arc_polynomial(degree, c, root.s, &slope), better = root.s - value / slope;
  if (better >= root.low && better <= root.high) root.s = better;
  return root;
}

arc_root thud_arc_first_root(int degree, const double *c, double h, double noise) {
  double a[ARC_MAX_DEGREE + 1], size = 0, above = 0, power = 1;
  while (degree > 0 && c[degree] == 0) degree--;
  for (int k = 0; k <= degree; k++, power *= h) {
    a[k] = c[k] * power;
    size += fabs(a[k]);
    if (k > 0) above += fmax(-a[k], 0);
  }
  noise += ROUNDING_FACTOR * (degree + 1) * DBL_EPSILON * size;
  if (a[0] > noise + above) return (arc_root){.kind = ARC_ROOT_NONE};
  if (a[0] <= noise) return (arc_root){.kind = ARC_ROOT_START};
  return polish(degree, c, search(degree, a, noise, h));
}

/* ---- Hermite interpolation ----------------------------------------------------------------------------------------- */

/* Hermite interpolation in Newton's form.
 *
 * The nodes are Chebyshev's extrema on [0, 1] without 0, where instead the first coefficients of the power series are
 * given. With c_0..c_{d-1} known, (f(x) - sum c_k x^k)/x^d is interpolated by divided differences, which stay small for
 * smooth f: rounding errors of the coefficients then belong together and cancel in the values. The error is
 *   f(x) - p(x) = x^d prod_j (x - x_j) f[...],
 * so that its size at one place between the nodes gives its size everywhere as long as the last factor varies little.
 */

enum { GRID = 400 }; /* places at which the largest error is looked for */

/* x^(d-skip) prod_j (x - x_j) */
static double node_product(const arc_interpolation *interpolation, int power, double x) {
  double product = pow(x, power);
  for (int j = 0; j < ARC_NODES; j++) product *= x - interpolation->place[j];
  return fabs(product);
}

void thud_arc_interpolation_make(arc_interpolation *made) {
  const double pi = 3.14159265358979323846;
  for (int j = 0; j < ARC_NODES; j++) {
    double half = sin(pi * (j + 1) / (2 * ARC_NODES));
    made->place[j] = half * half;
  }
  made->place[ARC_NODES] = (made->place[ARC_NODES / 2 - 1] + made->place[ARC_NODES / 2]) / 2;
  made->place[ARC_NODES + 1] = (made->place[ARC_NODES - 2] + 2 * made->place[ARC_NODES - 1]) / 3;
  for (int known = 0; known <= ARC_KNOWN; known++)
    for (int skip = 0; skip <= ARC_KNOWN; skip++) {
      double largest = 0;
      for (int g = 0; g <= GRID; g++)
        largest = fmax(largest, node_product(made, skip < known ? known - skip : 0, (double)g / GRID));
      for (int c = 0; c < ARC_CHECKS; c++)
        made->gain[known][skip][c] = largest / node_product(made, known, made->place[ARC_NODES + c]);
    }
}

void thud_arc_interpolate(const arc_interpolation *interpolation, int known, const double *values, size_t stride,
                          double *c) {
  const double *x = interpolation->place;
  double difference[ARC_NODES], *rest = c + known;
  for (int j = 0; j < ARC_NODES; j++)
    difference[j] = (values[(size_t)j * stride] - thud_arc_polynomial(known - 1, c, x[j], NULL)) / pow(x[j], known);
  for (int level = 1; level < ARC_NODES; level++)
    for (int j = ARC_NODES - 1; j >= level; j--)
      difference[j] = (difference[j] - difference[j - 1]) / (x[j] - x[j - level]);
  /* Horner's scheme for polynomials: rest = rest (x - x_j) + difference_j. */
  for (int k = 0; k < ARC_NODES; k++) rest[k] = 0;
  for (int j = ARC_NODES - 1; j >= 0; j--) {
    for (int k = ARC_NODES - 1; k > 0; k--) rest[k] = rest[k - 1] - x[j] * rest[k];
    rest[0] = difference[j] - x[j] * rest[0];
  }
}

/* ---- Chebyshev series ---------------------------------------------------------------------------------------------- */

double thud_chebyshev_node(int nodes, int j) { return cos(acos(-1.0) * (j + 0.5) / nodes); }

/* Coefficients of the polynomial through values at the nodes. */
void thud_chebyshev_fit(int nodes, size_t width, const double *values, double *series) {
  for (size_t c = 0; c < width; c++)
    for (int k = 0; k < nodes; k++) {
      double sum = 0;
      for (int j = 0; j < nodes; j++) sum += values[(size_t)j * width + c] * cos(acos(-1.0) * k * (j + 0.5) / nodes);
      series[(size_t)k * width + c] = sum * (k == 0 ? 1 : 2) / nodes;
    }
}

/* The value at x (Clenshaw's sum). */
double thud_chebyshev_sum(int count, const double *series, size_t stride, double x) {
  double b1 = 0, b2 = 0;
  for (int k = count - 1; k > 0; k--) {
    double b = 2 * x * b1 - b2 + series[(size_t)k * stride];
    b2 = b1;
    b1 = b;
  }
  return x * b1 - b2 + series[0];
}

/* start + half times the integral from x, one coefficient more. */
void thud_chebyshev_integrate(int count, const double *series, size_t stride, double half, double x, double start,
                              double *out) {
  for (int k = 1; k <= count; k++) {
    double low = series[(size_t)(k - 1) * stride] * (k == 1 ? 2 : 1);
    double high = k + 1 < count ? series[(size_t)(k + 1) * stride] : 0;
    out[(size_t)k * stride] = half * (low - high) / (2 * k);
  }
  out[0] = 0;
  out[0] = start - thud_chebyshev_sum(count + 1, out, stride, x);
}

/* Coefficients of powers of s from Chebyshev coefficients, by the recurrence T_k+1 = 2 x T_k - T_k-1 with x = start + 2 u,
 * u = s/h; with start = -1 those of T_k are whole numbers, below 2^53 for k < 20. */
void thud_chebyshev_to_powers(int nodes, const double *series, size_t stride, double start, double h, int last,
                              double *out, size_t out_stride) {
  double now[CHEBYSHEV_MOST_NODES + 1] = {1}, before[CHEBYSHEV_MOST_NODES + 1] = {0},
                                    sum[CHEBYSHEV_MOST_NODES + 1] = {0};
  for (int k = 0; k < nodes; k++) {
    double next[CHEBYSHEV_MOST_NODES + 1] = {0}, twice = k == 0 ? 1 : 2;
    for (int j = 0; j <= k; j++) {
      sum[j] += series[(size_t)k * stride] * now[j];
      next[j + 1] += twice * 2 * now[j];
      next[j] += twice * start * now[j] - before[j];
    }
    memcpy(before, now, sizeof now);
    memcpy(now, next, sizeof now);
  }
  double power = 1;
  for (int j = 0; j <= last; j++, power *= h) out[(size_t)j * out_stride] = j < nodes ? sum[j] / power : 0;
}
