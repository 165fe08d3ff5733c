/* Contacts of a convex shape with a surface of triangles, which is solid behind them.
 *
 * In front of a triangle (the shape's inner point is above its plane) the shape touches
 *  - the face: its corners, ends or lowest points over the triangle, as it touches a plane, with the triangle's normal;
 *  - an edge or a corner: where the closest points of triangle and shape (or the direction in which they overlap least) say
 *    so, and the direction is one in which the solid behind the surface sticks out there. Edges with a flat or concave
 *    neighbour have no such direction. So a shape on a plane of many triangles feels the plane: nothing of the inside edges.
 * Where the direction belongs to an edge or corner, the face is not asked: a large shape that rests on the rim of a small
 * solid is not pushed through it sideways.
 *
 * Beside the surface (the inner point is behind the plane, but beyond a border) the border alone touches, in directions that lead
 * away from the triangle.
 *
 * Should nothing push a shape that cuts triangles, the face does into which it is sunk least.
 *
 * Deep: when the triangle nearest to the inner point, among those it projects on, has it behind its plane, the shape is
 * pushed out of that plane, whatever else it touches. A shape that is behind a mesh without meeting any of its triangles
 * is not seen. A height field is solid all the way down: a shape whose inner point is below it is pushed out by the
 * triangle straight above that point when it meets none. */
#include "geom/manifold.h"
#include "geom/polyhedron.h"
#include "geom/separate.h"
#include "geom/touch_pool.h"
#include "geom/triangles.h"

/* Relative to the triangle's size: a point so near to an edge is on it. */
#define ON_EDGE 1e-9
/* Relative to the shape's size: so far beyond a concave edge a face still holds, since a shape that is sunk a little into the
 * neighbour is there. */
#define BEYOND_CONCAVE 1e-3
/* 1 - cosine: a direction this near to the triangle's normal is the normal. */
#define SAME_NORMAL 1e-7

/* A contact with an edge or corner whose normal was turned into one that the surface has there. */
enum { MOST_TURNED = 32 };
typedef struct turned_touch {
  thud_touch touch;
  uint32_t part;
  double angle;   /* by which it was turned */
  thud_vec3 face; /* normal of the triangle */
} turned_touch;

/* Everything in the surface's frame. */
typedef struct gathering {
  const thud_shape *surface, *convex;
  thud_pose pose;      /* of the convex shape */
  thud_bounds box;     /* of the convex shape, with margin */
  thud_bounds own_box; /* the same in its own frame */
  thud_vec3 inner;
  double margin;
  thud_touch_pool pool;
  size_t turned_count; /* contacts with turned normals, which count where no others are */
  turned_touch turned[MOST_TURNED];
  double nearest;         /* distance of the inner point to the nearest triangle it projects on, */
  thud_index last_resort; /* of the triangles that the shape cuts, the face it is sunk least into, -1: none */
  double last_height;     /* of its lowest point there */
  thud_index behind;      /* and that triangle when the point is behind it, otherwise -1 */
} gathering;

/* The triangle being looked at. */
typedef struct target {
  thud_triangle triangle;
  double size;   /* its longest edge */
  double height; /* of the inner point over its plane */
  double lowest; /* of the shape's lowest point */
  bool beside;   /* the inner point is behind the plane, beyond a border of the surface */
  thud_vec3 lowest_point;
} target;

static double height_over(const thud_triangle *t, thud_vec3 x) {
  return thud_vec3_dot(t->normal, thud_vec3_subtract(x, t->corners[0]));
}

/* Names of contacts. With a face: the shape's part and the face's direction, so that a contact that slides over triangles
 * of one plane stays the same. With an edge or corner: the triangle and the shape's part. */
static uint32_t name_on_face(const target *at, uint32_t part) {
  thud_vec3 n = at->triangle.normal;
  uint32_t x = (uint32_t)lrint(1000 * n.x), y = (uint32_t)lrint(1000 * n.y), z = (uint32_t)lrint(1000 * n.z);
  return ((x * 2048 + y) * 2048 + z) * 2654435761U + part;
}
static uint32_t name_on_border(const target *at, uint32_t part) {
  return ((uint32_t)at->triangle.number + 1) * 2246822519U ^ part;
}
/* Parts of the shape where it touches a border are numbered behind those where it touches faces. */
enum { BORDER_PARTS = 1 << 24 };

