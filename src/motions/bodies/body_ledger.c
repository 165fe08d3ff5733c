/* Where the energy goes. At a fixed midpoint the step satisfies
 *   K+ - K- = h f.(v+ + v-)/2 + sum r.(u+ + u-)/2
 * but for the gyroscopic torque beside contact impulses; gravity's part of h f.(v+ + v-)/2 is exactly the change of its
 * potential, as positions move by h (v+ + v-)/2. */
#include "motions/bodies/body_motion.h"

#include <math.h>

double thud_bodies_kinetic(const body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  const body_state *state = &motion->state;
  double sum = 0;
  for (thud_index i = 0; i < model->count; i++) {
    if (model->role[i] != THUD_BODY_DYNAMIC || !thud_bodies_is_there(motion, i)) continue;
    thud_vec3 w = thud_quat_rotate_inverse(state->pose[i].rotation, state->spin[i]);
    sum += 0.5 * model->mass[i] * thud_vec3_dot(state->velocity[i], state->velocity[i]) +
           0.5 * thud_vec3_dot(w, thud_mat3_apply(model->inertia[i], w));
  }
  return sum;
}

static thud_vec3 end_of_spring(const body_motion *motion, thud_index body, thud_vec3 at) {
  return body < 0 ? at : thud_pose_point(&motion->state.pose[body], at);
}

double thud_bodies_potential(const body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  double sum = 0;
  for (thud_index i = 0; i < model->count; i++)
    if (model->role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i))
      sum -=
          model->mass[i] * model->def[i].gravity_scale * thud_vec3_dot(model->gravity, motion->state.pose[i].position);
  for (thud_index s = 0; s < model->spring_count; s++) {
    const thud_spring_def *spring = &model->springs[s];
    if (!thud_bodies_spring_acts(motion, s)) continue;
    double stretch = thud_vec3_distance(end_of_spring(motion, model->spring_a[s], spring->point_a),
                                        end_of_spring(motion, model->spring_b[s], spring->point_b)) -
                     spring->length;
    sum += 0.5 * spring->stiffness * stretch * stretch;
  }
  return sum;
}

/* Work of applied forces, torques and dampers on bodies that move by forces, as if they were explicit. */
static double applied_work(const body_motion *motion) {
  const body_state *state = &motion->state;
  double sum = 0, half = 0.5 * motion->h;
  for (thud_index i = 0; i < motion->model.count; i++) {
    if (!motion->moves[i]) continue;
    sum += half * thud_vec3_dot(motion->force[i], thud_vec3_add(state->velocity[i], state->velocity_left[i])) +
           half * thud_vec3_dot(motion->torque[i], thud_vec3_add(state->spin[i], state->spin_left[i]));
  }
  return sum;
}

/* Velocities of the body on a path of contact k, the mean of those before and after: at its own centre, or where it carries
 * body a at the centre of that. */
static body_field mean_field(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  thud_index b = c->body_b[k];
  body_field left = {state->velocity_left[b], state->spin_left[b]}, end = {state->velocity[b], state->spin[b]};
  if (c->carried[k]) {
    left = c->field_left[k];
    end = c->field[k];
  }
  return (body_field){thud_vec3_scale(0.5, thud_vec3_add(end.velocity, left.velocity)),
                      thud_vec3_scale(0.5, thud_vec3_add(end.spin, left.spin))};
}

/* Books contact k: what kinematic bodies do through it, and what is lost. */
static void book_contact(body_motion *motion, thud_index k, thud_body_ledger *ledger) {
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d, first = (size_t)k * d;
  thud_index b = c->body_b[k];
  double part = c->ahead[k] / motion->h, normal = 0, rest = 0; /* s/h: see swept.c */
  for (size_t i = first; i < first + d; i++) {
    double change = part * (c->u_free[i] - c->u_minus[i]);
    *(i == first ? &normal : &rest) -= c->r[i] * (0.5 * (c->u[i] + c->u_minus[i]) + change);
  }
  if (motion->model.role[b] == THUD_BODY_KINEMATIC) {
    body_field mean = mean_field(motion, k);
    thud_vec3 lever = thud_bodies_lever(motion, k, c->carried[k] ? c->body_a[k] : b);
    thud_vec3 v = thud_vec3_add(mean.velocity, thud_vec3_cross(mean.spin, lever));
    double work = thud_vec3_dot(c->force[k], v) + thud_vec3_dot(c->moment[k], mean.spin);
    ledger->work += work;
    ledger->kinematic_work += work;
  }
  if (c->impact[k])
    ledger->impact_loss += normal + rest;
  else {
    ledger->contact_loss += normal;
    ledger->friction_loss += rest;
  }
}

/* Called before the second drift: poses of kinematic bodies are those of the midpoint. */
void thud_bodies_book_contacts(body_motion *motion) {
  body_scalars *now = motion->state.now;
  const body_contacts *c = &motion->contacts;
  double damped, of_paths = thud_bodies_spring_work(motion, &damped);
  now->ledger.work += of_paths;
  now->ledger.kinematic_work += of_paths + damped;
  now->ledger.work += applied_work(motion) + thud_bodies_implicit_work(motion);
  for (thud_index k = 0; k < c->count; k++) {
    book_contact(motion, k, &now->ledger);
    if (c->impact[k] && c->r[(size_t)k * (size_t)motion->problem.d] > 0) now->info.impacts++;
  }
}

/* Energies at the end of the step, and what the entries do not explain. */
void thud_bodies_balance(body_motion *motion, double potential_before_lift) {
  body_scalars *now = motion->state.now;
  thud_body_ledger *l = &now->ledger;
  l->kinetic = thud_bodies_kinetic(motion);
  l->potential = thud_bodies_potential(motion);
  l->lift += l->potential - potential_before_lift;
  double expected = now->initial_energy + l->work - l->impact_loss - l->friction_loss - l->contact_loss + l->lift;
  l->defect = l->kinetic + l->potential - expected;
}
