/* Clipping of flat parts and the choice of at most four points. */
#include "geom/manifold.h"

enum { CLIPPED_MAX = 2 * THUD_FLAT_MAX, REFERENCE_EDGE = 128 };

/* Lengths and areas that differ by this fraction count as equal in the choice of points. */
#define SAME_SIZE 1e-6
/* Cosine of the largest tilt (0.1 rad) at which faces count as lying on each other although edges touch first. */
#define LYING_COSINE 0.995

/* ---- at most four of many -------------------------------------------------------------------------------------------- */

typedef struct choice {
  size_t count;
  const thud_vec3 *points;
  thud_vec3 normal;
  double offset, margin, tolerance;
} choice;

static double gap_of(const choice *all, size_t i) { return thud_vec3_dot(all->normal, all->points[i]) - all->offset; }

/* Twice the area of the triangle, seen along the normal and counter-clockwise. */
static double doubled_area(const choice *all, size_t i, size_t j, size_t k) {
  thud_vec3 edge = thud_vec3_subtract(all->points[j], all->points[i]);
  return thud_vec3_dot(all->normal, thud_vec3_cross(edge, thud_vec3_subtract(all->points[k], all->points[i])));
}

/* What a point is worth beside those that are chosen already: distance from the first, area with the first two, largest
 * area that it adds to the triangle of three. */
static double worth(const choice *all, size_t chosen_count, const size_t *chosen, size_t i) {
  if (chosen_count == 1) {
    thud_vec3 d = thud_vec3_subtract(all->points[i], all->points[chosen[0]]);
    return thud_vec3_norm(thud_vec3_add_scaled(d, -thud_vec3_dot(all->normal, d), all->normal));
  }
  if (chosen_count == 2) return fabs(doubled_area(all, chosen[0], chosen[1], i));
  double turn = doubled_area(all, chosen[0], chosen[1], chosen[2]) < 0 ? -1 : 1, best = 0;
  for (size_t k = 0; k < 3; k++) best = thud_larger(best, -turn * doubled_area(all, chosen[k], chosen[(k + 1) % 3], i));
  return best;
}

static size_t deepest_of(const choice *all) {
  double least = INFINITY;
  for (size_t i = 0; i < all->count; i++) {
    double gap = gap_of(all, i);
    if (gap < least) least = gap;
  }
  for (size_t i = 0; i < all->count; i++)
    if (gap_of(all, i) <= least + all->tolerance) return i;
  return 0;
}

/* The point worth most, of equal ones the deepest, of these the first; count when none is worth more than `floor`. */
static size_t worthiest_of(const choice *all, size_t chosen_count, const size_t *chosen, double floor) {
  size_t best = all->count;
  double most = 0, depth = 0;
  for (size_t i = 0; i < all->count; i++) {
    double gap = gap_of(all, i);
    if (gap > all->margin) continue;
    double value = worth(all, chosen_count, chosen, i);
    if (!(value > floor)) continue;
    bool more = best == all->count || value > most * (1 + SAME_SIZE);
    if (!more && (value < most * (1 - SAME_SIZE) || gap >= depth - all->tolerance)) continue;
    best = i;
    depth = gap;
    if (more) most = value;
  }
  return best;
}

static void sort_indices(size_t count, size_t *indices) {
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && indices[j - 1] > indices[j]; j--) {
      size_t other = indices[j];
      indices[j] = indices[j - 1];
      indices[j - 1] = other;
    }
}

size_t thud_manifold_pick(size_t count, const thud_vec3 *points, thud_vec3 normal, double offset, double margin,
                          double tolerance, size_t chosen[THUD_MANIFOLD_MAX]) {
  choice all = {count, points, normal, offset, margin, tolerance};
  size_t near = 0;
  for (size_t i = 0; i < count; i++) {
    if (gap_of(&all, i) > margin) continue;
    if (near < THUD_MANIFOLD_MAX) chosen[near] = i;
    near++;
  }
  if (near <= THUD_MANIFOLD_MAX) return near;
  size_t taken = 0;
  chosen[taken++] = deepest_of(&all);
  double span = tolerance; /* below it a further point says nothing new */
  while (taken < THUD_MANIFOLD_MAX) {
    size_t next = worthiest_of(&all, taken, chosen, span);
    if (next == count) break;
    chosen[taken++] = next;
    if (taken == 2) span = tolerance * worth(&all, 1, chosen, next);
  }
  sort_indices(taken, chosen);
  return taken;
}

/* ---- clipping -------------------------------------------------------------------------------------------------------- */

/* A vertex of the clipped polygon: where it comes from, and which edge leaves it (incident edges by their number, those
 * along the side of a reference edge by that number + REFERENCE_EDGE). */
typedef struct corner {
  thud_vec3 point;
  uint32_t origin, edge;
} corner;

static uint32_t crossing(uint32_t edge, size_t side) { return 1U << 16 | edge << 8 | (uint32_t)side; }

static thud_vec3 between(thud_vec3 a, double height_a, thud_vec3 b, double height_b) {
  return thud_vec3_add_scaled(a, height_a / (height_a - height_b), thud_vec3_subtract(b, a));
}

/* Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17(1), 1974, with corners within tolerance of the side kept as
 * they are. Returns the new count. */
