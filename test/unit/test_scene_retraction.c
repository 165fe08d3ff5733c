/* Retraction of moving sets: enclosures against closed forms, rates of expressions against differences, and the bound that
 * the checker finds by its own code. */
#include "kinds/sweeping/sweeping_scene.h"

#include "expr/rates.h"
#include "failing_allocator.h"
#include "testing.h"
#include "thud/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A scene of the set (one line of YAML) with a metric and data; start 0. */
static thud_error read_scene(thud_context *context, int n, const char *extra, const char *set, double end, int steps,
                             thud_tree **tree, thud_scene **scene) {
  static const char *const names[] = {"[x]", "[x, y]", "[x, y, z]"};
  static const char *const initials[] = {"{x: 0}", "{x: 0, y: 0}", "{x: 0, y: 0, z: 0}"};
  char text[2048];
  snprintf(text, sizeof text,
           "thud: 1\n%ssweeping:\n  coordinates: %s\n  set: %s\ninitial: %s\n"
           "simulate: {method: catching-up, end: %.17g, steps: %d, refinements: 0}\n",
           extra, names[n - 1], set, initials[n - 1], end, steps);
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), tree);
  return error == THUD_OK ? thud_scene_build(context, *tree, scene) : error;
}

static sweeping_retraction retract(int n, const char *extra, const char *set, double end, int steps) {
  thud_context *context = thud_test_context(1);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_partition *partition = NULL;
  sweeping_retraction found;
  assert_int_equal(read_scene(context, n, extra, set, end, steps, &tree, &scene), THUD_OK);
  const sweeping_scene *built = thud_sweeping_scene_of(scene);
  assert_int_equal(thud_partition_uniform(context, 0, end, steps, built->numbers.jumps.count,
                                          built->numbers.jumps.items, &partition),
                   THUD_OK);
  assert_int_equal(thud_sweeping_retract(built, partition, &found), THUD_OK);
  thud_partition_destroy(partition);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
  return found;
}

/* low <= exact <= high, and high is at most 1.5 % more: pieces are cut while that gains half a percent. */
static void assert_encloses(sweeping_retraction found, double exact) {
  assert_int_equal(found.source, RETRACTION_ENCLOSED);
  thud_assert_at_most(found.low, exact * (1 + 1e-12));
  thud_assert_at_most(exact * (1 - 1e-12), found.high);
  thud_assert_at_most(found.high, 1.015 * exact);
}

static void the_reference_case_has_its_bound(void **state) {
  (void)state;
  sweeping_retraction found = retract(2, "", "{ball: {centre: [t, 0], radius: 1}}", 3, 200);
  assert_encloses(found, 3);
  thud_assert_near(found.high, 3, 1e-12); /* 200 roundings outwards */
  thud_assert_near(found.mesh, 0.015, 1e-14);
  thud_assert_near(sweeping_retraction_bound(&found), 2 * sqrt(0.015 * 3), 1e-12);
}

