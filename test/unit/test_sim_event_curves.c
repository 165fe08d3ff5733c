/* Event-driven motions whose friction forces lie in curved sets with corners and edges, or in sets of three components,
 * against closed forms and against the same sets written in other ways. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>

static const double nowhere[3] = {0, 0, 0};

/* A puck of weight 10 (mass 1, mu = 1) over the floor with forces in the set, which is the caller's. */
static thud_test_system puck(const char *fx, const char *fy, const thud_set *set) {
  thud_test_system made = thud_test_puck(fx, fy, "-10", "1");
  made.friction[0].kind = THUD_FRICTION_SET;
  made.friction[0].set = set;
  return made;
}

static thud_set *disc(thud_context *context, double x, double y, double radius) {
  const double centre[2] = {x, y};
  thud_set *set = NULL;
  assert_int_equal(thud_set_ball(context, 2, centre, radius, &set), THUD_OK);
  return set;
}

static thud_set *both(thud_context *context, thud_set *one, thud_set *other, bool sum) {
  thud_set *parts[2] = {one, other}, *set = NULL;
  assert_int_equal(sum ? thud_set_sum(context, 2, parts, &set) : thud_set_intersection(context, 2, parts, &set),
                   THUD_OK);
  return set;
}

/* Two discs with the radius 0.5 round (-0.25, 0) and (0.25, 0): corners (0, +-sqrt(3)/4), half-width 0.25. */
static thud_set *lens(thud_context *context) {
  return both(context, disc(context, -0.25, 0, 0.5), disc(context, 0.25, 0, 0.5), false);
}

/* A disc with the radius 0.3 moved along the segment from (-0.4, 0) to (0.4, 0). */
static thud_set *stadium(thud_context *context) {
  const double from[2] = {-0.4, 0}, to[2] = {0.4, 0};
  thud_set *segment = NULL;
  assert_int_equal(thud_set_segment(context, 2, from, to, &segment), THUD_OK);
  return both(context, segment, disc(context, 0, 0, 0.3), true);
}

/* Runs a puck with the forces in this set, which is destroyed. */
static void run_puck(thud_context *context, thud_set *set, const char *fx, const char *fy, const double *v0, double end,
                     noted_run *run) {
  thud_test_system system = puck(fx, fy, set);
  *run = (noted_run){0};
  thud_test_event_run_to(&system, end, nowhere, v0, run);
  thud_set_destroy(set);
  (void)context;
}

/* A disc that is cut by a box which does not reach it is the disc. The load turns: the puck stops and starts again, at
 * places where the direction of its slip has a limit. */
static void disc_in_other_words_moves_as_the_disc(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower[2] = {-3, -3}, upper[2] = {3, 3}, v0[3] = {1.5, -0.7, 0};
  thud_set *box = NULL;
  static noted_run run, other;
  assert_int_equal(thud_set_box(context, 2, lower, upper, &box), THUD_OK);
  run_puck(context, both(context, disc(context, 0, 0, 0.5), box, false), "6*sin(3*t)", "5*cos(2.3*t)", v0, 4, &run);
  run_puck(context, disc(context, 0, 0, 0.5), "6*sin(3*t)", "5*cos(2.3*t)", v0, 4, &other);
  assert_int_equal(other.events, 2);
  assert_int_equal(run.events, 2);
  assert_int_equal(run.info.sampled_arcs, run.arcs);
  assert_int_equal(other.info.proved_arcs, other.arcs);
  for (int k = 0; k < 2; k++) thud_test_assert_near(run.event[k].event.t, other.event[k].event.t, 1e-10);
  for (int c = 0; c < 2; c++) {
    thud_test_assert_near(run.end_q[c], other.end_q[c], 1e-10);
    thud_test_assert_near(run.end_v[c], other.end_v[c], 1e-10);
  }
  thud_test_assert_near(run.info.ledger.friction_loss, other.info.ledger.friction_loss, 1e-9);
  thud_test_context_end(context);
}

