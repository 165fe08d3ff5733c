/* Checkpoints of event-driven motions: taken up again anywhere, a run gives the same bits. */
#include "as_functions.h"
#include "events.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- everything that a run hands out, as bytes ------------------------------------------------------------------- */

enum { MOST_CALLS = 2000 };

/* One number per call of the sink: a hash of everything in it. */
typedef struct journal {
  size_t n, m, rows;
  int calls;
  uint64_t call[MOST_CALLS];
  int save_at; /* the call inside which the state is saved, -1: none */
  int stop_at; /* the call that stops the run */
  const thud_motion *motion;
  void *state;
} journal;

static uint64_t mix(uint64_t hash, const void *data, size_t size) {
  const unsigned char *byte = data;
  for (size_t k = 0; k < size; k++) hash = (hash ^ byte[k]) * 1099511628211u;
  return hash;
}

static int note(journal *log, uint64_t hash) {
  thud_assert_less(log->calls, MOST_CALLS);
  log->call[log->calls] = hash;
  if (log->calls == log->save_at) thud_motion_save(log->motion, log->state);
  return log->calls++ == log->stop_at ? 1 : 0;
}

static int note_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  journal *log = user;
  const double times[] = {arc->t0, arc->t1};
  const bool flags[] = {arc->after_event, arc->accumulation};
  uint64_t hash = mix(mix(1, times, sizeof times), flags, sizeof flags);
  hash = mix(hash, arc->q, ((size_t)arc->degree + 1) * log->n * sizeof(double));
  hash = mix(hash, arc->reaction, ((size_t)arc->force_degree + 1) * log->rows * sizeof(double));
  hash = mix(mix(hash, arc->mode, log->m * sizeof(int)), arc->order, log->m * sizeof(int));
  return note(log, hash);
}

static int note_event(void *user, const void *handed) {
  const thud_event *event = handed;
  journal *log = user;
  size_t vector = log->n * sizeof(double), rows = log->rows * sizeof(double);
  const double numbers[] = {(double)event->kind, event->t,     event->t_error,  (double)event->impacts,
                            event->ratio,        event->begin, event->duration, event->limit_error};
  uint64_t hash = mix(mix(2, numbers, sizeof numbers), &event->ledger, sizeof event->ledger);
  hash = mix(mix(mix(hash, event->q, vector), event->v_before, vector), event->v_after, vector);
  hash = mix(mix(hash, event->impulse, rows), event->total_impulse, rows);
  hash = mix(mix(hash, event->mode_before, log->m * sizeof(int)), event->mode_after, log->m * sizeof(int));
  hash = mix(mix(hash, event->order, log->m * sizeof(int)), event->involved, log->m * sizeof(bool));
  return note(log, hash);
}

/* ---- the same bits ----------------------------------------------------------------------------------------------- */

typedef struct start {
  const thud_test_system *source;
  thud_event_options options;
  const double *q0, *v0;
  bool functions; /* the system is handed over as functions in C */
} start;

static void run_on(thud_motion *motion, journal *log, thud_event_motion_info *info) {
  const thud_motion_sink sink = {note_arc, note_event, log};
  log->motion = motion;
  assert_int_equal(thud_test_run_motion(motion, &sink, info), THUD_OK);
}

