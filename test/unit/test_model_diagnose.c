/* The diagnosis of a state: rank and qualification of the acting gradients with the names of those at fault,
 * compatibility of the state, kinetic cosines; and the convexity of pointwise friction in generalized forces. */
#include "failing_allocator.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static const char *const XYZ[] = {"q1", "q2", "q3"};
enum { ROOM = 8 };

static void diagnose(thud_test_bench *bench, const double *q, const double *v, double tolerance,
                     thud_system_diagnosis *found) {
  if (thud_system_diagnose(bench->context, bench->system, 0, q, v, tolerance, found) != THUD_OK)
    fail_msg("%s", thud_context_last_message(bench->context));
}

static void unqualified_point_of_case_c5_names_the_opposite_gradients(void **state) {
  thud_test_bench *bench = *state;
  const thud_expr_constraint_def constraints[] = {{"a", THUD_CONSTRAINT_UNILATERAL, "-q1", true, NULL},
                                                  {"b", THUD_CONSTRAINT_UNILATERAL, "q1 - q2*q3", true, NULL},
                                                  {"c", THUD_CONSTRAINT_UNILATERAL, "-q2 - q3", true, NULL}};
  const thud_expr_system_def def = {.n = 3,
                                    .coordinates = XYZ,
                                    .kinetic_energy = "0.5*(q1'^2 + 2*q2'^2 + q3'^2 + q1'*q2')",
                                    .m = 3,
                                    .constraints = constraints};
  const double q[3] = {0}, v[] = {0, 2, -1};
  thud_index dependent[ROOM];
  thud_system_diagnosis found = {.dependent = dependent};
  thud_test_bench_make(bench, &def);
  diagnose(bench, q, v, 0, &found);
  assert_int_equal(found.active_count, 3);
  assert_int_equal(found.rank, 2);
  assert_true(isinf(found.condition));
  assert_false(found.qualified);
  assert_int_equal(found.dependent_count, 2);
  assert_int_equal(dependent[0], 0);
  assert_int_equal(dependent[1], 1);
  assert_near(found.worst_cosine, 1, 1e-14);
  assert_int_equal(found.cosine_first, 0);
  assert_int_equal(found.cosine_second, 1);
  /* v0 is in V: nothing violates. */
  assert_int_equal(found.worst_velocity_constraint, -1);
  assert_int_equal(found.worst_gap_constraint, -1);
  /* Away from the origin only one acts. */
  const double apart[] = {1, 2, 3};
  diagnose(bench, apart, v, 0, &found);
  assert_int_equal(found.active_count, 0);
  assert_true(found.qualified);
  assert_int_equal(found.dependent_count, 0);
  assert_int_equal(found.cosine_first, -1);
}

/* Both ends of a bar of length 2 on the circle of radius 1: x^2 + y^2 + 1 +- 2 (x cos th + y sin th) = 1. At rest in
 * the centre the gradients are opposite; away from it they are independent. */
static void bar_on_a_circle_of_case_c14_has_rank_one(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"x", "y", "th"};
  const thud_expr_constraint_def constraints[] = {
      {"wall", THUD_CONSTRAINT_UNILATERAL, "x + 5", false, NULL},
      {"right end", THUD_CONSTRAINT_BILATERAL, "(x+cos(th))^2 + (y+sin(th))^2 - 1", false, NULL},
      {"left end", THUD_CONSTRAINT_BILATERAL, "(x-cos(th))^2 + (y-sin(th))^2 - 1", false, NULL}};
  const thud_expr_system_def def = {.n = 3,
                                    .coordinates = names,
                                    .kinetic_energy = "0.5*(x'^2 + y'^2) + th'^2/6",
                                    .m = 3,
                                    .constraints = constraints};
  const double q[] = {0, 0, 0.3}, rest[3] = {0}, q2[] = {0.1, 0.2, 0.3};
  thud_index dependent[ROOM];
  thud_system_diagnosis found = {.dependent = dependent};
  thud_test_bench_make(bench, &def);
  diagnose(bench, q, rest, 0, &found);
  assert_int_equal(found.active_count, 2);
  assert_int_equal(found.equation_count, 2);
  assert_int_equal(found.rank, 1);
  assert_int_equal(found.equation_rank, 1);
  assert_int_equal(found.dependent_count, 2);
  assert_int_equal(dependent[0], 1);
  assert_int_equal(dependent[1], 2);
  assert_near(found.mass_condition, 3, 1e-13);
  diagnose(bench, q2, rest, 0, &found);
  assert_int_equal(found.rank, 2);
  assert_int_equal(found.dependent_count, 0);
  thud_assert_greater(found.condition, 1);
  assert_true(isfinite(found.condition));
}

