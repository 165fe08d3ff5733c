/* Iterative queries of trees that are not polyhedral, on their lifted description (lift.h). */
#ifndef THUD_SRC_CONVEX_SPLITTING_H
#define THUD_SRC_CONVEX_SPLITTING_H

#include "convex/set.h"

/* Makes set->splitting from the set's shape. */
thud_error thud_splitting_create(thud_set *set);
/* Support queries will have to be good for every component by itself, however small its terms are. */
void thud_splitting_grade(thud_set *set);
void thud_splitting_destroy(thud_splitting *splitting);
/* Takes the present parameters over. */
void thud_splitting_refresh(thud_set *set);
thud_error thud_splitting_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info);
thud_error thud_splitting_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info);
/* Lifted point and multipliers of the last support query, whose value was finite; valid until the next query. */
void thud_splitting_solution(const thud_set *set, thud_lift_solution *solution);

#endif
