/* thud/study.h: what a scene does when its step is refined or a parameter is changed.
 *
 * Refinement: the scene is run with 2^n steps for n = first .. last, and successive motions are compared in the norms
 * in which time stepping converges: sup for q, L1 and the Hausdorff distance of filled graphs for v (never sup for v,
 * which jumps at instants that move with the step). Even and odd n are compared on their own: a scheme may converge to
 * one motion along each (examples/dynamics/parity.yaml). Against the event-driven motion: the same levels are compared with the motion of
 * thud/event.h from the same scene, which is exact to about 1e-12, as a whole and impact by impact. Quasi-static scenes
 * are refined likewise, and compared with the dynamics under slower and slower loads whose limit they are. The table of a
 * kind of motion says how the kind is studied (thud_kind_study). Sweeps: one parameter takes equally spaced values; after a
 * transient every run gives the values of an expression on a section (at impacts, at zeros of an expression, or once per
 * period). Orders: of any quantities of any kind of motion at its end, in the step and in the mesh. */
#ifndef THUD_STUDY_H
#define THUD_STUDY_H

#include "thud/event.h"
#include "thud/quasistatic.h"
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
  size_t kind_count; /* further kinds that the scene may be of (thud/kind.h); refinement only */
  const struct thud_kind *const *kinds;
  THUD_RESERVED(2);
} thud_study_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_study_option_table(void);
THUD_OPTIONS_DEFAULT(thud_study_options, thud_study_option_table)

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
  THUD_STUDY_RUN_FAILED = 4 /* a run ended early or was stopped: see message; the rows before are complete */
};

typedef enum thud_study_kind {
  THUD_STUDY_OF_SYSTEM = 0,
  THUD_STUDY_OF_QUASISTATIC = 1, /* in the rows q is U and v is r: sup norms at the nodes that are not next to a jump;
                                    graphs are those of U, impacts are jumps */
  THUD_STUDY_OF_RATES = 2,       /* see thud_study_rates */
  THUD_STUDY_OF_ROWS = 3, /* in the rows q is the state that the rows hold, graphs are those of the state, v is NaN;
                                    penetration and residual are NaN, impacts are rows with a jump */
  THUD_STUDY_OF_QUANTITIES = 4 /* only thud_study_orders, and sweeps of what is at the end */
} thud_study_kind;

typedef struct thud_study {
  thud_context *context;
  const char *method;
  size_t count;
  thud_study_row *rows;                 /* [count] */
  double q_order, v_order, graph_order; /* fitted over the last three octaves */
  double error_estimate; /* of q at the finest level, from the last difference and the order; NaN when flagged */
  unsigned flags;
  char message[1024]; /* what the flags mean here; "" when none is set */
  thud_study_kind kind;
  size_t left_out;   /* QUASISTATIC: nodes next to a jump, of the last two levels, that were not compared */
  double first_jump; /* QUASISTATIC, RATES: of the state; NaN: none */
  THUD_RESERVED(1);
} thud_study;

/* tree: the scene; its simulate.step, steps, tolerance are replaced. THUD_ERROR_INTERRUPTED when progress asks for it.
 * Freed by thud_study_free. options may be NULL. */
THUD_API thud_error thud_study_refine(thud_context *context, thud_tree *tree, const thud_study_options *options,
                                      thud_study *study);
THUD_API void thud_study_free(thud_study *study);

/* By the section of the scene: what is studied of it; THUD_STUDY_OF_SYSTEM also for scenes of which nothing is. */
THUD_API thud_study_kind thud_study_kind_of(const thud_tree *tree);

/* ---- against the event-driven motion ---------------------------------------------------------------------------- */

/* Name of the motion that time stepping is compared with. */
#define THUD_STUDY_AGAINST "event-driven"

enum { THUD_AGAINST_SCENE_METHOD = -1 };

