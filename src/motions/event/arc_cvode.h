/* SUNDIALS' CVODE: states of stiff motions at the nodes of an arc. Without it (THUD_WITH_CVODE=OFF) none can be made.
 */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_CVODE_H
#define THUD_SRC_MOTIONS_EVENT_ARC_CVODE_H

#include "motions/event/arc.h"

typedef struct arc_cvode arc_cvode;

/* count: unknowns (q, v); tolerance: of CVODE's local errors, relative. THUD_ERROR_UNSUPPORTED: built without CVODE. */
thud_error thud_arc_cvode_create(thud_context *context, size_t count, double tolerance, arc_cvode **made);
void thud_arc_cvode_destroy(thud_context *context, arc_cvode *cvode);
/* Integrates from the start of the arc over h, without history, into the states of its nodes and the end of its method.
 * size[count]: errors are relative to |y| + size. *reached: false when CVODE gave up. */
thud_error thud_arc_cvode_follow(arc_cvode *cvode, sim_arc *arc, double h, const double *size, bool *reached);

#endif