/* Slip that begins turning, as functions in C: the rate at which its direction settles is infinite at the start. */
static void slip_begins_turning_without_series(void **state) {
  (void)state;
  thud_test_system system = thud_test_puck("2*t", "t^2", "-10", "0.5");
  thud_event_options options = thud_event_options_default();
  static noted_run run, other;
  run = other = (noted_run){0};
  options.end = 4;
  thud_test_event_run(&system, &options, nowhere, nowhere, &run);
  thud_test_event_run_functions(&system, &options, nowhere, nowhere, &other);
  assert_int_equal(other.events, 1);
  thud_test_assert_near(other.event[0].event.t, run.event[0].event.t, 1e-11);
  for (int c = 0; c < 2; c++) thud_test_assert_near(other.end_q[c], run.end_q[c], 1e-9);
}

/* -u is in the normal cone of the corner, 30 degrees to either side of the y axis: the force stays there. */
static void lens_holds_its_corner(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static noted_run run;
  double corner = 10 * sqrt(3) / 4;
  run_puck(context, lens(context), "0.5", "6", nowhere, 1, &run);
  assert_int_equal(run.events, 0);
  thud_test_assert_near(run.end_q[0], 0.5 / 2, 1e-11);
  thud_test_assert_near(run.end_q[1], (6 - corner) / 2, 1e-11);
  thud_test_assert_near(run.last_reaction[1], 0, 1e-11);
  thud_test_assert_near(run.last_reaction[2], -corner, 1e-11);
  /* on the arc of the disc that is to the right the force is opposite to the slip from that disc's centre */
  run_puck(context, lens(context), "4", "0", nowhere, 1, &run);
  thud_test_assert_near(run.end_q[0], (4 - 2.5) / 2, 1e-11);
  run_puck(context, lens(context), "4", "2", nowhere, 1, &run);
  double x = run.last_reaction[1] / 10, y = run.last_reaction[2] / 10;
  thud_test_assert_near(hypot(x - 0.25, y), 0.5, 1e-11);
  thud_test_assert_near((x - 0.25) * run.end_v[1] - y * run.end_v[0], 0, 1e-11);
  thud_test_assert_near(run.end_v[0], 4 + 10 * x, 1e-11);
  thud_assert_less((x - 0.25) * run.end_v[0] + y * run.end_v[1], 0);
  thud_test_context_end(context);
}

/* The load (0, t) leaves the lens at its corner, at t = 10 sqrt(3)/4; (t, 0) through its arc, at t = 2.5. */
static void growing_loads_leave_the_lens(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static noted_run run;
  double corner = 10 * sqrt(3) / 4;
  run_puck(context, lens(context), "0", "t", nowhere, 6, &run);
  assert_int_equal(run.events, 1);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_SLIP);
  thud_test_assert_near(run.event[0].event.t, corner, 1e-10);
  thud_test_assert_near(run.end_q[1], pow(6 - corner, 3) / 6, 1e-9);
  run_puck(context, lens(context), "t", "0", nowhere, 4, &run);
  thud_test_assert_near(run.event[0].event.t, 2.5, 1e-10);
  thud_test_assert_near(run.end_q[0], pow(1.5, 3) / 6, 1e-10);
  thud_test_context_end(context);
}

/* Across the flat side of the stadium there is no slip along it as long as the force is between its ends. */
static void stadium_slips_across_its_side_and_round_its_end(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static noted_run run;
  run_puck(context, stadium(context), "2", "6", nowhere, 1, &run);
  thud_test_assert_near(run.end_q[0], 0, 1e-12);
  thud_test_assert_near(run.end_q[1], 3.0 / 2, 1e-11);
  thud_test_assert_near(run.last_reaction[1], -2, 1e-10);
  thud_test_assert_near(run.last_reaction[2], -3, 1e-10);
  /* beyond the end: u' = (5 - 4, 6) - 3 e, along (1, 6) */
  run_puck(context, stadium(context), "5", "6", nowhere, 1, &run);
  double rate = 1 - 3 / sqrt(37);
  thud_test_assert_near(run.end_q[0], rate / 2, 1e-11);
  thud_test_assert_near(run.end_q[1], 6 * rate / 2, 1e-11);
  /* the load (0.9 t, 6) passes the end at t = 4/0.9: the slip turns from there on */
  run_puck(context, stadium(context), "0.9*t", "6", nowhere, 3.9, &run);
  assert_int_equal(run.events, 0);
  thud_test_assert_near(run.end_v[1], 3 * 3.9, 1e-10);
  thud_test_assert_near(run.end_v[0], 0, 1e-10);
  run_puck(context, stadium(context), "0.9*t", "6", nowhere, 5, &run);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.event[0].event.t, 4 / 0.9, 1e-10);
  thud_assert_greater(run.end_v[0], 0.1);
  thud_test_context_end(context);
}

