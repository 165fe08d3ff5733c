/* Springs and joints in snapshots and films: springs as zigzags, those at angles as spirals, rods and ropes as lines, which hang through
 * where they are slack, other joints as rings where they hold their bodies, with a stroke along the axis. They are drawn over the bodies. */
#include "model/joint.h"
#include "plot/drawing.h"
#include "plot/snapshot.h"

#include <math.h>

enum { ROPE_POINTS = 17 };

static const double ring_radius = 0.28, axis_half = 0.8; /* of the font */
static const double thin_line = 0.8, ring_line = 0.9;    /* pt */

typedef struct painter {
  const snapshot *shown;
  const thud_plot_layout *layout;
} painter;

static thud_vec2 to_paper(const painter *p, thud_vec3 x) {
  const thud_plot_panel_layout *panel = &p->layout->panels[0];
  thud_vec3 seen = thud_snapshot_project(&p->shown->scene->camera, x);
  return thud_vec2_make(thud_plot_axis_place(&panel->x, seen.x), thud_plot_axis_place(&panel->y, seen.y));
}

/* A point of a body, from its centre of mass; of the world where there is none. */
static thud_vec3 place_of(const painter *p, thud_index body, thud_vec3 point) {
  return body >= 0 ? thud_pose_point(&p->shown->row->pose[body], point) : point;
}

static void stroke_polyline(const painter *p, size_t count, const thud_vec2 *corners) {
  cairo_new_path(p->layout->cairo);
  for (size_t k = 0; k < count; k++) cairo_line_to(p->layout->cairo, corners[k].x, corners[k].y);
  thud_canvas_stroke(p->layout->canvas);
}

static void paint_spring(const painter *p, thud_index k) {
  const thud_bodies_view *view = &p->shown->scene->view;
  thud_vec2 corners[DRAWN_SPRING_POINTS];
  thud_drawn_spring(p->layout, to_paper(p, place_of(p, view->spring_a[k], view->springs[k].point_a)),
                    to_paper(p, place_of(p, view->spring_b[k], view->springs[k].point_b)), corners);
  stroke_polyline(p, DRAWN_SPRING_POINTS, corners);
}

static bool shifts(int kind) {
  return kind == THUD_JOINT_SLIDER || kind == THUD_JOINT_CYLINDRICAL || kind == THUD_JOINT_SCREW;
}

/* The axis of a, as far as it is seen: in the plane only sliders have one. */
static void paint_axis(const painter *p, const thud_joint *joint, thud_vec3 at) {
  bool has_axis = shifts(joint->kind) || joint->kind == THUD_JOINT_HINGE || joint->kind == THUD_JOINT_UNIVERSAL ||
                  joint->kind == THUD_JOINT_PLANAR;
  if (!has_axis || (p->shown->scene->view.planar && !shifts(joint->kind))) return;
  thud_quat q = thud_quat_multiply(p->shown->row->pose[joint->a].rotation, joint->frame_a);
  thud_vec3 axis = thud_quat_rotate(q, thud_vec3_make(1, 0, 0));
  thud_vec3 seen = thud_snapshot_project(&p->shown->scene->camera, axis);
  double half = (shifts(joint->kind) ? 2 : 1) * axis_half * p->layout->font;
  thud_vec2 x = to_paper(p, at);
  const thud_vec2 ends[2] = {thud_vec2_make(x.x - half * seen.x, x.y + half * seen.y),
                             thud_vec2_make(x.x + half * seen.x, x.y - half * seen.y)};
  stroke_polyline(p, 2, ends);
}

/* From the ring outwards. */
static void paint_spiral(const painter *p, thud_vec3 at) {
  enum { POINTS = 61 };
  static const double from = 0.35, to = 1.1, turns = 2.5;
  thud_vec2 corners[POINTS], x = to_paper(p, at);
  for (int k = 0; k < POINTS; k++) {
    double part = (double)k / (POINTS - 1), angle = 2 * 3.14159265358979323846 * turns * part;
    double radius = (from + (to - from) * part) * p->layout->font;
    corners[k] = thud_vec2_make(x.x + radius * cos(angle), x.y - radius * sin(angle));
  }
  stroke_polyline(p, POINTS, corners);
}

