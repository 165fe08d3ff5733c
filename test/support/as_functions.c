#include "as_functions.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

struct as_functions {
  thud_context *context;
  const thud_system *inner;
  thud_system_values *values;
  thud_system *outer;
};

static int copy(as_functions *made, double t, const double *q, const double *v, unsigned part, const double *from,
                size_t count, double *out) {
  if (thud_system_evaluate(made->inner, t, q, v, part, made->values) != THUD_OK) return 1;
  if (count > 0) memcpy(out, from, count * sizeof *out);
  return 0;
}

#define N ((size_t)thud_system_dimension(made->inner))
#define M ((size_t)thud_system_constraint_count(made->inner))
#define S ((size_t)thud_system_slip_count(made->inner))
#define LAWS ((size_t)thud_system_friction_count(made->inner))
#define COPIES(name, part, from, count)                                                                                \
  static int name(void *user, double t, const double *q, const double *v, double *out) {                               \
    as_functions *made = user;                                                                                         \
    return copy(made, t, q, v, part, from, count, out);                                                                \
  }

COPIES(mass, THUD_AT_MASS, made->values->mass, N *N)
COPIES(force, THUD_AT_FORCE, made->values->applied, N)
COPIES(potential, THUD_AT_POTENTIAL, &made->values->potential, 1)
COPIES(constraint, THUD_AT_CONSTRAINT, made->values->gap, M)
COPIES(gradient, THUD_AT_GRADIENT, made->values->gradient, M *N)
COPIES(rate, THUD_AT_GRADIENT, made->values->rate, M)
COPIES(slip, THUD_AT_FRICTION, made->values->slip, S *N)
COPIES(slip_rate, THUD_AT_FRICTION, made->values->slip_rate, S)
COPIES(friction, THUD_AT_FRICTION, made->values->friction, LAWS)
COPIES(restitution, THUD_AT_RESTITUTION, made->values->restitution, M)

/* dV/dq + c, which belong together in the sum of the forces. */
static int slope(void *user, double t, const double *q, const double *v, double *out) {
  as_functions *made = user;
  if (thud_system_evaluate(made->inner, t, q, v, THUD_AT_FORCE, made->values) != THUD_OK) return 1;
  for (size_t i = 0; i < N; i++) out[i] = made->values->applied[i] - made->values->force[i];
  return 0;
}

as_functions *thud_test_as_functions(thud_context *context, const thud_system *inner) {
  as_functions *made = calloc(1, sizeof *made);
  assert_non_null(made);
  made->context = context;
  made->inner = inner;
  assert_int_equal(thud_system_values_create(context, inner, &made->values), THUD_OK);
  const char *names[16];
  thud_constraint_def constraints[16];
  thud_friction_def laws[16];
  thud_assert_at_most(N, 16);
  thud_assert_at_most(M, 16);
  thud_assert_at_most(LAWS, 16);
  for (size_t i = 0; i < N; i++) names[i] = thud_system_coordinate(inner, (thud_index)i);
  for (size_t i = 0; i < M; i++) constraints[i] = *thud_system_constraint(inner, (thud_index)i);
  for (size_t i = 0; i < LAWS; i++) laws[i] = *thud_system_friction(inner, (thud_index)i);
  const thud_system_def def = {.n = (thud_index)N,
                               .coordinates = names,
                               .m = (thud_index)M,
                               .constraints = constraints,
                               .laws = (thud_index)LAWS,
                               .friction = laws,
                               .allow_any_restitution = true,
                               .functions = {.user = made,
                                             .mass = mass,
                                             .potential_gradient = slope,
                                             .force = force,
                                             .potential = potential,
                                             .constraint = M > 0 ? constraint : NULL,
                                             .gradient = M > 0 ? gradient : NULL,
                                             .rate = M > 0 ? rate : NULL,
                                             .slip = S > 0 ? slip : NULL,
                                             .slip_rate = S > 0 ? slip_rate : NULL,
                                             .friction = S > 0 ? friction : NULL,
                                             .restitution = M > 0 ? restitution : NULL}};
  if (thud_system_create(context, &def, &made->outer) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return made;
}

const thud_system *thud_test_as_functions_system(const as_functions *made) { return made->outer; }

void thud_test_as_functions_destroy(as_functions *made) {
  thud_system_destroy(made->outer);
  thud_system_values_destroy(made->context, made->values);
  free(made);
}
