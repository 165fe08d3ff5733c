/* Scenes in which functions give some of the numbers in the place of formulas: the motions of the formulas, what the record
 * says, what is refused. Steps made by thud_motion_advance. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A ball above a plate that moves; what {placeholders} stand for is given by functions or written out. */
#define BALL(mass, force, gap, restitution)                                                                            \
  "{thud: 1, system: {coordinates: [x, z], mass: " mass ", potential_energy: 9.81*2*z, forces: {x: \"-0.1*x'\", z: "   \
  "\"" force "\"}, constraints: [{name: plate, gap: \"" gap "\", restitution: " restitution                            \
  ", friction: {mu: 0.2, slip: [\"x'\"]}}]}, initial: {x: 0, z: 0.5, \"x'\": 1}, simulate: {"
static const char formulas[] = BALL("[[1, 0], [0, 2]]", "-0.3*z'", "z - 0.1*x^2", "0.5");
static const char others[] = BALL("[[1, 0], [0, 1]]", "0", "1", "0");

/* Functions see the state here alone. */
static double q[2], v[2], row[2], matrix[4];
static double refuse_from;

static double force(double t) { return t < refuse_from ? -0.3 * v[1] : NAN; }
static double gap(double t) {
  (void)t;
  return q[1] - 0.1 * (q[0] * q[0]);
}
static int gradient(double t) {
  (void)t;
  row[0] = -0.1 * (2 * q[0]);
  row[1] = 1;
  return 0;
}
static double restitution(double t) {
  (void)t;
  return 0.5;
}
static int mass(double t) {
  (void)t;
  memcpy(matrix, (double[]){1, 0, 0, 2}, sizeof matrix);
  return 0;
}
static int refuse(double t) {
  (void)t;
  return 1;
}

static const thud_system_replacement given[] = {
    {.array = THUD_ARRAY_MASS, .count = 4, .q = q, .v = v, .numbers = mass, .out = matrix},
    {.array = THUD_ARRAY_FORCE, .first = 1, .count = 1, .q = q, .v = v, .number = force},
    {.array = THUD_ARRAY_GAP, .count = 1, .q = q, .v = v, .number = gap},
    {.array = THUD_ARRAY_GRADIENT, .count = 2, .q = q, .v = v, .numbers = gradient, .out = row},
    {.array = THUD_ARRAY_RESTITUTION, .count = 1, .q = q, .v = v, .number = restitution}};
enum { GIVEN = sizeof given / sizeof *given };

