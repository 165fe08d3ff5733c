#include "problem/matrix_market.h"
#include "problem/file.h"
#include "problem/matrix.h"
#include "problem/scan.h"

#include <stdlib.h>
#include <string.h>

typedef struct market_head {
  bool coordinate, symmetric;
} market_head;

static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Which of the words the next one is (case does not matter); -1: none of them, message set. */
static int choose(thud_scan *scan, const char *const *words) {
  char word[THUD_SCAN_WORD];
  thud_scan_word(scan, word);
  for (char *c = word; *c != '\0'; c++) *c = to_lower(*c);
  for (int k = 0; words[k] != NULL; k++)
    if (strcmp(word, words[k]) == 0) return k;
  thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] '%s'%s%s%s is needed in the first line, found '%s'",
                 words[0], words[1] != NULL ? " or '" : "", words[1] != NULL ? words[1] : "",
                 words[1] != NULL ? "'" : "", word);
  return -1;
}

static thud_error read_head(thud_scan *scan, market_head *head) {
  static const char *const choices[5][3] = {{"%%matrixmarket", NULL},
                                            {"matrix", NULL},
                                            {"array", "coordinate"},
                                            {"real", "integer"},
                                            {"general", "symmetric"}};
  int chosen[5];
  for (int k = 0; k < 5; k++) {
    chosen[k] = choose(scan, choices[k]);
    if (chosen[k] < 0) return THUD_ERROR_FORMAT;
  }
  *head = (market_head){.coordinate = chosen[2] == 1, .symmetric = chosen[4] == 1};
  thud_scan_skip_line(scan);
  return THUD_OK;
}

/* Comment lines stand between the first line and the sizes. */
static void skip_comments(thud_scan *scan) {
  char word[THUD_SCAN_WORD];
  for (;;) {
    size_t before = scan->at;
    if (!thud_scan_word(scan, word) || word[0] != '%') {
      scan->at = before;
      return;
    }
    scan->at = scan->word;
    thud_scan_skip_line(scan);
  }
}

/* The numbers of an array file, column by column; of symmetric ones the lower triangle is there. */
static thud_error read_array(thud_scan *scan, bool symmetric, thud_owned_problem *owned, thud_matrix *matrix) {
  size_t rows = (size_t)matrix->rows, columns = (size_t)matrix->columns;
  thud_error error = thud_scan_check_room(scan, "the matrix", symmetric ? rows * (rows + 1) / 2 : rows * columns, 2);
  if (error != THUD_OK) return error;
  double *values = thud_owned_problem_alloc(owned, rows * columns, sizeof *values);
  if (values == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < columns; j++)
    for (size_t i = symmetric ? j : 0; i < rows && error == THUD_OK; i++) {
      error = thud_scan_number(scan, "an entry", &values[j * rows + i]);
      if (symmetric) values[i * rows + j] = values[j * rows + i];
    }
  matrix->storage = THUD_MATRIX_DENSE;
  matrix->dense = values;
  return error;
}

/* Where an entry stands; of symmetric matrices row >= column, whichever triangle it is in. */
typedef struct market_place {
  thud_index row, column;
  size_t at; /* byte of the text */
} market_place;

static int compare_places(const void *one, const void *other) {
  const market_place *a = one, *b = other;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

static size_t line_of(const thud_scan *scan, size_t at) {
  size_t line = 1;
  for (size_t k = 0; k < at; k++) line += scan->text[k] == '\n';
  return line;
}

/* An entry that is there twice has no value: the format knows no sums. */
static thud_error refuse_repeats(thud_scan *scan, bool symmetric, size_t count, market_place *places) {
  qsort(places, count, sizeof *places, compare_places);
  for (size_t k = 1; k < count; k++) {
    const market_place *a = &places[k - 1], *b = &places[k];
    if (a->row != b->row || a->column != b->column) continue;
    scan->word = b->at;
    return thud_scan_fail(scan, THUD_ERROR_FORMAT,
                          "[bad-problem-file] duplicate entry: row %d, column %d%s is in line %zu already%s",
                          (int)b->row + 1, (int)b->column + 1, symmetric ? " of a symmetric matrix" : "",
                          line_of(scan, a->at), symmetric ? ", in this or in the other triangle" : "");
  }
  return THUD_OK;
}

static thud_error read_entries(thud_scan *scan, bool symmetric, const thud_matrix *matrix, size_t count,
                               thud_triplets *triplets, market_place *places) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    thud_index i = 0, j = 0;
    double value = 0;
    error = thud_scan_index(scan, "a row index", 1, matrix->rows, &i);
    places[k].at = scan->word;
    if (error == THUD_OK) error = thud_scan_index(scan, "a column index", 1, matrix->columns, &j);
    if (error == THUD_OK) error = thud_scan_number(scan, "an entry", &value);
    bool turned = symmetric && i < j;
    places[k].row = (turned ? j : i) - 1;
    places[k].column = (turned ? i : j) - 1;
    if (error == THUD_OK) thud_triplets_add(triplets, i - 1, j - 1, value);
    if (error == THUD_OK && symmetric && i != j) thud_triplets_add(triplets, j - 1, i - 1, value);
  }
  return error;
}

