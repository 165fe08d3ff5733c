/* What the motions of lines and of surfaces share: steps that catch up with their data. */
#ifndef THUD_SRC_MOTIONS_LINE_LINE_CATCHING_UP_H
#define THUD_SRC_MOTIONS_LINE_LINE_CATCHING_UP_H

#include "thud/elastic.h"

/* Do the data jump at t? */
bool thud_catching_up_jumps_at(size_t count, const double *jumps, double t);
/* What the data did wrong is a finding of the run, not a failed call: *status says it and THUD_OK is returned. */
thud_error thud_catching_up_fault(thud_error error, thud_motion_status *status);

#endif
