/* Systems made of expressions: programs for the arrays, their evaluation, and why a number is not finite. */
#include "model/expressions.h"

#include "base/base.h"
#include "model/jets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 32 }; /* configurations at which the kinetic energy is looked at on creation */

/* Terms of degree 0 and 1 of the kinetic energy count as rounding errors below this, relative to its size at velocities
 * of 1. */
#define DEGREE_TOLERANCE 1e-12

/* ---- scratch of one state --------------------------------------------------------------------------------------- */

typedef struct expression_scratch {
  thud_expr_work *work[MODEL_MOST_BUNDLES];
  thud_expr_work *kinetic;
  double *variables, *at_rest;      /* [1+2n] */
  double *outputs;                  /* [most_outputs] */
  unsigned char last[MODEL_ARRAYS]; /* bundle that computed the array last */
} expression_scratch;

static void destroy_scratch(thud_context *context, void *memory) {
  expression_scratch *scratch = memory;
  for (size_t k = 0; k < MODEL_MOST_BUNDLES; k++) thud_expr_work_destroy(scratch->work[k]);
  thud_expr_work_destroy(scratch->kinetic);
  thud_free(context, scratch->variables);
  thud_free(context, scratch->at_rest);
  thud_free(context, scratch->outputs);
  thud_free(context, scratch);
}

static thud_error create_scratch(const thud_system *system, thud_context *context, void **memory) {
  const struct model_expressions *expressions = system->expressions;
  expression_scratch *scratch = THUD_NEW(context, expression_scratch);
  if (scratch == NULL) return THUD_ERROR_MEMORY;
  scratch->variables = THUD_NEW_ARRAY(context, double, 1 + 2 * system->n);
  scratch->at_rest = THUD_NEW_ARRAY(context, double, 1 + 2 * system->n);
  scratch->outputs = THUD_NEW_ARRAY(context, double, expressions->most_outputs);
  thud_error error =
      scratch->variables != NULL && scratch->at_rest != NULL && scratch->outputs != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < expressions->bundle_count && error == THUD_OK; k++)
    error = thud_expr_work_create(context, expressions->bundles[k].program, 0, &scratch->work[k]);
  if (error == THUD_OK && expressions->kinetic != NULL)
    error = thud_expr_work_create(context, expressions->kinetic, 0, &scratch->kinetic);
  if (error != THUD_OK) {
    destroy_scratch(context, scratch);
    return error;
  }
  *memory = scratch;
  return THUD_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------- */

static void place_variables(const thud_system *system, expression_scratch *scratch, double t, const double *q,
                            const double *v) {
  const struct model_expressions *expressions = system->expressions;
  scratch->variables[expressions->slot_t] = scratch->at_rest[expressions->slot_t] = t;
  for (size_t i = 0; i < system->n; i++) {
    scratch->variables[expressions->slot_q[i]] = scratch->at_rest[expressions->slot_q[i]] = q[i];
    scratch->variables[expressions->slot_v[i]] = v[i];
  }
}

static void run_bundle(const thud_system *system, model_state *state, size_t k) {
  expression_scratch *scratch = state->scratch;
  const model_bundle *run = &system->expressions->bundles[k];
  thud_expr_work_evaluate(scratch->work[k], run->at_rest ? scratch->at_rest : scratch->variables, scratch->outputs);
  size_t next = 0;
  unsigned arrays = run->arrays;
  for (model_array array = 0; arrays != 0; array++, arrays >>= 1) {
    if (!(arrays & 1)) continue;
    for (size_t i = 0; i < run->share[array]; i++, next++)
      state->array[array][run->place[next]] = scratch->outputs[next];
    scratch->last[array] = (unsigned char)k;
  }
}

/* Bundles are ordered from large to small: those that lie in what is asked for first, then whatever covers the rest. */
static thud_error fill(const thud_system *system, model_state *state, unsigned arrays, double t, const double *q,
                       const double *v) {
  const struct model_expressions *expressions = system->expressions;
  if (arrays == 0) return THUD_OK;
  place_variables(system, state->scratch, t, q, v);
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < expressions->bundle_count && arrays != 0; k++) {
      unsigned covered = expressions->bundles[k].arrays;
      if ((covered & arrays) == 0 || (pass == 0 && (covered & ~arrays) != 0)) continue;
      run_bundle(system, state, k);
      arrays &= ~covered;
    }
  return THUD_OK;
}

