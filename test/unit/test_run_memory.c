/* A scene of every kind: run with its record, verified and shown as a page, with allocations failing in turn. What fails
 * is reported as out of memory, whatever was being computed, and never as a finding about the motion. */
#include "failing_allocator.h"
#include "run/run.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 3, MOST_ROUNDS = 10 };

/* An example made short. */
typedef struct short_scene {
  const char *kind, *example;
  const char *changes[CHANGES][2]; /* path and value */
} short_scene;

static const short_scene scenes[] = {
    {"sweeping", "jump", {{"simulate.steps", "8"}}},
    {"stepping", "bouncing-ball", {{"simulate.steps", "40"}, {"simulate.end", "0.6"}}},
    {"event-driven", "event-driven/bouncing-ball-to-rest", {{"simulate.end", "0.6"}}},
    {"quasistatic", "quasistatic/two-feet", {{NULL}}},
    {"friction", "composed/planimeter-wheel", {{"simulate.steps", "4"}}},
    {"string", "elastic/string-on-floor", {{"string.nodes", "21"}, {"simulate.steps", "6"}}},
    {"beam", "elastic/beam-on-floor", {{"beam.nodes", "21"}, {"simulate.steps", "4"}}},
    {"membrane", "elastic/membrane-on-floor", {{"membrane.mesh.cells", "[4, 4]"}, {"simulate.method", "active-set"}}},
    {"plate", "elastic/plate-on-floor", {{"plate.mesh.rings", "2"}, {"simulate.steps", "2"}}},
    {"half-plane", "elastic/punch-frictionless", {{"half_plane.mesh.elements", "16"}}},
    {"solid", "solid/pressed-block", {{"solid.mesh.cells", "[2, 1]"}, {"simulate.steps", "3"}}},
    {"bodies", "bodies/ball-on-slope", {{"simulate.end", "0.02"}}},
    {"bodies", "joints/slider-crank", {{"simulate.steps", "6"}, {"simulate.end", "6e-4"}}},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct memory_case {
  const short_scene *scene;
  const char *record, *page;
} memory_case;

static thud_error read_scene(thud_context *context, const short_scene *from, thud_tree **tree) {
  char path[1000];
  snprintf(path, sizeof path, "%s/examples/%s.yaml", getenv("THUD_SOURCE_DIR"), from->example);
  thud_error error = thud_tree_read_file(context, path, tree);
  for (size_t k = 0; error == THUD_OK && k < CHANGES && from->changes[k][0] != NULL; k++)
    error = thud_tree_set(*tree, from->changes[k][0], from->changes[k][1]);
  return error;
}

static thud_error run_scene(thud_context *context, void *user) {
  const memory_case *given = user;
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = given->record;
  options.overwrite = true;
  thud_error error = read_scene(context, given->scene, &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error == THUD_OK) assert_string_equal(result.reason, "");
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_error verify_record(thud_context *context, void *user) {
  const memory_case *given = user;
  thud_verify_options options = thud_verify_options_default();
  thud_verify_result result;
  thud_error error = thud_verify_record(context, given->record, &options, &result);
  if (error == THUD_OK) assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
  return error;
}

static thud_error write_page(thud_context *context, void *user) {
  const memory_case *given = user;
  thud_page_options options = thud_page_options_default();
  options.overwrite = true;
  return thud_page_write(context, 1, &given->record, NULL, &options, given->page);
}

static void every_kind_has_a_scene(void **state) {
  (void)state;
  for (size_t i = 0; i < thud_kind_count; i++) {
    bool known = false;
    for (size_t k = 0; k < SCENES; k++) known = known || strcmp(thud_kind_table[i]->name, scenes[k].kind) == 0;
    if (!known) fail_msg("no scene of the kind '%s'", thud_kind_table[i]->name);
  }
}

static void every_step_of_a_scene_reports_that_memory_is_missing(void **state) {
  (void)state;
  char record[1000], page[1000];
  for (size_t k = 0; k < SCENES; k++) {
    memory_case given = {&scenes[k], record, page};
    snprintf(record, sizeof record, "%s", thud_test_path("record.h5"));
    snprintf(page, sizeof page, "%s", thud_test_path("page.html"));
    size_t counts[3] = {thud_test_sweep_some_allocations(run_scene, &given, MOST_ROUNDS)};
    thud_context *context = thud_test_context(1); /* the record of a run in which nothing failed */
    assert_int_equal(run_scene(context, &given), THUD_OK);
    thud_test_context_end(context);
    counts[1] = thud_test_sweep_some_allocations(verify_record, &given, MOST_ROUNDS);
    counts[2] = thud_test_sweep_some_allocations(write_page, &given, MOST_ROUNDS);
    print_message("%s: allocations of run %zu, verify %zu, report %zu\n", scenes[k].example, counts[0], counts[1],
                  counts[2]);
    for (int i = 0; i < 3; i++) thud_assert_greater(counts[i], 20);
    thud_test_folder_empty();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_has_a_scene),
      cmocka_unit_test(every_step_of_a_scene_reports_that_memory_is_missing),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
