/* Surfaces across which the potential energy, the masses or gaps jump: limits of steep smooth data. */
#include "events.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static noted_run run;

static void go(const thud_test_system *system, double end, const double *q0, const double *v0) {
  run = (noted_run){0};
  thud_test_event_run_to(system, end, q0, v0, &run);
}

/* x' = 1 at a step of height V at x = 1: across it with sqrt(1 - 2 V), or back. Down again by symmetry. */
static void steps_of_the_potential_are_crossed_or_not(void **state) {
  (void)state;
  const struct {
    const char *potential;
    double velocity;
  } steps[] = {{"0.3*step(x - 1)", 0.63245553203367586640}, /* sqrt(0.4) */
               {"-1.5*step(x - 1)", 2},
               {"10*step(x - 1)", -1},
               {"0.5000001*step(x - 1)", -1},
               {"0.4999999*if(x < 1, 0, 1)", 4.4721359549995793928e-4}, /* sqrt(2e-7) */
               {"0.3*step(1 - x)", 1.2649110640673517328}};
  const double q0 = 0, v0 = 1;
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    const thud_test_system one = {
        .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .potential_energy = steps[k].potential};
    go(&one, 3, &q0, &v0);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, 1);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_SWITCH);
    thud_test_assert_near(run.event[0].event.t, 1, 1e-15);
    thud_test_assert_near(run.end_v[0], steps[k].velocity, 1e-12 / fabs(steps[k].velocity));
    thud_test_assert_near(run.end_q[0], 1 + 2 * run.end_v[0], 1e-14);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-15);
  }
}

/* Mass 1 before x = 1, 4 behind it: T stays. With a potential of two coordinates momentum along the surface stays. */
static void steps_of_the_mass_keep_energy_and_momentum_along_the_surface(void **state) {
  (void)state;
  const thud_test_system heavy = {.coordinates = {"x"}, .kinetic_energy = "(1 + 3*step(x - 1))*x'^2/2"};
  const double q0[] = {0, 0}, v0[] = {1, 0.5};
  go(&heavy, 3, q0, v0);
  thud_test_assert_near(run.end_v[0], 0.5, 1e-15);
  const thud_test_system both = {.coordinates = {"x", "y"},
                                 .kinetic_energy = "(1 + 3*step(x + 2*y - 1))*(x'^2 + 2*y'^2 + 0.4*x'*y')/2",
                                 .potential_energy = "0.1*step(x + 2*y - 1)"};
  go(&both, 3, q0, v0);
  assert_int_equal(run.events, 1);
  const noted_event *note = &run.event[0];
  /* p = m (x' + 0.2 y', 0.2 x' + 2 y'); along the surface (2, -1) */
  double before = 2 * (v0[0] + 0.2 * v0[1]) - (0.2 * v0[0] + 2 * v0[1]);
  double after = 4 * (2 * (note->after[0] + 0.2 * note->after[1]) - (0.2 * note->after[0] + 2 * note->after[1]));
  thud_test_assert_near(after, before, 1e-14);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-15);
}

/* A step that moves, and its smooth neighbours 1 + tanh(s/w): the difference falls with w. */
static void moving_steps_are_limits_of_steep_data(void **state) {
  (void)state;
  const char *potentials[] = {"0.6*step(x + 0.2*y - 1 - 0.3*t)", "0.3*(1 + tanh((x + 0.2*y - 1 - 0.3*t)/1e-3))",
                              "0.3*(1 + tanh((x + 0.2*y - 1 - 0.3*t)/1e-4))"};
  const double q0[] = {0, 0}, v0[] = {1.5, 0.4};
  double q[3][2], v[3][2], work[3];
  for (size_t k = 0; k < 3; k++) {
    const thud_test_system system = {.coordinates = {"x", "y"},
                                     .kinetic_energy = "(2*x'^2 + y'^2 + 0.6*x'*y')/2",
                                     .potential_energy = potentials[k]};
    go(&system, 4, q0, v0);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    memcpy(q[k], run.end_q, sizeof q[k]);
    memcpy(v[k], run.end_v, sizeof v[k]);
    work[k] = run.info.ledger.work;
    thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
  }
  for (size_t i = 0; i < 2; i++) {
    thud_test_assert_near(v[1][i], v[0][i], 1e-10);
    thud_test_assert_near(v[2][i], v[0][i], 1e-10);
    thud_test_assert_near(q[2][i], q[0][i], 1e-4);
    thud_test_assert_near((q[2][i] - q[0][i]) / (q[1][i] - q[0][i]), 0.1, 1e-3);
  }
  thud_test_assert_near(work[1], work[0], 1e-10);
}

