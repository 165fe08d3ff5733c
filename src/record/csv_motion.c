/* The motion of an event-driven record at asked times, as CSV. */
#include "record/csv.h"
#include "record/reader.h"
#include "base/base.h"
#include "thud/event.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 64, MOST_TIMES = 100000000 };

/* A time this close to that of an event, relative, is the event's. */
static const double rounding = 16 * DBL_EPSILON;

/* Those of contacts, from COLUMN_REACTION on, are read when they are asked for and present. */
typedef enum motion_column {
  COLUMN_T,
  COLUMN_END,
  COLUMN_EVENT,
  COLUMN_LEFT,
  COLUMN_Q,
  COLUMN_REACTION,
  COLUMN_IMPULSE, /* as wide as one coefficient of the reaction */
  COLUMN_MODE,
  COLUMN_MODE_LEFT,
  COLUMN_ACCUMULATION,
  COLUMNS
} motion_column;

typedef struct motion_export {
  thud_context *context;
  thud_record_reader *reader;
  thud_record_csv_options options;
  FILE *stream;
  size_t rows;
  size_t channels[COLUMNS], widths[COLUMNS];
  double *values[COLUMNS]; /* [ROWS_AT_ONCE*width] of the rows from `first` on */
  size_t first;
  unsigned asked; /* THUD_RECORD_COLUMN_... */
  size_t n, forces, m;
  double *left, *q, *v;                   /* [n] */
  double *force_left, *force, *mode_left; /* [forces], [forces], [m] */
  double *times;                          /* [count] ascending */
  size_t count, next;
  bool events; /* lines at events that nobody asked for */
} motion_export;

/* ---- start and end ----------------------------------------------------------------------------------------------- */

static bool asks_for_contacts(const motion_export *task) {
  return (task->asked & (THUD_RECORD_COLUMN_REACTION | THUD_RECORD_COLUMN_MODE)) != 0;
}

static thud_error find_columns(motion_export *task) {
  static const char *const roles[COLUMNS] = {
      "time",    "end",  "event",     "velocity_left", "position_series", "reaction_series",
      "impulse", "mode", "mode_left", "accumulation"};
  size_t series;
  if (thud_record_find_role(task->reader, roles[COLUMN_Q], &series) != THUD_OK)
    return thud_fail(
        task->context, THUD_ERROR_UNSUPPORTED,
        "only event-driven records know the motion between their rows; export the rows of this one as they "
        "are, or give the times to 'thud run --at'");
  for (size_t k = 0; k < COLUMNS; k++) {
    if (k >= COLUMN_REACTION && !asks_for_contacts(task)) break;
    thud_error error = thud_record_find_role(task->reader, roles[k], &task->channels[k]);
    if (error != THUD_OK && k >= COLUMN_REACTION) continue;
    if (error != THUD_OK) return error;
    task->widths[k] = thud_record_reader_channel(task->reader, task->channels[k])->width;
  }
  task->n = task->widths[COLUMN_LEFT];
  task->forces = task->widths[COLUMN_IMPULSE];
  task->m = task->widths[COLUMN_MODE];
  task->rows = thud_record_reader_info(task->reader).rows;
  if (task->rows == 0 || task->widths[COLUMN_Q] % task->n != 0)
    return thud_fail(task->context, THUD_ERROR_FORMAT, "the record holds no motion");
  return THUD_OK;
}

static thud_error allocate(motion_export *task) {
  bool made = true;
  for (size_t k = 0; k < COLUMNS; k++) {
    size_t values;
    if (!thud_size_multiply(task->widths[k], ROWS_AT_ONCE, &values)) return THUD_ERROR_OVERFLOW;
    task->values[k] = THUD_NEW_ARRAY(task->context, double, values);
    made = made && task->values[k] != NULL;
  }
  task->left = THUD_NEW_ARRAY(task->context, double, task->n);
  task->q = THUD_NEW_ARRAY(task->context, double, task->n);
  task->v = THUD_NEW_ARRAY(task->context, double, task->n);
  task->force_left = THUD_NEW_ARRAY(task->context, double, task->forces);
  task->force = THUD_NEW_ARRAY(task->context, double, task->forces);
  task->mode_left = THUD_NEW_ARRAY(task->context, double, task->m);
  task->first = SIZE_MAX;
  made = made && task->left != NULL && task->q != NULL && task->v != NULL;
  return made && task->force_left != NULL && task->force != NULL && task->mode_left != NULL ? THUD_OK
                                                                                            : THUD_ERROR_MEMORY;
}

static void free_all(motion_export *task) {
  for (size_t k = 0; k < COLUMNS; k++) thud_free(task->context, task->values[k]);
  thud_free(task->context, task->left);
  thud_free(task->context, task->q);
  thud_free(task->context, task->v);
  thud_free(task->context, task->force_left);
  thud_free(task->context, task->force);
  thud_free(task->context, task->mode_left);
  thud_free(task->context, task->times);
}

/* ---- rows and times ---------------------------------------------------------------------------------------------- */

