/* Motion without contacts: drift, forces, Euler's equations. */
#include "sim/bodies/bodies.h"

#include <float.h>
#include <math.h>

/* ---- drift ---------------------------------------------------------------------------------------------------------- */

/* Where a kinematic body is at time t, and how fast. */
static thud_error ask_path(thud_body_motion *motion, thud_index i, double t, thud_pose *pose, thud_vec3 *velocity,
                           thud_vec3 *spin) {
  const thud_body_def *def = &motion->model.def[i];
  *pose = motion->state.pose[i];
  *velocity = *spin = (thud_vec3){0};
  bool good = def->path(def->path_user, t, pose, velocity, spin) == 0;
  double sum = pose->position.x + pose->position.y + pose->position.z + thud_quat_norm(pose->rotation) + velocity->x +
               velocity->y + velocity->z + spin->x + spin->y + spin->z;
  if (!good || !isfinite(sum))
    return thud_fail(motion->context, good ? THUD_ERROR_NOT_FINITE : THUD_ERROR_CALLBACK,
                     "body '%s': its path %s at t = %g", motion->model.name[i], good ? "is not finite" : "failed", t);
  pose->rotation = thud_quat_normalise(pose->rotation);
  return THUD_OK;
}

thud_error thud_bodies_follow_paths(thud_body_motion *motion, double t) {
  body_state *state = &motion->state;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++)
    if (motion->model.role[i] == THUD_BODY_KINEMATIC)
      error = ask_path(motion, i, t, &state->pose[i], &state->velocity[i], &state->spin[i]);
  return error;
}

thud_error thud_bodies_drift(thud_body_motion *motion, double t) {
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

/* Where a spring is fastened, world, with its velocity, and its lever about the centre of mass. */
typedef struct spring_end {
  thud_vec3 point, velocity, lever;
} spring_end;

static spring_end find_end(const thud_body_motion *motion, thud_index body, thud_vec3 at) {
  const body_state *state = &motion->state;
  if (body < 0) return (spring_end){.point = at};
  thud_vec3 lever = thud_quat_rotate(state->pose[body].rotation, at);
  return (spring_end){thud_vec3_add(state->pose[body].position, lever),
                      thud_vec3_add(state->velocity[body], thud_vec3_cross(state->spin[body], lever)), lever};
}

static void pull(thud_vec3 force, thud_vec3 lever, thud_vec3 *forces, thud_vec3 *torques, thud_index body) {
  if (body < 0) return;
  forces[body] = thud_vec3_add(forces[body], force);
  torques[body] = thud_vec3_add(torques[body], thud_vec3_cross(lever, force));
}

/* Elastic parts go to elastic and its torques, dampers to motion->force: their work is counted. */
static void add_springs(thud_body_motion *motion, thud_vec3 *elastic, thud_vec3 *elastic_torque) {
  for (thud_index s = 0; s < motion->model.spring_count; s++) {
    const thud_spring_def *spring = &motion->model.springs[s];
    thud_index a = motion->model.spring_a[s], b = motion->model.spring_b[s];
    if (!thud_bodies_spring_acts(motion, s)) continue;
    spring_end from = find_end(motion, a, spring->point_a), to = find_end(motion, b, spring->point_b);
    thud_vec3 d = thud_vec3_subtract(to.point, from.point), direction = {0};
    double length = thud_vec3_norm(d);
    if (!thud_vec3_normalise(d, &direction)) continue; /* no direction to pull along */
    double rate = thud_vec3_dot(direction, thud_vec3_subtract(to.velocity, from.velocity));
    thud_vec3 stretch = thud_vec3_scale(spring->stiffness * (length - spring->length), direction);
    thud_vec3 damp = thud_vec3_scale(spring->damping * rate, direction);
    pull(stretch, from.lever, elastic, elastic_torque, a);
    pull(thud_vec3_negate(stretch), to.lever, elastic, elastic_torque, b);
    pull(damp, from.lever, motion->force, motion->torque, a);
    pull(thud_vec3_negate(damp), to.lever, motion->force, motion->torque, b);
  }
}

static thud_error apply_force(thud_body_motion *motion, thud_index i, double t) {
  const thud_body_def *def = &motion->model.def[i];
  const body_state *state = &motion->state;
  thud_body_state now = {state->pose[i].position, state->pose[i].rotation, state->velocity[i], state->spin[i]};
  thud_vec3 force = {0}, torque = {0};
  bool good = def->force(def->force_user, t, &now, &force, &torque) == 0;
  if (!good || !isfinite(force.x + force.y + force.z + torque.x + torque.y + torque.z))
    return thud_fail(motion->context, good ? THUD_ERROR_NOT_FINITE : THUD_ERROR_CALLBACK,
                     "body '%s': its force %s at t = %g", motion->model.name[i], good ? "is not finite" : "failed", t);
  motion->force[i] = thud_vec3_add(motion->force[i], force);
  motion->torque[i] = thud_vec3_add(motion->torque[i], torque);
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

static void find_spin(thud_body_motion *motion, thud_index i, thud_vec3 torque) {
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

thud_mat3 thud_bodies_world_inverse_inertia(const thud_body_motion *motion, thud_index i) {
  if (motion->isotropic[i]) return motion->model.inverse_inertia[i];
  return rotate_tensor(thud_quat_to_matrix(motion->state.pose[i].rotation), motion->model.inverse_inertia[i]);
}

/* Bodies that forces do not move: as they are, those on paths as they will be at the end of the step. */
static thud_error keep_going(thud_body_motion *motion, thud_index i, double end) {
  thud_pose pose;
  motion->velocity_free[i] = motion->state.velocity[i];
  motion->spin_free[i] = motion->state.spin[i];
  if (motion->model.role[i] != THUD_BODY_KINEMATIC) return THUD_OK;
  thud_error error = ask_path(motion, i, end, &pose, &motion->velocity_free[i], &motion->spin_free[i]);
  if (error == THUD_OK) motion->path_end[i] = pose.position;
  return error;
}

thud_error thud_bodies_fall(thud_body_motion *motion, double t, double end) {
  const thud_bodies_view *model = &motion->model;
  const body_state *state = &motion->state;
  double h = motion->h;
  /* velocity_free and spin_free gather the elastic forces first */
  for (thud_index i = 0; i < model->count; i++)
    motion->force[i] = motion->torque[i] = motion->velocity_free[i] = motion->spin_free[i] = (thud_vec3){0};
  add_springs(motion, motion->velocity_free, motion->spin_free);
  thud_bodies_add_pushes(motion);
  for (thud_index i = 0; i < model->count; i++) {
    thud_error error = THUD_OK;
    if (!motion->moves[i])
      error = keep_going(motion, i, end);
    else if (model->def[i].force != NULL)
      error = apply_force(motion, i, t);
    if (error != THUD_OK) return error;
    if (!motion->moves[i]) continue;
    thud_vec3 force = thud_vec3_add(motion->velocity_free[i], motion->force[i]);
    thud_vec3 torque = thud_vec3_add(motion->spin_free[i], motion->torque[i]);
    thud_vec3 v = thud_vec3_add_scaled(state->velocity[i], h * model->def[i].gravity_scale, model->gravity);
    motion->velocity_free[i] = thud_vec3_add_scaled(v, h / model->mass[i], force);
    motion->inverse_inertia[i] = thud_bodies_world_inverse_inertia(motion, i);
    find_spin(motion, i, torque);
  }
  return THUD_OK;
}
