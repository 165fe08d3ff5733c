/* Bodies of the plane: outlines filled with their colours, with a stroke that shows how round ones have turned. */
#include "geom/shape_class.h"
#include "plot/snapshot.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double outline_width = 0.6, ground_width = 1; /* pt */
static const double smallest_stroked = 1.2;                /* pt: outlines of smaller bodies would hide their colours */

static double on_x(const thud_plot_layout *layout, double x) { return thud_plot_axis_place(&layout->panels[0].x, x); }
static double on_y(const thud_plot_layout *layout, double y) { return thud_plot_axis_place(&layout->panels[0].y, y); }

static double per_length(const thud_plot_layout *layout) {
  const thud_plot_panel_layout *panel = &layout->panels[0];
  return (panel->box.right - panel->box.left) / (panel->x.maximum - panel->x.minimum);
}

static void trace(const thud_plot_layout *layout, const thud_pose *place, size_t count, const double *points) {
  for (size_t k = 0; k < count; k++) {
    thud_vec3 x = thud_pose_point(place, thud_vec3_load(points + 3 * k));
    cairo_line_to(layout->cairo, on_x(layout, x.x), on_y(layout, x.y));
  }
}

/* Fills and strokes the path; `size` of the shape in pt. */
static void finish_path(const thud_plot_layout *layout, const double rgb[3], double size) {
  cairo_t *cairo = layout->cairo;
  cairo_set_source_rgb(cairo, rgb[0], rgb[1], rgb[2]);
  if (size < smallest_stroked) {
    thud_canvas_fill(layout->canvas);
    return;
  }
  thud_canvas_fill_preserve(layout->canvas);
  cairo_set_source_rgb(cairo, 0.45 * rgb[0], 0.45 * rgb[1], 0.45 * rgb[2]);
  cairo_set_line_width(cairo, fmin(outline_width, 0.2 * size));
  thud_canvas_stroke(layout->canvas);
}

static void paint_disc(const thud_plot_layout *layout, const thud_pose *place, double radius, const double rgb[3]) {
  static const double particle = 1.5; /* pt, of discs without radius */
  cairo_t *cairo = layout->cairo;
  double x = on_x(layout, place->position.x), y = on_y(layout, place->position.y), r = radius * per_length(layout);
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, x, y, r > 0 ? r : particle, 0, 2 * pi);
  if (r > 4 * smallest_stroked) { /* the body's own x axis */
    thud_vec3 rim = thud_pose_point(place, thud_vec3_make(radius, 0, 0));
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, on_x(layout, rim.x), on_y(layout, rim.y));
  }
  finish_path(layout, rgb, r > 0 ? r : particle);
}

/* Boundary of a fixed body: the two points of a segment, the surface of a half-plane. */
static void trace_line(const thud_plot_layout *layout, const thud_pose *place, const double points[6]) {
  cairo_new_path(layout->cairo);
  trace(layout, place, 2, points);
  cairo_set_source_rgb(layout->cairo, 0.4, 0.4, 0.4);
  cairo_set_line_width(layout->cairo, ground_width);
  thud_canvas_stroke(layout->canvas);
}

/* The half-plane as far as the picture reaches. */
static void paint_ground(const thud_plot_layout *layout, const thud_pose *place) {
  const thud_plot_panel_layout *panel = &layout->panels[0];
  cairo_t *cairo = layout->cairo;
  double far = 2 * (panel->x.maximum - panel->x.minimum + panel->y.maximum - panel->y.minimum);
  const double solid[12] = {-far, 0, 0, far, 0, 0, far, -far, 0, -far, -far, 0};
  cairo_new_path(cairo);
  trace(layout, place, 4, solid);
  cairo_set_source_rgb(cairo, 0.9, 0.9, 0.9);
  thud_canvas_fill(layout->canvas);
  trace_line(layout, place, solid);
}

static void paint_part(const snapshot *shown, const thud_plot_layout *layout, thud_index part) {
  const snapshot_scene *scene = shown->scene;
  const thud_shape *shape = scene->view.part_shape[part];
  const thud_shape_surface *surface = &scene->surfaces[scene->view.part_shape_number[part]];
  thud_pose place = thud_snapshot_place(shown, part);
  double rgb[3];
  thud_snapshot_colour(scene, scene->view.part_body[part], rgb);
  if (thud_body_is_endless(&scene->view, part)) {
    paint_ground(layout, &place);
  } else if (thud_shape_get_class(shape)->ball) {
    paint_disc(layout, &place, thud_shape_get_def(shape).radius, rgb);
  } else if (surface->point_count == 2) {
    trace_line(layout, &place, surface->points);
  } else {
    cairo_new_path(layout->cairo);
    trace(layout, &place, surface->point_count, surface->points);
    cairo_close_path(layout->cairo);
    finish_path(layout, rgb, 0.5 * thud_shape_thickness(shape) * per_length(layout));
  }
}

thud_error thud_snapshot_paint_plane(void *user, const thud_plot_layout *layout) {
  const snapshot *shown = user;
  const thud_bodies_view *view = &shown->scene->view;
  const thud_plot_panel_layout *panel = &layout->panels[0];
  const thud_plot_box *box = &panel->box;
  thud_canvas_save(layout->canvas);
  cairo_rectangle(layout->cairo, box->left, box->top, box->right - box->left, box->bottom - box->top);
  thud_canvas_clip(layout->canvas);
  for (int moving = 0; moving < 2; moving++) /* what stands still is behind */
    for (thud_index part = 0; part < view->part_count; part++)
      if ((view->role[view->part_body[part]] == THUD_BODY_DYNAMIC) == (moving == 1) &&
          thud_body_is_shown(view, shown->row, part))
        paint_part(shown, layout, part);
  thud_snapshot_paint_joints(shown, layout);
  thud_snapshot_paint_forces(shown, layout);
  thud_canvas_restore(layout->canvas);
  thud_plot_draw_frame(layout, panel);
  return THUD_OK;
}
