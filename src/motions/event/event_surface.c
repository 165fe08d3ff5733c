/* Surfaces s(q, t) = 0 across which the potential energy V or the mass matrix M jump: the limit of steep smooth data.
 *
 * Where V and M change within a thin layer, forces and inertia there act along n = ds/dq alone, and their power on a
 * surface that moves is what the data give. So with p = M q', a multiplier l and impulses x of closed constraints
 *
 *   p+ = p- + l n + C' x,    T+ + V+ = T- + V- - l ds/dt - x' rate - what friction takes.
 *
 * The motion crosses with the sign of velocity that it came with; where energy leaves no such velocity it is thrown back,
 * V and M being those before (event_layer.c). Where the surface is one of time alone (n = 0) momenta stay, and what the
 * energies gain is work of the data.
 *
 * Where several surfaces are reached at once they are crossed one after the other, as often as the velocities ask for it,
 * in every order. All orders must lead to the same motion, which they do where the surfaces are orthogonal in the kinetic
 * metric and their jumps add up; otherwise steep data would have limits that depend on the widths of the layers. Switches
 * with the same surface (a step in V and another one in M) are crossed together. */
#include "motions/event/event.h"

#include "model/gradients.h"

#include <float.h>
#include <stdio.h>

/* Masses that differ by less than this, relative to the diagonal, do not jump: they depend on q, which is rounded. */
#define SAME_MASS 1e-9
/* Normals that are parallel to this are; velocities that differ by less, relative to the speed, are the same. */
#define SAME_SURFACE 1e-10
#define SAME_OUTCOME 1e-8

enum { MOST_SURFACES = 4, MOST_CROSSINGS = 32 };

/* The switches at 0, as surfaces: those with the same one are a group. Groups have the first of them as their leader. */
typedef struct event_corner {
  event_motion *motion;
  size_t count;                           /* of switches */
  const size_t *zero;                     /* [count] these */
  size_t groups;                          /* of surfaces that the motion moves across */
  size_t leader[EVENT_MAX_ZERO_SWITCHES]; /* [groups] number among `zero` */
  size_t group[EVENT_MAX_ZERO_SWITCHES];  /* [count] SIZE_MAX: no surface, or the motion does not move across it */
} event_corner;

/* All outputs at the present state, with the switches on their sides. */
static thud_error values_now(const event_motion *motion, double *out) {
  const event_present *state = &motion->state;
  thud_error error = thud_event_hold_switches(motion->arc, &motion->switches);
  return error == THUD_OK ? motion->arc->backend->evaluate(motion->arc, state->t, state->q, state->v, out) : error;
}

static double kinetic_energy(const sim_arc *arc, const double *out, const double *v) {
  double sum = 0;
  for (size_t i = 0; i < arc->n; i++)
    sum += v[i] * motion_dot((thud_index)arc->n, out + arc->jets.layout.mass + i * arc->n, v);
  return sum / 2;
}

/* What rounding of q can do to V: forces times positions; and that of V itself. */
static bool potential_jumps(const event_motion *motion) {
  const sim_arc *arc = motion->arc;
  const double *before = motion->surface.before, *after = motion->surface.after;
  size_t force = arc->jets.layout.force, potential = arc->jets.layout.potential;
  double size = kinetic_energy(arc, before, motion->state.v) + fabs(before[potential]) + fabs(after[potential]);
  for (size_t i = 0; i < arc->n; i++)
    size += fabs(motion->state.q[i]) * (fabs(before[force + i]) + fabs(after[force + i]));
  return fabs(after[potential] - before[potential]) > EVENT_ROUNDING * DBL_EPSILON * size;
}

