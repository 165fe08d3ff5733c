/* Series in their panels: lines with jumps, markers, stems, points, areas. */
#include "plot/pen.h"

#include <math.h>

/* pt */
static const double line_width = 1.3, thin_width = 0.7, jump_width = 0.9;
static const double marker_radius = 2.4, jump_radius = 2.1;
static const double jump_distance = 5; /* nearer jumps get no circles */
static const double beyond = 3;        /* marks at the edge of a panel are whole */
static const double area_gray = 0.87;
/* Points are as large as lets them be seen, and smaller where there are many of them. */
static const double few_points = 300, many_points = 20000, large_point = 1.1, small_point = 0.4;

/* ---- looks ----------------------------------------------------------------------------------------------------------- */

thud_plot_key thud_plot_look(const thud_plot_panel_layout *panel, size_t series) {
  static const thud_plot_marker shapes[] = {THUD_PLOT_MARKER_FILLED, THUD_PLOT_MARKER_SQUARE, THUD_PLOT_MARKER_TRIANGLE,
                                            THUD_PLOT_MARKER_DIAMOND};
  const thud_plot_series *from = &panel->panel->series[series];
  thud_plot_key look = {.label = from->label, .style = from->style, .dash = from->dash, .colour = from->colour};
  if (from->colour == 0) {
    size_t place = (size_t)panel->first_colour + series;
    look.colour = 1 + (int)(place % THUD_PLOT_COLOURS);
    if (from->dash == THUD_PLOT_SOLID) look.dash = (thud_plot_dash)(place / THUD_PLOT_COLOURS % 4);
  }
  look.marker = from->marker != THUD_PLOT_MARKER_BY_ORDER ? from->marker : shapes[series % 4];
  return look;
}

static void use_colour(const thud_plot_layout *layout, const thud_plot_key *look) {
  if (look->colour == 0) {
    thud_pen_gray(layout, 0.35);
    return;
  }
  const double *colour = thud_plot_colour((size_t)look->colour - 1);
  cairo_set_source_rgb(layout->cairo, colour[0], colour[1], colour[2]);
}

static bool is_line(thud_plot_style style) {
  return style == THUD_PLOT_LINE || style == THUD_PLOT_STEPS || style == THUD_PLOT_LINE_MARKERS;
}

static bool has_markers(thud_plot_style style) { return style == THUD_PLOT_MARKERS || style == THUD_PLOT_LINE_MARKERS; }

/* ---- lines, markers, stems, points, areas ------------------------------------------------------------------------------ */

static void stroke_path(const thud_plot_layout *layout) {
  const thud_plot_path *path = &layout->path;
  for (size_t k = 0; k < path->count; k++)
    if (path->points[k].start)
      cairo_move_to(layout->cairo, path->points[k].x, path->points[k].y);
    else
      cairo_line_to(layout->cairo, path->points[k].x, path->points[k].y);
  thud_canvas_stroke(layout->canvas);
}

static void polygon(cairo_t *cairo, size_t count, const double (*corners)[2], double x, double y, double size) {
  for (size_t k = 0; k < count; k++) cairo_line_to(cairo, x + size * corners[k][0], y + size * corners[k][1]);
  cairo_close_path(cairo);
}

/* An open circle is white inside. */
static void draw_circle(const thud_plot_layout *layout, const thud_plot_key *look, double x, double y, double radius,
                        bool open) {
  thud_pen_circle(layout, x, y, radius);
  if (open)
    thud_pen_gray(layout, 1);
  else
    use_colour(layout, look);
  thud_canvas_fill_preserve(layout->canvas);
  use_colour(layout, look);
  thud_canvas_stroke(layout->canvas);
}

/* The shape differs from series to series, so that colours are not needed to distinguish them. */
static void draw_marker(const thud_plot_layout *layout, const thud_plot_key *look, double x, double y) {
  static const double square[4][2] = {{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}};
  static const double triangle[3][2] = {{0, -1.25}, {1.15, 0.8}, {-1.15, 0.8}};
  static const double diamond[4][2] = {{0, -1.35}, {1.35, 0}, {0, 1.35}, {-1.35, 0}};
  if (look->marker == THUD_PLOT_MARKER_OPEN) {
    cairo_set_line_width(layout->cairo, jump_width);
    draw_circle(layout, look, x, y, marker_radius, true);
    return;
  }
  if (look->marker == THUD_PLOT_MARKER_SQUARE)
    polygon(layout->cairo, 4, square, x, y, marker_radius);
  else if (look->marker == THUD_PLOT_MARKER_TRIANGLE)
    polygon(layout->cairo, 3, triangle, x, y, marker_radius);
  else if (look->marker == THUD_PLOT_MARKER_DIAMOND)
    polygon(layout->cairo, 4, diamond, x, y, marker_radius);
  else
    thud_pen_circle(layout, x, y, marker_radius);
  thud_canvas_fill(layout->canvas);
}

