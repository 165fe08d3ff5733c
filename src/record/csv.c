#include "base/base.h"
#include "record/csv.h"
#include "record/record_names.h"
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

static const thud_option_table csv_table = {.name = "csv",
                                            .struct_size = sizeof(thud_record_csv_options),
                                            .keys = csv_keys,
                                            .count = sizeof csv_keys / sizeof *csv_keys};

const thud_option_table *thud_record_csv_option_table(void) { return &csv_table; }

/* One channel being exported. */
typedef struct csv_column {
  size_t index;
  const thud_record_channel *channel;
  const thud_record_channel *at; /* whose values these are; NULL: nobody's */
  size_t at_index;
  double *values; /* [ROWS_AT_ONCE x width]; ragged channels: NULL */
} csv_column;

typedef struct csv_export {
  thud_context *context;
  thud_record_reader *reader;
  thud_record_csv_options options;
  thud_record_table table;
  size_t count;
  csv_column *columns; /* [count] */
  FILE *stream;
} csv_export;

void thud_csv_write_bytes(FILE *stream, const char *text, size_t count) {
  bool plain = true;
  for (size_t k = 0; k < count && plain; k++) plain = strchr(",\"\r\n", text[k]) == NULL || text[k] == '\0';
  if (!plain) fputc('"', stream);
  for (size_t k = 0; k < count; k++) {
    if (text[k] == '"') fputc('"', stream);
    fputc(text[k], stream);
  }
  if (!plain) fputc('"', stream);
}

void thud_csv_write_field(FILE *stream, const char *text) { thud_csv_write_bytes(stream, text, strlen(text)); }

void thud_csv_write_title(FILE *stream, const char *channel, const char *name, const char *unit) {
  char title[3 * THUD_RECORD_NAME_LENGTH + 8];
  bool prefix = channel != NULL, with_unit = unit[0] != '\0';
  snprintf(title, sizeof title, "%s%s%s%s%s%s%s", prefix ? channel : "", prefix ? "[" : "", name, prefix ? "]" : "",
           with_unit ? " [" : "", unit, with_unit ? "]" : "");
  thud_csv_write_field(stream, title);
}

static bool has_component(const thud_record_channel *channel, const char *name) {
  for (size_t c = 0; c < thud_record_component_count(channel); c++)
    if (strcmp(channel->components[c], name) == 0) return true;
  return false;
}

bool thud_csv_needs_prefix(const thud_record_reader *reader, thud_record_table table,
                           const thud_record_channel *channel) {
  if (channel->state || strcmp(channel->role, "position") == 0 || strcmp(channel->role, "velocity") == 0) return false;
  for (size_t k = 0; k < thud_record_reader_info(reader).channel_count[table]; k++) {
    const thud_record_channel *other = thud_record_reader_channel(reader, table, k);
    if (other->left != NULL && strcmp(other->left, channel->name) == 0) return true;
    for (size_t c = 0; other != channel && c < thud_record_component_count(channel); c++)
      if (has_component(other, channel->components[c])) return true;
  }
  return false;
}

static void write_header(const csv_export *task) {
  for (size_t k = 0; k < task->count; k++) {
    const thud_record_channel *channel = task->columns[k].channel;
    const char *prefix = thud_csv_needs_prefix(task->reader, task->table, channel) ? channel->name : NULL;
    const char *unit = task->options.units ? channel->unit : "";
    if (k > 0) fputc(',', task->stream);
    if (channel->width == 0) thud_csv_write_title(task->stream, NULL, channel->name, unit);
    for (size_t c = 0; c < channel->width; c++) {
      if (c > 0) fputc(',', task->stream);
      thud_csv_write_title(task->stream, prefix, channel->components[c], unit);
    }
  }
  fputc('\n', task->stream);
}

