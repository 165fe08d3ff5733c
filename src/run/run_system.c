/* Runs a `system` scene: the motion's frames go to the record, to the samples and to the list of impacts. */
#include "run/run_event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

thud_error system_run_add_event(system_run *run, double t, size_t count, double **numbers) {
  thud_context *context = run->scene->context;
  *numbers = NULL;
  if (run->kept >= run->options->max_events) return THUD_OK;
  void *items = run->events;
  thud_error error = thud_array_reserve(context, &items, &run->event_capacity, run->kept + 1, sizeof(system_event));
  run->events = items;
  double *made = error == THUD_OK ? THUD_NEW_ARRAY(context, double, count) : NULL;
  if (made == NULL) return THUD_ERROR_MEMORY;
  run->events[run->kept++] = (system_event){.t = t, .numbers = made};
  *numbers = made;
  return THUD_OK;
}

size_t system_event_size(const system_run *run) { return 2 * (size_t)run->n + 2 * (size_t)run->m + (size_t)run->s; }

thud_error system_run_keep_event(system_run *run, double t, const double *before, const double *after,
                                 const double *reaction, const double *atom) {
  size_t n = (size_t)run->n, m = (size_t)run->m, s = (size_t)run->s;
  double *numbers;
  thud_error error = system_run_add_event(run, t, system_event_size(run), &numbers);
  if (error != THUD_OK || numbers == NULL) return error;
  memcpy(numbers, before, n * sizeof(double));
  memcpy(numbers + n, after, n * sizeof(double));
  memcpy(numbers + 2 * n, reaction, (m + s) * sizeof(double));
  memcpy(numbers + 2 * n + m + s, atom, m * sizeof(double));
  return THUD_OK;
}

system_present system_run_present(const system_run *run) {
  if (run->event == NULL) {
    thud_motion_frame last = thud_motion_present(run->motion);
    return (system_present){.t = last.t, .q = last.q, .v = last.v, .ledger = last.ledger};
  }
  system_present present = {.ledger = run->event->info.ledger};
  thud_event_motion_present(run->event->motion, &present.t, &present.q, &present.v);
  return present;
}

int system_run_progress(const system_run *run, double t) {
  const thud_run_options *options = run->options;
  if (options->progress == NULL) return 0;
  return options->progress(options->progress_user, t, run->scene->start, run->scene->end) != 0;
}

/* ---- frames -------------------------------------------------------------------------------------------------------
 */

/* Between two nodes q is linear, and v too, from its right limit to the next left limit. */
static void add_samples(system_run *run, const thud_motion_frame *frame) {
  size_t n = (size_t)run->n;
  if (run->samples.count == 0) return;
  memcpy(run->state, frame->q, n * sizeof(double));
  memcpy(run->state + n, frame->v_left, n * sizeof(double));
  thud_frame left = {.t = frame->t, .side = THUD_SIDE_LEFT, .state = run->state};
  collect_samples_add(&run->samples, &left);
  memcpy(run->state + n, frame->v, n * sizeof(double));
  thud_frame right = {.t = frame->t, .side = THUD_SIDE_VALUE, .state = run->state};
  collect_samples_add(&run->samples, &right);
}

void system_run_note(system_run *run, const double *q, const double *v) {
  for (thud_index i = 0; i < run->n; i++) {
    run->largest[i] = fmax(run->largest[i], fabs(q[i]));
    run->largest[run->n + i] = fmax(run->largest[run->n + i], fabs(v[i]));
  }
}

static thud_error take_frame(system_run *run, const thud_motion_frame *frame) {
  thud_error error = THUD_OK;
  add_samples(run, frame);
  system_run_note(run, frame->q, frame->v_left);
  for (thud_index i = 0; i < run->m; i++) {
    run->flags[i] = frame->atom[i];
    run->flags[run->m + i] = frame->acting[i];
  }
  if (frame->impact) {
    run->counters.events_total++;
    error = system_run_keep_event(run, frame->t, frame->v_left, frame->v, frame->reaction, run->flags);
  }
  if (error == THUD_OK && run->writer != NULL) error = system_record_frame(run, frame);
  return error == THUD_OK ? system_record_checkpoint(run, frame->t) : error;
}

