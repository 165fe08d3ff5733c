/* Diagnosis of large systems.
 *
 * The blocks of M are the classes of coordinates that its entries connect; in orthonormal coordinates of the kinetic
 * metric, y = L^-1 a, a gradient has entries in the blocks that it touches and nowhere else. The Gram matrix of the
 * unit gradients is sparse, and factorised as such. Its largest eigenvalue and that of its inverse come from Lanczos'
 * method with full reorthogonalisation: Ritz values lie below the true ones, so that their product is a lower bound of
 * the condition number. A Gram matrix whose condition is beyond 1e12 does not settle the rank. */
#include "model/diagnose.h"

#include "base/base.h"
#include "thud/linalg.h"

#include <math.h>
#include <string.h>

enum { LANCZOS_STEPS = 60, MOST_PAIRS = 256 }; /* the latter: pairs of constraints per constraint and coordinate */

#define WORST_CONDITION 1e12

/* ---- blocks of the mass matrix ---------------------------------------------------------------------------------- */

typedef struct mass_blocks {
  size_t n, count, largest;
  size_t *block;  /* [n] number of the coordinate's block */
  size_t *start;  /* [count+1] */
  size_t *member; /* [n] coordinates by block, increasing within one */
} mass_blocks;

static void end_blocks(thud_context *context, mass_blocks *blocks) {
  thud_free(context, blocks->block);
  thud_free(context, blocks->start);
  thud_free(context, blocks->member);
}

static size_t root_of(size_t *parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Classes of coordinates by union and find; the smallest coordinate stands for its class. */
static void find_classes(size_t n, const double *mass, size_t *parent) {
  for (size_t i = 0; i < n; i++) parent[i] = i;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      if (mass[i * n + j] == 0) continue;
      size_t a = root_of(parent, i), b = root_of(parent, j);
      if (a < b)
        parent[b] = a;
      else
        parent[a] = b;
    }
}

static thud_error find_blocks(thud_context *context, size_t n, const double *mass, mass_blocks *blocks) {
  *blocks = (mass_blocks){.n = n,
                          .block = THUD_NEW_ARRAY(context, size_t, n),
                          .start = THUD_NEW_ARRAY(context, size_t, n + 2),
                          .member = THUD_NEW_ARRAY(context, size_t, n)};
  if (blocks->block == NULL || blocks->start == NULL || blocks->member == NULL) {
    end_blocks(context, blocks);
    return THUD_ERROR_MEMORY;
  }
  size_t *parent = blocks->member; /* until the members are known */
  find_classes(n, mass, parent);
  for (size_t i = 0; i < n; i++) {
    size_t root = root_of(parent, i);
    blocks->block[i] = root == i ? blocks->count++ : blocks->block[root];
  }
  for (size_t i = 0; i < n; i++) blocks->start[blocks->block[i] + 2]++;
  for (size_t b = 0; b < blocks->count; b++) {
    if (blocks->start[b + 2] > blocks->largest) blocks->largest = blocks->start[b + 2];
    blocks->start[b + 2] += blocks->start[b + 1];
  }
  for (size_t i = 0; i < n; i++) blocks->member[blocks->start[blocks->block[i] + 1]++] = i;
  return THUD_OK;
}

/* ---- Lanczos ---------------------------------------------------------------------------------------------------- */

/* out = A x, A symmetric and positive definite. */
typedef thud_error (*apply_fn)(void *user, const double *x, double *out);

typedef struct lanczos {
  thud_context *context;
  size_t n, steps;
  double *basis;       /* [steps][n] */
  double *next;        /* [n] */
  double *tridiagonal; /* [steps*steps] */
  double *eigenvalues; /* [steps] */
} lanczos;

static void end_lanczos(thud_context *context, lanczos *l) {
  thud_free(context, l->basis);
  thud_free(context, l->next);
  thud_free(context, l->tridiagonal);
  thud_free(context, l->eigenvalues);
}

static thud_error begin_lanczos(thud_context *context, size_t n, lanczos *l) {
  size_t steps = n < LANCZOS_STEPS ? n : LANCZOS_STEPS;
  *l = (lanczos){.context = context,
                 .n = n,
                 .steps = steps,
                 .basis = THUD_NEW_ARRAY(context, double, steps *n),
                 .next = THUD_NEW_ARRAY(context, double, n),
                 .tridiagonal = THUD_NEW_ARRAY(context, double, steps *steps),
                 .eigenvalues = THUD_NEW_ARRAY(context, double, steps)};
  if (l->basis != NULL && l->next != NULL && l->tridiagonal != NULL && l->eigenvalues != NULL) return THUD_OK;
  end_lanczos(context, l);
  return THUD_ERROR_MEMORY;
}

/* Twice is enough (Parlett). */
static void reorthogonalise(const lanczos *l, size_t count) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < count; k++) {
      const double *q = l->basis + k * l->n;
      double share = thud_dot(l->context, l->n, q, l->next);
      for (size_t i = 0; i < l->n; i++) l->next[i] -= share * q[i];
    }
}

