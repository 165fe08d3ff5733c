/* Every method stops when it is asked to, also on large problems and while it is set up; methods that refuse a problem for
 * its size name the limit. */
#include "thud/answer.h"
#include "random_joints.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *doubles(size_t count) {
  double *made = calloc(count + 1, sizeof *made);
  assert_non_null(made);
  return made;
}

/* ---- iterations ---------------------------------------------------------------------------------------------------- */

typedef struct patience {
  int calls, most;
} patience;

static int lose_patience(void *user, int iterations, double residual) {
  patience *left = user;
  (void)iterations;
  (void)residual;
  return ++left->calls >= left->most;
}

/* However many iterations it has made, the first refusal is the last question but one: work ends within an iteration. */
static void expect_stop(thud_context *context, const thud_solver_method *method, const thud_contact_problem *problem,
                        int most) {
  patience left = {.most = most};
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = 1e-300;
  options.max_iterations = 1000000;
  options.progress = lose_patience;
  options.progress_user = &left;
  thud_solver *solver = NULL;
  thud_solver_info info;
  double *r = doubles(thud_contact_size(problem)), *l = doubles((size_t)problem->bilateral);
  const char *name = thud_solver_method_name(method);
  if (thud_solver_create(context, method, problem, &options, &solver) != THUD_OK)
    fail_msg("%s: %s", name, thud_context_last_message(context));
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, l, &info), THUD_OK);
  bool early = info.status == THUD_SOLVER_BREAKDOWN || info.status == THUD_SOLVER_STALLED;
  if (info.status != THUD_SOLVER_INTERRUPTED && !(early && left.calls < most))
    fail_msg("%s after %d questions: %s", name, left.calls, thud_solver_status_name(info.status));
  thud_assert_at_most(left.calls, most + 1);
  thud_assert_at_most(info.iterations, left.calls);
  if (method == thud_solver_method_at(0)) assert_non_null(strstr(info.why, "stopped by an interrupt at residual"));
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, problem, r, NULL, problem->bilateral > 0 ? l : NULL, NULL, &residual),
                   THUD_OK);
  thud_assert_equal(residual.residual, info.residual.residual);
  thud_solver_destroy(solver);
  free(r);
  free(l);
}

/* A wall of 264 contacts in space, and a planar problem of 150 for those that take no more. */
static void every_method_stops_on_large_problems(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(41);
  const thud_test_pile pile = {.nx = 6, .ny = 1, .nz = 6, .dimension = 3, .mu = 0.5, .mass_ratio = 1, .noise = 0.02};
  thud_test_shape shape = thud_test_shape_of(2, 150);
  thud_test_problem made[2];
  assert_int_equal(thud_test_wall_of_boxes(context, &random, &pile, &made[0]), THUD_OK);
  assert_int_equal(thud_test_random_joints(context, &random, &shape, 8, false, &made[1]), THUD_OK);
  for (int k = 0; k < 2; k++)
    for (size_t m = 0; m < thud_solver_method_count(); m++)
      if (thud_solver_method_takes(thud_solver_method_at(m), made[k].problem)) {
        expect_stop(context, thud_solver_method_at(m), made[k].problem, 1);
        expect_stop(context, thud_solver_method_at(m), made[k].problem, 9);
      }
  for (int k = 0; k < 2; k++) thud_test_problem_destroy(&made[k]);
  thud_test_context_end(context);
}

/* Asks for the end once, and never again. */
static int refuse_once(void *user, int iterations, double residual) {
  patience *left = user;
  (void)iterations;
  (void)residual;
  return ++left->calls == left->most;
}

/* A contact that nothing moves and that approaches makes sweeps break down; an interrupt stays an interrupt, and `auto`
 * does not go on with the next method. */
static void an_interrupt_is_no_breakdown(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double W[] = {2, 0, 1, 0, 0, 0, 1, 0, 3}, q[] = {-1, -1, -2};
  static const char *const names[] = {"auto", "gauss-seidel", "anderson"};
  thud_contact_problem problem = thud_test_dense_problem(1, 3, W, q, NULL);
  for (size_t m = 0; m < sizeof names / sizeof *names; m++)
    for (int most = 1; most < 20; most++) {
      patience left = {.most = most};
      thud_solver_options options = thud_solver_options_default();
      options.progress = refuse_once;
      options.progress_user = &left;
      thud_solver *solver = NULL;
      thud_solver_info info;
      double r[3] = {0};
      assert_int_equal(thud_solver_create(context, thud_solver_method_find(names[m]), &problem, &options, &solver),
                       THUD_OK);
      assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
      if (left.calls >= most) {
        assert_int_equal(info.status, THUD_SOLVER_INTERRUPTED);
        assert_int_equal(left.calls, most);
      }
      thud_solver_destroy(solver);
    }
  thud_test_context_end(context);
}

/* ---- set-up -------------------------------------------------------------------------------------------------------- */

