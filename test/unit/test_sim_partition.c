/* Partitions of time into intervals of any kind. */
#include "thud/sim.h"
#include "testing.h"

#include <math.h>

static void uniform_partition_isolates_jumps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double jumps[4] = {-1, 0, 0.5, 0.7};
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(context, 0, 1, 2, 4, jumps, &partition), THUD_OK);
  /* {0} ]0,.5[ {.5} ].5,.7[ {.7} ].7,1[ {1} */
  const double left[7] = {0, 0, 0.5, 0.5, 0.7, 0.7, 1};
  assert_int_equal(thud_partition_count(partition), 7);
  for (size_t k = 0; k < 7; k++) {
    thud_interval interval = thud_partition_interval(partition, k);
    assert_true(interval.left == left[k]);
    assert_true((interval.left == interval.right) == (k % 2 == 0));
    assert_true(interval.left_closed == (k % 2 == 0));
  }
  /* What it makes is what thud_partition_create accepts. */
  thud_interval copy[7];
  for (size_t k = 0; k < 7; k++) copy[k] = thud_partition_interval(partition, k);
  thud_partition *same = NULL, *half = NULL;
  assert_int_equal(thud_partition_create(context, 7, copy, &same), THUD_OK);
  assert_int_equal(thud_partition_halve(context, same, &half), THUD_OK);
  assert_int_equal(thud_partition_count(half), 10);
  thud_interval halves[10];
  for (size_t k = 0; k < 10; k++) halves[k] = thud_partition_interval(half, k);
  thud_partition_destroy(same);
  assert_int_equal(thud_partition_create(context, 10, halves, &same), THUD_OK);
  thud_partition_destroy(same);
  thud_partition_destroy(half);
  thud_partition_destroy(partition);
  thud_test_context_end(context);
}

static void bad_partitions_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(context, 1, 1, 2, 0, NULL, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_uniform(context, 0, 1, 0, 0, NULL, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_uniform(context, 0, NAN, 2, 0, NULL, &partition), THUD_ERROR_ARGUMENT);
  const double unsorted[2] = {0.7, 0.2};
  assert_int_equal(thud_partition_uniform(context, 0, 1, 2, 2, unsorted, &partition), THUD_ERROR_ARGUMENT);
  const thud_interval overlap[2] = {{0, 1, true, true}, {1, 2, true, false}};
  const thud_interval hole[2] = {{0, 1, true, false}, {1, 2, false, false}};
  const thud_interval gap[2] = {{0, 1, true, false}, {1.5, 2, true, false}};
  const thud_interval empty[1] = {{0, 0, true, false}};
  const thud_interval reversed[1] = {{1, 0, true, false}};
  assert_int_equal(thud_partition_create(context, 2, overlap, &partition), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "interval 1", NULL);
  assert_int_equal(thud_partition_create(context, 2, hole, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 2, gap, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 1, empty, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 1, reversed, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 0, NULL, &partition), THUD_ERROR_ARGUMENT);
  assert_null(partition);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_partition_isolates_jumps),
      cmocka_unit_test(bad_partitions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
