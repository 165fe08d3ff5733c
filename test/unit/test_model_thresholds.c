/* Thresholds of friction that reactions give: what a system says of them, impulses and their limits, the velocity problem that
 * is coupled by them. */
#include "bench.h"
#include "failing_allocator.h"
#include "model/thresholds.h"

#include <math.h>
#include <string.h>

/* Two masses at the ends of a right angle of reactions: x and y are held, and z slides with a threshold of both. */
static thud_error make(thud_context *context, const char *threshold, thud_system **system) {
  static const char *const coordinates[] = {"x", "y", "z"}, *const slip[] = {"z' + 0.5*x'"};
  static const char *const mass[9] = {"1", NULL, NULL, NULL, "1", NULL, NULL, NULL, "2"};
  static const thud_expr_constraint_def constraints[] = {
      {.name = "px", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x"},
      {.name = "py", .kind = THUD_CONSTRAINT_BILATERAL, .source = "y"},
      {.name = "not a name", .kind = THUD_CONSTRAINT_UNILATERAL, .source = "5 - z", .restitution = "0"}};
  const thud_expr_friction_def friction = {
      .name = "pin", .constraint = -1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slip, .mu = threshold};
  const thud_expr_system_def def = {.n = 3,
                                    .coordinates = coordinates,
                                    .mass = mass,
                                    .m = 3,
                                    .constraints = constraints,
                                    .laws = 1,
                                    .friction = &friction,
                                    .start = 0,
                                    .end = 1};
  thud_expr_scope *scope = NULL;
  thud_expr_system_place place;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_expr_scope_add_parameter(scope, "mu", 0.5);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, &place, system);
  thud_expr_scope_destroy(scope);
  return error;
}

static const double q[3] = {0, 0, 1}, v[3] = {0, 0, 3};

static void a_threshold_is_read_with_the_reactions_that_it_names(void **state) {
  thud_context *context = ((thud_test_bench *)*state)->context;
  thud_system *system = NULL;
  thud_system_values *values = NULL;
  double slope[2], force[2] = {3, -4};
  assert_int_equal(make(context, "mu*hypot(px, py) + t*z'", &system), THUD_OK);
  const model_threshold *threshold = thud_model_threshold_of(system, 0);
  assert_non_null(threshold);
  assert_int_equal(threshold->count, 2);
  assert_int_equal(threshold->reaction[0], 0);
  assert_int_equal(threshold->reaction[1], 1);
  assert_int_equal(thud_system_values_create(context, system, &values), THUD_OK);
  assert_int_equal(thud_system_evaluate(system, 2, q, v, THUD_AT_EVERYTHING, values), THUD_OK);
  thud_assert_near(values->friction[0], 1, 0);
  thud_assert_near(thud_model_threshold_at(values, threshold, force, slope), 0.5 * 5 + 2 * 3, 1e-15);
  thud_assert_near(slope[0], 0.5 * 3 / 5, 1e-15);
  thud_assert_near(slope[1], -0.5 * 4 / 5, 1e-15);
  /* h kappa(p/h), and at an impact what grows with the impulses */
  double room[2];
  thud_assert_near(thud_model_threshold_of_impulses(values, threshold, 0.1, force, room), 2.5 + 0.1 * 6, 1e-15);
  thud_assert_near(thud_model_threshold_of_impulses(values, threshold, 0, force, room), 2.5, 1e-10);
  thud_system_values_destroy(context, values);
  thud_system_destroy(system);
}

static void laws_without_reactions_stay_as_they_are(void **state) {
  thud_context *context = ((thud_test_bench *)*state)->context;
  thud_system *system = NULL;
  assert_int_equal(make(context, "mu*(1 + z)", &system), THUD_OK);
  assert_null(thud_model_threshold_of(system, 0));
  thud_system_destroy(system);
}

static void unknown_names_are_refused(void **state) {
  thud_context *context = ((thud_test_bench *)*state)->context;
  thud_system *system = NULL;
  assert_int_equal(make(context, "mu*pz", &system), THUD_ERROR_NOT_FOUND);
  assert_non_null(strstr(thud_context_last_message(context), "unknown name 'pz'"));
  assert_null(system);
}

/* z' = 3 and forces X, Y on x and y: r_x = -X - r_T/2, r_y = -Y, and with slip z' + x'/2 = z' the equation
 * r_T = -mu |(r_x, r_y)| is a quadratic one: (1 - mu^2/4) s^2 - mu^2 X s/1 - mu^2 (X^2 + Y^2) = 0 for r_T = -s. */
