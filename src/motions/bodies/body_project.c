/* Step 5: bodies that overlap by more than the tolerance are moved apart; velocities are not touched, and
 * spins turn with their bodies, so that a turned body has the kinetic energy that it had: a needle that spins fast about
 * its axis would get much more from a small turn of the axis under its spin.
 *
 * The least move in the kinetic metric: min dq'M dq/2 with gap + J_N dq >= -target for all contacts of the islands
 * concerned, by projected Gauss-Seidel, with the gaps measured again after each round. It stops as soon as no overlap is
 * above the tolerance, and aims at half of it, so that a contact that rests stays closed. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { MOST_ROUNDS = 20, MOST_SWEEPS = 200 };
static const double AIM = 0.5;        /* of the tolerance */
static const double GOOD_SWEEP = 0.1; /* sweeps end when no gap is wrong by more than this part of the tolerance */

/* ---- tolerances -------------------------------------------------------------------------------------------------------- */

/* Overlap that is left alone. Particles on planes have no thickness: they get what gravity moves in a step. */
double thud_bodies_overlap_tolerance(const body_motion *motion, thud_index first, thud_index second) {
  double thin = thud_bodies_thickness(motion, first, second);
  if (!(thin > 0) || !isfinite(thin)) thin = fmax(motion->h * motion->h * motion->gravity, DBL_MIN);
  return motion->options.penetration * thin;
}

/* By how much the half drift that followed the velocities may have missed the straight line, at most. */
static double bend_of(const body_motion *motion, thud_index part) {
  thud_index body = motion->model.part_body[part];
  double spin = thud_vec3_norm(motion->state.spin[body]), half = 0.5 * motion->h;
  double radius = thud_shape_radius(motion->model.part_shape[part]);
  if (!(spin > 0) || !isfinite(radius)) return 0;
  radius += thud_vec3_norm(motion->model.part_pose[part].position);
  return 0.5 * half * half * spin * spin * radius;
}

/* ---- which pairs ------------------------------------------------------------------------------------------------------- */

/* Where the point of contact k, fixed in the second body, is after the half drift: paths bend, so that the velocity at
 * the midpoint would miss it by h^2/8 of the acceleration. */
static thud_vec3 carried_by_path(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  thud_index q = c->part_b[k];
  thud_pose end = thud_pose_compose(&motion->state.pose[c->body_b[k]], &motion->model.part_pose[q]);
  return thud_pose_point(&end, thud_pose_point_inverse(&motion->part_pose[q], c->point[k]));
}

/* Gap of contact k at the end of the step, to first order in how bodies turn. */
static double predicted_gap(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  thud_index a = c->body_a[k];
  double half = 0.5 * motion->h;
  if (motion->model.role[c->body_b[k]] != THUD_BODY_KINEMATIC)
    return c->gap[k] + half * c->u[(size_t)k * (size_t)motion->problem.d];
  thud_vec3 v = state->velocity[a], middle = thud_vec3_add_scaled(state->pose[a].position, -half, v);
  thud_vec3 lever = thud_vec3_subtract(c->point[k], middle);
  thud_vec3 way = thud_vec3_scale(half, thud_vec3_add(v, thud_vec3_cross(state->spin[a], lever)));
  thud_vec3 given = thud_vec3_subtract(carried_by_path(motion, k), c->point[k]);
  return c->gap[k] + thud_vec3_dot(c->normal[k], thud_vec3_subtract(way, given));
}

/* Joints were closed by moving the body. */
static bool is_moved(const body_motion *motion, thud_index i) {
  thud_vec3 lift = motion->state.lift[i], turn = motion->state.turn[i];
  return lift.x != 0 || lift.y != 0 || lift.z != 0 || turn.x != 0 || turn.y != 0 || turn.z != 0;
}

/* Is the overlap of contact k after the step below the tolerance for certain? Lowest points of rounded shapes wander, so
 * that these are measured as soon as they may overlap at all; and contacts with a time have moved their bodies. */
static bool is_certain(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  thud_index a = c->part_a[k], b = c->part_b[k];
  double bend = bend_of(motion, a) + bend_of(motion, b) + fabs(c->bend[k]);
  bool wanders = thud_bodies_is_rounded(motion, a) || thud_bodies_is_rounded(motion, b);
  if (c->ahead[k] != 0 || is_moved(motion, c->body_a[k]) || is_moved(motion, c->body_b[k])) return false;
  return predicted_gap(motion, k) - bend >= (wanders ? 0 : -thud_bodies_overlap_tolerance(motion, a, b));
}

