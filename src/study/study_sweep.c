/* Sweeps of a parameter: one run per value, each with a context of its own, and the points of a section. */
#include "base/base.h"
#include "run/run.h"
#include "run/run_report.h"
#include "study/study_outcome.h"
#include "study/study_section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const thud_sweep_study_options fixed = {.count = 1};
static const thud_option_table options_table = {
    .name = "sweep", .struct_size = sizeof(thud_sweep_study_options), .fixed = &fixed};

const thud_option_table *thud_sweep_study_option_table(void) { return &options_table; }

/* ---- all runs
 * ------------------------------------------------------------------------------------------------------------ */

typedef struct one_result {
  thud_context *context; /* owns the points */
  thud_sweep_point *points;
  size_t count;
  thud_error error;
  bool failed; /* the run ended early: message says why */
  char message[512];
} one_result;

typedef struct sweep_job {
  const thud_sweep_study_options *options;
  const char *text;    /* the scene as JSON */
  bool to_end;         /* of a kind without sections */
  one_result *results; /* [count] */
  size_t first;        /* run of task 0 */
} sweep_job;

double thud_sweep_value(const thud_sweep_study_options *options, size_t k) {
  if (options->count == 1) return options->from;
  double s = (double)k / (double)(options->count - 1);
  return (1 - s) * options->from + s * options->to;
}

/* The scene of a text with the parameter at a value; to be destroyed also on failure. */
static thud_error read_with(thud_context *context, const char *text, const char *parameter, double value,
                            thud_tree **tree) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", value);
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), tree);
  return error == THUD_OK ? thud_tree_set(*tree, parameter, digits) : error;
}

thud_error thud_sweep_build(thud_context *context, const char *text, const char *parameter, double value,
                            thud_scene **scene) {
  thud_tree *tree = NULL;
  thud_error error = read_with(context, text, parameter, value, &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_error build(thud_context *context, const sweep_job *job, double value, thud_scene **scene) {
  thud_error error = thud_sweep_build(context, job->text, job->options->parameter, value, scene);
  const thud_kind_study *study = error == THUD_OK ? (*scene)->kind->study : NULL;
  if (error == THUD_OK && thud_scene_has_switches(*scene))
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "[bad-study] sweeps do not follow data with conditions");
  if (error != THUD_OK || (study != NULL && study->find_constraint != NULL && study->start != NULL)) return error;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                   "[bad-study] sections are those of 'system' scenes; of others sweeps show numbers at the end "
                   "(--section end)");
}

/* The run went to `time` only. */
static void note_failure(const section_run *run, double time, one_result *result) {
  result->failed = true;
  snprintf(result->message, sizeof result->message, "%s = %.10g: the run ended at t = %.10g: %s",
           run->options->parameter, run->value, time, thud_context_last_message(run->context));
}

static thud_error go_through(section_run *run, one_result *result) {
  const thud_kind *kind = run->scene->kind;
  const thud_row_sink sink = {.frame = thud_section_on_row, .event = thud_section_on_event, .user = run};
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  thud_error error = THUD_OK;
  while (error == THUD_OK && reached.status == THUD_MOTION_RUNNING)
    error = kind->advance(run->scene->motion, &sink, &reached);
  if (error == THUD_OK && reached.status != THUD_MOTION_COMPLETED) note_failure(run, reached.t, result);
  if (error == THUD_OK) error = kind->finish(run->scene->motion, &sink);
  if (error == THUD_OK && run->options->section == THUD_SECTION_END)
    thud_section_add_point(run, run->t_before, run->right);
  return run->error != THUD_OK ? run->error : error;
}

