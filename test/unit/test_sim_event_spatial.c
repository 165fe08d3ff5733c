/* Event-driven motions with friction in space: slip with two components, friction by itself and of joints. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const floor_slip[] = {"x'", "y'"};
static const double zero[6] = {0};

static void puck_slides_straight_and_stops(void **state) {
  (void)state;
  const thud_test_system system = thud_test_puck("0", "0", "-9.81", "0.3");
  const double v0[] = {1.2, 1.6, 0}, stop = 2 / (0.3 * 9.81), way = 4 / (2 * 0.3 * 9.81);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 2, zero, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
  thud_test_assert_near(run.event[0].event.t, stop, 1e-14);
  thud_test_assert_near(run.end_q[0], 0.6 * way, 1e-14);
  thud_test_assert_near(run.end_q[1], 0.8 * way, 1e-14);
  thud_test_assert_near(hypot(run.end_v[0], run.end_v[1]), 0, 0);
  thud_assert_at_most(run.arcs, 6);
  thud_test_assert_near(run.info.ledger.friction_loss, 2, 1e-13);
}

/* On a slope, th the angle of the velocity from downhill, f the downhill force, k f the friction:
 *   v' = f (cos th - k), v th' = -f sin th:  v sin th = C tan(th/2)^k,  v (k + cos th) = const + f (1 - k^2) t. */
static void puck_on_an_incline_turns_downhill(void **state) {
  (void)state;
  const double speed = 2, th = 2.0, f = 9.81 * sin(0.5);
  const char *const mus[] = {"2*tan(0.5)", "1.2*tan(0.5)", "0.5*tan(0.5)"};
  const double ratios[] = {2, 1.2, 0.5}, times[] = {0.05, 0.1, 0.15, 0.2};
  for (int k = 0; k < 3; k++) {
    const thud_test_system system = thud_test_puck("9.81*sin(0.5)", "0", "-9.81*cos(0.5)", mus[k]);
    const double v0[] = {speed * cos(th), speed * sin(th), 0}, r = ratios[k];
    static noted_run run;
    run = (noted_run){.samples = 4, .sample_times = times};
    thud_test_event_run_to(&system, 5, zero, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    for (int i = 0; i < 4; i++) {
      double v = hypot(run.sample_v[i][0], run.sample_v[i][1]), angle = atan2(run.sample_v[i][1], run.sample_v[i][0]);
      thud_test_assert_near(v * sin(angle) / pow(tan(angle / 2), r), speed * sin(th) / pow(tan(th / 2), r), 1e-12);
      thud_test_assert_near(v * (r + cos(angle)), speed * (r + cos(th)) + f * (1 - r * r) * times[i], 1e-12);
    }
    assert_int_equal(run.events, r > 1 ? 1 : 0);
    if (r > 1) {
      assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
      thud_test_assert_near(run.event[0].event.t, speed * (r + cos(th)) / (f * (r * r - 1)), 1e-12);
      thud_assert_at_most(run.event[0].event.t_error, 1e-12);
      thud_test_assert_near(hypot(run.end_v[0], run.end_v[1]), 0, 0);
    } else {
      thud_assert_less(fabs(atan2(run.end_v[1], run.end_v[0])), 0.2);
    }
    thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
  }
}

/* The same with much friction, where the direction is still turning when the slip is gone, with series of any order (a
 * coefficient of order k grows like 1/rest^k with the time that is left) and with the stop at t = 0. */
static void turning_slip_stops_whatever_the_order(void **state) {
  (void)state;
  const int orders[] = {0, 12, 30, 60};
  const double speed = 2, th = 1.55, r = 20, f = 9.81 * sin(0.1), stop = speed * (r + cos(th)) / (f * (r * r - 1));
  const double v0[] = {speed * cos(th), speed * sin(th), 0};
  const thud_test_system system = thud_test_puck("9.81*sin(0.1)", "0", "-9.81*cos(0.1)", "20*tan(0.1)");
  for (int k = 0; k < 8; k++) {
    thud_event_options options = thud_event_options_default();
    options.order = orders[k / 2];
    options.start = k % 2 == 0 ? 0 : -stop;
    options.end = 1;
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run(&system, &options, zero, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, 1);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
    thud_test_assert_near(run.event[0].event.t - options.start, stop, 1e-13);
    thud_assert_at_most(run.event[0].event.t_error, 1e-13);
    thud_assert_less(run.arcs, 300);
    thud_assert_less(run.info.ledger.defect, 1e-13);
    thud_assert_greater(run.info.ledger.defect, -1e-13);
  }
}

/* A solid ball (mass 1, radius 0.5, J = 0.1) with the angles of its spin about x, y, z: the slip of the contact point
 * keeps its direction, u' = -7/2 mu g d, while the centre runs on a parabola; then it rolls. */
static void ball_slides_on_a_parabola_and_then_rolls(void **state) {
  (void)state;
  static const char *const slip[] = {"x' - 0.5*b'", "y' + 0.5*a'"};
  const thud_test_system ball = {
      .coordinates = {"x", "y", "z", "a", "b", "c"},
      .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2 + 0.05*(a'^2 + b'^2 + c'^2)",
      .forces = {"0", "0", "-9.81"},
      .constraints = {{.name = "floor", .source = "z - 0.5"}},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 2, .slip = slip, .mu = "0.25"}}};
  const double q0[] = {0, 0, 0.5, 0, 0, 0}, v0[] = {3, 1, 0, 4, -2, 7};
  const double u[] = {3 + 1, 1 + 2}, size = 5, d[] = {0.8, 0.6}, a = 0.25 * 9.81, stop = 2 * size / (7 * a);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&ball, 2, q0, v0, &run);
  thud_test_assert_near(hypot(u[0], u[1]), size, 1e-15);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.event[0].event.t, stop, 1e-14);
  for (int i = 0; i < 2; i++) {
    double v = v0[i] - a * d[i] * stop;
    thud_test_assert_near(run.event[0].q[i], v0[i] * stop - a * d[i] * stop * stop / 2, 1e-14);
    thud_test_assert_near(run.end_v[i], v, 1e-14);
    thud_test_assert_near(run.end_q[i], run.event[0].q[i] + v * (2 - stop), 1e-13);
    /* 5/7 of the velocity and 2/7 of what the spin would roll: v_f = v - 2/7 u. */
    thud_test_assert_near(run.end_v[i], v0[i] - 2.0 / 7 * u[i], 1e-14);
  }
  thud_test_assert_near(run.end_v[5], 7, 1e-15);
}

