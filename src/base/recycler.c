/* Freed blocks kept by size. The blocks of bin k have 2^k bytes, their header included: a request that is a little
 * larger than the last one finds the same block large enough. Pages that a request does not reach are never touched. */
#include "base/context.h"

#include <stdalign.h>
#include <string.h>

/* The address sanitizer learns which bytes of a block are in use. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THUD_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define THUD_ADDRESS_SANITIZER
#endif
#ifdef THUD_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { BINS = 64, SMALLEST_BIN = 6 };

typedef struct kept_block kept_block;
struct kept_block {
  alignas(16) kept_block *next; /* in its bin */
  kept_block *older;            /* the block allocated before it, in use or not */
  size_t bin;
};

typedef struct recycler {
  thud_context context; /* first: a context is its recycler */
  thud_context *parent;
  kept_block *bins[BINS];
  kept_block *newest;
} recycler;

/* Smallest k with 2^k >= bytes. */
static size_t bin_of(size_t bytes) {
  size_t bin = SMALLEST_BIN;
  while (bin < BINS - 1 && ((size_t)1 << bin) < bytes) bin++;
  return bin;
}

static kept_block *take(recycler *owner, size_t bytes) {
  size_t all;
  if (!thud_size_add(bytes, sizeof(kept_block), &all)) return NULL;
  size_t bin = bin_of(all);
  for (size_t k = bin; k < BINS; k++) {
    kept_block *block = owner->bins[k];
    if (block == NULL) continue;
    owner->bins[k] = block->next;
    return block;
  }
  thud_context *parent = owner->parent;
  kept_block *block = parent->allocator(parent->allocator_user, NULL, 0, (size_t)1 << bin);
  if (block == NULL) return NULL;
  parent->allocation_count++;
  parent->live_blocks++;
  *block = (kept_block){.older = owner->newest, .bin = bin};
  owner->newest = block;
  return block;
}

/* Bytes behind the header. */
static size_t room_of(const kept_block *block) { return ((size_t)1 << block->bin) - sizeof(kept_block); }

static void give_back(recycler *owner, void *memory) {
  kept_block *block = (kept_block *)memory - 1;
  ASAN_POISON_MEMORY_REGION(memory, room_of(block));
  block->next = owner->bins[block->bin];
  owner->bins[block->bin] = block;
}

static void *allocate_recycled(void *user, void *memory, size_t old_size, size_t new_size) {
  recycler *owner = user;
  if (new_size == 0) {
    if (memory != NULL) give_back(owner, memory);
    return NULL;
  }
  if (memory != NULL && new_size <= room_of((kept_block *)memory - 1)) {
    ASAN_POISON_MEMORY_REGION(memory, room_of((kept_block *)memory - 1));
    ASAN_UNPOISON_MEMORY_REGION(memory, new_size);
    return memory;
  }
  kept_block *block = take(owner, new_size);
  if (block == NULL) return NULL;
  ASAN_POISON_MEMORY_REGION(block + 1, room_of(block));
  ASAN_UNPOISON_MEMORY_REGION(block + 1, new_size);
  if (memory != NULL) {
    memcpy(block + 1, memory, old_size);
    give_back(owner, memory);
  }
  return block + 1;
}

thud_error thud_recycler_create(thud_context *parent, thud_context **context) {
  recycler *made = THUD_NEW(parent, recycler);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->parent = parent;
  made->context = (thud_context){.allocator = allocate_recycled,
                                 .allocator_user = made,
                                 .logger = parent->logger,
                                 .logger_user = parent->logger_user,
                                 .threads = parent->threads,
                                 .pool = parent->pool,
                                 .message = parent->message};
  *context = &made->context;
  return THUD_OK;
}

void thud_recycler_destroy(thud_context *context) {
  if (context == NULL) return;
  recycler *owner = context->allocator_user;
  thud_context *parent = owner->parent;
  for (kept_block *block = owner->newest; block != NULL;) {
    kept_block *older = block->older;
    ASAN_UNPOISON_MEMORY_REGION(block + 1, room_of(block));
    parent->allocator(parent->allocator_user, block, (size_t)1 << block->bin, 0);
    parent->live_blocks--;
    block = older;
  }
  thud_free(parent, owner);
}
