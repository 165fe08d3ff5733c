/* auto: every problem that has a solution is solved, proofs hold, the best iterate is kept, the way is reported. */
#include "failing_allocator.h"
#include "random_problems.h"
#include "random_matrices.h"
#include "testing.h"
#include "thud/problem.h"
#include "thud/solve.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- help --------------------------------------------------------------------------------------------------- */

typedef struct outcome {
  double *r, *u, *l;
  thud_solver_info info;
} outcome;

static void outcome_free(outcome *found) {
  free(found->r);
  free(found->u);
  free(found->l);
}

/* Solves from r = 0, or from `start`. The info borrows from the solver, which is handed back. */
static thud_solver *solve_from(thud_context *context, const thud_contact_problem *problem,
                               const thud_solver_options *options, const double *start, outcome *found) {
  thud_solver *solver = NULL;
  size_t size = thud_contact_size(problem);
  thud_error error = thud_solver_create(context, NULL, problem, options, &solver);
  if (error != THUD_OK) fail_msg("create: %s", thud_context_last_message(context));
  *found = (outcome){.r = thud_test_doubles(size + 1),
                     .u = thud_test_doubles(size + 1),
                     .l = thud_test_doubles((size_t)problem->bilateral + 1)};
  if (start != NULL) memcpy(found->r, start, size * sizeof(double));
  assert_int_equal(thud_solver_solve(solver, found->r, found->u, NULL, found->l, &found->info), THUD_OK);
  return solver;
}

static thud_solver_options with_tolerance(double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  return options;
}

static double residual_at(thud_context *context, const thud_contact_problem *problem, const double *r) {
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, problem, r, NULL, NULL, NULL, &residual), THUD_OK);
  return residual.residual;
}

/* ---- the registry --------------------------------------------------------------------------------------------- */

static void auto_is_chosen_when_no_method_is_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {2}, q[1] = {-3};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL);
  outcome found;
  thud_solver *solver = solve_from(context, &problem, NULL, NULL, &found);
  assert_string_equal(thud_solver_method_name(thud_solver_method_at(0)), "auto");
  assert_int_equal(found.info.status, THUD_SOLVED);
  assert_string_equal(found.info.method, "gauss-seidel");
  thud_assert_near(found.r[0], 1.5, 1e-15);
  assert_int_equal(found.info.attempt_count, 1);
  assert_string_equal(found.info.attempts[0].method, "gauss-seidel");
  assert_string_equal(found.info.why, "");
  thud_solver_destroy(solver);
  outcome_free(&found);
  thud_test_context_end(context);
}

/* ---- problems with a solution ----------------------------------------------------------------------------------- */

static void check_solved(thud_context *context, const thud_contact_problem *problem, double tolerance,
                         const char *name) {
  thud_solver_options options = with_tolerance(tolerance);
  outcome found;
  thud_solver *solver = solve_from(context, problem, &options, NULL, &found);
  if (found.info.status != THUD_SOLVED) fail_msg("%s at %g: %s", name, tolerance, found.info.why);
  thud_assert_at_most(found.info.residual.residual, tolerance);
  assert_int_equal(found.info.attempts[found.info.attempt_count - 1].status, THUD_SOLVED);
  thud_solver_destroy(solver);
  outcome_free(&found);
}

/* THUD_FC_DATA names a folder with problem files. */
static void every_sample_is_solved(void **state) {
  (void)state;
  const char *folder = getenv("THUD_FC_DATA");
  if (folder == NULL) thud_skip("needs reference problems: set THUD_FC_DATA to their folder");
  thud_context *context = thud_test_context(1);
  DIR *listing = opendir(folder);
  assert_non_null(listing);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    char path[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    thud_problem_file *file = NULL;
    if (thud_problem_read(context, path, NULL, &file) != THUD_OK) continue;
    check_solved(context, thud_problem_file_contents(file).problem, 1e-4, entry->d_name);
    check_solved(context, thud_problem_file_contents(file).problem, 1e-8, entry->d_name);
    thud_problem_file_destroy(file);
    count++;
  }
  closedir(listing);
  print_message("%d samples\n", count);
  thud_assert_greater(count, 0);
  thud_test_context_end(context);
}

