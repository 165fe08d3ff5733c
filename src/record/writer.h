/* The inside of a record writer; included by record's own files only. */
#ifndef THUD_SRC_RECORD_WRITER_H
#define THUD_SRC_RECORD_WRITER_H

#include "record/column.h"
#include "record/commit.h"

enum { THUD_NOTE_FIELDS = 3 }; /* t, kind, text */

/* A table of events or warnings. */
typedef struct thud_record_notes_writer {
  thud_column_writer columns[THUD_NOTE_FIELDS];
} thud_record_notes_writer;

struct thud_record_writer {
  thud_context *context;
  thud_record_options options;
  char *path;
  hid_t file;
  size_t channel_count;
  thud_column_writer *columns; /* [channel_count] */
  thud_record_notes_writer events, warnings;
  thud_column_space space;
  size_t rows;
  int frames_since_flush;
  double last_flush;         /* thud_seconds() */
  thud_commit_status status; /* once failed, the file is left as it is */
  size_t motion_dimension;   /* 0: not made by thud_record_create_motion */
};

#endif
