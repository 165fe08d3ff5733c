/* Looking into the tree: values, places, and checks whose messages say what was expected and what is there. */
#include "base/base.h"
#include "tree/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 400, DESCRIPTION_CAPACITY = 120, HINT_CAPACITY = 100, CHOICES_CAPACITY = 300 };

thud_node_kind thud_node_get_kind(const thud_node *node) {
  THUD_REQUIRE_OR(THUD_NODE_NULL, node);
  return node->kind;
}
size_t thud_node_count(const thud_node *node) {
  THUD_REQUIRE_OR(0, node);
  return node->count;
}
const thud_node *thud_node_item(const thud_node *node, size_t k) {
  THUD_REQUIRE_OR(NULL, node);
  return k < node->count ? node->items[k] : NULL;
}
const char *thud_node_key(const thud_node *node, size_t k) {
  THUD_REQUIRE_OR(NULL, node);
  return k < node->count ? node->items[k]->key : NULL;
}
double thud_node_number(const thud_node *node) {
  THUD_REQUIRE_OR(NAN, node);
  return node->number;
}
const char *thud_node_string(const thud_node *node) {
  THUD_REQUIRE_OR(NULL, node);
  return node->text;
}
bool thud_node_bool(const thud_node *node) {
  THUD_REQUIRE_OR(false, node);
  return node->boolean;
}
bool thud_node_is_added(const thud_node *node) { return node != NULL && node->added; }

int thud_node_line(const thud_node *node) {
  THUD_REQUIRE_OR(0, node);
  return node->line;
}
int thud_node_column(const thud_node *node) {
  THUD_REQUIRE_OR(0, node);
  return node->column;
}

const thud_node *thud_node_find(const thud_node *map, const char *key) {
  THUD_REQUIRE_OR(NULL, map, key);
  if (map->kind != THUD_NODE_MAP) return NULL;
  if (map->keys != NULL) {
    size_t at = thud_names_find(map->keys, key, strlen(key));
    return at != THUD_NAMES_NONE ? map->items[at] : NULL;
  }
  for (size_t k = 0; k < map->count; k++)
    if (strcmp(map->items[k]->key, key) == 0) return map->items[k];
  return NULL;
}

void thud_node_describe(const thud_node *node, char *buffer, size_t capacity) {
  THUD_REQUIRE_OR(, node, buffer);
  char number[THUD_DOUBLE_CAPACITY];
  switch (node->kind) {
  case THUD_NODE_NULL: snprintf(buffer, capacity, "nothing (null)"); break;
  case THUD_NODE_BOOL: snprintf(buffer, capacity, "%s", node->boolean ? "true" : "false"); break;
  case THUD_NODE_NUMBER:
    thud_format_double(node->number, number, sizeof number);
    snprintf(buffer, capacity, "the number %s", number);
    break;
  case THUD_NODE_STRING:
    snprintf(buffer, capacity, "the string '%.60s'%s", node->text, strlen(node->text) > 60 ? "..." : "");
    break;
  case THUD_NODE_SEQUENCE: snprintf(buffer, capacity, "a sequence of %zu", node->count); break;
  case THUD_NODE_MAP: snprintf(buffer, capacity, "a map of %zu", node->count); break;
  }
}

/* ---- paths and failures --------------------------------------------------------------------------------------- */

typedef struct path_text {
  char *buffer;
  size_t capacity, used;
} path_text;

static void add_character(path_text *path, char c) {
  if (path->used + 1 < path->capacity) path->buffer[path->used] = c;
  path->used++;
}

static void add_step(path_text *path, const thud_node *node) {
  char index[24];
  if (node->parent == NULL) return;
  add_step(path, node->parent); /* as deep as the tree, which is bounded */
  snprintf(index, sizeof index, "%zu", node->index);
  add_character(path, '/');
  for (const char *c = node->key != NULL ? node->key : index; *c != '\0'; c++) {
    if (*c == '~' || *c == '/') add_character(path, '~'); /* RFC 6901: ~0 is ~, ~1 is / */
    add_character(path, *c == '~' ? '0' : *c == '/' ? '1' : *c);
  }
}

