/* Panels of the plane: every mark with cairo. */
#include "plot/drawing.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double smallest_marked = 4; /* pt: smaller circles show no radius */
static const double smallest_round =
    1e-6; /* pt: smaller circles are dots; cairo has no inverse of much smaller scales */

/* A mark on its way to paper. */
typedef struct plane {
  const drawn_panel *shown;
  const drawn_room *room;
  const thud_plot_layout *layout;
  const thud_mark *mark;
  drawn_pen pen;
} plane;

static thud_vec2 on_paper(const plane *at, double x, double y) {
  const thud_plot_panel_layout *panel = &at->layout->panels[0];
  return thud_vec2_make(thud_plot_axis_place(&panel->x, x), thud_plot_axis_place(&panel->y, y));
}

/* ---- marks ------------------------------------------------------------------------------------------------------------- */

static void paint_points(const plane *at) {
  for (size_t k = 0; k < at->mark->count; k++) {
    const double *x = at->mark->numbers + 2 * k;
    if (!thud_drawn_is_finite(2, x)) continue;
    thud_vec2 p = on_paper(at, x[0], x[1]);
    thud_drawn_dot(at->layout, &at->pen, p.x, p.y);
  }
}

/* A place that is not finite interrupts the path. */
static void trace(const plane *at) {
  bool pen_down = false;
  cairo_new_path(at->layout->cairo);
  for (size_t k = 0; k < at->mark->count; k++) {
    const double *x = at->mark->numbers + 2 * k;
    bool good = thud_drawn_is_finite(2, x);
    thud_vec2 p = good ? on_paper(at, x[0], x[1]) : thud_vec2_make(0, 0);
    if (good && pen_down)
      cairo_line_to(at->layout->cairo, p.x, p.y);
    else if (good)
      cairo_move_to(at->layout->cairo, p.x, p.y);
    pen_down = good;
  }
}

static void paint_line(const plane *at) {
  trace(at);
  thud_drawn_stroke(at->layout, &at->pen);
}

static void paint_area(const plane *at) {
  if (at->mark->count == 0) return;
  trace(at);
  cairo_close_path(at->layout->cairo);
  thud_drawn_finish(at->layout, &at->pen);
}

/* An ellipse where the scales differ, and a radius that shows how it has turned. */
static void paint_circle(const plane *at, const double *x) {
  const thud_plot_panel_layout *panel = &at->layout->panels[0];
  cairo_t *cairo = at->layout->cairo;
  double r = fabs(x[2]), across = r * fabs(panel->x.to - panel->x.from) / (panel->x.maximum - panel->x.minimum);
  double up = r * fabs(panel->y.to - panel->y.from) / (panel->y.maximum - panel->y.minimum);
  thud_vec2 centre = on_paper(at, x[0], x[1]);
  if (!(across > smallest_round && up > smallest_round)) {
    thud_drawn_dot(at->layout, &at->pen, centre.x, centre.y);
    return;
  }
  cairo_matrix_t usual;
  cairo_get_matrix(cairo, &usual);
  cairo_new_path(cairo);
  cairo_translate(cairo, centre.x, centre.y);
  cairo_scale(cairo, across, up);
  cairo_arc(cairo, 0, 0, 1, 0, 2 * pi);
  if (isfinite(x[3]) && fmin(across, up) > smallest_marked) {
    cairo_move_to(cairo, 0, 0);
    cairo_line_to(cairo, cos(x[3]), -sin(x[3]));
  }
  cairo_set_matrix(cairo, &usual);
  thud_drawn_finish(at->layout, &at->pen);
}

