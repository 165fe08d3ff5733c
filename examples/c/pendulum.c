/* A bead on a rod that turns about its end, in polar coordinates (r, th), the floor below it: written once in C and
 * once as expressions. Prints the accelerations of both, which are equal, and what thud says of a state.
 *
 * Usage: pendulum. Exit status: 0 good, 2 thud reported an error. */
#include <stdio.h>
#include <thud/thud.h>

#include <math.h>

static const double MASS = 1.5, GRAVITY = 9.81, HEIGHT = 2;

/* Functions of a system write to `out` and return 0. */
static int mass(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = MASS, out[1] = 0;
  out[2] = 0, out[3] = MASS * q[0] * q[0];
  return 0;
}

/* The Christoffel terms of T = m (r'^2 + r^2 th'^2)/2. */
static int inertia(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t;
  out[0] = -MASS * q[0] * v[1] * v[1];
  out[1] = 2 * MASS * q[0] * v[0] * v[1];
  return 0;
}

static int potential(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = MASS * GRAVITY * q[0] * sin(q[1]);
  return 0;
}

static int potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = MASS * GRAVITY * sin(q[1]);
  out[1] = MASS * GRAVITY * q[0] * cos(q[1]);
  return 0;
}

static int gap(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = HEIGHT + q[0] * sin(q[1]);
  return 0;
}

static int gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = sin(q[1]);
  out[1] = q[0] * cos(q[1]);
  return 0;
}

static const char *const COORDINATES[] = {"r", "th"};

static thud_error written_in_c(thud_context *context, thud_system **system) {
  const thud_constraint_def floor = {.name = "floor", .kind = THUD_CONSTRAINT_UNILATERAL, .restitution = 0.5};
  const thud_system_def def = {.n = 2,
                               .coordinates = COORDINATES,
                               .m = 1,
                               .constraints = &floor,
                               .functions = {.mass = mass,
                                             .inertia = inertia,
                                             .potential = potential,
                                             .potential_gradient = potential_gradient,
                                             .constraint = gap,
                                             .gradient = gradient}};
  return thud_system_create(context, &def, system);
}

static thud_error written_as_expressions(thud_context *context, thud_expr_scope *scope, thud_system **system) {
  const thud_expr_constraint_def floor = {
      .name = "floor", .kind = THUD_CONSTRAINT_UNILATERAL, .source = "height + r*sin(th)", .restitution = "0.5"};
  const thud_expr_system_def def = {.n = 2,
                                    .coordinates = COORDINATES,
                                    .kinetic_energy = "m*(r'^2 + r^2*th'^2)/2",
                                    .potential_energy = "m*g*r*sin(th)",
                                    .m = 1,
                                    .constraints = &floor};
  thud_error error = thud_expr_scope_add_parameter(scope, "m", MASS);
  if (error == THUD_OK) error = thud_expr_scope_add_parameter(scope, "g", GRAVITY);
  if (error == THUD_OK) error = thud_expr_scope_add_parameter(scope, "height", HEIGHT);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, NULL, system);
  return error;
}

/* The mass matrix of this system is diagonal: a_i = force_i / M_ii. */
static thud_error report(thud_context *context, const char *name, const thud_system *system) {
  const double q[] = {1, -0.5}, v[] = {0.3, 2};
  thud_system_values *values = NULL;
  thud_system_diagnosis found = {.dependent = NULL};
  double worst = 0;
  thud_error error = thud_system_values_create(context, system, &values);
  if (error == THUD_OK) error = thud_system_evaluate(system, 0, q, v, THUD_AT_EVERYTHING, values);
  if (error == THUD_OK) error = thud_system_check(system, 0, q, v, 1e-7, &worst);
  if (error == THUD_OK) error = thud_system_diagnose(context, system, 0, q, v, 0, &found);
  if (error == THUD_OK) {
    printf("%s: r'' = %.9f, th'' = %.9f, gap %.9f\n", name, values->force[0] / values->mass[0],
           values->force[1] / values->mass[3], values->gap[0]);
    printf("  derivatives agree with differences, condition of M %.3f, %d constraints act\n", found.mass_condition,
           (int)found.active_count);
  }
  thud_system_values_destroy(context, values);
  return error;
}

int main(void) {
  thud_context *context = NULL;
  thud_expr_scope *scope = NULL;
  thud_system *in_c = NULL, *in_text = NULL;
  thud_error error = thud_context_create(NULL, &context);
  if (error == THUD_OK) error = written_in_c(context, &in_c);
  if (error == THUD_OK) error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = written_as_expressions(context, scope, &in_text);
  if (error == THUD_OK) error = report(context, "functions", in_c);
  if (error == THUD_OK) error = report(context, "expressions", in_text);
  if (error != THUD_OK)
    fprintf(stderr, "pendulum: %s\n", context != NULL ? thud_context_last_message(context) : thud_error_text(error));
  thud_system_destroy(in_c);
  thud_system_destroy(in_text);
  thud_expr_scope_destroy(scope);
  thud_context_destroy(context);
  return error == THUD_OK ? 0 : 2;
}
