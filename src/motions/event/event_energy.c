/* The ledger of event-driven motions: work as the integral of a power series. */
#include "motions/event/event.h"

/* Products of two series are kept whole: where the first terms vanish (a force t^18 that moves something from rest) the
 * work is in the terms beyond the order of the factors. All terms are taken at the end s of the piece, x_k s^k: near a
 * singularity coefficients are huge. */
enum { MOST_TERMS = ARC_MAX_DEGREE + 2 };

typedef struct ledger_series {
  int order;               /* of the factors */
  double unit[MOST_TERMS]; /* s^k */
  double power[2 * MOST_TERMS], loss[2 * MOST_TERMS];
} ledger_series;

/* sum += factor x y, x with stride and last + 1 terms, y of the terms y_k s^k. */
static void add_product(const ledger_series *series, const double *x, size_t stride, const double *y, int last,
                        double factor, double *sum) {
  for (int j = 0; j <= series->order; j++) {
    double term = factor * series->unit[j] * x[(size_t)j * stride];
    for (int k = 0; term != 0 && k <= last; k++) sum[j + k] += term * y[k];
  }
}

/* f.v + dV/dt: applied forces and a potential that changes. */
static void add_applied(const sim_arc *arc, ledger_series *series) {
  const model_jet_layout *at = &arc->jets.layout;
  double v[MOST_TERMS];
  for (int k = 0; k <= arc->top; k++) series->power[k] += series->unit[k] * thud_arc_jet(arc, k)[at->potential_rate];
  for (size_t c = 0; c < arc->n; c++) {
    for (int k = 0; k <= arc->top + 1; k++) v[k] = series->unit[k] * arc->v[(size_t)k * arc->n + c];
    add_product(series, arc->jet + at->applied + c, at->count, v, arc->top + 1, 1, series->power);
  }
}

/* Velocity along a row: sum of the gradient's jet times v. */
static void velocity_along(const sim_arc *arc, size_t row, const ledger_series *series, double *along) {
  for (int k = 0; k <= arc->top; k++) {
    along[k] = 0;
    for (int j = 0; j <= k; j++)
      along[k] += motion_dot((thud_index)arc->n, thud_arc_jet(arc, j) + thud_arc_row(arc, row),
                             arc->v + (size_t)(k - j) * arc->n);
    along[k] *= series->unit[k];
  }
}

/* What the reactions do: sum r (A v) over all rows, and of that what friction takes, -sum r_T u_T. */
static void add_reactions(const sim_arc *arc, ledger_series *series) {
  double along[MOST_TERMS];
  for (size_t row = 0; row < arc->rows; row++) {
    const double *reaction = arc->reaction + row;
    bool acts = false;
    for (int k = 0; k <= arc->top; k++) acts = acts || reaction[(size_t)k * arc->rows] != 0;
    if (!acts) continue;
    velocity_along(arc, row, series, along);
    add_product(series, reaction, arc->rows, along, arc->top, 1, series->power);
    if (row < arc->m) continue;
    thud_arc_output(arc, arc->jets.layout.slip_velocity + (row - arc->m), along);
    for (int k = 0; k <= arc->top; k++) along[k] *= series->unit[k];
    /* what is left is done by what moves beneath */
    add_product(series, reaction, arc->rows, along, arc->top, -1, series->power);
    add_product(series, reaction, arc->rows, along, arc->top, -1, series->loss);
  }
}

static double integral(int last, const double *terms, double s) {
  double sum = 0;
  for (int k = last; k >= 0; k--) sum += terms[k] / (k + 1);
  return sum * s;
}

/* |x| <= this on [0, s]. */
static double size_on(const ledger_series *series, const double *x, size_t stride, int last) {
  double sum = 0;
  for (int k = 0; k <= last; k++) sum += series->unit[k] * fabs(x[(size_t)k * stride]);
  return sum;
}

/* The power of forces and reactions if nothing cancelled, |F| |v| + |r| |A| |v|: the rounding of the work is relative to
 * that. Of a body at rest between loads and reactions all that moves is rounding, and so is its energy. */
static double gross_power(const sim_arc *arc, const ledger_series *series) {
  const model_jet_layout *at = &arc->jets.layout;
  double sum = 0;
  for (size_t c = 0; c < arc->n; c++) {
    double speed = size_on(series, arc->v + c, arc->n, arc->top + 1);
    if (speed == 0) continue;
    double force = size_on(series, arc->jet + at->force + c, at->count, arc->top);
    for (size_t i = 0; i < arc->rows; i++) {
      double reaction = size_on(series, arc->reaction + i, arc->rows, arc->top);
      if (reaction > 0) force += reaction * size_on(series, arc->jet + thud_arc_row(arc, i) + c, at->count, arc->top);
    }
    sum += force * speed;
  }
  return sum;
}

void thud_event_book_work(const sim_arc *arc, thud_event_motion_info *info, double s) {
  ledger_series series;
  series.order = arc->top;
  series.unit[0] = 1;
  memset(series.power, 0, (2 * (size_t)series.order + 2) * sizeof *series.power);
  memset(series.loss, 0, (2 * (size_t)series.order + 2) * sizeof *series.loss);
  for (int k = 1; k <= series.order + 1; k++) series.unit[k] = series.unit[k - 1] * s;
  add_applied(arc, &series);
  add_reactions(arc, &series);
  info->ledger.work += integral(2 * series.order + 1, series.power, s);
  info->ledger.friction_loss += integral(2 * series.order, series.loss, s);
  info->gross_work += s * gross_power(arc, &series);
}

/* Where the energies jump they are those of the side on which the switches are held, also on the surface itself. */
static thud_error take_energies_of_side(event_motion *motion) {
  const event_present *state = &motion->state;
  const sim_arc *arc = motion->arc;
  double *out = motion->surface.before, sum = 0;
  thud_error error = arc->backend->evaluate(motion->arc, state->t, state->q, state->v, out);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < arc->n; i++)
    sum += state->v[i] * motion_dot((thud_index)arc->n, out + arc->jets.layout.mass + i * arc->n, state->v);
  motion->info.ledger.kinetic = sum / 2;
  if (arc->jets.potential_jumps) motion->info.ledger.potential = out[arc->jets.layout.potential];
  return THUD_OK;
}

thud_error thud_event_book_energy(event_motion *motion) {
  event_present *state = &motion->state;
  thud_ledger *ledger = &motion->info.ledger;
  thud_error error = thud_system_evaluate(motion->problem.system, state->t, state->q, state->v,
                                          THUD_AT_MASS | THUD_AT_POTENTIAL | THUD_AT_CONSTRAINT, state->values);
  if (error != THUD_OK) return error;
  ledger->kinetic = thud_system_kinetic_energy(motion->problem.system, state->values, state->v);
  ledger->potential = state->values->potential;
  if (motion->arc->jets.may_jump) {
    error = take_energies_of_side(motion);
    if (error != THUD_OK) return error;
  }
  ledger->defect = ledger->kinetic + ledger->potential - motion->scales.initial_energy - ledger->work +
                   ledger->impact_loss + ledger->friction_loss;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL)
      motion->info.worst_gap = fmin(motion->info.worst_gap, state->values->gap[i]);
  if (isfinite(ledger->kinetic) && isfinite(ledger->defect)) return THUD_OK;
  motion->run.finding = THUD_MOTION_BLOW_UP;
  return thud_fail(motion->problem.context, THUD_ERROR_NOT_FINITE,
                   "blow-up at t = %.10g: the energy is too large for a number", state->t);
}
