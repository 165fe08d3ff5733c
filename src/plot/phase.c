/* The curve of two components in their plane. */
#include "plot/picture.h"
#include "base/json.h"

#include <string.h>

bool thud_plot_find_component(const plot_reading *reading, const char *name, size_t length, size_t *component) {
  for (size_t c = 0; c < reading->width; c++)
    if (strlen(reading->names[c]) == length && strncmp(reading->names[c], name, length) == 0) {
      *component = c;
      return true;
    }
  return false;
}

bool thud_plot_has_component(const plot_reading *reading, const char *name) {
  size_t component;
  return name != NULL && thud_plot_find_component(reading, name, strlen(name), &component);
}

static bool is_curve(const plot_record *record, plot_source source) {
  const thud_record_channel *channel = thud_plot_channel(record, source);
  return source.table == THUD_RECORD_FRAMES && (channel->width > 0 || channel->look == THUD_LOOK_SERIES);
}

/* The first component of this name among the sources of the state. */
static thud_error search_state(thud_picture *picture, const plot_record *record, const char *name, size_t length,
                               plot_axis *axis, bool *found, thud_text *others) {
  for (size_t k = 0; k < record->state_count; k++) {
    if (!is_curve(record, record->sources[k])) continue; /* lists have no curves */
    plot_reading *reading = &axis->reading;
    thud_error error = thud_plot_read(picture, record, record->sources[k], true, reading);
    if (error != THUD_OK) return error;
    *found = thud_plot_find_component(reading, name, length, &axis->component);
    if (*found) return THUD_OK;
    for (size_t c = 0; c < reading->width; c++)
      thud_text_print(others, "%s%s", thud_text_chars(others)[0] != '\0' ? ", " : "", reading->names[c]);
    thud_plot_reading_free(picture, reading);
    *reading = (plot_reading){0};
  }
  return THUD_OK;
}

/* "load.x": component x of the channel load, which need not be of the state. */
static thud_error search_channels(thud_picture *picture, const plot_record *record, const char *name, size_t length,
                                  plot_axis *axis, bool *found) {
  for (size_t k = 0; k < record->source_count && !*found; k++) {
    char channel[PLOT_NAME];
    thud_plot_source_name(record, record->sources[k], channel);
    size_t head = strlen(channel);
    if (!is_curve(record, record->sources[k]) || head + 1 >= length || strncmp(channel, name, head) != 0 ||
        name[head] != '.')
      continue;
    thud_error error = thud_plot_read(picture, record, record->sources[k], true, &axis->reading);
    if (error != THUD_OK) return error;
    *found = thud_plot_find_component(&axis->reading, name + head + 1, length - head - 1, &axis->component);
    if (*found) return THUD_OK;
    thud_plot_reading_free(picture, &axis->reading);
    axis->reading = (plot_reading){0};
  }
  return THUD_OK;
}

static thud_error find_axis(thud_picture *picture, const plot_record *record, const char *name, plot_axis *axis,
                            bool *found, thud_text *others) {
  size_t length = strlen(name);
  thud_error error = search_state(picture, record, name, length, axis, found, others);
  if (error == THUD_OK && !*found) error = search_channels(picture, record, name, length, axis, found);
  if (error == THUD_OK) error = others->error;
  if (error == THUD_OK && *found) axis->rounding = thud_plot_rounding(&axis->reading, axis->component);
  return error;
}

thud_error thud_plot_find_axis(thud_picture *picture, const plot_record *record, const char *name, plot_axis *axis,
                               bool *found) {
  thud_text others = thud_text_new(picture->context);
  thud_error error = find_axis(picture, record, name, axis, found, &others);
  thud_text_free(&others);
  return error;
}

thud_error thud_plot_axis_read(thud_picture *picture, const plot_record *record, const char *name, plot_axis *axis) {
  thud_text others = thud_text_new(picture->context);
  bool found = false;
  thud_error error = name != NULL ? find_axis(picture, record, name, axis, &found, &others) : THUD_ERROR_MEMORY;
  if (error == THUD_OK && !found)
    error =
        thud_fail(picture->context, THUD_ERROR_NOT_FOUND,
                  "[unknown-channel] the state has no component '%s'; there are %s", name, thud_text_chars(&others));
  thud_text_free(&others);
  return error;
}

/* Also expressions; of a word that is none of these the components are listed. */
static thud_error read_axis(thud_picture *picture, plot_record *record, const char *name, plot_axis *axis) {
  bool found = false;
  thud_error error = thud_plot_find_axis(picture, record, name, axis, &found);
  if (error != THUD_OK || found) return error;
  error = thud_plot_read_expression(picture, record, name, &axis->reading);
  if (error == THUD_ERROR_NOT_FOUND && name[strspn(name, THUD_PLOT_WORD)] == '\0')
    return thud_plot_axis_read(picture, record, name, axis);
  if (error == THUD_OK) axis->rounding = thud_plot_rounding(&axis->reading, 0);
  return error;
}

