/* Spheres against everything, and capsules against capsules: closed forms. */
#include "geom/collide.h"

void thud_balls_touch(double radius_a, thud_vec3 centre_a, double radius_b, thud_vec3 centre_b, thud_touch *touch) {
  thud_vec3 d = thud_vec3_subtract(centre_a, centre_b);
  double distance = thud_vec3_norm(d);
  touch->normal = distance > 0 ? thud_vec3_scale(1 / distance, d) : thud_vec3_make(0, 0, 1);
  touch->on_a = thud_vec3_add_scaled(centre_a, -radius_a, touch->normal);
  touch->on_b = thud_vec3_add_scaled(centre_b, radius_b, touch->normal);
  touch->gap = distance - (radius_a + radius_b);
  touch->feature = 0;
}

size_t thud_pair_sphere_sphere(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                               const thud_pose *pose_b, double margin, thud_touch *touches) {
  if (a->def.radius + b->def.radius <= 0) return 0; /* particles do not touch each other */
  thud_balls_touch(a->def.radius, pose_a->position, b->def.radius, pose_b->position, touches);
  return touches->gap <= margin;
}

size_t thud_pair_sphere_solid(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                              const thud_pose *pose_b, double margin, thud_touch *touches) {
  thud_nearest nearest = thud_shape_nearest(b, thud_pose_point_inverse(pose_b, pose_a->position));
  double gap = nearest.distance - a->def.radius;
  if (gap > margin) return 0;
  touches->normal = thud_quat_rotate(pose_b->rotation, nearest.normal);
  touches->on_a = thud_vec3_add_scaled(pose_a->position, -a->def.radius, touches->normal);
  touches->on_b = thud_pose_point(pose_b, nearest.point);
  touches->gap = gap;
  touches->feature = 0;
  return gap <= margin; /* not where it is no number */
}

/* ---- capsules -------------------------------------------------------------------------------------------------------- */

/* Axes of two capsules relative to the centre of the first: x = s u and x = centre + t v, |s| <= half_a, |t| <= half_b. */
typedef struct axes {
  thud_vec3 u, v, centre;
  double half_a, half_b, radius_a, radius_b;
} axes;

static double clamp(double x, double half) { return x > half ? half : x < -half ? -half : x; }

/* Axes whose distance is below this fraction of their lengths meet, and those of a smaller sine are parallel: rounding. */
#define SAME_PLACE 1e-13
#define PARALLEL_SINE 1e-8

/* Contact of the balls at s and t as seen along a unit normal. */
static void touch_along(const axes *pair, const thud_pose *pose_a, double s, double t, thud_vec3 normal,
                        thud_touch *touch) {
  thud_vec3 on_a = thud_vec3_scale(s, pair->u), on_b = thud_vec3_add_scaled(pair->centre, t, pair->v);
  touch->normal = normal;
  touch->on_a = thud_vec3_add(pose_a->position, thud_vec3_add_scaled(on_a, -pair->radius_a, normal));
  touch->on_b = thud_vec3_add(pose_a->position, thud_vec3_add_scaled(on_b, pair->radius_b, normal));
  touch->gap = thud_vec3_dot(normal, thud_vec3_subtract(on_a, on_b)) - (pair->radius_a + pair->radius_b);
}

/* The normal of the balls at s and t. */
static thud_vec3 normal_at(const axes *pair, double s, double t) {
  thud_vec3 on_a = thud_vec3_scale(s, pair->u), on_b = thud_vec3_add_scaled(pair->centre, t, pair->v);
  thud_vec3 d = thud_vec3_subtract(on_a, on_b);
  double distance = thud_vec3_norm(d);
  if (distance > SAME_PLACE * (pair->half_a + pair->half_b)) return thud_vec3_scale(1 / distance, d);
  /* axes that meet: across both, or across the one when they are parallel */
  thud_vec3 across = thud_vec3_cross(pair->u, pair->v);
  double sine = thud_vec3_norm(across);
  return sine > PARALLEL_SINE ? thud_vec3_scale(1 / sine, across) : thud_mat3_frame(pair->u).cy;
}

/* Closest points of the segments: the minimum of |s u - centre - t v|^2 over a square. One of the clamped minimisers on the
 * four edges, or the free one; the alternating clamp below finds it (Ericson, Real-Time Collision Detection, 5.1.9). */
