/* A string or beam over its length: displacements at some times, the reaction as a density and atoms, and over all times
 * where it sticks and slips and where its velocity jumps. Places are in the names of the components: u(0.25). */
#include "plot/picture.h"
#include "run/run.h"
#include "thud/elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 160, MOST_PLACES = 400 };
enum { STICK_COLOUR = 1, FRONT_COLOUR = 7 };

typedef struct line_figure {
  thud_picture *picture;
  const plot_record *record;
  size_t n, u, v, s; /* channels */
  double *x;         /* [n] */
  thud_line *line;
  size_t rows[PLOT_MOST_TIMES]; /* of the times asked for */
  size_t row_count;
  double *now, *before, *forces, *density; /* [n] */
  thud_line_atom *atoms;                   /* [n] */
} line_figure;

/* ---- reading --------------------------------------------------------------------------------------------------------------- */

/* Displacements along and across, and the reaction: the roles of what is recorded of a line. */
static bool has_channels(thud_record_reader *reader, size_t *u, size_t *v, size_t *s) {
  return thud_record_find_role(reader, THUD_RECORD_FRAMES, "state", u) == THUD_OK &&
         thud_record_find_role(reader, THUD_RECORD_FRAMES, "transverse", v) == THUD_OK &&
         thud_record_find_role(reader, THUD_RECORD_FRAMES, "pressure", s) == THUD_OK;
}

bool thud_plot_is_line(const plot_record *record) {
  size_t u, v, s;
  return has_channels(record->reader, &u, &v, &s);
}

static thud_error find_channels(line_figure *p) {
  thud_record_reader *reader = p->record->reader;
  if (!has_channels(reader, &p->u, &p->v, &p->s))
    return thud_fail(p->picture->context, THUD_ERROR_NOT_FOUND,
                     "[nothing-to-draw] %s is no string or beam: only these are drawn as a line", p->record->stem);
  p->n = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, p->u)->width;
  return THUD_OK;
}

static thud_error make_line(line_figure *p) {
  thud_context *context = p->picture->context;
  const thud_record_channel *channel = thud_record_reader_channel(p->record->reader, THUD_RECORD_FRAMES, p->u);
  const thud_kind *kind = thud_run_kind_named(thud_record_reader_info(p->record->reader).kind);
  p->x = THUD_NEW_ARRAY(context, double, p->n);
  p->now = THUD_NEW_ARRAY(context, double, p->n);
  p->before = THUD_NEW_ARRAY(context, double, p->n);
  p->forces = THUD_NEW_ARRAY(context, double, p->n);
  p->density = THUD_NEW_ARRAY(context, double, p->n);
  p->atoms = THUD_NEW_ARRAY(context, thud_line_atom, p->n);
  if (p->x == NULL || p->now == NULL || p->before == NULL || p->forces == NULL || p->density == NULL ||
      p->atoms == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < p->n; i++)
    if (!thud_plot_read_place(channel->components[i], &p->x[i]))
      return thud_fail(context, THUD_ERROR_FORMAT, "[usage] %s: '%s' has no place", p->record->stem,
                       channel->components[i]);
  const thud_line_definition definition = {.kind = kind != NULL && kind->bends ? THUD_LINE_BEAM : THUD_LINE_STRING,
                                           .nodes = (thud_index)p->n,
                                           .x = p->x,
                                           .stiffness = 1,
                                           .extension = 1};
  return thud_line_create(context, &definition, &p->line);
}

static thud_error read_row(const line_figure *p, size_t channel, size_t row, double *values) {
  return thud_record_read(p->record->reader, THUD_RECORD_FRAMES, channel, row, 1, values);
}

/* ---- panels ----------------------------------------------------------------------------------------------------------------- */

/* Series from `first` on belong to a new panel, unless there are none. */
static void end_panel(thud_picture *picture, size_t first, const char *label, const char *unit) {
  if (picture->series_count == first) return;
  picture->panels[picture->panel_count++] = (thud_plot_panel){.y_label = label,
                                                              .y_unit = unit,
                                                              .series = picture->series + first,
                                                              .series_count = picture->series_count - first};
}

static thud_error add_curve(const line_figure *p, const double *y, thud_plot_series series) {
  plot_points points = thud_plot_points_begin(p->picture, p->n);
  for (size_t i = 0; i < p->n; i++) thud_plot_points_add(&points, p->x[i], y[i]);
  series.no_jumps = true;
  return thud_plot_points_end(&points, series);
}

static double largest(size_t n, const double *w) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(w[i]));
  return most;
}

/* The largest number at the times asked for. */
static thud_error size_of(const line_figure *p, size_t channel, double *size) {
  thud_error error = THUD_OK;
  *size = 0;
  for (size_t k = 0; k < p->row_count && error == THUD_OK; k++) {
    error = read_row(p, channel, p->rows[k], p->now);
    if (error == THUD_OK) *size = fmax(*size, largest(p->n, p->now));
  }
  return error;
}

/* A displacement that is 0 at all times shows nothing. */
static thud_error add_displacement(const line_figure *p, size_t channel) {
  size_t first = p->picture->series_count;
  bool named = p->picture->panel_count == 0;
  double size;
  thud_error error = size_of(p, channel, &size);
  if (error != THUD_OK || size == 0) return error;
  for (size_t k = 0; k < p->row_count && error == THUD_OK; k++) {
    error = read_row(p, channel, p->rows[k], p->now);
    const char *label = named ? thud_plot_text(p->picture, "t = %.4g", p->record->t[p->rows[k]]) : NULL;
    if (error == THUD_OK) error = add_curve(p, p->now, (thud_plot_series){.label = label, .colour = 1 + (int)k});
  }
  end_panel(p->picture, first, thud_record_reader_channel(p->record->reader, THUD_RECORD_FRAMES, channel)->name, NULL);
  return error;
}

