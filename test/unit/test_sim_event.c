/* Event-driven motions: the closed forms of the founding texts to 1e-10 and better. */
#include "events.h"
#include "failing_allocator.h"
#include "sample_systems.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

static const thud_test_system plane_corner = {
    .coordinates = {"x", "y"},
    .kinetic_energy = "(x'^2 + y'^2)/2",
    .constraints = {{.name = "roof", .source = "y", .is_phi = true, .restitution = "1"},
                    {.name = "diagonal", .source = "x + y", .is_phi = true, .restitution = "1"}}};

static void moreau_wedge_turns_the_velocity(void **state) {
  (void)state;
  const struct {
    const char *b;
    double angle;
  } cases[] = {{"x*cos(-0.5) + y*sin(-0.5)", -0.5}, {"x*cos(0.7) + y*sin(0.7)", 0.7}};
  for (int k = 0; k < 2; k++) {
    thud_test_system wedge = {
        .coordinates = {"x", "y"},
        .kinetic_energy = "(x'^2 + y'^2)/2",
        .constraints = {{.name = "floor", .source = "y"}, {.name = "wall", .source = cases[k].b, .is_phi = true}}};
    static noted_run run;
    run = (noted_run){0};
    const double q0[] = {-1, 0}, v0[] = {2, 0};
    double w = 2, th = cases[k].angle;
    thud_test_event_run_to(&wedge, 1, q0, v0, &run);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_IMPACT);
    thud_test_assert_near(run.event[0].event.t, 0.5, 1e-14);
    thud_test_assert_near(run.event[0].after[0], th < 0 ? w * sin(th) * sin(th) : 0, 1e-14);
    thud_test_assert_near(run.event[0].after[1], th < 0 ? -w * sin(th) * cos(th) : 0, 1e-14);
  }
}

static void oblique_impact_of_mabrouk(void **state) {
  (void)state;
  const thud_test_system plane = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .constraints = {{.name = "plane", .source = "0.6*x + 0.8*y", .is_phi = true, .restitution = "0.5"}}};
  static noted_run run;
  run = (noted_run){0};
  const double q0[] = {-0.6, -0.8}, v0[] = {1, 1};
  thud_test_event_run_to(&plane, 2, q0, v0, &run);
  thud_test_assert_near(run.event[0].event.t, 5.0 / 7, 1e-14);
  thud_test_assert_near(run.event[0].after[0], -0.26, 1e-14);
  thud_test_assert_near(run.event[0].after[1], -0.68, 1e-14);
  thud_test_assert_near(run.info.ledger.kinetic, 0.265, 1e-14);
}

