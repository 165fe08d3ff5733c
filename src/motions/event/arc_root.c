/* First root of a polynomial by subdivision of its Bernstein form.
 *
 * On an interval a polynomial lies in the convex hull of its Bernstein coefficients, and the number of its roots is the
 * number of their sign changes minus an even number (Descartes' rule). Halves are visited from left to right, so that
 * the first root is found first:
 *   all coefficients positive      no root here
 *   one change, from + to -        exactly one root: bracketed Newton
 *   all within the noise           cannot be distinguished from a root: touched or crossed, by what follows
 *   otherwise                      halve */
#include "motions/event/arc_root.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
