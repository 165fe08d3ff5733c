/* First roots of polynomials: known roots, clusters, tangencies, and proofs of absence against brute force. */
#include "motions/event/arc_polynomial.h"
#include "testing.h"

#include <math.h>
#include <string.h>

/* c *= (s - root) */
static void times_linear(int *degree, double *c, double root) {
  c[*degree + 1] = 0;
  for (int k = *degree + 1; k > 0; k--) c[k] = c[k - 1] - root * c[k];
  c[0] *= -root;
  (*degree)++;
}

/* A polynomial that is positive at 0 with these roots. */
static int from_roots(int count, const double *roots, double *c) {
  int degree = 0;
  c[0] = 1;
  for (int k = 0; k < count; k++) times_linear(&degree, c, roots[k]);
  if (c[0] < 0)
    for (int k = 0; k <= degree; k++) c[k] = -c[k];
  return degree;
}

static void simple_roots_are_found_to_thirteen_digits(void **state) {
  (void)state;
  thud_random random = thud_random_seed(11);
  for (int trial = 0; trial < 5000; trial++) {
    double roots[9], c[16] = {0}, first = INFINITY;
    int count = 1 + (int)thud_random_below(&random, 6);
    /* A first root that stands alone, the others to the right of it and anywhere to the left of 0. */
    roots[0] = thud_random_uniform(&random, 0.05, 0.5);
    for (int k = 1; k < count; k++)
      roots[k] = thud_random_below(&random, 2) == 0 ? thud_random_uniform(&random, roots[0] + 0.2, 2)
                                                    : thud_random_uniform(&random, -2, -0.1);
    for (int k = 0; k < count; k++)
      if (roots[k] > 0) first = fmin(first, roots[k]);
    int degree = from_roots(count, roots, c);
    arc_root root = thud_arc_first_root(degree, c, 1, 0);
    assert_int_equal(root.kind, ARC_ROOT_SIMPLE);
    /* The coefficients themselves are rounded: their error moves the root by eps sum|c_k| / |p'|. */
    double slope, size = 0;
    thud_arc_polynomial(degree, c, first, &slope);
    for (int k = 0; k <= degree; k++) size += fabs(c[k]) * pow(first, k);
    thud_assert_near(root.s, first, fmax(1e-13 * first, 2 * 2.3e-16 * size / fabs(slope)));
    thud_assert_at_most(root.low, first);
    thud_assert_at_most(first, root.high);
  }
}

static void nearly_equal_roots_are_told_apart_or_flagged(void **state) {
  (void)state;
  for (int e = 1; e <= 12; e++) {
    double gap = pow(10, -e), c[8] = {0};
    const double roots[] = {0.3, 0.3 + gap, 0.9};
    int degree = from_roots(3, roots, c);
    arc_root root = thud_arc_first_root(degree, c, 1, 0);
    assert_int_not_equal(root.kind, ARC_ROOT_NONE);
    thud_assert_at_most(root.low, 0.3 + gap);
    thud_assert_at_least(root.high, 0.3 - 1e-12);
    if (e <= 6) assert_int_equal(root.kind, ARC_ROOT_SIMPLE);
    if (e <= 6) thud_assert_nearer(root.s, 0.3, 1e-15 / gap);
  }
}

static void tangencies_are_flagged_with_an_interval_that_contains_them(void **state) {
  (void)state;
  thud_random random = thud_random_seed(5);
  for (int trial = 0; trial < 2000; trial++) {
    double at = thud_random_uniform(&random, 0.05, 0.9), c[12] = {0};
    const double roots[] = {at, at, at + thud_random_uniform(&random, 0.2, 1), -thud_random_uniform(&random, 0.1, 3)};
    int degree = from_roots(2 + (int)thud_random_below(&random, 3), roots, c);
    arc_root root = thud_arc_first_root(degree, c, 1, 0);
    /* Within the rounding of its coefficients this is a touch; never something that was passed over. */
    assert_true(root.kind == ARC_ROOT_TANGENT || root.kind == ARC_ROOT_SIMPLE);
    thud_assert_at_most(root.low, at);
    thud_assert_at_most(at, root.high);
    thud_assert_less(root.high - root.low, 1e-5);
    if (root.kind == ARC_ROOT_TANGENT) thud_assert_nearer(root.s, at, 1e-7);
  }
}

