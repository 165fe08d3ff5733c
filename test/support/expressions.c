#include "expressions.h"

#include "testing.h"

#include <math.h>
#include <stdlib.h>

thud_expr *thud_test_compile(thud_context *context, const thud_expr_scope *scope, const char *source) {
  thud_expr *expr = NULL;
  thud_error error = thud_expr_compile(context, scope, source, NULL, &expr);
  if (error != THUD_OK) fail_msg("'%s': %s", source, thud_context_last_message(context));
  return expr;
}

thud_expr_scope *thud_test_scope(thud_context *context) {
  static const char *const names[TEST_VARIABLES] = {"x", "y", "z", "w"};
  thud_expr_scope *scope = NULL;
  assert_int_equal(thud_expr_scope_create(context, &scope), THUD_OK);
  for (int k = 0; k < TEST_VARIABLES; k++)
    assert_int_equal(thud_expr_scope_add_variable(scope, names[k], NULL), THUD_OK);
  return scope;
}

int thud_test_graph_begin(void **state) {
  thud_test_graph *g = calloc(1, sizeof *g);
  assert_non_null(g);
  g->context = thud_test_context(1);
  g->scope = thud_test_scope(g->context);
  assert_int_equal(thud_expr_graph_create(g->context, g->scope, &g->graph), THUD_OK);
  *state = g;
  return 0;
}

int thud_test_graph_end(void **state) {
  thud_test_graph *g = *state;
  thud_expr_graph_destroy(g->graph);
  thud_expr_scope_destroy(g->scope);
  thud_test_context_end(g->context);
  free(g);
  return 0;
}

thud_expr_value thud_test_add(const thud_test_graph *g, const char *source) {
  thud_expr_value value = -1;
  thud_error error = thud_expr_graph_add(g->graph, source, NULL, &value);
  if (error != THUD_OK) fail_msg("'%s': %s", source, thud_context_last_message(g->context));
  return value;
}

thud_expr_value thud_test_derivative(const thud_test_graph *g, thud_expr_value value, thud_index slot) {
  thud_expr_value made = -1;
  thud_error error = thud_expr_graph_add_gradient(g->graph, value, 1, &slot, &made);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(g->context));
  return made;
}

thud_expr_program *thud_test_program(const thud_test_graph *g, thud_index count, const thud_expr_value *values) {
  thud_expr_program *program = NULL;
  assert_int_equal(thud_expr_program_create(g->graph, count, values, &program), THUD_OK);
  return program;
}

thud_expr_work *thud_test_work(const thud_test_graph *g, const thud_expr_program *program, int max_order) {
  thud_expr_work *work = NULL;
  assert_int_equal(thud_expr_work_create(g->context, program, max_order, &work), THUD_OK);
  return work;
}

void thud_test_values(const thud_test_graph *g, thud_index count, const thud_expr_value *values,
                      const double *variables, double *out) {
  thud_expr_program *program = thud_test_program(g, count, values);
  thud_expr_work *work = thud_test_work(g, program, 0);
  thud_expr_work_evaluate(work, variables, out);
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

void thud_test_near(const char *what, double found, double expected, double tolerance) {
  if (isnan(expected) ? isnan(found) : isinf(expected) ? found == expected : false) return;
  if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
    fail_msg("%s: %.17g instead of %.17g", what, found, expected);
}
