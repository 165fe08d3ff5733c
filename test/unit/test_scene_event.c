/* Scenes with `simulate: {method: event-driven}`: what the builder takes and refuses, and what a run hands out. */
#include "scene/system.h"
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
  const scene_system *made = scene->lagrangian;
  assert_true(made->event_driven);
  assert_string_equal(thud_scene_get_info(scene).method, "event-driven");
  assert_true(made->event.start == 0.5 && made->event.end == 4);
  assert_true(made->event.tolerance == 1e-12 && made->motion.tolerance == 0);
  assert_int_equal(made->event.order, 18);
  assert_int_equal(made->event.on_undecided, THUD_UNDECIDED_STOP);
  assert_false(made->event.zeno);
  assert_int_equal(made->event.max_events, 77);
  assert_true(made->event.initial_tolerance == 1e-6 && made->motion.initial_tolerance == 1e-6);
  assert_int_equal(made->event.percussion.law, THUD_IMPACT_SEQUENTIAL);
  assert_int_equal(made->motion.steps, 350);
  assert_true(made->motion.theta == 0.75);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* A study makes an event-driven motion of any system scene. */
static void scenes_of_time_stepping_have_event_options_too(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, PARTICLE("method: moreau-jean, end: 4, tolerance: 1e-3"), &scene), THUD_OK);
  const scene_system *made = scene->lagrangian;
  assert_false(made->event_driven);
  assert_true(made->motion.tolerance == 1e-3);
  assert_true(made->event.tolerance == thud_event_options_default().tolerance);
  assert_int_equal(made->event.percussion.law, THUD_IMPACT_SEQUENTIAL);
  thud_event_motion *motion = NULL;
  thud_event_info info;
  assert_int_equal(thud_event_motion_create(context, made->system, &made->event, made->q0, made->v0, &motion), THUD_OK);
  assert_int_equal(thud_event_motion_run(motion, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_EVENT_COMPLETED);
  assert_true(info.time == 4 && info.zeno_limits == 1);
  thud_event_motion_destroy(motion);
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
  refuse(PARTICLE("method: event-driven, end: 4, ordr: 7"), "scene.yaml:9:42: /simulate/ordr", "did you mean 'order'");
  refuse(PARTICLE("method: event-driven, end: 4, order: 3"), "/simulate/order", "from 4 to 60");
  refuse(PARTICLE("method: event-driven, end: 4, zeno: 1"), "/simulate/zeno", "true or false");
  refuse(PARTICLE("method: event-driven, end: 4, on_undecided: halt"), "/simulate/on_undecided", "stop");
  refuse(PARTICLE("method: event-driven, end: 4, tolerance: 0.1"), "/simulate/tolerance", "tolerance");
  /* keys of forks belong to the program, not to scenes; time stepping knows no orders */
  refuse(PARTICLE("method: event-driven, end: 4, fork: true"), "/simulate/fork", "unknown key");
  refuse(PARTICLE("method: moreau-jean, end: 4, steps: 10, order: 7"), "/simulate/order", "unknown key");
  refuse(PARTICLE("method: moreau-jean, end: 4"), "/simulate", "'step'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_of_the_method_are_read_and_those_of_time_stepping_may_stay),
      cmocka_unit_test(scenes_of_time_stepping_have_event_options_too),
      cmocka_unit_test(what_is_wrong_is_told_with_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
