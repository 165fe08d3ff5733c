#include "record/csv.h"
#include "record/output.h"
#include "record/reader.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_AT_ONCE = 256 };

#define OFFSET(field) offsetof(thud_record_csv_options, field)

static const thud_option_key csv_keys[] = {
    {"overwrite", THUD_OPTION_BOOL, OFFSET(overwrite), 0, 0, 1, false, NULL, "1", "replace an existing file"},
    {"units", THUD_OPTION_BOOL, OFFSET(units), 1, 0, 1, false, NULL, "1", "units in the header line"},
    {"side_as_sign", THUD_OPTION_BOOL, OFFSET(side_as_sign), 1, 0, 1, false, NULL, "1",
     "sides of jumps as - and + rather than -1 and 1"},
};

static const thud_option_table csv_table = {"csv", sizeof(thud_record_csv_options), csv_keys,
                                            sizeof csv_keys / sizeof csv_keys[0]};

const thud_option_table *thud_record_csv_option_table(void) { return &csv_table; }

thud_record_csv_options thud_record_csv_options_default(void) {
  thud_record_csv_options options;
  thud_options_set_defaults(&csv_table, &options);
  return options;
}

/* One channel being exported. */
typedef struct csv_column {
  size_t index;
  const thud_record_channel *channel;
  double *values; /* [ROWS_AT_ONCE x width] */
} csv_column;

typedef struct csv_export {
  thud_context *context;
  thud_record_reader *reader;
  thud_record_csv_options options;
  size_t count;
  csv_column *columns; /* [count] */
  FILE *stream;
} csv_export;

/* RFC 4180: a field with a comma, a quote or a line break is quoted, quotes are doubled. */
void csv_write_field(FILE *stream, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, stream);
    return;
  }
  fputc('"', stream);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}

void csv_write_title(FILE *stream, const char *channel, const char *name, const char *unit) {
  char title[3 * THUD_RECORD_NAME_LENGTH + 8];
  bool prefix = channel != NULL, with_unit = unit[0] != '\0';
  snprintf(title, sizeof title, "%s%s%s%s%s%s%s", prefix ? channel : "", prefix ? "[" : "", name, prefix ? "]" : "",
           with_unit ? " [" : "", unit, with_unit ? "]" : "");
  csv_write_field(stream, title);
}

static bool has_component(const thud_record_channel *channel, const char *name) {
  for (size_t c = 0; c < channel->width; c++)
    if (strcmp(channel->components[c], name) == 0) return true;
  return false;
}

/* Whether the names of a channel's components would be those of other columns, too: then the channel's name goes in
 * front, as in v_left[x']. Positions and velocities keep their own names. Other channels count whether they are
 * exported or not, so that a column has the same title in every selection. */
static bool needs_prefix(const thud_record_reader *reader, const thud_record_channel *channel) {
  if (strcmp(channel->role, "position") == 0 || strcmp(channel->role, "velocity") == 0) return false;
  for (size_t k = 0; k < thud_record_reader_info(reader).channel_count; k++) {
    const thud_record_channel *other = thud_record_reader_channel(reader, k);
    for (size_t c = 0; other != channel && c < channel->width; c++)
      if (has_component(other, channel->components[c])) return true;
  }
  return false;
}

static void write_header(const csv_export *task) {
  for (size_t k = 0; k < task->count; k++) {
    const thud_record_channel *channel = task->columns[k].channel;
    const char *prefix = needs_prefix(task->reader, channel) ? channel->name : NULL;
    for (size_t c = 0; c < channel->width; c++) {
      if (k > 0 || c > 0) fputc(',', task->stream);
      csv_write_title(task->stream, prefix, channel->components[c], task->options.units ? channel->unit : "");
    }
  }
  fputc('\n', task->stream);
}

/* 17 significant digits read back as the same double; the locale's decimal mark becomes a point. */
void csv_write_number(FILE *stream, double value) {
  char text[40];
  if (isnan(value)) {
    fputs("nan", stream);
    return;
  }
  snprintf(text, sizeof text, "%.17g", value);
  char *comma = strchr(text, ',');
  if (comma != NULL) *comma = '.';
  fputs(text, stream);
}

static void write_value(const csv_export *task, const thud_record_channel *channel, double value) {
  if (task->options.side_as_sign && strcmp(channel->role, "side") == 0) {
    if (value != 0) fputc(value < 0 ? '-' : '+', task->stream);
  } else {
    csv_write_number(task->stream, value);
  }
}