/* A run of a kind without sections: its quantity at the end, from its summary. */
static thud_error run_to_end(const sweep_job *job, size_t k, one_result *result) {
  thud_context *context = result->context;
  const thud_sweep_study_options *options = job->options;
  double value = thud_sweep_value(options, k), quantity = NAN;
  study_outcome outcome = {0};
  thud_tree *tree = NULL;
  thud_error error = read_with(context, job->text, options->parameter, value, &tree);
  if (error == THUD_OK) error = thud_outcome_run(context, tree, 0, NULL, NULL, NULL, &outcome);
  if (error == THUD_OK) error = thud_outcome_evaluate(&outcome, options->quantity, &quantity);
  if (error == THUD_OK) result->points = THUD_NEW(context, thud_sweep_point);
  if (error == THUD_OK && result->points == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    result->count = 1;
    *result->points = (thud_sweep_point){.run = k, .value = value, .t = outcome.time, .quantity = quantity};
    result->failed = !outcome.good;
    if (result->failed)
      snprintf(result->message, sizeof result->message, "%s = %.10g: %.400s", options->parameter, value,
               outcome.message);
  }
  thud_outcome_free(&outcome);
  thud_tree_destroy(tree);
  return error;
}

static void run_one(const sweep_job *job, size_t k) {
  one_result *result = &job->results[k];
  result->error = thud_context_create(NULL, &result->context);
  if (result->error != THUD_OK) return;
  if (job->to_end) {
    result->error = run_to_end(job, k, result);
    if (result->error != THUD_OK)
      snprintf(result->message, sizeof result->message, "%s", thud_context_last_message(result->context));
    return;
  }
  thud_scene *scene = NULL;
  section_run run = {
      .context = result->context, .options = job->options, .run = k, .value = thud_sweep_value(job->options, k)};
  result->error = build(result->context, job, run.value, &scene);
  run.scene = scene;
  if (result->error == THUD_OK) result->error = thud_section_prepare(&run);
  if (result->error == THUD_OK) result->error = go_through(&run, result);
  if (result->error != THUD_OK)
    snprintf(result->message, sizeof result->message, "%s", thud_context_last_message(result->context));
  result->points = run.points.items;
  result->count = run.points.count;
  thud_section_release(&run);
  thud_scene_destroy(scene);
}

static void run_task(void *user, size_t k) {
  const sweep_job *job = user;
  run_one(job, job->first + k);
}

/* In the order of the runs, whoever was first. */
static thud_error gather(thud_context *context, const sweep_job *job, thud_sweep_study *study) {
  size_t total = 0;
  for (size_t k = 0; k < job->options->count; k++) {
    const one_result *result = &job->results[k];
    if (result->error != THUD_OK) return thud_fail(context, result->error, "%s", result->message);
    if (result->failed && study->failed++ == 0) snprintf(study->message, sizeof study->message, "%s", result->message);
    total += result->count;
  }
  study->points = THUD_NEW_ARRAY(context, thud_sweep_point, total);
  if (study->points == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < job->options->count; k++) {
    const one_result *result = &job->results[k];
    if (result->count > 0) memcpy(study->points + study->count, result->points, result->count * sizeof *result->points);
    study->count += result->count;
  }
  return THUD_OK;
}

static thud_error check(thud_context *context, const thud_sweep_study_options *options) {
  if (options->parameter == NULL || options->quantity == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] a sweep needs a parameter and a quantity");
  if (options->count < 1 || options->count > 1000000)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] a sweep has from 1 to 1000000 values, not %zu",
                     options->count);
  bool needs = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  if (needs && options->where == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] the section needs an expression");
  return THUD_OK;
}

thud_error thud_study_sweep(thud_context *context, const thud_tree *tree, const thud_sweep_study_options *given,
                            thud_sweep_study *study) {
  THUD_REQUIRE(context, context, tree, study);
  thud_sweep_study_options chosen;
  thud_error error = thud_options_take(context, &options_table, given, &chosen);
  const thud_sweep_study_options *options = &chosen;
  if (error == THUD_OK) error = check(context, options);
  if (error != THUD_OK) return error;
  thud_sweep_study made = {.context = context};
  sweep_job job = {.options = options};
  char *text = NULL;
  error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) return error;
  const thud_kind *kind = thud_run_kind_of(thud_tree_root(tree));
  bool sections = kind != NULL && kind->study != NULL && kind->study->find_constraint != NULL;
  job.text = text;
  job.to_end = kind != NULL && !sections && options->section == THUD_SECTION_END;
  job.results = THUD_NEW_ARRAY(context, one_result, options->count);
  if (job.results == NULL) error = THUD_ERROR_MEMORY;
  size_t done = 0, block = options->progress != NULL ? (size_t)thud_context_threads(context) * 4 : options->count;
  bool stopped = false;
  while (done < options->count && error == THUD_OK && !stopped) {
    size_t end = options->count - done < block ? options->count : done + block;
    job.first = done;
    thud_parallel_for(context, end - done, run_task, &job);
    done = end;
    stopped = options->progress != NULL &&
              options->progress(options->progress_user, (double)done / (double)options->count, 0, 1) != 0;
  }
  if (error == THUD_OK) error = gather(context, &job, &made);
  if (error == THUD_OK && stopped && done < options->count) {
    made.failed += options->count - done;
    snprintf(made.message, sizeof made.message, "interrupted after %zu of %zu runs, whose points are kept", done,
             options->count);
  }
  for (size_t k = 0; job.results != NULL && k < options->count; k++) {
    if (job.results[k].context == NULL) continue;
    thud_free(job.results[k].context, job.results[k].points);
    thud_context_destroy(job.results[k].context);
  }
  thud_free(context, job.results);
  thud_tree_free_text(tree, text);
  if (error == THUD_OK)
    *study = made;
  else
    thud_sweep_study_free(&made);
  return error;
}

