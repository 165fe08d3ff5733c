#include "thud/linalg.h"
#include "failing_allocator.h"
#include "random_matrices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_N = 48 };

/* One random metric with its matrix, and the identities that define its operations. */
typedef struct fixture {
  thud_context *context;
  thud_random random;
  thud_index n;
  double M[MAX_N * MAX_N];
  double smallest, largest; /* bounds of the metric */
  thud_metric *metric;
} fixture;

static void make_dense(fixture *f) {
  thud_test_random_spd(&f->random, f->n, 0.1 * f->n, f->M);
  assert_int_equal(thud_metric_create(f->context, f->n, f->M, &f->metric), THUD_OK);
  thud_metric_bounds(f->metric, &f->smallest, &f->largest);
}

static void make_diagonal(fixture *f) {
  double d[MAX_N];
  memset(f->M, 0, sizeof f->M);
  for (thud_index i = 0; i < f->n; i++) d[i] = f->M[i + i * f->n] = exp(thud_random_uniform(&f->random, -3, 3));
  assert_int_equal(thud_metric_create_diagonal(f->context, f->n, d, &f->metric), THUD_OK);
  thud_metric_bounds(f->metric, &f->smallest, &f->largest);
}

static void check_linear_maps(fixture *f) {
  size_t n = (size_t)f->n;
  double x[MAX_N], y[MAX_N], z[MAX_N], expected[MAX_N];
  double condition = f->largest / f->smallest;
  thud_test_random_vector(&f->random, n, x);
  /* M x against the plain loops, then in place. */
  thud_test_multiply(f->n, f->n, f->M, false, x, expected);
  thud_metric_apply(f->metric, f->n, x, y);
  thud_assert_at_most(thud_test_max_difference(n, y, expected), 1e-13 * f->largest * thud_test_max(n, x));
  memcpy(z, x, sizeof z);
  thud_metric_apply(f->metric, f->n, z, z);
  assert_memory_equal(y, z, n * sizeof *y);
  /* M^-1 M x = x. */
  thud_metric_solve(f->metric, f->n, z, z);
  thud_assert_at_most(thud_test_max_difference(n, z, x), 1e-13 * condition);
  /* L^-T L'x = x, in place and not. */
  thud_metric_to_euclidean(f->metric, f->n, x, y);
  thud_metric_from_euclidean(f->metric, f->n, y, z);
  thud_assert_at_most(thud_test_max_difference(n, z, x), 1e-13 * condition);
  thud_metric_from_euclidean(f->metric, f->n, y, y);
  assert_memory_equal(y, z, n * sizeof *y);
  memcpy(z, x, sizeof z);
  thud_metric_to_euclidean(f->metric, f->n, z, z);
  thud_metric_to_euclidean(f->metric, f->n, x, y);
  assert_memory_equal(y, z, n * sizeof *y);
  /* L^-1 (M x) = L'x. */
  thud_metric_covector_to_euclidean(f->metric, f->n, expected, z);
  thud_assert_at_most(thud_test_max_difference(n, y, z), 1e-13 * condition * (1 + thud_test_max(n, y)));
}

static void check_norms(fixture *f) {
  size_t n = (size_t)f->n;
  double x[MAX_N], y[MAX_N], Mx[MAX_N], ex[MAX_N], difference[MAX_N];
  thud_test_random_vector(&f->random, n, x);
  thud_test_random_vector(&f->random, n, y);
  thud_test_multiply(f->n, f->n, f->M, false, x, Mx);
  double norm = thud_metric_norm(f->metric, f->n, x);
  thud_assert_near(norm * norm, thud_test_dot(n, Mx, x), 1e-13 * f->largest * thud_test_dot(n, x, x));
  thud_metric_to_euclidean(f->metric, f->n, x, ex);
  thud_assert_near(norm, sqrt(thud_test_dot(n, ex, ex)), 1e-14 * norm);
  for (size_t i = 0; i < n; i++) difference[i] = x[i] - y[i];
  double distance = thud_metric_distance(f->metric, f->n, x, y);
  thud_assert_near(distance, thud_metric_norm(f->metric, f->n, difference), 1e-15 * distance);
  thud_assert_equal(distance, thud_metric_distance(f->metric, f->n, y, x));
  thud_assert_equal(thud_metric_distance(f->metric, f->n, x, x), 0);
  /* The bounds bound the Rayleigh quotient. */
  double quotient = norm * norm / thud_test_dot(n, x, x);
  thud_assert_at_least(quotient, f->smallest * (1 - 1e-12));
  thud_assert_at_most(quotient, f->largest * (1 + 1e-12));
}

