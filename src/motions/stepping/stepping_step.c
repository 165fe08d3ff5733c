/* What every time-stepping scheme does: choose the acting constraints, solve the velocity problem, book the energy. */
#include "model/diagnose.h"
#include "motions/stepping/stepping.h"

#include <float.h>

/* An impulse is an atom when the approach is faster than what the smooth forces of a few steps would cause. */
#define SMOOTH_APPROACH 2.0
/* Normal velocities of this part of their terms are 0 but for what the velocity problem leaves. */
#define STILL 1e-8
/* An impulse jams when the normal velocity that it makes is this many times what friction leaves of it, and what forces
 * and approach explain. */
#define JAMMED 20.0

static bool always_acts(thud_constraint_kind kind) { return kind != THUD_CONSTRAINT_UNILATERAL; }

/* A gap that is open by less than this part of what the smooth forces close within the step, or by a few units in the
 * last place of the terms that it is the difference of, is open by rounding. */
#define OPEN_BY_ROUNDING 1e-9
#define LAST_PLACES (8 * DBL_EPSILON)

/* Gap below which constraint i counts as closed; the kick h M^-1 f is made when the first constraint asks for it. */
static double rounding_of_gap(stepping_motion *motion, thud_index i, const double *q, double h, bool *has_kick) {
  const thud_system_values *values = motion->values;
  thud_row gradient = thud_gradient_row(values, motion->n, i);
  double *kick = motion->impulse, moved, size;
  for (thud_index k = 0; k < motion->n && !*has_kick; k++) kick[k] = h * values->force[k];
  if (!*has_kick) thud_values_solve_mass(values, motion->n, kick);
  *has_kick = true;
  moved = thud_row_size(gradient, kick);
  size = thud_row_size(gradient, q);
  return OPEN_BY_ROUNDING * h * moved + LAST_PLACES * size;
}

thud_error thud_stepping_choose_acting(stepping_motion *motion, double t, const double *q, const double *v, double h) {
  bool has_kick = false;
  for (thud_index i = 0; i < motion->m; i++) {
    double gap = motion->values->gap[i];
    /* The correction of positions hides the penetration by which contacts of other schemes go on to act. */
    if (motion->scheme->corrects_positions && h > 0) gap = fmin(gap, motion->gap[i]);
    motion->acting[i] =
        always_acts(thud_system_constraint(motion->system, i)->kind) || gap <= motion->options.gap_tolerance;
    if (motion->acting[i] || motion->flags[i] == 0 || !(h > 0)) continue;
    if (!has_kick) {
      thud_error error = thud_stepping_evaluate(motion, t, q, v, THUD_AT_GRADIENT);
      if (error != THUD_OK) return error;
    }
    motion->acting[i] = gap <= rounding_of_gap(motion, i, q, h, &has_kick);
  }
  return thud_stepping_leave_out(motion, t, q, v);
}

static bool anything_acts(const stepping_motion *motion) {
  for (thud_index i = 0; i < motion->m; i++)
    if (motion->acting[i]) return true;
  for (thud_index k = 0; k < thud_system_friction_count(motion->system); k++)
    if (thud_system_friction(motion->system, k)->constraint < 0) return true;
  return false;
}

static const char *constraint_name(const stepping_motion *motion, thud_index i) {
  return i >= 0 && i < motion->m ? thud_system_constraint(motion->system, i)->name : "none";
}

/* Where the residual of a velocity problem is. */
static const char *worst_place(const stepping_motion *motion, const thud_percussion_info *found, const char **kind) {
  bool law = found->worst_constraint < 0 && found->worst_law >= 0;
  *kind = law ? "friction law" : "constraint";
  return law ? thud_system_friction(motion->system, found->worst_law)->name
             : constraint_name(motion, found->worst_constraint);
}

