/* Right accumulations: places where impacts may begin in infinitely many ways.
 *
 * Impacts cannot accumulate from the right where the data have a power series to the right (Ballard, ARMA 154, 2000):
 * the motion is then unique. Data that are piecewise or merely smooth can let them: an elastic contact at rest under a
 * force that is never negative has a second motion that bounces off (Bressan; Schatzman). What excludes it without
 * power series is a force that presses or lifts from the first instant on: order 0 has decided. A closed contact that
 * order 0 does not decide, at a break of the data or where they have no power series, is noted: the motion found is
 * one of possibly several. */
#include "motions/event/event.h"

static bool is_closed_at_rest(const event_problem *problem, const event_contacts *contacts, const event_modes *modes,
                              size_t i) {
  return !event_is_equation(problem, i) && contacts->contact[i] == EVENT_REST && !modes->redundant[i];
}

static void note(const event_present *state, thud_event_motion_info *info, size_t i) {
  if (info->right_accumulations++ > 0) return;
  info->right_accumulation_time = state->t;
  info->right_accumulation_constraint = (thud_index)i;
}

/* An expression changes its branch here, or starts on the edge of one. */
static bool at_break(const event_motion *motion) {
  if (motion->event.switched) return true;
  for (size_t j = 0; j < motion->arc->switches && !motion->run.begun; j++)
    if (motion->switches.at_zero[j]) return true;
  return false;
}

void thud_event_note_right_accumulation(event_motion *motion) {
  if (motion->arc->switches == 0 || !at_break(motion)) return;
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (!is_closed_at_rest(&motion->problem, &motion->contacts, &motion->modes, i) || motion->modes.order[i] == 0)
      continue;
    note(&motion->state, &motion->info, i);
    return;
  }
}

/* The contact at rest where the data have values but no power series; m: none. */
static size_t find_without_series(const event_motion *motion, thud_error error) {
  const sim_arc *arc = motion->arc;
  size_t i = error == THUD_ERROR_NOT_FINITE ? 0 : motion->problem.m;
  for (size_t k = 0; k < arc->jets.layout.count; k++)
    if (!isfinite(arc->jet[k])) return motion->problem.m;
  while (i < motion->problem.m && !is_closed_at_rest(&motion->problem, &motion->contacts, &motion->modes, i)) i++;
  return i;
}

thud_error thud_event_go_back_and_explain(event_motion *motion, thud_error error) {
  size_t i = find_without_series(motion, error);
  error = thud_event_restore_kept(motion, error);
  if (i == motion->problem.m) return error;
  note(&motion->state, &motion->info, i);
  return thud_fail_within(
      motion->problem.context, error,
      "contact '%s' is closed at rest where the data are smooth at most: impacts may begin there in "
      "infinitely many ways (right accumulation) and the motion is not determined; start after this "
      "time, in the state of the motion that is wanted",
      thud_system_constraint(motion->problem.system, (thud_index)i)->name);
}
