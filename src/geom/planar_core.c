#include "geom/planar_core.h"

/* ---- cores ---------------------------------------------------------------------------------------------------------- */

void thud_planar_core_point(thud_planar_core *core) {
  core->own_vertices[0] = thud_vec3_make(0, 0, 0);
  core->vertex_count = 1;
  core->edge_count = 0;
}

void thud_planar_core_segment(thud_planar_core *core, thud_vec3 from, thud_vec3 to) {
  thud_vec2 along = thud_vec2_make(to.x - from.x, to.y - from.y);
  double length = thud_vec2_norm(along);
  core->own_vertices[0] = from;
  core->own_vertices[1] = to;
  core->own_normals[0] = thud_vec3_make(along.y / length, -along.x / length, 0);
  core->own_normals[1] = thud_vec3_make(-along.y / length, along.x / length, 0);
  core->vertex_count = core->edge_count = 2;
}

static void core_of(const thud_shape *shape, thud_planar_core *core) {
  core->endless = core->thin = false;
  core->radius = 0;
  core->reach = shape->reach < INFINITY ? shape->reach : 0;
  core->vertices = core->own_vertices;
  core->normals = core->own_normals;
  shape->class->planar_core(shape, core);
}

/* ---- a fixed order of the two ------------------------------------------------------------------------------------------ */

static int compare(double a, double b) { return (a > b) - (a < b); }

static int compare_shapes(const thud_shape *a, const thud_shape *b) {
  int order = compare(a->def.radius, b->def.radius);
  if (order == 0) order = compare(a->def.half_length, b->def.half_length);
  if (order == 0) order = compare(a->polyhedron.vertex_count, b->polyhedron.vertex_count);
  for (thud_index i = 0; order == 0 && i < a->polyhedron.vertex_count; i++) {
    order = compare(a->polyhedron.vertices[i].x, b->polyhedron.vertices[i].x);
    if (order == 0) order = compare(a->polyhedron.vertices[i].y, b->polyhedron.vertices[i].y);
  }
  return order;
}

/* Poses before sizes, because they nearly always differ; 0 only for two equal shapes in one place. */
static int compare_placed(const thud_shape *a, const thud_pose *at_a, const thud_shape *b, const thud_pose *at_b) {
  int order = (int)a->def.kind - (int)b->def.kind;
  if (order == 0) order = compare(at_a->position.x, at_b->position.x);
  if (order == 0) order = compare(at_a->position.y, at_b->position.y);
  if (order == 0 && !a->class->ball) {
    order = compare(at_a->rotation.w, at_b->rotation.w);
    if (order == 0) order = compare(at_a->rotation.z, at_b->rotation.z);
  }
  return order != 0 ? order : compare_shapes(a, b);
}

/* Discs do not turn. */
static void set_shape(thud_planar_pair *pair, int number, const thud_shape *shape, const thud_pose *pose) {
  core_of(shape, &pair->cores[number]);
  pair->to_world[number] = thud_planar_map_of(pose);
  if (!shape->class->ball) return;
  pair->to_world[number].cosine = 1;
  pair->to_world[number].sine = 0;
}

void thud_planar_pair_of(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                         thud_planar_pair *pair) {
  pair->swapped = compare_placed(a, pose_a, b, pose_b) > 0;
  set_shape(pair, pair->swapped ? 1 : 0, a, pose_a);
  set_shape(pair, pair->swapped ? 0 : 1, b, pose_b);
  const thud_planar_map *first = &pair->to_world[0], *second = &pair->to_world[1];
  thud_vec2 between = thud_vec2_subtract(first->shift, second->shift);
  thud_planar_map *to = pair->to_other;
  to[0].cosine = first->cosine * second->cosine + first->sine * second->sine;
  to[0].sine = first->sine * second->cosine - first->cosine * second->sine;
  to[0].shift = thud_planar_turn_back(second, between);
  to[1].cosine = to[0].cosine;
  to[1].sine = -to[0].sine;
  to[1].shift = thud_vec2_scale(-1, thud_planar_turn_back(first, between));
}