/* Names the acting constraints that contradict each other, as far as the node shows them. */
static thud_error fail_infeasible(const stepping_motion *motion) {
  char family[288];
  double closed = 0;
  for (thud_index i = 0; i < motion->m; i++)
    if (motion->acting[i]) closed = thud_larger(closed, motion->gap[i]);
  const char *worst = constraint_name(motion, motion->now.percussion.worst_constraint);
  thud_error error = thud_model_name_dependent(motion->base.context, motion->system, motion->now.t, motion->q,
                                               motion->v, closed, sizeof family, family);
  if (error != THUD_OK || family[0] == '\0')
    return thud_fail(
        motion->base.context, THUD_ERROR_UNQUALIFIED,
        "[no-admissible-velocity] no velocity satisfies the acting constraints (worst: %s); see `thud check`", worst);
  return thud_fail(motion->base.context, THUD_ERROR_UNQUALIFIED,
                   "[no-admissible-velocity] no solution: %s: no velocity satisfies them together (worst: %s)", family,
                   worst);
}

/* What the velocity problem found, as an error when the step cannot be accepted. */
static thud_error accept(stepping_motion *motion) {
  const thud_percussion_info *found = &motion->now.percussion;
  thud_context *context = motion->base.context;
  if (found->refused) return thud_percussion_fail_refused(motion->percussion, found, THUD_ERROR_CALLBACK);
  if (found->status == THUD_SOLVER_INFEASIBLE) return fail_infeasible(motion);
  if (found->status == THUD_SOLVED) return THUD_OK;
  const char *kind, *name = worst_place(motion, found, &kind);
  return thud_fail(
      context, THUD_ERROR_NOT_CONVERGED,
      "[solver-limit] the velocity problem was left with residual %.3g (worst %s: %s; method: %s, %s): try a smaller "
      "step, "
      "another method of simulate: {solver: ...} or, where masses differ by 1e5 or more, a larger residual_tolerance "
      "(rounding errors grow with their ratio)",
      found->residual, kind, name, thud_percussion_method(motion->percussion), thud_solver_status_name(found->status));
}

/* ---- loads ------------------------------------------------------------------------------------------------------- */

/* The loads first..end-1 are those of the velocity problems that follow. */
static void take_loads(stepping_motion *motion, size_t first, size_t end) {
  motion->has_load = end > first;
  if (motion->has_load)
    thud_loads_sum(motion->system, first, end, motion->load, motion->load_bound, motion->load_share);
}

thud_error thud_stepping_do_step(stepping_motion *motion, double t, double h) {
  const thud_system *system = motion->system;
  take_loads(motion, thud_loads_before(system, motion->now.t, true), thud_loads_before(system, t, true));
  if (motion->jumps != NULL) thud_stepping_take_sides(motion, t, h);
  return motion->scheme->step(motion, t, h);
}

/* Thresholds of laws by themselves, over the step: h threshold + bound + share threshold; without a step (h = 0) what
 * is loaded acts alone, as the threshold of a step of 1. */
static void load_thresholds(stepping_motion *motion, double h) {
  double *friction = motion->values->friction;
  for (thud_index k = 0; k < thud_system_friction_count(motion->system); k++) {
    motion->density[k] = friction[k];
    if (thud_system_friction(motion->system, k)->constraint >= 0) continue;
    if (thud_model_threshold_of(motion->system, (size_t)k) != NULL) continue; /* follows the impulses by itself */
    double loaded = motion->load_bound[k] + motion->load_share[k] * friction[k];
    friction[k] = h > 0 ? friction[k] + loaded / h : loaded;
  }
}

/* v_free + M^-1 P, M that of the values, and the thresholds with what is loaded. */
static void place_load(stepping_motion *motion, double h, const double *v_free) {
  double *v = motion->load_velocity;
  memcpy(v, motion->load, (size_t)motion->n * sizeof(double));
  thud_values_solve_mass(motion->values, motion->n, v);
  for (thud_index i = 0; i < motion->n; i++) v[i] += v_free[i];
  load_thresholds(motion, h);
}

/* The velocity problem with what is loaded. */
static thud_error solve_loaded(stepping_motion *motion, double h, const double *v_minus, const double *v_free) {
  size_t laws = (size_t)thud_system_friction_count(motion->system);
  thud_percussion_act_at_once(motion->percussion, motion->has_load && !(h > 0));
  if (motion->has_load) {
    place_load(motion, h, v_free);
    if (!(h > 0)) h = 1;
  }
  motion->v_loaded = motion->has_load ? motion->load_velocity : v_free;
  thud_error error =
      thud_percussion_solve(motion->percussion, motion->values, motion->acting, h, v_minus, motion->v_loaded,
                            motion->reaction, motion->reaction + motion->m, motion->v, &motion->now.percussion);
  if (motion->has_load && laws > 0) memcpy(motion->values->friction, motion->density, laws * sizeof(double));
  return error;
}