static void a_lifted_touch_is_no_root_and_a_lowered_one_is_two(void **state) {
  (void)state;
  const double lifted[] = {0.25 + 1e-10, -1, 1}, lowered[] = {0.25 - 1e-10, -1, 1}, touching[] = {0.25, -1, 1};
  assert_int_equal(thud_arc_first_root(2, lifted, 1, 0).kind, ARC_ROOT_NONE);
  arc_root root = thud_arc_first_root(2, lowered, 1, 0);
  assert_int_equal(root.kind, ARC_ROOT_SIMPLE);
  thud_assert_nearer(root.s, (0.5 - 1e-5), 1e-10);
  assert_int_equal(thud_arc_first_root(2, touching, 1, 0).kind, ARC_ROOT_TANGENT);
  /* An error that the caller knows of makes the lifted one a touch. */
  assert_int_equal(thud_arc_first_root(2, lifted, 1, 1e-9).kind, ARC_ROOT_TANGENT);
}

static void random_polynomials_agree_with_a_fine_scan(void **state) {
  (void)state;
  thud_random random = thud_random_seed(21);
  int with = 0, without = 0;
  for (int trial = 0; trial < 3000; trial++) {
    double c[24], h = thud_random_uniform(&random, 0.1, 3);
    int degree = 1 + (int)thud_random_below(&random, 22);
    for (int k = 0; k <= degree; k++) c[k] = thud_random_normal(&random) * pow(0.7 * h, -k);
    c[0] = fabs(c[0]) + 0.05;
    arc_root root = thud_arc_first_root(degree, c, h, 0);
    double limit = root.kind == ARC_ROOT_NONE ? h : root.low;
    for (int k = 0; k <= 4000; k++)
      thud_assert_greater(thud_arc_polynomial(degree, c, limit * k / 4000.0 * (1 - 1e-12), NULL), -1e-13);
    if (root.kind == ARC_ROOT_SIMPLE)
      thud_assert_less(thud_arc_polynomial(degree, c, fmin(root.s * (1 + 1e-6), h), NULL), 1e-9);
    with += root.kind != ARC_ROOT_NONE;
    without += root.kind == ARC_ROOT_NONE;
  }
  thud_assert_greater(with, 500);
  thud_assert_greater(without, 500);
}

static void roots_at_dyadic_places_and_at_the_ends_are_found(void **state) {
  (void)state;
  for (int k = 1; k <= 16; k++) {
    double c[4] = {0}, at = k / 16.0;
    const double roots[] = {at, 3, -1};
    int degree = from_roots(3, roots, c);
    arc_root root = thud_arc_first_root(degree, c, 1, 0);
    assert_int_equal(root.kind, ARC_ROOT_SIMPLE);
    thud_assert_nearer(root.s, at, 1e-14);
  }
  const double zero[] = {0, 1}, negative[] = {-1, 1}, constant[] = {2, 0, 0};
  assert_int_equal(thud_arc_first_root(1, zero, 1, 0).kind, ARC_ROOT_START);
  assert_int_equal(thud_arc_first_root(1, negative, 1, 0).kind, ARC_ROOT_START);
  assert_int_equal(thud_arc_first_root(2, constant, 1, 0).kind, ARC_ROOT_NONE);
}

static void powers_at_a_high_order_root_are_flagged_near_it(void **state) {
  (void)state;
  for (int multiplicity = 3; multiplicity <= 7; multiplicity++) {
    double c[12] = {0}, roots[8];
    for (int k = 0; k < multiplicity; k++) roots[k] = 0.4;
    int degree = from_roots(multiplicity, roots, c);
    arc_root root = thud_arc_first_root(degree, c, 1, 0);
    assert_int_not_equal(root.kind, ARC_ROOT_NONE);
    thud_assert_at_most(root.low, 0.4);
    thud_assert_at_most(0.4, root.high);
    thud_assert_less(root.high - root.low, 3 * pow(1e-13, 1.0 / multiplicity));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simple_roots_are_found_to_thirteen_digits),
      cmocka_unit_test(nearly_equal_roots_are_told_apart_or_flagged),
      cmocka_unit_test(tangencies_are_flagged_with_an_interval_that_contains_them),
      cmocka_unit_test(a_lifted_touch_is_no_root_and_a_lowered_one_is_two),
      cmocka_unit_test(random_polynomials_agree_with_a_fine_scan),
      cmocka_unit_test(roots_at_dyadic_places_and_at_the_ends_are_found),
      cmocka_unit_test(powers_at_a_high_order_root_are_flagged_near_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
