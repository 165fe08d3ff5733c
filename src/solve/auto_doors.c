/* What `auto` tries before it sets anything up: most problems of a time step that has a good start, and most small ones,
 * end here. Only the local form as it was given is read: nothing is copied, converted or factorised. */
#include "solve/auto.h"
#include "solve/entries.h"
#include "contact/discs.h"

#include <string.h>

/* Largest dense W, in unknowns, that is swept as it is: beyond that its zeros cost more than setting up. */
enum { DENSE_DOOR = 1024 };

/* ---- one sweep on W as it is stored ------------------------------------------------------------------------------ */

/* u += W_k x, the d columns of contact k times x[d]. */
static void add_columns(const thud_contact_problem *problem, size_t k, const double *x, double *u) {
  size_t d = (size_t)problem->dimension, size = thud_contact_size(problem);
  for (size_t j = 0; j < d; j++) {
    if (x[j] == 0) continue;
    if (problem->W.storage == THUD_MATRIX_DENSE) {
      const double *column = problem->W.dense + (k * d + j) * size;
      for (size_t i = 0; i < size; i++) u[i] += column[i] * x[j];
      continue;
    }
    const thud_sparse *W = &problem->W.sparse;
    for (thud_index p = W->column_start[k * d + j]; p < W->column_start[k * d + j + 1]; p++)
      u[W->row[p]] += W->value[p] * x[j];
  }
}

/* The diagonal block of contact k, column-major. */
static void read_block(const thud_contact_problem *problem, size_t k, double *block) {
  size_t d = (size_t)problem->dimension, size = thud_contact_size(problem);
  if (problem->W.storage == THUD_MATRIX_DENSE) {
    for (size_t j = 0; j < d; j++)
      memcpy(block + j * d, problem->W.dense + (k * d + j) * size + k * d, d * sizeof *block);
    return;
  }
  const thud_sparse *W = &problem->W.sparse;
  memset(block, 0, d * d * sizeof *block);
  for (size_t j = 0; j < d; j++)
    for (thud_index p = W->column_start[k * d + j]; p < W->column_start[k * d + j + 1]; p++)
      if ((size_t)W->row[p] / d == k) block[j * d + (size_t)W->row[p] % d] = W->value[p];
}

/* Block rows: u_k = q_k + the row times r, and the diagonal block. */
static void read_block_row(const thud_contact_problem *problem, size_t k, const double *r, double *u, double *block) {
  const thud_bsr *W = &problem->W.blocks;
  size_t d = (size_t)problem->dimension;
  memset(block, 0, d * d * sizeof *block);
  memcpy(u, problem->q + k * d, d * sizeof *u);
  for (thud_index p = W->row_start[k]; p < W->row_start[k + 1]; p++) {
    size_t column = (size_t)W->block_column[p];
    const double *values = W->values + (size_t)p * d * d, *x = r + column * d;
    if (column == k) memcpy(block, values, d * d * sizeof *block);
    if (x[0] == 0) continue; /* an open contact: the other components are 0 too */
    for (size_t j = 0; j < d; j++)
      for (size_t i = 0; i < d; i++) u[i] += values[j * d + i] * x[j];
  }
}

/* One contact: u[d] are its velocities with its present impulse r[d]. False when it has no solution by itself. */
static bool solve_contact(const thud_contact_discs *discs, size_t k, const double *block, const double *u, double *r) {
  size_t d = (size_t)discs->layout->dimension;
  double mu[THUD_CONTACT_DISCS_MAX], load[THUD_CONTACT_DIMENSION_MAX];
  for (size_t i = 0; i < d; i++) {
    load[i] = u[i];
    for (size_t j = 0; j < d; j++) load[i] -= block[j * d + i] * r[j];
  }
  thud_contact_discs_at(discs, k, mu);
  thud_one_contact contact = {.layout = discs->layout, .W = block, .mu = mu, .law = thud_contact_discs_law(discs, k)};
  return thud_one_contact_solve(&contact, THUD_LOCAL_EXACT, load, r) != THUD_MODE_NONE;
}