static void newtons_cradle_by_the_canonical_and_the_sequential_law(void **state) {
  (void)state;
  thud_test_system cradle = {.coordinates = {"a", "b", "c"},
                             .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
                             .constraints = {{.name = "ab", .source = "b - a", .restitution = "0.5"},
                                             {.name = "bc", .source = "c - b", .restitution = "0.5"}}};
  const double q0[] = {-1, 0, 0}, v0[] = {1, 0, 0}, half[] = {0, 0.5, 0.5}, one[] = {-1.0 / 3, 2.0 / 3, 2.0 / 3},
               last[] = {0, 0, 1};
  for (int k = 0; k < 3; k++) {
    thud_event_options options = thud_event_options_default();
    const double *expected = k == 0 ? half : k == 1 ? one : last;
    static noted_run run;
    run = (noted_run){0};
    options.end = 3;
    cradle.constraints[0].restitution = cradle.constraints[1].restitution = k == 0 ? "0.5" : "1";
    options.percussion.law = k == 2 ? THUD_IMPACT_SEQUENTIAL : THUD_IMPACT_CANONICAL;
    thud_test_event_run(&cradle, &options, q0, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    thud_test_assert_near(run.event[0].event.t, 1, 1e-14);
    for (int i = 0; i < 3; i++) thud_test_assert_near(run.event[0].after[i], expected[i], 1e-14);
    thud_test_assert_near(fabs(run.info.worst_cosine), 0.5, 1e-14);
    assert_int_equal(run.info.multiple_impacts, 1);
    /* Balls that go on together touch without force: no order decides, and the info says so. */
    assert_int_equal(run.info.undecided > 0, 1);
    for (int i = 0; i < 3; i++) thud_test_assert_near(run.end_q[i], 2 * expected[i], 1e-13);
  }
}

static void discontinuous_dependence_is_computed_and_reported(void **state) {
  (void)state;
  static noted_run run;
  const double left[] = {-1.01, -1}, middle[] = {-1, -1}, v0[] = {1, 1};
  run = (noted_run){0};
  thud_test_event_run_to(&plane_corner, 2, left, v0, &run);
  thud_test_assert_near(run.end_q[0], 0.99, 1e-13);
  thud_test_assert_near(run.end_q[1], -1, 1e-13);
  thud_test_assert_near(run.end_v[0], 1, 1e-13);
  thud_test_assert_near(run.end_v[1], -1, 1e-13);
  run = (noted_run){0};
  thud_test_event_run_to(&plane_corner, 2, middle, v0, &run);
  thud_test_assert_near(run.end_q[0], -1, 1e-13);
  thud_test_assert_near(run.end_q[1], -1, 1e-13);
  thud_test_assert_near(fabs(run.info.worst_cosine), sqrt(0.5), 1e-14);
  assert_int_equal(run.info.cosine_first + run.info.cosine_second, 1);
}

static void the_motion_that_time_stepping_misses_is_exact(void **state) {
  (void)state;
  thud_test_system system = plane_corner;
  static noted_run run;
  run = (noted_run){0};
  const double q0[] = {0, -2}, v0[] = {-2, 2};
  system.forces[0] = "4";
  thud_test_event_run_to(&system, 3, q0, v0, &run);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-14);
  thud_test_assert_near(run.end_q[0], 4, 1e-12);
  thud_test_assert_near(run.end_q[1], -4, 1e-12);
}

/* ---- which contacts last ----------------------------------------------------------------------------------------- */

static void contact_opens_when_its_reaction_has_vanished(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  static noted_run run;
  run = (noted_run){0};
  double zero = 0;
  system.forces[0] = "1 - t";
  thud_test_event_run_to(&system, 3, &zero, &zero, &run);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_OPEN);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-15);
  assert_int_equal(run.event[0].order[0], 1);
  thud_test_assert_near(run.end_q[0], -8.0 / 6, 1e-14);
}

static void graded_problem_decides_at_the_order_of_the_force(void **state) {
  (void)state;
  thud_test_system corner = {.coordinates = {"x", "y"},
                             .kinetic_energy = "(x'^2 + y'^2)/2",
                             .forces = {"1", "t"},
                             .constraints = {{.name = "one", .source = "x", .is_phi = true},
                                             {.name = "two", .source = "-x/2 + sqrt(3)/2*y", .is_phi = true}}};
  static noted_run run;
  const double zero[] = {0, 0};
  run = (noted_run){0};
  thud_test_event_run_to(&corner, 1, zero, zero, &run);
  assert_int_equal(run.first_mode[0], THUD_CONTACT_LASTING);
  assert_int_equal(run.first_order[0], 0);
  assert_int_equal(run.first_mode[1], THUD_CONTACT_LASTING);
  assert_int_equal(run.first_order[1], 1);
  thud_test_assert_near(run.first_reaction[0][0], 1, 1e-15);
  thud_test_assert_near(run.first_reaction[0][1], 1 / sqrt(3), 1e-15);
  thud_test_assert_near(run.first_reaction[1][1], 2 / sqrt(3), 1e-15);
  corner.forces[1] = "-t";
  run = (noted_run){0};
  thud_test_event_run_to(&corner, 1, zero, zero, &run);
  assert_int_equal(run.first_mode[1], THUD_CONTACT_LEAVING);
  thud_test_assert_near(run.first_reaction[0][0], 1, 1e-15);
  thud_test_assert_near(run.end_q[0], 0, 1e-15);
  thud_test_assert_near(run.end_q[1], -1.0 / 6, 1e-15);
}

