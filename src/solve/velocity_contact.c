/* Velocity problems: handed to a solver of contact problems. All contacts get the same number of components: a
 * contact with fewer is filled up with rows of the identity and mu = 0, and a law by itself gets a normal row with
 * W_NN = 1, q_N = -threshold that nothing else touches, so that its normal impulse is the threshold. */
#include "solve/solve_velocity.h"

#include <math.h>
#include <string.h>

const char *thud_velocity_not_contact(const thud_velocity_problem *problem, thud_index *dimension) {
  thud_index most = 0;
  for (thud_index b = 0; b < problem->block_count; b++)
    if (problem->blocks[b].directions > most) most = problem->blocks[b].directions;
  for (thud_index b = 0; b < problem->block_count; b++) {
    const thud_velocity_block *block = &problem->blocks[b];
    if (block->tied_row >= 0) return "a second friction law at one constraint";
    if (block->tied_bilateral >= 0) return "friction whose threshold is the reaction of an equation";
    if (block->coupling != NULL) return "friction whose threshold several reactions give";
    if (block->law >= 0 && problem->laws[block->law].is_whole) return "rolling that acts while in contact";
    if (block->law >= 0 && problem->laws[block->law].set != NULL && block->directions != most)
      return "a set of friction with fewer slip directions than another contact";
  }
  *dimension = 1 + most;
  return most > 2 ? "friction with more than two slip directions" : NULL;
}

/* The velocity problem is positively homogeneous: loads, thresholds of laws by themselves and impulses divided by one
 * number keep its solutions. Methods measure the smallest loads absolutely, so theirs are brought near 1, by a power of
 * two that leaves all bits as they are. */
static double unit_of(const thud_velocity_solver *solver, const thud_velocity_problem *problem) {
  double scale = thud_velocity_scale(problem, solver->options.tolerance);
  return isnormal(scale) ? ldexp(1, ilogb(scale)) : 1;
}

static void fill_matrix(thud_velocity_solver *solver, const thud_velocity_problem *problem, thud_index dimension) {
  thud_index size = dimension * problem->block_count;
  for (thud_index i = 0; i < size; i++) {
    thud_index row = thud_velocity_row_of(&problem->blocks[i / dimension], i % dimension);
    for (thud_index j = 0; j < size; j++) {
      thud_index column = thud_velocity_row_of(&problem->blocks[j / dimension], j % dimension);
      solver->padded_W[j * size + i] =
          row >= 0 && column >= 0 ? problem->W.dense[row * problem->rows + column] : i == j;
    }
  }
}

static void fill(thud_velocity_solver *solver, const thud_velocity_problem *problem, thud_index dimension,
                 const double *r) {
  double unit = unit_of(solver, problem);
  for (thud_index b = 0; b < problem->block_count; b++)
    for (thud_index c = 0; c < dimension; c++) {
      const thud_velocity_block *block = &problem->blocks[b];
      thud_index i = b * dimension + c, row = thud_velocity_row_of(block, c);
      solver->padded_q[i] = row >= 0 ? problem->load[row] / unit : 0;
      solver->padded_r[i] = row >= 0 ? r[row] / unit : 0;
      if (c == 0 && !block->has_normal) {
        solver->padded_q[i] = -block->friction_bound / unit;
        solver->padded_r[i] = block->friction_bound / unit;
      }
    }
  for (thud_index b = 0; solver->is_sparse && b < problem->equations.count; b++)
    solver->sparse.padded_l[b] = solver->sparse.l[b] / unit;
  if (!solver->is_sparse) fill_matrix(solver, problem, dimension);
}

/* mu or the set of each contact; a law by itself has its threshold in the normal impulse already. */
static thud_error fill_laws(thud_velocity_solver *solver, const thud_velocity_problem *problem, bool *any_set) {
  *any_set = false;
  for (thud_index b = 0; b < problem->block_count; b++) {
    const thud_velocity_block *block = &problem->blocks[b];
    double mu = block->law < 0 ? 0 : block->has_normal ? block->friction_bound : 1;
    solver->padded_mu[b] = mu;
    solver->padded_laws[b] = NULL;
    if (block->law < 0 || problem->laws[block->law].set == NULL) continue;
    thud_scaled_law *law = &solver->laws[block->law];
    law->parameters[0] = mu;
    thud_error error = thud_set_set_parameters(law->set, law->parameters);
    if (error != THUD_OK) return error;
    solver->padded_laws[b] = law->set;
    *any_set = true;
  }
  return THUD_OK;
}

static thud_error make_solver(thud_velocity_solver *solver, const thud_contact_problem *problem,
                              const thud_solver_method *method, thud_solver **made) {
  thud_error error = thud_array_reserve(solver->context, &solver->made, &solver->made_capacity, solver->made_count + 1,
                                        sizeof *solver->made);
  if (error != THUD_OK) return error;
  thud_solver_options options = solver->options;
  options.tolerance *= THUD_VELOCITY_PART_OF_TOLERANCE;
  error = thud_solver_create(solver->context, method, problem, &options, made);
  if (error != THUD_OK) return error;
  solver->made[solver->made_count++] = (thud_velocity_made){.dimension = problem->dimension,
                                                            .contacts = problem->contacts,
                                                            .laws = problem->laws != NULL,
                                                            .method = method,
                                                            .solver = *made};
  return THUD_OK;
}

