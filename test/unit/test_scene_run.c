/* From scene text to a verdict: what the builder refuses and where, and what a run hands out. */
#include "thud/run.h"
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ball_scene = "thud: 1\n"
                                      "title: ball\n"
                                      "parameters: {v: 1, r: 1}\n"
                                      "sweeping:\n"
                                      "  coordinates: [x, y]\n"
                                      "  set: {ball: {centre: [\"v*t\", 0], radius: r}}\n"
                                      "initial: {x: 0, y: 0.5}\n"
                                      "simulate: {method: catching-up, end: 3, steps: 60}\n";

static thud_error build_text(thud_context *context, const char *text, thud_scene **scene) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

/* What `thud check` says of the scene holds the text. */
static void assert_check_says(thud_scene *scene, const char *part) {
  char *json = NULL, *text = NULL;
  assert_int_equal(thud_scene_check(scene, "scene.yaml", &json, &text), THUD_OK);
  if (strstr(json, part) == NULL) fail_msg("'%s' is not in %s", part, json);
  thud_scene_free_text(scene, json);
  thud_scene_free_text(scene, text);
}

static void a_good_scene_says_what_it_is(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, ball_scene, &scene), THUD_OK);
  thud_scene_info info = thud_scene_get_info(scene);
  assert_string_equal(info.title, "ball");
  assert_check_says(scene, "\"set\": \"ball\"");
  assert_int_equal(info.dimension, 2);
  assert_string_equal(info.coordinates[1], "y");
  assert_int_equal(info.steps, 60);
  assert_check_says(scene, "\"moves\": true");
  assert_check_says(scene, "\"jumps\": []");
  assert_check_says(scene, "\"initial_distance\": 0,\n");
  assert_check_says(scene, "\"projection\": \"exact\"");
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* 0.1*3 and 0.9/3 round to different doubles; as jumps of one set they are one time. */
static void components_that_jump_together_share_one_time(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context,
                              "thud: 1\n"
                              "sweeping:\n"
                              "  coordinates: [x, y]\n"
                              "  set: {box: {lower: [\"step(t - 0.1*3)\", \"2*step(3*t - 0.9)\"], upper: [9, 9]}}\n"
                              "initial: {x: 0, y: 0}\n"
                              "simulate: {method: catching-up, end: 1, steps: 10}\n",
                              &scene),
                   THUD_OK);
  assert_check_says(scene, "\"jumps\": [0.29999999999999999]");
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* Each bad scene: the text that replaces a part of the good one, and what the message must contain. */
typedef struct bad_scene {
  const char *what, *with;
  const char *place, *says;
} bad_scene;

static void replace(char *out, size_t capacity, const char *text, const char *what, const char *with) {
  const char *found = strstr(text, what);
  assert_non_null(found);
  snprintf(out, capacity, "%.*s%s%s", (int)(found - text), text, with, found + strlen(what));
}

