/* Springs and dampers at coordinates of joints (thud_joint_law), by the rule of springs between points (body_implicit.c). With S
 * the row of the coordinate x, which force it exerts on its bodies, f = stiffness (x - rest) at x_m and at x_p, where the bodies
 * would be a step later:
 *   impulse against S = h ((1 - A) f_m + A f_p + damping S v-) - D S (v+ - v-),   D = h^2 A stiffness + h theta damping. */
#include "motions/bodies/body_motion.h"

#include <math.h>

static bool has_spring(const thud_joint_law *law) { return law->stiffness > 0 || law->damping > 0; }

static double potential_at(const thud_joint_law *law, double x) {
  return 0.5 * law->stiffness * (x - law->rest) * (x - law->rest);
}

double thud_bodies_joint_energy(const body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  double sum = 0;
  if (!thud_bodies_joint_acts(motion, k)) return 0;
  for (int c = 0; c < joint->law_count; c++)
    if (joint->law[c].stiffness > 0) sum += potential_at(&joint->law[c], thud_bodies_coordinate(motion, k, c).value);
  return sum;
}

/* The rate of the row per impulse on it, by body i alone. */
static double response_of(const body_motion *motion, thud_index i, thud_vec3 force, thud_vec3 about) {
  thud_vec3 turn = thud_quat_rotate_inverse(motion->state.pose[i].rotation, about);
  return thud_vec3_dot(force, force) / motion->model.mass[i] +
         thud_vec3_dot(turn, thud_mat3_apply(motion->model.inverse_inertia[i], turn));
}

void thud_bodies_count_joint_springs(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  double h = motion->h;
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    const thud_joint *joint = &motion->model.joints[k];
    bool a_moves = motion->moves[joint->a], b_moves = joint->b >= 0 && motion->moves[joint->b];
    for (int c = 0; c < joint->law_count; c++) {
      const thud_joint_law *law = &joint->law[c];
      if (!has_spring(law) || !thud_bodies_joint_acts(motion, k)) continue;
      thud_joint_row row = thud_bodies_coordinate(motion, k, c);
      for (int side = 0; side < 2; side++) {
        thud_index i = side == 0 ? joint->a : joint->b;
        if (!(side == 0 ? a_moves : b_moves)) continue;
        double response =
            response_of(motion, i, side == 0 ? row.force_a : row.force, side == 0 ? row.about_a : row.about_b);
        if (a_moves && b_moves) response *= 2;
        p->kappa[i] += h * h * law->stiffness * response;
        p->zeta[i] += h * law->damping * response;
      }
    }
  }
}

/* Where the coordinate would be a step later, bodies on paths at the velocities that these give them. */
static double find_next(const body_motion *motion, thud_index k, int c) {
  const thud_joint *joint = &motion->model.joints[k];
  thud_pose ahead[2] = {thud_pose_identity(), thud_pose_identity()};
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0) continue;
    bool driven = motion->model.role[i] == THUD_BODY_KINEMATIC;
    thud_vec3 v = driven ? motion->velocity_free[i] : motion->state.velocity[i];
    thud_vec3 w = driven ? motion->spin_free[i] : motion->state.spin[i];
    ahead[side].position = thud_vec3_add_scaled(motion->state.pose[i].position, motion->h, v);
    ahead[side].rotation = thud_quat_integrate(motion->state.pose[i].rotation, w, motion->h);
  }
  return thud_bodies_coordinate_ahead(motion, k, c, ahead).value;
}

static double larger_of(const body_motion *motion, const double *of, const thud_joint *joint) {
  double a = motion->moves[joint->a] ? of[joint->a] : 0,
         b = joint->b >= 0 && motion->moves[joint->b] ? of[joint->b] : 0;
  return fmax(a, b);
}

/* What bodies on paths change the rate by over the step. */
static double path_change(const body_motion *motion, const thud_joint *joint, const thud_joint_row *row) {
  double rate = 0;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0 || motion->model.role[i] != THUD_BODY_KINEMATIC) continue;
    thud_vec3 v = thud_vec3_subtract(motion->velocity_free[i], motion->state.velocity[i]);
    thud_vec3 w = thud_vec3_subtract(motion->spin_free[i], motion->state.spin[i]);
    double part = side == 0 ? thud_vec3_dot(row->force_a, v) + thud_vec3_dot(row->about_a, w)
                            : thud_vec3_dot(row->force, v) + thud_vec3_dot(row->about_b, w);
    rate += side == 0 ? -part : part;
  }
  return rate;
}

/* The force `size` of the spring against the row, to forces and torques of its bodies. */
static void push(const thud_joint *joint, const thud_joint_row *row, double size, thud_vec3 *force, thud_vec3 *torque) {
  force[joint->a] = thud_vec3_add_scaled(force[joint->a], size, row->force_a);
  torque[joint->a] = thud_vec3_add_scaled(torque[joint->a], size, row->about_a);
  if (joint->b < 0) return;
  force[joint->b] = thud_vec3_add_scaled(force[joint->b], -size, row->force);
  torque[joint->b] = thud_vec3_add_scaled(torque[joint->b], -size, row->about_b);
}

