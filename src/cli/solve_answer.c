/* thud solve: the answer to one file. */
#include "cli/solve.h"

#include <math.h>
#include <string.h>

/* Asymmetry of W (relative to its largest entry) from which a person should hear of it. */
static const double ASYMMETRY_SHOWN = 1e-10;
/* Penetration velocity and defect of complementarity of a solved problem, in tolerances, from which a person should
 * hear of it. */
static const double PENETRATION_SHOWN = 1e3, DEFECT_SHOWN = 1e3;
/* Relative tolerance within which two enumerated solutions are the same. */
static const double ENUMERATION_TOLERANCE = 1e-9;
/* Seconds before the first sign of progress, and between two. */
static const double PROGRESS_AFTER = 0.5, PROGRESS_EVERY = 0.1;

/* ---- progress ------------------------------------------------------------------------------------------- */

typedef struct progress {
  const char *path, *method;
  bool shown, drawn;
  double started, last;
} progress;

static int on_progress(void *user, int iterations, double residual) {
  progress *bar = user;
  if (cli_interrupted()) return 1;
  if (!bar->shown) return 0;
  double now = thud_seconds();
  if (now - bar->started < PROGRESS_AFTER || now - bar->last < PROGRESS_EVERY) return 0;
  bar->last = now;
  bar->drawn = true;
  fprintf(stderr, "\r\033[K%.60s: %s, iteration %d, residual %.2e, %.0f s", bar->path, bar->method, iterations,
          residual, now - bar->started);
  return 0;
}

static void clear_progress(const progress *bar) {
  if (bar->drawn) fprintf(stderr, "\r\033[K");
}

/* ---- what is wrong ---------------------------------------------------------------------------------------- */

static void fail(const cli_call *call, thud_error error, solve_answer *answer) {
  const char *message = thud_context_last_message(call->context);
  answer->verdict = SOLVE_FAILED;
  answer->error = error;
  if (error == THUD_ERROR_INTERRUPTED) answer->interrupted = true;
  thud_text_print(&answer->reason, "%s", message[0] != '\0' ? message : thud_error_text(error));
}

static void warn_of(solve_answer *answer, const thud_contact_diagnosis *found) {
  if (found->asymmetry > ASYMMETRY_SHOWN)
    thud_text_print(&answer->warnings, "the matrix is not symmetric: max |W_ij - W_ji| / max |W| = %.2e\n",
                    found->asymmetry);
  if (found->negative_diagonal >= 0)
    thud_text_print(&answer->warnings, "diagonal entry %d is %s\n", (int)found->negative_diagonal,
                    answer->problem->form == THUD_FORM_GLOBAL ? "not positive" : "negative");
  if (found->zero_rows > 0)
    thud_text_print(&answer->warnings, "%d of the normal impulses move%s nothing\n", (int)found->zero_rows,
                    found->zero_rows == 1 ? "s" : "");
}

/* The natural map hardly sees a penetration beside a very large mu (|u_N| / mu): a person should hear of it. */
static void warn_of_penetration(const solve_request *request, solve_answer *answer) {
  const thud_contact_residual *residual = &answer->residual;
  double usual = PENETRATION_SHOWN * request->options.tolerance * residual->scale;
  if (answer->verdict != SOLVE_SOLVED || !(residual->penetration > usual)) return;
  thud_text_print(&answer->warnings,
                  "the residual is within the tolerance, but contact %d is still approached with velocity %.3g: the "
                  "residual does not see it beside so large a coefficient of friction; do not rely on this answer\n",
                  (int)residual->penetration_contact, residual->penetration);
}

/* sum |r.u~| / (|r| |q|) and the cone excess / |r|: 0 for a solution, in all units. */
static thud_error measure_defect(const solve_answer *answer, double *defect) {
  const thud_contact_problem *problem = answer->problem;
  size_t d = (size_t)problem->dimension;
  double sum = 0, size = 0;
  for (thud_index k = 0; k < problem->contacts; k++) {
    const double *r = answer->r + (size_t)k * d, *u = answer->u + (size_t)k * d;
    double product = 0, shift = 0;
    thud_error error = d > 1 ? thud_contact_shift(problem, k, u, &shift) : THUD_OK;
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < d; i++) {
      product += r[i] * (u[i] + (i == 0 ? shift : 0));
      size = hypot(size, r[i]);
    }
    sum += fabs(product);
  }
  *defect = size > 0 ? fmax(sum / size / answer->residual.scale, answer->residual.cone_excess / size) : 0;
  return THUD_OK;
}

