/* Panels over time: which there are, and the events marked in them. */
#include "plot/picture.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Events that show by themselves, as a jump and a stem: those with an impulse. Unless they close a time of their own
 * (role "begin"): the impulse there is not what they are about. */
static thud_error find_shown(thud_picture *picture, const plot_record *record, bool *shown) {
  plot_source source = {.table = THUD_RECORD_EVENTS};
  plot_reading reading;
  if (thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "impulse", &source.index) != THUD_OK) return THUD_OK;
  if (thud_plot_channel(record, source)->type == THUD_RECORD_TEXT) return THUD_OK;
  thud_error error = thud_plot_read(picture, record, source, false, &reading);
  for (size_t k = 0; k < record->events && error == THUD_OK; k++) {
    if (reading.ends != NULL) shown[k] = reading.ends[k] > (k > 0 ? reading.ends[k - 1] : 0);
    for (size_t c = 0; c < reading.width && reading.ends == NULL; c++) {
      double impulse = reading.values[k * reading.width + c];
      shown[k] = shown[k] || (isfinite(impulse) && impulse != 0);
    }
    if (record->begin_event != NULL && isfinite(record->begin_event[k])) shown[k] = false;
  }
  thud_plot_reading_free(picture, &reading);
  return error;
}

/* Lines at the events that do not show by themselves; none when they are too many. A name that would cross the next
 * line is left out. */
static void place_marks(thud_picture *picture, const plot_record *record, const bool *shown) {
  const double last = record->end != NULL ? record->end[record->rows - 1] : record->t[record->rows - 1];
  const double apart = 0.08 * (last - record->t[0]);
  size_t count = 0, index = 0;
  const thud_record_channel *kind = NULL;
  if (record->kind_event != NULL &&
      thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "kind", &index) == THUD_OK)
    kind = thud_record_reader_channel(record->reader, THUD_RECORD_EVENTS, index);
  for (size_t k = 0; k < record->events; k++) {
    if (shown[k] || !isfinite(record->t_event[k])) continue;
    if (count == PLOT_MOST_MARKS) return;
    thud_plot_rule *mark = &picture->marks[count];
    *mark = picture->plain[count] = (thud_plot_rule){.vertical = true, .value = record->t_event[k]};
    if (count > 0 && mark->value < picture->marks[count - 1].value + apart) picture->marks[count - 1].label = NULL;
    count++;
    double number = kind != NULL ? record->kind_event[k] : -1;
    if (number >= 0 && number < (double)kind->label_count) mark->label = kind->labels[(size_t)number];
  }
  picture->mark_count = count;
}

static thud_error mark_events(thud_picture *picture) {
  const plot_record *record = &picture->records[0];
  if (picture->record_count > 1 || record->events == 0 || record->t_event == NULL) return THUD_OK;
  bool *shown = THUD_NEW_ARRAY(picture->context, bool, record->events);
  if (shown == NULL) return THUD_ERROR_MEMORY;
  thud_error error = find_shown(picture, record, shown);
  if (error == THUD_OK) place_marks(picture, record, shown);
  thud_free(picture->context, shown);
  for (size_t p = 0; p < picture->panel_count; p++) {
    picture->panels[p].rules = p == 0 ? picture->marks : picture->plain;
    picture->panels[p].rule_count = picture->mark_count;
  }
  return error;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

static bool all_zero(const thud_plot_series *series, size_t count) {
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < series[k].count; i++)
      if (series[k].y[i] != 0) return false;
  return true;
}

/* Values with labels stand at the same heights in every picture. */
void thud_plot_name_values(const thud_record_channel *channel, thud_plot_panel *panel) {
  enum { MOST_NAMES = 16 }; /* that have room beside an axis */
  const double margin = 0.3;
  if (channel->label_count == 0 || channel->label_count > MOST_NAMES) return;
  panel->y_fixed = true;
  panel->y_minimum = -margin;
  panel->y_maximum = (double)channel->label_count - 1 + margin;
  panel->y_name_count = channel->label_count;
  panel->y_names = channel->labels;
}

/* The panel of this name with the series of all records that have it; *found: one has. An empty panel is left out, and
 * so are reactions that are 0 unless they were asked for. THUD_ERROR_NOT_FOUND: none of the components is in it. */