/* Far fewer degrees of freedom than impulses: forces are indeterminate, velocities are not. */
static void hyperstatic_problems_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 0; seed < 12; seed++)
    for (thud_index dimension = 1; dimension <= 3; dimension++) {
      thud_random random = thud_random_seed(seed);
      thud_test_shape shape = {.dimension = dimension, .contacts = 40, .bodies = 6, .block = 6};
      thud_test_problem made;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      check_solved(context, made.problem, 1e-8, "random pile");
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

static void stacks_of_boxes_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index height = 2; height <= 14; height += 4) {
    thud_random random = thud_random_seed(3);
    thud_test_pile pile = {.nz = height, .dimension = 3, .mu = 0.5, .mass_ratio = 10, .noise = 0.01};
    thud_test_problem made;
    assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
    check_solved(context, made.problem, 1e-8, "stack of boxes");
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- problems without one ------------------------------------------------------------------------------------------
 */

/* l >= 0, W' (n l) = 0 and l.q_N < 0, on the problem itself. */
static void check_proof(const thud_contact_problem *problem, const thud_solver_certificate *proof) {
  size_t d = (size_t)problem->dimension, size = d * (size_t)problem->contacts;
  double value = 0, largest = 0;
  thud_assert_greater(proof->count, 0);
  for (size_t k = 0; k < proof->count; k++) {
    size_t row = d * (size_t)proof->contacts[k];
    thud_assert_greater(proof->multipliers[k], 0);
    largest = fmax(largest, proof->multipliers[k]);
    value += proof->multipliers[k] * problem->q[row];
  }
  thud_assert_equal(largest, 1);
  thud_assert_less(value, 0);
  thud_assert_near(value, proof->value, 1e-12 * fabs(value));
  thud_assert_at_least(proof->relative_reach, 1e6);
  for (size_t j = 0; j < size; j++) {
    double sum = 0, sum_size = 0;
    for (size_t k = 0; k < proof->count; k++) {
      double entry = problem->W.dense[j * size + d * (size_t)proof->contacts[k]];
      sum += entry * proof->multipliers[k];
      sum_size += fabs(entry) * proof->multipliers[k];
    }
    thud_assert_at_most(fabs(sum), 1e-10 * sum_size);
  }
}

static void check_infeasible(thud_context *context, const thud_contact_problem *problem) {
  outcome found;
  thud_solver *solver = solve_from(context, problem, NULL, NULL, &found);
  if (found.info.status != THUD_SOLVER_INFEASIBLE) fail_msg("status %d: %s", (int)found.info.status, found.info.why);
  check_proof(problem, &found.info.certificate);
  assert_non_null(strstr(found.info.why, "proved"));
  thud_solver_destroy(solver);
  outcome_free(&found);
}

/* A body that two walls press from both sides with velocities that leave it no room, with friction or without. */
static void two_walls_that_close_on_a_body_are_infeasible(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double normal[4] = {1, -1, -1, 1}, q1[2] = {-1, -2};
  thud_contact_problem problem = thud_test_dense_problem(1, 2, normal, q1, NULL);
  check_infeasible(context, &problem);
  /* contacts (N, T): the body moves along x and y; normals +x and -x, tangents y */
  const double W[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q2[4] = {-1, 0.5, -0.5, 0.3};
  const double mu[2] = {0.3, 0.7};
  problem = thud_test_dense_problem(2, 2, W, q2, mu);
  check_infeasible(context, &problem);
  thud_test_context_end(context);
}

/* Random bodies with more walls than degrees of freedom, one of them made to contradict the others. */
static void random_contradictions_are_proved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 9, DOF = 4 };
  for (uint64_t seed = 0; seed < 50; seed++) {
    thud_random random = thud_random_seed(seed);
    double J[N * DOF], W[N * N] = {0}, q[N], weight[N];
    for (int i = 0; i < N * DOF; i++) J[i] = thud_random_normal(&random);
    for (int i = 0; i < N; i++) {
      weight[i] = thud_random_uniform(&random, 0.1, 1.1);
      q[i] = thud_random_normal(&random);
    }
    double sum = 0;
    for (int k = 0; k < DOF; k++) { /* the last row closes the positive combination */
      J[(N - 1) * DOF + k] = 0;
      for (int i = 0; i + 1 < N; i++) J[(N - 1) * DOF + k] -= weight[i] * J[i * DOF + k];
    }
    for (int i = 0; i + 1 < N; i++) sum += weight[i] * q[i];
    q[N - 1] = -sum - 0.5;
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++)
        for (int k = 0; k < DOF; k++) W[j * N + i] += J[i * DOF + k] * J[j * DOF + k];
    thud_contact_problem problem = thud_test_dense_problem(1, N, W, q, NULL);
    check_infeasible(context, &problem);
  }
  thud_test_context_end(context);
}

