#include "record/base64.h"

#include <string.h>

static void put_held(thud_base64 *encoder) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *held = encoder->held;
  unsigned bits = (unsigned)held[0] << 16 | (unsigned)held[1] << 8 | held[2];
  char letters[4];
  for (int k = 0; k < 4; k++) letters[k] = k <= encoder->count ? digits[bits >> (18 - 6 * k) & 63] : '=';
  encoder->put(encoder->user, letters);
  memset(encoder->held, 0, sizeof encoder->held);
  encoder->count = 0;
}

void thud_base64_add(thud_base64 *encoder, const void *bytes, size_t count) {
  const unsigned char *from = bytes;
  for (size_t k = 0; k < count; k++) {
    encoder->held[encoder->count++] = from[k];
    if (encoder->count == 3) put_held(encoder);
  }
}

void thud_base64_end(thud_base64 *encoder) {
  if (encoder->count > 0) put_held(encoder);
}
