/* What an event says against what it does: kinds, marks, modes. */
#include "verify/event/verify_event_rows.h"

#include <math.h>

/* Accepted error of the time of an event, relative: tangencies are known to about the square root of rounding. */
static const double TIME_ERROR = 1e-6;

/* How far inside the arc before an event its left limits are taken, relative to its length. */
static const double INSIDE = 1e-9;

static bool closes(int before, int after) { return verify_mode_lasts(after) && !verify_mode_lasts(before); }
static bool opens(int before, int after) {
  return !verify_mode_lasts(after) && (verify_mode_lasts(before) || before == VERIFY_MODE_UNDECIDED);
}
static bool sticks(int before, int after) { return before == VERIFY_MODE_SLIDING && after == VERIFY_MODE_STICKING; }
static bool slips(int before, int after) { return verify_mode_lasts(before) && after == VERIFY_MODE_SLIDING; }

/* Is there a constraint, involved in the event, whose modes change like this? */
static bool any_change(const verify_event_rows *f, size_t k, bool (*change)(int before, int after)) {
  for (size_t i = 0; i < f->m; i++)
    if (f->involved[k * f->m + i] != 0 && change((int)f->mode_left[k * f->m + i], verify_event_mode(f, k, i)))
      return true;
  return false;
}

/* Do slips `first` to `first + count` move on arc k, in its middle or at its end? */
static bool slides(verify_event_rows *f, size_t k, size_t first, size_t count) {
  double h = f->t_end[k] - f->t[k];
  for (int part = 1; part <= 2; part++) {
    if (!thud_verify_event_place(f, k, h * part / 2)) return true;
    for (size_t j = first; j < first + count; j++)
      if (fabs(thud_verify_slip_velocity(f->system, &f->at, j, f->state + f->n)) > f->tolerance * f->slip_size[j])
        return true;
  }
  return false;
}

/* A set slides, or rests, on arc k, or a factor of it, where it is a product: each rubs by itself. Boxes are products of
 * intervals. */
static bool set_is(verify_event_rows *f, size_t k, const verify_set *set, size_t first, bool sliding) {
  if (slides(f, k, first, set->n) == sliding) return true;
  for (size_t j = 0; set->kind == VERIFY_BOX && j < set->n; j++)
    if (slides(f, k, first + j, 1) == sliding) return true;
  for (size_t o = 0; set->kind == VERIFY_PRODUCT && o < set->operand_count; first += set->operands[o++].n)
    if (set_is(f, k, &set->operands[o], first, sliding)) return true;
  return false;
}

static bool law_is(verify_event_rows *f, size_t k, const verify_law *law, bool sliding) {
  if (!law->disc && !law->unknown) return set_is(f, k, &law->set, law->first, sliding);
  return slides(f, k, law->first, law->directions) == sliding;
}

/* Friction laws by themselves have no modes in the record: one of them must slide, or rest, on the arc that follows. */
static bool own_law(verify_event_rows *f, size_t k, bool sliding) {
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    if (law->constraint == SIZE_MAX && (!verify_event_has_arc(f, k) || law_is(f, k, law, sliding))) return true;
  }
  return false;
}

/* Changes f->at. */
static bool tells_the_truth(verify_event_rows *f, size_t k) {
  switch ((int)f->event[k]) {
  case VERIFY_EVENT_CLOSE: return any_change(f, k, closes);
  case VERIFY_EVENT_OPEN: return any_change(f, k, opens);
  case VERIFY_EVENT_STICK: return any_change(f, k, sticks) || own_law(f, k, false);
  case VERIFY_EVENT_SLIP: return any_change(f, k, slips) || own_law(f, k, true);
  case VERIFY_EVENT_SWITCH:
    if (verify_event_pushes(f, k) || !thud_verify_same_numbers(f->n, f->v_left + k * f->n, verify_event_v(f, k)))
      return true; /* a surface on which velocities jump does anything to contacts */
    return !any_change(f, k, closes) && !any_change(f, k, opens) && !any_change(f, k, sticks);
  case VERIFY_EVENT_GRAZE: return !any_change(f, k, closes) && !any_change(f, k, opens) && !any_change(f, k, sticks);
  default: return true;
  }
}

/* The gap of constraint i at the end of the arc before row k, a hair inside; NAN: there is none. Changes
 * f->at. */
static double gap_before(verify_event_rows *f, size_t k, size_t i) {
  size_t row = k;
  while (row > 0 && !verify_event_has_arc(f, row - 1)) row--;
  if (row == 0 || f->accumulation[row - 1] != 0) return NAN;
  double h = f->t_end[row - 1] - f->t[row - 1];
  return thud_verify_event_place(f, row - 1, h * (1 - INSIDE)) ? f->at.gap[i] : NAN;
}

