/* Large problems of bodies in the two-block form, before the contest: piles, whose steps follow each other.
 *
 * What rests has u = 0, and impulses inside of the cones are next to the interior path: a few sweeps, else the convex problem that
 * `interior-point` tries first. Sweeps alone end at the edges of the cones, where the next step has to sweep again.
 *
 * What creeps is not monotone (Coulomb's law is not associated): sweeps reach a neighbourhood of the answer and crawl there, where
 * Newton's method in the space of bodies (newton_space.h) converges in some tens of steps, or not at all; then sweeps find it
 * another start. Both take turns, each from the best impulses so far and twice as long as the last one; where a factorisation is dear,
 * sweeps have longer turns before it. */
#include "solve/auto.h"

#include <math.h>

enum {
  LARGE = 64,       /* contacts */
  FEW_SWEEPS = 20,  /* where everything rests, */
  MORE_SWEEPS = 60, /* after steps near the impulses of the start */
  NEAR_STEPS = 4,   /* of the interior point method, from impulses inside of their cones, */
  INNER_STEPS = 25, /* and from others */
  SWEEPS = 250,     /* of the first turn, */
  NEWTON_STEPS = 50,
  TURNS = 5 /* of both */
};
/* Sweeps take at least this part of the work of the Newton steps that follow them. */
static const double SHARE = 0.2;
/* Sweeps come before interior steps where no more than this is asked for. */
static const double MODERATE = 1e-6;
/* Rest: De Saxce's shift of the start is below this part of |q| of approached contacts. */
static const double RESTS = 0.02;
/* A contact is inside its cone when r_T stays below this part of mu r_N; a problem is, when all but this part of its contacts are. */
static const double INSIDE = 0.98, MOST_AT_EDGE = 0.02;

/* How a problem begins, by the impulses of the start. */
typedef struct beginning {
  bool rests, inside;
} beginning;

static double part_length(const double *x, size_t from, size_t end) {
  double length = 0;
  for (size_t i = from; i < end; i++) length = hypot(length, x[i]);
  return length;
}

/* The start has been tested: solver->u are its velocities. */
static beginning look_at_start(const thud_solver *solver) {
  const thud_contact_problem *problem = solver->inner;
  const double *q = thud_contact_evaluator_q(solver->evaluator);
  size_t d = (size_t)problem->dimension, tangents = d == 2 || problem->friction == THUD_FRICTION_PLANE_ROLLING ? 2 : 3;
  double shifts = 0, approached = 0;
  thud_index at_edge = 0;
  for (thud_index k = 0; k < problem->contacts; k++) {
    const double *r = solver->r + (size_t)k * d, *load = q + (size_t)k * d;
    double shift = 0, size = load[0] < 0 ? part_length(load, 0, d) : 0;
    thud_contact_shift(problem, k, solver->u + (size_t)k * d, &shift);
    shifts += shift * shift;
    approached += size * size;
    if (!(part_length(r, 1, tangents < d ? tangents : d) < INSIDE * problem->mu[k] * r[0])) at_edge++;
  }
  return (beginning){.rests = sqrt(shifts) <= RESTS * sqrt(approached),
                     .inside = (double)at_edge <= MOST_AT_EDGE * (double)problem->contacts};
}

static bool is_over(const thud_solver *solver, thud_error error) { return error != THUD_OK || solver->stopped; }

static thud_error try_rest(thud_solver *solver, thud_auto *state, bool inside) {
  bool moderate = solver->options.tolerance >= MODERATE;
  thud_error error = moderate ? thud_auto_run_some(solver, state, THUD_AUTO_ANDERSON, FEW_SWEEPS) : THUD_OK;
  if (!is_over(solver, error) && inside)
    error = thud_auto_run_some(solver, state, THUD_AUTO_INTERIOR_POINT, NEAR_STEPS);
  if (!is_over(solver, error) && moderate) error = thud_auto_run_some(solver, state, THUD_AUTO_ANDERSON, MORE_SWEEPS);
  if (!is_over(solver, error)) error = thud_auto_run_some(solver, state, THUD_AUTO_INTERIOR_POINT, INNER_STEPS);
  return error;
}

/* Sweeps of turn k before Newton steps beyond those that it has had. */
static int more_sweeps(thud_solver *solver, thud_auto *state, int k) {
  double newton = thud_auto_newton_work(solver, state), sweep = state->contenders[THUD_AUTO_ANDERSON].cost.step;
  double wanted = ldexp(SHARE * NEWTON_STEPS * newton / sweep - SWEEPS, k);
  return wanted >= 1 ? (int)fmin(wanted, solver->options.max_iterations) : 0;
}

/* Sweeps, then Newton steps. */
static thud_error take_turns(thud_solver *solver, thud_auto *state, int k) {
  thud_error error = thud_auto_run_some(solver, state, THUD_AUTO_ANDERSON, SWEEPS << k);
  int more = is_over(solver, error) ? 0 : more_sweeps(solver, state, k);
  if (more > 0) error = thud_auto_run_some(solver, state, THUD_AUTO_ANDERSON, more);
  return is_over(solver, error) ? error : thud_auto_run_some(solver, state, THUD_AUTO_NEWTON, NEWTON_STEPS << k);
}

thud_error thud_auto_try_bodies(thud_solver *solver, thud_auto *state) {
  thud_error error = THUD_OK;
  if (!state->in_bodies || solver->inner->contacts < LARGE || solver->inner->dimension < 2 ||
      solver->inner->laws != NULL)
    return THUD_OK;
  beginning start = look_at_start(solver);
  if (start.rests) error = try_rest(solver, state, start.inside);
  if (!is_over(solver, error)) thud_auto_estimate(solver, state);
  for (int k = 0; k < TURNS && !is_over(solver, error); k++) error = take_turns(solver, state, k);
  return error;
}
