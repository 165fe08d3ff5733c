/* Units of quantities that are computed from recorded ones. */
#ifndef THUD_SRC_RECORD_UNIT_H
#define THUD_SRC_RECORD_UNIT_H

#include "thud/record.h"

/* Room for the unit of a channel per that of another. */
enum { RECORD_UNIT = 2 * THUD_RECORD_NAME_LENGTH + 2 };

/* "N s" per "s" is "N", "kg" per "s" is "kg/s"; the unit itself where one of them is "". */
void thud_record_unit_per(const char *unit, const char *time, size_t size, char *text);

#endif
