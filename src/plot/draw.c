/* Figures: axes, rules, slopes, labels. */
#include "plot/pen.h"

#include <math.h>
#include <string.h>

/* pt */
static const double thin_width = 0.7, grid_width = 0.4;
static const double tick_length = 4, minor_length = 2.2;
static const double slope_distance = 11, slope_share = 0.2;

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void draw_grid(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  cairo_t *cairo = layout->cairo;
  const thud_plot_box *box = &panel->box;
  thud_pen_gray(layout, 0.86);
  cairo_set_line_width(cairo, grid_width);
  for (size_t k = 0; k < layout->x_ticks.count; k++) {
    double x = thud_plot_axis_place(&panel->x, layout->x_ticks.values[k]);
    thud_pen_segment(layout, x, box->top, x, box->bottom);
  }
  for (size_t k = 0; k < panel->y_ticks.count; k++) {
    double y = thud_plot_axis_place(&panel->y, panel->y_ticks.values[k]);
    thud_pen_segment(layout, box->left, y, box->right, y);
  }
}

static void draw_x_ticks(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t count,
                         const double *values, double length) {
  const thud_plot_box *box = &panel->box;
  for (size_t k = 0; k < count; k++) {
    double x = thud_plot_axis_place(&panel->x, values[k]);
    thud_pen_segment(layout, x, box->bottom, x, box->bottom - length);
    thud_pen_segment(layout, x, box->top, x, box->top + length);
  }
}

static void draw_y_ticks(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t count,
                         const double *values, double length) {
  const thud_plot_box *box = &panel->box;
  for (size_t k = 0; k < count; k++) {
    double y = thud_plot_axis_place(&panel->y, values[k]);
    thud_pen_segment(layout, box->left, y, box->left + length, y);
    thud_pen_segment(layout, box->right, y, box->right - length, y);
  }
}

void thud_plot_draw_frame(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  const thud_plot_box *box = &panel->box;
  thud_pen_gray(layout, 0.15);
  cairo_set_line_width(layout->cairo, thin_width);
  draw_x_ticks(layout, panel, layout->x_ticks.count, layout->x_ticks.values, tick_length);
  draw_x_ticks(layout, panel, layout->x_ticks.minor_count, layout->x_ticks.minor, minor_length);
  draw_y_ticks(layout, panel, panel->y_ticks.count, panel->y_ticks.values, tick_length);
  draw_y_ticks(layout, panel, panel->y_ticks.minor_count, panel->y_ticks.minor, minor_length);
  cairo_rectangle(layout->cairo, box->left, box->top, box->right - box->left, box->bottom - box->top);
  thud_canvas_stroke(layout->canvas);
}

/* A name that is too long is cut; power of ten and unit stay. */
static void fit_axis_label(const thud_plot_layout *layout, const thud_ticks *ticks, const char *name, const char *unit,
                           double length, char *fitted) {
  char whole[THUD_PLOT_TEXT], tail[THUD_PLOT_TEXT], cut[THUD_PLOT_TEXT];
  thud_ticks_axis_label(ticks, name, unit, whole, sizeof whole);
  thud_plot_fit_text(layout, whole, layout->font, false, length, fitted);
  if (strcmp(fitted, whole) == 0 || name == NULL) return;
  thud_ticks_axis_label(ticks, "", unit, tail, sizeof tail);
  thud_plot_cut_text(layout, name, length - thud_plot_text_width(layout, tail), cut);
  thud_ticks_axis_label(ticks, cut, unit, whole, sizeof whole);
  thud_plot_cut_text(layout, whole, length, fitted);
}

static void draw_y_labels(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  char fitted[THUD_PLOT_TEXT];
  cairo_t *cairo = layout->cairo;
  const thud_plot_box *box = &panel->box;
  thud_pen_gray(layout, 0);
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t k = 0; k < panel->y_ticks.count; k++)
    thud_plot_put_text(layout, panel->y_ticks.labels[k], box->left - 0.45 * layout->font,
                       thud_plot_axis_place(&panel->y, panel->y_ticks.values[k]), 1, 0.5);
  double length = box->bottom - box->top + 0.3 * thud_plot_gap(layout);
  fit_axis_label(layout, &panel->y_ticks, panel->panel->y_label, panel->panel->y_unit, length, fitted);
  thud_canvas_save(layout->canvas);
  cairo_translate(cairo, 0.6 * layout->font + 0.5 * layout->font, 0.5 * (box->top + box->bottom));
  cairo_rotate(cairo, -0.5 * 3.14159265358979323846);
  thud_plot_put_text(layout, fitted, 0, 0, 0.5, 0.5);
  thud_canvas_restore(layout->canvas);
}

