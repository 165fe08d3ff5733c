/* How gaps bend: where the rim of a cylinder or cone, or an ellipsoid, rolls on a plane, the lowest point wanders over the
 * surface, and its gap changes over a step by more than h u_N,
 *   gap(q_m + h v) = gap + h u_N + bend,   bend = h^2/2 d/dt(u_N) at constant v.
 * The step asks for u_N+ >= -(gap + bend)/h there. Without the second term a disc that rolls on its rim sinks in by the
 * bend in every step and is lifted out again, and stopping u_N- = 2 bend/h in every step takes energy: of first order
 * in h both. With it u_N+ = -bend/h and u_N- = bend/h in steady rolling, so that the normal impulse does no work.
 * Tangential velocities likewise are asked for at the end of the step, not at its midpoint: slip = u_T+ + wander with
 * wander = h/2 d/dt(u_T), so that friction that sticks does no work in steady rolling.
 *
 * Both are measured, at the velocities before the step, by looking at the lowest point a step ahead. Balls and corners need
 * no such thing: a ball's point of contact stays below its centre, and corners below the centre of mass bend upwards,
 * which the gap of the next step takes care of. */
#include "geom/shape_class.h"
#include "motions/bodies/body_motion.h"

#include <math.h>

bool thud_bodies_is_rounded(const body_motion *motion, thud_index part) {
  return thud_shape_get_class(motion->model.part_shape[part])->curved;
}

/* Velocities of a body of contact k before the step; where b carries a, those that are seen from b. */
static body_field motion_of(const body_motion *motion, thud_index k, thud_index body) {
  const body_contacts *c = &motion->contacts;
  body_field own = {motion->state.velocity[body], motion->state.spin[body]};
  if (!c->carried[k]) return own;
  if (body == c->body_b[k]) return (body_field){.spin = {0}};
  return (body_field){thud_vec3_subtract(own.velocity, c->field_left[k].velocity),
                      thud_vec3_subtract(own.spin, c->field_left[k].spin)};
}

/* Pose of a part of contact k after a time with the velocities of its body. */
static thud_pose pose_ahead(const body_motion *motion, thud_index k, thud_index part, double time) {
  thud_index body = motion->model.part_body[part];
  if (!(time > 0) || motion->model.role[body] == THUD_BODY_FIXED) return motion->part_pose[part];
  thud_pose pose = motion->state.pose[body];
  body_field field = motion_of(motion, k, body);
  pose.position = thud_vec3_add_scaled(pose.position, time, field.velocity);
  pose.rotation = thud_quat_integrate(pose.rotation, field.spin, time);
  return thud_pose_compose(&pose, &motion->model.part_pose[part]);
}

/* The lowest point of the first part of contact k above the plane of the second at that time, and its gap. */
static thud_vec3 lowest_point(const body_motion *motion, thud_index k, double time, double *gap) {
  thud_index part = motion->contacts.part_a[k], plane = motion->contacts.part_b[k];
  thud_pose pose = pose_ahead(motion, k, part, time), ground = pose_ahead(motion, k, plane, time);
  thud_vec3 up = thud_quat_rotate(ground.rotation, thud_vec3_make(0, 0, 1));
  thud_vec3 down = thud_quat_rotate_inverse(pose.rotation, thud_vec3_negate(up));
  thud_vec3 point = thud_pose_point(&pose, thud_shape_support(motion->model.part_shape[part], down));
  *gap = thud_vec3_dot(up, thud_vec3_subtract(point, ground.position));
  return point;
}

static thud_vec3 velocity_at(const body_motion *motion, thud_index k, thud_index body, thud_vec3 point, double time) {
  body_field field = motion_of(motion, k, body);
  thud_vec3 centre = thud_vec3_add_scaled(motion->state.pose[body].position, time, field.velocity);
  return thud_vec3_add(field.velocity, thud_vec3_cross(field.spin, thud_vec3_subtract(point, centre)));
}

static thud_vec3 slip_at(const body_motion *motion, thud_index k, thud_vec3 point, double time) {
  return thud_vec3_subtract(velocity_at(motion, k, motion->contacts.body_a[k], point, time),
                            velocity_at(motion, k, motion->contacts.body_b[k], point, time));
}

double thud_bodies_bend(body_motion *motion, thud_index k, size_t touches, double rounding) {
  body_contacts *c = &motion->contacts;
  thud_index part = c->part_a[k], plane = c->part_b[k];
  size_t d = (size_t)motion->problem.d, as_low = 0;
  double h = motion->h, gap = 0, next_gap = 0, *wander = c->wander + (size_t)k * d;
  for (size_t j = 0; j < d; j++) wander[j] = 0;
  if (!motion->options.predicted || !thud_bodies_is_rounded(motion, part) ||
      thud_shape_get_class(motion->model.part_shape[plane])->pairs != THUD_PAIRS_PLANE)
    return 0;
  lowest_point(motion, k, 0, &gap);
  for (size_t i = 0; i < touches; i++)
    if (c->touches[i].gap <= gap + rounding) as_low++;
  if (as_low != 1 || c->gap[k] > gap + rounding) return 0; /* another point, or it stands on a face or lies on a line */
  thud_vec3 next = lowest_point(motion, k, h, &next_gap);
  thud_vec3 change = thud_vec3_subtract(slip_at(motion, k, next, h), slip_at(motion, k, c->point[k], 0));
  thud_bodies_force_rows(motion, k, thud_vec3_scale(0.5, change), wander);
  wander[0] = 0;
  return next_gap - c->gap[k] - h * c->u_minus[(size_t)k * d];
}