void thud_sweep_study_free(thud_sweep_study *study) {
  THUD_REQUIRE_OR(, study);
  if (study->context != NULL) thud_free(study->context, study->points);
  *study = (thud_sweep_study){0};
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

double thud_section_evaluate(section_run *run, const thud_expr *expr, double t, const double *state) {
  run->variables[run->scene->time_slot] = t;
  for (size_t k = 0; k < run->state.count; k++) run->variables[run->slots[k]] = state[k];
  return thud_expr_evaluate(expr, run->variables);
}

void thud_section_add_point(section_run *run, double t, const double *state) {
  if (t < run->options->after || run->error != THUD_OK) return;
  run->error = thud_array_reserve(run->context, &run->points.items, &run->points.capacity, run->points.count + 1,
                                  sizeof(thud_sweep_point));
  if (run->error != THUD_OK) return;
  run->points.items[run->points.count++] = (thud_sweep_point){
      .run = run->run, .value = run->value, .t = t, .quantity = thud_section_evaluate(run, run->quantity, t, state)};
}

/* ---- preparing it ------------------------------------------------------------------------------------------------ */

static thud_error compile(section_run *run, const char *what, const char *source, thud_expr **expr) {
  thud_error error = thud_expr_compile(run->context, run->scene->scope, source, NULL, expr);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  char detail[512];
  snprintf(detail, sizeof detail, "%s", thud_context_last_message(run->context));
  return thud_fail(run->context, error, "[bad-study] the %s '%.100s': %s", what, source, detail);
}

/* Channels of the events that impacts are read from. */
static thud_error find_impacts(section_run *run, const thud_record_layout *layout) {
  size_t count = layout->count[THUD_RECORD_EVENTS];
  const thud_record_channel *channels = layout->channels[THUD_RECORD_EVENTS];
  section_impacts *impact = &run->impact;
  impact->before = thud_report_find_role(count, channels, "before");
  impact->component = thud_report_find_name(count, channels, "reactions");
  impact->impulse = thud_report_find_role(count, channels, "impulse");
  impact->constraint = -1;
  for (size_t k = 0; k < channels[1].label_count; k++)
    if (strcmp(channels[1].labels[k], "impact") == 0) impact->kind = (double)k;
  if (run->options->section != THUD_SECTION_IMPACTS || run->options->where == NULL) return THUD_OK;
  impact->constraint = run->scene->kind->study->find_constraint(run->scene, run->options->where);
  if (impact->constraint >= 0) return THUD_OK;
  return thud_fail(run->context, THUD_ERROR_NOT_FOUND,
                   "[bad-study] there is no constraint '%.100s' whose impacts could be looked at", run->options->where);
}

static thud_error allocate_section(section_run *run, const thud_record_layout *layout) {
  thud_context *context = run->context;
  thud_expr_scope *scope = run->scene->scope;
  thud_error error = thud_run_state_create(context, layout->count[THUD_RECORD_FRAMES],
                                           layout->channels[THUD_RECORD_FRAMES], &run->state);
  if (error != THUD_OK) return error;
  size_t n = run->state.count;
  run->variables = THUD_NEW_ARRAY(context, double, thud_expr_scope_variable_count(scope));
  run->slots = THUD_NEW_ARRAY(context, thud_index, n);
  run->left = THUD_NEW_ARRAY(context, double, 4 * n);
  if (run->variables == NULL || run->slots == NULL || run->left == NULL) return THUD_ERROR_MEMORY;
  run->right = run->left + n;
  run->before = run->right + n;
  run->mid = run->before + n;
  for (size_t k = 0; k < n; k++) run->slots[k] = thud_expr_scope_find_variable(scope, run->state.names[k]);
  return THUD_OK;
}

/* From the state at the start. */
static thud_error find_period(section_run *run) {
  run->scene->kind->study->start(run->scene, run->right);
  run->period = thud_section_evaluate(run, run->where, run->scene->start, run->right);
  if (!(run->period > 0))
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "[bad-study] the period '%.100s' is %g: it must be positive",
                     run->options->where, run->period);
  run->next_period = ceil(fmax(run->options->after, run->scene->start) / run->period) * run->period;
  return THUD_OK;
}

