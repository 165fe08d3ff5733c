/* From values to the points of series: how a component is drawn follows from the look of its channel. */
#include "plot/picture.h"
#include "record/unit.h"

#include <math.h>
#include <string.h>

/* ---- points ------------------------------------------------------------------------------------------------------ */

plot_points thud_plot_points_begin(thud_picture *picture, size_t capacity) {
  plot_points points = {.picture = picture,
                        .capacity = capacity,
                        .x = thud_arena_alloc(picture->arena, capacity, sizeof(double)),
                        .y = thud_arena_alloc(picture->arena, capacity, sizeof(double))};
  if (points.x == NULL || points.y == NULL) points.error = THUD_ERROR_MEMORY;
  return points;
}

void thud_plot_points_add(plot_points *points, double x, double y) {
  bool known = isfinite(x) && isfinite(y);
  points->gap = points->count > 0 && (points->gap || !known);
  if (!known || points->error != THUD_OK) return;
  if (points->gap && points->breaks == NULL)
    points->breaks = thud_arena_alloc(points->picture->arena, points->capacity, sizeof(size_t));
  if (points->gap && points->breaks == NULL) points->error = THUD_ERROR_MEMORY;
  if (points->error != THUD_OK) return;
  if (points->gap) points->breaks[points->break_count++] = points->count;
  points->gap = false;
  points->x[points->count] = x;
  points->y[points->count++] = y;
}

thud_error thud_plot_points_end(plot_points *points, thud_plot_series series) {
  thud_picture *picture = points->picture;
  if (points->error != THUD_OK || points->count == 0) return points->error;
  series.count = points->count;
  series.x = points->x;
  series.y = points->y;
  series.break_count = points->break_count;
  series.breaks = points->breaks;
  picture->series[picture->series_count++] = series;
  return THUD_OK;
}

void thud_plot_points_spread(plot_points *points, size_t place, size_t count) {
  const double width = 0.4, most = 0.1; /* of the distance of two values */
  double distance = fmin(most, width / (double)count);
  for (size_t i = 0; i < points->count; i++) points->y[i] += distance * ((double)(count - 1) / 2 - (double)place);
}

/* ---- looks ------------------------------------------------------------------------------------------------------- */

static double value_of(const plot_reading *reading, size_t k, size_t c) {
  return reading->values[k * reading->width + c];
}

/* Values in their order, with the limits from before where they jump. */
static void fill_line(const plot_reading *reading, size_t c, plot_points *points) {
  double rounding = thud_plot_rounding(reading, c), left;
  for (size_t k = 0; k < reading->count; k++) {
    if (thud_plot_jumps(reading, k, c, rounding, &left)) thud_plot_points_add(points, thud_plot_time(reading, k), left);
    thud_plot_points_add(points, thud_plot_time(reading, k), value_of(reading, k, c));
  }
}

/* Holds until the next row, the last one until it ends. */
static void fill_hold(const plot_reading *reading, size_t c, plot_points *points) {
  size_t last = reading->count - 1;
  for (size_t k = 0; k <= last; k++) thud_plot_points_add(points, reading->t[k], value_of(reading, k, c));
  const double *end = reading->record->end;
  if (end != NULL && end[last] > reading->t[last]) thud_plot_points_add(points, end[last], value_of(reading, last, c));
}

/* Over the time since the row before, so that the step begins there; 0 where the value is a jump. */
static void fill_density(const plot_reading *reading, size_t c, plot_points *points) {
  bool impulse = reading->channel->look == THUD_LOOK_IMPULSE;
  const double *t = reading->t, *step = impulse ? reading->record->step : NULL;
  double last = 0;
  for (size_t k = 1; k < reading->count; k++) {
    double duration = step != NULL ? step[k] : t[k] - t[k - 1];
    if (!(duration > 0)) continue; /* no time, no density */
    last = thud_plot_marked(reading, k, c) ? 0 : value_of(reading, k, c) / (impulse ? duration : 1);
    thud_plot_points_add(points, t[k - 1], last);
  }
  if (points->count > 0) thud_plot_points_add(points, t[reading->count - 1], last); /* where the last step ends */
}

static void fill_atoms(const plot_reading *reading, size_t c, plot_points *points) {
  for (size_t k = 0; k < reading->count; k++)
    if (thud_plot_marked(reading, k, c)) thud_plot_points_add(points, reading->t[k], value_of(reading, k, c));
}

static void fill_rows(const plot_reading *reading, size_t c, plot_points *points) {
  for (size_t k = 0; k < reading->count; k++) thud_plot_points_add(points, reading->t[k], value_of(reading, k, c));
}

/* One point per value of a list: of component c of the groups, or of those that belong to its label. */
static void fill_list(const plot_reading *reading, size_t c, plot_points *points) {
  size_t group = reading->channel->group, label = c / group, i = 0;
  for (size_t k = 0; k < reading->count; k++)
    for (; i < reading->ends[k] / group; i++)
      if (reading->at == NULL || reading->at[i] == (double)label)
        thud_plot_points_add(points, reading->t[k], reading->values[i * group + c % group]);
}

typedef struct look_style {
  void (*fill)(const plot_reading *reading, size_t c, plot_points *points);
  thud_plot_style style;
  bool jumps;
} look_style;

/* Rows that are pieces of the time with an end are few: points show where what is known at their beginnings is known.
 */
