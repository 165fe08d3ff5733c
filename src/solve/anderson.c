/* Sweeps of Gauss-Seidel accelerated by Anderson's mixing (Anderson 1965; type II of Fang and Saad, Numer. Linear
 * Algebra Appl. 16, 2009). A sweep maps x to g(x), f(x) = g(x) - x vanishes at solutions. With the last MEMORY
 * differences of f and g as columns of dF and dG,
 *   x+ = g - dG c,   c = argmin |f - dF c|^2 + REGULAR |dF|^2 |c|^2,
 * which is the step of a quasi-Newton method that knows f' from these differences only.
 *
 * Safeguard: what is tested and handed over is g, the result of a sweep, never the mixture. A mixture whose f is longer
 * than GROWN times the shortest one so far is given up: the differences are forgotten and plain sweeps go on from
 * it, the next mixture comes after a new difference. Friction makes f' unsymmetric and kinked; a memory of 3 took fewer
 * sweeps than 5 or 10 on piles of spheres.
 *
 * Where a window of sweeps has not brought the residual down to a fifth, damped momentum (momentum.h) takes the place of
 * the mixture,
 *   x+ = g + beta (g - g_before),
 * and the other way round when that has brought nothing: on large piles momentum goes on where mixing creeps. In the
 * two-block form without joints the sweep keeps g_before by itself (sweep_past.c): nothing is loaded or stored then, and
 * |f| comes with the sweep, so that a sweep with momentum costs hardly more than a plain one. */
#include "solve/first_order.h"
#include "solve/momentum.h"
#include "solve/sweep.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 3, VECTORS = 5 + 2 * MEMORY };
static const double REGULAR = 1e-2; /* part of the mean square length of the differences */
static const double GROWN = 2;
enum { WINDOW = 30 };                        /* sweeps, half as many again after each slow window */
static const double ENOUGH[2] = {0.2, 0.97}; /* what a window must leave of the residual: of mixing, of momentum */
static const double FIRST_DAMPING = 0.05;
enum { TEST_AGAIN = 3 }; /* sweeps from a test to the next one that is not due */

typedef struct anderson {
  thud_form_sweep sweep;
  bool keeps_past; /* the sweep keeps g_before */
  size_t total;    /* impulses r, then l */
  double *memory;  /* of the vectors, [total] each */
  double *x, *g, *f, *g_before, *f_before;
  double *dF[MEMORY], *dG[MEMORY];
} anderson;

/* ---- create, update, destroy --------------------------------------------------------------------------------- */

static void destroy(thud_solver *solver) {
  anderson *state = solver->state;
  thud_form_sweep_destroy(&state->sweep);
  thud_free(solver->context, state->memory);
  thud_free(solver->context, state);
  solver->state = NULL;
}

static thud_error make_vectors(thud_solver *solver, anderson *state) {
  size_t all = 0;
  if (!thud_size_multiply(state->total, VECTORS, &all))
    return thud_fail(solver->context, THUD_ERROR_OVERFLOW, "%d vectors of %zu", (int)VECTORS, state->total);
  state->memory = THUD_NEW_ARRAY(solver->context, double, all);
  if (state->memory == NULL) return THUD_ERROR_MEMORY;
  double **const places[] = {&state->x, &state->g, &state->f, &state->g_before, &state->f_before};
  double *next = state->memory;
  for (size_t k = 0; k < sizeof places / sizeof *places; k++, next += state->total) *places[k] = next;
  for (size_t k = 0; k < MEMORY; k++, next += 2 * state->total) {
    state->dF[k] = next;
    state->dG[k] = next + state->total;
  }
  return THUD_OK;
}

static thud_error create(thud_solver *solver) {
  anderson *state = THUD_NEW(solver->context, anderson);
  if (state == NULL) return THUD_ERROR_MEMORY;
  solver->state = state;
  state->total = solver->size + solver->rows;
  thud_error error = make_vectors(solver, state);
  if (error == THUD_OK) error = thud_form_sweep_create(solver, &state->sweep);
  if (error != THUD_OK) destroy(solver);
  return error;
}

static thud_error update(thud_solver *solver) {
  anderson *state = solver->state;
  state->keeps_past = state->sweep.momentum = state->sweep.two_block != NULL && solver->rows == 0;
  return thud_form_sweep_update(solver, &state->sweep);
}

/* ---- mixing ------------------------------------------------------------------------------------------------------ */

