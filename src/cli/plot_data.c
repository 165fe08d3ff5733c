#include "cli/plot_data.h"
#include "base/base.h"
#include "thud/event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- records ---------------------------------------------------------------------------------------------- */

thud_error plot_data_create(thud_context *context, size_t record_count, plot_data *data) {
  *data = (plot_data){.context = context};
  if (record_count > PLOT_MAX_RECORDS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "at most %d records fit into one picture", PLOT_MAX_RECORDS);
  data->records = THUD_NEW_ARRAY(context, plot_record, PLOT_MAX_RECORDS);
  data->series = THUD_NEW_ARRAY(context, thud_plot_series, PLOT_MAX_PANELS * PLOT_MAX_SERIES);
  data->labels = thud_alloc(context, PLOT_MAX_PANELS * PLOT_MAX_SERIES + PLOT_MAX_PANELS, PLOT_LABEL);
  bool made = data->records != NULL && data->series != NULL && data->labels != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

void plot_data_destroy(plot_data *data) {
  for (size_t k = 0; k < data->record_count; k++) {
    thud_record_reader_destroy(data->records[k].reader);
    plot_samples_free(data->context, data->records[k].samples);
    thud_free(data->context, data->records[k].t);
    thud_free(data->context, data->records[k].atom);
  }
  for (size_t k = 0; k < data->column_count; k++) thud_free(data->context, data->columns[k]);
  thud_free(data->context, data->columns);
  thud_free(data->context, data->records);
  thud_free(data->context, data->series);
  thud_free(data->context, data->labels);
}

double *plot_new_column(plot_data *data, size_t count) {
  void *columns = data->columns;
  if (thud_array_reserve(data->context, &columns, &data->column_capacity, data->column_count + 1, sizeof(double *)) !=
      THUD_OK)
    return NULL;
  data->columns = columns;
  double *column = THUD_NEW_ARRAY(data->context, double, count);
  if (column != NULL) data->columns[data->column_count++] = column;
  return column;
}

/* A channel of width 1, all rows; *values stays NULL when the record has no channel of that role. */
static thud_error read_single(plot_data *data, plot_record *record, const char *role, double **values) {
  size_t channel;
  if (thud_record_find_role(record->reader, role, &channel) != THUD_OK) return THUD_OK;
  if (thud_record_reader_channel(record->reader, channel)->width != 1) return THUD_OK;
  *values = THUD_NEW_ARRAY(data->context, double, record->rows);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  return thud_record_read(record->reader, channel, 0, record->rows, *values);
}

thud_error plot_data_read(plot_data *data, const char *path) {
  plot_record *record = &data->records[data->record_count];
  thud_error error = thud_record_open(data->context, path, &record->reader);
  if (error != THUD_OK) return error;
  data->record_count++;
  const char *slash = strrchr(path, '/');
  snprintf(record->stem, sizeof record->stem, "%s", slash != NULL ? slash + 1 : path);
  char *dot = strrchr(record->stem, '.'); /* cb.branch-2.h5 is cb.branch-2 */
  if (dot != NULL && dot != record->stem) *dot = '\0';
  record->rows = thud_record_reader_info(record->reader).rows;
  if (record->rows == 0)
    return thud_fail(data->context, THUD_ERROR_FORMAT, "%s: the record holds no frames to draw", path);
  error = read_single(data, record, "time", &record->t);
  if (error == THUD_OK) error = read_single(data, record, "atom", &record->atom);
  for (size_t k = 0; error == THUD_OK && record->atom != NULL && k < record->rows; k++)
    record->atoms += record->atom[k] != 0;
  if (error == THUD_OK && record->t == NULL)
    error = thud_fail(data->context, THUD_ERROR_FORMAT, "%s: the record has no channel of times", path);
  return error == THUD_OK ? plot_sample_arcs(data, record) : error;
}

/* ---- series ---------------------------------------------------------------------------------------------------- */

/* Which rows of a channel a panel shows: everything, densities (no atoms), or atoms only. */
typedef enum row_choice { ALL_ROWS, DENSITY_ROWS, ATOM_ROWS } row_choice;

static bool row_chosen(const plot_record *record, size_t row, row_choice choice) {
  if (choice == ALL_ROWS || record->atom == NULL) return choice != ATOM_ROWS;
  return (record->atom[row] != 0) == (choice == ATOM_ROWS);
}

/* Components of a reaction are drawn under the names of the coordinates they act on. */
static const char *shown_name(const plot_record *record, const thud_record_channel *channel, size_t component) {
  size_t state;
  if (strcmp(channel->role, "reaction") == 0 && thud_record_find_role(record->reader, "state", &state) == THUD_OK) {
    const thud_record_channel *coordinates = thud_record_reader_channel(record->reader, state);
    if (coordinates->width == channel->width) return coordinates->components[component];
  }
  return channel->components[component];
}

/* The rows chosen: times and values. A density belongs to the time since the row before, so its step begins there. */
static size_t choose_rows(const plot_record *record, const double *rows, size_t width, size_t component,
                          row_choice choice, double *x, double *y) {
  size_t count = 0;
  double largest = 0;
  for (size_t k = 0; k < record->rows; k++) {
    if (!row_chosen(record, k, choice)) continue;
    bool density = choice == DENSITY_ROWS;
    if (density && (k == 0 || !(record->t[k] > record->t[k - 1]))) continue; /* no time, no density */
    x[count] = density ? record->t[k - 1] : record->t[k];
    y[count++] = rows[k * width + component];
    largest = fmax(largest, fabs(rows[k * width + component]));
  }
  if (choice != DENSITY_ROWS || count == 0) return count;
  x[count] = record->t[record->rows - 1]; /* where the last step ends */
  y[count] = y[count - 1];
  return largest > 0 || record->atoms == 0 ? count + 1 : 0; /* an empty panel beside impulses says nothing */
}

char *plot_series_label(plot_data *data, const plot_record *record, const char *name) {
  char *label = data->labels[data->series_count];
  if (data->record_count > 1)
    snprintf(label, PLOT_LABEL, "%.70s, %.80s", name, record->stem);
  else
    snprintf(label, PLOT_LABEL, "%s", name);
  return label;
}

/* One component of a channel over time. Adds nothing when no row is chosen. */
static thud_error add_series(plot_data *data, const plot_record *record, const double *rows, size_t width,
                             size_t component, row_choice choice, const char *name) {
  double *x = plot_new_column(data, record->rows + 1), *y = plot_new_column(data, record->rows + 1);
  if (x == NULL || y == NULL) return THUD_ERROR_MEMORY;
  size_t count = choose_rows(record, rows, width, component, choice, x, y);
  if (count == 0) return THUD_OK;
  char *label = plot_series_label(data, record, name);
  data->series[data->series_count++] = (thud_plot_series){.label = label,
                                                          .count = count,
                                                          .x = x,
                                                          .y = y,
                                                          .style = choice == ATOM_ROWS      ? THUD_PLOT_STEMS
                                                                   : choice == DENSITY_ROWS ? THUD_PLOT_STEPS
                                                                                            : THUD_PLOT_LINE,
                                                          .no_jumps = choice != ALL_ROWS};
  return THUD_OK;
}

bool plot_listed(const char *list, const char *name) {
  if (list == NULL) return true;
  size_t length = strlen(name);
  for (const char *p = list; *p != '\0';) {
    size_t word = strcspn(p, ",");
    if (word == length && strncmp(p, name, length) == 0) return true;
    p += word + (p[word] == ',');
  }
  return false;
}

static thud_error add_channel(plot_data *data, plot_record *record, const char *name, row_choice choice,
                              const char *components, const thud_record_channel **channel) {
  size_t index;
  thud_error error = thud_record_find_channel(record->reader, name, &index);
  if (error != THUD_OK) return error;
  *channel = thud_record_reader_channel(record->reader, index);
  size_t width = (*channel)->width, values, added = 0;
  if (!thud_size_multiply(record->rows, width, &values))
    return thud_fail(data->context, THUD_ERROR_OVERFLOW, "channel '%s' is too large to be drawn", name);
  double *rows = THUD_NEW_ARRAY(data->context, double, values);
  if (rows == NULL) return THUD_ERROR_MEMORY;
  error = thud_record_read(record->reader, index, 0, record->rows, rows);
  for (size_t c = 0; c < width && added < PLOT_MAX_COMPONENTS && error == THUD_OK; c++) {
    const char *shown = shown_name(record, *channel, c);
    if (width > 1 && !plot_listed(components, shown)) continue;
    error = add_series(data, record, rows, width, c, choice, shown);
    added++;
  }
  thud_free(data->context, rows);
  if (error == THUD_OK && added == 0)
    error =
        thud_fail(data->context, THUD_ERROR_NOT_FOUND, "channel '%s' has no component among '%s'", name, components);
  return error;
}

/* "impulse" is the reaction's atoms; the reaction itself is drawn without them, as its unit is another. */
static bool all_zero(const thud_plot_series *series, size_t count) {
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < series[k].count; i++)
      if (series[k].y[i] != 0) return false;
  return true;
}

