/* Real transforms: against the sums they stand for, there and back, lengths of every kind, failing allocations. */
#include "failing_allocator.h"
#include "linalg/fft.h"
#include "testing.h"

#include <stdlib.h>

enum { LONGEST = 360 };

static const size_t lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11,  12,  15,  16,  21,
                                 22, 26, 30, 49, 60, 64, 97, 98, 100, 121, 194, 240, 250, 315, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* The sum itself, in long double: X_k = sum x_j exp(-2 pi i jk/n). */
static void direct(size_t n, const double *x, double *spectrum) {
  const long double pi = 3.14159265358979323846264338327950288L;
  for (size_t k = 0; k <= n / 2; k++) {
    long double re = 0, im = 0;
    for (size_t j = 0; j < n; j++) {
      long double angle = 2 * pi * (long double)(j * k % n) / (long double)n;
      re += x[j] * cosl(angle);
      im -= x[j] * sinl(angle);
    }
    spectrum[2 * k] = (double)re;
    spectrum[2 * k + 1] = (double)im;
  }
}

static void check_length(thud_context *context, size_t n, bool own) {
  double x[LONGEST], back[LONGEST], spectrum[LONGEST + 2], expected[LONGEST + 2];
  thud_random random = thud_random_seed(n);
  for (size_t j = 0; j < n; j++) x[j] = thud_random_normal(&random);
  thud_fft *fft = NULL;
  assert_int_equal(own ? thud_fft_create_own(context, n, &fft) : thud_fft_create(context, n, &fft), THUD_OK);
  thud_assert_equal(thud_fft_size(fft), n);
  direct(n, x, expected);
  thud_fft_forward(fft, x, spectrum);
  /* |X_k| is about sqrt(n); each of about log n passes errs by a rounding, a prime factor p by sqrt(p) of them. */
  double tolerance = 1e-15 * sqrt((double)n) * 20;
  for (size_t k = 0; k < 2 * (n / 2 + 1); k++) thud_assert_near(spectrum[k], expected[k], tolerance);
  thud_fft_backward(fft, spectrum, back);
  for (size_t j = 0; j < n; j++) thud_assert_near(back[j], x[j], 2e-14);
  thud_fft_destroy(fft);
}

static void transforms_are_the_sums_they_stand_for(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < LENGTHS; k++) {
    check_length(context, lengths[k], true);
    check_length(context, lengths[k], false);
  }
  thud_test_context_end(context);
}

/* Where the library has no other transform than its own, both are the same one. */
static void the_chosen_transform_agrees_with_the_own_one(void **state) {
  (void)state;
  enum { N = 360 };
  thud_context *context = thud_test_context(1);
  double x[N], a[N + 2], b[N + 2];
  thud_random random = thud_random_seed(5);
  for (size_t j = 0; j < N; j++) x[j] = thud_random_normal(&random);
  thud_fft *own = NULL, *chosen = NULL;
  assert_int_equal(thud_fft_create_own(context, N, &own), THUD_OK);
  assert_int_equal(thud_fft_create(context, N, &chosen), THUD_OK);
  thud_fft_forward(own, x, a);
  thud_fft_forward(chosen, x, b);
  for (size_t k = 0; k < N + 2; k++) thud_assert_near(a[k], b[k], 1e-13);
  thud_fft_destroy(own);
  thud_fft_destroy(chosen);
  thud_test_context_end(context);
}

static void good_sizes_are_even_and_smooth(void **state) {
  (void)state;
  static const size_t pairs[][2] = {{0, 2},   {1, 2},   {2, 2},     {3, 4},     {7, 8},      {11, 12},
                                    {13, 16}, {17, 18}, {799, 800}, {801, 810}, {1025, 1080}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    thud_assert_equal(thud_fft_good_size(pairs[k][0]), pairs[k][1]);
}

static void a_transform_of_nothing_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_fft *fft = NULL;
  assert_int_equal(thud_fft_create(context, 0, &fft), THUD_ERROR_ARGUMENT);
  assert_null(fft);
  thud_test_context_end(context);
}

static thud_error create_and_destroy(thud_context *context, void *user) {
  (void)user;
  thud_fft *fft = NULL;
  thud_error error = thud_fft_create_own(context, 60, &fft);
  thud_fft_destroy(fft);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(create_and_destroy, NULL), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms_are_the_sums_they_stand_for),
      cmocka_unit_test(the_chosen_transform_agrees_with_the_own_one), cmocka_unit_test(good_sizes_are_even_and_smooth),
      cmocka_unit_test(a_transform_of_nothing_is_refused), cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
