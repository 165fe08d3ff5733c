/* The checker reads scenes by itself: what it refuses, and what it says of it. */
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <stdio.h>
#include <string.h>

static const char *write_file(const char *name, const char *text) {
  const char *path = thud_test_path(name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return path;
}

/* The scene is refused with this error and a message that ends in the text; the result is untouched. */
static void expect_refusal(const char *scene, const char *path, thud_error expected, const char *says) {
  thud_context *context = thud_test_context(1);
  thud_tree *tree = NULL;
  if (thud_tree_read_text(context, "scene", scene, strlen(scene), &tree) != THUD_OK)
    fail_msg("%s: %s", scene, thud_context_last_message(context));
  thud_verify_result result = {.check_count = 77};
  thud_error error = thud_verify_trajectory(context, tree, path, NULL, &result);
  const char *message = thud_context_last_message(context);
  size_t length = strlen(message), wanted = strlen(says);
  if (error != expected || length < wanted || strcmp(message + length - wanted, says) != 0)
    fail_msg("%s\n  error %d, expected %d\n  says     %s\n  expected %s", scene, (int)error, (int)expected, message,
             says);
  assert_int_equal(result.check_count, 77);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

typedef struct refusal {
  const char *piece, *says;
  thud_error error; /* 0: THUD_ERROR_SCHEMA */
} refusal;

static void expect_all(const char *format, size_t count, const refusal *bad, const char *path) {
  for (size_t k = 0; k < count; k++) {
    char scene[2048];
    snprintf(scene, sizeof scene, format, bad[k].piece);
    expect_refusal(scene, path, bad[k].error != THUD_OK ? bad[k].error : THUD_ERROR_SCHEMA, bad[k].says);
  }
}

#define SWEEPING(data, set, metric, simulate)                                                                          \
  "{thud: 1, " data "sweeping: {coordinates: [x, y], set: " set metric "}, initial: {x: 0, y: 0}, simulate: " simulate \
  "}"
#define STEPS "{method: catching-up, end: 1, steps: 4}"
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void sets_are_refused_with_what_they_need(void **state) {
  (void)state;
  static const refusal bad[] = {
      {"{ball: {centre: [0, 0, 0], radius: 1}}", "2 numbers are needed here, there are 3", THUD_OK},
      {"{ball: {centre: [0], radius: 1}}", "2 numbers are needed here, there are 1", THUD_OK},
      {"{ellipsoid: {centre: [0, 0], shape: [[1, 0]]}}", "2 rows are needed here, there are 1", THUD_OK},
      {"{ellipsoid: {centre: [0, 0], shape: [[1, 0], [0, 1], [0, 0]]}}", "2 rows are needed here, there are 3",
       THUD_OK},
      {"{coulomb_cone: {mu: 1, dimension: 2.5}}", "a whole number is needed here, not 2.5", THUD_OK},
      {"{coulomb_cone: {mu: 1, dimension: -2}}", "a whole number is needed here, not -2", THUD_OK},
      {"{coulomb_cone: {mu: 1, dimension: 1}}", "the cone needs a dimension from 2 on", THUD_OK},
      {"{coulomb_cone: {mu: 1, dimension: 3}}", "a set of dimension 3 is given where 2 is needed",
       THUD_ERROR_DIMENSION},
      {"{polyhedron: {A: [[1, 0]], b: [1], equalities: 2}}", "more equalities than rows", THUD_OK},
      {"{polyhedron: {A: [[1, 0]], b: [1, 2]}}", "1 numbers are needed here, there are 2", THUD_OK},
      {"{sum: []}", "at least one set is needed here", THUD_OK},
      {"{interval: {lower: 0, upper: 1}}", "a set of dimension 1 is given where 2 is needed", THUD_ERROR_DIMENSION},
      {"{scaling: {by: 2, set: {interval: {lower: 0, upper: 1}}}}", "a set of dimension 1 is given where 2 is needed",
       THUD_ERROR_DIMENSION},
      {"{image: {matrix: [[1], [1]], set: {sum: [{ball: {centre: [0], radius: 1}}, {ball: {centre: [0, 0], radius: "
       "1}}]}}}",
       "1 numbers are needed here, there are 2", THUD_OK},
      {"{ball: {centre: [0, 0], radius: 1}, box: {lower: [0, 0], upper: [1, 1]}}", "a set has exactly one kind",
       THUD_OK},
      {"{blob: {}}", "the checker does not know the set 'blob'", THUD_OK},
  };
  expect_all(SWEEPING("", "%s", "", STEPS), COUNT(bad), bad, thud_test_path("motion.csv"));
}

static void metrics_data_and_times_are_refused_with_what_they_need(void **state) {
  (void)state;
  const char *path = thud_test_path("motion.csv");
  static const refusal metrics[] = {
      {"[1, 2, 3]", "a metric of dimension 2 is needed here", THUD_OK},
      {"[1, 0]", "entry 1 of the metric is not positive", THUD_ERROR_NOT_SPD},
      {"[[1, 2, 3], [1, 2, 3]]", "2 numbers are needed here", THUD_OK},
      {"[[2, 1], [0, 2]]", "the metric is not symmetric", THUD_ERROR_NOT_SPD},
      {"[[1, 2], [2, 1]]", "the metric is not positive definite", THUD_ERROR_NOT_SPD},
  };
  expect_all(SWEEPING("", "{ball: {centre: [0, 0], radius: 1}}", ", metric: %s", STEPS), COUNT(metrics), metrics, path);
  static const refusal times[] = {
      {"{method: catching-up, end: 1}", "neither 'step' nor 'steps' is usable", THUD_OK},
      {"{method: catching-up, end: 1, steps: 0}", "neither 'step' nor 'steps' is usable", THUD_OK},
      {"{method: catching-up, end: 1, start: 1, steps: 4}", "the end does not come after the start", THUD_OK},
      {"{method: regularised, end: 1, steps: 4, lambda: 0}", "lambda must be greater than 0", THUD_OK},
  };
  expect_all(SWEEPING("", "{ball: {centre: [0, 0], radius: 1}}", "", "%s"), COUNT(times), times, path);
  static const refusal data[] = {
      {"{breaks: [1], pieces: [0]}", "the breaks ask for 2 entries, here are 1", THUD_OK},
      {"{breaks: [1, 1], pieces: [0, 1, 2]}", "the breaks do not increase", THUD_OK},
      {"{breaks: [1], pieces: [0, 1], at_breaks: [1, 2]}", "the breaks ask for 1 entries, here are 2", THUD_OK},
  };
  expect_all(SWEEPING("data: {s: %s}, ", "{ball: {centre: [s, 0], radius: 1}}", "", STEPS), COUNT(data), data, path);
  expect_refusal(
      "{thud: 1, sweeping: {coordinates: [], set: {ball: {centre: [0], radius: 1}}}, initial: {}, simulate: " STEPS "}",
      path, THUD_ERROR_SCHEMA, "no coordinates");
}

#define SYSTEM(parts)                                                                                                  \
  "{thud: 1, system: {coordinates: [x, y], " parts                                                                     \
  "}, initial: {x: 0, y: 0}, simulate: {method: moreau-jean, end: 1, "                                                 \
  "steps: 4}}"

static void systems_are_refused_with_what_they_need(void **state) {
  (void)state;
  static const refusal bad[] = {
      {"mass: [1]", "2 rows or entries are needed here", THUD_OK},
      {"mass: [1, 1, 1]", "2 rows or entries are needed here", THUD_OK},
      {"mass: [[1, 0, 0], [0, 1, 0]]", "2 entries are needed here", THUD_OK},
      {"mass: [1, 1], constraints: [{name: a, gap: y, friction: {mu: 1, slip: []}}]", "a slip velocity is needed here",
       THUD_OK},
      {"mass: [1, 1], constraints: [{name: a, gap: y, equation: x}]", "'gap' and 'equation' in one constraint",
       THUD_OK},
      {"mass: [1, 1], constraints: [{name: a}]", "a constraint without gap, phi, equation or form", THUD_OK},
      {"mass: [1, 1], percussions: [{impulse: {x: 1}}]", "a percussion needs a time", THUD_OK},
      {"mass: [1, 1], percussions: [{time: 0.5, every: 0, impulse: {x: 1}}]", "'every' must be greater than 0",
       THUD_OK},
  };
  expect_all(SYSTEM("%s"), COUNT(bad), bad, write_file("motion.yaml", "pieces: [{until: 1, x: 0, y: 0}]\n"));
}

static void trajectories_of_expressions_are_refused_with_what_they_need(void **state) {
  (void)state;
  static const refusal bad[] = {
      {"pieces: []\n", "at least one piece is needed", THUD_OK},
      {"pieces: [{until: t, x: 0, y: 0}]\n", "the end of a piece cannot depend on t", THUD_OK},
      {"pieces: [{until: 0.5, x: 0, y: 0}, {until: 0.25, x: 0, y: 0}]\n",
       "a piece ends at t = 0.25, but the one before at 0.5", THUD_OK},
  };
  for (size_t k = 0; k < COUNT(bad); k++)
    expect_refusal(SYSTEM("mass: [1, 1]"), write_file("motion.yaml", bad[k].piece), THUD_ERROR_SCHEMA, bad[k].says);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_are_refused_with_what_they_need),
      cmocka_unit_test(metrics_data_and_times_are_refused_with_what_they_need),
      cmocka_unit_test(systems_are_refused_with_what_they_need),
      cmocka_unit_test(trajectories_of_expressions_are_refused_with_what_they_need),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
