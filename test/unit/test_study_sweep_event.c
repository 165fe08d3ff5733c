/* Sweeps of event-driven motions: sections on the arcs' polynomials against closed forms. */
#include "events.h"
#include "testing.h"
#include "thud/study.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The steps are there as in a scene that either method may run; they must not be used. */
static const char table[] = "thud: 1\n"
                            "parameters: {g: 9.81, A: 0.01, w: 35, e: 0.5}\n"
                            "system:\n"
                            "  coordinates: [z]\n"
                            "  kinetic_energy: \"0.5*z'^2\"\n"
                            "  forces: {z: -g}\n"
                            "  constraints: [{name: table, gap: z - A*sin(w*t), restitution: e}]\n"
                            "initial: {z: 0.001, \"z'\": pi*g/w}\n"
                            "simulate: {method: event-driven, end: 14, steps: 100}\n";

static const char ball[] = "thud: 1\n"
                           "parameters: {e: 0.5}\n"
                           "system:\n"
                           "  coordinates: [y]\n"
                           "  kinetic_energy: \"0.5*y'^2\"\n"
                           "  forces: {y: -2}\n"
                           "  constraints: [{name: floor, gap: y, restitution: e}]\n"
                           "initial: {y: 1}\n"
                           "simulate: {method: event-driven, end: 4}\n";

static thud_sweep_study sweep(thud_context *context, const char *scene, const thud_sweep_study_options *options) {
  thud_tree *tree;
  thud_sweep_study study;
  if (thud_tree_read_text(context, "scene", scene, strlen(scene), &tree) != THUD_OK ||
      thud_study_sweep(context, tree, options, &study) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  assert_int_equal(study.failed, 0);
  return study;
}

static thud_sweep_study_options table_options(const char *quantity) {
  thud_sweep_study_options options = thud_sweep_study_options_default();
  options.parameter = "w";
  options.from = 33;
  options.to = 36;
  options.count = 4;
  options.where = "table";
  options.quantity = quantity;
  options.after = 12;
  return options;
}

/* One bounce per period of the table: the ball comes with -pi g/w at the phase cos(w t) = pi g (1-e)/(A w^2 (1+e)).
 * Here the multipliers of the orbit are at most 0.8, so that nothing is left of the start after 12 s. */
static void bounces_lie_on_the_orbit_of_period_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  for (int what = 0; what <= 1; what++) {
    thud_sweep_study_options options = table_options(what == 0 ? "z'" : "cos(w*t)");
    thud_sweep_study study = sweep(context, table, &options);
    thud_assert_at_least(study.count, 4 * 10);
    for (size_t k = 0; k < study.count; k++) {
      double w = study.points[k].value, phase = PI * 9.81 * 0.5 / (0.01 * w * w * 1.5);
      thud_test_assert_near(study.points[k].quantity, what == 0 ? -PI * 9.81 / w : phase, 1e-9);
    }
    thud_sweep_study_free(&study);
  }
  thud_test_context_end(context);
}

/* At multiples of the period always the same place; the tops of the flights half a period after the bounces. */
static void periods_and_zeros_lie_on_the_orbit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_sweep_study_options options = table_options("z");
  options.count = 1;
  options.from = options.to = 35;
  options.section = THUD_SECTION_PERIOD;
  options.where = "2*pi/w";
  thud_sweep_study study = sweep(context, table, &options);
  double cosine = PI * 9.81 * 0.5 / (0.01 * 35 * 35 * 1.5), half = PI / 35;
  double bounce = 0.01 * sqrt(1 - cosine * cosine), since = (2 * PI - acos(cosine)) / 35;
  size_t periods = study.count;
  assert_int_equal(periods, (size_t)(14 * 35 / (2 * PI)) - (size_t)(12 * 35 / (2 * PI)));
  for (size_t k = 0; k < study.count; k++)
    thud_test_assert_near(study.points[k].quantity, bounce + PI * 9.81 / 35 * since - 9.81 / 2 * since * since, 1e-10);
  thud_sweep_study_free(&study);
  options.section = THUD_SECTION_ZEROS;
  options.where = "-z'";
  study = sweep(context, table, &options);
  thud_assert_at_least(study.count + 1, periods);
  thud_assert_at_most(study.count, periods + 1);
  for (size_t k = 0; k < study.count; k++)
    thud_test_assert_near(study.points[k].quantity, bounce + 9.81 * half * half / 2, 1e-10);
  thud_sweep_study_free(&study);
  thud_test_context_end(context);
}

