/* How gaps of round shapes bend: where a rim or an ellipsoid rolls, the point of contact wanders over the surface, and the
 * gap changes over a step by more than h u_N,
 *   gap(q_m + h v) = gap + h u_N + bend,   bend = h^2/2 d/dt(u_N) at constant v.
 * The step asks for u_N+ >= -(gap + bend)/h there. Without the second term a disc that rolls on its rim sinks in by the
 * bend in every step and is lifted out again, and stopping u_N- = 2 bend/h in every step takes energy: of first order
 * in h both. With it u_N+ = -bend/h and u_N- = bend/h in steady rolling, so that the normal impulse does no work.
 *
 * Tangential velocities likewise are asked for at the end of the step, not at its midpoint: slip = u_T+ + wander with
 * wander = h/2 d/dt(u_T), so that friction that sticks does no work in steady rolling.
 *
 * Both are measured, at the velocities before the step, by placing the parts a step ahead. Spheres and corners need no
 * such thing: a sphere's point of contact stays below its centre, and corners below the centre of mass bend upwards, which
 * the gap of the next step takes care of. */
#include "sim/bodies/bodies.h"

#include <math.h>

static bool is_round(const thud_body_motion *motion, thud_index part) {
  thud_shape_kind kind = thud_shape_get_kind(motion->model.part_shape[part]);
  return kind == THUD_SHAPE_ELLIPSOID || kind == THUD_SHAPE_CYLINDER || kind == THUD_SHAPE_CONE;
}

/* Of a part after a step with the present velocities of its body. */
static thud_pose pose_ahead(const thud_body_motion *motion, thud_index part) {
  thud_index body = motion->model.part_body[part];
  thud_pose pose = motion->state.pose[body];
  if (motion->model.role[body] == THUD_BODY_FIXED || motion->state.asleep[body]) return motion->part_pose[part];
  pose.position = thud_vec3_add_scaled(pose.position, motion->h, motion->state.velocity[body]);
  pose.rotation = thud_quat_integrate(pose.rotation, motion->state.spin[body], motion->h);
  return thud_pose_compose(&pose, &motion->model.part_pose[part]);
}

thud_error thud_bodies_look_ahead(thud_body_motion *motion, thud_index first, thud_index second, double margin) {
  const thud_bodies_view *model = &motion->model;
  body_contacts *c = &motion->contacts;
  c->ahead_count = 0;
  if (!motion->options.predicted || (!is_round(motion, first) && !is_round(motion, second))) return THUD_OK;
  thud_pose pose_first = pose_ahead(motion, first), pose_second = pose_ahead(motion, second);
  for (;;) {
    thud_collide(model->part_shape[first], &pose_first, model->part_shape[second], &pose_second, 2 * margin,
                 c->ahead_capacity, c->ahead, &c->ahead_count);
    if (c->ahead_count <= c->ahead_capacity) return THUD_OK;
    thud_error error =
        thud_array_reserve(motion->context, &c->ahead, &c->ahead_capacity, c->ahead_count, sizeof *c->ahead);
    if (error != THUD_OK) return error;
  }
}

/* The relative velocity of the material points of the contact's bodies at `point`, at poses that are `ahead` in time. */
static thud_vec3 velocity_at(const thud_body_motion *motion, thud_index body, thud_vec3 point, double ahead) {
  const body_state *state = &motion->state;
  thud_vec3 centre = thud_vec3_add_scaled(state->pose[body].position, ahead, state->velocity[body]);
  return thud_vec3_add(state->velocity[body], thud_vec3_cross(state->spin[body], thud_vec3_subtract(point, centre)));
}

double thud_bodies_bend(thud_body_motion *motion, thud_index k, double rounding) {
  body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d, i = 0;
  thud_index a = c->body_a[k], b = c->body_b[k];
  double h = motion->h, *wander = c->wander + (size_t)k * d;
  for (size_t j = 0; j < d; j++) wander[j] = 0;
  while (i < c->ahead_count && c->ahead[i].feature != c->feature[k]) i++;
  if (i == c->ahead_count) return 0;
  thud_vec3 next = thud_vec3_scale(0.5, thud_vec3_add(c->ahead[i].on_a, c->ahead[i].on_b));
  thud_vec3 then = thud_vec3_subtract(velocity_at(motion, a, next, h), velocity_at(motion, b, next, h));
  thud_vec3 now = thud_vec3_subtract(velocity_at(motion, a, c->point[k], 0), velocity_at(motion, b, c->point[k], 0));
  double bend = c->ahead[i].gap - c->gap[k] - h * c->u_minus[(size_t)k * d];
  if (fabs(bend) <= rounding && h * thud_vec3_distance(then, now) <= rounding) return 0;
  thud_bodies_force_rows(motion, k, thud_vec3_scale(0.5, thud_vec3_subtract(then, now)), wander);
  wander[0] = 0;
  return bend;
}
