/* Pictures of records: of every kind, what they show is read from the record, and no motion is built for them. */
#include "record/reader.h"
#include "run/run.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/film.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 3 };

/* An example made short. */
typedef struct short_example {
  const char *name;
  const char *changes[CHANGES][2]; /* path and value */
} short_example;

static const short_example examples[] = {
    {"jump", {{"simulate.steps", "8"}}},
    {"bouncing-ball", {{"simulate.steps", "40"}, {"simulate.end", "0.6"}}},
    {"event-driven/bouncing-ball-to-rest", {{"simulate.end", "0.6"}}},
    {"quasistatic/two-feet", {{NULL}}},
    {"composed/planimeter-wheel", {{"simulate.steps", "4"}}},
    {"elastic/string-on-floor", {{"string.nodes", "21"}, {"simulate.steps", "6"}}},
    {"elastic/beam-on-floor", {{"beam.nodes", "21"}, {"simulate.steps", "4"}}},
    {"elastic/membrane-on-floor", {{"membrane.mesh.cells", "[4, 4]"}, {"simulate.method", "active-set"}}},
    {"elastic/plate-on-floor", {{"plate.mesh.rings", "2"}, {"simulate.steps", "2"}}},
    {"elastic/punch-frictionless", {{"half_plane.mesh.elements", "16"}}},
    {"bodies/ball-on-slope", {{"simulate.end", "0.02"}}},
};

/* Runs it; its kind. */
static const thud_kind *record(thud_context *context, const short_example *example, const char *path) {
  char file[1000];
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = path;
  options.overwrite = true;
  snprintf(file, sizeof file, "%s/examples/%s.yaml", getenv("THUD_SOURCE_DIR"), example->name);
  assert_int_equal(thud_tree_read_file(context, file, &tree), THUD_OK);
  for (size_t k = 0; k < CHANGES && example->changes[k][0] != NULL; k++)
    assert_int_equal(thud_tree_set(tree, example->changes[k][0], example->changes[k][1]), THUD_OK);
  if (thud_scene_build(context, tree, &scene) != THUD_OK)
    fail_msg("%s: %s", example->name, thud_context_last_message(context));
  const thud_kind *kind = scene->kind;
  assert_non_null(((const thud_kind_object *)scene->motion)->motion);
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return kind;
}

/* The scene that plots, films, pages and exports share. */
static void scenes_of_records_have_no_motion(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    thud_context *context = thud_test_context(1);
    thud_record_reader *reader = NULL;
    thud_scene *scene = NULL;
    thud_run *run = NULL;
    const thud_kind *kind = record(context, &examples[k], thud_test_path("shown.h5"));
    assert_int_equal(thud_record_open(context, thud_test_path("shown.h5"), &reader), THUD_OK);
    assert_int_equal(thud_film_build_scene(context, reader, &scene), THUD_OK);
    assert_ptr_equal(scene->kind, kind);
    assert_null(((const thud_kind_object *)scene->motion)->motion);
    assert_int_equal(thud_run_create(scene, NULL, &run), THUD_ERROR_ARGUMENT);
    thud_test_message_has(context, "has no motion", NULL);
    thud_scene_destroy(scene);
    thud_record_reader_destroy(reader);
    thud_test_context_end(context);
  }
}

/* A scene that no motion could be built from any more, because its options of the run are nonsense, is still shown. */
static void what_a_run_was_told_is_not_read_for_pictures(void **state) {
  (void)state;
  const short_example *bodies = &examples[sizeof examples / sizeof *examples - 1];
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = NULL;
  thud_scene *scene = NULL;
  record(context, bodies, thud_test_path("shown.h5"));
  assert_int_equal(thud_record_open(context, thud_test_path("shown.h5"), &reader), THUD_OK);
  const char *resolved = thud_record_reader_info(reader).resolved;
  char *nonsense = thud_strdup(context, resolved), *at = strstr(strstr(nonsense, "\"simulate\""), "\"step\"");
  assert_non_null(at);
  memcpy(at, "\"step\": -1", strlen("\"step\": -1")); /* and the rest of its digits */
  thud_tree *tree = NULL;
  assert_int_equal(thud_tree_read_text(context, "nonsense", nonsense, strlen(nonsense), &tree), THUD_OK);
  assert_int_not_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  reader->info.resolved = nonsense;
  thud_error error = thud_film_build_scene(context, reader, &scene);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_scene_destroy(scene);
  reader->info.resolved = resolved;
  thud_record_reader_destroy(reader);
  thud_tree_destroy(tree);
  thud_free(context, nonsense);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_of_records_have_no_motion),
                                     cmocka_unit_test(what_a_run_was_told_is_not_read_for_pictures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
