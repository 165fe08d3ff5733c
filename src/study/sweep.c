/* Sweeps of a parameter: one run per value, each with a context of its own, and the points of a section. */
#include "thud/study.h"
#include "scene/system.h"
#include "study/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

thud_sweep_study_options thud_sweep_study_options_default(void) {
  return (thud_sweep_study_options){.size = sizeof(thud_sweep_study_options), .count = 1};
}

/* ---- one run
 * ----------------------------------------------------------------------------------------------------------- */

typedef struct point_list {
  size_t count, capacity;
  thud_sweep_point *items;
} point_list;

/* What a run keeps while it goes; everything belongs to its own context. */
typedef struct section_run {
  thud_context *context;
  const thud_sweep_study_options *options;
  const thud_scene *scene;
  size_t run;
  double value;
  thud_expr *quantity, *where; /* where: NULL for impacts and the end */
  double *variables;           /* [variables of the scope] */
  thud_index *q_slots, *v_slots;
  thud_index constraint; /* whose impacts count, -1: any */
  double period, next_period;
  bool begun;
  double t_before, where_before;
  double *q_before, *v_before, *q_mid, *v_mid; /* [n] */
  point_list points;
  thud_error error;
} section_run;

static double evaluate(section_run *run, const thud_expr *expr, double t, const double *q, const double *v) {
  run->variables[run->scene->time_slot] = t;
  for (thud_index k = 0; k < run->scene->dimension; k++) {
    run->variables[run->q_slots[k]] = q[k];
    run->variables[run->v_slots[k]] = v[k];
  }
  return thud_expr_evaluate(expr, run->variables);
}

static void add_point(section_run *run, double t, const double *q, const double *v) {
  if (t < run->options->after || run->error != THUD_OK) return;
  void *items = run->points.items;
  run->error =
      thud_array_reserve(run->context, &items, &run->points.capacity, run->points.count + 1, sizeof(thud_sweep_point));
  run->points.items = items;
  if (run->error != THUD_OK) return;
  run->points.items[run->points.count++] = (thud_sweep_point){
      .run = run->run, .value = run->value, .t = t, .quantity = evaluate(run, run->quantity, t, q, v)};
}

/* Between two nodes: q linear, v linear from the last right limit to the next left limit. */
static void add_between(section_run *run, double t, const thud_motion_frame *frame) {
  double s = (t - run->t_before) / (frame->t - run->t_before);
  const double *v = study_arriving(frame);
  for (thud_index k = 0; k < run->scene->dimension; k++) {
    run->q_mid[k] = run->q_before[k] + s * (frame->q[k] - run->q_before[k]);
    run->v_mid[k] = run->v_before[k] + s * (v[k] - run->v_before[k]);
  }
  add_point(run, t, run->q_mid, run->v_mid);
}

static void look_at_impacts(section_run *run, const thud_motion_frame *frame) {
  if (!frame->impact) return;
  if (run->constraint < 0 || frame->atom[run->constraint]) add_point(run, frame->t, frame->q, frame->v_left);
}

static void look_for_zero(section_run *run, const thud_motion_frame *frame) {
  double now = evaluate(run, run->where, frame->t, frame->q, study_arriving(frame));
  if (run->begun && run->where_before < 0 && now >= 0) {
    double s = run->where_before / (run->where_before - now);
    add_between(run, run->t_before + s * (frame->t - run->t_before), frame);
  }
  run->where_before = evaluate(run, run->where, frame->t, frame->q, frame->v);
}

static void look_for_period(section_run *run, const thud_motion_frame *frame) {
  for (; run->begun && run->next_period <= frame->t; run->next_period += run->period)
    if (run->next_period > run->t_before) add_between(run, run->next_period, frame);
}

