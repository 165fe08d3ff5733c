/* Marks in snapshots besides the bodies: forces, directions of the axes, a length. */
#include "plot/snapshot.h"

#include <math.h>
#include <stdio.h>

/* Length of the largest force: of the width of the picture, but no more than so many radii of a body. */
static const double force_share = 0.13, force_radii = 3;
static const double thin_force = 0.5, thick_force = 1.7; /* pt */

/* A place of space on paper. */
static thud_vec2 on_paper(const snapshot_scene *scene, const thud_plot_panel_layout *panel, thud_vec3 x) {
  thud_vec3 p = thud_snapshot_project(&scene->camera, x);
  return thud_vec2_make(thud_plot_axis_place(&panel->x, p.x), thud_plot_axis_place(&panel->y, p.y));
}

/* ---- forces ------------------------------------------------------------------------------------------------------------ */

static void stroke_force(const snapshot_scene *scene, const thud_plot_layout *layout, const body_contact *contact,
                         double step) {
  const thud_plot_panel_layout *panel = &layout->panels[0];
  double share = thud_vec3_norm(contact->impulse) / step / scene->largest_force;
  double length = fmin(force_share * (panel->x.maximum - panel->x.minimum), force_radii * scene->mean_radius);
  thud_vec3 half = thud_vec3_scale(0.5 * length / step / scene->largest_force, contact->impulse);
  thud_vec2 from = on_paper(scene, panel, thud_vec3_subtract(contact->point, half));
  thud_vec2 to = on_paper(scene, panel, thud_vec3_add(contact->point, half));
  cairo_set_line_width(layout->cairo, thin_force + share * (thick_force - thin_force));
  cairo_move_to(layout->cairo, from.x, from.y);
  cairo_line_to(layout->cairo, to.x, to.y);
  thud_canvas_stroke(layout->canvas);
}

