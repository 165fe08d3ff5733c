/* Uniqueness of forces on random problems, against all vertices and in every form. */
#include "uniqueness_cases.h"
#include "thud/solve.h"
#include "thud/uniqueness.h"
#include "failing_allocator.h"
#include "random_problems.h"
#include "testing.h"
#include <math.h>
#include <string.h>

/* ---- random problems ----------------------------------------------------------------------------------------------
 */

/* Every vertex of { x >= 0, A x = b } of three equations has three columns at most; the first row of A is positive, so
 * that the set is bounded. */
static void vertex_bounds(thud_context *context, thud_index n, const double *A, const double *b, double *low,
                          double *high) {
  for (thud_index k = 0; k < n; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
  }
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = i + 1; j < n; j++)
      for (thud_index k = j + 1; k < n; k++) {
        const thud_index chosen[3] = {i, j, k};
        double B[9], x[3] = {b[0], b[1], b[2]};
        for (int c = 0; c < 3; c++) memcpy(B + 3 * c, A + 3 * chosen[c], 3 * sizeof(double));
        if (thud_dense_solve(context, 3, B, 1, x) != THUD_OK || fmin(x[0], fmin(x[1], x[2])) < -1e-12) continue;
        for (thud_index m = 0; m < n; m++) {
          double value = m == i ? x[0] : m == j ? x[1] : m == k ? x[2] : 0;
          low[m] = fmin(low[m], value);
          high[m] = fmax(high[m], value);
        }
      }
}

static void random_normal_contacts_against_all_vertices(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(41);
  for (int trial = 0; trial < 300; trial++) {
    rest body = {.dimension = 1, .contacts = 4 + trial % 4, .ndof = 3};
    double scale = pow(10, trial % 5 - 2), low[8], high[8], b[3];
    for (thud_index k = 0; k < body.contacts; k++) {
      set_column(&body, k,
                 (const double[]){thud_random_uniform(&random, 1, 2), thud_random_normal(&random),
                                  thud_random_normal(&random)});
      body.r[k] = k % 3 == 2 ? 0 : scale * thud_random_uniform(&random, 0, 1);
    }
    settle(&body);
    for (int i = 0; i < 3; i++) b[i] = -body.f[i];
    vertex_bounds(context, body.contacts, body.H, b, low, high);
    for (int form = THUD_FORM_LOCAL; form <= THUD_FORM_GLOBAL; form++) {
      thud_contact_problem problem = problem_of(&body, (thud_contact_form)form);
      thud_force_set *set = set_of(context, &problem, body.r, body.u);
      assert_int_equal(verdict_of(set), THUD_FORCES_NOT_UNIQUE);
      for (thud_index k = 0; k < body.contacts; k++)
        expect_interval(context, set, &problem, k, low[k], high[k], 1e-7 * scale);
      thud_force_set_destroy(set);
    }
  }
  thud_test_context_end(context);
}

/* A box on four contacts with 3D friction in the two-block form, and the same in the other forms. */
static void box_in_every_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  const thud_test_pile one = {.nz = 1, .dimension = 3, .mu = 0.5, .mass_ratio = 1};
  thud_test_problem made;
  assert_int_equal(thud_test_stack_of_boxes(context, &random, &one, &made), THUD_OK);
  thud_owned_problem *other[2] = {NULL, NULL};
  assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_BLOCKS, &other[0]), THUD_OK);
  assert_int_equal(thud_contact_to_global(context, made.problem, &other[1]), THUD_OK);
  const double weight = 0.0981;
  double r[12] = {0}, u[12];
  for (int k = 0; k < 4; k++) r[3 * k] = weight / 4;
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, made.problem, r, NULL, NULL, u, &residual), THUD_OK);
  thud_assert_less(residual.residual, 1e-14);
  const thud_contact_problem *problems[3] = {made.problem, thud_owned_problem_view(other[0]),
                                             thud_owned_problem_view(other[1])};
  for (int form = 0; form < 3; form++) {
    thud_force_set *set = set_of(context, problems[form], r, u);
    thud_uniqueness_info info;
    assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
    assert_int_equal(info.verdict, THUD_FORCES_NOT_UNIQUE);
    assert_int_equal(info.freedom, 6); /* 12 components, 6 degrees of freedom */
    for (thud_index k = 0; k < 4; k++) expect_interval(context, set, problems[form], k, 0, weight / 2, 1e-6 * weight);
    thud_force_set_destroy(set);
  }
  thud_owned_problem_destroy(other[0]);
  thud_owned_problem_destroy(other[1]);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* Random problems of every dimension with fewer degrees of freedom than impulses: the known answer lies in its
 * interval, inner intervals in outer ones, ends are solutions, and every end of one contact lies in the intervals of
 * the others. */
