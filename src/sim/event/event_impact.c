/* Impacts: the velocity problem of thud_percussion at one configuration, and what it leaves of the contacts. */
#include "sim/event/event.h"

#include <float.h>

/* The law sees the numbers of the arc, whose switches are held on the side on which the motion goes on. */
thud_error event_place_values(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  thud_system_values *values = motion->values;
  size_t n = motion->n, m = motion->m;
  const unsigned parts = THUD_AT_MASS | THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION;
  thud_error error = thud_system_evaluate(motion->system, motion->t, motion->q, motion->v, parts, values);
  if (error != THUD_OK) return error;
  memcpy(values->mass, arc->jet + at->mass, n * n * sizeof(double));
  memcpy(values->mass_factor, arc->factor, n * n * sizeof(double));
  memcpy(values->gradient, arc->jet + at->gradient, m * n * sizeof(double));
  memcpy(values->slip, arc->jet + at->slip, motion->s * n * sizeof(double));
  memcpy(values->friction, arc->jet + at->friction,
         (size_t)thud_system_friction_count(motion->system) * sizeof(double));
  for (size_t j = 0; j < motion->s; j++)
    values->slip_rate[j] = arc->jet[at->slip_velocity + j] - motion_dot((thud_index)n, values->slip + j * n, motion->v);
  for (size_t i = 0; i < m; i++)
    values->rate[i] = arc->jet[at->velocity + i] - motion_dot((thud_index)n, values->gradient + i * n, motion->v);
  return THUD_OK;
}

double event_velocity_of(const thud_event_motion *motion, size_t i, const double *v) {
  return motion_dot((thud_index)motion->n, motion->values->gradient + i * motion->n, v) + motion->values->rate[i];
}

double event_approach_speed(const thud_event_motion *motion) {
  double fastest = 0;
  for (size_t i = 0; i < motion->m; i++) {
    double own = motion->arc->own[i];
    if (motion->acting[i] && own > 0)
      fastest = fmax(fastest, fabs(event_velocity_of(motion, i, motion->v_before)) / own);
  }
  return fastest;
}

static thud_error judge_answer(thud_event_motion *motion) {
  const thud_percussion_info *found = &motion->percussion_info;
  if (found->status == THUD_SOLVER_INFEASIBLE)
    return thud_fail(motion->context, THUD_ERROR_UNQUALIFIED,
                     "impact at t = %.10g: no velocity satisfies the closed "
                     "constraints; see `thud check`",
                     motion->t);
  if (found->status != THUD_SOLVED)
    return thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
                     "impact at t = %.10g: the velocity problem was left with residual %.3g", motion->t,
                     found->residual);
  if (!found->refused) return THUD_OK;
  motion->finding = THUD_EVENT_ENERGY;
  return thud_fail(motion->context, THUD_ERROR_ARGUMENT,
                   "the impact law creates energy at t = %.10g (%.6g J before, %.6g J after): reduce the restitution "
                   "or choose on_energy_gain: reduce_e",
                   motion->t, found->energy_before, found->energy_after);
}

double event_slip_velocity(const thud_event_motion *motion, size_t j, const double *v) {
  return motion_dot((thud_index)motion->n, motion->values->slip + j * motion->n, v) + motion->values->slip_rate[j];
}

/* Which laws slide after the impact (those by themselves may have been carried along); what is 0 beside the velocities
 * before counts as 0. */
static void sort_slips(thud_event_motion *motion, double speed) {
  for (size_t l = 0; l < motion->law_count; l++) {
    const event_law *law = &motion->laws[l];
    double u[2], limit[2];
    if (law->constraint >= 0 && !motion->acting[law->constraint]) continue;
    for (size_t c = 0; c < law->directions; c++) {
      double before = event_slip_velocity(motion, law->first + c, motion->v_before);
      u[c] = event_slip_velocity(motion, law->first + c, motion->v);
      limit[c] = motion->options.decision_tolerance *
                 fmax(speed * motion->arc->own[event_row_of(motion, law, c)], fabs(before));
    }
    motion->slip[l] = event_slip_sign(law, u, limit);
  }
}

/* What the velocity problem may leave of a velocity: its tolerance is relative to the largest one given. */
static double residual_speed(const thud_event_motion *motion) {
  double largest = 0;
  for (size_t i = 0; i < motion->m; i++)
    if (motion->acting[i]) largest = fmax(largest, fabs(event_velocity_of(motion, i, motion->v_before)));
  for (size_t j = 0; j < motion->s; j++) {
    thud_index owner = motion->arc->owner[j];
    if (owner >= 0 && motion->acting[owner])
      largest = fmax(largest, fabs(event_slip_velocity(motion, j, motion->v_before)));
  }
  return motion->options.residual_tolerance * largest;
}

