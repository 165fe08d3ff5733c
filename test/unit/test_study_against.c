/* Time stepping against the event-driven motion: orders, partners of impacts and of changes of mode, parity, early
 * ends, impacts without partners, failures. */
#include "failing_allocator.h"
#include "kinds/system/system_study.h"
#include "study/study_orders.h"
#include "testing.h"
#include "thud/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* A scene of examples/dynamics with changes "key=value". */
static thud_tree *read_example(thud_context *context, const char *name, const char *key, const char *value) {
  char path[512];
  thud_tree *tree = NULL;
  const char *root = getenv("THUD_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/examples/dynamics/%s.yaml", root != NULL ? root : ".", name);
  if (thud_tree_read_file(context, path, &tree) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  if (key != NULL) assert_int_equal(thud_tree_set(tree, key, value), THUD_OK);
  return tree;
}

static thud_tree *read_text(thud_context *context, const char *text) {
  thud_tree *tree;
  if (thud_tree_read_text(context, "scene", text, strlen(text), &tree) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return tree;
}

static thud_against_options levels(int first, int last, int method) {
  thud_against_options options = thud_against_options_default();
  options.study.first_level = first;
  options.study.last_level = last;
  options.method = method;
  return options;
}

static void study_tree(thud_context *context, thud_tree *tree, thud_against_options options, thud_against *result) {
  if (thud_study_against(context, tree, &options, result) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
}

static void study_example(thud_context *context, const char *name, thud_against_options options, thud_against *result) {
  study_tree(context, read_example(context, name, NULL, NULL), options, result);
}

static const thud_against_event *event_of(const thud_against *study, thud_event_kind kind, size_t number) {
  for (size_t e = 0; e < study->event_count; e++)
    if (study->events[e].kind == kind && number-- == 0) return &study->events[e];
  fail_msg("there is no such %s", thud_event_kind_name(kind));
  return NULL;
}

/* ---- impacts --------------------------------------------------------------------------------------------------------
 */

/* C1: impact n at 3 - 2^(1-n) with the impulse 3*2^(1-n), rest at 3, total impulse 6 and then the weight 2. Moreau's
 * scheme is 2.5 h off and loses what it may with order 1; its n-th impact, n = 0, 1, ..., comes at most n+2 steps late.
 */
static void the_zeno_ball_is_compared_impact_by_impact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_example(context, "bouncing-particle", levels(8, 14, THUD_STEPPING_MOREAU), &study);
  assert_int_equal(study.flags, 0);
  assert_string_equal(study.method, "moreau");
  thud_assert_equal(study.count, 7);
  thud_assert_equal(study.expected_order, 1);
  thud_assert_nearer(study.q_order, 1, 0.02);
  thud_assert_nearer(study.v_order, 1, 0.05);
  thud_assert_nearer(study.graph_order, 1, 0.2);
  thud_assert_nearer(study.energy_order, 1, 0.02);
  thud_assert_nearer(study.impulse[0], 8, 1e-10);
  thud_assert_nearer(study.energy_loss, 2, 1e-10);
  const thud_against_row *finest = &study.rows[6];
  thud_assert_nearer(finest->q_error / finest->step, 2.5, 0.05);
  for (size_t k = 0; k < study.count; k++) {
    thud_assert_equal(study.rows[k].missed, 0);
    thud_assert_equal(study.rows[k].stray, 0);
    assert_int_equal(study.rows[k].found, 4 + k); /* each octave resolves one bounce more */
    assert_int_equal(study.rows[k].found + study.rows[k].unresolved, study.event_count);
  }
  for (size_t n = 0; n < 6; n++) {
    const thud_against_event *event = event_of(&study, THUD_EVENT_IMPACT, n);
    thud_assert_nearer(event->t, (3 - exp2(1 - (double)n)), 1e-10);
    thud_assert_nearer(event->impulse[0], 3 * exp2(-(double)n), 1e-10);
    assert_true(event->involved[0]);
    thud_assert_nearer(event->t_order, 1, 0.02);
    thud_assert_nearer(event->v_order, 1, 0.02);
    thud_assert_nearer(event->impulse_order, 1, 0.02);
    const thud_against_match *match = &event->matches[6];
    thud_assert_greater(match->t_error, 0);
    thud_assert_at_most(match->t_error, ((double)n + 2.01) * finest->step);
    thud_assert_less(match->v_error, 2 * finest->step);
    thud_assert_less(match->impulse_error, 6 * finest->step);
  }
  const thud_against_event *limit = event_of(&study, THUD_EVENT_ZENO, 0);
  thud_assert_nearer(limit->t, 3, 1e-10);
  thud_assert_nearer(limit->impulse[0], 6, 1e-9);
  for (size_t k = 0; k < study.count; k++) {
    const thud_against_match *match = &limit->matches[k];
    assert_int_equal(match->partner, THUD_PARTNER_FOUND);
    thud_assert_less(fabs(match->t_error), 12 * study.rows[k].step);
    thud_assert_less(match->v_error, 12 * study.rows[k].step);
    thud_assert_less(match->impulse_error, 30 * study.rows[k].step);
  }
  thud_against_free(&study);
  thud_test_context_end(context);
}

/* C2 by several schemes: every impact that is resolved is found, nothing is made up, and total impulses are right. */
static void all_schemes_find_the_impacts_of_the_bouncing_ball(void **state) {
  (void)state;
  static const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MABROUK, THUD_STEPPING_MOREAU_JEAN,
                                                 THUD_STEPPING_STABILISED, THUD_STEPPING_SECOND_ORDER};
  thud_context *context = thud_test_context(1);
  for (size_t s = 0; s < sizeof methods / sizeof *methods; s++) {
    thud_against study;
    study_example(context, "zeno", levels(9, 13, (int)methods[s]), &study);
    assert_int_equal(study.flags, 0);
    thud_assert_greater(study.q_order, 0.7);
    thud_assert_less(study.q_order, 1.2); /* instants fall anywhere in a step: noise */
    const thud_against_row *finest = &study.rows[4];
    thud_assert_equal(finest->missed, 0);
    thud_assert_equal(finest->stray, 0);
    thud_assert_at_least(finest->found, 15);
    thud_assert_less(finest->impulse_error, 60 * finest->step);
    for (size_t n = 0; n < 6; n++) {
      const thud_against_event *event = event_of(&study, THUD_EVENT_IMPACT, n);
      thud_assert_greater(event->t_order, 0.6);
      thud_assert_less(event->t_order, 1.4);
      thud_assert_less(fabs(event->matches[4].t_error), 25 * finest->step);
    }
    thud_against_free(&study);
  }
  thud_test_context_end(context);
}

/* C15: three impacts of the joint in 10 s, elastic; each is found at every level and nearer at finer ones. */
static void impacts_of_the_double_pendulum_converge(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_example(context, "double-pendulum", levels(9, 14, THUD_AGAINST_SCENE_METHOD), &study);
  assert_int_equal(study.flags, 0);
  assert_string_equal(study.method, "second-order");
  assert_int_equal(study.event_count, 3);
  for (size_t n = 0; n < 3; n++) {
    const thud_against_event *event = event_of(&study, THUD_EVENT_IMPACT, n);
    assert_true(event->involved[0] && !event->involved[1]);
    thud_assert_greater(event->t_order, 0.7);
    thud_assert_less(event->t_order, 1.4);
    thud_assert_greater(event->impulse_order, 0.4);
    for (size_t k = 0; k < study.count; k++) assert_int_equal(event->matches[k].partner, THUD_PARTNER_FOUND);
  }
  thud_assert_less(fabs(study.energy_loss), 1e-10);
  thud_against_free(&study);
  thud_test_context_end(context);
}

/* ---- changes of mode ------------------------------------------------------------------------------------------------
 */

/* K2: the slip turns round at atan(4/3) and ends at 2.7410945822358. C8: the wall is left at 1. */
static void changes_of_mode_have_partners(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_example(context, "klarbring-slip", levels(6, 12, THUD_STEPPING_MOREAU_JEAN), &study);
  assert_int_equal(study.flags, 0);
  assert_int_equal(study.event_count, 2);
  const thud_against_event *slip = event_of(&study, THUD_EVENT_SLIP, 0), *stick = event_of(&study, THUD_EVENT_STICK, 0);
  thud_assert_nearer(slip->t, atan2(4, 3), 1e-10);
  thud_assert_nearer(stick->t, 2.7410945822358, 1e-10);
  for (size_t k = 0; k < study.count; k++) {
    const thud_against_match *turned = &slip->matches[k], *stuck = &stick->matches[k];
    thud_assert_equal(turned->partner, THUD_PARTNER_FOUND);
    thud_assert_equal(stuck->partner, THUD_PARTNER_FOUND);
    thud_assert_at_most(fabs(turned->t_error), 1.5 * study.rows[k].step);
    thud_assert_at_most(fabs(stuck->t_error), 1.5 * study.rows[k].step);
    assert_true(isnan(turned->v_error) && isnan(stuck->impulse_error));
  }
  thud_against_free(&study);
  study_example(context, "release", levels(6, 11, THUD_STEPPING_SECOND_ORDER), &study);
  const thud_against_event *open = event_of(&study, THUD_EVENT_OPEN, 0);
  thud_assert_equal(study.flags, 0);
  thud_assert_equal(study.event_count, 1);
  thud_assert_nearer(open->t, 1, 1e-10);
  thud_assert_nearer(study.q_order, 2, 0.05);
  thud_assert_nearer(open->t_order, 1, 0.1);
  for (size_t k = 0; k < study.count; k++)
    thud_assert_at_most(fabs(open->matches[k].t_error), 1.5 * study.rows[k].step);
  thud_against_free(&study);
  thud_test_context_end(context);
}

/* Coefficients of friction that grow while the block gets slower, which the step takes too small: thrown with v0 = 1
 * and mu = 0.3 - 0.2 x' it stops at ln(3/(3 - 2 v0))/(0.2 g). On a belt with Stribeck's law it sticks and slips in
 * turn. */
static void friction_that_depends_on_the_velocity_has_partners(void **state) {
  (void)state;
  static const char thrown[] =
      "thud: 1\n"
      "system:\n"
      "  coordinates: [x, y]\n"
      "  kinetic_energy: \"0.5*(x'^2 + y'^2)\"\n"
      "  forces: {y: -10}\n"
      "  constraints: [{name: floor, gap: y, friction: {mu: \"0.3 - 0.2*abs(x')\", slip: [\"x'\"]}}]\n"
      "initial: {x: 0, y: 0, \"x'\": 1}\n"
      "simulate: {method: event-driven, end: 1}\n";
  static const char belt[] =
      "thud: 1\n"
      "system:\n"
      "  coordinates: [x, y]\n"
      "  mass: [1, 1]\n"
      "  potential_energy: 9.81*y + 25*x^2\n"
      "  constraints:\n"
      "    - {name: belt, gap: y, friction: {mu: 0.4/(1 + 3*abs(x' - 0.5)), slip: [\"x' - 0.5\"]}}\n"
      "initial: {x: 0, y: 0}\n"
      "simulate: {method: event-driven, end: 4}\n";
  static const int methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED};
  thud_context *context = thud_test_context(1);
  thud_against study;
  for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
    study_tree(context, read_text(context, thrown), levels(7, 12, methods[j]), &study);
    const thud_against_event *stop = event_of(&study, THUD_EVENT_STICK, 0);
    thud_assert_equal(study.flags, 0);
    thud_assert_nearer(stop->t, log(3) / 2, 1e-10);
    thud_assert_nearer(stop->t_order, 1, 0.3);
    for (size_t k = 0; k < study.count; k++) thud_assert_less(fabs(stop->matches[k].t_error), 2.5 * study.rows[k].step);
    thud_against_free(&study);
    study_tree(context, read_text(context, belt), levels(9, 13, methods[j]), &study);
    thud_assert_equal(study.flags, 0);
    thud_assert_at_least(study.event_count, 6);
    thud_assert_equal(study.rows[study.count - 1].missed, 0);
    for (size_t e = 0; e < study.event_count; e++) { /* delays add up, a few steps per swing */
      const thud_against_match *finest = &study.events[e].matches[study.count - 1];
      thud_assert_equal(finest->partner, THUD_PARTNER_FOUND);
      thud_assert_less(fabs(finest->t_error), 16 * study.rows[study.count - 1].step);
    }
    thud_against_free(&study);
  }
  thud_test_context_end(context);
}

