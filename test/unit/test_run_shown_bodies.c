/* Bodies that a record lists, as pictures read them: the same shapes, places, names and springs as the scene builds; and what
 * is refused of scenes that were read for pictures. */
#include "failing_allocator.h"
#include "record/reader.h"
#include "scene/build.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/film.h"
#include "thud/run.h"

#include <stdio.h>
#include <string.h>

/* Every shape of space, compounds, generators, a spring to the world, and a body that comes later. */
static const char space[] =
    "thud: 1\n"
    "gravity: [0, 0.3, -9]\n"
    "materials: {stone: {friction: 0.4, density: 2600}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, position: [0, 0, -5]}\n"
    "  - {name: ground, fixed: true, position: [40, 0, -6], shape: {height_field: {size: [4, 4], heights: [[0, 0.1, "
    "0], "
    "[0, 0.3, 0.2], [0.1, 0, 0]]}}}\n"
    "  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [0, 0, 1]}\n"
    "  - {name: egg, shape: {ellipsoid: [0.1, 0.2, 0.3]}, material: stone, position: [1, 0, 1]}\n"
    "  - {name: pill, shape: {capsule: {radius: 0.1, length: 0.3}}, material: stone, position: [2, 0, 1]}\n"
    "  - {name: can, shape: {cylinder: {radius: 0.1, length: 0.3}}, material: stone, position: [3, 0, 1]}\n"
    "  - {name: hat, shape: {cone: {radius: 0.1, height: 0.3}}, material: stone, position: [4, 0, 1]}\n"
    "  - {name: stone, shape: {hull: [[0, 0, 0], [0.3, 0, 0.1], [0, 0.3, 0], [0, 0, 0.3], [0.2, 0.2, 0.2]]}, "
    "material: stone, position: [5, 0, 1]}\n"
    "  - {name: tent, fixed: true, shape: {mesh: {vertices: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]], "
    "triangles: [[0, 2, "
    "1], "
    "[0, 1, 3], [1, 2, 3], [0, 3, 2]]}}, material: stone, position: [6, 0, 1]}\n"
    "  - {name: hammer, material: stone, position: [7, 0, 1], rotation: {axis: [1, 2, 3], angle: 0.7}, parts: [{shape: "
    "{box: [0.1, 0.2, 0.3]}}, {shape: {sphere: 0.1}, position: [0.1, 0.2, 0.3]}]}\n"
    "  - {name: late, absent: true, shape: {sphere: 0.1}, material: stone, position: [8, 0, 1]}\n"
    "  - {generate: packing, name: grain, count: 20, low: [10, 0, 0], high: [12, 2, 2], scale: [0.5, 1], turned: true, "
    "body: {shape: {box: [0.2, 0.1, 0.06]}, material: stone}}\n"
    "springs:\n"
    "  - {name: s, a: ball, at_a: [0.1, 0, 0], b: egg, stiffness: 10, length: 1}\n"
    "  - {name: w, a: hammer, at_b: [7, 0, 2], stiffness: 10}\n"
    "simulate: {end: 0.01, step: 0.005}\n";

static const char plane[] =
    "thud: 1\n"
    "planar: true\n"
    "materials: {stone: {friction: 0.4, density: 2600}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: half_plane, position: [0, -5]}\n"
    "  - {name: edge, fixed: true, shape: {segment: [[-1, 0], [1, 0.5]]}, position: [0, -4]}\n"
    "  - {name: disc, shape: {disc: 0.1}, material: stone, position: [0, 1]}\n"
    "  - {name: pill, shape: {capsule: {radius: 0.1, length: 0.3}}, material: stone, position: [1, 1], rotation: 0.3}\n"
    "  - {name: brick, shape: {box: [0.1, 0.2]}, material: stone, position: [2, 1]}\n"
    "  - {name: kite, shape: {polygon: [[0, 0], [0.3, 0], [0.2, 0.3]]}, material: stone, position: [3, 1]}\n"
    "simulate: {end: 0.01, step: 0.005}\n";

