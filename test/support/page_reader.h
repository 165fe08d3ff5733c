/* A second reader of pages: the JSON of a page and its numbers, by the rules of docs/report.md and none of the writer's
 * code. Everything asserts. */
#ifndef THUD_TEST_PAGE_READER_H
#define THUD_TEST_PAGE_READER_H

#include "thud/tree.h"

enum { PAGE_READER_BLOCKS = 64 };

typedef struct page_reader {
  thud_context *context;
  thud_tree *tree; /* the JSON */
  const thud_node *root;
  size_t block_count;
  size_t sizes[PAGE_READER_BLOCKS];
  unsigned char *blocks[PAGE_READER_BLOCKS]; /* inflated */
} page_reader;

/* A file that thud_page_write has written. */
page_reader page_reader_open(thud_context *context, const char *path);
/* One more block, compressed as pages hold them. */
void page_reader_add_block(page_reader *reader, size_t count, const unsigned char *deflated);
void page_reader_close(page_reader *reader);

/* Members one below the other, "records.0.state.t"; asserts that they are there. */
const thud_node *page_reader_find(const page_reader *reader, const char *path);
const char *page_reader_text(const page_reader *reader, const char *path);
/* The numbers that a node stands for; *count of them, to be freed by free(). */
double *page_reader_numbers(const page_reader *reader, const thud_node *node, size_t *count);
/* The bytes of a whole file with a 0 behind them, to be freed by free(). */
char *page_reader_bytes(const char *path, size_t *count);

#endif
