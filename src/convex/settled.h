/* Exact projections onto sets whose queries would iterate, made once for sets that keep their parameters. */
#ifndef THUD_SRC_CONVEX_SETTLED_H
#define THUD_SRC_CONVEX_SETTLED_H

#include "convex/set.h"

void thud_settled_destroy(thud_settled *settled);
thud_error thud_settled_project(const thud_settled *settled, const thud_metric_view *metric, const double *x, double *y,
                                thud_set_info *info);

#endif