/* A potential that jumps with time does work and leaves the motion alone. */
static void steps_in_time_do_work(void **state) {
  (void)state;
  const thud_test_system system = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .potential_energy = "(2 + x)*step(t - 1)"};
  const double q0 = 0.5, v0 = 1;
  go(&system, 2, &q0, &v0);
  thud_test_assert_near(run.end_v[0], 0, 1e-15); /* force -1 from t = 1 on */
  thud_test_assert_near(run.info.ledger.work, 3.5, 1e-14);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-14);
}

/* Stairs: one impact on each. Shut by a jump: said. */
static void gaps_may_jump_open_and_not_shut(void **state) {
  (void)state;
  const double e = 0.6, h = 0.2, g = 9.81, T = sqrt(2 * h / g * (1 + e) / (1 - e));
  const thud_test_system stairs = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .potential_energy = "9.81*y",
      .constraints = {{.name = "stairs", .source = "y + 0.2*floor(x)", .restitution = "0.6"}}};
  double q0[] = {0.5, 0}, v0[] = {1 / T, e * g * T / (1 + e)};
  go(&stairs, 10.25 * T, q0, v0);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.impacts, 10);
  thud_test_assert_near(run.end_q[1], -10 * h + v0[1] * T / 4 - g * T * T / 32, 1e-12);
  thud_test_assert_near(run.info.ledger.impact_loss, 10 * g * h, 1e-11);
  const thud_test_system trap = {.coordinates = {"x", "y"},
                                 .kinetic_energy = "(x'^2 + y'^2)/2",
                                 .constraints = {{.name = "trap", .source = "y - 2*step(x - 1)"}}};
  q0[1] = 1;
  v0[0] = 1;
  v0[1] = 0;
  go(&trap, 3, q0, v0);
  assert_int_equal(run.info.status, THUD_MOTION_KINK);
  assert_non_null(strstr(run.message, "the gap 'trap' jumps shut, from 1 to -1"));
}

/* A force -3 sign(y') beside gravity 10: 7 on the way down, 13 on the way up. Each impact turns the switch. */
static void switches_on_velocities_turn_with_impacts(void **state) {
  (void)state;
  const thud_test_system brake = {.coordinates = {"y"},
                                  .kinetic_energy = "y'^2/2",
                                  .forces = {"-10 - 3*sign(y')"},
                                  .constraints = {{.name = "floor", .source = "y", .restitution = "0.5"}}};
  const double start = 1, rest = 0, inwards = -1, down = 7, up = 13, e = 0.5;
  double t = sqrt(2 / down), speed = sqrt(2 * down);
  int impacts = 0;
  go(&brake, 1, &start, &rest);
  for (int k = 0; k < run.events; k++) {
    if (run.event[k].event.kind != THUD_EVENT_IMPACT) continue;
    thud_test_assert_near(run.event[k].event.t, t, 1e-13);
    thud_test_assert_near(run.event[k].before[0], -speed, 1e-12);
    t += e * speed / up + e * speed / sqrt(up * down);
    speed *= e * sqrt(down / up);
    impacts++;
  }
  thud_assert_greater(impacts, 2);
  /* v' = -|v| v from y = 1 with -1: |v| = 1/(1 + t) all the time, also across the wall with e = 1. */
  const thud_test_system drag = {.coordinates = {"y"},
                                 .kinetic_energy = "y'^2/2",
                                 .forces = {"-abs(y')*y'"},
                                 .constraints = {{.name = "wall", .source = "y", .restitution = "1"}}};
  go(&drag, 4, &start, &inwards);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], log(5) - 1, 1e-13);
  thud_test_assert_near(run.end_v[0], 0.2, 1e-14);
}

