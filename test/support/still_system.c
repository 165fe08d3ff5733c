#include "still_system.h"

#include "testing.h"

#include <math.h>
#include <string.h>

void thud_still_init(thud_still *still, thud_context *context, thud_index n) {
  memset(still, 0, sizeof *still);
  still->context = context;
  still->n = n;
  for (thud_index i = 0; i < n; i++) still->mass[i * n + i] = 1;
  still->options = thud_percussion_options_default();
  for (thud_index i = 0; i < THUD_STILL_MAX; i++) still->acting[i] = true;
}

thud_index thud_still_add(thud_still *still, const double *gradient, double restitution) {
  thud_index i = still->m++;
  memcpy(still->gradient + i * still->n, gradient, (size_t)still->n * sizeof *gradient);
  still->restitution[i] = restitution;
  return i;
}

static thud_index slip_count(const thud_still *still) {
  thud_index count = 0;
  for (thud_index k = 0; k < still->laws; k++) count += still->law[k].directions;
  return count;
}

thud_index thud_still_add_law(thud_still *still, thud_index constraint, thud_index directions, const double *slip,
                              double friction, const thud_set *set) {
  memcpy(still->slip + slip_count(still) * still->n, slip, (size_t)(directions * still->n) * sizeof *slip);
  still->law[still->laws] = (thud_still_law){constraint, directions, friction, set};
  return still->laws++;
}

/* ---- callbacks: the constants ---------------------------------------------------------------------------------- */

#define THUD_STILL_FUNCTION(name, count)                                                                               \
  static int give_##name(void *user, double t, const double *q, const double *v, double *out) {                        \
    const thud_still *still = user;                                                                                    \
    (void)t, (void)q, (void)v;                                                                                         \
    memcpy(out, still->name, (size_t)(count) * sizeof *out);                                                           \
    return 0;                                                                                                          \
  }
THUD_STILL_FUNCTION(mass, still->n * still->n)
THUD_STILL_FUNCTION(gradient, still->m * still->n)
THUD_STILL_FUNCTION(rate, still->m)
THUD_STILL_FUNCTION(restitution, still->m)
THUD_STILL_FUNCTION(slip, slip_count(still) * still->n)
THUD_STILL_FUNCTION(slip_rate, slip_count(still))

static int give_friction(void *user, double t, const double *q, const double *v, double *out) {
  const thud_still *still = user;
  (void)t, (void)q, (void)v;
  for (thud_index k = 0; k < still->laws; k++) out[k] = still->law[k].friction;
  return 0;
}

static int give_zero_gaps(void *user, double t, const double *q, const double *v, double *out) {
  const thud_still *still = user;
  (void)t, (void)q, (void)v;
  memset(out, 0, (size_t)still->m * sizeof *out);
  return 0;
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

static thud_error make_system(thud_still *still) {
  static const char *const names[] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",
                                      "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15",
                                      "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23"};
  static const char *const labels[] = {"c0",  "c1",  "c2",  "c3",  "c4",  "c5",  "c6",  "c7",  "c8",  "c9",
                                       "c10", "c11", "c12", "c13", "c14", "c15", "c16", "c17", "c18", "c19",
                                       "c20", "c21", "c22", "c23", "c24", "c25", "c26", "c27", "c28", "c29",
                                       "c30", "c31", "c32", "c33", "c34", "c35", "c36", "c37", "c38", "c39"};
  thud_constraint_def constraints[THUD_STILL_MAX];
  thud_friction_def friction[THUD_STILL_MAX];
  for (thud_index i = 0; i < still->m; i++) constraints[i] = (thud_constraint_def){labels[i], still->kind[i], 0};
  for (thud_index k = 0; k < still->laws; k++)
    friction[k] = (thud_friction_def){.name = labels[k],
                                      .constraint = still->law[k].constraint,
                                      .kind = still->law[k].set != NULL ? THUD_FRICTION_SET : THUD_FRICTION_DISC,
                                      .directions = still->law[k].directions,
                                      .set = still->law[k].set};
  thud_system_def def = {.n = still->n,
                         .coordinates = names,
                         .m = still->m,
                         .constraints = constraints,
                         .laws = still->laws,
                         .friction = friction,
                         .allow_any_restitution = true,
                         .functions = {.user = still,
                                       .mass = give_mass,
                                       .constraint = still->m > 0 ? give_zero_gaps : NULL,
                                       .gradient = still->m > 0 ? give_gradient : NULL,
                                       .rate = still->m > 0 ? give_rate : NULL,
                                       .restitution = still->m > 0 ? give_restitution : NULL,
                                       .slip = still->laws > 0 ? give_slip : NULL,
                                       .slip_rate = still->laws > 0 ? give_slip_rate : NULL,
                                       .friction = still->laws > 0 ? give_friction : NULL}};
  return thud_system_create(still->context, &def, &still->system);
}

thud_error thud_still_begin(thud_still *still) {
  static const double nowhere[THUD_STILL_N];
  thud_error error = make_system(still);
  if (error == THUD_OK) error = thud_system_values_create(still->context, still->system, &still->values);
  if (error == THUD_OK)
    error = thud_system_evaluate(
        still->system, 0, nowhere, nowhere,
        THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION, still->values);
  if (error == THUD_OK)
    error = thud_percussion_create(still->context, still->system, &still->options, &still->percussion);
  return error;
}

void thud_still_end(thud_still *still) {
  thud_percussion_destroy(still->percussion);
  thud_system_values_destroy(still->context, still->values);
  thud_system_destroy(still->system);
  still->percussion = NULL;
  still->values = NULL;
  still->system = NULL;
}

void thud_still_step(thud_still *still, double step, const double *v_minus, const double *v_free) {
  assert_int_equal(thud_percussion_solve(still->percussion, still->values, still->acting, step, v_minus, v_free,
                                         still->r, still->r_slip, still->v, &still->info),
                   THUD_OK);
}

void thud_still_impact(thud_still *still, const double *v_minus) { thud_still_step(still, 0, v_minus, v_minus); }

double thud_still_velocity(const thud_still *still, thud_index i, const double *v) {
  double u = still->rate[i];
  for (thud_index k = 0; k < still->n; k++) u += still->gradient[i * still->n + k] * v[k];
  return u;
}

double thud_still_energy(const thud_still *still, const double *v) {
  double sum = 0;
  for (thud_index i = 0; i < still->n; i++)
    for (thud_index j = 0; j < still->n; j++) sum += v[i] * still->mass[i * still->n + j] * v[j] / 2;
  return sum;
}

void thud_still_cradle(thud_still *still, thud_context *context, thud_index n, double e, int law) {
  thud_still_init(still, context, n);
  for (thud_index i = 0; i + 1 < n; i++) {
    double gradient[THUD_STILL_N] = {0};
    gradient[i] = -1;
    gradient[i + 1] = 1;
    thud_still_add(still, gradient, e);
  }
  still->options.law = law;
}

void thud_still_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}