static thud_error add_panel(plot_data *data, const char *name, const char *components, bool asked) {
  bool impulse = strcmp(name, "impulse") == 0, reaction = strcmp(name, "reaction") == 0;
  row_choice choice = impulse ? ATOM_ROWS : reaction ? DENSITY_ROWS : ALL_ROWS;
  size_t first = data->series_count;
  const thud_record_channel *channel = NULL;
  const char *unit = NULL;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < data->record_count && error == THUD_OK; k++) {
    plot_record *record = &data->records[k];
    if (plot_is_motion(record)) {
      error = plot_motion_channel(data, record, name, components, &unit);
      continue;
    }
    error = add_channel(data, record, impulse ? "reaction" : name, choice, components, &channel);
    if (error == THUD_OK) unit = impulse ? NULL : channel->unit;
  }
  if (reaction && !asked && all_zero(data->series + first, data->series_count - first)) data->series_count = first;
  if (error != THUD_OK || data->series_count == first) return error;
  char *label = data->labels[(size_t)PLOT_MAX_PANELS * PLOT_MAX_SERIES + data->panel_count];
  snprintf(label, PLOT_LABEL, "%s", name);
  /* modes have names, at the same heights in every picture */
  static const char *const mode_names[] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};
  bool modes = strcmp(name, "mode") == 0 && data->records[0].samples != NULL;
  data->panels[data->panel_count++] =
      (thud_plot_panel){.y_label = label,
                        .y_unit = unit,
                        .y_fixed = modes,
                        .y_minimum = THUD_CONTACT_OPEN - 0.3,
                        .y_maximum = THUD_CONTACT_SLIDING + 0.3,
                        .y_name_count = modes ? sizeof mode_names / sizeof *mode_names : 0,
                        .y_names = mode_names,
                        .series_count = data->series_count - first,
                        .series = data->series + first};
  return THUD_OK;
}

