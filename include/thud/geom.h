/* thud/geom.h: shapes of rigid bodies, their masses, and where two of them touch. Layer: geom.
 *
 * A shape is a constant set in its own frame; a pose places it. Shapes of the plane lie in z = 0 and are placed by poses
 * that turn about z; they meet shapes of the plane only. Everything convex is known by its support function; fixed and
 * kinematic bodies may also have height fields and triangle meshes, which are surfaces.
 *
 * Signs: gap > 0 apart, < 0 overlapping (its size is the least translation that separates); the normal is a unit vector
 * from B to A; at a contact the point of A is that of B plus gap times the normal (to first order for manifolds of
 * faces that are not parallel). */
#ifndef THUD_GEOM_H
#define THUD_GEOM_H

#include "thud/base.h"
#include "thud/small.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- poses ------------------------------------------------------------------------------------------------------- */

/* x -> position + rotation x. */
typedef struct thud_pose {
  thud_vec3 position;
  thud_quat rotation; /* of norm 1 */
} thud_pose;

static inline thud_pose thud_pose_identity(void) {
  thud_pose pose = {thud_vec3_make(0, 0, 0), thud_quat_identity()};
  return pose;
}
static inline thud_vec3 thud_pose_point(const thud_pose *pose, thud_vec3 x) {
  return thud_vec3_add(pose->position, thud_quat_rotate(pose->rotation, x));
}
static inline thud_vec3 thud_pose_point_inverse(const thud_pose *pose, thud_vec3 x) {
  return thud_quat_rotate_inverse(pose->rotation, thud_vec3_subtract(x, pose->position));
}
/* First inner, then outer. */
static inline thud_pose thud_pose_compose(const thud_pose *outer, const thud_pose *inner) {
  thud_pose pose = {thud_pose_point(outer, inner->position), thud_quat_multiply(outer->rotation, inner->rotation)};
  return pose;
}

/* ---- shapes -------------------------------------------------------------------------------------------------------- */

typedef enum thud_shape_kind {
  THUD_SHAPE_SPHERE = 0,       /* radius; 0: a particle, a point that touches others but not other points */
  THUD_SHAPE_ELLIPSOID = 1,    /* half: the semi-axes along x, y, z */
  THUD_SHAPE_CAPSULE = 2,      /* radius; half_length of the segment along z, without the caps */
  THUD_SHAPE_BOX = 3,          /* half: half of the edges along x, y, z */
  THUD_SHAPE_CYLINDER = 4,     /* radius; half_length along z */
  THUD_SHAPE_CONE = 5,         /* radius of the base at z = -half_length, tip at z = half_length */
  THUD_SHAPE_PLANE = 6,        /* the half-space z <= 0; its outward normal is z. Fixed and kinematic bodies */
  THUD_SHAPE_HULL = 7,         /* convex hull of points; at least 4 that are not in a plane */
  THUD_SHAPE_HEIGHT_FIELD = 8, /* surface z = heights over a grid, solid below. Fixed and kinematic bodies */
  THUD_SHAPE_MESH = 9,         /* triangles; counter-clockwise seen from outside. Fixed and kinematic bodies */
  /* of the plane (z = 0) */
  THUD_SHAPE_DISC = 10,           /* radius; 0: a particle */
  THUD_SHAPE_PLANAR_CAPSULE = 11, /* radius; half_length of the segment along y, without the caps */
  THUD_SHAPE_RECTANGLE = 12,      /* half: half of the edges along x, y */
  THUD_SHAPE_POLYGON = 13,        /* convex hull of points (x, y); at least 3 that are not on a line */
  THUD_SHAPE_SEGMENT = 14,        /* points: its two ends; solid on neither side. Fixed and kinematic bodies */
  THUD_SHAPE_HALF_PLANE = 15,     /* the half-plane y <= 0; its outward normal is y. Fixed and kinematic bodies */
  THUD_SHAPE_KINDS = 16
} thud_shape_kind;

/* "sphere" ... "half-plane"; NULL for other numbers. */
THUD_API const char *thud_shape_kind_name(thud_shape_kind kind);
/* False, and *kind untouched, when there is none of that name. */
THUD_API bool thud_shape_kind_find(const char *name, thud_shape_kind *kind);