static void paint_box(const plane *at, const double *x) {
  static const double corners[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  double c = cos(x[4]), s = sin(x[4]);
  cairo_new_path(at->layout->cairo);
  for (int k = 0; k < 4; k++) {
    double u = corners[k][0] * x[2], v = corners[k][1] * x[3];
    thud_vec2 p = on_paper(at, x[0] + c * u - s * v, x[1] + s * u + c * v);
    cairo_line_to(at->layout->cairo, p.x, p.y);
  }
  cairo_close_path(at->layout->cairo);
  thud_drawn_finish(at->layout, &at->pen);
}

static void paint_spring(const plane *at, const double *x) {
  thud_vec2 corners[DRAWN_SPRING_POINTS];
  thud_drawn_spring(at->layout, on_paper(at, x[0], x[1]), on_paper(at, x[2], x[3]), corners);
  cairo_new_path(at->layout->cairo);
  for (int k = 0; k < DRAWN_SPRING_POINTS; k++) cairo_line_to(at->layout->cairo, corners[k].x, corners[k].y);
  thud_drawn_stroke(at->layout, &at->pen);
}

static void paint_arrow(const plane *at, const double *x) {
  double tip[3];
  if (!thud_drawn_tip(at->room, at->mark, 2, x, tip)) return;
  thud_drawn_arrow(at->layout, &at->pen, on_paper(at, x[0], x[1]), on_paper(at, tip[0], tip[1]));
}

static void paint_text(const plane *at, const double *x) {
  thud_vec2 p = on_paper(at, x[0], x[1]);
  thud_drawn_text(at->layout, at->mark, &at->pen, p.x, p.y);
}

static void paint_surface(const plane *at) {
  const thud_mark *mark = at->mark;
  const field_scale scale = thud_drawn_values(at->room);
  if (mark->count == 0) return;
  cairo_set_antialias(at->layout->cairo, CAIRO_ANTIALIAS_NONE); /* no seams between triangles */
  for (size_t t = 0; t < mark->triangle_count; t++) {
    field_corner corners[3];
    bool good = true;
    for (size_t c = 0; c < 3; c++) {
      const double *x = mark->numbers + 3 * (size_t)mark->triangles[3 * t + c];
      good = good && thud_drawn_is_finite(3, x);
      thud_vec2 p = on_paper(at, x[0], x[1]);
      corners[c] = (field_corner){p.x, p.y, x[2]};
    }
    if (good) thud_field_fill(at->layout, &scale, corners);
  }
  cairo_set_antialias(at->layout->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* ---- the panel --------------------------------------------------------------------------------------------------------- */

/* Marks whose elements are drawn one by one. */
static void paint_elements(const plane *at, void (*paint)(const plane *at, const double *x), size_t needed) {
  size_t width = thud_mark_width(at->mark->kind, 2);
  for (size_t k = 0; k < at->mark->count; k++)
    if (thud_drawn_is_finite(needed, at->mark->numbers + k * width)) paint(at, at->mark->numbers + k * width);
}

static void paint_mark(const plane *at) {
  switch (at->mark->kind) {
  case THUD_MARK_POINTS: paint_points(at); break;
  case THUD_MARK_LINE: paint_line(at); break;
  case THUD_MARK_AREA: paint_area(at); break;
  case THUD_MARK_CIRCLE: paint_elements(at, paint_circle, 3); break; /* the angle may be missing */
  case THUD_MARK_BOX: paint_elements(at, paint_box, 5); break;
  case THUD_MARK_SPRING: paint_elements(at, paint_spring, 4); break;
  case THUD_MARK_ARROW: paint_elements(at, paint_arrow, 4); break;
  case THUD_MARK_TEXT: paint_elements(at, paint_text, 2); break;
  case THUD_MARK_SURFACE: paint_surface(at); break;
  default: break;
  }
}

thud_error thud_drawn_paint_plane(void *user, const thud_plot_layout *layout) {
  const drawn_panel *shown = user;
  const thud_plot_panel_layout *panel = &layout->panels[0];
  const thud_plot_box *box = &panel->box;
  plane at = {.shown = shown, .room = &shown->view->rooms[shown->panel], .layout = layout};
  thud_canvas_save(layout->canvas);
  cairo_rectangle(layout->cairo, box->left, box->top, box->right - box->left, box->bottom - box->top);
  thud_canvas_clip(layout->canvas);
  for (size_t k = 0; k < thud_drawing_mark_count(shown->drawing); k++) {
    size_t number = 0;
    at.mark = thud_drawing_mark_at(shown->drawing, k, &number);
    at.pen = thud_drawn_pen(at.mark);
    if (number == shown->panel) paint_mark(&at);
  }
  thud_canvas_restore(layout->canvas);
  const thud_drawing_panel *about = thud_drawing_panel_at(shown->drawing, shown->panel);
  if (!layout->bare)
    thud_plot_draw_frame(layout, panel);
  else if (!about->stretched && about->x_unit != NULL && about->x_unit[0] != '\0')
    thud_snapshot_paint_length(layout, about->x_unit);
  thud_drawn_paint_values(shown, layout);
  return THUD_OK;
}
