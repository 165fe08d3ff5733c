/* Arrays of numbers, little-endian in blocks. */
#include "page/page.h"

#include <math.h>
#include <string.h>

enum { MOST_INLINE = 12, AT_ONCE = 4096 };

bool thud_page_begin_numbers(page_build *page, const char *type, size_t count) {
  size_t block = 0, offset = 0;
  if (thud_page_state(page) != THUD_OK || !thud_page_take(page, thud_page_blocks_start(&page->blocks, &block, &offset)))
    return false;
  thud_json_begin_object(&page->json);
  thud_json_integer_field(&page->json, "b", (int64_t)block);
  thud_json_integer_field(&page->json, "o", (int64_t)offset);
  thud_json_integer_field(&page->json, "n", (int64_t)count);
  thud_json_string_field(&page->json, "t", type);
  return true;
}

static bool fits_inline(size_t count, const double *values) {
  if (count > MOST_INLINE) return false;
  for (size_t k = 0; k < count; k++)
    if (isinf(values[k])) return false;
  return true;
}

static void write_inline(page_build *page, size_t count, const double *values) {
  thud_json_begin_flat_array(&page->json);
  for (size_t k = 0; k < count; k++) thud_json_number(&page->json, values[k]);
  thud_json_end_array(&page->json);
}

/* Byte `place`, from the lowest, of a number's bits. */
static unsigned char byte_of(uint64_t bits, int place) { return (unsigned char)(bits >> (8 * place) & 0xff); }

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* All lowest bytes, then all second ones, ...: bytes of the same weight are alike, which deflate finds only next to each
 * other. */
static void add_shuffled(page_build *page, size_t count, const double *values) {
  unsigned char bytes[AT_ONCE];
  for (int place = 0; place < (int)sizeof(double); place++)
    for (size_t first = 0; first < count; first += AT_ONCE) {
      size_t part = count - first < AT_ONCE ? count - first : AT_ONCE;
      for (size_t k = 0; k < part; k++) bytes[k] = byte_of(bits_of_double(values[first + k]), place);
      if (!thud_page_take(page, thud_page_blocks_add(&page->blocks, bytes, part))) return;
    }
}

void thud_page_doubles(page_build *page, const char *key, size_t count, const double *values) {
  if (key != NULL) thud_json_key(&page->json, key);
  if (fits_inline(count, values)) {
    write_inline(page, count, values);
  } else if (thud_page_begin_numbers(page, "f64s", count)) {
    add_shuffled(page, count, values);
    thud_json_end_object(&page->json);
  }
}

/* The bits of number k as they are stored, in the lowest bytes. */
typedef uint64_t (*bits_fn)(const void *values, size_t k);

static uint64_t float_bits(const void *values, size_t k) {
  uint32_t bits;
  float value = (float)((const double *)values)[k];
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static uint64_t index_bits(const void *values, size_t k) { return (uint32_t)((const int32_t *)values)[k]; }
static uint64_t plain_byte(const void *values, size_t k) { return ((const unsigned char *)values)[k]; }

static void write_plain(page_build *page, const char *type, size_t count, const void *values, size_t size,
                        bits_fn bits) {
  unsigned char bytes[AT_ONCE];
  size_t used = 0;
  if (!thud_page_begin_numbers(page, type, count)) return;
  for (size_t k = 0; k < count; k++) {
    for (size_t place = 0; place < size; place++) bytes[used++] = byte_of(bits(values, k), (int)place);
    if (used < AT_ONCE && k + 1 < count) continue;
    if (!thud_page_take(page, thud_page_blocks_add(&page->blocks, bytes, used))) return;
    used = 0;
  }
  thud_json_end_object(&page->json);
}

void thud_page_floats(page_build *page, const char *key, size_t count, const double *values) {
  thud_json_key(&page->json, key);
  if (fits_inline(count, values))
    write_inline(page, count, values);
  else
    write_plain(page, "f32", count, values, sizeof(float), float_bits);
}

void thud_page_indices(page_build *page, const char *key, size_t count, const int32_t *values) {
  thud_json_key(&page->json, key);
  if (count > MOST_INLINE) {
    write_plain(page, "i32", count, values, sizeof *values, index_bits);
    return;
  }
  thud_json_begin_flat_array(&page->json);
  for (size_t k = 0; k < count; k++) thud_json_integer(&page->json, values[k]);
  thud_json_end_array(&page->json);
}

void thud_page_bytes(page_build *page, const char *key, size_t count, const unsigned char *values) {
  thud_json_key(&page->json, key);
  if (count > MOST_INLINE) {
    write_plain(page, "u8", count, values, 1, plain_byte);
    return;
  }
  thud_json_begin_flat_array(&page->json);
  for (size_t k = 0; k < count; k++) thud_json_integer(&page->json, values[k]);
  thud_json_end_array(&page->json);
}
