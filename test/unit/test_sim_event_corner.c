/* Surfaces across which energies jump: several at once, together with impacts, and while constraints are closed. */
#include "events.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static noted_run run;

static void go(const thud_test_system *system, double end, const double *q0, const double *v0) {
  run = (noted_run){0};
  thud_test_event_run_to(system, end, q0, v0, &run);
}

static const noted_event *only_switch(void) {
  const noted_event *found = NULL;
  for (int k = 0; k < run.events; k++)
    if (run.event[k].event.kind == THUD_EVENT_SWITCH) {
      assert_null(found);
      found = &run.event[k];
    }
  assert_non_null(found);
  return found;
}

static void expect_refusal(const char *what) {
  assert_int_equal(run.info.status, THUD_MOTION_KINK);
  if (strstr(run.message, what) == NULL) fail_msg("'%s' is not in '%s'", what, run.message);
}

static void expect_good(double defect) {
  if (run.info.status != THUD_MOTION_COMPLETED) fail_msg("%s", run.message);
  thud_assert_less(fabs(run.info.ledger.defect), defect);
}

/* ---- several surfaces ---------------------------------------------------------------------------------------------- */

/* Orthogonal ones are crossed, or not, each by itself: v_i'^2 = v_i^2 - 2 V_i/m_i. */
static void orthogonal_surfaces_are_independent(void **state) {
  (void)state;
  const double q0[] = {0, 0, 0}, v0[] = {1, 1, 1};
  thud_test_system plane = {.coordinates = {"x", "y"},
                            .kinetic_energy = "(x'^2 + 2*y'^2)/2",
                            .potential_energy = "0.3*step(x - 1) + 0.2*step(y - 1)"};
  go(&plane, 3, q0, v0);
  expect_good(1e-15);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.end_v[0], sqrt(0.4), 1e-15);
  thud_test_assert_near(run.end_v[1], sqrt(0.8), 1e-15);
  plane.potential_energy = "3*step(x - 1) - 4*step(y - 1)";
  go(&plane, 3, q0, v0);
  expect_good(1e-14);
  thud_test_assert_near(run.end_v[0], -1, 1e-15);
  thud_test_assert_near(run.end_v[1], sqrt(5), 1e-15);
  const thud_test_system space = {.coordinates = {"x", "y", "z"},
                                  .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2",
                                  .potential_energy = "0.3*step(x - 1) + 9*step(y - 1) - step(2 - 2*z)"};
  go(&space, 3, q0, v0);
  expect_good(1e-15);
  thud_test_assert_near(run.end_v[0], sqrt(0.4), 1e-15);
  thud_test_assert_near(run.end_v[1], -1, 1e-15);
  thud_test_assert_near(run.end_v[2], -1, 1e-15); /* 1 J higher behind */
}

/* Steep data have several limits where surfaces are not orthogonal, or where their jumps do not add up. */
static void surfaces_whose_order_matters_are_refused(void **state) {
  (void)state;
  const double q0[] = {0, 0}, v0[] = {1, 1};
  thud_test_system plane = {.coordinates = {"x", "y"},
                            .kinetic_energy = "(x'^2 + y'^2)/2",
                            .potential_energy = "0.3*step(x - 1) + 0.2*step(x + y - 2)"};
  go(&plane, 3, q0, v0);
  expect_refusal("'step' in the potential energy (column 5) and 'step' in the potential energy (column 23)");
  plane.potential_energy = "0.3*step(x - 1)*step(y - 1)";
  go(&plane, 3, q0, v0);
  expect_refusal("depends on which of them comes first");
  /* from beside the corner each order has its own motion */
  const double above[] = {0, 0.01}, below[] = {0.01, 0};
  go(&plane, 3, above, v0);
  thud_test_assert_near(run.end_v[0], sqrt(0.4), 1e-14);
  thud_test_assert_near(run.end_v[1], 1, 1e-14);
  go(&plane, 3, below, v0);
  thud_test_assert_near(run.end_v[1], sqrt(0.4), 1e-14);
}

/* One surface in several texts is crossed once: T + V stays, 1/2 = 4 v^2/2 + 0.3; a kink that shares it changes nothing.
 */
