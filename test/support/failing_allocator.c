#include "failing_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct failing_heap {
  size_t calls, fail_at, live_bytes;
  bool failed;
} failing_heap;

static void *failing_allocator(void *user, void *ptr, size_t old_size, size_t new_size) {
  failing_heap *heap = user;
  if (new_size == 0) {
    heap->live_bytes -= old_size;
    free(ptr);
    return NULL;
  }
  if (++heap->calls == heap->fail_at) {
    heap->failed = true;
    return NULL;
  }
  void *memory = realloc(ptr, new_size);
  assert_non_null(memory);
  heap->live_bytes += new_size - old_size;
  return memory;
}

size_t thud_test_sweep_allocations(thud_sweep_allocation_fn run, void *user) {
  for (size_t n = 1;; n++) {
    failing_heap heap = {.fail_at = n + 1}; /* the first allocation is the context itself */
    thud_context_options options = thud_context_options_default();
    options.allocator = failing_allocator;
    options.allocator_user = &heap;
    thud_context *context = NULL;
    assert_int_equal(thud_context_create(&options, &context), THUD_OK);
    thud_error error = run(context, user);
    assert_int_equal(error, heap.failed ? THUD_ERROR_MEMORY : THUD_OK);
    assert_int_equal(thud_context_live_blocks(context), 0);
    thud_context_destroy(context);
    assert_int_equal(heap.live_bytes, 0);
    if (!heap.failed) {
      printf("allocation failures swept: %zu\n", n - 1);
      return n - 1;
    }
    assert_true(n < 1000000);
  }
}
