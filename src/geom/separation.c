/* How far two solids are apart or overlap, and in which direction: GJK, the facets of their difference, and the ascent to the
 * largest separation.
 *
 * Distance of convex sets: the point of least norm of their difference (Gilbert, Johnson and Keerthi, IEEE J. Robotics and
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

/* ---- directions of least depth --------------------------------------------------------------------------------- */

/* Directions of least depth of overlapping solids: the facets of a growing hull of points of their difference (van den Bergen,
 * "Proximity queries and penetration depth computation on 3D game objects", GDC 2001). Facet distances are lower bounds of the
 * depth and supports along facet normals upper ones, so that no direction is overlooked beyond the tolerance; the result is
 * polished elsewhere. */

enum { VERTICES_MAX = 96, FACETS_MAX = 2 * VERTICES_MAX, EDGES_MAX = 3 * FACETS_MAX, FIRST_DIRECTIONS = 14 };

/* A point must be this far above a facet, over the size, to see it. */
#define SEES 1e-9

typedef struct facet {
  uint8_t corners[3]; /* counter-clockwise from outside */
  bool done;          /* its support has been asked for */
  thud_vec3 normal;
  double distance; /* of its plane from the origin */
} facet;

typedef struct hull {
  size_t vertex_count, facet_count;
  thud_vec3 vertices[VERTICES_MAX];
  facet facets[FACETS_MAX];
  double size;
} hull;

static bool make_facet(const hull *h, uint8_t i, uint8_t j, uint8_t k, facet *f) {
  thud_vec3 u = thud_vec3_subtract(h->vertices[j], h->vertices[i]),
            v = thud_vec3_subtract(h->vertices[k], h->vertices[i]);
  *f = (facet){.corners = {i, j, k}};
  if (!thud_vec3_normalise(thud_vec3_cross(u, v), &f->normal)) return false;
  f->distance = thud_vec3_dot(f->normal, h->vertices[i]);
  return true;
}

/* Takes the facets away that the point sees and joins it to the border that remains. False when there is no room, or when
 * rounding makes a facet without a normal. */
static bool insert(hull *h, thud_vec3 point) {
  uint8_t edges[EDGES_MAX][2];
  size_t edge_count = 0, kept = 0;
  if (h->vertex_count == VERTICES_MAX) return false;
  for (size_t f = 0; f < h->facet_count; f++) {
    const facet *one = &h->facets[f];
    if (thud_vec3_dot(one->normal, point) - one->distance <= SEES * h->size) {
      h->facets[kept++] = *one;
      continue;
    }
    for (size_t k = 0; k < 3; k++, edge_count++) {
      edges[edge_count][0] = one->corners[k];
      edges[edge_count][1] = one->corners[(k + 1) % 3];
    }
  }
  if (edge_count == 0) return true;
  uint8_t tip = (uint8_t)h->vertex_count;
  h->vertices[h->vertex_count++] = point;
  h->facet_count = kept;
  for (size_t e = 0; e < edge_count; e++) {
    bool border = true; /* its other side was not seen */
    for (size_t o = 0; o < edge_count && border; o++) border = edges[o][0] != edges[e][1] || edges[o][1] != edges[e][0];
    if (!border) continue;
    if (h->facet_count == FACETS_MAX || !make_facet(h, edges[e][0], edges[e][1], tip, &h->facets[h->facet_count]))
      return false;
    h->facet_count++;
  }
  return true;
}

/* A tetrahedron of points far from each other; false when they all lie in a plane. */
static bool begin(hull *h, size_t count, const thud_vec3 *points) {
  size_t chosen[4] = {0, 0, 0, 0};
  thud_vec3 first = points[0], along = {0, 0, 0}, across = {0, 0, 0};
  for (size_t place = 1; place < 4; place++) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
      thud_vec3 d = thud_vec3_subtract(points[i], first);
      double value = place == 1   ? thud_vec3_norm(d)
                     : place == 2 ? thud_vec3_norm(thud_vec3_cross(along, d))
                                  : fabs(thud_vec3_dot(across, d));
      if (value <= most) continue;
      most = value;
      chosen[place] = i;
    }
    if (!(most > SEES * h->size)) return false;
    thud_vec3 d = thud_vec3_subtract(points[chosen[place]], first);
    if (place == 1) thud_vec3_normalise(d, &along);
    if (place == 2) thud_vec3_normalise(thud_vec3_cross(along, d), &across);
  }
  for (size_t i = 0; i < 4; i++) h->vertices[h->vertex_count++] = points[chosen[i]];
  bool up = thud_vec3_dot(across, thud_vec3_subtract(points[chosen[3]], first)) > 0;
  static const uint8_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (size_t f = 0; f < 4; f++) {
    const uint8_t *c = corners[f];
    if (!make_facet(h, c[0], up ? c[1] : c[2], up ? c[2] : c[1], &h->facets[h->facet_count++])) return false;
  }
  return true;
}

