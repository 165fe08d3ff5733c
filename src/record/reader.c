/* Reading records, also damaged, truncated and foreign ones: nothing in the file is believed before it is checked. */
#include "record/column.h"
#include "record/commit.h"
#include "record/reader.h"
#include "record/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NOTE_FIELDS = 3 }; /* t, kind, text */

typedef struct notes_reader {
  thud_column_reader columns[NOTE_FIELDS];
  size_t count;
  char kind[THUD_RECORD_NAME_LENGTH + 1], text[THUD_RECORD_TEXT_LENGTH + 1];
} notes_reader;

struct thud_record_reader {
  thud_context *context;
  thud_commit_status status;
  char *path;
  uint64_t file_bytes;
  hid_t file;
  thud_record_info info;
  thud_record_channel *channels; /* [info.channel_count] */
  thud_column_reader *columns;   /* [info.channel_count] */
  notes_reader events, warnings;
  thud_column_space space;
  thud_arena *texts; /* every string handed out */
};

/* ---- is it a record at all? -------------------------------------------------------------------------------- */

/* Superblock of the HDF5 1.8 format: 8 bytes of signature, version 2, sizes of offsets and lengths, flags, then the
 * addresses base, extension, end of file, root (HDF5 File Format Specification, II.A). */
enum { SUPERBLOCK_BYTES = 48, END_OFFSET = 28 };

static thud_error check_superblock(thud_context *context, const char *path, const uint8_t *block, size_t count,
                                   uint64_t file_bytes) {
  static const uint8_t signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  if (count < sizeof signature || memcmp(block, signature, sizeof signature) != 0)
    return thud_fail(context, THUD_ERROR_FORMAT, "%s: this is not a thud record (not an HDF5 file)", path);
  if (count < SUPERBLOCK_BYTES)
    return thud_fail(context, THUD_ERROR_FORMAT, "%s: the record is truncated: only %llu bytes are left", path,
                     (unsigned long long)file_bytes);
  if (block[8] != 2 || block[9] != 8 || block[10] != 8)
    return thud_fail(context, THUD_ERROR_FORMAT, "%s: this is an HDF5 file but not a thud record", path);
  uint64_t end = 0;
  for (int k = 0; k < 8; k++) end |= (uint64_t)block[END_OFFSET + k] << (8 * k);
  if (end > file_bytes)
    return thud_fail(context, THUD_ERROR_FORMAT, "%s: the record is truncated: %llu bytes are left of %llu", path,
                     (unsigned long long)file_bytes, (unsigned long long)end);
  return THUD_OK;
}

static thud_error check_file(thud_context *context, const char *path, uint64_t *file_bytes) {
  struct stat status;
  if (stat(path, &status) != 0)
    return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be read (%s)", path, strerror(errno));
  if (!S_ISREG(status.st_mode))
    return thud_fail(context, THUD_ERROR_FILE, "%s: this is not a file but %s", path,
                     S_ISDIR(status.st_mode) ? "a folder" : "a special file");
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be read (%s)", path, strerror(errno));
  uint8_t block[SUPERBLOCK_BYTES];
  size_t count = fread(block, 1, sizeof block, stream);
  fclose(stream);
  *file_bytes = (uint64_t)status.st_size;
  return check_superblock(context, path, block, count, *file_bytes);
}

static hid_t open_file(const char *path, thud_commit_status *status) {
  hid_t file = -1, access_list = H5Pcreate(H5P_FILE_ACCESS);
  if (access_list >= 0 && H5Pset_fclose_degree(access_list, H5F_CLOSE_STRONG) >= 0 &&
      H5Pset_file_locking(access_list, 0, 1) >= 0 && thud_commit_select(access_list, status) >= 0)
    file = H5Fopen(path, H5F_ACC_RDONLY, access_list);
  thud_h5_drop(access_list);
  return file;
}

/* ---- texts ---------------------------------------------------------------------------------------------------- */

static thud_error fail_damaged(thud_record_reader *reader, const char *what) {
  return thud_fail(reader->context, THUD_ERROR_FORMAT, "%s: the record is damaged: '%s' is missing or unreadable",
                   reader->path, what);
}

static thud_error keep_text(thud_record_reader *reader, const char *text, size_t length, const char **kept) {
  char *copy = thud_arena_alloc(reader->texts, length + 1, 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, text, length);
  *kept = copy;
  return THUD_OK;
}

