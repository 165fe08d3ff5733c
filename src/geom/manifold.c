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
  size_t corner_count;
  const size_t
      *corners;   /* [corner_count] numbers of those that span the others, ascending; NULL: not known, any point may */
  thud_vec3 base; /* the deepest point */
} choice;

static double gap_of(const choice *all, size_t i) { return thud_vec3_dot(all->normal, all->points[i]) - all->offset; }

/* Not so where the gap is no number: bodies that fly off beyond the range of numbers touch nothing. */
static bool is_near(const choice *all, size_t i) { return gap_of(all, i) <= all->margin; }

/* Where a point counts in the choice: drawn towards the deepest one by its share of the margin. So a corner that is open, as the
 * upper ones of a fast box, does not take the place of a closed one below it, and points come into the margin, and
 * leave it, without changing what is spanned. */
static thud_vec3 counted_at(const choice *all, size_t i) {
  double gap = gap_of(all, i), weight = gap > 0 && all->margin > 0 ? 1 - gap / all->margin : 1;
  return thud_vec3_add_scaled(all->base, weight, thud_vec3_subtract(all->points[i], all->base));
}

/* Twice the area of the triangle, seen along the normal and counter-clockwise. */
static double doubled_area(const choice *all, size_t i, size_t j, size_t k) {
  thud_vec3 from = counted_at(all, i), edge = thud_vec3_subtract(counted_at(all, j), from);
  return thud_vec3_dot(all->normal, thud_vec3_cross(edge, thud_vec3_subtract(counted_at(all, k), from)));
}

/* Worth of a point beside the chosen ones: distance from the first, area with the first two, largest area that it adds
 * to the triangle of three. */
static double worth(const choice *all, size_t chosen_count, const size_t *chosen, size_t i) {
  if (chosen_count == 1) {
    thud_vec3 d = thud_vec3_subtract(counted_at(all, i), counted_at(all, chosen[0]));
    return thud_vec3_norm(thud_vec3_add_scaled(d, -thud_vec3_dot(all->normal, d), all->normal));
  }
  if (chosen_count == 2) return fabs(doubled_area(all, chosen[0], chosen[1], i));
  double turn = doubled_area(all, chosen[0], chosen[1], chosen[2]) < 0 ? -1 : 1, best = 0;
  for (size_t k = 0; k < 3; k++) best = thud_larger(best, -turn * doubled_area(all, chosen[k], chosen[(k + 1) % 3], i));
  return best;
}

/* Distance of a point from the mean of the corners, seen along the normal. */
static double distance_from_middle(const choice *all, size_t i) {
  thud_vec3 sum = {0, 0, 0};
  for (size_t k = 0; k < all->corner_count; k++) sum = thud_vec3_add(sum, all->points[all->corners[k]]);
  thud_vec3 d = thud_vec3_add_scaled(all->points[i], -1.0 / (double)all->corner_count, sum);
  return thud_vec3_norm(thud_vec3_add_scaled(d, -thud_vec3_dot(all->normal, d), all->normal));
}

/* The deepest point; among equal ones the corner farthest out, then the first. */
static size_t deepest_of(const choice *all) {
  double least = INFINITY, most = -1;
  size_t first = all->count;
  for (size_t i = all->count; i-- > 0;) least = fmin(least, gap_of(all, i));
  for (size_t i = all->count; i-- > 0;)
    if (gap_of(all, i) <= least + all->tolerance) first = i;
  for (size_t k = 0; k < all->corner_count; k++) {
    size_t i = all->corners[k];
    if (gap_of(all, i) > least + all->tolerance) continue;
    double far = distance_from_middle(all, i);
    if (far <= most * (1 + SAME_SIZE)) continue;
    most = far;
    first = i;
  }
  return first;
}

