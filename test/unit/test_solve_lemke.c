/* Lemke on contact problems: the reformulation of planar friction as an LCP, exact answers, several answers, none. */
#include "random_matrices.h"
#include "random_problems.h"
#include "solve/lemke_lcp.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- solving ------------------------------------------------------------------------------------------------ */

typedef struct result {
  double *r, *u, *l;
  thud_solver_info info;
} result;

static void result_free(result *found) {
  free(found->r);
  free(found->u);
  free(found->l);
}

static result solve_with(thud_context *context, const char *method, const thud_contact_problem *problem,
                         const thud_solver_options *options) {
  result found = {.r = thud_test_doubles(thud_contact_size(problem) + 1),
                  .u = thud_test_doubles(thud_contact_size(problem) + 1),
                  .l = thud_test_doubles((size_t)problem->bilateral + 1)};
  thud_solver *solver = NULL;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find(method), problem, options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, found.r, found.u, NULL, found.l, &found.info), THUD_OK);
  found.info.history = NULL;
  thud_solver_destroy(solver);
  return found;
}

static result solve(thud_context *context, const thud_contact_problem *problem, double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  return solve_with(context, "lemke", problem, &options);
}

/* ---- the reformulation -------------------------------------------------------------------------------------- */

/* A known answer (r, u) gives z and w = M z + q with the parts that the form promises. */
static void the_lcp_of_planar_friction_holds_for_known_answers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(51);
  for (int round = 0; round < 300; round++) {
    thud_test_shape shape = thud_test_shape_of(2, 1 + (thud_index)thud_random_below(&random, 6));
    shape.law = round % 2 == 0 ? THUD_TEST_DISC : THUD_TEST_MIXED_LAWS;
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    const thud_contact_problem *p = made.problem;
    thud_contact_lcp lcp;
    assert_int_equal(thud_contact_lcp_allocate(context, p, &lcp), THUD_OK);
    assert_int_equal(thud_contact_lcp_set(context, p, p->W.dense, p->q, &lcp), THUD_OK);
    size_t n = (size_t)p->contacts, order = (size_t)lcp.order;
    assert_int_equal(order, 4 * n);
    double z[24], expected[24], r[12], scale = 1e-300;
    for (size_t k = 0; k < n; k++) {
      const double *r_k = made.r + 2 * k, *u_k = made.u + 2 * k;
      double low = lcp.low[k], high = lcp.high[k], slack = fmax(-high * u_k[1], -low * u_k[1]);
      double b = r_k[1] > 0 ? r_k[1] / high : 0, c = r_k[1] < 0 ? r_k[1] / low : 0;
      z[k] = r_k[0], z[n + k] = b, z[2 * n + k] = c, z[3 * n + k] = slack;
      expected[k] = u_k[0], expected[n + k] = high * u_k[1] + slack, expected[2 * n + k] = low * u_k[1] + slack;
      expected[3 * n + k] = r_k[0] - b - c;
      scale += fabs(r_k[0]) + fabs(r_k[1]) + fabs(u_k[0]) + fabs(u_k[1]);
      if (p->laws == NULL || p->laws[k] == NULL) {
        thud_assert_equal(high, p->mu[k]);
        thud_assert_equal(low, -p->mu[k]);
      }
      thud_assert_at_most(low, 0);
      thud_assert_at_least(high, 0);
    }
    for (size_t i = 0; i < order; i++) {
      double w = lcp.q[i];
      for (size_t j = 0; j < order; j++) w += lcp.M[j * order + i] * z[j];
      thud_assert_near(w, expected[i], 1e-9 * scale);
      thud_assert_at_least(z[i], -1e-9 * scale);
      thud_assert_at_least(w, -1e-9 * scale);
      thud_assert_at_most(fabs(fmin(z[i], w)), 1e-9 * scale);
    }
    thud_contact_lcp_impulses(&lcp, z, r);
    thud_assert_at_most(thud_test_max_difference(2 * n, r, made.r), 1e-12 * scale);
    thud_contact_lcp_release(context, &lcp);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- answers --------------------------------------------------------------------------------------------------- */

static void planar_friction_is_solved_to_rounding(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(52);
  int rays = 0, others = 0;
  for (int round = 0; round < 2000; round++) {
    thud_test_shape shape = thud_test_shape_of(2, 1 + (thud_index)thud_random_below(&random, 15));
    shape.law = round % 3 == 0 ? THUD_TEST_MIXED_LAWS : THUD_TEST_DISC;
    shape.frictionless = round % 7 == 0;
    if (round % 5 == 0) shape.bodies = 1 + shape.bodies / 4; /* W singular */
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    result found = solve(context, made.problem, 1e-12);
    if (found.info.status == THUD_SOLVER_BREAKDOWN)
      rays++;
    else if (found.info.status != THUD_SOLVED)
      others++;
    assert_int_not_equal(found.info.status, THUD_SOLVER_INFEASIBLE); /* there is a solution */
    result_free(&found);
    thud_test_problem_destroy(&made);
  }
  print_message("2000 planar problems: %d rays, %d others not solved to 1e-12\n", rays, others);
  assert_int_equal(rays + others, 0);
  thud_test_context_end(context);
}

/* The answer of Gauss-Seidel, where it has one, is the same for LCPs with one solution. */
static void mixed_problems_agree_with_gauss_seidel(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(53);
  for (int round = 0; round < 100; round++) {
    thud_index dimension = 1 + round % 2;
    thud_test_shape shape = thud_test_shape_of(dimension, 4);
    thud_test_problem made;
    assert_int_equal(thud_test_flexible_global(context, &random, &shape, 44, 3, 0, &made), THUD_OK);
    result exact = solve(context, made.problem, 1e-12);
    assert_int_equal(exact.info.status, THUD_SOLVED);
    if (dimension == 1) { /* W and R regular: one solution */
      thud_solver_options options = thud_solver_options_default();
      options.tolerance = 1e-13;
      result swept = solve_with(context, "gauss-seidel", made.problem, &options);
      double size = thud_test_max(4, exact.r) + thud_test_max(3, exact.l);
      if (swept.info.residual.residual <= 1e-12) {
        thud_assert_at_most(thud_test_max_difference(4, exact.r, swept.r), 1e-8 * size);
        thud_assert_at_most(thud_test_max_difference(3, exact.l, swept.l), 1e-8 * size);
      }
      result_free(&swept);
    }
    result_free(&exact);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- several answers, or none --------------------------------------------------------------------------------- */

typedef struct near_list {
  size_t size;
  const double *r;
  double nearest; /* distance of r to the solutions met */
} near_list;

static int measure(void *user, const thud_solution *solution) {
  near_list *list = user;
  list->nearest = fmin(list->nearest, thud_test_max_difference(list->size, list->r, solution->r));
  return 0;
}

/* W = [1 w; w 1]: with mu |w| > 1 open, stick and slip may all be solutions. W is positive definite: there always is
 * one, and Lemke finds one. */
static void an_answer_is_one_of_the_enumerated_ones(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(54);
  int several = 0, missed = 0;
  for (int round = 0; round < 2000; round++) {
    double w = thud_random_uniform(&random, -0.95, 0.95), mu = thud_random_uniform(&random, 0, 4);
    double q_N = thud_random_uniform(&random, -1, 1), q_T = thud_random_uniform(&random, -3, 3);
    thud_test_problem made;
    assert_int_equal(thud_test_klarbring(context, w, mu, q_N, q_T, &made), THUD_OK);
    result found = solve(context, made.problem, 1e-11);
    near_list list = {.size = 2, .r = found.r, .nearest = INFINITY};
    size_t count = 0;
    assert_int_equal(thud_contact_enumerate(context, made.problem, 1e-10, measure, &list, &count), THUD_OK);
    several += count > 1;
    if (found.info.status == THUD_SOLVED) {
      thud_assert_greater(count, 0);
      thud_assert_at_most(list.nearest, 1e-9 * (1 + thud_test_max(2, found.r)));
    } else
      missed++;
    result_free(&found);
    thud_test_problem_destroy(&made);
  }
  print_message("2000 single contacts: %d with several solutions, %d not solved\n", several, missed);
  thud_assert_greater(several, 50);
  assert_int_equal(missed, 0);
  thud_test_context_end(context);
}

static void copies_of_a_pair_give_one_of_their_many_solutions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made;
  assert_int_equal(thud_test_lcp_several(context, 5, &made), THUD_OK);
  result found = solve(context, made.problem, 1e-14);
  assert_int_equal(found.info.status, THUD_SOLVED);
  near_list list = {.size = 10, .r = found.r, .nearest = INFINITY};
  size_t count = 0;
  assert_int_equal(thud_contact_enumerate(context, made.problem, 1e-10, measure, &list, &count), THUD_OK);
  assert_int_equal(count, 243);
  thud_assert_at_most(list.nearest, 1e-14);
  result_free(&found);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void problems_without_solution_are_proved_to_have_none(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(55);
  for (int round = 0; round < 200; round++) {
    thud_test_problem made;
    assert_int_equal(thud_test_lcp_infeasible(context, &random, 2 + round % 10, &made), THUD_OK);
    result found = solve(context, made.problem, 1e-10);
    assert_int_equal(found.info.status, THUD_SOLVER_INFEASIBLE);
    thud_test_message_has(context, "lemke", "proved", NULL);
    result_free(&found);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* A body pressed down between two walls that touch it from below and above: u = (r_1 - r_2) (1, -1) + q has no solution
 * when q_1 + q_2 < 0, whatever the friction. */
static void a_squeezed_body_is_proved_to_have_no_solution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {-1, 0.5, -2, 0.5}, mu[2] = {0.3, 2};
  thud_contact_problem squeezed = {.form = THUD_FORM_LOCAL, .dimension = 2, .contacts = 2, .mu = mu, .q = q};
  squeezed.W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 4, .columns = 4, .dense = W};
  result found = solve(context, &squeezed, 1e-10);
  assert_int_equal(found.info.status, THUD_SOLVER_INFEASIBLE);
  result_free(&found);
  const double eased[4] = {-1, 0.5, 1.5, 0.5};
  squeezed.q = eased;
  found = solve(context, &squeezed, 1e-10);
  assert_int_equal(found.info.status, THUD_SOLVED);
  result_free(&found);
  thud_test_context_end(context);
}

static void certificates_are_checked_with_care(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem two = {.dimension = 1, .contacts = 2};
  thud_contact_lcp lcp;
  assert_int_equal(thud_contact_lcp_allocate(context, &two, &lcp), THUD_OK);
  const double squeeze[4] = {1, -1, -1, 1}, nearly[4] = {1, -1 + 1e-4, -1 + 1e-4, 1}, down[2] = {-1, -1};
  const double both[2] = {1, 1}, one[2] = {1, 0}, nothing[2] = {0, 0}, up[2] = {1, 1};
  thud_assert_at_least(thud_contact_lcp_excludes(&lcp, squeeze, down, both), 1e12);
  thud_assert_equal(thud_contact_lcp_excludes(&lcp, squeeze, down, nothing), 0);
  thud_assert_less(thud_contact_lcp_excludes(&lcp, squeeze, down, one), 10); /* M'y = (1, -1): excludes r_1 < 1 only */
  double reach = thud_contact_lcp_excludes(&lcp, nearly, down, both); /* solved by r = (1e4, 1e4): no proof beyond */
  thud_assert_greater(reach, 100);
  thud_assert_at_most(reach, 1e4);
  thud_assert_equal(thud_contact_lcp_excludes(&lcp, squeeze, up, both), 0);
  thud_contact_lcp_release(context, &lcp);
  thud_test_context_end(context);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* The same row twice: l of least norm, as with the row once; when the copies contradict each other, a proof. */
static void dependent_bilateral_rows_share_their_impulse(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {1}, q[1] = {-1}, V[2] = {0.5, 0.5}, R[4] = {1, 1, 1, 1}, s[2] = {0.25, 0.25}, t[2] = {0.25, 0.5};
  thud_contact_problem mixed = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 1, .q = q, .bilateral = 2, .s = s};
  mixed.W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = W};
  mixed.V = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 2, .dense = V};
  mixed.R = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = R};
  result found = solve(context, &mixed, 1e-13);
  /* r + l/2 = 1, r/2 + l + 1/4 = 0 with l = l_1 + l_2: r = 3/2, l = -1 */
  assert_int_equal(found.info.status, THUD_SOLVED);
  thud_assert_near(found.r[0], 1.5, 1e-14);
  thud_assert_at_most(fabs(found.l[0] + 0.5), 1e-14);
  thud_assert_at_most(fabs(found.l[1] + 0.5), 1e-14);
  result_free(&found);
  mixed.s = t;
  found = solve(context, &mixed, 1e-10);
  assert_int_equal(found.info.status, THUD_SOLVER_INFEASIBLE);
  thud_test_message_has(context, "lemke: R is singular and the bilateral rows contradict each other", NULL);
  result_free(&found);
  thud_test_context_end(context);
}

