/* Pairs of shapes of the plane: their cores, the best axis, then what of the two edges faces each other along it. */
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

/* ---- nearest points -------------------------------------------------------------------------------------------- */

/* Nearest points of two cores that are apart, by every vertex against every edge: for the cases in which the axis of
 * largest separation is not that of the distance, two vertices facing each other. */

/* A vertex of one core against the edge from `from` to `to` of the other, all in one frame. */
typedef struct planar_question {
  thud_vec2 vertex, from, to, normal; /* normal of the edge, outward */
  uint32_t vertex_part;
  thud_index edge, end; /* numbers of the edge and of the vertex `to` */
} planar_question;

/* vertex_owner: the core whose vertex is asked about. Keeps what is nearer. */
static void ask(const planar_question *question, int vertex_owner, thud_planar_nearest *nearest) {
  thud_vec2 edge = thud_vec2_subtract(question->to, question->from);
  thud_vec2 across = thud_vec2_subtract(question->vertex, question->from);
  double along = thud_vec2_dot(across, edge), length2 = thud_vec2_dot(edge, edge);
  bool inside = along > 0 && along < length2;
  thud_vec2 foot = along > 0 ? question->to : question->from;
  if (inside) foot = thud_vec2_add_scaled(question->from, along / length2, edge);
  across = thud_vec2_subtract(question->vertex, foot);
  double distance = thud_vec2_norm(across);
  if (!(distance < nearest->distance)) return;
  thud_vec2 normal = question->normal;
  if (inside && thud_vec2_dot(normal, across) < 0) normal = thud_vec2_scale(-1, normal);
  if (!inside && distance > 0) normal = thud_vec2_scale(1 / distance, across);
  nearest->distance = distance;
  nearest->normal = vertex_owner == 0 ? normal : thud_vec2_scale(-1, normal);
  nearest->points[vertex_owner] = question->vertex;
  nearest->points[1 - vertex_owner] = foot;
  nearest->parts[vertex_owner] = question->vertex_part;
  nearest->parts[1 - vertex_owner] =
      (uint32_t)(inside ? 4 * question->edge + 2 : 4 * (along > 0 ? question->end : question->edge));
}

static thud_vec2 placed_vertex(const thud_planar_pair *pair, int owner, thud_index i) {
  thud_vec2 vertex = thud_planar_vertex(&pair->cores[owner], i);
  return owner == 0 ? thud_planar_apply(&pair->to_other[0], vertex) : vertex;
}

static thud_vec2 placed_normal(const thud_planar_pair *pair, int owner, thud_index i) {
  thud_vec2 normal = thud_planar_normal(&pair->cores[owner], i);
  return owner == 0 ? thud_planar_turn(&pair->to_other[0], normal) : normal;
}

/* All vertices of one core against all edges of the other. */
static void ask_all(const thud_planar_pair *pair, int vertex_owner, thud_planar_nearest *nearest) {
  const thud_planar_core *edges = &pair->cores[1 - vertex_owner], *core = &pair->cores[vertex_owner];
  for (thud_index k = 0; k < edges->edge_count; k++) {
    planar_question question = {.edge = k, .end = thud_planar_next(edges, k)};
    question.from = placed_vertex(pair, 1 - vertex_owner, k);
    question.to = placed_vertex(pair, 1 - vertex_owner, question.end);
    question.normal = placed_normal(pair, 1 - vertex_owner, k);
    for (thud_index i = 0; i < core->vertex_count; i++) {
      question.vertex = placed_vertex(pair, vertex_owner, i);
      question.vertex_part = (uint32_t)(4 * i);
      ask(&question, vertex_owner, nearest);
    }
  }
}

/* Two points in one place have any normal. */
static void ask_points(const thud_planar_pair *pair, thud_planar_nearest *nearest) {
  nearest->points[0] = pair->to_other[0].shift;
  nearest->points[1] = thud_vec2_make(0, 0);
  nearest->distance = thud_vec2_norm(nearest->points[0]);
  nearest->normal = nearest->distance > 0 ? thud_vec2_scale(1 / nearest->distance, nearest->points[0])
                                          : thud_planar_turn_back(&pair->to_world[1], thud_vec2_make(0, 1));
}

