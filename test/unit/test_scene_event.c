/* Scenes with `simulate: {method: event-driven}`: what the builder takes and refuses, and what a run hands out. */
#include "kinds/system/system_scene.h"
#include "thud/run.h"
#include "events.h"
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Case C1 (Ballard) with `simulate` to be filled in. */
#define PARTICLE(simulate)                                                                                             \
  "thud: 1\n"                                                                                                          \
  "system:\n"                                                                                                          \
  "  coordinates: [q]\n"                                                                                               \
  "  kinetic_energy: \"0.5*q'^2\"\n"                                                                                   \
  "  forces: {q: 2}\n"                                                                                                 \
  "  impact_law: sequential\n"                                                                                         \
  "  constraints: [{name: floor, phi: q, restitution: 0.5}]\n"                                                         \
  "initial: {q: -1}\n"                                                                                                 \
  "simulate: {" simulate "}\n"

static thud_error build_text(thud_context *context, const char *text, thud_scene **scene) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static void keys_of_the_method_are_read_and_those_of_time_stepping_may_stay(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  const char *text = PARTICLE("method: event-driven, start: 0.5, end: 4, tolerance: 1e-12, order: 18, on_undecided: "
                              "stop, zeno: false, max_events: 77, initial_tolerance: 1e-6, step: 0.01, theta: 0.75");
  assert_int_equal(build_text(context, text, &scene), THUD_OK);
  const scene_system *made = thud_scene_lagrangian(scene);
  assert_true(made->event_driven);
  assert_string_equal(thud_scene_get_info(scene).method, "event-driven");
  thud_assert_equal(made->event.start, 0.5);
  thud_assert_equal(made->event.end, 4);
  thud_assert_equal(made->event.tolerance, 1e-12);
  thud_assert_equal(made->motion.tolerance, 0);
  assert_int_equal(made->event.order, 18);
  assert_int_equal(made->event.on_undecided, THUD_UNDECIDED_STOP);
  assert_false(made->event.zeno);
  assert_int_equal(made->event.max_events, 77);
  thud_assert_equal(made->event.initial_tolerance, 1e-6);
  thud_assert_equal(made->motion.initial_tolerance, 1e-6);
  assert_int_equal(made->event.percussion.law, THUD_IMPACT_SEQUENTIAL);
  assert_int_equal(made->motion.steps, 350);
  thud_assert_equal(made->motion.theta, 0.75);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* A study makes an event-driven motion of any system scene. */
static void scenes_of_time_stepping_have_event_options_too(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, PARTICLE("method: moreau-jean, end: 4, tolerance: 1e-3"), &scene), THUD_OK);
  const scene_system *made = thud_scene_lagrangian(scene);
  assert_false(made->event_driven);
  thud_assert_equal(made->motion.tolerance, 1e-3);
  thud_assert_equal(made->event.tolerance, thud_event_options_default().tolerance);
  assert_int_equal(made->event.percussion.law, THUD_IMPACT_SEQUENTIAL);
  thud_motion *motion = NULL;
  thud_event_motion_info info;
  assert_int_equal(thud_event_motion_create(context, made->system, &made->event, made->q0, made->v0, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  thud_assert_equal(info.time, 4);
  thud_assert_equal(info.zeno_limits, 1);
  thud_motion_destroy(motion);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void refuse(const char *text, const char *place, const char *what) {
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  assert_int_not_equal(build_text(context, text, &scene), THUD_OK);
  assert_null(scene);
  const char *message = thud_context_last_message(context);
  if (strstr(message, place) == NULL || strstr(message, what) == NULL)
    fail_msg("'%s' and '%s' were expected in: %s", place, what, message);
  thud_test_context_end(context);
}

static void what_is_wrong_is_told_with_its_place(void **state) {
  (void)state;
  refuse(PARTICLE("method: event-drivn, end: 4"), "/simulate/method", "event-driven");
  refuse(PARTICLE("method: event-driven, end: 4, ordr: 7"),
         "scene.yaml:9:42: /simulate/ordr: unknown key 'ordr' (did you mean 'order'?)", "did you mean 'order'");
  refuse(PARTICLE("method: event-driven, end: 4, order: 3"), "/simulate/order", "from 4 to 60");
  refuse(PARTICLE("method: event-driven, end: 4, zeno: 1"), "/simulate/zeno",
         "scene.yaml:9:48: /simulate/zeno: expected true or false, got the number 1");
  refuse(PARTICLE("method: event-driven, end: 4, on_undecided: halt"), "/simulate/on_undecided", "stop");
  refuse(PARTICLE("method: event-driven, end: 4, tolerance: 0.1"), "/simulate/tolerance", "tolerance");
  /* keys of forks belong to the program, not to scenes; time stepping knows no orders */
  refuse(PARTICLE("method: event-driven, end: 4, fork: true"), "/simulate/fork",
         "scene.yaml:9:42: /simulate/fork: unknown key 'fork'");
  refuse(PARTICLE("method: moreau-jean, end: 4, steps: 10, order: 3"), "/simulate/order", "from 4 to 60");
  refuse(PARTICLE("method: moreau-jean, end: 4, step: 1, steps: 4"), "/simulate", "'step'");
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static const char *const bouncing = PARTICLE("method: event-driven, end: 4") "record: {checkpoint_every: 0.5}\n";

static void run_recorded(thud_context *context, const char *text, const thud_run_options *options, thud_verdict verdict,
                         char **json) {
  thud_scene *scene = NULL;
  thud_run_result result;
  assert_int_equal(build_text(context, text, &scene), THUD_OK);
  assert_int_equal(thud_scene_run(scene, options, &result), THUD_OK);
  assert_int_equal(result.verdict, verdict);
  if (json != NULL) {
    *json = strdup(result.json);
    assert_non_null(*json);
  }
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
}

static double first_number(const char *json, const char *key) {
  const char *found = strstr(json, key);
  if (found == NULL) fail_msg("no %s in the result", key);
  return strtod(found + strlen(key), NULL);
}

/* Rows of a channel by its role; freed by the caller. */
static double *rows_of(thud_context *context, thud_record_reader *reader, const char *role, size_t *width) {
  size_t channel, rows = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  assert_int_equal(thud_record_find_role(reader, THUD_RECORD_FRAMES, role, &channel), THUD_OK);
  *width = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, channel)->width;
  double *values = thud_alloc(context, rows * *width, sizeof(double));
  assert_non_null(values);
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, channel, 0, rows, values), THUD_OK);
  return values;
}

