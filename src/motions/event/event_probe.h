/* Looks at states of other methods: whether constraints that act there contradict each other (event_redundant.c). */
#ifndef THUD_SRC_MOTIONS_EVENT_EVENT_PROBE_H
#define THUD_SRC_MOTIONS_EVENT_EVENT_PROBE_H

#include "base/base.h"
#include "thud/model.h"
#include "thud/motion.h"

/* A motion whose only use this is; NULL where the system has no power series. */
thud_error thud_event_probe_create(thud_context *context, const thud_system *system, thud_motion **probe);
/* THUD_ERROR_UNQUALIFIED, with a message that names them: constraints that act at this state contradict each other at some
 * order, and no motion goes on from it. closed: [m] the gaps that are. slack: accepted contradiction relative to its terms, of
 * states that satisfy the constraints up to errors of a scheme; 0: of exact states, at which closed gaps that open are
 * open. step: that led to the state; 0: none. */
thud_error thud_event_probe(thud_motion *probe, double t, const double *q, const double *v, const bool *closed,
                            double slack, double step);
/* The same once, with the gaps up to gap_tolerance closed. */
THUD_FOR_IO thud_error thud_event_probe_once(thud_context *context, const thud_system *system, double t,
                                             const double *q, const double *v, double gap_tolerance);

#endif
