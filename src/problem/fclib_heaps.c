#include "problem/fclib_heaps.h"
#include "problem/file.h"

#include <string.h>

/* HDF5 File Format Specification 3.0, III.D: "HEAP", version 0, 3 bytes 0, size of the data segment, offset of the
 * first free block, address of the data segment; numbers of 8 bytes. A free block begins with the offset of the next
 * one (1: none) and its own size. */
enum { HEAP_HEADER = 32, FREE_BLOCK = 16, FREE_LIST_END = 1 };
static const char heap_mark[8] = "HEAP\0\0\0\0";

static uint64_t read_number(const char *bytes) {
  uint64_t number = 0;
  for (int k = 7; k >= 0; k--) number = number << 8 | (unsigned char)bytes[k];
  return number;
}

static bool is_sound(const char *file, size_t length, const char *heap) {
  uint64_t size = read_number(heap + 8), next = read_number(heap + 16), address = read_number(heap + 24);
  if (size > length || address > length - size) return false;
  /* Blocks do not overlap: a list of more of them than fit runs in a circle. */
  for (uint64_t blocks = 0; next != FREE_LIST_END && next != UINT64_MAX; blocks++) {
    if (size < FREE_BLOCK || next > size - FREE_BLOCK || blocks > size / FREE_BLOCK) return false;
    next = read_number(file + address + next);
  }
  return true;
}

thud_error thud_fclib_check_heaps(thud_context *context, const char *path) {
  char *file = NULL;
  size_t length = 0;
  thud_error error = thud_problem_load_text(context, path, SIZE_MAX - 1, &file, &length);
  if (error != THUD_OK) return error;
  /* Version 0 or 1 of the superblock at the beginning, offsets and lengths of 8 bytes: otherwise the layout differs. */
  bool known = length > 16 && (file[8] == 0 || file[8] == 1) && file[13] == 8 && file[14] == 8;
  for (size_t at = 0; known && error == THUD_OK && at + HEAP_HEADER <= length; at++) {
    const char *mark = memchr(file + at, heap_mark[0], length - at);
    if (mark == NULL) break;
    at = (size_t)(mark - file);
    if (at + HEAP_HEADER <= length && memcmp(mark, heap_mark, sizeof heap_mark) == 0 && !is_sound(file, length, mark))
      error = thud_fail(context, THUD_ERROR_FORMAT,
                        "[bad-problem-file] %s: this is not a readable HDF5 file (damaged heap at byte %zu)", path, at);
  }
  thud_free(context, file);
  return error;
}
