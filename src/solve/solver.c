/* The front end of all solvers: life cycle, tests of the residual, verdict. See method.h. */
#include "base/base.h"
#include "solve/certificate.h"
#include "solve/method.h"
#include "contact/evaluator.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A solve has stalled when STALL_TESTS tests in a row have not lowered the best residual by the factor
 * STALL_REDUCTION. Sweeps that converge by a factor of 1 - 2e-7 each still count as progress. */
enum { STALL_TESTS = 500 };
static const double STALL_REDUCTION = 0.999;
/* The velocities of an answer change by less than this many tolerances (or this much, when the tolerance is near
 * rounding), in units of |q|, when the last digits of its impulses do. */
static const double ROUNDING_TOLERANCES = 100, ROUNDING_LEAST = 1e-8;

/* The natural map hardly sees a penetration beside a very large mu (|u_N| / mu): an answer whose contacts are approached
 * with more than this many tolerances is none. */
static const double PENETRATION_TOLERANCES = 1e3;

/* A judge is asked from this multiple of the tolerance on. */
static const double JUDGED_FROM = 5;

static bool is_good_enough(const thud_solver *solver, const thud_contact_residual *residual, const double *r) {
  double tolerance = solver->options.tolerance;
  if (residual->penetration > PENETRATION_TOLERANCES * tolerance * residual->scale) return false;
  if (residual->residual <= tolerance) return true;
  return solver->judge != NULL && residual->residual <= JUDGED_FROM * tolerance && solver->judge(solver->judge_user, r);
}

/* ---- create, update, destroy -------------------------------------------------------------------------- */

static thud_error find_method(thud_context *context, const thud_contact_problem *problem,
                              const thud_solver_method **method) {
  if (*method != NULL)
    return thud_solver_method_takes(*method, problem) ? THUD_OK : thud_solver_refuse(context, *method, problem);
  for (size_t k = 0; k < thud_solver_method_count(); k++)
    if (thud_solver_method_takes(thud_solver_method_at(k), problem)) {
      *method = thud_solver_method_at(k);
      return THUD_OK;
    }
  return thud_fail(context, THUD_ERROR_UNSUPPORTED, "no method takes this problem (%s)",
                   thud_contact_kind_name(problem));
}

/* Frees everything whose size depends on the problem's counts. */
static void forget(thud_solver *solver) {
  if (solver->state != NULL) solver->method->destroy(solver);
  solver->state = NULL;
  thud_contact_evaluator_destroy(solver->tests);
  thud_contact_evaluator_destroy(solver->judgement);
  thud_owned_problem_destroy(solver->reduced);
  solver->tests = solver->judgement = solver->evaluator = NULL;
  solver->reduced = NULL;
  double **arrays[] = {&solver->r, &solver->l,       &solver->best_r,           &solver->best_l,
                       &solver->u, &solver->changed, &solver->proof_multipliers};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    thud_free(solver->context, *arrays[k]);
    *arrays[k] = NULL;
  }
  thud_free(solver->context, solver->proof_rows);
  solver->proof_rows = NULL;
  solver->allocated = false;
}

static thud_error allocate_state(thud_solver *solver, const thud_contact_problem *problem) {
  solver->size = thud_contact_size(problem);
  solver->rows = (size_t)problem->bilateral;
  solver->ndof = thud_contact_ndof(problem);
  const struct {
    double **array;
    size_t count;
  } wanted[] = {{&solver->r, solver->size},      {&solver->l, solver->rows},
                {&solver->best_r, solver->size}, {&solver->best_l, solver->rows},
                {&solver->u, solver->size},      {&solver->changed, 2 * solver->size + solver->rows}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    *wanted[k].array = THUD_NEW_ARRAY(solver->context, double, wanted[k].count);
    if (*wanted[k].array == NULL) return THUD_ERROR_MEMORY;
  }
  solver->allocated = true;
  return THUD_OK;
}

/* A dense W of this size on is kept by blocks when fewer than a quarter of its entries are not 0: multiplying zeros
 * would take most of the time. */
enum { COMPACT_SIZE = 64 };

bool thud_solver_is_mostly_zero(const thud_contact_problem *problem) {
  size_t size = thud_contact_size(problem), count = 0;
  if (problem->form != THUD_FORM_LOCAL || problem->W.storage != THUD_MATRIX_DENSE || size < COMPACT_SIZE) return false;
  for (size_t i = 0; i < size * size; i++) count += problem->W.dense[i] != 0;
  return count < size * size / 4;
}