static void powers_of_time_are_decided_up_to_the_order_of_the_series(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  thud_event_options options = thud_event_options_default();
  const char *forces[] = {"t^3", "-t^3", "t^9", "-t^9"};
  double zero = 0;
  options.on_undecided = THUD_UNDECIDED_STOP;
  for (int k = 0; k < 4; k++) {
    static noted_run run;
    run = (noted_run){0};
    system.forces[0] = forces[k];
    thud_test_event_run(&system, &options, &zero, &zero, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.first_mode[0], k % 2 == 0 ? THUD_CONTACT_LASTING : THUD_CONTACT_LEAVING);
    assert_int_equal(run.first_order[0], k < 2 ? 3 : 9);
    thud_test_assert_near(run.end_q[0], k == 1 ? -1.0 / 20 : k == 3 ? -1.0 / 110 : 0, 1e-15);
  }
}

static void what_no_order_decides_is_a_status_and_can_be_continued(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  thud_event_options options = thud_event_options_default();
  static noted_run run;
  double zero = 0;
  system.forces[0] = "-t^30";
  options.on_undecided = THUD_UNDECIDED_STOP;
  run = (noted_run){0};
  thud_test_event_run(&system, &options, &zero, &zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNDECIDED);
  assert_int_equal(run.info.undecided_order, run.info.order);
  assert_non_null(strstr(run.message, "t = 0: whether contact 'floor' lasts is undecided to order 20: reaction and "
                                      "separation have only zero coefficients"));
  /* Going on, the step is shortened until the equations hold at its end, and there it is decided. */
  options.on_undecided = THUD_UNDECIDED_CONTINUE;
  run = (noted_run){0};
  thud_test_event_run(&system, &options, &zero, &zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], -1.0 / (31 * 32), 1e-12);
  system.forces[0] = "t^30";
  run = (noted_run){0};
  thud_test_event_run(&system, &options, &zero, &zero, &run);
  thud_test_assert_near(run.end_q[0], 0, 1e-15);
  thud_test_assert_near(run.last_reaction[0], 1, 1e-9);
}

static void a_gap_that_only_touches_is_a_graze(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  static noted_run run;
  run = (noted_run){0};
  double q0 = -0.5, v0 = 1;
  system.forces[0] = "-1"; /* q = -(1 - t)^2/2 */
  thud_test_event_run_to(&system, 2, &q0, &v0, &run);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_GRAZE);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-7);
  thud_assert_near(run.event[0].event.t, 1, run.event[0].event.t_error);
  thud_test_assert_near(run.end_q[0], -0.5, 1e-13);
}

static void a_motion_that_arrives_with_zero_velocity_stays_or_leaves_by_the_force(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  static noted_run run;
  double q0 = -1.0 / 6, v0 = 0.5;
  system.forces[0] = "t - 1"; /* q = (t - 1)^3/6: reaches 0 with u = u' = 0 and the force then presses */
  run = (noted_run){0};
  thud_test_event_run_to(&system, 2, &q0, &v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 0, 1e-9);
  thud_test_assert_near(run.last_reaction[0], 1, 1e-9);
}

/* ---- smooth motions, equations, velocity constraints ------------------------------------------------------------- */

/* Period 4 K(sin(a/2)) of a pendulum let go at the angle a, by the arithmetic-geometric mean. */
static double pendulum_period(double angle) {
  double x = 1, y = cos(angle / 2);
  for (int k = 0; k < 8; k++) {
    double mean = (x + y) / 2;
    y = sqrt(x * y);
    x = mean;
  }
  return 2 * PI / x;
}