static bool mass_jumps(const event_motion *motion) {
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

/* ---- the surfaces ------------------------------------------------------------------------------------------------- */

static double *normal_of(const event_corner *corner, size_t b) {
  return corner->motion->surface.normals + b * (corner->motion->problem.n + 1);
}

/* ds/dq and ds/dt of switch number b at 0: coefficients 1 along straight lines from the present state. *place: it does
 * not depend on velocities. */
static thud_error find_normal(const event_corner *corner, size_t b, bool *place) {
  event_motion *motion = corner->motion;
  const sim_arc *arc = motion->arc;
  const model_jets *jets = &arc->jets;
  double *variables = motion->surface.variables, *out = motion->surface.after, *normal = normal_of(corner, b);
  size_t n = arc->n;
  variables[jets->slot_t] = motion->state.t;
  for (size_t i = 0; i < n; i++) {
    variables[jets->slot_q[i]] = motion->state.q[i];
    variables[jets->slot_v[i]] = motion->state.v[i];
  }
  thud_error error = thud_expr_work_jet(arc->work, 0, variables, out);
  memset(variables, 0, (1 + 2 * n) * sizeof *variables);
  *place = true;
  for (size_t i = 0; i <= 2 * n && error == THUD_OK; i++) {
    thud_index slot = i < n ? jets->slot_q[i] : i == n ? jets->slot_t : jets->slot_v[i - n - 1];
    variables[slot] = 1;
    error = thud_expr_work_jet(arc->work, 1, variables, out);
    if (error == THUD_OK) error = thud_expr_work_switch_jet(arc->work, 1, motion->surface.arguments);
    double slope = motion->surface.arguments[corner->zero[b]];
    if (i <= n) normal[i] = slope;
    if (i > n && slope != 0) *place = false;
    variables[slot] = 0;
  }
  return error;
}

/* Whether two surfaces are one: (ds/dq, ds/dt) are parallel. */
static bool is_same_surface(const event_corner *corner, size_t a, size_t b) {
  const double *x = normal_of(corner, a), *y = normal_of(corner, b);
  size_t top = 0, n = corner->motion->problem.n;
  for (size_t i = 1; i <= n; i++)
    if (fabs(x[i]) > fabs(x[top])) top = i;
  for (size_t i = 0; i <= n; i++)
    if (fabs(x[i] * y[top] - y[i] * x[top]) > SAME_SURFACE * fabs(x[top] * y[top])) return false;
  return y[top] != 0;
}

/* n'v + ds/dt, 0 where it is rounding. */
static double speed_across(const event_corner *corner, size_t b) {
  const double *normal = normal_of(corner, b), *v = corner->motion->state.v;
  size_t n = corner->motion->problem.n;
  double sum = normal[n], size = fabs(normal[n]);
  for (size_t i = 0; i < n; i++) {
    sum += normal[i] * v[i];
    size += fabs(normal[i] * v[i]);
  }
  return fabs(sum) > corner->motion->problem.options.decision_tolerance * size ? sum : 0;
}

static thud_error find_surfaces(event_corner *corner) {
  thud_error error = THUD_OK;
  for (size_t b = 0; b < corner->count && error == THUD_OK; b++) {
    bool place = false;
    error = find_normal(corner, b, &place);
    corner->group[b] = SIZE_MAX;
    if (error != THUD_OK || !place || speed_across(corner, b) == 0) continue;
    for (size_t g = 0; g < corner->groups && corner->group[b] == SIZE_MAX; g++)
      if (is_same_surface(corner, corner->leader[g], b)) corner->group[b] = g;
    if (corner->group[b] != SIZE_MAX) continue;
    corner->group[b] = corner->groups;
    corner->leader[corner->groups++] = b;
  }
  return error;
}

static void turn_group(const event_corner *corner, size_t g) {
  int *held = corner->motion->switches.held;
  for (size_t b = 0; b < corner->count; b++)
    if (corner->group[b] == g) held[corner->zero[b]] = -held[corner->zero[b]];
}

/* Both sides of group g into before and after, which is where its switches are left. */
static thud_error look_across(const event_corner *corner, size_t g, bool *potential, bool *mass) {
  event_motion *motion = corner->motion;
  thud_error error = values_now(motion, motion->surface.before);
  turn_group(corner, g);
  if (error == THUD_OK) error = values_now(motion, motion->surface.after);
  *potential = error == THUD_OK && potential_jumps(motion);
  *mass = error == THUD_OK && mass_jumps(motion);
  return error;
}

/* The place of a switch in the texts: "'step' in the potential energy (column 5)". */
static void name_switch(const event_corner *corner, size_t b, char *text, size_t capacity) {
  const event_motion *motion = corner->motion;
  thud_expr_switch at = thud_expr_program_switch(motion->arc->jets.program, (thud_index)corner->zero[b]);
  snprintf(text, capacity, "'%s' in the %s (column %d)", at.operation,
           thud_model_text_name(motion->problem.system, at.source), (int)at.place.column);
}

/* ---- across one of them ------------------------------------------------------------------------------------------- */

static thud_error factorise(const event_motion *motion, double *out) {
  return thud_model_factorise(motion->problem.system, motion->problem.context, out + motion->arc->jets.layout.mass,
                              motion->surface.factor);
}

/* With other masses behind: across if some velocity leads there. */
static thud_error try_other_masses(event_layer *layer) {
  event_motion *motion = layer->motion;
  event_surface *surface = &motion->surface;
  const sim_arc *arc = motion->arc;
  size_t potential = arc->jets.layout.potential, mass = arc->jets.layout.mass;
  double before = kinetic_energy(arc, surface->before, motion->state.v) + surface->before[potential];
  for (size_t i = 0; i < layer->n; i++)
    surface->momentum[i] = motion_dot((thud_index)layer->n, surface->before + mass + i * layer->n, motion->state.v);
  thud_error error = factorise(motion, surface->after);
  if (error == THUD_OK)
    error = thud_event_cross_masses(layer, surface->after[potential] - before, surface->after + mass);
  if (error != THUD_OK || !layer->crossed || layer->length > 0) return error;
  /* a surface of time: all that the energies gain is work of the data */
  layer->work = kinetic_energy(arc, surface->after, layer->v) + surface->after[potential] - before;
  return THUD_OK;
}

/* Across a surface on which something jumps, or back from it; its switches are on the other side. */
static thud_error pass(const event_corner *corner, size_t g, bool mass) {
  event_motion *motion = corner->motion;
  event_surface *surface = &motion->surface;
  size_t n = motion->problem.n, potential = motion->arc->jets.layout.potential;
  const double *normal = normal_of(corner, corner->leader[g]);
  event_layer layer = {.motion = motion,
                       .n = n,
                       .normal = normal,
                       .rate = normal[n],
                       .from = -motion->switches.held[corner->zero[corner->leader[g]]],
                       .rise = surface->after[potential] - surface->before[potential],
                       .v = surface->velocity};
  bool still = true;
  for (size_t i = 0; i < n; i++) still = still && normal[i] == 0;
  memcpy(layer.v, motion->state.v, n * sizeof *layer.v);
  thud_error error = mass ? try_other_masses(&layer) : THUD_OK;
  if (still && !mass) {
    layer.work = layer.rise;
    layer.crossed = true;
  }
  if (mass && !layer.crossed) layer.rise = INFINITY;
  if (error == THUD_OK && !layer.crossed) error = factorise(motion, surface->before);
  if (error == THUD_OK && !layer.crossed) error = thud_event_pass_layer(&layer);
  if (error != THUD_OK) return error;
  if (!layer.crossed) turn_group(corner, g);
  memcpy(motion->state.v, layer.v, n * sizeof *layer.v);
  motion->info.ledger.work += layer.work - layer.passed * layer.rate;
  motion->info.ledger.impact_loss += layer.loss;
  motion->event.crossed = true;
  return THUD_OK;
}

/* ---- all of them, in one order ------------------------------------------------------------------------------------ */

/* The permutation of this number of the groups (Lehmer's code). */
static void permutation(size_t groups, size_t number, size_t *order) {
  for (size_t k = 0; k < groups; k++) order[k] = k;
  for (size_t k = 0; k + 1 < groups; k++) {
    size_t pick = k + number % (groups - k), taken = order[pick];
    number /= groups - k;
    for (size_t j = pick; j > k; j--) order[j] = order[j - 1];
    order[k] = taken;
  }
}

/* The first group of the order that the motion moves towards; SIZE_MAX: none any more. */
static size_t next_group(const event_corner *corner, const size_t *order) {
  for (size_t k = 0; k < corner->groups; k++) {
    size_t b = corner->leader[order[k]];
    if (speed_across(corner, b) * corner->motion->switches.held[corner->zero[b]] < 0) return order[k];
  }
  return SIZE_MAX;
}

static thud_error cross_in_order(const event_corner *corner, const size_t *order) {
  thud_error error = THUD_OK;
  for (int crossings = 0; error == THUD_OK; crossings++) {
    size_t g = next_group(corner, order);
    bool potential, mass;
    if (g == SIZE_MAX) return THUD_OK;
    if (crossings == MOST_CROSSINGS)
      return thud_fail(corner->motion->problem.context, THUD_ERROR_UNSUPPORTED,
                       "[branch-changes] t = %.10g: the motion is thrown to and fro between surfaces across which the "
                       "potential energy or "
                       "the mass jumps",
                       corner->motion->state.t);
    error = look_across(corner, g, &potential, &mass);
    if (error == THUD_OK && (potential || mass)) error = pass(corner, g, mass);
  }
  return error;
}

/* ---- all orders --------------------------------------------------------------------------------------------------- */

/* What an order changes besides the velocity. */
typedef struct corner_state {
  int held[EVENT_MAX_ZERO_SWITCHES];
  thud_ledger ledger;
} corner_state;

static void take_state(const event_corner *corner, corner_state *kept, double *v) {
  const event_motion *motion = corner->motion;
  for (size_t b = 0; b < corner->count; b++) kept->held[b] = motion->switches.held[corner->zero[b]];
  kept->ledger = motion->info.ledger;
  memcpy(v, motion->state.v, motion->problem.n * sizeof *v);
}

static void go_back(const event_corner *corner, const corner_state *kept, const double *v) {
  event_motion *motion = corner->motion;
  for (size_t b = 0; b < corner->count; b++) motion->switches.held[corner->zero[b]] = kept->held[b];
  motion->info.ledger = kept->ledger;
  memcpy(motion->state.v, v, motion->problem.n * sizeof *v);
  memset(motion->event.impulse, 0, (motion->problem.m + motion->problem.s) * sizeof(double));
}

static bool is_same_outcome(const event_corner *corner, const corner_state *kept, const double *v) {
  const event_motion *motion = corner->motion;
  const double *mass = motion->surface.before + motion->arc->jets.layout.mass, *now = motion->state.v;
  double speed = sqrt(2 * kinetic_energy(motion->arc, motion->surface.before, v)) +
                 sqrt(2 * kinetic_energy(motion->arc, motion->surface.before, now));
  for (size_t b = 0; b < corner->count; b++)
    if (motion->switches.held[corner->zero[b]] != kept->held[b]) return false;
  for (size_t i = 0; i < motion->problem.n; i++)
    if (fabs(now[i] - v[i]) * sqrt(fabs(mass[i * (motion->problem.n + 1)])) > SAME_OUTCOME * speed) return false;
  return true;
}

static thud_error fail_at_corner(const event_corner *corner, const size_t *first, const size_t *other) {
  char one[120], two[120];
  size_t k = 0;
  while (k + 1 < corner->groups && first[k] == other[k]) k++;
  name_switch(corner, corner->leader[first[k]], one, sizeof one);
  name_switch(corner, corner->leader[other[k]], two, sizeof two);
  return thud_fail(corner->motion->problem.context, THUD_ERROR_UNSUPPORTED,
                   "[branch-changes] t = %.10g: %s and %s change their branches at once where the potential energy or "
                   "the mass jumps, and "
                   "the motion depends on which of them comes first; move one of the surfaces, or make the data steep "
                   "and smooth",
                   corner->motion->state.t, one, two);
}

static thud_error cross_in_all_orders(const event_corner *corner) {
  event_surface *surface = &corner->motion->surface;
  size_t order[MOST_SURFACES], first[MOST_SURFACES], orders = 1;
  corner_state start, reached;
  take_state(corner, &start, surface->saved);
  for (size_t k = 2; k <= corner->groups; k++) orders *= k;
  for (size_t number = orders; number-- > 0;) { /* that of the numbers of the switches comes last, and stays */
    permutation(corner->groups, number, order);
    go_back(corner, &start, surface->saved);
    thud_error error = cross_in_order(corner, order);
    if (error != THUD_OK) return error;
    if (number + 1 < orders && !is_same_outcome(corner, &reached, surface->reached))
      return fail_at_corner(corner, order, first);
    if (number + 1 < orders) continue;
    memcpy(first, order, sizeof order);
    take_state(corner, &reached, surface->reached);
  }
  return THUD_OK;
}

/* Contacts that a jump has opened, or that had part in it; those that had parted are looked at again. */
static void note_contacts(event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (motion->event.impulse[i] != 0) motion->event.involved[i] = true;
    if (motion->contacts.contact[i] == EVENT_PARTS) motion->contacts.contact[i] = EVENT_REST;
  }
  for (size_t l = 0; l < motion->problem.law_count; l++)
    if (motion->friction.laws[l].constraint >= 0 && motion->event.impulse[motion->friction.laws[l].constraint] != 0)
      motion->event.law_involved[l] = true;
}

