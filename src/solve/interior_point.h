/* What the files of the interior point method share (see interior_point.c for the method).
 *
 * Impulses x = (r, l), velocities u and the friction coefficients are in the units of scaled_form.h. Each contact has
 * one cone (interior_point_cone.h): y = (mu r_N, r_T), z = (u~_N / mu, u_T); one for each disc with rolling or spinning
 * friction, which share r_N: y = B_p r, u~ = sum_p B_p' z_p. A contact without friction has the half-line y = r_N, z = u_N. */
#ifndef THUD_SRC_SOLVE_INTERIOR_POINT_H
#define THUD_SRC_SOLVE_INTERIOR_POINT_H

#include "solve/interior_point_cone.h"
#include "solve/interior_point_system.h"

enum { THUD_INTERIOR_DIMENSION_MAX = THUD_CONTACT_DIMENSION_MAX };

typedef struct thud_interior_point {
  thud_interior_system system;
  thud_interior_cone *cones; /* [cone_start[contacts]] */
  size_t *cone_start;        /* [contacts+1] */
  double rho;                /* of polishing */
  double unit;               /* largest |q|: velocities and impulses are compared with it */

  double *x, *v;                   /* [total], [ndof] the iterate; v in the global form only */
  double *polished_x, *polished_v; /* [total], [ndof] that of polishing */
  double *u;                       /* [total] velocities, then u_b, at either of them */
  double *fault;                   /* [total] u~ - shift - u, and -u_b */
  double *slope;                   /* [size] derivative of the shift by u_T */
  double *bend;                    /* [contacts] what the shift differs from its linearisation along the predictor */
  double *right, *step;            /* [n] of the system: (v), x */
  double *blocks, *multipliers;    /* [contacts*d*d] each: B and C of the system */
  double *memory;                  /* what the vectors live in */
} thud_interior_point;

/* ---- interior_point_step.c ---------------------------------------------------------------------------------- */

/* Iterates well inside the cones: normal impulses `impulse` and shifted velocities `velocity`, times the unit, and
 * everything else 0. v is not set. */
void thud_interior_point_centre(thud_interior_point *point, double impulse, double velocity);

/* Iterates near the impulses in x, which are lifted until they are `inside` units from the boundary of their cones, with
 * y o z = `gap` units^2. */
void thud_interior_point_begin_at(thud_interior_point *point, double gap, double inside);

/* What is carried from step to step. */
typedef struct thud_interior_step {
  bool convex;      /* in: the problem without the shift, whose matrix is symmetric */
  double coupling;  /* in: part of the derivative of the shift that the matrix has, ]0, 1]. A little less than all of it
                       keeps the matrix further from singular, and the corrector makes up for it */
  double smoothing; /* in and out: eps of the shift; never grows */
  double gap;       /* out: mean of y.z before the step */
  double length;    /* out: of the step, at most 1 */
} thud_interior_step;

/* One step of predictor and corrector. False when it could not be made: the matrix is singular, or the iterate is so
 * near the boundary that rounding hides on which side it is. */
bool thud_interior_point_step(thud_interior_point *point, thud_interior_step *step);

/* ---- interior_point_polish.c ------------------------------------------------------------------------------- */

/* Semismooth Newton steps from (x, v), which stay as they are; every one is an iteration of the solver and is tested.
 * Stops at a step that does not halve the residual, `first` being what the first one is compared with. rho > 0 is the
 * step by which impulses and velocities are compared. */
thud_error thud_interior_point_polish(thud_solver *solver, double rho, double first);

#endif
