/* Verdicts of time stepping: good, coarse with a step that would do, failed; their limits are the scene's. */
#include "testing.h"
#include "thud/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BALL                                                                                                           \
  "thud: 1\n"                                                                                                          \
  "system: {coordinates: [y], mass: [1], potential_energy: 9.81*y,\n"                                                  \
  "         constraints: [{name: floor, gap: y, restitution: 0.5}]}\n"                                                 \
  "initial: {y: 1}\n"
#define SPRING                                                                                                         \
  "thud: 1\n"                                                                                                          \
  "system: {coordinates: [x], mass: [1], potential_energy: 1e9*x^2/2}\n"                                               \
  "initial: {x: 0.7}\n"

static thud_run_result run_with(thud_context *context, const char *text, const char *path, const char *value) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  assert_int_equal(thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree), THUD_OK);
  if (path != NULL) assert_int_equal(thud_tree_set(tree, path, value), THUD_OK);
  if (thud_scene_build(context, tree, &scene) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return result;
}

static bool has_verdict(const thud_run_result *result, const char *word) {
  char line[64];
  snprintf(line, sizeof line, "\nverdict: %s", word);
  const char *at = strstr(result->report, line);
  return at != NULL && (at[strlen(line)] == '\n' || at[strlen(line)] == ':');
}

typedef struct judged {
  const char *scene, *verdict;
  const char *says; /* in the report */
} judged;

static const judged cases[] = {
    {BALL "simulate: {method: moreau-jean, end: 1, steps: 2000}\n", "good", "verdict: good"},
    /* steps of 100 s end far under the floor; 0.1 s penetrate by 0.3 of the height */
    {BALL "simulate: {method: moreau-jean, end: 300, step: 100}\n", "failed", "'floor' is violated by"},
    {BALL "simulate: {method: moreau-jean, end: 3, step: 0.1}\n", "coarse", "a step of 0.001 would do"},
    {BALL "simulate: {method: second-order, end: 3, step: 0.1}\n", "coarse", "of the size of the motion"},
    {BALL "simulate: {method: stabilised, end: 3, step: 0.1}\n", "coarse", "of the energy exchanged"},
    /* a ball that hovers */
    {BALL "simulate: {method: moreau-jean, end: 1, steps: 1000, gap_tolerance: 1e300}\n", "failed", "gap_tolerance"},
    /* 2.45e8 J are gone after a few steps */
    {SPRING "simulate: {method: moreau-jean, theta: 1, end: 1, steps: 1000}\n", "coarse", "2.45e+08 J"},
    {SPRING "simulate: {method: implicit, end: 1, steps: 1000}\n", "coarse", "2.45e+08 J"},
    /* the limits are options */
    {BALL "simulate: {method: moreau-jean, end: 3, step: 0.1, coarse_above: 0.5}\n", "good", "verdict: good"},
    {BALL "simulate: {method: moreau-jean, end: 3, step: 0.1, failed_above: 0.2}\n", "failed", "is violated by"},
    {BALL "simulate: {method: moreau-jean, end: 1, steps: 2000, coarse_above: 1e-5}\n", "coarse", "would do"},
    /* a potential that moves does work of its own, a body at rest exchanges nothing, offsets do not matter */
    {"thud: 1\nsystem: {coordinates: [x], mass: [1], potential_energy: \"(x - t)^2/2\"}\ninitial: {x: 1}\n"
     "simulate: {method: moreau-jean, end: 10, steps: 1000}\n",
     "good", "verdict: good"},
    {"thud: 1\nsystem: {coordinates: [y, z], mass: [1, 2], potential_energy: 9.81*y + 19.62*z + 1e6,\n"
     "  constraints: [{name: floor, gap: y - 1, restitution: 0.5}, {name: top, gap: z - y - 2, restitution: 0.5}]}\n"
     "initial: {y: 1, z: 3}\nsimulate: {method: moreau-jean, end: 10, steps: 1000}\n",
     "good", "verdict: good"},
};

static void runs_are_judged(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_run_result result = run_with(context, cases[k].scene, NULL, NULL);
    if (!has_verdict(&result, cases[k].verdict) || strstr(result.report, cases[k].says) == NULL)
      fail_msg("not '%s' with '%s':\n%s%s", cases[k].verdict, cases[k].says, cases[k].scene, result.report);
    bool failed = strcmp(cases[k].verdict, "failed") == 0; /* exit code 1 */
    assert_int_equal(result.verdict, failed ? THUD_VERDICT_FAILED : THUD_VERDICT_GOOD);
    thud_run_result_free(context, &result);
  }
  thud_test_context_end(context);
}

/* The step that is named does. */
static void the_step_that_would_do_does(void **state) {
  (void)state;
  static const char *const scenes[] = {
      BALL "simulate: {method: moreau-jean, end: 3, steps: 30}\n",
      BALL "simulate: {method: moreau, end: 2, steps: 16}\n",
      BALL "simulate: {method: stabilised, end: 3, steps: 30}\n",
      "thud: 1\nsystem: {coordinates: [x, y], mass: [1, 1], potential_energy: 9.81*y,\n"
      "  constraints: [{name: rod, equation: \"x^2 + y^2 - 1\"}]}\ninitial: {x: 1, y: 0}\n"
      "simulate: {method: moreau, end: 2, steps: 50}\n",
      ("thud: 1\nsystem: {coordinates: [x], mass: [1], potential_energy: x^2/2}\ninitial: {x: 0.7}\n"
       "simulate: {method: moreau-jean, theta: 1, end: 6, steps: 100}\n")};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    thud_run_result result = run_with(context, scenes[k], NULL, NULL);
    const char *named = strstr(result.report, "would do (simulate: {steps: ");
    if (has_verdict(&result, "good") || named == NULL) fail_msg("no step is named:\n%s%s", scenes[k], result.report);
    char steps[32];
    snprintf(steps, sizeof steps, "%ld", strtol(strstr(named, "steps: ") + strlen("steps: "), NULL, 10));
    thud_run_result_free(context, &result);
    result = run_with(context, scenes[k], "simulate.steps", steps);
    if (!has_verdict(&result, "good")) fail_msg("steps: %s do not do:\n%s%s", steps, scenes[k], result.report);
    thud_run_result_free(context, &result);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_are_judged),
      cmocka_unit_test(the_step_that_would_do_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
