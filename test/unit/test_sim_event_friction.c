/* Event-driven motions with planar Coulomb friction: the cases of Ballard and Basseville, classical ones, Painleve. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const slip_T[] = {"T'"};

/* Klarbring's system: unit mass, U'' + K U = F + R; the obstacle is N <= 0. The potential holds K and F. */
static thud_test_system klarbring(const char *potential, const char *mu) {
  return (thud_test_system){.coordinates = {"N", "T"},
                            .kinetic_energy = "(N'^2 + T'^2)/2",
                            .potential_energy = potential,
                            .constraints = {{.name = "obstacle", .source = "N", .is_phi = true, .restitution = "0.5"}},
                            .friction = {{.name = "friction",
                                          .constraint = 0,
                                          .kind = THUD_FRICTION_DISC,
                                          .directions = 1,
                                          .slip = slip_T,
                                          .mu = mu}}};
}

static const double zero[2] = {0, 0};

static void impacts_with_friction_slide_then_stick(void **state) {
  (void)state;
  thud_test_system system = klarbring("(N^2 + T^2)/2", "0.5");
  const double pi = acos(-1), q0[] = {-1, -1};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 4 * pi, q0, zero, &run);
  assert_int_equal(run.events, 4);
  for (int k = 0; k < 4; k++) {
    thud_test_assert_near(run.event[k].event.t, pi / 2 + k * pi, 1e-13);
    thud_test_assert_near(run.event[k].before[0], exp2(-k), 1e-13);
    thud_test_assert_near(run.event[k].after[0], -exp2(-k - 1), 1e-13);
    thud_test_assert_near(run.event[k].impulse[0], 1.5 * exp2(-k), 1e-13);
  }
  thud_test_assert_near(run.event[0].before[1], 1, 1e-13);
  thud_test_assert_near(run.event[0].after[1], 0.25, 1e-13);
  thud_test_assert_near(run.event[1].before[1], -0.25, 1e-13);
  for (int k = 1; k < 4; k++) thud_test_assert_near(run.event[k].after[1], 0, 1e-15);
  thud_test_assert_near(run.end_q[1], 0, 1e-14);
}

static void slide_turns_round_and_sticks(void **state) {
  (void)state;
  thud_test_system system = klarbring("N^2 + N*T + T^2 - 3*N", "1");
  const double v0[] = {0, 4}, times[] = {0.5, 1.5, 2.5}, slips[] = {1.5504498400879, 1.5470554034067, 0.0859302251969};
  static noted_run run;
  run = (noted_run){.samples = 3, .sample_times = times};
  thud_test_event_run_to(&system, 4, zero, v0, &run);
  assert_int_equal(run.events, 2);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
  thud_test_assert_near(run.event[0].event.t, atan(4.0 / 3), 1e-14);
  thud_test_assert_near(run.event[0].q[1], 2, 1e-14);
  assert_int_equal(run.event[1].event.kind, THUD_EVENT_STICK);
  thud_test_assert_near(run.event[1].event.t, 2.7410945822358, 1e-12);
  for (int k = 0; k < 3; k++) thud_test_assert_near(run.sample_q[k][1], slips[k], 1e-12);
  thud_test_assert_near(run.last_reaction[0], 3, 1e-13);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-13);
  /* The springs are where they were: friction took all of the kinetic energy. */
  thud_test_assert_near(run.info.ledger.friction_loss, 8, 1e-12);
}

static void degenerate_accelerations_are_decided_by_higher_orders(void **state) {
  (void)state;
  const double one = 1;
  thud_test_system leaves = klarbring("N^2 + N*T + T^2 - T", "1"), holds = klarbring("N^2 - N*T + T^2 - T", "1");
  static noted_run run;
  run = (noted_run){.samples = 1, .sample_times = &one};
  thud_test_event_run_to(&leaves, 5.11, zero, zero, &run);
  assert_int_equal(run.first_mode[0], THUD_CONTACT_LEAVING);
  assert_int_equal(run.first_order[0], 2);
  thud_test_assert_near(run.sample_q[0][0], -0.0364227573035, 1e-12);
  thud_test_assert_near(run.event[0].event.t, 5.1096258223950, 1e-12);
  run = (noted_run){.samples = 1, .sample_times = &one};
  thud_test_event_run_to(&holds, 4, zero, zero, &run);
  assert_int_equal(run.first_mode[0], THUD_CONTACT_SLIDING);
  assert_int_equal(run.first_order[0], 2);
  thud_test_assert_near(run.sample_q[0][1], (1 - cos(sqrt(3))) / 3, 1e-13);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
  thud_test_assert_near(run.event[0].event.t, acos(-1) / sqrt(3), 1e-13);
  thud_test_assert_near(run.end_q[1], 2.0 / 3, 1e-13);
}

