/* Lagrangian systems made of expressions: M, c, gradients and Jacobians against closed forms and differences, the
 * balance of energy as an algebraic identity, changes of coordinates, and what is refused. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void assert_near(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.17g is not %.17g to %g", x, expected, tolerance);
}

/* ---- a system with its scope and values ------------------------------------------------------------------------- */

typedef struct bench {
  thud_context *context;
  thud_expr_scope *scope;
  thud_system *system;
  thud_system_values *values;
  thud_expr_system_place place;
} bench;

static int set_up(void **state) {
  static bench made;
  made = (bench){.context = thud_test_context(1)};
  assert_int_equal(thud_expr_scope_create(made.context, &made.scope), THUD_OK);
  *state = &made;
  return 0;
}

static int tear_down(void **state) {
  bench *b = *state;
  thud_system_values_destroy(b->context, b->values);
  thud_system_destroy(b->system);
  thud_expr_scope_destroy(b->scope);
  thud_test_context_end(b->context);
  return 0;
}

static void make(bench *b, const thud_expr_system_def *def) {
  if (thud_system_create_expressions(b->context, b->scope, def, &b->place, &b->system) != THUD_OK)
    fail_msg("%s", thud_context_last_message(b->context));
  assert_int_equal(thud_system_values_create(b->context, b->system, &b->values), THUD_OK);
}

static void parameter(bench *b, const char *name, double value) {
  assert_int_equal(thud_expr_scope_add_parameter(b->scope, name, value), THUD_OK);
}

static void evaluate(bench *b, double t, const double *q, const double *v, unsigned parts) {
  if (thud_system_evaluate(b->system, t, q, v, parts, b->values) != THUD_OK)
    fail_msg("%s", thud_context_last_message(b->context));
}

/* a = M^-1 force, by the factor of the values. */
static void accelerations(const bench *b, double *a) {
  size_t n = (size_t)thud_system_dimension(b->system);
  const double *L = b->values->mass_factor;
  for (size_t i = 0; i < n; i++) {
    a[i] = b->values->force[i];
    for (size_t j = 0; j < i; j++) a[i] -= L[i * n + j] * a[j];
    a[i] /= L[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) a[i] -= L[j * n + i] * a[j];
    a[i] /= L[i * n + i];
  }
}

/* ---- closed forms ----------------------------------------------------------------------------------------------- */

static const char *const PENDULUM[] = {"q1", "q2"};
static const char *const PENDULUM_FORCES[] = {"lam*l1*sin(q1-q2)", NULL};
static const thud_expr_constraint_def PENDULUM_WALLS[] = {
    {"elbow", THUD_CONSTRAINT_UNILATERAL, "-l1*sin(q1)", true, "1"},
    {"hand", THUD_CONSTRAINT_UNILATERAL, "-l1*sin(q1)-l2*sin(q2)", true, "0.5 + 0*q1"}};
static const thud_expr_system_def DOUBLE_PENDULUM = {
    .n = 2,
    .coordinates = PENDULUM,
    .kinetic_energy = "0.5*(m1/3+m2)*l1^2*q1'^2 + 0.5*m2*l1*l2*cos(q1-q2)*q1'*q2' + 0.5*m2*l2^2/3*q2'^2",
    .potential_energy = "k1*q1^2/2 + k2*(q2-q1)^2/2",
    .forces = PENDULUM_FORCES,
    .m = 2,
    .constraints = PENDULUM_WALLS};

static void pendulum_parameters(bench *b, double lambda) {
  const char *const names[] = {"m1", "m2", "l1", "l2", "k1", "k2"};
  const double values[] = {1, 1, 1, 2, 1, 1};
  for (size_t k = 0; k < 6; k++) parameter(b, names[k], values[k]);
  parameter(b, "lam", lambda);
}

static void double_pendulum_has_the_accelerations_of_case_c15(void **state) {
  bench *b = *state;
  pendulum_parameters(b, 1);
  make(b, &DOUBLE_PENDULUM);
  const double q[] = {PI / 2, 0}, rest[] = {0, 0}, moving[] = {1, 2};
  double a[2];
  evaluate(b, 0, q, rest, THUD_AT_EVERYTHING);
  accelerations(b, a);
  assert_near(a[0], 0.75 * (1 - PI), 1e-14);
  assert_near(a[1], 3 * PI / 8, 1e-14);
  assert_near(b->values->gap[0], 1, 1e-15);
  assert_near(b->values->gradient[3], 2, 1e-15);
  assert_near(b->values->restitution[0], 1, 0);
  assert_near(b->values->restitution[1], 0.5, 0);
  evaluate(b, 0, q, moving, THUD_AT_MASS | THUD_AT_FORCE);
  accelerations(b, a);
  assert_near(a[0], 0.75 * (-3 - PI), 1e-14);
  assert_near(a[1], 0.75 * (1 + PI / 2), 1e-14);
  assert_false(thud_system_has_constant_mass(b->system));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(double_pendulum_has_the_accelerations_of_case_c15, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
