/* Diagnosis of large systems.
 *
 * The blocks of M are the classes of coordinates that its entries connect; in orthonormal coordinates of the kinetic
 * metric, y = L^-1 a, a gradient has entries in the blocks that it touches and nowhere else. The Gram matrix of the
 * unit gradients is sparse, and factorised as such. Where a block is large, the few gradients that there may be go
 * through M^-1 one by one instead. The condition is Lanczos' lower bound (diagnose_lanczos.c); beyond 1e12 it does not
 * settle the rank. */
#include "model/diagnose.h"
#include "model/model_rows.h"
#include "solve/row_solver.h"

#include "base/base.h"
#include "thud/linalg.h"

#include <math.h>
#include <string.h>

enum { MOST_PAIRS = 256 }; /* pairs of constraints per constraint and coordinate */

#define WORST_CONDITION 1e12

/* ---- unit gradients and their Gram matrix ----------------------------------------------------------------------- */

typedef struct gram {
  thud_context *context;
  size_t count, entries, coordinate_capacity, value_capacity;
  size_t *start;      /* [count+1] entries of each unit gradient */
  size_t *coordinate; /* [entries] */
  double *value;      /* [entries] */
  thud_sparse matrix; /* [count*count] both triangles */
  thud_factor *factor;
} gram;

static void end_gram(gram *g) {
  thud_free(g->context, g->start);
  thud_free(g->context, g->coordinate);
  thud_free(g->context, g->value);
  thud_sparse_destroy(g->context, &g->matrix);
  thud_factor_destroy(g->factor);
}

/* y = L^-1 a on one block. */
static thud_error put_block(gram *g, const model_blocks *blocks, size_t b, const double *a) {
  size_t size = blocks->start[b + 1] - blocks->start[b], end = g->entries + size;
  thud_error error =
      thud_array_reserve(g->context, &g->coordinate, &g->coordinate_capacity, end, sizeof *g->coordinate);
  if (error == THUD_OK) error = thud_array_reserve(g->context, &g->value, &g->value_capacity, end, sizeof *g->value);
  if (error != THUD_OK) return error;
  thud_model_solve_block(blocks, b, a, g->value + g->entries);
  memcpy(g->coordinate + g->entries, blocks->member + blocks->start[b], size * sizeof *g->coordinate);
  g->entries = end;
  return THUD_OK;
}

/* row as the full vector a[n], which is 0; and back to 0. */
static void spread(thud_row row, double *a) {
  for (thud_index k = 0; k < row.count; k++) a[row.column == NULL ? k : row.column[k]] = row.value[k];
}

static void clear(thud_row row, double *a) {
  for (thud_index k = 0; k < row.count; k++) a[row.column == NULL ? k : row.column[k]] = 0;
}

/* touched: [blocks] number of the gradient that has touched the block last; a: [n] zeros. *zero: its length is 0. */
static thud_error put_gradient(gram *g, const model_blocks *blocks, thud_row row, size_t *touched, double *a,
                               bool *zero) {
  size_t first = g->entries, mark = ++g->count;
  thud_error error = THUD_OK;
  spread(row, a);
  for (thud_index k = 0; k < row.count && error == THUD_OK; k++) {
    size_t b = blocks->block[row.column == NULL ? k : row.column[k]];
    if (row.value[k] == 0 || touched[b] == mark) continue;
    touched[b] = mark;
    error = put_block(g, blocks, b, a);
  }
  clear(row, a);
  g->start[g->count] = g->entries;
  double length = thud_norm2(g->context, g->entries - first, g->value + first);
  *zero = !(length > 0 && length < INFINITY);
  for (size_t k = first; k < g->entries && !*zero; k++) g->value[k] /= length;
  return error;
}

static thud_error find_units(gram *g, const thud_system *system, const thud_system_values *values,
                             const model_blocks *blocks, const model_acting *acting, bool *settled) {
  size_t *touched = THUD_NEW_ARRAY(g->context, size_t, blocks->count);
  double *a = THUD_NEW_ARRAY(g->context, double, system->n);
  g->start = THUD_NEW_ARRAY(g->context, size_t, acting->count + 1);
  thud_error error = touched != NULL && a != NULL && g->start != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < acting->count && error == THUD_OK && *settled; i++) {
    bool zero = false;
    thud_row row = thud_gradient_row(values, (thud_index)system->n, acting->constraint[i]);
    error = put_gradient(g, blocks, row, touched, a, &zero);
    *settled = !zero;
  }
  thud_free(g->context, touched);
  thud_free(g->context, a);
  return error;
}