static look_style style_of(const plot_reading *reading) {
  enum { MOST_MARKERS = 400 };
  const look_style line = {fill_line, THUD_PLOT_LINE, true};
  bool frames = reading->source.table == THUD_RECORD_FRAMES, atoms = reading->source.part == PLOT_ATOMS;
  thud_plot_style single = atoms                            ? THUD_PLOT_STEMS
                           : reading->count <= MOST_MARKERS ? THUD_PLOT_MARKERS
                                                            : THUD_PLOT_POINTS;
  if (reading->ends != NULL) return (look_style){fill_list, single, false};
  if (!frames) return (look_style){fill_rows, single, false};
  if (atoms) return (look_style){fill_atoms, THUD_PLOT_STEMS, false};
  switch (reading->channel->look) {
  case THUD_LOOK_SERIES: return line;
  case THUD_LOOK_HOLD: return (look_style){fill_hold, THUD_PLOT_STEPS, false};
  case THUD_LOOK_DENSITY:
  case THUD_LOOK_IMPULSE: return (look_style){fill_density, THUD_PLOT_STEPS, false};
  case THUD_LOOK_POINT: return (look_style){fill_rows, single, false};
  default: break;
  }
  return reading->record->end == NULL ? line : (look_style){fill_line, THUD_PLOT_LINE_MARKERS, reading->left != NULL};
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static size_t capacity_of(const plot_reading *reading) {
  size_t last = reading->count > 0 ? reading->count - 1 : 0;
  return reading->ends != NULL && reading->count > 0 ? reading->ends[last] : 2 * reading->count + 1;
}

/* Component `added` of `shown`. Lines of further records are dashed: where they coincide both are seen. */
static thud_error add_component(thud_picture *picture, const plot_reading *reading, size_t c, size_t added,
                                size_t shown) {
  look_style style = style_of(reading);
  bool one = picture->record_count == 1;
  size_t record = (size_t)(reading->record - picture->records);
  const char *name = reading->names[c];
  const char *label =
      one ? thud_plot_text(picture, "%s", name) : thud_plot_text(picture, "%s, %s", name, reading->record->stem);
  plot_points points = thud_plot_points_begin(picture, capacity_of(reading));
  if (label == NULL) points.error = THUD_ERROR_MEMORY;
  if (points.error == THUD_OK && reading->count > 0) style.fill(reading, c, &points);
  if (reading->channel->label_count > 0 && reading->ends == NULL && style.style != THUD_PLOT_STEMS)
    thud_plot_points_spread(&points, record * shown + added, picture->record_count * shown);
  /* a component has the same colour in all panels */
  return thud_plot_points_end(&points, (thud_plot_series){.label = label,
                                                          .style = style.style,
                                                          .dash = record == 0       ? THUD_PLOT_SOLID
                                                                  : record % 2 == 1 ? THUD_PLOT_DASHED
                                                                                    : THUD_PLOT_DOTTED,
                                                          .colour = one ? (int)(c % THUD_PLOT_COLOURS) + 1 : 0,
                                                          .no_jumps = !style.jumps});
}

static bool any_listed(const plot_reading *reading, const char *components) {
  for (size_t c = 0; c < reading->width; c++)
    if (thud_plot_listed(components, reading->names[c])) return true;
  return false;
}

static thud_error add_components(thud_picture *picture, const plot_reading *reading, const char *components) {
  bool listed = components != NULL && reading->width > 1 && any_listed(reading, components);
  if (components != NULL && reading->width > 1 && !listed && reading->channel->state)
    return thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "channel '%s' has no component among '%s'",
                     reading->channel->name, components);
  thud_error error = THUD_OK;
  bool lists = reading->at != NULL; /* most labels may never occur */
  size_t shown = 0;
  for (size_t c = 0; c < reading->width && shown < THUD_PLOT_COMPONENTS; c++)
    shown += !listed || thud_plot_listed(components, reading->names[c]);
  for (size_t c = 0, added = 0; c < reading->width && added < THUD_PLOT_COMPONENTS && error == THUD_OK; c++) {
    if (listed && !thud_plot_listed(components, reading->names[c])) continue;
    size_t before = picture->series_count;
    error = add_component(picture, reading, c, added, shown);
    added += !lists || picture->series_count > before;
  }
  return error;
}

thud_error thud_plot_add_source(thud_picture *picture, const plot_record *record, plot_source source,
                                const char *components) {
  plot_reading reading;
  thud_error error = thud_plot_read(picture, record, source, false, &reading);
  if (error == THUD_OK) error = add_components(picture, &reading, components);
  thud_plot_reading_free(picture, &reading);
  return error;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static const char *unit_per(thud_picture *picture, const char *unit, const char *time) {
  char text[RECORD_UNIT];
  thud_record_unit_per(unit, time, sizeof text, text);
  return thud_plot_text(picture, "%s", text);
}

const char *thud_plot_unit(thud_picture *picture, const plot_record *record, plot_source source) {
  const thud_record_channel *channel = thud_plot_channel(record, source);
  bool frames = source.table == THUD_RECORD_FRAMES, atoms = source.part == PLOT_ATOMS;
  if (source.part == PLOT_SLOPES) {
    size_t left = thud_plot_find(record, THUD_RECORD_FRAMES, channel->left);
    return left != SIZE_MAX ? thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, left)->unit : "";
  }
  if (frames && channel->look == THUD_LOOK_IMPULSE && !atoms)
    return unit_per(picture, channel->unit, record->time_unit);
  if (frames && channel->look == THUD_LOOK_DENSITY && atoms && channel->unit[0] != '\0' && record->time_unit[0] != '\0')
    return thud_plot_text(picture, "%s %s", channel->unit, record->time_unit);
  return channel->unit;
}
