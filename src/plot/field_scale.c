/* Values as colours: the scale, triangles whose colours follow their corners, and the bar beside a picture. */
#include "plot/field.h"

#include <math.h>

/* A scale from dark blue over green to yellow whose lightness grows evenly (viridis, nine of its colours). */
static const double scale_colours[9][3] = {{.267, .005, .329}, {.279, .175, .483}, {.230, .322, .546},
                                           {.173, .448, .558}, {.128, .567, .551}, {.158, .684, .502},
                                           {.369, .789, .383}, {.678, .864, .190}, {.993, .906, .144}};
static const double smallest_side = 3; /* pt: triangles are cut until their colours are even */
static const double bar_room = 6.6; /* right of the bar's left side, in sizes of the font: longer names begin earlier */
enum { MOST_CUTS = 5, BAR_TICKS = 7 };

void thud_field_widen(field_scale *scale) {
  if (scale->high > scale->low) return;
  double width = scale->low != 0 ? 0.5 * fabs(scale->low) : 1; /* one value everywhere */
  scale->low -= width;
  scale->high += width;
}

void thud_field_colour(const field_scale *scale, double value, double rgb[3]) {
  double part = scale->high > scale->low ? (value - scale->low) / (scale->high - scale->low) : 0.5;
  double at = 8 * fmin(1, fmax(0, part));
  int k = (int)fmin(7, floor(at));
  for (int c = 0; c < 3; c++) {
    rgb[c] = scale_colours[k][c] + (at - k) * (scale_colours[k + 1][c] - scale_colours[k][c]);
    rgb[c] *= 1 - scale->shadow;
  }
}

static void use_colour(cairo_t *cairo, const field_scale *scale, double value) {
  double rgb[3];
  thud_field_colour(scale, value, rgb);
  cairo_set_source_rgb(cairo, rgb[0], rgb[1], rgb[2]);
}

/* ---- triangles ------------------------------------------------------------------------------------------------------- */

field_corner thud_field_middle(field_corner a, field_corner b) {
  return (field_corner){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.value + b.value) / 2};
}

static double side(field_corner a, field_corner b) { return hypot(a.x - b.x, a.y - b.y); }

static void fill(const thud_plot_layout *layout, const field_scale *scale, field_corner a, field_corner b,
                 field_corner c, int cuts) {
  bool small = fmax(side(a, b), fmax(side(b, c), side(c, a))) < smallest_side;
  if (small || cuts == 0 || (a.value == b.value && b.value == c.value)) {
    cairo_t *cairo = layout->cairo;
    use_colour(cairo, scale, (a.value + b.value + c.value) / 3);
    cairo_move_to(cairo, a.x, a.y);
    cairo_line_to(cairo, b.x, b.y);
    cairo_line_to(cairo, c.x, c.y);
    cairo_close_path(cairo);
    thud_canvas_fill(layout->canvas);
    return;
  }
  field_corner ab = thud_field_middle(a, b), bc = thud_field_middle(b, c), ca = thud_field_middle(c, a);
  fill(layout, scale, a, ab, ca, cuts - 1);
  fill(layout, scale, ab, b, bc, cuts - 1);
  fill(layout, scale, ca, bc, c, cuts - 1);
  fill(layout, scale, ab, bc, ca, cuts - 1);
}

void thud_field_fill(const thud_plot_layout *layout, const field_scale *scale, const field_corner corners[3]) {
  fill(layout, scale, corners[0], corners[1], corners[2], MOST_CUTS);
}

/* ---- the bar --------------------------------------------------------------------------------------------------------- */

void thud_field_paint_scale(const thud_plot_layout *layout, const field_scale *scale, const char *name, double left,
                            const thud_plot_box *box) {
  enum { STRIPES = 200 };
  cairo_t *cairo = layout->cairo;
  double width = layout->font, height = box->bottom - box->top;
  thud_ticks ticks;
  char label[THUD_PLOT_TEXT];
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
  for (int k = 0; k < STRIPES; k++) {
    use_colour(cairo, scale, scale->low + (scale->high - scale->low) * (k + 0.5) / STRIPES);
    cairo_rectangle(cairo, left, box->bottom - height * (k + 1) / STRIPES, width, height / STRIPES + 0.5);
    thud_canvas_fill(layout->canvas);
  }
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_source_rgb(cairo, 0.2, 0.2, 0.2);
  cairo_set_line_width(cairo, 0.6);
  cairo_rectangle(cairo, left, box->top, width, height);
  thud_canvas_stroke(layout->canvas);
  thud_ticks_linear(scale->low, scale->high, BAR_TICKS, &ticks);
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t k = 0; k < ticks.count; k++) {
    double y = box->bottom - height * (ticks.values[k] - scale->low) / (scale->high - scale->low);
    cairo_move_to(cairo, left + width, y);
    cairo_line_to(cairo, left + 1.3 * width, y);
    thud_canvas_stroke(layout->canvas);
    thud_plot_put_text(layout, ticks.labels[k], left + 1.6 * width, y, 0, 0.5);
  }
  thud_ticks_axis_label(&ticks, name, NULL, label, sizeof label);
  thud_plot_set_font(layout, layout->font, false);
  double at = fmin(left, left + bar_room * layout->font - thud_plot_text_width(layout, label));
  thud_plot_put_text(layout, label, at, box->top - 0.6 * layout->font, 0, 0);
}
