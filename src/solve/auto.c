/* `auto`: first what costs next to nothing, then the methods in a contest of counted work (auto_contest.c), each from the
 * best iterate so far, until the tolerance is met, a proof says that there is no solution, or a whole round of methods
 * has brought nothing. docs/methods/auto.md has the rules.
 *
 * The methods run on auto's own thud_solver: method, state, inner problem and evaluator are exchanged for the time of a
 * turn, while iterate, best iterate, history, limits and progress stay. Forms and methods are made when they are first
 * needed and are kept; the block rows of W are shared by all methods. */
#include "solve/auto.h"
#include "contact/contact_check.h"
#include "contact/evaluator.h"
#include "solve/newton_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const thud_solver_method *method_of(thud_auto_family family) {
  static const thud_solver_method *const methods[THUD_AUTO_FAMILIES] = {
      [THUD_AUTO_ANDERSON] = &thud_method_anderson,
      [THUD_AUTO_NEWTON] = &thud_method_newton,
      [THUD_AUTO_LEMKE] = &thud_method_lemke,
      [THUD_AUTO_ACCELERATED] = &thud_method_accelerated,
      [THUD_AUTO_FISCHER_BURMEISTER] = &thud_method_fischer_burmeister,
      [THUD_AUTO_INTERIOR_POINT] = &thud_method_interior_point,
      [THUD_AUTO_PROXIMAL_POINT] = &thud_method_proximal_point,
      [THUD_AUTO_ADMM] = &thud_method_admm,
      [THUD_AUTO_EXTRAGRADIENT] = &thud_method_extragradient,
      [THUD_AUTO_NEWTON_KRYLOV] = &thud_method_newton_krylov,
  };
  return methods[family];
}

/* Families with the same functions to make a state share it. */
static thud_auto_family state_owner(thud_auto_family family) {
  return family == THUD_AUTO_PROXIMAL_POINT ? THUD_AUTO_NEWTON : family;
}

/* A round of all methods that has not lowered the best residual to this part is the last, from the second on. */
static const double ROUND_GAIN = 0.5;
/* Turns without a solution after which a proof that there is none is looked for. */
enum { MANY_TURNS = 8 };
/* Largest LCP that Lemke is asked for. */
enum { LEMKE_UNKNOWNS = 400 };
/* Relative asymmetry of W up to which it counts as symmetric. */
static const double SYMMETRIC = 1e-6;

/* ---- forms ------------------------------------------------------------------------------------------------------ */

static bool has_operator(const thud_solver *solver) {
  return solver->inner->form == THUD_FORM_LOCAL && solver->inner->W.storage == THUD_MATRIX_OPERATOR;
}

/* The local form, by blocks where it is not given as it should be. */
static thud_error need_local(thud_solver *solver, thud_auto *state) {
  if (state->local != NULL) return THUD_OK;
  bool is_local = solver->inner->form == THUD_FORM_LOCAL;
  if (is_local && !thud_solver_is_mostly_zero(solver->inner)) {
    state->local = solver->inner;
    return THUD_OK;
  }
  thud_owned_problem *made = NULL;
  thud_error error = thud_contact_to_local_by(solver->context, solver->inner, solver->evaluator,
                                              is_local ? THUD_MATRIX_BLOCKS : THUD_MATRIX_NONE, &made);
  if (error != THUD_OK) return error;
  thud_owned_problem_destroy(state->local_owned);
  state->local_owned = made;
  state->local = thud_owned_problem_view(made);
  return THUD_OK;
}

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

/* Tests on the local form by blocks cost less than those on the problem that it was made of, unless that has bodies. */
static thud_error need_tests(thud_solver *solver, thud_auto *state) {
  if (state->tests_current || state->local == NULL || state->local == solver->inner ||
      solver->inner->form == THUD_FORM_TWO_BLOCK)
    return THUD_OK;
  thud_error error = state->tests != NULL ? thud_contact_evaluator_update(state->tests, state->local)
                                          : thud_contact_evaluator_create(solver->context, state->local, &state->tests);
  state->tests_current = error == THUD_OK;
  return error;
}

/* ---- one method ------------------------------------------------------------------------------------------------- */