/* W_NN = -1 at one contact: r_N = 0 leaves u_N = -1, any r_N > 0 makes it worse. No solution, and the velocities alone
 * do not contradict each other: nothing is proved. */
static void no_solution_and_no_proof_is_best_effort_that_names_contacts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double W[36] = {0};
  const double diagonal[6] = {2, 1, 1, -1, 1, 1}, q[6] = {1, 0, 0, -1, 0, 0}, mu[2] = {0.3, 0.3};
  for (size_t i = 0; i < 6; i++) W[7 * i] = diagonal[i];
  thud_contact_problem problem = thud_test_dense_problem(3, 2, W, q, mu);
  outcome found;
  thud_solver *solver = solve_from(context, &problem, NULL, NULL, &found);
  assert_int_equal(found.info.status, THUD_SOLVER_STALLED);
  thud_assert_at_least(found.info.attempt_count, 4);
  assert_int_equal(found.info.worst_count, 1);
  assert_int_equal(found.info.worst[0], 1);
  assert_int_equal(found.info.certificate.count, 0);
  assert_non_null(strstr(
      found.info.why,
      ", worst at contact 1; W is not positive semidefinite; W has rank 6 of 6 and condition 2.0e+00 on its range"));
  assert_non_null(strstr(
      found.info.why,
      ", worst at contact 1; W is not positive semidefinite; W has rank 6 of 6 and condition 2.0e+00 on its range"));
  assert_non_null(strstr(
      found.info.why,
      ", worst at contact 1; W is not positive semidefinite; W has rank 6 of 6 and condition 2.0e+00 on its range"));
  thud_solver_destroy(solver);
  outcome_free(&found);
  thud_test_context_end(context);
}

/* The same without friction: Lemke's ray counts r_N >= 0 too and proves it; its words are reported. */
static void what_lemke_proves_is_told(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {-1, 0, 0, 2}, q[2] = {-1, 1};
  thud_contact_problem problem = thud_test_dense_problem(1, 2, W, q, NULL);
  outcome found;
  thud_solver *solver = solve_from(context, &problem, NULL, NULL, &found);
  assert_int_equal(found.info.status, THUD_SOLVER_INFEASIBLE);
  assert_int_equal(found.info.certificate.count, 0);
  assert_non_null(strstr(found.info.why, "lemke"));
  assert_non_null(strstr(found.info.why, "proved"));
  thud_solver_destroy(solver);
  outcome_free(&found);
  thud_test_context_end(context);
}

/* Bilateral rows take part in proofs: a wall closes on a body that a hinge holds. */
static void contradictions_with_bilateral_rows_are_proved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {1}, V[1] = {1}, R[1] = {1}, q[1] = {-1}, s[1] = {0.5};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL);
  problem.bilateral = 1;
  problem.V = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = V};
  problem.R = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = R};
  problem.s = s;
  outcome found;
  thud_solver *solver = solve_from(context, &problem, NULL, NULL, &found);
  assert_int_equal(found.info.status, THUD_SOLVER_INFEASIBLE);
  assert_int_equal(found.info.certificate.count, 1);
  assert_int_equal(found.info.certificate.contacts[0], 0);
  thud_assert_at_most(fabs(found.info.certificate.value + 1.5), 1e-12); /* u_N = (r + l) - 1, 0 = (r + l) + 1/2 */
  thud_solver_destroy(solver);
  outcome_free(&found);
  thud_test_context_end(context);
}

