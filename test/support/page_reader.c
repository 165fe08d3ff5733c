#include "page_reader.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

char *page_reader_bytes(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *count = (size_t)ftell(file);
  rewind(file);
  char *bytes = calloc(*count + 1, 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *count, file), *count);
  fclose(file);
  return bytes;
}

/* ---- blocks --------------------------------------------------------------------------------------------------------- */

void page_reader_add_block(page_reader *reader, size_t count, const unsigned char *deflated) {
  size_t room = 1 << 16, used = 0;
  unsigned char *bytes = malloc(room);
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  assert_int_equal(inflateInit2(&stream, -15), Z_OK);
  stream.next_in = (unsigned char *)deflated;
  stream.avail_in = (unsigned)count;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (used == room) bytes = realloc(bytes, room *= 2);
    assert_non_null(bytes);
    stream.next_out = bytes + used;
    stream.avail_out = (unsigned)(room - used);
    status = inflate(&stream, Z_NO_FLUSH);
    assert_true(status == Z_OK || status == Z_STREAM_END);
    used = room - stream.avail_out;
  }
  assert_int_equal(stream.avail_in, 0);
  inflateEnd(&stream);
  thud_assert_less(reader->block_count, PAGE_READER_BLOCKS);
  reader->sizes[reader->block_count] = used;
  reader->blocks[reader->block_count++] = bytes;
}

static int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static void add_base64(page_reader *reader, const char *text, size_t length) {
  unsigned char *bytes = malloc(length + 1);
  size_t count = 0;
  assert_non_null(bytes);
  assert_int_equal(length % 4, 0);
  for (size_t k = 0; k < length; k += 4) {
    int padding = text[k + 3] != '=' ? 0 : text[k + 2] != '=' ? 1 : 2;
    unsigned long bits = 0;
    assert_true(padding == 0 || k + 4 == length);
    for (size_t j = 0; j < 4; j++) {
      int digit = j < (size_t)(4 - padding) ? digit_of(text[k + j]) : 0;
      thud_assert_at_least(digit, 0);
      bits = bits << 6 | (unsigned long)digit;
    }
    for (int j = 0; j < 3 - padding; j++) bytes[count++] = (unsigned char)(bits >> (16 - 8 * j) & 0xff);
  }
  page_reader_add_block(reader, count, bytes);
  free(bytes);
}

/* The content of the script element with this id; NULL: there is none. */
static const char *element(const char *html, const char *id, size_t *length) {
  char mark[64];
  snprintf(mark, sizeof mark, "id=\"%s\">", id);
  const char *start = strstr(html, mark);
  if (start == NULL) return NULL;
  start += strlen(mark);
  const char *end = strstr(start, "</script>");
  assert_non_null(end);
  *length = (size_t)(end - start);
  return start;
}

page_reader page_reader_open(thud_context *context, const char *path) {
  page_reader reader = {.context = context};
  size_t size, length = 0;
  char *html = page_reader_bytes(path, &size), id[32];
  const char *json = element(html, "thud-page", &length), *block;
  assert_non_null(json);
  assert_null(memchr(json, '<', length));
  assert_int_equal(thud_tree_read_text(context, "page", json, length, &reader.tree), THUD_OK);
  reader.root = thud_tree_root(reader.tree);
  for (size_t k = 0; snprintf(id, sizeof id, "thud-block-%zu", k), (block = element(html, id, &length)) != NULL; k++)
    add_base64(&reader, block, length);
  const thud_node *blocks = page_reader_find(&reader, "blocks");
  assert_int_equal(thud_node_count(blocks), reader.block_count);
  for (size_t k = 0; k < reader.block_count; k++)
    thud_assert_equal(thud_node_number(thud_node_find(thud_node_item(blocks, k), "bytes")), (double)reader.sizes[k]);
  free(html);
  return reader;
}

void page_reader_close(page_reader *reader) {
  for (size_t k = 0; k < reader->block_count; k++) free(reader->blocks[k]);
  thud_tree_destroy(reader->tree);
}

/* ---- members ---------------------------------------------------------------------------------------------------------- */

const thud_node *page_reader_find(const page_reader *reader, const char *path) {
  const thud_node *node = reader->root;
  while (*path != '\0' && node != NULL) {
    char key[64];
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    node = thud_node_get_kind(node) == THUD_NODE_SEQUENCE ? thud_node_item(node, strtoul(key, NULL, 10))
                                                          : thud_node_find(node, key);
    path += length + (path[length] == '.');
  }
  assert_non_null(node);
  return node;
}

