/* The step that ended with a row, from what the row holds: with h the length of the step,
 *   q_m = q+ moved back by lift and turn (and v+ turned back), then by h/2 v+;   q = q_m moved back by h/2 v,
 * forces at q_m with v, and the velocities that they alone would give. */
#include "verify/bodies.h"

#include <math.h>

/* Rounding of the pose of a body that was turned when it was moved apart from others, relative. */
static const double TURN_BLUR = 1e-12;

/* ---- life ------------------------------------------------------------------------------------------------------------ */

thud_error thud_verify_body_step_create(thud_context *context, const verify_bodies *bodies, verify_body_step *step) {
  size_t n = bodies->count;
  *step = (verify_body_step){.bodies = bodies};
  step->before = THUD_NEW_ARRAY(context, verify_body_state, n);
  step->middle = THUD_NEW_ARRAY(context, verify_body_state, n);
  step->after = THUD_NEW_ARRAY(context, verify_body_state, n);
  step->arrived = THUD_NEW_ARRAY(context, verify_body_state, n);
  thud_vec3 **vectors[] = {&step->v_free,         &step->w_free,  &step->elastic,
                           &step->elastic_torque, &step->applied, &step->applied_torque};
  bool made = step->before != NULL && step->middle != NULL && step->after != NULL && step->arrived != NULL;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = THUD_NEW_ARRAY(context, thud_vec3, n);
    made = made && *vectors[k] != NULL;
  }
  step->inverse = THUD_NEW_ARRAY(context, thud_mat3, n);
  step->size = THUD_NEW_ARRAY(context, double, 2 * n);
  step->place = THUD_NEW_ARRAY(context, verify_place, bodies->part_count);
  step->moves = THUD_NEW_ARRAY(context, bool, n);
  step->known = THUD_NEW_ARRAY(context, bool, n);
  step->blur = THUD_NEW_ARRAY(context, double, n);
  step->implicit = THUD_NEW_ARRAY(context, verify_implicit, n);
  step->link = THUD_NEW_ARRAY(context, verify_link, 3 * bodies->spring_count);
  step->scratch = THUD_NEW_ARRAY(context, double, 18 * bodies->spring_count);
  made = made && step->implicit != NULL && step->link != NULL && step->scratch != NULL;
  made = made && step->inverse != NULL && step->size != NULL && step->place != NULL && step->moves != NULL &&
         step->known != NULL && step->blur != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_body_step_free(thud_context *context, verify_body_step *step) {
  void *const arrays[] = {step->before,  step->middle,         step->after,   step->v_free,         step->w_free,
                          step->elastic, step->elastic_torque, step->applied, step->applied_torque, step->inverse,
                          step->size,    step->place,          step->moves,   step->known,          step->blur,
                          step->arrived, step->implicit,       step->link,    step->scratch};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
}

/* ---- poses ----------------------------------------------------------------------------------------------------------- */

verify_body_state thud_verify_body_path_at(const verify_bodies *bodies, const verify_rigid *body, double t) {
  double out[8];
  verify_body_state state = {.x = body->x, .q = body->q};
  if (body->path == NULL) return state;
  thud_expr_work_evaluate(body->path->work, thud_verify_variables(bodies, t), out);
  state.x = thud_vec3_load(out);
  state.v = thud_vec3_load(out + 4);
  state.q = thud_quat_from_rotation_vector(thud_vec3_scale(out[3], body->path->axis));
  state.w = thud_vec3_scale(out[7], body->path->axis);
  return state;
}

/* The pose after moving with this velocity and spin for a time, which may be negative. */
static void move(verify_body_state *state, thud_vec3 v, thud_vec3 w, double time) {
  state->x = thud_vec3_add_scaled(state->x, time, v);
  state->q = thud_quat_integrate(state->q, w, time);
}