/* Makes the evaluator at first, gives it new numbers later. */
static thud_error set_evaluator(thud_context *context, const thud_contact_problem *problem,
                                thud_contact_evaluator **evaluator) {
  if (*evaluator != NULL) return thud_contact_evaluator_update(*evaluator, problem);
  return thud_contact_evaluator_create(context, problem, evaluator);
}

/* Impulses up to which W of a global problem that is not one of bodies is formed for methods that multiply by it: beyond,
 * it would take more than 128 MB, and they get its products. */
enum { FORMED_UP_TO = 4096 };

/* The form that a method sees instead of the given one: two-block for a global one where that is possible and native;
 * where the given one is not native, or a dense W of zeros, local by blocks. NULL: the problem as it was given. */
static thud_error reduce(thud_solver *solver, thud_owned_problem **reduced) {
  const thud_contact_problem *problem = &solver->problem;
  *reduced = NULL;
  if (problem->form == THUD_FORM_GLOBAL && (solver->method->native & THUD_ACCEPTS_TWO_BLOCK) != 0) {
    thud_error error = thud_global_to_two_block(solver->context, problem, reduced);
    if (error != THUD_OK) return error;
    if (*reduced != NULL && thud_solver_method_sees(solver->method, thud_owned_problem_view(*reduced))) return THUD_OK;
    thud_owned_problem_destroy(*reduced);
    *reduced = NULL;
  }
  if (thud_solver_method_sees(solver->method, problem) &&
      (solver->method->makes_forms || !thud_solver_is_mostly_zero(problem)))
    return THUD_OK;
  thud_matrix_storage storage = problem->form == THUD_FORM_LOCAL ? THUD_MATRIX_BLOCKS : THUD_MATRIX_NONE;
  bool multiplies = (solver->method->accepts & THUD_ACCEPTS_OPERATOR) != 0;
  if (problem->form == THUD_FORM_GLOBAL && multiplies && solver->size > FORMED_UP_TO) storage = THUD_MATRIX_OPERATOR;
  return thud_contact_to_local_by(solver->context, problem, solver->judgement, storage, reduced);
}

/* Forgets what was made for an inner problem of another form or size (the blocks of M may change with its numbers). */
static void forget_other_shape(thud_solver *solver, const thud_contact_problem *inner) {
  if (inner->form == solver->inner_form && thud_contact_ndof(inner) == solver->inner_ndof) return;
  if (solver->state != NULL) solver->method->destroy(solver);
  solver->state = NULL;
  thud_contact_evaluator_destroy(solver->tests);
  solver->tests = NULL;
}

/* The problem that the method sees, and the evaluators of it and of the given one. */
static thud_error take_numbers(thud_solver *solver, const thud_contact_problem *problem) {
  solver->ready = false;
  solver->problem = *problem;
  thud_error error = set_evaluator(solver->context, &solver->problem, &solver->judgement);
  thud_owned_problem *reduced = NULL;
  if (error == THUD_OK) error = reduce(solver, &reduced);
  if (error != THUD_OK) return error;
  const thud_contact_problem *inner = reduced != NULL ? thud_owned_problem_view(reduced) : &solver->problem;
  forget_other_shape(solver, inner);
  thud_owned_problem_destroy(solver->reduced);
  solver->reduced = reduced;
  if (reduced != NULL) error = set_evaluator(solver->context, inner, &solver->tests);
  solver->inner = inner;
  solver->evaluator = inner == &solver->problem ? solver->judgement : solver->tests;
  solver->inner_form = inner->form;
  solver->inner_ndof = thud_contact_ndof(inner);
  if (error == THUD_OK && solver->state == NULL) error = solver->method->create(solver);
  if (error == THUD_OK) error = solver->method->update(solver);
  solver->ready = error == THUD_OK;
  return error;
}

static bool same_counts(const thud_solver *solver, const thud_contact_problem *problem) {
  return problem->contacts == solver->problem.contacts && problem->bilateral == solver->problem.bilateral &&
         thud_contact_ndof(problem) == solver->ndof && problem->two_block.block == solver->problem.two_block.block &&
         problem->two_block.joints == solver->problem.two_block.joints;
}

