#include "run/state.h"
#include "record/names.h"
#include "run/report.h"

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
                        "two numbers of the state are called '%s': give components names of their own", sorted[i]);
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

/* What is rounding beside the largest value met prints as 0; values with one unit share their scale. */
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

void thud_run_state_line(const run_state *state, const char *what, double t, const char *side, const double *values,
                         thud_text *text) {
  enum { SHOWN = 6 };
  size_t hidden = 0;
  thud_text_print(text, "  %-*s t = %.10g%s", REPORT_LABEL, what, t, side);
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    if (print_range(state, part, values, text)) continue;
    for (size_t i = 0; i < part->width && i < SHOWN; i++)
      thud_text_print(text, ", %s = %.10g", state->names[part->first + i],
                      shown(state, part, i, values[part->first + i]));
    if (part->width > SHOWN) hidden += part->width - SHOWN;
  }
  if (hidden > 0) thud_text_print(text, ", and %zu more number%s", hidden, thud_plural(hidden));
  thud_text_print(text, "\n");
}
