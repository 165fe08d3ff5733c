/* Classes of refined motions: exponents with their errors, and decisions from sequences whose limits are known. */
#include "thud/sim.h"

#include "testing.h"

#include <math.h>

enum { LEVELS = 6 };

/* Levels with distance ~ 2^(-p k), V_k = 1 + b 2^(q k) and largest moves ~ 2^(-m k). */
static void make(thud_limit_level *rows, double p, double b, double q, double m) {
  for (int k = 0; k < LEVELS; k++)
    rows[k] = (thud_limit_level){.steps = (size_t)(10 << k),
                                 .variation = 3 + b * exp2(q * k),
                                 .largest_move = exp2(-m * k),
                                 .distance = k > 0 ? 0.1 * exp2(-p * k) : NAN};
}

static const char *class_of(int levels, const thud_limit_level *rows) {
  thud_limit_judgement found;
  thud_limit_judge(levels, rows, 1e-10, &found);
  return thud_limit_class_name(found.found);
}

static void sequences_have_their_classes(void **state) {
  (void)state;
  thud_limit_level rows[LEVELS];
  for (int levels = 3; levels <= LEVELS; levels++) {
    make(rows, 1, -1, -1, 1);
    assert_string_equal(class_of(levels, rows), "strong");
    make(rows, 1, -1, -1, 0);
    assert_string_equal(class_of(levels, rows), "bounded variation");
    make(rows, 0.5, 1, 0.5, 0.5);
    assert_string_equal(class_of(levels, rows), "weak only");
    make(rows, 0, 1, 0.5, 0.5);
    assert_string_equal(class_of(levels, rows), "no uniform limit");
  }
}

static void exponents_are_those_of_the_sequence(void **state) {
  (void)state;
  thud_limit_level rows[LEVELS];
  thud_limit_judgement found;
  make(rows, 0.7, 0.3, 0.5, 0.4);
  thud_limit_judge(LEVELS, rows, 1e-10, &found);
  /* log2 of figures that are exact to rounding: a few ulp, times the condition of the increments (3/0.3) */
  thud_assert_near(found.approach.exponent, 0.7, 1e-12);
  thud_assert_near(found.growth.exponent, 0.5, 1e-12);
  thud_assert_near(found.moves.exponent, 0.4, 1e-12);
  thud_assert_at_most(found.approach.scatter, 1e-12);
}

/* Four figures off a line: slope = sum (k - 3/2) y_k/5 = -1.2, s^2 = sum of the squares left over/2, error s/sqrt(5). */
static void the_scatter_is_the_standard_error_of_the_slope(void **state) {
  (void)state;
  const double y[4] = {0, -0.5, -2, -3.5};
  double figures[4];
  for (int k = 0; k < 4; k++) figures[k] = exp2(y[k]);
  thud_limit_trend found = thud_limit_fit(4, figures, 0);
  thud_assert_near(found.exponent, 1.2, 1e-14);
  double mean = -1.5, left = 0;
  for (int k = 0; k < 4; k++) left += pow(y[k] - mean + 1.2 * (k - 1.5), 2);
  thud_assert_near(found.scatter, sqrt(left / 2 / 5), 1e-14);
  assert_int_equal(thud_limit_tends_to_zero(found), 1);
}

static void what_the_figures_leave_open_is_undecided(void **state) {
  (void)state;
  thud_limit_level rows[LEVELS];
  make(rows, 1, 0, 0, 1); /* logarithmic growth: equal increments */
  for (int k = 0; k < LEVELS; k++) rows[k].variation = 1 + 0.2 * k;
  assert_string_equal(class_of(LEVELS, rows), "undecided");
  make(rows, 1, 1, 0.5, 1); /* increments of both signs that do not fall */
  for (int k = 0; k < LEVELS; k++) rows[k].variation = 1 + (k % 2 == 0 ? 0.3 : -0.3);
  assert_string_equal(class_of(LEVELS, rows), "undecided");
  make(rows, 1, -1, -1, 1); /* distances that rise and fall */
  for (int k = 1; k < LEVELS; k++) rows[k].distance = k % 2 == 0 ? 0.1 : 0.02;
  rows[LEVELS - 1].distance = 0.005;
  assert_string_equal(class_of(4, rows), "undecided");
  make(rows, 1, -1, -1, 1); /* moves that fall and rise again */
  rows[1].largest_move = 0.4;
  rows[2].largest_move = 0.8;
  assert_string_equal(class_of(3, rows), "undecided");
}

static void rounding_is_not_a_trend(void **state) {
  (void)state;
  thud_limit_level rows[LEVELS];
  make(rows, 0, 0, 0, 1);
  for (int k = 1; k < LEVELS; k++) rows[k].distance = 1e-12 * k;
  thud_limit_judgement found;
  thud_limit_judge(LEVELS, rows, 1e-10, &found);
  assert_int_equal(found.found, THUD_LIMIT_STRONG);
  assert_true(isinf(found.approach.exponent) && isinf(found.growth.exponent));
}

static void too_little_is_undecided(void **state) {
  (void)state;
  thud_limit_level rows[LEVELS];
  make(rows, 1, -1, -1, 1);
  assert_string_equal(class_of(2, rows), "undecided");
  assert_string_equal(class_of(0, rows), "undecided");
  assert_string_equal(class_of(3, NULL), "undecided");
  thud_limit_judge(3, rows, 0, NULL);
  assert_true(isnan(thud_limit_fit(1, (double[]){1}, 0).exponent));
  assert_true(isnan(thud_limit_fit(2, NULL, 0).exponent));
  assert_true(isnan(thud_limit_fit(3, (double[]){1, INFINITY, 1}, 0).exponent));
  assert_string_equal(thud_limit_class_name((thud_limit_class)9), "unknown class");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences_have_their_classes),
      cmocka_unit_test(exponents_are_those_of_the_sequence),
      cmocka_unit_test(the_scatter_is_the_standard_error_of_the_slope),
      cmocka_unit_test(what_the_figures_leave_open_is_undecided),
      cmocka_unit_test(rounding_is_not_a_trend),
      cmocka_unit_test(too_little_is_undecided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