void thud_planar_find_nearest(const thud_planar_pair *pair, thud_planar_nearest *nearest) {
  *nearest = (thud_planar_nearest){.distance = INFINITY, .normal = {0, 1}};
  if (pair->cores[0].edge_count == 0 && pair->cores[1].edge_count == 0) {
    ask_points(pair, nearest);
    return;
  }
  ask_all(pair, 0, nearest);
  ask_all(pair, 1, nearest);
}

/* ---- output ---------------------------------------------------------------------------------------------------- */

/* One contact of the cores, in the frame of core `frame`. */
typedef struct planar_contact {
  int frame;
  thud_vec2 point;           /* of the core of the frame */
  thud_vec2 outward;         /* unit, from the core of the frame to the other */
  double height;             /* of the other core above the point */
  uint32_t part, other_part; /* of the core of the frame and of the other */
} planar_contact;

static double radii(const thud_planar_pair *pair) { return pair->cores[0].radius + pair->cores[1].radius; }

static thud_vec3 spatial(thud_vec2 x) { return thud_vec3_make(x.x, x.y, 0); }

/* The touch of the shapes in the order of the caller. */
static thud_touch touch_of(const thud_planar_pair *pair, const planar_contact *contact) {
  const thud_planar_map *map = &pair->to_world[contact->frame];
  thud_vec2 point = thud_planar_apply(map, contact->point), outward = thud_planar_turn(map, contact->outward);
  double radius = pair->cores[contact->frame].radius, other = pair->cores[1 - contact->frame].radius;
  thud_vec3 here = spatial(thud_vec2_add_scaled(point, radius, outward));
  thud_vec3 there = spatial(thud_vec2_add_scaled(point, contact->height - other, outward));
  bool frame_is_a = (contact->frame == 0) != pair->swapped;
  thud_touch touch = {.gap = contact->height - radii(pair)};
  touch.normal = spatial(frame_is_a ? thud_vec2_scale(-1, outward) : outward);
  touch.on_a = frame_is_a ? here : there;
  touch.on_b = frame_is_a ? there : here;
  uint32_t part = contact->part & 0xffff, other_part = contact->other_part & 0xffff;
  touch.feature = frame_is_a ? part << 16 | other_part : other_part << 16 | part;
  return touch;
}

/* ---- edges that face each other ------------------------------------------------------------------------------------------ */

/* A place on the other core seen from the reference edge: along it from its start, and above it. */
typedef struct planar_place {
  double along, height;
} planar_place;

/* The reference edge and the piece of the other core that lies over it. */
typedef struct planar_facing {
  const thud_planar_pair *pair;
  int owner;
  thud_index edge, other_edge; /* other_edge -1: the other core is a point */
  thud_vec2 start, normal, tangent;
  double length;            /* INFINITY for half-planes */
  planar_place ends[2];     /* of the other edge: its end vertex, which has the lower `along`, and its start vertex */
  planar_place clipped[2];  /* the same, cut off at the ends of the reference edge */
  thud_index end_vertex[2]; /* vertices of the ends */
} planar_facing;

static planar_place place_of(const planar_facing *facing, thud_index vertex) {
  const thud_planar_pair *pair = facing->pair;
  int other = 1 - facing->owner;
  thud_vec2 x = thud_planar_apply(&pair->to_other[other], thud_planar_vertex(&pair->cores[other], vertex));
  x = thud_vec2_subtract(x, facing->start);
  return (planar_place){thud_vec2_dot(facing->tangent, x), thud_vec2_dot(facing->normal, x)};
}

/* The edge of the other core that faces the reference edge most. */
static thud_index find_other_edge(const planar_facing *facing) {
  const thud_planar_core *other = &facing->pair->cores[1 - facing->owner];
  thud_vec2 direction = thud_planar_turn(&facing->pair->to_other[facing->owner], facing->normal);
  thud_index best = -1;
  double least = INFINITY;
  for (thud_index i = 0; i < other->edge_count; i++) {
    double cosine = thud_vec2_dot(direction, thud_planar_normal(other, i));
    if (!(cosine < least)) continue;
    least = cosine;
    best = i;
  }
  return best;
}