thud_error thud_section_prepare(section_run *run) {
  const thud_sweep_study_options *options = run->options;
  const thud_record_layout *layout = run->scene->kind->layout(run->scene->motion);
  bool has_where = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  thud_error error = allocate_section(run, layout);
  if (error == THUD_OK) error = compile(run, "quantity", options->quantity, &run->quantity);
  if (error == THUD_OK && has_where) error = compile(run, "section", options->where, &run->where);
  if (error == THUD_OK) error = find_impacts(run, layout);
  return error == THUD_OK && options->section == THUD_SECTION_PERIOD ? find_period(run) : error;
}

void thud_section_release(section_run *run) {
  thud_run_state_free(run->context, &run->state);
  thud_expr_destroy(run->quantity);
  thud_expr_destroy(run->where);
  thud_free(run->context, run->variables);
  thud_free(run->context, run->slots);
  thud_free(run->context, run->left);
  thud_free(run->context, run->impact.waiting);
}

/* ---- sections of motions of any kind, from their rows ------------------------------------------------------------ */

/* Sections of motions of any kind, from their rows: on the series of a row, or between two rows, where states are
 * linear. */

enum {
  PIECES_PER_DEGREE = 4, /* an arc is as long as its series allows: what is smooth is like a polynomial of its degree on
                            it, and changes of sign are looked for in this many times as many pieces */
  MOST_HALVINGS = 200    /* of a piece with a change of sign; neighbouring numbers are reached long before */
};

/* A value of the section's expression below this, relative to the largest of the run so far, is 0 at the ends of a
 * stretch: there it is known with the rounding of the motion, and a motion that leaves a zero has not passed through
 * it. */
static const double ZERO = 1e-12;

/* A stretch of the motion without jumps. */
typedef struct stretch {
  double t0, t1;
  int pieces;
  const thud_record_cell *cells; /* series; NULL: linear from one state to the other */
  const double *from, *to;
} stretch;

/* The state stays in run->mid. */
static const double *state_at(section_run *run, const stretch *on, double t) {
  if (on->cells != NULL) {
    thud_run_state_at(&run->state, on->cells, t, run->mid);
    return run->mid;
  }
  double s = (t - on->t0) / (on->t1 - on->t0);
  for (size_t k = 0; k < run->state.count; k++) run->mid[k] = on->from[k] + s * (on->to[k] - on->from[k]);
  return run->mid;
}

static double where_at(section_run *run, const stretch *on, double t) {
  return thud_section_evaluate(run, run->where, t, state_at(run, on, t));
}

/* The expression is negative at a and not at b: bisection down to neighbouring numbers. */
static double find_passage(section_run *run, const stretch *on, double a, double b) {
  for (int k = 0; k < MOST_HALVINGS; k++) {
    double middle = a + (b - a) / 2;
    if (middle <= a || middle >= b) break;
    if (where_at(run, on, middle) < 0)
      a = middle;
    else
      b = middle;
  }
  return b;
}

