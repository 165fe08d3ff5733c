/* Velocity problems with a sparse W, handed to methods of contact problems: Newton's first, whose steps factorise a
 * matrix with the pattern of W, then whatever `auto` takes. Equations stay rows of the problem:
 *
 *   u = W r + V l + load,   0 = V' r + R l,
 *
 * and the free velocity satisfies them already. */
#include "solve/solve_velocity.h"

#include <float.h>
#include <math.h>

/* Rounding errors that a method is not asked to go below, in units of the sizes of the terms of a velocity. */
#define THUD_SPARSE_ROUNDINGS 16

/* ---- room ------------------------------------------------------------------------------------------------------- */

thud_error thud_velocity_allocate_sparse(thud_velocity_solver *solver) {
  thud_velocity_sparse *sparse = &solver->sparse;
  thud_context *context = solver->context;
  sparse->zero = THUD_NEW_ARRAY(context, double, solver->equations);
  sparse->padded_l = THUD_NEW_ARRAY(context, double, solver->equations);
  sparse->best_l = THUD_NEW_ARRAY(context, double, solver->equations);
  sparse->padded = THUD_NEW_ARRAY(context, thud_index, solver->rows);
  bool done = sparse->zero != NULL && sparse->padded_l != NULL && sparse->best_l != NULL && sparse->padded != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_velocity_free_sparse(thud_velocity_solver *solver) {
  thud_velocity_sparse *sparse = &solver->sparse;
  thud_sparse *const matrices[] = {&sparse->W, &sparse->V, &sparse->R};
  for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
    thud_free(solver->context, matrices[k]->column_start);
    thud_free(solver->context, matrices[k]->row);
    thud_free(solver->context, matrices[k]->value);
  }
  thud_free(solver->context, sparse->zero);
  thud_free(solver->context, sparse->padded_l);
  thud_free(solver->context, sparse->best_l);
  thud_free(solver->context, sparse->padded);
}

thud_error thud_velocity_solver_create_sparse(thud_context *context, const thud_velocity_problem *largest,
                                              const thud_solver_options *options, thud_velocity_solver **solver) {
  return thud_velocity_solver_begin(context, true, largest, NULL, options, solver);
}

/* ---- the contact problem ---------------------------------------------------------------------------------------- */

/* Room for so many columns and entries of matrix number k. */
static thud_error reserve(thud_velocity_solver *solver, int k, thud_sparse *matrix, thud_index rows, thud_index columns,
                          size_t entries) {
  thud_velocity_sparse *sparse = &solver->sparse;
  thud_context *context = solver->context;
  thud_error error = thud_array_reserve(context, &matrix->column_start, &sparse->start_capacity[k], (size_t)columns + 1,
                                        sizeof *matrix->column_start);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &matrix->row, &sparse->row_capacity[k], entries + 1, sizeof *matrix->row);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &matrix->value, &sparse->value_capacity[k], entries + 1, sizeof *matrix->value);
  matrix->rows = rows;
  matrix->columns = columns;
  return error;
}

static void put(thud_sparse *matrix, thud_index *count, thud_index row, double value) {
  matrix->row[*count] = row;
  matrix->value[(*count)++] = value;
}

/* Columns of W: those of `all` up to the equations; components without a row get one of the identity. */
static void pad_contacts(thud_velocity_solver *solver, const thud_velocity_problem *problem, thud_index dimension) {
  const thud_sparse *all = solver->sparse.all;
  thud_sparse *W = &solver->sparse.W;
  thud_index count = 0;
  W->column_start[0] = 0;
  for (thud_index j = 0; j < dimension * problem->block_count; j++) {
    thud_index column = thud_velocity_row_of(&problem->blocks[j / dimension], j % dimension);
    if (column < 0) put(W, &count, j, 1);
    for (thud_index e = column < 0 ? 0 : all->column_start[column]; column >= 0 && e < all->column_start[column + 1];
         e++)
      if (all->row[e] < problem->rows) put(W, &count, solver->sparse.padded[all->row[e]], all->value[e]);
    W->column_start[j + 1] = count;
  }
}

/* Columns of the equations: V, and R below. */
static void pad_equations(thud_velocity_solver *solver, const thud_velocity_problem *problem) {
  const thud_sparse *all = solver->sparse.all;
  thud_sparse *V = &solver->sparse.V, *R = &solver->sparse.R;
  thud_index v = 0, r = 0, rows = problem->rows;
  V->column_start[0] = R->column_start[0] = 0;
  for (thud_index b = 0; b < problem->equations.count; b++) {
    for (thud_index e = all->column_start[rows + b]; e < all->column_start[rows + b + 1]; e++)
      if (all->row[e] < rows)
        put(V, &v, solver->sparse.padded[all->row[e]], all->value[e]);
      else
        put(R, &r, all->row[e] - rows, all->value[e]);
    V->column_start[b + 1] = v;
    R->column_start[b + 1] = r;
  }
}

