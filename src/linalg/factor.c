/* Sparse symmetric factors: the pattern, the shift, the messages and the iterative refinement. The factorisation itself
 * is the backend's (factor.h). */
#include "linalg/factor.h"
#include "base/base.h"

#include <string.h>

struct thud_factor {
  thud_context *context;
  thud_factor_kind kind;
  thud_lower_pattern pattern; /* its arrays are start and row below */
  thud_index *start, *row;
  thud_index *source; /* [start[n]] place of the entry among the given matrix's, -1 for a diagonal not stored there */
  double *value;      /* [start[n]] the matrix, without shift */
  double *shifted;    /* [start[n]] what is factorized */
  double norm;        /* |A|_inf */
  bool factorized;
  double *solution, *candidate, *residual; /* [n] each, work of the solve */
  thud_factor_backend *backend;            /* NULL when n is 0 */
};

/* ---- creation ----------------------------------------------------------------------------------- */

/* Entries of column j's lower triangle in A begin at the returned place. */
static thud_index lower_begin(const thud_sparse *A, thud_index j) {
  thud_index p = A->column_start[j];
  while (p < A->column_start[j + 1] && A->row[p] < j) p++;
  return p;
}

/* Copies the lower triangle's pattern, adding diagonal entries that are not stored. */
static void load_pattern(const thud_sparse *A, thud_factor *factor) {
  thud_index kept = 0;
  for (thud_index j = 0; j < A->columns; j++) {
    thud_index p = lower_begin(A, j);
    factor->start[j] = kept;
    if (p == A->column_start[j + 1] || A->row[p] != j) {
      factor->row[kept] = j;
      factor->source[kept++] = -1;
    }
    for (; p < A->column_start[j + 1]; p++) {
      factor->row[kept] = A->row[p];
      factor->source[kept++] = p;
    }
  }
  factor->start[A->columns] = kept;
}