static void look_for_zeros(section_run *run, const stretch *on) {
  double h = on->t1 - on->t0, a = on->t0, before = where_at(run, on, a);
  run->where_size = fmax(run->where_size, fabs(before));
  if (fabs(before) <= ZERO * run->where_size) before = 0;
  for (int k = 1; k <= on->pieces; k++) {
    double b = k < on->pieces ? on->t0 + h * k / on->pieces : on->t1, now = where_at(run, on, b);
    run->where_size = fmax(run->where_size, fabs(now));
    if (k == on->pieces && fabs(now) <= ZERO * run->where_size) now = 0;
    if (before < 0 && now >= 0) {
      double t = find_passage(run, on, a, b);
      thud_section_add_point(run, t, state_at(run, on, t));
    }
    before = now;
    a = b;
  }
}

static void look_for_periods(section_run *run, const stretch *on) {
  for (; run->next_period <= on->t1; run->next_period += run->period)
    if (run->next_period > on->t0) thud_section_add_point(run, run->next_period, state_at(run, on, run->next_period));
}

/* That of the row's series, or from the row before. At a row without a jump the motion arrives with its right limit:
 * the velocity that an impact law would have seen is, in some schemes, the one that the step began with. */
static stretch stretch_to(const section_run *run, double t, unsigned flags, const thud_record_cell *cells) {
  const run_state *state = &run->state;
  if (thud_run_state_has_series(state)) {
    size_t terms = cells[state->parts[0].channel].count / state->parts[0].width;
    return (stretch){
        .t0 = t, .t1 = cells[state->end].values[0], .pieces = PIECES_PER_DEGREE * (int)terms, .cells = cells};
  }
  const double *to = (flags & THUD_ROW_KEEP) != 0 ? run->left : run->right;
  return (stretch){.t0 = run->begun ? run->t_before : t, .t1 = t, .pieces = 1, .from = run->before, .to = to};
}

/* Impacts at the time of the row: its coordinates, the velocities before. */
static void add_impacts(section_run *run) {
  size_t n = run->state.count / 2;
  memcpy(run->mid, run->right, n * sizeof(double));
  for (size_t k = 0; k < run->impact.count; k++) {
    const double *one = run->impact.waiting + k * (1 + n);
    memcpy(run->mid + n, one + 1, n * sizeof(double));
    thud_section_add_point(run, one[0], run->mid);
  }
  run->impact.count = 0;
}

int thud_section_on_row(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  section_run *run = user;
  if (run->options->section == THUD_SECTION_IMPACTS && run->impact.count == 0) return 0;
  thud_run_state_read(&run->state, cells, run->left, run->right);
  add_impacts(run);
  stretch on = stretch_to(run, t, flags, cells);
  if (run->options->section == THUD_SECTION_ZEROS && on.t1 > on.t0) look_for_zeros(run, &on);
  if (run->options->section == THUD_SECTION_PERIOD && on.t1 > on.t0) look_for_periods(run, &on);
  run->t_before = t;
  run->begun = true;
  memcpy(run->before, run->right, run->state.count * sizeof(double));
  return run->error == THUD_OK ? 0 : -1;
}

/* Is the constraint struck by the impact of this event? */
static bool is_struck(const section_impacts *impact, const thud_record_cell *cells) {
  if (impact->constraint < 0) return true;
  const thud_record_cell *component = &cells[impact->component], *impulse = &cells[impact->impulse];
  for (size_t k = 0; k < component->count; k++)
    if ((thud_index)component->values[k] == impact->constraint) return impulse->values[k] != 0;
  return false;
}

int thud_section_on_event(void *user, double t, const thud_record_cell *cells) {
  section_run *run = user;
  section_impacts *impact = &run->impact;
  bool is_impact = run->options->section == THUD_SECTION_IMPACTS && cells[1].values[0] == impact->kind;
  if (!is_impact || !is_struck(impact, cells)) return 0;
  size_t width = 1 + run->state.count / 2;
  run->error = thud_array_reserve(run->context, &impact->waiting, &impact->capacity, (impact->count + 1) * width,
                                  sizeof(double));
  if (run->error != THUD_OK) return -1;
  double *one = impact->waiting + impact->count++ * width;
  one[0] = t;
  memcpy(one + 1, cells[impact->before].values, (width - 1) * sizeof(double));
  return 0;
}