/* No normal impulse moves contact 0, but friction does: r = (2, 1) slides with u = (0, -97) where W_NN = 0 reports
 * nothing about the size of impulses; nor does contact 1, of a body that weighs next to nothing. */
static void what_friction_can_mend_is_not_called_infeasible(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[16] = {0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1e12, 0, 0, 0, 0, 1e12}, q[4] = {-1, -100, -1, 0};
  const double mu[2] = {0.5, 0.5}, alone[4] = {0, 1, 1, 1};
  const thud_contact_problem problems[2] = {thud_test_dense_problem(2, 1, alone, q, mu),
                                            thud_test_dense_problem(2, 2, W, q, mu)};
  for (size_t k = 0; k < 2; k++) {
    outcome found;
    thud_solver *solver = solve_from(context, &problems[k], NULL, NULL, &found);
    if (found.info.status != THUD_SOLVED) fail_msg("status %d: %s", (int)found.info.status, found.info.why);
    thud_solver_destroy(solver);
    outcome_free(&found);
  }
  thud_test_context_end(context);
}

/* ---- promises ---------------------------------------------------------------------------------------------------- */

static thud_error make_pile(thud_context *context, thud_index side, thud_test_problem *made) {
  thud_random random = thud_random_seed(7);
  thud_test_pile pile = {.nx = side, .ny = side, .nz = side, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.1};
  return thud_test_pile_of_spheres(context, &random, &pile, made);
}

