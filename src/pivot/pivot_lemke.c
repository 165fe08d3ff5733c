/* Lemke's method for w = M z + q, 0 <= z perp w >= 0 (Cottle, Pang, Stone, The Linear Complementarity Problem,
 * algorithm 4.4.5): an artificial z_0 with covering vector 1 makes w = M z + 1 z_0 + q feasible; complementary pivots
 * drive z_0 to 0 or end on a ray. Equilibration makes it the same method with another positive covering vector. Ties of
 * the ratio test are broken lexicographically on the rows of [rhs, B^-1] (section 4.9), so that degenerate problems do
 * not cycle. The tableau is rebuilt from M and q now and then, and the final z comes from a fresh solve on its basis,
 * so that errors do not pile up. */
#include "pivot/lcp.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* Two ratios are equal within this multiple of the sizes they come from. */
static const double TIE = 1e-13;
/* An entry is a possible pivot above this multiple of the largest of its column. */
static const double PIVOT = 1e-11;
/* A final basis is a solution when max |min(z, w)| is below this multiple of max(|z|, |q|) (equilibrated). */
static const double ACCEPTED_RESIDUAL = 1e-8;
/* Pivots between rebuilds: REBUILD_EVERY, or n/2 where that is more (a rebuild costs about as much as n pivots). */
enum { REBUILD_EVERY = 64 };

/* Variables are numbered w_i = i, z_i = n + i, z_0 = 2n. Only B^-1 and the right hand side are carried from pivot to
 * pivot; the column of the entering variable is made from them and M. */
struct thud_lemke {
  thud_context *context;
  thud_index capacity; /* most unknowns; the arrays below have room for n = capacity */
  thud_scaled_lcp lcp;
  size_t n, width; /* of the problem at hand; width = n + 1 */
  double *tableau; /* [n*width] row-major: B^-1 [I, q] */
  double *fresh;   /* [n*width] column-major, for rebuilding */
  double *column;  /* [n] B^-1 times the column of the entering variable in [I, -M, -1] */
  double *minus;   /* [n+1] work: the column of [I, -M, -1], and 0 */
  double *matrix;  /* [n*n] basis matrix */
  size_t *basis;   /* [n] variable basic in each row */
  double *z;       /* [n] equilibrated */
  double *right;   /* [n] work */
  size_t *support; /* [n] work */
  double *real;    /* work of the linear solver, as is the next */
  thud_index *integer;
  double q_size; /* max |q| */
  thud_index pivots, limit;
  thud_lemke_stop_fn stop;
  void *stop_user;
  size_t ray_entering; /* the variable that grows along the ray; valid after THUD_PIVOT_RAY */
};

typedef struct thud_lemke lemke;

void thud_lemke_destroy(thud_lemke *s) {
  if (s == NULL) return;
  void *const blocks[] = {s->tableau, s->fresh, s->column,  s->minus, s->matrix, s->basis,
                          s->z,       s->right, s->support, s->real,  s->integer};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(s->context, blocks[k]);
  thud_scaled_lcp_release(s->context, &s->lcp);
  thud_free(s->context, s);
}

static bool allocate_tableau(lemke *s) {
  size_t n = (size_t)s->capacity, width = n + 1;
  s->tableau = THUD_NEW_ARRAY(s->context, double, n *width);
  s->fresh = THUD_NEW_ARRAY(s->context, double, n *width);
  s->column = THUD_NEW_ARRAY(s->context, double, n);
  s->minus = THUD_NEW_ARRAY(s->context, double, width);
  s->matrix = THUD_NEW_ARRAY(s->context, double, n *n);
  s->basis = THUD_NEW_ARRAY(s->context, size_t, n);
  s->z = THUD_NEW_ARRAY(s->context, double, n);
  s->right = THUD_NEW_ARRAY(s->context, double, n);
  s->support = THUD_NEW_ARRAY(s->context, size_t, n);
  s->real = THUD_NEW_ARRAY(s->context, double, thud_dense_solve_reals(s->capacity));
  s->integer = THUD_NEW_ARRAY(s->context, thud_index, 2 * n);
  return s->tableau != NULL && s->fresh != NULL && s->column != NULL && s->minus != NULL && s->matrix != NULL &&
         s->basis != NULL && s->z != NULL && s->right != NULL && s->support != NULL && s->real != NULL &&
         s->integer != NULL;
}

