/* M^-1 of the global form. */
#include "contact/mass.h"
#include "contact/problem.h"
#include "contact/contact_sparse.h"
#include "linalg/factor.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps of refinement against M, and the relative residual below which a solve counts as accurate to rounding. */
enum { REFINEMENTS = 60 };
static const double accurate = 64 * DBL_EPSILON;

struct thud_mass {
  thud_context *context;
  thud_matrix M; /* borrowed arrays */
  thud_index n;
  thud_factor *factor; /* of the symmetric part; NULL: the blocks or the dense inverse are used */
  bool is_symmetric;
  size_t width;             /* > 0: M is block-diagonal with blocks of this width (the last may be narrower), */
  double *blocks;           /* [n*width] whose LU stand here by columns: L below, 1/U_ii on the diagonal, U above */
  double *inverse;          /* [n*n] column-major, or NULL */
  double *residual, *trial; /* [n] scratch */
  double norm;              /* |M|_inf */
};

void thud_mass_destroy(thud_mass *mass) {
  if (mass == NULL) return;
  thud_factor_destroy(mass->factor);
  thud_free(mass->context, mass->inverse);
  thud_free(mass->context, mass->blocks);
  thud_free(mass->context, mass->residual);
  thud_free(mass->context, mass->trial);
  thud_free(mass->context, mass);
}

/* ---- bodies apart from each other: blocks of up to 6 degrees of freedom -------------------------------------------
 */

/* The smallest width of blocks that hold all entries, 0 when they are wider than THUD_CONTACT_BLOCK_MAX. */
static size_t width_of_blocks(const thud_sparse *M) {
  for (thud_index width = 1; width <= THUD_CONTACT_BLOCK_MAX; width++)
    if (thud_sparse_fits_blocks(M, width)) return (size_t)width;
  return 0;
}

/* LU of one block in place, columns of length `width`. No pivoting: where the block is symmetric positive definite, no
 * product l_ik u_kj is larger than sqrt(a_ii a_jj), whatever the units. False when one is BLOCK_GROWTH times that (a
 * large skew part), or a pivot is not positive or cannot be distinguished from 0. */
static const double BLOCK_GROWTH = 10;

static bool factorize_block(size_t width, size_t n, double *A) {
  double size[THUD_CONTACT_BLOCK_MAX];
  for (size_t i = 0; i < n; i++) size[i] = A[i * width + i];
  for (size_t k = 0; k < n; k++) {
    if (!(A[k * width + k] > (double)(n * n) * DBL_EPSILON * size[k])) return false;
    double inverse = 1 / A[k * width + k];
    A[k * width + k] = inverse;
    for (size_t i = k + 1; i < n; i++) A[k * width + i] *= inverse;
    for (size_t j = k + 1; j < n; j++)
      for (size_t i = k + 1; i < n; i++) {
        double product = A[k * width + i] * A[j * width + k];
        if (!(product * product <= BLOCK_GROWTH * BLOCK_GROWTH * size[i] * size[j])) return false;
        A[j * width + i] -= product;
      }
  }
  return true;
}

/* *done is false when M has no such blocks or a pivot of one of them is not positive. */
static thud_error factorize_blocks(thud_mass *mass, const thud_sparse *M, bool *done) {
  size_t n = (size_t)mass->n, width = width_of_blocks(M);
  *done = false;
  if (width == 0) return THUD_OK;
  mass->blocks = THUD_NEW_ARRAY(mass->context, double, n *width);
  if (mass->blocks == NULL) return THUD_ERROR_MEMORY;
  *done = true;
  for (size_t first = 0; *done && first < n; first += width) {
    size_t own = n - first < width ? n - first : width;
    for (size_t j = first; j < first + own; j++)
      for (thud_index p = M->column_start[j]; p < M->column_start[j + 1]; p++)
        if (M->value[p] != 0) mass->blocks[j * width + (size_t)M->row[p] - first] = M->value[p];
    *done = factorize_block(width, own, mass->blocks + first * width);
  }
  if (*done) mass->width = width;
  return THUD_OK;
}

static void solve_block(size_t width, size_t n, const double *LU, const double *b, double *x) {
  for (size_t i = 0; i < n; i++) {
    x[i] = b[i];
    for (size_t k = 0; k < i; k++) x[i] -= LU[k * width + i] * x[k];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) x[i] -= LU[k * width + i] * x[k];
    x[i] *= LU[i * width + i];
  }
}

/* ---- any matrix -----------------------------------------------------------------------------------------------------
 */