static void pendulum_returns_after_ten_periods(void **state) {
  (void)state;
  const thud_test_system pendulum = {
      .coordinates = {"th"}, .kinetic_energy = "th'^2/2", .potential_energy = "-cos(th)"};
  for (int k = 1; k <= 3; k++) {
    double angle = 0.9 * k, v0 = 0, period = pendulum_period(angle), quarter = 10.25 * period;
    static noted_run run;
    run = (noted_run){.samples = 1, .sample_times = &quarter};
    thud_test_event_run_to(&pendulum, 10.5 * period, &angle, &v0, &run);
    thud_test_assert_near(run.end_q[0], -angle, 1e-11);
    thud_test_assert_near(run.sample_q[0][0], 0, 1e-11);
    thud_test_assert_near(run.sample_v[0][0], -2 * sin(angle / 2), 1e-11);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
  }
}

static void pendulum_as_an_equation_keeps_its_length(void **state) {
  (void)state;
  const thud_test_system rod = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .potential_energy = "y",
      .constraints = {{.name = "rod", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2 + y^2 - 1"}}};
  double angle = 2, period = pendulum_period(angle);
  const double q0[] = {sin(angle), -cos(angle)}, v0[] = {0, 0};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&rod, 5.5 * period, q0, v0, &run);
  thud_test_assert_near(run.end_q[0], -q0[0], 1e-10);
  thud_test_assert_near(run.end_q[1], q0[1], 1e-10);
  thud_test_assert_near(hypot(run.end_q[0], run.end_q[1]), 1, 1e-12);
}

static void double_pendulum_between_walls_conserves_its_energy(void **state) {
  (void)state;
  const thud_test_system system = {
      .coordinates = {"a", "b"},
      .kinetic_energy = "2/3*a'^2 + a'*b'*cos(a - b) + 2/3*b'^2",
      .potential_energy = "a^2/2 + (b - a)^2/2",
      .constraints = {{.name = "knee", .source = "sin(a)", .restitution = "1"},
                      {.name = "foot", .source = "sin(a) + 2*sin(b)", .restitution = "1"}}};
  const double q0[] = {PI / 2, 0}, v0[] = {0, 0};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 10, q0, v0, &run);
  double energy = PI * PI / 8 + PI * PI / 8;
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_assert_at_least(run.info.impacts, 1);
  thud_test_assert_near(run.info.ledger.kinetic + run.info.ledger.potential, energy, 1e-12);
  thud_assert_greater(run.info.worst_gap, -1e-13);
}

static void rolling_ball_follows_its_centre(void **state) {
  (void)state;
  /* M = 2, R = 0.3, inertia 2/5 M R^2 = 0.072; a, b are the angles of rotation about the axes of x and y. */
  const thud_test_system ball = {
      .coordinates = {"x", "y", "a", "b", "c"},
      .kinetic_energy = "x'^2 + y'^2 + 0.036*(a'^2 + b'^2 + c'^2)",
      .forces = {"0.7", "-0.4"},
      .constraints = {{.name = "x", .kind = THUD_CONSTRAINT_VELOCITY, .source = "x' - 0.3*b'"},
                      {.name = "y", .kind = THUD_CONSTRAINT_VELOCITY, .source = "y' + 0.3*a'"}}};
  const double q0[5] = {0}, v0[5] = {0, 0, 0, 0, 1.5};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&ball, 1, q0, v0, &run);
  thud_test_assert_near(run.end_q[0], 0.125, 1e-15);
  thud_test_assert_near(run.end_q[1], -0.0714285714285714, 1e-15);
  thud_test_assert_near(run.last_reaction[0], -0.2, 1e-15);
  thud_test_assert_near(run.last_reaction[1], 0.1142857142857143, 1e-15);
  thud_test_assert_near(run.end_v[4], 1.5, 0);
}

static void freewheel_engages_without_an_impact(void **state) {
  (void)state;
  const thud_test_system wheels = {
      .coordinates = {"a", "b"},
      .kinetic_energy = "(a'^2 + b'^2)/4",
      .forces = {"1", "0"},
      .constraints = {{.name = "freewheel", .kind = THUD_CONSTRAINT_VELOCITY_ONE_SIDED, .source = "b' - a'"}}};
  const double q0[] = {0, 0}, v0[] = {-1, 0};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&wheels, 2, q0, v0, &run);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_CLOSE);
  thud_test_assert_near(run.event[0].event.t, 0.5, 1e-15);
  thud_test_assert_near(run.end_v[0], 1.5, 1e-14);
  thud_test_assert_near(run.end_v[1], 1.5, 1e-14);
  thud_test_assert_near(run.last_reaction[0], 0.5, 1e-14);
}

