/* Right accumulations of impacts: where they cannot be excluded a run says so. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static noted_run *run_force(const char *force, double end, double q0, double v0) {
  static noted_run run;
  thud_test_system system = thud_test_bouncing_particle;
  system.forces[0] = force;
  run = (noted_run){0};
  thud_test_event_run_to(&system, end, &q0, &v0, &run);
  return &run;
}

static void a_break_at_a_contact_without_force_is_noted(void **state) {
  (void)state;
  /* Nothing acts until 1; then the force grows like (t - 1)^2 and presses. q = 0 is the motion found. */
  const noted_run *run = run_force("if(t < 1, 0, (t - 1)^2)", 3, 0, 0);
  assert_int_equal(run->info.status, THUD_EVENT_COMPLETED);
  assert_int_equal(run->info.right_accumulations, 1);
  assert_int_equal(run->info.right_accumulation_constraint, 0);
  thud_test_assert_near(run->info.right_accumulation_time, 1, 1e-13);
  thud_test_assert_near(run->end_q[0], 0, 0);
  thud_test_assert_near(run->last_reaction[0], 4, 1e-12);
}

static void a_force_that_comes_up_at_any_break_is_decided_at_its_order(void **state) {
  (void)state;
  /* Where the time of the break is met to the last bit only, (t - b)^2 is not 0 but rounding. */
  static noted_run run;
  thud_test_system system = thud_test_bouncing_particle;
  thud_event_options options = thud_event_options_default();
  const double start[] = {0, 0};
  char force[100];
  options.start = 0.3;
  for (int k = 2; k <= 41; k++) {
    double b = sqrt(k);
    snprintf(force, sizeof force, "if(t^2 < %d, 0, (t - sqrt(%d))^2)", k, k);
    system.forces[0] = force;
    options.end = b + 1;
    run = (noted_run){0};
    thud_test_event_run(&system, &options, start, start, &run);
    assert_int_equal(run.info.status, THUD_EVENT_COMPLETED);
    assert_int_equal(run.events, 1);
    assert_int_equal(run.event[0].mode_after[0], THUD_CONTACT_LASTING);
    assert_int_equal(run.event[0].order[0], 2);
    assert_int_equal(run.info.right_accumulations, 1);
    thud_test_assert_near(run.info.right_accumulation_time, b, 1e-15 * b);
  }
}

static void a_start_on_a_break_is_noted(void **state) {
  (void)state;
  const noted_run *run = run_force("t*abs(t)", 1, 0, 0);
  assert_int_equal(run->info.status, THUD_EVENT_COMPLETED);
  assert_int_equal(run->info.right_accumulations, 1);
  thud_test_assert_near(run->info.right_accumulation_time, 0, 0);
}

static void what_excludes_it_is_not_noted(void **state) {
  (void)state;
  /* Pressed from the first instant on, lifted from the first instant on, in the air, and without breaks. */
  const char *const forces[] = {"if(t < 1, 1, 2)", "if(t < 1, 1, -1)", "t^2"};
  for (int k = 0; k < 3; k++) {
    const noted_run *run = run_force(forces[k], 2, 0, 0);
    assert_int_equal(run->info.status, THUD_EVENT_COMPLETED);
    assert_int_equal(run->info.right_accumulations, 0);
    assert_int_equal(run->info.right_accumulation_constraint, -1);
  }
  assert_int_equal(run_force("if(t < 1, 0, 2*(t - 1))", 1.5, -1, 0)->info.right_accumulations, 0);
}

static void a_start_without_power_series_says_what_that_means(void **state) {
  (void)state;
  /* exp(-1/t^2) is smooth at 0 and has no power series there. */
  const noted_run *run = run_force("exp(-1/t^2)", 1, 0, 0);
  assert_int_equal(run->info.status, THUD_EVENT_BAD_DATA);
  assert_int_equal(run->info.right_accumulations, 1);
  assert_non_null(strstr(run->message, "contact 'floor' is closed at rest"));
  assert_non_null(strstr(run->message, "right accumulation"));
  assert_non_null(strstr(run->message, "no power series"));
  /* In the air it is bad data and nothing else. */
  run = run_force("exp(-1/t^2)", 1, -1, 0);
  assert_int_equal(run->info.status, THUD_EVENT_BAD_DATA);
  assert_int_equal(run->info.right_accumulations, 0);
  assert_null(strstr(run->message, "right accumulation"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_break_at_a_contact_without_force_is_noted),
      cmocka_unit_test(a_force_that_comes_up_at_any_break_is_decided_at_its_order),
      cmocka_unit_test(a_start_on_a_break_is_noted),
      cmocka_unit_test(what_excludes_it_is_not_noted),
      cmocka_unit_test(a_start_without_power_series_says_what_that_means),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
