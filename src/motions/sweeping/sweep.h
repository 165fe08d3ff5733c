/* One sweeping run in progress: shared by catching-up, its regularisation and the refinement study. */
#ifndef THUD_SRC_MOTIONS_SWEEPING_SWEEP_H
#define THUD_SRC_MOTIONS_SWEEPING_SWEEP_H

#include "thud/sim.h"

/* Everything that changes along a run besides the arrays of the block; no pointers. */
typedef struct sweep_progress {
  size_t next;      /* interval to be done next */
  double last_time; /* time of the last projection */
  double scale;     /* largest |u|_M met so far */
  bool begun;       /* the start has been handed out */
  bool has_left;    /* the last interval began with the left limit of a jump, which is left_state: */
  bool atom;        /* the last step was a jump */
  double left_residual, left_variation;
  double step_residual;
  double variation_carry; /* what the running sum of the variation has rounded away */
  double step_moved;      /* |u - u_prev|_M of the last step */
  thud_sweep_info info;   /* so far */
} sweep_progress;

/* Everything a step needs, allocated once: steps allocate nothing. */
struct thud_sweep {
  thud_context *context;
  thud_sweep_problem problem; /* its pointers are borrowed */
  const thud_partition *partition;
  thud_sweep_options options;
  thud_sweep_method method;
  thud_index n;
  double *parameters; /* [parameter count] scratch of the moving set */
  double *probe;      /* [n] scratch of the certificate */

  sweep_progress now;
  double *block; /* [block_count] the arrays of the state, one allocation: */
  size_t block_count;
  double *state;         /* [n] u */
  double *previous;      /* [n] u before the step */
  double *reaction;      /* [n] */
  double *left_state;    /* [n] */
  double *left_reaction; /* [n] density up to it */
  double *begin;         /* [n] u at the start, in the set */
};

/* Nothing has ended the run so far. */
static inline bool sweep_is_running(const thud_sweep *sweep) { return sweep->now.info.status == THUD_MOTION_RUNNING; }

/* One interval; a finding about the problem becomes the run's status and the context's message says it in words. */
thud_error thud_sweep_do_interval(thud_sweep *sweep);
/* Hands the frames of the interval just done to the sink, which may end the run. */
thud_error thud_sweep_emit(thud_sweep *sweep, const thud_sink *sink);

#endif