const char *page_reader_text(const page_reader *reader, const char *path) {
  const thud_node *node = page_reader_find(reader, path);
  assert_int_equal(thud_node_get_kind(node), THUD_NODE_STRING);
  return thud_node_string(node);
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

static size_t whole(const thud_node *node, const char *key) {
  const thud_node *value = thud_node_find(node, key);
  assert_non_null(value);
  return (size_t)thud_node_number(value);
}

/* Entry c % length of a number or of a list. */
static double cyclic(const thud_node *node, const char *key, size_t c) {
  const thud_node *value = thud_node_find(node, key);
  if (thud_node_get_kind(value) == THUD_NODE_NUMBER) return thud_node_number(value);
  return thud_node_number(thud_node_item(value, c % thud_node_count(value)));
}

static unsigned long long little_endian(const unsigned char *bytes, size_t stride, size_t size) {
  unsigned long long bits = 0;
  for (size_t j = 0; j < size; j++) bits |= (unsigned long long)bytes[j * stride] << (8 * j);
  return bits;
}

static double as_double(unsigned long long bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double as_float(unsigned long long bits) {
  unsigned low = (unsigned)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

/* Quantised numbers: byte planes, signs in the lowest bit, sums along the rows. */
static void decode_grid(const thud_node *node, const unsigned char *bytes, double *values) {
  size_t rows = whole(node, "rows"), columns = whole(node, "cols"), n = rows * columns;
  size_t order = whole(node, "order"), planes = whole(node, "planes");
  thud_assert_at_most(order, 2);
  for (size_t c = 0; c < columns; c++) {
    long long k = 0, slope = 0;
    for (size_t i = 0; i < rows; i++) {
      unsigned z = (unsigned)little_endian(bytes + i * columns + c, n, planes);
      long long d = (z & 1) != 0 ? -(long long)(z >> 1) - 1 : (long long)(z >> 1);
      if (order == 2 && i > 0) slope = i == 1 ? d : slope + d;
      k = order == 0 || i == 0 ? d : order == 1 ? k + d : k + slope;
      values[i * columns + c] = cyclic(node, "low", c) + cyclic(node, "step", c) * (double)k;
    }
  }
}

static double *inline_numbers(const thud_node *node, size_t *count) {
  *count = thud_node_count(node);
  double *values = calloc(*count + 1, sizeof *values);
  for (size_t k = 0; k < *count; k++) {
    const thud_node *item = thud_node_item(node, k);
    values[k] = thud_node_get_kind(item) == THUD_NODE_NUMBER ? thud_node_number(item) : NAN;
  }
  return values;
}

double *page_reader_numbers(const page_reader *reader, const thud_node *node, size_t *count) {
  static const struct {
    const char *name;
    size_t size;
  } types[] = {{"f64", 8}, {"f64s", 8}, {"f32", 4}, {"i32", 4}, {"u32", 4}, {"u8", 1}, {"q", 0}};
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE) return inline_numbers(node, count);
  size_t block = whole(node, "b"), offset = whole(node, "o"), n = *count = whole(node, "n"), type = 0, size;
  const char *name = thud_node_string(thud_node_find(node, "t"));
  while (strcmp(types[type].name, name) != 0) thud_assert_less(++type, sizeof types / sizeof *types);
  size = strcmp(name, "q") == 0 ? whole(node, "planes") : types[type].size;
  thud_assert_less(block, reader->block_count);
  assert_int_equal(offset % 8, 0);
  thud_assert_at_most(offset + n * size, reader->sizes[block]);
  const unsigned char *bytes = reader->blocks[block] + offset;
  double *values = calloc(n + 1, sizeof *values);
  assert_non_null(values);
  if (strcmp(name, "q") == 0) {
    assert_int_equal(n, whole(node, "rows") * whole(node, "cols"));
    decode_grid(node, bytes, values);
    return values;
  }
  bool shuffled = strcmp(name, "f64s") == 0;
  for (size_t k = 0; k < n; k++) {
    unsigned long long bits = little_endian(bytes + (shuffled ? k : k * size), shuffled ? n : 1, size);
    values[k] = size == 8                  ? as_double(bits)
                : strcmp(name, "f32") == 0 ? as_float(bits)
                : strcmp(name, "i32") == 0 ? (double)(int)(unsigned)bits
                                           : (double)bits;
  }
  return values;
}