/* Factor of a symmetric matrix: Cholesky, LDL' when it is not positive definite. */
static thud_error factorize(thud_mass *mass, const thud_sparse *symmetric) {
  thud_error error = THUD_OK;
  for (int kind = THUD_FACTOR_CHOLESKY; kind <= THUD_FACTOR_LDL; kind++) {
    error = thud_factor_create(mass->context, symmetric, (thud_factor_kind)kind, &mass->factor);
    if (error == THUD_OK) error = thud_factor_factorize(mass->factor, symmetric, NULL);
    if (error != THUD_ERROR_NOT_SPD) break;
    thud_factor_destroy(mass->factor);
    mass->factor = NULL;
  }
  return error;
}

/* |b - M x|_inf / (|M||x|_inf + |b|_inf); residual[n] = b - M x. */
static double relative_residual(thud_mass *mass, const double *b, const double *x, double *residual) {
  size_t n = (size_t)mass->n;
  memcpy(residual, b, n * sizeof *b);
  thud_matrix_multiply_vector(mass->context, &mass->M, false, -1, x, 1, residual);
  double size = mass->norm * thud_norm_max(mass->context, n, x, NULL) + thud_norm_max(mass->context, n, b, NULL);
  return size > 0 ? thud_norm_max(mass->context, n, residual, NULL) / size : 0;
}

/* x <- x + (b - M x) corrections through the factor of the symmetric part until the residual no longer falls. Returns
 * the last residual |b - M x|_inf / (|M||x|_inf + |b|_inf) in *reached. */
static thud_error refine(thud_mass *mass, const double *b, double *x, double *reached) {
  size_t n = (size_t)mass->n;
  double best = INFINITY;
  memset(x, 0, n * sizeof *x);
  memset(mass->trial, 0, n * sizeof *x);
  for (int step = 0; step <= REFINEMENTS; step++) {
    double left = relative_residual(mass, b, mass->trial, mass->residual);
    if (!(left < best)) break;
    best = left;
    memcpy(x, mass->trial, n * sizeof *x);
    if (left <= DBL_EPSILON) break;
    thud_error error = thud_factor_solve(mass->factor, 0, mass->residual, mass->residual, NULL);
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < n; i++) mass->trial[i] += mass->residual[i];
  }
  *reached = best;
  return THUD_OK;
}

/* Does the refinement against a non-symmetric M converge? Tried on a right-hand side without structure. */
static thud_error try_refinement(thud_mass *mass, bool *works) {
  size_t n = (size_t)mass->n;
  double *work = THUD_NEW_ARRAY(mass->context, double, 2 * n), reached = 0;
  if (work == NULL) return THUD_ERROR_MEMORY;
  thud_random random = thud_random_seed(1);
  for (size_t i = 0; i < n; i++) work[i] = thud_random_uniform(&random, -1, 1);
  thud_error error = refine(mass, work, work + n, &reached);
  *works = error == THUD_OK && reached <= accurate;
  thud_free(mass->context, work);
  return error;
}

static thud_error invert_densely(thud_mass *mass, const thud_sparse *M) {
  size_t n = (size_t)mass->n;
  if (mass->n > THUD_MASS_DENSE_MAX)
    return thud_fail(mass->context, THUD_ERROR_UNSUPPORTED,
                     "M is far from symmetric and has %d rows; such matrices are inverted only up to %d rows",
                     (int)mass->n, (int)THUD_MASS_DENSE_MAX);
  double *dense = THUD_NEW_ARRAY(mass->context, double, n *n);
  mass->inverse = THUD_NEW_ARRAY(mass->context, double, n *n);
  thud_error error = dense == NULL || mass->inverse == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) {
    for (size_t j = 0; j < n; j++) {
      for (thud_index p = M->column_start[j]; p < M->column_start[j + 1]; p++)
        dense[(size_t)M->row[p] + j * n] = M->value[p];
      mass->inverse[j + j * n] = 1;
    }
    error = thud_dense_solve(mass->context, mass->n, dense, mass->n, mass->inverse);
  }
  thud_free(mass->context, dense);
  return error;
}

/* Chooses and makes the factor. */
static thud_error prepare(thud_mass *mass, const thud_sparse *M) {
  thud_sparse symmetric = {0};
  bool works = true, done;
  thud_error error = factorize_blocks(mass, M, &done);
  if (error != THUD_OK || done) return error;
  for (thud_index p = 0; p < M->column_start[M->columns]; p++) mass->trial[M->row[p]] += fabs(M->value[p]);
  mass->norm = thud_norm_max(mass->context, (size_t)mass->n, mass->trial, NULL);
  mass->is_symmetric = thud_sparse_asymmetry(M) == 0;
  if (mass->is_symmetric) return factorize(mass, M);
  error = thud_sparse_symmetric_part(mass->context, M, &symmetric);
  if (error == THUD_OK) error = factorize(mass, &symmetric);
  thud_sparse_destroy(mass->context, &symmetric);
  if (error == THUD_OK) error = try_refinement(mass, &works);
  if (error == THUD_ERROR_SINGULAR || !works) {
    thud_factor_destroy(mass->factor);
    mass->factor = NULL;
    error = invert_densely(mass, M);
  }
  return error;
}

