/* Which contacts last: the graded linear complementarity problem (Ballard, ARMA 154, 2000, section 4.1).
 *
 * J are the one-sided constraints that are closed at rest, I those that last, K those that open. At order k, with r the
 * reactions' and w the separations' (u') coefficients number k:
 *   w = G r + b,   i in I: w = 0 (r of any sign),   i in K: r = 0,   i in J: 0 <= r perp w >= 0.
 * r_i > 0 puts i into I, w_i > 0 into K; what has neither waits for the next order. The same pass computes the series
 * of the arc. The equations of the system are in I from the beginning. */
#include "sim/event/event.h"

#include "linalg/dense.h"
#include "model/gradients.h"

#include <float.h>

/* Error of the time of an event, relative. */
#define TIME_ROUNDING (4 * DBL_EPSILON)

static const char *name_of(const thud_event_motion *motion, size_t i) {
  return thud_system_constraint(motion->system, (thud_index)i)->name;
}

/* ---- rows that hold as equations --------------------------------------------------------------------------------- */

/* What is left of gradient i, at length 1, beside the basis of the rows. */
static double independence(thud_event_motion *motion, size_t i) {
  size_t n = motion->n;
  double *next = motion->basis + motion->row_count * n;
  if (motion->row_count >= n) return 0;
  thud_model_to_orthonormal(n, motion->arc->factor, motion->arc->jet + motion->arc->jets.layout.gradient + i * n, next);
  thud_model_normalise(n, next);
  return thud_model_complement(n, motion->row_count, motion->basis, next);
}

/* Takes constraint i among the equations, or notes that it depends on those that are there. */
static void add_row(thud_event_motion *motion, size_t i) {
  motion->mode[i] = THUD_CONTACT_LASTING;
  motion->redundant[i] = independence(motion, i) <= MODEL_RANK_TOLERANCE;
  if (motion->redundant[i]) return;
  thud_model_normalise(motion->n, motion->basis + motion->row_count * motion->n);
  motion->rows[motion->row_count++] = (thud_index)i;
}

static thud_error factorise_rows(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t count = motion->row_count;
  thud_index failed;
  double pivot;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++)
      motion->row_factor[a + b * count] = arc->delassus[(size_t)motion->rows[a] * arc->rows + (size_t)motion->rows[b]];
  if (thud_cholesky_loops((thud_index)count, motion->row_factor, &failed, &pivot)) return THUD_OK;
  return thud_fail(motion->context, THUD_ERROR_UNQUALIFIED,
                   "t = %.10g: the gradient of constraint '%s' depends on those of the others that hold", motion->t,
                   name_of(motion, (size_t)motion->rows[failed]));
}

static void solve_rows(const thud_event_motion *motion, double *x) {
  thud_index count = (thud_index)motion->row_count;
  thud_dense_solve_lower(count, motion->row_factor, false, x);
  thud_dense_solve_lower(count, motion->row_factor, true, x);
}

/* ---- the complementarity problem of one order -------------------------------------------------------------------- */

/* row_drift = G_RR^-1 b_R; coupling = G_RR^-1 G_RJ; lcp = G_JJ - G_JR coupling, lcp_q = b_J - G_JR row_drift. */
static void eliminate_rows(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t rows = motion->row_count, pending = motion->pending_count, m = arc->rows;
  for (size_t a = 0; a < rows; a++) motion->row_drift[a] = arc->drift[motion->rows[a]];
  solve_rows(motion, motion->row_drift);
  for (size_t b = 0; b < pending; b++) {
    size_t j = (size_t)motion->pending[b];
    double *column = motion->coupling + b * rows;
    for (size_t a = 0; a < rows; a++) column[a] = arc->delassus[(size_t)motion->rows[a] * m + j];
    solve_rows(motion, column);
    motion->lcp_q[b] = arc->drift[j];
    for (size_t a = 0; a < rows; a++)
      motion->lcp_q[b] -= arc->delassus[(size_t)motion->rows[a] * m + j] * motion->row_drift[a];
    for (size_t c = 0; c < pending; c++) {
      size_t i = (size_t)motion->pending[c];
      double sum = arc->delassus[i * m + j];
      for (size_t a = 0; a < rows; a++) sum -= arc->delassus[(size_t)motion->rows[a] * m + i] * column[a];
      motion->lcp[c + b * pending] = sum;
    }
  }
}

static thud_error solve_pending(thud_event_motion *motion) {
  size_t count = motion->pending_count;
  thud_pivot_info found;
  if (count == 1) {
    double q = motion->lcp_q[0];
    motion->lcp_z[0] = q < 0 ? -q / motion->lcp[0] : 0;
    motion->lcp_w[0] = q < 0 ? 0 : q;
    return THUD_OK;
  }
  const thud_lemke_task task = {
      .n = (thud_index)count, .M = motion->lcp, .q = motion->lcp_q, .max_pivots = 100 * ((thud_index)count + 1)};
  thud_error error = thud_lemke_solve(motion->lemke, &task, motion->lcp_z, motion->lcp_w, NULL, &found);
  if (error != THUD_OK || found.status == THUD_PIVOT_SOLVED) return error;
  return thud_fail(motion->context, THUD_ERROR_UNQUALIFIED,
                   "t = %.10g: no accelerations satisfy the closed constraints ('%s' and %zu more)", motion->t,
                   name_of(motion, (size_t)motion->pending[0]), count - 1);
}

