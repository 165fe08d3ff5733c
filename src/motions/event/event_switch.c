/* The start of an arc: sides of the switches of expressions, impact, series.
 *
 * A switch whose argument is 0 here (an event, or the initial state) may go on to either side. Each combination of
 * sides is tried: one is consistent when, on the series computed with it, every such argument really goes to its side.
 */
#include "motions/event/event.h"

#include "expr/program.h"

#include <float.h>

/* Velocities of a row below this are 0 where a branch changes: beside its terms, or by the rounding of v. */
double thud_event_rest_velocity(const event_motion *motion, size_t row, double u) {
  const double *gradient = motion->arc->jet + thud_arc_row(motion->arc, row);
  double size = 0, rounding = 0, rate = u;
  for (size_t c = 0; c < motion->problem.n; c++) {
    size += fabs(gradient[c] * motion->state.v[c]);
    rounding += fabs(gradient[c]) * motion->last.velocity_terms[c];
    rate -= gradient[c] * motion->state.v[c];
  }
  return motion->problem.options.decision_tolerance * (size + fabs(rate)) + EVENT_ROUNDING * DBL_EPSILON * rounding;
}

/* Slip that was known may have changed with a branch (a belt whose speed jumps). */
static void renew_slips(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
    double limit[THUD_MOST_SLIPS];
    for (size_t c = 0; c < law->directions; c++)
      limit[c] = thud_event_rest_velocity(motion, event_row_of(arc, law, c), slip[c]);
    if (motion->contacts.slip[l] != thud_event_slip_sign(arc, law, slip, limit))
      motion->contacts.slip[l] = EVENT_SLIP_UNKNOWN;
  }
}

/* A gap that jumps shut has no velocity with which it could be struck; an equation must go on as it is. */
static thud_error fail_at_jump(const event_motion *motion, size_t i, double gap) {
  const char *name = thud_system_constraint(motion->problem.system, (thud_index)i)->name;
  return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                   event_is_equation(&motion->problem, i)
                       ? "[branch-changes] t = %.10g: equation '%s' jumps from %.6g to %.6g where an expression "
                         "changes its branch; it "
                         "must be continuous"
                       : "[gap-jumps-shut] t = %.10g: the gap '%s' jumps shut, from %.6g to %.6g, where an expression "
                         "changes its branch: "
                         "no velocity leads there; write the wall as a constraint of its own",
                   motion->state.t, name, motion->last.expected_gap[i], gap);
}

/* Contacts at rest whose gradient may have changed with a branch. */
static thud_error renew_contacts(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const sim_arc *arc = motion->arc;
  const double *jet = arc->jet;
  for (size_t i = 0; i < problem->m; i++) {
    double u = jet[arc->jets.layout.velocity + i], limit = thud_event_rest_velocity(motion, i, u), distance = 0,
           jump = 0;
    double gap = jet[arc->jets.layout.gap + i];
    for (size_t c = 0; c < problem->n; c++)
      distance += fabs(jet[arc->jets.layout.gradient + i * problem->n + c]) * motion->scales.farthest;
    if (event_kind_of(problem, i) <= THUD_CONSTRAINT_BILATERAL) jump = fabs(gap - motion->last.expected_gap[i]);
    if (jump > problem->options.decision_tolerance * distance) {
      if (event_is_equation(problem, i) || gap < -problem->options.decision_tolerance * distance)
        return fail_at_jump(motion, i, gap);
      /* It jumps open, or stays so. */
      motion->event.involved[i] = motion->event.involved[i] || motion->contacts.contact[i] != EVENT_AWAY;
      motion->contacts.contact[i] = EVENT_AWAY;
      continue;
    }
    if (motion->contacts.contact[i] != EVENT_REST) continue;
    if (event_is_equation(problem, i))
      motion->contacts.contact[i] = fabs(u) > limit ? EVENT_HIT : EVENT_REST;
    else
      motion->contacts.contact[i] = u < -limit ? EVENT_HIT : u > limit ? EVENT_PARTS : EVENT_REST;
  }
  return THUD_OK;
}

