/* The theta scheme with a correction of positions: nothing penetrates after a step, and joints do not drift apart. */
#include "motions/stepping/stepping.h"

enum { CORRECTIONS = 20 };
/* The correction of positions ends when the violation is this small against the largest one it met, or does not shrink
 * any more. */
#define CORRECTED 1e-14

/* Restitution is for impacts. The correction of positions takes back the penetration by which contacts of moreau-jean go
 * on to act, so that what smooth forces alone close within a step would be thrown up by e times that, fall, and be thrown
 * up again for ever: bounces of a few steps, which no step resolves. A table law is told which contacts rest.
 * resting, kept: [m] flags, and the restitutions that are replaced. */
void thud_stepping_rest_slow_contacts(stepping_motion *motion, double h, double *resting, double *kept) {
  thud_system_values *values = motion->values;
  bool by_table = motion->options.percussion.law == THUD_IMPACT_TABLE, any = false;
  double *kick = motion->v_free;
  memcpy(kept, values->restitution, (size_t)motion->m * sizeof(double));
  for (thud_index i = 0; i < motion->m; i++) {
    resting[i] = motion->acting[i] && (kept[i] > 0 || by_table) &&
                 thud_system_constraint(motion->system, i)->kind == THUD_CONSTRAINT_UNILATERAL;
    any = any || resting[i] != 0;
  }
  if (!any) return;
  for (thud_index k = 0; k < motion->n; k++) kick[k] = h * motion->start_force[k];
  thud_values_solve_mass(values, motion->n, kick);
  for (thud_index i = 0; i < motion->m; i++) {
    if (resting[i] != 0) resting[i] = !thud_stepping_hits(motion, i, motion->v_old, kick);
    if (resting[i] != 0) values->restitution[i] = 0;
  }
}

static double violation(const stepping_motion *motion) {
  double worst = 0;
  for (thud_index i = 0; i < motion->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    double gap = motion->values->gap[i];
    if (kind == THUD_CONSTRAINT_UNILATERAL) worst = fmax(worst, -gap);
    if (kind == THUD_CONSTRAINT_BILATERAL) worst = fmax(worst, fabs(gap));
  }
  return worst;
}

/* Values that the correction borrows: what does not change along a motion is not evaluated again. */
static void swap_values(stepping_motion *motion) {
  thud_system_values *values = motion->values;
  double *kept = motion->kept;
  size_t m = (size_t)motion->m, laws = (size_t)thud_system_friction_count(motion->system);
  double *arrays[] = {values->rate, values->restitution, values->friction};
  const size_t counts[] = {m, m, laws};
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < counts[k]; i++, kept++) {
      double now = arrays[k][i];
      arrays[k][i] = *kept;
      *kept = now;
    }
}

/* The smallest move d in the kinetic metric with gap + dg.d >= 0 (= 0 for equations): a velocity problem without
 * friction and restitution in which the gap stands for the rate. */
static thud_error correct(stepping_motion *motion, double worst) {
  const thud_system_values *values = motion->values;
  thud_index n = motion->n, m = motion->m;
  double *rest = motion->v_free, *d = motion->work, *normal = motion->weights, *slip = motion->weights + m;
  thud_percussion_info info;
  memset(motion->kept, 0, (2 * (size_t)m + (size_t)thud_system_friction_count(motion->system)) * sizeof(double));
  for (thud_index i = 0; i < m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    bool position = kind == THUD_CONSTRAINT_UNILATERAL || kind == THUD_CONSTRAINT_BILATERAL;
    motion->kept[i] = position ? values->gap[i] : 0;
    motion->acting[i] = kind != THUD_CONSTRAINT_UNILATERAL || values->gap[i] <= worst;
    normal[i] = 0;
  }
  for (thud_index k = 0; k < motion->s; k++) slip[k] = 0;
  memset(rest, 0, (size_t)n * sizeof(double));
  swap_values(motion);
  thud_error error =
      thud_percussion_solve(motion->projection, values, motion->acting, 0, rest, rest, normal, slip, d, &info);
  swap_values(motion);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < n; i++) motion->q[i] += d[i];
  return THUD_OK;
}

/* Newton's method on the violated gaps and equations; the impulses stay those of the velocity problem. A move after which
 * more is violated than before is taken back: where gradients are nearly dependent it is rounding divided by what is left of
 * one beside the others. */
static thud_error correct_positions(stepping_motion *motion, double t) {
  const unsigned parts = THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;
  double first = 0, worst = INFINITY, *before = motion->middle;
  for (int k = 0; k < CORRECTIONS; k++) {
    thud_error error = thud_stepping_evaluate(motion, t, motion->q, motion->v, parts);
    if (error != THUD_OK) return error;
    double now = violation(motion);
    if (k == 0) first = now;
    if (now > worst) {
      memcpy(motion->q, before, (size_t)motion->n * sizeof(double));
      return thud_stepping_evaluate(motion, t, motion->q, motion->v, parts);
    }
    if (now <= CORRECTED * first || now >= worst) return THUD_OK;
    worst = now;
    memcpy(before, motion->q, (size_t)motion->n * sizeof(double));
    error = thud_stepping_leave_out(motion, t, motion->q, motion->v);
    if (error == THUD_OK) error = correct(motion, worst);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

/* The theta step, after which nothing penetrates and joints do not drift apart. */
static thud_error step_stabilised(stepping_motion *motion, double t, double h) {
  thud_error error = thud_stepping_theta_velocities(motion, t, h);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < motion->m; i++) motion->flags[i] = motion->acting[i];
  error = correct_positions(motion, t);
  for (thud_index i = 0; i < motion->m; i++) motion->acting[i] = motion->flags[i] != 0;
  if (error != THUD_OK) return error;
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_POTENTIAL);
}

const thud_scheme thud_scheme_stabilised = {.local_order = 2,
                                            .order = 1,
                                            .order_at_middle = 2,
                                            .takes_friction = true,
                                            .implicit_forces = true,
                                            .corrects_positions = true,
                                            .step = step_stabilised};
