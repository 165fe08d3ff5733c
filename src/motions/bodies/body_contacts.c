/* Step 2: which contacts act, and what they hand on to the next step. */
#include "geom/shape_class.h"
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

/* An axis of friction (a unit vector) whose projection onto the plane of contact is shorter has none. */
static const double LEAST_AXIS = 1e-6;

/* ---- room ------------------------------------------------------------------------------------------------------------ */

enum { CONTACT_ARRAYS = 35 };

static void list_arrays(body_contacts *c, size_t d, body_array *list) {
  const body_array arrays[CONTACT_ARRAYS] = {{&c->body_a, sizeof(thud_index)},
                                             {&c->body_b, sizeof(thud_index)},
                                             {&c->part_a, sizeof(thud_index)},
                                             {&c->part_b, sizeof(thud_index)},
                                             {&c->swapped, sizeof(bool)},
                                             {&c->feature, sizeof(uint32_t)},
                                             {&c->normal, sizeof(thud_vec3)},
                                             {&c->point, sizeof(thud_vec3)},
                                             {&c->force, sizeof(thud_vec3)},
                                             {&c->moment, sizeof(thud_vec3)},
                                             {&c->frame, sizeof(thud_mat3)},
                                             {&c->gap, sizeof(double)},
                                             {&c->ahead, sizeof(double)},
                                             {&c->meets, sizeof(bool)},
                                             {&c->mu, sizeof(double)},
                                             {&c->mu_across, sizeof(double)},
                                             {&c->restitution, sizeof(double)},
                                             {&c->rolling, sizeof(double)},
                                             {&c->spinning, sizeof(double)},
                                             {&c->r, d * sizeof(double)},
                                             {&c->u_minus, d * sizeof(double)},
                                             {&c->u_free, d * sizeof(double)},
                                             {&c->u, d * sizeof(double)},
                                             {&c->threshold, sizeof(double)},
                                             {&c->wander, d * sizeof(double)},
                                             {&c->bend, sizeof(double)},
                                             {&c->size, sizeof(double)},
                                             {&c->island, sizeof(thud_index)},
                                             {&c->state, sizeof(unsigned char)},
                                             {&c->closed, sizeof(bool)},
                                             {&c->material_restitution, sizeof(double)},
                                             {&c->impact, sizeof(bool)},
                                             {&c->carried, sizeof(bool)},
                                             {&c->field_left, sizeof(body_field)},
                                             {&c->field, sizeof(body_field)}};
  for (size_t k = 0; k < CONTACT_ARRAYS; k++) list[k] = arrays[k];
}

static thud_error reserve_contacts(body_motion *motion, size_t count) {
  body_contacts *c = &motion->contacts;
  body_array arrays[CONTACT_ARRAYS];
  if (count <= c->capacity) return THUD_OK;
  list_arrays(c, (size_t)motion->problem.d, arrays);
  return thud_bodies_grow(motion->base.context, CONTACT_ARRAYS, arrays, &c->capacity, count);
}

void thud_bodies_free_contacts(body_motion *motion) {
  body_array arrays[CONTACT_ARRAYS];
  list_arrays(&motion->contacts, (size_t)motion->problem.d, arrays);
  thud_bodies_release(motion->base.context, CONTACT_ARRAYS, arrays);
  thud_free(motion->base.context, motion->contacts.touches);
}

/* ---- placed parts ---------------------------------------------------------------------------------------------------- */

void thud_bodies_place_parts(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  for (thud_index p = 0; p < model->part_count; p++)
    motion->part_pose[p] = thud_pose_compose(&motion->state.pose[model->part_body[p]], &model->part_pose[p]);
}

