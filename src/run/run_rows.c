/* Rows of a motion as the driver reads them: the state in them, by the descriptions of the channels; states at asked times;
 * what a layout needs beyond what every record needs. */
#include "base/base.h"
#include "record/cells.h"
#include "record/record_names.h"
#include "run/run_rows.h"
#include "run/run_report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which channels ---------------------------------------------------------------------------------------------- */

static void add_part(run_state *state, run_part part) {
  part.first = state->count;
  state->parts[state->part_count++] = part;
  state->count += part.width;
}

static void find_parts(run_state *state, size_t count, const thud_record_channel *channels) {
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = &channels[k];
    if (!channel->state) continue;
    bool series = channel->look == THUD_LOOK_SERIES;
    size_t left = channel->left != NULL ? thud_report_find_name(count, channels, channel->left) : SIZE_MAX;
    run_part part = {.channel = k,
                     .left = series ? SIZE_MAX : left,
                     .width = thud_record_component_count(channel),
                     .series = series,
                     .unit = channel->unit};
    add_part(state, part);
    if (!series || left == SIZE_MAX) continue;
    run_part slope = {.channel = k,
                      .left = left,
                      .width = channels[left].width,
                      .series = true,
                      .slope = true,
                      .unit = channels[left].unit};
    add_part(state, slope);
  }
}

enum { COMPOSED_NAME = THUD_RECORD_NAME_LENGTH + 24 };

static const thud_record_channel *named_by(const run_part *part, const thud_record_channel *channels) {
  return &channels[part->slope ? part->left : part->channel];
}

static bool is_composed(const run_part *part, const thud_record_channel *channels) {
  return part->width > 1 && named_by(part, channels)->components == NULL;
}

static thud_error make_names(thud_context *context, const thud_record_channel *channels, run_state *state) {
  size_t composed = 0;
  for (size_t p = 0; p < state->part_count; p++)
    if (is_composed(&state->parts[p], channels)) composed += state->parts[p].width;
  state->names = thud_alloc(context, state->count, sizeof *state->names);
  state->composed = thud_alloc(context, composed, COMPOSED_NAME);
  if (state->names == NULL || state->composed == NULL) return THUD_ERROR_MEMORY;
  char *next = state->composed;
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    const thud_record_channel *named = named_by(part, channels);
    bool own = is_composed(part, channels);
    for (size_t i = 0; i < part->width; i++, next += own ? COMPOSED_NAME : 0) {
      if (own) snprintf(next, COMPOSED_NAME, "%s[%zu]", named->name, i);
      state->names[part->first + i] = own ? next : named->components != NULL ? named->components[i] : named->name;
    }
  }
  return THUD_OK;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Results are objects with the names as their keys. */
static thud_error check_names(thud_context *context, const run_state *state) {
  const char **sorted = thud_alloc(context, state->count, sizeof *sorted);
  thud_error error = sorted != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (sorted != NULL && state->count > 0) {
    memcpy((void *)sorted, (const void *)state->names, state->count * sizeof *sorted);
    qsort((void *)sorted, state->count, sizeof *sorted, compare_names);
  }
  for (size_t i = 1; i < state->count && error == THUD_OK; i++)
    if (strcmp(sorted[i - 1], sorted[i]) == 0)
      error = thud_fail(context, THUD_ERROR_ARGUMENT,
                        "[duplicate-name] two numbers of the state are called '%s': give components names of their own",
                        sorted[i]);
  thud_free(context, (void *)sorted);
  return error;
}

thud_error thud_run_state_create(thud_context *context, size_t count, const thud_record_channel *channels,
                                 run_state *state) {
  *state = (run_state){0};
  state->parts = thud_alloc(context, count, 2 * sizeof *state->parts); /* a series has two */
  if (state->parts == NULL) return THUD_ERROR_MEMORY;
  find_parts(state, count, channels);
  state->end = thud_report_find_role(count, channels, "end");
  state->loose = thud_report_find_role(count, channels, "accumulation");
  state->largest = THUD_NEW_ARRAY(context, double, state->count);
  if (state->largest == NULL) return THUD_ERROR_MEMORY;
  thud_error error = make_names(context, channels, state);
  return error == THUD_OK ? check_names(context, state) : error;
}

void thud_run_state_free(thud_context *context, run_state *state) {
  thud_free(context, (void *)state->names);
  thud_free(context, state->composed);
  thud_free(context, state->parts);
  thud_free(context, state->largest);
}

bool thud_run_state_has_series(const run_state *state) { return state->part_count > 0 && state->parts[0].series; }

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The i-th value of a part: coefficients of (t - t0)^0 of a series, (t - t0)^1 of its slope. A series that ends before
 * that has the slope 0, one without coefficients is not known. */
static double value_of(const run_part *part, const thud_record_cell *cells, size_t i) {
  const thud_record_cell *cell = &cells[part->channel];
  size_t place = part->slope ? part->width + i : i;
  if (place < cell->count) return cell->values[place];
  return cell->count > i ? 0 : NAN;
}

