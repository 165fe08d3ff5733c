/* What one row of the registry of solvers is, and what the front end (solver.c) does for every method.
 *
 * To add a method:
 *  1. write src/solve/<name>.c with a `const struct thud_solver_method thud_method_<name>` at its end;
 *  2. declare it at the end of this header and put its address into the table of registry.c, in order of preference;
 *  3. the conformance suite (test/unit/test_solve_conformance.c) then runs on it by itself.
 *
 * Division of labour. The front end checks options, validates the problem, refuses what `accepts` does not allow,
 * reduces a form that is accepted but not `native` to one that is (and a dense W of zeros to blocks), copies the
 * warm start, keeps the best iterate and the history, decides when to stop, and judges the answer by the evaluator of
 * contact on the problem as it was given. A method keeps its own state and moves solver->r (and solver->l):
 *
 *   for (int k = 1; thud_solver_goes_on(solver); k++) {
 *     ... one iteration on solver->r, solver->l ...
 *     solver->iterations = k;
 *     if (thud_solver_test_is_due(solver)) { error = thud_solver_test(solver); if (error != THUD_OK) return error; }
 *   }
 *
 * The warm start has been tested before the method is called, and the last iterate is tested after it returns when it
 * has not been: a finite method (pivoting) just writes its answer to solver->r and returns. Nothing is allocated
 * through the context inside `solve`: create and update make all room. */
#ifndef THUD_SRC_SOLVE_METHOD_H
#define THUD_SRC_SOLVE_METHOD_H

#include "base/base.h"
#include "solve/carry.h"
#include "thud/solve.h"

enum { THUD_SOLVER_HISTORY = 1024 }; /* residuals kept */
enum { THUD_SOLVER_ATTEMPTS = 64, THUD_SOLVER_WHY = 1024 };

/* Every kind and form there is. */
enum {
  THUD_METHOD_ACCEPTS_ALL = THUD_ACCEPTS_LCP | THUD_ACCEPTS_2D | THUD_ACCEPTS_3D | THUD_ACCEPTS_ROLLING |
                            THUD_ACCEPTS_SPINNING | THUD_ACCEPTS_LAWS | THUD_ACCEPTS_BILATERAL | THUD_ACCEPTS_LOCAL |
                            THUD_ACCEPTS_GLOBAL | THUD_ACCEPTS_TWO_BLOCK
};

/* A limit of a method's size: it takes problems with count <= most. */
typedef struct thud_method_limit {
  size_t count, most; /* of this problem; SIZE_MAX: any */
  const char *what;   /* that are counted: "contacts with friction" */
} thud_method_limit;

struct thud_solver_method {
  const char *name;    /* "gauss-seidel" */
  const char *summary; /* one line */
  unsigned accepts;    /* THUD_ACCEPTS_...: kinds and forms a user may hand over */
  unsigned native;     /* the forms among them that create/update/solve see themselves; others arrive as two-block ones
                       where that is possible and native, else as local ones */
  /* Whether create/update/solve see a problem of a native form as it is; NULL: always, false: it arrives as a local one. */
  bool (*sees)(const thud_contact_problem *problem);
  bool makes_forms; /* makes other forms itself, when it needs them; only global problems of bodies arrive as
                          two-block ones */
  bool direct;      /* finite or Newton steps on a factorised matrix: small dense problems turn to it first */
  /* What size the problem has and how much the method takes, NULL: any. Sees the problem as it was given. */
  thud_method_limit (*limit)(const thud_contact_problem *problem);
  /* Makes solver->state for the shape of solver->inner, or leaves it NULL and fails; update follows at once. */
  thud_error (*create)(thud_solver *solver);
  /* New numbers in solver->inner. May allocate. */
  thud_error (*update)(thud_solver *solver);
  /* Moves solver->r, solver->l from the warm start; sets solver->status where it knows better than the front end
   * (THUD_SOLVER_INFEASIBLE, THUD_SOLVER_BREAKDOWN). An error only when the call itself cannot be carried out. */
  thud_error (*solve)(thud_solver *solver);
  /* Frees solver->state (never NULL). */
  void (*destroy)(thud_solver *solver);
};

struct thud_solver {
  thud_context *parent;  /* the caller's */
  thud_context *context; /* its memory is kept from update to update: thud_recycler_create */
  const thud_solver_method *method;
  thud_solver_options options;
  void *state;    /* the method's */
  bool ready;     /* the last update went well */
  bool allocated; /* what allocates by the counts below is there */

  thud_contact_problem problem;      /* as given; arrays borrowed */
  const thud_contact_problem *inner; /* what the method works on: &problem, or the view of `reduced` */
  thud_owned_problem *reduced;       /* NULL when the form is native */
  thud_contact_evaluator *tests;     /* evaluator of the view of `reduced`, NULL when there is none */
  thud_contact_evaluator *judgement; /* evaluator of `problem` */
  thud_contact_evaluator *evaluator; /* the one of the two that tests use */
  thud_contact_form inner_form;      /* of `inner` at the last update, and its velocity components */
  size_t inner_ndof;
  size_t size, rows, ndof; /* impulse components, bilateral rows, velocity components */

  thud_carry carry; /* impulses by the caller's ids */

  double *r, *l;           /* [size], [rows] the current iterate */
  double *best_r, *best_l; /* the best one tested */
  double *u;               /* [size] velocities of the last test */
  double *changed;         /* [2*size + rows] an iterate with other last digits: r, u, l */
  bool u_is_best;          /* it was of best_r; best_found are then all its figures */
  thud_contact_residual best_found;
  const char *best_method; /* that met the best iterate */

