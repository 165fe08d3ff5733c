/* The increment: the equilibrium under a new load with Coulomb friction on the way from a state.
 *
 *   u = W (r + s p) + H' K_s^-1 F,  q_N = gap0 + u_N(r = 0),  q_T = u_T(r = 0) - before_T
 * is a contact problem in local form, W r + q. Where K is semidefinite (s > 0), p is the answer itself: the proximal
 * point iteration p <- u, whose fixed points are the solutions for K. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POLISH_UP_TO = 64, EXCHANGE_UP_TO = 256, PROXIMAL_STEPS = 400, CONTINUATION = 400 };
/* Parts of the load that are not divided further. */
static const double NARROWEST = 1e-7;

/* ---- making the solvers ------------------------------------------------------------------------------------------ */

/* The power of 2 that brings a size to [1/2, 1); 1 for 0. Sizes whose products overflow stay far from 1. */
static double unit_of(double size) {
  enum { MOST = 500 };
  int exponent = 0;
  if (size > 0) frexp(size, &exponent);
  return ldexp(1, exponent > MOST ? -MOST : exponent < -MOST ? MOST : -exponent);
}

/* The solvers judge velocities and impulses together, which have no common size in N and m: they get a W and a q of the
 * size 1, exactly (powers of 2). a W and b q have the answers b/a r and b u. */
static thud_error scale_flexibility(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  size_t m = (size_t)structure->m, entries;
  if (!thud_size_multiply(m, m, &entries)) return THUD_ERROR_OVERFLOW;
  motion->scaled_W = THUD_NEW_ARRAY(motion->base.context, double, entries);
  motion->scaled_q = THUD_NEW_ARRAY(motion->base.context, double, m);
  if (motion->scaled_W == NULL || motion->scaled_q == NULL) return THUD_ERROR_MEMORY;
  motion->stiffness_unit = unit_of(thud_norm_max(NULL, entries, structure->W, NULL));
  for (size_t k = 0; k < entries; k++) motion->scaled_W[k] = motion->stiffness_unit * structure->W[k];
  return THUD_OK;
}

static thud_error create_coulomb(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  thud_error error = scale_flexibility(motion);
  if (error != THUD_OK) return error;
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = motion->options.tolerance;
  options.max_iterations = motion->options.max_iterations;
  motion->local = (thud_contact_problem){
      .form = THUD_FORM_LOCAL,
      .dimension = structure->d,
      .contacts = structure->c,
      .mu = structure->d > 1 ? motion->problem.mu : NULL,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = structure->m, .columns = structure->m, .dense = motion->scaled_W},
      .q = motion->scaled_q};
  return thud_solver_create(motion->base.context, NULL, &motion->local, &options, &motion->solver);
}

/* Normal rows without friction, and slip rows with a bound of their own: two blocks per contact. */
static thud_error create_bounded(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  thud_index c = structure->c, d = structure->d;
  motion->blocks = THUD_NEW_ARRAY(motion->base.context, thud_velocity_block, 2 * (size_t)c);
  motion->threshold = THUD_NEW_ARRAY(motion->base.context, double, c);
  if (motion->blocks == NULL || motion->threshold == NULL) return THUD_ERROR_MEMORY;
  thud_index count = 0;
  for (thud_index i = 0; i < c; i++) {
    motion->blocks[count++] = (thud_velocity_block){
        .first = i * d, .has_normal = true, .constraint = i, .law = -1, .tied_row = -1, .tied_bilateral = -1};
    if (d > 1)
      motion->blocks[count++] = (thud_velocity_block){
          .first = i * d + 1, .directions = d - 1, .constraint = i, .law = 0, .tied_row = -1, .tied_bilateral = -1};
  }
  motion->law = (thud_velocity_law){.directions = d - 1};
  motion->bounded_problem = (thud_velocity_problem){
      .rows = structure->m,
      .block_count = count,
      .law_count = d > 1,
      .blocks = motion->blocks,
      .laws = &motion->law,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = structure->m, .columns = structure->m, .dense = structure->W},
      .load = motion->q,
      .u_free = motion->q,
      .u_minus = motion->q,
      .rate = motion->iterate,
      .restitution = motion->iterate};
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = motion->options.tolerance;
  return thud_velocity_solver_create(motion->base.context, &motion->bounded_problem, NULL, &options, &motion->bounded);
}

