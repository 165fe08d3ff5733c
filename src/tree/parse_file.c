/* Trees: reading files and texts, checking that they are text. */
#include "base/base.h"
#include "tree/parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { ARENA_BLOCK = 16384, READ_CHUNK = 65536 };

/* ---- text -------------------------------------------------------------------------------------------------- */

/* Decodes one UTF-8 character (Unicode 15, table 3-7: no surrogates, no overlong forms). Its length, or 0. */
static size_t decode(const unsigned char *s, size_t left, uint32_t *code) {
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
             : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
             : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                           : 0;
  if (n == 0 || n > left) return 0;
  uint32_t value = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
  for (size_t k = 1; k < n; k++) {
    if ((s[k] & 0xC0) != 0x80) return 0;
    value = value << 6 | (s[k] & 0x3Fu);
  }
  if (value < least[n] || (value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) return 0;
  *code = value;
  return n;
}

/* The characters that YAML 1.2 (rule c-printable) allows in a file. */
static bool is_printable(uint32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c <= 0x7E || c == 0x85 || (c >= 0xA0 && c <= 0xFFFD && c != 0xFEFF) || c >= 0x10000;
}

/* Messages are one line of UTF-8: a character that was cut by a limit is dropped, control characters become blanks. */
static void clean_message(char *text) {
  size_t length = strlen(text), kept = 0;
  for (size_t k = 0; k < length;) {
    uint32_t code = 0;
    size_t step = decode((const unsigned char *)text + k, length - k, &code);
    if (step == 1) text[k] = code < 0x20 || code == 0x7F ? ' ' : text[k];
    memmove(text + kept, text + k, step);
    kept += step;
    k += step > 0 ? step : 1;
  }
  text[kept] = '\0';
}

thud_error thud_tree_fail_at(thud_context *context, thud_error error, const char *origin, size_t line, size_t column,
                             const char *format, ...) {
  char text[1024];
  thud_code code;
  const char *plain = thud_format_without_code(format, &code);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, plain, arguments);
  va_end(arguments);
  clean_message(text);
  if (line == 0)
    thud_fail(context, error, "%s: %s", origin, text);
  else
    thud_fail(context, error, "%s:%zu:%zu: %s", origin, line, column, text);
  return thud_fail_with_code(context, error, code);
}

thud_error thud_tree_check_text(thud_context *context, const char *name, const char *text, size_t length) {
  size_t line = 1, column = 1, step;
  const unsigned char *bytes = (const unsigned char *)text;
  for (size_t k = 0; k < length; k += step, column++) {
    uint32_t code = 0;
    step = decode(bytes + k, length - k, &code);
    if (step == 0)
      return thud_tree_fail_at(context, THUD_ERROR_SYNTAX, name, line, column,
                               "[encoding] byte 0x%02X is not UTF-8; save the file as UTF-8", bytes[k]);
    if (code == 0)
      return thud_tree_fail_at(context, THUD_ERROR_SYNTAX, name, line, column,
                               "[encoding] a NUL byte; a scene is a text file in UTF-8 (not UTF-16)");
    if (!is_printable(code))
      return thud_tree_fail_at(context, THUD_ERROR_SYNTAX, name, line, column,
                               "[encoding] control character U+%04X; remove it or write \"\\u%04X\"", code, code);
    bool old_break = code == '\r' && !(k + 1 < length && bytes[k + 1] == '\n');
    if (code == '\n' || old_break) {
      line++;
      column = 0;
    }
  }
  return THUD_OK;
}

/* ---- trees ------------------------------------------------------------------------------------------------- */

char *thud_tree_keep_text(thud_tree *tree, const char *text, size_t length) {
  char *kept = thud_arena_alloc(tree->arena, length + 1, 1);
  if (kept != NULL && length > 0) memcpy(kept, text, length);
  return kept;
}

thud_node *thud_node_new(thud_tree *tree, const thud_node *parent, const char *key, size_t index, const char *origin,
                         thud_error *error) {
  *error = THUD_OK;
  thud_node *node = NULL;
  if (tree->node_count >= THUD_TREE_MAX_NODES)
    *error = thud_node_fail(parent, THUD_ERROR_OVERFLOW, "[yaml] more than %d values; split the file",
                            (int)THUD_TREE_MAX_NODES);
  else
    node = thud_arena_alloc(tree->arena, 1, sizeof *node);
  if (node == NULL) {
    if (*error == THUD_OK) *error = THUD_ERROR_MEMORY;
    return NULL;
  }
  *node = (thud_node){.tree = tree, .parent = parent, .key = key, .index = index, .origin = origin};
  tree->node_count++;
  return node;
}