bool thud_epa(thud_starts *starts, double fine, double size) {
  hull h = {.size = size};
  thud_vec3 points[FIRST_DIRECTIONS];
  for (size_t i = 0; i < FIRST_DIRECTIONS; i++) { /* faces and corners of a cube */
    double side = i % 2 ? -1 : 1;
    thud_vec3 d = i < 6 ? thud_vec3_make(i / 2 == 0 ? side : 0, i / 2 == 1 ? side : 0, i / 2 == 2 ? side : 0)
                        : thud_vec3_make(side, i & 2 ? -1 : 1, i & 4 ? -1 : 1);
    points[i] = thud_starts_offer(starts, thud_vec3_negate(d));
  }
  if (!begin(&h, FIRST_DIRECTIONS, points)) return false;
  for (size_t i = 0; i < FIRST_DIRECTIONS; i++)
    if (!insert(&h, points[i])) return false;
  for (;;) {
    facet *nearest = NULL;
    for (size_t f = 0; f < h.facet_count; f++)
      if (!h.facets[f].done && (!nearest || h.facets[f].distance < nearest->distance)) nearest = &h.facets[f];
    if (!nearest || nearest->distance > -starts->best[0].gap - fine) return true;
    thud_vec3 point = thud_starts_offer(starts, thud_vec3_negate(nearest->normal));
    nearest->done = true;
    if (!insert(&h, point)) return false;
  }
}

/* ---- signed distance ------------------------------------------------------------------------------------------- */

/* Signed distance of two solids.
 *
 * s(n) = min over a of n.x - max over b of n.y is how far the unit vector n separates them; the signed distance is the largest
 * value of s. Where the cores are clearly apart, GJK finds it. Where they touch or overlap, the direction of a short difference
 * says nothing, and there may be several local maxima: a is moved away by t n until the shapes are clearly apart, and the
 * direction n' of their distance then maximises s(n') + t n.n', so that
 *
 *   s(n') >= s(n) + t (1 - n.n'):
 *
 * every such step improves the direction, and a fixed point is a local maximum (a difference-of-convex method; Pham Dinh and Le
 * Thi, Acta Math. Vietnam. 22(1), 1997). With t little more than the depth the error shrinks by about depth/(depth + radius of
 * curvature) in each. It begins at the best of the directions in which solids of these kinds have faces and edges. */

/* Cores farther apart than this times the size are judged by GJK alone. */
#define CLEARLY_APART 1e-3
/* The room that a is moved beyond touching, times the size. */
#define ROOM 1e-3
/* An improvement below this times the size ends the ascent. */
#define IMPROVEMENT 1e-13
enum { MOST_ASCENTS = 100 };

static double core_separation(const thud_placed *a, const thud_placed *b, thud_vec3 normal) {
  thud_vec3 low = thud_core_support(a, thud_vec3_negate(normal)), high = thud_core_support(b, normal);
  return thud_vec3_dot(normal, thud_vec3_subtract(low, high));
}

double thud_separation_along(const thud_placed *a, const thud_placed *b, thud_vec3 normal) {
  return core_separation(a, b, normal) - thud_core_radius(a->shape) - thud_core_radius(b->shape);
}

/* ---- ascent ---------------------------------------------------------------------------------------------------------- */

/* Makes the points differ by gap along the normal, and by nothing across it when they are apart; points of deep overlaps stay on
 * the surfaces. What the iterations leave is halved between both. */
static void align(thud_separation *best) {
  thud_vec3 between = thud_vec3_subtract(best->on_a, best->on_b);
  thud_vec3 wanted = thud_vec3_scale(best->gap, best->normal);
  thud_vec3 excess = thud_vec3_subtract(between, wanted);
  if (best->gap < 0) excess = thud_vec3_scale(thud_vec3_dot(excess, best->normal), best->normal);
  best->on_a = thud_vec3_add_scaled(best->on_a, -0.5, excess);
  best->on_b = thud_vec3_add_scaled(best->on_b, 0.5, excess);
}