thud_error thud_elastic_increment_create(quasistatic_motion *motion) {
  bool bounded = motion->method == THUD_QUASISTATIC_THRESHOLD || motion->method == THUD_QUASISTATIC_FIXED_POINT;
  bool closed_form = motion->structure.c == 1 && motion->structure.stiffness != NULL;
  if (motion->structure.c == 0) return THUD_OK; /* linear statics */
  if (bounded) return create_bounded(motion);
  return closed_form ? THUD_OK : create_coulomb(motion);
}

/* ---- reading modes ----------------------------------------------------------------------------------------------- */

/* A reaction this many tolerances inside its cone sticks, whatever the solver has left of its slip. */
static const double INSIDE = 1e3;

static void read_modes(const quasistatic_motion *motion, const double *before, elastic_state *state) {
  const elastic_structure *structure = &motion->structure;
  bool given = motion->method == THUD_QUASISTATIC_THRESHOLD;
  double small_u = motion->options.tolerance * motion->now.scale_u,
         small_r = motion->options.tolerance * motion->now.scale_r;
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * structure->d;
    const double *u = state->u + N, *r = state->r + N;
    double slip = structure->d > 1 ? fabs(u[1] - before[N + 1]) : 0, force = structure->d > 1 ? fabs(r[1]) : 0;
    if (structure->d == 3) slip = hypot(slip, u[2] - before[N + 2]), force = hypot(force, r[2]);
    double bound = structure->d == 1 ? 0 : given ? motion->threshold[i] : motion->problem.mu[i] * r[0];
    bool stick = slip <= small_u ? bound > 0 : force < bound - INSIDE * small_r;
    bool open = r[0] <= small_r && (motion->problem.gap[i] + u[0] > small_u || r[0] <= 0);
    if (open)
      state->modes[i] = THUD_ELASTIC_OPEN;
    else if (structure->d == 1 || stick)
      state->modes[i] = THUD_ELASTIC_STICK;
    else
      state->modes[i] = structure->d == 2 && r[1] < 0 ? THUD_ELASTIC_SLIP_BACK : THUD_ELASTIC_SLIP;
  }
}

static void note_scales(quasistatic_motion *motion, const elastic_state *state) {
  size_t m = (size_t)motion->structure.m;
  motion->now.scale_u = fmax(motion->now.scale_u, thud_norm_max(NULL, m, state->u, NULL));
  motion->now.scale_r = fmax(motion->now.scale_r, thud_norm_max(NULL, m, state->r, NULL));
}

/* With the modes known the answer is that of a linear system: to rounding. Kept when it satisfies every inequality. */
static bool polish(quasistatic_motion *motion, const double *f, const double *before) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  if (structure->stiffness == NULL || structure->d > 2 || structure->m > POLISH_UP_TO) return false;
  double *u = motion->rate, *r = motion->iterate; /* free here */
  for (thud_index i = 0; i < structure->c; i++) motion->gap[i] = -motion->problem.gap[i];
  motion->system.f = f;
  motion->system.closed = motion->gap;
  motion->system.stuck = before;
  mode_answer answer = thud_modes_solve(&motion->system, next->modes, u, r, NULL);
  double small_u = motion->options.tolerance * motion->now.scale_u,
         small_r = motion->options.tolerance * motion->now.scale_r;
  bool good = answer == MODES_REGULAR;
  for (thud_index i = 0; i < structure->c && good; i++) {
    thud_index N = i * structure->d;
    thud_elastic_mode mode = next->modes[i];
    if (mode == THUD_ELASTIC_OPEN)
      good = motion->problem.gap[i] + u[N] >= -small_u;
    else if (r[N] < -small_r)
      good = false;
    else if (structure->d == 2 && mode == THUD_ELASTIC_STICK)
      good = fabs(r[N + 1]) <= motion->problem.mu[i] * r[N] + small_r;
    else if (thud_mode_slips(mode) && motion->problem.mu[i] > 0)
      good = thud_mode_sign(mode) * (u[N + 1] - before[N + 1]) <= small_u;
  }
  if (!good) return false;
  memcpy(next->u, u, (size_t)structure->m * sizeof *u);
  memcpy(next->r, r, (size_t)structure->m * sizeof *r);
  return true;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static thud_error refuse(quasistatic_motion *motion, double t, const char *what, double residual) {
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[solver-limit] at t = %.15g: %s, residual %.3g above the tolerance %.3g; take smaller steps, a larger "
            "simulate.tolerance or more simulate.max_iterations",
            t, what, residual, motion->options.tolerance);
  return THUD_OK;
}

