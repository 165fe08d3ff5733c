/* Systems whose matrices have few entries: their patterns, and values that hold nothing else. */
#include "model/system.h"

#include "base/base.h"
#include "linalg/sparse_metric.h"

#include <math.h>
#include <string.h>

static const model_array MATRICES[] = {MODEL_MASS, MODEL_GRADIENT, MODEL_SLIP, MODEL_FORCE_DQ, MODEL_FORCE_DV};
enum { MATRIX_COUNT = sizeof MATRICES / sizeof *MATRICES };
static const char *const MATRIX_NAMES[] = {"mass", "gradient", "slip", "force_dq", "force_dv"};

/* ---- patterns of a system ---------------------------------------------------------------------------------------- */

size_t thud_model_full_index(const thud_system *system, model_array array, size_t index) {
  const model_pattern *pattern = &system->pattern[array];
  if (pattern->start == NULL) return index;
  size_t low = 0, high = thud_model_row_count(system, array);
  while (high - low > 1) { /* start[low] <= index < start[high] */
    size_t middle = low + (high - low) / 2;
    *((size_t)pattern->start[middle] <= index ? &low : &high) = middle;
  }
  return low * system->n + (size_t)pattern->column[index];
}

double thud_model_number(const thud_system *system, model_array array, const double *numbers, size_t i, size_t j) {
  const model_pattern *pattern = &system->pattern[array];
  if (pattern->start == NULL) return numbers[i * system->n + j];
  for (thud_index p = pattern->start[i]; p < pattern->start[i + 1]; p++)
    if ((size_t)pattern->column[p] == j) return numbers[p];
  return 0;
}

static thud_error check_pattern(const thud_system *system, const char *name, size_t rows, const thud_pattern *pattern) {
  bool good = pattern->start[0] == 0;
  size_t i = 0;
  for (; i < rows && good; i++) {
    good = pattern->start[i + 1] >= pattern->start[i];
    for (thud_index p = pattern->start[i]; good && p < pattern->start[i + 1]; p++)
      good = pattern->column[p] >= 0 && (size_t)pattern->column[p] < system->n &&
             (p == pattern->start[i] || pattern->column[p] > pattern->column[p - 1]);
  }
  if (good) return THUD_OK;
  return thud_fail(system->context, THUD_ERROR_ARGUMENT,
                   "system: pattern of `%s`: row %zu is not a list of increasing columns from 0 to %zu", name,
                   i > 0 ? i - 1 : 0, system->n - 1);
}

thud_error thud_model_set_pattern(thud_system *system, model_array array, const thud_pattern *pattern) {
  size_t rows = thud_model_row_count(system, array), entries;
  const char *name = MATRIX_NAMES[0];
  for (size_t k = 0; k < MATRIX_COUNT; k++)
    if (MATRICES[k] == array) name = MATRIX_NAMES[k];
  thud_error error = check_pattern(system, name, rows, pattern);
  if (error != THUD_OK) return error;
  entries = (size_t)pattern->start[rows];
  model_pattern *made = &system->pattern[array];
  made->start = THUD_NEW_ARRAY(system->context, thud_index, rows + 1);
  made->column = THUD_NEW_ARRAY(system->context, thud_index, entries);
  if (made->start == NULL || made->column == NULL) return THUD_ERROR_MEMORY;
  memcpy(made->start, pattern->start, (rows + 1) * sizeof *made->start);
  if (entries > 0) memcpy(made->column, pattern->column, entries * sizeof *made->column);
  system->has_patterns = true;
  return THUD_OK;
}