thud_error thud_lemke_create(thud_context *context, thud_index capacity, thud_lemke **made) {
  THUD_REQUIRE(context, context, made);
  if (capacity < 1) return thud_fail(context, THUD_ERROR_ARGUMENT, "Lemke: size %d, must be >= 1", (int)capacity);
  lemke *s = THUD_NEW(context, lemke);
  if (s == NULL) return THUD_ERROR_MEMORY;
  s->context = context;
  s->capacity = capacity;
  thud_error error = thud_scaled_lcp_allocate(context, capacity, &s->lcp);
  if (error == THUD_OK && !allocate_tableau(s)) error = THUD_ERROR_MEMORY;
  if (error != THUD_OK) {
    thud_lemke_destroy(s);
    return error;
  }
  *made = s;
  return THUD_OK;
}

/* Entry i of column `variable` of [I, -M, -1]. */
static double original_entry(const lemke *s, size_t i, size_t variable) {
  if (variable < s->n) return variable == i ? 1 : 0;
  if (variable < 2 * s->n) return -s->lcp.M[(variable - s->n) * s->n + i];
  return -1;
}

static void start(lemke *s) {
  s->q_size = 0;
  s->pivots = 0;
  memset(s->z, 0, s->n * sizeof *s->z);
  memset(s->tableau, 0, s->n * s->width * sizeof *s->tableau);
  for (size_t i = 0; i < s->n; i++) {
    s->basis[i] = i;
    s->q_size = fmax(s->q_size, fabs(s->lcp.q[i]));
    s->tableau[i * s->width + i] = 1;
    s->tableau[i * s->width + s->n] = s->lcp.q[i];
  }
}

static thud_error rebuild(lemke *s) {
  size_t n = s->n;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++) s->matrix[k * n + i] = original_entry(s, i, s->basis[k]);
  memset(s->fresh, 0, n * s->width * sizeof *s->fresh);
  for (size_t k = 0; k < n; k++) s->fresh[k * n + k] = 1;
  memcpy(s->fresh + n * n, s->lcp.q, n * sizeof *s->fresh);
  thud_error error =
      thud_dense_solve_in(s->context, (thud_index)n, s->matrix, (thud_index)s->width, s->fresh, s->real, s->integer);
  if (error == THUD_ERROR_SINGULAR) return THUD_OK; /* to working precision: the updated tableau is all there is */
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < s->width; k++) s->tableau[i * s->width + k] = s->fresh[k * n + i];
  return THUD_OK;
}

/* s->column of the entering variable. */
static void make_column(lemke *s, size_t entering) {
  size_t n = s->n;
  if (entering < n) { /* a column of B^-1 itself */
    for (size_t i = 0; i < n; i++) s->column[i] = s->tableau[i * s->width + entering];
    return;
  }
  for (size_t i = 0; i < n; i++) s->minus[i] = original_entry(s, i, entering);
  s->minus[n] = 0; /* the right hand side has no part in it */
  thud_dense_multiply_vector((thud_index)s->width, (thud_index)n, s->tableau, true, 1, s->minus, 0, s->column);
}

/* Gauss-Jordan step: `entering`, whose column has been made, becomes basic in `row`; returns the variable that leaves.
 */
static size_t pivot(lemke *s, size_t row, size_t entering) {
  double *pivot_row = s->tableau + row * s->width, inverse = 1 / s->column[row];
  for (size_t k = 0; k < s->width; k++) pivot_row[k] *= inverse;
  for (size_t i = 0; i < s->n; i++) {
    double *other = s->tableau + i * s->width, factor = s->column[i];
    if (i == row || factor == 0) continue;
    for (size_t k = 0; k < s->width; k++) other[k] -= factor * pivot_row[k];
  }
  size_t leaving = s->basis[row];
  s->basis[row] = entering;
  s->pivots++;
  return leaving;
}

/* True when [rhs, B^-1]_i / d_i is lexicographically below [rhs, B^-1]_j / d_j. z_0 wins a tie of the first column:
 * its leaving ends the method. */
