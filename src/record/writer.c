/* Writing records: the file, its beginning and end, flushes and checkpoints. */
#include "base/base.h"
#include "record/writer.h"

#include "record/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET(field) offsetof(thud_record_options, field)

static const thud_option_key record_keys[] = {
    {"overwrite", THUD_OPTION_BOOL, OFFSET(overwrite), 0, 0, 1, false, NULL, "1", "replace an existing record"},
    {"flush_every_seconds", THUD_OPTION_REAL, OFFSET(flush_every_seconds), 2, 0, INFINITY, false, NULL, "s",
     "what a killed run loses at most; 0: not by time"},
    {"flush_every_frames", THUD_OPTION_INT, OFFSET(flush_every_frames), 0, 0, INFINITY, false, NULL, "1",
     "flush after this many frames; 0: not by count"},
    {"chunk_rows", THUD_OPTION_INT, OFFSET(chunk_rows), 1024, 1, 1 << 20, false, NULL, "1",
     "frames compressed together"},
};

static const thud_option_table record_table = {.name = "record",
                                               .struct_size = sizeof(thud_record_options),
                                               .keys = record_keys,
                                               .count = sizeof record_keys / sizeof *record_keys};

const thud_option_table *thud_record_option_table(void) { return &record_table; }

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

/* ---- starting a record -------------------------------------------------------------------------------- */

/* The message of a failed write: the driver knows the cause better than HDF5. From here on the record is closed. */
thud_error thud_writer_fail(thud_record_writer *writer, const char *what) {
  thud_commit_status *status = &writer->status;
  thud_error error;
  if (thud_h5_need_memory(writer->context) != THUD_OK || (status->failed && status->error_number == 0))
    error = THUD_ERROR_MEMORY;
  else if (status->failed)
    error =
        thud_fail(writer->context, THUD_ERROR_FILE, "%s: %s (%s)", writer->path, what, strerror(status->error_number));
  else
    error = thud_h5_fail(writer->context, THUD_ERROR_FILE, writer->path, what);
  if (!status->failed) status->error_number = EIO;
  status->failed = true;
  return error;
}

/* Records of equal runs are equal files: HDF5 must not note when their objects were made. */
static hid_t without_times(hid_t object_class) {
  hid_t list = H5Pcreate(object_class);
  if (list >= 0 && H5Pset_obj_track_times(list, false) < 0) {
    thud_h5_drop(list);
    list = -1;
  }
  return list;
}

static hid_t create_file(const char *name, thud_commit_status *status) {
  hid_t file = -1, access_list = H5Pcreate(H5P_FILE_ACCESS), creation = without_times(H5P_FILE_CREATE);
  if (access_list >= 0 && creation >= 0 && H5Pset_libver_bounds(access_list, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
      H5Pset_fclose_degree(access_list, H5F_CLOSE_STRONG) >= 0 && H5Pset_file_locking(access_list, 0, 1) >= 0 &&
      thud_commit_select(access_list, status) >= 0)
    file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access_list);
  thud_h5_drop(access_list);
  thud_h5_drop(creation);
  return file;
}

static thud_error write_root_attributes(thud_record_writer *writer, const thud_record_header *header) {
  hid_t file = writer->file;
  herr_t status = thud_h5_write_text(file, "format", THUD_RECORD_NAME_LENGTH, THUD_RECORD_FORMAT);
  if (status >= 0) status = thud_h5_write_int(file, "format_version", THUD_RECORD_FORMAT_VERSION);
  if (status >= 0) status = thud_h5_write_text(file, "thud_version", THUD_RECORD_NAME_LENGTH, thud_version());
  if (status >= 0) status = thud_h5_write_text(file, "title", THUD_RECORD_TITLE_LENGTH, or_empty(header->title));
  if (status >= 0) status = thud_h5_write_text(file, "kind", THUD_RECORD_NAME_LENGTH, or_empty(header->kind));
  if (status >= 0) status = thud_h5_write_text(file, "method", THUD_RECORD_NAME_LENGTH, or_empty(header->method));
  if (status >= 0) status = thud_h5_write_text(file, "verdict", THUD_RECORD_NAME_LENGTH, THUD_RECORD_UNFINISHED);
  if (status >= 0) status = thud_h5_write_text(file, "reason", THUD_RECORD_TEXT_LENGTH, "");
  if (status >= 0) return THUD_OK;
  return thud_writer_fail(writer, "cannot be written");
}

