/* Event-driven motions come into being: the initial state, the parts of the state, and their end. */
#include "motions/event/event.h"

#include "model/factors.h"

#include <float.h>

/* ---- the initial state ---------------------------------------------------------------------------------------------- */

/* The start of an event-driven motion: which contacts are closed, and how.
 *
 * A gap, an approach or a slip is 0 when it is a rounding error of its terms; everything else counts as it is,
 * whatever the units. initial_tolerance is what is accepted as a violation of the constraints (gap < 0, an equation
 * that is not 0, in positions or velocities). The motion starts from a state without it: the nearest one in the kinetic
 * metric, to first order in the violation, found by Newton's method. */

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

/* ---- life ----------------------------------------------------------------------------------------------------------- */

static thud_error check_options(thud_context *context, const thud_event_options *options) {
  if (!(options->end > options->start))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-span] the end (%g) must lie after the start (%g)",
                     options->end, options->start);
  if (options->order != 0 && options->order < 4)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[no-power-series] the order of the power series is %d; it must be 4..60, or 0", options->order);
  return THUD_OK;
}

/* 1 - ln(tolerance)/2: with h = rho/e^2 what is cut off is e^(-2 order) (Jorba and Zou 2005). */
static int order_of(const thud_event_options *options) {
  if (options->order > 0) return options->order;
  return (int)fmin(fmax(ceil(1 - log(options->tolerance) / 2), 4), 60);
}

thud_error thud_event_create_single(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  thud_percussion_options options = problem->options.percussion;
  options.law = THUD_IMPACT_NEWTON;
  if (motion->collision.single != NULL) return THUD_OK;
  return thud_percussion_create(problem->context, problem->system, &options, &motion->collision.single);
}

/* Functions are known only where they are called: without a limit a run has at least so many arcs. */
#define ARCS_OF_FUNCTIONS 100.0

/* The first friction law whose set has an outline, -1: none. */
static thud_index curved_law(const event_problem *problem) {
  for (size_t f = 0; f < thud_model_factor_count(problem->system); f++)
    if (thud_model_factor(problem->system, f)->set.kind == THUD_FACTOR_CURVED)
      return (thud_index)thud_model_factor(problem->system, f)->law;
  return -1;
}

/* Whether arcs are made of the system's functions instead of power series. */
static bool uses_functions(const event_problem *problem) {
  int arcs = problem->options.arcs;
  if (!thud_model_has_expressions(problem->system) || arcs >= THUD_ARCS_RUNGE_KUTTA) return true;
  return arcs == THUD_ARCS_AUTO && curved_law(problem) >= 0;
}

/* Whether the arcs asked for can be those of this system. Without power series a change of branch cannot be found. */
static thud_error check_arcs(const event_problem *problem) {
  int arcs = problem->options.arcs;
  bool expressions = thud_model_has_expressions(problem->system);
  model_jets jets;
  if (arcs == THUD_ARCS_SERIES && !expressions)
    return thud_fail(
        problem->context, THUD_ERROR_UNSUPPORTED,
        "[no-power-series] arcs 'series': a system given by functions in C has no power series; use 'auto'");
  if (!expressions || !uses_functions(problem)) return THUD_OK;
  thud_error error = thud_model_get_jets(problem->system, problem->context, &jets);
  if (error != THUD_OK || thud_expr_program_switch_count(jets.program) == 0) return error;
  if (arcs == THUD_ARCS_AUTO)
    return thud_fail(problem->context, THUD_ERROR_UNSUPPORTED,
                     "[branch-changes] the event-driven method cannot follow friction law '%s': its set is curved and "
                     "no ellipse round 0, "
                     "or couples more than two components, and the system's expressions change their branch (abs, min, "
                     "if ...), which is found on power series only; use a time-stepping method",
                     thud_system_friction(problem->system, curved_law(problem))->name);
  return thud_fail(problem->context, THUD_ERROR_UNSUPPORTED,
                   "[branch-changes] arcs 'runge-kutta' and 'cvode': the system's expressions change their branch "
                   "(abs, min, if ...), "
                   "which is found on power series only; use 'series'");
}

static thud_error create_arc(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const thud_event_options *options = &problem->options;
  thud_error error = check_arcs(problem);
  if (error != THUD_OK) return error;
  if (!uses_functions(problem))
    return thud_arc_create(problem->context, problem->system, order_of(options), &motion->arc);
  double longest = options->max_step > 0 ? options->max_step : (options->end - options->start) / ARCS_OF_FUNCTIONS;
  return thud_arc_create_functions(problem->context, problem->system, options->arcs == THUD_ARCS_CVODE,
                                   options->tolerance, longest, &motion->arc);
}

