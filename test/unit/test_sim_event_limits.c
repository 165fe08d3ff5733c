/* Adversarial scenes: every run ends with a verdict, within its limits. */
#include "events.h"
#include "sample_systems.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static noted_run run;

static void start(const thud_test_system *system, const thud_event_options *options, const double *q, const double *v) {
  run = (noted_run){0};
  thud_test_event_run(system, options, q, v, &run);
}

static thud_event_options until(double end) {
  thud_event_options options = thud_event_options_default();
  options.end = end;
  return options;
}

/* One free coordinate under a force. */
static thud_test_system free_particle(const char *force) {
  return (thud_test_system){.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {force}};
}

/* A particle in the plane over one gap. */
static thud_test_system plane_particle(const char *gap) {
  return (thud_test_system){.coordinates = {"x", "y"},
                            .kinetic_energy = "(x'^2 + y'^2)/2",
                            .constraints = {{.name = "edge", .source = gap, .restitution = "0.5"}}};
}

static void assert_stopped(thud_motion_status status, double t, const char *reason) {
  assert_int_equal(run.info.status, status);
  thud_test_assert_near(run.info.time, t, 1e-13);
  if (strstr(run.message, reason) == NULL) fail_msg("'%s' does not say '%s'", run.message, reason);
}

/* ---- switches ---------------------------------------------------------------------------------------------------- */

static void dry_friction_written_as_a_force_ends_where_it_would_stick(void **state) {
  (void)state;
  const char *const forces[] = {"if(q' > 0, -1, 1)", "-sign(q')", "1 - 2*step(q')"};
  const double q = 0, v = 1;
  const thud_event_options options = until(3);
  for (int k = 0; k < 3; k++) {
    const thud_test_system system = free_particle(forces[k]);
    start(&system, &options, &q, &v);
    assert_stopped(THUD_MOTION_KINK, 1, "write dry friction as a friction law");
    thud_test_assert_near(run.end_q[0], 0.5, 1e-13);
  }
  /* 0/0 is not a switch but the end of the data. */
  const thud_test_system singular = free_particle("-q'/abs(q')");
  start(&singular, &options, &q, &v);
  assert_stopped(THUD_MOTION_STEP_TOO_SMALL, 1,
                 "the step of the power series vanishes at t = 1: the motion has a singularity there, "
                 "or a force changes faster than time resolves");
}

/* The velocity crosses the width of the force, 1e-8, within 1e-16 s: no arc follows that, and none says it does. */
static void a_force_faster_than_time_ends_the_run(void **state) {
  (void)state;
  const double q = 1e7, v = 0;
  const thud_event_options options = until(2);
  const thud_test_system system = free_particle("-1e9 + 1e8*tanh((q' + 1e9)/1e-8)");
  start(&system, &options, &q, &v);
  assert_stopped(THUD_MOTION_STEP_TOO_SMALL, 10.0 / 9, "a force changes faster than time resolves");
}

static void a_switch_on_velocity_that_is_crossed_is_an_event(void **state) {
  (void)state;
  const double q = 0, v = 1;
  const thud_event_options options = until(3);
  const thud_test_system system = free_particle("if(q' > 0, -1, -2)");
  start(&system, &options, &q, &v);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.switches, 1);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-15);
  thud_test_assert_near(run.end_q[0], 0.5 - 4, 1e-13);
  thud_test_assert_near(run.end_v[0], -4, 1e-14);
}

/* The twisting law: each swing is a third of the one before, and the switches accumulate at a finite time where the
 * motion comes to rest on both. */
