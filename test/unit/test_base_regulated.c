/* Regulated functions: three values at a jump, piecewise polynomials, refusals. */
#include "base/base.h"
#include "failing_allocator.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* f = (t^2 for t < 1 | 10 at 1 | 3 - (t-1) for 1 < t < 2 | -7 at 2 | 5 for t > 2), second component its negative. The
 * first piece is written around its origin break[0] = 1: t^2 = 1 + 2 s + s^2. */
static const double break_times[] = {1, 2};
static const double coefficients[] = {1, 2, 1, -1, -2, -1, 3, -1, 0, -3, 1, 0, 5, 0, 0, -5, 0, 0};
static const double break_values[] = {10, -10, -7, 7};

static thud_piecewise *make_sample(thud_context *context) {
  thud_piecewise *piecewise = NULL;
  assert_int_equal(thud_piecewise_create(context, 2, 2, 2, break_times, coefficients, break_values, &piecewise),
                   THUD_OK);
  return piecewise;
}

static void expect_sides(thud_context *context, const thud_regulated *f, double t, double left, double value,
                         double right) {
  const double expected[3] = {left, value, right};
  for (int side = -1; side <= 1; side++) {
    double out[2];
    assert_int_equal(thud_regulated_evaluate(context, f, t, (thud_side)side, out), THUD_OK);
    thud_assert_equal(out[0], expected[side + 1]);
    thud_assert_equal(out[1], -expected[side + 1]);
  }
}

static void the_three_values_at_a_break_are_distinct(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_piecewise *piecewise = make_sample(context);
  thud_regulated f = thud_piecewise_function(piecewise);
  assert_int_equal(f.dimension, 2);
  assert_int_equal(f.jump_count, 2);
  thud_assert_equal(f.jumps[0], 1);
  thud_assert_equal(f.jumps[1], 2);
  expect_sides(context, &f, -3, 9, 9, 9);
  expect_sides(context, &f, 0, 0, 0, 0);
  expect_sides(context, &f, 1, 1, 10, 3);
  expect_sides(context, &f, 1.5, 2.5, 2.5, 2.5);
  expect_sides(context, &f, 2, 2, -7, 5);
  expect_sides(context, &f, 100, 5, 5, 5);
  thud_piecewise_destroy(piecewise);
  thud_test_context_end(context);
}

/* The left limit is the limit from the left: f(t - h) -> f(t-) with the order of the polynomial's slope. */
static void one_sided_limits_are_limits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_piecewise *piecewise = make_sample(context);
  thud_regulated f = thud_piecewise_function(piecewise);
  for (size_t k = 0; k < 2; k++)
    for (int side = -1; side <= 1; side += 2)
      for (double h = 0.25; h > 1e-12; h /= 4) {
        double limit[2], near[2];
        assert_int_equal(thud_regulated_evaluate(context, &f, f.jumps[k], (thud_side)side, limit), THUD_OK);
        assert_int_equal(thud_regulated_evaluate(context, &f, f.jumps[k] + side * h, THUD_SIDE_VALUE, near), THUD_OK);
        thud_assert_near(near[0], limit[0], 2 * h + 1e-15); /* the slope is at most 2 there */
      }
  double next[2];
  assert_int_equal(thud_regulated_evaluate(context, &f, nextafter(1, 2), THUD_SIDE_VALUE, next), THUD_OK);
  thud_assert_nearer(next[0], 3, 1e-15);
  assert_int_equal(thud_regulated_evaluate(context, &f, nextafter(1, 0), THUD_SIDE_RIGHT, next), THUD_OK);
  thud_assert_nearer(next[0], 1, 1e-15);
  thud_piecewise_destroy(piecewise);
  thud_test_context_end(context);
}

static void jumps_are_recognised_bit_for_bit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_piecewise *piecewise = make_sample(context);
  thud_regulated f = thud_piecewise_function(piecewise);
  assert_true(thud_regulated_jumps_at(&f, 1));
  assert_true(thud_regulated_jumps_at(&f, 2));
  assert_false(thud_regulated_jumps_at(&f, nextafter(1, 2)));
  assert_false(thud_regulated_jumps_at(&f, nextafter(1, 0)));
  assert_false(thud_regulated_jumps_at(&f, -INFINITY));
  assert_false(thud_regulated_jumps_at(&f, INFINITY));
  assert_false(thud_regulated_jumps_at(&f, NAN));
  const thud_regulated smooth = {.dimension = 1};
  assert_false(thud_regulated_jumps_at(&smooth, 0));
  thud_piecewise_destroy(piecewise);
  thud_test_context_end(context);
}