static thud_error solver_for(thud_velocity_solver *solver, const thud_contact_problem *problem,
                             const thud_solver_method *method, thud_solver **found) {
  for (size_t k = 0; k < solver->made_count; k++) {
    const thud_velocity_made *known = &solver->made[k];
    bool other_size = known->contacts != problem->contacts && !solver->is_sparse;
    if (known->dimension != problem->dimension || other_size || known->laws != (problem->laws != NULL) ||
        known->method != method)
      continue;
    *found = known->solver;
    return thud_solver_update(*found, problem);
  }
  return make_solver(solver, problem, method, found);
}

/* One method, from the warm start r to its answer in solver->padded_r. */
static thud_error solve_by(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                           const thud_contact_problem *contacts, const thud_solver_method *method, const double *r,
                           thud_solver_info *info) {
  thud_solver *made;
  fill(solver, problem, contacts->dimension, r);
  thud_error error = solver_for(solver, contacts, method, &made);
  if (error == THUD_OK && solver->is_sparse) made->options.tolerance = thud_velocity_aim_sparse(solver, problem, r);
  return error == THUD_OK ? thud_solver_solve(made, solver->padded_r, NULL, NULL, solver->sparse.padded_l, info)
                          : error;
}

static void take_answer(const thud_velocity_solver *solver, const thud_velocity_problem *problem, thud_index dimension,
                        double *r) {
  double unit = unit_of(solver, problem);
  for (thud_index i = 0; i < dimension * problem->block_count; i++) {
    thud_index row = thud_velocity_row_of(&problem->blocks[i / dimension], i % dimension);
    if (row >= 0) r[row] = solver->padded_r[i] * unit;
  }
  for (thud_index b = 0; solver->is_sparse && b < problem->equations.count; b++)
    solver->sparse.l[b] = solver->sparse.padded_l[b] * unit;
}

/* The k-th method to turn to, each from where the one before ended: the one that was asked for, else the direct ones,
 * these problems being small and dense, and last (NULL) what the registry takes by itself. */
static bool next_method(const thud_velocity_solver *solver, size_t k, const thud_solver_method **method) {
  if (solver->is_sparse) { /* Newton's steps take a sparse factor; pivots would not */
    *method = k == 0 ? &thud_method_newton : NULL;
    return k < 2;
  }
  *method = solver->method != NULL ? solver->method : thud_solver_method_direct(k);
  return k == 0 || (solver->method == NULL && (*method != NULL || thud_solver_method_direct(k - 1) != NULL));
}

static thud_error try_methods(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                              const thud_contact_problem *contacts, double accepted, double *r, double *u,
                              thud_velocity_info *info) {
  const thud_solver_method *method;
  double least = INFINITY;
  for (size_t k = 0; least > accepted && next_method(solver, k, &method); k++) {
    if (solver->method == NULL && method != NULL && !thud_solver_method_takes(method, contacts)) continue;
    thud_solver_info found;
    thud_error error = solve_by(solver, problem, contacts, method, r, &found);
    if (error != THUD_OK) return error;
    take_answer(solver, problem, contacts->dimension, r);
    if (solver->is_sparse)
      thud_velocity_apply_sparse(problem, solver->sparse.all, r, solver->sparse.l, u, NULL);
    else
      thud_velocity_apply(problem, r, u);
    double residual = thud_velocity_natural_map(problem, r, u, solver->work, NULL);
    if (!(residual < least)) continue;
    least = residual;
    info->status = found.status;
    info->method = found.method;
    memcpy(solver->best, r, (size_t)problem->rows * sizeof *r);
    if (solver->is_sparse && problem->equations.count > 0)
      memcpy(solver->sparse.best_l, solver->sparse.l, (size_t)problem->equations.count * sizeof *r);
  }
  if (isfinite(least)) {
    memcpy(r, solver->best, (size_t)problem->rows * sizeof *r);
    if (solver->is_sparse && problem->equations.count > 0)
      memcpy(solver->sparse.l, solver->sparse.best_l, (size_t)problem->equations.count * sizeof *r);
  }
  if (least <= accepted) info->status = THUD_SOLVED; /* a method may have aimed lower and stalled on the way */
  return THUD_OK;
}