/* An equation, a copy of it in other units, and one that is not involved. */
static void dependent_equations_are_named_without_the_innocent_ones(void **state) {
  thud_test_bench *bench = *state;
  const thud_expr_constraint_def constraints[] = {{"free", THUD_CONSTRAINT_BILATERAL, "q3", false, NULL},
                                                  {"first", THUD_CONSTRAINT_BILATERAL, "q1 + q2", false, NULL},
                                                  {"gap", THUD_CONSTRAINT_UNILATERAL, "q1 - q2", false, NULL},
                                                  {"copy", THUD_CONSTRAINT_VELOCITY, "-1000*(q1' + q2')", false, NULL}};
  const thud_expr_system_def def = {
      .n = 3, .coordinates = XYZ, .kinetic_energy = "0.5*(q1'^2 + q2'^2 + q3'^2)", .m = 4, .constraints = constraints};
  const double q[3] = {0}, v[] = {1, 2, 0};
  thud_index dependent[ROOM];
  thud_system_diagnosis found = {.dependent = dependent};
  thud_test_bench_make(bench, &def);
  diagnose(bench, q, v, 0, &found);
  assert_true(found.qualified);
  assert_int_equal(found.active_count, 4);
  assert_int_equal(found.rank, 3);
  assert_int_equal(found.equation_count, 3);
  assert_int_equal(found.equation_rank, 2);
  assert_int_equal(found.dependent_count, 2);
  assert_int_equal(dependent[0], 1);
  assert_int_equal(dependent[1], 3);
  /* u: 0, 3, -1, -3000 */
  assert_int_equal(found.worst_velocity_constraint, 3);
  assert_near(found.worst_velocity, -3000, 1e-12);
}

/* A gap that the equations keep closed, whatever moves: nothing can open it. */
static void gap_held_by_equations_is_unqualified_with_them(void **state) {
  thud_test_bench *bench = *state;
  const thud_expr_constraint_def constraints[] = {{"idle", THUD_CONSTRAINT_BILATERAL, "q3 - 1", false, NULL},
                                                  {"joint", THUD_CONSTRAINT_BILATERAL, "q1 - q2", false, NULL},
                                                  {"stop", THUD_CONSTRAINT_UNILATERAL, "q2 - q1", false, NULL}};
  const thud_expr_system_def def = {
      .n = 3, .coordinates = XYZ, .kinetic_energy = "q1'^2 + q2'^2 + q3'^2", .m = 3, .constraints = constraints};
  const double q[] = {0.5, 0.5, 1.25}, v[] = {0, 0, 0.5};
  thud_index dependent[ROOM];
  thud_system_diagnosis found = {.dependent = dependent};
  thud_test_bench_make(bench, &def);
  diagnose(bench, q, v, 0, &found);
  assert_false(found.qualified);
  assert_int_equal(found.dependent_count, 2);
  assert_int_equal(dependent[0], 2);
  assert_int_equal(dependent[1], 1);
  assert_int_equal(found.worst_gap_constraint, 0);
  assert_near(found.worst_gap, 0.25, 1e-15);
  assert_int_equal(found.worst_velocity_constraint, 0);
  assert_near(found.worst_velocity, 0.5, 1e-15);
  /* Without room for the names the count is there. */
  found.dependent = NULL;
  diagnose(bench, q, v, 0, &found);
  assert_int_equal(found.dependent_count, 2);
}

