/* Distance of convex sets: the point of least norm of their difference (Gilbert, Johnson and Keerthi, IEEE J. Robotics and
 * Automation 4(2), 1988). Of the sub-simplices that contain the newest point the nearest one is taken by comparing distances,
 * so that rounding in one of them cannot mislead the method. */
#include "geom/separate.h"

enum { MOST_STEPS = 128, MOST_STALLED = 4 };
/* The method ends when no point of the difference can be nearer by more than this times the size and distance, which is what
 * rounding of the points leaves. */
#define DUALITY_GAP 1e-13
#define ROUNDING (4 * DBL_EPSILON) /* of points, over the reaches of both shapes */

double thud_core_radius(const thud_shape *shape) { return shape->class->core != NULL ? shape->def.radius : 0; }

thud_vec3 thud_core_support(const thud_placed *placed, thud_vec3 direction) {
  const thud_shape_class *class = placed->shape->class;
  if (class->core != NULL) return class->core(placed, direction);
  thud_vec3 local = thud_mat3_apply_transposed(placed->rotation, direction);
  return thud_placed_point(placed, class->support(placed->shape, local));
}

typedef struct vertex {
  thud_vec3 w, a, b; /* w = a - b */
} vertex;

typedef struct simplex {
  size_t count;
  vertex vertices[4];
  double weights[4]; /* of the point of least norm */
} simplex;

/* A candidate for the point of least norm: newest + sum weights_i (vertex_i - newest) over a subset of the others. */
typedef struct candidate {
  double norm2, weights[3];
  bool found, inside;
} candidate;

static void consider(candidate *best, thud_vec3 w, size_t count, const size_t *members, const thud_vec3 *edges,
                     const double *weights) {
  thud_vec3 point = w;
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(weights[i] > 0)) return;
    sum += weights[i];
    point = thud_vec3_add_scaled(point, weights[i], edges[members[i]]);
  }
  if (!(sum < 1)) return;
  double norm2 = thud_vec3_dot(point, point);
  if (best->found && norm2 >= best->norm2) return;
  *best = (candidate){.norm2 = norm2, .found = true, .inside = count == 3};
  for (size_t i = 0; i < count; i++) best->weights[members[i]] = weights[i];
}

static void consider_edge(candidate *best, thud_vec3 w, const thud_vec3 *edges, size_t i) {
  double weight = -thud_vec3_dot(w, edges[i]) / thud_vec3_dot(edges[i], edges[i]);
  consider(best, w, 1, &i, edges, &weight);
}

static void consider_triangle(candidate *best, thud_vec3 w, const thud_vec3 *edges, size_t i, size_t j) {
  size_t members[2] = {i, j};
  thud_vec3 normal = thud_vec3_cross(edges[i], edges[j]);
  double square = thud_vec3_dot(normal, normal);
  if (!(square > 0)) return;
  double weights[2] = {-thud_vec3_dot(thud_vec3_cross(w, edges[j]), normal) / square,
                       -thud_vec3_dot(thud_vec3_cross(edges[i], w), normal) / square};
  consider(best, w, 2, members, edges, weights);
}

static void consider_tetrahedron(candidate *best, thud_vec3 w, const thud_vec3 *edges) {
  static const size_t members[3] = {0, 1, 2};
  thud_vec3 normals[3] = {thud_vec3_cross(edges[1], edges[2]), thud_vec3_cross(edges[2], edges[0]),
                          thud_vec3_cross(edges[0], edges[1])};
  double volume = thud_vec3_dot(edges[0], normals[0]);
  if (!(fabs(volume) > 0)) return;
  double weights[3];
  for (size_t i = 0; i < 3; i++) weights[i] = -thud_vec3_dot(w, normals[i]) / volume;
  consider(best, w, 3, members, edges, weights);
}

