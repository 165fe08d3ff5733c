/* Any two solids: their separation, and the points where flat or straight parts lie on each other. */
#include "geom/manifold.h"
#include "geom/separate.h"

/* A face whose normal is within this angle of the separation's (1 - cos, so an angle of 1.4e-4) is its reference if it
 * separates as well to SAME_GAP of the size. */
#define SAME_DIRECTION 1e-8
#define SAME_GAP 3e-8
/* Gaps differ by less than this fraction of the size by rounding alone. */
#define ROUNDING 1e-12
/* Outside by less than this fraction of the size is inside. */
#define SAME_LENGTH 2e-8
/* Straight parts touch along a line when the sine of their angle is below this. */
#define PARALLEL_SINE 1e-3

enum { CLOSEST = 0x1ffff, LINE_LOW = 0x1fffd, LINE_HIGH = 0x1fffe }; /* features beside those of clipping */

typedef struct meeting {
  const thud_placed *a, *b;
  thud_separation best;
  thud_flat flat_a, flat_b;
  double margin, size;
  size_t most; /* contacts that may be found */
} meeting;

/* True if the polygon's plane is the one that separates. */
static bool is_reference(const meeting *pair, const thud_flat *flat, double sign) {
  if (flat->count < 3) return false;
  thud_vec3 normal = thud_vec3_scale(sign, flat->normal);
  if (thud_vec3_dot(normal, pair->best.normal) < 1 - SAME_DIRECTION) return false;
  return thud_separation_along(pair->a, pair->b, normal) >= pair->best.gap - SAME_GAP * pair->size;
}

/* A polygon's edge that reaches farthest along a direction. */
static void highest_edge(thud_flat *flat, thud_vec3 direction) {
  if (flat->count < 3) return;
  size_t best = 0;
  double most = -INFINITY;
  for (size_t i = 0; i < flat->count; i++) {
    thud_vec3 sum = thud_vec3_add(flat->points[i], flat->points[i + 1 < flat->count ? i + 1 : 0]);
    double height = thud_vec3_dot(direction, sum);
    if (height <= most + SAME_LENGTH * (fabs(most) + fabs(height))) continue;
    most = height;
    best = i;
  }
  thud_vec3 start = flat->points[best], end = flat->points[best + 1 < flat->count ? best + 1 : 0];
  flat->name = flat->name * 64 + (uint32_t)best;
  flat->count = 2;
  flat->points[0] = start;
  flat->points[1] = end;
}

/* Edges that cross or pass each other at a small angle have their points beside each other, not opposite; on a round side,
 * which has lines everywhere, that does not matter. */
static bool lie_opposite(const meeting *pair, const thud_touch *touch) {
  if (pair->flat_a.count < 3 || pair->flat_b.count < 3) return true;
  thud_vec3 beside = thud_vec3_add_scaled(thud_vec3_subtract(touch->on_a, touch->on_b), -touch->gap, touch->normal);
  return thud_vec3_norm(beside) <= SAME_LENGTH * pair->size + (touch->gap - pair->best.gap);
}

/* Two parallel edges: the ends of their common part. */
static size_t touch_lines(const meeting *pair, thud_touch *touches) {
  thud_flat a = pair->flat_a, b = pair->flat_b;
  highest_edge(&a, thud_vec3_negate(pair->best.normal));
  highest_edge(&b, pair->best.normal);
  thud_vec3 edge_a = thud_vec3_subtract(a.points[1], a.points[0]),
            edge_b = thud_vec3_subtract(b.points[1], b.points[0]);
  double length_a = thud_vec3_norm(edge_a), length_b = thud_vec3_norm(edge_b);
  if (thud_vec3_norm(thud_vec3_cross(edge_a, edge_b)) > PARALLEL_SINE * length_a * length_b) return 0;
  thud_vec3 along = thud_vec3_scale(1 / length_a, edge_a);
  double ends[2], slope = thud_vec3_dot(along, edge_b);
  for (size_t i = 0; i < 2; i++) ends[i] = thud_vec3_dot(along, thud_vec3_subtract(b.points[i], a.points[0]));
  double low = thud_larger(0, ends[0] < ends[1] ? ends[0] : ends[1]);
  double high = -thud_larger(-length_a, -thud_larger(ends[0], ends[1]));
  if (high - low < 1e-6 * pair->size) return 0;
  size_t count = 0;
  for (size_t i = 0; i < 2; i++) {
    double at = i == 0 ? low : high;
    thud_touch *touch = &touches[count];
    touch->normal = pair->best.normal;
    touch->on_a = thud_vec3_add_scaled(a.points[0], at, along);
    touch->on_b = thud_vec3_add_scaled(b.points[0], (at - ends[0]) / slope, edge_b);
    touch->gap = thud_vec3_dot(touch->normal, thud_vec3_subtract(touch->on_a, touch->on_b));
    touch->feature = i == 0 ? LINE_LOW : LINE_HIGH;
    count += touch->gap <= pair->margin && lie_opposite(pair, touch);
  }
  return count;
}