static void random_problems_are_consistent(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(77);
  static const thud_index dimensions[] = {1, 2, 3, 5};
  int several = 0;
  for (int trial = 0; trial < 60; trial++) {
    thud_test_shape shape = thud_test_shape_of(dimensions[trial % 4], 5);
    shape.bodies = 1;
    shape.block = 3 + trial % 3;
    thud_test_problem made;
    assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
    size_t size = thud_contact_size(made.problem), d = (size_t)shape.dimension;
    thud_force_set *set = set_of(context, made.problem, made.r, made.u);
    thud_uniqueness verdict = verdict_of(set);
    several += verdict == THUD_FORCES_NOT_UNIQUE;
    double largest = 0, ends[10][MAX_SIZE];
    thud_force_interval found[5];
    for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(made.r[i]));
    for (thud_index k = 0; k < 5; k++) {
      assert_int_equal(thud_force_set_interval(set, k, &found[k], ends[2 * k], ends[2 * k + 1]), THUD_OK);
      double value = made.r[(size_t)k * d], slack = 1e-6 * largest;
      thud_assert_at_most(found[k].low_outer, found[k].low);
      thud_assert_at_most(found[k].low, found[k].high + slack);
      thud_assert_at_most(found[k].high, found[k].high_outer);
      if (!(found[k].low <= value + slack && value <= found[k].high + slack))
        fail_msg("trial %d, dimension %d, contact %d: %g is not in [%g, %g] of [%g, %g]", trial, (int)d, (int)k, value,
                 found[k].low, found[k].high, found[k].low_outer, found[k].high_outer);
    }
    for (size_t e = 0; e < 10; e++) {
      thud_contact_residual residual;
      if (isinf(found[e / 2].high) && e % 2 == 1) continue;
      assert_int_equal(thud_contact_evaluate(context, made.problem, ends[e], NULL, NULL, NULL, &residual), THUD_OK);
      if (!(residual.residual < 1e-7 * fmax(1, largest))) fail_msg("trial %d end %zu: %g", trial, e, residual.residual);
      for (size_t k = 0; k < 5; k++) {
        double value = ends[e][k * d], slack = 1e-6 * fmax(largest, fabs(value));
        thud_assert_at_least(value, found[k].low_outer - slack);
        assert_true((found[k].limited || value <= found[k].high_outer + slack));
      }
    }
    thud_force_set_destroy(set);
    thud_test_problem_destroy(&made);
  }
  thud_assert_greater(several, 10);
  thud_test_context_end(context);
}

/* Enough bodies: the columns are independent. */
static void full_rank_is_unique(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  static const thud_index dimensions[] = {1, 2, 3, 5};
  for (int trial = 0; trial < 40; trial++) {
    thud_test_shape shape = thud_test_shape_of(dimensions[trial % 4], 6);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_SPARSE, &made), THUD_OK);
    thud_force_set *set = set_of(context, made.problem, made.r, made.u);
    thud_uniqueness_info info;
    assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
    assert_int_equal(info.verdict, THUD_FORCES_UNIQUE);
    assert_int_equal(info.freedom, 0);
    thud_assert_greater(info.smallest_pivot, 1e-9);
    thud_assert_equal(info.largest_dropped, 0);
    assert_int_equal(info.open + info.sliding + info.sticking, 6);
    thud_force_interval found;
    assert_int_equal(thud_force_set_interval(set, 1, &found, NULL, NULL), THUD_OK);
    thud_assert_equal(found.low, found.high);
    thud_assert_equal(found.low_outer, found.low);
    thud_assert_equal(found.high_outer, found.high);
    thud_force_set_destroy(set);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_normal_contacts_against_all_vertices), cmocka_unit_test(box_in_every_form),
      cmocka_unit_test(random_problems_are_consistent), cmocka_unit_test(full_rank_is_unique)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
