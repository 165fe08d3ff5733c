/* Velocity problems: handed to a solver of contact problems. All contacts get the same number of components: a
 * contact with fewer is filled up with rows of the identity and mu = 0, and a law by itself gets a normal row with
 * W_NN = 1, q_N = -threshold that nothing else touches, so that its normal impulse is the threshold. */
#include "model/percussion.h"

#include <math.h>
#include <string.h>

/* Only what the contact layer has: at most two slip directions, one law per normal row, no thresholds from equations,
 * sets of full dimension. */
static bool is_contact_problem(const thud_percussion *p, thud_index *dimension) {
  thud_index most = 0;
  for (thud_index b = 0; b < p->block_count; b++)
    if (p->blocks[b].directions > most) most = p->blocks[b].directions;
  for (thud_index b = 0; b < p->block_count; b++) {
    const thud_velocity_block *block = &p->blocks[b];
    if (block->tied_row >= 0 || block->tied_bilateral >= 0) return false;
    if (block->law >= 0 && p->laws[block->law].set != NULL && block->directions != most) return false;
  }
  *dimension = 1 + most;
  return most >= 1 && most <= 2;
}

/* Row of the velocity problem behind component c of a block, -1: filled up. */
static thud_index row_of(const thud_velocity_block *block, thud_index c) {
  if (block->has_normal) return c <= block->directions ? block->first + c : -1;
  return c >= 1 && c <= block->directions ? block->first + c - 1 : -1;
}

static void fill(thud_percussion *p, thud_index dimension) {
  thud_index size = dimension * p->block_count;
  for (thud_index b = 0; b < p->block_count; b++)
    for (thud_index c = 0; c < dimension; c++) {
      const thud_velocity_block *block = &p->blocks[b];
      thud_index i = b * dimension + c, row = row_of(block, c);
      p->padded_q[i] = row >= 0 ? p->load[row] : 0;
      p->padded_r[i] = row >= 0 ? p->r[row] : 0;
      if (c == 0 && !block->has_normal) {
        p->padded_q[i] = -block->grip;
        p->padded_r[i] = block->grip;
      }
      for (thud_index j = 0; j < size; j++) {
        thud_index column = row_of(&p->blocks[j / dimension], j % dimension);
        p->padded_W[j * size + i] = row >= 0 && column >= 0 ? p->W[row * p->rows + column] : i == j;
      }
    }
}

/* mu or the set of each contact; a law by itself has its threshold in the normal impulse already. */
static thud_error fill_laws(thud_percussion *p, bool *any_set) {
  *any_set = false;
  for (thud_index b = 0; b < p->block_count; b++) {
    const thud_velocity_block *block = &p->blocks[b];
    double mu = block->law < 0 ? 0 : block->has_normal ? block->grip : 1;
    p->padded_mu[b] = mu;
    p->padded_laws[b] = NULL;
    if (block->law < 0 || p->laws[block->law].set == NULL) continue;
    thud_slip_law *law = &p->laws[block->law];
    law->parameters[0] = mu;
    thud_error error = thud_set_set_parameters(law->scaled, law->parameters);
    if (error != THUD_OK) return error;
    p->padded_laws[b] = law->scaled;
    *any_set = true;
  }
  return THUD_OK;
}

static thud_error make_solver(thud_percussion *p, const thud_contact_problem *problem, size_t road,
                              const thud_solver_method *method, thud_solver **solver) {
  thud_error error =
      thud_array_reserve(p->context, &p->solvers, &p->solver_capacity, p->solver_count + 1, sizeof *p->solvers);
  if (error != THUD_OK) return error;
  thud_solver_options options = thud_solver_options_default();
  /* The solver measures against its own loads, which may be larger than the velocities here. */
  options.tolerance = 0.01 * p->options.tolerance;
  error = thud_solver_create(p->context, method, problem, &options, solver);
  if (error != THUD_OK) return error;
  p->solvers[p->solver_count++] = (thud_velocity_solver){.dimension = problem->dimension,
                                                         .contacts = problem->contacts,
                                                         .laws = problem->laws != NULL,
                                                         .road = road,
                                                         .solver = *solver};
  return THUD_OK;
}

