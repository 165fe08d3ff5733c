/* Which contacts last, stick and slide, in systems with planar Coulomb friction.
 *
 * Every combination of modes of the closed contacts (open; closed; sticking; sliding forth or back) turns the contacts
 * into equations, and so gives one power series of the motion. The combination is consistent when the conditions of its
 * modes hold on some interval ]0, s[, that is when the first coefficient that is not 0 is positive in
 *   closed    r_N                           open     u_N'
 *   sticking  mu r_N - r_T, mu r_N + r_T    sliding  d u_T', where the slip velocity is 0 (d = +-1 the direction)
 * This is the recursion of Ballard and Basseville (M2AN 39, 2005) with all orders at once: acceleration level first,
 * and higher derivatives where that is degenerate. Modes that say the same in a degenerate case are counted once: open
 * and sliding need a coefficient that is positive. */
#include "sim/event.h"

#include "linalg/dense.h"

#include <float.h>

typedef enum choice { CHOICE_OPEN, CHOICE_CLOSED, CHOICE_STICK, CHOICE_FORTH, CHOICE_BACK } choice;

static const char *const choice_names[] = {"open", "closed", "sticking", "sliding forth", "sliding back"};

enum { NOT_YET = -1 };

/* The slip component of a constraint, or -1. */
static thud_index slip_of(const thud_event_motion *motion, size_t i) {
  for (size_t j = 0; j < motion->s; j++)
    if (motion->arc->owner[j] == (thud_index)i) return (thud_index)j;
  return -1;
}

/* The modes that constraint i may have, in the order in which they are tried. */
static int options_of(const thud_event_motion *motion, size_t i, choice *options) {
  thud_index j = slip_of(motion, i);
  int count = 0;
  if (j < 0) {
    options[count++] = CHOICE_CLOSED;
  } else if (motion->slip[j] != 0) {
    options[count++] = motion->slip[j] > 0 ? CHOICE_FORTH : CHOICE_BACK;
  } else {
    options[count++] = CHOICE_STICK;
    options[count++] = CHOICE_FORTH;
    options[count++] = CHOICE_BACK;
  }
  options[count++] = CHOICE_OPEN;
  return count;
}

/* ---- one combination --------------------------------------------------------------------------------------------- */

/* Rows that hold as equations, and what slides. */
static void apply_choices(thud_event_motion *motion) {
  sim_arc *arc = motion->arc;
  motion->row_count = 0;
  for (size_t j = 0; j < motion->s; j++) arc->slide[j] = 0;
  for (size_t i = 0; i < motion->m; i++)
    if (event_is_equation(motion, i)) motion->rows[motion->row_count++] = (thud_index)i;
  for (size_t b = 0; b < motion->pending_count; b++) {
    size_t i = (size_t)motion->pending[b];
    int mode = motion->chosen[i];
    if (mode == CHOICE_OPEN) continue;
    motion->rows[motion->row_count++] = (thud_index)i;
    thud_index j = slip_of(motion, i);
    if (mode == CHOICE_STICK) motion->rows[motion->row_count++] = (thud_index)motion->m + j;
    if (mode == CHOICE_FORTH) arc->slide[j] = 1;
    if (mode == CHOICE_BACK) arc->slide[j] = -1;
  }
  thud_arc_couple(arc);
}

/* LU factor of G on the rows, every row and column in units of its gradient's length. */
static bool factorise(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t count = motion->row_count;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++) {
      size_t i = (size_t)motion->rows[a], l = (size_t)motion->rows[b];
      motion->row_factor[a + b * count] = arc->delassus[i * arc->rows + l] / (arc->own[i] * arc->own[l]);
    }
  return count == 0 || thud_dense_lu((thud_index)count, motion->row_factor, motion->pivots);
}

static void solve(thud_event_motion *motion, double *reaction) {
  const sim_arc *arc = motion->arc;
  size_t count = motion->row_count;
  for (size_t a = 0; a < count; a++) motion->row_drift[a] = -arc->drift[motion->rows[a]] / arc->own[motion->rows[a]];
  if (count > 0) thud_dense_lu_solve((thud_index)count, motion->row_factor, motion->pivots, motion->row_drift);
  for (size_t a = 0; a < count; a++) reaction[motion->rows[a]] = motion->row_drift[a] / arc->own[motion->rows[a]];
}