static void a_table_on_four_legs_rests_although_its_forces_are_indeterminate(void **state) {
  (void)state;
  const thud_test_system table = {.coordinates = {"z", "a", "b"},
                                  .kinetic_energy = "(z'^2 + a'^2 + b'^2)/2",
                                  .forces = {"-1", "0.1*sin(t)", "0.1*cos(t)"},
                                  .constraints = {{.name = "1", .source = "z + a + b"},
                                                  {.name = "2", .source = "z + a - b"},
                                                  {.name = "3", .source = "z - a + b"},
                                                  {.name = "4", .source = "z - a - b"}}};
  const double zero[] = {0, 0, 0};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&table, 10, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  for (int i = 0; i < 3; i++) thud_test_assert_near(run.end_q[i], 0, 1e-13);
}

/* A wall that shakes throws the particle; energy is booked with the work of the wall. */
static void moving_wall_does_work_that_the_ledger_knows(void **state) {
  (void)state;
  const thud_test_system system = {
      .coordinates = {"q"},
      .kinetic_energy = "q'^2/2",
      .potential_energy = "q",
      .constraints = {{.name = "wall", .source = "q - 0.1*sin(20*t)", .restitution = "0"}}};
  double q0 = 0, v0 = 2;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 20, &q0, &v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_assert_at_least(run.info.impacts, 3);
  thud_assert_greater(run.info.events, run.info.impacts);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-11);
  thud_assert_greater(run.info.worst_gap, -1e-12);
}

/* Elastic motion retraces itself when the velocity is reversed. */
static void elastic_motion_can_be_reversed(void **state) {
  (void)state;
  const thud_test_system box = {.coordinates = {"x", "y"},
                                .kinetic_energy = "(1 + x^2)*x'^2/2 + y'^2/2",
                                .potential_energy = "y + x*y/3",
                                .constraints = {{.name = "floor", .source = "y + 0.1*x^2", .restitution = "1"},
                                                {.name = "wall", .source = "1 - x", .restitution = "1"},
                                                {.name = "other", .source = "x + 1", .restitution = "1"}}};
  const double q0[] = {0.1, 0.8}, v0[] = {0.7, 0.2};
  static noted_run there, back;
  there = back = (noted_run){0};
  thud_test_event_run_to(&box, 4, q0, v0, &there);
  thud_assert_at_least(there.info.impacts, 3);
  const double reversed[] = {-there.end_v[0], -there.end_v[1]};
  thud_test_event_run_to(&box, 4, there.end_q, reversed, &back);
  assert_int_equal(back.info.impacts, there.info.impacts);
  for (int i = 0; i < 2; i++) {
    thud_test_assert_near(back.end_q[i], q0[i], 1e-10);
    thud_test_assert_near(back.end_v[i], -v0[i], 1e-10);
  }
}

/* Random systems with curved metrics, curved obstacles and all restitutions: every run ends well (flights of different
 * contacts may accumulate inside each other), nothing is penetrated, the energy balances. */