/* The largest Ritz value after at most l->steps steps from a vector that does not depend on anything. */
static thud_error largest_ritz_value(thud_context *context, lanczos *l, apply_fn apply, void *user, double *value) {
  size_t n = l->n, done = 0, width = l->steps;
  thud_random random = thud_random_seed(1);
  for (size_t i = 0; i < n; i++) l->next[i] = thud_random_uniform(&random, -1, 1);
  memset(l->tridiagonal, 0, width * width * sizeof *l->tridiagonal);
  double size = thud_norm2(context, n, l->next);
  while (done < l->steps) {
    double *q = l->basis + done * n;
    for (size_t i = 0; i < n; i++) q[i] = l->next[i] / size;
    thud_error error = apply(user, q, l->next);
    if (error != THUD_OK) return error;
    double scale = thud_norm2(context, n, l->next);
    l->tridiagonal[done * width + done] = thud_dot(context, n, q, l->next);
    reorthogonalise(l, ++done);
    size = thud_norm2(context, n, l->next);
    if (!(size > 1e-13 * scale)) break; /* an invariant space */
    if (done < l->steps) l->tridiagonal[(done - 1) * width + done] = l->tridiagonal[done * width + done - 1] = size;
  }
  for (size_t i = 0; i < done; i++) /* the leading part, closely packed */
    memmove(l->tridiagonal + i * done, l->tridiagonal + i * width, done * sizeof *l->tridiagonal);
  thud_error error = thud_dense_eigen_symmetric(context, (thud_index)done, l->tridiagonal, l->eigenvalues, NULL);
  if (error == THUD_OK) *value = l->eigenvalues[done - 1];
  return error;
}

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

static thud_error put(gram *g, size_t coordinate, double value) {
  thud_error error =
      thud_array_reserve(g->context, &g->coordinate, &g->coordinate_capacity, g->entries + 1, sizeof *g->coordinate);
  if (error == THUD_OK)
    error = thud_array_reserve(g->context, &g->value, &g->value_capacity, g->entries + 1, sizeof *g->value);
  if (error != THUD_OK) return error;
  g->coordinate[g->entries] = coordinate;
  g->value[g->entries++] = value;
  return THUD_OK;
}

/* y = L^-1 a on one block: rows of L reach no other. */
static thud_error put_block(gram *g, const mass_blocks *blocks, size_t b, const double *factor, const double *a) {
  size_t first = g->entries, n = blocks->n;
  const size_t *member = blocks->member + blocks->start[b];
  thud_error error = THUD_OK;
  for (size_t r = 0; r < blocks->start[b + 1] - blocks->start[b] && error == THUD_OK; r++) {
    const double *row = factor + member[r] * n;
    double y = a[member[r]];
    for (size_t k = 0; k < r; k++) y -= row[member[k]] * g->value[first + k];
    error = put(g, member[r], y / row[member[r]]);
  }
  return error;
}

/* touched: [blocks] number of the gradient that has touched the block last. *zero: its length is 0. */
static thud_error put_gradient(gram *g, const mass_blocks *blocks, const double *factor, const double *a,
                               size_t *touched, bool *zero) {
  size_t first = g->entries, mark = ++g->count;
  thud_error error = THUD_OK;
  for (size_t j = 0; j < blocks->n && error == THUD_OK; j++) {
    if (a[j] == 0 || touched[blocks->block[j]] == mark) continue;
    touched[blocks->block[j]] = mark;
    error = put_block(g, blocks, blocks->block[j], factor, a);
  }
  g->start[g->count] = g->entries;
  double length = thud_norm2(g->context, g->entries - first, g->value + first);
  *zero = !(length > 0 && length < INFINITY);
  for (size_t k = first; k < g->entries && !*zero; k++) g->value[k] /= length;
  return error;
}