/* W of 5000 contacts is assembled in steps of 4096, a global form reduced in steps of 64 columns. */
static void set_ups_stop(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(43);
  thud_test_shape wide = thud_test_shape_of(1, 5000), bar = thud_test_shape_of(3, 30);
  thud_test_problem made[2];
  assert_int_equal(thud_test_random_two_block(context, &random, &wide, &made[0]), THUD_OK);
  assert_int_equal(thud_test_flexible_global(context, &random, &bar, 150, 2, 0, &made[1]), THUD_OK);
  static const char *const words[] = {"assembling W: interrupted", "reduction to the local form: interrupted"};
  static const char *const names[] = {"projected-gradient", "newton"}; /* newton does not form W of bodies */
  for (int k = 0; k < 2; k++) {
    patience left = {.most = 1};
    thud_solver_options options = thud_solver_options_default();
    options.progress = lose_patience;
    options.progress_user = &left;
    thud_solver *solver = NULL;
    const thud_solver_method *method = thud_solver_method_find(names[k]);
    assert_int_equal(thud_solver_create(context, method, made[k].problem, &options, &solver), THUD_ERROR_INTERRUPTED);
    assert_null(solver);
    assert_int_equal(left.calls, 1);
    thud_test_message_has(context, words[k], NULL);
    left = (patience){.most = 2}; /* the first question is that of create, the second one that of the update */
    size_t size = thud_contact_size(made[k].problem);
    double *r = doubles(size);
    assert_int_equal(thud_solver_create(context, method, made[k].problem, &options, &solver), THUD_OK);
    assert_int_equal(thud_solver_update(solver, made[k].problem), THUD_ERROR_INTERRUPTED);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, NULL), THUD_ERROR_ARGUMENT);
    left.most = 1000000;
    assert_int_equal(thud_solver_update(solver, made[k].problem), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, NULL), THUD_OK);
    thud_solver_destroy(solver);
    free(r);
  }
  for (int k = 0; k < 2; k++) thud_test_problem_destroy(&made[k]);
  thud_test_context_end(context);
}

static int stop_now(void *user) {
  (void)user;
  return 1;
}

/* An answer that was stopped while its method was set up is the start, judged. */
static void answers_to_stopped_set_ups_are_the_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(47);
  thud_test_shape bar = thud_test_shape_of(3, 30);
  thud_test_problem made;
  assert_int_equal(thud_test_flexible_global(context, &random, &bar, 150, 0, 0, &made), THUD_OK);
  for (int clock = 0; clock < 2; clock++) {
    thud_answer_options options = thud_answer_options_default();
    options.method = thud_solver_method_find("accelerated");
    if (clock)
      options.solver.max_seconds = 1e-9;
    else
      options.stop = (thud_stop){.ask = stop_now};
    thud_answer *answer = NULL;
    assert_int_equal(thud_answer_find(context, made.problem, &options, &answer), THUD_OK);
    assert_int_equal(answer->verdict, THUD_ANSWER_BEST_EFFORT);
    assert_int_equal(answer->interrupted, !clock);
    assert_null(answer->method);
    assert_string_equal(answer->reason, "stopped while it was set up: reduction to the local form: interrupted");
    thud_contact_residual residual;
    assert_int_equal(thud_contact_evaluate(context, made.problem, answer->r, NULL, NULL, NULL, &residual), THUD_OK);
    thud_assert_equal(residual.residual, answer->residual.residual);
    thud_answer_destroy(answer);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- limits ---------------------------------------------------------------------------------------------------------- */

/* The smallest problem without numbers that is too large: W = 1, sparse. */
static void expect_refusal(thud_context *context, const char *method, thud_index dimension, thud_index contacts,
                           const char *words) {
  thud_index size = dimension * contacts;
  double *ones = doubles((size_t)size), *q = doubles((size_t)size);
  thud_index *start = calloc((size_t)size + 1, sizeof *start), *row = calloc((size_t)size, sizeof *row);
  for (thud_index i = 0; i < size; i++) {
    ones[i] = 1;
    row[i] = i;
    start[i + 1] = i + 1;
  }
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL, .dimension = dimension, .contacts = contacts, .q = q};
  if (dimension > 1) problem.mu = ones;
  problem.W = (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = size, .columns = size};
  problem.W.sparse = (thud_sparse){size, size, start, row, ones};
  thud_solver *solver = NULL;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find(method), &problem, NULL, &solver),
                   THUD_ERROR_UNSUPPORTED);
  assert_string_equal(thud_context_last_message(context), words);
  free(ones);
  free(q);
  free(start);
  free(row);
}

static void limits_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  expect_refusal(context, "lemke", 2, 667,
                 "method 'lemke' takes at most 525 contacts with friction, this problem has 667");
  expect_refusal(context, "lemke", 1, 2101,
                 "method 'lemke' takes at most 2100 contacts without friction, this problem has 2101");
  thud_contact_problem rows = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 1, .bilateral = 2101};
  assert_false(thud_solver_method_takes(thud_solver_method_find("lemke"), &rows));
  rows.bilateral = 2100;
  assert_true(thud_solver_method_takes(thud_solver_method_find("lemke"), &rows));
  static const char *const direct[] = {"newton", "fischer-burmeister", "proximal-point", "interior-point"};
  thud_contact_problem fits = {.form = THUD_FORM_LOCAL, .dimension = 3, .contacts = 8000};
  bool sparse = thud_solver_method_takes(thud_solver_method_find("newton"), &fits);
  for (size_t k = 0; k < 4 && sparse; k++) {
    char words[160];
    snprintf(words, sizeof words, "method '%s' takes at most 24000 components of impulses, this problem has 24003",
             direct[k]);
    expect_refusal(context, direct[k], 3, 8001, words);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_stops_on_large_problems),
      cmocka_unit_test(an_interrupt_is_no_breakdown),
      cmocka_unit_test(set_ups_stop),
      cmocka_unit_test(answers_to_stopped_set_ups_are_the_start),
      cmocka_unit_test(limits_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
