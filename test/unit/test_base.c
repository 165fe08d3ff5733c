#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void ordered_sums_do_not_depend_on_threads(void **state) {
  (void)state;
  enum { N = 1000003 };
  double *x = malloc(N * sizeof *x);
  assert_non_null(x);
  thud_random random = thud_random_seed(1);
  for (size_t i = 0; i < N; i++) x[i] = thud_random_normal(&random) * pow(10, thud_random_uniform(&random, -8, 8));
  double sum[5], norm[5];
  for (int threads = 1; threads <= 5; threads++) {
    thud_context_options options = thud_context_options_default();
    options.threads = threads;
    thud_context *context;
    assert_int_equal(thud_context_create(&options, &context), THUD_OK);
    sum[threads - 1] = thud_sum(context, N, x);
    norm[threads - 1] = thud_norm2(context, N, x);
    thud_context_destroy(context);
  }
  for (int k = 1; k < 5; k++) {
    assert_memory_equal(&sum[0], &sum[k], sizeof(double));
    assert_memory_equal(&norm[0], &norm[k], sizeof(double));
  }
  free(x);
}

static void norms_survive_extreme_scales(void **state) {
  (void)state;
  thud_context *context;
  assert_int_equal(thud_context_create(NULL, &context), THUD_OK);
  double tiny[2] = {3e-310, 4e-310}, huge[2] = {3e307, 4e307};
  assert_true(fabs(thud_norm2(context, 2, tiny) / 5e-310 - 1) < 1e-12);
  assert_true(fabs(thud_norm2(context, 2, huge) / 5e307 - 1) < 1e-15);
  thud_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ordered_sums_do_not_depend_on_threads),
      cmocka_unit_test(norms_survive_extreme_scales),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
