/* thud/friction.h: composed friction laws at given velocities, as a motion. Layer: motions.
 *
 * Each row is the answer of the laws (thud_composition, thud/convex.h) to the velocities at its time. With an initial
 * configuration the velocities, given and internal ones, are integrated, and the laws may depend on the configuration that they
 * lead to; otherwise there is no history. */
#ifndef THUD_FRICTION_H
#define THUD_FRICTION_H

#include "thud/convex.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_friction_problem {
  thud_composition *composition; /* borrowed */
  size_t driven, internal, rows; /* velocities that are given, velocities that are found, slip velocities of all laws */
  /* Puts the laws to time t (thud_composition_place) and gives the velocities there, W[driven]. A failure ends the step
   * with this error. */
  thud_error (*place)(void *user, double t, double *W);
  void *user;
  double start, end; /* rows at steps + 1 times of equal distance */
  size_t steps;
  /* NULL: no history. Otherwise [driven + internal] the configuration at the start: q' = (W, u), by the trapezoidal rule
   * q_{k+1} = q_k + h/2 (q'_k + q'_{k+1}), which is implicit and iterated. */
  const double *initial;
  /* With `initial`, in place of `place`: the laws at time t in the configuration q[driven + internal]. */
  thud_error (*place_at)(void *user, double t, const double *q, double *W);
} thud_friction_problem;

/* A row. Arrays are borrowed until the next step. Where there are several answers, force and inner are one of them. */
typedef struct thud_friction_frame {
  double t;
  const double *velocity;                       /* [driven] */
  const double *force, *force_low, *force_high; /* [driven] the answer; the bounds of all answers */
  const double *inner, *inner_low, *inner_high; /* [internal] velocities of least dissipation, likewise */
  const double *slip, *forces;                  /* [rows] of the laws */
  double dissipation;                           /* power */
  double gap;                                   /* of the dissipation from above and below; present: the worst so far */
  const double *configuration;                  /* [driven + internal]; NULL: no history */
} thud_friction_frame;

typedef enum thud_friction_event_kind {
  THUD_FRICTION_SEVERAL_FORCES = 0,
  THUD_FRICTION_SEVERAL_VELOCITIES = 1 /* internal ones */
} thud_friction_event_kind;
enum { THUD_FRICTION_EVENT_KINDS = 2 };

/* A component of which there are several values. */
typedef struct thud_friction_event {
  double t;
  thud_friction_event_kind kind;
  size_t component; /* of the force, or of the internal velocities */
  double low, high;
} thud_friction_event;

typedef struct thud_friction_motion_info {
  thud_motion_status status; /* FAILED: the laws forbid the velocity */
  double time;
  size_t rows;
  double dissipation, gap; /* of the last row, worst of all rows */
  double largest_dissipation, largest_dissipation_time;
  size_t events[THUD_FRICTION_EVENT_KINDS]; /* by kind */
  double contraction; /* with a configuration: largest ratio of successive changes of the iterates of a step */
  THUD_RESERVED(3);
} thud_friction_motion_info;

/* A motion of the family "friction" (thud/motion.h) that hands out thud_friction_frame and thud_friction_event. */
THUD_API thud_error thud_friction_motion_create(thud_context *context, const thud_friction_problem *problem,
                                                thud_motion **motion);
/* Zeros for motions of other families. */
THUD_API thud_friction_frame thud_friction_motion_present(const thud_motion *motion);
THUD_API thud_friction_motion_info thud_friction_motion_get_info(const thud_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
