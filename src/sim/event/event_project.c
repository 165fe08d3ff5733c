/* Against drift: on an arc lasting contacts hold as u' = 0, so that rounding errors of gaps and velocities stay, and
 * grow with time. At the start of the next arc they are taken back by the shortest way in the kinetic metric,
 *
 *   v <- v - M^-1 C' (C M^-1 C')^-1 u,    q <- q - M^-1 A' (A M^-1 A')^-1 g
 *
 * with the rows that held on the arc before: equations,
 * lasting contacts, slip of sticking ones and (two components) of those that come to rest. */
#include "sim/event/event.h"

#include "linalg/dense.h"
#include "model/gradients.h"

static bool held_before(const thud_event_motion *motion, size_t row) {
  if (row >= motion->problem.m) {
    size_t l = (size_t)motion->arc->law[row - motion->problem.m];
    bool stops = motion->friction.laws[l].directions == 2 && motion->modes.law_mode_before[l] == THUD_CONTACT_SLIDING;
    return motion->contacts.slip[l] == 0 && (stops || motion->modes.law_mode_before[l] == THUD_CONTACT_STICKING);
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
static double error_of(const thud_event_motion *motion, size_t row, bool position) {
  const model_jet_layout *at = &motion->arc->jets.layout;
  const double *jet = motion->arc->jet;
  if (position) return jet[at->gap + row];
  return row < motion->problem.m ? jet[at->velocity + row] : jet[at->slip_velocity + (row - motion->problem.m)];
}

/* Rows that held and are independent of each other; `paths` receives M^-1 C' of each. */
static size_t gather(thud_event_motion *motion, bool position) {
  const sim_arc *arc = motion->arc;
  size_t n = motion->problem.n, count = 0;
  for (size_t row = 0; row < arc->rows && count < n; row++) {
    double *next = motion->equations.basis + count * n;
    if (!motion->projection.hold[row] || (position && !has_position(&motion->problem, row))) continue;
    thud_model_to_orthonormal(n, arc->factor, arc->jet + thud_arc_row(arc, row), next);
    thud_model_normalise(n, next);
    if (thud_model_complement(n, count, motion->equations.basis, next) <= MODEL_RANK_TOLERANCE) continue;
    thud_model_normalise(n, next);
    memcpy(motion->projection.paths + count * n, arc->jet + thud_arc_row(arc, row), n * sizeof(double));
    motion_solve_mass((thud_index)n, arc->factor, motion->projection.paths + count * n);
    motion->equations.rows[count++] = (thud_index)row;
  }
  return count;
}

/* Changes x (q or v); *changed: by anything. */
static void project(thud_event_motion *motion, bool position, double *x, bool *changed) {
  event_equations *equations = &motion->equations;
  const sim_arc *arc = motion->arc;
  size_t n = motion->problem.n, count = gather(motion, position);
  thud_index failed;
  double pivot, *error = equations->right;
  bool any = false;
  for (size_t a = 0; a < count; a++) {
    error[a] = error_of(motion, (size_t)equations->rows[a], position);
    any = any || error[a] != 0;
    for (size_t b = 0; b < count; b++)
      equations->factor[a + b * count] = motion_dot(
          (thud_index)n, arc->jet + thud_arc_row(arc, (size_t)equations->rows[a]), motion->projection.paths + b * n);
  }
  if (!any || !thud_cholesky_loops((thud_index)count, equations->factor, &failed, &pivot)) return;
  thud_dense_solve_lower((thud_index)count, equations->factor, false, error);
  thud_dense_solve_lower((thud_index)count, equations->factor, true, error);
  for (size_t a = 0; a < count; a++)
    for (size_t c = 0; c < n; c++) x[c] -= error[a] * motion->projection.paths[a * n + c];
  *changed = true;
}

void thud_event_project_once(thud_event_motion *motion, bool position) {
  bool changed;
  project(motion, position, position ? motion->state.q : motion->state.v, &changed);
}

thud_error thud_event_project_held(thud_event_motion *motion) {
  event_present *state = &motion->state;
  bool changed = false;
  project(motion, false, state->v, &changed);
  project(motion, true, state->q, &changed);
  return changed ? thud_arc_begin(motion->arc, state->t, state->q, state->v) : THUD_OK;
}

thud_error thud_event_project_lasting(thud_event_motion *motion) {
  if (!motion->run.begun) return THUD_OK;
  for (size_t row = 0; row < motion->arc->rows; row++) motion->projection.hold[row] = held_before(motion, row);
  return thud_event_project_held(motion);
}
