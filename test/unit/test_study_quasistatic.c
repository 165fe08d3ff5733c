/* Studies of quasi-static scenes: distances, orders, limits of dynamics, and what cannot be made. */
#include "failing_allocator.h"
#include "kinds/quasistatic/quasistatic_study.h"
#include "testing.h"
#include "thud/study.h"

#include <math.h>
#include <string.h>

/* One contact; x sticks, then slips where F_x exceeds mu F_n. */
#define PULLED(load)                                                                                                   \
  "thud: 1\n"                                                                                                          \
  "quasistatic:\n"                                                                                                     \
  "  unknowns: [n, x]\n"                                                                                               \
  "  stiffness: [[1, 0.5], [0.5, 1]]\n"                                                                                \
  "  load: {n: 2, x: \"" load "\"}\n"                                                                                  \
  "  mass: 2\n"                                                                                                        \
  "  rate: 0.125\n"                                                                                                    \
  "  contacts: [{name: foot, normal: -n, tangential: x, mu: 0.5}]\n"                                                   \
  "initial: {n: 0, x: 0}\n"                                                                                            \
  "simulate: {method: increments, end: 1, steps: 8}\n"

static const char pulled[] = PULLED("1.5*t");
/* No contact closes: an oscillator of stiffness 1 and mass 2 under a load that begins smoothly. */
static const char open_scene[] = "thud: 1\n"
                                 "quasistatic:\n"
                                 "  unknowns: [n, x]\n"
                                 "  stiffness: [[1, 0], [0, 1]]\n"
                                 "  load: {x: \"t^3\"}\n"
                                 "  mass: 2\n"
                                 "  contacts: [{name: foot, normal: -n, tangential: x, mu: 0.5, gap: 1}]\n"
                                 "simulate: {method: increments, end: 1, steps: 8}\n";