/* A force that depends on whether the body touches the floor, on which it rests: x(2) = 2 where it does. */
static void switches_of_bodies_at_rest_have_their_values_at_zero(void **state) {
  (void)state;
  const char *forces[] = {"if(y > 0, 0, 1)", "if(y <= 0, 1, 0)", "step(-y)", "1 - (y > 0)"};
  const double q0[] = {0, 0};
  for (size_t k = 0; k < sizeof forces / sizeof *forces; k++) {
    const thud_test_system system = {.coordinates = {"x", "y"},
                                     .kinetic_energy = "(x'^2 + y'^2)/2",
                                     .forces = {forces[k], "-10"},
                                     .constraints = {{.name = "floor", .source = "y"}}};
    go(&system, 2, q0, q0);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    thud_test_assert_near(run.end_q[0], 2, 1e-14);
  }
}

/* Forces of 1e11 and 10 on two bodies: the weaker contact is below the decision tolerance. It must not fall unseen. */
static void contacts_that_are_not_decided_do_not_open_unseen(void **state) {
  (void)state;
  const thud_test_system two = {.coordinates = {"a", "b"},
                                .kinetic_energy = "(a'^2 + b'^2)/2",
                                .potential_energy = "1e11*a + 10*b",
                                .constraints = {{.name = "fa", .source = "a"}, {.name = "fb", .source = "b"}}};
  const double at[] = {0, 0};
  thud_event_options options = thud_event_options_default();
  options.end = 3;
  run = (noted_run){0};
  thud_test_event_run(&two, &options, at, at, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNDECIDED);
  assert_non_null(strstr(run.message, "the gap 'fb' is -45"));
  options.decision_tolerance = 1e-14;
  run = (noted_run){0};
  thud_test_event_run(&two, &options, at, at, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_assert_equal(run.end_q[1], 0);
}

/* sign(0) = 0 is the value of neither side: said where it makes a difference. */
static void signs_of_what_rests_at_zero_are_refused(void **state) {
  (void)state;
  thud_test_system block = {.coordinates = {"y"},
                            .kinetic_energy = "y'^2/2",
                            .forces = {"-10 - 3*sign(y)"},
                            .constraints = {{.name = "floor", .source = "y"}}};
  const double at = 0, rest = 0;
  go(&block, 1, &at, &rest);
  assert_int_equal(run.info.status, THUD_MOTION_KINK);
  assert_non_null(strstr(run.message, "the argument of 'sign' in the force of coordinate 'y' (column 9) rests at 0"));
  block.forces[0] = "-10 - 3*sign(y')*y'^2";
  go(&block, 1, &at, &rest);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.last_reaction[0], 10, 1e-14);
  block.forces[0] = "-10 - 3*if(y < 0, -1, 1)";
  go(&block, 1, &at, &rest);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.last_reaction[0], 13, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_the_potential_are_crossed_or_not),
      cmocka_unit_test(steps_of_the_mass_keep_energy_and_momentum_along_the_surface),
      cmocka_unit_test(moving_steps_are_limits_of_steep_data),
      cmocka_unit_test(steps_in_time_do_work),
      cmocka_unit_test(gaps_may_jump_open_and_not_shut),
      cmocka_unit_test(switches_on_velocities_turn_with_impacts),
      cmocka_unit_test(switches_of_bodies_at_rest_have_their_values_at_zero),
      cmocka_unit_test(signs_of_what_rests_at_zero_are_refused),
      cmocka_unit_test(contacts_that_are_not_decided_do_not_open_unseen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