static int on_frame(void *user, const thud_motion_frame *frame) {
  section_run *run = user;
  size_t bytes = (size_t)run->scene->dimension * sizeof(double);
  switch (run->options->section) {
  case THUD_SECTION_IMPACTS: look_at_impacts(run, frame); break;
  case THUD_SECTION_ZEROS: look_for_zero(run, frame); break;
  case THUD_SECTION_PERIOD: look_for_period(run, frame); break;
  case THUD_SECTION_END: break;
  }
  run->t_before = frame->t;
  memcpy(run->q_before, frame->q, bytes);
  memcpy(run->v_before, frame->v, bytes);
  run->begun = true;
  return run->error == THUD_OK ? 0 : -1;
}

/* ---- preparing it
 * ------------------------------------------------------------------------------------------------------ */

static thud_error compile(section_run *run, const char *what, const char *source, thud_expr **expr) {
  thud_error error = thud_expr_compile(run->context, run->scene->scope, source, NULL, expr);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  char detail[512];
  snprintf(detail, sizeof detail, "%s", thud_context_last_message(run->context));
  return thud_fail(run->context, error, "the %s '%.100s': %s", what, source, detail);
}

static thud_error find_constraint(section_run *run) {
  const thud_system *system = run->scene->lagrangian->system;
  run->constraint = -1;
  if (run->options->section != THUD_SECTION_IMPACTS || run->options->where == NULL) return THUD_OK;
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++)
    if (strcmp(thud_system_constraint(system, i)->name, run->options->where) == 0) run->constraint = i;
  if (run->constraint >= 0) return THUD_OK;
  return thud_fail(run->context, THUD_ERROR_NOT_FOUND,
                   "there is no constraint '%.100s' whose impacts could be looked at", run->options->where);
}

static thud_error allocate(section_run *run) {
  thud_context *context = run->context;
  const thud_scene *scene = run->scene;
  size_t n = (size_t)scene->dimension;
  run->variables = THUD_NEW_ARRAY(context, double, thud_expr_scope_variable_count(scene->scope));
  run->q_slots = THUD_NEW_ARRAY(context, thud_index, 2 * n);
  run->q_before = THUD_NEW_ARRAY(context, double, 4 * n);
  if (run->variables == NULL || run->q_slots == NULL || run->q_before == NULL) return THUD_ERROR_MEMORY;
  run->v_slots = run->q_slots + n;
  run->v_before = run->q_before + n;
  run->q_mid = run->v_before + n;
  run->v_mid = run->q_mid + n;
  for (size_t k = 0; k < n; k++) {
    run->q_slots[k] = thud_expr_scope_find_variable(scene->scope, scene->coordinates[k]);
    run->v_slots[k] = thud_expr_scope_find_variable(scene->scope, scene->lagrangian->velocities[k]);
  }
  return THUD_OK;
}

static thud_error prepare(section_run *run) {
  const thud_sweep_study_options *options = run->options;
  bool has_where = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  thud_error error = allocate(run);
  if (error == THUD_OK) error = compile(run, "quantity", options->quantity, &run->quantity);
  if (error == THUD_OK && has_where) error = compile(run, "section", options->where, &run->where);
  if (error == THUD_OK) error = find_constraint(run);
  if (error != THUD_OK || options->section != THUD_SECTION_PERIOD) return error;
  const scene_system *made = run->scene->lagrangian;
  run->period = evaluate(run, run->where, run->scene->start, made->q0, made->v0);
  if (!(run->period > 0))
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the period '%.100s' is %g: it must be positive",
                     options->where, run->period);
  run->next_period = ceil(fmax(options->after, run->scene->start) / run->period) * run->period;
  return THUD_OK;
}

static void release(section_run *run) {
  thud_expr_destroy(run->quantity);
  thud_expr_destroy(run->where);
  thud_free(run->context, run->variables);
  thud_free(run->context, run->q_slots);
  thud_free(run->context, run->q_before);
}

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
  one_result *results; /* [count] */
  size_t first;        /* run of task 0 */
} sweep_job;

static double value_of(const thud_sweep_study_options *options, size_t k) {
  if (options->count == 1) return options->from;
  double s = (double)k / (double)(options->count - 1);
  return (1 - s) * options->from + s * options->to;
}