/* What is exchanged for the time of a turn. */
typedef struct own_place {
  const thud_solver_method *method;
  void *state;
  const thud_contact_problem *inner;
  thud_contact_evaluator *evaluator;
} own_place;

/* Does the method work on the inner problem itself, where that is not local? */
static bool sees_inner(const thud_solver *solver, const thud_auto *state, thud_auto_family family) {
  if (solver->inner->form == THUD_FORM_LOCAL) return false;
  if (method_of(family)->sees != NULL) return state->in_bodies;
  return thud_solver_method_sees(method_of(family), solver->inner);
}

static own_place enter(thud_solver *solver, thud_auto *state, thud_auto_family family) {
  own_place own = {solver->method, solver->state, solver->inner, solver->evaluator};
  bool inner = sees_inner(solver, state, family);
  solver->method = method_of(family);
  solver->state = state->states[state_owner(family)];
  if (!inner && state->local != NULL) solver->inner = state->local;
  if (!inner && state->tests_current) solver->evaluator = state->tests;
  solver->sweep = inner ? NULL : state->sweep;
  return own;
}

static void leave(thud_solver *solver, thud_auto *state, thud_auto_family family, const own_place *own) {
  state->states[state_owner(family)] = solver->state;
  solver->method = own->method;
  solver->state = own->state;
  solver->inner = own->inner;
  if (solver->evaluator != own->evaluator) solver->u_is_best = false;
  solver->evaluator = own->evaluator;
  solver->sweep = NULL;
  solver->leaves = NULL;
}

/* Forms, state and numbers of a method. */
static thud_error prepare(thud_solver *solver, thud_auto *state, thud_auto_family family) {
  thud_auto_family owner = state_owner(family);
  if (state->current[owner]) return THUD_OK;
  thud_error error = THUD_OK;
  if (!sees_inner(solver, state, family)) {
    error = need_sweep(solver, state);
    if (error == THUD_OK) error = need_tests(solver, state);
  }
  if (error != THUD_OK) return error;
  own_place own = enter(solver, state, family);
  if (solver->state == NULL) error = solver->method->create(solver);
  if (error == THUD_OK) error = solver->method->update(solver);
  leave(solver, state, family, &own);
  state->current[owner] = error == THUD_OK;
  return error;
}

/* Relative asymmetry of W, or of the masses that it is made of. */
static double asymmetry_of(thud_solver *solver) {
  const thud_contact_problem *inner = solver->inner;
  thud_contact_diagnosis found = {0};
  if (inner->form == THUD_FORM_GLOBAL) return thud_matrix_asymmetry(&inner->M);
  if (inner->form == THUD_FORM_LOCAL) return inner->contacts > 0 ? thud_matrix_asymmetry(&inner->W) : 0;
  return thud_contact_validate(solver->context, inner, &found) == THUD_OK ? found.asymmetry : 0;
}

/* accelerated needs a symmetric W: asked when a turn ends for the first time, before the next one is chosen. */
static void exclude_by_asymmetry(thud_solver *solver, thud_auto *state) {
  if (state->symmetry_known) return;
  state->symmetry_known = true;
  if (asymmetry_of(solver) > SYMMETRIC) state->contenders[THUD_AUTO_ACCELERATED].takes_part = false;
}

static bool leaves_now(thud_solver *solver) {
  thud_auto *state = solver->leaves_user;
  if (!thud_auto_turn_is_over(solver, state)) return false;
  exclude_by_asymmetry(solver, state);
  return thud_auto_leaves(solver, state);
}

/* Methods that are flat until they finish begin where the solve began, in every other turn only from the best iterate:
 * what sweeps have brought is often a corner that Newton's method does not leave. */
static bool begins_anew(const thud_auto *state, thud_auto_family family) {
  return state->contenders[family].turns % 2 == 0 && !thud_auto_has_rate(family);
}

