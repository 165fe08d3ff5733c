/* Shapes of rigid bodies: support functions, sizes, bounds, and the signed distance of two of them. */
#include "verify/bodies/verify_bodies_shapes.h"

#include <math.h>

double thud_verify_shape_rounding(const verify_shape *shape) {
  return thud_verify_form_of(shape)->rounded ? shape->radius : 0;
}

thud_vec3 thud_verify_core_support(const verify_shape *shape, const verify_place *place, thud_vec3 direction) {
  thud_vec3 x = thud_verify_form_of(shape)->core(shape, thud_mat3_apply_transposed(place->R, direction));
  return thud_vec3_add(place->x0, thud_mat3_apply(place->R, x));
}

double thud_verify_reach(const verify_shape *shape, const verify_place *place, thud_vec3 n) {
  return thud_vec3_dot(thud_verify_core_support(shape, place, n), n) + thud_verify_shape_rounding(shape);
}

double thud_verify_shape_size(const verify_shape *shape) {
  double most = 0;
  if (thud_verify_shape_is_half_space(shape)) return INFINITY;
  if (thud_verify_form_of(shape)->size != NULL) return thud_verify_form_of(shape)->size(shape);
  for (size_t k = 0; k < shape->point_count; k++) most = fmax(most, thud_vec3_norm(shape->points[k]));
  return most;
}

/* ---- extents ------------------------------------------------------------------------------------------------------ */