double thud_plot_axis_value(const plot_axis *axis, size_t k) {
  return axis->reading.values[k * axis->reading.width + axis->component];
}

const char *thud_plot_axis_unit(const plot_axis *axis) { return axis->reading.units[axis->component]; }

/* ---- the curve ------------------------------------------------------------------------------------------------------------- */

/* Where the curve is before number k; *jumps: it is not where it is there. */
static double before(const plot_axis *axis, size_t k, bool *jumps) {
  double left;
  if (!thud_plot_jumps(&axis->reading, k, axis->component, axis->rounding, &left)) return thud_plot_axis_value(axis, k);
  *jumps = true;
  return left;
}

/* A curve in the making: its parts between jumps, and these. */
typedef struct plane_curve {
  const plot_axis *x, *y;
  plot_points smooth, jumps;
} plane_curve;

/* Where the straight line from number k - 1 to number k is at a border of the window. */
static void add_border(plane_curve *curve, size_t k, double border) {
  bool jumps = false;
  double t0 = thud_plot_time(&curve->x->reading, k - 1), t1 = thud_plot_time(&curve->x->reading, k);
  double part = (border - t0) / (t1 - t0), x0 = thud_plot_axis_value(curve->x, k - 1),
         y0 = thud_plot_axis_value(curve->y, k - 1);
  thud_plot_points_add(&curve->smooth, x0 + part * (before(curve->x, k, &jumps) - x0),
                       y0 + part * (before(curve->y, k, &jumps) - y0));
}

/* The curve is interrupted where one of the components jumps; the jumps are dotted. Two rows at one time are a jump as
 * well. */
static void add_number(plane_curve *curve, size_t k, bool first) {
  const plot_axis *x = curve->x, *y = curve->y;
  bool jump = false, again = k > 0 && thud_plot_time(&x->reading, k) == thud_plot_time(&x->reading, k - 1);
  double left[2] = {before(x, k, &jump), before(y, k, &jump)};
  if (first) jump = again = false; /* what is before the window is not seen */
  if (jump) thud_plot_points_add(&curve->smooth, left[0], left[1]);
  if (!jump && again) {
    left[0] = thud_plot_axis_value(x, k - 1);
    left[1] = thud_plot_axis_value(y, k - 1);
  }
  curve->smooth.gap = curve->smooth.gap || jump || again;
  thud_plot_points_add(&curve->smooth, thud_plot_axis_value(x, k), thud_plot_axis_value(y, k));
  if (!jump && !again) return;
  curve->jumps.gap = curve->jumps.count > 0; /* pairs are not joined */
  thud_plot_points_add(&curve->jumps, left[0], left[1]);
  thud_plot_points_add(&curve->jumps, thud_plot_axis_value(x, k), thud_plot_axis_value(y, k));
}

static void trace(plane_curve *curve, double from, double to) {
  const plot_reading *reading = &curve->x->reading;
  for (size_t k = 0; k < reading->count; k++) {
    double t = thud_plot_time(reading, k), last = k > 0 ? thud_plot_time(reading, k - 1) : t;
    if (k > 0 && last < from && t > from) add_border(curve, k, from);
    if (k > 0 && last < to && t > to && last >= from) add_border(curve, k, to);
    if (t >= from && t <= to) add_number(curve, k, t == from && from > reading->t[0]);
  }
}

thud_error thud_plot_add_curve(thud_picture *picture, const plot_record *record, const plot_axis *x,
                               const plot_axis *y) {
  size_t room = 2 * x->reading.count + 2;
  plane_curve curve = {
      .x = x, .y = y, .smooth = thud_plot_points_begin(picture, room), .jumps = thud_plot_points_begin(picture, room)};
  trace(&curve, picture->from, picture->to);
  const int colour = 1;
  thud_plot_dash jump =
      picture->record_count > 1 ? THUD_PLOT_SPARSE : THUD_PLOT_DOTTED; /* a record's line is dotted, too */
  const char *label = picture->record_count > 1 ? record->stem : "";
  thud_error error = thud_plot_points_end(
      &curve.smooth, (thud_plot_series){.label = label,
                                        .dash = thud_plot_record_dash((size_t)(record - picture->records)),
                                        .colour = colour,
                                        .no_jumps = true});
  if (error == THUD_OK)
    error = thud_plot_points_end(&curve.jumps, (thud_plot_series){.dash = jump, .colour = colour, .no_jumps = true});
  return error;
}

/* ---- the figure ------------------------------------------------------------------------------------------------------------ */

/* Components of one channel have one scale when they have a unit in common, or when there is nothing else in the state:
 * it is a point of a space then. Others have no scale in common. */
static bool have_one_scale(const plot_record *record, const plot_axis *x, const plot_axis *y) {
  plot_source a = x->reading.source, b = y->reading.source;
  bool same = a.index == b.index && a.part == b.part && x->reading.channel == y->reading.channel;
  const char *unit = thud_plot_axis_unit(x);
  return same && x->reading.channel->name[0] != '\0' && a.part == PLOT_VALUES &&
         strcmp(unit, thud_plot_axis_unit(y)) == 0 && (unit[0] != '\0' || record->state_count == 1);
}