void thud_snapshot_paint_forces(const snapshot *shown, const thud_plot_layout *layout) {
  const snapshot_scene *scene = shown->scene;
  if (!scene->forces || !(scene->largest_force > 0) || !(shown->row->step > 0)) return;
  cairo_set_line_cap(layout->cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_source_rgb(layout->cairo, 0.72, 0.04, 0.12);
  for (size_t k = 0; k < shown->row->contact_count; k++)
    stroke_force(scene, layout, &shown->row->contacts[k], shown->row->step);
  cairo_set_line_cap(layout->cairo, CAIRO_LINE_CAP_BUTT);
}

/* ---- planes ------------------------------------------------------------------------------------------------------------ */

void thud_snapshot_paint_edge_on(const snapshot *shown, const thud_plot_layout *layout, const thud_pose *place) {
  const snapshot_scene *scene = shown->scene;
  const thud_plot_panel_layout *panel = &layout->panels[0];
  const thud_plot_box *box = &panel->box;
  thud_vec3 normal = thud_snapshot_project(&scene->camera, thud_quat_rotate(place->rotation, thud_vec3_make(0, 0, 1)));
  thud_vec2 at = on_paper(scene, panel, place->position);
  double far = box->right - box->left + box->bottom - box->top;
  thud_canvas_save(layout->canvas);
  cairo_rectangle(layout->cairo, box->left, box->top, box->right - box->left, box->bottom - box->top);
  thud_canvas_clip(layout->canvas);
  cairo_set_source_rgb(layout->cairo, 0.6, 0.6, 0.6);
  cairo_set_line_width(layout->cairo, 0.8);
  cairo_move_to(layout->cairo, at.x - far * normal.y, at.y - far * normal.x); /* across the normal; y is downwards */
  cairo_line_to(layout->cairo, at.x + far * normal.y, at.y + far * normal.x);
  thud_canvas_stroke(layout->canvas);
  thud_canvas_restore(layout->canvas);
}

/* ---- axes of space ----------------------------------------------------------------------------------------------------- */

double thud_snapshot_round(double x) {
  double unit = pow(10, floor(log10(x))), share = x / unit;
  return unit * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

/* An arrow of one axis from (x, y), with its name behind the tip; an axis towards the eye is a dot. */
static void paint_arrow(const thud_plot_layout *layout, thud_vec3 direction, const char *name, double x, double y,
                        double length) {
  cairo_t *cairo = layout->cairo;
  double u = direction.x * length, v = -direction.y * length, seen = hypot(direction.x, direction.y);
  cairo_move_to(cairo, x, y);
  cairo_line_to(cairo, x + u, y + v);
  thud_canvas_stroke(layout->canvas);
  if (seen < 0.15) return;
  double a = u / (seen * length), b = v / (seen * length), tip = 0.2 * length;
  cairo_move_to(cairo, x + u + 0.4 * tip * a, y + v + 0.4 * tip * b);
  cairo_line_to(cairo, x + u - tip * a - 0.5 * tip * b, y + v - tip * b + 0.5 * tip * a);
  cairo_line_to(cairo, x + u - tip * a + 0.5 * tip * b, y + v - tip * b - 0.5 * tip * a);
  cairo_close_path(cairo);
  thud_canvas_fill(layout->canvas);
  thud_plot_put_text(layout, name, x + u + 0.75 * layout->small_font * a, y + v + 0.75 * layout->small_font * b, 0.5,
                     0.5);
}

void thud_snapshot_paint_length(const thud_plot_layout *layout, const char *unit) {
  const thud_plot_panel_layout *panel = &layout->panels[0];
  cairo_t *cairo = layout->cairo;
  double right = panel->box.right - 2, y = layout->height - 1.6 * layout->font;
  double per_length = (panel->box.right - panel->box.left) / (panel->x.maximum - panel->x.minimum);
  double length = thud_snapshot_round(0.25 * (panel->x.maximum - panel->x.minimum)), left = right - length * per_length;
  char text[THUD_PLOT_TEXT];
  snprintf(text, sizeof text, "%g %s", length, unit);
  cairo_set_source_rgb(cairo, 0.2, 0.2, 0.2);
  cairo_set_line_width(cairo, 0.8);
  thud_plot_set_font(layout, layout->small_font, false);
  cairo_move_to(cairo, left, y - 2.5);
  cairo_line_to(cairo, left, y + 2.5);
  cairo_move_to(cairo, left, y);
  cairo_line_to(cairo, right, y);
  cairo_move_to(cairo, right, y - 2.5);
  cairo_line_to(cairo, right, y + 2.5);
  thud_canvas_stroke(layout->canvas);
  thud_plot_put_text(layout, text, 0.5 * (left + right), y - 3.5, 0.5, 0);
}

void thud_snapshot_paint_axes(const snapshot_scene *scene, const thud_plot_layout *layout) {
  static const char *const names[3] = {"x", "y", "z"};
  static const thud_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const thud_plot_box *box = &layout->panels[0].box;
  double length = 1.7 * layout->font, to_left = 0, down = 0;
  thud_vec3 seen[3];
  for (int k = 0; k < 3; k++) {
    seen[k] = thud_snapshot_project(&scene->camera, axes[k]);
    to_left = fmax(to_left, -seen[k].x);
    down = fmax(down, -seen[k].y);
  }
  double name = 1.3 * layout->small_font; /* with its distance from the tip */
  double x = box->left + layout->font + to_left * (length + name);
  double y = layout->height - layout->font - down * (length + name);
  cairo_set_source_rgb(layout->cairo, 0.2, 0.2, 0.2);
  cairo_set_line_width(layout->cairo, 0.8);
  thud_plot_set_font(layout, layout->small_font, false);
  for (int k = 0; k < 3; k++) paint_arrow(layout, seen[k], names[k], x, y, length);
  thud_snapshot_paint_length(layout, scene->length_unit);
}
