/* Event-driven motions of systems given by functions in C: the same as those of the expressions, closed forms, the
 * parts of their arcs, functions that fail. */
#include "as_functions.h"
#include "events.h"
#include "failing_allocator.h"
#include "sample_systems.h"
#include "motions/event/arc_functions.h"
#include "motions/event/arc_polynomial.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CVODE where libthud has it. */
#ifdef THUD_WITH_CVODE
enum { LAST_ARCS = THUD_ARCS_CVODE };
#else
enum { LAST_ARCS = THUD_ARCS_RUNGE_KUTTA };
#endif

#define PI 3.14159265358979323846

/* ---- beside expressions ------------------------------------------------------------------------------------------ */

static const char *const slip_T[] = {"T'"}, *const slip_xy[] = {"x'", "y'"}, *const belt[] = {"T' - 1"};

#define KLARBRING(potential, friction_mu, velocity)                                                                    \
  {                                                                                                                    \
    .coordinates = {"N", "T"}, .kinetic_energy = "(N'^2 + T'^2)/2", .potential_energy = potential,                     \
    .constraints = {{.name = "obstacle", .source = "N", .is_phi = true, .restitution = "0.5"}}, .friction = {          \
      {.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = velocity, .mu = friction_mu}                  \
    }                                                                                                                  \
  }

typedef struct twin {
  const char *name;
  thud_test_system system;
  double end, q0[6], v0[6];
  int events; /* at least */
} twin;

static const twin twins[] = {
    {"C1 bouncing particle",
     {.coordinates = {"q"},
      .kinetic_energy = "q'^2/2",
      .forces = {"2"},
      .constraints = {{.name = "floor", .source = "q", .is_phi = true, .restitution = "0.5"}}},
     4,
     {-1},
     {0},
     20},
    {"C2 bouncing particle, e = 0.8",
     {.coordinates = {"q"},
      .kinetic_energy = "q'^2/2",
      .forces = {"9.81"},
      .constraints = {{.name = "floor", .source = "q", .is_phi = true, .restitution = "0.8"}}},
     5,
     {-1},
     {0},
     60},
    {"pendulum that hits a wall",
     {.coordinates = {"th"},
      .kinetic_energy = "th'^2/2",
      .potential_energy = "-9.81*cos(th)",
      .constraints = {{.name = "wall", .source = "th + 0.3", .restitution = "0.9"}}},
     6,
     {1},
     {0},
     5},
    {"pendulum on a rod that hits a wall",
     {.coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .potential_energy = "9.81*y",
      .constraints = {{.name = "rod", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2 + y^2 - 1"},
                      {.name = "wall", .source = "x + 0.3", .restitution = "0.5"}}},
     4,
     {0.8, -0.6},
     {0, 0},
     3},
    {"C8 release",
     {.coordinates = {"q"},
      .kinetic_energy = "q'^2/2",
      .forces = {"1 - t"},
      .constraints = {{.name = "floor", .source = "q", .is_phi = true}}},
     3,
     {0},
     {0},
     1},
    {"slides off a sphere",
     {.coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .forces = {"0", "-9.81"},
      .constraints = {{.name = "sphere", .source = "x^2 + y^2 - 1"}}},
     1,
     {0, 1},
     {1, 0},
     1},
    {"C15 double pendulum",
     {.coordinates = {"a", "b"},
      .kinetic_energy = "2/3*a'^2 + a'*b'*cos(a - b) + 2/3*b'^2",
      .potential_energy = "a^2/2 + (b - a)^2/2",
      .constraints = {{.name = "knee", .source = "sin(a)", .restitution = "1"},
                      {.name = "foot", .source = "sin(a) + 2*sin(b)", .restitution = "1"}}},
     8,
     {PI / 2, 0},
     {0, 0},
     1},
    {"C16 rolling ball",
     {.coordinates = {"x", "y", "a", "b", "c"},
      .kinetic_energy = "x'^2 + y'^2 + 0.036*(a'^2 + b'^2 + c'^2)",
      .forces = {"0.7", "-0.4"},
      .constraints = {{.name = "x", .kind = THUD_CONSTRAINT_VELOCITY, .source = "x' - 0.3*b'"},
                      {.name = "y", .kind = THUD_CONSTRAINT_VELOCITY, .source = "y' + 0.3*a'"}}},
     1,
     {0},
     {0, 0, 0, 0, 1.5},
     0},
    {"C17 freewheel",
     {.coordinates = {"a", "b"},
      .kinetic_energy = "(a'^2 + b'^2)/4",
      .forces = {"1", "0"},
      .constraints = {{.name = "wheel", .kind = THUD_CONSTRAINT_VELOCITY_ONE_SIDED, .source = "b' - a'"}}},
     2,
     {0},
     {-1, 0},
     1},
    {"shaking wall",
     {.coordinates = {"q"},
      .kinetic_energy = "q'^2/2",
      .potential_energy = "q",
      .constraints = {{.name = "wall", .source = "q - 0.1*sin(20*t)"}}},
     13,
     {0},
     {2},
     5},
    {"three in a row",
     {.coordinates = {"a", "b", "c"},
      .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
      .constraints = {{.name = "ab", .source = "b - a", .restitution = "0.5"},
                      {.name = "bc", .source = "c - b", .restitution = "0.5"}}},
     3,
     {-1, 0, 0},
     {1, 0, 0},
     1},
    {"K1 impacts with friction", KLARBRING("(N^2 + T^2)/2", "0.5", slip_T), 4 * PI, {-1, -1}, {0}, 4},
    {"K2 slides back and sticks", KLARBRING("N^2 + N*T + T^2 - 3*N", "1", slip_T), 4, {0}, {0, 4}, 2},
    {"K4 leaves at order 2", KLARBRING("N^2 + N*T + T^2 - T", "1", slip_T), 5.11, {0}, {0}, 1},
    {"K6 holds at order 2", KLARBRING("N^2 - N*T + T^2 - T", "1", slip_T), 4, {0}, {0}, 1},
    {"belt, friction falls with the slip",
     KLARBRING("T^2/2 - N", "0.5*(1 + exp(-abs(T' - 1)))/2", belt),
     30,
     {0},
     {0, 0.2},
     4},
    {"puck on a slope",
     {.coordinates = {"x", "y", "z"},
      .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2",
      .forces = {"9.81*sin(0.5)", "0", "-9.81*cos(0.5)"},
      .constraints = {{.name = "floor", .source = "z", .restitution = "0.5"}},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 2, .slip = slip_xy, .mu = "0.3"}}},
     0.5,
     {0},
     {-0.8, 1.8, 0},
     0},
};