static void draw_markers(const thud_plot_layout *layout, const thud_plot_key *look) {
  const thud_plot_path *path = &layout->path;
  double last_x = -INFINITY, last_y = -INFINITY;
  for (size_t k = 0; k < path->count; k++) {
    double x = path->points[k].x, y = path->points[k].y;
    if (fabs(x - last_x) < 0.5 && fabs(y - last_y) < 0.5) continue;
    draw_marker(layout, look, x, y);
    last_x = x;
    last_y = y;
  }
}

/* Radius of the dots of a cloud, between two bounds; in proportion to the room that each of them has. */
static double radius_of_points(size_t count) {
  double crowd = log(fmax(few_points, fmin(many_points, (double)count)) / few_points) / log(many_points / few_points);
  return large_point * pow(small_point / large_point, crowd);
}

/* Every point of the series: thinning along x would tear holes into clouds. Lines of no length with round ends are discs;
 * some at a time, because cairo looks for crossings within a shape. */
static void draw_points(const thud_plot_layout *layout, const thud_plot_panel_layout *panel,
                        const thud_plot_series *series) {
  enum { AT_ONCE = 16 };
  cairo_t *cairo = layout->cairo;
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width(cairo, 2 * radius_of_points(series->count));
  for (size_t k = 0; k < series->count; k++) {
    double x = thud_plot_axis_place(&panel->x, series->x[k]), y = thud_plot_axis_place(&panel->y, series->y[k]);
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, x, y);
    if ((k + 1) % AT_ONCE == 0 || k + 1 == series->count) thud_canvas_stroke(layout->canvas);
  }
}

static void draw_stems(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, thud_plot_dash dash) {
  const thud_plot_path *path = &layout->path;
  bool crowded = (double)path->count * 2 * jump_radius > panel->box.right - panel->box.left;
  double zero = panel->y.log ? panel->box.bottom : thud_plot_axis_place(&panel->y, 0);
  thud_pen_dash(layout, dash);
  for (size_t k = 0; k < path->count; k++)
    thud_pen_segment(layout, path->points[k].x, zero, path->points[k].x, path->points[k].y);
  thud_pen_dash(layout, THUD_PLOT_SOLID);
  for (size_t k = 0; k < path->count && !crowded; k++) {
    thud_pen_circle(layout, path->points[k].x, path->points[k].y, jump_radius);
    thud_canvas_fill(layout->canvas);
  }
}

/* All polygons at once, so that neighbours show no seams. */
static void draw_area(const thud_plot_layout *layout, const thud_plot_panel_layout *panel,
                      const thud_plot_series *series) {
  size_t next_break = 0;
  for (size_t k = 0; k < series->count; k++) {
    if (next_break < series->break_count && series->breaks[next_break] == k) {
      cairo_close_path(layout->cairo);
      cairo_new_sub_path(layout->cairo);
      next_break++;
    }
    cairo_line_to(layout->cairo, thud_plot_axis_place(&panel->x, series->x[k]),
                  thud_plot_axis_place(&panel->y, series->y[k]));
  }
  cairo_close_path(layout->cairo);
  thud_pen_gray(layout, area_gray);
  thud_canvas_fill(layout->canvas);
}

/* ---- jumps --------------------------------------------------------------------------------------------------------------- */

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
    thud_pen_segment(layout, jump->x, jump->y_left, jump->x, jump->y_right);
    x = jump->x;
    low = from;
    high = to;
  }
}

/* Open at the left limit, closed at the right one; of three points the closed circle is the value's. */
static void draw_jump_circles(const thud_plot_layout *layout, const thud_plot_key *look) {
  const thud_plot_path *path = &layout->path;
  for (size_t k = 0; k < path->jump_count; k++) {
    size_t first = k;
    while (is_continued(path, k)) k++;
    if (!are_alone(path, first, k)) continue;
    const thud_plot_jump *jumps = path->jumps;
    draw_circle(layout, look, jumps[k].x, jumps[first].y_left, jump_radius, true);
    draw_circle(layout, look, jumps[k].x, jumps[first].y_right, jump_radius, false);
    if (k > first) draw_circle(layout, look, jumps[k].x, jumps[k].y_right, jump_radius, true);
  }
}

