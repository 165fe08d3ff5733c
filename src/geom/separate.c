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
#include "geom/separate.h"

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

/* Of a capsule: its core. */
static bool is_polyhedron(const thud_placed *placed) {
  return placed->shape->class->faceted || placed->shape->class->pairs == THUD_PAIRS_CAPSULE;
}

/* Overlaps that are shallower than this times the size are not searched further: whatever direction is overlooked is better by
 * less than that. */
#define SHALLOW 1e-5

/* Whether a local maximum is known to be the largest. A ball that rolls inside of a also rolls inside of a - b, which is a union
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
