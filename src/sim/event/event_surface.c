/* Surfaces s(q, t) = 0 across which the potential energy V or the mass matrix M jump: the limit of steep smooth data.
 *
 * Where V and M change within a thin layer, forces and inertia there act along n = ds/dq alone, and their power on a
 * surface that moves is what the data give. So with p = M q' and a multiplier l
 *
 *   p+ = p- + l n,    T+ + V+ = T- + V- - l ds/dt.
 *
 * With W = M+^-1 this is a l^2 + b l + c = 0, where
 *   a = n'W n/2,   b = n'W p- + ds/dt,   c = p-'W p-/2 + V+ - T- - V-,
 * and the velocity across the surface afterwards, b + 2 a l, is +-sqrt(b^2 - 4 a c): the motion crosses with the sign
 * that it came with. Without a real root it cannot climb the step and is thrown back, V and M being those before:
 * l = -2 (n'v- + ds/dt)/(n'M-^-1 n). Where the surface is one of time alone (n = 0) velocities stay, and the jump of V is
 * work of the data. */
#include "sim/event/event.h"

#include "model/gradients.h"

#include <float.h>

/* Masses that differ by less than this, relative to the diagonal, do not jump: they depend on q, which is rounded. */
#define SAME_MASS 1e-9

/* All outputs at the present state with switch j on this side. */
static thud_error values_on(const thud_event_motion *motion, size_t j, int side, double *out) {
  const event_present *state = &motion->state;
  thud_error error = thud_expr_work_hold(motion->arc->work, (thud_index)j, side);
  return error == THUD_OK ? motion->arc->backend->evaluate(motion->arc, state->t, state->q, state->v, out) : error;
}

static double kinetic_energy(const sim_arc *arc, const double *out, const double *v) {
  double sum = 0;
  for (size_t i = 0; i < arc->n; i++)
    sum += v[i] * motion_dot((thud_index)arc->n, out + arc->jets.layout.mass + i * arc->n, v);
  return sum / 2;
}

/* What rounding of q can do to V: forces times positions; and that of V itself. */
static bool potential_jumps(const thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  const double *before = motion->surface.before, *after = motion->surface.after;
  size_t force = arc->jets.layout.force, potential = arc->jets.layout.potential;
  double size = kinetic_energy(arc, before, motion->state.v) + fabs(before[potential]) + fabs(after[potential]);
  for (size_t i = 0; i < arc->n; i++)
    size += fabs(motion->state.q[i]) * (fabs(before[force + i]) + fabs(after[force + i]));
  return fabs(after[potential] - before[potential]) > EVENT_ROUNDING * DBL_EPSILON * size;
}

static bool mass_jumps(const thud_event_motion *motion) {
  size_t n = motion->problem.n, mass = motion->arc->jets.layout.mass;
  const double *before = motion->surface.before + mass, *after = motion->surface.after + mass;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      double size =
          sqrt(fabs(before[i * (n + 1)] * before[k * (n + 1)])) + sqrt(fabs(after[i * (n + 1)] * after[k * (n + 1)]));
      if (fabs(after[i * n + k] - before[i * n + k]) > SAME_MASS * size) return true;
    }
  return false;
}

/* ds/dq and ds/dt of switch j: its coefficient 1 along straight lines from the present state. */
static thud_error find_normal(thud_event_motion *motion, size_t j, double *rate) {
  const sim_arc *arc = motion->arc;
  const model_jets *jets = &arc->jets;
  double *variables = motion->surface.variables, *out = motion->surface.after;
  size_t n = arc->n;
  variables[jets->slot_t] = motion->state.t;
  for (size_t i = 0; i < n; i++) {
    variables[jets->slot_q[i]] = motion->state.q[i];
    variables[jets->slot_v[i]] = motion->state.v[i];
  }
  thud_error error = thud_expr_work_jet(arc->work, 0, variables, out);
  memset(variables, 0, (1 + 2 * n) * sizeof *variables);
  for (size_t i = 0; i <= n && error == THUD_OK; i++) {
    thud_index slot = i < n ? jets->slot_q[i] : jets->slot_t;
    variables[slot] = 1;
    error = thud_expr_work_jet(arc->work, 1, variables, out);
    if (error == THUD_OK) error = thud_expr_work_switch_jet(arc->work, 1, motion->surface.arguments);
    *(i < n ? &motion->surface.normal[i] : rate) = motion->surface.arguments[j];
    variables[slot] = 0;
  }
  return error;
}

/* W n and W p- with the masses in `out`. */
static thud_error respond(thud_event_motion *motion, double *out) {
  event_surface *surface = &motion->surface;
  size_t n = motion->problem.n;
  thud_error error = thud_model_factorise(motion->problem.system, motion->problem.context,
                                          out + motion->arc->jets.layout.mass, surface->factor);
  if (error != THUD_OK) return error;
  memcpy(surface->path, surface->normal, n * sizeof(double));
  memcpy(surface->carried, surface->momentum, n * sizeof(double));
  motion_solve_mass((thud_index)n, surface->factor, surface->path);
  motion_solve_mass((thud_index)n, surface->factor, surface->carried);
  return THUD_OK;
}

