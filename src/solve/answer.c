/* thud_answer_find: a method, all solutions as the last word, the verdict. */
#include "base/base.h"
#include "solve/answer.h"

#include <string.h>

/* Relative tolerance within which two enumerated solutions are the same. */
static const double ENUMERATION_TOLERANCE = 1e-9;

static const thud_option_part parts[] = {{offsetof(thud_answer_options, solver), thud_solver_option_table}};
static const thud_option_table table = {
    .name = "answer", .struct_size = sizeof(thud_answer_options), .parts = parts, .part_count = 1};

const thud_option_table *thud_answer_option_table(void) { return &table; }

const char *thud_answer_verdict_name(thud_answer_verdict verdict) {
  switch (verdict) {
  case THUD_ANSWER_SOLVED: return "solved";
  case THUD_ANSWER_BEST_EFFORT: return "best_effort";
  case THUD_ANSWER_INFEASIBLE: return "infeasible";
  case THUD_ANSWER_FAILED: break;
  }
  return "failed";
}

/* ---- stopping ----------------------------------------------------------------------------------------------- */

bool thud_answer_is_interrupted(const answer_work *work) {
  const thud_stop *stop = &work->options->stop;
  return stop->ask != NULL && stop->ask(stop->user) != 0;
}

int thud_answer_time_is_over(void *user) {
  const answer_work *work = user;
  return thud_answer_is_interrupted(work) || (work->until > 0 && thud_seconds() > work->until);
}

static int on_progress(void *user, int iterations, double residual) {
  const answer_work *work = user;
  const thud_solver_options *solver = &work->options->solver;
  if (thud_answer_is_interrupted(work)) return 1;
  return solver->progress != NULL ? solver->progress(solver->progress_user, iterations, residual) : 0;
}

/* ---- the method ----------------------------------------------------------------------------------------------- */

/* A failure is a verdict; only out of memory is handed on. */
static thud_error fail(answer_work *work, thud_error error) {
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  const char *message = thud_context_last_message(work->context);
  work->found.verdict = THUD_ANSWER_FAILED;
  work->found.error = error;
  if (error == THUD_ERROR_INTERRUPTED) work->found.interrupted = true;
  work->reason.length = 0;
  thud_text_print(&work->reason, "%s", message[0] != '\0' ? message : thud_error_text(error));
  return THUD_OK;
}

/* Copies of what the solver only lends. */
static thud_error keep_trail(answer_work *work, const thud_solver_info *info) {
  size_t count = info->attempt_count, proof = info->certificate.count, rows = info->certificate.row_count;
  work->attempts = THUD_NEW_ARRAY(work->context, thud_solver_attempt, count);
  work->certificate_contacts = THUD_NEW_ARRAY(work->context, thud_index, proof);
  work->certificate_multipliers = THUD_NEW_ARRAY(work->context, double, proof);
  work->certificate_rows = THUD_NEW_ARRAY(work->context, thud_index, rows);
  work->certificate_row_multipliers = THUD_NEW_ARRAY(work->context, double, rows);
  if (work->attempts == NULL || work->certificate_contacts == NULL || work->certificate_multipliers == NULL ||
      work->certificate_rows == NULL || work->certificate_row_multipliers == NULL)
    return THUD_ERROR_MEMORY;
  if (count > 0) memcpy(work->attempts, info->attempts, count * sizeof *work->attempts);
  if (proof > 0) {
    memcpy(work->certificate_contacts, info->certificate.contacts, proof * sizeof *work->certificate_contacts);
    memcpy(work->certificate_multipliers, info->certificate.multipliers, proof * sizeof *work->certificate_multipliers);
  }
  if (rows > 0) {
    memcpy(work->certificate_rows, info->certificate.rows, rows * sizeof *work->certificate_rows);
    memcpy(work->certificate_row_multipliers, info->certificate.row_multipliers,
           rows * sizeof *work->certificate_row_multipliers);
  }
  thud_answer *found = &work->found;
  found->attempt_count = count;
  found->attempts = work->attempts;
  found->certificate = info->certificate;
  found->certificate.contacts = work->certificate_contacts;
  found->certificate.multipliers = work->certificate_multipliers;
  found->certificate.rows = work->certificate_rows;
  found->certificate.row_multipliers = work->certificate_row_multipliers;
  found->worst_count = info->worst_count;
  memcpy(found->worst, info->worst, sizeof found->worst);
  return THUD_OK;
}

