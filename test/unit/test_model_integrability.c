/* Frobenius' condition of velocity forms: what it costs when memory fails; its answers are in test/cli/test_integrability.py. */
#include "bench.h"
#include "failing_allocator.h"
#include "model/system.h"

#include <math.h>

static thud_error look(thud_context *context, const char *form, thud_integrability *found) {
  static const char *const coordinates[] = {"x", "y", "z"}, *const mass[9] = {"1",  NULL, NULL, NULL, "1",
                                                                              NULL, NULL, NULL, "1"};
  const thud_expr_constraint_def constraint = {.name = "form", .kind = THUD_CONSTRAINT_VELOCITY, .source = form};
  const thud_expr_system_def def = {
      .n = 3, .coordinates = coordinates, .mass = mass, .m = 1, .constraints = &constraint, .start = 0, .end = 1};
  const double q[3] = {1, 2, 3};
  thud_expr_scope *scope = NULL;
  thud_system *system = NULL;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, NULL, &system);
  if (error == THUD_OK) error = thud_model_integrability(context, system, 0, q, found);
  thud_system_destroy(system);
  thud_expr_scope_destroy(scope);
  return error;
}

/* alpha = dz - y dx: d alpha = dx ^ dy, on X = (0, 1, 0), Y = (1, 0, y)/sqrt(1 + y^2) it is 1/sqrt(1 + y^2) at y = 2, and the
 * largest derivative is 1. */
static void the_size_of_the_violation_is_that_of_the_two_form(void **state) {
  thud_integrability found;
  assert_int_equal(look(((thud_test_bench *)*state)->context, "z' - y*x'", &found), THUD_OK);
  assert_false(found.integrable);
  assert_true(found.at_start);
  assert_int_equal(found.form, 0);
  thud_assert_equal(found.places, 17);
  thud_assert_near(found.curl, 1 / sqrt(5.0), 1e-9);
  assert_int_equal(look(((thud_test_bench *)*state)->context, "z*x' + x*z'", &found), THUD_OK);
  assert_true(found.integrable);
  thud_assert_less(found.worst, 1e-10);
}

static thud_error look_at_memory(thud_context *context, void *user) {
  thud_integrability found;
  (void)user;
  return look(context, "z' - y*x'", &found);
}

static void it_survives_every_failing_allocation(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(look_at_memory, NULL), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(the_size_of_the_violation_is_that_of_the_two_form,
                                                                     thud_test_bench_set_up, thud_test_bench_tear_down),
                                     cmocka_unit_test(it_survives_every_failing_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