thud_error thud_event_cross_surfaces(event_motion *motion, size_t *count, size_t *zero) {
  event_corner corner = {.motion = motion, .count = *count, .zero = zero};
  size_t left = 0;
  thud_error error = find_surfaces(&corner);
  if (error != THUD_OK) return error;
  if (corner.groups > MOST_SURFACES)
    return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                     "[branch-changes] t = %.10g: %zu surfaces are reached at once where the potential energy or the "
                     "mass jumps, more than "
                     "%d",
                     motion->state.t, corner.groups, MOST_SURFACES);
  error = cross_in_all_orders(&corner);
  if (error != THUD_OK) return error;
  if (motion->event.crossed) note_contacts(motion);
  for (size_t b = 0; b < *count; b++)
    if (corner.group[b] == SIZE_MAX) zero[left++] = zero[b];
  *count = left;
  return thud_event_hold_switches(motion->arc, &motion->switches);
}

/* ---- questions ---------------------------------------------------------------------------------------------------- */

thud_error thud_event_look_at_surfaces(event_motion *motion, size_t count, const size_t *zero, bool *jumps) {
  int *held = motion->switches.held;
  thud_error error = values_now(motion, motion->surface.before);
  *jumps = false;
  for (unsigned choice = 1; choice < 1u << count && error == THUD_OK && !*jumps; choice++) {
    for (size_t b = 0; b < count; b++) held[zero[b]] *= (choice >> b & 1u) ? -1 : 1;
    error = values_now(motion, motion->surface.after);
    *jumps = error == THUD_OK && (potential_jumps(motion) || mass_jumps(motion));
    for (size_t b = 0; b < count; b++) held[zero[b]] *= (choice >> b & 1u) ? -1 : 1;
  }
  thud_error again = thud_event_hold_switches(motion->arc, &motion->switches);
  return error == THUD_OK ? again : error;
}

