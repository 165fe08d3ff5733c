/* Products, Cholesky and triangular solves. Sizes up to THUD_DENSE_TINY run in plain loops: there a call of BLAS costs
 * more than the arithmetic. */
#include "linalg/dense.h"
#include "base/base.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

static bool is_tiny(thud_index n) { return n <= THUD_DENSE_TINY; }

/* Few numbers that are not 0, as among impulses where most contacts are open: columns are passed over then. */
static bool is_mostly_zero(thud_index n, const double *x) {
  thud_index count = 0;
  for (thud_index j = 0; x != NULL && j < n; j++) count += x[j] != 0;
  return count < n / 4;
}

static void multiply_vector_loops(thud_index m, thud_index n, const double *A, double alpha, const double *x,
                                  double *y) {
  for (thud_index j = 0; j < n; j++) {
    const double *column = A + thud_at(m, 0, j);
    double factor = alpha * x[j];
    if (factor == 0) continue;
    for (thud_index i = 0; i < m; i++) y[i] += factor * column[i];
  }
}

static void multiply_vector_transposed_loops(thud_index m, thud_index n, const double *A, double alpha, const double *x,
                                             double *y) {
  for (thud_index j = 0; j < n; j++) {
    const double *column = A + thud_at(m, 0, j);
    double sum = 0;
    for (thud_index i = 0; i < m; i++) sum += column[i] * x[i];
    y[j] += alpha * sum;
  }
}

void thud_dense_multiply_vector(thud_index m, thud_index n, const double *A, bool transposed, double alpha,
                                const double *x, double beta, double *y) {
  THUD_REQUIRE_OR(, alpha == 0 || m == 0 || n == 0 || (A && x), y || m == 0 || n == 0);
  thud_index outputs = transposed ? n : m;
  if (outputs <= 0) return;
  if ((!is_tiny(m) || !is_tiny(n)) && (transposed || !is_mostly_zero(n, x))) {
    if (m > 0 && n > 0 && alpha != 0) {
      THUD_BLAS(
          cblas_dgemv(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, m, n, alpha, A, m, x, 1, beta, y, 1));
      return;
    }
  }
  thud_scale_vector((size_t)outputs, beta, y);
  if (alpha == 0) return;
  if (transposed)
    multiply_vector_transposed_loops(m, n, A, alpha, x, y);
  else
    multiply_vector_loops(m, n, A, alpha, x, y);
}

void thud_dense_multiply(thud_index m, thud_index n, thud_index k, double alpha, const double *A, bool a_transposed,
                         const double *B, bool b_transposed, double beta, double *C) {
  THUD_REQUIRE_OR(, alpha == 0 || m == 0 || n == 0 || k == 0 || (A && B), C || m == 0 || n == 0);
  if (m <= 0 || n <= 0) return;
  if ((!is_tiny(m) || !is_tiny(n) || !is_tiny(k)) && k > 0 && alpha != 0) {
    THUD_BLAS(cblas_dgemm(CblasColMajor, a_transposed ? CblasTrans : CblasNoTrans,
                          b_transposed ? CblasTrans : CblasNoTrans, m, n, k, alpha, A, a_transposed ? k : m, B,
                          b_transposed ? n : k, beta, C, m));
    return;
  }
  thud_scale_vector((size_t)m * (size_t)n, beta, C);
  if (alpha == 0) return;
  for (thud_index j = 0; j < n; j++)
    for (thud_index l = 0; l < k; l++) {
      double factor = alpha * (b_transposed ? B[thud_at(n, j, l)] : B[thud_at(k, l, j)]);
      for (thud_index i = 0; i < m; i++)
        C[thud_at(m, i, j)] += factor * (a_transposed ? A[thud_at(k, l, i)] : A[thud_at(m, i, l)]);
    }
}

bool thud_cholesky_loops(thud_index n, double *A, thud_index *failed, double *pivot) {
  for (thud_index j = 0; j < n; j++) {
    double *column = A + thud_at(n, 0, j);
    for (thud_index k = 0; k < j; k++) {
      const double *earlier = A + thud_at(n, 0, k);
      double factor = earlier[j];
      for (thud_index i = j; i < n; i++) column[i] -= factor * earlier[i];
    }
    double d = column[j];
    if (!(d > 0 && isfinite(d))) {
      *failed = j;
      *pivot = d;
      return false;
    }
    double root = sqrt(d);
    column[j] = root;
    for (thud_index i = j + 1; i < n; i++) column[i] /= root;
  }
  return true;
}

/* LAPACK's potrf; true when every pivot was positive and finite. */
static bool cholesky_lapack(thud_index n, double *A, thud_index *failed) {
  lapack_int info;
  THUD_BLAS(info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, A, n));
  if (info > 0) {
    *failed = info - 1;
    return false;
  }
  for (thud_index j = 0; j < n; j++) /* OpenBLAS lets NaN and infinity through */
    if (!isfinite(A[thud_at(n, j, j)])) {
      *failed = j;
      return false;
    }
  return true;
}

thud_error thud_dense_cholesky(thud_context *context, thud_index n, double *A, thud_index *failed_pivot) {
  THUD_REQUIRE(context, n == 0 || A);
  if (n < 0) return thud_fail(context, THUD_ERROR_ARGUMENT, "cholesky: the size is %d", (int)n);
  thud_index failed = 0;
  if (is_tiny(n)) {
    double pivot;
    if (thud_cholesky_loops(n, A, &failed, &pivot)) return THUD_OK;
    thud_fail(context, THUD_ERROR_NOT_SPD, "cholesky: pivot %d is %g: not positive definite", (int)failed, pivot);
  } else {
    if (cholesky_lapack(n, A, &failed)) return THUD_OK;
    thud_fail(context, THUD_ERROR_NOT_SPD, "cholesky: pivot %d is not positive: not positive definite", (int)failed);
  }
  if (failed_pivot != NULL) *failed_pivot = failed;
  return THUD_ERROR_NOT_SPD;
}

void thud_dense_solve_lower(thud_index n, const double *L, bool transposed, double *x) {
  THUD_REQUIRE_OR(, n == 0 || (L && x));
  if (!is_tiny(n)) {
    THUD_BLAS(
        cblas_dtrsv(CblasColMajor, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit, n, L, n, x, 1));
  } else if (transposed) {
    for (thud_index j = n - 1; j >= 0; j--) {
      const double *column = L + thud_at(n, 0, j);
      double sum = x[j];
      for (thud_index i = j + 1; i < n; i++) sum -= column[i] * x[i];
      x[j] = sum / column[j];
    }
  } else {
    for (thud_index j = 0; j < n; j++) {
      const double *column = L + thud_at(n, 0, j);
      x[j] /= column[j];
      for (thud_index i = j + 1; i < n; i++) x[i] -= column[i] * x[j];
    }
  }
}