static void sets_retract_by_their_formulas(void **state) {
  (void)state;
  assert_encloses(retract(2, "", "{ball: {centre: [\"2*cos(t)\", \"2*sin(t)\"], radius: 0.5}}", pi, 40), 2 * pi);
  /* a ball that grows as fast as it moves does not retract, one that shrinks does more */
  thud_assert_equal(retract(2, "", "{ball: {centre: [0, 0], radius: \"1 + t\"}}", 2, 10).high, 0);
  assert_encloses(retract(2, "", "{ball: {centre: [\"3*t\", 0], radius: \"1 + t\"}}", 2, 10), 4);
  assert_encloses(retract(2, "", "{ball: {centre: [\"3*t\", 0], radius: \"4 - t\"}}", 2, 10), 8);
  /* boxes: the larger of the retreats of both sides, componentwise */
  assert_encloses(retract(2, "", "{box: {lower: [\"3*t\", -1], upper: [\"5 + t\", \"9 - 4*t\"]}}", 2, 10), 10);
  assert_encloses(retract(1, "", "{interval: {lower: \"sin(t) - 1\", upper: \"sin(t) + 1\"}}", 2 * pi, 64), 4);
  assert_encloses(retract(1, "", "{interval: {lower: null, upper: \"-t^2\"}}", 3, 10), 9);
  assert_encloses(retract(2, "", "{half_space: {normal: [3, 4], offset: \"1 - 2*t\"}}", 5, 10), 2);
  assert_encloses(
      retract(2, "", "{translation: {by: [\"t\", \"t\"], set: {ball: {centre: [0, 0], radius: 1}}}}", 2, 10),
      2 * sqrt(2));
  assert_encloses(
      retract(2, "", "{sum: [{ball: {centre: [t, 0], radius: 1}}, {ball: {centre: [0, t], radius: 1}}]}", 1, 9), 2);
  assert_encloses(
      retract(2, "", "{product: [{interval: {lower: t, upper: 9}}, {interval: {lower: \"2*t\", upper: 9}}]}", 2, 9),
      2 * sqrt(5));
  /* a segment that turns about its middle: its ends have the speed 1/2; from above by both ends */
  sweeping_retraction turned =
      retract(2, "", "{segment: {from: [\"-cos(t)/2\", \"-sin(t)/2\"], to: [\"cos(t)/2\", \"sin(t)/2\"]}}", 2, 100);
  thud_assert_at_most(1 - 1e-12, turned.high);
  thud_assert_at_most(turned.high, 1.015);
}

/* A metric goes before the set: the text of `sweeping` ends with it. */
static void metrics_measure(void **state) {
  (void)state;
  assert_encloses(retract(2, "", "{ball: {centre: [t, 0], radius: 1}}\n  metric: [4, 9]", 1, 10), 2);
  assert_encloses(retract(2, "", "{box: {lower: [t, t], upper: [9, 9]}}\n  metric: [4, 9]", 1, 10), sqrt(13));
  /* (1, 1) in [[2, 1], [1, 3]]: 7 */
  assert_encloses(retract(2, "", "{ball: {centre: [t, t], radius: 1}}\n  metric: [[2, 1], [1, 3]]", 1, 10), sqrt(7));
}

static void jumps_count_but_not_in_mu(void **state) {
  (void)state;
  sweeping_retraction found = retract(2, "data: {shift: {breaks: [1], pieces: [0, 3]}}\n",
                                      "{ball: {centre: [shift, \"0.5*t\"], radius: 1}}", 2, 20);
  assert_encloses(found, 4);
  thud_assert_near(found.mesh, 0.05, 1e-12);
  /* the value between two limits is passed through: 0 -> 5 -> 3 */
  found = retract(2, "data: {shift: {breaks: [1], pieces: [0, 3], at_breaks: [5]}}\n",
                  "{ball: {centre: [shift, 0], radius: 1}}", 2, 20);
  thud_assert_near(found.high, 7, 1e-11);
  thud_assert_equal(found.mesh, 0);
}

static void speeds_without_bound_are_bounded_by_their_ends(void **state) {
  (void)state;
  assert_encloses(retract(2, "", "{ball: {centre: [\"sqrt(t)\", 0], radius: 1}}", 4, 10), 2);
  assert_encloses(retract(2, "", "{ball: {centre: [\"t^0.3\", 0], radius: 1}}", 1, 10), 1);
}

static void what_has_no_bound_is_called_so(void **state) {
  (void)state;
  assert_int_equal(retract(2, "", "{half_space: {normal: [\"cos(t)\", \"sin(t)\"], offset: 1}}", 1, 10).source,
                   RETRACTION_UNBOUNDED);
  assert_int_equal(retract(2, "", "{ball: {centre: [\"t*sin(1/(t + 1e-300))\", 0], radius: 1}}", 1, 10).source,
                   RETRACTION_UNBOUNDED);
  sweeping_retraction found = retract(
      2, "", "{intersection: [{ball: {centre: [t, 0], radius: 2}}, {ball: {centre: [t, 1], radius: 2}}]}", 1, 10);
  assert_int_equal(found.source, RETRACTION_ESTIMATED);
  /* a body that moves by 1 retracts by 1: the direction of the axis is among the samples, 10 of 10 steps */
  thud_assert_near(found.high, 1, 1e-5);
  assert_int_equal(retract(2, "", "{ball: {centre: [0, 0], radius: 1}}", 1, 10).source, RETRACTION_ENCLOSED);
}

