/* What `auto` says of a problem that it has not solved: the contacts that are wrong, how, and what is known of W. */
#include "solve/auto.h"
#include "contact/discs.h"
#include "solve/entries.h"

#include <math.h>
#include <string.h>

/* Largest W whose eigenvalues are looked at, and the part of the largest that counts as 0. */
enum { EIGEN_MAX = 600 };
static const double RANK_TOLERANCE = 1e-12;

/* |r - proj_K(r - u~)| of one contact; NAN where a law fails. */
static double part_of(const thud_contact_problem *problem, thud_index k, const double *r, const double *u) {
  size_t d = (size_t)problem->dimension;
  double x[THUD_CONTACT_DIMENSION_MAX], shift, sum = 0;
  if (thud_contact_shift(problem, k, u, &shift) != THUD_OK) return NAN;
  for (size_t i = 0; i < d; i++) x[i] = r[i] - u[i] - (i == 0 ? shift : 0);
  if (thud_contact_project_cone(problem, k, x, x) != THUD_OK) return NAN;
  for (size_t i = 0; i < d; i++) sum += (r[i] - x[i]) * (r[i] - x[i]);
  return sqrt(sum);
}

/* The contacts with the largest parts, worst first. */
static void find_worst(thud_solver *solver, const double *u) {
  size_t d = (size_t)solver->inner->dimension;
  double parts[THUD_SOLVER_WORST] = {0};
  solver->worst_count = 0;
  for (thud_index k = 0; k < solver->inner->contacts; k++) {
    double part = part_of(solver->inner, k, solver->best_r + (size_t)k * d, u + (size_t)k * d);
    int at = solver->worst_count;
    while (at > 0 && part > parts[at - 1]) at--;
    if (!(part > 0) || at >= THUD_SOLVER_WORST) continue;
    int last = solver->worst_count < THUD_SOLVER_WORST ? solver->worst_count++ : THUD_SOLVER_WORST - 1;
    for (int i = last; i > at; i--) {
      parts[i] = parts[i - 1];
      solver->worst[i] = solver->worst[i - 1];
    }
    parts[at] = part;
    solver->worst[at] = k;
  }
}

static void name_worst(thud_solver *solver) {
  if (solver->worst_count == 0) return;
  thud_solver_say(solver, ", worst at contact%s", solver->worst_count > 1 ? "s" : "");
  for (int k = 0; k < solver->worst_count; k++)
    thud_solver_say(solver, "%s %d", k > 0 ? "," : "", (int)solver->worst[k]);
}

/* Rank and condition of the symmetric part of W. */
static thud_error describe_matrix(thud_solver *solver, const thud_contact_problem *local) {
  size_t n = solver->size, rank = 0;
  if (n == 0 || n > EIGEN_MAX || local->W.storage == THUD_MATRIX_OPERATOR) return THUD_OK;
  thud_context *context = solver->context;
  double *W = THUD_NEW_ARRAY(context, double, n *n), *values = THUD_NEW_ARRAY(context, double, n);
  thud_error error = W == NULL || values == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) {
    thud_matrix_copy_dense(&local->W, n, W);
    for (size_t j = 0; j < n; j++)
      for (size_t i = j; i < n; i++) W[j * n + i] = (W[j * n + i] + W[i * n + j]) / 2;
    error = thud_dense_eigen_symmetric(context, (thud_index)n, W, values, NULL);
  }
  if (error == THUD_OK) {
    double largest = fmax(fabs(values[0]), fabs(values[n - 1])), smallest = INFINITY;
    for (size_t i = 0; i < n; i++)
      if (fabs(values[i]) > RANK_TOLERANCE * largest) {
        rank++;
        smallest = fmin(smallest, fabs(values[i]));
      }
    if (values[0] < -RANK_TOLERANCE * largest) thud_solver_say(solver, "; W is not positive semidefinite");
    thud_solver_say(solver, "; W has rank %zu of %zu", rank, n);
    if (rank > 0) thud_solver_say(solver, " and condition %.1e on its range", largest / smallest);
  }
  thud_free(context, W);
  thud_free(context, values);
  return error == THUD_ERROR_MEMORY ? error : THUD_OK;
}

static void describe_proof(thud_solver *solver) {
  const thud_solver_certificate *proof = &solver->certificate;
  if (proof->count == 0) return; /* what Lemke said of its ray is there */
  solver->why[0] = '\0';
  thud_solver_say(solver, "no velocity is admissible (proved): the non-penetration of contact%s",
                  proof->count > 1 ? "s" : "");
  for (size_t k = 0; k < proof->count && k < THUD_SOLVER_WORST; k++)
    thud_solver_say(solver, "%s %d (weight %.3g)", k > 0 ? "," : "", (int)proof->contacts[k], proof->multipliers[k]);
  if (proof->count > THUD_SOLVER_WORST) thud_solver_say(solver, " and %zu more", proof->count - THUD_SOLVER_WORST);
  if (proof->count > 1)
    thud_solver_say(solver,
                    " contradict each other: no impulse changes the weighted sum of their velocities, which is %.3g",
                    proof->value);
  else
    thud_solver_say(solver, " is out of reach: no impulse changes its velocity, which is %.3g", proof->value);
}

static const char *stop_words(thud_solver_status status) {
  switch (status) {
  case THUD_SOLVER_LIMIT: return "the iteration limit";
  case THUD_SOLVER_TIME: return "the time limit";
  case THUD_SOLVER_INTERRUPTED: return "an interrupt";
  default: return NULL;
  }
}

thud_error thud_auto_explain(thud_solver *solver, thud_auto *state) {
  const double *l = solver->rows > 0 ? solver->best_l : NULL;
  thud_contact_residual residual;
  thud_error error = thud_contact_evaluator_evaluate(solver->evaluator, solver->best_r, NULL, l, solver->u, &residual);
  if (error != THUD_OK) return error;
  solver->u_is_best = true;
  solver->best_found = residual;
  find_worst(solver, solver->u);
  if (solver->status == THUD_SOLVER_INFEASIBLE) {
    describe_proof(solver);
    return THUD_OK;
  }
  const char *stop = stop_words(solver->status);
  thud_solver_say(solver, "stopped by %s at residual %.2e", stop != NULL ? stop : "a round of methods without progress",
                  residual.residual);
  name_worst(solver);
  if (stop == NULL && state->local != NULL) error = describe_matrix(solver, state->local);
  return error;
}
