/* Time stepping of contacts that last: what is an impact and what is not, order 2 along curved constraints, rest, left
 * limits, sizes in any unit. */
#include "systems.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const thud_test_system hoop = {.coordinates = {"x", "y"},
                                      .kinetic_energy = "(x'^2 + y'^2)/2",
                                      .constraints = {{.name = "wall", .source = "1 - sqrt(x^2 + y^2)"}}};

/* Along a curved wall without forces nothing explains the approach but the wall itself. */
static void sliding_along_a_curved_wall_is_no_impact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &hoop);
  const double q0[] = {0, -1}, v0[] = {1, 0};
  for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_SECOND_ORDER; method++) {
    thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 10, 9000);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, NULL, NULL);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_equal(info.impacts, 0u);
    thud_assert_equal(info.ledger.impact_loss, 0);
    thud_assert_greater(info.ledger.contact_loss, -1e-12);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* theta'' = -9.81 sin(theta) by the classical Runge-Kutta method with steps far below the errors looked for; the angle is
 * that from the lowest point. */
static void pendulum(double angle, double rate, double end, double *q, double *v) {
  enum { STEPS = 200000 };
  double h = end / STEPS, a = angle, w = rate;
  for (int k = 0; k < STEPS; k++) {
    double a1 = w, w1 = -9.81 * sin(a), a2 = w + h / 2 * w1, w2 = -9.81 * sin(a + h / 2 * a1);
    double a3 = w + h / 2 * w2, w3 = -9.81 * sin(a + h / 2 * a2), a4 = w + h * w3, w4 = -9.81 * sin(a + h * a3);
    a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  q[0] = sin(a), q[1] = -cos(a);
  v[0] = w * cos(a), v[1] = w * sin(a);
}

static double error_of(thud_context *context, const thud_system *system, const double *q0, const double *v0, double end,
                       const double *exact_q, const double *exact_v, thud_index steps) {
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, end, steps);
  double q[2], v[2];
  thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, v);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  thud_assert_equal(info.impacts, 0u);
  return fmax(fmax(fabs(q[0] - exact_q[0]), fabs(q[1] - exact_q[1])),
              fmax(fabs(v[0] - exact_v[0]), fabs(v[1] - exact_v[1])));
}