/* The point worth most, of equal ones the deepest, of these the first; count when none is worth more than `floor`. */
static size_t worthiest_of(const choice *all, size_t chosen_count, const size_t *chosen, double floor) {
  size_t best = all->count;
  double most = 0, depth = 0;
  for (size_t k = 0; k < (all->corners ? all->corner_count : all->count); k++) {
    size_t i = all->corners ? all->corners[k] : k;
    double gap = gap_of(all, i);
    if (!is_near(all, i)) continue;
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

/* ---- corners of the convex hull ---- */

/* A point in the plane across the normal. */
typedef struct flat_point {
  double u, v;
  size_t number;
} flat_point;

static bool comes_before(const flat_point *a, const flat_point *b) {
  return a->u != b->u ? a->u < b->u : a->v != b->v ? a->v < b->v : a->number < b->number;
}

/* Twice the area of the triangle; positive when c is left of the way from a to b. */
static double flat_turn(const flat_point *a, const flat_point *b, const flat_point *c) {
  return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

/* One half of the hull: from the first to the last point of `order`, with all others on its left. Its points but the last
 * are added to the outline. */
static size_t add_half(size_t count, const flat_point *order, bool backwards, flat_point *outline) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    const flat_point *next = &order[backwards ? count - 1 - i : i];
    while (length >= 2 && flat_turn(&outline[length - 2], &outline[length - 1], next) <= 0) length--;
    outline[length++] = *next;
  }
  return length - 1;
}

/* True when b lies on the way from a to c, to the tolerance. */
static bool is_on_way(const flat_point *a, const flat_point *b, const flat_point *c, double tolerance) {
  double u = c->u - a->u, v = c->v - a->v;
  bool ahead = (b->u - a->u) * (c->u - b->u) + (b->v - a->v) * (c->v - b->v) >= 0;
  return ahead && fabs(flat_turn(a, b, c)) <= tolerance * sqrt(u * u + v * v);
}

/* Without the points on the way from the one before to the one after. */
static size_t drop_straight(size_t count, flat_point *outline, double tolerance) {
  for (size_t i = 0; count > 2 && i < count;) {
    const flat_point *before = &outline[i > 0 ? i - 1 : count - 1], *after = &outline[i + 1 < count ? i + 1 : 0];
    if (!is_on_way(before, &outline[i], after, tolerance)) {
      i++;
      continue;
    }
    count--;
    memmove(outline + i, outline + i + 1, (count - i) * sizeof *outline);
    if (i > 0) i--;
  }
  return count;
}

/* Corners of the hull of the points within the margin, seen along the normal (Andrew, "Another efficient algorithm for convex
 * hulls in two dimensions", Inf. Process. Lett. 9(5), 1979): a point on an edge spans nothing. At least two points, at most
 * CLIPPED_MAX. */
static size_t find_corners(const choice *all, size_t *corners) {
  thud_mat3 frame = thud_mat3_frame(all->normal);
  flat_point order[CLIPPED_MAX], outline[2 * CLIPPED_MAX];
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (!is_near(all, i)) continue;
    thud_vec3 at = counted_at(all, i);
    flat_point made = {thud_vec3_dot(frame.cy, at), thud_vec3_dot(frame.cz, at), i};
    size_t j = count++;
    for (; j > 0 && comes_before(&made, &order[j - 1]); j--) order[j] = order[j - 1];
    order[j] = made;
  }
  size_t found = add_half(count, order, false, outline);
  found += add_half(count, order, true, outline + found);
  found = drop_straight(found, outline, all->tolerance);
  for (size_t i = 0; i < found; i++) corners[i] = outline[i].number;
  sort_indices(found, corners);
  return found;
}

/* Some of the corners, and the deepest point when it is not one of them. */
static size_t take_corners(const choice *all, size_t most, size_t *chosen) {
  size_t count = all->corner_count < most ? all->corner_count : most, deepest = deepest_of(all);
  bool there = false;
  for (size_t i = 0; i < count; i++) {
    chosen[i] = all->corners[i * all->corner_count / count];
    there = there || chosen[i] == deepest;
  }
  if (!there) chosen[count < most ? count++ : count - 1] = deepest;
  sort_indices(count, chosen);
  return count;
}

size_t thud_manifold_pick(size_t count, const thud_vec3 *points, thud_vec3 normal, double offset, double margin,
                          double tolerance, size_t most, size_t *chosen) {
  size_t corners[CLIPPED_MAX];
  choice all = {count, points, normal, offset, margin, tolerance, 0, NULL, {0, 0, 0}};
  size_t near = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_near(&all, i)) continue;
    if (near < most) chosen[near] = i;
    near++;
  }
  if (near <= most) return near;
  size_t taken = 0;
  all.base = points[deepest_of(&all)];
  if (near <= CLIPPED_MAX) {
    all.corner_count = find_corners(&all, corners);
    all.corners = corners;
    if (most > THUD_MANIFOLD_MAX) return take_corners(&all, most, chosen);
  }
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

/* Without corners within tolerance of one before them: where edges lie on edges little more than a segment is left of a
 * polygon, and each of its ends may be there twice. Two contacts at one place would share their impulse in any way. */
static size_t drop_repeated(size_t count, corner *corners, double tolerance) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t j = 0;
    while (j < kept && thud_vec3_distance(corners[i].point, corners[j].point) > tolerance) j++;
    if (j == kept) corners[kept++] = corners[i];
  }
  return kept;
}

/* Clips the incident part to the reference polygon, seen against the direction `up`. */
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
  return drop_repeated(count, corners, tolerance);
}

