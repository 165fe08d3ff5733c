/* The inside of a record writer; included by record's own files only. */
#ifndef THUD_SRC_RECORD_WRITER_H
#define THUD_SRC_RECORD_WRITER_H

#include "record/cells.h"
#include "record/column.h"
#include "record/commit.h"
#include "record/writer_seal.h"

/* A channel: one column of fixed width, or (ragged) its values one after the other and where those of each row end. */
typedef struct thud_channel_writer {
  bool ragged;
  thud_column_writer values, ends;
} thud_channel_writer;

typedef struct thud_table_writer {
  size_t count;
  thud_channel_writer *channels; /* [count] */
  thud_cell_shape *shapes;       /* [count] */
  size_t rows, chunk_rows;
} thud_table_writer;

/* Checkpoints: states of the run as bytes, cut into pieces of equal length, and an index of them. */
enum {
  THUD_CHECKPOINT_FIELDS = THUD_RECORD_TABLES + 2, /* rows of the tables, first piece, bytes */
  THUD_CHECKPOINT_PIECE = 256,
  THUD_CHECKPOINT_CHUNK_ROWS = 16
};
typedef struct thud_record_checkpoints_writer {
  bool there;
  thud_column_writer index, pieces;
} thud_record_checkpoints_writer;

struct thud_record_writer {
  thud_context *context;
  thud_record_options options;
  char *path;
  hid_t file;
  thud_table_writer tables[THUD_RECORD_TABLES];
  thud_record_checkpoints_writer checkpoints;
  thud_seal_writer seal;
  thud_column_space space;
  int frames_since_flush;
  size_t safe_frames;        /* as of the last flush */
  double last_flush;         /* thud_seconds() */
  thud_commit_status status; /* once failed, the file is left as it is */
};

/* Writes what a record begins with before the file gets its final name, so that a file it replaces stays until the new
 * one holds everything. */
typedef thud_error (*thud_record_fill_fn)(thud_record_writer *writer, void *user);
typedef struct thud_record_filling {
  thud_record_fill_fn fill;
  void *user;
  bool unsealed; /* the rows that it brings have no digests */
} thud_record_filling;
/* As thud_record_create, with a filling (NULL: none). */
thud_error thud_record_create_filled(thud_context *context, const char *path, const thud_record_options *options,
                                     const thud_record_header *header, const thud_record_layout *layout,
                                     const thud_record_filling *filling, thud_record_writer **writer);
/* Ends a record that holds nothing, and removes its file. NULL is allowed. */
void thud_record_discard(thud_record_writer *writer);
/* As thud_record_resume, also of a run that has ended, and under another scene: that of a longer run. */
thud_error thud_record_extend(thud_context *context, const char *path, const thud_record_header *header,
                              thud_record_writer **writer, thud_record_resumption *resumption);

/* ---- what the writer's files share ------------------------------------------------------------------- */

/* The message of a failed write. From here on the record is closed. */
thud_error thud_writer_fail(thud_record_writer *writer, const char *what);
thud_error thud_writer_fail_append(thud_record_writer *writer);
/* Groups without the times of their making. < 0: HDF5 failed. */
herr_t thud_writer_create_group(const thud_record_writer *writer, const char *name);
/* A column with room for coding its chunks. */
thud_error thud_writer_create_column(thud_record_writer *writer, const char *name, thud_column_kind kind, size_t width,
                                     size_t chunk_rows, thud_column_writer *column);
/* A dataset that is written once. */
thud_error thud_writer_write_texts(thud_record_writer *writer, const char *name, size_t count,
                                   const char *const *texts);

/* ---- tables ------------------------------------------------------------------------------------------- */

/* Those of the warnings are always the same. */
enum { THUD_WARNING_CHANNELS = 3 };
extern const thud_record_channel thud_warning_channels[THUD_WARNING_CHANNELS];
/* The channels of every table. */
thud_error thud_tables_create(thud_record_writer *writer, const thud_record_layout *layout);
/* Writes what is buffered; `last`: no row will follow. < 0: HDF5 failed. */
herr_t thud_tables_store(thud_record_writer *writer, bool last);
void thud_tables_release(thud_record_writer *writer);
/* A row that is refused changes nothing. */
thud_error thud_table_append(thud_record_writer *writer, thud_record_table table, const thud_record_cell *cells);

#endif