static thud_error add_panel(thud_picture *picture, const char *name, const char *components, bool asked, bool *found) {
  size_t first = picture->series_count;
  thud_plot_panel panel = {0};
  bool reaction = false;
  thud_error error = THUD_OK, missing = THUD_OK;
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++) {
    const plot_record *record = &picture->records[k];
    plot_source source;
    if (!thud_plot_find_source(record, name, &source)) continue;
    if (!*found) {
      panel.y_unit = thud_plot_unit(picture, record, source);
      thud_plot_name_values(thud_plot_channel(record, source), &panel);
    }
    *found = true;
    reaction = reaction || (thud_plot_is_reaction(record, source) && source.part == PLOT_VALUES);
    error = thud_plot_add_source(picture, record, source, components);
    if (error == THUD_ERROR_NOT_FOUND && !asked) {
      missing = error;
      error = THUD_OK;
    }
  }
  if (error != THUD_OK) return error;
  size_t count = picture->series_count - first;
  if (count == 0 && missing != THUD_OK) return missing;
  if (reaction && !asked && all_zero(picture->series + first, count)) picture->series_count = first;
  if (picture->series_count == first) return THUD_OK;
  panel.y_label = thud_plot_text(picture, "%s", name);
  panel.series = picture->series + first;
  panel.series_count = count;
  if (panel.y_label == NULL || panel.y_unit == NULL) return THUD_ERROR_MEMORY;
  picture->panels[picture->panel_count++] = panel;
  return THUD_OK;
}

static thud_error fail_unknown(const thud_picture *picture, const char *name) {
  const plot_record *record = &picture->records[0];
  char candidate[PLOT_NAME];
  thud_text list = thud_text_new(picture->context);
  for (size_t k = 0; k < record->source_count; k++) {
    thud_plot_source_name(record, record->sources[k], candidate);
    thud_text_print(&list, "%s%s", k > 0 ? ", " : "", candidate);
  }
  thud_error error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "record '%s' has no panel '%s'; there are %s",
                               record->stem, name, thud_text_chars(&list));
  thud_text_free(&list);
  return error;
}

/* The panels asked for, one after the other. */
static thud_error add_asked(thud_picture *picture, const char *list, const char *components) {
  thud_error error = THUD_OK;
  while (*list != '\0' && error == THUD_OK) {
    size_t length = strcspn(list, ",");
    if (picture->panel_count == THUD_PLOT_PANELS)
      return thud_fail(picture->context, THUD_ERROR_ARGUMENT, "at most %d panels fit into one picture",
                       THUD_PLOT_PANELS);
    char *name = thud_strndup(picture->context, list, length);
    if (name == NULL) return THUD_ERROR_MEMORY;
    bool found = false;
    error = add_panel(picture, name, components, true, &found);
    if (error == THUD_OK && !found) error = fail_unknown(picture, name);
    thud_free(picture->context, name);
    list += length + (list[length] == ',');
  }
  return error;
}

static bool has_usual(const plot_record *record, const char *name) {
  char other[PLOT_NAME];
  for (size_t k = 0; k < record->usual_count; k++) {
    thud_plot_source_name(record, record->sources[k], other);
    if (strcmp(other, name) == 0) return true;
  }
  return false;
}

/* State, reactions and impulses of the first record, and what others have besides. Channels of the state without any of
 * the components are left out, but for one: bodies have positions, rotations and velocities. */
static thud_error add_usual(thud_picture *picture, const char *components) {
  char missing[PLOT_NAME] = "";
  bool any = false;
  thud_error error = THUD_OK;
  for (size_t r = 0; r < picture->record_count; r++)
    for (size_t k = 0; k < picture->records[r].usual_count && error == THUD_OK; k++) {
      char name[PLOT_NAME];
      bool found = false, there = picture->panel_count == THUD_PLOT_PANELS;
      thud_plot_source_name(&picture->records[r], picture->records[r].sources[k], name);
      for (size_t before = 0; before < r && !there; before++) there = has_usual(&picture->records[before], name);
      if (there) continue;
      error = add_panel(picture, name, components, false, &found);
      any = any || (error == THUD_OK && thud_plot_channel(&picture->records[r], picture->records[r].sources[k])->state);
      if (error != THUD_ERROR_NOT_FOUND) continue;
      if (missing[0] == '\0') snprintf(missing, sizeof missing, "%s", name);
      error = THUD_OK;
    }
  if (error == THUD_OK && !any && missing[0] != '\0')
    error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "channel '%s' has no component among '%s'", missing,
                      components);
  return error;
}

thud_error thud_plot_add_panels(thud_picture *picture, const char *panels, const char *components) {
  thud_error error = panels != NULL ? add_asked(picture, panels, components) : add_usual(picture, components);
  if (error == THUD_OK && picture->panel_count == 0)
    error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "there is nothing to draw in %s",
                      panels != NULL ? panels : picture->records[0].stem);
  picture->figure.x_label = "t";
  picture->figure.x_unit = picture->records[0].time_unit;
  return error == THUD_OK ? mark_events(picture) : error;
}
