/* The front end of velocity problems: life, and which method has its turn. Without friction they are LCPs
 * (velocity_lcp.c). One block alone is solved exactly (velocity_block.c). Several blocks with friction are swept one
 * after the other (nonlinear Gauss-Seidel with exact one-block solves); when that does not reach the tolerance
 * registered methods take over (velocity_contact.c). A method that was asked for gets every problem. */
#include "base/base.h"
#include "solve/solve_velocity.h"

#include <math.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------------------------ */

static thud_error check_laws(thud_context *context, const thud_velocity_problem *largest) {
  for (thud_index k = 0; k < largest->law_count; k++) {
    const thud_velocity_law *law = &largest->laws[k];
    bool fits = law->is_whole      ? law->set == NULL && law->directions >= 1
                : law->set != NULL ? thud_set_dimension(law->set) == law->directions
                                   : law->directions == 1 || law->directions == 2;
    if (!fits)
      return thud_fail(context, THUD_ERROR_DIMENSION,
                       "velocity problem: law %d has %d slip directions: it needs a set of as many dimensions (a disc "
                       "has 1 or 2)",
                       (int)k, (int)law->directions);
  }
  return THUD_OK;
}

static thud_error allocate_rows(thud_velocity_solver *solver, const thud_velocity_problem *largest) {
  thud_context *context = solver->context;
  size_t rows = (size_t)solver->rows, product;
  if (!thud_size_multiply(rows + 1, 9 * (rows + 1), &product))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "velocity problem: too many rows");
  solver->work = THUD_NEW_ARRAY(context, double, 7 * rows + (size_t)solver->equations);
  solver->square = THUD_NEW_ARRAY(context, double, solver->is_sparse ? 0 : 2 * rows * rows);
  solver->best = THUD_NEW_ARRAY(context, double, rows);
  solver->in_set = THUD_NEW_ARRAY(context, bool, rows);
  solver->chosen = THUD_NEW_ARRAY(context, thud_index, rows);
  bool done = solver->work != NULL && solver->square != NULL && solver->best != NULL && solver->in_set != NULL &&
              solver->chosen != NULL;
  if (!done) return THUD_ERROR_MEMORY;
  thud_error error = thud_velocity_allocate_padded(solver, largest);
  if (error == THUD_OK && solver->is_sparse) return thud_velocity_allocate_sparse(solver);
  if (error != THUD_OK || solver->block_count == 0) return error;
  return thud_lemke_create(context, solver->block_count, &solver->lemke);
}

thud_error thud_velocity_solver_create(thud_context *context, const thud_velocity_problem *largest,
                                       const thud_solver_method *method, const thud_solver_options *options,
                                       thud_velocity_solver **solver) {
  THUD_REQUIRE(context, context, largest, solver);
  return thud_velocity_solver_begin(context, false, largest, method, options, solver);
}

thud_error thud_velocity_solver_begin(thud_context *context, bool is_sparse, const thud_velocity_problem *largest,
                                      const thud_solver_method *method, const thud_solver_options *options,
                                      thud_velocity_solver **solver) {
  thud_solver_options chosen;
  thud_error error = thud_options_take(context, thud_solver_option_table(), options, &chosen);
  if (error == THUD_OK) error = check_laws(context, largest);
  if (error != THUD_OK) return error;
  thud_velocity_solver *made = THUD_NEW(context, thud_velocity_solver);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->is_sparse = is_sparse;
  made->method = method;
  made->options = chosen;
  made->rows = largest->rows;
  made->block_count = largest->block_count;
  made->equations = largest->equations.count;
  made->law_count = largest->law_count;
  error = allocate_rows(made, largest);
  if (error == THUD_OK && method != NULL) error = thud_velocity_check_method(made, largest);
  if (error != THUD_OK) {
    thud_velocity_solver_destroy(made);
    return error;
  }
  *solver = made;
  return THUD_OK;
}

