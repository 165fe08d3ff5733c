/* The step that ended with a row, from what the row holds: with h the length of the step,
 *   q_m = q+ moved back by lift and turn (and v+ turned back), then by h/2 v+;   q = q_m moved back by h/2 v,
 * forces at q_m with v, and the velocities that they alone would give. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>

/* Rounding of the pose of a body that was turned when it was moved apart from others, relative. */
static const double TURN_BLUR = 1e-12;

/* Moves of soft bodies that differ by no more are rounding. */
static const double SETTLED = 0x1p-50;

/* ---- life ------------------------------------------------------------------------------------------------------------ */

thud_error thud_verify_body_step_create(thud_context *context, const verify_bodies *bodies, verify_body_step *step) {
  size_t n = bodies->count;
  *step = (verify_body_step){.bodies = bodies};
  step->before = THUD_NEW_ARRAY(context, verify_body_state, n);
  step->middle = THUD_NEW_ARRAY(context, verify_body_state, n);
  step->after = THUD_NEW_ARRAY(context, verify_body_state, n);
  step->arrived = THUD_NEW_ARRAY(context, verify_body_state, n);
  thud_vec3 **vectors[] = {&step->v_free,         &step->w_free, &step->elastic, &step->elastic_torque, &step->applied,
                           &step->applied_torque, &step->v_fly,  &step->w_fly,   &step->shift,          &step->twist};
  bool made = step->before != NULL && step->middle != NULL && step->after != NULL && step->arrived != NULL;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = THUD_NEW_ARRAY(context, thud_vec3, n);
    made = made && *vectors[k] != NULL;
  }
  step->inverse = THUD_NEW_ARRAY(context, thud_mat3, n);
  step->size = THUD_NEW_ARRAY(context, double, 2 * n);
  step->place = THUD_NEW_ARRAY(context, verify_place, bodies->part_count);
  step->moves = THUD_NEW_ARRAY(context, bool, n);
  step->rests = THUD_NEW_ARRAY(context, bool, n);
  step->held = THUD_NEW_ARRAY(context, double, n);
  step->blur = THUD_NEW_ARRAY(context, double, n);
  step->implicit = THUD_NEW_ARRAY(context, verify_implicit, n);
  size_t links = 3 * bodies->spring_count + bodies->law_count;
  step->link = THUD_NEW_ARRAY(context, verify_link, links);
  step->scratch = THUD_NEW_ARRAY(context, double, 6 * links);
  step->spring = THUD_NEW_ARRAY(context, double, 2 * bodies->law_count);
  made = made && step->spring != NULL && step->implicit != NULL && step->link != NULL && step->scratch != NULL;
  made = made && step->inverse != NULL && step->size != NULL && step->place != NULL && step->moves != NULL &&
         step->rests != NULL && step->held != NULL && step->blur != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_body_step_free(thud_context *context, verify_body_step *step) {
  void *const arrays[] = {step->before,  step->middle,         step->after,   step->v_free,         step->w_free,
                          step->elastic, step->elastic_torque, step->applied, step->applied_torque, step->inverse,
                          step->size,    step->place,          step->moves,   step->rests,          step->held,
                          step->blur,    step->v_fly,          step->w_fly,   step->shift,          step->twist,
                          step->arrived, step->implicit,       step->link,    step->scratch,        step->spring};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
}

/* ---- poses ----------------------------------------------------------------------------------------------------------- */

verify_body_state thud_verify_body_path_at(const verify_bodies *bodies, const verify_rigid *body, double t) {
  double out[8];
  verify_body_state state = {.x = body->x, .q = body->q};
  if (body->path == NULL || body->path->told) return state;
  thud_expr_work_evaluate(body->path->work, thud_verify_variables(bodies, t), out);
  state.x = thud_vec3_load(out);
  state.v = thud_vec3_load(out + 4);
  state.q = thud_quat_from_rotation_vector(thud_vec3_scale(out[3], body->path->axis));
  state.w = thud_vec3_scale(out[7], body->path->axis);
  return state;
}

static void take_pose(const double numbers[7], verify_body_state *state) {
  state->x = thud_vec3_load(numbers);
  state->q = thud_quat_make(numbers[3], numbers[4], numbers[5], numbers[6]);
}

/* A body on a path that is a function of a program: what that gave. */
static void take_told_path(verify_body_step *step, size_t i) {
  const verify_body_row *row = step->row;
  const double *told = row->told + step->bodies->body[i].path->at;
  step->before[i] = (verify_body_state){.v = row->v_left[i], .w = row->w_left[i]};
  take_pose(told, &step->before[i]);
  take_pose(told + 7, &step->middle[i]);
  step->arrived[i] = row->end[i];
}

static bool is_told(const verify_rigid *body) { return body->path != NULL && body->path->told; }

/* The pose after moving with this velocity and spin for a time, which may be negative. */
static void move(verify_body_state *state, thud_vec3 v, thud_vec3 w, double time) {
  state->x = thud_vec3_add_scaled(state->x, time, v);
  state->q = thud_quat_integrate(state->q, w, time);
}