/* From y = 1 with g = 2: impacts at 1, 1 + 2e, 1 + 2e + 2e^2, ... with speeds 2, 2e, 2e^2, at rest from (1+e)/(1-e) on.
 * y passes 0.1 upwards at u t - t^2 = 0.1 after the impacts that leave with u > 2 sqrt(0.1); nothing leaves the floor
 * through it, and what arrives at it passes -y = 0 once per impact. */
static void sections_of_a_bouncing_ball_are_the_closed_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_sweep_study_options options = thud_sweep_study_options_default();
  options.parameter = "e";
  options.from = 0.3;
  options.to = 0.6;
  options.count = 4;
  options.section = THUD_SECTION_ZEROS;
  options.where = "y - 0.1";
  options.quantity = "y'";
  thud_sweep_study study = sweep(context, ball, &options);
  size_t point = 0;
  for (size_t run = 0; run < options.count; run++) {
    double e = 0.3 + 0.1 * (double)run, t = 1;
    for (double u = 2 * e; u * u > 0.4; u *= e, t += u / e, point++) {
      thud_assert_less(point, study.count);
      thud_assert_equal(study.points[point].run, run);
      thud_test_assert_near(study.points[point].t, t + (u - sqrt(u * u - 0.4)) / 2, 1e-12);
      thud_test_assert_near(study.points[point].quantity, sqrt(u * u - 0.4), 1e-12);
    }
  }
  assert_int_equal(point, study.count);
  thud_sweep_study_free(&study);
  options.where = "y";
  study = sweep(context, ball, &options);
  assert_int_equal(study.count, 0);
  thud_sweep_study_free(&study);
  options.section = THUD_SECTION_END;
  options.where = NULL;
  options.quantity = "t + y";
  study = sweep(context, ball, &options);
  assert_int_equal(study.count, 4);
  for (size_t k = 0; k < 4; k++) thud_test_assert_near(study.points[k].quantity, 4, 1e-12);
  thud_sweep_study_free(&study);
  thud_test_context_end(context);
}

static void chaotic_sweeps_give_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  thud_sweep_study results[2];
  thud_context *contexts[2];
  thud_sweep_study_options options = table_options("z'");
  options.from = 41;
  options.to = 46;
  options.count = 5;
  for (int k = 0; k < 2; k++) {
    contexts[k] = thud_test_context(k == 0 ? 1 : 4);
    results[k] = sweep(contexts[k], table, &options);
  }
  thud_assert_equal(results[0].count, results[1].count);
  thud_assert_greater(results[0].count, 50);
  for (size_t k = 0; k < results[0].count; k++) {
    const thud_sweep_point *a = &results[0].points[k], *b = &results[1].points[k];
    thud_assert_equal(a->run, b->run);
    thud_assert_equal(a->value, b->value);
    thud_assert_equal(a->t, b->t);
    thud_assert_equal(a->quantity, b->quantity);
  }
  for (int k = 0; k < 2; k++) {
    thud_sweep_study_free(&results[k]);
    thud_test_context_end(contexts[k]);
  }
}

/* Painleve's rod, or whatever ends an event-driven run early, is counted and explained: here the limit on events. */
static void runs_that_end_early_are_told(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree;
  thud_sweep_study study;
  thud_sweep_study_options options = thud_sweep_study_options_default();
  options.parameter = "e";
  options.from = options.to = 0.5;
  options.section = THUD_SECTION_END;
  options.quantity = "y";
  assert_int_equal(thud_tree_read_text(context, "scene", ball, strlen(ball), &tree), THUD_OK);
  assert_int_equal(thud_tree_set(tree, "simulate.max_events", "3"), THUD_OK);
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  assert_int_equal(study.failed, 1);
  assert_non_null(strstr(study.message, "e = 0.5: the run ended at t = 2.5: t = 2.5: more than 3 events (max_events)"));
  thud_sweep_study_free(&study);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounces_lie_on_the_orbit_of_period_one),
      cmocka_unit_test(periods_and_zeros_lie_on_the_orbit),
      cmocka_unit_test(sections_of_a_bouncing_ball_are_the_closed_form),
      cmocka_unit_test(chaotic_sweeps_give_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(runs_that_end_early_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
