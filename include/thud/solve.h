/* thud/solve.h: solvers of contact problems: one registry, one life cycle, one kind of answer.
 *
 * create (for a kind: form and dimension) -> reserve (sizes to come) -> update (numbers, any number of contacts) ->
 * solve
 * (warm start in r) -> update ... -> destroy. A solver keeps its memory: update and solve allocate through thud's
 * allocator only what they have never needed before. `auto` makes the methods that it turns to when it first needs them
 * and keeps them. */
#ifndef THUD_SOLVE_H
#define THUD_SOLVE_H

#include "thud/velocity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Outcome of a solver; a solver without a solution has not failed as a call. */
typedef enum thud_solver_status {
  THUD_SOLVED = 0,            /* residual <= tolerance */
  THUD_SOLVER_STALLED = 1,    /* no progress any more: best iterate returned */
  THUD_SOLVER_LIMIT = 2,      /* iteration limit: best iterate returned */
  THUD_SOLVER_TIME = 3,       /* wall-clock limit (not reproducible): best iterate returned */
  THUD_SOLVER_INFEASIBLE = 4, /* with a certificate where the method has one */
  THUD_SOLVER_BREAKDOWN = 5,  /* NaN, singular block, ray: message says which contact */
  THUD_SOLVER_INTERRUPTED = 6 /* options.progress asked for it: best iterate returned */
} thud_solver_status;
/* "solved", "stalled", "iteration limit", ... */
THUD_API const char *thud_solver_status_name(thud_solver_status status);

/* Called before every iteration with the iterations made so far and the best residual met, and now and then while an
 * update assembles something large (INFINITY: nothing is met yet); anything but 0 ends the solve with the best iterate, or
 * the update with THUD_ERROR_INTERRUPTED. */
typedef int (*thud_solver_progress_fn)(void *user, int iterations, double residual);

typedef struct thud_solver_options {
  size_t size;
  double tolerance;   /* on thud_contact_residual.residual, > 0 */
  int max_iterations; /* sweeps, pivots, Newton steps: what the method counts */
  double max_seconds; /* wall clock of a solve, and of an update, 0: none; a stop by it is marked not reproducible */
  int check_every;    /* iterations between full residual tests (fewer when an iteration changes next to nothing) */
  double relaxation;  /* over-relaxation of Gauss-Seidel, ]0, 2[; lowered by itself for a while when sweeps cycle */
  int local_solver;   /* Gauss-Seidel in 3D: 0 exact (quartic), 1 safeguarded Newton, 2 projection */
  int order;          /* visits: 0 colours (two-block form, on threads; the local form goes as given), 1 as given,
                         2 forth and back in turn */
  thud_solver_progress_fn progress; /* NULL: none */
  void *progress_user;
  bool plain; /* without vector instructions of the processor: slower, the same bits */
  THUD_RESERVED(3);
} thud_solver_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_solver_option_table(void);
THUD_OPTIONS_DEFAULT(thud_solver_options, thud_solver_option_table)

/* One method's part in a solve: `auto` has several, every other method one. */
typedef struct thud_solver_attempt {
  const char *method;
  thud_solver_status status; /* when it was left */
  int iterations;
  size_t work;        /* by fixed estimates, in units of about a nanosecond of one core; 0 where none is made */
  double residual;    /* best so far when it was left */
  const char *reason; /* why it was left, one phrase */
} thud_solver_attempt;

/* Proof that no velocity is admissible: multipliers l >= 0 of the non-penetration u_N >= 0 of some contacts with
 * W' (n l) = 0 (H_N l = 0) and l.q_N (l.w_N) < 0, so that 0 <= l.u_N = l.q_N < 0 would follow. Where W' (n l) is 0 only
 * to rounding, the proof excludes every answer with normal impulses smaller than `reach` in sum.
 * Bilateral rows enter with multipliers y of either sign: W' (n l) + V y = 0, V' (n l) + R' y = 0, l.q_N + y.s < 0. Rows
 * alone (count 0) prove that they contradict each other: V y = 0 and R' y = 0 (global form: G y = 0, two-block form:
 * M^-1 G y = 0) with y.s < 0 (y.b < 0), which y.u_b = 0 would have to be; `reach` then is the sum of the magnitudes of
 * all impulses (global form: of v, velocity unit), and relative_reach is in units of max |s| over the smallest column,
 * (V; R') or G, that the proof names. */
