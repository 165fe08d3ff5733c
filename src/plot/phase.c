/* The curve of two components in their plane. */
#include "plot/picture.h"
#include "base/json.h"

#include <string.h>

static bool find_component(const plot_reading *reading, const char *name, size_t length, size_t *component) {
  for (size_t c = 0; c < reading->width; c++)
    if (strlen(reading->names[c]) == length && strncmp(reading->names[c], name, length) == 0) {
      *component = c;
      return true;
    }
  return false;
}

bool thud_plot_has_component(const plot_reading *reading, const char *name) {
  size_t component;
  return name != NULL && find_component(reading, name, strlen(name), &component);
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
    *found = find_component(reading, name, length, &axis->component);
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
    *found = find_component(&axis->reading, name + head + 1, length - head - 1, &axis->component);
    if (*found) return THUD_OK;
    thud_plot_reading_free(picture, &axis->reading);
    axis->reading = (plot_reading){0};
  }
  return THUD_OK;
}

static thud_error read_axis(thud_picture *picture, const plot_record *record, const char *name, size_t length,
                            plot_axis *axis) {
  thud_text others = thud_text_new(picture->context);
  bool found = false;
  thud_error error = search_state(picture, record, name, length, axis, &found, &others);
  if (error == THUD_OK && !found) error = search_channels(picture, record, name, length, axis, &found);
  if (error == THUD_OK) error = others.error;
  if (error == THUD_OK && !found)
    error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "the state has no component '%.*s'; there are %s",
                      (int)length, name, thud_text_chars(&others));
  thud_text_free(&others);
  if (error == THUD_OK) axis->rounding = thud_plot_rounding(&axis->reading, axis->component);
  return error;
}

thud_error thud_plot_axis_read(thud_picture *picture, const plot_record *record, const char *name, plot_axis *axis) {
  return name != NULL ? read_axis(picture, record, name, strlen(name), axis) : THUD_ERROR_MEMORY;
}

double thud_plot_axis_value(const plot_axis *axis, size_t k) {
  return axis->reading.values[k * axis->reading.width + axis->component];
}

/* Where the curve is before number k; *jumps: it is not where it is there. */
static double before(const plot_axis *axis, size_t k, bool *jumps) {
  double left;
  if (!thud_plot_jumps(&axis->reading, k, axis->component, axis->rounding, &left)) return thud_plot_axis_value(axis, k);
  *jumps = true;
  return left;
}

/* The curve is interrupted where one of the components jumps; the jumps are dotted. Two rows at one time are a jump as
 * well. */
thud_error thud_plot_add_curve(thud_picture *picture, const plot_record *record, const plot_axis *x,
                               const plot_axis *y) {
  size_t count = x->reading.count;
  plot_points curve = thud_plot_points_begin(picture, 2 * count), jumps = thud_plot_points_begin(picture, 2 * count);
  for (size_t k = 0; k < count; k++) {
    bool jump = false, again = k > 0 && thud_plot_time(&x->reading, k) == thud_plot_time(&x->reading, k - 1);
    double left[2] = {before(x, k, &jump), before(y, k, &jump)};
    if (jump) thud_plot_points_add(&curve, left[0], left[1]);
    if (!jump && again) {
      left[0] = thud_plot_axis_value(x, k - 1);
      left[1] = thud_plot_axis_value(y, k - 1);
    }
    curve.gap = curve.gap || jump || again;
    thud_plot_points_add(&curve, thud_plot_axis_value(x, k), thud_plot_axis_value(y, k));
    if (!jump && !again) continue;
    jumps.gap = jumps.count > 0; /* pairs are not joined */
    thud_plot_points_add(&jumps, left[0], left[1]);
    thud_plot_points_add(&jumps, thud_plot_axis_value(x, k), thud_plot_axis_value(y, k));
  }
  int colour = (int)((record - picture->records) % THUD_PLOT_COLOURS) + 1;
  const char *label = picture->record_count > 1 ? record->stem : "";
  thud_error error =
      thud_plot_points_end(&curve, (thud_plot_series){.label = label, .colour = colour, .no_jumps = true});
  return error != THUD_OK
             ? error
             : thud_plot_points_end(&jumps,
                                    (thud_plot_series){.dash = THUD_PLOT_DOTTED, .colour = colour, .no_jumps = true});
}

/* Components of one channel have one scale when they have a unit, or when there is nothing else in the state: it is a
 * point of a space then. Others have no scale in common. */
static bool have_one_scale(const plot_record *record, const plot_reading *x, const plot_reading *y) {
  bool same = x->source.index == y->source.index && x->source.part == y->source.part;
  return same && x->source.part == PLOT_VALUES && (x->unit[0] != '\0' || record->state_count == 1);
}

/* The name of the component, with its channel where that was asked for. */
static const char *label_of(thud_picture *picture, const plot_record *record, const char *asked,
                            const plot_axis *axis) {
  const char *name = axis->reading.names[axis->component];
  char channel[PLOT_NAME];
  thud_plot_source_name(record, axis->reading.source, channel);
  bool plain = strncmp(asked, name, strlen(name)) == 0;
  return plain ? name : thud_plot_text(picture, "%s.%s", channel, name);
}

static thud_error add_record(thud_picture *picture, const plot_record *record, const char *pair, const char *comma) {
  plot_axis x = {0}, y = {0};
  thud_error error = read_axis(picture, record, pair, (size_t)(comma - pair), &x);
  if (error == THUD_OK) error = read_axis(picture, record, comma + 1, strlen(comma + 1), &y);
  if (error == THUD_OK) error = thud_plot_add_curve(picture, record, &x, &y);
  if (error == THUD_OK && record == picture->records) {
    picture->figure.x_label = label_of(picture, record, pair, &x);
    picture->figure.x_unit = x.reading.unit;
    picture->figure.equal_aspect = have_one_scale(record, &x.reading, &y.reading);
    picture->panels[0] = (thud_plot_panel){
        .y_label = label_of(picture, record, comma + 1, &y), .y_unit = y.reading.unit, .series = picture->series};
  }
  thud_plot_reading_free(picture, &x.reading);
  thud_plot_reading_free(picture, &y.reading);
  return error;
}

thud_error thud_plot_add_phase(thud_picture *picture, const char *pair) {
  const char *comma = strchr(pair, ',');
  if (comma == NULL || comma == pair || comma[1] == '\0')
    return thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                     "a picture in a plane (--phase) needs two components, like x,y, not '%s'", pair);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++)
    error = add_record(picture, &picture->records[k], pair, comma);
  picture->panel_count = 1;
  picture->panels[0].series_count = picture->series_count;
  return error;
}
