/* Which contacts last: the graded linear complementarity problem (Ballard, ARMA 154, 2000, section 4.1).
 *
 * J are the one-sided constraints that are closed at rest, I those that last, K those that open. At order k, with r the
 * reactions' and w the separations' (u') coefficients number k:
 *   w = G r + b,   i in I: w = 0 (r of any sign),   i in K: r = 0,   i in J: 0 <= r perp w >= 0.
 * r_i > 0 puts i into I, w_i > 0 into K; what has neither waits for the next order. The same pass computes the series
 * of the arc. The equations of the system are in I from the beginning. */
#include "linalg/dense.h"
#include "model/gradients.h"
#include "motions/event/event.h"

#include <float.h>
#include <stdio.h>

static const char *name_of(const event_problem *problem, size_t i) {
  return thud_system_constraint(problem->system, (thud_index)i)->name;
}

/* ---- rows that hold as equations --------------------------------------------------------------------------------- */

/* What is left of gradient i, at length 1, beside the basis of the rows. */
static double independence(const sim_arc *arc, event_equations *equations, size_t i, bool vanishes) {
  size_t n = arc->n;
  double *next = equations->basis + equations->count * n;
  if (equations->count >= n || vanishes) return 0;
  thud_model_to_orthonormal(n, arc->factor, arc->jet + arc->jets.layout.gradient + i * n, next);
  thud_model_normalise(n, next);
  return thud_model_complement(n, equations->count, equations->basis, next);
}

/* Takes constraint i among the equations, or notes that it depends on those that are there. */
static void add_row(event_motion *motion, size_t i) {
  motion->modes.mode[i] = THUD_CONTACT_LASTING;
  motion->modes.left[i] = independence(motion->arc, &motion->equations, i, motion->modes.vanishes[i]);
  motion->modes.redundant[i] = motion->modes.left[i] <= MODEL_RANK_TOLERANCE;
  if (motion->modes.redundant[i]) return;
  thud_model_normalise(motion->problem.n, motion->equations.basis + motion->equations.count * motion->problem.n);
  motion->equations.rows[motion->equations.count++] = (thud_index)i;
}

static thud_error factorise_rows(event_motion *motion) {
  event_equations *equations = &motion->equations;
  const sim_arc *arc = motion->arc;
  size_t count = equations->count;
  thud_index failed;
  double pivot;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++)
      equations->factor[a + b * count] =
          arc->delassus[(size_t)equations->rows[a] * arc->rows + (size_t)equations->rows[b]];
  if (thud_cholesky_loops((thud_index)count, equations->factor, &failed, &pivot)) return THUD_OK;
  return thud_fail(
      motion->problem.context, THUD_ERROR_UNQUALIFIED,
      "[unqualified-point] t = %.10g: the gradient of constraint '%s' depends on those of the others that hold",
      motion->state.t, name_of(&motion->problem, (size_t)equations->rows[failed]));
}

static void solve_rows(const event_equations *equations, double *x) {
  thud_index count = (thud_index)equations->count;
  thud_dense_solve_lower(count, equations->factor, false, x);
  thud_dense_solve_lower(count, equations->factor, true, x);
}

/* ---- the complementarity problem of one order -------------------------------------------------------------------- */

/* right = G_RR^-1 b_R; coupling = G_RR^-1 G_RJ; matrix = G_JJ - G_JR coupling, q = b_J - G_JR right. */
static void eliminate_rows(event_motion *motion) {
  event_equations *equations = &motion->equations;
  event_graded *graded = &motion->graded;
  const sim_arc *arc = motion->arc;
  size_t rows = equations->count, pending = graded->count, m = arc->rows;
  for (size_t a = 0; a < rows; a++) equations->right[a] = arc->drift[equations->rows[a]];
  solve_rows(equations, equations->right);
  for (size_t b = 0; b < pending; b++) {
    size_t j = (size_t)graded->pending[b];
    double *column = graded->coupling + b * rows;
    for (size_t a = 0; a < rows; a++) column[a] = arc->delassus[(size_t)equations->rows[a] * m + j];
    solve_rows(equations, column);
    graded->q[b] = arc->drift[j];
    for (size_t a = 0; a < rows; a++)
      graded->q[b] -= arc->delassus[(size_t)equations->rows[a] * m + j] * equations->right[a];
    for (size_t c = 0; c < pending; c++) {
      size_t i = (size_t)graded->pending[c];
      double sum = arc->delassus[i * m + j];
      for (size_t a = 0; a < rows; a++) sum -= arc->delassus[(size_t)equations->rows[a] * m + i] * column[a];
      graded->matrix[c + b * pending] = sum;
    }
  }
}

