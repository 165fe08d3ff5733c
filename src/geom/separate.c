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
#define ROOM 1e-2
/* An improvement below this times the size ends the ascent. */
#define IMPROVEMENT 1e-15
enum { MOST_ASCENTS = 100, STARTS = 3 };

double thud_separation_along(const thud_placed *a, const thud_placed *b, thud_vec3 normal) {
  thud_vec3 low = thud_core_support(a, thud_vec3_negate(normal)), high = thud_core_support(b, normal);
  return thud_vec3_dot(normal, thud_vec3_subtract(low, high)) - thud_core_radius(a->shape) - thud_core_radius(b->shape);
}

/* ---- ascent ---------------------------------------------------------------------------------------------------------- */

/* Improves best->normal and all that belongs to it; its gap is that of the cores. */
static void ascend(const thud_placed *a, const thud_placed *b, double size, thud_separation *best) {
  for (int step = 0; step < MOST_ASCENTS; step++) {
    double t = thud_larger(-best->gap, 0) + ROOM * size;
    thud_vec3 shift = thud_vec3_scale(t, best->normal);
    thud_gjk_result far = thud_gjk(a, b, shift, best->normal, size);
    thud_separation next;
    if (!far.apart || !thud_vec3_normalise(far.difference, &next.normal)) break;
    next.gap = far.distance - t * thud_vec3_dot(best->normal, next.normal);
    next.on_a = thud_vec3_subtract(far.on_a, shift);
    next.on_b = far.on_b;
    bool better = next.gap > best->gap + IMPROVEMENT * size || step == 0;
    if (better) *best = next;
    if (!better || step + 1 == MOST_ASCENTS) break;
  }
}

/* ---- directions to begin with ------------------------------------------------------------------------------------------ */

typedef struct starts {
  const thud_placed *a, *b;
  size_t count;
  thud_separation best[STARTS]; /* by falling gap of the cores */
} starts;

static void offer(starts *all, thud_vec3 direction) {
  thud_separation one = {.gap = 0};
  if (!thud_vec3_normalise(direction, &one.normal)) return;
  thud_vec3 low = thud_core_support(all->a, thud_vec3_negate(one.normal));
  thud_vec3 high = thud_core_support(all->b, one.normal);
  one.gap = thud_vec3_dot(one.normal, thud_vec3_subtract(low, high));
  one.on_a = low;
  one.on_b = high;
  size_t place = all->count;
  while (place > 0 && one.gap > all->best[place - 1].gap) place--;
  if (place == STARTS) return;
  if (all->count < STARTS) all->count++;
  for (size_t i = all->count - 1; i > place; i--) all->best[i] = all->best[i - 1];
  all->best[place] = one;
}

static void offer_both_ways(starts *all, thud_vec3 direction) {
  offer(all, direction);
  offer(all, thud_vec3_negate(direction));
}

/* Normals of the faces of a polyhedron, or the axes of other shapes. */
static void offer_faces(starts *all, const thud_placed *placed, double sign) {
  const thud_polyhedron *solid = &placed->shape->polyhedron;
  if (placed->shape->def.kind == THUD_SHAPE_HULL)
    for (thud_index f = 0; f < solid->face_count; f++)
      offer(all, thud_vec3_scale(sign, thud_mat3_apply(placed->rotation, solid->face_normals[f])));
  else {
    offer_both_ways(all, placed->rotation.cx);
    offer_both_ways(all, placed->rotation.cy);
    offer_both_ways(all, placed->rotation.cz);
  }
}

static void offer_crosses(starts *all, const thud_placed *a, const thud_placed *b) {
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      offer_both_ways(all, thud_vec3_cross(thud_mat3_column(&a->rotation, i), thud_mat3_column(&b->rotation, j)));
}

static thud_separation overlap(const thud_placed *a, const thud_placed *b, thud_vec3 between, double size) {
  starts all = {.a = a, .b = b};
  offer_both_ways(&all, between);
  offer_faces(&all, a, -1);
  offer_faces(&all, b, 1);
  offer_crosses(&all, a, b);
  thud_separation best = {.gap = -INFINITY};
  for (size_t i = 0; i < all.count; i++) {
    ascend(a, b, size, &all.best[i]);
    if (all.best[i].gap > best.gap) best = all.best[i];
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
  if (result.apart && result.distance > CLEARLY_APART * size) {
    best = (thud_separation){result.distance, thud_vec3_scale(1 / result.distance, result.difference), result.on_a,
                             result.on_b};
  } else if (result.apart && result.distance > 1e-9 * size) {
    best = (thud_separation){0, thud_vec3_scale(1 / result.distance, result.difference), result.on_a, result.on_b};
    best.gap = thud_separation_along(a, b, best.normal) + radius_a + radius_b;
    ascend(a, b, size, &best);
  } else {
    best = overlap(a, b, start, size);
  }
  best.gap -= radius_a + radius_b;
  best.on_a = thud_vec3_add_scaled(best.on_a, -radius_a, best.normal);
  best.on_b = thud_vec3_add_scaled(best.on_b, radius_b, best.normal);
  return best;
}