herr_t thud_writer_create_group(const thud_record_writer *writer, const char *name) {
  hid_t creation = without_times(H5P_GROUP_CREATE);
  hid_t group = creation >= 0 ? H5Gcreate2(writer->file, name, H5P_DEFAULT, creation, H5P_DEFAULT) : -1;
  thud_h5_drop(creation);
  thud_h5_drop(group);
  return group >= 0 ? 0 : -1;
}

thud_error thud_writer_create_column(thud_record_writer *writer, const char *name, thud_column_kind kind, size_t width,
                                     size_t chunk_rows, thud_column_writer *column) {
  thud_context *context = writer->context;
  thud_column_shape shape;
  if (!thud_column_shape_fit(kind, width, chunk_rows, &shape))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "record: a row of '%s' has more than 4 GiB", name);
  thud_error error = thud_column_space_reserve(context, shape.chunk_bytes, &writer->space);
  if (error == THUD_OK) error = thud_h5_need_memory(context);
  return error == THUD_OK ? thud_column_create(context, writer->path, writer->file, name, shape, column) : error;
}

static size_t longest_of(size_t count, const char *const *texts) {
  size_t longest = 0;
  for (size_t k = 0; k < count; k++)
    if (strlen(texts[k]) > longest) longest = strlen(texts[k]);
  return longest;
}

thud_error thud_writer_write_texts(thud_record_writer *writer, const char *name, size_t count,
                                   const char *const *texts) {
  thud_column_writer column = {0};
  thud_error error =
      thud_writer_create_column(writer, name, THUD_COLUMN_STRING, longest_of(count, texts) + 1, count, &column);
  if (error != THUD_OK) return error;
  herr_t status = 0;
  for (size_t k = 0; k < count && status >= 0; k++) {
    memcpy(thud_column_next(&column), texts[k], strlen(texts[k]));
    status = thud_column_push(&column, &writer->space);
  }
  if (status >= 0) status = thud_column_store(&column, true, &writer->space);
  if (status < 0) error = thud_writer_fail(writer, "cannot be written");
  thud_column_writer_release(writer->context, &column);
  return error;
}

static thud_error write_text(thud_record_writer *writer, const char *name, const char *text) {
  const char *texts[1] = {or_empty(text)};
  return thud_writer_write_texts(writer, name, 1, texts);
}

/* Everything that is there before the first row. */
static thud_error write_beginning(thud_record_writer *writer, const thud_record_header *header,
                                  const thud_record_layout *layout) {
  thud_error error = write_root_attributes(writer, header);
  if (error == THUD_OK) error = write_text(writer, "scene", header->scene);
  if (error == THUD_OK) error = write_text(writer, "resolved", header->resolved);
  if (error == THUD_OK && or_empty(header->source)[0] != '\0') error = write_text(writer, "source", header->source);
  if (error == THUD_OK) error = thud_tables_create(writer, layout);
  if (error == THUD_OK) error = thud_seal_create(writer, header, layout);
  if (error == THUD_OK && H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0)
    error = thud_writer_fail(writer, "cannot be written");
  return error;
}

/* Frees the writer; the file keeps what HDF5 can still write. false when it could not. */
static bool release_writer(thud_record_writer *writer) {
  thud_context *context = writer->context;
  thud_tables_release(writer);
  thud_column_writer_release(context, &writer->checkpoints.index);
  thud_column_writer_release(context, &writer->checkpoints.pieces);
  thud_seal_release(context, &writer->seal);
  bool closed = writer->file <= 0 || H5Fclose(writer->file) >= 0;
  thud_commit_release(&writer->status);
  thud_column_space_release(context, &writer->space);
  thud_free(context, writer->path);
  thud_free(context, writer);
  return closed;
}

enum {
  METADATA_BYTES = 128 * 1024,
  METADATA_BYTES_PER_COLUMN = 6 * 1024,
  MOST_METADATA_BYTES = 128 << 20 /* HDF5's own */
};

/* Columns grow at their ends only: what HDF5 needs at hand of each is its header and the nodes above its last chunk, two or three
 * of 2616 bytes. Without a bound it keeps all nodes, each of which takes seven times that in memory, up to 2 MiB of them (32 MiB
 * where it chooses), so that a long run grows with its record. */
static thud_error bound_metadata(thud_record_writer *writer) {
  H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  ssize_t columns = H5Fget_obj_count(writer->file, H5F_OBJ_DATASET);
  herr_t status = columns < 0 ? -1 : H5Fget_mdc_config(writer->file, &config);
  if (status >= 0) {
    size_t bytes = METADATA_BYTES + METADATA_BYTES_PER_COLUMN * (size_t)columns;
    if (bytes > MOST_METADATA_BYTES) bytes = MOST_METADATA_BYTES;
    config.set_initial_size = true;
    config.initial_size = config.max_size = config.min_size = bytes;
    config.incr_mode = H5C_incr__off;
    config.flash_incr_mode = H5C_flash_incr__off;
    config.decr_mode = H5C_decr__off;
    status = H5Fset_mdc_config(writer->file, &config);
  }
  return status >= 0 ? THUD_OK : thud_writer_fail(writer, "cannot be created");
}

