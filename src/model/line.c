/* A line of particles: matrices, functions of time, and what can be asked of it. */
#include "model/line.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

static const double symmetry_tolerance = 1e-12; /* relative to the largest entry */

static thud_error check_symmetric(thud_context *context, thud_index n, const double *A, const char *what) {
  double size = 0;
  for (size_t k = 0; k < (size_t)n * (size_t)n; k++) {
    if (!isfinite(A[k])) return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s: an entry is not finite", what);
    size = fmax(size, fabs(A[k]));
  }
  const double tolerance = symmetry_tolerance * size;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < j; i++)
      if (fabs(A[thud_at(n, i, j)] - A[thud_at(n, j, i)]) > tolerance)
        return thud_fail(context, THUD_ERROR_NOT_SPD, "%s is not symmetric: entries (%d,%d) and (%d,%d) are %g and %g",
                         what, (int)i + 1, (int)j + 1, (int)j + 1, (int)i + 1, A[thud_at(n, i, j)],
                         A[thud_at(n, j, i)]);
  return THUD_OK;
}

/* Copies a matrix after looking at its symmetry and its smallest eigenvalue, which must not be negative (positive: also
 * not zero). NULL means 0. */
static thud_error take_matrix(thud_context *context, thud_index n, const double *A, const char *what, bool positive,
                              double *smallest, double **copy) {
  size_t entries = (size_t)n * (size_t)n;
  *copy = THUD_NEW_ARRAY(context, double, entries);
  if (*copy == NULL) return THUD_ERROR_MEMORY;
  if (A == NULL) return THUD_OK;
  thud_error error = check_symmetric(context, n, A, what);
  if (error != THUD_OK) return error;
  memcpy(*copy, A, entries * sizeof *A);
  double *values = THUD_NEW_ARRAY(context, double, n);
  if (values == NULL) return THUD_ERROR_MEMORY;
  error = thud_dense_eigen_symmetric(context, n, A, values, NULL);
  if (error == THUD_OK) {
    double rounding = (double)n * DBL_EPSILON * fmax(fabs(values[0]), fabs(values[n - 1]));
    if (values[0] < (positive ? rounding : -10 * rounding) || (positive && values[0] <= 0))
      error = thud_fail(context, THUD_ERROR_NOT_SPD, "%s has the eigenvalue %g; it must %s", what, values[0],
                        positive ? "be positive definite" : "not have negative ones");
    if (smallest != NULL) *smallest = values[0];
  }
  thud_free(context, values);
  return error;
}

static thud_error invert_mass(thud_line *line) {
  thud_index n = line->n;
  line->inverse_mass = THUD_NEW_ARRAY(line->context, double, (size_t)n *(size_t)n);
  if (line->inverse_mass == NULL) return THUD_ERROR_MEMORY;
  bool diagonal = true;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++) diagonal = diagonal && (i == j || line->mass[thud_at(n, i, j)] == 0);
  for (thud_index i = 0; i < n; i++)
    line->inverse_mass[thud_at(n, i, i)] = diagonal ? 1 / line->mass[thud_at(n, i, i)] : 1;
  if (diagonal) return THUD_OK;
  thud_error error = thud_dense_solve(line->context, n, line->mass, n, line->inverse_mass);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < j; i++) {
      double mean = (line->inverse_mass[thud_at(n, i, j)] + line->inverse_mass[thud_at(n, j, i)]) / 2;
      line->inverse_mass[thud_at(n, i, j)] = line->inverse_mass[thud_at(n, j, i)] = mean;
    }
  return error;
}

static thud_error take_matrices(thud_line *line, const thud_line_def *def, thud_line_place *place) {
  thud_context *context = line->context;
  place->part = THUD_LINE_MASS;
  thud_error error =
      take_matrix(context, line->n, def->mass, "the mass matrix", true, &line->smallest_mass, &line->mass);
  if (error == THUD_OK) error = invert_mass(line);
  if (error != THUD_OK) return error;
  place->part = THUD_LINE_STIFFNESS;
  error = take_matrix(context, line->n, def->stiffness, "the stiffness matrix", false, NULL, &line->stiffness);
  if (error != THUD_OK) return error;
  place->part = THUD_LINE_VISCOSITY;
  return take_matrix(context, line->n, def->viscosity, "the viscosity matrix", false, NULL, &line->viscosity);
}

static thud_error take_friction(thud_line *line, const thud_line_def *def, thud_line_place *place) {
  place->part = THUD_LINE_FRICTION;
  line->friction = THUD_NEW_ARRAY(line->context, double, line->n);
  if (line->friction == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < line->n; i++) {
    place->index = (size_t)i;
    line->friction[i] = def->friction[i];
    if (!(def->friction[i] >= 0 && isfinite(def->friction[i])))
      return thud_fail(line->context, THUD_ERROR_ARGUMENT, "the friction coefficient must be a number >= 0, not %g",
                       def->friction[i]);
  }
  return THUD_OK;
}

/* ---- functions of time ------------------------------------------------------------------------------------------- */

