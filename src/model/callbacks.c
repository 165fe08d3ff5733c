/* The numbers of a system from functions that the user wrote in C. */
#include "model/system.h"

#include "base/base.h"

static const char *const FUNCTION_NAMES[MODEL_ARRAYS] = {
    "mass", "inertia", "force",     "potential", "potential_gradient", "constraint", "gradient",
    "rate", "slip",    "slip_rate", "friction",  "restitution",        "force_dq",   "force_dv"};

void thud_model_adopt_functions(const thud_system_functions *functions, thud_system *system) {
  const thud_model_fn given[MODEL_ARRAYS] = {
      [MODEL_MASS] = functions->mass,
      [MODEL_INERTIA] = functions->inertia,
      [MODEL_APPLIED] = functions->force,
      [MODEL_POTENTIAL] = functions->potential,
      [MODEL_POTENTIAL_GRADIENT] = functions->potential_gradient,
      [MODEL_GAP] = functions->constraint,
      [MODEL_GRADIENT] = functions->gradient,
      [MODEL_RATE] = functions->rate,
      [MODEL_SLIP] = functions->slip,
      [MODEL_SLIP_RATE] = functions->slip_rate,
      [MODEL_FRICTION] = functions->friction,
      [MODEL_RESTITUTION] = functions->restitution,
      [MODEL_FORCE_DQ] = functions->force_dq,
      [MODEL_FORCE_DV] = functions->force_dv,
  };
  system->source = &thud_model_callbacks;
  system->user = functions->user;
  unsigned arrays = 0;
  for (model_array array = 0; array < MODEL_ARRAYS; array++) {
    system->function[array] = given[array];
    if (given[array] != NULL) arrays |= MODEL_BIT(array);
  }
  system->potential_moves = functions->potential != NULL; /* nobody knows */
  thud_model_set_variable(system, arrays);
}

static thud_error refused(const thud_system *system, model_state *state, model_array array, int status, double t,
                          const double *q, const double *v) {
  char where[512];
  thud_model_describe_state(system, t, q, v, where, sizeof where);
  state->values.callback_status = status;
  return thud_fail(state->context, THUD_ERROR_CALLBACK, "system: the function '%s' returned %d (%s) at %s",
                   FUNCTION_NAMES[array], status,
                   status > 0 ? "cannot be evaluated here, a shorter step may help" : "abort", where);
}

static thud_error fill(const thud_system *system, model_state *state, unsigned arrays, double t, const double *q,
                       const double *v) {
  for (model_array array = 0; arrays != 0; array++, arrays >>= 1) {
    if ((arrays & 1) == 0) continue;
    int status = system->function[array](system->user, t, q, v, state->array[array]);
    if (status != 0) return refused(system, state, array, status, t, q, v);
  }
  return THUD_OK;
}

const model_source thud_model_callbacks = {.fill = fill};
