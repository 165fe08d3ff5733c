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

static void add_point(plot_points *points, double x, double y) {
  if (points->gap && points->breaks == NULL)
    points->breaks = thud_arena_alloc(points->picture->arena, points->capacity, sizeof(size_t));
  if (points->gap && points->breaks == NULL) points->error = THUD_ERROR_MEMORY;
  if (points->error != THUD_OK) return;
  if (points->gap) points->breaks[points->break_count++] = points->count;
  points->gap = false;
  points->x[points->count] = x;
  points->y[points->count++] = y;
}

static const double least_on_log = 1e-290; /* smaller numbers have no decades in double */

static void add_visible(plot_points *points, double x, double y) {
  thud_picture *picture = points->picture;
  bool known = isfinite(x) && isfinite(y);
  bool shown = known && (!picture->x_log || x > least_on_log) && (!picture->y_log || y > picture->y_least);
  picture->unknown += !known;
  picture->not_positive += known && !shown;
  points->gap = points->count > 0 && (points->gap || !shown);
  if (shown && points->error == THUD_OK) add_point(points, x, y);
}

/* The value at a border between the last point and this one. */
static double value_at(const plot_points *points, double border, double x, double y) {
  if (points->join == PLOT_STEPPED || !(x > points->last_x)) return points->last_y;
  return points->last_y + (y - points->last_y) * (border - points->last_x) / (x - points->last_x);
}

/* Cuts segments at the borders. At the first border the left limit is outside; at the last one both limits are inside. */
static void add_cut(plot_points *points, double x, double y) {
  double from = points->picture->from, to = points->picture->to;
  bool joined = points->join != PLOT_LOOSE && points->has_last && isfinite(y);
  if (points->join == PLOT_LOOSE || !isfinite(x)) {
    if (!(x < from || x > to)) add_visible(points, x, y);
    return;
  }
  if (joined && points->last_x <= from && x > from && points->last_x <= to)
    add_visible(points, from, value_at(points, from, x, y));
  if (joined && points->last_x < to && x > to && x > from) add_visible(points, to, value_at(points, to, x, y));
  if (x > from && x <= to) add_visible(points, x, y);
  points->has_last = isfinite(y);
  points->last_x = x;
  points->last_y = y;
}

void thud_plot_points_add(plot_points *points, double x, double y) {
  bool whole = points->picture->from == -INFINITY && points->picture->to == INFINITY;
  if (points->cut && !whole)
    add_cut(points, x, y);
  else
    add_visible(points, x, y);
}

