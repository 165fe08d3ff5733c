/* Motion without contacts: drift, forces, Euler's equations. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>

/* ---- drift ---------------------------------------------------------------------------------------------------------- */

/* Where a kinematic body is at time t, and how fast. */
static thud_error ask_path(body_motion *motion, thud_index i, double t, thud_pose *pose, thud_vec3 *velocity,
                           thud_vec3 *spin) {
  const thud_body_def *def = &motion->model.def[i];
  *pose = motion->state.pose[i];
  *velocity = *spin = (thud_vec3){0};
  bool good = def->path(def->path_user, t, pose, velocity, spin) == 0;
  double sum = pose->position.x + pose->position.y + pose->position.z + thud_quat_norm(pose->rotation) + velocity->x +
               velocity->y + velocity->z + spin->x + spin->y + spin->z;
  if (!good || !isfinite(sum))
    return thud_fail(motion->base.context, good ? THUD_ERROR_NOT_FINITE : THUD_ERROR_CALLBACK,
                     "body '%s': its path %s at t = %g", motion->model.name[i], good ? "is not finite" : "failed", t);
  pose->rotation = thud_quat_normalise(pose->rotation);
  return THUD_OK;
}

thud_error thud_bodies_follow_paths(body_motion *motion, double t) {
  body_state *state = &motion->state;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++)
    if (motion->model.role[i] == THUD_BODY_KINEMATIC)
      error = ask_path(motion, i, t, &state->pose[i], &state->velocity[i], &state->spin[i]);
  return error;
}

thud_error thud_bodies_drift(body_motion *motion, double t) {
  body_state *state = &motion->state;
  double half = 0.5 * motion->h;
  for (thud_index i = 0; i < motion->model.count; i++) {
    if (motion->model.role[i] == THUD_BODY_KINEMATIC) {
      thud_vec3 velocity, spin; /* stay those of the last node */
      thud_error error = ask_path(motion, i, t, &state->pose[i], &velocity, &spin);
      if (error != THUD_OK) return error;
    } else if (motion->moves[i]) {
      thud_pose *pose = &state->pose[i];
      pose->position = thud_vec3_add_scaled(pose->position, half, state->velocity[i]);
      if (thud_vec3_dot(state->spin[i], state->spin[i]) > 0)
        pose->rotation = thud_quat_integrate(pose->rotation, state->spin[i], half);
    }
  }
  return THUD_OK;
}

/* ---- forces --------------------------------------------------------------------------------------------------------- */

static thud_error ask_force(body_motion *motion, thud_index i, double t, const thud_body_state *state, thud_vec3 *force,
                            thud_vec3 *torque) {
  const thud_body_def *def = &motion->model.def[i];
  *force = *torque = (thud_vec3){0};
  bool good = def->force(def->force_user, t, state, force, torque) == 0;
  if (!good || !isfinite(force->x + force->y + force->z + torque->x + torque->y + torque->z))
    return thud_fail(motion->base.context, good ? THUD_ERROR_NOT_FINITE : THUD_ERROR_CALLBACK,
                     "body '%s': its force %s at t = %g", motion->model.name[i], good ? "is not finite" : "failed", t);
  return THUD_OK;
}

/* A force that is too stiff for the step is taken, by its share, where the body would be a step later. */
static thud_error apply_force(body_motion *motion, thud_index i, double t, body_slopes *slopes) {
  const body_state *state = &motion->state;
  thud_body_state now = {state->pose[i].position, state->pose[i].rotation, state->velocity[i], state->spin[i]};
  thud_vec3 force, torque, next_force, next_torque;
  thud_error error = ask_force(motion, i, t, &now, &force, &torque);
  if (error == THUD_OK) error = thud_bodies_find_slopes(motion, i, t, &now, slopes);
  if (error == THUD_OK && slopes->share > 0) {
    now.position = thud_vec3_add_scaled(now.position, motion->h, now.velocity);
    now.rotation = thud_quat_integrate(now.rotation, now.spin, motion->h);
    error = ask_force(motion, i, t, &now, &next_force, &next_torque);
    if (error == THUD_OK) {
      force = thud_vec3_add_scaled(thud_vec3_scale(1 - slopes->share, force), slopes->share, next_force);
      torque = thud_vec3_add_scaled(thud_vec3_scale(1 - slopes->share, torque), slopes->share, next_torque);
    }
  }
  if (error != THUD_OK) return error;
  motion->force[i] = thud_vec3_add(motion->force[i], force);
  motion->torque[i] = thud_vec3_add(motion->torque[i], torque);
  if (slopes->stiff) motion->implicit.stiff_torque[i] = thud_vec3_add(motion->implicit.stiff_torque[i], torque);
  return THUD_OK;
}

/* ---- Euler's equations ---------------------------------------------------------------------------------------------- */

/* I (w+ - w) + h m x I m = impulse with m = (w+ + w)/2, all in the body's frame: both w.Iw and |Iw| are quadratic
 * invariants of the free body, which the midpoint rule keeps. Newton's iteration; from the explicit guess two or three
 * steps reach rounding unless h |w| is beyond 1. */
