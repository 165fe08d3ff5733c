/* Writing records. One writer holds the file, a column per channel and two tables (events, warnings). */
#include "record/writer.h"

#include "record/output.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

enum {
  NOTE_CHUNK_ROWS = 32, /* events and warnings: rows of about 1 KiB */
  CHECKPOINT_CHUNK_ROWS = 16
};

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

static const thud_option_table record_table = {"record", sizeof(thud_record_options), record_keys,
                                               sizeof record_keys / sizeof record_keys[0]};

const thud_option_table *thud_record_option_table(void) { return &record_table; }

thud_record_options thud_record_options_default(void) {
  thud_record_options options;
  thud_options_set_defaults(&record_table, &options);
  return options;
}

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

/* ---- checking what is asked for --------------------------------------------------------------------- */

static thud_error check_length(thud_context *context, const char *what, const char *text, size_t limit) {
  if (strlen(or_empty(text)) <= limit) return THUD_OK;
  return thud_fail(context, THUD_ERROR_OVERFLOW, "record: %s has %zu bytes, at most %zu are possible: '%.40s...'", what,
                   strlen(text), limit, text);
}

static bool is_channel_name(const char *name) {
  if (name == NULL || name[0] == '\0' || name[0] == '.') return false;
  for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
    if (!isalnum(*c) && *c < 0x80 && strchr("_-+'.", *c) == NULL) return false;
  return true;
}

static thud_error check_channel(thud_context *context, const thud_record_channel *channels, size_t k) {
  const thud_record_channel *channel = &channels[k];
  if (!is_channel_name(channel->name))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "record: channel %zu: '%s' is no channel name; use letters, digits and _ - + ' .", k,
                     or_empty(channel->name));
  for (size_t j = 0; j < k; j++)
    if (strcmp(channels[j].name, channel->name) == 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "record: channels %zu and %zu are both called '%s'", j, k,
                       channel->name);
  if (channel->type < THUD_RECORD_REAL || channel->type > THUD_RECORD_INTEGER)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: channel '%s': unknown type %d", channel->name,
                     (int)channel->type);
  if (channel->width == 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: channel '%s' has no components", channel->name);
  for (size_t c = 0; channel->components != NULL && c < channel->width; c++) {
    if (channel->components[c] == NULL)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "record: channel '%s': component %zu has no name", channel->name,
                       c);
    thud_error error =
        check_length(context, "the name of a component", channel->components[c], THUD_RECORD_NAME_LENGTH);
    if (error != THUD_OK) return error;
  }
  thud_error error = check_length(context, "the name of a channel", channel->name, THUD_RECORD_NAME_LENGTH);
  if (error == THUD_OK) error = check_length(context, "a unit", channel->unit, THUD_RECORD_NAME_LENGTH);
  if (error == THUD_OK) error = check_length(context, "a role", channel->role, THUD_RECORD_NAME_LENGTH);
  if (error == THUD_OK) error = check_length(context, "a description", channel->description, THUD_RECORD_TITLE_LENGTH);
  return error;
}

