/* A system at one state: which arrays are asked for, what came back, and what follows from it. */
#include "model/thresholds.h"

#include "base/base.h"
#include "linalg/sparse_metric.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void name_arrays(model_state *state) {
  thud_system_values *values = &state->values;
  double **array = state->array;
  double **full = state->full;
  values->mass = full[MODEL_MASS];
  values->applied = array[MODEL_APPLIED];
  values->gap = array[MODEL_GAP];
  values->gradient = full[MODEL_GRADIENT];
  values->rate = array[MODEL_RATE];
  values->slip = full[MODEL_SLIP];
  values->slip_rate = array[MODEL_SLIP_RATE];
  values->friction = array[MODEL_FRICTION];
  values->restitution = array[MODEL_RESTITUTION];
  values->force_dq = full[MODEL_FORCE_DQ];
  values->force_dv = full[MODEL_FORCE_DV];
}

/* Hands out pieces of one block; with numbers = NULL it only counts them. Sparse values have no full matrices. */
static size_t lay_out(const thud_system *system, bool sparse, double *numbers, model_state *state) {
  size_t n = system->n, square = sparse ? 0 : n * n, larger = square > system->m ? square : system->m, used = 0;
  double **extra[] = {
      &state->values.mass_factor, &state->values.force, &state->q, &state->v, &state->plus, &state->minus};
  const size_t extra_size[] = {square, n, n, n, larger, larger};
  for (model_array a = 0; a < MODEL_ARRAYS; a++) {
    if (numbers != NULL) state->array[a] = numbers + used;
    if (numbers != NULL) state->full[a] = state->array[a];
    state->size[a] = thud_model_array_size(system, a);
    used += state->size[a];
    if (system->pattern[a].start == NULL) continue;
    if (numbers != NULL) state->full[a] = sparse ? NULL : numbers + used;
    used += sparse ? 0 : thud_model_full_size(system, a);
  }
  for (size_t k = 0; k < sizeof extra / sizeof extra[0]; k++) {
    if (numbers != NULL) *extra[k] = numbers + used;
    used += extra_size[k];
  }
  return used;
}

/* What never changes is there from the start; a constant mass with a pattern also has its factor here. */
static thud_error place_constants(const thud_system *system, model_state *state) {
  for (model_array a = 0; a < MODEL_ARRAYS; a++)
    if (system->constant[a] != NULL) memcpy(state->array[a], system->constant[a], state->size[a] * sizeof(double));
  state->values.potential = state->array[MODEL_POTENTIAL][0];
  if (system->mass_factor != NULL) {
    memcpy(state->values.mass_factor, system->mass_factor, system->n * system->n * sizeof(double));
    return THUD_OK;
  }
  if (state->values.sparse != NULL) return system->constant_mass ? thud_model_factorise_sparse(system, state) : THUD_OK;
  thud_model_scatter(system, state, ~0u);
  if (!system->constant_mass) return THUD_OK;
  return thud_model_factorise(system, state->context, state->values.mass, state->values.mass_factor);
}

static thud_error create_values(thud_context *context, const thud_system *system, bool sparse, bool jacobians,
                                thud_system_values **values) {
  model_state *state = THUD_NEW(context, model_state);
  if (state == NULL) return THUD_ERROR_MEMORY;
  state->context = context;
  state->system = system;
  thud_error error = THUD_OK;
  state->numbers = THUD_NEW_ARRAY(context, double, lay_out(system, sparse, NULL, state));
  if (state->numbers == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK && system->source->create_scratch != NULL)
    error = system->source->create_scratch(system, context, &state->scratch);
  if (error == THUD_OK) error = thud_model_create_threshold_scratch(system, state);
  if (error == THUD_OK) {
    lay_out(system, sparse, state->numbers, state);
    name_arrays(state);
    if (sparse) error = thud_model_begin_sparse(system, jacobians, state);
  }
  if (error == THUD_OK) error = place_constants(system, state);
  if (error != THUD_OK) {
    thud_system_values_destroy(context, &state->values);
    return error;
  }
  *values = &state->values;
  return THUD_OK;
}

thud_error thud_system_values_create(thud_context *context, const thud_system *system, thud_system_values **values) {
  THUD_REQUIRE(context, context, system, values);
  if (system->n > THUD_METRIC_DENSE_MAX)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[too-large] system values: %zu coordinates; full matrices have at most %d: what needs them does not take this "
        "system",
        system->n, THUD_METRIC_DENSE_MAX);
  return create_values(context, system, false, false, values);
}

thud_error thud_system_values_create_sparse(thud_context *context, const thud_system *system, bool jacobians,
                                            thud_system_values **values) {
  THUD_REQUIRE(context, context, system, values);
  if (!system->has_patterns)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "system values: the system's matrices are full; give their patterns in its definition");
  return create_values(context, system, true, jacobians, values);
}

