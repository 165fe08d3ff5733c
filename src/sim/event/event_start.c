/* The start of an event-driven motion: which contacts are closed, and how.
 *
 * A gap, an approach or a slip is 0 when it is a rounding error of its terms; everything else counts as it stands,
 * whatever the units. initial_tolerance is what is accepted as a violation of the constraints (gap < 0, an equation
 * that is not 0, in positions or velocities). The motion starts from a state without it: the nearest one in the kinetic
 * metric, to first order in the violation, found by Newton's method. */
#include "sim/event/event.h"

#include <float.h>

enum { START_ITERATIONS = 20 };

/* ---- what is 0 --------------------------------------------------------------------------------------------------- */

static bool has_gap(const thud_event_motion *motion, size_t i) {
  return event_kind_of(motion, i) <= THUD_CONSTRAINT_BILATERAL;
}

/* Rounding of gap i: of its terms the parts that depend on q and t are known. */
static double gap_rounding(const thud_event_motion *motion, size_t i) {
  double sum = fabs(motion->values->rate[i] * motion->t);
  for (size_t c = 0; c < motion->n; c++) sum += fabs(motion->values->gradient[i * motion->n + c] * motion->q[c]);
  return EVENT_ROUNDING * DBL_EPSILON * sum;
}

static double velocity_rounding(const thud_event_motion *motion, size_t i) {
  return EVENT_ROUNDING * DBL_EPSILON * event_velocity_terms(motion, i, motion->v);
}

/* By how much gap or velocity x violates constraint i beyond its rounding. */
static double violation(const thud_event_motion *motion, size_t i, double x, double rounding) {
  double size = event_is_equation(motion, i) ? fabs(x) : -x;
  return size > rounding ? size : 0;
}
static double gap_violation(const thud_event_motion *motion, size_t i) {
  return has_gap(motion, i) ? violation(motion, i, motion->values->gap[i], gap_rounding(motion, i)) : 0;
}
/* An approach of a contact is none: it is an impact. */
static double velocity_violation(const thud_event_motion *motion, size_t i) {
  if (event_kind_of(motion, i) == THUD_CONSTRAINT_UNILATERAL) return 0;
  return violation(motion, i, event_velocity_of(motion, i, motion->v), velocity_rounding(motion, i));
}

static thud_error evaluate(thud_event_motion *motion) {
  return thud_system_evaluate(motion->system, motion->t, motion->q, motion->v, THUD_AT_CONSTRAINT | THUD_AT_GRADIENT,
                              motion->values);
}

/* ---- violations are taken away ----------------------------------------------------------------------------------- */

static size_t note_violations(thud_event_motion *motion) {
  thud_event_info *info = &motion->info;
  info->moved = 0;
  for (size_t i = 0; i < motion->m; i++) {
    double size = fmax(gap_violation(motion, i), velocity_violation(motion, i));
    if (size == 0) continue;
    info->moved++;
    if (size <= info->moved_violation) continue;
    info->moved_violation = size;
    info->moved_constraint = (thud_index)i;
  }
  return info->moved;
}

static bool any_gap_violated(const thud_event_motion *motion) {
  for (size_t i = 0; i < motion->m; i++)
    if (gap_violation(motion, i) > 0) return true;
  return false;
}

/* Positions. The rows that are brought to 0 are the equations and the contacts that are closed; where that leaves a
 * violation, because some of these depend on others, the violated ones only: the others may open. */
static thud_error move_position(thud_event_motion *motion, bool closed_too) {
  thud_error error = THUD_OK;
  memset(motion->hold, 0, motion->arc->rows * sizeof *motion->hold);
  for (int k = 0; k < START_ITERATIONS && error == THUD_OK && any_gap_violated(motion); k++) {
    for (size_t i = 0; i < motion->m; i++) {
      bool closed = closed_too && has_gap(motion, i) && motion->values->gap[i] <= gap_rounding(motion, i);
      motion->hold[i] = motion->hold[i] || closed || event_is_equation(motion, i) || gap_violation(motion, i) > 0;
    }
    error = thud_arc_begin(motion->arc, motion->t, motion->q, motion->v);
    if (error != THUD_OK) break;
    event_project_once(motion, true);
    error = evaluate(motion);
  }
  return error;
}

