/* Animated PNG: an own reader follows the chunks and paints the frames. */
#include "failing_allocator.h"
#include "plot/animation.h"
#include "plot/film.h"
#include "plot/looks.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- reading ----------------------------------------------------------------------------------------------------------- */

enum { MOST_FRAMES = 16 };

/* What a file says, with the frames painted one over the other as the format demands. */
typedef struct seen {
  uint32_t width, height, frames, plays, shown, sequence;
  unsigned char palette[768];
  size_t palette_count;
  double delay[MOST_FRAMES];
  uint32_t area[MOST_FRAMES];  /* dots of the frame's own part */
  uint32_t *dots[MOST_FRAMES]; /* [width*height] 0xRRGGBB */
} seen;

static uint32_t load(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The part of the frame that the last fcTL describes, over the frame before (blend 1: index 0 shows it). */
static void paint(seen *file, const unsigned char *control, const unsigned char *data, size_t count) {
  uint32_t width = load(control + 4), height = load(control + 8), left = load(control + 12), top = load(control + 16);
  uint32_t frame = file->shown++;
  uLongf size = (uLongf)(width + 1) * height;
  unsigned char *rows = malloc(size);
  assert_true(frame < file->frames && frame < MOST_FRAMES && width > 0 && height > 0);
  assert_true(left + width <= file->width && top + height <= file->height);
  assert_true(control[24] == 0 && control[25] <= 1); /* nothing is disposed of */
  assert_non_null(rows);
  assert_int_equal(uncompress(rows, &size, data, (uLong)count), Z_OK);
  assert_int_equal(size, (width + 1) * height); /* the right number of dots */
  file->dots[frame] = calloc((size_t)file->width * file->height, sizeof(uint32_t));
  if (frame > 0)
    memcpy(file->dots[frame], file->dots[frame - 1], (size_t)file->width * file->height * sizeof(uint32_t));
  for (uint32_t row = 0; row < height; row++) {
    assert_int_equal(rows[row * (width + 1)], 0); /* no filter */
    for (uint32_t column = 0; column < width; column++) {
      size_t index = rows[row * (width + 1) + 1 + column];
      assert_true(3 * index < file->palette_count);
      if (control[25] == 1 && index == 0) continue;
      assert_true(index > 0);
      const unsigned char *rgb = file->palette + 3 * index;
      file->dots[frame][(size_t)(top + row) * file->width + left + column] =
          (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    }
  }
  file->delay[frame] = (double)(control[20] << 8 | control[21]) / (double)(control[22] << 8 | control[23]);
  file->area[frame] = width * height;
  free(rows);
}

/* One chunk; `place` counts those before it: IHDR, tEXt, acTL, PLTE, tRNS, then a control and the data of each frame. */
static void take(seen *file, int place, const char *type, const unsigned char *data, size_t count,
                 const unsigned char **control) {
  static const char *const beginning[5] = {"IHDR", "tEXt", "acTL", "PLTE", "tRNS"};
  if (place < 5) assert_memory_equal(type, beginning[place], 4);
  if (place == 0) {
    static const unsigned char expected[5] = {8, 3, 0, 0, 0};
    file->width = load(data);
    file->height = load(data + 4);
    assert_memory_equal(data + 8, expected, 5);
  } else if (place == 1) {
    static const char expected[] = "Software\0thud " THUD_VERSION;
    assert_int_equal(count, sizeof expected - 1);
    assert_memory_equal(data, expected, sizeof expected - 1);
  } else if (place == 2) {
    file->frames = load(data);
    file->plays = load(data + 4);
  } else if (place == 3) {
    memcpy(file->palette, data, count);
    file->palette_count = count;
  } else if (place == 4) {
    assert_true(count == 1 && data[0] == 0);
  } else if (memcmp(type, "fcTL", 4) == 0) {
    assert_true(*control == NULL && count == 26);
    assert_int_equal(load(data), file->sequence++);
    *control = data;
  } else {
    bool first = file->shown == 0;
    assert_non_null(*control);
    assert_memory_equal(type, first ? "IDAT" : "fdAT", 4);
    if (!first) assert_int_equal(load(data), file->sequence++);
    paint(file, *control, first ? data : data + 4, first ? count : count - 4);
    *control = NULL;
  }
}

static void read_bytes(const unsigned char *bytes, size_t count, seen *file) {
  const unsigned char *control = NULL;
  size_t at = 8;
  *file = (seen){0};
  assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
  for (int place = 0;; place++) {
    assert_true(at + 12 <= count);
    size_t length = load(bytes + at);
    const char *type = (const char *)bytes + at + 4;
    assert_true(at + 12 + length <= count);
    assert_int_equal(load(bytes + at + 8 + length), crc32(0, bytes + at + 4, (uInt)length + 4));
    if (memcmp(type, "IEND", 4) == 0) break;
    take(file, place, type, bytes + at + 8, length, &control);
    at += 12 + length;
  }
  assert_true(at + 12 == count && control == NULL);
  assert_int_equal(file->shown, file->frames);
  assert_int_equal(file->plays, 0); /* for ever */
}

static void forget(seen *file) {
  for (uint32_t k = 0; k < file->frames; k++) free(file->dots[k]);
}

/* ---- animations -------------------------------------------------------------------------------------------------------- */

enum { WIDTH = 23, HEIGHT = 17, FRAMES = 9 };

/* White with a square that moves, a dot in a corner that changes in some frames, and one pair of equal frames. */
static uint32_t dot_of(int frame, int row, int column) {
  int moved = frame == 5 ? 4 : frame;
  if (row >= 3 && row < 8 && column >= moved && column < moved + 5) return 0x0072b2U + (uint32_t)row;
  if (moved % 3 == 1 && row == HEIGHT - 1 && column == WIDTH - 1) return 0x800000U;
  return 0xffffffU;
}

/* Many colours, all different. */
static uint32_t shade_of(int frame, int row, int column) {
  double x = (column + frame) / (double)(WIDTH + FRAMES), y = row / (double)HEIGHT;
  return (uint32_t)lround(255 * x) << 16 | (uint32_t)lround(255 * y) << 8 | (uint32_t)lround(127 * (x + y));
}

typedef uint32_t (*picture_fn)(int frame, int row, int column);

static thud_error animate(thud_context *context, picture_fn picture, animation_bytes *file) {
  animation made;
  uint32_t dots[HEIGHT][WIDTH + 2]; /* rows with room to spare, as cairo's may have; its unused byte is anything */
  thud_error error = thud_animation_begin(context, WIDTH, HEIGHT, &made);
  for (int k = 0; k < FRAMES && error == THUD_OK; k++) {
    for (int row = 0; row < HEIGHT; row++)
      for (int column = 0; column < WIDTH; column++)
        dots[row][column] = picture(k, row, column) | (uint32_t)(k * 37) << 24;
    error = thud_animation_add(&made, (const unsigned char *)dots, sizeof dots[0], k == 3 ? 10 : 0.04);
  }
  if (error == THUD_OK) error = thud_animation_write(&made, file);
  thud_animation_end(&made);
  return error;
}

static void frames_are_what_was_added(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  animation_bytes first = {.context = context}, second = {.context = context};
  seen file;
  assert_int_equal(animate(context, dot_of, &first), THUD_OK);
  assert_int_equal(animate(context, dot_of, &second), THUD_OK);
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.bytes, second.bytes, first.count);
  read_bytes(first.bytes, first.count, &file);
  assert_true(file.width == WIDTH && file.height == HEIGHT && file.frames == FRAMES);
  for (int k = 0; k < FRAMES; k++) {
    for (int row = 0; row < HEIGHT; row++)
      for (int column = 0; column < WIDTH; column++)
        assert_int_equal(file.dots[k][row * WIDTH + column], dot_of(k, row, column));
    assert_true(fabs(file.delay[k] - (k == 3 ? 10 : 0.04)) < 1e-12);
  }
  assert_int_equal(file.area[0], WIDTH * HEIGHT);
  assert_int_equal(file.area[3], 6 * 5); /* from columns 2..6 to 3..7 */
  assert_int_equal(file.area[5], 1);     /* nothing changes */
  forget(&file);
  thud_free(context, first.bytes);
  thud_free(context, second.bytes);
  thud_test_context_end(context);
}

/* More colours than the palette has: every dot is near to what it was. 255 boxes of a plane of the cube, whose sides are 255
 * long, have sides of about 255/16. */
static void many_colours_stay_near(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  animation_bytes bytes = {.context = context};
  seen file;
  assert_int_equal(animate(context, shade_of, &bytes), THUD_OK);
  read_bytes(bytes.bytes, bytes.count, &file);
  assert_int_equal(file.palette_count, 768);
  for (int k = 0; k < FRAMES; k++)
    for (int row = 0; row < HEIGHT; row++)
      for (int column = 0; column < WIDTH; column++)
        for (int shift = 0; shift <= 16; shift += 8) {
          int is = (int)(file.dots[k][row * WIDTH + column] >> shift & 255U);
          assert_true(abs(is - (int)(shade_of(k, row, column) >> shift & 255U)) <= 16);
        }
  forget(&file);
  thud_free(context, bytes.bytes);
  thud_test_context_end(context);
}

/* A floor that fades into the paper: eleven greys on most of the picture beside many colours on few dots, and a small red
 * body. None of the greys may move by more than the next one, and the red stays red. */
static void a_fade_keeps_its_steps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  palette colours = {.context = context};
  for (uint32_t grey = 245; grey <= 255; grey++)
    for (int k = 0; k < 2000; k++) assert_int_equal(thud_palette_count(&colours, grey * 0x010101U), THUD_OK);
  for (uint32_t k = 0; k < 4096; k++)
    assert_int_equal(thud_palette_count(&colours, (k & 15U) * 8 << 16 | (k >> 4 & 15U) * 8 << 8 | (k >> 8) * 8),
                     THUD_OK);
  for (int k = 0; k < 20; k++) assert_int_equal(thud_palette_count(&colours, 0xf00000U), THUD_OK);
  assert_int_equal(thud_palette_make(&colours), THUD_OK);
  for (uint32_t grey = 245; grey <= 255; grey++) {
    uint32_t shown = colours.colours[thud_palette_index(&colours, grey * 0x010101U)];
    for (int shift = 0; shift <= 16; shift += 8) assert_true(abs((int)(shown >> shift & 255U) - (int)grey) <= 1);
  }
  assert_int_equal(colours.colours[thud_palette_index(&colours, 0xf00000U)], 0xf00000U);
  thud_palette_release(&colours);
  thud_test_context_end(context);
}

