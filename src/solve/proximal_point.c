/* Proximal point (Rockafellar, SIAM J. Control Optim. 14, 1976): r^(k+1) solves the problem with W + alpha Lambda in
 * place of W and q - alpha Lambda r^k in place of q, whose matrix is regular whatever the rank of W; its solutions are
 * fixed points for every alpha. Newton (newton.h) solves each of them from r^k. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/* alpha relative to the diagonal of W: lowered after problems solved in FAST_STEPS, raised after those not solved in
 * MOST_STEPS. */
static const double ALPHA_FIRST = 1e-2, ALPHA_LEAST = 1e-10, ALPHA_MOST = 10, ALPHA_FACTOR = 10;
enum { FAST_STEPS = 5, MOST_STEPS = 40 };
/* An alpha that failed is not tried again for this many solved problems. */
enum { CAUTION = 10 };
/* |F| of a problem relative to |F| at its start. */
static const double ACCURACY = 0.1;
enum { SWEEPS_FIRST = 3 };

static void set_anchor(thud_solver *solver, double alpha) {
  thud_newton *newton = solver->state;
  newton->alpha = alpha;
  if (newton->size > 0) memcpy(newton->anchor, solver->r, newton->size * sizeof(double));
  if (newton->rows > 0) memcpy(newton->anchor_l, solver->l, newton->rows * sizeof(double));
}

/* Newton on one of the problems; *steps is how many it took, *solved whether they were enough. */
static thud_error solve_anchored(thud_solver *solver, int *steps, bool *solved) {
  thud_newton *newton = solver->state;
  thud_newton_search search;
  double goal = ACCURACY * ACCURACY * thud_newton_evaluate(newton, solver->r, solver->l);
  thud_error error = THUD_OK;
  *steps = 0;
  *solved = false;
  thud_newton_search_begin(&search);
  search.shift = 0;
  while (error == THUD_OK && !*solved && *steps < MOST_STEPS && thud_solver_goes_on(solver)) {
    if (!thud_newton_step(newton, &search, solver->r, solver->l)) thud_newton_search_forget(&search);
    solver->iterations++;
    (*steps)++;
    *solved = search.merit <= goal;
    if (*solved || thud_solver_test_is_due(solver)) error = thud_solver_test(solver);
    thud_newton_search_watch(newton, &search, search.merit);
  }
  thud_newton_search_end(newton, &search);
  return error;
}

static thud_error solve(thud_solver *solver) {
  thud_newton *newton = solver->state;
  double alpha = ALPHA_FIRST, floor = ALPHA_LEAST;
  int caution = 0;
  thud_error error = THUD_OK;
  if (thud_solver_goes_on(solver)) {
    thud_newton_sweep(solver, SWEEPS_FIRST);
    solver->iterations++;
    error = thud_solver_test(solver);
  }
  while (error == THUD_OK && !solver->stopped) {
    int steps;
    bool solved;
    set_anchor(solver, alpha);
    error = solve_anchored(solver, &steps, &solved);
    if (!solved) {
      alpha = fmin(alpha * ALPHA_FACTOR, ALPHA_MOST);
      floor = alpha;
      caution = CAUTION;
    } else {
      if (caution > 0 && --caution == 0) floor = ALPHA_LEAST;
      if (steps <= FAST_STEPS) alpha = fmax(alpha / ALPHA_FACTOR, floor);
    }
  }
  newton->alpha = 0;
  return error;
}

static thud_error create(thud_solver *solver) { return thud_newton_method_create(solver, &thud_newton_alart_curnier); }

const struct thud_solver_method thud_method_proximal_point = {
    .name = "proximal-point",
    .summary = "proximal point around semismooth Newton: every linear system is regular, also where W is not",
    .create = create,
    .solve = solve,
    THUD_NEWTON_ROW,
};
