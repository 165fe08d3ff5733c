/* The start of an event-driven motion: which contacts are closed, and how.
 *
 * A gap, an approach or a slip is 0 when it is a rounding error of its terms; everything else counts as it is,
 * whatever the units. initial_tolerance is what is accepted as a violation of the constraints (gap < 0, an equation
 * that is not 0, in positions or velocities). The motion starts from a state without it: the nearest one in the kinetic
 * metric, to first order in the violation, found by Newton's method. */
#include "motions/event/event.h"

#include <float.h>

enum { START_ITERATIONS = 20 };

/* ---- what is 0 --------------------------------------------------------------------------------------------------- */

static bool has_gap(const event_problem *problem, size_t i) {
  return event_kind_of(problem, i) <= THUD_CONSTRAINT_BILATERAL;
}

/* Rounding of gap i: of its terms the parts that depend on q and t are known. */
static double gap_rounding(const event_problem *problem, const event_present *state, size_t i) {
  double sum = fabs(state->values->rate[i] * state->t);
  for (size_t c = 0; c < problem->n; c++) sum += fabs(state->values->gradient[i * problem->n + c] * state->q[c]);
  return EVENT_ROUNDING * DBL_EPSILON * sum;
}

static double velocity_rounding(const event_problem *problem, const event_present *state, size_t i) {
  return EVENT_ROUNDING * DBL_EPSILON * thud_event_velocity_terms(problem, state, i, state->v);
}

/* By how much gap or velocity x violates constraint i beyond its rounding. */
static double violation(const event_problem *problem, size_t i, double x, double rounding) {
  double size = event_is_equation(problem, i) ? fabs(x) : -x;
  return size > rounding ? size : 0;
}
static double gap_violation(const event_problem *problem, const event_present *state, size_t i) {
  return has_gap(problem, i) ? violation(problem, i, state->values->gap[i], gap_rounding(problem, state, i)) : 0;
}
/* An approach of a contact is none: it is an impact. */
static double velocity_violation(const event_problem *problem, const event_present *state, size_t i) {
  if (event_kind_of(problem, i) == THUD_CONSTRAINT_UNILATERAL) return 0;
  return violation(problem, i, thud_event_constraint_velocity(problem, state, i, state->v),
                   velocity_rounding(problem, state, i));
}

static thud_error evaluate(const event_problem *problem, event_present *state) {
  return thud_system_evaluate(problem->system, state->t, state->q, state->v, THUD_AT_CONSTRAINT | THUD_AT_GRADIENT,
                              state->values);
}

/* ---- violations are taken away ----------------------------------------------------------------------------------- */

static size_t note_violations(const event_problem *problem, const event_present *state, thud_event_motion_info *info) {
  info->moved = 0;
  for (size_t i = 0; i < problem->m; i++) {
    double size = fmax(gap_violation(problem, state, i), velocity_violation(problem, state, i));
    if (size == 0) continue;
    info->moved++;
    if (size <= info->moved_violation) continue;
    info->moved_violation = size;
    info->moved_constraint = (thud_index)i;
  }
  return info->moved;
}

static bool any_gap_violated(const event_problem *problem, const event_present *state) {
  for (size_t i = 0; i < problem->m; i++)
    if (gap_violation(problem, state, i) > 0) return true;
  return false;
}

/* Positions. The rows that are brought to 0 are the equations and the contacts that are closed; where that leaves a
 * violation, because some of these depend on others, the violated ones only: the others may open. */
static thud_error move_position(event_motion *motion, bool closed_too) {
  thud_error error = THUD_OK;
  memset(motion->projection.hold, 0, motion->arc->rows * sizeof *motion->projection.hold);
  for (int k = 0; k < START_ITERATIONS && error == THUD_OK && any_gap_violated(&motion->problem, &motion->state); k++) {
    for (size_t i = 0; i < motion->problem.m; i++) {
      bool closed = closed_too && has_gap(&motion->problem, i) &&
                    motion->state.values->gap[i] <= gap_rounding(&motion->problem, &motion->state, i);
      motion->projection.hold[i] = motion->projection.hold[i] || closed || event_is_equation(&motion->problem, i) ||
                                   gap_violation(&motion->problem, &motion->state, i) > 0;
    }
    error = thud_arc_begin(motion->arc, motion->state.t, motion->state.q, motion->state.v);
    if (error != THUD_OK) break;
    thud_event_project_once(motion, true);
    error = evaluate(&motion->problem, &motion->state);
  }
  return error;
}

