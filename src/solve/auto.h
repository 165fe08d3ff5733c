/* What the files of `auto` share: doors that small problems leave by (auto_doors.c), large problems of bodies (auto_bodies.c), methods and forms (auto.c), what
 * their work costs (auto_work.c), who is next and when a method is left (auto_contest.c), what is said of problems that
 * were not solved (auto_findings.c). */
#ifndef THUD_SRC_SOLVE_AUTO_H
#define THUD_SRC_SOLVE_AUTO_H

#include "solve/certificate.h"
#include "solve/sweep.h"

/* The methods that compete; where two keys are equal the first one is taken. */
typedef enum thud_auto_family {
  THUD_AUTO_ANDERSON, /* the sweeps of the contest */
  THUD_AUTO_NEWTON,
  THUD_AUTO_INTERIOR_POINT,
  THUD_AUTO_ACCELERATED,
  THUD_AUTO_ADMM,
  THUD_AUTO_FISCHER_BURMEISTER,
  THUD_AUTO_LEMKE,
  THUD_AUTO_PROXIMAL_POINT,
  THUD_AUTO_EXTRAGRADIENT,
  THUD_AUTO_NEWTON_KRYLOV,
  THUD_AUTO_FAMILIES
} thud_auto_family;

/* Work in units of about a nanosecond of one core, by fixed estimates: of setting a method up, of one of its
 * iterations, and how many it usually takes for the tolerance. */
typedef struct thud_auto_cost {
  double setup, step, usual;
} thud_auto_cost;

/* One method in the contest. */
typedef struct thud_auto_contender {
  thud_auto_cost cost;
  bool takes_part; /* it takes the problem, and has not ended by itself for good */
  bool is_ready;   /* set up for the present numbers: its next turn does not pay for that */
  int turns;       /* that it has had, */
  int failures;    /* those among them that it ended by itself without a solution, */
  int doublings;   /* and of its budget */
  int idle;        /* looks in a row at which its rate has brought nothing */
  double budget;   /* work of its next turn without the set-up */
  double spent;    /* in the turns that it has had */
  double ahead;    /* work that its rate says is still ahead of it, INFINITY: no rate is known or it does not fall */
} thud_auto_contender;

/* What is looked at while a method has its turn. */
typedef struct thud_auto_watch {
  thud_auto_family family;
  double limit;       /* work of this turn at most */
  double looked;      /* best residual at the last look at the rate, or late in the turn of a method without one, */
  int looked_at;      /* and its iteration */
  int extensions;     /* of the turn of a method without a rate */
  double length;      /* |r| there */
  int growing;        /* looks in a row at which |r| grew like the number of sweeps */
  const char *reason; /* why it was left, NULL: it left by itself */
} thud_auto_watch;

typedef struct thud_auto {
  void *states[THUD_AUTO_FAMILIES];  /* solver->state of each, NULL: not yet needed */
  bool current[THUD_AUTO_FAMILIES];  /* it has the numbers of the last update */
  thud_owned_problem *local_owned;   /* local form by blocks, made when needed */
  const thud_contact_problem *local; /* it, or the inner problem where that will do; NULL: to be made */
  thud_contact_evaluator *tests;     /* evaluator of local_owned */
  bool tests_current;
  thud_local_sweep *sweep; /* block rows of `local` */
  bool sweep_current;
  bool in_bodies;      /* Newton's methods work in the space of bodies */
  bool symmetry_known; /* in the present solve */
  thud_index *degree;  /* [bodies] scratch of the estimates */
  size_t degree_capacity;
  double *start_r; /* [size+rows] impulses r, then l, that the solve began with */
  size_t start_capacity;
  thud_auto_contender contenders[THUD_AUTO_FAMILIES];
  thud_auto_watch watch;
  int most, length;                /* iterations of a turn outside of the contest, and those that it was given first */
  thud_certificate_finder *finder; /* NULL: not yet needed */
} thud_auto;

/* ---- doors ------------------------------------------------------------------------------------------------------ */

/* Tries what costs next to nothing on the local form as it was given: one sweep, and the modes of two contacts in the
 * plane. The front end has tested the start. */
thud_error thud_auto_try_doors(thud_solver *solver);

/* ---- bodies ------------------------------------------------------------------------------------------------------- */

/* Large two-block problems: what rests, and turns of sweeps and Newton steps. */
thud_error thud_auto_try_bodies(thud_solver *solver, thud_auto *state);
/* Work of a Newton step in the space of bodies, with its factorisation as it is; 0: it cannot be set up. */
double thud_auto_newton_work(thud_solver *solver, thud_auto *state);
/* At most so many iterations of a method from the best iterate, outside of the contest. solver->stopped: there is a verdict. */
thud_error thud_auto_run_some(thud_solver *solver, thud_auto *state, thud_auto_family family, int most);

/* ---- work --------------------------------------------------------------------------------------------------------- */

/* Sets the cost of every contender from sizes, sparsity and tolerance. */
void thud_auto_estimate(const thud_solver *solver, thud_auto *state);

/* ---- contest ------------------------------------------------------------------------------------------------------ */

/* Methods whose residual falls step by step, so that a rate says something; Newton, pivots and interior points are flat
 * until they finish. */
bool thud_auto_has_rate(thud_auto_family family);
/* Every method that takes part is where it was before its first turn. */
void thud_auto_contest_begin(thud_auto *state);
/* The method whose next turn costs least; false when none is left. */
bool thud_auto_contest_next(const thud_auto *state, thud_auto_family *family);
void thud_auto_watch_begin(const thud_solver *solver, thud_auto *state, thud_auto_family family);
/* Whether the work of the turn is used up. */
bool thud_auto_turn_is_over(const thud_solver *solver, thud_auto *state);
/* Whether the method whose turn is over is to be left; sets watch.reason. */
bool thud_auto_leaves(const thud_solver *solver, thud_auto *state);
/* Iterations that are still ahead by the rate since the last look; INFINITY: the residual does not fall. */
double thud_auto_steps_ahead(const thud_solver *solver, const thud_auto_watch *watch);
/* Books a turn that ended. */
void thud_auto_contest_note(const thud_solver *solver, thud_auto *state, thud_auto_family family);
/* Turns that every method in the contest has had. */
int thud_auto_contest_rounds(const thud_auto *state);
/* Impulses grow without end: there may be no solution. */
bool thud_auto_blows_up(const thud_auto *state);

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* Fills solver->worst and solver->why for a best iterate that is not a solution. */
thud_error thud_auto_explain(thud_solver *solver, thud_auto *state);

#endif
