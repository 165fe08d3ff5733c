/* Balances of linear and angular momentum of every body over the step, and bodies that forces do not move.
 *   m (v+ - v) = h (m g + f) + sum of impulses
 *   I (w+ - dw - w) + h m x I m = h torque,  m = (w + w+ - dw)/2, in the body's frame,  dw = I^-1 sum of moments
 * Bodies asleep are kept at rest by impulses that balance their forces up to the tolerance of the law: without them none of
 * their points would get more than step->held. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>

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
    if (body->role == VERIFY_DYNAMIC) continue;
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
      {thud_vec3_distance(from->x, to->x), VERIFY_SUMS * (thud_vec3_norm(from->x) + thud_vec3_norm(row->lift[i]) + way),
       "position"},
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
    if (step->bodies->body[i].role == VERIFY_DYNAMIC) {
      drift_of(step, before, i, check);
      if (before->asleep[i]) check_slow(step, before, i, check);
    }
}
