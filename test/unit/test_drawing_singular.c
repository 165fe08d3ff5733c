/* Fields without bound at their ends are cut, finite ones are not (drawing/singular.h). */
#include "drawing/singular.h"
#include "testing.h"

#include <math.h>

enum { N = 400 };

/* Middles of equal elements from -1 to 1. */
static double place(size_t i) { return -1 + (2 * (double)i + 1) / N; }

static double bound_of(double (*field)(double x)) {
  double x[N], values[N];
  for (size_t i = 0; i < N; i++) {
    x[i] = place(i);
    values[i] = field(x[i]);
  }
  return thud_singular_bound(N, x, values);
}

static double flat_punch(double x) { return 1 / (acos(-1.0) * sqrt(1 - x * x)); } /* M. Sadowsky, force 1 */
static double shear(double x) { return x * flat_punch(x); }
static double one_corner(double x) { return sqrt((1 + x) / (1 - x)); }
static double cylinder(double x) { return fabs(x) < 0.8 ? sqrt(0.64 - x * x) : 0; } /* H. Hertz */
static double wedge(double x) { return fabs(x) < 0.8 ? acosh(0.8 / fmax(fabs(x), 1e-9)) : 0; }
static double peak(double x) { return exp(-pow((x - 0.97) / 0.005, 2)); } /* high, beside an end, and finite */
static double step(double x) { return x > 0.9 ? 50 : 0; }
static double nothing(double x) { return 0 * x; }

/* The mean size of flat_punch is 1/2: five times that. */
static void corners_are_cut_at_five_means(void **state) {
  (void)state;
  thud_assert_near(bound_of(flat_punch), 2.5, 0.1); /* the mean over elements lacks a little near the ends */
  thud_assert_less(bound_of(shear), 2.5);
  thud_assert_less(bound_of(one_corner), INFINITY);
}

static void finite_fields_are_whole(void **state) {
  (void)state;
  double (*const fields[])(double) = {cylinder, wedge, peak, step, nothing};
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) assert_true(bound_of(fields[k]) == INFINITY);
}

static double corner_and_peak(double x) { return flat_punch(x) + 3 * exp(-pow(x / 0.01, 2)); }

/* A finite peak in the middle is seen beside the corners. */
static void finite_peaks_beside_corners_are_shown(void **state) {
  (void)state;
  thud_assert_greater(bound_of(corner_and_peak), 3.3);
  thud_assert_less(bound_of(corner_and_peak), 1 / (acos(-1.0) * sqrt(1 - pow(place(0), 2))));
}

static void few_places_are_not_judged(void **state) {
  (void)state;
  const double x[2] = {0, 1}, values[2] = {1, 100}, same[2] = {1, 1};
  assert_true(thud_singular_bound(1, x, values) == INFINITY);
  assert_true(thud_singular_bound(2, same, values) == INFINITY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_are_cut_at_five_means),
      cmocka_unit_test(finite_fields_are_whole),
      cmocka_unit_test(finite_peaks_beside_corners_are_shown),
      cmocka_unit_test(few_places_are_not_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