/* |p|_* = sup { p.x : |x|_M <= 1 }, attained at x = M^-1 p / |p|_*. */
static void check_dual_norm(fixture *f) {
  size_t n = (size_t)f->n;
  double p[MAX_N], x[MAX_N], condition = f->largest / f->smallest;
  thud_test_random_vector(&f->random, n, p);
  double dual = thud_metric_dual_norm(f->metric, f->n, p);
  thud_metric_solve(f->metric, f->n, p, x);
  double primal = thud_metric_norm(f->metric, f->n, x);
  thud_assert_near(primal, dual, 1e-13 * condition * dual);
  thud_assert_near(thud_test_dot(n, p, x) / primal, dual, 1e-13 * condition * dual);
  for (int trial = 0; trial < 20; trial++) {
    thud_test_random_vector(&f->random, n, x);
    thud_assert_at_most(thud_test_dot(n, p, x), dual * thud_metric_norm(f->metric, f->n, x) * (1 + 1e-12));
  }
}

static void check_entries(const fixture *f) {
  for (thud_index j = 0; j < f->n; j++)
    for (thud_index i = 0; i < f->n; i++) thud_assert_equal(thud_metric_entry(f->metric, i, j), f->M[i + j * f->n]);
  assert_int_equal(thud_metric_dimension(f->metric), f->n);
}

static void identities_hold_on_random_metrics(void **state) {
  (void)state;
  fixture f = {.context = thud_test_context(1), .random = thud_random_seed(11)};
  for (int trial = 0; trial < 3000; trial++) {
    f.n = trial % 30 == 0 ? 17 + trial / 30 % 31 : 1 + trial % 16; /* above THUD_DENSE_TINY now and then */
    bool diagonal = trial % 4 == 3;
    if (diagonal)
      make_diagonal(&f);
    else
      make_dense(&f);
    thud_assert_equal(thud_metric_is_diagonal(f.metric), (diagonal || f.n == 1));
    check_entries(&f);
    uint64_t allocations = thud_context_allocation_count(f.context);
    check_linear_maps(&f);
    check_norms(&f);
    check_dual_norm(&f);
    assert_int_equal(thud_context_allocation_count(f.context), allocations);
    thud_metric_destroy(f.metric);
  }
  assert_int_equal(thud_context_live_blocks(f.context), 0);
  thud_context_destroy(f.context);
}

static void null_is_the_euclidean_metric(void **state) {
  (void)state;
  double x[3] = {1, 2, 2}, y[3] = {3, 0, -4}, z[3], low, high;
  thud_assert_equal(thud_metric_norm(NULL, 3, x), 3);
  thud_assert_equal(thud_metric_dual_norm(NULL, 3, y), 5);
  thud_assert_equal(thud_metric_distance(NULL, 3, x, y), sqrt(44));
  thud_assert_equal(thud_metric_entry(NULL, 1, 1), 1);
  thud_assert_equal(thud_metric_entry(NULL, 1, 2), 0);
  assert_true(thud_metric_is_diagonal(NULL));
  thud_metric_bounds(NULL, &low, &high);
  thud_assert_equal(low, 1);
  thud_assert_equal(high, 1);
  void (*maps[])(const thud_metric *, thud_index, const double *,
                 double *) = {thud_metric_apply, thud_metric_solve, thud_metric_to_euclidean,
                              thud_metric_from_euclidean, thud_metric_covector_to_euclidean};
  for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
    memset(z, 0, sizeof z);
    maps[k](NULL, 3, x, z);
    assert_memory_equal(x, z, sizeof x);
    maps[k](NULL, 3, z, z);
    assert_memory_equal(x, z, sizeof x);
    maps[k](NULL, 0, NULL, NULL); /* nothing to do; with something to do but nothing given: nothing is touched */
    for (thud_index n = 1; n <= 3; n++) {
      maps[k](NULL, n, NULL, z);
      maps[k](NULL, n, x, NULL);
    }
    assert_memory_equal(x, z, sizeof x);
  }
}

