/* A metric keeps M and its Cholesky factor L (M = LL'); a diagonal one keeps both as vectors. Nothing is allocated
 * after creation and nothing is written: temporaries of dense metrics live on the stack, which is why their dimension
 * is bounded by THUD_METRIC_DENSE_MAX. */
#include "linalg/dense.h"
#include "base/base.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* M_ij and M_ji may differ by this much, relative to the larger of the two and of sqrt(M_ii M_jj). */
#define SYMMETRY_TOLERANCE 1e-12

struct thud_metric {
  thud_context *context;
  thud_index n;
  bool diagonal;
  double smallest, largest; /* eigenvalues of M */
  double *M;                /* diagonal: [n]; else [n*n], both triangles, exactly symmetric */
  double *L;                /* diagonal: [n] square roots; else [n*n], lower triangle, zeros above */
};

/* ---- making ------------------------------------------------------------------------------------- */

static thud_error check_dimension(thud_context *context, thud_index n, thud_index maximum) {
  if (n < 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "metric: the dimension is %d, at least 1 is needed", (int)n);
  if (n > maximum)
    return thud_fail(context, THUD_ERROR_OVERFLOW,
                     "metric: the dimension %d is above %d, the largest of a dense metric; use a diagonal one", (int)n,
                     (int)maximum);
  return THUD_OK;
}

static thud_error check_symmetric_and_finite(thud_context *context, thud_index n, const double *M) {
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++)
      if (!isfinite(M[thud_at(n, i, j)]))
        return thud_fail(context, THUD_ERROR_NOT_FINITE, "metric: entry (%d,%d) is %g", (int)i, (int)j,
                         M[thud_at(n, i, j)]);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = j + 1; i < n; i++) {
      double lower = M[thud_at(n, i, j)], upper = M[thud_at(n, j, i)];
      double scale = sqrt(fabs(M[thud_at(n, i, i)])) * sqrt(fabs(M[thud_at(n, j, j)]));
      scale = fmax(scale, fmax(fabs(lower), fabs(upper)));
      if (fabs(lower - upper) > SYMMETRY_TOLERANCE * scale)
        return thud_fail(context, THUD_ERROR_NOT_SPD,
                         "metric: entry (%d,%d) is %.9g but (%d,%d) is %.9g: not symmetric", (int)i, (int)j, lower,
                         (int)j, (int)i, upper);
    }
  return THUD_OK;
}

/* True when the mean of M and M' is diagonal. */
static bool is_diagonal_matrix(thud_index n, const double *M) {
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = j + 1; i < n; i++)
      if (M[thud_at(n, i, j)] != -M[thud_at(n, j, i)]) return false;
  return true;
}

static thud_metric *allocate_metric(thud_context *context, thud_index n, bool diagonal) {
  size_t entries = diagonal ? (size_t)n : (size_t)n * (size_t)n;
  thud_metric *metric = THUD_NEW(context, thud_metric);
  if (metric == NULL) return NULL;
  metric->context = context;
  metric->n = n;
  metric->diagonal = diagonal;
  metric->M = THUD_NEW_ARRAY(context, double, entries);
  metric->L = THUD_NEW_ARRAY(context, double, entries);
  if (metric->M == NULL || metric->L == NULL) {
    thud_metric_destroy(metric);
    return NULL;
  }
  return metric;
}

/* Diagonal metric from entries d[k*stride]. */
static thud_error create_diagonal(thud_context *context, thud_index n, const double *d, size_t stride,
                                  thud_metric **metric) {
  for (thud_index i = 0; i < n; i++) {
    double entry = d[(size_t)i * stride];
    if (!isfinite(entry))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "metric: diagonal entry %d is %g", (int)i, entry);
    if (!(entry > 0))
      return thud_fail(context, THUD_ERROR_NOT_SPD, "metric: pivot %d is %.9g: not positive definite", (int)i, entry);
  }
  thud_metric *made = allocate_metric(context, n, true);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->smallest = made->largest = d[0];
  for (thud_index i = 0; i < n; i++) {
    made->M[i] = d[(size_t)i * stride];
    made->L[i] = sqrt(made->M[i]);
    made->smallest = fmin(made->smallest, made->M[i]);
    made->largest = fmax(made->largest, made->M[i]);
  }
  *metric = made;
  return THUD_OK;
}

