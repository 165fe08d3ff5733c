/* Sweeps of a parameter of quasi-static scenes: one run per value, and what it found. */
#include "base/base.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "run/run.h"
#include "study/study_section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct elastic_job {
  const thud_sweep_study_options *options;
  const char *text; /* the scene as JSON */
  thud_elastic_sweep_row *rows;
  thud_error *errors; /* [count] */
} elastic_job;

static int drop_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  (void)user, (void)t, (void)flags, (void)cells;
  return 0;
}

static int drop_event(void *user, double t, const thud_record_cell *cells) {
  (void)user, (void)t, (void)cells;
  return 0;
}

static thud_error go_through(thud_context *context, thud_scene *scene, thud_elastic_sweep_row *row) {
  const thud_row_sink sink = {.frame = drop_frame, .event = drop_event};
  const thud_motion *motion = thud_quasistatic_motion_of(scene);
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  thud_error error = THUD_OK;
  if (motion == NULL) return thud_fail(context, THUD_ERROR_UNSUPPORTED, "this sweep is for 'quasistatic' scenes");
  while (error == THUD_OK && reached.status == THUD_MOTION_RUNNING)
    error = scene->kind->advance(scene->motion, &sink, &reached);
  row->info = thud_quasistatic_motion_get_info(motion);
  row->ledger = thud_quasistatic_motion_present(motion).ledger;
  row->good = error == THUD_OK && reached.status == THUD_MOTION_COMPLETED;
  if (!row->good) snprintf(row->message, sizeof row->message, "%s", thud_context_last_message(context));
  return error;
}

static void run_one(void *user, size_t k) {
  const elastic_job *job = user;
  thud_elastic_sweep_row *row = &job->rows[k];
  thud_context *context = NULL;
  thud_scene *scene = NULL;
  row->value = thud_sweep_value(job->options, k);
  job->errors[k] = thud_context_create(NULL, &context);
  if (job->errors[k] != THUD_OK) return;
  job->errors[k] = thud_sweep_build(context, job->text, job->options->parameter, row->value, &scene);
  if (job->errors[k] == THUD_OK) job->errors[k] = go_through(context, scene, row);
  if (job->errors[k] != THUD_OK) snprintf(row->message, sizeof row->message, "%s", thud_context_last_message(context));
  thud_scene_destroy(scene);
  thud_context_destroy(context);
}

static thud_error check(thud_context *context, const thud_sweep_study_options *options) {
  if (options->parameter == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweep needs a parameter");
  if (options->quantity != NULL || options->where != NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "sweeps of quasi-static scenes have no section and no quantity");
  if (options->count < 1 || options->count > 1000000)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweep has from 1 to 1000000 values, not %zu", options->count);
  return THUD_OK;
}

thud_error thud_study_sweep_elastic(thud_context *context, const thud_tree *tree, const thud_sweep_study_options *given,
                                    thud_elastic_sweep *study) {
  THUD_REQUIRE(context, context, tree, study);
  thud_sweep_study_options options;
  thud_error error = thud_options_take(context, thud_sweep_study_option_table(), given, &options);
  if (error == THUD_OK) error = check(context, &options);
  if (error != THUD_OK) return error;
  thud_elastic_sweep made = {.context = context, .count = options.count};
  elastic_job job = {.options = &options};
  char *text = NULL;
  error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) return error;
  job.text = text;
  job.rows = made.rows = THUD_NEW_ARRAY(context, thud_elastic_sweep_row, options.count);
  job.errors = THUD_NEW_ARRAY(context, thud_error, options.count);
  if (job.rows == NULL || job.errors == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) thud_parallel_for(context, options.count, run_one, &job);
  for (size_t k = 0; k < options.count && error == THUD_OK; k++) {
    if (job.errors[k] != THUD_OK) error = thud_fail(context, job.errors[k], "%s", job.rows[k].message);
    made.failed += !made.rows[k].good;
  }
  thud_free(context, job.errors);
  thud_tree_free_text(tree, text);
  if (error == THUD_OK)
    *study = made;
  else
    thud_free(context, made.rows);
  return error;
}

void thud_elastic_sweep_free(thud_elastic_sweep *study) {
  THUD_REQUIRE_OR(, study);
  if (study->context != NULL) thud_free(study->context, study->rows);
  *study = (thud_elastic_sweep){0};
}
