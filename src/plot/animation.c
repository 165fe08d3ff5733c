/* Frames become parts that differ, parts become chunks. */
#include "plot/animation.h"
#include "plot/png_mark.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

enum { FAST = 1, SMALL = 9 }; /* levels of zlib: in memory, in the file */
enum { TRANSPARENT = 0 };     /* index of dots that stay as they are */

thud_error thud_animation_begin(thud_context *context, uint32_t width, uint32_t height, animation *made) {
  size_t dots;
  *made = (animation){.context = context, .width = width, .height = height, .colours = {.context = context}};
  if (!thud_size_multiply(width, height, &dots))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "plot: frames of %u x %u dots are too large", width, height);
  made->last = THUD_NEW_ARRAY(context, uint32_t, dots);
  return made->last != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_animation_end(animation *made) {
  for (size_t k = 0; k < made->count; k++) thud_free(made->context, made->frames[k].kept);
  thud_free(made->context, made->frames);
  thud_free(made->context, made->last);
  thud_palette_release(&made->colours);
}

/* ---- compression ------------------------------------------------------------------------------------------------------- */

/* *packed is allocated, with room to spare. */
static thud_error pack(thud_context *context, const void *bytes, size_t count, int level, unsigned char **packed,
                       size_t *packed_count) {
  uLongf used = compressBound((uLong)count);
  *packed = THUD_NEW_ARRAY(context, unsigned char, used);
  if (*packed == NULL) return THUD_ERROR_MEMORY;
  if (compress2(*packed, &used, bytes, (uLong)count, level) != Z_OK)
    return thud_fail(context, THUD_ERROR_MEMORY, "plot: zlib has not enough memory for a frame");
  *packed_count = used;
  return THUD_OK;
}

/* ---- adding frames ----------------------------------------------------------------------------------------------------- */

static uint32_t dot_at(const unsigned char *dots, size_t stride, size_t row, size_t column) {
  uint32_t dot;
  memcpy(&dot, dots + row * stride + 4 * column, sizeof dot);
  return dot & 0xffffffU;
}

/* The smallest part outside of which nothing has changed; one dot when nothing has. */
static animation_part changed_part(const animation *made, const unsigned char *dots, size_t stride) {
  uint32_t left = made->width, right = 0, top = made->height, bottom = 0;
  for (uint32_t row = 0; row < made->height; row++)
    for (uint32_t column = 0; column < made->width; column++) {
      if (dot_at(dots, stride, row, column) == made->last[(size_t)row * made->width + column]) continue;
      if (column < left) left = column;
      if (column > right) right = column;
      if (row < top) top = row;
      bottom = row;
    }
  if (left > right) return (animation_part){0, 0, 1, 1};
  return (animation_part){left, top, right - left + 1, bottom - top + 1};
}

/* Copies the part into the last frame and counts its colours. */
static thud_error take_part(animation *made, const unsigned char *dots, size_t stride, animation_part part) {
  thud_error error = THUD_OK;
  for (uint32_t row = part.top; row < part.top + part.height; row++)
    for (uint32_t column = part.left; column < part.left + part.width && error == THUD_OK; column++) {
      uint32_t dot = dot_at(dots, stride, row, column);
      made->last[(size_t)row * made->width + column] = dot;
      error = thud_palette_count(&made->colours, dot);
    }
  return error;
}