void thud_system_values_destroy(thud_context *context, thud_system_values *values) {
  THUD_REQUIRE_OR(, context, values);
  if (values == NULL) return;
  model_state *state = (model_state *)values;
  thud_model_end_sparse(state);
  thud_model_destroy_threshold_scratch(state);
  if (state->scratch != NULL) state->system->source->destroy_scratch(context, state->scratch);
  thud_free(context, state->numbers);
  thud_free(context, state);
}

/* ---- mass ------------------------------------------------------------------------------------------------------- */

static thud_error make_symmetric(const thud_system *system, thud_context *context, double *mass) {
  size_t n = system->n;
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      double lower = mass[i * n + j], upper = mass[j * n + i];
      if (lower == upper) continue;
      double scale = fmax(sqrt(fabs(mass[i * n + i])) * sqrt(fabs(mass[j * n + j])), fmax(fabs(lower), fabs(upper)));
      if (!(fabs(lower - upper) <= MODEL_SYMMETRY_TOLERANCE * scale))
        return thud_fail(context, THUD_ERROR_NOT_SPD,
                         "[bad-mass-matrix] system: the mass matrix is not symmetric: entry ('%s', '%s') is %.9g, "
                         "('%s', '%s') is %.9g",
                         system->coordinates[i], system->coordinates[j], lower, system->coordinates[j],
                         system->coordinates[i], upper);
      mass[i * n + j] = mass[j * n + i] = lower + (upper - lower) / 2;
    }
  return THUD_OK;
}

/* A pivot less than this many times its rounding has no three digits: accelerations would be wrong by per cents. */
#define PIVOT_DIGITS 1000

/* Row by row: l_ij = (m_ij - sum_k<j l_ik l_jk) / l_jj. A pivot within the rounding error (i + 1) eps m_ii of its own
 * sum (Higham, Accuracy and Stability, section 10.1) cannot be distinguished from 0 and counts as not positive. */
thud_error thud_model_factorise(const thud_system *system, thud_context *context, double *mass, double *factor) {
  size_t n = system->n;
  thud_error error = make_symmetric(system, context, mass);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < n; i++) {
    double *row = factor + i * n, pivot = mass[i * n + i];
    for (size_t j = 0; j < i; j++) {
      const double *above = factor + j * n;
      double sum = mass[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= row[k] * above[k];
      row[j] = sum / above[j];
      pivot -= row[j] * row[j];
    }
    double rounding = ((double)i + 1) * DBL_EPSILON * mass[i * n + i];
    if (pivot > rounding && pivot < PIVOT_DIGITS * rounding)
      return thud_fail(context, THUD_ERROR_NOT_SPD,
                       "[bad-mass-matrix] system: the mass matrix is singular but for rounding: what the coordinates "
                       "before leave of the "
                       "mass of '%s' is %.3g of it, without a digit that is known; take away a coordinate, or give its "
                       "own inertia",
                       system->coordinates[i], pivot / mass[i * n + i]);
    if (!(pivot > rounding && pivot < INFINITY))
      return thud_fail(
          context, THUD_ERROR_NOT_SPD,
          "[bad-mass-matrix] system: the mass matrix is not positive definite: pivot %zu (coordinate '%s') is %.9g", i,
          system->coordinates[i], pivot);
    row[i] = sqrt(pivot);
  }
  return THUD_OK;
}

