#include "events.h"
#include "as_functions.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static int note_event(void *user, const void *handed) {
  const thud_event *event = handed;
  noted_run *run = user;
  if (run->events == THUD_TEST_EVENTS) return 1;
  noted_event *note = &run->event[run->events++];
  size_t n = (size_t)run->n, m = (size_t)run->m;
  note->event = *event;
  memcpy(note->before, event->v_before, n * sizeof(double));
  memcpy(note->after, event->v_after, n * sizeof(double));
  memcpy(note->q, event->q, n * sizeof(double));
  memcpy(note->impulse, event->impulse, m * sizeof(double));
  memcpy(note->total, event->total_impulse, m * sizeof(double));
  memcpy(note->mode_before, event->mode_before, m * sizeof(int));
  memcpy(note->mode_after, event->mode_after, m * sizeof(int));
  memcpy(note->order, event->order, m * sizeof(int));
  return 0;
}

static int note_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  noted_run *run = user;
  for (int k = 0; k < run->samples; k++)
    if (arc->t0 <= run->sample_times[k] && run->sample_times[k] <= arc->t1)
      thud_event_arc_evaluate(arc, run->n, run->sample_times[k], run->sample_q[k], run->sample_v[k]);
  for (int i = 0; i < run->rows && i < THUD_TEST_SIZE; i++) {
    run->last_reaction[i] = 0;
    for (int k = (int)arc->force_degree; k >= 0; k--)
      run->last_reaction[i] = run->last_reaction[i] * (arc->t1 - arc->t0) + arc->reaction[k * run->rows + i];
    if (run->arcs > 0 || i >= run->m) continue;
    run->first_mode[i] = arc->mode[i];
    run->first_order[i] = arc->order[i];
    for (int k = 0; k < 4; k++) run->first_reaction[i][k] = arc->reaction[k * run->rows + i];
  }
  run->arcs++;
  return 0;
}

void thud_test_event_run_system(thud_context *context, const thud_system *system, const thud_event_options *options,
                                const double *q0, const double *v0, noted_run *run) {
  thud_motion *motion;
  const thud_motion_sink sink = {note_arc, note_event, run};
  run->n = thud_system_dimension(system);
  run->m = thud_system_constraint_count(system);
  run->rows = run->m + thud_system_slip_count(system);
  if (thud_event_motion_create(context, system, options, q0, v0, &motion) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  if (thud_test_run_motion(motion, &sink, &run->info) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  strncpy(run->message, thud_context_last_message(context), sizeof run->message - 1);
  thud_event_frame end = thud_event_motion_present(motion);
  run->t = end.t;
  memcpy(run->end_q, end.q, (size_t)run->n * sizeof(double));
  memcpy(run->end_v, end.v, (size_t)run->n * sizeof(double));
  thud_motion_destroy(motion);
}

void thud_test_event_run(const thud_test_system *source, const thud_event_options *options, const double *q0,
                         const double *v0, noted_run *run) {
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, source);
  thud_test_event_run_system(context, system, options, q0, v0, run);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

void thud_test_event_run_functions(const thud_test_system *source, const thud_event_options *options, const double *q0,
                                   const double *v0, noted_run *run) {
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, source);
  as_functions *functions = thud_test_as_functions(context, system);
  thud_test_event_run_system(context, thud_test_as_functions_system(functions), options, q0, v0, run);
  thud_test_as_functions_destroy(functions);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

void thud_test_event_run_to(const thud_test_system *source, double end, const double *q0, const double *v0,
                            noted_run *run) {
  thud_event_options options = thud_event_options_default();
  options.end = end;
  thud_test_event_run(source, &options, q0, v0, run);
}

void thud_test_assert_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.17g is not %.17g to %g (off by %.3g)", value, expected, tolerance, value - expected);
}