static thud_error create_posed(const event_problem *problem, event_collision *collision) {
  collision->posed_numbers = THUD_NEW_ARRAY(problem->context, double, thud_sim_posed_count(problem->system));
  if (collision->posed_numbers == NULL) return THUD_ERROR_MEMORY;
  thud_sim_posed_place(problem->system, collision->posed_numbers, &collision->posed);
  return THUD_OK;
}

static thud_error create_parts(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  thud_context *context = problem->context;
  const thud_system *system = problem->system;
  thud_error error = create_arc(motion);
  if (error == THUD_OK) error = thud_event_laws_create(&motion->problem, motion->arc, &motion->friction);
  if (error == THUD_OK) error = thud_event_parts_allocate(motion);
  if (error == THUD_OK) error = thud_event_proofs_create(motion);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &motion->state.values);
  if (error == THUD_OK)
    error = thud_percussion_create(context, system, &problem->options.percussion, &motion->collision.percussion);
  if (error == THUD_OK && problem->options.fork) error = thud_event_create_single(motion);
  if (error == THUD_OK && problem->options.keep_posed) error = create_posed(problem, &motion->collision);
  if (error == THUD_OK && problem->m > 1)
    error = thud_lemke_create(context, (thud_index)problem->m, &motion->graded.lemke);
  return error;
}

void thud_event_destroy(thud_motion *base) {
  event_motion *motion = (event_motion *)base;
  thud_context *context = motion->problem.context;
  thud_lemke_destroy(motion->graded.lemke);
  thud_percussion_destroy(motion->collision.percussion);
  thud_percussion_destroy(motion->collision.single);
  thud_free(context, motion->collision.posed_numbers);
  thud_system_values_destroy(context, motion->state.values);
  thud_free(context, motion->friction.laws);
  thud_arc_proof_destroy(motion->proofs.proof);
  thud_arc_destroy(motion->arc);
  thud_event_parts_free(motion);
  thud_event_outcomes_destroy(&motion->problem, &motion->forks);
  thud_free(context, motion);
}

/* Everything but the initial state. */
thud_error thud_event_make(thud_context *context, const thud_system *system, const thud_event_options *options,
                           event_motion **motion) {
  event_motion *made = THUD_NEW(context, event_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->base = (thud_motion){.type = &thud_event_type, .context = context};
  made->problem.context = context;
  made->problem.system = system;
  made->problem.options = *options;
  made->problem.stop = INFINITY;
  made->problem.options.percussion.tolerance = options->residual_tolerance;
  made->problem.n = (size_t)thud_system_dimension(system);
  made->problem.m = (size_t)thud_system_constraint_count(system);
  made->problem.s = (size_t)thud_system_slip_count(system);
  made->state.t = options->start;
  made->run.after_event = true;
  made->info = (thud_event_motion_info){.time = options->start,
                                        .undecided_constraint = -1,
                                        .right_accumulation_constraint = -1,
                                        .moved_constraint = -1,
                                        .indeterminate_constraint = -1,
                                        .cosine_first = -1,
                                        .cosine_second = -1};
  thud_error error = create_parts(made);
  if (error == THUD_OK) made->info.order = made->arc->order;
  if (error == THUD_OK) thud_event_loads_begin(&made->problem, &made->loads);
  if (error == THUD_OK)
    *motion = made;
  else
    thud_event_destroy(&made->base);
  return error;
}

thud_error thud_event_motion_create(thud_context *context, const thud_system *system, const thud_event_options *options,
                                    const double *q0, const double *v0, thud_motion **motion) {
  THUD_REQUIRE(context, context, system, options, q0, v0, motion);
  thud_event_options chosen;
  event_motion *made = NULL;
  thud_error error = thud_options_take(context, thud_event_option_table(), options, &chosen);
  if (error == THUD_OK) error = check_options(context, &chosen);
  if (error == THUD_OK) error = thud_event_make(context, system, &chosen, &made);
  if (error != THUD_OK) return error;
  error = thud_event_set_initial_state(made, q0, v0);
  if (error == THUD_OK) thud_event_proofs_begin(made);
  if (error == THUD_OK)
    *motion = &made->base;
  else
    thud_event_destroy(&made->base);
  return error;
}