/* How far a point of the part may come in a step, forces included. */
static double reach_of_step(const body_motion *motion, thud_index part) {
  thud_index body = motion->model.part_body[part];
  double h = motion->h, far = thud_vec3_norm(motion->model.part_pose[part].position);
  double radius = thud_shape_radius(motion->model.part_shape[part]);
  if (motion->model.role[body] == THUD_BODY_FIXED) return 0;
  double v = fmax(thud_vec3_norm(motion->state.velocity[body]), thud_vec3_norm(motion->velocity_free[body]));
  double w = fmax(thud_vec3_norm(motion->state.spin[body]), thud_vec3_norm(motion->spin_free[body]));
  return h * (v + (isfinite(radius) ? w * (far + radius) : 0));
}

/* Neighbours may push a body a little further than it falls by itself. */
static double slack(const body_motion *motion) { return 2 * motion->h * motion->h * motion->gravity; }

/* Gaps of this size are rounding of the pose: closed_gap() for each contact is less. */
static double rounding_of(const body_motion *motion, thud_index part) {
  double radius = thud_shape_radius(motion->model.part_shape[part]);
  if (!isfinite(radius)) return 0;
  return 2 * THUD_GAP_ROUNDING * (thud_vec3_norm(motion->part_pose[part].position) + radius);
}

static void find_boxes(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  double extra = 0.5 * slack(motion);
  for (thud_index p = 0; p < model->part_count; p++) {
    double margin = rounding_of(motion, p);
    if (motion->options.predicted || motion->options.continuous) margin += reach_of_step(motion, p) + extra;
    motion->boxes[p] = thud_bodies_part_box(motion, p, margin);
    motion->still[p] = !motion->moves[model->part_body[p]];
  }
}

/* ---- how gaps bend --------------------------------------------------------------------------------------------------- */

/* Where the rim of a cylinder or cone, or an ellipsoid, rolls on a plane, the lowest point wanders over the
 * surface, and its gap changes over a step by more than h u_N,
 *   gap(q_m + h v) = gap + h u_N + bend,   bend = h^2/2 d/dt(u_N) at constant v.
 * The step asks for u_N+ >= -(gap + bend)/h there. Without the second term a disc that rolls on its rim sinks in by the
 * bend in every step and is lifted out again, and stopping u_N- = 2 bend/h in every step takes energy: of first order
 * in h both. With it u_N+ = -bend/h and u_N- = bend/h in steady rolling, so that the normal impulse does no work.
 * Tangential velocities likewise are asked for at the end of the step, not at its midpoint: slip = u_T+ + wander with
 * wander = h/2 d/dt(u_T), so that friction that sticks does no work in steady rolling.
 *
 * Both are measured, at the velocities before the step, by looking at the lowest point a step ahead. Balls and corners need
 * no such thing: a ball's point of contact stays below its centre, and corners below the centre of mass bend upwards,
 * which the gap of the next step takes care of. */

bool thud_bodies_is_rounded(const body_motion *motion, thud_index part) {
  return thud_shape_get_class(motion->model.part_shape[part])->curved;
}

/* Velocities of a body of contact k before the step; where b carries a, those that are seen from b. */
static body_field motion_of(const body_motion *motion, thud_index k, thud_index body) {
  const body_contacts *c = &motion->contacts;
  body_field own = {motion->state.velocity[body], motion->state.spin[body]};
  if (!c->carried[k]) return own;
  if (body == c->body_b[k]) return (body_field){.spin = {0}};
  return (body_field){thud_vec3_subtract(own.velocity, c->field_left[k].velocity),
                      thud_vec3_subtract(own.spin, c->field_left[k].spin)};
}

/* Pose of a part of contact k after a time with the velocities of its body. */
static thud_pose pose_ahead(const body_motion *motion, thud_index k, thud_index part, double time) {
  thud_index body = motion->model.part_body[part];
  if (!(time > 0) || motion->model.role[body] == THUD_BODY_FIXED) return motion->part_pose[part];
  thud_pose pose = motion->state.pose[body];
  body_field field = motion_of(motion, k, body);
  pose.position = thud_vec3_add_scaled(pose.position, time, field.velocity);
  pose.rotation = thud_quat_integrate(pose.rotation, field.spin, time);
  return thud_pose_compose(&pose, &motion->model.part_pose[part]);
}