/* The wall lies on the surface: n is a multiple of its gradient, and the motion comes from where its gap is open. */
static bool lies_on_surface(const event_corner *corner, size_t g, size_t i) {
  const event_motion *motion = corner->motion;
  const double *normal = normal_of(corner, corner->leader[g]);
  const double *row = motion->surface.before + thud_arc_row(motion->arc, i);
  size_t n = motion->problem.n, top = 0;
  for (size_t c = 1; c < n; c++)
    if (fabs(row[c]) > fabs(row[top])) top = c;
  for (size_t c = 0; c < n; c++)
    if (fabs(normal[c] * row[top] - row[c] * normal[top]) > SAME_SURFACE * fabs(normal[top] * row[top])) return false;
  return normal[top] * row[top] * motion->switches.held[corner->zero[corner->leader[g]]] > 0;
}

/* The load that is due has an impulse P across the surface: n'W P. */
static bool load_moves_across(event_motion *motion, const double *normal) {
  event_loads *loads = &motion->loads;
  double sum = 0, size = 0, *path = motion->surface.path;
  if (!thud_event_load_is_due(&motion->problem, loads, motion->state.t)) return false;
  thud_loads_sum(motion->problem.system, loads->next, loads->next + 1, loads->impulse, loads->bound, loads->share);
  memcpy(path, normal, motion->problem.n * sizeof *path);
  motion_solve_mass((thud_index)motion->problem.n, motion->surface.factor, path);
  for (size_t c = 0; c < motion->problem.n; c++) {
    double term = path[c] * loads->impulse[c];
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) > SAME_SURFACE * size;
}

