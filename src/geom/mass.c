/* Masses: closed forms of the kinds that have them, and what is done with masses. */
#include "geom/mass.h"
#include "geom/shape_kinds.h"

#define PI 3.14159265358979323846

/* About the axes; the centre is the frame's origin. */
static thud_mass_properties diagonal(double mass, double x, double y, double z) {
  return (thud_mass_properties){mass, {0, 0, 0}, thud_mat3_diagonal(x, y, z)};
}

thud_mass_properties thud_mass_ellipsoid(const thud_shape *shape) {
  double a = shape->def.half[0], b = shape->def.half[1], c = shape->def.half[2];
  double mass = 4 * PI / 3 * a * b * c;
  return diagonal(mass, mass * (b * b + c * c) / 5, mass * (c * c + a * a) / 5, mass * (a * a + b * b) / 5);
}

thud_mass_properties thud_mass_sphere(const thud_shape *shape) {
  double r = shape->def.radius, mass = 4 * PI / 3 * r * r * r, moment = 0.4 * mass * r * r;
  return diagonal(mass, moment, moment, moment);
}

/* A cylinder and two half-balls, each with its centre 3r/8 from its base. */
thud_mass_properties thud_mass_capsule(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double rod = 2 * PI * r * r * h, caps = 4 * PI / 3 * r * r * r;
  double across = rod * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
  return diagonal(rod + caps, across, across, rod * r * r / 2 + 0.4 * caps * r * r);
}

thud_mass_properties thud_mass_box(const thud_shape *shape) {
  double a = shape->def.half[0], b = shape->def.half[1], c = shape->def.half[2];
  double mass = 8 * a * b * c;
  return diagonal(mass, mass * (b * b + c * c) / 3, mass * (c * c + a * a) / 3, mass * (a * a + b * b) / 3);
}

thud_mass_properties thud_mass_cylinder(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double mass = 2 * PI * r * r * h, across = mass * (r * r / 4 + h * h / 3);
  return diagonal(mass, across, across, mass * r * r / 2);
}

/* The centre is a quarter of the height above the base. */
thud_mass_properties thud_mass_cone(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double mass = 2 * PI / 3 * r * r * h, across = 0.15 * mass * (r * r + h * h);
  thud_mass_properties properties = diagonal(mass, across, across, 0.3 * mass * r * r);
  properties.centre.z = -h / 2;
  return properties;
}

thud_mass_properties thud_mass_disc(const thud_shape *shape) {
  double r = shape->def.radius, mass = PI * r * r;
  return diagonal(mass, 0, 0, mass * r * r / 2);
}

/* A rectangle and two half-discs, each with its centre 4r/(3 pi) from its base. */
thud_mass_properties thud_mass_planar_capsule(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double bar = 4 * r * h, caps = PI * r * r;
  return diagonal(bar + caps, 0, 0, bar * (r * r + h * h) / 3 + caps * (r * r / 2 + h * h + 8 * h * r / (3 * PI)));
}

thud_mass_properties thud_mass_rectangle(const thud_shape *shape) {
  double a = shape->def.half[0], b = shape->def.half[1], mass = 4 * a * b;
  return diagonal(mass, 0, 0, mass * (a * a + b * b) / 3);
}

/* ---- what is done with masses --------------------------------------------------------------------------------------- */

thud_error thud_shape_mass(thud_context *context, const thud_shape *shape, double density, thud_mass_properties *mass) {
  THUD_REQUIRE(context, context, shape, mass);
  const thud_shape_class *class = thud_shape_class_of(shape->def.kind);
  if (!shape->may_move)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s: only fixed and kinematic bodies have this shape; it has no mass", class->name);
  if (!(density > 0 && density <= DBL_MAX))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: the density is %g; it must be a finite number > 0", class->name,
                     density);
  thud_mass_properties properties = class->mass(shape);
  properties.mass *= density;
  properties.inertia = thud_mat3_scale(density, properties.inertia);
  *mass = properties;
  return THUD_OK;
}

thud_mass_properties thud_mass_properties_move(const thud_mass_properties *mass, const thud_pose *pose) {
  THUD_REQUIRE_OR((thud_mass_properties){0}, mass, pose);
  thud_mat3 R = thud_quat_to_matrix(pose->rotation);
  thud_mass_properties moved = {mass->mass, thud_pose_point(pose, mass->centre),
                                thud_mat3_multiply(R, thud_mat3_multiply(mass->inertia, thud_mat3_transpose(R)))};
  /* symmetric to the last bit */
  moved.inertia = thud_mat3_scale(0.5, thud_mat3_add(moved.inertia, thud_mat3_transpose(moved.inertia)));
  return moved;
}

/* The inertia of two points of the masses at the centres about their common centre is m_a m_b/(m_a + m_b) (|d|^2 1 - d d')
 * with the distance d of the centres. */
thud_mass_properties thud_mass_properties_add(const thud_mass_properties *a, const thud_mass_properties *b) {
  THUD_REQUIRE_OR((thud_mass_properties){0}, a, b);
  thud_mass_properties sum = {a->mass + b->mass, a->centre, thud_mat3_add(a->inertia, b->inertia)};
  if (!(sum.mass > 0)) return sum;
  double share = b->mass / sum.mass;
  thud_vec3 d = thud_vec3_subtract(b->centre, a->centre);
  sum.centre = thud_vec3_add_scaled(a->centre, share, d);
  double dd = thud_vec3_dot(d, d);
  thud_mat3 apart = thud_mat3_subtract(thud_mat3_diagonal(dd, dd, dd), thud_mat3_outer(d, d));
  sum.inertia = thud_mat3_add(sum.inertia, thud_mat3_scale(share * a->mass, apart));
  return sum;
}
