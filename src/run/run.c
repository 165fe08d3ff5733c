/* Runs a built scene: the integrator's frames go to the record, to the samples and to the list of events; the end is a
 * verdict. */
#include "run/run.h"
#include "scene/line.h"
#include "run/run_branch.h"
#include "scene/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

thud_run_options thud_run_options_default(void) {
  return (thud_run_options){.size = sizeof(thud_run_options), .max_events = 1000};
}

/* ---- frames --------------------------------------------------------------------------------------------- */

static thud_error record_frame(scene_run *run, const thud_frame *frame, bool is_event) {
  if (run->writer == NULL) return THUD_OK;
  const thud_scene *scene = run->scene;
  bool last = frame->t >= scene->end;
  bool due = scene->record_every == 0 || frame->t >= run->next_record_time || last;
  bool jump = is_event || frame->side != THUD_SIDE_VALUE || frame->t == run->last_left_time;
  if (frame->side == THUD_SIDE_LEFT) run->last_left_time = frame->t;
  if (!due && !jump) return THUD_OK;
  if (due && scene->record_every > 0) {
    double passed = floor((frame->t - scene->start) / scene->record_every * (1 + 1e-12));
    run->next_record_time = scene->start + (passed + 1) * scene->record_every * (1 - 1e-12);
  }
  thud_error error = thud_record_append_frame(run->writer, frame);
  if (error == THUD_OK) run->recorded++;
  if (error == THUD_OK && is_event) {
    char text[64];
    snprintf(text, sizeof text, "frame %zu: the state jumps", run->recorded - 1);
    error = thud_record_add_event(run->writer, frame->t, "jump", text);
  }
  return error;
}

static int on_frame(void *user, const thud_frame *frame) {
  scene_run *run = user;
  bool is_event;
  collect_samples_add(&run->samples, frame);
  memcpy(run->final, frame->state, (size_t)run->scene->dimension * sizeof(double));
  run->info.time = frame->t;
  run->sink_error = collect_events_add(&run->events, frame, &is_event);
  if (run->sink_error == THUD_OK) run->sink_error = record_frame(run, frame, is_event);
  if (run->sink_error != THUD_OK) return -1;
  const thud_run_options *options = run->options;
  if (options->progress == NULL) return 0;
  return options->progress(options->progress_user, frame->t, run->scene->start, run->scene->end) != 0;
}

static int on_watch(void *user, const thud_frame *frame) {
  const scene_run *run = user;
  (void)frame;
  const thud_run_options *options = run->options;
  /* The motion is done; the progress stays at its end while the error is being estimated. */
  return options->progress != NULL &&
         options->progress(options->progress_user, run->scene->end, run->scene->start, run->scene->end) != 0;
}

/* ---- start, middle, end ------------------------------------------------------------------------------------- */

thud_error scene_options_json(thud_context *context, const thud_option_table *table, const void *options,
                              int refinements, char **json) {
  thud_text text = thud_text_new(context);
  thud_json writer = thud_json_new(&text);
  thud_json_begin_object(&writer);
  if (refinements >= 0) thud_json_integer_field(&writer, "refinements", refinements);
  for (size_t k = 0; k < table->count; k++) {
    char value[64];
    thud_options_format(&table->keys[k], options, value, sizeof value);
    thud_json_string_field(&writer, table->keys[k].name, value);
  }
  thud_json_end_object(&writer);
  if (text.error != THUD_OK) {
    thud_error error = text.error;
    thud_text_free(&text);
    return error;
  }
  *json = text.data;
  return THUD_OK;
}

const char *scene_common_unit(const thud_scene *scene) {
  for (thud_index k = 1; k < scene->dimension; k++)
    if (strcmp(scene->units[k], scene->units[0]) != 0) return "";
  return scene->units[0];
}

static thud_error start_record(scene_run *run) {
  const thud_scene *scene = run->scene;
  if (run->options->record == NULL) return THUD_OK;
  char *options = NULL;
  thud_error error =
      scene_options_json(scene->context, thud_sweep_option_table(), &scene->sweep, scene->refinements, &options);
  if (error != THUD_OK) return error;
  thud_scene_info info = thud_scene_get_info(scene);
  thud_record_header header = {.title = scene->title, .method = info.method, .scene = scene->text, .options = options};
  thud_record_motion motion = {.dimension = (size_t)scene->dimension,
                               .names = info.coordinates,
                               .time_unit = scene->time_unit,
                               .state_unit = scene_common_unit(scene)};
  thud_record_options record = thud_record_options_default();
  record.overwrite = run->options->overwrite;
  error = thud_record_create_motion(scene->context, run->options->record, &record, &header, &motion, &run->writer);
  thud_free(scene->context, options);
  return error;
}

