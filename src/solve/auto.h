/* What the files of `auto` share: its methods and forms (auto.c), when a method is left (auto_rules.c), what is said of
 * problems that were not solved (auto_findings.c). */
#ifndef THUD_SRC_SOLVE_AUTO_H
#define THUD_SRC_SOLVE_AUTO_H

#include "solve/certificate.h"
#include "solve/sweep.h"

/* The methods that get a turn. */
typedef enum thud_auto_family {
  THUD_AUTO_GAUSS_SEIDEL,
  THUD_AUTO_NEWTON,
  THUD_AUTO_LEMKE,
  THUD_AUTO_ACCELERATED,
  THUD_AUTO_FISCHER_BURMEISTER,
  THUD_AUTO_INTERIOR_POINT,
  THUD_AUTO_PROXIMAL_POINT,
  THUD_AUTO_ADMM,
  THUD_AUTO_EXTRAGRADIENT,
  THUD_AUTO_FAMILIES
} thud_auto_family;

/* Floating-point operations of one iteration, by fixed estimates. */
typedef struct thud_auto_costs {
  double sweep, newton_step;
} thud_auto_costs;

/* What the rules look at while a method has its turn. */
typedef struct thud_auto_watch {
  thud_auto_family family;
  int round;          /* 0, 1, ...: patience grows with it */
  double mark;        /* best residual when it last halved, */
  int marked_at;      /* and the iteration */
  int look_at;        /* sweeps: the next look at their rate, */
  double looked;      /* residual at the last one, */
  int looked_at;      /* and its iteration */
  double length;      /* |r| there */
  int growing;        /* looks in a row at which |r| grew like the number of sweeps */
  const char *reason; /* why it was left, NULL: it left by itself */
} thud_auto_watch;

typedef struct thud_auto {
  void *states[THUD_AUTO_FAMILIES];  /* solver->state of each, NULL: not yet needed */
  bool current[THUD_AUTO_FAMILIES];  /* it has the numbers of the last update */
  thud_owned_problem *local_owned;   /* local form of a two-block problem, made when needed */
  const thud_contact_problem *local; /* it, or the inner problem where that is local; NULL: to be made */
  thud_local_sweep *sweep;           /* block rows of `local` */
  bool sweep_current;
  bool asymmetric, symmetry_known;
  bool factors_are_dear; /* a factorisation costs so much that methods without one come first */
  thud_auto_costs costs;
  thud_auto_watch watch;
  thud_certificate_finder *finder; /* NULL: not yet needed */
} thud_auto;

/* ---- rules ---------------------------------------------------------------------------------------------------- */

/* The methods in the order in which they get their turn. */
const thud_auto_family *thud_auto_order(const thud_auto *state);
/* Sets the costs of iterations from sizes and sparsity. */
void thud_auto_estimate(const thud_contact_problem *problem, thud_auto *state);
double thud_auto_iteration_cost(const thud_auto *state, thud_auto_family family);
void thud_auto_watch_begin(const thud_solver *solver, thud_auto *state, thud_auto_family family, int round);
/* Whether the method that has its turn is to be left; sets watch.reason. */
bool thud_auto_leaves(const thud_solver *solver, thud_auto *state);
/* Impulses grow without end: there may be no solution. */
bool thud_auto_blows_up(const thud_auto *state);

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* Fills solver->worst and solver->why for a best iterate that is not a solution. */
thud_error thud_auto_explain(thud_solver *solver, thud_auto *state);

#endif