void thud_node_path(const thud_node *node, char *buffer, size_t capacity) {
  THUD_REQUIRE_OR(, node, buffer);
  path_text path = {.buffer = buffer, .capacity = capacity};
  if (capacity == 0) return;
  add_step(&path, node);
  bool cut = path.used >= capacity;
  buffer[cut ? capacity - 1 : path.used] = '\0';
  if (cut && capacity > 4) memcpy(buffer + capacity - 4, "...", 4);
}

static thud_error fail_with_place(const thud_node *node, int line, int column, thud_error error, const char *what) {
  char path[PATH_CAPACITY];
  thud_node_path(node, path, sizeof path);
  return thud_tree_fail_at(node->tree->context, error, node->origin, line > 0 ? (size_t)line : 0,
                           column > 0 ? (size_t)column : 0, "%s%s%s", path, path[0] != '\0' ? ": " : "", what);
}

thud_error thud_node_fail(const thud_node *node, thud_error error, const char *format, ...) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, format);
  char what[600];
  thud_code code;
  const char *text = thud_format_without_code(format, &code);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, text, arguments);
  va_end(arguments);
  return thud_fail_with_code(node->tree->context, fail_with_place(node, node->line, node->column, error, what), code);
}

static thud_error fail_within(const thud_node *node, int column, thud_error error) {
  char what[600];
  thud_code code = thud_context_get_code(node->tree->context);
  snprintf(what, sizeof what, "%s", thud_context_last_message(node->tree->context));
  return thud_fail_with_code(node->tree->context, fail_with_place(node, node->line, column, error, what), code);
}

thud_error thud_node_fail_as(const thud_node *node, thud_error error, const thud_context *other) {
  thud_error failed = thud_node_fail(node, error, "%s", thud_context_last_message(other));
  return thud_fail_with_code(node->tree->context, failed, thud_context_get_code(other));
}

thud_error thud_node_fail_within(const thud_node *node, thud_error error) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node);
  return fail_within(node, node->column, error);
}

thud_error thud_node_fail_within_at(const thud_node *node, thud_index byte, thud_error error) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node);
  int column = node->column;
  if (node->kind == THUD_NODE_STRING && node->text_column > 0 && byte >= 1) {
    column = node->text_column;
    for (thud_index k = 0; k + 1 < byte && node->text[k] != '\0'; k++)
      column += ((unsigned char)node->text[k + 1] & 0xC0) != 0x80;
  }
  return fail_within(node, column, error);
}

void thud_tree_hint(const char *word, const char *const *candidates, size_t count, char *buffer, size_t capacity) {
  const char *near = thud_suggest(word, candidates, count);
  if (near != NULL)
    snprintf(buffer, capacity, " (did you mean '%s'?)", near);
  else
    buffer[0] = '\0';
}

void thud_node_hint_key(const thud_node *map, const char *word, char *buffer, size_t capacity) {
  const char *best[2] = {NULL, NULL};
  for (size_t k = 0; k < map->count; k++) { /* the nearer of the best so far and the next */
    best[1] = map->items[k]->key;
    best[0] = best[0] != NULL ? thud_suggest(word, best, 2) : thud_suggest(word, best + 1, 1);
  }
  thud_tree_hint(word, best, best[0] != NULL ? 1 : 0, buffer, capacity);
}

/* ---- checks ----------------------------------------------------------------------------------------------------- */

static const char *kind_name(thud_node_kind kind) {
  switch (kind) {
  case THUD_NODE_NULL: return "nothing (null)";
  case THUD_NODE_BOOL: return "true or false";
  case THUD_NODE_NUMBER: return "a number";
  case THUD_NODE_STRING: return "a string";
  case THUD_NODE_SEQUENCE: return "a sequence";
  case THUD_NODE_MAP: return "a map";
  }
  return "something else";
}