thud_error thud_stepping_respond(stepping_motion *motion, double h, const double *v_minus, const double *v_free) {
  size_t n = (size_t)motion->n, count = (size_t)motion->m + (size_t)motion->s;
  if (!anything_acts(motion) && !motion->has_load) {
    if (count > 0) memset(motion->reaction, 0, count * sizeof(double));
    memmove(motion->v, v_free, n * sizeof(double));
    motion->v_loaded = v_free;
    motion->now.percussion = (thud_percussion_info){.worst_constraint = -1,
                                                    .worst_law = -1,
                                                    .restitution_factor = 1,
                                                    .in_cone = true,
                                                    .impulse_admissible = true,
                                                    .cosine_first = -1,
                                                    .cosine_second = -1};
    return THUD_OK;
  }
  thud_error error = solve_loaded(motion, h, v_minus, v_free);
  return error == THUD_OK ? accept(motion) : error;
}

/* ---- explicit smooth forces ---------------------------------------------------------------------------------------- */

unsigned thud_stepping_mass_part(const stepping_motion *motion) {
  return thud_system_has_constant_mass(motion->system) ? 0 : (unsigned)THUD_AT_MASS;
}

void thud_stepping_kick(stepping_motion *motion, double h, const double *begin) {
  thud_index n = motion->n;
  motion_scaled(n, h, motion->values->force, motion->impulse);
  motion_scaled(n, h, motion->values->applied, motion->applied);
  memcpy(motion->v_free, motion->impulse, (size_t)n * sizeof(double));
  thud_values_solve_mass(motion->values, n, motion->v_free);
  motion_add_scaled(n, 1, begin, motion->v_free);
}

thud_error thud_stepping_evaluate_contacts(stepping_motion *motion, double t, const double *q, const double *v) {
  bool any = motion->s > 0;
  for (thud_index i = 0; i < motion->m && !any; i++) any = motion->acting[i];
  if (!any) return THUD_OK;
  return thud_stepping_evaluate(motion, t, q, v, THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION);
}

thud_error thud_stepping_drift(stepping_motion *motion, double t, double h) {
  memcpy(motion->v_old, motion->v, (size_t)motion->n * sizeof(double));
  motion_add_scaled(motion->n, h, motion->v_old, motion->q);
  thud_error error = thud_stepping_evaluate(motion, t, motion->q, motion->v_old,
                                            thud_stepping_mass_part(motion) | THUD_AT_FORCE | THUD_AT_CONSTRAINT);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, t, motion->q, motion->v_old, h);
  thud_percussion_place(motion->percussion, t, motion->q);
  return error;
}

void thud_stepping_set_restitution(stepping_motion *motion, double e) {
  for (thud_index i = 0; i < motion->m; i++) motion->values->restitution[i] = e;
}

/* ---- atoms --------------------------------------------------------------------------------------------------------
 */

static double normal_velocity(const stepping_motion *motion, thud_index i, const double *v) {
  const thud_system_values *values = motion->values;
  return thud_row_dot(thud_gradient_row(values, motion->n, i), v) + values->rate[i];
}

/* How fast a constraint may close by smooth forces alone within the step; kick = M^-1 of their impulse. Every
 * coordinate counts by its size: where a neighbour is held by contacts, what would have cancelled does not. */
static double smooth_closing(const stepping_motion *motion, thud_index i, const double *kick) {
  if (motion->options.impact_velocity > 0) return motion->options.impact_velocity;
  double whole = SMOOTH_APPROACH * motion->stretch; /* of a whole step, also where a jump of the data has cut it */
  return whole * thud_row_size(thud_gradient_row(motion->values, motion->n, i), kick);
}

