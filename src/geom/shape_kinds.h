/* What the kinds of shapes differ in: one row of a const table each (shape.c). */
#ifndef THUD_SRC_GEOM_SHAPE_KINDS_H
#define THUD_SRC_GEOM_SHAPE_KINDS_H

#include "geom/shape.h"
#include "geom/surface.h"

/* Numbers of the def that a kind is made of; each must be > 0 unless said otherwise, and its size
 * within the limits below: fifth powers (moments of inertia) neither overflow nor vanish. */
#define THUD_LENGTH_MOST 1e50
#define THUD_LENGTH_LEAST 1e-50
/* Points and triangles of one shape: sums of their counts stay far below the range of thud_index. */
#define THUD_POINTS_MOST 100000000
enum {
  THUD_NEEDS_RADIUS = 1,
  THUD_NEEDS_RADIUS_OR_ZERO = 2,
  THUD_NEEDS_HALF_LENGTH = 4,
  THUD_NEEDS_HALF_2 = 8,  /* half[0], half[1] */
  THUD_NEEDS_HALF_3 = 16, /* half[0..2] */
  THUD_NEEDS_POINTS = 32, /* finite, as many as point_count, at least points_least */
};

typedef struct thud_shape_class {
  const char *name;
  bool planar, convex, may_move;
  unsigned needs;
  thud_index points_least;
  /* Makes what is not in the def, and reach and thickness. def was copied with its needs checked; its arrays are still the
   * caller's and are replaced by the shape's own. What a failing build leaves in the shape is freed with it. */
  thud_error (*build)(thud_shape *shape);
  /* Farthest point along a direction; NULL: not convex or not bounded. */
  thud_vec3 (*support)(const thud_shape *shape, thud_vec3 direction);
  /* Of density 1; NULL: shapes that do not move by forces. */
  thud_mass_properties (*mass)(const thud_shape *shape);
  thud_surface_fn surface;
} thud_shape_class;

/* The row of a kind, NULL for other numbers. */
const thud_shape_class *thud_shape_class_of(thud_shape_kind kind);

/* ---- builds (shape_round.c, polyhedron.c, hull.c, polygon.c, mesh.c, height_field.c) ---------------------------------------------------------------- */

thud_error thud_build_ball(thud_shape *shape); /* spheres and discs */
thud_error thud_build_ellipsoid(thud_shape *shape);
thud_error thud_build_capsule(thud_shape *shape); /* in space and in the plane */
thud_error thud_build_cylinder(thud_shape *shape);
thud_error thud_build_cone(thud_shape *shape);
thud_error thud_build_unbounded(thud_shape *shape); /* planes and half-planes */
thud_error thud_build_box(thud_shape *shape);
thud_error thud_build_hull(thud_shape *shape);
thud_error thud_build_mesh(thud_shape *shape);
thud_error thud_build_height_field(thud_shape *shape);
thud_error thud_build_rectangle(thud_shape *shape);
thud_error thud_build_polygon(thud_shape *shape);
thud_error thud_build_segment(thud_shape *shape);

/* ---- supports ------------------------------------------------------------------------------------------------------- */

thud_vec3 thud_support_ball(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_disc(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_ellipsoid(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_capsule(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_planar_capsule(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_cylinder(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_cone(const thud_shape *shape, thud_vec3 direction);
thud_vec3 thud_support_box(const thud_shape *shape, thud_vec3 direction); /* rectangles too: half[2] is 0 there */
thud_vec3 thud_support_vertices(const thud_shape *shape, thud_vec3 direction);

#endif
