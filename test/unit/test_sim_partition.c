/* Partitions of time into intervals of any kind. */
#include "thud/sim.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    thud_assert_equal(interval.left, left[k]);
    thud_assert_equal((interval.left == interval.right), (k % 2 == 0));
    thud_assert_equal(interval.left_closed, (k % 2 == 0));
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
  thud_test_message_has(context, "interval 1 of the partition, from 1 to 2, shares its left end with the one before",
                        NULL);
  assert_int_equal(thud_partition_create(context, 2, hole, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 2, gap, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 1, empty, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 1, reversed, &partition), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_partition_create(context, 0, NULL, &partition), THUD_ERROR_ARGUMENT);
  assert_null(partition);
  thud_test_context_end(context);
}

/* The list that a uniform partition stands for, by its definition: steps cut at the jumps, whose points are isolated.
 * */
static size_t list_uniform(double start, double end, int steps, size_t jump_count, const double *jumps,
                           thud_interval *list) {
  size_t count = 0, jump = 0;
  double from = start;
  bool closed = true;
  while (jump < jump_count && jumps[jump] < start) jump++;
  for (int k = 1; k <= steps; k++) {
    double to = k == steps ? end : start + (double)k / steps * (end - start);
    for (; jump < jump_count && jumps[jump] < to; jump++) {
      if (from < jumps[jump]) list[count++] = (thud_interval){from, jumps[jump], closed, false};
      list[count++] = (thud_interval){jumps[jump], jumps[jump], true, true};
      from = jumps[jump];
      closed = false;
    }
    list[count++] = (thud_interval){from, to, closed, false};
    from = to;
    closed = true;
  }
  list[count++] = (thud_interval){end, end, true, true};
  return count;
}

static size_t halve_list(size_t count, const thud_interval *list, thud_interval *halves) {
  size_t made = 0;
  for (size_t k = 0; k < count; k++) {
    double middle = list[k].left + 0.5 * (list[k].right - list[k].left);
    bool divisible = list[k].left < middle && middle < list[k].right;
    halves[made++] = divisible ? (thud_interval){list[k].left, middle, list[k].left_closed, false} : list[k];
    if (divisible) halves[made++] = (thud_interval){middle, list[k].right, true, list[k].right_closed};
  }
  return made;
}

static void assert_same_intervals(const thud_partition *partition, size_t count, const thud_interval *list) {
  assert_int_equal(thud_partition_count(partition), count);
  for (size_t k = 0; k < count; k++) {
    thud_interval found = thud_partition_interval(partition, k);
    thud_assert_equal(found.left, list[k].left);
    thud_assert_equal(found.right, list[k].right);
    thud_assert_equal(found.left_closed, list[k].left_closed);
    thud_assert_equal(found.right_closed, list[k].right_closed);
  }
}

/* Random steps and jumps, some on nodes, at the ends, outside, or one unit in the last place beside another or a node. */
static void computed_partitions_are_the_lists_they_stand_for(void **state) {
  (void)state;
  enum { STEPS = 12, JUMPS = 10, LEVELS = 4, ROOM = (STEPS + 2 * JUMPS + 1) << LEVELS };
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(20);
  thud_interval *list = calloc(ROOM, sizeof *list), *halves = calloc(ROOM, sizeof *halves);
  assert_non_null(list);
  assert_non_null(halves);
  for (int trial = 0; trial < 500; trial++) {
    int steps = 1 + (int)thud_random_below(&random, STEPS);
    double start = -0.3, end = 1.1, jumps[JUMPS];
    size_t jump_count = 0;
    double next = start - 0.2;
    for (int k = 0; k < JUMPS; k++) {
      int kind = (int)thud_random_below(&random, 5);
      int node = (int)thud_random_below(&random, (uint32_t)steps + 1);
      double t = kind == 0   ? nextafter(next, 2)
                 : kind == 1 ? start + (double)node / steps * (end - start)
                 : kind == 2 ? nextafter(start + (double)node / steps * (end - start), 2)
                 : kind == 3 ? nextafter(start + (double)node / steps * (end - start), -2)
                             : next + thud_random_uniform(&random, 0, 0.3);
      if (!(t > next)) continue;
      jumps[jump_count++] = next = t;
    }
    thud_partition *partition = NULL, *fine = NULL;
    assert_int_equal(thud_partition_uniform(context, start, end, steps, jump_count, jumps, &partition), THUD_OK);
    size_t count = list_uniform(start, end, steps, jump_count, jumps, list);
    assert_same_intervals(partition, count, list);
    for (int level = 1; level <= LEVELS - 1; level++) {
      assert_int_equal(thud_partition_halve(context, partition, &fine), THUD_OK);
      thud_partition_destroy(partition);
      partition = fine;
      count = halve_list(count, list, halves);
      memcpy(list, halves, count * sizeof *list);
      assert_same_intervals(partition, count, list);
    }
    thud_partition_destroy(partition);
  }
  free(list);
  free(halves);
  thud_test_context_end(context);
}

/* 10^9 steps cost a handful of allocations, at every level of halving; neighbours share their end to the bit. */
static void partitions_of_many_steps_are_not_stored(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_index steps = 1000000000;
  const double jumps[] = {0.25, 2.0 / 3};
  thud_partition *partition = NULL, *fine = NULL;
  size_t before = thud_context_allocation_count(context);
  assert_int_equal(thud_partition_uniform(context, 0, 1, steps, 2, jumps, &partition), THUD_OK);
  assert_int_equal(thud_partition_halve(context, partition, &fine), THUD_OK);
  assert_in_range(thud_context_allocation_count(context) - before, 1, 4);
  size_t count = thud_partition_count(partition), points = 3;
  assert_int_equal(count, (size_t)steps + points + 1); /* 0.25 is a node, 2/3 is none */
  assert_int_equal(thud_partition_count(fine), 2 * (count - points) + points);
  thud_random random = thud_random_seed(21);
  for (int trial = 0; trial < 1000; trial++) {
    size_t k = (size_t)thud_random_below(&random, (uint32_t)(count - 1));
    thud_interval here = thud_partition_interval(partition, k), next = thud_partition_interval(partition, k + 1);
    thud_assert_equal(here.right, next.left);
    thud_assert_different(here.right_closed, next.left_closed);
    thud_assert_less(here.right - here.left, 1.01e-9);
  }
  thud_assert_equal(thud_partition_interval(fine, thud_partition_count(fine) - 1).left, 1);
  thud_partition_destroy(partition);
  thud_partition_destroy(fine);
  /* Steps that rounding swallows are refused. */
  assert_int_equal(thud_partition_uniform(context, 1, nextafter(1, 2), 7, 0, NULL, &partition), THUD_ERROR_ARGUMENT);
  assert_non_null(strstr(thud_context_last_message(context), ": rounding cannot separate the nodes; take fewer steps"));
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_partition_isolates_jumps),
      cmocka_unit_test(bad_partitions_are_refused),
      cmocka_unit_test(computed_partitions_are_the_lists_they_stand_for),
      cmocka_unit_test(partitions_of_many_steps_are_not_stored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
