/* Arcs with proof: features that the series at one end of an arc does not know of, in closed form. */
#include "events.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { WIDTHS = 10 };

static const double widths[WIDTHS] = {1, 2, 5, 20, 50, 200, 1000, 5000, 2e4, 1e5}; /* 1/m or 1/s */

static noted_run run;

static void run_to(const thud_test_system *system, double end, const double *q0, const double *v0) {
  run = (noted_run){0};
  thud_test_event_run_to(system, end, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.unproved_roots, 0);
  assert_int_equal(run.info.unproved_defects, 0);
  assert_int_equal(run.info.proved_arcs + run.info.assumed_arcs, run.info.arcs);
  thud_assert_at_most(run.info.proved_defect, 1e-12);
}

/* A point on a line meets a gap that looks like 1 from the start: an elastic wall at x = 5, met at t = 5. */
static void steep_walls_are_met(void **state) {
  (void)state;
  for (int k = 0; k < WIDTHS; k++) {
    char gap[80];
    snprintf(gap, sizeof gap, "-tanh((x - 5)*%g)", widths[k]);
    const thud_test_system system = {.coordinates = {"x"},
                                     .kinetic_energy = "x'^2/2",
                                     .forces = {"0"},
                                     .constraints = {{.name = "wall", .source = gap, .restitution = "1"}}};
    const double q0 = 0, v0 = 1;
    run_to(&system, 10, &q0, &v0);
    assert_int_equal(run.info.impacts, 1);
    thud_test_assert_near(run.event[0].event.t, 5, 1e-14);
    thud_assert_at_most(run.event[0].event.t_error, 1e-14);
    thud_test_assert_near(run.end_q[0], 0, 1e-13);
    thud_test_assert_near(run.end_v[0], -1, 0);
  }
}

/* A gap 1 - 2 exp(-((x - 5) w)^2): a bump of width 1/w, first met where (x - 5) w = -sqrt(ln 2). */
static void narrow_bumps_are_met(void **state) {
  (void)state;
  for (int k = 0; k < WIDTHS; k++) {
    char gap[80];
    snprintf(gap, sizeof gap, "1 - 2*exp(-((x - 5)*%g)^2)", widths[k]);
    const thud_test_system system = {.coordinates = {"x"},
                                     .kinetic_energy = "x'^2/2",
                                     .forces = {"0"},
                                     .constraints = {{.name = "bump", .source = gap, .restitution = "1"}}};
    const double q0 = 0, v0 = 1, met = 5 - sqrt(log(2)) / widths[k];
    run_to(&system, 10, &q0, &v0);
    assert_int_equal(run.info.impacts, 1);
    thud_test_assert_near(run.event[0].event.t, met, 1e-14);
    thud_assert_at_most(fabs(run.event[0].event.t - met), fmax(2 * run.event[0].event.t_error, 2e-15));
    thud_test_assert_near(run.end_q[0], 2 * met - 10, 1e-12);
  }
}

/* A circle of radius r off the line of flight by r/2: the point is reflected at the angle asin(1/2) to the normal. */
static void small_circles_are_met_at_their_edge(void **state) {
  (void)state;
  for (int k = 0; k < 7; k++) {
    double r = pow(10, -k);
    char gap[120];
    snprintf(gap, sizeof gap, "sqrt((x - 50)^2 + (y - %.17g)^2) - %.17g", r / 2, r);
    const thud_test_system system = {.coordinates = {"x", "y"},
                                     .kinetic_energy = "(x'^2 + y'^2)/2",
                                     .forces = {"0", "0"},
                                     .constraints = {{.name = "circle", .source = gap, .restitution = "1"}}};
    const double q0[] = {0, 0}, v0[] = {1, 0};
    run_to(&system, 60, q0, v0);
    assert_int_equal(run.info.impacts, 1);
    thud_test_assert_near(run.event[0].event.t, 50 - r * sqrt(0.75), 1e-14);
    /* v - 2 (v.n) n with n = (-sqrt(3)/2, -1/2); the normal is as good as the place on the circle */
    double place = 1e-14 / r + 1e-14;
    thud_test_assert_near(run.end_v[0], -0.5, 2 * place);
    thud_test_assert_near(run.end_v[1], -sqrt(0.75), 2 * place);
  }
}

