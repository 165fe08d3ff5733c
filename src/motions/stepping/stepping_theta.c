/* Schemes with implicit smooth forces: the theta scheme of Moreau and Jean, and the implicit scheme, which has theta = 1
 * and its own balance of energy. */
#include "motions/stepping/stepping.h"

#include <float.h>

enum { NEWTON_STEPS = 50 };

/* Adds `factor` times the symmetric part of a Jacobian; true when it has an entry. */
static bool add_jacobian(const thud_row_list *jacobian, double factor, thud_sparse_metric *A) {
  bool any = false;
  for (thud_index i = 0; i < jacobian->count; i++)
    for (thud_index p = jacobian->start[i]; p < jacobian->start[i + 1]; p++) {
      thud_index place = thud_sparse_metric_place(A, i, jacobian->column[p]);
      double half = factor * jacobian->value[p] / 2;
      any = any || jacobian->value[p] != 0;
      A->value[place] += half;
      A->value[A->mirror[place]] += half;
    }
  return any;
}

/* The same as implicit_metric for sparse values; A has their pattern. */
static bool implicit_sparse_metric(stepping_motion *motion, double a, thud_sparse_metric *A) {
  const thud_system_sparse *sparse = motion->values->sparse;
  thud_index failed;
  memcpy(A->value, sparse->mass->value, (size_t)A->start[A->n] * sizeof(double));
  bool by_v = add_jacobian(&sparse->force_dv, -a, A), by_q = add_jacobian(&sparse->force_dq, -a * a, A);
  return (by_v || by_q) && thud_sparse_metric_factorise(A, &failed) == THUD_OK;
}

/* A = M - h theta df/dv - (h theta)^2 df/dq, symmetrised: the metric of one Newton step. Any positive definite A gives
 * the same answer once the iteration has converged; M is taken where A is not. */
static bool implicit_metric(stepping_motion *motion, double a, double *A, double *factor) {
  const thud_system_values *values = motion->values;
  size_t n = (size_t)motion->n;
  bool differs = false;
  if (values->sparse != NULL) return implicit_sparse_metric(motion, a, ((model_state *)motion->values)->implicit);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double v = values->force_dv[i * n + j] + values->force_dv[j * n + i];
      double q = values->force_dq[i * n + j] + values->force_dq[j * n + i];
      A[i * n + j] = values->mass[i * n + j] - a * v / 2 - a * a * q / 2;
      differs = differs || v != 0 || q != 0;
    }
  if (!differs) return false;
  return thud_model_factorise(motion->system, motion->base.context, A, factor) == THUD_OK;
}

static double theta_of(const stepping_motion *motion) { return motion->scheme->at_end ? 1 : motion->options.theta; }

static void mix(thud_index n, double h, double theta, const double *begin, const double *end, double *out) {
  for (thud_index i = 0; i < n; i++) out[i] = h * ((1 - theta) * begin[i] + theta * end[i]);
}

/* q + h ((1-theta) v_old + theta v) into out. */
static void move(const stepping_motion *motion, double h, const double *v, double *out) {
  double theta = theta_of(motion);
  for (thud_index i = 0; i < motion->n; i++)
    out[i] = motion->q[i] + h * ((1 - theta) * motion->v_old[i] + theta * v[i]);
}

/* Forces at the end of the step for the velocity guessed in motion->v: the smooth impulse, and v_free = v - A^-1
 * (M (v - v_old) - impulse) with the factor given. */
static thud_error smooth_forces(stepping_motion *motion, double t, double h, unsigned parts,
                                const double *start_applied) {
  thud_index n = motion->n;
  move(motion, h, motion->v, motion->work);
  thud_error error = thud_stepping_evaluate(motion, t, motion->work, motion->v, parts);
  if (error != THUD_OK) return error;
  double theta = theta_of(motion);
  mix(n, h, theta, motion->start_force, motion->values->force, motion->impulse);
  mix(n, h, theta, start_applied, motion->values->applied, motion->applied);
  return THUD_OK;
}

/* Whether the forces at the velocity that was found are those it was found with: expressions that switch have no slope
 * and still look at the state. */
static thud_error ask_again(stepping_motion *motion, double t, double h, bool *same) {
  double theta = theta_of(motion);
  move(motion, h, motion->v, motion->work);
  thud_error error = thud_stepping_evaluate(motion, t, motion->work, motion->v, THUD_AT_FORCE);
  *same = error == THUD_OK;
  for (thud_index i = 0; i < motion->n && *same; i++)
    *same = h * ((1 - theta) * motion->start_force[i] + theta * motion->values->force[i]) == motion->impulse[i];
  return error;
}

static void newton_sparse_velocity(stepping_motion *motion, const thud_sparse_metric *A) {
  thud_index n = motion->n;
  double *change = motion->work, *rest = motion->v_free;
  for (thud_index j = 0; j < n; j++) change[j] = motion->v[j] - motion->v_old[j];
  thud_sparse_metric_apply(motion->values->sparse->mass, change, rest);
  for (thud_index i = 0; i < n; i++) rest[i] -= motion->impulse[i];
  thud_sparse_metric_solve(A, rest);
  for (thud_index i = 0; i < n; i++) rest[i] = motion->v[i] - rest[i];
}