static thud_error build(thud_context *context, const sweep_job *job, double value, thud_scene **scene) {
  thud_tree *tree = NULL;
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", value);
  thud_error error = thud_tree_read_text(context, "scene", job->text, strlen(job->text), &tree);
  if (error == THUD_OK) error = thud_tree_set(tree, job->options->parameter, digits);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  if (error != THUD_OK || (*scene)->lagrangian != NULL) return error;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED, "parameter sweeps are for 'system' scenes");
}

static thud_error move_through(section_run *run, one_result *result) {
  const scene_system *made = run->scene->lagrangian;
  thud_motion *motion = NULL;
  thud_motion_info info;
  thud_error error = thud_motion_create(run->context, made->system, &made->motion, made->q0, made->v0, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, on_frame, run, &info);
  if (error == THUD_ERROR_CALLBACK && run->error != THUD_OK) error = run->error;
  if (error == THUD_OK && run->options->section == THUD_SECTION_END) {
    thud_motion_frame last = thud_motion_present(motion);
    add_point(run, last.t, last.q, last.v);
    error = run->error;
  }
  if (error == THUD_OK && info.status != THUD_MOTION_COMPLETED) {
    result->failed = true;
    snprintf(result->message, sizeof result->message, "%s = %.10g: the run ended at t = %.10g: %s",
             run->options->parameter, run->value, info.time, thud_context_last_message(run->context));
  }
  thud_motion_destroy(motion);
  return error;
}

static void run_one(const sweep_job *job, size_t k) {
  one_result *result = &job->results[k];
  result->error = thud_context_create(NULL, &result->context);
  if (result->error != THUD_OK) return;
  thud_scene *scene = NULL;
  section_run run = {.context = result->context, .options = job->options, .run = k, .value = value_of(job->options, k)};
  result->error = build(result->context, job, run.value, &scene);
  run.scene = scene;
  if (result->error == THUD_OK) result->error = prepare(&run);
  if (result->error == THUD_OK) result->error = move_through(&run, result);
  if (result->error != THUD_OK)
    snprintf(result->message, sizeof result->message, "%s", thud_context_last_message(result->context));
  result->points = run.points.items;
  result->count = run.points.count;
  release(&run);
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

static thud_error check(thud_context *context, const thud_tree *tree, const thud_sweep_study_options *options) {
  if (tree == NULL || options == NULL || options->size != sizeof *options || options->parameter == NULL ||
      options->quantity == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweep needs a scene, a parameter and a quantity");
  if (options->count < 1 || options->count > 1000000)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweep has from 1 to 1000000 values, not %zu", options->count);
  bool needs = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  if (needs && options->where == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the section needs an expression");
  return THUD_OK;
}

thud_error thud_study_sweep(thud_context *context, const thud_tree *tree, const thud_sweep_study_options *options,
                            thud_sweep_study *study) {
  thud_error error = check(context, tree, options);
  if (error != THUD_OK) return error;
  thud_sweep_study made = {.context = context};
  sweep_job job = {.options = options};
  char *text = NULL;
  error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) return error;
  job.text = text;
  job.results = THUD_NEW_ARRAY(context, one_result, options->count);
  if (job.results == NULL) error = THUD_ERROR_MEMORY;
  size_t block = options->progress != NULL ? (size_t)thud_context_threads(context) * 4 : options->count;
  for (size_t k = 0; k < options->count && error == THUD_OK; k += block) {
    size_t end = options->count - k < block ? options->count : k + block;
    job.first = k;
    thud_parallel_for(context, end - k, run_task, &job);
    double done = (double)end / (double)options->count;
    if (error == THUD_OK && options->progress != NULL && options->progress(options->progress_user, done, 0, 1) != 0)
      error = thud_fail(context, THUD_ERROR_INTERRUPTED, "interrupted after %zu of %zu runs", end, options->count);
  }
  if (error == THUD_OK) error = gather(context, &job, &made);
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
  if (study->context != NULL) thud_free(study->context, study->points);
  *study = (thud_sweep_study){0};
}