/* One contact problem W r + q with the warm start in r. */
static thud_error solve_coulomb(quasistatic_motion *motion, double t, double *r, double *u,
                                thud_motion_status *status) {
  thud_solver_info info;
  size_t m = (size_t)motion->structure.m;
  double least = motion->options.tolerance * motion->now.scale_u; /* below that q is rounding */
  double way = unit_of(fmax(thud_norm_max(NULL, m, motion->q, NULL), least)), force = way / motion->stiffness_unit;
  for (size_t i = 0; i < m; i++) {
    motion->scaled_q[i] = way * motion->q[i];
    r[i] *= force;
  }
  thud_error error = thud_solver_update(motion->solver, &motion->local);
  if (error == THUD_OK) error = thud_solver_solve(motion->solver, r, u, NULL, NULL, &info);
  for (size_t i = 0; i < m; i++) {
    r[i] /= force;
    u[i] /= way;
  }
  if (error != THUD_OK) return error;
  motion->now.info.solves++;
  motion->now.residual = info.residual.residual;
  if (info.status == THUD_SOLVED) return THUD_OK;
  *status = THUD_MOTION_NOT_CONVERGED;
  return refuse(motion, t, "the contact problem of the increment is not solved", info.residual.residual);
}

static thud_error solve_bounded(quasistatic_motion *motion, double t, double *r, double *u,
                                thud_motion_status *status) {
  const elastic_structure *structure = &motion->structure;
  thud_velocity_info info;
  for (thud_index i = 0; i < structure->c && structure->d > 1; i++)
    motion->blocks[2 * i + 1].friction_bound = motion->threshold[i];
  memset(motion->iterate, 0, (size_t)structure->m * sizeof *motion->iterate);
  motion->bounded_problem.magnitude =
      fmax(thud_norm_max(NULL, (size_t)structure->m, motion->q, NULL), motion->now.scale_u);
  thud_error error = thud_velocity_solver_solve(motion->bounded, &motion->bounded_problem, r, u, &info);
  if (error != THUD_OK) return error;
  motion->now.info.solves++;
  motion->now.residual = info.residual;
  if (info.status == THUD_SOLVED) return THUD_OK;
  *status = THUD_MOTION_NOT_CONVERGED;
  return refuse(motion, t, "the contact problem with given bounds is not solved", info.residual);
}

/* bound <- mu r_N until it repeats itself; with the ratio of successive changes. */
static thud_error solve_fixed_point(quasistatic_motion *motion, double t, double *r, double *u,
                                    thud_motion_status *status) {
  const elastic_structure *structure = &motion->structure;
  thud_error error = THUD_OK;
  double change = INFINITY, last = NAN, largest = 0;
  int k = 0;
  for (thud_index i = 0; i < structure->c; i++)
    motion->threshold[i] = motion->problem.mu[i] * fmax(0, r[(ptrdiff_t)i * structure->d]);
  for (; k < motion->options.max_iterations && error == THUD_OK && *status == THUD_MOTION_RUNNING; k++) {
    error = solve_bounded(motion, t, r, u, status);
    change = largest = 0;
    for (thud_index i = 0; i < structure->c; i++) {
      double bound = motion->problem.mu[i] * fmax(0, r[(ptrdiff_t)i * structure->d]);
      change = fmax(change, fabs(bound - motion->threshold[i]));
      largest = fmax(largest, bound);
      motion->threshold[i] = bound;
    }
    if (change <= motion->options.tolerance * fmax(largest, motion->now.scale_r * DBL_EPSILON) || change == 0) break;
    if (!isnan(last) && change > 100 * motion->options.tolerance * largest)
      motion->now.info.worst_contraction = fmax(motion->now.info.worst_contraction, change / last);
    last = change;
  }
  if (k + 1 > motion->now.info.most_iterations) motion->now.info.most_iterations = k + 1;
  if (error != THUD_OK || *status != THUD_MOTION_RUNNING || k < motion->options.max_iterations) return error;
  *status = THUD_MOTION_NOT_CONVERGED;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[solver-limit] at t = %.15g: the fixed point of the bounds of friction does not contract: they still "
            "change by %.3g of "
            "their size after %d iterations; the method increments needs no contraction",
            t, change / largest, k);
  return THUD_OK;
}

