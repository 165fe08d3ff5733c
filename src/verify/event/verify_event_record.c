/* An event-driven record of a `system` scene: from its rows to a list of checks, with modes, events and summary. */
#include "verify/event/verify_event.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what an event says against what it does --------------------------------------------------------------------- */

/* What an event says against what it does: kinds, marks, modes. */

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
  if (!law->disc && !law->firm && !law->unknown) return set_is(f, k, &law->set, law->first, sliding);
  return slides(f, k, law->first, law->directions) == sliding;
}

/* Friction laws by themselves have no modes in the record: one of them must slide, or rest, on the arc that follows.
 * Slips that are functions are not known there. */
static bool own_law(verify_event_rows *f, size_t k, bool sliding) {
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    bool known = verify_event_has_arc(f, k) && !f->system->functions;
    if (law->constraint == SIZE_MAX && (!known || law_is(f, k, law, sliding))) return true;
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
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "'%s' has an impulse and is not involved", constraint->name);
  if (!involved) return;
  if (constraint->kind == VERIFY_UNILATERAL && !f->system->functions &&
      thud_verify_tally(&f->checks[EVENT_MODES], gap_involved(f, k, i, gap), f->tolerance * f->gap_size[i], 0, f->t[k],
                        k))
    thud_verify_explain(&f->checks[EVENT_MODES], "gap of '%s', which is involved in the event", constraint->name);
  bool rests = before == VERIFY_MODE_LASTING && after == before && f->event[k] == VERIFY_EVENT_IMPACT;
  if (rests && impulse == 0)
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "nothing happens to '%s', which is called involved",
                     constraint->name);
}

/* A contact that leaves is closed where it does. */
static void check_leaving(verify_event_rows *f, size_t k, size_t i) {
  const verify_constraint *constraint = &f->system->constraints[i];
  if (constraint->kind != VERIFY_UNILATERAL || verify_event_mode(f, k, i) != VERIFY_MODE_LEAVING) return;
  if (f->event[k] == VERIFY_EVENT_NONE && !verify_event_has_arc(f, k)) return; /* the end of the run, after the arc */
  if (thud_verify_tally(&f->checks[EVENT_MODES], fabs(f->at.gap[i]), f->tolerance * f->gap_size[i], 0, f->t[k], k))
    thud_verify_explain(&f->checks[EVENT_MODES], "gap of '%s' where it leaves", constraint->name);
}

/* Between events a contact that leaves becomes open, and nothing else changes. Where no arc follows nothing has been
 * decided. */
static void check_unchanged(verify_event_rows *f, size_t k, size_t i) {
  int before = (int)f->mode_left[k * f->m + i], after = verify_event_mode(f, k, i);
  if (!verify_event_has_arc(f, k) && f->order[k * f->m + i] != -1)
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "no arc follows, there was nothing to decide of '%s'",
                     f->system->constraints[i].name);
  bool left = before == VERIFY_MODE_LEAVING && after == VERIFY_MODE_OPEN && verify_event_has_arc(f, k);
  if (before != after && !left)
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "the mode of '%s' changes without an event",
                     f->system->constraints[i].name);
}

/* The event of row k is what it is called. */
static void event_modes(verify_event_rows *f, size_t k) {
  double length = k > 0 ? f->t_end[k - 1] - f->t[k - 1] : 0;
  bool formulas = !f->system->functions;
  if (formulas && !thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at)) {
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "the system cannot be evaluated here");
    return;
  }
  for (size_t i = 0; i < f->m && formulas; i++) check_leaving(f, k, i);
  if (f->event[k] == VERIFY_EVENT_NONE) {
    for (size_t i = 0; i < f->m && k > 0; i++) check_unchanged(f, k, i);
    return;
  }
  if (thud_verify_tally(&f->checks[EVENT_MODES], f->t_error[k], TIME_ERROR * fmax(fabs(f->t[k]), length), 0, f->t[k],
                        k))
    thud_verify_explain(&f->checks[EVENT_MODES], "error of the event's time");
  for (size_t i = 0; i < f->m; i++) check_involved(f, k, i);
  if (!tells_the_truth(f, k))
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "the event is not of the kind that it is called");
}