static bool is_zero(thud_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/* A body that fell asleep before this step has no velocity in it, and none after it. */
static void find_sleepers(verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  for (size_t i = 0; i < bodies->count; i++) {
    step->moves[i] = bodies->body[i].role == VERIFY_DYNAMIC && !bodies->body[i].absent;
    step->rests[i] = step->moves[i] && row->asleep[i] && is_zero(row->v_left[i]) && is_zero(row->w_left[i]) &&
                     is_zero(row->end[i].v) && is_zero(row->end[i].w);
    step->held[i] = 0;
  }
}

double thud_verify_body_radius(const verify_bodies *bodies, size_t i) {
  const verify_rigid *body = &bodies->body[i];
  double radius = 0;
  for (size_t p = body->first_part; p < body->first_part + body->part_count; p++)
    radius = fmax(radius, thud_vec3_norm(bodies->part[p].place.x0) +
                              thud_verify_shape_size(&bodies->shape[bodies->part[p].shape]));
  return radius;
}

/* ---- impulses with a time of their own --------------------------------------------------------------------------------
 * The impulse r of a contact at s after the midpoint moves the bodies at the midpoint by -s M^-1 J'r, with the levers of the
 * time of contact; until then they fly with v before the midpoint, and behind it with v+ without the impulses. A body on which
 * something implicit acts is moved by -s (v+ - v-) + s' (v_free - v-), s the mean time of its contacts, weighted by their impulses,
 * or of those of all bodies that stiff springs connect with it, s' that of the law, behind the midpoint s; v_free depends on the
 * midpoint, which is looked for. */

thud_vec3 thud_verify_centre_at(const verify_body_step *step, size_t i, double s) {
  const verify_body_state *middle = &step->middle[i];
  return thud_vec3_add_scaled(middle->x, s, s < 0 ? middle->v : step->v_fly[i]);
}

verify_place thud_verify_place_at(const verify_body_step *step, size_t p, double s) {
  const verify_part *part = &step->bodies->part[p];
  const verify_body_state *middle = &step->middle[part->body];
  thud_quat q = s != 0 ? thud_quat_integrate(middle->q, s < 0 ? middle->w : step->w_fly[part->body], s) : middle->q;
  thud_mat3 R = thud_quat_to_matrix(q);
  thud_vec3 x = thud_verify_centre_at(step, part->body, s);
  return (verify_place){thud_vec3_add(x, thud_mat3_apply(R, part->place.x0)), thud_mat3_multiply(R, part->place.R)};
}

/* The linear part, from the row alone. */
static void find_shifts(verify_body_step *step) {
  const verify_body_row *row = step->row;
  for (size_t i = 0; i < step->bodies->count; i++) {
    step->shift[i] = step->twist[i] = step->w_fly[i] = (thud_vec3){0};
    step->v_fly[i] = row->end[i].v;
  }
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    size_t both[2] = {c->a, c->b};
    for (int side = 0; side < 2; side++) {
      size_t i = both[side];
      if (!step->moves[i]) continue;
      double part = (side == 0 ? 1 : -1) / step->bodies->body[i].mass;
      step->v_fly[i] = thud_vec3_add_scaled(step->v_fly[i], -part, c->impulse);
      step->shift[i] = thud_vec3_add_scaled(step->shift[i], -c->ahead * part, c->impulse);
    }
  }
}

/* Sums of the moments of impulses on body i about its centre at their times, of all contacts or times -s. */
static thud_vec3 moments_on(const verify_body_step *step, size_t i, bool timed) {
  const verify_body_row *row = step->row;
  thud_vec3 sum = {0};
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    if (c->a != i && c->b != i) continue;
    double s = c->ahead, factor = (c->a == i ? 1 : -1) * (timed ? -s : 1);
    thud_vec3 x = thud_vec3_add_scaled(step->middle[i].x, s, s < 0 ? row->v_left[i] : step->v_fly[i]);
    thud_vec3 moment = thud_vec3_cross(thud_vec3_subtract(c->point, x), c->impulse);
    sum = thud_vec3_add_scaled(sum, factor, thud_vec3_add(moment, c->moment));
  }
  return sum;
}

static thud_vec3 turn_by(const verify_rigid *body, thud_quat q, thud_vec3 moment) {
  thud_mat3 R = thud_quat_to_matrix(q);
  return thud_mat3_apply(R, thud_mat3_apply(body->inverse, thud_mat3_apply_transposed(R, moment)));
}

/* The angular part: the inertia is that of the midpoint, which is looked for. */
static void untwist(verify_body_step *step, size_t i) {
  enum { MOST = 1000 };
  const verify_rigid *body = &step->bodies->body[i];
  verify_body_state *middle = &step->middle[i];
  thud_quat end = middle->q;
  if (!step->moves[i]) return;
  if (step->implicit[i].soft) {
    middle->q = thud_quat_integrate(end, step->twist[i], -1);
    return;
  }
  step->twist[i] = (thud_vec3){0};
  thud_vec3 timed = moments_on(step, i, true), all = moments_on(step, i, false);
  for (int k = 0; k < MOST && !is_zero(timed); k++) {
    thud_vec3 twist = turn_by(body, middle->q, timed);
    if (thud_vec3_distance(twist, step->twist[i]) == 0) break;
    step->twist[i] = twist;
    middle->q = thud_quat_integrate(end, twist, -1);
  }
  step->w_fly[i] = thud_vec3_subtract(middle->w, turn_by(body, middle->q, all));
}

/* Velocity of a body at a contact, along its normal. */
static double normal_speed(const verify_body_step *step, const verify_body_contact *c, size_t i, thud_vec3 v,
                           thud_vec3 w) {
  thud_vec3 lever = thud_vec3_subtract(c->point, thud_verify_centre_at(step, i, c->ahead));
  return thud_vec3_dot(c->normal, thud_vec3_add(v, thud_vec3_cross(w, lever)));
}

