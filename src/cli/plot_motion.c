/* Series of the records of Lagrangian motions. */
#include "cli/plot_data.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool plot_is_motion(const plot_record *record) {
  size_t channel;
  return record->samples != NULL || thud_record_find_role(record->reader, "position", &channel) == THUD_OK;
}

void plot_channel_free(const plot_data *data, plot_channel *read) {
  thud_free(data->context, read->rows);
  read->rows = NULL;
}

thud_error plot_read_channel(const plot_data *data, thud_record_reader *reader, const char *name, size_t rows,
                             plot_channel *read) {
  size_t index, values;
  thud_error error = thud_record_find_channel(reader, name, &index);
  if (error != THUD_OK) return error;
  read->channel = thud_record_reader_channel(reader, index);
  if (!thud_size_multiply(rows, read->channel->width, &values))
    return thud_fail(data->context, THUD_ERROR_OVERFLOW, "channel '%s' is too large to be drawn", name);
  read->rows = THUD_NEW_ARRAY(data->context, double, values);
  if (read->rows == NULL) return THUD_ERROR_MEMORY;
  return thud_record_read(reader, index, 0, rows, read->rows);
}

static thud_error read_channel(const plot_data *data, const plot_record *record, const char *name, plot_channel *read) {
  return record->samples != NULL ? plot_samples_read(data, record, name, read)
                                 : plot_read_channel(data, record->reader, name, record->rows, read);
}

/* What several panels need; any of the channels may be missing (a system without constraints). */
typedef struct motion_extra {
  plot_channel left, atom, step;
  plot_channel force_left; /* event-driven: left limits of the reaction */
} motion_extra;

static void extra_free(const plot_data *data, motion_extra *extra) {
  plot_channel_free(data, &extra->left);
  plot_channel_free(data, &extra->atom);
  plot_channel_free(data, &extra->step);
  plot_channel_free(data, &extra->force_left);
}

static bool has_channel(const plot_record *record, const char *name) {
  size_t index;
  return thud_record_find_channel(record->reader, name, &index) == THUD_OK;
}

static thud_error extra_read(const plot_data *data, const plot_record *record, motion_extra *extra) {
  bool arcs = record->samples != NULL, contacts = has_channel(record, arcs ? "involved" : "atom");
  thud_error error = read_channel(data, record, "v_left", &extra->left);
  if (error == THUD_OK && !arcs) error = read_channel(data, record, "step", &extra->step);
  if (error == THUD_OK && contacts) error = read_channel(data, record, "atom", &extra->atom);
  if (error == THUD_OK && arcs && has_channel(record, "reaction"))
    error = read_channel(data, record, "reaction_left", &extra->force_left);
  return error;
}

static bool is_impact(const motion_extra *extra, size_t row) {
  if (extra->atom.rows == NULL) return false;
  size_t m = extra->atom.channel->width;
  for (size_t i = 0; i < m; i++)
    if (extra->atom.rows[row * m + i] != 0) return true;
  return false;
}

/* Constraint of a component of the reaction: the same name, or the part of it before ".t1". */
static bool component_is_atom(const motion_extra *extra, const char *component, size_t row) {
  if (extra->atom.rows == NULL) return false;
  const thud_record_channel *atoms = extra->atom.channel;
  size_t length = strcspn(component, ".");
  for (size_t i = 0; i < atoms->width; i++) {
    const char *name = atoms->components[i];
    bool same = strcmp(name, component) == 0 || (strlen(name) == length && strncmp(name, component, length) == 0);
    if (same) return extra->atom.rows[row * atoms->width + i] != 0;
  }
  return false;
}

/* ---- the points of one component ----------------------------------------------------------------------------------
 */

/* Arcs have forces with limits on both sides; what is known only where rows begin is joined by lines between them, or
 * holds until the next (modes). */
typedef enum motion_look {
  LOOK_LINE,
  LOOK_JUMPS,
  LOOK_DENSITY,
  LOOK_STEMS,
  LOOK_FORCES,
  LOOK_BEGINNINGS,
  LOOK_STEPS
} motion_look;

static motion_look look_of(const plot_record *record, const char *panel) {
  bool arcs = record->samples != NULL;
  if (strcmp(panel, "v") == 0) return LOOK_JUMPS;
  if (strcmp(panel, "reaction") == 0) return arcs ? LOOK_FORCES : LOOK_DENSITY;
  if (strcmp(panel, "impulse") == 0) return LOOK_STEMS;
  if (!arcs || strcmp(panel, "q") == 0) return LOOK_LINE;
  return strcmp(panel, "mode") == 0 ? LOOK_STEPS : LOOK_BEGINNINGS;
}

static thud_plot_style style_of(motion_look look) {
  switch (look) {
  case LOOK_STEMS: return THUD_PLOT_STEMS;
  case LOOK_DENSITY:
  case LOOK_STEPS: return THUD_PLOT_STEPS;
  case LOOK_BEGINNINGS: return THUD_PLOT_LINE_MARKERS;
  default: return THUD_PLOT_LINE;
  }
}

