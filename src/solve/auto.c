/* `auto`: Gauss-Seidel first, other families when their turn promises less work or the ones before have stalled, each
 * from the best iterate so far, until the tolerance is met, a proof says that there is no solution, or a whole round of
 * methods has brought nothing. docs/methods/auto.md has the rules.
 *
 * The methods run on auto's own thud_solver: method, state and inner problem are exchanged for the time of a turn,
 * while iterate, best iterate, evaluators, history, limits and progress stay. Methods are made when they first get a
 * turn and are kept; the block rows of W are shared by all of them. */
#include "solve/auto.h"
#include "contact/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const thud_solver_method *method_of(thud_auto_family family) {
  static const thud_solver_method *const methods[THUD_AUTO_FAMILIES] = {
      [THUD_AUTO_GAUSS_SEIDEL] = &thud_method_gauss_seidel,
      [THUD_AUTO_NEWTON] = &thud_method_newton,
      [THUD_AUTO_LEMKE] = &thud_method_lemke,
      [THUD_AUTO_ACCELERATED] = &thud_method_accelerated,
      [THUD_AUTO_FISCHER_BURMEISTER] = &thud_method_fischer_burmeister,
      [THUD_AUTO_INTERIOR_POINT] = &thud_method_interior_point,
      [THUD_AUTO_PROXIMAL_POINT] = &thud_method_proximal_point,
      [THUD_AUTO_ADMM] = &thud_method_admm,
      [THUD_AUTO_EXTRAGRADIENT] = &thud_method_extragradient,
  };
  return methods[family];
}

/* Families with the same functions to make a state share it. */
static thud_auto_family state_owner(thud_auto_family family) {
  return family == THUD_AUTO_PROXIMAL_POINT ? THUD_AUTO_NEWTON : family;
}

/* Rounds of all methods at most; patience grows from one to the next. */
enum { ROUNDS = 3 };
/* A round that has not lowered the best residual to this part is the last. */
static const double ROUND_GAIN = 0.5;
/* Largest LCP that Lemke is asked for. */
enum { LEMKE_UNKNOWNS = 400 };
/* Relative asymmetry of W up to which it counts as symmetric. */
static const double SYMMETRIC = 1e-10;

/* ---- forms ------------------------------------------------------------------------------------------------------ */

static thud_error need_local(thud_solver *solver, thud_auto *state) {
  if (state->local != NULL) return THUD_OK;
  if (solver->inner->form == THUD_FORM_LOCAL) {
    state->local = solver->inner;
    return THUD_OK;
  }
  thud_owned_problem *made = NULL;
  thud_error error = thud_contact_to_local(solver->context, solver->inner, THUD_MATRIX_NONE, &made);
  if (error != THUD_OK) return error;
  thud_owned_problem_destroy(state->local_owned);
  state->local_owned = made;
  state->local = thud_owned_problem_view(made);
  return THUD_OK;
}

static bool has_operator(const thud_solver *solver) { return solver->inner->W.storage == THUD_MATRIX_OPERATOR; }

/* Block rows of the local form; of an operator there are none. */
static thud_error need_sweep(thud_solver *solver, thud_auto *state) {
  if (state->sweep_current) return THUD_OK;
  thud_error error = need_local(solver, state);
  if (has_operator(solver)) return error;
  if (error == THUD_OK && state->sweep == NULL)
    error = thud_local_sweep_create(solver->context, state->local, &state->sweep);
  if (error == THUD_OK) error = thud_local_sweep_update(state->sweep, state->local);
  state->sweep_current = error == THUD_OK;
  return error;
}

/* ---- one method ------------------------------------------------------------------------------------------------- */

/* What is exchanged for the time of a turn. */
typedef struct own_place {
  const thud_solver_method *method;
  void *state;
  const thud_contact_problem *inner;
} own_place;

static own_place enter(thud_solver *solver, thud_auto *state, thud_auto_family family) {
  own_place own = {solver->method, solver->state, solver->inner};
  bool two_block = solver->inner->form == THUD_FORM_TWO_BLOCK && family == THUD_AUTO_GAUSS_SEIDEL;
  solver->method = method_of(family);
  solver->state = state->states[state_owner(family)];
  if (!two_block) solver->inner = state->local;
  solver->sweep = two_block ? NULL : state->sweep;
  return own;
}