static thud_error run_create(thud_scene *scene, const thud_run_options *options, scene_run *run) {
  *run = (scene_run){.scene = scene,
                     .options = options,
                     .next_record_time = scene->start,
                     .error_estimate = NAN,
                     .last_left_time = NAN};
  thud_error error = collect_samples_create(scene->context, scene->dimension, options->sample_count,
                                            options->sample_times, scene->start, scene->end, &run->samples);
  if (error != THUD_OK) return error;
  error = collect_events_create(scene->context, scene->dimension, options->max_events, scene->sweep.tolerance,
                                &run->events);
  if (error == THUD_OK) {
    run->final = THUD_NEW_ARRAY(scene->context, double, scene->dimension);
    if (run->final == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK) error = start_record(run);
  return error;
}

static void run_destroy(scene_run *run) {
  thud_context *context = run->scene->context;
  thud_record_abandon(run->writer);
  collect_samples_destroy(&run->samples);
  if (run->events.context != NULL) collect_events_destroy(&run->events);
  thud_free(context, run->final);
}

static void set_verdict(scene_run *run, thud_verdict verdict, const char *reason) {
  run->verdict = verdict;
  snprintf(run->reason, sizeof run->reason, "%s", reason);
}

static const char *status_text(thud_run_status status) {
  switch (status) {
  case THUD_RUN_COMPLETED: return "";
  case THUD_RUN_INTERRUPTED: return "interrupted";
  case THUD_RUN_NOT_CONVERGED: return "not converged";
  case THUD_RUN_EMPTY_SET: return "the set is empty";
  case THUD_RUN_BAD_DATA: return "bad data";
  }
  return "";
}

static void judge(scene_run *run) {
  char reason[1024];
  const char *detail = thud_context_last_message(run->scene->context);
  if (run->info.status == THUD_RUN_COMPLETED) {
    set_verdict(run, THUD_VERDICT_GOOD, "");
  } else if (run->info.status == THUD_RUN_INTERRUPTED) {
    set_verdict(run, THUD_VERDICT_STOPPED, detail);
  } else {
    snprintf(reason, sizeof reason, "%s: %s", status_text(run->info.status), detail);
    set_verdict(run, THUD_VERDICT_FAILED, reason);
  }
}

static thud_error estimate_error(scene_run *run, const thud_sweep_problem *problem, const thud_partition *partition) {
  const thud_scene *scene = run->scene;
  if (scene->refinements == 0 || run->verdict != THUD_VERDICT_GOOD) return THUD_OK;
  thud_sink watch = {.frame = on_watch, .user = run};
  thud_error error = thud_sweep_refine(scene->context, scene->method, problem, partition, &scene->sweep,
                                       scene->refinements, &watch, run->refinements, &run->error_estimate);
  if (error == THUD_OK) {
    run->refinement_count = scene->refinements;
  } else if (error == THUD_ERROR_INTERRUPTED) {
    set_verdict(run, THUD_VERDICT_STOPPED, "interrupted while the error was being estimated; the motion is complete");
    error = THUD_OK;
  } else if (error == THUD_ERROR_NOT_CONVERGED) {
    /* The motion itself is certified; only the estimate is missing. */
    snprintf(run->no_estimate, sizeof run->no_estimate, "no error estimate: on a finer partition, %s",
             thud_context_last_message(scene->context));
    error = THUD_OK;
  }
  return error;
}

static thud_error integrate(scene_run *run) {
  const thud_scene *scene = run->scene;
  thud_partition *partition = NULL;
  thud_error error = thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, scene->jumps.count,
                                            scene->jumps.items, &partition);
  if (error != THUD_OK) return error;
  thud_sweep_problem problem = {.set = scene_moving_set(scene), .metric = scene->metric, .initial = scene->initial};
  thud_sink sink = {.frame = on_frame, .user = run};
  error = (scene->method == THUD_SWEEP_REGULARISED ? thud_sweep_regularised : thud_sweep_catching_up)(
      scene->context, &problem, partition, &scene->sweep, &sink, run->final, &run->info);
  if (error == THUD_OK) {
    collect_samples_finish(&run->samples);
    judge(run);
    error = estimate_error(run, &problem, partition);
  }
  thud_partition_destroy(partition);
  return error;
}

