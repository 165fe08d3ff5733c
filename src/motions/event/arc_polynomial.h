/* Polynomials on an interval: the first root with proof of signs, interpolation, Chebyshev series. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_POLYNOMIAL_H
#define THUD_SRC_MOTIONS_EVENT_ARC_POLYNOMIAL_H

#include "thud/base.h"

enum { ARC_MAX_DEGREE = 64 };

typedef enum arc_root_kind {
  ARC_ROOT_NONE = 0,    /* positive on the whole interval, beyond rounding */
  ARC_ROOT_SIMPLE = 1,  /* the sign changes at s */
  ARC_ROOT_TANGENT = 2, /* touches 0 within rounding: somewhere in [low, high], s is where it is least */
  ARC_ROOT_START = 3    /* not positive, within rounding or beyond, at 0 already */
} arc_root_kind;

typedef struct arc_root {
  arc_root_kind kind;
  double s;
  double low, high; /* contain the root in spite of the noise */
} arc_root;

/* p(s) = sum_k c[k] s^k, k = 0..degree <= ARC_MAX_DEGREE, on [0, h], h > 0 finite. Finds the first s at which p is not
 * positive. `noise` >= 0 is the error of p's values that the caller knows of (of its coefficients, of what was cut
 * off); the rounding errors of the search itself are added. No root is passed over: an interval is left behind only
 * when all its Bernstein coefficients are positive beyond the noise. */
arc_root thud_arc_first_root(int degree, const double *c, double h, double noise);
/* p(s) and p'(s). derivative may be NULL. */
double thud_arc_polynomial(int degree, const double *c, double s, double *derivative);

/* ---- Polynomials through values on a step whose start is known better than its inside ---------------------------- */

enum {
  ARC_NODES = 12, /* places x in ]0, 1] at which values are taken */
  ARC_CHECKS = 2, /* places between them at which the polynomial is compared with the values */
  ARC_SAMPLES = ARC_NODES + ARC_CHECKS,
  ARC_KNOWN = 3 /* at most so many coefficients are known at the start */
};

typedef struct arc_interpolation {
  double place[ARC_SAMPLES]; /* the nodes in rising order, then the checks */
  /* [known][skip][check]: the largest error of the polynomial divided by x^skip beside the error at the check. */
  double gain[ARC_KNOWN + 1][ARC_KNOWN + 1][ARC_CHECKS];
} arc_interpolation;

void thud_arc_interpolation_make(arc_interpolation *made);
/* c[0..known-1], 1 <= known <= ARC_KNOWN, are given; c[known..known+ARC_NODES-1] follow so that the polynomial has the
 * values[k*stride], k < ARC_NODES, at the nodes. Coefficients are those of x = s/h. */
void thud_arc_interpolate(const arc_interpolation *interpolation, int known, const double *values, size_t stride,
                          double *c);

/* ---- Chebyshev series ----------------------------------------------------------------------------------------------
 *
 * sum_k series[k*stride] T_k(x), x in [-1, 1]. */

enum { CHEBYSHEV_MOST_NODES = 20 };

double thud_chebyshev_node(int nodes, int j);
/* Coefficients of the polynomials through values[nodes*width] at the nodes. */
void thud_chebyshev_fit(int nodes, size_t width, const double *values, double *series);
/* The value at x (Clenshaw's sum). */
double thud_chebyshev_sum(int count, const double *series, size_t stride, double x);
/* start + half times the integral from x, one coefficient more. */
void thud_chebyshev_integrate(int count, const double *series, size_t stride, double half, double x, double start,
                              double *out);
/* Coefficients 0..last of powers of s, x = start + 2 s/h. */
void thud_chebyshev_to_powers(int nodes, const double *series, size_t stride, double start, double h, int last,
                              double *out, size_t out_stride);

#endif
