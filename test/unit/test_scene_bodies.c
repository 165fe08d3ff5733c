/* Scenes of rigid bodies: from the text to the record, with failing allocations; rows by hand; tables in HDF5 files;
 * units; values put into a tree. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"

#include "thud/run.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char everything[] =
    "thud: 1\n"
    "parameters: {a: 0.3}\n"
    "units: {length: mm, mass: g}\n"
    "gravity: [0, 0, -9810]\n"
    "materials: {stone: {friction: 0.5, rolling: 0.1, density: 0.001}, wood: {friction: [0.4, 0.2], axis: [1, 0, 0]}}\n"
    "pairs: [{materials: [stone, wood], restitution: 0.1}]\n"
    "shapes: {brick: {box: [20, 10, 6]}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {name: ball, shape: {sphere: 10}, material: stone, position: [0, 0, 10], spin: [0, 0, 5]}\n"
    "  - {name: given, shape: brick, mass: 2, inertia: [1, 1, 1], material: wood, position: [100, 0, 50]}\n"
    "  - {name: pair, position: [0, 100, 50], parts: [{shape: {sphere: 10}, material: stone}, {shape: {capsule: "
    "{radius: "
    "2, length: 40}}, position: [0, 0, 20], material: stone}]}\n"
    "  - {name: table, path: {position: [300, 0, \"sin(20*t)\"], axis: [0, 0, 1], angle: a*t}, shape: {box: [9, 9, "
    "9]}}\n"
    "  - {name: kite, shape: {sphere: 5}, mass: 1, position: [0, 0, 200], force: [0, 0, \"-z'\"], torque: [t, 0, 0]}\n"
    "  - {generate: packing, name: p, count: 4, low: [500, 0, 10], high: [600, 100, 90], body: {shape: {sphere: 8}, "
    "material: stone}}\n"
    "  - {generate: arch, name: v, count: 5, radius: 50, thickness: 10, position: [0, 400, 50], body: {material: "
    "stone}}\n"
    "  - {generate: drum, name: d, radius: 50, length: 40, angle: t, position: [0, 600, 100], grains: {count: 2, body: "
    "{shape: {sphere: 5}, material: stone}}}\n"
    "  - {table: \"x,y,z,radius\\n900,0,20,5\\n\", body: {material: stone}}\n"
    "springs: [{a: kite, b: given, length: 100, stiffness: 10}]\n"
    "simulate: {end: 0.002, steps: 2, tolerance: 1.0e-4}\n"
    "record: {checkpoint_every: 0.001}\n";

static thud_error run_text(thud_context *own, void *user) {
  const char *text = user;
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  thud_error error = thud_tree_read_text(own, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(own, tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  thud_run_result_free(own, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

/* Faults that show when the bodies are put together are those of a body's node, whatever its name is. */
static void faults_are_at_the_place_of_the_body(void **state) {
  (void)state;
  static const char head[] = "thud: 1\nmaterials: {m: {density: 1}}\nbodies:\n"
                             "  - {name: first, shape: {sphere: 1}, material: m, position: [0, 0, 9]}\n";
  static const char *const cases[][2] = {
      {"  - {name: \"it's\", shape: {sphere: 1.0e+49}, density: 1.0e+300}\n", "too large or too small"},
      {"  - {name: \"it's\", shape: {sphere: 1}, material: m}\n"
       "  - {name: \"'first'\", shape: {sphere: 1}, material: m, position: [1, 0, 0]}\n",
       "bodies overlap at the start"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_context *context = thud_test_context(1);
    char text[512];
    snprintf(text, sizeof text, "%s%ssimulate: {end: 1, steps: 10}\n", head, cases[k][0]);
    assert_int_equal(run_text(context, text), THUD_ERROR_SCHEMA);
    thud_test_message_has(context, "scene.yaml:5:5: /bodies/1: ", cases[k][1], NULL);
    thud_test_context_end(context);
  }
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(run_text, (void *)everything), 300);
}

/* ---- scenes -------------------------------------------------------------------------------------------------------- */

