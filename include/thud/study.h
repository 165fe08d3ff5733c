/* thud/study.h: what a scene does when its step is refined or a parameter is changed.
 *
 * Refinement: the scene is run with 2^n steps for n = first .. last, and successive motions are compared in the norms
 * in which time stepping converges: sup for q, L1 and the Hausdorff distance of filled graphs for v (never sup for v,
 * which jumps at instants that move with the step). Even and odd n are compared on their own: a scheme may converge to
 * one motion along each (case C12). Sweeps: one parameter takes equally spaced values; after a transient every run
 * gives the values of an expression on a section (at impacts, at zeros of an expression, or once per period). */
#ifndef THUD_STUDY_H
#define THUD_STUDY_H

#include "thud/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- refinement ---------------------------------------------------------------------------------------------- */

typedef struct thud_study_options {
  size_t size;
  int first_level, last_level; /* 2^first .. 2^last steps; at least 3 levels */
  double parity_ratio;   /* the two subsequences part when d(n, n+1) > this times d(n, n+2) at the finest levels */
  double smallest_order; /* of q, fitted over the last three octaves: less is flagged */
  thud_run_progress_fn progress;
  void *progress_user;
} thud_study_options;

THUD_API const thud_option_table *thud_study_option_table(void);
THUD_API thud_study_options thud_study_options_default(void);

/* Distances between motions with 2^level steps and finer ones; NaN where there is no finer one. */
typedef struct thud_study_row {
  int level;
  thud_index steps;
  double step;             /* s */
  double q_next, q_second; /* sup |q_n - q_{n+1}|, sup |q_n - q_{n+2}| over the nodes of level n (Euclidean) */
  double v_next, v_second; /* integral of |v_n - v_{n+1}| dt, ... */
  double graph_next;       /* Hausdorff distance of the filled graphs of v in (t, v) */
  double q_order, v_order, graph_order; /* log2 of successive ratios, NaN in the first row */
  double penetration, residual;
  size_t impacts;
} thud_study_row;

enum {
  THUD_STUDY_PARITY = 1,    /* even and odd refinements converge to different motions */
  THUD_STUDY_NO_ORDER = 2,  /* differences do not shrink as they should */
  THUD_STUDY_RUN_FAILED = 4 /* a run ended early: see message */
};

typedef struct thud_study {
  thud_context *context;
  const char *method;
  size_t count;
  thud_study_row *rows;                 /* [count] */
  double q_order, v_order, graph_order; /* fitted over the last three octaves */
  double error_estimate; /* of q at the finest level, from the last difference and the order; NaN when flagged */
  unsigned flags;
  char message[1024]; /* what the flags mean here; "" when none is set */
} thud_study;

/* tree: the scene; its simulate.step, steps, tolerance are replaced. THUD_ERROR_INTERRUPTED when progress asks for it.
 * Freed by thud_study_free. */
THUD_API thud_error thud_study_refine(thud_context *context, thud_tree *tree, const thud_study_options *options,
                                      thud_study *study);
THUD_API void thud_study_free(thud_study *study);

/* ---- sweeps of a parameter -------------------------------------------------------------------------------------- */

typedef enum thud_section_kind {
  THUD_SECTION_IMPACTS = 0, /* every impact (of one constraint when `where` names it) */
  THUD_SECTION_ZEROS = 1,   /* where the expression `where` passes through 0 upwards */
  THUD_SECTION_PERIOD = 2,  /* at multiples of the expression `where` */
  THUD_SECTION_END = 3      /* once, at the end */
} thud_section_kind;

typedef struct thud_sweep_study_options {
  size_t size;
  const char *parameter; /* its name */
  double from, to;       /* first and last value */
  size_t count;          /* values, >= 1 */
  thud_section_kind section;
  const char *where;             /* see the kinds; NULL for IMPACTS: any constraint */
  const char *quantity;          /* expression of t, coordinates and velocities (left limits at impacts) */
  double after;                  /* points before this time are left out (s) */
  thud_run_progress_fn progress; /* called with the fraction done as t, 0, 1 */
  void *progress_user;
} thud_sweep_study_options;

THUD_API thud_sweep_study_options thud_sweep_study_options_default(void);

typedef struct thud_sweep_point {
  size_t run;   /* 0..count-1 */
  double value; /* of the parameter */
  double t, quantity;
} thud_sweep_point;

typedef struct thud_sweep_study {
  thud_context *context;
  size_t count;
  thud_sweep_point *points; /* [count] by run, then by time */
  size_t failed;            /* runs that ended early; their points up to there are in */
  char message[1024];       /* of the first failed run */
} thud_sweep_study;

/* Runs on the context's threads, with the same bits for any number of them. */
THUD_API thud_error thud_study_sweep(thud_context *context, const thud_tree *tree,
                                     const thud_sweep_study_options *options, thud_sweep_study *study);
THUD_API void thud_sweep_study_free(thud_sweep_study *study);

#ifdef __cplusplus
}
#endif
#endif
