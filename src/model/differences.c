/* Central differences: Jacobians that nobody wrote, and the check of those that a user wrote.
 *
 * x is displaced by h = eps^(1/3) max(1, |x|), where the errors of truncation (h^2) and rounding (eps/h) balance. */
#include "model/system.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum variable { BY_TIME, BY_COORDINATE, BY_VELOCITY } variable;
/* What is differenced. */
typedef enum quantity { OF_GAP, OF_POTENTIAL, OF_MASS, OF_FORCE } quantity;

typedef struct place {
  double t;
  const double *q, *v;
} place;

static const unsigned FORCE_ARRAYS =
    MODEL_BIT(MODEL_APPLIED) | MODEL_BIT(MODEL_POTENTIAL_GRADIENT) | MODEL_BIT(MODEL_INERTIA);

/* Fills the quantity at the state and hands out where it lies. */
static thud_error quantity_at(const thud_system *system, model_state *state, quantity of, double t, const double *q,
                              const double *v, const double **numbers, size_t *count) {
  static const model_array ARRAY[] = {MODEL_GAP, MODEL_POTENTIAL, MODEL_MASS, MODEL_APPLIED};
  unsigned arrays = (of == OF_FORCE ? FORCE_ARRAYS : MODEL_BIT(ARRAY[of])) & system->variable;
  thud_error error = thud_model_fill(system, state, arrays, t, q, v);
  if (error != THUD_OK) return error;
  if (of == OF_FORCE) thud_model_sum_forces(state);
  *numbers = of == OF_FORCE ? state->values.force : state->full[ARRAY[of]];
  *count = thud_model_full_size(system, ARRAY[of]);
  return THUD_OK;
}

/* state->plus = d(quantity)/d(variable), state->minus = a bound of its rounding error eps (|plus| + |minus|) / h. */
static thud_error difference(const thud_system *system, model_state *state, quantity of, variable by, size_t index,
                             const place *at) {
  static const double RELATIVE_STEP = 6.0554544523933395e-06; /* eps^(1/3) */
  const double *numbers = NULL;
  size_t count = 0;
  memcpy(state->q, at->q, system->n * sizeof *at->q);
  memcpy(state->v, at->v, system->n * sizeof *at->v);
  double t = at->t, *x = by == BY_TIME ? &t : by == BY_COORDINATE ? &state->q[index] : &state->v[index];
  const double centre = *x, h = RELATIVE_STEP * fmax(1, fabs(centre)), right = centre + h, left = centre - h;
  *x = right;
  thud_error error = quantity_at(system, state, of, t, state->q, state->v, &numbers, &count);
  if (error != THUD_OK) return error;
  memcpy(state->plus, numbers, count * sizeof *numbers);
  *x = left;
  error = quantity_at(system, state, of, t, state->q, state->v, &numbers, &count);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < count; i++) {
    state->minus[i] = DBL_EPSILON * (fabs(state->plus[i]) + fabs(numbers[i])) / h;
    state->plus[i] = (state->plus[i] - numbers[i]) / (right - left);
  }
  return THUD_OK;
}

thud_error thud_model_difference_jacobians(const thud_system *system, model_state *state, double t, const double *q,
                                           const double *v) {
  const place at = {t, q, v};
  size_t n = system->n;
  for (int k = 0; k < 2; k++) {
    model_array jacobian = k == 0 ? MODEL_FORCE_DQ : MODEL_FORCE_DV;
    if (thud_model_gives(system, jacobian)) continue;
    for (size_t j = 0; j < n; j++) {
      thud_error error = difference(system, state, OF_FORCE, k == 0 ? BY_COORDINATE : BY_VELOCITY, j, &at);
      if (error != THUD_OK) return error;
      for (size_t i = 0; i < n; i++) state->full[jacobian][i * n + j] = state->plus[i];
    }
  }
  return THUD_OK;
}

/* ---- check of the user's derivatives ---------------------------------------------------------------------------- */

typedef struct comparison {
  double worst; /* relative to the size of the row */
  model_array array;
  size_t index;
  double given, difference;
} comparison;

/* A row of `count` entries from entry `first` of the array: given[], the differences and their rounding errors. */
static void compare_row(model_array array, size_t first, size_t count, const double *given, const double *differences,
                        const double *errors, comparison *found) {
  double size = 0;
  for (size_t j = 0; j < count; j++) size = fmax(size, fmax(fabs(given[j]), fabs(differences[j])));
  for (size_t j = 0; j < count; j++) {
    double excess = fabs(given[j] - differences[j]) - errors[j];
    if (excess > found->worst * size) *found = (comparison){excess / size, array, first + j, given[j], differences[j]};
  }
}

/* Room for the comparison of one array: a matrix rows x columns of differences and of their errors. */
typedef struct table {
  double *given, *differences, *errors;
} table;

/* d(quantity)/d(variable) for all `columns` variables against the array of the user (who may have forgotten it: zero).
 */