/* Random piecewise polynomials against the definition, evaluated by powers in long double. */
static void random_pieces_agree_with_the_definition(void **state) {
  (void)state;
  enum { BREAKS = 12, DEGREE = 4, TERMS = DEGREE + 1 };
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(9);
  for (int repeat = 0; repeat < 200; repeat++) {
    double times[BREAKS], a[(BREAKS + 1) * TERMS], values[BREAKS];
    for (int k = 0; k < BREAKS; k++) {
      times[k] = (k > 0 ? times[k - 1] : -3) + thud_random_uniform(&random, 0.01, 1);
      values[k] = thud_random_normal(&random);
    }
    for (int k = 0; k < (BREAKS + 1) * TERMS; k++) a[k] = thud_random_normal(&random);
    thud_piecewise *piecewise = NULL;
    assert_int_equal(thud_piecewise_create(context, 1, DEGREE, BREAKS, times, a, values, &piecewise), THUD_OK);
    thud_regulated f = thud_piecewise_function(piecewise);
    for (int sample = 0; sample < 50; sample++) {
      double t = thud_random_uniform(&random, -4, 6), got;
      int piece = 0;
      while (piece < BREAKS && times[piece] < t) piece++;
      long double s = t - times[piece > 0 ? piece - 1 : 0], expected = 0, scale = 0;
      for (int d = 0; d <= DEGREE; d++) {
        expected += a[piece * TERMS + d] * powl(s, d);
        scale += fabsl(a[piece * TERMS + d] * powl(s, d));
      }
      assert_int_equal(thud_regulated_evaluate(context, &f, t, THUD_SIDE_VALUE, &got), THUD_OK);
      thud_assert_at_most(fabsl(got - expected), 4 * TERMS * 2.3e-16L * scale);
    }
    for (int k = 0; k < BREAKS; k++) {
      double got;
      assert_int_equal(thud_regulated_evaluate(context, &f, times[k], THUD_SIDE_VALUE, &got), THUD_OK);
      thud_assert_equal(got, values[k]);
      assert_int_equal(thud_regulated_evaluate(context, &f, times[k], THUD_SIDE_RIGHT, &got), THUD_OK);
      thud_assert_equal(got, a[(k + 1) * TERMS]); /* the right piece at its own origin */
    }
    thud_piecewise_destroy(piecewise);
  }
  thud_test_context_end(context);
}

static void a_single_polynomial_needs_no_breaks(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double a[] = {1, 2, 3};
  thud_piecewise *piecewise = NULL;
  assert_int_equal(thud_piecewise_create(context, 1, 2, 0, NULL, a, NULL, &piecewise), THUD_OK);
  thud_regulated f = thud_piecewise_function(piecewise);
  double out;
  for (int side = -1; side <= 1; side++) {
    assert_int_equal(thud_regulated_evaluate(context, &f, 2, (thud_side)side, &out), THUD_OK);
    thud_assert_equal(out, 1 + 2 * 2 + 3 * 4);
  }
  assert_false(thud_regulated_jumps_at(&f, 0));
  thud_piecewise_destroy(piecewise);
  thud_piecewise_destroy(NULL);
  thud_test_context_end(context);
}

typedef struct sample_arguments {
  thud_index dimension, degree, breaks;
  const double *times, *coefficients, *values;
  thud_error error;
  const char *piece;
} sample_arguments;

static void wrong_data_are_refused_and_leave_the_output(void **state) {
  (void)state;
  static const double equal[] = {1, 1}, backwards[] = {2, 1}, bad_time[] = {1, NAN};
  double bad_coefficients[18], bad_values[4];
  memcpy(bad_coefficients, coefficients, sizeof bad_coefficients);
  memcpy(bad_values, break_values, sizeof bad_values);
  bad_coefficients[17] = INFINITY;
  bad_values[3] = NAN;
  const sample_arguments cases[] = {
      {0, 2, 2, break_times, coefficients, break_values, THUD_ERROR_ARGUMENT,
       "a piecewise function needs dimension >= 1, degree >= 0, breaks >= 0 (not 0, 2, 2) and arrays"},
      {-1, 2, 2, break_times, coefficients, break_values, THUD_ERROR_ARGUMENT,
       "a piecewise function needs dimension >= 1, degree >= 0, breaks >= 0 (not -1, 2, 2) and arrays"},
      {2, -1, 2, break_times, coefficients, break_values, THUD_ERROR_ARGUMENT,
       "a piecewise function needs dimension >= 1, degree >= 0, breaks >= 0 (not 2, -1, 2) and arrays"},
      {2, 2, -1, break_times, coefficients, break_values, THUD_ERROR_ARGUMENT,
       "a piecewise function needs dimension >= 1, degree >= 0, breaks >= 0 (not 2, 2, -1) and arrays"},
      {2, 2, 2, NULL, coefficients, break_values, THUD_ERROR_ARGUMENT, "arrays"},
      {2, 2, 2, break_times, NULL, break_values, THUD_ERROR_ARGUMENT, "arrays"},
      {2, 2, 2, break_times, coefficients, NULL, THUD_ERROR_ARGUMENT, "arrays"},
      {2, 2, 2, equal, coefficients, break_values, THUD_ERROR_ARGUMENT,
       "break times must increase: number 1 is 1 after 1"},
      {2, 2, 2, backwards, coefficients, break_values, THUD_ERROR_ARGUMENT,
       "break times must increase: number 1 is 1 after 2"},
      {2, 2, 2, bad_time, coefficients, break_values, THUD_ERROR_NOT_FINITE,
       "break time 1 of a piecewise function is nan"},
      {2, 2, 2, break_times, bad_coefficients, break_values, THUD_ERROR_NOT_FINITE,
       "coefficient 17 of a piecewise function is inf"},
      {2, 2, 2, break_times, coefficients, bad_values, THUD_ERROR_NOT_FINITE, "value 3 of a piecewise function is nan"},
      {INT32_MAX, INT32_MAX, INT32_MAX, break_times, coefficients, break_values, THUD_ERROR_OVERFLOW,
       "a piecewise function of 2147483648 pieces is too large"},
  };
  thud_context *context = thud_test_context(1);
  int place;
  thud_piecewise *const untouched = (thud_piecewise *)&place;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const sample_arguments *c = &cases[k];
    thud_piecewise *piecewise = untouched;
    assert_int_equal(thud_piecewise_create(context, c->dimension, c->degree, c->breaks, c->times, c->coefficients,
                                           c->values, &piecewise),
                     c->error);
    thud_test_message_has(context, c->piece, NULL);
    assert_ptr_equal(piecewise, untouched);
  }
  assert_int_equal(thud_piecewise_create(context, 2, 2, 2, break_times, coefficients, break_values, NULL),
                   THUD_ERROR_ARGUMENT);
  thud_test_context_end(context);
}