/* How far a point projected on the plane is inside of edge k. */
static double inside_of(const thud_triangle *t, int k, thud_vec3 x) {
  thud_vec3 along = thud_vec3_subtract(t->corners[(k + 1) % 3], t->corners[k]);
  thud_vec3 inward = thud_vec3_cross(t->normal, along);
  return thud_vec3_dot(inward, thud_vec3_subtract(x, t->corners[k])) / thud_vec3_norm(along);
}

static bool is_over(const target *at, thud_vec3 x) {
  for (int k = 0; k < 3; k++)
    if (inside_of(&at->triangle, k, x) < -ON_EDGE * at->size) return false;
  return true;
}

/* ---- the face ------------------------------------------------------------------------------------------------------- */

/* A point of the shape as a contact with the face's plane. */
static void add_on_plane(gathering *g, const target *at, thud_vec3 x, uint32_t part) {
  thud_touch touch = {.normal = at->triangle.normal, .on_a = x, .feature = name_on_face(at, part)};
  touch.gap = height_over(&at->triangle, x);
  touch.on_b = thud_vec3_add_scaled(x, -touch.gap, touch.normal);
  if (touch.gap <= g->margin) thud_touch_pool_add(&g->pool, &touch, part);
}

/* The frame whose z is the triangle's normal: the shortest rotation there from z or, for normals that point down, from -z. */
static thud_pose plane_pose(const thud_triangle *t) {
  thud_vec3 n = t->normal;
  thud_pose pose = {t->corners[0], thud_quat_normalise(thud_quat_make(1 + n.z, -n.y, n.x, 0))};
  if (n.z < 0)
    pose.rotation =
        thud_quat_multiply(thud_quat_normalise(thud_quat_make(1 - n.z, n.y, -n.x, 0)), thud_quat_make(0, 1, 0, 0));
  return pose;
}

/* A point behind the face is nearer to the outside across an edge or corner where the solid ends: that pushes, not the
 * face. */
static bool leaves_sideways(const gathering *g, const target *at, thud_vec3 x) {
  const thud_triangle *t = &at->triangle;
  double depth = -height_over(t, x);
  for (int k = 0; k < 3 && depth > 0; k++) {
    if (t->edges[k] == THUD_EDGE_CONVEX && inside_of(t, k, x) < depth) return true;
    thud_vec3 d = thud_vec3_subtract(x, t->corners[k]);
    if (thud_vec3_dot(d, d) >= 2 * depth * depth) continue; /* in the plane it is farther than the depth */
    thud_rise rise = thud_surface_rise(g->surface, t, k, t->normal);
    if (rise.most <= THUD_EDGE_FLAT && rise.least < -THUD_EDGE_FLAT) return true;
  }
  return false;
}

/* True if the face holds a point of the shape. */
static bool holds(const gathering *g, const target *at, thud_vec3 x) {
  for (int k = 0; k < 3; k++) {
    bool concave = at->triangle.edges[k] == THUD_EDGE_CONCAVE;
    double beyond = concave ? BEYOND_CONCAVE * g->pool.size : ON_EDGE * at->size;
    if (inside_of(&at->triangle, k, x) < -beyond) return false;
  }
  return !leaves_sideways(g, at, x);
}

/* Where the shape touches the plane of the triangle; only_held: and the face holds it. */
static void touch_plane(gathering *g, const target *at, bool only_held) {
  thud_touch touches[THUD_MANIFOLD_MAX];
  thud_pose plane = plane_pose(&at->triangle);
  size_t count = thud_pair_solid_plane(g->convex, &g->pose, g->surface, &plane, g->margin, touches);
  for (size_t i = 0; i < count; i++)
    if (!only_held || holds(g, at, touches[i].on_a)) add_on_plane(g, at, touches[i].on_a, touches[i].feature);
}

/* Polyhedra by all their vertices: which of them span the contact is known when all triangles have been seen. */
static void touch_face(gathering *g, const target *at) {
  const thud_polyhedron *solid = &g->convex->polyhedron;
  if (solid->vertex_count == 0) touch_plane(g, at, true);
  for (thud_index i = 0; i < solid->vertex_count; i++) {
    thud_vec3 x = thud_pose_point(&g->pose, solid->vertices[i]);
    if (height_over(&at->triangle, x) <= g->margin && holds(g, at, x)) add_on_plane(g, at, x, (uint32_t)i);
  }
}

