/* What impacts leave of the contacts: rest without noise, and contacts that come back. */
#include "events.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>

static noted_run run;

static void run_until(const thud_test_system *system, int law, double end, const double *q0, const double *v0) {
  thud_event_options options = thud_event_options_default();
  options.percussion.law = law;
  options.end = end;
  run = (noted_run){0};
  thud_test_event_run(system, &options, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
}

/* Three equal pendulums side by side: one impact every half period passes the velocity through, and the balls in the
 * middle, which are at rest but for rounding, make no impacts of their own. */
static void cradle_has_one_impact_each_half_period(void **state) {
  (void)state;
  const thud_test_system cradle = {.coordinates = {"a", "b", "c"},
                                   .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
                                   .potential_energy = "-32.7*(cos(a) + cos(b) + cos(c))",
                                   .constraints = {{.name = "ab", .source = "0.3*(b - a)", .restitution = "1"},
                                                   {.name = "bc", .source = "0.3*(c - b)", .restitution = "1"}}};
  const double q0[] = {-0.5, 0, 0}, v0[] = {0, 0, 0}, speed = sqrt(2 * 32.7 * (1 - cos(0.5)));
  run_until(&cradle, THUD_IMPACT_SEQUENTIAL, 20, q0, v0);
  double first = run.event[0].event.t;
  assert_int_equal(run.info.impacts, 1 + (int)((20 - first) / (2 * first)));
  assert_int_equal(run.events, run.info.impacts);
  for (int k = 0; k < run.events; k++) {
    const noted_event *note = &run.event[k];
    int to = k % 2 == 0 ? 2 : 0;
    double forth = k % 2 == 0 ? speed : -speed;
    thud_test_assert_near(note->event.t, (1 + 2 * k) * first, 1e-11);
    for (int i = 0; i < 3; i++) thud_test_assert_near(note->after[i], i == to ? forth : 0, 1e-12);
    for (int i = 0; i < 2; i++) thud_test_assert_near(note->impulse[i] * 0.3, speed, 1e-12);
  }
}

/* b rises from the floor when c falls on it: m = 2, 1, e = 0.6, velocities 1 and -5/3. Newton's law gives the impulse
 * 1.6 (8/3) (2/3) = 128/45 at bc, and b comes back with 1 - 64/45 = -19/45, which u+ >= -0.6 allows. The floor strikes
 * next, at the same time. */
static void contact_that_comes_back_is_struck_next(void **state) {
  (void)state;
  const thud_test_system two = {.coordinates = {"b", "c"},
                                .kinetic_energy = "(2*b'^2 + c'^2)/2",
                                .constraints = {{.name = "floor", .source = "b", .restitution = "0.6"},
                                                {.name = "bc", .source = "c - b", .restitution = "0.6"}}};
  const double q0[] = {0, 0};
  for (int k = 0; k < 3; k++) {
    double unit = k == 0 ? 1 : k == 1 ? 1e-8 : 1e8;
    const double v0[] = {unit, -5 * unit / 3};
    run_until(&two, THUD_IMPACT_NEWTON, 1, q0, v0);
    assert_int_equal(run.events, 2);
    thud_assert_equal(run.event[0].event.t, 0);
    thud_assert_equal(run.event[1].event.t, 0);
    thud_test_assert_near(run.event[0].after[0] / unit, -19.0 / 45, 1e-15);
    thud_test_assert_near(run.event[0].impulse[0], 0, 0);
    thud_test_assert_near(run.event[0].impulse[1] / unit, 128.0 / 45, 4e-15);
    thud_test_assert_near(run.event[1].impulse[0] / unit, 2 * 1.6 * 19 / 45, 4e-15);
    thud_test_assert_near(run.end_v[0] / unit, 0.6 * 19 / 45, 1e-15);
    thud_test_assert_near(run.end_v[1] / unit, -5.0 / 3 + 128.0 / 45, 2e-15);
  }
}

/* ---- what is handed out ------------------------------------------------------------------------------------------ */

typedef struct seen {
  int stick[2], arcs;
  double force[2];
} seen;

static int see_event(void *user, const void *handed) {
  const thud_event *event = handed;
  seen *notes = user;
  assert_int_equal(event->kind, THUD_EVENT_STICK);
  for (int l = 0; l < 2; l++) notes->stick[l] += event->involved_law[l] ? 1 : 0;
  return 0;
}

static int see_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  seen *notes = user;
  if (notes->arcs++ == 0) thud_event_arc_evaluate_reactions(arc, 2, arc->t1, notes->force);
  return 0;
}

/* Two bodies with a brake each, 1 N and 2 N + t N/s: the event reports which one stops, the arc with which forces. */
static void brakes_are_told_apart_and_forces_can_be_evaluated(void **state) {
  (void)state;
  static const char *const slips[] = {"x'", "y'"};
  thud_test_system bodies = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .friction = {
          {.name = "first", .constraint = -1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slips, .mu = "1"},
          {.name = "second",
           .constraint = -1,
           .kind = THUD_FRICTION_DISC,
           .directions = 1,
           .slip = slips + 1,
           .mu = "2 + t"}}};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bodies);
  const double q0[] = {0, 0}, v0[] = {10, 2.5}; /* y' = 2.5 - 2t - t^2/2 = 0 at t = 1 */
  seen notes = {0};
  const thud_motion_sink sink = {see_arc, see_event, &notes};
  thud_event_options options = thud_event_options_default();
  thud_motion *motion;
  thud_event_motion_info info;
  options.end = 5;
  assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, &sink, &info), THUD_OK);
  assert_string_equal(thud_motion_status_name(info.status), "completed");
  thud_assert_equal(notes.stick[0], 0);
  thud_assert_equal(notes.stick[1], 1);
  thud_test_assert_near(notes.force[0], -1, 1e-14);
  thud_test_assert_near(notes.force[1], -3, 1e-13);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Three blocks on a slope for a million seconds: sticking contacts hold u' = 0 to the last bit. */
