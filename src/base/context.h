/* The context's inside; included by base's own files only. */
#ifndef THUD_SRC_BASE_CONTEXT_H
#define THUD_SRC_BASE_CONTEXT_H

#include "base/base.h"

typedef struct thud_pool thud_pool;

struct thud_context {
  thud_allocator_fn allocator;
  void *allocator_user;
  thud_logger_fn logger;
  void *logger_user;
  int threads;
  thud_pool *pool; /* NULL when threads == 1 */
  uint64_t allocation_count, memory_failures;
  uint64_t live_blocks;
  thud_stop stop; /* asked by work that may take long, thud_context_ask */
  char *
      message; /* own_message, or that of the context which this one serves (thud_recycler_create); its code is behind it */
  char own_message[THUD_MESSAGE_CAPACITY + THUD_CODE_CAPACITY];
};

/* Starts threads - 1 workers that sleep until thud_parallel_for wakes them. */
thud_error thud_pool_create(thud_context *context, int threads, thud_pool **pool);
void thud_pool_destroy(thud_context *context, thud_pool *pool);

#endif