static thud_error add_reaction(line_figure *p) {
  size_t last = p->rows[p->row_count - 1], count = 0, first = p->picture->series_count;
  bool any = false;
  int colour = (int)p->row_count;
  thud_error error = read_row(p, p->s, last, p->forces);
  if (error == THUD_OK) error = thud_line_measure(p->line, p->forces, p->density, p->atoms, &count);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < p->n; i++) any = any || p->density[i] > 0;
  if (any) error = add_curve(p, p->density, (thud_plot_series){.colour = colour});
  end_panel(p->picture, first, p->row_count > 1 ? "density of s at the last t" : "density of s", NULL);
  first = p->picture->series_count;
  plot_points stems = thud_plot_points_begin(p->picture, count);
  for (size_t k = 0; k < count; k++) thud_plot_points_add(&stems, p->atoms[k].x, p->atoms[k].force);
  if (error == THUD_OK)
    error =
        thud_plot_points_end(&stems, (thud_plot_series){.style = THUD_PLOT_STEMS, .colour = colour, .no_jumps = true});
  end_panel(p->picture, first, p->row_count > 1 ? "atoms of s at the last t" : "atoms of s", NULL);
  return error;
}

/* ---- stick, slip and fronts over time ------------------------------------------------------------------------------------------ */

typedef struct zone_points {
  plot_points kind[3]; /* stick, slip to the right, to the left */
  plot_points fronts;
} zone_points;

/* Row k: the step from the row before; p->before holds its u. */
static void add_row(line_figure *p, size_t k, zone_points *zones) {
  size_t stride = 1 + p->n / MOST_PLACES;
  double t = p->record->t[k], elapsed = t - p->record->t[k - 1], x, size;
  double load = 1e-9 * largest(p->n, p->forces), least = 1e-12 * largest(p->n, p->now);
  for (size_t i = 0; i < p->n; i += stride) {
    double moved = p->now[i] - p->before[i];
    if (p->forces[i] > load) thud_plot_points_add(&zones->kind[moved > least ? 1 : moved < -least ? 2 : 0], p->x[i], t);
  }
  for (size_t i = 0; i < p->n; i++) p->before[i] = p->now[i] - p->before[i];
  if (elapsed > 0 && largest(p->n, p->before) > least && thud_line_find_front(p->line, p->before, &x, &size))
    thud_plot_points_add(&zones->fronts, x, t);
}

static thud_error add_zones(line_figure *p) {
  static const char *const names[] = {"at rest", "slips to the right", "slips to the left"};
  thud_picture *picture = p->picture;
  size_t rows = p->record->rows, first = picture->series_count, stride = 1 + rows / MOST_ROWS;
  size_t room = (rows / stride + 2) * (p->n < MOST_PLACES ? p->n : MOST_PLACES + 1);
  zone_points zones = {.fronts = thud_plot_points_begin(picture, rows)};
  for (int c = 0; c < 3; c++) zones.kind[c] = thud_plot_points_begin(picture, room);
  thud_error error = THUD_OK;
  for (size_t k = 1; k < rows && error == THUD_OK; k += stride) {
    error = read_row(p, p->u, k - 1, p->before);
    if (error == THUD_OK) error = read_row(p, p->u, k, p->now);
    if (error == THUD_OK) error = read_row(p, p->s, k, p->forces);
    if (error == THUD_OK) add_row(p, k, &zones);
  }
  for (int c = 0; c < 3 && error == THUD_OK; c++)
    error = thud_plot_points_end(
        &zones.kind[c],
        (thud_plot_series){.label = names[c], .style = THUD_PLOT_POINTS, .colour = STICK_COLOUR + c, .no_jumps = true});
  if (error == THUD_OK)
    error = thud_plot_points_end(&zones.fronts, (thud_plot_series){.label = "velocity jumps",
                                                                   .style = THUD_PLOT_MARKERS,
                                                                   .colour = FRONT_COLOUR,
                                                                   .no_jumps = true});
  end_panel(picture, first, "t", p->record->time_unit);
  return error;
}

/* ---- the figure ------------------------------------------------------------------------------------------------------------------ */

thud_error thud_plot_add_line(thud_picture *picture, const char *times) {
  line_figure p = {.picture = picture, .record = &picture->records[0]};
  thud_error error =
      picture->record_count == 1 && p.record->rows > 0
          ? find_channels(&p)
          : thud_fail(picture->context, THUD_ERROR_ARGUMENT, "[usage] lines are drawn of one record with rows");
  if (error == THUD_OK) error = make_line(&p);
  if (error == THUD_OK) error = thud_plot_choose_rows(picture, p.record, times, p.rows, &p.row_count);
  if (error == THUD_OK) error = add_displacement(&p, p.v);
  if (error == THUD_OK) error = add_displacement(&p, p.u);
  if (error == THUD_OK) error = add_reaction(&p);
  if (error == THUD_OK) error = add_zones(&p);
  if (error == THUD_OK && picture->panel_count == 0)
    error = thud_fail(picture->context, THUD_ERROR_NOT_FOUND,
                      "[nothing-to-draw] %s: nothing moves or touches at these times", p.record->stem);
  picture->figure.x_label = "x";
  picture->figure.x_unit = NULL;
  thud_line_destroy(p.line);
  void *arrays[] = {p.x, p.now, p.before, p.forces, p.density, p.atoms};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(picture->context, arrays[k]);
  return error;
}
