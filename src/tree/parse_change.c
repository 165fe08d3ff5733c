/* Changing a tree from the command line, and writing it. */
#include "base/base.h"
#include "tree/parse.h"
#include "tree/tree_json.h"

#include "base/json.h"

#include <stdio.h>
#include <string.h>

enum { STEP_CAPACITY = THUD_TREE_MAX_KEY + 1, HINT_CAPACITY = 100 };

/* Where a value goes: an existing entry, or a new key of a map. */
typedef struct target {
  thud_node *container;
  size_t index;    /* == container->count for a new key */
  const char *key; /* NULL in a sequence; kept by the tree */
} target;

static thud_error fail_set(const thud_tree *tree, const char *path, thud_error error, const char *what) {
  return thud_fail(tree->context, error, "[bad-setting] --set %.100s: %s", path, what);
}

/* "12" -> 12; false when it is not a plain index. */
static bool read_index(const char *text, size_t *index) {
  size_t value = 0;
  if (*text == '\0' || strlen(text) > 9) return false;
  for (; *text != '\0'; text++) {
    if (*text < '0' || *text > '9') return false;
    value = 10 * value + (size_t)(*text - '0');
  }
  *index = value;
  return true;
}

/* Position of one step of the path in a container; container->count when a map has no such key. */
static thud_error find_step(const thud_tree *tree, const char *path, const thud_node *container, const char *step,
                            size_t *index) {
  char what[300];
  if (container->kind == THUD_NODE_MAP) {
    const thud_node *found = thud_node_find(container, step);
    *index = found != NULL ? found->index : container->count;
    return THUD_OK;
  }
  if (container->kind != THUD_NODE_SEQUENCE) {
    char described[120];
    thud_node_describe(container, described, sizeof described);
    snprintf(what, sizeof what, "'%s' cannot be looked up in %s", step, described);
    return fail_set(tree, path, THUD_ERROR_NOT_FOUND, what);
  }
  if (!read_index(step, index) || *index >= container->count) {
    snprintf(what, sizeof what, "'%s' is not an index of a sequence of %zu; they count from 0", step, container->count);
    return fail_set(tree, path, THUD_ERROR_NOT_FOUND, what);
  }
  return THUD_OK;
}

static thud_error fail_missing(const thud_tree *tree, const char *path, const thud_node *map, const char *kind,
                               const char *step) {
  char hint[HINT_CAPACITY], what[300];
  thud_node_hint_key(map, step, hint, sizeof hint);
  snprintf(what, sizeof what, "there is no %s '%s'%s", kind, step, hint);
  return fail_set(tree, path, THUD_ERROR_NOT_FOUND, what);
}

/* A key on the way is not there, `rest` comes behind it: a map can be given as a whole. */
static thud_error fail_missing_map(const thud_tree *tree, const char *path, const thud_node *map, const char *step,
                                   const char *rest) {
  char hint[HINT_CAPACITY], what[600];
  thud_node_hint_key(map, step, hint, sizeof hint);
  if (hint[0] != '\0') return fail_missing(tree, path, map, "key", step);
  bool listed = rest[0] >= '0' && rest[0] <= '9'; /* numbers index lists */
  int before = (int)(rest - path) - 1, length = (int)strcspn(rest, ".");
  if (strcspn(path, ".") == (size_t)before) /* a bare name would mean a parameter */
    snprintf(what, sizeof what, "there is no section '%s' in the scene; write it into the file: '%s: {%.*s: ...}'",
             step, step, length, rest);
  else
    snprintf(what, sizeof what, "there is no key '%s' in the scene; a %s is added as a whole: %.*s=%s%.*s%s", step,
             listed ? "list" : "section", before, path, listed ? "[...]" : "{", listed ? 0 : length, rest,
             listed ? "" : ": ...}");
  return fail_set(tree, path, THUD_ERROR_NOT_FOUND, what);
}

static thud_error finish_target(thud_tree *tree, thud_node *container, size_t index, const char *step, target *found) {
  const char *key = NULL;
  if (container->kind == THUD_NODE_MAP) {
    key = index < container->count ? container->items[index]->key : thud_tree_keep_text(tree, step, strlen(step));
    if (key == NULL) return THUD_ERROR_MEMORY;
  }
  *found = (target){.container = container, .index = index, .key = key};
  return THUD_OK;
}