static void the_coupled_problem_has_the_root_of_its_equation(void **state) {
  thud_context *context = ((thud_test_bench *)*state)->context;
  thud_system *system = NULL;
  thud_system_values *values = NULL;
  thud_percussion *percussion = NULL;
  thud_percussion_info info;
  const bool acting[3] = {true, true, false};
  assert_int_equal(make(context, "mu*hypot(px, py)", &system), THUD_OK);
  assert_int_equal(thud_system_values_create(context, system, &values), THUD_OK);
  assert_int_equal(thud_percussion_create(context, system, NULL, &percussion), THUD_OK);
  assert_int_equal(thud_system_evaluate(system, 0, q, v, THUD_AT_EVERYTHING, values), THUD_OK);
  thud_random random = thud_random_seed(36);
  for (int k = 0; k < 100; k++) {
    double X = thud_random_uniform(&random, -2, 2), Y = thud_random_uniform(&random, -2, 2), mu = 0.5;
    double h = k % 2 == 0 ? 1e-3 : 0, r_normal[3] = {0}, r_slip[1] = {0}, plus[3], free_velocity[3] = {X, Y, 3};
    assert_int_equal(
        thud_percussion_solve(percussion, values, acting, h, v, free_velocity, r_normal, r_slip, plus, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    /* r_x = -X + s/2 */
    double a = 1 - mu * mu / 4, b = mu * mu * X, c = -mu * mu * (X * X + Y * Y);
    double s = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
    thud_assert_less(s, 6); /* it slides on */
    thud_assert_near(r_slip[0], -s, 1e-9);
    thud_assert_near(r_normal[0], -X + s / 2, 1e-9);
    thud_assert_near(r_normal[1], -Y, 1e-12);
    thud_assert_near(plus[2], 3 - s / 2, 1e-9);
    thud_assert_at_most(info.residual, 1e-10);
    double length = hypot(r_normal[0], r_normal[1]);
    thud_assert_near(info.contraction, fabs(mu * r_normal[0] / length / 2), 1e-9);
  }
  thud_percussion_destroy(percussion);
  thud_system_values_destroy(context, values);
  thud_system_destroy(system);
}

static void a_threshold_that_has_no_value_is_no_answer(void **state) {
  thud_context *context = ((thud_test_bench *)*state)->context;
  const struct {
    const char *threshold;
    double step;
    thud_error error;
    const char *says;
  } cases[] = {{"px", 0.1, THUD_ERROR_ARGUMENT, "must be a number >= 0"},
               {"px^2", 0, THUD_ERROR_NOT_FINITE, "must not grow faster"},
               {"log(px)", 0.1, THUD_ERROR_NOT_FINITE, "must be a number >= 0"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_system *system = NULL;
    thud_system_values *values = NULL;
    thud_percussion *percussion = NULL;
    const bool acting[3] = {true, true, false};
    double r_normal[3] = {0}, r_slip[1] = {0}, plus[3];
    const double free_velocity[3] = {1, 1, 3};
    assert_int_equal(make(context, cases[k].threshold, &system), THUD_OK);
    assert_int_equal(thud_system_values_create(context, system, &values), THUD_OK);
    assert_int_equal(thud_percussion_create(context, system, NULL, &percussion), THUD_OK);
    assert_int_equal(thud_system_evaluate(system, 0, q, v, THUD_AT_EVERYTHING, values), THUD_OK);
    assert_int_equal(thud_percussion_solve(percussion, values, acting, cases[k].step, v, free_velocity, r_normal,
                                           r_slip, plus, NULL),
                     cases[k].error);
    assert_non_null(strstr(thud_context_last_message(context), cases[k].says));
    thud_percussion_destroy(percussion);
    thud_system_values_destroy(context, values);
    thud_system_destroy(system);
  }
}

static thud_error create_all(thud_context *context, void *user) {
  thud_system *system = NULL;
  thud_system_values *values = NULL;
  thud_percussion *percussion = NULL;
  (void)user;
  thud_error error = make(context, "mu*hypot(px, py)", &system);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &values);
  if (error == THUD_OK) error = thud_percussion_create(context, system, NULL, &percussion);
  thud_percussion_destroy(percussion);
  thud_system_values_destroy(context, values);
  thud_system_destroy(system);
  return error;
}

static void creation_survives_every_failing_allocation(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(create_all, NULL), 20);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_bench_set_up, thud_test_bench_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {BENCH_TEST(a_threshold_is_read_with_the_reactions_that_it_names),
                                     BENCH_TEST(laws_without_reactions_stay_as_they_are),
                                     BENCH_TEST(unknown_names_are_refused),
                                     BENCH_TEST(the_coupled_problem_has_the_root_of_its_equation),
                                     BENCH_TEST(a_threshold_that_has_no_value_is_no_answer),
                                     cmocka_unit_test(creation_survives_every_failing_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