static thud_error choose_solver(quasistatic_motion *motion, double t, double *r, double *u,
                                thud_motion_status *status) {
  if (motion->method == THUD_QUASISTATIC_THRESHOLD) {
    thud_error error =
        thud_regulated_evaluate(motion->base.context, motion->problem.threshold, t, THUD_SIDE_VALUE, motion->threshold);
    for (thud_index i = 0; i < motion->structure.c && error == THUD_OK; i++)
      if (!(motion->threshold[i] >= 0)) {
        char text[160];
        *status = THUD_MOTION_BAD_DATA;
        thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                  "[out-of-range] at t = %.15g: the bound of friction of %s is %g; it must be 0 or "
                  "greater",
                  t, thud_elastic_contact(&motion->problem, i, text), motion->threshold[i]);
        return THUD_OK;
      }
    return error == THUD_OK ? solve_bounded(motion, t, r, u, status) : error;
  }
  if (motion->method == THUD_QUASISTATIC_FIXED_POINT && motion->structure.d > 1)
    return solve_fixed_point(motion, t, r, u, status);
  if (motion->bounded != NULL) return solve_bounded(motion, t, r, u, status);
  return solve_coulomb(motion, t, r, u, status);
}

static thud_error solve_local(quasistatic_motion *motion, double t, double *r, double *u, thud_motion_status *status) {
  double begin = thud_seconds();
  thud_error error = choose_solver(motion, t, r, u, status);
  motion->contact_seconds += thud_seconds() - begin;
  return error;
}

static void pose(quasistatic_motion *motion, const double *before, const double *held) {
  const elastic_structure *structure = &motion->structure;
  memcpy(motion->q, motion->free, (size_t)structure->m * sizeof *motion->q);
  if (held != NULL)
    thud_dense_multiply_vector(structure->m, structure->m, structure->W, false, structure->shift, held, 1, motion->q);
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * structure->d;
    motion->q[N] += motion->problem.gap[i];
    for (thud_index k = 1; k < structure->d; k++) motion->q[N + k] -= before[N + k];
  }
}

static void unpose(const quasistatic_motion *motion, const double *before, double *u) {
  const elastic_structure *structure = &motion->structure;
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * structure->d;
    u[N] -= motion->problem.gap[i];
    for (thud_index k = 1; k < structure->d; k++) u[N + k] += before[N + k];
  }
}

static bool can_exchange(const quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  return motion->bounded == NULL && structure->stiffness != NULL && structure->d < 3 && structure->m <= EXCHANGE_UP_TO;
}

/* One equilibrium by exchanging modes, from those in motion->next: exact, and independent of how soft the structure is in
 * what its contacts alone hold. */
static thud_error exchange_at(quasistatic_motion *motion, const double *f, const double *before, int starts,
                              bool *solved) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  const elastic_question question = {
      .f = f, .before = before, .r = motion->from->r, .tolerance = motion->options.tolerance, .starts = starts};
  *solved = false;
  thud_error error = thud_solutions_find_one(&question, &motion->system, next->modes, &motion->found);
  if (error != THUD_OK || motion->found.count == 0) return error;
  const thud_quasistatic_solution found = thud_solutions_at(&motion->found, 0);
  if (found.continuum) return THUD_OK;
  memcpy(next->u, found.u, (size_t)structure->m * sizeof *next->u);
  memcpy(next->r, found.r, (size_t)structure->m * sizeof *next->r);
  memcpy(next->modes, found.modes, (size_t)structure->c * sizeof *next->modes);
  *solved = true;
  return THUD_OK;
}