/* Densities over the steps that end at the rows; 0 where the impulse is an impact. */
static size_t density_points(const plot_record *record, const plot_channel *read, const motion_extra *extra, size_t c,
                             double *x, double *y) {
  size_t width = read->channel->width, count = 0;
  for (size_t k = 1; k < record->rows; k++) {
    double step = extra->step.rows[k];
    if (!(step > 0)) continue;
    bool atom = component_is_atom(extra, read->channel->components[c], k);
    x[count] = record->t[k - 1];
    y[count++] = atom ? 0 : read->rows[k * width + c] / step;
  }
  if (count == 0) return 0;
  x[count] = record->t[record->rows - 1];
  y[count] = y[count - 1];
  return count + 1;
}

/* Left limits where the quantity jumps, NULL elsewhere; `rounding`: differences up to this are no jump of a force. */
static const double *left_limit(const plot_channel *read, const motion_extra *extra, motion_look look, size_t row,
                                size_t c, double rounding) {
  size_t at = row * read->channel->width + c;
  if (look == LOOK_JUMPS && is_impact(extra, row)) return &extra->left.rows[at];
  if (look != LOOK_FORCES || row == 0) return NULL;
  const double *left = &extra->force_left.rows[at];
  return fabs(*left - read->rows[at]) > rounding ? left : NULL;
}

static double largest_of(const plot_channel *read, size_t rows, size_t c) {
  double largest = 0;
  for (size_t k = 0; k < rows; k++) largest = fmax(largest, fabs(read->rows[k * read->channel->width + c]));
  return largest;
}

static size_t points(const plot_record *record, const plot_channel *read, const motion_extra *extra, motion_look look,
                     size_t c, double *x, double *y) {
  const double force_rounding = 1e-9; /* relative to the largest force */
  size_t width = read->channel->width, count = 0;
  double rounding = force_rounding * largest_of(read, record->rows, c);
  if (look == LOOK_DENSITY) return density_points(record, read, extra, c, x, y);
  for (size_t k = 0; k < record->rows; k++) {
    const double *left = left_limit(read, extra, look, k, c, rounding);
    if (look == LOOK_STEMS && !component_is_atom(extra, read->channel->components[c], k)) continue;
    if (look == LOOK_BEGINNINGS && !plot_sample_begins(record->samples, k)) continue;
    if (left != NULL) {
      x[count] = record->t[k];
      y[count++] = *left;
    }
    x[count] = record->t[k];
    y[count++] = read->rows[k * width + c];
  }
  return count;
}

static thud_error add_component(plot_data *data, const plot_record *record, const plot_channel *read,
                                const motion_extra *extra, motion_look look, size_t c) {
  double *x = plot_new_column(data, 2 * record->rows), *y = plot_new_column(data, 2 * record->rows);
  if (x == NULL || y == NULL) return THUD_ERROR_MEMORY;
  size_t count = points(record, read, extra, look, c, x, y);
  if (count == 0) return THUD_OK;
  const char *label = plot_series_label(data, record, read->channel->components[c]);
  /* a constraint has the same colour in all panels of reactions */
  bool reaction = look == LOOK_STEMS || look == LOOK_DENSITY || look == LOOK_FORCES;
  int colour = reaction && data->record_count == 1 ? (int)(c % THUD_PLOT_COLOURS) + 1 : 0;
  data->series[data->series_count++] = (thud_plot_series){.label = label,
                                                          .colour = colour,
                                                          .count = count,
                                                          .x = x,
                                                          .y = y,
                                                          .style = style_of(look),
                                                          .no_jumps = look != LOOK_JUMPS && look != LOOK_FORCES};
  return THUD_OK;
}

thud_error plot_motion_channel(plot_data *data, const plot_record *record, const char *name, const char *components,
                               const char **unit) {
  motion_look look = look_of(record, name);
  plot_channel read = {0};
  motion_extra extra = {0};
  size_t added = 0;
  bool reaction = look == LOOK_STEMS || look == LOOK_DENSITY || look == LOOK_FORCES;
  if (reaction && !has_channel(record, "reaction")) return THUD_OK;
  thud_error error = read_channel(data, record, reaction && record->samples == NULL ? "reaction" : name, &read);
  if (error == THUD_OK) error = extra_read(data, record, &extra);
  for (size_t c = 0; error == THUD_OK && c < read.channel->width && added < PLOT_MAX_COMPONENTS; c++) {
    if (read.channel->width > 1 && !reaction && !plot_listed(components, read.channel->components[c])) continue;
    error = add_component(data, record, &read, &extra, look, c);
    added++;
  }
  if (error == THUD_OK && added == 0)
    error =
        thud_fail(data->context, THUD_ERROR_NOT_FOUND, "channel '%s' has no component among '%s'", name, components);
  if (error == THUD_OK) *unit = look == LOOK_DENSITY ? "N" : read.channel->unit;
  plot_channel_free(data, &read);
  extra_free(data, &extra);
  return error;
}

/* ---- the phase plane
 * ------------------------------------------------------------------------------------------------- */

