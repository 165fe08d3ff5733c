/* Accumulations of impacts: where they end, what they add up to, and what is none. */
#include "events.h"
#include "sample_systems.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>

static void bouncing_particle_comes_to_rest_at_three(void **state) {
  (void)state;
  const double times[] = {0.5, 1.5, 2.25, 2.625, 3.5};
  const double positions[] = {-0.75, -0.25, -0.0625, -1.0 / 64, 0};
  static noted_run run;
  run = (noted_run){.samples = 5, .sample_times = times};
  double q0 = -1, v0 = 0;
  thud_test_event_run_to(&thud_test_bouncing_particle, 4, &q0, &v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.zeno_limits, 1);
  int limits = 0;
  for (int k = 0; k < run.events; k++) {
    const noted_event *note = &run.event[k];
    if (note->event.kind == THUD_EVENT_ZENO) {
      limits++;
      thud_test_assert_near(note->event.t, 3, 1e-13);
      thud_test_assert_near(note->total[0], 6, 1e-12);
      thud_test_assert_near(note->event.begin, 1, 1e-15);
      thud_test_assert_near(note->event.begin + note->event.duration, 3, 1e-13);
      thud_test_assert_near(note->event.ratio, 0.5, 1e-6);
      thud_assert_at_most(note->event.limit_error, 1e-12);
      assert_int_equal(note->mode_after[0], THUD_CONTACT_LASTING);
      continue;
    }
    assert_int_equal(note->event.kind, THUD_EVENT_IMPACT);
    thud_test_assert_near(note->event.t, 3 - exp2(1 - k), 1e-14);
    thud_test_assert_near(note->before[0], exp2(1 - k), 1e-14);
    thud_test_assert_near(note->after[0], -exp2(-k), 1e-14);
    thud_test_assert_near(note->impulse[0], 3 * exp2(-k), 1e-14); /* thud's sign */
  }
  assert_int_equal(limits, 1);
  for (int k = 0; k < 5; k++) thud_test_assert_near(run.sample_q[k][0], positions[k], 1e-13);
  thud_test_assert_near(run.last_reaction[0], 2, 1e-13);
  thud_test_assert_near(run.end_q[0], 0, 1e-14);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-13);
  thud_test_assert_near(run.info.ledger.impact_loss, 2, 1e-12);
}

static void general_zeno_agrees_with_its_closed_form(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  const double time = 2;
  static noted_run run;
  run = (noted_run){.samples = 1, .sample_times = &time};
  double q0 = -1, v0 = 0;
  system.forces[0] = "9.81";
  system.constraints[0].restitution = "0.8";
  thud_test_event_run_to(&system, 5, &q0, &v0, &run);
  const double times[] = {0.4515236409857, 1.1739614665629, 1.7519117270246, 2.2142719353940};
  for (int k = 0; k < 4; k++) {
    thud_test_assert_near(run.event[k].event.t, times[k], 1e-12);
    thud_test_assert_near(run.event[k].before[0], pow(0.8, k) * sqrt(2 * 9.81), 1e-12);
  }
  thud_test_assert_near(run.sample_q[0][0], -0.2607417283271, 1e-12);
  thud_test_assert_near(run.sample_v[0][0], 0.1658691358365, 1e-12);
  const noted_event *last = &run.event[run.events - 1];
  assert_int_equal(last->event.kind, THUD_EVENT_ZENO);
  thud_test_assert_near(last->event.t, 4.0637127688716, 1e-12);
  thud_test_assert_near(last->total[0], sqrt(2 * 9.81) * 9, 1e-10);
}

/* With a force that varies the ratios are geometric only in the limit. */
/* Two balls of their own, dropped from 1 and 1.1: limits at t_1 (1+e)/(1-e). Free flight is a polynomial, which a step
 * as long as the run would blur. */