/* A start that is an impact is the first row; without one the row says that nothing happened. */
static void what_happens_at_the_start_is_in_the_first_row(void **state) {
  (void)state;
  static const char *const texts[] = {PARTICLE("method: event-driven, end: 0.25"),
                                      "thud: 1\n"
                                      "system:\n"
                                      "  coordinates: [q]\n"
                                      "  kinetic_energy: \"0.5*q'^2\"\n"
                                      "  constraints: [{name: floor, gap: q, restitution: 0.5}]\n"
                                      "initial: {q: 0, \"q'\": -2}\n"
                                      "simulate: {method: event-driven, end: 0.25}\n"};
  for (int k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    thud_run_options options = thud_run_options_default();
    options.record = thud_test_path("start.h5");
    options.overwrite = true;
    run_recorded(context, texts[k], &options, THUD_VERDICT_GOOD, NULL);
    thud_record_reader *reader = NULL;
    assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
    size_t width, channel;
    double *left = rows_of(context, reader, "velocity_left", &width), kind = NAN, frame = NAN;
    thud_record_cell q;
    assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 2);
    assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], k);
    for (size_t e = 0; e < (size_t)k; e++) {
      assert_int_equal(thud_record_find_role(reader, THUD_RECORD_EVENTS, "kind", &channel), THUD_OK);
      assert_int_equal(thud_record_read(reader, THUD_RECORD_EVENTS, channel, e, 1, &kind), THUD_OK);
      assert_int_equal(thud_record_find_role(reader, THUD_RECORD_EVENTS, "frame", &channel), THUD_OK);
      assert_int_equal(thud_record_read(reader, THUD_RECORD_EVENTS, channel, e, 1, &frame), THUD_OK);
      thud_assert_equal(kind, THUD_EVENT_IMPACT);
      thud_assert_equal(frame, 0);
    }
    assert_int_equal(thud_record_find_role(reader, THUD_RECORD_FRAMES, "position_series", &channel), THUD_OK);
    assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_FRAMES, channel, 0, &q), THUD_OK);
    thud_assert_equal(left[0], (k == 0 ? 0 : -2));
    thud_assert_equal(q.values[1], (k == 0 ? 0 : 1));
    /* the last row: position and velocity at the end, nothing follows */
    assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_FRAMES, channel, 1, &q), THUD_OK);
    assert_int_equal(q.count, 2);
    thud_test_assert_near(q.values[0], k == 0 ? -1 + 0.0625 : 0.25, 1e-15);
    thud_test_assert_near(q.values[1], k == 0 ? 0.5 : 1, 1e-15);
    thud_free(context, left);
    thud_record_reader_destroy(reader);
    thud_test_context_end(context);
  }
}

static int stop_after(void *user, double t, double start, double end) {
  (void)start;
  (void)end;
  return t > *(const double *)user;
}