double thud_verify_time_part(const verify_body_step *step, const verify_body_contact *c) {
  double part = c->ahead / step->row->step;
  if (part == 0 || (!step->implicit[c->a].soft && !step->implicit[c->b].soft)) return part;
  double left = normal_speed(step, c, c->a, step->middle[c->a].v, step->middle[c->a].w) -
                normal_speed(step, c, c->b, step->middle[c->b].v, step->middle[c->b].w);
  double free = normal_speed(step, c, c->a, step->v_free[c->a], step->w_free[c->a]) -
                normal_speed(step, c, c->b, step->v_free[c->b], step->w_free[c->b]);
  return left != 0 ? part * fmax(1 - 2 * fabs(free - left) / fabs(left), 0) : 0;
}

static size_t root_of(const verify_body_step *step, size_t i) {
  while (step->implicit[i].root != i) i = step->implicit[i].root;
  return i;
}

/* Sums of s |r| and |r| over the contacts of bodies that stiff springs connect, in the first of them. */
static void weigh_times(verify_body_step *step) {
  for (size_t i = 0; i < step->bodies->count; i++) {
    step->implicit[i].root = i;
    step->implicit[i].time = step->implicit[i].even = step->implicit[i].weight = 0;
  }
  for (size_t r = 0; r < step->link_count; r++) {
    if (step->link[r].a == SIZE_MAX || step->link[r].b == SIZE_MAX) continue;
    size_t a = root_of(step, step->link[r].a), b = root_of(step, step->link[r].b);
    step->implicit[a > b ? a : b].root = a > b ? b : a;
  }
  for (size_t k = 0; k < step->bodies->joint_count; k++) {
    const verify_joint *joint = &step->bodies->joint[k];
    if (!verify_joint_holds(step->bodies, joint) || joint->b == SIZE_MAX || verify_is_loose(joint)) continue;
    if (!step->moves[joint->a] || !step->moves[joint->b]) continue;
    size_t a = root_of(step, joint->a), b = root_of(step, joint->b);
    step->implicit[a > b ? a : b].root = a > b ? b : a;
  }
  for (size_t k = 0; k < step->row->contact_count; k++) {
    const verify_body_contact *c = &step->row->contact[k];
    verify_implicit *both[2] = {&step->implicit[root_of(step, c->a)], &step->implicit[root_of(step, c->b)]};
    double even = c->ahead < 0 ? thud_verify_time_part(step, c) * step->row->step : c->ahead;
    for (int side = 0; side < 2; side++) {
      both[side]->even += even * thud_vec3_norm(c->impulse);
      both[side]->time += c->ahead * thud_vec3_norm(c->impulse);
      both[side]->weight += thud_vec3_norm(c->impulse);
    }
  }
}

/* Moves of soft bodies from the free velocities of the last midpoint; true: they are others than before. */
static bool find_soft_shifts(verify_body_step *step, bool first) {
  bool moved = false, timed = false;
  for (size_t k = 0; k < step->row->contact_count; k++) timed = timed || step->row->contact[k].ahead != 0;
  if (timed) weigh_times(step);
  for (size_t i = 0; timed && i < step->bodies->count; i++) {
    if (!step->moves[i] || !step->implicit[i].soft) continue;
    const verify_implicit *all = &step->implicit[root_of(step, i)];
    double s = all->weight > 0 ? all->time / all->weight : 0, even = all->weight > 0 ? all->even / all->weight : 0;
    thud_vec3 v = step->middle[i].v, w = step->middle[i].w;
    thud_vec3 shift = thud_vec3_scale(-s, thud_vec3_subtract(step->after[i].v, v));
    thud_vec3 twist = thud_vec3_scale(-s, thud_vec3_subtract(step->after[i].w, w));
    shift = thud_vec3_add_scaled(shift, even, thud_vec3_subtract(step->v_free[i], v));
    twist = thud_vec3_add_scaled(twist, even, thud_vec3_subtract(step->w_free[i], w));
    if (first) shift = twist = (thud_vec3){0};
    double size = thud_vec3_norm(step->middle[i].x) + thud_vec3_norm(shift);
    moved = moved || thud_vec3_distance(shift, step->shift[i]) > SETTLED * size ||
            thud_vec3_distance(twist, step->twist[i]) > SETTLED;
    step->shift[i] = shift;
    step->twist[i] = twist;
    step->v_fly[i] = step->v_free[i];
    step->w_fly[i] = step->w_free[i];
    moved = moved || (first && s != 0);
  }
  return moved;
}

