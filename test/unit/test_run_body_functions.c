/* Bodies of a scene that functions of a program move: the same motion as with expressions, records that are checked by what the
 * functions gave, and what is refused. */
#include "failing_allocator.h"
#include "record_channels.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/run.h"
#include "verifying.h"

#include <math.h>
#include <string.h>

#define HEAD                                                                                                           \
  "thud: 1\n"                                                                                                          \
  "materials: {stone: {friction: 0.5, restitution: 0.3, density: 1000}}\n"                                             \
  "bodies:\n"                                                                                                          \
  "  - {name: box, shape: {box: [0.2, 0.2, 0.2]}, material: stone, position: [0.5, 0, 0.1]}\n"
#define END "simulate: {end: 0.5, step: 0.005}\nrecord: {checkpoint_every: 0.1}\n"
#define ROCKET "  - {name: rocket, shape: {box: [0.1, 0.1, 0.3]}, mass: 0.2, position: [0, 0, 0.35], spin: [0, 1, 0], "
#define TABLE "  - {name: table, shape: {box: [2, 2, 0.2]}, material: stone, path: "

static const char *const told = HEAD TABLE "{functions: true}}\n" ROCKET "force: {functions: true}}\n" END;
static const char *const written =
    HEAD TABLE "{position: [0.05*t, 0, -0.1], axis: [0, 0, 1], angle: 0.5*t}}\n" ROCKET
               "force: [\"1 - 400*(x - 0.1) - 30*x'\", 0, \"2*t\"], torque: [0, 0, \"-0.01*wz + 0.02\"]}\n" END;

/* k = 2 h^2 k/m is 0.1; with the stiffness 100 times as large the step takes a share a step later. */
typedef struct rocket {
  double stiffness;
  int calls, fails_at;
} rocket;

static int push(void *user, double t, const thud_body_state *state, thud_vec3 *force, thud_vec3 *torque) {
  rocket *own = user;
  *force = thud_vec3_make(1 - own->stiffness * (state->position.x - 0.1) - 30 * state->velocity.x, 0, 2 * t);
  *torque = thud_vec3_make(0, 0, -0.01 * state->spin.z + 0.02);
  return ++own->calls == own->fails_at ? -1 : 0;
}

static int slopes(void *user, double t, const thud_body_state *state, double by_place[36], double by_velocity[36]) {
  (void)t;
  (void)state;
  by_place[0] = -((const rocket *)user)->stiffness;
  by_velocity[0] = -30;
  by_velocity[35] = -0.01;
  return 0;
}

static int glide(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  pose->position = thud_vec3_make(0.05 * t, 0, -0.1);
  pose->rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, 0.5 * t));
  *velocity = thud_vec3_make(0.05, 0, 0);
  *spin = thud_vec3_make(0, 0, 0.5);
  return 0;
}

static thud_error build(thud_context *context, const char *text, size_t count, const thud_body_functions *functions,
                        thud_scene **scene) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK)
    error = functions != NULL ? thud_scene_build_bodies(context, tree, count, functions, scene)
                              : thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_run_result run(thud_context *context, const char *text, rocket *own, bool sloped, const char *path) {
  const thud_body_functions functions[] = {
      {.name = "table", .path = glide},
      {.name = "rocket", .force = push, .slope = sloped ? slopes : NULL, .user = own}};
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  if (build(context, text, 2, own != NULL ? functions : NULL, &scene) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_scene_destroy(scene);
  return result;
}

/* ---- the motion -------------------------------------------------------------------------------------------------- */

static void assert_same(const record_channels *a, const record_channels *b, const char *channel, size_t width) {
  assert_int_equal(a->frames.rows, b->frames.rows);
  for (size_t row = 0; row < a->frames.rows; row++)
    for (size_t k = 0; k < width; k++)
      thud_assert_near(*record_table_number(&a->frames, channel, row, k),
                       *record_table_number(&b->frames, channel, row, k), 1e-12);
}

/* The derivatives of the expressions are those of the functions, so that nothing but rounding differs. */
static void functions_move_bodies_as_expressions_do(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rocket own = {.stiffness = 400};
  thud_run_result first = run(context, written, NULL, true, thud_test_path("written.h5"));
  thud_run_result second = run(context, told, &own, true, thud_test_path("told.h5"));
  assert_int_equal(first.verdict, THUD_VERDICT_GOOD);
  assert_int_equal(second.verdict, THUD_VERDICT_GOOD);
  record_channels a, b;
  record_channels_load(context, thud_test_path("written.h5"), &a);
  record_channels_load(context, thud_test_path("told.h5"), &b);
  assert_same(&a, &b, "position", 9);
  assert_same(&a, &b, "velocity", 9);
  assert_same(&a, &b, "ledger", 9);
  record_channels_free(&a);
  record_channels_free(&b);
  thud_run_result_free(context, &first);
  thud_run_result_free(context, &second);
  thud_test_context_end(context);
}

/* ---- the checker --------------------------------------------------------------------------------------------------- */

/* Explicit, implicit in the velocity, and so stiff that a share is taken a step later. */
static void records_are_checked_by_what_functions_gave(void **state) {
  (void)state;
  static const struct {
    double stiffness;
    bool sloped;
  } cases[] = {{400, false}, {400, true}, {40000, true}};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    rocket own = {.stiffness = cases[k].stiffness};
    thud_run_result result = run(context, told, &own, cases[k].sloped, thud_test_path("told.h5"));
    thud_run_result_free(context, &result);
    thud_verify_result found = thud_test_verify(context, thud_test_path("told.h5"));
    assert_string_equal(found.reason, "");
    assert_int_equal(found.verdict, THUD_VERIFY_GOOD);
    const thud_verify_check *functions = thud_test_check_of(&found, "functions");
    assert_int_equal(functions->status, THUD_VERIFY_NOT_CHECKED);
    assert_non_null(strstr(functions->detail, "functions of t"));
    assert_int_equal(thud_test_check_of(&found, "momentum")->status, THUD_VERIFY_PASSED);
  }
  thud_test_context_end(context);
}