static void newton_velocity(stepping_motion *motion, const double *factor) {
  size_t n = (size_t)motion->n;
  for (size_t i = 0; i < n; i++) {
    double sum = -motion->impulse[i];
    for (size_t j = 0; j < n; j++) sum += motion->values->mass[i * n + j] * (motion->v[j] - motion->v_old[j]);
    motion->v_free[i] = sum;
  }
  motion_solve_mass(motion->n, factor, motion->v_free);
  for (size_t i = 0; i < n; i++) motion->v_free[i] = motion->v[i] - motion->v_free[i];
}

/* newton_step for sparse values. */
static thud_error newton_sparse_step(stepping_motion *motion, double h, bool implicit) {
  model_state *state = (model_state *)motion->values;
  thud_sparse_metric *mass = state->sparse.mass;
  newton_sparse_velocity(motion, implicit ? state->implicit : mass);
  memcpy(motion->work, motion->v, (size_t)motion->n * sizeof(double));
  if (implicit) state->sparse.mass = state->implicit;
  thud_error error = thud_stepping_respond(motion, h, motion->v_old, motion->v_free);
  state->sparse.mass = mass;
  return error;
}

/* One velocity problem in the metric A (NULL: M). *change is the largest change of a velocity. */
static thud_error newton_step(stepping_motion *motion, double h, double *A, double *factor, double *change) {
  thud_system_values *values = motion->values;
  double *mass = values->mass, *mass_factor = values->mass_factor;
  thud_error error;
  motion->other_metric = A != NULL;
  if (values->sparse != NULL) {
    error = newton_sparse_step(motion, h, A != NULL);
  } else {
    newton_velocity(motion, A != NULL ? factor : mass_factor);
    memcpy(motion->work, motion->v, (size_t)motion->n * sizeof(double));
    if (A != NULL) {
      values->mass = A;
      values->mass_factor = factor;
    }
    motion->view.mass = A != NULL ? mass : NULL;
    motion->view.mass_factor = mass_factor;
    thud_percussion_look(motion->percussion, &motion->view);
    error = thud_stepping_respond(motion, h, motion->v_old, motion->v_free);
    thud_percussion_look(motion->percussion, NULL);
    values->mass = mass;
    values->mass_factor = mass_factor;
  }
  *change = 0;
  for (thud_index i = 0; i < motion->n; i++) *change = thud_larger(*change, fabs(motion->v[i] - motion->work[i]));
  return error;
}

static double largest(thud_index n, const double *x) {
  double size = 0;
  for (thud_index i = 0; i < n; i++) size = thud_larger(size, fabs(x[i]));
  return size;
}

static bool has_entries(const thud_row_list *list) {
  for (thud_index k = 0; list->count > 0 && k < list->start[list->count]; k++)
    if (list->value[k] != 0) return true;
  return false;
}

/* Whether the forces look at the state, by their Jacobians here. */
static bool sees_state(const stepping_motion *motion) {
  const thud_system_values *values = motion->values;
  if (values->sparse != NULL) return has_entries(&values->sparse->force_dv) || has_entries(&values->sparse->force_dq);
  size_t count = (size_t)motion->n * (size_t)motion->n;
  for (size_t i = 0; i < count; i++)
    if (values->force_dv[i] != 0 || values->force_dq[i] != 0) return true;
  return false;
}

static thud_error solve_velocity(stepping_motion *motion, double t, double h) {
  size_t n = (size_t)motion->n;
  double *A = motion->mass, *factor = motion->values->sparse == NULL ? A + n * n : A,
         *start_applied = motion->start_force + n;
  double tolerance = motion->options.residual_tolerance;
  bool implicit = false, flat = false;
  for (int k = 0; k < NEWTON_STEPS; k++) {
    unsigned parts = THUD_AT_FORCE | (k == 0 || implicit ? THUD_AT_JACOBIANS : 0u);
    double change;
    thud_error error = smooth_forces(motion, t, h, parts, start_applied);
    if (error != THUD_OK) return error;
    bool constant = k == 0 && !sees_state(motion);
    flat = flat || constant;
    if ((parts & THUD_AT_JACOBIANS) != 0 && !constant)
      implicit = implicit_metric(motion, h * theta_of(motion), A, factor);
    error = newton_step(motion, h, implicit ? A : NULL, factor, &change);
    if (error == THUD_OK && constant) error = ask_again(motion, t, h, &constant);
    if (error != THUD_OK || constant) return error;
    double speed =
        largest(motion->n, motion->v) + largest(motion->n, motion->v_old) + largest(motion->n, motion->v_free);
    if (change <= tolerance * speed + DBL_MIN) /* v_free too: at rest the forces of the step set the scale */
      return smooth_forces(motion, t, h, THUD_AT_FORCE, start_applied);
  }
  return thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
                   "[solver-limit] the implicit forces did not settle in %d Newton steps: %s", NEWTON_STEPS,
                   flat ? "they jump there; friction that jumps with the velocity is a friction law"
                        : "take a smaller step");
}