/* The lowest point of the first part of contact k above the plane of the second at that time, and its gap. */
static thud_vec3 lowest_point(const body_motion *motion, thud_index k, double time, double *gap) {
  thud_index part = motion->contacts.part_a[k], plane = motion->contacts.part_b[k];
  thud_pose pose = pose_ahead(motion, k, part, time), ground = pose_ahead(motion, k, plane, time);
  thud_vec3 up = thud_quat_rotate(ground.rotation, thud_vec3_make(0, 0, 1));
  thud_vec3 down = thud_quat_rotate_inverse(pose.rotation, thud_vec3_negate(up));
  thud_vec3 point = thud_pose_point(&pose, thud_shape_support(motion->model.part_shape[part], down));
  *gap = thud_vec3_dot(up, thud_vec3_subtract(point, ground.position));
  return point;
}

static thud_vec3 velocity_at(const body_motion *motion, thud_index k, thud_index body, thud_vec3 point, double time) {
  body_field field = motion_of(motion, k, body);
  thud_vec3 centre = thud_vec3_add_scaled(motion->state.pose[body].position, time, field.velocity);
  return thud_vec3_add(field.velocity, thud_vec3_cross(field.spin, thud_vec3_subtract(point, centre)));
}

static thud_vec3 slip_at(const body_motion *motion, thud_index k, thud_vec3 point, double time) {
  return thud_vec3_subtract(velocity_at(motion, k, motion->contacts.body_a[k], point, time),
                            velocity_at(motion, k, motion->contacts.body_b[k], point, time));
}

/* Of contact k, whose frame and u_minus are there, one of the touching points contacts.touches[touches] of its pair: by how
 * much its gap changes over a step beside h u_N, and to contacts.wander what is to be added to its tangential velocity. 0
 * unless it is the only lowest point of a rounded shape on a plane. */
static double find_bend(body_motion *motion, thud_index k, size_t touches, double rounding) {
  body_contacts *c = &motion->contacts;
  thud_index part = c->part_a[k], plane = c->part_b[k];
  size_t d = (size_t)motion->problem.d, as_low = 0;
  double h = motion->h, gap = 0, next_gap = 0, *wander = c->wander + (size_t)k * d;
  for (size_t j = 0; j < d; j++) wander[j] = 0;
  if (!motion->options.predicted || !thud_bodies_is_rounded(motion, part) ||
      thud_shape_get_class(motion->model.part_shape[plane])->pairs != THUD_PAIRS_PLANE)
    return 0;
  lowest_point(motion, k, 0, &gap);
  for (size_t i = 0; i < touches; i++)
    if (c->touches[i].gap <= gap + rounding) as_low++;
  if (as_low != 1 || c->gap[k] > gap + rounding) return 0; /* another point, or it stands on a face or lies on a line */
  thud_vec3 next = lowest_point(motion, k, h, &next_gap);
  thud_vec3 change = thud_vec3_subtract(slip_at(motion, k, next, h), slip_at(motion, k, c->point[k], 0));
  thud_bodies_force_rows(motion, k, thud_vec3_scale(0.5, change), wander);
  wander[0] = 0;
  return next_gap - c->gap[k] - h * c->u_minus[(size_t)k * d];
}

/* ---- one contact ----------------------------------------------------------------------------------------------------- */