static void rebuild_body(verify_body_step *step, size_t i) {
  const verify_body_row *row = step->row;
  const verify_rigid *body = &step->bodies->body[i];
  verify_body_state *before = &step->before[i], *middle = &step->middle[i], *after = &step->after[i];
  double h = row->step;
  step->blur[i] = is_zero(row->turn[i]) ? 0 : TURN_BLUR;
  if (body->role == VERIFY_KINEMATIC) {
    if (is_told(body)) {
      take_told_path(step, i);
    } else {
      *before = thud_verify_body_path_at(step->bodies, body, row->t - h);
      *middle = thud_verify_body_path_at(step->bodies, body, row->t - 0.5 * h);
      step->arrived[i] = thud_verify_body_path_at(step->bodies, body, row->t);
    }
    *after = *middle;
    verify_body_state end = step->arrived[i];
    middle->v = before->v; /* before and after the impulses as at the nodes before and after */
    middle->w = before->w;
    after->v = step->v_fly[i] = end.v;
    after->w = step->w_fly[i] = end.w;
    return;
  }
  *middle = row->end[i];
  if (step->moves[i]) {
    move(middle, row->lift[i], row->turn[i], -1);
    middle->w =
        thud_quat_rotate_inverse(thud_quat_from_rotation_vector(row->turn[i]), middle->w); /* which turned, too */
    move(middle, middle->v, middle->w, -0.5 * h);
  }
  middle->x = thud_vec3_subtract(middle->x, step->shift[i]);
  untwist(step, i);
  *after = *middle;
  middle->v = row->v_left[i];
  middle->w = row->w_left[i];
  *before = *middle;
  if (step->moves[i]) move(before, middle->v, middle->w, -0.5 * h);
}

void thud_verify_place_parts(const verify_bodies *bodies, const verify_body_state *state, verify_place *place) {
  for (size_t p = 0; p < bodies->part_count; p++) {
    const verify_part *part = &bodies->part[p];
    const verify_body_state *body = &state[part->body];
    thud_mat3 R = thud_quat_to_matrix(body->q);
    place[p].x0 = thud_vec3_add(body->x, thud_mat3_apply(R, part->place.x0));
    place[p].R = thud_mat3_multiply(R, part->place.R);
  }
}

void thud_verify_body_take_back(const verify_bodies *bodies, const verify_body_row *row, verify_body_state *state) {
  for (size_t i = 0; i < bodies->count; i++) {
    state[i] = row->end[i];
    move(&state[i], row->lift[i], row->turn[i], -1);
  }
}

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

/* Where a spring holds. */
static thud_vec3 hold_at(const verify_body_state *state, size_t body, thud_vec3 at) {
  return body == SIZE_MAX ? at : thud_vec3_add(state[body].x, thud_quat_rotate(state[body].q, at));
}

/* A force that a program applied, at its point of the body as it is turned at the midpoint. */
static void add_applied(verify_body_step *step, const verify_applied *applied) {
  size_t i = applied->body;
  thud_vec3 lever = thud_quat_rotate(step->middle[i].q, applied->lever);
  if (!step->moves[i]) return;
  step->applied[i] = thud_vec3_add(step->applied[i], applied->force);
  step->applied_torque[i] = thud_vec3_add(step->applied_torque[i], applied->torque);
  step->applied_torque[i] = thud_vec3_add(step->applied_torque[i], thud_vec3_cross(lever, applied->force));
  step->size[2 * i] += thud_vec3_norm(applied->force);
  step->size[2 * i + 1] += thud_vec3_norm(applied->torque) + thud_vec3_norm(lever) * thud_vec3_norm(applied->force);
}

/* ---- velocities without impulses ------------------------------------------------------------------------------------- */

/* w_free from I (w_free - w) + h m x I m = impulse, m = (w + w_free)/2, in the body's frame. The recorded spin is asked
 * by the momentum; here it serves the size of the free relative velocities, and a fixed point iteration is enough. */
thud_vec3 thud_verify_free_spin(const verify_rigid *body, thud_vec3 w, thud_vec3 impulse, double h, bool gyroscopic) {
  thud_vec3 next = thud_vec3_add(w, thud_mat3_apply(body->inverse, impulse));
  for (int k = 0; gyroscopic && k < 60; k++) {
    thud_vec3 m = thud_vec3_scale(0.5, thud_vec3_add(w, next));
    thud_vec3 turned = thud_vec3_cross(m, thud_mat3_apply(body->inertia, m));
    thud_vec3 found = thud_vec3_add(w, thud_mat3_apply(body->inverse, thud_vec3_add_scaled(impulse, -h, turned)));
    if (thud_vec3_distance(found, next) == 0) break;
    next = found;
  }
  return next;
}

static void fall(verify_body_step *step, size_t i) {
  const verify_rigid *body = &step->bodies->body[i];
  const verify_body_state *middle = &step->middle[i];
  double h = step->row->step;
  const verify_body_state *given = body->role == VERIFY_KINEMATIC ? &step->after[i] : middle;
  step->v_free[i] = given->v;
  step->w_free[i] = given->w;
  step->inverse[i] = (thud_mat3){0};
  if (!step->moves[i]) return;
  thud_mat3 R = thud_quat_to_matrix(middle->q);
  thud_vec3 force = thud_vec3_add(step->elastic[i], step->applied[i]);
  thud_vec3 stiff = step->implicit[i].stiff;
  thud_vec3 torque = thud_vec3_add(step->elastic_torque[i], step->applied_torque[i]);
  torque = thud_vec3_subtract(torque, stiff);
  step->v_free[i] = thud_vec3_add_scaled(middle->v, h * body->gravity_scale, step->bodies->gravity);
  step->v_free[i] = thud_vec3_add_scaled(step->v_free[i], h / body->mass, force);
  bool gyroscopic = step->bodies->options.gyroscopic && !step->bodies->planar;
  thud_vec3 w = thud_mat3_apply_transposed(R, middle->w), impulse = thud_mat3_apply_transposed(R, torque);
  step->w_free[i] = thud_mat3_apply(R, thud_verify_free_spin(body, w, thud_vec3_scale(h, impulse), h, gyroscopic));
  step->inverse[i] = thud_mat3_multiply(R, thud_mat3_multiply(body->inverse, thud_mat3_transpose(R)));
  step->w_free[i] = thud_vec3_add_scaled(step->w_free[i], h, thud_mat3_apply(step->inverse[i], stiff));
}

