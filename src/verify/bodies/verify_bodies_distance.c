/* Signed distances of convex shapes. For every unit vector n the separation s(n) = min n.x over a - max n.y over b is a
 * lower bound, and the signed distance is its maximum. Apart: the shortest vector of the difference of the cores, point
 * by point after Gilbert, Johnson and Keerthi 1988; the nearest point of the few points kept is found by trying all
 * faces of their simplex. Overlapping, or nearly touching: bodies_depth.c. */
#include "verify/bodies/verify_bodies_shapes.h"

#include <math.h>

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
  return shape->kind == VERIFY_SHAPE_PLANE ? place->R.cz : place->R.cy;
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

/* |f|/|grad f| of f = sum (x/a)^2 - 1: the distance, to first order. */
static double off_ellipsoid(const verify_shape *shape, const verify_place *place, thud_vec3 point) {
  thud_vec3 x = thud_mat3_apply_transposed(place->R, thud_vec3_subtract(point, place->x0)), h = shape->half;
  thud_vec3 slope = thud_vec3_make(x.x / (h.x * h.x), x.y / (h.y * h.y), x.z / (h.z * h.z));
  double f = thud_vec3_dot(x, slope) - 1, steep = 2 * thud_vec3_norm(slope);
  return steep > 0 ? fabs(f) / steep : fmin(h.x, fmin(h.y, h.z));
}

double thud_verify_off_surface(const verify_shape *shape, const verify_place *place, thud_vec3 point, bool planar) {
  verify_shape dot = {.kind = planar ? VERIFY_SHAPE_DISC : VERIFY_SHAPE_SPHERE};
  verify_place there = {point, thud_mat3_identity()};
  if (shape->kind == VERIFY_SHAPE_ELLIPSOID) return off_ellipsoid(shape, place, point);
  verify_gap gap = thud_verify_distance_of(&dot, &there, shape, place, planar);
  return fmax(fabs(gap.distance) - gap.accuracy, 0);
}