static void bounds_are_the_extreme_eigenvalues(void **state) {
  (void)state;
  fixture f = {.context = thud_test_context(1), .random = thud_random_seed(12)};
  for (int trial = 0; trial < 500; trial++) {
    double values[MAX_N], low = INFINITY, high = 0;
    f.n = 2 + trial % 30;
    for (thud_index i = 0; i < f.n; i++) {
      values[i] = exp(thud_random_uniform(&f.random, -4, 4));
      low = fmin(low, values[i]);
      high = fmax(high, values[i]);
    }
    thud_test_random_with_eigenvalues(&f.random, f.n, values, f.M);
    assert_int_equal(thud_metric_create(f.context, f.n, f.M, &f.metric), THUD_OK);
    thud_metric_bounds(f.metric, &f.smallest, &f.largest);
    thud_assert_near(f.smallest, low, 1e-13 * high);
    thud_assert_near(f.largest, high, 1e-13 * high);
    thud_metric_destroy(f.metric);
  }
  thud_context_destroy(f.context);
}

/* M = D S D with S of ones on the diagonal and D over thirty decades: well-conditioned but for the units. */
static void units_do_not_matter(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index n = 3; n <= 21; n += 18) { /* Jacobi's way and LAPACK's */
    double M[21 * 21], low, high;
    for (thud_index j = 0; j < n; j++)
      for (thud_index i = 0; i < n; i++) M[i + j * n] = (i == j ? 1 : 0.3) * pow(10, -15.0 * (i + j) / (double)(n - 1));
    thud_metric *metric = NULL;
    assert_int_equal(thud_metric_create(context, n, M, &metric), THUD_OK);
    thud_metric_bounds(metric, &low, &high);
    /* eigenvalues of S lie in [0.7, 1 + 0.3(n-1)] */
    double smallest_diagonal = M[n * n - 1];
    thud_assert_at_most(low, smallest_diagonal);
    thud_assert_at_least(low, 0.7 * smallest_diagonal / (n > 16 ? 3 * n : 1));
    thud_assert_at_least(high, 1);
    thud_assert_at_most(high, 1 + 0.3 * n);
    thud_metric_destroy(metric);
  }
  thud_context_destroy(context);
}

static void norms_survive_extreme_scales(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double M[4] = {2, 1, 1, 2}, d[2] = {4, 9};
  thud_metric *dense = NULL, *diagonal = NULL;
  assert_int_equal(thud_metric_create(context, 2, M, &dense), THUD_OK);
  assert_int_equal(thud_metric_create_diagonal(context, 2, d, &diagonal), THUD_OK);
  for (int e = -300; e <= 300; e += 50) {
    double scale = pow(10, e), x[2] = {3 * scale, 4 * scale}, zero[2] = {0, 0};
    thud_assert_nearer(thud_metric_norm(dense, 2, x) / scale / sqrt(74), 1, 1e-14);
    thud_assert_nearer(thud_metric_distance(dense, 2, zero, x) / scale / sqrt(74), 1, 1e-14);
    thud_assert_nearer(thud_metric_norm(NULL, 2, x) / scale / 5, 1, 1e-14);
    thud_assert_nearer(thud_metric_norm(diagonal, 2, x) / scale / sqrt(180), 1, 1e-14);
    thud_assert_nearer(thud_metric_dual_norm(diagonal, 2, x) / scale / hypot(1.5, 4.0 / 3), 1, 1e-14);
    thud_assert_nearer(thud_metric_dual_norm(dense, 2, x) / scale / sqrt(26.0 / 3), 1, 1e-14);
  }
  double bad[2] = {NAN, 1}, infinite[2] = {1, INFINITY};
  assert_true(isnan(thud_metric_norm(dense, 2, bad)) && isnan(thud_metric_dual_norm(diagonal, 2, bad)));
  assert_true(isinf(thud_metric_norm(NULL, 2, infinite)) && isinf(thud_metric_dual_norm(diagonal, 2, infinite)));
  thud_metric_destroy(dense);
  thud_metric_destroy(diagonal);
  thud_context_destroy(context);
}

