/* Motions of rigid bodies: life, and the step itself (thud/body_motion.h). */
#include "motions/bodies/body_motion.h"

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
    thud_bodies_book_contacts(motion);
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
    thud_fail(
        motion->base.context, THUD_ERROR_NOT_CONVERGED,
        "at t = %g no velocity keeps the bodies from overlapping, which is proved: those that are fixed or follow "
        "paths do not give way; the worst contact is between '%s' and '%s'; press by a force or a spring instead",
        now->t, a, b);
  else
    thud_fail(
        motion->base.context, THUD_ERROR_NOT_CONVERGED,
        "the contacts at t = %g reach a residual of %.3g, not %.3g; the worst is between '%s' and '%s'; allow the "
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
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
              "blow-up near t = %g: a speed of %.3g where %.3g is usual; shorten the step, or look for forces and "
              "impulses that are "
              "too large",
              now->t, speed, now->usual_speed);
  } else if (!isfinite(energy)) {
    now->info.status = THUD_MOTION_BLOW_UP;
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
              "the energies at t = %g are too large for numbers; choose larger units", now->t);
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

/* ---- what is shown ------------------------------------------------------------------------------------------------------- */

static void show_contacts(const body_motion *motion, thud_body_contacts *shown) {
  const body_contacts *c = &motion->contacts;
  *shown = (thud_body_contacts){.count = c->count,
                                .dimension = motion->problem.d,
                                .body_a = c->body_a,
                                .body_b = c->body_b,
                                .part_a = c->part_a,
                                .part_b = c->part_b,
                                .feature = c->feature,
                                .normal = c->normal,
                                .frame = c->frame,
                                .point = c->point,
                                .gap = c->gap,
                                .mu = c->mu,
                                .mu_across = c->mu_across,
                                .restitution = c->restitution,
                                .rolling = c->rolling,
                                .spinning = c->spinning,
                                .r = c->r,
                                .u_minus = c->u_minus,
                                .u = c->u,
                                .force = c->force,
                                .moment = motion->problem.d > (motion->model.planar ? 2 : 3) ? c->moment : NULL,
                                .island = c->island,
                                .state = c->state,
                                .ahead = c->ahead};
}

void thud_bodies_present(const thud_motion *motion, void *frame) {
  const body_motion *own = (const body_motion *)motion;
  const body_state *state = &own->state;
  const body_scalars *now = state->now;
  show_contacts(own, &((body_motion *)own)->shown); /* a view of the own's own arrays */
  *(thud_body_frame *)frame = (thud_body_frame){.t = now->t,
                                                .step = now->step,
                                                .count = own->model.count,
                                                .pose = state->pose,
                                                .velocity = state->velocity,
                                                .spin = state->spin,
                                                .velocity_left = state->velocity_left,
                                                .spin_left = state->spin_left,
                                                .lift = state->lift,
                                                .turn = state->turn,
                                                .asleep = state->asleep,
                                                .contacts = &own->shown,
                                                .island_count = own->problem.island_count,
                                                .islands = own->problem.islands,
                                                .residual = now->residual,
                                                .usual_residual = now->usual_residual,
                                                .worst_contact = own->worst_contact,
                                                .penetration = now->penetration,
                                                .penetration_a = now->penetration_a,
                                                .penetration_b = now->penetration_b,
                                                .iterations = now->iterations,
                                                .method = own->method,
                                                .ledger = now->ledger,
                                                .absent = state->absent};
}

void thud_bodies_info(const thud_motion *motion, void *info) {
  const body_motion *own = (const body_motion *)motion;
  thud_body_motion_info *shown = info;
  *shown = own->state.now->info;
  shown->free_seconds = own->spent.free;
  shown->detect_seconds = own->spent.detect;
  shown->assemble_seconds = own->spent.assemble;
  shown->solve_seconds = own->spent.solve;
  shown->project_seconds = own->spent.project;
}

thud_body_frame thud_body_motion_present(const thud_motion *motion) {
  thud_body_frame frame = {0};
  THUD_MOTION_OF_OR(frame, motion, &thud_body_motion_type);
  thud_bodies_present(motion, &frame);
  return frame;
}

thud_body_motion_info thud_body_motion_get_info(const thud_motion *motion) {
  thud_body_motion_info info = {0};
  THUD_MOTION_OF_OR(info, motion, &thud_body_motion_type);
  thud_bodies_info(motion, &info);
  return info;
}

thud_error thud_body_motion_problem(const thud_motion *motion, const thud_contact_problem **problem, const double **r) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, problem, r);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  if (own->contacts.count == 0)
    return thud_fail(own->base.context, THUD_ERROR_NOT_FOUND, "the last step had no contacts");
  for (thud_index s = 0; s < own->problem.island_count; s++)
    if (thud_bodies_is_coupled(own, s))
      return thud_fail(own->base.context, THUD_ERROR_UNSUPPORTED,
                       "stiff springs or dampers connect bodies in the last step: it has no two-block form");
  *problem = &own->problem.view;
  *r = own->problem.r;
  return THUD_OK;
}

thud_pose thud_body_motion_frame_pose(const thud_motion *motion, thud_index body) {
  THUD_MOTION_OF_OR(thud_pose_identity(), motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  if (thud_bodies_follow_model((body_motion *)own) != THUD_OK || body < 0 || body >= own->model.count)
    return thud_pose_identity();
  thud_pose pose = own->state.pose[body];
  thud_vec3 centre = thud_quat_rotate(pose.rotation, own->model.centre[body]);
  pose.position = thud_vec3_subtract(pose.position, centre);
  return pose;
}

thud_error thud_body_motion_set_filter(thud_motion *motion, thud_body_filter_fn filter, void *user) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  own->filter = filter;
  own->filter_user = user;
  return THUD_OK;
}