static thud_scene *build(thud_context *context, const char *name, const char *text) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_text(context, name, text, strlen(text), &tree), THUD_OK);
  if (thud_scene_build(context, tree, &scene) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

static thud_verdict run(thud_context *context, const char *text, const char *record) {
  thud_scene *scene = build(context, "scene.yaml", text);
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = record;
  options.overwrite = true;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_verdict verdict = result.verdict;
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  return verdict;
}

static size_t find(const thud_record_reader *reader, const char *name) {
  size_t channel = 0;
  assert_int_equal(thud_record_find_channel(reader, THUD_RECORD_FRAMES, name, &channel), THUD_OK);
  return channel;
}

static thud_record_cell cell(thud_record_reader *reader, const char *name, size_t row) {
  thud_record_cell read = {0};
  assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_FRAMES, find(reader, name), row, &read), THUD_OK);
  return read;
}

static void a_record_holds_contacts_with_their_bodies_and_impulses(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("bodies.h5");
  thud_record_reader *reader = NULL;
  assert_int_equal(run(context, everything, path), THUD_VERDICT_GOOD);
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  size_t last = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES] - 1;
  assert_string_equal(thud_record_reader_info(reader).kind, "bodies");
  thud_record_cell a = cell(reader, "contact_a", last), b = cell(reader, "contact_b", last);
  thud_record_cell impulse = cell(reader, "contact_impulse", last), law = cell(reader, "contact_law", last);
  thud_assert_greater(a.count, 0);
  thud_assert_equal(impulse.count, 3 * a.count);
  thud_assert_equal(law.count, 6 * a.count);
  /* The floor carries the ball: m g h, up to the tolerance of the step. */
  const thud_record_channel *channel =
      thud_record_reader_channel(reader, THUD_RECORD_FRAMES, find(reader, "contact_a"));
  double held = 0, mass = 4.0 / 3 * 3.14159265358979323846 * 1000 * 0.001;
  for (size_t k = 0; k < a.count; k++) {
    const char *names[2] = {channel->labels[(size_t)a.values[k]], channel->labels[(size_t)b.values[k]]};
    bool ball = strcmp(names[0], "ball") == 0 || strcmp(names[1], "ball") == 0;
    if (ball) held += (strcmp(names[0], "ball") == 0 ? 1 : -1) * impulse.values[3 * k + 2];
  }
  thud_assert_near(held, mass * 9810 * 0.001, 1e-4 * mass * 9810 * 0.001);
  assert_string_equal(thud_record_reader_channel(reader, THUD_RECORD_FRAMES, find(reader, "contact_impulse"))->unit,
                      "g mm/s");
  thud_record_reader_destroy(reader);
  thud_test_folder_empty();
  thud_test_context_end(context);
}

static void a_scene_runs_again_to_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build(context, "scene.yaml", everything);
  char *first = NULL;
  for (int k = 0; k < 2; k++) {
    thud_run_options options = thud_run_options_default();
    thud_run_result result = {0};
    assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
    const char *begin = strstr(result.json, "\"state\""), *end = strstr(result.json, "\"bodies\"");
    assert_non_null(begin);
    assert_non_null(end);
    size_t length = (size_t)(end - begin);
    if (k == 0) {
      first = malloc(length + 1);
      assert_non_null(first);
      memcpy(first, begin, length);
      first[length] = '\0';
    } else {
      assert_memory_equal(first, begin, length);
    }
    thud_run_result_free(context, &result);
  }
  free(first);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* ---- rows by hand ----------------------------------------------------------------------------------------------------- */

static thud_bodies *falling_disc(thud_context *context) {
  thud_bodies_options options = thud_bodies_options_default();
  thud_bodies *bodies = NULL;
  thud_index shape = 0;
  thud_body_id id;
  options.planar = true;
  options.gravity[1] = -10;
  options.gravity[2] = 0;
  assert_int_equal(thud_bodies_create(context, &options, &bodies), THUD_OK);
  thud_shape_def disc = thud_shape_def_default(THUD_SHAPE_DISC);
  disc.radius = 1;
  assert_int_equal(thud_bodies_add_shape(bodies, &disc, &shape), THUD_OK);
  thud_body_def def = thud_body_def_default();
  def.name = "disc";
  def.spin = thud_vec3_make(0, 0, 2);
  assert_int_equal(thud_bodies_add(bodies, &def, &id), THUD_OK);
  thud_part_def part = thud_part_def_default();
  part.shape = shape;
  part.density = 1;
  assert_int_equal(thud_bodies_attach(bodies, id, &part), THUD_OK);
  return bodies;
}

