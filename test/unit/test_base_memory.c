/* Allocation, accounting, overflow, growing arrays, the step arena. */
#include "base/base.h"
#include "failing_allocator.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static bool all_bytes_are(const void *memory, size_t count, unsigned char value) {
  const unsigned char *bytes = memory;
  for (size_t k = 0; k < count; k++)
    if (bytes[k] != value) return false;
  return true;
}

static void size_arithmetic_refuses_overflow_exactly_at_the_edge(void **state) {
  (void)state;
  const size_t untouched = 77;
  size_t out = untouched;
  assert_false(thud_size_add(SIZE_MAX, 1, &out));
  assert_false(thud_size_add(1, SIZE_MAX, &out));
  assert_false(thud_size_multiply(SIZE_MAX / 2 + 1, 2, &out));
  assert_false(thud_size_multiply((size_t)1 << 32, (size_t)1 << 32, &out));
  assert_int_equal(out, untouched);
  assert_true(thud_size_add(SIZE_MAX - 1, 1, &out));
  thud_assert_equal(out, SIZE_MAX);
  assert_true(thud_size_multiply(SIZE_MAX / 3, 3, &out));
  thud_assert_equal(out, SIZE_MAX / 3 * 3);
  assert_true(thud_size_multiply(SIZE_MAX, 0, &out));
  thud_assert_equal(out, 0);
  assert_true(thud_size_multiply(0, SIZE_MAX, &out));
  thud_assert_equal(out, 0);
}

/* Property against 128-bit arithmetic on random sizes of every magnitude. */
static void size_arithmetic_agrees_with_wide_integers(void **state) {
  (void)state;
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < 20000; k++) {
    size_t a = thud_random_bits(&random) >> thud_random_below(&random, 64);
    size_t b = thud_random_bits(&random) >> thud_random_below(&random, 64);
    unsigned __int128 product = (unsigned __int128)a * b, sum = (unsigned __int128)a + b;
    size_t out = 0;
    assert_int_equal(thud_size_multiply(a, b, &out), product <= SIZE_MAX);
    if (product <= SIZE_MAX) thud_assert_equal(out, (size_t)product);
    assert_int_equal(thud_size_add(a, b, &out), sum <= SIZE_MAX);
    if (sum <= SIZE_MAX) thud_assert_equal(out, (size_t)sum);
  }
}

static void blocks_are_zeroed_aligned_and_counted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  void *blocks[40];
  for (size_t k = 0; k < 40; k++) {
    blocks[k] = thud_alloc(context, k, 3);
    assert_non_null(blocks[k]);
    assert_int_equal((uintptr_t)blocks[k] % 16, 0);
    assert_true(all_bytes_are(blocks[k], 3 * k, 0));
    memset(blocks[k], 0xff, 3 * k);
    assert_int_equal(thud_context_live_blocks(context), k + 1);
    assert_int_equal(thud_context_allocation_count(context), k + 1);
  }
  for (size_t k = 0; k < 40; k++) thud_free(context, blocks[k]);
  thud_free(context, NULL);
  assert_int_equal(thud_context_allocation_count(context), 40);
  thud_test_context_end(context);
}

static void resizing_keeps_the_content_and_zeroes_the_rest(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  unsigned char *bytes = thud_realloc(context, NULL, 10, 1);
  assert_non_null(bytes);
  memset(bytes, 7, 10);
  bytes = thud_realloc(context, bytes, 1000, 1);
  assert_non_null(bytes);
  assert_true(all_bytes_are(bytes, 10, 7));
  assert_true(all_bytes_are(bytes + 10, 990, 0));
  memset(bytes, 9, 1000);
  bytes = thud_realloc(context, bytes, 5, 1);
  assert_non_null(bytes);
  bytes = thud_realloc(context, bytes, 20, 1); /* what was cut off is gone */
  assert_non_null(bytes);
  assert_true(all_bytes_are(bytes, 5, 9));
  assert_true(all_bytes_are(bytes + 5, 15, 0));
  assert_int_equal(thud_context_live_blocks(context), 1);
  assert_int_equal(thud_context_allocation_count(context), 4); /* growth counts */
  thud_free(context, bytes);
  thud_test_context_end(context);
}

