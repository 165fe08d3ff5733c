/* Coordinates of joints and the rows of their laws (body_laws.h): which act in a step, what they see, and what they did. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double HALF_TURN = 3.14159265358979323846;

/* ---- coordinates ----------------------------------------------------------------------------------------------------- */

static thud_joint_place place_at(const body_motion *motion, thud_index k, const thud_pose *a, const thud_pose *b) {
  thud_joint_place place = thud_joint_place_at(&motion->model.joints[k], motion->model.planar, a, b);
  thud_bodies_see_coupling(motion, k, &place);
  return place;
}

static thud_joint_place place_of(const body_motion *motion, thud_index k, const thud_pose *pose) {
  const thud_joint *joint = &motion->model.joints[k];
  return place_at(motion, k, &pose[joint->a], joint->b >= 0 ? &pose[joint->b] : NULL);
}

/* The coordinate at a place as the scene counts it; angles are those nearest to the one of the node before. */
static thud_joint_row coordinate_at(const body_motion *motion, thud_index k, int c, const thud_joint_place *place) {
  const thud_joint *joint = &motion->model.joints[k];
  thud_joint_row row = thud_joint_coordinate(place, thud_joint_free(joint->kind, place->planar, c));
  double before = motion->state.coordinate[(size_t)k * THUD_JOINT_LAWS + (size_t)c];
  row.value += joint->law[c].start;
  if (row.is_angle) row.value += 2 * HALF_TURN * round((before - row.value) / (2 * HALF_TURN));
  return row;
}

thud_joint_row thud_bodies_coordinate(const body_motion *motion, thud_index k, int c) {
  thud_joint_place place = place_of(motion, k, motion->state.pose);
  return coordinate_at(motion, k, c, &place);
}

thud_joint_row thud_bodies_coordinate_ahead(const body_motion *motion, thud_index k, int c, const thud_pose ahead[2]) {
  thud_joint_place place = place_at(motion, k, &ahead[0], motion->model.joints[k].b >= 0 ? &ahead[1] : NULL);
  return coordinate_at(motion, k, c, &place);
}

void thud_bodies_note_coordinates(body_motion *motion) {
  for (thud_index k = 0; k < motion->model.joint_count; k++)
    for (int c = 0; c < motion->model.joints[k].law_count && thud_bodies_joint_acts(motion, k); c++)
      motion->state.coordinate[(size_t)k * THUD_JOINT_LAWS + (size_t)c] = thud_bodies_coordinate(motion, k, c).value;
}

double thud_bodies_limit_gap(const thud_joint_law *law, double value, bool upper) {
  if (!law->limited[upper]) return INFINITY;
  return upper ? law->limit[1] - value : value - law->limit[0];
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* A step at work on one coordinate. */
typedef struct law_view {
  thud_index joint;
  int coordinate;
  const thud_joint_law *law;
  thud_joint_row row; /* at the midpoint */
  double bend;        /* what it changes by over a step at constant velocity, beside h times its rate */
  body_law made;      /* what all laws of the coordinate have in common, J that of the coordinate */
} law_view;

static double rate_by(const body_motion *motion, const body_law *law, const thud_vec3 *velocity,
                      const thud_vec3 *spin) {
  double x[THUD_BODY_BLOCK], rate = 0;
  size_t n = (size_t)motion->problem.block;
  thud_bodies_pack(motion, velocity[law->a], spin[law->a], x);
  rate += body_dot(n, law->J_a, x);
  if (law->b < 0) return rate;
  thud_bodies_pack(motion, velocity[law->b], spin[law->b], x);
  return rate + body_dot(n, law->J_b, x);
}

/* The rate that a body on a path gives the coordinate. */
static double path_rate(const body_motion *motion, const law_view *view, const thud_vec3 *velocity,
                        const thud_vec3 *spin) {
  const thud_joint *joint = &motion->model.joints[view->joint];
  double rate = 0;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0 || motion->model.role[i] != THUD_BODY_KINEMATIC) continue;
    thud_vec3 about = side == 0 ? view->row.about_a : view->row.about_b;
    thud_vec3 along = side == 0 ? view->row.force_a : view->row.force;
    double part = thud_vec3_dot(along, velocity[i]) + thud_vec3_dot(about, spin[i]);
    rate += side == 0 ? -part : part;
  }
  return rate;
}