static void expect_refusal(thud_context *context, thud_index n, const double *M, thud_error error,
                           const char *message) {
  thud_metric *metric = (thud_metric *)&error; /* any value: it must stay */
  assert_int_equal(thud_metric_create(context, n, M, &metric), error);
  assert_ptr_equal(metric, &error);
  assert_string_equal(thud_context_last_message(context), message);
}

static void refusals_name_the_entry(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double asymmetric[9] = {1, 0, 1, 0, 1, 0, 3, 0, 20};
  expect_refusal(context, 3, asymmetric, THUD_ERROR_NOT_SPD, "metric: entry (2,0) is 1 but (0,2) is 3: not symmetric");
  double indefinite[4] = {2, 1, 1, 0};
  expect_refusal(context, 2, indefinite, THUD_ERROR_NOT_SPD, "metric: pivot 1 is -0.5: not positive definite");
  double negative[4] = {1, 0, 0, -3};
  expect_refusal(context, 2, negative, THUD_ERROR_NOT_SPD, "metric: pivot 1 is -3: not positive definite");
  double singular[4] = {1, 2, 2, 4};
  expect_refusal(context, 2, singular, THUD_ERROR_NOT_SPD, "metric: pivot 1 is 0: not positive definite");
  double barely[4] = {1, 1, 1, 1 + 2.220446049250313e-16};
  expect_refusal(context, 2, barely, THUD_ERROR_NOT_SPD,
                 "metric: pivot 1 is 2.22e-16, lost in the rounding of entry (1,1) = 1: not positive definite");
  double infinite[4] = {1, 0, INFINITY, 1};
  expect_refusal(context, 2, infinite, THUD_ERROR_NOT_FINITE, "metric: entry (0,1) is inf");
  expect_refusal(context, 0, infinite, THUD_ERROR_ARGUMENT, "metric: the dimension is 0, at least 1 is needed");
  expect_refusal(context, 5000, infinite, THUD_ERROR_OVERFLOW,
                 "metric: the dimension 5000 is above 4096, the largest of a dense metric; use a diagonal one");
  double diagonal[2] = {1, NAN};
  thud_metric *metric = NULL;
  assert_int_equal(thud_metric_create_diagonal(context, 2, diagonal, &metric), THUD_ERROR_NOT_FINITE);
  diagonal[1] = 0;
  assert_int_equal(thud_metric_create_diagonal(context, 2, diagonal, &metric), THUD_ERROR_NOT_SPD);
  assert_string_equal(thud_context_last_message(context), "metric: pivot 1 is 0: not positive definite");
  assert_int_equal(thud_metric_create_diagonal(context, -1, diagonal, &metric), THUD_ERROR_ARGUMENT);
  assert_null(metric);
  assert_int_equal(thud_context_live_blocks(context), 0);
  thud_context_destroy(context);
}

