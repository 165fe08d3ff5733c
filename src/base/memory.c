#define _DEFAULT_SOURCE 1 /* NOLINT: MAP_ANONYMOUS */
#include "base/context.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>
#include <sys/mman.h>

/* Every block carries its size in front, because the allocator contract hands old sizes back. */
typedef struct block_header {
  alignas(16) size_t size; /* bytes after the header */
} block_header;
static_assert(alignof(max_align_t) <= sizeof(block_header), "what follows the header is aligned for any type");

bool thud_size_multiply(size_t a, size_t b, size_t *out) {
  if (b != 0 && a > SIZE_MAX / b) return false;
  *out = a * b;
  return true;
}

bool thud_size_add(size_t a, size_t b, size_t *out) {
  if (a > SIZE_MAX - b) return false;
  *out = a + b;
  return true;
}

static bool block_size(thud_context *context, size_t count, size_t size, size_t *bytes) {
  size_t total;
  bool fits = thud_size_multiply(count, size, bytes) && thud_size_add(*bytes, sizeof(block_header), &total);
  if (fits && total <= PTRDIFF_MAX) return true; /* beyond that, differences of pointers are undefined */
  thud_fail(context, THUD_ERROR_MEMORY, "%zu elements of %zu bytes do not fit into the address space", count, size);
  return false;
}

void *thud_realloc(thud_context *context, void *memory, size_t count, size_t size) {
  size_t bytes;
  if (!block_size(context, count, size, &bytes)) return NULL;
  block_header *old = memory != NULL ? (block_header *)memory - 1 : NULL;
  size_t old_bytes = old != NULL ? old->size : 0;
  size_t old_total = old != NULL ? old_bytes + sizeof(block_header) : 0;
  block_header *block = context->allocator(context->allocator_user, old, old_total, bytes + sizeof(block_header));
  if (block == NULL) {
    thud_fail(context, THUD_ERROR_MEMORY, "out of memory: %zu bytes asked for", bytes);
    return NULL;
  }
  context->allocation_count++;
  if (old == NULL) context->live_blocks++;
  block->size = bytes;
  if (bytes > old_bytes) memset((char *)(block + 1) + old_bytes, 0, bytes - old_bytes);
  return block + 1;
}

void *thud_alloc(thud_context *context, size_t count, size_t size) { return thud_realloc(context, NULL, count, size); }

void thud_free(thud_context *context, void *memory) {
  if (memory == NULL) return;
  block_header *block = (block_header *)memory - 1;
  context->live_blocks--;
  context->allocator(context->allocator_user, block, block->size + sizeof(block_header), 0);
}

char *thud_strndup(thud_context *context, const char *text, size_t length) {
  size_t bytes;
  if (!thud_size_add(length, 1, &bytes)) bytes = SIZE_MAX; /* refused by thud_alloc */
  char *copy = thud_alloc(context, bytes, 1);
  if (copy != NULL) memcpy(copy, text, length);
  return copy;
}

char *thud_strdup(thud_context *context, const char *text) { return thud_strndup(context, text, strlen(text)); }

thud_error thud_array_reserve(thud_context *context, void *array, size_t *capacity, size_t needed,
                              size_t element_size) {
  if (needed <= *capacity) return THUD_OK;
  size_t wanted = *capacity < 8 ? 8 : *capacity;
  while (wanted < needed) {
    if (!thud_size_multiply(wanted, 2, &wanted)) wanted = needed;
  }
  void *data; /* copied by bytes: reading a T * through a void ** would break the aliasing rules */
  memcpy(&data, array, sizeof data);
  data = thud_realloc(context, data, wanted, element_size);
  if (data == NULL) return THUD_ERROR_MEMORY;
  memcpy(array, &data, sizeof data);
  *capacity = wanted;
  return THUD_OK;
}

thud_error thud_need_memory(thud_context *context, const char *library, size_t mebibytes) {
  size_t bytes = mebibytes << 20;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return thud_fail(context, THUD_ERROR_MEMORY, "out of memory: %s needs up to %zu MiB to work with", library,
                     mebibytes);
  munmap(memory, bytes);
  return THUD_OK;
}