static void draw_x_labels(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  char fitted[THUD_PLOT_TEXT];
  const thud_plot_box *box = &panel->box;
  double y = box->bottom + 0.45 * layout->font;
  thud_pen_gray(layout, 0);
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t k = 0; k < layout->x_ticks.count; k++)
    thud_plot_put_text(layout, layout->x_ticks.labels[k], thud_plot_axis_place(&panel->x, layout->x_ticks.values[k]), y,
                       0.5, 1);
  fit_axis_label(layout, &layout->x_ticks, layout->figure->x_label, layout->figure->x_unit, box->right - box->left,
                 fitted);
  thud_plot_put_text(layout, fitted, 0.5 * (box->left + box->right), y + layout->small_font + 0.55 * layout->font, 0.5,
                     1);
}

/* ---- rules and slopes ----------------------------------------------------------------------------------------------
 */

static void draw_rule(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, const thud_plot_rule *rule) {
  const thud_plot_box *box = &panel->box;
  double place = thud_plot_axis_place(rule->vertical ? &panel->x : &panel->y, rule->value);
  thud_pen_gray(layout, 0.45);
  cairo_set_line_width(layout->cairo, 0.8);
  thud_pen_dash(layout, THUD_PLOT_DASHED);
  if (rule->vertical)
    thud_pen_segment(layout, place, box->top, place, box->bottom);
  else
    thud_pen_segment(layout, box->left, place, box->right, place);
  thud_pen_dash(layout, THUD_PLOT_SOLID);
  if (rule->label == NULL) return;
  thud_plot_set_font(layout, layout->small_font, false);
  if (rule->vertical) { /* a label that would leave the frame goes to the other side */
    bool fits = place + 3 + thud_plot_text_width(layout, rule->label) <= box->right;
    thud_plot_put_text(layout, rule->label, fits ? place + 3 : place - 3, box->top + 5, fits ? 0 : 1, 1);
  } else {
    thud_plot_put_text(layout, rule->label, box->right - 4, place - 3, 1, 0);
  }
}

/* Height on paper of the series at x (pt), by the line through its points; the points ascend or descend in x. */
static double height_at(const thud_plot_panel_layout *panel, const thud_plot_series *series, double x) {
  double best = panel->box.bottom, nearest = INFINITY;
  for (size_t k = 0; k < series->count; k++) {
    double x2 = thud_plot_axis_place(&panel->x, series->x[k]), y2 = thud_plot_axis_place(&panel->y, series->y[k]);
    if (fabs(x2 - x) < nearest) {
      nearest = fabs(x2 - x);
      best = y2;
    }
    if (k == 0) continue;
    double x1 = thud_plot_axis_place(&panel->x, series->x[k - 1]);
    double y1 = thud_plot_axis_place(&panel->y, series->y[k - 1]);
    if (x1 != x2 && (x - x1) * (x - x2) <= 0) return y1 + (y2 - y1) * (x - x1) / (x2 - x1);
  }
  return best;
}

/* Legs 1 : |order| with the right angle below the data, so that the hypotenuse runs along them. */
static void draw_slope(const thud_plot_layout *layout, const thud_plot_panel_layout *panel,
                       const thud_plot_slope *slope) {
  const thud_plot_series *series = &panel->panel->series[slope->series];
  const thud_plot_box *box = &panel->box;
  double width = box->right - box->left, x1 = box->left + 0.5 * width, x2 = x1 + slope_share * width;
  double x_unit = width / log10(panel->x.maximum / panel->x.minimum);
  double y_unit = (box->bottom - box->top) / log10(panel->y.maximum / panel->y.minimum);
  double rise = -slope->order * (x2 - x1) / x_unit * y_unit; /* downwards on paper */
  double shift = fmax(height_at(panel, series, x1), height_at(panel, series, x2) - rise) + slope_distance;
  double y1 = shift, y2 = shift + rise, low = fmax(y1, y2), corner = slope->order > 0 ? x2 : x1;
  char text[32];
  thud_format_double(round(100 * fabs(slope->order)) / 100, text, sizeof text);
  thud_pen_gray(layout, 0.2);
  cairo_set_line_width(layout->cairo, 0.8);
  cairo_move_to(layout->cairo, x1, y1);
  cairo_line_to(layout->cairo, x2, y2);
  cairo_line_to(layout->cairo, corner, low);
  cairo_close_path(layout->cairo);
  thud_canvas_stroke(layout->canvas);
  thud_plot_set_font(layout, layout->small_font, false);
  thud_plot_put_text(layout, "1", 0.5 * (x1 + x2), low + 3, 0.5, 1);
  thud_plot_put_text(layout, text, corner + (slope->order > 0 ? 3 : -3), 0.5 * (y1 + y2), slope->order > 0 ? 0 : 1,
                     0.5);
}

