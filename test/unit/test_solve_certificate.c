/* Bilateral rows that contradict each other: every method says so with multipliers, in every form, and never of rows
 * that only depend on each other. The proofs of contacts are in test_solve_auto.c. */
#include "thud/answer.h"
#include "failing_allocator.h"
#include "random_joints.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static thud_matrix dense(thud_index rows, thud_index columns, const double *values) {
  return (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = rows, .columns = columns, .dense = values};
}

static double *doubles(size_t count) {
  double *made = calloc(count + 1, sizeof *made);
  assert_non_null(made);
  return made;
}

/* Solves from 0; the caller destroys the solver, whose arrays info borrows. */
static thud_solver *solve(thud_context *context, const thud_solver_method *method, const thud_contact_problem *problem,
                          double tolerance, thud_solver_info *info) {
  thud_solver *solver = NULL;
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  double *r = doubles(thud_contact_size(problem));
  thud_error error = thud_solver_create(context, method, problem, &options, &solver);
  if (error == THUD_OK) error = thud_solver_solve(solver, r, NULL, NULL, NULL, info);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  free(r);
  return solver;
}

/* A body between a floor and two rows that ask for different velocities: 0 = r/2 + l_1 + l_2 + s_i. */
typedef struct pair {
  double W[1], q[1], V[2], R[4], s[2];
} pair;

static thud_contact_problem problem_of(const pair *data) {
  thud_contact_problem problem = thud_test_dense_problem(1, 1, data->W, data->q, NULL);
  problem.bilateral = 2;
  problem.V = dense(1, 2, data->V);
  problem.R = dense(2, 2, data->R);
  problem.s = data->s;
  return problem;
}

static void every_method_names_the_rows(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const pair data = {.W = {1}, .q = {-1}, .V = {0.5, 0.5}, .R = {1, 1, 1, 1}, .s = {0.25, -0.5}};
  thud_contact_problem problem = problem_of(&data);
  for (size_t m = 0; m < thud_solver_method_count(); m++) {
    thud_solver_info info;
    thud_solver *solver = solve(context, thud_solver_method_at(m), &problem, 1e-8, &info);
    const thud_solver_certificate *proof = &info.certificate;
    if (info.status != THUD_SOLVER_INFEASIBLE)
      fail_msg("%s: %s", thud_solver_method_name(thud_solver_method_at(m)), thud_solver_status_name(info.status));
    assert_int_equal(proof->count, 0);
    assert_int_equal(proof->row_count, 2);
    assert_int_equal(proof->rows[0], 0);
    assert_int_equal(proof->rows[1], 1);
    thud_assert_near(proof->row_multipliers[0], -1, 1e-14); /* -s_0 + s_1 < 0 */
    thud_assert_near(proof->row_multipliers[1], 1, 1e-14);
    thud_assert_near(proof->value, -0.75, 1e-14);
    thud_assert_greater(proof->reach, 1e12);
    assert_string_equal(info.why, "no velocity is admissible (proved): bilateral rows 0 (weight -1), 1 (weight 1) "
                                  "contradict each other: no impulse changes the weighted sum of their velocities, "
                                  "which is -0.75");
    thud_solver_destroy(solver);
  }
  thud_test_context_end(context);
}