static void leave(thud_solver *solver, thud_auto *state, thud_auto_family family, const own_place *own) {
  state->states[state_owner(family)] = solver->state;
  solver->method = own->method;
  solver->state = own->state;
  solver->inner = own->inner;
  solver->sweep = NULL;
  solver->leaves = NULL;
}

/* Forms, state and numbers of a method. */
static thud_error prepare(thud_solver *solver, thud_auto *state, thud_auto_family family) {
  thud_auto_family owner = state_owner(family);
  if (state->current[owner]) return THUD_OK;
  bool two_block = solver->inner->form == THUD_FORM_TWO_BLOCK && family == THUD_AUTO_GAUSS_SEIDEL;
  thud_error error = two_block ? THUD_OK : need_sweep(solver, state);
  if (error != THUD_OK) return error;
  own_place own = enter(solver, state, family);
  if (solver->state == NULL) error = solver->method->create(solver);
  if (error == THUD_OK) error = solver->method->update(solver);
  leave(solver, state, family, &own);
  state->current[owner] = error == THUD_OK;
  return error;
}

static bool leaves_now(thud_solver *solver) { return thud_auto_leaves(solver, solver->leaves_user); }

static void begin_turn(thud_solver *solver) {
  if (solver->size > 0) memcpy(solver->r, solver->best_r, solver->size * sizeof(double));
  if (solver->rows > 0) memcpy(solver->l, solver->best_l, solver->rows * sizeof(double));
  solver->stopped = false;
  solver->status = THUD_SOLVER_LIMIT;
  solver->iterations = solver->tested_at = 0;
  solver->last_residual = solver->stall_residual = solver->best_residual;
  solver->stall_test = solver->history_count;
}

static void note_failed_start(thud_solver *solver, thud_auto_family family) {
  if (solver->attempt_count == THUD_SOLVER_ATTEMPTS) return;
  solver->attempts[solver->attempt_count++] = (thud_solver_attempt){.method = method_of(family)->name,
                                                                    .status = THUD_SOLVER_BREAKDOWN,
                                                                    .residual = solver->best_residual,
                                                                    .reason = "could not be set up"};
}

/* One method has its turn. A method that cannot be set up (a singular matrix, ...) is passed over. */
static thud_error take_turn(thud_solver *solver, thud_auto *state, thud_auto_family family, int round) {
  thud_error error = prepare(solver, state, family);
  if (error != THUD_OK) {
    if (error == THUD_ERROR_MEMORY) return error;
    note_failed_start(solver, family);
    return THUD_OK;
  }
  begin_turn(solver);
  own_place own = enter(solver, state, family);
  thud_auto_watch_begin(solver, state, family, round);
  solver->leaves = leaves_now;
  solver->leaves_user = state;
  error = solver->method->solve(solver);
  if (error == THUD_OK && solver->status == THUD_SOLVER_INFEASIBLE) /* what Lemke says of its ray */
    snprintf(solver->why, sizeof solver->why, "%s", thud_context_last_message(solver->context));
  if (error == THUD_OK) error = thud_solver_end_turn(solver);
  leave(solver, state, family, &own);
  if (error != THUD_OK) return error;
  if (solver->attempt_count > 0) {
    thud_solver_attempt *attempt = &solver->attempts[solver->attempt_count - 1];
    attempt->work = (size_t)(thud_auto_iteration_cost(state, family) * solver->iterations);
    if (solver->status == THUD_SOLVER_STALLED && state->watch.reason != NULL) attempt->reason = state->watch.reason;
  }
  solver->iterations_before += solver->iterations;
  solver->iterations = solver->tested_at = 0;
  return THUD_OK;
}

/* ---- all of them --------------------------------------------------------------------------------------------------
 */

static bool is_final(const thud_solver *solver) {
  switch (solver->status) {
  case THUD_SOLVED:
  case THUD_SOLVER_INFEASIBLE:
  case THUD_SOLVER_LIMIT:
  case THUD_SOLVER_TIME:
  case THUD_SOLVER_INTERRUPTED: return true;
  default: return false;
  }
}

static bool is_asymmetric(thud_solver *solver, thud_auto *state) {
  if (state->symmetry_known || need_local(solver, state) != THUD_OK) return state->asymmetric;
  state->asymmetric = state->local->contacts > 0 && thud_matrix_asymmetry(&state->local->W) > SYMMETRIC;
  state->symmetry_known = true;
  return state->asymmetric;
}