/* Tangents: of orthotropic friction along the axis that is fixed in a body, else any. In the plane t1 = z x n. */
static thud_mat3 find_frame(const body_motion *motion, thud_vec3 n, const thud_surface_law *law, thud_index axis_body) {
  if (motion->model.planar) {
    thud_vec3 z = thud_vec3_make(0, 0, 1);
    return thud_mat3_columns(n, thud_vec3_cross(z, n), z);
  }
  if (law->friction_across < 0) return thud_mat3_frame(n);
  thud_vec3 axis = thud_quat_rotate(motion->state.pose[axis_body].rotation, thud_vec3_load(law->axis)), t;
  thud_vec3 along = thud_vec3_add_scaled(axis, -thud_vec3_dot(axis, n), n);
  /* along the normal the axis has no direction but that of rounding */
  if (!(thud_vec3_norm(along) > LEAST_AXIS) || !thud_vec3_normalise(along, &t)) return thud_mat3_frame(n);
  return thud_mat3_columns(n, t, thud_vec3_cross(n, t));
}

/* A gap that counts as closed: rounding of the poses. */
static double closed_gap(const body_motion *motion, const thud_touch *touch, thud_index a, thud_index b) {
  const thud_pose *pose = motion->state.pose;
  double size = fmax(thud_vec3_distance(touch->on_a, pose[a].position), thud_vec3_norm(touch->on_a));
  if (motion->model.role[b] == THUD_BODY_DYNAMIC) size = fmax(size, thud_vec3_distance(touch->on_b, pose[b].position));
  return THUD_GAP_ROUNDING * size;
}

/* Would the pair pass through each other before the next midpoint? Parts that overlap then at most by half of the thinner
 * one are met by the law there. */
static bool tunnels(const body_motion *motion, const body_contacts *c, thud_index k) {
  const thud_bodies_view *model = &motion->model;
  thud_index a = c->part_a[k], b = c->part_b[k];
  double thin = fmin(thud_shape_thickness(model->part_shape[a]), thud_shape_thickness(model->part_shape[b]));
  double approach = -c->u_free[(size_t)k * (size_t)motion->problem.d];
  return motion->options.continuous && motion->h * approach - c->gap[k] > 0.5 * thin;
}

/* Decides whether contact k, whose geometry and velocities are there, acts in this step; and its threshold w_N. Contacts that
 * are predicted act even if the free motion would not close them: impulses at other contacts may turn a body towards a
 * neighbour within the step, and what is met one step later overlaps already. A gap that bends towards the other shape
 * asks for a velocity upwards, of at most what it was approached with: no energy comes from there. */
static bool acts(const body_motion *motion, body_contacts *c, thud_index k) {
  size_t first = (size_t)k * (size_t)motion->problem.d;
  double gap = c->gap[k], before = c->u_minus[first];
  bool is_closed = c->closed[k];
  if (c->ahead[k] != 0 || c->restitution[k] > 0) {
    for (size_t i = first; i < first + (size_t)motion->problem.d; i++) c->wander[i] = 0;
    c->bend[k] = 0;
    c->threshold[k] = thud_bodies_rebound(motion, k, 1);
    return is_closed || c->meets[k] || (motion->impact != NULL && tunnels(motion, c, k));
  }
  double ahead = (is_closed ? 0 : gap) + c->bend[k];
  c->threshold[k] = fmax(ahead / motion->h, fmin(before, 0)); /* the second bound is 0 or less */
  return is_closed || motion->options.predicted || tunnels(motion, c, k);
}

/* Contact k at a touching point of two parts, found at s after the midpoint: its geometry and velocities. */
static void fill_contact(body_motion *motion, thud_index k, const thud_touch *touch, double s) {
  body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d;
  bool law_swapped = false;
  thud_surface_law law = thud_bodies_present_law(motion, c->part_a[k], c->part_b[k], &law_swapped);
  c->ahead[k] = s;
  c->feature[k] = touch->feature;
  c->normal[k] = c->swapped[k] ? thud_vec3_negate(touch->normal) : touch->normal;
  c->point[k] = thud_vec3_scale(0.5, thud_vec3_add(touch->on_a, touch->on_b));
  c->gap[k] = touch->gap;
  c->frame[k] = find_frame(motion, c->normal[k], &law, law_swapped ? c->body_b[k] : c->body_a[k]);
  thud_bodies_find_fields(motion, k);
  thud_bodies_relative_velocity(motion, k, true, motion->state.velocity, motion->state.spin,
                                c->u_minus + (size_t)k * d);
  thud_bodies_relative_velocity(motion, k, false, motion->velocity_free, motion->spin_free, c->u_free + (size_t)k * d);
}

