/* Coulomb's law with a coupled normal reaction, { T : |T| <= mu |1 + a.T| }: its ends, its convexity, its refusal. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/convex.h"

static thud_set *make(thud_context *context, thud_index n, const double *a, double mu) {
  thud_set *set = NULL;
  assert_int_equal(thud_set_generalized_coulomb(context, n, a, mu, &set), THUD_OK);
  return set;
}

/* a of the end of a bar at the angle th (Ballard 2002, Ex. 13). */
static double bar(double th) { return 3 * sin(th) * cos(th) / (4 - 3 * sin(th) * sin(th)); }

static double support(thud_set *set, double d) {
  double value;
  assert_int_equal(thud_set_support(set, &d, &value, NULL, NULL), THUD_OK);
  return value;
}

static void in_one_direction_it_is_an_interval_or_a_half_line(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = -4; k <= 4; k++) {
    double a = 0.4 * k, mu = 0.5;
    thud_set *set = make(context, 1, &a, mu);
    thud_assert_near(support(set, 1), mu / (1 - mu * a), 1e-13);
    thud_assert_near(support(set, -1), mu / (1 + mu * a), 1e-13);
    assert_true(thud_set_get_abilities(set).is_bounded);
    thud_set_destroy(set);
  }
  double a = 2;
  thud_set *set = make(context, 1, &a, 0.5);
  assert_true(isinf(support(set, 1)));
  thud_assert_near(support(set, -1), 0.25, 1e-13);
  assert_false(thud_set_get_abilities(set).is_bounded);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* mu <= 4/3 at every angle; for mu = 2 refused exactly for tan th in ]3 - sqrt 5, 3 + sqrt 5[. */
static void the_end_of_a_bar_is_not_convex_beyond_its_angles(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double ends[2] = {atan(3 - sqrt(5)), atan(3 + sqrt(5))};
  for (int k = 1; k < 200; k++) {
    double th = k * acos(-1) / 400, a = bar(th);
    thud_set *set = NULL;
    assert_int_equal(thud_set_generalized_coulomb(context, 1, &a, 4.0 / 3, &set), THUD_OK);
    thud_set_destroy(set);
    set = NULL;
    bool inside = th > ends[0] && th < ends[1];
    assert_int_equal(thud_set_generalized_coulomb(context, 1, &a, 2, &set), inside ? THUD_ERROR_ARGUMENT : THUD_OK);
    if (inside) thud_test_message_has(context, "not convex", "mu |a|", "Painleve", NULL);
    thud_set_destroy(set);
  }
  for (int side = 0; side < 2; side++) { /* equality, up to the rounding of the angle: a half-line */
    double a = bar(ends[side]);
    thud_set *set = make(context, 1, &a, 2);
    thud_assert_greater(support(set, 1), 1e12);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* In two directions an ellipse with a focus at 0: sup d.T = d.c + |d|_(Q^-1), c = mu^2 a/(1 - e^2), and the points of
 * projections satisfy the definition. */
static void in_two_directions_it_is_an_ellipse(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  for (int k = 0; k < 40; k++) {
    double mu = thud_random_uniform(&random, 0.2, 1.5),
           a[2] = {thud_random_normal(&random), thud_random_normal(&random)};
    double shrink = thud_random_uniform(&random, 0, 0.9) / (mu * hypot(a[0], a[1]));
    a[0] *= shrink;
    a[1] *= shrink;
    double e = mu * hypot(a[0], a[1]), length = hypot(a[0], a[1]);
    thud_set *set = make(context, 2, a, mu);
    double d[2] = {thud_random_normal(&random), thud_random_normal(&random)}, y[2], value;
    double along = (d[0] * a[0] + d[1] * a[1]) / length, across = (d[1] * a[0] - d[0] * a[1]) / length;
    double half = mu / (1 - e * e); /* along a; across: mu/sqrt(1 - e^2) */
    double expected = along * mu * e / (1 - e * e) + hypot(along * half, across * half * sqrt(1 - e * e));
    assert_int_equal(thud_set_support(set, d, &value, NULL, NULL), THUD_OK);
    thud_assert_near(value, expected, 1e-9);
    double x[2] = {5 * thud_random_normal(&random), 5 * thud_random_normal(&random)};
    assert_int_equal(thud_set_project(set, NULL, x, y, NULL), THUD_OK);
    double room = mu * (1 + a[0] * y[0] + a[1] * y[1]);
    thud_assert_at_most(hypot(y[0], y[1]), room + 1e-9);
    for (int j = 0; j < 50; j++) { /* (x - y).(z - y) <= 0 for z of the boundary, given by its polar equation */
      double angle = 0.1257 * j, u[2] = {cos(angle), sin(angle)}, r = mu / (1 - mu * (a[0] * u[0] + a[1] * u[1]));
      double product = (x[0] - y[0]) * (r * u[0] - y[0]) + (x[1] - y[1]) * (r * u[1] - y[1]);
      thud_assert_at_most(product, 1e-8);
    }
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

static void a_set_that_would_lose_its_convexity_stays(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double a = 0.75, parameters[2] = {0.75, 2};
  thud_set *set = make(context, 1, &a, 1);
  assert_int_equal(thud_set_set_parameters(set, parameters), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "not convex", "at most 1.333333333", NULL);
  thud_assert_near(support(set, 1), 4, 1e-12);
  thud_set *scaled = NULL;
  assert_int_equal(thud_set_scaling(context, 3, set, &scaled), THUD_OK);
  thud_assert_near(support(scaled, -1), 3 / 1.75, 1e-12);
  thud_set_destroy(scaled);
  thud_test_context_end(context);
}

static thud_error make_one(thud_context *context, void *user) {
  const double a[2] = {0.3, 0.1};
  thud_set *set = NULL;
  (void)user;
  thud_error error = thud_set_generalized_coulomb(context, 2, a, 1, &set);
  thud_set_destroy(set);
  return error;
}

static void failing_allocations_leak_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(make_one, NULL), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_one_direction_it_is_an_interval_or_a_half_line),
      cmocka_unit_test(the_end_of_a_bar_is_not_convex_beyond_its_angles),
      cmocka_unit_test(in_two_directions_it_is_an_ellipse),
      cmocka_unit_test(a_set_that_would_lose_its_convexity_stays),
      cmocka_unit_test(failing_allocations_leak_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