/* Stopped after t = 2.6, resumed at its checkpoint at an arc's end: the same result and the same rows. */
static void a_stopped_run_goes_on_with_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double at[3] = {0.25, 2.9, 3.5};
  double limit = 2.6;
  thud_run_options options = thud_run_options_default();
  char *whole = NULL, *resumed = NULL, *stopped = NULL;
  options.sample_count = 3;
  options.sample_times = at;
  options.record = thud_test_path("motion.h5");
  run_recorded(context, bouncing, &options, THUD_VERDICT_GOOD, &whole);
  options.overwrite = true;
  options.progress = stop_after;
  options.progress_user = &limit;
  run_recorded(context, bouncing, &options, THUD_VERDICT_STOPPED, &stopped);
  assert_non_null(strstr(stopped, "interrupted at t = 2.75"));
  limit = INFINITY;
  options.resume = true;
  run_recorded(context, bouncing, &options, THUD_VERDICT_GOOD, &resumed);
  /* everything but the duration of the run */
  const char *a = strstr(whole, "\"state\""), *b = strstr(resumed, "\"state\"");
  assert_non_null(a);
  assert_non_null(b);
  assert_string_equal(a, b);
  thud_test_assert_near(first_number(resumed, "\"duration\": "), 2, 1e-12);
  free(whole);
  free(stopped);
  free(resumed);
  thud_test_context_end(context);
}

/* All events are counted and recorded, the first ones are reported. */
static void only_so_many_events_are_kept(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_run_options options = thud_run_options_default();
  char *json = NULL;
  options.max_events = 3;
  options.record = thud_test_path("few.h5");
  run_recorded(context, bouncing, &options, THUD_VERDICT_GOOD, &json);
  size_t reported = 0;
  for (const char *p = json; (p = strstr(p, "\"kind\": ")) != NULL; p++) reported++;
  assert_int_equal(reported, 3);
  size_t total = (size_t)first_number(json, "\"events_total\": ");
  thud_assert_greater(total, 30);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], total);
  thud_record_reader_destroy(reader);
  free(json);
  thud_test_context_end(context);
}

