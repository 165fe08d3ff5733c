/* Continuing a record: a copy of the old one up to its newest checkpoint takes its place, then goes on growing. */
#include "record/writer.h"

#include <string.h>

enum { ROWS_AT_ONCE = 256 };

typedef struct copy_job {
  thud_record_reader *old;
  const thud_record_resumption *until;
} copy_job;

/* Rows of every channel, a block at a time. values[k] is room for ROWS_AT_ONCE rows of channel k. */
static thud_error copy_block(thud_record_writer *writer, const copy_job *job, size_t first, size_t count,
                             double *const *values, const double **row) {
  size_t channels = thud_record_reader_info(job->old).channel_count;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < channels && error == THUD_OK; k++)
    error = thud_record_read(job->old, k, first, count, values[k]);
  for (size_t i = 0; i < count && error == THUD_OK; i++) {
    for (size_t k = 0; k < channels; k++) row[k] = values[k] + i * thud_record_reader_channel(job->old, k)->width;
    error = thud_record_append(writer, row);
  }
  return error;
}

static thud_error copy_rows(thud_record_writer *writer, const copy_job *job) {
  thud_context *context = writer->context;
  size_t channels = thud_record_reader_info(job->old).channel_count, width = 0;
  for (size_t k = 0; k < channels; k++) width += thud_record_reader_channel(job->old, k)->width;
  size_t total;
  if (!thud_size_multiply(width, ROWS_AT_ONCE, &total)) return THUD_ERROR_OVERFLOW;
  double *room = THUD_NEW_ARRAY(context, double, total);
  double **values = THUD_NEW_ARRAY(context, double *, channels);
  const double **row = THUD_NEW_ARRAY(context, const double *, channels);
  thud_error error = room != NULL && values != NULL && row != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  double *next = room;
  for (size_t k = 0; k < channels && error == THUD_OK; k++) {
    values[k] = next;
    next += ROWS_AT_ONCE * thud_record_reader_channel(job->old, k)->width;
  }
  for (size_t first = 0; first < job->until->rows && error == THUD_OK; first += ROWS_AT_ONCE) {
    size_t left = job->until->rows - first;
    error = copy_block(writer, job, first, left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE, values, row);
  }
  thud_free(context, row);
  thud_free(context, values);
  thud_free(context, room);
  return error;
}

static thud_error copy_notes(thud_record_writer *writer, const copy_job *job) {
  thud_record_note note;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < job->until->events && error == THUD_OK; k++) {
    error = thud_record_read_event(job->old, k, &note);
    if (error == THUD_OK) error = thud_record_add_event(writer, note.t, note.kind, note.text);
  }
  for (size_t k = 0; k < job->until->warnings && error == THUD_OK; k++) {
    error = thud_record_read_warning(job->old, k, &note);
    if (error == THUD_OK) error = thud_record_add_warning(writer, note.t, note.kind, note.text);
  }
  return error;
}

static thud_error fill(thud_record_writer *writer, void *user) {
  const copy_job *job = user;
  thud_error error = copy_rows(writer, job);
  if (error == THUD_OK) error = copy_notes(writer, job);
  return error == THUD_OK ? thud_record_checkpoint(writer, job->until->state, job->until->size) : error;
}

/* Ended by itself: nothing is left to do. A stopped run may go on. */
static thud_error check_resumable(thud_context *context, const char *path, const thud_record_info *info,
                                  const char *scene, const char *method) {
  if (info->finished && strcmp(info->verdict, "stopped") != 0)
    return thud_fail(context, THUD_ERROR_EXISTS, "%s: this run has ended (verdict %s): nothing is left to resume", path,
                     info->verdict);
  if (strcmp(info->scene, scene) != 0 || strcmp(info->method, method) != 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s: the record was made by another scene (or other --set values): resume it with its own", path);
  return THUD_OK;
}

static thud_error restart(thud_context *context, const char *path, const thud_record_options *options,
                          thud_record_reader *old, const thud_record_resumption *until, thud_record_writer **writer) {
  thud_record_info info = thud_record_reader_info(old);
  thud_record_options chosen = options != NULL ? *options : thud_record_options_default();
  thud_record_channel *channels = THUD_NEW_ARRAY(context, thud_record_channel, info.channel_count);
  if (channels == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < info.channel_count; k++) channels[k] = *thud_record_reader_channel(old, k);
  chosen.overwrite = true;
  thud_record_header header = {
      .title = info.title, .method = info.method, .scene = info.scene, .options = info.options};
  copy_job job = {.old = old, .until = until};
  thud_error error =
      thud_record_create_filled(context, path, &chosen, &header, info.channel_count, channels, fill, &job, writer);
  thud_free(context, channels);
  return error;
}

thud_error thud_record_resume(thud_context *context, const char *path, const thud_record_options *options,
                              const char *scene, const char *method, thud_record_writer **writer,
                              thud_record_resumption *resumption) {
  if (path == NULL || scene == NULL || method == NULL || writer == NULL || resumption == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: path, scene, method, writer and resumption are needed");
  thud_record_reader *old;
  thud_record_resumption found = {0};
  thud_error error = thud_record_open(context, path, &old);
  if (error != THUD_OK) return error;
  thud_record_info info = thud_record_reader_info(old);
  error = check_resumable(context, path, &info, scene, method);
  if (error == THUD_OK) error = thud_record_read_checkpoint(old, &found);
  if (error == THUD_OK) error = restart(context, path, options, old, &found, writer);
  if (error == THUD_OK)
    *resumption = found;
  else
    thud_record_resumption_free(context, &found);
  thud_record_reader_destroy(old);
  return error;
}
