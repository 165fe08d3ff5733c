/* Thresholds that several reactions give: laws by themselves whose `threshold` names constraints,
 *
 *   r_T in kappa(t, q, v; r_1, ..., r_m) C,
 *
 * r_i the reactions of the constraints named (Ballard 2002, section 6: a dry pin has mu R |(r_x, r_y)|). A name that is
 * no other name of the scope stands for the reaction of the constraint of that name. In the arrays of the system such a law
 * has the friction 1. */
#ifndef THUD_SRC_MODEL_THRESHOLDS_H
#define THUD_SRC_MODEL_THRESHOLDS_H

#include "model/expressions.h"

/* One law. */
typedef struct model_threshold {
  size_t law, output;   /* kappa's number among the outputs; its derivatives by the reactions follow */
  size_t count;         /* of the reactions that it depends on */
  thud_index *reaction; /* [count] constraints */
} model_threshold;

typedef struct model_thresholds {
  size_t count, outputs;
  model_threshold *items; /* [count] by law */
  thud_expr_program *program;
  thud_index *slot_r; /* [m] slot of a reaction, -1: its name is taken or no name */
} model_thresholds;

/* ---- making ------------------------------------------------------------------------------------------------------ */

typedef struct model_threshold_builder model_threshold_builder;

/* Reads the threshold of law k with the reactions as names. THUD_ERROR_... and the place as of other texts. */
thud_error thud_model_build_threshold(model_builder *builder, thud_index k, thud_expr_place *place);
/* Compiles what was read into the system; nothing was: it has none. */
thud_error thud_model_add_thresholds(model_builder *builder, thud_system *system);
void thud_model_end_threshold_builder(thud_context *context, model_threshold_builder *builder);
void thud_model_destroy_thresholds(thud_context *context, model_thresholds *thresholds);

/* ---- use --------------------------------------------------------------------------------------------------------- */

/* NULL: the threshold of the law names no reaction. */
const model_threshold *thud_model_threshold_of(const thud_system *system, size_t law);
/* Room of one state. */
thud_error thud_model_create_threshold_scratch(const thud_system *system, model_state *state);
void thud_model_destroy_threshold_scratch(model_state *state);
/* The state at which thresholds are evaluated from now on. */
void thud_model_place_thresholds(model_state *state, double t, const double *q, const double *v);
/* kappa at reactions force[count]; slope[count] its derivatives (NULL: not asked for). NaN where it is not defined. */
double thud_model_threshold_at(const thud_system_values *values, const model_threshold *threshold, const double *force,
                               double *slope);
/* The same for impulses p over a step h: h kappa(p/h); h = 0: what that tends to, the part of kappa that grows with the
 * reactions. NaN where it grows faster than they do. */
double thud_model_threshold_of_impulses(const thud_system_values *values, const model_threshold *threshold, double step,
                                        const double *impulse, double *room);

#endif
