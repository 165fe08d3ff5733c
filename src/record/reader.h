/* The inside of a record reader; included by record's own files only. */
#ifndef THUD_SRC_RECORD_READER_H
#define THUD_SRC_RECORD_READER_H

#include "record/column.h"
#include "record/commit.h"

/* A channel's columns, and room for one cell. */
typedef struct thud_channel_reader {
  bool ragged;
  bool named;                      /* its components have names in the file */
  thud_column_reader values, ends; /* ends: ragged channels only */
  void *cell;                      /* [capacity] bytes */
  size_t capacity;
} thud_channel_reader;

typedef struct thud_table_reader {
  size_t count;
  thud_record_channel *channels; /* [count] */
  thud_channel_reader *columns;  /* [count] */
} thud_table_reader;

/* Unit of a coordinate, or of t. */
typedef struct thud_named_unit {
  const char *name, *unit;
} thud_named_unit;

struct thud_record_reader {
  thud_context *context;
  thud_commit_status status;
  char *path;
  uint64_t file_bytes;
  hid_t file;
  thud_record_info info;
  thud_table_reader tables[THUD_RECORD_TABLES];
  thud_column_space space;
  thud_arena *texts; /* every string handed out */
  bool units_read;   /* those of the scene, component_unit.c */
  size_t unit_count;
  const thud_named_unit *units; /* [unit_count] */
};

thud_context *thud_record_reader_context(const thud_record_reader *reader);
/* All channels, borrowed from the reader. */
thud_record_layout thud_record_reader_layout(const thud_record_reader *reader);

/* "the record is damaged: `what` is missing or unreadable". */
thud_error thud_reader_fail_damaged(const thud_record_reader *reader, const char *what);
/* A text attribute of at most `limit` bytes, kept until the reader goes. */
thud_error thud_reader_attribute(thud_record_reader *reader, hid_t object, const char *name, size_t limit,
                                 const char **text);
/* A dataset of texts, all of them, kept until the reader goes; none is an error. */
thud_error thud_reader_texts(thud_record_reader *reader, const char *name, size_t *count, const char *const **texts);
thud_error thud_reader_keep(thud_record_reader *reader, const char *text, const char **kept);

/* Opens the channels of every table and counts the rows that all of them have. */
thud_error thud_tables_open(thud_record_reader *reader);
void thud_tables_close(thud_record_reader *reader);

#endif
