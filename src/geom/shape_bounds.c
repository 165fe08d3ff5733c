/* Boxes around placed shapes. */
#include "geom/shape_kinds.h"

/* From support points along the axes of the world: tight for everything convex. */
static thud_bounds convex_bounds(const thud_shape *shape, const thud_pose *pose, double margin) {
  const thud_shape_class *class = thud_shape_class_of(shape->def.kind);
  thud_mat3 rows = thud_mat3_transpose(thud_quat_to_matrix(pose->rotation));
  const thud_vec3 axes[3] = {rows.cx, rows.cy, rows.cz}; /* axes of the world in the shape's frame */
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    high[k] = margin + thud_vec3_dot(axes[k], class->support(shape, axes[k]));
    low[k] = -margin + thud_vec3_dot(axes[k], class->support(shape, thud_vec3_negate(axes[k])));
  }
  return (thud_bounds){thud_vec3_add(pose->position, thud_vec3_load(low)),
                       thud_vec3_add(pose->position, thud_vec3_load(high))};
}

static thud_bounds ball_bounds(thud_vec3 centre, double radius) {
  thud_vec3 r = {radius, radius, radius};
  return (thud_bounds){thud_vec3_subtract(centre, r), thud_vec3_add(centre, r)};
}

thud_bounds thud_shape_bounds(const thud_shape *shape, const thud_pose *pose, double margin) {
  thud_vec3 nan = {NAN, NAN, NAN};
  THUD_REQUIRE_OR(((thud_bounds){nan, nan}), shape, pose);
  if (shape->def.kind == THUD_SHAPE_SPHERE) return ball_bounds(pose->position, shape->def.radius + margin);
  if (shape->convex) return convex_bounds(shape, pose, margin);
  return ball_bounds(pose->position, INFINITY);
}