static void large_problems_are_not_taken(void **state) {
  (void)state;
  const thud_solver_method *lemke = thud_solver_method_find("lemke");
  thud_contact_problem sized = {.form = THUD_FORM_LOCAL, .dimension = 2, .contacts = 525};
  assert_true(thud_solver_method_takes(lemke, &sized));
  sized.contacts = 526;
  assert_false(thud_solver_method_takes(lemke, &sized));
  sized.contacts = 2000000000;
  assert_false(thud_solver_method_takes(lemke, &sized));
  sized.dimension = 1, sized.contacts = 2100;
  assert_true(thud_solver_method_takes(lemke, &sized));
  sized.contacts = 2101;
  assert_false(thud_solver_method_takes(lemke, &sized));
}

static void too_few_pivots_are_a_limit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(56);
  thud_test_problem made;
  assert_int_equal(thud_test_lcp_p_matrix(context, &random, 30, &made), THUD_OK);
  thud_solver_options options = thud_solver_options_default();
  options.max_iterations = 4;
  result found = solve_with(context, "lemke", made.problem, &options);
  assert_int_equal(found.info.status, THUD_SOLVER_LIMIT);
  assert_int_equal(found.info.iterations, 4);
  result_free(&found);
  options.max_iterations = 10000;
  found = solve_with(context, "lemke", made.problem, &options);
  assert_int_equal(found.info.status, THUD_SOLVED);
  thud_assert_at_most(thud_test_max_difference(30, found.r, made.r), 1e-9 * thud_test_max(30, made.r));
  result_free(&found);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* Asks for the end at the third call. */