static const char *const verdict_names[] = {"good", "failed", "stopped"};

const char *run_verdict_name(thud_verdict verdict) { return verdict_names[verdict]; }

thud_error run_end_record(thud_context *context, thud_error error, thud_record_writer **writer, thud_verdict verdict,
                          const char *reason, char *summary) {
  thud_record_writer *ended = *writer;
  *writer = NULL; /* closing frees it, whatever happens */
  if (error == THUD_OK)
    error = thud_record_close(ended, run_verdict_name(verdict), reason, summary);
  else
    thud_record_abandon(ended);
  thud_free(context, summary);
  return error;
}

thud_error run_finish_result(thud_context *context, thud_error error, const char *reason, thud_run_result *made,
                             thud_run_result *result) {
  if (error == THUD_OK) {
    made->reason = thud_strdup(context, reason);
    if (made->reason == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error != THUD_OK)
    thud_run_result_free(context, made);
  else
    *result = *made;
  return error;
}

/* Closes the record with the verdict; the summary inside carries no wall-clock figures. */
static thud_error close_record(scene_run *run) {
  if (run->writer == NULL) return THUD_OK;
  char *summary = NULL;
  thud_error error = run_write_json(run, false, &summary);
  if (error != THUD_OK) return error;
  if (run->initial_warning)
    error = thud_record_add_warning(run->writer, run->scene->start, "initial-outside",
                                    "the initial state was projected onto the set");
  if (error == THUD_OK && run->no_estimate[0] != '\0')
    error = thud_record_add_warning(run->writer, run->scene->end, "no-estimate", run->no_estimate);
  return run_end_record(run->scene->context, error, &run->writer, run->verdict, run->reason, summary);
}

static thud_error write_result(const scene_run *run, thud_run_result *result) {
  thud_run_result made = {.verdict = run->verdict};
  thud_error error = run_write_json(run, true, &made.json);
  if (error == THUD_OK) error = run_write_report(run, &made.report);
  return run_finish_result(run->scene->context, error, run->reason, &made, result);
}

thud_error thud_scene_run(thud_scene *scene, const thud_run_options *options, thud_run_result *result) {
  if (scene == NULL || options == NULL || result == NULL || options->size != sizeof *options)
    return thud_fail(scene != NULL ? scene->context : NULL, THUD_ERROR_ARGUMENT,
                     "a run needs a scene, options made by thud_run_options_default() and a result");
  if (options->branches > 0) return scene_run_branches(scene, options, result);
  if (scene->lagrangian != NULL) return scene_run_system(scene, options, result);
  if (scene->particles != NULL && !options->resume) return scene_run_line(scene, options, result);
  if (options->resume)
    return thud_fail(scene->context, THUD_ERROR_UNSUPPORTED,
                     "runs of '%s' scenes make no checkpoints: run the scene anew", thud_scene_get_info(scene).kind);
  scene_run run;
  double begin = thud_seconds();
  thud_error error = run_create(scene, options, &run);
  if (error == THUD_OK) {
    run.initial_warning = thud_scene_get_info(scene).starts_outside;
    error = integrate(&run);
    /* A record that cannot be written any more is a verdict: what was computed and flushed before stays. */
    if (error == THUD_ERROR_CALLBACK && run.sink_error != THUD_OK && run.sink_error != THUD_ERROR_MEMORY) {
      set_verdict(&run, THUD_VERDICT_FAILED, thud_context_last_message(scene->context));
      error = THUD_OK;
    } else if (error == THUD_ERROR_CALLBACK) {
      error = run.sink_error;
    }
    run.wall_seconds = thud_seconds() - begin;
    thud_error closed = error == THUD_OK ? close_record(&run) : THUD_OK;
    if (closed != THUD_OK && run.verdict == THUD_VERDICT_GOOD)
      set_verdict(&run, THUD_VERDICT_FAILED, thud_context_last_message(scene->context));
    if (error == THUD_OK) error = write_result(&run, result);
  }
  if (run.scene != NULL) run_destroy(&run);
  return error;
}

void thud_run_result_free(thud_context *context, thud_run_result *result) {
  thud_free(context, result->reason);
  thud_free(context, result->json);
  thud_free(context, result->report);
  *result = (thud_run_result){0};
}
