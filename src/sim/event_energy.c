/* The ledger of event-driven motions: work as the integral of a power series. */
#include "sim/event.h"

/* Coefficient k of f.v + dV/dt: applied forces and a potential that changes. */
static double power_coefficient(const thud_event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  thud_index n = (thud_index)motion->n;
  double sum = thud_arc_jet(arc, k)[at->potential_rate];
  for (int j = 0; j <= k; j++)
    sum += motion_dot(n, thud_arc_jet(arc, j) + at->applied, arc->v + (size_t)(k - j) * motion->n);
  return sum;
}

/* Adds r w to the power series, r the reactions of a row and w a velocity along it. */
static void add_product(const sim_arc *arc, size_t row, const double *velocity, double factor, double *power) {
  for (int k = 0; k <= arc->order; k++)
    for (int j = 0; j <= k; j++) power[k] += factor * arc->reaction[(size_t)j * arc->rows + row] * velocity[k - j];
}

/* What the reactions do: sum r (A v) over all rows, and of that what friction takes, -sum r_T u_T. */
static void add_reactions(const thud_event_motion *motion, double *power, double *loss) {
  const sim_arc *arc = motion->arc;
  size_t n = motion->n;
  double along[ARC_MAX_DEGREE + 1];
  for (size_t row = 0; row < arc->rows; row++) {
    bool acts = false;
    for (int k = 0; k <= arc->order; k++) acts = acts || arc->reaction[(size_t)k * arc->rows + row] != 0;
    if (!acts) continue;
    for (int k = 0; k <= arc->order; k++) {
      along[k] = 0;
      for (int j = 0; j <= k; j++)
        along[k] +=
            motion_dot((thud_index)n, thud_arc_jet(arc, j) + thud_arc_row(arc, row), arc->v + (size_t)(k - j) * n);
    }
    add_product(arc, row, along, 1, power);
    if (row < arc->m) continue;
    thud_arc_output(arc, arc->jets.layout.slip_velocity + (row - arc->m), along);
    add_product(arc, row, along, -1, power); /* what is left is done by what moves beneath */
    add_product(arc, row, along, -1, loss);
  }
}

static double integral(int p, const double *series, double s) {
  double sum = 0;
  for (int k = p; k >= 0; k--) sum = sum * s + series[k] / (k + 1);
  return sum * s;
}

void event_book_work(thud_event_motion *motion, double s) {
  int p = motion->arc->order;
  double loss[ARC_MAX_DEGREE + 1] = {0};
  for (int k = 0; k <= p; k++) motion->power[k] = power_coefficient(motion, k);
  add_reactions(motion, motion->power, loss);
  motion->info.ledger.work += integral(p, motion->power, s);
  motion->info.ledger.friction_loss += integral(p, loss, s);
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
