/* An allocator that counts bytes: what is alive, and the most that ever was. */
#ifndef THUD_TEST_COUNTING_ALLOCATOR_H
#define THUD_TEST_COUNTING_ALLOCATOR_H

#include <stddef.h>

typedef struct thud_test_heap {
  size_t live, most;
} thud_test_heap;

/* A thud_allocator_fn upon the C library's; user: a thud_test_heap. One thread. */
void *thud_test_counting_allocator(void *user, void *ptr, size_t old_size, size_t new_size);

#endif