/* A scene, and its record read for pictures. */
typedef struct shown_record {
  thud_scene *built, *read;
  thud_record_reader *reader;
} shown_record;

static shown_record record_of(thud_context *context, const char *text) {
  shown_record made = {0};
  const char *path = thud_test_path("shown.h5");
  thud_tree *tree = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &made.built);
  if (error == THUD_OK) error = thud_scene_run(made.built, &options, &result);
  if (error == THUD_OK) error = thud_record_open(context, path, &made.reader);
  if (error == THUD_OK) error = thud_film_build_scene(context, made.reader, &made.read);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_run_result_free(context, &result);
  thud_tree_destroy(tree);
  return made;
}

static void end_record(shown_record *made) {
  thud_scene_destroy(made->read);
  thud_record_reader_destroy(made->reader);
  thud_scene_destroy(made->built);
}

static thud_bodies_view view_of(const thud_scene *scene) {
  thud_bodies_view view;
  assert_int_equal(scene->kind->bodies(scene->motion, &view), THUD_OK);
  return view;
}

static void compare_shapes(const thud_shape *one, const thud_shape *other) {
  thud_shape_def a = thud_shape_get_def(one), b = thud_shape_get_def(other);
  assert_int_equal(a.kind, b.kind);
  thud_assert_equal(a.radius, b.radius);
  thud_assert_equal(a.half_length, b.half_length);
  assert_memory_equal(a.half, b.half, sizeof a.half);
  assert_memory_equal(a.spacing, b.spacing, sizeof a.spacing);
  assert_int_equal(a.point_count, b.point_count);
  if (a.point_count > 0) assert_memory_equal(a.points, b.points, 3 * (size_t)a.point_count * sizeof(double));
  assert_int_equal(a.triangle_count, b.triangle_count);
  if (a.triangle_count > 0)
    assert_memory_equal(a.triangles, b.triangles, 3 * (size_t)a.triangle_count * sizeof(thud_index));
  assert_int_equal(a.open, b.open);
  assert_int_equal(a.rows, b.rows);
  assert_int_equal(a.columns, b.columns);
  if (a.rows > 0) assert_memory_equal(a.heights, b.heights, (size_t)a.rows * (size_t)a.columns * sizeof(double));
}

static void compare_bodies(const thud_bodies_view *a, const thud_bodies_view *b) {
  size_t parts = (size_t)a->part_count;
  assert_int_equal(a->planar, b->planar);
  assert_memory_equal(&a->gravity, &b->gravity, sizeof a->gravity);
  assert_int_equal(a->count, b->count);
  for (thud_index k = 0; k < a->count; k++) assert_string_equal(a->name[k], b->name[k]);
  assert_memory_equal(a->role, b->role, (size_t)a->count);
  assert_int_equal(a->part_count, b->part_count);
  assert_memory_equal(a->part_start, b->part_start, ((size_t)a->count + 1) * sizeof(thud_index));
  assert_memory_equal(a->part_body, b->part_body, parts * sizeof(thud_index));
  assert_memory_equal(a->part_shape_number, b->part_shape_number, parts * sizeof(thud_index));
  assert_memory_equal(a->part_pose, b->part_pose, parts * sizeof(thud_pose));
  assert_int_equal(a->shape_count, b->shape_count);
  for (thud_index k = 0; k < a->shape_count; k++) compare_shapes(a->shapes[k], b->shapes[k]);
  for (size_t p = 0; p < parts; p++) assert_ptr_equal(b->part_shape[p], b->shapes[b->part_shape_number[p]]);
  assert_int_equal(a->spring_count, b->spring_count);
  for (thud_index k = 0; k < a->spring_count; k++) {
    assert_int_equal(a->spring_a[k], b->spring_a[k]);
    assert_int_equal(a->spring_b[k], b->spring_b[k]);
    assert_memory_equal(&a->springs[k].point_a, &b->springs[k].point_a, sizeof(thud_vec3));
    assert_memory_equal(&a->springs[k].point_b, &b->springs[k].point_b, sizeof(thud_vec3));
  }
}