/* Slip velocities of contacts that were not closed before. */
static void find_slips(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    double limit[THUD_MOST_SLIPS];
    if (motion->contacts.slip[l] != EVENT_SLIP_UNKNOWN) continue;
    for (size_t c = 0; c < law->directions; c++) {
      const double *row = arc->jet + thud_arc_row(arc, event_row_of(arc, law, c));
      double size = 0, rate = arc->jet[arc->jets.layout.slip_velocity + law->first + c];
      for (size_t i = 0; i < motion->problem.n; i++) {
        size += fabs(row[i] * motion->state.v[i]);
        rate -= row[i] * motion->state.v[i];
      }
      limit[c] = motion->run.begun ? motion->problem.options.decision_tolerance * size
                                   : EVENT_ROUNDING * DBL_EPSILON * (size + fabs(rate));
    }
    motion->contacts.slip[l] =
        thud_event_slip_sign(arc, law, arc->jet + arc->jets.layout.slip_velocity + law->first, limit);
  }
}

/* Gaps that close must have a direction in which they do. */
static thud_error check_gradients(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m && thud_arc_is_series(motion->arc); i++)
    if ((motion->arc->singular[i] & ARC_NO_GRADIENT) != 0 && motion->contacts.contact[i] != EVENT_AWAY)
      return thud_fail(motion->problem.context, THUD_ERROR_NOT_FINITE,
                       "t = %.10g: the gradient of constraint '%s' is not finite where its gap is closed",
                       motion->state.t, thud_system_constraint(motion->problem.system, (thud_index)i)->name);
  for (size_t i = 0; i < motion->problem.m && motion->run.begun; i++) {
    bool closes = motion->event.involved[i] && !event_lasts(motion->modes.mode_before[i]) &&
                  motion->contacts.contact[i] != EVENT_AWAY;
    if (!closes || event_kind_of(&motion->problem, i) != THUD_CONSTRAINT_UNILATERAL) continue;
    if (motion->arc->own[i] > EVENT_NO_GRADIENT * motion->last.length_before[i]) continue;
    return thud_fail(motion->problem.context, THUD_ERROR_UNQUALIFIED,
                     "[unqualified-point] t = %.10g: the gradient of constraint '%s' is 0 where its gap closes: no "
                     "reaction can act; write the "
                     "gap so that it is not (y instead of y^3)",
                     motion->state.t, thud_system_constraint(motion->problem.system, (thud_index)i)->name);
  }
  return THUD_OK;
}

/* Arguments of velocities that the impact takes across 0: their switches turn with it. What is not larger than this
 * beside the change is 0 but for rounding. */
#define TURNED 1e-9

static thud_error turn_switches(event_motion *motion) {
  const event_present *state = &motion->state;
  sim_arc *arc = motion->arc;
  double *out = motion->piece.outputs, *before = motion->switches.before, *after = motion->switches.after;
  thud_error error = THUD_OK;
  if (arc->switches == 0) return THUD_OK;
  for (int side = 0; side < 2 && error == THUD_OK; side++) {
    const double *v = side == 0 ? motion->event.v_before : state->v;
    error = arc->backend->evaluate(arc, state->t, state->q, v, out);
    if (error == THUD_OK) thud_expr_work_switches(arc->work, side == 0 ? before : after);
  }
  for (size_t j = 0; j < arc->switches && error == THUD_OK; j++) {
    if (after[j] == before[j] || fabs(after[j]) <= TURNED * (fabs(before[j]) + fabs(after[j]))) continue;
    motion->switches.held[j] = after[j] > 0 ? 1 : -1;
    motion->switches.at_zero[j] = false;
    error = thud_expr_work_hold(arc->work, (thud_index)j, motion->switches.held[j]);
  }
  return error;
}

/* A contact, or a load of the system. */
static bool something_strikes(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->contacts.contact[i] == EVENT_HIT) return true;
  return thud_event_load_is_due(&motion->problem, &motion->loads, motion->state.t);
}

