#include "bench.h"

#include <math.h>
#include <stdlib.h>

void thud_test_number(double x, double expected, double tolerance, const char *file, int line) {
  if (fabs(x - expected) <= tolerance) return;
  print_error("%.17g is not %.17g to %g\n", x, expected, tolerance);
  _fail(file, line);
}

int thud_test_bench_set_up(void **state) {
  thud_test_bench *bench = calloc(1, sizeof *bench);
  assert_non_null(bench);
  bench->context = thud_test_context(1);
  assert_int_equal(thud_expr_scope_create(bench->context, &bench->scope), THUD_OK);
  *state = bench;
  return 0;
}

static void end_system(thud_test_bench *bench) {
  thud_system_values_destroy(bench->context, bench->values);
  thud_system_destroy(bench->system);
  thud_expr_scope_destroy(bench->scope);
  bench->values = NULL;
  bench->system = NULL;
  bench->scope = NULL;
}

int thud_test_bench_tear_down(void **state) {
  thud_test_bench *bench = *state;
  end_system(bench);
  thud_test_context_end(bench->context);
  free(bench);
  return 0;
}

void thud_test_bench_clear(thud_test_bench *bench) {
  end_system(bench);
  assert_int_equal(thud_expr_scope_create(bench->context, &bench->scope), THUD_OK);
}

void thud_test_bench_parameter(thud_test_bench *bench, const char *name, double value) {
  assert_int_equal(thud_expr_scope_add_parameter(bench->scope, name, value), THUD_OK);
}

void thud_test_bench_make(thud_test_bench *bench, const thud_expr_system_def *def) {
  if (thud_system_create_expressions(bench->context, bench->scope, def, &bench->place, &bench->system) != THUD_OK)
    fail_msg("%s", thud_context_last_message(bench->context));
  assert_int_equal(thud_system_values_create(bench->context, bench->system, &bench->values), THUD_OK);
}

void thud_test_bench_evaluate(thud_test_bench *bench, double t, const double *q, const double *v, unsigned parts) {
  if (thud_system_evaluate(bench->system, t, q, v, parts, bench->values) != THUD_OK)
    fail_msg("%s", thud_context_last_message(bench->context));
}

void thud_test_mass_solve(const thud_system *system, const thud_system_values *values, const double *x, double *a) {
  size_t n = (size_t)thud_system_dimension(system);
  const double *L = values->mass_factor;
  for (size_t i = 0; i < n; i++) {
    a[i] = x[i];
    for (size_t j = 0; j < i; j++) a[i] -= L[i * n + j] * a[j];
    a[i] /= L[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) a[i] -= L[j * n + i] * a[j];
    a[i] /= L[i * n + i];
  }
}