static void random_systems_run_to_the_end(void **state) {
  (void)state;
  const char *const restitutions[] = {"0", "0.3", "0.6", "0.9", "1"};
  int interrupted = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    thud_random random = thud_random_seed(seed);
    char kinetic[200], gaps[4][200];
    thud_test_system system = {.coordinates = {"x", "y"}, .potential_energy = "y + 0.4*x^2"};
    snprintf(kinetic, sizeof kinetic, "(%.3f + 0.2*cos(y))*x'^2 + %.3f*y'^2 + 0.1*x'*y'",
             thud_random_uniform(&random, 0.5, 1.5), thud_random_uniform(&random, 0.5, 1.5));
    system.kinetic_energy = kinetic;
    uint32_t count = 1 + thud_random_below(&random, 4);
    for (uint32_t i = 0; i < count; i++) {
      snprintf(gaps[i], sizeof gaps[i], "y + %.3f*x + %.3f*x^2 + %.1f", thud_random_uniform(&random, -1, 1),
               thud_random_uniform(&random, -0.3, 0.3), 0.1 * i);
      system.constraints[i] = (thud_expr_constraint_def){
          .name = gaps[i], .source = gaps[i], .restitution = restitutions[thud_random_below(&random, 5)]};
    }
    const double q0[] = {0.1, 0.9}, v0[] = {thud_random_uniform(&random, -1, 1), thud_random_uniform(&random, -1, 1)};
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(&system, 6, q0, v0, &run);
    interrupted += run.info.status == THUD_MOTION_STOPPED; /* more events than are kept */
    if (run.info.status > THUD_MOTION_STOPPED) fail_msg("seed %d: %s", (int)seed, run.message);
    thud_assert_greater(run.info.worst_gap, -1e-12);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
  }
  thud_assert_at_most(interrupted, 3);
}

/* ---- switches ---------------------------------------------------------------------------------------------------- */

static void branches_of_expressions_are_events(void **state) {
  (void)state;
  const thud_test_system pushed = {
      .coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"if(t < 1, 0, 3) - abs(q - 2)"}};
  double q0 = 0, v0 = 0;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&pushed, 1, &q0, &v0, &run);
  /* q'' = q - 2 from rest at 0: q = 2 - 2 cosh t. */
  thud_test_assert_near(run.end_q[0], 2 - 2 * cosh(1), 1e-13);
  run = (noted_run){0};
  thud_test_event_run_to(&pushed, 3, &q0, &v0, &run);
  /* q'' = q + 1 for t > 1 while q < 2. */
  double a = (2 - 2 * cosh(1)) + 1, b = -2 * sinh(1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SWITCH);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-15);
  thud_test_assert_near(run.end_q[0], a * cosh(2) + b * sinh(2) - 1, 1e-11);
}

static void oscillator_with_different_springs_on_both_sides(void **state) {
  (void)state;
  const thud_test_system system = {.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"-max(q, 4*q)"}};
  double q0 = 0, v0 = 1;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 5 * (PI / 2 + PI), &q0, &v0, &run);
  assert_true(run.info.switches == 9 || run.info.switches == 10); /* the last one is at the end */
  thud_test_assert_near(run.end_q[0], 0, 1e-12);
  thud_test_assert_near(fabs(run.end_v[0]), 1, 1e-12);
}

static void motion_along_a_switch_is_refused_with_its_place(void **state) {
  (void)state;
  const thud_test_system attracted = {.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"-sign(q) - q'"}};
  const thud_test_system repelled = {.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"sign(q)"}};
  double zero = 0;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&attracted, 1, &zero, &zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_KINK);
  assert_non_null(strstr(run.message,
                         "no branch goes on consistently where 'sign' in the force of coordinate 'q' changes "
                         "its branch (column 2): the motion would have to stay on the switch (write dry "
                         "friction as a friction law, a gap with a corner as two constraints)"));
  run = (noted_run){0};
  thud_test_event_run_to(&repelled, 1, &zero, &zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_KINK);
  assert_non_null(strstr(run.message,
                         "t = 0: several branches go on consistently where 'sign' in the force of coordinate "
                         "'q' changes its branch (column 1): the motion is not unique"));
}

