/* Scenes with percussions through the library: results, samples on both sides of a percussion, failing memory. */
#include "testing.h"
#include "failing_allocator.h"
#include "thud/run.h"

#include <stdio.h>
#include <string.h>

static const char scene_text[] =
    "thud: 1\n"
    "system:\n"
    "  coordinates: [q1, q2]\n"
    "  mass: [1, 2]\n"
    "  potential_energy: q1^2 - q1*q2 + q2^2\n"
    "  forces: {q1: sin(t)}\n"
    "  friction:\n"
    "    - {name: a, slip: [\"q1'\"], threshold: 0.5}\n"
    "    - {name: b, slip: [\"q2'\"], threshold: 1 + t}\n"
    "  percussions:\n"
    "    - {time: 0.5, weight: 1, threshold: {a: 0.5, b: 2}, impulse: {q2: 0.1}}\n"
    "    - {time: 0.25, every: 0.5, weight: 0.1}\n"
    "    - {index: k, time: \"1 - 2^(-k)\", weight: \"2^(-k-1)\", tail: \"2^(-k)\", truncation: 3}\n"
    "initial: {q1: 0, q2: 1, \"q1'\": 2}\n"
    "simulate: {method: event-driven, end: 1}\n";

static thud_error run_text(thud_context *context, const char *method, thud_run_result *result) {
  static const double times[] = {0.5, 0.3};
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_error error = thud_tree_read_text(context, "scene", scene_text, strlen(scene_text), &tree);
  if (error == THUD_OK) error = thud_tree_set(tree, "simulate.method", method);
  if (error == THUD_OK && strcmp(method, "implicit") == 0) error = thud_tree_set(tree, "simulate.steps", "8");
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  thud_run_options options = thud_run_options_default();
  options.sample_times = times;
  options.sample_count = 2;
  if (error == THUD_OK) error = thud_scene_run(scene, &options, result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static void results_tell_events_samples_and_truncation(void **state) {
  (void)state;
  static const char *const methods[] = {"event-driven", "implicit"};
  static const char *const pieces[] = {
      "\"percussions\": 4",   "\"samples_left\"", "\"velocity_error\"",      "\"kept\": 3", "\"impact_loss\"",
      "\"truncated-family\"", "\"q2'\"",          "\"kind\": \"percussion\""};
  for (size_t k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    thud_run_result result = {0};
    size_t count = sizeof pieces / sizeof *pieces - k; /* steps have no events of percussions */
    assert_int_equal(run_text(context, methods[k], &result), THUD_OK);
    assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
    for (size_t p = 0; p < count; p++) {
      if (strstr(result.json, pieces[p]) == NULL) print_error("%s is not in %s\n", pieces[p], result.json);
      assert_non_null(strstr(result.json, pieces[p]));
    }
    assert_non_null(strstr(result.report, "warning"));
    thud_run_result_free(context, &result);
    thud_test_context_end(context);
  }
}

static thud_scene *build_line(thud_context *context, const char *percussions, const char *start) {
  char text[1024];
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  snprintf(text, sizeof text,
           "{thud: 1, system: {coordinates: [a], mass: [1], friction: [{name: f, slip: [\"a'\"], threshold: 0.5}], "
           "percussions: [%s]}, initial: {a: 0, \"a'\": %s}, simulate: {method: event-driven, end: 4}}",
           percussions, start);
  assert_int_equal(thud_tree_read_text(context, "scene", text, strlen(text), &tree), THUD_OK);
  if (thud_scene_build(context, tree, &scene) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

/* What is written down and does nothing is warned of, by the run and by `thud check`. */
static void idle_percussions_are_warned_of(void **state) {
  (void)state;
  static const struct {
    const char *percussions, *says;
  } cases[] = {
      {"{time: 5, impulse: {a: 1}}", "1 percussion lies outside the run and has no part in it"},
      {"{time: -1, impulse: {a: 1}}, {time: 5, every: 1, impulse: {a: 1}}", "2 percussions lie outside the run and"},
      {"{time: \"8 - 2^(3-n)\", weight: \"2^(-n-1)\", tail: \"2^(-n)\", truncation: 4}", "2 percussions lie outside"},
      {"{time: \"8 - 2^(3-n)\", weight: \"2^(-n-1)\", tail: \"2^(-n)\", limit: 8, lump: true}",
       "family 0 of the percussions accumulates at t = 8, outside the run"},
      {"{time: 1, impulse: {}}", "1 percussion has no impulse and no weight"},
      {"{time: 1, impulse: {a: 0}}, {time: 2, every: 0.5, impulse: {a: 0}}", "2 percussions have no impulse"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_context *context = thud_test_context(1);
    thud_scene *scene = build_line(context, cases[k].percussions, "2");
    thud_run_options options = thud_run_options_default();
    thud_run_result result = {0};
    char *json = NULL, *text = NULL;
    assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
    if (strstr(result.report, cases[k].says) == NULL) fail_msg("'%s' is not in\n%s", cases[k].says, result.report);
    assert_int_equal(thud_scene_check(scene, "scene", &json, &text), THUD_OK);
    assert_non_null(strstr(text, cases[k].says));
    thud_scene_free_text(scene, json);
    thud_scene_free_text(scene, text);
    thud_run_result_free(context, &result);
    thud_scene_destroy(scene);
    thud_test_context_end(context);
  }
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_line(context, "{time: 0, every: 1, impulse: {a: \"t - 1\"}}", "2");
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_null(strstr(result.report, "warning"));
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* 1e160 is a number, its square is none: neither the velocity nor the energy may be lost. */
static void motions_too_fast_for_numbers_are_blow_ups(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"{time: 1, impulse: {a: 1e160}}", "2"}, {"", "1e200"}};
  for (size_t k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    thud_scene *scene = build_line(context, cases[k][0], cases[k][1]);
    thud_run_options options = thud_run_options_default();
    thud_run_result result = {0};
    assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
    assert_int_equal(result.verdict, THUD_VERDICT_FAILED);
    if (strstr(result.reason, "blow-up") == NULL) fail_msg("%s", result.reason);
    thud_run_result_free(context, &result);
    thud_scene_destroy(scene);
    thud_test_context_end(context);
  }
}

static thud_error swept_run(thud_context *context, void *user) {
  thud_run_result result = {0};
  thud_error error = run_text(context, user, &result);
  assert_true(error == THUD_OK || result.json == NULL);
  thud_run_result_free(context, &result);
  return error;
}

static void failing_memory_leaves_nothing_behind(void **state) {
  (void)state;
  char event_driven[] = "event-driven", implicit[] = "implicit";
  thud_assert_greater(thud_test_sweep_allocations(swept_run, event_driven), 100);
  thud_assert_greater(thud_test_sweep_allocations(swept_run, implicit), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_tell_events_samples_and_truncation),
      cmocka_unit_test(idle_percussions_are_warned_of),
      cmocka_unit_test(motions_too_fast_for_numbers_are_blow_ups),
      cmocka_unit_test(failing_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