/* ---- edges and corners ---------------------------------------------------------------------------------------------- */

static bool sticks_out(thud_edge_kind kind) { return kind == THUD_EDGE_CONVEX || kind == THUD_EDGE_BORDER; }

/* True if the solid behind the surface ends along a direction at edge k: neither triangle goes farther. */
static bool ends_at_edge(const target *at, int k, thud_vec3 direction) {
  const thud_triangle *t = &at->triangle;
  if (!sticks_out(t->edges[k])) return false;
  if (thud_rise_to(t->corners[k], t->corners[(k + 2) % 3], direction) > THUD_EDGE_FLAT) return false;
  if (t->edges[k] == THUD_EDGE_BORDER) return at->beside || thud_vec3_dot(t->normal, direction) >= 0;
  return thud_rise_to(t->corners[k], t->beyond[k], direction) <= THUD_EDGE_FLAT;
}

/* Cosine of the angle (0.1 rad) by which a direction may be turned into one in which the solid ends. */
#define LYING_COSINE 0.995
enum { MOST_TURNS = 16 };

static void turn_down(thud_vec3 *direction, thud_vec3 way) {
  double rise = thud_vec3_dot(*direction, way) / thud_vec3_norm(way);
  if (rise > 0) *direction = thud_vec3_add_scaled(*direction, -rise / thud_vec3_norm(way), way);
}

/* Turns a direction at edge k until neither triangle rises along it, and across the edge. */
static void turn_at_edge(const thud_triangle *t, int k, thud_vec3 *direction) {
  thud_vec3 along = thud_vec3_subtract(t->corners[(k + 1) % 3], t->corners[k]), inward;
  if (!thud_vec3_normalise(along, &along) || !sticks_out(t->edges[k])) return;
  inward = thud_vec3_cross(t->normal, along);
  *direction = thud_vec3_add_scaled(*direction, -thud_vec3_dot(*direction, along), along);
  turn_down(direction, inward);
  if (t->edges[k] != THUD_EDGE_CONVEX) return;
  thud_vec3 d = thud_vec3_subtract(t->beyond[k], t->corners[k]);
  turn_down(direction, thud_vec3_add_scaled(d, -thud_vec3_dot(d, along), along));
}

/* Turns a direction at corner k until no edge rises along it: projections on the half-spaces of its cone in turn. */
static bool turn_at_corner(const gathering *g, const thud_triangle *t, int k, thud_vec3 *direction) {
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    thud_rise rise = thud_surface_rise(g->surface, t, k, *direction);
    if (rise.most <= THUD_EDGE_FLAT) return true;
    turn_down(direction, rise.steepest);
    if (!thud_vec3_normalise(*direction, direction)) return false;
  }
  return false;
}

/* The edge or corner of the border that a point is on. */
typedef struct border_place {
  int corner, edge; /* -1: not there */
} border_place;

static border_place find_place(const target *at, thud_vec3 point) {
  const thud_triangle *t = &at->triangle;
  border_place place = {-1, -1};
  double near = ON_EDGE * at->size;
  for (int k = 2; k >= 0; k--) {
    if (thud_vec3_distance(point, t->corners[k]) <= near) place.corner = k;
    if (fabs(inside_of(t, k, point)) <= near) place.edge = k;
  }
  return place;
}

/* True when a contact at a point of the triangle's border may have this normal, or one that is turned from it by a little (an angle
 * of the cosine `least_cosine`): a shape that lies on an edge with a small tilt, or on one of several edges in a line, finds normals beside those of the edge. */
static bool may_push(const gathering *g, const target *at, border_place place, double least_cosine, thud_vec3 *normal) {
  const thud_triangle *t = &at->triangle;
  thud_vec3 found = *normal;
  if (place.corner >= 0) {
    int k = place.corner;
    if (!sticks_out(t->edges[k]) && !sticks_out(t->edges[(k + 2) % 3])) return false;
    if (!turn_at_corner(g, t, k, normal)) return false;
  } else if (place.edge < 0) {
    return false;
  } else if (!ends_at_edge(at, place.edge, *normal)) {
    turn_at_edge(t, place.edge, normal);
    if (!thud_vec3_normalise(*normal, normal) || !ends_at_edge(at, place.edge, *normal)) return false;
  }
  return thud_vec3_dot(found, *normal) >= least_cosine;
}

