/* The secular equation of projections onto { s'Qs <= r^2 } in a metric; see balls.c. */
#ifndef THUD_SRC_CONVEX_QUADRIC_H
#define THUD_SRC_CONVEX_QUADRIC_H

#include "convex/set.h"

typedef struct thud_quadric {
  thud_index n;
  const double *Q; /* [n*n], NULL: the identity */
  const double *R; /* [n*n] lower Cholesky factor of Q */
} thud_quadric;

/* s and l >= 0 with (M + l Q)s = right, |s|_Q <= r, l (|s|_Q - r) = 0, r > 0: s is the projection of M^-1 right in the
 * metric M. work[2*n*n + 2n]. Adds its steps to info->iterations. */
thud_error thud_quadric_secular(thud_context *context, const thud_quadric *set, const thud_metric_view *metric,
                                const double *right, double r, double *work, double *s, double *multiplier,
                                thud_set_info *info);

#endif