/* The law of contact k between two parts. */
static void fill_law(body_motion *motion, thud_index k) {
  body_contacts *c = &motion->contacts;
  bool law_swapped = false;
  thud_surface_law law = thud_bodies_present_law(motion, c->part_a[k], c->part_b[k], &law_swapped);
  c->mu[k] = law.friction;
  c->mu_across[k] = law.friction_across < 0 ? law.friction : law.friction_across;
  c->restitution[k] = c->material_restitution[k] = law.restitution;
  c->rolling[k] = law.rolling;
  c->spinning[k] = law.spinning;
}

/* Contacts that rebound may act where they meet: those that are closed, and with `continuous` those that close before the
 * node. Laws of multiple impacts know no times. */
static bool may_have_time(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  double rate = c->u_free[(size_t)k * (size_t)motion->problem.d];
  if (motion->impact != NULL || !(c->restitution[k] > 0)) return false;
  return c->closed[k] || (motion->options.continuous && c->gap[k] + 0.5 * motion->h * rate < 0);
}

/* Adds a touching point, one of the pair's c->touches[touches], found at s after the midpoint; first < second as the broad
 * phase gave them. */
static void add_contact(body_motion *motion, thud_index first, thud_index second, size_t touches,
                        const thud_touch *touch, double s) {
  const thud_bodies_view *model = &motion->model;
  body_contacts *c = &motion->contacts;
  thud_index k = c->count;
  bool swap = !motion->moves[model->part_body[first]];
  thud_touch met = *touch;
  if (s != 0 && !thud_bodies_close_gap(motion, first, second, &met, &s)) return; /* the pair does not meet there */
  c->part_a[k] = swap ? second : first;
  c->part_b[k] = swap ? first : second;
  c->body_a[k] = model->part_body[c->part_a[k]];
  c->body_b[k] = model->part_body[c->part_b[k]];
  c->swapped[k] = swap;
  fill_law(motion, k);
  fill_contact(motion, k, &met, s);
  thud_touch seen = met;
  if (swap) {
    seen.on_a = met.on_b;
    seen.on_b = met.on_a;
  }
  double closed = closed_gap(motion, &seen, c->body_a[k], c->body_b[k]);
  c->closed[k] = s != 0 || touch->gap <= closed;
  c->impact[k] = c->u_minus[(size_t)k * (size_t)motion->problem.d] < -motion->options.impact_velocity;
  if (s != 0 && !c->impact[k]) return; /* as slow as this the midpoint is enough */
  if (!c->impact[k]) c->restitution[k] = 0;
  c->bend[k] = s == 0 ? find_bend(motion, k, touches, closed) : 0;
  if (s == 0) thud_bodies_add_slide(motion, k);
  c->meets[k] = s == 0 && may_have_time(motion, k);
  if (acts(motion, c, k)) c->count++;
}

/* ---- pairs ----------------------------------------------------------------------------------------------------------- */

bool thud_bodies_may_touch(const body_motion *motion, thud_index first, thud_index second) {
  const thud_bodies_view *model = &motion->model;
  const thud_body_def *a = &model->def[model->part_body[first]], *b = &model->def[model->part_body[second]];
  if (a->group >= 0 && a->group == b->group) return false;
  if ((a->category & b->mask) == 0 || (b->category & a->mask) == 0) return false;
  if (thud_bodies_are_joined(motion, model->part_body[first], model->part_body[second])) return false;
  return motion->filter == NULL || motion->filter(motion->filter_user, first, second);
}

