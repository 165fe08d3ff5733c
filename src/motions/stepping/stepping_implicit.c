/* The implicit scheme: M (v+ - v) = h f(t+h, q+, v+) + P + H r, q+ = q + h v+, and its balance of energy. */
#include "motions/stepping/stepping.h"

/* What the end of the step takes from the potential: h dV/dq(q+).v+ - DV, where impulse - applied = -h dV/dq for a
 * constant mass. */
thud_error thud_stepping_step_implicit(stepping_motion *motion, double t, double h) {
  thud_ledger *ledger = &motion->now.info.ledger;
  thud_error error = thud_stepping_theta_solve(motion, t, h);
  if (error == THUD_OK) error = thud_stepping_evaluate(motion, t, motion->q, motion->v_old, THUD_AT_POTENTIAL);
  if (error != THUD_OK) return error;
  double potential = motion->values->potential, slope = 0;
  motion_account account = {.v_old = motion->v_old,
                            .smooth_end = motion->v,
                            .contact_begin = motion->v_old,
                            .impulse = motion->impulse,
                            .applied = motion->applied,
                            .at_end = true};
  thud_stepping_close_velocities(motion, t, h, &account);
  for (thud_index i = 0; i < motion->n; i++) {
    slope += (motion->applied[i] - motion->impulse[i]) * motion->v[i];
    motion->q[i] += h * motion->v[i];
  }
  ledger->work += potential - ledger->potential; /* a potential that depends on time */
  error = thud_stepping_evaluate(motion, t, motion->q, motion->v, THUD_AT_POTENTIAL);
  if (error != THUD_OK) return error;
  if (thud_system_has_constant_mass(motion->system))
    ledger->scheme_loss += slope - (motion->values->potential - potential);
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT);
}
