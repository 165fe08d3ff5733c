/* Times of contact: impacts act where the bodies meet, not where the midpoint of the step finds them.
 *
 * Between two midpoints bodies fly with one velocity: v before the midpoint, v_free behind it. A contact that rebounds, and
 * one of bodies so fast that they would pass through each other, has a time s after the midpoint, -h <= s <= h/2, at which its
 * gap is closed on these paths. Its point, normal and levers are those of that time. As its impulse r acted at s, the bodies are
 * at the midpoint where they would be if they had the velocity M^-1 J'r since then: q_m is moved by
 *   dq = -s M^-1 J'r.
 * Where drag or stiff springs answer to the step (body_implicit.c) an impulse changes the velocity by much less than M^-1 J'r: such
 * bodies are moved by -s (v+ - v-) + s' (v_free - v-), s the mean time of their contacts, weighted by their impulses, and s' that
 * of the law below, behind the midpoint s itself; bodies that stiff springs connect have one s, so that the springs are as long as
 * before. With s' = s this is -s (v+ - v_free).
 * Levers about a common point at one time keep the angular momentum of a pair, and so does flying on; nothing overlaps that
 * would have to be moved apart. Forces f do the work f.dq, so that energy changes at the contact by
 *   r.((u+ + u-)/2 + s a),   a = (u_free - u-)/h:
 * none for e = 1 if u_N+ + s a_N = -e (u_N- + s a_N), which is the law of such contacts. Drag and stiff springs that change u_N
 * by much within a step do not do so evenly, and drag turns with the velocity: where one of the bodies is soft the law has
 * (1 - 2 |h a_N/u_N-|)+ s in place of s, the same to second order, so that they do not speed up what rebounds. */
#include "motions/bodies/body_motion.h"

#include <math.h>

enum { MOST_NEWTON = 12, MOST_ADVANCES = 200, NEAR_TOUCHES = 32 };
static const double FAST = 0.5;       /* of the thinner part, in a step */
static const double NEAR_PART = 1e-3; /* likewise, where the search for the first contact ends */

/* ---- flight ------------------------------------------------------------------------------------------------------------ */

/* Velocities around a time s after the midpoint. */
static void flight_of(const body_motion *motion, thud_index i, double s, thud_vec3 *v, thud_vec3 *w) {
  *v = s < 0 ? motion->state.velocity_left[i] : motion->fly_velocity[i];
  *w = s < 0 ? motion->state.spin_left[i] : motion->fly_spin[i];
}

static thud_vec3 centre_at(const body_motion *motion, thud_index i, double s) {
  thud_vec3 v, w, x = motion->state.pose[i].position;
  flight_of(motion, i, s, &v, &w);
  return s != 0 ? thud_vec3_add_scaled(x, s, v) : x;
}

thud_vec3 thud_bodies_lever(const body_motion *motion, thud_index k, thud_index body) {
  return thud_vec3_subtract(motion->contacts.point[k], centre_at(motion, body, motion->contacts.ahead[k]));
}

/* Placed part at a time s after the midpoint. */
static thud_pose part_at(const body_motion *motion, thud_index part, double s) {
  thud_index i = motion->model.part_body[part];
  thud_vec3 v, w;
  flight_of(motion, i, s, &v, &w);
  thud_pose pose = {.position = centre_at(motion, i, s), .rotation = motion->state.pose[i].rotation};
  if (s != 0 && thud_vec3_dot(w, w) > 0) pose.rotation = thud_quat_integrate(pose.rotation, w, s);
  return thud_pose_compose(&pose, &motion->model.part_pose[part]);
}

static thud_vec3 velocity_of_point(const body_motion *motion, thud_index part, thud_vec3 point, double s) {
  thud_index i = motion->model.part_body[part];
  thud_vec3 v, w;
  flight_of(motion, i, s, &v, &w);
  return thud_vec3_add(v, thud_vec3_cross(w, thud_vec3_subtract(point, centre_at(motion, i, s))));
}

/* How fast the gap of a touching point of two parts opens at that time. */
static double rate_of(const body_motion *motion, thud_index first, thud_index second, const thud_touch *touch,
                      double s) {
  thud_vec3 a = velocity_of_point(motion, first, touch->on_a, s), b = velocity_of_point(motion, second, touch->on_b, s);
  return thud_vec3_dot(touch->normal, thud_vec3_subtract(a, b));
}

double thud_bodies_rate(const body_motion *motion, thud_index first, thud_index second, const thud_touch *touch) {
  return rate_of(motion, first, second, touch, 0);
}

/* ---- the time of one touching point -------------------------------------------------------------------------------------- */