static thud_error check_impact(const event_corner *corner, size_t g, bool mass) {
  event_motion *motion = corner->motion;
  const double *normal = normal_of(corner, corner->leader[g]);
  event_layer layer = {.motion = motion, .n = motion->problem.n, .normal = normal, .v = motion->state.v};
  const char *struck = NULL;
  char text[120];
  thud_error error = factorise(motion, motion->surface.before);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < motion->problem.m && struck == NULL; i++) {
    if (motion->contacts.contact[i] != EVENT_HIT || lies_on_surface(corner, g, i)) continue;
    if (mass || thud_event_layer_reaches(&layer, i)) struck = thud_event_item_name(&motion->problem, i);
  }
  if (struck == NULL && load_moves_across(motion, normal)) struck = "a percussion";
  if (struck == NULL) return THUD_OK;
  name_switch(corner, corner->leader[g], text, sizeof text);
  return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                   "[branch-changes] t = %.10g: the impact of '%s' and the jump of the potential energy or the mass at "
                   "%s come at once, and "
                   "the motion depends on which is first; move the surface, or make the data steep and smooth",
                   motion->state.t, struck, text);
}

thud_error thud_event_let_impact_come_first(event_motion *motion, size_t count, const size_t *zero) {
  event_corner corner = {.motion = motion, .count = count, .zero = zero};
  thud_error error = find_surfaces(&corner);
  for (size_t g = 0; g < corner.groups && error == THUD_OK; g++) {
    bool potential, mass;
    error = look_across(&corner, g, &potential, &mass);
    turn_group(&corner, g);
    if (error == THUD_OK && (potential || mass)) error = check_impact(&corner, g, mass);
  }
  thud_error again = thud_event_hold_switches(motion->arc, &motion->switches);
  return error == THUD_OK ? again : error;
}