static thud_vec3 nearest_of_edge(const thud_triangle *t, int k, thud_vec3 x) {
  thud_vec3 along = thud_vec3_subtract(t->corners[(k + 1) % 3], t->corners[k]);
  double share = thud_vec3_dot(along, thud_vec3_subtract(x, t->corners[k])) / thud_vec3_dot(along, along);
  if (share >= 1) return t->corners[(k + 1) % 3];
  return share <= 0 ? t->corners[k] : thud_vec3_add_scaled(t->corners[k], share, along);
}

/* The point of the border nearest to a point that is not over the triangle. */
static thud_vec3 nearest_of_border(const thud_triangle *t, thud_vec3 x) {
  thud_vec3 nearest = nearest_of_edge(t, 0, x);
  for (int k = 1; k < 3; k++) {
    thud_vec3 other = nearest_of_edge(t, k, x);
    if (thud_vec3_distance(other, x) < thud_vec3_distance(nearest, x)) nearest = other;
  }
  return nearest;
}

/* A sphere whose centre is not over the triangle. */
static void touch_border_with_sphere(gathering *g, const target *at) {
  thud_vec3 centre = g->pose.position, nearest = nearest_of_border(&at->triangle, centre);
  thud_touch touch = {.on_b = nearest, .feature = name_on_border(at, 0)};
  touch.gap = thud_vec3_distance(nearest, centre) - g->convex->def.radius;
  if (touch.gap > g->margin || !thud_vec3_normalise(thud_vec3_subtract(centre, nearest), &touch.normal)) return;
  touch.on_a = thud_vec3_add_scaled(centre, -g->convex->def.radius, touch.normal);
  if (may_push(g, at, find_place(at, nearest), 1 - SAME_NORMAL, &touch.normal))
    thud_touch_pool_add(&g->pool, &touch, BORDER_PARTS);
}

/* The triangle as a flat solid, for functions of pairs of solids; everything it points to is in here. */
typedef struct plate {
  thud_shape shape;
  thud_vec3 vertices[3], normals[2];
  double offsets[2]; /* 0: the first corner is the origin */
  thud_index face_start[3], face_vertices[6], edges[6], starts[4], neighbours[6];
} plate;

static const thud_shape_class plate_class = {
    .name = "triangle",
    .convex = true,
    .faceted = true,
    .by_faces = true,
    .pairs = THUD_PAIRS_SOLID,
    .support = thud_support_vertices,
    .facing = thud_flat_of_polyhedron,
};

static void make_plate(const thud_triangle *t, plate *p) {
  *p = (plate){.normals = {t->normal, thud_vec3_negate(t->normal)},
               .face_start = {0, 3, 6},
               .face_vertices = {0, 1, 2, 0, 2, 1},
               .edges = {0, 1, 0, 2, 1, 2},
               .starts = {0, 2, 4, 6},
               .neighbours = {1, 2, 0, 2, 0, 1}};
  for (int k = 0; k < 3; k++) {
    p->vertices[k] = thud_vec3_subtract(t->corners[k], t->corners[0]);
    p->shape.reach = fmax(p->shape.reach, thud_vec3_norm(p->vertices[k]));
  }
  p->shape.class = &plate_class;
  p->shape.polyhedron =
      (thud_polyhedron){3,          2,          3,        p->vertices, p->face_start, p->face_vertices,
                        p->normals, p->offsets, p->edges, p->starts,   p->neighbours};
}

/* Quick answers in front of the search for closest points. */

/* The triangle misses the box around the shape in its own frame. */
static bool misses_own_box(const gathering *g, const target *at) {
  thud_vec3 a = thud_pose_point_inverse(&g->pose, at->triangle.corners[0]), low = a, high = a;
  for (int k = 1; k < 3; k++) {
    thud_vec3 x = thud_pose_point_inverse(&g->pose, at->triangle.corners[k]);
    low = thud_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
    high = thud_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
  }
  thud_bounds box = {low, high};
  return !thud_bounds_meet(&box, &g->own_box);
}