/* Every (i, i), and (j, i) with each (i, j). */
static thud_error check_mass_pattern(const thud_system *system, const model_pattern *mass) {
  for (size_t i = 0; i < system->n; i++) {
    bool diagonal = false, symmetric = true;
    thud_index p = mass->start[i];
    for (; p < mass->start[i + 1] && symmetric; p++) {
      size_t j = (size_t)mass->column[p], low = (size_t)mass->start[j], high = (size_t)mass->start[j + 1];
      diagonal = diagonal || j == i;
      while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)mass->column[middle] < i)
          low = middle + 1;
        else
          high = middle;
      }
      symmetric = low < (size_t)mass->start[j + 1] && (size_t)mass->column[low] == i;
    }
    if (diagonal && symmetric) continue;
    return thud_fail(system->context, THUD_ERROR_ARGUMENT,
                     "[bad-mass-matrix] system: pattern of `mass`: row %zu ('%s') %s; the mass matrix is symmetric "
                     "with a full diagonal",
                     i, system->coordinates[i],
                     symmetric ? "has no diagonal entry" : "has an entry without its mirror image");
  }
  return THUD_OK;
}

thud_error thud_model_copy_patterns(const thud_system_def *def, thud_system *system) {
  const thud_system_patterns *given = def->patterns;
  if (given == NULL) return THUD_OK;
  const thud_pattern *const patterns[MATRIX_COUNT] = {&given->mass, &given->gradient, &given->slip, &given->force_dq,
                                                      &given->force_dv};
  for (size_t k = 0; k < MATRIX_COUNT; k++) {
    bool needed = k < 3 && thud_model_row_count(system, MATRICES[k]) > 0;
    if (patterns[k]->start == NULL && needed)
      return thud_fail(system->context, THUD_ERROR_ARGUMENT,
                       "system: `patterns` lacks that of `%s`: give mass, gradient and slip together, or none",
                       MATRIX_NAMES[k]);
    thud_error error = patterns[k]->start != NULL ? thud_model_set_pattern(system, MATRICES[k], patterns[k]) : THUD_OK;
    if (error != THUD_OK) return error;
  }
  return check_mass_pattern(system, &system->pattern[MODEL_MASS]);
}