thud_error thud_bodies_touch_pair(body_motion *motion, thud_index first, thud_index second, double margin,
                                  size_t *count) {
  const thud_bodies_view *model = &motion->model;
  body_contacts *c = &motion->contacts;
  for (;;) {
    thud_collide(model->part_shape[first], &motion->part_pose[first], model->part_shape[second],
                 &motion->part_pose[second], margin, c->touch_capacity, c->touches, count);
    if (*count <= c->touch_capacity) break;
    thud_error error =
        thud_array_reserve(motion->base.context, &c->touches, &c->touch_capacity, *count, sizeof *c->touches);
    if (error != THUD_OK) return error;
  }
  for (size_t i = 1; i < *count; i++) { /* few of them: insertion */
    thud_touch moved = c->touches[i];
    size_t j = i;
    for (; j > 0 && c->touches[j - 1].feature > moved.feature; j--) c->touches[j] = c->touches[j - 1];
    c->touches[j] = moved;
  }
  return THUD_OK;
}

/* Does the step see that the two come near, and do they not rebound: is a touching point approached so fast that it closes?
 * Parts that overlap deeply at the midpoint have met before: their normals there need not be those of where they met. */
static bool is_predicted(const body_motion *motion, thud_index first, thud_index second, size_t count) {
  bool law_swapped = false;
  thud_surface_law law = thud_bodies_present_law(motion, first, second, &law_swapped);
  for (size_t i = 0; i < count && motion->options.predicted; i++) {
    const thud_touch *touch = &motion->contacts.touches[i];
    double rate = thud_bodies_rate(motion, first, second, touch);
    bool rebounds = law.restitution > 0 && rate < -motion->options.impact_velocity;
    if (touch->gap < -thud_bodies_overlap_tolerance(motion, first, second)) continue;
    if (!rebounds && touch->gap + motion->h * rate < 0) return true;
  }
  return false;
}

static thud_error add_touches(body_motion *motion, thud_index first, thud_index second, size_t count, double s) {
  body_contacts *c = &motion->contacts;
  thud_error error = reserve_contacts(motion, (size_t)c->count + count);
  for (size_t i = 0; i < count && error == THUD_OK; i++) add_contact(motion, first, second, count, &c->touches[i], s);
  return error;
}

enum { MOST_NEAR_MISSES = 64 }; /* in a step */

/* The contacts of a pair: where it first meets if it is fast, else at the midpoint. */
static thud_error detect_pair(body_motion *motion, thud_index first, thud_index second) {
  size_t count = 0;
  thud_index before = motion->contacts.count;
  double s = 0, margin = reach_of_step(motion, first) + reach_of_step(motion, second) + slack(motion);
  margin += rounding_of(motion, first) + rounding_of(motion, second);
  bool found = false;
  thud_error error = thud_bodies_touch_pair(motion, first, second, margin, &count);
  if (error != THUD_OK) return error;
  if (!motion->options.continuous || motion->impact != NULL || !thud_bodies_is_fast(motion, first, second) ||
      is_predicted(motion, first, second, count))
    return add_touches(motion, first, second, count, 0);
  found = !thud_bodies_overlap_before(motion, first, second);
  s = -0.5 * motion->h;
  while (found && error == THUD_OK && motion->contacts.count == before) { /* past near misses */
    error = thud_bodies_sweep_pair(motion, first, second, &s, &count, &found);
    if (error == THUD_OK && found) error = add_touches(motion, first, second, count, s);
    s += motion->h / MOST_NEAR_MISSES;
  }
  if (error != THUD_OK || motion->contacts.count > before) return error;
  error = thud_bodies_touch_pair(motion, first, second, margin, &count);
  return error == THUD_OK ? add_touches(motion, first, second, count, 0) : error;
}

