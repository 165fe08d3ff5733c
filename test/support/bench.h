/* Lagrangian systems for tests: a bench that holds one with its scope and values, and what follows from the values. */
#ifndef THUD_TEST_BENCH_H
#define THUD_TEST_BENCH_H

#include "testing.h"
#include "thud/model.h"

#define assert_near(x, expected, tolerance) thud_test_number((x), (expected), (tolerance), __FILE__, __LINE__)
void thud_test_number(double x, double expected, double tolerance, const char *file, int line);

/* A system of expressions with everything that it needs. */
typedef struct thud_test_bench {
  thud_context *context;
  thud_expr_scope *scope;
  thud_system *system;
  thud_system_values *values;
  thud_expr_system_place place;
} thud_test_bench;

/* cmocka's set-up and tear-down: *state is an empty bench with context and scope. */
int thud_test_bench_set_up(void **state);
int thud_test_bench_tear_down(void **state);
/* Ends the system and begins a new scope. */
void thud_test_bench_clear(thud_test_bench *bench);
void thud_test_bench_parameter(thud_test_bench *bench, const char *name, double value);
/* Makes system and values, asserts that it works. */
void thud_test_bench_make(thud_test_bench *bench, const thud_expr_system_def *def);
void thud_test_bench_evaluate(thud_test_bench *bench, double t, const double *q, const double *v, unsigned parts);

/* a = M^-1 x with the factor in the values. */
void thud_test_mass_solve(const thud_system *system, const thud_system_values *values, const double *x, double *a);

#endif
