/* The start of event-driven motions: what is open, moving or slipping is so in whatever units; accepted violations are
 * taken away. */
#include "events.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>

static noted_run run;

/* A ball with friction on a floor; y first. */
static const char *const slip[] = {"x'"};
static const thud_test_system ball = {
    .coordinates = {"y", "x"},
    .kinetic_energy = "(y'^2 + x'^2)/2",
    .potential_energy = "9.81*y",
    .constraints = {{.name = "floor", .source = "y", .restitution = "0.8"}},
    .friction = {
        {.name = "friction", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .mu = "0.1", .slip = slip}}};

static void start_ball(double y, double dy, double dx) {
  const double q0[] = {y, 0}, v0[] = {dy, dx};
  run = (noted_run){0};
  thud_test_event_run_to(&ball, 6, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.moved, 0);
}

static void slow_slip_is_slip_and_stops(void **state) {
  (void)state;
  start_ball(0, 0, 5e-9);
  assert_int_equal(run.first_mode[0], THUD_CONTACT_SLIDING);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
  thud_test_assert_near(run.event[0].event.t, 5e-9 / 0.981, 1e-20);
  thud_test_assert_near(run.end_q[1], 5e-9 * 5e-9 / (2 * 0.981), 1e-28);
  thud_assert_equal(run.end_v[1], 0);
}

/* Throws upwards with v last 2v/g (1 + e + e^2 ...) = 10 v/g. */
static void slow_approach_and_slow_throw_are_impacts(void **state) {
  (void)state;
  const double v = 5e-9;
  start_ball(0, -v, 0);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_IMPACT);
  thud_assert_equal(run.event[0].event.t, 0);
  thud_test_assert_near(run.event[0].after[0], 0.8 * v, 1e-24);
  assert_int_equal(run.event[run.events - 1].event.kind, THUD_EVENT_ZENO);
  thud_test_assert_near(run.event[run.events - 1].event.t, 8 * v / 9.81, 1e-12 * v);
  thud_test_assert_near(run.end_q[0], 0, 6 * 1e-14 * v);
  start_ball(0, v, 0);
  thud_test_assert_near(run.event[0].event.t, 2 * v / 9.81, 1e-15 * v);
  thud_test_assert_near(run.event[run.events - 1].event.t, 10 * v / 9.81, 1e-12 * v);
}

static void narrow_gap_is_open(void **state) {
  (void)state;
  const double h = 5e-9;
  start_ball(h, 0, 0);
  assert_int_equal(run.first_mode[0], THUD_CONTACT_OPEN);
  thud_test_assert_near(run.event[0].event.t, sqrt(2 * h / 9.81), 1e-19);
  thud_test_assert_near(run.event[0].before[0], -sqrt(2 * h * 9.81), 1e-17);
}

/* A slot that is narrower than the tolerance is not a pair of closed contacts that press on each other. */
static void ball_in_a_narrow_slot_flies_between_its_walls(void **state) {
  (void)state;
  const thud_test_system slot = {.coordinates = {"x"},
                                 .kinetic_energy = "x'^2/2",
                                 .constraints = {{.name = "left", .source = "x", .restitution = "1"},
                                                 {.name = "right", .source = "4e-9 - x", .restitution = "1"}}};
  const double q0 = 1e-9, v0 = 1e-9;
  run = (noted_run){0};
  thud_test_event_run_to(&slot, 12, &q0, &v0, &run);
  assert_int_equal(run.info.impacts, 3);
  for (int k = 0; k < 3; k++) thud_test_assert_near(run.event[k].event.t, 3 + 4 * k, 1e-13);
}

/* C2 (general Zeno) with sliding friction, in units of length and time from 1e-9 to 1e9. */
static void units_do_not_change_the_motion(void **state) {
  (void)state;
  const double units[] = {1e-9, 1, 1e9}, flight = sqrt(2 / 9.81);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double length = units[a], time = units[b], speed = length / time;
      char potential[40];
      thud_test_system scaled = ball;
      snprintf(potential, sizeof potential, "%.17g*y", 9.81 * speed / time);
      scaled.potential_energy = potential;
      const double q0[] = {length, 0}, v0[] = {0, 5 * speed};
      run = (noted_run){0};
      thud_test_event_run_to(&scaled, 6 * time, q0, v0, &run);
      assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
      for (int k = 0; k < 5; k++) {
        assert_int_equal(run.event[k].event.kind, THUD_EVENT_IMPACT);
        thud_test_assert_near(run.event[k].event.t / time, flight * (1 + 8 * (1 - pow(0.8, k))), 1e-13);
        thud_test_assert_near(run.event[k].before[0] / speed, -9.81 * flight * pow(0.8, k), 1e-12);
      }
      int limit = 0;
      while (limit < run.events && run.event[limit].event.kind != THUD_EVENT_ZENO) limit++;
      thud_assert_less(limit, run.events);
      thud_test_assert_near(run.event[limit].event.t / time, 9 * flight, 1e-12);
      thud_test_assert_near(run.event[limit].total[0] / speed, 9 * 9.81 * flight, 1e-10);
      thud_test_assert_near(run.end_q[0] / length, 0, 1e-13);
      /* Friction takes 0.1 of the normal impulses from x', then 0.981 a second. */
      double slips = 5 - 0.1 * 9 * 9.81 * flight;
      assert_int_equal(run.event[run.events - 1].event.kind, THUD_EVENT_STICK);
      thud_test_assert_near(run.event[run.events - 1].event.t / time, 9 * flight + slips / 0.981, 1e-11);
      thud_test_assert_near(run.end_v[1] / speed, 0, 1e-13);
    }
}