/* The problem as one of contacts; W, q and r of the views are filled later. */
static thud_error state_contacts(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                 thud_index dimension, thud_contact_problem *contacts) {
  bool any_set;
  thud_error error = fill_laws(solver, problem, &any_set);
  if (error == THUD_OK && solver->is_sparse) error = thud_velocity_pad_sparse(solver, problem, dimension);
  thud_index size = dimension * problem->block_count, equations = problem->equations.count;
  *contacts = (thud_contact_problem){
      .form = THUD_FORM_LOCAL,
      .dimension = dimension,
      .contacts = problem->block_count,
      .mu = dimension > 1 ? solver->padded_mu : NULL,
      .laws = any_set ? solver->padded_laws : NULL,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = size, .columns = size, .dense = solver->padded_W},
      .q = solver->padded_q};
  if (!solver->is_sparse) return error;
  const thud_velocity_sparse *sparse = &solver->sparse;
  contacts->bilateral = equations;
  contacts->W = (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = size, .columns = size, .sparse = sparse->W};
  contacts->V = (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = size, .columns = equations, .sparse = sparse->V};
  contacts->R =
      (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = equations, .columns = equations, .sparse = sparse->R};
  contacts->s = sparse->zero;
  return error;
}

thud_error thud_velocity_by_methods(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                    thud_index dimension, double accepted, double *r, double *u,
                                    thud_velocity_info *info) {
  thud_contact_problem contacts;
  thud_error error = state_contacts(solver, problem, dimension, &contacts);
  return error == THUD_OK ? try_methods(solver, problem, &contacts, accepted, r, u, info) : error;
}

thud_error thud_velocity_check_method(thud_velocity_solver *solver, const thud_velocity_problem *problem) {
  static const char *const kinds[] = {"", "contacts without friction", "planar friction", "friction in space"};
  thud_index dimension;
  thud_contact_problem contacts = {0};
  const char *what = thud_velocity_not_contact(problem, &dimension);
  if (what == NULL) {
    thud_error error = state_contacts(solver, problem, dimension, &contacts);
    if (error != THUD_OK || thud_solver_method_takes(solver->method, &contacts)) return error;
    if (thud_solver_method_takes_kind(solver->method, &contacts))
      return thud_fail_within(solver->context, thud_solver_refuse(solver->context, solver->method, &contacts),
                              "velocity problem");
    what = kinds[dimension];
  }
  bool sets = contacts.laws != NULL;
  return thud_fail(solver->context, THUD_ERROR_UNSUPPORTED,
                   "velocity problem: the solver's method '%s' does not take %s%s (contacts: %d); it is: %s",
                   solver->method->name, what, sets ? " with general sets" : "", (int)problem->block_count,
                   solver->method->summary);
}

/* ---- room ---------------------------------------------------------------------------------------------------------
 */

/* C times a factor that changes with mu. */
static thud_error make_scaled(thud_context *context, const thud_set *given, thud_scaled_law *law) {
  thud_set *copy = NULL;
  thud_error error = thud_set_clone(context, given, &copy);
  if (error == THUD_OK) error = thud_set_scaling(context, 1, copy, &law->set);
  if (error != THUD_OK) {
    thud_set_destroy(copy);
    return error;
  }
  law->parameters = THUD_NEW_ARRAY(context, double, thud_set_parameter_count(law->set));
  if (law->parameters == NULL) return THUD_ERROR_MEMORY;
  thud_set_get_parameters(law->set, law->parameters);
  return THUD_OK;
}

thud_error thud_velocity_allocate_padded(thud_velocity_solver *solver, const thud_velocity_problem *largest) {
  thud_context *context = solver->context;
  thud_index dimension = 1;
  solver->laws = THUD_NEW_ARRAY(context, thud_scaled_law, solver->law_count);
  if (solver->laws == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < solver->law_count; k++) {
    const thud_velocity_law *law = &largest->laws[k];
    if (law->directions > 2) continue; /* no contact problem has them */
    if (law->directions >= dimension) dimension = law->directions + 1;
    thud_error error = law->set != NULL ? make_scaled(context, law->set, &solver->laws[k]) : THUD_OK;
    if (error != THUD_OK) return error;
  }
  if (dimension == 1 && solver->method == NULL) return THUD_OK; /* frictionless problems are solved as they are */
  size_t blocks = (size_t)solver->block_count, size = (size_t)dimension * blocks;
  solver->padded_W = THUD_NEW_ARRAY(context, double, solver->is_sparse ? 0 : size *size);
  solver->padded_q = THUD_NEW_ARRAY(context, double, size);
  solver->padded_r = THUD_NEW_ARRAY(context, double, size);
  solver->padded_mu = THUD_NEW_ARRAY(context, double, blocks);
  solver->padded_laws = thud_alloc(context, blocks, sizeof *solver->padded_laws);
  bool done = solver->padded_W != NULL && solver->padded_q != NULL && solver->padded_r != NULL &&
              solver->padded_mu != NULL && solver->padded_laws != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_velocity_free_padded(thud_velocity_solver *solver) {
  thud_context *context = solver->context;
  for (thud_index k = 0; solver->laws != NULL && k < solver->law_count; k++) {
    thud_set_destroy(solver->laws[k].set);
    thud_free(context, solver->laws[k].parameters);
  }
  for (size_t k = 0; k < solver->made_count; k++) thud_solver_destroy(solver->made[k].solver);
  void *parts[] = {solver->laws,     solver->made,      solver->padded_W,   solver->padded_q,
                   solver->padded_r, solver->padded_mu, solver->padded_laws};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(context, parts[k]);
}
