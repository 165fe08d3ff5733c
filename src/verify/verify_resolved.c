/* The resolved scene beside the one that was given: it is what all other checks are made with, so nothing may have
 * slipped in. A default that the program has wrong differs from the list here. */
#include "base/base.h"
#include "verify/verify_record.h"
#include "verify/system/verify_system.h"
#include "verify/verify_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 1024, VALUE_ROOM = 80 };

typedef struct comparison {
  const verify_record_kind *kind; /* NULL: none of the library's */
  const thud_node *root;          /* of the resolved scene */
  const char *method;             /* "" when it cannot be read */
  thud_verify_check *check;
  thud_verify_result *result;
  bool of_file; /* the file that people wrote beside the scene as given, instead of that beside the resolved one */
  bool longer;  /* the run went on beyond the end that the file says */
} comparison;

static void fail(comparison *c, const thud_node *node, const char *what, const char *instead) {
  char path[120], value[VALUE_ROOM];
  thud_node_path(node, path, sizeof path);
  thud_node_describe(node, value, sizeof value);
  thud_verify_fail(c->check, NAN, SIZE_MAX, "%s is %s%s%s", path[0] != '\0' ? path : "the scene", value, what, instead);
}

/* ---- what was added --------------------------------------------------------------------------------------------- */

static bool is_relied_on(const verify_default *row, const char *method) {
  if (row->relied == NULL || strcmp(row->relied, "*") == 0) return row->relied != NULL;
  size_t length = strlen(method);
  for (const char *word = row->relied; *word != '\0'; word += strspn(word, " ")) {
    size_t here = strcspn(word, " ");
    if (here == length && strncmp(word, method, length) == 0) return true;
    word += here;
  }
  return false;
}

static void write_list(const thud_node *node, char *buffer, size_t capacity) {
  char number[THUD_DOUBLE_CAPACITY];
  size_t used = (size_t)snprintf(buffer, capacity, "[");
  for (size_t k = 0; k < thud_node_count(node) && used < capacity; k++) {
    thud_format_double(thud_node_number(thud_node_item(node, k)), number, sizeof number);
    used += (size_t)snprintf(buffer + used, capacity - used, "%s%s", k > 0 ? ", " : "", number);
  }
  if (used < capacity) snprintf(buffer + used, capacity - used, "]");
}

static void write_value(const thud_node *node, char *buffer, size_t capacity) {
  switch (thud_node_get_kind(node)) {
  case THUD_NODE_BOOL: snprintf(buffer, capacity, "%s", thud_node_bool(node) ? "true" : "false"); break;
  case THUD_NODE_NUMBER: thud_format_double(thud_node_number(node), buffer, capacity); break;
  case THUD_NODE_STRING: snprintf(buffer, capacity, "%s", thud_node_string(node)); break;
  case THUD_NODE_SEQUENCE: write_list(node, buffer, capacity); break;
  default: snprintf(buffer, capacity, "null"); break;
  }
}

/* Defaults of one row and one value are one entry; of several the path is that of the row. */
static void list_default(thud_verify_result *result, const verify_default *row, const thud_node *node) {
  char value[THUD_VERIFY_DEFAULT_VALUE];
  write_value(node, value, sizeof value);
  result->relied_count++;
  for (size_t k = 0; k < result->default_count; k++) {
    thud_verify_default *entry = &result->defaults[k];
    if (entry->pattern != row->path || strcmp(entry->value, value) != 0) continue;
    entry->count++;
    snprintf(entry->path, sizeof entry->path, "%s", row->path);
    return;
  }
  if (result->default_count == THUD_VERIFY_MAX_DEFAULTS) return;
  thud_verify_default *entry = &result->defaults[result->default_count++];
  *entry = (thud_verify_default){.pattern = row->path, .count = 1};
  thud_node_path(node, entry->path, sizeof entry->path);
  snprintf(entry->value, sizeof entry->value, "%s", value);
}

/* Texts of files stand beside their names. */
static bool is_text_of_file(const thud_node *map, const thud_node *node, const char *key) {
  static const char *const keys[] = {"table", "off", "gmsh", "matrix_market"};
  bool text = thud_node_get_kind(node) == THUD_NODE_STRING && thud_node_find(map, "file") != NULL, known = false;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) known = known || strcmp(keys[k], key) == 0;
  return text && known;
}

