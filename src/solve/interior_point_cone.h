/* One second-order cone L = { y in R^m : y_0 >= |(y_1, ...)| } of the interior point method, m = 1 (the half-line), 2
 * or 3, with its primal point y, its dual point z and the symmetric scaling of Nesterov and Todd at them.
 *
 * Jordan product: y o z = (y.z, y_0 z_1 + z_0 y_1), unit e = (1, 0), J = diag(1, -1, -1), det y = y'Jy. The scaling is
 * Q = beta (2 v v' - J) with Q z = Q^-1 y = lambda (Vandenberghe, The CVXOPT linear and quadratic cone program solvers,
 * 2010, section 4). Complementarity y o z = target e is linearised in scaled directions,
 *   lambda o (Q^-1 dy + Q dz) = target e - lambda o lambda - (Q^-1 dy_p) o (Q dz_p),   dz = -P dy + c,  P = Q^-2,
 * the last term Mehrotra's correction with the directions of the predictor. */
#ifndef THUD_SRC_SOLVE_INTERIOR_POINT_CONE_H
#define THUD_SRC_SOLVE_INTERIOR_POINT_CONE_H

#include <stdbool.h>
#include <stddef.h>

enum { THUD_INTERIOR_CONE_MAX = 3 };

typedef struct thud_interior_cone {
  /* Which components of a contact's impulse r it is made of: y = (mu r_N, r_T), T = tangential, ...; m = 1: y = r_N. */
  size_t m, tangential;
  double mu; /* > 0; 1 for m = 1 */
  double y[THUD_INTERIOR_CONE_MAX], z[THUD_INTERIOR_CONE_MAX];
  double dy[THUD_INTERIOR_CONE_MAX], dz[THUD_INTERIOR_CONE_MAX];
  double c[THUD_INTERIOR_CONE_MAX]; /* dz = -P dy + c */
  /* the scaling */
  double beta;
  double v[THUD_INTERIOR_CONE_MAX], lambda[THUD_INTERIOR_CONE_MAX];
  double lambda_det;
  double P[THUD_INTERIOR_CONE_MAX * THUD_INTERIOR_CONE_MAX]; /* m x m, symmetric */
} thud_interior_cone;

/* The scaling at (y, z), and P. False when one of them is not inside the cone. */
bool thud_interior_cone_scale(thud_interior_cone *cone);
/* c of the predictor: complementarity 0, no correction. */
void thud_interior_cone_predict(thud_interior_cone *cone);
/* c of the corrector from dy, dz of the predictor. */
void thud_interior_cone_correct(thud_interior_cone *cone, double target);
/* dz from dy. */
void thud_interior_cone_follow(thud_interior_cone *cone);
/* The largest t <= limit for which y + t dy and z + t dz stay in the cone. */
double thud_interior_cone_longest_step(const thud_interior_cone *cone, double limit);
/* y.z after a step of t. */
double thud_interior_cone_gap(const thud_interior_cone *cone, double t);

#endif