static thud_error find_units(gram *g, const thud_system *system, const thud_system_values *values,
                             const model_acting *acting, bool *settled) {
  mass_blocks blocks;
  thud_error error = find_blocks(g->context, system->n, values->mass, &blocks);
  if (error != THUD_OK) return error;
  size_t *touched = THUD_NEW_ARRAY(g->context, size_t, blocks.count);
  g->start = THUD_NEW_ARRAY(g->context, size_t, acting->count + 1);
  if (touched == NULL || g->start == NULL) error = THUD_ERROR_MEMORY;
  for (size_t i = 0; i < acting->count && error == THUD_OK && *settled; i++) {
    bool zero = false;
    error = put_gradient(g, &blocks, values->mass_factor, values->gradient + (size_t)acting->constraint[i] * system->n,
                         touched, &zero);
    *settled = !zero;
  }
  thud_free(g->context, touched);
  end_blocks(g->context, &blocks);
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
  lanczos l;
  double largest = 0, inverse = 0;
  thud_error error = thud_factor_create(g->context, &g->matrix, THUD_FACTOR_CHOLESKY, &g->factor);
  if (error == THUD_OK) error = thud_factor_factorize(g->factor, &g->matrix, NULL);
  if (error == THUD_ERROR_NOT_SPD) *settled = false;
  if (error != THUD_OK) return *settled ? error : THUD_OK;
  error = begin_lanczos(g->context, g->count, &l);
  if (error != THUD_OK) return error;
  error = largest_ritz_value(g->context, &l, apply_gram, g, &largest);
  if (error == THUD_OK) error = largest_ritz_value(g->context, &l, apply_inverse, g, &inverse);
  end_lanczos(g->context, &l);
  *condition = largest * inverse;
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
  thud_error error = find_units(&g, system, values, acting, settled);
  if (error == THUD_OK && *settled) error = multiply(&g, system->n, settled);
  if (error == THUD_OK && *settled && acting->count > 0) error = find_condition(&g, &condition, settled);
  if (error == THUD_OK && *settled) {
    find_cosines(&g, acting, found);
    found->active_count = found->rank = (thud_index)acting->count;
    found->equation_count = found->equation_rank = (thud_index)acting->equations;
    found->condition = condition;
    found->condition_is_bound = acting->count > LANCZOS_STEPS;
    found->qualified = true;
  }
  end_gram(&g);
  return error;
}

/* ---- mass ------------------------------------------------------------------------------------------------------- */

typedef struct dense_mass {
  thud_context *context;
  size_t n;
  const double *mass, *factor;
} dense_mass;

static thud_error apply_mass(void *user, const double *x, double *out) {
  const dense_mass *m = user;
  for (size_t i = 0; i < m->n; i++) out[i] = thud_dot(m->context, m->n, m->mass + i * m->n, x);
  return THUD_OK;
}

/* (LL')^-1 x */
static thud_error apply_inverse_mass(void *user, const double *x, double *out) {
  const dense_mass *m = user;
  size_t n = m->n;
  for (size_t i = 0; i < n; i++)
    out[i] = (x[i] - thud_dot(m->context, i, m->factor + i * n, out)) / m->factor[i * n + i];
  for (size_t i = n; i-- > 0;) {
    out[i] /= m->factor[i * n + i];
    for (size_t j = 0; j < i; j++) out[j] -= m->factor[i * n + j] * out[i];
  }
  return THUD_OK;
}

static thud_error iterate_mass(thud_context *context, size_t n, const thud_system_values *values, double *condition) {
  dense_mass mass = {context, n, values->mass, values->mass_factor};
  lanczos l;
  double largest = 0, inverse = 0;
  thud_error error = begin_lanczos(context, n, &l);
  if (error != THUD_OK) return error;
  error = largest_ritz_value(context, &l, apply_mass, &mass, &largest);
  if (error == THUD_OK) error = largest_ritz_value(context, &l, apply_inverse_mass, &mass, &inverse);
  end_lanczos(context, &l);
  *condition = largest * inverse;
  return error;
}

/* The extreme eigenvalues of all blocks. */
static thud_error eigenvalues_of_blocks(thud_context *context, const mass_blocks *blocks, const double *mass,
                                        double *smallest, double *largest) {
  double *matrix = THUD_NEW_ARRAY(context, double, blocks->largest * blocks->largest);
  double *eigenvalues = THUD_NEW_ARRAY(context, double, blocks->largest);
  thud_error error = matrix != NULL && eigenvalues != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  *smallest = INFINITY;
  *largest = 0;
  for (size_t b = 0; b < blocks->count && error == THUD_OK; b++) {
    size_t size = blocks->start[b + 1] - blocks->start[b];
    const size_t *member = blocks->member + blocks->start[b];
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j < size; j++) matrix[i * size + j] = mass[member[i] * blocks->n + member[j]];
    eigenvalues[0] = matrix[0];
    if (size > 1) error = thud_dense_eigen_symmetric(context, (thud_index)size, matrix, eigenvalues, NULL);
    *smallest = fmin(*smallest, eigenvalues[0]);
    *largest = fmax(*largest, eigenvalues[size - 1]);
  }
  thud_free(context, matrix);
  thud_free(context, eigenvalues);
  return error;
}

thud_error thud_model_mass_condition(thud_context *context, const thud_system *system, const thud_system_values *values,
                                     thud_system_diagnosis *found) {
  mass_blocks blocks;
  double smallest = 0, largest = 0;
  thud_error error = find_blocks(context, system->n, values->mass, &blocks);
  if (error != THUD_OK) return error;
  found->mass_condition_is_bound = blocks.largest > MODEL_DENSE_DIAGNOSIS && system->n > LANCZOS_STEPS;
  if (blocks.largest > MODEL_DENSE_DIAGNOSIS) {
    error = iterate_mass(context, system->n, values, &found->mass_condition);
  } else {
    error = eigenvalues_of_blocks(context, &blocks, values->mass, &smallest, &largest);
    found->mass_condition = smallest > 0 ? largest / smallest : INFINITY;
  }
  end_blocks(context, &blocks);
  return error;
}