/* M(q~)(v+ - v) = h [(1-theta) (f-c)(t, q, v) + theta (f-c)(t+h, q+, v+)] + H(q~) r,  q+ = q + h [(1-theta) v + theta
 * v+], contacts taken at q~ = q + (1-theta) h v (M. Jean, The non-smooth contact dynamics method, 1999). The implicit
 * method has theta = 1, and thresholds, slip and gaps of the time t+h. */
static thud_error solve_theta_step(stepping_motion *motion, double t, double h) {
  thud_index n = motion->n;
  size_t bytes = (size_t)n * sizeof(double);
  double before = t - h, ahead = (1 - theta_of(motion)) * h;
  double at = motion->scheme->at_end ? t : before + ahead;
  memcpy(motion->v_old, motion->v, bytes);
  thud_error error = thud_stepping_evaluate(motion, before, motion->q, motion->v_old, THUD_AT_FORCE);
  if (error != THUD_OK) return error;
  memcpy(motion->start_force, motion->values->force, bytes);
  memcpy(motion->start_force + n, motion->values->applied, bytes);
  for (thud_index i = 0; i < n; i++) motion->work[i] = motion->q[i] + ahead * motion->v_old[i];
  error = thud_stepping_evaluate(motion, at, motion->work, motion->v_old,
                                 THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT | THUD_AT_FRICTION |
                                     THUD_AT_RESTITUTION);
  if (error == THUD_OK) error = thud_stepping_choose_acting(motion, at, motion->work, motion->v_old, h);
  if (error != THUD_OK) return error;
  memcpy(motion->middle, motion->work, bytes);
  thud_percussion_place(motion->percussion, at, motion->middle);
  if (!motion->scheme->corrects_positions || motion->m == 0) return solve_velocity(motion, t, h);
  double *kept = motion->kept + motion->m;
  thud_stepping_rest_slow_contacts(motion, h, motion->kept, kept);
  motion->view.resting = motion->kept;
  error = solve_velocity(motion, t, h);
  motion->view.resting = NULL;
  memcpy(motion->values->restitution, kept, (size_t)motion->m * sizeof(double));
  return error;
}

thud_error thud_stepping_theta_velocities(stepping_motion *motion, double t, double h) {
  thud_error error = solve_theta_step(motion, t, h);
  if (error != THUD_OK) return error;
  thud_stepping_close_together(motion, t, h);
  move(motion, h, motion->v, motion->q);
  return THUD_OK;
}

static thud_error step_moreau_jean(stepping_motion *motion, double t, double h) {
  thud_error error = thud_stepping_theta_velocities(motion, t, h);
  if (error != THUD_OK) return error;
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_POTENTIAL);
}

const thud_scheme thud_scheme_moreau_jean = {.local_order = 2,
                                             .order = 1,
                                             .order_at_middle = 2,
                                             .takes_friction = true,
                                             .implicit_forces = true,
                                             .step = step_moreau_jean};

/* ---- implicit ----------------------------------------------------------------------------------------------------
 *
 * M (v+ - v) = h f(t+h, q+, v+) + P + H r, q+ = q + h v+. */

/* What the end of the step takes from the potential: h dV/dq(q+).v+ - DV, where impulse - applied = -h dV/dq for a
 * constant mass. */
static thud_error step_implicit(stepping_motion *motion, double t, double h) {
  thud_ledger *ledger = &motion->now.info.ledger;
  thud_error error = solve_theta_step(motion, t, h);
  if (error == THUD_OK) error = thud_stepping_evaluate(motion, t, motion->q, motion->v_old, THUD_AT_POTENTIAL);
  if (error != THUD_OK) return error;
  double potential = motion->values->potential, slope = 0;
  motion_account account = {.v_old = motion->v_old,
                            .smooth_end = motion->v,
                            .contact_begin = motion->v_old,
                            .impulse = motion->impulse,
                            .applied = motion->applied,
                            .at_end = true};
  thud_stepping_close_velocities(motion, t, h, &account);
  for (thud_index i = 0; i < motion->n; i++) {
    slope += (motion->applied[i] - motion->impulse[i]) * motion->v[i];
    motion->q[i] += h * motion->v[i];
  }
  ledger->work += potential - ledger->potential; /* a potential that depends on time */
  error = thud_stepping_evaluate(motion, t, motion->q, motion->v, THUD_AT_POTENTIAL);
  if (error != THUD_OK) return error;
  if (thud_system_has_constant_mass(motion->system))
    ledger->scheme_loss += slope - (motion->values->potential - potential);
  return thud_stepping_close_node(motion, t, h, THUD_AT_MASS | THUD_AT_CONSTRAINT);
}

const thud_scheme thud_scheme_implicit = {.local_order = 2,
                                          .order = 1,
                                          .takes_friction = true,
                                          .implicit_forces = true,
                                          .at_end = true,
                                          .step = step_implicit};