static thud_error find_dotted(thud_tree *tree, const char *path, target *found) {
  thud_node *container = tree->root;
  for (const char *rest = path;;) {
    size_t length = strcspn(rest, "."), index = 0;
    char step[STEP_CAPACITY];
    if (length == 0 || length >= sizeof step)
      return fail_set(tree, path, THUD_ERROR_ARGUMENT, "a path is made of names of 1 to 128 bytes with dots between");
    memcpy(step, rest, length);
    step[length] = '\0';
    thud_error error = find_step(tree, path, container, step, &index);
    if (error != THUD_OK) return error;
    if (rest[length] == '\0') return finish_target(tree, container, index, step, found);
    if (index == container->count) return fail_missing_map(tree, path, container, step, rest + length + 1);
    container = container->items[index];
    rest += length + 1;
  }
}

/* --set method=...: a key of a section of the scene is meant, and is to be given with its path. False: none is. */
static bool is_in_section(const thud_tree *tree, const char *name, char *what, size_t capacity) {
  static const char *const of_names[] = {"parameters", "units", "definitions", "data", "initial", "draw"};
  const thud_node *simulate = thud_node_find(tree->root, "simulate"), *found = NULL;
  bool map = tree->root->kind == THUD_NODE_MAP;
  if (simulate != NULL && simulate->kind == THUD_NODE_MAP && thud_node_find(simulate, name) != NULL) found = simulate;
  for (size_t k = 0; map && k < tree->root->count && found == NULL; k++) {
    const thud_node *section = tree->root->items[k];
    bool keys = section->kind == THUD_NODE_MAP;
    for (size_t i = 0; i < sizeof of_names / sizeof *of_names; i++)
      keys = keys && strcmp(section->key, of_names[i]) != 0;
    if (keys && thud_node_find(section, name) != NULL) found = section;
  }
  if (found == NULL) return false;
  snprintf(what, capacity, "there is no parameter '%s'; the key of '%s' is set with its path, %s.%s=...", name,
           found->key, found->key, name);
  return true;
}

static thud_error find_parameter(thud_tree *tree, const char *name, target *found) {
  char what[3 * STEP_CAPACITY];
  const thud_node *parameters = thud_node_find(tree->root, "parameters");
  bool given = parameters != NULL && parameters->kind == THUD_NODE_MAP && thud_node_find(parameters, name) != NULL;
  if (!given && is_in_section(tree, name, what, sizeof what)) return fail_set(tree, name, THUD_ERROR_NOT_FOUND, what);
  if (parameters == NULL || parameters->kind != THUD_NODE_MAP)
    return fail_set(tree, name, THUD_ERROR_NOT_FOUND,
                    "a bare name means a parameter, but the scene has none; write a dotted path");
  const thud_node *old = thud_node_find(parameters, name);
  if (old == NULL) return fail_missing(tree, name, parameters, "parameter", name);
  return finish_target(tree, tree->root->items[parameters->index], old->index, name, found);
}

/* Puts the finished value in its place. */
static thud_error attach(const target *place, thud_node *value) {
  thud_node *container = place->container;
  if (place->index == container->count) return thud_node_append(container, value);
  container->items[place->index] = value;
  return THUD_OK;
}

/* Reads the value and puts it there; origin stands for the file in messages. */
static thud_error put(thud_tree *tree, const target *place, const char *origin, const char *value) {
  thud_error error = thud_tree_check_text(tree->context, origin, value, strlen(value));
  if (error != THUD_OK) return error;
  const char *kept = thud_tree_keep_text(tree, origin, strlen(origin));
  if (kept == NULL) return THUD_ERROR_MEMORY;
  thud_node *node = thud_node_new(tree, place->container, place->key, place->index, kept, &error);
  if (error == THUD_OK) error = thud_tree_parse_document(tree, value, strlen(value), true, node);
  return error == THUD_OK ? attach(place, node) : error;
}

/* One more comment for people who read the text of the scene; line ends would end it. */
static thud_error note_change(thud_tree *tree, const char *path, const char *value) {
  const char *old = tree->changes != NULL ? tree->changes : "";
  thud_text text = thud_text_new(tree->context);
  thud_text_print(&text, "%s# --set %s=%s", old, path, value);
  thud_error error = text.error;
  char *kept = error == THUD_OK ? thud_tree_keep_text(tree, thud_text_chars(&text), text.length + 1) : NULL;
  for (size_t k = strlen(old); kept != NULL && k < text.length; k++)
    if (kept[k] == '\n' || kept[k] == '\r') kept[k] = ' ';
  if (kept != NULL) kept[text.length] = '\n';
  tree->changes = kept;
  thud_text_free(&text);
  return error == THUD_OK && kept == NULL ? THUD_ERROR_MEMORY : error;
}

