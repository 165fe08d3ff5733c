/* Recorded bodies: read row by row, exported and drawn, with every allocation failing in turn. */
#include "failing_allocator.h"
#include "run/run_bodies.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/plot.h"
#include "thud/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A ball that falls beside a box at rest. */
static const char scene_text[] =
    "thud: 1\n"
    "gravity: [0, 0, -10]\n"
    "materials: {stone: {friction: 0.5, density: 1000}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {name: box, shape: {box: [0.4, 0.2, 0.1]}, material: stone, position: [0, 0, 0.05]}\n"
    "  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [1, 0, 1],\n"
    "     velocity: [0, 1, 0], spin: [0, 0, 2]}\n"
    "simulate: {end: 0.03, step: 0.01}\n";

static thud_scene *build(thud_context *context) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_text(context, "seen.yaml", scene_text, strlen(scene_text), &tree), THUD_OK);
  assert_int_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  thud_tree_destroy(tree);
  return scene;
}

/* The record of the scene, made once. */
static const char *record_path(void) {
  const char *path = thud_test_path("seen.h5");
  FILE *there = fopen(path, "rb");
  if (there != NULL) {
    fclose(there);
    return path;
  }
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build(context);
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = path;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
  return path;
}

static void rows_are_poses_velocities_and_contacts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build(context);
  thud_record_reader *reader = NULL;
  body_record record;
  body_row row;
  assert_int_equal(thud_record_open(context, record_path(), &reader), THUD_OK);
  assert_int_equal(thud_body_record_open(reader, scene, &record), THUD_OK);
  assert_int_equal(record.rows, 4);
  assert_int_equal(record.view.count, 3);
  assert_int_equal(thud_body_record_read(&record, 3, &row), THUD_OK);
  thud_assert_near(row.t, 0.03, 1e-15);
  thud_assert_near(row.step, 0.01, 1e-15);
  thud_assert_near(row.pose[2].position.y, 0.03, 1e-14);
  thud_assert_near(row.pose[2].position.z, 1 - 5 * 0.03 * 0.03, 1e-14);
  thud_assert_near(row.pose[2].rotation.z, sin(0.03), 1e-14); /* half of the angle 2 t */
  thud_assert_near(row.velocity[2].z, -0.3, 1e-14);
  thud_assert_near(row.spin[2].z, 2, 1e-14);
  assert_int_equal(row.contact_count, 4);
  double carried = 0;
  for (size_t k = 0; k < 4; k++) {
    const body_contact *contact = &row.contacts[k];
    assert_int_equal(contact->a + contact->b, 1);
    carried += contact->a == 1 ? contact->impulse.z : -contact->impulse.z;
    thud_assert_near(fabs(contact->point.x), 0.2, 1e-6);
    thud_assert_near(fabs(contact->normal.z), 1, 1e-9);
  }
  thud_assert_near(carried / row.step, 80, 1e-4);
  assert_int_equal(thud_body_record_read(&record, 0, &row), THUD_OK);
  assert_int_equal(row.contact_count, 0);
  thud_body_record_close(&record);
  thud_record_reader_destroy(reader);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void times_find_the_nearest_row(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double t[5] = {0, 1, 2, 4, 8};
  const body_record record = {.context = context, .rows = 5, .t = t};
  const body_record single = {.context = context, .rows = 1, .t = t};
  static const double asked[8] = {0, 0.4, 0.6, 2.9, 3.1, 5.9, 6.1, 8};
  static const size_t rows[8] = {0, 0, 1, 2, 3, 3, 4, 4};
  for (int k = 0; k < 8; k++) {
    size_t row = 99;
    assert_int_equal(thud_body_record_find(&record, asked[k], &row), THUD_OK);
    assert_int_equal(row, rows[k]);
  }
  size_t row = 99;
  assert_int_equal(thud_body_record_find(&record, -0.1, &row), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_record_find(&record, 8.1, &row), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_record_find(&record, NAN, &row), THUD_ERROR_ARGUMENT);
  assert_int_equal(row, 99);
  assert_int_equal(thud_body_record_find(&single, 0, &row), THUD_OK);
  assert_int_equal(row, 0);
  thud_test_context_end(context);
}

/* ---- failing allocations ----------------------------------------------------------------------------------------------- */

/* The reader has a context of its own: opening records is swept elsewhere. */
static thud_error export_last(thud_context *context, void *user) {
  return thud_run_export_vtk(context, user, NULL, thud_test_path("last.vtu"), true);
}

static thud_error draw_last(thud_context *context, void *user) {
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  options.width = options.height = 1;
  options.dpi = 36;
  const thud_snapshot_choice choice = {.forces = true};
  return thud_plot_snapshot(context, user, &choice, &options, thud_test_path("last.png"));
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  char path[512];
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = NULL;
  snprintf(path, sizeof path, "%s", record_path());
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_assert_greater(thud_test_sweep_allocations(export_last, reader), 50);
  thud_assert_greater(thud_test_sweep_allocations(draw_last, path), 50);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_poses_velocities_and_contacts),
      cmocka_unit_test(times_find_the_nearest_row),
      cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
