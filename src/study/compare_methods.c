/* thud's methods as solvers of a comparison. */
#include "study/study_compare.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_RUNS = 3 };           /* runs in which create + solve is measured too */
enum { ITERATIONS_MAX = 1000000 }; /* the time limit comes first */
enum { CLOCK_FACTOR = 5 }; /* a limit by the clock behind that of processor time: others use the processors too */

/* ---- the time limit ------------------------------------------------------------------------------------------- */

/* Ends a run at its processor time, or when the caller asks for it. The clock of a thread is a call of the system: it is
 * read about a hundred times within the limit, at most at every iteration and at least at every MOST_CALLS-th. */
typedef struct watch {
  const thud_stop *stop;
  double started, limit;
  int calls, next; /* of the function below; the clock is read at `next` */
  bool late, stopped;
} watch;

enum { FIRST_CALLS = 8, MOST_CALLS = 64 };
enum { LARGE = 300 }; /* unknowns from which on an iteration takes so long that the clock is read at the first one */

static int on_progress(void *user, int iterations, double residual) {
  watch *w = user;
  (void)iterations;
  (void)residual;
  if (++w->calls < w->next) return 0;
  double spent = thud_compare_cpu_seconds() - w->started, each = spent / w->calls;
  w->next = w->calls + (int)fmax(1, fmin(MOST_CALLS, 0.01 * w->limit / fmax(each, 1e-9)));
  w->late = spent > w->limit;
  w->stopped = w->stop != NULL && w->stop->ask != NULL && w->stop->ask(w->stop->user) != 0;
  return w->late || w->stopped;
}

static void start(watch *w, const compare_job *job) {
  *w = (watch){.stop = job->stop, .limit = job->max_seconds, .next = FIRST_CALLS};
  if (thud_contact_size(job->problem) >= LARGE) w->next = 1;
  w->started = thud_compare_cpu_seconds();
}

/* ---- runs ---------------------------------------------------------------------------------------------------------- */

typedef struct method_state {
  thud_solver *solver;
  watch watch;
  int runs;
} method_state;

static thud_solver_options options_of(const compare_job *job, double tolerance, watch *w) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_seconds = CLOCK_FACTOR * job->max_seconds;
  options.max_iterations = ITERATIONS_MAX;
  options.progress = on_progress;
  options.progress_user = w;
  return options;
}

/* create + solve: what a problem costs that nobody has seen before. r and l arrive as zeros. */
static thud_error time_fresh(const compare_solver *solver, const compare_job *job, double tolerance, double *r,
                             double *l, double *seconds) {
  watch w;
  thud_solver_options options = options_of(job, tolerance, &w);
  thud_solver *made = NULL;
  start(&w, job);
  thud_error error = thud_solver_create(job->context, solver->row, job->problem, &options, &made);
  if (error == THUD_OK) error = thud_solver_solve(made, r, NULL, NULL, l, NULL);
  if (error == THUD_OK && !w.late && !w.stopped) *seconds = thud_compare_cpu_seconds() - w.started;
  thud_solver_destroy(made);
  return error;
}

static thud_error time_first(const compare_solver *solver, const compare_job *job, double tolerance, double *seconds) {
  thud_context *context = job->context;
  double *r = THUD_NEW_ARRAY(context, double, thud_contact_size(job->problem));
  double *l = THUD_NEW_ARRAY(context, double, job->problem->bilateral);
  thud_error error = r != NULL && l != NULL ? time_fresh(solver, job, tolerance, r, l, seconds) : THUD_ERROR_MEMORY;
  thud_free(context, l);
  thud_free(context, r);
  return error;
}