static thud_error start_file(thud_record_writer *writer, const thud_record_header *header,
                             const thud_record_layout *layout, const thud_record_filling *filling) {
  thud_output output;
  thud_error error = thud_output_begin(writer->context, writer->path, writer->options.overwrite, &output);
  if (error != THUD_OK) return error;
  writer->file = create_file(thud_output_name(&output), &writer->status);
  if (writer->file < 0)
    error = thud_writer_fail(writer, "cannot be created");
  else
    error = write_beginning(writer, header, layout);
  if (error == THUD_OK) error = bound_metadata(writer);
  if (error == THUD_OK && filling != NULL) error = filling->fill(writer, filling->user);
  if (error == THUD_OK) return thud_output_commit(writer->context, &output, writer->options.overwrite);
  thud_output_cancel(writer->context, &output);
  return error;
}

static thud_error make_writer(thud_context *context, const char *path, const thud_record_options *options,
                              thud_record_writer **writer) {
  thud_record_writer *made = THUD_NEW(context, thud_record_writer);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = made->status.context = context;
  made->options = *options;
  made->path = thud_strdup(context, path);
  if (made->path == NULL) {
    release_writer(made);
    return THUD_ERROR_MEMORY;
  }
  *writer = made;
  return THUD_OK;
}

static thud_error check_header(thud_context *context, const thud_record_header *header) {
  thud_error error = thud_record_check_length(context, "the title", header->title, THUD_RECORD_TITLE_LENGTH);
  if (error == THUD_OK) error = thud_record_check_length(context, "the kind", header->kind, THUD_RECORD_NAME_LENGTH);
  if (error == THUD_OK)
    error = thud_record_check_length(context, "the method", header->method, THUD_RECORD_NAME_LENGTH);
  return error;
}

thud_error thud_record_create(thud_context *context, const char *path, const thud_record_options *options,
                              const thud_record_header *header, const thud_record_layout *layout,
                              thud_record_writer **writer) {
  THUD_REQUIRE(context, context, path, layout, writer);
  return thud_record_create_filled(context, path, options, header, layout, NULL, writer);
}

thud_error thud_record_create_filled(thud_context *context, const char *path, const thud_record_options *options,
                                     const thud_record_header *header, const thud_record_layout *layout,
                                     const thud_record_filling *filling, thud_record_writer **writer) {
  thud_record_options chosen;
  thud_record_header described = header != NULL ? *header : (thud_record_header){0};
  thud_record_writer *made = NULL;
  thud_error error = thud_options_take(context, &record_table, options, &chosen);
  if (error == THUD_OK) error = check_header(context, &described);
  if (error == THUD_OK) error = thud_record_check_layout(context, layout);
  if (error == THUD_OK) error = thud_h5_need_memory(context);
  if (error == THUD_OK) error = make_writer(context, path, &chosen, &made);
  if (error != THUD_OK) return error;
  made->seal.there = filling == NULL || !filling->unsealed;
  thud_h5_guard guard = thud_h5_enter();
  error = start_file(made, &described, layout, filling);
  if (error == THUD_OK) {
    made->last_flush = thud_seconds();
    *writer = made;
  } else {
    release_writer(made);
  }
  thud_h5_leave(guard);
  return error;
}

/* ---- appending ------------------------------------------------------------------------------------------ */

thud_error thud_writer_fail_append(thud_record_writer *writer) {
  char what[128];
  if (writer->safe_frames == 0)
    snprintf(what, sizeof what, "the record cannot be continued; none of its frames has reached the file");
  else
    snprintf(what, sizeof what, "the record cannot be continued; its first %zu frames are safe", writer->safe_frames);
  return thud_writer_fail(writer, what);
}

static thud_error check_usable(thud_record_writer *writer) {
  if (!writer->status.failed) return THUD_OK;
  return thud_fail(writer->context, THUD_ERROR_FILE, "%s: an earlier write failed; nothing more can be recorded",
                   writer->path);
}

static herr_t store_checkpoints(thud_record_writer *writer, bool last) {
  if (!writer->checkpoints.there) return 0;
  if (thud_column_store(&writer->checkpoints.pieces, last, &writer->space) < 0) return -1;
  return thud_column_store(&writer->checkpoints.index, last, &writer->space);
}

