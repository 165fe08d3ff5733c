/* Loads of the system: times at which the run stops, and what the velocity problem sees there. */
#include "motions/event/event.h"

void thud_event_loads_begin(const event_problem *problem, event_loads *loads) {
  loads->next = thud_loads_before(problem->system, problem->options.start, false);
}

double thud_event_next_stop(const event_problem *problem, const event_loads *loads) {
  thud_loads all = thud_system_loads(problem->system);
  return loads->next < all.count ? fmin(all.items[loads->next].t, problem->options.end) : problem->options.end;
}

bool thud_event_load_is_due(const event_problem *problem, const event_loads *loads, double t) {
  thud_loads all = thud_system_loads(problem->system);
  return loads->next < all.count && all.items[loads->next].t <= t;
}

/* v_free = v + M^-1 P; thresholds of laws by themselves are those of a step of 1, in which nothing else acts. */
void thud_event_place_load(const event_problem *problem, const event_present *state, event_loads *loads) {
  thud_loads_sum(problem->system, loads->next, loads->next + 1, loads->impulse, loads->bound, loads->share);
  memcpy(loads->v_free, loads->impulse, problem->n * sizeof(double));
  motion_solve_mass((thud_index)problem->n, state->values->mass_factor, loads->v_free);
  for (size_t i = 0; i < problem->n; i++) loads->v_free[i] += state->v[i];
  double *friction = state->values->friction;
  for (size_t l = 0; l < (size_t)thud_system_friction_count(problem->system); l++)
    if (thud_system_friction(problem->system, (thud_index)l)->constraint < 0)
      friction[l] = loads->bound[l] + loads->share[l] * friction[l];
  loads->speed = sqrt(2 * thud_system_kinetic_energy(problem->system, state->values, state->v)) +
                 sqrt(2 * thud_system_kinetic_energy(problem->system, state->values, loads->v_free));
}

void thud_event_stand_still(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_modes *modes = &motion->modes;
  motion->run.phase = EVENT_AT_NODE;
  motion->event.any = true;
  motion->event.switched = false;
  motion->event.t_error = 0;
  memcpy(motion->event.v_before, motion->state.v, problem->n * sizeof(double));
  memset(motion->event.involved, 0, problem->m * sizeof *motion->event.involved);
  memset(motion->event.law_involved, 0, problem->law_count * sizeof *motion->event.law_involved);
  for (size_t i = 0; i < problem->m; i++) modes->mode_before[i] = modes->mode[i];
  for (size_t l = 0; l < problem->law_count; l++) modes->law_mode_before[l] = modes->law_mode[l];
}
