/* Friction laws as products of laws with one or two slip components, for integrators that follow the force along its
 * set.
 *
 * A force in the ellipse { A y : |y| <= 1 } is opposite to the slip u when y is so in the disc to A'u, for r.u = y.A'u:
 * an ellipse is a disc in other slip components. Jets (model/jets.h) are in these *frames*; in them the components of
 * an ellipse are A'u, and those of its forces y. */
#ifndef THUD_SRC_MODEL_FACTORS_H
#define THUD_SRC_MODEL_FACTORS_H

#include "convex/convex_factors.h"
#include "model/system.h"

typedef struct model_factor {
  thud_set_factor set;
  size_t law, first; /* first: of all slip components */
} model_factor;

/* The factors of all laws, in the order of their components; a law that has none has a reason. */
thud_error thud_model_find_factors(thud_system *system);
void thud_model_free_factors(thud_system *system);
size_t thud_model_factor_count(const thud_system *system);
const model_factor *thud_model_factor(const thud_system *system, size_t f);
/* Why law k cannot be written as a product; NULL: it can. */
const char *thud_model_not_factored(const thud_system *system, size_t k);
/* Whether some law has a frame of its own. */
bool thud_model_has_frames(const thud_system *system);
/* rows[s*width], slip rows (or velocities, width 1): into the frames of their laws and back; forces[s]: the same. */
void thud_model_rows_into_frames(const thud_system *system, size_t width, double *rows);
void thud_model_rows_out_of_frames(const thud_system *system, size_t width, double *rows);
void thud_model_forces_into_frames(const thud_system *system, double *forces);
void thud_model_forces_out_of_frames(const thud_system *system, double *forces);

#endif
