/* What contacts hand on to the next step: impulses as warm starts, and who touched whom. */
#include "motions/bodies/body_motion.h"

/* Order of pairs of parts, then features. */
static int compare(const body_carry *x, int32_t part_a, int32_t part_b, uint32_t feature) {
  if (x->part_a != part_a) return x->part_a < part_a ? -1 : 1;
  if (x->part_b != part_b) return x->part_b < part_b ? -1 : 1;
  return x->feature == feature ? 0 : x->feature < feature ? -1 : 1;
}

static void parts_of(const body_contacts *c, thud_index k, int32_t *first, int32_t *second) {
  *first = c->swapped[k] ? c->part_b[k] : c->part_a[k];
  *second = c->swapped[k] ? c->part_a[k] : c->part_b[k];
}

/* Impulse and moment on body a in the components of contact k. */
static void to_components(const body_motion *motion, thud_index k, thud_vec3 force, thud_vec3 moment, double *r) {
  const body_contacts *c = &motion->contacts;
  const thud_mat3 *E = &c->frame[k];
  thud_index d = motion->problem.d;
  double mu1 = c->mu[k], mu2 = c->mu_across[k], most = mu1 > mu2 ? mu1 : mu2;
  double t1 = thud_vec3_dot(E->cy, force), t2 = thud_vec3_dot(E->cz, force);
  size_t i = 0;
  r[i++] = thud_vec3_dot(E->cx, force);
  r[i++] = mu1 == most ? t1 : mu1 > 0 ? t1 * most / mu1 : 0;
  if (motion->model.planar) {
    if (d == 3) r[i] = moment.z;
    return;
  }
  r[i++] = mu2 == most ? t2 : mu2 > 0 ? t2 * most / mu2 : 0;
  if (d >= 5) {
    r[i++] = thud_vec3_dot(E->cy, moment);
    r[i++] = thud_vec3_dot(E->cz, moment);
  }
  if (d == 4 || d == 6) r[i] = thud_vec3_dot(E->cx, moment);
}

void thud_bodies_carry_load(body_motion *motion) {
  const body_state *state = &motion->state;
  body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d, at = 0, count = (size_t)state->now->carry_count;
  for (thud_index k = 0; k < c->count; k++) {
    int32_t first, second;
    parts_of(c, k, &first, &second);
    while (at < count && compare(&state->carry[at], first, second, c->feature[k]) < 0) at++;
    double *r = c->r + (size_t)k * d, sign = c->swapped[k] ? -1 : 1;
    for (size_t i = 0; i < d; i++) r[i] = 0;
    if (at < count && compare(&state->carry[at], first, second, c->feature[k]) == 0)
      to_components(motion, k, thud_vec3_scale(sign, state->carry[at].impulse),
                    thud_vec3_scale(sign, state->carry[at].moment), r);
  }
}

/* ---- events ---------------------------------------------------------------------------------------------------------- */

static thud_error report_pair(body_motion *motion, int kind, const body_carry *x) {
  const thud_index *body = motion->model.part_body;
  thud_body_event event = {.kind = kind,
                           .t = motion->state.now->t,
                           .body_a = body[x->part_a],
                           .body_b = body[x->part_b],
                           .part_a = x->part_a,
                           .part_b = x->part_b};
  return thud_bodies_hand_out(motion, &event);
}

/* Whether an impulse acts in one of the entries of the same pair from `at` on; *end: behind the last of them. */
static bool pair_acts(const body_carry *carry, size_t count, size_t at, size_t *end) {
  bool acts = false;
  for (*end = at; *end < count && carry[*end].part_a == carry[at].part_a && carry[*end].part_b == carry[at].part_b;
       (*end)++)
    acts = acts || carry[*end].acted != 0;
  return acts;
}

/* Pairs that touch now and did not before, and the other way round: a merge of both lists. */
static thud_error report_changes(body_motion *motion, const body_carry *old, size_t old_count, const body_carry *now,
                                 size_t now_count) {
  size_t i = 0, j = 0, i_end = 0, j_end = 0;
  thud_error error = THUD_OK;
  while ((i < old_count || j < now_count) && error == THUD_OK) {
    int order = i == old_count   ? 1
                : j == now_count ? -1
                                 : compare(&old[i], now[j].part_a, now[j].part_b, old[i].feature);
    bool before = order <= 0 && pair_acts(old, old_count, i, &i_end);
    bool after = order >= 0 && pair_acts(now, now_count, j, &j_end);
    if (after && !before) error = report_pair(motion, THUD_BODY_EVENT_BEGIN, &now[j]);
    if (before && !after) error = report_pair(motion, THUD_BODY_EVENT_END, &old[i]);
    if (order <= 0) i = i_end;
    if (order >= 0) j = j_end;
  }
  return error;
}

static thud_error report_impacts(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d;
  thud_error error = THUD_OK;
  for (thud_index k = 0; k < c->count && error == THUD_OK; k++) {
    double approach = -c->u_minus[(size_t)k * d], impulse = c->r[(size_t)k * d];
    if (!c->impact[k] || !(impulse > 0)) continue;
    thud_body_event event = {.kind = THUD_BODY_EVENT_IMPACT,
                             .t = motion->state.now->t,
                             .body_a = c->body_a[k],
                             .body_b = c->body_b[k],
                             .part_a = c->part_a[k],
                             .part_b = c->part_b[k],
                             .point = c->point[k],
                             .approach = approach,
                             .impulse = impulse};
    error = thud_bodies_hand_out(motion, &event);
  }
  return error;
}

thud_error thud_bodies_carry_store(body_motion *motion) {
  body_state *state = &motion->state;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d, count = 0;
  for (thud_index k = 0; k < c->count; k++) {
    if (count == state->carry_capacity) {
      state->now->info.lost_starts++;
      continue;
    }
    double sign = c->swapped[k] ? -1 : 1;
    body_carry *x = &motion->next[count++];
    parts_of(c, k, &x->part_a, &x->part_b);
    x->feature = c->feature[k];
    x->acted = c->r[(size_t)k * d] > 0;
    x->impulse = thud_vec3_scale(sign, c->force[k]);
    x->moment = thud_vec3_scale(sign, c->moment[k]);
  }
  thud_error error = THUD_OK;
  if (thud_bodies_has_listener(motion))
    error = report_changes(motion, state->carry, (size_t)state->now->carry_count, motion->next, count);
  if (thud_bodies_has_listener(motion) && error == THUD_OK) error = report_impacts(motion);
  for (size_t k = 0; k < count; k++) state->carry[k] = motion->next[k];
  state->now->carry_count = (int64_t)count;
  return error;
}
