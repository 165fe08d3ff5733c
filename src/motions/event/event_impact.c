/* Impacts: the velocity problem of thud_percussion at one configuration, and what it leaves of the contacts. */
#include "motions/event/event.h"

#include "model/diagnose.h"

#include "model/factors.h"
#include "model/percussion.h"

#include <float.h>

/* The law sees the numbers of the arc, whose switches are held on the side on which the motion goes on. */
thud_error thud_event_take_values_of_arc(const event_problem *problem, const sim_arc *arc, event_present *state) {
  const model_jet_layout *at = &arc->jets.layout;
  thud_system_values *values = state->values;
  size_t n = problem->n, m = problem->m;
  const unsigned parts = THUD_AT_MASS | THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION;
  thud_error error = thud_system_evaluate(problem->system, state->t, state->q, state->v, parts, values);
  if (error != THUD_OK) return error;
  memcpy(values->mass, arc->jet + at->mass, n * n * sizeof(double));
  memcpy(values->mass_factor, arc->factor, n * n * sizeof(double));
  memcpy(values->gradient, arc->jet + at->gradient, m * n * sizeof(double));
  memcpy(values->slip, arc->jet + at->slip, problem->s * n * sizeof(double));
  memcpy(values->friction, arc->jet + at->friction,
         (size_t)thud_system_friction_count(problem->system) * sizeof(double));
  for (size_t j = 0; j < problem->s; j++)
    values->slip_rate[j] = arc->jet[at->slip_velocity + j] - motion_dot((thud_index)n, values->slip + j * n, state->v);
  thud_model_rows_out_of_frames(problem->system, n, values->slip);
  thud_model_rows_out_of_frames(problem->system, 1, values->slip_rate);
  for (size_t i = 0; i < m; i++)
    values->rate[i] = arc->jet[at->velocity + i] - motion_dot((thud_index)n, values->gradient + i * n, state->v);
  return THUD_OK;
}

double thud_event_constraint_velocity(const event_problem *problem, const event_present *state, size_t i,
                                      const double *v) {
  return motion_dot((thud_index)problem->n, state->values->gradient + i * problem->n, v) + state->values->rate[i];
}

double thud_event_approach_speed(const event_motion *motion) {
  double fastest = 0;
  for (size_t i = 0; i < motion->problem.m; i++) {
    double own = motion->arc->own[i];
    if (motion->collision.acting[i] && own > 0)
      fastest =
          fmax(fastest,
               fabs(thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->event.v_before)) / own);
  }
  return fastest;
}

/* A velocity, or an energy of it, that is not a number any more: comparisons with it decide nothing. */
static thud_error check_finite(event_motion *motion) {
  const thud_percussion_info *found = &motion->event.percussion;
  double sum =
      found->energy_after + found->normal_loss + found->friction_loss + found->moving_work + found->applied_work;
  for (size_t i = 0; i < motion->problem.n; i++) sum += motion->state.v[i];
  if (isfinite(sum)) return THUD_OK;
  motion->run.finding = THUD_MOTION_BLOW_UP;
  return thud_fail(motion->problem.context, THUD_ERROR_NOT_FINITE,
                   "blow-up at t = %.10g: the velocities after the %s, or their energy, are too large for a number",
                   motion->state.t, motion->event.loaded ? "percussion" : "impact");
}

static thud_error fail_infeasible(const event_motion *motion) {
  const event_problem *problem = &motion->problem;
  char family[288];
  double closed = 0;
  for (size_t i = 0; i < problem->m; i++)
    if (motion->contacts.contact[i] != EVENT_AWAY) closed = fmax(closed, motion->state.values->gap[i]);
  thud_error error = thud_model_name_dependent(problem->context, problem->system, motion->state.t, motion->state.q,
                                               motion->state.v, closed, sizeof family, family);
  bool named = error == THUD_OK && family[0] != '\0';
  return thud_fail(problem->context, THUD_ERROR_UNQUALIFIED,
                   "impact at t = %.10g: %s%s: no velocity satisfies %s; see `thud check`", motion->state.t,
                   named ? "no solution: " : "", named ? family : "the closed constraints",
                   named ? "them" : "them all");
}

static thud_error judge_answer(event_motion *motion) {
  const thud_percussion_info *found = &motion->event.percussion;
  if (found->status == THUD_SOLVER_INFEASIBLE) return fail_infeasible(motion);
  if (found->status != THUD_SOLVED)
    return thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                     "impact at t = %.10g: the velocity problem was left with residual %.3g (method: %s, %s)",
                     motion->state.t, found->residual, thud_percussion_method(motion->collision.percussion),
                     thud_solver_status_name(found->status));
  thud_error error = check_finite(motion);
  if (error != THUD_OK || !found->refused) return error;
  motion->run.finding = thud_percussion_only_gains(found) ? THUD_MOTION_ENERGY : THUD_MOTION_BAD_DATA;
  return thud_percussion_fail_refused(motion->collision.percussion, found, THUD_ERROR_ARGUMENT);
}