static void one_surface_may_be_written_twice(void **state) {
  (void)state;
  const double q0 = 0, v0 = 1;
  thud_test_system twice = {
      .coordinates = {"x"}, .kinetic_energy = "(1 + 3*step(2*x - 2))*x'^2/2", .potential_energy = "if(x > 1, 0.3, 0)"};
  go(&twice, 1.5, &q0, &v0);
  expect_good(1e-15);
  assert_int_equal(run.events, 1);
  thud_test_assert_near(run.end_v[0], sqrt(0.1), 1e-15);
  twice.forces[0] = "max(0, x - 1)*0 + max(0, 1 - x)*0";
  go(&twice, 1.5, &q0, &v0);
  thud_test_assert_near(run.end_v[0], sqrt(0.1), 1e-15);
  /* force -sign(x'), 1 towards the surface and behind it: thrown back from x = 1 with 1 the switch of the velocity turns */
  const thud_test_system brake = {.coordinates = {"x"},
                                  .kinetic_energy = "x'^2/2",
                                  .potential_energy = "5*step(x - 1)",
                                  .forces = {"-0.1*sign(x')"}};
  const double fast = sqrt(1.2);
  go(&brake, (fast - 1) / 0.1 + 1, &q0, &fast);
  expect_good(1e-14);
  thud_test_assert_near(run.end_v[0], -0.9, 1e-13);
}

/* ---- together with impacts ----------------------------------------------------------------------------------------- */

static void impacts_come_first_where_the_order_does_not_matter(void **state) {
  (void)state;
  thud_test_system ball = {.coordinates = {"x", "y"},
                           .kinetic_energy = "(x'^2 + y'^2)/2",
                           .potential_energy = "10*y + 0.3*step(x - 1)",
                           .constraints = {{.name = "floor", .source = "y", .restitution = "0.5"}}};
  const double q0[] = {0, 5}, v0[] = {1, 0};
  go(&ball, 1.5, q0, v0);
  expect_good(1e-13);
  assert_int_equal(run.events, 2);
  assert_int_equal(run.event[0].event.kind, THUD_EVENT_IMPACT);
  assert_int_equal(run.event[1].event.kind, THUD_EVENT_SWITCH);
  thud_test_assert_near(run.event[1].event.t, 1, 1e-14);
  thud_test_assert_near(run.end_v[0], sqrt(0.4), 1e-14);
  thud_test_assert_near(run.end_q[1], 5 * 0.5 - 1.25, 1e-13);
  ball.potential_energy = "10*y + 0.3*step(x + y - 1)";
  go(&ball, 1.5, q0, v0);
  expect_refusal(
      "the impact of 'floor' and the jump of the potential energy or the mass at 'step' in the potential energy");
  ball.potential_energy = "10*y + 3*step(-y)"; /* the other side of the surface is behind the floor */
  go(&ball, 1.5, q0, v0);
  expect_good(1e-13);
  thud_test_assert_near(run.end_q[1], 5 * 0.5 - 1.25, 1e-13);
  thud_test_assert_near(run.info.ledger.impact_loss, 37.5, 1e-12);
}

/* ---- while constraints are closed ---------------------------------------------------------------------------------- */

/* Rails and hoops: the energy is that of the motion along them. */
static void equations_take_part_in_jumps(void **state) {
  (void)state;
  const thud_test_system rail = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + 2*y'^2)/2",
      .potential_energy = "0.1*step(x - 1)",
      .constraints = {{.name = "rail", .source = "y - x", .kind = THUD_CONSTRAINT_BILATERAL}}};
  const double q0[] = {0, 0}, v0[] = {1, 1};
  go(&rail, 3, q0, v0);
  expect_good(1e-15);
  thud_test_assert_near(run.end_v[0], sqrt(1 - 0.2 / 3), 1e-15);
  thud_test_assert_near(run.end_v[1], sqrt(1 - 0.2 / 3), 1e-15);
  /* 2 dy' of the second mass is what the rail gives it */
  thud_test_assert_near(only_switch()->impulse[0], 2 * (sqrt(1 - 0.2 / 3) - 1), 1e-15);
  /* mass 1 to 4 on a hoop: the speed is halved, 1/2 (1 + 4) v^2 stays */
  const thud_test_system hoop = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(1 + 3*step(x - y + 0.5))*(x'^2 + y'^2)/2",
      .constraints = {{.name = "hoop", .source = "x^2 + y^2 - 1", .kind = THUD_CONSTRAINT_BILATERAL}}};
  const double west[] = {-1, 0}, south[] = {0, -1};
  go(&hoop, 1, west, south);
  expect_good(1e-14);
  const noted_event *note = only_switch();
  for (int i = 0; i < 2; i++) thud_test_assert_near(note->after[i], note->before[i] / 2, 1e-14);
  /* a rail that rises by 0.2 t: work of the rail, no defect */
  const thud_test_system lift = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + 2*y'^2)/2",
      .potential_energy = "0.1*step(x + 0.5*y - 1 - 0.1*t)",
      .constraints = {{.name = "rail", .source = "y - x - 0.2*t", .kind = THUD_CONSTRAINT_BILATERAL}}};
  const double rising[] = {1, 1.2};
  go(&lift, 3, q0, rising);
  expect_good(1e-15);
  thud_assert_greater(fabs(run.info.ledger.work), 1e-3);
}