/* With n = 40 the factorisation is LAPACK's; the message must still name the pivot and its value. */
static void refusals_of_large_matrices_name_the_pivot(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 40 };
  double M[N * N] = {0};
  for (int i = 0; i < N; i++) M[i + i * N] = 1;
  M[0 + 25 * N] = M[25 + 0 * N] = 2; /* pivot 25 is 1 - 4 */
  expect_refusal(context, N, M, THUD_ERROR_NOT_SPD, "metric: pivot 25 is -3: not positive definite");
  M[0 + 25 * N] = M[25 + 0 * N] = 1;
  expect_refusal(context, N, M, THUD_ERROR_NOT_SPD, "metric: pivot 25 is 0: not positive definite");
  thud_context_destroy(context);
}

/* B B' with B n x (n-1): singular but for rounding. */
static void gram_matrices_of_too_few_vectors_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  for (int trial = 0; trial < 2000; trial++) {
    thud_index n = 2 + trial % 30;
    double B[MAX_N * MAX_N], M[MAX_N * MAX_N];
    thud_test_random_vector(&random, (size_t)(n * (n - 1)), B);
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j <= i; j++) {
        double sum = 0;
        for (thud_index k = 0; k < n - 1; k++) sum += B[i + k * n] * B[j + k * n];
        M[i + j * n] = M[j + i * n] = sum;
      }
    thud_metric *metric = NULL;
    assert_int_equal(thud_metric_create(context, n, M, &metric), THUD_ERROR_NOT_SPD);
    assert_non_null(strstr(thud_context_last_message(context), "not positive definite"));
  }
  thud_context_destroy(context);
}

static void rounding_asymmetry_is_averaged(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double M[4] = {1e10, 1e-3 * (1 + 1e-13), 1e-3, 1}, slightly[4] = {1, 1e-14, -1e-14, 1};
  thud_metric *metric = NULL;
  assert_int_equal(thud_metric_create(context, 2, M, &metric), THUD_OK);
  thud_assert_equal(thud_metric_entry(metric, 0, 1), thud_metric_entry(metric, 1, 0));
  thud_assert_nearer(thud_metric_entry(metric, 0, 1) / 1e-3 - 1, 0.5e-13, 1e-15);
  thud_metric_destroy(metric);
  assert_int_equal(thud_metric_create(context, 2, slightly, &metric), THUD_OK);
  thud_assert_equal(thud_metric_entry(metric, 0, 1), 0);
  assert_true(thud_metric_is_diagonal(metric));
  thud_metric_destroy(metric);
  thud_metric_destroy(NULL);
  thud_context_destroy(context);
}

static thud_error create_and_destroy(thud_context *context, void *user) {
  thud_index n = *(thud_index *)user;
  double M[MAX_N * MAX_N];
  for (thud_index k = 0; k < n * n; k++) M[k] = k % (n + 1) == 0 ? 2.0 * n : 1;
  thud_metric *metric = NULL;
  thud_error error = thud_metric_create(context, n, M, &metric);
  if (error != THUD_OK) assert_null(metric);
  if (error == THUD_OK) {
    thud_metric *second = NULL;
    error = thud_metric_create_diagonal(context, n, M, &second);
    if (error != THUD_OK) assert_null(second);
    thud_metric_destroy(second);
  }
  thud_metric_destroy(metric);
  return error;
}

static void allocation_failures_leave_nothing_behind(void **state) {
  (void)state;
  thud_index tiny = 3, large = 20;
  thud_assert_at_least(thud_test_sweep_allocations(create_and_destroy, &tiny), 6);
  thud_assert_at_least(thud_test_sweep_allocations(create_and_destroy, &large), 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identities_hold_on_random_metrics),
      cmocka_unit_test(null_is_the_euclidean_metric),
      cmocka_unit_test(bounds_are_the_extreme_eigenvalues),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(norms_survive_extreme_scales),
      cmocka_unit_test(refusals_name_the_entry),
      cmocka_unit_test(refusals_of_large_matrices_name_the_pivot),
      cmocka_unit_test(gram_matrices_of_too_few_vectors_are_refused),
      cmocka_unit_test(rounding_asymmetry_is_averaged),
      cmocka_unit_test(allocation_failures_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
