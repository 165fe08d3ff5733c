/* thud/record.h: the record of a run, one HDF5 file, and its export to CSV.
 *
 * A record holds three tables: frames, events and warnings. A table is a set of channels; a channel has one cell per
 * row: a fixed number of components, or (ragged) any number of values. The layout is the same for every kind of motion;
 * what a channel means is beside it (unit, role, labels, look ...), so that CSV, pictures and samples need no
 * knowledge of the kind.
 *
 *   /                    attributes format ("thud-record"), format_version (2), thud_version, title, kind, method,
 *                        verdict ("unfinished" until the run is closed) and reason
 *   /scene /resolved     texts of any length: the scene as given, and with every default filled in
 *   /source              text: the file that the scene was read from, when it was kept
 *   /summary             text: the result as JSON, without wall-clock figures; written at the end
 *   /TABLE/channels      names of the table's channels in their order
 *   /TABLE/data/NAME     fixed width: dataset [rows x width]; attributes unit, role, description, look, left, atom, at,
 *                        group, optional, state
 *   /TABLE/data/NAME     ragged: a group with `ends` [rows x 1] (how many values there are up to and with each row) and
 *                        `values` [total x 1], the attributes on `values`; texts are ragged bytes
 *   /TABLE/components/NAME and /TABLE/labels/NAME   names of the components and of the values 0, 1, ...
 *   /checkpoints/{index,pieces}   states of the run from which it can be resumed, when it made any
 *
 * A record survives a killed process: a flush is atomic (a journal behind the end of the file, which
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
#define THUD_RECORD_FORMAT_VERSION 2
#define THUD_RECORD_UNFINISHED "unfinished"

/* Longest texts, in bytes without the final 0. Longer names and titles are errors; longer reasons are cut and end in
 * "...". Labels, texts in cells and the messages of warnings have any length. */
#define THUD_RECORD_NAME_LENGTH 63
#define THUD_RECORD_TITLE_LENGTH 1023
#define THUD_RECORD_TEXT_LENGTH 1023

typedef enum thud_record_table {
  THUD_RECORD_FRAMES = 0,
  THUD_RECORD_EVENTS = 1,
  THUD_RECORD_WARNINGS = 2, /* channels t, code, message; made by the library */
  THUD_RECORD_TABLES = 3
} thud_record_table;

/* "frames", "events", "warnings". */
THUD_API const char *thud_record_table_name(thud_record_table table);

/* How the numbers of a channel are stored; they are always handed over as double, texts as bytes. */
typedef enum thud_record_type {
  THUD_RECORD_REAL = 0,    /* 64-bit floating point, bit for bit (NaN and infinities included) */
  THUD_RECORD_SMALL = 1,   /* whole numbers -128..127: flags, sides, modes */
  THUD_RECORD_INTEGER = 2, /* whole numbers of 32 bits: indices, counts */
  THUD_RECORD_TEXT = 3     /* UTF-8, any length; always ragged */
} thud_record_type;

/* Meaning of a channel's values between the rows. */
typedef enum thud_record_look {
  THUD_LOOK_LINE = 0,    /* value at the row's time, straight between rows; `left` (if any) is the limit from before */
  THUD_LOOK_HOLD = 1,    /* holds from the row's time to the next row's (modes) */
  THUD_LOOK_DENSITY = 2, /* over the time since the row before */
  THUD_LOOK_IMPULSE = 3, /* impulse of the step that ended here: impulse/step is a density, but where `atom` marks the
                            component it is a jump at the row's time */
  THUD_LOOK_SERIES = 4,  /* ragged, groups of `group` numbers: coefficients of (t - t0)^0, (t - t0)^1, ... on [t0, end],
                            t0 the row's time and end the channel of role "end" */
  THUD_LOOK_POINT = 5    /* known at the row's time only */
} thud_record_look;

