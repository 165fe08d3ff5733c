/* The table of names: every name is found, no other is, and a name that is there keeps its number. */
#include "base/names.h"
#include "failing_allocator.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100000, ROOM = 16 };

static void many_names_are_found_and_no_others(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_names names = thud_names_new(context, NULL);
  char(*texts)[ROOM] = calloc(MANY, ROOM);
  assert_non_null(texts);
  size_t before = thud_context_allocation_count(context), there = 0;
  thud_assert_equal(thud_names_find(&names, "p", 1), THUD_NAMES_NONE);
  for (size_t k = 0; k < MANY; k++) {
    snprintf(texts[k], ROOM, "p%zu", k);
    assert_int_equal(thud_names_add(&names, texts[k], strlen(texts[k]), k, &there), THUD_OK);
    thud_assert_equal(there, THUD_NAMES_NONE);
  }
  /* Tables double: 16, 32, ... 2^18. */
  assert_in_range(thud_context_allocation_count(context) - before, 1, 15);
  for (size_t k = 0; k < MANY; k++) {
    char other[ROOM + 1];
    int length = snprintf(other, sizeof other, "%s'", texts[k]);
    thud_assert_equal(thud_names_find(&names, other, (size_t)length), THUD_NAMES_NONE);
    thud_assert_equal(thud_names_find(&names, other, (size_t)length - 1), k);
  }
  assert_int_equal(thud_names_add(&names, "p17", 3, 4711, &there), THUD_OK);
  thud_assert_equal(there, 17);
  thud_assert_equal(thud_names_find(&names, "p17", 3), 17);
  thud_assert_equal(names.count, MANY);
  thud_names_free(&names);
  thud_assert_equal(thud_names_find(&names, "p17", 3), THUD_NAMES_NONE);
  free(texts);
  thud_test_context_end(context);
}

/* Random adding and removing against a plain list: a text is found exactly while it is there. Few places, so that searches
 * pass over each other. */
static void removed_names_are_gone_and_no_others(void **state) {
  (void)state;
  enum { FEW = 200 };
  thud_context *context = thud_test_context(1);
  thud_names names = thud_names_new(context, NULL);
  thud_random random = thud_random_seed(17);
  char texts[FEW][ROOM];
  size_t number[FEW], count = 0;
  for (size_t k = 0; k < FEW; k++) {
    snprintf(texts[k], ROOM, "q%zu", k);
    number[k] = THUD_NAMES_NONE;
  }
  thud_names_remove(&names, "q0", 2);
  for (size_t round = 0; round < 20000; round++) {
    size_t k = thud_random_below(&random, FEW);
    if (number[k] == THUD_NAMES_NONE) {
      assert_int_equal(thud_names_add(&names, texts[k], strlen(texts[k]), number[k] = round, NULL), THUD_OK);
      count++;
    } else {
      thud_names_remove(&names, texts[k], strlen(texts[k]));
      number[k] = THUD_NAMES_NONE;
      count--;
    }
    thud_names_remove(&names, "other", 5);
    thud_assert_equal(names.count, count);
    for (size_t i = 0; round % 50 == 0 && i < FEW; i++)
      thud_assert_equal(thud_names_find(&names, texts[i], strlen(texts[i])), number[i]);
  }
  thud_assert_at_most(names.size, 512); /* places are used again: room for 200 names at most */
  thud_names_free(&names);
  thud_test_context_end(context);
}

static thud_error fill_two(thud_context *context, void *user) {
  (void)user;
  static const char text[] = "abcdefghijklmnopqrstuvwxyz";
  thud_arena *arena = NULL;
  thud_error error = thud_arena_create(context, 64, &arena);
  thud_names names = thud_names_new(context, NULL), kept = thud_names_new(context, arena);
  for (size_t k = 0; k < sizeof text - 1 && error == THUD_OK; k++) {
    error = thud_names_add(&names, text + k, 1, k, NULL);
    if (error == THUD_OK) error = thud_names_add(&kept, text + k, 1, k, NULL);
  }
  for (size_t k = 0; k < names.count; k++) thud_assert_equal(thud_names_find(&names, text + k, 1), k);
  thud_names_free(&names);
  thud_arena_destroy(arena);
  return error;
}

static void failing_allocations_leave_a_good_table(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(fill_two, NULL), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_names_are_found_and_no_others),
                                     cmocka_unit_test(removed_names_are_gone_and_no_others),
                                     cmocka_unit_test(failing_allocations_leave_a_good_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
