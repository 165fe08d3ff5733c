#include "thud/linalg.h"
#include "failing_allocator.h"
#include "linalg/dense.h"
#include "random_matrices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_N = 40, TRIALS = 3000 };

/* Sizes mostly up to THUD_DENSE_TINY, and some beyond: the loops and BLAS both. */
static thud_index random_size(thud_random *random) {
  uint32_t largest = thud_random_below(random, 8) == 0 ? MAX_N : THUD_DENSE_TINY;
  return 1 + (thud_index)thud_random_below(random, largest);
}

static size_t square(thud_index n) { return (size_t)n * (size_t)n; }

static void products_with_vectors_agree_with_plain_loops(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_index m = random_size(&random), n = random_size(&random);
    bool transposed = trial % 2 == 1;
    size_t inputs = (size_t)(transposed ? m : n), outputs = (size_t)(transposed ? n : m);
    double A[MAX_N * MAX_N], x[MAX_N], y[MAX_N], plain[MAX_N], expected[MAX_N];
    thud_test_random_vector(&random, (size_t)m * (size_t)n, A);
    thud_test_random_vector(&random, inputs, x);
    thud_test_random_vector(&random, outputs, y);
    double alpha = thud_random_normal(&random), beta = thud_random_normal(&random);
    thud_test_multiply(m, n, A, transposed, x, plain);
    for (size_t i = 0; i < outputs; i++) expected[i] = alpha * plain[i] + beta * y[i];
    thud_dense_multiply_vector(m, n, A, transposed, alpha, x, beta, y);
    thud_assert_less(thud_test_max_difference(outputs, y, expected), 1e-12);
    for (size_t i = 0; i < outputs; i++) y[i] = NAN; /* beta = 0 never reads y */
    thud_dense_multiply_vector(m, n, A, transposed, 1, x, 0, y);
    thud_assert_less(thud_test_max_difference(outputs, y, plain), 1e-12);
    x[0] = A[0] = NAN; /* alpha = 0 never reads A and x */
    thud_dense_multiply_vector(m, n, A, transposed, 0, x, 2, y);
    for (size_t i = 0; i < outputs; i++) plain[i] *= 2;
    thud_assert_less(thud_test_max_difference(outputs, y, plain), 1e-12);
  }
  double y[20];
  for (int i = 0; i < 20; i++) y[i] = 1;
  thud_dense_multiply_vector(20, 0, NULL, false, 1, NULL, 3, y);
  thud_assert_equal(y[0], 3);
  thud_assert_equal(y[19], 3);
}

static void products_of_matrices_agree_with_products_with_vectors(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_index m = random_size(&random), n = random_size(&random), k = random_size(&random);
    bool a_transposed = trial % 2 == 1, b_transposed = trial / 2 % 2 == 1;
    double A[MAX_N * MAX_N], B[MAX_N * MAX_N], C[MAX_N * MAX_N], old[MAX_N * MAX_N], column[MAX_N], expected[MAX_N];
    thud_test_random_vector(&random, (size_t)m * (size_t)k, A);
    thud_test_random_vector(&random, (size_t)k * (size_t)n, B);
    thud_test_random_vector(&random, (size_t)m * (size_t)n, C);
    memcpy(old, C, sizeof old);
    double alpha = thud_random_normal(&random), beta = trial % 3 == 0 ? 0 : thud_random_normal(&random);
    if (beta == 0) C[0] = NAN;
    thud_dense_multiply(m, n, k, alpha, A, a_transposed, B, b_transposed, beta, C);
    for (thud_index j = 0; j < n; j++) {
      for (thud_index l = 0; l < k; l++) column[l] = b_transposed ? B[j + l * n] : B[l + j * k];
      thud_test_multiply(a_transposed ? k : m, a_transposed ? m : k, A, a_transposed, column, expected);
      for (thud_index i = 0; i < m; i++) expected[i] = alpha * expected[i] + (beta == 0 ? 0 : beta * old[i + j * m]);
      thud_assert_less(thud_test_max_difference((size_t)m, C + j * m, expected), 1e-12);
    }
  }
  double C[2] = {1, 2};
  thud_dense_multiply(2, 1, 0, 1, NULL, false, NULL, false, 2, C);
  thud_assert_equal(C[0], 2);
  thud_assert_equal(C[1], 4);
}