typedef struct thud_against_options {
  size_t size;
  thud_study_options study; /* levels, thresholds, progress; smallest_order is a part of the order expected */
  int method; /* thud_stepping_method; THUD_AGAINST_SCENE_METHOD: the scene's, or moreau-jean when the scene
                               itself is event-driven */
} thud_against_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_against_option_table(void);
THUD_OPTIONS_DEFAULT(thud_against_options, thud_against_option_table)

/* Errors of the motion with 2^level steps. Its q is linear between nodes and its v linear from a right limit to the
 * next left limit. What rounding and the reference's own error explain counts as 0. */
typedef struct thud_against_row {
  int level;
  thud_index steps;
  double step;          /* s */
  double q_error;       /* sup |q_h - q| over nodes, their midpoints and the events (Euclidean) */
  double v_error;       /* integral of |v_h - v| dt */
  double graph_error;   /* Hausdorff distance of the filled graphs of v in (t, v) */
  double impulse_error; /* largest error of a component's total impulse over the run, forces included (N s) */
  double energy_error;  /* lost at impacts, in contacts and by friction, minus what the reference loses (J) */
  double q_order, v_order, graph_order, impulse_order, energy_order; /* log2 of successive ratios */
  double penetration, residual;
  const double *impulse;            /* [m+s] errors of the total impulses, signed */
  const double *q_end;              /* [n] last position */
  size_t impacts;                   /* steps with an atom */
  size_t found, missed, unresolved; /* of the reference's events */
  size_t stray;                     /* impacts of the stepped motion without partner */
} thud_against_row;

typedef enum thud_partner {
  THUD_PARTNER_FOUND = 0,
  THUD_PARTNER_MISSED = 1,    /* the stepped motion has nothing that corresponds */
  THUD_PARTNER_UNRESOLVED = 2 /* closer to the next event of the constraint than a few steps */
} thud_partner;
THUD_API const char *thud_partner_name(thud_partner partner); /* "found" ... */

/* Partner in the stepped motion of an event of the reference. Numbers are NaN unless FOUND. */
typedef struct thud_against_match {
  thud_partner partner;
  double t;                      /* of the node (of several: the one furthest off) */
  double t_error;                /* t minus the time of the reference */
  double v_error, impulse_error; /* velocity after, impulse (Euclidean); NaN for changes of modes */
} thud_against_match;

/* An event of the reference. IMPACT: partner is the step with an atom at the same constraints. ZENO: partner is the
 * step since which the stepped motion stays in contact, and the impulse is that of the whole accumulation, whose
 * impacts are events of their own. OPEN, CLOSE, STICK, SLIP: the step since which the new mode lasts. */
typedef struct thud_against_event {
  thud_event_kind kind;
  double t;
  const bool *involved;              /* [m] struck, or changing their mode */
  const double *impulse;             /* [m+s] N s; of a Zeno limit: of the whole accumulation */
  const thud_against_match *matches; /* [count of rows] */
  /* Fitted over the levels with a partner, at least three (NaN otherwise). Of the time: that of max(|t_error|, step/2),
   * as a step does not know when within it something happens. */
  double t_order, v_order, impulse_order;
} thud_against_event;

/* An impact of the stepped motion that corresponds to none of the reference. */
typedef struct thud_against_stray {
  int level;
  thud_index constraint;
  double t, impulse;
} thud_against_stray;

