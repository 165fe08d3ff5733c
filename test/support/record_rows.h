/* Rows of numbers and events of texts, for tests that write records themselves. */
#ifndef THUD_TEST_RECORD_ROWS_H
#define THUD_TEST_RECORD_ROWS_H

#include "thud/record.h"

/* Frames with these channels; events with the channels t, kind, text. */
thud_record_layout record_rows_layout(size_t count, const thud_record_channel *channels);
/* Starts such a record. */
thud_error record_rows_create(thud_context *context, const char *path, const thud_record_options *options,
                              const thud_record_header *header, size_t count, const thud_record_channel *channels,
                              thud_record_writer **writer);
/* One frame of channels that all have a fixed width. */
thud_error record_rows_append(thud_record_writer *writer, size_t count, const thud_record_channel *channels,
                              const double *const *rows);
thud_error record_rows_event(thud_record_writer *writer, double t, const char *kind, const char *text);

#endif
