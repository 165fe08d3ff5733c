#include "plot/pen.h"

/* Okabe and Ito, "Color universal design" (2008), yellow behind the others, because it is weak on white; then four that
 * are as far from these and from each other as the nearest two of them are (23 in CIELAB), also as people without red or
 * green cones see them (Machado, Oliveira and Fernandes 2009). */
static const double palette[THUD_PLOT_COLOURS][3] = {
    {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
    {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.000, 0.000, 0.000}, {0.941, 0.894, 0.259},
    {0.200, 0.133, 0.533}, {0.533, 0.133, 0.333}, {0.333, 0.420, 0.184}, {0.545, 0.000, 0.000},
};

const double *thud_plot_colour(size_t k) { return palette[k % THUD_PLOT_COLOURS]; }

void thud_pen_gray(const thud_plot_layout *layout, double gray) {
  cairo_set_source_rgb(layout->cairo, gray, gray, gray);
}

void thud_pen_dash(const thud_plot_layout *layout, thud_plot_dash dash) {
  static const double dashes[][6] = {
      {0}, {5, 2.6}, {1.2, 2}, {6, 2, 1.2, 2}, {10, 3}, {2.6, 1.6}, {8, 2, 1.2, 2, 1.2, 2}, {1.2, 4}};
  static const int counts[] = {0, 2, 2, 4, 2, 2, 6, 2};
  cairo_set_dash(layout->cairo, dashes[dash], counts[dash], 0);
}

void thud_pen_segment(const thud_plot_layout *layout, double x1, double y1, double x2, double y2) {
  cairo_move_to(layout->cairo, x1, y1);
  cairo_line_to(layout->cairo, x2, y2);
  thud_canvas_stroke(layout->canvas);
}

void thud_pen_circle(const thud_plot_layout *layout, double x, double y, double radius) {
  static const double turn = 2 * 3.14159265358979323846;
  cairo_new_sub_path(layout->cairo);
  cairo_arc(layout->cairo, x, y, radius, 0, turn);
  cairo_close_path(layout->cairo);
}

void thud_pen_clip(const thud_plot_layout *layout, const thud_plot_box *box, double more) {
  cairo_rectangle(layout->cairo, box->left - more, box->top - more, box->right - box->left + 2 * more,
                  box->bottom - box->top + 2 * more);
  thud_canvas_clip(layout->canvas);
}