static void events_do_not_depend_on_how_long_the_run_goes_on(void **state) {
  (void)state;
  const thud_test_system balls = {.coordinates = {"a", "b"},
                                  .kinetic_energy = "(a'^2 + b'^2)/2",
                                  .forces = {"-9.81", "-9.81"},
                                  .constraints = {{.name = "fa", .source = "a", .restitution = "0.5"},
                                                  {.name = "fb", .source = "b", .restitution = "0.5"}}};
  const double q0[] = {1, 1.1}, v0[] = {0, 0}, ends[] = {10, 1e6, 1e13};
  static noted_run run;
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    int limits = 0;
    run = (noted_run){0};
    thud_test_event_run_to(&balls, ends[k], q0, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    for (int i = 0; i < run.events; i++) {
      if (run.event[i].event.kind != THUD_EVENT_ZENO) continue;
      thud_test_assert_near(run.event[i].event.t, 3 * sqrt(2 * q0[limits] / 9.81), 1e-11);
      limits++;
    }
    assert_int_equal(limits, 2);
  }
}

static void zeno_under_a_varying_force_has_the_limit_that_shorter_remainders_give(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  double q0 = -1, v0 = 0, limit[2], rest[2];
  static noted_run run;
  system.forces[0] = "2 + sin(3*t) + 0.3*q'";
  for (int k = 0; k < 2; k++) {
    thud_event_options options = thud_event_options_default();
    options.end = 6;
    options.zeno_remaining = k == 0 ? 1e-6 : 1e-11;
    options.zeno_tolerance = 1e-9;
    run = (noted_run){0};
    thud_test_event_run(&system, &options, &q0, &v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    thud_assert_at_least(run.info.zeno_limits, 1);
    for (int e = run.events - 1; e >= 0; e--)
      if (run.event[e].event.kind == THUD_EVENT_ZENO) {
        limit[k] = run.event[e].event.t;
        rest[k] = run.event[e].total[0];
      }
  }
  thud_test_assert_near(limit[0], limit[1], 1e-10);
  thud_test_assert_near(rest[0], rest[1], 1e-8);
  thud_test_assert_near(run.last_reaction[0], 2 + sin(18.0), 1e-10);
}

static void elastic_bounces_do_not_accumulate_and_energy_stays(void **state) {
  (void)state;
  thud_test_system system = thud_test_bouncing_particle;
  static noted_run run;
  run = (noted_run){0};
  double q0 = -1, v0 = 0;
  system.constraints[0].restitution = "1";
  thud_test_event_run_to(&system, 100, &q0, &v0, &run);
  assert_int_equal(run.info.impacts, 50);
  assert_int_equal(run.info.zeno_limits, 0);
  thud_test_assert_near(run.event[49].event.t, 99, 1e-11);
  thud_test_assert_near(run.end_q[0], -1, 1e-10); /* at its highest */
  thud_test_assert_near(run.end_v[0], 0, 1e-10);
}

/* Two walls in turn: a cycle of two impacts has a common ratio as well. */
static void wedge_with_alternating_impacts_is_closed_as_one_accumulation(void **state) {
  (void)state;
  const thud_test_system wedge = {.coordinates = {"x", "y"},
                                  .kinetic_energy = "(x'^2 + y'^2)/2",
                                  .forces = {"0", "-1"},
                                  .constraints = {{.name = "left", .source = "y + 2*x", .restitution = "0.3"},
                                                  {.name = "right", .source = "y - x", .restitution = "0.3"}}};
  static noted_run run;
  run = (noted_run){0};
  const double q0[] = {0.1, 1}, v0[] = {0.2, 0};
  thud_test_event_run_to(&wedge, 50, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], 0, 1e-9);
  thud_test_assert_near(run.end_q[1], 0, 1e-9);
  thud_assert_greater(run.info.worst_gap, -1e-12);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-9);
}

/* Two balls collapse onto a floor. Without gravity a cycle (balls, floor) multiplies their velocities by a matrix of
 * trace (1 - e)^2/2 and determinant e^2: velocities shrink by its larger eigenvalue, flights by the ratio of both. */