static void bad_scenes_are_refused_at_their_place(void **state) {
  (void)state;
  static const bad_scene cases[] = {
      {"thud: 1", "thud: 2", ":1:", "scene.yaml:1:7: /thud: scene format 2 is not known; this program reads 'thud: 1'"},
      {"thud: 1\n", "", "", "thud"},
      {"title: ball", "titel: ball", ":2:1: ", "scene.yaml:2:1: /titel: unknown key 'titel' (did you mean 'title'?)"},
      {"radius: r", "radius: -1", ":6:", "-1"},
      {"radius: r", "radius: q", ":6:", "q"},
      {"radius: r", "radius: r + qq", "scene.yaml:6:48: /sweeping/set/ball/radius: column 5: unknown name 'qq'",
       "unknown name 'qq'"},
      {"radius: r", "raduis: r",
       ":6:", "scene.yaml:6:36: /sweeping/set/ball/raduis: unknown key 'raduis' (did you mean 'radius'?)"},
      {"radius: r", "radius: [1]", "/sweeping/set/ball/radius",
       "scene.yaml:6:44: /sweeping/set/ball/radius: expected a number or an expression of t, found a sequence of 1"},
      {"radius: r", "radius: 1/0", ":6:", "finite"},
      {"centre: [\"v*t\", 0]", "centre: [\"v*t\"]", "/sweeping/set/ball/centre",
       "scene.yaml:6:24: /sweeping/set/ball/centre: 2 numbers are needed here, found 1"},
      {"set: {ball:", "set: {bal:", ":6:",
       "scene.yaml:6:9: /sweeping/set/bal: unknown key 'bal' (did you mean 'ball'?)"},
      {"end: 3", "end: -3", "/simulate/end",
       "scene.yaml:8:38: /simulate/end: the end, -3, must come after the start, 0"},
      {"end: 3", "end: t", "/simulate/end", "depends on time"},
      {"steps: 60", "steps: 0", "/simulate/steps", "whole number"},
      {"steps: 60", "step: 0", "/simulate/step", "greater than 0"},
      {"steps: 60", "step: -0.1", "/simulate/step", "greater than 0"},
      {"steps: 60", "step: 1e-12", "/simulate/step", "1e9"},
      {"steps: 60", "steps: 6, step: 1", "/simulate",
       "scene.yaml:8:11: /simulate: give either 'step' (a length of time) or 'steps' (a number)"},
      {"steps: 60", "steps: 60, tolerance: 0", "/simulate/tolerance", "greater than 0"},
      {"steps: 60", "steps: 60, refinements: 1.5", "/simulate/refinements", "whole number"},
      {"steps: 60", "steps: 60, lambda: .nan", ":8:", ""},
      {"method: catching-up", "method: catchingup", "/simulate/method", "catching-up"},
      {"y: 0.5", "z: 0.5", ":7:", "z"},
      {", y: 0.5", "", "/initial", "y"},
      {"[x, y]", "[x, x]", "/sweeping/coordinates/1", "twice"},
      {"[x, y]", "[]", "/sweeping/coordinates", "names"},
      {"[x, y]", "[x, t]", "/sweeping/coordinates/1",
       "scene.yaml:5:20: /sweeping/coordinates/1: 't' cannot name a coordinate"},
      {"[x, y]", "[x, y]\n  metric: [[1, 2], [2, 1]]", "/sweeping/metric",
       "scene.yaml:6:11: /sweeping/metric: metric: pivot 1 is -3: not positive definite"},
      {"[x, y]", "[x, y]\n  metric: [[1, 2], [0, 9]]", "/sweeping/metric", "symmetric"},
      {"[x, y]", "[x, y]\n  metric: [1]", "/sweeping/metric",
       "scene.yaml:6:11: /sweeping/metric: a metric of 2 rows is needed here, found 1"},
      {"[x, y]", "[x, y]\n  metric: [1, -1]", "/sweeping/metric", "-1"},
      {"v: 1", "v: t", "/parameters/v", "depends on time"},
      {"v: 1", "pi: 1", "/parameters/pi", "pi"},
      {"\"v*t\"", "\"step(t^2 - 1)\"", "/sweeping/set/ball/centre/0", "data"},
      {"title: ball", "data: {s: {breaks: [1, 1], pieces: [0, 1, 2]}}", "/data/s/breaks/1", "increase"},
      {"title: ball", "data: {s: {breaks: [1], pieces: [0]}}", "/data/s/pieces",
       "scene.yaml:2:33: /data/s/pieces: the breaks call for 2 pieces, found 1"},
      {"title: ball", "record: {every: 0}", "/record/every", "greater than 0"},
      {"title: ball", "record: {every: 1, every_step: true}", "/record", "contradict"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{box: {lower: [0, 2], upper: [1, 1]}}", ":6:", "empty"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{polyhedron: {A: [[1, 0], [-1, 0]], b: [0, -1]}}", ":6:", "empty"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{polyhedron: {A: [[1, 0], [1]], b: [0, -1]}}",
       "/sweeping/set/polyhedron/A/1",
       "scene.yaml:6:34: /sweeping/set/polyhedron/A/1: a row of 2 numbers is needed here, found 1"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{interval: {lower: 0, upper: 1}}", "/sweeping/set",
       "scene.yaml:6:8: /sweeping/set: this box has dimension 1, 2 is needed here"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{product: []}", "/sweeping/set/product",
       "scene.yaml:6:18: /sweeping/set/product: at least one set is needed here"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{product: [{coulomb_cone: {mu: 1}}]}",
       "/sweeping/set/product/0/coulomb_cone", "dimension"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{scaling: {by: -1, set: {ball: {centre: [0, 0], radius: 1}}}}",
       ":6:", "-1"},
      {"{ball: {centre: [\"v*t\", 0], radius: r}}", "{}", "/sweeping/set",
       "scene.yaml:6:8: /sweeping/set: a set is written as one kind, like {ball: {...}}; found 0 keys"},
  };
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[2048];
    replace(text, sizeof text, ball_scene, cases[k].what, cases[k].with);
    thud_scene *scene = NULL;
    thud_error error = build_text(context, text, &scene);
    const char *message = thud_context_last_message(context);
    bool good = error != THUD_OK && scene == NULL && strncmp(message, "scene.yaml:", 11) == 0 &&
                strstr(message, cases[k].place) != NULL && strstr(message, cases[k].says) != NULL;
    if (!good) fail_msg("case %zu (%s): error %d, message: %s", k, cases[k].with, (int)error, message);
  }
  thud_test_context_end(context);
}

