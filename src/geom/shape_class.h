/* The class of a shape. Every kind of shape is one const class in a file of its own (shape_<name>.c) and one row of
 * shape_table.c; everything else in thud asks the class. A smooth convex shape needs a support function, a build and a
 * mass; the other entries are closed forms that replace general methods. A shape with flat faces also fills in
 * shape->polyhedron and takes the entries of the hull: the support function alone gives one point where a face rests. */
#ifndef THUD_SRC_GEOM_SHAPE_CLASS_H
#define THUD_SRC_GEOM_SHAPE_CLASS_H

#include "geom/shape.h"

#include <stddef.h>

typedef struct thud_placed thud_placed;                   /* collide.h */
typedef struct thud_nearest thud_nearest;                 /* collide.h */
typedef struct thud_flat thud_flat;                       /* manifold.h */
typedef struct thud_ground thud_ground;                   /* manifold.h */
typedef struct thud_ray_span thud_ray_span;               /* ray.h */
typedef struct thud_planar_core thud_planar_core;         /* planar_core.h */
typedef struct thud_surface_class thud_surface_class;     /* triangles.h */
typedef struct thud_surface_request thud_surface_request; /* surface.h */

/* ---- the numbers of a shape ---------------------------------------------------------------------------------------- */

/* Lengths are within these limits: fifth powers (moments of inertia) neither overflow nor vanish. */
#define THUD_LENGTH_MOST 1e50
#define THUD_LENGTH_LEAST 1e-50
/* Points and triangles of one shape: sums of their counts stay far below the range of thud_index. */
#define THUD_POINTS_MOST 100000000

/* Members of the def that a shape is made of; each must be > 0 unless said otherwise. The others are 0 in the shape. */
enum {
  THUD_NEEDS_RADIUS = 1,
  THUD_NEEDS_RADIUS_OR_ZERO = 2,
  THUD_NEEDS_HALF_LENGTH = 4,
  THUD_NEEDS_HALF_2 = 8,     /* half[0], half[1] */
  THUD_NEEDS_HALF_3 = 16,    /* half[0..2] */
  THUD_NEEDS_POINTS = 32,    /* finite, as many as point_count, at least points_least */
  THUD_NEEDS_TRIANGLES = 64, /* triangles and open; the build checks them */
  THUD_NEEDS_HEIGHTS = 128,  /* columns, rows, spacing, heights; the build checks them */
};

/* How a scene gives these numbers after the shape's word. */
typedef enum thud_shape_notation {
  THUD_NOTED_BARE,      /* plane: the word alone */
  THUD_NOTED_NUMBER,    /* sphere: 0.1; the first parameter */
  THUD_NOTED_LIST,      /* box: [1, 1, 2]; the first parameter and those behind it, one number for each axis */
  THUD_NOTED_MAP,       /* capsule: {radius: 0.1, length: 1}; all parameters by their keys */
  THUD_NOTED_POINTS,    /* hull: [[x, y, z], ...] or {file, table}; points_exactly of them if that is not 0 */
  THUD_NOTED_TRIANGLES, /* mesh: {file, open} or {vertices, triangles, open} */
  THUD_NOTED_HEIGHTS    /* height_field: {size or spacing, heights or file} */
} thud_shape_notation;

enum { THUD_SHAPE_PARAMETERS = 3 };

typedef struct thud_shape_parameter {
  const char *key; /* NULL: none */
  size_t offset;   /* of a double of thud_shape_def */
  double factor;   /* what the def has is this times what the scene says */
} thud_shape_parameter;
#define THUD_PARAMETER(key, member, factor)                                                                            \
  { key, offsetof(thud_shape_def, member), factor }

typedef struct thud_shape_scene {
  const char *word; /* a shape of the plane may share it with one of space */
  thud_shape_notation notation;
  thud_shape_parameter parameters[THUD_SHAPE_PARAMETERS];
  const char *without_size;  /* the word of the same shape of size 0; NULL: none */
  thud_index points_exactly; /* THUD_NOTED_POINTS: as many; 0: any number */
  const char *points_fault;  /* what is wrong when a list has another number of them */
} thud_shape_scene;

/* ---- the class ------------------------------------------------------------------------------------------------------ */