/* The direction from the triangle to the inner point separates the two by more than the margin. */
static bool is_apart(const gathering *g, const target *at) {
  const thud_triangle *t = &at->triangle;
  thud_vec3 direction = t->normal;
  if (!is_over(at, g->inner) &&
      !thud_vec3_normalise(thud_vec3_subtract(g->inner, nearest_of_border(t, g->inner)), &direction))
    return false;
  thud_vec3 back = thud_quat_rotate_inverse(g->pose.rotation, thud_vec3_negate(direction));
  double low = thud_vec3_dot(direction, thud_pose_point(&g->pose, thud_shape_support(g->convex, back)));
  double high = thud_vec3_dot(direction, t->corners[0]);
  for (int k = 1; k < 3; k++) high = fmax(high, thud_vec3_dot(direction, t->corners[k]));
  return low - high > g->margin;
}

/* The lowest point of a smooth shape is over the triangle: it touches the face. */
static bool is_face_alone(const gathering *g, const target *at) {
  return g->convex->class->smooth && holds(g, at, at->lowest_point);
}

/* ---- an edge as the end of the solid ---------------------------------------------------------------------------------- */

enum { MOST_CUTS = 40 };
/* Cuts end when they improve by less than this times the shape's size. */
#define CUT_ENOUGH 1e-14

/* A convex edge with the normals of both faces. Directions m(t) = (1-t) n[0] + t n[1], 0 <= t <= 1, are those in which the solid
 * behind the surface ends there. */
typedef struct ridge {
  thud_vec3 start, along, n[2]; /* along: to the other end */
} ridge;

/* The shape's lowest point in direction m(t), and its heights over both faces: m(t).x = (1-t) height[0] + t height[1]. */
typedef struct ridge_cut {
  thud_vec3 x;
  double height[2];
} ridge_cut;

static double cut_value(const ridge_cut *cut, double t) { return (1 - t) * cut->height[0] + t * cut->height[1]; }

static ridge_cut cut_at(const gathering *g, const ridge *r, double t) {
  thud_vec3 m = thud_vec3_add_scaled(thud_vec3_scale(1 - t, r->n[0]), t, r->n[1]);
  thud_vec3 back = thud_quat_rotate_inverse(g->pose.rotation, thud_vec3_negate(m));
  ridge_cut cut = {.x = thud_pose_point(&g->pose, thud_shape_support(g->convex, back))};
  for (int k = 0; k < 2; k++) cut.height[k] = thud_vec3_dot(r->n[k], thud_vec3_subtract(cut.x, r->start));
  return cut;
}

/* The t in (0, 1) at which the shape's lowest point is highest: the maximum of a concave function, min over x of m(t).x, from two
 * lines that bound it on either side (Kelley's cutting planes). False: a face is the better direction. The lowest points
 * on both sides are in sides[2]. */
static bool find_ridge_direction(const gathering *g, const ridge *r, double *t, ridge_cut sides[2]) {
  sides[0] = cut_at(g, r, 0);
  sides[1] = cut_at(g, r, 1);
  double enough = CUT_ENOUGH * g->pool.size;
  if (sides[0].height[1] <= sides[0].height[0] || sides[1].height[0] <= sides[1].height[1]) return false;
  for (int k = 0; k < MOST_CUTS; k++) {
    double rise = sides[0].height[1] - sides[0].height[0], fall = sides[1].height[0] - sides[1].height[1];
    *t = (sides[1].height[0] - sides[0].height[0]) / (rise + fall);
    if (!(*t > 0 && *t < 1)) return false;
    ridge_cut cut = cut_at(g, r, *t);
    if (cut_value(&cut, *t) >= cut_value(&sides[0], *t) - enough) return true;
    sides[cut.height[1] > cut.height[0] ? 0 : 1] = cut;
  }
  return true;
}

/* Where between the lowest points of both sides the shape is over the edge. */
static thud_vec3 over_ridge(const ridge *r, thud_vec3 normal, const ridge_cut sides[2]) {
  thud_vec3 across = thud_vec3_cross(r->along, normal), d = thud_vec3_subtract(sides[1].x, sides[0].x);
  double from = thud_vec3_dot(across, thud_vec3_subtract(r->start, sides[0].x)), way = thud_vec3_dot(across, d);
  double share = fabs(way) > 0 ? from / way : 0;
  return thud_vec3_add_scaled(sides[0].x, fmin(fmax(share, 0), 1), d);
}

/* A point of an edge that is inside of a shape by less than this fraction of its depth is cut by another part of the shape. */
#define SHARPEST 0.1