/* Frictionless floor, surface x + y = 1: pressed down it stays closed, v'^2 = 1 - 0.2; pulled it opens: both velocities
 * get l with (1 + l)^2 + l^2 = 1 + 0.2. */
static void contacts_stay_closed_or_open(void **state) {
  (void)state;
  const double q0[] = {0, 0}, v0[] = {1, 0};
  thud_test_system floor = {.coordinates = {"x", "y"},
                            .kinetic_energy = "(x'^2 + y'^2)/2",
                            .potential_energy = "10*y + 0.1*step(x + y - 1)",
                            .constraints = {{.name = "floor", .source = "y"}}};
  go(&floor, 3, q0, v0);
  expect_good(1e-15);
  thud_test_assert_near(run.end_v[0], sqrt(0.8), 1e-15);
  thud_test_assert_near(only_switch()->impulse[0], 1 - sqrt(0.8), 1e-15);
  floor.potential_energy = "10*y - 0.1*step(x + y - 1)";
  go(&floor, 1.01, q0, v0);
  expect_good(1e-15);
  double l = (sqrt(1.4) - 1) / 2;
  thud_test_assert_near(only_switch()->after[0], 1 + l, 1e-15);
  thud_test_assert_near(only_switch()->after[1], l, 1e-15);
  assert_int_equal(only_switch()->mode_after[0], THUD_CONTACT_LEAVING);
  /* thrown back, still on the floor: the same speed */
  floor.potential_energy = "10*y + 7*step(x + y - 1)";
  go(&floor, 3, q0, v0);
  expect_good(1e-15);
  thud_test_assert_near(run.end_v[0], -1, 1e-15);
  /* lighter masses behind: the surface pulls down, and T along the floor stays */
  floor.kinetic_energy = "(1 - 0.75*step(x + y - 1))*(x'^2 + y'^2)/2";
  floor.potential_energy = "10*y";
  go(&floor, 3, q0, v0);
  expect_good(1e-14);
  thud_test_assert_near(run.end_v[0], 2, 1e-14);
  thud_test_assert_near(only_switch()->impulse[0], 0.5, 1e-14);
  /* 4 times as heavy: it is lifted, (1 + l)^2 + l^2 = 4 */
  floor.kinetic_energy = "(1 + 3*step(x + y - 1))*(x'^2 + y'^2)/2";
  go(&floor, 1.01, q0, v0);
  expect_good(1e-14);
  thud_test_assert_near(only_switch()->after[0], (1 + sqrt(7)) / 8, 1e-15);
  thud_test_assert_near(only_switch()->after[1], (sqrt(7) - 1) / 8, 1e-15);
}

static const char *const along_floor[] = {"x'"};

#define WITH_FRICTION(coefficient)                                                                                     \
  {                                                                                                                    \
    { .name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = along_floor, .mu = (coefficient) }             \
  }