static bool lexicographically_below(const lemke *s, size_t i, size_t j, double d_i, double d_j) {
  const double *row_i = s->tableau + i * s->width, *row_j = s->tableau + j * s->width;
  for (size_t k = 0; k <= s->n; k++) {
    size_t column = k == 0 ? s->width - 1 : k - 1;
    double size = k == 0 ? s->q_size : 1, a = row_i[column] / d_i, b = row_j[column] / d_j;
    double equal = TIE * (fmax(fabs(row_i[column]), size) / d_i + fmax(fabs(row_j[column]), size) / d_j);
    if (a < b - equal) return true;
    if (a > b + equal) return false;
    if (k == 0 && s->basis[j] == 2 * s->n) return false;
    if (k == 0 && s->basis[i] == 2 * s->n) return true;
  }
  return false;
}

/* Row that blocks the variable of s->column first; n when none does (a ray). */
static size_t ratio_test(const lemke *s) {
  double largest = 0;
  for (size_t i = 0; i < s->n; i++) largest = fmax(largest, fabs(s->column[i]));
  size_t best = s->n;
  double best_entry = 1;
  for (size_t i = 0; i < s->n; i++) {
    double entry = s->column[i];
    if (entry <= PIVOT * largest) continue;
    if (best < s->n && !lexicographically_below(s, i, best, entry, best_entry)) continue;
    best = i;
    best_entry = entry;
  }
  return best;
}

/* z_0 enters at the lexicographically smallest row of [q, I]: the most negative q_i, the last of equals. */
static size_t first_row(const lemke *s) {
  size_t best = 0;
  for (size_t i = 1; i < s->n; i++)
    if (s->lcp.q[i] <= s->lcp.q[best]) best = i;
  return best;
}

static thud_error complementary_pivots(lemke *s, thud_pivot_status *status) {
  thud_index rebuild_every = (thud_index)(s->n / 2 > REBUILD_EVERY ? s->n / 2 : REBUILD_EVERY);
  make_column(s, 2 * s->n);
  size_t leaving = pivot(s, first_row(s), 2 * s->n);
  *status = THUD_PIVOT_SOLVED;
  while (leaving != 2 * s->n) {
    size_t entering = leaving < s->n ? leaving + s->n : leaving - s->n;
    make_column(s, entering);
    size_t row = ratio_test(s);
    if (row == s->n) {
      *status = THUD_PIVOT_RAY;
      s->ray_entering = entering;
      return THUD_OK;
    }
    if (s->pivots >= s->limit || (s->stop != NULL && s->stop(s->stop_user) != 0)) {
      *status = THUD_PIVOT_LIMIT;
      return THUD_OK;
    }
    leaving = pivot(s, row, entering);
    thud_error error = s->pivots % rebuild_every == 0 ? rebuild(s) : THUD_OK;
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

/* z of the final tableau, then, when z_0 is out, M_aa z_a = -q_a solved afresh with one refinement. */
static thud_error read_solution(lemke *s, bool complementary) {
  size_t n = s->n, count = 0;
  for (size_t i = 0; i < n; i++) {
    if (s->basis[i] < n || s->basis[i] == 2 * n) continue;
    s->z[s->basis[i] - n] = fmax(s->tableau[i * s->width + s->width - 1], 0);
    s->support[count++] = s->basis[i] - n;
  }
  if (!complementary || count == 0) return THUD_OK;
  for (size_t j = 0; j < count; j++)
    for (size_t i = 0; i < count; i++) s->matrix[j * count + i] = s->lcp.M[s->support[j] * n + s->support[i]];
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < count; i++)
      s->right[i] = -thud_scaled_lcp_row(&s->lcp, (thud_index)s->support[i], s->z, NULL);
    thud_error error = thud_dense_solve_in(s->context, (thud_index)count, s->matrix, 1, s->right, s->real, s->integer);
    if (error == THUD_ERROR_SINGULAR) return THUD_OK;
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < count; i++) s->z[s->support[i]] += s->right[i];
  }
  for (size_t i = 0; i < count; i++) s->z[s->support[i]] = fmax(s->z[s->support[i]], 0);
  return THUD_OK;
}

/* Writes z and w in the caller's units and measures them. With a complementary basis w is exactly 0 where z > 0, and
 * the defect of w = M z + q is what `stationarity` says. */
