/* An end before the end of the span. */
#ifndef THUD_SRC_MOTIONS_EVENT_EVENT_STOP_H
#define THUD_SRC_MOTIONS_EVENT_EVENT_STOP_H

#include "base/base.h"
#include "thud/motion.h"

/* The motion, which is event-driven, is complete at t, as if its span ended there; what counts beside the length of the span
 * does not change. INFINITY: at the end of the span. No part of the state. */
THUD_FOR_IO void thud_event_stop_at(thud_motion *motion, double t);

#endif