/* ---- round faces ----------------------------------------------------------------------------------------------------- */

/* Where the line through x along `up` meets the plane of a polygon. */
static thud_vec3 onto_plane(const thud_flat *flat, thud_vec3 up, thud_vec3 x) {
  double height = thud_vec3_dot(flat->normal, thud_vec3_subtract(x, flat->points[0]));
  return thud_vec3_add_scaled(x, -height / thud_vec3_dot(flat->normal, up), up);
}

/* Adds a corner unless there is one within tolerance, seen along `up`. */
static size_t add_corner(size_t count, corner *corners, thud_vec3 point, uint32_t origin, thud_vec3 up,
                         double tolerance) {
  for (size_t i = 0; i < count; i++) {
    thud_vec3 d = thud_vec3_subtract(point, corners[i].point);
    if (thud_vec3_norm(thud_vec3_add_scaled(d, -thud_vec3_dot(up, d), up)) <= tolerance) return count;
  }
  if (count < CLIPPED_MAX) corners[count++] = (corner){point, origin, 0};
  return count;
}

/* The ends of an edge from p to q (relative to the centre, in the plane of the disc) inside of its circle: shares of the edge. */
static bool cut_circle(thud_vec3 p, thud_vec3 q, double radius, double shares[2]) {
  thud_vec3 e = thud_vec3_subtract(q, p);
  double ee = thud_vec3_dot(e, e), pe = thud_vec3_dot(p, e);
  if (!(ee > 0)) return false;
  thud_vec3 foot = thud_vec3_add_scaled(p, -pe / ee, e);
  double left = radius * radius - thud_vec3_dot(foot, foot);
  if (!(left > 0)) return false;
  double half = sqrt(left / ee);
  shares[0] = -pe / ee - half;
  shares[1] = -pe / ee + half;
  return true;
}

/* True when x is inside a face, seen along `up`. */
static bool is_within(const thud_flat *flat, thud_vec3 up, thud_vec3 x, double tolerance) {
  if (flat->radius > 0) return thud_vec3_distance(onto_plane(flat, up, x), flat->centre) <= flat->radius + tolerance;
  double turn = thud_vec3_dot(flat->normal, up) < 0 ? -1 : 1;
  for (size_t k = 0; k < flat->count; k++) {
    thud_vec3 start = flat->points[k], end = flat->points[k + 1 < flat->count ? k + 1 : 0], inward;
    if (!thud_vec3_normalise(thud_vec3_cross(up, thud_vec3_subtract(end, start)), &inward)) continue;
    if (turn * thud_vec3_dot(inward, thud_vec3_subtract(x, start)) < -tolerance) return false;
  }
  return true;
}

enum { CIRCLE_STEPS = 8 };

/* The point of the disc's rim at an angle from the direction `along`, moved by Newton's method to where it is on the rim of the
 * other disc, too, seen along `up`; false: it does not get there. */
static bool meet_circle(const thud_flat *disc, const thud_flat *other, thud_vec3 up, thud_vec3 along, double angle,
                        double tolerance, thud_vec3 *point) {
  thud_vec3 across = thud_vec3_cross(disc->normal, along);
  double off = INFINITY, cosine = thud_vec3_dot(other->normal, up);
  for (int step = 0; step < CIRCLE_STEPS; step++) {
    double c = disc->radius * cos(angle), s = disc->radius * sin(angle);
    *point = thud_vec3_add_scaled(thud_vec3_add_scaled(disc->centre, c, along), s, across);
    thud_vec3 tangent = thud_vec3_add_scaled(thud_vec3_scale(-s, along), c, across);
    tangent = thud_vec3_add_scaled(tangent, -thud_vec3_dot(other->normal, tangent) / cosine, up);
    thud_vec3 q = thud_vec3_subtract(onto_plane(other, up, *point), other->centre);
    off = thud_vec3_norm(q) - other->radius;
    double slope = thud_vec3_dot(q, tangent) / (off + other->radius);
    if (fabs(off) <= 1e-15 * other->radius || !(fabs(slope) > 0)) break;
    angle -= off / slope;
  }
  return fabs(off) <= 0.1 * tolerance;
}

/* Where the circle of the disc meets that of another one; the first guess has that without its tilt. */
static size_t cross_circles(const thud_flat *disc, const thud_flat *other, thud_vec3 up, double tolerance, size_t count,
                            corner *corners) {
  thud_vec3 d = thud_vec3_subtract(onto_plane(disc, up, other->centre), disc->centre), along, point;
  double distance = thud_vec3_norm(d), r = disc->radius;
  if (!thud_vec3_normalise(d, &along)) return count;
  double at = 0.5 * (distance + (r * r - other->radius * other->radius) / distance);
  if (!(fabs(at) < r)) return count;
  for (uint32_t k = 0; k < 2; k++) {
    double angle = k == 0 ? acos(at / r) : -acos(at / r);
    if (meet_circle(disc, other, up, along, angle, tolerance, &point))
      count = add_corner(count, corners, point, crossing(0, k), up, tolerance);
  }
  return count;
}