/* Classes of the narrow phase: a pair of shapes is handled by those of both (collide.c). */
typedef enum thud_pair_class {
  THUD_PAIRS_BALL,    /* closed forms with everything whose nearest points are known */
  THUD_PAIRS_CAPSULE, /* closed forms with each other */
  THUD_PAIRS_BOX,     /* separating axes with each other */
  THUD_PAIRS_SOLID,   /* anything convex with a support function */
  THUD_PAIRS_PLANE,   /* half-spaces of space */
  THUD_PAIRS_SURFACE, /* triangles */
  THUD_PAIRS_PLANAR   /* shapes of the plane: cores that are widened by a radius */
} thud_pair_class;

typedef struct thud_shape_class {
  const char *name; /* in records and messages */
  thud_shape_scene scene;
  bool planar, may_move;
  bool convex;   /* has a support function: everything bounded and convex, segments included, planes not */
  bool ball;     /* a ball or a disc: the radius says everything, and turning changes nothing */
  bool box;      /* a box or a rectangle: half says everything */
  bool curved;   /* of space, with a curved surface that is not that of a widened core */
  bool smooth;   /* curved, and every direction has one farthest point */
  bool faceted;  /* of space, with flat faces that meet in edges; drawn so */
  bool by_faces; /* faceted, and the normals of the faces are worth trying as directions of separation */
  thud_pair_class pairs;
  unsigned needs;
  thud_index points_least;
  /* Makes what is not in the def, and reach and thickness. def was copied with its needs checked; its arrays are still the
   * caller's and are replaced by the shape's own. What a failing build leaves in the shape is freed with it. */
  thud_error (*build)(thud_shape *shape);
  /* Farthest point along a direction; NULL: not convex or not bounded. */
  thud_vec3 (*support)(const thud_shape *shape, thud_vec3 direction);
  /* Farthest point of the placed core along a direction, for shapes that are a core with a ball of def.radius around each
   * of its points. NULL: the shape is its own core. */
  thud_vec3 (*core)(const thud_placed *placed, thud_vec3 direction);
  /* The largest direction . x; NULL: by the support function. */
  double (*extent)(const thud_shape *shape, thud_vec3 direction);
  /* Mass properties at density 1, about the centre; NULL: shapes that do not move by forces. */
  thud_mass_properties (*mass)(const thud_shape *shape);
  /* The point of the surface nearest to x, in the shape's frame. NULL: by the search for separations. */
  thud_nearest (*nearest)(const thud_shape *shape, thud_vec3 x);
  /* The flat or straight part that faces a unit direction most (local: the same in the shape's frame). NULL: a point. */
  void (*facing)(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat);
  /* Contacts with a plane that is near. NULL: the lowest point. */
  size_t (*on_plane)(const thud_ground *ground, const thud_shape *shape, thud_touch *touches);
  /* Vertices, normals and radius of the core; shapes of the plane only, all of them. */
  void (*planar_core)(const thud_shape *shape, thud_planar_core *core);
  /* The part of a line in the shape, in its frame. NULL: by the search for separations. */
  thud_ray_span (*ray)(const thud_shape *shape, const thud_ray *ray);
  /* Access to the triangles of THUD_PAIRS_SURFACE. */
  const thud_surface_class *triangles;
  /* Triangles or an outline for drawing. On failure what was allocated stays for the caller to free. NULL: by the support
   * function. */
  thud_error (*surface)(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *surface);
} thud_shape_class;

/* ---- the table ------------------------------------------------------------------------------------------------------ */

/* The row of a kind, NULL for other numbers. Kinds are numbered without gaps from 0 on. */
THUD_FOR_IO const thud_shape_class *thud_shape_class_of(thud_shape_kind kind);
THUD_FOR_IO const thud_shape_class *thud_shape_get_class(const thud_shape *shape);
/* thud_shape_create for any class, whether it has a row or not; the def's kind is kept as a number of its order among
 * solids. */
thud_error thud_shape_create_of(thud_context *context, const thud_shape_class *class, const thud_shape_def *def,
                                thud_shape **shape);

/* ---- helpers -------------------------------------------------------------------------------------------------------- */

/* The point of the circle of that radius about z at height z that is farthest along the direction; the centre when all
 * of them are. */
static inline thud_vec3 thud_circle_support(double radius, double z, thud_vec3 direction) {
  double norm = sqrt(direction.x * direction.x + direction.y * direction.y);
  if (!(norm > 0)) return thud_vec3_make(0, 0, z);
  return thud_vec3_make(radius * (direction.x / norm), radius * (direction.y / norm), z);
}

#endif