thud_error thud_model_note_no_jacobians(thud_system *system) {
  static const double nothing = 0;
  for (size_t k = 3; k < MATRIX_COUNT; k++) {
    model_array array = MATRICES[k];
    if (thud_model_gives(system, array) || system->pattern[array].start == NULL) continue;
    if (thud_model_array_size(system, array) > 0) continue;
    thud_error error = thud_model_set_constant(system, array, &nothing);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

/* ---- full matrices ----------------------------------------------------------------------------------------------- */

void thud_model_scatter(const thud_system *system, model_state *state, unsigned arrays) {
  for (size_t k = 0; k < MATRIX_COUNT; k++) {
    model_array array = MATRICES[k];
    const model_pattern *pattern = &system->pattern[array];
    if (!(arrays & MODEL_BIT(array)) || pattern->start == NULL) continue;
    for (size_t i = 0; i < thud_model_row_count(system, array); i++)
      for (thud_index p = pattern->start[i]; p < pattern->start[i + 1]; p++)
        state->full[array][i * system->n + (size_t)pattern->column[p]] = state->array[array][p];
  }
}

/* ---- sparse values ----------------------------------------------------------------------------------------------- */

static thud_row_list list_of(const thud_system *system, const model_state *state, model_array array) {
  const model_pattern *pattern = &system->pattern[array];
  if (pattern->start == NULL) return (thud_row_list){0};
  return (thud_row_list){.count = (thud_index)thud_model_row_count(system, array),
                         .start = pattern->start,
                         .column = pattern->column,
                         .value = state->array[array]};
}

/* The matrix of the mass; with jacobians it also has room for those of the forces. */
static thud_error make_metric(const thud_system *system, bool jacobians, thud_context *context,
                              thud_sparse_metric **metric) {
  const thud_index *start[3], *column[3];
  const model_array covered[3] = {MODEL_MASS, MODEL_FORCE_DQ, MODEL_FORCE_DV};
  for (size_t k = 0; k < 3; k++) {
    start[k] = system->pattern[covered[k]].start;
    column[k] = system->pattern[covered[k]].column;
  }
  return thud_sparse_metric_create(context, (thud_index)system->n, jacobians ? 3 : 1, start, column, metric);
}

static void place_mass(const thud_system *system, model_state *state) {
  const model_pattern *mass = &system->pattern[MODEL_MASS];
  for (size_t i = 0; i < system->n; i++)
    for (thud_index p = mass->start[i]; p < mass->start[i + 1]; p++)
      state->mass_place[p] = thud_sparse_metric_place(state->sparse.mass, (thud_index)i, mass->column[p]);
}

thud_error thud_model_begin_sparse(const thud_system *system, bool jacobians, model_state *state) {
  thud_system_sparse *sparse = &state->sparse;
  state->values.sparse = sparse;
  sparse->gradient = list_of(system, state, MODEL_GRADIENT);
  sparse->slip = list_of(system, state, MODEL_SLIP);
  sparse->force_dq = list_of(system, state, MODEL_FORCE_DQ);
  sparse->force_dv = list_of(system, state, MODEL_FORCE_DV);
  thud_error error = make_metric(system, jacobians, state->context, &sparse->mass);
  if (error == THUD_OK && jacobians) error = make_metric(system, jacobians, state->context, &state->implicit);
  if (error != THUD_OK) return error;
  state->mass_place = THUD_NEW_ARRAY(state->context, thud_index, thud_model_array_size(system, MODEL_MASS));
  if (state->mass_place == NULL) return THUD_ERROR_MEMORY;
  place_mass(system, state);
  return THUD_OK;
}

void thud_model_end_sparse(model_state *state) {
  thud_sparse_metric_destroy(state->sparse.mass);
  thud_sparse_metric_destroy(state->implicit);
  thud_free(state->context, state->mass_place);
}

/* M_ij and M_ji may differ by rounding; the mean is taken, as for full matrices. */
static thud_error make_symmetric(const thud_system *system, model_state *state) {
  thud_sparse_metric *mass = state->sparse.mass;
  for (thud_index i = 0; i < mass->n; i++)
    for (thud_index p = mass->start[i]; p < mass->start[i + 1] && mass->column[p] < i; p++) {
      double lower = mass->value[p], upper = mass->value[mass->mirror[p]];
      thud_index j = mass->column[p];
      if (lower == upper) continue;
      double size = sqrt(fabs(mass->value[mass->diagonal[i]])) * sqrt(fabs(mass->value[mass->diagonal[j]]));
      if (!(fabs(lower - upper) <= MODEL_SYMMETRY_TOLERANCE * fmax(size, fmax(fabs(lower), fabs(upper)))))
        return thud_fail(state->context, THUD_ERROR_NOT_SPD,
                         "[bad-mass-matrix] system: the mass matrix is not symmetric: entry ('%s', '%s') is %.9g, "
                         "('%s', '%s') is %.9g",
                         system->coordinates[i], system->coordinates[j], lower, system->coordinates[j],
                         system->coordinates[i], upper);
      mass->value[p] = mass->value[mass->mirror[p]] = lower + (upper - lower) / 2;
    }
  return THUD_OK;
}

thud_error thud_model_factorise_sparse(const thud_system *system, model_state *state) {
  thud_sparse_metric *mass = state->sparse.mass;
  size_t entries = thud_model_array_size(system, MODEL_MASS);
  thud_index failed;
  for (size_t k = 0; k < entries; k++) mass->value[state->mass_place[k]] = state->array[MODEL_MASS][k];
  thud_error error = make_symmetric(system, state);
  if (error != THUD_OK) return error;
  error = thud_sparse_metric_factorise(mass, &failed);
  if (error != THUD_ERROR_NOT_SPD) return error;
  return failed < 0 ? thud_fail_within(state->context, error, "system: the mass matrix is not positive definite")
                    : thud_fail(state->context, error,
                                "[bad-mass-matrix] system: the mass matrix is not positive definite: pivot %d "
                                "(coordinate '%s') is %.9g",
                                (int)failed, system->coordinates[failed], mass->value[mass->diagonal[failed]]);
}