/* The contact with convex edge k, which the shape cuts; false when there is none. A triangle alone may be left more easily beyond the end
 * of the edge, where the solid goes on with the next one. */
static bool touch_ridge(gathering *g, const target *at, int k) {
  const thud_triangle *tri = &at->triangle;
  ridge r = {.start = tri->corners[k], .n = {tri->normal}};
  ridge_cut sides[2];
  double t;
  r.along = thud_vec3_subtract(tri->corners[(k + 1) % 3], r.start);
  if (!thud_vec3_normalise(thud_vec3_cross(thud_vec3_subtract(tri->beyond[k], r.start), r.along), &r.n[1]))
    return false;
  if (!find_ridge_direction(g, &r, &t, sides)) return false;
  thud_vec3 m = thud_vec3_add_scaled(thud_vec3_scale(1 - t, r.n[0]), t, r.n[1]);
  thud_touch touch = {.feature = name_on_border(at, BORDER_PARTS + (uint32_t)k)};
  if (!thud_vec3_normalise(m, &touch.normal)) return false;
  touch.on_a = over_ridge(&r, touch.normal, sides);
  touch.gap = thud_vec3_dot(touch.normal, thud_vec3_subtract(touch.on_a, r.start));
  touch.on_b = thud_vec3_add_scaled(touch.on_a, -touch.gap, touch.normal);
  double share = thud_vec3_dot(r.along, thud_vec3_subtract(touch.on_b, r.start)) / thud_vec3_dot(r.along, r.along);
  if (touch.gap > g->margin || !(share >= -ON_EDGE && share <= 1 + ON_EDGE)) return false;
  double inside = -thud_shape_nearest(g->convex, thud_pose_point_inverse(&g->pose, touch.on_b)).distance;
  if (touch.gap < -ON_EDGE * g->pool.size && inside < -SHARPEST * touch.gap) return false;
  thud_touch_pool_add(&g->pool, &touch, BORDER_PARTS + (uint32_t)k);
  return true;
}

/* Gives a contact another normal, with its points opposite each other along it. It does not become less deep: a little turn must not
 * leave an overlap. */
static void set_normal(thud_touch *touch, thud_vec3 normal) {
  double gap = thud_vec3_dot(normal, thud_vec3_subtract(touch->on_a, touch->on_b));
  touch->normal = normal;
  touch->gap = touch->gap < 0 ? fmin(gap, touch->gap) : gap;
  touch->on_b = thud_vec3_add_scaled(touch->on_a, -touch->gap, normal);
}

/* A contact whose normal may have been turned a little from `found`: its points lie opposite each other along that. */
static void add_on_border(gathering *g, const target *at, thud_vec3 found, thud_touch *touch, uint32_t part) {
  double angle = thud_vec3_distance(found, touch->normal);
  touch->feature = name_on_border(at, part);
  if (!(angle > 0)) {
    thud_touch_pool_add(&g->pool, touch, part);
    return;
  }
  set_normal(touch, touch->normal);
  if (touch->gap > g->margin || g->turned_count == MOST_TURNED) return;
  size_t i = g->turned_count++; /* the least turned one first */
  for (; i > 0 && angle < g->turned[i - 1].angle; i--) g->turned[i] = g->turned[i - 1];
  g->turned[i] = (turned_touch){*touch, part, angle, at->triangle.normal};
}

/* Contacts this near, times the shape's size, with normals within the second number are one. */
#define SAME_PLACE 1e-4
#define SAME_ANGLE 1e-3
/* Gaps that differ by less than this times the size are equal. */
#define SAME_DEPTH 2e-8

/* A triangle finds another normal than the surface has where its own edge ends; the point of a round shape moves by the
 * angle between the two. The next triangle, in which the edge goes on, has the right one at nearly the same place. */
static bool is_there(const gathering *g, const turned_touch *one) {
  double near = (SAME_PLACE + 1.5 * one->angle) * g->pool.size;
  for (size_t i = 0; i < g->pool.count; i++) {
    const thud_touch *other = &g->pool.touches[i];
    if (thud_vec3_distance(other->on_a, one->touch.on_a) <= near &&
        thud_vec3_distance(other->normal, one->touch.normal) <= SAME_ANGLE + 5 * one->angle)
      return true;
  }
  return false;
}