/* The force on the rocket comes behind the 14 numbers of the table's path. */
static void changed_numbers_of_functions_are_found(void **state) {
  (void)state;
  static const struct {
    size_t component;
    double by;
    const char *check;
  } changes[] = {{0, 1e-3, "drift"},    {9, 1e-3, "contacts"},     {14, 0.1, "momentum"},    {19, 0.1, "momentum"},
                 {20, 0.1, "momentum"}, {14 + 12, 10, "momentum"}, {14 + 48, 5, "momentum"}, {14 + 83, 1, "momentum"}};
  thud_context *context = thud_test_context(1);
  rocket own = {.stiffness = 40000};
  thud_run_result result = run(context, told, &own, true, thud_test_path("told.h5"));
  thud_run_result_free(context, &result);
  record_channels r;
  record_channels_load(context, thud_test_path("told.h5"), &r);
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    double *number = record_table_number(&r.frames, "function_values", 20, changes[k].component), kept = *number;
    *number += changes[k].by;
    record_channels_save(context, thud_test_path("changed.h5"), &r);
    *number = kept;
    thud_verify_result found = thud_test_verify(context, thud_test_path("changed.h5"));
    if (thud_test_check_of(&found, changes[k].check)->status != THUD_VERIFY_FAILED)
      fail_msg("'%s' passes with another number %zu: %s", changes[k].check, changes[k].component, found.reason);
  }
  record_channels_free(&r);
  thud_test_context_end(context);
}

/* ---- what is refused ------------------------------------------------------------------------------------------------ */

static void assert_refused(thud_context *context, const char *text, size_t count, const thud_body_functions *functions,
                           thud_error expected, const char *says) {
  thud_scene *scene = NULL;
  thud_error error = build(context, text, count, functions, &scene);
  if (error != expected || strstr(thud_context_last_message(context), says) == NULL)
    fail_msg("not '%s' but %s: %s", says, thud_error_name(error), thud_context_last_message(context));
  assert_null(scene);
}

static int nowhere(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  (void)t;
  (void)spin;
  pose->position.x = NAN;
  *velocity = thud_vec3_make(0, 0, 0);
  return 0;
}

static int fails(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  (void)t;
  (void)pose;
  (void)velocity;
  (void)spin;
  return -1;
}

static void functions_that_do_not_fit_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rocket own = {.stiffness = 400};
  const thud_body_functions table = {.name = "table", .path = glide},
                            fuel = {.name = "rocket", .force = push, .user = &own};
  const thud_body_functions both[] = {table, fuel}, other[] = {table, fuel, {.name = "box", .force = push}},
                            wrong[] = {table, {.name = "rocket", .path = glide}}, nameless[] = {{.force = push}},
                            empty[] = {{.name = "box"}}, lost[] = {{.name = "table", .path = nowhere}, fuel},
                            broken[] = {{.name = "table", .path = fails}, fuel};
  assert_refused(context, told, 0, NULL, THUD_ERROR_SCHEMA, "is a function of the program");
  assert_refused(context, told, 1, both, THUD_ERROR_SCHEMA, "the force of 'rocket' is a function of the program");
  assert_refused(context, told, 2, wrong, THUD_ERROR_SCHEMA, "the force of 'rocket'");
  assert_refused(context, told, 3, other, THUD_ERROR_ARGUMENT, "no body 'box' with 'force: {functions: true}'");
  assert_refused(context, written, 2, both, THUD_ERROR_ARGUMENT, "no body 'table' with 'path: {functions: true}'");
  assert_refused(context, told, 1, nameless, THUD_ERROR_ARGUMENT, "no name");
  assert_refused(context, told, 1, empty, THUD_ERROR_ARGUMENT, "neither force nor path");
  assert_refused(context, told, 2, lost, THUD_ERROR_NOT_FINITE, "not finite at t = 0");
  assert_refused(context, told, 2, broken, THUD_ERROR_CALLBACK, "failed at t = 0");
  assert_refused(context, HEAD ROCKET "force: {functions: true}, torque: [0, 0, 1]}\n" END, 1, &fuel, THUD_ERROR_SCHEMA,
                 "gives the torque");
  assert_refused(context, HEAD ROCKET "force: {functions: false}}\n" END, 1, &fuel, THUD_ERROR_SCHEMA,
                 "of a single body");
  assert_refused(context, HEAD ROCKET "force: {functions: true, x: 1}}\n" END, 1, &fuel, THUD_ERROR_SCHEMA,
                 "unknown key 'x'");
  assert_refused(context,
                 HEAD "  - {generate: grid, name: g, counts: [1, 1, 1], spacing: 1, position: [9, 9, 9], body: {shape: "
                      "{sphere: 0.1}, mass: 1, force: {functions: true}}}\n" END,
                 1, &fuel, THUD_ERROR_SCHEMA, "of a single body");
  assert_refused(context,
                 "thud: 1\nsystem: {coordinates: [x], mass: [1]}\ninitial: {x: 0}\n"
                 "simulate: {method: moreau-jean, end: 1, steps: 1}\n",
                 1, &fuel, THUD_ERROR_ARGUMENT, "not of rigid bodies");
  thud_test_context_end(context);
}