/* u' of a row at the present order, with the reactions that hold. */
static double separation(const thud_event_motion *motion, size_t row, const double *reaction) {
  const sim_arc *arc = motion->arc;
  double sum = arc->drift[row];
  for (size_t a = 0; a < motion->row_count; a++)
    sum += arc->delassus[row * arc->rows + (size_t)motion->rows[a]] * reaction[motion->rows[a]];
  return sum;
}

/* The size of the order's terms in units in which every gradient has length 1. */
static double size_of_order(const thud_event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  double size = 0;
  for (size_t i = 0; i < arc->rows; i++) {
    if (i < motion->m && motion->contact[i] == EVENT_AWAY) continue;
    if (i >= motion->m && motion->contact[arc->owner[i - motion->m]] == EVENT_AWAY) continue;
    if (arc->own[i] > 0) size = fmax(size, arc->size[i] / arc->own[i]);
    size = fmax(size, motion->reference[(size_t)k * arc->rows + i] * arc->own[i]);
  }
  return size;
}

/* A condition that waits for its first coefficient. False: it is negative. */
static bool condition_holds(double value, double limit, int k, int *decided) {
  if (*decided != NOT_YET || fabs(value) <= limit) return true;
  *decided = k;
  return value > 0;
}

/* mu r_N, coefficient k. */
static double threshold(const thud_event_motion *motion, size_t j, int k) {
  const sim_arc *arc = motion->arc;
  double sum = 0;
  for (int l = 0; l <= k; l++)
    sum += thud_arc_jet(arc, l)[arc->jets.layout.friction + (size_t)arc->law[j]] *
           arc->reaction[(size_t)(k - l) * arc->rows + (size_t)arc->owner[j]];
  return sum;
}

/* The conditions of contact i at order k, reactions of the order being known. */
static bool contact_is_consistent(thud_event_motion *motion, size_t i, int k, double size) {
  const sim_arc *arc = motion->arc;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  double limit = motion->options.decision_tolerance * size;
  thud_index slip = slip_of(motion, i);
  int mode = motion->chosen[i];
  if (mode == CHOICE_OPEN)
    return condition_holds(separation(motion, i, reaction), limit * arc->own[i], k, &motion->order[i]);
  if (!condition_holds(reaction[i], limit / arc->own[i], k, &motion->order[i])) return false;
  if (slip < 0) return true;
  size_t j = (size_t)slip, row = motion->m + j;
  if (mode == CHOICE_STICK) {
    double most = threshold(motion, j, k), force = reaction[row], small = limit / arc->own[row];
    return condition_holds(most - force, small, k, &motion->margin_order[2 * j]) &&
           condition_holds(most + force, small, k, &motion->margin_order[2 * j + 1]);
  }
  if (motion->slip[j] != 0) return true;
  double d = mode == CHOICE_FORTH ? 1 : -1;
  return condition_holds(d * separation(motion, row, reaction), limit * arc->own[row], k, &motion->slip_order[j]);
}

/* Open contacts and (unless wedged) slips from rest must have moved by the last order. */
static bool all_decided(const thud_event_motion *motion) {
  for (size_t b = 0; b < motion->pending_count; b++) {
    size_t i = (size_t)motion->pending[b];
    int mode = motion->chosen[i];
    if (mode == CHOICE_OPEN && motion->order[i] == NOT_YET) return false;
    if (mode < CHOICE_FORTH || motion->wedged) continue;
    thud_index j = slip_of(motion, i);
    if (motion->slip[j] == 0 && motion->slip_order[j] == NOT_YET) return false;
  }
  return true;
}