/* A turned normal separates shape and surface by the least gap, as normals of manifolds do: the shape reaches below the
 * contact's point by no more than the contact is open beside the closest one. */
static bool separates(const gathering *g, const thud_touch *touch, double least) {
  thud_vec3 back = thud_quat_rotate_inverse(g->pose.rotation, thud_vec3_negate(touch->normal));
  thud_vec3 lowest = thud_pose_point(&g->pose, thud_shape_support(g->convex, back));
  double below = thud_vec3_dot(touch->normal, thud_vec3_subtract(touch->on_a, lowest));
  return below <= touch->gap - fmin(least, touch->gap) + SAME_DEPTH * g->pool.size;
}

/* Or it is nearly that of the face, which is taken instead where the point stays on the triangle. */
static bool take_face(const gathering *g, turned_touch *one) {
  double angle = thud_vec3_distance(one->touch.normal, one->face);
  if (thud_vec3_dot(one->touch.normal, one->face) < LYING_COSINE) return false;
  if (fabs(one->touch.gap) * angle > SAME_DEPTH * g->pool.size) return false;
  set_normal(&one->touch, one->face);
  return true;
}

static void add_turned(gathering *g) {
  double least = thud_least_gap(g->pool.count, g->pool.touches);
  for (size_t i = 0; i < g->turned_count; i++) least = fmin(least, g->turned[i].touch.gap);
  for (size_t i = 0; i < g->turned_count; i++) {
    turned_touch *one = &g->turned[i];
    if (is_there(g, one) || !(separates(g, &one->touch, least) || take_face(g, one))) continue;
    thud_touch_pool_add(&g->pool, &one->touch, one->part);
  }
  if (g->pool.count == 0 && g->turned_count > 0) thud_touch_pool_add(&g->pool, &g->turned[0].touch, g->turned[0].part);
}

/* ---- the border in general ------------------------------------------------------------------------------------------------ */

/* Corners of what a face of the shape and a triangle have in common: as many as are needed for which of them span the contact
 * with all triangles to be known at the end. */
enum { PLATE_TOUCHES = 16 };

/* Closest points of the triangle and a shape that is not a sphere; where nothing but the face may push, the face. */
static void touch_border(gathering *g, const target *at) {
  plate other;
  thud_touch touches[PLATE_TOUCHES];
  thud_pose pose = {at->triangle.corners[0], thud_quat_identity()};
  make_plate(&at->triangle, &other);
  size_t count = thud_solids_collide(g->convex, &g->pose, &other.shape, &pose, g->margin, PLATE_TOUCHES, touches);
  bool face = count > 0 && !at->beside, turned = false;
  for (size_t i = 0; i < count; i++) {
    uint32_t part = BORDER_PARTS + touches[i].feature;
    double cosine = thud_vec3_dot(touches[i].normal, at->triangle.normal);
    border_place place = find_place(at, touches[i].on_b);
    thud_vec3 found = touches[i].normal;
    bool level = cosine >= 1 - SAME_NORMAL && !at->beside;
    if (level && touches[i].gap * sqrt(2 * SAME_NORMAL) <= ON_EDGE * g->pool.size) {
      add_on_plane(g, at, touches[i].on_a, part);
    } else if (place.corner < 0 && place.edge < 0) {
      if (!at->beside && cosine >= LYING_COSINE && holds(g, at, touches[i].on_a))
        add_on_plane(g, at, touches[i].on_a, part);
    } else if (may_push(g, at, place, LYING_COSINE, &touches[i].normal)) {
      bool exact = thud_vec3_distance(found, touches[i].normal) <= 0;
      add_on_border(g, at, found, &touches[i], part);
      if (exact) face = false;
      turned = turned || !exact;
    }
  }
  double least = thud_least_gap(count, touches);
  for (int k = 0; k < 3 && face && !turned && least < ON_EDGE * g->pool.size; k++)
    if (at->triangle.edges[k] == THUD_EDGE_CONVEX && touch_ridge(g, at, k)) face = false;
  if (!face) return;
  touch_face(g, at);
  if (turned || least >= 0 || at->lowest <= g->last_height) return;
  g->last_resort = at->triangle.number;
  g->last_height = at->lowest;
}

/* ---- one triangle --------------------------------------------------------------------------------------------------- */