/* Sections with known keys that a scene need not have: --set record.checkpoint_every=1 makes them. */
static thud_error add_section(thud_tree *tree, const char *path, const char *origin) {
  static const char *const sections[] = {"record", "units", "initial"};
  for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
    size_t length = strlen(sections[k]), index = 0;
    bool meant = strncmp(path, sections[k], length) == 0 && path[length] == '.' && path[length + 1] != '\0';
    if (!meant || tree->root->kind != THUD_NODE_MAP || thud_node_find(tree->root, sections[k]) != NULL) continue;
    target place = {0};
    thud_error error = find_step(tree, path, tree->root, sections[k], &index);
    if (error == THUD_OK) error = finish_target(tree, tree->root, index, sections[k], &place);
    return error == THUD_OK ? put(tree, &place, origin, "{}") : error;
  }
  return THUD_OK;
}

thud_error thud_tree_set(thud_tree *tree, const char *path, const char *value) {
  THUD_REQUIRE_OF(tree, path, value);
  if (tree == NULL || path == NULL || value == NULL || *path == '\0')
    return thud_fail(tree != NULL ? tree->context : NULL, THUD_ERROR_ARGUMENT,
                     "[bad-setting] --set takes a path and a value");
  target place = {0};
  char origin[STEP_CAPACITY + 8];
  snprintf(origin, sizeof origin, "--set %.*s", (int)THUD_TREE_MAX_KEY, path);
  thud_error error = add_section(tree, path, origin);
  if (error == THUD_OK)
    error = strchr(path, '.') != NULL ? find_dotted(tree, path, &place) : find_parameter(tree, path, &place);
  if (error != THUD_OK) return error;
  error = put(tree, &place, origin, value);
  return error == THUD_OK ? note_change(tree, path, value) : error;
}

thud_error thud_tree_put(thud_tree *tree, const char *key, const char *value) {
  THUD_REQUIRE_OF(tree, key, value);
  target place = {0};
  size_t index = 0;
  if (tree->root->kind != THUD_NODE_MAP || *key == '\0' || strlen(key) > THUD_TREE_MAX_KEY)
    return thud_fail(tree->context, THUD_ERROR_ARGUMENT, "a value is put under a key of 1 to %d bytes into a map",
                     THUD_TREE_MAX_KEY);
  thud_error error = find_step(tree, key, tree->root, key, &index);
  if (error == THUD_OK) error = finish_target(tree, tree->root, index, key, &place);
  return error == THUD_OK ? put(tree, &place, tree->name, value) : error;
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

_Static_assert((int)THUD_TREE_MAX_DEPTH <= (int)THUD_JSON_MAX_DEPTH, "every tree can be written");

static bool is_flat(const thud_node *sequence) {
  for (size_t k = 0; k < sequence->count; k++)
    if (sequence->items[k]->kind >= THUD_NODE_STRING) return false;
  return true;
}

void thud_node_write_json(thud_json *json, const thud_node *node) {
  switch (node->kind) {
  case THUD_NODE_NULL: thud_json_null(json); break;
  case THUD_NODE_BOOL: thud_json_bool(json, node->boolean); break;
  case THUD_NODE_NUMBER: thud_json_number(json, node->number); break;
  case THUD_NODE_STRING: thud_json_string(json, node->text); break;
  case THUD_NODE_SEQUENCE:
    if (is_flat(node))
      thud_json_begin_flat_array(json);
    else
      thud_json_begin_array(json);
    for (size_t k = 0; k < node->count; k++) thud_node_write_json(json, node->items[k]);
    thud_json_end_array(json);
    break;
  case THUD_NODE_MAP:
    thud_json_begin_object(json);
    for (size_t k = 0; k < node->count; k++) {
      thud_json_key(json, node->items[k]->key);
      thud_node_write_json(json, node->items[k]);
    }
    thud_json_end_object(json);
    break;
  }
}

thud_error thud_tree_write_json(const thud_tree *tree, char **text) {
  THUD_REQUIRE_OF(tree, text);
  thud_text written = thud_text_new(tree->context);
  thud_json json = thud_json_new(&written);
  thud_node_write_json(&json, tree->root);
  thud_text_append(&written, "\n", 1);
  if (written.error != THUD_OK) {
    thud_error error = written.error;
    thud_text_free(&written);
    return error;
  }
  *text = written.data;
  return THUD_OK;
}

void thud_tree_free_text(const thud_tree *tree, char *text) {
  THUD_REQUIRE_OR(, tree);
  thud_free(tree->context, text);
}