/* Where impulses are very small numbers beside velocities (light bodies), any impulse of the right size is a small
 * error for the natural map (|min(r, u)| <= r): a person should hear of it. */
static void warn_of_units(const solve_request *request, solve_answer *answer) {
  double defect;
  if (answer->verdict != SOLVE_SOLVED || measure_defect(answer, &defect) != THUD_OK) return;
  if (!(defect > DEFECT_SHOWN * request->options.tolerance)) return;
  thud_text_print(&answer->warnings,
                  "the residual is within the tolerance, but it hardly sees the impulses, which are very small numbers "
                  "in these units: they miss the contact law by %.1e of their size; choose a smaller tolerance or a "
                  "smaller unit of mass\n",
                  defect);
}

/* ---- solving ------------------------------------------------------------------------------------------------- */

/* Copies of what the solver only lends. */
static thud_error keep_trail(thud_context *context, const thud_solver_info *info, solve_answer *answer) {
  size_t count = info->attempt_count, proof = info->certificate.count;
  answer->attempts = THUD_NEW_ARRAY(context, thud_solver_attempt, count);
  answer->certificate_contacts = THUD_NEW_ARRAY(context, thud_index, proof);
  answer->certificate_multipliers = THUD_NEW_ARRAY(context, double, proof);
  if (answer->attempts == NULL || answer->certificate_contacts == NULL || answer->certificate_multipliers == NULL)
    return THUD_ERROR_MEMORY;
  if (count > 0) memcpy(answer->attempts, info->attempts, count * sizeof *answer->attempts);
  answer->attempt_count = count;
  answer->certificate = info->certificate;
  answer->certificate.contacts = answer->certificate_contacts;
  answer->certificate.multipliers = answer->certificate_multipliers;
  if (proof > 0) {
    memcpy(answer->certificate_contacts, info->certificate.contacts, proof * sizeof *answer->certificate_contacts);
    memcpy(answer->certificate_multipliers, info->certificate.multipliers,
           proof * sizeof *answer->certificate_multipliers);
  }
  answer->worst_count = info->worst_count;
  memcpy(answer->worst, info->worst, sizeof answer->worst);
  return THUD_OK;
}

/* The message that a method leaves with its finding, or NULL. */
static const char *finding(const cli_call *call, const char *method, thud_solver_status status) {
  const char *message = thud_context_last_message(call->context);
  size_t length = strlen(method);
  bool has_one = status == THUD_SOLVER_BREAKDOWN || status == THUD_SOLVER_INFEASIBLE;
  return has_one && strncmp(message, method, length) == 0 && message[length] == ':' ? message : NULL;
}

static void explain(const cli_call *call, const thud_solver_info *info, solve_answer *answer) {
  const char *words = finding(call, info->method, info->status);
  if (info->status == THUD_SOLVED) return;
  if (info->why[0] != '\0')
    thud_text_print(&answer->reason, "%s", info->why);
  else if (words != NULL)
    thud_text_print(&answer->reason, "%s", words);
  else
    thud_text_print(&answer->reason, "%s: %s after %d iterations at residual %.2e", info->method,
                    solve_status_name(info->status), info->iterations, info->residual.residual);
}

static void conclude(const cli_call *call, const thud_solver_info *info, solve_answer *answer) {
  answer->method = info->method;
  answer->iterations = info->iterations;
  answer->residual = info->residual;
  answer->interrupted = info->status == THUD_SOLVER_INTERRUPTED;
  answer->verdict = info->status == THUD_SOLVED              ? SOLVE_SOLVED
                    : info->status == THUD_SOLVER_INFEASIBLE ? SOLVE_INFEASIBLE
                                                             : SOLVE_BEST_EFFORT;
  explain(call, info, answer);
}

