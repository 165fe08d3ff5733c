#include "plot/png_mark.h"

#include <string.h>
#include <zlib.h>

static void store_word(unsigned char *bytes, uint32_t value) {
  for (int k = 0; k < 4; k++) bytes[k] = (unsigned char)(value >> (24 - 8 * k));
}

thud_png_mark thud_png_make_mark(void) {
  thud_png_mark mark = {.count = PNG_MARK};
  uint32_t length = PNG_MARK - 12;
  store_word(mark.bytes, length);
  memcpy(mark.bytes + 4, "tEXt", 4);
  memcpy(mark.bytes + 8, PNG_SOFTWARE, length);
  store_word(mark.bytes + 8 + length, (uint32_t)crc32(0, mark.bytes + 4, length + 4));
  return mark;
}
