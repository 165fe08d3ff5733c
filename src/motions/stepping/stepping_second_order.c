/* The midpoint scheme of order 2: half-steps of the positions round one velocity problem at the middle. */
#include "motions/stepping/stepping.h"

/* A contact that carried in the last step goes on when the gap at the middle is open by no more than the bend explains:
 * off a convex wall the straight half-step opens it, and positions drift by O(h^2). */
static bool may_go_on(const stepping_motion *motion, thud_index i) {
  bool carried = motion->reaction[i] > 0 || motion->now.node == 0; /* or was closed at the start */
  return !motion->acting[i] && motion->flags[i] != 0 && carried &&
         thud_system_constraint(motion->system, i)->kind == THUD_CONSTRAINT_UNILATERAL;
}

/* bend_i = dg/dq.v + dg/dt at the middle minus the same at the node (middle: the node's q), v the old velocity. To second
 * order the way of the other half-step bends it as much again: u+ = dg/dq.v+ + dg/dt + bend is the normal velocity at the
 * end of the step, u- = dg/dq.v + dg/dt - bend the one at its beginning, with the gradient of the middle in both. */
static thud_error find_bends(stepping_motion *motion, double before, double h) {
  const thud_system_values *values = motion->values;
  thud_index n = motion->n, m = motion->m;
  double *node = motion->kept;
  bool any = false;
  memset(motion->bend, 0, (size_t)m * sizeof(double));
  if (!thud_model_constraints_bend(motion->system))
    return thud_stepping_evaluate_contacts(motion, before + h / 2, motion->q, motion->v_old);
  for (thud_index i = 0; i < m; i++) any = any || motion->acting[i] || may_go_on(motion, i);
  if (any) {
    thud_error error = thud_stepping_evaluate(motion, before, motion->middle, motion->v_old, THUD_AT_GRADIENT);
    if (error != THUD_OK) return error;
    for (thud_index i = 0; i < m; i++)
      node[i] = thud_row_dot(thud_gradient_row(values, n, i), motion->v_old) + values->rate[i];
  }
  if (any || motion->s > 0) {
    thud_error error = thud_stepping_evaluate(motion, before + h / 2, motion->q, motion->v_old,
                                              THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION);
    if (error != THUD_OK) return error;
  }
  for (thud_index i = 0; any && i < m; i++) {
    double bend = thud_row_dot(thud_gradient_row(values, n, i), motion->v_old) + values->rate[i] - node[i];
    if (may_go_on(motion, i)) motion->acting[i] = values->gap[i] <= h * fabs(bend);
    motion->bend[i] = motion->acting[i] ? bend : 0;
  }
  return THUD_OK;
}

/* The e that gives u+ >= -e u- when the velocity problem sees u- + 2 bend in the place of u-. */
static double bent_restitution(double e, double u_minus, double bend) {
  double seen = u_minus + 2 * bend;
  if (bend == 0 || e == 0) return e;
  return u_minus < 0 && seen < 0 ? fmin(e * (u_minus / seen), fmax(e, 1)) : 0;
}

/* The velocity problem with normal velocities of the ends of the step; rates and restitutions are put back. */
static thud_error respond_bent(stepping_motion *motion, double h) {
  thud_system_values *values = motion->values;
  size_t m = (size_t)motion->m;
  double *rate = motion->kept, *restitution = motion->kept + m;
  for (size_t i = 0; i < m; i++) {
    rate[i] = values->rate[i];
    restitution[i] = values->restitution[i];
    if (motion->bend[i] == 0) continue;
    double u = thud_row_dot(thud_gradient_row(values, motion->n, (thud_index)i), motion->v_old) + rate[i];
    values->rate[i] = rate[i] + motion->bend[i];
    values->restitution[i] = bent_restitution(restitution[i], u - motion->bend[i], motion->bend[i]);
  }
  thud_percussion_look(motion->percussion, &(thud_impact_view){.bend = motion->bend});
  thud_error error = thud_stepping_respond(motion, h, motion->v_old, motion->v_free);
  thud_percussion_look(motion->percussion, NULL);
  for (size_t i = 0; i < m; i++) {
    values->rate[i] = rate[i];
    values->restitution[i] = restitution[i];
  }
  return error;
}

/* Position half-steps around one velocity problem at the middle, where mass, forces and contacts are taken:
 *   q' = q + h/2 v;  M(q')(v+ - v) = h (f - c)(t + h/2, q', (v + v_free)/2) + H(q') r;  q+ = q' + h/2 v+.
 * Second order where nothing hits, also while contacts and equations last (find_bends; like RATTLE, with one velocity
 * problem for both ends); the forces see the mean velocity of a first, explicit estimate. */
static thud_error step_second_order(stepping_motion *motion, double t, double h) {
  thud_index n = motion->n;
  double middle = t - h / 2;
  memcpy(motion->v_old, motion->v, (size_t)n * sizeof(double));
  memcpy(motion->middle, motion->q, (size_t)n * sizeof(double));
  motion_add_scaled(n, h / 2, motion->v_old, motion->q);
  thud_error error = thud_stepping_evaluate(motion, middle, motion->q, motion->v_old,
                                            thud_stepping_mass_part(motion) | THUD_AT_FORCE | THUD_AT_CONSTRAINT);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, middle, motion->q, motion->v_old, h);
  if (error != THUD_OK) return error;
  thud_percussion_place(motion->percussion, middle, motion->q);
  thud_stepping_kick(motion, h / 2, motion->v_old);
  memcpy(motion->v, motion->v_free, (size_t)n * sizeof(double)); /* estimate at the middle */
  error = thud_stepping_evaluate(motion, middle, motion->q, motion->v, THUD_AT_FORCE);
  if (error != THUD_OK) return error;
  thud_stepping_kick(motion, h, motion->v_old);
  error = find_bends(motion, t - h, h);
  if (error == THUD_OK) error = respond_bent(motion, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  motion_add_scaled(n, h / 2, motion->v, motion->q);
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_POTENTIAL);
}

const thud_scheme thud_scheme_second_order = {
    .local_order = 3, .order = 2, .takes_friction = true, .step = step_second_order};
