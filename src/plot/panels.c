/* Panels over time: which there are, and the events marked in them. */
#include "plot/picture.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* An item of the list, resolved in every record. */
typedef struct panel_item {
  const char *name;
  bool asked;                              /* by its name */
  bool channel;                            /* with all its components; otherwise one of them, or an expression */
  bool found[THUD_PLOT_RECORDS];           /* the record has it */
  plot_axis axes[THUD_PLOT_RECORDS];       /* component: unless it is a channel */
  bool reaction, residual;                 /* a channel of this role */
  const thud_record_channel *named_values; /* of a channel; NULL: none */
} panel_item;

/* Moments and angles that are rounding beside the forces or lengths of their channel. */
static bool all_rounding(const thud_picture *picture, const panel_item *item, const thud_plot_series *series,
                         size_t count) {
  double largest = 0;
  for (size_t k = 0; k < picture->record_count; k++) {
    const plot_reading *reading = &item->axes[k].reading;
    for (size_t c = 0; item->found[k] && c < reading->width; c++)
      largest = fmax(largest, thud_plot_rounding(reading, c));
  }
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < series[k].count; i++)
      if (fabs(series[k].y[i]) > largest) return false;
  return true;
}

/* The channel of this name, a component, an expression; item->found stays false when it is none of these. */
static thud_error read_item(thud_picture *picture, size_t k, panel_item *item) {
  plot_record *record = &picture->records[k];
  plot_axis *axis = &item->axes[k];
  plot_source source;
  if (thud_plot_find_source(record, item->name, &source)) {
    const thud_record_channel *channel = thud_plot_channel(record, source);
    item->found[k] = item->channel = true;
    item->reaction = item->reaction || (thud_plot_is_reaction(record, source) && source.part == PLOT_VALUES);
    item->residual = item->residual || strstr(channel->role, "residual") != NULL;
    if (item->named_values == NULL) item->named_values = channel;
    return thud_plot_read(picture, record, source, false, &axis->reading);
  }
  if (!item->asked || item->channel) return THUD_OK;
  thud_error error = thud_plot_find_axis(picture, record, item->name, axis, &item->found[k]);
  if (error != THUD_OK || item->found[k]) return error;
  error = thud_plot_read_expression(picture, record, item->name, &axis->reading);
  item->found[k] = error == THUD_OK;
  return error == THUD_ERROR_NOT_FOUND ? THUD_OK : error; /* another record may have it */
}

/* Minus the first record, which has nothing to show then; the component has another place when others are left out. */
static thud_error subtract_first(thud_picture *picture, panel_item *item) {
  for (size_t k = 1; k < picture->record_count; k++) {
    plot_axis *axis = &item->axes[k];
    item->found[k] = item->found[k] && item->found[0];
    if (!item->found[k]) continue;
    const char *name = axis->reading.names[axis->component];
    thud_error error = thud_plot_subtract(picture, &axis->reading, &item->axes[0].reading);
    if (error != THUD_OK) return error;
    item->found[k] = item->channel ? axis->reading.width > 0
                                   : thud_plot_find_component(&axis->reading, name, strlen(name), &axis->component);
  }
  item->found[0] = false;
  return THUD_OK;
}

static void free_item(const thud_picture *picture, panel_item *item) {
  for (size_t k = 0; k < picture->record_count; k++) thud_plot_reading_free(picture, &item->axes[k].reading);
}

/* ---- axes --------------------------------------------------------------------------------------------------------------- */

/* A list that names x and y means the axes, unless a panel has this name. */
bool thud_plot_is_logarithmic(const thud_picture *picture, const char *panel) {
  return picture->logarithmic != NULL &&
         (thud_plot_listed(picture->logarithmic, panel) || thud_plot_listed(picture->logarithmic, "y"));
}

static bool any_positive(const thud_picture *picture, const panel_item *item) {
  for (size_t k = 0; k < picture->record_count; k++) {
    const plot_reading *reading = &item->axes[k].reading;
    for (size_t i = 0; item->found[k] && reading->ends == NULL && i < reading->count * reading->width; i++)
      if (reading->values[i] > 0) return true;
  }
  return false;
}

/* Asked for, or a residual that is not 0 all the time. */
static bool wants_log(const thud_picture *picture, const panel_item *item) {
  if (picture->logarithmic != NULL) return thud_plot_is_logarithmic(picture, item->name);
  return item->residual && any_positive(picture, item);
}

/* The absolute values, where differences are shown on a logarithmic axis. */
static void make_positive(const thud_picture *picture, panel_item *item) {
  for (size_t k = 0; k < picture->record_count; k++) {
    const plot_reading *reading = &item->axes[k].reading;
    for (size_t i = 0; item->found[k] && i < reading->count * reading->width; i++) {
      reading->values[i] = fabs(reading->values[i]);
      if (reading->left != NULL) reading->left[i] = fabs(reading->left[i]);
    }
  }
}