static void a_record_lists_the_bodies_that_its_scene_builds(void **state) {
  (void)state;
  const char *const texts[] = {space, plane};
  for (int k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    shown_record made = record_of(context, texts[k]);
    thud_bodies_view built = view_of(made.built), read = view_of(made.read);
    thud_assert_at_least(built.shape_count, 6);
    compare_bodies(&built, &read);
    assert_string_equal(thud_scene_resolved_text(made.read), thud_scene_resolved_text(made.built));
    end_record(&made);
    thud_test_context_end(context);
  }
}

static void a_scene_that_was_read_for_pictures_does_not_run(void **state) {
  (void)state;
  static const char refused[] =
      "this scene was read from a record to draw it and has no motion: thud_scene_build makes "
      "one that runs from the same text";
  thud_context *context = thud_test_context(1);
  shown_record made = record_of(context, plane);
  thud_run *run = NULL;
  char *json = NULL, *text = NULL;
  assert_int_equal(thud_run_create(made.read, NULL, &run), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context), refused);
  assert_int_equal(thud_scene_check(made.read, "x", &json, &text), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context), refused);
  assert_null(run);
  assert_null(json);
  assert_string_equal(thud_scene_get_info(made.read).method, thud_scene_get_info(made.built).method);
  end_record(&made);
  thud_test_context_end(context);
}

/* A list that damage has changed is refused with its place, and nothing is drawn from it. */
static void a_damaged_list_is_refused_with_its_place(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *message;
  } damages[] = {{"\"kind\": \"disc\"", "\"kind\": \"disk\"", "'disk' is no kind of shape that this program knows"},
                 {"\"role\": \"dynamic\"", "\"role\": \"dynamix\"", "'dynamix' is none of dynamic, fixed, kinematic"},
                 {"\"type\": [0", "\"type\": [9", "expected a whole number from 0 to 5, got the number 9"},
                 {"\"type\": [0, ", "\"type\": [", "5 bodies have types, 6 have names"}};
  thud_context *context = thud_test_context(1);
  shown_record made = record_of(context, plane);
  const char *text = thud_scene_resolved_text(made.built);
  for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
    char *changed = THUD_NEW_ARRAY(context, char, strlen(text) + 16);
    const char *list = strstr(text, "\"all_bodies\""), *at = strstr(list, damages[k].from);
    if (at == NULL) fail_msg("the list has no %s: %.300s", damages[k].from, list);
    size_t before = (size_t)(at - text);
    memcpy(changed, text, before);
    strcpy(changed + before, damages[k].to);
    strcat(changed, at + strlen(damages[k].from));
    made.reader->info.resolved = changed;
    thud_scene *read = NULL;
    assert_int_not_equal(thud_film_build_scene(context, made.reader, &read), THUD_OK);
    const char *said = thud_context_last_message(context);
    if (strstr(said, damages[k].message) == NULL || strstr(said, "/all_bodies/") == NULL) fail_msg("%s", said);
    assert_null(read);
    thud_free(context, changed);
  }
  end_record(&made);
  thud_test_context_end(context);
}

/* ---- failing allocations ------------------------------------------------------------------------------------------------ */

static thud_error read_again(thud_context *context, void *user) {
  thud_record_reader *reader = NULL;
  thud_scene *scene = NULL;
  thud_error error = thud_record_open(context, user, &reader);
  if (error == THUD_OK) error = thud_film_build_scene(context, reader, &scene);
  thud_scene_destroy(scene);
  thud_record_reader_destroy(reader);
  return error;
}

static void reading_survives_every_failing_allocation(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  shown_record made = record_of(context, plane);
  end_record(&made);
  thud_test_context_end(context);
  char path[512];
  snprintf(path, sizeof path, "%s", thud_test_path("shown.h5"));
  thud_assert_greater(thud_test_sweep_allocations(read_again, path), 100);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_record_lists_the_bodies_that_its_scene_builds), TEST(a_scene_that_was_read_for_pictures_does_not_run),
      TEST(a_damaged_list_is_refused_with_its_place), TEST(reading_survives_every_failing_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
