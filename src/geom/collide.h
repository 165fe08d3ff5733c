/* Inside of the narrow phase: which function handles which pair, and what they share. All lengths in m, all vectors in the
 * world's axes unless said otherwise. */
#ifndef THUD_SRC_GEOM_COLLIDE_H
#define THUD_SRC_GEOM_COLLIDE_H

#include "geom/shape_class.h"

/* Contacts of two convex shapes of space in touches[THUD_MANIFOLD_MAX]; normals from b to a. Returns how many have a gap of
 * at most margin. */
typedef size_t (*thud_pair_fn)(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                               const thud_pose *pose_b, double margin, thud_touch *touches);

/* Any two shapes of space that are convex (planes too), in any order. The same pair in the other order gives the same bits
 * but for the signs of the normals. */
size_t thud_convex_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, thud_touch *touches);
/* Their signed distance with the closest points. */
double thud_convex_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                            thud_touch *closest);

/* Pairs by their classes; a is the shape named first. */
size_t thud_pair_sphere_sphere(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                               const thud_pose *pose_b, double margin, thud_touch *touches);
size_t thud_pair_sphere_solid(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                              const thud_pose *pose_b, double margin, thud_touch *touches);
size_t thud_pair_capsule_capsule(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                                 const thud_pose *pose_b, double margin, thud_touch *touches);
size_t thud_pair_solid_plane(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                             double margin, thud_touch *touches);
size_t thud_pair_box_box(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                         double margin, thud_touch *touches);
/* Any two solids (not planes): distances by GJK, depths by descent, manifolds by clipping. */
size_t thud_pair_solid_solid(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                             double margin, thud_touch *touches);
/* The same with room for `most` contacts, THUD_MANIFOLD_MAX or more. */
size_t thud_solids_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, size_t most, thud_touch *touches);

/* Closest points alone. */
void thud_balls_touch(double radius_a, thud_vec3 centre_a, double radius_b, thud_vec3 centre_b, thud_touch *touch);
void thud_closest_of_capsules(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                              const thud_pose *pose_b, thud_touch *closest);
void thud_lowest_above_plane(const thud_shape *a, const thud_pose *pose_a, const thud_pose *plane, thud_touch *touch);

/* The point of a solid's surface nearest to a point; in the shape's frame. */
struct thud_nearest {
  double distance;         /* signed: negative inside */
  thud_vec3 point, normal; /* normal: unit, outward */
};
thud_nearest thud_shape_nearest(const thud_shape *shape, thud_vec3 x);
/* For the shapes (nearest.c): with the distance along the normal, */
thud_nearest thud_nearest_make(thud_vec3 x, thud_vec3 point, thud_vec3 normal);
/* outside: along the difference; on the surface or as near as rounding: the given normal, */
thud_nearest thud_nearest_outside(thud_vec3 x, thud_vec3 point, thud_vec3 normal);
/* of a ball (fallback: the normal at its centre), */
thud_nearest thud_nearest_of_ball(thud_vec3 x, thud_vec3 centre, double radius, thud_vec3 fallback);
/* of a solid of revolution whose outline in (distance from the axis, z) goes through count+1 points from the axis to the axis,
 * counter-clockwise, and is convex, */
thud_nearest thud_nearest_of_outline(size_t count, const thud_vec2 *outline, thud_vec3 x);
/* of the shape's polyhedron. */
thud_nearest thud_nearest_of_polyhedron(const thud_shape *shape, thud_vec3 x);

/* A shape in a frame whose origin is near both shapes of a pair: numbers far from the world's origin lose no digits. */
struct thud_placed {
  const thud_shape *shape;
  thud_mat3 rotation;
  thud_vec3 position;
};

static inline thud_placed thud_place(const thud_shape *shape, const thud_pose *pose, thud_vec3 origin) {
  thud_placed placed = {shape, thud_quat_to_matrix(pose->rotation), thud_vec3_subtract(pose->position, origin)};
  return placed;
}
static inline thud_vec3 thud_placed_point(const thud_placed *placed, thud_vec3 x) {
  return thud_vec3_add(placed->position, thud_mat3_apply(placed->rotation, x));
}

static inline thud_vec3 thud_mat3_column(const thud_mat3 *m, size_t i) {
  return i == 0 ? m->cx : i == 1 ? m->cy : m->cz;
}

/* The length that tolerances of manifolds refer to: the smaller shape's reach; of very different sizes what rounding of the larger
 * one's coordinates needs. */
static inline double thud_pair_size(const thud_shape *a, const thud_shape *b) {
  return a->reach < b->reach ? a->reach + 1e-6 * b->reach : b->reach + 1e-6 * a->reach;
}

/* The least gap of some contacts; INFINITY of none. */
static inline double thud_least_gap(size_t count, const thud_touch *touches) {
  double least = INFINITY;
  for (size_t i = 0; i < count; i++)
    if (touches[i].gap < least) least = touches[i].gap;
  return least;
}

#endif
