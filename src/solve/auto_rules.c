/* When `auto` leaves a method. Everything here is counted, nothing is timed: the same problem goes through the same
 * methods on every machine. The constants were chosen on the sample problems that docs/methods/auto.md names. */
#include "solve/auto.h"
#include "contact/discs.h"
#include "solve/newton.h"

#include <limits.h>
#include <math.h>

/* ---- work ---------------------------------------------------------------------------------------------------------
 */

/* Operations that the solution of one contact takes, counted at the speed of products and
 * factorisations: branches, roots and divisions make them several times slower than their number. */
static double contact_cost(const thud_disc_layout *layout) {
  if (layout->count == 0) return 100;
  if (layout->count > 1) return 140.0 * (double)layout->dimension * (double)layout->dimension;
  return thud_disc_layout_is_plane(layout) ? 350 : 1000;
}

/* A step of Newton costs a factorisation and about this many sweeps for the rest of it. */
static const double STEP_SWEEPS = 8;
/* A sparse factorisation in sweeps: its fill is not known beforehand. Contacts in the plane fill little; in space the
 * fill grows with the number of unknowns, here in units of SPARSE_UNKNOWNS. */
static const double SPARSE_SWEEPS = 50, SPARSE_UNKNOWNS = 1000;
/* Steps of Newton and of accelerated gradients that a prediction allows for. */
static const double STEPS_EXPECTED = 10, GRADIENTS_EXPECTED = 200;
/* Sweeps in one factorisation from which methods without factors come first, on problems that are not small. */
static const double DEAR = 150;

static double sparse_sweeps(const thud_contact_problem *problem, double n) {
  bool plane = thud_disc_layout_of(problem->dimension, problem->friction)->width[0] == 1;
  return plane ? SPARSE_SWEEPS : SPARSE_SWEEPS * fmax(1, n / SPARSE_UNKNOWNS);
}

void thud_auto_estimate(const thud_contact_problem *problem, thud_auto *state) {
  double d = (double)problem->dimension, contacts = (double)problem->contacts;
  double n = d * contacts + (double)problem->bilateral, share = 0;
  double sweep = contacts * contact_cost(thud_disc_layout_of(problem->dimension, problem->friction));
  if (problem->form == THUD_FORM_TWO_BLOCK) {
    sweep += 8 * contacts * d * (double)problem->two_block.block;
  } else if (problem->W.storage == THUD_MATRIX_OPERATOR) {
    sweep += 2 * d * d * contacts; /* what a product costs is not known */
  } else if (contacts > 0) {
    double blocks = (double)thud_local_sweep_blocks(state->sweep).row_start[problem->contacts] + contacts;
    share = blocks / (contacts * contacts);
    sweep += 2 * d * d * blocks;
  }
  bool dense = n <= THUD_NEWTON_SPARSE_FROM || (share > THUD_NEWTON_SPARSE_SHARE && n <= THUD_NEWTON_DENSE_MAX);
  double factor = dense ? 2.0 / 3 * n * n * n : sparse_sweeps(problem, n) * sweep;
  state->costs = (thud_auto_costs){.sweep = sweep, .newton_step = factor + STEP_SWEEPS * sweep};
  bool large = n > THUD_NEWTON_SPARSE_FROM;
  state->factors_are_dear = (large && factor > DEAR * sweep) || !thud_newton_takes(problem) || problem->laws != NULL ||
                            problem->W.storage == THUD_MATRIX_OPERATOR;
}

const thud_auto_family *thud_auto_order(const thud_auto *state) {
  static const thud_auto_family usual[THUD_AUTO_FAMILIES] = {
      THUD_AUTO_GAUSS_SEIDEL,   THUD_AUTO_NEWTON,      THUD_AUTO_LEMKE,
      THUD_AUTO_INTERIOR_POINT, THUD_AUTO_ACCELERATED, THUD_AUTO_FISCHER_BURMEISTER,
      THUD_AUTO_PROXIMAL_POINT, THUD_AUTO_ADMM,        THUD_AUTO_EXTRAGRADIENT};
  static const thud_auto_family without_factors_first[THUD_AUTO_FAMILIES] = {
      THUD_AUTO_GAUSS_SEIDEL,   THUD_AUTO_ACCELERATED,        THUD_AUTO_ADMM,
      THUD_AUTO_EXTRAGRADIENT,  THUD_AUTO_INTERIOR_POINT,     THUD_AUTO_NEWTON,
      THUD_AUTO_PROXIMAL_POINT, THUD_AUTO_FISCHER_BURMEISTER, THUD_AUTO_LEMKE};
  return state->factors_are_dear ? without_factors_first : usual;
}

