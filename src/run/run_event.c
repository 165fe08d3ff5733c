/* Runs a `system` scene from event to event: arcs and events go to the record, to the samples and to the list of
 * events. */
#include "run/run_event.h"
#include "run/run_branch.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Times of events carry a few roundings: a sample asked for at 3 belongs to an event at 3 - 4e-16. */
static const double sample_rounding = 16 * DBL_EPSILON;

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static void add_state(system_run *run, double t, const double *q, const double *v) {
  size_t n = (size_t)run->n;
  memmove(run->state, q, n * sizeof(double));
  memmove(run->state + n, v, n * sizeof(double));
  thud_frame frame = {.t = t, .side = THUD_SIDE_VALUE, .state = run->state};
  collect_samples_add(&run->samples, &frame);
}

static void add_arc_state(system_run *run, const thud_event_arc *arc, double t) {
  thud_event_arc_evaluate(arc, run->n, t, run->state, run->state + run->n);
  add_state(run, t, run->state, run->state + run->n);
}

/* Every asked time within the arc gets a frame of its own; the end of the arc is a left limit. What replaces the rest
 * of an accumulation has no velocity at its end: the event says it. */
static void sample_arc(system_run *run, const thud_event_arc *arc) {
  collect_samples *samples = &run->samples;
  double after = arc->t0 + sample_rounding * fabs(arc->t0), before = arc->t1 - sample_rounding * fabs(arc->t1);
  if (samples->count == 0) return;
  if (!samples->any) add_arc_state(run, arc, arc->t0);
  for (size_t k = samples->next; k < samples->count && samples->times[k] < before; k++)
    if (samples->times[k] > after) add_arc_state(run, arc, samples->times[k]);
  if (!arc->accumulation) add_arc_state(run, arc, arc->t1);
}

static void sample_event(system_run *run, const thud_event *event) {
  if (run->samples.count == 0) return;
  add_state(run, event->t, event->q, event->v_before);
  add_state(run, event->t, event->q, event->v_after);
}

/* ---- what the motion hands out ----------------------------------------------------------------------------------- */

/* Slip that goes on in another direction: every sliding contact of the event slid before. */
static bool is_reversal(const system_run *run, const thud_event *event) {
  bool any = false;
  for (thud_index i = 0; i < run->m; i++) {
    if (!event->involved[i] || event->mode_after[i] != THUD_CONTACT_SLIDING) continue;
    if (event->mode_before[i] != THUD_CONTACT_SLIDING) return false;
    any = true;
  }
  return event->kind == THUD_EVENT_SLIP && any;
}

static void count_event(system_run *run, const thud_event *event) {
  system_counters *counters = &run->counters;
  bool impact = event->kind == THUD_EVENT_IMPACT;
  counters->events_total++;
  counters->kinds[event->kind]++;
  counters->tangential += event->tangential;
  counters->reversals += is_reversal(run, event);
  if (event->kind == THUD_EVENT_GRAZE && isnan(counters->first_graze)) counters->first_graze = event->t;
  /* reduced restitutions gain nothing, and have a warning of their own */
  if (!impact || !event->percussion.gained || event->percussion.restitution_factor < 1) return;
  counters->gains++;
  if (isnan(counters->first_gain)) counters->first_gain = event->t;
}

static int on_event(void *user, const thud_event *event) {
  system_run *run = user;
  count_event(run, event);
  system_run_note(run, event->q, event->v_before);
  sample_event(run, event);
  run->sink_error = event_record_event(run, event);
  return run->sink_error == THUD_OK ? 0 : -1;
}

static int on_arc(void *user, const thud_event_arc *arc) {
  system_run *run = user;
  sample_arc(run, arc);
  system_run_note(run, arc->q, arc->q + run->n);
  run->sink_error = event_record_arc(run, arc);
  if (run->sink_error == THUD_OK) run->sink_error = system_record_checkpoint(run, arc->t1);
  return run->sink_error == THUD_OK ? system_run_progress(run, arc->t1) : -1;
}

/* ---- start, middle, end ------------------------------------------------------------------------------------------ */

thud_error event_run_create(system_run *run) {
  const scene_system *made = run->scene->lagrangian;
  thud_context *context = run->scene->context;
  run->event = THUD_NEW(context, event_part);
  if (run->event == NULL) return THUD_ERROR_MEMORY;
  event_part *part = run->event;
  thud_error error = thud_event_motion_create(context, made->system, &made->event, made->q0, made->v0, &part->motion);
  if (error != THUD_OK) return error;
  event_record_lay_out(run);
  part->row = THUD_NEW_ARRAY(context, double, part->layout.total);
  part->before = THUD_NEW_ARRAY(context, double, run->n + run->m);
  run->samples.rounding = sample_rounding;
  return part->row != NULL && part->before != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void event_run_destroy(system_run *run) {
  thud_context *context = run->scene->context;
  if (run->event == NULL) return;
  thud_event_motion_destroy(run->event->motion);
  thud_free(context, run->event->row);
  thud_free(context, run->event->before);
  thud_free(context, run->event);
}

/* At a fork: the outcome that the path says; the record keeps it as a warning. */
static thud_error take_outcome(system_run *run) {
  branch_path *path = run->path;
  char message[256];
  thud_error error = branch_path_choose(path, run->event->motion);
  if (error != THUD_OK || run->writer == NULL) return error;
  const branch_fork *fork = &path->forks[path->count - 1];
  snprintf(message, sizeof message, "outcome %zu of %zu was taken: %s", fork->chosen + 1, fork->count, fork->text);
  return thud_record_add_warning(run->writer, fork->t, "fork", message);
}

thud_error event_run_integrate(system_run *run) {
  const thud_event_sink sink = {.arc = on_arc, .event = on_event, .user = run};
  thud_event_info *info = &run->event->info;
  thud_error error = thud_event_motion_run(run->event->motion, &sink, info);
  while (error == THUD_OK && run->path != NULL && info->status == THUD_EVENT_FORK) {
    error = take_outcome(run);
    if (error == THUD_OK) error = thud_event_motion_run(run->event->motion, &sink, info);
  }
  if (error != THUD_OK) return error;
  /* the message of a finding is needed for the verdict: event_record_finish leaves it alone unless it fails itself */
  run->sink_error = event_record_finish(run);
  return run->sink_error == THUD_OK ? THUD_OK : THUD_ERROR_CALLBACK;
}

static const char *status_text(thud_event_status status) {
  if (status == THUD_EVENT_COMPLETED) return "";
  if (status == THUD_EVENT_INDETERMINATE) return "motion not determined (thud run --branch follows the ways on)";
  return thud_event_status_name(status);
}

void event_run_judge(system_run *run) {
  const thud_event_info *info = &run->event->info;
  bool says_when = strncmp(thud_context_last_message(run->scene->context), "t = ", 4) == 0;
  if (info->status == THUD_EVENT_INTERRUPTED)
    system_run_stop(run, info->time);
  else if (info->status != THUD_EVENT_COMPLETED)
    system_run_fail(run, says_when ? (double)NAN : info->time, status_text(info->status));
}
