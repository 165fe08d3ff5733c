/* Inside of the diagnosis of a state. */
#ifndef THUD_SRC_MODEL_DIAGNOSE_H
#define THUD_SRC_MODEL_DIAGNOSE_H

#include "model/blocks.h"

/* Up to MODEL_DENSE_DIAGNOSIS coordinates and constraints everything is dense and exact. Systems with patterns are not
 * looked at with full matrices beyond MODEL_DENSE_FALLBACK. */
enum { MODEL_DENSE_DIAGNOSIS = 128, MODEL_DENSE_FALLBACK = 512, MODEL_LANCZOS_STEPS = 60 };

/* The constraints that act, the equations first. */
typedef struct model_acting {
  size_t count, equations;
  thud_index *constraint; /* [m] number in the system */
} model_acting;

static inline bool thud_model_is_equation(const thud_system *system, size_t i) {
  return system->constraints[i].kind == THUD_CONSTRAINT_BILATERAL ||
         system->constraints[i].kind == THUD_CONSTRAINT_VELOCITY;
}

/* The constraints that are dependent at this state, as diagnosis.dependent lists them: "equations a, b", "gaps c, d",
 * "constraints a, c"; "": none, or too many. */
thud_error thud_model_name_dependent(thud_context *context, const thud_system *system, double t, const double *q,
                                     const double *v, double gap_tolerance, size_t capacity, char *text);

/* ---- diagnose_sparse.c ------------------------------------------------------------------------------------------- */

/* Cosines, and, when the gradients are clearly independent, rank, condition and qualification (independent gradients
 * are qualified), by sparse means. *settled is false when they are not: the dense diagnosis then decides, or
 * thud_model_diagnose_unsettled. */
thud_error thud_model_diagnose_sparse(thud_context *context, const thud_system *system,
                                      const thud_system_values *values, const model_acting *acting,
                                      thud_system_diagnosis *found, bool *settled);
/* What can be said of sparse values whose gradients are dependent, or may be: qualification and cosines. The rest is
 * not computed, and found->not_computed says why. */
thud_error thud_model_diagnose_unsettled(thud_context *context, const thud_system *system,
                                         const thud_system_values *values, const model_acting *acting,
                                         thud_system_diagnosis *found);

/* ---- diagnose_mass.c --------------------------------------------------------------------------------------------- */

/* Condition of the mass matrix: that of its independent blocks, by iteration where one of them is large. */
thud_error thud_model_mass_condition(thud_context *context, const thud_system *system, const thud_system_values *values,
                                     thud_system_diagnosis *found);

/* ---- diagnose_lanczos.c ------------------------------------------------------------------------------------------ */

/* out = A x, A symmetric and positive definite. */
typedef thud_error (*model_apply)(void *user, const double *x, double *out);
/* A lower bound of the condition of A[n*n], exact up to MODEL_LANCZOS_STEPS rows. */
thud_error thud_model_condition(thud_context *context, size_t n, model_apply apply, model_apply inverse, void *user,
                                double *condition);

#endif
