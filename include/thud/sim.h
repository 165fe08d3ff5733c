/* thud/sim.h: Moreau's sweeping process -u' in N_{C(t)}(u) by catching-up, and its Yosida regularisation; partitions of
 * time; the judgement of limits. Layer: motions. */
#ifndef THUD_SIM_H
#define THUD_SIM_H

#include "thud/convex.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- partitions -------------------------------------------------------------------------------------- */

/* An interval of any kind, single points included (left == right, both closed). */
typedef struct thud_interval {
  double left, right;
  bool left_closed, right_closed;
} thud_interval;

/* An ordered family of intervals, each beginning where the one before ends, every point covered exactly once. */
typedef struct thud_partition thud_partition;

/* [t_0, t_1[, [t_1, t_2[, ..., {t_n} with `steps` equal steps from start to end. Each jump time t* inside [start, end]
 * splits its step and becomes a point interval: ..., {t*}, ]t*, ...[. jumps is strictly increasing and may be NULL when
 * jump_count is 0; times outside [start, end] are ignored. */
THUD_API thud_error thud_partition_uniform(thud_context *context, double start, double end, thud_index steps,
                                           size_t jump_count, const double *jumps, thud_partition **partition);
/* Any family. The message of THUD_ERROR_ARGUMENT names the first interval that does not fit its predecessor. */
THUD_API thud_error thud_partition_create(thud_context *context, size_t count, const thud_interval *intervals,
                                          thud_partition **partition);
/* Cuts every interval of positive length into two halves: the nested refinement. */
THUD_API thud_error thud_partition_halve(thud_context *context, const thud_partition *coarse, thud_partition **fine);
THUD_API void thud_partition_destroy(thud_partition *partition);
THUD_API size_t thud_partition_count(const thud_partition *partition);
THUD_API thud_interval thud_partition_interval(const thud_partition *partition, size_t k);

/* ---- limits of refined motions ---------------------------------------------------------------------------- */

/* The limit of catching-up on finer and finer partitions (P. Ballard, Frictional contact problems for thin elastic
 * structures and weak solutions of sweeping process): sweeping processes, strings and beams are judged alike. */
typedef enum thud_limit_class {
  THUD_LIMIT_STRONG = 0,     /* variation bounded, no jumps: absolutely continuous as far as can be seen */
  THUD_LIMIT_BOUNDED = 1,    /* variation bounded, with jumps */
  THUD_LIMIT_WEAK = 2,       /* uniform limit whose variation grows without bound */
  THUD_LIMIT_NO_UNIFORM = 3, /* the runs do not approach each other uniformly in time */
  THUD_LIMIT_UNDECIDED = 4   /* a run did not complete, or the figures do not decide */
} thud_limit_class;
/* "strong", "bounded variation", "weak only", "no uniform limit", "undecided" */
THUD_API const char *thud_limit_class_name(thud_limit_class found);

/* One run of the sequence. */
typedef struct thud_limit_level {
  size_t steps;        /* of time */
  size_t nodes;        /* of the mesh; 0: there is none */
  double variation;    /* of the whole run, in the norm of the motion */
  double largest_move; /* in one step, likewise */
  double distance;     /* to the level before, at times of both; NaN at the first */
  THUD_RESERVED(3);
} thud_limit_level;

/* An exponent p by least squares of log2(figure) over the level, figure ~ 2^(-p level), and its standard error. Infinite:
 * the figures are rounding. NaN: too few figures. */
typedef struct thud_limit_trend {
  double exponent, scatter;
} thud_limit_trend;

typedef struct thud_limit_judgement {
  thud_limit_class found;
  thud_limit_trend approach; /* of the distances: > 0 when the runs approach each other */
  thud_limit_trend
      growth;             /* of the increments of the variation V, with the opposite sign: V ~ a + b 2^(growth level) */
  thud_limit_trend moves; /* of the largest moves: 0 when the motion jumps */
  THUD_RESERVED(4);
} thud_limit_judgement;

enum { THUD_LIMIT_LEAST_LEVELS = 3 };

