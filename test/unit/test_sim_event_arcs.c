/* Where the arcs of event-driven motions come from: the choices, and stiff systems by CVODE where libthud has it. */
#include "as_functions.h"
#include "events.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- choices ----------------------------------------------------------------------------------------------------- */

static const thud_test_system bouncing = {
    .coordinates = {"q"},
    .kinetic_energy = "q'^2/2",
    .forces = {"2"},
    .constraints = {{.name = "floor", .source = "q", .is_phi = true, .restitution = "0.5"}}};

/* Creates a motion with these arcs, which must be refused with all of the words. */
static void assert_refused(thud_context *context, const thud_system *system, int arcs, const char *first,
                           const char *second) {
  thud_event_options options = thud_event_options_default();
  thud_motion *motion = NULL;
  const double q0 = -1, v0 = 0;
  options.arcs = arcs;
  assert_int_equal(thud_event_motion_create(context, system, &options, &q0, &v0, &motion), THUD_ERROR_UNSUPPORTED);
  assert_null(motion);
  assert_non_null(strstr(thud_context_last_message(context), first));
  assert_non_null(strstr(thud_context_last_message(context), second));
}

static void functions_have_no_series(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  as_functions *functions = thud_test_as_functions(context, system);
  assert_refused(context, thud_test_as_functions_system(functions), THUD_ARCS_SERIES,
                 "arcs 'series': a system given by functions in C has no power series; use 'auto'", "auto");
  thud_test_as_functions_destroy(functions);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void switches_need_series(void **state) {
  (void)state;
  const thud_test_system kinked = {.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .potential_energy = "abs(q)"};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &kinked);
  assert_refused(context, system, THUD_ARCS_RUNGE_KUTTA, "branch", "'series'");
  assert_refused(context, system, THUD_ARCS_CVODE, "branch", "'series'");
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* C1 by the Runge-Kutta method from its expressions: impacts at 3 - 2^(1-k), at rest from t = 3 on. */
static void assert_comes_to_rest_at_three(int arcs, double tolerance) {
  static noted_run run;
  thud_event_options options = thud_event_options_default();
  const double q0 = -1, v0 = 0;
  run = (noted_run){0};
  options.end = 4;
  options.arcs = arcs;
  thud_test_event_run(&bouncing, &options, &q0, &v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.order, 14);
  assert_int_equal(run.info.zeno_limits, 1);
  for (int k = 0; k < 10; k++) {
    assert_int_equal(run.event[k].event.kind, THUD_EVENT_IMPACT);
    thud_test_assert_near(run.event[k].event.t, 3 - ldexp(1, 1 - k), tolerance);
    thud_test_assert_near(run.event[k].before[0], ldexp(1, 1 - k), tolerance);
  }
  const noted_event *limit = &run.event[run.events - 1];
  assert_int_equal(limit->event.kind, THUD_EVENT_ZENO);
  thud_test_assert_near(limit->event.t, 3, tolerance);
  thud_test_assert_near(limit->total[0], 6, tolerance);
  thud_test_assert_near(run.last_reaction[0], 2, tolerance);
}

static void expressions_may_be_followed_by_runge_kutta(void **state) {
  (void)state;
  assert_comes_to_rest_at_three(THUD_ARCS_RUNGE_KUTTA, 1e-12);
}

#ifndef THUD_WITH_CVODE

static void cvode_is_refused_where_it_is_missing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  assert_refused(context, system, THUD_ARCS_CVODE, "libsundials-dev", "-DTHUD_WITH_CVODE=ON");
  thud_system_destroy(system);
  thud_test_context_end(context);
}

#else

/* ---- CVODE ------------------------------------------------------------------------------------------------------- */

static void cvode_closes_an_accumulation(void **state) {
  (void)state;
  assert_comes_to_rest_at_three(THUD_ARCS_CVODE, 1e-11);
}

/* A unit mass on a spring k = 1e8 with damping c = 1e6: rates -100 and -1e6. */
#define STIFFNESS 1e8
#define DAMPING 1e6