/* Lines of round sides are known to the root of the distance's accuracy: the least gap is the distance nevertheless. */
static void deepen(size_t count, thud_touch *touches, double excess) {
  for (size_t i = 0; i < count; i++) {
    touches[i].gap -= excess;
    touches[i].on_b = thud_vec3_add_scaled(touches[i].on_b, excess, touches[i].normal);
  }
}

/* The closest points themselves, unless some contact is as deep; in the place of the nearest one when there is no room. */
static size_t add_closest(const meeting *pair, size_t count, thud_touch *touches) {
  if (!(pair->best.gap <= pair->margin)) return count;
  double excess = thud_least_gap(count, touches) - pair->best.gap;
  if (excess <= SAME_GAP * pair->size) {
    if (excess > ROUNDING * pair->size) deepen(count, touches, excess);
    return count;
  }
  size_t place = count;
  if (count == pair->most) {
    place = 0;
    for (size_t i = 1; i < count; i++)
      if (thud_vec3_distance(touches[i].on_a, pair->best.on_a) <
          thud_vec3_distance(touches[place].on_a, pair->best.on_a))
        place = i;
  } else {
    count++;
  }
  touches[place] = (thud_touch){pair->best.normal, pair->best.on_a, pair->best.on_b, pair->best.gap, CLOSEST};
  return count;
}

/* Solids that lie on each other up to a small tilt. */
static size_t lie_on_each_other(const meeting *pair, thud_touch *touches) {
  const thud_flat *a = &pair->flat_a, *b = &pair->flat_b;
  double tolerance = SAME_LENGTH * pair->size;
  size_t count = 0;
  if (a->count > 2)
    count = thud_manifold_lie(a, b, -1, pair->best.normal, pair->margin, tolerance, pair->most, touches);
  if (count == 0 && b->count > 2)
    count = thud_manifold_lie(b, a, 1, pair->best.normal, pair->margin, tolerance, pair->most, touches);
  return count;
}

static size_t touch_parts(meeting *pair, thud_touch *touches) {
  thud_flat_facing(pair->a, thud_vec3_negate(pair->best.normal), &pair->flat_a);
  thud_flat_facing(pair->b, pair->best.normal, &pair->flat_b);
  bool by_a = is_reference(pair, &pair->flat_a, -1), by_b = is_reference(pair, &pair->flat_b, 1);
  if (by_a && by_b) by_a = !(pair->flat_a.radius > 0); /* corners of the other's clipped face then lie on a rim */
  const thud_flat *reference = by_a ? &pair->flat_a : &pair->flat_b, *incident = by_a ? &pair->flat_b : &pair->flat_a;
  size_t count = lie_on_each_other(pair, touches);
  if (count > 0) return add_closest(pair, count, touches);
  if (by_a || by_b) {
    double sign = by_a ? -1 : 1;
    if (incident->count > 1)
      count =
          thud_manifold_clip(reference, incident, sign, pair->margin, SAME_LENGTH * pair->size, pair->most, touches);
  } else if (pair->flat_a.count > 1 && pair->flat_b.count > 1) {
    count = touch_lines(pair, touches);
  }
  return add_closest(pair, count, touches);
}

size_t thud_pair_solid_solid(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                             double margin, thud_touch *touches) {
  return thud_solids_collide(a, pose_a, b, pose_b, margin, THUD_MANIFOLD_MAX, touches);
}

size_t thud_solids_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, size_t most, thud_touch *touches) {
  thud_vec3 origin = pose_a->position;
  thud_placed placed_a = thud_place(a, pose_a, origin), placed_b = thud_place(b, pose_b, origin);
  meeting pair = {.a = &placed_a, .b = &placed_b, .margin = margin, .most = most};
  pair.size = thud_pair_size(a, b);
  pair.best = thud_separate(&placed_a, &placed_b, margin);
  if (!(pair.best.gap <= margin)) return 0;
  size_t count = touch_parts(&pair, touches);
  for (size_t i = 0; i < count; i++) {
    touches[i].on_a = thud_vec3_add(origin, touches[i].on_a);
    touches[i].on_b = thud_vec3_add(origin, touches[i].on_b);
  }
  return count;
}