static void cholesky_factors_multiply_to_the_matrix(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_index n = random_size(&random), failed = -1;
    double A[MAX_N * MAX_N], L[MAX_N * MAX_N], product[MAX_N * MAX_N], x[MAX_N], b[MAX_N];
    thud_test_random_spd(&random, n, 0.5, A);
    memcpy(L, A, sizeof L);
    assert_int_equal(thud_dense_cholesky(context, n, L, &failed), THUD_OK);
    assert_int_equal(failed, -1);
    for (thud_index j = 1; j < n; j++)
      for (thud_index i = 0; i < j; i++) {
        thud_assert_equal(L[i + j * n], A[i + j * n]); /* the strict upper triangle is left alone */
        L[i + j * n] = 0;
      }
    thud_dense_multiply(n, n, n, 1, L, false, L, true, 0, product);
    thud_assert_at_most(thud_test_max_difference(square(n), product, A), 1e-14 * (1 + thud_test_max(square(n), A)));
    /* L (L'x) = b solves A x = b */
    thud_test_random_vector(&random, (size_t)n, x);
    thud_test_multiply(n, n, A, false, x, b);
    thud_dense_solve_lower(n, L, false, b);
    thud_dense_solve_lower(n, L, true, b);
    thud_assert_less(thud_test_max_difference((size_t)n, x, b), 1e-9);
  }
  thud_context_destroy(context);
}

/* The leading block of order `bad` stays definite; pivot `bad` is made negative, zero or NaN. */
static void cholesky_names_the_failed_pivot(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(4);
  for (int trial = 0; trial < 500; trial++) {
    thud_index n = random_size(&random), bad = (thud_index)thud_random_below(&random, (uint32_t)n), failed = -1;
    double A[MAX_N * MAX_N];
    thud_test_random_spd(&random, n, 0.5, A);
    A[bad + bad * n] = trial % 3 == 0 ? -1 : trial % 3 == 1 ? NAN : 0;
    assert_int_equal(thud_dense_cholesky(context, n, A, &failed), THUD_ERROR_NOT_SPD);
    assert_int_equal(failed, bad);
    assert_non_null(strstr(thud_context_last_message(context), "not positive definite"));
  }
  double one = -1;
  assert_int_equal(thud_dense_cholesky(context, 1, &one, NULL), THUD_ERROR_NOT_SPD);
  assert_string_equal(thud_context_last_message(context), "cholesky: pivot 0 is -1: not positive definite");
  assert_int_equal(thud_dense_cholesky(context, -1, &one, NULL), THUD_ERROR_ARGUMENT);
  thud_context_destroy(context);
}

/* A = U V with U m x r and V r x n. */
static void ranks_of_products_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_index m = random_size(&random), n = random_size(&random), smaller = m < n ? m : n, rank = -1;
    thud_index r = (thud_index)thud_random_below(&random, (uint32_t)smaller + 1);
    double U[MAX_N * MAX_N], V[MAX_N * MAX_N], A[MAX_N * MAX_N], copy[MAX_N * MAX_N];
    thud_test_random_vector(&random, square(MAX_N), U);
    thud_test_random_vector(&random, square(MAX_N), V);
    double scale = pow(10, thud_random_uniform(&random, -200, 200));
    thud_dense_multiply(m, n, r, scale, U, false, V, false, 0, A);
    memcpy(copy, A, sizeof A);
    assert_int_equal(thud_dense_rank(context, m, n, A, 1e-12, &rank), THUD_OK);
    assert_int_equal(rank, r);
    assert_memory_equal(A, copy, (size_t)m * (size_t)n * sizeof *A);
  }
  double A[4] = {1, 0, 0, 1e-6}, bad[4] = {1, 2, INFINITY, 4};
  thud_index rank = 7;
  assert_int_equal(thud_dense_rank(context, 2, 2, bad, 1e-12, &rank), THUD_ERROR_NOT_FINITE);
  assert_string_equal(thud_context_last_message(context), "rank: entry (0,1) is inf");
  assert_int_equal(thud_dense_rank(context, -2, 2, A, 1e-12, &rank), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_dense_rank(context, 2, 2, A, -1, &rank), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_dense_rank(context, 2, 2, A, NAN, &rank), THUD_ERROR_ARGUMENT);
  assert_int_equal(rank, 7);
  assert_int_equal(thud_dense_rank(context, 2, 2, A, 1e-5, &rank), THUD_OK);
  assert_int_equal(rank, 1);
  assert_int_equal(thud_dense_rank(context, 2, 2, A, 1e-7, &rank), THUD_OK);
  assert_int_equal(rank, 2);
  assert_int_equal(thud_dense_rank(context, 0, 5, A, 1e-7, &rank), THUD_OK);
  assert_int_equal(rank, 0);
  thud_context_destroy(context);
}