/* Springs at the coordinates of a joint with the points a and b. */
static void paint_joint_springs(const painter *p, const thud_joint *joint, thud_vec3 a, thud_vec3 b) {
  bool planar = p->shown->scene->view.planar, zigzag = false, spiral = false;
  thud_vec2 corners[DRAWN_SPRING_POINTS], from = to_paper(p, a), to = to_paper(p, b);
  for (int c = 0; c < thud_joint_coordinates(joint->kind, planar); c++)
    if (joint->law[c].stiffness > 0)
      *(thud_coordinate_is_angle(thud_joint_free(joint->kind, planar, c)) ? &spiral : &zigzag) = true;
  cairo_set_line_width(p->layout->cairo, thin_line);
  if (spiral) paint_spiral(p, b);
  if (!zigzag || !(hypot(to.x - from.x, to.y - from.y) > p->layout->font)) return;
  thud_drawn_spring(p->layout, from, to, corners);
  stroke_polyline(p, DRAWN_SPRING_POINTS, corners);
}

/* A parabola along gravity. Its sag is right for a taut rope and for one whose ends are together (L/2), and between them about
 * that of the length. */
static void paint_rope(const painter *p, thud_vec3 a, thud_vec3 b, double length) {
  thud_vec2 points[ROPE_POINTS];
  thud_vec3 gravity = p->shown->scene->view.gravity;
  double distance = thud_vec3_distance(a, b), g = thud_vec3_norm(gravity);
  double sag = g > 0 && length > distance ? 0.5 * sqrt(length * length - distance * distance) / g : 0;
  for (int k = 0; k < ROPE_POINTS; k++) {
    double s = (double)k / (ROPE_POINTS - 1);
    thud_vec3 x = thud_vec3_add_scaled(a, s, thud_vec3_subtract(b, a));
    points[k] = to_paper(p, thud_vec3_add_scaled(x, 4 * s * (1 - s) * sag, gravity));
  }
  stroke_polyline(p, ROPE_POINTS, points);
}

static void paint_ring(const painter *p, thud_vec3 at) {
  cairo_t *cairo = p->layout->cairo;
  thud_vec2 x = to_paper(p, at);
  cairo_new_path(cairo);
  cairo_arc(cairo, x.x, x.y, ring_radius * p->layout->font, 0, 2 * 3.14159265358979323846);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  thud_canvas_fill_preserve(p->layout->canvas);
  cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
  thud_canvas_stroke(p->layout->canvas);
}

static void paint_joint(const painter *p, const thud_joint *joint) {
  thud_vec3 a = place_of(p, joint->a, joint->point_a), b = place_of(p, joint->b, joint->point_b);
  bool roped = joint->kind == THUD_JOINT_PULLEY, rope = joint->kind == THUD_JOINT_ROPE;
  if (joint->kind == THUD_JOINT_GEAR || joint->kind == THUD_JOINT_RACK) return; /* they hold no place */
  if (!roped) paint_joint_springs(p, joint, a, b);
  cairo_set_line_width(p->layout->cairo, roped || rope || joint->kind == THUD_JOINT_ROD ? thin_line : ring_line);
  if (rope) {
    paint_rope(p, a, b, joint->law[0].limit[1]);
    paint_ring(p, a);
  }
  if (roped || joint->kind == THUD_JOINT_ROD) {
    const thud_vec2 line[4] = {to_paper(p, a), to_paper(p, roped ? joint->over_a : b),
                               to_paper(p, roped ? joint->over_b : b), to_paper(p, b)};
    stroke_polyline(p, roped ? 4 : 2, line);
    paint_ring(p, a);
  }
  thud_vec3 held = shifts(joint->kind) ? a : b; /* the mark goes with what slides */
  paint_axis(p, joint, held);
  paint_ring(p, held);
}

static bool is_held(const painter *p, thud_index a, thud_index b) {
  const bool *absent = p->shown->row->absent;
  return absent == NULL || (!absent[a] && (b < 0 || !absent[b]));
}

static bool acts(const painter *p, thud_index joint) {
  const body_row *row = p->shown->row;
  const thud_joint *held = &p->shown->scene->view.joints[joint];
  return (row->off == NULL || !row->off[joint]) && is_held(p, held->a, held->b);
}

void thud_snapshot_paint_joints(const snapshot *shown, const thud_plot_layout *layout) {
  const thud_bodies_view *view = &shown->scene->view;
  const painter p = {shown, layout};
  cairo_set_source_rgb(layout->cairo, 0.15, 0.15, 0.15);
  cairo_set_line_width(layout->cairo, thin_line);
  for (thud_index k = 0; k < view->spring_count; k++)
    if (is_held(&p, view->spring_a[k], view->spring_b[k])) paint_spring(&p, k);
  for (thud_index k = 0; k < view->joint_count; k++)
    if (acts(&p, k)) paint_joint(&p, &view->joints[k]);
}
