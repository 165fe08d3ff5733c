/* thud/record.h: the record of a run, one HDF5 file, and its export to CSV.
 *
 * What a record holds
 *   /                    attributes format ("thud-record"), format_version (1), thud_version, title, method,
 *                        verdict ("unfinished" until the run is closed) and reason
 *   /scene /options /summary   texts of any length: the effective scene, the options and the result as JSON
 *   /channels            names of the frame channels in their order
 *   /frames/<name>       one dataset [rows x width] per channel; attributes unit, role, description
 *   /components/<name>   names of the channel's components
 *   /events/{t,kind,text} and /warnings/{t,kind,text}
 *   /checkpoints/{index,pieces}   states of the run from which it can be resumed, when it made any
 *
 * What happens to a record whose process is killed: a flush is atomic (a journal behind the end of the file, which
 * readers of thud take into account), so after kill -9 at any moment the file opens and holds at least every row of the
 * last flush. Chunks are shuffled, deflated (level 1) and carry a checksum, except those that were flushed while they
 * were still growing: these stay as they are.
 *
 * The files use the HDF5 1.8 format (its metadata carry checksums; no open-for-writing mark that would outlive a kill)
 * and can be read by any HDF5 program. HDF5 itself is used by one thread of a process at a time: do not use
 * two records from two threads at once. The process's HDF5 error handler is left as it was found. */
#ifndef THUD_RECORD_H
#define THUD_RECORD_H

#include "thud/sim.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THUD_RECORD_FORMAT "thud-record"
#define THUD_RECORD_FORMAT_VERSION 1
#define THUD_RECORD_UNFINISHED "unfinished"

/* Longest texts, in bytes without the final 0. Longer names and titles are errors; longer texts of events, warnings
 * and reasons are cut and end in "...". */
#define THUD_RECORD_NAME_LENGTH 63
#define THUD_RECORD_TITLE_LENGTH 1023
#define THUD_RECORD_TEXT_LENGTH 1023

/* How the numbers of a channel are stored; they are always handed over as double. */
typedef enum thud_record_type {
  THUD_RECORD_REAL = 0,   /* 64-bit floating point, bit for bit (NaN and infinities included) */
  THUD_RECORD_SMALL = 1,  /* whole numbers -128..127: flags, sides, modes */
  THUD_RECORD_INTEGER = 2 /* whole numbers of 32 bits: indices, counts */
} thud_record_type;

typedef struct thud_record_channel {
  const char *name; /* unique; letters, digits and any of _ - + ' . but neither '/' nor a leading '.' */
  thud_record_type type;
  size_t width;                  /* components per row, >= 1 */
  const char *const *components; /* [width] column titles; NULL: the name itself, or name[0], name[1], ... */
  const char *unit;              /* "s", "m/s", ...; NULL: "" */
  const char *role;              /* what readers look for: "time", "side", "state", "reaction", ...; NULL: "" */
  const char *description;       /* one line; NULL: "" */
} thud_record_channel;

/* Texts that describe the run; NULL means "". */
typedef struct thud_record_header {
  const char *title;
  const char *method;
  const char *scene;   /* the full effective scene, any length */
  const char *options; /* the options of the run as JSON, any length */
} thud_record_header;

/* ---- writing ------------------------------------------------------------------------------------- */

typedef struct thud_record_options {
  size_t size;
  bool overwrite;             /* replace an existing file; it is kept until the new one has been started */
  double flush_every_seconds; /* at least this often (looked at when a row is appended); 0: not by time */
  int flush_every_frames;     /* after this many frames; 0: not by count */
  int chunk_rows;             /* rows buffered and compressed together (fewer when a row is very wide) */
} thud_record_options;

THUD_API const thud_option_table *thud_record_option_table(void);
THUD_API thud_record_options thud_record_options_default(void);

typedef struct thud_record_writer thud_record_writer;

/* Starts a record under its final name with the verdict "unfinished", already on disk when the call returns.
 * THUD_ERROR_EXISTS when the file is there and overwrite is false; no failure leaves anything behind or touches an
 * old file. options may be NULL. Everything given is copied. */
THUD_API thud_error thud_record_create(thud_context *context, const char *path, const thud_record_options *options,
                                       const thud_record_header *header, size_t channel_count,
                                       const thud_record_channel *channels, thud_record_writer **writer);
