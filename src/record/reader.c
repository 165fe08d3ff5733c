/* Reading records, also damaged, truncated and foreign ones: nothing in the file is believed before it is checked. */
#include "base/base.h"
#include "record/reader.h"
#include "record/seal_reader.h"
#include "record/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- is it a record at all? -------------------------------------------------------------------------------- */

/* Superblock of the HDF5 1.8 format: 8 bytes of signature, version 2, sizes of offsets and lengths, flags, then the
 * addresses base, extension, end of file, root (HDF5 File Format Specification, II.A). */
enum { SUPERBLOCK_BYTES = 48, END_OFFSET = 28 };

/* A line that begins with the key, in YAML or JSON. */
static bool has_key(const char *text, const char *key) {
  size_t length = strlen(key);
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    line += strspn(line, "\n\r\t {\"");
    if (strncmp(line, key, length) == 0 && (line[length] == ':' || line[length] == '"')) return true;
  }
  return false;
}

/* People give the scene where its record is needed. */
static thud_error fail_no_record(thud_context *context, const char *path, FILE *stream) {
  enum { LOOKED_AT = 4096 };
  char text[LOOKED_AT + 1];
  rewind(stream);
  text[fread(text, 1, LOOKED_AT, stream)] = '\0';
  if (has_key(text, "thud"))
    return thud_fail(context, THUD_ERROR_FORMAT, "[is-a-scene] %s is a scene; run it first: thud run %s", path, path);
  if (has_key(text, "thud_problem"))
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "[is-a-problem] %s is a contact problem, which has no record; solve it: thud solve %s", path,
                     path);
  return thud_fail(context, THUD_ERROR_FORMAT, "[not-a-record] %s: this is not a thud record (not an HDF5 file)", path);
}

static bool has_signature(const uint8_t *block, size_t count) {
  static const uint8_t signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  return count >= sizeof signature && memcmp(block, signature, sizeof signature) == 0;
}

static thud_error check_superblock(thud_context *context, const char *path, const uint8_t *block, size_t count,
                                   uint64_t file_bytes) {
  if (count < SUPERBLOCK_BYTES)
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "[record-damaged] %s: the record is truncated: only %llu bytes are left", path,
                     (unsigned long long)file_bytes);
  if (block[8] != 2 || block[9] != 8 || block[10] != 8)
    return thud_fail(context, THUD_ERROR_FORMAT, "[not-a-record] %s: this is an HDF5 file but not a thud record", path);
  uint64_t end = 0;
  for (int k = 0; k < 8; k++) end |= (uint64_t)block[END_OFFSET + k] << (8 * k);
  if (end > file_bytes)
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "[record-damaged] %s: the record is truncated: %llu bytes are left of %llu", path,
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
  *file_bytes = (uint64_t)status.st_size;
  thud_error error = has_signature(block, count) ? check_superblock(context, path, block, count, *file_bytes)
                                                 : fail_no_record(context, path, stream);
  fclose(stream);
  return error;
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

thud_error thud_reader_fail_damaged(const thud_record_reader *reader, const char *what) {
  return thud_fail(reader->context, THUD_ERROR_FORMAT,
                   "[record-damaged] %s: the record is damaged: '%s' is missing or unreadable", reader->path, what);
}

static thud_error keep_text(thud_record_reader *reader, const char *text, size_t length, const char **kept) {
  char *copy = thud_arena_alloc(reader->texts, length + 1, 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, text, length);
  *kept = copy;
  return THUD_OK;
}

thud_error thud_reader_keep(thud_record_reader *reader, const char *text, const char **kept) {
  return keep_text(reader, text, strlen(text), kept);
}

thud_error thud_reader_attribute(thud_record_reader *reader, hid_t object, const char *name, size_t limit,
                                 const char **text) {
  char buffer[THUD_RECORD_TEXT_LENGTH + 1];
  if (!thud_h5_read_text(object, name, limit, buffer)) return thud_reader_fail_damaged(reader, name);
  return thud_reader_keep(reader, buffer, text);
}

