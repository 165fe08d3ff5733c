/* What the driver needs of the channels of a kind, beyond what every record needs. */
#ifndef THUD_SRC_RUN_LAYOUT_H
#define THUD_SRC_RUN_LAYOUT_H

#include "thud/kind.h"

/* Asked before the first row, whether there will be a record or not: rows are taken by their descriptions alone, so
 * these have to be true. layout may be NULL, which is refused. */
thud_error thud_run_check_layout(thud_context *context, const thud_kind *kind, const thud_record_layout *layout);

#endif