/* Its diagonal of W without what joints take of it. */
static double response_of(body_motion *motion, const body_law *law) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? law->a : law->b;
    const double *J = side == 0 ? law->J_a : law->J_b;
    thud_vec3 force, moment, v, w;
    if (i < 0) continue;
    thud_bodies_unpack(motion, J, &force, &moment);
    thud_bodies_law_kick(motion, i, force, moment, &v, &w);
    sum += thud_vec3_dot(force, v) + thud_vec3_dot(moment, w);
  }
  return sum;
}

static void scale_row(size_t n, double factor, body_law *law) {
  for (size_t i = 0; i < n; i++) {
    law->J_a[i] *= factor;
    law->J_b[i] *= factor;
  }
  law->path_left *= factor;
  law->path_after *= factor;
}

/* The row of the coordinate at the midpoint, as a velocity: angles times the radius of gyration of a. */
static void make_row(body_motion *motion, law_view *view) {
  const body_state *state = &motion->state;
  body_link link = thud_bodies_row_link(motion, view->joint, &view->row);
  body_law *law = &view->made;
  *law = (body_law){.joint = view->joint, .coordinate = view->coordinate, .a = link.a, .b = link.b, .length = 1};
  memcpy(law->J_a, link.J_a, sizeof law->J_a);
  memcpy(law->J_b, link.J_b, sizeof law->J_b);
  law->path_left = path_rate(motion, view, state->velocity_left, state->spin_left);
  law->path_after = path_rate(motion, view, motion->velocity_free, motion->spin_free);
  double response = response_of(motion, law);
  if (view->row.is_angle && response > 0) law->length = 1 / sqrt(motion->model.mass[law->a] * response);
  scale_row((size_t)motion->problem.block, law->length, law);
  law->response = law->length * law->length * response;
  law->u_minus = rate_by(motion, law, state->velocity, state->spin) + law->path_left;
  law->u_free = rate_by(motion, law, motion->velocity_free, motion->spin_free) + law->path_after;
}

/* How the coordinate would go on at the velocities before the step: the distance of two points that circle each other grows. */
static double find_bend(const body_motion *motion, const law_view *view) {
  const thud_joint *joint = &motion->model.joints[view->joint];
  const body_state *state = &motion->state;
  thud_pose ahead[2] = {thud_pose_identity(), thud_pose_identity()};
  double h = motion->h;
  thud_coordinate_kind kind = thud_joint_free(joint->kind, motion->model.planar, view->coordinate);
  if (kind == THUD_COORDINATE_ANGLE || kind == THUD_COORDINATE_SHIFT) return 0;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0) continue;
    ahead[side].position = thud_vec3_add_scaled(state->pose[i].position, h, state->velocity_left[i]);
    ahead[side].rotation = thud_quat_integrate(state->pose[i].rotation, state->spin_left[i], h);
  }
  double ends = thud_bodies_coordinate_ahead(motion, view->joint, view->coordinate, ahead).value;
  return ends - view->row.value - h * view->made.u_minus / view->made.length;
}

static thud_error add_law(body_motion *motion, const law_view *view, body_law_kind kind, double low, double high,
                          double w) {
  body_laws *laws = &motion->laws;
  thud_error error =
      thud_array_reserve(motion->base.context, &laws->list, &laws->capacity, laws->count + 1, sizeof *laws->list);
  if (error != THUD_OK) return error;
  body_law *law = &laws->list[laws->count++];
  size_t place = ((size_t)view->joint * THUD_JOINT_LAWS + (size_t)view->coordinate) * BODY_LAW_KINDS + (size_t)kind;
  *law = view->made;
  law->kind = kind;
  law->low = low;
  law->high = high;
  law->w = w;
  if (kind == BODY_LAW_UPPER) {
    scale_row((size_t)motion->problem.block, -1, law);
    law->length = -law->length;
    law->u_minus = -law->u_minus;
    law->u_free = -law->u_free;
  }
  law->r = fmin(fmax(motion->state.law_impulse[place], low), high);
  return THUD_OK;
}

