/* Polynomials that satisfy the equations of motion at the nodes of an arc, however stiff these are. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_COLLOCATE_H
#define THUD_SRC_MOTIONS_EVENT_ARC_COLLOCATE_H

#include "motions/event/arc.h"
#include "motions/event/arc_interpolate.h"

typedef struct arc_collocation arc_collocation;

/* n coordinates; matrices of 12 n rows. */
thud_error thud_arc_collocation_create(thud_context *context, const arc_interpolation *interpolation, size_t n,
                                       arc_collocation **made);
void thud_arc_collocation_destroy(thud_context *context, arc_collocation *collocation);

#endif