/* The place between low and high where along is x. */
static planar_place cut(planar_place low, planar_place high, double x) {
  double share = (x - low.along) / (high.along - low.along);
  return (planar_place){x, low.height + share * (high.height - low.height)};
}

/* Cuts parts beside the reference edge down to its nearer end. */
static void clip(planar_facing *facing) {
  planar_place low = facing->ends[0], high = facing->ends[1];
  facing->clipped[0] = low.along < 0 ? high : low;
  facing->clipped[1] = high.along > facing->length ? low : high;
  if (low.along < 0 && high.along > 0) facing->clipped[0] = cut(low, high, 0);
  if (high.along > facing->length && low.along < facing->length) facing->clipped[1] = cut(low, high, facing->length);
}

static void find_facing(const thud_planar_pair *pair, const thud_planar_axis *axis, planar_facing *facing) {
  const thud_planar_core *core = &pair->cores[axis->owner], *other = &pair->cores[1 - axis->owner];
  facing->pair = pair;
  facing->owner = axis->owner;
  facing->edge = axis->edge;
  facing->start = thud_planar_vertex(core, axis->edge);
  facing->normal = thud_planar_normal(core, axis->edge);
  facing->tangent = thud_vec2_perpendicular(facing->normal);
  thud_vec2 end = thud_planar_vertex(core, thud_planar_next(core, axis->edge));
  bool endless = core->endless;
  facing->length = endless ? INFINITY : thud_vec2_dot(facing->tangent, thud_vec2_subtract(end, facing->start));
  facing->other_edge = find_other_edge(facing);
  thud_index edge = facing->other_edge;
  facing->end_vertex[0] = edge < 0 ? 0 : thud_planar_next(other, edge);
  facing->end_vertex[1] = edge < 0 ? 0 : edge;
  for (int k = 0; k < 2; k++) facing->ends[k] = place_of(facing, facing->end_vertex[k]);
  memcpy(facing->clipped, facing->ends, sizeof facing->ends);
  if (!endless) clip(facing);
}

static int lower_of(const planar_place *places) { return places[1].height < places[0].height ? 1 : 0; }

/* How far what lies beside the reference edge is from it, along it; 0 when something lies over it. */
static double distance_beside(const planar_facing *facing) {
  return thud_larger(thud_larger(facing->ends[0].along - facing->length, -facing->ends[1].along), 0);
}

/* True if the distance of the cores is the height of what lies over the reference edge. The separation is at most the
 * distance, and any height at least: when they agree both are the distance. Cores that overlap are separated by the axis
 * alone, unless both are points or segments, which may also lie in one line; where what lies lowest is beyond the
 * reference edge (a segment pushed to one side), nothing is cut off. A corner beside the edge by no more than rounding
 * errors counts as over it: the direction from corner to corner would be that of the errors. */
static bool faces(planar_facing *facing, double separation) {
  if (facing->length == INFINITY) return true;
  const thud_planar_core *cores = facing->pair->cores;
  double lowest = facing->clipped[lower_of(facing->clipped)].height, beside = distance_beside(facing);
  double rounding = 1e-13 * (cores[0].reach + cores[1].reach + fabs(lowest));
  bool thin = cores[0].vertex_count <= 2 && cores[1].vertex_count <= 2;
  if (beside > rounding && (separation > 0 || thin)) return false;
  if (lowest <= separation + rounding) return true;
  if (separation > 0) return false;
  memcpy(facing->clipped, facing->ends, sizeof facing->ends);
  return true;
}

/* ---- touches of edges ---------------------------------------------------------------------------------------------------- */

static planar_contact contact_at(const planar_facing *facing, int end, uint32_t part, uint32_t other_part) {
  planar_place place = facing->clipped[end];
  planar_contact contact = {.frame = facing->owner, .outward = facing->normal, .height = place.height};
  contact.point = thud_vec2_add_scaled(facing->start, place.along, facing->tangent);
  contact.part = part;
  contact.other_part = other_part;
  return contact;
}

