/* Schemes whose smooth forces are explicit: Moreau's, Mabrouk's, the viscous regularisation, the midpoint scheme. */
#include "motions/stepping/stepping.h"

static void add_scaled(thud_index n, double factor, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] += factor * x[i];
}

static void scaled(thud_index n, double factor, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] = factor * x[i];
}

/* Smooth impulses h force, h applied of the values, and v_free = begin + M^-1 h force. */
static void kick(stepping_motion *motion, double h, const double *begin) {
  thud_index n = motion->n;
  scaled(n, h, motion->values->force, motion->impulse);
  scaled(n, h, motion->values->applied, motion->applied);
  memcpy(motion->v_free, motion->impulse, (size_t)n * sizeof(double));
  thud_values_solve_mass(motion->values, n, motion->v_free);
  add_scaled(n, 1, begin, motion->v_free);
}

static unsigned mass_part(const stepping_motion *motion) {
  return thud_system_has_constant_mass(motion->system) ? 0 : (unsigned)THUD_AT_MASS;
}

/* The parts that only acting constraints need, seen with the velocity v. */
static thud_error evaluate_contacts(stepping_motion *motion, double t, const double *q, const double *v) {
  bool any = motion->s > 0;
  for (thud_index i = 0; i < motion->m && !any; i++) any = motion->acting[i];
  if (!any) return THUD_OK;
  return thud_stepping_evaluate(motion, t, q, v, THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION);
}

/* q <- q + h v, then the values at the new configuration with the old velocity, and the acting constraints. */
static thud_error drift(stepping_motion *motion, double t, double h) {
  memcpy(motion->v_old, motion->v, (size_t)motion->n * sizeof(double));
  add_scaled(motion->n, h, motion->v_old, motion->q);
  thud_error error = thud_stepping_evaluate(motion, t, motion->q, motion->v_old,
                                            mass_part(motion) | THUD_AT_FORCE | THUD_AT_CONSTRAINT);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, t, motion->q, motion->v_old, h);
  thud_percussion_place(motion->percussion, t, motion->q);
  return error;
}

/* q_k = q_{k-1} + h v_{k-1};  v' = v_{k-1} + h M^-1(q_k) (f - c)(t_k, q_k, v_{k-1});  v_k = F(q_k, v')
 * (Ballard, The dynamics of discrete mechanical systems with perfect unilateral constraints, ch. 8, after Moreau). */
