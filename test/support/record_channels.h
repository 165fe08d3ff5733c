/* Any record in memory, table by table, that a test can change and write again. */
#ifndef THUD_TEST_RECORD_CHANNELS_H
#define THUD_TEST_RECORD_CHANNELS_H

#include "record_table.h"

typedef struct record_channels {
  thud_record_reader *reader; /* owns names and texts */
  record_table frames, events;
  size_t warning_count;
  double *warning_times;                 /* [warning_count] */
  char **warning_texts, **warning_kinds; /* [warning_count] */
  char *summary, *verdict;
  const char *resolved; /* NULL: as it was read */
  bool finished;        /* false: written without an end */
} record_channels;

void record_channels_load(thud_context *context, const char *path, record_channels *record);
void record_channels_save(thud_context *context, const char *path, const record_channels *record);
void record_channels_free(record_channels *record);

/* Whether the checker finds a number that a test has put into a cell: the record is saved and verified, which must
 * fail, and the number is put back. */
void record_channels_try(thud_context *context, const char *what, record_channels *record, const record_table *table,
                         size_t channel, size_t component, size_t row, double number);

#endif