static thud_error compile(thud_line *line, const thud_expr_scope *scope, const thud_line_def *def,
                          thud_line_place *place) {
  static const thud_line_part parts[] = {THUD_LINE_DENSITY, THUD_LINE_FORCE, THUD_LINE_TRANSPORT};
  const char *const *const lists[] = {def->density, def->force, def->transport};
  thud_context *context = line->context;
  size_t n = (size_t)line->n;
  thud_index bad = -1;
  const char **sources = THUD_NEW_ARRAY(context, const char *, 3 * n);
  if (sources == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < 3 * n; k++) {
    const char *const *list = lists[k / n];
    sources[k] = list != NULL && list[k % n] != NULL ? list[k % n] : "0";
  }
  thud_error error =
      thud_expr_program_compile(context, scope, 3 * line->n, sources, &bad, &place->place, &line->program);
  thud_free(context, (void *)sources);
  if (error != THUD_OK && bad >= 0) {
    place->part = parts[(size_t)bad / n];
    place->index = (size_t)bad % n;
  }
  if (error != THUD_OK) return error;
  line->variables = THUD_NEW_ARRAY(context, double, thud_expr_program_variable_count(line->program));
  line->outputs = THUD_NEW_ARRAY(context, double, 3 * n);
  if (line->variables == NULL || line->outputs == NULL) return THUD_ERROR_MEMORY;
  return thud_expr_work_create(context, line->program, 0, &line->work);
}

static thud_error check_definition(thud_context *context, const thud_expr_scope *scope, const thud_line_def *def) {
  if (scope == NULL || def == NULL || def->mass == NULL || def->friction == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "line: a scope, masses and friction coefficients are needed");
  if (def->n < 1 || def->n > THUD_LINE_MAX_PARTICLES)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "line: %d particles; from 1 to %d are possible", (int)def->n,
                     THUD_LINE_MAX_PARTICLES);
  if (!(def->start < def->end && isfinite(def->start) && isfinite(def->end)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "line: the end, %g, must come after the start, %g", def->end,
                     def->start);
  if (thud_expr_scope_find_variable(scope, "t") < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "line: the scope has no variable t");
  return THUD_OK;
}

thud_error thud_line_create(thud_context *context, thud_expr_scope *scope, const thud_line_def *def,
                            thud_line_place *place, thud_line **line) {
  thud_line_place nowhere;
  if (place == NULL) place = &nowhere;
  *place = (thud_line_place){0};
  thud_error error = check_definition(context, scope, def);
  if (error != THUD_OK) return error;
  thud_line *made = THUD_NEW(context, thud_line);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->n = def->n;
  made->start = def->start;
  made->end = def->end;
  made->time_slot = thud_expr_scope_find_variable(scope, "t");
  error = take_matrices(made, def, place);
  if (error == THUD_OK) error = take_friction(made, def, place);
  if (error == THUD_OK) *place = (thud_line_place){0};
  if (error == THUD_OK) error = compile(made, scope, def, place);
  if (error == THUD_OK) error = line_read_atoms(made, scope, def, place);
  if (error != THUD_OK) {
    thud_line_destroy(made);
    return error;
  }
  *line = made;
  return THUD_OK;
}

void thud_line_destroy(thud_line *line) {
  if (line == NULL) return;
  thud_context *context = line->context;
  for (size_t k = 0; k < line->atom_count; k++) thud_free(context, line->atoms[k].bound);
  thud_free(context, line->atoms);
  thud_free(context, line->truncations);
  thud_expr_work_destroy(line->work);
  thud_expr_program_destroy(line->program);
  thud_free(context, line->variables);
  thud_free(context, line->outputs);
  thud_free(context, line->mass);
  thud_free(context, line->inverse_mass);
  thud_free(context, line->stiffness);
  thud_free(context, line->viscosity);
  thud_free(context, line->friction);
  thud_free(context, line);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

thud_index thud_line_dimension(const thud_line *line) { return line->n; }
size_t thud_line_percussion_count(const thud_line *line) { return line->atom_count; }

thud_line_percussion thud_line_get_percussion(const thud_line *line, size_t k) {
  const line_atom *atom = &line->atoms[k];
  return (thud_line_percussion){.t = atom->t, .weight = atom->weight, .bound = atom->bound};
}

size_t thud_line_family_count(const thud_line *line) { return line->family_count; }
thud_line_truncation thud_line_get_truncation(const thud_line *line, size_t k) { return line->truncations[k]; }
const double *thud_line_mass(const thud_line *line) { return line->mass; }
const double *thud_line_inverse_mass(const thud_line *line) { return line->inverse_mass; }
const double *thud_line_stiffness(const thud_line *line) { return line->stiffness; }
const double *thud_line_viscosity(const thud_line *line) { return line->viscosity; }
const double *thud_line_friction(const thud_line *line) { return line->friction; }
const thud_expr_program *thud_line_program(const thud_line *line) { return line->program; }
thud_index thud_line_time_slot(const thud_line *line) { return line->time_slot; }
double thud_line_start(const thud_line *line) { return line->start; }
double thud_line_end(const thud_line *line) { return line->end; }

static double quadratic(thud_index n, const double *A, const double *x) {
  double sum = 0;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++) sum += x[i] * A[thud_at(n, i, j)] * x[j];
  return sum;
}

double thud_line_kinetic_energy(const thud_line *line, const double *u) {
  return quadratic(line->n, line->mass, u) / 2;
}

double thud_line_potential_energy(const thud_line *line, const double *q) {
  return quadratic(line->n, line->stiffness, q) / 2;
}