static void write_row(const csv_export *task, size_t row) {
  for (size_t k = 0; k < task->count; k++) {
    const csv_column *column = &task->columns[k];
    for (size_t c = 0; c < column->channel->width; c++) {
      if (k > 0 || c > 0) fputc(',', task->stream);
      write_value(task, column->channel, column->values[row * column->channel->width + c]);
    }
  }
  fputc('\n', task->stream);
}

static thud_error write_rows(const csv_export *task) {
  size_t rows = thud_record_reader_info(task->reader).rows;
  for (size_t first = 0; first < rows; first += ROWS_AT_ONCE) {
    size_t count = rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE;
    for (size_t k = 0; k < task->count; k++) {
      thud_error error = thud_record_read(task->reader, task->columns[k].index, first, count, task->columns[k].values);
      if (error != THUD_OK) return error;
    }
    for (size_t row = 0; row < count; row++) write_row(task, row);
    if (ferror(task->stream)) break;
  }
  return THUD_OK;
}

static thud_error prepare(csv_export *task, const size_t *channels) {
  task->columns = THUD_NEW_ARRAY(task->context, csv_column, task->count);
  if (task->columns == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < task->count; k++) {
    csv_column *column = &task->columns[k];
    size_t rows_of_width;
    column->index = channels != NULL ? channels[k] : k;
    column->channel = thud_record_reader_channel(task->reader, column->index);
    if (column->channel == NULL)
      return thud_fail(task->context, THUD_ERROR_ARGUMENT, "csv: there is no channel %zu", column->index);
    if (!thud_size_multiply(column->channel->width, ROWS_AT_ONCE, &rows_of_width))
      return thud_fail(task->context, THUD_ERROR_OVERFLOW, "csv: channel '%s' is too wide", column->channel->name);
    column->values = THUD_NEW_ARRAY(task->context, double, rows_of_width);
    if (column->values == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

thud_error thud_record_write_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                 size_t channel_count, const size_t *channels, FILE *stream) {
  csv_export task = {.context = thud_record_reader_context(reader), .reader = reader, .stream = stream};
  task.options = options != NULL ? *options : thud_record_csv_options_default();
  task.count = channel_count > 0 ? channel_count : thud_record_reader_info(reader).channel_count;
  if (stream == NULL || (channel_count > 0 && channels == NULL))
    return thud_fail(task.context, THUD_ERROR_ARGUMENT, "csv: a stream and the list of channels are needed");
  thud_error error = thud_options_check(task.context, &csv_table, &task.options);
  if (error == THUD_OK) error = prepare(&task, channel_count > 0 ? channels : NULL);
  if (error == THUD_OK) {
    errno = 0;
    write_header(&task);
    error = write_rows(&task);
    if (error == THUD_OK) error = csv_flush(task.context, stream);
  }
  for (size_t k = 0; task.columns != NULL && k < task.count; k++) thud_free(task.context, task.columns[k].values);
  thud_free(task.context, task.columns);
  return error;
}

thud_error csv_flush(thud_context *context, FILE *stream) {
  if (fflush(stream) == 0 && !ferror(stream)) return THUD_OK;
  return thud_fail(context, THUD_ERROR_FILE, "csv: writing failed (%s)", strerror(errno));
}

thud_error csv_write_file(thud_context *context, const char *path, bool overwrite, csv_write_fn write, void *user) {
  thud_output output;
  thud_error error = thud_output_begin(context, path, overwrite, &output);
  if (error != THUD_OK) return error;
  FILE *stream = fopen(output.temporary, "wb");
  if (stream == NULL) {
    error = thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(errno));
  } else {
    error = write(user, stream);
    if (fclose(stream) != 0 && error == THUD_OK)
      error = thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(errno));
    else if (error == THUD_ERROR_FILE)
      error = thud_fail_within(context, error, "%s", path);
  }
  if (error == THUD_OK) return thud_output_commit(context, &output, overwrite);
  thud_output_cancel(context, &output);
  return error;
}

/* The arguments of thud_record_export_csv. */
typedef struct csv_file {
  thud_record_reader *reader;
  const thud_record_csv_options *options;
  size_t count;
  const size_t *channels;
} csv_file;

static thud_error write_file(void *user, FILE *stream) {
  const csv_file *file = user;
  return thud_record_write_csv(file->reader, file->options, file->count, file->channels, stream);
}

thud_error thud_record_export_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                  size_t channel_count, const size_t *channels, const char *path) {
  csv_file file = {.reader = reader, .options = options, .count = channel_count, .channels = channels};
  return csv_write_file(thud_record_reader_context(reader), path, options != NULL && options->overwrite, write_file,
                        &file);
}
