#include "run/samples.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times of events carry a few roundings: a sample asked for at 3 belongs to an event at 3 - 4e-16. */
static const double series_rounding = 16 * DBL_EPSILON;

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

thud_error thud_run_samples_create(thud_context *context, const run_state *state, size_t count, const double *times,
                                   double start, double end, run_samples *samples) {
  size_t total, n = state->count;
  *samples = (run_samples){.context = context, .state = state, .n = n};
  for (size_t k = 0; k < count; k++)
    if (!(times[k] >= start && times[k] <= end))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "the sample time %g lies outside the run, from %g to %g", times[k],
                       start, end);
  if (!thud_size_multiply(count, n, &total)) return thud_fail(context, THUD_ERROR_OVERFLOW, "too many samples");
  samples->count = count;
  samples->rounding = thud_run_state_has_series(state) ? series_rounding : 0;
  samples->times = THUD_NEW_ARRAY(context, double, count);
  samples->right = THUD_NEW_ARRAY(context, double, total);
  samples->left = THUD_NEW_ARRAY(context, double, total);
  samples->first_state = THUD_NEW_ARRAY(context, double, n);
  samples->last_state = THUD_NEW_ARRAY(context, double, n);
  samples->work = THUD_NEW_ARRAY(context, double, 2 * n);
  if (samples->times == NULL || samples->right == NULL || samples->left == NULL || samples->first_state == NULL ||
      samples->last_state == NULL || samples->work == NULL)
    return THUD_ERROR_MEMORY;
  if (count > 0) memcpy(samples->times, times, count * sizeof *times);
  if (count > 0) qsort(samples->times, count, sizeof *times, compare_times);
  return THUD_OK;
}

void thud_run_samples_destroy(run_samples *samples) {
  if (samples->context == NULL) return;
  thud_free(samples->context, samples->times);
  thud_free(samples->context, samples->right);
  thud_free(samples->context, samples->left);
  thud_free(samples->context, samples->first_state);
  thud_free(samples->context, samples->last_state);
  thud_free(samples->context, samples->work);
  *samples = (run_samples){0};
}

/* ---- states go by ------------------------------------------------------------------------------------------------ */

/* Samples at last_time itself: both limits are known once the time has passed. */
static void settle_at_last(run_samples *s) {
  size_t bytes = s->n * sizeof(double);
  double latest = s->last_time + s->rounding * fabs(s->last_time);
  for (; s->next < s->count && s->times[s->next] <= latest; s->next++) {
    memcpy(s->left + s->next * s->n, s->first_state, bytes);
    memcpy(s->right + s->next * s->n, s->last_state, bytes);
  }
}

static void settle_between(run_samples *s, double t, const double *state) {
  double before = t - s->rounding * fabs(t);
  for (; s->next < s->count && s->times[s->next] < before; s->next++) {
    double weight = (s->times[s->next] - s->last_time) / (t - s->last_time);
    for (size_t i = 0; i < s->n; i++) {
      double value = s->last_state[i] + weight * (state[i] - s->last_state[i]);
      s->left[s->next * s->n + i] = s->right[s->next * s->n + i] = value;
    }
  }
}

static void add_state(run_samples *s, double t, const double *state) {
  bool new_time = !s->any || t != s->last_time;
  if (s->any && new_time) {
    settle_at_last(s);
    settle_between(s, t, state);
  }
  if (new_time) memcpy(s->first_state, state, s->n * sizeof(double));
  memcpy(s->last_state, state, s->n * sizeof(double));
  s->last_time = t;
  s->any = true;
}

static void add_on_series(run_samples *s, const thud_record_cell *cells, double t) {
  thud_run_state_at(s->state, cells, t, s->work);
  add_state(s, t, s->work);
}

/* Every asked time within the row gets a state of its own; the end is a left limit, unless its slope means nothing:
 * the next row says it then. */
static void add_series(run_samples *s, double t0, const thud_record_cell *cells) {
  const run_state *state = s->state;
  double t1 = state->end != SIZE_MAX ? cells[state->end].values[0] : t0;
  double after = t0 + s->rounding * fabs(t0), before = t1 - s->rounding * fabs(t1);
  bool loose = state->loose != SIZE_MAX && cells[state->loose].values[0] != 0;
  for (size_t k = s->next; k < s->count && s->times[k] < before; k++)
    if (s->times[k] > after) add_on_series(s, cells, s->times[k]);
  if (t1 > t0 && !loose) add_on_series(s, cells, t1);
}