static void percussion_slows_slip_in_its_direction(void **state) {
  (void)state;
  const thud_test_system system = thud_test_puck("0", "0", "0", "0.2");
  const double q0[] = {0, 0, 1}, v0[] = {0.6, 0.8, -1};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 2, q0, v0, &run);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-15);
  const double after[] = {0.42, 0.56, 0.5};
  for (int i = 0; i < 3; i++) thud_test_assert_near(run.event[0].after[i], after[i], 1e-14);
  thud_test_assert_near(run.event[0].impulse[0], 1.5, 1e-14);
}

/* Loads that grow from 0: the direction is given by the first order that does not vanish. */
static void slip_begins_from_rest_in_the_direction_of_the_load(void **state) {
  (void)state;
  for (int k = 0; k < 12; k++) {
    char fx[64], fy[64];
    double b = 0.3 + k * 0.5, alpha = k % 3 == 2 ? 0.9 : 1.5;
    int power = k % 3 == 1 ? 2 : 1;
    snprintf(fx, sizeof fx, "%.17g*t^%d", alpha * cos(b), power);
    snprintf(fy, sizeof fy, "%.17g*t^%d", alpha * sin(b), power);
    const thud_test_system system = thud_test_puck(fx, fy, power == 1 ? "-t" : "-t^2", "1");
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(&system, 2, zero, zero, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.first_mode[0], alpha > 1 ? THUD_CONTACT_SLIDING : THUD_CONTACT_STICKING);
    assert_int_equal(run.first_order[0], power);
    double way = alpha < 1 ? 0 : (alpha - 1) * pow(2, power + 2) / ((power + 1) * (power + 2));
    thud_test_assert_near(run.end_q[0], way * cos(b), 1e-14);
    thud_test_assert_near(run.end_q[1], way * sin(b), 1e-14);
  }
}

