/* How many conditions of joints depend on others in a step: those that a solver may leave out. By Gram's and Schmidt's orthogonalisation,
 * with the distances of conditions from the span of those before them.
 *
 * Two positions count. At the node, where joints are closed, distances are exact; a condition nearer than NEAR there may be left out in
 * the step that follows. At the midpoint joints are open, and conditions are turned by as much: those nearer than AGAINST times that say
 * nothing (docs/joints.md). Both limits are wider than any that a solver needs, since another metric and order of the same rows
 * give other distances; how much a condition that was left out may be violated is limited beside (verify_bodies_joints.c). */
#include "verify/bodies/verify_bodies_joints.h"

#include <math.h>
#include <string.h>

enum { MOST = VERIFY_JOINT_MOST, MOST_ROWS = 3000 };

static const double NEAR = 1e-4, AGAINST = 30, MOST_AGAINST = 3e-3;
/* Conditions nearer than this are not closed along what they add. */
static const double FLAT = 1e-5;

/* The row as a vector over all bodies, in units in which masses are 1. */
void thud_verify_joint_spread(const verify_bodies *bodies, const verify_joint *joint, const verify_joint_condition *c,
                              const verify_body_state *state, double *x) {
  size_t ends[2] = {joint->a, joint->b};
  memset(x, 0, 6 * bodies->count * sizeof *x);
  for (int side = 0; side < 2; side++) {
    if (ends[side] == SIZE_MAX || bodies->body[ends[side]].role != VERIFY_DYNAMIC) continue;
    const verify_rigid *body = &bodies->body[ends[side]];
    const double *rate = c->rate + 6 * (size_t)side;
    thud_vec3 turn = thud_quat_rotate_inverse(state[ends[side]].q, thud_vec3_load(rate + 3));
    double *to = x + 6 * ends[side], L[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) to[i] = rate[i] / sqrt(body->mass);
    /* any square root of the inverse inertia serves: that of its principal part is enough, and exact for diagonal ones */
    L[0] = sqrt(fmax(body->inverse.cx.x, 0)), L[1] = sqrt(fmax(body->inverse.cy.y, 0)),
    L[2] = sqrt(fmax(body->inverse.cz.z, 0));
    to[3] = L[0] * turn.x, to[4] = L[1] * turn.y, to[5] = L[2] * turn.z;
  }
}

static void take_out(size_t n, const double *q, double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += q[i] * x[i];
  for (size_t i = 0; i < n && sum != 0; i++) x[i] -= sum * q[i];
}

/* Rows nearer than `near` to those before them; *least: the distance of the nearest other one. Q: [rows*n] scratch. */
static size_t count_near(const verify_bodies *bodies, const verify_body_state *state, double near, double *Q,
                         double *least) {
  size_t n = 6 * bodies->count, rows = 0, kept = 0;
  *least = 1;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    verify_joint_condition c[MOST];
    if (!verify_joint_holds(bodies, joint)) continue;
    verify_joint_placed p = thud_verify_joint_place(joint, state);
    size_t count = thud_verify_joint_conditions(joint, bodies->planar, &p, c);
    for (size_t r = 0; r < count; r++, rows++) {
      double *x = Q + kept * n, size = 0, left = 0;
      thud_verify_joint_spread(bodies, joint, &c[r], state, x);
      for (size_t i = 0; i < n; i++) size += x[i] * x[i];
      for (int pass = 0; pass < 2; pass++)
        for (size_t q = 0; q < kept; q++) take_out(n, Q + q * n, x);
      for (size_t i = 0; i < n; i++) left += x[i] * x[i];
      if (!(left > near * near * size)) continue;
      for (size_t i = 0; i < n; i++) x[i] /= sqrt(left);
      *least = fmin(*least, sqrt(left / size));
      kept++;
    }
  }
  return rows - kept;
}

thud_error thud_verify_joint_loose(thud_context *context, const verify_body_step *step, double open, size_t *loose) {
  const verify_bodies *bodies = step->bodies;
  size_t most = bodies->joint_count * MOST;
  *loose = 0;
  if (most > MOST_ROWS) return THUD_OK;
  double *Q = THUD_NEW_ARRAY(context, double, most * 6 * bodies->count);
  if (Q == NULL) return THUD_ERROR_MEMORY;
  double least;
  size_t node = count_near(bodies, step->before, NEAR, Q, &least);
  size_t middle = count_near(bodies, step->middle, fmax(NEAR, fmin(AGAINST * open, MOST_AGAINST)), Q, &least);
  *loose = node > middle ? node : middle;
  thud_free(context, Q);
  return THUD_OK;
}

thud_error thud_verify_joint_steepness(thud_context *context, const verify_bodies *bodies,
                                       const verify_body_state *state, double open, double *steepness) {
  size_t most = bodies->joint_count * MOST;
  double least;
  *steepness = 1;
  if (most == 0 || most > MOST_ROWS) return THUD_OK;
  double *Q = THUD_NEW_ARRAY(context, double, most * 6 * bodies->count);
  if (Q == NULL) return THUD_ERROR_MEMORY;
  count_near(bodies, state, fmax(FLAT, AGAINST * open), Q, &least);
  *steepness = 1 / least;
  thud_free(context, Q);
  return THUD_OK;
}