static void closest_parameters(const axes *pair, double *s, double *t) {
  double uv = thud_vec3_dot(pair->u, pair->v), uc = thud_vec3_dot(pair->u, pair->centre);
  double vc = thud_vec3_dot(pair->v, pair->centre);
  thud_vec3 across = thud_vec3_cross(pair->u, pair->v);
  double sine2 = thud_vec3_dot(across, across); /* 1 - uv^2 without its cancellation */
  *s = sine2 > 0 ? clamp((uc - uv * vc) / sine2, pair->half_a) : 0;
  *t = clamp(uv * *s - vc, pair->half_b);
  *s = clamp(uc + uv * *t, pair->half_a);
}

/* Nearly parallel axes (the sine of their angle below this) also touch where the common part of both begins and ends. */
#define NEARLY_PARALLEL 0.1

static axes axes_of(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b) {
  thud_vec3 z = thud_vec3_make(0, 0, 1);
  axes pair = {thud_quat_rotate(pose_a->rotation, z),
               thud_quat_rotate(pose_b->rotation, z),
               thud_vec3_subtract(pose_b->position, pose_a->position),
               a->def.half_length,
               b->def.half_length,
               a->def.radius,
               b->def.radius};
  return pair;
}

void thud_closest_of_capsules(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                              const thud_pose *pose_b, thud_touch *closest) {
  axes pair = axes_of(a, pose_a, b, pose_b);
  double s, t;
  closest_parameters(&pair, &s, &t);
  touch_along(&pair, pose_a, s, t, normal_at(&pair, s, t), closest);
  closest->feature = 0;
}

/* Points that lie beside each other by b, seen along the normal, are off the round surfaces by b^2/8r where a contact has them
 * opposite: no more than what its gap has opened is left, up to rounding. */
static bool lie_opposite(const axes *pair, const thud_touch *touch, double least) {
  double thin = pair->radius_a < pair->radius_b ? pair->radius_a : pair->radius_b;
  thud_vec3 beside = thud_vec3_add_scaled(thud_vec3_subtract(touch->on_a, touch->on_b), -touch->gap, touch->normal);
  return thud_vec3_dot(beside, beside) <= 8 * thin * (touch->gap - least + 1e-10 * thin);
}

/* Where the common part of nearly parallel axes begins and ends, with the normal of the closest points: the planes across it
 * keep the capsules apart by their distance, so that no gap along it is smaller. */
static size_t touch_ends(const axes *pair, const thud_pose *pose_a, const thud_touch *closest, double margin,
                         thud_touch *touches) {
  thud_vec3 normal = closest->normal, v = thud_vec3_add_scaled(pair->v, -thud_vec3_dot(normal, pair->v), normal);
  double middle = thud_vec3_dot(pair->u, pair->centre);
  double low = thud_larger(-pair->half_a, middle - pair->half_b);
  double high = -thud_larger(-pair->half_a, -middle - pair->half_b);
  size_t count = 0;
  if (high - low <= 1e-6 * (pair->half_a + pair->half_b)) return 0;
  for (int end = 0; end < 2; end++) {
    double at = end == 0 ? low : high;
    thud_vec3 from = thud_vec3_add_scaled(thud_vec3_negate(pair->centre), at, pair->u);
    double along = clamp(thud_vec3_dot(v, from) / thud_vec3_dot(v, v), pair->half_b);
    touch_along(pair, pose_a, at, along, normal, &touches[count]);
    touches[count].feature = (uint32_t)end + 1;
    count += touches[count].gap <= margin && lie_opposite(pair, &touches[count], closest->gap);
  }
  return count;
}

size_t thud_pair_capsule_capsule(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                                 const thud_pose *pose_b, double margin, thud_touch *touches) {
  thud_touch closest;
  thud_closest_of_capsules(a, pose_a, b, pose_b, &closest);
  if (!(closest.gap <= margin)) return 0;
  axes pair = axes_of(a, pose_a, b, pose_b);
  bool parallel = thud_vec3_norm(thud_vec3_cross(pair.u, pair.v)) < NEARLY_PARALLEL;
  size_t count = parallel ? touch_ends(&pair, pose_a, &closest, margin, touches) : 0;
  /* the closest points unless an end is as close, to 1e-10 of the radii */
  if (closest.gap < thud_least_gap(count, touches) - 1e-10 * (pair.radius_a + pair.radius_b))
    touches[count++] = closest;
  return count;
}