/* ---- rates of expressions ------------------------------------------------------------------------------------------ */

/* Central differences inside the interval lie in the rate, to their own error: 1e-6 of the sizes. */
static void rates_enclose_differences(void **state) {
  (void)state;
  static const char *const texts[] = {
      "t^3 - 2*t",       "sin(3*t)*exp(-t)", "cos(t)/(2 + sin(t))",  "sqrt(1 + t^2)",   "t^1.6",
      "(1 + t)^(-2)",    "(1 + t)^t",        "log(1 + t)",           "tanh(2*t)",       "atan(3*t)",
      "asin(t/4)",       "acos(t/4)",        "sinh(t)*cosh(t)",      "tan(t/3)",        "abs(t - 0.7)",
      "min(t, 1 - t)",   "max(t^2, 0.5)",    "hypot(t, 1)",          "atan2(t, 1 + t)", "if(t > 0.5, t^2, 3*t)",
      "step(t - 0.5)*t", "floor(2*t) + t",   "sign(t - 0.25)*sin(t)"};
  thud_context *context = thud_test_context(1);
  thud_expr_scope *scope = NULL;
  thud_index slot = 0;
  assert_int_equal(thud_expr_scope_create(context, &scope), THUD_OK);
  assert_int_equal(thud_expr_scope_add_variable(scope, "t", &slot), THUD_OK);
  const expr_rates how = {.slot = slot};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    thud_expr *expr = NULL;
    expr_rate work[64];
    assert_int_equal(thud_expr_compile(context, scope, texts[k], NULL, &expr), THUD_OK);
    for (int piece = 0; piece < 16; piece++) { /* breaks are at quarters and halves: ends of pieces */
      double from = piece / 16.0 + 0.0625 * 0.01, to = (piece + 1) / 16.0 - 0.0625 * 0.01;
      const expr_rate t = {.value = {from, to}, .rate = {1, 1}, .middle = (from + to) / 2};
      expr_rate found = thud_expr_rate_over(expr, &how, &t, work, 64);
      assert_true(isfinite(found.rate.low) && isfinite(found.rate.high));
      for (int j = 1; j < 8; j++) {
        double x = from + (to - from) * j / 8, d = 1e-5, a = x - d, b = x + d;
        double value = thud_expr_evaluate(expr, &x),
               rate = (thud_expr_evaluate(expr, &b) - thud_expr_evaluate(expr, &a)) / (2 * d);
        thud_assert_at_most(found.value.low, value);
        thud_assert_at_most(value, found.value.high);
        thud_assert_at_most(found.rate.low, rate + 1e-6);
        thud_assert_at_most(rate, found.rate.high + 1e-6);
      }
    }
    thud_expr_destroy(expr);
  }
  thud_expr_scope_destroy(scope);
  thud_test_context_end(context);
}

/* ---- failing allocations --------------------------------------------------------------------------------------------- */

static thud_error retract_with(thud_context *context, void *user) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  thud_error error = read_scene(context, 2, "", user, 1, 4, &tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  static char ball[] = "{ball: {centre: [t, 0], radius: 1}}";
  static char both[] = "{intersection: [{ball: {centre: [t, 0], radius: 2}}, {ball: {centre: [t, 1], radius: 2}}]}";
  thud_assert_greater(thud_test_sweep_allocations(retract_with, ball), 50);
  thud_assert_greater(thud_test_sweep_allocations(retract_with, both), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reference_case_has_its_bound),
      cmocka_unit_test(sets_retract_by_their_formulas),
      cmocka_unit_test(metrics_measure),
      cmocka_unit_test(jumps_count_but_not_in_mu),
      cmocka_unit_test(speeds_without_bound_are_bounded_by_their_ends),
      cmocka_unit_test(what_has_no_bound_is_called_so),
      cmocka_unit_test(rates_enclose_differences),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