static thud_error move_velocity(thud_event_motion *motion) {
  memset(motion->hold, 0, motion->arc->rows * sizeof *motion->hold);
  for (size_t i = 0; i < motion->m; i++)
    motion->hold[i] = event_is_equation(motion, i) || velocity_violation(motion, i) > 0;
  thud_error error = thud_arc_begin(motion->arc, motion->t, motion->q, motion->v);
  if (error != THUD_OK) return error;
  event_project_once(motion, false);
  return evaluate(motion);
}

static thud_error take_violations_away(thud_event_motion *motion) {
  if (note_violations(motion) == 0) return THUD_OK;
  thud_error error = move_position(motion, true);
  if (error == THUD_OK) error = move_position(motion, false);
  return error == THUD_OK ? move_velocity(motion) : error;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* The same judgement of the initial state as of time stepping, with the contacts that are closed. */
static thud_error check_start(thud_event_motion *motion, const double *q0, const double *v0) {
  thud_motion_options options = thud_motion_options_default();
  thud_motion *check = NULL;
  options.start = motion->options.start;
  options.end = motion->options.end;
  options.initial_tolerance = motion->options.initial_tolerance;
  options.percussion = motion->options.percussion;
  bool known = evaluate(motion) == THUD_OK; /* otherwise the judgement says why */
  for (size_t i = 0; known && i < motion->m; i++)
    if (has_gap(motion, i) && motion->values->gap[i] <= gap_rounding(motion, i))
      options.gap_tolerance = fmax(options.gap_tolerance, motion->values->gap[i]);
  thud_error error = thud_motion_create(motion->context, motion->system, &options, q0, v0, &check);
  thud_motion_destroy(check);
  return error;
}

static event_contact contact_of(const thud_event_motion *motion, size_t i) {
  double u = event_velocity_of(motion, i, motion->v), rounding = velocity_rounding(motion, i);
  if (event_is_equation(motion, i)) return EVENT_REST;
  if (event_kind_of(motion, i) != THUD_CONSTRAINT_UNILATERAL) return u > rounding ? EVENT_AWAY : EVENT_REST;
  if (motion->values->gap[i] > gap_rounding(motion, i)) return EVENT_AWAY;
  return u < -rounding ? EVENT_HIT : u > rounding ? EVENT_PARTS : EVENT_REST;
}

static double largest(size_t n, const double *x) {
  double size = 0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

thud_error event_start(thud_event_motion *motion, const double *q0, const double *v0) {
  const thud_event_options *options = &motion->options;
  size_t n = motion->n;
  double duration = options->end - options->start, position = largest(n, q0), speed = largest(n, v0);
  memcpy(motion->q, q0, n * sizeof *q0);
  memcpy(motion->v, v0, n * sizeof *v0);
  thud_error error = check_start(motion, q0, v0);
  if (error == THUD_OK) error = evaluate(motion);
  if (error == THUD_OK) error = take_violations_away(motion);
  if (error != THUD_OK) return error;
  memcpy(motion->v_before, motion->v, n * sizeof *v0);
  motion->blow_up_q = options->blow_up * (1 + position + speed * duration);
  motion->blow_up_v = options->blow_up * (1 + speed + position / duration);
  for (size_t i = 0; i < motion->m; i++) {
    motion->contact[i] = (int)contact_of(motion, i);
    motion->mode[i] = event_is_equation(motion, i) ? THUD_CONTACT_LASTING : THUD_CONTACT_OPEN;
    motion->mode_before[i] = motion->mode[i];
    motion->involved[i] = motion->contact[i] == EVENT_HIT;
  }
  for (size_t l = 0; l < motion->law_count; l++) motion->slip[l] = EVENT_SLIP_UNKNOWN;
  return THUD_OK;
}

void event_widen_limits(thud_event_motion *motion) {
  double duration = motion->options.end - motion->t, gained = largest(motion->n, motion->arc->a) * duration;
  motion->blow_up_v += motion->options.blow_up * gained;
  motion->blow_up_q += motion->options.blow_up * gained * duration;
}