static double left_of(const run_part *part, const thud_record_cell *cells, size_t i) {
  return part->left != SIZE_MAX ? cells[part->left].values[i] : value_of(part, cells, i);
}

void thud_run_state_read(const run_state *state, const thud_record_cell *cells, double *left, double *right) {
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    for (size_t i = 0; i < part->width; i++) {
      if (right != NULL) right[part->first + i] = value_of(part, cells, i);
      if (left != NULL) left[part->first + i] = left_of(part, cells, i);
    }
  }
}

void thud_run_state_at(const run_state *state, const thud_record_cell *cells, double t, double *values) {
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    if (!part->series || part->slope) continue;
    const run_part *slope = p + 1 < state->part_count && state->parts[p + 1].slope ? part + 1 : NULL;
    size_t terms = cells[part->channel].count / part->width;
    const thud_event_arc series = {
        .t0 = cells[0].values[0], .degree = (thud_index)terms - 1, .q = cells[part->channel].values};
    if (terms > 0)
      thud_event_arc_evaluate(&series, (thud_index)part->width, t, values + part->first,
                              slope != NULL ? values + slope->first : NULL);
    for (size_t i = 0; terms == 0 && i < part->width; i++) {
      values[part->first + i] = NAN;
      if (slope != NULL) values[slope->first + i] = NAN;
    }
  }
}

void thud_run_state_note(run_state *state, const thud_record_cell *cells) {
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    double *largest = state->largest + part->first;
    for (size_t i = 0; i < part->width; i++)
      largest[i] = thud_larger(largest[i], thud_larger(fabs(value_of(part, cells, i)), fabs(left_of(part, cells, i))));
  }
}

/* ---- reporting ----------------------------------------------------------------------------------------------------
 */

void thud_run_state_json(const run_state *state, const double *values, thud_json *json) {
  thud_json_begin_object(json);
  for (size_t i = 0; i < state->count; i++) thud_json_number_field(json, state->names[i], values[i]);
  thud_json_end_object(json);
}

/* Values within rounding of the largest value met print as 0; values with one unit share their scale. */
static double shown(const run_state *state, const run_part *part, size_t i, double value) {
  const double rounding = 1e-14;
  const double *largest = state->largest + part->first;
  double scale = largest[i];
  bool shared = part->unit != NULL && part->unit[0] != '\0';
  for (size_t k = 0; k < part->width && shared; k++) scale = fmax(scale, largest[k]);
  return fabs(value) <= rounding * scale ? 0 : value;
}

/* A field, whose components are named by places, u(0.25), is shown by its range. */
static bool print_range(const run_state *state, const run_part *part, const double *values, thud_text *text) {
  enum { FEW = 12 };
  const char *name = state->names[part->first], *open = strchr(name, '(');
  size_t low = 0, high = 0;
  if (part->width <= FEW || open == NULL || name[strlen(name) - 1] != ')') return false;
  values += part->first;
  for (size_t i = 1; i < part->width; i++) {
    if (values[i] < values[low]) low = i;
    if (values[i] > values[high]) high = i;
  }
  thud_text_print(text, ", %.*s from %.10g to %.10g", (int)(open - name), name, shown(state, part, low, values[low]),
                  shown(state, part, high, values[high]));
  return true;
}

/* The first components of a part; of a wide one those that were ever different from 0: a fixed floor says nothing. Returns
 * how many are left out. */
static size_t print_part(const run_state *state, const run_part *part, const double *values, thud_text *text) {
  enum { SHOWN = 6 };
  size_t printed = 0;
  for (size_t i = 0; i < part->width && printed < SHOWN; i++) {
    if (part->width > SHOWN && state->largest[part->first + i] == 0) continue;
    thud_text_print(text, ", %s = %.10g", state->names[part->first + i],
                    shown(state, part, i, values[part->first + i]));
    printed++;
  }
  return part->width - printed;
}

void thud_run_state_line(const run_state *state, const char *what, double t, const char *side, const double *values,
                         thud_text *text) {
  size_t hidden = 0;
  thud_text_print(text, "  %-*s t = %.10g%s", REPORT_LABEL, what, t, side);
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    if (!print_range(state, part, values, text)) hidden += print_part(state, part, values, text);
  }
  if (hidden > 0) thud_text_print(text, ", and %zu more number%s", hidden, thud_plural(hidden));
  thud_text_print(text, "\n");
}

/* ---- samples: states at asked times ------------------------------------------------------------------------------ */

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
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[time-outside] the sample time %g lies outside the run, from %g to %g", times[k], start, end);
  if (!thud_size_multiply(count, n, &total))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "[wrong-count] too many samples");
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
  whole = whole && head[1] == floor(head[1]) && (head[3] == 0 || head[3] == 1);
  size_t count = whole ? (size_t)head[0] : 0;
  if (!whole || size_of(n, count) != size)
    error = thud_fail(context, THUD_ERROR_FORMAT,
                      "[record-damaged] the checkpoint is damaged, or of another version of thud");
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