/* The same as thud_stepping_own_response for sparse values: a M^-1 a'. */
static double own_sparse_response(const stepping_motion *motion, thud_index i, double *y) {
  const thud_sparse_metric *mass = motion->values->sparse->mass;
  thud_row gradient = thud_gradient_row(motion->values, motion->n, i);
  double sum = 0;
  if (mass->is_diagonal) {
    for (thud_index k = 0; k < gradient.count; k++)
      sum += gradient.value[k] * gradient.value[k] / mass->value[gradient.column[k]];
    return sum;
  }
  memset(y, 0, (size_t)motion->n * sizeof *y);
  for (thud_index k = 0; k < gradient.count; k++) y[gradient.column[k]] = gradient.value[k];
  thud_sparse_metric_solve(mass, y);
  return thud_row_dot(gradient, y);
}

/* G_ii = |L^-1 a|^2, M = LL'. */
double thud_stepping_own_response(const stepping_motion *motion, thud_index i, double *y) {
  if (motion->values->sparse != NULL) return own_sparse_response(motion, i, y);
  size_t n = (size_t)motion->n;
  const double *gradient = motion->values->gradient + (size_t)i * n, *factor = motion->values->mass_factor;
  double sum = 0;
  for (size_t k = 0; k < n; k++) {
    double rest = gradient[k];
    for (size_t j = 0; j < k; j++) rest -= factor[k * n + j] * y[j];
    y[k] = rest / factor[k * n + k];
    sum += y[k] * y[k];
  }
  return sum;
}

static bool may_have_atom(const stepping_motion *motion, thud_index i) {
  return motion->acting[i] && motion->reaction[i] != 0;
}

/* Normal velocity that the impulse of constraint i and of its friction give it, a M^-1 (a' r + S' r_T). y: [n] scratch */
static double own_change(const stepping_motion *motion, thud_index i, double *y) {
  const thud_system_values *values = motion->values;
  thud_row gradient = thud_gradient_row(values, motion->n, i);
  memset(y, 0, (size_t)motion->n * sizeof(double));
  thud_row_add(gradient, motion->reaction[i], y);
  thud_index row = 0;
  for (thud_index k = 0; k < thud_system_friction_count(motion->system); k++) {
    const thud_friction_def *law = thud_system_friction(motion->system, k);
    for (thud_index d = 0; d < law->directions; d++, row++)
      if (law->constraint == i)
        thud_row_add(thud_slip_row(values, motion->n, row), motion->reaction[motion->m + row], y);
  }
  thud_values_solve_mass(values, motion->n, y);
  return thud_row_dot(gradient, y);
}

/* An impact without collision (Painleve): nothing approaches, but friction takes back what the normal impulse does to the
 * normal velocity, so that both grow until the slip has stopped, however short the step. */
static bool jams(const stepping_motion *motion, thud_index i, double begin, double closing, double *y) {
  double r = fabs(motion->reaction[i]);
  if (motion->s == 0) return false;
  double change = r * thud_stepping_own_response(motion, i, y);
  if (!(change > JAMMED * (closing + 2 * fabs(begin)))) return false;
  return fabs(own_change(motion, i, y)) <= change / JAMMED;
}

bool thud_stepping_hits(const stepping_motion *motion, thud_index i, const double *v, const double *kick) {
  double closing = smooth_closing(motion, i, kick);
  double still = thud_row_size(thud_gradient_row(motion->values, motion->n, i), v);
  bool lasts = motion->flags[i] != 0 && fabs(motion->u_after[i]) <= closing + STILL * still;
  return !lasts && normal_velocity(motion, i, v) - motion->bend[i] < -closing;
}

/* A constraint that closes fast has an impact; its impulse reaches others (a chain of touching balls), whose impulses
 * are then more than smooth forces explain; so does a load. */
