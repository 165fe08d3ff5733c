/* Boxes around placed shapes. */
#include "geom/shape_kinds.h"
#include "geom/triangles.h"

/* A height field's box: tight unless it is turned. */
static double height_field_extent(const thud_shape *shape, thud_vec3 d) {
  const thud_shape_def *def = &shape->def;
  double x = 0.5 * (def->columns - 1) * def->spacing[0], y = 0.5 * (def->rows - 1) * def->spacing[1];
  return x * fabs(d.x) + y * fabs(d.y) + fmax(d.z * shape->low_height, d.z * shape->high_height);
}

/* The largest direction . x of the shape. */
static double extent_along(const thud_shape *shape, thud_vec3 direction) {
  if (shape->convex) return thud_vec3_dot(direction, thud_shape_class_of(shape->def.kind)->support(shape, direction));
  if (shape->def.kind == THUD_SHAPE_MESH) return thud_triangles_extent(shape, direction);
  return height_field_extent(shape, direction);
}

static thud_bounds bounds_by_extents(const thud_shape *shape, const thud_pose *pose, double margin) {
  thud_mat3 rows = thud_mat3_transpose(thud_quat_to_matrix(pose->rotation));
  const thud_vec3 axes[3] = {rows.cx, rows.cy, rows.cz}; /* axes of the world in the shape's frame */
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    high[k] = margin + extent_along(shape, axes[k]);
    low[k] = -margin - extent_along(shape, thud_vec3_negate(axes[k]));
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
  if (shape->reach == INFINITY) return ball_bounds(pose->position, INFINITY);
  return bounds_by_extents(shape, pose, margin);
}