static thud_motion *make(thud_context *context, const thud_system *system, const start *from) {
  thud_motion *motion;
  if (thud_event_motion_create(context, system, &from->options, from->q0, from->v0, &motion) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return motion;
}

static void assert_same_info(const thud_event_motion_info *x, const thud_event_motion_info *y) {
  assert_int_equal(x->status, y->status);
  assert_memory_equal(&x->time, &y->time, sizeof x->time);
  assert_int_equal(x->arcs, y->arcs);
  assert_int_equal(x->events, y->events);
  assert_int_equal(x->impacts, y->impacts);
  assert_int_equal(x->zeno_limits, y->zeno_limits);
  assert_int_equal(x->grazes, y->grazes);
  assert_int_equal(x->switches, y->switches);
  assert_int_equal(x->deepest_order, y->deepest_order);
  assert_memory_equal(&x->worst_gap, &y->worst_gap, sizeof x->worst_gap);
  assert_memory_equal(&x->ledger, &y->ledger, sizeof x->ledger);
}

/* Step by step, each from the saved state of the one before: one more arc each time, and the same bits as the run. */
static void assert_steps_like(const start *from, thud_context *context, const thud_system *system, const journal *whole,
                              const thud_event_motion_info *info) {
  static journal log;
  log = (journal){.n = whole->n, .m = whole->m, .rows = whole->rows, .save_at = -1, .stop_at = -1};
  thud_motion *motions[2] = {make(context, system, from), make(context, system, from)};
  const thud_motion_sink sink = {note_arc, note_event, &log};
  size_t size = thud_motion_state_size(motions[0]), steps = 0;
  void *state = malloc(size);
  assert_non_null(state);
  thud_event_motion_info now = {.status = THUD_MOTION_RUNNING};
  while (now.status == THUD_MOTION_RUNNING) {
    thud_motion *motion = motions[steps % 2], *next = motions[(steps + 1) % 2];
    assert_int_equal(thud_test_step_motion(motion, &sink, &now), THUD_OK);
    if (now.status == THUD_MOTION_RUNNING) assert_int_equal(now.arcs, ++steps);
    thud_motion_save(motion, state);
    assert_int_equal(thud_motion_restore(next, state, size), THUD_OK);
  }
  assert_int_equal(log.calls, whole->calls);
  assert_memory_equal(log.call, whole->call, (size_t)whole->calls * sizeof *whole->call);
  assert_same_info(&now, info);
  free(state);
  thud_motion_destroy(motions[0]);
  thud_motion_destroy(motions[1]);
}

/* Saved inside every call of the sink; taken up by a motion that is new, and by the one that was stopped there. */
static void assert_resumes_everywhere(const start *from, int least_calls) {
  thud_context *context = thud_test_context(1);
  thud_system *expressions = thud_test_system_make(context, from->source);
  as_functions *functions = from->functions ? thud_test_as_functions(context, expressions) : NULL;
  const thud_system *system = functions != NULL ? thud_test_as_functions_system(functions) : expressions;
  static journal whole, part, rest;
  thud_event_motion_info info, info_rest;
  journal empty = {.n = (size_t)thud_system_dimension(system),
                   .m = (size_t)thud_system_constraint_count(system),
                   .save_at = -1,
                   .stop_at = -1};
  empty.rows = empty.m + (size_t)thud_system_slip_count(system);
  whole = empty;
  thud_motion *motion = make(context, system, from);
  size_t size = thud_motion_state_size(motion);
  run_on(motion, &whole, &info);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  thud_assert_at_least(whole.calls, least_calls);
  thud_motion_destroy(motion);
  assert_steps_like(from, context, system, &whole, &info);
  void *state = malloc(size);
  assert_non_null(state);
  for (int at = 0; at < whole.calls; at += 1 + thud_test_share(2) * whole.calls / 60) {
    part = rest = empty;
    part.save_at = part.stop_at = at;
    part.state = state;
    motion = make(context, system, from);
    run_on(motion, &part, &info_rest);
    assert_int_equal(part.calls, at + 1);
    assert_int_equal(info_rest.status, THUD_MOTION_STOPPED);
    part.save_at = part.stop_at = -1;
    run_on(motion, &part, &info_rest);
    thud_motion_destroy(motion);
    assert_int_equal(part.calls, whole.calls);
    assert_memory_equal(part.call, whole.call, (size_t)whole.calls * sizeof *whole.call);
    assert_same_info(&info_rest, &info);

    motion = make(context, system, from);
    assert_int_equal(thud_motion_restore(motion, state, size), THUD_OK);
    run_on(motion, &rest, &info_rest);
    thud_motion_destroy(motion);
    assert_int_equal(rest.calls, whole.calls - at - 1);
    assert_memory_equal(rest.call, whole.call + at + 1, (size_t)rest.calls * sizeof *whole.call);
    assert_same_info(&info_rest, &info);
  }
  free(state);
  if (functions != NULL) thud_test_as_functions_destroy(functions);
  thud_system_destroy(expressions);
  thud_test_context_end(context);
}

static start start_of(const thud_test_system *source, double end, const double *q0, const double *v0) {
  start from = {.source = source, .options = thud_event_options_default(), .q0 = q0, .v0 = v0};
  from.options.end = end;
  return from;
}

static const thud_test_system bouncing = {
    .coordinates = {"q"},
    .kinetic_energy = "q'^2/2",
    .forces = {"2 + sin(3*t)"},
    .constraints = {{.name = "floor", .source = "q", .is_phi = true, .restitution = "0.5"}}};

static void accumulation_in_progress(void **state) {
  (void)state;
  const double q0 = -1, v0 = 0;
  start from = start_of(&bouncing, 6, &q0, &v0);
  assert_resumes_everywhere(&from, 60);
}

/* In a corner accumulations come nested and are closed without a common ratio. */
static void nested_accumulations(void **state) {
  (void)state;
  const thud_test_system wedge = {.coordinates = {"x", "y"},
                                  .kinetic_energy = "(x'^2 + y'^2)/2",
                                  .forces = {"0", "-1"},
                                  .constraints = {{.name = "left", .source = "y + 2*x", .restitution = "0.3"},
                                                  {.name = "right", .source = "y - x", .restitution = "0.3"}}};
  const double q0[] = {0.1, 1}, v0[] = {0.2, 0};
  start from = start_of(&wedge, 50, q0, v0);
  assert_resumes_everywhere(&from, 20);
}

static const char *const slip[] = {"T"};

/* Impacts, slip that turns round, and sticking (Klarbring's system). */
static void friction(void **state) {
  (void)state;
  const thud_test_system klarbring = {
      .coordinates = {"N", "T"},
      .kinetic_energy = "(N'^2 + T'^2)/2",
      .potential_energy = "N^2 + N*T + T^2 - 3*N - 0.2*sin(t)*T",
      .constraints = {{.name = "wall", .source = "N", .is_phi = true, .restitution = "0.5"}},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slip, .mu = "1"}}};
  const double q0[] = {-0.5, 0}, v0[] = {0, 4};
  start from = start_of(&klarbring, 12, q0, v0);
  assert_resumes_everywhere(&from, 20);
  from.functions = true;
  assert_resumes_everywhere(&from, 20);
