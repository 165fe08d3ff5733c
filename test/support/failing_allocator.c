#include "failing_allocator.h"

#include "testing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 1000000, SHORT_SWEEP = 200 };

/* Each block has its size in front, so that the sizes handed back can be checked. */
typedef struct guarded_block {
  max_align_t size_holder; /* holds a size_t */
} guarded_block;

typedef struct failing_heap {
  size_t calls, fail_at, live_bytes;
  bool failed;
} failing_heap;

static guarded_block *open_block(void *ptr, size_t old_size) {
  if (ptr == NULL) {
    assert_int_equal(old_size, 0);
    return NULL;
  }
  guarded_block *block = (guarded_block *)ptr - 1;
  size_t size;
  memcpy(&size, block, sizeof size);
  assert_int_equal(size, old_size);
  return block;
}

static void *failing_allocator(void *user, void *ptr, size_t old_size, size_t new_size) {
  failing_heap *heap = user;
  guarded_block *old = open_block(ptr, old_size);
  if (new_size == 0) {
    heap->live_bytes -= old_size;
    free(old);
    return NULL;
  }
  if (++heap->calls == heap->fail_at) {
    heap->failed = true;
    return NULL;
  }
  guarded_block *block = realloc(old, sizeof(guarded_block) + new_size);
  assert_non_null(block);
  memcpy(block, &new_size, sizeof new_size);
  /* Fresh memory is not zero: nobody may rely on it. */
  if (new_size > old_size) memset((char *)(block + 1) + old_size, 0xa5, new_size - old_size);
  heap->live_bytes += new_size - old_size;
  return block + 1;
}

static thud_context_options options_with(failing_heap *heap, int threads) {
  thud_context_options options = thud_context_options_default();
  options.allocator = failing_allocator;
  options.allocator_user = heap;
  options.threads = threads;
  return options;
}

static size_t report(size_t swept) {
  printf("allocation failures swept: %zu\n", swept);
  return swept;
}

/* One run with its n-th allocation failing (0: none); whether one has failed. *calls: how many it asked for. */
static bool run_round(thud_sweep_allocation_fn run, void *user, size_t n, size_t *calls) {
  failing_heap heap = {.fail_at = n > 0 ? n + 1 : 0}; /* the first allocation is the context itself */
  thud_context_options options = options_with(&heap, 1);
  thud_context *context = NULL;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  thud_error error = run(context, user);
  if (error != (heap.failed ? THUD_ERROR_MEMORY : THUD_OK))
    print_error("allocation %zu: %s\n", n, thud_context_last_message(context));
  assert_int_equal(error, heap.failed ? THUD_ERROR_MEMORY : THUD_OK);
  if (heap.failed) thud_assert_greater(strlen(thud_context_last_message(context)), 0);
  if (heap.failed && strstr(thud_context_last_message(context), "memory") == NULL)
    fail_msg("allocation %zu: '%s' says nothing of memory", n, thud_context_last_message(context));
  assert_int_equal(thud_context_live_blocks(context), 0);
  thud_context_destroy(context);
  assert_int_equal(heap.live_bytes, 0);
  *calls = heap.calls - 1;
  return heap.failed;
}

size_t thud_test_sweep_allocations(thud_sweep_allocation_fn run, void *user) {
  size_t rounds = 0, calls;
  /* long sweeps take a share of their later rounds */
  for (size_t n = 1; n < MOST_ROUNDS; n += n < SHORT_SWEEP ? 1 : (size_t)thud_test_share(5), rounds++)
    if (!run_round(run, user, n, &calls)) {
      report(rounds);
      return n - 1;
    }
  fail_msg("still failing after %d allocations", MOST_ROUNDS);
  return 0;
}

size_t thud_test_sweep_some_allocations(thud_sweep_allocation_fn run, void *user, size_t most) {
  size_t rounds = 0, all, calls;
  assert_false(run_round(run, user, 0, &all));
  size_t share = (size_t)thud_test_share((int)((all + most - 1) / most));
  for (size_t n = 1; n <= all; n += share, rounds++) assert_true(run_round(run, user, n, &calls));
  report(rounds);
  return all;
}

size_t thud_test_sweep_context_creation(int threads) {
  for (size_t n = 1; n < MOST_ROUNDS; n++) {
    failing_heap heap = {.fail_at = n};
    thud_context_options options = options_with(&heap, threads);
    thud_context *const untouched = (thud_context *)&heap;
    thud_context *context = untouched;
    thud_error error = thud_context_create(&options, &context);
    assert_int_equal(error, heap.failed ? THUD_ERROR_MEMORY : THUD_OK);
    if (heap.failed) {
      assert_ptr_equal(context, untouched);
    } else {
      thud_context_destroy(context);
    }
    assert_int_equal(heap.live_bytes, 0);
    if (!heap.failed) return report(n - 1);
  }
  fail_msg("still failing after %d allocations", MOST_ROUNDS);
  return 0;
}