void thud_velocity_solver_destroy(thud_velocity_solver *solver) {
  if (solver == NULL) return;
  thud_context *context = solver->context;
  thud_velocity_free_padded(solver);
  thud_velocity_free_sparse(solver);
  thud_lemke_destroy(solver->lemke);
  void *parts[] = {solver->work, solver->square, solver->best, solver->in_set, solver->chosen};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(context, parts[k]);
  thud_free(context, solver);
}

/* ---- sweeps ---------------------------------------------------------------------------------------------------- */

/* Velocities of a block without its own impulses. */
static void block_load(const thud_velocity_problem *problem, const thud_velocity_block *block, const double *r,
                       double *q) {
  thud_index rows = problem->rows, size = block->directions + (block->has_normal ? 1 : 0), end = block->first + size;
  for (thud_index k = 0; k < size; k++) {
    const double *row = problem->W.dense + (ptrdiff_t)(block->first + k) * rows;
    double u = problem->load[block->first + k];
    for (thud_index j = 0; j < block->first; j++) u += row[j] * r[j];
    for (thud_index j = end; j < rows; j++) u += row[j] * r[j];
    q[k] = u;
  }
}

static bool sweep_once(thud_velocity_solver *solver, const thud_velocity_problem *problem, double *r) {
  bool done = true;
  double *q = solver->work + (ptrdiff_t)6 * solver->rows + solver->equations;
  for (thud_index b = 0; b < problem->block_count; b++) {
    const thud_velocity_block *block = &problem->blocks[b];
    block_load(problem, block, r, q);
    if (!thud_velocity_block_solve(solver, problem, block, q, r, r + block->first)) done = false;
  }
  return done;
}

enum { SWEEPS = 100, SWEEPS_ALONE = 2000, SWEEPS_PER_TEST = 4 };

/* Sweeps go on below what is accepted as long as SWEEPS_PER_TEST of them halve the residual, down to this part:
 * contacts that stick shall not creep. */
static const double SWEEPS_BELOW = 1e-4;

/* u of r, and info's residual (in units of velocity) and its place. */
static void measure(thud_velocity_solver *solver, const thud_velocity_problem *problem, const double *r, double *u,
                    thud_velocity_info *info) {
  thud_velocity_apply(problem, r, u);
  info->residual = thud_velocity_natural_map(problem, r, u, solver->work, &info->worst_block);
}

/* True when the residual is within what is accepted; r, u and info are up to date then. */
static bool sweep(thud_velocity_solver *solver, const thud_velocity_problem *problem, int sweeps, double accepted,
                  double *r, double *u, thud_velocity_info *info) {
  double residual = INFINITY;
  for (int k = 1; k <= sweeps; k++) {
    bool done = sweep_once(solver, problem, r);
    if (k % SWEEPS_PER_TEST != 0 && k > 1 && problem->block_count > 1) continue;
    double last = residual;
    measure(solver, problem, r, u, info);
    residual = done ? info->residual : INFINITY;
    if (residual <= SWEEPS_BELOW * accepted || (residual <= accepted && residual > last / 2)) return true;
  }
  return residual <= accepted;
}

/* ---- rank loss -------------------------------------------------------------------------------------------------- */

/* Dependent rows among those that hold as equations: forces may be exchanged between them. */
static bool is_set_valued(thud_velocity_solver *solver, const thud_velocity_problem *problem, double tolerance,
                          const double *r, const double *u) {
  thud_index count = 0;
  bool is_loaded = false;
  for (thud_index i = 0; i < problem->rows; i++) {
    if (fabs(u[i]) <= tolerance) solver->chosen[count++] = i;
    is_loaded = is_loaded || r[i] != 0;
  }
  return is_loaded &&
         !thud_velocity_factor_chosen(problem->rows, problem->W.dense, count, solver->chosen, solver->square);
}

