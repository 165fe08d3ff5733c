/* Equations that depend on each other: no solution is an answer, redundant ones run on. */
#include "events.h"
#include "run_motion.h"
#include "testing.h"

#include "thud/stepping.h"

#include <math.h>
#include <string.h>

static noted_run run;

#define BAR(force_x, force_y)                                                                                          \
  {                                                                                                                    \
    .coordinates = {"x", "y", "a"}, .kinetic_energy = "(x'^2 + y'^2)/2 + a'^2/24", .forces = {force_x, force_y, "0"},  \
    .constraints = {                                                                                                   \
      {.name = "e1", .kind = THUD_CONSTRAINT_BILATERAL, .source = "(x + cos(a)/2)^2 + (y + sin(a)/2)^2 - 0.25"},       \
      {.name = "e2", .kind = THUD_CONSTRAINT_BILATERAL, .source = "(x - cos(a)/2)^2 + (y - sin(a)/2)^2 - 0.25"}        \
    }                                                                                                                  \
  }

static void run_bar(const thud_test_system *bar, double angle, double speed) {
  const double q0[] = {0, 0, angle}, v0[] = {0, 0, speed};
  run = (noted_run){0};
  thud_test_event_run_to(bar, 1, q0, v0, &run);
}

/* e1 + e2 = 2 (x^2 + y^2): derivative 4 by time is 12 a^2 with the acceleration a across the bar. At every angle, at rest and
 * turning; a load that begins like t^k contradicts derivative 4 + 2 k. */
static void a_load_across_leaves_no_motion(void **state) {
  (void)state;
  static const thud_test_system across = BAR("0", "1"), growing = BAR("0", "t"), late = BAR("0", "max(0, t - 0.5)^3");
  static const double angles[] = {0, 0.3, 1, 2.5};
  for (size_t k = 0; k < sizeof angles / sizeof *angles; k++)
    for (int turns = 0; turns < 2; turns++) {
      run_bar(&across, angles[k], 2 * turns);
      assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
      assert_non_null(strstr(run.message, "t = 0: no solution: equations e1, e2: their gradients are dependent, and "
                                          "derivative number 4 by time"));
    }
  run_bar(&growing, 0, 0);
  assert_non_null(strstr(run.message, "derivative number 6 by time"));
  run_bar(&late, 0, 0);
  assert_non_null(strstr(run.message, "t = 0.5: no solution: equations e1, e2"));
  assert_non_null(strstr(run.message, "derivative number 10 by time"));
}

/* Along the bar the circle holds it; accelerations across are then rounding, and so are their squares. */
static void a_load_along_is_held(void **state) {
  (void)state;
  static const thud_test_system along = BAR("cos(0.3)", "sin(0.3)"), follows = BAR("cos(a)", "sin(a)"),
                                none = BAR("0", "0");
  run_bar(&along, 0.3, 0);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[1], 0, 1e-15);
  run_bar(&follows, 0.3, 2);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[2], 2.3, 1e-13);
  run_bar(&none, 0.3, 2);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
}