static const thud_test_system heavy[] = {
    {.coordinates = {"x", "y"}, /* bead on a hoop */
     .kinetic_energy = "(x'^2 + y'^2)/2",
     .potential_energy = "9.81*y",
     .constraints = {{.name = "hoop", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2 + y^2 - 1"}}},
    {.coordinates = {"x", "y"}, /* taut string */
     .kinetic_energy = "(x'^2 + y'^2)/2",
     .potential_energy = "9.81*y",
     .constraints = {{.name = "rope", .source = "1 - sqrt(x^2 + y^2)"}}},
    {.coordinates = {"x", "y"}, /* bowl with restitution: a contact that lasts does not bounce */
     .kinetic_energy = "(x'^2 + y'^2)/2",
     .potential_energy = "9.81*y",
     .constraints = {{.name = "bowl", .source = "1 - x^2 - y^2", .restitution = "0.5"}}},
};

/* q and v at the end: halving the step quarters the error. */
static void second_order_lasts_along_curved_constraints(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof heavy / sizeof *heavy; k++) {
    thud_system *system = thud_test_system_make(context, &heavy[k]);
    const double angle = 0.9, q0[] = {sin(angle), -cos(angle)}, v0[] = {0, 0};
    double exact_q[2], exact_v[2], before = 0;
    pendulum(angle, 0, 2, exact_q, exact_v);
    for (thud_index steps = 500; steps <= 4000; steps *= 2) {
      double error = error_of(context, system, q0, v0, 2, exact_q, exact_v, steps);
      if (before > 0) thud_assert_near(log2(before / error), 2, 0.05);
      before = error;
    }
    thud_assert_less(before, 1e-4);
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* A contact on a convex hill lasts until the normal force vanishes, at cos(angle) = (2 + v^2/g)/3. */
static void a_contact_goes_on_over_a_hill(void **state) {
  (void)state;
  static const thud_test_system hill = {.coordinates = {"x", "y"},
                                        .kinetic_energy = "(x'^2 + y'^2)/2",
                                        .potential_energy = "9.81*y",
                                        .constraints = {{.name = "hill", .source = "sqrt(x^2 + y^2) - 1"}}};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &hill);
  const double q0[] = {0, 1}, v0[] = {0.5, 0};
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 1, 10000);
  thud_motion *motion;
  thud_stepping_motion_info info;
  double left_at = NAN;
  assert_int_equal(thud_stepping_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
  for (;;) {
    assert_int_equal(thud_test_step_motion(motion, NULL, &info), THUD_OK);
    thud_stepping_frame frame = thud_stepping_motion_present(motion);
    if (info.steps > 0 && isnan(left_at) && !(frame.reaction[0] > 0))
      left_at = frame.q[1] / hypot(frame.q[0], frame.q[1]);
    if (info.status != THUD_MOTION_RUNNING) break;
    if (!isnan(left_at)) thud_assert_equal(frame.reaction[0], 0); /* and does not come back */
  }
  thud_assert_near(left_at, (2 + 0.25 / 9.81) / 3, 1e-3);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- rest -------------------------------------------------------------------------------------------------------- */

typedef struct last_impact {
  double t;
  size_t count;
} last_impact;

static int note_impact(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  last_impact *last = user;
  if (!frame->impact) return 0;
  last->t = frame->t;
  last->count++;
  return 0;
}

/* Three balls that fall on each other: 18 impacts by moreau-jean, every step by stabilised. */
static void stabilised_stacks_come_to_rest(void **state) {
  (void)state;
  static const thud_test_system stack = {.coordinates = {"a", "b", "c"},
                                         .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
                                         .potential_energy = "9.81*(a + b + c)",
                                         .constraints = {{.name = "f", .source = "a - 0.5", .restitution = "0.5"},
                                                         {.name = "ab", .source = "b - a - 1", .restitution = "0.5"},
                                                         {.name = "bc", .source = "c - b - 1", .restitution = "0.5"}}};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &stack);
  const double q0[] = {0.6, 1.7, 2.8}, v0[] = {0, 0, 0};
  for (thud_index steps = 5000; steps <= 20000; steps *= 2) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_STABILISED, 5, steps);
    last_impact last = {0};
    thud_stepping_motion_info info =
        thud_test_stepping(context, system, &options, q0, v0, note_impact, &last, NULL, NULL);
    thud_assert_less(last.count, 60u);
    thud_assert_less(last.t, 0.5);
    /* energies: 9.81 (0.1 + 0.2 + 0.3) J are lost at impacts, up to O(h) */
    thud_assert_near(info.ledger.impact_loss, 9.81 * 0.6, 200.0 / steps);
    thud_assert_less(fabs(info.ledger.defect), 0.03 * 9.81 * 0.6);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* A rod that slides into Painleve's paradox jumps without a collision: that is an impact, not a force of 2700 N. */
static void a_painleve_jump_is_an_impact(void **state) {
  (void)state;
  static const char *const slip[] = {"x' + sin(th)*th'/2"};
  static const thud_test_system rod = {
      .coordinates = {"x", "y", "th"},
      .kinetic_energy = "(x'^2 + y'^2 + th'^2/12)/2",
      .potential_energy = "9.81*y",
      .constraints = {{.name = "ground", .source = "y - sin(th)/2"}},
      .friction = {
          {.name = "ground", .constraint = 0, .kind = THUD_FRICTION_DISC, .mu = "2.5", .directions = 1, .slip = slip}}};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &rod);
  const double q0[] = {0, sin(1.4) / 2, 1.4}, v0[] = {-6, -cos(1.4) / 2, -1};
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    for (thud_index steps = 400; steps <= 6400; steps *= 4) {
      thud_stepping_options options = thud_test_stepping_options(methods[k], 0.1, steps);
      last_impact last = {0};
      thud_stepping_motion_info info =
          thud_test_stepping(context, system, &options, q0, v0, note_impact, &last, NULL, NULL);
      assert_int_equal(last.count, 1);
      thud_assert_at_most(last.t, 3 * 0.1 / steps);
      thud_assert_greater(info.ledger.impact_loss, 5);
      thud_assert_less(info.ledger.friction_loss, 0.1);
    }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- limits and sizes -------------------------------------------------------------------------------------------- */

typedef struct limits {
  double jump, largest; /* at the impact, and elsewhere */
} limits;

static int compare_limits(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  limits *found = user;
  double jump = fabs(frame->v[0] - frame->v_limit[0]);
  if (frame->impact) {
    found->jump = fmax(found->jump, jump - frame->reaction[0] / 2); /* mass 2 */
    found->jump = fmax(found->jump, frame->reaction[0] / 2 - jump);
  } else
    found->largest = fmax(found->largest, jump);
  return 0;
}

/* A falling ball does not jump by g h in every step; at an impact it jumps by the impulse alone. */
static void left_limits_have_the_smooth_forces(void **state) {
  (void)state;
  static const thud_test_system ball = {.coordinates = {"y"},
                                        .kinetic_energy = "y'^2",
                                        .potential_energy = "2*9.81*y",
                                        .constraints = {{.name = "floor", .source = "y", .restitution = "0.8"}}};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &ball);
  const double q0 = 1, v0 = 0;
  for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_SECOND_ORDER; method++) {
    thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 1, 100);
    limits found = {0};
    thud_stepping_motion_info info =
        thud_test_stepping(context, system, &options, &q0, &v0, compare_limits, &found, NULL, NULL);
    thud_assert_greater(info.impacts, 0u);
    thud_assert_equal(found.largest, 0);
    thud_assert_at_most(found.jump, 1e-13);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* An unstable scheme blows up at the same step in every unit of length; what grows by itself does not. */
static void blow_ups_do_not_depend_on_units(void **state) {
  (void)state;
  static const thud_test_system spring = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .potential_energy = "1e6*x^2/2"};
  static const thud_test_system top = {.coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {"x - x^3"}};
  static const thud_test_system pulse = {
      .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .forces = {"exp(-((t-5)*5)^2)"}};
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &spring);
  size_t steps[3];
  for (int k = 0; k < 3; k++) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 1, 200);
    double q0 = pow(10, 12 * (k - 1)), v0 = 0;
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
    assert_int_equal(info.status, THUD_MOTION_BLOW_UP);
    steps[k] = info.steps;
  }
  thud_assert_equal(steps[0], steps[1]);
  thud_assert_equal(steps[2], steps[1]);
  thud_system_destroy(system);
  const thud_test_system *growing[] = {&top, &pulse};
  for (size_t k = 0; k < 2; k++) {
    system = thud_test_system_make(context, growing[k]);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU_JEAN, k == 0 ? 60 : 10, 2000);
    double q0 = k == 0 ? 1e-14 : 0, v0 = 0;
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
    if (info.status != THUD_MOTION_COMPLETED) fail_msg("%s", thud_context_last_message(context));
    /* the pulse gives sqrt(pi)/5 of momentum; its first energies are below the range of numbers */
    if (k == 1) thud_assert_near(info.ledger.kinetic, PI / 50, 1e-12);
    thud_assert_less(info.ledger.identity, 1e-12);
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* ---- rest with restitution ------------------------------------------------------------------------------------------ */