double thud_event_slip_velocity(const event_problem *problem, const event_present *state, size_t j, const double *v) {
  return motion_dot((thud_index)problem->n, state->values->slip + j * problem->n, v) + state->values->slip_rate[j];
}

void thud_event_slip_in_frame(const event_problem *problem, const event_present *state, const event_law *law,
                              const double *v, double *slip) {
  const thud_set_factor *set = &thud_model_factor(problem->system, law->number)->set;
  for (size_t c = 0; c < law->directions; c++) slip[c] = thud_event_slip_velocity(problem, state, law->first + c, v);
  if (set->kind != THUD_FACTOR_ELLIPSE) return;
  double x = slip[0], y = slip[1];
  slip[0] = set->map[0] * x + set->map[2] * y;
  slip[1] = set->map[1] * x + set->map[3] * y;
}

/* Which laws slide after the impact (those by themselves may have been carried along, or stopped by a load); what is 0
 * beside the velocities before counts as 0. */
static void sort_slips(event_motion *motion, double speed) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    double before[THUD_MOST_SLIPS], u[THUD_MOST_SLIPS], limit[THUD_MOST_SLIPS];
    if (law->constraint >= 0 && !motion->collision.acting[law->constraint]) continue;
    thud_event_slip_in_frame(&motion->problem, &motion->state, law, motion->event.v_before, before);
    thud_event_slip_in_frame(&motion->problem, &motion->state, law, motion->state.v, u);
    for (size_t c = 0; c < law->directions; c++)
      limit[c] = motion->problem.options.decision_tolerance *
                 fmax(speed * motion->arc->own[event_row_of(motion->arc, law, c)], fabs(before[c]));
    motion->contacts.slip[l] = thud_event_slip_sign(motion->arc, law, u, limit);
  }
}

/* What the velocity problem may leave of a velocity: its tolerance is relative to the largest one given. */
static double residual_speed(const event_motion *motion, double speed, double own) {
  double largest = 0;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->collision.acting[i])
      largest = fmax(largest,
                     fabs(thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->event.v_before)));
  for (size_t j = 0; j < motion->problem.s; j++) {
    thud_index owner = motion->arc->owner[j];
    if (owner >= 0 && motion->collision.acting[owner])
      largest =
          fmax(largest, fabs(thud_event_slip_velocity(&motion->problem, &motion->state, j, motion->event.v_before)));
  }
  if (motion->event.loaded) largest = fmax(largest, speed * own);
  return motion->problem.options.residual_tolerance * largest;
}

double thud_event_velocity_terms(const event_problem *problem, const event_present *state, size_t i, const double *v) {
  double sum = fabs(state->values->rate[i]);
  for (size_t c = 0; c < problem->n; c++) sum += fabs(state->values->gradient[i * problem->n + c] * v[c]);
  return sum;
}

double thud_event_small_velocity(const event_problem *problem, const sim_arc *arc, const event_present *state, size_t i,
                                 double speed, const double *v) {
  double rounding = (double)(problem->n + 2) * DBL_EPSILON * thud_event_velocity_terms(problem, state, i, v);
  return problem->options.decision_tolerance * speed * arc->own[i] + rounding;
}

/* What velocity u after the impact makes of contact i, which took part in it. A law may let a contact that separated
 * come back, as long as it is no faster than e times that (Newton's u+ >= -e u-): it is struck next, like an open one.
 */
static thud_error sort_contact(event_motion *motion, size_t i, double speed) {
  double u = thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->state.v),
         limit = thud_event_small_velocity(&motion->problem, motion->arc, &motion->state, i, speed, motion->state.v);
  motion->event.involved[i] = motion->event.involved[i] || motion->event.impulse[i] != 0;
  motion->contacts.contact[i] = u > limit ? EVENT_PARTS : EVENT_REST;
  if (event_is_equation(&motion->problem, i) || u >= -limit || u >= -residual_speed(motion, speed, motion->arc->own[i]))
    return THUD_OK;
  motion->contacts.contact[i] = EVENT_AWAY;
  if (thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->collision.v_struck) > limit)
    return THUD_OK;
  return thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                   "impact at t = %.10g: the law leaves constraint '%s' approaching at %.6g", motion->state.t,
                   thud_system_constraint(motion->problem.system, (thud_index)i)->name, -u);
}