/* One row of every channel: rows[k] points to channels[k].width numbers. Whole-number channels refuse anything
 * else. After a failed write (a full disk, say) every further call fails in the same way and the file keeps what was
 * flushed before. */
THUD_API thud_error thud_record_append(thud_record_writer *writer, const double *const *rows);
/* t may be NaN when it has no meaning. kind (an event's kind, a warning's code): at most THUD_RECORD_NAME_LENGTH
 * bytes. */
THUD_API thud_error thud_record_add_event(thud_record_writer *writer, double t, const char *kind, const char *text);
THUD_API thud_error thud_record_add_warning(thud_record_writer *writer, double t, const char *code,
                                            const char *message);
/* Stores a state of the run (any bytes) from which it can be resumed, and flushes: after a kill the record holds either
 * this checkpoint with exactly the rows, events and warnings before it, or the checkpoint before with its own. */
THUD_API thud_error thud_record_checkpoint(thud_record_writer *writer, const void *state, size_t size);
/* Everything appended so far reaches the file. */
THUD_API thud_error thud_record_flush(thud_record_writer *writer);
THUD_API size_t thud_record_rows_written(const thud_record_writer *writer);
/* Ends the record with its verdict, reason and JSON summary (the last two may be NULL) and frees the writer,
 * whether the call succeeds or not. */
THUD_API thud_error thud_record_close(thud_record_writer *writer, const char *verdict, const char *reason,
                                      const char *summary);
/* Flushes and frees the writer; the verdict stays "unfinished". NULL is allowed. */
THUD_API void thud_record_abandon(thud_record_writer *writer);

/* The newest checkpoint of a record; state is owned by the caller (thud_record_resumption_free). */
typedef struct thud_record_resumption {
  size_t rows, events, warnings; /* that the record holds up to the checkpoint */
  size_t size;
  void *state; /* [size] */
} thud_record_resumption;

/* Continues an unfinished or stopped record at its newest checkpoint: what came after it is cut off. The old file is
 * replaced at once when the new one holds the same rows; a failure leaves it as it is. `scene` and `method` must be
 * those of the record (THUD_ERROR_ARGUMENT otherwise); THUD_ERROR_NOT_FOUND when there is no checkpoint, and
 * THUD_ERROR_EXISTS when the run has ended by itself. */
THUD_API thud_error thud_record_resume(thud_context *context, const char *path, const thud_record_options *options,
                                       const char *scene, const char *method, thud_record_writer **writer,
                                       thud_record_resumption *resumption);
THUD_API void thud_record_resumption_free(thud_context *context, thud_record_resumption *resumption);

/* ---- the channels of a sweeping process ------------------------------------------------------------- */

/* Channels t, side, state, reaction, atom, variation, residual: what a thud_frame holds. */
typedef struct thud_record_motion {
  size_t dimension;
  const char *const *names;  /* [dimension] names of the state's components; NULL: state[0], ... */
  const char *time_unit;     /* NULL: "" */
  const char *state_unit;    /* NULL: "" */
  const char *reaction_unit; /* of the density; NULL: "" */
} thud_record_motion;

THUD_API thud_error thud_record_create_motion(thud_context *context, const char *path,
                                              const thud_record_options *options, const thud_record_header *header,
                                              const thud_record_motion *motion, thud_record_writer **writer);
/* Only for a writer made by thud_record_create_motion. */
THUD_API thud_error thud_record_append_frame(thud_record_writer *writer, const thud_frame *frame);
/* A sink that appends every frame; it fails (< 0) when appending fails. It borrows the writer. */
THUD_API thud_sink thud_record_sink(thud_record_writer *writer);

/* ---- reading ----------------------------------------------------------------------------------------- */

typedef struct thud_record_reader thud_record_reader;

/* Borrowed from the reader. */
typedef struct thud_record_info {
  const char *title, *method, *thud_version;
  const char *verdict, *reason;
  bool finished; /* false: the run is still going on or was killed */
  const char *scene, *options, *summary;
  size_t rows; /* frames present in every channel */
  size_t channel_count, event_count, warning_count;
} thud_record_info;

/* kind and text are borrowed from the reader until its next call. */
typedef struct thud_record_note {
  double t;
  const char *kind;
  const char *text;
} thud_record_note;

