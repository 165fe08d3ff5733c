#include "thud/linalg.h"
#include "failing_allocator.h"
#include "random_matrices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_N = 500 };

/* A growing list of triplets. */
typedef struct triplets {
  size_t count, capacity;
  thud_index *row, *column;
  double *value;
} triplets;

static void add(triplets *t, thud_index row, thud_index column, double value) {
  if (t->count == t->capacity) {
    t->capacity = t->capacity > 0 ? 2 * t->capacity : 64;
    t->row = realloc(t->row, t->capacity * sizeof *t->row);
    t->column = realloc(t->column, t->capacity * sizeof *t->column);
    t->value = realloc(t->value, t->capacity * sizeof *t->value);
    assert_non_null(t->row);
    assert_non_null(t->column);
    assert_non_null(t->value);
  }
  t->row[t->count] = row;
  t->column[t->count] = column;
  t->value[t->count++] = value;
}

static void add_symmetric(triplets *t, thud_index i, thud_index j, double value) {
  add(t, i, j, value);
  if (i != j) add(t, j, i, value);
}

static thud_sparse finish(thud_context *context, thud_index n, triplets *t) {
  thud_sparse sparse;
  assert_int_equal(thud_sparse_from_triplets(context, n, n, t->count, t->row, t->column, t->value, &sparse), THUD_OK);
  free(t->row);
  free(t->column);
  free(t->value);
  *t = (triplets){0};
  return sparse;
}

/* Symmetric with `pairs` random off-diagonal entries, diagonal = the row's sum of magnitudes + margin: SPD. */
static void add_dominant(thud_random *random, thud_index first, thud_index n, size_t pairs, double sign, double margin,
                         triplets *t) {
  double *sum = thud_test_doubles((size_t)n);
  for (size_t k = 0; n > 1 && k < pairs; k++) {
    thud_index i = (thud_index)thud_random_below(random, (uint32_t)n);
    thud_index j = (thud_index)thud_random_below(random, (uint32_t)n);
    if (i == j) continue;
    double value = thud_random_normal(random);
    sum[i] += fabs(value);
    sum[j] += fabs(value);
    add_symmetric(t, first + i, first + j, value);
  }
  for (thud_index i = 0; i < n; i++) add(t, first + i, first + i, sign * (sum[i] + margin));
  free(sum);
}

/* B (m x n) below H, B' beside it. */
static void add_coupling(thud_random *random, thud_index n, thud_index m, size_t per_row, triplets *t) {
  for (thud_index i = 0; i < m; i++)
    for (size_t k = 0; k < per_row; k++)
      add_symmetric(t, n + i, (thud_index)thud_random_below(random, (uint32_t)n), thud_random_normal(random));
}

static double *to_dense(const thud_sparse *A) {
  double *dense = thud_test_doubles((size_t)A->rows * (size_t)A->columns);
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++)
      dense[(size_t)A->row[p] + (size_t)j * (size_t)A->rows] = A->value[p];
  return dense;
}

static double residual_of(const thud_sparse *A, const double *b, const double *x) {
  double r[MAX_N];
  memcpy(r, b, (size_t)A->rows * sizeof *r);
  thud_sparse_multiply_vector(A, false, -1, x, 1, r);
  return thud_test_max((size_t)A->rows, r);
}

