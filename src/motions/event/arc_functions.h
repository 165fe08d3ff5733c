/* Arcs of systems whose power series are not known or not used: functions in C, and the functions of expressions.
 *
 * The first orders, by which it is decided which contacts last, are central differences along the motion
 * (arc_functions.c). With the modes fixed the arc is one step of a Runge-Kutta pair (arc_runge_kutta.c) or comes from
 * CVODE (arc_cvode.c), and everything along it becomes polynomials by interpolation (arc_follow.c). */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_FUNCTIONS_H
#define THUD_SRC_MOTIONS_EVENT_ARC_FUNCTIONS_H

#include "motions/event/arc.h"
#include "motions/event/arc_polynomial.h"
#include "thud/base.h"

enum {
  ARC_FUNCTIONS_DECIDE = 2,                       /* order of the differences that decide */
  ARC_FUNCTIONS_ORDER = ARC_NODES + ARC_KNOWN - 1 /* degree of the polynomials of gaps */
};

/* ---- one step of the Runge-Kutta pair DOP853, with its dense output (arc_runge_kutta.c) ------------------------------ */

enum { DOP853_STAGES = 12, DOP853_ALL = 16, DOP853_DENSE = 7 };

/* y' = f(s, y); s from the start of the step. What it returns other than THUD_OK ends the step. */
typedef thud_error (*dop853_slope)(void *user, double s, const double *y, double *slope);

/* Arrays are the caller's. */
typedef struct dop853 {
  size_t count;  /* unknowns */
  double *start; /* [count] set by the caller, with slope[0..count-1] there */
  double *end;   /* [count] of the step, of order 8 */
  double *slope; /* [DOP853_ALL*count] of the stages */
  double *dense; /* [DOP853_DENSE*count] */
  double *trial; /* [count] */
} dop853;

/* From start over h: end and the stages. */
thud_error thud_dop853_step(dop853 *method, double h, dop853_slope slope, void *user);
/* Estimated errors of the embedded methods of orders 5 and 3, [count] each. */
void thud_dop853_errors(const dop853 *method, double h, double *fifth_order, double *third_order);
/* The error of the step from the sizes of both: e5^2/sqrt(e5^2 + 0.01 e3^2), of order 8 in h. */
double thud_dop853_combine(double fifth_order, double third_order);
/* Three more stages; then y at x h, 0 <= x <= 1, of order 7. */
thud_error thud_dop853_make_dense(dop853 *method, double h, dop853_slope slope, void *user);
void thud_dop853_at(const dop853 *method, double x, double *y);

/* ---- CVODE and collocation (arc_cvode.c) -------------------------------------------------------------------------- */

/* SUNDIALS' CVODE: states of stiff motions at the nodes of an arc. Without it (THUD_WITH_CVODE=OFF) none can be made.
 */

typedef struct arc_cvode arc_cvode;

/* count: unknowns (q, v); tolerance: of CVODE's local errors, relative. THUD_ERROR_UNSUPPORTED: built without CVODE. */
thud_error thud_arc_cvode_create(thud_context *context, size_t count, double tolerance, arc_cvode **made);
void thud_arc_cvode_destroy(thud_context *context, arc_cvode *cvode);
/* Integrates from the start of the arc over h, without history, into the states of its nodes and the end of its method.
 * size[count]: errors are relative to |y| + size. *reached: false when CVODE gave up. */
thud_error thud_arc_cvode_follow(arc_cvode *cvode, sim_arc *arc, double h, const double *size, bool *reached);

/* Polynomials that satisfy the equations of motion at the nodes of an arc, however stiff these are. */
typedef struct arc_collocation arc_collocation;

/* n coordinates; matrices of 12 n rows. */
thud_error thud_arc_collocation_create(thud_context *context, const arc_interpolation *interpolation, size_t n,
                                       arc_collocation **made);
void thud_arc_collocation_destroy(thud_context *context, arc_collocation *collocation);

/* ---- the backend --------------------------------------------------------------------------------------------------- */

/* What lasts from one arc to the next; part of the arc's numbers, so that checkpoints have it. */
typedef struct arc_control {
  double spacing; /* of the differences (s) */
  double pace;    /* step to try next (s) */
  double length;  /* of the arc that was followed last, 0: none since the last begin */
  double speed;   /* largest |v| so far, in the kinetic metric */
} arc_control;

/* The program of a system that is made of expressions: its derivatives need no differences. */
typedef struct arc_expressions {
  model_jets jets;
  thud_expr_work *work;
  double *variables; /* [1+2n] */
  double *outputs;   /* [count] */
} arc_expressions;

