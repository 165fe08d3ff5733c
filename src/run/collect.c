#include "run/collect.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

thud_error collect_samples_create(thud_context *context, thud_index n, size_t count, const double *times, double start,
                                  double end, collect_samples *samples) {
  for (size_t k = 0; k < count; k++)
    if (!(times[k] >= start && times[k] <= end))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "the sample time %g lies outside the run, from %g to %g", times[k],
                       start, end);
  *samples = (collect_samples){.context = context, .n = n, .count = count};
  samples->times = THUD_NEW_ARRAY(context, double, count);
  samples->right = THUD_NEW_ARRAY(context, double, count *(size_t)n);
  samples->left = THUD_NEW_ARRAY(context, double, count *(size_t)n);
  samples->first_state = THUD_NEW_ARRAY(context, double, n);
  samples->last_state = THUD_NEW_ARRAY(context, double, n);
  if (samples->times == NULL || samples->right == NULL || samples->left == NULL || samples->first_state == NULL ||
      samples->last_state == NULL) {
    collect_samples_destroy(samples);
    return THUD_ERROR_MEMORY;
  }
  if (count == 0) return THUD_OK;
  memcpy(samples->times, times, count * sizeof *times);
  qsort(samples->times, count, sizeof *times, compare_times);
  return THUD_OK;
}

void collect_samples_destroy(collect_samples *samples) {
  thud_free(samples->context, samples->times);
  thud_free(samples->context, samples->right);
  thud_free(samples->context, samples->left);
  thud_free(samples->context, samples->first_state);
  thud_free(samples->context, samples->last_state);
  *samples = (collect_samples){0};
}

/* Samples at last_time itself: both limits are known once the time has passed. */
static void settle_at_last(collect_samples *s) {
  size_t n = (size_t)s->n;
  double latest = s->last_time + s->rounding * fabs(s->last_time);
  for (; s->next < s->count && s->times[s->next] <= latest; s->next++) {
    memcpy(s->left + s->next * n, s->first_state, n * sizeof(double));
    memcpy(s->right + s->next * n, s->last_state, n * sizeof(double));
  }
}

static void settle_between(collect_samples *s, const thud_frame *frame) {
  size_t n = (size_t)s->n;
  double before = frame->t - s->rounding * fabs(frame->t);
  for (; s->next < s->count && s->times[s->next] < before; s->next++) {
    double weight = (s->times[s->next] - s->last_time) / (frame->t - s->last_time);
    for (size_t i = 0; i < n; i++) {
      double value = s->last_state[i] + weight * (frame->state[i] - s->last_state[i]);
      s->left[s->next * n + i] = s->right[s->next * n + i] = value;
    }
  }
}

void collect_samples_add(collect_samples *samples, const thud_frame *frame) {
  size_t bytes = (size_t)samples->n * sizeof(double);
  bool new_time = !samples->any || frame->t != samples->last_time;
  if (samples->any && new_time) {
    settle_at_last(samples);
    settle_between(samples, frame);
  }
  if (new_time) memcpy(samples->first_state, frame->state, bytes);
  memcpy(samples->last_state, frame->state, bytes);
  samples->last_time = frame->t;
  samples->any = true;
}

void collect_samples_finish(collect_samples *samples) {
  if (samples->any) settle_at_last(samples);
}

thud_error collect_events_create(thud_context *context, thud_index n, size_t limit, double tolerance,
                                 collect_events *events) {
  *events = (collect_events){.context = context, .n = n, .limit = limit, .tolerance = tolerance, .last_time = NAN};
  events->before = THUD_NEW_ARRAY(context, double, n);
  return events->before != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void collect_events_destroy(collect_events *events) {
  for (size_t k = 0; k < events->kept; k++) thud_free(events->context, events->items[k].before);
  thud_free(events->context, events->items);
  thud_free(events->context, events->before);
}

static thud_error keep(collect_events *events, const thud_frame *frame) {
  size_t n = (size_t)events->n;
  void *items = events->items;
  thud_error error =
      thud_array_reserve(events->context, &items, &events->capacity, events->kept + 1, sizeof(collect_event));
  events->items = items;
  if (error != THUD_OK) return error;
  double *block = THUD_NEW_ARRAY(events->context, double, 3 * n);
  if (block == NULL) return THUD_ERROR_MEMORY;
  memcpy(block, events->before, n * sizeof(double));
  memcpy(block + n, frame->state, n * sizeof(double));
  memcpy(block + 2 * n, frame->reaction, n * sizeof(double));
  events->items[events->kept++] = (collect_event){
      .t = frame->t, .side = frame->side, .before = block, .after = block + n, .impulse = block + 2 * n};
  return THUD_OK;
}

thud_error collect_events_add(collect_events *events, const thud_frame *frame, bool *is_event) {
  thud_error error = THUD_OK;
  double moved = 0;
  for (thud_index i = 0; i < events->n; i++) {
    moved = fmax(moved, fabs(frame->state[i] - events->before[i]));
    events->scale = fmax(events->scale, fabs(frame->state[i]));
  }
  *is_event = frame->atom && moved > events->tolerance * events->scale;
  if (*is_event) {
    events->total++;
    events->times += frame->t != events->last_time;
    events->last_time = frame->t;
    if (events->kept < events->limit) error = keep(events, frame);
  }
  memcpy(events->before, frame->state, (size_t)events->n * sizeof(double));
  return error;
}
