/* Panels of a record: its pictures over time (thud/plot.h), as numbers. */
#include "page/page.h"
#include "plot/picture.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 16 }; /* components of a channel that are all shown */

/* The series of one picture, with room to thin them. */
typedef struct panel_writer {
  page_record *record;
  const char *group; /* of the panels; NULL: as their labels say */
  thud_text shown;   /* ",NAME," of every panel */
  size_t capacity;
  size_t *kept;  /* [capacity] */
  double *x, *y; /* [capacity] */
} panel_writer;

static const thud_record_channel *frames_channel(const page_record *record, size_t k) {
  return thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, k);
}

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* ---- series ---------------------------------------------------------------------------------------------------------- */

static bool reserve(panel_writer *writer, size_t count) {
  page_build *page = writer->record->page;
  if (count <= writer->capacity) return true;
  thud_free(page->context, writer->kept);
  thud_free(page->context, writer->x);
  thud_free(page->context, writer->y);
  writer->capacity = 0;
  writer->kept = THUD_NEW_ARRAY(page->context, size_t, count);
  writer->x = THUD_NEW_ARRAY(page->context, double, count);
  writer->y = THUD_NEW_ARRAY(page->context, double, count);
  if (writer->kept == NULL || writer->x == NULL || writer->y == NULL) return thud_page_take(page, THUD_ERROR_MEMORY);
  writer->capacity = count;
  return true;
}

/* Breaks in front of points that are kept, by their new numbers. */
static void write_breaks(panel_writer *writer, const thud_plot_series *series, size_t count) {
  thud_json *json = &writer->record->page->json;
  size_t place = 0, last = 0;
  thud_json_key(json, "breaks");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < series->break_count; k++) {
    while (place < count && writer->kept[place] < series->breaks[k]) place++;
    if (place == count || place == last) continue;
    thud_json_integer(json, (int64_t)place);
    last = place;
  }
  thud_json_end_array(json);
}

/* True: points were left out. */
static bool write_points(panel_writer *writer, const thud_plot_series *series) {
  page_build *page = writer->record->page;
  if (!reserve(writer, series->count)) return false;
  size_t most = (size_t)page->options.most_points;
  size_t count = thud_page_thin(series->count, series->x, series->y, most, writer->kept);
  for (size_t k = 0; k < count; k++) {
    writer->x[k] = series->x[writer->kept[k]];
    writer->y[k] = series->y[writer->kept[k]];
  }
  thud_page_doubles(page, "x", count, writer->x);
  thud_page_doubles(page, "y", count, writer->y);
  write_breaks(writer, series, count);
  return count < series->count;
}

static bool write_series(panel_writer *writer, const thud_plot_series *series, int colour) {
  static const char *const styles[] = {"line", "steps", "markers", "line-markers", "stems", "points", "area"};
  static const char *const dashes[] = {"none", "dashed", "dotted", "dash-dot"};
  thud_json *json = &writer->record->page->json;
  thud_json_begin_object(json);
  thud_json_string_field(json, "label", series->label != NULL ? series->label : "");
  thud_json_string_field(json, "style", styles[series->style]);
  thud_json_string_field(json, "dash", dashes[(size_t)series->dash % (sizeof dashes / sizeof *dashes)]);
  thud_json_integer_field(json, "colour", series->colour > 0 ? series->colour : colour);
  thud_json_key(json, "jumps");
  thud_json_bool(json, !series->no_jumps);
  bool thinned = write_points(writer, series);
  thud_json_end_object(json);
  return thinned;
}

/* ---- panels ---------------------------------------------------------------------------------------------------------- */

static void write_names(thud_json *json, const thud_plot_panel *panel) {
  thud_json_key(json, "names");
  if (panel->y_name_count == 0) {
    thud_json_null(json);
    return;
  }
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < panel->y_name_count; k++) thud_json_string(json, panel->y_names[k]);
  thud_json_end_array(json);
}