static void touch_from_front(gathering *g, const target *at) {
  const thud_triangle *t = &at->triangle;
  bool border = sticks_out(t->edges[0]) || sticks_out(t->edges[1]) || sticks_out(t->edges[2]);
  if (g->convex->class->pairs == THUD_PAIRS_BALL) {
    if (!at->beside && is_over(at, g->pose.position))
      add_on_plane(g, at, thud_vec3_add_scaled(g->pose.position, -g->convex->def.radius, t->normal), 0);
    else if (border)
      touch_border_with_sphere(g, at);
  } else if (!at->beside && (!border || is_face_alone(g, at))) {
    touch_face(g, at);
  } else if (!misses_own_box(g, at) && !is_apart(g, at)) {
    touch_border(g, at);
  }
}

static void look_at(void *user, thud_index number) {
  gathering *g = user;
  target at;
  thud_surface_get(g->surface, number, &at.triangle);
  const thud_triangle *t = &at.triangle;
  at.size = 0;
  at.beside = false;
  for (int k = 0; k < 3; k++) at.size = fmax(at.size, thud_vec3_distance(t->corners[k], t->corners[(k + 1) % 3]));
  at.height = height_over(t, g->inner);
  if (fabs(at.height) < g->nearest && is_over(&at, g->inner)) {
    g->nearest = fabs(at.height);
    g->behind = at.height < 0 ? number : -1;
  }
  thud_vec3 down = thud_quat_rotate_inverse(g->pose.rotation, thud_vec3_negate(t->normal));
  at.lowest_point = thud_pose_point(&g->pose, thud_shape_support(g->convex, down));
  at.lowest = height_over(t, at.lowest_point);
  if (!(at.lowest <= g->margin)) return;
  for (int k = 0; k < 3; k++)
    at.beside |= at.height < 0 && t->edges[k] == THUD_EDGE_BORDER && inside_of(t, k, g->inner) < 0;
  if (at.height >= 0 || at.beside) touch_from_front(g, &at);
}

/* Out of the plane of a triangle, wherever the shape is over it. */
static void push_out(gathering *g, thud_index number) {
  target at = {.size = 0};
  thud_surface_get(g->surface, number, &at.triangle);
  touch_plane(g, &at, false);
}

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

static thud_pose relative_pose(const thud_pose *to, const thud_pose *pose) {
  return (thud_pose){thud_pose_point_inverse(to, pose->position),
                     thud_quat_multiply(thud_quat_conjugate(to->rotation), pose->rotation)};
}

size_t thud_triangles_collide(const thud_shape *surface, const thud_pose *surface_pose, const thud_shape *convex,
                              const thud_pose *convex_pose, double margin, size_t capacity, thud_touch *touches) {
  gathering g = {.surface = surface, .convex = convex, .margin = margin, .nearest = INFINITY, .behind = -1};
  g.last_resort = -1;
  g.last_height = -INFINITY;
  g.pose = relative_pose(surface_pose, convex_pose);
  g.box = thud_shape_bounds(convex, &g.pose, margin);
  thud_pose still = thud_pose_identity();
  g.own_box = thud_shape_bounds(convex, &still, margin);
  g.inner = thud_pose_point(&g.pose, convex->inner);
  g.pool.margin = margin;
  g.pool.size = convex->reach > 0 ? convex->reach : surface->thickness;
  thud_surface_visit(surface, &g.box, look_at, &g);
  if (surface->class->triangles->above != NULL) {
    thud_index above = surface->class->triangles->above(surface, g.inner);
    if (above < 0 || g.behind < 0) g.behind = above;
  }
  if (g.behind >= 0) push_out(&g, g.behind);
  add_turned(&g);
  if (g.pool.count == 0 && g.last_resort >= 0) push_out(&g, g.last_resort);
  thud_touch_pool_reduce(&g.pool, THUD_SURFACE_TOUCHES);
  thud_touch_pool_tell_apart(&g.pool);
  for (size_t i = 0; i < g.pool.count && i < capacity; i++) {
    thud_touch touch = g.pool.touches[i];
    touch.normal = thud_quat_rotate(surface_pose->rotation, touch.normal);
    touch.on_a = thud_pose_point(surface_pose, touch.on_a);
    touch.on_b = thud_pose_point(surface_pose, touch.on_b);
    touches[i] = touch;
  }
  return g.pool.count;
}