static int on_frame(void *user, const thud_motion_frame *frame) {
  system_run *run = user;
  run->sink_error = take_frame(run, frame);
  if (run->sink_error != THUD_OK) return -1;
  return system_run_progress(run, frame->t);
}

/* ---- start, middle, end ---------------------------------------------------------------------------------------------
 */

static thud_error run_create(thud_scene *scene, const thud_run_options *options, struct branch_path *path,
                             system_run *run) {
  scene_system *made = scene->lagrangian;
  bool checkpoints = made->checkpoint_every > 0 && path == NULL;
  thud_context *context = scene->context;
  *run = (system_run){
      .scene = scene,
      .options = options,
      .n = scene->dimension,
      .m = thud_system_constraint_count(made->system),
      .s = thud_system_slip_count(made->system),
      .counters = {.next_record_time = scene->start,
                   .last_recorded = NAN,
                   .first_graze = NAN,
                   .first_gain = NAN,
                   .next_checkpoint = checkpoints ? scene->start + made->checkpoint_every : (double)INFINITY},
      .path = path};
  thud_error error = collect_samples_create(context, 2 * run->n, options->sample_count, options->sample_times,
                                            scene->start, scene->end, &run->samples);
  if (error != THUD_OK) return error;
  run->state = THUD_NEW_ARRAY(context, double, 2 * run->n);
  run->largest = THUD_NEW_ARRAY(context, double, 2 * run->n);
  run->flags = THUD_NEW_ARRAY(context, double, 2 * run->m);
  if (run->state == NULL || run->largest == NULL || run->flags == NULL) return THUD_ERROR_MEMORY;
  system_run_note(run, made->q0, made->v0);
  error = made->event_driven
              ? event_run_create(run)
              : thud_motion_create(context, made->system, &made->motion, made->q0, made->v0, &run->motion);
  return error == THUD_OK ? system_record_start(run) : error;
}

void system_run_destroy(system_run *run) {
  thud_context *context = run->scene->context;
  thud_record_abandon(run->writer);
  if (run->samples.context != NULL) collect_samples_destroy(&run->samples);
  thud_motion_destroy(run->motion);
  event_run_destroy(run);
  for (size_t k = 0; k < run->kept; k++) thud_free(context, run->events[k].numbers);
  thud_free(context, run->events);
  thud_free(context, run->state);
  thud_free(context, run->largest);
  thud_free(context, run->flags);
  thud_free(context, run->block);
}

static void set_verdict(system_run *run, thud_verdict verdict, const char *reason) {
  run->verdict = verdict;
  snprintf(run->reason, sizeof run->reason, "%s", reason);
}

static const char *status_text(thud_motion_status status) {
  switch (status) {
  case THUD_MOTION_COMPLETED: return "";
  case THUD_MOTION_INTERRUPTED: return "interrupted";
  case THUD_MOTION_NOT_CONVERGED: return "not converged";
  case THUD_MOTION_BLOW_UP: return "blow-up";
  case THUD_MOTION_BAD_DATA: return "bad data";
  case THUD_MOTION_MASS: return "mass matrix not positive definite";
  case THUD_MOTION_UNQUALIFIED: return "no admissible motion";
  case THUD_MOTION_ENERGY: return "energy created";
  case THUD_MOTION_STEP_TOO_SMALL: return "step too small";
  }
  return "";
}

void system_run_fail(system_run *run, double t, const char *what) {
  char reason[1024];
  const char *detail = thud_context_last_message(run->scene->context);
  if (isnan(t))
    snprintf(reason, sizeof reason, "%s: %s", what, detail);
  else
    snprintf(reason, sizeof reason, "%s after t = %.10g: %s", what, t, detail);
  set_verdict(run, THUD_VERDICT_FAILED, reason);
}