static void switches_that_accumulate_end_with_a_verdict(void **state) {
  (void)state;
  const double q = 1, v = 0;
  const thud_event_options options = until(100);
  const thud_test_system system = free_particle("-2*sign(q) - sign(q')");
  start(&system, &options, &q, &v);
  assert_int_equal(run.info.status, THUD_MOTION_KINK);
  assert_non_null(strstr(run.message,
                         ": no branch goes on consistently where 'sign' in the force of coordinate 'q' changes its "
                         "branch (column 4): the motion would have to stay on the switch (write dry friction as a "
                         "friction law, a gap with a corner as two constraints)"));
  /* One swing from amplitude A: under the force 1 to q = 0 in sqrt(2 A), then against the force 3 in sqrt(2 A)/3 to the
   * amplitude A/3; the times have the ratio 1/sqrt 3. */
  double swing = sqrt(2) + sqrt(2) / 3;
  thud_test_assert_near(run.info.time, swing / (1 - 1 / sqrt(3)), 1e-7); /* the rest of 1e-16 takes 1e-8 */
  thud_assert_less(fabs(run.end_q[0]), 1e-15);
}

/* ---- gaps with corners ------------------------------------------------------------------------------------------- */

static void corners_of_gaps_are_refused_where_they_are_reached(void **state) {
  (void)state;
  const thud_event_options options = until(2);
  const double above[] = {0, 1}, down[] = {0, -1}, aside[] = {-0.5, 1}, slanting[] = {1, -2};
  const char *const gaps[] = {"y - abs(x)", "min(y - x, y + x)", "y + abs(x)"};
  const char *const reasons[] = {"a gap with a corner as two constraints", "a gap with a corner as two constraints",
                                 "the motion is not unique"};
  for (int k = 0; k < 3; k++) {
    const thud_test_system system = plane_particle(gaps[k]);
    start(&system, &options, above, down);
    assert_stopped(THUD_MOTION_KINK, 1, reasons[k]);
    assert_non_null(strstr(run.message, "constraint 'edge'"));
    start(&system, &options, aside, slanting);
    assert_stopped(THUD_MOTION_KINK, 0.5, reasons[k]);
  }
}

static void gaps_that_jump_shut_are_refused(void **state) {
  (void)state;
  const thud_event_options options = until(2);
  const thud_test_system system = plane_particle("if(x < 0.25, y, y - 1/4)");
  const double along[] = {1, 0};
  for (int k = 0; k < 2; k++) {
    const double q[] = {0, 0.1 * k};
    start(&system, &options, q, along);
    assert_stopped(THUD_MOTION_KINK, 0.25,
                   k == 0 ? "t = 0.25: the gap 'edge' jumps shut, from 0 to -0.25, where an expression changes its "
                            "branch: no velocity leads there; write the wall as a constraint of its own"
                          : "t = 0.25: the gap 'edge' jumps shut, from 0.1 to -0.15, where an expression changes its "
                            "branch: no velocity leads there; write the wall as a constraint of its own");
  }
}

static void corners_that_leave_one_way_on_are_passed(void **state) {
  (void)state;
  const thud_event_options options = until(2);
  const double q[] = {-1, 0}, v[] = {1, 0};
  /* Along the floor into a ramp of 45 degrees, e = 1/2. */
  thud_test_system system = plane_particle("y - max(0, x)");
  start(&system, &options, q, v);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 0.25, 1e-13);
  thud_test_assert_near(run.end_q[1], 0.75, 1e-13);
  /* Over the edge where the floor falls away. */
  system = plane_particle("y + max(0, x)");
  system.forces[1] = "-1";
  start(&system, &options, q, v);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 1, 1e-13);
  thud_test_assert_near(run.end_q[1], -0.5, 1e-13);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static void limits_of_the_options_end_runs(void **state) {
  (void)state;
  const double q = -1, v = 0;
  thud_event_options options = until(4);
  options.max_events = 10;
  start(&thud_test_bouncing_particle, &options, &q, &v);
  assert_stopped(THUD_MOTION_TOO_MANY, 3 - exp2(-8),
                 ": more than 10 events (max_events); impacts seem to accumulate here");
  options = until(4);
  options.max_steps = 10;
  start(&thud_test_bouncing_particle, &options, &q, &v);
  assert_stopped(THUD_MOTION_TOO_MANY, 3 - exp2(-8), ": more than 10 steps; impacts seem to accumulate here");
  options = until(4);
  options.zeno = false;
  options.max_same_time = 20;
  start(&thud_test_bouncing_particle, &options, &q, &v);
  assert_stopped(THUD_MOTION_TOO_MANY, 3,
                 "more than 20 events one after the other at the same time (max_same_time); "
                 "impacts accumulate here, which zeno: true closes");
}