/* An oscillator x'' = -x with a brake of threshold f between x = 1 and rest: half swings about f and -f in turn, so
 * that the slip turns at pi and it sticks at 2 pi at x = 1 - 4 f for f = 0.3. A block thrown over a floor with friction
 * in two directions: it strikes at sqrt(2 H/g) and sticks when its momentum is used up. A bead on a wire with friction.
 */
static void friction_of_every_kind_has_partners(void **state) {
  (void)state;
  static const char brake[] = "thud: 1\n"
                              "system:\n"
                              "  coordinates: [x]\n"
                              "  kinetic_energy: \"0.5*x'^2\"\n"
                              "  potential_energy: \"0.5*x^2\"\n"
                              "  friction: [{name: brake, threshold: 0.3, slip: [\"x'\"]}]\n"
                              "initial: {x: 1}\n"
                              "simulate: {method: moreau-jean, end: 8, steps: 100}\n";
  static const char thrown[] = "thud: 1\n"
                               "system:\n"
                               "  coordinates: [x, y, z]\n"
                               "  kinetic_energy: \"0.5*(x'^2 + y'^2 + z'^2)\"\n"
                               "  forces: {z: -10}\n"
                               "  constraints:\n"
                               "    - {name: floor, gap: z, friction: {mu: 0.25, slip: [\"x'\", \"y'\"]}}\n"
                               "initial: {x: 0, y: 0, z: 0.45, \"x'\": 1.2, \"y'\": 1.6}\n"
                               "simulate: {method: moreau-jean, end: 2, steps: 100}\n";
  static const char wire[] = "thud: 1\n"
                             "system:\n"
                             "  coordinates: [x, y]\n"
                             "  kinetic_energy: \"0.5*(x'^2 + y'^2)\"\n"
                             "  potential_energy: \"2*x^2\"\n"
                             "  forces: {y: -10}\n"
                             "  constraints: [{name: wire, equation: y, friction: {mu: 0.05, slip: [\"x'\"]}}]\n"
                             "initial: {x: 1, y: 0}\n"
                             "simulate: {method: moreau-jean, end: 8, steps: 100}\n";
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_tree(context, read_text(context, brake), levels(7, 12, THUD_AGAINST_SCENE_METHOD), &study);
  thud_assert_equal(study.flags, 0);
  thud_assert_equal(study.event_count, 2);
  thud_assert_less(fabs(study.q_end[0] + 0.2), 1e-10);
  const thud_against_event *turn = event_of(&study, THUD_EVENT_SLIP, 0), *stop = event_of(&study, THUD_EVENT_STICK, 0);
  thud_assert_nearer(turn->t, PI, 1e-10);
  thud_assert_nearer(stop->t, 2 * PI, 1e-10);
  for (size_t k = 0; k < study.count; k++) {
    thud_assert_equal(turn->matches[k].partner, THUD_PARTNER_FOUND);
    thud_assert_equal(stop->matches[k].partner, THUD_PARTNER_FOUND);
    thud_assert_less(fabs(turn->matches[k].t_error), 2.5 * study.rows[k].step);
    thud_assert_less(fabs(stop->matches[k].t_error), 2.5 * study.rows[k].step);
  }
  thud_against_free(&study);
  /* half swings of pi/2 from 1 to -0.75, 0.5, -0.25 and 0 */
  study_tree(context, read_text(context, wire), levels(7, 12, THUD_AGAINST_SCENE_METHOD), &study);
  thud_assert_equal(study.flags, 0);
  thud_assert_equal(study.event_count, 4);
  thud_assert_less(fabs(study.q_end[0]), 1e-10);
  for (size_t e = 0; e < 4; e++) {
    const thud_against_event *event = &study.events[e];
    thud_assert_equal(event->kind, (e < 3 ? THUD_EVENT_SLIP : THUD_EVENT_STICK));
    assert_true(event->involved[0]);
    thud_assert_nearer(event->t, PI / 2 * (double)(e + 1), 1e-10);
    thud_assert_nearer(event->t_order, 1, 0.3);
  }
  thud_against_free(&study);
  /* v = 2 before the impact at 0.3 with impulse 3: friction takes 0.75 at once, then 2.5 per second */
  study_tree(context, read_text(context, thrown), levels(7, 12, THUD_AGAINST_SCENE_METHOD), &study);
  const thud_against_event *strike = event_of(&study, THUD_EVENT_IMPACT, 0);
  stop = event_of(&study, THUD_EVENT_STICK, 0);
  thud_assert_equal(study.flags, 0);
  thud_assert_equal(study.event_count, 2);
  thud_assert_nearer(strike->t, 0.3, 1e-10);
  thud_assert_nearer(stop->t, 0.8, 1e-10);
  thud_assert_nearer(hypot(strike->impulse[1], strike->impulse[2]), 0.75, 1e-10);
  for (size_t k = 0; k < study.count; k++) {
    thud_assert_equal(strike->matches[k].partner, THUD_PARTNER_FOUND);
    thud_assert_equal(stop->matches[k].partner, THUD_PARTNER_FOUND);
    thud_assert_less(fabs(stop->matches[k].t_error), 3 * study.rows[k].step);
    thud_assert_less(strike->matches[k].impulse_error, 25 * study.rows[k].step);
  }
  thud_against_free(&study);
  thud_test_context_end(context);
}

