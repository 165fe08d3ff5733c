/* Times at which the data of a system jump: where the argument of step, floor, a comparison ... that depends on time
 * alone changes its sign, where tables of data say so, and where 1/b, b^-p or log b of a b of time alone are infinite. */
#ifndef THUD_SRC_MODEL_JUMPS_H
#define THUD_SRC_MODEL_JUMPS_H

#include "model/system.h"

/* A search, for one motion; NULL stands for a system whose data do not jump in time. */
typedef struct model_jumps model_jumps;

/* *jumps: NULL where nothing jumps, and where nothing is known (functions in C). */
thud_error thud_model_jumps_create(thud_context *context, const thud_system *system, model_jumps **jumps);
void thud_model_jumps_destroy(model_jumps *jumps);
/* The first jump in [from, to]: its right side begins at *t. Allocates nothing. Arguments are enclosed by intervals: no
 * jump is passed over but pairs of zeros that lie closer together than 1e-6 (to - from), and such pairs of arguments
 * that cannot be enclosed (tables of data within them) than 1e-2 of it. */
bool thud_model_next_jump(model_jumps *jumps, double from, double to, double *t);

#endif