void thud_run_samples_add(run_samples *s, double t, const thud_record_cell *cells) {
  if (s->count == 0) return;
  thud_run_state_read(s->state, cells, s->work, s->work + s->n);
  add_state(s, t, s->work);
  add_state(s, t, s->work + s->n);
  if (thud_run_state_has_series(s->state)) add_series(s, t, cells);
}

void thud_run_samples_finish(run_samples *samples) {
  if (samples->any) settle_at_last(samples);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Number of samples, how many are settled, the time of the last row, whether there was one; first and last state there;
 * times, right and left limits. */
enum { HEAD = 4 };

static size_t size_of(size_t n, size_t count) { return (HEAD + 2 * n + count * (1 + 2 * n)) * sizeof(double); }

size_t thud_run_samples_size(const run_samples *samples) { return size_of(samples->n, samples->count); }

void thud_run_samples_save(const run_samples *samples, void *block) {
  size_t n = samples->n, count = samples->count;
  double *to = block;
  const double head[HEAD] = {(double)count, (double)samples->next, samples->last_time, samples->any};
  const struct {
    const double *from;
    size_t count;
  } parts[] = {{head, HEAD},
               {samples->first_state, n},
               {samples->last_state, n},
               {samples->times, count},
               {samples->right, count * n},
               {samples->left, count * n}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    if (parts[k].count > 0) memcpy(to, parts[k].from, parts[k].count * sizeof(double));
    to += parts[k].count;
  }
}

thud_error thud_run_samples_restore(run_samples *samples, const void *block, size_t size, double start, double end) {
  thud_context *context = samples->context;
  size_t n = samples->n, most = size / sizeof(double);
  double *from = thud_alloc(context, most + 1, sizeof(double)); /* aligned */
  if (from == NULL) return THUD_ERROR_MEMORY;
  memcpy(from, block, most * sizeof(double));
  const double *head = from, *states = from + HEAD, *times = states + 2 * n;
  thud_error error = THUD_OK;
  bool whole = most >= HEAD + 2 * n && head[0] >= 0 && head[0] <= (double)most && head[1] >= 0 && head[1] <= head[0];
  size_t count = whole ? (size_t)head[0] : 0;
  if (!whole || size_of(n, count) != size)
    error = thud_fail(context, THUD_ERROR_ARGUMENT, "the checkpoint is damaged, or of another version of thud");
  if (error == THUD_OK && samples->count == 0 && count > 0) {
    const run_state *state = samples->state;
    thud_run_samples_destroy(samples);
    error = thud_run_samples_create(context, state, count, times, start, end, samples);
  }
  if (error == THUD_OK &&
      (samples->count != count || (count > 0 && memcmp(samples->times, times, count * sizeof(double)) != 0)))
    error = thud_fail(context, THUD_ERROR_ARGUMENT,
                      "the run was begun with other sample times: give the same --at as before, or none");
  if (error == THUD_OK) {
    memcpy(samples->first_state, states, n * sizeof(double));
    memcpy(samples->last_state, states + n, n * sizeof(double));
    if (count > 0) memcpy(samples->right, times + count, count * n * sizeof(double));
    if (count > 0) memcpy(samples->left, times + count + count * n, count * n * sizeof(double));
    samples->next = (size_t)head[1];
    samples->last_time = head[2];
    samples->any = head[3] != 0;
  }
  thud_free(context, from);
  return error;
}

/* ---- reporting ----------------------------------------------------------------------------------------------------
 */

static void write_side(const run_samples *samples, thud_json *json, const char *key, const double *values) {
  thud_json_key(json, key);
  thud_json_begin_array(json);
  for (size_t k = 0; k < samples->next; k++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", samples->times[k]);
    thud_json_key(json, "state");
    thud_run_state_json(samples->state, values + k * samples->n, json);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

void thud_run_samples_json(const run_samples *samples, thud_json *json) {
  if (samples->count == 0) return;
  write_side(samples, json, "samples", samples->right);
  write_side(samples, json, "samples_left", samples->left);
}

/* One line per asked time, two where the motion jumps. */
void thud_run_samples_lines(const run_samples *samples, thud_text *text) {
  size_t n = samples->n;
  for (size_t k = 0; k < samples->next; k++) {
    const double *left = samples->left + k * n, *right = samples->right + k * n;
    bool jumps = memcmp(left, right, n * sizeof(double)) != 0;
    if (jumps) thud_run_state_line(samples->state, "sample", samples->times[k], "-", left, text);
    thud_run_state_line(samples->state, "sample", samples->times[k], jumps ? "+" : "", right, text);
  }
}
