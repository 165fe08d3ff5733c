/* Any record in memory, channel by channel, that a test can change and write again. */
#ifndef THUD_TEST_RECORD_CHANNELS_H
#define THUD_TEST_RECORD_CHANNELS_H

#include "thud/record.h"

enum { RECORD_CHANNELS_MOST = 20 };

typedef struct record_channels {
  thud_record_reader *reader; /* owns names and texts */
  size_t rows, count;
  double *values[RECORD_CHANNELS_MOST]; /* [rows x width] */
  size_t event_count;
  double *event_times;               /* [event_count] */
  char **event_texts, **event_kinds; /* [event_count] */
  size_t warning_count;
  double *warning_times;                 /* [warning_count] */
  char **warning_texts, **warning_kinds; /* [warning_count] */
  char *summary, *verdict;
  bool finished; /* false: written without an end */
} record_channels;

void record_channels_load(thud_context *context, const char *path, record_channels *record);
void record_channels_save(thud_context *context, const char *path, const record_channels *record);
void record_channels_free(record_channels *record);
/* Number of the channel with this role; it must be there. */
size_t record_channels_find(const record_channels *record, const char *role);
size_t record_channels_width(const record_channels *record, size_t channel);

#endif