/* ---- limits ---------------------------------------------------------------------------------------------------------- */

/* Rounding of a coordinate. */
static double closed_gap(const thud_joint_law *law, bool upper, double value) {
  return THUD_GAP_ROUNDING * (fabs(value) + fabs(law->limit[upper]) + fabs(law->start));
}

/* As contacts do: an impact is answered when the gap is closed, everything slower before that, so that it ends at the limit. */
static thud_error add_limit(body_motion *motion, law_view *view, bool upper) {
  const thud_joint_law *law = view->law;
  const body_law *row = &view->made;
  double sign = upper ? -1 : 1, L = row->length, h = motion->h;
  double before = sign * row->u_minus, free = sign * row->u_free, value = view->row.value;
  double gap = L * thud_bodies_limit_gap(law, value, upper), bend = sign * L * view->bend, w;
  bool closed = gap <= L * closed_gap(law, upper, value), impact = before < -motion->options.impact_velocity;
  if (impact && law->restitution > 0) {
    if (!closed) return THUD_OK;
    w = law->restitution * before;
  } else {
    if (!closed && !motion->options.predicted) return THUD_OK;
    /* a closed one acts whatever the rates are: a motor, which they do not know of, may press */
    if (!closed && gap > 2 * h * (fabs(before) + fabs(free)) + 2 * h * h * motion->gravity) return THUD_OK;
    w = fmax(((closed ? 0 : gap) + bend) / h, fmin(before, 0));
  }
  thud_error error = add_law(motion, view, upper ? BODY_LAW_UPPER : BODY_LAW_LOWER, 0, INFINITY, w);
  if (error == THUD_OK) motion->laws.list[motion->laws.count - 1].impact = impact;
  return error;
}

/* ---- motors and friction --------------------------------------------------------------------------------------------- */

static const body_motor *motor_of(const body_motion *motion, const law_view *view) {
  return &motion->state.motor[(size_t)view->joint * THUD_JOINT_LAWS + (size_t)view->coordinate];
}

/* The rate that a motor is to reach. One of position closes its error within a time of at least a step, and is at its target at
 * the midpoints of steps, between which the rate holds. */
static thud_error find_target(body_motion *motion, const law_view *view, double *rate) {
  const thud_joint_law *law = view->law;
  const body_motor *motor = motor_of(motion, view);
  double h = motion->h, end = motion->now_end, target = motor->target, next = motor->target;
  if (motor->drives) target = next = 0;
  bool driven = motor->drives && law->drive != NULL;
  if (driven && motor->kind == THUD_JOINT_MOTOR_SPEED) target = law->drive(law->drive_user, end);
  if (driven && motor->kind == THUD_JOINT_MOTOR_POSITION) {
    target = law->drive(law->drive_user, end - 0.5 * h);
    next = law->drive(law->drive_user, end + 0.5 * h);
  }
  *rate = motor->kind == THUD_JOINT_MOTOR_SPEED ? target
                                                : (next - target) / h + (target - view->row.value) / fmax(law->time, h);
  if (isfinite(*rate)) return THUD_OK;
  return thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE,
                   "joint '%s': the target of its motor is not finite at t = %g",
                   motion->model.joints[view->joint].name, end);
}

static thud_error add_drives(body_motion *motion, const law_view *view) {
  const thud_joint_law *law = view->law;
  double L = view->made.length, h = motion->h, target = 0, bound = h * motor_of(motion, view)->at_most / L;
  thud_error error = THUD_OK;
  if (motor_of(motion, view)->kind != THUD_JOINT_MOTOR_NONE && bound > 0) {
    error = find_target(motion, view, &target);
    if (error == THUD_OK) error = add_law(motion, view, BODY_LAW_MOTOR, -bound, bound, -L * target);
  }
  bound = h * law->friction / L;
  if (error == THUD_OK && (law->friction > 0 || law->pin > 0))
    error =
        add_law(motion, view, BODY_LAW_FRICTION, law->pin > 0 ? -DBL_MAX : -bound, law->pin > 0 ? DBL_MAX : bound, 0);
  return error;
}

