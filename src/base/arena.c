#include "base/base.h"

#include <string.h>

/* A chain of blocks; `current` is the one being filled. A request larger than block_size gets a block of its own
 * size, which stays in the chain: capacity is reached after one pass over the same requests. */
typedef struct arena_block {
  struct arena_block *next;
  size_t capacity, used;
  unsigned char *bytes; /* [capacity] */
} arena_block;

struct thud_arena {
  thud_context *context;
  size_t block_size;
  arena_block *first, *current;
};

static arena_block *block_create(thud_context *context, size_t capacity) {
  arena_block *block = THUD_NEW(context, arena_block);
  if (block == NULL) return NULL;
  block->bytes = thud_alloc(context, capacity, 1);
  if (block->bytes == NULL) {
    thud_free(context, block);
    return NULL;
  }
  block->capacity = capacity;
  return block;
}

thud_error thud_arena_create(thud_context *context, size_t block_size, thud_arena **arena) {
  if (block_size == 0) return thud_fail(context, THUD_ERROR_ARGUMENT, "an arena needs a block size of at least 1 byte");
  thud_arena *made = THUD_NEW(context, thud_arena);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->block_size = block_size;
  made->first = made->current = block_create(context, block_size);
  if (made->first == NULL) {
    thud_free(context, made);
    return THUD_ERROR_MEMORY;
  }
  *arena = made;
  return THUD_OK;
}

void thud_arena_destroy(thud_arena *arena) {
  if (arena == NULL) return;
  thud_context *context = arena->context;
  for (arena_block *block = arena->first; block != NULL;) {
    arena_block *next = block->next;
    thud_free(context, block->bytes);
    thud_free(context, block);
    block = next;
  }
  thud_free(context, arena);
}

void *thud_arena_alloc(thud_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (!thud_size_multiply(count, size, &bytes) || !thud_size_add(bytes, 15, &bytes)) {
    thud_fail(arena->context, THUD_ERROR_MEMORY, "%zu elements of %zu bytes do not fit into the address space", count,
              size);
    return NULL;
  }
  bytes &= ~(size_t)15;
  while (arena->current->capacity - arena->current->used < bytes) {
    if (arena->current->next == NULL) {
      arena->current->next = block_create(arena->context, bytes > arena->block_size ? bytes : arena->block_size);
      if (arena->current->next == NULL) return NULL;
    }
    arena->current = arena->current->next;
  }
  void *memory = arena->current->bytes + arena->current->used;
  arena->current->used += bytes;
  memset(memory, 0, bytes);
  return memory;
}

void thud_arena_reset(thud_arena *arena) {
  for (arena_block *block = arena->first; block != NULL; block = block->next) block->used = 0;
  arena->current = arena->first;
}