static void rebuild_middle(verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  for (size_t i = 0; i < bodies->count; i++) {
    rebuild_body(step, i);
    step->elastic[i] = step->elastic_torque[i] = step->applied[i] = step->applied_torque[i] = (thud_vec3){0};
    step->size[2 * i] = step->size[2 * i + 1] = 0;
  }
  thud_verify_implicit_springs(step);
  for (size_t i = 0; i < bodies->count; i++)
    if (step->moves[i]) thud_verify_implicit_push(step, i);
  for (size_t k = 0; k < bodies->applied_count; k++) add_applied(step, &bodies->applied[k]);
  for (size_t i = 0; i < bodies->count; i++) fall(step, i);
  thud_verify_implicit_fall(step);
}

void thud_verify_body_step_rebuild(const verify_body_row *row, verify_body_step *step) {
  enum { MOST = 200 };
  step->row = row;
  find_sleepers(step);
  find_shifts(step);
  for (size_t i = 0; i < step->bodies->count; i++) step->implicit[i].soft = false;
  rebuild_middle(step);
  for (int k = 0; k < MOST && find_soft_shifts(step, k == 0); k++) rebuild_middle(step);
  thud_verify_place_parts(step->bodies, step->middle, step->place);
}

/* ---- bodies that carry others -------------------------------------------------------------------------------------------- */

/* (1 - cos x)/x^2 and (x - sin x)/x^3, by their series where the differences cancel. */
static void screw_factors(double x, double *second, double *third) {
  double y = x * x;
  *second =
      0.5 * (x > 0.2 ? 4 * sin(0.5 * x) * sin(0.5 * x) / y : 1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90))));
  *third = x > 0.2 ? (x - sin(x)) / (x * y) : (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110)))) / 6;
}

/* By how much per time the point x goes on within h, when the body keeps the velocity field of `body`: the integral of
 * exp(s W) F over 0 <= s <= h, divided by h, F the field at x. */
static thud_vec3 carried_on(const verify_body_state *body, thud_vec3 x, double h) {
  thud_vec3 F = verify_velocity_at(body, x), once = thud_vec3_cross(body->w, F), twice = thud_vec3_cross(body->w, once);
  double second, third;
  screw_factors(h * thud_vec3_norm(body->w), &second, &third);
  return thud_vec3_add_scaled(thud_vec3_add_scaled(F, h * second, once), h * h * third, twice);
}

/* log(exp(h q) exp(h p))/h; of the vectors of that rotation the one nearest to p + q. */
static thud_vec3 turned_on(thud_vec3 p, thud_vec3 q, double h) {
  const double whole = 2 * acos(-1.0);
  thud_quat first = thud_quat_integrate(thud_quat_identity(), p, h);
  thud_vec3 r = thud_quat_to_rotation_vector(thud_quat_integrate(first, q, h)), sum = thud_vec3_add(p, q);
  double size = thud_vec3_norm(r);
  if (size > 0) {
    double turns = round((h * thud_vec3_dot(sum, r) / size - size) / whole);
    r = thud_vec3_scale(1 + whole * turns / size, r);
  }
  return thud_vec3_scale(1 / h, r);
}

static thud_vec3 rotate_by(thud_vec3 w, double h, thud_vec3 v) {
  return thud_mat3_apply(thud_quat_to_matrix(thud_quat_integrate(thud_quat_identity(), w, h)), v);
}

/* The velocities v_left hold from the midpoint before to this one, those after the impulses from there to the next. A body on
 * a path goes on meanwhile as it moves at the nodes in the middle of these times. */
verify_drive thud_verify_body_drive(const verify_body_step *step, const verify_body_contact *contact) {
  const verify_body_state *a = &step->middle[contact->a], *from = &step->before[contact->b];
  const verify_body_state *to = &step->arrived[contact->b];
  double h = step->row->step;
  verify_drive drive = {.before = step->middle[contact->b], .after = step->after[contact->b], .seen = *a};
  drive.carries = contact->ahead == 0 && step->bodies->body[contact->b].role == VERIFY_KINEMATIC &&
                  !(is_zero(from->w) && is_zero(to->w)) && h > 0;
  if (!drive.carries) return drive;
  drive.seen.v = thud_vec3_subtract(rotate_by(from->w, h, a->v), carried_on(from, a->x, h));
  drive.seen.w = turned_on(thud_vec3_negate(from->w), a->w, h);
  drive.before = drive.after = *a;
  drive.before.v = thud_vec3_subtract(a->v, drive.seen.v);
  drive.before.w = thud_vec3_subtract(a->w, drive.seen.w);
  thud_vec3 next = thud_vec3_add(carried_on(to, a->x, h), rotate_by(to->w, h, drive.seen.v));
  drive.after.v = thud_vec3_subtract(next, drive.seen.v);
  drive.after.w = thud_vec3_subtract(turned_on(drive.seen.w, to->w, h), drive.seen.w);
  return drive;
}

/* ---- energies --------------------------------------------------------------------------------------------------------- */