/* ---- orders ---------------------------------------------------------------------------------------------------------
 */

static const char pendulum[] = "thud: 1\n"
                               "system:\n"
                               "  coordinates: [a]\n"
                               "  kinetic_energy: \"0.5*a'^2\"\n"
                               "  potential_energy: \"-9.81*cos(a)\"\n"
                               "initial: {a: 1}\n"
                               "simulate: {method: second-order, end: 3, steps: 100}\n";

static void smooth_motions_have_the_order_of_the_scheme(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_tree(context, read_text(context, pendulum), levels(6, 11, THUD_AGAINST_SCENE_METHOD), &study);
  thud_assert_equal(study.flags, 0);
  thud_assert_equal(study.expected_order, 2);
  thud_assert_equal(study.event_count, 0);
  thud_assert_nearer(study.q_order, 2, 0.05);
  thud_assert_nearer(study.v_order, 2, 0.05);
  thud_assert_nearer(study.graph_order, 2, 0.1);
  thud_against_free(&study);
  study_tree(context, read_text(context, pendulum), levels(6, 11, THUD_STEPPING_MOREAU), &study);
  thud_assert_equal(study.flags, 0);
  thud_assert_equal(study.expected_order, 1);
  thud_assert_nearer(study.q_order, 1, 0.1);
  thud_against_free(&study);
  thud_against_options strict = levels(6, 11, THUD_STEPPING_MOREAU);
  strict.study.smallest_order = 1.5;
  study_tree(context, read_text(context, pendulum), strict, &study);
  assert_int_equal(study.flags, THUD_STUDY_NO_ORDER);
  assert_non_null(strstr(study.message, "the positions come to the event-driven motion with order 0.999 only (asked "
                                        "for: 1.5); the error at 2048 steps is"));
  thud_against_free(&study);
  thud_test_context_end(context);
}