/* The same touching point at another time. */
static bool find_again(const body_motion *motion, thud_index first, thud_index second, double s, double margin,
                       thud_touch *touch) {
  const thud_bodies_view *model = &motion->model;
  thud_pose a = part_at(motion, first, s), b = part_at(motion, second, s);
  thud_touch list[NEAR_TOUCHES];
  size_t count = 0;
  thud_collide(model->part_shape[first], &a, model->part_shape[second], &b, margin, NEAR_TOUCHES, list, &count);
  for (size_t k = 0; k < count && k < NEAR_TOUCHES; k++)
    if (list[k].feature == touch->feature) {
      *touch = list[k];
      return true;
    }
  return false;
}

bool thud_bodies_close_gap(const body_motion *motion, thud_index first, thud_index second, thud_touch *touch,
                           double *s) {
  double low = -motion->h, high = 0.5 * motion->h;
  thud_touch at = *touch;
  double when = *s;
  for (int k = 0; k < MOST_NEWTON; k++) {
    double rate = rate_of(motion, first, second, &at, when), before = fabs(at.gap);
    double rounding = THUD_GAP_ROUNDING * (thud_vec3_norm(at.on_a) + thud_vec3_norm(at.on_b));
    thud_touch next = at;
    double then = when - at.gap / rate;
    if (at.gap == 0 || !(rate < 0)) break;
    if (!(then >= low && then <= high)) return false;
    if (!find_again(motion, first, second, then, fmax(before, rounding), &next)) return false;
    if (!(fabs(next.gap) < before)) break; /* rounding */
    at = next;
    when = then;
  }
  double closed = THUD_GAP_ROUNDING * (thud_vec3_norm(at.on_a) + thud_vec3_norm(at.on_b));
  if (!(fabs(at.gap) <= closed) || !(rate_of(motion, first, second, &at, when) < 0)) return false;
  *touch = at;
  *s = when;
  return true;
}

/* ---- fast pairs ------------------------------------------------------------------------------------------------------------ */

double thud_bodies_thickness(const body_motion *motion, thud_index first, thud_index second) {
  double a = thud_shape_thickness(motion->model.part_shape[first]);
  double b = thud_shape_thickness(motion->model.part_shape[second]);
  return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

static double reach_of(const body_motion *motion, thud_index part) {
  double radius = thud_shape_radius(motion->model.part_shape[part]);
  return isfinite(radius) ? radius + thud_vec3_norm(motion->model.part_pose[part].position) : 0;
}

/* No point of the one comes nearer to the other faster than this. */
static double closing_speed(const body_motion *motion, thud_index first, thud_index second, double s) {
  thud_vec3 va, wa, vb, wb;
  flight_of(motion, motion->model.part_body[first], s, &va, &wa);
  flight_of(motion, motion->model.part_body[second], s, &vb, &wb);
  return thud_vec3_norm(thud_vec3_subtract(va, vb)) + thud_vec3_norm(wa) * reach_of(motion, first) +
         thud_vec3_norm(wb) * reach_of(motion, second);
}

/* Could the two pass through each other in a step at this speed? */
static bool is_fast(const body_motion *motion, thud_index first, thud_index second, double speed) {
  double thin = thud_bodies_thickness(motion, first, second);
  return thin > 0 && isfinite(thin) && motion->h * speed > FAST * thin;
}

bool thud_bodies_is_fast(const body_motion *motion, thud_index first, thud_index second) {
  return is_fast(motion, first, second, closing_speed(motion, first, second, -1)) ||
         is_fast(motion, first, second, closing_speed(motion, first, second, 1));
}

/* contacts.touches of the pair at time s. */
static thud_error touch_at(body_motion *motion, thud_index first, thud_index second, double s, double margin,
                           size_t *count) {
  thud_pose a = motion->part_pose[first], b = motion->part_pose[second];
  motion->part_pose[first] = part_at(motion, first, s);
  motion->part_pose[second] = part_at(motion, second, s);
  thud_error error = thud_bodies_touch_pair(motion, first, second, margin, count);
  motion->part_pose[first] = a;
  motion->part_pose[second] = b;
  return error;
}

static double least_gap(const body_motion *motion, size_t count) {
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) least = fmin(least, motion->contacts.touches[i].gap);
  return least;
}

/* Does a touching point within `near` come nearer? */
static bool comes_nearer(const body_motion *motion, thud_index first, thud_index second, size_t count, double near,
                         double s) {
  for (size_t i = 0; i < count; i++) {
    const thud_touch *touch = &motion->contacts.touches[i];
    if (touch->gap <= near && rate_of(motion, first, second, touch, s) < 0) return true;
  }
  return false;
}

/* Conservative advancement from time *s to `end`, with the velocities of that leg: a gap cannot close sooner than its length
 * over the speed. It ends where the two are near and come nearer; `near_only`: where they are near. */