/* Lists of triplets of the products of all pairs of entries in one coordinate. */
typedef struct triplets {
  size_t count;
  thud_index *row, *column;
  double *value;
} triplets;

/* The entries by coordinate: start[n+1], unit[entries], value number[entries]. */
static void sort_by_coordinate(const gram *g, size_t n, size_t *start, size_t *unit, size_t *number) {
  for (size_t k = 0; k < g->entries; k++) start[g->coordinate[k] + 2]++;
  for (size_t j = 0; j < n; j++) start[j + 2] += start[j + 1];
  for (size_t i = 0; i < g->count; i++)
    for (size_t k = g->start[i]; k < g->start[i + 1]; k++) {
      size_t at = start[g->coordinate[k] + 1]++;
      unit[at] = i;
      number[at] = k;
    }
}

static void list_products(const gram *g, size_t n, const size_t *start, const size_t *unit, const size_t *number,
                          triplets *list) {
  for (size_t j = 0; j < n; j++)
    for (size_t a = start[j]; a < start[j + 1]; a++)
      for (size_t b = start[j]; b < start[j + 1]; b++) {
        list->row[list->count] = (thud_index)unit[a];
        list->column[list->count] = (thud_index)unit[b];
        list->value[list->count++] = g->value[number[a]] * g->value[number[b]];
      }
}

/* G = Y Y'; *settled is false when it would not be sparse. */
static thud_error multiply(gram *g, size_t n, bool *settled) {
  thud_context *context = g->context;
  size_t *start = THUD_NEW_ARRAY(context, size_t, n + 2), *unit = THUD_NEW_ARRAY(context, size_t, g->entries);
  size_t *number = THUD_NEW_ARRAY(context, size_t, g->entries), pairs = 0;
  triplets list = {0};
  thud_error error = start != NULL && unit != NULL && number != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    sort_by_coordinate(g, n, start, unit, number);
    for (size_t j = 0; j < n; j++) pairs += (start[j + 1] - start[j]) * (start[j + 1] - start[j]);
    *settled = pairs <= MOST_PAIRS * (g->count + n);
  }
  if (error == THUD_OK && *settled) {
    list = (triplets){.row = THUD_NEW_ARRAY(context, thud_index, pairs),
                      .column = THUD_NEW_ARRAY(context, thud_index, pairs),
                      .value = THUD_NEW_ARRAY(context, double, pairs)};
    if (list.row == NULL || list.column == NULL || list.value == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK && *settled) {
    list_products(g, n, start, unit, number, &list);
    error = thud_sparse_from_triplets(context, (thud_index)g->count, (thud_index)g->count, list.count, list.row,
                                      list.column, list.value, &g->matrix);
  }
  thud_free(context, start);
  thud_free(context, unit);
  thud_free(context, number);
  thud_free(context, list.row);
  thud_free(context, list.column);
  thud_free(context, list.value);
  return error;
}

/* G_ij = a_i M^-1 a_j' of unit gradients, one solve per column; dense: [count*count]. *settled is false when a length
 * is 0. */
static thud_error solve_products(const thud_system *system, const thud_system_values *values,
                                 const model_acting *acting, double *x, double *dense, bool *settled) {
  size_t n = system->n, count = acting->count;
  for (size_t j = 0; j < count; j++) {
    memset(x, 0, n * sizeof *x);
    spread(thud_gradient_row(values, (thud_index)n, acting->constraint[j]), x);
    thud_values_solve_mass(values, (thud_index)n, x);
    for (size_t i = j; i < count; i++)
      dense[j * count + i] = thud_row_dot(thud_gradient_row(values, (thud_index)n, acting->constraint[i]), x);
    *settled = *settled && dense[j * count + j] > 0 && dense[j * count + j] < INFINITY;
  }
  for (size_t j = 0; j < count && *settled; j++)
    for (size_t i = j + 1; i < count; i++) {
      double cosine = dense[j * count + i] / (sqrt(dense[i * count + i]) * sqrt(dense[j * count + j]));
      dense[j * count + i] = dense[i * count + j] = cosine;
    }
  for (size_t j = 0; j < count; j++) dense[j * count + j] = 1;
  return THUD_OK;
}