static thud_error check_request(thud_context *context, const thud_record_header *header, size_t channel_count,
                                const thud_record_channel *channels) {
  if (channel_count == 0 || channels == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: at least one channel is needed");
  thud_error error = check_length(context, "the title", header->title, THUD_RECORD_TITLE_LENGTH);
  if (error == THUD_OK) error = check_length(context, "the method", header->method, THUD_RECORD_NAME_LENGTH);
  for (size_t k = 0; k < channel_count && error == THUD_OK; k++) error = check_channel(context, channels, k);
  return error;
}

/* ---- starting a record -------------------------------------------------------------------------------- */

/* The message of a failed write: the driver knows the cause better than HDF5. From here on the record is closed. */
static thud_error fail_file(thud_record_writer *writer, const char *what) {
  thud_commit_status *status = &writer->status;
  thud_error error;
  if (status->failed && status->error_number == 0)
    error = THUD_ERROR_MEMORY;
  else if (status->failed)
    error =
        thud_fail(writer->context, THUD_ERROR_FILE, "%s: %s (%s)", writer->path, what, strerror(status->error_number));
  else
    error = thud_h5_fail(writer->context, THUD_ERROR_FILE, writer->path, what);
  if (!status->failed) *status = (thud_commit_status){.context = writer->context, .failed = true, .error_number = EIO};
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
  if (status >= 0) status = thud_h5_write_text(file, "method", THUD_RECORD_NAME_LENGTH, or_empty(header->method));
  if (status >= 0) status = thud_h5_write_text(file, "verdict", THUD_RECORD_NAME_LENGTH, THUD_RECORD_UNFINISHED);
  if (status >= 0) status = thud_h5_write_text(file, "reason", THUD_RECORD_TEXT_LENGTH, "");
  if (status >= 0) return THUD_OK;
  return fail_file(writer, "cannot be written");
}

/* A dataset that is written once: count texts of at most `longest` bytes each. */
static thud_error write_texts(thud_record_writer *writer, const char *name, size_t count, size_t longest,
                              const char *const *texts) {
  thud_context *context = writer->context;
  thud_column_shape shape;
  thud_column_writer column = {0};
  if (!thud_column_shape_fit(THUD_COLUMN_TEXT, longest + 1, count, &shape))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "record: the text '%s' has more than 4 GiB", name);
  thud_error error = thud_column_space_reserve(context, shape.chunk_bytes, &writer->space);
  if (error == THUD_OK) error = thud_column_create(context, writer->path, writer->file, name, shape, &column);
  if (error != THUD_OK) return error;
  herr_t status = 0;
  for (size_t k = 0; k < count && status >= 0; k++) {
    memcpy(thud_column_next(&column), texts[k], strlen(texts[k]));
    status = thud_column_push(&column, &writer->space);
  }
  if (status >= 0) status = thud_column_store(&column, true, &writer->space);
  if (status < 0) error = fail_file(writer, "cannot be written");
  thud_column_writer_release(context, &column);
  return error;
}

static thud_error write_text(thud_record_writer *writer, const char *name, const char *text) {
  const char *texts[1] = {or_empty(text)};
  return write_texts(writer, name, 1, strlen(texts[0]), texts);
}

static size_t longest_of(size_t count, const char *const *texts) {
  size_t longest = 0;
  for (size_t k = 0; k < count; k++)
    if (strlen(texts[k]) > longest) longest = strlen(texts[k]);
  return longest;
}

static thud_error write_channel_names(thud_record_writer *writer, const thud_record_channel *channels) {
  const char **names = THUD_NEW_ARRAY(writer->context, const char *, writer->channel_count);
  if (names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < writer->channel_count; k++) names[k] = channels[k].name;
  thud_error error =
      write_texts(writer, "channels", writer->channel_count, longest_of(writer->channel_count, names), names);
  thud_free(writer->context, names);
  return error;
}

static thud_error create_channel(thud_record_writer *writer, const thud_record_channel *channel, size_t chunk_rows,
                                 thud_column_writer *column) {
  thud_context *context = writer->context;
  char name[THUD_RECORD_NAME_LENGTH + 16];
  thud_column_shape shape;
  if (!thud_column_shape_fit((thud_column_kind)channel->type, channel->width, chunk_rows, &shape))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "record: a row of channel '%s' has more than 4 GiB", channel->name);
  thud_error error = thud_column_space_reserve(context, shape.chunk_bytes, &writer->space);
  snprintf(name, sizeof name, "frames/%s", channel->name);
  if (error == THUD_OK) error = thud_column_create(context, writer->path, writer->file, name, shape, column);
  if (error != THUD_OK) return error;
  if (thud_h5_write_text(column->dataset, "unit", THUD_RECORD_NAME_LENGTH, or_empty(channel->unit)) < 0 ||
      thud_h5_write_text(column->dataset, "role", THUD_RECORD_NAME_LENGTH, or_empty(channel->role)) < 0 ||
      thud_h5_write_text(column->dataset, "description", THUD_RECORD_TITLE_LENGTH, or_empty(channel->description)) < 0)
    return fail_file(writer, "cannot be written");
  if (channel->components == NULL) return THUD_OK;
  snprintf(name, sizeof name, "components/%s", channel->name);
  return write_texts(writer, name, channel->width, longest_of(channel->width, channel->components),
                     channel->components);
}