/* Both triangles of M become the mean of the given ones; the lower triangle of L starts as M's. */
static void load_symmetric(const double *given, thud_metric *metric) {
  thud_index n = metric->n;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = j; i < n; i++) {
      double lower = given[thud_at(n, i, j)], upper = given[thud_at(n, j, i)];
      double mean = lower == upper ? lower : 0.5 * lower + 0.5 * upper;
      metric->M[thud_at(n, i, j)] = metric->M[thud_at(n, j, i)] = mean;
      metric->L[thud_at(n, i, j)] = mean;
    }
}

/* Tiny matrices, and those that LAPACK refused, go through the loops, which know the pivot's value. */
static thud_error factorize(const double *given, thud_metric *metric) {
  thud_index n = metric->n, failed;
  double pivot;
  load_symmetric(given, metric);
  if (n > THUD_DENSE_TINY) {
    if (thud_dense_cholesky(metric->context, n, metric->L, NULL) == THUD_OK) return THUD_OK;
    load_symmetric(given, metric);
  }
  if (thud_cholesky_loops(n, metric->L, &failed, &pivot)) return THUD_OK;
  return thud_fail(metric->context, THUD_ERROR_NOT_SPD, "metric: pivot %d is %.9g: not positive definite", (int)failed,
                   pivot);
}

/* Refuses pivots within their own rounding error: they say nothing about the sign of the true ones. In LDL' terms
 * l_ik = L_ik/L_kk, d_k = L_kk^2, and sum l_kj^2 d_j < M_kk. work[n] is overwritten. */
static thud_error check_pivots(const thud_metric *metric, double *work) {
  thud_index n = metric->n;
  memset(work, 0, (size_t)n * sizeof *work);
  for (thud_index k = 0; k < n; k++) {
    const double *column = metric->L + thud_at(n, 0, k);
    double diagonal = metric->M[thud_at(n, k, k)], pivot = column[k] * column[k];
    double error = thud_pivot_error(2 * diagonal, k, work[k]);
    if (!(pivot > error))
      return thud_fail(metric->context, THUD_ERROR_NOT_SPD,
                       "metric: pivot %d is %.3g, lost in the rounding of entry (%d,%d) = %.9g: not positive definite",
                       (int)k, pivot, (int)k, (int)k, diagonal);
    for (thud_index i = k + 1; i < n; i++) {
      double l = column[i] / column[k];
      work[i] += l * l * error;
    }
  }
  return THUD_OK;
}

/* 1/trace(M^-1) = 1/|L^-1|_F^2, a lower bound of the smallest eigenvalue that is at most n times too small. */
static double inverse_trace_bound(const thud_metric *metric, double *work) {
  thud_index n = metric->n;
  double trace = 0;
  for (thud_index j = 0; j < n; j++) {
    memset(work, 0, (size_t)n * sizeof *work);
    work[j] = 1;
    thud_dense_solve_lower(n, metric->L, false, work);
    for (thud_index i = j; i < n; i++) trace += work[i] * work[i];
  }
  return 1 / trace;
}

/* LAPACK loses eigenvalues below n eps times the largest in rounding (tiny matrices keep them: Jacobi's method); the
 * trace bound then takes the smallest's place. */
static thud_error compute_bounds(thud_metric *metric, double *work) {
  thud_index n = metric->n;
  thud_error error = thud_dense_eigen_symmetric(metric->context, n, metric->M, work, NULL);
  if (error != THUD_OK) return error;
  metric->smallest = work[0];
  metric->largest = work[n - 1];
  double lost = n > THUD_DENSE_TINY ? (double)n * DBL_EPSILON * metric->largest : 0;
  if (metric->smallest <= lost) metric->smallest = inverse_trace_bound(metric, work);
  return THUD_OK;
}

static thud_error prepare_dense(const double *given, thud_metric *metric) {
  double *work = THUD_NEW_ARRAY(metric->context, double, metric->n);
  if (work == NULL) return THUD_ERROR_MEMORY;
  thud_error error = factorize(given, metric);
  if (error == THUD_OK) error = check_pivots(metric, work);
  if (error == THUD_OK) error = compute_bounds(metric, work);
  thud_free(metric->context, work);
  return error;
}

thud_error thud_metric_create(thud_context *context, thud_index n, const double *M, thud_metric **metric) {
  THUD_REQUIRE(context, context, M, metric);
  thud_error error = check_dimension(context, n, THUD_METRIC_DENSE_MAX);
  if (error == THUD_OK) error = check_symmetric_and_finite(context, n, M);
  if (error != THUD_OK) return error;
  if (is_diagonal_matrix(n, M)) return create_diagonal(context, n, M, (size_t)n + 1, metric);
  thud_metric *made = allocate_metric(context, n, false);
  if (made == NULL) return THUD_ERROR_MEMORY;
  error = prepare_dense(M, made);
  if (error != THUD_OK) {
    thud_metric_destroy(made);
    return error;
  }
  *metric = made;
  return THUD_OK;
}

