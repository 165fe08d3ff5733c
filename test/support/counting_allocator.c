#include "counting_allocator.h"

#include <stdlib.h>

void *thud_test_counting_allocator(void *user, void *ptr, size_t old_size, size_t new_size) {
  thud_test_heap *heap = user;
  heap->live += new_size - old_size;
  if (heap->live > heap->most) heap->most = heap->live;
  if (new_size > 0) return realloc(ptr, new_size);
  free(ptr);
  return NULL;
}
