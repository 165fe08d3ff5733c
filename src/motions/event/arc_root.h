/* First root of a polynomial on an interval, with proof of signs. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_ROOT_H
#define THUD_SRC_MOTIONS_EVENT_ARC_ROOT_H

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

#endif