static const thud_test_system stiff = {.coordinates = {"x"},
                                       .kinetic_energy = "x'^2/2",
                                       .potential_energy = "1e8*(x + 0.05)^2/2",
                                       .forces = {"-1e6*x'"},
                                       .constraints = {{.name = "floor", .source = "x", .restitution = "0.5"}}};

/* x and x' at s after (x0, v0), with the spring's rest at `rest`: the sum of both exponentials. */
static double stiff_motion(double rest, double x0, double v0, double s, double *v) {
  const double root = sqrt(DAMPING * DAMPING / 4 - STIFFNESS), fast = -DAMPING / 2 - root, slow = STIFFNESS / fast;
  double of_fast = (v0 - slow * (x0 - rest)) / (fast - slow), of_slow = x0 - rest - of_fast;
  *v = of_slow * slow * exp(slow * s) + of_fast * fast * exp(fast * s);
  return rest + of_slow * exp(slow * s) + of_fast * exp(fast * s);
}

/* First time within ]from, to[ at which x = 0, by bisection. */
static double time_of_floor(double x0, double v0, double from, double to) {
  double v;
  for (int k = 0; k < 200; k++) {
    double middle = (from + to) / 2;
    if (stiff_motion(-0.05, x0, v0, middle, &v) > 0)
      from = middle;
    else
      to = middle;
  }
  return from;
}

static void stiff_spring_hits_the_floor(void **state) {
  (void)state;
  static noted_run run;
  thud_event_options options = thud_event_options_default();
  const double x0 = 0.05, v0 = 0;
  double before, again;
  run = (noted_run){0};
  options.end = 0.02;
  options.arcs = THUD_ARCS_CVODE;
  thud_test_event_run(&stiff, &options, &x0, &v0, &run);
  if (run.info.status != THUD_MOTION_COMPLETED) fail_msg("%s", run.message);
  thud_assert_less(run.info.arcs, 1000); /* an explicit method would take 1e4 steps to the first impact */
  double first = time_of_floor(x0, v0, 0, 0.02), t = run.event[0].event.t;
  stiff_motion(-0.05, x0, v0, first, &before);
  thud_test_assert_near(t, first, 1e-8 * first);
  thud_test_assert_near(run.event[0].before[0], before, 1e-8 * fabs(before));
  thud_test_assert_near(run.event[0].after[0], -before / 2, 1e-8 * fabs(before));
  /* The flight after it is about as long as the fast time, 1e-6 s. */
  double second = time_of_floor(0, -before / 2, 1e-7, 1e-5);
  stiff_motion(-0.05, 0, -before / 2, second, &again);
  thud_test_assert_near(run.event[1].event.t - t, second, 1e-8 * second);
  thud_test_assert_near(run.event[1].before[0], again, 1e-8 * fabs(again));
  /* At rest the spring presses with k/20. */
  const noted_event *limit = &run.event[run.events - 1];
  assert_int_equal(limit->event.kind, THUD_EVENT_ZENO);
  thud_test_assert_near(run.end_q[0], 0, 1e-15);
  thud_test_assert_near(run.last_reaction[0], 5e6, 5e6 * 1e-12);
}

/* The accumulation itself is short enough for the series, from the state after the first impact. */
static void stiff_accumulation_is_that_of_the_series(void **state) {
  (void)state;
  static noted_run run[2];
  thud_event_options options = thud_event_options_default();
  const double x0 = 0, v0 = 2.5;
  options.end = 2e-5;
  for (int k = 0; k < 2; k++) {
    run[k] = (noted_run){0};
    options.arcs = k == 0 ? THUD_ARCS_SERIES : THUD_ARCS_CVODE;
    thud_test_event_run(&stiff, &options, &x0, &v0, &run[k]);
    if (run[k].info.status != THUD_MOTION_COMPLETED) fail_msg("%s", run[k].message);
    assert_int_equal(run[k].info.zeno_limits, 1);
  }
  assert_int_equal(run[0].events, run[1].events);
  for (int k = 0; k < run[0].events; k++) {
    const noted_event *series = &run[0].event[k], *cvode = &run[1].event[k];
    assert_int_equal(series->event.kind, cvode->event.kind);
    thud_test_assert_near(cvode->event.t, series->event.t, 1e-8 * series->event.t);
    thud_test_assert_near(cvode->total[0], series->total[0], 1e-8 * fabs(series->total[0]));
  }
}