static void draw_jumps(const thud_plot_layout *layout, const thud_plot_key *look) {
  if (layout->path.jump_count == 0) return;
  cairo_set_line_width(layout->cairo, thin_width);
  thud_pen_dash(layout, THUD_PLOT_DOTTED);
  draw_connectors(layout);
  thud_pen_dash(layout, THUD_PLOT_SOLID);
  cairo_set_line_width(layout->cairo, jump_width);
  draw_jump_circles(layout, look);
}

/* ---- the series ------------------------------------------------------------------------------------------------------------ */

static void draw_line(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, const thud_plot_key *look) {
  if (!is_line(look->style)) return;
  thud_canvas_save(layout->canvas);
  thud_pen_clip(layout, &panel->box, 0);
  use_colour(layout, look);
  cairo_set_line_width(layout->cairo, line_width);
  cairo_set_line_join(layout->cairo, CAIRO_LINE_JOIN_ROUND);
  thud_pen_dash(layout, look->dash);
  stroke_path(layout);
  thud_canvas_restore(layout->canvas);
}

/* Draws marks, which may reach a little beyond the frame. */
static void draw_marks(const thud_plot_layout *layout, const thud_plot_panel_layout *panel,
                       const thud_plot_series *series, const thud_plot_key *look) {
  bool only_line = is_line(look->style) && !has_markers(look->style) && layout->path.jump_count == 0;
  if (only_line) return;
  thud_canvas_save(layout->canvas);
  thud_pen_clip(layout, &panel->box, beyond);
  use_colour(layout, look);
  cairo_set_line_width(layout->cairo, line_width);
  if (look->style == THUD_PLOT_STEMS) draw_stems(layout, panel, look->dash);
  if (has_markers(look->style)) draw_markers(layout, look);
  if (look->style == THUD_PLOT_POINTS) draw_points(layout, panel, series);
  use_colour(layout, look);
  if (is_line(look->style)) draw_jumps(layout, look);
  thud_canvas_restore(layout->canvas);
}

thud_error thud_plot_draw_series(thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t k) {
  const thud_plot_series *series = &panel->panel->series[k];
  const thud_plot_key look = thud_plot_look(panel, k);
  thud_plot_series plain = *series;
  if (!is_line(series->style)) plain.no_jumps = true;
  thud_error error = THUD_OK;
  thud_canvas_group(layout->canvas, "series", k, series->label);
  if (series->style == THUD_PLOT_AREA) {
    thud_canvas_save(layout->canvas);
    thud_pen_clip(layout, &panel->box, 0);
    draw_area(layout, panel, series);
    thud_canvas_restore(layout->canvas);
  } else {
    error = thud_plot_path_build(layout->context, &plain, &panel->x, &panel->y, layout->resolution, &layout->path);
    if (error == THUD_OK) {
      draw_line(layout, panel, &look);
      draw_marks(layout, panel, series, &look);
    }
  }
  thud_canvas_end_group(layout->canvas);
  return error;
}

void thud_plot_draw_sample(const thud_plot_layout *layout, const thud_plot_key *look, double left, double right,
                           double y) {
  double middle = 0.5 * (left + right), half = 0.28 * layout->small_font;
  if (look->style == THUD_PLOT_AREA) {
    thud_pen_gray(layout, area_gray);
    cairo_rectangle(layout->cairo, middle - 1.6 * half, y - half, 3.2 * half, 2 * half);
    thud_canvas_fill(layout->canvas);
    return;
  }
  use_colour(layout, look);
  cairo_set_line_width(layout->cairo, line_width);
  thud_pen_dash(layout, look->dash);
  if (is_line(look->style) || look->style == THUD_PLOT_STEMS) thud_pen_segment(layout, left, y, right, y);
  thud_pen_dash(layout, THUD_PLOT_SOLID);
  if (has_markers(look->style)) draw_marker(layout, look, middle, y);
  if (look->style != THUD_PLOT_POINTS && look->style != THUD_PLOT_STEMS) return;
  /* A dot as small as in the panel has no colour. */
  thud_pen_circle(layout, look->style == THUD_PLOT_STEMS ? right - jump_radius : middle, y, jump_radius);
  thud_canvas_fill(layout->canvas);
}
