/* Mabrouk's scheme: v_{i+1} = -e v_i + prox(V(q_{i+1}), (1+e) v_i + h p), frictionless, with one coefficient of restitution. */
#include "motions/stepping/stepping.h"

/* z = (v+ + e v_i)/(1+e) satisfies dg.z + dg/dt >= 0: for (1+e) z the rate of a moving constraint counts 1+e times. */
static void scale_rates(stepping_motion *motion, double *rate, double factor) {
  for (thud_index i = 0; i < motion->m; i++) {
    rate[i] = motion->values->rate[i];
    motion->values->rate[i] = factor * rate[i];
  }
}

/* -e v_i + prox(V, (1+e) v_i + h p): the values hold p and V. (Mabrouk's (8) multiplied by 1+e, V being a cone; only in
 * this order are the numbers of his example exact to the last bit: examples/dynamics/mabrouk.yaml.) */
static thud_error mabrouk_velocity(stepping_motion *motion, double t, double h) {
  thud_index n = motion->n;
  double e = motion->e;
  motion_scaled(n, 1 + e, motion->v_old, motion->work);
  thud_stepping_kick(motion, h, motion->work);
  thud_error error = thud_stepping_evaluate_contacts(motion, t, motion->q, motion->v_old);
  if (error != THUD_OK) return error;
  double *rate = motion->kept;
  thud_stepping_set_restitution(motion, 0);
  scale_rates(motion, rate, 1 + e);
  error = thud_stepping_respond(motion, 0, motion->v_free, motion->v_free);
  for (thud_index i = 0; i < motion->m; i++) motion->values->rate[i] = rate[i];
  thud_stepping_set_restitution(motion, e);
  for (thud_index i = 0; i < n; i++) motion->v[i] = -e * motion->v_old[i] + motion->v[i];
  return error;
}

static thud_error step_mabrouk(stepping_motion *motion, double t, double h) {
  thud_error error = thud_stepping_drift(motion, t, h);
  if (error == THUD_OK) error = mabrouk_velocity(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  return thud_stepping_close_node(motion, t, h, THUD_AT_POTENTIAL);
}

/* (6): v_0 = -e v^0 + prox(V(q_0), (1+e) v^0 + h p(0, q_0)). */
static thud_error begin_mabrouk(stepping_motion *motion, double t, double h) {
  thud_error error = thud_stepping_drift(motion, t, 0);
  if (error == THUD_OK) error = mabrouk_velocity(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  return thud_stepping_close_node(motion, t, 0, THUD_AT_POTENTIAL);
}

const thud_scheme thud_scheme_mabrouk = {.local_order = 2,
                                         .order = 1,
                                         .needs_one_restitution = true,
                                         .leaves_equations = true,
                                         .step = step_mabrouk,
                                         .begin = begin_mabrouk};