/* Factorizes and solves; the answer must agree with the dense LU solver. */
static void check_against_dense(thud_context *context, thud_random *random, const thud_sparse *A,
                                thud_factor_kind kind) {
  size_t n = (size_t)A->columns;
  double b[MAX_N], x[MAX_N], y[MAX_N], residual = -1;
  thud_factor *factor = NULL;
  thud_test_random_vector(random, n, b);
  assert_int_equal(thud_factor_create(context, A, kind, &factor), THUD_OK);
  assert_int_equal(thud_factor_factorize(factor, A, NULL), THUD_OK);
  uint64_t allocations = thud_context_allocation_count(context);
  assert_int_equal(thud_factor_solve(factor, 1, b, x, &residual), THUD_OK);
  thud_assert_at_least(residual, 0);
  thud_assert_at_most(residual, 1e-15);
  double *dense = to_dense(A);
  assert_int_equal(thud_context_allocation_count(context), allocations);
  memcpy(y, b, n * sizeof *y);
  assert_int_equal(thud_dense_solve(context, A->columns, dense, 1, y), THUD_OK);
  thud_assert_at_most(thud_test_max_difference(n, x, y), 1e-11 * (1 + thud_test_max(n, y)));
  /* several right-hand sides: b, -b and 2 b have the answers of one */
  double many[3 * MAX_N];
  for (size_t i = 0; i < n; i++) many[i] = b[i], many[n + i] = -b[i], many[2 * n + i] = 2 * b[i];
  assert_int_equal(thud_factor_solve_many(factor, 3, many), THUD_OK);
  for (size_t i = 0; i < n; i++) many[n + i] *= -1, many[2 * n + i] /= 2;
  for (size_t k = 0; k < 3; k++)
    thud_assert_at_most(thud_test_max_difference(n, many + k * n, y), 1e-10 * (1 + thud_test_max(n, y)));
  assert_int_equal(thud_factor_solve_many(factor, 0, NULL), THUD_OK);
  assert_int_equal(thud_factor_solve_many(factor, -1, many), THUD_ERROR_DIMENSION);
  many[n] = NAN;
  assert_int_equal(thud_factor_solve_many(factor, 2, many), THUD_ERROR_NOT_FINITE);
  /* in place, and again on the same factor with other values */
  assert_int_equal(thud_factor_solve(factor, 1, b, b, NULL), THUD_OK);
  assert_memory_equal(b, x, n * sizeof *b);
  for (thud_index p = 0; p < A->column_start[n]; p++) A->value[p] *= -2.0 + 4.0 * (kind == THUD_FACTOR_CHOLESKY);
  allocations = thud_context_allocation_count(context);
  assert_int_equal(thud_factor_factorize(factor, A, NULL), THUD_OK);
  assert_int_equal(thud_context_allocation_count(context), allocations);
  thud_test_random_vector(random, n, b);
  assert_int_equal(thud_factor_solve(factor, 0, b, x, &residual), THUD_OK);
  thud_assert_at_most(residual, 1e-14);
  double scale = thud_test_max((size_t)A->column_start[n], A->value) * (double)n * (1 + thud_test_max(n, x));
  thud_assert_at_most(residual_of(A, b, x), 1e-14 * scale);
  thud_factor_destroy(factor);
  free(dense);
}

static void factors_agree_with_dense_on_random_spd_matrices(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(31);
  for (int trial = 0; trial < 400; trial++) {
    thud_index n = trial % 80 == 79 ? MAX_N - trial / 80 : 1 + trial % 60;
    triplets t = {0};
    add_dominant(&random, 0, n, (size_t)n * (1 + (size_t)trial % 5), 1, 0.01, &t);
    thud_sparse A = finish(context, n, &t);
    check_against_dense(context, &random, &A, trial % 2 == 0 ? THUD_FACTOR_CHOLESKY : THUD_FACTOR_LDL);
    thud_sparse_destroy(context, &A);
  }
  assert_int_equal(thud_context_live_blocks(context), 0);
  thud_context_destroy(context);
}

/* [H B'; B -C], H and C SPD: every order of pivots is good (Vanderbei 1995). */
static void factors_agree_with_dense_on_random_quasidefinite_matrices(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(32);
  for (int trial = 0; trial < 400; trial++) {
    thud_index n = trial % 80 == 79 ? 350 : 2 + trial % 40, m = 1 + n / 3;
    triplets t = {0};
    add_dominant(&random, 0, n, 2 * (size_t)n, 1, 0.5, &t);
    add_dominant(&random, n, m, (size_t)m, -1, 0.5, &t);
    add_coupling(&random, n, m, 3, &t);
    thud_sparse A = finish(context, n + m, &t);
    check_against_dense(context, &random, &A, THUD_FACTOR_LDL);
    thud_sparse_destroy(context, &A);
  }
  thud_context_destroy(context);
}

