/* Semismooth Newton (see newton.h): after a few sweeps of Gauss-Seidel steps with line search and regularisation; more
 * sweeps where a step is refused, other rho where steps lead nowhere. */
#include "solve/newton.h"

#include <math.h>

/* Sweeps of the first iteration, which find most modes, and after a refused step. */
enum { SWEEPS_FIRST = 3, SWEEPS_REFUSED = 10 };

thud_error thud_newton_method_create(thud_solver *solver) {
  thud_newton *made;
  thud_error error = thud_newton_create(solver->context, solver->inner, &made);
  if (error == THUD_OK) solver->state = made;
  return error;
}

thud_error thud_newton_method_update(thud_solver *solver) { return thud_newton_update(solver->state, solver->inner); }

void thud_newton_method_destroy(thud_solver *solver) { thud_newton_destroy(solver->state); }

void thud_newton_sweep(thud_solver *solver, int count) {
  thud_newton *newton = solver->state;
  const thud_sweep_options options = {.local_solver = THUD_LOCAL_EXACT, .relaxation = 1};
  for (int k = 0; k < count; k++) thud_local_sweep_run(newton->sweep, &options, solver->r, solver->l);
  solver->contact_visits += (size_t)count * newton->contacts;
}

static thud_error solve(thud_solver *solver) {
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

const struct thud_solver_method thud_method_newton = {
    .name = "newton",
    .summary = "semismooth Newton (Alart-Curnier) with line search and regularisation, Gauss-Seidel where it is stuck",
    .accepts = THUD_NEWTON_ACCEPTS,
    .native = THUD_ACCEPTS_LOCAL,
    .takes = thud_newton_takes,
    .create = thud_newton_method_create,
    .update = thud_newton_method_update,
    .solve = solve,
    .destroy = thud_newton_method_destroy,
};
