/* Anderson's acceleration (type II) of a fixed-point iteration t <- t + f(t), with a bounded memory and a safeguard. */
#ifndef THUD_SRC_CONVEX_ANDERSON_H
#define THUD_SRC_CONVEX_ANDERSON_H

#include "base/base.h"

typedef struct thud_anderson thud_anderson;

thud_error thud_anderson_create(thud_context *context, thud_index n, thud_index memory, thud_anderson **anderson);
void thud_anderson_destroy(thud_anderson *anderson);
/* Forgets everything. */
void thud_anderson_reset(thud_anderson *anderson);
/* t[n] and f[n] = f(t), both in coordinates in which |f| of the plain iteration does not grow. Replaces t by the next
 * point to try: the accelerated one, or, when f turned out to be larger than the safeguard allows, the plain step from
 * the best point so far. */
void thud_anderson_step(thud_anderson *anderson, const double *f, double *t);

#endif