/* Definition of a shape; arrays are copied. Fields that the kind does not need are not read. Lengths in m. */
typedef struct thud_shape_def {
  size_t size;
  thud_shape_kind kind;
  double radius;               /* > 0; spheres and discs: >= 0 */
  double half_length;          /* > 0 */
  double half[3];              /* > 0 */
  thud_index point_count;      /* HULL, POLYGON, SEGMENT: 2, MESH: vertices */
  const double *points;        /* [3*point_count] x, y, z; in the plane z is not read */
  thud_index triangle_count;   /* MESH */
  const thud_index *triangles; /* [3*triangle_count] */
  bool open;                   /* MESH: may have holes and borders (terrain); otherwise it must be closed */
  thud_index columns, rows;    /* HEIGHT_FIELD: at least 2 each, along x and y */
  double spacing[2];           /* > 0; the grid is centred on the origin */
  const double *heights;       /* [rows*columns] row by row, x fastest */
} thud_shape_def;

/* A def of zeros with its size and kind set. */
static inline thud_shape_def thud_shape_def_default(thud_shape_kind kind) {
  thud_shape_def def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.kind = kind;
  return def;
}

typedef struct thud_shape thud_shape;

/* Degenerate, inverted, open or infinite shapes are THUD_ERROR_ARGUMENT with a message that names the fault. */
THUD_API thud_error thud_shape_create(thud_context *context, const thud_shape_def *def, thud_shape **shape);
THUD_API void thud_shape_destroy(thud_shape *shape);
THUD_API thud_shape_kind thud_shape_get_kind(const thud_shape *shape);
/* The def, with arrays that are borrowed from the shape (a hull's points are its vertices). */
THUD_API thud_shape_def thud_shape_get_def(const thud_shape *shape);
THUD_API bool thud_shape_is_planar(const thud_shape *shape);
/* False for planes, half-planes, height fields, meshes and segments: shapes of fixed and kinematic bodies. */
THUD_API bool thud_shape_may_move(const thud_shape *shape);
/* The largest distance of a point from the frame's origin; INFINITY for planes and half-planes. */
THUD_API double thud_shape_radius(const thud_shape *shape);
/* A length for tolerances: the smallest extent of the shape (of hulls along a face's normal); of a height field the smaller
 * spacing, of a mesh the root of the mean area of its triangles, of a segment its length; particles: 0, planes: INFINITY. */
THUD_API double thud_shape_thickness(const thud_shape *shape);

/* Triangles of the surface for drawing, in the shape's frame; of shapes of the plane their outline: points[3*count] in
 * order, no triangles. Round ones with so many segments around. */
typedef struct thud_shape_surface {
  size_t point_count, triangle_count;
  double *points;        /* [3*point_count], to be freed with thud_shape_surface_free */
  thud_index *triangles; /* [3*triangle_count] */
} thud_shape_surface;
/* Planes and half-planes are cut off at `extent` from the frame's origin. */
THUD_API thud_error thud_shape_make_surface(thud_context *context, const thud_shape *shape, int segments, double extent,
                                            thud_shape_surface *surface);
THUD_API void thud_shape_surface_free(thud_context *context, thud_shape_surface *surface);

/* The farthest point of a convex shape along a direction (not 0), in the shape's frame. */
THUD_API thud_vec3 thud_shape_support(const thud_shape *shape, thud_vec3 direction);

typedef struct thud_bounds {
  thud_vec3 low, high; /* infinite for planes and half-planes */
} thud_bounds;
/* Bounds of the placed shape, widened by margin. */
THUD_API thud_bounds thud_shape_bounds(const thud_shape *shape, const thud_pose *pose, double margin);

/* ---- masses ------------------------------------------------------------------------------------------------------- */

/* Mass (kg), centre of mass, and inertia about it (kg m^2; symmetric). In the plane per metre of depth: kg from an area
 * density, and only inertia.cz.z counts. */
typedef struct thud_mass_properties {
  double mass;
  thud_vec3 centre;
  thud_mat3 inertia;
} thud_mass_properties;

/* Mass properties of a homogeneous solid; THUD_ERROR_ARGUMENT for shapes that do not move by forces. Particles have no volume: 0. */
THUD_API thud_error thud_shape_mass(thud_context *context, const thud_shape *shape, double density,
                                    thud_mass_properties *mass);
/* The same placed by a pose. */
THUD_API thud_mass_properties thud_mass_properties_move(const thud_mass_properties *mass, const thud_pose *pose);
/* Mass properties of both together. */
THUD_API thud_mass_properties thud_mass_properties_add(const thud_mass_properties *a, const thud_mass_properties *b);
/* Principal axes: rotation (columns) and moments with inertia = R diag(moments) R'. */
THUD_API void thud_inertia_principal(thud_mat3 inertia, thud_quat *rotation, thud_vec3 *moments);
/* NULL when the matrix is an inertia of some body: symmetric, positive semidefinite, and no moment above the sum of the
 * other two; otherwise what is wrong. */