static void stack_at_rest_does_not_drift(void **state) {
  (void)state;
  const char *first[] = {"x1'"}, *second[] = {"x2' - x1'"}, *third[] = {"x3' - x2'"};
  const thud_test_system stack = {
      .coordinates = {"x1", "y1", "x2", "y2", "x3", "y3"},
      .kinetic_energy = "(x1'^2 + y1'^2 + 2*(x2'^2 + y2'^2) + 0.7*(x3'^2 + y3'^2))/2",
      .potential_energy = "9.81*(cos(0.3)*(y1 + 2*y2 + 0.7*y3) + sin(0.3)*(x1 + 2*x2 + 0.7*x3))",
      .constraints = {{.name = "ground", .source = "y1"},
                      {.name = "lower", .source = "y2 - y1 - 1/3"},
                      {.name = "upper", .source = "y3 - y2 - 1/7"}},
      .friction = {
          {.name = "f1", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = first, .mu = "0.7"},
          {.name = "f2", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = second, .mu = "0.7"},
          {.name = "f3", .constraint = 2, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = third, .mu = "0.7"}}};
  const double q0[] = {0.1, 0, 0.2, 1.0 / 3, 0.3, 1.0 / 3 + 1.0 / 7}, v0[6] = {0};
  run_until(&stack, THUD_IMPACT_NEWTON, 1e6, q0, v0);
  assert_int_equal(run.events, 0);
  for (int i = 0; i < 6; i++) {
    thud_assert_equal(run.end_q[i], q0[i]);
    thud_assert_equal(run.end_v[i], 0);
  }
  thud_test_assert_near(run.last_reaction[0], 3.7 * 9.81 * cos(0.3), 1e-13);
}

/* x is pressed on a stop, the mass matrix couples z to it, and z has no force: both accelerations are 0 by cancellation
 * alone, for any numbers, and stay 0 to the last bit. */
static void coupled_coordinate_without_force_stays(void **state) {
  (void)state;
  thud_random random = thud_random_seed(7);
  for (int k = 0; k < 40; k++) {
    char energy[160], force[40];
    double unit = pow(10, 3 * (k % 7) - 9), a = thud_random_uniform(&random, 0.5, 3);
    double b = thud_random_uniform(&random, 0.5, 3), c = thud_random_uniform(&random, -1.8, 1.8) * sqrt(a * b);
    snprintf(energy, sizeof energy, "%.17g*x'^2 + %.17g*x'*z' + %.17g*z'^2", unit * a, unit * c, unit * b);
    snprintf(force, sizeof force, "%.17g", -unit * thud_random_uniform(&random, 0.1, 2));
    const thud_test_system held = {.coordinates = {"x", "z"},
                                   .kinetic_energy = energy,
                                   .forces = {force, "0"},
                                   .constraints = {{.name = "stop", .source = "x"}}};
    const double q0[] = {0, 0}, v0[] = {0, 0};
    run_until(&held, THUD_IMPACT_NEWTON, 1e6, q0, v0);
    for (int i = 0; i < 2; i++) {
      thud_assert_equal(run.end_q[i], 0);
      thud_assert_equal(run.end_v[i], 0);
    }
    thud_assert_equal(run.info.ledger.defect, 0);
  }
}

/* The same with a force on z that is far below the rounding of the load on x: M_zz z'' = F, because x does not move. */
static void force_below_the_rounding_of_others_moves(void **state) {
  (void)state;
  const thud_test_system held = {.coordinates = {"x", "z"},
                                 .kinetic_energy = "x'^2 + 0.162*x'*z' + 0.6*z'^2",
                                 .forces = {"-0.758", "1e-24"},
                                 .constraints = {{.name = "stop", .source = "x"}}};
  const double q0[] = {0, 0}, v0[] = {0, 0};
  run_until(&held, THUD_IMPACT_NEWTON, 3, q0, v0);
  thud_assert_equal(run.end_q[0], 0);
  thud_test_assert_near(run.end_q[1] / (1e-24 / 1.2 * 9 / 2), 1, 1e-14);
}

/* A block that friction stops at t = v/(mu g) has the velocity 0 from then on, not what rounding leaves of 1500 m/s. */
static void slip_that_stopped_is_exactly_0(void **state) {
  (void)state;
  const char *const slip[] = {"x'"};
  const thud_test_system block = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(2.674*x'^2 + 1.7332*x'*y' + 1.8*y'^2)/2",
      .forces = {"0", "-2510"},
      .constraints = {{.name = "floor", .source = "y"}},
      .friction = {
          {.name = "f", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slip, .mu = "0.21"}}};
  const double q0[] = {0, 0}, v0[] = {1500, 0}, slowing = 0.21 * 2510 / (2.674 + 0.21 * 0.8666);
  run_until(&block, THUD_IMPACT_NEWTON, 1e6, q0, v0);
  thud_assert_equal(run.end_v[0], 0);
  thud_test_assert_near(run.end_q[0] / (1500 * 1500 / (2 * slowing)), 1, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cradle_has_one_impact_each_half_period),
      cmocka_unit_test(contact_that_comes_back_is_struck_next),
      cmocka_unit_test(brakes_are_told_apart_and_forces_can_be_evaluated),
      cmocka_unit_test(stack_at_rest_does_not_drift),
      cmocka_unit_test(coupled_coordinate_without_force_stays),
      cmocka_unit_test(force_below_the_rounding_of_others_moves),
      cmocka_unit_test(slip_that_stopped_is_exactly_0),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