static void a_run_reports_samples_on_both_sides_of_a_jump(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const text = "thud: 1\n"
                                  "data: {s: {breaks: [1], pieces: [0, 3]}}\n"
                                  "sweeping: {coordinates: [u], set: {interval: {lower: s, upper: s + 1}}}\n"
                                  "initial: {u: 0.5}\n"
                                  "simulate: {method: catching-up, end: 2, steps: 4}\n";
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, text, &scene), THUD_OK);
  const double at[3] = {2, 1, 0.25};
  thud_run_options options = thud_run_options_default();
  options.sample_count = 3;
  options.sample_times = at;
  thud_run_result result;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  const char *right = strstr(result.json, "\"samples\""), *left = strstr(result.json, "\"samples_left\"");
  assert_non_null(right);
  assert_non_null(left);
  assert_non_null(strstr(right, "\"t\": 0.25"));
  const char *left_at_jump = strstr(left, "\"t\": 1,"), *right_at_jump = strstr(right, "\"t\": 1,");
  assert_non_null(left_at_jump);
  assert_non_null(right_at_jump);
  thud_assert_equal(strtod(strstr(left_at_jump, "\"u\": ") + 5, NULL), 0.5);
  thud_assert_equal(strtod(strstr(right_at_jump, "\"u\": ") + 5, NULL), 3);
  assert_non_null(strstr(result.json, "\"events_total\": 1"));
  thud_run_result_free(context, &result);
  const double outside[1] = {2.5};
  options.sample_count = 1;
  options.sample_times = outside;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_ERROR_ARGUMENT);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static int stop_at_once(void *user, double t, double start, double end) {
  (void)user;
  (void)start;
  (void)end;
  return t > 1;
}

static void an_interrupted_run_leaves_a_closed_record(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("interrupted.h5");
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, ball_scene, &scene), THUD_OK);
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  options.progress = stop_at_once;
  thud_run_result result;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERDICT_STOPPED);
  thud_run_result_free(context, &result);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  assert_string_equal(info.verdict, "stopped");
  assert_true(info.finished);
  thud_assert_equal(info.rows[THUD_RECORD_FRAMES], 22);
  thud_record_reader_destroy(reader);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void a_set_that_vanishes_on_the_way_is_a_bad_verdict(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char text[2048];
  /* With steps of 1/16 every node is exact. */
  char exact_nodes[2048];
  replace(exact_nodes, sizeof exact_nodes, ball_scene, "steps: 60", "steps: 48");
  replace(text, sizeof text, exact_nodes, "radius: r", "radius: 1 - t");
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, text, &scene), THUD_OK);
  thud_run_options options = thud_run_options_default();
  thud_run_result result;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERDICT_FAILED);
  assert_non_null(strstr(result.reason, "the set is empty after t = 1: moving ball at t = 1.0625: ball: radius is -"));
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* `every` keeps one frame per interval, the last one, and everything at a jump. */
static void thinned_records_keep_ends_and_jumps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("thinned.h5");
  static const char *const text = "thud: 1\n"
                                  "data: {s: {breaks: [0.333], pieces: [0, 3]}}\n"
                                  "sweeping: {coordinates: [u], set: {interval: {lower: s, upper: s + 1}}}\n"
                                  "initial: {u: 0.5}\n"
                                  "simulate: {method: catching-up, end: 1, steps: 1000}\n"
                                  "record: {every: 0.1}\n";
  thud_scene *scene = NULL;
  assert_int_equal(build_text(context, text, &scene), THUD_OK);
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  thud_run_result result;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_run_result_free(context, &result);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  /* 0, .1, ..., 1 and the three limits at 0.333 */
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 14);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], 1);
  thud_record_reader_destroy(reader);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static thud_error everything(thud_context *context, void *user) {
  (void)user;
  static const char *const text = "thud: 1\n"
                                  "title: all\n"
                                  "parameters: {a: 1, b: 2*a}\n"
                                  "data: {s: {breaks: [1], pieces: [0, \"a*t\"], at_breaks: [0.5]}}\n"
                                  "sweeping:\n"
                                  "  coordinates: [x, y, z]\n"
                                  "  metric: [[2, 0, 0], [0, 1, 0], [0, 0, 1]]\n"
                                  "  set:\n"
                                  "    product:\n"
                                  "      - translation: {by: [s, 0], set: {ball: {centre: [0, 0], radius: b}}}\n"
                                  "      - interval: {lower: -1, upper: null}\n"
                                  "initial: {x: 5, y: 0, z: 0}\n"
                                  "simulate: {method: catching-up, end: 2, steps: 3}\n";
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_error error = thud_tree_read_text(context, "s", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  const double at[1] = {1};
  thud_run_options options = thud_run_options_default();
  options.sample_count = 1;
  options.sample_times = at;
  thud_run_result result = {0};
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error != THUD_OK) assert_null(result.json);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(everything, NULL), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_scene_says_what_it_is),
      cmocka_unit_test(components_that_jump_together_share_one_time),
      cmocka_unit_test(bad_scenes_are_refused_at_their_place),
      cmocka_unit_test(a_run_reports_samples_on_both_sides_of_a_jump),
      cmocka_unit_test(an_interrupted_run_leaves_a_closed_record),
      cmocka_unit_test(a_set_that_vanishes_on_the_way_is_a_bad_verdict),
      cmocka_unit_test(thinned_records_keep_ends_and_jumps),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
