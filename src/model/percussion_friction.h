/* Velocity problems with friction of sparse values: W = A M^-1 A' of all rows that act, and of the equations, as a
 * sparse matrix. M consists of blocks (blocks.h), so that L^-1 a has few entries and W couples rows that share one. */
#ifndef THUD_SRC_MODEL_PERCUSSION_FRICTION_H
#define THUD_SRC_MODEL_PERCUSSION_FRICTION_H

#include "model/percussion.h"

typedef struct thud_percussion_friction thud_percussion_friction;

/* NULL, or what the laws of the system have that sparse values do not go with. */
const char *thud_percussion_dense_laws(const thud_system *system);
/* values give the pattern of M. THUD_ERROR_UNSUPPORTED when that couples too many coordinates. */
thud_error thud_percussion_friction_create(thud_percussion *p, const thud_system_values *values,
                                           thud_percussion_friction **friction);
void thud_percussion_friction_destroy(thud_context *context, thud_percussion_friction *friction);
/* W of the rows of p and of its equations; diagonal[rows] its first entries. */
thud_error thud_percussion_friction_fill(thud_percussion_friction *friction, const thud_percussion *p,
                                         const thud_velocity_data *data, double *diagonal);
/* p->r (warm start in, answer out) and p->u for p->load; l[equations] likewise the impulses of the equations, dv[n] what
 * all of them do to the velocity. */
thud_error thud_percussion_friction_solve(thud_percussion_friction *friction, thud_percussion *p, double *l, double *dv,
                                          thud_solver_status *status);
/* sizes[rows] of the terms of W r + V l + load. */
void thud_percussion_friction_sizes(thud_percussion_friction *friction, const thud_percussion *p, const double *l,
                                    double *sizes);

#endif