/* Goes on from the direction `from` beyond best->normal as long as that separates more: where the surfaces are nearly concentric
 * the steps of the ascent are short. */
static void stretch(const thud_placed *a, const thud_placed *b, thud_vec3 from, thud_separation *best) {
  thud_vec3 step = thud_vec3_subtract(best->normal, from), next;
  for (double factor = 2; factor < 1e3; factor *= 2) {
    if (!thud_vec3_normalise(thud_vec3_add_scaled(from, factor, step), &next)) return;
    double gap = core_separation(a, b, next);
    if (gap <= best->gap) return;
    best->gap = gap;
    best->normal = next;
  }
}

/* Improves best->normal and its gap (that of the cores), and finds the points. */
static void ascend(const thud_placed *a, const thud_placed *b, double size, thud_separation *best) {
  for (int step = 0; step < MOST_ASCENTS; step++) {
    double t = thud_larger(-best->gap, 0) + ROOM * size;
    thud_vec3 shift = thud_vec3_scale(t, best->normal), from = best->normal;
    thud_gjk_result far = thud_gjk(a, b, shift, from, size);
    if (!far.apart) return;
    double gap = far.separation - t * thud_vec3_dot(from, far.normal);
    bool done = gap <= best->gap + IMPROVEMENT * size;
    best->on_a = thud_vec3_subtract(far.on_a, shift);
    best->on_b = far.on_b;
    if (gap > best->gap) {
      best->gap = gap;
      best->normal = far.normal;
    }
    if (done) break;
    stretch(a, b, from, best);
  }
  align(best);
}

/* ---- directions to begin with ------------------------------------------------------------------------------------------ */

/* Cosine of the angle within which two directions are one start. */
#define SAME_START 0.995

static void starts_remove(thud_starts *starts, size_t place) {
  for (size_t i = place + 1; i < starts->count; i++) starts->best[i - 1] = starts->best[i];
  starts->count--;
}

static void starts_insert(thud_starts *starts, const thud_separation *one) {
  for (size_t i = 0; i < starts->count; i++) {
    if (thud_vec3_dot(starts->best[i].normal, one->normal) < SAME_START) continue;
    if (starts->best[i].gap >= one->gap) return;
    starts_remove(starts, i--);
  }
  size_t place = starts->count;
  while (place > 0 && one->gap > starts->best[place - 1].gap) place--;
  if (place == THUD_STARTS) return;
  if (starts->count < THUD_STARTS) starts->count++;
  for (size_t i = starts->count - 1; i > place; i--) starts->best[i] = starts->best[i - 1];
  starts->best[place] = *one;
}

thud_vec3 thud_starts_offer(thud_starts *starts, thud_vec3 direction) {
  thud_separation one = {.gap = 0};
  if (!thud_vec3_normalise(direction, &one.normal)) one.normal = thud_vec3_make(0, 0, 1);
  one.on_a = thud_core_support(starts->a, thud_vec3_negate(one.normal));
  one.on_b = thud_core_support(starts->b, one.normal);
  thud_vec3 difference = thud_vec3_subtract(one.on_a, one.on_b);
  one.gap = thud_vec3_dot(one.normal, difference);
  starts_insert(starts, &one);
  return difference;
}

/* Directions shorter than this are 0: products of parallel axes. */
#define NO_DIRECTION 1e-7

static void offer_both_ways(thud_starts *starts, thud_vec3 direction, double unit) {
  if (!(thud_vec3_norm(direction) > NO_DIRECTION * unit)) return;
  thud_starts_offer(starts, direction);
  thud_starts_offer(starts, thud_vec3_negate(direction));
}

/* Normals of a hull's faces, or the axes of other shapes, and what of the vector between the shapes is across the axis. */
static void offer_faces(thud_starts *starts, const thud_placed *placed, double sign, thud_vec3 between) {
  const thud_polyhedron *solid = &placed->shape->polyhedron;
  if (placed->shape->class->by_faces) {
    for (thud_index f = 0; f < solid->face_count; f++)
      thud_starts_offer(starts, thud_vec3_scale(sign, thud_mat3_apply(placed->rotation, solid->face_normals[f])));
    return;
  }
  for (size_t k = 0; k < 3; k++) offer_both_ways(starts, thud_mat3_column(&placed->rotation, k), 1);
  thud_vec3 axis = placed->rotation.cz;
  offer_both_ways(starts, thud_vec3_add_scaled(between, -thud_vec3_dot(axis, between), axis), thud_vec3_norm(between));
}

