/* Who is next. Every method has a budget of work for its next turn, at first what it usually takes for the whole
 * problem, twice as much after each turn: the one whose turn costs least is next. Where rates are known (sweeps,
 * gradients) the work that they say is ahead stands in the place of the budget, but never more than DELAY budgets: a
 * poor start delays a method and starves none. A method whose budget is used up goes on while it would be chosen
 * again, without a new start. */
#include "solve/auto.h"

#include <math.h>

/* A rate that promises nothing counts as this many budgets. */
static const double DELAY = 10;
/* How much of the usual work a method without a rate may use in its first turn. */
static double slack_of(thud_auto_family family) {
  switch (family) {
  case THUD_AUTO_NEWTON: return 1.2;
  case THUD_AUTO_INTERIOR_POINT: return 2.1;
  default: return 1;
  }
}
/* Budgets double so many times at most: sweeps begin with few. A method that ends by itself gets another turn, from the
 * start of the solve, before it is out. */
enum { DOUBLINGS = 4, DOUBLINGS_OF_SWEEPS = 10, FAILURES = 2 };
/* However good its rate is, a method that has used this many times what another one costs waits for it. */
static const double HEDGE = 2;
/* Looks in a row without a fall of the residual, at twice as many iterations each, after which a method is out. */
enum { IDLE_LOOKS = 4 };
/* What sweeps say of gradients is believed up to this factor. */
static const double LEEWAY = 2.3;
/* |r| that grows by this factor while the sweeps double, with a residual that does not fall below STUCK of what it was,
 * GROWING_LOOKS times in a row: impulses without end. */
static const double GROWTH = 1.7, STUCK = 0.8;
enum { GROWING_LOOKS = 3 };

bool thud_auto_has_rate(thud_auto_family family) {
  return family == THUD_AUTO_ANDERSON || family == THUD_AUTO_ACCELERATED || family == THUD_AUTO_ADMM ||
         family == THUD_AUTO_EXTRAGRADIENT;
}

static bool is_exhausted(const thud_auto_contender *it, int family) {
  return it->doublings > (family == THUD_AUTO_ANDERSON ? DOUBLINGS_OF_SWEEPS : DOUBLINGS);
}

void thud_auto_contest_begin(thud_auto *state) {
  for (int k = 0; k < THUD_AUTO_FAMILIES; k++) {
    thud_auto_contender *it = &state->contenders[k];
    it->turns = it->doublings = it->failures = it->idle = 0;
    it->is_ready = false;
    it->spent = 0;
    it->budget = it->cost.usual * it->cost.step;
    it->ahead = NAN;
  }
}

/* What the next turn costs: its budget, or the work that lies ahead by the rate of the last turn. */
static double key_of(const thud_auto_contender *it) {
  double setup = it->is_ready ? 0 : it->cost.setup;
  double work = isnan(it->ahead) ? it->budget : fmin(it->ahead, DELAY * it->budget);
  return fmax(setup + work, it->spent / HEDGE);
}

/* The least key of all but one (THUD_AUTO_FAMILIES: of all). */
static double least_key(const thud_auto *state, thud_auto_family without, thud_auto_family *family) {
  double least = INFINITY;
  for (int k = 0; k < THUD_AUTO_FAMILIES; k++) {
    const thud_auto_contender *it = &state->contenders[k];
    if (!it->takes_part || is_exhausted(it, k) || k == (int)without || !(key_of(it) < least)) continue;
    least = key_of(it);
    *family = (thud_auto_family)k;
  }
  return least;
}

bool thud_auto_contest_next(const thud_auto *state, thud_auto_family *family) {
  const thud_auto_contender *sweeps = &state->contenders[THUD_AUTO_ANDERSON];
  *family = THUD_AUTO_ANDERSON;
  if (sweeps->takes_part && sweeps->turns == 0 && sweeps->cost.setup == 0) return true; /* nothing is to be set up */
  return isfinite(least_key(state, THUD_AUTO_FAMILIES, family));
}

int thud_auto_contest_rounds(const thud_auto *state) {
  int least = DOUBLINGS;
  for (int k = 0; k < THUD_AUTO_FAMILIES; k++)
    if (state->contenders[k].takes_part && state->contenders[k].turns < least) least = state->contenders[k].turns;
  return least;
}

bool thud_auto_blows_up(const thud_auto *state) { return state->watch.growing >= GROWING_LOOKS; }

/* Gradients feel the condition of W as accelerated sweeps do: where g of these are needed, about `share` g of them are.
 * Methods that have not had a turn are given a budget by that, within LEEWAY of the usual. */
static void expect_gradients(thud_auto *state, double sweeps) {
  static const struct {
    thud_auto_family family;
    double share;
  } rows[] = {{THUD_AUTO_ACCELERATED, 3}, {THUD_AUTO_ADMM, 5}, {THUD_AUTO_EXTRAGRADIENT, 60}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    thud_auto_contender *it = &state->contenders[rows[k].family];
    if (it->turns > 0) continue;
    double steps = fmin(fmax(rows[k].share * sweeps, it->cost.usual / LEEWAY), it->cost.usual * LEEWAY);
    it->budget = it->cost.step * steps;
  }
}