/* A coordinate or a velocity by its name; `left` gives its left limits (the same for coordinates). */
static thud_error find_quantity(const plot_data *data, const char *name, size_t length, const plot_channel *q,
                                const plot_channel *v, const plot_channel *left, const plot_channel **read,
                                const plot_channel **before, size_t *component) {
  const plot_channel *const channels[] = {q, v};
  for (size_t k = 0; k < 2; k++)
    for (size_t c = 0; c < channels[k]->channel->width; c++) {
      const char *candidate = channels[k]->channel->components[c];
      if (strlen(candidate) != length || strncmp(candidate, name, length) != 0) continue;
      *read = channels[k];
      *before = k == 0 ? q : left;
      *component = c;
      return THUD_OK;
    }
  return thud_fail(data->context, THUD_ERROR_NOT_FOUND, "the motion has neither a coordinate nor a velocity '%.*s'",
                   (int)length, name);
}

/* The curve is interrupted at impacts; the jumps are dotted. */
static thud_error add_phase(plot_data *data, const plot_record *record, const motion_extra *extra,
                            const plot_channel *const read[2], const plot_channel *const before[2],
                            const size_t component[2]) {
  size_t jumps = 0, count = 0, at = 0;
  for (size_t k = 0; k < record->rows; k++) jumps += is_impact(extra, k);
  double *x[2] = {plot_new_column(data, record->rows + jumps), plot_new_column(data, record->rows + jumps)};
  double *ends[2] = {plot_new_column(data, 2 * jumps + 1), plot_new_column(data, 2 * jumps + 1)};
  size_t *breaks = (size_t *)(void *)plot_new_column(data, jumps + 1);
  size_t *gaps = (size_t *)(void *)plot_new_column(data, jumps + 1);
  if (x[0] == NULL || x[1] == NULL || ends[0] == NULL || ends[1] == NULL || breaks == NULL || gaps == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < record->rows; k++) {
    bool impact = is_impact(extra, k);
    for (size_t axis = 0; axis < 2; axis++) {
      double after = read[axis]->rows[k * read[axis]->channel->width + component[axis]];
      double old = before[axis]->rows[k * before[axis]->channel->width + component[axis]];
      if (impact) x[axis][count] = ends[axis][2 * at] = old;
      if (impact) ends[axis][2 * at + 1] = after;
      x[axis][count + impact] = after;
    }
    if (impact) {
      breaks[at] = count + 1;
      gaps[at] = 2 * (at + 1);
      at++;
    }
    count += 1 + (size_t)impact;
  }
  int colour = (int)(data->series_count / 2 % THUD_PLOT_COLOURS) + 1;
  char *label = data->labels[data->series_count];
  snprintf(label, PLOT_LABEL, "%s", data->record_count > 1 ? record->stem : "");
  data->series[data->series_count++] = (thud_plot_series){.label = label,
                                                          .count = count,
                                                          .x = x[0],
                                                          .y = x[1],
                                                          .colour = colour,
                                                          .no_jumps = true,
                                                          .break_count = jumps,
                                                          .breaks = breaks};
  if (jumps > 0)
    data->series[data->series_count++] = (thud_plot_series){.count = 2 * jumps,
                                                            .x = ends[0],
                                                            .y = ends[1],
                                                            .dash = THUD_PLOT_DOTTED,
                                                            .colour = colour,
                                                            .no_jumps = true,
                                                            .break_count = jumps - 1,
                                                            .breaks = gaps};
  return THUD_OK;
}

thud_error plot_motion_curve(plot_data *data, const plot_record *record, const char *pair, const char *comma) {
  plot_channel q = {0}, v = {0};
  motion_extra extra = {0};
  const plot_channel *read[2] = {NULL, NULL}, *before[2] = {NULL, NULL};
  size_t component[2] = {0, 0};
  thud_error error = read_channel(data, record, "q", &q);
  if (error == THUD_OK) error = read_channel(data, record, "v", &v);
  if (error == THUD_OK) error = extra_read(data, record, &extra);
  if (error == THUD_OK)
    error = find_quantity(data, pair, (size_t)(comma - pair), &q, &v, &extra.left, &read[0], &before[0], &component[0]);
  if (error == THUD_OK)
    error = find_quantity(data, comma + 1, strlen(comma + 1), &q, &v, &extra.left, &read[1], &before[1], &component[1]);
  if (error == THUD_OK) error = add_phase(data, record, &extra, read, before, component);
  if (error == THUD_OK) {
    snprintf(data->x_label, sizeof data->x_label, "%s", read[0]->channel->components[component[0]]);
    data->x_unit = read[0]->channel->unit;
    char *y_label = data->labels[(size_t)PLOT_MAX_PANELS * PLOT_MAX_SERIES];
    snprintf(y_label, PLOT_LABEL, "%s", read[1]->channel->components[component[1]]);
    data->panels[0].y_label = y_label;
    data->panels[0].y_unit = read[1]->channel->unit;
    /* two coordinates of one unit have one scale, others have none in common */
    data->phase = read[0] == &q && read[1] == &q && q.channel->unit != NULL && q.channel->unit[0] != '\0';
  }
  plot_channel_free(data, &q);
  plot_channel_free(data, &v);
  extra_free(data, &extra);
  return error;
}