/* Forces that cancel to rounding errors are no reason for short arcs: a weight that hangs still after 500 slow times.
 */
static void stiff_spring_comes_to_rest(void **state) {
  (void)state;
  static noted_run run;
  const thud_test_system weight = {.coordinates = {"x"},
                                   .kinetic_energy = "x'^2/2",
                                   .potential_energy = "9.81*x + 1e8*(x - 0.1)^2/2",
                                   .forces = {"-1e6*x'"}};
  const double times[] = {1e-6, 0.01, 0.1, 5}, x0 = 0.3, v0 = -2e5, rest = 0.1 - 9.81 / STIFFNESS;
  thud_event_options options = thud_event_options_default();
  run = (noted_run){.samples = 4, .sample_times = times};
  options.end = 5;
  options.arcs = THUD_ARCS_CVODE;
  thud_test_event_run(&weight, &options, &x0, &v0, &run);
  if (run.info.status != THUD_MOTION_COMPLETED) fail_msg("%s", run.message);
  thud_assert_less(run.arcs, 2000);
  for (int k = 0; k < 4; k++) {
    double v, x = stiff_motion(rest, x0, v0, times[k], &v);
    thud_test_assert_near(run.sample_q[k][0], x, 1e-10);
    thud_test_assert_near(run.sample_v[k][0], v, 1e-10 * 2e5 * exp(-90 * times[k]) + 1e-12);
  }
}

/* Two coordinates with a matrix of masses and forces that are not linear: a stiff pendulum rod instead of a constraint.
 * The rates along the rod are about 1e4 and 1e6, the motion beside it is that of the pendulum, to 1/k. */
static void stiff_rod_swings_as_a_pendulum(void **state) {
  (void)state;
  static noted_run rod, pendulum;
  const thud_test_system elastic = {
      .coordinates = {"r", "a"},
      .kinetic_energy = "(r'^2 + r^2*a'^2)/2",
      .potential_energy = "-9.81*r*cos(a) + 1e10*(r - 1)^2/2",
      .forces = {"-1.01e6*r'", "0"},
      .constraints = {{.name = "wall", .source = "r*sin(a) + 0.3", .restitution = "0.5"}}};
  const thud_test_system rigid = {.coordinates = {"a"},
                                  .kinetic_energy = "a'^2/2",
                                  .potential_energy = "-9.81*cos(a)",
                                  .constraints = {{.name = "wall", .source = "a + asin(0.3)"}}};
  const double q0[] = {1, 1}, v0[] = {0, 0};
  thud_event_options options = thud_event_options_default();
  rod = pendulum = (noted_run){0};
  options.end = 0.9;
  thud_test_event_run(&rigid, &options, q0 + 1, v0, &pendulum);
  options.arcs = THUD_ARCS_CVODE;
  thud_test_event_run(&elastic, &options, q0, v0, &rod);
  if (rod.info.status != THUD_MOTION_COMPLETED) fail_msg("%s", rod.message);
  thud_assert_less(rod.info.arcs, 2000);
  thud_test_assert_near(rod.event[0].event.t, pendulum.event[0].event.t, 1e-7);
  thud_test_assert_near(rod.event[0].before[1], pendulum.event[0].before[0], 1e-7);
}

#endif

/* ---- chains ------------------------------------------------------------------------------------------------------ */

enum { MOST_MASSES = 80, NAME = 8 };