/* A ball round 0 as the set of a law is a disc; with one component an interval is. */
static void balls_and_intervals_are_discs(void **state) {
  (void)state;
  static const char *const along[] = {"x'"};
  thud_context *context = thud_test_context(1);
  for (thud_index directions = 1; directions <= 2; directions++) {
    thud_test_system disc = thud_test_puck("t*cos(t) - x", "t*sin(t) - y", "-2", "0.5"), set = disc;
    const double centre[] = {0, 0}, v0[] = {0.4, directions == 2 ? 0.7 : 0, 0};
    static noted_run a, b;
    thud_set *made = NULL;
    thud_error error = directions == 2 ? thud_set_ball(context, 2, centre, 0.25, &made)
                                       : thud_set_interval(context, -0.25, 0.25, &made);
    assert_int_equal(error, THUD_OK);
    disc.friction[0].directions = set.friction[0].directions = directions;
    if (directions == 1) disc.friction[0].slip = set.friction[0].slip = along;
    set.friction[0].kind = THUD_FRICTION_SET;
    set.friction[0].set = made;
    set.friction[0].mu = "2";
    a = b = (noted_run){0};
    thud_test_event_run_to(&disc, 4, zero, v0, &a);
    thud_test_event_run_to(&set, 4, zero, v0, &b);
    thud_set_destroy(made);
    assert_int_equal(a.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(b.info.status, THUD_MOTION_COMPLETED);
    thud_assert_greater(a.events, 0);
    assert_int_equal(a.events, b.events);
    for (int k = 0; k < a.events; k++) thud_test_assert_near(b.event[k].event.t, a.event[k].event.t, 1e-12);
    for (int i = 0; i < 3; i++) thud_test_assert_near(b.end_q[i], a.end_q[i], 1e-12);
  }
  thud_test_context_end(context);
}

/* A load that turns while it grows: stick until its size reaches the threshold. It then slips along the load, whose
 * turning bends the path. */
static void sticking_ends_where_the_load_reaches_the_disc(void **state) {
  (void)state;
  const thud_test_system system = thud_test_puck("t*cos(t)", "t*sin(t)", "-2", "0.5");
  const double when = 1 + 1e-3;
  static noted_run run;
  run = (noted_run){.samples = 1, .sample_times = &when};
  thud_test_event_run_to(&system, 3, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-13);
  /* First order after it: w' = (t - 1) along the load, across only from the next order on. */
  double v = hypot(run.sample_v[0][0], run.sample_v[0][1]), angle = atan2(run.sample_v[0][1], run.sample_v[0][0]);
  thud_test_assert_near(v, 1e-6 / 2, 1e-9);
  thud_test_assert_near(angle, 1, 1e-3);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
}

static void puck_on_a_steep_enough_disc_does_not_creep(void **state) {
  (void)state;
  const thud_test_system system = thud_test_puck("9.81*sin(0.5)*0.6", "9.81*sin(0.5)*0.8", "-9.81*cos(0.5)", "0.5464");
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 1000, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.events, 0);
  for (int i = 0; i < 3; i++) thud_assert_equal(run.end_q[i], 0);
}

/* A brake: friction by itself, in one and in two directions. */
static void brakes_have_their_own_threshold(void **state) {
  (void)state;
  static const char *const one[] = {"x'"};
  for (int k = 0; k < 2; k++) {
    thud_test_system system = {
        .coordinates = {"x", "y"},
        .kinetic_energy = "x'^2 + y'^2",
        .friction = {
            {.name = "brake", .constraint = -1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = one, .mu = "3"}}};
    if (k == 1) {
      system.friction[0].directions = 2;
      system.friction[0].slip = floor_slip;
    }
    const double v0[] = {1.2, k == 0 ? 0 : 0.9}, speed = k == 0 ? 1.2 : 1.5, stop = speed / 1.5;
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(&system, 2, zero, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, 1);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
    thud_test_assert_near(run.event[0].event.t, stop, 1e-14);
    thud_test_assert_near(hypot(run.end_q[0], run.end_q[1]), speed * stop / 2, 1e-14);
    thud_test_assert_near(run.info.ledger.friction_loss, speed * speed, 1e-13);
  }
}

/* Mass 1 on a spring 1 on a belt of speed 1; the brake holds with 0.6 at rest and 0.4 in slip: a cycle of stick from
 * x = a to x = 0.6 and of slip round x = 0.4 with amplitude R = hypot(1, 0.2). */
static void belt_oscillator_has_its_stick_slip_period(void **state) {
  (void)state;
  static const char *const belt[] = {"x' - 1"};
  const thud_test_system system = {
      .coordinates = {"x"},
      .kinetic_energy = "x'^2/2",
      .potential_energy = "x^2/2",
      .friction = {
          {.name = "belt", .constraint = -1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = belt, .mu = "0.4"}}};
  static noted_run run;
  run = (noted_run){0};
  const double x0 = 0, v0 = 1;
  thud_test_event_run_to(&system, 40, &x0, &v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  /* Carried along to x = 0.4, where it begins a slip of infinitesimal amplitude: it swings round 0.4 at the speed of
   * the belt for ever, touching it once per period. */
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
  thud_test_assert_near(run.event[0].event.t, 0.4, 1e-14);
  double t = 40 - run.event[0].event.t;
  thud_test_assert_near(run.end_q[0], 0.4 + sin(t), 1e-10);
}

/* A bead on a straight rail (bilateral) with friction mu |r|: the load across changes its sign. */
static void friction_of_a_joint_takes_the_size_of_its_reaction(void **state) {
  (void)state;
  static const char *const along[] = {"x'"};
  const thud_test_system system = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .forces = {"0", "1 - t"},
      .constraints = {{.name = "rail", .kind = THUD_CONSTRAINT_BILATERAL, .source = "y"}},
      .friction = {
          {.name = "f", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = along, .mu = "0.5"}}};
  const double v0[] = {1, 0}, times[] = {0.5, 1.5};
  static noted_run run;
  run = (noted_run){.samples = 2, .sample_times = times};
  thud_test_event_run_to(&system, 4, zero, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  /* v = 1 - integral of |1 - t|/2: 3/4 - ... */
  thud_test_assert_near(run.sample_v[0][0], 1 - 0.5 * (0.5 - 0.125), 1e-14);
  thud_test_assert_near(run.sample_v[1][0], 0.75 - 0.5 * 0.125, 1e-14);
  double stop = 1 + sqrt(3);
  assert_int_equal(run.events, 2);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-14);
  thud_test_assert_near(run.event[1].event.t, stop, 1e-13);
  assert_int_equal(run.event[1].event.kind, THUD_EVENT_STICK);
}