typedef struct mixing {
  int count;       /* differences kept */
  int next;        /* place of the next one */
  bool has_before; /* f_before and g_before are there */
  double shortest; /* |f|^2 */
  bool momentum;   /* instead of mixing */
  thud_momentum damped;
  int looked_at; /* sweep of the last look at the residual */
} mixing;

static void copy(size_t n, const double *from, double *to) {
  if (n > 0) memcpy(to, from, n * sizeof *to);
}

/* g = sweep of x. */
static thud_sweep_result sweep_once(thud_solver *solver, const thud_gauss_seidel_options *options) {
  anderson *state = solver->state;
  double *g = state->g, *l = g + solver->size;
  thud_sweep_result result;
  if (state->sweep.two_block != NULL) {
    thud_two_block_sweep_load(state->sweep.two_block, state->x, state->x + solver->size);
    result = thud_two_block_sweep_run(state->sweep.two_block, options);
    thud_two_block_sweep_store(state->sweep.two_block, g, l);
  } else {
    copy(state->total, state->x, g);
    result = thud_local_sweep_run(state->sweep.local, options, g, l);
  }
  return result;
}

/* The difference to the last sweep takes the place of the oldest. */
static void keep_difference(anderson *state, mixing *at) {
  if (at->has_before) {
    double *dF = state->dF[at->next], *dG = state->dG[at->next];
    for (size_t i = 0; i < state->total; i++) {
      dF[i] = state->f[i] - state->f_before[i];
      dG[i] = state->g[i] - state->g_before[i];
    }
    at->next = (at->next + 1) % MEMORY;
    at->count = at->count < MEMORY ? at->count + 1 : MEMORY;
  }
  copy(state->total, state->f, state->f_before);
  copy(state->total, state->g, state->g_before);
  at->has_before = true;
}

/* c[count]; false when the differences vanish. */
static bool find_coefficients(thud_context *context, const anderson *state, int count, double *c) {
  double gram[MEMORY * MEMORY], mean = 0, pivot;
  thud_index failed;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j <= i; j++)
      gram[i * count + j] = gram[j * count + i] = thud_dot(context, state->total, state->dF[i], state->dF[j]);
    c[i] = thud_dot(context, state->total, state->dF[i], state->f);
    mean += gram[i * count + i] / count;
  }
  for (int i = 0; i < count; i++) gram[i * count + i] += REGULAR * mean;
  if (!(mean > 0) || !thud_cholesky_loops(count, gram, &failed, &pivot)) return false;
  thud_dense_solve_lower(count, gram, false, c);
  thud_dense_solve_lower(count, gram, true, c);
  return true;
}

static void forget(mixing *at) {
  at->count = at->next = 0;
  at->has_before = false;
  at->shortest = INFINITY;
}

/* True while g is in the sweep, and not in state->g. */
static bool is_in_sweep(const anderson *state, const mixing *at) { return at->momentum && state->keeps_past; }

/* beta of the next extrapolation. Where it starts anew, motions of the bodies are made afresh from the impulses. */
static double next_beta(const thud_solver *solver, const anderson *state, mixing *at) {
  int since = solver->iterations - at->looked_at;
  bool looks = solver->tested_at == solver->iterations && since >= THUD_MOMENTUM_LOOK, first = !at->has_before;
  if (looks) at->looked_at = solver->iterations;
  if (looks && thud_momentum_look(&at->damped, since, solver->last_residual)) {
    thud_momentum_restart(&at->damped);
    if (state->keeps_past) thud_two_block_sweep_load(state->sweep.two_block, solver->r, NULL);
  }
  at->has_before = true;
  double beta = thud_momentum_next(&at->damped, true);
  return first ? 0 : beta;
}

/* x = g + beta (g - g_before) */
static void extrapolate(const thud_solver *solver, anderson *state, mixing *at) {
  double beta = next_beta(solver, state, at);
  if (state->keeps_past) {
    thud_two_block_sweep_extrapolate(state->sweep.two_block, beta);
    return;
  }
  if (beta == 0) copy(state->total, state->g, state->g_before);
  for (size_t i = 0; i < state->total; i++) state->x[i] = state->g[i] + beta * (state->g[i] - state->g_before[i]);
  copy(state->total, state->g, state->g_before);
}