/* What the impact leaves: contacts at rest, and contacts that part. */
static thud_error sort_contacts(event_motion *motion, double speed) {
  thud_error error = THUD_OK;
  sort_slips(motion, speed);
  for (size_t i = 0; i < motion->problem.m && error == THUD_OK; i++)
    if (motion->collision.acting[i]) error = sort_contact(motion, i, speed);
  return error;
}

thud_error thud_event_rest_after_impact(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  bool any = false;
  for (size_t row = 0; row < motion->arc->rows; row++) {
    thud_index i = row < problem->m ? (thud_index)row : motion->arc->owner[row - problem->m];
    motion->projection.hold[row] = i < 0 || motion->contacts.contact[i] == EVENT_REST;
    if (row >= problem->m)
      motion->projection.hold[row] =
          motion->projection.hold[row] && motion->contacts.slip[motion->arc->law[row - problem->m]] == 0;
    any = any || (motion->event.loaded && row >= problem->m && motion->projection.hold[row]);
    any = any || (row < problem->m && motion->projection.hold[row] && !event_is_equation(problem, row));
  }
  return any ? thud_event_project_held(motion) : THUD_OK;
}

static void note_cosine(event_motion *motion) {
  const thud_percussion_info *found = &motion->event.percussion;
  thud_event_motion_info *info = &motion->info;
  int struck = 0;
  for (size_t i = 0; i < motion->problem.m; i++)
    struck += motion->collision.acting[i] && !event_is_equation(&motion->problem, i) ? 1 : 0;
  info->multiple_impacts += struck > 1 ? 1 : 0;
  if (found->cosine_first < 0 || !(fabs(found->worst_cosine) > fabs(info->worst_cosine))) return;
  info->worst_cosine = found->worst_cosine;
  info->worst_cosine_time = motion->state.t;
  info->cosine_first = found->cosine_first;
  info->cosine_second = found->cosine_second;
}

static bool any_contact_impulse(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->event.impulse[i] != 0) return true;
  return false;
}

thud_error thud_event_book_impact(event_motion *motion, double speed) {
  const thud_percussion_info *found = &motion->event.percussion;
  thud_event_motion_info *info = &motion->info;
  info->impacts += motion->event.loaded ? 0 : 1;
  info->percussions += motion->event.loaded ? 1 : 0;
  if (motion->problem.options.keep_posed)
    thud_sim_posed_take(motion->problem.system, motion->state.values, motion->collision.acting, 0, NULL, NULL,
                        &motion->collision.posed);
  info->worst_residual = fmax(info->worst_residual, found->residual);
  info->ledger.impact_loss += found->normal_loss + found->friction_loss;
  info->ledger.work += found->moving_work + found->applied_work;
  info->ledger.identity = fmax(info->ledger.identity, found->identity);
  info->reduced_restitutions += found->restitution_factor < 1 ? 1 : 0;
  if (!motion->event.loaded || any_contact_impulse(motion)) note_cosine(motion);
  motion->event.jumped = true;
  return sort_contacts(motion, speed);
}

thud_error thud_event_apply_impact(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_present *state = &motion->state;
  event_collision *collision = &motion->collision;
  size_t count = problem->m + problem->s;
  thud_percussion_info *found = &motion->event.percussion;
  thud_error error = thud_event_take_values_of_arc(problem, motion->arc, state);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < problem->m; i++)
    collision->acting[i] = event_is_equation(problem, i) || motion->contacts.contact[i] != EVENT_AWAY;
  memset(motion->event.impulse, 0, count * sizeof(double));
  memcpy(collision->v_struck, state->v, problem->n * sizeof(double));
  bool loaded = thud_event_load_is_due(problem, &motion->loads, state->t);
  if (loaded) thud_event_place_load(problem, state, &motion->loads);
  const double *v_free = loaded ? motion->loads.v_free : state->v;
  motion->event.loaded = loaded;
  thud_percussion_place(collision->percussion, state->t, state->q);
  error = thud_percussion_solve(collision->percussion, state->values, collision->acting, loaded ? 1 : 0, state->v,
                                v_free, motion->event.impulse, motion->event.impulse + problem->m, state->v, found);
  if (error == THUD_OK) error = judge_answer(motion);
  if (error == THUD_OK && problem->options.fork && !loaded) error = thud_event_fork_over_orders(motion);
  if (error != THUD_OK) return error;
  return thud_event_book_impact(motion, loaded ? motion->loads.speed : thud_event_approach_speed(motion));
}