typedef struct thud_record_channel {
  const char
      *name; /* unique within the table; letters, digits and any of _ - + ' . but neither '/' nor a leading '.' */
  thud_record_type type;
  size_t width;                  /* components per row; 0: ragged */
  const char *const *components; /* [width], ragged: [group]; NULL: the name itself, or name[0], name[1], ... */
  const char *unit;              /* "s", "m/s", ...; NULL: "" */
  const char *role;              /* what readers look for: "time", "side", "state", "reaction", ...; NULL: "" */
  const char *description;       /* one line; NULL: "" */
  thud_record_look look;
  const char *left; /* name of the channel with the limits from before; NULL: there is none, or no jumps */
  const char *atom; /* name of the channel that marks (1) components whose value is a jump at the row's time, by their
                       place, their names, or their owners' ("floor" marks "floor.t1"); NULL: there is none */
  const char *at;   /* ragged: name of the ragged channel of this table that says whose values these are: entry k of it
                       (a label) belongs to the k-th group of values; NULL: plain list */
  size_t group;     /* ragged: values come in groups of this many, 0 = 1 */
  size_t label_count;        /* names of the values 0, 1, ... (kinds, modes, constraints); 0: plain numbers */
  const char *const *labels; /* [label_count] any length */
  bool optional;             /* events: NaN, a negative label or an empty list means that it does not apply */
  bool state; /* frames: part of the state that samples and reports show, in the order of the channels; of a series also
                 its derivative, named by the components of its `left` channel */
} thud_record_channel;

/* One cell of a row. */
typedef struct thud_record_cell {
  const double *values; /* [count]; NULL for texts */
  const char *text;     /* [count] bytes; NULL for numbers */
  size_t count;         /* fixed width: the width; ragged: any; texts: bytes */
} thud_record_cell;

/* Texts that describe the run; NULL means "". */
typedef struct thud_record_header {
  const char *title;
  const char *kind; /* of motion: "sweeping", "stepping", "event-driven", ... */
  const char *method;
  const char *scene;    /* as given, any length */
  const char *resolved; /* with every default filled in, any length */
  const char *source;   /* the text that `scene` was read from, for people: with its comments; NULL or "": not kept */
} thud_record_header;

/* Channels of frames (at least one) and of events (none: the record has no events). */
typedef struct thud_record_layout {
  size_t count[2]; /* [THUD_RECORD_FRAMES], [THUD_RECORD_EVENTS] */
  const thud_record_channel *channels[2];
} thud_record_layout;

/* ---- writing ------------------------------------------------------------------------------------- */

typedef struct thud_record_options {
  size_t size;
  bool overwrite;             /* replace an existing file; it is kept until the new one has been started */
  double flush_every_seconds; /* at least this often (looked at when a row is appended); 0: not by time */
  int flush_every_frames;     /* after this many frames; 0: not by count */
  int chunk_rows;             /* rows buffered and compressed together (fewer when a row is very wide) */
} thud_record_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_record_option_table(void);
THUD_OPTIONS_DEFAULT(thud_record_options, thud_record_option_table)

typedef struct thud_record_writer thud_record_writer;

/* Starts a record under its final name with the verdict "unfinished", already on disk when the call returns.
 * THUD_ERROR_EXISTS when the file is there and overwrite is false; no failure leaves anything behind or touches an
 * old file. options and header may be NULL. Everything given is copied. */
THUD_API thud_error thud_record_create(thud_context *context, const char *path, const thud_record_options *options,
                                       const thud_record_header *header, const thud_record_layout *layout,
                                       thud_record_writer **writer);
/* One row of frames or events, cells[channel count of the table]. Whole-number channels refuse anything else, grouped
 * values must come in whole groups, and as many groups as their `at` channel has entries; a refused row changes
 * nothing. After a failed write (a full disk, say) every further call fails in the same way and the file keeps what was
 * flushed before. Nothing is allocated here. */
THUD_API thud_error thud_record_append(thud_record_writer *writer, thud_record_table table,
                                       const thud_record_cell *cells);
/* t may be NaN when it has no meaning; code and message have any length and may be NULL: "". */
THUD_API thud_error thud_record_add_warning(thud_record_writer *writer, double t, const char *code,
                                            const char *message);
/* Stores a state of the run (any bytes) from which it can be resumed, and flushes: after a kill the record holds either
 * this checkpoint with exactly the rows of all tables before it, or the checkpoint before with its own. */
THUD_API thud_error thud_record_checkpoint(thud_record_writer *writer, const void *state, size_t size);
/* Everything appended so far reaches the file. */
THUD_API thud_error thud_record_flush(thud_record_writer *writer);
THUD_API size_t thud_record_rows_written(const thud_record_writer *writer, thud_record_table table);
/* Ends the record with its verdict, reason and JSON summary (the last two may be NULL) and frees the writer,
 * whether the call succeeds or not. */
THUD_API thud_error thud_record_close(thud_record_writer *writer, const char *verdict, const char *reason,
                                      const char *summary);