void thud_tree_destroy(thud_tree *tree) {
  if (tree == NULL) return;
  thud_arena_destroy(tree->arena);
  thud_free(tree->context, tree);
}

const thud_node *thud_tree_root(const thud_tree *tree) {
  THUD_REQUIRE_OR(NULL, tree);
  return tree->root;
}
const char *thud_tree_name(const thud_tree *tree) {
  THUD_REQUIRE_OR(NULL, tree);
  return tree->name;
}

const char *thud_tree_source(const thud_tree *tree, size_t *length) {
  THUD_REQUIRE_OR(NULL, tree);
  if (length != NULL) *length = tree->source_length;
  return tree->source;
}

thud_error thud_tree_create(thud_context *context, const char *name, const char *text, size_t length,
                            thud_tree **tree) {
  thud_tree *made = THUD_NEW(context, thud_tree);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  thud_error error = thud_arena_create(context, ARENA_BLOCK, &made->arena);
  if (error != THUD_OK) {
    thud_free(context, made);
    return error;
  }
  made->name = thud_tree_keep_text(made, name, strlen(name));
  made->source = thud_tree_keep_text(made, text, length);
  made->source_length = length;
  made->copies_left = THUD_TREE_MAX_COPIES;
  if (made->name != NULL && made->source != NULL) made->root = thud_node_new(made, NULL, NULL, 0, made->name, &error);
  if (made->root == NULL) {
    thud_tree_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  *tree = made;
  return THUD_OK;
}

thud_error thud_tree_read_text(thud_context *context, const char *name, const char *text, size_t length,
                               thud_tree **tree) {
  THUD_REQUIRE(context, context, name, length == 0 || text, tree);
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  if (name == NULL || (text == NULL && length > 0) || tree == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a scene needs a name, a text and a place");
  if (length > THUD_TREE_MAX_BYTES)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: larger than %d MiB; keep bulky data in other files", name,
                     THUD_TREE_MAX_BYTES >> 20);
  size_t skipped = length >= 3 && memcmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
  const char *start = length > 0 ? text + skipped : "";
  thud_error error = thud_tree_check_text(context, name, start, length - skipped);
  if (error != THUD_OK) return error;
  thud_tree *made;
  error = thud_tree_create(context, name, length > 0 ? text : "", length, &made);
  if (error != THUD_OK) return error;
  error = thud_tree_parse_document(made, start, length - skipped, false, made->root);
  if (error == THUD_OK)
    *tree = made;
  else
    thud_tree_destroy(made);
  return error;
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static thud_error fail_system(thud_context *context, const char *path, int number) {
  char reason[128] = "unknown reason";
  (void)strerror_r(number, reason, sizeof reason);
  return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be read: %s", path, reason);
}

/* Reads to the end; one byte beyond the limit is enough to know. */
static thud_error read_stream(thud_context *context, const char *path, FILE *file, char **text, size_t *length) {
  char *data = NULL;
  size_t used = 0, capacity = 0;
  thud_error error = THUD_OK;
  while (error == THUD_OK && used <= THUD_TREE_MAX_BYTES) {
    error = thud_array_reserve(context, &data, &capacity, used + READ_CHUNK, 1);
    if (error != THUD_OK) break;
    size_t got = fread(data + used, 1, READ_CHUNK, file);
    used += got;
    if (got > 0) continue;
    if (ferror(file)) error = fail_system(context, path, errno);
    break;
  }
  if (error != THUD_OK) {
    thud_free(context, data);
    return error;
  }
  *text = data;
  *length = used;
  return THUD_OK;
}

thud_error thud_tree_read_file(thud_context *context, const char *path, thud_tree **tree) {
  THUD_REQUIRE(context, context, path, tree);
  struct stat status;
  if (path == NULL || tree == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "a scene needs a path and a place");
  if (stat(path, &status) != 0) return fail_system(context, path, errno);
  if (S_ISDIR(status.st_mode)) return thud_fail(context, THUD_ERROR_FILE, "%s: is a folder; give a scene file", path);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return fail_system(context, path, errno);
  char *text = NULL;
  size_t length = 0;
  thud_error error = read_stream(context, path, file, &text, &length);
  fclose(file);
  if (error == THUD_OK) error = thud_tree_read_text(context, path, text, length, tree);
  thud_free(context, text);
  return error;
}