/* ---- all of them ----------------------------------------------------------------------------------------------------- */

thud_error thud_bodies_find_laws(body_motion *motion, double end) {
  thud_error error = THUD_OK;
  motion->laws.count = 0;
  motion->now_end = end;
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    const thud_joint *joint = &motion->model.joints[k];
    if (joint->law_count == 0 || !thud_bodies_joint_acts(motion, k)) continue;
    thud_joint_place place = place_of(motion, k, motion->state.pose);
    for (int c = 0; c < joint->law_count && error == THUD_OK; c++) {
      law_view view = {.joint = k, .coordinate = c, .law = &joint->law[c]};
      view.row = coordinate_at(motion, k, c, &place);
      make_row(motion, &view);
      view.bend = find_bend(motion, &view);
      for (int upper = 0; upper < 2 && error == THUD_OK; upper++)
        if (view.law->limited[upper]) error = add_limit(motion, &view, upper != 0);
      if (error == THUD_OK) error = add_drives(motion, &view);
    }
  }
  return error;
}

thud_error thud_bodies_sort_laws(body_motion *motion) {
  body_laws *laws = &motion->laws;
  thud_context *context = motion->base.context;
  size_t islands = (size_t)motion->problem.island_count;
  thud_error error = thud_array_reserve(context, &laws->order, &laws->order_capacity, laws->count, sizeof *laws->order);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &laws->start, &laws->island_capacity, islands + 2, sizeof *laws->start);
  if (error != THUD_OK) return error;
  memset(laws->start, 0, (islands + 2) * sizeof *laws->start);
  for (size_t l = 0; l < laws->count; l++) laws->start[motion->problem.parent[laws->list[l].a] + 2]++;
  for (size_t s = 0; s < islands; s++) laws->start[s + 2] += laws->start[s + 1];
  for (size_t l = 0; l < laws->count; l++) laws->order[laws->start[motion->problem.parent[laws->list[l].a] + 1]++] = l;
  return THUD_OK;
}

/* ---- what they do ---------------------------------------------------------------------------------------------------- */

void thud_bodies_law_kick(const body_motion *motion, thud_index i, thud_vec3 force, thud_vec3 moment,
                          thud_vec3 *velocity, thud_vec3 *spin) {
  if (motion->implicit.soft[i]) {
    thud_bodies_respond(motion, i, force, moment, velocity, spin);
    return;
  }
  *velocity = thud_vec3_scale(1 / motion->model.mass[i], force);
  *spin = thud_mat3_apply(motion->inverse_inertia[i], moment);
}

void thud_bodies_push_laws(body_motion *motion, thud_index s) {
  const body_laws *laws = &motion->laws;
  body_state *state = &motion->state;
  for (size_t at = laws->start[s]; at < laws->start[s + 1]; at++) {
    const body_law *law = &laws->list[laws->order[at]];
    for (int side = 0; side < 2; side++) {
      thud_index i = side == 0 ? law->a : law->b;
      thud_vec3 force, moment, v, w;
      if (i < 0 || law->r == 0) continue;
      thud_bodies_unpack(motion, side == 0 ? law->J_a : law->J_b, &force, &moment);
      thud_bodies_law_kick(motion, i, force, moment, &v, &w);
      state->velocity[i] = thud_vec3_add_scaled(state->velocity[i], law->r, v);
      state->spin[i] = thud_vec3_add_scaled(state->spin[i], law->r, w);
    }
  }
}

void thud_bodies_see_laws(body_motion *motion, thud_index s) {
  const body_laws *laws = &motion->laws;
  for (size_t at = laws->start[s]; at < laws->start[s + 1]; at++) {
    body_law *law = &laws->list[laws->order[at]];
    law->u = rate_by(motion, law, motion->state.velocity, motion->state.spin) + law->path_after;
  }
}