/* The velocity after the surface, into v; *side of switch j on which the motion goes on, *work of the data. */
static thud_error solve_jump(thud_event_motion *motion, double rate, int from, double *v, int *side, double *work) {
  const event_surface *surface = &motion->surface;
  const sim_arc *arc = motion->arc;
  thud_index n = (thud_index)arc->n;
  size_t potential = arc->jets.layout.potential;
  double before = kinetic_energy(arc, surface->before, motion->state.v) + surface->before[potential];
  double across = motion_dot(n, surface->normal, motion->state.v) + rate;
  thud_error error = respond(motion, surface->after);
  if (error != THUD_OK) return error;
  double a = motion_dot(n, surface->normal, surface->path) / 2;
  double b = motion_dot(n, surface->normal, surface->carried) + rate;
  double c = motion_dot(n, surface->momentum, surface->carried) / 2 + surface->after[potential] - before;
  double square = b * b - 4 * a * c, multiplier = 0;
  *side = -from;
  *work = a > 0 ? 0 : surface->after[potential] - surface->before[potential];
  if (a > 0 && square >= 0) {
    multiplier = ((from < 0 ? sqrt(square) : -sqrt(square)) - b) / (2 * a);
  } else if (a > 0) {
    error = respond(motion, surface->before);
    if (error != THUD_OK) return error;
    multiplier = -2 * across / motion_dot(n, surface->normal, surface->path);
    *side = from;
  }
  *work -= multiplier * rate;
  for (size_t i = 0; i < arc->n; i++) v[i] = surface->carried[i] + multiplier * surface->path[i];
  return THUD_OK;
}

/* Whether the row held until now: equations, closed contacts that last, slips of those that stick. */
static bool row_holds(const thud_event_motion *motion, size_t row) {
  size_t m = motion->problem.m;
  if (row >= m) {
    size_t l = (size_t)motion->arc->law[row - m];
    return motion->modes.law_mode_before[l] == THUD_CONTACT_STICKING && motion->contacts.slip[l] == 0;
  }
  return event_is_equation(&motion->problem, row) ||
         (motion->contacts.contact[row] == EVENT_REST && event_lasts(motion->modes.mode_before[row]));
}

/* Reactions would have part in a jump that a row which holds resists: not followed. */
static thud_error check_held(const thud_event_motion *motion, const double *v) {
  const sim_arc *arc = motion->arc;
  for (size_t row = 0; row < arc->rows; row++) {
    const double *gradient = motion->surface.before + thud_arc_row(arc, row);
    double change = 0, size = 0;
    for (size_t i = 0; i < arc->n; i++) {
      change += gradient[i] * (v[i] - motion->state.v[i]);
      size += fabs(gradient[i]) * (fabs(v[i]) + fabs(motion->state.v[i]));
    }
    if (!row_holds(motion, row) || fabs(change) <= motion->problem.options.decision_tolerance * size) continue;
    size_t i = row < arc->m ? row : (size_t)(arc->owner[row - arc->m] < 0 ? 0 : arc->owner[row - arc->m]);
    return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                     "t = %.10g: the potential energy or the mass jumps across a surface while '%s' holds the motion "
                     "back there; write the constraint as coordinates, or make the data steep and smooth",
                     motion->state.t, thud_event_item_name(&motion->problem, i));
  }
  return THUD_OK;
}

thud_error thud_event_look_at_surface(thud_event_motion *motion, size_t j, bool *jumps) {
  int from = motion->switches.held[j];
  thud_error error = values_on(motion, j, -from, motion->surface.after);
  if (error == THUD_OK) error = values_on(motion, j, from, motion->surface.before);
  *jumps = error == THUD_OK && (potential_jumps(motion) || mass_jumps(motion));
  return error;
}

thud_error thud_event_cross_surface(thud_event_motion *motion, size_t j) {
  event_surface *surface = &motion->surface;
  const sim_arc *arc = motion->arc;
  size_t n = arc->n;
  double rate = 0, work = 0, *v = surface->velocity;
  int from = motion->switches.held[j], side = from;
  thud_error error = find_normal(motion, j, &rate);
  if (error == THUD_OK) error = values_on(motion, j, -from, surface->after);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < n; i++)
    surface->momentum[i] = motion_dot((thud_index)n, surface->before + arc->jets.layout.mass + i * n, motion->state.v);
  error = solve_jump(motion, rate, from, v, &side, &work);
  if (error == THUD_OK) error = check_held(motion, v);
  if (error != THUD_OK) return error;
  memcpy(motion->state.v, v, n * sizeof *v);
  motion->switches.held[j] = side;
  motion->info.ledger.work += work;
  return THUD_OK;
}
