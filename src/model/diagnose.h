/* Inside of the diagnosis of a state. */
#ifndef THUD_SRC_MODEL_DIAGNOSE_H
#define THUD_SRC_MODEL_DIAGNOSE_H

#include "model/system.h"

/* Up to this many coordinates and constraints everything is dense and exact. */
enum { MODEL_DENSE_DIAGNOSIS = 128 };

/* The constraints that act, the equations first. */
typedef struct model_acting {
  size_t count, equations;
  thud_index *constraint; /* [m] number in the system */
} model_acting;

/* Cosines, and, when the gradients are clearly independent, rank, condition and qualification (independent gradients
 * are qualified), by sparse means. *settled is false when they are not: the dense diagnosis then decides. */
thud_error thud_model_diagnose_sparse(thud_context *context, const thud_system *system,
                                      const thud_system_values *values, const model_acting *acting,
                                      thud_system_diagnosis *found, bool *settled);
/* Condition of the mass matrix: that of its independent blocks, by iteration where one of them is large. */
thud_error thud_model_mass_condition(thud_context *context, const thud_system *system, const thud_system_values *values,
                                     thud_system_diagnosis *found);

#endif