/* ---- bodies with several contacts -------------------------------------------------------------------------------- */

/* A table of mass 1 with legs at (+-1/2, +-1/2): coordinates of its centre, small turns a, b, and c about the vertical.
 * The centre lies at the height of the floor, so that friction does not tilt it. */
static const char *const leg_slips[4][2] = {{"x' - 0.5*c'", "y' + 0.5*c'"},
                                            {"x' - 0.5*c'", "y' - 0.5*c'"},
                                            {"x' + 0.5*c'", "y' - 0.5*c'"},
                                            {"x' + 0.5*c'", "y' + 0.5*c'"}};
static thud_test_system table(const char *fx) {
  thud_test_system made = {.coordinates = {"x", "y", "z", "a", "b", "c"},
                           .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2 + 0.1*(a'^2 + b'^2) + 0.125*c'^2",
                           .potential_energy = "10*z",
                           .forces = {fx},
                           .constraints = {{.name = "1", .source = "z + 0.5*a - 0.5*b"},
                                           {.name = "2", .source = "z + 0.5*a + 0.5*b"},
                                           {.name = "3", .source = "z - 0.5*a + 0.5*b"},
                                           {.name = "4", .source = "z - 0.5*a - 0.5*b"}}};
  static const char *const names[] = {"f1", "f2", "f3", "f4"};
  for (int i = 0; i < 4; i++)
    made.friction[i] = (thud_expr_friction_def){.name = names[i],
                                                .constraint = i,
                                                .kind = THUD_FRICTION_DISC,
                                                .directions = 2,
                                                .slip = leg_slips[i],
                                                .mu = "0.3"};
  return made;
}

