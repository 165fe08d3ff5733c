/* When moving shapes touch: conservative advancement (Mirtich, "Impulse-based dynamic simulation of rigid body systems", thesis,
 * Berkeley 1996). From a distance d it takes at least d/speed until the shapes touch when no point approaches faster than
 * speed; going on by that much never passes the first contact. */
#include "geom/collide.h"

enum { MOST_ADVANCES = 1000 };
/* A gap above the wanted one by less than this fraction of the smaller shape's reach is reached. Also what distances may be wrong
 * by: it is taken off before going on. */
#define REACHED 1e-9
#define UNSURE 1e-11

static thud_pose pose_at(const thud_sweep_motion *motion, double t) {
  thud_pose pose = {thud_vec3_add_scaled(motion->pose.position, t, motion->velocity),
                    thud_quat_integrate(motion->pose.rotation, motion->spin, t)};
  return pose;
}

/* How fast a point of the shape can approach along a direction that keeps separating: by the whole turning speed when only the
 * distance is known (normal NULL), otherwise by what of it is across the normal: |n.(w x r)| <= |n x w| |r|. */
static double turning_speed(const thud_sweep_motion *motion, const thud_vec3 *normal, double reach) {
  double speed = thud_vec3_norm(normal ? thud_vec3_cross(*normal, motion->spin) : motion->spin);
  return speed > 0 ? speed * reach : 0;
}

/* Bound of the approach until the end. Bounded convex shapes are separated by the plane of their closest points as long as no point
 * crosses it, so that only the motion along its normal counts; of planes, half-planes and surfaces the whole relative motion
 * does, and of their turning what happens within reach of the other shape. */
static double approach_speed(const thud_shape *a, const thud_sweep_motion *motion_a, const thud_pose *at_a,
                             const thud_shape *b, const thud_sweep_motion *motion_b, const thud_pose *at_b,
                             thud_vec3 normal, double left) {
  thud_vec3 velocity = thud_vec3_subtract(motion_a->velocity, motion_b->velocity);
  double apart = thud_vec3_distance(at_a->position, at_b->position) + left * thud_vec3_norm(velocity);
  double reach_a = a->reach < INFINITY ? a->reach : apart + b->reach;
  double reach_b = b->reach < INFINITY ? b->reach : apart + a->reach;
  bool still_a = thud_vec3_norm(motion_a->spin) <= 0, still_b = thud_vec3_norm(motion_b->spin) <= 0;
  bool by_plane = (a->class->convex || (a->reach == INFINITY && still_a)) &&
                  (b->class->convex || (b->reach == INFINITY && still_b));
  const thud_vec3 *along = by_plane ? &normal : NULL;
  double linear = by_plane ? -thud_vec3_dot(normal, velocity) : thud_vec3_norm(velocity);
  return linear + turning_speed(motion_a, along, reach_a) + turning_speed(motion_b, along, reach_b);
}

double thud_time_of_contact(const thud_shape *a, const thud_sweep_motion *motion_a, const thud_shape *b,
                            const thud_sweep_motion *motion_b, double gap, double end) {
  THUD_REQUIRE_OR(end, a, motion_a, b, motion_b);
  double size = a->reach < b->reach ? a->reach : b->reach, t = 0;
  for (int step = 0; step < MOST_ADVANCES; step++) {
    thud_pose at_a = pose_at(motion_a, t), at_b = pose_at(motion_b, t);
    thud_touch closest;
    double distance = thud_distance(a, &at_a, b, &at_b, &closest);
    if (!(distance < INFINITY)) return end;
    if (!(size > 0)) size = distance; /* a particle has none of its own */
    if (distance - gap <= REACHED * size) return t;
    double speed = approach_speed(a, motion_a, &at_a, b, motion_b, &at_b, closest.normal, end - t);
    if (!(speed * (end - t) > distance - gap - UNSURE * size)) return end;
    t += (distance - gap - UNSURE * size) / speed;
  }
  return t; /* earlier than the contact, never later */
}
