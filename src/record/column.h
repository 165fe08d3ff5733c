/* A column: one extendable HDF5 dataset whose rows are appended through a buffer of one chunk and read chunk by chunk.
 * Everything in a record that is not an attribute is a column.
 *
 * A chunk is coded (compressed) at most once, when it will not change any more. A chunk that has to be flushed while it
 * grows is stored verbatim: rewriting it has the same size, hence the same place. So HDF5 never frees a chunk and the
 * file does not grow by being flushed. */
#ifndef THUD_SRC_RECORD_COLUMN_H
#define THUD_SRC_RECORD_COLUMN_H

#include "record/h5.h"
#include "thud/record.h"

typedef enum thud_column_kind {
  THUD_COLUMN_REAL = THUD_RECORD_REAL,
  THUD_COLUMN_SMALL = THUD_RECORD_SMALL,
  THUD_COLUMN_INTEGER = THUD_RECORD_INTEGER,
  THUD_COLUMN_BYTE = THUD_RECORD_TEXT, /* unsigned bytes of texts */
  THUD_COLUMN_LONG,                    /* whole numbers of 64 bits, here up to 2^53: counts of values, of rows */
  THUD_COLUMN_STRING                   /* width: bytes of the fixed-length string, its final 0 included */
} thud_column_kind;

/* Shape of a column, in memory and in the file. */
typedef struct thud_column_shape {
  thud_column_kind kind;
  size_t width;        /* numbers per row, or bytes of a text */
  size_t element_size; /* bytes that are shuffled together */
  size_t row_bytes;
  size_t chunk_rows;
  size_t chunk_bytes; /* chunk_rows * row_bytes */
} thud_column_shape;

/* false when a row or chunk is too large for HDF5 (4 GiB). */
bool thud_column_shape_make(thud_column_kind kind, size_t width, size_t chunk_rows, thud_column_shape *shape);
/* The same with chunk_rows lowered so that a chunk of several rows stays below 256 KiB. */
bool thud_column_shape_fit(thud_column_kind kind, size_t width, size_t chunk_rows, thud_column_shape *shape);

/* Room for coding one chunk, shared by the columns of a record. */
typedef struct thud_column_space {
  uint8_t *scratch, *coded; /* [capacity], [thud_codec_bound(capacity)] */
  size_t capacity;
} thud_column_space;

thud_error thud_column_space_reserve(thud_context *context, size_t capacity, thud_column_space *space);
void thud_column_space_release(thud_context *context, thud_column_space *space);

/* ---- writing ---------------------------------------------------------------------------------------- */

typedef struct thud_column_writer {
  thud_column_shape shape;
  hid_t dataset;
  uint8_t *buffer;  /* [chunk_bytes] the growing chunk, little-endian, zero behind the last row */
  size_t full_rows; /* rows in finished chunks */
  size_t buffered;  /* rows in the buffer */
  size_t stored;    /* of these, rows that are in the file already */
} thud_column_writer;

/* path is for messages. On failure nothing is left in *column. */
thud_error thud_column_create(thud_context *context, const char *path, hid_t parent, const char *name,
                              thud_column_shape shape, thud_column_writer *column);
void thud_column_writer_release(thud_context *context, thud_column_writer *column);
/* The place of the next row's bytes, to be filled before thud_column_push. There always is one. */
uint8_t *thud_column_next(thud_column_writer *column);
/* Takes the row in; writes the chunk when it is full. < 0: HDF5 failed. */
herr_t thud_column_push(thud_column_writer *column, thud_column_space *space);
/* The same for any number of rows, as bytes of the file [rows x row_bytes] or as numbers [rows x width] that fit. */
herr_t thud_column_push_bytes(thud_column_writer *column, size_t rows, const void *bytes, thud_column_space *space);
herr_t thud_column_push_numbers(thud_column_writer *column, size_t rows, const double *values,
                                thud_column_space *space);
/* Writes what is buffered; `last`: no row will follow. < 0: HDF5 failed. */
herr_t thud_column_store(thud_column_writer *column, bool last, thud_column_space *space);

/* ---- reading ---------------------------------------------------------------------------------------- */

typedef struct thud_column_reader {
  thud_column_shape shape;
  hid_t dataset;
  size_t rows;     /* announced, and present in the file */
  bool complete;   /* every announced row is present */
  uint8_t *buffer; /* [chunk_bytes] the chunk held_chunk, allocated when first needed */
  size_t held_chunk;
} thud_column_reader;

/* Opens and checks a column of the given kind; file_bytes bounds what its chunks can possibly expand to.
 * For THUD_ERROR_FORMAT the message names the column. */
thud_error thud_column_open(thud_context *context, const char *path, hid_t file, const char *name,
                            thud_column_kind kind, uint64_t file_bytes, thud_column_reader *column);
/* The same of a kind that the dataset says: REAL, INTEGER, SMALL or BYTE. */
thud_error thud_column_open_channel(thud_context *context, const char *path, hid_t file, const char *name,
                                    uint64_t file_bytes, thud_column_reader *column);
void thud_column_reader_release(thud_context *context, thud_column_reader *column);
/* Rows first .. first+count-1, which the caller knows to be there, as numbers or as bytes of the file. */
thud_error thud_column_read_numbers(thud_context *context, const char *path, thud_column_reader *column, size_t first,
                                    size_t count, thud_column_space *space, double *values);
thud_error thud_column_read_bytes(thud_context *context, const char *path, thud_column_reader *column, size_t first,
                                  size_t count, thud_column_space *space, void *bytes);
/* *bytes points to the row in the column's buffer, *rows_there rows follow one another from there on. */
thud_error thud_column_fetch(thud_context *context, const char *path, thud_column_reader *column, size_t row,
                             thud_column_space *space, const uint8_t **bytes, size_t *rows_there);

/* ---- numbers as little-endian bytes ------------------------------------------------------------------- */

/* false when value cannot be stored exactly (whole-number kinds). */
bool thud_column_fits(thud_column_kind kind, double value);
/* value must fit. */
void thud_column_put_number(thud_column_kind kind, double value, uint8_t *bytes);
double thud_column_get_number(thud_column_kind kind, const uint8_t *bytes);

#endif
