/* Ordered reductions: every element counts once, rounding stays within its bound, threads do not change a bit. */
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000003, MOST_THREADS = 8 };
static double x[MOST], y[MOST];

/* Sizes around the ends of lanes (8), blocks (4096), tasks (8 blocks) and the largest number of tasks (64). */
static const size_t sizes[] = {0,    1,     2,     7,     8,     9,     31,     100,    4095,   4096,   4097,
                               8191, 12289, 32767, 32768, 32769, 65537, 131071, 262144, 999999, 1000003};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill_wild(uint64_t seed) {
  thud_random random = thud_random_seed(seed);
  for (size_t i = 0; i < MOST; i++) {
    x[i] = thud_random_normal(&random) * pow(10, thud_random_uniform(&random, -8, 8));
    y[i] = thud_random_normal(&random) * pow(10, thud_random_uniform(&random, -8, 8));
  }
}

/* Whole numbers add up exactly in any order, so that a forgotten or repeated element shows. */
static void every_element_counts_exactly_once(void **state) {
  (void)state;
  thud_context *context = thud_test_context(3);
  for (size_t i = 0; i < MOST; i++) {
    x[i] = (double)(i % 1009);
    y[i] = (double)(i % 31);
  }
  for (size_t k = 0; k < SIZES; k++) {
    double sum = 0, dot = 0, square = 0;
    for (size_t i = 0; i < sizes[k]; i++) {
      sum += x[i];
      dot += x[i] * y[i];
      square += x[i] * x[i];
    }
    thud_assert_equal(thud_sum(context, sizes[k], x), sum);
    thud_assert_equal(thud_dot(context, sizes[k], x, y), dot);
    thud_assert_equal(thud_norm2(context, sizes[k], x), sqrt(square));
  }
  thud_test_context_end(context);
}

/* |computed - exact| <= (additions on the longest path) eps/2 sum|x_i|: 512 in a lane, 3 lanes to one, 14 levels of
 * the tree, and one rounding more for each product; long double adds less than one unit to it. */
static void rounding_stays_within_its_bound(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  const double bound = (512 + 3 + 14 + 2) * DBL_EPSILON / 2;
  fill_wild(11);
  for (size_t k = 0; k < SIZES; k++) {
    long double sum = 0, magnitude = 0, dot = 0, dot_magnitude = 0;
    for (size_t i = 0; i < sizes[k]; i++) {
      sum += x[i];
      magnitude += fabs(x[i]);
      dot += (long double)x[i] * y[i];
      dot_magnitude += fabsl((long double)x[i] * y[i]);
    }
    thud_assert_at_most(fabsl(thud_sum(context, sizes[k], x) - sum), bound * magnitude);
    thud_assert_at_most(fabsl(thud_dot(context, sizes[k], x, y) - dot), bound * dot_magnitude);
  }
  thud_test_context_end(context);
}

/* A million times 0.1: a plain loop is off by 1e-11 relative, the tree by a few roundings of its 530 additions. */
static void the_tree_is_more_accurate_than_a_loop(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double loop = 0;
  for (size_t i = 0; i < MOST; i++) {
    x[i] = 0.1;
    loop += x[i];
  }
  long double exact = (long double)0.1 * MOST;
  double tree_error = (double)fabsl(thud_sum(context, MOST, x) / exact - 1);
  double loop_error = (double)fabsl(loop / exact - 1);
  thud_assert_greater(loop_error, 1e-12);
  thud_assert_less(tree_error, 1e-14);
  thud_test_context_end(context);
}

static void results_are_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  fill_wild(1);
  double sum[SIZES], dot[SIZES], norm[SIZES];
  for (int threads = 1; threads <= MOST_THREADS; threads++) {
    thud_context *context = thud_test_context(threads);
    for (size_t k = 0; k < SIZES; k++) {
      double got[3] = {thud_sum(context, sizes[k], x), thud_dot(context, sizes[k], x, y),
                       thud_norm2(context, sizes[k], x)};
      if (threads == 1) {
        sum[k] = got[0];
        dot[k] = got[1];
        norm[k] = got[2];
      }
      assert_memory_equal(&got[0], &sum[k], sizeof(double));
      assert_memory_equal(&got[1], &dot[k], sizeof(double));
      assert_memory_equal(&got[2], &norm[k], sizeof(double));
    }
    thud_test_context_end(context);
  }
}