static void ends_of_bad_runs_say_why(void **state) {
  (void)state;
  const thud_test_system explosive = {.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"q'^2"}};
  const thud_test_system root = {.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"6*abs(q)^(1/3)"}};
  double zero = 0, one = 1;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&explosive, 2, &zero, &one, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BLOW_UP);
  thud_test_assert_near(run.info.time, 1, 1e-8);
  assert_non_null(strstr(run.message, "blow-up near t = 0.99999"));
  run = (noted_run){0};
  thud_test_event_run_to(&root, 1, &zero, &zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BAD_DATA);
  /* Limits end runs that would go on for ever. */
  thud_event_options options = thud_event_options_default();
  options.end = 4;
  options.zeno = false;
  options.max_events = 60;
  double q0 = -1;
  run = (noted_run){0};
  thud_test_event_run(&thud_test_bouncing_particle, &options, &q0, &zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_TOO_MANY);
  thud_assert_at_most(run.info.time, 3);
}

static void contradicting_equations_have_no_motion(void **state) {
  (void)state;
  const thud_test_system bar = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .forces = {"0", "1"},
      .constraints = {{.name = "one", .kind = THUD_CONSTRAINT_BILATERAL, .source = "y - x^2"},
                      {.name = "two", .kind = THUD_CONSTRAINT_BILATERAL, .source = "y + x^2"}}};
  const double zero[] = {0, 0}, moving[] = {1, 0};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&bar, 1, zero, moving, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
  assert_non_null(
      strstr(run.message,
             "t = 0: no solution: equations one, two: their gradients are dependent, and derivative number 2 by time "
             "contradicts them"));
}

/* ---- interface --------------------------------------------------------------------------------------------------- */

static int refuse_event(void *user, const void *handed) {
  const thud_event *event = handed;
  (void)event;
  return *(int *)user;
}

static void sinks_can_stop_and_fail_and_bad_options_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &thud_test_bouncing_particle);
  thud_event_options options = thud_event_options_default();
  thud_motion *motion = NULL;
  thud_event_motion_info info;
  double q0 = -1, v0 = 0, inside = 1;
  int wish = 1;
  const thud_motion_sink sink = {NULL, refuse_event, &wish};
  options.end = 4;
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, &sink, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_STOPPED);
  thud_test_assert_near(info.time, 1, 1e-15);
  thud_motion_destroy(motion);
  wish = -1;
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, &sink, &info), THUD_ERROR_CALLBACK);
  thud_motion_destroy(motion);
  motion = NULL;
  assert_int_equal(thud_event_motion_create(context, system, &options, &inside, &v0, &motion), THUD_ERROR_ARGUMENT);
  assert_non_null(
      strstr(thud_context_last_message(context), "the initial state violates constraint 'floor' by 1 (gap < 0)"));
  options.order = 2;
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &motion), THUD_ERROR_ARGUMENT);
  options.order = 0;
  options.end = -1;
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &motion), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_event_motion_create(context, NULL, &options, &q0, &v0, &motion), THUD_ERROR_ARGUMENT);
  assert_null(motion);
  assert_string_equal(thud_event_kind_name(THUD_EVENT_ZENO), "zeno");
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Records, reports and scenes rely on these words. */
static void kinds_modes_and_statuses_have_names(void **state) {
  (void)state;
  static const char *const kinds[] = {"impact", "zeno", "close",  "open",       "graze",
                                      "stick",  "slip", "switch", "percussion", "unknown"};
  static const char *const modes[] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding", "unknown"};
  static const char *const statuses[] = {"running",
                                         "completed",
                                         "interrupted",
                                         "several outcomes",
                                         "failed",
                                         "not converged",
                                         "bad data",
                                         "blow-up",
                                         "mass matrix not positive definite",
                                         "no admissible motion",
                                         "energy created",
                                         "step too small",
                                         "the set is empty",
                                         "undecided contact",
                                         "too many events",
                                         "kink",
                                         "no consistent motion",
                                         "motion not determined",
                                         "infeasible",
                                         "no rate solution, the state must jump",
                                         "nothing holds the structure",
                                         "unknown"};
  for (int k = 0; k <= THUD_EVENT_PERCUSSION + 1; k++)
    assert_string_equal(thud_event_kind_name((thud_event_kind)k), kinds[k]);
  for (int k = 0; k <= THUD_CONTACT_SLIDING + 1; k++)
    assert_string_equal(thud_contact_mode_name((thud_contact_mode)k), modes[k]);
  for (int k = 0; k <= THUD_MOTION_NOT_HELD + 1; k++)
    assert_string_equal(thud_motion_status_name((thud_motion_status)k), statuses[k]);
}