static void offer_crosses(thud_starts *starts, const thud_placed *a, const thud_placed *b) {
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      offer_both_ways(starts, thud_vec3_cross(thud_mat3_column(&a->rotation, i), thud_mat3_column(&b->rotation, j)), 1);
}

/* Differences of polyhedra have facets and the search ends at them; those of others are searched to a finer or coarser hull. */
#define FINE_POLYHEDRA 1e-10
#define FINE_OTHERS 1e-6
/* Directions that are worse than the best by more than this times the size, after the search, belong to no better maximum. */
#define RIVAL 2e-4

/* A capsule counts by its core. */
static bool is_polyhedron(const thud_placed *placed) {
  return placed->shape->class->faceted || placed->shape->class->pairs == THUD_PAIRS_CAPSULE;
}

/* Overlaps that are shallower than this times the size are not searched further: whatever direction is overlooked is better by
 * less than that. */
#define SHALLOW 1e-5

/* True if a local maximum is known to be the largest. A ball that rolls inside of a also rolls inside of a - b, which is a union
 * of copies of a; when it touches the boundary of a - b where the normal passes through the origin, and the origin is in the
 * ball, no other point of the boundary is nearer. */
static bool is_largest(const thud_placed *a, const thud_placed *b, double size, const thud_separation *found) {
  return -found->gap <= thud_larger(SHALLOW * size, a->shape->rolling_radius + b->shape->rolling_radius);
}

static thud_separation overlap(const thud_placed *a, const thud_placed *b, thud_vec3 between, double size) {
  thud_starts starts = {.a = a, .b = b};
  thud_separation best;
  offer_both_ways(&starts, between, thud_vec3_norm(between));
  if (a->shape->rolling_radius + b->shape->rolling_radius > 0) {
    best = starts.best[0];
    ascend(a, b, size, &best);
    if (is_largest(a, b, size, &best)) return best;
    starts_insert(&starts, &best);
  }
  offer_faces(&starts, a, -1, between);
  offer_faces(&starts, b, 1, between);
  offer_crosses(&starts, a, b);
  best = starts.best[0];
  ascend(a, b, size, &best);
  if (is_largest(a, b, size, &best)) return best;
  starts_insert(&starts, &best);
  bool sure = thud_epa(&starts, (is_polyhedron(a) && is_polyhedron(b) ? FINE_POLYHEDRA : FINE_OTHERS) * size, size);
  for (size_t i = 0; i < starts.count; i++) {
    thud_separation *rival = &starts.best[i];
    bool same = thud_vec3_distance(rival->normal, best.normal) <= 0;
    if (same || (sure && rival->gap < best.gap - RIVAL * size)) continue;
    ascend(a, b, size, rival);
    if (rival->gap > best.gap) best = *rival;
  }
  return best;
}

thud_separation thud_separate(const thud_placed *a, const thud_placed *b, double most) {
  double radius_a = thud_core_radius(a->shape), radius_b = thud_core_radius(b->shape);
  double size = a->shape->reach < b->shape->reach ? a->shape->reach : b->shape->reach;
  thud_vec3 between = thud_vec3_subtract(a->position, b->position);
  thud_separation best = {.gap = thud_vec3_norm(between) - a->shape->reach - b->shape->reach};
  if (best.gap > most) return best;
  thud_vec3 start = thud_vec3_norm(between) > 0 ? between : thud_vec3_make(0, 0, 1);
  thud_gjk_result result = thud_gjk(a, b, thud_vec3_make(0, 0, 0), start, size);
  thud_vec3 out; /* from the points of the cores to the surfaces, so that they keep lying opposite to each other */
  if (result.apart && result.distance > CLEARLY_APART * size) {
    best = (thud_separation){result.separation, result.normal, result.on_a, result.on_b};
    out = thud_vec3_scale(1 / result.distance, result.difference);
  } else if (result.apart && result.distance > 1e-9 * size) {
    best = (thud_separation){result.separation, result.normal, result.on_a, result.on_b};
    ascend(a, b, size, &best);
    out = best.normal;
  } else {
    best = overlap(a, b, start, size);
    out = best.normal;
  }
  best.gap -= radius_a + radius_b;
  best.on_a = thud_vec3_add_scaled(best.on_a, -radius_a, out);
  best.on_b = thud_vec3_add_scaled(best.on_b, radius_b, out);
  return best;
}
