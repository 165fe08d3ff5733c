/* Shapes of rigid bodies as the checker has them: support functions, bounds, signed distances by its own algorithms. */
#ifndef THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_SHAPES_H
#define THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_SHAPES_H

#include "base/base.h"
#include "thud/tree.h"
#include "thud/small.h"

typedef enum verify_shape_kind {
  VERIFY_SHAPE_SPHERE,
  VERIFY_SHAPE_ELLIPSOID,
  VERIFY_SHAPE_CAPSULE,
  VERIFY_SHAPE_BOX,
  VERIFY_SHAPE_CYLINDER,
  VERIFY_SHAPE_CONE,
  VERIFY_SHAPE_PLANE, /* z <= 0 */
  VERIFY_SHAPE_HULL,
  VERIFY_SHAPE_HEIGHT_FIELD,
  VERIFY_SHAPE_MESH,
  VERIFY_SHAPE_DISC,
  VERIFY_SHAPE_PLANAR_CAPSULE, /* along y */
  VERIFY_SHAPE_RECTANGLE,
  VERIFY_SHAPE_POLYGON,
  VERIFY_SHAPE_SEGMENT,    /* two points of the plane, solid on neither side */
  VERIFY_SHAPE_HALF_PLANE, /* y <= 0 */
  VERIFY_SHAPE_KINDS
} verify_shape_kind;

typedef struct verify_shape {
  verify_shape_kind kind;
  double radius, half_length;
  thud_vec3 half;
  size_t point_count;
  thud_vec3 *points; /* [point_count] hulls, polygons, stretches, triangles */
  size_t triangle_count;
  size_t *triangles; /* [3 triangle_count] counter-clockwise seen from outside; of hulls, too */
  bool open;         /* a mesh with borders */
} verify_shape;

/* x -> x0 + R x. */
typedef struct verify_place {
  thud_vec3 x0;
  thud_mat3 R;
} verify_place;

typedef struct verify_box {
  thud_vec3 low, high;
} verify_box;

/* In a valley the faces of a surface hold points that are a little beyond the crease, by this part of the smaller shape's size. */
#define VERIFY_BEYOND_CREASE 1e-3

/* ---- what a kind of shape is: one row of the table in verify_bodies_forms.c ---- */

typedef struct verify_build verify_build; /* verify_bodies_read.h */
typedef struct verify_mass verify_mass;   /* verify_bodies_read.h */

typedef struct verify_form {
  const char *name, *word;  /* in records and in scenes; a shape of the plane may share its word with one of space */
  const char *without_size; /* the word of the same shape of size 0; NULL: none */
  const char *length;       /* the key of the length in a map {radius, length}; NULL: none */
  bool planar;
  bool rounded;    /* a core with a ball of the radius around each of its points */
  bool curved;     /* otherwise curved: distances are found by iterations, and the lowest point wanders */
  bool box;        /* half says everything */
  bool corners;    /* the hull of its points */
  bool listed;     /* points and triangles are in the record one by one */
  bool half_space; /* z <= 0, in the plane y <= 0 */
  bool surface;    /* triangles */
  bool grid;       /* heights over a grid */
  /* The value of the scene's entry; NULL: the word says everything. */
  thud_error (*read)(verify_build *build, const thud_node *node, verify_shape *shape);
  /* The farthest point of the core along a direction, in the shape's frame. */
  thud_vec3 (*core)(const verify_shape *shape, thud_vec3 direction);
  /* The largest distance of a point from the frame's origin; NULL: that of its points. */
  double (*size)(const verify_shape *shape);
  /* Of density 1; NULL: none. */
  verify_mass (*mass)(const verify_shape *shape);
  /* How far a point is from the surface; NULL: by the distance. */
  double (*off)(const verify_shape *shape, const verify_place *place, thud_vec3 point);
} verify_form;

extern const verify_form thud_verify_forms[VERIFY_SHAPE_KINDS];

static inline const verify_form *thud_verify_form_of(const verify_shape *shape) {
  return &thud_verify_forms[shape->kind];
}
static inline bool thud_verify_shape_is_surface(const verify_shape *shape) {
  return thud_verify_form_of(shape)->surface;
}
static inline bool thud_verify_shape_is_half_space(const verify_shape *shape) {
  return thud_verify_form_of(shape)->half_space;
}
/* A point, as a shape of the plane or of space. */
verify_shape thud_verify_point(bool planar);

/* By how much the core is rounded: a capsule is a segment that is rounded by its radius. */
double thud_verify_shape_rounding(const verify_shape *shape);
/* The farthest point of a convex shape's core along a world direction that is not 0, world. */
thud_vec3 thud_verify_core_support(const verify_shape *shape, const verify_place *place, thud_vec3 direction);
/* max of n.x over a convex shape, |n| = 1. */
double thud_verify_reach(const verify_shape *shape, const verify_place *place, thud_vec3 n);
/* The largest distance of a point from the frame's origin; INFINITY of half-spaces. */
double thud_verify_shape_size(const verify_shape *shape);
/* The smallest extent along the frame's axes (surfaces: the shortest edge of a triangle); particles 0, half-spaces
 * INFINITY. */
double thud_verify_shape_thickness(const verify_shape *shape);
verify_box thud_verify_shape_box(const verify_shape *shape, const verify_place *place);
/* One triangle of a surface as a convex shape; corners[3] are its points, in the surface's frame. */
verify_shape thud_verify_triangle(const verify_shape *surface, size_t k, thud_vec3 *corners);

/* Least translation that makes two convex shapes touch: the distance, or minus the depth. */
typedef struct verify_gap {
  double distance;  /* INFINITY: not looked at */
  double accuracy;  /* the true value differs by no more than this */
  thud_vec3 normal; /* from b to a, a unit vector; the shapes are apart by `distance` along it */
  double deepest;   /* of a surface and another shape: no contact of the two is deeper (verify_bodies_contacts.c) */
} verify_gap;

/* Of two convex shapes, one of which may be a half-space. planar: both are in the plane z = 0. */
verify_gap thud_verify_distance_of(const verify_shape *a, const verify_place *at_a, const verify_shape *b,
                                   const verify_place *at_b, bool planar);
/* Least n.x over a minus largest over b: a lower bound of the signed distance for every unit vector n. */
double thud_verify_separation(const verify_shape *a, const verify_place *at_a, const verify_shape *b,
                              const verify_place *at_b, thud_vec3 n);
/* How far a point certainly is from the surface of a convex shape or half-space: 0 on it. */
double thud_verify_off_surface(const verify_shape *shape, const verify_place *place, thud_vec3 point, bool planar);

/* ---- pieces of the distance (verify_bodies_shapes.c) ---- */

/* The difference of two cores, { x - y }. */
typedef struct verify_difference {
  const verify_shape *a, *b;
  const verify_place *at_a, *at_b;
} verify_difference;

static inline thud_vec3 thud_verify_difference_support(const verify_difference *d, thud_vec3 direction) {
  return thud_vec3_subtract(thud_verify_core_support(d->a, d->at_a, direction),
                            thud_verify_core_support(d->b, d->at_b, thud_vec3_negate(direction)));
}
/* Least of max { n.x : x in the difference } over unit vectors n, its n in *normal; 0 when the difference is flat.
 * *accuracy: the true value is at most so much less. */
double thud_verify_depth(const verify_difference *difference, thud_vec3 *normal, double *accuracy);
double thud_verify_flat_depth(const verify_difference *difference, thud_vec3 *normal, double *accuracy);

#endif