static thud_error advance(body_motion *motion, thud_index first, thud_index second, double end, bool near_only,
                          double *s, size_t *count, bool *found) {
  double speed = closing_speed(motion, first, second, *s < 0 ? -1 : 1);
  double near = NEAR_PART * thud_bodies_thickness(motion, first, second);
  *found = false;
  for (int k = 0; k < MOST_ADVANCES && *s < end; k++) {
    thud_error error = touch_at(motion, first, second, *s, speed * (end - *s), count);
    if (error != THUD_OK) return error;
    double gap = least_gap(motion, *count);
    if (*count == 0 || !(speed > 0)) break;
    *found = gap <= near && (near_only || comes_nearer(motion, first, second, *count, near, *s));
    if (*found) return THUD_OK;
    *s += fmax(gap, near) / speed;
  }
  *s = end;
  return THUD_OK;
}

thud_error thud_bodies_sweep_pair(body_motion *motion, thud_index first, thud_index second, double *s, size_t *count,
                                  bool *found) {
  double half = 0.5 * motion->h;
  thud_error error = THUD_OK;
  *found = false;
  if (*s < 0) error = advance(motion, first, second, 0, false, s, count, found);
  if (error == THUD_OK && !*found && *s >= 0) error = advance(motion, first, second, half, false, s, count, found);
  return error;
}

bool thud_bodies_overlap_before(body_motion *motion, thud_index first, thud_index second) {
  size_t count = 0;
  return touch_at(motion, first, second, -0.5 * motion->h, 0, &count) == THUD_OK && least_gap(motion, count) < 0;
}

/* ---- what contacts with a time do ---------------------------------------------------------------------------------------- */

double thud_bodies_time_part(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  size_t normal = (size_t)k * (size_t)motion->problem.d;
  double part = c->ahead[k] / motion->h, before = fabs(c->u_minus[normal]);
  if (part == 0 || (!motion->implicit.soft[c->body_a[k]] && !motion->implicit.soft[c->body_b[k]])) return part;
  double change = fabs(c->u_free[normal] - c->u_minus[normal]);
  return 2 * change < before ? part * (1 - 2 * change / before) : 0;
}

double thud_bodies_rebound(const body_motion *motion, thud_index k, double factor) {
  const body_contacts *c = &motion->contacts;
  size_t normal = (size_t)k * (size_t)motion->problem.d;
  double before = c->u_minus[normal], e = factor * c->restitution[k];
  if (c->ahead[k] == 0) return e * before;
  double change = thud_bodies_time_part(motion, k) * (c->u_free[normal] - before);
  return fmin(change + e * fmin(before + change, 0), 0); /* never into each other */
}

/* Adds -s M^-1 J'r of contact k to the moves of one of its bodies. */
static void add_shift(body_motion *motion, thud_index k, thud_index body, double sign) {
  const body_contacts *c = &motion->contacts;
  body_overlaps *o = &motion->overlaps;
  if (!motion->moves[body] || motion->implicit.soft[body]) return;
  double s = -sign * c->ahead[k];
  thud_vec3 torque = thud_vec3_cross(thud_bodies_lever(motion, k, body), c->force[k]);
  torque = thud_mat3_apply(motion->inverse_inertia[body], thud_vec3_add(torque, c->moment[k]));
  o->shift[body] = thud_vec3_add_scaled(o->shift[body], s / motion->model.mass[body], c->force[k]);
  o->twist[body] = thud_vec3_add_scaled(o->twist[body], s, torque);
}

void thud_bodies_shift(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  body_state *state = &motion->state;
  body_overlaps *o = &motion->overlaps;
  bool any = false;
  for (thud_index k = 0; k < c->count; k++) {
    if (c->ahead[k] == 0) continue;
    any = true;
    add_shift(motion, k, c->body_a[k], 1);
    add_shift(motion, k, c->body_b[k], -1);
  }
  if (any) thud_bodies_shift_soft(motion, o->shift, o->twist);
  for (thud_index i = 0; any && i < motion->model.count; i++) {
    state->now->ledger.work +=
        thud_vec3_dot(motion->force[i], o->shift[i]) + thud_vec3_dot(motion->torque[i], o->twist[i]);
    state->pose[i].position = thud_vec3_add(state->pose[i].position, o->shift[i]);
    if (thud_vec3_dot(o->twist[i], o->twist[i]) > 0)
      state->pose[i].rotation = thud_quat_integrate(state->pose[i].rotation, o->twist[i], 1);
    o->shift[i] = o->twist[i] = (thud_vec3){0};
  }
}