void system_run_stop(system_run *run, double t) {
  char reason[64];
  snprintf(reason, sizeof reason, "interrupted at t = %.10g", t);
  set_verdict(run, THUD_VERDICT_STOPPED, reason);
}

static void judge(system_run *run) {
  if (run->info.status == THUD_MOTION_COMPLETED)
    set_verdict(run, THUD_VERDICT_GOOD, "");
  else if (run->info.status == THUD_MOTION_INTERRUPTED)
    system_run_stop(run, run->info.time);
  else
    system_run_fail(run, run->info.time, status_text(run->info.status));
}

/* The last node is in the record whatever the thinning says. */
static thud_error record_last(system_run *run) {
  if (run->writer == NULL) return THUD_OK;
  thud_motion_frame last = thud_motion_present(run->motion);
  if (last.t == run->counters.last_recorded) return THUD_OK;
  for (thud_index i = 0; i < run->m; i++) {
    run->flags[i] = last.atom[i];
    run->flags[run->m + i] = last.acting[i];
  }
  run->counters.next_record_time = last.t;
  return system_record_frame(run, &last);
}

static thud_error close_record(system_run *run) {
  if (run->writer == NULL) return THUD_OK;
  char *summary = NULL, message[512];
  const char *code;
  double t;
  thud_error error = run->event != NULL ? THUD_OK : record_last(run);
  for (size_t k = 0; error == THUD_OK && system_warning(run, k, &code, &t, message, sizeof message); k++)
    error = thud_record_add_warning(run->writer, t, code, message);
  if (error == THUD_OK) error = system_write_json(run, false, &summary);
  return run_end_record(run->scene->context, error, &run->writer, run->verdict, run->reason, summary);
}

static thud_error write_result(const system_run *run, thud_run_result *result) {
  thud_run_result made = {.verdict = run->verdict};
  thud_error error = system_write_json(run, true, &made.json);
  if (error == THUD_OK) error = system_write_report(run, &made.report);
  return run_finish_result(run->scene->context, error, run->reason, &made, result);
}

/* A record that cannot be written any more is a verdict: what was computed and flushed before stays. */
static thud_error integrate(system_run *run) {
  thud_error error =
      run->event != NULL ? event_run_integrate(run) : thud_motion_run(run->motion, on_frame, run, &run->info);
  if (error == THUD_ERROR_CALLBACK && run->sink_error != THUD_OK) {
    if (run->sink_error == THUD_ERROR_MEMORY) return run->sink_error;
    set_verdict(run, THUD_VERDICT_FAILED, thud_context_last_message(run->scene->context));
    return THUD_OK;
  }
  if (error != THUD_OK) return error;
  collect_samples_finish(&run->samples);
  if (run->event != NULL)
    event_run_judge(run);
  else
    judge(run);
  return THUD_OK;
}

thud_error system_run_whole(thud_scene *scene, const thud_run_options *options, struct branch_path *path,
                            system_run *run) {
  double begin = thud_seconds();
  thud_error error = run_create(scene, options, path, run);
  if (error == THUD_OK) error = integrate(run);
  run->wall_seconds = thud_seconds() - begin;
  thud_error closed = error == THUD_OK ? close_record(run) : THUD_OK;
  if (closed != THUD_OK && run->verdict == THUD_VERDICT_GOOD)
    set_verdict(run, THUD_VERDICT_FAILED, thud_context_last_message(scene->context));
  return error;
}

thud_error scene_run_system(thud_scene *scene, const thud_run_options *options, thud_run_result *result) {
  system_run run;
  thud_error error = system_run_whole(scene, options, NULL, &run);
  if (error == THUD_OK) error = write_result(&run, result);
  system_run_destroy(&run);
  return error;
}