/* With the switches held as they are: begin, impact if something hits or is loaded, series. */
static thud_error begin_with_sides_held(event_motion *motion) {
  event_present *state = &motion->state;
  sim_arc *arc = motion->arc;
  motion->forks.cursor = 0;
  thud_error error = thud_arc_begin(arc, state->t, state->q, state->v);
  if (error == THUD_OK) error = check_gradients(motion);
  if (error == THUD_OK) error = thud_event_find_vanishing(motion);
  if (error == THUD_OK && motion->event.switched) error = renew_contacts(motion);
  if (error == THUD_OK && motion->event.switched) renew_slips(motion);
  if (error == THUD_OK) error = thud_event_project_lasting(motion);
  if (error != THUD_OK) return error;
  find_slips(motion);
  if (something_strikes(motion)) {
    error = thud_event_apply_impact(motion);
    if (error == THUD_OK) error = turn_switches(motion);
    if (error == THUD_OK) error = thud_arc_begin(arc, state->t, state->q, state->v);
    if (error == THUD_OK) error = thud_event_rest_after_impact(motion);
  }
  if (error != THUD_OK) return error;
  error = thud_event_decide_modes(motion);
  if (motion->run.finding != THUD_MOTION_INCONSISTENT || motion->problem.options.painleve != THUD_PAINLEVE_IMPACT)
    return error;
  motion->run.finding = THUD_MOTION_RUNNING;
  error = thud_event_tangential_impact(motion);
  if (error == THUD_OK) error = thud_arc_begin(arc, state->t, state->q, state->v);
  return error == THUD_OK ? thud_event_decide_modes(motion) : error;
}

/* Sign of the first coefficient, after number 0, that counts beside the others within the step; *place is its number,
 * -1 when all are 0. */
static int first_sign(const event_problem *problem, const sim_arc *arc, size_t j, double h, int *place) {
  double largest = 0, power = h;
  *place = -1;
  for (int k = 1; k <= arc->order; k++, power *= h)
    largest = fmax(largest, fabs(arc->switch_jet[(size_t)k * arc->switches + j]) * power);
  power = h;
  for (int k = 1; k <= arc->order; k++, power *= h) {
    double c = arc->switch_jet[(size_t)k * arc->switches + j];
    if (!(fabs(c) * power > problem->options.decision_tolerance * largest)) continue;
    *place = k;
    return c > 0 ? 1 : -1;
  }
  /* rests at 0: the side whose values the operations have there */
  return arc->jets.program->switches[j].at_zero < 0 ? -1 : 1;
}

static bool sides_are_consistent(event_motion *motion) {
  double left = motion->problem.options.end - motion->state.t; /* at the end the whole run is the scale */
  double h = thud_arc_step(motion->arc, left > 0 ? left : motion->problem.options.end - motion->problem.options.start);
  bool consistent = true;
  if (motion->arc->switches > 0)
    memset(motion->switches.deflate, 0, motion->arc->switches * sizeof *motion->switches.deflate);
  for (size_t k = 0; k < thud_arc_watched_count(motion->arc); k++) {
    size_t j = thud_arc_watched(motion->arc, k);
    if (!motion->switches.at_zero[j]) continue;
    consistent =
        first_sign(&motion->problem, motion->arc, j, h, &motion->switches.deflate[j]) == motion->switches.held[j] &&
        consistent;
  }
  return consistent;
}

thud_error thud_event_hold_switches(const sim_arc *arc, const event_switches *switches) {
  thud_error error = THUD_OK;
  for (size_t j = 0; j < arc->switches && error == THUD_OK; j++)
    error = thud_expr_work_hold(arc->work, (thud_index)j, switches->held[j]);
  return error;
}

/* The sides at the very start, as far as the arguments show them. */
static thud_error first_sides(event_motion *motion) {
  thud_error error = thud_arc_begin(motion->arc, motion->state.t, motion->state.q, motion->state.v);
  for (size_t j = 0; j < motion->arc->switches && error == THUD_OK; j++) {
    double argument = motion->arc->switch_jet[j];
    motion->switches.at_zero[j] = argument == 0;
    motion->switches.held[j] = argument < 0 ? -1 : 1;
  }
  return error;
}

/* What a trial changes. */
typedef struct trial {
  thud_event_motion_info info;
  bool jumped, tangential, loaded;
} trial;

static void save_trial(const event_motion *motion, trial *kept) {
  const event_problem *problem = &motion->problem;
  const event_contacts *contacts = &motion->contacts;
  *kept = (trial){motion->info, motion->event.jumped, motion->event.tangential, motion->event.loaded};
  memcpy(motion->state.saved, motion->state.v, problem->n * sizeof(double));
  memcpy(motion->state.saved + problem->n, motion->state.q, problem->n * sizeof(double));
  memcpy(contacts->kept_slip, contacts->slip, problem->law_count * sizeof *contacts->slip);
  memcpy(motion->contacts.kept, motion->event.impulse, (problem->m + problem->s) * sizeof(double));
  for (size_t i = 0; i < problem->m; i++) {
    contacts->kept_contact[i] = contacts->contact[i];
    motion->contacts.kept[problem->m + problem->s + i] = motion->event.involved[i];
  }
}