  /* of the solve under way */
  int iterations;        /* of the method under way */
  int iterations_before; /* of the methods of `auto` that had their turn before */
  size_t contact_visits;
  int tested_at;             /* iteration of the last test, -1: none */
  bool stopped;              /* a verdict has been reached */
  thud_solver_status status; /* valid once stopped */
  double best_residual;      /* of best_r, INFINITY before the first test */
  double last_residual;      /* of the last test */
  double stall_residual;     /* best residual at the last progress, and the test at which it was met */
  size_t stall_test;
  double started; /* thud_seconds() */
  double update_seconds;
  size_t history_count;
  double history[THUD_SOLVER_HISTORY];

  /* what `auto` lays down for the methods that it runs one after the other on this same struct */
  struct thud_local_sweep *sweep;      /* block rows of W for all that need them, NULL: a method makes its own */
  bool (*leaves)(thud_solver *solver); /* NULL, or asked before every iteration: true ends the method as stalled */
  void *leaves_user;
  bool (*judge)(void *user, const double *r); /* NULL, or see thud_solver_set_judge */
  void *judge_user;
  size_t attempt_count;
  thud_solver_attempt attempts[THUD_SOLVER_ATTEMPTS];
  char why[THUD_SOLVER_WHY];
  int worst_count;
  thud_index worst[THUD_SOLVER_WORST];
  thud_solver_certificate certificate;
  thud_index *proof_rows;    /* [rows] of certificate_rows.c, NULL: never needed */
  double *proof_multipliers; /* [rows] */
};

/* True when the method takes problems of this kind and form, whatever their size. */
bool thud_solver_method_takes_kind(const thud_solver_method *method, const thud_contact_problem *problem);
/* True when the method works on the problem in the form that it has. */
bool thud_solver_method_sees(const thud_solver_method *method, const thud_contact_problem *problem);
/* Fails with the reason why the method does not take the problem: its size beside the limit, or its kind. */
thud_error thud_solver_refuse(thud_context *context, const thud_solver_method *method,
                              const thud_contact_problem *problem);

/* False once a verdict has been reached, the iteration or time limit is met, or options.progress asks for the end
 * (which is then the verdict). */
bool thud_solver_goes_on(thud_solver *solver);
/* Every options.check_every iterations, and at the last one allowed. */
bool thud_solver_test_is_due(const thud_solver *solver);
/* The full residual of solver->r, solver->l: history, best iterate, tolerance, stall. */
thud_error thud_solver_test(thud_solver *solver);
/* Marks a breakdown (a singular block, NaN, a ray) and stops; the message goes to the context. */
void thud_solver_break_down(thud_solver *solver, const char *format, ...) THUD_PRINTF(2, 3);

/* The same for a problem that was proved to have no solution. */
void thud_solver_find_infeasible(thud_solver *solver, const char *format, ...) THUD_PRINTF(2, 3);

/* The tolerance of the solves to come. */
void thud_solver_set_tolerance(thud_solver *solver, double tolerance);
/* Whoever knows better than the residual when impulses will do is asked at every test near the tolerance; what `judge` takes is
 * solved. NULL: nobody. It may use the arrays that were given to thud_solver_solve. */
void thud_solver_set_judge(thud_solver *solver, bool (*judge)(void *user, const double *r), void *user);
/* Likewise the most iterations of each. */
void thud_solver_set_max_iterations(thud_solver *solver, int most);

/* Appends words to solver->why. */
void thud_solver_say(thud_solver *solver, const char *format, ...) THUD_PRINTF(2, 3);

/* Takes the numbers of a valid problem of the solver's kind; another number of contacts, bodies or rows makes
 * everything
 * anew in the solver's memory. */
thud_error thud_solver_take(thud_solver *solver, const thud_contact_problem *problem);

/* A dense W of the local form that is better kept by blocks. */
bool thud_solver_is_mostly_zero(const thud_contact_problem *problem);

/* Ends a method's turn: tests its last iterate where that has not been done, and notes the attempt. */
thud_error thud_solver_end_turn(thud_solver *solver);

/* A two-block problem with the same impulses, of the bodies that contacts touch, for a global problem whose M is
 * block-diagonal, symmetric positive definite, with at most 6 consecutive degrees of freedom to a block, and whose
 * contacts touch at most two blocks; *two_block is NULL when it is not of that kind. */
thud_error thud_global_to_two_block(thud_context *context, const thud_contact_problem *problem,
                                    thud_owned_problem **two_block);

/* ---- the rows of the registry --------------------------------------------------------------------- */

extern const struct thud_solver_method thud_method_auto;
extern const struct thud_solver_method thud_method_gauss_seidel;
extern const struct thud_solver_method thud_method_lemke;
extern const struct thud_solver_method thud_method_projected_gradient;
extern const struct thud_solver_method thud_method_newton;
extern const struct thud_solver_method thud_method_fischer_burmeister;
extern const struct thud_solver_method thud_method_proximal_point;
extern const struct thud_solver_method thud_method_interior_point;
extern const struct thud_solver_method thud_method_accelerated;
extern const struct thud_solver_method thud_method_extragradient;
extern const struct thud_solver_method thud_method_admm;
extern const struct thud_solver_method thud_method_anderson;
extern const struct thud_solver_method thud_method_newton_krylov;

#endif