static void compare_events(const twin *given, const noted_run *series, const noted_run *functions) {
  if (series->events != functions->events)
    fail_msg("%s: %d events and %d", given->name, series->events, functions->events);
  for (int k = 0; k < series->events; k++) {
    const noted_event *one = &series->event[k], *other = &functions->event[k];
    if (one->event.kind != other->event.kind)
      fail_msg("%s: event %d is %s and %s", given->name, k, thud_event_kind_name(one->event.kind),
               thud_event_kind_name(other->event.kind));
    thud_test_assert_near(other->event.t, one->event.t, 1e-9);
    for (int i = 0; i < series->n; i++) thud_test_assert_near(other->after[i], one->after[i], 1e-9);
    for (int i = 0; i < series->m; i++) {
      assert_int_equal(other->mode_after[i], one->mode_after[i]);
      thud_test_assert_near(other->impulse[i], one->impulse[i], 1e-9);
    }
    if (one->event.kind != THUD_EVENT_ZENO) continue;
    thud_test_assert_near(other->total[0], one->total[0], 1e-9);
    thud_test_assert_near(other->event.ratio, one->event.ratio, 1e-4);
  }
}

/* The motion by other arcs beside that of the series. */
static void compare_runs(const twin *given, const noted_run *series, const noted_run *other) {
  if (series->info.status != THUD_MOTION_COMPLETED || other->info.status != THUD_MOTION_COMPLETED)
    fail_msg("%s: %s", given->name, other->message);
  thud_assert_at_least(series->events, given->events);
  /* Switches of expressions are events that functions do not have. */
  if (series->info.switches == 0) compare_events(given, series, other);
  for (int i = 0; i < series->n; i++) {
    thud_test_assert_near(other->end_q[i], series->end_q[i], 1e-9);
    thud_test_assert_near(other->end_v[i], series->end_v[i], 1e-9);
  }
  thud_test_assert_near(other->info.ledger.impact_loss, series->info.ledger.impact_loss, 1e-9);
  thud_test_assert_near(other->info.ledger.friction_loss, series->info.ledger.friction_loss, 1e-9);
  thud_assert_less(fabs(other->info.ledger.defect), 1e-9);
  thud_assert_greater(other->info.worst_gap, -1e-10);
  assert_int_equal(other->info.order, ARC_NODES + ARC_KNOWN - 1);
}

