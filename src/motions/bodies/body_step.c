/* The step of motions of rigid bodies (thud/body_motion.h): its parts in their order, what is found out about it, motion
 * without contacts, and the energy balance. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* ---- the step ---------------------------------------------------------------------------------------------------------- */

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Adds the processor time since *from to *sum. */
static void lap(double *from, double *sum) {
  double now = processor_seconds();
  *sum += now - *from;
  *from = now;
}

static void keep_node(body_motion *motion) {
  size_t n = (size_t)motion->model.count;
  for (size_t i = 0; i < n; i++) motion->path_left[i] = motion->state.pose[i].position;
  memcpy(motion->state.velocity_left, motion->state.velocity, n * sizeof(thud_vec3));
  memcpy(motion->state.spin_left, motion->state.spin, n * sizeof(thud_vec3));
  thud_bodies_note_joints(motion);
}

/* From the node at t to the one at `end`. */
static thud_error make_step(body_motion *motion, double end) {
  body_seconds *spent = &motion->spent;
  double middle = end - 0.5 * motion->h, from = processor_seconds(), potential = 0;
  if (motion->options.sleep) thud_bodies_stop_sleepers(motion);
  keep_node(motion);
  thud_error error = thud_bodies_drift(motion, middle);
  if (error == THUD_OK) error = thud_bodies_fall(motion, middle, end);
  lap(&from, &spent->free);
  if (error == THUD_OK) error = thud_bodies_detect(motion);
  if (error == THUD_OK) error = thud_bodies_find_laws(motion, end);
  lap(&from, &spent->detect);
  if (error == THUD_OK) error = thud_bodies_find_islands(motion);
  if (error == THUD_OK) error = thud_bodies_set_times(motion);
  if (error == THUD_OK) {
    thud_bodies_carry_load(motion);
    error = thud_bodies_assemble(motion);
  }
  lap(&from, &spent->assemble);
  if (error == THUD_OK) error = thud_bodies_solve(motion);
  if (error == THUD_OK) {
    thud_bodies_book_joints(motion);
    thud_bodies_book_contacts(motion);
    thud_bodies_book_laws(motion);
    thud_bodies_mark_jolted(motion);
    error = thud_bodies_watch(motion, false);
  }
  if (error == THUD_OK) {
    motion->fly_velocity = motion->velocity_free; /* levers of contacts with a time */
    thud_bodies_shift(motion);
    error = thud_bodies_watch(motion, true);
  }
  lap(&from, &spent->solve);
  if (error == THUD_OK) error = thud_bodies_drift(motion, end);
  if (error == THUD_OK) error = thud_bodies_follow_paths(motion, end);
  if (error == THUD_OK) {
    potential = thud_bodies_potential(motion);
    error = thud_bodies_project(motion);
    thud_bodies_show_coordinates(motion);
  }
  if (error == THUD_OK) thud_bodies_balance(motion, potential);
  lap(&from, &spent->project);
  return error;
}

/* ---- findings ------------------------------------------------------------------------------------------------------------ */

/* The worst island of the step, and of the motion. */
static void note_residuals(body_motion *motion) {
  body_scalars *now = motion->state.now;
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  thud_index worst = -1;
  now->residual = 0;
  for (thud_index s = 0; s < p->island_count; s++) {
    if (!p->islands[s].solved) now->info.unsolved_islands++;
    if (p->islands[s].residual <= now->residual && worst >= 0) continue;
    now->residual = p->islands[s].residual;
    worst = p->islands[s].worst;
  }
  motion->worst_contact = worst;
  now->usual_residual = c->count > 0 ? thud_bodies_usual_residual(motion) : 0;
  now->info.worst_usual_residual = fmax(now->info.worst_usual_residual, now->usual_residual);
  if (worst < 0 || now->residual < now->info.worst_residual) return;
  now->info.worst_residual = now->residual;
  now->info.worst_residual_time = now->t;
  now->info.worst_a = c->body_a[worst];
  now->info.worst_b = c->body_b[worst];
}