static thud_error animate_swept(thud_context *context, void *user) {
  animation_bytes bytes = {.context = context};
  const picture_fn *picture = user;
  thud_error error = animate(context, *picture, &bytes);
  thud_free(context, bytes.bytes);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  picture_fn pictures[2] = {dot_of, shade_of};
  for (int k = 0; k < 2; k++) thud_assert_greater(thud_test_sweep_allocations(animate_swept, &pictures[k]), 30);
}

/* ---- times ------------------------------------------------------------------------------------------------------------- */

static looks_times spread(thud_context *context, size_t count, double end, double rate) {
  const looks shown = {.context = context, .film = true, .count = count, .rate = rate};
  looks_times times;
  assert_int_equal(thud_looks_spread(&shown, 1, end, &times), THUD_OK);
  assert_true(times.times[0] == 1 && times.times[count - 1] == end);
  for (size_t k = 0; k < count; k++) assert_true(fabs(times.times[k] - 1 - (double)k * times.step) < 1e-12 * end);
  thud_free(context, times.times);
  return times;
}

/* A film lasts as long as the motion unless that is too short for a screen or longer than a minute. */
static void films_last_as_long_as_the_motion(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  assert_true(fabs(spread(context, 101, 6, 0).delay - 0.05) < 1e-15);
  assert_true(fabs(spread(context, 101, 1.001, 0).delay - 0.02) < 1e-15);
  assert_true(fabs(spread(context, 101, 1001, 0).delay - 0.6) < 1e-15);
  assert_true(fabs(spread(context, 101, 1001, 25).delay - 0.04) < 1e-15);
  const double window[2] = {7, 8}, late[2] = {3, NAN};
  const looks outside = {.context = context, .film = true, .count = 2, .window = window};
  const looks end = {.context = context, .film = true, .count = 3, .window = late};
  looks_times times;
  assert_int_equal(thud_looks_spread(&end, 0, 5, &times), THUD_OK);
  assert_true(times.times[0] == 3 && times.times[1] == 4 && times.times[2] == 5);
  thud_free(context, times.times);
  assert_int_equal(thud_looks_spread(&outside, 0, 5, &times), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "from 0 to 5", "from 7 to 8", NULL);
  thud_test_context_end(context);
}

static void wrong_wishes_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const plot_frames none = {.count = 1};
  assert_int_equal(thud_plot_write_frames(context, &none, NULL, "film.svg"), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "film.svg", ".png", NULL);
  thud_plot_film_choice choice = {.frames = 1};
  assert_int_equal(thud_plot_film(context, "a.h5", &choice, NULL, "a.png"), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "2 to 10000 frames, not 1", NULL);
  choice = (thud_plot_film_choice){.rate = -1};
  assert_int_equal(thud_plot_film(context, "a.h5", &choice, NULL, "a.png"), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "per second, not -1", NULL);
  assert_int_equal(thud_plot_film(context, thud_test_path("none.h5"), NULL, NULL, "a.png"), THUD_ERROR_FILE);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_what_was_added),
      cmocka_unit_test(many_colours_stay_near),
      cmocka_unit_test(a_fade_keeps_its_steps),
      cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
      cmocka_unit_test(films_last_as_long_as_the_motion),
      cmocka_unit_test(wrong_wishes_are_refused),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