typedef struct stillness {
  double after;            /* from this time on */
  double fastest, highest; /* velocity; distance from the stack at rest */
  size_t impacts;          /* all of them, and late ones */
  size_t late;
} stillness;

static int note_stillness(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  stillness *found = user;
  found->impacts += frame->impact;
  if (frame->t < found->after) return 0;
  found->late += frame->impact;
  for (int i = 0; i < 3; i++) {
    found->fastest = fmax(found->fastest, fabs(frame->v[i]));
    found->highest = fmax(found->highest, fabs(frame->q[i] - i));
  }
  return 0;
}

/* Three blocks fall on each other with e = 1/2 and lie still after about 1 s: what moves then is rounding. */
static void a_stabilised_stack_with_restitution_rests(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){.coordinates = {"a", "b", "c"},
                                   .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
                                   .potential_energy = "10*(a + b + c)",
                                   .constraints = {{.name = "floor", .source = "a", .restitution = "0.5"},
                                                   {.name = "ab", .source = "b - a - 1", .restitution = "0.5"},
                                                   {.name = "bc", .source = "c - b - 1", .restitution = "0.5"}}});
  double q0[3] = {0.1, 1.3, 2.6}, v0[3] = {0, 0, 0};
  for (int steps = 1000; steps <= 16000; steps *= 4) {
    stillness found = {.after = 2};
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_STABILISED, 4, steps);
    thud_stepping_motion_info info =
        thud_test_stepping(context, system, &options, q0, v0, note_stillness, &found, NULL, NULL);
    double h = 4. / steps;
    thud_assert_at_most(found.fastest, 1e-12);
    thud_assert_at_most(found.highest, 1e-14);
    assert_int_equal(found.late, 0);
    /* 10 J of height are lost at impacts, but for what closes slowly (2 g h each) and positions that are put back. */
    const thud_ledger *ledger = &info.ledger;
    thud_assert_nearer(ledger->impact_loss + ledger->contact_loss - ledger->defect, 10, 1e-11);
    thud_assert_less(fabs(ledger->contact_loss) + fabs(ledger->defect), 100 * h);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* A ball that falls from 1 with g = 10 and e = 0.8 hits with sqrt(20) e^k; impacts that close faster than four times what
 * gravity gives within a step are all there, and what is left ends within a few more. */