/* Case C11: y <= 0 and x + y <= 0 meet at 45 degrees; scaling a function or a coordinate changes no cosine. */
static void cosines_and_conditions_do_not_depend_on_scales(void **state) {
  thud_test_bench *bench = *state;
  const char *const gaps[][2] = {{"-q2", "-q1-q2"}, {"-1000*q2", "-q1-q2"}, {"-q2", "-1e-3*q1-q2"}};
  const char *const energies[] = {"0.5*(q1'^2+q2'^2)", "0.5*(q1'^2+q2'^2)", "0.5*(1e-6*q1'^2+q2'^2)"};
  for (int k = 0; k < 3; k++) {
    const thud_expr_constraint_def constraints[] = {{"a", THUD_CONSTRAINT_UNILATERAL, gaps[k][0], false, NULL},
                                                    {"b", THUD_CONSTRAINT_UNILATERAL, gaps[k][1], false, NULL}};
    const thud_expr_system_def def = {
        .n = 2, .coordinates = XYZ, .kinetic_energy = energies[k], .m = 2, .constraints = constraints};
    const double q[2] = {0}, v[] = {0, 1};
    thud_system_diagnosis found = {0};
    thud_test_bench_make(bench, &def);
    diagnose(bench, q, v, 0, &found);
    assert_near(found.worst_cosine, sqrt(0.5), 1e-14);
    assert_near(found.condition, (1 + sqrt(0.5)) / (1 - sqrt(0.5)), 1e-12);
    assert_true(found.qualified);
    assert_int_equal(found.rank, 2);
    thud_test_bench_clear(bench);
  }
}

static void worst_violations_are_those_of_the_state(void **state) {
  thud_test_bench *bench = *state;
  const thud_expr_constraint_def constraints[] = {
      {"floor", THUD_CONSTRAINT_UNILATERAL, "q1", false, NULL},
      {"table", THUD_CONSTRAINT_UNILATERAL, "q2 - sin(t)", false, NULL},
      {"freewheel", THUD_CONSTRAINT_VELOCITY_ONE_SIDED, "q2' - q1'", false, NULL}};
  const thud_expr_system_def def = {
      .n = 2, .coordinates = XYZ, .kinetic_energy = "0.5*(q1'^2+q2'^2)", .m = 3, .constraints = constraints};
  const double q[] = {-0.5, -0.125}, v[] = {3, 2.5};
  thud_system_diagnosis found = {0};
  thud_test_bench_make(bench, &def);
  diagnose(bench, q, v, 0, &found);
  assert_int_equal(found.worst_gap_constraint, 0);
  assert_near(found.worst_gap, -0.5, 0);
  /* floor opens with 3, the table with 2.5 - cos 0 = 1.5, the freewheel is turned the wrong way by -0.5. */
  assert_int_equal(found.worst_velocity_constraint, 2);
  assert_near(found.worst_velocity, -0.5, 1e-15);
  /* The tolerance decides what acts. */
  const double above[] = {0.25, 1};
  diagnose(bench, above, v, 0, &found);
  assert_int_equal(found.active_count, 1);
  diagnose(bench, above, v, 0.25, &found);
  assert_int_equal(found.active_count, 2);
}

