/* Scenes of strings and beams: failing allocations leave nothing, on the way from the text to the end of a run. */
#include "failing_allocator.h"
#include "testing.h"

#include "thud/run.h"

#include <string.h>

static const char string_scene[] = "thud: 1\n"
                                   "string:\n"
                                   "  nodes: [0, 0.25, 0.5, 1]\n"
                                   "  tension: 1\n"
                                   "  friction: 0.5\n"
                                   "  obstacle: \"-abs(x - 0.5) - 0.1*t\"\n"
                                   "  ends: {u_left: \"step(t - 0.5)\"}\n"
                                   "  loads: [{at: 0.3 + t/2, force: -1}, {density: x + (t > 0.3), factor: -t}]\n"
                                   "initial: {u: 0.1*x}\n"
                                   "simulate: {end: 1, steps: 4, classify: 3}\n";
static const char beam_scene[] = "thud: 1\n"
                                 "beam: {nodes: 5, bending: 1, obstacle: -1, loads: [{density: -400}]}\n"
                                 "simulate: {end: 1, steps: 2}\n";

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

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(run_text, (void *)string_scene), 100);
  thud_assert_greater(thud_test_sweep_allocations(run_text, (void *)beam_scene), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failing_allocations_leave_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
