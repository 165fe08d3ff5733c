/* Against drift: on an arc lasting contacts hold as u' = 0, so that rounding errors of gaps and velocities stay, and
 * grow with time. At the start of the next arc they are taken back by the shortest way in the kinetic metric,
 *
 *   v <- v - M^-1 C' (C M^-1 C')^-1 u,    q <- q - M^-1 A' (A M^-1 A')^-1 g
 *
 * with the rows that held on the arc before: equations,
 * lasting contacts, slip of sticking ones and of those that come to rest.
 *
 * The same is done with the accelerations, order by order: what rounding leaves of u' of a body at rest would move it by
 * a million metres in a million seconds. */
#include "motions/event/event.h"

#include "linalg/dense.h"
#include "model/gradients.h"

#include <float.h>

static bool held_before(const event_motion *motion, size_t row) {
  if (row >= motion->problem.m) {
    size_t l = (size_t)motion->arc->law[row - motion->problem.m];
    int before = motion->modes.law_mode_before[l];
    return motion->contacts.slip[l] == 0 && (before == THUD_CONTACT_SLIDING || before == THUD_CONTACT_STICKING);
  }
  if (motion->contacts.contact[row] == EVENT_HIT) return false;
  return event_is_equation(&motion->problem, row) ||
         (motion->contacts.contact[row] == EVENT_REST && event_lasts(motion->modes.mode_before[row]) &&
          !motion->modes.redundant[row]);
}

static bool has_position(const event_problem *problem, size_t row) {
  return row < problem->m && event_kind_of(problem, row) <= THUD_CONSTRAINT_BILATERAL;
}

/* How far the row is from holding. */
static double error_of(const event_motion *motion, size_t row, bool position) {
  const model_jet_layout *at = &motion->arc->jets.layout;
  const double *jet = motion->arc->jet;
  if (position) return jet[at->gap + row];
  return row < motion->problem.m ? jet[at->velocity + row] : jet[at->slip_velocity + (row - motion->problem.m)];
}

/* The rows in `hold` that are independent of each other: their paths M^-1 C', and the factor of C M^-1 C'. */
static bool factorise(event_motion *motion, bool position) {
  event_projection *p = &motion->projection;
  const sim_arc *arc = motion->arc;
  size_t n = motion->problem.n;
  thud_index failed;
  double pivot;
  p->count = 0;
  for (size_t row = 0; row < arc->rows && p->count < n; row++) {
    double *next = p->basis + p->count * n, *path = p->paths + p->count * n;
    if (!p->hold[row] || (position && !has_position(&motion->problem, row))) continue;
    if (row < motion->problem.m && motion->modes.vanishes[row]) continue;
    thud_model_to_orthonormal(n, arc->factor, arc->jet + thud_arc_row(arc, row), next);
    thud_model_normalise(n, next);
    if (thud_model_complement(n, p->count, p->basis, next) <= MODEL_RANK_TOLERANCE) continue;
    thud_model_normalise(n, next);
    memcpy(path, arc->jet + thud_arc_row(arc, row), n * sizeof(double));
    motion_solve_mass((thud_index)n, arc->factor, path);
    p->rows[p->count++] = (thud_index)row;
  }
  for (size_t a = 0; a < p->count; a++)
    for (size_t b = 0; b < p->count; b++)
      p->factor[a + b * p->count] =
          motion_dot((thud_index)n, arc->jet + thud_arc_row(arc, (size_t)p->rows[a]), p->paths + b * n);
  return thud_cholesky_loops((thud_index)p->count, p->factor, &failed, &pivot);
}

/* x <- x - M^-1 C' (C M^-1 C')^-1 error. */
static void correct(event_projection *p, size_t n, double *x) {
  thud_dense_solve_lower((thud_index)p->count, p->factor, false, p->error);
  thud_dense_solve_lower((thud_index)p->count, p->factor, true, p->error);
  for (size_t a = 0; a < p->count; a++)
    for (size_t c = 0; c < n; c++) x[c] -= p->error[a] * p->paths[a * n + c];
}

bool thud_event_clear_rounding(const sim_arc *arc, const double *before, double *x) {
  double size = EVENT_ROUNDING * DBL_EPSILON * thud_arc_distance(arc, before, x);
  bool any = false;
  for (size_t i = 0; i < arc->n; i++) {
    double mass = arc->jet[arc->jets.layout.mass + i * (arc->n + 1)];
    if (x[i] == 0 || sqrt(mass) * fabs(x[i]) > size) continue;
    x[i] = 0;
    any = true;
  }
  return any;
}