/* What ends a run early is a verdict with its reason; warnings say what a person should look at. */
static void findings_become_verdicts_and_warnings(void **state) {
  (void)state;
  static const struct {
    const char *text;
    thud_verdict verdict;
    const char *reported;
  } cases[] = {
      {PARTICLE("method: event-driven, end: 4, max_events: 5"), THUD_VERDICT_FAILED, "too many events: t = 2.875"},
      {"thud: 1\n"
       "system: {coordinates: [q], mass: [1], forces: {q: q}}\n"
       "initial: {q: 1}\n"
       "simulate: {method: event-driven, end: 60}\n",
       THUD_VERDICT_FAILED, "blow-up"},
      /* 3e-9 inside the floor, which is accepted */
      {"thud: 1\n"
       "system: {coordinates: [q], mass: [1], forces: {q: -1}, constraints: [{name: floor, gap: q}]}\n"
       "initial: {q: -3e-9}\n"
       "simulate: {method: event-driven, end: 1}\n",
       THUD_VERDICT_GOOD, "\"code\": \"initial-state-moved\""},
      /* an equilibrium without any force: no order decides */
      {"thud: 1\n"
       "system: {coordinates: [q], mass: [1], constraints: [{name: floor, gap: q}]}\n"
       "initial: {q: 0}\n"
       "simulate: {method: event-driven, end: 1}\n",
       THUD_VERDICT_GOOD, "\"code\": \"undecided-contact\""},
      {"thud: 1\n"
       "system: {coordinates: [q], mass: [1], constraints: [{name: floor, gap: q}]}\n"
       "initial: {q: 0}\n"
       "simulate: {method: event-driven, end: 1, on_undecided: stop}\n",
       THUD_VERDICT_FAILED, "undecided contact: t = 0: whether contact 'floor' lasts"},
      /* q = (1 - t)^2 touches 0 at t = 1 */
      {"thud: 1\n"
       "system: {coordinates: [q], mass: [1], forces: {q: 2}, constraints: [{name: floor, gap: q}]}\n"
       "initial: {q: 1, \"q'\": -2}\n"
       "simulate: {method: event-driven, end: 2}\n",
       THUD_VERDICT_GOOD, "\"code\": \"graze\""},
      /* two walls at an obtuse angle struck at once */
      {"thud: 1\n"
       "system:\n"
       "  coordinates: [x, y]\n"
       "  mass: [1, 1]\n"
       "  constraints: [{name: left, gap: y + x}, {name: right, gap: y - 0.5*x}]\n"
       "initial: {x: 0, y: 1, \"y'\": -1}\n"
       "simulate: {method: event-driven, end: 2}\n",
       THUD_VERDICT_GOOD, "\"code\": \"non-orthogonal-impact\""},
      /* a plank slides on three supports, of which one is rougher: how they share its weight is open */
      {"thud: 1\n"
       "system:\n"
       "  coordinates: [x, y, th]\n"
       "  mass: [1, 1, 1]\n"
       "  forces: {y: -10}\n"
       "  constraints:\n"
       "    - {name: left, gap: y - th, friction: {mu: 0.3, slip: [\"x'\"]}}\n"
       "    - {name: middle, gap: y, friction: {mu: 0.5, slip: [\"x'\"]}}\n"
       "    - {name: right, gap: y + th, friction: {mu: 0.3, slip: [\"x'\"]}}\n"
       "initial: {x: 0, y: 0, th: 0, \"x'\": 1}\n"
       "simulate: {method: event-driven, end: 1}\n",
       THUD_VERDICT_GOOD, "the forces of 'left' and 2 others are not unique and the motion depends on their choice"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_context *context = thud_test_context(1);
    thud_run_options options = thud_run_options_default();
    char *json = NULL;
    run_recorded(context, cases[k].text, &options, cases[k].verdict, &json);
    if (strstr(json, cases[k].reported) == NULL) fail_msg("case %zu: no '%s' in %s", k, cases[k].reported, json);
    free(json);
    thud_test_context_end(context);
  }
}

/* "t,,q,v" */
static void read_line(FILE *stream, double numbers[3]) {
  char line[200], *rest = line;
  assert_non_null(fgets(line, sizeof line, stream));
  for (int k = 0; k < 3; k++) {
    numbers[k] = strtod(rest, &rest);
    rest += strspn(rest, ",");
  }
  assert_string_equal(rest, "\n");
}

static void a_record_can_be_evaluated_at_any_time(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("particle.h5");
  run_recorded(context, bouncing, &options, THUD_VERDICT_GOOD, NULL);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  const double at[] = {2.25, 0.5, 0.5}, outside[] = {4.5};
  thud_record_times times = {.count = 3, .times = at};
  const char *path = thud_test_path("particle.csv");
  assert_int_equal(thud_record_export_motion_csv(reader, NULL, &times, path), THUD_OK);
  FILE *stream = fopen(path, "r");
  assert_non_null(stream);
  char line[200];
  double numbers[3];
  assert_non_null(fgets(line, sizeof line, stream));
  assert_string_equal(line, "t [s],side,q,q'\n");
  read_line(stream, numbers);
  thud_assert_equal(numbers[0], 0.5);
  thud_test_assert_near(numbers[1], -0.75, 1e-14);
  thud_test_assert_near(numbers[2], 1, 1e-14);
  read_line(stream, numbers); /* a time asked for twice is reported once */
  thud_assert_equal(numbers[0], 2.25);
  thud_test_assert_near(numbers[1], -0.0625, 1e-14);
  assert_null(fgets(line, sizeof line, stream));
  assert_int_equal(fclose(stream), 0);
  times = (thud_record_times){.count = 1, .times = outside};
  assert_int_equal(thud_record_export_motion_csv(reader, NULL, &times, thud_test_path("no.csv")), THUD_ERROR_ARGUMENT);
  times = (thud_record_times){.every = NAN};
  assert_int_equal(thud_record_export_motion_csv(reader, NULL, &times, thud_test_path("no.csv")), THUD_ERROR_ARGUMENT);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* Build, run and samples of a scene with friction; the record's own allocations belong to HDF5. */
static thud_error everything(thud_context *context, void *user) {
  (void)user;
  static const char *const text = "thud: 1\n"
                                  "system:\n"
                                  "  coordinates: [x, y]\n"
                                  "  mass: [1, 1]\n"
                                  "  forces: {y: -10}\n"
                                  "  constraints: [{name: floor, gap: y, friction: {mu: 0.5, slip: [\"x'\"]}}]\n"
                                  "initial: {x: 0, y: 0.1, \"x'\": 1}\n"
                                  "simulate: {method: event-driven, end: 1}\n";
  thud_scene *scene = NULL;
  thud_error error = build_text(context, text, &scene);
  const double at[1] = {0.5};
  thud_run_options options = thud_run_options_default();
  options.sample_count = 1;
  options.sample_times = at;
  thud_run_result result = {0};
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error != THUD_OK) assert_null(result.json);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(everything, NULL), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_of_the_method_are_read_and_those_of_time_stepping_may_stay),
      cmocka_unit_test(scenes_of_time_stepping_have_event_options_too),
      cmocka_unit_test(what_is_wrong_is_told_with_its_place),
      cmocka_unit_test(what_happens_at_the_start_is_in_the_first_row),
      cmocka_unit_test(a_stopped_run_goes_on_with_the_same_bits),
      cmocka_unit_test(only_so_many_events_are_kept),
      cmocka_unit_test(findings_become_verdicts_and_warnings),
      cmocka_unit_test(a_record_can_be_evaluated_at_any_time),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