/* Dense blocks make CHOLMOD take its supernodal way. */
static void a_dense_pattern_works_as_well(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(33);
  thud_index n = 200;
  double *M = thud_test_doubles((size_t)n * (size_t)n);
  thud_test_random_spd(&random, n, 10, M);
  triplets t = {0};
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++) add(&t, i, j, M[i + j * n]);
  thud_sparse A = finish(context, n, &t);
  check_against_dense(context, &random, &A, THUD_FACTOR_CHOLESKY);
  /* An indefinite matrix on the same pattern is refused, and the factor recovers. */
  thud_factor *factor = NULL;
  assert_int_equal(thud_factor_create(context, &A, THUD_FACTOR_CHOLESKY, &factor), THUD_OK);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++) A.value[i + j * n] = M[i + j * n] * (i == 117 || j == 117 ? 10 : 1);
  assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_ERROR_NOT_SPD);
  /* Which column it is and whether its pivot is known, depends on the library. */
  const char *message = thud_context_last_message(context);
  assert_non_null(strstr(message, "factor: the pivot of column "));
  assert_non_null(strstr(message, "not positive definite"));
  double b[MAX_N], x[MAX_N], residual;
  thud_test_random_vector(&random, (size_t)n, b);
  assert_int_equal(thud_factor_solve(factor, 0, b, x, &residual), THUD_ERROR_ARGUMENT);
  for (thud_index k = 0; k < n * n; k++) A.value[k] = M[k];
  assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 1, b, x, &residual), THUD_OK);
  thud_assert_at_most(residual, 1e-15);
  thud_factor_destroy(factor);
  thud_sparse_destroy(context, &A);
  free(M);
  thud_context_destroy(context);
}

/* Only the lower triangle is read: rubbish above the diagonal changes nothing. */
static void the_upper_triangle_is_not_read(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(34);
  triplets t = {0};
  add_dominant(&random, 0, 30, 60, 1, 1, &t);
  thud_sparse A = finish(context, 30, &t);
  double b[30], x[30], y[30];
  thud_test_random_vector(&random, 30, b);
  for (int pass = 0; pass < 2; pass++) {
    thud_factor *factor = NULL;
    assert_int_equal(thud_factor_create(context, &A, THUD_FACTOR_LDL, &factor), THUD_OK);
    assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_OK);
    assert_int_equal(thud_factor_solve(factor, 2, b, pass == 0 ? x : y, NULL), THUD_OK);
    thud_factor_destroy(factor);
    for (thud_index j = 0; j < 30; j++)
      for (thud_index p = A.column_start[j]; p < A.column_start[j + 1]; p++)
        if (A.row[p] < j) A.value[p] = 1e9;
  }
  assert_memory_equal(x, y, sizeof x);
  thud_sparse_destroy(context, &A);
  thud_context_destroy(context);
}

/* Column 3 is empty: the one that must be named, whatever the order of elimination. */
static void an_empty_column_is_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_factor_kind kind = THUD_FACTOR_CHOLESKY; kind <= THUD_FACTOR_LDL; kind++) {
    triplets t = {0};
    for (thud_index i = 0; i < 8; i++)
      if (i != 3) add(&t, i, i, 2.0 + i);
    add_symmetric(&t, 0, 7, 1);
    thud_sparse A = finish(context, 8, &t);
    thud_factor *factor = NULL;
    assert_int_equal(thud_factor_create(context, &A, kind, &factor), THUD_OK);
    thud_error expected = kind == THUD_FACTOR_LDL ? THUD_ERROR_SINGULAR : THUD_ERROR_NOT_SPD;
    assert_int_equal(thud_factor_factorize(factor, &A, NULL), expected);
    assert_non_null(strstr(thud_context_last_message(context), "column 3 "));
    thud_factor_destroy(factor);
    thud_sparse_destroy(context, &A);
  }
  thud_context_destroy(context);
}

/* Weighted Laplacians of random connected graphs: singular, with the constants as null space. The last pivot is pure
 * rounding error, which must be recognised as such; grounding any vertex makes them definite. */
static void rounded_singular_matrices_are_recognised(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(35);
  for (int trial = 0; trial < 300; trial++) {
    thud_index n = 2 + trial;
    triplets t = {0};
    for (thud_index e = 1; e < 3 * n; e++) {
      thud_index i = e < n ? e : (thud_index)thud_random_below(&random, (uint32_t)n);
      thud_index j = (thud_index)thud_random_below(&random, (uint32_t)(e < n ? e : n));
      double weight = exp(thud_random_uniform(&random, -3, 3));
      if (i == j) continue;
      add_symmetric(&t, i, j, -weight);
      add(&t, i, i, weight);
      add(&t, j, j, weight);
    }
    thud_sparse A = finish(context, n, &t);
    thud_factor *factor = NULL;
    thud_factor_kind kind = trial % 2 == 0 ? THUD_FACTOR_LDL : THUD_FACTOR_CHOLESKY;
    assert_int_equal(thud_factor_create(context, &A, kind, &factor), THUD_OK);
    assert_int_equal(thud_factor_factorize(factor, &A, NULL),
                     kind == THUD_FACTOR_LDL ? THUD_ERROR_SINGULAR : THUD_ERROR_NOT_SPD);
    double *ground = thud_test_doubles((size_t)n);
    ground[thud_random_below(&random, (uint32_t)n)] = 1e-3;
    assert_int_equal(thud_factor_factorize(factor, &A, ground), THUD_OK);
    free(ground);
    thud_factor_destroy(factor);
    thud_sparse_destroy(context, &A);
  }
  thud_context_destroy(context);
}