/* A disc aside of 0 pulls with its centre: r = 10 (c - 0.4 d). From rest the slip is along the load and the centre. */
static void shifted_disc_pulls_with_its_centre(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static noted_run run;
  run_puck(context, disc(context, 0.1, 0.05, 0.4), "3", "4", nowhere, 1, &run);
  double rate = 1 - 4 / hypot(4, 4.5);
  thud_test_assert_near(run.end_q[0], 4 * rate / 2, 1e-11);
  thud_test_assert_near(run.end_q[1], 4.5 * rate / 2, 1e-11);
  run_puck(context, disc(context, 0.1, 0, 0.4), "0", "0", (const double[3]){1, 0, 0}, 1, &run);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.event[0].event.t, 1.0 / 3, 1e-11);
  thud_test_assert_near(run.end_q[0], 1.0 / 6, 1e-11);
  thud_test_context_end(context);
}

static void polygons_are_followed_without_series(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double rows[8] = {1, 1, -1, 1, 1, -1, -1, -1}, right[4] = {0.4, 0.4, 0.4, 0.4}, v0[3] = {2, 1, 0};
  thud_set *set = NULL;
  assert_int_equal(thud_set_polyhedron(context, 2, 4, 0, rows, right, &set), THUD_OK);
  thud_test_system still = puck("0", "0", set), shaken = puck("6*sin(3*t)", "5*cos(2.3*t)", set);
  thud_event_options options = thud_event_options_default();
  static noted_run run, other;
  run = other = (noted_run){0};
  options.end = 1;
  thud_test_event_run_functions(&still, &options, nowhere, v0, &run);
  assert_int_equal(run.events, 2);
  thud_test_assert_near(run.event[0].event.t, 0.25, 1e-12);
  thud_test_assert_near(run.event[1].event.t, 0.75, 1e-12);
  thud_test_assert_near(run.end_q[0], 0.625, 1e-11);
  options.end = 4;
  run = (noted_run){0};
  thud_test_event_run_functions(&shaken, &options, nowhere, v0, &run);
  thud_test_event_run(&shaken, &options, nowhere, v0, &other);
  assert_int_equal(run.events, other.events);
  for (int k = 0; k < run.events; k++) thud_test_assert_near(run.event[k].event.t, other.event[k].event.t, 1e-10);
  for (int c = 0; c < 2; c++) thud_test_assert_near(run.end_q[c], other.end_q[c], 1e-9);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* The puck with a law of three components; the last is that of the gap's velocity, which stays 0. */
static thud_test_system with_three(const char *fx, const char *fy, const thud_set *set) {
  static const char *const slip[] = {"x'", "y'", "z'"};
  thud_test_system made = puck(fx, fy, set);
  made.friction[0].directions = 3;
  made.friction[0].slip = slip;
  return made;
}

/* Beside a component that is 0 a ball is the disc. */
static void ball_moves_as_the_disc(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double v0[3] = {1.5, -0.7, 0};
  thud_set *ball = NULL, *flat = disc(context, 0, 0, 0.5);
  assert_int_equal(thud_set_ball(context, 3, nowhere, 0.5, &ball), THUD_OK);
  thud_test_system space = with_three("1 + t", "2*cos(2.3*t)", ball), plane = puck("1 + t", "2*cos(2.3*t)", flat);
  static noted_run run, other;
  run = other = (noted_run){0};
  thud_test_event_run_to(&space, 0.6, nowhere, v0, &run);
  thud_test_event_run_to(&plane, 0.6, nowhere, v0, &other);
  for (int c = 0; c < 2; c++) thud_test_assert_near(run.end_q[c], other.end_q[c], 1e-10);
  thud_set_destroy(ball);
  thud_set_destroy(flat);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(disc_in_other_words_moves_as_the_disc),
      cmocka_unit_test(slip_begins_turning_without_series),
      cmocka_unit_test(lens_holds_its_corner),
      cmocka_unit_test(growing_loads_leave_the_lens),
      cmocka_unit_test(stadium_slips_across_its_side_and_round_its_end),
      cmocka_unit_test(shifted_disc_pulls_with_its_centre),
      cmocka_unit_test(polygons_are_followed_without_series),
      cmocka_unit_test(ball_moves_as_the_disc),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