thud_error thud_solver_take(thud_solver *solver, const thud_contact_problem *problem) {
  thud_error error = THUD_OK;
  if (!solver->allocated || !same_counts(solver, problem)) {
    solver->ready = false;
    forget(solver);
    error = allocate_state(solver, problem);
  }
  return error == THUD_OK ? take_numbers(solver, problem) : error;
}

/* Asked by what takes long in an update: assembling, reductions. */
static int is_to_stop(void *user) {
  const thud_solver *solver = user;
  const thud_solver_options *options = &solver->options;
  double residual = solver->ready ? solver->best_residual : (double)INFINITY;
  if (options->max_seconds > 0 && thud_seconds() - solver->started > options->max_seconds) return 1;
  return options->progress != NULL && options->progress(options->progress_user, solver->iterations, residual) != 0;
}

thud_error thud_solver_create(thud_context *context, const thud_solver_method *method,
                              const thud_contact_problem *problem, const thud_solver_options *options,
                              thud_solver **solver) {
  THUD_REQUIRE(context, context, problem, solver);
  double started = thud_seconds();
  thud_solver_options chosen;
  thud_error error = thud_options_take(context, thud_solver_option_table(), options, &chosen);
  if (error == THUD_OK) error = thud_contact_validate(context, problem, NULL);
  if (error == THUD_OK) error = find_method(context, problem, &method);
  if (error != THUD_OK) return error;

  thud_solver *made = THUD_NEW(context, thud_solver);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->parent = context;
  made->method = method;
  made->options = chosen;
  made->started = started;
  error = thud_recycler_create(context, &made->context);
  if (error == THUD_OK) {
    thud_context_stop_by(made->context, (thud_stop){is_to_stop, made});
    error = thud_solver_take(made, problem);
  }
  if (error != THUD_OK) {
    thud_solver_destroy(made);
    return error;
  }
  made->update_seconds = thud_seconds() - started;
  *solver = made;
  return THUD_OK;
}

/* Is this a problem that the solver can take? */
static thud_error check_update(thud_solver *solver, const thud_contact_problem *problem) {
  thud_context *context = solver->context;
  const thud_contact_problem *old = &solver->problem;
  thud_error error = thud_contact_validate(context, problem, NULL);
  if (error != THUD_OK) return error;
  if (problem->form != old->form || problem->dimension != old->dimension || problem->friction != old->friction)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "the solver was made for another kind of problem (%s, now %s): create a new one",
                     thud_contact_kind_name(old), thud_contact_kind_name(problem));
  return thud_solver_method_takes(solver->method, problem) ? THUD_OK
                                                           : thud_solver_refuse(context, solver->method, problem);
}

thud_error thud_solver_update_by_ids(thud_solver *solver, const thud_contact_problem *problem, const uint64_t *ids,
                                     double *r) {
  THUD_REQUIRE_OF(solver, problem);
  double started = solver->started = thud_seconds();
  thud_error error = check_update(solver, problem);
  if (error != THUD_OK) return error;
  size_t contacts = (size_t)problem->contacts, d = (size_t)problem->dimension;
  if (ids != NULL) error = thud_carry_prepare(solver->context, &solver->carry, contacts, d, ids);
  if (error == THUD_OK) error = thud_solver_take(solver, problem);
  if (error != THUD_OK) return error;
  if (ids != NULL)
    thud_carry_apply(&solver->carry, contacts, d);
  else
    solver->carry.count = 0;
  if (ids != NULL && r != NULL && contacts > 0) memcpy(r, solver->carry.r, contacts * d * sizeof *r);
  solver->update_seconds = thud_seconds() - started;
  return THUD_OK;
}

thud_error thud_solver_update(thud_solver *solver, const thud_contact_problem *problem) {
  return thud_solver_update_by_ids(solver, problem, NULL, NULL);
}

void thud_solver_set_tolerance(thud_solver *solver, double tolerance) { solver->options.tolerance = tolerance; }

void thud_solver_set_judge(thud_solver *solver, bool (*judge)(void *user, const double *r), void *user) {
  solver->judge = judge;
  solver->judge_user = user;
}

void thud_solver_set_max_iterations(thud_solver *solver, int most) { solver->options.max_iterations = most; }