static thud_error flush(thud_record_writer *writer, bool last) {
  if (thud_h5_need_memory(writer->context) != THUD_OK) return thud_writer_fail_append(writer);
  if (thud_tables_store(writer, last) < 0 || store_checkpoints(writer, last) < 0 || thud_seal_store(writer, last) < 0 ||
      H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0)
    return thud_writer_fail_append(writer);
  writer->frames_since_flush = 0;
  writer->safe_frames = writer->tables[THUD_RECORD_FRAMES].rows;
  writer->last_flush = thud_seconds();
  return THUD_OK;
}

static bool flush_is_due(const thud_record_writer *writer) {
  const thud_record_options *options = &writer->options;
  if (options->flush_every_frames > 0 && writer->frames_since_flush >= options->flush_every_frames) return true;
  return options->flush_every_seconds > 0 && thud_seconds() - writer->last_flush >= options->flush_every_seconds;
}

static thud_error append(thud_record_writer *writer, thud_record_table table, const thud_record_cell *cells) {
  thud_error error = check_usable(writer);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = thud_table_append(writer, table, cells);
  if (error == THUD_OK && table == THUD_RECORD_FRAMES) writer->frames_since_flush++;
  if (error == THUD_OK && flush_is_due(writer)) error = flush(writer, false);
  thud_h5_leave(guard);
  return error;
}

thud_error thud_record_append(thud_record_writer *writer, thud_record_table table, const thud_record_cell *cells) {
  THUD_REQUIRE_OF(writer, cells);
  if ((table != THUD_RECORD_FRAMES && table != THUD_RECORD_EVENTS) || writer->tables[table].count == 0)
    return thud_fail(writer->context, THUD_ERROR_ARGUMENT,
                     "record: rows go to the frames, and to the events when these have channels");
  return append(writer, table, cells);
}

thud_error thud_record_add_warning(thud_record_writer *writer, double t, const char *code, const char *message) {
  THUD_REQUIRE(writer != NULL ? writer->context : NULL, writer);
  const char *texts[2] = {or_empty(code), or_empty(message)};
  const thud_record_cell cells[3] = {{.values = &t, .count = 1},
                                     {.text = texts[0], .count = strlen(texts[0])},
                                     {.text = texts[1], .count = strlen(texts[1])}};
  return append(writer, THUD_RECORD_WARNINGS, cells);
}

size_t thud_record_rows_written(const thud_record_writer *writer, thud_record_table table) {
  THUD_REQUIRE_OR(0, writer);
  return writer->tables[table].rows;
}

thud_error thud_record_flush(thud_record_writer *writer) {
  THUD_REQUIRE(writer != NULL ? writer->context : NULL, writer);
  thud_error error = check_usable(writer);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = flush(writer, false);
  thud_h5_leave(guard);
  return error;
}

/* ---- checkpoints -------------------------------------------------------------------------------------------- */

/* The two columns are made when the first checkpoint comes. */
static thud_error create_checkpoints(thud_record_writer *writer) {
  thud_record_checkpoints_writer *checkpoints = &writer->checkpoints;
  if (thud_writer_create_group(writer, "checkpoints") < 0) return thud_writer_fail_append(writer);
  thud_error error = thud_writer_create_column(writer, "checkpoints/pieces", THUD_COLUMN_SMALL, THUD_CHECKPOINT_PIECE,
                                               THUD_CHECKPOINT_CHUNK_ROWS, &checkpoints->pieces);
  if (error == THUD_OK)
    error = thud_writer_create_column(writer, "checkpoints/index", THUD_COLUMN_LONG, THUD_CHECKPOINT_FIELDS,
                                      THUD_CHECKPOINT_CHUNK_ROWS, &checkpoints->index);
  if (error == THUD_OK) error = thud_seal_create_checkpoints(writer);
  checkpoints->there = error == THUD_OK;
  return error;
}

static thud_error push_pieces(thud_record_writer *writer, const uint8_t *state, size_t size) {
  thud_column_writer *pieces = &writer->checkpoints.pieces;
  for (size_t done = 0; done < size; done += THUD_CHECKPOINT_PIECE) {
    size_t count = size - done < THUD_CHECKPOINT_PIECE ? size - done : THUD_CHECKPOINT_PIECE;
    memcpy(thud_column_next(pieces), state + done, count);
    if (thud_column_push(pieces, &writer->space) < 0) return thud_writer_fail_append(writer);
  }
  return THUD_OK;
}