static thud_error read_text_rows(thud_record_reader *reader, thud_column_reader *column, const char **texts) {
  for (size_t k = 0; k < column->rows; k++) {
    const uint8_t *bytes;
    size_t there;
    thud_error error = thud_column_fetch(reader->context, reader->path, column, k, &reader->space, &bytes, &there);
    if (error == THUD_OK)
      error = keep_text(reader, (const char *)bytes, strnlen((const char *)bytes, column->shape.width), &texts[k]);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

thud_error thud_reader_texts(thud_record_reader *reader, const char *name, size_t *count, const char *const **texts) {
  thud_column_reader column;
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, name, THUD_COLUMN_STRING,
                                      reader->file_bytes, &column);
  if (error != THUD_OK) return error;
  if (column.rows == 0 || !column.complete) error = thud_reader_fail_damaged(reader, name);
  const char **found = error == THUD_OK ? thud_arena_alloc(reader->texts, column.rows, sizeof *found) : NULL;
  if (error == THUD_OK && found == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = read_text_rows(reader, &column, found);
  *count = column.rows;
  *texts = found;
  thud_column_reader_release(reader->context, &column);
  return error;
}

static thud_error read_text(thud_record_reader *reader, const char *name, const char **text) {
  const char *const *texts;
  size_t count;
  thud_error error = thud_reader_texts(reader, name, &count, &texts);
  if (error == THUD_OK && count != 1) error = thud_reader_fail_damaged(reader, name);
  if (error == THUD_OK) *text = texts[0];
  return error;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static thud_error check_format(thud_record_reader *reader) {
  char format[THUD_RECORD_NAME_LENGTH + 1];
  int version;
  if (!thud_h5_read_text(reader->file, "format", THUD_RECORD_NAME_LENGTH, format) ||
      strcmp(format, THUD_RECORD_FORMAT) != 0 || !thud_h5_read_int(reader->file, "format_version", &version))
    return thud_fail(reader->context, THUD_ERROR_FORMAT,
                     "[not-a-record] %s: this is an HDF5 file but not a thud record", reader->path);
  if (version < THUD_RECORD_FORMAT_VERSION)
    return thud_fail(reader->context, THUD_ERROR_FORMAT,
                     "[record-version] %s: the record has format version %d of an older thud; run its scene again to "
                     "make one of version "
                     "%d, which this thud (%s) reads",
                     reader->path, version, THUD_RECORD_FORMAT_VERSION, thud_version());
  if (version > THUD_RECORD_FORMAT_VERSION)
    return thud_fail(
        reader->context, THUD_ERROR_FORMAT,
        "[record-version] %s: the record has format version %d, this thud (%s) reads version %d; use a newer thud",
        reader->path, version, thud_version(), THUD_RECORD_FORMAT_VERSION);
  return THUD_OK;
}

static thud_error read_description(thud_record_reader *reader) {
  thud_record_info *info = &reader->info;
  hid_t file = reader->file;
  thud_error error = thud_reader_attribute(reader, file, "thud_version", THUD_RECORD_NAME_LENGTH, &info->thud_version);
  if (error == THUD_OK) error = thud_reader_attribute(reader, file, "title", THUD_RECORD_TITLE_LENGTH, &info->title);
  if (error == THUD_OK) error = thud_reader_attribute(reader, file, "kind", THUD_RECORD_NAME_LENGTH, &info->kind);
  if (error == THUD_OK) error = thud_reader_attribute(reader, file, "method", THUD_RECORD_NAME_LENGTH, &info->method);
  if (error == THUD_OK) error = thud_reader_attribute(reader, file, "verdict", THUD_RECORD_NAME_LENGTH, &info->verdict);
  if (error == THUD_OK) error = thud_reader_attribute(reader, file, "reason", THUD_RECORD_TEXT_LENGTH, &info->reason);
  if (error == THUD_OK) error = read_text(reader, "scene", &info->scene);
  if (error == THUD_OK) error = read_text(reader, "resolved", &info->resolved);
  info->source = "";
  if (error == THUD_OK && H5Lexists(file, "source", H5P_DEFAULT) > 0)
    error = read_text(reader, "source", &info->source);
  if (error != THUD_OK) return error;
  info->finished = strcmp(info->verdict, THUD_RECORD_UNFINISHED) != 0;
  info->summary = "";
  return info->finished ? read_text(reader, "summary", &info->summary) : THUD_OK;
}

static thud_error read_everything(thud_record_reader *reader) {
  thud_error error = check_format(reader);
  if (error == THUD_OK) error = read_description(reader);
  return error == THUD_OK ? thud_tables_open(reader) : error;
}

static void release_reader(thud_record_reader *reader) {
  thud_context *context = reader->context;
  thud_tables_close(reader);
  if (reader->file > 0) H5Fclose(reader->file);
  thud_commit_release(&reader->status);
  thud_column_space_release(context, &reader->space);
  thud_arena_destroy(reader->texts);
  thud_free(context, reader->path);
  thud_free(context, reader);
}

thud_error thud_record_open(thud_context *context, const char *path, thud_record_reader **reader) {
  THUD_REQUIRE(context, context, path, reader);
  uint64_t file_bytes = 0;
  thud_error error = check_file(context, path, &file_bytes);
  if (error == THUD_OK) error = thud_h5_need_memory(context);
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

thud_record_info thud_record_reader_info(const thud_record_reader *reader) {
  THUD_REQUIRE_OR((thud_record_info){0}, reader);
  return reader->info;
}

thud_context *thud_record_reader_context(const thud_record_reader *reader) { return reader->context; }

/* ---- checkpoints ------------------------------------------------------------------------------------------------ */

static thud_error open_checkpoint_column(thud_record_reader *reader, const char *name, thud_column_kind kind,
                                         size_t width, thud_column_reader *column) {
  thud_error error =
      thud_column_open(reader->context, reader->path, reader->file, name, kind, reader->file_bytes, column);
  if (error == THUD_OK && column->shape.width != width) error = thud_reader_fail_damaged(reader, name);
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
    for (size_t k = count; k < THUD_CHECKPOINT_PIECE; k++) /* nothing is behind the end of a state */
      if (bytes[k] != 0) return thud_reader_fail_damaged(reader, "checkpoints/pieces");
  }
  return THUD_OK;
}

/* A line of the index, whose pieces and rows must all be there. */
static thud_error read_line(thud_record_reader *reader, thud_column_reader *index, thud_column_reader *pieces,
                            size_t line, thud_record_resumption *found) {
  double values[THUD_CHECKPOINT_FIELDS];
  size_t fields[THUD_CHECKPOINT_FIELDS];
  thud_error error = thud_column_read_numbers(reader->context, reader->path, index, line, 1, &reader->space, values);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < THUD_CHECKPOINT_FIELDS; k++) {
    if (values[k] < 0 || !thud_column_fits(THUD_COLUMN_LONG, values[k]))
      return thud_reader_fail_damaged(reader, "checkpoints/index");
    fields[k] = (size_t)values[k];
  }
  size_t first = fields[THUD_RECORD_TABLES], size = fields[THUD_RECORD_TABLES + 1];
  size_t needed = (size + THUD_CHECKPOINT_PIECE - 1) / THUD_CHECKPOINT_PIECE;
  bool there = size > 0 && first <= pieces->rows && needed <= pieces->rows - first;
  for (int t = 0; t < THUD_RECORD_TABLES; t++) there = there && fields[t] <= reader->info.rows[t];
  if (!there) return thud_reader_fail_damaged(reader, "checkpoints");
  uint8_t *state = thud_alloc(reader->context, size, 1);
  if (state == NULL) return THUD_ERROR_MEMORY;
  error = read_pieces(reader, pieces, first, size, state);
  if (error != THUD_OK) {
    thud_free(reader->context, state);
    return error;
  }
  *found = (thud_record_resumption){.size = size, .state = state};
  memcpy(found->rows, fields, sizeof found->rows);
  return THUD_OK;
}

static bool has_checkpoints(const thud_record_reader *reader) {
  return H5Lexists(reader->file, "checkpoints", H5P_DEFAULT) > 0 &&
         H5Lexists(reader->file, "checkpoints/index", H5P_DEFAULT) > 0;
}

/* SIZE_MAX: the newest. *count (may be NULL): how many there are; found may be NULL then. */
static thud_error read_checkpoint(thud_record_reader *reader, size_t number, size_t *count,
                                  thud_record_resumption *found) {
  thud_column_reader index = {0}, pieces = {0};
  thud_h5_guard guard = thud_h5_enter();
  thud_error error = has_checkpoints(reader) ? THUD_OK : THUD_ERROR_NOT_FOUND;
  if (error == THUD_OK)
    error = open_checkpoint_column(reader, "checkpoints/index", THUD_COLUMN_LONG, THUD_CHECKPOINT_FIELDS, &index);
  if (error == THUD_OK)
    error = open_checkpoint_column(reader, "checkpoints/pieces", THUD_COLUMN_SMALL, THUD_CHECKPOINT_PIECE, &pieces);
  size_t line = number < index.rows ? number : index.rows - 1;
  if (error == THUD_OK && index.rows == 0) error = THUD_ERROR_NOT_FOUND;
  if (error == THUD_OK && found != NULL) error = read_line(reader, &index, &pieces, line, found);
  if (error == THUD_OK && count != NULL) *count = index.rows;
  thud_column_reader_release(reader->context, &index);
  thud_column_reader_release(reader->context, &pieces);
  thud_h5_leave(guard);
  return error;
}

thud_error thud_record_read_checkpoint(thud_record_reader *reader, thud_record_resumption *resumption) {
  THUD_REQUIRE_OF(reader, resumption);
  thud_error error = read_checkpoint(reader, SIZE_MAX, NULL, resumption);
  if (error == THUD_ERROR_NOT_FOUND)
    thud_fail(reader->context, error,
              "[cannot-resume] %s: the record has no checkpoint: its run stopped before the first one, or the scene "
              "asks for none "
              "(record: {checkpoint_every: ...}); run the scene anew",
              reader->path);
  return error;
}

thud_error thud_reader_count_checkpoints(thud_record_reader *reader, size_t *count) {
  thud_error error = read_checkpoint(reader, SIZE_MAX, count, NULL);
  if (error == THUD_ERROR_NOT_FOUND) *count = 0;
  return error == THUD_ERROR_NOT_FOUND ? THUD_OK : error;
}

thud_error thud_reader_checkpoint(thud_record_reader *reader, size_t number, thud_record_resumption *found) {
  return read_checkpoint(reader, number, NULL, found);
}

void thud_record_resumption_free(thud_context *context, thud_record_resumption *resumption) {
  THUD_REQUIRE_OR(, resumption);
  thud_free(context, resumption->state);
  *resumption = (thud_record_resumption){0};
}