/* The complementarity problem of those of the pending contacts that `use` says (NULL: all); z and w of the others are
 * not set. */
static thud_error solve_some_pending(event_graded *graded, const bool *use, bool *solved) {
  size_t count = 0;
  thud_pivot_info found;
  double *matrix = graded->coupling, *q = graded->z; /* room, when a part is asked for */
  for (size_t b = 0; use != NULL && b < graded->count; b++) {
    if (!use[b]) continue;
    size_t row = 0;
    for (size_t c = 0; c < graded->count; c++)
      if (use[c]) matrix[row++ + count * graded->count] = graded->matrix[c + b * graded->count];
    q[count++] = graded->q[b];
  }
  for (size_t b = 1; use != NULL && b < count; b++) /* columns of the part, one after the other */
    memmove(matrix + b * count, matrix + b * graded->count, count * sizeof *matrix);
  if (use == NULL) count = graded->count;
  const thud_lemke_task task = {.n = (thud_index)count,
                                .M = use == NULL ? graded->matrix : matrix,
                                .q = use == NULL ? graded->q : q,
                                .max_pivots = 100 * ((thud_index)count + 1)};
  thud_error error = thud_lemke_solve(graded->lemke, &task, use == NULL ? graded->z : graded->w,
                                      use == NULL ? graded->w : graded->room, NULL, &found);
  *solved = error == THUD_OK && found.status == THUD_PIVOT_SOLVED;
  return error;
}

/* Names a smallest family of pending contacts that contradict each other: those that cannot be left out. */
static thud_error fail_contradicting_gaps(event_motion *motion, int k) {
  event_graded *graded = &motion->graded;
  char names[256] = "";
  for (size_t b = 0; b < graded->count; b++) graded->use[b] = true;
  for (size_t b = 0; b < graded->count; b++) {
    bool solved = true;
    graded->use[b] = false;
    thud_error error = solve_some_pending(graded, graded->use, &solved);
    if (error != THUD_OK) return error;
    graded->use[b] = solved;
  }
  for (size_t b = 0; b < graded->count; b++)
    if (graded->use[b])
      thud_event_append_text(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "",
                             name_of(&motion->problem, (size_t)graded->pending[b]));
  motion->run.no_solution = true;
  return thud_fail(motion->problem.context, THUD_ERROR_UNQUALIFIED,
                   "[contradictory-constraints] t = %.10g: no solution: gaps %s: no motion keeps all of them from "
                   "closing further in derivative "
                   "number %d by time",
                   motion->state.t, names, k + 2);
}

static thud_error solve_pending(event_motion *motion, int k) {
  event_graded *graded = &motion->graded;
  size_t count = graded->count;
  bool solved;
  if (count == 1) {
    double q = graded->q[0];
    graded->z[0] = q < 0 ? -q / graded->matrix[0] : 0;
    graded->w[0] = q < 0 ? 0 : q;
    return THUD_OK;
  }
  thud_error error = solve_some_pending(graded, NULL, &solved);
  return error != THUD_OK || solved ? error : fail_contradicting_gaps(motion, k);
}

/* Arcs that are no series have errors beside the whole motion: where the foot of a wave has reached a contact its forces are
 * such errors, and decide nothing. The accelerations of an order that count for its rows, in the kinetic metric. */
double thud_event_lent_size(const event_motion *motion) {
  if (thud_arc_is_series(motion->arc) || !motion->run.begun) return 0;
  return ARC_LENT * thud_arc_distance(motion->arc, motion->arc->free, NULL);
}

/* The largest term of the problem in units in which every gradient has length 1: sum of the terms of b, or what the
 * reactions were at the end of the last arc (a reaction that has just vanished is 0 beside what it was). */
