/* Distances and projections of the checker, in the Euclidean metric: whether a covector is normal to a set does not
 * depend on the metric. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_SET_PROJECT_H
#define THUD_SRC_VERIFY_MATH_VERIFY_SET_PROJECT_H

#include "verify/verify_scene.h"

/* p [n] = the point of the set next to y [n]; p is not y. Closed forms where there are (accuracy 0), otherwise the
 * conic program (accuracy: how far it is from being solved, INFINITY: not at all). scale > 0: size of the numbers
 * involved. */
thud_error thud_verify_project(thud_context *context, const verify_set *set, const double *numbers, const double *y,
                               double scale, double *p, double *accuracy);

/* How far u [n] is outside the set: the distance, or, for sets given by several inequalities, the largest distance to
 * the set of one of them. */
thud_error thud_verify_violation(thud_context *context, const verify_set *set, const double *numbers, const double *u,
                                 double scale, double *violation, double *accuracy);

/* ---- any set of a scene as a conic program, and the Euclidean projection onto it by that method ------------------ */

/* p [n] = the point of the set next to y [n]. scale > 0 is the size of the numbers involved. *accuracy is how far the
 * program is from being solved (gap and residuals, in the unit of y); INFINITY when it was not solved at all. */
thud_error thud_verify_form_project(thud_context *context, const verify_set *set, const double *numbers,
                                    const double *y, double scale, double *p, double *accuracy);

/* The distance of y to the set, by a program with a linear objective: unlike the point next to y it comes out to full
 * accuracy when y lies on the boundary. */
thud_error thud_verify_form_distance(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *y, double scale, double *distance, double *accuracy);

#endif