static void set_x_axis(plot_data *data) {
  size_t channel;
  data->x_unit = NULL;
  if (thud_record_find_role(data->records[0].reader, "time", &channel) == THUD_OK)
    data->x_unit = thud_record_reader_channel(data->records[0].reader, channel)->unit;
  snprintf(data->x_label, sizeof data->x_label, "t");
}

thud_error plot_data_panels(plot_data *data, const char *panels, const char *components) {
  const char *usual = plot_is_motion(&data->records[0]) ? "q,v,reaction,impulse" : "state,reaction,impulse";
  const char *list = panels != NULL ? panels : usual;
  thud_error error = THUD_OK;
  while (*list != '\0' && error == THUD_OK) {
    size_t length = strcspn(list, ",");
    if (data->panel_count == PLOT_MAX_PANELS)
      return thud_fail(data->context, THUD_ERROR_ARGUMENT, "at most %d panels fit into one picture", PLOT_MAX_PANELS);
    char *name = thud_strndup(data->context, list, length);
    if (name == NULL) return THUD_ERROR_MEMORY;
    error = add_panel(data, name, components, panels != NULL);
    thud_free(data->context, name);
    list += length + (list[length] == ',');
  }
  if (error == THUD_OK && data->panel_count == 0)
    error = thud_fail(data->context, THUD_ERROR_NOT_FOUND, "there is nothing to draw in '%s'", panels);
  for (size_t k = 0; k < data->panel_count && data->record_count == 1 && data->records[0].samples != NULL; k++)
    plot_samples_mark(data->records[0].samples, k == 0, &data->panels[k]);
  set_x_axis(data);
  return error;
}

/* ---- the phase plane ------------------------------------------------------------------------------------------------
 */

static thud_error find_component(const plot_data *data, const thud_record_channel *channel, const char *name,
                                 size_t length, size_t *component) {
  for (size_t c = 0; c < channel->width; c++)
    if (strlen(channel->components[c]) == length && strncmp(channel->components[c], name, length) == 0) {
      *component = c;
      return THUD_OK;
    }
  return thud_fail(data->context, THUD_ERROR_NOT_FOUND, "the state has no coordinate '%.*s'", (int)length, name);
}