/* Two edges within about 20 degrees: touches are named by ends of edges, whichever of the two is the reference. */
static bool nearly_parallel(const planar_facing *facing) {
  const planar_place *ends = facing->ends;
  return fabs(ends[1].height - ends[0].height) <= 0.36 * (ends[1].along - ends[0].along);
}

/* Corner over corner: so little of the edges faces each other that it counts as one point. */
static bool corners_only(const planar_facing *facing) {
  double width = facing->clipped[1].along - facing->clipped[0].along;
  double own = facing->length, other = facing->ends[1].along - facing->ends[0].along;
  return width <= 1e-6 * (own < other ? own : other);
}

/* The contact at one end (0: near the start of the reference edge) with the names of its parts. */
static planar_contact named_contact(const planar_facing *facing, int end) {
  uint32_t edge = 4 * (uint32_t)facing->edge;
  if (facing->other_edge < 0 || !nearly_parallel(facing))
    return contact_at(facing, end, edge + 2, 4 * (uint32_t)facing->end_vertex[end]);
  uint32_t other = 4 * (uint32_t)facing->other_edge;
  return end == 0 ? contact_at(facing, 0, edge + 1, other + 3) : contact_at(facing, 1, edge + 3, other + 1);
}

static planar_contact corner_contact(const planar_facing *facing) {
  const thud_planar_core *core = &facing->pair->cores[facing->owner];
  bool at_start = facing->clipped[0].along < 0.5 * facing->length;
  thud_index own = at_start ? facing->edge : thud_planar_next(core, facing->edge);
  thud_index other = facing->end_vertex[at_start ? 1 : 0];
  return contact_at(facing, lower_of(facing->clipped), 4 * (uint32_t)own, 4 * (uint32_t)other);
}

static size_t single_touch(const thud_planar_pair *pair, const planar_contact *contact, double margin,
                           thud_touch *touches) {
  if (!(contact->height - radii(pair) <= margin)) return 0;
  touches[0] = touch_of(pair, contact);
  return 1;
}

/* In order along a direction to which hardly any face is perpendicular, so that the order does not depend on which edge is
 * the reference. */
static void put_in_order(thud_touch *touches) {
  thud_vec3 between = thud_vec3_subtract(thud_vec3_add(touches[1].on_a, touches[1].on_b),
                                         thud_vec3_add(touches[0].on_a, touches[0].on_b));
  if (between.x + 0.38196601125010515 * between.y >= 0) return;
  thud_touch first = touches[0];
  touches[0] = touches[1];
  touches[1] = first;
}

static size_t touches_of_facing(const planar_facing *facing, double margin, thud_touch *touches) {
  const thud_planar_pair *pair = facing->pair;
  if (facing->other_edge >= 0 && nearly_parallel(facing) && corners_only(facing)) {
    planar_contact contact = corner_contact(facing);
    return single_touch(pair, &contact, margin, touches);
  }
  size_t count = 0;
  for (int end = 0; end < (facing->other_edge < 0 ? 1 : 2); end++) {
    planar_contact contact = named_contact(facing, end);
    count += single_touch(pair, &contact, margin, touches + count);
  }
  if (count == 2) put_in_order(touches);
  return count;
}

/* ---- entry ------------------------------------------------------------------------------------------------------------- */

static planar_contact nearest_contact(const thud_planar_pair *pair) {
  thud_planar_nearest nearest;
  thud_planar_find_nearest(pair, &nearest);
  planar_contact contact = {.frame = 1, .outward = nearest.normal, .height = nearest.distance};
  contact.point = nearest.points[1];
  contact.part = nearest.parts[1];
  contact.other_part = nearest.parts[0];
  return contact;
}

/* Cosine of the largest angle (0.1 rad) between the closest points' direction and the edges' normal at which edges lie on each
 * other. */
#define LYING_COSINE 0.995

/* The contact at one end of what the edges have in common, seen along another direction m (unit, in the owner's frame): a point of
 * one edge and what lies opposite on the other. */
