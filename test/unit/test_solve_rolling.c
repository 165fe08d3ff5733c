/* Rolling friction (dimension 5) by every method that takes it: closed forms of one contact, the limit of Coulomb,
 * and piles. */
#include "random_matrices.h"
#include "random_problems.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Methods that are to take rolling friction whatever comes after them in the registry. */
static const char *const families[] = {"gauss-seidel",   "projected-gradient", "newton",        "fischer-burmeister",
                                       "proximal-point", "accelerated",        "extragradient", "admm"};

static bool takes_rolling(const thud_solver_method *method) {
  return (thud_solver_method_accepts(method) & THUD_ACCEPTS_ROLLING) != 0;
}

static void every_family_but_lemke_takes_rolling(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
    const thud_solver_method *method = thud_solver_method_find(families[k]);
    assert_non_null(method);
    assert_true(takes_rolling(method));
  }
  assert_false(takes_rolling(thud_solver_method_find("lemke")));
}

static thud_solver_info solve(thud_context *context, const thud_solver_method *method,
                              const thud_contact_problem *problem, double tolerance, double *r, double *u) {
  thud_solver_options options = thud_solver_options_default();
  thud_solver_info info;
  thud_solver *solver;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  memset(r, 0, thud_contact_size(problem) * sizeof(double));
  assert_int_equal(thud_solver_create(context, method, problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, u, NULL, NULL, &info), THUD_OK);
  thud_solver_destroy(solver);
  if (info.status != THUD_SOLVED || !(info.residual.residual <= tolerance))
    fail_msg("%s: residual %g after %d iterations", thud_solver_method_name(method), info.residual.residual,
             info.iterations);
  return info;
}

/* W = diag(w_N, w_T, w_T, w_R, w_R), q = (-1, a e, b f): r_N = 1/w_N, r_T = -min(a/w_T, mu r_N) e, r_R = -min(b/w_R,
 * mu_r r_N) f: sticking or sliding, with the rolling stopped or braked. */
static void one_uncoupled_contact_has_the_closed_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  int modes[4] = {0};
  for (int trial = 0; trial < 100; trial++) {
    double w[3], W[25] = {0}, q[5] = {-1}, expected[5], r[5], u[5];
    double mu = thud_random_uniform(&random, 0.1, 1), mu_rolling = thud_random_uniform(&random, 0.05, 0.5);
    for (size_t i = 0; i < 3; i++) w[i] = thud_random_uniform(&random, 0.5, 2);
    for (size_t i = 0; i < 5; i++) W[i * 6] = w[(i + 1) / 2];
    const double size[2] = {thud_random_uniform(&random, 0, 1), thud_random_uniform(&random, 0, 0.5)};
    const double limit[2] = {mu / w[0], mu_rolling / w[0]};
    size_t mode = 0;
    expected[0] = 1 / w[0];
    for (size_t p = 0; p < 2; p++) {
      double angle = thud_random_uniform(&random, 0, 6.28), held = size[p] / w[1 + p];
      q[1 + 2 * p] = size[p] * cos(angle);
      q[2 + 2 * p] = size[p] * sin(angle);
      expected[1 + 2 * p] = -fmin(held, limit[p]) * cos(angle);
      expected[2 + 2 * p] = -fmin(held, limit[p]) * sin(angle);
      mode += held > limit[p] ? 1 + p : 0;
    }
    modes[mode]++;
    thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                    .dimension = 5,
                                    .contacts = 1,
                                    .mu = &mu,
                                    .mu_rolling = &mu_rolling,
                                    .W = {.storage = THUD_MATRIX_DENSE, .rows = 5, .columns = 5, .dense = W},
                                    .q = q};
    for (size_t m = 0; m < thud_solver_method_count(); m++)
      if (takes_rolling(thud_solver_method_at(m))) {
        solve(context, thud_solver_method_at(m), &problem, 1e-10, r, u);
        thud_assert_at_most(thud_test_max_difference(5, r, expected), 1e-8);
      }
  }
  for (size_t k = 0; k < 4; k++) thud_assert_at_least(modes[k], 5);
  thud_test_context_end(context);
}

/* Limit mu_r = 0: r_R vanishes, and the other parts solve the problem without rolling. */
static void contacts_without_rolling_friction_are_those_of_coulomb(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  for (int trial = 0; trial < 20; trial++) {
    thud_test_shape shape = thud_test_shape_of(3, 1 + trial % 4);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    size_t contacts = (size_t)made.problem->contacts, size = 5 * contacts;
    double *W = thud_test_doubles(size * size), *q = thud_test_doubles(size), *mu_rolling = thud_test_doubles(contacts);
    double *r = thud_test_doubles(size), *u = thud_test_doubles(size);
    for (size_t j = 0; j < size; j++) {
      W[j * size + j] = 1;
      for (size_t i = 0; i < size && j % 5 < 3; i++)
        if (i % 5 < 3) W[j * size + i] = made.problem->W.dense[(j / 5 * 3 + j % 5) * 3 * contacts + i / 5 * 3 + i % 5];
      q[j] = j % 5 < 3 ? made.problem->q[j / 5 * 3 + j % 5] : 0.3;
    }
    thud_contact_problem problem = *made.problem;
    problem.dimension = 5;
    problem.mu_rolling = mu_rolling;
    problem.W.rows = problem.W.columns = (thud_index)size;
    problem.W.dense = W;
    problem.q = q;
    for (size_t m = 0; m < thud_solver_method_count(); m++) {
      if (!takes_rolling(thud_solver_method_at(m))) continue;
      thud_contact_residual residual;
      solve(context, thud_solver_method_at(m), &problem, 1e-8, r, u);
      double *part = thud_test_doubles(3 * contacts);
      for (size_t i = 0; i < size; i++) {
        if (i % 5 < 3) part[i / 5 * 3 + i % 5] = r[i];
        if (i % 5 >= 3) thud_assert_at_most(fabs(r[i]), 1e-7);
      }
      assert_int_equal(thud_contact_evaluate(context, made.problem, part, NULL, NULL, NULL, &residual), THUD_OK);
      thud_assert_at_most(residual.residual, 1e-6);
      free(part);
    }
    double *const arrays[] = {W, q, mu_rolling, r, u};
    for (size_t k = 0; k < 5; k++) free(arrays[k]);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void piles_of_spheres_with_rolling_friction_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double mu_rolling[] = {0, 0.01, 0.2};
  for (size_t k = 0; k < 3; k++) {
    thud_random random = thud_random_seed(3);
    thud_test_pile pile = {.nx = 3,
                           .ny = 3,
                           .nz = 3,
                           .dimension = 5,
                           .mu = 0.3,
                           .mu_rolling = mu_rolling[k],
                           .mass_ratio = 1,
                           .noise = 0.05};
    thud_test_problem made;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    size_t size = thud_contact_size(made.problem);
    double *r = thud_test_doubles(size), *u = thud_test_doubles(size);
    for (size_t m = 0; m < thud_solver_method_count(); m++)
      if (thud_solver_method_takes(thud_solver_method_at(m), made.problem)) {
        thud_solver_info info = solve(context, thud_solver_method_at(m), made.problem, 1e-4, r, u);
        thud_assert_at_least(info.residual.dissipation, -1e-6);
      }
    free(r);
    free(u);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_family_but_lemke_takes_rolling),
      cmocka_unit_test(one_uncoupled_contact_has_the_closed_form),
      cmocka_unit_test(contacts_without_rolling_friction_are_those_of_coulomb),
      cmocka_unit_test(piles_of_spheres_with_rolling_friction_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