#ifdef THUD_WITH_CVODE
  from.options.arcs = THUD_ARCS_CVODE;
  from.options.end = 1;
  assert_resumes_everywhere(&from, 10);
#endif
}

static void switches(void **state) {
  (void)state;
  const thud_test_system kinked = {.coordinates = {"x", "y"},
                                   .kinetic_energy = "(x'^2 + y'^2)/2",
                                   .potential_energy = "abs(x) + y",
                                   .forces = {"max(y - 0.5, 0)", "0"},
                                   .constraints = {{.name = "floor", .source = "y", .restitution = "0.8"}}};
  const double q0[] = {0.3, 1}, v0[] = {1, 0};
  start from = start_of(&kinked, 20, q0, v0);
  assert_resumes_everywhere(&from, 30);
}

/* A longer arc in many steps: pendulum with a bilateral constraint, whose drift is taken back at every node. */
static void equations(void **state) {
  (void)state;
  const thud_test_system pendulum = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .potential_energy = "9.81*y",
      .constraints = {{.name = "rod", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2 + y^2 - 1"}}};
  const double q0[] = {1, 0}, v0[] = {0, 0};
  start from = start_of(&pendulum, 10, q0, v0);
  assert_resumes_everywhere(&from, 40);
  from.functions = true;
  from.options.end = 1;
  assert_resumes_everywhere(&from, 8);
#ifdef THUD_WITH_CVODE
  from.options.arcs = THUD_ARCS_CVODE;
  assert_resumes_everywhere(&from, 8);
#endif
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void blocks_of_others_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double q0 = -1, v0 = 0;
  thud_test_system renamed = bouncing;
  renamed.constraints[0].name = "ground";
  start from = start_of(&bouncing, 6, &q0, &v0);
  thud_system *system = thud_test_system_make(context, &bouncing), *other = thud_test_system_make(context, &renamed);
  thud_motion *motion = make(context, system, &from), *elsewhere = make(context, other, &from);
  from.options.decision_tolerance = 1e-9;
  thud_motion *otherwise = make(context, system, &from);
  size_t size = thud_motion_state_size(motion);
  char *block = malloc(size);
  assert_non_null(block);
  thud_motion_save(motion, block);
  assert_int_equal(thud_motion_restore(motion, block, size), THUD_OK);
  assert_int_equal(thud_motion_restore(motion, block, size - 1), THUD_ERROR_FORMAT);
  assert_int_equal(thud_motion_restore(elsewhere, block, size), THUD_ERROR_FORMAT);
  assert_non_null(strstr(thud_context_last_message(context), "the saved state belongs to another system"));
  assert_int_equal(thud_motion_restore(otherwise, block, size), THUD_ERROR_FORMAT);
  assert_non_null(strstr(thud_context_last_message(context), "the saved state belongs to other options"));
  block[0] = 'x';
  assert_int_equal(thud_motion_restore(motion, block, size), THUD_ERROR_FORMAT);
  free(block);
  thud_motion_destroy(motion);
  thud_motion_destroy(elsewhere);
  thud_motion_destroy(otherwise);
  thud_system_destroy(system);
  thud_system_destroy(other);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accumulation_in_progress),
      cmocka_unit_test(nested_accumulations),
      cmocka_unit_test(friction),
      cmocka_unit_test(switches),
      cmocka_unit_test(equations),
      cmocka_unit_test(blocks_of_others_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