/* ---- events and summary of an event-driven record ---------------------------------------------------------------- */

/* Events and summary of an event-driven record: they report the same as its frames. */

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

static void fail(verify_event_rows *f, size_t k, const char *what) {
  thud_verify_fail(&f->checks[EVENT_EVENTS], f->t[k], k, "the %s of the event is not that of its frame", what);
}

/* The modes that event e of row k lists are those of the constraints that are involved or change, in their order; the
 * first event of a frame begins with the modes before it, the last one ends with those of the arc. Joins of rows take
 * care of what is in between. */
static void compare_modes(verify_event_rows *f, size_t k, size_t e) {
  const verify_ragged *changed = &f->tables.changed;
  const double *pairs = verify_ragged_row(&f->tables.modes, e), *before = f->mode_left + k * f->m;
  const double *left = f->tables.mode_left + (size_t)f->frame[k] * f->m;
  size_t next = 0, count = verify_ragged_count(changed, e);
  bool begins = verify_event_begins_frame(f, k), same = true;
  for (size_t i = 0; i < f->m; i++) {
    double after = f->mode[k * f->m + i];
    bool listed = next < count && verify_ragged_row(changed, e)[next] == (double)i;
    same = same && listed == (f->involved[k * f->m + i] != 0 || before[i] != after);
    if (!listed) continue;
    same = same && pairs[2 * next + 1] == after && (!begins || pairs[2 * next] == left[i]);
    next++;
  }
  if (!same || next != count) fail(f, k, "list of modes");
}

/* Slip that goes on in another direction: every sliding contact of the event slid before. */
static bool turns_round(const verify_event_rows *f, size_t k) {
  bool any = false;
  for (size_t i = 0; i < f->m; i++) {
    if (f->involved[k * f->m + i] == 0 || verify_event_mode(f, k, i) != VERIFY_MODE_SLIDING) continue;
    if (f->mode_left[k * f->m + i] != VERIFY_MODE_SLIDING) return false;
    any = true;
  }
  return f->event[k] == VERIFY_EVENT_SLIP && any;
}

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* A note that says in which expression something switches names what the scene has. */
static bool names_the_scene(const verify_system *system, const thud_record_cell *cell) {
  const char *begin = memchr(cell->text, '\'', cell->count);
  if (begin == NULL) return true; /* the potential energy, a derivative */
  size_t left = cell->count - (size_t)(++begin - cell->text);
  const char *end = memchr(begin, '\'', left);
  if (end == NULL) return false;
  size_t length = (size_t)(end - begin);
  for (size_t i = 0; i < system->n; i++)
    if (is_name(system->scene.names[i], begin, length)) return true;
  for (size_t i = 0; i < system->m; i++)
    if (is_name(system->constraints[i].name, begin, length)) return true;
  for (size_t l = 0; l < system->law_count; l++)
    if (is_name(system->laws[l].name, begin, length)) return true;
  return false;
}

static thud_error compare_note(verify_event_rows *f, thud_record_reader *reader, size_t k, size_t e) {
  const char *expected = f->tangential[k] != 0 ? "without collision" : turns_round(f, k) ? "turns round" : "";
  thud_record_cell cell;
  size_t channel;
  if (thud_record_find_channel(reader, THUD_RECORD_EVENTS, "note", &channel) != THUD_OK ||
      thud_record_reader_channel(reader, THUD_RECORD_EVENTS, channel)->type != THUD_RECORD_TEXT) {
    thud_verify_fail(&f->checks[EVENT_EVENTS], NAN, SIZE_MAX, "the events have no notes");
    return THUD_OK;
  }
  thud_error error = thud_record_read_cell(reader, THUD_RECORD_EVENTS, channel, e, &cell);
  if (error == THUD_OK && f->event[k] == VERIFY_EVENT_SWITCH && cell.count > 0) {
    if (!names_the_scene(f->system, &cell)) fail(f, k, "note");
    return THUD_OK;
  }
  if (error == THUD_OK && (cell.count != strlen(expected) || strncmp(cell.text, expected, cell.count) != 0))
    fail(f, k, "note");
  return error;
}

