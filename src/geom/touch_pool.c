/* Contacts of a convex shape with many triangles, kept few. */
#include "geom/touch_pool.h"
#include "geom/manifold.h"
#include "geom/triangles.h"

/* Normals whose cosine is this near to 1 are the same, points this near relative to the size too: two triangles find the contact
 * with their common edge each, and the direction and place of round shapes is known to the root of 1e-13. */
#define SAME_NORMAL 1e-10
#define SAME_POINT 1e-6
/* 1 - cosine of the normals of one region, to begin with. */
#define REGION 1e-9
/* Gaps that differ by this fraction of the size count as equal in the choice of points. */
#define SAME_GAP 1e-7

static bool same_direction(thud_vec3 a, thud_vec3 b, double tolerance) { return thud_vec3_dot(a, b) >= 1 - tolerance; }

void thud_touch_pool_add(thud_touch_pool *pool, const thud_touch *touch, uint32_t rank) {
  for (size_t i = 0; i < pool->count; i++) {
    thud_touch *other = &pool->touches[i];
    if (thud_vec3_distance(other->on_a, touch->on_a) > SAME_POINT * pool->size) continue;
    if (!same_direction(other->normal, touch->normal, SAME_NORMAL)) continue;
    if (touch->gap < other->gap) {
      *other = *touch;
      pool->ranks[i] = rank;
    }
    return;
  }
  if (pool->count == THUD_TOUCH_POOL) thud_touch_pool_reduce(pool, THUD_TOUCH_POOL / 2);
  pool->ranks[pool->count] = rank;
  pool->touches[pool->count++] = *touch;
}

/* By rank; those of the same rank stay in their order. */
static void sort_by_rank(const thud_touch_pool *pool, size_t count, size_t *members) {
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && pool->ranks[members[j - 1]] > pool->ranks[members[j]]; j--) {
      size_t other = members[j];
      members[j] = members[j - 1];
      members[j - 1] = other;
    }
}

/* Among the contacts members[count], those that represent their region keep their mark in kept. */
static void pick(const thud_touch_pool *pool, size_t count, size_t *members, bool *kept) {
  sort_by_rank(pool, count, members);
  thud_vec3 points[THUD_TOUCH_POOL], normal = pool->touches[members[0]].normal;
  size_t chosen[THUD_MANIFOLD_MAX];
  for (size_t i = 0; i < count; i++) { /* at the height of the gap over the plane through the origin */
    const thud_touch *touch = &pool->touches[members[i]];
    points[i] = thud_vec3_add_scaled(touch->on_a, touch->gap - thud_vec3_dot(normal, touch->on_a), normal);
    kept[members[i]] = false;
  }
  size_t found =
      thud_manifold_pick(count, points, normal, 0, pool->margin, SAME_GAP * pool->size, THUD_MANIFOLD_MAX, chosen);
  for (size_t i = 0; i < found; i++) kept[members[chosen[i]]] = true;
}

/* Marks what stays when normals within the tolerance of a region's first one belong to it; how many stay. */
static size_t choose(const thud_touch_pool *pool, double tolerance, bool *kept) {
  bool taken[THUD_TOUCH_POOL] = {false};
  size_t members[THUD_TOUCH_POOL], left = 0;
  for (size_t i = 0; i < pool->count; i++) {
    if (taken[i]) continue;
    size_t count = 0;
    for (size_t j = i; j < pool->count; j++) {
      if (taken[j] || !same_direction(pool->touches[i].normal, pool->touches[j].normal, tolerance)) continue;
      taken[j] = kept[j] = true;
      members[count++] = j;
    }
    if (count > THUD_MANIFOLD_MAX) pick(pool, count, members, kept);
  }
  for (size_t i = 0; i < pool->count; i++) left += kept[i];
  return left;
}

void thud_touch_pool_reduce(thud_touch_pool *pool, size_t most) {
  bool kept[THUD_TOUCH_POOL];
  double tolerance = REGION;
  while (choose(pool, tolerance, kept) > most && tolerance < 2) tolerance *= 10;
  size_t count = 0;
  for (size_t i = 0; i < pool->count; i++) {
    if (!kept[i]) continue;
    pool->ranks[count] = pool->ranks[i];
    pool->touches[count++] = pool->touches[i];
  }
  pool->count = count;
}

void thud_touch_pool_tell_apart(thud_touch_pool *pool) {
  for (size_t i = 1; i < pool->count; i++)
    for (size_t j = 0; j < i;) {
      if (pool->touches[i].feature != pool->touches[j].feature) {
        j++;
      } else {
        pool->touches[i].feature++;
        j = 0;
      }
    }
}