/* An equation by itself whose gradient is 0 up to the rounding of pi/2: sin(a) - 1 = -(a - pi/2)^2/2. */
static void a_gradient_of_rounding_is_zero(void **state) {
  (void)state;
  static const thud_test_system pole = {
      .coordinates = {"a"},
      .kinetic_energy = "a'^2/2",
      .forces = {"1"},
      .constraints = {{.name = "e", .kind = THUD_CONSTRAINT_BILATERAL, .source = "sin(a) - 1"}}};
  const double q0 = 1.5707963267948966, v0 = 0;
  run = (noted_run){0};
  thud_test_event_run_to(&pole, 1, &q0, &v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
  assert_non_null(strstr(run.message, "no solution: equation e: its gradient vanishes, and derivative number 4"));
}

#define FOUR_BAR(load)                                                                                                 \
  {                                                                                                                    \
    .coordinates = {"x", "y", "u", "w"}, .kinetic_energy = "(x'^2 + y'^2 + u'^2 + w'^2)/2",                            \
    .forces = {"0", "-9.81", "0", load}, .constraints = {                                                              \
      {.name = "one", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2 + y^2 - 1"},                                   \
      {.name = "two", .kind = THUD_CONSTRAINT_BILATERAL, .source = "(u - 2)^2 + w^2 - 1"},                             \
      {.name = "rod", .kind = THUD_CONSTRAINT_BILATERAL, .source = "(u - x)^2 + (w - y)^2 - 4"}                        \
    }                                                                                                                  \
  }

/* A parallelogram leaves its flat position: y = sin(phi), phi'' = -g cos(phi). The energy of the reduced motion, phi'^2/2 +
 * g sin(phi), keeps its value 1/2. With the load on one crank alone order 1 contradicts: its forces would be unbounded. */
static void a_flat_linkage_moves_on(void **state) {
  (void)state;
  static const thud_test_system even = FOUR_BAR("-9.81"), uneven = FOUR_BAR("0");
  const double q0[] = {1, 0, 3, 0}, v0[] = {0, 1, 0, 1};
  run = (noted_run){0};
  thud_test_event_run_to(&even, 0.1, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[1], 0.0509486831121506, 1e-13); /* Runge-Kutta of the reduced equation, 2e4 steps */
  double speed = hypot(run.end_v[0], run.end_v[1]);
  thud_test_assert_near(speed * speed / 2 + 9.81 * run.end_q[1], 0.5, 1e-13);
  thud_test_assert_near(run.end_q[3], run.end_q[1], 1e-12);
  run = (noted_run){0};
  thud_test_event_run_to(&uneven, 0.1, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
  assert_non_null(strstr(run.message, "no solution: equations one, two, rod"));
  assert_non_null(strstr(run.message, "derivative number 3 by time"));
}

/* th'' = c sin(th) from th(0) = th0, th'(0) = 1, by Runge-Kutta's method in steps of 1e-4: the error is about 1e-15. */
static double angle_after(double c, double th, double time) {
  int steps = (int)ceil(time * 1e4);
  double h = time / steps, w = 1;
  for (int k = 0; k < steps; k++) {
    double k1 = w, l1 = c * sin(th), k2 = w + h / 2 * l1, l2 = c * sin(th + h / 2 * k1);
    double k3 = w + h / 2 * l2, l3 = c * sin(th + h / 2 * k2), k4 = w + h * l3, l4 = c * sin(th + h * k3);
    th += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return th;
}

/* A parallelogram passes its flat position twice a turn and stays one. The load is even, and the forces stay bounded; or it is on
 * one crank alone: the rod then carries N with N |cos(th)| = 9.81/2 sin(th), which is 9.81/2/(|th'| |t - t*|) next to t*,
 * th'^2 = 1 + 9.81. The gradients of the cranks are 2 m long, which leaves c = 9.81/4/|th'| of their reactions. */
static void a_linkage_passes_its_flat_position(void **state) {
  (void)state;
  static const thud_test_system even = FOUR_BAR("-9.81"), uneven = FOUR_BAR("0");
  const double q0[] = {0, 1, 2, 1}, v0[] = {1, 0, 1, 0};
  for (int k = 0; k < 2; k++) {
    double c = k == 0 ? 9.81 : 9.81 / 2, th = angle_after(c, 0, 6);
    run = (noted_run){0};
    thud_test_event_run_to(k == 0 ? &even : &uneven, 6, q0, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    assert_true(run.info.passages >= 4);
    assert_int_equal(run.info.unqualified, 7);
    assert_int_equal(run.info.unbounded, k == 0 ? 0 : 7);
    if (k == 1) thud_test_assert_near(run.info.unbounded_growth, 9.81 / 4 / sqrt(1 + 9.81), 1e-6);
    thud_test_assert_near(run.end_q[0], sin(th), 1e-10);
    thud_test_assert_near(run.end_q[1], cos(th), 1e-10);
    thud_test_assert_near(run.end_q[2], 2 + sin(th), 1e-10);
    thud_test_assert_near(run.end_q[3], cos(th), 1e-10);
    thud_test_assert_near(run.info.ledger.defect, 0, 1e-11);
  }
}

/* Next to the flat position, before it and behind it, at distances from 1e-7 to 1e-2, the motion begins as well. */
static void a_linkage_begins_beside_its_flat_position(void **state) {
  (void)state;
  static const thud_test_system uneven = FOUR_BAR("0");
  for (int k = 2; k <= 7; k++)
    for (int side = -1; side <= 1; side += 2) {
      double th = acos(-1.0) / 2 + side * pow(10, -k), end = angle_after(9.81 / 2, th, 1);
      const double q0[] = {sin(th), cos(th), 2 + sin(th), cos(th)}, v0[] = {cos(th), -sin(th), cos(th), -sin(th)};
      run = (noted_run){0};
      thud_test_event_run_to(&uneven, 1, q0, v0, &run);
      assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
      thud_test_assert_near(run.end_q[0], sin(end), 1e-10);
      thud_test_assert_near(run.end_q[3], cos(end), 1e-10);
    }
}

/* With the speed sqrt(2 g) from below it comes to rest in the flat position, and nothing says on which branch it goes on. */
static void rest_in_the_flat_position_singles_out_no_branch(void **state) {
  (void)state;
  static const thud_test_system even = FOUR_BAR("-9.81");
  double speed = sqrt(2 * 9.81);
  const double q0[] = {0, -1, 2, -1}, v0[] = {speed, 0, speed, 0};
  run = (noted_run){0};
  thud_test_event_run_to(&even, 2, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_UNQUALIFIED);
  assert_non_null(
      strstr(run.message, "the branches on which the motion may go on are not determined: it comes to rest"));
}

/* A run that is saved before any of its arcs goes on to the same bits. */
static void passages_go_on_from_saved_states(void **state) {
  (void)state;
  static const thud_test_system uneven = FOUR_BAR("0");
  const double q0[] = {0, 1, 2, 1}, v0[] = {1, 0, 1, 0};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &uneven);
  thud_event_options options = thud_event_options_default();
  options.end = 1.2;
  thud_event_motion_info info = {.status = THUD_MOTION_RUNNING};
  thud_motion *motion = NULL, *next = NULL;
  assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
  size_t size = thud_motion_state_size(motion);
  void *block = test_malloc(size);
  while (info.status == THUD_MOTION_RUNNING) {
    assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &next), THUD_OK);
    thud_motion_save(motion, block);
    assert_int_equal(thud_motion_restore(next, block, size), THUD_OK);
    assert_int_equal(thud_test_step_motion(motion, NULL, &info), THUD_OK);
    assert_int_equal(thud_motion_step(next, NULL, NULL), THUD_OK);
    thud_event_frame one = thud_event_motion_present(motion), other = thud_event_motion_present(next);
    assert_memory_equal(one.q, other.q, 4 * sizeof(double));
    assert_memory_equal(one.v, other.v, 4 * sizeof(double));
    thud_motion_destroy(next);
  }
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_true(info.passages > 0);
  test_free(block);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Rows given twice, and combinations of rows: a point on a circle is held by them as by one. */
static void redundant_rows_run_on(void **state) {
  (void)state;
  static const thud_test_system door = {
      .coordinates = {"x", "y"},
      .kinetic_energy = "(x'^2 + y'^2)/2",
      .constraints = {{.name = "one", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2 + y^2 - 1"},
                      {.name = "two", .kind = THUD_CONSTRAINT_BILATERAL, .source = "3*x^2 + 3*y^2 - 3"},
                      {.name = "three", .kind = THUD_CONSTRAINT_BILATERAL, .source = "(x^2 + y^2 - 1)*(2 + x)"}}};
  const double q0[] = {1, 0}, v0[] = {0, 1};
  run = (noted_run){0};
  thud_test_event_run_to(&door, 3, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  thud_test_assert_near(run.end_q[0], cos(3), 1e-12);
  thud_test_assert_near(run.end_q[1], sin(3), 1e-12);
}

/* Every scheme of time stepping says so at node 0, and does not where the load is along the bar. */
static void time_stepping_agrees(void **state) {
  (void)state;
  static const thud_test_system across = BAR("0", "1"), along = BAR("1", "0");
  const double q0[] = {0, 0, 0}, v0[] = {0, 0, 0};
  thud_context *context = thud_test_context(1);
  for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_IMPLICIT; method++)
    for (int k = 0; k < 2; k++) {
      thud_system *system = thud_test_system_make(context, k == 0 ? &across : &along);
      thud_stepping_options options = thud_stepping_options_default();
      thud_motion *motion = NULL;
      thud_stepping_motion_info info;
      options.method = method;
      options.end = 0.1;
      options.steps = 10;
      assert_int_equal(thud_stepping_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
      assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
      assert_int_equal(info.status, k == 0 ? THUD_MOTION_UNQUALIFIED : THUD_MOTION_COMPLETED);
      if (k == 0) thud_test_message_has(context, "t = 0: no solution: equations e1, e2", NULL);
      assert_int_equal(info.steps, k == 0 ? 0 : 10);
      thud_motion_destroy(motion);
      thud_system_destroy(system);
    }
  thud_test_context_end(context);
}

/* Forces in L^1: x'' = 0.5/sqrt(t) gives x' = 1 and x = 2/3 at t = 1, by every scheme that ends its steps at the singularity. */
static void integrable_forces_are_integrated(void **state) {
  (void)state;
  static const thud_test_system particle = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {"0.5/sqrt(t)"}};
  static const thud_test_system inside = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {"0.5*abs(3*t - 1)^(-0.5)"}};
  static const thud_test_system reciprocal = {.coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {"1/t"}};
  const thud_test_system *const systems[] = {&particle, &inside, &reciprocal};
  const double expected[] = {1, (1 + sqrt(2)) / 3}; /* rounding of times near 1/3: 1e-6 of the last 1e-10 of the step */
  const double zero = 0, tolerance[] = {1e-13, 1e-9};
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < 3; k++) {
    thud_system *system = thud_test_system_make(context, systems[k]);
    double error[2] = {0, 0};
    for (int level = 0; level < 2; level++) {
      thud_stepping_options options = thud_stepping_options_default();
      thud_motion *motion = NULL;
      thud_stepping_motion_info info;
      options.method = THUD_STEPPING_SECOND_ORDER;
      options.steps = level == 0 ? 100 : 400;
      assert_int_equal(thud_stepping_motion_create(context, system, &options, &zero, &zero, &motion), THUD_OK);
      assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
      thud_stepping_frame last = thud_stepping_motion_present(motion);
      if (k == 2) {
        assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
        thud_test_message_has(context, "the force of 'x' is not integrable at t = 0", NULL);
      } else {
        assert_int_equal(info.status, THUD_MOTION_COMPLETED);
        thud_test_assert_near(last.v[0], expected[k], tolerance[k]);
        error[level] = fabs(last.q[0] - 2.0 / 3);
      }
      thud_motion_destroy(motion);
    }
    if (k == 0) assert_true(error[1] > 0 && log2(error[0] / error[1]) / 2 > 1.4); /* order 3/2 */
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_across_leaves_no_motion),
      cmocka_unit_test(a_load_along_is_held),
      cmocka_unit_test(a_gradient_of_rounding_is_zero),
      cmocka_unit_test(a_flat_linkage_moves_on),
      cmocka_unit_test(a_linkage_passes_its_flat_position),
      cmocka_unit_test(a_linkage_begins_beside_its_flat_position),
      cmocka_unit_test(rest_in_the_flat_position_singles_out_no_branch),
      cmocka_unit_test(passages_go_on_from_saved_states),
      cmocka_unit_test(redundant_rows_run_on),
      cmocka_unit_test(time_stepping_agrees),
      cmocka_unit_test(integrable_forces_are_integrated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
