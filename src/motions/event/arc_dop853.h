/* One step of the Runge-Kutta pair DOP853 with its dense output. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_DOP853_H
#define THUD_SRC_MOTIONS_EVENT_ARC_DOP853_H

#include "thud/base.h"

enum { DOP853_STAGES = 12, DOP853_ALL = 16, DOP853_DENSE = 7 };

/* y' = f(s, y); s from the start of the step. What it returns other than THUD_OK ends the step. */
typedef thud_error (*dop853_slope)(void *user, double s, const double *y, double *slope);

/* Arrays are the caller's. */
typedef struct dop853 {
  size_t count;  /* unknowns */
  double *start; /* [count] set by the caller, with slope[0..count-1] there */
  double *end;   /* [count] of the step, of order 8 */
  double *slope; /* [DOP853_ALL*count] of the stages */
  double *dense; /* [DOP853_DENSE*count] */
  double *trial; /* [count] */
} dop853;

/* From start over h: end and the stages. */
thud_error thud_dop853_step(dop853 *method, double h, dop853_slope slope, void *user);
/* Estimated errors of the embedded methods of orders 5 and 3, [count] each. */
void thud_dop853_errors(const dop853 *method, double h, double *fifth_order, double *third_order);
/* The error of the step from the sizes of both: e5^2/sqrt(e5^2 + 0.01 e3^2), of order 8 in h. */
double thud_dop853_combine(double fifth_order, double third_order);
/* Three more stages; then y at x h, 0 <= x <= 1, of order 7. */
thud_error thud_dop853_make_dense(dop853 *method, double h, dop853_slope slope, void *user);
void thud_dop853_at(const dop853 *method, double x, double *y);

#endif