static void diagnosis_refuses_bad_arguments_and_bad_masses(void **state) {
  thud_test_bench *bench = *state;
  const thud_expr_system_def def = {.n = 1, .coordinates = XYZ, .kinetic_energy = "0.5*q1*q1'^2"};
  const double positive[] = {1}, negative[] = {-1};
  thud_system_diagnosis found = {.rank = 77};
  thud_test_bench_make(bench, &def);
  assert_int_equal(thud_system_diagnose(bench->context, NULL, 0, positive, positive, 0, &found), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, positive, positive, -1, &found),
                   THUD_ERROR_ARGUMENT);
  thud_test_message_has(bench->context, "diagnosis: gap tolerance -1; needed: finite and >= 0", NULL);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, negative, positive, 0, &found),
                   THUD_ERROR_NOT_SPD);
  thud_test_message_has(
      bench->context,
      "at t = 0, q1 = -1, q1' = 1: system: the mass matrix is not positive definite: pivot 0 (coordinate 'q1') is -1",
      NULL);
  assert_int_equal(found.rank, 77);
  diagnose(bench, positive, positive, 0, &found);
  assert_int_equal(found.rank, 0);
  assert_near(found.condition, 1, 0);
}

/* Terms of degree 0 and 1 in a kinetic energy that exists only beyond q = 100, where creation did not look. */
static void degree_of_the_kinetic_energy_is_looked_at_in_the_state(void **state) {
  thud_test_bench *bench = *state;
  const char *const energies[] = {"0.5*q1'^2 + sqrt(q1 - 100)", "0.5*q1'^2 + q1'*sqrt(q1 - 100)"};
  const char *const pieces[] = {
      "system: kinetic energy: it is 2 at velocity 0; a term without velocities belongs, with the other sign, to the "
      "potential energy",
      "system: kinetic energy: it has a term of degree 1, 2 q1'; write what it does (a gyroscopic force) in `forces`"};
  const double q[] = {104}, v[] = {0};
  for (int k = 0; k < 2; k++) {
    const thud_expr_system_def def = {.n = 1, .coordinates = XYZ, .kinetic_energy = energies[k]};
    thud_system_diagnosis found = {0};
    thud_test_bench_make(bench, &def);
    assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, q, v, 0, &found), THUD_ERROR_ARGUMENT);
    thud_test_message_has(bench->context, "kinetic energy", pieces[k], NULL);
    thud_test_bench_clear(bench);
  }
}

/* ---- generalized friction --------------------------------------------------------------------------------------- */

/* Ballard 2002, Ex. 13: a bar of mass and length 1, its end (x, y) rubs along the guide y = 0, th from the guide. */
static const char *const BAR[] = {"x", "y", "th"};
static const char *const BAR_ENERGY = "0.5*((x' - sin(th)*th'/2)^2 + (y' + cos(th)*th'/2)^2) + th'^2/24";

static void make_bar(thud_test_bench *bench, const char *mu, thud_friction_kind kind, const thud_set *set) {
  const char *const slip[] = {"x'"};
  const thud_expr_constraint_def guide = {"guide", THUD_CONSTRAINT_BILATERAL, "y", false, NULL};
  const thud_expr_friction_def friction = {"end", 0, kind, 1, slip, mu, set};
  const thud_expr_system_def def = {.n = 3,
                                    .coordinates = BAR,
                                    .kinetic_energy = BAR_ENERGY,
                                    .m = 1,
                                    .constraints = &guide,
                                    .laws = 1,
                                    .friction = &friction};
  thud_test_bench_make(bench, &def);
}

static thud_friction_convexity convexity(thud_test_bench *bench, double th) {
  const double q[] = {0, 0, th};
  thud_friction_convexity found;
  if (thud_system_friction_convexity(bench->context, bench->system, 0, 0, q, &found) != THUD_OK)
    fail_msg("%s", thud_context_last_message(bench->context));
  return found;
}