static thud_error move_velocity(event_motion *motion) {
  memset(motion->projection.hold, 0, motion->arc->rows * sizeof *motion->projection.hold);
  for (size_t i = 0; i < motion->problem.m; i++)
    motion->projection.hold[i] =
        event_is_equation(&motion->problem, i) || velocity_violation(&motion->problem, &motion->state, i) > 0;
  thud_error error = thud_arc_begin(motion->arc, motion->state.t, motion->state.q, motion->state.v);
  if (error != THUD_OK) return error;
  thud_event_project_once(motion, false);
  return evaluate(&motion->problem, &motion->state);
}

static thud_error take_violations_away(event_motion *motion) {
  if (note_violations(&motion->problem, &motion->state, &motion->info) == 0) return THUD_OK;
  thud_error error = move_position(motion, true);
  if (error == THUD_OK) error = move_position(motion, false);
  return error == THUD_OK ? move_velocity(motion) : error;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* The same judgement of the initial state as of time stepping, with the contacts that are closed. */
static thud_error check_start(const event_problem *problem, event_present *state, const double *q0, const double *v0) {
  thud_stepping_options options = thud_stepping_options_default();
  thud_motion *check = NULL;
  options.start = problem->options.start;
  options.end = problem->options.end;
  options.initial_tolerance = problem->options.initial_tolerance;
  options.percussion = problem->options.percussion;
  bool known = evaluate(problem, state) == THUD_OK; /* otherwise the judgement says why */
  for (size_t i = 0; known && i < problem->m; i++)
    if (has_gap(problem, i) && state->values->gap[i] <= gap_rounding(problem, state, i))
      options.gap_tolerance = fmax(options.gap_tolerance, state->values->gap[i]);
  thud_error error = thud_stepping_motion_create(problem->context, problem->system, &options, q0, v0, &check);
  thud_motion_destroy(check);
  return error;
}

static event_contact contact_of(const event_problem *problem, const event_present *state, size_t i) {
  double u = thud_event_constraint_velocity(problem, state, i, state->v),
         rounding = velocity_rounding(problem, state, i);
  if (event_is_equation(problem, i)) return EVENT_REST;
  if (event_kind_of(problem, i) != THUD_CONSTRAINT_UNILATERAL) return u > rounding ? EVENT_AWAY : EVENT_REST;
  if (state->values->gap[i] > gap_rounding(problem, state, i)) return EVENT_AWAY;
  return u < -rounding ? EVENT_HIT : u > rounding ? EVENT_PARTS : EVENT_REST;
}

static double largest(size_t n, const double *x) {
  double size = 0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

thud_error thud_event_set_initial_state(event_motion *motion, const double *q0, const double *v0) {
  const thud_event_options *options = &motion->problem.options;
  size_t n = motion->problem.n;
  double duration = options->end - options->start, position = largest(n, q0), speed = largest(n, v0);
  memcpy(motion->state.q, q0, n * sizeof *q0);
  memcpy(motion->state.v, v0, n * sizeof *v0);
  thud_error error = check_start(&motion->problem, &motion->state, q0, v0);
  if (error == THUD_OK) error = evaluate(&motion->problem, &motion->state);
  if (error == THUD_OK) error = take_violations_away(motion);
  if (error != THUD_OK) return error;
  memcpy(motion->event.v_before, motion->state.v, n * sizeof *v0);
  motion->scales.blow_up_q = options->blow_up * (1 + position + speed * duration);
  motion->scales.blow_up_v = options->blow_up * (1 + speed + position / duration);
  for (size_t i = 0; i < motion->problem.m; i++) {
    motion->contacts.contact[i] = (int)contact_of(&motion->problem, &motion->state, i);
    motion->modes.mode[i] = event_is_equation(&motion->problem, i) ? THUD_CONTACT_LASTING : THUD_CONTACT_OPEN;
    motion->modes.mode_before[i] = motion->modes.mode[i];
    motion->event.involved[i] = motion->contacts.contact[i] == EVENT_HIT;
  }
  for (size_t l = 0; l < motion->problem.law_count; l++) motion->contacts.slip[l] = EVENT_SLIP_UNKNOWN;
  return THUD_OK;
}

void thud_event_widen_blow_up_limits(event_motion *motion) {
  double duration = motion->problem.options.end - motion->state.t,
         gained = largest(motion->problem.n, motion->arc->a) * duration;
  motion->scales.blow_up_v += motion->problem.options.blow_up * gained;
  motion->scales.blow_up_q += motion->problem.options.blow_up * gained * duration;
}