/* The trend of figures[count] at successive levels. Those up to `nothing` are rounding. */
THUD_API thud_limit_trend thud_limit_fit(int count, const double *figures, double nothing);
/* Do figures with this trend tend to 0? 1 yes, -1 no, 0 not decided. They do when the exponent exceeds 1/5 and do not
 * when it is less than 3/10, both by more than its scatter; what passes both tests is held to tend to 0. */
THUD_API int thud_limit_tends_to_zero(thud_limit_trend trend);
/* Judges rows[levels], levels >= 3, each with half the step (and cell) of the one before; distances up to `nothing` are rounding.
 *   distances do not tend to 0               no uniform limit
 *   growth above 1/10                        weak only     (1/2 under a moving contact point)
 *   growth below -1/10, moves tend to 0      strong
 *   growth below -1/10, moves do not         bounded variation
 * each by more than the scatter, otherwise undecided. A judgement by trends on a few partitions, not a proof. */
THUD_API void thud_limit_judge(int levels, const thud_limit_level *rows, double nothing,
                               thud_limit_judgement *judgement);

/* ---- the sweeping process ------------------------------------------------------------------------------ */

/* What depends on the state: -du in N_{C(t,u)}(u) + f(t, u) dt. Each function evaluates at t-, t or t+ with the state
 * u[dimension]; a failure ends the step with this error. */
typedef struct thud_sweep_feedback {
  /* The parameters of the set, in place of those of thud_moving_set, whose declared jumps remain; NULL: of time alone. */
  thud_error (*parameters)(void *user, double t, thud_side side, const double *u, double *parameters);
  thud_error (*perturbation)(void *user, double t, thud_side side, const double *u,
                             double *f); /* [dimension]; NULL: 0 */
  void *user;
} thud_sweep_feedback;

typedef struct thud_sweep_problem {
  thud_moving_set set;
  const thud_metric *metric;           /* NULL: Euclidean */
  const double *initial;               /* [dimension] u(start-); the first projection brings it into C(start) */
  const thud_sweep_feedback *feedback; /* borrowed; NULL: the sweeping process itself. By catching-up only */
} thud_sweep_problem;

/* One node of a computed motion. Arrays are borrowed for the duration of the call. At a jump of the data at t* three
 * frames share the time: LEFT (after the projection onto C(t*-)), VALUE (onto C(t*)) and RIGHT (onto C(t*+)); an
 * initial state outside the set is a LEFT frame at the start. */
typedef struct thud_sweep_frame {
  double t;
  thud_side side;
  const double *state;    /* [dimension] u */
  const double *reaction; /* [dimension] covector M du/dt: density over the interval that ends here or, when atom is
                             true, the impulse M (u+ - u-) at t. It lies in -N_C(u). */
  bool atom;              /* reaction is a point mass at t, not a density */
  double variation;       /* total variation of u since the start, in the metric */
  double residual;        /* of this step's projection, in the metric: see thud_sweep_motion_info.worst_residual */
} thud_sweep_frame;

typedef struct thud_sweep_motion_info {
  thud_motion_status status; /* when not COMPLETED, thud_context_last_message() has the detail */
  double time;               /* last time reached */
  size_t steps;              /* intervals of positive length done */
  size_t projections;        /* onto the moving set */
  double variation;          /* total variation of u, in the metric */
  double worst_residual; /* largest step residual, in the metric: |u - proj(u + 2 (u_prev - u))|, which is 0 iff u in C
                             and u_prev - u normal to C at u */
  double worst_residual_time;
  double worst_gap; /* largest bound that an iterative projection certified on its own error, 0 for exact ones */
  size_t loose_projections; /* iterative ones that met their limit and were accepted by their gap */
  double initial_distance;  /* distance of the given initial state to C(start), 0 when admissible */
  double largest_move;      /* longest step of u, in the metric */
  double extent;            /* sup of |u(t) - u(start)| in the metric, u(start) after the first projection */
  double contraction;       /* with a feedback: largest ratio of successive differences of the iterates of a step */
  double contraction_time;  /* when that was */
} thud_sweep_motion_info;

