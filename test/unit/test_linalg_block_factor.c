/* The factor of block matrices: against products with the matrix, with and without symmetry; singular pivots. */
#include "failing_allocator.h"
#include "linalg/block_factor.h"
#include "random_matrices.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, PAIRS = 60, MOST = ROWS * THUD_BLOCK_FACTOR_MAX };

typedef struct block_matrix {
  size_t b;
  thud_index a[PAIRS], c[PAIRS];
  double A[MOST * MOST]; /* column-major */
} block_matrix;

/* Some pairs repeat, some have no second row. */
static void make_pairs(thud_random *random, block_matrix *matrix) {
  for (size_t k = 0; k < PAIRS; k++) {
    matrix->a[k] = (thud_index)(thud_random_uniform(random, 0, 1) * ROWS);
    matrix->c[k] = (thud_index)(thud_random_uniform(random, 0, 1) * (ROWS + 2)) - 2;
    if (matrix->c[k] < 0 || matrix->c[k] == matrix->a[k]) matrix->c[k] = -1;
  }
}

/* Adds x to entry (i, j) of block (row, column) of both. */
static void add_entry(block_matrix *matrix, double *block, size_t row, size_t column, size_t i, size_t j, double x) {
  size_t b = matrix->b, n = ROWS * b;
  if (block != NULL) block[j * b + i] += x;
  matrix->A[(column * b + j) * n + row * b + i] += x;
}

/* Fills the factor and the full matrix alike; the diagonal dominates. */
static void fill(thud_random *random, block_matrix *matrix, thud_block_factor *factor, bool symmetric) {
  size_t b = matrix->b;
  memset(matrix->A, 0, sizeof matrix->A);
  thud_block_factor_clear(factor, symmetric);
  for (size_t k = 0; k < ROWS; k++)
    for (size_t i = 0; i < b; i++)
      for (size_t j = 0; j < b; j++) {
        double x = i == j ? 30 : symmetric ? 0 : thud_random_normal(random);
        add_entry(matrix, thud_block_factor_diagonal(factor, (thud_index)k), k, k, i, j, x);
      }
  for (size_t k = 0; k < PAIRS; k++) {
    double *ab, *ba;
    if (matrix->c[k] < 0) continue;
    thud_block_factor_pair(factor, k, &ab, &ba);
    for (size_t i = 0; i < b; i++)
      for (size_t j = 0; j < b; j++) {
        double x = thud_random_normal(random), y = symmetric ? x : thud_random_normal(random);
        add_entry(matrix, ab, (size_t)matrix->a[k], (size_t)matrix->c[k], i, j, x);
        add_entry(matrix, ba, (size_t)matrix->c[k], (size_t)matrix->a[k], j, i, y);
      }
  }
}

static void solutions_satisfy_the_system(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  block_matrix *matrix = calloc(1, sizeof *matrix);
  assert_non_null(matrix);
  for (matrix->b = 1; matrix->b <= THUD_BLOCK_FACTOR_MAX; matrix->b++) {
    thud_block_factor *factor = NULL;
    thud_index n = (thud_index)(ROWS * matrix->b);
    assert_int_equal(thud_block_factor_create(context, ROWS, matrix->b, &factor), THUD_OK);
    for (int trial = 0; trial < 10; trial++) {
      double x[MOST], given[MOST], product[MOST];
      if (trial % 2 == 0) make_pairs(&random, matrix);
      assert_int_equal(thud_block_factor_analyse(factor, PAIRS, matrix->a, matrix->c), THUD_OK);
      fill(&random, matrix, factor, trial % 3 == 0);
      thud_test_random_vector(&random, (size_t)n, given);
      memcpy(x, given, sizeof x);
      assert_true(thud_block_factor_factorize(factor));
      thud_block_factor_solve(factor, x);
      thud_test_multiply(n, n, matrix->A, false, x, product);
      thud_assert_less(thud_test_max_difference((size_t)n, product, given), 1e-12);
    }
    thud_block_factor_destroy(factor);
  }
  free(matrix);
  thud_test_context_end(context);
}

/* [0 1; 1 0] needs its pivots within the block; a row of zeros has none. */
static void blocks_are_pivoted_within(void **state) {
  (void)state;
  double swap[4] = {0, 1, 1, 0}, singular[4] = {1, 2, 2, 4};
  assert_true(thud_block_invert(2, swap));
  thud_assert_equal(swap[0], 0);
  thud_assert_equal(swap[1], 1);
  thud_assert_equal(swap[2], 1);
  thud_assert_equal(swap[3], 0);
  assert_false(thud_block_invert(2, singular));
}

static thud_error analyse(thud_context *context, void *user) {
  static const thud_index a[] = {0, 1, 2, 3}, b[] = {1, 2, 3, 0};
  (void)user;
  thud_block_factor *factor = NULL;
  thud_error error = thud_block_factor_create(context, 4, 3, &factor);
  if (error == THUD_OK) error = thud_block_factor_analyse(factor, 4, a, b);
  thud_block_factor_destroy(factor);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_at_least((double)thud_test_sweep_allocations(analyse, NULL), 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_satisfy_the_system),
                                     cmocka_unit_test(blocks_are_pivoted_within),
                                     cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
