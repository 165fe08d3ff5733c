/* Pointwise Coulomb friction as a set of generalized forces (Ballard 2002, section 6, Ex. 13).
 *
 * A tangential force R_T at a contact that stays closed changes the normal reaction: with the Delassus operator W of
 * the constraint (N) and of its slip directions (T), all other equations kept,
 *   W_NN r_N + W_NT r_T + const = 0,   so   r_N = R_N + a.R_T,   a = -W_TN / W_NN.
 * Coulomb's law asks for R_T in mu |a.R_T + R_N| C. That set is convex iff a.R_T + R_N cannot change its sign in it:
 * mu |a.c| <= 1 for all c in C. The disc gives mu |a| <= 1. */
#include "model/gradients.h"
#include "model/system.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Rows in orthonormal coordinates of the kinetic metric. */
typedef struct frame {
  double *normal;    /* [n] */
  double *tangent;   /* [n] */
  double *equations; /* [m*n] unit rows, then */
  double *basis;     /* [m*n] their orthonormal basis */
  double *coupling;  /* [directions] a */
} frame;

static void end_frame(thud_context *context, frame *made) {
  thud_free(context, made->normal);
  thud_free(context, made->tangent);
  thud_free(context, made->equations);
  thud_free(context, made->basis);
  thud_free(context, made->coupling);
}

static thud_error begin_frame(thud_context *context, const thud_system *system, thud_index directions, frame *made) {
  *made = (frame){.normal = THUD_NEW_ARRAY(context, double, system->n),
                  .tangent = THUD_NEW_ARRAY(context, double, system->n),
                  .equations = THUD_NEW_ARRAY(context, double, system->m * system->n),
                  .basis = THUD_NEW_ARRAY(context, double, system->m * system->n),
                  .coupling = THUD_NEW_ARRAY(context, double, directions)};
  if (made->normal != NULL && made->tangent != NULL && made->equations != NULL && made->basis != NULL &&
      made->coupling != NULL)
    return THUD_OK;
  end_frame(context, made);
  return THUD_ERROR_MEMORY;
}

/* The basis of the equations other than the frictional constraint. */
static size_t other_equations(const thud_system *system, const thud_system_values *values, size_t constraint,
                              frame *made) {
  size_t count = 0;
  for (size_t i = 0; i < system->m; i++) {
    thud_constraint_kind kind = system->constraints[i].kind;
    if (i == constraint || (kind != THUD_CONSTRAINT_BILATERAL && kind != THUD_CONSTRAINT_VELOCITY)) continue;
    double *row = made->equations + count * system->n;
    thud_model_to_orthonormal(system->n, values->mass_factor, values->gradient + i * system->n, row);
    if (thud_model_normalise(system->n, row) > 0) count++;
  }
  return thud_model_basis(system->n, count, made->equations, NULL, made->basis);
}

/* a[directions]; THUD_ERROR_SINGULAR when the other equations leave the constraint no normal motion. */
static thud_error find_coupling(thud_context *context, const thud_system *system, const thud_system_values *values,
                                size_t law, frame *made) {
  const thud_friction_def *friction = &system->friction[law];
  size_t n = system->n, constraint = (size_t)friction->constraint, first = 0;
  for (size_t k = 0; k < law; k++) first += (size_t)system->friction[k].directions;
  size_t rank = other_equations(system, values, constraint, made);
  thud_model_to_orthonormal(n, values->mass_factor, values->gradient + constraint * n, made->normal);
  double whole = thud_metric_norm(NULL, (thud_index)n, made->normal);
  double left = thud_model_complement(n, rank, made->basis, made->normal);
  if (!(left > MODEL_RANK_TOLERANCE * whole))
    return thud_fail(context, THUD_ERROR_SINGULAR,
                     "[bad-friction] friction law '%s': the gradient of constraint '%s' depends on those of the other "
                     "equations: its "
                     "normal reaction is not determined",
                     friction->name, system->constraints[constraint].name);
  for (size_t d = 0; d < (size_t)friction->directions; d++) {
    thud_model_to_orthonormal(n, values->mass_factor, values->slip + (first + d) * n, made->tangent);
    thud_model_complement(n, rank, made->basis, made->tangent);
    double product = 0;
    for (size_t j = 0; j < n; j++) product += made->normal[j] * made->tangent[j];
    made->coupling[d] = -product / (left * left);
  }
  return THUD_OK;
}

/* The largest |a.c| over C; for one direction and the disc the signed a itself. */
static thud_error measure(thud_context *context, const thud_friction_def *friction, double *a, double *size) {
  size_t directions = (size_t)friction->directions;
  if (friction->kind != THUD_FRICTION_SET) {
    *size = directions == 1 ? a[0] : thud_metric_norm(NULL, (thud_index)directions, a);
    return THUD_OK;
  }
  thud_set *set = NULL;
  double there = 0, back = 0;
  thud_error error = thud_set_clone(context, friction->set, &set);
  if (error != THUD_OK) return error;
  error = thud_set_support(set, a, &there, NULL, NULL);
  for (size_t d = 0; d < directions; d++) a[d] = -a[d];
  if (error == THUD_OK) error = thud_set_support(set, a, &back, NULL, NULL);
  thud_set_destroy(set);
  *size = fmax(there, back);
  return error;
}

static thud_error check(thud_context *context, const thud_system *system, thud_index law, const double *q,
                        const thud_friction_convexity *result) {
  if (context == NULL || system == NULL || q == NULL || result == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "friction convexity: NULL argument");
  if (law < 0 || (size_t)law >= system->laws)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "friction convexity: no law %d, there are %zu", (int)law,
                     system->laws);
  if (system->friction[law].constraint < 0)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-friction] friction convexity: law '%s' has a threshold of its own, no normal reaction enters",
        system->friction[law].name);
  return THUD_OK;
}

thud_error thud_system_friction_convexity(thud_context *context, const thud_system *system, thud_index law, double t,
                                          const double *q, thud_friction_convexity *result) {
  THUD_REQUIRE(context, context, system, q, result);
  thud_error error = check(context, system, law, q, result);
  if (error != THUD_OK) return error;
  frame made;
  thud_system_values *values = NULL;
  thud_friction_convexity found = {0};
  double *rest = THUD_NEW_ARRAY(context, double, system->n);
  if (rest == NULL) return THUD_ERROR_MEMORY;
  error = begin_frame(context, system, system->friction[law].directions, &made);
  if (error != THUD_OK) {
    thud_free(context, rest);
    return error;
  }
  error = thud_system_values_create(context, system, &values);
  if (error == THUD_OK)
    error = thud_system_evaluate(system, t, q, rest, THUD_AT_MASS | THUD_AT_GRADIENT | THUD_AT_FRICTION, values);
  if (error == THUD_OK) error = find_coupling(context, system, values, (size_t)law, &made);
  if (error == THUD_OK) error = measure(context, &system->friction[law], made.coupling, &found.coupling);
  if (error == THUD_OK) {
    found.largest_mu = 1 / fabs(found.coupling);
    found.convex = values->friction[law] <= found.largest_mu;
    *result = found;
  }
  thud_system_values_destroy(context, values);
  end_frame(context, &made);
  thud_free(context, rest);
  return error;
}