static void stabilised_bounces_that_steps_resolve_are_not_lost(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){.coordinates = {"a", "b", "c"},
                                   .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
                                   .potential_energy = "10*a",
                                   .constraints = {{.name = "floor", .source = "a", .restitution = "0.8"}}});
  double q0[3] = {1, 1, 2}, v0[3] = {0, 0, 0};
  for (int steps = 1000; steps <= 64000; steps *= 4) {
    stillness found = {.after = 5.5};
    double h = 6. / steps, all = log(4 * 10 * h / sqrt(20)) / log(0.8);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_STABILISED, 6, steps);
    thud_stepping_motion_info info =
        thud_test_stepping(context, system, &options, q0, v0, note_stillness, &found, NULL, NULL);
    thud_assert_at_least((double)found.impacts, floor(all));
    thud_assert_at_most((double)found.impacts, all + 8);
    assert_int_equal(found.late, 0);
    thud_assert_at_most(found.fastest, 1e-12);
    thud_assert_nearer(info.ledger.impact_loss, 10, 100 * h);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliding_along_a_curved_wall_is_no_impact),
      cmocka_unit_test(second_order_lasts_along_curved_constraints),
      cmocka_unit_test(a_contact_goes_on_over_a_hill),
      cmocka_unit_test(stabilised_stacks_come_to_rest),
      cmocka_unit_test(a_painleve_jump_is_an_impact),
      cmocka_unit_test(left_limits_have_the_smooth_forces),
      cmocka_unit_test(blow_ups_do_not_depend_on_units),
      cmocka_unit_test(a_stabilised_stack_with_restitution_rests),
      cmocka_unit_test(stabilised_bounces_that_steps_resolve_are_not_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