typedef struct thud_solver_certificate {
  size_t count; /* contacts; 0 and row_count 0: there is no certificate */
  const thud_index *contacts;
  const double *multipliers; /* [count] > 0, the largest is 1 */
  double value;              /* l.q_N + y.s < 0, velocity unit */
  double reach; /* impulse unit, INFINITY where W' (n l) vanishes; and in units of |q_N| / W_NN (its smallest) */
  double relative_reach;
  size_t row_count; /* bilateral rows */
  const thud_index *rows;
  const double
      *row_multipliers; /* [row_count] y, in units of the largest multiplier of a contact; the largest is 1 where
                                    there is none */
  THUD_RESERVED(1);
} thud_solver_certificate;

enum { THUD_SOLVER_WORST = 5 };

typedef struct thud_solver_info {
  thud_solver_status status;
  const char *method; /* that found the answer */
  int iterations;
  size_t contact_visits;  /* one-contact solves, where the method has them */
  thud_contact_form form; /* that the method worked on: as given, or local or two-block instead of global */
  double update_seconds, solve_seconds;
  thud_contact_residual residual; /* of the returned answer, by the independent evaluation */
  size_t history_count;           /* full residual tests made (the first 1024 are kept) */
  const double *history;          /* [min(history_count, 1024)] borrowed from the solver until its next call */
  size_t attempt_count;
  const thud_solver_attempt *attempts; /* [attempt_count] borrowed likewise */
  const char *why; /* of `auto`, or a proof about bilateral rows: why it is not solved, "" otherwise;
                                          borrowed likewise */
  int worst_count; /* of `auto`, not solved: contacts with the largest parts of the residual */
  thud_index worst[THUD_SOLVER_WORST];
  thud_solver_certificate certificate; /* infeasible, by `auto` or by rows that contradict; borrowed likewise */
  THUD_RESERVED(4);
} thud_solver_info;

/* Problems that a method takes; bits of thud_solver_method.accepts. */
enum {
  THUD_ACCEPTS_LCP = 1, /* dimension 1 */
  THUD_ACCEPTS_2D = 2,
  THUD_ACCEPTS_3D = 4,
  THUD_ACCEPTS_ROLLING = 8, /* beside 2D or 3D: with rolling friction */
  THUD_ACCEPTS_LAWS = 16,   /* general sets */
  THUD_ACCEPTS_BILATERAL = 32,
  THUD_ACCEPTS_LOCAL = 64,
  THUD_ACCEPTS_GLOBAL = 128,
  THUD_ACCEPTS_TWO_BLOCK = 256,
  THUD_ACCEPTS_OPERATOR = 512, /* local form with W as an operator: methods that need products only */
  THUD_ACCEPTS_SPINNING = 1024 /* beside 3D: with spinning friction */
};

typedef struct thud_solver_method thud_solver_method; /* one row of the registry */

/* The methods of the registry: how many there are, and the k-th (NULL beyond the last). */
THUD_API size_t thud_solver_method_count(void);
THUD_API const thud_solver_method *thud_solver_method_at(size_t k);
/* NULL when there is no such method. */
THUD_API const thud_solver_method *thud_solver_method_find(const char *name);
THUD_API const char *thud_solver_method_name(const thud_solver_method *method);
THUD_API const char *thud_solver_method_summary(const thud_solver_method *method);
THUD_API unsigned thud_solver_method_accepts(const thud_solver_method *method);
/* The k-th direct method, in the order of the registry: finite or Newton steps on a factorised matrix, what small dense
 * problems turn to first. NULL when there are fewer. */
THUD_API const thud_solver_method *thud_solver_method_direct(size_t k);
/* True when the method takes this problem. */
THUD_API bool thud_solver_method_takes(const thud_solver_method *method, const thud_contact_problem *problem);

typedef struct thud_solver thud_solver;

/* method NULL: "auto"; options may be NULL: the defaults. Checks the problem and makes its first update.
 * THUD_ERROR_INTERRUPTED from this and from updates: options.progress or max_seconds ended what they assemble; update
 * again before solving. */
THUD_API thud_error thud_solver_create(thud_context *context, const thud_solver_method *method,
                                       const thud_contact_problem *problem, const thud_solver_options *options,
                                       thud_solver **solver);
