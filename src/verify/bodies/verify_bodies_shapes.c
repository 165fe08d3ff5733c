/* Support functions, sizes and bounds. */
#include "verify/bodies/verify_bodies_shapes.h"

#include <math.h>

double thud_verify_shape_rounding(const verify_shape *shape) {
  bool round = shape->kind == VERIFY_SHAPE_SPHERE || shape->kind == VERIFY_SHAPE_CAPSULE ||
               shape->kind == VERIFY_SHAPE_DISC || shape->kind == VERIFY_SHAPE_PLANAR_CAPSULE;
  return round ? shape->radius : 0;
}

static thud_vec3 farthest_point(const verify_shape *shape, thud_vec3 d) {
  size_t best = 0;
  double most = -INFINITY;
  for (size_t k = 0; k < shape->point_count; k++) {
    double here = thud_vec3_dot(shape->points[k], d);
    if (here > most) {
      most = here;
      best = k;
    }
  }
  return shape->points[best];
}

/* On the rim of radius r in the plane z; the centre of it when the direction is along z. */
static thud_vec3 rim_point(double r, double z, thud_vec3 d) {
  double across = hypot(d.x, d.y);
  return across > 0 ? thud_vec3_make(r * d.x / across, r * d.y / across, z) : thud_vec3_make(0, 0, z);
}

static thud_vec3 ellipsoid_point(thud_vec3 half, thud_vec3 d) {
  thud_vec3 s = thud_vec3_make(half.x * d.x, half.y * d.y, half.z * d.z);
  double norm = thud_vec3_norm(s);
  return norm > 0 ? thud_vec3_make(half.x * s.x / norm, half.y * s.y / norm, half.z * s.z / norm)
                  : thud_vec3_make(half.x, 0, 0);
}

static thud_vec3 cone_point(const verify_shape *shape, thud_vec3 d) {
  thud_vec3 rim = rim_point(shape->radius, -shape->half_length, d), tip = thud_vec3_make(0, 0, shape->half_length);
  return thud_vec3_dot(rim, d) > thud_vec3_dot(tip, d) ? rim : tip;
}

/* In the shape's frame. */
static thud_vec3 core_point(const verify_shape *shape, thud_vec3 d) {
  switch (shape->kind) {
  case VERIFY_SHAPE_SPHERE:
  case VERIFY_SHAPE_DISC: return thud_vec3_make(0, 0, 0);
  case VERIFY_SHAPE_ELLIPSOID: return ellipsoid_point(shape->half, d);
  case VERIFY_SHAPE_CAPSULE: return thud_vec3_make(0, 0, copysign(shape->half_length, d.z));
  case VERIFY_SHAPE_PLANAR_CAPSULE: return thud_vec3_make(0, copysign(shape->half_length, d.y), 0);
  case VERIFY_SHAPE_BOX:
    return thud_vec3_make(copysign(shape->half.x, d.x), copysign(shape->half.y, d.y), copysign(shape->half.z, d.z));
  case VERIFY_SHAPE_RECTANGLE: return thud_vec3_make(copysign(shape->half.x, d.x), copysign(shape->half.y, d.y), 0);
  case VERIFY_SHAPE_CYLINDER: return rim_point(shape->radius, copysign(shape->half_length, d.z), d);
  case VERIFY_SHAPE_CONE: return cone_point(shape, d);
  case VERIFY_SHAPE_HULL:
  case VERIFY_SHAPE_POLYGON:
  case VERIFY_SHAPE_SEGMENT: return farthest_point(shape, d);
  case VERIFY_SHAPE_PLANE:
  case VERIFY_SHAPE_HALF_PLANE:
  case VERIFY_SHAPE_TRIANGLES: break; /* not convex and bounded: nobody asks */
  }
  return thud_vec3_make(0, 0, 0);
}

thud_vec3 thud_verify_core_support(const verify_shape *shape, const verify_place *place, thud_vec3 direction) {
  thud_vec3 x = core_point(shape, thud_mat3_apply_transposed(place->R, direction));
  return thud_vec3_add(place->x0, thud_mat3_apply(place->R, x));
}

