/* Runs a `particles_on_line` scene: nodes go to the record, to the samples and to the list of events. */
#include "run/run_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_NODES = 500, MOST_NODES = 10000000 }; /* of an event-driven run whose scene does not say `every` */

void line_frame_numbers(const line_run *run, const thud_line_frame *frame, double *numbers) {
  size_t n = (size_t)run->n;
  memcpy(numbers, frame->v_left, n * sizeof(double));
  memcpy(numbers + n, frame->v, n * sizeof(double));
  memcpy(numbers + 2 * n, frame->reaction, n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    numbers[3 * n + i] = frame->involved[i];
    numbers[4 * n + i] = frame->mode[i];
  }
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static thud_error keep_event(line_run *run, const thud_line_frame *frame) {
  thud_context *context = run->scene->context;
  run->events_total++;
  if (run->kept >= run->options->max_events) return THUD_OK;
  thud_error error = thud_array_reserve(context, &run->events, &run->event_capacity, run->kept + 1, sizeof(line_note));
  if (error != THUD_OK) return error;
  double *numbers = THUD_NEW_ARRAY(context, double, 5 * run->n);
  if (numbers == NULL) return THUD_ERROR_MEMORY;
  line_frame_numbers(run, frame, numbers);
  run->events[run->kept++] =
      (line_note){.t = frame->t, .event = frame->event, .family = frame->family, .numbers = numbers};
  return THUD_OK;
}

static void add_samples(line_run *run, const thud_line_frame *frame) {
  size_t n = (size_t)run->n;
  memcpy(run->state, frame->q, n * sizeof(double));
  memcpy(run->state + n, frame->v_left, n * sizeof(double));
  thud_frame left = {.t = frame->t, .side = THUD_SIDE_LEFT, .state = run->state};
  collect_samples_add(&run->samples, &left);
  memcpy(run->state + n, frame->v, n * sizeof(double));
  thud_frame right = {.t = frame->t, .side = THUD_SIDE_VALUE, .state = run->state};
  collect_samples_add(&run->samples, &right);
}

static int on_frame(void *user, const thud_line_frame *frame) {
  line_run *run = user;
  add_samples(run, frame);
  run->sink_error = frame->event != THUD_LINE_PLAIN ? keep_event(run, frame) : THUD_OK;
  if (run->sink_error == THUD_OK) run->sink_error = line_record_frame(run, frame);
  if (run->sink_error != THUD_OK) return -1;
  const thud_run_options *options = run->options;
  if (options->progress == NULL) return 0;
  return options->progress(options->progress_user, frame->t, run->scene->start, run->scene->end) != 0;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* Times of the record and of the samples, increasing. */
static thud_error make_outputs(line_run *run) {
  const thud_scene *scene = run->scene;
  thud_context *context = scene->context;
  double span = scene->end - scene->start;
  double every = scene->record_every > 0 ? scene->record_every : span / DEFAULT_NODES;
  if (span / every > MOST_NODES)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: every %g s makes more than %d rows", every, MOST_NODES);
  size_t grid = run->options->record != NULL ? (size_t)(span / every * (1 + 1e-12)) : 0, count = 0;
  run->outputs = THUD_NEW_ARRAY(context, double, grid + run->samples.count);
  if (run->outputs == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 1, next = 0; k <= grid || next < run->samples.count;) {
    double t = k <= grid ? scene->start + (double)k * every : (double)INFINITY;
    double sample = next < run->samples.count ? run->samples.times[next] : (double)INFINITY;
    double first = fmin(t, sample);
    k += t == first;
    next += sample == first;
    if (count == 0 || first > run->outputs[count - 1]) run->outputs[count++] = first;
  }
  run->output_count = count;
  return THUD_OK;
}

static thud_error run_create(thud_scene *scene, const thud_run_options *options, line_run *run) {
  thud_context *context = scene->context;
  *run = (line_run){.scene = scene, .options = options, .n = scene->dimension, .next_record_time = scene->start};
  thud_error error = collect_samples_create(context, 2 * run->n, options->sample_count, options->sample_times,
                                            scene->start, scene->end, &run->samples);
  if (error != THUD_OK) return error;
  run->state = THUD_NEW_ARRAY(context, double, 2 * run->n);
  run->row = THUD_NEW_ARRAY(context, double, 6 * run->n);
  if (run->state == NULL || run->row == NULL) return THUD_ERROR_MEMORY;
  error = make_outputs(run);
  return error == THUD_OK ? line_record_start(run) : error;
}

static void run_destroy(line_run *run) {
  thud_context *context = run->scene->context;
  thud_record_abandon(run->writer);
  if (run->samples.context != NULL) collect_samples_destroy(&run->samples);
  for (size_t k = 0; k < run->kept; k++) thud_free(context, run->events[k].numbers);
  thud_free(context, run->events);
  thud_free(context, run->outputs);
  thud_free(context, run->state);
  thud_free(context, run->row);
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

static void set_verdict(line_run *run, thud_verdict verdict, const char *reason) {
  run->verdict = verdict;
  snprintf(run->reason, sizeof run->reason, "%s", reason);
}

static const char *status_text(thud_line_status status) {
  switch (status) {
  case THUD_LINE_COMPLETED: return "";
  case THUD_LINE_INTERRUPTED: return "interrupted";
  case THUD_LINE_BAD_DATA: return "bad data";
  case THUD_LINE_TOO_MANY: return "too many events";
  case THUD_LINE_STALLED: return "stalled";
  case THUD_LINE_UNSOLVED: return "not solved";
  }
  return "";
}

static void judge(line_run *run) {
  char reason[1024];
  snprintf(reason, sizeof reason, "%s after t = %.10g: %s", status_text(run->info.status), run->info.time,
           thud_context_last_message(run->scene->context));
  if (run->info.status == THUD_LINE_COMPLETED)
    set_verdict(run, THUD_VERDICT_GOOD, "");
  else if (run->info.status == THUD_LINE_INTERRUPTED) {
    snprintf(reason, sizeof reason, "interrupted at t = %.10g", run->info.time);
    set_verdict(run, THUD_VERDICT_STOPPED, reason);
  } else
    set_verdict(run, THUD_VERDICT_FAILED, reason);
}

/* A record that cannot be written any more is a verdict: what was computed and flushed before stays. */
static thud_error integrate(line_run *run) {
  const scene_line *made = run->scene->particles;
  thud_error error = thud_line_run(run->scene->context, made->line, &made->options, made->q0, made->v0,
                                   run->output_count, run->outputs, on_frame, run, NULL, NULL, &run->info);
  if (error == THUD_ERROR_CALLBACK && run->sink_error != THUD_OK) {
    if (run->sink_error == THUD_ERROR_MEMORY) return run->sink_error;
    set_verdict(run, THUD_VERDICT_FAILED, "the record could not be written any further");
    return THUD_OK;
  }
  if (error != THUD_OK) return error;
  collect_samples_finish(&run->samples);
  judge(run);
  return THUD_OK;
}

static thud_error close_record(line_run *run) {
  if (run->writer == NULL) return THUD_OK;
  char *summary = NULL, message[512];
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && line_warning(run, k, message, sizeof message); k++)
    error = thud_record_add_warning(run->writer, run->scene->start, "truncated-family", message);
  if (error == THUD_OK) error = line_write_json(run, false, &summary);
  return run_end_record(run->scene->context, error, &run->writer, run->verdict, run->reason, summary);
}

static thud_error write_result(const line_run *run, thud_run_result *result) {
  thud_run_result made = {.verdict = run->verdict};
  thud_error error = line_write_json(run, true, &made.json);
  if (error == THUD_OK) error = line_write_report(run, &made.report);
  return run_finish_result(run->scene->context, error, run->reason, &made, result);
}

thud_error scene_run_line(thud_scene *scene, const thud_run_options *options, thud_run_result *result) {
  line_run run;
  double begin = thud_seconds();
  thud_error error = run_create(scene, options, &run);
  if (error == THUD_OK) error = integrate(&run);
  run.wall_seconds = thud_seconds() - begin;
  thud_error closed = error == THUD_OK ? close_record(&run) : THUD_OK;
  if (closed == THUD_ERROR_MEMORY) error = closed;
  if (closed != THUD_OK && run.verdict == THUD_VERDICT_GOOD)
    set_verdict(&run, THUD_VERDICT_FAILED, thud_context_last_message(scene->context));
  if (error == THUD_OK) error = write_result(&run, result);
  run_destroy(&run);
  return error;
}
