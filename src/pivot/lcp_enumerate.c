/* Every solution of w = M z + q, 0 <= z perp w >= 0, by its 2^n complementary bases.
 *
 * A basis is a set a of indices with z free and w = 0 on a, z = 0 and w free off a. When M_aa is regular it gives one
 * point; when singular, the polyhedron P_a = { z : z_a >= 0, (Mz + q)_a = 0, z = 0 and Mz + q >= 0 off a }, of which
 * the point of least norm stands for all. A point is part of a continuum iff it lies in some P_a that is more than a
 * single point; this is only known at the end, so that all solutions are collected before any is reported.
 * Only degenerate solutions (z_i = w_i = 0 for some i) can belong to more than one basis: repeats are sought among
 * them alone. All tests are made in equilibrated units. */
#include "pivot/lcp.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum { MAX_SIZE = 20 };

typedef struct solution {
  double z[MAX_SIZE]; /* equilibrated */
  uint32_t basis;     /* bit i: i in a */
  bool degenerate, unique;
} solution;

typedef struct enumeration {
  thud_context *context;
  thud_scaled_lcp lcp;
  size_t n;
  double tolerance;
  solution *solutions;
  size_t count, capacity;
  uint32_t *continua; /* bases whose P_a is more than a point */
  size_t continuum_count, continuum_capacity;
  thud_polyhedron_projector *projector;               /* n unknowns, 2n rows */
  double A[2 * MAX_SIZE * MAX_SIZE], b[2 * MAX_SIZE]; /* rows of P_a or of its tangent cone */
} enumeration;

static bool in_basis(uint32_t basis, size_t i) { return (basis >> i) & 1u; }

typedef enum basis_kind { BASIS_REGULAR, BASIS_SINGULAR, BASIS_INCONSISTENT } basis_kind;

/* Gauss elimination with complete pivoting of M_aa z_a = -q_a. Singular: the remaining entries are below tolerance
 * times the largest entry; inconsistent: the remaining right hand side is not. */
static basis_kind solve_basis(const enumeration *e, uint32_t basis, double *z) {
  double matrix[MAX_SIZE][MAX_SIZE + 1], q_size = 0, first_pivot = 0;
  size_t index[MAX_SIZE], row[MAX_SIZE], column[MAX_SIZE], count = 0;
  for (size_t i = 0; i < e->n; i++) {
    z[i] = 0;
    if (in_basis(basis, i)) index[count++] = i;
  }
  for (size_t i = 0; i < count; i++) {
    row[i] = column[i] = i;
    for (size_t j = 0; j < count; j++) matrix[i][j] = e->lcp.M[index[j] * e->n + index[i]];
    matrix[i][count] = -e->lcp.q[index[i]];
    q_size = fmax(q_size, fabs(matrix[i][count]));
  }
  for (size_t k = 0; k < count; k++) {
    size_t best_i = k, best_j = k;
    for (size_t i = k; i < count; i++)
      for (size_t j = k; j < count; j++)
        if (fabs(matrix[row[i]][column[j]]) > fabs(matrix[row[best_i]][column[best_j]])) best_i = i, best_j = j;
    size_t pivot_row = row[best_i], pivot_column = column[best_j];
    row[best_i] = row[k], row[k] = pivot_row;
    column[best_j] = column[k], column[k] = pivot_column;
    double pivot = matrix[pivot_row][pivot_column];
    if (k == 0) first_pivot = fabs(pivot);
    if (fabs(pivot) <= e->tolerance * first_pivot) {
      double remaining = 0;
      for (size_t i = k; i < count; i++) remaining = fmax(remaining, fabs(matrix[row[i]][count]));
      return remaining > e->tolerance * q_size * (double)count ? BASIS_INCONSISTENT : BASIS_SINGULAR;
    }
    for (size_t i = k + 1; i < count; i++) {
      double factor = matrix[row[i]][pivot_column] / pivot;
      for (size_t j = k + 1; j < count; j++) matrix[row[i]][column[j]] -= factor * matrix[pivot_row][column[j]];
      matrix[row[i]][count] -= factor * matrix[pivot_row][count];
    }
  }
  for (size_t k = count; k-- > 0;) {
    double value = matrix[row[k]][count];
    for (size_t j = k + 1; j < count; j++) value -= matrix[row[k]][column[j]] * z[index[column[j]]];
    z[index[column[k]]] = value / matrix[row[k]][column[k]];
  }
  return BASIS_REGULAR;
}

/* Sign conditions of the point of a basis; degenerate is set when some z_i and w_i are both 0. Values within tolerance
 * of 0, relative to max |z| and to sum |M_ij z_j| + |q_i|, count as 0. */
static bool is_solution(const enumeration *e, uint32_t basis, const double *z, bool *degenerate) {
  double z_size = 0;
  *degenerate = false;
  for (size_t i = 0; i < e->n; i++) z_size = fmax(z_size, fabs(z[i]));
  for (size_t i = 0; i < e->n; i++) {
    double w_size, w = thud_scaled_lcp_row(&e->lcp, (thud_index)i, z, &w_size);
    double value = in_basis(basis, i) ? z[i] : w, size = e->tolerance * (in_basis(basis, i) ? z_size : w_size);
    if (value < -size) return false;
    if (value <= size) *degenerate = true;
  }
  return true;
}