static thud_error create_notes(thud_record_writer *writer, const char *group, thud_record_notes_writer *notes) {
  static const struct {
    const char *name;
    thud_column_kind kind;
    size_t width;
  } fields[THUD_NOTE_FIELDS] = {{"t", THUD_COLUMN_REAL, 1},
                                {"kind", THUD_COLUMN_TEXT, THUD_RECORD_NAME_LENGTH + 1},
                                {"text", THUD_COLUMN_TEXT, THUD_RECORD_TEXT_LENGTH + 1}};
  for (size_t k = 0; k < THUD_NOTE_FIELDS; k++) {
    char name[32];
    thud_column_shape shape;
    snprintf(name, sizeof name, "%s/%s", group, fields[k].name);
    if (!thud_column_shape_fit(fields[k].kind, fields[k].width, NOTE_CHUNK_ROWS, &shape))
      return thud_fail(writer->context, THUD_ERROR_INTERNAL, "record: the shape of '%s'", name);
    thud_error error = thud_column_space_reserve(writer->context, shape.chunk_bytes, &writer->space);
    if (error == THUD_OK)
      error = thud_column_create(writer->context, writer->path, writer->file, name, shape, &notes->columns[k]);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

static herr_t create_groups(hid_t file, size_t count, const char *const *names) {
  hid_t creation = without_times(H5P_GROUP_CREATE);
  bool good = creation >= 0;
  for (size_t k = 0; good && k < count; k++) {
    hid_t group = H5Gcreate2(file, names[k], H5P_DEFAULT, creation, H5P_DEFAULT);
    good = group >= 0;
    thud_h5_drop(group);
  }
  thud_h5_drop(creation);
  return good ? 0 : -1;
}

/* Everything that is there before the first frame. */
static thud_error write_beginning(thud_record_writer *writer, const thud_record_header *header,
                                  const thud_record_channel *channels, size_t chunk_rows) {
  static const char *const groups[] = {"frames", "components", "events", "warnings"};
  thud_error error = write_root_attributes(writer, header);
  if (error == THUD_OK && create_groups(writer->file, sizeof groups / sizeof *groups, groups) < 0)
    error = fail_file(writer, "cannot be written");
  if (error == THUD_OK) error = write_text(writer, "scene", header->scene);
  if (error == THUD_OK) error = write_text(writer, "options", header->options);
  if (error == THUD_OK) error = write_channel_names(writer, channels);
  for (size_t k = 0; k < writer->channel_count && error == THUD_OK; k++)
    error = create_channel(writer, &channels[k], chunk_rows, &writer->columns[k]);
  if (error == THUD_OK) error = create_notes(writer, "events", &writer->events);
  if (error == THUD_OK) error = create_notes(writer, "warnings", &writer->warnings);
  if (error == THUD_OK && H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0) error = fail_file(writer, "cannot be written");
  return error;
}

/* Frees the writer; the file keeps what HDF5 can still write. false when it could not. */
static bool release_writer(thud_record_writer *writer) {
  thud_context *context = writer->context;
  for (size_t k = 0; writer->columns != NULL && k < writer->channel_count; k++)
    thud_column_writer_release(context, &writer->columns[k]);
  for (size_t k = 0; k < THUD_NOTE_FIELDS; k++) {
    thud_column_writer_release(context, &writer->events.columns[k]);
    thud_column_writer_release(context, &writer->warnings.columns[k]);
  }
  thud_column_writer_release(context, &writer->checkpoints.index);
  thud_column_writer_release(context, &writer->checkpoints.pieces);
  bool closed = writer->file <= 0 || H5Fclose(writer->file) >= 0;
  thud_column_space_release(context, &writer->space);
  thud_free(context, writer->columns);
  thud_free(context, writer->path);
  thud_free(context, writer);
  return closed;
}

static thud_error start_file(thud_record_writer *writer, const thud_record_header *header,
                             const thud_record_channel *channels, thud_record_fill_fn fill, void *user) {
  thud_output output;
  thud_error error = thud_output_begin(writer->context, writer->path, writer->options.overwrite, &output);
  if (error != THUD_OK) return error;
  writer->file = create_file(output.temporary, &writer->status);
  if (writer->file < 0)
    error = fail_file(writer, "cannot be created");
  else
    error = write_beginning(writer, header, channels, (size_t)writer->options.chunk_rows);
  if (error == THUD_OK && fill != NULL) error = fill(writer, user);
  if (error == THUD_OK) return thud_output_commit(writer->context, &output, writer->options.overwrite);
  thud_output_cancel(writer->context, &output);
  return error;
}

static thud_error make_writer(thud_context *context, const char *path, const thud_record_options *options,
                              size_t channel_count, thud_record_writer **writer) {
  thud_record_writer *made = THUD_NEW(context, thud_record_writer);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = made->status.context = context;
  made->options = *options;
  made->channel_count = channel_count;
  made->path = thud_strdup(context, path);
  made->columns = THUD_NEW_ARRAY(context, thud_column_writer, channel_count);
  if (made->path == NULL || made->columns == NULL) {
    release_writer(made);
    return THUD_ERROR_MEMORY;
  }
  *writer = made;
  return THUD_OK;
}

thud_error thud_record_create(thud_context *context, const char *path, const thud_record_options *options,
                              const thud_record_header *header, size_t channel_count,
                              const thud_record_channel *channels, thud_record_writer **writer) {
  return thud_record_create_filled(context, path, options, header, channel_count, channels, NULL, NULL, writer);
}

thud_error thud_record_create_filled(thud_context *context, const char *path, const thud_record_options *options,
                                     const thud_record_header *header, size_t channel_count,
                                     const thud_record_channel *channels, thud_record_fill_fn fill, void *user,
                                     thud_record_writer **writer) {
  thud_record_options chosen = options != NULL ? *options : thud_record_options_default();
  thud_record_header described = header != NULL ? *header : (thud_record_header){0};
  thud_record_writer *made = NULL;
  if (path == NULL || writer == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: path and writer are needed");
  thud_error error = thud_options_check(context, &record_table, &chosen);
  if (error == THUD_OK) error = check_request(context, &described, channel_count, channels);
  if (error == THUD_OK) error = make_writer(context, path, &chosen, channel_count, &made);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = start_file(made, &described, channels, fill, user);
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

static thud_error fail_write(thud_record_writer *writer) {
  return fail_file(writer, "the record cannot be continued; what was flushed before is safe");
}

static thud_error check_usable(thud_record_writer *writer) {
  if (!writer->status.failed) return THUD_OK;
  return thud_fail(writer->context, THUD_ERROR_FILE, "%s: an earlier write failed; nothing more can be recorded",
                   writer->path);
}

static herr_t store_columns(thud_column_writer *columns, size_t count, bool last, thud_column_space *space) {
  for (size_t k = 0; k < count; k++)
    if (thud_column_store(&columns[k], last, space) < 0) return -1;
  return 0;
}

static herr_t store_checkpoints(thud_record_writer *writer, bool last) {
  if (!writer->checkpoints.there) return 0;
  if (store_columns(&writer->checkpoints.pieces, 1, last, &writer->space) < 0) return -1;
  return store_columns(&writer->checkpoints.index, 1, last, &writer->space);
}

static thud_error flush(thud_record_writer *writer, bool last) {
  if (store_columns(writer->columns, writer->channel_count, last, &writer->space) < 0 ||
      store_columns(writer->events.columns, THUD_NOTE_FIELDS, last, &writer->space) < 0 ||
      store_columns(writer->warnings.columns, THUD_NOTE_FIELDS, last, &writer->space) < 0 ||
      store_checkpoints(writer, last) < 0 || H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0)
    return fail_write(writer);
  writer->frames_since_flush = 0;
  writer->last_flush = thud_seconds();
  return THUD_OK;
}

static bool flush_is_due(const thud_record_writer *writer) {
  const thud_record_options *options = &writer->options;
  if (options->flush_every_frames > 0 && writer->frames_since_flush >= options->flush_every_frames) return true;
  return options->flush_every_seconds > 0 && thud_seconds() - writer->last_flush >= options->flush_every_seconds;
}

static thud_error fill_row(thud_record_writer *writer, size_t k, const double *values) {
  const thud_column_shape *shape = &writer->columns[k].shape;
  uint8_t *bytes = thud_column_next(&writer->columns[k]);
  for (size_t c = 0; c < shape->width; c++)
    if (!thud_column_put_number(shape->kind, values[c], bytes + c * shape->element_size))
      return thud_fail(writer->context, THUD_ERROR_ARGUMENT,
                       "record: frame %zu, channel %zu, component %zu: %g is no whole number that fits", writer->rows,
                       k, c, values[c]);
  return THUD_OK;
}

thud_error thud_record_append(thud_record_writer *writer, const double *const *rows) {
  thud_error error = check_usable(writer);
  for (size_t k = 0; k < writer->channel_count && error == THUD_OK; k++) error = fill_row(writer, k, rows[k]);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  for (size_t k = 0; k < writer->channel_count && error == THUD_OK; k++)
    if (thud_column_push(&writer->columns[k], &writer->space) < 0) error = fail_write(writer);
  if (error == THUD_OK) {
    writer->rows++;
    writer->frames_since_flush++;
    if (flush_is_due(writer)) error = flush(writer, false);
  }
  thud_h5_leave(guard);
  return error;
}

size_t thud_record_rows_written(const thud_record_writer *writer) { return writer->rows; }

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

static thud_error add_note(thud_record_writer *writer, thud_record_notes_writer *notes, double t, const char *kind,
                           const char *text) {
  thud_error error = check_usable(writer);
  if (error == THUD_OK) error = check_length(writer->context, "a kind", kind, THUD_RECORD_NAME_LENGTH);
  if (error != THUD_OK) return error;
  thud_column_put_number(THUD_COLUMN_REAL, t, thud_column_next(&notes->columns[0]));
  copy_cut(or_empty(kind), THUD_RECORD_NAME_LENGTH, (char *)thud_column_next(&notes->columns[1]));
  copy_cut(or_empty(text), THUD_RECORD_TEXT_LENGTH, (char *)thud_column_next(&notes->columns[2]));
  thud_h5_guard guard = thud_h5_enter();
  for (size_t k = 0; k < THUD_NOTE_FIELDS && error == THUD_OK; k++)
    if (thud_column_push(&notes->columns[k], &writer->space) < 0) error = fail_write(writer);
  thud_h5_leave(guard);
  return error;
}

thud_error thud_record_add_event(thud_record_writer *writer, double t, const char *kind, const char *text) {
  return add_note(writer, &writer->events, t, kind, text);
}

thud_error thud_record_add_warning(thud_record_writer *writer, double t, const char *code, const char *message) {
  return add_note(writer, &writer->warnings, t, code, message);
}

thud_error thud_record_flush(thud_record_writer *writer) {
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
  thud_column_shape index, pieces;
  if (!thud_column_shape_fit(THUD_COLUMN_INTEGER, THUD_CHECKPOINT_FIELDS, CHECKPOINT_CHUNK_ROWS, &index) ||
      !thud_column_shape_fit(THUD_COLUMN_SMALL, THUD_CHECKPOINT_PIECE, CHECKPOINT_CHUNK_ROWS, &pieces))
    return thud_fail(writer->context, THUD_ERROR_INTERNAL, "record: the shape of a checkpoint");
  static const char *const group[] = {"checkpoints"};
  thud_error error = thud_column_space_reserve(writer->context, pieces.chunk_bytes, &writer->space);
  if (error == THUD_OK && create_groups(writer->file, 1, group) < 0) error = fail_write(writer);
  if (error == THUD_OK)
    error = thud_column_create(writer->context, writer->path, writer->file, "checkpoints/pieces", pieces,
                               &checkpoints->pieces);
  if (error == THUD_OK)
    error = thud_column_create(writer->context, writer->path, writer->file, "checkpoints/index", index,
                               &checkpoints->index);
  checkpoints->there = error == THUD_OK;
  return error;
}

static size_t rows_of(const thud_column_writer *column) { return column->full_rows + column->buffered; }

static thud_error push_pieces(thud_record_writer *writer, const uint8_t *state, size_t size) {
  thud_column_writer *pieces = &writer->checkpoints.pieces;
  for (size_t done = 0; done < size; done += THUD_CHECKPOINT_PIECE) {
    size_t count = size - done < THUD_CHECKPOINT_PIECE ? size - done : THUD_CHECKPOINT_PIECE;
    memcpy(thud_column_next(pieces), state + done, count);
    if (thud_column_push(pieces, &writer->space) < 0) return fail_write(writer);
  }
  return THUD_OK;
}

/* The flush that follows makes rows, notes and checkpoint one atomic change. */
static thud_error write_checkpoint(thud_record_writer *writer, const uint8_t *state, size_t size) {
  thud_record_checkpoints_writer *checkpoints = &writer->checkpoints;
  thud_error error = checkpoints->there ? THUD_OK : create_checkpoints(writer);
  if (error != THUD_OK) return error;
  const double fields[THUD_CHECKPOINT_FIELDS] = {(double)writer->rows, (double)rows_of(&writer->events.columns[0]),
                                                 (double)rows_of(&writer->warnings.columns[0]),
                                                 (double)rows_of(&checkpoints->pieces), (double)size};
  uint8_t *bytes = thud_column_next(&checkpoints->index);
  for (size_t k = 0; k < THUD_CHECKPOINT_FIELDS; k++)
    if (!thud_column_put_number(THUD_COLUMN_INTEGER, fields[k], bytes + 4 * k))
      return thud_fail(writer->context, THUD_ERROR_OVERFLOW, "record: a checkpoint beyond 2^31 rows or bytes");
  error = push_pieces(writer, state, size);
  if (error == THUD_OK && thud_column_push(&checkpoints->index, &writer->space) < 0) error = fail_write(writer);
  return error == THUD_OK ? flush(writer, false) : error;
}

thud_error thud_record_checkpoint(thud_record_writer *writer, const void *state, size_t size) {
  if (state == NULL || size == 0) return thud_fail(writer->context, THUD_ERROR_ARGUMENT, "record: an empty checkpoint");
  thud_error error = check_usable(writer);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = write_checkpoint(writer, state, size);
  thud_h5_leave(guard);
  return error;
}

/* ---- ending ----------------------------------------------------------------------------------------------- */

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
      H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0)
    return fail_write(writer);
  return THUD_OK;
}

thud_error thud_record_close(thud_record_writer *writer, const char *verdict, const char *reason, const char *summary) {
  thud_context *context = writer->context;
  thud_error error = check_usable(writer);
  if (error == THUD_OK && (verdict == NULL || verdict[0] == '\0'))
    error = thud_fail(context, THUD_ERROR_ARGUMENT, "record: the verdict is empty");
  if (error == THUD_OK) error = check_length(context, "the verdict", verdict, THUD_RECORD_NAME_LENGTH);
  thud_h5_guard guard = thud_h5_enter();
  if (error == THUD_OK) error = write_end(writer, verdict, reason, summary);
  if (!release_writer(writer) && error == THUD_OK)
    error = thud_fail(context, THUD_ERROR_FILE, "the record could not be written completely when it was closed");
  thud_h5_leave(guard);
  return error;
}

void thud_record_abandon(thud_record_writer *writer) {
  if (writer == NULL) return;
  thud_h5_guard guard = thud_h5_enter();
  if (!writer->status.failed) flush(writer, true);
  release_writer(writer);
  thud_h5_leave(guard);
}