/* Q is orthonormal, the columns of A = U V lie in the span of its first rank columns, and the others are orthogonal. */
static void ranges_are_split_from_their_complements(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(15);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_index m = random_size(&random), n = random_size(&random), smaller = m < n ? m : n;
    thud_index r = (thud_index)thud_random_below(&random, (uint32_t)smaller + 1);
    double U[MAX_N * MAX_N], V[MAX_N * MAX_N], A[MAX_N * MAX_N], Q[MAX_N * MAX_N], product[MAX_N * MAX_N];
    thud_range_split split = {.rank = -1};
    thud_test_random_vector(&random, square(MAX_N), U);
    thud_test_random_vector(&random, square(MAX_N), V);
    thud_dense_multiply(m, n, r, 1, U, false, V, false, 0, A);
    assert_int_equal(thud_dense_split_range(context, m, n, A, 1e-11, Q, &split), THUD_OK);
    assert_int_equal(split.rank, r);
    assert_true(r == 0 || (split.smallest_kept > 1e-11 && split.largest_dropped <= 1e-11));
    thud_dense_multiply(m, m, m, 1, Q, true, Q, false, 0, product);
    for (thud_index j = 0; j < m; j++)
      for (thud_index i = 0; i < m; i++) thud_assert_nearer(product[thud_at(m, i, j)], (i == j), 1e-13 * (double)MAX_N);
    thud_dense_multiply(m, n, m, 1, Q, true, A, false, 0, product); /* rows r.. are those of the complement */
    for (thud_index j = 0; j < n; j++)
      for (thud_index i = r; i < m; i++)
        thud_assert_less(fabs(product[thud_at(m, i, j)]), 1e-12 * (double)(MAX_N * MAX_N));
  }
  double bad[2] = {1, NAN}, Q[4] = {9, 9, 9, 9};
  thud_range_split split = {.rank = -1};
  assert_int_equal(thud_dense_split_range(context, 2, 1, bad, 1e-11, Q, &split), THUD_ERROR_NOT_FINITE);
  thud_assert_equal(split.rank, -1);
  thud_assert_equal(Q[0], 9);
  assert_int_equal(thud_dense_split_range(context, 2, 0, NULL, 1e-11, Q, &split), THUD_OK);
  thud_assert_equal(split.rank, 0);
  thud_assert_equal(Q[0], 1);
  thud_assert_equal(Q[1], 0);
  thud_assert_equal(Q[2], 0);
  thud_assert_equal(Q[3], 1);
  thud_context_destroy(context);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void eigenpairs_are_those_the_matrix_was_made_of(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  for (int trial = 0; trial < 1000; trial++) {
    thud_index n = random_size(&random);
    size_t size = (size_t)n;
    double given[MAX_N], A[MAX_N * MAX_N], values[MAX_N], alone[MAX_N], V[MAX_N * MAX_N], Av[MAX_N];
    for (size_t i = 0; i < size; i++) {
      given[i] = thud_random_normal(&random) * (trial % 3 == 0 ? 1e100 : 1);
      if (i > 0 && trial % 5 == 0) given[i] = given[i - 1];                   /* multiple */
      if (trial % 7 == 0 && thud_random_below(&random, 2) == 0) given[i] = 0; /* singular */
    }
    thud_test_random_with_eigenvalues(&random, n, given, A);
    qsort(given, size, sizeof *given, ascending);
    for (thud_index j = 1; j < n; j++)
      for (thud_index i = 0; i < j; i++) A[i + j * n] = NAN; /* the upper triangle is not read */
    assert_int_equal(thud_dense_eigen_symmetric(context, n, A, values, V), THUD_OK);
    assert_int_equal(thud_dense_eigen_symmetric(context, n, A, alone, NULL), THUD_OK);
    double scale = thud_test_max(size, given);
    thud_assert_at_most(thud_test_max_difference(size, values, given), 1e-13 * scale);
    thud_assert_at_most(thud_test_max_difference(size, values, alone), 1e-13 * scale);
    for (thud_index j = 1; j < n; j++)
      for (thud_index i = 0; i < j; i++) A[i + j * n] = A[j + i * n];
    for (size_t j = 0; j < size; j++) {
      if (j > 0) thud_assert_at_least(values[j], values[j - 1]);
      thud_test_multiply(n, n, A, false, V + j * size, Av);
      for (size_t i = 0; i < size; i++) Av[i] -= values[j] * V[i + j * size];
      thud_assert_at_most(thud_test_max(size, Av), 1e-13 * scale);
      for (size_t k = 0; k <= j; k++)
        thud_assert_nearer(thud_test_dot(size, V + j * size, V + k * size), (j == k), 1e-13);
    }
  }
  thud_context_destroy(context);
}