static double size_of_order(const event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  double size = thud_event_lent_size(motion);
  for (size_t b = 0; b < motion->graded.count + motion->equations.count; b++) {
    size_t i = (size_t)(b < motion->graded.count ? motion->graded.pending[b]
                                                 : motion->equations.rows[b - motion->graded.count]);
    double own = arc->own[i];
    if (own > 0) size = fmax(size, arc->size[i] / own);
    size = fmax(size, motion->last.reference[(size_t)k * arc->rows + i] * own);
    if (own > 0)
      size = fmax(size, arc->noise[(size_t)k * arc->rows + i] / own / motion->problem.options.decision_tolerance);
  }
  return size;
}

/* Moves decided contacts out of J. */
static thud_error sort_pending(event_motion *motion, int k) {
  event_modes *modes = &motion->modes;
  event_graded *graded = &motion->graded;
  const sim_arc *arc = motion->arc;
  double limit = motion->problem.options.decision_tolerance * size_of_order(motion, k);
  size_t left = 0, rows = motion->equations.count, count = graded->count;
  for (size_t b = 0; b < count; b++) {
    size_t i = (size_t)graded->pending[b];
    double own = arc->own[i];
    if (graded->z[b] * own > limit) {
      modes->deflate[i] = modes->order[i] = k;
      add_row(motion, i);
    } else if (graded->w[b] > limit * own) {
      modes->mode[i] = THUD_CONTACT_LEAVING;
      modes->order[i] = k;
      modes->deflate[i] = event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL ? k + 2 : k + 1;
    } else {
      graded->pending[left++] = graded->pending[b];
    }
  }
  graded->count = left;
  if (motion->equations.count == rows) return THUD_OK;
  /* A closed contact that depends on lasting ones lasts with them: its separation is theirs. */
  left = 0;
  for (size_t b = 0; b < graded->count; b++) {
    size_t i = (size_t)graded->pending[b];
    if (independence(arc, &motion->equations, i, modes->vanishes[i]) > MODEL_RANK_TOLERANCE) {
      graded->pending[left++] = graded->pending[b];
      continue;
    }
    modes->mode[i] = THUD_CONTACT_LASTING;
    modes->order[i] = k;
    modes->redundant[i] = true;
  }
  graded->count = left;
  return factorise_rows(motion);
}

/* Contacts that last need all orders of their gaps. */
thud_error thud_event_check_singular(const event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t i = 0; i < motion->problem.m && thud_arc_is_series(arc); i++) {
    if (arc->singular[i] == 0 || motion->contacts.contact[i] != EVENT_REST) continue;
    return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                     "[no-power-series] t = %.10g: gap '%s' is only of class C^{1,b} here (its second derivatives are "
                     "not finite): a "
                     "lasting contact cannot be followed by power series; use a time-stepping method",
                     motion->state.t, name_of(&motion->problem, i));
  }
  return THUD_OK;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* Reactions of redundant rows are given (event_redundant.c). */
static void take_given_reactions(event_motion *motion, int k) {
  const event_modes *modes = &motion->modes;
  sim_arc *arc = motion->arc;
  for (size_t i = 0; i < motion->problem.m; i++) {
    double given = modes->redundant[i] ? modes->given[(size_t)k * motion->problem.m + i] : 0;
    if (given == 0) continue;
    arc->reaction[(size_t)k * arc->rows + i] = given;
    for (size_t l = 0; l < arc->rows; l++) arc->drift[l] += arc->delassus[l * arc->rows + i] * given;
  }
}

static thud_error solve_graded_order(event_motion *motion, int k) {
  event_graded *graded = &motion->graded;
  sim_arc *arc = motion->arc;
  size_t m = arc->rows, rows = motion->equations.count;
  double *reaction = arc->reaction + (size_t)k * m;
  thud_error error = thud_arc_open_order(arc, k);
  if (error == THUD_OK) error = thud_event_check_singular(motion);
  if (error != THUD_OK) return error;
  memset(reaction, 0, m * sizeof *reaction);
  take_given_reactions(motion, k);
  eliminate_rows(motion);
  if (graded->count > 0) error = solve_pending(motion, k);
  if (error != THUD_OK) return error;
  for (size_t a = 0; a < rows; a++) {
    double r = -motion->equations.right[a];
    for (size_t b = 0; b < graded->count; b++) r -= graded->coupling[a + b * rows] * graded->z[b];
    reaction[motion->equations.rows[a]] = r;
  }
  for (size_t b = 0; b < graded->count; b++) reaction[graded->pending[b]] = graded->z[b];
  if (graded->count > 0) error = sort_pending(motion, k);
  /* What was not decided is 0. */
  for (size_t b = 0; b < graded->count; b++) reaction[graded->pending[b]] = 0;
  thud_event_close_order(motion, k);
  return error;
}