/* A row that no impulse moves, and a difference that the tolerance forgives. */
static void single_rows_and_forgiven_differences(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_solver_info info;
  pair data = {.W = {1}, .q = {-1}, .V = {0.5, 0}, .R = {1, 0, 0, 0}, .s = {0.25, 0.125}};
  thud_contact_problem problem = problem_of(&data);
  thud_solver *solver = solve(context, NULL, &problem, 1e-8, &info);
  assert_int_equal(info.status, THUD_SOLVER_INFEASIBLE);
  assert_int_equal(info.certificate.row_count, 1);
  assert_int_equal(info.certificate.rows[0], 1);
  thud_assert_equal(info.certificate.value, -0.125);
  assert_true(isinf(info.certificate.reach));
  assert_string_equal(info.why, "no velocity is admissible (proved): bilateral row 1 (weight -1) is out of reach: no "
                                "impulse changes its velocity, which is -0.125");
  thud_solver_destroy(solver);
  data = (pair){.W = {1}, .q = {-1}, .V = {0.5, 0.5}, .R = {1, 1, 1, 1}, .s = {0.25, 0.25 + 1e-6}};
  solver = solve(context, NULL, &problem, 1e-5, &info);
  assert_int_equal(info.status, THUD_SOLVED);
  thud_solver_destroy(solver);
  solver = solve(context, NULL, &problem, 1e-9, &info);
  assert_int_equal(info.status, THUD_SOLVER_INFEASIBLE);
  thud_assert_near(info.certificate.value, -1e-6, 1e-15);
  thud_solver_destroy(solver);
  /* unsymmetric R: u_b = R l + s with the range (1, 2): y = (2, -1) though R (1, -1) = 0 */
  data = (pair){.W = {1}, .q = {-1}, .R = {1, 2, 1, 2}, .s = {1, 1}};
  solver = solve(context, thud_solver_method_find("newton"), &problem, 1e-8, &info);
  assert_int_equal(info.status, THUD_SOLVER_INFEASIBLE);
  thud_assert_near(info.certificate.row_multipliers[0], -1, 1e-14);
  thud_assert_near(info.certificate.row_multipliers[1], 0.5, 1e-14);
  thud_assert_near(info.certificate.value, -0.5, 1e-14);
  thud_solver_destroy(solver);
  thud_test_context_end(context);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Random bodies with dependent rows of joints. The third row of joint 1 is twice its second one. */
typedef struct linkage {
  thud_test_problem made;
  thud_contact_problem problem; /* with another joint_w */
  double *w;
  thud_index second;
} linkage;

static linkage make_linkage(thud_context *context, uint64_t seed, double contradiction) {
  linkage set = {.second = -1};
  thud_random random = thud_random_seed(seed);
  thud_test_shape shape = thud_test_shape_of(3, 3);
  shape.bodies += 4;
  assert_int_equal(thud_test_random_joints(context, &random, &shape, 4, true, &set.made), THUD_OK);
  set.problem = *set.made.problem;
  size_t rows = (size_t)set.problem.bilateral;
  set.second = set.problem.two_block.joint_start[1] + 1;
  set.w = doubles(rows);
  memcpy(set.w, set.problem.two_block.joint_w, rows * sizeof *set.w);
  set.w[set.second + 1] += contradiction;
  set.problem.two_block.joint_w = set.w;
  return set;
}

static void free_linkage(linkage *set) {
  thud_test_problem_destroy(&set->made);
  free(set->w);
}

/* The two rows with weights 2 : -1, whatever the form: half of what was added to the last. */
static void expect_joint_proof(const thud_solver_info *info, thud_index second, double contradiction) {
  const thud_solver_certificate *proof = &info->certificate;
  assert_int_equal(info->status, THUD_SOLVER_INFEASIBLE);
  assert_int_equal(proof->count, 0);
  assert_int_equal(proof->row_count, 2);
  assert_int_equal(proof->rows[0], second);
  assert_int_equal(proof->rows[1], second + 1);
  thud_assert_near(proof->row_multipliers[0] * 0.5, -proof->row_multipliers[1], 1e-13);
  thud_assert_near(proof->value, -0.5 * fabs(contradiction), 1e-12);
  thud_assert_at_least(proof->relative_reach, 1e6);
}

static void joints_that_contradict_are_named_in_every_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 1; seed <= 6; seed += THUD_TEST_STRIDE(3)) {
    const double contradiction = seed % 2 == 0 ? 0.5 : -2;
    linkage set = make_linkage(context, seed, contradiction);
    thud_owned_problem *global = NULL, *local = NULL;
    assert_int_equal(thud_contact_to_global(context, &set.problem, &global), THUD_OK);
    assert_int_equal(thud_contact_to_local(context, &set.problem, THUD_MATRIX_DENSE, &local), THUD_OK);
    const thud_contact_problem *forms[] = {&set.problem, thud_owned_problem_view(global),
                                           thud_owned_problem_view(local)};
    for (size_t k = 0; k < 3; k++) {
      thud_solver_info info;
      thud_solver *solver = solve(context, thud_solver_method_find("newton"), forms[k], 1e-8, &info);
      expect_joint_proof(&info, set.second, contradiction);
      thud_solver_destroy(solver);
    }
    thud_owned_problem_destroy(global);
    thud_owned_problem_destroy(local);
    free_linkage(&set);
  }
  thud_test_context_end(context);
}

/* Rows that agree are never blamed, not even when rounding keeps a method from an absurd tolerance. */
static void rows_that_agree_are_not_blamed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 1; seed <= 20; seed += THUD_TEST_STRIDE(5)) {
    linkage set = make_linkage(context, seed, 0);
    thud_solver_options options = thud_solver_options_default();
    options.tolerance = 1e-300;
    double *r = doubles(thud_contact_size(&set.problem));
    thud_solver *solver = NULL;
    thud_solver_info info;
    assert_int_equal(
        thud_solver_create(context, thud_solver_method_find("proximal-point"), &set.problem, &options, &solver),
        THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVER_STALLED);
    assert_int_equal(info.certificate.row_count, 0);
    thud_solver_destroy(solver);
    free(r);
    free_linkage(&set);
  }
  thud_test_context_end(context);
}

