/* Where a point of `draw` has been: sampled once over the whole record, at times spread evenly and at events, so that
 * corners of paths are where they are. Of a long list of events every k-th time is taken. */
#include "record/csv.h"
#include "run/draw.h"

#include <string.h>

enum { TRACE_EVEN = 400, TRACE_MOST = 1500 };

static thud_error add_point(scene_draw *draw, draw_mark *mark, double t, const double *point) {
  draw_trace *trace = &mark->trace;
  size_t d = mark->numbers.count;
  const double *last = trace->count > 0 ? trace->points + (trace->count - 1) * d : NULL;
  if (last != NULL && memcmp(last, point, d * sizeof *point) == 0) return THUD_OK;
  thud_error error =
      thud_array_reserve(draw->context, &trace->times, &trace->capacity, trace->count + 1, sizeof *trace->times);
  if (error == THUD_OK)
    error =
        thud_array_reserve(draw->context, &trace->points, &trace->room, (trace->count + 1) * d, sizeof *trace->points);
  if (error != THUD_OK) return error;
  trace->times[trace->count] = t;
  memcpy(trace->points + trace->count++ * d, point, d * sizeof *point);
  return THUD_OK;
}

/* Both limits: a path that jumps goes straight from one to the other. */
static thud_error add_time(scene_draw *draw, draw_mark *mark, thud_moment *moment, double t) {
  thud_error error = THUD_OK;
  for (int side = -1; side <= 1 && error == THUD_OK; side += 2) {
    double point[3];
    error = thud_moment_set(moment, t, side);
    if (error == THUD_OK) error = thud_draw_place(draw, moment);
    if (error != THUD_OK) return error;
    thud_draw_evaluate(draw, &mark->numbers, side, point);
    error = add_point(draw, mark, t, point);
  }
  return error;
}

static thud_error find_span(thud_record_reader *reader, double *start, double *end) {
  thud_record_sampler *sampler = NULL;
  thud_error error = thud_record_sampler_create(reader, 0, NULL, &sampler);
  if (error == THUD_OK) thud_record_sampler_span(sampler, start, end);
  thud_record_sampler_destroy(sampler);
  return error;
}

thud_error thud_draw_remember(scene_draw *draw, draw_mark *mark, const thud_moment *moment) {
  thud_record_reader *reader = thud_moment_reader(moment);
  if (mark->trace.reader == reader) return THUD_OK;
  double start = 0, end = 0, *times = NULL;
  size_t count = 0;
  thud_moment *past = NULL;
  mark->trace.count = 0;
  thud_error error = find_span(reader, &start, &end);
  const thud_record_times asked = {.every = end > start ? (end - start) / TRACE_EVEN : 0};
  if (error == THUD_OK) error = thud_csv_gather_times(reader, &asked, start, end, &times, &count);
  if (error == THUD_OK) error = thud_moment_create(reader, &past);
  size_t stride = count / TRACE_MOST + 1;
  for (size_t k = 0; k < count && error == THUD_OK; k += stride) error = add_time(draw, mark, past, times[k]);
  thud_moment_destroy(past);
  thud_free(draw->context, times);
  if (error == THUD_OK) mark->trace.reader = reader;
  return error;
}

size_t thud_draw_past_count(const draw_trace *trace, double t, int side) {
  size_t low = 0, high = trace->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (side < 0 ? trace->times[middle] < t : trace->times[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