/* The message that a method leaves with its finding, or NULL. */
static const char *finding(const answer_work *work, const char *method, thud_solver_status status) {
  const char *message = thud_context_last_message(work->context);
  bool has_one = status == THUD_SOLVER_BREAKDOWN || status == THUD_SOLVER_INFEASIBLE;
  if (!has_one || method == NULL) return NULL;
  size_t length = strlen(method);
  return strncmp(message, method, length) == 0 && message[length] == ':' ? message : NULL;
}

static void explain(answer_work *work, const thud_solver_info *info) {
  const char *words = finding(work, info->method, info->status);
  if (info->status == THUD_SOLVED) return;
  if (info->why[0] != '\0')
    thud_text_print(&work->reason, "%s", info->why);
  else if (words != NULL)
    thud_text_print(&work->reason, "%s", words);
  else
    thud_text_print(&work->reason, "%s: %s after %d iterations at residual %.2e", info->method,
                    thud_solver_status_name(info->status), info->iterations, info->residual.residual);
}

static void conclude(answer_work *work, const thud_solver_info *info) {
  thud_answer *found = &work->found;
  found->method = info->method;
  found->iterations = info->iterations;
  found->residual = info->residual;
  found->interrupted = info->status == THUD_SOLVER_INTERRUPTED;
  found->verdict = info->status == THUD_SOLVED              ? THUD_ANSWER_SOLVED
                   : info->status == THUD_SOLVER_INFEASIBLE ? THUD_ANSWER_INFEASIBLE
                                                            : THUD_ANSWER_BEST_EFFORT;
  explain(work, info);
}

static thud_error find_one(answer_work *work) {
  thud_solver_options options = work->options->solver;
  options.progress = on_progress;
  options.progress_user = work;
  thud_solver *solver = NULL;
  thud_solver_info info;
  thud_error error = thud_solver_create(work->context, work->options->method, work->problem, &options, &solver);
  if (error == THUD_OK) error = thud_solver_solve(solver, work->r, work->u, work->v, work->l, &info);
  if (error == THUD_OK) conclude(work, &info);
  if (error == THUD_OK) error = keep_trail(work, &info);
  thud_solver_destroy(solver);
  return error;
}

/* Stopped before a method could begin: the start is all there is. */
static thud_error judge_start(answer_work *work) {
  thud_answer *found = &work->found;
  const double *l = work->problem->bilateral > 0 ? work->l : NULL;
  thud_text_print(&work->reason, "stopped while it was set up: %s", thud_context_last_message(work->context));
  found->interrupted = thud_answer_is_interrupted(work);
  found->verdict = THUD_ANSWER_BEST_EFFORT;
  return thud_contact_evaluate(work->context, work->problem, work->r, NULL, l, work->u, &found->residual);
}

/* ---- all solutions ---------------------------------------------------------------------------------------------- */

typedef struct collection {
  answer_work *work;
  size_t values_capacity, capacity;
  thud_error error;
} collection;

static int collect(void *user, const thud_solution *solution) {
  collection *into = user;
  answer_work *work = into->work;
  size_t size = work->found.size, k = work->found.solutions_kept;
  if (k >= THUD_ANSWER_SOLUTIONS_KEPT) return 0;
  into->error = thud_array_reserve(work->context, &work->solutions, &into->capacity, k + 1, sizeof *work->solutions);
  if (into->error == THUD_OK)
    into->error = thud_array_reserve(work->context, &work->values, &into->values_capacity, 2 * (k + 1) * size,
                                     sizeof *work->values);
  if (into->error != THUD_OK) return 1;
  if (size > 0) memcpy(work->values + 2 * k * size, solution->r, size * sizeof(double));
  if (size > 0) memcpy(work->values + (2 * k + 1) * size, solution->u, size * sizeof(double));
  work->solutions[k].isolated = solution->isolated;
  work->found.solutions_kept++;
  return 0;
}