static thud_error multiply_by_solves(gram *g, const thud_system *system, const thud_system_values *values,
                                     const model_acting *acting, bool *settled) {
  size_t count = acting->count, entries = count * count;
  *settled = count <= system->n && entries <= MOST_PAIRS * (count + system->n);
  if (!*settled) return THUD_OK;
  double *x = THUD_NEW_ARRAY(g->context, double, system->n), *dense = THUD_NEW_ARRAY(g->context, double, entries);
  thud_index *row = THUD_NEW_ARRAY(g->context, thud_index, entries);
  thud_index *column = THUD_NEW_ARRAY(g->context, thud_index, entries);
  bool complete = x != NULL && dense != NULL && row != NULL && column != NULL;
  thud_error error = complete ? solve_products(system, values, acting, x, dense, settled) : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < entries && error == THUD_OK; k++) {
    row[k] = (thud_index)(k / count);
    column[k] = (thud_index)(k % count);
  }
  g->count = count;
  if (error == THUD_OK && *settled)
    error = thud_sparse_from_triplets(g->context, (thud_index)count, (thud_index)count, entries, row, column, dense,
                                      &g->matrix);
  thud_free(g->context, x);
  thud_free(g->context, dense);
  thud_free(g->context, row);
  thud_free(g->context, column);
  return error;
}

