/* Nonsmooth Gauss-Seidel: every contact in turn is solved exactly while the others are held fixed (Jean and Moreau
 * 1992, Jourdan, Alart and Jean 1998). The local form is swept by block rows of W; the two-block form without W. */
#include "solve/sweep.h"

#include <math.h>

static thud_error create(thud_solver *solver) {
  thud_form_sweep *state = THUD_NEW(solver->context, thud_form_sweep);
  if (state == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_form_sweep_create(solver, state);
  if (error == THUD_OK)
    solver->state = state;
  else
    thud_free(solver->context, state);
  return error;
}

static thud_error update(thud_solver *solver) { return thud_form_sweep_update(solver, solver->state); }

static void destroy(thud_solver *solver) {
  thud_form_sweep_destroy(solver->state);
  thud_free(solver->context, solver->state);
}

/* The velocities of the two-block sweep are summed up change by change: they are made afresh from r this often. */
enum { REFRESH_TESTS = 10 };

/* A test costs about as much as a sweep, and the residual goes with the change that a sweep makes: their ratio at the
 * last test shows when the next one is likely to succeed. Tests are made then, after the first sweep (for the ratio),
 * at every check_every sweeps, and where the change has become as small as the tolerance whatever the ratio was. */
typedef struct test_schedule {
  double ratio;     /* residual / |change| at the last test, INFINITY before */
  double threshold; /* on |change| / |r|: falls each time that it proves to be too early */
} test_schedule;

static const double EARLY_REDUCTION = 0.1;

static bool test_pays(const thud_solver *solver, test_schedule *schedule, const thud_sweep_result *result) {
  if (solver->iterations == 1 || thud_solver_test_is_due(solver)) return true;
  if (schedule->ratio * sqrt(result->change) <= solver->options.tolerance) return true;
  if (!(result->change <= schedule->threshold * schedule->threshold * result->square)) return false;
  schedule->threshold *= EARLY_REDUCTION;
  return true;
}

static thud_error test(thud_solver *solver) {
  thud_form_sweep *state = solver->state;
  if (state->two_block != NULL) thud_two_block_sweep_store(state->two_block, solver->r, solver->l);
  thud_error error = thud_solver_test(solver);
  if (error == THUD_OK && state->two_block != NULL && solver->history_count % REFRESH_TESTS == 0)
    thud_two_block_sweep_load(state->two_block, solver->r, solver->l);
  return error;
}

/* With friction the sweeps can end in a cycle, which damping breaks, and damping can crawl where plain sweeps do not:
 * after STAGE_TESTS tests without progress the relaxation takes its next value. */
enum { STAGE_TESTS = 100, STAGES = 5 };
static const double stage_relaxation[STAGES] = {1, 0.5, 1, 0.25, 1};

typedef struct damping {
  size_t since; /* test of the last progress or of the start of the stage */
  int stage;
} damping;

static double damped_relaxation(const thud_solver *solver, damping *state) {
  if (solver->stall_test > state->since) state->since = solver->stall_test;
  if (solver->history_count >= state->since + STAGE_TESTS && state->stage + 1 < STAGES) {
    state->stage++;
    state->since = solver->history_count;
  }
  return solver->options.relaxation * stage_relaxation[state->stage];
}

static thud_error solve(thud_solver *solver) {
  thud_form_sweep *state = solver->state;
  const thud_solver_options *options = &solver->options;
  thud_gauss_seidel_options sweep = {.local_solver = (thud_local_solver)options->local_solver,
                                     .relaxation = options->relaxation};
  thud_sweep_result result = {.unsolvable = -1};
  test_schedule schedule = {.ratio = INFINITY, .threshold = options->tolerance};
  thud_error error = THUD_OK;
  damping damped = {0};
  if (state->two_block != NULL) thud_two_block_sweep_load(state->two_block, solver->r, solver->l);
  while (error == THUD_OK && thud_solver_goes_on(solver)) {
    sweep.backward = options->order == 2 && solver->iterations % 2 != 0;
    if (state->two_block != NULL)
      result = thud_two_block_sweep_run(state->two_block, &sweep);
    else
      result = thud_local_sweep_run(state->local, &sweep, solver->r, solver->l);
    solver->iterations++;
    solver->contact_visits += (size_t)solver->inner->contacts;
    if (test_pays(solver, &schedule, &result)) {
      error = test(solver);
      schedule.ratio = result.change > 0 ? solver->last_residual / sqrt(result.change) : INFINITY;
    }
    sweep.relaxation = damped_relaxation(solver, &damped);
  }
  if (error == THUD_OK && solver->tested_at != solver->iterations) error = test(solver);
  if (error == THUD_OK) thud_form_sweep_blame(solver, &result);
  return error;
}

const struct thud_solver_method thud_method_gauss_seidel = {
    .name = "gauss-seidel",
    .summary = "nonsmooth Gauss-Seidel with exact one-contact solvers; two-block form without assembling W",
    .accepts = THUD_METHOD_ACCEPTS_ALL,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
