/* Expressions: the first line is the text of a named expression, the rest one that may use it. */
#include "fuzz_support.h"
#include "thud/expr.h"

#include <math.h>
#include <string.h>

enum { VARIABLES = 3, OUTPUTS = 1 + VARIABLES, ORDER = 3, MAX_SIZE = 2000 };

static thud_expr_scope *make_scope(thud_context *context, const char *named) {
  static const char *const names[VARIABLES] = {"x", "x'", "t"};
  thud_expr_scope *scope = NULL;
  thud_error error = thud_expr_scope_create(context, &scope);
  for (int k = 0; error == THUD_OK && k < VARIABLES; k++) error = thud_expr_scope_add_variable(scope, names[k], NULL);
  if (error == THUD_OK) error = thud_expr_scope_add_parameter(scope, "k", 2.5);
  if (error == THUD_OK) error = thud_expr_scope_add_expression(scope, "n", named);
  fuzz_demand(error == THUD_OK, "a scope can be made");
  return scope;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* The tape with registers, the one of programs and order 0 of the jet are one function; what is not finite has a
 * reason. */
static void check_program(thud_context *context, const thud_expr *expr, const thud_expr_program *program) {
  static const double points[][VARIABLES] = {{0, 0, 0}, {0.5, -1.25, 3}, {-1, 1, 0.1}, {1e200, -1e-200, 7}};
  thud_expr_work *work = NULL;
  thud_expr_trouble trouble;
  fuzz_demand(thud_expr_work_create(context, program, ORDER, &work) == THUD_OK, "a work can be made");
  for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
    double out[OUTPUTS], jet[OUTPUTS], value = thud_expr_evaluate(expr, points[p]);
    thud_expr_work_evaluate(work, points[p], out);
    fuzz_demand(same(out[0], value), "a program gives what the expression gives");
    for (thud_index k = 0; k < OUTPUTS; k++)
      fuzz_demand(thud_expr_work_explain(work, k, &trouble) == !isfinite(out[k]), "what is not finite has a reason");
    for (int order = 0; order <= ORDER; order++) {
      fuzz_demand(thud_expr_work_jet(work, order, points[p], jet) == THUD_OK, "a jet goes on");
      for (int k = 0; order == 0 && k < OUTPUTS; k++) fuzz_demand(same(jet[k], out[k]), "a jet begins with the value");
    }
  }
  thud_expr_work_destroy(work);
}

static void check_derivatives(thud_context *context, const thud_expr_scope *scope, const thud_expr *expr,
                              const char *source) {
  static const thud_index slots[VARIABLES] = {0, 1, 2};
  thud_expr_graph *graph = NULL;
  thud_expr_value values[OUTPUTS];
  thud_expr_program *program = NULL;
  fuzz_demand(thud_expr_graph_create(context, scope, &graph) == THUD_OK, "a graph can be made");
  fuzz_demand(thud_expr_graph_add(graph, source, NULL, values) == THUD_OK, "what compiles can be added");
  fuzz_demand(thud_expr_graph_add_gradient(graph, values[0], VARIABLES, slots, values + 1) == THUD_OK,
              "what can be added has a gradient");
  fuzz_demand(thud_expr_program_create(graph, OUTPUTS, values, &program) == THUD_OK, "values make a program");
  check_program(context, expr, program);
  thud_expr_program_destroy(program);
  thud_expr_graph_destroy(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > MAX_SIZE) return 0;
  char text[MAX_SIZE + 2] = "";
  memcpy(text, data, size);
  char *line_end = strchr(text, '\n');
  char *source = line_end != NULL ? line_end + 1 : text + strlen(text);
  if (line_end != NULL) *line_end = '\0';
  thud_context *context = fuzz_context(20000000);
  thud_expr_scope *scope = make_scope(context, text);
  thud_expr *expr = NULL;
  thud_error error = thud_expr_compile(context, scope, source, NULL, &expr);
  fuzz_demand((error == THUD_OK) == (expr != NULL), "success and only success makes an expression");
  fuzz_demand(error == THUD_OK || thud_context_last_message(context)[0] != '\0', "a failure has a message");
  if (error == THUD_OK) check_derivatives(context, scope, expr, source);
  thud_expr_destroy(expr);
  thud_expr_scope_destroy(scope);
  fuzz_context_end(context);
  return 0;
}