/* The flush that follows makes rows and checkpoint one atomic change. */
static thud_error write_checkpoint(thud_record_writer *writer, const uint8_t *state, size_t size) {
  thud_record_checkpoints_writer *checkpoints = &writer->checkpoints;
  thud_error error = checkpoints->there ? THUD_OK : create_checkpoints(writer);
  if (error != THUD_OK) return error;
  double fields[THUD_CHECKPOINT_FIELDS];
  for (int t = 0; t < THUD_RECORD_TABLES; t++) fields[t] = (double)writer->tables[t].rows;
  fields[THUD_RECORD_TABLES] = (double)(checkpoints->pieces.full_rows + checkpoints->pieces.buffered);
  fields[THUD_RECORD_TABLES + 1] = (double)size;
  error = push_pieces(writer, state, size);
  if (error == THUD_OK && (thud_column_push_numbers(&checkpoints->index, 1, fields, &writer->space) < 0 ||
                           thud_seal_push_checkpoint(writer, fields, state, size) < 0))
    error = thud_writer_fail_append(writer);
  return error == THUD_OK ? flush(writer, false) : error;
}

thud_error thud_record_checkpoint(thud_record_writer *writer, const void *state, size_t size) {
  THUD_REQUIRE_OF(writer, size == 0 || state);
  if (state == NULL || size == 0) return thud_fail(writer->context, THUD_ERROR_ARGUMENT, "record: an empty checkpoint");
  thud_error error = check_usable(writer);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = write_checkpoint(writer, state, size);
  thud_h5_leave(guard);
  return error;
}

/* ---- ending ----------------------------------------------------------------------------------------------- */

/* Copies at most `limit` bytes; a longer text ends in "..." and is not cut inside a UTF-8 character. */
static void copy_cut(const char *text, size_t limit, char *out) {
  size_t length = strlen(text);
  memset(out, 0, limit + 1);
  if (length <= limit) {
    memcpy(out, text, length);
    return;
  }
  size_t kept = limit - 3;
  while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) kept--;
  memcpy(out, text, kept);
  memcpy(out + kept, "...", 3);
}

/* The verdict goes last, after a flush: a record that says how it ended holds everything. */
static thud_error write_end(thud_record_writer *writer, const char *verdict, const char *reason, const char *summary) {
  char cut[THUD_RECORD_TEXT_LENGTH + 1];
  thud_error error = flush(writer, true);
  if (error == THUD_OK) error = write_text(writer, "summary", summary);
  if (error != THUD_OK) return error;
  copy_cut(or_empty(reason), THUD_RECORD_TEXT_LENGTH, cut);
  if (H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0 ||
      thud_h5_rewrite_text(writer->file, "reason", THUD_RECORD_TEXT_LENGTH, cut) < 0 ||
      thud_h5_rewrite_text(writer->file, "verdict", THUD_RECORD_NAME_LENGTH, verdict) < 0 ||
      thud_seal_end(writer, verdict, cut, summary) < 0 || H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0)
    return thud_writer_fail_append(writer);
  return THUD_OK;
}

thud_error thud_record_close(thud_record_writer *writer, const char *verdict, const char *reason, const char *summary) {
  THUD_REQUIRE(writer != NULL ? writer->context : NULL, writer);
  thud_context *context = writer->context;
  thud_error error = check_usable(writer);
  if (error == THUD_OK && (verdict == NULL || verdict[0] == '\0'))
    error = thud_fail(context, THUD_ERROR_ARGUMENT, "record: the verdict is empty");
  if (error == THUD_OK) error = thud_record_check_length(context, "the verdict", verdict, THUD_RECORD_NAME_LENGTH);
  thud_h5_guard guard = thud_h5_enter();
  if (error == THUD_OK) error = write_end(writer, verdict, reason, summary);
  if (!release_writer(writer) && error == THUD_OK)
    error = thud_fail(context, THUD_ERROR_FILE, "the record could not be written completely when it was closed");
  thud_h5_leave(guard);
  return error;
}

void thud_record_discard(thud_record_writer *writer) {
  if (writer == NULL) return;
  thud_context *context = writer->context;
  char *path = writer->path;
  writer->path = NULL;
  thud_record_abandon(writer);
  thud_output_remove(context, path);
  thud_free(context, path);
}

void thud_record_abandon(thud_record_writer *writer) {
  THUD_REQUIRE_OR(, writer);
  thud_h5_guard guard = thud_h5_enter();
  if (!writer->status.failed) flush(writer, true);
  release_writer(writer);
  thud_h5_leave(guard);
}
