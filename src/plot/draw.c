#include "plot/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Okabe and Ito, "Color universal design" (2008); yellow last, because it is weak on white. */
static const double palette[THUD_PLOT_COLOURS][3] = {
    {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
    {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.000, 0.000, 0.000}, {0.941, 0.894, 0.259},
};

const double *thud_plot_colour(size_t k) { return palette[k % THUD_PLOT_COLOURS]; }

static const double pi = 3.14159265358979323846;

/* pt */
static const double line_width = 1.3, thin_width = 0.7, grid_width = 0.4;
static const double tick_length = 4, minor_length = 2.2;
static const double marker_radius = 2.4, jump_radius = 2.1, point_radius = 0.45;
static const double jump_distance = 5; /* nearer jumps get no circles */
static const double slope_distance = 11, slope_share = 0.2;

static void use_colour(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t series) {
  int chosen = panel->panel->series[series].colour;
  int index = chosen > 0 ? chosen - 1 : (panel->first_colour + (int)(series % THUD_PLOT_COLOURS)) % THUD_PLOT_COLOURS;
  cairo_set_source_rgb(layout->cairo, palette[index][0], palette[index][1], palette[index][2]);
}

static void use_gray(const thud_plot_layout *layout, double gray) {
  cairo_set_source_rgb(layout->cairo, gray, gray, gray);
}

static void use_dash(cairo_t *cairo, thud_plot_dash dash) {
  static const double dashed[2] = {5, 2.6}, dotted[2] = {1.2, 2};
  if (dash == THUD_PLOT_SOLID)
    cairo_set_dash(cairo, NULL, 0, 0);
  else
    cairo_set_dash(cairo, dash == THUD_PLOT_DASHED ? dashed : dotted, 2, 0);
}

static void stroke_segment(cairo_t *cairo, double x1, double y1, double x2, double y2) {
  cairo_move_to(cairo, x1, y1);
  cairo_line_to(cairo, x2, y2);
  cairo_stroke(cairo);
}

static void clip_to(cairo_t *cairo, const thud_plot_box *box, double more) {
  cairo_rectangle(cairo, box->left - more, box->top - more, box->right - box->left + 2 * more,
                  box->bottom - box->top + 2 * more);
  cairo_clip(cairo);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void draw_grid(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  cairo_t *cairo = layout->cairo;
  const thud_plot_box *box = &panel->box;
  use_gray(layout, 0.86);
  cairo_set_line_width(cairo, grid_width);
  for (size_t k = 0; k < layout->x_ticks.count; k++) {
    double x = thud_plot_axis_place(&panel->x, layout->x_ticks.values[k]);
    stroke_segment(cairo, x, box->top, x, box->bottom);
  }
  for (size_t k = 0; k < panel->y_ticks.count; k++) {
    double y = thud_plot_axis_place(&panel->y, panel->y_ticks.values[k]);
    stroke_segment(cairo, box->left, y, box->right, y);
  }
}

static void draw_x_ticks(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t count,
                         const double *values, double length) {
  const thud_plot_box *box = &panel->box;
  for (size_t k = 0; k < count; k++) {
    double x = thud_plot_axis_place(&panel->x, values[k]);
    stroke_segment(layout->cairo, x, box->bottom, x, box->bottom - length);
    stroke_segment(layout->cairo, x, box->top, x, box->top + length);
  }
}

static void draw_y_ticks(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t count,
                         const double *values, double length) {
  const thud_plot_box *box = &panel->box;
  for (size_t k = 0; k < count; k++) {
    double y = thud_plot_axis_place(&panel->y, values[k]);
    stroke_segment(layout->cairo, box->left, y, box->left + length, y);
    stroke_segment(layout->cairo, box->right, y, box->right - length, y);
  }
}

void thud_plot_draw_frame(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  const thud_plot_box *box = &panel->box;
  use_gray(layout, 0.15);
  cairo_set_line_width(layout->cairo, thin_width);
  draw_x_ticks(layout, panel, layout->x_ticks.count, layout->x_ticks.values, tick_length);
  draw_x_ticks(layout, panel, layout->x_ticks.minor_count, layout->x_ticks.minor, minor_length);
  draw_y_ticks(layout, panel, panel->y_ticks.count, panel->y_ticks.values, tick_length);
  draw_y_ticks(layout, panel, panel->y_ticks.minor_count, panel->y_ticks.minor, minor_length);
  cairo_rectangle(layout->cairo, box->left, box->top, box->right - box->left, box->bottom - box->top);
  cairo_stroke(layout->cairo);
}

/* Lowers the font until the text fits into the length, down to the smallest that can be read; what is still too long
 * loses its end. fitted has THUD_PLOT_TEXT bytes. */
static void fit_text(const thud_plot_layout *layout, const char *text, double size, bool bold, double length,
                     char *fitted) {
  static const double smallest = 6;
  static const char ellipsis[] = "…";
  snprintf(fitted, THUD_PLOT_TEXT - sizeof ellipsis, "%s", text);
  thud_plot_set_font(layout, size, bold);
  double width = thud_plot_text_width(layout, fitted);
  if (width > length) thud_plot_set_font(layout, fmax(smallest, size * length / width), bold);
  for (size_t kept = strlen(fitted); kept > 0 && thud_plot_text_width(layout, fitted) > length;) {
    do kept--;
    while (kept > 0 && ((unsigned char)fitted[kept] & 0xc0) == 0x80);
    memcpy(fitted + kept, ellipsis, sizeof ellipsis);
  }
}

static void draw_y_labels(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  char text[THUD_PLOT_TEXT], fitted[THUD_PLOT_TEXT];
  cairo_t *cairo = layout->cairo;
  const thud_plot_box *box = &panel->box;
  use_gray(layout, 0);
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t k = 0; k < panel->y_ticks.count; k++)
    thud_plot_put_text(layout, panel->y_ticks.labels[k], box->left - 0.45 * layout->font,
                       thud_plot_axis_place(&panel->y, panel->y_ticks.values[k]), 1, 0.5);
  thud_ticks_axis_label(&panel->y_ticks, panel->panel->y_label, panel->panel->y_unit, text, sizeof text);
  fit_text(layout, text, layout->font, false, box->bottom - box->top, fitted);
  cairo_save(cairo);
  cairo_translate(cairo, 0.6 * layout->font + 0.5 * layout->font, 0.5 * (box->top + box->bottom));
  cairo_rotate(cairo, -pi / 2);
  thud_plot_put_text(layout, fitted, 0, 0, 0.5, 0.5);
  cairo_restore(cairo);
}

static void draw_x_labels(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  char text[THUD_PLOT_TEXT], fitted[THUD_PLOT_TEXT];
  const thud_plot_box *box = &panel->box;
  double y = box->bottom + 0.45 * layout->font;
  use_gray(layout, 0);
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t k = 0; k < layout->x_ticks.count; k++)
    thud_plot_put_text(layout, layout->x_ticks.labels[k], thud_plot_axis_place(&panel->x, layout->x_ticks.values[k]), y,
                       0.5, 1);
  thud_ticks_axis_label(&layout->x_ticks, layout->figure->x_label, layout->figure->x_unit, text, sizeof text);
  fit_text(layout, text, layout->font, false, box->right - box->left, fitted);
  thud_plot_put_text(layout, fitted, 0.5 * (box->left + box->right), y + layout->small_font + 0.55 * layout->font, 0.5,
                     1);
}