void thud_auto_watch_begin(const thud_solver *solver, thud_auto *state, thud_auto_family family) {
  state->watch = (thud_auto_watch){
      .family = family, .limit = state->contenders[family].budget * slack_of(family), .looked = solver->best_residual};
}

/* Iterations that are still ahead when the residual goes on falling as it has since iteration j: with e_k = c rho^k,
 *   (k - j) log(e_k / tolerance) / log(e_j / e_k).
 * INFINITY when it has not fallen. */
double thud_auto_steps_ahead(const thud_solver *solver, const thud_auto_watch *watch) {
  double fallen = log(watch->looked / solver->best_residual);
  double wanted = log(solver->best_residual / solver->options.tolerance);
  return fallen > 0 ? (solver->iterations - watch->looked_at) * wanted / fallen : INFINITY;
}

/* Notes the rate since the last look, and whether the impulses grow without end. */
static void look(const thud_solver *solver, thud_auto *state) {
  thud_auto_watch *watch = &state->watch;
  thud_auto_contender *it = &state->contenders[watch->family];
  double length = watch->family == THUD_AUTO_ANDERSON ? thud_norm2(solver->context, solver->size, solver->r) : 0;
  bool grows = watch->length > 0 && length > GROWTH * watch->length && solver->last_residual > STUCK * watch->looked;
  double steps = thud_auto_steps_ahead(solver, watch);
  it->ahead = it->cost.step * steps;
  it->idle = isfinite(steps) ? 0 : it->idle + 1;
  if (watch->family == THUD_AUTO_ANDERSON) expect_gradients(state, solver->iterations + steps);
  watch->growing = grows ? watch->growing + 1 : 0;
  watch->looked = solver->best_residual;
  watch->looked_at = solver->iterations;
  watch->length = length;
}

/* A turn of a method without a rate is made longer, a few times, when it is about to finish: the best residual has fallen
 * to FINISHING of what it was late in the turn. */
static const double LATE = 0.66, FINISHING = 0.1, LONGER = 1.5;
enum { EXTENSIONS = 6 };

static double spent_in_turn(const thud_solver *solver, const thud_auto *state) {
  return state->contenders[state->watch.family].cost.step * solver->iterations;
}

/* Rates are known at tests, and the next one is not far. */
bool thud_auto_turn_is_over(const thud_solver *solver, thud_auto *state) {
  thud_auto_watch *watch = &state->watch;
  double spent = spent_in_turn(solver, state);
  if (thud_auto_has_rate(watch->family)) return spent >= watch->limit && solver->tested_at == solver->iterations;
  if (spent < LATE * watch->limit) watch->looked = solver->best_residual;
  return spent >= watch->limit;
}

static bool is_finishing(const thud_solver *solver, thud_auto_watch *watch) {
  if (watch->extensions == EXTENSIONS || !(solver->best_residual < FINISHING * watch->looked)) return false;
  watch->extensions++;
  watch->limit *= LONGER;
  return true;
}

bool thud_auto_leaves(const thud_solver *solver, thud_auto *state) {
  thud_auto_watch *watch = &state->watch;
  thud_auto_contender *it = &state->contenders[watch->family];
  thud_auto_family other = THUD_AUTO_FAMILIES;
  if (thud_auto_has_rate(watch->family))
    look(solver, state);
  else if (is_finishing(solver, watch))
    return false;
  if (thud_auto_blows_up(state) || it->idle >= IDLE_LOOKS) {
    watch->reason = it->idle >= IDLE_LOOKS ? "no progress any more" : "impulses grow without end";
    return true;
  }
  it->budget = thud_auto_has_rate(watch->family) ? watch->limit : 2 * it->budget; /* as much again, twice as much */
  it->doublings++;
  thud_auto_contender now = *it;
  now.spent += spent_in_turn(solver, state);
  if (!is_exhausted(it, (int)watch->family) && key_of(&now) <= least_key(state, watch->family, &other)) {
    watch->limit += it->budget;
    return false;
  }
  watch->reason = "its share of the work is used up";
  return true;
}

void thud_auto_contest_note(const thud_solver *solver, thud_auto *state, thud_auto_family family) {
  thud_auto_contender *it = &state->contenders[family];
  it->turns++;
  it->spent += it->cost.step * solver->iterations;
  if (it->idle >= IDLE_LOOKS) it->takes_part = false;
  if (state->watch.reason != NULL) return; /* the budget was set when it was left */
  it->doublings++;
  it->budget *= 2;
  it->failures++;
  it->takes_part = it->failures < FAILURES && family != THUD_AUTO_LEMKE;
}
