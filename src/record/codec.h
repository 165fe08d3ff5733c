/* The filter pipeline of a record's chunks, the same bytes as HDF5's shuffle + deflate + fletcher32.
 *
 * thud codes chunks itself and hands HDF5 finished bytes: a damaged or lying chunk then meets only the checks below,
 * and a chunk that is still growing can be stored as it is (HDF5's filter mask) and rewritten in place. */
#ifndef THUD_SRC_RECORD_CODEC_H
#define THUD_SRC_RECORD_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  THUD_CODEC_LEVEL = 1,    /* of deflate */
  THUD_CODEC_CODED = 0,    /* HDF5 filter mask: nothing skipped */
  THUD_CODEC_VERBATIM = 7, /* shuffle, deflate and fletcher32 skipped */
};

/* Fletcher's checksum as HDF5 computes it: 16-bit big-endian words, two sums modulo 65535. */
uint32_t thud_codec_fletcher32(const uint8_t *bytes, size_t count);

/* Most bytes a coded chunk of `count` bytes can take. */
size_t thud_codec_bound(size_t count);

/* bytes [count] -> coded [thud_codec_bound(count)], *coded_count bytes used; scratch [count]. false: zlib failed. */
bool thud_codec_encode(const uint8_t *bytes, size_t count, size_t element_size, uint8_t *scratch, uint8_t *coded,
                       size_t *coded_count);
/* The reverse: exactly `count` bytes must come out and the checksum must hold, otherwise false. */
bool thud_codec_decode(const uint8_t *coded, size_t coded_count, size_t element_size, size_t count, uint8_t *scratch,
                       uint8_t *bytes);

#endif
