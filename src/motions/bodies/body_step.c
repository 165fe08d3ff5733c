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

static void keep_node(thud_body_motion *motion) {
  size_t n = (size_t)motion->model.count;
  for (size_t i = 0; i < n; i++) motion->path_left[i] = motion->state.pose[i].position;
  memcpy(motion->state.velocity_left, motion->state.velocity, n * sizeof(thud_vec3));
  memcpy(motion->state.spin_left, motion->state.spin, n * sizeof(thud_vec3));
}

/* From the node at t to the one at `end`. */
static thud_error make_step(thud_body_motion *motion, double end) {
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
static void note_residuals(thud_body_motion *motion) {
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

static double largest_speed(const thud_body_motion *motion) {
  const body_state *state = &motion->state;
  double most = 0;
  for (thud_index i = 0; i < motion->model.count; i++) {
    double v = thud_vec3_dot(state->velocity[i], state->velocity[i]);
    if (!(v <= most)) most = v; /* NaN stays */
  }
  return sqrt(most);
}

/* An island above the tolerance, the worst contact of which is k. */
static void refuse_step(thud_body_motion *motion, thud_index k) {
  body_scalars *now = motion->state.now;
  const char *a = motion->model.name[motion->contacts.body_a[k]], *b = motion->model.name[motion->contacts.body_b[k]];
  now->info.status = motion->infeasible ? THUD_MOTION_INFEASIBLE : THUD_MOTION_NOT_CONVERGED;
  if (motion->infeasible)
    thud_fail(
        motion->context, THUD_ERROR_NOT_CONVERGED,
        "at t = %g no velocity keeps the bodies from overlapping, which is proved: those that are fixed or follow "
        "paths do not give way; the worst contact is between '%s' and '%s'; press by a force or a spring instead",
        now->t, a, b);
  else
    thud_fail(
        motion->context, THUD_ERROR_NOT_CONVERGED,
        "the contacts at t = %g reach a residual of %.3g, not %.3g; the worst is between '%s' and '%s'; allow the "
        "solver more iterations (simulate: {solver: {max_iterations: ...}}) or set a larger tolerance",
        now->t, now->residual, motion->options.tolerance, a, b);
}

/* An island above the tolerance ends the motion, and so does a blow-up. */
static void judge_step(thud_body_motion *motion) {
  body_scalars *now = motion->state.now;
  const thud_bodies_view *model = &motion->model;
  double speed = largest_speed(motion), spin = 0;
  for (thud_index i = 0; i < model->count; i++) spin += thud_vec3_norm(motion->state.spin[i]);
  if (now->info.status != THUD_MOTION_RUNNING) return;
  double energy = now->ledger.kinetic + now->ledger.potential + now->ledger.defect;
  if (!isfinite(speed) || !isfinite(spin) || speed > motion->options.blow_up * now->usual_speed) {
    now->info.status = THUD_MOTION_BLOW_UP;
    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
              "blow-up near t = %g: a speed of %.3g where %.3g is usual; shorten the step, or look for forces and "
              "impulses that are "
              "too large",
              now->t, speed, now->usual_speed);
  } else if (!isfinite(energy)) {
    now->info.status = THUD_MOTION_BLOW_UP;
    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
              "the energies at t = %g are too large for numbers; choose larger units", now->t);
  } else if (motion->worst_contact >= 0 && !(now->residual <= motion->options.tolerance)) {
    refuse_step(motion, motion->worst_contact);
  }
}

static void count_step(thud_body_motion *motion) {
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
static thud_error take_failure(thud_body_motion *motion, thud_error error) {
  body_scalars *now = motion->state.now;
  if (error == THUD_ERROR_INTERRUPTED)
    now->info.status = THUD_MOTION_STOPPED;
  else if (error == THUD_ERROR_CALLBACK || error == THUD_ERROR_NOT_FINITE)
    now->info.status = THUD_MOTION_BAD_DATA;
  else
    return error;
  return THUD_OK;
}

static thud_body_motion_info info_of(const thud_body_motion *motion) {
  thud_body_motion_info info = motion->state.now->info;
  info.free_seconds = motion->spent.free;
  info.detect_seconds = motion->spent.detect;
  info.assemble_seconds = motion->spent.assemble;
  info.solve_seconds = motion->spent.solve;
  info.project_seconds = motion->spent.project;
  return info;
}

thud_error thud_body_motion_step(thud_body_motion *motion, thud_body_motion_info *info) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  body_scalars *now = motion->state.now;
  const thud_body_motion_options *options = &motion->options;
  thud_error error = thud_bodies_follow_model(motion);
  now = motion->state.now;
  motion->is_held = false;
  if (error == THUD_OK && now->info.status == THUD_MOTION_RUNNING) {
    double part = (double)(now->steps + 1) / (double)options->steps;
    double end =
        now->steps + 1 == options->steps ? options->end : options->start + part * (options->end - options->start);
    error = make_step(motion, end);
    if (error == THUD_OK) {
      now->steps++;
      now->t = end;
      now->step = motion->h;
      thud_bodies_end_pushes(motion);
      error = thud_bodies_carry_store(motion);
      count_step(motion);
      if (error == THUD_OK && options->sleep) error = thud_bodies_fall_asleep(motion);
    }
    if (error != THUD_OK) error = take_failure(motion, error);
  }
  if (error == THUD_OK && info != NULL) *info = info_of(motion);
  return error;
}