/* Makes the row present; rows are visited in their order. */
static thud_error load(motion_export *task, size_t row) {
  if (task->first != SIZE_MAX && row >= task->first && row < task->first + ROWS_AT_ONCE) return THUD_OK;
  size_t count = task->rows - row < ROWS_AT_ONCE ? task->rows - row : ROWS_AT_ONCE;
  task->first = row;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < COLUMNS && error == THUD_OK; k++)
    if (task->widths[k] > 0) error = thud_record_read(task->reader, task->channels[k], row, count, task->values[k]);
  return error;
}

static const double *cell(const motion_export *task, motion_column column, size_t row) {
  return task->values[column] + (row - task->first) * task->widths[column];
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* All asked times, sorted; start and end are those of the record. */
static thud_error gather_times(motion_export *task, const thud_record_times *asked, double start, double end) {
  double steps = asked->every > 0 ? ceil((end - start) / asked->every * (1 - 1e-12)) : -1;
  if (!(asked->every >= 0) || !(steps <= MOST_TIMES))
    return thud_fail(task->context, THUD_ERROR_ARGUMENT, "times %g apart from %g to %g are not between 1 and %d",
                     asked->every, start, end, MOST_TIMES);
  size_t regular = (size_t)(steps + 1);
  task->times = THUD_NEW_ARRAY(task->context, double, asked->count + regular);
  if (task->times == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < regular; k++) task->times[k] = fmin(start + (double)k * asked->every, end);
  for (size_t k = 0; k < asked->count; k++) {
    if (!(asked->times[k] >= start && asked->times[k] <= end))
      return thud_fail(task->context, THUD_ERROR_ARGUMENT, "the time %g lies outside the record, from %g to %g",
                       asked->times[k], start, end);
    task->times[regular + k] = asked->times[k];
  }
  task->count = asked->count + regular;
  if (task->count > 0) qsort(task->times, task->count, sizeof *task->times, compare_times);
  task->events = asked->every > 0;
  return THUD_OK;
}

static thud_error read_span(motion_export *task, double *start, double *end) {
  thud_error error = thud_record_read(task->reader, task->channels[COLUMN_T], 0, 1, start);
  return error == THUD_OK ? thud_record_read(task->reader, task->channels[COLUMN_END], task->rows - 1, 1, end) : error;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Titles of the first `count` components of a channel, whose name goes in front when `prefix` is not NULL. */
static void write_titles(const motion_export *task, const char *prefix, const thud_record_channel *channel,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    fputc(',', task->stream);
    csv_write_title(task->stream, prefix, channel->components[i], task->options.units ? channel->unit : "");
  }
}

static const thud_record_channel *channel_of(const motion_export *task, motion_column column) {
  return thud_record_reader_channel(task->reader, task->channels[column]);
}

static void write_header(const motion_export *task) {
  const thud_record_channel *t = channel_of(task, COLUMN_T);
  csv_write_title(task->stream, NULL, t->components[0], task->options.units ? t->unit : "");
  fputs(",side", task->stream);
  if (task->asked & THUD_RECORD_COLUMN_Q) write_titles(task, NULL, channel_of(task, COLUMN_Q), task->n);
  if (task->asked & THUD_RECORD_COLUMN_V) write_titles(task, NULL, channel_of(task, COLUMN_LEFT), task->n);
  if (task->asked & THUD_RECORD_COLUMN_REACTION)
    write_titles(task, "reaction", channel_of(task, COLUMN_REACTION), task->forces);
  if (task->asked & THUD_RECORD_COLUMN_MODE) write_titles(task, "mode", channel_of(task, COLUMN_MODE), task->m);
  fputc('\n', task->stream);
}

static void write_values(const motion_export *task, unsigned column, size_t count, const double *values) {
  if ((task->asked & column) == 0) return;
  for (size_t k = 0; k < count; k++) {
    fputc(',', task->stream);
    csv_write_number(task->stream, values[k]);
  }
}

typedef struct motion_state {
  const double *q, *v, *force, *mode;
} motion_state;

static void write_line(const motion_export *task, double t, const char *side, motion_state state) {
  csv_write_number(task->stream, t);
  fprintf(task->stream, ",%s", task->options.side_as_sign ? side : side[0] == '\0' ? "0" : side[0] == '-' ? "-1" : "1");
  write_values(task, THUD_RECORD_COLUMN_Q, task->n, state.q);
  write_values(task, THUD_RECORD_COLUMN_V, task->n, state.v);
  write_values(task, THUD_RECORD_COLUMN_REACTION, task->forces, state.force);
  write_values(task, THUD_RECORD_COLUMN_MODE, task->m, state.mode);
  fputc('\n', task->stream);
}

/* Polynomials of `count` components of a row at time t. */
static void evaluate(const motion_export *task, motion_column column, size_t row, size_t count, double t,
                     double *values, double *slopes) {
  const thud_event_arc arc = {.t0 = *cell(task, COLUMN_T, row),
                              .degree = (thud_index)(task->widths[column] / count) - 1,
                              .q = cell(task, column, row)};
  thud_event_arc_evaluate(&arc, (thud_index)count, t, values, slopes);
}

/* Forces of the row's arc at time t. What replaces the rest of an accumulation does not have those of the motion. */
static void evaluate_forces(const motion_export *task, size_t row, double t, double *forces) {
  if (task->forces == 0) return;
  evaluate(task, COLUMN_REACTION, row, task->forces, t, forces, NULL);
  for (size_t k = 0; k < task->forces && *cell(task, COLUMN_ACCUMULATION, row) != 0; k++) forces[k] = NAN;
}

static const double *modes_of(const motion_export *task, motion_column column, size_t row) {
  return task->m > 0 ? cell(task, column, row) : NULL;
}

/* The lines at the time of the rows up to `row`, which share it; left, mode_left: what stood before them. */
static void write_node(motion_export *task, size_t row, bool event, bool jumps) {
  double t = *cell(task, COLUMN_T, row);
  const double *q = cell(task, COLUMN_Q, row), *v = q + task->n;
  bool asked = false, arc = *cell(task, COLUMN_END, row) > t;
  for (; task->next < task->count && task->times[task->next] <= t + rounding * fabs(t); task->next++) asked = true;
  if (!asked && !(event && task->events)) return;
  if (arc) evaluate_forces(task, row, t, task->force);
  const double *force = arc ? task->force : task->force_left; /* a row without arc has no forces of its own */
  if (jumps) write_line(task, t, "-", (motion_state){q, task->left, task->force_left, task->mode_left});
  write_line(task, t, jumps ? "+" : "", (motion_state){q, v, force, modes_of(task, COLUMN_MODE, row)});
}

/* The lines within the row's arc; `last`: and at its end. */
static void write_arc(motion_export *task, size_t row, bool last) {
  double t1 = *cell(task, COLUMN_END, row), before = last ? INFINITY : t1 - rounding * fabs(t1);
  for (; task->next < task->count && task->times[task->next] < before; task->next++) {
    double t = task->times[task->next];
    if (task->next > 0 && t == task->times[task->next - 1]) continue;
    evaluate(task, COLUMN_Q, row, task->n, t, task->q, task->v);
    evaluate_forces(task, row, t, task->force);
    write_line(task, t, "", (motion_state){task->q, task->v, task->force, modes_of(task, COLUMN_MODE, row)});
  }
  evaluate_forces(task, row, t1, task->force_left);
}

/* What stood before the row. */
static void keep_left(motion_export *task, size_t row) {
  memcpy(task->left, cell(task, COLUMN_LEFT, row), task->n * sizeof(double));
  if (task->m > 0) memcpy(task->mode_left, cell(task, COLUMN_MODE_LEFT, row), task->m * sizeof(double));
  if (row == 0) evaluate_forces(task, row, *cell(task, COLUMN_T, row), task->force_left);
}

static thud_error write_rows(motion_export *task) {
  bool happens = false, jumps = false, continues = false; /* the row shares its time with the one before */
  for (size_t row = 0; row < task->rows; row++) {
    thud_error error = load(task, row);
    if (error != THUD_OK) return error;
    double event = *cell(task, COLUMN_EVENT, row);
    bool arc = *cell(task, COLUMN_END, row) > *cell(task, COLUMN_T, row), last = row + 1 == task->rows;
    if (!continues) keep_left(task, row);
    happens = (continues && happens) || event >= 0;
    jumps = (continues && jumps) || event == THUD_EVENT_IMPACT || event == THUD_EVENT_ZENO ||
            (event >= 0 && asks_for_contacts(task));
    continues = !arc && !last;
    if (continues) continue;
    write_node(task, row, happens, jumps);
    write_arc(task, row, last);
    if (ferror(task->stream)) break;
  }
  return THUD_OK;
}

thud_error thud_record_write_motion_csv(thud_record_reader *reader, const thud_record_csv_options *options,
                                        const thud_record_times *times, FILE *stream) {
  motion_export task = {.context = thud_record_reader_context(reader), .reader = reader, .stream = stream};
  task.options = options != NULL ? *options : thud_record_csv_options_default();
  if (stream == NULL || times == NULL || (times->count > 0 && times->times == NULL))
    return thud_fail(task.context, THUD_ERROR_ARGUMENT, "csv: a stream and times are needed");
  const unsigned usual = THUD_RECORD_COLUMN_Q | THUD_RECORD_COLUMN_V;
  task.asked = times->columns != 0 ? times->columns : usual;
  double start = 0, end = 0;
  thud_error error = thud_options_check(task.context, thud_record_csv_option_table(), &task.options);
  if (error == THUD_OK) error = find_columns(&task);
  if (error == THUD_OK) error = allocate(&task);
  if (error == THUD_OK) error = read_span(&task, &start, &end);
  if (error == THUD_OK) error = gather_times(&task, times, start, end);
  if (error == THUD_OK) {
    errno = 0;
    write_header(&task);
    error = write_rows(&task);
    if (error == THUD_OK) error = csv_flush(task.context, stream);
  }
  free_all(&task);
  return error;
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
  motion_file file = {.reader = reader, .options = options, .times = times};
  return csv_write_file(thud_record_reader_context(reader), path, options != NULL && options->overwrite, write_file,
                        &file);
}