/* Friction takes mu times what the surface presses: v'^2 = v^2 - 2 (1 + mu) V; thrown back v'^2 = v^2 (1 - mu)/(1 + mu). */
static void friction_takes_its_share_of_jumps(void **state) {
  (void)state;
  const double mu = 0.25, speed = 3, q0[] = {0.5, 0}, v0[] = {speed, 0};
  thud_test_system floor = {.coordinates = {"x", "y"},
                            .kinetic_energy = "(x'^2 + y'^2)/2",
                            .potential_energy = "10*y + 0.6*step(x + y - 1)",
                            .constraints = {{.name = "floor", .source = "y"}},
                            .friction = WITH_FRICTION("0.25")};
  double before = speed * speed - 2 * mu * 10 * 0.5;
  go(&floor, 0.3, q0, v0);
  expect_good(1e-14);
  const noted_event *note = only_switch();
  thud_test_assert_near(note->after[0], sqrt(before - 2 * (1 + mu) * 0.6), 1e-14);
  thud_test_assert_near(note->impulse[0], (note->before[0] - note->after[0]) / (1 + mu), 1e-14);
  /* m dv = -l - mu l, of which the floor feels l */
  thud_test_assert_near(run.info.ledger.impact_loss, mu * 0.6, 1e-14);
  floor.potential_energy = "10*y + 60*step(x + y - 1)";
  go(&floor, 0.3, q0, v0);
  expect_good(1e-13);
  thud_test_assert_near(only_switch()->after[0], -sqrt(before * (1 - mu) / (1 + mu)), 1e-14);
  /* a surface that does not press the floor: no friction */
  floor.potential_energy = "10*y + 0.6*step(x - 1)";
  go(&floor, 0.3, q0, v0);
  thud_test_assert_near(only_switch()->after[0], sqrt(before - 1.2), 1e-14);
  thud_assert_equal(run.info.ledger.impact_loss, 0);
  /* steep the other way, and mu = 1.5: what pushes back presses harder than it pushes, and holds it in the layer */
  floor.potential_energy = "10*y + 60*step(x + y - 1)";
  floor.friction[0].mu = "1.5";
  const double near[] = {0.9, 0};
  go(&floor, 0.3, near, v0);
  expect_refusal("while 'floor' is closed there, and friction holds it there");
  floor.friction[0].mu = "0.25";
  floor.potential_energy = "10*y";
  floor.kinetic_energy = "(1 - 0.75*step(x + y - 1))*(x'^2 + y'^2)/2";
  go(&floor, 0.3, q0, v0);
  expect_refusal("masses that jump leave its friction open");
}

/* Smooth data of width w differ from the limit by what is proportional to w; where the contact opens to w log(1/w): in
 * the tails of tanh the weight still holds it. */
static void jumps_with_friction_are_limits_of_steep_data(void **state) {
  (void)state;
  const double q0[] = {0.5, 0}, v0[] = {3, 0}, heights[] = {0.6, 60, -0.6};
  for (size_t h = 0; h < 3; h++) {
    double q[3] = {0}, v[3] = {0};
    for (int k = 0; k < 3; k++) {
      char potential[120];
      if (k == 0)
        snprintf(potential, sizeof potential, "10*y + %g*step(x + y - 1)", heights[h]);
      else
        snprintf(potential, sizeof potential, "10*y + %g*(1 + tanh((x + y - 1)/%g))", heights[h] / 2,
                 k == 1 ? 1e-3 : 1e-4);
      const thud_test_system floor = {.coordinates = {"x", "y"},
                                      .kinetic_energy = "(x'^2 + y'^2)/2",
                                      .potential_energy = potential,
                                      .constraints = {{.name = "floor", .source = "y", .restitution = "0.3"}},
                                      .friction = WITH_FRICTION("0.25")};
      go(&floor, 0.19, q0, v0);
      expect_good(1e-11);
      q[k] = run.end_q[0];
      v[k] = run.end_v[0];
    }
    thud_assert_less(fabs(q[2] - q[0]), 2e-4);
    double opens = heights[h] < 0 ? 0.03 : 0;
    thud_test_assert_near((q[2] - q[0]) / (q[1] - q[0]), 0.1 + opens, 0.01);
    thud_assert_less(fabs(v[2] - v[0]), 2e-3);
    thud_test_assert_near((v[2] - v[0]) / (v[1] - v[0]), 0.1 + opens, 0.02);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orthogonal_surfaces_are_independent),
      cmocka_unit_test(surfaces_whose_order_matters_are_refused),
      cmocka_unit_test(one_surface_may_be_written_twice),
      cmocka_unit_test(impacts_come_first_where_the_order_does_not_matter),
      cmocka_unit_test(equations_take_part_in_jumps),
      cmocka_unit_test(contacts_stay_closed_or_open),
      cmocka_unit_test(friction_takes_its_share_of_jumps),
      cmocka_unit_test(jumps_with_friction_are_limits_of_steep_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