static int third_call(void *user, int iterations, double residual) {
  int *calls = user;
  thud_assert_equal(iterations, *calls);
  thud_assert_greater(residual, 0);
  return ++*calls == 3;
}

static void every_method_ends_when_progress_asks_for_it(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(57);
  thud_test_shape shape = thud_test_shape_of(2, 20);
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  for (size_t m = 0; m < thud_solver_method_count(); m++) {
    int calls = 0;
    thud_solver_options options = thud_solver_options_default();
    options.tolerance = 1e-15;
    options.progress = third_call;
    options.progress_user = &calls;
    if (!thud_solver_method_takes(thud_solver_method_at(m), made.problem)) continue;
    result found = solve_with(context, thud_solver_method_name(thud_solver_method_at(m)), made.problem, &options);
    assert_int_equal(found.info.status, THUD_SOLVER_INTERRUPTED);
    assert_int_equal(calls, 3);
    thud_contact_residual residual;
    assert_int_equal(thud_contact_evaluate(context, made.problem, found.r, NULL, NULL, NULL, &residual), THUD_OK);
    thud_assert_equal(residual.residual, found.info.residual.residual);
    result_free(&found);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lcp_of_planar_friction_holds_for_known_answers),
      cmocka_unit_test(planar_friction_is_solved_to_rounding),
      cmocka_unit_test(mixed_problems_agree_with_gauss_seidel),
      cmocka_unit_test(an_answer_is_one_of_the_enumerated_ones),
      cmocka_unit_test(copies_of_a_pair_give_one_of_their_many_solutions),
      cmocka_unit_test(problems_without_solution_are_proved_to_have_none),
      cmocka_unit_test(a_squeezed_body_is_proved_to_have_no_solution),
      cmocka_unit_test(certificates_are_checked_with_care),
      cmocka_unit_test(dependent_bilateral_rows_share_their_impulse),
      cmocka_unit_test(large_problems_are_not_taken),
      cmocka_unit_test(too_few_pivots_are_a_limit),
      cmocka_unit_test(every_method_ends_when_progress_asks_for_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