static void slip_begins_from_rest_in_the_direction_of_the_first_order(void **state) {
  (void)state;
  const char *forces[] = {"1.5*t", "-1.5*t", "0.9*t"};
  for (int k = 0; k < 3; k++) {
    thud_test_system system = klarbring("T^2", "1");
    static noted_run run;
    run = (noted_run){0};
    system.forces[0] = "t";
    system.forces[1] = forces[k];
    thud_test_event_run_to(&system, 2, zero, zero, &run);
    double slip = 0.5 * (1 - sin(sqrt(2) * 2) / pow(2, 1.5));
    assert_int_equal(run.first_mode[0], k < 2 ? THUD_CONTACT_SLIDING : THUD_CONTACT_STICKING);
    assert_int_equal(run.first_order[0], 1);
    thud_test_assert_near(run.end_q[1], k == 0 ? slip : k == 1 ? -slip : 0, 1e-14);
  }
}

static void brick_on_an_incline_slides_or_rests_without_creep(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    thud_test_system brick = klarbring("9.81*(-sin(0.5)*T - cos(0.5)*N)", k == 0 ? "0.5" : "0.6");
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(&brick, 2, zero, zero, &run);
    thud_test_assert_near(run.end_q[1], k == 0 ? 2 * 9.81 * (sin(0.5) - 0.5 * cos(0.5)) : 0, k == 0 ? 1e-13 : 0);
    thud_test_assert_near(run.end_q[0], 0, 1e-15);
  }
}

/* At rest in a corner the forces are not unique, the motion is: it stays as long as the load lies in the sum of the
 * cones, and slides up one side afterwards. */
static void particle_in_a_corner_stays_although_its_forces_are_not_unique(void **state) {
  (void)state;
  static const char *const left[] = {"(x' - y')/sqrt(2)"}, *const right[] = {"(x' + y')/sqrt(2)"};
  const thud_test_system corner = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .forces = {"t", "-1"},
      .constraints = {{.name = "left", .source = "(y + x)/sqrt(2)"}, {.name = "right", .source = "(y - x)/sqrt(2)"}},
      .friction = {
          {.name = "l", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = left, .mu = "0.5"},
          {.name = "r", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = right, .mu = "0.5"}}};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&corner, 3, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 0, 1e-14);
  /* Pushed against the right side at 45 degrees: slips up when (t - 1)/sqrt 2 > mu (t + 1)/sqrt 2, t > 3. */
  run = (noted_run){0};
  thud_test_event_run_to(&corner, 4, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  const noted_event *last = &run.event[run.events - 1];
  thud_test_assert_near(last->event.t, 3, 1e-12);
  assert_int_equal(last->mode_after[1], THUD_CONTACT_SLIDING);
  /* From there the acceleration up the slope is (t - 3)/(2 sqrt 2): 1/(12 sqrt 2) after 1 s. */
  thud_test_assert_near(hypot(run.end_q[0], run.end_q[1]), 1 / (12 * sqrt(2)), 1e-12);
}

/* Glocker's woodpecker: period and drop of the limit cycle. */
static void woodpecker_reaches_its_limit_cycle(void **state) {
  (void)state;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&thud_test_woodpecker, 5.9, thud_test_woodpecker_q, thud_test_woodpecker_v, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  int beaks = 0;
  double times[60], heights[60], before = 0, after = 0;
  for (int k = 0; k < run.events; k++) {
    if (run.event[k].event.kind != THUD_EVENT_IMPACT || run.event[k].impulse[0] == 0) continue;
    times[beaks] = run.event[k].event.t;
    heights[beaks] = run.event[k].q[0];
    before = run.event[k].before[2];
    after = run.event[k].after[2];
    beaks++;
  }
  thud_assert_at_least(beaks, 38);
  thud_test_assert_near((times[beaks - 1] - times[beaks - 3]) / 2, 0.1460, 5e-5);
  thud_test_assert_near((heights[beaks - 3] - heights[beaks - 1]) / 2, 0.01945, 5e-6);
  thud_test_assert_near(before, 16.913, 4e-3);
  thud_test_assert_near(after, -8.457, 4e-3);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-13);
  thud_assert_greater(run.info.worst_gap, -1e-15);
}

/* A slender rod (mass 1, length 2) at the angle th from the horizontal whose lower end slides along the floor: the
 * normal response is 1 + 3 cos th (cos th - mu sin th), negative for mu > 4/3 near tan th = 2. */
static const char *const rod_slip[] = {"x' - th'*sin(th)"};
static const thud_test_system rod = {
    .coordinates = {"x", "y", "th"},
    .kinetic_energy = "(x'^2 + y'^2)/2 + th'^2/6",
    .forces = {"0", "-9.81"},
    .constraints = {{.name = "floor", .source = "y - sin(th)"}},
    .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = rod_slip, .mu = "3"}}};