static void note_penetration(body_scalars *now) {
  if (!(now->penetration > now->info.worst_penetration)) return;
  now->info.worst_penetration = now->penetration;
  now->info.worst_penetration_time = now->t;
  now->info.worst_penetration_a = now->penetration_a;
  now->info.worst_penetration_b = now->penetration_b;
}

static double largest_speed(const body_motion *motion) {
  const body_state *state = &motion->state;
  double most = 0;
  for (thud_index i = 0; i < motion->model.count; i++) {
    double v = thud_vec3_dot(state->velocity[i], state->velocity[i]);
    if (!(v <= most)) most = v; /* NaN stays */
  }
  return sqrt(most);
}

/* An island above the tolerance, the worst contact of which is k. */
static void refuse_step(body_motion *motion, thud_index k) {
  body_scalars *now = motion->state.now;
  const char *a = motion->model.name[motion->contacts.body_a[k]], *b = motion->model.name[motion->contacts.body_b[k]];
  now->info.status = motion->infeasible ? THUD_MOTION_INFEASIBLE : THUD_MOTION_NOT_CONVERGED;
  if (motion->infeasible)
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
              "[proved-infeasible] at t = %g no velocity keeps the bodies from overlapping, which is proved: those "
              "that are fixed or follow "
              "paths do not give way; the worst contact is between '%s' and '%s'; press by a force or a spring instead",
              now->t, a, b);
  else
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
              "[solver-limit] the contacts at t = %g reach a residual of %.3g, not %.3g; the worst is between '%s' and "
              "'%s'; allow the "
              "solver more iterations (simulate: {solver: {max_iterations: ...}}) or set a larger tolerance",
              now->t, now->residual, motion->options.tolerance, a, b);
}

/* An island above the tolerance ends the motion, and so does a blow-up. */
static void judge_step(body_motion *motion) {
  body_scalars *now = motion->state.now;
  const thud_bodies_view *model = &motion->model;
  double speed = largest_speed(motion), spin = 0;
  for (thud_index i = 0; i < model->count; i++) spin += thud_vec3_norm(motion->state.spin[i]);
  if (now->info.status != THUD_MOTION_RUNNING) return;
  double energy = now->ledger.kinetic + now->ledger.potential + now->ledger.defect;
  if (!isfinite(speed) || !isfinite(spin) || speed > motion->options.blow_up * now->usual_speed) {
    now->info.status = THUD_MOTION_BLOW_UP;
    thud_fail(
        motion->base.context, THUD_ERROR_NOT_CONVERGED,
        "[blow-up] blow-up near t = %g: a speed of %.3g where %.3g is usual; shorten the step, or look for forces and "
        "impulses that are "
        "too large",
        now->t, speed, now->usual_speed);
  } else if (!isfinite(energy)) {
    now->info.status = THUD_MOTION_BLOW_UP;
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
              "[blow-up] the energies at t = %g are too large for numbers; choose larger units", now->t);
  } else if (motion->worst_contact >= 0 && !(now->residual <= motion->options.tolerance)) {
    refuse_step(motion, motion->worst_contact);
  }
}

static void count_step(body_motion *motion) {
  body_scalars *now = motion->state.now;
  now->info.steps = (size_t)now->steps;
  now->info.time = now->t;
  now->info.contacts = (size_t)motion->contacts.count;
  if (now->info.contacts > now->info.most_contacts) now->info.most_contacts = now->info.contacts;
  note_residuals(motion);
  note_penetration(now);
  judge_step(motion);
  if (now->info.status == THUD_MOTION_RUNNING && now->steps >= motion->options.steps)
    now->info.status = THUD_MOTION_COMPLETED;
}

/* What a step that could not be made means for the motion: findings are no errors of the call. */
static thud_error take_failure(body_motion *motion, thud_error error) {
  body_scalars *now = motion->state.now;
  if (motion->answer < 0) return error;
  if (error == THUD_ERROR_INTERRUPTED)
    now->info.status = THUD_MOTION_STOPPED;
  else if (error == THUD_ERROR_CALLBACK || error == THUD_ERROR_NOT_FINITE)
    now->info.status = THUD_MOTION_BAD_DATA;
  else
    return error;
  return THUD_OK;
}