/* Where the edges of another part meet the disc: its corners inside of the circle, and the crossings. */
static size_t cross_edges(const thud_flat *disc, const thud_flat *other, thud_vec3 up, double tolerance, size_t count,
                          corner *corners) {
  size_t edges = other->count == 2 ? 1 : other->count;
  for (size_t i = 0; i < other->count; i++)
    if (is_within(disc, up, other->points[i], tolerance))
      count = add_corner(count, corners, other->points[i], (uint32_t)i, up, tolerance);
  for (size_t i = 0; i < edges && other->radius <= 0; i++) {
    thud_vec3 start = other->points[i], end = other->points[i + 1 < other->count ? i + 1 : 0];
    double shares[2];
    if (!cut_circle(thud_vec3_subtract(onto_plane(disc, up, start), disc->centre),
                    thud_vec3_subtract(onto_plane(disc, up, end), disc->centre), disc->radius, shares))
      continue;
    for (size_t k = 0; k < 2; k++)
      if (shares[k] > 0 && shares[k] < 1)
        count = add_corner(count, corners, thud_vec3_add_scaled(start, shares[k], thud_vec3_subtract(end, start)),
                           crossing((uint32_t)i, k), up, tolerance);
  }
  return other->radius > 0 ? cross_circles(disc, other, up, tolerance, count, corners) : count;
}

/* Corners of what a disc and another part have in common, seen along `up`; where only the rim bounds it, fixed points of the
 * rim. Circles are not cut by the polygons of their points: a disc that lies on an edge touches its rim, tilted or not. */
static size_t clip_disc(const thud_flat *disc, const thud_flat *other, thud_vec3 up, double tolerance,
                        corner *corners) {
  size_t count = cross_edges(disc, other, up, tolerance, 0, corners);
  for (size_t i = 0; i < disc->count && other->count > 2; i++)
    if (is_within(other, up, disc->points[i], tolerance))
      count = add_corner(count, corners, disc->points[i], REFERENCE_EDGE + (uint32_t)i, up, tolerance);
  return count;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------------- */

/* 15 bits that tell pairs of parts from each other, in front of the 17 of a point within the pair. */
static uint32_t part_bits(const thud_flat *reference, const thud_flat *incident, double sign) {
  uint32_t mixed = (reference->name * 2654435761U + incident->name) * 2654435761U;
  return ((mixed >> 18) << 1 | (sign > 0)) << 17;
}

/* Contacts along `up`, which is near the reference's normal. */
static size_t clip_along(const thud_flat *reference, const thud_flat *incident, thud_vec3 up, double sign,
                         double margin, double tolerance, size_t most, thud_touch *touches) {
  corner corners[CLIPPED_MAX];
  thud_vec3 points[CLIPPED_MAX];
  size_t count, chosen[CLIPPED_MAX];
  if (reference->radius > 0)
    count = clip_disc(reference, incident, up, tolerance, corners);
  else if (incident->radius > 0)
    count = clip_disc(incident, reference, up, tolerance, corners);
  else
    count = clip_all(reference, incident, up, tolerance, corners);
  bool lift = incident->count > 2 && (reference->radius > 0 || incident->radius > 0);
  for (size_t i = 0; i < count; i++) points[i] = lift ? onto_plane(incident, up, corners[i].point) : corners[i].point;
  thud_vec3 level = thud_vec3_scale(1 / thud_vec3_dot(reference->normal, up), reference->normal);
  double offset = thud_vec3_dot(level, reference->points[0]);
  size_t taken = thud_manifold_pick(count, points, level, offset, margin, tolerance, most, chosen);
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
                          double tolerance, size_t most, thud_touch *touches) {
  return clip_along(reference, incident, reference->normal, sign, margin, tolerance, most, touches);
}

size_t thud_manifold_lie(const thud_flat *reference, const thud_flat *incident, double sign, thud_vec3 normal,
                         double margin, double tolerance, size_t most, thud_touch *touches) {
  thud_vec3 up = thud_vec3_scale(sign, normal);
  if (thud_vec3_dot(reference->normal, up) < LYING_COSINE || incident->count < 2) return 0;
  size_t count = clip_along(reference, incident, up, sign, margin, tolerance, most, touches);
  return count >= 2 ? count : 0;
}