/* Rows that hold as equations without an impulse: only then can an exact LCP answer be one of several. */
static bool has_idle_equations(const thud_velocity_problem *problem, double tolerance, const double *r,
                               const double *u) {
  for (thud_index i = 0; i < problem->rows; i++)
    if (r[i] == 0 && fabs(u[i]) <= tolerance) return true;
  return false;
}

/* ---- the call -------------------------------------------------------------------------------------------------- */

static thud_error solve_frictionless(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                     double tolerance, double *r, double *u, thud_velocity_info *info) {
  thud_error error = thud_velocity_lcp(solver, problem, r, &info->status);
  if (error != THUD_OK) return error;
  measure(solver, problem, r, u, info);
  info->method = "principal pivoting";
  info->set_valued = has_idle_equations(problem, tolerance, r, u) && is_set_valued(solver, problem, tolerance, r, u);
  return THUD_OK;
}

/* Registered methods where the problem is one of contacts; what they reach. */
static thud_error escalate(thud_velocity_solver *solver, const thud_velocity_problem *problem, double accepted,
                           double *r, double *u, thud_velocity_info *info) {
  thud_index dimension;
  const char *strange = thud_velocity_not_contact(problem, &dimension);
  if (strange != NULL && solver->method != NULL) return thud_velocity_check_method(solver, problem);
  if (strange == NULL) {
    thud_error error = thud_velocity_by_methods(solver, problem, dimension, accepted, r, u, info);
    if (error != THUD_OK) return thud_fail_within(solver->context, error, "velocity problem");
  } else if (!sweep(solver, problem, SWEEPS_ALONE, accepted, r, u, info)) {
    info->status = THUD_SOLVER_LIMIT;
  }
  measure(solver, problem, r, u, info);
  if (info->residual <= accepted)
    info->status = THUD_SOLVED;
  else if (info->status == THUD_SOLVED)
    info->status = THUD_SOLVER_STALLED;
  return THUD_OK;
}

static thud_error solve_with_friction(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                      double accepted, double *r, double *u, thud_velocity_info *info) {
  thud_error error = THUD_OK;
  info->method = "sweeps";
  if (solver->method != NULL || !sweep(solver, problem, SWEEPS, accepted, r, u, info))
    error = escalate(solver, problem, accepted, r, u, info);
  if (error == THUD_OK && problem->block_count > 1) info->set_valued = is_set_valued(solver, problem, accepted, r, u);
  return error;
}

static thud_error check_size(const thud_velocity_solver *solver, const thud_velocity_problem *problem) {
  bool fits = problem->rows <= solver->rows && problem->block_count <= solver->block_count &&
              problem->law_count == solver->law_count && problem->equations.count <= solver->equations;
  if (fits && (problem->rows == 0 || problem->W.storage == THUD_MATRIX_DENSE)) return THUD_OK;
  return thud_fail(solver->context, THUD_ERROR_DIMENSION,
                   fits ? "velocity problem: W must be dense"
                        : "velocity problem: larger than the one that the solver was made for");
}

thud_error thud_velocity_solver_solve(thud_velocity_solver *solver, const thud_velocity_problem *problem, double *r,
                                      double *u, thud_velocity_info *info) {
  THUD_REQUIRE_OF(solver, problem, problem->rows == 0 || (r && u));
  thud_velocity_info found = {.status = THUD_SOLVED, .method = "none", .worst_block = -1};
  thud_error error = check_size(solver, problem);
  if (error == THUD_OK && problem->rows > 0) {
    bool has_friction = false;
    for (thud_index b = 0; b < problem->block_count; b++) has_friction = has_friction || problem->blocks[b].law >= 0;
    double scale = thud_velocity_scale(problem, solver->options.tolerance), tolerance = solver->options.tolerance;
    if (has_friction || solver->method != NULL)
      error = solve_with_friction(solver, problem, tolerance * scale, r, u, &found);
    else
      error = solve_frictionless(solver, problem, tolerance * scale, r, u, &found);
    found.residual /= scale;
  }
  if (error == THUD_OK && info != NULL) *info = found;
  return error;
}
