/* The motion of a record at asked times, as CSV. */
#include "base/base.h"
#include "record/csv.h"
#include "record/reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES = 100000000 };

/* ---- times ------------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The channel with the times of the events; false: they have none. */
static bool find_event_times(const thud_record_reader *reader, size_t *channel) {
  size_t count = thud_record_reader_info(reader).channel_count[THUD_RECORD_EVENTS];
  for (*channel = 0; *channel < count; ++*channel) {
    const thud_record_channel *about = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, *channel);
    if (strcmp(about->role, "time") == 0 && about->width == 1) return true;
  }
  return false;
}

/* Event times behind the `count` asked ones; those outside (NaN: no time) are left out. */
static thud_error add_events(thud_record_reader *reader, size_t channel, size_t events, double start, double end,
                             double *times, size_t *count) {
  double *added = times + *count;
  thud_error error = thud_record_read(reader, THUD_RECORD_EVENTS, channel, 0, events, added);
  for (size_t k = 0; k < events && error == THUD_OK; k++)
    if (added[k] >= start && added[k] <= end) times[(*count)++] = added[k];
  return error;
}

thud_error thud_csv_gather_times(thud_record_reader *reader, const thud_record_times *asked, double start, double end,
                                 double **times, size_t *count) {
  thud_context *context = thud_record_reader_context(reader);
  double steps = asked->every > 0 ? ceil((end - start) / asked->every * (1 - 1e-12)) : -1;
  if (!(asked->every >= 0) || !(steps <= MOST_TIMES))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] times %g apart from %g to %g are not between 1 and %d",
                     asked->every, start, end, MOST_TIMES);
  size_t regular = (size_t)(steps + 1), channel = 0;
  bool timed = asked->every > 0 && find_event_times(reader, &channel);
  size_t events = timed ? thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS] : 0;
  *times = THUD_NEW_ARRAY(context, double, asked->count + regular + events + 1);
  if (*times == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < regular; k++) (*times)[k] = fmin(start + (double)k * asked->every, end);
  for (size_t k = 0; k < asked->count; k++) {
    if (!(asked->times[k] >= start && asked->times[k] <= end))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[time-outside] the time %g lies outside the record, from %g to %g", asked->times[k], start,
                       end);
    (*times)[regular + k] = asked->times[k];
  }
  *count = asked->count + regular;
  thud_error error = timed ? add_events(reader, channel, events, start, end, *times, count) : THUD_OK;
  if (error == THUD_OK && *count > 0) qsort(*times, *count, sizeof **times, compare_times);
  return error;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

typedef struct sample_export {
  thud_context *context;
  thud_record_reader *reader;
  thud_record_csv_options options;
  thud_record_sampler *sampler;
  size_t count, width;
  double *times;        /* [count] */
  double *left, *right; /* [width] */
  FILE *stream;
} sample_export;

static void write_header(const sample_export *task) {
  size_t time;
  bool units = task->options.units;
  thud_record_find_role(task->reader, THUD_RECORD_FRAMES, "time", &time);
  const thud_record_channel *t = thud_record_reader_channel(task->reader, THUD_RECORD_FRAMES, time);
  thud_csv_write_title(task->stream, NULL, t->components[0], units ? t->unit : "");
  fputs(",side", task->stream);
  for (size_t k = 0; k < task->width; k++) {
    thud_record_column column = thud_record_sampler_column(task->sampler, k);
    bool prefix = !column.derivative && thud_csv_needs_prefix(task->reader, THUD_RECORD_FRAMES, column.channel);
    fputc(',', task->stream);
    thud_csv_write_title(task->stream, prefix ? column.channel->name : NULL, column.component,
                         units ? column.unit : "");
  }
  fputc('\n', task->stream);
}

static void write_line(const sample_export *task, double t, int side, const double *values) {
  static const char *const signs[3] = {"-", "", "+"}, *const numbers[3] = {"-1", "0", "1"};
  thud_csv_write_number(task->stream, t);
  fprintf(task->stream, ",%s", (task->options.side_as_sign ? signs : numbers)[side + 1]);
  for (size_t k = 0; k < task->width; k++) {
    fputc(',', task->stream);
    thud_csv_write_value(task->stream, &task->options, thud_record_sampler_column(task->sampler, k).channel, values[k]);
  }
  fputc('\n', task->stream);
}

/* A time that was asked for twice, or that is that of a row, comes once. */
static thud_error write_lines(const sample_export *task) {
  thud_error error = THUD_OK;
  double last = NAN;
  for (size_t k = 0; k < task->count && error == THUD_OK && !ferror(task->stream); k++) {
    double t = task->times[k];
    bool jumps = false;
    error = thud_record_sample(task->sampler, &t, task->left, task->right, &jumps);
    if (error != THUD_OK || t == last) continue;
    last = t;
    if (jumps) write_line(task, t, -1, task->left);
    write_line(task, t, jumps ? 1 : 0, task->right);
  }
  return error;
}

static thud_error prepare(sample_export *task, const thud_record_times *times) {
  thud_error error = thud_record_sampler_create(task->reader, times->name_count, times->names, &task->sampler);
  if (error != THUD_OK) return error;
  double start, end;
  task->width = thud_record_sampler_width(task->sampler);
  task->left = THUD_NEW_ARRAY(task->context, double, task->width);
  task->right = THUD_NEW_ARRAY(task->context, double, task->width);
  if (task->left == NULL || task->right == NULL) return THUD_ERROR_MEMORY;
  thud_record_sampler_span(task->sampler, &start, &end);
  return thud_csv_gather_times(task->reader, times, start, end, &task->times, &task->count);
}

static thud_error write_samples(thud_record_reader *reader, const thud_record_csv_options *options,
                                const thud_record_times *times, FILE *stream) {
  sample_export task = {
      .context = thud_record_reader_context(reader), .reader = reader, .options = *options, .stream = stream};
  thud_error error = prepare(&task, times);
  if (error == THUD_OK) {
    errno = 0;
    write_header(&task);
    error = write_lines(&task);
    if (error == THUD_OK) error = thud_csv_flush(task.context, stream);
  }
  thud_record_sampler_destroy(task.sampler);
  thud_free(task.context, task.left);
  thud_free(task.context, task.right);
  thud_free(task.context, task.times);
  return error;
}

thud_error thud_record_write_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                        const thud_record_times *times, FILE *stream) {
  THUD_REQUIRE_OF(reader, times, stream);
  thud_context *context = thud_record_reader_context(reader);
  thud_record_csv_options chosen;
  if (times->count > 0 && times->times == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "csv: times are needed");
  thud_error error = thud_options_take(context, thud_record_csv_option_table(), options, &chosen);
  return error == THUD_OK ? write_samples(reader, &chosen, times, stream) : error;
}

/* The arguments of thud_record_export_motion_csv. */
typedef struct motion_file {
  thud_record_reader *reader;
  const thud_record_csv_options *options;
  const thud_record_times *times;
} motion_file;

static thud_error write_file(void *user, FILE *stream) {
  const motion_file *file = user;
  return thud_record_write_motion_csv(file->reader, file->options, file->times, stream);
}

thud_error thud_record_export_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                         const thud_record_times *times, const char *path) {
  THUD_REQUIRE_OF(reader, times, path);
  motion_file file = {.reader = reader, .options = options, .times = times};
  return thud_csv_write_file(thud_record_reader_context(reader), path, options != NULL && options->overwrite,
                             write_file, &file);
}
