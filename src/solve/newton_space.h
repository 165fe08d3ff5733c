/* Newton's linear systems in the space of bodies, for problems in the two-block form (body_space.h): W is never formed.
 *
 * A line of newton.h with delta added to W, P'(u + delta dr) + D y = -b and dr = S y + c, is with E = delta P'S + D
 *
 *   dr = g - K u,   K = S E^-1 P',   g = c - S E^-1 (b + delta P'c),   u = W dr,
 *
 * which is the system of body_space.h. Open contacts have K = 0. Where a contact sticks, K = 1/delta is a stiffness: steps of
 * refinement give back the digits that small ones cost. */
#ifndef THUD_SRC_SOLVE_NEWTON_SPACE_H
#define THUD_SRC_SOLVE_NEWTON_SPACE_H

#include "solve/newton.h"

typedef struct thud_newton_space thud_newton_space;
thud_error thud_newton_space_create(thud_context *context, const thud_contact_problem *problem,
                                    thud_newton_space **space);
thud_error thud_newton_space_update(thud_newton_space *space, const thud_contact_problem *problem);
void thud_newton_space_destroy(thud_newton_space *space);
/* The diagonal blocks of W[contacts*d*d], and q[size]; borrowed until the next update. */
const double *thud_newton_space_diagonal(const thud_newton_space *space);
const double *thud_newton_space_q(const thud_newton_space *space);
/* u = W r */
void thud_newton_space_apply(const thud_newton_space *space, const double *r, double *u);
/* dr of the lines, with shift * lambda as the delta of each contact. False: the system is singular. */
bool thud_newton_space_direction(thud_newton_space *space, const thud_newton_line *lines, double shift,
                                 const double *lambda, double *dr);
/* Multiplications of a factorisation. */
double thud_newton_space_work(const thud_newton_space *space);
/* Sweeps of Gauss-Seidel on r. */
void thud_newton_space_sweep(thud_newton_space *space, int count, const thud_gauss_seidel_options *options, double *r);

#endif