/* A gap that jumps: what was closed until here had its part, though beyond the switch the gap is open. */
static double gap_involved(verify_event_rows *f, size_t k, size_t i, double here) {
  bool closed = verify_mode_lasts(verify_event_mode(f, k, i)) || f->impulse[k * (f->m + f->s) + i] != 0;
  if (here <= f->tolerance * f->gap_size[i] || closed) return here;
  double before = gap_before(f, k, i);
  bool back = thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at);
  return isnan(before) || !back ? here : before;
}

/* A gap that is not closed has nothing to do with an event; what presses or changes its mode has. */
static void check_involved(verify_event_rows *f, size_t k, size_t i) {
  const verify_constraint *constraint = &f->system->constraints[i];
  int before = (int)f->mode_left[k * f->m + i], after = verify_event_mode(f, k, i);
  bool involved = f->involved[k * f->m + i] != 0;
  double impulse = f->impulse[k * (f->m + f->s) + i], gap = f->at.gap[i];
  if (!verify_is_one_sided(constraint->kind)) return;
  if (impulse != 0 && !involved)
    thud_verify_fail(&f->checks.modes, f->t[k], k, "'%s' has an impulse and is not involved", constraint->name);
  if (!involved) return;
  if (constraint->kind == VERIFY_UNILATERAL && !f->system->functions &&
      thud_verify_tally(&f->checks.modes, gap_involved(f, k, i, gap), f->tolerance * f->gap_size[i], 0, f->t[k], k))
    thud_verify_explain(&f->checks.modes, "gap of '%s', which is involved in the event", constraint->name);
  bool rests = before == VERIFY_MODE_LASTING && after == before && f->event[k] == VERIFY_EVENT_IMPACT;
  if (rests && impulse == 0)
    thud_verify_fail(&f->checks.modes, f->t[k], k, "nothing happens to '%s', which is called involved",
                     constraint->name);
}

/* A contact that leaves is closed where it does. */
static void check_leaving(verify_event_rows *f, size_t k, size_t i) {
  const verify_constraint *constraint = &f->system->constraints[i];
  if (constraint->kind != VERIFY_UNILATERAL || verify_event_mode(f, k, i) != VERIFY_MODE_LEAVING) return;
  if (f->event[k] == VERIFY_EVENT_NONE && !verify_event_has_arc(f, k)) return; /* the end of the run, after the arc */
  if (thud_verify_tally(&f->checks.modes, fabs(f->at.gap[i]), f->tolerance * f->gap_size[i], 0, f->t[k], k))
    thud_verify_explain(&f->checks.modes, "gap of '%s' where it leaves", constraint->name);
}

/* Between events a contact that leaves becomes open, and nothing else changes. Where no arc follows nothing has been
 * decided. */
static void check_unchanged(verify_event_rows *f, size_t k, size_t i) {
  int before = (int)f->mode_left[k * f->m + i], after = verify_event_mode(f, k, i);
  if (!verify_event_has_arc(f, k) && f->order[k * f->m + i] != -1)
    thud_verify_fail(&f->checks.modes, f->t[k], k, "no arc follows, there was nothing to decide of '%s'",
                     f->system->constraints[i].name);
  bool left = before == VERIFY_MODE_LEAVING && after == VERIFY_MODE_OPEN && verify_event_has_arc(f, k);
  if (before != after && !left)
    thud_verify_fail(&f->checks.modes, f->t[k], k, "the mode of '%s' changes without an event",
                     f->system->constraints[i].name);
}

void thud_verify_event_modes(verify_event_rows *f, size_t k) {
  double length = k > 0 ? f->t_end[k - 1] - f->t[k - 1] : 0;
  bool formulas = !f->system->functions;
  if (formulas && !thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at)) {
    thud_verify_fail(&f->checks.modes, f->t[k], k, "the system cannot be evaluated here");
    return;
  }
  for (size_t i = 0; i < f->m && formulas; i++) check_leaving(f, k, i);
  if (f->event[k] == VERIFY_EVENT_NONE) {
    for (size_t i = 0; i < f->m && k > 0; i++) check_unchanged(f, k, i);
    return;
  }
  if (thud_verify_tally(&f->checks.modes, f->t_error[k], TIME_ERROR * fmax(fabs(f->t[k]), length), 0, f->t[k], k))
    thud_verify_explain(&f->checks.modes, "error of the event's time");
  for (size_t i = 0; i < f->m; i++) check_involved(f, k, i);
  if (!tells_the_truth(f, k))
    thud_verify_fail(&f->checks.modes, f->t[k], k, "the event is not of the kind that it is called");
}