/* 17 significant digits read back as the same double; the locale's decimal mark becomes a point. */
void thud_csv_write_number(FILE *stream, double value) {
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

/* The name of a value, when it has one. */
static const char *label_of(const thud_record_channel *channel, double value) {
  bool named = value >= 0 && value < (double)channel->label_count;
  return named ? channel->labels[(size_t)value] : NULL;
}

void thud_csv_write_value(FILE *stream, const thud_record_csv_options *options, const thud_record_channel *channel,
                          double value) {
  const char *label = label_of(channel, value);
  if (label != NULL) {
    thud_csv_write_field(stream, label);
  } else if (options->side_as_sign && strcmp(channel->role, "side") == 0) {
    if (value != 0) fputc(value < 0 ? '-' : '+', stream);
  } else {
    thud_csv_write_number(stream, value);
  }
}

/* Labels within a list of values may need the quotes of the whole field. */
static bool list_needs_quotes(const thud_record_channel *channel, const thud_record_cell *cell) {
  for (size_t k = 0; channel != NULL && k < cell->count; k++) {
    const char *label = label_of(channel, cell->values[k]);
    if (label != NULL && strpbrk(label, ",\"\r\n") != NULL) return true;
  }
  return false;
}

/* A label or number within a list; the quotes of the field are around it already. */
static void write_item(FILE *stream, const thud_record_channel *channel, double value) {
  const char *label = label_of(channel, value);
  if (label == NULL) thud_csv_write_number(stream, value);
  for (; label != NULL && *label != '\0'; label++) {
    if (*label == '"') fputc('"', stream);
    fputc(*label, stream);
  }
}

/* "1 2 3", "1;2 3;4" in groups of two, "floor=1 wall=2" with a channel that says whose they are. */
static void write_list(const csv_export *task, const csv_column *column, const thud_record_cell *cell,
                       const thud_record_cell *owners) {
  bool quoted = list_needs_quotes(column->channel, cell) || list_needs_quotes(column->at, owners);
  size_t group = column->channel->group;
  if (quoted) fputc('"', task->stream);
  for (size_t k = 0; k < cell->count; k++) {
    if (k > 0) fputc(k % group == 0 ? ' ' : ';', task->stream);
    if (column->at != NULL && k % group == 0) {
      write_item(task->stream, column->at, owners->values[k / group]);
      fputc('=', task->stream);
    }
    write_item(task->stream, column->channel, cell->values[k]);
  }
  if (quoted) fputc('"', task->stream);
}

static thud_error write_ragged(const csv_export *task, const csv_column *column, size_t row) {
  thud_record_cell cell, owners = {0};
  thud_error error = thud_record_read_cell(task->reader, task->table, column->index, row, &cell);
  if (error == THUD_OK && column->at != NULL)
    error = thud_record_read_cell(task->reader, task->table, column->at_index, row, &owners);
  if (error != THUD_OK) return error;
  if (cell.text != NULL) {
    thud_csv_write_bytes(task->stream, cell.text, cell.count);
    return THUD_OK;
  }
  if (column->at != NULL && cell.count > 0 &&
      (owners.values == NULL || owners.count * column->channel->group != cell.count))
    return thud_fail(task->context, THUD_ERROR_FORMAT,
                     "[record-damaged] the record is damaged: row %zu of channel '%s' does not belong to '%s'", row,
                     column->channel->name, column->at->name);
  write_list(task, column, &cell, &owners);
  return THUD_OK;
}

/* row: of the table; block: the first row in memory. */
static thud_error write_row(const csv_export *task, size_t row, size_t block) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < task->count && error == THUD_OK; k++) {
    const csv_column *column = &task->columns[k];
    size_t width = column->channel->width;
    if (k > 0) fputc(',', task->stream);
    if (width == 0) error = write_ragged(task, column, row);
    for (size_t c = 0; c < width; c++) {
      if (c > 0) fputc(',', task->stream);
      thud_csv_write_value(task->stream, &task->options, column->channel, column->values[(row - block) * width + c]);
    }
  }
  fputc('\n', task->stream);
  return error;
}

static thud_error write_rows(const csv_export *task) {
  size_t rows = thud_record_reader_info(task->reader).rows[task->table];
  thud_error error = THUD_OK;
  for (size_t first = 0; first < rows && error == THUD_OK && !ferror(task->stream); first += ROWS_AT_ONCE) {
    size_t count = rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE;
    for (size_t k = 0; k < task->count && error == THUD_OK; k++)
      if (task->columns[k].values != NULL)
        error =
            thud_record_read(task->reader, task->table, task->columns[k].index, first, count, task->columns[k].values);
    for (size_t row = 0; row < count && error == THUD_OK; row++) error = write_row(task, first + row, first);
  }
  return error;
}