static void sizes_beyond_the_address_space_are_refused_before_the_allocator(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 8, (size_t)PTRDIFF_MAX / 8 + 1};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    assert_null(thud_alloc(context, counts[k], 8));
    thud_test_message_has(context, "do not fit into the address space", NULL);
  }
  char *text = thud_strdup(context, "kept");
  assert_non_null(text);
  assert_null(thud_realloc(context, text, SIZE_MAX, 2));
  assert_string_equal(text, "kept");
  assert_null(thud_strndup(context, text, SIZE_MAX));
  assert_null(thud_strndup(context, text, SIZE_MAX - 1));
  assert_int_equal(thud_context_allocation_count(context), 1);
  thud_free(context, text);
  thud_test_context_end(context);
}

static void texts_are_copied_with_their_end(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char *whole = thud_strdup(context, "Moreau"), *part = thud_strndup(context, "Moreau", 3);
  char *empty = thud_strdup(context, "");
  assert_string_equal(whole, "Moreau");
  assert_string_equal(part, "Mor");
  assert_string_equal(empty, "");
  thud_free(context, whole);
  thud_free(context, part);
  thud_free(context, empty);
  thud_test_context_end(context);
}

static void arrays_grow_by_doubling(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double *values = NULL;
  size_t capacity = 0;
  for (size_t k = 0; k < 100000; k++) {
    assert_int_equal(thud_array_reserve(context, &values, &capacity, k + 1, sizeof *values), THUD_OK);
    thud_assert_greater(capacity, k);
    thud_assert_equal(values[k], 0);
    values[k] = (double)k;
  }
  for (size_t k = 0; k < 100000; k++) thud_assert_equal(values[k], (double)k);
  assert_int_equal(capacity, 131072);
  assert_int_equal(thud_context_allocation_count(context), 15); /* 8, 16, ..., 131072 */
  double *before = values;
  assert_int_equal(thud_array_reserve(context, &values, &capacity, SIZE_MAX, sizeof *values), THUD_ERROR_MEMORY);
  assert_int_equal(thud_array_reserve(context, &values, &capacity, SIZE_MAX / 8, sizeof *values), THUD_ERROR_MEMORY);
  assert_ptr_equal(values, before);
  assert_int_equal(capacity, 131072);
  thud_free(context, values);
  thud_test_context_end(context);
}

/* Requests of one pass over random work; fills each block with its number and checks the others stay whole. */
static void arena_pass(thud_arena *arena, uint64_t seed) {
  enum { REQUESTS = 200 };
  unsigned char *blocks[REQUESTS];
  size_t sizes[REQUESTS];
  thud_random random = thud_random_seed(seed);
  for (size_t k = 0; k < REQUESTS; k++) {
    sizes[k] = thud_random_below(&random, k % 20 == 0 ? 5000 : 100);
    blocks[k] = thud_arena_alloc(arena, sizes[k], 1);
    assert_non_null(blocks[k]);
    assert_int_equal((uintptr_t)blocks[k] % 16, 0);
    assert_true(all_bytes_are(blocks[k], sizes[k], 0));
    memset(blocks[k], (int)(k % 255) + 1, sizes[k]);
  }
  for (size_t k = 0; k < REQUESTS; k++) assert_true(all_bytes_are(blocks[k], sizes[k], (unsigned char)(k % 255 + 1)));
}

static void the_second_pass_over_an_arena_allocates_nothing(void **state) {
  (void)state;
  const size_t block_sizes[] = {1, 17, 1000, 1 << 20};
  for (size_t b = 0; b < sizeof block_sizes / sizeof *block_sizes; b++) {
    thud_context *context = thud_test_context(1);
    thud_arena *arena;
    assert_int_equal(thud_arena_create(context, block_sizes[b], &arena), THUD_OK);
    arena_pass(arena, 5);
    uint64_t after_first = thud_context_allocation_count(context);
    for (int pass = 0; pass < 5; pass++) {
      thud_arena_reset(arena);
      arena_pass(arena, 5);
    }
    assert_int_equal(thud_context_allocation_count(context), after_first);
    thud_arena_destroy(arena);
    thud_test_context_end(context);
  }
  thud_arena_destroy(NULL);
}

