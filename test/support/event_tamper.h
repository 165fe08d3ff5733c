/* One wrong number in an event-driven record: the checker must find it. */
#ifndef THUD_TEST_EVENT_TAMPER_H
#define THUD_TEST_EVENT_TAMPER_H

#include "record_channels.h"

/* Changes one number by a part of what it is beside the others, saves the record, verifies it, which must fail, and
 * changes it back. Numbers that say nothing, texts and places without numbers are left alone: false then. */
bool event_tamper(thud_context *context, record_channels *record, const record_table *table, size_t channel,
                  size_t component, size_t row);

#endif