/* KKT matrices [H B'; B 0] whose rows of B repeat: singular but consistent. Shifts +-1e-8 and refinement give a
 * solution of the matrix itself. */
static void shifted_singular_systems_are_solved_by_refinement(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(36);
  for (int trial = 0; trial < 200; trial++) {
    thud_index n = 10 + trial % 50, m = 4, size = n + 2 * m;
    triplets t = {0};
    add_dominant(&random, 0, n, 2 * (size_t)n, 1, 0.5, &t);
    for (thud_index i = 0; i < m; i++)
      for (int k = 0; k < 3; k++) {
        thud_index j = 2 * i + (thud_index)thud_random_below(&random, 3);
        double value = thud_random_normal(&random);
        add_symmetric(&t, n + i, j, value);
        add_symmetric(&t, n + m + i, j, value); /* the same row once more */
      }
    thud_sparse A = finish(context, size, &t);
    double known[MAX_N], b[MAX_N], x[MAX_N], shift[MAX_N], coarse, fine;
    thud_test_random_vector(&random, (size_t)size, known);
    thud_sparse_multiply_vector(&A, false, 1, known, 0, b);
    for (thud_index i = 0; i < size; i++) shift[i] = i < n ? 1e-8 : -1e-8;
    thud_factor *factor = NULL;
    assert_int_equal(thud_factor_create(context, &A, THUD_FACTOR_LDL, &factor), THUD_OK);
    assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_ERROR_SINGULAR);
    assert_int_equal(thud_factor_factorize(factor, &A, shift), THUD_OK);
    assert_int_equal(thud_factor_solve(factor, 0, b, x, &coarse), THUD_OK);
    assert_int_equal(thud_factor_solve(factor, 10, b, x, &fine), THUD_OK);
    thud_assert_at_most(fine, coarse);
    thud_assert_at_most(fine, 1e-14);
    thud_assert_at_most(residual_of(&A, b, x),
                        1e-12 * (1 + thud_test_max((size_t)size, b)) * (1 + thud_test_max((size_t)size, x)));
    /* H is regular on the first n unknowns: they are unique. */
    thud_assert_at_most(thud_test_max_difference((size_t)n, x, known), 1e-6 * (1 + thud_test_max((size_t)size, known)));
    thud_factor_destroy(factor);
    thud_sparse_destroy(context, &A);
  }
  thud_context_destroy(context);
}