static thud_error read_coordinate(thud_scan *scan, bool symmetric, thud_owned_problem *owned, thud_matrix *matrix) {
  thud_index count = 0;
  thud_triplets triplets = {0};
  market_place *places = NULL;
  thud_error error = thud_scan_index(scan, "the number of entries", 0, INT32_MAX / 2, &count);
  if (error == THUD_OK) error = thud_scan_check_room(scan, "the entries", (size_t)count, 6);
  if (error == THUD_OK)
    error = thud_triplets_create(scan->context, symmetric ? 2 * (size_t)count : (size_t)count, &triplets);
  if (error == THUD_OK && (places = THUD_NEW_ARRAY(scan->context, market_place, (size_t)count)) == NULL)
    error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = read_entries(scan, symmetric, matrix, (size_t)count, &triplets, places);
  if (error == THUD_OK) error = refuse_repeats(scan, symmetric, (size_t)count, places);
  thud_free(scan->context, places);
  if (error == THUD_OK)
    error = thud_scan_fail_within(
        scan, thud_problem_matrix_from_triplets(scan->context, owned, matrix->rows, matrix->columns, &triplets, matrix),
        "the matrix");
  thud_triplets_free(scan->context, &triplets);
  return error;
}

thud_error thud_matrix_market_read_text(thud_context *context, const char *name, const char *text, size_t length,
                                        thud_index rows, thud_index columns, thud_owned_problem *owned,
                                        thud_matrix *matrix) {
  thud_scan scan = {.context = context, .name = name, .text = text, .length = length};
  market_head head = {0};
  thud_matrix made = {0};
  char rest[THUD_SCAN_WORD];
  thud_error error = read_head(&scan, &head);
  if (error != THUD_OK) return error;
  skip_comments(&scan);
  error = thud_scan_index(&scan, "the number of rows", rows, rows, &made.rows);
  if (error == THUD_OK) error = thud_scan_index(&scan, "the number of columns", columns, columns, &made.columns);
  if (error == THUD_OK && head.symmetric && rows != columns)
    error = thud_scan_fail(&scan, THUD_ERROR_FORMAT,
                           "[bad-problem-file] a symmetric matrix must be square, this one is %d x %d", (int)rows,
                           (int)columns);
  if (error == THUD_OK)
    error = head.coordinate ? read_coordinate(&scan, head.symmetric, owned, &made)
                            : read_array(&scan, head.symmetric, owned, &made);
  if (error == THUD_OK && thud_scan_word(&scan, rest))
    error = thud_scan_fail(&scan, THUD_ERROR_FORMAT, "[bad-problem-file] '%s' follows the last entry", rest);
  if (error == THUD_OK) *matrix = made;
  return error;
}

thud_error thud_matrix_market_read(thud_context *context, const char *path, thud_index rows, thud_index columns,
                                   thud_owned_problem *owned, thud_matrix *matrix) {
  char *text = NULL;
  size_t length = 0;
  thud_error error = thud_problem_load_text(context, path, SIZE_MAX - 1, &text, &length);
  if (error != THUD_OK) return error;
  error = thud_matrix_market_read_text(context, path, text, length, rows, columns, owned, matrix);
  thud_free(context, text);
  return error;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

static void print_dense(const thud_matrix *matrix, thud_text *text) {
  size_t count = (size_t)matrix->rows * (size_t)matrix->columns;
  char number[THUD_DOUBLE_CAPACITY];
  thud_text_print(text, "%%%%MatrixMarket matrix array real general\n%d %d\n", (int)matrix->rows, (int)matrix->columns);
  for (size_t k = 0; k < count; k++) {
    thud_format_double(matrix->dense[k], number, sizeof number);
    thud_text_print(text, "%s\n", number);
  }
}

thud_error thud_matrix_market_print(thud_context *context, const thud_matrix *matrix, thud_text *text) {
  thud_sparse sparse = {0};
  char number[THUD_DOUBLE_CAPACITY];
  if (matrix->storage == THUD_MATRIX_DENSE) {
    print_dense(matrix, text);
    return text->error;
  }
  thud_error error = thud_problem_matrix_to_sparse(context, matrix, &sparse);
  if (error != THUD_OK) return error;
  thud_text_print(text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", (int)sparse.rows,
                  (int)sparse.columns, (int)sparse.column_start[sparse.columns]);
  for (thud_index j = 0; j < sparse.columns; j++)
    for (thud_index k = sparse.column_start[j]; k < sparse.column_start[j + 1]; k++) {
      thud_format_double(sparse.value[k], number, sizeof number);
      thud_text_print(text, "%d %d %s\n", (int)sparse.row[k] + 1, (int)j + 1, number);
    }
  thud_sparse_destroy(context, &sparse);
  return text->error;
}
