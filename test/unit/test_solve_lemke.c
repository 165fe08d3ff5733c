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
    assert_int_equal(order, 3 * n);
    double z[18], expected[18], r[12], scale = 1e-300;
    for (size_t k = 0; k < n; k++) {
      const double *r_k = made.r + 2 * k, *u_k = made.u + 2 * k;
      z[k] = r_k[0], z[n + k] = r_k[1] - lcp.low[k] * r_k[0], z[2 * n + k] = fmax(-u_k[1], 0);
      expected[k] = u_k[0], expected[n + k] = fmax(u_k[1], 0), expected[2 * n + k] = lcp.high[k] * r_k[0] - r_k[1];
      scale += fabs(r_k[0]) + fabs(r_k[1]) + fabs(u_k[0]) + fabs(u_k[1]);
      if (p->laws == NULL || p->laws[k] == NULL) assert_true(lcp.high[k] == p->mu[k] && lcp.low[k] == -p->mu[k]);
      assert_true(lcp.low[k] <= 0 && lcp.high[k] >= 0);
    }
    for (size_t i = 0; i < order; i++) {
      double w = lcp.q[i];
      for (size_t j = 0; j < order; j++) w += lcp.M[j * order + i] * z[j];
      assert_true(fabs(w - expected[i]) <= 1e-9 * scale);
      assert_true(z[i] >= -1e-9 * scale && w >= -1e-9 * scale && fabs(fmin(z[i], w)) <= 1e-9 * scale);
    }
    thud_contact_lcp_impulses(&lcp, z, r);
    assert_true(thud_test_max_difference(2 * n, r, made.r) <= 1e-12 * scale);
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
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lcp_of_planar_friction_holds_for_known_answers),
      cmocka_unit_test(planar_friction_is_solved_to_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