bool thud_bodies_laws_jolt(const body_motion *motion, thud_index s) {
  const body_laws *laws = &motion->laws;
  bool acts = false;
  for (size_t at = laws->count > 0 ? laws->start[s] : 0; laws->count > 0 && at < laws->start[s + 1]; at++) {
    const body_law *law = &laws->list[laws->order[at]];
    acts = acts || (law->r > 0 && (law->kind == BODY_LAW_LOWER || law->kind == BODY_LAW_UPPER));
  }
  return acts;
}

void thud_bodies_add_law_impulses(const body_motion *motion, thud_vec3 *force, thud_vec3 *moment) {
  for (size_t l = 0; l < motion->laws.count; l++) {
    const body_law *law = &motion->laws.list[l];
    for (int side = 0; side < 2; side++) {
      thud_index i = side == 0 ? law->a : law->b;
      thud_vec3 along, about;
      if (i < 0) continue;
      thud_bodies_unpack(motion, side == 0 ? law->J_a : law->J_b, &along, &about);
      force[i] = thud_vec3_add_scaled(force[i], law->r, along);
      moment[i] = thud_vec3_add_scaled(moment[i], law->r, about);
    }
  }
}

/* ---- books ----------------------------------------------------------------------------------------------------------- */

/* r times the mean of the rates is what the bodies get, with those on paths. */
static void book_law(const body_law *law, thud_body_ledger *ledger) {
  double work = 0.5 * law->r * (law->u_minus + law->u), of_path = -0.5 * law->r * (law->path_left + law->path_after);
  ledger->work += of_path;
  ledger->kinematic_work += of_path;
  if (law->kind == BODY_LAW_MOTOR)
    ledger->work += work;
  else if (law->kind == BODY_LAW_FRICTION)
    ledger->friction_loss -= work;
  else if (law->impact)
    ledger->impact_loss -= work;
  else
    ledger->contact_loss -= work;
}

void thud_bodies_book_laws(body_motion *motion) {
  body_scalars *now = motion->state.now;
  size_t places = (size_t)motion->model.joint_count * THUD_JOINT_LAWS;
  if (places == 0) return;
  memset(motion->state.law_impulse, 0, places * BODY_LAW_KINDS * sizeof *motion->state.law_impulse);
  memset(motion->laws.shown, 0, places * sizeof *motion->laws.shown);
  thud_bodies_show_joint_springs(motion);
  for (size_t l = 0; l < motion->laws.count; l++) {
    const body_law *law = &motion->laws.list[l];
    size_t place = (size_t)law->joint * THUD_JOINT_LAWS + (size_t)law->coordinate;
    thud_body_coordinate *shown = &motion->laws.shown[place];
    double impulse = law->r * law->length;
    motion->state.law_impulse[place * BODY_LAW_KINDS + (size_t)law->kind] = law->r;
    if (law->kind == BODY_LAW_MOTOR) shown->motor = impulse / motion->h;
    if (law->kind == BODY_LAW_FRICTION) shown->friction = impulse / motion->h;
    if (law->kind == BODY_LAW_LOWER || law->kind == BODY_LAW_UPPER) shown->limit += impulse;
    if (law->impact && law->r > 0) now->info.impacts++;
    book_law(law, &now->ledger);
  }
}

void thud_bodies_show_coordinates(body_motion *motion) {
  thud_bodies_note_coordinates(motion);
  for (thud_index k = 0; k < motion->model.joint_count; k++)
    for (int c = 0; c < motion->model.joints[k].law_count; c++) {
      size_t place = (size_t)k * THUD_JOINT_LAWS + (size_t)c;
      thud_body_coordinate *shown = &motion->laws.shown[place];
      shown->value = motion->state.coordinate[place];
      shown->rate = 0;
      if (!thud_bodies_joint_acts(motion, k)) continue;
      thud_joint_row row = thud_bodies_coordinate(motion, k, c);
      shown->rate = thud_bodies_joint_rate(motion, k, &row);
    }
}

void thud_bodies_free_laws(body_motion *motion) {
  void *const arrays[] = {motion->laws.list, motion->laws.start, motion->laws.order, motion->laws.W, motion->laws.work};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(motion->base.context, arrays[k]);
}