static void push_stiff(const thud_joint *joint, const thud_joint_row *row, double size, thud_vec3 *torque) {
  torque[joint->a] = thud_vec3_add_scaled(torque[joint->a], size, row->about_a);
  if (joint->b >= 0) torque[joint->b] = thud_vec3_add_scaled(torque[joint->b], -size, row->about_b);
}

static thud_error add_link(body_motion *motion, thud_index k, int c, const thud_joint_row *row, double elastic,
                           double damping) {
  body_implicit *p = &motion->implicit;
  const thud_joint *joint = &motion->model.joints[k];
  thud_error error =
      thud_array_reserve(motion->base.context, &p->links, &p->link_capacity, p->link_count + 1, sizeof *p->links);
  if (error != THUD_OK) return error;
  body_link *link = &p->links[p->link_count++];
  *link = thud_bodies_row_link(motion, k, row);
  link->is_joint = false;
  link->is_spring = true;
  link->row = c;
  link->elastic = elastic;
  link->damping = damping;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0 || motion->model.role[i] != THUD_BODY_KINEMATIC) continue;
    link->path = i;
    if (side == 0)
      thud_bodies_pack(motion, thud_vec3_negate(row->force_a), thud_vec3_negate(row->about_a), link->J_path);
    else
      thud_bodies_pack(motion, row->force, row->about_b, link->J_path);
  }
  return THUD_OK;
}

static thud_error add_spring(body_motion *motion, thud_index k, int c) {
  body_implicit *p = &motion->implicit;
  const thud_joint *joint = &motion->model.joints[k];
  const thud_joint_law *law = &joint->law[c];
  thud_joint_row row = thud_bodies_coordinate(motion, k, c);
  double h = motion->h, kappa = larger_of(motion, p->kappa, joint), zeta = larger_of(motion, p->zeta, joint);
  double share = kappa > BODY_SPRING_RESOLVED ? 1 - BODY_SPRING_RESOLVED / kappa : 0, theta = (1 + zeta) / (2 + zeta);
  double pull = law->stiffness * (row.value - law->rest);
  if (share > 0) pull = (1 - share) * pull + share * law->stiffness * (find_next(motion, k, c) - law->rest);
  double damp = law->damping * (thud_bodies_rate_of_row(joint, &row, motion->state.velocity, motion->state.spin) +
                                theta * path_change(motion, joint, &row));
  push(joint, &row, pull, p->elastic, p->elastic_torque);
  push(joint, &row, damp, motion->force, motion->torque);
  if (kappa > BODY_SPRING_STIFF || zeta > BODY_DAMPER_STIFF) push_stiff(joint, &row, pull + damp, p->stiff_torque);
  motion->laws.spring[(size_t)k * THUD_JOINT_LAWS + (size_t)c] = -(pull + damp);
  if (!(share > 0) && !(law->damping > 0)) return THUD_OK;
  return add_link(motion, k, c, &row, h * h * share * law->stiffness, h * theta * law->damping);
}

thud_error thud_bodies_add_joint_springs(body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  thud_error error = THUD_OK;
  for (int c = 0; c < joint->law_count && error == THUD_OK; c++) {
    motion->laws.spring[(size_t)k * THUD_JOINT_LAWS + (size_t)c] = 0;
    if (has_spring(&joint->law[c]) && thud_bodies_joint_acts(motion, k)) error = add_spring(motion, k, c);
  }
  return error;
}

void thud_bodies_show_joint_springs(body_motion *motion) {
  const body_implicit *p = &motion->implicit;
  const body_state *state = &motion->state;
  size_t places = (size_t)motion->model.joint_count * THUD_JOINT_LAWS;
  for (size_t k = 0; k < places; k++) motion->laws.shown[k].spring = motion->laws.spring[k];
  for (size_t r = 0; r < p->link_count; r++) {
    const body_link *link = &p->links[r];
    double rate = 0, x[THUD_BODY_BLOCK];
    if (!link->is_spring) continue;
    for (int side = 0; side < 2; side++) {
      thud_index i = side == 0 ? link->a : link->b;
      if (i < 0) continue;
      thud_bodies_change_of(motion, i, state->velocity_left, state->spin_left, state->velocity, state->spin, x);
      rate += body_dot((size_t)motion->problem.block, side == 0 ? link->J_a : link->J_b, x);
    }
    size_t place = (size_t)link->joint * THUD_JOINT_LAWS + (size_t)link->row;
    motion->laws.shown[place].spring -= (link->elastic + link->damping) * rate / motion->h;
  }
}