thud_error thud_metric_create_diagonal(thud_context *context, thud_index n, const double *diagonal,
                                       thud_metric **metric) {
  THUD_REQUIRE(context, context, diagonal, metric);
  thud_error error = check_dimension(context, n, INT32_MAX);
  return error != THUD_OK ? error : create_diagonal(context, n, diagonal, 1, metric);
}

void thud_metric_destroy(thud_metric *metric) {
  if (metric == NULL) return;
  thud_context *context = metric->context;
  thud_free(context, metric->M);
  thud_free(context, metric->L);
  thud_free(context, metric);
}

/* ---- asking ------------------------------------------------------------------------------------- */

thud_index thud_metric_dimension(const thud_metric *metric) {
  THUD_REQUIRE_OR(0, metric);
  return metric->n;
}

bool thud_metric_is_diagonal(const thud_metric *metric) { return metric == NULL || metric->diagonal; }

double thud_metric_entry(const thud_metric *metric, thud_index i, thud_index j) {
  if (metric == NULL) return i == j ? 1 : 0;
  if (metric->diagonal) return i == j ? metric->M[i] : 0;
  return metric->M[thud_at(metric->n, i, j)];
}

void thud_metric_bounds(const thud_metric *metric, double *smallest, double *largest) {
  THUD_REQUIRE_OR(, smallest, largest);
  *smallest = metric == NULL ? 1 : metric->smallest;
  *largest = metric == NULL ? 1 : metric->largest;
}

/* ---- linear maps -------------------------------------------------------------------------------- */

static void copy_vector(thud_index n, const double *x, double *y) {
  if (x != y) memcpy(y, x, (size_t)n * sizeof *y);
}

static void scale_by(thud_index n, const double *d, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] = d[i] * x[i];
}

static void divide_by(thud_index n, const double *d, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] = x[i] / d[i];
}

static void apply_tiny(thud_index n, const double *M, const double *x, double *y) {
  double sum[THUD_DENSE_TINY] = {0};
  for (thud_index j = 0; j < n; j++) {
    const double *column = M + thud_at(n, 0, j);
    for (thud_index i = 0; i < n; i++) sum[i] += x[j] * column[i];
  }
  for (thud_index i = 0; i < n; i++) y[i] = sum[i];
}

static void apply_large(thud_index n, const double *M, const double *x, double *y) {
  double copy[THUD_METRIC_DENSE_MAX];
  if (x == y) {
    copy_vector(n, x, copy);
    x = copy;
  }
  THUD_BLAS(cblas_dsymv(CblasColMajor, CblasLower, n, 1, M, n, x, 1, 0, y, 1));
}

void thud_metric_apply(const thud_metric *metric, thud_index n, const double *x, double *y) {
  THUD_REQUIRE_OR(, n == 0 || (x && y));
  if (metric == NULL)
    copy_vector(n, x, y);
  else if (metric->diagonal)
    scale_by(n, metric->M, x, y);
  else if (n <= THUD_DENSE_TINY)
    apply_tiny(n, metric->M, x, y);
  else
    apply_large(n, metric->M, x, y);
}

void thud_metric_solve(const thud_metric *metric, thud_index n, const double *x, double *y) {
  THUD_REQUIRE_OR(, n == 0 || (x && y));
  if (metric != NULL && metric->diagonal) {
    divide_by(n, metric->M, x, y);
    return;
  }
  copy_vector(n, x, y);
  if (metric == NULL) return;
  thud_dense_solve_lower(n, metric->L, false, y);
  thud_dense_solve_lower(n, metric->L, true, y);
}

/* (L'x)_i = sum over k >= i of L_ki x_k, with L's column i contiguous. */
static double factor_row(const thud_metric *metric, thud_index i, const double *x) {
  const double *column = metric->L + thud_at(metric->n, 0, i);
  double sum = 0;
  for (thud_index k = i; k < metric->n; k++) sum += column[k] * x[k];
  return sum;
}

void thud_metric_to_euclidean(const thud_metric *metric, thud_index n, const double *x, double *y) {
  THUD_REQUIRE_OR(, n == 0 || (x && y));
  if (metric == NULL)
    copy_vector(n, x, y);
  else if (metric->diagonal)
    scale_by(n, metric->L, x, y);
  else
    for (thud_index i = 0; i < n; i++) y[i] = factor_row(metric, i, x); /* x_k, k < i, is not needed any more */
}