typedef struct thud_sweep_options {
  size_t size;
  double tolerance;   /* accepted step residual, relative to the largest |u| met so far (1) */
  int max_iterations; /* of iterative projections, per step */
  double lambda;      /* Yosida parameter of THUD_SWEEP_REGULARISED, > 0 (s) */
} thud_sweep_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_sweep_option_table(void);
THUD_OPTIONS_DEFAULT(thud_sweep_options, thud_sweep_option_table)

typedef enum thud_sweep_method {
  /* Moreau's catching-up algorithm: u_k = proj(C_k, u_{k-1}) on interval k, where C_k = C(t_k) when the interval contains
   * its left end t_k and C(t_k+) otherwise; u is constant on each interval. At a declared jump of the data the state
   * first catches up with C(t_k-), so that its left limit and the impulse are those of the motion and not of the last
   * node before. With a feedback the step is implicit, u_k = proj(C(t_k, u_k), u_{k-1} - h f(t_k, u_k)), h the time since the
   * projection before, and iterated from u_{k-1} until nothing changes; iterates that do not approach each other end the
   * run, and the ratio of their differences is reported. */
  THUD_SWEEP_CATCHING_UP = 0,
  /* Yosida regularisation u' = -(u - proj(C(t), u))/lambda (Moreau 1983, sect. 6: the constraint as a stiff penalty): on
   * each interval the set is frozen at its middle and the equation solved exactly, u <- p + exp(-h/lambda)(u - p) with
   * p = proj(C, u), which does not change along the way. Second order in h, stable for any h; the frames carry densities
   * only, and the residual is the penetration |u - p| at the beginning of the step. */
  THUD_SWEEP_REGULARISED = 1
} thud_sweep_method;

/* A motion (thud/motion.h) with u at its initial value; each step does one interval of the partition. It hands out
 * thud_sweep_frame and no events. The partition and what the problem points to are borrowed. options may be NULL. */
THUD_API thud_error thud_sweep_motion_create(thud_context *context, thud_sweep_method method,
                                             const thud_sweep_problem *problem, const thud_partition *partition,
                                             const thud_sweep_options *options, thud_motion **motion);
/* The present state and how it was reached; borrowed until the next step. Zeros for motions of other families. */
THUD_API thud_sweep_frame thud_sweep_motion_present(const thud_motion *motion);
THUD_API thud_sweep_motion_info thud_sweep_motion_get_info(const thud_motion *motion);

/* One row of a nested refinement study. */
typedef struct thud_sweep_refinement {
  size_t intervals;  /* of the coarser partition of the pair */
  double difference; /* sup over its nodes of |u_coarse - u_fine| in the metric */
  double order;      /* log2 of the ratio of the previous difference to this one; NaN in the first row */
} thud_sweep_refinement;

/* Runs the method on the partition and on `levels` successive halvings (levels >= 1), rows[levels]. *error_estimate
 * is the estimated sup error of the run on the partition itself: rows[0].difference / (1 - 2^-p), p the observed order
 * of the first pair of rows, or 1 (the order to expect for Lipschitz data) when there is one row or p is not in
 * [0.25, 2.5]. Fails with THUD_ERROR_NOT_CONVERGED when a run does not complete. watch (may be NULL) receives the
 * frames of the coarser run of each pair and may stop the study: THUD_ERROR_INTERRUPTED. options may be NULL.
 */
THUD_API thud_error thud_sweep_refine(thud_context *context, thud_sweep_method method,
                                      const thud_sweep_problem *problem, const thud_partition *partition,
                                      const thud_sweep_options *options, int levels, const thud_motion_sink *watch,
                                      thud_sweep_refinement *rows, double *error_estimate);
/* Runs the method on the partition and on its halvings, rows[levels] (3 to 20 levels, the partition itself is the
 * first), and judges what the motions tend to. watch and options as above. A run that does not complete is undecided. */
THUD_API thud_error thud_sweep_classify(thud_context *context, thud_sweep_method method,
                                        const thud_sweep_problem *problem, const thud_partition *partition,
                                        const thud_sweep_options *options, int levels, const thud_motion_sink *watch,
                                        thud_limit_level *rows, thud_limit_judgement *judgement);

#ifdef __cplusplus
}
#endif
#endif