/* D S D with D over thirty decades: the smallest eigenvalue to full relative accuracy. For n = 2 it is det / largest.
 */
static void small_eigenvalues_of_scaled_matrices_keep_their_digits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int e = 0; e <= 15; e++) {
    double d = pow(10, -e), A[4] = {1, 0.5 * d, 0.5 * d, d * d}, values[2];
    assert_int_equal(thud_dense_eigen_symmetric(context, 2, A, values, NULL), THUD_OK);
    double trace = 1 + d * d, determinant = 0.75 * d * d;
    double largest = 0.5 * trace + sqrt(0.25 * trace * trace - determinant);
    thud_assert_nearer(values[0] / (determinant / largest), 1, 1e-14);
  }
  double bad[4] = {1, NAN, 0, 1}, values[2] = {5, 5};
  assert_int_equal(thud_dense_eigen_symmetric(context, 2, bad, values, NULL), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_dense_eigen_symmetric(context, -2, bad, values, NULL), THUD_ERROR_ARGUMENT);
  thud_assert_equal(values[0], 5);
  thud_context_destroy(context);
}

static void random_systems_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_index n = random_size(&random), rhs = 1 + (thud_index)thud_random_below(&random, 3);
    double A[MAX_N * MAX_N], X[MAX_N * 3], B[MAX_N * 3], R[MAX_N];
    thud_test_random_vector(&random, square(n), A);
    thud_test_random_vector(&random, (size_t)(n * rhs), B);
    if (trial % 3 == 0) /* rows in wildly different units */
      for (thud_index i = 0; i < n; i++) {
        double unit = pow(10, thud_random_uniform(&random, -100, 100));
        for (thud_index j = 0; j < n; j++) A[i + j * n] *= unit;
        for (thud_index j = 0; j < rhs; j++) B[i + j * n] *= unit;
      }
    memcpy(X, B, sizeof X);
    assert_int_equal(thud_dense_solve(context, n, A, rhs, X), THUD_OK);
    for (thud_index j = 0; j < rhs; j++) {
      thud_test_multiply(n, n, A, false, X + j * n, R);
      for (thud_index i = 0; i < n; i++) {
        double size = fabs(B[i + j * n]);
        for (thud_index k = 0; k < n; k++) size += fabs(A[i + k * n] * X[k + j * n]);
        thud_assert_near(R[i], B[i + j * n], 1e-12 * size);
      }
    }
  }
  thud_context_destroy(context);
}