void thud_solver_destroy(thud_solver *solver) {
  if (solver == NULL) return;
  thud_context *parent = solver->parent;
  if (solver->context != NULL) {
    forget(solver);
    thud_carry_free(solver->context, &solver->carry);
  }
  thud_recycler_destroy(solver->context);
  thud_free(parent, solver);
}

/* ---- tests of the residual -------------------------------------------------------------------------------- */

/* The first verdict stays, unless the last iterate proves to be a solution or cannot be used; what the caller or the
 * clock has ended is no breakdown: `auto` would go on with another method. */
static void stop(thud_solver *solver, thud_solver_status status) {
  bool ended = solver->status == THUD_SOLVER_TIME || solver->status == THUD_SOLVER_INTERRUPTED;
  if (solver->stopped && status != THUD_SOLVED && (status != THUD_SOLVER_BREAKDOWN || ended)) return;
  solver->stopped = true;
  solver->status = status;
}

/* A finding in words, for the context's last message. */
static void say(thud_solver *solver, const char *format, va_list arguments) {
  char text[256];
  vsnprintf(text, sizeof text, format, arguments);
  thud_fail(solver->context, THUD_ERROR_NOT_CONVERGED, "%s: %s", solver->method->name, text);
}

void thud_solver_say(thud_solver *solver, const char *format, ...) {
  size_t used = strlen(solver->why);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(solver->why + used, sizeof solver->why - used, format, arguments);
  va_end(arguments);
}

void thud_solver_break_down(thud_solver *solver, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(solver, format, arguments);
  va_end(arguments);
  stop(solver, THUD_SOLVER_BREAKDOWN);
}

void thud_solver_find_infeasible(thud_solver *solver, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(solver, format, arguments);
  va_end(arguments);
  stop(solver, THUD_SOLVER_INFEASIBLE);
}

bool thud_solver_goes_on(thud_solver *solver) {
  const thud_solver_options *options = &solver->options;
  if (solver->stopped) return false;
  if (solver->iterations_before + solver->iterations >= options->max_iterations)
    stop(solver, THUD_SOLVER_LIMIT);
  else if (options->max_seconds > 0 && thud_seconds() - solver->started > options->max_seconds)
    stop(solver, THUD_SOLVER_TIME);
  else if (options->progress != NULL &&
           options->progress(options->progress_user, solver->iterations_before + solver->iterations,
                             solver->best_residual) != 0)
    stop(solver, THUD_SOLVER_INTERRUPTED);
  else if (solver->leaves != NULL && solver->leaves(solver))
    stop(solver, THUD_SOLVER_STALLED);
  return !solver->stopped;
}

bool thud_solver_test_is_due(const thud_solver *solver) {
  return solver->iterations % solver->options.check_every == 0 ||
         solver->iterations_before + solver->iterations >= solver->options.max_iterations;
}

static void keep_best(thud_solver *solver, double residual) {
  solver->best_residual = residual;
  solver->best_method = solver->method->name;
  if (solver->size > 0) memcpy(solver->best_r, solver->r, solver->size * sizeof(double));
  if (solver->rows > 0) memcpy(solver->best_l, solver->l, solver->rows * sizeof(double));
}

/* y = x with up to 4 units of the last digit more or less, another number of them for each component. */
static void change_last_digits(size_t n, const double *x, double *y) {
  const double GOLDEN = 0.6180339887498949; /* whose multiples are spread evenly */
  for (size_t i = 0; i < n; i++) {
    double spread = GOLDEN * (double)(i + 1);
    y[i] = x[i] + x[i] * (8 * (spread - floor(spread)) - 4) * DBL_EPSILON;
  }
}

/* max |u' - u| / scale, u' = velocity. */
static double velocity_change(const thud_solver *solver, const double *velocity, double scale) {
  double largest = 0;
  for (size_t i = 0; i < solver->size; i++) largest = fmax(largest, fabs(velocity[i] - solver->u[i]));
  return largest / scale;
}

/* Impulses can be so large that W r + q keeps nothing of q, and the residual says 0 about rounding errors. An iterate
 * whose velocities depend on its last digits gets the residual INFINITY, as one whose velocities overflow. */