/* The curve is interrupted where the state jumps; the jumps are dotted. */
static thud_error add_jumps(plot_data *data, const plot_record *record, const double *x, const double *y, int colour) {
  size_t jumps = 0;
  for (size_t k = 1; k < record->rows; k++) jumps += record->t[k] == record->t[k - 1];
  thud_plot_series curve = {.label = data->labels[data->series_count],
                            .count = record->rows,
                            .x = x,
                            .y = y,
                            .colour = colour,
                            .no_jumps = true};
  if (jumps == 0) {
    data->series[data->series_count++] = curve;
    return THUD_OK;
  }
  size_t *breaks = (size_t *)(void *)plot_new_column(data, jumps),
         *gaps = (size_t *)(void *)plot_new_column(data, jumps);
  double *ends_x = plot_new_column(data, 2 * jumps), *ends_y = plot_new_column(data, 2 * jumps);
  if (breaks == NULL || gaps == NULL || ends_x == NULL || ends_y == NULL) return THUD_ERROR_MEMORY;
  size_t at = 0;
  for (size_t k = 1; k < record->rows; k++) {
    if (record->t[k] != record->t[k - 1]) continue;
    for (size_t end = 0; end < 2; end++) {
      ends_x[2 * at + end] = x[k - 1 + end];
      ends_y[2 * at + end] = y[k - 1 + end];
    }
    gaps[at] = 2 * (at + 1); /* pairs are not joined */
    breaks[at++] = k;
  }
  curve.breaks = breaks;
  curve.break_count = jumps;
  data->series[data->series_count++] = curve;
  data->series[data->series_count++] = (thud_plot_series){.count = 2 * jumps,
                                                          .x = ends_x,
                                                          .y = ends_y,
                                                          .dash = THUD_PLOT_DOTTED,
                                                          .colour = colour,
                                                          .no_jumps = true,
                                                          .break_count = jumps - 1,
                                                          .breaks = gaps};
  return THUD_OK;
}

static thud_error add_curve(plot_data *data, const plot_record *record, const char *pair, const char *comma) {
  size_t index, a = 0, b = 0;
  thud_error error = thud_record_find_role(record->reader, "state", &index);
  if (error != THUD_OK) return error;
  const thud_record_channel *channel = thud_record_reader_channel(record->reader, index);
  error = find_component(data, channel, pair, (size_t)(comma - pair), &a);
  if (error == THUD_OK) error = find_component(data, channel, comma + 1, strlen(comma + 1), &b);
  if (error != THUD_OK) return error;
  double *rows = THUD_NEW_ARRAY(data->context, double, record->rows * channel->width);
  double *x = plot_new_column(data, record->rows), *y = plot_new_column(data, record->rows);
  if (rows == NULL || x == NULL || y == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_record_read(record->reader, index, 0, record->rows, rows);
  for (size_t k = 0; k < record->rows && error == THUD_OK; k++) {
    x[k] = rows[k * channel->width + a];
    y[k] = rows[k * channel->width + b];
  }
  thud_free(data->context, rows);
  if (error != THUD_OK) return error;
  char *label = data->labels[data->series_count];
  snprintf(label, PLOT_LABEL, "%s", data->record_count > 1 ? record->stem : "");
  int colour = (int)(data->series_count / 2 % THUD_PLOT_COLOURS) + 1;
  error = add_jumps(data, record, x, y, colour);
  if (error != THUD_OK) return error;
  snprintf(data->x_label, sizeof data->x_label, "%s", channel->components[a]);
  data->x_unit = channel->unit;
  char *y_label = data->labels[(size_t)PLOT_MAX_PANELS * PLOT_MAX_SERIES];
  snprintf(y_label, PLOT_LABEL, "%s", channel->components[b]);
  data->panels[0].y_label = y_label;
  data->panels[0].y_unit = channel->unit;
  return THUD_OK;
}

thud_error plot_data_phase(plot_data *data, const char *pair) {
  const char *comma = strchr(pair, ',');
  if (comma == NULL || comma == pair || comma[1] == '\0')
    return thud_fail(data->context, THUD_ERROR_ARGUMENT, "--phase needs two coordinates, like x,y, not '%s'", pair);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < data->record_count && error == THUD_OK; k++)
    error = (plot_is_motion(&data->records[k]) ? plot_motion_curve : add_curve)(data, &data->records[k], pair, comma);
  if (!plot_is_motion(&data->records[0])) data->phase = true;
  data->panel_count = 1;
  data->panels[0].series = data->series;
  data->panels[0].series_count = data->series_count;
  return error;
}

thud_plot_figure plot_data_figure(const plot_data *data) {
  const char *title = thud_record_reader_info(data->records[0].reader).title;
  return (thud_plot_figure){.title = title[0] != '\0' ? title : NULL,
                            .x_label = data->x_label,
                            .x_unit = data->x_unit,
                            .equal_aspect = data->phase,
                            .panel_count = data->panel_count,
                            .panels = data->panels};
}