static size_t clip_polygon(size_t count, const corner *from, thud_vec3 inward, double offset, size_t side,
                           double tolerance, corner *to) {
  size_t kept = 0;
  double height = thud_vec3_dot(inward, from[0].point) - offset;
  for (size_t i = 0; i < count; i++) {
    const corner *here = &from[i], *next = &from[i + 1 < count ? i + 1 : 0];
    double height_next = thud_vec3_dot(inward, next->point) - offset;
    bool in = height >= -tolerance, in_next = height_next >= -tolerance;
    if (in && kept < CLIPPED_MAX) {
      to[kept] = *here;
      if (!in_next && height <= tolerance) to[kept].edge = REFERENCE_EDGE + (uint32_t)side;
      kept++;
    }
    bool leaves = in && !in_next && height > tolerance, enters = !in && in_next && height_next > tolerance;
    if ((leaves || enters) && kept < CLIPPED_MAX) {
      to[kept].point = between(here->point, height, next->point, height_next);
      to[kept].origin = crossing(here->edge, side);
      to[kept].edge = leaves ? REFERENCE_EDGE + (uint32_t)side : here->edge;
      kept++;
    }
    height = height_next;
  }
  return kept;
}

/* The same for the two ends of a segment. */
static size_t clip_segment(const corner *from, thud_vec3 inward, double offset, size_t side, double tolerance,
                           corner *to) {
  double heights[2] = {thud_vec3_dot(inward, from[0].point) - offset, thud_vec3_dot(inward, from[1].point) - offset};
  if (heights[0] < -tolerance && heights[1] < -tolerance) return 0;
  for (size_t i = 0; i < 2; i++) {
    to[i] = from[i];
    if (heights[i] >= -tolerance) continue;
    if (heights[1 - i] <= tolerance) return 0; /* all but an end that only grazes the side */
    to[i].point = between(from[i].point, heights[i], from[1 - i].point, heights[1 - i]);
    to[i].origin = crossing((uint32_t)i, side);
  }
  return 2;
}

/* What of the incident part lies above the reference polygon, seen against the direction `up`. */
static size_t clip_all(const thud_flat *reference, const thud_flat *incident, thud_vec3 up, double tolerance,
                       corner *corners) {
  corner other[CLIPPED_MAX];
  corner *from = corners, *to = other;
  size_t count = incident->count;
  for (size_t i = 0; i < count; i++) corners[i] = (corner){incident->points[i], (uint32_t)i, (uint32_t)i};
  for (size_t k = 0; k < reference->count && count > 0; k++) {
    thud_vec3 start = reference->points[k], end = reference->points[k + 1 < reference->count ? k + 1 : 0], inward;
    if (!thud_vec3_normalise(thud_vec3_cross(up, thud_vec3_subtract(end, start)), &inward)) continue;
    double offset = thud_vec3_dot(inward, start);
    count = incident->count == 2 ? clip_segment(from, inward, offset, k, tolerance, to)
                                 : clip_polygon(count, from, inward, offset, k, tolerance, to);
    corner *swap = from;
    from = to;
    to = swap;
  }
  if (from != corners)
    for (size_t i = 0; i < count; i++) corners[i] = from[i];
  return count;
}

/* 15 bits that tell pairs of parts from each other, in front of the 17 of a point within the pair. */
static uint32_t part_bits(const thud_flat *reference, const thud_flat *incident, double sign) {
  uint32_t mixed = (reference->name * 2654435761U + incident->name) * 2654435761U;
  return ((mixed >> 18) << 1 | (sign > 0)) << 17;
}

/* Contacts along `up`, which is near the reference's normal. */
static size_t clip_along(const thud_flat *reference, const thud_flat *incident, thud_vec3 up, double sign,
                         double margin, double tolerance, thud_touch *touches) {
  corner corners[CLIPPED_MAX];
  thud_vec3 points[CLIPPED_MAX];
  size_t count = clip_all(reference, incident, up, tolerance, corners), chosen[THUD_MANIFOLD_MAX];
  for (size_t i = 0; i < count; i++) points[i] = corners[i].point;
  thud_vec3 level = thud_vec3_scale(1 / thud_vec3_dot(reference->normal, up), reference->normal);
  double offset = thud_vec3_dot(level, reference->points[0]);
  size_t taken = thud_manifold_pick(count, points, level, offset, margin, tolerance, chosen);
  uint32_t parts = part_bits(reference, incident, sign);
  for (size_t i = 0; i < taken; i++) {
    thud_vec3 above = points[chosen[i]];
    double gap = thud_vec3_dot(level, above) - offset;
    thud_vec3 below = thud_vec3_add_scaled(above, -gap, up);
    touches[i].normal = thud_vec3_scale(sign, up);
    touches[i].on_a = sign > 0 ? above : below;
    touches[i].on_b = sign > 0 ? below : above;
    touches[i].gap = gap;
    touches[i].feature = parts | corners[chosen[i]].origin;
  }
  return taken;
}

size_t thud_manifold_clip(const thud_flat *reference, const thud_flat *incident, double sign, double margin,
                          double tolerance, thud_touch touches[THUD_MANIFOLD_MAX]) {
  return clip_along(reference, incident, reference->normal, sign, margin, tolerance, touches);
}

size_t thud_manifold_lie(const thud_flat *reference, const thud_flat *incident, double sign, thud_vec3 normal,
                         double gap, double margin, double tolerance, thud_touch touches[THUD_MANIFOLD_MAX]) {
  thud_vec3 up = thud_vec3_scale(sign, normal);
  if (thud_vec3_dot(reference->normal, up) < LYING_COSINE || incident->count < 3) return 0;
  size_t count = clip_along(reference, incident, up, sign, margin, tolerance, touches);
  return count >= 2 && thud_least_gap(count, touches) <= gap + tolerance ? count : 0;
}