/* The values do not move any more. */
static void show_solutions(answer_work *work) {
  size_t size = work->found.size;
  for (size_t k = 0; k < work->found.solutions_kept && size > 0; k++) {
    work->solutions[k].r = work->values + 2 * k * size;
    work->solutions[k].u = work->values + (2 * k + 1) * size;
  }
  work->found.solutions = work->solutions;
}

static void take_first(answer_work *work, const thud_contact_residual *residual, const double *v) {
  thud_answer *found = &work->found;
  size_t ndof = thud_contact_ndof(work->problem);
  if (found->size > 0) memcpy(work->r, work->values, found->size * sizeof(double));
  if (ndof > 0) memcpy(work->v, v, ndof * sizeof(double));
  found->residual = *residual;
  found->method = "enumeration";
  found->iterations = 0;
  found->verdict = THUD_ANSWER_SOLVED;
  found->certificate.count = found->certificate.row_count = 0;
  found->worst_count = 0;
  work->reason.length = 0; /* what the methods said of the problem is settled */
}

/* Enumeration has the last word where no method found an answer: its first solution, or the proof that there is none.
 */
static thud_error take_enumerated(answer_work *work) {
  thud_answer *found = &work->found;
  if (found->verdict == THUD_ANSWER_SOLVED) return THUD_OK;
  if (found->solution_count == 0) {
    found->verdict = THUD_ANSWER_INFEASIBLE;
    thud_text_print(&work->reason, "%senumeration: no combination of modes gives a solution",
                    work->reason.length > 0 ? "; " : "");
    return THUD_OK;
  }
  if (work->problem->bilateral > 0) return THUD_OK; /* their impulses are not enumerated */
  thud_contact_residual residual;
  thud_contact_evaluator *evaluator = NULL;
  thud_error error = thud_contact_evaluator_create(work->context, work->problem, &evaluator);
  if (error == THUD_OK)
    error = thud_contact_evaluator_evaluate(evaluator, work->values, NULL, NULL, work->u, &residual);
  if (error == THUD_OK && residual.residual <= work->options->solver.tolerance)
    take_first(work, &residual, thud_contact_evaluator_v(evaluator));
  else if (error == THUD_OK) /* the velocities of the answer of the methods */
    error = thud_contact_evaluator_evaluate(evaluator, work->r, NULL, NULL, work->u, &residual);
  thud_contact_evaluator_destroy(evaluator);
  return error;
}

static thud_error find_all(answer_work *work) {
  collection into = {.work = work};
  const thud_stop stop = {.ask = thud_answer_time_is_over, .user = work};
  thud_error error = thud_contact_enumerate_until(work->context, work->problem, ENUMERATION_TOLERANCE, &stop, collect,
                                                  &into, &work->found.solution_count);
  if (error == THUD_OK) error = into.error;
  show_solutions(work);
  if (error != THUD_ERROR_INTERRUPTED) return error == THUD_OK ? take_enumerated(work) : error;
  work->found.interrupted = thud_answer_is_interrupted(work);
  work->found.enumeration_is_cut = true;
  thud_text_print(thud_answer_warn(work, THUD_ANSWER_ENUMERATION_CUT),
                  "the solutions were not enumerated to the end: %s",
                  work->found.interrupted ? "interrupted" : "the time is over");
  return THUD_OK;
}

/* ---- one problem --------------------------------------------------------------------------------------------------
 */

static thud_error check(thud_context *context, const thud_contact_problem *problem, const thud_answer_options *options,
                        thud_contact_diagnosis *diagnosis) {
  thud_error error = thud_contact_validate(context, problem, diagnosis);
  return error == THUD_OK ? thud_answer_check_intervals(context, problem, options) : error;
}