static void rows_of_the_plane_are_recorded_without_a_scene(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = falling_disc(context);
  thud_body_motion_options options = thud_body_motion_options_default();
  thud_motion *motion = NULL;
  thud_rows *rows = NULL;
  thud_record_writer *writer = NULL;
  thud_record_reader *reader = NULL;
  thud_record_header header = {.kind = "bodies"};
  const char *path = thud_test_path("disc.h5");
  options.steps = 100;
  assert_int_equal(thud_body_motion_create(context, bodies, &options, &motion), THUD_OK);
  thud_body_row_options chosen = thud_body_row_options_default();
  chosen.whole_every = 50;
  assert_int_equal(thud_rows_create_bodies(context, bodies, &chosen, &rows), THUD_OK);
  assert_int_equal(thud_record_create(context, path, NULL, &header, thud_rows_layout(rows), &writer), THUD_OK);
  thud_rows_set_sink(rows, thud_record_row_sink(writer));
  const thud_motion_sink sink = {.frame = thud_rows_body_step, .user = rows};
  assert_int_equal(thud_motion_run(motion, &sink, NULL), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_assert_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 101);
  /* a free fall by the midpoint rule is exact */
  thud_assert_near(cell(reader, "position", 100).values[1], -5, 1e-12);
  thud_assert_near(cell(reader, "angle", 100).values[0], 2, 1e-12);
  thud_assert_equal(cell(reader, "spin", 100).count, 1);
  for (size_t k = 0; k <= 100; k++) {
    thud_assert_equal(cell(reader, "whole", k).values[0], k % 50 == 0);
    thud_assert_equal(cell(reader, "velocity_left", k).count, k % 50 == 0 ? 2 : 0);
  }
  thud_assert_near(cell(reader, "velocity_left", 50).values[1], -10 * 0.49, 1e-12);
  thud_record_reader_destroy(reader);
  thud_rows_destroy(rows);
  thud_motion_destroy(motion);
  thud_bodies_destroy(bodies);
  thud_test_folder_empty();
  thud_test_context_end(context);
}

/* ---- units and trees ---------------------------------------------------------------------------------------------------- */

static void units_are_made_of_three(void **state) {
  (void)state;
  thud_body_units si = thud_body_units_make("m", "kg", "s"), small = thud_body_units_make("mm", "mg", "ms");
  assert_string_equal(si.velocity, "m/s");
  assert_string_equal(si.impulse, "N s");
  assert_string_equal(si.moment, "N m s");
  assert_string_equal(si.energy, "J");
  assert_string_equal(small.spin, "rad/ms");
  assert_string_equal(small.impulse, "mg mm/ms");
  assert_string_equal(small.moment, "mg mm^2/ms");
  assert_string_equal(small.energy, "mg mm^2/ms^2");
}

static void a_value_is_put_into_the_root_of_a_tree(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = NULL;
  static const char text[] = "{a: 1}";
  char *json = NULL;
  assert_int_equal(thud_tree_read_text(context, "t", text, strlen(text), &tree), THUD_OK);
  assert_int_equal(thud_tree_put(tree, "b", "[1, {c: x}]"), THUD_OK);
  assert_int_equal(thud_tree_put(tree, "a", "2"), THUD_OK);
  assert_int_equal(thud_tree_put(tree, "", "2"), THUD_ERROR_ARGUMENT);
  assert_int_not_equal(thud_tree_put(tree, "c", "[1"), THUD_OK);
  thud_assert_equal(thud_node_number(thud_node_find(thud_tree_root(tree), "a")), 2);
  thud_assert_equal(thud_node_count(thud_node_find(thud_tree_root(tree), "b")), 2);
  assert_null(thud_node_find(thud_tree_root(tree), "c"));
  assert_int_equal(thud_tree_write_json(tree, &json), THUD_OK);
  thud_tree_free_text(tree, json);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* ---- tables in HDF5 ------------------------------------------------------------------------------------------------------- */

static void write_numbers(hid_t file, const char *name, hsize_t count, const double *values) {
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
  H5Sclose(space);
}

static void write_names(hid_t file, hsize_t count, const char *const *names) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, NULL);
  H5Tset_size(type, H5T_VARIABLE);
  hid_t set = H5Dcreate2(file, "name", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, (const void *)names) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
}