/* The largest term of the problem in units in which every gradient has length 1: sum of the terms of b, or what the
 * reactions were at the end of the last arc (a reaction that has just vanished is 0 beside what it was). */
static double size_of_order(const thud_event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  double size = 0;
  for (size_t b = 0; b < motion->pending_count + motion->row_count; b++) {
    size_t i = (size_t)(b < motion->pending_count ? motion->pending[b] : motion->rows[b - motion->pending_count]);
    double own = arc->own[i];
    if (own > 0) size = fmax(size, arc->size[i] / own);
    size = fmax(size, motion->reference[(size_t)k * arc->rows + i] * own);
    if (own > 0) size = fmax(size, arc->noise[(size_t)k * arc->rows + i] / own / motion->options.decision_tolerance);
  }
  return size;
}

/* Moves decided contacts out of J. */
static thud_error sort_pending(thud_event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  double limit = motion->options.decision_tolerance * size_of_order(motion, k);
  size_t left = 0, rows = motion->row_count, count = motion->pending_count;
  for (size_t b = 0; b < count; b++) {
    size_t i = (size_t)motion->pending[b];
    double own = arc->own[i];
    if (motion->lcp_z[b] * own > limit) {
      motion->deflate[i] = motion->order[i] = k;
      add_row(motion, i);
    } else if (motion->lcp_w[b] > limit * own) {
      motion->mode[i] = THUD_CONTACT_LEAVING;
      motion->order[i] = k;
      motion->deflate[i] = event_kind_of(motion, i) == THUD_CONSTRAINT_UNILATERAL ? k + 2 : k + 1;
    } else {
      motion->pending[left++] = motion->pending[b];
    }
  }
  motion->pending_count = left;
  if (motion->row_count == rows) return THUD_OK;
  /* A closed contact that depends on lasting ones lasts with them: its separation is theirs. */
  left = 0;
  for (size_t b = 0; b < motion->pending_count; b++) {
    size_t i = (size_t)motion->pending[b];
    if (independence(motion, i) > MODEL_RANK_TOLERANCE) {
      motion->pending[left++] = motion->pending[b];
      continue;
    }
    motion->mode[i] = THUD_CONTACT_LASTING;
    motion->order[i] = k;
    motion->redundant[i] = true;
  }
  motion->pending_count = left;
  return factorise_rows(motion);
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

static thud_error one_order(thud_event_motion *motion, int k) {
  sim_arc *arc = motion->arc;
  size_t m = arc->rows, rows = motion->row_count;
  double *reaction = arc->reaction + (size_t)k * m;
  thud_error error = thud_arc_open_order(arc, k);
  if (error != THUD_OK) return error;
  memset(reaction, 0, m * sizeof *reaction);
  eliminate_rows(motion);
  if (motion->pending_count > 0) error = solve_pending(motion);
  if (error != THUD_OK) return error;
  for (size_t a = 0; a < rows; a++) {
    double r = -motion->row_drift[a];
    for (size_t b = 0; b < motion->pending_count; b++) r -= motion->coupling[a + b * rows] * motion->lcp_z[b];
    reaction[motion->rows[a]] = r;
  }
  for (size_t b = 0; b < motion->pending_count; b++) reaction[motion->pending[b]] = motion->lcp_z[b];
  if (motion->pending_count > 0) error = sort_pending(motion, k);
  /* What was not decided is 0. */
  for (size_t b = 0; b < motion->pending_count; b++) reaction[motion->pending[b]] = 0;
  thud_arc_close_order(arc, k);
  return error;
}

/* Equations that depend on others must agree with them: order 0 of their u'. */
static thud_error check_redundant(const thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t i = 0; i < motion->m; i++) {
    if (!motion->redundant[i] || !event_is_equation(motion, i)) continue;
    double rate = arc->jet[arc->jets.layout.convective + i], size = fabs(rate);
    for (size_t c = 0; c < motion->n; c++) {
      double term = arc->jet[arc->jets.layout.gradient + i * motion->n + c] * arc->a[c];
      rate += term;
      size += fabs(term);
    }
    if (fabs(rate) > motion->options.decision_tolerance * size)
      return thud_fail(motion->context, THUD_ERROR_UNQUALIFIED,
                       "t = %.10g: equation '%s' depends on others and contradicts them (acceleration %.6g): there is "
                       "no motion",
                       motion->t, name_of(motion, i), rate);
  }
  return THUD_OK;
}