/* Forces of four legs are not unique; the motions below do not depend on them. */
static void table_on_four_legs_slides_spins_and_stands(void **state) {
  (void)state;
  const thud_test_system free = table("0"), pushed = table("2.9*sin(t)");
  const double slides[] = {1.8, -2.4, 0, 0, 0, 0}, spins[] = {0, 0, 0, 0, 0, 2};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&free, 2, zero, slides, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.event[0].event.t, 1, 1e-13);
  thud_test_assert_near(run.end_q[0], 0.9, 1e-13);
  thud_test_assert_near(run.end_q[1], -1.2, 1e-13);
  thud_test_assert_near(run.end_q[5], 0, 1e-13);
  /* All legs have the lever sqrt(1/2): c'' = -mu m g sqrt(1/2) / (1/4). */
  run = (noted_run){0};
  thud_test_event_run_to(&free, 2, zero, spins, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  double rate = 3 * sqrt(0.5) * 4;
  thud_test_assert_near(run.event[0].event.t, 2 / rate, 1e-12);
  thud_test_assert_near(run.end_q[5], 2 / rate, 1e-12);
  run = (noted_run){0};
  thud_test_event_run_to(&pushed, 20 / thud_test_share(4), zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  for (int i = 0; i < 6; i++) thud_test_assert_near(run.end_q[i], 0, 1e-14);
}

/* A tripod of mass 1 with legs at the angles p of a circle of radius 1/2 round its centre, which the table turns by c.
 */
static thud_test_system tripod(const char *fx, const char *fc) {
  static const char *const slips[3][2] = {
      {"x' - 0.5*sin(c)*c'", "y' + 0.5*cos(c)*c'"},
      {"x' - 0.5*sin(c + 2)*c'", "y' + 0.5*cos(c + 2)*c'"},
      {"x' - 0.5*sin(c + 4)*c'", "y' + 0.5*cos(c + 4)*c'"},
  };
  static const char *const names[] = {"f1", "f2", "f3"};
  thud_test_system made = {.coordinates = {"x", "y", "z", "a", "b", "c"},
                           .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2 + 0.1*(a'^2 + b'^2) + 0.125*c'^2",
                           .potential_energy = "10*z",
                           .forces = {fx, "0", "0", "0", "0", fc},
                           .constraints = {{.name = "1", .source = "z + 0.5*b"},
                                           {.name = "2", .source = "z + 0.5*sin(2)*a + 0.5*cos(2)*b"},
                                           {.name = "3", .source = "z + 0.5*sin(4)*a + 0.5*cos(4)*b"}}};
  for (int i = 0; i < 3; i++)
    made.friction[i] = (thud_expr_friction_def){
        .name = names[i], .constraint = i, .kind = THUD_FRICTION_DISC, .directions = 2, .slip = slips[i], .mu = "0.3"};
  return made;
}

/* Sliding and turning at once, or sliding on legs with different mu, the friction depends on how the legs share the
 * weight, which the rigid table leaves open; not so for three legs, and not in pure translation or spin. */
static void motions_that_depend_on_open_forces_are_told(void **state) {
  (void)state;
  const double both[] = {3, 0, 0, 0, 0, 1}, straight[] = {3, 1, 0, 0, 0, 0}, spin[] = {0, 0, 0, 0, 0, -2};
  thud_test_system four = table("0"), uneven = table("0"), pushed = table("2*t"), three = tripod("0", "0");
  uneven.friction[0].mu = "0.2";
  const struct {
    const thud_test_system *system;
    const double *v0;
    bool reported;
  } cases[] = {{&four, both, true},       {&four, straight, false}, {&four, spin, false}, {&four, zero, false},
               {&uneven, straight, true}, {&pushed, zero, false},   {&three, both, false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k += (size_t)thud_test_share(2)) {
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(cases[k].system, 0.5, zero, cases[k].v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.info.indeterminate_forces > 0, cases[k].reported);
    assert_int_equal(run.info.indeterminate_constraint, cases[k].reported ? 0 : -1);
    assert_int_equal(run.info.indeterminate_constraints, cases[k].reported ? 4 : 0);
    thud_test_assert_near(run.info.indeterminate_time, 0, 0);
  }
}

/* Legs that hold each other let go together where the load reaches what they can hold: c t until t = 3/c, or the moment
 * 3 sqrt(1/2); then m x'' = c t - 3. */
static void table_that_is_pushed_harder_lets_go(void **state) {
  (void)state;
  thud_test_system pushed = table("4*t"), turned = table("0");
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&pushed, 2, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
  thud_test_assert_near(run.event[0].event.t, 0.75, 1e-13);
  thud_test_assert_near(run.end_q[0], 4 * pow(1.25, 3) / 6, 1e-12);
  for (int i = 1; i < 6; i++) thud_test_assert_near(run.end_q[i], 0, 1e-13);
  if (thud_test_share(2) > 1) return;
  turned.forces[5] = "3*t";
  run = (noted_run){0};
  thud_test_event_run_to(&turned, 2, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.event[0].event.t, sqrt(0.5), 1e-13);
  thud_test_assert_near(run.end_q[5], 12 * pow(2 - sqrt(0.5), 3) / 6, 1e-12);
  for (int i = 0; i < 5; i++) thud_test_assert_near(run.end_q[i], 0, 1e-13);
}

/* Under a load without moment the table is a puck, also when the load turns as it grows. */
static void table_without_moment_is_a_puck(void **state) {
  (void)state;
  static const char *const loads[][2] = {{"4*t", "t^2"}, {"3 + t^2 + t^3", "t"}, {"4*sin(2*t)", "2 - 2*cos(t)"}};
  for (int k = 0; k < 3; k += thud_test_share(3)) {
    thud_test_system whole = table(loads[k][0]);
    const thud_test_system single = thud_test_puck(loads[k][0], loads[k][1], "-10", "0.3");
    static noted_run a, b;
    whole.forces[1] = loads[k][1];
    a = b = (noted_run){0};
    thud_test_event_run_to(&whole, 2, zero, zero, &a);
    thud_test_event_run_to(&single, 2, zero, zero, &b);
    assert_int_equal(b.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(a.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(a.events, b.events);
    for (int i = 0; i < a.events; i++) thud_test_assert_near(a.event[i].event.t, b.event[i].event.t, 1e-12);
    for (int i = 0; i < 2; i++) thud_test_assert_near(a.end_q[i], b.end_q[i], 1e-11);
    thud_assert_greater(hypot(a.end_q[0], a.end_q[1]), 0.1);
    thud_test_assert_near(a.end_q[5], 0, 1e-11);
  }
}

/* h(y) = sum tau_i |S_i y| on y = (1 - c w, u, w), F.y = 1 for the load t (1, 0, c): the legs hold it while t <= min h.
 * r_N of the three legs from sum r = 10, sum r (cos p, sin p) = 0. */
static double tripod_force(int i) { return 10 * (i == 1 ? -sin(4) : sin(2)) / (2 * sin(2) - sin(4)); }
static double tripod_support(double c, double u, double w) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += 0.3 * tripod_force(i) * hypot(1 - c * w - 0.5 * sin(2 * i) * w, u + 0.5 * cos(2 * i) * w);
  return sum;
}
static double least_over_u(double c, double w) {
  double low = -5, high = 5;
  for (int k = 0; k < 120; k++) {
    double u = low + (high - low) / 3, v = high - (high - low) / 3;
    if (tripod_support(c, u, w) < tripod_support(c, v, w))
      high = v;
    else
      low = u;
  }
  return tripod_support(c, low, w);
}
static double least_load(double c) {
  double low = -5, high = 5;
  for (int k = 0; k < 120; k++) {
    double u = low + (high - low) / 3, v = high - (high - low) / 3;
    if (least_over_u(c, u) < least_over_u(c, v))
      high = v;
    else
      low = u;
  }
  return least_over_u(c, low);
}

/* M q'' = F - sum tau_i S_i' u_i/|u_i| at time t: accelerations of x, y, c. */
static void tripod_accelerations(double t, double c, const double *q, const double *v, double *a) {
  a[0] = t;
  a[1] = 0;
  a[2] = 4 * c * t;
  for (int i = 0; i < 3; i++) {
    double sine = 0.5 * sin(q[5] + 2 * i), cosine = 0.5 * cos(q[5] + 2 * i);
    double u[] = {v[0] - sine * v[5], v[1] + cosine * v[5]}, size = hypot(u[0], u[1]), tau = 0.3 * tripod_force(i);
    a[0] -= tau * u[0] / size;
    a[1] -= tau * u[1] / size;
    a[2] -= 4 * tau * (cosine * u[1] - sine * u[0]) / size;
  }
}

/* A load with a moment: legs slip in different directions, and their paths bend. */
static void tripod_lets_go_on_its_limit_surface(void **state) {
  (void)state;
  static const char *const moments[] = {"0.3*t", "-t", "2*t"};
  const double ratios[] = {0.3, -1, 2}, h = 1e-4;
  for (int k = 0; k < 3; k += thud_test_share(3)) {
    const thud_test_system source = tripod("t", moments[k]);
    double limit = least_load(ratios[k]), times[6], a[3];
    static noted_run run;
    for (int i = 0; i < 6; i++) times[i] = limit + (i < 3 ? 0.02 : 0.8) + (i % 3 - 1) * h;
    run = (noted_run){.samples = 6, .sample_times = times};
    thud_test_event_run_to(&source, limit + 1, zero, zero, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
    thud_test_assert_near(run.event[0].event.t, limit, 5e-8);
    thud_assert_near(run.event[0].event.t, limit, 2 * run.event[0].event.t_error);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-12);
    for (int i = 1; i < 6; i += 3) {
      tripod_accelerations(times[i], ratios[k], run.sample_q[i], run.sample_v[i], a);
      for (int c = 0; c < 3; c++) {
        int j = c < 2 ? c : 5;
        thud_test_assert_near((run.sample_v[i + 1][j] - run.sample_v[i - 1][j]) / (2 * h), a[c], 2e-6);
      }
    }
    thud_assert_greater(hypot(run.end_v[0], run.end_v[5]), 0.02);
  }
}

/* A particle at rest in a wedge along x: pushed along it, it stays until the load reaches the sum of what both sides
 * hold, and then slides along both. */
static void particle_in_a_wedge_slides_along_it(void **state) {
  (void)state;
  static const char *const left[] = {"x'", "(y' - z')/sqrt(2)"}, *const right[] = {"x'", "(y' + z')/sqrt(2)"};
  thud_test_system wedge = {
      .coordinates = {"x", "y", "z"},
      .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2",
      .forces = {"0", "0", "-10"},
      .constraints = {{.name = "left", .source = "(z + y)/sqrt(2)"}, {.name = "right", .source = "(z - y)/sqrt(2)"}},
      .friction = {
          {.name = "l", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 2, .slip = left, .mu = "0.3"},
          {.name = "r", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 2, .slip = right, .mu = "0.3"}}};
  /* Sliding: N = 10/sqrt 2 each, friction 3 sqrt 2 in all. */
  const double v0[] = {2, 0, 0}, a = 3 * sqrt(2);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&wedge, 2, zero, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.event[0].event.t, 2 / a, 1e-13);
  thud_test_assert_near(run.end_q[0], 2 / a, 1e-13);
  for (int i = 1; i < 3; i++) thud_test_assert_near(run.end_q[i], 0, 1e-14);
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

/* A planar problem in space: the same slips, impacts and stops. */
static void planar_motion_in_space_is_the_planar_motion(void **state) {
  (void)state;
  static const char *const one[] = {"x'"};
  const char *const load = "2*sin(3*t)";
  const thud_test_system space = thud_test_puck(load, "0", "-4", "0.3");
  thud_test_system plane = {
      .coordinates = {"x", "z"},
      .kinetic_energy = "(x'^2 + z'^2)/2",
      .forces = {load, "-4"},
      .constraints = {{.name = "floor", .source = "z", .restitution = "0.5"}},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = one, .mu = "0.3"}}};
  const double q2[] = {0, 0.2}, v2[] = {1, 0}, q3[] = {0, 0, 0.2}, v3[] = {1, 0, 0};
  static noted_run a, b;
  a = b = (noted_run){0};
  thud_test_event_run_to(&plane, 10, q2, v2, &a);
  thud_test_event_run_to(&space, 10, q3, v3, &b);
  assert_int_equal(a.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(b.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(a.events, b.events);
  for (int k = 0; k < a.events; k++) {
    assert_int_equal(a.event[k].event.kind, b.event[k].event.kind);
    thud_test_assert_near(a.event[k].event.t, b.event[k].event.t, 1e-12);
  }
  thud_test_assert_near(b.end_q[0], a.end_q[0], 1e-12);
  thud_test_assert_near(b.end_q[1], 0, 1e-14);
  thud_assert_greater(a.events, 20);
}

/* Random pucks under turning loads over a bowl, in axes turned by an angle: the same motion. */
static void motions_do_not_depend_on_the_axes(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    thud_random random = thud_random_seed(seed);
    double load = thud_random_uniform(&random, 0, 4), turn = thud_random_uniform(&random, 0.2, 2);
    double angle = thud_random_uniform(&random, 0, 6), speed = thud_random_uniform(&random, 0, 2);
    static noted_run run[2];
    for (int k = 0; k < 2; k++) {
      char fx[120], fy[120];
      double by = k * angle;
      snprintf(fx, sizeof fx, "%.17g*cos(%.17g*t + %.17g) - x", load, turn, by);
      snprintf(fy, sizeof fy, "%.17g*sin(%.17g*t + %.17g) - y", load, turn, by);
      const thud_test_system system = thud_test_puck(fx, fy, "-5", "0.4");
      const double q0[] = {0, 0, 0.1 * (double)(seed % 2)}, v0[] = {speed * cos(by), speed * sin(by), 0};
      run[k] = (noted_run){0};
      thud_test_event_run_to(&system, 5, q0, v0, &run[k]);
      assert_int_equal(run[k].info.status, THUD_MOTION_COMPLETED);
      thud_assert_less(fabs(run[k].info.ledger.defect), 1e-11);
    }
    assert_int_equal(run[0].events, run[1].events);
    double x = run[1].end_q[0] * cos(angle) + run[1].end_q[1] * sin(angle);
    double y = run[1].end_q[1] * cos(angle) - run[1].end_q[0] * sin(angle);
    thud_test_assert_near(x, run[0].end_q[0], 1e-9);
    thud_test_assert_near(y, run[0].end_q[1], 1e-9);
  }
}

/* Time stepping converges to the same motion with the first power of the step. */
static void time_stepping_converges_to_it(void **state) {
  (void)state;
  const thud_test_system source = thud_test_puck("2.5*cos(2*t) - x", "2.5*sin(3*t) - y", "-5", "0.3");
  const double v0[] = {1, 0.5, 0};
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&source, 3, zero, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &source);
  double errors[2];
  for (int k = 0; k < 2; k++) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU_JEAN, 3, k == 0 ? 1500 : 6000);
    double q[3], v[3];
    thud_test_stepping(context, system, &options, zero, v0, NULL, NULL, q, v);
    errors[k] = hypot(q[0] - run.end_q[0], q[1] - run.end_q[1]);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
  thud_assert_less(errors[1], 5e-3);
  thud_assert_less(errors[1], errors[0] / 2.5);
}