static void begin_turn(thud_solver *solver, const thud_auto *state, bool anew) {
  if (solver->size > 0) memcpy(solver->r, anew ? state->start_r : solver->best_r, solver->size * sizeof(double));
  if (solver->rows > 0)
    memcpy(solver->l, anew ? state->start_r + solver->size : solver->best_l, solver->rows * sizeof(double));
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

/* Work and reason of the turn that has just ended. */
static void note_turn(thud_solver *solver, const thud_auto *state, thud_auto_family family) {
  if (solver->attempt_count == 0) return;
  const thud_auto_contender *it = &state->contenders[family];
  thud_solver_attempt *attempt = &solver->attempts[solver->attempt_count - 1];
  attempt->work = (size_t)(it->cost.step * solver->iterations + (it->turns == 0 ? it->cost.setup : 0));
  if (solver->status == THUD_SOLVER_STALLED && state->watch.reason != NULL) attempt->reason = state->watch.reason;
}

/* A set-up that was stopped: the verdict is that of the limit or interrupt which did so. */
static thud_error end_if_stopped(thud_solver *solver, thud_error error) {
  return error == THUD_ERROR_INTERRUPTED && !thud_solver_goes_on(solver) ? THUD_OK : error;
}

/* Makes a method ready. One that cannot be set up (a singular matrix, ...) is passed over. */
static thud_error make_ready(thud_solver *solver, thud_auto *state, thud_auto_family family, bool *ready) {
  thud_error error = prepare(solver, state, family);
  *ready = error == THUD_OK;
  if (*ready) return THUD_OK;
  if (error == THUD_ERROR_MEMORY || error == THUD_ERROR_INTERRUPTED) return end_if_stopped(solver, error);
  note_failed_start(solver, family);
  solver->status = THUD_SOLVER_STALLED;
  return THUD_OK;
}

static thud_error run_turn(thud_solver *solver, thud_auto *state, thud_auto_family family, bool anew,
                           bool (*leaves)(thud_solver *)) {
  begin_turn(solver, state, anew);
  own_place own = enter(solver, state, family);
  solver->leaves = leaves;
  solver->leaves_user = state;
  thud_error error = solver->method->solve(solver);
  if (error == THUD_OK && solver->status == THUD_SOLVER_INFEASIBLE) /* what Lemke says of its ray */
    snprintf(solver->why, sizeof solver->why, "%s", thud_context_last_message(solver->context));
  if (error == THUD_OK) error = thud_solver_end_turn(solver);
  leave(solver, state, family, &own);
  return error;
}

static void look_again(const thud_solver *solver, thud_auto *state) {
  state->watch.looked = solver->best_residual;
  state->watch.looked_at = solver->iterations;
}

/* Sweeps go on while the rate of late says that they need no more than the turn was long. */
static bool leaves_at_most(thud_solver *solver) {
  thud_auto *state = solver->leaves_user;
  int done = solver->iterations;
  if (2 * (done - state->watch.looked_at) == state->length && 2 * done == state->most) look_again(solver, state);
  if (done < state->most) return false;
  if (!thud_auto_has_rate(state->watch.family)) return true;
  if (!(thud_auto_steps_ahead(solver, &state->watch) <= state->length)) return true;
  look_again(solver, state);
  state->most += (state->length + 1) / 2;
  return false;
}

/* One method has its turn. */
static thud_error take_turn(thud_solver *solver, thud_auto *state, thud_auto_family family) {
  bool ready;
  thud_error error = make_ready(solver, state, family, &ready);
  if (!ready) state->contenders[family].takes_part = false;
  if (!ready || error != THUD_OK) return error;
  state->contenders[family].is_ready = true;
  thud_auto_watch_begin(solver, state, family);
  error = run_turn(solver, state, family, begins_anew(state, family), leaves_now);
  if (error != THUD_OK) return error;
  note_turn(solver, state, family);
  thud_auto_contest_note(solver, state, family);
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

static bool takes_part(const thud_solver *solver, thud_auto_family family) {
  const thud_contact_problem *problem = solver->inner;
  if (!thud_solver_method_takes(method_of(family), problem)) return false;
  if (family == THUD_AUTO_LEMKE) return problem->contacts * (problem->dimension == 1 ? 1 : 4) <= LEMKE_UNKNOWNS;
  return true;
}

double thud_auto_newton_work(thud_solver *solver, thud_auto *state) {
  static const double MULTIPLICATION = 0.35, CONTACT = 300; /* of a factorisation, and beside it */
  if (prepare(solver, state, THUD_AUTO_NEWTON) != THUD_OK) return 0;
  const thud_newton *newton = state->states[THUD_AUTO_NEWTON];
  if (newton->space == NULL) return 0;
  return MULTIPLICATION * thud_newton_space_work(newton->space) + CONTACT * (double)solver->inner->contacts;
}

thud_error thud_auto_run_some(thud_solver *solver, thud_auto *state, thud_auto_family family, int most) {
  bool ready = false;
  if (!thud_solver_method_takes(method_of(family), solver->inner)) return THUD_OK;
  thud_error error = make_ready(solver, state, family, &ready);
  if (!ready || error != THUD_OK) return error;
  state->most = state->length = most;
  thud_auto_watch_begin(solver, state, family);
  error = run_turn(solver, state, family, false, leaves_at_most);
  if (error != THUD_OK) return error;
  if (solver->iterations >= state->most && solver->status == THUD_SOLVER_STALLED && solver->attempt_count > 0)
    solver->attempts[solver->attempt_count - 1].reason = "its share of the work is used up";
  solver->iterations_before += solver->iterations; /* what comes next counts anew */
  solver->iterations = solver->tested_at = 0;
  solver->stopped = is_final(solver);
  return THUD_OK;
}

/* What an earlier solve has set up counts as not there: the same problem takes the same way. */
static thud_error begin_contest(thud_solver *solver, thud_auto *state) {
  thud_error error = solver->inner->form == THUD_FORM_LOCAL ? need_local(solver, state) : THUD_OK;
  if (error != THUD_OK) return error;
  thud_auto_estimate(solver, state);
  for (int k = 0; k < THUD_AUTO_FAMILIES; k++)
    state->contenders[k].takes_part = takes_part(solver, (thud_auto_family)k);
  state->symmetry_known = false;
  thud_auto_contest_begin(state);
  return THUD_OK;
}

/* Looks for a proof that there is no solution; where Lemke has said so, for the multipliers. */
static thud_error seek_proof(thud_solver *solver, thud_auto *state) {
  if (has_operator(solver) || !thud_certificate_is_affordable(solver->inner)) return THUD_OK;
  thud_error error = need_local(solver, state);
  if (error == THUD_OK && state->finder == NULL)
    error = thud_certificate_finder_create(solver->context, state->local, &state->finder);
  if (error == THUD_OK)
    error = thud_certificate_find(state->finder, state->local, solver->options.tolerance, &solver->certificate);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error == THUD_OK && solver->certificate.count > 0) solver->status = THUD_SOLVER_INFEASIBLE;
  return is_final(solver) ? THUD_OK : thud_certificate_blame_rows(solver, &solver->best_found);
}

/* Whether the last turn, or the number of turns, makes one suspect that there is no solution. */
static bool is_suspicious(const thud_solver *solver, const thud_auto *state, thud_auto_family family) {
  if (solver->status == THUD_SOLVER_INFEASIBLE) return true;
  if (!is_final(solver) && solver->attempt_count >= MANY_TURNS) return true;
  return family == THUD_AUTO_ANDERSON && !is_final(solver) &&
         (thud_auto_blows_up(state) || solver->status == THUD_SOLVER_BREAKDOWN);
}

/* The contest; rounds are turns that every method has had. */
static thud_error contest(thud_solver *solver, thud_auto *state) {
  thud_error error = begin_contest(solver, state);
  if (error != THUD_OK) return end_if_stopped(solver, error);
  double before = solver->best_residual;
  bool sought = false;
  int rounds = 0;
  thud_auto_family family;
  while (error == THUD_OK && thud_auto_contest_next(state, &family)) {
    error = take_turn(solver, state, family);
    if (error != THUD_OK) break;
    bool round_ended = thud_auto_contest_rounds(state) > rounds;
    if (!sought && is_suspicious(solver, state, family)) {
      sought = true;
      error = seek_proof(solver, state);
    }
    if (error != THUD_OK || is_final(solver)) return error;
    if (!round_ended) continue;
    if (rounds++ > 0 && !(solver->best_residual < ROUND_GAIN * before)) break;
    before = solver->best_residual;
  }
  solver->status = THUD_SOLVER_STALLED;
  return error == THUD_OK && !sought ? seek_proof(solver, state) : error;
}

static thud_error solve(thud_solver *solver) {
  thud_auto *state = solver->state;
  if (solver->size > 0) memcpy(state->start_r, solver->r, solver->size * sizeof(double));
  if (solver->rows > 0) memcpy(state->start_r + solver->size, solver->l, solver->rows * sizeof(double));
  thud_error error = thud_auto_try_doors(solver);
  if (error == THUD_OK && !solver->stopped) error = thud_auto_try_bodies(solver, state);
  if (error == THUD_OK && !solver->stopped) error = contest(solver, state);
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

static thud_error make_state(thud_solver *solver, thud_auto *state, thud_auto_family family) {
  if (state->states[state_owner(family)] != NULL) return THUD_OK;
  own_place own = enter(solver, state, family);
  thud_error error = solver->method->create(solver);
  leave(solver, state, family, &own);
  return error;
}

/* Room for what nearly every solve needs: updates allocate it, not solves. */
static thud_error make_room(thud_solver *solver, thud_auto *state) {
  thud_context *context = solver->context;
  const thud_contact_problem *inner = solver->inner;
  thud_error error =
      thud_array_reserve(context, &state->start_r, &state->start_capacity, solver->size + solver->rows, sizeof(double));
  size_t bodies = inner->form == THUD_FORM_TWO_BLOCK ? (size_t)inner->two_block.bodies : 0;
  if (error == THUD_OK)
    error = thud_array_reserve(context, &state->degree, &state->degree_capacity, bodies, sizeof *state->degree);
  if (error != THUD_OK || inner->form == THUD_FORM_GLOBAL || has_operator(solver)) return error;
  if (inner->form == THUD_FORM_TWO_BLOCK) return make_state(solver, state, THUD_AUTO_ACCELERATED);
  if (state->sweep == NULL) error = thud_local_sweep_create(context, inner, &state->sweep);
  if (error == THUD_OK) error = thud_local_sweep_reserve(state->sweep, inner);
  return error == THUD_OK ? make_state(solver, state, THUD_AUTO_ANDERSON) : error;
}

/* States of methods that see another form than before are made anew. */
static void choose_forms(thud_solver *solver, thud_auto *state) {
  bool in_bodies = solver->inner->form == THUD_FORM_TWO_BLOCK && thud_newton_sees(solver->inner);
  for (int k = 0; in_bodies != state->in_bodies && k < THUD_AUTO_FAMILIES; k++) {
    if (state->states[k] == NULL || method_of((thud_auto_family)k)->sees == NULL) continue;
    own_place own = enter(solver, state, (thud_auto_family)k);
    solver->method->destroy(solver);
    solver->state = NULL;
    leave(solver, state, (thud_auto_family)k, &own);
  }
  state->in_bodies = in_bodies;
}

/* Whatever depends on the numbers is made when it is first needed, but sweeps over bodies, which nothing goes without. */
static thud_error update(thud_solver *solver) {
  thud_auto *state = solver->state;
  memset(state->current, 0, sizeof state->current);
  state->local = NULL;
  state->sweep_current = state->tests_current = false;
  choose_forms(solver, state);
  thud_error error = make_room(solver, state);
  if (error != THUD_OK || solver->inner->form != THUD_FORM_TWO_BLOCK) return error;
  return prepare(solver, state, THUD_AUTO_ANDERSON);
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
  thud_contact_evaluator_destroy(state->tests);
  thud_owned_problem_destroy(state->local_owned);
  thud_free(solver->context, state->degree);
  thud_free(solver->context, state->start_r);
  thud_free(solver->context, state);
}

const struct thud_solver_method thud_method_auto = {
    .name = "auto",
    .summary = "the other methods in turn, by counts of work, from the best iterate; proofs that there is no solution",
    .accepts = THUD_METHOD_ACCEPTS_ALL | THUD_ACCEPTS_OPERATOR,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK | THUD_ACCEPTS_GLOBAL,
    .makes_forms = true,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
