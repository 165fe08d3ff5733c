/* Schemes whose smooth forces are explicit: Moreau's, Mabrouk's, the viscous regularisation, the midpoint scheme. */
#include "sim/stepping/stepping.h"

static void add_scaled(thud_index n, double factor, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] += factor * x[i];
}

static void scaled(thud_index n, double factor, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] = factor * x[i];
}

/* Smooth impulses h force, h applied of the values, and v_free = begin + M^-1 h force. */
static void kick(thud_stepping *motion, double h, const double *begin) {
  thud_index n = motion->n;
  scaled(n, h, motion->values->force, motion->impulse);
  scaled(n, h, motion->values->applied, motion->applied);
  memcpy(motion->v_free, motion->impulse, (size_t)n * sizeof(double));
  thud_values_solve_mass(motion->values, n, motion->v_free);
  add_scaled(n, 1, begin, motion->v_free);
}

static unsigned mass_part(const thud_stepping *motion) {
  return thud_system_has_constant_mass(motion->system) ? 0 : (unsigned)THUD_AT_MASS;
}

/* The parts that only acting constraints need, seen with the velocity v. */
static thud_error evaluate_contacts(thud_stepping *motion, double t, const double *q, const double *v) {
  bool any = motion->s > 0;
  for (thud_index i = 0; i < motion->m && !any; i++) any = motion->acting[i];
  if (!any) return THUD_OK;
  return thud_system_evaluate(motion->system, t, q, v, THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION,
                              motion->values);
}

/* q <- q + h v, then the values at the new configuration with the old velocity, and the acting constraints. */
static thud_error drift(thud_stepping *motion, double t, double h) {
  memcpy(motion->v_old, motion->v, (size_t)motion->n * sizeof(double));
  add_scaled(motion->n, h, motion->v_old, motion->q);
  thud_error error = thud_system_evaluate(motion->system, t, motion->q, motion->v_old,
                                          mass_part(motion) | THUD_AT_FORCE | THUD_AT_CONSTRAINT, motion->values);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, t, motion->q, motion->v_old, h);
  thud_percussion_place(motion->percussion, t, motion->q);
  return error;
}

/* q_k = q_{k-1} + h v_{k-1};  v' = v_{k-1} + h M^-1(q_k) (f - c)(t_k, q_k, v_{k-1});  v_k = F(q_k, v')
 * (Ballard, The dynamics of discrete mechanical systems with perfect unilateral constraints, ch. 8, after Moreau). */
thud_error thud_stepping_step_moreau(thud_stepping *motion, double t, double h) {
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

static void set_restitution(thud_stepping *motion, double e) {
  for (thud_index i = 0; i < motion->m; i++) motion->values->restitution[i] = e;
}

/* z = (v+ + e v_i)/(1+e) satisfies dg.z + dg/dt >= 0: for (1+e) z the rate of a moving constraint counts 1+e times. */
static void scale_rates(thud_stepping *motion, double *rate, double factor) {
  for (thud_index i = 0; i < motion->m; i++) {
    rate[i] = motion->values->rate[i];
    motion->values->rate[i] = factor * rate[i];
  }
}

/* -e v_i + prox(V, (1+e) v_i + h p): the values hold p and V. (Mabrouk's (8) multiplied by 1+e, V being a cone; only in
 * this order is case C6 exact to the last bit.) */
static thud_error mabrouk_velocity(thud_stepping *motion, double t, double h) {
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

thud_error thud_stepping_step_mabrouk(thud_stepping *motion, double t, double h) {
  thud_error error = drift(motion, t, h);
  if (error == THUD_OK) error = mabrouk_velocity(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

/* (6): v_0 = -e v^0 + prox(V(q_0), (1+e) v^0 + h p(0, q_0)). */
thud_error thud_stepping_begin_mabrouk(thud_stepping *motion, double t, double h) {
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
thud_error thud_stepping_step_regularised(thud_stepping *motion, double t, double h) {
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

/* Position half-steps around one velocity problem at the middle, where mass, forces and contacts are taken:
 *   q' = q + h/2 v;  M(q')(v+ - v) = h (f - c)(t + h/2, q', (v + v_free)/2) + H(q') r;  q+ = q' + h/2 v+.
 * Second order where nothing hits; the forces see the mean velocity of a first, explicit estimate. */
thud_error thud_stepping_step_midpoint(thud_stepping *motion, double t, double h) {
  thud_index n = motion->n;
  double middle = t - h / 2;
  memcpy(motion->v_old, motion->v, (size_t)n * sizeof(double));
  add_scaled(n, h / 2, motion->v_old, motion->q);
  thud_error error = thud_system_evaluate(motion->system, middle, motion->q, motion->v_old,
                                          mass_part(motion) | THUD_AT_FORCE | THUD_AT_CONSTRAINT, motion->values);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, middle, motion->q, motion->v_old, h);
  if (error != THUD_OK) return error;
  thud_percussion_place(motion->percussion, middle, motion->q);
  kick(motion, h / 2, motion->v_old);
  memcpy(motion->v, motion->v_free, (size_t)n * sizeof(double)); /* estimate at the middle */
  error = thud_system_evaluate(motion->system, middle, motion->q, motion->v, THUD_AT_FORCE, motion->values);
  if (error != THUD_OK) return error;
  kick(motion, h, motion->v_old);
  error = evaluate_contacts(motion, middle, motion->q, motion->v_old);
  if (error == THUD_OK) error = thud_stepping_respond(motion, h, motion->v_old, motion->v_free);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  add_scaled(n, h / 2, motion->v, motion->q);
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_POTENTIAL);
}