void thud_event_note_undecided(event_motion *motion) {
  thud_event_motion_info *info = &motion->info;
  for (size_t b = 0; b < motion->graded.count; b++)
    motion->modes.mode[motion->graded.pending[b]] = THUD_CONTACT_UNDECIDED;
  if (motion->graded.count == 0) return;
  if (info->undecided++ > 0) return;
  info->undecided_time = motion->state.t;
  info->undecided_constraint = motion->graded.pending[0];
  info->undecided_order = motion->arc->decide;
}

/* Every constraint gets its place: equations among the rows, closed contacts at rest into J. */
static void begin_sets(event_motion *motion) {
  event_modes *modes = &motion->modes;
  motion->equations.count = motion->graded.count = 0;
  for (size_t i = 0; i < motion->problem.m; i++) {
    modes->order[i] = -1;
    modes->deflate[i] = 0;
    modes->redundant[i] = false;
    modes->mode[i] = THUD_CONTACT_OPEN;
    if (event_is_equation(&motion->problem, i)) add_row(motion, i);
  }
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (event_is_equation(&motion->problem, i) || motion->contacts.contact[i] == EVENT_AWAY) continue;
    if (motion->contacts.contact[i] == EVENT_PARTS) {
      modes->mode[i] = THUD_CONTACT_LEAVING;
      modes->deflate[i] = event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL ? 1 : 0;
    } else if (independence(motion->arc, &motion->equations, i, motion->modes.vanishes[i]) <= MODEL_RANK_TOLERANCE) {
      modes->mode[i] = THUD_CONTACT_LASTING;
      modes->redundant[i] = true;
    } else {
      motion->graded.pending[motion->graded.count++] = (thud_index)i;
    }
  }
}

/* Orders that contradict rows which depend on others are looked for as well. */
static bool any_redundant(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->modes.redundant[i]) return true;
  return false;
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
static void raise_orders(event_motion *motion) {
  event_modes *modes = &motion->modes;
  const sim_arc *arc = motion->arc;
  double shift = EVENT_TIME_ROUNDING * fabs(motion->state.t);
  for (size_t i = 0; i < motion->problem.m; i++) {
    int k = modes->order[i];
    if (modes->mode[i] != THUD_CONTACT_LASTING || k < 0 || modes->redundant[i]) continue;
    while (k < arc->order && fabs(arc->reaction[(size_t)k * arc->rows + i]) <= put_by_shift(arc, i, k, shift)) k++;
    if (arc->reaction[(size_t)k * arc->rows + i] > 0) modes->order[i] = modes->deflate[i] = k;
  }
}

/* Gradients that vanish are 0: no force acts along what rounding has left of them. */
static void clear_vanishing(event_motion *motion) {
  sim_arc *arc = motion->arc;
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (!motion->modes.vanishes[i]) continue;
    memset(arc->jet + thud_arc_row(arc, i), 0, arc->n * sizeof(double));
    memset(arc->response + i * arc->n, 0, arc->n * sizeof(double));
    for (size_t l = 0; l < arc->rows; l++) arc->delassus[i * arc->rows + l] = arc->delassus[l * arc->rows + i] = 0;
    arc->own[i] = 0;
  }
}

thud_error thud_event_compute_orders(event_motion *motion, int last) {
  clear_vanishing(motion);
  begin_sets(motion);
  motion->arc->top = motion->arc->order;
  thud_error error = factorise_rows(motion);
  for (int k = 0; k <= last && k <= motion->arc->top && error == THUD_OK; k++) {
    if (k > 0 && motion->graded.count == 0 && !thud_arc_is_series(motion->arc) && !any_redundant(motion)) break;
    error = solve_graded_order(motion, k);
  }
  return error;
}