/* THUD_ERROR_FILE when the file cannot be read at all, THUD_ERROR_FORMAT when it is not a record or is damaged. */
THUD_API thud_error thud_record_open(thud_context *context, const char *path, thud_record_reader **reader);
THUD_API void thud_record_reader_destroy(thud_record_reader *reader);
THUD_API thud_record_info thud_record_reader_info(const thud_record_reader *reader);
/* NULL when index >= channel_count. components is never NULL. */
THUD_API const thud_record_channel *thud_record_reader_channel(const thud_record_reader *reader, size_t index);
THUD_API thud_error thud_record_find_channel(const thud_record_reader *reader, const char *name, size_t *index);
/* The first channel with this role. */
THUD_API thud_error thud_record_find_role(const thud_record_reader *reader, const char *role, size_t *index);
/* values [count x width], row by row: rows first .. first+count-1. On failure part of values may have been written. */
THUD_API thud_error thud_record_read(thud_record_reader *reader, size_t channel, size_t first, size_t count,
                                     double *values);
THUD_API thud_error thud_record_read_event(thud_record_reader *reader, size_t index, thud_record_note *event);
THUD_API thud_error thud_record_read_warning(thud_record_reader *reader, size_t index, thud_record_note *warning);

/* The newest checkpoint; THUD_ERROR_NOT_FOUND when there is none. */
THUD_API thud_error thud_record_read_checkpoint(thud_record_reader *reader, thud_record_resumption *resumption);

/* ---- CSV ------------------------------------------------------------------------------------------------ */

typedef struct thud_record_csv_options {
  size_t size;
  bool overwrite;    /* replace an existing file */
  bool units;        /* header "x [m]" rather than "x" */
  bool side_as_sign; /* channels of role "side" as - + or nothing, rather than -1 1 0 */
} thud_record_csv_options;

THUD_API const thud_option_table *thud_record_csv_option_table(void);
THUD_API thud_record_csv_options thud_record_csv_options_default(void);

/* One line per frame with the components of the chosen channels (channel_count 0: all) and a header line; numbers with
 * 17 digits, which read back as the same bits (nan, inf, -inf otherwise), point as decimal mark in every locale.
 * options may be NULL. */
THUD_API thud_error thud_record_write_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                          size_t channel_count, const size_t *channels, FILE *stream);
/* The same into a file, which appears complete or not at all. */
THUD_API thud_error thud_record_export_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                           size_t channel_count, const size_t *channels, const char *path);

/* Times at which the motion of an event-driven record is wanted. */
typedef struct thud_record_times {
  size_t count;
  const double *times; /* [count] within the record, any order */
  double every;        /* > 0: also at the start, then again after each `every`, at the end, and at every event */
  unsigned columns;    /* THUD_RECORD_COLUMN_..., added; 0: coordinates and velocities */
} thud_record_times;

#define THUD_RECORD_COLUMN_Q 1u
#define THUD_RECORD_COLUMN_V 2u
#define THUD_RECORD_COLUMN_REACTION                                                                                    \
  4u                               /* reaction[...]: forces; nan where an arc replaces the rest of an accumulation */
#define THUD_RECORD_COLUMN_MODE 8u /* mode[...]: thud_contact_mode of the constraints */

/* The motion at these times, evaluated from the polynomials of an event-driven record (THUD_ERROR_UNSUPPORTED for
 * others): columns t, side and those asked for. Where velocities jump there are two lines, side - and +; so there are
 * at every event when forces or modes are asked for. Otherwise side is empty. thud_verify_trajectory reads tables of
 * coordinates and velocities. */
THUD_API thud_error thud_record_write_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                                 const thud_record_times *times, FILE *stream);
THUD_API thud_error thud_record_export_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                                  const thud_record_times *times, const char *path);

/* The events of a record, a line each. Of an event-driven record: t, kind, constraints, modes (before-after, of each of
 * them), t_error, impulse[...], velocities before[...] and after[...]; of others t, kind and the event's text (JSON).
 */
THUD_API thud_error thud_record_write_events_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                                 FILE *stream);
THUD_API thud_error thud_record_export_events_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                                  const char *path);

#ifdef __cplusplus
}
#endif
#endif