/* Rank n - 1 up to rounding: refused, and B untouched. */
static void singular_systems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  for (int trial = 0; trial < 1000; trial++) {
    thud_index n = 1 + random_size(&random) % 30;
    double A[MAX_N * MAX_N], B[MAX_N], copy[MAX_N];
    thud_test_random_vector(&random, square(n), A);
    thud_index row = (thud_index)thud_random_below(&random, (uint32_t)n);
    for (thud_index j = 0; j < n; j++) { /* one row becomes the mean of the others */
      A[row + j * n] = 0;
      for (thud_index i = 0; i < n; i++)
        if (i != row) A[row + j * n] += A[i + j * n] / (double)n;
    }
    thud_test_random_vector(&random, (size_t)n, B);
    memcpy(copy, B, sizeof B);
    assert_int_equal(thud_dense_solve(context, n, A, 1, B), THUD_ERROR_SINGULAR);
    assert_memory_equal(B, copy, (size_t)n * sizeof *B);
  }
  double A[4] = {1, 2, 2, 4}, b[2] = {1, 2}, bad[2] = {NAN, 1};
  assert_int_equal(thud_dense_solve(context, 2, A, 1, b), THUD_ERROR_SINGULAR);
  assert_non_null(strstr(thud_context_last_message(context), "solve: pivot 1 is 0: the matrix is singular"));
  double nearly[4] = {1, 1, 1, 1 + 0x1p-52}; /* inverse of norm 2^53, columns of norm 2: reciprocal 2^-54 */
  assert_int_equal(thud_dense_solve(context, 2, nearly, 1, b), THUD_ERROR_SINGULAR);
  assert_string_equal(thud_context_last_message(context), "solve: the matrix is singular to working precision "
                                                          "(reciprocal condition number 5.55e-17)");
  assert_int_equal(thud_dense_solve(context, 2, A, 1, bad), THUD_ERROR_NOT_FINITE);
  assert_string_equal(thud_context_last_message(context), "solve: right-hand side: entry (0,0) is nan");
  A[1] = NAN;
  assert_int_equal(thud_dense_solve(context, 2, A, 1, b), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_dense_solve(context, -1, A, 1, b), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_dense_solve(context, 0, A, 1, b), THUD_OK);
  thud_context_destroy(context);
}

static thud_error every_allocating_call(thud_context *context, void *user) {
  (void)user;
  enum { N = 20 };
  double A[N * N], values[N], vectors[N * N] = {0}, b[N];
  for (int k = 0; k < N * N; k++) A[k] = k % (N + 1) == 0 ? N : 1;
  for (int k = 0; k < N; k++) b[k] = 1;
  thud_index rank = -1;
  thud_error error = thud_dense_rank(context, N, N, A, 1e-10, &rank);
  if (error != THUD_OK) assert_int_equal(rank, -1);
  if (error == THUD_OK) {
    error = thud_dense_eigen_symmetric(context, N, A, values, vectors);
    if (error != THUD_OK) thud_assert_equal(vectors[0], 0);
  }
  if (error == THUD_OK) {
    error = thud_dense_solve(context, N, A, 1, b);
    if (error != THUD_OK) thud_assert_equal(b[0], 1);
  }
  return error;
}

static void allocation_failures_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(every_allocating_call, NULL), 10);
}

/* Tiny sizes run on the stack. */
static void tiny_sizes_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = THUD_DENSE_TINY };
  double A[N * N], values[N], vectors[N * N], b[N] = {1};
  for (int k = 0; k < N * N; k++) A[k] = k % (N + 1) == 0 ? N : 1;
  thud_index rank;
  uint64_t before = thud_context_allocation_count(context);
  assert_int_equal(thud_dense_rank(context, N, N, A, 1e-10, &rank), THUD_OK);
  assert_int_equal(thud_dense_eigen_symmetric(context, N, A, values, vectors), THUD_OK);
  assert_int_equal(thud_dense_solve(context, N, A, 1, b), THUD_OK);
  assert_int_equal(thud_dense_cholesky(context, N, A, NULL), THUD_OK);
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_context_destroy(context);
}

