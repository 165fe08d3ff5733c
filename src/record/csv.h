/* Shared by the writers of CSV. */
#ifndef THUD_SRC_RECORD_CSV_H
#define THUD_SRC_RECORD_CSV_H

#include "thud/record.h"

/* RFC 4180: a field with a comma, a quote or a line break is quoted, quotes are doubled. */
void thud_csv_write_field(FILE *stream, const char *text);
void thud_csv_write_bytes(FILE *stream, const char *text, size_t count);
/* "name", "name [unit]", "channel[name] [unit]" as a field; channel NULL and unit "" are left out. */
void thud_csv_write_title(FILE *stream, const char *channel, const char *name, const char *unit);
/* 17 significant digits read back as the same double; the locale's decimal mark becomes a point. */
void thud_csv_write_number(FILE *stream, double value);
/* A number as the channel's label, as the sign of a side, or as it is. */
void thud_csv_write_value(FILE *stream, const thud_record_csv_options *options, const thud_record_channel *channel,
                          double value);
/* True if the names of a channel's components would also be those of other columns: then the channel's name goes in
 * front, as in v_left[x']. The state, positions and velocities keep their own names; left limits never do. Other
 * channels count whether they are exported or not, so that a column has the same title in every selection. */
bool thud_csv_needs_prefix(const thud_record_reader *reader, thud_record_table table,
                           const thud_record_channel *channel);
/* Flushes the stream and names its error (errno was 0 before). */
thud_error thud_csv_flush(thud_context *context, FILE *stream);

/* All asked times within [start, end], ascending, owned by the caller; with `every` also those of the events. */
thud_error thud_csv_gather_times(thud_record_reader *reader, const thud_record_times *asked, double start, double end,
                                 double **times, size_t *count);
typedef thud_error (*csv_write_fn)(void *user, FILE *stream);
/* A file that appears complete or not at all. */
thud_error thud_csv_write_file(thud_context *context, const char *path, bool overwrite, csv_write_fn write, void *user);

#endif