static thud_error read_attribute(thud_record_reader *reader, hid_t object, const char *name, size_t limit,
                                 const char **text) {
  char buffer[THUD_RECORD_TEXT_LENGTH + 1];
  if (!thud_h5_read_text(object, name, limit, buffer)) return fail_damaged(reader, name);
  return keep_text(reader, buffer, strlen(buffer), text);
}

/* All rows of a column of texts, which the caller knows to be `count`. */
static thud_error read_text_rows(thud_record_reader *reader, thud_column_reader *column, size_t count,
                                 const char **texts) {
  for (size_t k = 0; k < count; k++) {
    const uint8_t *bytes;
    size_t there;
    thud_error error = thud_column_fetch(reader->context, reader->path, column, k, &reader->space, &bytes, &there);
    if (error == THUD_OK)
      error = keep_text(reader, (const char *)bytes, strnlen((const char *)bytes, column->shape.width), &texts[k]);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

static thud_error read_text(thud_record_reader *reader, const char *name, const char **text) {
  thud_column_reader column;
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, name, THUD_COLUMN_TEXT,
                                      reader->file_bytes, &column);
  if (error != THUD_OK) return error;
  error = column.rows == 1 ? read_text_rows(reader, &column, 1, text) : fail_damaged(reader, name);
  thud_column_reader_release(reader->context, &column);
  return error;
}

/* ---- channels -------------------------------------------------------------------------------------------------- */

static thud_error default_components(thud_record_reader *reader, const char *name, size_t width, const char **names) {
  if (width == 1) {
    names[0] = name;
    return THUD_OK;
  }
  for (size_t c = 0; c < width; c++) {
    char text[THUD_RECORD_NAME_LENGTH + 32];
    int length = snprintf(text, sizeof text, "%s[%zu]", name, c);
    thud_error error = keep_text(reader, text, (size_t)length, &names[c]);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

static thud_error read_components(thud_record_reader *reader, thud_record_channel *channel) {
  char name[THUD_RECORD_NAME_LENGTH + 16];
  const char **names = thud_arena_alloc(reader->texts, channel->width, sizeof *names);
  if (names == NULL) return THUD_ERROR_MEMORY;
  channel->components = names;
  snprintf(name, sizeof name, "components/%s", channel->name);
  if (H5Lexists(reader->file, name, H5P_DEFAULT) <= 0)
    return default_components(reader, channel->name, channel->width, names);
  thud_column_reader column;
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, name, THUD_COLUMN_TEXT,
                                      reader->file_bytes, &column);
  if (error != THUD_OK) return error;
  error = column.rows == channel->width ? read_text_rows(reader, &column, channel->width, names)
                                        : fail_damaged(reader, name);
  thud_column_reader_release(reader->context, &column);
  return error;
}

static bool type_of_dataset(hid_t file, const char *name, thud_record_type *type) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t stored = dataset >= 0 ? H5Dget_type(dataset) : -1;
  bool good = stored >= 0;
  if (good && H5Tget_class(stored) == H5T_FLOAT)
    *type = THUD_RECORD_REAL;
  else if (good)
    *type = H5Tget_size(stored) == 1 ? THUD_RECORD_SMALL : THUD_RECORD_INTEGER;
  thud_h5_drop(stored);
  thud_h5_drop(dataset);
  return good;
}

static thud_error open_channel(thud_record_reader *reader, thud_record_channel *channel, thud_column_reader *column) {
  char name[THUD_RECORD_NAME_LENGTH + 16];
  size_t length = strlen(channel->name);
  if (length == 0 || length > THUD_RECORD_NAME_LENGTH || strchr(channel->name, '/') != NULL)
    return fail_damaged(reader, "channels");
  snprintf(name, sizeof name, "frames/%s", channel->name);
  if (!type_of_dataset(reader->file, name, &channel->type)) return fail_damaged(reader, name);
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, name,
                                      (thud_column_kind)channel->type, reader->file_bytes, column);
  if (error != THUD_OK) return error;
  channel->width = column->shape.width;
  error = read_attribute(reader, column->dataset, "unit", THUD_RECORD_NAME_LENGTH, &channel->unit);
  if (error == THUD_OK)
    error = read_attribute(reader, column->dataset, "role", THUD_RECORD_NAME_LENGTH, &channel->role);
  if (error == THUD_OK)
    error = read_attribute(reader, column->dataset, "description", THUD_RECORD_TITLE_LENGTH, &channel->description);
  return error == THUD_OK ? read_components(reader, channel) : error;
}

