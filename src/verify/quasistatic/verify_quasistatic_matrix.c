/* Matrices of a quasi-static scene: rows of entries, and Matrix Market texts. */
#include "verify/quasistatic/verify_quasistatic.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_entries_add(thud_context *context, verify_entries *entries, size_t row, size_t column,
                                   double value) {
  thud_error error =
      thud_array_reserve(context, &entries->items, &entries->capacity, entries->count + 1, sizeof *entries->items);
  if (error == THUD_OK) entries->items[entries->count++] = (verify_entry){.row = row, .column = column, .value = value};
  return error;
}

thud_error thud_verify_rows_create(thud_context *context, size_t count, const verify_entries *entries,
                                   verify_rows *rows) {
  *rows = (verify_rows){.count = count};
  rows->starts = THUD_NEW_ARRAY(context, size_t, count + 2);
  rows->entries = THUD_NEW_ARRAY(context, verify_entry, entries->count);
  if (rows->starts == NULL || rows->entries == NULL) return THUD_ERROR_MEMORY;
  /* starts[i + 2] counts row i, then starts[i + 1] runs through its places. */
  for (size_t k = 0; k < entries->count; k++) rows->starts[entries->items[k].row + 2]++;
  for (size_t i = 2; i < count + 2; i++) rows->starts[i] += rows->starts[i - 1];
  for (size_t k = 0; k < entries->count; k++)
    rows->entries[rows->starts[entries->items[k].row + 1]++] = entries->items[k];
  return THUD_OK;
}

void thud_verify_rows_free(thud_context *context, verify_rows *rows) {
  thud_free(context, rows->starts);
  thud_free(context, rows->entries);
}

double thud_verify_row_dot(const verify_rows *rows, size_t i, const double *x) {
  double sum = 0;
  for (size_t k = rows->starts[i]; k < rows->starts[i + 1]; k++)
    sum += rows->entries[k].value * x[rows->entries[k].column];
  return sum;
}

double thud_verify_row_size(const verify_rows *rows, size_t i, const double *x) {
  double sum = 0;
  for (size_t k = rows->starts[i]; k < rows->starts[i + 1]; k++)
    sum += fabs(rows->entries[k].value * x[rows->entries[k].column]);
  return sum;
}

/* ---- Matrix Market ------------------------------------------------------------------------------------------------- */

typedef struct market {
  thud_context *context;
  const char *next;
  bool coordinates, symmetric;
} market;

static thud_error refuse(const market *m, const char *what) {
  return thud_fail(m->context, THUD_ERROR_FORMAT, "Matrix Market: %s", what);
}

/* The next word of the first line, in small letters. */
static void next_word(market *m, char *word, size_t capacity) {
  size_t length = 0;
  while (*m->next == ' ' || *m->next == '\t') m->next++;
  for (; *m->next != '\0' && !isspace((unsigned char)*m->next); m->next++)
    if (length + 1 < capacity) word[length++] = (char)tolower((unsigned char)*m->next);
  word[length] = '\0';
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static thud_error read_header(market *m) {
  char word[20];
  next_word(m, word, sizeof word);
  if (strcmp(word, "%%matrixmarket") != 0) return refuse(m, "the first line is not %%MatrixMarket");
  next_word(m, word, sizeof word);
  if (strcmp(word, "matrix") != 0) return refuse(m, "no matrix");
  next_word(m, word, sizeof word);
  if (!is_one_of(word, "coordinate", "array", "array")) return refuse(m, "neither coordinate nor array");
  m->coordinates = strcmp(word, "coordinate") == 0;
  next_word(m, word, sizeof word);
  if (!is_one_of(word, "real", "double", "integer")) return refuse(m, "the entries are not real");
  next_word(m, word, sizeof word);
  if (!is_one_of(word, "general", "symmetric", "symmetric")) return refuse(m, "neither general nor symmetric");
  m->symmetric = strcmp(word, "symmetric") == 0;
  while (*m->next != '\0' && *m->next != '\n') m->next++;
  return THUD_OK;
}

/* The next number; lines that begin with % are comments. */
static bool next_number(market *m, double *value) {
  char *end;
  for (;;) {
    while (isspace((unsigned char)*m->next)) m->next++;
    if (*m->next != '%') break;
    while (*m->next != '\0' && *m->next != '\n') m->next++;
  }
  *value = strtod(m->next, &end);
  bool found = end != m->next;
  m->next = end;
  return found;
}

static bool next_index(market *m, double below, size_t *index) {
  double value;
  if (!next_number(m, &value) || !(value >= 1 && value <= below) || value != floor(value)) return false;
  *index = (size_t)value - 1;
  return true;
}

static thud_error add(market *m, verify_entries *entries, size_t i, size_t j, double value) {
  if (!isfinite(value)) return refuse(m, "an entry is not finite");
  thud_error error = thud_verify_entries_add(m->context, entries, i, j, value);
  if (error == THUD_OK && m->symmetric && i != j) error = thud_verify_entries_add(m->context, entries, j, i, value);
  return error;
}

static thud_error read_entries(market *m, size_t n, double count, verify_entries *entries) {
  thud_error error = THUD_OK;
  for (double k = 0; m->coordinates && k < count && error == THUD_OK; k++) {
    size_t i, j;
    double value;
    if (!next_index(m, (double)n, &i) || !next_index(m, (double)n, &j) || !next_number(m, &value))
      return refuse(m, "an entry is missing or outside");
    error = add(m, entries, i, j, value);
  }
  for (size_t j = 0; !m->coordinates && j < n; j++)
    for (size_t i = m->symmetric ? j : 0; i < n && error == THUD_OK; i++) {
      double value;
      if (!next_number(m, &value)) return refuse(m, "an entry is missing");
      error = add(m, entries, i, j, value);
    }
  return error;
}

static int compare_entries(const void *one, const void *other) {
  const verify_entry *a = one, *b = other;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

/* No entry is there twice, as itself or from the other triangle. */
static thud_error check_repeats(const market *m, verify_entries *entries) {
  if (entries->count > 0) qsort(entries->items, entries->count, sizeof *entries->items, compare_entries);
  for (size_t k = 1; k < entries->count; k++)
    if (compare_entries(&entries->items[k - 1], &entries->items[k]) == 0) return refuse(m, "an entry is there twice");
  return THUD_OK;
}

thud_error thud_verify_market_read(thud_context *context, const char *text, size_t *n, verify_entries *entries) {
  market m = {.context = context, .next = text};
  double rows = 0, columns = 0, count = 0;
  thud_error error = read_header(&m);
  if (error != THUD_OK) return error;
  bool sized = next_number(&m, &rows) && next_number(&m, &columns) && (!m.coordinates || next_number(&m, &count));
  if (!sized || !(rows >= 1 && rows <= 1e9) || rows != columns || rows != floor(rows))
    return refuse(&m, "the size is not that of a square matrix");
  *n = (size_t)rows;
  error = read_entries(&m, *n, count, entries);
  return error == THUD_OK ? check_repeats(&m, entries) : error;
}