/* The deepest order that decided a mode. */
static double deepest_order(const verify_event_rows *f, size_t k) {
  double deepest = -1;
  for (size_t i = 0; i < f->m; i++) deepest = fmax(deepest, f->order[k * f->m + i]);
  return deepest;
}

/* Event e, which made row k; numbers to the last bit. */
static thud_error check_event(verify_event_rows *f, thud_record_reader *reader, size_t k, size_t e) {
  const verify_event_tables *tables = &f->tables;
  size_t j = (size_t)f->frame[k];
  bool jumps = verify_event_jumps(f, k) || verify_event_pushes(f, k);
  const verify_claim claim = {.system = f->system,
                              .own_laws = f->event[k] == VERIFY_EVENT_PERCUSSION,
                              .marks = f->involved + k * f->m,
                              .all_impulses = true,
                              .impulse = jumps ? f->impulse + k * (f->m + f->s) : NULL,
                              .t = f->t[k],
                              .frame = k};
  thud_verify_event_compare(&claim, &tables->events, e, &f->checks[EVENT_EVENTS]);
  compare_modes(f, k, e);
  if (verify_event_begins_frame(f, k) &&
      !thud_verify_same_numbers(f->n, tables->events.before + e * f->n, tables->v_left + j * f->n))
    fail(f, k, "velocity before");
  if (verify_event_ends_frame(f, k)) {
    if (!thud_verify_same_numbers(f->n, tables->events.after + e * f->n, verify_event_v(f, k)))
      fail(f, k, "velocity after");
    if (!thud_verify_same_numbers(VERIFY_LEDGER_WIDTH, tables->event_ledger + e * VERIFY_LEDGER_WIDTH,
                                  tables->ledger + j * VERIFY_LEDGER_WIDTH))
      fail(f, k, "ledger");
    if (tables->deepest[e] != deepest_order(f, k)) fail(f, k, "order");
  }
  return compare_note(f, reader, k, e);
}

/* The events and their frames say the same. */
static thud_error event_notes(verify_event_rows *f, thud_record_reader *reader) {
  size_t e = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < f->count && error == THUD_OK; k++)
    if (f->event[k] != VERIFY_EVENT_NONE) error = check_event(f, reader, k, e++);
  if (f->checks[EVENT_EVENTS].status == THUD_VERIFY_PASSED)
    thud_verify_explain(&f->checks[EVENT_EVENTS], "%zu events", e);
  return error;
}

/* ---- the summary of an event-driven record ----------------------------------------------------------------------- */

/* The summary of an event-driven record: the same as its frames and events. */

static size_t count_events(const verify_event_rows *f, int kind) {
  size_t count = 0;
  for (size_t k = 0; k < f->count; k++) count += f->event[k] == kind;
  return count;
}

/* What the summary says of the arcs is what the frames say. Arcs that are shorter than the time can resolve are counted
 * and not recorded: the summary may have more of each kind. */
static void compare_proofs(verify_event_rows *f, const thud_node *summary) {
  static const char *const keys[VERIFY_ARC_STATUSES] = {NULL, "proved_arcs", "sampled_arcs", "assumed_arcs",
                                                        "passage_arcs"};
  double counts[VERIFY_ARC_STATUSES] = {0}, claims[VERIFY_ARC_STATUSES];
  const thud_node *arcs = thud_node_find(summary, "arcs");
  if (f->tables.status == NULL || arcs == NULL || thud_node_get_kind(arcs) != THUD_NODE_NUMBER) return;
  claims[VERIFY_ARC_OPEN] = thud_node_number(arcs);
  for (size_t k = 0; k < f->count; k++)
    if (verify_event_has_arc(f, k)) counts[(size_t)f->status[k]]++;
  for (int s = 1; s < VERIFY_ARC_STATUSES; s++) {
    const thud_node *claim = thud_node_find(summary, keys[s]);
    claims[s] = claim != NULL && thud_node_get_kind(claim) == THUD_NODE_NUMBER ? thud_node_number(claim) : -1;
    if (claim == NULL && s == VERIFY_ARC_PASSAGE) claims[s] = 0; /* records of earlier versions */
    claims[VERIFY_ARC_OPEN] -= claims[s];
  }
  for (int s = 0; s < VERIFY_ARC_STATUSES; s++)
    if (!(claims[s] >= counts[s]))
      thud_verify_fail(&f->checks[EVENT_SUMMARY], f->t[f->count - 1], f->count - 1,
                       "the frames have %g arcs that are %s, the summary does not", counts[s],
                       s == VERIFY_ARC_OPEN ? "not proved" : keys[s]);
}