/* Exchanges modes under loads between that of the state, f = K_c u - r, and f, with friction from `before` under all of
 * them: where few modes change at a time, the exchange finds them. *share is how far the load is held. */
static thud_error continue_load(quasistatic_motion *motion, const double *f, const double *before, double *share) {
  const elastic_structure *structure = &motion->structure;
  double *between = motion->q, width = 1;
  thud_error error = THUD_OK;
  *share = 0;
  memcpy(motion->next.modes, motion->from->modes, (size_t)structure->c * sizeof *motion->next.modes);
  for (int k = 0; k < CONTINUATION && *share < 1 && width > NARROWEST && error == THUD_OK; k++) {
    double end = fmin(1, *share + width);
    bool solved = false;
    memcpy(between, motion->from->r, (size_t)structure->m * sizeof *between);
    thud_dense_multiply_vector(structure->m, structure->m, structure->stiffness, false, 1 - end, motion->from->u,
                               end - 1, between);
    for (thud_index i = 0; i < structure->m; i++) between[i] = end == 1 ? f[i] : between[i] + end * f[i];
    error = exchange_at(motion, between, before, 1, &solved);
    if (solved) *share = end;
    width *= solved ? 2 : 0.5;
  }
  return error;
}

/* Structures that their contacts hold: all modes at once from those of the state, then along the load. */
static thud_error solve_by_exchange(quasistatic_motion *motion, const double *f, const double *before, double *share) {
  const elastic_structure *structure = &motion->structure;
  *share = 0;
  if (!can_exchange(motion)) return THUD_OK;
  double begin = thud_seconds();
  bool solved = false;
  memcpy(motion->next.modes, motion->from->modes, (size_t)structure->c * sizeof *motion->next.modes);
  thud_error error = exchange_at(motion, f, before, 1, &solved);
  *share = solved;
  if (error == THUD_OK && !solved) error = continue_load(motion, f, before, share);
  motion->contact_seconds += thud_seconds() - begin;
  if (error != THUD_OK || *share < 1) return error;
  motion->now.info.solves++;
  motion->now.residual = 0;
  note_scales(motion, &motion->next);
  return THUD_OK;
}

/* "; 0.25 of its last change is held" */
static const char *describe_share(double share, char text[80]) {
  text[0] = '\0';
  if (share > 0) snprintf(text, 80, "; %.6g of the last change of the load is held", share);
  return text;
}

/* The proximal iteration around the contact problem. `share` is how much of the load was held otherwise. Displacements that go on growing are a motion that nothing holds. */
static thud_error solve_held(quasistatic_motion *motion, double t, const double *f, const double *before, double share,
                             thud_motion_status *status) {
  elastic_state *next = &motion->next;
  size_t m = (size_t)motion->structure.m, where = 0;
  double change = 0;
  memcpy(next->r, motion->from->r, m * sizeof *next->r);
  memcpy(next->u, before, m * sizeof *before);
  for (int k = 0; k < PROXIMAL_STEPS; k++) {
    double *held = motion->rate;
    memcpy(held, next->u, m * sizeof *held);
    pose(motion, before, held);
    thud_error error = solve_local(motion, t, next->r, next->u, status);
    if (error != THUD_OK || *status != THUD_MOTION_RUNNING) return error;
    unpose(motion, before, next->u);
    note_scales(motion, next);
    for (size_t i = 0; i < m; i++) held[i] -= next->u[i];
    change = thud_norm_max(NULL, m, held, &where);
    read_modes(motion, before, next);
    if (motion->bounded == NULL && polish(motion, f, before)) return THUD_OK;
    bool solved = false; /* modes that are nearly right are made right */
    if (can_exchange(motion) && (k & (k + 1)) == 0) error = exchange_at(motion, f, before, 1, &solved);
    if (error != THUD_OK || solved) return error;
    if (change <= 10 * motion->options.tolerance * motion->now.scale_u) return THUD_OK;
  }
  char text[160], held[80];
  thud_index contact = (thud_index)where / motion->structure.d;
  *status = THUD_MOTION_NOT_HELD;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[not-held] at t = %.15g nothing holds the structure: the stiffness matrix is semidefinite, friction does "
            "not balance the "
            "load, and %s still moves by %.3g in every iteration%s",
            t, thud_elastic_contact(&motion->problem, contact, text), change, describe_share(share, held));
  return THUD_OK;
}

