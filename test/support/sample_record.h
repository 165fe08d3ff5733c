/* Records whose every number is known: frame k depends on k alone. */
#ifndef THUD_TEST_SAMPLE_RECORD_H
#define THUD_TEST_SAMPLE_RECORD_H

#include "thud/record.h"

enum { SAMPLE_WIDTH = 3, SAMPLE_CHANNELS = 4 };

extern const char *const sample_components[SAMPLE_WIDTH];
extern const thud_record_channel sample_channels[SAMPLE_CHANNELS];
extern const thud_record_header sample_header;

typedef struct sample_row {
  double t, side, state[SAMPLE_WIDTH], count[2];
} sample_row;

/* Any bit pattern of a double may appear in state. */
sample_row sample_row_of(size_t k);
thud_error sample_append(thud_record_writer *writer, size_t k);
/* Frames 0..rows-1, flushed once after frame flush_at (0: never), an event and a warning, verdict good. */
void sample_write(thud_context *context, const char *path, thud_record_options options, size_t rows, size_t flush_at);
/* Asserts that frames first..first+count-1 are there bit for bit. */
void sample_assert_rows(thud_record_reader *reader, size_t first, size_t count);

#endif