static thud_error doubt_huge_impulses(thud_solver *solver, thud_contact_residual *residual) {
  size_t size = solver->size, rows = solver->rows;
  double *r = solver->changed, *velocity = r + size, *l = rows > 0 ? velocity + size : NULL;
  double limit = fmax(ROUNDING_TOLERANCES * solver->options.tolerance, ROUNDING_LEAST);
  double bilateral;
  change_last_digits(size, solver->r, r);
  if (rows > 0) change_last_digits(rows, solver->l, l);
  thud_error error = thud_contact_evaluator_velocity(solver->evaluator, r, l, velocity, &bilateral);
  if (error != THUD_OK && error != THUD_ERROR_NOT_FINITE) return error;
  bool holds = error == THUD_OK && velocity_change(solver, velocity, residual->scale) <= limit && bilateral <= limit;
  error = THUD_OK;
  if (solver->inner_ndof > 0) /* the velocities v that the evaluator lends are those of the iterate again */
    error = thud_contact_evaluator_evaluate(solver->evaluator, solver->r, NULL, rows > 0 ? solver->l : NULL, solver->u,
                                            residual);
  if (holds) return error;
  residual->residual = INFINITY;
  thud_solver_break_down(solver, "impulses have grown so large that their rounding errors hide the velocities");
  return error;
}

thud_error thud_solver_test(thud_solver *solver) {
  thud_contact_residual residual;
  const double *l = solver->rows > 0 ? solver->l : NULL;
  thud_error error = thud_contact_evaluator_evaluate(solver->evaluator, solver->r, NULL, l, solver->u, &residual);
  solver->u_is_best = false;
  if (error == THUD_ERROR_NOT_FINITE) { /* an iterate that overflowed is a finding, not a failure of the call */
    stop(solver, THUD_SOLVER_BREAKDOWN);
    return THUD_OK;
  }
  if (error == THUD_OK && residual.residual <= solver->options.tolerance)
    error = doubt_huge_impulses(solver, &residual);
  if (error != THUD_OK) return error;
  solver->tested_at = solver->iterations;
  solver->last_residual = residual.residual;
  if (solver->history_count < THUD_SOLVER_HISTORY) solver->history[solver->history_count] = residual.residual;
  solver->history_count++;
  bool good = is_good_enough(solver, &residual, solver->r);
  if (residual.residual < solver->best_residual || good) {
    keep_best(solver, residual.residual);
    solver->best_found = residual;
    solver->u_is_best = true;
  }
  if (solver->best_residual < STALL_REDUCTION * solver->stall_residual) {
    solver->stall_residual = solver->best_residual;
    solver->stall_test = solver->history_count;
  }
  if (good)
    stop(solver, THUD_SOLVED);
  else if (!isfinite(residual.residual))
    stop(solver, THUD_SOLVER_BREAKDOWN);
  else if (solver->history_count - solver->stall_test >= STALL_TESTS)
    stop(solver, THUD_SOLVER_STALLED);
  return THUD_OK;
}

/* ---- solve -------------------------------------------------------------------------------------------------- */

static thud_error refuse_not_finite(thud_context *context, const char *name, size_t n, const double *x) {
  size_t bad = thud_first_not_finite(n, x);
  if (bad == n) return THUD_OK;
  return thud_fail(context, THUD_ERROR_NOT_FINITE, "warm start %s[%zu] is %g: use zeros when nothing is known", name,
                   bad, x[bad]);
}

static void begin_solve(thud_solver *solver, const double *r, const double *l) {
  if (solver->size > 0) memcpy(solver->r, r, solver->size * sizeof(double));
  if (solver->rows > 0) {
    if (l != NULL)
      memcpy(solver->l, l, solver->rows * sizeof(double));
    else
      memset(solver->l, 0, solver->rows * sizeof(double));
  }
  keep_best(solver, INFINITY);
  solver->u_is_best = false;
  solver->iterations = solver->iterations_before = 0;
  solver->contact_visits = 0;
  solver->tested_at = -1;
  solver->stopped = false;
  solver->status = THUD_SOLVER_LIMIT;
  solver->stall_residual = INFINITY;
  solver->stall_test = 0;
  solver->history_count = 0;
  solver->attempt_count = 0;
  solver->why[0] = '\0';
  solver->worst_count = 0;
  solver->certificate = (thud_solver_certificate){0};
}