static void reductions_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(4);
  uint64_t before = thud_context_allocation_count(context);
  for (int k = 0; k < 10; k++) {
    (void)thud_sum(context, MOST, x);
    (void)thud_norm2(context, MOST, x);
  }
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_test_context_end(context);
}

static void norms_survive_extreme_scales(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* 3, 4, 5 scaled by every power of two: exact as long as the numbers themselves are. */
  for (int exponent = -1074; exponent <= 1021; exponent++) {
    double v[2] = {ldexp(3, exponent), -ldexp(4, exponent)};
    thud_assert_equal(thud_norm2(context, 2, v), ldexp(5, exponent));
  }
  double largest[2] = {DBL_MAX, 0}, beyond[2] = {DBL_MAX, DBL_MAX}, mixed[3] = {1e300, 1e-300, 1e-320};
  thud_assert_equal(thud_norm2(context, 2, largest), DBL_MAX);
  assert_true(isinf(thud_norm2(context, 2, beyond))); /* the true norm is not a double */
  thud_assert_equal(thud_norm2(context, 3, mixed), 1e300);
  thud_test_context_end(context);
}

static void norms_do_not_lose_accuracy_at_any_scale(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (int k = 0; k < 5000; k++) {
    double v[20];
    int exponent = (int)thud_random_below(&random, 2000) - 1000;
    long double square = 0;
    for (int i = 0; i < 20; i++) {
      v[i] = ldexp(thud_random_normal(&random), exponent);
      square += (long double)v[i] * v[i]; /* long double has the exponents for it */
    }
    thud_assert_less(fabsl(thud_norm2(context, 20, v) / sqrtl(square) - 1), 8 * DBL_EPSILON);
  }
  thud_test_context_end(context);
}

static void nan_and_infinity_are_not_swallowed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  for (size_t i = 0; i < MOST; i++) x[i] = y[i] = 1;
  const size_t places[] = {0, 4095, 4096, 500000, MOST - 1};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    size_t where = 0;
    x[places[k]] = NAN;
    assert_true(isnan(thud_sum(context, MOST, x)));
    assert_true(isnan(thud_dot(context, MOST, x, y)));
    assert_true(isnan(thud_norm2(context, MOST, x)));
    assert_true(isnan(thud_norm_max(context, MOST, x, &where)));
    assert_int_equal(where, places[k]);
    x[places[k]] = -INFINITY;
    thud_assert_equal(thud_sum(context, MOST, x), -INFINITY);
    thud_assert_equal(thud_norm2(context, MOST, x), INFINITY);
    thud_assert_equal(thud_norm_max(context, MOST, x, &where), INFINITY);
    assert_int_equal(where, places[k]);
    x[places[k]] = 1;
  }
  double both[3] = {INFINITY, 1, NAN};
  assert_true(isnan(thud_norm2(context, 3, both)));
  thud_test_context_end(context);
}

static void the_largest_element_is_the_first_of_equals(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double v[] = {1, -5, 5, 2};
  size_t where = 99;
  thud_assert_equal(thud_norm_max(context, 4, v, &where), 5);
  assert_int_equal(where, 1);
  thud_assert_equal(thud_norm_max(context, 4, v, NULL), 5);
  const double zeros[] = {-0.0, 0};
  thud_assert_equal(thud_norm_max(context, 2, zeros, &where), 0);
  assert_int_equal(where, 0);
  thud_assert_equal(thud_norm_max(context, 0, NULL, &where), 0);
  thud_assert_equal(thud_sum(context, 0, NULL), 0);
  thud_assert_equal(thud_dot(context, 0, NULL, NULL), 0);
  thud_assert_equal(thud_norm2(context, 0, NULL), 0);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element_counts_exactly_once),
      cmocka_unit_test(rounding_stays_within_its_bound),
      cmocka_unit_test(the_tree_is_more_accurate_than_a_loop),
      cmocka_unit_test(results_are_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(reductions_allocate_nothing),
      cmocka_unit_test(norms_survive_extreme_scales),
      cmocka_unit_test(norms_do_not_lose_accuracy_at_any_scale),
      cmocka_unit_test(nan_and_infinity_are_not_swallowed),
      cmocka_unit_test(the_largest_element_is_the_first_of_equals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