static bool gets_a_turn(thud_solver *solver, thud_auto *state, thud_auto_family family, int round) {
  const thud_contact_problem *problem = solver->inner;
  if (!thud_solver_method_takes(method_of(family), problem)) return false;
  switch (family) {
  case THUD_AUTO_LEMKE: return round == 0 && problem->contacts * (problem->dimension == 1 ? 1 : 4) <= LEMKE_UNKNOWNS;
  case THUD_AUTO_ACCELERATED: return !is_asymmetric(solver, state);
  case THUD_AUTO_EXTRAGRADIENT: return round > 0 || has_operator(solver) || is_asymmetric(solver, state);
  default: return true;
  }
}

/* Looks for a proof that there is no solution; where Lemke has said so, for the multipliers. */
static thud_error seek_proof(thud_solver *solver, thud_auto *state) {
  if (has_operator(solver) || !thud_certificate_is_affordable(solver->inner)) return THUD_OK;
  thud_error error = need_local(solver, state);
  if (error == THUD_OK && state->finder == NULL)
    error = thud_certificate_finder_create(solver->context, state->local, &state->finder);
  if (error == THUD_OK) error = thud_certificate_find(state->finder, state->local, &solver->certificate);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error == THUD_OK && solver->certificate.count > 0) solver->status = THUD_SOLVER_INFEASIBLE;
  return THUD_OK;
}

static thud_error climb(thud_solver *solver, thud_auto *state) {
  bool sought = false;
  for (int round = 0; round < ROUNDS; round++) {
    double before = solver->best_residual;
    for (int k = 0; k < THUD_AUTO_FAMILIES; k++) {
      thud_auto_family family = thud_auto_order(state)[k];
      if (!gets_a_turn(solver, state, family, round)) continue;
      thud_error error = take_turn(solver, state, family, round);
      bool suspicious = family == THUD_AUTO_GAUSS_SEIDEL && !is_final(solver) &&
                        (thud_auto_blows_up(state) || solver->status == THUD_SOLVER_BREAKDOWN);
      if (error == THUD_OK && (suspicious || solver->status == THUD_SOLVER_INFEASIBLE) && !sought) {
        error = seek_proof(solver, state);
        sought = true;
      }
      if (error != THUD_OK || is_final(solver)) return error;
    }
    if (!sought) {
      thud_error error = seek_proof(solver, state);
      if (error != THUD_OK || is_final(solver)) return error;
      sought = true;
    }
    if (!(solver->best_residual < ROUND_GAIN * before)) break;
  }
  solver->status = THUD_SOLVER_STALLED;
  return THUD_OK;
}

static thud_error solve(thud_solver *solver) {
  thud_auto *state = solver->state;
  thud_error error = climb(solver, state);
  solver->stopped = true;
  if (error == THUD_OK && solver->status != THUD_SOLVED) error = thud_auto_explain(solver, state);
  return error;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static thud_error create(thud_solver *solver) {
  solver->state = THUD_NEW(solver->context, thud_auto);
  return solver->state != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* The first method is made ready, the others when they get a turn. */
static thud_error update(thud_solver *solver) {
  thud_auto *state = solver->state;
  memset(state->current, 0, sizeof state->current);
  state->local = NULL;
  state->sweep_current = state->symmetry_known = state->asymmetric = false;
  thud_error error = prepare(solver, state, has_operator(solver) ? THUD_AUTO_ACCELERATED : THUD_AUTO_GAUSS_SEIDEL);
  if (error != THUD_OK) return error;
  thud_auto_estimate(solver->inner, state);
  return THUD_OK;
}

static void destroy(thud_solver *solver) {
  thud_auto *state = solver->state;
  for (int k = 0; k < THUD_AUTO_FAMILIES; k++) {
    if (state->states[k] == NULL) continue;
    own_place own = enter(solver, state, (thud_auto_family)k);
    solver->method->destroy(solver);
    leave(solver, state, (thud_auto_family)k, &own);
  }
  thud_certificate_finder_destroy(state->finder);
  thud_local_sweep_destroy(state->sweep);
  thud_owned_problem_destroy(state->local_owned);
  thud_free(solver->context, state);
}

const struct thud_solver_method thud_method_auto = {
    .name = "auto",
    .summary = "the other methods in turn, by counts of work, from the best iterate; proofs that there is no solution",
    .accepts = THUD_METHOD_ACCEPTS_ALL | THUD_ACCEPTS_OPERATOR,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
