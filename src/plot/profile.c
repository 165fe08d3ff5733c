/* Fields over their places: channels whose components are named by a place, "p(0.25)", at given times. Zones of the
 * record (channels of the roles "contact" and "stick", two edges each) are marked by lines. */
#include "plot/picture.h"
#include "drawing/singular.h"
#include "expr/number_list.h"

#include <math.h>
#include <string.h>

bool thud_plot_read_place(const char *name, double *x) {
  char text[THUD_DOUBLE_CAPACITY];
  const char *open = strrchr(name, '(');
  size_t length = open != NULL ? strcspn(open + 1, ")") : 0;
  if (open == NULL || open[1 + length] != ')' || open[2 + length] != '\0' || length >= sizeof text) return false;
  memcpy(text, open + 1, length);
  text[length] = '\0';
  return thud_parse_double(text, x);
}

static size_t nearest_row(const plot_record *record, double t) {
  size_t best = 0;
  for (size_t k = 1; k < record->rows; k++)
    if (fabs(record->t[k] - t) < fabs(record->t[best] - t)) best = k;
  return best;
}

thud_error thud_plot_choose_rows(thud_picture *picture, const plot_record *record, const char *times, size_t *rows,
                                 size_t *count) {
  rows[0] = record->rows - 1;
  *count = 1;
  if (times == NULL) return THUD_OK;
  double *given = NULL, first = record->t[0], last = record->t[record->rows - 1];
  thud_error error = thud_expr_read_numbers(picture->context, times, &given, count);
  if (error != THUD_OK) return thud_fail_within(picture->context, error, "--at");
  if (*count > PLOT_MOST_TIMES)
    error = thud_fail(picture->context, THUD_ERROR_ARGUMENT, "[usage] at most %d times fit into one picture",
                      PLOT_MOST_TIMES);
  for (size_t k = 0; k < *count && error == THUD_OK; k++) {
    if (given[k] >= first && given[k] <= last)
      rows[k] = nearest_row(record, given[k]);
    else
      error = thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                        "[time-outside] --at: the record '%s' goes from t = %g to %g, not to %g", record->stem, first,
                        last, given[k]);
  }
  thud_free(picture->context, given);
  return error;
}

/* Row number r of the `count` rows of a record. */
static thud_error add_row(thud_picture *picture, const plot_record *record, const plot_reading *reading, size_t row,
                          size_t r, size_t count) {
  bool several = count > 1;
  plot_points points = thud_plot_points_begin(picture, reading->width);
  for (size_t c = 0; c < reading->width; c++) {
    double x;
    if (!thud_plot_read_place(reading->names[c], &x))
      return thud_fail(
          picture->context, THUD_ERROR_ARGUMENT,
          "[unknown-channel] '%s' is no field: its component '%s' has no place; a profile needs names like p(0.25)",
          reading->channel->name, reading->names[c]);
    thud_plot_points_add(&points, x, reading->values[row * reading->width + c]);
  }
  bool records = picture->record_count > 1;
  const char *label = records && several ? thud_plot_text(picture, "%s, t = %.6g", record->stem, record->t[row])
                      : records          ? record->stem
                                         : thud_plot_text(picture, "t = %.6g", record->t[row]);
  if (label == NULL) return THUD_ERROR_MEMORY;
  thud_plot_style style = reading->channel->label_count > 0 ? THUD_PLOT_MARKERS : THUD_PLOT_LINE;
  if (style == THUD_PLOT_MARKERS)
    thud_plot_points_spread(&points, (size_t)(record - picture->records) * count + r, picture->record_count * count);
  return thud_plot_points_end(&points,
                              (thud_plot_series){.label = label,
                                                 .style = style,
                                                 .colour = (int)(r % THUD_PLOT_COLOURS) + 1,
                                                 .dash = thud_plot_record_dash((size_t)(record - picture->records)),
                                                 .no_jumps = true});
}

/* ---- singular ends ----------------------------------------------------------------------------------------------- */

/* Pressure or traction of a row, with the places of its elements; NULL: no memory. */
static double *places_of(const thud_picture *picture, const plot_reading *reading) {
  double *x = THUD_NEW_ARRAY(picture->context, double, reading->width);
  for (size_t c = 0; x != NULL && c < reading->width; c++)
    if (!thud_plot_read_place(reading->names[c], &x[c])) x[c] = (double)c;
  return x;
}