static void impacts_without_a_common_ratio_come_to_rest(void **state) {
  (void)state;
  const double q = -1, v = 0;
  const thud_event_options options = until(10);
  const char *const restitutions[] = {"0.5 + 0.3*sin(50*t)", "0.5 + 0.3*sin(1e6*t)", "0.5 + 0.3*sin(1e13*t)",
                                      "if(sin(1e7*t) > 0, 0.2, 0.8)", "if(sin(1/(3.0001 - t)) > 0, 0.2, 0.8)"};
  for (int k = 0; k < 5; k++) {
    thud_test_system system = thud_test_bouncing_particle;
    system.constraints[0].restitution = restitutions[k];
    start(&system, &options, &q, &v);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.info.zeno_limits, 1);
    thud_test_assert_near(run.end_q[0], 0, 1e-13);
    thud_test_assert_near(run.last_reaction[0], 2, 1e-12);
    thud_test_assert_near(run.info.ledger.impact_loss, 2, 1e-12);
    /* Between the times for e = 0.2 and e = 0.8 throughout. */
    double rest = run.event[run.events - 1].event.t;
    thud_assert_greater(rest, 1.5);
    thud_assert_less(rest, 9);
  }
}

static void impacts_that_follow_each_other_too_closely_reach_the_limit(void **state) {
  (void)state;
  const double widths[] = {1e-14, 1e-7}, v = 1;
  const char *const walls[] = {"1e-14 - q", "1e-7 - q"};
  thud_event_options options = until(1);
  options.max_events = 300;
  options.initial_tolerance = 1e-16;
  for (int k = 0; k < 2; k++) {
    const thud_test_system system = {.coordinates = {"q"},
                                     .kinetic_energy = "q'^2/2",
                                     .constraints = {{.name = "left", .source = "q", .restitution = "1"},
                                                     {.name = "right", .source = walls[k], .restitution = "1"}}};
    const double q = widths[k] / 2;
    start(&system, &options, &q, &v);
    assert_int_equal(run.info.status, THUD_MOTION_TOO_MANY);
    assert_int_equal(run.info.impacts, 300);
    thud_test_assert_near(run.info.time, 299.5 * widths[k], 1e-12 * widths[k] + 1e-25);
    thud_test_assert_near(fabs(run.end_v[0]), 1, 0);
  }
}

/* A ball over y = 0 whose gap is written in several ways. */
static void gaps_without_gradient_where_they_close_are_refused(void **state) {
  (void)state;
  const char *const bad[] = {"y^3", "y^2", "1e-12*y^3", "1e9*(x^2 + 1)*y^4"};
  const char *const good[] = {"y", "1e-12*y", "1e12*y", "exp(y) - 1", "y^3 + y", "y*(2 + cos(x))"};
  const double q[] = {0, 1}, v[] = {1, 0};
  const thud_event_options options = until(1.5);
  for (int k = 0; k < 10; k++) {
    thud_test_system system = plane_particle(k < 4 ? bad[k] : good[k - 4]);
    system.forces[1] = "-2";
    start(&system, &options, q, v);
    if (k >= 4) assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    if (k >= 4) continue;
    assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
    if (strstr(run.message, "the gradient of constraint 'edge' is 0") == NULL) fail_msg("%s", run.message);
  }
}

/* Impacts that point to a limit at which the contact does not last, because the force has turned round shortly before:
 * they are not accumulation, and the motion is the one without the look at limits. */