static int misbehaving(void *user, double t, thud_side side, double *out) {
  (void)side;
  out[0] = 1;
  out[1] = t < 0 ? NAN : t > 10 ? INFINITY : 0;
  return *(const int *)user;
}

static void a_failing_function_of_time_is_reported_with_its_place(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  int status = 0;
  const thud_regulated f = {.dimension = 2, .evaluate = misbehaving, .user = &status};
  double out[2];
  assert_int_equal(thud_regulated_evaluate(context, &f, 1, THUD_SIDE_VALUE, out), THUD_OK);
  assert_int_equal(thud_regulated_evaluate(context, &f, -0.5, THUD_SIDE_VALUE, out), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "component 1 of a function of time is nan at t = -0.5", NULL);
  assert_int_equal(thud_regulated_evaluate(context, &f, 11, THUD_SIDE_VALUE, out), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "component 1 of a function of time is inf at t = 11", NULL);
  thud_regulated with_bounds = f;
  with_bounds.may_be_infinite = true;
  assert_int_equal(thud_regulated_evaluate(context, &with_bounds, 11, THUD_SIDE_VALUE, out), THUD_OK);
  assert_int_equal(thud_regulated_evaluate(context, &with_bounds, -0.5, THUD_SIDE_VALUE, out), THUD_ERROR_NOT_FINITE);
  for (status = -1; status <= 1; status += 2) {
    assert_int_equal(thud_regulated_evaluate(context, &f, 3, THUD_SIDE_LEFT, out), THUD_ERROR_CALLBACK);
    assert_string_equal(thud_context_last_message(context), status < 0
                                                                ? "a function of time reported status -1 at t = 3"
                                                                : "a function of time reported status 1 at t = 3");
  }
  thud_piecewise *piecewise = make_sample(context);
  thud_regulated sample = thud_piecewise_function(piecewise);
  assert_int_equal(thud_regulated_evaluate(context, &sample, NAN, THUD_SIDE_VALUE, out), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_regulated_evaluate(context, &sample, -1e300, THUD_SIDE_VALUE, out), THUD_ERROR_NOT_FINITE);
  thud_piecewise_destroy(piecewise);
  thud_test_context_end(context);
}

static thud_error create_piecewise(thud_context *context, void *user) {
  thud_piecewise *const untouched = user;
  thud_piecewise *piecewise = untouched;
  thud_error error = thud_piecewise_create(context, 2, 2, 2, break_times, coefficients, break_values, &piecewise);
  if (error == THUD_OK)
    thud_piecewise_destroy(piecewise);
  else
    assert_ptr_equal(piecewise, untouched);
  return error;
}

static void creation_survives_every_failing_allocation(void **state) {
  (void)state;
  int place;
  assert_int_equal(thud_test_sweep_allocations(create_piecewise, &place), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_three_values_at_a_break_are_distinct),
      cmocka_unit_test(one_sided_limits_are_limits),
      cmocka_unit_test(jumps_are_recognised_bit_for_bit),
      cmocka_unit_test(random_pieces_agree_with_the_definition),
      cmocka_unit_test(a_single_polynomial_needs_no_breaks),
      cmocka_unit_test(wrong_data_are_refused_and_leave_the_output),
      cmocka_unit_test(a_failing_function_of_time_is_reported_with_its_place),
      cmocka_unit_test(creation_survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