static thud_error note_left_out(thud_picture *picture, const char *name, size_t components) {
  thud_error error = THUD_OK;
  if (components > 0)
    error =
        thud_plot_note(picture, "%s: %zu more component%s (--components)", name, components, components > 1 ? "s" : "");
  if (error == THUD_OK && picture->not_positive > 0)
    error = thud_plot_note(picture, "%s: %zu left out (0 or negative)", name, picture->not_positive);
  if (error == THUD_OK && picture->unknown > 0)
    error = thud_plot_note(picture, "%s: values that are not known (NaN) are left out", name);
  return error;
}

static const char *title_of(thud_picture *picture, const panel_item *item, plot_scale scale, bool log) {
  if (!picture->difference) return thud_plot_text(picture, "%s%s", item->name, scale.turns ? " (rotation)" : "");
  return thud_plot_text(picture, log ? "|difference of %s|" : "difference of %s", item->name);
}

/* Differences of equal numbers are rounding, or 0. */
static double least_of(const thud_picture *picture, const panel_item *item) {
  const double smallest = 1e-290, rounding = 1e-18;
  double scale = 0;
  for (size_t k = 0; k < picture->record_count; k++) scale = fmax(scale, item->axes[k].reading.scale);
  return fmax(smallest, picture->difference ? rounding * scale : 0);
}

/* ---- panels of an item ------------------------------------------------------------------------------------------------- */

/* The series of the components with this scale as a panel; an empty one is left out. */
static thud_error add_scale(thud_picture *picture, const panel_item *item, plot_scale scale, const char *components) {
  size_t first = picture->series_count, more = 0, left_out = 0;
  thud_error error = THUD_OK;
  thud_plot_panel panel = {.y_unit = scale.unit, .y_log = wants_log(picture, item)};
  picture->y_log = panel.y_log;
  picture->y_least = least_of(picture, item);
  picture->unknown = picture->not_positive = 0;
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++) {
    const plot_reading *reading = &item->axes[k].reading;
    if (!item->found[k]) continue;
    if (item->channel) {
      error = thud_plot_add_components(picture, reading, scale, components, &more);
      left_out = more > left_out ? more : left_out;
    } else if (thud_plot_same_scale(thud_plot_scale_of(reading, item->axes[k].component), scale)) {
      error = thud_plot_add_component(picture, reading, item->axes[k].component, "");
    }
  }
  picture->y_log = false;
  if (error != THUD_OK) return error;
  size_t count = picture->series_count - first;
  bool still = (item->reaction && all_zero(picture->series + first, count)) ||
               (scale.turns && all_rounding(picture, item, picture->series + first, count));
  if (still && !item->asked) picture->series_count = first;
  if (picture->series_count == first)
    return picture->not_positive > 0 ? note_left_out(picture, item->name, 0) : THUD_OK;
  if (picture->panel_count == THUD_PLOT_PANELS) {
    picture->series_count = first;
    if (!item->asked) return thud_plot_note(picture, "%s: no room for this panel (--panels)", item->name);
    return thud_fail(picture->context, THUD_ERROR_ARGUMENT, "[usage] at most %d panels fit into one picture",
                     THUD_PLOT_PANELS);
  }
  if (item->named_values != NULL) thud_plot_name_values(item->named_values, &panel);
  if (item->named_values != NULL && item->named_values->optional) picture->unknown = 0;
  panel.y_label = title_of(picture, item, scale, panel.y_log);
  panel.series = picture->series + first;
  panel.series_count = count;
  if (panel.y_label == NULL) return THUD_ERROR_MEMORY;
  picture->panels[picture->panel_count++] = panel;
  return note_left_out(picture, item->name, left_out);
}

static bool is_among(size_t count, const plot_scale *scales, plot_scale scale) {
  for (size_t k = 0; k < count; k++)
    if (thud_plot_same_scale(scales[k], scale)) return true;
  return false;
}

/* One panel for every scale, in the order of the components: quantities of different units share no axis. */
static thud_error add_scales(thud_picture *picture, panel_item *item, const char *components) {
  enum { MOST_SCALES = 2 * THUD_PLOT_PANELS };
  plot_scale scales[MOST_SCALES];
  size_t count = 0;
  if (picture->difference && wants_log(picture, item)) make_positive(picture, item);
  for (size_t k = 0; k < picture->record_count; k++) {
    const plot_reading *reading = &item->axes[k].reading;
    for (size_t c = 0; item->found[k] && c < reading->width; c++) {
      plot_scale scale = thud_plot_scale_of(reading, c);
      bool shown = item->channel || c == item->axes[k].component;
      if (shown && count < MOST_SCALES && !is_among(count, scales, scale)) scales[count++] = scale;
    }
  }
  thud_error error = THUD_OK;
  for (size_t u = 0; u < count && error == THUD_OK; u++) error = add_scale(picture, item, scales[u], components);
  return error;
}

/* The panels of this name with the series of all records that have it; *found: one has. An empty panel is left out, and
 * so are reactions that are 0 unless they were asked for. THUD_ERROR_NOT_FOUND: none of the components is in it. */
