/* The box problem: the lemma of seed 004 in numbers, optimality on random instances, refusals, failing memory. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/pivot.h"

#include <math.h>

static void lemma_f5_has_its_solution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_box_solver *solver = NULL;
  assert_int_equal(thud_box_solver_create(context, 2, &solver), THUD_OK);
  const double A[] = {2, 1, 1, 2}, b[] = {3, 0}, lower[] = {-1, -1}, upper[] = {1, 1};
  thud_box_task task = {2, A, b, lower, upper};
  double x[2], slack[2];
  int8_t side[2];
  thud_pivot_info info;
  assert_int_equal(thud_box_solve(solver, &task, x, slack, side, &info), THUD_OK);
  assert_int_equal(info.status, THUD_PIVOT_SOLVED);
  assert_true(fabs(x[0] - 1) < 1e-15 && fabs(x[1] + 0.5) < 1e-15);
  assert_true(fabs(slack[0] - 1.5) < 1e-15 && slack[1] == 0);
  assert_true(side[0] == 1 && side[1] == 0);
  thud_box_solver_destroy(solver);
  thud_test_context_end(context);
}

/* Natural map and stationarity of 2000 random problems, some of them with open or closed sides. */
static void random_problems_are_solved(void **state) {
  (void)state;
  enum { MOST = 12 };
  thud_context *context = thud_test_context(1);
  thud_box_solver *solver = NULL;
  thud_random random = thud_random_seed(4);
  assert_int_equal(thud_box_solver_create(context, MOST, &solver), THUD_OK);
  uint64_t before = thud_context_allocation_count(context);
  for (int trial = 0; trial < 2000; trial++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, MOST);
    double A[MOST * MOST], G[MOST * MOST], b[MOST], lower[MOST], upper[MOST], x[MOST], slack[MOST];
    int8_t side[MOST];
    for (thud_index k = 0; k < n * n; k++) G[k] = thud_random_normal(&random);
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j < n; j++) {
        double sum = i == j ? 0.01 : 0;
        for (thud_index k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k];
        A[i + j * n] = sum;
      }
    for (thud_index i = 0; i < n; i++) {
      uint32_t kind = thud_random_below(&random, 6);
      b[i] = 3 * thud_random_normal(&random);
      upper[i] = fabs(thud_random_normal(&random));
      lower[i] = -upper[i];
      if (kind == 0) upper[i] = INFINITY;
      if (kind == 1) lower[i] = -INFINITY;
      if (kind == 2) lower[i] = upper[i];
    }
    thud_box_task task = {n, A, b, lower, upper};
    thud_pivot_info info;
    assert_int_equal(thud_box_solve(solver, &task, x, slack, side, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    for (thud_index i = 0; i < n; i++) {
      double sum = b[i], size = 1;
      for (thud_index j = 0; j < n; j++) {
        sum -= A[i + j * n] * x[j];
        size += fabs(A[i + j * n] * x[j]);
      }
      assert_true(x[i] >= lower[i] && x[i] <= upper[i]);
      /* b - Ax in the normal cone: x is the projection of x + (b - Ax). */
      double projected = fmin(fmax(x[i] + sum, lower[i]), upper[i]);
      assert_true(fabs(projected - x[i]) <= 1e-10 * size);
      assert_true(fabs(slack[i] - sum) <= 1e-10 * size);
    }
  }
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_box_solver_destroy(solver);
  thud_test_context_end(context);
}

static void bad_problems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_box_solver *solver = NULL;
  assert_int_equal(thud_box_solver_create(context, -1, &solver), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_box_solver_create(context, 2, &solver), THUD_OK);
  double A[] = {2, 1, 1, 2}, b[] = {3, 0}, lower[] = {-1, -1}, upper[] = {1, 1}, x[2] = {7, 7}, slack[2] = {7, 7};
  int8_t side[2] = {7, 7};
  thud_box_task task = {3, A, b, lower, upper};
  assert_int_equal(thud_box_solve(solver, &task, x, slack, side, NULL), THUD_ERROR_ARGUMENT);
  task.n = 2;
  assert_int_equal(thud_box_solve(solver, NULL, x, slack, side, NULL), THUD_ERROR_ARGUMENT);
  lower[1] = 2;
  assert_int_equal(thud_box_solve(solver, &task, x, slack, side, NULL), THUD_ERROR_ARGUMENT);
  lower[1] = -1;
  b[0] = NAN;
  assert_int_equal(thud_box_solve(solver, &task, x, slack, side, NULL), THUD_ERROR_NOT_FINITE);
  b[0] = 3;
  A[0] = INFINITY;
  assert_int_equal(thud_box_solve(solver, &task, x, slack, side, NULL), THUD_ERROR_NOT_FINITE);
  A[0] = -1;
  assert_int_equal(thud_box_solve(solver, &task, x, slack, side, NULL), THUD_ERROR_NOT_SPD);
  assert_true(x[0] == 7 && slack[0] == 7 && side[0] == 7);
  thud_box_solver_destroy(solver);
  thud_test_context_end(context);
}

static thud_error make_solver(thud_context *context, void *user) {
  (void)user;
  thud_box_solver *solver = NULL;
  thud_error error = thud_box_solver_create(context, 4, &solver);
  thud_box_solver_destroy(solver);
  return error;
}

static void creation_survives_failing_memory(void **state) {
  (void)state;
  assert_true(thud_test_sweep_allocations(make_solver, NULL) >= 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lemma_f5_has_its_solution),
      cmocka_unit_test(random_problems_are_solved),
      cmocka_unit_test(bad_problems_are_refused),
      cmocka_unit_test(creation_survives_failing_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