static bool same_point(const enumeration *e, const double *a, const double *b) {
  double size = 0, difference = 0;
  for (size_t i = 0; i < e->n; i++) {
    size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    difference = fmax(difference, fabs(a[i] - b[i]));
  }
  return difference <= e->tolerance * size;
}

static thud_error keep(enumeration *e, uint32_t basis, const double *z, bool degenerate) {
  for (size_t k = 0; degenerate && k < e->count; k++)
    if (e->solutions[k].degenerate && same_point(e, e->solutions[k].z, z)) return THUD_OK;
  void *data = e->solutions;
  thud_error error = thud_array_reserve(e->context, &data, &e->capacity, e->count + 1, sizeof *e->solutions);
  e->solutions = data;
  if (error != THUD_OK) return error;
  solution *added = &e->solutions[e->count++];
  *added = (solution){.basis = basis, .degenerate = degenerate, .unique = true};
  memcpy(added->z, z, e->n * sizeof *z);
  return THUD_OK;
}

/* ---- singular bases ----------------------------------------------------------------------------------- */

/* Row k of P_a: equalities first (w_i = 0 in a, z_i = 0 off a), then inequalities (-z_i <= 0 in a, -w_i <= 0 off a). */
static void describe_piece(enumeration *e, uint32_t basis) {
  size_t n = e->n;
  memset(e->A, 0, sizeof e->A);
  for (size_t i = 0; i < n; i++) {
    double *w_row = e->A + (in_basis(basis, i) ? i : n + i) * n, *z_row = e->A + (in_basis(basis, i) ? n + i : i) * n;
    double sign = in_basis(basis, i) ? 1 : -1;
    for (size_t j = 0; j < n; j++) w_row[j] = sign * e->lcp.M[j * n + i];
    z_row[i] = -1;
    e->b[in_basis(basis, i) ? i : n + i] = -sign * e->lcp.q[i];
    e->b[in_basis(basis, i) ? n + i : i] = 0;
  }
}

/* Turns the rows of P_a into those of its tangent cone at z: offsets 0, inactive inequalities void. */
static void describe_tangent_cone(enumeration *e, const double *z) {
  size_t n = e->n;
  for (size_t k = 0; k < 2 * n; k++) {
    double value = 0, size = fabs(e->b[k]);
    for (size_t j = 0; j < n; j++) {
      value += e->A[k * n + j] * z[j];
      size += fabs(e->A[k * n + j] * z[j]);
    }
    bool inactive = k >= n && value < e->b[k] - e->tolerance * size;
    for (size_t j = 0; j < n && inactive; j++) e->A[k * n + j] = 0;
    e->b[k] = 0;
  }
}

static thud_error project(enumeration *e, const double *x, double *y, thud_pivot_status *status) {
  thud_pivot_info info;
  thud_error error = thud_polyhedron_project(e->projector, NULL, (thud_index)(2 * e->n), (thud_index)e->n, e->A, e->b,
                                             x, e->tolerance, y, NULL, &info);
  if (error != THUD_OK) return error;
  *status = info.status;
  if (info.status == THUD_PIVOT_LIMIT)
    return thud_fail(e->context, THUD_ERROR_NOT_CONVERGED,
                     "LCP enumeration: a singular basis is neither consistent nor inconsistent to %g (violation %g): "
                     "choose a larger tolerance",
                     e->tolerance, info.primal_violation);
  return THUD_OK;
}

/* A cone is {0} iff the projections of all +-e_i onto it are 0: a direction d in it has d.e_i != 0 for some i. */
static thud_error cone_is_trivial(enumeration *e, bool *trivial) {
  *trivial = true;
  for (size_t k = 0; *trivial && k < 2 * e->n; k++) {
    double x[MAX_SIZE] = {0}, y[MAX_SIZE];
    x[k / 2] = k % 2 == 0 ? 1 : -1;
    thud_pivot_status status;
    thud_error error = project(e, x, y, &status);
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < e->n; i++) *trivial = *trivial && fabs(y[i]) <= e->tolerance;
  }
  return THUD_OK;
}

/* The projection gives zeros to rounding only: components off the basis, and those on it within tolerance, become 0. */
static void round_to_zero(const enumeration *e, uint32_t basis, double *z) {
  double size = 0;
  for (size_t i = 0; i < e->n; i++) size = fmax(size, fabs(z[i]));
  for (size_t i = 0; i < e->n; i++)
    if (!in_basis(basis, i) || fabs(z[i]) <= e->tolerance * size) z[i] = 0;
}