/* ---- the figure
 * ------------------------------------------------------------------------------------------------------ */

static thud_error draw_all_series(thud_plot_layout *layout, const thud_plot_panel_layout *panel, bool areas) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < panel->panel->series_count && error == THUD_OK; k++)
    if ((panel->panel->series[k].style == THUD_PLOT_AREA) == areas) error = thud_plot_draw_series(layout, panel, k);
  return error;
}

static thud_error draw_panel(thud_plot_layout *layout, size_t p) {
  const thud_plot_panel_layout *panel = &layout->panels[p];
  thud_canvas_group(layout->canvas, "panel", p, panel->panel->y_label);
  thud_error error = draw_all_series(layout, panel, true);
  draw_grid(layout, panel);
  for (size_t k = 0; k < panel->panel->rule_count; k++) draw_rule(layout, panel, &panel->panel->rules[k]);
  thud_plot_draw_frame(layout, panel);
  if (error == THUD_OK) error = draw_all_series(layout, panel, false);
  for (size_t k = 0; k < panel->panel->slope_count; k++) draw_slope(layout, panel, &panel->panel->slopes[k]);
  draw_y_labels(layout, panel);
  thud_plot_draw_legend(layout, panel);
  thud_canvas_end_group(layout->canvas);
  return error;
}

static void draw_note(const thud_plot_layout *layout) {
  double y = layout->height - 0.7 * layout->font;
  thud_pen_gray(layout, 0.4);
  thud_plot_set_font(layout, layout->note_font, false);
  for (size_t k = layout->note_lines; k-- > 0; y -= layout->note_row)
    thud_plot_put_text(layout, layout->note[k], layout->font, y, 0, 0);
}

/* Lines above each other, the last one at y. */
static void draw_long_title(const thud_plot_layout *layout, double y) {
  thud_pen_gray(layout, 0);
  thud_plot_set_font(layout, layout->font, true);
  for (size_t k = 0; k < layout->title_lines; k++)
    thud_plot_put_text(layout, layout->title[k], 0.5 * layout->width,
                       y - (double)(layout->title_lines - 1 - k) * layout->title_row, 0.5, 0);
}

/* Over the first panel; a long one over the whole width, in several lines if need be. */
static void draw_title(const thud_plot_layout *layout) {
  const char *title = layout->figure->title;
  const thud_plot_panel_layout *panel = &layout->panels[0];
  bool below_legend = panel->legend.count > 0 && thud_plot_legend_is_above(layout);
  double y = (below_legend ? panel->legend.box.top : panel->box.top) - 0.75 * layout->font;
  if (title == NULL || title[0] == '\0') return;
  if (layout->title_lines > 1) {
    draw_long_title(layout, y);
    return;
  }
  thud_plot_set_font(layout, thud_plot_title_share * layout->font, true);
  bool is_short = thud_plot_text_width(layout, title) <= panel->box.right - panel->box.left;
  thud_plot_put_title(layout, title, is_short ? panel->box.left : layout->font,
                      is_short ? panel->box.right : layout->width - layout->font, y);
}

thud_error thud_plot_draw(thud_plot_layout *layout) {
  const thud_plot_figure *figure = layout->figure;
  for (size_t p = 0; p < figure->panel_count && !layout->bare; p++) {
    thud_error error = draw_panel(layout, p);
    if (error != THUD_OK) return error;
  }
  if (!layout->bare) draw_x_labels(layout, &layout->panels[figure->panel_count - 1]);
  draw_note(layout);
  draw_title(layout);
  return THUD_OK;
}