/* New numbers for the same form and dimension, any number of contacts, bodies and rows: the same bits as a new solver.
 * A solver keeps its memory: updates with problems of sizes that come again soon allocate nothing.
 * Borrows the problem's arrays until the next update or destroy. create has done the first update. */
THUD_API thud_error thud_solver_update(thud_solver *solver, const thud_contact_problem *problem);
/* The same with an id for each contact, ids[contacts], of the caller's choice. r[size] (may be NULL) receives a warm
 * start: the impulses of the last answer at the contacts with the same ids, whatever their order and number, and 0 at
 * new ones. Answers are remembered as long as updates bring ids (NULL: they are forgotten). THUD_ERROR_ARGUMENT when
 * two
 * contacts have the same id; the message names both and nothing changes. */
THUD_API thud_error thud_solver_update_by_ids(thud_solver *solver, const thud_contact_problem *problem,
                                              const uint64_t *ids, double *r);
/* r[size] holds the warm start (zeros when unknown) and receives the answer; u[size], v[ndof], l[bilateral] may be NULL
 * (l is in/out like r), and so may info. Always returns the best iterate met. */
THUD_API thud_error thud_solver_solve(thud_solver *solver, double *r, double *u, double *v, double *l,
                                      thud_solver_info *info);
THUD_API void thud_solver_destroy(thud_solver *solver);

/* ---- velocity problems (thud/velocity.h) ---------------------------------------------------------------------------
 */

typedef struct thud_velocity_solver thud_velocity_solver;

typedef struct thud_velocity_info {
  thud_solver_status status; /* SOLVED: residual <= tolerance */
  double residual;           /* natural map in units of thud_velocity_scale */
  thud_index worst_block;    /* where it is, -1: nowhere */
  bool set_valued;           /* rows that hold as equations are dependent (rank loss): impulses may be exchanged */
  const char *method;        /* that found the answer: "principal pivoting", "sweeps", "none" or a registered one */
  THUD_RESERVED(4);
} thud_velocity_info;

/* largest: the problem in which everything acts: its sizes, blocks and laws; its numbers are not read. The laws are
 * borrowed and the same in all problems to come. method NULL: exact solutions of frictionless problems and of single
 * blocks, sweeps over several blocks, and where these do not reach the tolerance the direct methods of the registry,
 * then its first. A method gets every problem; THUD_ERROR_UNSUPPORTED, and the message says what it is, when it does
 * not take the largest. options (NULL: the defaults): `tolerance` is that of the natural map, registered methods are
 * asked for a hundredth of it. */
THUD_API thud_error thud_velocity_solver_create(thud_context *context, const thud_velocity_problem *largest,
                                                const thud_solver_method *method, const thud_solver_options *options,
                                                thud_velocity_solver **solver);
THUD_API void thud_velocity_solver_destroy(thud_velocity_solver *solver);
/* r[rows] in: warm start, out: impulses; u[rows] = W r + load. The problem is taken as valid (thud_velocity_validate).
 * Allocates nothing, but registered methods are made when they are first needed, one per shape, and kept. info may be
 * NULL. */
THUD_API thud_error thud_velocity_solver_solve(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                               double *r, double *u, thud_velocity_info *info);

/* ---- all solutions of small problems ---------------------------------------------------------------------------- */

/* One solution, or one point of a continuum of solutions. */
typedef struct thud_solution {
  const double *r, *u; /* [size] */
  bool isolated;       /* false: one of a continuum */
} thud_solution;
typedef int (*thud_solution_fn)(void *user, const thud_solution *solution);

/* Every solution of a small LCP (size <= 20) or planar friction problem (contacts <= 10, 4 modes each: open, stick,
 * slip either way), without repeats; found returns non-zero to stop. THUD_ERROR_UNSUPPORTED for other problems. found
 * and count may be NULL. */
THUD_API thud_error thud_contact_enumerate(thud_context *context, const thud_contact_problem *problem, double tolerance,
                                           thud_solution_fn found, void *user, size_t *count);
/* The same; stop is asked before every basis or mode; stop, found and count may be NULL. */
THUD_API thud_error thud_contact_enumerate_until(thud_context *context, const thud_contact_problem *problem,
                                                 double tolerance, const thud_stop *stop, thud_solution_fn found,
                                                 void *user, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