/* Keeps of the simplex what carries its point of least norm; false when that is inside of a tetrahedron. */
static bool reduce(simplex *s) {
  size_t others = s->count - 1;
  vertex newest = s->vertices[others];
  thud_vec3 edges[3];
  for (size_t i = 0; i < others; i++) edges[i] = thud_vec3_subtract(s->vertices[i].w, newest.w);
  candidate best = {.norm2 = thud_vec3_dot(newest.w, newest.w), .found = true};
  for (size_t i = 0; i < others; i++) {
    consider_edge(&best, newest.w, edges, i);
    for (size_t j = 0; j < i; j++) consider_triangle(&best, newest.w, edges, j, i);
  }
  if (others == 3) consider_tetrahedron(&best, newest.w, edges);
  if (best.inside) return false;
  size_t kept = 0;
  double rest = 1;
  for (size_t i = 0; i < others; i++) {
    if (!(best.weights[i] > 0)) continue;
    rest -= best.weights[i];
    s->weights[kept] = best.weights[i];
    s->vertices[kept++] = s->vertices[i];
  }
  s->weights[kept] = rest;
  s->vertices[kept] = newest;
  s->count = kept + 1;
  return true;
}

/* One step of refinement: v is orthogonal to the simplex but for rounding of the weights, which matters when v is short. */
static thud_vec3 orthogonal_to(const simplex *s, thud_vec3 v) {
  thud_vec3 u = thud_vec3_subtract(s->vertices[0].w, s->vertices[s->count - 1].w);
  if (s->count == 2) return thud_vec3_add_scaled(v, -thud_vec3_dot(u, v) / thud_vec3_dot(u, u), u);
  if (s->count < 3) return v;
  thud_vec3 normal = thud_vec3_cross(u, thud_vec3_subtract(s->vertices[1].w, s->vertices[2].w));
  double square = thud_vec3_dot(normal, normal);
  return square > 0 ? thud_vec3_scale(thud_vec3_dot(v, normal) / square, normal) : v;
}

static thud_gjk_result result_of(const simplex *s) {
  thud_gjk_result result = {.apart = true};
  for (size_t i = 0; i < s->count; i++) {
    result.on_a = thud_vec3_add_scaled(result.on_a, s->weights[i], s->vertices[i].a);
    result.on_b = thud_vec3_add_scaled(result.on_b, s->weights[i], s->vertices[i].b);
    result.difference = thud_vec3_add_scaled(result.difference, s->weights[i], s->vertices[i].w);
  }
  result.difference = orthogonal_to(s, result.difference);
  result.distance = thud_vec3_norm(result.difference);
  return result;
}

static vertex support_of_difference(const thud_placed *a, const thud_placed *b, thud_vec3 shift, thud_vec3 direction) {
  vertex v;
  v.a = thud_vec3_add(thud_core_support(a, thud_vec3_negate(direction)), shift);
  v.b = thud_core_support(b, direction);
  v.w = thud_vec3_subtract(v.a, v.b);
  return v;
}

/* ---- curved surfaces --------------------------------------------------------------------------------------------------- */

/* Where both surfaces are smooth or pointed, the difference w(n) of the points that limit a direction n is smooth in n, and
 * the shortest difference is the root of its part across n. Newton's method finds it in a few steps, each worth as many supports
 * as three steps of the method above, whose error only shrinks by a factor in each step. What it finds is proved like everything
 * else: by the distance of its points and the separation along its direction. */
enum { FIRST_NEWTON = 7, BETWEEN_NEWTON = 8, NEWTON_STEPS = 6 };
#define NEWTON_ANGLE 1e-5 /* of the differences that stand for derivatives */

typedef struct query {
  const thud_placed *a, *b;
  thud_vec3 shift;
  double least; /* a length: duality gaps below it, and DUALITY_GAP times the distance, are 0 */
} query;

/* The part of w(n) across n, along two directions. */
static thud_vec2 across(const query *q, const thud_mat3 *frame, thud_vec3 n, vertex *v) {
  *v = support_of_difference(q->a, q->b, q->shift, n);
  thud_vec3 rest = thud_vec3_add_scaled(v->w, -thud_vec3_dot(v->w, n), n);
  return thud_vec2_make(thud_vec3_dot(frame->cy, rest), thud_vec3_dot(frame->cz, rest));
}