typedef struct thud_against {
  thud_context *context;
  const char *method;
  thud_index n, m, s;             /* coordinates, constraints, slip components */
  const char *const *constraints; /* [m] names */
  double start, end;              /* compared: end is earlier than the scene's when the event-driven run ended early */
  size_t count;
  thud_against_row *rows; /* [count] */
  size_t event_count;
  thud_against_event *events; /* [event_count] by time */
  size_t stray_count;
  thud_against_stray *strays; /* [stray_count] by level, constraint, time */
  double expected_order;      /* of q: 2 for second-order and midpoint schemes in free motion, else 1 */
  double q_order, v_order, graph_order, impulse_order, energy_order; /* fitted over the last three octaves */
  double even_order, odd_order;                                      /* of q over even and odd levels on their own */
  const double *q_end;                                               /* [n] of the reference */
  const double *impulse;                                             /* [m+s] of the reference, total (N s) */
  double energy_loss;                                                /* of the reference (J) */
  thud_event_motion_info reference; /* worst_cosine: of a non-orthogonal multiple impact that it crossed */
  unsigned flags;                   /* THUD_STUDY_PARITY: only one of even and odd refinements goes to the reference */
  char message[1024];               /* what the flags mean here; "" when none is set */
  void *memory;                     /* owns all arrays */
  thud_study_kind kind; /* QUASISTATIC: increments against the event-driven method with 4 times the nodes of the
                                finest level; q is U, v is r (sup norms as there), energy is that lost in friction, impulses
                                are NaN, there are no events; reference.arcs: between changes of modes, .impacts: jumps */
  size_t left_out;      /* QUASISTATIC: nodes of the finest level next to a jump, that were not compared */
  const char *
      *event_laws; /* [event_count] the friction law by itself that sticks or slips, the first of several; NULL */
  THUD_RESERVED(1);
} thud_against;

/* The reference and the stepped motions are made from the same scene; THUD_ERROR_UNSUPPORTED when the event-driven
 * method does not know the system. Stopped by its progress function after the first level it returns the levels that are
 * complete, flagged THUD_STUDY_RUN_FAILED. Freed by thud_against_free. options may be NULL. */
THUD_API thud_error thud_study_against(thud_context *context, thud_tree *tree, const thud_against_options *options,
                                       thud_against *result);
THUD_API void thud_against_free(thud_against *result);

/* ---- quasi-static motions as limits of dynamics ------------------------------------------------------------------- */

/* With s = rate t the motion under slow loads F(rate t) is rate^2 M U'' + K U = F(s) + H r with the same contacts and
 * friction (restitution 0, no damping); quasi-static motions are its limits as the rate goes to 0. */
typedef struct thud_rates_options {
  size_t size;
  int first_level, last_level; /* rates: that of the scene times 2^-first .. 2^-last; at least 3 levels */
  int nodes_level;             /* distances are measured at 2^this nodes */
  int steps_per_period;        /* at least this many steps of moreau-jean (theta = 1/2) in the shortest period */
  double smallest_order;       /* of the distance in the rate, fitted over the last three octaves: less is flagged */
  thud_run_progress_fn progress;
  void *progress_user;
  THUD_RESERVED(4);
} thud_rates_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_rates_option_table(void);
THUD_OPTIONS_DEFAULT(thud_rates_options, thud_rates_option_table)

/* A quasi-static scene with `mass` (and `rate`, default 1). In the rows: step is the rate, steps those of the dynamics,
 * q_next the largest distance |U - U_quasistatic| at the nodes, up to the first jump if the quasi-static motion has one,
 * and q_second that after it, where there is no convergence to be expected: undamped dynamics oscillates there, and may
 * go to another equilibrium. v and graphs are NaN. THUD_STUDY_NO_ORDER is set only where the motion does not jump.
 * The quasi-static motion is the event-driven one in the plane, by increments in space. Freed by thud_study_free. */
THUD_API thud_error thud_study_rates(thud_context *context, thud_tree *tree, const thud_rates_options *options,
                                     thud_study *study);

/* ---- sweeps of a parameter -------------------------------------------------------------------------------------- */