static bool is_zero(thud_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/* A body that sleeps at the end may have fallen asleep with this step, which takes its velocity; one that is awake and
 * does not move at all, neither before nor after, slept until the end of it. */
static void find_sleepers(verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  for (size_t i = 0; i < bodies->count; i++) {
    bool still = is_zero(row->v_left[i]) && is_zero(row->w_left[i]);
    bool stays = still && is_zero(row->end[i].v) && is_zero(row->end[i].w);
    bool dynamic = bodies->body[i].role == VERIFY_DYNAMIC;
    step->known[i] = !(dynamic && row->asleep[i] && !still);
    step->moves[i] = dynamic && !row->asleep[i] && !(bodies->options.sleep && stays);
  }
  for (size_t k = 0; k < row->contact_count; k++) {
    size_t a = row->contact[k].a; /* is awake in the step */
    if (row->asleep[a]) step->known[a] = false;
    if (!row->asleep[a]) step->moves[a] = bodies->body[a].role == VERIFY_DYNAMIC;
  }
}

static void rebuild_body(verify_body_step *step, size_t i) {
  const verify_body_row *row = step->row;
  const verify_rigid *body = &step->bodies->body[i];
  verify_body_state *before = &step->before[i], *middle = &step->middle[i], *after = &step->after[i];
  double h = row->step;
  step->blur[i] = is_zero(row->turn[i]) ? 0 : TURN_BLUR;
  if (body->role == VERIFY_KINEMATIC) {
    *before = thud_verify_body_path_at(step->bodies, body, row->t - h);
    *middle = *after = thud_verify_body_path_at(step->bodies, body, row->t - 0.5 * h);
    verify_body_state end = step->arrived[i] = thud_verify_body_path_at(step->bodies, body, row->t);
    middle->v = before->v; /* before and after the impulses as at the nodes before and after */
    middle->w = before->w;
    after->v = end.v;
    after->w = end.w;
    return;
  }
  *middle = row->end[i];
  if (step->moves[i]) {
    move(middle, row->lift[i], row->turn[i], -1);
    middle->w =
        thud_quat_rotate_inverse(thud_quat_from_rotation_vector(row->turn[i]), middle->w); /* which turned, too */
    move(middle, middle->v, middle->w, -0.5 * h);
  }
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

/* ---- velocities without impulses ------------------------------------------------------------------------------------- */

/* w_free from I (w_free - w) + h m x I m = impulse, m = (w + w_free)/2, in the body's frame. The recorded spin is asked
 * by the momentum; here it serves the size of the free relative velocities, and a fixed point iteration is enough. */
static thud_vec3 free_spin(const verify_rigid *body, thud_vec3 w, thud_vec3 impulse, double h, bool gyroscopic) {
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
  step->w_free[i] = thud_mat3_apply(R, free_spin(body, w, thud_vec3_scale(h, impulse), h, gyroscopic));
  step->inverse[i] = thud_mat3_multiply(R, thud_mat3_multiply(body->inverse, thud_mat3_transpose(R)));
  step->w_free[i] = thud_vec3_add_scaled(step->w_free[i], h, thud_mat3_apply(step->inverse[i], stiff));
}

void thud_verify_body_step_rebuild(const verify_body_row *row, verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  step->row = row;
  find_sleepers(step);
  for (size_t i = 0; i < bodies->count; i++) {
    rebuild_body(step, i);
    step->elastic[i] = step->elastic_torque[i] = step->applied[i] = step->applied_torque[i] = (thud_vec3){0};
    step->size[2 * i] = step->size[2 * i + 1] = 0;
  }
  thud_verify_implicit_springs(step);
  for (size_t i = 0; i < bodies->count; i++)
    if (step->moves[i]) thud_verify_implicit_push(step, i);
  for (size_t i = 0; i < bodies->count; i++) fall(step, i);
  thud_verify_implicit_fall(step);
  thud_verify_place_parts(bodies, step->middle, step->place);
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
  drive.carries =
      step->bodies->body[contact->b].role == VERIFY_KINEMATIC && !(is_zero(from->w) && is_zero(to->w)) && h > 0;
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
    if (body->role != VERIFY_DYNAMIC) continue;
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
    if (body->role != VERIFY_DYNAMIC) continue;
    sum -= here;
    *size += fabs(here);
  }
  for (size_t k = 0; k < bodies->spring_count; k++) {
    const verify_spring *spring = &bodies->spring[k];
    thud_vec3 a = hold_at(state, spring->a, spring->at_a), b = hold_at(state, spring->b, spring->at_b);
    double stretch = thud_vec3_distance(a, b) - spring->length, place = thud_vec3_norm(a);
    sum += 0.5 * spring->stiffness * stretch * stretch;
    *size += spring->stiffness * (fabs(stretch) + spring->length + place) * (fabs(stretch) + spring->length + place);
  }
  return sum;
}