static void orders_are_fitted_to_powers_of_the_step(void **state) {
  (void)state;
  double at[6], values[6];
  for (size_t k = 0; k < 6; k++) {
    at[k] = 4 + (double)k;
    values[k] = 3 * exp2(-1.5 * at[k]);
  }
  thud_assert_nearer(thud_study_fit_order(6, at, values), 1.5, 1e-12);
  values[0] = values[1] = 100; /* not among the last three octaves */
  thud_assert_nearer(thud_study_fit_last_octaves(6, at, values), 1.5, 1e-12);
  thud_assert_greater(thud_study_fit_order(6, at, values), 2);
  assert_true(isnan(thud_study_fit_order(1, at, values)));
}

/* What is within rounding (0) ends the fit and does not bend it, however fast the error came there; an order is never
 * called infinite for its size. */
static void orders_are_not_fitted_to_rounding(void **state) {
  (void)state;
  double at[8], values[8];
  for (size_t k = 0; k < 8; k++) {
    at[k] = 2 + (double)k;
    values[k] = k < 6 ? exp2(-3 * at[k]) : 0;
  }
  thud_assert_nearer(thud_study_fit_order(8, at, values), 3, 1e-12);
  values[0] = values[1] = 7; /* not among the last three octaves before rounding */
  thud_assert_nearer(thud_study_fit_last_octaves(8, at, values), 3, 1e-12);
  values[7] = 1e-3; /* behind a 0: chance */
  thud_assert_nearer(thud_study_fit_last_octaves(8, at, values), 3, 1e-12);
  for (size_t k = 0; k < 8; k++) values[k] = exp2(-12 * at[k]);
  thud_assert_nearer(thud_study_fit_last_octaves(8, at, values), 12, 1e-12);
  values[1] = 0; /* one error, then none: no line, and nothing left to lose */
  assert_true(isinf(thud_study_fit_last_octaves(8, at, values)));
  values[0] = 0;
  assert_true(isinf(thud_study_fit_order(8, at, values)));
}