/* The Gram matrix; *settled is false when there is none. */
static thud_error find_gram(gram *g, const thud_system *system, const thud_system_values *values,
                            const model_acting *acting, bool *settled) {
  model_blocks blocks;
  thud_error error = thud_model_find_blocks(g->context, system->n, values, &blocks);
  if (error != THUD_OK) return error;
  *settled = true;
  if (blocks.matrix != NULL) {
    thud_model_fill_blocks(values, &blocks);
    thud_model_factorise_blocks(&blocks);
    error = find_units(g, system, values, &blocks, acting, settled);
    if (error == THUD_OK && *settled) error = multiply(g, system->n, settled);
  } else {
    error = multiply_by_solves(g, system, values, acting, settled);
  }
  thud_model_end_blocks(g->context, &blocks);
  return error;
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

/* Entries that the matrix does not have are right angles. */
static void find_cosines(const gram *g, const model_acting *acting, thud_system_diagnosis *found) {
  if (acting->count < acting->equations + 2) return;
  found->cosine_first = acting->constraint[acting->equations];
  found->cosine_second = acting->constraint[acting->equations + 1];
  for (size_t i = acting->equations; i < acting->count; i++)
    for (thud_index k = g->matrix.column_start[i]; k < g->matrix.column_start[i + 1]; k++) {
      size_t j = (size_t)g->matrix.row[k];
      double cosine = fabs(g->matrix.value[k]);
      if (j < acting->equations || j >= i || !(cosine > found->worst_cosine)) continue;
      found->worst_cosine = cosine;
      found->cosine_first = acting->constraint[j];
      found->cosine_second = acting->constraint[i];
    }
}

static thud_error apply_gram(void *user, const double *x, double *out) {
  const gram *g = user;
  thud_sparse_multiply_vector(&g->matrix, false, 1, x, 0, out);
  return THUD_OK;
}

static thud_error apply_inverse(void *user, const double *x, double *out) {
  const gram *g = user;
  return thud_factor_solve(g->factor, 1, x, out, NULL);
}

static thud_error find_condition(gram *g, double *condition, bool *settled) {
  thud_error error = thud_factor_create(g->context, &g->matrix, THUD_FACTOR_CHOLESKY, &g->factor);
  if (error == THUD_OK) error = thud_factor_factorize(g->factor, &g->matrix, NULL);
  if (error == THUD_ERROR_NOT_SPD) *settled = false;
  if (error != THUD_OK) return *settled ? error : THUD_OK;
  error = thud_model_condition(g->context, g->count, apply_gram, apply_inverse, g, condition);
  *settled = *condition < WORST_CONDITION;
  return error;
}

thud_error thud_model_diagnose_sparse(thud_context *context, const thud_system *system,
                                      const thud_system_values *values, const model_acting *acting,
                                      thud_system_diagnosis *found, bool *settled) {
  gram g = {.context = context};
  double condition = 1;
  *settled = acting->count <= system->n;
  if (!*settled) return THUD_OK;
  thud_error error = find_gram(&g, system, values, acting, settled);
  if (error == THUD_OK && *settled && acting->count > 0) error = find_condition(&g, &condition, settled);
  if (error == THUD_OK && *settled) {
    find_cosines(&g, acting, found);
    found->active_count = found->rank = (thud_index)acting->count;
    found->equation_count = found->equation_rank = (thud_index)acting->equations;
    found->condition = condition;
    found->condition_is_bound = acting->count > MODEL_LANCZOS_STEPS;
    found->qualified = true;
  }
  end_gram(&g);
  return error;
}

/* ---- dependent gradients ---------------------------------------------------------------------------------------- */

/* A velocity that opens gaps by 1 - OPENED and more, where 1 was asked for, opens them. */
static const double OPENED = 1e-4;

typedef struct opening {
  thud_row_kind *kind;        /* [m] */
  double *load, *impulse, *u; /* [m] */
  double *velocity;           /* [n] */
  thud_row_solver *solver;
} opening;

static void end_opening(thud_context *context, opening *o) {
  thud_free(context, o->kind);
  thud_free(context, o->load);
  thud_free(context, o->impulse);
  thud_free(context, o->u);
  thud_free(context, o->velocity);
  thud_row_solver_destroy(o->solver);
}

static thud_error begin_opening(thud_context *context, const thud_system *system, const thud_system_values *values,
                                opening *o) {
  const thud_row_list *gradient = &values->sparse->gradient;
  thud_row_matrix rows = {(thud_index)system->m, gradient->start, gradient->column};
  *o = (opening){.kind = THUD_NEW_ARRAY(context, thud_row_kind, system->m),
                 .load = THUD_NEW_ARRAY(context, double, system->m),
                 .impulse = THUD_NEW_ARRAY(context, double, system->m),
                 .u = THUD_NEW_ARRAY(context, double, system->m),
                 .velocity = THUD_NEW_ARRAY(context, double, system->n)};
  bool complete = o->kind != NULL && o->load != NULL && o->impulse != NULL && o->u != NULL && o->velocity != NULL;
  thud_error error =
      complete ? thud_row_solver_create(context, values->sparse->mass, &rows, &o->solver) : THUD_ERROR_MEMORY;
  if (error != THUD_OK) end_opening(context, o);
  return error;
}

/* Whether some velocity keeps the equations and opens all gaps that act: the smallest v with a_i v >= |a_i| is asked
 * for, which is the answer of a velocity problem. */
static thud_error find_opening(thud_context *context, const thud_system *system, const thud_system_values *values,
                               const model_acting *acting, bool *qualified) {
  opening o;
  thud_error error = begin_opening(context, system, values, &o);
  if (error != THUD_OK) return error;
  thud_row_solver_update(o.solver, values->sparse->mass, values->sparse->gradient.value);
  const double *square = thud_row_solver_diagonal(o.solver);
  for (size_t k = 0; k < acting->count; k++) {
    thud_index i = acting->constraint[k];
    o.kind[i] = k < acting->equations ? THUD_ROW_EQUATION : THUD_ROW_ONE_SIDED;
    o.load[i] = k < acting->equations ? 0 : -sqrt(square[i]);
  }
  bool dependent;
  thud_solver_status status;
  error = thud_row_solver_solve(o.solver, o.kind, o.load, o.impulse, &dependent, &status);
  if (error == THUD_OK) {
    thud_row_solver_motion(o.solver, o.impulse, o.velocity);
    thud_row_solver_rows(o.solver, o.velocity, o.u);
  }
  *qualified = true;
  for (size_t k = 0; k < acting->count && error == THUD_OK; k++) {
    thud_index i = acting->constraint[k];
    double length = sqrt(square[i]);
    bool good = k < acting->equations ? fabs(o.u[i]) <= OPENED * length : o.u[i] >= (1 - OPENED) * length && length > 0;
    *qualified = *qualified && good;
  }
  end_opening(context, &o);
  return error;
}

thud_error thud_model_diagnose_unsettled(thud_context *context, const thud_system *system,
                                         const thud_system_values *values, const model_acting *acting,
                                         thud_system_diagnosis *found) {
  gram g = {.context = context};
  bool has_gram = false;
  thud_error error = find_gram(&g, system, values, acting, &has_gram);
  if (error == THUD_OK && has_gram) find_cosines(&g, acting, found);
  found->active_count = (thud_index)acting->count;
  found->equation_count = (thud_index)acting->equations;
  found->rank = found->equation_rank = -1;
  found->condition = NAN;
  found->not_computed = has_gram ? "the gradients are dependent or nearly so, and there are too many for full matrices"
                                 : "the gradients depend on each other through M^-1, and there are too many for full "
                                   "matrices";
  if (error == THUD_OK) error = find_opening(context, system, values, acting, &found->qualified);
  end_gram(&g);
  return error;
}
