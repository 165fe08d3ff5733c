/* Sleeping: islands whose bodies have all been slow for a while stop, and are fixed until something touches them. */
#include "sim/bodies/bodies.h"

#include <math.h>

/* Speed of the farthest point, at most. */
static double speed_of(const thud_body_motion *motion, thud_index i) {
  const thud_bodies_view *model = &motion->model;
  double radius = 0;
  for (thud_index p = model->part_start[i]; p < model->part_start[i + 1]; p++)
    radius = fmax(radius, thud_vec3_norm(model->part_pose[p].position) + thud_shape_radius(model->part_shape[p]));
  return thud_vec3_norm(motion->state.velocity[i]) + radius * thud_vec3_norm(motion->state.spin[i]);
}

static thud_error report(thud_body_motion *motion, int kind, thud_index body) {
  if (motion->event == NULL) return THUD_OK;
  thud_body_event event = {.kind = kind, .t = motion->state.now->t, .body_a = body, .body_b = -1};
  int answer = motion->event(motion->event_user, &event);
  if (answer == 0) return THUD_OK;
  return answer < 0 ? thud_fail(motion->context, THUD_ERROR_CALLBACK, "the function for contact events failed")
                    : THUD_ERROR_INTERRUPTED;
}

thud_error thud_bodies_wake(thud_body_motion *motion, thud_index i) {
  motion->state.asleep[i] = false;
  motion->state.rest[i] = 0;
  motion->moves[i] = true;
  return report(motion, THUD_BODY_EVENT_WAKE, i);
}

static thud_error put_to_sleep(thud_body_motion *motion, thud_index i) {
  body_state *state = &motion->state;
  state->asleep[i] = true;
  state->velocity[i] = state->spin[i] = (thud_vec3){0};
  motion->moves[i] = false;
  return report(motion, THUD_BODY_EVENT_SLEEP, i);
}

/* What moves and touches a sleeping body wakes it; the others of its heap follow step by step. A kinematic body that moves
 * does, too: its contacts with sleeping bodies are not looked for, so these wake by its speed alone. */
static thud_error wake_touched(thud_body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  thud_error error = THUD_OK;
  for (thud_index k = 0; k < c->count && error == THUD_OK; k++) {
    thud_index a = c->body_a[k], b = c->body_b[k];
    bool hit = c->r[(size_t)k * (size_t)motion->problem.d] > 0 && speed_of(motion, a) > motion->options.sleep_speed;
    if (motion->state.asleep[b] && hit) error = thud_bodies_wake(motion, b);
  }
  return error;
}

thud_error thud_bodies_fall_asleep(thud_body_motion *motion) {
  body_problem *p = &motion->problem;
  body_state *state = &motion->state;
  thud_error error = wake_touched(motion);
  for (thud_index i = 0; i < motion->model.count; i++) {
    bool slow = motion->moves[i] && speed_of(motion, i) < motion->options.sleep_speed;
    state->rest[i] = slow ? state->rest[i] + motion->h : 0;
  }
  for (thud_index s = 0; s < p->island_count && error == THUD_OK; s++) {
    bool rests = true;
    for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
      rests = rests && state->rest[p->body[i]] >= motion->options.sleep_time;
    for (thud_index i = p->body_start[s]; rests && i < p->body_start[s + 1] && error == THUD_OK; i++)
      error = put_to_sleep(motion, p->body[i]);
  }
  return error;
}
