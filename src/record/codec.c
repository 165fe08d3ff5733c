#include "record/codec.h"

#include <string.h>
#include <zlib.h>

enum { CHECKSUM_BYTES = 4, FLETCHER_BLOCK = 360 /* words that cannot overflow 32 bits between two foldings */ };

static uint32_t fold(uint32_t sum) { return (sum & 0xffffu) + (sum >> 16); }

uint32_t thud_codec_fletcher32(const uint8_t *bytes, size_t count) {
  uint32_t sum1 = 0, sum2 = 0;
  size_t words = count / 2;
  while (words > 0) {
    size_t block = words < FLETCHER_BLOCK ? words : FLETCHER_BLOCK;
    words -= block;
    for (; block > 0; block--, bytes += 2) {
      sum1 += ((uint32_t)bytes[0] << 8) | bytes[1];
      sum2 += sum1;
    }
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  if (count % 2 != 0) {
    sum1 = fold(sum1 + ((uint32_t)*bytes << 8));
    sum2 = fold(sum2 + sum1);
  }
  return (fold(sum2) << 16) | fold(sum1);
}

size_t thud_codec_bound(size_t count) { return compressBound((uLong)count) + CHECKSUM_BYTES; }

/* Byte b of element e goes to place b * elements + e; HDF5 leaves elements of one byte and a lone element alone. */
static bool is_shuffled(size_t count, size_t element_size) { return element_size > 1 && count / element_size > 1; }

static void shuffle(const uint8_t *bytes, size_t count, size_t element_size, uint8_t *shuffled) {
  size_t elements = count / element_size;
  for (size_t b = 0; b < element_size; b++)
    for (size_t e = 0; e < elements; e++) shuffled[b * elements + e] = bytes[e * element_size + b];
}

static void unshuffle(const uint8_t *shuffled, size_t count, size_t element_size, uint8_t *bytes) {
  size_t elements = count / element_size;
  for (size_t b = 0; b < element_size; b++)
    for (size_t e = 0; e < elements; e++) bytes[e * element_size + b] = shuffled[b * elements + e];
}

bool thud_codec_encode(const uint8_t *bytes, size_t count, size_t element_size, uint8_t *scratch, uint8_t *coded,
                       size_t *coded_count) {
  const uint8_t *source = bytes;
  if (is_shuffled(count, element_size)) {
    shuffle(bytes, count, element_size, scratch);
    source = scratch;
  }
  uLongf used = compressBound((uLong)count);
  if (compress2(coded, &used, source, (uLong)count, THUD_CODEC_LEVEL) != Z_OK) return false;
  uint32_t sum = thud_codec_fletcher32(coded, used);
  for (int k = 0; k < CHECKSUM_BYTES; k++) coded[used + (uLongf)k] = (uint8_t)(sum >> (8 * k));
  *coded_count = used + CHECKSUM_BYTES;
  return true;
}

bool thud_codec_decode(const uint8_t *coded, size_t coded_count, size_t element_size, size_t count, uint8_t *scratch,
                       uint8_t *bytes) {
  if (coded_count < CHECKSUM_BYTES) return false;
  size_t used = coded_count - CHECKSUM_BYTES;
  uint32_t stored = 0;
  for (int k = 0; k < CHECKSUM_BYTES; k++) stored |= (uint32_t)coded[used + (size_t)k] << (8 * k);
  if (stored != thud_codec_fletcher32(coded, used)) return false;
  bool shuffled = is_shuffled(count, element_size);
  uLongf produced = (uLongf)count;
  if (uncompress(shuffled ? scratch : bytes, &produced, coded, (uLong)used) != Z_OK || produced != count) return false;
  if (shuffled) unshuffle(scratch, count, element_size, bytes);
  return true;
}