static const char *reason_of(const thud_solver *solver) {
  switch (solver->status) {
  case THUD_SOLVED: return solver->history_count > 1 ? "solved" : "the start solves it";
  case THUD_SOLVER_STALLED: return "no progress any more";
  case THUD_SOLVER_LIMIT: return "iteration limit";
  case THUD_SOLVER_TIME: return "time limit";
  case THUD_SOLVER_INFEASIBLE: return "proved that there is no solution";
  case THUD_SOLVER_BREAKDOWN: return "broke down";
  case THUD_SOLVER_INTERRUPTED: return "interrupted";
  }
  return "";
}

thud_error thud_solver_end_turn(thud_solver *solver) {
  if (solver->tested_at != solver->iterations) {
    thud_solver_status found = solver->status;
    bool known = solver->stopped;
    solver->stopped = false;
    thud_error error = thud_solver_test(solver);
    if (error != THUD_OK) return error;
    if (!(solver->stopped && solver->status == THUD_SOLVED)) solver->status = known ? found : THUD_SOLVER_STALLED;
    solver->stopped = true;
  }
  if (solver->attempt_count < THUD_SOLVER_ATTEMPTS)
    solver->attempts[solver->attempt_count++] = (thud_solver_attempt){.method = solver->method->name,
                                                                      .status = solver->status,
                                                                      .iterations = solver->iterations,
                                                                      .residual = solver->best_residual,
                                                                      .reason = reason_of(solver)};
  return THUD_OK;
}

/* Judges the best iterate on the problem as it was given. A method that says solved and is contradicted has stalled. */
static thud_error measure_residual(thud_solver *solver, thud_contact_residual *residual) {
  const double *l = solver->rows > 0 ? solver->best_l : NULL;
  thud_error error = THUD_OK;
  if (solver->evaluator == solver->judgement && solver->u_is_best)
    *residual = solver->best_found;
  else
    error = thud_contact_evaluator_evaluate(solver->judgement, solver->best_r, NULL, l, solver->u, residual);
  if (error != THUD_OK) return error;
  if (is_good_enough(solver, residual, solver->best_r))
    solver->status = THUD_SOLVED;
  else if (solver->status == THUD_SOLVED)
    solver->status = THUD_SOLVER_STALLED;
  return THUD_OK;
}

static void copy_out(double *out, const double *in, size_t n) {
  if (out != NULL && n > 0) memcpy(out, in, n * sizeof(double));
}

thud_error thud_solver_solve(thud_solver *solver, double *r, double *u, double *v, double *l, thud_solver_info *info) {
  THUD_REQUIRE_OF(solver, r || thud_contact_size(&solver->problem) == 0);
  thud_context *context = solver->context;
  solver->started = thud_seconds();
  if (!solver->ready)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the last update of the solver failed: update it before solving");
  thud_error error = refuse_not_finite(context, "r", solver->size, r);
  if (error == THUD_OK && l != NULL) error = refuse_not_finite(context, "l", solver->rows, l);
  if (error != THUD_OK) return error;

  begin_solve(solver, r, l);
  error = thud_solver_test(solver);
  if (error == THUD_OK && !solver->stopped) error = solver->method->solve(solver);
  if (error == THUD_OK && solver->attempt_count == 0)
    error = thud_solver_end_turn(solver); /* else auto has noted them */
  thud_contact_residual residual;
  if (error == THUD_OK) error = measure_residual(solver, &residual);
  if (error == THUD_OK) error = thud_certificate_blame_rows(solver, &residual);
  if (error != THUD_OK) return error;

  thud_carry_store(&solver->carry, solver->best_r);
  copy_out(r, solver->best_r, solver->size);
  copy_out(u, solver->u, solver->size);
  copy_out(v, thud_contact_evaluator_v(solver->judgement), solver->ndof);
  copy_out(l, solver->best_l, solver->rows);
  if (info != NULL)
    *info = (thud_solver_info){.status = solver->status,
                               .method = solver->best_method,
                               .iterations = solver->iterations_before + solver->iterations,
                               .contact_visits = solver->contact_visits,
                               .form = solver->inner->form,
                               .update_seconds = solver->update_seconds,
                               .solve_seconds = thud_seconds() - solver->started,
                               .residual = residual,
                               .history_count = solver->history_count,
                               .history = solver->history,
                               .attempt_count = solver->attempt_count,
                               .attempts = solver->attempts,
                               .why = solver->why,
                               .worst_count = solver->worst_count,
                               .certificate = solver->certificate};
  if (info != NULL) memcpy(info->worst, solver->worst, sizeof info->worst);
  return THUD_OK;
}