static thud_error allocate_channels(thud_record_reader *reader, size_t count) {
  reader->channels = THUD_NEW_ARRAY(reader->context, thud_record_channel, count);
  reader->columns = THUD_NEW_ARRAY(reader->context, thud_column_reader, count);
  if (reader->channels == NULL || reader->columns == NULL) return THUD_ERROR_MEMORY;
  reader->info.channel_count = count;
  return THUD_OK;
}

static thud_error read_channel_names(thud_record_reader *reader) {
  thud_column_reader list;
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, "channels", THUD_COLUMN_TEXT,
                                      reader->file_bytes, &list);
  if (error != THUD_OK) return error;
  if (list.rows == 0 || !list.complete) error = fail_damaged(reader, "channels");
  if (error == THUD_OK) error = allocate_channels(reader, list.rows);
  const char **names = error == THUD_OK ? thud_arena_alloc(reader->texts, list.rows, sizeof *names) : NULL;
  if (error == THUD_OK && names == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = read_text_rows(reader, &list, list.rows, names);
  for (size_t k = 0; error == THUD_OK && k < list.rows; k++) reader->channels[k].name = names[k];
  thud_column_reader_release(reader->context, &list);
  return error;
}

/* A row counts when every column has it: a killed run may have got further in one column than in another. A finished
 * record must be complete. */
static thud_error common_rows(thud_record_reader *reader, size_t count, const thud_column_reader *columns,
                              const char *what, size_t *rows) {
  size_t least = SIZE_MAX;
  for (size_t k = 0; k < count; k++) {
    bool whole = columns[k].complete && columns[k].rows == columns[0].rows;
    if (reader->info.finished && !whole)
      return thud_fail(reader->context, THUD_ERROR_FORMAT, "%s: the record is damaged: rows of its %s are missing",
                       reader->path, what);
    if (columns[k].rows < least) least = columns[k].rows;
  }
  *rows = least;
  return THUD_OK;
}

static thud_error open_channels(thud_record_reader *reader) {
  thud_error error = read_channel_names(reader);
  for (size_t k = 0; error == THUD_OK && k < reader->info.channel_count; k++)
    error = open_channel(reader, &reader->channels[k], &reader->columns[k]);
  if (error != THUD_OK) return error;
  return common_rows(reader, reader->info.channel_count, reader->columns, "frames", &reader->info.rows);
}

/* ---- events and warnings -------------------------------------------------------------------------------------- */

static thud_error open_notes(thud_record_reader *reader, const char *group, notes_reader *notes) {
  static const char *const fields[NOTE_FIELDS] = {"t", "kind", "text"};
  static const size_t widths[NOTE_FIELDS] = {1, THUD_RECORD_NAME_LENGTH + 1, THUD_RECORD_TEXT_LENGTH + 1};
  for (size_t k = 0; k < NOTE_FIELDS; k++) {
    char name[32];
    snprintf(name, sizeof name, "%s/%s", group, fields[k]);
    thud_error error =
        thud_column_open(reader->context, reader->path, reader->file, name,
                         k == 0 ? THUD_COLUMN_REAL : THUD_COLUMN_TEXT, reader->file_bytes, &notes->columns[k]);
    if (error != THUD_OK) return error;
    if (notes->columns[k].shape.width != widths[k]) return fail_damaged(reader, name);
  }
  return common_rows(reader, NOTE_FIELDS, notes->columns, group, &notes->count);
}

static thud_error read_note(thud_record_reader *reader, notes_reader *notes, const char *what, size_t index,
                            thud_record_note *note) {
  if (index >= notes->count)
    return thud_fail(reader->context, THUD_ERROR_NOT_FOUND, "%s: there is no %s %zu, the record holds %zu",
                     reader->path, what, index, notes->count);
  const uint8_t *bytes[NOTE_FIELDS];
  thud_error error = THUD_OK;
  thud_h5_guard guard = thud_h5_enter();
  for (size_t k = 0; k < NOTE_FIELDS && error == THUD_OK; k++) {
    size_t there;
    error =
        thud_column_fetch(reader->context, reader->path, &notes->columns[k], index, &reader->space, &bytes[k], &there);
  }
  thud_h5_leave(guard);
  if (error != THUD_OK) return error;
  memcpy(notes->kind, bytes[1], THUD_RECORD_NAME_LENGTH);
  memcpy(notes->text, bytes[2], THUD_RECORD_TEXT_LENGTH);
  *note = (thud_record_note){
      .t = thud_column_get_number(THUD_COLUMN_REAL, bytes[0]), .kind = notes->kind, .text = notes->text};
  return THUD_OK;
}