/* y = L^-T x or L^-1 x. */
static void solve_with_factor(const thud_metric *metric, thud_index n, bool transposed, const double *x, double *y) {
  if (metric != NULL && metric->diagonal) {
    divide_by(n, metric->L, x, y);
    return;
  }
  copy_vector(n, x, y);
  if (metric != NULL) thud_dense_solve_lower(n, metric->L, transposed, y);
}

void thud_metric_from_euclidean(const thud_metric *metric, thud_index n, const double *x, double *y) {
  THUD_REQUIRE_OR(, n == 0 || (x && y));
  solve_with_factor(metric, n, true, x, y);
}

void thud_metric_covector_to_euclidean(const thud_metric *metric, thud_index n, const double *x, double *y) {
  THUD_REQUIRE_OR(, n == 0 || (x && y));
  solve_with_factor(metric, n, false, x, y);
}

/* ---- norms -------------------------------------------------------------------------------------- */

/* Sum of (scale z_i)^2 with z = L'(x - y), y NULL for 0; no place needed for z. */
static double sum_of_squares(const thud_metric *metric, thud_index n, const double *x, const double *y, double scale) {
  double sum = 0;
  for (thud_index i = 0; i < n; i++) {
    double z = 0;
    if (metric == NULL || metric->diagonal) {
      z = scale * (y == NULL ? x[i] : x[i] - y[i]);
      if (metric != NULL) z *= metric->L[i];
    } else {
      const double *column = metric->L + thud_at(n, 0, i);
      for (thud_index k = i; k < n; k++) z += column[k] * (scale * (y == NULL ? x[k] : x[k] - y[k]));
    }
    sum += z * z;
  }
  return sum;
}

/* Sums of squares between these bounds have neither overflowed nor lost digits to underflow. */
#define SAFE_SMALL 1e-280
#define SAFE_LARGE 1e280

double thud_metric_norm(const thud_metric *metric, thud_index n, const double *x) {
  THUD_REQUIRE_OR(NAN, n == 0 || x);
  return thud_metric_distance(metric, n, x, NULL);
}

double thud_metric_distance(const thud_metric *metric, thud_index n, const double *x, const double *y) {
  THUD_REQUIRE_OR(NAN, n == 0 || x);
  double sum = sum_of_squares(metric, n, x, y, 1);
  if (sum > SAFE_SMALL && sum < SAFE_LARGE) return sqrt(sum);
  double largest = 0; /* fmax passes over NaN, which then comes out of the sum */
  for (thud_index i = 0; i < n; i++) largest = fmax(largest, fabs(y == NULL ? x[i] : x[i] - y[i]));
  if (largest == 0 || isinf(largest)) return sqrt(sum);
  int exponent; /* powers of two scale without rounding; 2^1074 itself would overflow */
  frexp(largest, &exponent);
  if (exponent < -1000) exponent = -1000;
  return ldexp(sqrt(sum_of_squares(metric, n, x, y, ldexp(1, -exponent))), exponent);
}

static double dual_norm_tiny(const thud_metric *metric, thud_index n, const double *x) {
  double z[THUD_DENSE_TINY];
  solve_with_factor(metric, n, false, x, z);
  return thud_metric_norm(NULL, n, z);
}

static double dual_norm_large(const thud_metric *metric, thud_index n, const double *x) {
  double z[THUD_METRIC_DENSE_MAX];
  solve_with_factor(metric, n, false, x, z);
  return thud_metric_norm(NULL, n, z);
}

/* Any n, so z has no place on the stack: the plain sum, or the sum relative to the largest |z_i|. */
static double dual_norm_diagonal(const thud_metric *metric, thud_index n, const double *x) {
  double largest = 0, sum = 0;
  for (thud_index i = 0; i < n; i++) {
    double z = x[i] / metric->L[i];
    largest = fmax(largest, fabs(z));
    sum += z * z;
  }
  if ((sum > SAFE_SMALL && sum < SAFE_LARGE) || largest == 0 || isinf(largest)) return sqrt(sum);
  sum = 0;
  for (thud_index i = 0; i < n; i++) {
    double z = x[i] / metric->L[i] / largest;
    sum += z * z;
  }
  return largest * sqrt(sum);
}

double thud_metric_dual_norm(const thud_metric *metric, thud_index n, const double *x) {
  THUD_REQUIRE_OR(NAN, n == 0 || x);
  if (metric == NULL) return thud_metric_norm(NULL, n, x);
  if (metric->diagonal) return dual_norm_diagonal(metric, n, x);
  return n <= THUD_DENSE_TINY ? dual_norm_tiny(metric, n, x) : dual_norm_large(metric, n, x);
}