typedef struct table_case {
  hsize_t x, z; /* how many values */
  double last;  /* of z */
  bool names;
  const char *message; /* NULL: read */
  const char *second;  /* name of the second body; NULL: "two" */
  hsize_t unwritten;   /* values of vx that were never written; 0: there is no vx */
} table_case;

static void write_table(const char *path, const table_case *with) {
  const double x[3] = {0, 1, 2}, radius[3] = {0.1, 0.2, 0.1}, z[3] = {5, 6, with->last};
  const char *const names[3] = {"one", with->second != NULL ? with->second : "two", "three"};
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(file >= 0);
  if (with->x > 0) write_numbers(file, "x", with->x, x);
  if (with->x > 0) write_numbers(file, "y", with->x, x);
  if (with->z > 0) write_numbers(file, "z", with->z, z);
  if (with->x > 0) write_numbers(file, "radius", with->x, radius);
  if (with->names) write_names(file, 3, names);
  if (with->unwritten > 0) {
    hid_t space = H5Screate_simple(1, &with->unwritten, NULL);
    H5Dclose(H5Dcreate2(file, "vx", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
  }
  H5Fclose(file);
}

static void bodies_come_from_an_hdf5_file(void **state) {
  (void)state;
  static const table_case cases[] = {
      {3, 3, 7, true, NULL, NULL, 0},
      {3, 3, 7, false, NULL, NULL, 0},
      {3, 2, 7, false, "dataset 'z' has 2 values, another one 3", NULL, 0},
      {3, 3, NAN, false, "dataset 'z', entry 2 is nan; a finite number is needed", NULL, 0},
      {3, 0, 7, false, "there is no column 'z'", NULL, 0},
      {0, 0, 7, false, "no datasets x, y, ... are in it", NULL, 0},
      {3, 3, 7, true, "'name', entry 1: names must have neither commas nor line ends", "two\n9,9,9,1,four", 0},
      {3, 3, 7, true, "'name', entry 1: names must have neither commas nor line ends", "two,2", 0},
      {0, 0, 7, false, "dataset 'vx' was never written", NULL, 16000000},
  };
  static const char text[] =
      "thud: 1\nbodies: [{file: grains.h5, name: g, body: {density: 1}}]\nsimulate: {end: 1, steps: 1}\n";
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char scene_path[1024];
    thud_tree *tree = NULL;
    thud_scene *scene = NULL;
    snprintf(scene_path, sizeof scene_path, "%s", thud_test_path("scene.yaml"));
    write_table(thud_test_path("grains.h5"), &cases[k]);
    assert_int_equal(thud_tree_read_text(context, scene_path, text, strlen(text), &tree), THUD_OK);
    thud_error error = thud_scene_build(context, tree, &scene);
    if (cases[k].message == NULL) {
      assert_int_equal(error, THUD_OK);
      assert_non_null(strstr(thud_scene_resolved_text(scene), cases[k].names ? "\"three\"" : "\"g-3\""));
    } else {
      assert_int_not_equal(error, THUD_OK);
      thud_test_message_has(context, "/bodies/0/file", cases[k].message, NULL);
    }
    thud_scene_destroy(scene);
    thud_tree_destroy(tree);
  }
  thud_test_folder_empty();
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_are_at_the_place_of_the_body),
      cmocka_unit_test(failing_allocations_leave_nothing),
      cmocka_unit_test(a_record_holds_contacts_with_their_bodies_and_impulses),
      cmocka_unit_test(a_scene_runs_again_to_the_same_bits),
      cmocka_unit_test(rows_of_the_plane_are_recorded_without_a_scene),
      cmocka_unit_test(units_are_made_of_three),
      cmocka_unit_test(a_value_is_put_into_the_root_of_a_tree),
      cmocka_unit_test(bodies_come_from_an_hdf5_file),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