/* ---- one node after the other ------------------------------------------------------------------------------------------ */

static thud_error next_node(body_motion *motion) {
  body_scalars *now = motion->state.now;
  const thud_body_motion_options *options = &motion->options;
  double part = (double)(now->steps + 1) / (double)options->steps;
  double end =
      now->steps + 1 == options->steps ? options->end : options->start + part * (options->end - options->start);
  thud_error error = make_step(motion, end);
  if (error == THUD_OK) {
    now->steps++;
    now->t = end;
    now->step = motion->h;
    thud_bodies_end_pushes(motion);
    error = thud_bodies_carry_store(motion);
    count_step(motion);
    if (error == THUD_OK && options->sleep) error = thud_bodies_fall_asleep(motion);
  }
  return error == THUD_OK ? THUD_OK : take_failure(motion, error);
}

thud_error thud_bodies_hand_out(body_motion *motion, const thud_body_event *event) {
  bool stepping = motion->sink != NULL;
  int answer = 0;
  if (!stepping && motion->wake != NULL) answer = motion->wake(motion->change_user, event);
  if (stepping && motion->sink->event != NULL) answer = motion->sink->event(motion->sink->user, event);
  if (answer == 0) return THUD_OK;
  if (stepping) motion->answer = answer;
  if (answer < 0) return thud_fail(motion->base.context, THUD_ERROR_CALLBACK, "the function for contact events failed");
  return stepping ? THUD_OK : THUD_ERROR_INTERRUPTED; /* a step ends with its frame */
}

static thud_error hand_out_node(body_motion *motion, const thud_motion_sink *sink) {
  thud_body_frame frame;
  if (sink->frame == NULL) return THUD_OK;
  thud_bodies_present(&motion->base, &frame);
  int answer = sink->frame(sink->user, &frame);
  if (answer != 0) motion->answer = answer;
  return answer < 0 ? thud_fail(motion->base.context, THUD_ERROR_CALLBACK, "the function for frames failed") : THUD_OK;
}

/* A motion that its sink stopped goes on. */
static void start_again(body_motion *motion) {
  thud_motion_status *status = &motion->state.now->info.status;
  if (*status == THUD_MOTION_STOPPED && motion->answer > 0) *status = THUD_MOTION_RUNNING;
  motion->answer = 0;
}

thud_error thud_bodies_step(thud_motion *base, const thud_motion_sink *sink, thud_reached *reached) {
  body_motion *motion = (body_motion *)base;
  thud_error error = thud_bodies_follow_model(motion);
  if (error != THUD_OK) return error;
  body_scalars *now = motion->state.now;
  int64_t before = now->steps;
  bool first = now->steps == 0 && !now->begun;
  start_again(motion);
  now->begun = true;
  motion->is_held = false;
  motion->sink = sink;
  if (!first && now->info.status == THUD_MOTION_RUNNING) error = next_node(motion);
  motion->sink = NULL; /* the function for frames may change the motion */
  if (error == THUD_OK && (first || now->steps > before)) error = hand_out_node(motion, sink);
  thud_body_motion_info *info = &motion->state.now->info;
  if (motion->answer > 0 && info->status == THUD_MOTION_RUNNING) info->status = THUD_MOTION_STOPPED;
  *reached = (thud_reached){.status = info->status, .t = info->time, .contacts = info->contacts};
  return error;
}

/* ---- motion without contacts: drift ---------------------------------------------------------------------------------- */