static thud_error keep_part(animation *made, animation_frame *frame) {
  animation_part part = frame->part;
  size_t count = (size_t)part.width * part.height;
  uint32_t *dots = THUD_NEW_ARRAY(made->context, uint32_t, count);
  if (dots == NULL) return THUD_ERROR_MEMORY;
  for (uint32_t row = 0; row < part.height; row++)
    memcpy(dots + (size_t)row * part.width, made->last + (size_t)(part.top + row) * made->width + part.left,
           part.width * sizeof *dots);
  thud_error error = pack(made->context, dots, count * sizeof *dots, FAST, &frame->kept, &frame->kept_count);
  thud_free(made->context, dots);
  if (error != THUD_OK) return error;
  unsigned char *tight = thud_realloc(made->context, frame->kept, frame->kept_count, 1);
  if (tight != NULL) frame->kept = tight;
  return tight != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_animation_add(animation *made, const unsigned char *dots, size_t stride, double delay) {
  animation_part part =
      made->count > 0 ? changed_part(made, dots, stride) : (animation_part){0, 0, made->width, made->height};
  thud_error error =
      thud_array_reserve(made->context, &made->frames, &made->capacity, made->count + 1, sizeof *made->frames);
  if (error != THUD_OK) return error;
  animation_frame *frame = &made->frames[made->count++];
  *frame = (animation_frame){.part = part, .delay = delay};
  error = take_part(made, dots, stride, part);
  return error == THUD_OK ? keep_part(made, frame) : error;
}

/* ---- chunks ------------------------------------------------------------------------------------------------------------ */

static void store(unsigned char *bytes, uint32_t value) {
  for (int k = 0; k < 4; k++) bytes[k] = (unsigned char)(value >> (24 - 8 * k));
}

/* Length, type, `head` and `data`, and the checksum of all but the length. */
static thud_error put_chunk(animation_bytes *file, const char *type, size_t head_count, const unsigned char *head,
                            size_t data_count, const unsigned char *data) {
  size_t count = head_count + data_count;
  thud_error error = thud_array_reserve(file->context, &file->bytes, &file->capacity, file->count + count + 12, 1);
  if (error != THUD_OK) return error;
  unsigned char *chunk = file->bytes + file->count;
  store(chunk, (uint32_t)count);
  memcpy(chunk + 4, type, 4);
  if (head_count > 0) memcpy(chunk + 8, head, head_count);
  if (data_count > 0) memcpy(chunk + 8 + head_count, data, data_count);
  store(chunk + 8 + count, (uint32_t)crc32(0, chunk + 4, (uInt)(count + 4)));
  file->count += count + 12;
  return THUD_OK;
}

static thud_error put_beginning(const animation *made, animation_bytes *file) {
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, clear[1] = {0};
  unsigned char header[13] = {[8] = 8 /* bits */, [9] = 3 /* palette */}, control[8] = {0};
  unsigned char colours[3 * (PALETTE_MOST + 1)] = {0};
  thud_error error = thud_array_reserve(file->context, &file->bytes, &file->capacity, sizeof signature, 1);
  if (error != THUD_OK) return error;
  memcpy(file->bytes, signature, sizeof signature);
  file->count = sizeof signature;
  store(header, made->width);
  store(header + 4, made->height);
  store(control, (uint32_t)made->count); /* and 0: it is played for ever */
  for (size_t k = 0; k < made->colours.count; k++)
    for (int c = 0; c < 3; c++)
      colours[3 * (k + 1) + (size_t)c] = (unsigned char)(made->colours.colours[k] >> (16 - 8 * c));
  error = put_chunk(file, "IHDR", sizeof header, header, 0, NULL);
  if (error == THUD_OK) error = put_chunk(file, "tEXt", sizeof PNG_SOFTWARE - 1, PNG_SOFTWARE_BYTES, 0, NULL);
  if (error == THUD_OK) error = put_chunk(file, "acTL", sizeof control, control, 0, NULL);
  if (error == THUD_OK) error = put_chunk(file, "PLTE", 3 * (made->colours.count + 1), colours, 0, NULL);
  if (error == THUD_OK) error = put_chunk(file, "tRNS", sizeof clear, clear, 0, NULL); /* of index TRANSPARENT */
  return error;
}

/* fcTL; times are fractions of 16 bits. over: transparent dots show the frame before. */
static thud_error put_control(animation_bytes *file, uint32_t sequence, const animation_frame *frame, bool over) {
  unsigned char control[26] = {0};
  double parts = frame->delay < 6.5 ? 10000 : frame->delay < 65 ? 1000 : 1;
  uint32_t duration = (uint32_t)fmin(65535, round(frame->delay * parts));
  store(control, sequence);
  store(control + 4, frame->part.width);
  store(control + 8, frame->part.height);
  store(control + 12, frame->part.left);
  store(control + 16, frame->part.top);
  store(control + 20, duration << 16 | (uint32_t)parts);
  control[25] = over;
  return put_chunk(file, "fcTL", sizeof control, control, 0, NULL);
}

/* ---- the file ---------------------------------------------------------------------------------------------------------- */

/* Work space for the rows of a part, each behind the number of its filter (0: none). */
typedef struct rows {
  uint32_t *dots;              /* [width*height] */
  unsigned char *shown;        /* [width*height] indices of what the animation shows */
  unsigned char *whole, *over; /* [(width+1)*height] */
} rows;

/* `whole`: the indices of the part. `over`: only those of dots whose index changes. */
static void fill_rows(const animation *made, animation_part part, rows *work) {
  size_t out = 0;
  for (uint32_t row = 0; row < part.height; row++) {
    unsigned char *shown = work->shown + (size_t)(part.top + row) * made->width + part.left;
    work->whole[out] = work->over[out] = 0;
    out++;
    for (uint32_t column = 0; column < part.width; column++, out++) {
      uint32_t dot = work->dots[(size_t)row * part.width + column];
      unsigned char index = (unsigned char)(1 + thud_palette_index(&made->colours, dot));
      work->whole[out] = index;
      work->over[out] = index == shown[column] ? TRANSPARENT : index;
      shown[column] = index;
    }
  }
}

/* The shorter one of the two forms; the first frame is whole. */
static thud_error put_frame(const animation *made, size_t k, uint32_t *sequence, rows *work, animation_bytes *file) {
  const animation_frame *frame = &made->frames[k];
  unsigned char number[4], *whole = NULL, *over = NULL;
  size_t count = ((size_t)frame->part.width + 1) * frame->part.height, whole_count = 0, over_count = 0;
  uLongf dots = (uLongf)((size_t)frame->part.width * frame->part.height * sizeof *work->dots);
  if (uncompress((Bytef *)work->dots, &dots, frame->kept, (uLong)frame->kept_count) != Z_OK)
    return thud_fail(made->context, THUD_ERROR_MEMORY, "plot: zlib has not enough memory for a frame");
  fill_rows(made, frame->part, work);
  thud_error error = pack(made->context, work->whole, count, SMALL, &whole, &whole_count);
  if (error == THUD_OK && k > 0) error = pack(made->context, work->over, count, SMALL, &over, &over_count);
  bool is_over = k > 0 && over_count < whole_count;
  if (error == THUD_OK) error = put_control(file, (*sequence)++, frame, is_over);
  if (error == THUD_OK && k == 0) error = put_chunk(file, "IDAT", 0, NULL, whole_count, whole);
  if (error == THUD_OK && k > 0) {
    store(number, (*sequence)++);
    error = put_chunk(file, "fdAT", sizeof number, number, is_over ? over_count : whole_count, is_over ? over : whole);
  }
  thud_free(made->context, whole);
  thud_free(made->context, over);
  return error;
}

thud_error thud_animation_write(animation *made, animation_bytes *file) {
  size_t dots = (size_t)made->width * made->height, lines = dots + made->height;
  rows work = {.dots = THUD_NEW_ARRAY(made->context, uint32_t, dots),
               .shown = THUD_NEW_ARRAY(made->context, unsigned char, dots),
               .whole = THUD_NEW_ARRAY(made->context, unsigned char, lines),
               .over = THUD_NEW_ARRAY(made->context, unsigned char, lines)};
  bool good = work.dots != NULL && work.shown != NULL && work.whole != NULL && work.over != NULL;
  uint32_t sequence = 0;
  thud_error error = good ? thud_palette_make(&made->colours) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = put_beginning(made, file);
  for (size_t k = 0; k < made->count && error == THUD_OK; k++) error = put_frame(made, k, &sequence, &work, file);
  if (error == THUD_OK) error = put_chunk(file, "IEND", 0, NULL, 0, NULL);
  thud_free(made->context, work.dots);
  thud_free(made->context, work.shown);
  thud_free(made->context, work.whole);
  thud_free(made->context, work.over);
  return error;
}
