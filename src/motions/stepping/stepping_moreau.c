/* Moreau's scheme, and the viscous regularisation that shares its free motion: a drift, then a kick by the smooth forces. */
#include "motions/stepping/stepping.h"

/* q_k = q_{k-1} + h v_{k-1};  v' = v_{k-1} + h M^-1(q_k) (f - c)(t_k, q_k, v_{k-1});  v_k = F(q_k, v')
 * (Ballard, The dynamics of discrete mechanical systems with perfect unilateral constraints, ch. 8, after Moreau). */
static thud_error step_moreau(stepping_motion *motion, double t, double h) {
  thud_error error = thud_stepping_drift(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_kick(motion, h, motion->v_old);
  error = thud_stepping_evaluate_contacts(motion, t, motion->q, motion->v_free);
  if (error == THUD_OK) error = thud_stepping_respond(motion, h, motion->v_free, motion->v_free);
  if (error != THUD_OK) return error;
  thud_stepping_close_after_kick(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

const thud_scheme thud_scheme_moreau = {
    .local_order = 2, .order = 1, .takes_friction = true, .throws_up = true, .step = step_moreau};

/* ---- regularised ------------------------------------------------------------------------------------------------ */

/* dv/dt = M^-1 (f - c) - (v - prox(V(q), v))/lambda, Yosida's regularisation of the sweeping process of the velocities:
 * a kick, then the penalty solved exactly along the step, v <- p + exp(-h/lambda)(v - p), p = prox(V, v) (with friction
 * p is the answer of the velocity problem with e = 0). */
static thud_error step_regularised(stepping_motion *motion, double t, double h) {
  thud_error error = thud_stepping_drift(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_kick(motion, h, motion->v_old);
  error = thud_stepping_evaluate_contacts(motion, t, motion->q, motion->v_free);
  if (error != THUD_OK) return error;
  thud_stepping_set_restitution(motion, 0);
  error = thud_stepping_respond(motion, h, motion->v_free, motion->v_free);
  if (error != THUD_OK) return error;
  double done = -expm1(-h / motion->options.lambda);
  const double *begin = motion->v_loaded;
  for (thud_index i = 0; i < motion->n; i++) motion->v[i] = begin[i] + done * (motion->v[i] - begin[i]);
  for (thud_index i = 0; i < motion->m + motion->s; i++) motion->reaction[i] *= done;
  thud_stepping_close_after_kick(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

const thud_scheme thud_scheme_regularised = {.local_order = 2,
                                             .order = 1,
                                             .takes_friction = true,
                                             .needs_one_restitution = true,
                                             .is_penalty = true,
                                             .step = step_regularised};
