/* The ledger of event-driven motions: work as the integral of a power series. */
#include "sim/event.h"

/* Coefficient k of f.v + dV/dt + sum r_i (A_i v): applied forces, moving potential, and reactions of constraints that
 * move (A_i v = -dg/dt while u = 0; 0 for those that do not). */
static double power_coefficient(const thud_event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  thud_index n = (thud_index)motion->n;
  double sum = thud_arc_jet(arc, k)[at->potential_rate];
  for (int j = 0; j <= k; j++)
    sum += motion_dot(n, thud_arc_jet(arc, j) + at->applied, arc->v + (size_t)(k - j) * motion->n);
  return sum;
}

/* sum_i r_i (A_i v), coefficient k, from the series of A_i v that the loop builds once per row. */
static void add_reactions(const thud_event_motion *motion, double *power) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = motion->n, m = motion->m;
  double along[ARC_MAX_DEGREE + 1];
  for (size_t i = 0; i < m; i++) {
    if (motion->mode[i] != THUD_CONTACT_LASTING) continue;
    for (int k = 0; k <= arc->order; k++) {
      along[k] = 0;
      for (int j = 0; j <= k; j++)
        along[k] +=
            motion_dot((thud_index)n, thud_arc_jet(arc, j) + at->gradient + i * n, arc->v + (size_t)(k - j) * n);
    }
    for (int k = 0; k <= arc->order; k++)
      for (int j = 0; j <= k; j++) power[k] += arc->reaction[(size_t)j * m + i] * along[k - j];
  }
}

void event_book_work(thud_event_motion *motion, double s) {
  int p = motion->arc->order;
  double work = 0;
  for (int k = 0; k <= p; k++) motion->power[k] = power_coefficient(motion, k);
  add_reactions(motion, motion->power);
  for (int k = p; k >= 0; k--) work = work * s + motion->power[k] / (k + 1);
  motion->info.ledger.work += work * s;
}

thud_error event_book_energy(thud_event_motion *motion) {
  thud_ledger *ledger = &motion->info.ledger;
  thud_error error = thud_system_evaluate(motion->system, motion->t, motion->q, motion->v,
                                          THUD_AT_MASS | THUD_AT_POTENTIAL | THUD_AT_CONSTRAINT, motion->values);
  if (error != THUD_OK) return error;
  ledger->kinetic = thud_system_kinetic_energy(motion->system, motion->values, motion->v);
  ledger->potential = motion->values->potential;
  ledger->defect = ledger->kinetic + ledger->potential - motion->initial_energy - ledger->work + ledger->impact_loss +
                   ledger->friction_loss;
  for (size_t i = 0; i < motion->m; i++)
    if (event_kind_of(motion, i) == THUD_CONSTRAINT_UNILATERAL)
      motion->info.worst_gap = fmin(motion->info.worst_gap, motion->values->gap[i]);
  return THUD_OK;
}