thud_error thud_bodies_detect(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  size_t pair_count = 0;
  const thud_index_pair *pairs = NULL;
  motion->contacts.count = 0;
  motion->fly_velocity = motion->velocity_free;
  motion->fly_spin = motion->spin_free;
  thud_bodies_place_parts(motion);
  find_boxes(motion);
  thud_error error = thud_broad_phase_find(motion->broad_phase, model->part_count, motion->boxes, motion->still,
                                           model->part_body, &pair_count, &pairs);
  for (size_t k = 0; k < pair_count && error == THUD_OK; k++)
    if (thud_bodies_may_touch(motion, pairs[k].first, pairs[k].second))
      error = detect_pair(motion, pairs[k].first, pairs[k].second);
  return error;
}

/* ---- times ------------------------------------------------------------------------------------------------------------- */

/* Keeps the contacts that act, in their order. */
static bool drop_contacts(body_motion *motion) {
  body_contacts *c = &motion->contacts;
  body_array arrays[CONTACT_ARRAYS];
  thud_index kept = 0, count = c->count;
  list_arrays(c, (size_t)motion->problem.d, arrays);
  for (thud_index k = 0; k < count; k++) {
    if (!c->closed[k] && c->meets[k]) continue;
    for (size_t i = 0; i < CONTACT_ARRAYS && kept < k; i++) {
      unsigned char *data;
      memcpy(&data, arrays[i].array, sizeof data);
      memcpy(data + (size_t)kept * arrays[i].size, data + (size_t)k * arrays[i].size, arrays[i].size);
    }
    kept++;
  }
  c->count = kept;
  return kept < count;
}

/* The touching point that contact k was made of. */
static thud_touch touch_of(const body_contacts *c, thud_index k) {
  thud_vec3 up = thud_vec3_add_scaled(c->point[k], 0.5 * c->gap[k], c->normal[k]);
  thud_vec3 down = thud_vec3_add_scaled(c->point[k], -0.5 * c->gap[k], c->normal[k]);
  bool swap = c->swapped[k];
  return (thud_touch){.on_a = swap ? down : up,
                      .on_b = swap ? up : down,
                      .normal = swap ? thud_vec3_negate(c->normal[k]) : c->normal[k],
                      .gap = c->gap[k],
                      .feature = c->feature[k]};
}

/* Moves contact k, which is that of its pair at the midpoint, to where it meets, if it is an impact there, too. */
static void set_time(body_motion *motion, thud_index k) {
  body_contacts *c = &motion->contacts;
  thud_index first = c->swapped[k] ? c->part_b[k] : c->part_a[k], second = c->swapped[k] ? c->part_a[k] : c->part_b[k];
  thud_touch touch = touch_of(c, k), met = touch;
  double s = 0;
  if (!thud_bodies_close_gap(motion, first, second, &met, &s)) return;
  fill_contact(motion, k, &met, s);
  if (c->u_minus[(size_t)k * (size_t)motion->problem.d] < -motion->options.impact_velocity)
    c->closed[k] = true;
  else
    fill_contact(motion, k, &touch, 0);
  c->threshold[k] = thud_bodies_rebound(motion, k, 1);
}

/* Impacts of two bodies act where they meet. Where more bodies have to do with each other their impulses answer each other
 * at one time, and act at the midpoint; those that do not touch there wait. */
thud_error thud_bodies_set_times(body_motion *motion) {
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  for (thud_index s = 0; s < p->with_contacts; s++) {
    thud_index first = p->order[p->contact_start[s]];
    bool alone = thud_bodies_count_laws(motion, s) == 0;
    for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
      alone = alone && c->body_a[p->order[at]] == c->body_a[first] && c->body_b[p->order[at]] == c->body_b[first];
    for (thud_index at = p->contact_start[s]; alone && at < p->contact_start[s + 1]; at++)
      if (c->meets[p->order[at]]) set_time(motion, p->order[at]);
  }
  return drop_contacts(motion) ? thud_bodies_find_islands(motion) : THUD_OK;
}

/* ---- what contacts hand on: impulses as warm starts, and who touched whom -------------------------------------------- */

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