/* U = K_s^-1 (F + H x), on the clock. */
static thud_error solve_linear(quasistatic_motion *motion, const double *F, const double *x, double *U) {
  double begin = thud_seconds();
  thud_error error = thud_elastic_structure_solve(&motion->structure, F, x, U);
  motion->linear_seconds += thud_seconds() - begin;
  return error;
}

thud_error thud_elastic_recover(quasistatic_motion *motion, elastic_state *state) {
  const elastic_structure *structure = &motion->structure;
  if (structure->shift == 0) return solve_linear(motion, state->F, state->r, state->U);
  for (thud_index i = 0; i < structure->m; i++) motion->rate[i] = state->r[i] + structure->shift * state->u[i];
  return solve_linear(motion, state->F, motion->rate, state->U);
}

thud_error thud_elastic_increment(quasistatic_motion *motion, double t, const double *F, const double *before,
                                  thud_motion_status *status) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  *status = THUD_MOTION_RUNNING;
  if (F != next->F) memcpy(next->F, F, (size_t)structure->n * sizeof *F);
  thud_error error = solve_linear(motion, F, NULL, next->U);
  if (error != THUD_OK || structure->c == 0) return error;
  thud_elastic_structure_see(structure, next->U, motion->free);
  double *f = motion->f_end;
  if (structure->stiffness != NULL) thud_elastic_structure_condense(structure, motion->free, f);
  if (motion->bounded == NULL && structure->c == 1 && structure->stiffness != NULL) {
    motion->now.info.solves++;
    motion->now.residual = 0;
    if (thud_elastic_one_contact(motion, f, before, &error))
      return error == THUD_OK ? thud_elastic_recover(motion, next) : error;
    *status = structure->shift > 0 ? THUD_MOTION_NOT_HELD : THUD_MOTION_NOT_CONVERGED;
    char text[160];
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED, "[not-held] at t = %.15g: %s has no equilibrium%s", t,
              thud_elastic_contact(&motion->problem, 0, text),
              structure->shift > 0 ? ": friction does not balance the load, and nothing else holds it" : "");
    return error;
  }
  memcpy(next->r, motion->from->r, (size_t)structure->m * sizeof *next->r);
  if (structure->shift > 0) {
    double share;
    error = solve_by_exchange(motion, f, before, &share);
    if (error == THUD_OK && share < 1) error = solve_held(motion, t, f, before, share, status);
  } else {
    pose(motion, before, NULL);
    error = solve_local(motion, t, next->r, next->u, status);
    if (error == THUD_OK && *status == THUD_MOTION_RUNNING) {
      unpose(motion, before, next->u);
      note_scales(motion, next);
      read_modes(motion, before, next);
      if (motion->bounded == NULL) (void)polish(motion, f, before);
    }
  }
  return error == THUD_OK && *status == THUD_MOTION_RUNNING ? thud_elastic_recover(motion, next) : error;
}

/* ---- one contact in closed form ---------------------------------------------------------------------------------- */

/* The increment of one contact in closed form: all modes, and among several solutions the one that is nearest to
 * staying (an open contact stays open when it can; otherwise stick before slip before opening). */