static planar_contact contact_along(const planar_facing *facing, int end, thud_vec2 m) {
  planar_contact contact = named_contact(facing, end);
  const planar_place *ends = facing->ends, *at = &facing->clipped[end];
  double across = thud_vec2_dot(facing->normal, m), beside = thud_vec2_dot(facing->tangent, m), along = at->along;
  if (fabs(at->along - ends[end].along) > 0) { /* at the end of the reference edge */
    double slope = (ends[1].height - ends[0].height) / (ends[1].along - ends[0].along);
    contact.height = at->height / (across - slope * beside);
  } else {
    contact.height = at->height / across;
    along -= contact.height * beside;
  }
  contact.point = thud_vec2_add_scaled(facing->start, along, facing->tangent);
  contact.outward = m;
  return contact;
}

/* Nearly parallel edges whose closest points are two corners beside each other: these, and the other end of what the edges have in
 * common, so that a tilt does not leave one touch of two. 0: they do not lie on each other. */
static size_t touches_beside(const planar_facing *facing, const planar_contact *nearest, double margin,
                             thud_touch *touches) {
  const thud_planar_pair *pair = facing->pair;
  bool overlap = facing->ends[1].along > 0 && facing->ends[0].along < facing->length;
  if (facing->other_edge < 0 || !overlap || !nearly_parallel(facing) || corners_only(facing)) return 0;
  thud_vec2 outward = thud_planar_turn(&pair->to_world[nearest->frame], nearest->outward);
  bool same = nearest->frame == facing->owner;
  thud_vec2 m = thud_planar_turn_back(&pair->to_world[facing->owner], thud_vec2_scale(same ? 1 : -1, outward));
  if (thud_vec2_dot(facing->normal, m) < LYING_COSINE) return 0;
  int low = lower_of(facing->clipped);
  planar_contact near = named_contact(facing, low), far = contact_along(facing, 1 - low, m), first = *nearest;
  if (far.height < first.height) return 0;
  first.part = same ? near.part : near.other_part;
  first.other_part = same ? near.other_part : near.part;
  size_t count = single_touch(pair, &first, margin, touches);
  count += single_touch(pair, &far, margin, touches + count);
  if (count == 2) put_in_order(touches);
  return count;
}

static bool both_endless(const thud_planar_pair *pair) { return pair->cores[0].endless && pair->cores[1].endless; }

static bool both_particles(const thud_planar_pair *pair) {
  return pair->cores[0].edge_count == 0 && pair->cores[1].edge_count == 0 && radii(pair) == 0;
}

size_t thud_planar_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, thud_touch *touches) {
  thud_planar_pair pair;
  thud_planar_axis axis;
  planar_facing facing;
  thud_planar_pair_of(a, pose_a, b, pose_b, &pair);
  if (both_endless(&pair) || both_particles(&pair)) return 0;
  if (!thud_planar_find_axis(&pair, margin + radii(&pair), &axis)) return 0;
  if (axis.owner >= 0) {
    find_facing(&pair, &axis, &facing);
    if (faces(&facing, axis.separation)) return touches_of_facing(&facing, margin, touches);
  }
  planar_contact contact = nearest_contact(&pair);
  size_t count = axis.owner >= 0 ? touches_beside(&facing, &contact, margin, touches) : 0;
  return count > 0 ? count : single_touch(&pair, &contact, margin, touches);
}

static planar_contact closest_contact(const thud_planar_pair *pair) {
  thud_planar_axis axis;
  planar_facing facing;
  thud_planar_find_axis(pair, INFINITY, &axis);
  if (axis.owner < 0) return nearest_contact(pair);
  find_facing(pair, &axis, &facing);
  if (!faces(&facing, axis.separation)) return nearest_contact(pair);
  return named_contact(&facing, lower_of(facing.clipped));
}

double thud_planar_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                            thud_touch *closest) {
  thud_planar_pair pair;
  thud_planar_pair_of(a, pose_a, b, pose_b, &pair);
  bool bounded = !both_endless(&pair);
  planar_contact contact = {.frame = 1, .outward = {0, 1}};
  if (bounded) contact = closest_contact(&pair);
  thud_touch touch = touch_of(&pair, &contact);
  if (!bounded) touch.gap = -INFINITY;
  if (closest != NULL) *closest = touch;
  return touch.gap;
}
