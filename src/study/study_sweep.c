/* Sweeps of a parameter: one run per value, each with a context of its own, and the points of a section. */
#include "base/base.h"
#include "study/study_section.h"

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
  one_result *results; /* [count] */
  size_t first;        /* run of task 0 */
} sweep_job;

double thud_sweep_value(const thud_sweep_study_options *options, size_t k) {
  if (options->count == 1) return options->from;
  double s = (double)k / (double)(options->count - 1);
  return (1 - s) * options->from + s * options->to;
}

thud_error thud_sweep_build(thud_context *context, const char *text, const char *parameter, double value,
                            thud_scene **scene) {
  thud_tree *tree = NULL;
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", value);
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_tree_set(tree, parameter, digits);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_error build(thud_context *context, const sweep_job *job, double value, thud_scene **scene) {
  thud_error error = thud_sweep_build(context, job->text, job->options->parameter, value, scene);
  const thud_kind_study *study = error == THUD_OK ? (*scene)->kind->study : NULL;
  if (error != THUD_OK || (study != NULL && study->find_constraint != NULL && study->start != NULL)) return error;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED, "parameter sweeps are for 'system' and 'quasistatic' scenes");
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

static void run_one(const sweep_job *job, size_t k) {
  one_result *result = &job->results[k];
  result->error = thud_context_create(NULL, &result->context);
  if (result->error != THUD_OK) return;
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
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweep needs a parameter and a quantity");
  if (options->count < 1 || options->count > 1000000)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweep has from 1 to 1000000 values, not %zu", options->count);
  bool needs = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  if (needs && options->where == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the section needs an expression");
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
  job.text = text;
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
