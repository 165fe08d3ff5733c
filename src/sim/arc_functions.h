/* Arcs of systems given by functions in C, which have no power series.
 *
 * The first orders, by which it is decided which contacts last, are central differences along the motion
 * (arc_functions.c). With the modes fixed the arc is one step of a Runge-Kutta pair, and everything along it becomes
 * polynomials by interpolation (arc_runge_kutta.c). */
#ifndef THUD_SRC_SIM_ARC_FUNCTIONS_H
#define THUD_SRC_SIM_ARC_FUNCTIONS_H

#include "sim/arc.h"
#include "sim/arc_dop853.h"
#include "sim/arc_interpolate.h"

enum {
  ARC_FUNCTIONS_DECIDE = 2,                       /* order of the differences that decide */
  ARC_FUNCTIONS_ORDER = ARC_NODES + ARC_KNOWN - 1 /* degree of the polynomials of gaps */
};

/* What lasts from one arc to the next; part of the arc's numbers, so that checkpoints have it. */
typedef struct arc_control {
  double spacing; /* of the differences (s) */
  double pace;    /* step to try next (s) */
  double length;  /* of the arc that was followed last, 0: none since the last begin */
  double speed;   /* largest |v| so far, in the kinetic metric */
} arc_control;

struct arc_functions {
  thud_system_values *values;
  sim_arc *stage; /* the right-hand side: a series of order 0. NULL in the stage itself */
  double tolerance, longest;
  arc_control *control;  /* the stage shares it */
  double *error;         /* [ARC_CHECKS*(count+rows)] polynomials minus values between the nodes; part of the numbers */
  double *blur;          /* [m] what the local error of the state makes of the gaps; part of the numbers */
  double forces;         /* size of the accelerations' terms at the start */
  bool convective;       /* gamma is asked for */
  bool working;          /* dV/dt is */
  double *numbers;       /* owns: */
  double *speed;         /* [rows] sum of the sizes of the terms of u */
  double *base_size;     /* [rows] arc->size of order 0 */
  double *around;        /* [7*count] outputs ahead of the state */
  double *near;          /* [6*rows] velocities before and after it */
  double *fine, *coarse; /* [rows], [count] differences of orders 6 and 4 */
  double *displaced;     /* [3n] */
  double *samples;       /* [ARC_SAMPLES*width] outputs, reactions, accelerations; width = count + rows + n */
  double *states;        /* [ARC_SAMPLES*2n] */
  double *estimate;      /* [4n] */
  double *row_factor;    /* [rows*rows] */
  double *row_values;    /* [rows] */
  double *pull;          /* [rows] what r_T is per unit of its threshold, of the components that slide */
  thud_index *pivots;    /* [rows] */
  dop853 method;
  arc_interpolation interpolation;
};

/* Takes a smaller spacing; false: it is as small as it can be. */
bool thud_arc_functions_closer(struct arc_functions *functions);
/* arc_runge_kutta.c */
thud_error thud_arc_functions_follow(sim_arc *arc, double longest);
/* Whether another, nearer state may do what failed at this one. */
bool thud_arc_functions_may_retry(const sim_arc *arc, thud_error error);

#endif