/* What is not proved is not proved for some reason: as many of these as there are such arcs, or more. */
static void compare_open(verify_event_rows *f, const thud_node *summary) {
  static const char *const arcs[] = {"proved_arcs", "sampled_arcs", "assumed_arcs", "passage_arcs"};
  static const char *const reasons[] = {"unproved_defects", "unproved_roots", "unproved_grazes", "unproved_margins"};
  double open = 0, sum = 0, count;
  size_t last = f->count - 1;
  if (thud_verify_note_missing(summary, reasons[0])) return;
  bool sound = thud_verify_note_find(summary, "arcs", &open);
  for (size_t k = 0; k < sizeof arcs / sizeof *arcs; k++)
    if (thud_verify_note_find(summary, arcs[k], &count)) open -= count;
  for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
    sound = sound && thud_verify_note_find(summary, reasons[k], &count) && count >= 0 && count <= open;
    sum += count;
  }
  if (!sound || sum < open)
    thud_verify_fail(&f->checks[EVENT_SUMMARY], f->t[last], last, "the summary does not say why %g arcs are not proved",
                     open);
}

/* Largest gap below 0 at the nodes. The error of forces is no larger than the bounds of the arcs, |bound| times the
 * length, summed up (arcs that are shorter than the time can resolve are in the sum and not in the frames). */
static void compare_bounds(verify_event_rows *f, const thud_node *summary) {
  thud_verify_check *check = &f->checks[EVENT_SUMMARY];
  double deepest = 0, size = 0, sum = 0, longest = 0, claim = 0, arcs = 0, counted = 0;
  size_t last = f->count - 1;
  for (size_t k = 0; k < f->count; k++) {
    double square = 0, h = f->t_end[k] - f->t[k];
    for (size_t c = 0; c < f->n; c++) square += f->stated[k * f->n + c] * f->stated[k * f->n + c];
    if (verify_event_has_arc(f, k)) counted++;
    if (verify_event_has_arc(f, k) && square > 0) {
      sum += sqrt(square) * h;
      longest = fmax(longest, sqrt(square));
    }
    if (f->system->functions ||
        !thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), verify_event_v(f, k), &f->at))
      continue;
    for (size_t i = 0; i < f->m; i++)
      if (f->system->constraints[i].kind == VERIFY_UNILATERAL) {
        deepest = fmax(deepest, -f->at.gap[i]);
        size = fmax(size, f->gap_size[i]);
      }
  }
  if (!f->system->functions)
    thud_verify_note_number(summary, "penetration", deepest, VERIFY_ROUNDING * size, f->t[last], last, check);
  thud_verify_note_find(summary, "arcs", &arcs);
  double short_arcs = fmax(0, arcs - counted) * 64 * DBL_EPSILON * fmax(fabs(f->t[0]), fabs(f->t[last]));
  sum = sum * (1 + VERIFY_ROUNDING) + short_arcs * longest;
  if (thud_verify_note_missing(summary, "force_error")) return;
  if (!thud_verify_note_find(summary, "force_error", &claim) || !(claim >= 0) ||
      (claim > sum && f->tables.defect != NULL))
    thud_verify_fail(check, f->t[last], last, "'force_error' is %.17g, the bounds of the arcs add up to %.17g", claim,
                     sum);
}