static thud_error make_room(answer_work *work) {
  thud_answer *found = &work->found;
  found->size = thud_contact_size(work->problem);
  found->r = work->r = THUD_NEW_ARRAY(work->context, double, found->size);
  found->u = work->u = THUD_NEW_ARRAY(work->context, double, found->size);
  found->v = work->v = THUD_NEW_ARRAY(work->context, double, thud_contact_ndof(work->problem));
  found->l = work->l = THUD_NEW_ARRAY(work->context, double, (size_t)work->problem->bilateral);
  bool complete = work->r != NULL && work->u != NULL && work->v != NULL && work->l != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error find(answer_work *work) {
  thud_answer *found = &work->found;
  double started = thud_seconds(), limit = work->options->solver.max_seconds;
  work->until = limit > 0 ? started + limit : 0;
  thud_error error = find_one(work);
  if (error == THUD_ERROR_INTERRUPTED) error = judge_start(work);
  error = fail(work, error);
  if (error == THUD_OK && work->options->all && !found->interrupted && found->verdict != THUD_ANSWER_FAILED)
    error = fail(work, find_all(work));
  found->seconds = thud_seconds() - started;
  if (error == THUD_OK) error = thud_answer_examine_forces(work);
  if (error == THUD_OK) thud_answer_warn_of_residual(work);
  return error;
}

/* The texts are complete: the caller sees them. */
static thud_error show_texts(answer_work *work) {
  thud_error error = work->reason.error;
  work->found.reason = work->reason.length > 0 ? thud_text_chars(&work->reason) : "";
  for (size_t k = 0; k < work->found.warning_count; k++) {
    if (error == THUD_OK) error = work->messages[k].error;
    work->found.warnings[k].message = thud_text_chars(&work->messages[k]);
  }
  return error;
}

thud_error thud_answer_find(thud_context *context, const thud_contact_problem *problem,
                            const thud_answer_options *options, thud_answer **answer) {
  THUD_REQUIRE(context, context, problem, answer);
  thud_answer_options chosen;
  thud_contact_diagnosis diagnosis;
  thud_error error = thud_options_take(context, &table, options, &chosen);
  if (error == THUD_OK) error = check(context, problem, &chosen, &diagnosis);
  if (error != THUD_OK) return error;
  answer_work *work = THUD_NEW(context, answer_work);
  if (work == NULL) return THUD_ERROR_MEMORY;
  thud_owned_problem *scaled = NULL;
  *work = (answer_work){.context = context, .problem = problem, .options = &chosen, .reason = thud_text_new(context)};
  for (size_t k = 0; k < THUD_ANSWER_WARNING_CODES; k++) work->messages[k] = thud_text_new(context);
  thud_answer_warn_of_matrices(work, &diagnosis);
  error = thud_answer_choose_unit(context, problem, &work->unit, &scaled);
  if (error == THUD_OK && scaled != NULL) work->problem = thud_owned_problem_view(scaled);
  if (error == THUD_OK) error = make_room(work);
  if (error == THUD_OK) error = thud_answer_take_start(work);
  if (error == THUD_OK) error = find(work);
  if (error == THUD_OK) thud_answer_undo_unit(work);
  if (error == THUD_OK) error = show_texts(work);
  thud_owned_problem_destroy(scaled);
  work->problem = NULL;
  work->options = NULL;
  if (error == THUD_OK)
    *answer = &work->found;
  else
    thud_answer_destroy(&work->found);
  return error;
}

void thud_answer_destroy(thud_answer *answer) {
  if (answer == NULL) return;
  answer_work *work = (answer_work *)(void *)answer;
  void *const blocks[] = {work->r,
                          work->u,
                          work->v,
                          work->l,
                          work->attempts,
                          work->certificate_contacts,
                          work->values,
                          work->certificate_multipliers,
                          work->solutions,
                          work->intervals,
                          work->rays,
                          work->certificate_rows,
                          work->certificate_row_multipliers,
                          work->start,
                          work->closest_r,
                          work->closest_l};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(work->context, blocks[k]);
  thud_text_free(&work->reason);
  for (size_t k = 0; k < THUD_ANSWER_WARNING_CODES; k++) thud_text_free(&work->messages[k]);
  thud_free(work->context, work);
}
