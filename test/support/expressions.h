/* Expressions in tests. */
#ifndef THUD_TEST_EXPRESSIONS_H
#define THUD_TEST_EXPRESSIONS_H

#include "thud/expr.h"

/* Compiles a source that must be right; fails the test with the message otherwise. */
thud_expr *thud_test_compile(thud_context *context, const thud_expr_scope *scope, const char *source);

/* A scope with the variables x y z w in slots 0..3, and a graph over it. */
enum { TEST_X, TEST_Y, TEST_Z, TEST_W, TEST_VARIABLES };
typedef struct thud_test_graph {
  thud_context *context;
  thud_expr_scope *scope;
  thud_expr_graph *graph;
} thud_test_graph;

/* cmocka's set-up and tear-down: *state is a thud_test_graph. */
int thud_test_graph_begin(void **state);
int thud_test_graph_end(void **state);
thud_expr_scope *thud_test_scope(thud_context *context);
/* Each fails the test when the call does not succeed. */
thud_expr_value thud_test_add(const thud_test_graph *g, const char *source);
thud_expr_value thud_test_derivative(const thud_test_graph *g, thud_expr_value value, thud_index slot);
thud_expr_program *thud_test_program(const thud_test_graph *g, thud_index count, const thud_expr_value *values);
thud_expr_work *thud_test_work(const thud_test_graph *g, const thud_expr_program *program, int max_order);
/* Compiles, evaluates at variables[TEST_VARIABLES], and destroys the program again. */
void thud_test_values(const thud_test_graph *g, thud_index count, const thud_expr_value *values,
                      const double *variables, double *out);
/* |found - expected| <= tolerance * max(1, |expected|), or both NaN, or the same infinity. */
void thud_test_near(const char *what, double found, double expected, double tolerance);

#endif