/* Bounds that no other number of the record gives: they are what a proof may leave. */
static void compare_claims(verify_event_rows *f, const thud_node *summary) {
  double defect = 0, gap = 0, largest = 0;
  for (size_t i = 0; i < f->m; i++) largest = fmax(largest, f->gap_size[i]);
  if (thud_verify_note_missing(summary, "proved_defect") && thud_verify_note_missing(summary, "proved_gap")) return;
  if (!thud_verify_note_find(summary, "proved_defect", &defect) ||
      !(defect >= 0 && defect <= fmax(VERIFY_STATED, f->system->defect_tolerance)))
    thud_verify_fail(&f->checks[EVENT_SUMMARY], NAN, SIZE_MAX, "'proved_defect' is no bound of defects of proved arcs");
  if (!thud_verify_note_find(summary, "proved_gap", &gap) ||
      !(gap >= 0 && gap <= f->tolerance * largest + f->system->gap_tolerance))
    thud_verify_fail(&f->checks[EVENT_SUMMARY], NAN, SIZE_MAX, "'proved_gap' is no bound of gaps of proved arcs");
}

/* Counts that the run alone knows are there where they must be, and nowhere else: a switch within an arc's event has none
 * of its own, and modes that were not looked at are warned of. */
static void compare_counts(verify_event_rows *f, const thud_node *summary) {
  size_t last = f->count - 1, events = count_events(f, VERIFY_EVENT_SWITCH);
  double switches = -1, modes = -1;
  if (thud_verify_note_missing(summary, "switches") && thud_verify_note_missing(summary, "unexamined_modes") &&
      thud_verify_note_missing(summary, "undecided"))
    return;
  bool none =
      !f->system->functions && f->system->formulas == NULL && thud_expr_program_switch_count(f->system->program) == 0;
  if (!thud_verify_note_find(summary, "switches", &switches) || switches < (double)events || (none && switches > 0))
    thud_verify_fail(&f->checks[EVENT_SUMMARY], f->t[last], last, "'switches' is %g, the frames have %zu%s", switches,
                     events, none ? " and the scene has none" : "");
  if (!thud_verify_note_find(summary, "unexamined_modes", &modes) || !(modes >= 0) ||
      (modes > 0) != thud_verify_note_warns(summary, "unexamined-modes"))
    thud_verify_fail(&f->checks[EVENT_SUMMARY], f->t[last], last,
                     "'unexamined_modes' is %g, the warnings say otherwise", modes);
  double undecided = -1;
  if (!thud_verify_note_find(summary, "undecided", &undecided) || !(undecided >= 0) ||
      (undecided > 0) != thud_verify_note_warns(summary, "undecided-contact"))
    thud_verify_fail(&f->checks[EVENT_SUMMARY], f->t[last], last, "'undecided' is %g, the warnings say otherwise",
                     undecided);
}