/* The quick solve agrees with the careful one, on both sides of THUD_DENSE_TINY, and refuses singular matrices. */
static void solving_in_place_agrees_with_solving(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(77);
  for (thud_index n = 1; n <= 40; n++) {
    size_t size = (size_t)n;
    double *A = thud_test_doubles(size * size), *b = thud_test_doubles(size), *x = thud_test_doubles(size);
    thud_index pivots[40];
    thud_test_random_vector(&random, size * size, A);
    thud_test_random_vector(&random, size, b);
    memcpy(x, b, size * sizeof(double));
    assert_int_equal(thud_dense_solve(context, n, A, 1, b), THUD_OK);
    assert_true(thud_dense_solve_in_place(n, A, x, pivots));
    thud_assert_at_most(thud_test_max_difference(size, b, x), 1e-10 * (1 + thud_test_max(size, b)));
    for (size_t i = 0; i < size * size; i++) A[i] = (double)(1 + i % size); /* rank 1, and 0 for n = 1 */
    if (n == 1) A[0] = 0;
    assert_false(thud_dense_solve_in_place(n, A, x, pivots));
    A[0] = NAN;
    assert_false(thud_dense_solve_in_place(n, A, x, pivots));
    free(A);
    free(b);
    free(x);
  }
  assert_true(thud_dense_solve_in_place(0, NULL, NULL, NULL));
  thud_test_context_end(context);
}

/* An upper triangular matrix with diagonal of known signs, its rows exchanged a known number of times; below and above
 * the size at which LAPACK factorises. */
static void signs_of_determinants_count_exchanges(void **state) {
  (void)state;
  thud_random random = thud_random_seed(77);
  static const thud_index sizes[] = {1, 2, 5, THUD_DENSE_TINY, THUD_DENSE_TINY + 1, 30};
  for (size_t k = 0; k < 20 * sizeof sizes / sizeof *sizes; k++) {
    thud_index n = sizes[k % 6], pivots[30];
    double A[900] = {0};
    int sign = 1;
    for (thud_index j = 0; j < n; j++) {
      for (thud_index i = 0; i < j; i++) A[thud_at(n, i, j)] = thud_random_uniform(&random, -1, 1);
      double side = thud_random_below(&random, 2) ? 1 : -1;
      A[thud_at(n, j, j)] = side * thud_random_uniform(&random, 1, 2);
      sign *= (int)side;
    }
    for (thud_index i = 0; i + 1 < n; i++) {
      thud_index other = i + (thud_index)thud_random_below(&random, (uint32_t)(n - i));
      for (thud_index j = 0; j < n && other != i; j++) {
        double kept = A[thud_at(n, i, j)];
        A[thud_at(n, i, j)] = A[thud_at(n, other, j)];
        A[thud_at(n, other, j)] = kept;
      }
      if (other != i) sign = -sign;
    }
    assert_true(thud_dense_lu(n, A, pivots));
    thud_assert_equal(thud_dense_lu_sign(n, A, pivots), sign);
  }
  thud_assert_equal(thud_dense_lu_sign(0, NULL, NULL), 1);
  thud_assert_equal(thud_dense_lu_sign(1, (double[]){0}, (thud_index[]){0}), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_with_vectors_agree_with_plain_loops),
      cmocka_unit_test(products_of_matrices_agree_with_products_with_vectors),
      cmocka_unit_test(cholesky_factors_multiply_to_the_matrix),
      cmocka_unit_test(cholesky_names_the_failed_pivot),
      cmocka_unit_test(ranks_of_products_are_found),
      cmocka_unit_test(ranges_are_split_from_their_complements),
      cmocka_unit_test(eigenpairs_are_those_the_matrix_was_made_of),
      cmocka_unit_test(small_eigenvalues_of_scaled_matrices_keep_their_digits),
      cmocka_unit_test(random_systems_are_solved),
      cmocka_unit_test(singular_systems_are_refused),
      cmocka_unit_test(allocation_failures_leave_nothing_behind),
      cmocka_unit_test(tiny_sizes_allocate_nothing),
      cmocka_unit_test(solving_in_place_agrees_with_solving),
      cmocka_unit_test(signs_of_determinants_count_exchanges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