static void restore_trial(event_motion *motion, const trial *kept) {
  /* impulses of an impact that the sides of this trial do not have; those of surfaces stay */
  if (!motion->event.crossed)
    memset(motion->event.impulse, 0, (motion->problem.m + motion->problem.s) * sizeof(double));
  const event_problem *problem = &motion->problem;
  event_contacts *contacts = &motion->contacts;
  motion->info = kept->info;
  motion->event.jumped = kept->jumped;
  motion->event.tangential = kept->tangential;
  motion->event.loaded = kept->loaded;
  memcpy(motion->state.v, motion->state.saved, problem->n * sizeof(double));
  memcpy(motion->state.q, motion->state.saved + problem->n, problem->n * sizeof(double));
  memcpy(contacts->slip, contacts->kept_slip, problem->law_count * sizeof *contacts->slip);
  memcpy(motion->event.impulse, motion->contacts.kept, (problem->m + problem->s) * sizeof(double));
  for (size_t i = 0; i < problem->m; i++) {
    contacts->contact[i] = contacts->kept_contact[i];
    motion->event.involved[i] = motion->contacts.kept[problem->m + problem->s + i] != 0;
  }
}

static void choose_sides(event_switches *switches, size_t count, const size_t *zero, const int *preferred,
                         unsigned choice) {
  for (size_t b = 0; b < count; b++) switches->held[zero[b]] = (choice >> b & 1u) ? -preferred[b] : preferred[b];
}

static thud_error fail_at_switch(const event_problem *problem, const sim_arc *arc, const event_present *state, size_t j,
                                 int found) {
  thud_expr_switch place = thud_expr_program_switch(arc->jets.program, (thud_index)j);
  return thud_fail(
      problem->context, THUD_ERROR_UNSUPPORTED,
      "[branch-changes] t = %.10g: %s where '%s' in the %s changes its branch (column %d): %s", state->t,
      found == 0 ? "no branch goes on consistently" : "several branches go on consistently", place.operation,
      thud_model_text_name(problem->system, place.source), (int)place.place.column,
      found == 0 ? "the motion would have to stay on the switch (write dry friction as a friction law, a gap with a "
                   "corner as two constraints)"
                 : "the motion is not unique");
}

static thud_error try_sides(event_motion *motion, size_t count, const size_t *zero) {
  int preferred[EVENT_MAX_ZERO_SWITCHES], found = 0;
  unsigned good = 0;
  trial kept;
  thud_error error = THUD_OK;
  /* A crossing goes to the other side, as a rule. */
  for (size_t b = 0; b < count; b++)
    preferred[b] = motion->event.switched ? -motion->switches.held[zero[b]] : motion->switches.held[zero[b]];
  save_trial(motion, &kept);
  for (unsigned choice = 0; choice < 1u << count && error == THUD_OK; choice++) {
    restore_trial(motion, &kept);
    choose_sides(&motion->switches, count, zero, preferred, choice);
    error = thud_event_hold_switches(motion->arc, &motion->switches);
    if (error == THUD_OK) error = begin_with_sides_held(motion);
    if (error != THUD_OK || !sides_are_consistent(motion)) continue;
    if (found++ == 0) good = choice;
  }
  if (error != THUD_OK) return error;
  if (found != 1) return fail_at_switch(&motion->problem, motion->arc, &motion->state, zero[0], found);
  restore_trial(motion, &kept);
  choose_sides(&motion->switches, count, zero, preferred, good);
  error = thud_event_hold_switches(motion->arc, &motion->switches);
  if (error == THUD_OK) error = begin_with_sides_held(motion);
  if (error == THUD_OK) sides_are_consistent(motion);
  return error;
}

/* With every switch on its known side. */
static thud_error begin_with_known_sides(event_motion *motion) {
  thud_error error = thud_event_hold_switches(motion->arc, &motion->switches);
  return error == THUD_OK ? begin_with_sides_held(motion) : error;
}