static thud_error solver_for(thud_percussion *p, const thud_contact_problem *problem, size_t road,
                             const thud_solver_method *method, thud_solver **solver) {
  for (size_t k = 0; k < p->solver_count; k++) {
    const thud_velocity_solver *known = &p->solvers[k];
    if (known->dimension != problem->dimension || known->contacts != problem->contacts ||
        known->laws != (problem->laws != NULL) || known->road != road)
      continue;
    *solver = known->solver;
    return thud_solver_update(*solver, problem);
  }
  return make_solver(p, problem, road, method, solver);
}

/* From padded_r, which is filled from p->r, to p->r; *residual its natural map. */
static thud_error solve_by(thud_percussion *p, const thud_contact_problem *problem, size_t road,
                           const thud_solver_method *method, thud_solver_status *status, double *residual) {
  thud_solver *solver;
  thud_solver_info info;
  thud_error error = solver_for(p, problem, road, method, &solver);
  if (error == THUD_OK) error = thud_solver_solve(solver, p->padded_r, NULL, NULL, NULL, &info);
  if (error != THUD_OK) return error;
  *status = info.status;
  thud_index dimension = problem->dimension;
  for (thud_index i = 0; i < dimension * p->block_count; i++) {
    thud_index row = row_of(&p->blocks[i / dimension], i % dimension);
    if (row >= 0) p->r[row] = p->padded_r[i];
  }
  thud_percussion_velocities(p);
  *residual = thud_percussion_natural_map(p, p->r, p->u, NULL);
  return THUD_OK;
}

/* Direct methods first, these problems are small and dense: pivoting for planar friction, Newton; then whatever the
 * registry prefers. */
static const char *const roads[] = {"lemke", "newton", NULL};

static thud_error try_roads(thud_percussion *p, const thud_contact_problem *problem, double accepted,
                            thud_solver_status *status) {
  double *best = p->past, least = INFINITY, residual;
  for (size_t k = 0; k < sizeof roads / sizeof *roads && least > accepted; k++) {
    const thud_solver_method *method = roads[k] != NULL ? thud_solver_method_find(roads[k]) : NULL;
    if (roads[k] != NULL && (method == NULL || !thud_solver_method_takes(method, problem))) continue;
    thud_solver_status found;
    fill(p, problem->dimension);
    thud_error error = solve_by(p, problem, k, method, &found, &residual);
    if (error != THUD_OK) return error;
    if (residual < least) {
      least = residual;
      *status = found;
      memcpy(best, p->r, (size_t)p->rows * sizeof *best);
    }
  }
  if (isfinite(least)) memcpy(p->r, best, (size_t)p->rows * sizeof *best);
  if (least <= accepted) *status = THUD_SOLVED; /* a solver may have aimed lower and stalled on the way */
  return THUD_OK;
}

thud_error thud_percussion_registry(thud_percussion *p, double accepted, bool *taken, thud_solver_status *status) {
  thud_index dimension;
  *taken = is_contact_problem(p, &dimension);
  if (!*taken) return THUD_OK;
  bool any_set;
  thud_error error = fill_laws(p, &any_set);
  if (error != THUD_OK) return error;
  thud_index size = dimension * p->block_count;
  thud_contact_problem problem = {
      .form = THUD_FORM_LOCAL,
      .dimension = dimension,
      .contacts = p->block_count,
      .mu = p->padded_mu,
      .laws = any_set ? p->padded_laws : NULL,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = size, .columns = size, .dense = p->padded_W},
      .q = p->padded_q};
  return try_roads(p, &problem, accepted, status);
}

void thud_percussion_registry_end(thud_percussion *p) {
  for (size_t k = 0; k < p->solver_count; k++) thud_solver_destroy(p->solvers[k].solver);
  thud_free(p->context, p->solvers);
}
