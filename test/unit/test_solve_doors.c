/* What `auto` does before it sets anything up: one contact, two contacts in the plane, one sweep. */
#include "random_matrices.h"
#include "random_problems.h"
#include "solve/one_contact.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 400 };

static thud_solver *make_solver(thud_context *context, const thud_contact_problem *problem, double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  thud_solver *solver = NULL;
  options.tolerance = tolerance;
  assert_int_equal(thud_solver_create(context, NULL, problem, &options, &solver), THUD_OK);
  return solver;
}

/* One contact of every kind is solved to rounding by one visit. W has a condition of at most about 1e3, which the
 * tolerance 1e-12 leaves room for. */
static void one_contact_of_every_kind_is_solved_to_rounding_at_once(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(17);
  for (size_t k = 0; k < THUD_TEST_DIMENSIONS; k++)
    for (int instance = 0; instance < INSTANCES; instance++) {
      thud_test_shape shape = thud_test_shape_of(thud_test_dimensions[k], 1);
      thud_test_problem made;
      thud_solver_info info;
      double r[THUD_CONTACT_DIMENSION_MAX] = {0};
      assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
      thud_solver *solver = make_solver(context, made.problem, 1e-12);
      assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
      assert_int_equal(info.status, THUD_SOLVED);
      thud_assert_at_most(info.iterations, 1);
      assert_int_equal(info.attempt_count, 1);
      thud_solver_destroy(solver);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* ---- two contacts in the plane ------------------------------------------------------------------------------------ */

typedef struct two_planes {
  double W[16], mu[2], q[4];
} two_planes;

/* W = A A' of the given rank: two contacts of one body have rank 3. */
static two_planes random_two_planes(thud_random *random, size_t rank) {
  two_planes made = {.mu = {thud_random_uniform(random, 0, 1.5), thud_random_uniform(random, 0, 1.5)}};
  double A[4][4];
  for (size_t i = 0; i < 4; i++)
    for (size_t j = 0; j < rank; j++) A[i][j] = thud_random_normal(random);
  for (size_t i = 0; i < 4; i++) {
    made.q[i] = thud_random_normal(random);
    for (size_t j = 0; j < 4; j++)
      for (size_t k = 0; k < rank; k++) made.W[j * 4 + i] += A[i][k] * A[j][k];
  }
  return made;
}

typedef struct nearest {
  const double *r;
  double distance;
} nearest;

static int note_solution(void *user, const thud_solution *solution) {
  nearest *found = user;
  double distance = 0;
  for (size_t i = 0; i < 4; i++) distance = fmax(distance, fabs(solution->r[i] - found->r[i]));
  found->distance = fmin(found->distance, distance);
  return 0;
}

/* The answer satisfies the laws to rounding, and is one of those that the enumeration of all modes finds. */
static void two_planar_contacts_are_solved_by_their_modes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(23);
  for (int instance = 0; instance < 10 * INSTANCES; instance++) {
    two_planes made = random_two_planes(&random, 4);
    thud_contact_problem problem = thud_test_dense_problem(2, 2, made.W, made.q, made.mu);
    thud_contact_residual residual;
    double r[4];
    assert_true(thud_two_planes_solve(made.W, made.mu, made.q, r)); /* W is regular: there is a solution */
    assert_int_equal(thud_contact_evaluate(context, &problem, r, NULL, NULL, NULL, &residual), THUD_OK);
    double size = 1;
    for (size_t i = 0; i < 4; i++) size = fmax(size, fabs(r[i]));
    thud_assert_at_most(residual.residual, 1e-11 * size); /* condition of W: impulses up to 1e6 among these */
    if (instance % 10 != 0 || size > 1e3) continue;
    nearest found = {r, INFINITY};
    assert_int_equal(thud_contact_enumerate(context, &problem, 1e-9, note_solution, &found, NULL), THUD_OK);
    thud_assert_at_most(found.distance, 1e-8 * size);
  }
  thud_test_context_end(context);
}

/* Contacts that pull each other apart: W_NN = [1 -1; -1 1] with u_N = -1 at both has no solution. */
static void two_planar_contacts_without_a_solution_are_refused(void **state) {
  (void)state;
  const double W[16] = {[0] = 1, [2] = -1, [8] = -1, [10] = 1, [5] = 1, [15] = 1};
  const double q[4] = {-1, 0, -1, 0}, mu[2] = {0, 0};
  double r[4] = {7, 7, 7, 7};
  assert_false(thud_two_planes_solve(W, mu, q, r));
  for (size_t i = 0; i < 4; i++) thud_assert_equal(r[i], 7);
}

static void auto_leaves_by_the_modes_where_sweeps_would_creep(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(29);
  for (int instance = 0; instance < INSTANCES; instance++) {
    two_planes made = random_two_planes(&random, 4);
    thud_contact_problem problem = thud_test_dense_problem(2, 2, made.W, made.q, made.mu);
    thud_solver *solver = make_solver(context, &problem, 1e-10);
    thud_solver_info info;
    double r[4] = {0};
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_assert_at_most(info.iterations, 2);
    thud_solver_destroy(solver);
  }
  thud_test_context_end(context);
}

/* ---- one sweep ------------------------------------------------------------------------------------------------------ */

/* Contacts that do not feel each other but for one that is open: one sweep solves it, whatever the storage of W, and
 * update and solve allocate nothing. */
static void uncoupled_contacts_are_solved_by_one_sweep_without_memory(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(31);
  enum { CONTACTS = 44, SIZE = 3 * CONTACTS };
  static double W[SIZE * SIZE], q[SIZE], mu[CONTACTS];
  for (size_t c = 0; c < CONTACTS; c++) {
    double block[9];
    thud_test_random_spd(&random, 3, 0.1, block);
    mu[c] = 0.4;
    for (size_t j = 0; j < 3; j++) {
      q[3 * c + j] = j == 0 && c % 3 == 0 ? 1 : thud_random_normal(&random) - (j == 0);
      for (size_t i = 0; i < 3; i++) W[(3 * c + j) * SIZE + 3 * c + i] = block[3 * j + i];
    }
  }
  thud_contact_problem dense = thud_test_dense_problem(3, CONTACTS, W, q, mu);
  static const thud_matrix_storage storages[] = {THUD_MATRIX_DENSE, THUD_MATRIX_BLOCKS, THUD_MATRIX_SPARSE};
  double first[SIZE] = {0};
  for (size_t k = 0; k < 3; k++) {
    thud_owned_problem *owned = NULL;
    double r[SIZE] = {0};
    thud_solver_info info;
    assert_int_equal(thud_contact_to_local(context, &dense, storages[k], &owned), THUD_OK);
    thud_solver *solver = make_solver(context, thud_owned_problem_view(owned), 1e-12);
    uint64_t before = thud_context_allocation_count(context);
    assert_int_equal(thud_solver_update(solver, thud_owned_problem_view(owned)), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(thud_context_allocation_count(context), before);
    assert_int_equal(info.status, THUD_SOLVED);
    assert_int_equal(info.iterations, 1);
    assert_string_equal(info.method, "gauss-seidel");
    if (k == 0) memcpy(first, r, sizeof r);
    for (size_t i = 0; i < SIZE; i++) thud_assert_near(r[i], first[i], 1e-13 * (1 + fabs(first[i])));
    thud_solver_destroy(solver);
    thud_owned_problem_destroy(owned);
  }
  thud_test_context_end(context);
}

/* A second solve of the same numbers takes the same way, although everything is set up by then. */
static void the_same_problem_takes_the_same_way_again(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(37);
  for (thud_index contacts = 4; contacts <= 40; contacts += 6) {
    thud_test_shape shape = {.dimension = 3, .contacts = contacts, .bodies = contacts / 3 + 1, .block = 6};
    thud_test_problem made;
    thud_solver_attempt kept[64];
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    thud_solver *solver = make_solver(context, made.problem, 1e-9);
    double *r = thud_test_doubles(3 * (size_t)contacts);
    size_t count = 0;
    for (int turn = 0; turn < 3; turn++) {
      thud_solver_info info;
      memset(r, 0, 3 * (size_t)contacts * sizeof *r);
      assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
      if (turn == 0) count = info.attempt_count;
      if (turn == 0) memcpy(kept, info.attempts, count * sizeof *kept);
      assert_int_equal(info.attempt_count, count);
      for (size_t k = 0; k < count; k++) {
        assert_string_equal(info.attempts[k].method, kept[k].method);
        assert_int_equal(info.attempts[k].iterations, kept[k].iterations);
        assert_int_equal(info.attempts[k].work, kept[k].work);
      }
    }
    free(r);
    thud_solver_destroy(solver);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_of_every_kind_is_solved_to_rounding_at_once),
      cmocka_unit_test(two_planar_contacts_are_solved_by_their_modes),
      cmocka_unit_test(two_planar_contacts_without_a_solution_are_refused),
      cmocka_unit_test(auto_leaves_by_the_modes_where_sweeps_would_creep),
      cmocka_unit_test(uncoupled_contacts_are_solved_by_one_sweep_without_memory),
      cmocka_unit_test(the_same_problem_takes_the_same_way_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