static void painleve_rod_is_diagnosed(void **state) {
  (void)state;
  double th = atan(2.0);
  const double q0[] = {0, sin(th), th};
  /* Slip forth or back; on the bad side it is inconsistent at rest of rotation and indeterminate when the end lifts. */
  static noted_run run;
  int inconsistent = 0, indeterminate = 0, good = 0;
  for (int k = 0; k < 12; k++) {
    double w = k / 2 * 2.0, speed = k % 2 == 0 ? 30 : -30;
    const double v0[] = {speed, w * cos(th), w};
    thud_event_options options = thud_event_options_default();
    options.end = 1e-4;
    run = (noted_run){0};
    thud_test_event_run(&rod, &options, q0, v0, &run);
    inconsistent += run.info.status == THUD_MOTION_INCONSISTENT;
    indeterminate += run.info.status == THUD_MOTION_INDETERMINATE;
    good += run.info.status == THUD_MOTION_COMPLETED;
    if (run.info.status == THUD_MOTION_INCONSISTENT)
      assert_non_null(strstr(run.message,
                             "t = 0: no mode of the closed contact 'floor' is consistent with friction (Painleve's "
                             "paradox); an impact without collision may lead on: simulate: {painleve: impact}"));
    if (run.info.status == THUD_MOTION_INDETERMINATE)
      assert_non_null(
          strstr(run.message,
                 "t = 0: 2 motions are consistent; friction leaves it open: 'floor' slides forth; or 'floor' opens"));
    /* The same numbers by hand: u_N' = b + G r with b = -g + w^2 sin th. */
    double d = speed - w * sin(th) > 0 ? 1 : -1, b = -9.81 + w * w * sin(th);
    double response = 1 + 3 * cos(th) * (cos(th) - 3 * d * sin(th));
    int consistent = (b > 0) + (-b / response > 0);
    assert_int_equal(run.info.status, consistent == 1   ? THUD_MOTION_COMPLETED
                                      : consistent == 0 ? THUD_MOTION_INCONSISTENT
                                                        : THUD_MOTION_INDETERMINATE);
  }
  thud_assert_greater(inconsistent, 0);
  thud_assert_greater(indeterminate, 0);
  thud_assert_greater(good, 0);
}

/* A system whose law has this set is refused with the reason; arcs: those asked for. */
static void expect_refusal(thud_context *context, thud_test_system *system, const thud_set *set, int arcs,
                           const char *reason) {
  thud_event_options options = thud_event_options_default();
  thud_motion *motion = NULL;
  options.arcs = arcs;
  system->friction[0].kind = THUD_FRICTION_SET;
  system->friction[0].set = set;
  system->friction[0].directions = thud_set_dimension(set);
  thud_system *made = thud_test_system_make(context, system);
  assert_int_equal(thud_event_motion_create(context, made, &options, zero, zero, &motion), THUD_ERROR_UNSUPPORTED);
  const char *message = thud_context_last_message(context);
  assert_non_null(strstr(message, "the event-driven method cannot follow friction law 'friction': "));
  assert_non_null(strstr(message, reason));
  assert_non_null(strstr(message, "use a time-stepping method"));
  assert_null(motion);
  thud_system_destroy(made);
}