static thud_tree *read_scene(thud_context *context, const char *text) {
  thud_tree *tree = NULL;
  if (thud_tree_read_text(context, "scene", text, strlen(text), &tree) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return tree;
}

static thud_study slow_down(thud_context *context, const char *text, int first, int last) {
  thud_tree *tree = read_scene(context, text);
  thud_rates_options options = thud_rates_options_default();
  thud_study study;
  options.first_level = first;
  options.last_level = last;
  if (thud_study_rates(context, tree, &options, &study) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return study;
}

/* ---- distances ----------------------------------------------------------------------------------------------------- */

/* U = t + shift with a jump of 1 at the time *at, as a run with that many steps has it at its nodes. */
static study_elastic ramp(thud_context *context, size_t steps, double *at, double shift) {
  study_elastic made = {.first_jump = *at, .jumps = {.items = at, .count = 1}};
  assert_int_equal(thud_study_path_create(context, 1, steps + 1, &made.states), THUD_OK);
  assert_int_equal(thud_study_path_create(context, 1, steps + 1, &made.reactions), THUD_OK);
  for (size_t k = 0; k <= steps; k++) {
    double t = (double)k / (double)steps, u = t + shift + (t >= *at), r = 2 * u;
    thud_study_path_add(&made.states, &(thud_stepping_frame){.t = t, .q = &u, .v_left = &u, .v = &u});
    thud_study_path_add(&made.reactions, &(thud_stepping_frame){.t = t, .q = &r, .v_left = &r, .v = &r});
  }
  return made;
}

static void nodes_next_to_jumps_are_left_out(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double later = 0.5, earlier = 0.46875;
  study_elastic coarse = ramp(context, 8, &later, 0), fine = ramp(context, 32, &earlier, 1e-3);
  study_elastic_distance found = thud_study_elastic_compare(&coarse, &fine, 1e-10);
  assert_int_equal(found.left_out, 3); /* 3/8, 4/8, 5/8 */
  thud_assert_near(found.states, 1e-3, 1e-15);
  thud_assert_near(found.reactions, 2e-3, 1e-15);
  /* the climbs, from 3/8 to 4/8 and from 14/32 to 15/32, are 1/16 apart in time where they begin */
  assert_true(found.graphs > 1e-3 && found.graphs < 1.0 / 16 + 1e-3);
  fine.states.q[0] += 1; /* at t = 0, far from the jump */
  found = thud_study_elastic_compare(&coarse, &fine, 1e-10);
  thud_assert_near(found.states, 1.001, 1e-15);
  coarse.jumps.items = fine.jumps.items = NULL;
  thud_study_elastic_free(&coarse);
  thud_study_elastic_free(&fine);
  thud_test_context_end(context);
}

/* ---- limits of dynamics --------------------------------------------------------------------------------------------- */

/* From t0 = 2/3 on 3/4 x = 3/2 t - 1 quasi-statically, and with the mass eps = 2 rate^2, w^2 = 3/(4 eps):
 * x = 2 (t - t0) - (2/w) sin w(t - t0), which never turns back: the distance is 2/w = rate 2 sqrt(8/3). */
static void slip_at_a_constant_rate_has_the_distance_of_its_oscillation(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_study study = slow_down(context, pulled, 0, 6);
  assert_int_equal(study.flags, 0);
  assert_int_equal(study.kind, THUD_STUDY_OF_RATES);
  assert_true(isnan(study.first_jump));
  for (size_t k = 2; k < study.count; k++) {
    const thud_study_row *row = &study.rows[k];
    thud_assert_near(row->step, 0.125 * exp2(-(double)k), 0);
    thud_assert_near(row->q_next / row->step, 2 * sqrt(8.0 / 3), 0.02 * 2 * sqrt(8.0 / 3));
  }
  thud_assert_near(study.q_order, 1, 0.02);
  thud_study_free(&study);
  thud_test_context_end(context);
}

/* 2 rate^2 x'' + x = t^3 from rest: x = t^3 - 12 rate^2 (t - sin(wt)/w), w = 1/(rate sqrt 2); order 2, as nothing slips. */
static void free_motion_has_order_two(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_study study = slow_down(context, open_scene, 3, 7);
  assert_int_equal(study.flags, 0);
  thud_assert_near(study.q_order, 2, 0.1);
  for (size_t k = 0; k < study.count; k++) {
    double rate = study.rows[k].step, w = 1 / (rate * sqrt(2)), worst = 0;
    for (int j = 0; j <= 4096; j++) worst = fmax(worst, 12 * rate * rate * (j / 4096.0 - sin(w * j / 4096) / w));
    thud_assert_near(study.rows[k].q_next, worst, 0.01 * worst);
  }
  thud_study_free(&study);
  thud_test_context_end(context);
}

/* ---- what cannot be made -------------------------------------------------------------------------------------------- */

static int stop_half_way(void *user, double t, double start, double end) {
  (void)user;
  return t > start + (end - start) / 2;
}

static int stop_at_once(void *user, double t, double start, double end) {
  (void)user, (void)t, (void)start, (void)end;
  return 1;
}

static void stopped_studies_keep_what_is_complete(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = read_scene(context, pulled);
  thud_study study;
  thud_study_options options = thud_study_options_default();
  options.progress = stop_half_way;
  assert_int_equal(thud_study_refine(context, tree, &options, &study), THUD_OK);
  assert_int_equal(study.flags, THUD_STUDY_RUN_FAILED);
  assert_string_equal(study.message, "interrupted at level 12; the levels before are complete");
  assert_int_equal(study.count, 6);
  thud_study_free(&study);
  thud_rates_options rates = thud_rates_options_default();
  rates.progress = stop_half_way;
  assert_int_equal(thud_study_rates(context, tree, &rates, &study), THUD_OK);
  assert_int_equal(study.flags, THUD_STUDY_RUN_FAILED);
  assert_string_equal(study.message, "interrupted at the rate 0.00390625; the rates before are complete");
  assert_int_equal(study.count, 5);
  thud_study_free(&study);
  rates.progress = stop_at_once;
  study.count = 77;
  assert_int_equal(thud_study_rates(context, tree, &rates, &study), THUD_ERROR_INTERRUPTED);
  assert_int_equal(study.count, 77); /* untouched */
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

typedef enum call { REFINE, AGAINST, RATES } call;

static thud_error study_once(thud_context *context, void *user) {
  thud_tree *tree = NULL;
  thud_study study = {.count = 77};
  thud_against against = {.count = 77};
  thud_study_options levels = thud_study_options_default();
  thud_against_options reference = thud_against_options_default();
  thud_rates_options rates = thud_rates_options_default();
  levels.first_level = 2;
  levels.last_level = 4;
  reference.study = levels;
  rates.last_level = 2;
  rates.nodes_level = 4;
  thud_error error = thud_tree_read_text(context, "scene", pulled, strlen(pulled), &tree);
  if (error == THUD_OK && *(call *)user == REFINE) error = thud_study_refine(context, tree, &levels, &study);
  if (error == THUD_OK && *(call *)user == AGAINST) error = thud_study_against(context, tree, &reference, &against);
  if (error == THUD_OK && *(call *)user == RATES) error = thud_study_rates(context, tree, &rates, &study);
  if (study.count != 77) thud_study_free(&study);
  if (against.count != 77) thud_against_free(&against);
  thud_tree_destroy(tree);
  return error;
}

static void studies_survive_failing_allocations(void **state) {
  (void)state;
  for (call which = REFINE; which <= RATES; which++)
    thud_assert_greater(thud_test_sweep_allocations(study_once, &which), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_next_to_jumps_are_left_out),
      cmocka_unit_test(slip_at_a_constant_rate_has_the_distance_of_its_oscillation),
      cmocka_unit_test(free_motion_has_order_two),
      cmocka_unit_test(stopped_studies_keep_what_is_complete),
      cmocka_unit_test(studies_survive_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