static thud_error fail_expected(const thud_node *node, const char *expected) {
  char found[DESCRIPTION_CAPACITY];
  thud_node_describe(node, found, sizeof found);
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-type] expected %s, got %s", expected, found);
}

thud_error thud_node_expect(const thud_node *node, thud_node_kind kind) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node);
  return node->kind == kind ? THUD_OK : fail_expected(node, kind_name(kind));
}

static thud_error fail_unknown_key(const thud_node *item, const char *const *allowed, size_t count) {
  char hint[HINT_CAPACITY], what[200];
  thud_tree_hint(item->key, allowed, count, hint, sizeof hint);
  snprintf(what, sizeof what, "unknown key '%.60s'%s", item->key, hint);
  fail_with_place(item, item->key_line, item->key_column, THUD_ERROR_SCHEMA, what);
  return thud_fail_with_code(item->tree->context, THUD_ERROR_SCHEMA, (thud_code){"unknown-key"});
}

thud_error thud_node_check_keys(const thud_node *map, const char *const *allowed, size_t count) {
  THUD_REQUIRE(map != NULL ? map->tree->context : NULL, map, count == 0 || allowed);
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  thud_names table = thud_names_new(map->tree->context, NULL);
  for (size_t i = 0; error == THUD_OK && i < count; i++)
    error = thud_names_add(&table, allowed[i], strlen(allowed[i]), i, NULL);
  for (size_t k = 0; error == THUD_OK && k < map->count; k++) {
    const char *key = map->items[k]->key;
    if (thud_names_find(&table, key, strlen(key)) == THUD_NAMES_NONE)
      error = fail_unknown_key(map->items[k], allowed, count);
  }
  thud_names_free(&table);
  return error;
}

thud_error thud_node_require_as(const thud_node *map, const char *key, const char *what, const thud_node **value) {
  THUD_REQUIRE(map != NULL ? map->tree->context : NULL, map, key, what, value);
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *found = thud_node_find(map, key);
  if (found == NULL)
    return thud_node_fail(map, THUD_ERROR_SCHEMA, "[missing-key] the key '%s' is missing; add '%s: ...'%s%s", key, key,
                          what[0] != '\0' ? ", " : "", what);
  *value = found;
  return THUD_OK;
}

thud_error thud_node_require(const thud_node *map, const char *key, const thud_node **value) {
  return thud_node_require_as(map, key, "", value);
}

thud_error thud_node_read_number(const thud_node *node, double *value) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, value);
  thud_error error = thud_node_expect(node, THUD_NODE_NUMBER);
  if (error == THUD_OK) *value = node->number;
  return error;
}

thud_error thud_node_read_string(const thud_node *node, const char **value) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, value);
  thud_error error = thud_node_expect(node, THUD_NODE_STRING);
  if (error == THUD_OK) *value = node->text;
  return error;
}

thud_error thud_node_read_bool(const thud_node *node, bool *value) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, value);
  thud_error error = thud_node_expect(node, THUD_NODE_BOOL);
  if (error == THUD_OK) *value = node->boolean;
  return error;
}

thud_error thud_node_read_integer(const thud_node *node, int64_t minimum, int64_t maximum, int64_t *value) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, value);
  char expected[120];
  snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)minimum, (long long)maximum);
  /* Beyond 2^53 a double is not a reliable whole number. */
  bool whole = node->kind == THUD_NODE_NUMBER && node->number == floor(node->number) && fabs(node->number) <= 0x1p53;
  if (!whole || (int64_t)node->number < minimum || (int64_t)node->number > maximum)
    return fail_expected(node, expected);
  *value = (int64_t)node->number;
  return THUD_OK;
}