/* Counts and bounds that only the run can know, as far as they go beyond what is compared: the report names them. */
static void name_unchecked(verify_event_rows *f, const thud_node *summary) {
  static const char *const keys[] = {"undecided",      "switches",        "unexamined_modes", "unproved_defects",
                                     "unproved_roots", "unproved_grazes", "unproved_margins", "proved_defect",
                                     "proved_gap",     "force_error"};
  char list[192] = "";
  size_t used = 0;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    double value = 0;
    if (!thud_verify_note_find(summary, keys[k], &value) || value == 0) continue;
    int length = snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", keys[k]);
    if (length > 0 && (size_t)length < sizeof list - used) used += (size_t)length;
  }
  if (used > 0 && f->checks[EVENT_SUMMARY].status == THUD_VERIFY_PASSED)
    thud_verify_explain(&f->checks[EVENT_SUMMARY], "not checked beyond their bounds: %s", list);
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *summary,
                                  thud_verify_check *check) {
  verify_event_rows *f = motion;
  static const char *const figures[] = {"steps",
                                        "arcs",
                                        "impacts",
                                        "zeno_limits",
                                        "grazes",
                                        "switches",
                                        "undecided",
                                        "order",
                                        "deepest_order",
                                        "residual",
                                        "penetration",
                                        "proved_arcs",
                                        "sampled_arcs",
                                        "assumed_arcs",
                                        "passage_arcs",
                                        "proved_defect",
                                        "force_error",
                                        "unproved_defects",
                                        "unproved_roots",
                                        "unproved_grazes",
                                        "unproved_margins",
                                        "unexamined_modes",
                                        "unique_modes",
                                        "proved_gap",
                                        "first_end",
                                        "percussions",
                                        "families"};
  thud_verify_summary_keys(summary, sizeof figures / sizeof *figures, figures, check);
  size_t last = f->count - 1, arcs = 0;
  double t = f->t[last], residual = 0, deepest = -1;
  for (size_t k = 0; k < f->count; k++) residual = fmax(residual, f->residual[k]);
  for (size_t k = 0; k < f->count * f->m; k++) deepest = fmax(deepest, f->order[k]);
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  for (size_t k = 0; k < f->count; k++) arcs += verify_event_has_arc(f, k);
  const struct {
    const char *key;
    double value;
  } numbers[] = {{"impacts", (double)count_events(f, VERIFY_EVENT_IMPACT)},
                 {"zeno_limits", (double)count_events(f, VERIFY_EVENT_ZENO)},
                 {"grazes", (double)count_events(f, VERIFY_EVENT_GRAZE)},
                 {"deepest_order", fmax(0, deepest)},
                 {"residual", residual}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    thud_verify_note_number(summary, numbers[k].key, numbers[k].value, 0, t, last, check);
  compare_counts(f, summary);
  if (arcs > 0) thud_verify_note_number(summary, "order", (double)f->degree - 2, 0, t, last, check);
  /* Arcs that are shorter than the time can resolve are counted and not recorded. */
  const thud_node *claim = thud_node_find(summary, "arcs");
  if (claim == NULL || thud_node_get_kind(claim) != THUD_NODE_NUMBER || thud_node_number(claim) < (double)arcs)
    thud_verify_fail(check, t, last, "there are %zu arcs, the summary does not determine as many", arcs);
  if (claim != NULL && thud_node_get_kind(claim) == THUD_NODE_NUMBER)
    thud_verify_note_number(summary, "steps", thud_node_number(claim), 0, t, last, check);
  compare_proofs(f, summary);
  if (strcmp(record->info.verdict, "good") != 0) return THUD_OK; /* a failed run may have gone on after its last row */
  compare_open(f, summary);
  compare_bounds(f, summary);
  compare_claims(f, summary);
  thud_verify_summary_loads(f->system, summary, check);
  thud_verify_note_number(summary, "time", t, 0, t, last, check);
  thud_verify_note_numbers(state, f->n, f->system->scene.names, verify_event_q(f, last), t, last, check);
  thud_verify_note_numbers(state, f->n, (const char *const *)f->system->velocities, verify_event_v(f, last), t, last,
                           check);
  for (int i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    thud_verify_note_number(ledger, thud_verify_ledger_name(i), f->ledger[last * VERIFY_LEDGER_WIDTH + (size_t)i], 0, t,
                            last, check);
  name_unchecked(f, summary);
  return THUD_OK;
}

/* f->length: from the end of the first run, which the summary of a run that was extended gives. */
static thud_error event_length(verify_event_rows *f, thud_record_reader *reader) {
  const verify_scene *scene = &f->system->scene;
  const char *text = thud_record_reader_info(reader).summary;
  thud_tree *tree = NULL;
  double first = scene->end;
  f->length = scene->end - scene->start;
  if (text[0] == '\0') return THUD_OK;
  thud_error error = thud_tree_read_text(f->context, "summary", text, strlen(text), &tree);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : THUD_OK; /* the check of the summary reports it */
  if (thud_verify_note_find(thud_tree_root(tree), "first_end", &first) && !(first > scene->start && first < scene->end))
    thud_verify_fail(&f->checks[EVENT_SUMMARY], first, SIZE_MAX,
                     "the run was extended from a time that is not within it");
  else
    f->length = first - scene->start;
  thud_tree_destroy(tree);
  return THUD_OK;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* Relative tolerance when the caller asks for none: this, or what the scene's own tolerances let pass, times a factor:
 * a run measures every component by itself, here the kinetic metric does, and errors add up. */
static const double DEFAULT_TOLERANCE = 1e-8, OVER_TOLERANCE = 100;

static double default_tolerance(const verify_system *system) {
  return fmax(DEFAULT_TOLERANCE, OVER_TOLERANCE * fmax(system->defect_tolerance, system->zeno_tolerance));
}

static void skip_what_is_not_there(verify_event_rows *f) {
  bool impacts = false, zeno = false;
  for (size_t k = 0; k < f->count; k++) {
    impacts = impacts || verify_event_is_struck(f, k);
    zeno = zeno || f->event[k] == VERIFY_EVENT_ZENO;
  }
  if (f->m == 0) {
    thud_verify_skip(&f->checks[EVENT_GAP], THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
    thud_verify_skip(&f->checks[EVENT_LAW], THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
  }
  if (f->system->law_count == 0)
    thud_verify_skip(&f->checks[EVENT_FRICTION], THUD_VERIFY_NOT_APPLICABLE, "the scene has no friction");
  if (!impacts && f->checks[EVENT_IMPACTS].status == THUD_VERIFY_PASSED)
    thud_verify_skip(&f->checks[EVENT_IMPACTS], THUD_VERIFY_NOT_APPLICABLE, "there are no impacts");
  if (!zeno) thud_verify_skip(&f->checks[EVENT_ZENO], THUD_VERIFY_NOT_APPLICABLE, "no impacts accumulate");
}

static thud_error check_row(verify_event_rows *f, size_t k, verify_event_books *books) {
  thud_error error = THUD_OK;
  event_modes(f, k);
  if (verify_event_is_struck(f, k)) error = thud_verify_event_impact(f, k);
  if (f->event[k] == VERIFY_EVENT_ZENO) error = thud_verify_event_zeno(f, k);
  thud_verify_event_ledger(f, k, books); /* of the arc before */
  thud_verify_tally(&f->checks[EVENT_RESIDUAL], f->residual[k], fmax(f->tolerance, f->system->residual_tolerance), 0,
                    f->t[k], k);
  f->arcs += f->t_end[k] > f->t[k];
  if (error == THUD_OK && f->system->functions) { /* the arc is asked for its reactions, the row for its impact */
    f->asked += (f->t_end[k] > f->t[k] && f->m + f->s > 0) || verify_event_is_struck(f, k);
    thud_verify_event_reactions(f, k);
    return THUD_OK;
  }
  if (error != THUD_OK) return error;
  thud_verify_proof_bracket(f, k);
  thud_verify_proof_arc(f, k);
  return thud_verify_event_arc(f, k, books);
}

static thud_error check_rows(verify_event_rows *f, verify_record *record) {
  thud_record_reader *reader = record->reader;
  thud_verify_event_structure(f, strcmp(record->info.verdict, "good") == 0);
  if (f->checks[EVENT_STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  thud_verify_event_sizes(f);
  char branch[THUD_VERIFY_DETAIL / 2];
  verify_event_books books = {0};
  thud_error error = event_length(f, reader);
  if (error == THUD_OK) error = thud_verify_event_forks(f, reader, branch, sizeof branch);
  if (error == THUD_OK) error = thud_verify_event_joins(f);
  if (error == THUD_OK) error = thud_verify_proof_create(f);
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) error = check_row(f, k, &books);
  if (error == THUD_OK) thud_verify_event_percussions(f);
  if (error == THUD_OK) error = event_notes(f, reader);
  if (error == THUD_OK) error = thud_verify_check_summary(record, f, NULL);
  if (f->system->functions) thud_verify_event_leave_out(f);
  thud_verify_proof_report(f);
  skip_what_is_not_there(f);
  if (branch[0] != '\0') thud_verify_add(&f->checks[EVENT_IMPACTS], branch);
  return error;
}

/* The system of an event-driven record; one of a stepping scheme has no rows of this sort. */
static thud_error check(verify_record *record, void *scene) {
  verify_system *system = *(verify_system **)scene;
  thud_verify_check *checks = record->checks;
  double asked = record->options->tolerance;
  verify_event_rows f = {.context = record->context,
                         .system = system,
                         .tolerance = asked > 0 ? asked : default_tolerance(system),
                         .checks = checks};
  if (system->functions) thud_verify_functions_name_unchecked(system, &checks[EVENT_FUNCTIONS]);
  if (!system->scheme->event_driven) {
    thud_verify_check_made_by(&record->info, "stepping", system->scene.method, &checks[EVENT_STRUCTURE]);
    return THUD_OK;
  }
  bool usable = false;
  thud_error error = thud_verify_event_read(&f, record->reader, &usable);
  if (error == THUD_OK && usable) error = check_rows(&f, record);
  for (size_t k = 0; k < EVENT_FINISHED && usable; k++) /* from rows to the frames of the record */
    if (checks[k].frame >= 0) checks[k].frame = (int64_t)f.frame[checks[k].frame];
  record->asked = f.asked;
  record->all = f.arcs;
  thud_verify_event_free(&f);
  return error;
}

static bool leaves_out(const void *scene, size_t k) {
  return k == EVENT_FUNCTIONS && (scene == NULL || !(*(verify_system *const *)scene)->functions);
}

static const char *const names_of_checks[] = {[EVENT_STRUCTURE] = "structure",
                                              [EVENT_INITIAL] = "initial",
                                              [EVENT_CONTINUITY] = "continuity",
                                              [EVENT_MOTION] = "motion",
                                              [EVENT_GAP] = "gap",
                                              [EVENT_PROOF] = "proof",
                                              [EVENT_LAW] = "law",
                                              [EVENT_FRICTION] = "friction",
                                              [EVENT_MODES] = "modes",
                                              [EVENT_IMPACTS] = "impacts",
                                              [EVENT_ZENO] = "zeno",
                                              [EVENT_ENERGY] = "energy",
                                              [EVENT_RESIDUAL] = "residual",
                                              [EVENT_EVENTS] = "events",
                                              [EVENT_SUMMARY] = "summary",
                                              [EVENT_FINISHED] = "finished",
                                              [EVENT_FUNCTIONS] = "functions",
                                              [EVENT_FUNCTIONS + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {{"/simulate/residual_tolerance", "1e-10", "*", "!solver/tolerance"},
                                          {"/simulate/time_tolerance", "1e-13", "*", NULL},
                                          {"/simulate/defect_tolerance", "1e-10", "*", NULL},
                                          {"/simulate/zeno_tolerance", "1e-12", "*", NULL},
                                          {"/simulate/zeno_remaining", "1e-11", "*", NULL},
                                          {"/simulate/tolerance", "2.220446049250313e-16", NULL, NULL},
                                          {"/simulate/arcs", "auto", "*", NULL},
                                          {"/simulate/order", "0", NULL, NULL},
                                          {"/simulate/max_step", "0", NULL, NULL},
                                          {"/simulate/decision_tolerance", "1e-10", NULL, NULL},
                                          {"/simulate/initial_tolerance", "1e-8", NULL, NULL},
                                          {"/simulate/on_undecided", "continue", NULL, NULL},
                                          {"/simulate/painleve", "stop", NULL, NULL},
                                          {"/simulate/zeno", "true", NULL, NULL},
                                          {"/simulate/max_outcomes", "24", NULL, NULL},
                                          {"/simulate/fork_tolerance", "1e-4", NULL, NULL},
                                          {"/simulate/fork_flight", "0.01", NULL, NULL},
                                          {"/simulate/max_events", "1e6", NULL, NULL},
                                          {"/simulate/max_steps", "1e7", NULL, NULL},
                                          {"/simulate/max_same_time", "100", NULL, NULL},
                                          {"/simulate/blow_up", "1e9", NULL, NULL},
                                          {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_event_kind = {.name = "event-driven",
                                                   .section = "system",
                                                   .checks = names_of_checks,
                                                   .defaults = {thud_verify_system_defaults, defaults},
                                                   .unit = "arcs",
                                                   .size = sizeof(verify_system *),
                                                   .read = thud_verify_system_read,
                                                   .check = check,
                                                   .release = thud_verify_system_release,
                                                   .compare = compare_summary,
                                                   .leaves_out = leaves_out,
                                                   .trajectory = thud_verify_system_trajectory};