static void take(quasistatic_motion *motion, const double *u, const double *r, thud_elastic_mode mode) {
  size_t bytes = (size_t)motion->structure.m * sizeof(double);
  memcpy(motion->next.u, u, bytes);
  memcpy(motion->next.r, r, bytes);
  motion->next.modes[0] = mode;
  for (size_t k = 0; k < (size_t)motion->structure.m; k++) {
    motion->now.scale_u = fmax(motion->now.scale_u, fabs(u[k]));
    motion->now.scale_r = fmax(motion->now.scale_r, fabs(r[k]));
  }
}

/* Everything is asked of the reaction r of sticking, u = (-gap, before), so that no two modes disagree about one sign:
 *   x_s = s r_T - mu r_N                stick   x_+ <= 0 and x_- <= 0
 *   D_s = K_TT - s mu K_NT              slip s  u_T = before - s x_s/D_s, r_N = p/D_s:  x_s/D_s > 0 and p/D_s >= 0
 *   p   = K_TT r_N - K_NT r_T           open    u = (-gap, before) - K^-1 r, gap = -p/det K:  p <= 0
 * With D_+, D_- > 0 one of them holds whatever the rounding of r is: p <= 0 opens; otherwise a positive x_s slips, and
 * two that are not positive stick. */
typedef struct plane_contact {
  const double *K; /* [2*2] */
  double mu, r[2], u[2];
  double x[2]; /* of s = 1 and -1 */
  double D[2];
  double p, det;
  double small_x, small_p; /* rounding of x and p */
} plane_contact;

static double sign_of(int k) { return k == 0 ? 1 : -1; }

static plane_contact look_at(const elastic_structure *structure, const double *f, const double *before) {
  const double *K = structure->stiffness;
  plane_contact contact = {.K = K, .mu = structure->problem->mu[0], .u = {-structure->problem->gap[0], before[1]}};
  double size[2];
  for (int i = 0; i < 2; i++) {
    contact.r[i] = K[i] * contact.u[0] + K[i + 2] * contact.u[1] - f[i];
    /* two products and two sums: 4 roundings of the terms at most */
    size[i] = 2 * DBL_EPSILON * (fabs(K[i] * contact.u[0]) + fabs(K[i + 2] * contact.u[1]) + fabs(f[i]));
  }
  for (int k = 0; k < 2; k++) {
    contact.x[k] = sign_of(k) * contact.r[1] - contact.mu * contact.r[0];
    contact.D[k] = K[3] - sign_of(k) * contact.mu * K[1];
  }
  contact.p = K[3] * contact.r[0] - K[1] * contact.r[1];
  contact.det = K[0] * K[3] - K[1] * K[1];
  contact.small_x = size[1] + contact.mu * size[0];
  contact.small_p = fabs(K[3]) * size[0] + fabs(K[1]) * size[1];
  return contact;
}

/* K holds an open contact. */
static bool has_open(const plane_contact *contact) { return contact->det > 1e-14 * contact->K[0] * contact->K[3]; }

static bool sticks(const plane_contact *contact, double margin) {
  if (!(contact->mu > 0)) return false;
  return fmax(contact->x[0], contact->x[1]) <= margin && contact->r[0] >= -margin;
}

/* Slip in the direction k by more than rounding, where that is a solution beside sticking. */
static bool slips(const plane_contact *contact, int k) {
  if (contact->D[k] == 0) return false;
  bool moves = contact->mu == 0 || (contact->x[k] / contact->D[k] > 0 && fabs(contact->x[k]) > contact->small_x);
  return moves && contact->p / contact->D[k] >= 0;
}

static void take_stick(quasistatic_motion *motion, const plane_contact *contact) {
  double r[2] = {fmax(0, contact->r[0]), contact->r[1]};
  take(motion, contact->u, r, THUD_ELASTIC_STICK);
}

/* Near a critical coefficient x_s/D_s and p/D_s are rounding over a small D_s. The slip is then taken as it comes, up to the
 * one at which the reaction vanishes, and the reaction follows from the normal equation with that slip: the tangential one is
 * off by D_s times the error of the slip, which is the rounding of x_s. */