void event_note_undecided(thud_event_motion *motion) {
  thud_event_info *info = &motion->info;
  for (size_t b = 0; b < motion->pending_count; b++) motion->mode[motion->pending[b]] = THUD_CONTACT_UNDECIDED;
  if (motion->pending_count == 0) return;
  if (info->undecided++ > 0) return;
  info->undecided_time = motion->t;
  info->undecided_constraint = motion->pending[0];
  info->undecided_order = motion->arc->decide;
}

/* Every constraint gets its place: equations among the rows, closed contacts at rest into J. */
static void begin_sets(thud_event_motion *motion) {
  motion->row_count = motion->pending_count = 0;
  for (size_t i = 0; i < motion->m; i++) {
    motion->order[i] = -1;
    motion->deflate[i] = 0;
    motion->redundant[i] = false;
    motion->mode[i] = THUD_CONTACT_OPEN;
    if (event_is_equation(motion, i)) add_row(motion, i);
  }
  for (size_t i = 0; i < motion->m; i++) {
    if (event_is_equation(motion, i) || motion->contact[i] == EVENT_AWAY) continue;
    if (motion->contact[i] == EVENT_PARTS) {
      motion->mode[i] = THUD_CONTACT_LEAVING;
      motion->deflate[i] = event_kind_of(motion, i) == THUD_CONSTRAINT_UNILATERAL ? 1 : 0;
    } else if (independence(motion, i) <= MODEL_RANK_TOLERANCE) {
      motion->mode[i] = THUD_CONTACT_LASTING;
      motion->redundant[i] = true;
    } else {
      motion->pending[motion->pending_count++] = (thud_index)i;
    }
  }
}

/* The time of an event is known to its rounding only: what a shift by that could have put into coefficient k of a
 * reaction that is given by the coefficients above it. */
static double put_by_shift(const sim_arc *arc, size_t i, int k, double shift) {
  double sum = 0, factor = 1;
  for (int j = k + 1; j <= arc->order; j++) {
    factor *= shift * j / (j - k);
    sum += factor * fabs(arc->reaction[(size_t)j * arc->rows + i]);
  }
  return sum;
}

/* A reaction that comes up like (t - b)^2 at the time b of an event has order 2, also where b and t differ in the last
 * bit: the coefficients before are left out, so that its touching 0 is not found again and again. */
static void raise_orders(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  double shift = TIME_ROUNDING * fabs(motion->t);
  for (size_t i = 0; i < motion->m; i++) {
    int k = motion->order[i];
    if (motion->mode[i] != THUD_CONTACT_LASTING || k < 0 || motion->redundant[i]) continue;
    while (k < arc->order && fabs(arc->reaction[(size_t)k * arc->rows + i]) <= put_by_shift(arc, i, k, shift)) k++;
    if (arc->reaction[(size_t)k * arc->rows + i] > 0) motion->order[i] = motion->deflate[i] = k;
  }
}

static thud_error decide_frictionless(thud_event_motion *motion) {
  begin_sets(motion);
  thud_error error = factorise_rows(motion);
  for (int k = 0; k <= motion->arc->decide && k <= motion->arc->top && error == THUD_OK; k++) {
    if (k > 0 && motion->pending_count == 0 && !thud_arc_is_series(motion->arc)) break;
    error = one_order(motion, k);
    if (k == 0 && error == THUD_OK) error = check_redundant(motion);
  }
  if (error != THUD_OK) return error;
  raise_orders(motion);
  event_note_undecided(motion);
  return THUD_OK;
}

/* Hands what was decided to an arc that is followed by other means than its series. */
static thud_error follow(thud_event_motion *motion) {
  sim_arc *arc = motion->arc;
  arc_modes *modes = &arc->modes;
  modes->held_count = modes->slide_count = 0;
  for (size_t a = 0; a < motion->row_count; a++) {
    size_t row = (size_t)motion->rows[a];
    if (row < motion->m || motion->laws[arc->law[row - motion->m]].state == LAW_STICK)
      modes->held[modes->held_count++] = (thud_index)row;
  }
  for (size_t l = 0; l < motion->law_count; l++) {
    const event_law *law = &motion->laws[l];
    if (law->state <= LAW_STICK || (law->state == LAW_ONSET && !law->active)) continue;
    modes->slide[modes->slide_count++] = (arc_slide){.law = l,
                                                     .constraint = law->constraint,
                                                     .radius = law->radius,
                                                     .sign = law->sign,
                                                     .first = law->first,
                                                     .directions = law->directions,
                                                     .along = {law->along[0], law->along[1]}};
  }
  thud_error error = arc->backend->follow(arc, motion->options.end - motion->t);
  if (error == THUD_ERROR_NOT_CONVERGED) motion->finding = event_vanished_step(motion);
  return error;
}

thud_error event_decide(thud_event_motion *motion) {
  thud_error error = motion->s > 0 ? event_decide_modes(motion) : decide_frictionless(motion);
  for (size_t i = 0; i < motion->m; i++)
    if (motion->order[i] > motion->info.deepest_order) motion->info.deepest_order = motion->order[i];
  return error == THUD_OK && !thud_arc_is_series(motion->arc) ? follow(motion) : error;
}