typedef enum thud_section_kind {
  THUD_SECTION_IMPACTS = 0, /* every impact (of one constraint when `where` names it) */
  THUD_SECTION_ZEROS = 1,   /* where the expression `where` passes through 0 upwards */
  THUD_SECTION_PERIOD = 2,  /* at multiples of the expression `where` */
  THUD_SECTION_END = 3      /* once, at the end; of any kind of motion: then the quantity is one of thud_study_orders */
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

/* The table of the keys (static), and every option at its default with the size field; parameter and
 * quantity are to be set. */
THUD_API const thud_option_table *thud_sweep_study_option_table(void);
THUD_OPTIONS_DEFAULT(thud_sweep_study_options, thud_sweep_study_option_table)

typedef struct thud_sweep_point {
  size_t run;   /* 0..count-1 */
  double value; /* of the parameter */
  double t, quantity;
} thud_sweep_point;

typedef struct thud_sweep_study {
  thud_context *context;
  size_t count;
  thud_sweep_point *points; /* [count] by run, then by time */
  size_t failed;            /* runs that ended early, their points up to there are in; and those after a stop */
  char message[1024];       /* of the first failed run, or of the stop */
  THUD_RESERVED(4);
} thud_sweep_study;

/* Runs on the context's threads, with the same bits for any number of them. */
THUD_API thud_error thud_study_sweep(thud_context *context, const thud_tree *tree,
                                     const thud_sweep_study_options *options, thud_sweep_study *study);
THUD_API void thud_sweep_study_free(thud_sweep_study *study);

/* Quasi-static scenes: what every run found, instead of points on a section. */
typedef struct thud_elastic_sweep_row {
  double value;                      /* of the parameter */
  bool good;                         /* it went to its end; otherwise `message` has the reason */
  thud_quasistatic_motion_info info; /* solutions, jumps, forks */
  thud_quasistatic_ledger ledger;    /* at its end */
  char message[512];
} thud_elastic_sweep_row;

typedef struct thud_elastic_sweep {
  thud_context *context;
  size_t count;
  thud_elastic_sweep_row *rows; /* [count] in the order of the values */
  size_t failed;                /* runs that did not go to their ends */
  THUD_RESERVED(4);
} thud_elastic_sweep;

/* As thud_study_sweep, for `quasistatic` scenes; section, quantity and progress are not used. */
THUD_API thud_error thud_study_sweep_elastic(thud_context *context, const thud_tree *tree,
                                             const thud_sweep_study_options *options, thud_elastic_sweep *study);
THUD_API void thud_elastic_sweep_free(thud_elastic_sweep *study);

/* ---- orders of any quantities, in the step and in the mesh ----------------------------------------------------------- */

typedef enum thud_refined {
  THUD_REFINED_STEPS = 0, /* level k has 2^k steps */
  THUD_REFINED_MESH = 1   /* level k has the mesh of the scene with every cell divided into 2^k (in each direction) */
} thud_refined;

typedef struct thud_orders_options {
  size_t size;
  thud_refined refined;
  int first_level, last_level; /* at least 3 levels */
  size_t quantity_count;
  const char *const
      *quantities;       /* [quantity_count] expressions over the numbers of a run's summary (`thud run --json`), as
                                    reaction, u(0.5), atoms.0.x; none: fields of displacements, or all of the state */
  int samples;           /* fields are compared at the ends of so many equal parts of the time */
  double smallest_order; /* fitted over the last three octaves: less is flagged */
  thud_run_progress_fn progress; /* called with the fraction done as t, 0, 1 */
  void *progress_user;
  THUD_RESERVED(4);
} thud_orders_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_orders_option_table(void);
THUD_OPTIONS_DEFAULT(thud_orders_options, thud_orders_option_table)

typedef struct thud_orders_row {
  int level;
  size_t steps;         /* REFINED_STEPS; 0: those of the scene */
  const double *values; /* [quantity_count] at the end; NaN: a field */
  const double
      *differences;     /* [quantity_count] to the next level: of fields the largest at components that both have */
  const double *orders; /* [quantity_count] log2 of successive differences; NaN in the first row */
} thud_orders_row;

/* Differences that rounding explains (1e-12 of the values) are 0, and the order of what is exact is infinite. */
typedef struct thud_orders_quantity {
  const char *name;
  bool field;
  double order;        /* fitted over the last three octaves */
  double limit, error; /* of a number: continued as a geometric series, and what that adds; NaN without an order */
} thud_orders_quantity;

typedef struct thud_orders {
  thud_context *context;
  const char *method;
  thud_refined refined;
  size_t count, quantity_count;
  thud_orders_row *rows;            /* [count] */
  thud_orders_quantity *quantities; /* [quantity_count] */
  unsigned flags;                   /* THUD_STUDY_NO_ORDER, THUD_STUDY_RUN_FAILED */
  char message[1024];
  void *memory; /* owns the arrays and the names */
  THUD_RESERVED(4);
} thud_orders;

/* Runs the scene, of any kind with simulate.steps, on every level. Meshes are refined of kinds with `refine_mesh`
 * (THUD_ERROR_UNSUPPORTED). Freed by thud_orders_free. options may be NULL. */
THUD_API thud_error thud_study_orders(thud_context *context, const thud_tree *tree, const thud_orders_options *options,
                                      thud_orders *study);
THUD_API void thud_orders_free(thud_orders *study);

/* ---- how motions of a kind are studied ----------------------------------------------------------------------------- */

/* One motion of a refinement. */
typedef struct thud_study_level {
  const thud_study_options *options;
  int level;
  thud_index steps; /* 2^level, equal ones */
} thud_study_level;

/* Calls the progress function when this part of the level, 0 to 1, is done; not 0: it asks for an end, which is
 * THUD_ERROR_INTERRUPTED with a message. */
THUD_API int thud_study_progress(const thud_study_level *level, double done);

/* Result of the study. */
typedef struct thud_study_run {
  void *path;   /* what `compare` needs of it; freed by `free` */
  double ended; /* early, at this time, with a message in the context; NaN: it did not */
  double first_jump;
  double penetration, residual;
  size_t impacts;
} thud_study_run;

typedef struct thud_study_distances {
  double q, v, graph;
  size_t left_out;
} thud_study_distances;

/* The entry `study` of a kind's table (thud/kind.h). Functions that are NULL: there is no such study. */
typedef struct thud_kind_study {
  thud_study_kind kind;
  /* THUD_ERROR_UNSUPPORTED with a message: this scene has no steps to refine. NULL: every scene has. */
  thud_error (*check)(const thud_scene *scene);
  /* Runs the scene with the steps of the level, whatever it says itself. `run` NULL: a scene with simulate.steps is built
   * anew and driven like every other, and the rows are compared at the times of the coarser motion; the kind is then
   * THUD_STUDY_OF_ROWS and `free` and `compare` are NULL. */
  thud_error (*run)(thud_scene *scene, const thud_study_level *level, thud_study_run *run);
  void (*free)(void *path);
  /* The nodes of the coarse motion are nodes of the fine one; graphs: they are asked for. */
  thud_study_distances (*compare)(const thud_scene *scene, const void *coarse, const void *fine, bool graphs);
  /* Builds a scene again in the form that its method and the event-driven one can both use; *method: see
   * thud_against_options. NULL: it stays. */
  thud_error (*rebuild)(thud_context *context, thud_tree *tree, int *method, thud_scene **scene);
  /* Rows, events and reference of the result, in memory of result->memory; orders and flags follow from them. *remark:
   * said of errors that do not vanish, or NULL. */
  thud_error (*against)(thud_scene *scene, const thud_against_options *options, thud_against *result,
                        const char **remark);
  /* Sections of sweeps: the number of a constraint (-1: there is none of this name), and the state at the start,
   * coordinates before velocities. */
  thud_index (*find_constraint)(const thud_scene *scene, const char *name);
  void (*start)(const thud_scene *scene, double *state);
  /* Divides every cell of the mesh of a scene into 2^levels in each direction, in its text. NULL: there is no mesh. */
  thud_error (*refine_mesh)(thud_context *context, thud_tree *tree, int levels);
  /* Names of the fields among the state that are compared on different meshes, each "u" for all "u(...)", ended by NULL;
   * NULL: all of the state. */
  const char *const *fields;
} thud_kind_study;

#ifdef __cplusplus
}
#endif
#endif
