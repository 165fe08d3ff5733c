/* Sleeping: an island whose bodies have all been slow for a while, none of them speeding up, stops where it is.
 *
 * It stays a part of every step. Its contacts are found at the poses at which it stopped, its forces are those of the time,
 * and the impulses of the last step are judged at rest: as long as they balance the forces up to the tolerance, so that
 *   |v+| <= tolerance * scale   for every point of its bodies, scale being that of the island's residual,
 * and satisfy the law with v+ = 0, nothing is solved and nothing moves. Where they do not, the island is solved; if it would
 * not move then either, it sleeps on with the new impulses. Otherwise all of it wakes within this step, with its new contacts:
 * bodies that touch it, paths and forces that change and supports that leave meet bodies that move. */
#include "motions/bodies/body_motion.h"

#include <math.h>

/* Speed of the farthest point of a body, at most. */
static double speed_of(const body_motion *motion, thud_index i, thud_vec3 velocity, thud_vec3 spin) {
  const thud_bodies_view *model = &motion->model;
  double radius = 0;
  for (thud_index p = model->part_start[i]; p < model->part_start[i + 1]; p++)
    radius = fmax(radius, thud_vec3_norm(model->part_pose[p].position) + thud_shape_radius(model->part_shape[p]));
  return thud_vec3_norm(velocity) + radius * thud_vec3_norm(spin);
}

/* A speed that a body at rest in the island may get in a step. */
static double speed_at_rest(const body_motion *motion, thud_index s) {
  const thud_body_island *island = &motion->problem.islands[s];
  return fmax(motion->options.tolerance * island->scale, island->noise);
}

void thud_bodies_stop_sleepers(body_motion *motion) {
  body_state *state = &motion->state;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (state->asleep[i]) state->velocity[i] = state->spin[i] = (thud_vec3){0};
}

/* ---- at rest or not ---------------------------------------------------------------------------------------------------- */

/* Velocities 0 in an island whose impulses are p->r, if these hold it; otherwise its velocities stay as they are. */
static bool rest_island(body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  body_state *state = &motion->state;
  body_contacts *c = &motion->contacts;
  double most = 0;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
    most = fmax(most, speed_of(motion, p->body[i], state->velocity[p->body[i]], state->spin[p->body[i]]));
  if (!(most <= speed_at_rest(motion, s))) return false;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
    state->velocity[p->body[i]] = state->spin[p->body[i]] = (thud_vec3){0};
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
    thud_bodies_relative_velocity(motion, p->order[at], false, state->velocity, state->spin,
                                  c->u + (size_t)p->order[at] * (size_t)p->d);
  thud_bodies_judge_island(motion, s);
  return p->islands[s].solved;
}

/* By the impulses of the last step, else by those of this one. */
static thud_error hold_island(body_motion *motion, thud_index s, bool *held) {
  thud_bodies_scale_island(motion, s);
  thud_bodies_move_island(motion, s);
  *held = rest_island(motion, s);
  if (*held) return THUD_OK;
  thud_error error = thud_bodies_solve_island(motion, s);
  if (error == THUD_OK) *held = rest_island(motion, s);
  return error;
}

static void wake(body_motion *motion, thud_index i) {
  if (!motion->state.asleep[i]) return;
  motion->state.asleep[i] = false;
  motion->state.rest[i] = 0;
  motion->woken[i] = true;
}

thud_error thud_bodies_hold_sleepers(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_state *state = &motion->state;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count; i++) {
    motion->woken[i] = false;
    if (p->parent[i] < 0) wake(motion, i);
  }
  for (thud_index s = 0; s < p->island_count && error == THUD_OK; s++) {
    bool all = true, any = false, held = false;
    for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++) {
      all = all && state->asleep[p->body[i]];
      any = any || state->asleep[p->body[i]];
    }
    for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
      all = all && !motion->contacts.impact[p->order[at]];
    if (all) error = hold_island(motion, s, &held);
    p->held[s] = held;
    for (thud_index i = p->body_start[s]; any && !held && i < p->body_start[s + 1]; i++) wake(motion, p->body[i]);
  }
  return error;
}

/* ---- falling asleep ------------------------------------------------------------------------------------------------------ */

static thud_error report(body_motion *motion, int kind, thud_index body) {
  thud_body_event event = {.kind = kind, .t = motion->state.now->t, .body_a = body, .body_b = -1};
  return thud_bodies_hand_out(motion, &event);
}

thud_error thud_bodies_wake(body_motion *motion, thud_index i) {
  motion->state.asleep[i] = false;
  motion->state.rest[i] = 0;
  return report(motion, THUD_BODY_EVENT_WAKE, i);
}

/* Slow, and as fast as a step before: what speeds up would be stopped again and again. */
static bool is_calm(const body_motion *motion, thud_index i) {
  const body_state *state = &motion->state;
  thud_index s = motion->problem.parent[i];
  if (!motion->moves[i] || s < 0) return false;
  thud_vec3 v = thud_vec3_subtract(state->velocity[i], state->velocity_left[i]);
  thud_vec3 w = thud_vec3_subtract(state->spin[i], state->spin_left[i]);
  return speed_of(motion, i, state->velocity[i], state->spin[i]) < motion->options.sleep_speed &&
         speed_of(motion, i, v, w) <= speed_at_rest(motion, s);
}

/* Bodies do not rest on paths that move, however slowly. */
static void stay_awake_on_paths(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  for (thud_index k = 0; k < c->count; k++) {
    thud_index b = c->body_b[k];
    if (motion->model.role[b] != THUD_BODY_KINEMATIC) continue;
    thud_vec3 lever = thud_vec3_subtract(c->point[k], state->pose[b].position);
    thud_vec3 v = thud_vec3_add(state->velocity[b], thud_vec3_cross(state->spin[b], lever));
    if (thud_vec3_norm(v) > speed_at_rest(motion, c->island[k])) state->rest[c->body_a[k]] = 0;
  }
}

thud_error thud_bodies_fall_asleep(body_motion *motion) {
  body_problem *p = &motion->problem;
  body_state *state = &motion->state;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++) {
    state->rest[i] = is_calm(motion, i) ? state->rest[i] + motion->h : 0;
    if (motion->woken[i]) error = report(motion, THUD_BODY_EVENT_WAKE, i);
  }
  stay_awake_on_paths(motion);
  for (thud_index s = 0; s < p->island_count && error == THUD_OK; s++) {
    bool rests = true;
    for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
      rests = rests && state->rest[p->body[i]] >= motion->options.sleep_time;
    for (thud_index i = p->body_start[s]; rests && i < p->body_start[s + 1] && error == THUD_OK; i++) {
      thud_index body = p->body[i];
      if (state->asleep[body]) continue;
      state->asleep[body] = true; /* stops when the next step begins */
      error = report(motion, THUD_BODY_EVENT_SLEEP, body);
    }
  }
  return error;
}
