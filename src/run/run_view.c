#include "run/run_view.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { ARENA_BLOCK = 1 << 14, MOST_ROWS = 250, TEXT = 256 };

thud_view thud_view_begin(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing) {
  thud_view view = {.context = scene->context, .moment = moment, .drawing = drawing};
  view.reader = thud_moment_reader(moment);
  view.t = thud_moment_time(moment);
  view.row = thud_moment_row(moment);
  view.rows = thud_record_reader_info(view.reader).rows[THUD_RECORD_FRAMES];
  /* records show what holds from a time on; behind the end nothing does */
  view.side = thud_moment_side(moment) < 0 ? THUD_SIDE_LEFT : view.t < scene->end ? THUD_SIDE_RIGHT : THUD_SIDE_VALUE;
  view.error = thud_arena_create(scene->context, ARENA_BLOCK, &view.arena);
  return view;
}

thud_error thud_view_end(thud_view *view) {
  thud_arena_destroy(view->arena);
  view->arena = NULL;
  return view->error;
}

double *thud_view_array(thud_view *view, size_t count) {
  if (view->error != THUD_OK) return NULL;
  double *made = thud_arena_alloc(view->arena, count > 0 ? count : 1, sizeof(double));
  if (made == NULL) view->error = THUD_ERROR_MEMORY;
  return made;
}

void thud_view_panel(thud_view *view, thud_drawing_panel panel) {
  if (view->error == THUD_OK) view->error = thud_drawing_add_panel(view->drawing, &panel);
}

void thud_view_mark(thud_view *view, thud_mark mark, size_t count, const double *numbers) {
  mark.count = numbers != NULL ? count : 0;
  mark.numbers = numbers;
  if (view->error == THUD_OK) view->error = thud_drawing_add(view->drawing, &mark);
}

void thud_view_arrow(thud_view *view, thud_mark mark, double x, double y, double dx, double dy) {
  const double numbers[4] = {x, y, dx, dy};
  bool known = isfinite(x + y + dx + dy) && (dx != 0 || dy != 0);
  mark.kind = THUD_MARK_ARROW;
  thud_view_mark(view, mark, known, numbers);
}

const char *thud_view_text(thud_view *view, const char *format, ...) {
  char *text = view->error == THUD_OK ? thud_arena_alloc(view->arena, TEXT, 1) : NULL;
  if (text == NULL) {
    if (view->error == THUD_OK) view->error = THUD_ERROR_MEMORY;
    return NULL;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, TEXT, format, arguments);
  va_end(arguments);
  return text;
}

/* ---- the record ------------------------------------------------------------------------------------------------------ */

static void refuse(thud_view *view, const char *channel) {
  view->error = thud_fail(
      view->context, THUD_ERROR_FORMAT,
      "[nothing-to-draw] the channel '%s' of the record is not that of its scene: it cannot be drawn", channel);
}

const double *thud_view_values(thud_view *view, const char *channel, size_t width) {
  const double *values = NULL;
  size_t count = 0;
  if (view->error != THUD_OK) return NULL;
  view->error = thud_moment_values(view->moment, channel, &values, &count);
  if (view->error == THUD_OK && count != width) refuse(view, channel);
  return view->error == THUD_OK ? values : NULL;
}

/* Where a channel of this width is among those of frames. */
static bool find(thud_view *view, const char *channel, size_t width, size_t *index) {
  if (view->error != THUD_OK) return false;
  view->error = thud_record_find_channel(view->reader, THUD_RECORD_FRAMES, channel, index);
  if (view->error != THUD_OK) return false;
  if (thud_record_reader_channel(view->reader, THUD_RECORD_FRAMES, *index)->width != width) refuse(view, channel);
  return view->error == THUD_OK;
}

static void read_row(thud_view *view, size_t index, size_t row, double *values) {
  if (view->error == THUD_OK) view->error = thud_record_read(view->reader, THUD_RECORD_FRAMES, index, row, 1, values);
}

const double *thud_view_row(thud_view *view, const char *channel, size_t width, size_t row) {
  size_t index;
  if (!find(view, channel, width, &index)) return NULL;
  double *values = thud_view_array(view, width);
  if (values != NULL) read_row(view, index, row, values);
  return view->error == THUD_OK ? values : NULL;
}

/* Time of a row; the first channel. */
static double time_of(thud_view *view, size_t row) {
  double t = 0;
  read_row(view, 0, row, &t);
  return t;
}

bool thud_view_is_at_row(thud_view *view) {
  size_t next = view->row + 1 < view->rows ? view->row + 1 : view->row;
  return time_of(view, view->row) == view->t || time_of(view, next) == view->t;
}

void thud_view_step(thud_view *view, size_t *before, size_t *after) {
  *before = *after = view->row;
  if (view->row + 1 < view->rows && view->t > time_of(view, view->row))
    *after = view->row + 1;
  else if (view->row > 0)
    *before = view->row - 1;
}

const double *thud_view_straight(thud_view *view, const char *channel, size_t width) {
  size_t before = view->row, after = view->row + 1 < view->rows ? view->row + 1 : view->row;
  double t0 = time_of(view, before), t1 = time_of(view, after);
  const double *first = thud_view_row(view, channel, width, before);
  if (!(view->t > t0 && t1 > t0)) return first;
  const double *last = thud_view_row(view, channel, width, after);
  double *values = thud_view_array(view, width), part = fmin((view->t - t0) / (t1 - t0), 1);
  for (size_t k = 0; values != NULL && last != NULL && k < width; k++)
    values[k] = (1 - part) * first[k] + part * last[k];
  return view->error == THUD_OK ? values : NULL;
}

static size_t stride_of(const thud_view *view) { return 1 + view->rows / MOST_ROWS; }

/* Two components of values at time t as the next point. */
static void add_point(double t, const double *values, const size_t components[2], double *points, size_t *count) {
  for (int c = 0; c < 2; c++)
    points[2 * *count + (size_t)c] = components[c] == THUD_VIEW_TIME ? t : values[components[c]];
  if (isfinite(points[2 * *count] + points[2 * *count + 1])) ++*count;
}

const double *thud_view_trace(thud_view *view, const char *channel, size_t width, const size_t components[2],
                              size_t *count) {
  size_t index, stride = stride_of(view), room = 2 * (view->row / stride + 2);
  const double *now = thud_view_values(view, channel, width);
  *count = 0;
  if (!find(view, channel, width, &index)) return NULL;
  double *points = thud_view_array(view, room), *values = thud_view_array(view, width);
  if (points == NULL || values == NULL) return NULL;
  for (size_t row = 0; row <= view->row && view->error == THUD_OK; row += stride) {
    double t = time_of(view, row);
    read_row(view, index, row, values);
    add_point(t, values, components, points, count);
  }
  add_point(view->t, now, components, points, count);
  return view->error == THUD_OK ? points : NULL;
}

void thud_view_range(thud_view *view, const char *channel, size_t width, double *low, double *high) {
  size_t index, stride = stride_of(view);
  if (low == NULL || high == NULL || !find(view, channel, width, &index)) return;
  double *values = thud_view_array(view, width);
  for (size_t k = 0; k < width; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
  }
  for (size_t row = 0; values != NULL && view->error == THUD_OK && row < view->rows;) {
    read_row(view, index, row, values);
    for (size_t k = 0; k < width; k++) {
      low[k] = fmin(low[k], values[k]);
      high[k] = fmax(high[k], values[k]);
    }
    row = row + 1 < view->rows && row + stride >= view->rows ? view->rows - 1 : row + stride;
  }
}