/* Every contact once, in the order given, on solver->r; u[size] is scratch. False when one has no solution. */
static bool sweep_once(const thud_contact_problem *problem, double *r, double *u) {
  size_t d = (size_t)problem->dimension, contacts = (size_t)problem->contacts;
  thud_contact_discs discs = thud_contact_discs_of(problem);
  bool by_rows = problem->W.storage == THUD_MATRIX_BLOCKS;
  if (!by_rows) {
    memcpy(u, problem->q, contacts * d * sizeof *u);
    for (size_t k = 0; k < contacts; k++) add_columns(problem, k, r + k * d, u);
  }
  for (size_t k = 0; k < contacts; k++) {
    double block[THUD_CONTACT_DIMENSION_MAX * THUD_CONTACT_DIMENSION_MAX], *own = r + k * d;
    double change[THUD_CONTACT_DIMENSION_MAX];
    if (by_rows) read_block_row(problem, k, r, u + k * d, block);
    if (own[0] == 0 && u[k * d] >= 0) continue; /* open, and it stays so */
    if (!by_rows) read_block(problem, k, block);
    memcpy(change, own, d * sizeof *change);
    if (!solve_contact(&discs, k, block, u + k * d, own)) return false;
    for (size_t i = 0; i < d; i++) change[i] = own[i] - change[i];
    if (!by_rows) add_columns(problem, k, change, u);
  }
  return true;
}

/* ---- doors --------------------------------------------------------------------------------------------------------- */

static bool can_sweep(const thud_contact_problem *problem) {
  if (problem->form != THUD_FORM_LOCAL || problem->bilateral > 0 || problem->contacts == 0) return false;
  if (problem->W.storage == THUD_MATRIX_OPERATOR) return false;
  return problem->W.storage != THUD_MATRIX_DENSE || thud_contact_size(problem) <= DENSE_DOOR;
}

/* Tests what a door has put into solver->r; an iterate that overflowed is no reason to end here. */
static thud_error test_door(thud_solver *solver, const thud_solver_method *method) {
  const thud_solver_method *own = solver->method;
  solver->method = method; /* that the answer is credited to */
  solver->iterations++;
  thud_error error = thud_solver_test(solver);
  bool solved = solver->stopped && solver->status == THUD_SOLVED;
  if (error == THUD_OK) error = thud_solver_end_turn(solver);
  solver->method = own;
  if (error != THUD_OK || solved) return error;
  solver->attempts[solver->attempt_count - 1].status = THUD_SOLVER_STALLED;
  solver->attempts[solver->attempt_count - 1].reason = "not solved at once";
  solver->stopped = false;
  solver->iterations_before += solver->iterations; /* what comes next counts anew */
  solver->iterations = solver->tested_at = 0;
  return THUD_OK;
}

static thud_error try_sweep(thud_solver *solver) {
  if (!sweep_once(solver->inner, solver->r, solver->changed)) return THUD_OK;
  solver->contact_visits += (size_t)solver->inner->contacts;
  return test_door(solver, &thud_method_gauss_seidel);
}

static thud_error try_two_planes(thud_solver *solver) {
  const thud_contact_problem *problem = solver->inner;
  double W[16];
  if (problem->contacts != 2 || problem->dimension != 2 || problem->laws != NULL) return THUD_OK;
  thud_matrix_copy_dense(&problem->W, 4, W);
  if (!thud_two_planes_solve(W, problem->mu, problem->q, solver->r)) return THUD_OK;
  return test_door(solver, solver->method);
}

thud_error thud_auto_try_doors(thud_solver *solver) {
  if (!can_sweep(solver->inner) || !thud_solver_goes_on(solver)) return THUD_OK;
  thud_error error = try_sweep(solver);
  return error == THUD_OK && !solver->stopped ? try_two_planes(solver) : error;
}