thud_error thud_record_read_event(thud_record_reader *reader, size_t index, thud_record_note *event) {
  return read_note(reader, &reader->events, "event", index, event);
}

thud_error thud_record_read_warning(thud_record_reader *reader, size_t index, thud_record_note *warning) {
  return read_note(reader, &reader->warnings, "warning", index, warning);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static thud_error check_format(thud_record_reader *reader) {
  char format[THUD_RECORD_NAME_LENGTH + 1];
  int version;
  if (!thud_h5_read_text(reader->file, "format", THUD_RECORD_NAME_LENGTH, format) ||
      strcmp(format, THUD_RECORD_FORMAT) != 0 || !thud_h5_read_int(reader->file, "format_version", &version))
    return thud_fail(reader->context, THUD_ERROR_FORMAT, "%s: this is an HDF5 file but not a thud record",
                     reader->path);
  if (version != THUD_RECORD_FORMAT_VERSION)
    return thud_fail(reader->context, THUD_ERROR_FORMAT,
                     "%s: the record has format version %d, this thud (%s) reads version %d; use a newer thud",
                     reader->path, version, thud_version(), THUD_RECORD_FORMAT_VERSION);
  return THUD_OK;
}

static thud_error read_description(thud_record_reader *reader) {
  thud_record_info *info = &reader->info;
  hid_t file = reader->file;
  thud_error error = read_attribute(reader, file, "thud_version", THUD_RECORD_NAME_LENGTH, &info->thud_version);
  if (error == THUD_OK) error = read_attribute(reader, file, "title", THUD_RECORD_TITLE_LENGTH, &info->title);
  if (error == THUD_OK) error = read_attribute(reader, file, "method", THUD_RECORD_NAME_LENGTH, &info->method);
  if (error == THUD_OK) error = read_attribute(reader, file, "verdict", THUD_RECORD_NAME_LENGTH, &info->verdict);
  if (error == THUD_OK) error = read_attribute(reader, file, "reason", THUD_RECORD_TEXT_LENGTH, &info->reason);
  if (error == THUD_OK) error = read_text(reader, "scene", &info->scene);
  if (error == THUD_OK) error = read_text(reader, "options", &info->options);
  if (error != THUD_OK) return error;
  info->finished = strcmp(info->verdict, THUD_RECORD_UNFINISHED) != 0;
  info->summary = "";
  return info->finished ? read_text(reader, "summary", &info->summary) : THUD_OK;
}

static thud_error read_everything(thud_record_reader *reader) {
  thud_error error = check_format(reader);
  if (error == THUD_OK) error = read_description(reader);
  if (error == THUD_OK) error = open_channels(reader);
  if (error == THUD_OK) error = open_notes(reader, "events", &reader->events);
  if (error == THUD_OK) error = open_notes(reader, "warnings", &reader->warnings);
  reader->info.event_count = reader->events.count;
  reader->info.warning_count = reader->warnings.count;
  return error;
}

static void release_reader(thud_record_reader *reader) {
  thud_context *context = reader->context;
  for (size_t k = 0; reader->columns != NULL && k < reader->info.channel_count; k++)
    thud_column_reader_release(context, &reader->columns[k]);
  for (size_t k = 0; k < NOTE_FIELDS; k++) {
    thud_column_reader_release(context, &reader->events.columns[k]);
    thud_column_reader_release(context, &reader->warnings.columns[k]);
  }
  if (reader->file > 0) H5Fclose(reader->file);
  thud_column_space_release(context, &reader->space);
  thud_free(context, reader->columns);
  thud_free(context, reader->channels);
  thud_arena_destroy(reader->texts);
  thud_free(context, reader->path);
  thud_free(context, reader);
}

thud_error thud_record_open(thud_context *context, const char *path, thud_record_reader **reader) {
  if (path == NULL || reader == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: path and reader are needed");
  uint64_t file_bytes = 0;
  thud_error error = check_file(context, path, &file_bytes);
  if (error != THUD_OK) return error;
  thud_record_reader *made = THUD_NEW(context, thud_record_reader);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = made->status.context = context;
  made->file_bytes = file_bytes;
  made->path = thud_strdup(context, path);
  if (made->path == NULL || thud_arena_create(context, 4096, &made->texts) != THUD_OK) {
    release_reader(made);
    return THUD_ERROR_MEMORY;
  }
  thud_h5_guard guard = thud_h5_enter();
  made->file = open_file(path, &made->status);
  if (made->file >= 0)
    error = read_everything(made);
  else if (made->status.failed && made->status.error_number == 0)
    error = THUD_ERROR_MEMORY;
  else
    error = thud_h5_fail(context, THUD_ERROR_FORMAT, path, "the record is damaged");
  if (error == THUD_OK)
    *reader = made;
  else
    release_reader(made);
  thud_h5_leave(guard);
  return error;
}

void thud_record_reader_destroy(thud_record_reader *reader) {
  if (reader == NULL) return;
  thud_h5_guard guard = thud_h5_enter();
  release_reader(reader);
  thud_h5_leave(guard);
}

/* ---- using it ------------------------------------------------------------------------------------------------------
 */

thud_record_info thud_record_reader_info(const thud_record_reader *reader) { return reader->info; }

const thud_record_channel *thud_record_reader_channel(const thud_record_reader *reader, size_t index) {
  return index < reader->info.channel_count ? &reader->channels[index] : NULL;
}

/* key 0: by name, 1: by role. */
static thud_error find(const thud_record_reader *reader, bool by_role, const char *wanted, size_t *index) {
  for (size_t k = 0; k < reader->info.channel_count; k++)
    if (strcmp(by_role ? reader->channels[k].role : reader->channels[k].name, wanted) == 0) {
      *index = k;
      return THUD_OK;
    }
  char names[256] = "";
  for (size_t k = 0, used = 0; k < reader->info.channel_count && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", reader->channels[k].name);
  return thud_fail(reader->context, THUD_ERROR_NOT_FOUND, "%s: no channel %s '%s'; there are: %s", reader->path,
                   by_role ? "has the role" : "is called", wanted, names);
}

thud_error thud_record_find_channel(const thud_record_reader *reader, const char *name, size_t *index) {
  return find(reader, false, name, index);
}

thud_error thud_record_find_role(const thud_record_reader *reader, const char *role, size_t *index) {
  return find(reader, true, role, index);
}

static thud_error read_rows(thud_record_reader *reader, thud_column_reader *column, size_t first, size_t count,
                            double *values) {
  const thud_column_shape *shape = &column->shape;
  while (count > 0) {
    const uint8_t *bytes;
    size_t there;
    thud_error error = thud_column_fetch(reader->context, reader->path, column, first, &reader->space, &bytes, &there);
    if (error != THUD_OK) return error;
    size_t taken = there < count ? there : count, numbers = taken * shape->width;
    for (size_t k = 0; k < numbers; k++)
      values[k] = thud_column_get_number(shape->kind, bytes + k * shape->element_size);
    values += numbers;
    first += taken;
    count -= taken;
  }
  return THUD_OK;
}

thud_error thud_record_read(thud_record_reader *reader, size_t channel, size_t first, size_t count, double *values) {
  const thud_record_info *info = &reader->info;
  if (channel >= info->channel_count)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT, "%s: there is no channel %zu, the record holds %zu",
                     reader->path, channel, info->channel_count);
  if (first > info->rows || count > info->rows - first)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT,
                     "%s: rows %zu to %zu of channel '%s' were asked for, the record holds %zu", reader->path, first,
                     first + count - 1, reader->channels[channel].name, info->rows);
  thud_h5_guard guard = thud_h5_enter();
  thud_error error = read_rows(reader, &reader->columns[channel], first, count, values);
  thud_h5_leave(guard);
  return error;
}

thud_context *thud_record_reader_context(const thud_record_reader *reader) { return reader->context; }

/* ---- checkpoints ------------------------------------------------------------------------------------------------ */

static thud_error open_checkpoint_column(thud_record_reader *reader, const char *name, thud_column_kind kind,
                                         size_t width, thud_column_reader *column) {
  thud_error error =
      thud_column_open(reader->context, reader->path, reader->file, name, kind, reader->file_bytes, column);
  if (error == THUD_OK && column->shape.width != width) error = fail_damaged(reader, name);
  return error;
}

/* Copies `size` bytes from the pieces on; the caller has checked that they are there. */
static thud_error read_pieces(thud_record_reader *reader, thud_column_reader *pieces, size_t first, size_t size,
                              uint8_t *state) {
  for (size_t done = 0; done < size; done += THUD_CHECKPOINT_PIECE, first++) {
    const uint8_t *bytes;
    size_t there, count = size - done < THUD_CHECKPOINT_PIECE ? size - done : THUD_CHECKPOINT_PIECE;
    thud_error error = thud_column_fetch(reader->context, reader->path, pieces, first, &reader->space, &bytes, &there);
    if (error != THUD_OK) return error;
    memcpy(state + done, bytes, count);
  }
  return THUD_OK;
}

/* The last line of the index whose pieces, rows and notes are all there. */
static thud_error read_newest(thud_record_reader *reader, thud_column_reader *index, thud_column_reader *pieces,
                              thud_record_resumption *found) {
  const thud_record_info *info = &reader->info;
  const uint8_t *bytes;
  size_t there, fields[THUD_CHECKPOINT_FIELDS];
  thud_error error =
      thud_column_fetch(reader->context, reader->path, index, index->rows - 1, &reader->space, &bytes, &there);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < THUD_CHECKPOINT_FIELDS; k++) {
    double value = thud_column_get_number(THUD_COLUMN_INTEGER, bytes + 4 * k);
    if (value < 0) return fail_damaged(reader, "checkpoints/index");
    fields[k] = (size_t)value;
  }
  size_t needed = (fields[4] + THUD_CHECKPOINT_PIECE - 1) / THUD_CHECKPOINT_PIECE;
  if (fields[0] > info->rows || fields[1] > info->event_count || fields[2] > info->warning_count || fields[4] == 0 ||
      fields[3] > pieces->rows || needed > pieces->rows - fields[3])
    return fail_damaged(reader, "checkpoints");
  uint8_t *state = thud_alloc(reader->context, fields[4], 1);
  if (state == NULL) return THUD_ERROR_MEMORY;
  error = read_pieces(reader, pieces, fields[3], fields[4], state);
  if (error == THUD_OK)
    *found = (thud_record_resumption){
        .rows = fields[0], .events = fields[1], .warnings = fields[2], .size = fields[4], .state = state};
  else
    thud_free(reader->context, state);
  return error;
}