static void bar_end_loses_convexity_beyond_four_thirds(void **state) {
  thud_test_bench *bench = *state;
  make_bar(bench, "4/3*(1 - 1e-12)", THUD_FRICTION_DISC, NULL);
  double largest = 0, where = 0;
  for (int k = -200; k <= 200; k++) {
    double th = 1.57 * k / 200, s = sin(th), c = cos(th);
    thud_friction_convexity found = convexity(bench, th);
    assert_near(found.coupling, 3 * s * c / (4 - 3 * s * s), 1e-14);
    assert_true(found.convex);
    if (found.coupling > largest) largest = found.coupling, where = th;
  }
  assert_near(tan(where), 2, 0.05);
  assert_near(convexity(bench, atan(2)).coupling, 0.75, 1e-15);
  assert_near(convexity(bench, atan(2)).largest_mu, 4.0 / 3, 1e-14);
  assert_true(isinf(convexity(bench, 0).largest_mu));
  thud_test_bench_clear(bench);
  make_bar(bench, "4/3*(1 + 1e-12)", THUD_FRICTION_DISC, NULL);
  assert_false(convexity(bench, atan(2)).convex);
  assert_true(convexity(bench, atan(2) + 1e-3).convex);
}

static void bar_end_with_mu_two_is_non_convex_between_three_minus_and_plus_root_five(void **state) {
  thud_test_bench *bench = *state;
  const double low = atan(3 - sqrt(5)), high = atan(3 + sqrt(5)), step = 1e-9;
  make_bar(bench, "2", THUD_FRICTION_DISC, NULL);
  assert_true(convexity(bench, low - step).convex);
  assert_false(convexity(bench, low + step).convex);
  assert_false(convexity(bench, high - step).convex);
  assert_true(convexity(bench, high + step).convex);
  assert_true(convexity(bench, -low + step).convex);
  assert_false(convexity(bench, -low - step).convex);
}

/* A one-sided set [-1/2, 2] instead of the disc [-1, 1]: the larger end counts. */
static void convexity_with_a_set_uses_its_support(void **state) {
  thud_test_bench *bench = *state;
  thud_set *set;
  assert_int_equal(thud_set_interval(bench->context, -0.5, 2, &set), THUD_OK);
  make_bar(bench, "0.66", THUD_FRICTION_SET, set);
  thud_set_destroy(set);
  assert_near(convexity(bench, atan(2)).coupling, 1.5, 1e-14);
  assert_true(convexity(bench, atan(2)).convex);
  assert_near(convexity(bench, -atan(2)).coupling, 1.5, 1e-14);
}

/* With the angle held by a second equation no tangential force reaches the normal reaction. */
static void convexity_keeps_the_other_equations(void **state) {
  thud_test_bench *bench = *state;
  const char *const slip[] = {"x'", "0*x'"};
  const thud_expr_constraint_def equations[] = {{"guide", THUD_CONSTRAINT_BILATERAL, "y", false, NULL},
                                                {"weld", THUD_CONSTRAINT_BILATERAL, "th - 1", false, NULL},
                                                {"again", THUD_CONSTRAINT_UNILATERAL, "2*y", false, NULL},
                                                {"rail", THUD_CONSTRAINT_VELOCITY, "y'", false, NULL}};
  const thud_expr_friction_def laws[] = {{"end", 0, THUD_FRICTION_DISC, 2, slip, "50", NULL},
                                         {"brake", -1, THUD_FRICTION_DISC, 1, slip, "5", NULL}};
  thud_expr_system_def def = {.n = 3,
                              .coordinates = BAR,
                              .kinetic_energy = BAR_ENERGY,
                              .m = 3,
                              .constraints = equations,
                              .laws = 2,
                              .friction = laws};
  thud_test_bench_make(bench, &def);
  assert_near(convexity(bench, 1).coupling, 0, 1e-15);
  assert_true(convexity(bench, 1).convex);
  const double q[] = {0, 0, 1};
  thud_friction_convexity found = {.coupling = 77};
  assert_int_equal(thud_system_friction_convexity(bench->context, bench->system, 1, 0, q, &found), THUD_ERROR_ARGUMENT);
  thud_test_message_has(bench->context,
                        "friction convexity: law 'brake' has a threshold of its own, no normal reaction enters", NULL);
  assert_int_equal(thud_system_friction_convexity(bench->context, bench->system, 2, 0, q, &found), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_system_friction_convexity(bench->context, bench->system, 0, 0, NULL, &found),
                   THUD_ERROR_ARGUMENT);
  thud_test_bench_clear(bench);
  def.m = 4;
  thud_test_bench_make(bench, &def);
  assert_int_equal(thud_system_friction_convexity(bench->context, bench->system, 0, 0, q, &found), THUD_ERROR_SINGULAR);
  assert_string_equal(thud_context_last_message(bench->context),
                      "friction law 'end': the gradient of constraint 'guide' depends on those of the other equations: "
                      "its normal reaction is not determined");
  assert_near(found.coupling, 77, 0);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static int table_gap(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  for (int i = 0; i < 4; i++) out[i] = i < 2 ? q[0] : q[1] - q[0];
  return 0;
}

static int table_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  for (int i = 0; i < 4; i++) out[2 * i] = i < 2 ? 1 : -1, out[2 * i + 1] = i < 2 ? 0 : 1;
  return 0;
}