static void mark_atoms(stepping_motion *motion, const motion_account *account) {
  /* motion->flags and u_after are still those of the node before: a contact that lasted without approaching then closes
   * now because the configuration or the obstacle has moved on, not by an impact. */
  motion_progress *now = &motion->now;
  double *kick = motion->work;
  bool has_kick = false;
  now->impact = false;
  if (motion->scheme->is_penalty) { /* has no atoms */
    memset(motion->atom, 0, (size_t)motion->m * sizeof *motion->atom);
    return;
  }
  for (thud_index i = 0; i < motion->m; i++) {
    motion->atom[i] = false;
    if (!may_have_atom(motion, i) || always_acts(thud_system_constraint(motion->system, i)->kind)) continue;
    if (!has_kick) {
      memcpy(kick, account->impulse, (size_t)motion->n * sizeof(double));
      thud_values_solve_mass(motion->values, motion->n, kick);
      has_kick = true;
    }
    double closing = smooth_closing(motion, i, kick);
    double begin = normal_velocity(motion, i, account->contact_begin) - motion->bend[i];
    motion->atom[i] = thud_stepping_hits(motion, i, account->contact_begin, kick) ||
                      jams(motion, i, begin, closing, motion->v_average);
    now->impact = now->impact || motion->atom[i];
  }
  for (thud_index i = 0; (now->impact || motion->has_load) && i < motion->m; i++) {
    if (!may_have_atom(motion, i) || motion->atom[i]) continue;
    double response = thud_stepping_own_response(motion, i, motion->v_average); /* made anew afterwards */
    motion->atom[i] = fabs(motion->reaction[i]) * response > smooth_closing(motion, i, kick);
    now->impact = now->impact || motion->atom[i];
  }
}

/* ---- the ledger ------------------------------------------------------------------------------------------------- */

/* Whether the impulse of a law is that of an atom: its constraint's, one of those that its threshold names, or that of a load
 * that raises its threshold. */
static bool law_jumps(const stepping_motion *motion, thud_index k, bool loaded) {
  const thud_friction_def *law = thud_system_friction(motion->system, k);
  const model_threshold *threshold = thud_model_threshold_of(motion->system, (size_t)k);
  if (law->constraint >= 0) return motion->atom[law->constraint];
  if (threshold == NULL) return loaded;
  for (size_t j = 0; j < threshold->count; j++)
    if (motion->atom[threshold->reaction[j]]) return true;
  return false;
}

/* The friction of one law: percussions belong to the losses of the impact, densities are dissipation. */
static double book_law(stepping_motion *motion, const motion_account *account, thud_index number, thud_index first) {
  const thud_system_values *values = motion->values;
  const thud_friction_def *law = thud_system_friction(motion->system, number);
  thud_ledger *ledger = &motion->now.info.ledger;
  bool atom = law_jumps(motion, number, false);
  const double *begin = account->at_end && law->constraint < 0 ? motion->v : account->contact_begin;
  double total = 0;
  for (thud_index k = first; k < first + law->directions; k++) {
    double r = motion->reaction[motion->m + k];
    if (r == 0) continue;
    thud_row slip = thud_slip_row(values, motion->n, k);
    double moved = r * (thud_row_dot(slip, begin) + thud_row_dot(slip, motion->v)) / 2;
    double drive = r * values->slip_rate[k];
    total += moved;
    ledger->work -= drive;
    *(atom ? &ledger->impact_loss : &ledger->friction_loss) -= moved + drive;
  }
  return total;
}

static double book_friction(stepping_motion *motion, const motion_account *account) {
  double total = 0;
  thud_index first = 0;
  for (thud_index k = 0; k < thud_system_friction_count(motion->system); k++) {
    const thud_friction_def *law = thud_system_friction(motion->system, k);
    total += book_law(motion, account, k, first);
    first += law->directions;
  }
  return total;
}

/* sum of r.(u+ + u-)/2 over the constraints and their friction, into the ledger; gives the work of all contact impulses
 * on the velocities alone, which the identity needs. */
static double book_contacts(stepping_motion *motion, const motion_account *account) {
  const thud_system_values *values = motion->values;
  thud_ledger *ledger = &motion->now.info.ledger;
  double total = 0;
  for (thud_index i = 0; i < motion->m; i++) {
    double r = motion->reaction[i];
    if (r == 0) continue;
    thud_row gradient = thud_gradient_row(values, motion->n, i);
    double moved = r * (thud_row_dot(gradient, account->contact_begin) + thud_row_dot(gradient, motion->v)) / 2;
    double drive = r * values->rate[i]; /* a moving obstacle does -r dg/dt of work */
    total += moved;
    ledger->work -= drive;
    if (motion->atom[i])
      ledger->impact_loss -= moved + drive;
    else
      ledger->contact_loss -= moved + drive;
  }
  return total + book_friction(motion, account);
}