/* On from surfaces across which the energies jump. What is struck at the same time comes first, as an event of its own. */
static thud_error go_on_from_surfaces(event_motion *motion, size_t count, size_t *zero) {
  size_t first = zero[0];
  if (something_strikes(motion)) {
    thud_error error = thud_event_let_impact_come_first(motion, count, zero);
    if (error == THUD_OK) error = begin_with_known_sides(motion);
    motion->event.switched = false;
    motion->switches.pending = error == THUD_OK;
    return error;
  }
  thud_error error = thud_event_cross_surfaces(motion, &count, zero);
  if (error == THUD_OK) error = turn_switches(motion);
  if (error != THUD_OK) return error;
  if (count > 0) return try_sides(motion, count, zero);
  error = begin_with_known_sides(motion);
  if (error != THUD_OK || sides_are_consistent(motion)) return error;
  return fail_at_switch(&motion->problem, motion->arc, &motion->state, first, 0);
}

/* Whether the energies jump across the surfaces of these switches. */
static thud_error energies_jump(event_motion *motion, size_t count, const size_t *zero, bool *jump) {
  *jump = false;
  if (!motion->run.begun || !motion->event.switched || !motion->arc->jets.may_jump) return THUD_OK;
  return thud_event_look_at_surfaces(motion, count, zero, jump);
}

/* Whether something of the system differs on the two sides of switch j, whose argument rests at 0. */
static thud_error find_difference(event_motion *motion, size_t j, bool *differs) {
  const event_present *state = &motion->state;
  sim_arc *arc = motion->arc;
  double *one = motion->piece.outputs, *other = motion->switches.values;
  thud_error error = THUD_OK;
  *differs = false;
  for (int side = -1; side <= 1 && error == THUD_OK; side += 2) {
    error = thud_expr_work_hold(arc->work, (thud_index)j, side);
    if (error == THUD_OK) error = arc->backend->evaluate(arc, state->t, state->q, state->v, side < 0 ? one : other);
  }
  for (size_t k = 0; k < arc->jets.layout.count && error == THUD_OK; k++)
    *differs = *differs || fabs(one[k] - other[k]) > EVENT_ROUNDING * DBL_EPSILON * (fabs(one[k]) + fabs(other[k]));
  thud_error again = thud_expr_work_hold(arc->work, (thud_index)j, motion->switches.held[j]);
  return error == THUD_OK ? again : error;
}

/* Arguments that rest at 0 where an operation has a value of its own there (`sign`), which no side has. */
static thud_error check_resting_switches(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  thud_error error = THUD_OK;
  for (size_t j = 0; j < arc->switches && error == THUD_OK; j++) {
    if (!motion->switches.at_zero[j] || motion->switches.deflate[j] >= 0) continue;
    thud_expr_switch at = thud_expr_program_switch(arc->jets.program, (thud_index)j);
    bool differs = false;
    if (!at.jumps) continue;
    if (arc->jets.program->switches[j].at_zero != 0) continue;
    error = find_difference(motion, j, &differs);
    if (error == THUD_OK && differs)
      return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                       "[branch-changes] t = %.10g: the argument of '%s' in the %s (column %d) rests at 0, where its "
                       "value is that of neither "
                       "side; write which one is meant: if(x < 0, -1, 1), or dry friction as a friction law",
                       motion->state.t, at.operation, thud_model_text_name(motion->problem.system, at.source),
                       (int)at.place.column);
  }
  return error;
}

static thud_error begin_next_arc(event_motion *motion) {
  size_t zero[EVENT_MAX_ZERO_SWITCHES], count = 0;
  thud_error error = motion->run.begun || motion->arc->switches == 0 ? THUD_OK : first_sides(motion);
  for (size_t j = 0; j < motion->arc->switches && error == THUD_OK; j++) {
    if (!motion->switches.at_zero[j]) continue;
    if (count == EVENT_MAX_ZERO_SWITCHES)
      return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                       "[branch-changes] t = %.10g: more than %d expressions change their branches at once",
                       motion->state.t, EVENT_MAX_ZERO_SWITCHES);
    zero[count++] = j;
  }
  bool jump = false;
  if (error == THUD_OK) error = energies_jump(motion, count, zero, &jump);
  if (error != THUD_OK) return error;
  if (jump) return go_on_from_surfaces(motion, count, zero);
  if (count > 0) return try_sides(motion, count, zero);
  error = thud_event_hold_switches(motion->arc, &motion->switches);
  if (error == THUD_OK) error = begin_with_sides_held(motion);
  if (error == THUD_OK) sides_are_consistent(motion);
  return error;
}

thud_error thud_event_begin_next_arc(event_motion *motion) {
  thud_error error = begin_next_arc(motion);
  return error == THUD_OK ? check_resting_switches(motion) : error;
}