struct arc_functions {
  thud_system_values *values;
  sim_arc *stage;         /* the right-hand side: a series of order 0. NULL in the stage itself */
  arc_expressions *exact; /* NULL: the derivatives are differences. The stage borrows it */
  double tolerance, longest;
  arc_control *control;  /* the stage shares it */
  double *error;         /* [ARC_CHECKS*(count+rows)] polynomials minus values between the nodes; part of the numbers */
  double *rounding;      /* [n] what the rounding of q and v makes of the forces; part of the numbers. CVODE alone */
  double *blur;          /* [m] what the local error of the state makes of the gaps; part of the numbers */
  double forces;         /* size of the accelerations' terms at the start */
  bool convective;       /* gamma is asked for */
  bool working;          /* dV/dt is */
  bool differs;          /* gamma of the last state is a difference */
  double *numbers;       /* owns: */
  double *speed;         /* [rows] sum of the sizes of the terms of u */
  double *base_size;     /* [rows] arc->size of order 0 */
  double *slip;          /* [s*n] slip rows of the values in the frames of their laws */
  double *slip_rate;     /* [s] */
  double *around;        /* [7*count] outputs ahead of the state */
  double *near;          /* [6*rows] velocities before and after it */
  double *fine, *coarse; /* [rows], [count] differences of orders 6 and 4 */
  double *displaced;     /* [3n] */
  double *samples;       /* [ARC_SAMPLES*width] outputs, reactions, accelerations; width = count + rows + n */
  double *states;        /* [ARC_SAMPLES*2n] */
  double *estimate;      /* [4n] */
  double *second;        /* [n] coefficient 1 of the accelerations, as far as it is known where the arc begins */
  double *row_factor;    /* [rows*rows] */
  double *row_values;    /* [rows] */
  double *pull;          /* [rows] what r_T is per unit of its threshold, of the components that slide */
  double *given;         /* [rows] reactions of the held rows at the start of the arc */
  double *basis;         /* [2*(rows+1)*rows] room for held rows that depend on others */
  thud_index *order;     /* [rows] numbers of the held rows, those that are independent first */
  size_t independent;    /* how many are */
  thud_index *pivots;    /* [rows] */
  /* One step of length h: polynomials in the arc; *worst: errors in units of what is accepted; *drifts: held rows do
   * not hold, because of gamma. */
  thud_error (*attempt)(sim_arc *arc, double h, double *worst, bool *drifts);
  dop853 method;
  arc_collocation *collocation; /* CVODE's arcs, and slip that turns; NULL: neither */
  arc_cvode *cvode;
  double cvode_tolerance; /* of its local errors */
  arc_interpolation interpolation;
};

/* Takes a smaller spacing; false: it is as small as it can be. */
bool thud_arc_functions_closer(struct arc_functions *functions);
/* Whether another, nearer state may do what failed at this one. */
bool thud_arc_functions_may_retry(const sim_arc *arc, thud_error error);
/* arc_follow.c: the follow of the backend. */
thud_error thud_arc_functions_follow(sim_arc *arc, double longest, bool anew);
/* arc_follow.c: finds, where an arc begins, which of its held rows are independent. */
void thud_arc_choose_rows(const sim_arc *arc);
/* arc_follow.c: slope of y = (q, v) at s of an arc (user) with its modes; leaves everything of the state in the stage.
 */
thud_error thud_arc_slope(void *user, double s, const double *y, double *slope);
/* arc_runge_kutta.c, arc_cvode.c: see attempt. */
thud_error thud_arc_runge_kutta(sim_arc *arc, double h, double *worst, bool *drifts);
thud_error thud_arc_by_cvode(sim_arc *arc, double h, double *worst, bool *drifts);
thud_error thud_arc_by_collocation(sim_arc *arc, double h, double *worst, bool *drifts);
/* Whether the force of a law that slides depends on the direction of its slip. */
static inline bool thud_arc_slide_turns(const arc_slide *slide) { return slide->directions > 1 && !slide->fixed; }

/* ---- arc_follow.c --------------------------------------------------------------------------------------------------- */

/* Accepted errors between the nodes in units of the tolerance: of what is integrated or located, and of forces, whose
 * events are where they vanish. */
#define ARC_LOCATED 10.0
#define ARC_FORCES 1000.0

/* What errors of v, q and a are measured by, in the kinetic metric. */
typedef struct arc_scales {
  double q, v, a;
} arc_scales;

static inline double thud_arc_norm(const sim_arc *arc, const double *x) { return thud_arc_distance(arc, x, NULL); }
/* x/limit, where nothing has no error. */
static inline double thud_arc_beside(double x, double limit) { return x == 0 ? 0 : x / limit; }
/* Numbers of a sample: outputs, reactions, accelerations. */
size_t thud_arc_width(const sim_arc *arc);
/* Polynomial number `column` of the samples, whose first `known` coefficients are there; distance[ARC_CHECKS], may be
 * NULL: how far it is from the values between the nodes. */
void thud_arc_fit(const sim_arc *arc, double h, size_t column, int known, double *to, size_t stride, double *distance);
/* The right-hand side at the states of the nodes. */
thud_error thud_arc_sample_nodes(sim_arc *arc, double h);
/* v and q as the integrals of a. */
void thud_arc_integrate(sim_arc *arc);
/* States of the polynomials at the first `count` places. */
void thud_arc_take_states(const sim_arc *arc, double h, size_t count);
/* The right-hand side at all places of the polynomials. */
thud_error thud_arc_sample_all(sim_arc *arc, double h);
/* Size of the terms of the accelerations in the stage. */
double thud_arc_force_scale(const sim_arc *stage);
/* After a step: method.start and method.end are its ends. */
arc_scales thud_arc_scales_of(const sim_arc *arc, double h);
/* How far the polynomials' end is from a state, in units of the tolerance. */
double thud_arc_end_error(const sim_arc *arc, double h, const double *end, const arc_scales *by);
/* Outputs and reactions become polynomials through the samples. The worst error in units of what is accepted; *drifts:
 * held rows do not hold. */
double thud_arc_judge(sim_arc *arc, double h, const arc_scales *by, bool *drifts);

#endif