static void note_penetration(body_motion *motion, double depth, thud_index a, thud_index b) {
  body_scalars *now = motion->state.now;
  if (!(depth > now->penetration)) return;
  now->penetration = depth;
  now->penetration_a = a;
  now->penetration_b = b;
}

/* Marks the islands in which a pair may overlap too much; false: none. */
static bool find_suspects(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  body_problem *p = &motion->problem;
  bool any = false;
  for (thud_index s = 0; s < p->island_count; s++) p->suspect[s] = false;
  for (thud_index k = 0; k < c->count; k++) {
    if (is_certain(motion, k)) continue;
    p->suspect[c->island[k]] = true;
    any = true;
  }
  for (thud_index k = 0; k < c->count; k++) /* the others do not change any more */
    if (!p->suspect[c->island[k]]) note_penetration(motion, -predicted_gap(motion, k), c->body_a[k], c->body_b[k]);
  return any;
}

/* The pairs of parts in suspect islands. */
static thud_error list_pairs(body_motion *motion, size_t *count) {
  const body_contacts *c = &motion->contacts;
  body_overlaps *o = &motion->overlaps;
  *count = 0;
  thud_error error =
      thud_array_reserve(motion->base.context, &o->pairs, &o->pair_capacity, (size_t)c->count, sizeof *o->pairs);
  for (thud_index k = 0; k < c->count && error == THUD_OK; k++) {
    if (!motion->problem.suspect[c->island[k]]) continue;
    thud_index_pair pair = {c->part_a[k], c->part_b[k]};
    const thud_index_pair *last = *count > 0 ? &o->pairs[*count - 1] : NULL;
    if (last == NULL || last->first != pair.first || last->second != pair.second) o->pairs[(*count)++] = pair;
  }
  return error;
}

/* ---- one round ----------------------------------------------------------------------------------------------------------- */

static double response(const body_motion *motion, thud_index body, thud_vec3 lever, thud_vec3 n) {
  if (!motion->moves[body]) return 0;
  thud_vec3 m = thud_vec3_cross(lever, n);
  return 1 / motion->model.mass[body] + thud_vec3_dot(m, thud_mat3_apply(motion->inverse_inertia[body], m));
}

static thud_vec3 velocity_at(const body_motion *motion, thud_index body, thud_vec3 lever) {
  return thud_vec3_add(motion->state.velocity[body], thud_vec3_cross(motion->state.spin[body], lever));
}

/* Moving bodies changes their angular momentum, and lifts them. There is no need to where bodies with restitution leave each
 * other within a step by themselves, or where they approach and rebound in the next step, at the time at which they met. */
static bool leaves(const body_motion *motion, const body_overlap *at, thud_index_pair pair) {
  thud_vec3 v_a = velocity_at(motion, at->a, at->lever_a), v_b = velocity_at(motion, at->b, at->lever_b);
  double rate = thud_vec3_dot(at->normal, thud_vec3_subtract(v_a, v_b)), h = motion->h;
  bool law_swapped = false;
  thud_surface_law law = thud_bodies_present_law(motion, pair.first, pair.second, &law_swapped);
  if (!(law.restitution > 0)) return false;
  if (rate > 0) return at->gap + h * rate >= 0;
  return motion->impact == NULL && rate < -motion->options.impact_velocity && at->gap - 0.5 * h * rate >= 0;
}

static thud_error add_overlap(body_motion *motion, thud_index_pair pair, const thud_touch *touch) {
  body_overlaps *o = &motion->overlaps;
  thud_error error = thud_array_reserve(motion->base.context, &o->list, &o->capacity, o->count + 1, sizeof *o->list);
  if (error != THUD_OK) return error;
  thud_index a = motion->model.part_body[pair.first], b = motion->model.part_body[pair.second];
  thud_vec3 point = thud_vec3_scale(0.5, thud_vec3_add(touch->on_a, touch->on_b));
  body_overlap *made = &o->list[o->count];
  *made = (body_overlap){.a = a,
                         .b = b,
                         .normal = touch->normal,
                         .lever_a = thud_vec3_subtract(point, motion->state.pose[a].position),
                         .lever_b = thud_vec3_subtract(point, motion->state.pose[b].position),
                         .gap = touch->gap,
                         .tolerance = thud_bodies_overlap_tolerance(motion, pair.first, pair.second)};
  made->leaves = !o->at_start && leaves(motion, made, pair);
  made->response = response(motion, a, made->lever_a, made->normal) + response(motion, b, made->lever_b, made->normal);
  if (made->response > 0) o->count++;
  return THUD_OK;
}

