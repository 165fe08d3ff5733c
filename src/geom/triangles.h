/* Surfaces of triangles: meshes and height fields. Both hand out their triangles by number; what lies behind them (the side
 * away from the normal) is solid. */
#ifndef THUD_SRC_GEOM_TRIANGLES_H
#define THUD_SRC_GEOM_TRIANGLES_H

#include "geom/shape_class.h"

/* How two triangles meet: the sine of the angle by which the neighbour leaves the plane, below this: flat. */
#define THUD_EDGE_FLAT 1e-6

typedef enum thud_edge_kind {
  THUD_EDGE_FLAT_INSIDE = 0, /* both triangles in one plane */
  THUD_EDGE_CONCAVE = 1,     /* the neighbour rises in front of the triangle: nothing touches the edge alone */
  THUD_EDGE_CONVEX = 2,
  THUD_EDGE_BORDER = 3 /* no neighbour */
} thud_edge_kind;

typedef struct thud_triangle {
  thud_index number;
  thud_vec3 corners[3], normal;
  thud_edge_kind edges[3]; /* from corner k to k+1 */
  thud_vec3 beyond[3];     /* the neighbour's corner that is not on that edge; unset at borders */
} thud_triangle;

/* ---- making ---------------------------------------------------------------------------------------------------------- */

void thud_triangles_free(thud_context *context, thud_triangles *triangles);
/* Boxes over the triangles: halved at the middle of the longest extent of their centres. */
thud_error thud_triangles_make_tree(thud_context *context, thud_triangles *triangles);

/* The largest direction . x of the vertices of a mesh. */
double thud_triangles_extent(const thud_shape *surface, thud_vec3 direction);

/* ---- asking (of meshes and height fields alike) ----------------------------------------------------------------------- */

/* Called with the number of a triangle that may meet the box. */
typedef void (*thud_triangle_visit_fn)(void *user, thud_index number);
/* Those whose own box meets the box, in an order that does not depend on the box. */
void thud_surface_visit(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user);
/* Triangle `number` with its edges. */
void thud_surface_get(const thud_shape *surface, thud_index number, thud_triangle *triangle);
/* How the edges at corner k of the triangle rise along a unit direction: the sines of their angles, the largest and the
 * smallest one. */
typedef struct thud_rise {
  double least, most;
  thud_vec3 steepest; /* unit, along the edge that rises most */
} thud_rise;
thud_rise thud_surface_rise(const thud_shape *surface, const thud_triangle *triangle, int k, thud_vec3 direction);

/* Contacts of a convex shape with a surface: normals from the surface to the shape, on_a is the shape's point. Returns how
 * many there are, at most THUD_SURFACE_TOUCHES; the first `capacity` of them are in touches. See triangles_collide.c. */
enum { THUD_SURFACE_TOUCHES = 32 };
size_t thud_triangles_collide(const thud_shape *surface, const thud_pose *surface_pose, const thud_shape *convex,
                              const thud_pose *convex_pose, double margin, size_t capacity, thud_touch *touches);

/* How a class of surfaces hands out its triangles: the functions above. */
struct thud_surface_class {
  double (*count)(const thud_shape *surface); /* about how many triangles there are */
  void (*visit)(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user);
  void (*get)(const thud_shape *surface, thud_index number, thud_triangle *triangle);
  thud_rise (*rise)(const thud_shape *surface, thud_index number, int k, thud_vec3 direction);
  /* The triangle straight above a point below the surface, -1 when the point is not below it; NULL: what is solid is behind
   * the triangles alone. */
  thud_index (*above)(const thud_shape *surface, thud_vec3 x);
};

/* Those of a mesh whose own box meets the box. */
void thud_triangles_visit(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user);
/* Sets the edge's kind from the corner beyond it. */
void thud_triangle_set_beyond(thud_triangle *triangle, int k, thud_vec3 beyond);
/* The sine by which the way from a vertex to the next one rises along a unit direction. */
static inline double thud_rise_to(thud_vec3 vertex, thud_vec3 next, thud_vec3 direction) {
  thud_vec3 d = thud_vec3_subtract(next, vertex);
  return thud_vec3_dot(d, direction) / thud_vec3_norm(d);
}
static inline void thud_rise_add(thud_rise *rise, thud_vec3 vertex, thud_vec3 next, thud_vec3 direction) {
  double sine = thud_rise_to(vertex, next, direction);
  rise->least = fmin(rise->least, sine);
  if (sine <= rise->most) return;
  rise->most = sine;
  rise->steepest = thud_vec3_subtract(next, vertex);
  rise->steepest = thud_vec3_scale(1 / thud_vec3_norm(rise->steepest), rise->steepest);
}
/* True if two boxes have a point in common. */
static inline bool thud_bounds_meet(const thud_bounds *a, const thud_bounds *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
         a->low.z <= b->high.z && b->low.z <= a->high.z;
}

#endif