static thud_error compare_jacobian(const thud_system *system, model_state *state, quantity of, variable by,
                                   model_array array, const place *at, table *room, comparison *found) {
  size_t count = thud_model_full_size(system, array), columns = by == BY_TIME ? 1 : system->n, rows = count / columns;
  thud_error error = thud_model_fill(system, state, MODEL_BIT(array) & system->variable, at->t, at->q, at->v);
  if (error != THUD_OK) return error;
  memcpy(room->given, state->full[array], count * sizeof(double));
  for (size_t j = 0; j < columns; j++) {
    error = difference(system, state, of, by, j, at);
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < rows; i++) {
      room->differences[i * columns + j] = state->plus[i];
      room->errors[i * columns + j] = state->minus[i];
    }
  }
  for (size_t i = 0; i < rows; i++) {
    /* Velocity constraints have no gap whose derivatives these would be. */
    if (of == OF_GAP && system->constraints[i].kind >= THUD_CONSTRAINT_VELOCITY) continue;
    size_t first = i * columns;
    compare_row(array, first, columns, room->given + first, room->differences + first, room->errors + first, found);
  }
  return THUD_OK;
}

/* c_i = sum_k v_k sum_j dM_ij/dq_k v_j - 1/2 sum_jk dM_jk/dq_i v_j v_k from differences of the mass matrix. */
static thud_error compare_inertia(const thud_system *system, model_state *state, const place *at, table *room,
                                  comparison *found) {
  size_t n = system->n;
  thud_error error = thud_model_fill(system, state, MODEL_BIT(MODEL_INERTIA) & system->variable, at->t, at->q, at->v);
  if (error != THUD_OK) return error;
  memcpy(room->given, state->array[MODEL_INERTIA], n * sizeof(double));
  memset(room->differences, 0, n * sizeof(double));
  memset(room->errors, 0, n * sizeof(double));
  for (size_t k = 0; k < n; k++) {
    error = difference(system, state, OF_MASS, BY_COORDINATE, k, at);
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        double product = state->plus[i * n + j] * at->v[j], slack = state->minus[i * n + j] * fabs(at->v[j]);
        room->differences[i] += product * at->v[k];
        room->differences[k] -= product * at->v[i] / 2;
        room->errors[i] += slack * fabs(at->v[k]);
        room->errors[k] += slack * fabs(at->v[i]) / 2;
      }
  }
  compare_row(MODEL_INERTIA, 0, n, room->given, room->differences, room->errors, found);
  return THUD_OK;
}

static thud_error compare_all(const thud_system *system, model_state *state, const place *at, table *room,
                              comparison *found) {
  thud_error error = compare_inertia(system, state, at, room, found);
  if (error == THUD_OK)
    error = compare_jacobian(system, state, OF_POTENTIAL, BY_COORDINATE, MODEL_POTENTIAL_GRADIENT, at, room, found);
  if (error == THUD_OK) error = compare_jacobian(system, state, OF_GAP, BY_COORDINATE, MODEL_GRADIENT, at, room, found);
  if (error == THUD_OK) error = compare_jacobian(system, state, OF_GAP, BY_TIME, MODEL_RATE, at, room, found);
  if (error == THUD_OK && thud_model_gives(system, MODEL_FORCE_DQ))
    error = compare_jacobian(system, state, OF_FORCE, BY_COORDINATE, MODEL_FORCE_DQ, at, room, found);
  if (error == THUD_OK && thud_model_gives(system, MODEL_FORCE_DV))
    error = compare_jacobian(system, state, OF_FORCE, BY_VELOCITY, MODEL_FORCE_DV, at, room, found);
  return error;
}

static thud_error report_disagreement(const thud_system *system, const comparison *found, double tolerance) {
  if (found->worst <= tolerance) return THUD_OK;
  char what[256];
  thud_model_describe(system, found->array, found->index, what, sizeof what);
  return thud_fail(
      system->context, THUD_ERROR_ARGUMENT,
      "[wrong-derivative] system: the %s is %.9g, differences give %.9g: apart by %.3g of the largest entry of the row "
      "(tolerance %.3g)",
      what, found->given, found->difference, found->worst, tolerance);
}

thud_error thud_system_check(const thud_system *system, double t, const double *q, const double *v, double tolerance,
                             double *worst) {
  THUD_REQUIRE_OF(system, q, v);
  if (q == NULL || v == NULL || !(tolerance > 0))
    return thud_fail(system->context, THUD_ERROR_ARGUMENT, "system check: q and v are needed and a tolerance > 0");
  thud_context *context = system->context;
  const place at = {t, q, v};
  size_t larger = system->n > system->m ? system->n : system->m, entries = larger * system->n;
  comparison found = {0};
  thud_system_values *values = NULL;
  table room = {THUD_NEW_ARRAY(context, double, entries), THUD_NEW_ARRAY(context, double, entries),
                THUD_NEW_ARRAY(context, double, entries)};
  thud_error error =
      room.given == NULL || room.differences == NULL || room.errors == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) error = thud_system_values_create(context, system, &values);
  if (error == THUD_OK) error = compare_all(system, (model_state *)values, &at, &room, &found);
  thud_system_values_destroy(context, values);
  thud_free(context, room.given);
  thud_free(context, room.differences);
  thud_free(context, room.errors);
  if (error != THUD_OK) return error;
  if (worst != NULL) *worst = found.worst;
  return report_disagreement(system, &found, tolerance);
}