double thud_verify_bodies_kinetic(const verify_bodies *bodies, const verify_body_state *state) {
  double sum = 0;
  for (size_t i = 0; i < bodies->count; i++) {
    const verify_rigid *body = &bodies->body[i];
    if (body->role != VERIFY_DYNAMIC || body->absent) continue;
    thud_vec3 w = thud_quat_rotate_inverse(state[i].q, state[i].w);
    sum += 0.5 * body->mass * thud_vec3_dot(state[i].v, state[i].v);
    sum += 0.5 * thud_vec3_dot(w, thud_mat3_apply(body->inertia, w));
  }
  return sum;
}

double thud_verify_bodies_potential(const verify_bodies *bodies, const verify_body_state *state, double *size) {
  double sum = 0;
  *size = 0;
  for (size_t i = 0; i < bodies->count; i++) {
    const verify_rigid *body = &bodies->body[i];
    double here = body->mass * body->gravity_scale * thud_vec3_dot(bodies->gravity, state[i].x);
    if (body->role != VERIFY_DYNAMIC || body->absent) continue;
    sum -= here;
    *size += fabs(here);
  }
  for (size_t k = 0; k < bodies->spring_count; k++) {
    const verify_spring *spring = &bodies->spring[k];
    if (!verify_spring_holds(bodies, spring)) continue;
    thud_vec3 a = hold_at(state, spring->a, spring->at_a), b = hold_at(state, spring->b, spring->at_b);
    double stretch = thud_vec3_distance(a, b) - spring->length, place = thud_vec3_norm(a);
    sum += 0.5 * spring->stiffness * stretch * stretch;
    *size += spring->stiffness * (fabs(stretch) + spring->length + place) * (fabs(stretch) + spring->length + place);
  }
  sum += thud_verify_joint_energy(bodies, state, size);
  return sum;
}

/* ---- balances of linear and angular momentum of every body over the step, and bodies that forces do not move ----- */

/* Balances of linear and angular momentum of every body over the step, and bodies that forces do not move.
 *   m (v+ - v) = h (m g + f) + sum of impulses
 *   I (w+ - dw - w) + h m x I m = h torque,  m = (w + w+ - dw)/2, in the body's frame,  dw = I^-1 sum of moments
 * Bodies asleep are kept at rest by impulses that balance their forces up to the tolerance of the law: without them none of
 * their points would get more than step->held. */

/* Impulses on one body, and the sizes of their terms. */
typedef struct impulses {
  thud_vec3 force, moment;
  double force_size, moment_size;
} impulses;

static void gather(impulses *sum, const verify_body_contact *contact, thud_vec3 centre, double sign) {
  thud_vec3 lever = thud_vec3_subtract(contact->point, centre);
  double size = thud_vec3_norm(contact->impulse), far = thud_vec3_norm(contact->point) + thud_vec3_norm(centre);
  sum->force = thud_vec3_add_scaled(sum->force, sign, contact->impulse);
  sum->moment = thud_vec3_add_scaled(sum->moment, sign, thud_vec3_cross(lever, contact->impulse));
  sum->moment = thud_vec3_add_scaled(sum->moment, sign, contact->moment);
  sum->force_size += size;
  sum->moment_size += size * far + thud_vec3_norm(contact->moment);
}

static void gather_joint(const verify_body_step *step, size_t k, int side, impulses *sums) {
  const verify_joint *joint = &step->bodies->joint[k];
  size_t i = side == 0 ? joint->a : joint->b;
  impulses *sum = &sums[i];
  thud_vec3 force, moment;
  thud_verify_joint_impulse(step, k, side, false, &force, &moment);
  sum->force = thud_vec3_add(sum->force, force);
  sum->moment = thud_vec3_add(sum->moment, moment);
  sum->force_size += thud_vec3_norm(force);
  double far = joint->b != SIZE_MAX ? thud_vec3_norm(step->middle[joint->b].x) : 0;
  far += thud_vec3_norm(step->middle[i].x) + thud_vec3_norm(joint->at_b);
  double lever = thud_verify_joint_lever(joint, step->middle); /* rows of joints hold both, and round both */
  sum->moment_size += thud_vec3_norm(force) * (far + lever) + thud_vec3_norm(moment);
  if (lever > 0) sum->force_size += thud_vec3_norm(moment) / lever;
  double size;
  thud_verify_law_impulse(step, k, side, &force, &moment, &size);
  sum->force = thud_vec3_add(sum->force, force);
  sum->moment = thud_vec3_add(sum->moment, moment);
  sum->force_size += size;
  sum->moment_size += size * (1 + far);
}

static void check_linear(const verify_body_step *step, size_t i, const impulses *sum, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_rigid *body = &bodies->body[i];
  const verify_body_row *row = step->row;
  double h = row->step;
  thud_vec3 v = row->end[i].v, left = row->v_left[i];
  thud_vec3 smooth = thud_vec3_add(step->elastic[i], step->applied[i]);
  smooth = thud_vec3_add_scaled(smooth, body->mass * body->gravity_scale, bodies->gravity);
  thud_vec3 error = thud_vec3_scale(body->mass, thud_vec3_subtract(v, left));
  error = thud_vec3_subtract(thud_vec3_add_scaled(error, -h, smooth), sum->force);
  double size =
      body->mass * (thud_vec3_norm(v) + thud_vec3_norm(left)) + h * (step->size[2 * i] + thud_vec3_norm(smooth));
  size += sum->force_size;
  double tolerance = (VERIFY_SUMS + step->blur[i]) * size + body->mass * step->held[i];
  if (thud_verify_tally(check, thud_vec3_norm(error), tolerance, 0, row->t, row->number))
    thud_verify_explain(check, "linear, of '%s'", body->name);
}