/* Flushes and frees the writer; the verdict stays "unfinished". NULL is allowed. */
THUD_API void thud_record_abandon(thud_record_writer *writer);

/* The newest checkpoint of a record; state is owned by the caller (thud_record_resumption_free). */
typedef struct thud_record_resumption {
  size_t rows[THUD_RECORD_TABLES]; /* that the record holds up to the checkpoint */
  size_t size;
  void *state; /* [size] */
} thud_record_resumption;

/* Continues an unfinished or stopped record at its newest checkpoint: what came after it is cut off. The old file is
 * replaced at once when the new one holds the same rows; a failure leaves it as it is. `scene`, `resolved`, `kind` and
 * `method` of the header must be those of the record (THUD_ERROR_ARGUMENT otherwise); THUD_ERROR_NOT_FOUND when there
 * is no checkpoint, and THUD_ERROR_EXISTS when the run has ended by itself. */
THUD_API thud_error thud_record_resume(thud_context *context, const char *path, const thud_record_options *options,
                                       const thud_record_header *header, thud_record_writer **writer,
                                       thud_record_resumption *resumption);
THUD_API void thud_record_resumption_free(thud_context *context, thud_record_resumption *resumption);

/* ---- reading ----------------------------------------------------------------------------------------- */

typedef struct thud_record_reader thud_record_reader;

/* Borrowed from the reader. */
typedef struct thud_record_info {
  const char *title, *kind, *method, *thud_version;
  const char *verdict, *reason;
  bool finished; /* false: the run is still going on or was killed */
  const char *scene, *resolved, *summary;
  size_t rows[THUD_RECORD_TABLES]; /* present in every channel of the table, with all their values */
  size_t channel_count[THUD_RECORD_TABLES];
  const char *source; /* "" when the record has none */
  THUD_RESERVED(3);
} thud_record_info;

/* THUD_ERROR_FILE when the file cannot be read at all, THUD_ERROR_FORMAT when it is not a record, one of another format
 * version, or damaged. */
THUD_API thud_error thud_record_open(thud_context *context, const char *path, thud_record_reader **reader);
THUD_API void thud_record_reader_destroy(thud_record_reader *reader);
THUD_API thud_record_info thud_record_reader_info(const thud_record_reader *reader);
/* NULL when index is beyond the table's channels. components is never NULL, nor are the texts except left, atom, at;
 * group is at least 1 for ragged channels. */
THUD_API const thud_record_channel *thud_record_reader_channel(const thud_record_reader *reader,
                                                               thud_record_table table, size_t index);
/* The unit of one component: that of the channel or, where its components have different ones, what follows from the
 * units of the coordinates in the record's scene: m, rad, and m/s, rad/s of their velocities. "": none is known.
 * Borrowed from the reader. */
THUD_API thud_error thud_record_component_unit(thud_record_reader *reader, thud_record_table table, size_t channel,
                                               size_t component, const char **unit);
THUD_API thud_error thud_record_find_channel(const thud_record_reader *reader, thud_record_table table,
                                             const char *name, size_t *index);
/* The first channel with this role. */
THUD_API thud_error thud_record_find_role(const thud_record_reader *reader, thud_record_table table, const char *role,
                                          size_t *index);
/* Fixed width: values [count x width], row by row: rows first .. first+count-1. On failure part of values may have been
 * written. */
THUD_API thud_error thud_record_read(thud_record_reader *reader, thud_record_table table, size_t channel, size_t first,
                                     size_t count, double *values);
/* Ragged: ends[count], the number of values in rows 0 .. first+k; start (may be NULL) that before row `first`. */
THUD_API thud_error thud_record_read_ends(thud_record_reader *reader, thud_record_table table, size_t channel,
                                          size_t first, size_t count, size_t *start, size_t *ends);
/* Ragged, no texts: values number first .. first+count-1 of the whole channel. */
THUD_API thud_error thud_record_read_values(thud_record_reader *reader, thud_record_table table, size_t channel,
                                            size_t first, size_t count, double *values);
/* One cell of any channel; borrowed from the reader until its next call of this function with the same channel. Texts
 * end with a 0 that does not count. */
THUD_API thud_error thud_record_read_cell(thud_record_reader *reader, thud_record_table table, size_t channel,
                                          size_t row, thud_record_cell *cell);

/* A row that is a time and two texts, as those of the warnings are; borrowed like cells. */
typedef struct thud_record_note {
  double t;
  const char *kind; /* of a warning: its code */
  const char *text;
} thud_record_note;