/* How it ended unless solved, and the methods that were at work: auto turns from one to the next. */
static void write_note(const thud_solver_info *info, bool late, char note[THUD_COMPARE_NOTE]) {
  const char *word = late ? "time limit" : thud_solver_status_name(info->status);
  bool solved = info->status == THUD_SOLVED;
  size_t used = 0, room = THUD_COMPARE_NOTE;
  note[0] = 0;
  if (info->attempt_count == 1 && strcmp(info->attempts[0].method, "auto") == 0) { /* it turned to none */
    snprintf(note, room, "%s", solved ? "the start r = 0" : word);
    return;
  }
  if (!solved) used = (size_t)snprintf(note, room, "%s: ", word);
  for (size_t k = 0; k < info->attempt_count && used < room; k++)
    used += (size_t)snprintf(note + used, room - used, "%s%s", k > 0 ? " > " : "", info->attempts[k].method);
  if (used >= room) memcpy(note + room - sizeof " ...", " ...", sizeof " ..."); /* there were more */
}

/* The reason why a solver was refused, without commas; memory and interruptions are errors of the comparison. */
static thud_error refuse(const compare_job *job, thud_error error, thud_compare_result *result) {
  if (error == THUD_ERROR_MEMORY || error == THUD_ERROR_INTERRUPTED) return error;
  result->status = THUD_COMPARE_REFUSED;
  snprintf(result->note, sizeof result->note, "%s", thud_context_last_message(job->context));
  for (char *at = result->note; *at != '\0'; at++)
    if (*at == ',' || *at == '\n') *at = ';';
  return THUD_OK;
}

static thud_error run_method(const compare_solver *solver, const compare_job *job, double tolerance, void **state,
                             compare_answer *answer, thud_compare_result *result) {
  method_state *mine = *state;
  thud_solver_info info;
  thud_error error = THUD_OK;
  if (mine == NULL) {
    mine = *state = THUD_NEW(job->context, method_state);
    if (mine == NULL) return THUD_ERROR_MEMORY;
    thud_solver_options options = options_of(job, tolerance, &mine->watch);
    start(&mine->watch, job);
    error = thud_solver_create(job->context, solver->row, job->problem, &options, &mine->solver);
    if (error != THUD_OK) return refuse(job, error, result);
  }
  start(&mine->watch, job);
  error = thud_solver_update(mine->solver, job->problem);
  if (error == THUD_OK) error = thud_solver_solve(mine->solver, answer->r, NULL, NULL, answer->l, &info);
  result->seconds = thud_compare_cpu_seconds() - mine->watch.started;
  if (error != THUD_OK) return refuse(job, error, result);
  if (mine->watch.stopped) return thud_compare_interrupted(job);
  bool late = mine->watch.late || info.status == THUD_SOLVER_TIME;
  result->status = late ? THUD_COMPARE_TIME : THUD_COMPARE_SOLVED;
  result->iterations = info.iterations;
  write_note(&info, late, result->note);
  if (!late && mine->runs++ < FIRST_RUNS) error = time_first(solver, job, tolerance, &result->first_seconds);
  return error;
}

static void end_method(const compare_solver *solver, const compare_job *job, void *state) {
  method_state *mine = state;
  (void)solver;
  thud_solver_destroy(mine->solver);
  thud_free(job->context, mine);
}

/* ---- the list ------------------------------------------------------------------------------------------------------ */

/* True when the name is one of the words between commas. */
static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
  return list == NULL;
}

static void put(compare_solver *solver, const char *name, const thud_solver_method *method) {
  *solver = (compare_solver){.family = name, .row = method, .run = run_method, .end = end_method};
  snprintf(solver->name, sizeof solver->name, "%s", name);
}

thud_error thud_compare_methods(thud_context *context, const thud_contact_problem *problem, const char *methods,
                                compare_solver **list, size_t *count) {
  compare_solver *made = THUD_NEW_ARRAY(context, compare_solver, thud_solver_method_count() + 1);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t found = 0;
  if (is_listed(methods, "auto")) put(&made[found++], "auto", NULL);
  for (size_t k = 0; k < thud_solver_method_count(); k++) {
    const thud_solver_method *method = thud_solver_method_at(k);
    const char *name = thud_solver_method_name(method);
    bool wanted = strcmp(name, "auto") != 0 && is_listed(methods, name);
    if (wanted && thud_solver_method_takes(method, problem)) put(&made[found++], name, method);
  }
  *list = made;
  *count = found;
  return THUD_OK;
}
