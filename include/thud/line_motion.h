/* thud/line_motion.h: motions of particles on a line (thud/line.h), by two roads.
 *
 * Event-driven: between events (atoms, stops, starts, switches of the data) the motion is analytic; its Taylor
 * polynomials are made from the recursion M (k+1) u_{k+1} = p_k + r_k - V u_k - K q_k, which is exact for this linear
 * system up to the truncation of the series. Which particles stick is decided by the box problem at the acceleration
 * level and, where that is degenerate, at the following orders, whose data are the next Taylor coefficients. First
 * zeros are isolated in the Bernstein basis: none is stepped over.
 *
 * Implicit: B u+ = M u - h K q + h p + P with B = M + h V + h^2 K, |P_i| <= gamma_i nu-measure of N_i over ]t, t+h],
 * q+ = q + h u+; order 1. Each step satisfies
 *   D|u|_M^2/2 + D|q|_K^2/2 + |Du|_M^2/2 + |Dq|_K^2/2 + h u+'Vu+ = -sum b_i |u_i+ - w_i| + P.w + h p.u+
 * to rounding (`identity`). */
#ifndef THUD_LINE_MOTION_H
#define THUD_LINE_MOTION_H

#include "thud/line.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_line_method { THUD_LINE_EVENT_DRIVEN = 0, THUD_LINE_IMPLICIT = 1 } thud_line_method;
THUD_API const char *thud_line_method_name(thud_line_method method);

typedef struct thud_line_options {
  size_t size;
  int method;       /* thud_line_method */
  int steps;        /* implicit: number of equal steps */
  int order;        /* event-driven: degree of the Taylor polynomials */
  double precision; /* event-driven: last terms of the series, relative to the first ones */
  double decision;  /* event-driven: below this, relative, an acceleration or a slack counts as 0 */
  int max_events;   /* event-driven: of the whole run, percussions not counted */
} thud_line_options;

THUD_API const thud_option_table *thud_line_option_table(void);
THUD_API thud_line_options thud_line_options_default(void);

/* Since the start, J. kinetic + potential = initial + work - losses + defect. */
typedef struct thud_line_ledger {
  double kinetic, potential;
  double work;            /* of the forces p and of the moving ground */
  double percussion_loss; /* friction at atoms (implicit: 0, a step does not tell them apart) */
  double friction_loss;   /* friction otherwise */
  double viscous_loss;
  double scheme_loss; /* implicit: |Du|_M^2/2 + |Dq|_K^2/2 of the steps */
  double defect;
  double identity; /* worst relative violation of the energy identity of a step, an arc or a percussion */
} thud_line_ledger;

typedef enum thud_line_event {
  THUD_LINE_PLAIN = 0,       /* a node: end of a step or of an arc, or a time that was asked for */
  THUD_LINE_PERCUSSION = 1,  /* an atom acted */
  THUD_LINE_STOP = 2,        /* relative velocities reached 0 */
  THUD_LINE_SLIP = 3,        /* stuck particles began to slide */
  THUD_LINE_ACCUMULATION = 4 /* the limit of a family's times */
} thud_line_event;

/* One node. Arrays are borrowed for the duration of the call. */
typedef struct thud_line_frame {
  double t, step; /* s; time since the node before */
  thud_line_event event;
  const double *q;        /* [n] */
  const double *v_left;   /* [n] */
  const double *v;        /* [n] right limit */
  const double *reaction; /* [n] friction impulse since the node before, or of the percussion (N s) */
  const double *bound;    /* [n] largest possible |reaction| */
  bool atom;              /* the reaction is (implicit: contains) that of an atom */
  const bool *involved;   /* [n] particles that stop or start here; all of them otherwise */
  const int8_t *mode;     /* [n] after the node: 0 stuck, 1 and -1 sliding */
  size_t family;          /* of an accumulation */
  thud_line_ledger ledger;
} thud_line_frame;

/* 0: go on; > 0: stop in good order; < 0: fail. */
typedef int (*thud_line_frame_fn)(void *user, const thud_line_frame *frame);

typedef enum thud_line_status {
  THUD_LINE_COMPLETED = 0,
  THUD_LINE_INTERRUPTED = 1,
  THUD_LINE_BAD_DATA = 2, /* NaN, infinity, a negative normal reaction, or no Taylor series */
  THUD_LINE_TOO_MANY = 3, /* max_events */
  THUD_LINE_STALLED = 4,  /* events do not advance the time */
  THUD_LINE_UNSOLVED = 5  /* a box problem was not solved to rounding */
} thud_line_status;

typedef struct thud_line_info {
  thud_line_status status; /* when not COMPLETED the context's message says why */
  double time;
  size_t steps; /* steps or arcs */
  size_t percussions, stops, slips;
  int deciding_order; /* highest order at which a mode had to be decided (0: acceleration) */
  size_t undecided;   /* decisions that no order made: sticking and sliding are then the same motion */
  double residual;    /* worst of the box problems: violation of bounds or signs */
  double residual_time;
  thud_line_ledger ledger;
} thud_line_info;

/* Runs from the line's start to its end. outputs[output_count]: increasing times at which the event-driven method hands
 * out nodes besides its own. frame may be NULL. THUD_ERROR_CALLBACK: the frame function failed. final_q[n], final_v[n]
 * (may be NULL) are the state reached. */
THUD_API thud_error thud_line_run(thud_context *context, const thud_line *line, const thud_line_options *options,
                                  const double *q0, const double *u0, size_t output_count, const double *outputs,
                                  thud_line_frame_fn frame, void *user, double *final_q, double *final_v,
                                  thud_line_info *info);

#ifdef __cplusplus
}
#endif
#endif
