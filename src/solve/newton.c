/* Semismooth Newton on the function of Alart and Curnier, and the loop that it shares with `fischer-burmeister`. */
#include "solve/newton_space.h"

#include <math.h>

/* Sweeps of the first iteration, which find most modes, and after a refused step. */
enum { SWEEPS_FIRST = 3, SWEEPS_REFUSED = 10 };

thud_error thud_newton_method_create(thud_solver *solver, const thud_newton_function *function) {
  thud_newton *made;
  thud_error error = thud_newton_create(solver->context, function, solver->inner, &made);
  if (error == THUD_OK) solver->state = made;
  return error;
}

thud_error thud_newton_method_update(thud_solver *solver) {
  if (solver->sweep != NULL && solver->inner->form == THUD_FORM_LOCAL)
    thud_newton_share_sweep(solver->state, solver->sweep);
  return thud_newton_update(solver->state, solver->inner);
}

void thud_newton_method_destroy(thud_solver *solver) { thud_newton_destroy(solver->state); }

void thud_newton_sweep(thud_solver *solver, int count) {
  thud_newton *newton = solver->state;
  const thud_gauss_seidel_options options = {.local_solver = THUD_LOCAL_EXACT, .relaxation = 1};
  if (newton->space != NULL) thud_newton_space_sweep(newton->space, count, &options, solver->r);
  for (int k = 0; newton->space == NULL && k < count; k++)
    thud_local_sweep_run(newton->sweep, &options, solver->r, solver->l);
  solver->contact_visits += (size_t)count * newton->contacts;
}

thud_error thud_newton_method_solve(thud_solver *solver) {
  thud_newton *newton = solver->state;
  thud_newton_search search;
  double least = INFINITY; /* merit since rho last changed */
  thud_error error = THUD_OK;
  thud_newton_search_begin(&search);
  while (error == THUD_OK && thud_solver_goes_on(solver)) {
    bool first = solver->iterations == 0;
    bool moved = !first && thud_newton_step(newton, &search, solver->r, solver->l);
    if (!moved) {
      thud_newton_sweep(solver, first ? SWEEPS_FIRST : SWEEPS_REFUSED);
      thud_newton_search_forget(&search);
    }
    solver->iterations++;
    if (!moved || search.merit < least || thud_solver_test_is_due(solver)) error = thud_solver_test(solver);
    if (moved) least = fmin(least, search.merit);
    if (thud_newton_search_watch(newton, &search, solver->best_residual)) least = INFINITY;
  }
  thud_newton_search_end(newton, &search);
  return error;
}

static thud_error create(thud_solver *solver) { return thud_newton_method_create(solver, &thud_newton_alart_curnier); }

const struct thud_solver_method thud_method_newton = {
    .name = "newton",
    .summary = "semismooth Newton (Alart-Curnier) with line search and regularisation, Gauss-Seidel where it is stuck",
    .direct = true,
    .create = create,
    .solve = thud_newton_method_solve,
    THUD_NEWTON_ROW,
};