static int table_slip(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = out[1] = 1;
  return 0;
}

static int table_friction(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0.5;
  return 0;
}

static thud_error diagnose_and_test_convexity(thud_context *context, void *user) {
  (void)user;
  const double mass[] = {1, 0, 0, 1}, q[2] = {0};
  const thud_constraint_def constraints[] = {{"a", THUD_CONSTRAINT_BILATERAL, 0},
                                             {"b", THUD_CONSTRAINT_BILATERAL, 0},
                                             {"c", THUD_CONSTRAINT_UNILATERAL, 0},
                                             {"d", THUD_CONSTRAINT_UNILATERAL, 0}};
  thud_set *set = NULL;
  thud_error error = thud_set_interval(context, -1, 1, &set);
  if (error != THUD_OK) return error;
  const thud_friction_def law = {"law", 2, THUD_FRICTION_SET, 1, set};
  const thud_system_def def = {
      .n = 2,
      .coordinates = XYZ,
      .mass = mass,
      .m = 4,
      .constraints = constraints,
      .laws = 1,
      .friction = &law,
      .functions = {
          .constraint = table_gap, .gradient = table_gradient, .slip = table_slip, .friction = table_friction}};
  thud_system *system = NULL;
  thud_system_diagnosis found = {.rank = 77};
  thud_friction_convexity convex = {.coupling = 77};
  error = thud_system_create(context, &def, &system);
  thud_set_destroy(set);
  if (error != THUD_OK) {
    assert_null(system);
    return error;
  }
  error = thud_system_diagnose(context, system, 0, q, q, 0, &found);
  if (error != THUD_OK)
    assert_int_equal(found.rank, 77);
  else
    error = thud_system_friction_convexity(context, system, 0, 0, q, &convex);
  if (error != THUD_OK) assert_near(convex.coupling, 77, 0);
  thud_system_destroy(system);
  return error;
}

static void diagnosis_survives_every_failing_allocation(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(diagnose_and_test_convexity, NULL), 40);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_bench_set_up, thud_test_bench_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      BENCH_TEST(unqualified_point_of_case_c5_names_the_opposite_gradients),
      BENCH_TEST(bar_on_a_circle_of_case_c14_has_rank_one),
      BENCH_TEST(dependent_equations_are_named_without_the_innocent_ones),
      BENCH_TEST(gap_held_by_equations_is_unqualified_with_them),
      BENCH_TEST(cosines_and_conditions_do_not_depend_on_scales),
      BENCH_TEST(worst_violations_are_those_of_the_state),
      BENCH_TEST(diagnosis_refuses_bad_arguments_and_bad_masses),
      BENCH_TEST(degree_of_the_kinetic_energy_is_looked_at_in_the_state),
      BENCH_TEST(bar_end_loses_convexity_beyond_four_thirds),
      BENCH_TEST(bar_end_with_mu_two_is_non_convex_between_three_minus_and_plus_root_five),
      BENCH_TEST(convexity_with_a_set_uses_its_support),
      BENCH_TEST(convexity_keeps_the_other_equations),
      cmocka_unit_test(diagnosis_survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