/* "BEFORE a, b, c" */
static void list_choices(const char *const *choices, const char *before, char *list, size_t capacity) {
  snprintf(list, capacity, "%s", before);
  for (int k = 0; choices[k] != NULL; k++) {
    size_t used = strlen(list);
    snprintf(list + used, capacity - used, "%s%s", k > 0 ? ", " : "", choices[k]);
  }
}

thud_error thud_node_read_choice(const thud_node *node, const char *const *choices, int *index) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, choices, index);
  thud_error error = thud_node_expect(node, THUD_NODE_STRING);
  if (error != THUD_OK) return error;
  for (int k = 0; choices[k] != NULL; k++)
    if (strcmp(choices[k], node->text) == 0) {
      *index = k;
      return THUD_OK;
    }
  char list[CHOICES_CAPACITY], hint[HINT_CAPACITY];
  list_choices(choices, "", list, sizeof list);
  thud_tree_hint(node->text, choices, SIZE_MAX, hint, sizeof hint);
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "[unknown-choice] '%.60s' is none of %s%s", node->text, list, hint);
}

thud_error thud_node_require_choice(const thud_node *map, const char *key, const char *const *choices, int *index) {
  THUD_REQUIRE(map != NULL ? map->tree->context : NULL, map, key, choices, index);
  char list[CHOICES_CAPACITY];
  const thud_node *node;
  list_choices(choices, "one of ", list, sizeof list);
  thud_error error = thud_node_require_as(map, key, list, &node);
  return error == THUD_OK ? thud_node_read_choice(node, choices, index) : error;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static thud_error check_numbers(const thud_node *node, size_t count) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && node->count != count)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] expected %zu numbers, got %zu", count, node->count);
  for (size_t k = 0; error == THUD_OK && k < node->count; k++)
    error = thud_node_expect(node->items[k], THUD_NODE_NUMBER);
  return error;
}

static void copy_numbers(const thud_node *node, double *values) {
  for (size_t k = 0; k < node->count; k++) values[k] = node->items[k]->number;
}

thud_error thud_node_read_numbers(const thud_node *node, size_t count, double *values) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, count == 0 || values);
  thud_error error = check_numbers(node, count);
  if (error == THUD_OK) copy_numbers(node, values);
  return error;
}

thud_error thud_node_matrix_shape(const thud_node *node, size_t *rows, size_t *columns) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, rows, columns);
  if (node->kind != THUD_NODE_SEQUENCE || node->count == 0)
    return fail_expected(node, "a matrix: a sequence of rows like [[1, 0], [0, 1]]");
  for (size_t k = 0; k < node->count; k++) {
    const thud_node *row = node->items[k];
    if (row->kind != THUD_NODE_SEQUENCE || row->count == 0)
      return fail_expected(row, "a row of the matrix: a sequence");
    if (row->count != node->items[0]->count)
      return thud_node_fail(row, THUD_ERROR_SCHEMA,
                            "[wrong-count] this row has %zu entries, the first row has %zu; make them equal",
                            row->count, node->items[0]->count);
  }
  *rows = node->count;
  *columns = node->items[0]->count;
  return THUD_OK;
}

thud_error thud_node_read_matrix(const thud_node *node, size_t rows, size_t columns, double *values) {
  THUD_REQUIRE(node != NULL ? node->tree->context : NULL, node, rows * columns == 0 || values);
  size_t found_rows = 0, found_columns = 0;
  thud_error error = thud_node_matrix_shape(node, &found_rows, &found_columns);
  if (error != THUD_OK) return error;
  if (found_rows != rows || found_columns != columns)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] expected a matrix of %zu x %zu, got %zu x %zu", rows,
                          columns, found_rows, found_columns);
  for (size_t i = 0; error == THUD_OK && i < rows; i++) error = check_numbers(node->items[i], columns);
  for (size_t i = 0; error == THUD_OK && i < rows; i++) copy_numbers(node->items[i], values + i * columns);
  return error;
}