/* ---- answers and memory -------------------------------------------------------------------------------------------- */

/* A wall that closes on a body that a hinge holds: the proof of the contact names the row, u_N - u_b = q - s. */
static void an_answer_carries_rows_beside_contacts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {1}, V[1] = {1}, R[1] = {1}, q[1] = {-1}, s[1] = {0.5};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL);
  problem.bilateral = 1;
  problem.V = dense(1, 1, V);
  problem.R = dense(1, 1, R);
  problem.s = s;
  thud_answer *answer = NULL;
  assert_int_equal(thud_answer_find(context, &problem, NULL, &answer), THUD_OK);
  assert_int_equal(answer->verdict, THUD_ANSWER_INFEASIBLE);
  assert_int_equal(answer->certificate.count, 1);
  assert_int_equal(answer->certificate.row_count, 1);
  assert_int_equal(answer->certificate.rows[0], 0);
  thud_assert_near(answer->certificate.row_multipliers[0], -1, 1e-13);
  assert_non_null(strstr(answer->reason, "; with bilateral row 0 (weight -1)"));
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* Data so small that the answer works in a unit of its own: the proof is in the unit of the data. */
static void an_answer_has_its_proof_in_the_unit_of_the_data(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double small = 0x1p-60;
  const pair data = {.W = {1}, .q = {-small}, .V = {0.5, 0.5}, .R = {1, 1, 1, 1}, .s = {0.25 * small, -0.5 * small}};
  thud_contact_problem problem = problem_of(&data);
  thud_answer *answer = NULL;
  assert_int_equal(thud_answer_find(context, &problem, NULL, &answer), THUD_OK);
  assert_int_equal(answer->verdict, THUD_ANSWER_INFEASIBLE);
  thud_assert_near(answer->certificate.value, -0.75 * small, 1e-14 * small);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

static thud_error answer_contradiction(thud_context *context, void *user) {
  thud_answer *answer = NULL;
  thud_answer_options options = thud_answer_options_default();
  options.method = thud_solver_method_find("lemke");
  thud_error error = thud_answer_find(context, user, &options, &answer);
  if (error == THUD_OK) assert_int_equal(answer->verdict, THUD_ANSWER_INFEASIBLE);
  thud_answer_destroy(answer);
  return error;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  const pair data = {.W = {1}, .q = {-1}, .V = {0.5, 0.5}, .R = {1, 1, 1, 1}, .s = {0.25, -0.5}};
  thud_contact_problem problem = problem_of(&data);
  thud_assert_greater(thud_test_sweep_allocations(answer_contradiction, &problem), 10);
}

/* 3 u_1 + u_2 = -9.5e-5 whatever the impulses: no answer at 1e-10, but there are some within 1e-5, where nothing is infeasible. */
static void a_contradiction_within_the_tolerance_is_none(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double W[] = {1, -3, -3, 9}, q[] = {1, -3 - 9.5e-5}, within[] = {0, (1 + 0.3 * 9.5e-5) / 3};
  static const char *const names[] = {"auto", "lemke"};
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 2, .q = q};
  problem.W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = W};
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, &problem, within, NULL, NULL, NULL, &residual), THUD_OK);
  thud_assert_less(residual.residual, 1e-5);
  for (size_t m = 0; m < 2; m++)
    for (int strict = 0; strict < 2; strict++) {
      thud_solver_options options = thud_solver_options_default();
      options.tolerance = strict ? 1e-10 : 1e-5;
      thud_solver *solver = NULL;
      thud_solver_info info;
      double r[2] = {0};
      assert_int_equal(thud_solver_create(context, thud_solver_method_find(names[m]), &problem, &options, &solver),
                       THUD_OK);
      assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
      assert_int_equal(info.status == THUD_SOLVER_INFEASIBLE, strict);
      thud_solver_destroy(solver);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_names_the_rows),
      cmocka_unit_test(single_rows_and_forgiven_differences),
      cmocka_unit_test(joints_that_contradict_are_named_in_every_form),
      cmocka_unit_test(rows_that_agree_are_not_blamed),
      cmocka_unit_test(an_answer_carries_rows_beside_contacts),
      cmocka_unit_test(an_answer_has_its_proof_in_the_unit_of_the_data),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(a_contradiction_within_the_tolerance_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