thud_error thud_mass_create(thud_context *context, const thud_matrix *M, thud_mass **mass) {
  thud_sparse copy = {0};
  thud_mass *made = THUD_NEW(context, thud_mass);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->M = *M;
  made->n = M->rows;
  made->residual = THUD_NEW_ARRAY(context, double, M->rows);
  made->trial = THUD_NEW_ARRAY(context, double, M->rows);
  thud_error error = made->residual == NULL || made->trial == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK && M->storage == THUD_MATRIX_SPARSE)
    error = prepare(made, &M->sparse);
  else if (error == THUD_OK)
    error = thud_matrix_to_sparse(context, M, &copy);
  if (error == THUD_OK && M->storage != THUD_MATRIX_SPARSE) error = prepare(made, &copy);
  thud_sparse_destroy(context, &copy);
  if (error == THUD_OK)
    *mass = made;
  else
    thud_mass_destroy(made);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_fail_within(context, error, "mass matrix M");
}

/* x + M^-1_approx (b - M x): one refinement with the dense inverse. */
static void solve_densely(thud_mass *mass, const double *b, double *x) {
  size_t n = (size_t)mass->n;
  thud_dense_multiply_vector(mass->n, mass->n, mass->inverse, false, 1, b, 0, x);
  memcpy(mass->residual, b, n * sizeof *b);
  thud_matrix_multiply_vector(mass->context, &mass->M, false, -1, x, 1, mass->residual);
  thud_dense_multiply_vector(mass->n, mass->n, mass->inverse, false, 1, mass->residual, 1, x);
}

thud_error thud_mass_solve(thud_mass *mass, const double *b, double *x) {
  double reached = 0;
  size_t n = (size_t)mass->n, width = mass->width;
  for (size_t first = 0; width > 0 && first < n; first += width)
    solve_block(width, n - first < width ? n - first : width, mass->blocks + first * width, b + first, x + first);
  if (width > 0) return THUD_OK;
  if (mass->inverse != NULL) {
    solve_densely(mass, b, x);
    return THUD_OK;
  }
  if (mass->is_symmetric) return thud_factor_solve(mass->factor, 2, b, x, NULL);
  return refine(mass, b, x, &reached);
}

/* refine for several columns, which are solved for together until none of them improves. */
static thud_error refine_many(thud_mass *mass, size_t count, const double *b, double *x, double *work) {
  size_t n = (size_t)mass->n;
  double *trial = work, *residual = work + n * count, best[THUD_MASS_MANY];
  bool improves[THUD_MASS_MANY], any = true;
  memset(trial, 0, n * count * sizeof *trial);
  for (size_t k = 0; k < count; k++) {
    best[k] = INFINITY;
    improves[k] = true;
  }
  for (int step = 0; step <= REFINEMENTS && any; step++) {
    any = false;
    for (size_t k = 0; k < count; k++) {
      double left = improves[k] ? relative_residual(mass, b + k * n, trial + k * n, residual + k * n) : INFINITY;
      if (left < best[k]) memcpy(x + k * n, trial + k * n, n * sizeof *x);
      improves[k] = left < best[k] && left > DBL_EPSILON;
      best[k] = fmin(best[k], left);
      if (!improves[k]) memset(residual + k * n, 0, n * sizeof *residual);
      any = any || improves[k];
    }
    thud_error error = any ? thud_factor_solve_many(mass->factor, (thud_index)count, residual) : THUD_OK;
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < n * count && any; i++) trial[i] += residual[i];
  }
  return THUD_OK;
}

thud_error thud_mass_solve_many(thud_mass *mass, size_t count, const double *b, double *x, double *work) {
  size_t n = (size_t)mass->n;
  thud_error error = THUD_OK;
  if (mass->factor != NULL && mass->is_symmetric) {
    if (n > 0 && count > 0) memcpy(x, b, n * count * sizeof *x);
    error = thud_factor_solve_many(mass->factor, (thud_index)count, x);
    return error == THUD_OK ? thud_factor_refine_many(mass->factor, count, b, x, work) : error;
  }
  if (mass->factor != NULL && n > 0) return refine_many(mass, count, b, x, work);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = thud_mass_solve(mass, b + k * n, x + k * n);
  return error;
}
