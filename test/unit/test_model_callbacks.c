/* Lagrangian systems whose functions are written in C: values against closed forms, the check of derivatives, messages
 * about bad definitions and bad numbers, no allocation while evaluating, a system shared by threads. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/model.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void assert_near(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.17g is not %.17g to %g", x, expected, tolerance);
}

static int set_up(void **state) {
  *state = thud_test_context(1);
  return 0;
}

static int tear_down(void **state) {
  thud_test_context_end(*state);
  return 0;
}

/* ---- case C15: the double pendulum with a wall, m1 = m2 = 1, l1 = 1, l2 = 2, k1 = k2 = 1, lambda = 1 ------------- */

typedef struct pendulum {
  double lambda;
  double spoil; /* added to one derivative, to see whether the check finds it */
} pendulum;

static int pendulum_mass(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = 4.0 / 3;
  out[1] = out[2] = cos(q[0] - q[1]);
  out[3] = 4.0 / 3;
  return 0;
}

static int pendulum_inertia(void *user, double t, const double *q, const double *v, double *out) {
  (void)t;
  out[0] = sin(q[0] - q[1]) * v[1] * v[1] + ((pendulum *)user)->spoil;
  out[1] = -sin(q[0] - q[1]) * v[0] * v[0];
  return 0;
}

static int pendulum_force(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)v;
  out[0] = ((pendulum *)user)->lambda * sin(q[0] - q[1]);
  out[1] = 0;
  return 0;
}

static int pendulum_potential(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = q[0] * q[0] / 2 + (q[1] - q[0]) * (q[1] - q[0]) / 2;
  return 0;
}

static int pendulum_potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = 2 * q[0] - q[1];
  out[1] = q[1] - q[0];
  return 0;
}

static int pendulum_gap(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = sin(q[0]);
  out[1] = sin(q[0]) + 2 * sin(q[1]);
  return 0;
}

static int pendulum_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = cos(q[0]), out[1] = 0;
  out[2] = cos(q[0]), out[3] = 2 * cos(q[1]);
  return 0;
}

static const char *const PENDULUM_NAMES[] = {"q1", "q2"};
static const thud_constraint_def PENDULUM_WALLS[] = {{"elbow", THUD_CONSTRAINT_UNILATERAL, 1},
                                                     {"hand", THUD_CONSTRAINT_UNILATERAL, 1}};

static thud_system_def pendulum_def(pendulum *user) {
  return (thud_system_def){.n = 2,
                           .coordinates = PENDULUM_NAMES,
                           .m = 2,
                           .constraints = PENDULUM_WALLS,
                           .functions = {.user = user,
                                         .mass = pendulum_mass,
                                         .inertia = pendulum_inertia,
                                         .force = pendulum_force,
                                         .potential = pendulum_potential,
                                         .potential_gradient = pendulum_potential_gradient,
                                         .constraint = pendulum_gap,
                                         .gradient = pendulum_gradient}};
}

/* a = M^-1 force with the factor of the values: also a test of the factor. */
static void accelerations(const thud_system *system, const thud_system_values *values, double *a) {
  size_t n = (size_t)thud_system_dimension(system);
  const double *L = values->mass_factor;
  for (size_t i = 0; i < n; i++) {
    a[i] = values->force[i];
    for (size_t j = 0; j < i; j++) a[i] -= L[i * n + j] * a[j];
    a[i] /= L[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) a[i] -= L[j * n + i] * a[j];
    a[i] /= L[i * n + i];
  }
}

static void double_pendulum_has_the_accelerations_of_case_c15(void **state) {
  pendulum user = {.lambda = 1};
  thud_system_def def = pendulum_def(&user);
  thud_system *system;
  thud_system_values *values;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_OK);
  assert_int_equal(thud_system_values_create(*state, system, &values), THUD_OK);
  const double q[] = {PI / 2, 0}, rest[] = {0, 0}, moving[] = {1, 2};
  double a[2];
  assert_int_equal(thud_system_evaluate(system, 0, q, rest, THUD_AT_EVERYTHING, values), THUD_OK);
  accelerations(system, values, a);
  assert_near(a[0], 0.75 * (1 - PI), 1e-14);
  assert_near(a[1], 3 * PI / 8, 1e-14);
  assert_near(values->gap[1], 1, 1e-15);
  assert_near(values->gradient[3], 2, 1e-15);
  assert_near(values->restitution[1], 1, 0);
  assert_near(values->potential, PI * PI / 4, 1e-14);
  assert_near(values->applied[0], 1, 1e-15);
  assert_int_equal(thud_system_evaluate(system, 0, q, moving, THUD_AT_MASS | THUD_AT_FORCE, values), THUD_OK);
  accelerations(system, values, a);
  assert_near(a[0], 0.75 * (-3 - PI), 1e-14);
  assert_near(a[1], 0.75 * (1 + PI / 2), 1e-14);
  assert_near(thud_system_kinetic_energy(system, values, moving), (4.0 / 3 + 16.0 / 3) / 2, 1e-14);
  thud_system_values_destroy(*state, values);
  thud_system_destroy(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(double_pendulum_has_the_accelerations_of_case_c15, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
