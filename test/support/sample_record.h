/* Records whose every number is known: frame k depends on k alone. */
#ifndef THUD_TEST_SAMPLE_RECORD_H
#define THUD_TEST_SAMPLE_RECORD_H

#include "thud/record.h"

enum {
  SAMPLE_WIDTH = 3,
  SAMPLE_CHANNELS = 7,
  SAMPLE_FIXED = 4,  /* the first channels: those of fixed width */
  SAMPLE_GROUP = 2,  /* numbers of a group of the list */
  SAMPLE_MOST = 100, /* entries of a ragged cell; most have a few */
  SAMPLE_LABELS = 3
};

extern const char *const sample_components[SAMPLE_WIDTH];
extern const thud_record_channel sample_channels[SAMPLE_CHANNELS];
extern const char *const sample_labels[SAMPLE_LABELS];
extern const thud_record_header sample_header;

typedef struct sample_row {
  double t, side, state[SAMPLE_WIDTH], count[2];
  size_t entries; /* of marks, groups of the list */
  double marks[SAMPLE_MOST], list[SAMPLE_GROUP * SAMPLE_MOST];
  size_t letters;
  char word[SAMPLE_MOST + 1];
} sample_row;

/* Any bit pattern of a double may appear in state and list. */
sample_row sample_row_of(size_t k);
void sample_cells(const sample_row *row, thud_record_cell cells[SAMPLE_CHANNELS]);
thud_error sample_append(thud_record_writer *writer, size_t k);
/* Frames 0..rows-1, flushed once after frame flush_at (0: never), an event and a warning, verdict good. */
void sample_write(thud_context *context, const char *path, thud_record_options options, size_t rows, size_t flush_at);
/* Asserts that frames first..first+count-1 are there bit for bit. */
void sample_assert_rows(thud_record_reader *reader, size_t first, size_t count);

#endif