double thud_auto_iteration_cost(const thud_auto *state, thud_auto_family family) {
  switch (family) {
  case THUD_AUTO_GAUSS_SEIDEL: return state->costs.sweep;
  case THUD_AUTO_NEWTON:
  case THUD_AUTO_FISCHER_BURMEISTER:
  case THUD_AUTO_PROXIMAL_POINT: return state->costs.newton_step;
  case THUD_AUTO_INTERIOR_POINT: return 2 * state->costs.newton_step;
  case THUD_AUTO_EXTRAGRADIENT: return 2 * state->costs.sweep;
  case THUD_AUTO_ADMM: return 3 * state->costs.sweep;
  default: return state->costs.sweep;
  }
}

/* ---- patience ---------------------------------------------------------------------------------------------------- */

/* Iterations in which the best residual must halve, in the first round; each later round has PATIENCE_GROWTH times as
 * many. */
static int patience_of(thud_auto_family family) {
  switch (family) {
  case THUD_AUTO_ACCELERATED: return 1000;
  case THUD_AUTO_NEWTON:
  case THUD_AUTO_FISCHER_BURMEISTER: return 40;
  case THUD_AUTO_INTERIOR_POINT: return 160; /* its residual falls at the end of a path only */
  case THUD_AUTO_PROXIMAL_POINT: return 240;
  case THUD_AUTO_LEMKE: return INT_MAX;
  default: return 500;
  }
}
static const double PATIENCE_GROWTH = 3;

/* Sweeps at the first look, from which the second one, at twice as many, takes the first rate; and so on. */
enum { FIRST_LOOK = 8 };
/* |r| that grows by this factor while the sweeps double, with a residual that does not fall below STUCK of what it was,
 * GROWING_LOOKS times in a row: impulses without end. */
static const double GROWTH = 1.7, STUCK = 0.8;
enum { GROWING_LOOKS = 3 };

void thud_auto_watch_begin(const thud_solver *solver, thud_auto *state, thud_auto_family family, int round) {
  state->watch = (thud_auto_watch){.family = family,
                                   .round = round,
                                   .mark = solver->best_residual,
                                   .looked = solver->best_residual,
                                   .look_at = FIRST_LOOK};
}

bool thud_auto_blows_up(const thud_auto *state) { return state->watch.growing >= GROWING_LOOKS; }

static double length_of(const thud_solver *solver) {
  double sum = 0;
  for (size_t i = 0; i < solver->size; i++) sum += solver->r[i] * solver->r[i];
  return sqrt(sum);
}

/* Sweeps that are still ahead, from the fall of the residual from e_j at sweep j to e at sweep k: between what a
 * geometric law says, e_k = c rho^k, which the first sweeps promise and hyperstatic problems do not keep, and what a
 * power law says, e_k = c k^-p; weighted 2 to 1 in logarithms. INFINITY when the residual has not fallen. */
static double sweeps_ahead(const thud_solver *solver, const thud_auto_watch *watch) {
  double k = solver->iterations, j = watch->looked_at, fallen = log(watch->looked / solver->last_residual);
  double wanted = log(solver->last_residual / solver->options.tolerance);
  if (!(fallen > 0)) return INFINITY;
  double geometric = (k - j) * wanted / fallen;
  double power = k * expm1(wanted * log(k / j) / fallen);
  return exp((2 * log(geometric) + log(power)) / 3);
}

/* A look at the rate of the sweeps: true when Newton is likely to need less work than what lies ahead of them. */
static bool sweeps_do_not_pay(const thud_solver *solver, thud_auto *state) {
  thud_auto_watch *watch = &state->watch;
  if (solver->tested_at != solver->iterations || solver->iterations < watch->look_at) return false;
  double ahead = watch->looked_at > 0 ? sweeps_ahead(solver, watch) : 0, length = length_of(solver);
  bool grows = watch->length > 0 && length > GROWTH * watch->length && solver->last_residual > STUCK * watch->looked;
  watch->growing = grows ? watch->growing + 1 : 0;
  watch->looked = solver->last_residual;
  watch->looked_at = solver->iterations;
  watch->look_at = 2 * solver->iterations;
  watch->length = length;
  if (thud_auto_blows_up(state)) {
    watch->reason = "impulses grow without end";
    return true;
  }
  double other =
      state->factors_are_dear ? GRADIENTS_EXPECTED * state->costs.sweep : STEPS_EXPECTED * state->costs.newton_step;
  if (watch->round > 0 || !(ahead * state->costs.sweep > other)) return false;
  watch->reason =
      state->factors_are_dear ? "more sweeps cost more than gradients" : "more sweeps cost more than Newton";
  return true;
}

bool thud_auto_leaves(const thud_solver *solver, thud_auto *state) {
  thud_auto_watch *watch = &state->watch;
  if (solver->best_residual < watch->mark / 2) {
    watch->mark = solver->best_residual;
    watch->marked_at = solver->iterations;
  }
  double patience = patience_of(watch->family) * pow(PATIENCE_GROWTH, watch->round);
  if (solver->iterations - watch->marked_at > patience) {
    watch->reason = "the residual has not halved for long";
    return true;
  }
  return watch->family == THUD_AUTO_GAUSS_SEIDEL && sweeps_do_not_pay(solver, state);
}
