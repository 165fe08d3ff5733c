#include "page/page_blocks.h"

#include <limits.h>
#include <string.h>

enum { ALIGNMENT = 8, ROOM = 1 << 15, LEVEL = 6, RAW_WINDOW = -15, MEMORY = 8 };

/* zlib takes its memory from the context. */
static void *take_memory(void *context, unsigned count, unsigned size) { return thud_alloc(context, count, size); }
static void give_memory(void *context, void *memory) { thud_free(context, memory); }

page_blocks thud_page_blocks_new(thud_context *context) { return (page_blocks){.context = context}; }

static page_block *last_of(page_blocks *blocks) { return &blocks->items[blocks->count - 1]; }

static thud_error begin(page_blocks *blocks) {
  thud_error error =
      thud_array_reserve(blocks->context, &blocks->items, &blocks->capacity, blocks->count + 1, sizeof *blocks->items);
  if (error != THUD_OK) return error;
  blocks->stream = (z_stream){.zalloc = take_memory, .zfree = give_memory, .opaque = blocks->context};
  int status = deflateInit2(&blocks->stream, LEVEL, Z_DEFLATED, RAW_WINDOW, MEMORY, Z_DEFAULT_STRATEGY);
  if (status == Z_MEM_ERROR) return THUD_ERROR_MEMORY;
  if (status != Z_OK) return thud_fail(blocks->context, THUD_ERROR_INTERNAL, "zlib: deflateInit2 gave %d", status);
  blocks->items[blocks->count++] = (page_block){0};
  blocks->open = true;
  return THUD_OK;
}

/* Everything that waits in front of the stream; flush: Z_FINISH at the end of a block. */
static thud_error deflate_all(page_blocks *blocks, int flush) {
  page_block *block = last_of(blocks);
  z_stream *stream = &blocks->stream;
  int status = Z_OK;
  do {
    thud_error error = thud_array_reserve(blocks->context, &block->data, &block->capacity, block->count + ROOM, 1);
    if (error != THUD_OK) return error;
    stream->next_out = block->data + block->count;
    stream->avail_out = ROOM;
    status = deflate(stream, flush);
    block->count += ROOM - stream->avail_out;
    if (status == Z_STREAM_ERROR) return thud_fail(blocks->context, THUD_ERROR_INTERNAL, "zlib: deflate failed");
  } while (flush == Z_FINISH ? status != Z_STREAM_END : stream->avail_in > 0 || stream->avail_out == 0);
  return THUD_OK;
}

thud_error thud_page_blocks_add(page_blocks *blocks, const unsigned char *bytes, size_t count) {
  thud_error error = blocks->open ? THUD_OK : begin(blocks);
  while (count > 0 && error == THUD_OK) {
    size_t part = count < INT_MAX ? count : INT_MAX;
    blocks->stream.next_in = (unsigned char *)bytes; /* zlib does not write to it */
    blocks->stream.avail_in = (unsigned)part;
    error = deflate_all(blocks, Z_NO_FLUSH);
    last_of(blocks)->bytes += part;
    bytes += part;
    count -= part;
  }
  return error;
}

thud_error thud_page_blocks_start(page_blocks *blocks, size_t *block, size_t *offset) {
  static const unsigned char zeros[ALIGNMENT] = {0};
  thud_error error = blocks->open ? THUD_OK : begin(blocks);
  if (error == THUD_OK)
    error = thud_page_blocks_add(blocks, zeros, (ALIGNMENT - last_of(blocks)->bytes % ALIGNMENT) % ALIGNMENT);
  if (error != THUD_OK) return error;
  *block = blocks->count - 1;
  *offset = last_of(blocks)->bytes;
  return THUD_OK;
}

thud_error thud_page_blocks_cut(page_blocks *blocks) {
  if (!blocks->open) return THUD_OK;
  blocks->stream.avail_in = 0;
  thud_error error = deflate_all(blocks, Z_FINISH);
  if (error != THUD_OK) return error;
  deflateEnd(&blocks->stream);
  blocks->open = false;
  page_block *block = last_of(blocks);
  unsigned char *fitting = thud_realloc(blocks->context, block->data, block->count, 1);
  if (fitting == NULL) return THUD_ERROR_MEMORY;
  block->data = fitting;
  block->capacity = block->count;
  return THUD_OK;
}

void thud_page_blocks_free(page_blocks *blocks) {
  if (blocks->open) deflateEnd(&blocks->stream);
  for (size_t k = 0; k < blocks->count; k++) thud_free(blocks->context, blocks->items[k].data);
  thud_free(blocks->context, blocks->items);
  *blocks = thud_page_blocks_new(blocks->context);
}