/* C12: even refinements of Moreau's scheme go to (4,-4), odd ones to (8,-8); Mabrouk's goes to (4,-4). C11 with both
 * walls at once: exact, but across the same non-orthogonal impact. */
static void only_even_refinements_of_case_c12_go_to_the_reference(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_example(context, "parity", levels(6, 12, THUD_STEPPING_MOREAU), &study);
  assert_int_equal(study.flags, THUD_STUDY_PARITY);
  assert_non_null(strstr(
      study.message, "even refinements converge to the event-driven motion (order 1.00), odd ones do not: they stay"));
  thud_assert_nearer(study.q_end[0], 4, 1e-10);
  thud_assert_less(fabs(study.q_end[1] + 4), 1e-10);
  for (size_t k = 0; k < study.count; k++) {
    const thud_against_row *row = &study.rows[k];
    double x = row->level % 2 == 0 ? 4 : 8;
    thud_assert_less(hypot(row->q_end[0] - x, row->q_end[1] + x), 20 * row->step);
  }
  thud_assert_nearer(study.even_order, 1, 0.1);
  thud_assert_less(fabs(study.odd_order), 0.1);
  thud_assert_nearer(study.reference.worst_cosine, sqrt(0.5), 1e-10);
  thud_assert_nearer(study.reference.worst_cosine_time, 1, 1e-10);
  thud_assert_greater(study.rows[5].stray, 10); /* the sliding that the reference does not know */
  thud_against_free(&study);
  study_example(context, "parity", levels(6, 12, THUD_STEPPING_MABROUK), &study);
  thud_assert_equal(study.flags, 0);
  thud_assert_nearer(study.q_order, 1, 0.2);
  thud_against_free(&study);
  study_example(context, "discontinuous", levels(6, 10, THUD_STEPPING_MOREAU), &study);
  thud_assert_equal(study.flags, 0);
  assert_true(isinf(study.q_order));
  thud_assert_equal(study.rows[4].q_error, 0);
  thud_assert_nearer(study.reference.worst_cosine, sqrt(0.5), 1e-10);
  thud_against_free(&study);
  thud_test_context_end(context);
}