/* (v+ - v_old)' M (v+ + v_old)/2 is the change of the kinetic energy at the step's configuration, whatever the path. */
static double kinetic_change(const stepping_motion *motion, const double *v_old) {
  size_t n = (size_t)motion->n;
  double sum = 0;
  if (motion->values->sparse != NULL) {
    const thud_sparse_metric *mass = motion->values->sparse->mass;
    for (size_t i = 0; i < n; i++) {
      double row = 0;
      for (thud_index p = mass->start[i]; p < mass->start[i + 1]; p++)
        row += mass->value[p] * (motion->v[mass->column[p]] + v_old[mass->column[p]]);
      sum += (motion->v[i] - v_old[i]) * row;
    }
    return sum / 2;
  }
  for (size_t i = 0; i < n; i++) {
    double row = 0;
    for (size_t j = 0; j < n; j++) row += motion->values->mass[i * n + j] * (motion->v[j] + v_old[j]);
    sum += (motion->v[i] - v_old[i]) * row;
  }
  return sum / 2;
}

/* What is lost of |Dv|_M^2/2 when forces and laws by themselves count at the end of the step: constraints and their
 * friction count at the mean of the velocities, so that their part sum r.Du/2 is not a loss. */
static double kinetic_scheme_loss(stepping_motion *motion, const double *v_old) {
  const thud_system_values *values = motion->values;
  size_t n = (size_t)motion->n, row = (size_t)motion->m;
  double *change = motion->work;
  for (size_t i = 0; i < n; i++) change[i] = motion->v[i] - v_old[i];
  double sum = 2 * thud_system_kinetic_energy(motion->system, values, change);
  for (thud_index i = 0; i < motion->m; i++)
    sum -= motion->reaction[i] * thud_row_dot(thud_gradient_row(values, motion->n, i), change);
  for (thud_index k = 0; k < thud_system_friction_count(motion->system); k++) {
    const thud_friction_def *law = thud_system_friction(motion->system, k);
    for (thud_index c = 0; c < law->directions; c++, row++)
      if (law->constraint >= 0)
        sum -=
            motion->reaction[row] * thud_row_dot(thud_slip_row(values, motion->n, (thud_index)row - motion->m), change);
  }
  return sum / 2;
}

static double half_work(thud_index n, const double *impulse, const double *before, const double *after) {
  return (motion_dot(n, impulse, before) + motion_dot(n, impulse, after)) / 2;
}

void thud_stepping_keep_normal_velocities(stepping_motion *motion) {
  for (thud_index i = 0; i < motion->m; i++)
    motion->u_after[i] = motion->acting[i] ? normal_velocity(motion, i, motion->v) + motion->bend[i] : 0;
}

static void average_velocity(stepping_motion *motion) {
  double e = 0;
  for (thud_index i = 0; i < motion->m; i++)
    if (motion->acting[i] && motion->reaction[i] != 0) e = thud_larger(e, motion->values->restitution[i]);
  for (thud_index i = 0; i < motion->n; i++) motion->v_average[i] = (motion->v[i] + e * motion->v_left[i]) / (1 + e);
}

/* v_limit = v - M^-1 (impulses of atoms and loads). What a load raises the thresholds of laws by themselves by acts at
 * once, too. */
static void limit_velocity(stepping_motion *motion) {
  const thud_system_values *values = motion->values;
  double *jump = motion->work;
  thud_index n = motion->n, row = 0;
  memcpy(motion->v_limit, motion->v, (size_t)n * sizeof(double));
  if (!motion->now.impact && !motion->has_load) return;
  memset(jump, 0, (size_t)n * sizeof(double));
  for (thud_index i = 0; i < motion->m; i++)
    if (motion->atom[i]) thud_row_add(thud_gradient_row(values, n, i), motion->reaction[i], jump);
  for (thud_index k = 0; k < thud_system_friction_count(motion->system); k++) {
    const thud_friction_def *law = thud_system_friction(motion->system, k);
    bool jumps = law_jumps(motion, k, motion->has_load);
    for (thud_index d = 0; d < law->directions; d++, row++)
      if (jumps) thud_row_add(thud_slip_row(values, n, row), motion->reaction[motion->m + row], jump);
  }
  for (thud_index i = 0; i < n && motion->has_load; i++) jump[i] += motion->load[i];
  thud_values_solve_mass(values, n, jump);
  for (thud_index i = 0; i < n; i++) motion->v_limit[i] = motion->v[i] - jump[i];
}