static thud_error prepare_column(csv_export *task, size_t index, csv_column *column) {
  size_t rows_of_width;
  column->index = index;
  column->channel = thud_record_reader_channel(task->reader, task->table, index);
  if (column->channel == NULL)
    return thud_fail(task->context, THUD_ERROR_ARGUMENT, "[unknown-channel] csv: there is no channel %zu of the %s",
                     index, thud_record_table_name(task->table));
  if (column->channel->at != NULL) {
    thud_error error = thud_record_find_channel(task->reader, task->table, column->channel->at, &column->at_index);
    if (error != THUD_OK) return error;
    column->at = thud_record_reader_channel(task->reader, task->table, column->at_index);
  }
  if (column->channel->width == 0) return THUD_OK;
  if (!thud_size_multiply(column->channel->width, ROWS_AT_ONCE, &rows_of_width))
    return thud_fail(task->context, THUD_ERROR_OVERFLOW, "csv: channel '%s' is too wide", column->channel->name);
  column->values = THUD_NEW_ARRAY(task->context, double, rows_of_width);
  return column->values != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error prepare(csv_export *task, const size_t *channels) {
  task->columns = THUD_NEW_ARRAY(task->context, csv_column, task->count);
  thud_error error = task->columns != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < task->count && error == THUD_OK; k++)
    error = prepare_column(task, channels != NULL ? channels[k] : k, &task->columns[k]);
  return error;
}

static thud_error check_table(const csv_export *task) {
  if (thud_record_table_name(task->table) == NULL)
    return thud_fail(task->context, THUD_ERROR_ARGUMENT, "csv: there is no such table");
  if (task->count == 0)
    return thud_fail(task->context, THUD_ERROR_NOT_FOUND, "csv: the record has no %s",
                     thud_record_table_name(task->table));
  return THUD_OK;
}

thud_error thud_record_write_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                 thud_record_table table, size_t channel_count, const size_t *channels, FILE *stream) {
  THUD_REQUIRE_OF(reader, channel_count == 0 || channels, stream);
  csv_export task = {.context = thud_record_reader_context(reader), .reader = reader, .table = table, .stream = stream};
  bool known = thud_record_table_name(table) != NULL;
  task.count = channel_count > 0 || !known ? channel_count : thud_record_reader_info(reader).channel_count[table];
  thud_error error = thud_options_take(task.context, &csv_table, options, &task.options);
  if (error == THUD_OK) error = check_table(&task);
  if (error == THUD_OK) error = prepare(&task, channel_count > 0 ? channels : NULL);
  if (error == THUD_OK) {
    errno = 0;
    write_header(&task);
    error = write_rows(&task);
    if (error == THUD_OK) error = thud_csv_flush(task.context, stream);
  }
  for (size_t k = 0; task.columns != NULL && k < task.count; k++) thud_free(task.context, task.columns[k].values);
  thud_free(task.context, task.columns);
  return error;
}

thud_error thud_csv_flush(thud_context *context, FILE *stream) {
  if (fflush(stream) == 0 && !ferror(stream)) return THUD_OK;
  return thud_fail(context, THUD_ERROR_FILE, "writing failed (%s)", strerror(errno));
}

thud_error thud_csv_write_file(thud_context *context, const char *path, bool overwrite, csv_write_fn write,
                               void *user) {
  thud_output output;
  thud_error error = thud_output_begin(context, path, overwrite, &output);
  if (error != THUD_OK) return error;
  FILE *stream = fopen(thud_output_name(&output), "wb");
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
  thud_record_table table;
  size_t count;
  const size_t *channels;
} csv_file;

static thud_error write_file(void *user, FILE *stream) {
  const csv_file *file = user;
  return thud_record_write_csv(file->reader, file->options, file->table, file->count, file->channels, stream);
}

thud_error thud_record_export_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                  thud_record_table table, size_t channel_count, const size_t *channels,
                                  const char *path) {
  THUD_REQUIRE_OF(reader, channel_count == 0 || channels, path);
  csv_file file = {.reader = reader, .options = options, .table = table, .count = channel_count, .channels = channels};
  return thud_csv_write_file(thud_record_reader_context(reader), path, options != NULL && options->overwrite,
                             write_file, &file);
}
