/* Tables of numbers in CSV. */
#include "verify/verify_result.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FIELD = 256 }; /* bytes of one number or name */
static const size_t max_bytes = (size_t)1 << 30;

typedef struct table_reader {
  thud_context *context;
  const char *path;
  char *text, *next; /* the whole file, and where the next field begins */
  size_t line;
  size_t width;    /* columns of the file */
  size_t *targets; /* [width] which asked column each one is, SIZE_MAX: none */
} table_reader;

/* Reads to the end, or to the first bytes that no table has: devices have no end. */
static thud_error read_stream(thud_context *context, const char *path, FILE *file, char **bytes, size_t *length) {
  size_t capacity = 0;
  for (;;) {
    thud_error error = thud_array_reserve(context, bytes, &capacity, *length + 65536, 1);
    if (error != THUD_OK) return error;
    size_t got = fread(*bytes + *length, 1, capacity - *length - 1, file);
    if (got == 0) break;
    if (memchr(*bytes + *length, '\0', got) != NULL)
      return thud_fail(context, THUD_ERROR_FORMAT, "%s: not a text file", path);
    *length += got;
    if (*length > max_bytes)
      return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: larger than %zu MiB; check it in pieces", path,
                       max_bytes >> 20);
  }
  if (ferror(file)) return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
  return THUD_OK;
}

static thud_error read_whole(thud_context *context, const char *path, char **text) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
  size_t length = 0;
  char *bytes = NULL;
  thud_error error = read_stream(context, path, file, &bytes, &length);
  fclose(file);
  if (error != THUD_OK) {
    thud_free(context, bytes);
    return error;
  }
  bytes[length] = '\0';
  *text = bytes;
  return THUD_OK;
}

static bool at_line_end(const table_reader *r) { return *r->next == '\n' || *r->next == '\r' || *r->next == '\0'; }

/* Steps over the end of the line; false at the end of the file. */
static bool next_line(table_reader *r) {
  if (*r->next == '\r') r->next++;
  if (*r->next == '\n') r->next++;
  r->line++;
  return *r->next != '\0';
}

/* The next field without surrounding blanks and quotes, and its comma. */
static thud_error next_field(table_reader *r, char field[MAX_FIELD]) {
  size_t length = strcspn(r->next, ",\r\n");
  const char *begin = r->next, *end = begin + length;
  r->next += length;
  if (*r->next == ',') r->next++;
  while (begin < end && (*begin == ' ' || *begin == '\t' || *begin == '"')) begin++;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '"')) end--;
  length = (size_t)(end - begin);
  if (length >= MAX_FIELD)
    return thud_fail(r->context, THUD_ERROR_FORMAT, "%s:%zu: a field is longer than %d bytes", r->path, r->line,
                     MAX_FIELD - 1);
  memcpy(field, begin, length);
  field[length] = '\0';
  return THUD_OK;
}

static thud_error read_header(table_reader *r, size_t count, const verify_table_column *columns) {
  char name[MAX_FIELD];
  size_t capacity = 0;
  bool more = true;
  thud_error error = THUD_OK;
  while (more && error == THUD_OK) {
    size_t rest = strcspn(r->next, ",\r\n");
    more = r->next[rest] == ',';
    error = next_field(r, name);
    if (error == THUD_OK) error = thud_array_reserve(r->context, &r->targets, &capacity, r->width + 1, sizeof(size_t));
    if (error != THUD_OK) return error;
    char *unit = strstr(name, " ["); /* "x [m]", as exported tables may write it */
    if (unit != NULL) *unit = '\0';
    size_t target = SIZE_MAX;
    for (size_t k = 0; k < count; k++)
      if (strcmp(columns[k].name, name) == 0) target = k;
    for (size_t k = 0; k < r->width && target != SIZE_MAX; k++)
      if (r->targets[k] == target)
        return thud_fail(r->context, THUD_ERROR_FORMAT, "%s:1: the column '%s' is there twice", r->path, name);
    r->targets[r->width++] = target;
  }
  for (size_t k = 0; k < count; k++) {
    bool there = false;
    for (size_t j = 0; j < r->width; j++) there = there || r->targets[j] == k;
    if (columns[k].required && !there)
      return thud_fail(r->context, THUD_ERROR_FORMAT, "%s:1: a column '%s' is needed; the first line names the columns",
                       r->path, columns[k].name);
  }
  return THUD_OK;
}

static thud_error parse(const table_reader *r, const verify_table_column *column, const char *field, double *value) {
  if (column->side && (field[0] == '\0' || strcmp(field, "+") == 0 || strcmp(field, "-") == 0)) {
    *value = field[0] == '+' ? 1 : field[0] == '-' ? -1 : 0;
    return THUD_OK;
  }
  bool fine = thud_parse_double(field[0] == '+' ? field + 1 : field, value);
  if (fine && (!column->side || *value == -1 || *value == 0 || *value == 1)) return THUD_OK;
  return thud_fail(r->context, THUD_ERROR_FORMAT, "%s:%zu: '%s' in the column '%s' is not %s", r->path, r->line, field,
                   column->name, column->side ? "a side: -, + or nothing" : "a finite number");
}

static thud_error read_row(table_reader *r, verify_table_column *columns, size_t row) {
  char field[MAX_FIELD];
  for (size_t j = 0; j < r->width; j++) {
    if (at_line_end(r) && !(j + 1 == r->width && r->next > r->text && r->next[-1] == ',') && j > 0)
      return thud_fail(r->context, THUD_ERROR_FORMAT, "%s:%zu: %zu fields, the first line names %zu columns", r->path,
                       r->line, j, r->width);
    thud_error error = next_field(r, field);
    if (error == THUD_OK && r->targets[j] != SIZE_MAX) {
      verify_table_column *column = &columns[r->targets[j]];
      error = parse(r, column, field, &column->values[row]);
    }
    if (error != THUD_OK) return error;
  }
  if (!at_line_end(r))
    return thud_fail(r->context, THUD_ERROR_FORMAT, "%s:%zu: more fields than the %zu columns of the first line",
                     r->path, r->line, r->width);
  return THUD_OK;
}

static size_t count_lines(const char *text) {
  size_t lines = 1;
  for (; *text != '\0'; text++) lines += *text == '\n';
  return lines;
}

static thud_error read_all(table_reader *r, size_t count, verify_table_column *columns, size_t *rows) {
  size_t lines = count_lines(r->text), row = 0;
  thud_error error = read_header(r, count, columns);
  for (size_t j = 0; j < r->width && error == THUD_OK; j++) {
    if (r->targets[j] == SIZE_MAX) continue;
    columns[r->targets[j]].values = THUD_NEW_ARRAY(r->context, double, lines);
    if (columns[r->targets[j]].values == NULL) error = THUD_ERROR_MEMORY;
  }
  while (error == THUD_OK && next_line(r)) {
    if (at_line_end(r)) continue; /* a blank line */
    error = read_row(r, columns, row++);
  }
  if (error == THUD_OK && row == 0)
    error = thud_fail(r->context, THUD_ERROR_FORMAT, "%s: no rows after the first line", r->path);
  if (error == THUD_OK) *rows = row;
  return error;
}

thud_error thud_verify_table_read(thud_context *context, const char *path, size_t column_count,
                                  verify_table_column *columns, size_t *rows) {
  table_reader reader = {.context = context, .path = path, .line = 1};
  thud_error error = read_whole(context, path, &reader.text);
  if (error != THUD_OK) return error;
  reader.next = reader.text;
  error = read_all(&reader, column_count, columns, rows);
  thud_free(context, reader.targets);
  thud_free(context, reader.text);
  return error;
}