static thud_vec3 turn_freely(thud_mat3 inertia, thud_vec3 w, thud_vec3 impulse, double h) {
  enum { MOST = 50 };
  thud_vec3 next = w;
  double size = DBL_MAX;
  for (int k = 0; k < MOST; k++) {
    thud_vec3 m = thud_vec3_scale(0.5, thud_vec3_add(w, next)), L = thud_mat3_apply(inertia, m);
    thud_vec3 change = thud_mat3_apply(inertia, thud_vec3_subtract(next, w));
    thud_vec3 f = thud_vec3_subtract(thud_vec3_add_scaled(change, h, thud_vec3_cross(m, L)), impulse);
    /* d/dw+: I + h/2 ([m]x I - [Im]x) */
    thud_mat3 slope = thud_mat3_subtract(thud_mat3_multiply(thud_mat3_cross(m), inertia), thud_mat3_cross(L)), inverse;
    if (!thud_mat3_inverse(thud_mat3_add(inertia, thud_mat3_scale(0.5 * h, slope)), &inverse)) break;
    thud_vec3 correction = thud_mat3_apply(inverse, f);
    double moved = thud_vec3_norm(correction);
    if (!(moved < size)) break; /* rounding */
    next = thud_vec3_subtract(next, correction);
    size = moved;
  }
  return next;
}

static thud_mat3 rotate_tensor(thud_mat3 R, thud_mat3 A) {
  return thud_mat3_multiply(R, thud_mat3_multiply(A, thud_mat3_transpose(R)));
}

static void find_spin(body_motion *motion, thud_index i, thud_vec3 torque) {
  const body_state *state = &motion->state;
  double h = motion->h;
  if (motion->isotropic[i] || !motion->options.gyroscopic || motion->model.planar) {
    motion->spin_free[i] = thud_vec3_add_scaled(state->spin[i], h, thud_mat3_apply(motion->inverse_inertia[i], torque));
    return;
  }
  thud_quat rotation = state->pose[i].rotation;
  thud_vec3 w = thud_quat_rotate_inverse(rotation, state->spin[i]);
  thud_vec3 impulse = thud_vec3_scale(h, thud_quat_rotate_inverse(rotation, torque));
  motion->spin_free[i] = thud_quat_rotate(rotation, turn_freely(motion->model.inertia[i], w, impulse, h));
}

thud_mat3 thud_bodies_world_inverse_inertia(const body_motion *motion, thud_index i) {
  if (motion->isotropic[i]) return motion->model.inverse_inertia[i];
  return rotate_tensor(thud_quat_to_matrix(motion->state.pose[i].rotation), motion->model.inverse_inertia[i]);
}

/* Bodies that forces do not move: as they are, those on paths as they will be at the end of the step. */
static thud_error keep_going(body_motion *motion, thud_index i, double end) {
  thud_pose pose;
  motion->velocity_free[i] = motion->state.velocity[i];
  motion->spin_free[i] = motion->state.spin[i];
  if (motion->model.role[i] != THUD_BODY_KINEMATIC) return THUD_OK;
  thud_error error = ask_path(motion, i, end, &pose, &motion->velocity_free[i], &motion->spin_free[i]);
  if (error == THUD_OK) motion->path_end[i] = pose.position;
  return error;
}

/* The explicit step of a body, then what its own force answers. */
static thud_error fall_alone(body_motion *motion, thud_index i, double t) {
  const thud_bodies_view *model = &motion->model;
  const body_state *state = &motion->state;
  double h = motion->h;
  body_slopes slopes = {.share = 0};
  thud_error error = model->def[i].force != NULL ? apply_force(motion, i, t, &slopes) : THUD_OK;
  if (error != THUD_OK) return error;
  thud_vec3 force = thud_vec3_add(motion->implicit.elastic[i], motion->force[i]);
  thud_vec3 torque = thud_vec3_add(motion->implicit.elastic_torque[i], motion->torque[i]);
  thud_vec3 v = thud_vec3_add_scaled(state->velocity[i], h * model->def[i].gravity_scale, model->gravity);
  motion->velocity_free[i] = thud_vec3_add_scaled(v, h / model->mass[i], force);
  motion->inverse_inertia[i] = thud_bodies_world_inverse_inertia(motion, i);
  thud_vec3 stiff = motion->implicit.stiff_torque[i];
  find_spin(motion, i, thud_vec3_subtract(torque, stiff));
  if (thud_vec3_dot(stiff, stiff) > 0)
    motion->spin_free[i] =
        thud_vec3_add_scaled(motion->spin_free[i], h, thud_mat3_apply(motion->inverse_inertia[i], stiff));
  thud_bodies_soften(motion, i, &slopes);
  return THUD_OK;
}

thud_error thud_bodies_fall(body_motion *motion, double t, double end) {
  body_implicit *p = &motion->implicit;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++) {
    motion->force[i] = motion->torque[i] = p->elastic[i] = p->elastic_torque[i] = (thud_vec3){0};
    if (!motion->moves[i]) error = keep_going(motion, i, end);
  }
  if (error == THUD_OK) error = thud_bodies_add_springs(motion);
  if (error == THUD_OK) thud_bodies_add_pushes(motion);
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++)
    if (motion->moves[i]) error = fall_alone(motion, i, t);
  return error == THUD_OK ? thud_bodies_couple(motion) : error;
}