/* ---- the best axis -------------------------------------------------------------------------------------------------------- */

static double lowest(const thud_planar_core *core, thud_vec2 direction) {
  double least = thud_vec2_dot(direction, thud_planar_vertex(core, 0));
  for (thud_index i = 1; i < core->vertex_count; i++) {
    double height = thud_vec2_dot(direction, thud_planar_vertex(core, i));
    least = height < least ? height : least;
  }
  return least;
}

/* Height of the other core above edge i of the owner. */
static double separation_of(const thud_planar_pair *pair, int owner, thud_index i) {
  const thud_planar_core *core = &pair->cores[owner];
  const thud_planar_map *map = &pair->to_other[owner];
  thud_vec2 normal = thud_planar_normal(core, i), turned = thud_planar_turn(map, normal);
  double own = thud_vec2_dot(normal, thud_planar_vertex(core, i)) + thud_vec2_dot(turned, map->shift);
  return lowest(&pair->cores[1 - owner], turned) - own;
}

/* Which directions, from the segment to the other core and in the segment's frame, are open. */
typedef struct planar_side {
  int segment;      /* core that is a segment to be kept on one side of; -1: none */
  thud_vec2 normal; /* to the open side */
} planar_side;

static planar_side open_side(const thud_planar_pair *pair, int segment) {
  const thud_planar_core *core = &pair->cores[segment], *other = &pair->cores[1 - segment];
  thud_vec2 centre = thud_vec2_make(0, 0);
  for (thud_index i = 0; i < other->vertex_count; i++) centre = thud_vec2_add(centre, thud_planar_vertex(other, i));
  centre = thud_planar_apply(&pair->to_other[1 - segment], thud_vec2_scale(1.0 / other->vertex_count, centre));
  thud_vec2 normal = thud_planar_normal(core, 0);
  bool behind = thud_vec2_dot(normal, thud_vec2_subtract(centre, thud_planar_vertex(core, 0))) < 0;
  return (planar_side){segment, behind ? thud_planar_normal(core, 1) : normal};
}

/* All but the one straight to the other side are: off the ends of the segment a shape may leave in any direction. (Leaving
 * out more would make a shape jump that touches an end with a tilted edge.) */
static bool is_open(const thud_planar_pair *pair, const planar_side *side, int owner, thud_index i) {
  if (side->segment < 0) return true;
  thud_vec2 direction = thud_planar_normal(&pair->cores[owner], i);
  if (owner != side->segment) direction = thud_vec2_scale(-1, thud_planar_turn(&pair->to_other[owner], direction));
  return thud_vec2_dot(direction, side->normal) > -1 + 1e-9;
}

static bool search_axes(const thud_planar_pair *pair, const planar_side *side, double most, thud_planar_axis *axis) {
  *axis = (thud_planar_axis){-1, 0, -INFINITY};
  for (int owner = 0; owner < 2; owner++) {
    if (pair->cores[1 - owner].endless) continue; /* its own normal is the only one */
    for (thud_index i = 0; i < pair->cores[owner].edge_count; i++) {
      if (!is_open(pair, side, owner, i)) continue;
      double separation = separation_of(pair, owner, i);
      if (axis->owner >= 0 && !(separation > axis->separation)) continue;
      *axis = (thud_planar_axis){owner, i, separation};
      if (separation > most) return false;
    }
  }
  return true;
}

bool thud_planar_find_axis(const thud_planar_pair *pair, double most, thud_planar_axis *axis) {
  planar_side side = {-1, {0, 0}};
  const thud_vec2 shift = pair->to_other[0].shift;
  most += 1e-14 * (fabs(shift.x) + fabs(shift.y) + pair->cores[0].reach + pair->cores[1].reach);
  if (!search_axes(pair, &side, most, axis)) return false;
  bool first = pair->cores[0].thin, second = pair->cores[1].thin;
  bool half_plane = pair->cores[0].endless || pair->cores[1].endless;
  if (axis->separation > 0 || first == second || half_plane) return true; /* a half-plane has one side */
  side = open_side(pair, first ? 0 : 1);
  return search_axes(pair, &side, most, axis);
}