/* x from f and g. */
static void mix(thud_context *context, anderson *state, mixing *at) {
  double c[MEMORY], square = thud_dot(context, state->total, state->f, state->f);
  if (square > GROWN * GROWN * at->shortest) forget(at);
  at->shortest = fmin(at->shortest, square);
  keep_difference(state, at);
  copy(state->total, state->g, state->x);
  if (at->count == 0 || !find_coefficients(context, state, at->count, c)) return;
  for (int k = 0; k < at->count; k++)
    for (size_t i = 0; i < state->total; i++) state->x[i] -= c[k] * state->dG[k][i];
}

/* ---- solve -------------------------------------------------------------------------------------------------------- */

static void hand_over(thud_solver *solver, const mixing *at) {
  const anderson *state = solver->state;
  if (is_in_sweep(state, at)) {
    thud_two_block_sweep_store(state->sweep.two_block, solver->r, NULL);
    return;
  }
  copy(solver->size, state->g, solver->r);
  copy(solver->rows, state->g + solver->size, solver->l);
}

/* A test costs about as much as several sweeps: it is made when it is due, and when the length of f, times the ratio of
 * residual to length at the last test, says that the tolerance has been reached. */
static thud_error test(thud_solver *solver, const mixing *at, double length, double *ratio) {
  if (solver->iterations > 1 && !thud_solver_test_is_due(solver) &&
      (solver->iterations < solver->tested_at + TEST_AGAIN || !(*ratio * length <= solver->options.tolerance)))
    return THUD_OK;
  hand_over(solver, at);
  thud_error error = thud_solver_test(solver);
  *ratio = length > 0 ? solver->last_residual / length : INFINITY;
  return error;
}

/* g from x, and |f|. */
static double make_sweep(thud_solver *solver, const mixing *at, const thud_gauss_seidel_options *options,
                         thud_sweep_result *result) {
  anderson *state = solver->state;
  if (is_in_sweep(state, at)) {
    *result = thud_two_block_sweep_run(state->sweep.two_block, options);
    return sqrt(result->change);
  }
  *result = sweep_once(solver, options);
  for (size_t i = 0; i < state->total; i++) state->f[i] = state->g[i] - state->x[i];
  return thud_norm2(solver->context, state->total, state->f);
}

/* From mixing to momentum or back; both go on from g. */
static void change_sides(const thud_solver *solver, anderson *state, mixing *at) {
  if (is_in_sweep(state, at))
    thud_two_block_sweep_store(state->sweep.two_block, state->x, NULL);
  else
    copy(state->total, state->g, state->x);
  at->momentum = !at->momentum;
  at->looked_at = solver->iterations;
  thud_momentum_restart(&at->damped);
  forget(at);
}

static thud_error solve(thud_solver *solver) {
  anderson *state = solver->state;
  const thud_solver_options *options = &solver->options;
  thud_gauss_seidel_options sweep = {.local_solver = (thud_local_solver)options->local_solver,
                                     .relaxation = options->relaxation};
  thud_sweep_result result = {.unsolvable = -1};
  mixing at = {.shortest = INFINITY, .damped = thud_momentum_begin(FIRST_DAMPING)};
  thud_first_order_watch watch = thud_first_order_watch_begin(WINDOW);
  double ratio = INFINITY;
  thud_error error = THUD_OK;
  copy(solver->size, solver->r, state->x);
  copy(solver->rows, solver->l, state->x + solver->size);
  while (error == THUD_OK && thud_solver_goes_on(solver)) {
    sweep.backward = options->order == 2 && solver->iterations % 2 != 0;
    double length = make_sweep(solver, &at, &sweep, &result);
    solver->iterations++;
    solver->contact_visits += (size_t)solver->inner->contacts;
    error = test(solver, &at, length, &ratio);
    watch.best = solver->best_residual;
    bool slow = thud_first_order_watch_is_slow(&watch, ENOUGH[at.momentum]);
    if (slow)
      change_sides(solver, state, &at);
    else if (at.momentum)
      extrapolate(solver, state, &at);
    else
      mix(solver->context, state, &at);
  }
  /* what is in the sweep is not g any more: the one that was tested last stays */
  if (error == THUD_OK && solver->iterations > 0 && solver->tested_at != solver->iterations && !is_in_sweep(state, &at))
    hand_over(solver, &at);
  if (error == THUD_OK) thud_form_sweep_blame(solver, &result);
  return error;
}

const struct thud_solver_method thud_method_anderson = {
    .name = "anderson",
    .summary = "Gauss-Seidel sweeps with Anderson's mixing of the last few; large problems, two-block form without W",
    .accepts = THUD_METHOD_ACCEPTS_ALL,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