static void take_slip(quasistatic_motion *motion, const plane_contact *contact, int k) {
  double s = sign_of(k), slip = -s * contact->x[k] / contact->D[k];
  double press = contact->r[0] + contact->K[1] * slip;
  if (press < 0 && contact->K[1] != 0) {
    slip = -contact->r[0] / contact->K[1];
    press = 0;
  }
  double u[2] = {contact->u[0], contact->u[1] + slip};
  double r[2] = {press, s * contact->mu * press};
  take(motion, u, r, k == 0 ? THUD_ELASTIC_SLIP : THUD_ELASTIC_SLIP_BACK);
}

static void take_open(quasistatic_motion *motion, const plane_contact *contact) {
  const double *K = contact->K, none[2] = {0, 0};
  double u[2] = {contact->u[0] - contact->p / contact->det,
                 contact->u[1] - (K[0] * contact->r[1] - K[1] * contact->r[0]) / contact->det};
  take(motion, u, none, THUD_ELASTIC_OPEN);
}

/* Near a critical coefficient (D_s near 0) rounding may leave none of them: what misses by rounding only is taken then. */
static bool take_by_rounding(quasistatic_motion *motion, const plane_contact *contact) {
  if (sticks(contact, contact->small_x))
    take_stick(motion, contact);
  else if (has_open(contact) && contact->p <= contact->small_p)
    take_open(motion, contact);
  else
    return false;
  return true;
}

static bool solve_plane(quasistatic_motion *motion, const double *f, const double *before) {
  const plane_contact contact = look_at(&motion->structure, f, before);
  bool opens = has_open(&contact) && contact.p <= 0, done = false;
  int solutions = 0;
  if (opens && motion->from->modes[0] == THUD_ELASTIC_OPEN) take_open(motion, &contact), done = true;
  if (sticks(&contact, contact.small_x)) {
    solutions++;
    if (!done) take_stick(motion, &contact), done = true;
  }
  for (int k = 0; k < (contact.mu > 0 ? 2 : 1); k++)
    if (slips(&contact, k)) {
      solutions++;
      if (!done) take_slip(motion, &contact, k), done = true;
    }
  if (opens && contact.p < 0) solutions++;
  if (opens && !done) take_open(motion, &contact), done = true;
  motion->now.info.ambiguous += solutions > 1;
  if ((size_t)solutions > motion->now.info.most_solutions) motion->now.info.most_solutions = (size_t)solutions;
  return done || take_by_rounding(motion, &contact);
}

/* Closed while r = -K gap - f >= 0, open otherwise: by one sign. */
static bool solve_line(quasistatic_motion *motion, const double *f) {
  double K = motion->structure.stiffness[0], u = -motion->problem.gap[0], r = K * u - f[0], none = 0;
  if (r > 0) {
    take(motion, &u, &r, THUD_ELASTIC_STICK);
    return true;
  }
  if (!(K > 0)) return false;
  u -= r / K;
  take(motion, &u, &none, THUD_ELASTIC_OPEN);
  return true;
}

static bool solve_space(quasistatic_motion *motion, const double *f, const double *before, thud_error *error) {
  const elastic_question question = {.f = f, .before = before, .r = motion->from->r, .tolerance = 1e-13, .most = 1};
  elastic_solutions *found = &motion->found;
  motion->found_jump = false;
  *error = thud_solutions_find(&question, &motion->system, found);
  if (*error != THUD_OK || found->count == 0) return false;
  size_t chosen = 0;
  for (size_t k = 0; k < found->count; k++)
    if (motion->from->modes[0] == THUD_ELASTIC_OPEN && thud_solutions_at(found, k).modes[0] == THUD_ELASTIC_OPEN)
      chosen = k;
  thud_quasistatic_solution taken = thud_solutions_at(found, chosen);
  take(motion, taken.u, taken.r, taken.modes[0]);
  motion->now.info.ambiguous += found->count > 1;
  if (found->count > motion->now.info.most_solutions) motion->now.info.most_solutions = found->count;
  return true;
}

bool thud_elastic_one_contact(quasistatic_motion *motion, const double *f, const double *before, thud_error *error) {
  switch (motion->structure.d) {
  case 1: return solve_line(motion, f);
  case 2: return solve_plane(motion, f, before);
  default: return solve_space(motion, f, before, error);
  }
}