/* The axis ends where the values of a row grow without bound towards the ends of a punch, and a note says so. */
static thud_error limit_panel(thud_picture *picture, const plot_reading *reading, size_t count, const size_t *rows,
                              thud_plot_panel *panel) {
  const char *role = reading->channel->role;
  bool signs = strcmp(role, "traction") == 0;
  if (!signs && strcmp(role, "pressure") != 0) return THUD_OK;
  double *x = places_of(picture, reading), largest = 0;
  if (x == NULL) return THUD_ERROR_MEMORY;
  for (size_t r = 0; r < count; r++)
    largest = fmax(largest, thud_singular_bound(reading->width, x, reading->values + rows[r] * reading->width));
  thud_free(picture->context, x);
  if (!(largest < INFINITY)) return THUD_OK;
  panel->y_fixed = true;
  panel->y_maximum = fmax(panel->y_maximum, largest);
  panel->y_minimum = signs ? -panel->y_maximum : -0.03 * panel->y_maximum;
  return thud_plot_note(picture, "%s: cut at %.3g; it grows without bound towards the ends of the punch", role,
                        panel->y_maximum);
}

/* ---- zones ------------------------------------------------------------------------------------------------------- */

static thud_error mark_zone(thud_picture *picture, const plot_record *record, const char *role, size_t row) {
  size_t index;
  double edges[2];
  if (thud_record_find_role(record->reader, THUD_RECORD_FRAMES, role, &index) != THUD_OK) return THUD_OK;
  if (thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, index)->width != 2) return THUD_OK;
  thud_error error = thud_record_read(record->reader, THUD_RECORD_FRAMES, index, row, 1, edges);
  for (size_t e = 0; e < 2 && error == THUD_OK && edges[0] < edges[1] && picture->mark_count < PLOT_MOST_MARKS; e++) {
    picture->marks[picture->mark_count] = (thud_plot_rule){.vertical = true, .value = edges[e], .label = role};
    picture->plain[picture->mark_count++] = (thud_plot_rule){.vertical = true, .value = edges[e]};
  }
  return error;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

static thud_error add_panel(thud_picture *picture, const char *name, const char *times) {
  thud_plot_panel *panel = &picture->panels[picture->panel_count];
  size_t first = picture->series_count;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++) {
    const plot_record *record = &picture->records[k];
    plot_reading reading = {0};
    plot_source source;
    size_t rows[PLOT_MOST_TIMES], count = 0;
    if (!thud_plot_find_source(record, name, &source) || source.table != THUD_RECORD_FRAMES ||
        source.part != PLOT_VALUES)
      return thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "[unknown-channel] %s has no field '%s'", record->stem,
                       name);
    error = thud_plot_choose_rows(picture, record, times, rows, &count);
    if (error == THUD_OK) error = thud_plot_read(picture, record, source, false, &reading);
    for (size_t r = 0; r < count && error == THUD_OK; r++)
      error = add_row(picture, record, &reading, rows[r], r, count);
    if (k == 0 && error == THUD_OK)
      *panel = (thud_plot_panel){.y_label = thud_plot_channel(record, source)->name,
                                 .y_unit = thud_plot_channel(record, source)->unit,
                                 .series = picture->series + first};
    if (error == THUD_OK) error = limit_panel(picture, &reading, count, rows, panel);
    if (k == 0 && error == THUD_OK) thud_plot_name_values(thud_plot_channel(record, source), panel);
    thud_plot_reading_free(picture, &reading);
  }
  panel->series_count = picture->series_count - first;
  picture->panel_count++;
  return error;
}

/* Zones of one record at one time. */
static thud_error add_zones(thud_picture *picture, const char *times) {
  size_t rows[PLOT_MOST_TIMES], count = 0;
  const plot_record *record = &picture->records[0];
  thud_error error = thud_plot_choose_rows(picture, record, times, rows, &count);
  if (error != THUD_OK || picture->record_count > 1 || count > 1) return error;
  error = mark_zone(picture, record, "contact", rows[0]);
  if (error == THUD_OK) error = mark_zone(picture, record, "stick", rows[0]);
  for (size_t k = 0; k < picture->panel_count; k++) {
    picture->panels[k].rule_count = picture->mark_count;
    picture->panels[k].rules = k == 0 ? picture->marks : picture->plain;
  }
  return error;
}

thud_error thud_plot_add_profile(thud_picture *picture, const char *channels, const char *times) {
  thud_error error = THUD_OK;
  if (strcmp(channels, "line") == 0) return thud_plot_add_line(picture, times);
  for (const char *p = channels; *p != '\0' && error == THUD_OK;) {
    char name[PLOT_NAME];
    size_t length = strcspn(p, ",");
    if (length >= sizeof name || picture->panel_count == THUD_PLOT_PANELS)
      return thud_fail(picture->context, THUD_ERROR_ARGUMENT, "[usage] at most %d fields fit into one picture",
                       THUD_PLOT_PANELS);
    memcpy(name, p, length);
    name[length] = '\0';
    error = add_panel(picture, name, times);
    p += length + (p[length] == ',');
  }
  if (error == THUD_OK && picture->panel_count == 0)
    error =
        thud_fail(picture->context, THUD_ERROR_ARGUMENT, "[usage] a profile (--profile) needs fields, like pressure");
  picture->figure.x_label = "x";
  return error == THUD_OK ? add_zones(picture, times) : error;
}