static void note_percussion(stepping_motion *motion, double t) {
  motion_progress *now = &motion->now;
  thud_stepping_motion_info *info = &now->info;
  thud_percussion_info *found = &now->percussion;
  now->residual = found->residual;
  info->contraction = thud_larger(info->contraction, found->contraction);
  if (found->residual > info->worst_residual) {
    info->worst_residual = found->residual;
    info->worst_residual_time = t;
  }
  if (!now->impact) return;
  info->impacts++;
  if (found->restitution_factor < 1) info->reduced_restitutions++;
  int acting = 0;
  for (thud_index i = 0; i < motion->m; i++)
    acting += motion->acting[i] && !always_acts(thud_system_constraint(motion->system, i)->kind);
  if (acting < 2) return;
  info->multiple_impacts++;
  /* fails on numbers that are not finite only, which have ended the step before */
  if (motion->other_metric &&
      thud_percussion_cosines(motion->percussion, motion->values, motion->acting, motion->v, found) != THUD_OK)
    return;
  if (fabs(found->worst_cosine) > fabs(info->worst_cosine)) {
    info->worst_cosine = found->worst_cosine;
    info->worst_cosine_time = t;
    info->cosine_first = found->cosine_first;
    info->cosine_second = found->cosine_second;
  }
}

/* What the smooth impulse of the step would give to a free body at rest, to its order of size. */
static double kick_energy(const stepping_motion *motion, const motion_account *account) {
  double sum = 0;
  for (thud_index k = 0; k < motion->n; k++) sum += fabs(account->impulse[k] * (motion->v_free[k] - account->v_old[k]));
  return sum / 2;
}

void thud_stepping_close_velocities(stepping_motion *motion, double t, double h, const motion_account *account) {
  thud_ledger *ledger = &motion->now.info.ledger;
  if (motion->options.keep_posed)
    thud_sim_posed_take(motion->system, motion->values, motion->acting, h, account->impulse, account->applied,
                        &motion->posed);
  if (motion->options.keep_posed && motion->m > 0)
    memcpy(motion->posed.bend, motion->bend, (size_t)motion->m * sizeof(double));
  mark_atoms(motion, account);
  if (account->contact_begin != motion->v_left)
    memcpy(motion->v_left, account->contact_begin, (size_t)motion->n * sizeof(double));
  average_velocity(motion);
  limit_velocity(motion);
  thud_stepping_keep_normal_velocities(motion);
  thud_stepping_note_carrying(motion, h);
  const double *begin = account->at_end ? account->smooth_end : account->v_old;
  const double *load_begin = account->at_end ? motion->v : account->contact_begin;
  double smooth = half_work(motion->n, account->impulse, begin, account->smooth_end);
  double loaded = motion->has_load ? half_work(motion->n, motion->load, load_begin, motion->v) : 0;
  double contacts = book_contacts(motion, account) + loaded;
  ledger->work += half_work(motion->n, account->applied, begin, account->smooth_end) + loaded;
  /* of a body that is held no other scale is left */
  motion->now.energy_scale = thud_larger(motion->now.energy_scale, kick_energy(motion, account));
  double scale = thud_larger(motion->now.energy_scale, fabs(smooth) + fabs(contacts));
  double change = kinetic_change(motion, account->v_old);
  if (account->at_end) {
    double lost = kinetic_scheme_loss(motion, account->v_old);
    ledger->scheme_loss += lost;
    change += lost;
  }
  if (scale > DBL_MIN / DBL_EPSILON) /* below, products have lost their last places */
    ledger->identity = thud_larger(ledger->identity, fabs(change - smooth - contacts) / scale);
  note_percussion(motion, t);
}