double event_velocity_terms(const thud_event_motion *motion, size_t i, const double *v) {
  double sum = fabs(motion->values->rate[i]);
  for (size_t c = 0; c < motion->n; c++) sum += fabs(motion->values->gradient[i * motion->n + c] * v[c]);
  return sum;
}

double event_small_velocity(const thud_event_motion *motion, size_t i, double speed, const double *v) {
  double rounding = (double)(motion->n + 2) * DBL_EPSILON * event_velocity_terms(motion, i, v);
  return motion->options.decision_tolerance * speed * motion->arc->own[i] + rounding;
}

/* What velocity u after the impact makes of contact i, which took part in it. A law may let a contact that separated
 * come back, as long as it is no faster than e times that (Newton's u+ >= -e u-): it is struck next, like an open one.
 */
static thud_error sort_contact(thud_event_motion *motion, size_t i, double speed) {
  double u = event_velocity_of(motion, i, motion->v), limit = event_small_velocity(motion, i, speed, motion->v);
  motion->involved[i] = motion->involved[i] || motion->impulse[i] != 0;
  motion->contact[i] = u > limit ? EVENT_PARTS : EVENT_REST;
  if (event_is_equation(motion, i) || u >= -limit || u >= -residual_speed(motion)) return THUD_OK;
  motion->contact[i] = EVENT_AWAY;
  if (event_velocity_of(motion, i, motion->v_struck) > limit) return THUD_OK;
  return thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
                   "impact at t = %.10g: the law leaves constraint '%s' approaching at %.6g", motion->t,
                   thud_system_constraint(motion->system, (thud_index)i)->name, -u);
}

/* What the impact leaves: contacts at rest, and contacts that part. */
static thud_error sort_contacts(thud_event_motion *motion, double speed) {
  thud_error error = THUD_OK;
  sort_slips(motion, speed);
  for (size_t i = 0; i < motion->m && error == THUD_OK; i++)
    if (motion->acting[i]) error = sort_contact(motion, i, speed);
  return error;
}

thud_error event_rest_after_impact(thud_event_motion *motion) {
  bool any = false;
  for (size_t row = 0; row < motion->arc->rows; row++) {
    thud_index i = row < motion->m ? (thud_index)row : motion->arc->owner[row - motion->m];
    motion->hold[row] = i < 0 || motion->contact[i] == EVENT_REST;
    if (row >= motion->m) motion->hold[row] = motion->hold[row] && motion->slip[motion->arc->law[row - motion->m]] == 0;
    any = any || (row < motion->m && motion->hold[row] && !event_is_equation(motion, row));
  }
  return any ? event_project_held(motion) : THUD_OK;
}

static void note_cosine(thud_event_motion *motion) {
  const thud_percussion_info *found = &motion->percussion_info;
  thud_event_info *info = &motion->info;
  int struck = 0;
  for (size_t i = 0; i < motion->m; i++) struck += motion->acting[i] && !event_is_equation(motion, i) ? 1 : 0;
  info->multiple_impacts += struck > 1 ? 1 : 0;
  if (found->cosine_first < 0 || !(fabs(found->worst_cosine) > fabs(info->worst_cosine))) return;
  info->worst_cosine = found->worst_cosine;
  info->worst_cosine_time = motion->t;
  info->cosine_first = found->cosine_first;
  info->cosine_second = found->cosine_second;
}

thud_error event_finish_impact(thud_event_motion *motion, double speed) {
  const thud_percussion_info *found = &motion->percussion_info;
  thud_event_info *info = &motion->info;
  info->impacts++;
  info->worst_residual = fmax(info->worst_residual, found->residual);
  info->ledger.impact_loss += found->normal_loss + found->friction_loss;
  info->ledger.work += found->moving_work;
  info->ledger.identity = fmax(info->ledger.identity, found->identity);
  info->reduced_restitutions += found->restitution_factor < 1 ? 1 : 0;
  note_cosine(motion);
  motion->jumped = true;
  return sort_contacts(motion, speed);
}

thud_error event_impact(thud_event_motion *motion) {
  size_t count = motion->m + motion->s;
  thud_percussion_info *found = &motion->percussion_info;
  thud_error error = event_place_values(motion);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < motion->m; i++)
    motion->acting[i] = event_is_equation(motion, i) || motion->contact[i] != EVENT_AWAY;
  memset(motion->impulse, 0, count * sizeof(double));
  memcpy(motion->v_struck, motion->v, motion->n * sizeof(double));
  thud_percussion_place(motion->percussion, motion->t, motion->q);
  error = thud_percussion_solve(motion->percussion, motion->values, motion->acting, 0, motion->v, motion->v,
                                motion->impulse, motion->impulse + motion->m, motion->v, found);
  if (error == THUD_OK) error = judge_answer(motion);
  if (error == THUD_OK && motion->options.fork) error = event_fork_impact(motion);
  return error == THUD_OK ? event_finish_impact(motion, event_approach_speed(motion)) : error;
}
