/* The events of a record as CSV for people: what happened, where, and what it did. */
#include "record/csv.h"
#include "record/reader.h"
#include "base/base.h"
#include "thud/event.h"

#include <errno.h>
#include <string.h>

typedef enum event_column {
  COLUMN_T,
  COLUMN_EVENT,
  COLUMN_ERROR,
  COLUMN_LEFT,
  COLUMN_Q,
  COLUMN_INVOLVED,
  COLUMN_MODE_LEFT,
  COLUMN_MODE,
  COLUMN_IMPULSE,
  COLUMNS
} event_column;

/* One row of the record at a time; channels of constraints are missing in systems without any. */
typedef struct event_export {
  thud_context *context;
  thud_record_reader *reader;
  thud_record_csv_options options;
  FILE *stream;
  const thud_record_channel *channels[COLUMNS]; /* NULL: missing */
  size_t index[COLUMNS];
  double *values[COLUMNS]; /* [width] */
} event_export;

static size_t width_of(const event_export *task, event_column column) {
  return task->channels[column] != NULL ? task->channels[column]->width : 0;
}

static thud_error prepare(event_export *task) {
  static const char *const roles[COLUMNS] = {"time",     "event",     "time_error", "velocity_left", "position_series",
                                             "involved", "mode_left", "mode",       "impulse"};
  for (event_column k = COLUMN_T; k < COLUMNS; k++) {
    thud_error error = thud_record_find_role(task->reader, roles[k], &task->index[k]);
    if (error != THUD_OK && k >= COLUMN_INVOLVED) continue;
    if (error != THUD_OK) return error;
    task->channels[k] = thud_record_reader_channel(task->reader, task->index[k]);
    task->values[k] = THUD_NEW_ARRAY(task->context, double, task->channels[k]->width);
    if (task->values[k] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

/* "before[x'] [m/s]" for every component of a channel. */
static void write_titles(const event_export *task, const char *name, event_column column) {
  for (size_t c = 0; c < width_of(task, column); c++) {
    const thud_record_channel *channel = task->channels[column];
    fputc(',', task->stream);
    csv_write_title(task->stream, name, channel->components[c], task->options.units ? channel->unit : "");
  }
}

static void write_header(const event_export *task) {
  const char *time = task->options.units ? task->channels[COLUMN_T]->unit : "";
  csv_write_title(task->stream, NULL, "t", time);
  fputs(",kind,constraints,modes,", task->stream);
  csv_write_title(task->stream, NULL, "t_error", time);
  write_titles(task, "impulse", COLUMN_IMPULSE);
  write_titles(task, "before", COLUMN_LEFT);
  write_titles(task, "after", COLUMN_LEFT);
  fputc('\n', task->stream);
}

static const char *mode_name(const event_export *task, event_column column, size_t i) {
  return thud_contact_mode_name((thud_contact_mode)(int)task->values[column][i]);
}

/* "floor wall", and their modes "open-leaving lasting-open". */
static void write_constraints(const event_export *task) {
  const char *separator = ",";
  for (size_t i = 0; i < width_of(task, COLUMN_INVOLVED); i++) {
    if (task->values[COLUMN_INVOLVED][i] == 0) continue;
    fputs(separator, task->stream);
    fputs(task->channels[COLUMN_INVOLVED]->components[i], task->stream);
    separator = " ";
  }
  if (separator[0] == ',') fputc(',', task->stream);
  separator = ",";
  for (size_t i = 0; i < width_of(task, COLUMN_INVOLVED); i++) {
    if (task->values[COLUMN_INVOLVED][i] == 0) continue;
    fprintf(task->stream, "%s%s-%s", separator, mode_name(task, COLUMN_MODE_LEFT, i), mode_name(task, COLUMN_MODE, i));
    separator = " ";
  }
  if (separator[0] == ',') fputc(',', task->stream);
}

static void write_numbers(const event_export *task, size_t count, const double *values) {
  for (size_t k = 0; k < count; k++) {
    fputc(',', task->stream);
    csv_write_number(task->stream, values[k]);
  }
}

static void write_event(const event_export *task) {
  size_t n = width_of(task, COLUMN_LEFT);
  csv_write_number(task->stream, task->values[COLUMN_T][0]);
  fprintf(task->stream, ",%s", thud_event_kind_name((thud_event_kind)(int)task->values[COLUMN_EVENT][0]));
  write_constraints(task);
  write_numbers(task, 1, task->values[COLUMN_ERROR]);
  write_numbers(task, width_of(task, COLUMN_IMPULSE), task->values[COLUMN_IMPULSE]);
  write_numbers(task, n, task->values[COLUMN_LEFT]);
  write_numbers(task, n, task->values[COLUMN_Q] + n); /* the second coefficients: velocities at the start of the arc */
  fputc('\n', task->stream);
}

static thud_error write_rows(event_export *task) {
  size_t rows = thud_record_reader_info(task->reader).rows;
  thud_error error = THUD_OK;
  for (size_t row = 0; row < rows && error == THUD_OK && !ferror(task->stream); row++) {
    error = thud_record_read(task->reader, task->index[COLUMN_EVENT], row, 1, task->values[COLUMN_EVENT]);
    if (error != THUD_OK || !(task->values[COLUMN_EVENT][0] >= 0)) continue;
    for (size_t k = 0; k < COLUMNS && error == THUD_OK; k++)
      if (task->channels[k] != NULL) error = thud_record_read(task->reader, task->index[k], row, 1, task->values[k]);
    if (error == THUD_OK) write_event(task);
  }
  return error;
}

/* Records of other methods have their events as texts. */
static thud_error write_notes(const event_export *task) {
  size_t count = thud_record_reader_info(task->reader).event_count;
  thud_error error = THUD_OK;
  fputs("t,kind,text\n", task->stream);
  for (size_t k = 0; k < count && error == THUD_OK && !ferror(task->stream); k++) {
    thud_record_note note;
    error = thud_record_read_event(task->reader, k, &note);
    if (error != THUD_OK) break;
    csv_write_number(task->stream, note.t);
    fprintf(task->stream, ",%s,", note.kind);
    csv_write_field(task->stream, note.text);
    fputc('\n', task->stream);
  }
  return error;
}

thud_error thud_record_write_events_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                        FILE *stream) {
  event_export task = {.context = thud_record_reader_context(reader), .reader = reader, .stream = stream};
  task.options = options != NULL ? *options : thud_record_csv_options_default();
  if (stream == NULL) return thud_fail(task.context, THUD_ERROR_ARGUMENT, "csv: a stream is needed");
  size_t series;
  bool arcs = thud_record_find_role(reader, "position_series", &series) == THUD_OK;
  thud_error error = thud_options_check(task.context, thud_record_csv_option_table(), &task.options);
  if (error == THUD_OK && arcs) error = prepare(&task);
  if (error == THUD_OK) {
    errno = 0;
    if (arcs) write_header(&task);
    error = arcs ? write_rows(&task) : write_notes(&task);
    if (error == THUD_OK) error = csv_flush(task.context, stream);
  }
  for (size_t k = 0; k < COLUMNS; k++) thud_free(task.context, task.values[k]);
  return error;
}

typedef struct event_file {
  thud_record_reader *reader;
  const thud_record_csv_options *options;
} event_file;

static thud_error write_file(void *user, FILE *stream) {
  const event_file *file = user;
  return thud_record_write_events_csv(file->reader, file->options, stream);
}

thud_error thud_record_export_events_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                         const char *path) {
  event_file file = {.reader = reader, .options = options};
  return csv_write_file(thud_record_reader_context(reader), path, options != NULL && options->overwrite, write_file,
                        &file);
}