THUD_API const char *thud_inertia_check(thud_mat3 inertia);

/* ---- where two shapes touch ---------------------------------------------------------------------------------------- */

enum { THUD_MANIFOLD_MAX = 4 }; /* points of two convex shapes; in the plane 2 */

typedef struct thud_touch {
  thud_vec3 normal;     /* from B to A, world */
  thud_vec3 on_a, on_b; /* the points of either, world */
  double gap;
  uint32_t feature; /* which parts touch: the same number from step to step while the same parts do, different within
                       one pair */
} thud_touch;

/* Every contact of the two with a gap of at most margin (>= 0), in a fixed order; *count of them in touches[capacity], or
 * how many there would be when that is more. Convex shapes: at most THUD_MANIFOLD_MAX (planar: 2), which together span
 * the touching faces; the least gap is the signed distance to 5e-8 of the smaller shape's reach, and ends of capsules
 * touch as balls, whose points may be inside of the capsule. The order of the arguments does not matter but for the sign of the normal. Allocates nothing. */
THUD_API void thud_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, size_t capacity, thud_touch *touches, size_t *count);

/* Signed distance of two shapes of which at least one is convex and bounded, with its normal and points (closest may be
 * NULL). Of shapes that never touch (two planes, two surfaces, one of the plane and one of space) INFINITY. */
THUD_API double thud_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                              const thud_pose *pose_b, thud_touch *closest);

/* First time in [0, end] at which the gap of the two is at most `gap`, each moving with a constant velocity and spin
 * about the origin of its frame; end when there is none. Conservative: never late, and early by no more than a gap of 1e-9
 * of the smaller shape's reach, unless its 1000 advances end before (points that turn fast past each other). */
typedef struct thud_sweep_motion {
  thud_pose pose; /* at time 0 */
  thud_vec3 velocity, spin;
} thud_sweep_motion;
THUD_API double thud_time_of_contact(const thud_shape *a, const thud_sweep_motion *motion_a, const thud_shape *b,
                                     const thud_sweep_motion *motion_b, double gap, double end);

/* ---- rays ----------------------------------------------------------------------------------------------------------- */

/* Points origin + fraction way, 0 <= fraction <= 1. */
typedef struct thud_ray {
  thud_vec3 origin, way;
} thud_ray;

typedef struct thud_ray_hit {
  double fraction;  /* of the way */
  thud_vec3 point;  /* world */
  thud_vec3 normal; /* unit vector out of the shape; surfaces: towards the origin of the ray; inside: 0 */
  bool inside;      /* the origin lies in the shape: fraction 0 */
} thud_ray_hit;

/* Where the ray first meets the placed shape; false, and *hit untouched: nowhere. Closed forms but for rounding. Meshes, height
 * fields and segments are surfaces, which are met from both sides and have no inside; a ray within the plane of a
 * triangle, or along a segment, does not meet it. Allocates nothing. */
THUD_API bool thud_shape_cast_ray(const thud_shape *shape, const thud_pose *pose, const thud_ray *ray,
                                  thud_ray_hit *hit);

/* ---- which shapes may touch: the broad phase ------------------------------------------------------------------------ */

typedef struct thud_index_pair {
  thud_index first, second; /* first < second */
} thud_index_pair;

/* Pairs of boxes that overlap, from scratch each time: uniform grids, one for each size class of boxes (powers of 2),
 * sorted by counting; linear in the number of boxes and pairs for similar sizes, n log n for mixed ones, and for flat or
 * long ones in one place. Infinite boxes and a few of the largest are tested against all others. Boxes with a NaN and
 * empty ones (low above high) are in no pair. */
typedef struct thud_broad_phase thud_broad_phase;
THUD_API thud_error thud_broad_phase_create(thud_context *context, thud_broad_phase **phase);
THUD_API void thud_broad_phase_destroy(thud_broad_phase *phase);
/* pairs (borrowed until the next call) sorted by first, then second; those where `still` (may be NULL) is true of both
 * are left out, and so are those with equal groups (may be NULL; negative: none). Allocates only when there is more
 * of something than ever before. The same bits on any number of threads. */
THUD_API thud_error thud_broad_phase_find(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes,
                                          const bool *still, const thud_index *groups, size_t *pair_count,
                                          const thud_index_pair **pairs);

#ifdef __cplusplus
}
#endif
#endif