static thud_error treat_singular(enumeration *e, uint32_t basis) {
  double origin[MAX_SIZE] = {0}, z[MAX_SIZE];
  thud_pivot_status status;
  describe_piece(e, basis);
  thud_error error = project(e, origin, z, &status);
  if (error != THUD_OK || status == THUD_PIVOT_INFEASIBLE) return error;
  round_to_zero(e, basis, z);
  bool degenerate, single;
  if (!is_solution(e, basis, z, &degenerate)) return THUD_OK;
  describe_tangent_cone(e, z);
  error = cone_is_trivial(e, &single);
  if (error == THUD_OK) error = keep(e, basis, z, true);
  if (error != THUD_OK || single) return error;
  void *data = e->continua;
  error = thud_array_reserve(e->context, &data, &e->continuum_capacity, e->continuum_count + 1, sizeof *e->continua);
  e->continua = data;
  if (error == THUD_OK) e->continua[e->continuum_count++] = basis;
  return error;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static thud_error collect(enumeration *e, const thud_stop *stop) {
  thud_error error = THUD_OK;
  for (uint32_t basis = 0; basis < (uint32_t)1 << e->n && error == THUD_OK; basis++) {
    double z[MAX_SIZE];
    bool degenerate;
    error = thud_stop_ask(e->context, stop, "LCP enumeration");
    if (error != THUD_OK) return error;
    basis_kind kind = solve_basis(e, basis, z);
    if (kind == BASIS_SINGULAR) error = treat_singular(e, basis);
    if (kind == BASIS_REGULAR && is_solution(e, basis, z, &degenerate)) error = keep(e, basis, z, degenerate);
  }
  return error;
}

/* True if z satisfies the equations of P_a (its inequalities are those of every solution). */
static bool lies_in_piece(const enumeration *e, uint32_t basis, const double *z) {
  double z_size = 0;
  for (size_t i = 0; i < e->n; i++) z_size = fmax(z_size, fabs(z[i]));
  for (size_t i = 0; i < e->n; i++) {
    double size, w = thud_scaled_lcp_row(&e->lcp, (thud_index)i, z, &size);
    if (in_basis(basis, i) ? fabs(w) > e->tolerance * size : fabs(z[i]) > e->tolerance * z_size) return false;
  }
  return true;
}

static thud_error mark_continua(enumeration *e, const thud_stop *stop) {
  for (size_t k = 0; k < e->count; k++) {
    thud_error error = thud_stop_ask(e->context, stop, "LCP enumeration");
    if (error != THUD_OK) return error;
    for (size_t c = 0; c < e->continuum_count && e->solutions[k].degenerate && e->solutions[k].unique; c++)
      if (lies_in_piece(e, e->continua[c], e->solutions[k].z)) e->solutions[k].unique = false;
  }
  return THUD_OK;
}

/* Calls found with each solution in the caller's units; z = 0 off the basis and w = 0 on it hold exactly. */
static size_t report(const enumeration *e, thud_lcp_found_fn found, void *user) {
  for (size_t k = 0; k < e->count; k++) {
    const solution *s = &e->solutions[k];
    double z[MAX_SIZE], w[MAX_SIZE];
    for (size_t i = 0; i < e->n; i++) {
      bool basic = in_basis(s->basis, i);
      double value = thud_scaled_lcp_row(&e->lcp, (thud_index)i, s->z, NULL);
      z[i] = basic ? fmax(s->z[i], 0) * e->lcp.column_scale[i] : 0;
      w[i] = basic ? 0 : fmax(value, 0) / e->lcp.row_scale[i];
    }
    if (found != NULL && found(user, z, w, s->unique) != 0) return k + 1;
  }
  return e->count;
}

thud_error thud_lcp_enumerate(thud_context *context, thud_index n, const double *M, const double *q, double tolerance,
                              thud_lcp_found_fn found, void *user, size_t *count) {
  THUD_REQUIRE(context, context, M, q);
  return thud_lcp_enumerate_until(context, n, M, q, tolerance, NULL, found, user, count);
}

thud_error thud_lcp_enumerate_until(thud_context *context, thud_index n, const double *M, const double *q,
                                    double tolerance, const thud_stop *stop, thud_lcp_found_fn found, void *user,
                                    size_t *count) {
  THUD_REQUIRE(context, context, M, q);
  if (n > MAX_SIZE)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "LCP enumeration: size %d, at most %d (2^n bases are tried)", n,
                     MAX_SIZE);
  if (!(tolerance > 0 && tolerance < 1))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "LCP enumeration: tolerance %g is not in ]0, 1[", tolerance);
  enumeration e = {.context = context, .n = (size_t)n, .tolerance = tolerance};
  thud_error error = thud_scaled_lcp_init(context, "LCP enumeration", n, M, q, &e.lcp);
  if (error == THUD_OK) error = thud_polyhedron_projector_create(context, n, 2 * n, &e.projector);
  if (error == THUD_OK) error = collect(&e, stop);
  if (error == THUD_OK) error = mark_continua(&e, stop);
  if (error == THUD_OK) {
    size_t calls = report(&e, found, user);
    if (count != NULL) *count = calls;
  }
  thud_polyhedron_projector_destroy(e.projector);
  thud_free(context, e.solutions);
  thud_free(context, e.continua);
  thud_scaled_lcp_release(context, &e.lcp);
  return error;
}
