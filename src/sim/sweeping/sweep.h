/* One sweeping run in progress: shared by catching-up, its regularisation and the refinement study. */
#ifndef THUD_SRC_SIM_SWEEP_H
#define THUD_SRC_SIM_SWEEP_H

#include "thud/sim.h"

/* Everything a step needs, allocated once: steps allocate nothing. */
typedef struct sweep_run {
  thud_context *context;
  const thud_sweep_problem *problem;
  const thud_partition *partition;
  thud_sweep_options options;
  thud_sweep_method method;
  thud_index n;
  size_t next;           /* interval to be done next */
  double last_time;      /* time of the last projection */
  double scale;          /* largest |u|_M met so far */
  double *parameters;    /* [parameter count] scratch of the moving set */
  double *state;         /* [n] u */
  double *previous;      /* [n] u before the step */
  double *probe;         /* [n] scratch of the certificate */
  double *reaction;      /* [n] */
  bool has_left;         /* the last interval began with the left limit of a jump, which is: */
  double *left_state;    /* [n] */
  double *left_reaction; /* [n] density up to it */
  double left_residual, left_variation;
  double step_residual;
  double variation_carry; /* what the running sum of the variation has rounded away */
  double step_moved;      /* |u - u_prev|_M of the last step */
  bool atom;              /* the last step was a jump */
  thud_error error;       /* a failure that is not a finding about the problem */
  thud_sweep_info info;
} sweep_run;

/* Checks the problem and the options and puts u at its initial value. */
thud_error sweep_run_create(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                            const thud_partition *partition, const thud_sweep_options *options, sweep_run *run);
void sweep_run_destroy(sweep_run *run);
/* One interval. False when the run has to end: info.status tells why and the context's message says it in words. */
bool sweep_run_step(sweep_run *run);
/* Hands the frames of the interval just done to the sink; false when the run has to end. */
bool sweep_run_emit(sweep_run *run, const thud_sink *sink);

#endif