/* A chain of n masses m = 1/n with springs k = n, a bar of length, mass and wave speed 1. */
static thud_system *make_chain(thud_context *context, thud_index n) {
  static char names[MOST_MASSES][NAME], kinetic[8192], springs[8192];
  static const char *coordinates[MOST_MASSES];
  const thud_expr_constraint_def wall = {.name = "wall", .source = "q0"};
  thud_expr_scope *scope;
  thud_system *system = NULL;
  size_t length = 0, other = 0;
  for (thud_index i = 0; i < n; i++) {
    snprintf(names[i], NAME, "q%d", (int)i);
    coordinates[i] = names[i];
    length += (size_t)snprintf(kinetic + length, sizeof kinetic - length, "%s0.5/%d*q%d'^2", i > 0 ? " + " : "", (int)n,
                               (int)i);
    if (i > 0)
      other += (size_t)snprintf(springs + other, sizeof springs - other, "%s%d/2*(q%d - q%d)^2", i > 1 ? " + " : "",
                                (int)n, (int)i, (int)i - 1);
  }
  const thud_expr_system_def def = {.n = n,
                                    .coordinates = coordinates,
                                    .kinetic_energy = kinetic,
                                    .potential_energy = springs,
                                    .m = 1,
                                    .constraints = &wall};
  assert_int_equal(thud_expr_scope_create(context, &scope), THUD_OK);
  if (thud_system_create_expressions(context, scope, &def, NULL, &system) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_expr_scope_destroy(scope);
  return system;
}

typedef struct chain_end {
  size_t n;
  double q[MOST_MASSES];
} chain_end;

static int keep_end(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  chain_end *end = user;
  double v[MOST_MASSES];
  thud_event_arc_evaluate(arc, (thud_index)end->n, arc->t1, end->q, v);
  return 0;
}

/* N = n - 1 masses behind a held one begin with the velocity -1: with theta_j = (2j-1) pi/(2N+1),
 * w_j = 2 sqrt(k/m) sin(theta_j/2),
 * x_i(t) = -4/(2N+1) sum_j sin(i theta_j) (sum_l sin(l theta_j)) sin(w_j t)/w_j. */
static double chain_at(thud_index n, thud_index i, double t) {
  double sum = 0;
  for (thud_index j = 1; j < n; j++) {
    double theta = (2 * j - 1) * 3.14159265358979323846 / (2 * n - 1), w = 2 * n * sin(theta / 2), load = 0;
    for (thud_index l = 1; l < n; l++) load += sin(l * theta);
    sum += sin(i * theta) * load * sin(w * t) / w;
  }
  return -4.0 / (2 * n - 1) * sum;
}

/* The bar flies into the wall: arcs after the impact at t = 0.1, up to t = 0.4. */
static size_t arcs_of_impact(thud_index n) {
  thud_context *context = thud_test_context(1);
  thud_system *system = make_chain(context, n);
  thud_event_options options = thud_event_options_default();
  thud_motion *motion;
  thud_event_motion_info info;
  chain_end last = {.n = (size_t)n};
  const thud_motion_sink sink = {.frame = keep_end, .user = &last};
  double q[MOST_MASSES], v[MOST_MASSES];
  for (thud_index i = 0; i < n; i++) {
    q[i] = 0.1;
    v[i] = -1;
  }
  options.end = 0.4;
  assert_int_equal(thud_event_motion_create(context, system, &options, q, v, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, &sink, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(info.proved_arcs, info.arcs);
  /* Rounding of positions and velocities of size 1 over at most 100 steps. */
  for (thud_index i = 0; i < n; i++) thud_test_assert_near(last.q[i], chain_at(n, i, 0.3), 1e-13);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
  return info.arcs;
}

/* The highest frequency is 2n; a series of order 20 holds for 1/(2n) at least, and there is one arc before. */
static void arcs_of_a_chain_grow_no_faster_than_its_masses(void **state) {
  (void)state;
  for (thud_index n = 10; n <= MOST_MASSES; n *= 2) thud_assert_at_most(arcs_of_impact(n), (size_t)(1 + 0.3 * 2 * n));
}

/* ---- friction by Runge-Kutta arcs ------------------------------------------------------------------------------------ */

/* A load -1 + 2 t lifts a block that 0.5 pushes along a curved floor y = x^2/8 with a large mu: it sticks at x = 0 until mu r_N = 0.5,
 * t = (1 - 0.5/mu)/2, and is lifted at t = 1/2 but for x = O(1/mu^2). */
static void lifted_block_slips_and_opens(void **state) {
  (void)state;
  static const char *const slip[] = {"x' + x*y'/4"};
  static const char *const mus[] = {"1e2", "1e4", "1e6", "1e8"};
  const double zero[2] = {0, 0};
  for (int k = 0; k < 4; k++) {
    static noted_run run;
    const thud_test_system block = {
        .coordinates = {"x", "y"},
        .kinetic_energy = "(x'^2 + y'^2)/2",
        .forces = {"0.5", "-1+2*t"},
        .constraints = {{.name = "floor", .source = "y - x^2/8"}},
        .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slip, .mu = mus[k]}}};
    thud_event_options options = thud_event_options_default();
    double mu = pow(10, 2 * k + 2), rest = (1 - 0.5 / mu) / 2;
    run = (noted_run){0};
    options.end = 1;
    options.arcs = THUD_ARCS_RUNGE_KUTTA;
    thud_test_event_run(&block, &options, zero, zero, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.events, 2);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
    assert_int_equal(run.event[1].event.kind, THUD_EVENT_OPEN);
    thud_test_assert_near(run.event[0].event.t, rest, 1e-12);
    thud_test_assert_near(run.event[1].event.t, 0.5, 1 / (mu * mu) + 1e-12);
    thud_test_assert_near(run.end_q[0], 0.0625, 1 / mu);
    thud_test_assert_near(run.end_q[1], 1.0 / 24, 1 / mu);
  }
}

/* A floor y = 0 and a wall x = 0 hold a mass along z both: neither force is known, but their sum is the load. */
static void contacts_that_hold_the_same_share_the_load(void **state) {
  (void)state;
  static const char *const along[] = {"z'"};
  static noted_run run;
  const double zero[3] = {0, 0, 0};
  const thud_test_system corner = {
      .coordinates = {"x", "y", "z"},
      .kinetic_energy = "(x'^2 + 2*y'^2 + 3*z'^2)/2",
      .forces = {"-3", "-2", "-0.5*sin(t)"},
      .constraints = {{.name = "floor", .source = "y"}, {.name = "wall", .source = "x"}},
      .friction = {
          {.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = along, .mu = "0.4", .constraint = 0},
          {.name = "w", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = along, .mu = "0.4", .constraint = 1}}};
  thud_event_options options = thud_event_options_default();
  run = (noted_run){0};
  options.end = 1;
  options.arcs = THUD_ARCS_RUNGE_KUTTA;
  thud_test_event_run(&corner, &options, zero, zero, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.last_reaction[2] + run.last_reaction[3], 0.5 * sin(1), 1e-12);
  for (int i = 0; i < 2; i++) thud_assert_at_most(fabs(run.last_reaction[2 + i]), 0.4 * run.last_reaction[i] + 1e-12);
  for (int i = 0; i < 3; i++) thud_test_assert_near(run.end_q[i], 0, 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_have_no_series),
      cmocka_unit_test(switches_need_series),
      cmocka_unit_test(expressions_may_be_followed_by_runge_kutta),
      cmocka_unit_test(arcs_of_a_chain_grow_no_faster_than_its_masses),
      cmocka_unit_test(lifted_block_slips_and_opens),
      cmocka_unit_test(contacts_that_hold_the_same_share_the_load),
#ifndef THUD_WITH_CVODE
      cmocka_unit_test(cvode_is_refused_where_it_is_missing),
#else
      cmocka_unit_test(cvode_closes_an_accumulation),
      cmocka_unit_test(stiff_spring_hits_the_floor),
      cmocka_unit_test(stiff_accumulation_is_that_of_the_series),
      cmocka_unit_test(stiff_spring_comes_to_rest),
      cmocka_unit_test(stiff_rod_swings_as_a_pendulum),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