/* ---- series --------------------------------------------------------------------------------------------------------
 */

static void circle(cairo_t *cairo, double x, double y, double radius) {
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, x, y, radius, 0, 2 * pi);
}

static void stroke_path(const thud_plot_layout *layout) {
  const thud_plot_path *path = &layout->path;
  for (size_t k = 0; k < path->count; k++)
    if (path->points[k].start)
      cairo_move_to(layout->cairo, path->points[k].x, path->points[k].y);
    else
      cairo_line_to(layout->cairo, path->points[k].x, path->points[k].y);
  cairo_stroke(layout->cairo);
}

/* The shape differs from series to series, so that colours are not needed to distinguish them. */
static void draw_marker(const thud_plot_layout *layout, size_t shape, double x, double y) {
  cairo_t *cairo = layout->cairo;
  double r = marker_radius;
  if (shape % 4 == 0) {
    circle(cairo, x, y, r);
  } else if (shape % 4 == 1) {
    cairo_rectangle(cairo, x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  } else if (shape % 4 == 2) {
    cairo_move_to(cairo, x, y - 1.25 * r);
    cairo_line_to(cairo, x + 1.15 * r, y + 0.8 * r);
    cairo_line_to(cairo, x - 1.15 * r, y + 0.8 * r);
    cairo_close_path(cairo);
  } else {
    cairo_move_to(cairo, x, y - 1.35 * r);
    cairo_line_to(cairo, x + 1.35 * r, y);
    cairo_line_to(cairo, x, y + 1.35 * r);
    cairo_line_to(cairo, x - 1.35 * r, y);
    cairo_close_path(cairo);
  }
  cairo_fill(cairo);
}

static void draw_markers(const thud_plot_layout *layout, size_t shape) {
  const thud_plot_path *path = &layout->path;
  double last_x = -INFINITY, last_y = -INFINITY;
  for (size_t k = 0; k < path->count; k++) {
    double x = path->points[k].x, y = path->points[k].y;
    if (fabs(x - last_x) < 0.5 && fabs(y - last_y) < 0.5) continue;
    draw_marker(layout, shape, x, y);
    last_x = x;
    last_y = y;
  }
}

/* Every point of the series: thinning along x would tear holes into clouds. */
static void draw_points(const thud_plot_layout *layout, const thud_plot_panel_layout *panel,
                        const thud_plot_series *series) {
  for (size_t k = 0; k < series->count; k++) {
    circle(layout->cairo, thud_plot_axis_place(&panel->x, series->x[k]), thud_plot_axis_place(&panel->y, series->y[k]),
           point_radius);
    cairo_fill(layout->cairo);
  }
}

static void draw_stems(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  const thud_plot_path *path = &layout->path;
  bool crowded = (double)path->count * 2 * jump_radius > panel->box.right - panel->box.left;
  double zero = panel->y.log ? panel->box.bottom : thud_plot_axis_place(&panel->y, 0);
  for (size_t k = 0; k < path->count; k++) {
    stroke_segment(layout->cairo, path->points[k].x, zero, path->points[k].x, path->points[k].y);
    if (crowded) continue;
    circle(layout->cairo, path->points[k].x, path->points[k].y, jump_radius);
    cairo_fill(layout->cairo);
  }
}

/* Two jumps at the same x are one: from the left limit to the value, from the value to the right limit. */
static bool is_continued(const thud_plot_path *path, size_t k) {
  return k + 1 < path->jump_count && path->jumps[k + 1].x == path->jumps[k].x;
}

/* Is there room for the circles of the jumps first..last, which share their x? */
static bool are_alone(const thud_plot_path *path, size_t first, size_t last) {
  const thud_plot_jump *jumps = path->jumps;
  for (size_t k = first; k <= last; k++)
    if (fabs(jumps[k].y_left - jumps[k].y_right) < 2 * jump_radius) return false;
  if (first > 0 && jumps[first].x - jumps[first - 1].x < jump_distance) return false;
  return last + 1 == path->jump_count || jumps[last + 1].x - jumps[last].x >= jump_distance;
}

/* Connectors of jumps that fall on the same dot of paper are drawn once. */
static void draw_connectors(const thud_plot_layout *layout) {
  const thud_plot_path *path = &layout->path;
  double x = -INFINITY, low = 0, high = 0;
  for (size_t k = 0; k < path->jump_count; k++) {
    const thud_plot_jump *jump = &path->jumps[k];
    double from = fmin(jump->y_left, jump->y_right), to = fmax(jump->y_left, jump->y_right);
    if (jump->x - x < layout->resolution && from >= low && to <= high) continue;
    stroke_segment(layout->cairo, jump->x, jump->y_left, jump->x, jump->y_right);
    x = jump->x;
    low = from;
    high = to;
  }
}

static void draw_jump_circle(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t series,
                             double x, double y, bool open) {
  circle(layout->cairo, x, y, jump_radius);
  if (open)
    use_gray(layout, 1);
  else
    use_colour(layout, panel, series);
  cairo_fill_preserve(layout->cairo);
  use_colour(layout, panel, series);
  cairo_stroke(layout->cairo);
}

/* Open at the left limit, closed at the right one; of three points the closed circle is the value's. */
static void draw_jump_circles(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t series) {
  const thud_plot_path *path = &layout->path;
  for (size_t k = 0; k < path->jump_count; k++) {
    size_t first = k;
    while (is_continued(path, k)) k++;
    if (!are_alone(path, first, k)) continue;
    const thud_plot_jump *jumps = path->jumps;
    draw_jump_circle(layout, panel, series, jumps[k].x, jumps[first].y_left, true);
    draw_jump_circle(layout, panel, series, jumps[k].x, jumps[first].y_right, false);
    if (k > first) draw_jump_circle(layout, panel, series, jumps[k].x, jumps[k].y_right, true);
  }
}

static void draw_jumps(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t series) {
  cairo_t *cairo = layout->cairo;
  cairo_save(cairo);
  clip_to(cairo, &panel->box, 3);
  cairo_set_line_width(cairo, thin_width);
  use_dash(cairo, THUD_PLOT_DOTTED);
  draw_connectors(layout);
  use_dash(cairo, THUD_PLOT_SOLID);
  cairo_set_line_width(cairo, 0.9);
  draw_jump_circles(layout, panel, series);
  cairo_restore(cairo);
}

static thud_error draw_series(thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t k) {
  const thud_plot_series *series = &panel->panel->series[k];
  cairo_t *cairo = layout->cairo;
  thud_plot_series plain = *series;
  bool is_line =
      series->style == THUD_PLOT_LINE || series->style == THUD_PLOT_STEPS || series->style == THUD_PLOT_LINE_MARKERS;
  if (!is_line) plain.no_jumps = true;
  thud_error error =
      thud_plot_path_build(layout->context, &plain, &panel->x, &panel->y, layout->resolution, &layout->path);
  if (error != THUD_OK) return error;
  cairo_save(cairo);
  clip_to(cairo, &panel->box, is_line ? 0 : 3);
  use_colour(layout, panel, k);
  cairo_set_line_width(cairo, line_width);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  if (is_line) {
    use_dash(cairo, series->dash);
    stroke_path(layout);
  }
  if (series->style == THUD_PLOT_STEMS) draw_stems(layout, panel);
  cairo_restore(cairo);
  cairo_save(cairo);
  clip_to(cairo, &panel->box, 3);
  use_colour(layout, panel, k);
  if (series->style == THUD_PLOT_MARKERS || series->style == THUD_PLOT_LINE_MARKERS) draw_markers(layout, k);
  if (series->style == THUD_PLOT_POINTS) draw_points(layout, panel, series);
  cairo_restore(cairo);
  use_colour(layout, panel, k);
  if (is_line) draw_jumps(layout, panel, k);
  return THUD_OK;
}

void thud_plot_draw_sample(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t series,
                           double left, double right, double y) {
  cairo_t *cairo = layout->cairo;
  thud_plot_style style = panel->panel->series[series].style;
  use_colour(layout, panel, series);
  cairo_set_line_width(cairo, line_width);
  use_dash(cairo, panel->panel->series[series].dash);
  if (style != THUD_PLOT_MARKERS && style != THUD_PLOT_POINTS) stroke_segment(cairo, left, y, right, y);
  use_dash(cairo, THUD_PLOT_SOLID);
  if (style == THUD_PLOT_MARKERS || style == THUD_PLOT_LINE_MARKERS)
    draw_marker(layout, series, 0.5 * (left + right), y);
  if (style == THUD_PLOT_POINTS) {
    circle(cairo, 0.5 * (left + right), y, jump_radius); /* a dot as small as in the panel has no colour */
    cairo_fill(cairo);
  }
  if (style == THUD_PLOT_STEMS) {
    circle(cairo, right - jump_radius, y, jump_radius);
    cairo_fill(cairo);
  }
}

/* ---- rules and slopes ----------------------------------------------------------------------------------------------
 */

static void draw_rule(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, const thud_plot_rule *rule) {
  const thud_plot_box *box = &panel->box;
  double place = thud_plot_axis_place(rule->vertical ? &panel->x : &panel->y, rule->value);
  use_gray(layout, 0.45);
  cairo_set_line_width(layout->cairo, 0.8);
  use_dash(layout->cairo, THUD_PLOT_DASHED);
  if (rule->vertical)
    stroke_segment(layout->cairo, place, box->top, place, box->bottom);
  else
    stroke_segment(layout->cairo, box->left, place, box->right, place);
  use_dash(layout->cairo, THUD_PLOT_SOLID);
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
  use_gray(layout, 0.2);
  cairo_set_line_width(layout->cairo, 0.8);
  cairo_move_to(layout->cairo, x1, y1);
  cairo_line_to(layout->cairo, x2, y2);
  cairo_line_to(layout->cairo, corner, low);
  cairo_close_path(layout->cairo);
  cairo_stroke(layout->cairo);
  thud_plot_set_font(layout, layout->small_font, false);
  thud_plot_put_text(layout, "1", 0.5 * (x1 + x2), low + 3, 0.5, 1);
  thud_plot_put_text(layout, text, corner + (slope->order > 0 ? 3 : -3), 0.5 * (y1 + y2), slope->order > 0 ? 0 : 1,
                     0.5);
}

/* ---- the figure
 * ------------------------------------------------------------------------------------------------------ */

static thud_error draw_panel(thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  draw_grid(layout, panel);
  for (size_t k = 0; k < panel->panel->rule_count; k++) draw_rule(layout, panel, &panel->panel->rules[k]);
  thud_plot_draw_frame(layout, panel);
  for (size_t k = 0; k < panel->panel->series_count; k++) {
    thud_error error = draw_series(layout, panel, k);
    if (error != THUD_OK) return error;
  }
  for (size_t k = 0; k < panel->panel->slope_count; k++) draw_slope(layout, panel, &panel->panel->slopes[k]);
  draw_y_labels(layout, panel);
  return thud_plot_draw_legend(layout, panel);
}

void thud_plot_put_title(const thud_plot_layout *layout, const char *title, double left, double right, double y) {
  char fitted[THUD_PLOT_TEXT];
  use_gray(layout, 0);
  fit_text(layout, title, 1.1 * layout->font, true, right - left, fitted);
  thud_plot_put_text(layout, fitted, 0.5 * (left + right), y, 0.5, 0);
}

static void draw_note(const thud_plot_layout *layout) {
  char fitted[THUD_PLOT_TEXT];
  const char *note = layout->figure->note;
  if (note == NULL || note[0] == '\0') return;
  use_gray(layout, 0.4);
  fit_text(layout, note, 0.95 * layout->small_font, false, layout->width - 2 * layout->font, fitted);
  thud_plot_put_text(layout, fitted, layout->font, layout->height - 0.7 * layout->font, 0, 0);
}

thud_error thud_plot_draw(thud_plot_layout *layout) {
  const thud_plot_figure *figure = layout->figure;
  use_gray(layout, 1);
  cairo_paint(layout->cairo);
  for (size_t p = 0; p < figure->panel_count && !layout->bare; p++) {
    thud_error error = draw_panel(layout, &layout->panels[p]);
    if (error != THUD_OK) return error;
  }
  if (!layout->bare) draw_x_labels(layout, &layout->panels[figure->panel_count - 1]);
  draw_note(layout);
  if (figure->title == NULL || figure->title[0] == '\0') return THUD_OK;
  const thud_plot_box *box = &layout->panels[0].box;
  thud_plot_put_title(layout, figure->title, box->left, box->right, box->top - 0.75 * layout->font);
  return THUD_OK;
}