static void friction_that_cannot_be_followed_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const slip[] = {"T'", "T' + 2*N'", "T' + N'"};
  const double origin[3] = {0, 0, 0}, one[3] = {1, 1, 1}, minus[3] = {-1, -1, -1}, centre[2] = {0.1, 0};
  thud_set *operand[2], *set = NULL;
  thud_test_system system = klarbring("N^2 + T^2", "1");
  system.friction[0].slip = slip;
  /* curved sets have no power series here, and without them no change of branch is found */
  assert_int_equal(thud_set_ball(context, 2, centre, 1, &set), THUD_OK);
  expect_refusal(context, &system, set, THUD_ARCS_SERIES, "which needs arcs 'auto', 'runge-kutta' or 'cvode'");
  thud_test_system branches = klarbring("N^2 + abs(T)", "1");
  branches.friction[0].slip = slip;
  expect_refusal(context, &branches, set, THUD_ARCS_AUTO, "the system's expressions change their branch");
  thud_set_destroy(set);
  assert_int_equal(thud_set_segment(context, 2, origin, one, &set), THUD_OK);
  expect_refusal(context, &system, set, THUD_ARCS_AUTO, "its set has no inside");
  thud_set_destroy(set);
  assert_int_equal(thud_set_box(context, 3, minus, one, &operand[0]), THUD_OK);
  assert_int_equal(thud_set_ball(context, 3, origin, 1.2, &operand[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, operand, &set), THUD_OK);
  expect_refusal(context, &system, set, THUD_ARCS_AUTO, "couples more than two slip components and has corners");
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* On a belt friction drives: the energy comes from the belt. */
static void belt_drives_stick_and_slip(void **state) {
  (void)state;
  static const char *const belt[] = {"T' - 1"};
  thud_test_system system = klarbring("T^2/2 - N", "0.5*(1 + exp(-abs(T' - 1)))/2");
  const double v0[] = {0, 0.2};
  static noted_run run;
  run = (noted_run){0};
  system.friction[0].slip = belt;
  thud_test_event_run_to(&system, 30, zero, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  int sticks = 0, slips = 0;
  for (int k = 0; k < run.events; k++) {
    sticks += run.event[k].event.kind == THUD_EVENT_STICK;
    slips += run.event[k].event.kind == THUD_EVENT_SLIP;
  }
  thud_assert_at_least(sticks, 2);
  thud_assert_at_least(slips, 2);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-11);
  thud_assert_greater(run.info.ledger.friction_loss, 0);
  thud_assert_greater(run.info.ledger.work, 0);
}

/* The load -P + q t takes a block off the floor at t2 = P/q while F pushes it. It slips from t1 = t2 - F/(mu q) on, with
 * x'' = mu q (t - t1), has x' = F^2/(2 mu q) at t2 and x'' = F from there on, whatever mu is. Times closer than 1e-13 are one. */
static void slip_before_the_end_of_a_contact_is_found_with_any_mu(void **state) {
  (void)state;
  const double P = 1, q = 2, F = 0.5;
  for (int k = 1; k <= 14; k++) {
    static noted_run run;
    char mu_text[16];
    double mu = pow(10, k), speed = F * F / (2 * mu * q), part = F / (mu * q), way = speed * part / 3;
    snprintf(mu_text, sizeof mu_text, "1e%d", k);
    thud_test_system system = klarbring("0", mu_text);
    system.constraints[0].is_phi = false;
    system.forces[0] = "-1 + 2*t";
    system.forces[1] = "0.5";
    run = (noted_run){0};
    thud_test_event_run_to(&system, P / q + 1, zero, zero, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    bool apart = part > 1e-12;
    if (apart) assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
    if (apart) thud_test_assert_near(run.event[0].event.t, P / q - part, 1e-15);
    thud_test_assert_near(run.event[run.events - 1].event.t, P / q, apart ? 1e-13 : 1e-12);
    assert_int_equal(run.event[run.events - 1].event.kind, THUD_EVENT_OPEN);
    thud_test_assert_near(run.end_q[1], F / 2 + speed + way, 2e-12);
    thud_test_assert_near(run.end_q[0], q / 6, 2e-12);
  }
}

/* A wedge under a block, both with friction: whatever mu > tan(1.2) is, and however large, nothing moves. */
static void wedge_holds_with_any_mu(void **state) {
  (void)state;
  static const char *const under[] = {"a'"}, *const on[] = {"cos(1.2)*(x' - a') + sin(1.2)*(y' - b')"};
  for (int k = 1; k <= 14; k++) {
    static noted_run run;
    char mu[16];
    snprintf(mu, sizeof mu, "1e%d", k);
    const thud_test_system system = {
        .coordinates = {"a", "b", "x", "y"},
        .kinetic_energy = "a'^2 + b'^2 + 0.35*(x'^2 + y'^2)",
        .forces = {"0", "-20", "0.5", "-7"},
        .constraints = {{.name = "floor", .source = "b"},
                        {.name = "face", .source = "cos(1.2)*(y - b) - sin(1.2)*(x - a)"}},
        .friction = {
            {.name = "f", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = under, .mu = mu},
            {.name = "g", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = on, .mu = mu}}};
    const double rest[4] = {0};
    run = (noted_run){0};
    thud_test_event_run_to(&system, 1, rest, rest, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, 0);
    for (int i = 0; i < 4; i++) thud_test_assert_near(run.end_q[i], 0, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_with_friction_slide_then_stick),
      cmocka_unit_test(slide_turns_round_and_sticks),
      cmocka_unit_test(degenerate_accelerations_are_decided_by_higher_orders),
      cmocka_unit_test(slip_begins_from_rest_in_the_direction_of_the_first_order),
      cmocka_unit_test(brick_on_an_incline_slides_or_rests_without_creep),
      cmocka_unit_test(particle_in_a_corner_stays_although_its_forces_are_not_unique),
      cmocka_unit_test(woodpecker_reaches_its_limit_cycle),
      cmocka_unit_test(painleve_rod_is_diagnosed),
      cmocka_unit_test(friction_that_cannot_be_followed_is_refused),
      cmocka_unit_test(belt_drives_stick_and_slip),
      cmocka_unit_test(slip_before_the_end_of_a_contact_is_found_with_any_mu),
      cmocka_unit_test(wedge_holds_with_any_mu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