/* The series of the modes in `chosen`; *consistent: their conditions hold. */
static thud_error try_choices(thud_event_motion *motion, bool *consistent) {
  sim_arc *arc = motion->arc;
  thud_error error = THUD_OK;
  apply_choices(motion);
  *consistent = factorise(motion);
  for (size_t i = 0; i < motion->m; i++) motion->order[i] = NOT_YET;
  for (size_t j = 0; j < motion->s; j++)
    motion->slip_order[j] = motion->margin_order[2 * j] = motion->margin_order[2 * j + 1] = NOT_YET;
  for (int k = 0; k <= arc->decide && *consistent && error == THUD_OK; k++) {
    double *reaction = arc->reaction + (size_t)k * arc->rows;
    error = thud_arc_open_order(arc, k);
    if (error != THUD_OK) break;
    memset(reaction, 0, arc->rows * sizeof *reaction);
    solve(motion, reaction);
    double size = motion->order_size[k] = size_of_order(motion, k);
    for (size_t b = 0; b < motion->pending_count && *consistent; b++)
      *consistent = contact_is_consistent(motion, (size_t)motion->pending[b], k, size);
    thud_arc_close_order(arc, k);
  }
  *consistent = *consistent && error == THUD_OK && all_decided(motion);
  return error;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* Length of the difference of two accelerations in the kinetic metric. */
static double distance(const thud_event_motion *motion, const double *x, const double *y) {
  const double *factor = motion->arc->factor;
  size_t n = motion->n;
  double sum = 0;
  for (size_t c = 0; c < n; c++) { /* |L'(x - y)|^2 */
    double component = 0;
    for (size_t i = c; i < n; i++) component += factor[i * n + c] * (x[i] - y[i]);
    sum += component * component;
  }
  return sqrt(sum);
}

/* Whether the series is the one in `other`, within the step and beside the terms that it is the sum of: different
 * modes, the same motion. */
static bool same_motion(const thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  double h = fmin(motion->other_step, thud_arc_step(arc, motion->options.end - motion->t));
  double power = 1, size = 0, difference = 0;
  for (int k = 0; k <= arc->decide; k++, power *= h) {
    size_t at = (size_t)k * motion->n;
    size = fmax(size, motion->order_size[k] * power);
    difference = fmax(difference, distance(motion, arc->a + at, motion->other + at) * power);
  }
  return difference <= sqrt(motion->options.decision_tolerance) * size;
}

/* Next combination as a number with one digit per contact; false after the last. */
static bool next_choices(thud_event_motion *motion) {
  for (size_t b = 0; b < motion->pending_count; b++) {
    choice options[4];
    size_t i = (size_t)motion->pending[b];
    int count = options_of(motion, i, options);
    motion->digit[i] = (motion->digit[i] + 1) % count;
    motion->chosen[i] = (int)options[motion->digit[i]];
    if (motion->digit[i] != 0) return true;
  }
  return false;
}

static void first_choices(thud_event_motion *motion) {
  for (size_t b = 0; b < motion->pending_count; b++) {
    choice options[4];
    size_t i = (size_t)motion->pending[b];
    options_of(motion, i, options);
    motion->digit[i] = 0;
    motion->chosen[i] = (int)options[0];
  }
}

static thud_error no_unique_mode(thud_event_motion *motion, size_t found) {
  size_t i = (size_t)motion->pending[0];
  const char *name = thud_system_constraint(motion->system, (thud_index)i)->name;
  if (found == 0) {
    motion->finding = THUD_EVENT_INCONSISTENT;
    return thud_fail(
        motion->context, THUD_ERROR_UNQUALIFIED,
        "t = %.10g: no modes of the %zu closed contacts ('%s' ...) are consistent: Painleve's paradox; only "
        "an impact could go on",
        motion->t, motion->pending_count, name);
  }
  motion->finding = THUD_EVENT_INDETERMINATE;
  return thud_fail(
      motion->context, THUD_ERROR_UNQUALIFIED,
      "t = %.10g: several motions are consistent: contact '%s' can go on %s, or %s; friction leaves it open", motion->t,
      name, choice_names[motion->first_chosen[i]], choice_names[motion->chosen[i]]);
}

/* All combinations; *found: 0 or 1 (its modes are in first_chosen), or THUD_OK is not returned. */
static thud_error search(thud_event_motion *motion, size_t *found) {
  size_t bytes = (size_t)(motion->arc->order + 1) * motion->n * sizeof(double);
  bool more = true;
  *found = 0;
  first_choices(motion);
  while (more) {
    bool consistent;
    thud_error error = try_choices(motion, &consistent);
    if (error != THUD_OK) return error;
    if (consistent && *found == 0) {
      *found = 1;
      memcpy(motion->other, motion->arc->a, bytes);
      motion->other_step = thud_arc_step(motion->arc, motion->options.end - motion->t);
      memcpy(motion->first_chosen, motion->chosen, motion->m * sizeof *motion->chosen);
    } else if (consistent && !same_motion(motion)) {
      return no_unique_mode(motion, 2);
    }
    more = next_choices(motion);
  }
  return THUD_OK;
}

static thud_error find_modes(thud_event_motion *motion) {
  size_t found;
  bool consistent;
  motion->wedged = false;
  thud_error error = search(motion, &found);
  if (error == THUD_OK && found == 0) {
    motion->wedged = true;
    error = search(motion, &found);
  }
  if (error != THUD_OK) return error;
  if (found == 0) return no_unique_mode(motion, 0);
  memcpy(motion->chosen, motion->first_chosen, motion->m * sizeof *motion->chosen);
  return try_choices(motion, &consistent);
}

/* ---- what was found ---------------------------------------------------------------------------------------------- */

static void note_mode(thud_event_motion *motion, size_t i) {
  thud_index slip = slip_of(motion, i);
  int mode = motion->chosen[i], never = motion->arc->order + 1;
  if (mode == CHOICE_OPEN) {
    motion->mode[i] = THUD_CONTACT_LEAVING;
    motion->deflate[i] = motion->order[i] + (event_kind_of(motion, i) == THUD_CONSTRAINT_UNILATERAL ? 2 : 1);
    return;
  }
  bool forced = motion->order[i] != NOT_YET;
  bool rests = mode == CHOICE_STICK || (slip >= 0 && motion->slip[slip] == 0 && motion->slip_order[slip] == NOT_YET);
  motion->mode[i] = !forced                 ? THUD_CONTACT_UNDECIDED
                    : mode == CHOICE_CLOSED ? THUD_CONTACT_LASTING
                    : rests                 ? THUD_CONTACT_STICKING
                                            : THUD_CONTACT_SLIDING;
  motion->deflate[i] = forced ? motion->order[i] : never;
  if (slip < 0) return;
  size_t j = (size_t)slip;
  motion->slip_deflate[j] = motion->slip[j] != 0 ? 0 : motion->slip_order[j] + 1;
  for (size_t side = 0; side < 2; side++) {
    int order = motion->margin_order[2 * j + side];
    motion->margin_deflate[2 * j + side] = order == NOT_YET ? never : order;
  }
}

static void note_modes(thud_event_motion *motion) {
  size_t undecided = 0;
  for (size_t b = 0; b < motion->pending_count; b++) {
    size_t i = (size_t)motion->pending[b];
    note_mode(motion, i);
    if (motion->mode[i] == THUD_CONTACT_UNDECIDED) motion->pending[undecided++] = (thud_index)i;
  }
  motion->pending_count = undecided;
  event_note_undecided(motion);
}

thud_error event_decide_modes(thud_event_motion *motion) {
  bool as_before = motion->going_on;
  motion->pending_count = 0;
  for (size_t i = 0; i < motion->m; i++) {
    motion->deflate[i] = 0;
    motion->redundant[i] = false;
    motion->mode[i] = event_is_equation(motion, i) ? THUD_CONTACT_LASTING : THUD_CONTACT_OPEN;
    if (event_is_equation(motion, i) || motion->contact[i] == EVENT_AWAY) continue;
    if (motion->contact[i] == EVENT_REST) {
      motion->pending[motion->pending_count++] = (thud_index)i;
      continue;
    }
    motion->mode[i] = THUD_CONTACT_LEAVING;
    motion->deflate[i] = event_kind_of(motion, i) == THUD_CONSTRAINT_UNILATERAL ? 1 : 0;
  }
  /* Between events modes do not change: those of the arc before, which were the only ones. */
  if (as_before) {
    thud_error error = try_choices(motion, &as_before);
    if (error != THUD_OK) return error;
  }
  if (!as_before) {
    thud_error error = find_modes(motion);
    if (error != THUD_OK) return error;
  }
  note_modes(motion);
  return THUD_OK;
}