/* Where a kinematic body is at time t, and how fast. */
static thud_error ask_path(body_motion *motion, thud_index i, double t, thud_pose *pose, thud_vec3 *velocity,
                           thud_vec3 *spin) {
  const thud_body_def *def = &motion->model.def[i];
  *pose = motion->state.pose[i];
  *velocity = *spin = (thud_vec3){0};
  bool good = def->path(def->path_user, t, pose, velocity, spin) == 0;
  double sum = pose->position.x + pose->position.y + pose->position.z + thud_quat_norm(pose->rotation) + velocity->x +
               velocity->y + velocity->z + spin->x + spin->y + spin->z;
  if (!good || !isfinite(sum)) {
    motion->refused = i;
    return thud_fail(motion->base.context, good ? THUD_ERROR_NOT_FINITE : THUD_ERROR_CALLBACK,
                     "body '%s': its path %s at t = %g", motion->model.name[i], good ? "is not finite" : "failed", t);
  }
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

/* ---- motion without contacts: forces --------------------------------------------------------------------------------- */

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

/* ---- motion without contacts: Euler's equations ---------------------------------------------------------------------- */

/* I (w+ - w) + h m x I m = impulse with m = (w+ + w)/2, all in the body's frame: both w.Iw and |Iw| are quadratic
 * invariants of the free body, which the midpoint rule keeps. Newton's iteration; from the explicit guess two or three
 * steps reach rounding unless h |w| is beyond 1. */
thud_vec3 thud_bodies_turn_freely(thud_mat3 inertia, thud_vec3 w, thud_vec3 impulse, double h) {
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
  motion->spin_free[i] = thud_quat_rotate(rotation, thud_bodies_turn_freely(motion->model.inertia[i], w, impulse, h));
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
    motion->joints.turned[i] = motion->force[i] = motion->torque[i] = p->elastic[i] = p->elastic_torque[i] =
        (thud_vec3){0};
    if (!motion->moves[i]) error = keep_going(motion, i, end);
  }
  if (error == THUD_OK) error = thud_bodies_add_springs(motion);
  if (error == THUD_OK) thud_bodies_add_pushes(motion);
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++)
    if (motion->moves[i]) error = fall_alone(motion, i, t);
  return error == THUD_OK ? thud_bodies_couple(motion) : error;
}

/* ---- where the energy goes ------------------------------------------------------------------------------------------- */

/* At a fixed midpoint the step satisfies
 *   K+ - K- = h f.(v+ + v-)/2 + sum r.(u+ + u-)/2
 * but for the gyroscopic torque beside contact impulses; gravity's part of h f.(v+ + v-)/2 is exactly the change of its
 * potential, as positions move by h (v+ + v-)/2. */

double thud_bodies_kinetic_of(const body_motion *motion, thud_index i) {
  const body_state *state = &motion->state;
  thud_vec3 w = thud_quat_rotate_inverse(state->pose[i].rotation, state->spin[i]);
  return 0.5 * motion->model.mass[i] * thud_vec3_dot(state->velocity[i], state->velocity[i]) +
         0.5 * thud_vec3_dot(w, thud_mat3_apply(motion->model.inertia[i], w));
}

double thud_bodies_potential_of(const body_motion *motion, thud_index i) {
  const thud_bodies_view *model = &motion->model;
  return -model->mass[i] * model->def[i].gravity_scale * thud_vec3_dot(model->gravity, motion->state.pose[i].position);
}

static thud_vec3 end_of_spring(const body_motion *motion, thud_index body, thud_vec3 at) {
  return body < 0 ? at : thud_pose_point(&motion->state.pose[body], at);
}

double thud_bodies_spring_energy(const body_motion *motion, thud_index s) {
  const thud_bodies_view *model = &motion->model;
  const thud_spring_def *spring = &model->springs[s];
  double stretch = thud_vec3_distance(end_of_spring(motion, model->spring_a[s], spring->point_a),
                                      end_of_spring(motion, model->spring_b[s], spring->point_b)) -
                   spring->length;
  return 0.5 * spring->stiffness * stretch * stretch;
}

double thud_bodies_kinetic(const body_motion *motion) {
  double sum = 0;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (motion->model.role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i))
      sum += thud_bodies_kinetic_of(motion, i);
  return sum;
}

double thud_bodies_potential(const body_motion *motion) {
  double sum = 0;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (motion->model.role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i))
      sum += thud_bodies_potential_of(motion, i);
  for (thud_index s = 0; s < motion->model.spring_count; s++)
    if (thud_bodies_spring_acts(motion, s)) sum += thud_bodies_spring_energy(motion, s);
  for (thud_index k = 0; k < motion->model.joint_count; k++) sum += thud_bodies_joint_energy(motion, k);
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
  double part = c->ahead[k] / motion->h, normal = 0, rest = 0; /* s/h: see body_swept.c */
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