static void find_answer(const cli_call *call, const solve_request *request, solve_answer *answer) {
  const char *name = request->method != NULL ? thud_solver_method_name(request->method) : "auto";
  progress bar = {.path = answer->path, .method = name, .shown = request->shows_progress, .started = thud_seconds()};
  thud_solver_options options = request->options;
  options.progress = on_progress;
  options.progress_user = &bar;
  thud_solver *solver = NULL;
  thud_solver_info info;
  thud_error error = thud_solver_create(call->context, request->method, answer->problem, &options, &solver);
  if (error == THUD_OK) error = thud_solver_solve(solver, answer->r, answer->u, answer->v, answer->l, &info);
  clear_progress(&bar);
  if (error == THUD_OK) conclude(call, &info, answer);
  if (error == THUD_OK) error = keep_trail(call->context, &info, answer);
  if (error != THUD_OK) {
    answer->reason.length = 0;
    fail(call, error, answer);
  }
  thud_solver_destroy(solver);
}

/* ---- all solutions ---------------------------------------------------------------------------------------------- */

typedef struct collection {
  solve_answer *answer;
  thud_context *context;
  size_t capacity;
  thud_error error;
} collection;

static int collect(void *user, const thud_solution *solution) {
  collection *into = user;
  solve_answer *answer = into->answer;
  size_t size = answer->size, k = answer->solutions_kept;
  if (k >= SOLVE_SOLUTIONS_KEPT) return 0;
  if (k == into->capacity) {
    size_t capacity = into->capacity == 0 ? 8 : 2 * into->capacity;
    double *solutions = thud_realloc(into->context, answer->solutions, capacity * 2 * size, sizeof *solutions);
    if (solutions != NULL) answer->solutions = solutions;
    bool *isolated = thud_realloc(into->context, answer->isolated, capacity, sizeof *isolated);
    if (isolated != NULL) answer->isolated = isolated;
    if (solutions == NULL || isolated == NULL) {
      into->error = THUD_ERROR_MEMORY;
      return 1;
    }
    into->capacity = capacity;
  }
  if (size > 0) memcpy(answer->solutions + 2 * k * size, solution->r, size * sizeof(double));
  if (size > 0) memcpy(answer->solutions + (2 * k + 1) * size, solution->u, size * sizeof(double));
  answer->isolated[k] = solution->isolated;
  answer->solutions_kept++;
  return 0;
}

/* Enumeration has the last word where no method found an answer: its first solution, or the proof that there is none.
 */
static thud_error take_enumerated(const cli_call *call, const solve_request *request, solve_answer *answer) {
  if (answer->verdict == SOLVE_SOLVED || answer->verdict == SOLVE_FAILED) return THUD_OK;
  if (answer->solution_count == 0) {
    answer->verdict = SOLVE_INFEASIBLE;
    thud_text_print(&answer->reason, "%senumeration: no combination of modes gives a solution",
                    answer->reason.length > 0 ? "; " : "");
    return THUD_OK;
  }
  if (answer->problem->bilateral > 0) return THUD_OK; /* their impulses are not told */
  thud_contact_residual residual;
  thud_contact_evaluator *evaluator = NULL;
  thud_error error = thud_contact_evaluator_create(call->context, answer->problem, &evaluator);
  if (error == THUD_OK)
    error = thud_contact_evaluator_evaluate(evaluator, answer->solutions, NULL, NULL, answer->u, &residual);
  if (error == THUD_OK && residual.residual <= request->options.tolerance) {
    size_t ndof = thud_contact_ndof(answer->problem);
    memcpy(answer->r, answer->solutions, answer->size * sizeof(double));
    if (ndof > 0) memcpy(answer->v, thud_contact_evaluator_v(evaluator), ndof * sizeof(double));
    answer->residual = residual;
    answer->method = "enumeration";
    answer->iterations = 0;
    answer->verdict = SOLVE_SOLVED;
    answer->reason.length = 0; /* what the methods said of the problem is settled */
    answer->certificate.count = 0;
    answer->worst_count = 0;
  } else if (error == THUD_OK) { /* the velocities of the answer of the methods */
    error = thud_contact_evaluator_evaluate(evaluator, answer->r, NULL, NULL, answer->u, &residual);
  }
  thud_contact_evaluator_destroy(evaluator);
  return error;
}