/* ---- layouts ----------------------------------------------------------------------------------------------------- */

/* Requirement on a channel with a role, so that the driver can use it. */
typedef struct role_rule {
  thud_record_table table;
  const char *role, *needs;
  bool (*holds)(const thud_record_channel *channel);
} role_rule;

static bool is_one_number(const thud_record_channel *channel) { return channel->width == 1; }
static bool is_text(const thud_record_channel *channel) { return channel->type == THUD_RECORD_TEXT; }
static bool is_numbers(const thud_record_channel *channel) { return channel->type != THUD_RECORD_TEXT; }
static bool is_named(const thud_record_channel *channel) { return channel->width > 0 && channel->components != NULL; }

static const role_rule rules[] = {
    {THUD_RECORD_FRAMES, "ledger", "the role 'ledger' needs a fixed width and names of its components", is_named},
    {THUD_RECORD_FRAMES, "end", "the role 'end' needs the width 1", is_one_number},
    {THUD_RECORD_FRAMES, "accumulation", "the role 'accumulation' needs the width 1", is_one_number},
    {THUD_RECORD_EVENTS, "constraints", "the role 'constraints' needs numbers, with labels as their names", is_numbers},
    {THUD_RECORD_EVENTS, "impulse", "the role 'impulse' needs numbers", is_numbers},
    {THUD_RECORD_EVENTS, "note", "the role 'note' needs the type text", is_text},
};

typedef struct layout_check {
  thud_context *context;
  const thud_kind *kind;
  const thud_record_layout *layout;
} layout_check;

static thud_error refuse(const layout_check *check, thud_record_table table, size_t k, const char *why) {
  return thud_fail(check->context, THUD_ERROR_ARGUMENT, "kind '%s': %s, channel '%s': %s", check->kind->name,
                   thud_record_table_name(table), check->layout->channels[table][k].name, why);
}

static thud_error check_roles(const layout_check *check, thud_record_table table, size_t k) {
  const thud_record_channel *channel = &check->layout->channels[table][k];
  for (size_t r = 0; channel->role != NULL && r < sizeof rules / sizeof *rules; r++)
    if (rules[r].table == table && strcmp(rules[r].role, channel->role) == 0 && !rules[r].holds(channel))
      return refuse(check, table, k, rules[r].needs);
  return THUD_OK;
}

static thud_error check_time(const layout_check *check, thud_record_table table) {
  const thud_record_channel *first = check->layout->channels[table];
  if (check->layout->count[table] == 0 || (first->width == 1 && first->type == THUD_RECORD_REAL)) return THUD_OK;
  return refuse(check, table, 0, "the first channel is the time: one real number");
}

static thud_error check_frames(const layout_check *check) {
  const thud_record_channel *channels = check->layout->channels[THUD_RECORD_FRAMES];
  for (size_t k = 0; k < check->layout->count[THUD_RECORD_FRAMES]; k++)
    if (channels[k].state && channels[k].width == 0 && channels[k].look != THUD_LOOK_SERIES)
      return refuse(check, THUD_RECORD_FRAMES, k, "a part of the state has a fixed width, or is a series");
  return THUD_OK;
}

static thud_error check_events(const layout_check *check) {
  size_t count = check->layout->count[THUD_RECORD_EVENTS];
  const thud_record_channel *channels = check->layout->channels[THUD_RECORD_EVENTS];
  if (count == 0) return THUD_OK;
  if (count == 1) return refuse(check, THUD_RECORD_EVENTS, 0, "events need a second channel, their kind");
  if (channels[1].width != 1 && channels[1].type != THUD_RECORD_TEXT)
    return refuse(check, THUD_RECORD_EVENTS, 1, "the second channel is the kind: one number, or a text");
  for (size_t k = 0; k < count; k++)
    if (strcmp(channels[k].name, "frame") == 0)
      return refuse(check, THUD_RECORD_EVENTS, k, "the driver adds a channel of this name; use another one");
  return THUD_OK;
}

thud_error thud_run_check_layout(thud_context *context, const thud_kind *kind, const thud_record_layout *layout) {
  const layout_check check = {.context = context, .kind = kind, .layout = layout};
  if (layout == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "kind '%s': it has no layout", kind->name);
  thud_error error = thud_record_check_layout(context, layout);
  if (error != THUD_OK) return thud_fail_within(context, error, "kind '%s'", kind->name);
  error = check_frames(&check);
  if (error == THUD_OK) error = check_events(&check);
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS && error == THUD_OK; t++) {
    error = check_time(&check, (thud_record_table)t);
    for (size_t k = 0; k < layout->count[t] && error == THUD_OK; k++)
      error = check_roles(&check, (thud_record_table)t, k);
  }
  return error;
}