/* A step is chosen only where neither a number of steps nor a tolerance of controlled ones is there. */
static bool is_second_step(const comparison *c, const char *path) {
  const thud_node *simulate = thud_node_find(c->root, "simulate"), *tolerance = thud_node_find(simulate, "tolerance");
  bool controlled = thud_node_find(c->root, "system") != NULL && tolerance != NULL &&
                    thud_node_get_kind(tolerance) == THUD_NODE_NUMBER && thud_node_number(tolerance) != 0;
  return strncmp(path, "/simulate/step", strlen("/simulate/step")) == 0 &&
         (thud_node_find(simulate, "steps") != NULL || controlled);
}

static void check_added(comparison *c, const thud_node *node) {
  char path[PATH_ROOM];
  thud_node_path(node, path, sizeof path);
  /* what the run adds, of bodies the list of all, is held against the scene by a check of the kind */
  if (c->kind != NULL && c->kind->added != NULL && strcmp(path + 1, c->kind->added) == 0) return;
  const verify_default *row = thud_verify_find_default(c->kind, path);
  if (row == NULL || is_second_step(c, path)) {
    fail(c, node, " in the resolved scene, neither given nor a default of the format", "");
    return;
  }
  if (!thud_verify_is_default(row, node, path, thud_verify_default_scale(c->root, path))) {
    fail(c, node, " in the resolved scene; the default of the format is ", row->value != NULL ? row->value : "a value");
    return;
  }
  if (is_relied_on(row, c->method)) list_default(c->result, row, node);
  bool map = thud_node_get_kind(node) == THUD_NODE_MAP;
  for (size_t k = 0; map && k < thud_node_count(node); k++) check_added(c, thud_node_item(node, k));
}

/* ---- what was given --------------------------------------------------------------------------------------------- */

static bool is_same_scalar(const thud_node *a, const thud_node *b) {
  switch (thud_node_get_kind(a)) {
  case THUD_NODE_NULL: return true;
  case THUD_NODE_BOOL: return thud_node_bool(a) == thud_node_bool(b);
  case THUD_NODE_NUMBER: return thud_node_number(a) == thud_node_number(b);
  case THUD_NODE_STRING: return strcmp(thud_node_string(a), thud_node_string(b)) == 0;
  case THUD_NODE_SEQUENCE:
  case THUD_NODE_MAP: break;
  }
  return true;
}

static bool is_end(const thud_node *node) {
  char path[PATH_ROOM];
  thud_node_path(node, path, sizeof path);
  return strcmp(path, "/simulate/end") == 0 || strcmp(path, "/simulate/steps") == 0;
}