static void check_angular(const verify_body_step *step, size_t i, const impulses *sum, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_rigid *body = &bodies->body[i];
  const verify_body_row *row = step->row;
  double h = row->step;
  thud_mat3 R = thud_quat_to_matrix(step->middle[i].q);
  thud_vec3 w = thud_mat3_apply_transposed(R, row->w_left[i]), end = thud_mat3_apply_transposed(R, step->after[i].w);
  thud_vec3 kick = thud_mat3_apply(body->inverse, thud_mat3_apply_transposed(R, sum->moment));
  thud_vec3 free = thud_vec3_subtract(end, kick), m = thud_vec3_scale(0.5, thud_vec3_add(w, free));
  thud_vec3 torque = thud_vec3_add(step->elastic_torque[i], step->applied_torque[i]);
  thud_vec3 turned = thud_vec3_cross(m, thud_mat3_apply(body->inertia, m));
  bool gyroscopic = bodies->options.gyroscopic && !bodies->planar;
  thud_vec3 error = thud_mat3_apply(body->inertia, thud_vec3_subtract(free, w));
  error = thud_vec3_add_scaled(error, -h, thud_mat3_apply_transposed(R, torque));
  if (gyroscopic) error = thud_vec3_add_scaled(error, h, turned);
  double inertia = thud_mat3_trace(body->inertia);
  double size = inertia * (thud_vec3_norm(w) + thud_vec3_norm(end)) + sum->moment_size +
                h * (step->size[2 * i + 1] + thud_vec3_norm(torque)) + h * inertia * thud_vec3_dot(m, m);
  double tolerance = (VERIFY_SUMS + step->blur[i]) * size;
  if (step->held[i] > 0) tolerance += inertia * step->held[i] / thud_verify_body_radius(bodies, i);
  if (thud_verify_tally(check, thud_vec3_norm(error), tolerance, 0, row->t, row->number))
    thud_verify_explain(check, "angular, of '%s'", body->name);
}

/* Where forces answer to the step, both at once. */
static void check_soft(const verify_body_step *step, size_t i, const impulses *sum, thud_verify_check *check) {
  const verify_rigid *body = &step->bodies->body[i];
  const verify_body_row *row = step->row;
  const verify_body_state *left = &step->middle[i], *end = &step->after[i];
  thud_vec3 error[2];
  double h = row->step, size[2], lack[2], inertia = thud_mat3_trace(body->inertia);
  thud_verify_implicit_error(step, i, sum->force, sum->moment, size, &error[0], &error[1]);
  double w = thud_vec3_norm(left->w) + thud_vec3_norm(end->w);
  size[0] += body->mass * (thud_vec3_norm(left->v) + thud_vec3_norm(end->v)) + h * step->size[2 * i] + sum->force_size;
  size[0] += h * body->mass * fabs(body->gravity_scale) * thud_vec3_norm(step->bodies->gravity);
  size[1] += inertia * w * (1 + h * w) + h * step->size[2 * i + 1] + sum->moment_size;
  thud_verify_implicit_rest(step, i, lack);
  for (int k = 0; k < (inertia > 0 ? 2 : 1); k++)
    if (thud_verify_tally(check, thud_vec3_norm(error[k]), (VERIFY_SUMS + step->blur[i]) * size[k] + lack[k], 0, row->t,
                          row->number))
      thud_verify_explain(check, "%s, of '%s'", k == 0 ? "linear" : "angular", body->name);
}

thud_error thud_verify_body_momentum(thud_context *context, const verify_body_step *step, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  impulses *sums = THUD_NEW_ARRAY(context, impulses, bodies->count);
  if (sums == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *contact = &row->contact[k];
    gather(&sums[contact->a], contact, thud_verify_centre_at(step, contact->a, contact->ahead), 1);
    gather(&sums[contact->b], contact, thud_verify_centre_at(step, contact->b, contact->ahead), -1);
  }
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (!verify_joint_holds(bodies, joint)) continue;
    for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) gather_joint(step, k, side, sums);
  }
  for (size_t i = 0; i < bodies->count; i++) {
    if (!step->moves[i]) continue;
    if (step->implicit[i].soft) {
      check_soft(step, i, &sums[i], check);
      continue;
    }
    check_linear(step, i, &sums[i], check);
    if (thud_mat3_trace(bodies->body[i].inertia) > 0) check_angular(step, i, &sums[i], check);
  }
  thud_free(context, sums);
  return THUD_OK;
}

/* ---- bodies that forces do not move ----------------------------------------------------------------------------------- */

static double turn_between(thud_quat p, thud_quat q) {
  return thud_vec3_norm(thud_quat_to_rotation_vector(thud_quat_multiply(p, thud_quat_conjugate(q))));
}