/* A force exp(-((t - 5) w)^2) gives the impulse sqrt(pi)/w. */
static void narrow_pulses_are_felt(void **state) {
  (void)state;
  for (int k = 2; k < WIDTHS; k++) {
    char force[80];
    snprintf(force, sizeof force, "exp(-((t - 5)*%g)^2)", widths[k]);
    const thud_test_system system = {.coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {force}};
    const double rest = 0, impulse = sqrt(acos(-1)) / widths[k];
    run_to(&system, 10, &rest, &rest);
    thud_test_assert_near(run.end_v[0], impulse, 1e-12);
    thud_test_assert_near(run.end_q[0], 5 * impulse, 1e-11);
    thud_assert_at_most(fabs(run.end_v[0] - impulse), run.info.proved_force + 1e-15);
    thud_assert_at_most(run.info.arcs, widths[k] == 5 ? 40 : 80);
  }
}

/* The same pulse in a million seconds of quiet: no more arcs. The force is at most 1 and each node is rounded by half a
 * unit in its last place. */
static void quiet_costs_no_arcs(void **state) {
  (void)state;
  const thud_test_system system = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {"exp(-((t - 5e5)*5)^2)"}};
  const double rest = 0, impulse = sqrt(acos(-1)) / 5;
  run_to(&system, 1e6, &rest, &rest);
  const double rounding = (double)run.info.arcs * DBL_EPSILON / 2 * 5e5;
  thud_test_assert_near(run.end_v[0], impulse, rounding);
  thud_test_assert_near(run.end_q[0], 5e5 * impulse, rounding * 5e5);
  thud_assert_at_most(run.info.arcs, 40);
}

/* Motions that are polynomials: x'' = -6 t gives x = q0 + t - t^3, which meets a wall with the gap x^3 + x where that
 * is 0; and one that falls through two switches. */
static void polynomial_motions_meet_their_walls(void **state) {
  (void)state;
  const thud_test_system cubic = {.coordinates = {"x"},
                                  .kinetic_energy = "x'^2/2",
                                  .forces = {"-6*t"},
                                  .constraints = {{.name = "wall", .source = "x*x*x + x", .restitution = "0"}}};
  for (int k = 1; k <= 40; k++) {
    double met = k / 8.0, q0 = met * met * met - met, v0 = 1;
    if (q0 <= 0) continue;
    run_to(&cubic, met + 1, &q0, &v0);
    assert_int_equal(run.info.impacts, 1);
    thud_test_assert_near(run.event[0].event.t, met, 4e-15 * met);
    thud_assert_at_most(fabs(run.event[0].event.t - met), 2 * run.event[0].event.t_error);
    thud_test_assert_near(run.event[0].before[0], 1 - 3 * met * met, 1e-13 * met * met);
  }
  const thud_test_system kinked = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .potential_energy = "abs(x) + max(x - 1, 0)"};
  /* From 1 + a at rest with x'' = -2 to 1, and with -1 to 0 */
  for (int k = 1; k <= 20; k++) {
    double a = k / 4.0, q0 = 1 + a, v0 = 0, down = sqrt(a) + sqrt(2 + 4 * a) - 2 * sqrt(a);
    run_to(&kinked, down + 1e-3, &q0, &v0);
    assert_int_equal(run.info.switches, 2);
    thud_test_assert_near(run.event[1].event.t, down, 1e-14 * down);
  }
}

/* The bound of the force error is one: the momentum of a pendulum's exact first integral drifts by no more. */
static void energy_drifts_no_more_than_the_proved_force_allows(void **state) {
  (void)state;
  const thud_test_system pendulum = {
      .coordinates = {"a"}, .kinetic_energy = "a'^2/2", .potential_energy = "-9.81*cos(a)"};
  const double q0 = 2, v0 = 0, fastest = sqrt(2 * 9.81 * (1 - cos(2.0))) + 1e-9;
  run_to(&pendulum, 20, &q0, &v0);
  double energy = run.end_v[0] * run.end_v[0] / 2 - 9.81 * cos(run.end_q[0]) + 9.81 * cos(2.0);
  thud_assert_less(0, run.info.proved_force);
  thud_assert_at_most(fabs(energy), fastest * run.info.proved_force + 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steep_walls_are_met),
      cmocka_unit_test(narrow_bumps_are_met),
      cmocka_unit_test(small_circles_are_met_at_their_edge),
      cmocka_unit_test(narrow_pulses_are_felt),
      cmocka_unit_test(quiet_costs_no_arcs),
      cmocka_unit_test(polynomial_motions_meet_their_walls),
      cmocka_unit_test(energy_drifts_no_more_than_the_proved_force_allows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
