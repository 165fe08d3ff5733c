/* Blocks of a page: bytes that are compressed while they come (raw deflate, RFC 1951), so that only what is compressed is
 * kept. */
#ifndef THUD_SRC_PAGE_BLOCKS_H
#define THUD_SRC_PAGE_BLOCKS_H

#include "base/base.h"

#include <zlib.h>

typedef struct page_block {
  size_t bytes; /* before compression */
  size_t count, capacity;
  unsigned char *data; /* [count] compressed */
} page_block;

typedef struct page_blocks {
  thud_context *context;
  size_t count, capacity;
  page_block *items; /* [count]; the last one may be open */
  bool open;
  z_stream stream; /* of the open one */
} page_blocks;

page_blocks thud_page_blocks_new(thud_context *context);
void thud_page_blocks_free(page_blocks *blocks);
/* Where numbers of this many bytes start that are added next: at a multiple of 8 of a block, which is begun when none is
 * open. */
thud_error thud_page_blocks_start(page_blocks *blocks, size_t *block, size_t *offset);
/* Behind what was added before. */
thud_error thud_page_blocks_add(page_blocks *blocks, const unsigned char *bytes, size_t count);
/* Ends the open block, if there is one: what follows is in another. */
thud_error thud_page_blocks_cut(page_blocks *blocks);

#endif
