#include "expressions.h"
#include "testing.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variables x y z w in slots 0..3. */
enum { X, Y, Z, W, VARIABLES };
static const thud_index all_slots[VARIABLES] = {X, Y, Z, W};

typedef struct fixture {
  thud_context *context;
  thud_expr_scope *scope;
  thud_expr_graph *graph;
} fixture;

static int set_up(void **state) {
  static const char *const names[VARIABLES] = {"x", "y", "z", "w"};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->context = thud_test_context(1);
  assert_int_equal(thud_expr_scope_create(f->context, &f->scope), THUD_OK);
  for (int k = 0; k < VARIABLES; k++) assert_int_equal(thud_expr_scope_add_variable(f->scope, names[k], NULL), THUD_OK);
  assert_int_equal(thud_expr_graph_create(f->context, f->scope, &f->graph), THUD_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  thud_expr_graph_destroy(f->graph);
  thud_expr_scope_destroy(f->scope);
  thud_test_context_end(f->context);
  free(f);
  return 0;
}

static thud_expr_value add(const fixture *f, const char *source) {
  thud_expr_value value = -1;
  thud_error error = thud_expr_graph_add(f->graph, source, NULL, &value);
  if (error != THUD_OK) fail_msg("'%s': %s", source, thud_context_last_message(f->context));
  return value;
}

static thud_expr_value derivative(const fixture *f, thud_expr_value value, thud_index slot) {
  thud_expr_value made = -1;
  thud_error error = thud_expr_graph_add_gradient(f->graph, value, 1, &slot, &made);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(f->context));
  return made;
}

static void evaluate(const fixture *f, thud_index count, const thud_expr_value *values, const double *variables,
                     double *out) {
  thud_expr_program *program;
  thud_expr_work *work;
  assert_int_equal(thud_expr_program_create(f->graph, count, values, &program), THUD_OK);
  assert_int_equal(thud_expr_work_create(f->context, program, 0, &work), THUD_OK);
  thud_expr_work_evaluate(work, variables, out);
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

static void assert_near(const char *what, double found, double expected, double tolerance) {
  if (isnan(expected) ? isnan(found) : isinf(expected) ? found == expected : false) return;
  if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
    fail_msg("%s: %.17g instead of %.17g", what, found, expected);
}

typedef struct rule {
  const char *source, *by_x, *by_y;
} rule;

/* Both partial derivatives as texts, inside the domain. */
static const rule rules[] = {
    {"x + y", "1", "1"},
    {"x - y", "1", "-1"},
    {"x*y", "y", "x"},
    {"x/y", "1/y", "-x/y^2"},
    {"-x", "-1", "0"},
    {"x^y", "y*x^(y-1)", "x^y*log(x)"},
    {"x^3", "3*x^2", "0"},
    {"y^3", "0", "3*y^2"},
    {"(-x)^3", "-3*x^2", "0"},
    {"y^-2", "0", "-2/y^3"},
    {"x^0.5", "0.5/sqrt(x)", "0"},
    {"2^x", "2^x*log(2)", "0"},
    {"sin(x*y)", "y*cos(x*y)", "x*cos(x*y)"},
    {"cos(x + 2*y)", "-sin(x + 2*y)", "-2*sin(x + 2*y)"},
    {"tan(x)", "1/cos(x)^2", "0"},
    {"asin(x/2)", "1/sqrt(4 - x^2)", "0"},
    {"acos(x/2)", "-1/sqrt(4 - x^2)", "0"},
    {"atan(x)", "1/(1 + x^2)", "0"},
    {"sinh(x)", "cosh(x)", "0"},
    {"cosh(x)", "sinh(x)", "0"},
    {"tanh(x)", "1/cosh(x)^2", "0"},
    {"exp(x*y)", "y*exp(x*y)", "x*exp(x*y)"},
    {"log(x)", "1/x", "0"},
    {"sqrt(x)", "0.5/sqrt(x)", "0"},
    {"hypot(x, y)", "x/hypot(x, y)", "y/hypot(x, y)"},
    {"atan2(x, y)", "y/(x^2 + y^2)", "-x/(x^2 + y^2)"},
    {"abs(y)", "0", "sign(y)"},
    {"abs(x)", "1", "0"},
    {"min(x, y)", "x < y", "1 - (x < y)"},
    {"max(x, y)", "x > y", "1 - (x > y)"},
    {"if(x > y, x*y, x + y)", "if(x > y, y, 1)", "if(x > y, x, 1)"},
    {"step(y)*x", "step(y)", "0"},
    {"sign(y)*x", "sign(y)", "0"},
    {"floor(y)*x", "floor(y)", "0"},
    {"(x < y)*x", "x < y", "0"},
    {"(x <= y)*x", "x <= y", "0"},
    {"(x == y)*x", "x == y", "0"},
    {"(x != y)*x", "x != y", "0"},
    {"x - x", "0", "0"},
    {"x*x*x*x", "4*x^3", "0"},
};

static void every_operation_has_its_derivative(void **state) {
  const fixture *f = *state;
  static const double points[][VARIABLES] = {{0.7, -1.3, 0, 0}, {1.5, 2.25, 0, 0}, {0.2, 0.2, 0, 0}};
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    thud_expr_value value = add(f, rules[r].source);
    thud_expr_value values[4] = {derivative(f, value, X), derivative(f, value, Y), add(f, rules[r].by_x),
                                 add(f, rules[r].by_y)};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
      double out[4];
      evaluate(f, 4, values, points[p], out);
      assert_near(rules[r].source, out[0], out[2], 1e-14);
      assert_near(rules[r].source, out[1], out[3], 1e-14);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_operation_has_its_derivative, set_up, tear_down),
  };
  (void)all_slots;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