/* ---- violations -------------------------------------------------------------------------------------------------- */

static void accepted_penetration_is_taken_away_and_told(void **state) {
  (void)state;
  const double q0[] = {-5e-9, 2}, v0[] = {0, 0};
  run = (noted_run){0};
  thud_test_event_run_to(&ball, 6, q0, v0, &run);
  assert_int_equal(run.info.moved, 1);
  assert_int_equal(run.info.moved_constraint, 0);
  thud_test_assert_near(run.info.moved_violation, 5e-9, 1e-24);
  thud_assert_equal(run.end_q[0], 0);
  thud_assert_equal(run.end_q[1], 2);
  thud_test_assert_near(run.last_reaction[0], 9.81, 1e-14);
}

/* A pendulum off its circle comes back by the shortest way in the kinetic metric, M = diag(1, 4): q and v. */
static void accepted_violations_of_equations_are_taken_away(void **state) {
  (void)state;
  const thud_test_system pendulum = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + 4*y'^2)/2",
      .constraints = {{.name = "rod", .source = "x^2 + y^2 - 1", .kind = THUD_CONSTRAINT_BILATERAL}}};
  const double g = 8e-5, q0[] = {0.6, 0.8 + 5e-5}, v0[] = {0.8, -0.6};
  thud_event_options options = thud_event_options_default();
  options.initial_tolerance = 1e-3;
  options.end = 1;
  const double time = 0;
  run = (noted_run){.samples = 1, .sample_times = &time};
  thud_test_event_run(&pendulum, &options, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.moved, 1);
  double x = run.sample_q[0][0], y = run.sample_q[0][1], dx = run.sample_v[0][0], dy = run.sample_v[0][1];
  thud_test_assert_near(x * x + y * y, 1, 4e-16);
  thud_test_assert_near(x * dx + y * dy, 0, 4e-16);
  /* The way is along M^-1 grad, grad = 2 (0.6, 0.8): g M^-1 grad/(grad M^-1 grad). */
  double length = 1.2 * 1.2 + 1.6 * 1.6 / 4;
  thud_test_assert_near(x - q0[0], -g * 1.2 / length, 1e-8);
  thud_test_assert_near(y - q0[1], -g * 1.6 / 4 / length, 1e-8);
}

/* Rounding errors of the initial state are none that would have to be reported, and what is closed stays closed. */
static void rounding_is_no_violation(void **state) {
  (void)state;
  const thud_test_system slope = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .potential_energy = "9.81*y",
      .constraints = {{.name = "slope", .source = "y - 0.1*x - 0.7", .restitution = "0.5"}}};
  for (int k = 0; k < 20; k++) {
    const double q0[] = {k / 3.0, k / 30.0 + 0.7}, v0[] = {k / 7.0, k / 70.0};
    run = (noted_run){0};
    thud_test_event_run_to(&slope, 1, q0, v0, &run);
    assert_int_equal(run.info.moved, 0);
    assert_int_equal(run.events, 0);
    assert_int_equal(run.first_mode[0], THUD_CONTACT_LASTING);
  }
}

/* Three feet of a bar in a plane, of which two decide: the middle one sinks in, the bar rises as little as possible and
 * rests on what it can. */
static void dependent_contacts_leave_no_violation(void **state) {
  (void)state;
  const thud_test_system bar = {.coordinates = {"y", "a"},
                                .kinetic_energy = "(y'^2 + a'^2)/2",
                                .potential_energy = "y",
                                .constraints = {{.name = "left", .source = "y - a", .restitution = "0"},
                                                {.name = "right", .source = "y + a", .restitution = "0"},
                                                {.name = "middle", .source = "y - 5e-9", .restitution = "0"}}};
  const double q0[] = {0, 0}, v0[] = {0, 0};
  run = (noted_run){0};
  thud_test_event_run_to(&bar, 1, q0, v0, &run);
  assert_int_equal(run.info.moved, 1);
  assert_int_equal(run.info.moved_constraint, 2);
  thud_test_assert_near(run.end_q[0], 5e-9, 1e-22);
  thud_test_assert_near(run.end_q[1], 0, 1e-22);
  assert_int_equal(run.first_mode[0], THUD_CONTACT_OPEN);
  assert_int_equal(run.first_mode[2], THUD_CONTACT_LASTING);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slow_slip_is_slip_and_stops),
      cmocka_unit_test(slow_approach_and_slow_throw_are_impacts),
      cmocka_unit_test(narrow_gap_is_open),
      cmocka_unit_test(ball_in_a_narrow_slot_flies_between_its_walls),
      cmocka_unit_test(units_do_not_change_the_motion),
      cmocka_unit_test(accepted_penetration_is_taken_away_and_told),
      cmocka_unit_test(accepted_violations_of_equations_are_taken_away),
      cmocka_unit_test(rounding_is_no_violation),
      cmocka_unit_test(dependent_contacts_leave_no_violation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