/* ---- what passes ----------------------------------------------------------------------------------------------------------
 * Fast pairs between two nodes, with v until the midpoint and v+ from there on: what overlaps on the way, has no impulse in
 * this step and had no contact in the one before, after which it may still leave, has passed through the other. */

enum { SAMPLES = 32 };
static const double PASSED = 0.01; /* of the thinner part: an overlap that counts */

static bool has_met(const body_motion *motion, thud_index first, thud_index second) {
  const body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  for (thud_index k = 0; k < c->count; k++) {
    bool same = c->part_a[k] == (c->swapped[k] ? second : first) && c->part_b[k] == (c->swapped[k] ? first : second);
    if (same && c->r[(size_t)k * (size_t)motion->problem.d] > 0) return true;
  }
  for (int64_t k = 0; k < state->now->carry_count; k++)
    if (state->carry[k].part_a == first && state->carry[k].part_b == second) return true;
  return false;
}

/* The deepest overlap of the pair from time `from` to `to` after the midpoint, and at `to`. */
static thud_error find_depth(body_motion *motion, thud_index first, thud_index second, double from, double to,
                             double *deepest, double *last) {
  double s = from;
  size_t count = 0;
  bool found = false;
  *deepest = *last = 0;
  thud_error error = advance(motion, first, second, to, true, &s, &count, &found);
  for (int k = 0; k <= SAMPLES && found && error == THUD_OK; k++) {
    double when = s + (to - s) * k / SAMPLES;
    /* the velocities of the leg hold up to its end */
    error = touch_at(motion, first, second, k == SAMPLES && to == 0 ? -0x1p-60 * motion->h : when, 0, &count);
    *last = fmax(-least_gap(motion, count), 0);
    *deepest = fmax(*deepest, *last);
  }
  return error;
}

static void note_passing(body_motion *motion, thud_index first, thud_index second) {
  body_scalars *now = motion->state.now;
  if (now->info.passings++ > 0) return;
  now->info.passing_time = now->t + motion->h;
  now->info.passing_a = motion->model.part_body[first];
  now->info.passing_b = motion->model.part_body[second];
}

static thud_error watch_pair(body_motion *motion, thud_index first, thud_index second, bool behind) {
  double thin = thud_bodies_thickness(motion, first, second), half = 0.5 * motion->h, deepest, last;
  double speed = closing_speed(motion, first, second, behind ? 1 : -1);
  if (!thud_bodies_may_touch(motion, first, second) || !is_fast(motion, first, second, speed) ||
      has_met(motion, first, second))
    return THUD_OK;
  thud_error error = find_depth(motion, first, second, behind ? 0 : -half, behind ? half : 0, &deepest, &last);
  /* what overlaps at the node meets the midpoint of the next step, or is found before it */
  if (error == THUD_OK && deepest > PASSED * thin && !(behind && last > 0)) note_passing(motion, first, second);
  return error;
}

/* The way of a part in half a step. */
static double way_of(const body_motion *motion, thud_index part, bool behind) {
  thud_vec3 v, w;
  flight_of(motion, motion->model.part_body[part], behind ? 1 : -1, &v, &w);
  return 0.5 * motion->h * (thud_vec3_norm(v) + thud_vec3_norm(w) * reach_of(motion, part));
}

/* Is any part fast beside the thinnest one? */
static bool any_is_fast(const body_motion *motion, bool behind) {
  double most = 0, thinnest = INFINITY;
  for (thud_index p = 0; p < motion->model.part_count; p++) {
    double thin = thud_shape_thickness(motion->model.part_shape[p]);
    if (thin > 0) thinnest = fmin(thinnest, thin);
    most = fmax(most, way_of(motion, p, behind));
  }
  return 4 * most > FAST * thinnest;
}

static void find_ways(body_motion *motion, bool behind) {
  const thud_bodies_view *model = &motion->model;
  if (behind) thud_bodies_place_parts(motion);
  for (thud_index p = 0; p < model->part_count; p++) {
    motion->boxes[p] = thud_shape_bounds(model->part_shape[p], &motion->part_pose[p], way_of(motion, p, behind));
    motion->still[p] = !motion->moves[model->part_body[p]];
  }
}

thud_error thud_bodies_watch(body_motion *motion, bool behind) {
  size_t count = 0;
  const thud_index_pair *pairs = NULL;
  motion->fly_velocity = motion->state.velocity;
  motion->fly_spin = motion->state.spin;
  if (!any_is_fast(motion, behind)) return THUD_OK;
  find_ways(motion, behind);
  thud_error error = thud_broad_phase_find(motion->broad_phase, motion->model.part_count, motion->boxes, motion->still,
                                           motion->model.part_body, &count, &pairs);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = watch_pair(motion, pairs[k].first, pairs[k].second, behind);
  return error;
}