/* The given keys come first and in their order: parameters may use those before them. */
static void check_given(comparison *c, const thud_node *given, const thud_node *resolved) {
  thud_node_kind kind = thud_node_get_kind(given);
  size_t count = kind >= THUD_NODE_SEQUENCE ? thud_node_count(given) : 0;
  if (kind != thud_node_get_kind(resolved) || !is_same_scalar(given, resolved) ||
      (kind == THUD_NODE_SEQUENCE && count != thud_node_count(resolved))) {
    char instead[VALUE_ROOM];
    thud_node_describe(resolved, instead, sizeof instead);
    if (!c->longer || !is_end(given))
      fail(c, given,
           c->of_file ? " in the file that was given, in the scene of the record "
                      : " in the scene that was given, in the resolved one ",
           instead);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    const thud_node *item = thud_node_item(given, k), *other = thud_node_item(resolved, k);
    if (kind == THUD_NODE_MAP && (other == NULL || strcmp(thud_node_key(given, k), thud_node_key(resolved, k)) != 0)) {
      fail(c, item,
           c->of_file ? " in the file that was given; in the scene of the record it is not at its place"
                      : " in the scene that was given; in the resolved one it is not at its place",
           "");
      return;
    }
    check_given(c, item, other);
  }
  for (size_t k = count; kind == THUD_NODE_MAP && k < thud_node_count(resolved); k++) {
    const thud_node *item = thud_node_item(resolved, k);
    if (!c->of_file)
      check_added(c, item);
    else if (!is_text_of_file(resolved, item, thud_node_key(resolved, k)))
      fail(c, item, " in the scene of the record, and not in the file that was given", "");
  }
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

/* Changes by --set stand as comments behind the text: "# --set KEY=VALUE". */
static thud_error apply_changes(thud_context *context, const char *source, thud_tree *tree) {
  static const char mark[] = "# --set ";
  const char *first = source + strlen(source);
  thud_error error = THUD_OK;
  while (first > source) { /* back over lines that are such comments */
    const char *line = first - 1;
    while (line > source && line[-1] != '\n') line--;
    if (strncmp(line, mark, sizeof mark - 1) != 0) break;
    first = line;
  }
  while (*first != '\0' && error == THUD_OK) {
    size_t length = strcspn(first, "\n"), skip = sizeof mark - 1;
    char *text = THUD_NEW_ARRAY(context, char, length + 1);
    if (text == NULL) return THUD_ERROR_MEMORY;
    memcpy(text, first + skip, length - skip);
    char *equals = strchr(text, '=');
    if (equals != NULL) *equals = '\0';
    if (equals != NULL) error = thud_tree_set(tree, text, equals + 1);
    thud_free(context, text);
    first += length + (first[length] == '\n');
  }
  return error;
}

static const thud_node *find_in_simulate(const thud_tree *tree, const char *key) {
  const thud_node *simulate = thud_node_find(thud_tree_root(tree), "simulate");
  bool map = simulate != NULL && thud_node_get_kind(simulate) == THUD_NODE_MAP;
  return map ? thud_node_find(simulate, key) : NULL;
}

static double number_of(const thud_tree *tree, const char *key, double otherwise) {
  const thud_node *node = find_in_simulate(tree, key);
  if (node == NULL) return otherwise;
  return thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : NAN;
}

/* The end of a run that went on is later than the file says, by steps of the same length. What is an expression there cannot be
 * compared. */
static bool went_on(const thud_tree *file, const thud_tree *given) {
  const thud_tree *both[2] = {file, given};
  double end[2], length[2];
  for (int k = 0; k < 2; k++) {
    end[k] = number_of(both[k], "end", NAN);
    length[k] = (end[k] - number_of(both[k], "start", 0)) / number_of(both[k], "steps", 1);
  }
  bool counted = find_in_simulate(given, "steps") != NULL;
  return !(end[1] <= end[0]) && !(counted && fabs(length[1] - length[0]) > 1e-9 * fabs(length[0]));
}

thud_error thud_verify_check_source(thud_context *context, const char *source, const thud_tree *given,
                                    thud_verify_check *check) {
  thud_tree *file = NULL;
  if (source == NULL || source[0] == '\0') return THUD_OK;
  thud_error error = thud_tree_read_text(context, "source", source, strlen(source), &file);
  if (error == THUD_OK) error = apply_changes(context, source, file);
  if (error == THUD_OK) {
    comparison c = {.check = check, .of_file = true};
    c.longer = went_on(file, given);
    check_given(&c, thud_tree_root(file), thud_tree_root(given));
  }
  thud_tree_destroy(file);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  thud_verify_fail(check, NAN, SIZE_MAX, "the file that the scene was read from cannot be read: %s",
                   thud_context_last_message(context));
  return THUD_OK;
}

/* ---- what is missing -------------------------------------------------------------------------------------------- */

static void fail_missing(void *user, const thud_node *map, const char *key) {
  comparison *c = user;
  char path[120];
  thud_node_path(map, path, sizeof path);
  thud_verify_fail(c->check, NAN, SIZE_MAX, "%s/%s is missing in the resolved scene; the format has a default there",
                   path, key);
}

static void check_missing(comparison *c, const thud_node *node, const thud_node *coordinates) {
  char path[PATH_ROOM];
  thud_node_kind kind = thud_node_get_kind(node);
  thud_node_path(node, path, sizeof path);
  if (kind == THUD_NODE_MAP) thud_verify_missing_defaults(c->kind, node, path, coordinates, fail_missing, c);
  for (size_t k = 0; kind >= THUD_NODE_SEQUENCE && k < thud_node_count(node); k++)
    check_missing(c, thud_node_item(node, k), coordinates);
}

void thud_verify_check_resolved(const thud_tree *given, const thud_tree *resolved, thud_verify_check *check,
                                thud_verify_result *result) {
  const thud_node *root = thud_tree_root(resolved);
  const thud_node *simulate = thud_node_find(root, "simulate");
  const thud_node *method = simulate != NULL ? thud_node_find(simulate, "method") : NULL;
  bool named = method != NULL && thud_node_get_kind(method) == THUD_NODE_STRING;
  comparison c = {.kind = thud_verify_kind_of(root),
                  .root = root,
                  .method = named ? thud_node_string(method) : "",
                  .check = check,
                  .result = result};
  check_given(&c, thud_tree_root(given), root);
  const thud_node *system = thud_node_find(root, "system");
  bool functions = system != NULL && thud_verify_has_functions(system); /* it is written as a whole, and not resolved */
  if (!functions) check_missing(&c, root, system != NULL ? thud_node_find(system, "coordinates") : NULL);
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "what was given is unchanged; relied on %zu default%s", result->relied_count,
                        thud_plural(result->relied_count));
}