double thud_system_kinetic_energy(const thud_system *system, const thud_system_values *values, const double *v) {
  THUD_REQUIRE_OR(NAN, system, values, v);
  size_t n = system->n;
  double energy = 0;
  if (values->sparse != NULL) return thud_sparse_metric_product(values->sparse->mass, v, v) / 2;
  for (size_t i = 0; i < n; i++) {
    double momentum = 0;
    for (size_t j = 0; j < n; j++) momentum += values->mass[i * n + j] * v[j];
    energy += momentum * v[i];
  }
  return energy / 2;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------- */

/* x - x is 0 for finite x and NaN otherwise. */
static bool all_finite(size_t count, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += x[i] - x[i];
  return sum == 0;
}

static thud_error not_finite(const thud_system *system, model_state *state, model_array array, double t,
                             const double *q, const double *v) {
  size_t index = 0, count = thud_model_array_size(system, array);
  while (index < count && isfinite(state->array[array][index])) index++;
  char what[256], why[512] = "", where[512];
  thud_model_describe(system, array, thud_model_full_index(system, array, index), what, sizeof what);
  thud_model_describe_state(system, t, q, v, where, sizeof where);
  if (system->source->explain != NULL) system->source->explain(system, state, array, index, why, sizeof why);
  double number = state->array[array][index];
  return thud_fail(state->context, THUD_ERROR_NOT_FINITE, "system: the %s is %s at %s%s", what,
                   isnan(number) ? "NaN"
                   : number > 0  ? "infinite"
                                 : "-infinite",
                   where, why);
}

thud_error thud_model_fill(const thud_system *system, model_state *state, unsigned arrays, double t, const double *q,
                           const double *v) {
  thud_error error = system->source->fill(system, state, arrays, t, q, v);
  if (error != THUD_OK) return error;
  if (system->has_patterns && state->values.sparse == NULL) thud_model_scatter(system, state, arrays);
  for (model_array array = 0; arrays != 0; array++, arrays >>= 1)
    if ((arrays & 1) != 0 && !all_finite(state->size[array], state->array[array]))
      return not_finite(system, state, array, t, q, v);
  return THUD_OK;
}

/* A number out of its range, at a state. */
static thud_error out_of_range(const thud_system *system, model_state *state, model_array array, size_t index,
                               const char *range, double t, const double *q, const double *v) {
  char what[256], where[512];
  thud_model_describe(system, array, index, what, sizeof what);
  thud_model_describe_state(system, t, q, v, where, sizeof where);
  return thud_fail(state->context, THUD_ERROR_ARGUMENT, "[out-of-range] system: the %s is %.9g at %s; it must be %s",
                   what, state->array[array][index], where, range);
}

static thud_error check_ranges(const thud_system *system, model_state *state, unsigned arrays, double t,
                               const double *q, const double *v) {
  if (arrays & MODEL_BIT(MODEL_FRICTION))
    for (size_t k = 0; k < system->laws; k++)
      if (!(state->values.friction[k] >= 0)) return out_of_range(system, state, MODEL_FRICTION, k, ">= 0", t, q, v);
  if ((arrays & MODEL_BIT(MODEL_RESTITUTION)) && !system->allow_any_restitution)
    for (size_t i = 0; i < system->m; i++)
      if (!(state->values.restitution[i] >= 0 && state->values.restitution[i] <= 1))
        return out_of_range(system, state, MODEL_RESTITUTION, i, "in [0, 1]", t, q, v);
  return THUD_OK;
}

static thud_error factorise(const thud_system *system, model_state *state, double t, const double *q, const double *v) {
  thud_error error = state->values.sparse != NULL
                         ? thud_model_factorise_sparse(system, state)
                         : thud_model_factorise(system, state->context, state->values.mass, state->values.mass_factor);
  if (error == THUD_OK) return THUD_OK;
  char where[512];
  thud_model_describe_state(system, t, q, v, where, sizeof where);
  return thud_fail_within(state->context, error, "at %s", where);
}

void thud_model_sum_forces(model_state *state) {
  for (size_t i = 0; i < state->system->n; i++)
    state->values.force[i] =
        state->array[MODEL_APPLIED][i] - state->array[MODEL_POTENTIAL_GRADIENT][i] - state->array[MODEL_INERTIA][i];
}

static thud_error evaluate(const thud_system *system, double t, const double *q, const double *v, unsigned parts,
                           model_state *state) {
  unsigned arrays = system->arrays_of_parts[parts];
  thud_error error = thud_model_fill(system, state, arrays, t, q, v);
  if (error != THUD_OK) return error;
  if (arrays & MODEL_BIT(MODEL_MASS)) error = factorise(system, state, t, q, v);
  if (error == THUD_OK && (arrays & (MODEL_BIT(MODEL_FRICTION) | MODEL_BIT(MODEL_RESTITUTION))))
    error = check_ranges(system, state, arrays, t, q, v);
  if (parts & THUD_AT_FRICTION) thud_model_place_thresholds(state, t, q, v);
  if (parts & THUD_AT_FORCE) thud_model_sum_forces(state);
  if (parts & THUD_AT_POTENTIAL) state->values.potential = state->array[MODEL_POTENTIAL][0];
  return error;
}

thud_error thud_system_evaluate(const thud_system *system, double t, const double *q, const double *v, unsigned parts,
                                thud_system_values *values) {
  THUD_REQUIRE_OF(system, q, v, values);
  model_state *state = (model_state *)values;
  if (system == NULL || q == NULL || v == NULL || state->system != system)
    return thud_fail(state->context, THUD_ERROR_ARGUMENT, "system: NULL argument or values of another system");
  if (parts >> MODEL_PARTS != 0)
    return thud_fail(state->context, THUD_ERROR_ARGUMENT, "system: unknown parts %#x", parts);
  values->callback_status = 0;
  if ((parts & THUD_AT_JACOBIANS) &&
      !(thud_model_gives(system, MODEL_FORCE_DQ) && thud_model_gives(system, MODEL_FORCE_DV))) {
    if (state->values.sparse != NULL)
      return thud_fail(state->context, THUD_ERROR_UNSUPPORTED,
                       "system: the Jacobians of the forces are needed and not known: give `functions.force_dq` and "
                       "`functions.force_dv` with their patterns (without entries where a force does not depend on the "
                       "state), or choose a scheme with explicit forces: moreau, second-order");
    /* The displaced forces overwrite the ones at this state: differences come first, then the forces again. */
    thud_error error = thud_model_difference_jacobians(system, state, t, q, v);
    if (error != THUD_OK) return error;
    parts |= THUD_AT_FORCE;
  }
  return evaluate(system, t, q, v, parts, state);
}
