/* Numbers that a person types (expr/number_list.h). */
#include "base/base.h"
#include "expr/number_list.h"
#include "failing_allocator.h"
#include "testing.h"

static int set_up(void **state) {
  *state = thud_test_context(1);
  return 0;
}

static int tear_down(void **state) {
  thud_context_destroy(*state);
  return 0;
}

static void constants_are_evaluated(void **state) {
  thud_context *context = *state;
  static const struct {
    const char *text;
    double value;
  } cases[] = {{"3", 3},     {" 1e-3", 1e-3}, {"1/1000", 1e-3}, {"pi/4", 0.78539816339744828},
               {"-2^2", -4}, {"max(1, 2)", 2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double value = 0;
    assert_int_equal(thud_expr_read_number(context, cases[k].text, &value), THUD_OK);
    thud_assert_near(value, cases[k].value, 1e-16);
  }
}

static void what_is_no_constant_is_refused_and_kept_out(void **state) {
  thud_context *context = *state;
  static const char *const texts[] = {"", "  ", "x", "t", "1/0", "0/0", "2*(1", "1 2", "max(1", "pi pi"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    double value = 7, *values = NULL;
    size_t count = 7;
    assert_int_not_equal(thud_expr_read_number(context, texts[k], &value), THUD_OK);
    assert_true(value == 7);
    assert_int_not_equal(thud_expr_read_numbers(context, texts[k], &values, &count), THUD_OK);
    assert_null(values);
    assert_int_equal(count, 0);
  }
}

static void commas_within_parentheses_do_not_separate(void **state) {
  thud_context *context = *state;
  double *values = NULL;
  size_t count = 0;
  assert_int_equal(thud_expr_read_numbers(context, "0,min(3,2), pi", &values, &count), THUD_OK);
  assert_int_equal(count, 3);
  assert_true(values[0] == 0 && values[1] == 2);
  thud_assert_near(values[2], 3.1415926535897931, 1e-15);
  thud_free(context, values);
}

static thud_error read_some(thud_context *context, void *user) {
  double *values = NULL;
  size_t count = 0;
  (void)user;
  thud_error error = thud_expr_read_numbers(context, "1, 2^3, max(1, 2)", &values, &count);
  thud_free(context, values);
  return error;
}

static void missing_memory_is_reported(void **state) {
  (void)state;
  thud_test_sweep_allocations(read_some, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(constants_are_evaluated, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_constant_is_refused_and_kept_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(commas_within_parentheses_do_not_separate, set_up, tear_down),
      cmocka_unit_test(missing_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
