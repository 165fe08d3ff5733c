/* Hermite interpolation in Newton's form.
 *
 * The nodes are Chebyshev's extrema on [0, 1] without 0, where instead the first coefficients of the power series are
 * given. With c_0..c_{d-1} known, (f(x) - sum c_k x^k)/x^d is interpolated by divided differences, which stay small for
 * smooth f: rounding errors of the coefficients then belong together and cancel in the values. The error is
 *   f(x) - p(x) = x^d prod_j (x - x_j) f[...],
 * so that its size at one place between the nodes gives its size everywhere as long as the last factor varies little.
 */
#include "motions/event/arc_interpolate.h"

#include "motions/event/arc_root.h"

#include <math.h>

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