static verify_box box_of_points(const verify_shape *shape, const verify_place *place) {
  verify_box box = {thud_vec3_make(INFINITY, INFINITY, INFINITY), thud_vec3_make(-INFINITY, -INFINITY, -INFINITY)};
  for (size_t k = 0; k < shape->point_count; k++) {
    thud_vec3 x = thud_vec3_add(place->x0, thud_mat3_apply(place->R, shape->points[k]));
    box.low = thud_vec3_make(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
    box.high = thud_vec3_make(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
  }
  return box;
}

verify_box thud_verify_shape_box(const verify_shape *shape, const verify_place *place) {
  static const thud_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  if (thud_verify_shape_is_surface(shape)) return box_of_points(shape, place);
  if (thud_verify_shape_is_half_space(shape))
    return (verify_box){thud_vec3_make(-INFINITY, -INFINITY, -INFINITY), thud_vec3_make(INFINITY, INFINITY, INFINITY)};
  return (verify_box){thud_vec3_make(-thud_verify_reach(shape, place, thud_vec3_negate(x)),
                                     -thud_verify_reach(shape, place, thud_vec3_negate(y)),
                                     -thud_verify_reach(shape, place, thud_vec3_negate(z))),
                      thud_vec3_make(thud_verify_reach(shape, place, x), thud_verify_reach(shape, place, y),
                                     thud_verify_reach(shape, place, z))};
}

static double shortest_edge(const verify_shape *shape) {
  double least = INFINITY;
  for (size_t k = 0; k < 3 * shape->triangle_count; k++) {
    size_t next = k % 3 == 2 ? k - 2 : k + 1;
    least = fmin(least, thud_vec3_distance(shape->points[shape->triangles[k]], shape->points[shape->triangles[next]]));
  }
  return least;
}

double thud_verify_shape_thickness(const verify_shape *shape) {
  static const verify_place here = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (thud_verify_shape_is_half_space(shape)) return INFINITY;
  if (thud_verify_shape_is_surface(shape)) return shortest_edge(shape);
  verify_box box = thud_verify_shape_box(shape, &here);
  thud_vec3 extent = thud_vec3_subtract(box.high, box.low);
  if (thud_verify_form_of(shape)->planar) return fmin(extent.x, extent.y);
  return fmin(extent.x, fmin(extent.y, extent.z));
}

verify_shape thud_verify_triangle(const verify_shape *surface, size_t k, thud_vec3 *corners) {
  for (size_t i = 0; i < 3; i++) corners[i] = surface->points[surface->triangles[3 * k + i]];
  return (verify_shape){.kind = VERIFY_SHAPE_HULL, .point_count = 3, .points = corners}; /* two-sided and flat */
}

/* ---- signed distances of convex shapes --------------------------------------------------------------------------- */

/* Signed distances of convex shapes. For every unit vector n the separation s(n) = min n.x over a - max n.y over b is a
 * lower bound, and the signed distance is its maximum. Apart: the shortest vector of the difference of the cores, point
 * by point after Gilbert, Johnson and Keerthi 1988; the nearest point of the few points kept is found by trying all
 * faces of their simplex. Overlapping, or nearly touching: verify_bodies_shapes.c. */

enum { MOST_STEPS = 400 };

/* Relative to the size of the difference: where two bounds count as equal, and below which a short vector has lost the
 * digits of its direction. */
static const double ENOUGH = 1e-14, SHORT = 1e-4;

/* ---- the point of a simplex that is nearest to the origin ---------------------------------------------------------- */

typedef struct simplex {
  int count;
  thud_vec3 point[4];
} simplex;

/* Weights of the point of the affine hull of `count` points (numbers in pick) nearest to the origin; false: degenerate.
 * With edges e_i = p_i - p_0: (e_i.e_j) w = -e_i.p_0, 1 to 3 unknowns, by Cramer's rule. */
static bool affine_weights(const simplex *s, int count, const int *pick, double *weight) {
  double G[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, right[3] = {0, 0, 0};
  thud_vec3 first = s->point[pick[0]], w, edge[3];
  for (int i = 1; i < count; i++) edge[i - 1] = thud_vec3_subtract(s->point[pick[i]], first);
  for (int i = 0; i + 1 < count; i++) {
    right[i] = -thud_vec3_dot(edge[i], first);
    for (int j = 0; j + 1 < count; j++) G[i][j] = thud_vec3_dot(edge[i], edge[j]);
  }
  thud_mat3 A = thud_mat3_columns(thud_vec3_load(G[0]), thud_vec3_load(G[1]), thud_vec3_load(G[2])), inverse;
  if (!thud_mat3_inverse(A, &inverse)) return false;
  w = thud_mat3_apply(inverse, thud_vec3_load(right));
  thud_vec3_store(w, weight + 1);
  weight[0] = 1;
  for (int i = 1; i < count; i++) weight[0] -= weight[i];
  return true;
}

/* Keeps the points that carry the nearest point of the simplex, and returns it. */
static thud_vec3 reduce(simplex *s) {
  thud_vec3 best = s->point[0];
  double least = INFINITY;
  simplex kept = *s;
  for (int set = 1; set < 1 << s->count; set++) {
    int pick[4] = {0}, count = 0;
    double weight[4];
    for (int i = 0; i < s->count; i++)
      if (set >> i & 1) pick[count++] = i;
    if (!affine_weights(s, count, pick, weight)) continue;
    thud_vec3 x = thud_vec3_make(0, 0, 0);
    bool inside = true;
    for (int i = 0; i < count; i++) {
      inside = inside && weight[i] >= 0;
      x = thud_vec3_add_scaled(x, weight[i], s->point[pick[i]]);
    }
    double norm = thud_vec3_norm(x);
    if (!inside || !(norm < least)) continue;
    least = norm;
    best = x;
    kept.count = count;
    for (int i = 0; i < count; i++) kept.point[i] = s->point[pick[i]];
  }
  *s = kept;
  return best;
}

/* ---- distance ------------------------------------------------------------------------------------------------------- */

/* Shortest vector of the difference. *lower: the best separation found, with its direction in *normal. */
static thud_vec3 shortest(const verify_difference *d, thud_vec3 *normal, double *lower, double *scale) {
  simplex s = {.count = 1};
  s.point[0] = thud_verify_difference_support(d, thud_vec3_make(1, 0, 0));
  thud_vec3 v = s.point[0];
  *lower = -INFINITY;
  *normal = thud_vec3_make(0, 0, 1);
  *scale = thud_vec3_norm(v);
  for (int step = 0; step < MOST_STEPS; step++) {
    double norm = thud_vec3_norm(v);
    thud_vec3 n;
    if (!thud_vec3_normalise(v, &n) || norm <= ENOUGH * *scale) break;
    thud_vec3 w = thud_verify_difference_support(d, thud_vec3_negate(n));
    double below = thud_vec3_dot(n, w);
    *scale = fmax(*scale, thud_vec3_norm(w));
    if (below > *lower) {
      *lower = below;
      *normal = n;
    }
    if (norm - *lower <= ENOUGH * *scale || s.count == 4) break;
    s.point[s.count++] = w;
    v = reduce(&s);
    if (!(thud_vec3_norm(v) < norm)) break;
  }
  return v;
}

/* The bounds of a pair of cores that nearly touch or overlap, from both sides. */
static verify_gap near_gap(const verify_difference *d, bool planar, double upper, double lower, thud_vec3 normal) {
  thud_vec3 n;
  double accuracy;
  double depth = planar ? thud_verify_flat_depth(d, &n, &accuracy) : thud_verify_depth(d, &n, &accuracy);
  thud_vec3 outward = thud_vec3_negate(n); /* the difference reaches `depth` along n: a is apart by -depth along -n */
  if (depth - accuracy > 0) return (verify_gap){.distance = -depth, .accuracy = accuracy, .normal = outward};
  if (-depth > lower) {
    lower = -depth;
    normal = outward;
  }
  double distance = fmin(upper, fmax(lower, -depth));
  return (verify_gap){.distance = distance, .accuracy = fmax(upper - distance, 0), .normal = normal};
}

static verify_gap core_gap(const verify_difference *d, bool planar) {
  thud_vec3 normal;
  double lower, scale;
  thud_vec3 v = shortest(d, &normal, &lower, &scale);
  double upper = thud_vec3_norm(v);
  if (upper > SHORT * scale && lower > 0)
    return (verify_gap){.distance = lower, .accuracy = fmax(upper - lower, 0), .normal = normal};
  return near_gap(d, planar, upper, lower, normal);
}

/* Outward normal of a half-space, and how far it reaches along it. */
static thud_vec3 half_space_normal(const verify_shape *shape, const verify_place *place) {
  return thud_verify_form_of(shape)->planar ? place->R.cy : place->R.cz;
}

static double half_space_level(const verify_shape *shape, const verify_place *place) {
  return thud_vec3_dot(half_space_normal(shape, place), place->x0);
}

/* Of the shape above the half-space: along the outward normal. */
static verify_gap half_space_gap(const verify_shape *shape, const verify_place *place, const verify_shape *half,
                                 const verify_place *at_half) {
  thud_vec3 n = half_space_normal(half, at_half);
  double lowest = -thud_verify_reach(shape, place, thud_vec3_negate(n));
  return (verify_gap){.distance = lowest - half_space_level(half, at_half), .accuracy = 0, .normal = n};
}

verify_gap thud_verify_distance_of(const verify_shape *a, const verify_place *at_a, const verify_shape *b,
                                   const verify_place *at_b, bool planar) {
  if (thud_verify_shape_is_half_space(b)) return half_space_gap(a, at_a, b, at_b);
  if (thud_verify_shape_is_half_space(a)) {
    verify_gap gap = half_space_gap(b, at_b, a, at_a);
    gap.normal = thud_vec3_negate(gap.normal);
    return gap;
  }
  verify_difference d = {a, b, at_a, at_b};
  verify_gap gap = core_gap(&d, planar);
  gap.distance -= thud_verify_shape_rounding(a) + thud_verify_shape_rounding(b);
  return gap;
}

double thud_verify_separation(const verify_shape *a, const verify_place *at_a, const verify_shape *b,
                              const verify_place *at_b, thud_vec3 n) {
  /* A half-space is bounded along its outward normal only; n is asked against it by the distance itself. */
  if (thud_verify_shape_is_half_space(b))
    return half_space_gap(a, at_a, b, at_b).distance -
           thud_vec3_distance(n, half_space_normal(b, at_b)) * thud_verify_shape_size(a);
  if (thud_verify_shape_is_half_space(a)) return thud_verify_separation(b, at_b, a, at_a, thud_vec3_negate(n));
  return -thud_verify_reach(a, at_a, thud_vec3_negate(n)) - thud_verify_reach(b, at_b, n);
}

/* ---- points on surfaces ------------------------------------------------------------------------------------------- */

double thud_verify_off_surface(const verify_shape *shape, const verify_place *place, thud_vec3 point, bool planar) {
  const verify_shape dot = thud_verify_point(planar);
  verify_place there = {point, thud_mat3_identity()};
  if (thud_verify_form_of(shape)->off != NULL) return thud_verify_form_of(shape)->off(shape, place, point);
  verify_gap gap = thud_verify_distance_of(&dot, &there, shape, place, planar);
  return fmax(fabs(gap.distance) - gap.accuracy, 0);
}

/* ---- how deep two convex shapes overlap -------------------------------------------------------------------------- */

/* How deep two convex shapes overlap: the polytope of known points of their difference grows where it is nearest to the
 * origin, until the difference itself does not reach farther there (van den Bergen, "Proximity queries and penetration
 * depth computation on 3D game objects", 2001). The polytope lies within the difference, so its least facet distance
 * bounds the depth from below, and each reach along a normal bounds it from above. The origin may lie outside, too: then
 * the offset of the facet is negative, and a lower bound of the distance. */

enum { MOST_POINTS = 256, MOST_FACES = 2 * MOST_POINTS, MOST_EDGES = 3 * MOST_FACES };

/* Relative to the size of the difference: when to stop, and what has no thickness. */
static const double TIGHT = 1e-12, FLAT = 1e-13;

typedef struct face {
  int corner[3]; /* counter-clockwise seen from outside */
  bool alive;
  thud_vec3 n;
  double offset; /* n.x on it; INFINITY: too small to have a normal */
} face;

typedef struct polytope {
  const verify_difference *difference;
  int points, faces;
  double scale;
  thud_vec3 point[MOST_POINTS];
  face face[MOST_FACES];
} polytope;

/* ---- the first tetrahedron ------------------------------------------------------------------------------------------ */

static thud_vec3 any_perpendicular(thud_vec3 e) {
  thud_vec3 axis = fabs(e.x) <= fabs(e.y) && fabs(e.x) <= fabs(e.z) ? thud_vec3_make(1, 0, 0)
                   : fabs(e.y) <= fabs(e.z)                         ? thud_vec3_make(0, 1, 0)
                                                                    : thud_vec3_make(0, 0, 1);
  return thud_vec3_cross(e, axis);
}

/* The farther of the points along n and -n as seen from x. */
static thud_vec3 far_point(const verify_difference *d, thud_vec3 x, thud_vec3 n) {
  thud_vec3 up = thud_verify_difference_support(d, n), down = thud_verify_difference_support(d, thud_vec3_negate(n));
  double above = thud_vec3_dot(thud_vec3_subtract(up, x), n), below = thud_vec3_dot(thud_vec3_subtract(x, down), n);
  return above >= below ? up : down;
}

/* Four points; false when the difference is flat: *normal is across it then. */
static bool first_points(polytope *p, thud_vec3 *normal) {
  const verify_difference *d = p->difference;
  thud_vec3 *x = p->point, n;
  x[0] = thud_verify_difference_support(d, thud_vec3_make(1, 0, 0));
  x[1] = far_point(d, x[0], thud_vec3_make(1, 0, 0));
  for (int axis = 1; axis < 3; axis++) {
    thud_vec3 other = far_point(d, x[0], thud_vec3_make(0, axis == 1, axis == 2));
    if (thud_vec3_distance(other, x[0]) > thud_vec3_distance(x[1], x[0])) x[1] = other;
  }
  p->scale = thud_vec3_distance(x[0], x[1]);
  *normal = thud_vec3_make(0, 0, 1);
  if (!(p->scale > 0)) return false;
  thud_vec3 along = thud_vec3_scale(1 / p->scale, thud_vec3_subtract(x[1], x[0])), across = any_perpendicular(along);
  *normal = thud_vec3_scale(1 / thud_vec3_norm(across), across);
  x[2] = far_point(d, x[0], *normal);
  thud_vec3 second = far_point(d, x[0], thud_vec3_cross(along, *normal));
  thud_vec3 first_area = thud_vec3_cross(along, thud_vec3_subtract(x[2], x[0]));
  thud_vec3 second_area = thud_vec3_cross(along, thud_vec3_subtract(second, x[0]));
  if (thud_vec3_norm(second_area) > thud_vec3_norm(first_area)) {
    x[2] = second;
    first_area = second_area;
  }
  if (!thud_vec3_normalise(first_area, &n) || thud_vec3_norm(first_area) <= FLAT * p->scale) return false;
  *normal = n;
  x[3] = far_point(d, x[0], n);
  p->points = 4;
  return fabs(thud_vec3_dot(thud_vec3_subtract(x[3], x[0]), n)) > FLAT * p->scale;
}

/* ---- growing ------------------------------------------------------------------------------------------------------- */

static void add_face(polytope *p, int i, int j, int k) {
  thud_vec3 x = p->point[i], e = thud_vec3_subtract(p->point[j], x), f = thud_vec3_subtract(p->point[k], x);
  thud_vec3 area = thud_vec3_cross(e, f);
  face made = {.corner = {i, j, k}, .alive = true, .offset = INFINITY};
  double longest = fmax(thud_vec3_norm(e), fmax(thud_vec3_norm(f), thud_vec3_distance(p->point[j], p->point[k])));
  bool thick = thud_vec3_norm(area) > 10 * FLAT * p->scale * longest;
  if (thick && thud_vec3_normalise(area, &made.n)) made.offset = thud_vec3_dot(made.n, x);
  p->face[p->faces++] = made;
}

static void first_faces(polytope *p) {
  const thud_vec3 *x = p->point;
  thud_vec3 n = thud_vec3_cross(thud_vec3_subtract(x[1], x[0]), thud_vec3_subtract(x[2], x[0]));
  if (thud_vec3_dot(n, thud_vec3_subtract(x[3], x[0])) > 0) { /* seen from point 3 it turns counter-clockwise */
    thud_vec3 swapped = p->point[1];
    p->point[1] = p->point[2];
    p->point[2] = swapped;
  }
  add_face(p, 0, 1, 2);
  add_face(p, 0, 3, 1);
  add_face(p, 1, 3, 2);
  add_face(p, 2, 3, 0);
}

static int least_face(const polytope *p) {
  int best = -1;
  for (int k = 0; k < p->faces; k++)
    if (p->face[k].alive && p->face[k].offset < INFINITY && (best < 0 || p->face[k].offset < p->face[best].offset))
      best = k;
  return best;
}

/* Takes an edge to the list of the rim, or its reverse from it. */
static void toggle_edge(int edge[][2], int *count, int from, int to) {
  for (int k = 0; k < *count; k++)
    if (edge[k][0] == to && edge[k][1] == from) {
      edge[k][0] = edge[*count - 1][0];
      edge[k][1] = edge[*count - 1][1];
      (*count)--;
      return;
    }
  edge[*count][0] = from;
  edge[*count][1] = to;
  (*count)++;
}

static void drop_dead_faces(polytope *p) {
  int kept = 0;
  for (int k = 0; k < p->faces; k++)
    if (p->face[k].alive) p->face[kept++] = p->face[k];
  p->faces = kept;
}

/* Takes the point in: faces that see it go, and their rim is joined with it. False: there is no room. */
static bool take_point(polytope *p, int seen_by, thud_vec3 w) {
  int edge[MOST_EDGES][2], edges = 0;
  if (p->points == MOST_POINTS) return false;
  for (int k = 0; k < p->faces; k++) {
    face *f = &p->face[k];
    bool sees = k == seen_by || (f->offset < INFINITY && thud_vec3_dot(f->n, w) - f->offset > 1e-15 * p->scale);
    if (!sees) continue;
    f->alive = false;
    for (int i = 0; i < 3; i++) toggle_edge(edge, &edges, f->corner[i], f->corner[(i + 1) % 3]);
  }
  drop_dead_faces(p);
  if (p->faces + edges > MOST_FACES) return false;
  p->point[p->points++] = w;
  for (int k = 0; k < edges; k++) add_face(p, edge[k][0], edge[k][1], p->points - 1);
  return true;
}

double thud_verify_depth(const verify_difference *difference, thud_vec3 *normal, double *accuracy) {
  polytope p; /* only what is used is written: zeroing 40 kB took half of the time of verifying a pile */
  p.difference = difference;
  p.points = p.faces = 0;
  p.scale = 0;
  double depth = INFINITY, lower = -INFINITY;
  *accuracy = 0;
  if (!first_points(&p, normal)) return 0;
  first_faces(&p);
  for (bool room = true; room;) {
    int k = least_face(&p);
    if (k < 0) break;
    thud_vec3 n = p.face[k].n, w = thud_verify_difference_support(difference, n);
    double reach = thud_vec3_dot(n, w);
    lower = fmax(lower, p.face[k].offset); /* the polytope only grows */
    if (reach < depth) {
      depth = reach;
      *normal = n;
    }
    if (depth - lower <= TIGHT * p.scale) break;
    room = take_point(&p, k, w);
  }
  *accuracy = fmax(depth - lower, 0);
  return depth;
}

/* ---- the plane ------------------------------------------------------------------------------------------------------ */

/* Outward normal of the edge from x to y of a polygon that turns counter-clockwise. */
static bool edge_normal(thud_vec3 x, thud_vec3 y, thud_vec3 *n) {
  return thud_vec3_normalise(thud_vec3_make(y.y - x.y, x.x - y.x, 0), n);
}

static int least_edge(int count, const thud_vec3 *x, thud_vec3 *normal, double *offset) {
  int best = -1;
  *offset = INFINITY;
  for (int k = 0; k < count; k++) {
    thud_vec3 n;
    if (!edge_normal(x[k], x[(k + 1) % count], &n)) continue;
    double here = thud_vec3_dot(n, x[k]);
    if (!(here < *offset)) continue;
    *offset = here;
    *normal = n;
    best = k;
  }
  return best;
}

/* Three points of the difference that turn counter-clockwise; false: it is flat, *normal is across it. */
static bool first_triangle(const verify_difference *d, thud_vec3 *x, double *scale, thud_vec3 *normal) {
  x[0] = thud_verify_difference_support(d, thud_vec3_make(1, 0, 0));
  thud_vec3 one = far_point(d, x[0], thud_vec3_make(1, 0, 0)), other = far_point(d, x[0], thud_vec3_make(0, 1, 0));
  x[1] = thud_vec3_distance(one, x[0]) > thud_vec3_distance(other, x[0]) ? one : other;
  *scale = thud_vec3_distance(x[0], x[1]);
  *normal = thud_vec3_make(0, 1, 0);
  if (!edge_normal(x[0], x[1], normal)) return false;
  x[2] = far_point(d, x[0], *normal);
  double height = thud_vec3_dot(thud_vec3_subtract(x[2], x[0]), *normal);
  if (height > 0) {
    thud_vec3 swapped = x[0];
    x[0] = x[1];
    x[1] = swapped;
  }
  return fabs(height) > FLAT * *scale;
}

double thud_verify_flat_depth(const verify_difference *difference, thud_vec3 *normal, double *accuracy) {
  thud_vec3 x[MOST_POINTS];
  int count = 3;
  double depth = INFINITY, lower = 0, scale;
  *accuracy = 0;
  if (!first_triangle(difference, x, &scale, normal)) return 0;
  while (true) {
    thud_vec3 n;
    int k = least_edge(count, x, &n, &lower);
    if (k < 0) break;
    thud_vec3 w = thud_verify_difference_support(difference, n);
    double reach = thud_vec3_dot(n, w);
    if (reach < depth) {
      depth = reach;
      *normal = n;
    }
    if (depth - lower <= TIGHT * scale || count == MOST_POINTS) break;
    for (int i = count++; i > k + 1; i--) x[i] = x[i - 1];
    x[k + 1] = w;
  }
  *accuracy = fmax(depth - lower, 0);
  return depth;
}