void thud_stepping_close_after_kick(stepping_motion *motion, double t, double h) {
  motion_account account = {.v_old = motion->v_old,
                            .smooth_end = motion->v_free,
                            .contact_begin = motion->v_free,
                            .impulse = motion->impulse,
                            .applied = motion->applied};
  thud_stepping_close_velocities(motion, t, h, &account);
}

void thud_stepping_close_together(stepping_motion *motion, double t, double h) {
  motion_account account = {.v_old = motion->v_old,
                            .smooth_end = motion->v,
                            .contact_begin = motion->v_old,
                            .impulse = motion->impulse,
                            .applied = motion->applied};
  thud_stepping_close_velocities(motion, t, h, &account);
}

thud_error thud_stepping_load_start(stepping_motion *motion) {
  const thud_system *system = motion->system;
  double t = motion->now.t;
  take_loads(motion, thud_loads_before(system, t, false), thud_loads_before(system, t, true));
  if (!motion->has_load || motion->scheme->begin != NULL) return THUD_OK;
  thud_error error = thud_stepping_evaluate(motion, t, motion->q, motion->v, THUD_AT_FRICTION | THUD_AT_RESTITUTION);
  if (error != THUD_OK) return error;
  memcpy(motion->v_old, motion->v, (size_t)motion->n * sizeof(double));
  memset(motion->impulse, 0, (size_t)motion->n * sizeof(double));
  memset(motion->applied, 0, (size_t)motion->n * sizeof(double));
  thud_percussion_place(motion->percussion, t, motion->q);
  error = thud_stepping_respond(motion, 0, motion->v_old, motion->v_old);
  if (error == THUD_OK) thud_stepping_close_together(motion, t, 0);
  return error;
}

static void note_gaps(stepping_motion *motion, double t) {
  motion_progress *now = &motion->now;
  now->worst_gap = 0;
  now->worst_gap_constraint = -1;
  for (thud_index i = 0; i < motion->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    double gap = motion->values->gap[i];
    motion->gap[i] = gap;
    double violation = kind == THUD_CONSTRAINT_UNILATERAL ? -gap : kind == THUD_CONSTRAINT_BILATERAL ? fabs(gap) : 0;
    if (violation > -now->worst_gap) {
      now->worst_gap = -violation;
      now->worst_gap_constraint = i;
    }
  }
  if (now->worst_gap < now->info.worst_gap) {
    now->info.worst_gap = now->worst_gap;
    now->info.worst_gap_time = t;
    now->info.worst_gap_constraint = now->worst_gap_constraint;
  }
}

thud_error thud_stepping_close_node(stepping_motion *motion, double t, double h, unsigned missing) {
  motion_progress *now = &motion->now;
  thud_ledger *ledger = &now->info.ledger;
  if (thud_system_has_constant_mass(motion->system)) missing &= ~(unsigned)THUD_AT_MASS;
  thud_error error = motion->jumps != NULL ? thud_stepping_arrive(motion, t, missing)
                                           : thud_stepping_evaluate(motion, t, motion->q, motion->v, missing);
  if (error == THUD_OK) error = thud_stepping_note_accumulation(motion, t, !(t > now->t));
  if (error != THUD_OK) return error;
  note_gaps(motion, t);
  for (thud_index i = 0; i < motion->m; i++) {
    motion->flags[i] = motion->acting[i];
    motion->flags[motion->m + i] = motion->atom[i];
  }
  ledger->kinetic = thud_system_kinetic_energy(motion->system, motion->values, motion->v);
  ledger->potential = motion->values->potential;
  if (motion->options.keep_posed) thud_sim_posed_take_node(motion->system, motion->values, &motion->posed);
  now->energy_scale = thud_larger(now->energy_scale, ledger->kinetic);
  ledger->defect = ledger->kinetic + ledger->potential - now->initial_energy - ledger->work + ledger->impact_loss +
                   ledger->friction_loss + ledger->contact_loss + ledger->scheme_loss;
  double before = now->t;
  now->step = h;
  now->t = t;
  thud_stepping_note_node(motion, before);
  return THUD_OK;
}