static void functions_move_as_their_expressions(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof twins / sizeof *twins; k++) {
    const twin *given = &twins[k];
    static noted_run series, other;
    thud_event_options options = thud_event_options_default();
    series = other = (noted_run){0};
    options.end = given->end;
    thud_test_event_run(&given->system, &options, given->q0, given->v0, &series);
    for (int arcs = THUD_ARCS_RUNGE_KUTTA; arcs <= LAST_ARCS; arcs++) {
      options.arcs = arcs;
      other = (noted_run){0};
      thud_test_event_run_functions(&given->system, &options, given->q0, given->v0, &other);
      compare_runs(given, &series, &other);
    }
  }
}

/* Glocker's woodpecker: sticking, sliding and impacts in turn, stiff beside its drop. */
static void woodpecker_of_functions_has_the_same_cycle(void **state) {
  (void)state;
  static noted_run run;
  thud_event_options options = thud_event_options_default();
  run = (noted_run){0};
  options.end = 4;
  thud_test_event_run_functions(&thud_test_woodpecker, &options, thud_test_woodpecker_q, thud_test_woodpecker_v, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  double last = 0, before = 0;
  for (int k = 0; k < run.events; k++) {
    if (run.event[k].event.kind != THUD_EVENT_IMPACT || run.event[k].impulse[0] == 0) continue;
    before = last;
    last = run.event[k].event.t;
  }
  thud_test_assert_near(last - before, 0.1460, 1e-4);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-9);
}

/* ---- systems in C ------------------------------------------------------------------------------------------------ */

/* A particle of mass 1 on a line, with a gap. */
typedef struct line_system {
  double (*force)(double t, double q);
  double (*gap)(double q);
  double (*slope)(double q);
  double restitution;
  int (*status)(double t, double q); /* NULL: 0 */
} line_system;

static int line_force(void *user, double t, const double *q, const double *v, double *out) {
  const line_system *line = user;
  (void)v;
  *out = line->force != NULL ? line->force(t, *q) : 0;
  return line->status != NULL ? line->status(t, *q) : 0;
}

static int line_gap(void *user, double t, const double *q, const double *v, double *out) {
  const line_system *line = user;
  (void)t;
  (void)v;
  *out = line->gap(*q);
  return 0;
}

static int line_gradient(void *user, double t, const double *q, const double *v, double *out) {
  const line_system *line = user;
  (void)t;
  (void)v;
  *out = line->slope(*q);
  return 0;
}