/* Changes x (q or v); *changed: by anything. What rounding leaves of a velocity beside its correction is 0. */
static void project(event_motion *motion, bool position, double *x, bool *changed) {
  event_projection *p = &motion->projection;
  bool any = false, good = factorise(motion, position);
  p->factored = false;
  for (size_t a = 0; a < p->count; a++) {
    p->error[a] = error_of(motion, (size_t)p->rows[a], position);
    any = any || p->error[a] != 0;
  }
  if (!any || !good) return;
  double *old = p->basis + motion->problem.n * motion->problem.n;
  memcpy(old, x, motion->problem.n * sizeof *old);
  correct(p, motion->problem.n, x);
  if (!position) thud_event_clear_rounding(motion->arc, old, x);
  *changed = true;
}

void thud_event_project_once(event_motion *motion, bool position) {
  bool changed;
  project(motion, position, position ? motion->state.q : motion->state.v, &changed);
}

thud_error thud_event_project_held(event_motion *motion) {
  event_present *state = &motion->state;
  bool changed = false;
  project(motion, false, state->v, &changed);
  project(motion, true, state->q, &changed);
  return changed ? thud_arc_begin(motion->arc, state->t, state->q, state->v) : THUD_OK;
}

void thud_event_impulse_of_jump(event_motion *motion, const double *before, double *impulse) {
  event_projection *p = &motion->projection;
  const sim_arc *arc = motion->arc;
  size_t n = motion->problem.n;
  memset(impulse, 0, arc->rows * sizeof *impulse);
  bool good = factorise(motion, false);
  p->factored = false;
  if (!good) return;
  for (size_t a = 0; a < p->count; a++) {
    const double *row = arc->jet + thud_arc_row(arc, (size_t)p->rows[a]);
    p->error[a] = motion_dot((thud_index)n, row, motion->state.v) - motion_dot((thud_index)n, row, before);
  }
  thud_dense_solve_lower((thud_index)p->count, p->factor, false, p->error);
  thud_dense_solve_lower((thud_index)p->count, p->factor, true, p->error);
  for (size_t a = 0; a < p->count; a++) impulse[p->rows[a]] = p->error[a];
}

thud_error thud_event_project_lasting(event_motion *motion) {
  if (!motion->run.begun) return THUD_OK;
  for (size_t row = 0; row < motion->arc->rows; row++) motion->projection.hold[row] = held_before(motion, row);
  return thud_event_project_held(motion);
}

/* Rows with u'_k = 0: equations, lasting contacts, sticking slips. */
static bool holds_now(const event_motion *motion, size_t row) {
  size_t m = motion->problem.m;
  if (row >= m)
    return motion->equations.place[row] >= 0 && motion->friction.laws[motion->arc->law[row - m]].state == LAW_STICK;
  return (event_is_equation(&motion->problem, row) || event_lasts(motion->modes.mode[row])) &&
         !motion->modes.redundant[row];
}

/* The factor of the rows that hold at this order; false: there are none, or they are not independent enough. */
static bool prepare_order(event_motion *motion, int k) {
  event_projection *p = &motion->projection;
  bool same = k > 0 && p->factored;
  for (size_t row = 0; row < motion->arc->rows; row++) {
    p->hold[row] = holds_now(motion, row);
    same = same && p->hold[row] == p->held[row];
  }
  if (!same) {
    p->factored = factorise(motion, false);
    memcpy(p->held, p->hold, motion->arc->rows * sizeof *p->held);
  }
  return p->factored && p->count > 0;
}

/* Rounding errors of the order are taken back, where mass or reactions couple its equations. */
static void refine_order(event_motion *motion, int k) {
  event_projection *p = &motion->projection;
  bool factored = prepare_order(motion, k);
  const arc_held held = {factored ? p->count : 0, p->rows, p->factor, p->error};
  thud_arc_refine(motion->arc, k, &held);
}

void thud_event_close_order(event_motion *motion, int k) {
  thud_arc_accelerate(motion->arc, k);
  if (thud_arc_is_series(motion->arc)) refine_order(motion, k);
  if (motion->equations.disturbance != 0) thud_event_disturb_order(motion, k);
  thud_arc_close_order(motion->arc, k);
}