/* Without forces every number of the impact at t = 1 is a dyadic fraction, and so is every node: nothing is wrong with
 * velocity and impulse at any level, which is of infinite order. The time is known to half a step. */
static void impacts_without_any_error_are_of_infinite_order(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  study_tree(context,
             read_text(context,
                       "{thud: 1, system: {coordinates: [q], kinetic_energy: \"q'^2/2\", constraints: [{name: wall,"
                       " gap: q, restitution: 0.5}]}, initial: {q: 1, \"q'\": -1}, simulate: {method:"
                       " event-driven, end: 2}}"),
             levels(4, 8, THUD_STEPPING_MOREAU_JEAN), &study);
  const thud_against_event *impact = event_of(&study, THUD_EVENT_IMPACT, 0);
  thud_assert_equal(impact->t, 1);
  thud_assert_equal(impact->impulse[0], 1.5);
  for (size_t k = 0; k < study.count; k++) {
    assert_int_equal(impact->matches[k].partner, THUD_PARTNER_FOUND);
    thud_assert_equal(impact->matches[k].v_error, 0);
    thud_assert_equal(impact->matches[k].impulse_error, 0);
  }
  assert_true(isinf(impact->v_order));
  assert_true(isinf(impact->impulse_order));
  thud_assert_nearer(impact->t_order, 1, 1e-9);
  thud_against_free(&study);
  thud_test_context_end(context);
}

/* ---- impacts without partners ---------------------------------------------------------------------------------------
 */

enum { STEPS = 300 };