static void collapse_of_two_balls_ends_at_rest(void **state) {
  (void)state;
  const double e = 0.1, trace = (1 - e) * (1 - e) / 2, root = sqrt(trace * trace - 4 * e * e), g = 9.81;
  const thud_test_system column = {.coordinates = {"a", "b"},
                                   .kinetic_energy = "(a'^2 + b'^2)/2",
                                   .potential_energy = "9.81*(a + b)",
                                   .constraints = {{.name = "floor", .source = "a", .restitution = "0.1"},
                                                   {.name = "balls", .source = "b - a", .restitution = "0.1"}}};
  static noted_run run;
  run = (noted_run){0};
  double q0[] = {0.01, 0.1}, v0[] = {0, -3}, impulse = 0;
  thud_test_event_run_to(&column, 1e3, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run.info.zeno_limits, 1);
  for (int k = 0; k < run.events; k++) impulse += run.event[k].impulse[0];
  const thud_event *limit = &run.event[run.events - 1].event;
  assert_int_equal(limit->kind, THUD_EVENT_ZENO);
  thud_assert_less(limit->limit_error, 1e-12);
  thud_test_assert_near(limit->ratio, (trace - root) / (trace + root), 1e-6);
  thud_test_assert_near(impulse, 3 + 2 * g * limit->t, 1e-12); /* the momentum that there was is gone */
  for (int i = 0; i < 2; i++) {
    thud_test_assert_near(run.end_q[i], 0, 1e-9);
    thud_test_assert_near(run.end_v[i], 0, 1e-11);
  }
}

/* A heavy ball presses a light one against the floor. Their flights shrink below the rounding of positions while they
 * still move: what is left is closed, with the impulses and the loss that this takes. Nothing moves in the end, so that
 * the floor has taken the whole momentum, and the impacts the whole energy. */
static void collapse_that_rounding_hides_keeps_its_balances(void **state) {
  (void)state;
  const thud_test_system column = {.coordinates = {"a", "b"},
                                   .kinetic_energy = "0.9*a'^2 + 10.5*b'^2",
                                   .constraints = {{.name = "floor", .source = "a", .restitution = "0.5"},
                                                   {.name = "balls", .source = "b - a - 1", .restitution = "0.5"}}};
  static noted_run run;
  run = (noted_run){0};
  double q0[] = {0.4, 1.82}, v0[] = {-0.68, -1.06}, impulse[2] = {0, 0};
  thud_test_event_run_to(&column, 1, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  const noted_event *limit = &run.event[run.events - 1];
  assert_int_equal(limit->event.kind, THUD_EVENT_ZENO);
  assert_true(limit->event.ratio == 0);
  for (int i = 0; i < 2; i++) {
    thud_assert_greater(limit->impulse[i], 1e-6);
    for (int k = 0; k < run.events; k++) impulse[i] += run.event[k].impulse[i];
    thud_test_assert_near(run.end_v[i], 0, 1e-15);
  }
  thud_test_assert_near(impulse[0], 1.8 * 0.68 + 21 * 1.06, 1e-12);
  thud_test_assert_near(impulse[1], 21 * 1.06, 1e-12);
  thud_test_assert_near(run.info.ledger.impact_loss, 0.9 * 0.68 * 0.68 + 10.5 * 1.06 * 1.06, 1e-13);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-14);
}

/* Housner's block, 2b wide and 1.6 high, let go at a tilt of 0.1, with friction that holds: its corners strike in turn.
 * Limits by quadrature of the half periods, 40 digits. */