static thud_error allocate_arrays(thud_factor *factor, const thud_sparse *A) {
  thud_context *context = factor->context;
  size_t n = (size_t)A->columns, entries = (size_t)A->column_start[n] + n;
  if (entries > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "factor: %zu entries, at most %d are possible", entries,
                     (int)INT32_MAX);
  factor->start = THUD_NEW_ARRAY(context, thud_index, n + 1);
  factor->row = THUD_NEW_ARRAY(context, thud_index, entries);
  factor->source = THUD_NEW_ARRAY(context, thud_index, entries);
  factor->value = THUD_NEW_ARRAY(context, double, entries);
  factor->shifted = THUD_NEW_ARRAY(context, double, entries);
  factor->solution = THUD_NEW_ARRAY(context, double, n);
  factor->candidate = THUD_NEW_ARRAY(context, double, n);
  factor->residual = THUD_NEW_ARRAY(context, double, n);
  bool complete = factor->start != NULL && factor->row != NULL && factor->source != NULL && factor->value != NULL &&
                  factor->shifted != NULL && factor->solution != NULL && factor->candidate != NULL &&
                  factor->residual != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error check_square(thud_context *context, const thud_sparse *A) {
  thud_error error = thud_sparse_check(context, A);
  if (error != THUD_OK) return thud_fail_within(context, error, "factor");
  if (A->rows != A->columns)
    return thud_fail(context, THUD_ERROR_DIMENSION, "factor: the matrix is %d x %d, a square one is needed",
                     (int)A->rows, (int)A->columns);
  return THUD_OK;
}

thud_error thud_factor_create(thud_context *context, const thud_sparse *pattern, thud_factor_kind kind,
                              thud_factor **factor) {
  THUD_REQUIRE(context, context, pattern, factor);
  if (kind != THUD_FACTOR_CHOLESKY && kind != THUD_FACTOR_LDL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "factor: %d is not a kind of factor", (int)kind);
  thud_error error = check_square(context, pattern);
  if (error != THUD_OK) return error;
  thud_factor *made = THUD_NEW(context, thud_factor);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->kind = kind;
  error = allocate_arrays(made, pattern);
  if (error == THUD_OK) {
    load_pattern(pattern, made);
    made->pattern = (thud_lower_pattern){pattern->columns, made->start, made->row};
    if (pattern->columns > 0) error = thud_factor_backend_create(context, &made->pattern, kind, &made->backend);
  }
  if (error != THUD_OK) {
    thud_factor_destroy(made);
    return error;
  }
  *factor = made;
  return THUD_OK;
}

void thud_factor_destroy(thud_factor *factor) {
  if (factor == NULL) return;
  thud_context *context = factor->context;
  thud_factor_backend_destroy(context, factor->backend);
  thud_free(context, factor->start);
  thud_free(context, factor->row);
  thud_free(context, factor->source);
  thud_free(context, factor->value);
  thud_free(context, factor->shifted);
  thud_free(context, factor->solution);
  thud_free(context, factor->candidate);
  thud_free(context, factor->residual);
  thud_free(context, factor);
}

/* ---- factorisation ------------------------------------------------------------------------------ */

static thud_error check_same_pattern(const thud_factor *factor, const thud_sparse *A) {
  thud_index n = factor->pattern.n;
  if (A->columns != n)
    return thud_fail(factor->context, THUD_ERROR_DIMENSION, "factor: made for size %d, the matrix has size %d", (int)n,
                     (int)A->columns);
  for (thud_index j = 0; j < n; j++) {
    thud_index p = lower_begin(A, j), end = A->column_start[j + 1];
    thud_index k = factor->start[j];
    if (factor->source[k] < 0) k++;
    bool same = end - p == factor->start[j + 1] - k;
    for (; same && p < end; p++, k++) same = A->row[p] == factor->row[k] && p == factor->source[k];
    if (!same)
      return thud_fail(factor->context, THUD_ERROR_ARGUMENT,
                       "factor: column %d has another pattern than the matrix given to create", (int)j);
  }
  return THUD_OK;
}

static thud_error check_shift(const thud_factor *factor, const double *shift) {
  for (thud_index j = 0; shift != NULL && j < factor->pattern.n; j++)
    if (!isfinite(shift[j]))
      return thud_fail(factor->context, THUD_ERROR_NOT_FINITE, "factor: shift %d is %g", (int)j, shift[j]);
  return THUD_OK;
}

static void load_values(thud_factor *factor, const thud_sparse *A, const double *shift) {
  thud_index n = factor->pattern.n;
  for (thud_index k = 0; k < factor->start[n]; k++)
    factor->value[k] = factor->shifted[k] = factor->source[k] < 0 ? 0 : A->value[factor->source[k]];
  for (thud_index j = 0; shift != NULL && j < n; j++) factor->shifted[factor->start[j]] += shift[j];
}

/* y += alpha A x with the lower triangle of A; with magnitudes, |A| in A's place. */
static void multiply_symmetric(const thud_factor *factor, bool magnitudes, double alpha, const double *x, double *y) {
  for (thud_index j = 0; j < factor->pattern.n; j++) {
    double sum = 0;
    for (thud_index k = factor->start[j]; k < factor->start[j + 1]; k++) {
      thud_index i = factor->row[k];
      double entry = alpha * (magnitudes ? fabs(factor->value[k]) : factor->value[k]);
      sum += entry * x[i];
      if (i != j) y[i] += entry * x[j];
    }
    y[j] += sum;
  }
}

static double largest_magnitude(thud_index n, const double *x) {
  double largest = 0;
  for (thud_index i = 0; i < n; i++) {
    double magnitude = fabs(x[i]);
    if (!(magnitude <= largest)) largest = magnitude; /* NaN stays: nothing compares with it */
    if (isnan(magnitude)) break;
  }
  return largest;
}

/* |A|_inf: the largest component of |A| times a vector of ones. */
static double matrix_norm(const thud_factor *factor) {
  thud_index n = factor->pattern.n;
  for (thud_index i = 0; i < n; i++) {
    factor->candidate[i] = 1;
    factor->residual[i] = 0;
  }
  multiply_symmetric(factor, true, 1, factor->candidate, factor->residual);
  return largest_magnitude(n, factor->residual);
}

static thud_error report_bad_pivot(const thud_factor *factor, const thud_bad_pivot *bad) {
  bool cholesky = factor->kind == THUD_FACTOR_CHOLESKY;
  thud_error error = cholesky ? THUD_ERROR_NOT_SPD : THUD_ERROR_SINGULAR;
  const char *what = cholesky ? "not positive definite" : "singular, or in need of a shift there";
  if (isnan(bad->pivot))
    return thud_fail(factor->context, error, "factor: the pivot of column %d is not positive: the matrix is %s",
                     (int)bad->column, what);
  return thud_fail(factor->context, error,
                   "factor: the pivot of column %d is %.6g, from terms of size %.6g: "
                   "the matrix is %s",
                   (int)bad->column, bad->pivot, bad->scale, what);
}

thud_error thud_factor_factorize(thud_factor *factor, const thud_sparse *A, const double *shift) {
  THUD_REQUIRE_OF(factor, A);
  thud_error error = check_square(factor->context, A);
  if (error == THUD_OK) error = check_same_pattern(factor, A);
  if (error == THUD_OK) error = check_shift(factor, shift);
  if (error != THUD_OK) return error;
  factor->factorized = false;
  load_values(factor, A, shift);
  factor->norm = matrix_norm(factor);
  thud_bad_pivot bad = {.column = -1};
  if (factor->backend != NULL) {
    error = thud_factor_backend_factorize(factor->context, factor->backend, factor->shifted, shift != NULL, &bad);
    if (error == THUD_OK && bad.column >= 0) error = report_bad_pivot(factor, &bad);
  }
  factor->factorized = error == THUD_OK;
  return error;
}

/* ---- solution ----------------------------------------------------------------------------------- */

static thud_error apply_inverse(thud_factor *factor, size_t count, double *x) {
  return factor->backend != NULL ? thud_factor_backend_solve(factor->context, factor->backend, count, x) : THUD_OK;
}

/* residual = b - A x; returns its largest magnitude. */
static double compute_residual(thud_factor *factor, const double *b, const double *x) {
  thud_index n = factor->pattern.n;
  for (thud_index i = 0; i < n; i++) factor->residual[i] = b[i];
  multiply_symmetric(factor, false, -1, x, factor->residual);
  return largest_magnitude(n, factor->residual);
}

/* Refinement x <- x + F^-1 (b - A x): with F = A it fixes rounding, with F = A + shift it is the proximal iteration,
 * whose fixed points solve A x = b. Stops early when the residual no longer falls; *size is the residual's at the
 * end. */
static thud_error refine(thud_factor *factor, int refinements, const double *b, double *size) {
  size_t bytes = (size_t)factor->pattern.n * sizeof(double);
  *size = compute_residual(factor, b, factor->solution);
  for (int step = 0; step<refinements && * size> 0; step++) {
    memcpy(factor->candidate, factor->residual, bytes);
    thud_error error = apply_inverse(factor, 1, factor->candidate);
    if (error != THUD_OK) return error;
    for (thud_index i = 0; i < factor->pattern.n; i++) factor->candidate[i] += factor->solution[i];
    double next = compute_residual(factor, b, factor->candidate);
    if (!(next < *size)) break;
    memcpy(factor->solution, factor->candidate, bytes);
    *size = next;
  }
  return THUD_OK;
}

static thud_error check_solve(const thud_factor *factor, int refinements, const double *b) {
  if (!factor->factorized)
    return thud_fail(factor->context, THUD_ERROR_ARGUMENT, "factor: nothing to solve with, call factorize first");
  if (refinements < 0 || refinements > 10)
    return thud_fail(factor->context, THUD_ERROR_ARGUMENT, "factor: %d refinements, 0..10 are possible", refinements);
  for (thud_index i = 0; i < factor->pattern.n; i++)
    if (!isfinite(b[i]))
      return thud_fail(factor->context, THUD_ERROR_NOT_FINITE, "factor: right-hand side %d is %g", (int)i, b[i]);
  return THUD_OK;
}

thud_error thud_factor_solve(thud_factor *factor, int refinements, const double *b, double *x, double *residual) {
  THUD_REQUIRE_OF(factor, factor->pattern.n == 0 || (b && x));
  thud_error error = check_solve(factor, refinements, b);
  if (error != THUD_OK) return error;
  thud_index n = factor->pattern.n;
  size_t bytes = (size_t)n * sizeof(double);
  double size = 0;
  if (n > 0) memcpy(factor->solution, b, bytes);
  error = apply_inverse(factor, 1, factor->solution);
  if (error == THUD_OK && (refinements > 0 || residual != NULL)) error = refine(factor, refinements, b, &size);
  if (error != THUD_OK) return error;
  double largest = largest_magnitude(n, factor->solution);
  if (!isfinite(largest))
    return thud_fail(factor->context, THUD_ERROR_NOT_FINITE, "factor: the solution is too large for a double");
  if (residual != NULL) {
    double scale = factor->norm * largest + largest_magnitude(n, b);
    *residual = scale > 0 ? size / scale : 0;
  }
  if (n > 0) memcpy(x, factor->solution, bytes);
  return THUD_OK;
}

thud_error thud_factor_solve_many(thud_factor *factor, thud_index count, double *x) {
  THUD_REQUIRE_OF(factor, count <= 0 || factor->pattern.n == 0 || x);
  size_t n = (size_t)factor->pattern.n, all;
  if (count < 0 || !thud_size_multiply(n, (size_t)count, &all))
    return thud_fail(factor->context, THUD_ERROR_DIMENSION, "factor: %d right-hand sides are not possible", (int)count);
  thud_error error = THUD_OK;
  for (thud_index k = 0; k < count && error == THUD_OK; k++) error = check_solve(factor, 0, x + n * (size_t)k);
  if (error == THUD_OK && all > 0) error = apply_inverse(factor, (size_t)count, x);
  for (size_t k = 0; k < all && error == THUD_OK; k++)
    if (!isfinite(x[k]))
      error = thud_fail(factor->context, THUD_ERROR_NOT_FINITE, "factor: the solution is too large for a double");
  return error;
}

/* One step of refinement for all columns at once; a column keeps what it had where its residual does not fall. */
thud_error thud_factor_refine_many(thud_factor *factor, size_t count, const double *b, double *x, double *work) {
  size_t n = (size_t)factor->pattern.n;
  bool any = false;
  for (size_t k = 0; k < count; k++) {
    any = compute_residual(factor, b + k * n, x + k * n) > 0 || any;
    if (n > 0) memcpy(work + k * n, factor->residual, n * sizeof *work);
  }
  if (!any) return THUD_OK;
  thud_error error = apply_inverse(factor, count, work);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    double before = compute_residual(factor, b + k * n, x + k * n), *candidate = work + k * n;
    for (size_t i = 0; i < n; i++) candidate[i] += x[k * n + i];
    if (compute_residual(factor, b + k * n, candidate) < before) memcpy(x + k * n, candidate, n * sizeof *x);
  }
  return error;
}