/* Impacts of a reference at 1 and 2; steps of 0.01 with atoms at 1.02, 1.4 (a stray), and perhaps 2.02. */
static void impacts_without_partner_are_told(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = read_example(context, "bouncing-particle", NULL, NULL);
  thud_scene *scene = NULL;
  assert_int_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  double before = 1, after = -0.5, impulse = 1.5, zero = 0;
  bool struck[2] = {true, false};
  study_event events[2];
  for (size_t e = 0; e < 2; e++)
    events[e] = (study_event){.kind = THUD_EVENT_IMPACT,
                              .t = 1 + (double)e,
                              .v_before = &before,
                              .v_after = &after,
                              .impulse = &impulse,
                              .involved = struck,
                              .struck = struck,
                              .flight = STUDY_RESOLVED_STEPS};
  study_reference reference = {
      .system = thud_scene_lagrangian(scene)->system, .n = 1, .m = 1, .end = 3, .events = events, .event_count = 2};
  for (int all = 0; all <= 1; all++) {
    study_path path;
    assert_int_equal(thud_study_path_create(context, 1, STEPS + 1, &path), THUD_OK);
    assert_int_equal(thud_study_path_keep_contacts(&path, 1, 1), THUD_OK);
    for (int k = 0; k <= STEPS; k++) {
      bool atom = k == 102 || k == 140 || (all && k == 202);
      double reaction = atom ? 1.25 : 0;
      thud_study_path_add(
          &path, &(thud_stepping_frame){
                     .t = k * 0.01, .q = &zero, .v_left = &before, .v = &after, .reaction = &reaction, .atom = &atom});
    }
    thud_against_match matches[2];
    study_strays strays = {0};
    study_matching matching = {
        .reference = &reference, .path = &path, .level = 5, .step = 0.01, .matches = matches, .strays = &strays};
    assert_int_equal(thud_study_match(context, &matching), THUD_OK);
    assert_int_equal(matches[0].partner, THUD_PARTNER_FOUND);
    thud_assert_nearer(matches[0].t_error, 0.02, 1e-12);
    thud_assert_nearer(matches[0].impulse_error, 0.25, 1e-12);
    thud_assert_equal(matches[0].v_error, 0);
    assert_int_equal(matches[1].partner, all ? THUD_PARTNER_FOUND : THUD_PARTNER_MISSED);
    assert_true(all || isnan(matches[1].t));
    thud_assert_equal(strays.count, 1);
    thud_assert_equal(strays.items[0].constraint, 0);
    thud_assert_equal(strays.items[0].level, 5);
    thud_assert_nearer(strays.items[0].t, 1.4, 1e-12);
    thud_assert_equal(strays.items[0].impulse, 1.25);
    thud_free(context, strays.items);
    thud_study_path_free(&path);
  }
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* ---- ends and failures ----------------------------------------------------------------------------------------------
 */

/* An event-driven scene is stepped by moreau-jean, and a reference that ends early is compared as far as it goes. */
static void a_reference_that_ends_early_is_compared_so_far(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = read_example(context, "bouncing-particle", "simulate.method", "event-driven");
  assert_int_equal(thud_tree_set(tree, "simulate.max_events", "2"), THUD_OK);
  thud_study refined = {.count = 77};
  assert_int_equal(thud_study_refine(context, tree, NULL, &refined), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context,
                        "an event-driven scene has no steps to refine: compare it with time stepping (--against "
                        "event-driven) or choose a method of time stepping (--set simulate.method=moreau-jean)",
                        NULL);
  thud_against study;
  study_tree(context, tree, levels(6, 10, THUD_AGAINST_SCENE_METHOD), &study);
  assert_string_equal(study.method, "moreau-jean");
  assert_int_equal(study.flags, THUD_STUDY_RUN_FAILED);
  assert_non_null(
      strstr(study.message,
             "the event-driven run ended at t = 2, up to which is compared: t = 2: more than 2 events (max_events)"));
  assert_int_equal(study.reference.status, THUD_MOTION_TOO_MANY);
  thud_assert_nearer(study.end, 2, 1e-10);
  thud_assert_equal(study.count, 5);
  thud_assert_nearer(study.q_order, 1, 0.2);
  thud_against_free(&study);
  thud_test_context_end(context);
}

static int stop_half_way(void *user, double t, double start, double end) {
  (void)user;
  return (t - start) / (end - start) > 0.5;
}

static int stop_at_once(void *user, double t, double start, double end) {
  (void)user;
  (void)t;
  (void)start;
  (void)end;
  return 1;
}

static void studies_that_cannot_be_made_say_why(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = read_example(context, "bouncing-particle", NULL, NULL);
  thud_against study = {.count = 77};
  thud_against_options options = levels(6, 7, THUD_AGAINST_SCENE_METHOD);
  assert_int_equal(thud_study_against(context, tree, &options, &study), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "a study needs at least three levels, not 6 to 7", NULL);
  options = levels(6, 8, 17);
  assert_int_equal(thud_study_against(context, tree, &options, &study), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "study against the event-driven motion: 'method' must be at most 6, not 17", NULL);
  options = levels(6, 8, THUD_AGAINST_SCENE_METHOD);
  options.study.progress = stop_at_once;
  assert_int_equal(thud_study_against(context, tree, &options, &study), THUD_ERROR_INTERRUPTED);
  thud_test_message_has(context, "interrupted in the event-driven run", NULL);
  assert_int_equal(study.count, 77); /* untouched */
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* Half of the work is done within the last level: those before it are there, with the same numbers. */
static void a_stopped_study_keeps_the_levels_that_are_complete(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = read_example(context, "bouncing-particle", NULL, NULL);
  thud_against stopped, whole;
  thud_against_options options = levels(6, 8, THUD_AGAINST_SCENE_METHOD);
  assert_int_equal(thud_study_against(context, tree, &options, &whole), THUD_OK);
  options.study.progress = stop_half_way;
  assert_int_equal(thud_study_against(context, tree, &options, &stopped), THUD_OK);
  assert_int_equal(stopped.flags, THUD_STUDY_RUN_FAILED);
  assert_string_equal(stopped.message, "interrupted at level 8; the levels before are complete");
  thud_assert_equal(stopped.count, 2);
  for (size_t k = 0; k < stopped.count; k++) thud_assert_equal(stopped.rows[k].q_error, whole.rows[k].q_error);
  thud_against_free(&stopped);
  thud_against_free(&whole);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* A penalty does not come to the rigid motion when only the step is refined. */
static void a_penalty_is_flagged(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_against study;
  thud_tree *tree = read_example(context, "bouncing-particle", "simulate.lambda", "0.05");
  assert_int_equal(thud_tree_set(tree, "e", "0"), THUD_OK);
  study_tree(context, tree, levels(9, 13, THUD_STEPPING_REGULARISED), &study);
  assert_int_equal(study.flags, THUD_STUDY_NO_ORDER);
  assert_non_null(
      strstr(study.message, "only (asked for: 0.5); the error at 8192 steps is 0.394 (a penalty keeps its own error)"));
  assert_int_equal(study.rows[4].found, 0); /* a penalty has no atoms */
  thud_against_free(&study);
  thud_test_context_end(context);
}

static thud_error study_once(thud_context *context, void *user) {
  thud_tree *tree = NULL;
  thud_against study = {.count = 77};
  char path[512];
  const char *root = getenv("THUD_SOURCE_DIR");
  thud_against_options options = levels(3, 5, THUD_AGAINST_SCENE_METHOD);
  snprintf(path, sizeof path, "%s/examples/dynamics/%s.yaml", root != NULL ? root : ".", (const char *)user);
  thud_error error = thud_tree_read_file(context, path, &tree);
  if (error == THUD_OK) error = thud_study_against(context, tree, &options, &study);
  if (error == THUD_OK)
    thud_against_free(&study);
  else
    assert_int_equal(study.count, 77);
  thud_tree_destroy(tree);
  return error;
}

static void failed_allocations_are_reported(void **state) {
  (void)state;
  char names[][24] = {"bouncing-particle", "klarbring-slip"};
  for (size_t k = 0; k < 2; k++) thud_assert_greater(thud_test_sweep_allocations(study_once, names[k]), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_zeno_ball_is_compared_impact_by_impact),
      cmocka_unit_test(all_schemes_find_the_impacts_of_the_bouncing_ball),
      cmocka_unit_test(impacts_of_the_double_pendulum_converge),
      cmocka_unit_test(changes_of_mode_have_partners),
      cmocka_unit_test(friction_of_every_kind_has_partners),
      cmocka_unit_test(friction_that_depends_on_the_velocity_has_partners),
      cmocka_unit_test(smooth_motions_have_the_order_of_the_scheme),
      cmocka_unit_test(orders_are_fitted_to_powers_of_the_step),
      cmocka_unit_test(orders_are_not_fitted_to_rounding),
      cmocka_unit_test(only_even_refinements_of_case_c12_go_to_the_reference),
      cmocka_unit_test(impacts_without_any_error_are_of_infinite_order),
      cmocka_unit_test(impacts_without_partner_are_told),
      cmocka_unit_test(a_reference_that_ends_early_is_compared_so_far),
      cmocka_unit_test(studies_that_cannot_be_made_say_why),
      cmocka_unit_test(a_stopped_study_keeps_the_levels_that_are_complete),
      cmocka_unit_test(a_penalty_is_flagged),
      cmocka_unit_test(failed_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
