/* Event-driven motions whose friction forces lie in ellipses, boxes, polygons and products, against closed forms. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>

/* A puck of weight 10 (mass 1, mu = 1) over the floor with forces in the set, which is the caller's. */
static thud_test_system puck(const char *fx, const char *fy, const thud_set *set) {
  thud_test_system made = thud_test_puck(fx, fy, "-10", "1");
  made.friction[0].kind = THUD_FRICTION_SET;
  made.friction[0].set = set;
  return made;
}

static const double nowhere[3] = {0, 0, 0};

static thud_set *ellipse(thud_context *context, double xx, double xy, double yy) {
  const double shape[4] = {xx, xy, xy, yy};
  thud_set *set = NULL;
  assert_int_equal(thud_set_ellipsoid(context, 2, nowhere, shape, &set), THUD_OK);
  return set;
}

/* |x| + |y| <= size */
static thud_set *diamond(thud_context *context, double size) {
  const double rows[8] = {1, 1, -1, 1, 1, -1, -1, -1}, right[4] = {size, size, size, size};
  thud_set *set = NULL;
  assert_int_equal(thud_set_polyhedron(context, 2, 4, 0, rows, right, &set), THUD_OK);
  return set;
}

static void ellipse_stops_straight_slip_by_its_half_axis(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = ellipse(context, 1 / 0.09, 0, 1 / 0.36); /* half-axes 0.3 and 0.6 */
  thud_test_system system = puck("0", "0", set);
  for (int axis = 0; axis < 2; axis++) {
    const double v0[3] = {axis == 0 ? 1.5 : 0, axis == 1 ? 1.5 : 0, 0}, slow = axis == 0 ? 3 : 6;
    static noted_run run;
    run = (noted_run){0};
    thud_test_event_run_to(&system, 1, nowhere, v0, &run);
    assert_int_equal(run.events, 1);
    assert_int_equal(run.event[0].event.kind, THUD_EVENT_STICK);
    thud_test_assert_near(run.event[0].event.t, 1.5 / slow, 1e-14);
    thud_test_assert_near(run.end_q[axis], 1.5 * 1.5 / (2 * slow), 1e-14);
    thud_test_assert_near(run.end_q[1 - axis], 0, 1e-15);
    assert_int_equal(run.info.proved_arcs, run.arcs);
  }
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* With X = a x the ellipse with the half-axes a, b is the unit disc, and the masses are 1/a^2 and 1/b^2. */
static void ellipse_is_a_disc_in_other_coordinates(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double a = 0.5, b = 0.25, v0[3] = {2, 1, 0}, scaled[3] = {2 * a, 1 * b, 0};
  thud_set *set = ellipse(context, 1 / (a * a), 0, 1 / (b * b));
  thud_test_system system = puck("3", "-1", set), disc = thud_test_puck("6", "-4", "-10", "1");
  static noted_run run, other;
  disc.kinetic_energy = "(4*x'^2 + 16*y'^2 + z'^2)/2";
  run = other = (noted_run){0};
  thud_test_event_run_to(&system, 2, nowhere, v0, &run);
  thud_test_event_run_to(&disc, 2, nowhere, scaled, &other);
  assert_int_equal(run.events, other.events);
  thud_test_assert_near(a * run.end_q[0], other.end_q[0], 1e-12);
  thud_test_assert_near(b * run.end_q[1], other.end_q[1], 1e-12);
  thud_test_assert_near(run.info.ledger.friction_loss, other.info.ledger.friction_loss, 1e-11);
  /* What is handed out is the force itself, on the edge of the ellipse. */
  double x = run.last_reaction[1] / 10, y = run.last_reaction[2] / 10;
  if (run.events == 0) thud_test_assert_near(x * x / (a * a) + y * y / (b * b), 1, 1e-12);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* From rest the force f and the slip w satisfy f - tau C w/|A'w| = k w: for the ellipse x'Qx <= 1 and a load beyond it,
 * the friction r = load - k w lies on its edge with the normal -w. */
static void slip_from_rest_has_the_normal_of_the_ellipse(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double q[3] = {9, 3, 4}; /* xx, xy, yy */
  thud_set *set = ellipse(context, q[0], q[1], q[2]);
  thud_test_system system = puck("6", "5", set);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 1, nowhere, nowhere, &run);
  double x = run.last_reaction[1] / 10, y = run.last_reaction[2] / 10;
  thud_test_assert_near(q[0] * x * x + 2 * q[1] * x * y + q[2] * y * y, 1, 1e-12);
  double normal[2] = {q[0] * x + q[1] * y, q[1] * x + q[2] * y};
  thud_test_assert_near(normal[0] * run.end_v[1] - normal[1] * run.end_v[0], 0, 1e-11);
  thud_assert_less(normal[0] * run.end_v[0] + normal[1] * run.end_v[1], 0);
  thud_test_assert_near(run.end_v[0], 6 + 10 * x, 1e-12);
  thud_test_assert_near(run.end_q[1], (5 + 10 * y) / 2, 1e-12);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static void box_stops_its_components_one_by_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower[2] = {-0.2, -0.4}, upper[2] = {0.3, 0.1}, v0[3] = {1, -1, 0};
  thud_set *set = NULL;
  assert_int_equal(thud_set_box(context, 2, lower, upper, &set), THUD_OK);
  thud_test_system system = puck("0", "0", set);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 2, nowhere, v0, &run);
  /* x is slowed down by 2, y, which moves back, by 1. */
  assert_int_equal(run.events, 2);
  thud_test_assert_near(run.event[0].event.t, 0.5, 1e-14);
  thud_test_assert_near(run.event[1].event.t, 1, 1e-14);
  assert_int_equal(run.event[0].mode_after[0], THUD_CONTACT_SLIDING);
  assert_int_equal(run.event[1].mode_after[0], THUD_CONTACT_STICKING);
  thud_test_assert_near(run.end_q[0], 0.25, 1e-14);
  thud_test_assert_near(run.end_q[1], -0.5, 1e-14);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static void polygon_holds_a_corner_then_an_edge(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = diamond(context, 0.4);
  const double v0[3] = {2, 1, 0};
  thud_test_system system = puck("0", "0", set);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 1, nowhere, v0, &run);
  /* Against (2, 1) the corner (-4, 0) is farthest; from (1, 1) on the edge holds the slip, with (-2, -2). */
  assert_int_equal(run.events, 2);
  thud_test_assert_near(run.event[0].event.t, 0.25, 1e-14);
  thud_test_assert_near(run.event[0].before[0], 1, 1e-14);
  thud_test_assert_near(run.event[1].event.t, 0.75, 1e-14);
  assert_int_equal(run.event[1].event.kind, THUD_EVENT_STICK);
  thud_test_assert_near(run.end_q[0], 0.375 + 0.25, 1e-14);
  thud_test_assert_near(run.end_q[1], 0.25 + 0.25, 1e-14);
  thud_test_assert_near(run.info.ledger.friction_loss, 2.5, 1e-13);
  assert_int_equal(run.info.proved_arcs, run.arcs);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* The load (2t, t) leaves the diamond |x| + |y| <= 4 through an edge at t = 4/3; the slip is across the edge. */
static void load_leaves_a_polygon_across_its_edge(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = diamond(context, 0.4);
  thud_test_system system = puck("2*t", "t", set);
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 2, nowhere, nowhere, &run);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
  thud_test_assert_near(run.event[0].event.t, 4.0 / 3, 1e-14);
  double s = 2 - 4.0 / 3;
  for (int c = 0; c < 2; c++) {
    thud_test_assert_near(run.end_v[c], 3 * s * s / 4, 1e-14);
    thud_test_assert_near(run.end_q[c], s * s * s / 4, 1e-14);
  }
  /* Along the edge the force follows the load. */
  thud_test_assert_near(run.last_reaction[1] - run.last_reaction[2], -2, 1e-13);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* One side of a block is rougher than the other: [-2, 5] under the force 4 sin t of a block at rest. */
static void interval_resists_differently_forth_and_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const slip[] = {"x'"};
  thud_set *set = NULL;
  assert_int_equal(thud_set_interval(context, -0.2, 0.5, &set), THUD_OK);
  thud_test_system system = puck("4*sin(t)", "0", set);
  system.friction[0].directions = 1;
  system.friction[0].slip = slip;
  static noted_run run;
  run = (noted_run){0};
  thud_test_event_run_to(&system, 6.5, nowhere, nowhere, &run);
  /* It begins to slide where 4 sin t = 2, and stops for good: 4 < 5 holds it against the force back. */
  const double start = asin(0.5);
  assert_int_equal(run.events, 2);
  thud_test_assert_near(run.event[0].event.t, start, 1e-14);
  double stop = run.event[1].event.t;
  thud_test_assert_near(4 * (cos(start) - cos(stop)) - 2 * (stop - start), 0, 1e-13);
  assert_int_equal(run.event[1].event.kind, THUD_EVENT_STICK);
  thud_test_assert_near(run.end_v[0], 0, 0);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* Functions in C: an ellipse has its frame there as well, a polygon is refused. */
static void ellipses_are_followed_without_series(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = ellipse(context, 9, 3, 4);
  const double v0[3] = {2, 1, 0};
  thud_test_system system = puck("3", "sin(t)", set);
  thud_event_options options = thud_event_options_default();
  static noted_run run, other;
  run = other = (noted_run){0};
  options.end = 1;
  thud_test_event_run(&system, &options, nowhere, v0, &run);
  thud_test_event_run_functions(&system, &options, nowhere, v0, &other);
  for (int c = 0; c < 2; c++) thud_test_assert_near(other.end_q[c], run.end_q[c], 1e-10);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ellipse_stops_straight_slip_by_its_half_axis),
      cmocka_unit_test(ellipse_is_a_disc_in_other_coordinates),
      cmocka_unit_test(slip_from_rest_has_the_normal_of_the_ellipse),
      cmocka_unit_test(box_stops_its_components_one_by_one),
      cmocka_unit_test(polygon_holds_a_corner_then_an_edge),
      cmocka_unit_test(load_leaves_a_polygon_across_its_edge),
      cmocka_unit_test(interval_resists_differently_forth_and_back),
      cmocka_unit_test(ellipses_are_followed_without_series),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