static void limits_at_which_contacts_part_are_refused(void **state) {
  (void)state;
  thud_test_system particle = free_particle("2*tanh(1000*(2.99 - t))");
  const double q0 = -1, v0 = 0;
  thud_event_options options = until(4);
  particle.constraints[0] =
      (thud_expr_constraint_def){.name = "wall", .source = "q", .is_phi = true, .restitution = "0.5"};
  options.zeno = false;
  start(&particle, &options, &q0, &v0);
  double end = run.end_q[0], speed = run.end_v[0];
  size_t impacts = run.info.impacts;
  options.zeno = true;
  options.zeno_remaining = 0.02; /* early, while the wall still is pressed on */
  options.zeno_tolerance = 1e-2;
  start(&particle, &options, &q0, &v0);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.zeno_limits, 0);
  thud_assert_at_least(impacts, 7);
  assert_int_equal(run.info.impacts, impacts);
  thud_test_assert_near(run.end_q[0], end, 1e-13);
  thud_test_assert_near(run.end_v[0], speed, 1e-13);
  thud_assert_less(end, -0.5);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
}

/* Three balls on a floor, struck one after the other: in the end the lower ones hop less high than positions are
 * rounded, which keeps them hopping from limit to limit. They come to rest. */
static void hops_below_the_rounding_of_positions_come_to_rest(void **state) {
  (void)state;
  const double q[] = {1, 1.1262808570525435, 1.3210581668457582}, v[] = {0, 0, 0};
  const char *const e = "0.7261461812340448";
  const thud_test_system system = {.coordinates = {"a", "b", "c"},
                                   .kinetic_energy = "(3*a'^2 + 2*b'^2 + c'^2)/2",
                                   .potential_energy = "9.81*(3*a + 2*b + c)",
                                   .constraints = {{.name = "floor", .source = "a", .restitution = e},
                                                   {.name = "ab", .source = "b - a - 0.1", .restitution = e},
                                                   {.name = "bc", .source = "c - b - 0.1", .restitution = e}}};
  thud_context *context = NULL;
  assert_int_equal(thud_context_create(NULL, &context), THUD_OK);
  thud_system *made = thud_test_system_make(context, &system);
  thud_event_options options = until(6);
  thud_motion *motion;
  thud_event_motion_info info;
  options.percussion.law = THUD_IMPACT_SEQUENTIAL;
  options.max_events = 10000;
  assert_int_equal(thud_event_motion_create(context, made, &options, q, v, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  const double *end_q = thud_event_motion_present(motion).q, *end_v = thud_event_motion_present(motion).v;
  for (int i = 0; i < 3; i++) {
    thud_test_assert_near(end_q[i], 0.1 * i, 1e-14);
    thud_test_assert_near(end_v[i], 0, 1e-14);
  }
  thud_assert_less(fabs(info.ledger.defect), 1e-9);
  thud_motion_destroy(motion);
  thud_system_destroy(made);
  thud_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dry_friction_written_as_a_force_ends_where_it_would_stick),
      cmocka_unit_test(a_force_faster_than_time_ends_the_run),
      cmocka_unit_test(a_switch_on_velocity_that_is_crossed_is_an_event),
      cmocka_unit_test(switches_that_accumulate_end_with_a_verdict),
      cmocka_unit_test(corners_of_gaps_are_refused_where_they_are_reached),
      cmocka_unit_test(gaps_that_jump_shut_are_refused),
      cmocka_unit_test(corners_that_leave_one_way_on_are_passed),
      cmocka_unit_test(limits_of_the_options_end_runs),
      cmocka_unit_test(impacts_without_a_common_ratio_come_to_rest),
      cmocka_unit_test(gaps_without_gradient_where_they_close_are_refused),
      cmocka_unit_test(limits_at_which_contacts_part_are_refused),
      cmocka_unit_test(impacts_that_follow_each_other_too_closely_reach_the_limit),
      cmocka_unit_test(hops_below_the_rounding_of_positions_come_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
