/* thud/sim.h: integrators and the sink interface that receives what they compute.
 *
 * Here: Moreau's sweeping process -u' in N_{C(t)}(u) by catching-up, and its Yosida regularisation. */
#ifndef THUD_SIM_H
#define THUD_SIM_H

#include "thud/convex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sinks: who receives frames ------------------------------------------------------------------- */

/* One node of a computed motion. Arrays are borrowed for the duration of the call. */
typedef struct thud_frame {
  double t;
  thud_side side;         /* LEFT: the state before a jump at t; RIGHT: after it; VALUE: no jump here */
  const double *state;    /* [dimension] u */
  const double *reaction; /* [dimension] covector: density (force) on the interval that ends here, or, when
                             atom is true, the impulse of the jump */
  bool atom;              /* reaction is a point mass at t, not a density */
  double variation;       /* total variation of u from the start, in the metric */
  double residual;        /* certified bound: normal-cone residual of this step's projection */
} thud_frame;

/* 0: go on; > 0: stop the run in good order (interrupted); < 0: fail. */
typedef int (*thud_sink_frame_fn)(void *user, const thud_frame *frame);

typedef struct thud_sink {
  thud_sink_frame_fn frame;
  void *user;
} thud_sink;

/* ---- partitions -------------------------------------------------------------------------------------- */

/* An interval of any kind, single points included (left == right, both closed). */
typedef struct thud_interval {
  double left, right;
  bool left_closed, right_closed;
} thud_interval;

/* An ordered family of intervals that covers [start, end] without overlap (cases: "ordered family of intervals of
 * any kind"). */
typedef struct thud_partition thud_partition;

/* `steps` equal steps; at each jump time of the data inside [start, end] the point itself becomes an interval, and so
 * does `start` when it is one. jumps may be NULL when jump_count is 0. */
THUD_API thud_error thud_partition_uniform(thud_context *context, double start, double end, thud_index steps,
                                           size_t jump_count, const double *jumps, thud_partition **partition);
/* Any family; checked: first.left = start, contiguous, every point covered once. */
THUD_API thud_error thud_partition_create(thud_context *context, size_t count, const thud_interval *intervals,
                                          thud_partition **partition);
THUD_API void thud_partition_destroy(thud_partition *partition);
THUD_API size_t thud_partition_count(const thud_partition *partition);
THUD_API thud_interval thud_partition_interval(const thud_partition *partition, size_t k);

/* ---- the sweeping process ------------------------------------------------------------------------------ */

typedef struct thud_sweep_problem {
  thud_moving_set set;
  const thud_metric *metric; /* NULL: Euclidean */
  const double *initial;     /* [dimension] u(start); projected onto C(start) when outside, with a warning */
} thud_sweep_problem;

typedef enum thud_run_status {
  THUD_RUN_COMPLETED = 0,
  THUD_RUN_INTERRUPTED = 1,   /* the sink asked to stop */
  THUD_RUN_NOT_CONVERGED = 2, /* a projection stayed above the tolerance: see residual and where */
  THUD_RUN_EMPTY_SET = 3,     /* C(t) became empty: see message */
  THUD_RUN_BAD_DATA = 4       /* the data became NaN or infinite, or left their domain: see message */
} thud_run_status;

typedef struct thud_sweep_info {
  thud_run_status status;
  double time;           /* last time reached */
  size_t steps;          /* projections made */
  double variation;      /* total variation of u in the metric */
  double worst_residual; /* largest normal-cone residual of a step, and its time */
  double worst_residual_time;
  double worst_violation;  /* largest distance of u to C at a node */
  double initial_distance; /* distance of the given initial state to C(start), 0 when admissible */
  double error_estimate;   /* sup-norm (metric) by nested refinement; NaN when not asked for */
} thud_sweep_info;

typedef struct thud_sweep_options {
  size_t size;
  double tolerance;   /* accepted residual of a projection, relative to the size of the data (1) */
  int max_iterations; /* of iterative projections, per step */
} thud_sweep_options;

THUD_API const thud_option_table *thud_sweep_option_table(void);
THUD_API thud_sweep_options thud_sweep_options_default(void);

/* u_{i+1} = proj(C_{i+1}, u_i), C_{i+1} = C(t_i) when the interval contains its left end and C(t_i+) otherwise.
 * The state holds on the whole interval. final[dimension] (may be NULL) receives the last state. */
THUD_API thud_error thud_sweep_catching_up(thud_context *context, const thud_sweep_problem *problem,
                                           const thud_partition *partition, const thud_sweep_options *options,
                                           const thud_sink *sink, double *final, thud_sweep_info *info);

#ifdef __cplusplus
}
#endif
#endif