static thud_system *make_line(thud_context *context, line_system *line) {
  static const char *const names[] = {"q"};
  const double mass = 1;
  const thud_constraint_def wall = {.name = "wall", .restitution = line->restitution};
  const thud_system_def def = {
      .n = 1,
      .coordinates = names,
      .mass = &mass,
      .m = 1,
      .constraints = &wall,
      .functions = {.user = line, .force = line_force, .constraint = line_gap, .gradient = line_gradient}};
  thud_system *system = NULL;
  if (thud_system_create(context, &def, &system) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return system;
}

static void run_line(line_system *line, const thud_event_options *options, double q0, double v0, noted_run *run) {
  thud_context *context = thud_test_context(1);
  thud_system *system = make_line(context, line);
  *run = (noted_run){0};
  thud_test_event_run_system(context, system, options, &q0, &v0, run);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static double identity(double q) { return q; }
static double one(double q) {
  (void)q;
  return 1;
}
static double two(double t, double q) {
  (void)t;
  (void)q;
  return -2;
}

static void bouncing_particle_in_c_comes_to_rest_at_three(void **state) {
  (void)state;
  line_system line = {.force = two, .gap = identity, .slope = one, .restitution = 0.5};
  thud_event_options options = thud_event_options_default();
  static noted_run run;
  options.end = 4;
  run_line(&line, &options, 1, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.zeno_limits, 1);
  for (int k = 0; k < run.events - 1; k++) thud_test_assert_near(run.event[k].event.t, 3 - exp2(1 - k), 1e-12);
  const noted_event *last = &run.event[run.events - 1];
  assert_int_equal(last->event.kind, THUD_EVENT_ZENO);
  thud_test_assert_near(last->event.t, 3, 1e-12);
  thud_test_assert_near(last->total[0], 6, 1e-11);
  thud_test_assert_near(run.last_reaction[0], 2, 1e-12);
}

/* ---- nothing is stepped over ------------------------------------------------------------------------------------- */

static double bump(double q) { return 0.5 - exp(-q * q / 1e-4); }
static double bump_slope(double q) { return 2e4 * q * exp(-q * q / 1e-4); }
static double valley; /* depth of the parabola below */
static double parabola(double q) { return valley + q * q; }
static double parabola_slope(double q) { return 2 * q; }

/* A bump of width 0.01 on a way of length 2. */
static void narrow_bumps_are_hit(void **state) {
  (void)state;
  line_system line = {.gap = bump, .slope = bump_slope, .restitution = 1};
  thud_event_options options = thud_event_options_default();
  static noted_run run;
  double edge = 0.01 * sqrt(log(2));
  for (int k = 0; k < 20; k++) {
    double start = -1 - 0.0173 * k;
    options.end = 2;
    run_line(&line, &options, start, 1, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, 1);
    thud_test_assert_near(run.event[0].event.t, -edge - start, 1e-12);
    thud_test_assert_near(run.end_q[0], -edge - (2 - (-edge - start)), 1e-12);
  }
}

static void near_misses_and_shallow_hits_are_told_apart(void **state) {
  (void)state;
  line_system line = {.gap = parabola, .slope = parabola_slope, .restitution = 1};
  thud_event_options options = thud_event_options_default();
  static noted_run run;
  options.end = 2;
  const double depths[] = {1e-3, 1e-8, -1e-8, -1e-4};
  for (int k = 0; k < 4; k++) {
    valley = depths[k];
    run_line(&line, &options, -0.9, 1, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, valley > 0 ? 0 : 1);
    if (valley < 0) thud_test_assert_near(run.event[0].event.t, 0.9 - sqrt(-valley), 1e-9);
  }
  /* Where the valley only touches 0 the gap has no gradient. */
  valley = 0;
  run_line(&line, &options, -0.9, 1, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
  thud_test_assert_near(run.info.time, 0.9, 1e-6);
}

/* ---- the parts of an arc ----------------------------------------------------------------------------------------- */

static thud_error oscillate(void *user, double s, const double *y, double *slope) {
  (void)user;
  slope[0] = y[1];
  slope[1] = -y[0] + cos(2 * s);
  return THUD_OK;
}

/* y'' = -y + cos 2s from (1, 0): y = 4/3 cos s - 1/3 cos 2s. */
static double exact(double s) { return (4 * cos(s) - cos(2 * s)) / 3; }

static void step(double h, double *end_error, double *dense_error, double *estimate) {
  double start[2] = {1, 0}, end[2], slope[DOP853_ALL * 2], dense[DOP853_DENSE * 2], trial[2], five[2], three[2], y[2];
  dop853 method = {2, start, end, slope, dense, trial};
  oscillate(NULL, 0, start, slope);
  assert_int_equal(thud_dop853_step(&method, h, oscillate, NULL), THUD_OK);
  assert_int_equal(thud_dop853_make_dense(&method, h, oscillate, NULL), THUD_OK);
  thud_dop853_errors(&method, h, five, three);
  *estimate = thud_dop853_combine(hypot(five[0], five[1]), hypot(three[0], three[1]));
  *end_error = fabs(end[0] - exact(h));
  *dense_error = 0;
  for (int k = 1; k < 20; k++) {
    thud_dop853_at(&method, k / 20.0, y);
    *dense_error = fmax(*dense_error, fabs(y[0] - exact(h * k / 20)));
  }
}

/* Local errors: h^9 of the step, h^8 of the dense output and of the estimate. */
static void runge_kutta_pair_has_its_orders(void **state) {
  (void)state;
  double end[2], dense[2], estimate[2];
  for (int k = 0; k < 2; k++) step(0.8 / (1 + k), &end[k], &dense[k], &estimate[k]);
  thud_assert_greater(log2(end[0] / end[1]), 8.5);
  thud_assert_greater(log2(dense[0] / dense[1]), 7.5);
  thud_assert_greater(log2(estimate[0] / estimate[1]), 7.5);
  thud_assert_greater(estimate[0], end[0]);
}

/* Steps of fixed length with a tolerance that accepts everything: the error of the whole falls like h^8 or faster. */
static void arcs_converge_with_their_order(void **state) {
  (void)state;
  const thud_test_system pendulum = {
      .coordinates = {"th"}, .kinetic_energy = "th'^2/2", .potential_energy = "-cos(th)"};
  const double q0 = 2, v0 = 0;
  thud_event_options options = thud_event_options_default();
  static noted_run exactly, run;
  double errors[2];
  options.end = 8;
  exactly = (noted_run){0};
  thud_test_event_run(&pendulum, &options, &q0, &v0, &exactly);
  options.tolerance = 1e-3;
  options.defect_tolerance = 1e-2;
  for (int k = 0; k < 2; k++) {
    options.max_step = 1.0 / (1 + k);
    run = (noted_run){0};
    thud_test_event_run_functions(&pendulum, &options, &q0, &v0, &run);
    errors[k] = fabs(run.end_q[0] - exactly.end_q[0]);
  }
  thud_assert_less(errors[0], 1e-2);
  thud_assert_greater(log2(errors[0] / errors[1]), 7.5);
}

static void polynomials_know_their_errors(void **state) {
  (void)state;
  arc_interpolation interpolation;
  double values[ARC_NODES], c[ARC_NODES + ARC_KNOWN];
  thud_arc_interpolation_make(&interpolation);
  for (int known = 1; known <= ARC_KNOWN; known++)
    for (int w = 2; w <= 6; w++) {
      double worst = 0, estimate = 0, start[] = {cos(0.3), -w * sin(0.3), -w * w * cos(0.3) / 2};
      memcpy(c, start, (size_t)known * sizeof *c);
      for (int k = 0; k < ARC_NODES; k++) values[k] = cos(0.3 + w * interpolation.place[k]);
      thud_arc_interpolate(&interpolation, known, values, 1, c);
      for (int k = 0; k <= 300; k++)
        worst = fmax(worst,
                     fabs(thud_arc_polynomial(known + ARC_NODES - 1, c, k / 300.0, NULL) - cos(0.3 + w * k / 300.0)));
      for (int k = 0; k < ARC_CHECKS; k++) {
        double x = interpolation.place[ARC_NODES + k];
        double error = fabs(thud_arc_polynomial(known + ARC_NODES - 1, c, x, NULL) - cos(0.3 + w * x));
        estimate = fmax(estimate, error * interpolation.gain[known][0][k]);
      }
      thud_assert_at_most(worst, 2 * estimate + 1e-14);
      assert_true(w < 4 || estimate <= 3 * worst);
    }
}

/* ---- functions that fail ----------------------------------------------------------------------------------------- */

/* Cannot be evaluated beyond the wall. */
static int behind_the_wall(double t, double q) {
  (void)t;
  return q < -0.01 ? 1 : 0;
}
static int never_after_half(double t, double q) {
  (void)q;
  return t > 0.5 ? 1 : 0;
}
static int abort_after_half(double t, double q) {
  (void)q;
  return t > 0.5 ? -7 : 0;
}
static double nan_after_half(double t, double q) {
  (void)q;
  return t > 0.5 ? NAN : -2;
}

static void assert_failures_are_told(int arcs) {
  line_system line = {.force = two, .gap = identity, .slope = one, .restitution = 0.5, .status = behind_the_wall};
  thud_event_options options = thud_event_options_default();
  static noted_run run;
  options.arcs = arcs;
  options.end = 4;
  options.max_step = 1;
  run_line(&line, &options, 1, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.event[run.events - 1].event.t, 3, 1e-11);
  line.status = never_after_half;
  run_line(&line, &options, 1, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BAD_DATA);
  thud_test_assert_near(run.info.time, 0.5, 1e-9);
  assert_non_null(strstr(run.message, "the step vanishes at t = 0.5: system: the function 'force' returned 1 (cannot "
                                      "be evaluated here, a shorter step may help) at t = 0.5, q = 0.75, q' = -1"));
  line.status = abort_after_half;
  run_line(&line, &options, 1, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BAD_DATA);
  thud_assert_at_most(run.info.time, 0.5);
  assert_non_null(strstr(run.message, "system: the function 'force' returned -7 (abort) at t ="));
  line.status = NULL;
  line.force = nan_after_half;
  run_line(&line, &options, 1, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_BAD_DATA);
  thud_test_assert_near(run.info.time, 0.5, 1e-9);
  assert_non_null(
      strstr(run.message,
             "the step vanishes at t = 0.5: system: the force of coordinate 'q' is NaN at t = 0.5, q = 0.75, q' = -1"));
}

static void functions_that_fail_shorten_the_step_or_end_the_run(void **state) {
  (void)state;
  for (int arcs = THUD_ARCS_RUNGE_KUTTA; arcs <= LAST_ARCS; arcs++) assert_failures_are_told(arcs);
}

static double explode(double t, double q) {
  (void)t;
  return exp(q);
}
static double grow(double t, double q) {
  (void)q;
  return t * t * t * t * t;
}
static double shrink(double t, double q) { return -grow(t, q); }

static void blow_ups_and_undecided_contacts_are_told(void **state) {
  (void)state;
  line_system line = {.force = explode, .gap = identity, .slope = one};
  thud_event_options options = thud_event_options_default();
  static noted_run run;
  options.end = 20;
  run_line(&line, &options, 1, 1, &run);
  assert_true(run.info.status == THUD_MOTION_BLOW_UP || run.info.status == THUD_MOTION_BAD_DATA);
  thud_assert_less(run.info.time, 3);
  options.end = 1;
  options.on_undecided = THUD_UNDECIDED_STOP;
  line.force = grow;
  run_line(&line, &options, 0, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNDECIDED);
  assert_int_equal(run.info.undecided_order, 2);
  options.on_undecided = THUD_UNDECIDED_CONTINUE;
  run_line(&line, &options, 0, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 1.0 / 42, 1e-9);
  line.force = shrink;
  run_line(&line, &options, 0, 0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 0, 1e-12);
  thud_test_assert_near(run.last_reaction[0], 1, 1e-9);
}

/* ---- interface --------------------------------------------------------------------------------------------------- */

static void checkpoints_give_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  line_system line = {.force = two, .gap = identity, .slope = one, .restitution = 0.9};
  thud_system *system = make_line(context, &line);
  thud_event_options options = thud_event_options_default();
  thud_motion *motion, *other;
  thud_event_motion_info info, again;
  double q0 = 1, v0 = 0;
  options.end = 9;
  options.max_events = 3;
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &motion), THUD_OK);
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &other), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_TOO_MANY);
  size_t size = thud_motion_state_size(motion);
  void *block = malloc(size);
  assert_non_null(block);
  thud_motion_save(motion, block);
  assert_int_equal(thud_motion_restore(other, block, size), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(thud_test_run_motion(other, NULL, &again), THUD_OK);
  assert_int_equal(info.arcs, again.arcs);
  thud_assert_equal(info.time, again.time);
  thud_assert_equal(thud_event_motion_present(motion).q[0], thud_event_motion_present(other).q[0]);
  free(block);
  thud_motion_destroy(motion);
  thud_motion_destroy(other);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_error create_and_run(thud_context *context, void *user) {
  static const char *const names[] = {"q"};
  const double mass = 1, q0 = 1, v0 = 0;
  const thud_constraint_def wall = {.name = "wall", .restitution = 0.5};
  const thud_system_def def = {
      .n = 1,
      .coordinates = names,
      .mass = &mass,
      .m = 1,
      .constraints = &wall,
      .functions = {.user = user, .force = line_force, .constraint = line_gap, .gradient = line_gradient}};
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_event_options options = thud_event_options_default();
  thud_error error = thud_system_create(context, &def, &system);
  options.end = 2;
  options.arcs = LAST_ARCS;
  if (error == THUD_OK) error = thud_event_motion_create(context, system, &options, &q0, &v0, &motion);
  if (error == THUD_OK) {
    uint64_t before = thud_context_allocation_count(context);
    error = thud_motion_run(motion, NULL, NULL);
    assert_int_equal(thud_context_allocation_count(context), before);
  }
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  line_system line = {.force = two, .gap = identity, .slope = one};
  thud_assert_greater(thud_test_sweep_allocations(create_and_run, &line), 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_move_as_their_expressions),
      cmocka_unit_test(woodpecker_of_functions_has_the_same_cycle),
      cmocka_unit_test(bouncing_particle_in_c_comes_to_rest_at_three),
      cmocka_unit_test(narrow_bumps_are_hit),
      cmocka_unit_test(near_misses_and_shallow_hits_are_told_apart),
      cmocka_unit_test(runge_kutta_pair_has_its_orders),
      cmocka_unit_test(arcs_converge_with_their_order),
      cmocka_unit_test(polynomials_know_their_errors),
      cmocka_unit_test(functions_that_fail_shorten_the_step_or_end_the_run),
      cmocka_unit_test(blow_ups_and_undecided_contacts_are_told),
      cmocka_unit_test(checkpoints_give_the_same_bits),
      cmocka_unit_test(failing_allocations_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