static void place(body_motion *motion, thud_index part) {
  motion->part_pose[part] =
      thud_pose_compose(&motion->state.pose[motion->model.part_body[part]], &motion->model.part_pose[part]);
}

/* Gaps of the pairs at the present poses; *worst: the largest overlap in units of its tolerance. */
static thud_error measure(body_motion *motion, const thud_index_pair *pairs, size_t count, double *worst) {
  body_overlaps *o = &motion->overlaps;
  o->count = 0;
  *worst = 0;
  for (size_t k = 0; k < count; k++) {
    thud_index first = pairs[k].first, second = pairs[k].second;
    size_t touches = 0;
    place(motion, first);
    place(motion, second);
    double tolerance = thud_bodies_overlap_tolerance(motion, first, second);
    thud_error error = thud_bodies_touch_pair(motion, first, second, tolerance, &touches);
    for (size_t i = 0; i < touches && error == THUD_OK; i++) {
      size_t before = o->count;
      error = add_overlap(motion, pairs[k], &motion->contacts.touches[i]);
      if (error == THUD_OK && (o->count == before || !o->list[before].leaves))
        *worst = fmax(*worst, -motion->contacts.touches[i].gap / tolerance);
    }
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

static double opening(const body_overlaps *o, const body_overlap *at) {
  thud_vec3 move_a = thud_vec3_add(o->shift[at->a], thud_vec3_cross(o->twist[at->a], at->lever_a));
  thud_vec3 move_b = thud_vec3_add(o->shift[at->b], thud_vec3_cross(o->twist[at->b], at->lever_b));
  return thud_vec3_dot(at->normal, thud_vec3_subtract(move_a, move_b));
}

static void shove(body_motion *motion, thud_index body, thud_vec3 lever, thud_vec3 impulse) {
  body_overlaps *o = &motion->overlaps;
  if (!motion->moves[body]) return;
  o->shift[body] = thud_vec3_add_scaled(o->shift[body], 1 / motion->model.mass[body], impulse);
  o->twist[body] =
      thud_vec3_add(o->twist[body], thud_mat3_apply(motion->inverse_inertia[body], thud_vec3_cross(lever, impulse)));
}

/* One sweep; returns the largest wrong gap in units of its tolerance. */
static double sweep(body_motion *motion) {
  body_overlaps *o = &motion->overlaps;
  double wrong = 0;
  for (size_t k = 0; k < o->count; k++) {
    body_overlap *at = &o->list[k];
    if (at->leaves) continue;
    double gap = at->gap + opening(o, at) + AIM * at->tolerance;
    double impulse = fmax(at->impulse - gap / at->response, 0), change = impulse - at->impulse;
    wrong = fmax(wrong, fabs(change) * at->response / at->tolerance);
    at->impulse = impulse;
    shove(motion, at->a, at->lever_a, thud_vec3_scale(change, at->normal));
    shove(motion, at->b, at->lever_b, thud_vec3_scale(-change, at->normal));
  }
  return wrong;
}

void thud_bodies_turn_body(body_state *state, thud_index i, thud_vec3 twist) {
  if (!(thud_vec3_dot(twist, twist) > 0)) return;
  state->pose[i].rotation = thud_quat_integrate(state->pose[i].rotation, twist, 1);
  thud_quat by = thud_quat_from_rotation_vector(twist);
  state->spin[i] = thud_quat_rotate(by, state->spin[i]);
  by = thud_quat_multiply(by, thud_quat_from_rotation_vector(state->turn[i])); /* rounds do not commute */
  state->turn[i] = thud_quat_to_rotation_vector(by);
}

/* Moves the bodies by what the sweeps found. */
static void move_bodies(body_motion *motion) {
  body_overlaps *o = &motion->overlaps;
  body_state *state = &motion->state;
  for (size_t k = 0; k < o->count; k++) {
    thud_index both[2] = {o->list[k].a, o->list[k].b};
    for (int side = 0; side < 2; side++) {
      thud_index i = both[side];
      if (!motion->moves[i]) continue;
      state->pose[i].position = thud_vec3_add(state->pose[i].position, o->shift[i]);
      thud_bodies_turn_body(state, i, o->twist[i]);
      state->lift[i] = thud_vec3_add(state->lift[i], o->shift[i]);
      o->shift[i] = o->twist[i] = (thud_vec3){0};
    }
  }
}

static void note_overlaps(body_motion *motion) {
  const body_overlaps *o = &motion->overlaps;
  body_scalars *now = motion->state.now;
  for (size_t k = 0; k < o->count; k++) {
    const body_overlap *at = &o->list[k];
    if (at->leaves) continue;
    note_penetration(motion, -at->gap, at->a, at->b);
    now->info.largest_lift = fmax(now->info.largest_lift, thud_vec3_norm(motion->state.lift[at->a]));
    now->info.largest_lift = fmax(now->info.largest_lift, thud_vec3_norm(motion->state.lift[at->b]));
  }
}

/* Moves the bodies of these pairs apart; *worst: the largest overlap that is left, in units of its tolerance. */
static thud_error move_apart(body_motion *motion, const thud_index_pair *pairs, size_t count, double *worst) {
  thud_error error = measure(motion, pairs, count, worst);
  for (int round = 0; round<MOST_ROUNDS && * worst> 1 && error == THUD_OK; round++) {
    for (int k = 0; k < MOST_SWEEPS && sweep(motion) > GOOD_SWEEP; k++) {
    }
    move_bodies(motion);
    error = measure(motion, pairs, count, worst);
  }
  return error;
}

/* All pairs whose bounds overlap at the present poses. */
static thud_error list_near(body_motion *motion, size_t *count) {
  const thud_bodies_view *model = &motion->model;
  body_overlaps *o = &motion->overlaps;
  const thud_index_pair *pairs = NULL;
  size_t found = 0;
  thud_bodies_place_parts(motion);
  for (thud_index p = 0; p < model->part_count; p++) {
    motion->boxes[p] = thud_bodies_part_box(motion, p, 0);
    motion->still[p] = !motion->moves[model->part_body[p]];
  }
  *count = 0;
  thud_error error = thud_broad_phase_find(motion->broad_phase, model->part_count, motion->boxes, motion->still,
                                           model->part_body, &found, &pairs);
  if (error == THUD_OK)
    error = thud_array_reserve(motion->base.context, &o->pairs, &o->pair_capacity, found, sizeof *pairs);
  for (size_t k = 0; k < found && error == THUD_OK; k++)
    if (thud_bodies_may_touch(motion, pairs[k].first, pairs[k].second)) o->pairs[(*count)++] = pairs[k];
  return error;
}

/* Moving apart makes new pairs: all that are near each other, until none overlaps too much. */
static thud_error settle(body_motion *motion, double *worst) {
  size_t count = 0;
  thud_error error = list_near(motion, &count);
  if (error == THUD_OK) error = measure(motion, motion->overlaps.pairs, count, worst);
  for (int round = 0; round < MOST_ROUNDS && error == THUD_OK && *worst > 1; round++) {
    error = move_apart(motion, motion->overlaps.pairs, count, worst);
    if (error == THUD_OK) error = list_near(motion, &count);
    if (error == THUD_OK) error = measure(motion, motion->overlaps.pairs, count, worst);
  }
  return error;
}

bool thud_bodies_overlap_row(const body_motion *motion, size_t k, body_link *link) {
  const body_overlap *at = &motion->overlaps.list[k];
  bool a_moves = motion->moves[at->a], b_moves = motion->moves[at->b];
  bool joined = (a_moves && motion->implicit.cluster[at->a] >= 0) || (b_moves && motion->implicit.cluster[at->b] >= 0);
  if (!joined || at->leaves || -at->gap <= at->tolerance) return false;
  if (link == NULL) return true;
  thud_vec3 minus = thud_vec3_negate(at->normal);
  *link = (body_link){.a = a_moves ? at->a : at->b,
                      .b = a_moves && b_moves ? at->b : -1,
                      .path = -1,
                      .joint = -1,
                      .is_joint = true,
                      .aim = -at->gap - AIM * at->tolerance};
  thud_vec3 n = a_moves ? at->normal : minus, lever = a_moves ? at->lever_a : at->lever_b;
  thud_bodies_pack(motion, n, thud_vec3_cross(lever, n), link->J_a);
  if (link->b >= 0) thud_bodies_pack(motion, minus, thud_vec3_cross(at->lever_b, minus), link->J_b);
  return true;
}

/* Joints that moving apart has opened, and overlaps that closing them brings back. Both are rows of one system, to first order; in turns,
 * as in the last rounds, light bodies that hang on heavy ones would come back nearly all of their way. */
static thud_error settle_joints(body_motion *motion) {
  double worst = 0;
  size_t count = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    thud_error error = thud_bodies_close_joints(motion);
    if (error == THUD_OK) error = list_near(motion, &count);
    if (error == THUD_OK) error = measure(motion, motion->overlaps.pairs, count, &worst);
    if (error != THUD_OK || !(worst > 1)) return error;
    error = round < MOST_ROUNDS / 2 ? thud_bodies_move_mechanisms_apart(motion)
                                    : move_apart(motion, motion->overlaps.pairs, count, &worst);
    if (error != THUD_OK) return error;
  }
  return thud_bodies_close_joints(motion);
}

thud_error thud_bodies_project(body_motion *motion) {
  body_scalars *now = motion->state.now;
  size_t count = 0;
  double worst = 0;
  now->penetration = 0;
  now->penetration_a = now->penetration_b = -1;
  for (thud_index i = 0; i < motion->model.count; i++) motion->state.lift[i] = motion->state.turn[i] = (thud_vec3){0};
  thud_error error = thud_bodies_close_joints(motion);
  if (error != THUD_OK || !find_suspects(motion)) return error;
  error = list_pairs(motion, &count);
  if (error == THUD_OK) error = measure(motion, motion->overlaps.pairs, count, &worst);
  if (error == THUD_OK && worst > 1) {
    now->info.projections++;
    error = move_apart(motion, motion->overlaps.pairs, count, &worst);
    if (error == THUD_OK) error = settle(motion, &worst);
    if (error == THUD_OK && motion->model.joint_count > 0) error = settle_joints(motion);
  }
  note_overlaps(motion);
  return error;
}

/* ---- the start ----------------------------------------------------------------------------------------------------------- */

/* "'a' and 'b' by 0.01, ..." */
static thud_error refuse_start(body_motion *motion) {
  enum { SHOWN = 5 };
  const body_overlaps *o = &motion->overlaps;
  char text[1024];
  size_t used = 0, bad = 0;
  thud_index a = -1, b = -1;
  for (size_t k = 0; k < o->count; k++) {
    const body_overlap *at = &o->list[k];
    if (-at->gap <= at->tolerance || (at->a == a && at->b == b)) continue;
    if (bad == 0) motion->refused = at->a;
    a = at->a;
    b = at->b;
    double depth = 0;
    for (size_t j = k; j < o->count && o->list[j].a == a && o->list[j].b == b; j++)
      depth = fmax(depth, -o->list[j].gap);
    if (bad++ < SHOWN && used < sizeof text - 200)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s'%.60s' and '%.60s' by %.3g", bad > 1 ? ", " : "",
                               motion->model.name[a], motion->model.name[b], depth);
  }
  if (bad > SHOWN) snprintf(text + used, sizeof text - used, ", and %zu more pairs", bad - SHOWN);
  return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                   "[start-overlaps] bodies overlap at the start: %s; place them apart, or set simulate: {relax: "
                   "true}, which moves them "
                   "apart",
                   text);
}

thud_error thud_bodies_check_start(body_motion *motion) {
  size_t count = 0;
  double worst = 0;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (motion->moves[i]) motion->inverse_inertia[i] = thud_bodies_world_inverse_inertia(motion, i);
  motion->overlaps.at_start = true;
  thud_error error = list_near(motion, &count);
  if (error == THUD_OK) error = measure(motion, motion->overlaps.pairs, count, &worst);
  if (error == THUD_OK && worst > 1 && motion->options.relax) error = settle(motion, &worst);
  motion->overlaps.at_start = false;
  for (thud_index i = 0; i < motion->model.count; i++) /* spins are given in the world */
    if (motion->moves[i]) motion->state.spin[i] = motion->model.spin[i];
  return error == THUD_OK && worst > 1 ? refuse_start(motion) : error;
}