static thud_error decide_frictionless(event_motion *motion) {
  memset(motion->modes.given, 0, ((size_t)motion->arc->order + 1) * motion->problem.m * sizeof(double));
  thud_event_clear_passage(motion);
  thud_error error = thud_event_compute_orders(motion, motion->arc->decide);
  if (error == THUD_OK) error = thud_event_follow_redundant(motion);
  if (error == THUD_OK) error = thud_event_check_approach(motion);
  if (error != THUD_OK) return error;
  raise_orders(motion);
  thud_event_note_undecided(motion);
  return THUD_OK;
}

static void hold_row(arc_modes *modes, size_t row, arc_mix mix) {
  modes->mix[modes->held_count] = mix;
  modes->held[modes->held_count++] = (thud_index)row;
}

/* On an edge the part of the force along its normal is given, and the slip along the edge is held. */
static void add_slide(sim_arc *arc, const event_law *law) {
  bool curve = thud_event_is_on_curve(arc, law) && law->state != LAW_EDGE;
  arc_slide *made = &arc->modes.slide[arc->modes.slide_count++];
  *made = (arc_slide){.law = law->own,
                      .constraint = law->constraint,
                      .radius = law->radius,
                      .sign = law->sign,
                      .first = law->first,
                      .directions = law->directions,
                      .fixed = law->corners > 0 && !curve,
                      .outline = curve ? thud_event_outline(arc->system, law) : NULL,
                      .piece = law->corners > 0 ? law->face / 2 : 0};
  memcpy(made->along, law->along, sizeof made->along);
  if (law->state != LAW_EDGE) return;
  event_edge edge;
  thud_event_edge(arc, law, law->face / 2, &edge);
  for (size_t c = 0; c < 2; c++) made->along[c] = -edge.offset * edge.normal[c];
  hold_row(&arc->modes, event_row_of(arc, law, 0), (arc_mix){{edge.along[0], edge.along[1]}, true});
}

/* Hands what was decided to an arc that is followed by other means than its series. */
static thud_error follow_by_backend(event_motion *motion) {
  sim_arc *arc = motion->arc;
  arc_modes *modes = &arc->modes;
  modes->held_count = modes->slide_count = 0;
  for (size_t a = 0; a < motion->equations.count; a++) {
    size_t row = (size_t)motion->equations.rows[a];
    if (row < motion->problem.m || motion->friction.laws[arc->law[row - motion->problem.m]].state == LAW_STICK)
      hold_row(modes, row, (arc_mix){{1, 0}, false});
  }
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    if (law->state <= LAW_STICK || (law->state == LAW_ONSET && !law->active)) continue;
    add_slide(arc, law);
  }
  thud_error error = arc->backend->follow(arc, event_end(&motion->problem) - motion->state.t, !motion->last.going_on);
  if (error == THUD_ERROR_NOT_CONVERGED)
    motion->run.finding = thud_event_status_of_vanished_step(&motion->problem, &motion->state, &motion->scales);
  return error;
}

/* No modes of friction are consistent: where dependent equations contradict each other without it, that is why. */
static thud_error explain_inconsistent(event_motion *motion, thud_error error) {
  char message[512];
  snprintf(message, sizeof message, "%s", thud_context_last_message(motion->problem.context));
  thud_error other = decide_frictionless(motion);
  if (other == THUD_ERROR_MEMORY) return other;
  if (!motion->run.no_solution) return thud_fail(motion->problem.context, error, "%s", message);
  motion->run.finding = THUD_MOTION_RUNNING;
  return other;
}

thud_error thud_event_decide_modes(event_motion *motion) {
  thud_error error =
      motion->problem.s > 0 ? thud_event_decide_modes_with_friction(motion) : decide_frictionless(motion);
  if (motion->run.finding == THUD_MOTION_INCONSISTENT) error = explain_inconsistent(motion, error);
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->modes.order[i] > motion->info.deepest_order) motion->info.deepest_order = motion->modes.order[i];
  return error == THUD_OK && !thud_arc_is_series(motion->arc) ? follow_by_backend(motion) : error;
}

/* ---- against drift ------------------------------------------------------------------------------------------------- */

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
