/* Cores of the shapes of the plane, and the axis along which two of them are farthest apart. */
#ifndef THUD_SRC_GEOM_PLANAR_CORE_H
#define THUD_SRC_GEOM_PLANAR_CORE_H

#include "geom/planar.h"
#include "geom/shape_class.h"

/* A rotation and a shift of the plane: x -> shift + (cosine, sine) x. */
typedef struct thud_planar_map {
  double cosine, sine;
  thud_vec2 shift;
} thud_planar_map;

static inline thud_vec2 thud_planar_turn(const thud_planar_map *map, thud_vec2 x) {
  return thud_vec2_make(map->cosine * x.x - map->sine * x.y, map->sine * x.x + map->cosine * x.y);
}
static inline thud_vec2 thud_planar_turn_back(const thud_planar_map *map, thud_vec2 x) {
  return thud_vec2_make(map->cosine * x.x + map->sine * x.y, map->cosine * x.y - map->sine * x.x);
}
static inline thud_vec2 thud_planar_apply(const thud_planar_map *map, thud_vec2 x) {
  return thud_vec2_add(map->shift, thud_planar_turn(map, x));
}
/* The map of a pose that turns about z: cos and sin of the angle from w = cos(angle/2), z = sin(angle/2). */
static inline thud_planar_map thud_planar_map_of(const thud_pose *pose) {
  const thud_quat q = pose->rotation;
  thud_planar_map map = {1 - 2 * q.z * q.z, 2 * q.w * q.z, thud_vec2_make(pose->position.x, pose->position.y)};
  return map;
}

/* Vertices counter-clockwise; edge i from vertex i to i+1 with its outward normal. A segment has two edges, one for each
 * side, a point none, a half-plane one edge and the vertex 0. */
struct thud_planar_core {
  bool endless; /* a half-plane: one edge without ends */
  bool thin;    /* solid on neither side */
  thud_index vertex_count, edge_count;
  const thud_vec3 *vertices, *normals;
  double radius;
  double reach;                              /* of the shape; 0 for half-planes */
  thud_vec3 own_vertices[2], own_normals[2]; /* where the shape has no outline */
};

/* For the shapes: the origin, and a segment, whose edge from the first end to the second has its outward normal on the right. */
void thud_planar_core_point(thud_planar_core *core);
void thud_planar_core_segment(thud_planar_core *core, thud_vec3 from, thud_vec3 to);

static inline thud_vec2 thud_planar_vertex(const thud_planar_core *core, thud_index i) {
  return thud_vec2_make(core->vertices[i].x, core->vertices[i].y);
}
static inline thud_vec2 thud_planar_normal(const thud_planar_core *core, thud_index i) {
  return thud_vec2_make(core->normals[i].x, core->normals[i].y);
}
static inline thud_index thud_planar_next(const thud_planar_core *core, thud_index i) {
  return i + 1 < core->vertex_count ? i + 1 : 0;
}

/* A pair under way. The first two are in a fixed order (thud_planar_pair_of), whatever the order of the caller. */
typedef struct thud_planar_pair {
  thud_planar_core cores[2];
  thud_planar_map to_world[2];
  thud_planar_map to_other[2]; /* from the frame of either into that of the other */
  bool swapped;                /* core 0 is the caller's B */
} thud_planar_pair;

void thud_planar_pair_of(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                         thud_planar_pair *pair);

/* The edge whose outward normal separates the cores most; separation <= 0: they overlap. */
typedef struct thud_planar_axis {
  int owner; /* core 0 or 1 */
  thud_index edge;
  double separation;
} thud_planar_axis;

/* False, when the separation is above `most` along some axis, by more than rounding errors: then axis is not the best. Otherwise the best of all edges;
 * a segment that is crossed only lets pass what leads to the side of the other's centre. owner -1: neither has edges. */
bool thud_planar_find_axis(const thud_planar_pair *pair, double most, thud_planar_axis *axis);

/* The nearest points of two cores that are apart, in the frame of core 1. */
typedef struct thud_planar_nearest {
  thud_vec2 points[2]; /* of core 0 and 1 */
  thud_vec2 normal;    /* unit, from core 1 to core 0 */
  double distance;
  uint32_t parts[2]; /* halves of the feature */
} thud_planar_nearest;

void thud_planar_find_nearest(const thud_planar_pair *pair, thud_planar_nearest *nearest);

#endif