/* A shift on a regular matrix is forgotten by the refinement. */
static void refinement_removes_the_shift(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(37);
  triplets t = {0};
  add_dominant(&random, 0, 100, 300, 1, 1, &t);
  thud_sparse A = finish(context, 100, &t);
  double known[100], b[100], x[100], shift[100], residual;
  thud_test_random_vector(&random, 100, known);
  thud_sparse_multiply_vector(&A, false, 1, known, 0, b);
  for (int i = 0; i < 100; i++) shift[i] = 1e-3;
  thud_factor *factor = NULL;
  assert_int_equal(thud_factor_create(context, &A, THUD_FACTOR_CHOLESKY, &factor), THUD_OK);
  assert_int_equal(thud_factor_factorize(factor, &A, shift), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 0, b, x, &residual), THUD_OK);
  double before = thud_test_max_difference(100, x, known);
  thud_assert_greater(before, 1e-6);
  assert_int_equal(thud_factor_solve(factor, 10, b, x, &residual), THUD_OK);
  thud_assert_at_most(thud_test_max_difference(100, x, known), 1e-13);
  thud_assert_at_most(residual, 1e-15);
  thud_factor_destroy(factor);
  thud_sparse_destroy(context, &A);
  thud_context_destroy(context);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_index start[3] = {0, 2, 4}, row[4] = {0, 1, 0, 1}, jumbled[4] = {1, 0, 0, 1};
  double value[4] = {2, 1, 1, 2}, b[2] = {1, NAN}, x[2] = {7, 7};
  thud_sparse A = {2, 2, start, row, value};
  thud_factor *factor = NULL;
  thud_sparse wide = A, unordered = A;
  wide.rows = 3;
  unordered.row = jumbled;
  assert_int_equal(thud_factor_create(context, &wide, THUD_FACTOR_LDL, &factor), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_factor_create(context, &unordered, THUD_FACTOR_LDL, &factor), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_factor_create(context, &A, (thud_factor_kind)7, &factor), THUD_ERROR_ARGUMENT);
  assert_null(factor);
  assert_int_equal(thud_factor_create(context, &A, THUD_FACTOR_LDL, &factor), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 0, value, x, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_factor_factorize(factor, &A, b), THUD_ERROR_NOT_FINITE);
  assert_string_equal(thud_context_last_message(context), "factor: shift 1 is nan");
  thud_index diagonal_start[3] = {0, 1, 2}, diagonal_row[2] = {0, 1}, one_start[2] = {0, 1};
  thud_sparse diagonal = {2, 2, diagonal_start, diagonal_row, value}, one = {1, 1, one_start, row, value};
  assert_int_equal(thud_factor_factorize(factor, &diagonal, NULL), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context),
                      "factor: column 0 has another pattern than the matrix given to create");
  assert_int_equal(thud_factor_factorize(factor, &one, NULL), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 0, b, x, NULL), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_factor_solve(factor, 11, value, x, NULL), THUD_ERROR_ARGUMENT);
  double huge[2] = {1.7e308, -1.7e308};
  value[0] = value[3] = 1e-3;
  value[1] = value[2] = 0;
  assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 0, huge, x, NULL), THUD_ERROR_NOT_FINITE);
  thud_assert_equal(x[0], 7);
  thud_assert_equal(x[1], 7);
  thud_factor_destroy(factor);
  thud_factor_destroy(NULL);
  assert_int_equal(thud_context_live_blocks(context), 0);
  thud_context_destroy(context);
}

static void an_empty_system_is_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_index start[1] = {0};
  thud_sparse A = {.column_start = start};
  thud_factor *factor = NULL;
  double residual = 1;
  assert_int_equal(thud_factor_create(context, &A, THUD_FACTOR_LDL, &factor), THUD_OK);
  assert_int_equal(thud_factor_factorize(factor, &A, NULL), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 3, NULL, NULL, &residual), THUD_OK);
  thud_assert_equal(residual, 0);
  thud_factor_destroy(factor);
  thud_context_destroy(context);
}

static thud_error create_factorize_solve(thud_context *context, void *user) {
  (void)user;
  thud_index row[] = {0, 1, 1, 2, 2, 0, 1}, column[] = {0, 1, 0, 1, 2, 1, 2};
  double value[] = {4, 4, 1, 1, 4, 1, 1}, b[3] = {1, 2, 3}, x[3];
  thud_sparse A = {.rows = -1};
  thud_error error = thud_sparse_from_triplets(context, 3, 3, 7, row, column, value, &A);
  if (error != THUD_OK) {
    assert_int_equal(A.rows, -1);
    return error;
  }
  thud_factor *factor = NULL;
  error = thud_factor_create(context, &A, THUD_FACTOR_CHOLESKY, &factor);
  if (error == THUD_OK) error = thud_factor_factorize(factor, &A, NULL);
  if (error == THUD_OK) error = thud_factor_solve(factor, 2, b, x, NULL);
  if (error == THUD_OK) thud_assert_nearer(4 * x[0] + x[1], 1, 1e-15);
  thud_factor_destroy(factor);
  thud_sparse_destroy(context, &A);
  return error;
}

static void allocation_failures_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(create_factorize_solve, NULL), 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_agree_with_dense_on_random_spd_matrices),
      cmocka_unit_test(factors_agree_with_dense_on_random_quasidefinite_matrices),
      cmocka_unit_test(a_dense_pattern_works_as_well),
      cmocka_unit_test(the_upper_triangle_is_not_read),
      cmocka_unit_test(an_empty_column_is_named),
      cmocka_unit_test(rounded_singular_matrices_are_recognised),
      cmocka_unit_test(shifted_singular_systems_are_solved_by_refinement),
      cmocka_unit_test(refinement_removes_the_shift),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(an_empty_system_is_solved),
      cmocka_unit_test(allocation_failures_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
