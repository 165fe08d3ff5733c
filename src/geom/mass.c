/* Masses of shapes, and of bodies that are made of several. */
#include "geom/mass.h"

thud_error thud_shape_mass(thud_context *context, const thud_shape *shape, double density, thud_mass_properties *mass) {
  THUD_REQUIRE(context, context, shape, mass);
  const thud_shape_class *class = shape->class;
  if (!class->may_move)
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