/* The name of the component, with its channel where that was asked for, or the expression. */
static const char *label_of(thud_picture *picture, const plot_record *record, const char *asked,
                            const plot_axis *axis) {
  const char *name = axis->reading.names[axis->component];
  char channel[PLOT_NAME];
  if (axis->reading.channel->name[0] == '\0' || strncmp(asked, name, strlen(name)) == 0) return name;
  thud_plot_source_name(record, axis->reading.source, channel);
  return thud_plot_text(picture, "%s.%s", channel, name);
}

/* Where a curve begins or ends. */
static thud_error add_end(thud_picture *picture, const thud_plot_series *curve, size_t k, const char *label,
                          thud_plot_marker marker) {
  plot_points points = thud_plot_points_begin(picture, 1);
  thud_plot_points_add(&points, curve->x[k], curve->y[k]);
  return thud_plot_points_end(
      &points,
      (thud_plot_series){
          .label = label, .style = THUD_PLOT_MARKERS, .colour = curve->colour, .no_jumps = true, .marker = marker});
}

/* The legend says it once. */
static thud_error add_ends(thud_picture *picture, size_t first, bool named) {
  if (picture->series_count == first) return THUD_OK;
  const thud_plot_series curve = picture->series[first];
  thud_error error = add_end(picture, &curve, 0, named ? "start" : "", THUD_PLOT_MARKER_OPEN);
  if (error != THUD_OK) return error;
  return add_end(picture, &curve, curve.count - 1, named ? "end" : "", THUD_PLOT_MARKER_FILLED);
}

static thud_error add_record(thud_picture *picture, plot_record *record, const char *const names[2]) {
  plot_axis axes[2] = {0};
  size_t first = picture->series_count;
  bool is_first = record == picture->records;
  thud_error error = read_axis(picture, record, names[0], &axes[0]);
  if (error == THUD_OK) error = read_axis(picture, record, names[1], &axes[1]);
  if (error == THUD_OK) error = thud_plot_add_curve(picture, record, &axes[0], &axes[1]);
  if (error == THUD_OK) error = add_ends(picture, first, is_first);
  if (error == THUD_OK && is_first) {
    bool logs = picture->x_log || picture->y_log;
    picture->figure.x_label = label_of(picture, record, names[0], &axes[0]);
    picture->figure.x_unit = thud_plot_axis_unit(&axes[0]);
    picture->figure.equal_aspect = have_one_scale(record, &axes[0], &axes[1]) && !logs;
    picture->panels[0] = (thud_plot_panel){.y_label = label_of(picture, record, names[1], &axes[1]),
                                           .y_unit = thud_plot_axis_unit(&axes[1]),
                                           .y_log = picture->y_log};
  }
  for (int k = 0; k < 2; k++) thud_plot_reading_free(picture, &axes[k].reading);
  return error;
}

static thud_error note_left_out(thud_picture *picture) {
  if (picture->not_positive == 0) return THUD_OK;
  return thud_plot_note(picture, "%zu points left out (0 or negative)", picture->not_positive);
}

/* The two items of "X,Y"; NULL: it is no pair. */
static thud_error split(thud_picture *picture, const char *pair, const char *names[2]) {
  const char *rest = pair, *item;
  size_t length, count = 0;
  while (thud_plot_next_item(&rest, &item, &length) && count < 3) {
    if (count < 2) {
      char *name = thud_arena_alloc(picture->arena, length + 1, 1);
      if (name == NULL) return THUD_ERROR_MEMORY;
      names[count] = memcpy(name, item, length);
    }
    count++;
  }
  if (count == 2) return THUD_OK;
  return thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                   "[usage] a picture in a plane (--phase) needs two components, like x,y, not '%s'", pair);
}

thud_error thud_plot_add_phase(thud_picture *picture, const char *pair) {
  const char *names[2], *logs = picture->logarithmic != NULL ? picture->logarithmic : "";
  thud_error error = split(picture, pair, names);
  picture->x_log = thud_plot_listed(logs, "x");
  picture->y_log = thud_plot_listed(logs, "y");
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++)
    error = add_record(picture, &picture->records[k], names);
  if (error == THUD_OK && picture->series_count == 0)
    error =
        thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "[nothing-to-draw] nothing of the curve of %s is seen", pair);
  if (error == THUD_OK) error = note_left_out(picture);
  if (error == THUD_OK && !picture->x_log && !picture->y_log)
    error = thud_plot_add_obstacles(picture, &picture->records[0], names);
  if (error == THUD_OK && !picture->x_log && !picture->y_log)
    error = thud_plot_add_set(picture, &picture->records[0], names);
  picture->figure.x_log = picture->x_log;
  picture->panel_count = 1;
  picture->panels[0].series = picture->series;
  picture->panels[0].series_count = picture->series_count;
  return error;
}
