/* The cones of projected gradient: projection and shift, written apart from the evaluation of answers in contact, which
 * judges the solvers. */
#ifndef THUD_SRC_SOLVE_PROJECTED_GRADIENT_CONE_H
#define THUD_SRC_SOLVE_PROJECTED_GRADIENT_CONE_H

#include "contact/discs.h"

/* x[dimension] moved to the nearest point of K. False when a law's projection does not converge. */
bool thud_gradient_cone_project(const thud_contact_discs *discs, size_t contact, double *x);
/* The same for all contacts, x[contacts*dimension]. */
bool thud_gradient_cones_project(const thud_contact_discs *discs, size_t contacts, double *x);
/* De Saxce's shift of the normal velocity, the sum of mu_p |u_p| or sup over C of -u_T.c; NaN when a law fails. */
double thud_gradient_cone_shift(const thud_contact_discs *discs, size_t contact, const double *u);

#endif
