#include "run/state.h"
#include "run/report.h"

#include <math.h>
#include <string.h>

/* ---- which channels ---------------------------------------------------------------------------------------------- */

static void add_part(run_state *state, run_part part) {
  part.first = state->count;
  state->parts[state->part_count++] = part;
  state->count += part.width;
}

static void find_parts(run_state *state, size_t count, const thud_record_channel *channels) {
  for (size_t k = 0; k < count && state->part_count + 2 <= RUN_MOST_PARTS; k++) {
    const thud_record_channel *channel = &channels[k];
    if (!channel->state) continue;
    bool series = channel->look == THUD_LOOK_SERIES;
    size_t left = channel->left != NULL ? thud_report_find_name(count, channels, channel->left) : SIZE_MAX;
    run_part part = {.channel = k,
                     .left = series ? SIZE_MAX : left,
                     .width = series ? channel->group : channel->width,
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

thud_error thud_run_state_create(thud_context *context, size_t count, const thud_record_channel *channels,
                                 run_state *state) {
  *state = (run_state){0};
  find_parts(state, count, channels);
  state->end = thud_report_find_role(count, channels, "end");
  state->loose = thud_report_find_role(count, channels, "accumulation");
  state->names = thud_alloc(context, state->count, sizeof *state->names);
  state->largest = THUD_NEW_ARRAY(context, double, state->count);
  if (state->names == NULL || state->largest == NULL) return THUD_ERROR_MEMORY;
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    const thud_record_channel *named = &channels[part->slope ? part->left : part->channel];
    for (size_t i = 0; i < part->width; i++)
      state->names[part->first + i] = named->components != NULL ? named->components[i] : named->name;
  }
  return THUD_OK;
}

void thud_run_state_free(thud_context *context, run_state *state) {
  thud_free(context, (void *)state->names);
  thud_free(context, state->largest);
}

bool thud_run_state_has_series(const run_state *state) { return state->part_count > 0 && state->parts[0].series; }

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Coefficients of (t - t0)^0 of a series, (t - t0)^1 of its slope. */
static const double *values_of(const run_part *part, const thud_record_cell *cells) {
  const double *values = cells[part->channel].values;
  return part->slope ? values + part->width : values;
}

void thud_run_state_read(const run_state *state, const thud_record_cell *cells, double *left, double *right) {
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    size_t bytes = part->width * sizeof(double);
    if (right != NULL) memcpy(right + part->first, values_of(part, cells), bytes);
    if (left == NULL) continue;
    memcpy(left + part->first, part->left != SIZE_MAX ? cells[part->left].values : values_of(part, cells), bytes);
  }
}

void thud_run_state_at(const run_state *state, const thud_record_cell *cells, double t, double *values) {
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    if (!part->series || part->slope) continue;
    const run_part *slope = p + 1 < state->part_count && state->parts[p + 1].slope ? part + 1 : NULL;
    const thud_event_arc series = {.t0 = cells[0].values[0],
                                   .degree = (thud_index)(cells[part->channel].count / part->width) - 1,
                                   .q = cells[part->channel].values};
    thud_event_arc_evaluate(&series, (thud_index)part->width, t, values + part->first,
                            slope != NULL ? values + slope->first : NULL);
  }
}

void thud_run_state_note(run_state *state, const thud_record_cell *cells) {
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    const double *values = values_of(part, cells);
    const double *left = part->left != SIZE_MAX ? cells[part->left].values : values;
    double *largest = state->largest + part->first;
    for (size_t i = 0; i < part->width; i++)
      largest[i] = thud_larger(largest[i], thud_larger(fabs(values[i]), fabs(left[i])));
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

void thud_run_state_line(const run_state *state, const char *what, double t, const char *side, const double *values,
                         thud_text *text) {
  enum { SHOWN = 6 };
  size_t hidden = 0;
  thud_text_print(text, "  %-*s t = %.10g%s", REPORT_LABEL, what, t, side);
  for (size_t p = 0; p < state->part_count; p++) {
    const run_part *part = &state->parts[p];
    for (size_t i = 0; i < part->width && i < SHOWN; i++)
      thud_text_print(text, ", %s = %.10g", state->names[part->first + i],
                      shown(state, part, i, values[part->first + i]));
    if (part->width > SHOWN && hidden == 0) hidden = part->width - SHOWN;
  }
  if (hidden > 0) thud_text_print(text, ", and %zu more coordinate%s", hidden, thud_plural(hidden));
  thud_text_print(text, "\n");
}
