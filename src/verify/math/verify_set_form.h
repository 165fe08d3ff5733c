/* Any set of a scene as a conic program, and the Euclidean projection onto it by that method. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_SET_FORM_H
#define THUD_SRC_VERIFY_MATH_VERIFY_SET_FORM_H

#include "verify/verify_scene.h"

/* p [n] = the point of the set next to y [n]. scale > 0 is the size of the numbers involved. *accuracy is how far the
 * program is from being solved (gap and residuals, in the unit of y); INFINITY when it was not solved at all. */
thud_error thud_verify_form_project(thud_context *context, const verify_set *set, const double *numbers,
                                    const double *y, double scale, double *p, double *accuracy);

/* The distance of y to the set, by a program with a linear objective: unlike the point next to y it comes out to full
 * accuracy when y lies on the boundary. */
thud_error thud_verify_form_distance(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *y, double scale, double *distance, double *accuracy);

#endif