double thud_verify_reach(const verify_shape *shape, const verify_place *place, thud_vec3 n) {
  return thud_vec3_dot(thud_verify_core_support(shape, place, n), n) + thud_verify_shape_rounding(shape);
}

double thud_verify_shape_size(const verify_shape *shape) {
  double most = 0;
  if (thud_verify_shape_is_half_space(shape)) return INFINITY;
  for (size_t k = 0; k < shape->point_count; k++) most = fmax(most, thud_vec3_norm(shape->points[k]));
  switch (shape->kind) {
  case VERIFY_SHAPE_SPHERE:
  case VERIFY_SHAPE_DISC: return shape->radius;
  case VERIFY_SHAPE_CAPSULE:
  case VERIFY_SHAPE_PLANAR_CAPSULE: return shape->radius + shape->half_length;
  case VERIFY_SHAPE_CYLINDER:
  case VERIFY_SHAPE_CONE: return hypot(shape->radius, shape->half_length);
  case VERIFY_SHAPE_BOX: return thud_vec3_norm(shape->half);
  case VERIFY_SHAPE_RECTANGLE: return hypot(shape->half.x, shape->half.y);
  case VERIFY_SHAPE_ELLIPSOID: return fmax(shape->half.x, fmax(shape->half.y, shape->half.z));
  default: return most;
  }
}

/* ---- extents ------------------------------------------------------------------------------------------------------ */

static verify_box box_of_points(const verify_shape *shape, const verify_place *place) {
  verify_box box = {thud_vec3_make(INFINITY, INFINITY, INFINITY), thud_vec3_make(-INFINITY, -INFINITY, -INFINITY)};
  for (size_t k = 0; k < shape->point_count; k++) {
    thud_vec3 x = thud_vec3_add(place->x0, thud_mat3_apply(place->R, shape->points[k]));
    box.low = thud_vec3_make(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
    box.high = thud_vec3_make(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
  }
  return box;
}

verify_box thud_verify_shape_box(const verify_shape *shape, const verify_place *place) {
  static const thud_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  if (thud_verify_shape_is_surface(shape)) return box_of_points(shape, place);
  if (thud_verify_shape_is_half_space(shape))
    return (verify_box){thud_vec3_make(-INFINITY, -INFINITY, -INFINITY), thud_vec3_make(INFINITY, INFINITY, INFINITY)};
  return (verify_box){thud_vec3_make(-thud_verify_reach(shape, place, thud_vec3_negate(x)),
                                     -thud_verify_reach(shape, place, thud_vec3_negate(y)),
                                     -thud_verify_reach(shape, place, thud_vec3_negate(z))),
                      thud_vec3_make(thud_verify_reach(shape, place, x), thud_verify_reach(shape, place, y),
                                     thud_verify_reach(shape, place, z))};
}

static double shortest_edge(const verify_shape *shape) {
  double least = INFINITY;
  for (size_t k = 0; k < 3 * shape->triangle_count; k++) {
    size_t next = k % 3 == 2 ? k - 2 : k + 1;
    least = fmin(least, thud_vec3_distance(shape->points[shape->triangles[k]], shape->points[shape->triangles[next]]));
  }
  return least;
}

double thud_verify_shape_thickness(const verify_shape *shape) {
  static const verify_place here = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (thud_verify_shape_is_half_space(shape)) return INFINITY;
  if (thud_verify_shape_is_surface(shape)) return shortest_edge(shape);
  verify_box box = thud_verify_shape_box(shape, &here);
  thud_vec3 extent = thud_vec3_subtract(box.high, box.low);
  if (shape->kind >= VERIFY_SHAPE_DISC) return fmin(extent.x, extent.y);
  return fmin(extent.x, fmin(extent.y, extent.z));
}

verify_shape thud_verify_triangle(const verify_shape *surface, size_t k, thud_vec3 *corners) {
  for (size_t i = 0; i < 3; i++) corners[i] = surface->points[surface->triangles[3 * k + i]];
  return (verify_shape){.kind = VERIFY_SHAPE_HULL, .point_count = 3, .points = corners};
}
