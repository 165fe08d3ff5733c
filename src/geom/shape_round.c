/* Shapes without vertices, or with formulas simpler than those of vertices: lengths and support functions. */
#include "geom/shape_kinds.h"

/* ---- lengths: reach (farthest point from the origin) and thickness (smallest extent in any direction) ---------------- */

thud_error thud_build_ball(thud_shape *shape) {
  shape->reach = shape->def.radius;
  shape->thickness = 2 * shape->def.radius;
  return THUD_OK;
}

thud_error thud_build_ellipsoid(thud_shape *shape) {
  const double *half = shape->def.half;
  shape->reach = fmax(half[0], fmax(half[1], half[2]));
  shape->thickness = 2 * fmin(half[0], fmin(half[1], half[2]));
  return THUD_OK;
}

thud_error thud_build_capsule(thud_shape *shape) {
  shape->reach = shape->def.half_length + shape->def.radius;
  shape->thickness = 2 * shape->def.radius;
  return THUD_OK;
}

thud_error thud_build_cylinder(thud_shape *shape) {
  shape->reach = hypot(shape->def.radius, shape->def.half_length);
  shape->thickness = 2 * fmin(shape->def.radius, shape->def.half_length);
  return THUD_OK;
}

/* The extent of a body of revolution along a direction is that of its section through the axis and the direction: here
 * an isosceles triangle, whose width is its smallest altitude. */
thud_error thud_build_cone(thud_shape *shape) {
  double radius = shape->def.radius, height = 2 * shape->def.half_length;
  shape->reach = hypot(radius, shape->def.half_length);
  shape->inner = thud_vec3_make(0, 0, -0.5 * shape->def.half_length);
  shape->thickness = fmin(height, 2 * radius * (height / hypot(radius, height)));
  return THUD_OK;
}

thud_error thud_build_unbounded(thud_shape *shape) {
  shape->reach = INFINITY;
  shape->thickness = INFINITY;
  return THUD_OK;
}

/* ---- supports ------------------------------------------------------------------------------------------------------- */

thud_vec3 thud_support_ball(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 unit = {0, 0, 0};
  thud_vec3_normalise(direction, &unit);
  return thud_vec3_scale(shape->def.radius, unit);
}

/* The point of the circle of that radius about z at height z that is farthest along the direction; the centre when all
 * of them are. */
static thud_vec3 circle_support(double radius, double z, thud_vec3 direction) {
  double norm = sqrt(direction.x * direction.x + direction.y * direction.y);
  if (!(norm > 0)) return thud_vec3_make(0, 0, z);
  return thud_vec3_make(radius * (direction.x / norm), radius * (direction.y / norm), z);
}

thud_vec3 thud_support_disc(const thud_shape *shape, thud_vec3 direction) {
  return circle_support(shape->def.radius, 0, direction);
}

/* x_i = a_i^2 d_i / |(a_i d_i)|. */
thud_vec3 thud_support_ellipsoid(const thud_shape *shape, thud_vec3 direction) {
  const double *a = shape->def.half;
  thud_vec3 unit = {0, 0, 0};
  thud_vec3_normalise(thud_vec3_make(a[0] * direction.x, a[1] * direction.y, a[2] * direction.z), &unit);
  return thud_vec3_make(a[0] * unit.x, a[1] * unit.y, a[2] * unit.z);
}

thud_vec3 thud_support_capsule(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 x = thud_support_ball(shape, direction);
  x.z += direction.z >= 0 ? shape->def.half_length : -shape->def.half_length;
  return x;
}

thud_vec3 thud_support_planar_capsule(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 x = thud_support_disc(shape, direction);
  x.y += direction.y >= 0 ? shape->def.half_length : -shape->def.half_length;
  return x;
}

thud_vec3 thud_support_cylinder(const thud_shape *shape, thud_vec3 direction) {
  double half_length = shape->def.half_length;
  return circle_support(shape->def.radius, direction.z >= 0 ? half_length : -half_length, direction);
}

/* The tip, or a point of the base circle, whichever is farther. */
thud_vec3 thud_support_cone(const thud_shape *shape, thud_vec3 direction) {
  double half_length = shape->def.half_length;
  thud_vec3 tip = {0, 0, half_length}, base = circle_support(shape->def.radius, -half_length, direction);
  return thud_vec3_dot(tip, direction) >= thud_vec3_dot(base, direction) ? tip : base;
}

thud_vec3 thud_support_box(const thud_shape *shape, thud_vec3 direction) {
  const double *half = shape->def.half;
  return thud_vec3_make(direction.x >= 0 ? half[0] : -half[0], direction.y >= 0 ? half[1] : -half[1],
                        direction.z >= 0 ? half[2] : -half[2]);
}
