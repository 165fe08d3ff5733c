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

/* Checkpoints: states of the run as bytes, cut into pieces of equal length, and an index of them. */
enum { THUD_CHECKPOINT_FIELDS = 5 /* frames, events, warnings, first piece, bytes */, THUD_CHECKPOINT_PIECE = 256 };
typedef struct thud_record_checkpoints_writer {
  bool there;
  thud_column_writer index, pieces;
} thud_record_checkpoints_writer;

struct thud_record_writer {
  thud_context *context;
  thud_record_options options;
  char *path;
  hid_t file;
  size_t channel_count;
  thud_column_writer *columns; /* [channel_count] */
  thud_record_notes_writer events, warnings;
  thud_record_checkpoints_writer checkpoints;
  thud_column_space space;
  size_t rows;
  int frames_since_flush;
  double last_flush;         /* thud_seconds() */
  thud_commit_status status; /* once failed, the file is left as it is */
  size_t motion_dimension;   /* 0: not made by thud_record_create_motion */
};

/* As thud_record_create; `fill` (NULL: nothing) writes what the record begins with before the file gets its final name,
 * so that a file it replaces stays until the new one holds everything. */
typedef thud_error (*thud_record_fill_fn)(thud_record_writer *writer, void *user);
thud_error thud_record_create_filled(thud_context *context, const char *path, const thud_record_options *options,
                                     const thud_record_header *header, size_t channel_count,
                                     const thud_record_channel *channels, thud_record_fill_fn fill, void *user,
                                     thud_record_writer **writer);

#endif