static void explain(const thud_system *system, model_state *state, model_array array, size_t index, char *text,
                    size_t capacity) {
  const struct model_expressions *expressions = system->expressions;
  const expression_scratch *scratch = state->scratch;
  size_t k = scratch->last[array], output = 0;
  const model_bundle *run = &expressions->bundles[k];
  for (model_array before = 0; before < array; before++) output += run->share[before];
  for (size_t end = output + run->share[array]; output < end && run->place[output] != index;) output++;
  thud_expr_trouble trouble;
  if (!thud_expr_work_explain(scratch->work[k], (thud_index)output, &trouble)) return;
  snprintf(text, capacity, ": %s: %s", thud_model_text_name(system, trouble.source), trouble.message);
}

/* ---- degrees of the kinetic energy ------------------------------------------------------------------------------ */

/* T(q,0) and dT/dv(q,0) must vanish. *finite: the energy can be evaluated at q. */
static thud_error check_degrees(const thud_system *system, expression_scratch *scratch, thud_context *context,
                                bool *finite) {
  const struct model_expressions *expressions = system->expressions;
  double *out = scratch->outputs, energy, momentum = 0;
  for (size_t i = 0; i < system->n; i++) scratch->variables[expressions->slot_v[i]] = 1;
  thud_expr_work_evaluate(scratch->kinetic, scratch->variables, out);
  energy = fabs(out[0]);
  for (size_t i = 0; i < system->n; i++) momentum = fmax(momentum, fabs(out[1 + i]));
  thud_expr_work_evaluate(scratch->kinetic, scratch->at_rest, out);
  *finite = isfinite(energy) && isfinite(momentum);
  for (size_t i = 0; i <= system->n; i++) *finite = *finite && isfinite(out[i]);
  if (!*finite) return THUD_OK;
  if (fabs(out[0]) > DEGREE_TOLERANCE * fmax(energy, fabs(out[0])))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-kinetic-energy] system: kinetic energy: it is %.9g at velocity 0; a term without velocities "
                     "belongs, with the "
                     "other sign, to the potential energy",
                     out[0]);
  for (size_t i = 0; i < system->n; i++)
    if (fabs(out[1 + i]) > DEGREE_TOLERANCE * fmax(momentum, fabs(out[1 + i])))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[bad-kinetic-energy] system: kinetic energy: it has a term of degree 1, %.9g %s'; write what "
                       "it does (a gyroscopic "
                       "force) in `forces`",
                       out[1 + i], system->coordinates[i]);
  return THUD_OK;
}

static thud_error check_state(const thud_system *system, model_state *state, double t, const double *q) {
  if (system->expressions->kinetic == NULL) return THUD_OK;
  bool finite;
  place_variables(system, state->scratch, t, q, q);
  return check_degrees(system, state->scratch, state->context, &finite);
}

/* At random configurations; where the energy cannot be evaluated nothing is said (the diagnosis of a state looks
 * there).
 */
thud_error thud_model_sample_degrees(const thud_system *system, thud_context *context) {
  if (system->expressions->kinetic == NULL) return THUD_OK;
  thud_random random = thud_random_seed(1);
  void *memory = NULL;
  thud_error error = create_scratch(system, context, &memory);
  if (error != THUD_OK) return error;
  expression_scratch *scratch = memory;
  for (int k = 0; k < SAMPLES && error == THUD_OK; k++) {
    bool finite;
    double size = k % 2 == 0 ? 1 : 10;
    for (size_t i = 0; i < system->n; i++) {
      thud_index slot = system->expressions->slot_q[i];
      scratch->variables[slot] = scratch->at_rest[slot] = thud_random_uniform(&random, k % 4 < 2 ? 0 : -size, size);
    }
    error = check_degrees(system, scratch, context, &finite);
  }
  destroy_scratch(context, scratch);
  return error;
}

/* ---- end and table ---------------------------------------------------------------------------------------------- */

static void destroy_expressions(thud_system *system) {
  struct model_expressions *expressions = system->expressions;
  thud_context *context = system->context;
  if (expressions == NULL) return;
  for (size_t k = 0; k < MODEL_MOST_BUNDLES; k++) {
    thud_expr_program_destroy(expressions->bundles[k].program);
    thud_free(context, expressions->bundles[k].place);
  }
  thud_expr_program_destroy(expressions->kinetic);
  thud_expr_program_destroy(expressions->jets);
  thud_free(context, expressions->jets_refused);
  thud_expr_program_destroy(expressions->jumps);
  thud_free(context, expressions->declared);
  for (size_t k = 0; expressions->texts != NULL && k < expressions->text_count; k++)
    thud_free(context, expressions->texts[k]);
  thud_free(context, expressions->texts);
  thud_free(context, expressions->slot_q);
  thud_free(context, expressions->slot_v);
  thud_free(context, expressions);
}

const model_source thud_model_expressions = {.destroy = destroy_expressions,
                                             .create_scratch = create_scratch,
                                             .destroy_scratch = destroy_scratch,
                                             .fill = fill,
                                             .check_state = check_state,
                                             .explain = explain};