static thud_error build(thud_context *context, const char *text, const char *simulate, size_t count,
                        const thud_system_replacement *replacements, thud_scene **scene) {
  char whole[1024];
  thud_tree *tree = NULL;
  snprintf(whole, sizeof whole, "%s%s}}", text, simulate);
  thud_error error = thud_tree_read_text(context, "scene", whole, strlen(whole), &tree);
  if (error == THUD_OK)
    error = replacements != NULL ? thud_scene_build_functions(context, tree, count, replacements, scene)
                                 : thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_scene *built(thud_context *context, const char *text, const char *simulate,
                         const thud_system_replacement *replacements) {
  thud_scene *scene = NULL;
  refuse_from = INFINITY;
  if (build(context, text, simulate, GIVEN, replacements, &scene) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return scene;
}

static thud_motion *motion_of(const thud_scene *scene) {
  return ((const thud_kind_object *)thud_scene_motion(scene))->motion;
}

/* The motions of two scenes, node by node. */
static void compare(thud_motion *one, thud_motion *other, double tolerance) {
  thud_reached here = {0}, there = {0};
  for (int k = 0; here.status == THUD_MOTION_RUNNING; k++) {
    assert_int_equal(thud_motion_step(one, NULL, &here), THUD_OK);
    assert_int_equal(thud_motion_step(other, NULL, &there), THUD_OK);
    const thud_stepping_frame a = thud_stepping_motion_present(one), b = thud_stepping_motion_present(other);
    for (int i = 0; i < 2; i++) {
      thud_assert_near(a.q[i], b.q[i], tolerance);
      thud_assert_near(a.v[i], b.v[i], tolerance);
    }
    thud_assert_near(a.reaction[0], b.reaction[0], tolerance);
  }
  assert_int_equal(here.status, THUD_MOTION_COMPLETED);
  assert_int_equal(there.status, THUD_MOTION_COMPLETED);
}

static void motions_are_those_of_the_formulas(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* The implicit part of moreau-jean takes differences of forces that a function gives: theirs are exact to 1e-10. */
  static const struct {
    const char *simulate;
    double tolerance;
  } cases[] = {{"method: moreau, end: 1.5, steps: 300", 1e-14},
               {"method: second-order, end: 1.5, steps: 300", 1e-14},
               {"method: moreau-jean, end: 1.5, steps: 300", 1e-9}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_scene *one = built(context, formulas, cases[k].simulate, NULL),
               *other = built(context, others, cases[k].simulate, given);
    compare(motion_of(one), motion_of(other), cases[k].tolerance);
    thud_scene_destroy(one);
    thud_scene_destroy(other);
  }
  thud_test_context_end(context);
}

static void records_say_that_functions_gave_the_numbers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("replaced.h5");
  static const char *const simulate[] = {"method: moreau-jean, end: 1, steps: 100", "method: event-driven, end: 1"};
  for (int k = 0; k < 2; k++) {
    thud_scene *scene = built(context, others, simulate[k], given);
    assert_non_null(strstr(thud_scene_text(scene), "\"functions\": true"));
    assert_null(strstr(thud_scene_text(scene), "\"gap\""));
    assert_non_null(thud_scene_layout(scene));
    thud_run_options options = thud_run_options_default();
    thud_run_result result = {0};
    options.record = path;
    options.overwrite = true;
    assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
    assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
    thud_run_result_free(context, &result);
    thud_scene_destroy(scene);
    thud_verify_result found;
    assert_int_equal(thud_verify_record(context, path, NULL, &found), THUD_OK);
    assert_int_equal(found.verdict, THUD_VERIFY_GOOD);
  }
  thud_test_context_end(context);
}

static void a_function_that_refuses_ends_the_motion_before_it(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = built(context, others, "method: moreau, end: 1, steps: 100", given);
  thud_reached reached;
  refuse_from = 0.25;
  assert_int_equal(thud_motion_run(motion_of(scene), NULL, &reached), THUD_OK);
  assert_int_equal(reached.status, THUD_MOTION_BAD_DATA);
  thud_assert_near(reached.t, 0.25, 0.011);
  assert_non_null(strstr(thud_context_last_message(context),
                         "the function that gives the force of coordinate 'z' refused at t = "));
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void wrong_replacements_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system_replacement wrong[8];
  for (int k = 0; k < 8; k++) wrong[k] = given[1];
  wrong[0].array = 14;
  wrong[1].first = 2;
  wrong[2].count = 0;
  wrong[3].q = NULL;
  wrong[4].number = NULL;
  wrong[5].numbers = gradient;
  wrong[6].count = 2;
  wrong[6].first = 0;
  wrong[7].number = NULL;
  wrong[7].numbers = gradient;
  thud_scene *scene = NULL;
  for (int k = 0; k < 8; k++) {
    assert_int_equal(build(context, others, "method: moreau, end: 1, steps: 10", 1, &wrong[k], &scene),
                     THUD_ERROR_ARGUMENT);
    assert_non_null(strstr(thud_context_last_message(context), "replacement 0"));
  }
  assert_int_equal(build(context, others, "method: event-driven, arcs: series, end: 1", GIVEN, given, &scene),
                   THUD_ERROR_UNSUPPORTED);
  thud_system_replacement refusing = given[3];
  refusing.numbers = refuse;
  assert_int_equal(build(context, others, "method: moreau, end: 1, steps: 10", 1, &refusing, &scene),
                   THUD_ERROR_CALLBACK);
  static const char sweeping[] =
      "{thud: 1, sweeping: {set: {interval: [0, t]}, metric: identity}, initial: {x: 0}, simulate: {";
  assert_int_equal(build(context, sweeping, "end: 1, steps: 10", GIVEN, given, &scene), THUD_ERROR_ARGUMENT);
  assert_null(scene);
  thud_test_context_end(context);
}

static thud_error sweep(thud_context *context, void *user) {
  thud_scene *scene = NULL;
  (void)user;
  thud_error error = build(context, others, "method: moreau, end: 1, steps: 3", GIVEN, given, &scene);
  if (error == THUD_OK) thud_scene_destroy(scene);
  return error;
}

static void every_lack_of_memory_is_reported(void **state) {
  (void)state;
  refuse_from = INFINITY;
  thud_assert_greater(thud_test_sweep_allocations(sweep, NULL), 0);
}

static void a_motion_advances_by_steps_or_to_a_time(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = built(context, formulas, "method: moreau, end: 1, steps: 100", NULL);
  thud_motion *motion = motion_of(scene);
  thud_bodies *bodies = NULL;
  thud_reached reached;
  size_t done = 0;
  assert_int_equal(thud_motion_advance(motion, 11, INFINITY, NULL, &done, &reached), THUD_OK);
  assert_int_equal(done, 11);
  thud_assert_near(reached.t, 0.1, 1e-12);
  assert_int_equal(thud_motion_advance(motion, 1000, 0.495, NULL, &done, &reached), THUD_OK);
  assert_int_equal(done, 40);
  thud_assert_near(reached.t, 0.5, 1e-12);
  assert_int_equal(thud_motion_advance(motion, 1000, INFINITY, NULL, &done, &reached), THUD_OK);
  assert_int_equal(done, 50);
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  assert_int_equal(thud_scene_bodies(scene, &bodies), THUD_ERROR_ARGUMENT);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_are_those_of_the_formulas),
      cmocka_unit_test(records_say_that_functions_gave_the_numbers),
      cmocka_unit_test(a_function_that_refuses_ends_the_motion_before_it),
      cmocka_unit_test(wrong_replacements_are_refused),
      cmocka_unit_test(every_lack_of_memory_is_reported),
      cmocka_unit_test(a_motion_advances_by_steps_or_to_a_time),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
