/* Breaks of data while contacts last, and data that leave their range. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static const double zero[3] = {0};
static noted_run run;

/* A block (mass 1, weight 10, mu 0.1) on a belt. */
static thud_test_system belt(const char *const *slip) {
  return (thud_test_system){.coordinates = {"x", "z"},
                            .kinetic_energy = "(x'^2 + z'^2)/2",
                            .forces = {"0", "-10"},
                            .constraints = {{.name = "belt", .source = "z", .restitution = "0"}},
                            .friction = {{.name = "friction",
                                          .constraint = 0,
                                          .kind = THUD_FRICTION_DISC,
                                          .directions = 1,
                                          .slip = slip,
                                          .mu = "0.1"}}};
}

/* A puck sticks on a slope, is pushed across it between two breaks, and stops again. What rounding has left of the
 * velocity of its contact is not an impact. */
static void breaks_of_a_load_are_no_impacts(void **state) {
  (void)state;
  const char *const slopes[] = {"9.81*sin(0.75)", "9.81*sin(0.3)", "9.81*sin(0.1)", "9.81*sin(0.55)"};
  const char *const weights[] = {"-9.81*cos(0.75)", "-9.81*cos(0.3)", "-9.81*cos(0.1)", "-9.81*cos(0.55)"};
  for (int k = 0; k < 4; k++) {
    const thud_test_system system = thud_test_puck(slopes[k], "if(t < 1, 0, if(t < 2, 12, 0))", weights[k], "0.97");
    run = (noted_run){0};
    thud_test_event_run_to(&system, 3, zero, zero, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.info.impacts, 0);
    assert_int_equal(run.info.switches, 2);
    thud_assert_equal(run.info.ledger.impact_loss, 0);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
    thud_test_assert_near(run.event[0].event.t, 1, 0);
    thud_test_assert_near(run.end_q[2], 0, 1e-15);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
  }
}

/* The belt starts at once with speed 1 at t = 1: the block, which did not move, slides for 1 s and is then carried. It
 * stops at t = 3: the block slides on for 1 s. The force does not change at the breaks. */
static void a_belt_whose_speed_jumps_makes_its_block_slide(void **state) {
  (void)state;
  const char *const slip[] = {"x' - if(t < 1, 0, if(t < 3, 1, 0))"};
  const thud_test_system system = belt(slip);
  const thud_event_kind kinds[] = {THUD_EVENT_SLIP, THUD_EVENT_STICK, THUD_EVENT_SLIP, THUD_EVENT_STICK};
  run = (noted_run){0};
  thud_test_event_run_to(&system, 5, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.events, 4);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(run.event[k].event.kind, kinds[k]);
    thud_test_assert_near(run.event[k].event.t, k + 1, 1e-14);
  }
  thud_test_assert_near(run.end_q[0], 0.5 + 1 + 0.5, 1e-14);
  thud_test_assert_near(run.end_v[0], 0, 1e-15);
  thud_test_assert_near(run.info.ledger.friction_loss, 0.5 + 0.5, 1e-13);
}

/* A belt that turns its direction under a sliding block: the friction turns with it. */
static void a_belt_that_turns_round_turns_the_friction(void **state) {
  (void)state;
  const char *const slip[] = {"x' - if(t < 1, 5, -5)"};
  const thud_test_system system = belt(slip);
  run = (noted_run){0};
  thud_test_event_run_to(&system, 3, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_v[0], 1 - 2, 1e-14);
  thud_test_assert_near(run.end_q[0], 0.5 + 2 - 2, 1e-14);
}

/* mu and e that leave their range are data, not laws that create energy. */
static void laws_out_of_their_range_are_bad_data(void **state) {
  (void)state;
  const double q0[] = {0, 0, 5}, v0[] = {1, 0, 0};
  thud_test_system system = thud_test_puck("0", "0", "-10", "0.5 - t");
  run = (noted_run){0};
  thud_test_event_run_to(&system, 3, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BAD_DATA);
  thud_test_assert_near(run.info.time, 1, 1e-13);
  assert_non_null(strstr(run.message, "system: the friction threshold of friction law 'friction' is -0.5 at t = 1, x = "
                                      "1, x' = 1, y = 0, y' = 0, z = 0, z' = -10; it must be >= 0"));
  system = thud_test_puck("0", "0", "-10", "0.5");
  system.constraints[0].restitution = "2*t";
  run = (noted_run){0};
  thud_test_event_run_to(&system, 3, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BAD_DATA);
  assert_non_null(strstr(run.message, "system: the restitution of constraint 'floor' is 2 at t = 1, x = 1, x' = 1, y = "
                                      "0, y' = 0, z = 0, z' = -10; it must be in [0, 1]"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(breaks_of_a_load_are_no_impacts),
      cmocka_unit_test(a_belt_whose_speed_jumps_makes_its_block_slide),
      cmocka_unit_test(a_belt_that_turns_round_turns_the_friction),
      cmocka_unit_test(laws_out_of_their_range_are_bad_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