static void a_run_allocates_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &plane_corner);
  thud_event_options options = thud_event_options_default();
  thud_motion *motion;
  thud_event_motion_info info;
  const double q0[] = {-1, -1}, v0[] = {1, 1};
  options.end = 2;
  assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
  uint64_t before = thud_context_allocation_count(context);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(thud_context_allocation_count(context), before);
  assert_int_equal(info.impacts, 1);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_error create_and_run(thud_context *context, void *user) {
  (void)user;
  static const char *const names[] = {"x", "y"};
  static const char *const forces[] = {"1", "abs(x) + t"};
  static const thud_expr_constraint_def constraints[] = {
      {.name = "a", .source = "x", .is_phi = true, .restitution = "0.5"},
      {.name = "b", .source = "-x/2 + y", .is_phi = true}};
  const thud_expr_system_def def = {.n = 2,
                                    .coordinates = names,
                                    .kinetic_energy = "(x'^2 + y'^2)/2",
                                    .forces = forces,
                                    .m = 2,
                                    .constraints = constraints};
  const double q0[] = {-1, -1}, v0[] = {0, 0};
  thud_expr_scope *scope = NULL;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_event_options options = thud_event_options_default();
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, NULL, &system);
  if (error == THUD_OK) error = thud_event_motion_create(context, system, &options, q0, v0, &motion);
  if (error == THUD_OK)
    error = thud_motion_run(motion, NULL, NULL);
  else
    assert_null(motion);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_expr_scope_destroy(scope);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(create_and_run, NULL), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moreau_wedge_turns_the_velocity),
      cmocka_unit_test(oblique_impact_of_mabrouk),
      cmocka_unit_test(newtons_cradle_by_the_canonical_and_the_sequential_law),
      cmocka_unit_test(discontinuous_dependence_is_computed_and_reported),
      cmocka_unit_test(the_motion_that_time_stepping_misses_is_exact),
      cmocka_unit_test(contact_opens_when_its_reaction_has_vanished),
      cmocka_unit_test(graded_problem_decides_at_the_order_of_the_force),
      cmocka_unit_test(powers_of_time_are_decided_up_to_the_order_of_the_series),
      cmocka_unit_test(what_no_order_decides_is_a_status_and_can_be_continued),
      cmocka_unit_test(a_gap_that_only_touches_is_a_graze),
      cmocka_unit_test(a_motion_that_arrives_with_zero_velocity_stays_or_leaves_by_the_force),
      cmocka_unit_test(pendulum_returns_after_ten_periods),
      cmocka_unit_test(pendulum_as_an_equation_keeps_its_length),
      cmocka_unit_test(double_pendulum_between_walls_conserves_its_energy),
      cmocka_unit_test(rolling_ball_follows_its_centre),
      cmocka_unit_test(freewheel_engages_without_an_impact),
      cmocka_unit_test(a_table_on_four_legs_rests_although_its_forces_are_indeterminate),
      cmocka_unit_test(moving_wall_does_work_that_the_ledger_knows),
      cmocka_unit_test(elastic_motion_can_be_reversed),
      cmocka_unit_test(random_systems_run_to_the_end),
      cmocka_unit_test(branches_of_expressions_are_events),
      cmocka_unit_test(oscillator_with_different_springs_on_both_sides),
      cmocka_unit_test(motion_along_a_switch_is_refused_with_its_place),
      cmocka_unit_test(ends_of_bad_runs_say_why),
      cmocka_unit_test(contradicting_equations_have_no_motion),
      cmocka_unit_test(sinks_can_stop_and_fail_and_bad_options_are_refused),
      cmocka_unit_test(kinds_modes_and_statuses_have_names),
      cmocka_unit_test(a_run_allocates_nothing),
      cmocka_unit_test(failing_allocations_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