/* For tables whose first three channels are one number and two texts; THUD_ERROR_ARGUMENT otherwise. */
THUD_API thud_error thud_record_read_note(thud_record_reader *reader, thud_record_table table, size_t row,
                                          thud_record_note *note);

/* The newest checkpoint; THUD_ERROR_NOT_FOUND when there is none. */
THUD_API thud_error thud_record_read_checkpoint(thud_record_reader *reader, thud_record_resumption *resumption);

/* ---- values at any time -------------------------------------------------------------------------------- */

/* Evaluates the frames at any time by the looks of their channels: straight between rows, held, densities, polynomials.
 * Where rows share a time, or have channels of left limits, there are two limits. It borrows the reader. */
typedef struct thud_record_sampler thud_record_sampler;

/* One number of a sample; borrowed from the sampler. */
typedef struct thud_record_column {
  const thud_record_channel *channel; /* NULL: there is no such column */
  const char *component;
  const char *unit; /* of a density that comes from impulses: theirs per time */
  bool derivative;  /* of the channel's polynomials */
} thud_record_column;

/* names: channels of frames (no texts, no lists), or derivatives of series, which are called like their channel of left
 * limits without "_left" ("v" for "v_left"), otherwise with a prime behind the channel's name. name_count 0: the
 * channels of the state, then the derivatives of those that are series. */
THUD_API thud_error thud_record_sampler_create(thud_record_reader *reader, size_t name_count, const char *const *names,
                                               thud_record_sampler **sampler);
/* NULL is allowed. */
THUD_API void thud_record_sampler_destroy(thud_record_sampler *sampler);
THUD_API size_t thud_record_sampler_width(const thud_record_sampler *sampler);
THUD_API thud_record_column thud_record_sampler_column(const thud_record_sampler *sampler, size_t index);
/* The times that the record knows about. */
THUD_API void thud_record_sampler_span(const thud_record_sampler *sampler, double *start, double *end);
/* left, right [width]: the limits at *t, NaN where the record does not say. A time within rounding of a row's becomes
 * that one. *jumps: the limits differ by more than rounding. Fastest when the times ascend. */
THUD_API thud_error thud_record_sample(thud_record_sampler *sampler, double *t, double *left, double *right,
                                       bool *jumps);

/* ---- CSV ------------------------------------------------------------------------------------------------ */

typedef struct thud_record_csv_options {
  size_t size;
  bool overwrite;    /* replace an existing file */
  bool units;        /* header "x [m]" rather than "x" */
  bool side_as_sign; /* channels of role "side" as - + or nothing, rather than -1 1 0 */
} thud_record_csv_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_record_csv_option_table(void);
THUD_OPTIONS_DEFAULT(thud_record_csv_options, thud_record_csv_option_table)

/* One line per row of a table with the components of the chosen channels (channel_count 0: all) and a header line;
 * numbers with 17 digits, which read back as the same bits (nan, inf, -inf otherwise), point as decimal mark in every
 * locale. Numbers with labels are written as these, texts as they are (quoted where needed). The values of a ragged
 * cell share one field, separated by spaces, groups by semicolons; those with an `at` channel are name=value ("floor=3
 * wall=0.5", groups "floor=1;2"). options may be NULL. */
THUD_API thud_error thud_record_write_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                          thud_record_table table, size_t channel_count, const size_t *channels,
                                          FILE *stream);
/* The same into a file, which appears complete or not at all. options may be NULL. */
THUD_API thud_error thud_record_export_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                           thud_record_table table, size_t channel_count, const size_t *channels,
                                           const char *path);

/* Times at which the motion is wanted, and what of it. */
typedef struct thud_record_times {
  size_t count;
  const double *times; /* [count] within the record, any order */
  double every;        /* > 0: also at the start, then again after each `every`, at the end, and at every event */
  size_t name_count;
  const char *const *names; /* [name_count] as those of thud_record_sampler_create; t and side always go out */
} thud_record_times;

/* The motion at these times: columns t, side and those asked for. Where one of them jumps there are two lines, side -
 * and +; otherwise side is empty. thud_verify_trajectory reads tables of coordinates and velocities.
 * options may be NULL. */
THUD_API thud_error thud_record_write_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                                 const thud_record_times *times, FILE *stream);
THUD_API thud_error thud_record_export_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                                  const thud_record_times *times, const char *path);

#ifdef __cplusplus
}
#endif
#endif