/* Random particles over up to three curved obstacles with friction: nothing is penetrated, the energy balances, and no
 * run ends early. */
static void random_motions_in_space_run_to_the_end(void **state) {
  (void)state;
  int interrupted = 0;
  for (uint64_t seed = 1; seed <= 80; seed += (uint64_t)(thud_test_share(8) * THUD_TEST_STRIDE(2))) {
    thud_random random = thud_random_seed(seed);
    static char kinetic[200], gaps[3][160], slips[3][2][80], mus[3][16];
    static const char *slip[3][2];
    static const char *const names[] = {"f1", "f2", "f3"}, *const e[] = {"0", "0.3", "0.6", "0.9", "0"};
    thud_test_system system = {.coordinates = {"x", "y", "z"}, .potential_energy = "z + 0.4*x^2 + 0.3*y^2 + 0.1*x*y"};
    snprintf(kinetic, sizeof kinetic, "(%.3f + 0.2*cos(z))*x'^2 + %.3f*y'^2 + z'^2 + 0.1*x'*z' + %.3f*x'*y'",
             thud_random_uniform(&random, 0.5, 1.5), thud_random_uniform(&random, 0.5, 1.5),
             thud_random_uniform(&random, -0.3, 0.3));
    system.kinetic_energy = kinetic;
    uint32_t count = 1 + thud_random_below(&random, 3);
    for (uint32_t i = 0; i < count; i++) {
      double c[4];
      for (int k = 0; k < 4; k++) c[k] = thud_random_uniform(&random, -1, 1) * (k % 2 == 0 ? 1 : 0.3);
      snprintf(gaps[i], sizeof gaps[i], "z + %.3f*x + %.3f*x^2 + %.3f*y + %.3f*y^2 + %.1f", c[0], c[1], c[2], c[3],
               0.1 * i);
      for (int k = 0; k < 2; k++) {
        snprintf(slips[i][k], sizeof slips[i][k], "%s' - (%.3f + 2*%.3f*%s)*z'", k == 0 ? "x" : "y", c[2 * k],
                 c[2 * k + 1], k == 0 ? "x" : "y");
        slip[i][k] = slips[i][k];
      }
      snprintf(mus[i], sizeof mus[i], "%.3f", thud_random_uniform(&random, 0.05, 0.8));
      system.constraints[i] = (thud_expr_constraint_def){
          .name = gaps[i], .source = gaps[i], .restitution = e[thud_random_below(&random, 5)]};
      system.friction[i] = (thud_expr_friction_def){.name = names[i],
                                                    .constraint = (thud_index)i,
                                                    .kind = THUD_FRICTION_DISC,
                                                    .directions = 2,
                                                    .slip = slip[i],
                                                    .mu = mus[i]};
    }
    double v0[3];
    const double q0[] = {0.1, 0.2, 1.2};
    for (int k = 0; k < 3; k++) v0[k] = thud_random_uniform(&random, -1, 1);
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(&system, 6, q0, v0, &run);
    interrupted += run.info.status == THUD_MOTION_STOPPED; /* more events than are kept */
    if (run.info.status > THUD_MOTION_STOPPED) fail_msg("seed %d: %s", (int)seed, run.message);
    thud_assert_greater(run.info.worst_gap, -1e-11);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-10);
  }
  thud_assert_at_most(interrupted, 4 / thud_test_share(4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(puck_slides_straight_and_stops),
      cmocka_unit_test(puck_on_an_incline_turns_downhill),
      cmocka_unit_test(turning_slip_stops_whatever_the_order),
      cmocka_unit_test(ball_slides_on_a_parabola_and_then_rolls),
      cmocka_unit_test(percussion_slows_slip_in_its_direction),
      cmocka_unit_test(slip_begins_from_rest_in_the_direction_of_the_load),
      cmocka_unit_test(balls_and_intervals_are_discs),
      cmocka_unit_test(sticking_ends_where_the_load_reaches_the_disc),
      cmocka_unit_test(puck_on_a_steep_enough_disc_does_not_creep),
      cmocka_unit_test(brakes_have_their_own_threshold),
      cmocka_unit_test(belt_oscillator_has_its_stick_slip_period),
      cmocka_unit_test(friction_of_a_joint_takes_the_size_of_its_reaction),
      cmocka_unit_test(table_on_four_legs_slides_spins_and_stands),
      cmocka_unit_test(motions_that_depend_on_open_forces_are_told),
      cmocka_unit_test(table_that_is_pushed_harder_lets_go),
      cmocka_unit_test(table_without_moment_is_a_puck),
      cmocka_unit_test(tripod_lets_go_on_its_limit_surface),
      cmocka_unit_test(particle_in_a_wedge_slides_along_it),
      cmocka_unit_test(planar_motion_in_space_is_the_planar_motion),
      cmocka_unit_test(motions_do_not_depend_on_the_axes),
      cmocka_unit_test(time_stepping_converges_to_it),
      cmocka_unit_test(random_motions_in_space_run_to_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