static void find_all(const cli_call *call, const solve_request *request, double started, solve_answer *answer) {
  collection into = {.answer = answer, .context = call->context};
  solve_clock clock = {.until = request->options.max_seconds > 0 ? started + request->options.max_seconds : 0};
  const thud_stop stop = {.ask = solve_time_is_over, .user = &clock};
  thud_error error = thud_contact_enumerate_until(call->context, answer->problem, ENUMERATION_TOLERANCE, &stop, collect,
                                                  &into, &answer->solution_count);
  if (error == THUD_OK) error = into.error;
  if (error == THUD_ERROR_INTERRUPTED) {
    answer->interrupted = cli_interrupted();
    answer->enumeration_is_cut = true;
    thud_text_print(&answer->warnings, "the solutions were not enumerated to the end: %s\n",
                    answer->interrupted ? "interrupted" : "the time is over");
    return;
  }
  if (error == THUD_OK) error = take_enumerated(call, request, answer);
  if (error != THUD_OK) {
    answer->reason.length = 0;
    fail(call, error, answer);
  }
}

/* ---- one file -------------------------------------------------------------------------------------------------------
 */

static thud_error prepare(const cli_call *call, const solve_request *request, solve_answer *answer) {
  thud_context *context = call->context;
  thud_contact_diagnosis diagnosis;
  thud_error error = thud_problem_read(context, answer->path, &request->read, &answer->file);
  if (error != THUD_OK) return error;
  answer->problem = thud_problem_file_contents(answer->file).problem;
  error = thud_contact_validate(context, answer->problem, &diagnosis);
  if (error != THUD_OK) return error;
  if (request->output != NULL)
    error = thud_problem_check_writable(context, request->output, request->output_format, answer->problem);
  if (error == THUD_OK) error = solve_check_forces(call, request, answer);
  if (error != THUD_OK) return error;
  warn_of(answer, &diagnosis);
  answer->size = thud_contact_size(answer->problem);
  answer->r = THUD_NEW_ARRAY(context, double, answer->size);
  answer->u = THUD_NEW_ARRAY(context, double, answer->size);
  answer->v = THUD_NEW_ARRAY(context, double, thud_contact_ndof(answer->problem));
  answer->l = THUD_NEW_ARRAY(context, double, (size_t)answer->problem->bilateral);
  bool complete = answer->r != NULL && answer->u != NULL && answer->v != NULL && answer->l != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error write_output(const cli_call *call, const solve_request *request, const solve_answer *answer) {
  thud_problem_contents contents = thud_problem_file_contents(answer->file);
  contents.solution = (thud_problem_solution){.u = answer->u, .r = answer->r};
  if (thud_contact_ndof(answer->problem) > 0) contents.solution.v = answer->v;
  if (answer->problem->bilateral > 0) contents.solution.l = answer->l;
  return thud_problem_write(call->context, request->output, request->output_format, &contents, request->overwrite);
}

void solve_file(const cli_call *call, const solve_request *request, const char *path, solve_answer *answer) {
  *answer = (solve_answer){.path = path};
  answer->reason = thud_text_new(call->context);
  answer->warnings = thud_text_new(call->context);
  thud_error error = prepare(call, request, answer);
  if (error != THUD_OK) {
    fail(call, error, answer);
    return;
  }
  double started = thud_seconds();
  find_answer(call, request, answer);
  if (request->all && !answer->interrupted && answer->verdict != SOLVE_FAILED) find_all(call, request, started, answer);
  answer->seconds = thud_seconds() - started;
  if (answer->verdict != SOLVE_FAILED) {
    error = solve_examine_forces(call, request, started, answer);
    if (error != THUD_OK) fail(call, error, answer);
  }
  warn_of_penetration(request, answer);
  warn_of_units(request, answer);
  if (request->output == NULL || answer->verdict == SOLVE_FAILED) return;
  error = write_output(call, request, answer);
  if (error == THUD_OK) return;
  answer->reason.length = 0;
  fail(call, error, answer);
}

void solve_answer_release(thud_context *context, solve_answer *answer) {
  void *const blocks[] = {answer->r,
                          answer->u,
                          answer->v,
                          answer->l,
                          answer->solutions,
                          answer->isolated,
                          answer->intervals,
                          answer->rays,
                          answer->attempts,
                          answer->certificate_contacts,
                          answer->certificate_multipliers};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(context, blocks[k]);
  thud_text_free(&answer->reason);
  thud_text_free(&answer->warnings);
  thud_problem_file_destroy(answer->file);
  *answer = (solve_answer){0};
}