thud_error thud_record_read_checkpoint(thud_record_reader *reader, thud_record_resumption *resumption) {
  thud_column_reader index = {0}, pieces = {0};
  thud_h5_guard guard = thud_h5_enter();
  thud_error error = THUD_OK;
  if (H5Lexists(reader->file, "checkpoints", H5P_DEFAULT) <= 0 ||
      H5Lexists(reader->file, "checkpoints/index", H5P_DEFAULT) <= 0)
    error = THUD_ERROR_NOT_FOUND;
  if (error == THUD_OK)
    error = open_checkpoint_column(reader, "checkpoints/index", THUD_COLUMN_INTEGER, THUD_CHECKPOINT_FIELDS, &index);
  if (error == THUD_OK)
    error = open_checkpoint_column(reader, "checkpoints/pieces", THUD_COLUMN_SMALL, THUD_CHECKPOINT_PIECE, &pieces);
  if (error == THUD_OK && index.rows == 0) error = THUD_ERROR_NOT_FOUND;
  if (error == THUD_OK) error = read_newest(reader, &index, &pieces, resumption);
  if (error == THUD_ERROR_NOT_FOUND)
    thud_fail(reader->context, error,
              "%s: the record has no checkpoint: its run stopped before the first one, or the scene asks for none "
              "(record: {checkpoint_every: ...}); run the scene anew",
              reader->path);
  thud_column_reader_release(reader->context, &index);
  thud_column_reader_release(reader->context, &pieces);
  thud_h5_leave(guard);
  return error;
}

void thud_record_resumption_free(thud_context *context, thud_record_resumption *resumption) {
  thud_free(context, resumption->state);
  *resumption = (thud_record_resumption){0};
}
