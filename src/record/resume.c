/* Continuing a record: a copy of the old one up to its newest checkpoint takes its place, then goes on growing. */
#include "base/base.h"
#include "record/reader.h"
#include "record/writer.h"

#include <string.h>

enum { ROWS_AT_ONCE = 256 };

typedef struct copy_job {
  thud_record_reader *old;
  thud_seal_reader *seal; /* of the old record */
  const thud_record_resumption *until;
} copy_job;

/* The first rows of a column, chunk by chunk, as they are. */
static thud_error copy_column(thud_record_writer *writer, thud_record_reader *old, thud_column_reader *from,
                              size_t rows, thud_column_writer *to) {
  for (size_t first = 0; first < rows;) {
    const uint8_t *bytes;
    size_t there;
    thud_error error = thud_column_fetch(old->context, old->path, from, first, &old->space, &bytes, &there);
    if (error != THUD_OK) return error;
    size_t taken = there < rows - first ? there : rows - first;
    if (thud_column_push_bytes(to, taken, bytes, &writer->space) < 0) return thud_writer_fail_append(writer);
    first += taken;
  }
  return THUD_OK;
}

/* The ends of the first rows; *end: that of the last one, where the values are cut. */
static thud_error copy_ends(thud_record_writer *writer, thud_record_reader *old, thud_record_table table,
                            size_t channel, size_t rows, size_t *end) {
  size_t ends[ROWS_AT_ONCE];
  thud_error error = THUD_OK;
  *end = 0;
  for (size_t first = 0; first < rows && error == THUD_OK; first += ROWS_AT_ONCE) {
    size_t count = rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE;
    error = thud_record_read_ends(old, table, channel, first, count, NULL, ends);
    if (error == THUD_OK) *end = ends[count - 1];
  }
  return error != THUD_OK ? error
                          : copy_column(writer, old, &old->tables[table].columns[channel].ends, rows,
                                        &writer->tables[table].channels[channel].ends);
}

static thud_error copy_table(thud_record_writer *writer, const copy_job *job, thud_record_table table) {
  size_t rows = job->until->rows[table];
  thud_table_writer *to = &writer->tables[table];
  thud_error error = THUD_OK;
  for (size_t k = 0; k < to->count && error == THUD_OK; k++) {
    thud_channel_reader *from = &job->old->tables[table].columns[k];
    size_t count = rows;
    if (from->ragged) error = copy_ends(writer, job->old, table, k, rows, &count);
    if (error == THUD_OK) error = copy_column(writer, job->old, &from->values, count, &to->channels[k].values);
  }
  if (error == THUD_OK && job->seal->there && to->count > 0)
    error = copy_column(writer, job->old, &job->seal->digests[table], rows, &writer->seal.digests[table]);
  to->rows = rows;
  return error;
}

static thud_error fill(thud_record_writer *writer, void *user) {
  const copy_job *job = user;
  thud_error error = THUD_OK;
  for (int t = 0; t < THUD_RECORD_TABLES && error == THUD_OK; t++)
    error = copy_table(writer, job, (thud_record_table)t);
  return error == THUD_OK ? thud_record_checkpoint(writer, job->until->state, job->until->size) : error;
}

/* Ended by itself: nothing is left to do. A stopped run may go on. */
static thud_error check_resumable(thud_context *context, const char *path, const thud_record_info *info,
                                  const thud_record_header *header, bool extends) {
  if (extends) return THUD_OK; /* the caller has compared the scenes */
  if (info->finished && strcmp(info->verdict, "stopped") != 0)
    return thud_fail(context, THUD_ERROR_EXISTS,
                     "[cannot-resume] %s: this run has ended (verdict %s): nothing is left to resume", path,
                     info->verdict);
  if (strcmp(info->scene, header->scene) != 0 || strcmp(info->kind, header->kind) != 0 ||
      strcmp(info->method, header->method) != 0)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[cannot-resume] %s: the record was made by another scene (or other --set values): resume it with its own",
        path);
  if (strcmp(info->resolved, header->resolved != NULL ? header->resolved : "") != 0)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[cannot-resume] %s: the record was made with other defaults of the scene format: run the scene anew", path);
  return THUD_OK;
}

/* header: that of the longer run, NULL: the old one. */
static thud_error restart(thud_context *context, const char *path, const thud_record_options *options,
                          const thud_record_header *longer, thud_record_reader *old, thud_seal_reader *seal,
                          const thud_record_resumption *until, thud_record_writer **writer) {
  thud_record_info info = thud_record_reader_info(old);
  thud_record_options chosen;
  thud_error error = thud_options_take(context, thud_record_option_table(), options, &chosen);
  if (error != THUD_OK) return error;
  chosen.overwrite = true;
  thud_record_header header = {
      .title = info.title, .kind = info.kind, .method = info.method, .scene = info.scene, .resolved = info.resolved};
  if (longer != NULL) header = *longer;
  header.source = info.source; /* what people wrote stays that of the start */
  thud_record_layout layout = {{0}, {NULL}};
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS; t++) {
    thud_table_reader *table = &old->tables[t];
    for (size_t k = 0; k < table->count; k++) /* names that readers make up are not in the file */
      if (!table->columns[k].named) table->channels[k].components = NULL;
    layout.count[t] = table->count;
    layout.channels[t] = table->channels;
  }
  for (int t = 0; t < THUD_RECORD_TABLES && seal->there; t++)
    if (seal->digests[t].rows < until->rows[t]) return thud_reader_fail_damaged(old, "seal");
  copy_job job = {.old = old, .seal = seal, .until = until};
  thud_record_filling filling = {.fill = fill, .user = &job, .unsealed = !seal->there};
  return thud_record_create_filled(context, path, &chosen, &header, &layout, &filling, writer);
}

static thud_error resume(thud_context *context, const char *path, const thud_record_options *options,
                         const thud_record_header *header, bool extends, thud_record_writer **writer,
                         thud_record_resumption *resumption) {
  if (path == NULL || header == NULL || header->scene == NULL || header->kind == NULL || header->method == NULL ||
      writer == NULL || resumption == NULL)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[cannot-resume] record: path, writer, resumption and a header with scene, kind and method are needed");
  thud_record_reader *old;
  thud_record_resumption found = {0};
  thud_error error = thud_record_open(context, path, &old);
  if (error != THUD_OK) return error;
  thud_record_info info = thud_record_reader_info(old);
  error = check_resumable(context, path, &info, header, extends);
  if (error == THUD_OK) error = thud_record_read_checkpoint(old, &found);
  thud_seal_reader seal = {.reader = old};
  if (error == THUD_OK) error = thud_seal_open(old, &seal);
  if (error == THUD_OK) error = thud_seal_check(&seal);
  if (error == THUD_OK) error = restart(context, path, options, extends ? header : NULL, old, &seal, &found, writer);
  if (error == THUD_OK)
    *resumption = found;
  else
    thud_record_resumption_free(context, &found);
  thud_seal_close(&seal);
  thud_record_reader_destroy(old);
  return error;
}

thud_error thud_record_resume(thud_context *context, const char *path, const thud_record_options *options,
                              const thud_record_header *header, thud_record_writer **writer,
                              thud_record_resumption *resumption) {
  THUD_REQUIRE(context, context, path, header, writer, resumption);
  return resume(context, path, options, header, false, writer, resumption);
}

thud_error thud_record_extend(thud_context *context, const char *path, const thud_record_header *header,
                              thud_record_writer **writer, thud_record_resumption *resumption) {
  return resume(context, path, NULL, header, true, writer, resumption);
}
