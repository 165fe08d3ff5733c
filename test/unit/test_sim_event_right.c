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
  assert_int_equal(run->info.status, THUD_MOTION_COMPLETED);
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
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
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
  assert_int_equal(run->info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run->info.right_accumulations, 1);
  thud_test_assert_near(run->info.right_accumulation_time, 0, 0);
}

static void what_excludes_it_is_not_noted(void **state) {
  (void)state;
  /* Pressed from the first instant on, lifted from the first instant on, in the air, and without breaks. */
  const char *const forces[] = {"if(t < 1, 1, 2)", "if(t < 1, 1, -1)", "t^2"};
  for (int k = 0; k < 3; k++) {
    const noted_run *run = run_force(forces[k], 2, 0, 0);
    assert_int_equal(run->info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run->info.right_accumulations, 0);
    assert_int_equal(run->info.right_accumulation_constraint, -1);
  }
  assert_int_equal(run_force("if(t < 1, 0, 2*(t - 1))", 1.5, -1, 0)->info.right_accumulations, 0);
}

static void a_start_without_power_series_says_what_that_means(void **state) {
  (void)state;
  /* exp(-1/t^2) is smooth at 0 and has no power series there. */
  const noted_run *run = run_force("exp(-1/t^2)", 1, 0, 0);
  assert_int_equal(run->info.status, THUD_MOTION_BAD_DATA);
  assert_int_equal(run->info.right_accumulations, 1);
  assert_non_null(strstr(run->message, "contact 'floor' is closed at rest"));
  assert_non_null(strstr(run->message, "right accumulation"));
  assert_non_null(strstr(run->message, "no power series"));
  /* In the air it is bad data and nothing else. */
  run = run_force("exp(-1/t^2)", 1, -1, 0);
  assert_int_equal(run->info.status, THUD_MOTION_BAD_DATA);
  assert_int_equal(run->info.right_accumulations, 0);
  assert_null(strstr(run->message, "right accumulation"));
}

/* C13 (Bressan; Schatzman): an elastic wall and a smooth force that never pulls, rho(x)/(2 n!) on the last part of
 * ]a_{n+1}, a_n[, here for n < COUNT. */
enum { COUNT = 6 };

static double time_of(int n) { return 8.0 / 3 / (n + 1) - 11.0 / 6 / (n + 2) + 1.0 / 6 / (n + 3); }
static double factorial(int n) { return n > 1 ? n * factorial(n - 1) : 1; }

static void write_force(char *force, size_t size) {
  char before[4000];
  snprintf(force, size, "0");
  for (int n = COUNT - 1; n >= 0; n--) {
    double begin = time_of(n + 1) + (n + 5.0) / ((n + 1) * (n + 2) * (n + 4));
    double width = 2 * (n + 5.0) / ((n + 1) * (n + 2) * (n + 3) * (n + 4));
    snprintf(before, sizeof before, "%s", force);
    /* exp(-1/y) is 0 to the last bit below y = 0.0013. */
    int length = snprintf(force, size,
                          "if(t < %.17g, %s, 142.2503757770958/(2*%g)*exp(-1/max((t - %.17g)/%.17g*(1 - (t - "
                          "%.17g)/%.17g), 0.001)))",
                          begin, before, factorial(n), begin, width, begin, width);
    assert_in_range(length, 1, (int)size - 1);
  }
}

static void both_motions_of_bressan_and_schatzman_are_followed(void **state) {
  (void)state;
  static noted_run run;
  thud_test_system system = thud_test_bouncing_particle;
  thud_event_options options = thud_event_options_default();
  char force[4000];
  const double rest = 0, leaves = -1 / factorial(COUNT + 3);
  int impacts = 0;
  write_force(force, sizeof force);
  system.forces[0] = force;
  system.constraints[0].restitution = "1";
  options.start = time_of(COUNT);
  options.end = time_of(0) + 0.1;
  run = (noted_run){0};
  thud_test_event_run(&system, &options, &rest, &leaves, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  for (int k = 0; k < run.events; k++) {
    const noted_event *event = &run.event[k];
    if (event->event.kind != THUD_EVENT_IMPACT) continue;
    int n = COUNT - 1 - impacts++;
    thud_test_assert_near(event->event.t, time_of(n), 1e-13);
    thud_test_assert_near(event->before[0] * factorial(n + 3), 1, 1e-12);
    thud_test_assert_near(event->after[0] * factorial(n + 3), -1, 1e-12);
  }
  assert_int_equal(impacts, COUNT);
  assert_int_equal(run.info.right_accumulations, 0); /* never at rest */
  /* From rest it stays, and the run says that this is not the only motion. */
  run = (noted_run){0};
  thud_test_event_run(&system, &options, &rest, &rest, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.impacts, 0);
  thud_test_assert_near(run.end_q[0], 0, 0);
  thud_assert_at_least(run.info.right_accumulations, COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_break_at_a_contact_without_force_is_noted),
      cmocka_unit_test(a_force_that_comes_up_at_any_break_is_decided_at_its_order),
      cmocka_unit_test(a_start_on_a_break_is_noted),
      cmocka_unit_test(what_excludes_it_is_not_noted),
      cmocka_unit_test(a_start_without_power_series_says_what_that_means),
      cmocka_unit_test(both_motions_of_bressan_and_schatzman_are_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