/* Times are rounded against their distance from 0: `steps` halves of a step make it up. */
static void check_path(const verify_body_state *end, const verify_body_state *there, const verify_body_state *before,
                       double steps, const verify_body_row *row, const char *name, thud_verify_check *check) {
  const struct {
    double error, size;
    const char *what;
  } parts[4] = {{thud_vec3_distance(end->x, there->x),
                 thud_vec3_norm(there->x) + steps * thud_vec3_distance(there->x, before->x), "position"},
                {turn_between(end->q, there->q), 1 + steps * turn_between(there->q, before->q), "rotation"},
                {thud_vec3_distance(end->v, there->v),
                 thud_vec3_norm(there->v) + steps * thud_vec3_distance(there->v, before->v), "velocity"},
                {thud_vec3_distance(end->w, there->w),
                 thud_vec3_norm(there->w) + steps * thud_vec3_distance(there->w, before->w), "spin"}};
  for (int k = 0; k < 4; k++)
    if (thud_verify_tally(check, parts[k].error, VERIFY_SUMS * parts[k].size, 0, row->t, row->number))
      thud_verify_explain(check, "%s of '%s'", parts[k].what, name);
}

/* The path at the node before, whose time t - h is known to rounding: where the velocity jumps there, as that of min(t, 1) does at
 * t = 1, the side of it that the row has. */
static verify_body_state path_before(const verify_bodies *bodies, const verify_body_row *row, size_t i) {
  double t = row->t - row->step, rounding = 4 * DBL_EPSILON * (fabs(row->t) + row->step);
  verify_body_state nearest = thud_verify_body_path_at(bodies, &bodies->body[i], t);
  for (int side = -1; side <= 1; side += 2) {
    verify_body_state node = thud_verify_body_path_at(bodies, &bodies->body[i], t + side * rounding);
    if (thud_vec3_distance(node.v, row->v_left[i]) < thud_vec3_distance(nearest.v, row->v_left[i])) nearest.v = node.v;
    if (thud_vec3_distance(node.w, row->w_left[i]) < thud_vec3_distance(nearest.w, row->w_left[i])) nearest.w = node.w;
  }
  return nearest;
}

/* Before the step a body on a path had the velocity of the node before. */
static void check_left(const verify_bodies *bodies, const verify_body_row *row, size_t i, const verify_body_state *half,
                       double steps, thud_verify_check *check) {
  verify_body_state node = path_before(bodies, row, i), left = node;
  left.v = row->v_left[i];
  left.w = row->w_left[i];
  check_path(&left, &node, half, steps, row, bodies->body[i].name, check);
}

void thud_verify_body_paths(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check) {
  double half = 0.5 * row->step, steps = half > 0 ? 1 + fabs(row->t) / half : 1;
  for (size_t i = 0; i < bodies->count; i++) {
    const verify_rigid *body = &bodies->body[i];
    if (body->role == VERIFY_DYNAMIC || is_told(body)) continue;
    verify_body_state there = thud_verify_body_path_at(bodies, body, row->t);
    verify_body_state before = thud_verify_body_path_at(bodies, body, row->t - half);
    check_path(&row->end[i], &there, &before, steps, row, body->name, check);
    if (row->whole) check_left(bodies, row, i, &before, steps, check);
  }
}

/* ---- from row to row ---------------------------------------------------------------------------------------------------- */

static void drift_of(const verify_body_step *step, const verify_body_row *before, size_t i, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  const verify_body_state *from = &before->end[i], *to = &step->before[i];
  double h = row->step, blur = VERIFY_SUMS + step->blur[i];
  static const double none[2] = {0, 0};
  const double *kick = step->kick != NULL ? step->kick + 2 * i : none;
  double way = h * (thud_vec3_norm(row->end[i].v) + thud_vec3_norm(to->v)) + thud_vec3_norm(step->shift[i]);
  const struct {
    double error, tolerance;
    const char *what;
  } parts[4] = {
      {thud_vec3_distance(from->x, to->x),
       VERIFY_SUMS * (thud_vec3_norm(from->x) + thud_vec3_norm(row->lift[i]) + way + step->bodies->extent), "position"},
      {turn_between(from->q, to->q), blur * (1 + h * thud_vec3_norm(to->w)), "rotation"},
      {before->asleep[i] ? thud_vec3_norm(to->v) : thud_vec3_distance(from->v, to->v), VERIFY_SUMS * kick[0],
       "velocity"},
      {before->asleep[i] ? thud_vec3_norm(to->w) : thud_vec3_distance(from->w, to->w), VERIFY_SUMS * kick[1], "spin"}};
  for (int k = 0; k < 4; k++)
    if (thud_verify_tally(check, parts[k].error, parts[k].tolerance, 0, row->t, row->number))
      thud_verify_explain(check, "%s of '%s'", parts[k].what, step->bodies->body[i].name);
}

/* A body that falls asleep is slow, and stops with the next step. */
static void check_slow(const verify_body_step *step, const verify_body_row *before, size_t i,
                       thud_verify_check *check) {
  const verify_body_state *from = &before->end[i];
  double speed = thud_vec3_norm(from->v) + thud_verify_body_radius(step->bodies, i) * thud_vec3_norm(from->w);
  double limit = step->bodies->options.sleep_speed;
  if (thud_verify_tally(check, speed, limit * (1 + VERIFY_SUMS), 0, before->t, before->number))
    thud_verify_explain(check, "speed of '%s', which falls asleep", step->bodies->body[i].name);
}

void thud_verify_body_drift(const verify_body_step *step, const verify_body_row *before, thud_verify_check *check) {
  for (size_t i = 0; i < step->bodies->count; i++)
    if (step->bodies->body[i].role == VERIFY_DYNAMIC || is_told(&step->bodies->body[i])) {
      drift_of(step, before, i, check);
      if (before->asleep[i]) check_slow(step, before, i, check);
    }
}