/* The run has begun: its verdict says so, and the record ends there. */
static void a_function_that_fails_ends_the_run(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rocket own = {.stiffness = 400, .fails_at = 10};
  const thud_body_functions functions[] = {{.name = "table", .path = glide},
                                           {.name = "rocket", .force = push, .user = &own}};
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  assert_int_equal(build(context, told, 2, functions, &scene), THUD_OK);
  thud_error error = thud_scene_run(scene, &options, &result);
  if (error == THUD_OK) {
    assert_int_equal(result.verdict, THUD_VERDICT_FAILED);
    assert_non_null(strstr(result.reason, "'rocket'"));
    thud_run_result_free(context, &result);
  } else {
    assert_int_equal(error, THUD_ERROR_CALLBACK);
    assert_non_null(strstr(thud_context_last_message(context), "'rocket'"));
  }
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* ---- memory and going on ---------------------------------------------------------------------------------------------- */

static thud_error build_all(thud_context *context, void *user) {
  const thud_body_functions functions[] = {{.name = "table", .path = glide},
                                           {.name = "rocket", .force = push, .slope = slopes, .user = user}};
  thud_scene *scene = NULL;
  thud_error error = build(context, told, 2, functions, &scene);
  thud_scene_destroy(scene);
  return error;
}

static void missing_memory_is_an_error(void **state) {
  (void)state;
  rocket own = {.stiffness = 400};
  thud_assert_greater(thud_test_sweep_some_allocations(build_all, &own, 60), 100);
}

static int stop_halfway(void *user, double t, double start, double end) {
  (void)user;
  return t > 0.5 * (start + end);
}

/* The program that has the functions goes on from a checkpoint: frames and what functions gave are those of one run. */
static void a_stopped_run_goes_on(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rocket own = {.stiffness = 400};
  const thud_body_functions functions[] = {{.name = "table", .path = glide},
                                           {.name = "rocket", .force = push, .slope = slopes, .user = &own}};
  thud_run_result result = run(context, told, &own, true, thud_test_path("whole.h5"));
  thud_run_result_free(context, &result);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("parts.h5");
  options.progress = stop_halfway;
  for (int part = 0; part < 2; part++) {
    thud_scene *scene = NULL;
    assert_int_equal(build(context, told, 2, functions, &scene), THUD_OK);
    assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
    assert_int_equal(result.verdict, part == 0 ? THUD_VERDICT_STOPPED : THUD_VERDICT_GOOD);
    thud_run_result_free(context, &result);
    thud_scene_destroy(scene);
    options.resume = true;
    options.progress = NULL;
  }
  record_channels a, b;
  record_channels_load(context, thud_test_path("whole.h5"), &a);
  record_channels_load(context, thud_test_path("parts.h5"), &b);
  assert_same(&a, &b, "position", 9);
  assert_int_equal(a.frames.rows, b.frames.rows);
  for (size_t row = 0; row < a.frames.rows; row++)
    for (size_t k = 0; k < 98; k++)
      thud_assert_near(*record_table_number(&a.frames, "function_values", row, k),
                       *record_table_number(&b.frames, "function_values", row, k), 0);
  record_channels_free(&a);
  record_channels_free(&b);
  assert_int_equal(thud_test_verify(context, thud_test_path("parts.h5")).verdict, THUD_VERIFY_GOOD);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_move_bodies_as_expressions_do),
      cmocka_unit_test(records_are_checked_by_what_functions_gave),
      cmocka_unit_test(changed_numbers_of_functions_are_found),
      cmocka_unit_test(functions_that_do_not_fit_are_refused),
      cmocka_unit_test(a_function_that_fails_ends_the_run),
      cmocka_unit_test(missing_memory_is_an_error),
      cmocka_unit_test(a_stopped_run_goes_on),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