static void an_arena_refuses_absurd_requests_and_lives_on(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_arena *arena = NULL;
  assert_int_equal(thud_arena_create(context, 0, &arena), THUD_ERROR_ARGUMENT);
  assert_null(arena);
  assert_int_equal(thud_arena_create(context, 64, &arena), THUD_OK);
  assert_null(thud_arena_alloc(arena, SIZE_MAX, 2));
  assert_null(thud_arena_alloc(arena, SIZE_MAX - 7, 1)); /* overflows only by the alignment */
  assert_null(thud_arena_alloc(arena, SIZE_MAX - 64, 1));
  thud_test_message_has(context, "18446744073709551552 elements of 1 bytes do not fit into the address space", NULL);
  assert_non_null(thud_arena_alloc(arena, 0, 8));
  assert_non_null(thud_arena_alloc(arena, 3, 8));
  thud_arena_destroy(arena);
  thud_test_context_end(context);
}

static thud_error make_text(thud_context *context, void *user) {
  (void)user;
  char *text = thud_strdup(context, "text");
  if (text == NULL) return THUD_ERROR_MEMORY;
  thud_free(context, text);
  return THUD_OK;
}

static thud_error grow_array(thud_context *context, void *user) {
  (void)user;
  int *values = NULL;
  size_t capacity = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < 100 && error == THUD_OK; k++) {
    int *before = values;
    size_t capacity_before = capacity;
    error = thud_array_reserve(context, &values, &capacity, k + 1, sizeof *values);
    if (error == THUD_OK) {
      values[k] = (int)k;
    } else {
      assert_ptr_equal(values, before);
      assert_int_equal(capacity, capacity_before);
      for (size_t i = 0; i < k; i++) assert_int_equal(values[i], i);
    }
  }
  thud_free(context, values);
  return error;
}

static thud_error fill_arena(thud_context *context, void *user) {
  thud_arena *const untouched = user;
  thud_arena *arena = untouched;
  thud_error error = thud_arena_create(context, 64, &arena);
  if (error != THUD_OK) {
    assert_ptr_equal(arena, untouched);
    return error;
  }
  for (size_t k = 0; k < 50 && error == THUD_OK; k++)
    if (thud_arena_alloc(arena, k, 7) == NULL) error = THUD_ERROR_MEMORY;
  thud_arena_destroy(arena);
  return error;
}

/* What is asked after a failure leaves its own message and may go well: the answer is that memory was missing. */
static void missing_memory_is_remembered_whoever_missed_it(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < 3; k++) {
    uint64_t failures = thud_context_failures(context);
    if (k == 0) assert_null(thud_alloc(context, SIZE_MAX / 2, 1));
    if (k == 1) assert_int_equal(thud_need_memory(context, "a library", (size_t)1 << 33), THUD_ERROR_MEMORY);
    if (k == 2) thud_fail(context, THUD_ERROR_MEMORY, "a picture has not enough memory");
    thud_fail(context, THUD_ERROR_NOT_FOUND, "there is no such channel");
    assert_int_equal(thud_context_settle(context, failures, k == 2 ? THUD_ERROR_MEMORY : THUD_OK), THUD_ERROR_MEMORY);
    thud_test_message_has(context, "out of memory", NULL);
    thud_fail(context, THUD_ERROR_NOT_FOUND, "there is no such channel");
    failures = thud_context_failures(context);
    assert_int_equal(thud_context_settle(context, failures, THUD_ERROR_NOT_FOUND), THUD_ERROR_NOT_FOUND);
    thud_test_message_has(context, "there is no such channel", NULL);
  }
  thud_test_context_end(context);
}

static void memory_survives_every_failing_allocation(void **state) {
  (void)state;
  int place;
  assert_int_equal(thud_test_sweep_allocations(make_text, NULL), 1);
  assert_int_equal(thud_test_sweep_allocations(grow_array, NULL), 5); /* 8, 16, 32, 64, 128 */
  thud_assert_greater(thud_test_sweep_allocations(fill_arena, &place), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(size_arithmetic_refuses_overflow_exactly_at_the_edge),
      cmocka_unit_test(size_arithmetic_agrees_with_wide_integers),
      cmocka_unit_test(blocks_are_zeroed_aligned_and_counted),
      cmocka_unit_test(resizing_keeps_the_content_and_zeroes_the_rest),
      cmocka_unit_test(sizes_beyond_the_address_space_are_refused_before_the_allocator),
      cmocka_unit_test(texts_are_copied_with_their_end),
      cmocka_unit_test(arrays_grow_by_doubling),
      cmocka_unit_test(the_second_pass_over_an_arena_allocates_nothing),
      cmocka_unit_test(an_arena_refuses_absurd_requests_and_lives_on),
      cmocka_unit_test(missing_memory_is_remembered_whoever_missed_it),
      cmocka_unit_test(memory_survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
