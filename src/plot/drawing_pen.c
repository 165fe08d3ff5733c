/* How marks look on paper: colours and widths by what they stand for, dots, arrows, springs. */
#include "plot/drawing.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Line colour, how much of it is in the inside of filled marks, width (pt). */
static const struct {
  double colour[3], inside, width;
} paints[THUD_PAINTS] = {
    [THUD_PAINT_BODY] = {{0.00, 0.36, 0.60}, 0.55, 1.3},  [THUD_PAINT_OBSTACLE] = {{0.45, 0.45, 0.45}, 0.35, 2.2},
    [THUD_PAINT_FORCE] = {{0.72, 0.04, 0.12}, 0.30, 1.3}, [THUD_PAINT_VELOCITY] = {{0.00, 0.52, 0.38}, 0.40, 1.2},
    [THUD_PAINT_SET] = {{0.53, 0.36, 0.66}, 0.22, 1.1},   [THUD_PAINT_TRACE] = {{0.34, 0.62, 0.83}, 0.40, 0.9},
    [THUD_PAINT_STICK] = {{0.00, 0.45, 0.70}, 0.50, 2.2}, [THUD_PAINT_SLIP] = {{0.84, 0.37, 0.00}, 0.50, 2.2},
    [THUD_PAINT_GUIDE] = {{0.55, 0.55, 0.55}, 0.25, 0.7}, [THUD_PAINT_NORMAL] = {{0.80, 0.47, 0.65}, 0.40, 1.0},
    [THUD_PAINT_FIELD] = {{0.80, 0.52, 0.00}, 0.40, 1.1},
};

static const double dot_radius = 2.1;                             /* pt */
static const double arrow_head = 6.5, head_width = 0.62;          /* pt; of its length */
static const double spring_ends = 0.14, spring_half_width = 0.45; /* of the length; of the font */

drawn_pen thud_drawn_pen(const thud_mark *mark) {
  thud_paint paint = (unsigned)mark->paint < THUD_PAINTS ? mark->paint : THUD_PAINT_BODY;
  bool own = mark->colour >= 1 && mark->colour <= THUD_PLOT_COLOURS;
  const double *colour = own ? thud_plot_colour((size_t)mark->colour - 1) : paints[paint].colour;
  drawn_pen pen = {.width = paints[paint].width * (mark->width > 0 ? mark->width : 1),
                   .opacity = mark->opacity > 0 ? fmin(1, mark->opacity) : 1,
                   .dashed = mark->dashed,
                   .filled = mark->filled};
  for (int c = 0; c < 3; c++) {
    pen.line[c] = colour[c];
    pen.inside[c] = 1 - paints[paint].inside * (1 - colour[c]);
  }
  return pen;
}

bool thud_drawn_is_finite(size_t count, const double *numbers) {
  for (size_t k = 0; k < count; k++)
    if (!isfinite(numbers[k])) return false;
  return true;
}

/* ---- paths ------------------------------------------------------------------------------------------------------------- */

void thud_drawn_stroke(const thud_plot_layout *layout, const drawn_pen *pen) {
  static const double dashes[2] = {4, 2.6};
  cairo_t *cairo = layout->cairo;
  cairo_set_source_rgba(cairo, pen->line[0], pen->line[1], pen->line[2], pen->opacity);
  cairo_set_line_width(cairo, pen->width);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(cairo, dashes, pen->dashed ? 2 : 0, 0);
  thud_canvas_stroke(layout->canvas);
  cairo_set_dash(cairo, NULL, 0, 0);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
}

void thud_drawn_finish(const thud_plot_layout *layout, const drawn_pen *pen) {
  if (pen->filled) {
    cairo_set_source_rgba(layout->cairo, pen->inside[0], pen->inside[1], pen->inside[2], pen->opacity);
    thud_canvas_fill_preserve(layout->canvas);
  }
  thud_drawn_stroke(layout, pen);
}

/* ---- marks of a fixed size --------------------------------------------------------------------------------------------- */

static void fill(const thud_plot_layout *layout, const drawn_pen *pen) {
  cairo_set_source_rgba(layout->cairo, pen->line[0], pen->line[1], pen->line[2], pen->opacity);
  thud_canvas_fill(layout->canvas);
}

void thud_drawn_dot(const thud_plot_layout *layout, const drawn_pen *pen, double x, double y) {
  cairo_new_path(layout->cairo);
  cairo_arc(layout->cairo, x, y, dot_radius * sqrt(pen->width), 0, 2 * pi);
  fill(layout, pen);
}

/* Short arrows have small heads; the stroke ends inside of the head. */
void thud_drawn_arrow(const thud_plot_layout *layout, const drawn_pen *pen, thud_vec2 from, thud_vec2 to) {
  cairo_t *cairo = layout->cairo;
  double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
  if (!(length > 0)) return;
  double head = fmin(arrow_head * sqrt(pen->width), 0.6 * length), half = 0.5 * head_width * head;
  x /= length, y /= length;
  cairo_new_path(cairo);
  cairo_move_to(cairo, from.x, from.y);
  cairo_line_to(cairo, to.x - 0.8 * head * x, to.y - 0.8 * head * y);
  thud_drawn_stroke(layout, pen);
  cairo_move_to(cairo, to.x, to.y);
  cairo_line_to(cairo, to.x - head * x - half * y, to.y - head * y + half * x);
  cairo_line_to(cairo, to.x - 0.8 * head * x, to.y - 0.8 * head * y);
  cairo_line_to(cairo, to.x - head * x + half * y, to.y - head * y - half * x);
  cairo_close_path(cairo);
  fill(layout, pen);
}

/* Texts of a paint or colour of their own keep it, others are dark. */
void thud_drawn_text(const thud_plot_layout *layout, const thud_mark *mark, const drawn_pen *pen, double x, double y) {
  bool plain = mark->colour == 0 && (mark->paint == THUD_PAINT_BODY || mark->paint == THUD_PAINT_GUIDE);
  if (mark->text == NULL) return;
  if (plain)
    cairo_set_source_rgba(layout->cairo, 0.2, 0.2, 0.2, pen->opacity);
  else
    cairo_set_source_rgba(layout->cairo, pen->line[0], pen->line[1], pen->line[2], pen->opacity);
  thud_plot_set_font(layout, layout->small_font, false);
  thud_plot_put_text(layout, mark->text, x, y, 0.5, 0.5);
}

/* Straight ends, and a zigzag between whose teeth are narrower when the spring is shorter. */
void thud_drawn_spring(const thud_plot_layout *layout, thud_vec2 from, thud_vec2 to,
                       thud_vec2 corners[DRAWN_SPRING_POINTS]) {
  double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y), half = spring_half_width * layout->font;
  double u = length > 0 ? -y / length : 0, v = length > 0 ? x / length : 1;
  enum { TEETH = DRAWN_SPRING_POINTS - 4 };
  for (int k = 0; k < DRAWN_SPRING_POINTS; k++) {
    double along = k == 0 ? 0 : spring_ends + (1 - 2 * spring_ends) * ((double)k - 1.5) / TEETH;
    double aside = k > 1 && k < DRAWN_SPRING_POINTS - 2 ? (k % 2 == 0 ? half : -half) : 0;
    if (k == 1) along = spring_ends;
    if (k == DRAWN_SPRING_POINTS - 2) along = 1 - spring_ends;
    if (k == DRAWN_SPRING_POINTS - 1) along = 1;
    corners[k] = thud_vec2_make(from.x + along * x + aside * u, from.y + along * y + aside * v);
  }
}