static void answer_is_never_worse_than_the_warm_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made;
  assert_int_equal(make_pile(context, 4, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  outcome rough;
  thud_solver_options options = with_tolerance(1e-3);
  thud_solver *solver = solve_from(context, made.problem, &options, NULL, &rough);
  double start = residual_at(context, made.problem, rough.r);
  thud_solver_destroy(solver);
  for (int limit = 0; limit <= 3; limit++) {
    outcome found;
    options = with_tolerance(1e-15);
    options.max_iterations = limit;
    solver = solve_from(context, made.problem, &options, rough.r, &found);
    thud_assert_at_most(residual_at(context, made.problem, found.r), start);
    if (limit == 0) assert_memory_equal(found.r, rough.r, size * sizeof(double));
    assert_int_equal(found.info.status, THUD_SOLVER_LIMIT);
    thud_solver_destroy(solver);
    outcome_free(&found);
  }
  outcome_free(&rough);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void limits_hold_for_all_methods_together(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_shape shape = {.dimension = 3, .contacts = 30, .bodies = 4, .block = 6};
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  for (int limit = 1; limit <= 60; limit += 7) {
    thud_solver_options options = with_tolerance(1e-300);
    options.max_iterations = limit;
    outcome found;
    thud_solver *solver = solve_from(context, made.problem, &options, NULL, &found);
    int sum = 0;
    for (size_t k = 0; k < found.info.attempt_count; k++) sum += found.info.attempts[k].iterations;
    assert_int_equal(sum, found.info.iterations);
    thud_assert_at_most(sum, limit);
    assert_int_equal(found.info.status, THUD_SOLVER_LIMIT);
    thud_solver_destroy(solver);
    outcome_free(&found);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static int stop_at(void *user, int iterations, double residual) {
  (void)residual;
  return iterations >= *(int *)user;
}

static void progress_can_end_it_in_any_method(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_shape shape = {.dimension = 3, .contacts = 30, .bodies = 4, .block = 6};
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  for (int at = 0; at <= 60; at += 10) {
    thud_solver_options options = with_tolerance(1e-300);
    options.progress = stop_at;
    options.progress_user = &at;
    outcome found;
    thud_solver *solver = solve_from(context, made.problem, &options, NULL, &found);
    assert_int_equal(found.info.status, THUD_SOLVER_INTERRUPTED);
    assert_int_equal(found.info.iterations, at);
    assert_non_null(strstr(found.info.why, "interrupt"));
    thud_solver_destroy(solver);
    outcome_free(&found);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void answers_do_not_depend_on_the_number_of_threads(void **state) {
  (void)state;
  outcome first = {0};
  size_t size = 0;
  for (int threads = 1; threads <= 3; threads++) {
    thud_context *context = thud_test_context(threads);
    thud_test_problem made;
    assert_int_equal(make_pile(context, 5, &made), THUD_OK);
    thud_solver_options options = with_tolerance(1e-7);
    outcome found;
    thud_solver *solver = solve_from(context, made.problem, &options, NULL, &found);
    size = thud_contact_size(made.problem);
    assert_int_equal(found.info.status, THUD_SOLVED);
    if (threads == 1) {
      first = found;
    } else {
      assert_memory_equal(found.r, first.r, size * sizeof(double));
      assert_memory_equal(found.u, first.u, size * sizeof(double));
      assert_int_equal(found.info.iterations, first.info.iterations);
      outcome_free(&found);
    }
    thud_solver_destroy(solver);
    thud_test_problem_destroy(&made);
    thud_test_context_end(context);
  }
  outcome_free(&first);
}

/* Methods made in the first solve are kept for the next ones. */
static void later_solves_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_shape shape = {.dimension = 3, .contacts = 30, .bodies = 4, .block = 6};
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  thud_solver_options options = with_tolerance(1e-10);
  outcome found;
  thud_solver *solver = solve_from(context, made.problem, &options, NULL, &found);
  thud_assert_greater(found.info.attempt_count, 1);
  for (int k = 0; k < 3; k++) {
    memset(found.r, 0, size * sizeof(double));
    uint64_t before = thud_context_allocation_count(context);
    assert_int_equal(thud_solver_solve(solver, found.r, NULL, NULL, NULL, &found.info), THUD_OK);
    assert_int_equal(thud_context_allocation_count(context), before);
  }
  thud_solver_destroy(solver);
  outcome_free(&found);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- failing memory ------------------------------------------------------------------------------------------------
 */

static thud_error sweep_auto(thud_context *context, void *user) {
  const thud_contact_problem *problem = user;
  thud_solver *solver = NULL;
  double r[12] = {0};
  thud_error error = thud_solver_create(context, NULL, problem, NULL, &solver);
  if (error != THUD_OK) return error;
  error = thud_solver_solve(solver, r, NULL, NULL, NULL, NULL);
  thud_solver_destroy(solver);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  const double W[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {-1, 0.5, -0.5, 0.3};
  const double mu[2] = {0.3, 0.7};
  thud_contact_problem problem = thud_test_dense_problem(2, 2, W, q, mu);
  thud_test_sweep_allocations(sweep_auto, &problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_is_chosen_when_no_method_is_named),
      cmocka_unit_test(every_sample_is_solved),
      cmocka_unit_test(hyperstatic_problems_are_solved),
      cmocka_unit_test(stacks_of_boxes_are_solved),
      cmocka_unit_test(two_walls_that_close_on_a_body_are_infeasible),
      cmocka_unit_test(random_contradictions_are_proved),
      cmocka_unit_test(no_solution_and_no_proof_is_best_effort_that_names_contacts),
      cmocka_unit_test(what_lemke_proves_is_told),
      cmocka_unit_test(contradictions_with_bilateral_rows_are_proved),
      cmocka_unit_test(what_friction_can_mend_is_not_called_infeasible),
      cmocka_unit_test(answer_is_never_worse_than_the_warm_start),
      cmocka_unit_test(limits_hold_for_all_methods_together),
      cmocka_unit_test(progress_can_end_it_in_any_method),
      cmocka_unit_test(answers_do_not_depend_on_the_number_of_threads),
      cmocka_unit_test(later_solves_allocate_nothing),
      cmocka_unit_test(failing_allocations_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
