/* Nanoseconds of one evaluation of expressions, their gradients, second derivatives and jets. */
#include "thud/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { VARIABLES = 4, MAX_OUTPUTS = 32, RUNS = 7 };

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-expr: %s\n", thud_context_last_message(context));
  exit(3);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Least time of several runs, in nanoseconds per evaluation (order < 0) or per whole jet. */
static double measure(thud_expr_work *work, int order, long repeats) {
  double best = 1e300, out[MAX_OUTPUTS], sum = 0;
  for (int run = 0; run < RUNS; run++) {
    double begin = cpu_seconds();
    for (long k = 0; k < repeats; k++) {
      double x[VARIABLES] = {0.3 + 1e-9 * (double)k, 0.7, -0.4, 1.1};
      if (order < 0)
        thud_expr_work_evaluate(work, x, out);
      else
        for (int j = 0; j <= order; j++) (void)thud_expr_work_jet(work, j, x, out);
      sum += out[0];
    }
    double seconds = (cpu_seconds() - begin) / (double)repeats;
    if (seconds < best) best = seconds;
  }
  if (sum == 0.123) printf(" "); /* the results are used */
  return 1e9 * best;
}

typedef struct row {
  const char *name, *source;
} row;

static void run(thud_context *context, thud_expr_graph *graph, const row *r) {
  static const thud_index slots[VARIABLES] = {0, 1, 2, 3};
  thud_expr_value values[1 + VARIABLES + VARIABLES * VARIABLES];
  const thud_index counts[] = {1, 1 + VARIABLES, 1 + VARIABLES + VARIABLES * VARIABLES};
  stop_on(context, thud_expr_graph_add(graph, r->source, NULL, &values[0]));
  stop_on(context, thud_expr_graph_add_gradient(graph, values[0], VARIABLES, slots, values + 1));
  stop_on(context, thud_expr_graph_add_hessian(graph, values[0], VARIABLES, slots, values + 1 + VARIABLES));
  printf("%s", r->name);
  for (int k = 0; k < 3; k++) {
    enum { ORDER = 20 };
    thud_expr_program *program;
    thud_expr_work *work;
    stop_on(context, thud_expr_program_create(graph, counts[k], values, &program));
    stop_on(context, thud_expr_work_create(context, program, ORDER, &work));
    printf(",%d,%.1f", (int)thud_expr_program_operation_count(program), measure(work, -1, 200000));
    if (k == 1) printf(",%.0f", measure(work, ORDER, 2000));
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
  printf("\n");
}

int main(void) {
  static const row rows[] = {
      {"polynomial", "x*y*z + 0.5*w^2*(x - y)^2 + (z*w - x)*(y + 2*z) - 3*x*w + (x + y)*(z - w)"},
      {"pendulum", "0.5*(z^2 + w^2) + z*w*cos(x - y) - 9.81*(2*cos(x) + cos(y)) + 0.1*z*sin(x)"},
      {"mixed", "exp(-x^2)*sin(y*z) + log(1 + w^2)*sqrt(1 + x^2 + y^2) - x*w/(2 + z^2) + x^3"},
      {"springs", "0.5*(hypot(x, y) - 1)^2 + 0.5*(hypot(z - x, w - y) - 1)^2 + 9.81*(y + w)"},
  };
  thud_context *context;
  thud_expr_scope *scope;
  thud_expr_graph *graph;
  stop_on(NULL, thud_context_create(NULL, &context));
  stop_on(context, thud_expr_scope_create(context, &scope));
  static const char *const names[VARIABLES] = {"x", "y", "z", "w"};
  for (int k = 0; k < VARIABLES; k++) stop_on(context, thud_expr_scope_add_variable(scope, names[k], NULL));
  printf("expression,value_operations,value_ns,gradient_operations,gradient_ns,gradient_jet20_ns,hessian_operations,"
         "hessian_ns\n");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    stop_on(context, thud_expr_graph_create(context, scope, &graph));
    run(context, graph, &rows[k]);
    thud_expr_graph_destroy(graph);
  }
  thud_expr_scope_destroy(scope);
  thud_context_destroy(context);
  return 0;
}