thud_error thud_stepping_step_moreau(stepping_motion *motion, double t, double h) {
  thud_error error = drift(motion, t, h);
  if (error != THUD_OK) return error;
  kick(motion, h, motion->v_old);
  error = evaluate_contacts(motion, t, motion->q, motion->v_free);
  if (error == THUD_OK) error = thud_stepping_respond(motion, h, motion->v_free, motion->v_free);
  if (error != THUD_OK) return error;
  thud_stepping_close_after_kick(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

/* ---- Mabrouk ------------------------------------------------------------------------------------------------------
 */

static void set_restitution(stepping_motion *motion, double e) {
  for (thud_index i = 0; i < motion->m; i++) motion->values->restitution[i] = e;
}

/* z = (v+ + e v_i)/(1+e) satisfies dg.z + dg/dt >= 0: for (1+e) z the rate of a moving constraint counts 1+e times. */
static void scale_rates(stepping_motion *motion, double *rate, double factor) {
  for (thud_index i = 0; i < motion->m; i++) {
    rate[i] = motion->values->rate[i];
    motion->values->rate[i] = factor * rate[i];
  }
}

/* -e v_i + prox(V, (1+e) v_i + h p): the values hold p and V. (Mabrouk's (8) multiplied by 1+e, V being a cone; only in
 * this order is case C6 exact to the last bit.) */
static thud_error mabrouk_velocity(stepping_motion *motion, double t, double h) {
  thud_index n = motion->n;
  double e = motion->e;
  scaled(n, 1 + e, motion->v_old, motion->work);
  kick(motion, h, motion->work);
  thud_error error = evaluate_contacts(motion, t, motion->q, motion->v_old);
  if (error != THUD_OK) return error;
  double *rate = motion->kept;
  set_restitution(motion, 0);
  scale_rates(motion, rate, 1 + e);
  error = thud_stepping_respond(motion, 0, motion->v_free, motion->v_free);
  for (thud_index i = 0; i < motion->m; i++) motion->values->rate[i] = rate[i];
  set_restitution(motion, e);
  for (thud_index i = 0; i < n; i++) motion->v[i] = -e * motion->v_old[i] + motion->v[i];
  return error;
}

thud_error thud_stepping_step_mabrouk(stepping_motion *motion, double t, double h) {
  thud_error error = drift(motion, t, h);
  if (error == THUD_OK) error = mabrouk_velocity(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

/* (6): v_0 = -e v^0 + prox(V(q_0), (1+e) v^0 + h p(0, q_0)). */
thud_error thud_stepping_begin_mabrouk(stepping_motion *motion, double t, double h) {
  thud_error error = drift(motion, t, 0);
  if (error == THUD_OK) error = mabrouk_velocity(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  return thud_stepping_close_node(motion, t, 0, THUD_AT_POTENTIAL);
}

/* ---- regularised ------------------------------------------------------------------------------------------------ */

/* dv/dt = M^-1 (f - c) - (v - prox(V(q), v))/lambda, Yosida's regularisation of the sweeping process of the velocities:
 * a kick, then the penalty solved exactly along the step, v <- p + exp(-h/lambda)(v - p), p = prox(V, v) (with friction
 * p is the answer of the velocity problem with e = 0). */
thud_error thud_stepping_step_regularised(stepping_motion *motion, double t, double h) {
  thud_error error = drift(motion, t, h);
  if (error != THUD_OK) return error;
  kick(motion, h, motion->v_old);
  error = evaluate_contacts(motion, t, motion->q, motion->v_free);
  if (error != THUD_OK) return error;
  set_restitution(motion, 0);
  error = thud_stepping_respond(motion, h, motion->v_free, motion->v_free);
  if (error != THUD_OK) return error;
  double done = -expm1(-h / motion->options.lambda);
  const double *begin = motion->v_loaded;
  for (thud_index i = 0; i < motion->n; i++) motion->v[i] = begin[i] + done * (motion->v[i] - begin[i]);
  for (thud_index i = 0; i < motion->m + motion->s; i++) motion->reaction[i] *= done;
  thud_stepping_close_after_kick(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

/* ---- midpoint -----------------------------------------------------------------------------------------------------
 */

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
    return evaluate_contacts(motion, before + h / 2, motion->q, motion->v_old);
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
thud_error thud_stepping_step_midpoint(stepping_motion *motion, double t, double h) {
  thud_index n = motion->n;
  double middle = t - h / 2;
  memcpy(motion->v_old, motion->v, (size_t)n * sizeof(double));
  memcpy(motion->middle, motion->q, (size_t)n * sizeof(double));
  add_scaled(n, h / 2, motion->v_old, motion->q);
  thud_error error = thud_stepping_evaluate(motion, middle, motion->q, motion->v_old,
                                            mass_part(motion) | THUD_AT_FORCE | THUD_AT_CONSTRAINT);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, middle, motion->q, motion->v_old, h);
  if (error != THUD_OK) return error;
  thud_percussion_place(motion->percussion, middle, motion->q);
  kick(motion, h / 2, motion->v_old);
  memcpy(motion->v, motion->v_free, (size_t)n * sizeof(double)); /* estimate at the middle */
  error = thud_stepping_evaluate(motion, middle, motion->q, motion->v, THUD_AT_FORCE);
  if (error != THUD_OK) return error;
  kick(motion, h, motion->v_old);
  error = find_bends(motion, t - h, h);
  if (error == THUD_OK) error = respond_bent(motion, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  add_scaled(n, h / 2, motion->v, motion->q);
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_POTENTIAL);
}
