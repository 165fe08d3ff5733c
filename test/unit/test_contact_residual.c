/* Residuals of answers: zero at exact answers of every kind and form, positive at every kind of violation. */
#include "random_problems.h"
#include "random_matrices.h"
#include "failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const thud_index dimensions[] = {1, 2, 3, 5};
enum { DIMENSIONS = 4 };

static thud_contact_residual evaluate(thud_context *context, const thud_test_problem *made, double *u) {
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, made->problem, made->r, made->v, made->l, u, &residual), THUD_OK);
  return residual;
}

/* The residual of the known answer, with every figure that must vanish; u as constructed. */
static double known_residual(thud_context *context, thud_test_problem *made, double tolerance) {
  size_t size = thud_contact_size(made->problem);
  double *u = thud_test_doubles(size);
  thud_contact_residual found = evaluate(context, made, u);
  assert_true(thud_test_max_difference(size, u, made->u) < 1e-11);
  assert_true(found.residual <= tolerance);
  assert_true(found.penetration < 1e-11);
  assert_true(found.cone_excess < 1e-10);
  assert_true(found.dissipation > -1e-10);
  free(u);
  return found.residual;
}

static void exact_answers_of_every_form_have_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double worst = 0;
  for (int k = 0; k < DIMENSIONS; k++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      thud_random random = thud_random_seed(seed);
      thud_test_shape shape = thud_test_shape_of(dimensions[k], 17);
      shape.frictionless = seed % 7 == 0;
      if (seed % 3 == 0) shape.bodies = 5; /* W singular */
      thud_test_problem made;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      worst = fmax(worst, known_residual(context, &made, 1e-13));
      thud_test_problem_destroy(&made);
      for (int storage = THUD_MATRIX_NONE; storage <= THUD_MATRIX_BLOCKS; storage++) {
        assert_int_equal(thud_test_random_local(context, &random, &shape, (thud_matrix_storage)storage, &made),
                         THUD_OK);
        worst = fmax(worst, known_residual(context, &made, 1e-13));
        thud_test_problem_destroy(&made);
      }
      assert_int_equal(thud_test_random_rigid_global(context, &random, &shape, &made), THUD_OK);
      worst = fmax(worst, known_residual(context, &made, 1e-12));
      thud_test_problem_destroy(&made);
    }
  print_message("worst residual of an exact answer: %.1e\n", worst);
  thud_test_context_end(context);
}

static void exact_answers_of_flexible_problems_with_bilateral_rows_have_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < DIMENSIONS; k++)
    for (int skewed = 0; skewed < 3; skewed++) {
      const double skew[] = {0, 1e-3, 20}; /* the last one is beyond the refinement of the symmetric part */
      thud_random random = thud_random_seed((uint64_t)(10 * k + skewed));
      thud_test_shape shape = thud_test_shape_of(dimensions[k], 12);
      thud_test_problem made;
      assert_int_equal(thud_test_flexible_global(context, &random, &shape, 60, 7, skew[skewed], &made), THUD_OK);
      known_residual(context, &made, 1e-13);
      made.v = NULL; /* now by one solve */
      known_residual(context, &made, 1e-12);
      thud_owned_problem *local = NULL;
      if (skewed > 0) { /* V' in the place of G' M^-1 H would be wrong */
        assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_NONE, &local),
                         THUD_ERROR_UNSUPPORTED);
        thud_test_message_has(context, "not symmetric", "7 bilateral rows", NULL);
        thud_test_problem_destroy(&made);
        continue;
      }
      assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_NONE, &local), THUD_OK);
      thud_test_problem reduced = made;
      reduced.problem = thud_owned_problem_view(local);
      known_residual(context, &reduced, 1e-12);
      thud_owned_problem_destroy(local);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_answers_of_every_form_have_no_residual),
      cmocka_unit_test(exact_answers_of_flexible_problems_with_bilateral_rows_have_no_residual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
