#include "plot/plot_check.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>

/* Beyond this the widths of ranges and the powers of ten of ticks leave the double numbers. */
static const double largest_value = 1e300;

/* "panel 0, series 1 ('energy')" */
typedef struct where {
  size_t panel, series;
  const char *label;
  char text[128];
} where;

static const char *describe(where *place) {
  int used = snprintf(place->text, sizeof place->text, "panel %zu, series %zu", place->panel, place->series);
  if (place->label != NULL && place->label[0] != '\0')
    snprintf(place->text + used, sizeof place->text - (size_t)used, " ('%.60s')", place->label);
  return place->text;
}

static thud_error check_values(thud_context *context, where *place, char name, size_t count, const double *values,
                               bool log) {
  for (size_t k = 0; k < count; k++) {
    if (!isfinite(values[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE,
                       "plot: %s: %c[%zu] is %s; leave the point out and put a break there", describe(place), name, k,
                       isnan(values[k]) ? "NaN" : "infinite");
    if (fabs(values[k]) > largest_value || (log && values[k] > 0 && values[k] < 1 / largest_value))
      return thud_fail(context, THUD_ERROR_OVERFLOW, "plot: %s: %c[%zu] = %g is outside of what can be drawn",
                       describe(place), name, k, values[k]);
    if (log && values[k] <= 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: %s: %c[%zu] = %g cannot be shown on a logarithmic axis",
                       describe(place), name, k, values[k]);
  }
  return THUD_OK;
}

static thud_error check_breaks(thud_context *context, where *place, const thud_plot_series *series) {
  if (series->break_count > 0 && series->breaks == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: %s: its breaks are missing", describe(place));
  for (size_t k = 0; k < series->break_count; k++) {
    size_t smallest = k == 0 ? 1 : series->breaks[k - 1] + 1;
    if (series->breaks[k] < smallest || series->breaks[k] >= series->count)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "plot: %s: break %zu is at point %zu; breaks increase and lie in 1..%zu", describe(place), k,
                       series->breaks[k], series->count - 1);
  }
  return THUD_OK;
}

static thud_error check_series(thud_context *context, where *place, const thud_plot_series *series, bool x_log,
                               bool y_log) {
  if (series->count == 0 || series->x == NULL || series->y == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[nothing-to-draw] plot: %s has no points", describe(place));
  if (series->style < THUD_PLOT_LINE || series->style > THUD_PLOT_AREA || series->dash < THUD_PLOT_SOLID ||
      series->dash > THUD_PLOT_SPARSE)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: %s: unknown style %d or dash %d", describe(place),
                     (int)series->style, (int)series->dash);
  if (series->colour < 0 || series->colour > THUD_PLOT_COLOURS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: %s: colour %d is not in 0..%d", describe(place),
                     series->colour, THUD_PLOT_COLOURS);
  if (series->marker < THUD_PLOT_MARKER_BY_ORDER || series->marker > THUD_PLOT_MARKER_DIAMOND)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: %s: unknown marker %d", describe(place), (int)series->marker);
  thud_error error = check_values(context, place, 'x', series->count, series->x, x_log);
  if (error == THUD_OK) error = check_values(context, place, 'y', series->count, series->y, y_log);
  return error == THUD_OK ? check_breaks(context, place, series) : error;
}

static thud_error check_slopes(thud_context *context, size_t p, const thud_plot_panel *panel, bool x_log) {
  for (size_t k = 0; k < panel->slope_count; k++) {
    if (!x_log || !panel->y_log)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: panel %zu: slopes need two logarithmic axes", p);
    if (panel->slopes[k].series >= panel->series_count || !isfinite(panel->slopes[k].order) ||
        panel->slopes[k].order == 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: panel %zu: slope %zu has no order or no series", p, k);
  }
  return THUD_OK;
}

static thud_error check_keys(thud_context *context, size_t p, const thud_plot_panel *panel) {
  if (panel->key_count > 0 && panel->keys == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: panel %zu: the lines of its legend are missing", p);
  for (size_t k = 0; k < panel->key_count; k++) {
    const thud_plot_key *key = &panel->keys[k];
    bool known = key->style >= THUD_PLOT_LINE && key->style <= THUD_PLOT_AREA && key->dash >= THUD_PLOT_SOLID &&
                 key->dash <= THUD_PLOT_SPARSE && key->marker >= THUD_PLOT_MARKER_BY_ORDER &&
                 key->marker <= THUD_PLOT_MARKER_DIAMOND && key->colour >= 0 && key->colour <= THUD_PLOT_COLOURS;
    if (!known)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "plot: panel %zu: line %zu of its legend has an unknown style, dash, marker or colour", p, k);
  }
  return THUD_OK;
}

static thud_error check_panel(thud_context *context, size_t p, const thud_plot_figure *figure) {
  const thud_plot_panel *panel = &figure->panels[p];
  if (panel->series_count == 0 || panel->series == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: panel %zu has no series", p);
  if (panel->y_fixed && !(isfinite(panel->y_minimum) && isfinite(panel->y_maximum) &&
                          panel->y_minimum < panel->y_maximum && (!panel->y_log || panel->y_minimum > 0)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: panel %zu: %g..%g is not a range for its y axis", p,
                     panel->y_minimum, panel->y_maximum);
  for (size_t k = 0; k < panel->series_count; k++) {
    where place = {.panel = p, .series = k, .label = panel->series[k].label};
    thud_error error = check_series(context, &place, &panel->series[k], figure->x_log, panel->y_log);
    if (error != THUD_OK) return error;
  }
  for (size_t k = 0; k < panel->rule_count; k++) {
    bool log = panel->rules[k].vertical ? figure->x_log : panel->y_log;
    if (!isfinite(panel->rules[k].value) || (log && panel->rules[k].value <= 0))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: panel %zu: rule %zu cannot be at %g", p, k,
                       panel->rules[k].value);
  }
  thud_error error = check_keys(context, p, panel);
  return error == THUD_OK ? check_slopes(context, p, panel, figure->x_log) : error;
}

thud_error thud_plot_check(thud_context *context, const thud_plot_figure *figure) {
  if (figure == NULL || figure->panel_count == 0 || figure->panels == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[unknown-channel] plot: the figure has no panels");
  if (figure->equal_aspect && (figure->panel_count != 1 || figure->x_log || figure->panels[0].y_log))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: equal scales need one panel without logarithmic axes");
  for (size_t p = 0; p < figure->panel_count; p++) {
    thud_error error = check_panel(context, p, figure);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}