static thud_error add_panel(thud_picture *picture, const char *name, const char *components, bool asked, bool *found) {
  panel_item item = {.name = name, .asked = asked};
  thud_error error = THUD_OK, missing = THUD_OK;
  bool any = false;
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++) {
    error = read_item(picture, k, &item);
    *found = *found || item.found[k];
    if (error != THUD_OK || !item.found[k] || !item.channel) continue;
    thud_plot_meet_components(picture, &item.axes[k].reading, components);
    thud_error chosen = thud_plot_check_components(picture, &item.axes[k].reading, components);
    if (chosen != THUD_OK && asked) error = chosen;
    if (chosen != THUD_OK) missing = chosen;
    item.found[k] = chosen == THUD_OK;
    any = any || item.found[k];
  }
  if (error == THUD_OK && missing != THUD_OK && !any) error = missing;
  if (error == THUD_OK && picture->difference) error = subtract_first(picture, &item);
  if (error == THUD_OK) error = add_scales(picture, &item, components);
  free_item(picture, &item);
  return error;
}

/* A word is the name of something that there is not; of anything else the message says what is wrong with it. */
static thud_error fail_unknown(const thud_picture *picture, const char *name) {
  const plot_record *record = &picture->records[0];
  if (name[strspn(name, THUD_PLOT_WORD)] != '\0') return THUD_ERROR_NOT_FOUND;
  char candidate[PLOT_NAME];
  thud_text list = thud_text_new(picture->context);
  for (size_t k = 0; k < record->source_count; k++) {
    thud_plot_source_name(record, record->sources[k], candidate);
    thud_text_print(&list, "%s%s", k > 0 ? ", " : "", candidate);
  }
  thud_error error =
      thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "[unknown-channel] record '%s' has no panel '%s'; there are %s",
                record->stem, name, thud_text_chars(&list));
  thud_text_free(&list);
  return error;
}

/* The panels asked for, one after the other. */
static thud_error add_asked(thud_picture *picture, const char *list, const char *components) {
  thud_error error = THUD_OK;
  const char *item;
  size_t length;
  while (error == THUD_OK && thud_plot_next_item(&list, &item, &length)) {
    char *name = thud_strndup(picture->context, item, length);
    if (name == NULL) return THUD_ERROR_MEMORY;
    bool found = false;
    error = add_panel(picture, name, components, true, &found);
    if (error == THUD_OK && !found) error = fail_unknown(picture, name);
    thud_free(picture->context, name);
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

/* Differences are those of the states: forces of two motions have their atoms at different times. */
static size_t usual_count(const thud_picture *picture, const plot_record *record) {
  return picture->difference ? record->state_count : record->usual_count;
}

/* State, reactions and impulses of the first record, and what others have besides. Channels of the state without any of
 * the components are left out, but for one: bodies have positions, rotations and velocities. */
static thud_error add_usual(thud_picture *picture, const char *components) {
  char missing[PLOT_NAME] = "";
  bool any = false;
  thud_error error = THUD_OK;
  for (size_t r = 0; r < picture->record_count; r++)
    for (size_t k = 0; k < usual_count(picture, &picture->records[r]) && error == THUD_OK; k++) {
      char name[PLOT_NAME];
      bool found = false, there = false;
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
    error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND,
                      "[unknown-channel] channel '%s' has no component among '%s'", missing, components);
  return error;
}

/* Panels of the items of a list, by name, come before the axes. */
static bool has_log_time(const thud_picture *picture, const char *panels) {
  const char *logs = picture->logarithmic, *item;
  size_t length;
  if (logs == NULL || !thud_plot_listed(logs, "x")) return false;
  while (panels != NULL && thud_plot_next_item(&panels, &item, &length))
    if (length == 1 && *item == 'x') return false;
  return true;
}

/* The whole window, unless the axis is one of logarithms that begins where nothing is. */
static void fix_window(thud_picture *picture) {
  thud_plot_figure *figure = &picture->figure;
  double first = INFINITY, last = -INFINITY;
  for (size_t k = 0; k < picture->record_count; k++) {
    first = fmin(first, picture->records[k].t[0]);
    last = fmax(last, thud_plot_last_time(&picture->records[k]));
  }
  figure->x_minimum = fmax(first, picture->from);
  figure->x_maximum = fmin(last, picture->to);
  bool cut = picture->from > -INFINITY || picture->to < INFINITY;
  figure->x_fixed = cut && figure->x_minimum < figure->x_maximum && (!figure->x_log || figure->x_minimum > 0);
}

thud_error thud_plot_add_panels(thud_picture *picture, const char *panels, const char *components) {
  picture->figure.x_log = picture->x_log = has_log_time(picture, panels);
  thud_error error = panels != NULL ? add_asked(picture, panels, components) : add_usual(picture, components);
  if (error == THUD_OK) error = thud_plot_check_met(picture, components);
  if (error == THUD_OK && picture->panel_count == 0)
    error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "[nothing-to-draw] there is nothing to draw in %s%s",
                      panels != NULL ? panels : picture->records[0].stem,
                      picture->from > -INFINITY || picture->to < INFINITY ? " within the window" : "");
  picture->figure.x_label = "t";
  picture->figure.x_unit = picture->records[0].time_unit;
  fix_window(picture);
  return error == THUD_OK ? thud_plot_mark_events(picture) : error;
}