static void write_rules(thud_json *json, const thud_plot_panel *panel) {
  thud_json_key(json, "rules");
  thud_json_begin_array(json);
  for (size_t k = 0; k < panel->rule_count; k++) {
    thud_json_begin_object(json);
    thud_json_key(json, "vertical");
    thud_json_bool(json, panel->rules[k].vertical);
    thud_json_number_field(json, "value", panel->rules[k].value);
    thud_json_string_field(json, "label", panel->rules[k].label != NULL ? panel->rules[k].label : "");
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* The channel of frames that a panel shows; NULL: an event's, or slopes of a series. */
static const thud_record_channel *channel_of(const page_record *record, const char *label) {
  size_t index;
  if (thud_record_find_channel(record->reader, THUD_RECORD_FRAMES, label, &index) != THUD_OK) return NULL;
  return frames_channel(record, index);
}

/* True if the series are those of the first components, not of some that move or lie far from each other. */
static bool shows_first(const thud_record_channel *channel, const thud_plot_panel *panel) {
  for (size_t k = 0; k < panel->series_count; k++)
    if (channel->components == NULL || panel->series[k].label == NULL ||
        strcmp(panel->series[k].label, channel->components[k]) != 0)
      return false;
  return true;
}

/* Says which components the panel leaves out. */
static void write_note(const panel_writer *writer, const thud_plot_panel *panel, bool thinned) {
  const thud_record_channel *channel = channel_of(writer->record, panel->y_label != NULL ? panel->y_label : "");
  size_t width = channel == NULL ? 0 : channel->width > 0 ? channel->width : channel->group;
  char text[160];
  snprintf(text, sizeof text, "%s", thinned ? "points that cannot be seen are left out" : "");
  if (panel->series_count == THUD_PLOT_COMPONENTS &&
      width > (writer->group == NULL ? THUD_PLOT_COMPONENTS : MOST_NAMED))
    snprintf(text, sizeof text, "%s%d of %zu components%s%s", shows_first(channel, panel) ? "the first " : "",
             THUD_PLOT_COMPONENTS, width, thinned ? "; " : "",
             thinned ? "points that cannot be seen are left out" : "");
  thud_json_string_field(&writer->record->page->json, "note", text);
}

/* Reactions and their impulses are shown by themselves: the role of the channel says what they are. */
static const char *group_of(const page_record *record, const char *label) {
  const thud_record_channel *channel = channel_of(record, label);
  if (strcmp(label, "impulse") == 0) return "reaction";
  return channel != NULL && begins_with(channel->role, "reaction") ? "reaction" : "motion";
}

static void write_panel(panel_writer *writer, const thud_plot_panel *panel) {
  page_build *page = writer->record->page;
  thud_json *json = &page->json;
  const char *label = panel->y_label != NULL ? panel->y_label : "";
  bool thinned = false;
  thud_json_begin_object(json);
  thud_json_string_field(json, "name", label);
  thud_json_string_field(json, "group", writer->group != NULL ? writer->group : group_of(writer->record, label));
  thud_json_string_field(json, "label", label);
  thud_json_string_field(json, "unit", panel->y_unit != NULL ? panel->y_unit : "");
  thud_json_key(json, "log");
  thud_json_bool(json, panel->y_log);
  write_names(json, panel);
  thud_json_key(json, "series");
  thud_json_begin_array(json);
  for (size_t k = 0; k < panel->series_count && thud_page_state(page) == THUD_OK; k++)
    if (write_series(writer, &panel->series[k], (int)(k % THUD_PLOT_COLOURS) + 1)) thinned = true;
  thud_json_end_array(json);
  write_rules(json, panel);
  write_note(writer, panel, thinned);
  thud_json_end_object(json);
}

/* The panels of one picture; a record that has nothing of the kind has none. False: it is not over time. */
static bool write_picture(panel_writer *writer, const thud_plot_choice *choice) {
  page_build *page = writer->record->page;
  thud_picture *picture = NULL;
  if (thud_page_state(page) != THUD_OK) return true;
  static const thud_plot_choice usual = {0};
  thud_error error = thud_picture_create_open(page->context, writer->record->path, writer->record->reader,
                                              choice != NULL ? choice : &usual, &picture);
  if (error == THUD_ERROR_NOT_FOUND || !thud_page_take(page, error)) return true;
  const thud_plot_figure *figure = thud_picture_figure(picture);
  bool over_time = figure->x_label != NULL && strcmp(figure->x_label, "t") == 0;
  for (size_t k = 0; over_time && k < figure->panel_count; k++) {
    write_panel(writer, &figure->panels[k]);
    thud_text_print(&writer->shown, ",%s,", figure->panels[k].y_label);
  }
  thud_picture_destroy(picture);
  return over_time;
}

/* ---- which ----------------------------------------------------------------------------------------------------------- */

/* The state and the reactions over time. The usual picture of a string or beam is one over its length, which the film
 * shows: then channel by channel. */
static void write_usual(panel_writer *writer) {
  const page_record *record = writer->record;
  const thud_record_channel *channel;
  if (write_picture(writer, NULL)) return;
  for (size_t k = 0; (channel = frames_channel(record, k)) != NULL; k++)
    if (channel->state) write_picture(writer, &(thud_plot_choice){.panels = channel->name});
}

/* The group of a channel that the usual picture does not show; NULL: it has no panel. Values that are known at rows only,
 * left limits and what other parts of the page show are left out. */
static const char *further_group(const thud_record_channel *channel) {
  static const char *const elsewhere[] = {"time",         "side",  "step", "end",         "velocity_average",
                                          "accumulation", "proof", "atom", "defect_bound"};
  if (channel->width == 0 || channel->state || begins_with(channel->role, "reaction")) return NULL;
  for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
    if (strcmp(channel->role, elsewhere[k]) == 0) return NULL;
  if (strcmp(channel->role, "ledger") == 0) return "energy";
  if (strstr(channel->name, "residual") != NULL) return "residual";
  return channel->look == THUD_LOOK_POINT ? NULL : "other";
}

static bool is_shown(const panel_writer *writer, const char *name) {
  char entry[THUD_RECORD_NAME_LENGTH + 3];
  snprintf(entry, sizeof entry, ",%s,", name);
  return strstr(thud_text_chars(&writer->shown), entry) != NULL;
}

/* All components, where they are few, by their names: pictures show eight unless asked. */
static void list_components(const thud_record_channel *channel, thud_text *list) {
  if (channel->width <= THUD_PLOT_COMPONENTS || channel->width > MOST_NAMED) return;
  for (size_t c = 0; c < channel->width; c++) thud_text_print(list, "%s%s", c > 0 ? "," : "", channel->components[c]);
}

static void write_further(panel_writer *writer, const thud_record_channel *channel, const char *group) {
  page_build *page = writer->record->page;
  if (group == NULL || is_shown(writer, channel->name)) return;
  thud_text list = thud_text_new(page->context);
  list_components(channel, &list);
  writer->group = group;
  if (thud_page_take(page, list.error))
    write_picture(writer, &(thud_plot_choice){.panels = channel->name, .components = list.data});
  thud_text_free(&list);
}

void thud_page_write_panels(page_record *record) {
  page_build *page = record->page;
  panel_writer writer = {.record = record, .shown = thud_text_new(page->context)};
  const thud_record_channel *channel;
  size_t residual;
  thud_json_key(&page->json, "panels");
  thud_json_begin_array(&page->json);
  if (record->info.rows[THUD_RECORD_FRAMES] > 0) {
    write_usual(&writer);
    for (size_t k = 0; (channel = frames_channel(record, k)) != NULL; k++)
      write_further(&writer, channel, further_group(channel));
    /* from event to event: the residuals of the impacts */
    if (thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "residual", &residual) == THUD_OK)
      write_further(&writer, thud_record_reader_channel(record->reader, THUD_RECORD_EVENTS, residual), "residual");
  }
  thud_json_end_array(&page->json);
  thud_page_take(page, writer.shown.error);
  thud_text_free(&writer.shown);
  void *const arrays[] = {writer.kept, writer.x, writer.y};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(page->context, arrays[k]);
}
