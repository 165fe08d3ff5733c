/* Polynomials through values on a step whose start is known better than its inside. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_INTERPOLATE_H
#define THUD_SRC_MOTIONS_EVENT_ARC_INTERPOLATE_H

#include "thud/base.h"

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

#endif