static void report(const lemke *s, thud_pivot_status status, double *z, double *w, thud_pivot_info *info) {
  thud_pivot_info found = {.status = status, .iterations = s->pivots};
  double residual = 0, size = s->q_size;
  for (size_t i = 0; i < s->n; i++) size = fmax(size, s->z[i]);
  for (size_t i = 0; i < s->n; i++) {
    double value = thud_scaled_lcp_row(&s->lcp, (thud_index)i, s->z, NULL), kept = value;
    residual = fmax(residual, fabs(fmin(s->z[i], value)));
    if (status == THUD_PIVOT_SOLVED) kept = s->z[i] > 0 ? 0 : fmax(value, 0);
    z[i] = s->lcp.column_scale[i] * s->z[i];
    w[i] = kept / s->lcp.row_scale[i];
    if (z[i] > 0) found.active++;
    found.primal_violation = fmax(found.primal_violation, -value / s->lcp.row_scale[i]);
    found.stationarity = fmax(found.stationarity, fabs(kept - value) / s->lcp.row_scale[i]);
    found.complementarity = fmax(found.complementarity, fabs(z[i] * w[i]));
  }
  if (status == THUD_PIVOT_SOLVED && residual > ACCEPTED_RESIDUAL * size) found.status = THUD_PIVOT_LIMIT;
  if (info != NULL) *info = found;
}

/* The z part of the direction in which the last vertex can go without end: the entering variable grows by 1, the basic
 * one of row i by -column[i] >= 0 (what rounding leaves below 0 is dropped). Scaled to a largest entry of 1.
 */
static void read_ray(const lemke *s, double *ray) {
  double largest = 0;
  memset(ray, 0, s->n * sizeof *ray);
  if (s->ray_entering >= s->n) ray[s->ray_entering - s->n] = 1;
  for (size_t i = 0; i < s->n; i++)
    if (s->basis[i] >= s->n && s->basis[i] < 2 * s->n) ray[s->basis[i] - s->n] = fmax(-s->column[i], 0);
  for (size_t i = 0; i < s->n; i++) {
    ray[i] *= s->lcp.column_scale[i];
    largest = fmax(largest, ray[i]);
  }
  for (size_t i = 0; largest > 0 && i < s->n; i++) ray[i] /= largest;
}

thud_error thud_lemke_solve(thud_lemke *s, const thud_lemke_task *task, double *z, double *w, double *ray,
                            thud_pivot_info *info) {
  THUD_REQUIRE_OF(s, task, z, w);
  if (task->max_pivots < 1)
    return thud_fail(s->context, THUD_ERROR_ARGUMENT, "Lemke: at most %d pivots, must be >= 1", (int)task->max_pivots);
  if (task->n > s->capacity)
    return thud_fail(s->context, THUD_ERROR_DIMENSION, "Lemke: %d unknowns, made for at most %d", (int)task->n,
                     (int)s->capacity);
  thud_error error = thud_scaled_lcp_set(s->context, "Lemke", task->n, task->M, task->q, &s->lcp);
  if (error != THUD_OK) return error;
  s->n = (size_t)task->n;
  s->width = s->n + 1;
  s->limit = task->max_pivots;
  s->stop = task->stop;
  s->stop_user = task->stop_user;
  thud_pivot_status status = THUD_PIVOT_SOLVED;
  start(s);
  if (s->lcp.q[first_row(s)] < 0) error = complementary_pivots(s, &status);
  if (error == THUD_OK) error = read_solution(s, status == THUD_PIVOT_SOLVED);
  if (error != THUD_OK) return error;
  report(s, status, z, w, info);
  if (ray != NULL && status == THUD_PIVOT_RAY)
    read_ray(s, ray);
  else if (ray != NULL)
    memset(ray, 0, s->n * sizeof *ray);
  return THUD_OK;
}

thud_error thud_lcp_lemke(thud_context *context, thud_index n, const double *M, const double *q, thud_index max_pivots,
                          double *z, double *w, thud_pivot_info *info) {
  THUD_REQUIRE(context, context, M, q, z, w);
  thud_lemke *lemke_of_one = NULL;
  thud_error error = thud_lemke_create(context, n, &lemke_of_one);
  if (error != THUD_OK) return error;
  const thud_lemke_task task = {.n = n, .M = M, .q = q, .max_pivots = max_pivots};
  error = thud_lemke_solve(lemke_of_one, &task, z, w, NULL, info);
  thud_lemke_destroy(lemke_of_one);
  return error;
}
