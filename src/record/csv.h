/* What the writers of CSV share. */
#ifndef THUD_SRC_RECORD_CSV_H
#define THUD_SRC_RECORD_CSV_H

#include "thud/record.h"

/* RFC 4180: a field with a comma, a quote or a line break is quoted, quotes are doubled. */
void csv_write_field(FILE *stream, const char *text);
/* "name", "name [unit]", "channel[name] [unit]" as a field; channel NULL and unit "" are left out. */
void csv_write_title(FILE *stream, const char *channel, const char *name, const char *unit);
/* 17 significant digits read back as the same double; the locale's decimal mark becomes a point. */
void csv_write_number(FILE *stream, double value);
/* What went wrong with the stream (errno was 0 before). */
thud_error csv_flush(thud_context *context, FILE *stream);

typedef thud_error (*csv_write_fn)(void *user, FILE *stream);
/* A file that appears complete or not at all. */
thud_error csv_write_file(thud_context *context, const char *path, bool overwrite, csv_write_fn write, void *user);

#endif