static thud_vec3 tilted(const thud_mat3 *frame, thud_vec2 angles) {
  thud_vec3 n = thud_vec3_add_scaled(thud_vec3_add_scaled(frame->cx, angles.x, frame->cy), angles.y, frame->cz);
  return thud_vec3_scale(1 / thud_vec3_norm(n), n);
}

/* The angles at which the linearised part across vanishes; false when there are none that are small. */
static bool newton_step(const query *q, const thud_mat3 *frame, thud_vec2 f, thud_vec2 *angles) {
  vertex v;
  thud_vec2 x = thud_vec2_subtract(across(q, frame, tilted(frame, thud_vec2_make(NEWTON_ANGLE, 0)), &v), f);
  thud_vec2 y = thud_vec2_subtract(across(q, frame, tilted(frame, thud_vec2_make(0, NEWTON_ANGLE)), &v), f);
  double determinant = thud_vec2_cross(x, y);
  *angles = thud_vec2_scale(-NEWTON_ANGLE / determinant, thud_vec2_make(thud_vec2_cross(f, y), thud_vec2_cross(x, f)));
  return thud_vec2_norm(*angles) < 0.5;
}

/* Sets the result and returns true when it is proved. */
static bool newton(const query *q, thud_vec3 normal, thud_gjk_result *result) {
  double before = INFINITY;
  for (int step = 0; step < NEWTON_STEPS; step++) {
    thud_mat3 frame = thud_mat3_frame(normal);
    vertex v;
    thud_vec2 f = across(q, &frame, normal, &v), angles;
    double separation = thud_vec3_dot(normal, v.w), distance = thud_vec3_norm(v.w), now = thud_vec2_norm(f);
    if (separation > 0 && distance - separation <= q->least + DUALITY_GAP * distance) {
      *result = (thud_gjk_result){true, v.w, v.a, v.b, distance, normal, separation};
      return true;
    }
    if (now > 0.5 * before || !newton_step(q, &frame, f, &angles)) return false;
    before = now;
    normal = tilted(&frame, angles);
  }
  return false;
}

/* ---- the method ---------------------------------------------------------------------------------------------------------- */

static bool is_corner(const simplex *s, thud_vec3 w) {
  for (size_t i = 0; i < s->count; i++)
    if (s->vertices[i].w.x == w.x && s->vertices[i].w.y == w.y && s->vertices[i].w.z == w.z) return true;
  return false;
}

thud_gjk_result thud_gjk(const thud_placed *a, const thud_placed *b, thud_vec3 shift, thud_vec3 start, double size) {
  simplex s = {.count = 1, .weights = {1}};
  s.vertices[0] = support_of_difference(a, b, shift, start);
  thud_gjk_result result = result_of(&s), now = result;
  result.separation = -INFINITY;
  bool curved = a->shape->class->curved || b->shape->class->curved;
  query q = {a, b, shift, DUALITY_GAP * size + ROUNDING * (a->shape->reach + b->shape->reach)};
  int stalled = 0; /* steps without a nearer point: below rounding, but the direction may still improve */
  for (int step = 0; step < MOST_STEPS && stalled < MOST_STALLED; step++) {
    double tolerance = q.least + DUALITY_GAP * now.distance;
    if (!(now.distance > tolerance)) return (thud_gjk_result){.apart = false};
    thud_vec3 direction = thud_vec3_scale(1 / now.distance, now.difference);
    vertex next = support_of_difference(a, b, shift, direction);
    double separation = thud_vec3_dot(direction, next.w);
    if (separation > result.separation) {
      result.separation = separation;
      result.normal = direction;
    }
    if (result.distance - result.separation <= tolerance || is_corner(&s, next.w)) break;
    if (curved && step % BETWEEN_NEWTON == FIRST_NEWTON && newton(&q, result.normal, &result)) break;
    s.vertices[s.count++] = next;
    if (!reduce(&s)) return (thud_gjk_result){.apart = false};
    now = result_of(&s);
    stalled = now.distance < result.distance ? 0 : stalled + 1;
    if (stalled > 0) continue;
    result.difference = now.difference;
    result.distance = now.distance;
    result.on_a = now.on_a;
    result.on_b = now.on_b;
  }
  return result;
}
