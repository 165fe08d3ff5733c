/* Flat parts of surfaces, what remains of one above another, and the few points that stand for it. */
#ifndef THUD_SRC_GEOM_MANIFOLD_H
#define THUD_SRC_GEOM_MANIFOLD_H

#include "geom/collide.h"

enum { THUD_FLAT_MAX = 64 };

/* A vertex, an edge or a face of a shape, placed; round faces by points of their rim. */
struct thud_flat {
  size_t count;     /* 1: a point, 2: a segment, more: a polygon, counter-clockwise seen from outside */
  thud_vec3 normal; /* of polygons: unit, outward */
  uint32_t name;    /* number of the part within its shape */
  double radius;    /* of round faces; 0 of others */
  thud_vec3 centre; /* of round faces */
  thud_vec3 points[THUD_FLAT_MAX];
};

/* The part of a solid that faces a unit direction most. */
void thud_flat_facing(const thud_placed *placed, thud_vec3 direction, thud_flat *flat);
/* For the shapes: the face of the polyhedron (a class's `facing`), */
void thud_flat_of_polyhedron(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat);
/* the end of a cylinder or cone at z, by points of its rim at fixed places, */
void thud_flat_disc(const thud_placed *placed, double z, thud_flat *flat);
/* the line of its side that faces the direction, from the radius at the low end to that at the high end, */
void thud_flat_side_line(const thud_placed *placed, thud_vec3 local, double high_radius, thud_flat *flat);
/* a segment of the side, in the shape's frame. */
void thud_flat_segment(const thud_placed *placed, thud_vec3 p, thud_vec3 q, thud_flat *flat);
/* Face k (0: x, 1: y, 2: z) of a box on the side of sign. axes: its columns. */
void thud_box_face(const thud_mat3 *axes, const double half[3], thud_vec3 centre, size_t k, double sign,
                   thud_flat *flat);
/* The one that faces a unit direction most; of those that face it equally the first. */
void thud_box_face_facing(const thud_mat3 *axes, const double half[3], thud_vec3 centre, thud_vec3 direction,
                          thud_flat *flat);

/* A plane seen from a shape's frame: a point x of the shape has the gap normal.x - offset. */
struct thud_ground {
  const thud_pose *pose; /* of the shape */
  thud_vec3 normal, world_normal;
  double offset, margin;
};
/* For the shapes: one contact at a point of the surface, when it is within the margin, */
size_t thud_ground_touch(const thud_ground *ground, thud_vec3 x, uint32_t feature, thud_touch *touch);
/* those vertices of the polyhedron that span the contact, */
size_t thud_ground_vertices(const thud_ground *ground, const thud_shape *shape, thud_touch *touches);
/* a solid with a rim at -half_length and at half_length (a cone's tip: of radius 0). */
size_t thud_ground_rims(const thud_ground *ground, const double radii[2], double half_length, thud_touch *touches);

/* Up to four points of many: the deepest, the farthest from it, and two that make the area largest, seen along the normal.
 * The gap of a point x is normal.x - offset; those above margin do not count. Of more than four only corners of their convex
 * hull are chosen, and the deepest one. Values that differ by less than tolerance count as equal and the first one wins, so
 * that noise does not change the choice. chosen: indices, ascending.
 * most: as many are allowed, THUD_MANIFOLD_MAX or more; where there are more corners than that, some of them. */
size_t thud_manifold_pick(size_t count, const thud_vec3 *points, thud_vec3 normal, double offset, double margin,
                          double tolerance, size_t most, size_t *chosen);

/* Points of the incident segment or polygon above the reference polygon with their gaps along the reference's normal, and
 * the points of the reference below them. The contacts' normal is `sign` times that of the reference; sign 1: the reference
 * is b's. tolerance: a length; what lies outside by less than that is inside. At most `most` of them. */
size_t thud_manifold_clip(const thud_flat *reference, const thud_flat *incident, double sign, double margin,
                          double tolerance, size_t most, thud_touch *touches);

/* The same for solids that lie on each other up to a small tilt: they touch first in a corner or where edges cross, with a
 * normal (`normal`, from b to a) that is not quite the reference's, and other corners follow within the
 * margin. One contact alone would let them rock, and noise would choose it. Points and gaps are those along that normal, so
 * that no gap is smaller than that of the first to touch, which need not be among them. 0 unless the tilt is small and at
 * least two points are within the margin. */
size_t thud_manifold_lie(const thud_flat *reference, const thud_flat *incident, double sign, thud_vec3 normal,
                         double margin, double tolerance, size_t most, thud_touch *touches);

#endif