thud_error thud_body_motion_run(thud_body_motion *motion, thud_body_frame_fn sink, void *user,
                                thud_body_motion_info *info) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, sink);
  thud_error error = THUD_OK;
  int answer = 0;
  for (;;) {
    thud_body_frame frame = thud_body_motion_present(motion);
    answer = sink(user, &frame);
    if (answer != 0 || motion->state.now->info.status != THUD_MOTION_RUNNING) break; /* the sink may change it */
    error = thud_body_motion_step(motion, NULL);
    if (error != THUD_OK) return error;
  }
  if (answer < 0) return thud_fail(motion->context, THUD_ERROR_CALLBACK, "the function for frames failed");
  thud_body_motion_info *found = &motion->state.now->info;
  if (answer > 0 && found->status == THUD_MOTION_RUNNING) found->status = THUD_MOTION_STOPPED;
  if (info != NULL) *info = info_of(motion);
  return THUD_OK;
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------- */

static void show_contacts(const thud_body_motion *motion, thud_body_contacts *shown) {
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

thud_body_frame thud_body_motion_present(const thud_body_motion *motion) {
  THUD_REQUIRE_OR((thud_body_frame){0}, motion);
  const body_state *state = &motion->state;
  const body_scalars *now = state->now;
  show_contacts(motion, &((thud_body_motion *)motion)->shown); /* a view of the motion's own arrays */
  return (thud_body_frame){.t = now->t,
                           .step = now->step,
                           .count = motion->model.count,
                           .pose = state->pose,
                           .velocity = state->velocity,
                           .spin = state->spin,
                           .velocity_left = state->velocity_left,
                           .spin_left = state->spin_left,
                           .lift = state->lift,
                           .turn = state->turn,
                           .asleep = state->asleep,
                           .contacts = &motion->shown,
                           .island_count = motion->problem.island_count,
                           .islands = motion->problem.islands,
                           .residual = now->residual,
                           .usual_residual = now->usual_residual,
                           .worst_contact = motion->worst_contact,
                           .penetration = now->penetration,
                           .penetration_a = now->penetration_a,
                           .penetration_b = now->penetration_b,
                           .iterations = now->iterations,
                           .method = motion->method,
                           .ledger = now->ledger,
                           .absent = state->absent};
}

thud_error thud_body_motion_problem(const thud_body_motion *motion, const thud_contact_problem **problem,
                                    const double **r) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, problem, r);
  if (motion->contacts.count == 0)
    return thud_fail(motion->context, THUD_ERROR_NOT_FOUND, "the last step had no contacts");
  for (thud_index s = 0; s < motion->problem.island_count; s++)
    if (thud_bodies_is_coupled(motion, s))
      return thud_fail(motion->context, THUD_ERROR_UNSUPPORTED,
                       "stiff springs or dampers connect bodies in the last step: it has no two-block form");
  *problem = &motion->problem.view;
  *r = motion->problem.r;
  return THUD_OK;
}

thud_pose thud_body_motion_frame_pose(const thud_body_motion *motion, thud_index body) {
  THUD_REQUIRE_OR(thud_pose_identity(), motion);
  if (thud_bodies_follow_model((thud_body_motion *)motion) != THUD_OK || body < 0 || body >= motion->model.count)
    return thud_pose_identity();
  thud_pose pose = motion->state.pose[body];
  thud_vec3 centre = thud_quat_rotate(pose.rotation, motion->model.centre[body]);
  pose.position = thud_vec3_subtract(pose.position, centre);
  return pose;
}

thud_error thud_body_motion_set_filter(thud_body_motion *motion, thud_body_filter_fn filter, void *user) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  motion->filter = filter;
  motion->filter_user = user;
  return THUD_OK;
}

thud_error thud_body_motion_set_events(thud_body_motion *motion, thud_body_event_fn event, void *user) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  motion->event = event;
  motion->event_user = user;
  return THUD_OK;
}
