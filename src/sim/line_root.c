/* The first zero of a polynomial on [0, 1], isolated in the Bernstein basis: positive coefficients prove that there is
 * none, one change of sign that there is exactly one; otherwise the interval is halved (de Casteljau). */
#include "sim/line.h"

#include <math.h>
#include <string.h>

enum { ROOT_DEPTH = 52, ROOT_SIZE = LINE_MAX_ORDER + 3 };

static double value_at(int degree, const double *c, double x, double *slope) {
  double value = c[degree], derivative = 0;
  for (int k = degree - 1; k >= 0; k--) {
    derivative = derivative * x + value;
    value = value * x + c[k];
  }
  *slope = derivative;
  return value;
}

/* The only zero in [a, b], where p goes from positive to negative: Newton's steps as long as they stay inside. */
static double refine(int degree, const double *c, double a, double b) {
  double x = (a + b) / 2;
  for (int k = 0; k < 200 && b - a > 4 * DBL_EPSILON * b; k++) {
    double slope, value = value_at(degree, c, x, &slope);
    if (value == 0) return x;
    if (value > 0)
      a = x;
    else
      b = x;
    double next = slope < 0 ? x - value / slope : a;
    if (fabs(next - x) <= DBL_EPSILON * x) return next;
    x = next > a && next < b ? next : (a + b) / 2;
  }
  return b;
}

/* b_j = sum_{i <= j} C(j,i)/C(m,i) c_i */
static void to_bernstein(int m, const double *c, double *b) {
  double scaled[ROOT_SIZE], choose = 1;
  for (int i = 0; i <= m; i++) {
    scaled[i] = c[i] / choose;
    choose = choose * (m - i) / (i + 1);
  }
  for (int j = 0; j <= m; j++) {
    double sum = 0, ways = 1;
    for (int i = 0; i <= j; i++) {
      sum += ways * scaled[i];
      ways = ways * (j - i) / (i + 1);
    }
    b[j] = sum;
  }
}

/* b becomes the right half, left the left half. */
static void halve(int m, double *b, double *left) {
  left[0] = b[0];
  for (int level = 1; level <= m; level++) {
    for (int j = 0; j <= m - level; j++) b[j] = (b[j] + b[j + 1]) / 2;
    left[level] = b[0];
  }
}

static int sign_changes(int m, const double *b, bool *positive) {
  int changes = 0;
  double last = b[0];
  *positive = b[0] > 0;
  for (int j = 1; j <= m; j++) {
    *positive = *positive && b[j] > 0;
    if (b[j] == 0) continue;
    changes += (last > 0) != (b[j] > 0);
    last = b[j];
  }
  return changes;
}

static double search(int m, const double *c, double *b, double a, double width, int depth) {
  bool positive;
  int changes = sign_changes(m, b, &positive);
  if (positive) return 2;
  if (depth == ROOT_DEPTH) return a;
  if (changes == 1 && b[0] > 0 && b[m] < 0) return refine(m, c, a, a + width);
  double left[ROOT_SIZE] = {0}, copy[ROOT_SIZE] = {0};
  memcpy(copy, b, (size_t)(m + 1) * sizeof *b);
  halve(m, copy, left);
  double root = search(m, c, left, a, width / 2, depth + 1);
  return root <= 1 ? root : search(m, c, copy, a + width / 2, width / 2, depth + 1);
}

double line_first_root(int degree, const double *coefficients) {
  while (degree > 0 && coefficients[degree] == 0) degree--;
  if (!(coefficients[0] > 0)) return 0;
  if (degree == 0) return 2;
  double b[ROOT_SIZE] = {0};
  to_bernstein(degree, coefficients, b);
  return search(degree, coefficients, b, 0, 1, 0);
}
