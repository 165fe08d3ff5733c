/* The cones of projected gradient: projection and shift, written apart from the evaluation of answers in contact, which
 * judges the solvers. */
#ifndef THUD_SRC_SOLVE_PROJECTED_GRADIENT_CONE_H
#define THUD_SRC_SOLVE_PROJECTED_GRADIENT_CONE_H

#include "thud/contact.h"

/* x[dimension] moved to the nearest point of K. False when a law's projection does not converge. */
bool thud_gradient_cone_project(const thud_contact_problem *problem, thud_index contact, double *x);
/* De Saxce's shift of the normal velocity, mu |u_T| + mu_r |u_R| or sup over C of -u_T.c; NaN when a law fails. */
double thud_gradient_cone_shift(const thud_contact_problem *problem, thud_index contact, const double *u);

#endif