thud_error thud_plot_points_end(plot_points *points, thud_plot_series series) {
  thud_picture *picture = points->picture;
  if (points->cut && points->has_last && points->last_x == picture->from) /* it ends where the window begins */
    add_visible(points, points->last_x, points->last_y);
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
  if (reading->instants != NULL) return line;
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

/* Two more for the borders of a window. */
static size_t capacity_of(const plot_reading *reading) {
  size_t last = reading->count > 0 ? reading->count - 1 : 0;
  return (reading->ends != NULL && reading->count > 0 ? reading->ends[last] : 2 * reading->count + 1) + 2;
}

/* A line that is interrupted again and again has pieces of one point, which cannot be seen. */
static thud_plot_style style_shown(const plot_points *points, thud_plot_style style) {
  enum { MOST_MARKERS = 400 };
  bool line = style == THUD_PLOT_LINE || style == THUD_PLOT_STEPS;
  if (!points->picture->y_log || !line || 4 * points->break_count < points->count) return style;
  return points->count <= MOST_MARKERS ? THUD_PLOT_MARKERS : THUD_PLOT_POINTS;
}

/* The pen of a series: with several records the colour says which component it is, the dash, or the marker, which record. With
 * one record the dash tells components of one colour apart, where there are several in the panel.
 * Clouds of points have neither: there each series has a colour of its own. */
static thud_plot_series pen_of(const thud_picture *picture, size_t record, size_t pen, size_t shown,
                               thud_plot_style style) {
  static const thud_plot_marker markers[] = {THUD_PLOT_MARKER_FILLED, THUD_PLOT_MARKER_SQUARE,
                                             THUD_PLOT_MARKER_TRIANGLE, THUD_PLOT_MARKER_DIAMOND,
                                             THUD_PLOT_MARKER_OPEN};
  size_t shift = picture->difference ? 1 : 0;
  bool one = picture->record_count - shift == 1;
  size_t place = record - shift, colours = sizeof markers / sizeof *markers;
  if (one && shown > 1 && pen / THUD_PLOT_COLOURS > 0) place = pen / THUD_PLOT_COLOURS;
  return (thud_plot_series){
      .style = style,
      .dash = thud_plot_record_dash(place),
      .marker = one ? THUD_PLOT_MARKER_BY_ORDER : markers[place % colours],
      .colour = !one && style == THUD_PLOT_POINTS ? 0 : (int)(pen % THUD_PLOT_COLOURS) + 1,
  };
}

thud_plot_dash thud_plot_record_dash(size_t record) {
  static const thud_plot_dash dashes[] = {THUD_PLOT_SOLID,        THUD_PLOT_DASHED,      THUD_PLOT_DOTTED,
                                          THUD_PLOT_DASH_DOT,     THUD_PLOT_LONG_DASHED, THUD_PLOT_SHORT_DASHED,
                                          THUD_PLOT_DASH_DOT_DOT, THUD_PLOT_SPARSE};
  return dashes[record % (sizeof dashes / sizeof *dashes)];
}

/* Component `added` of `shown`. */
static thud_error add_series(thud_picture *picture, const plot_reading *reading, size_t c, size_t pen, size_t added,
                             size_t shown, const char *label) {
  look_style style = style_of(reading);
  size_t record = (size_t)(reading->record - picture->records);
  plot_points points = thud_plot_points_begin(picture, capacity_of(reading));
  points.cut = true;
  points.join = style.style == THUD_PLOT_STEPS                                           ? PLOT_STEPPED
                : style.style == THUD_PLOT_LINE || style.style == THUD_PLOT_LINE_MARKERS ? PLOT_JOINED
                                                                                         : PLOT_LOOSE;
  if (label == NULL) points.error = THUD_ERROR_MEMORY;
  if (points.error == THUD_OK && reading->count > 0) style.fill(reading, c, &points);
  if (reading->channel->label_count > 0 && reading->ends == NULL && style.style != THUD_PLOT_STEMS)
    thud_plot_points_spread(&points, record * shown + added, picture->record_count * shown);
  thud_plot_series series = pen_of(picture, record, pen, shown, style_shown(&points, style.style));
  series.label = label;
  series.no_jumps = !style.jumps;
  return thud_plot_points_end(&points, series);
}

/* "x", of several records "x, run-2", of differences "x, run-2 - run-1". */
static const char *label_of(thud_picture *picture, const plot_reading *reading, const char *name) {
  const char *comma = name[0] != '\0' && picture->record_count > 1 ? ", " : "";
  if (picture->record_count == 1) return thud_plot_text(picture, "%s", name);
  if (!picture->difference) return thud_plot_text(picture, "%s%s%s", name, comma, reading->record->stem);
  return thud_plot_text(picture, "%s%s%s \xe2\x88\x92 %s", name, comma, reading->record->stem,
                        picture->records[0].stem);
}

thud_error thud_plot_add_component(thud_picture *picture, const plot_reading *reading, size_t component,
                                   const char *label) {
  return add_series(picture, reading, component, component, 0, 1, label_of(picture, reading, label));
}

static bool any_listed(const plot_reading *reading, const char *components) {
  for (size_t c = 0; c < reading->width; c++)
    if (thud_plot_listed(components, reading->names[c])) return true;
  return false;
}

thud_error thud_plot_check_components(const thud_picture *picture, const plot_reading *reading,
                                      const char *components) {
  bool missing = components != NULL && reading->width > 1 && reading->channel->state;
  if (!missing || any_listed(reading, components)) return THUD_OK;
  return thud_fail(picture->context, THUD_ERROR_NOT_FOUND, "[unknown-channel] channel '%s' has no component among '%s'",
                   reading->channel->name, components);
}

plot_scale thud_plot_scale_of(const plot_reading *reading, size_t c) {
  static const char *const turning[][2] = {{"load", "M"}, {"motion", "tilt"}}; /* role, component */
  plot_scale scale = {.unit = reading->units[c]};
  for (size_t k = 0; k < sizeof turning / sizeof *turning; k++)
    if (strcmp(reading->channel->role, turning[k][0]) == 0 && strcmp(reading->names[c], turning[k][1]) == 0)
      scale.turns = true;
  return scale;
}

bool thud_plot_same_scale(plot_scale a, plot_scale b) { return a.turns == b.turns && strcmp(a.unit, b.unit) == 0; }

/* names NULL: whatever it is called. */
static bool is_chosen(const plot_reading *reading, size_t c, plot_scale scale, const char *names) {
  return thud_plot_same_scale(thud_plot_scale_of(reading, c), scale) &&
         (names == NULL || thud_plot_listed(names, reading->names[c]));
}

/* True if the component keeps one value (or is not known), as the place of a fixed body does. */
static bool is_still(const plot_reading *reading, size_t c) {
  double value = NAN;
  for (size_t k = 0; k < reading->count; k++) {
    double next = reading->values[k * reading->width + c];
    if (!isnan(value) && !isnan(next) && next != value) return false;
    if (isnan(value)) value = next;
  }
  return true;
}

static bool are_places(const plot_reading *reading) {
  double x;
  for (size_t c = 0; c < reading->width; c++)
    if (!thud_plot_read_place(reading->names[c], &x)) return false;
  return true;
}

/* Which of too many components are not worth their place: those that stand still, while others move; of a field's places,
 * which are neighbours, all but `most` that are spread over those that are left. */
static void leave_out(const plot_reading *reading, plot_scale scale, size_t most, bool *left_out) {
  size_t moving = 0, k = 0;
  for (size_t c = 0; c < reading->width; c++) {
    left_out[c] = !is_chosen(reading, c, scale, NULL) || is_still(reading, c);
    moving += !left_out[c];
  }
  if (moving == 0) memset(left_out, 0, reading->width * sizeof *left_out);
  if (moving <= most || !are_places(reading)) return;
  for (size_t c = 0; c < reading->width; c++) {
    if (left_out[c]) continue;
    left_out[c] = k > 0 && k * (most - 1) / (moving - 1) == (k - 1) * (most - 1) / (moving - 1);
    k++;
  }
}

thud_error thud_plot_add_components(thud_picture *picture, const plot_reading *reading, plot_scale scale,
                                    const char *components, size_t *left_out) {
  const char *names = components != NULL && reading->width > 1 && any_listed(reading, components) ? components : NULL;
  thud_error error = THUD_OK;
  bool lists = reading->at != NULL; /* most labels may never occur */
  size_t most = names != NULL ? PLOT_MOST_LISTED : THUD_PLOT_COMPONENTS, chosen = 0, added = 0;
  bool *skipped = THUD_NEW_ARRAY(picture->context, bool, reading->width);
  if (skipped == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < reading->width; c++) chosen += is_chosen(reading, c, scale, names);
  bool selects = names == NULL && chosen > most && reading->ends == NULL;
  if (selects) leave_out(reading, scale, most, skipped);
  for (size_t c = 0; c < reading->width && added < most && error == THUD_OK; c++) {
    if (skipped[c] || !is_chosen(reading, c, scale, names)) continue;
    size_t before = picture->series_count;
    /* a component has the same colour in all panels, unless its number is large because others are left out */
    error = add_series(picture, reading, c, selects ? added : c, added, chosen < most ? chosen : most,
                       label_of(picture, reading, reading->names[c]));
    added += !lists || picture->series_count > before;
  }
  *left_out = lists ? 0 : chosen - added;
  thud_free(picture->context, skipped);
  return error;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* Densities of impulses are per time, atoms of densities times time. */
static const char *unit_of(thud_picture *picture, const plot_reading *reading, const char *unit) {
  const thud_record_channel *channel = reading->channel;
  const char *time = reading->record->time_unit;
  bool frames = reading->source.table == THUD_RECORD_FRAMES, atoms = reading->source.part == PLOT_ATOMS;
  if (frames && channel->look == THUD_LOOK_IMPULSE && !atoms) {
    char text[RECORD_UNIT];
    thud_record_unit_per(unit, time, sizeof text, text);
    return thud_plot_text(picture, "%s", text);
  }
  if (frames && channel->look == THUD_LOOK_DENSITY && atoms && unit[0] != '\0' && time[0] != '\0')
    return thud_plot_text(picture, "%s %s", unit, time);
  return unit;
}

/* N s for impulses and N for forces, where a channel of reactions has no common unit. */
static thud_error find_reaction_unit(thud_picture *picture, const plot_reading *reading, size_t c, const char **unit) {
  const char *role = reading->channel->role;
  bool series = strcmp(role, "reaction_series") == 0, force = false;
  bool impulse =
      reading->source.table == THUD_RECORD_EVENTS ? strcmp(role, "impulse") == 0 : strcmp(role, "reaction") == 0;
  if ((*unit)[0] != '\0' || (!series && !impulse)) return THUD_OK;
  thud_error error = thud_plot_is_force(picture, reading->record, reading->names[c], &force);
  if (error == THUD_OK && force) *unit = series ? "N" : "N s";
  return error;
}

thud_error thud_plot_read_units(thud_picture *picture, plot_reading *reading) {
  const plot_record *record = reading->record;
  const thud_record_channel *channel = reading->channel;
  bool slopes = reading->source.part == PLOT_SLOPES;
  size_t index = slopes ? thud_plot_find(record, THUD_RECORD_FRAMES, channel->left) : reading->source.index;
  size_t group = channel->width > 0 ? channel->width : channel->group;
  const char **units = thud_arena_alloc(picture->arena, reading->width, sizeof *units);
  if (units == NULL) return THUD_ERROR_MEMORY;
  reading->units = units;
  for (size_t c = 0; c < reading->width; c++) {
    const char *unit = "";
    thud_error error = index == SIZE_MAX
                           ? THUD_OK
                           : thud_record_component_unit(record->reader, reading->source.table, index, c % group, &unit);
    if (error == THUD_OK) error = find_reaction_unit(picture, reading, c, &unit);
    if (error != THUD_OK) return error;
    units[c] = unit_of(picture, reading, unit);
    if (units[c] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}