static void rocking_block_comes_to_rest(void **state) {
  (void)state;
  const struct {
    const char *b;
    double width, limit;
  } blocks[] = {{"0.2", 0.2, 6.46494833059673059266764876068},
                {"0.3", 0.3, 2.50302097418083299435347240507},
                {"0.4", 0.4, 1.31793375549454977633430187237},
                {"0.6", 0.6, 0.580093495847814750357956549023},
                {"0.8", 0.8, 0.354079748371938825734152840861}};
  const char *friction[] = {"1", "2", "10"};
  static noted_run run;
  for (size_t k = 0; k < 15; k++) {
    double b = blocks[k / 3].width, h = 0.8;
    char kinetic[120], gaps[2][80], slips[2][80];
    snprintf(kinetic, sizeof kinetic, "(x'^2 + y'^2 + (%s^2 + 0.64)/3*th'^2)/2", blocks[k / 3].b);
    for (int side = 0; side < 2; side++) {
      char sign = side == 0 ? '-' : '+', other = side == 0 ? '+' : '-';
      snprintf(gaps[side], sizeof gaps[side], "y - 0.8*cos(th) %c %s*sin(th)", sign, blocks[k / 3].b);
      snprintf(slips[side], sizeof slips[side], "x' + (0.8*cos(th) %c %s*sin(th))*th'", other, blocks[k / 3].b);
    }
    const char *left[] = {slips[0]}, *right[] = {slips[1]}, *mu = friction[k % 3];
    const thud_test_system block = {
        .coordinates = {"x", "y", "th"},
        .kinetic_energy = kinetic,
        .potential_energy = "9.81*y",
        .constraints = {{.name = "left", .source = gaps[0]}, {.name = "right", .source = gaps[1]}},
        .friction = {
            {.name = "fl", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = left, .mu = mu},
            {.name = "fr", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = right, .mu = mu}}};
    const double q0[] = {-b + b * cos(0.1) + h * sin(0.1), h * cos(0.1) + b * sin(0.1), -0.1}, v0[] = {0, 0, 0};
    run = (noted_run){0};
    thud_test_event_run_to(&block, 20, q0, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(run.info.zeno_limits, 1);
    const thud_event *limit = &run.event[run.events - 1].event;
    assert_int_equal(limit->kind, THUD_EVENT_ZENO);
    thud_test_assert_near(limit->t, blocks[k / 3].limit, 2e-14 * blocks[k / 3].limit);
    for (int i = 0; i < 3; i++) thud_assert_equal(run.end_v[i], 0);
    for (int i = 0; i < 2; i++) assert_int_equal(run.event[run.events - 1].mode_after[i], THUD_CONTACT_STICKING);
  }
}

/* The same for small angles, without friction and with e = 0.1: after each blow a corner bounces until it rests, then
 * the block turns about it. Limits of limits; the sums are geometric. */
static void corners_that_bounce_in_turn_are_a_nested_accumulation(void **state) {
  (void)state;
  const thud_test_system block = {.coordinates = {"y", "th"},
                                  .kinetic_energy = "(y'^2 + 4/15*th'^2)/2",
                                  .potential_energy = "9.81*y",
                                  .constraints = {{.name = "left", .source = "y - 0.4*th", .restitution = "0.1"},
                                                  {.name = "right", .source = "y + 0.4*th", .restitution = "0.1"}}};
  const double q0[] = {0.04, 0.1}, v0[] = {0, 0};
  const double limits[] = {0.172044837567347429, 0.227344963928280532, 0.241169995518513807, 0.244626253416072126};
  static noted_run run;
  int count = 0;
  run = (noted_run){0};
  thud_test_event_run_to(&block, 1e6, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  for (int k = 0; k < run.events; k++) {
    if (run.event[k].event.kind != THUD_EVENT_ZENO) continue;
    if (count < 4) thud_test_assert_near(run.event[k].event.t, limits[count], 1e-14);
    count++;
  }
  const noted_event *last = &run.event[run.events - 1];
  assert_int_equal(last->event.kind, THUD_EVENT_ZENO);
  thud_assert_greater(count, 4);
  thud_assert_equal(last->event.begin, run.event[0].event.t);
  assert_int_equal(last->event.impacts, run.info.impacts);
  thud_test_assert_near(last->event.t, 0.245778339381924898947324886945, 1e-14);
  thud_test_assert_near(last->event.ratio, 0.0625, 1e-9);
  thud_test_assert_near(last->total[0], 0.221016171689195965378381904585, 1e-14);
  thud_test_assert_near(last->total[1], 0.884064686756783861513527618342, 1e-14);
  thud_assert_less(last->event.limit_error, 1e-12);
  for (int i = 0; i < 2; i++) {
    thud_assert_equal(run.end_v[i], 0);
    thud_test_assert_near(run.end_q[i], 0, 1e-16);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouncing_particle_comes_to_rest_at_three),
      cmocka_unit_test(general_zeno_agrees_with_its_closed_form),
      cmocka_unit_test(events_do_not_depend_on_how_long_the_run_goes_on),
      cmocka_unit_test(zeno_under_a_varying_force_has_the_limit_that_shorter_remainders_give),
      cmocka_unit_test(elastic_bounces_do_not_accumulate_and_energy_stays),
      cmocka_unit_test(wedge_with_alternating_impacts_is_closed_as_one_accumulation),
      cmocka_unit_test(collapse_of_two_balls_ends_at_rest),
      cmocka_unit_test(collapse_that_rounding_hides_keeps_its_balances),
      cmocka_unit_test(rocking_block_comes_to_rest),
      cmocka_unit_test(corners_that_bounce_in_turn_are_a_nested_accumulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