thud_error thud_velocity_pad_sparse(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                    thud_index dimension) {
  thud_velocity_sparse *sparse = &solver->sparse;
  thud_index size = dimension * problem->block_count, equations = problem->equations.count;
  size_t entries = (size_t)sparse->all->column_start[sparse->all->columns];
  thud_error error = reserve(solver, 0, &sparse->W, size, size, entries + (size_t)size);
  if (error == THUD_OK) error = reserve(solver, 1, &sparse->V, size, equations, equations > 0 ? entries : 0);
  if (error == THUD_OK) error = reserve(solver, 2, &sparse->R, equations, equations, equations > 0 ? entries : 0);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < size; i++) {
    thud_index row = thud_velocity_row_of(&problem->blocks[i / dimension], i % dimension);
    if (row >= 0) sparse->padded[row] = i;
  }
  pad_contacts(solver, problem, dimension);
  pad_equations(solver, problem);
  return THUD_OK;
}

/* A part of the tolerance, but not below the rounding errors of W r + load: the sums of long chains have large terms. */
double thud_velocity_aim_sparse(thud_velocity_solver *solver, const thud_velocity_problem *problem, const double *r) {
  double *u = solver->work, *sizes = solver->work + problem->rows, terms = 0, loads = 0;
  thud_velocity_apply_sparse(problem, solver->sparse.all, r, solver->sparse.l, u, sizes);
  for (thud_index i = 0; i < problem->rows; i++) {
    terms += sizes[i] * sizes[i];
    loads += problem->load[i] * problem->load[i];
  }
  double tolerance = solver->options.tolerance, rounding = loads > 0 ? DBL_EPSILON * sqrt(terms / loads) : 0;
  return fmin(tolerance, fmax(THUD_VELOCITY_PART_OF_TOLERANCE * tolerance, THUD_SPARSE_ROUNDINGS * rounding));
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

void thud_velocity_apply_sparse(const thud_velocity_problem *problem, const thud_sparse *all, const double *r,
                                const double *l, double *u, double *sizes) {
  for (thud_index i = 0; i < problem->rows; i++) {
    u[i] = 0;
    if (sizes != NULL) sizes[i] = fabs(problem->load[i]);
  }
  for (thud_index j = 0; j < problem->rows + problem->equations.count; j++) {
    double z = j < problem->rows ? r[j] : l[j - problem->rows];
    for (thud_index e = all->column_start[j]; z != 0 && e < all->column_start[j + 1]; e++) {
      thud_index i = all->row[e];
      if (i >= problem->rows) break; /* rows increase */
      u[i] += all->value[e] * z;
      if (sizes != NULL) sizes[i] += fabs(all->value[e] * z);
    }
  }
  for (thud_index i = 0; i < problem->rows; i++) u[i] += problem->load[i];
}

thud_error thud_velocity_solve_sparse(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                      const thud_sparse *all, double *r, double *l, double *u,
                                      thud_velocity_info *info) {
  thud_index dimension;
  const char *strange = thud_velocity_not_contact(problem, &dimension);
  if (strange != NULL)
    return thud_fail(solver->context, THUD_ERROR_UNSUPPORTED, "velocity problem: sparse matrices do not go with %s",
                     strange);
  double scale = thud_velocity_scale(problem, solver->options.tolerance), accepted = solver->options.tolerance * scale;
  *info = (thud_velocity_info){.status = THUD_SOLVED, .method = "none", .worst_block = -1};
  solver->sparse.all = all;
  solver->sparse.l = l;
  thud_error error = thud_velocity_by_methods(solver, problem, dimension, accepted, r, u, info);
  if (error != THUD_OK) return thud_fail_within(solver->context, error, "velocity problem");
  thud_velocity_apply_sparse(problem, all, r, l, u, NULL);
  info->residual = thud_velocity_natural_map(problem, r, u, solver->work, &info->worst_block);
  if (info->residual <= accepted)
    info->status = THUD_SOLVED;
  else if (info->status == THUD_SOLVED)
    info->status = THUD_SOLVER_STALLED;
  info->residual /= scale;
  return THUD_OK;
}
