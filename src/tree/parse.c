/* YAML events of libyaml become nodes. JSON is a subset of what is read. */
#include "tree/parse.h"

#include <string.h>
#include <yaml.h>

typedef struct anchor {
  const char *name;
  const thud_node *node;
} anchor;

typedef struct reader {
  thud_tree *tree;
  yaml_parser_t yaml;
  const char *text; /* [length] what is read */
  size_t length;
  const char *origin;
  bool on_command_line;
  int flow_depth; /* open [ and { */
  size_t anchor_count, anchor_capacity;
  anchor *anchors; /* [anchor_count] the latest of a name counts */
  size_t pending_count, pending_capacity;
  thud_node **pending; /* [pending_count] finished entries of the collections that are still open */
} reader;

/* ---- errors -------------------------------------------------------------------------------------------- */

static const char *advice_for(const char *problem) {
  static const struct {
    const char *part, *advice;
  } table[] = {
      {"mapping values are not allowed", "; indent by spaces, and put a text that contains ': ' into quotes"},
      {"cannot start any token",
       "; indent with spaces, not tabs, and put a text that starts with @, ` or % into quotes"},
      {"expected ',' or ']'", "; close the [ or put the text into quotes"},
      {"expected ',' or '}'", "; close the { or put the text into quotes"},
      {"unexpected end of stream", "; a quote is opened and not closed"},
      {"could not find expected ':'", "; a key is followed by ': '"},
      {"expected key", "; entries of one map start in the same column"},
      {"expected '-' indicator", "; entries of one sequence start in the same column"},
      {"unknown escape character", "; inside \"...\" write \\\\ for a backslash, or use '...'"},
      {"invalid Unicode character escape", "; write the character itself instead of a pair of \\u escapes"},
      {"alphabetic or numeric character", "; a text that starts with * or & must be put into quotes"},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (strstr(problem, table[k].part) != NULL) return table[k].advice;
  return "";
}

static size_t count_characters(const char *text, size_t bytes) {
  size_t count = 0;
  for (size_t k = 0; k < bytes; k++) count += ((unsigned char)text[k] & 0xC0) != 0x80;
  return count;
}

/* At the end of a text without a final line break libyaml counts one line too many. */
static yaml_mark_t true_mark(const reader *r, yaml_mark_t mark) {
  size_t breaks = 0, line_start = 0;
  for (size_t k = 0; k < r->length; k++) {
    bool is_break = r->text[k] == '\n' || (r->text[k] == '\r' && !(k + 1 < r->length && r->text[k + 1] == '\n'));
    breaks += is_break;
    if (is_break) line_start = k + 1;
  }
  if (mark.line <= breaks) return mark;
  mark.line = breaks;
  mark.column = count_characters(r->text + line_start, r->length - line_start);
  return mark;
}

static thud_error fail_at_mark(const reader *r, thud_error error, yaml_mark_t reported, const char *what,
                               const char *advice) {
  yaml_mark_t mark = true_mark(r, reported);
  thud_context *context = r->tree->context;
  if (r->on_command_line)
    return thud_fail(context, error, "[yaml] %s: column %zu: %s%s", r->origin, mark.column + 1, what, advice);
  return thud_tree_fail_at(context, error, r->origin, mark.line + 1, mark.column + 1, "[yaml] %s%s", what, advice);
}

static thud_error fail_yaml(const reader *r) {
  if (r->yaml.error == YAML_MEMORY_ERROR)
    return thud_fail(r->tree->context, THUD_ERROR_MEMORY, "out of memory while reading %s", r->origin);
  const char *problem = r->yaml.problem != NULL ? r->yaml.problem : "this is not YAML";
  char what[300];
  if (r->yaml.context != NULL)
    snprintf(what, sizeof what, "%s (%s that starts in line %zu)", problem, r->yaml.context,
             r->yaml.context_mark.line + 1);
  else
    snprintf(what, sizeof what, "%s", problem);
  return fail_at_mark(r, THUD_ERROR_SYNTAX, r->yaml.problem_mark, what, advice_for(problem));
}

static thud_error next_event(reader *r, yaml_event_t *event) {
  return yaml_parser_parse(&r->yaml, event) ? THUD_OK : fail_yaml(r);
}

/* ---- nodes ----------------------------------------------------------------------------------------------- */

static void set_place(const reader *r, yaml_mark_t mark, thud_node *node) {
  if (r->on_command_line) return;
  node->line = (int)mark.line + 1;
  node->column = (int)mark.column + 1;
}

static thud_node *new_entry(const reader *r, const thud_node *parent, const char *key, size_t index, yaml_mark_t mark,
                            thud_error *error) {
  thud_node *node = thud_node_new(r->tree, parent, key, index, r->origin, error);
  if (node != NULL) set_place(r, mark, node);
  return node;
}

static thud_error push_pending(reader *r, thud_node *node) {
  thud_error error = thud_array_reserve(r->tree->context, &r->pending, &r->pending_capacity, r->pending_count + 1,
                                        sizeof(thud_node *));
  if (error == THUD_OK) r->pending[r->pending_count++] = node;
  return error;
}

/* Moves the entries pending from `first` on into the node. */
static thud_error take_pending(reader *r, size_t first, thud_node *node) {
  size_t count = r->pending_count - first;
  thud_node **items = thud_arena_alloc(r->tree->arena, count, sizeof(thud_node *));
  if (items == NULL) return THUD_ERROR_MEMORY;
  if (count > 0) memcpy(items, r->pending + first, count * sizeof(thud_node *));
  r->pending_count = first;
  node->items = items;
  node->count = node->capacity = count;
  return THUD_OK;
}

static thud_error remember_anchor(reader *r, const yaml_char_t *name, const thud_node *node) {
  if (name == NULL) return THUD_OK;
  if (r->anchor_count >= THUD_TREE_MAX_ANCHORS)
    return thud_node_fail(node, THUD_ERROR_OVERFLOW, "[yaml] more than %d anchors (&name); repeat the text instead",
                          (int)THUD_TREE_MAX_ANCHORS);
  thud_error error =
      thud_array_reserve(r->tree->context, &r->anchors, &r->anchor_capacity, r->anchor_count + 1, sizeof *r->anchors);
  if (error != THUD_OK) return error;
  char *kept = thud_tree_keep_text(r->tree, (const char *)name, strlen((const char *)name));
  if (kept == NULL) return THUD_ERROR_MEMORY;
  r->anchors[r->anchor_count++] = (anchor){.name = kept, .node = node};
  return THUD_OK;
}

static thud_error read_alias(reader *r, const yaml_event_t *event, int depth, thud_node *node) {
  const char *name = (const char *)event->data.alias.anchor;
  for (size_t k = r->anchor_count; k-- > 0;)
    if (strcmp(r->anchors[k].name, name) == 0)
      return thud_node_copy(r->anchors[k].node, depth, &r->tree->copies_left, node);
  return thud_node_fail(
      node, THUD_ERROR_SYNTAX,
      "[yaml] no finished value is called &%.60s before *%.60s; a text that starts with * needs quotes", name, name);
}

/* ---- scalars --------------------------------------------------------------------------------------------- */

/* Column of the first character of a scalar that is in the file letter by letter, or 0. */
static int verbatim_column(const yaml_event_t *event) {
  yaml_scalar_style_t style = event->data.scalar.style;
  bool quoted = style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  size_t characters = count_characters((const char *)event->data.scalar.value, event->data.scalar.length);
  size_t spanned = event->end_mark.index - event->start_mark.index;
  bool one_line = event->start_mark.line == event->end_mark.line;
  bool inline_style = quoted || style == YAML_PLAIN_SCALAR_STYLE;
  if (!one_line || !inline_style || spanned != characters + (quoted ? 2 : 0)) return 0;
  return (int)event->start_mark.column + (quoted ? 2 : 1);
}

/* {gap: min(x, y)} is {gap: "min(x", "y)": null} for YAML: say so where it happens. */
static thud_error check_parentheses(const reader *r, const thud_node *node, const char *text) {
  int open = 0;
  for (const char *c = text; *c != '\0'; c++) open += (*c == '(') - (*c == ')');
  if (r->flow_depth == 0 || open <= 0) return THUD_OK;
  return thud_node_fail(
      node, THUD_ERROR_SYNTAX,
      "[yaml] '%.60s' ends before its ')': inside [ ] and { } a comma ends the value; put it into quotes", text);
}

static thud_error check_tag(const thud_node *node, const yaml_char_t *tag) {
  if (tag == NULL || strcmp((const char *)tag, "!") == 0) return THUD_OK;
  if (strcmp((const char *)tag, YAML_STR_TAG) == 0) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_SYNTAX, "[yaml] the tag '%.60s' is not used in scenes; leave it out",
                        (const char *)tag);
}

static thud_error read_scalar(reader *r, const yaml_event_t *event, thud_node *node) {
  const char *value = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  thud_error error = check_tag(node, event->data.scalar.tag);
  if (error != THUD_OK) return error;
  if (strlen(value) != length)
    return thud_node_fail(node, THUD_ERROR_SYNTAX, "[yaml] a text with a NUL character; leave out the \\0");
  char *text = thud_tree_keep_text(r->tree, value, length);
  if (text == NULL) return THUD_ERROR_MEMORY;
  bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && event->data.scalar.tag == NULL;
  if (plain) {
    error = check_parentheses(r, node, text);
    if (error == THUD_OK) error = thud_node_resolve_plain(node, text);
  } else {
    node->kind = THUD_NODE_STRING;
    node->text = text;
  }
  if (node->kind == THUD_NODE_STRING && !r->on_command_line) node->text_column = verbatim_column(event);
  return error;
}

/* ---- collections ----------------------------------------------------------------------------------------- */

static thud_error read_value(reader *r, const yaml_event_t *event, int depth, thud_node *node);

static thud_error read_entry(reader *r, yaml_event_t *event, int depth, const thud_node *parent, size_t index) {
  thud_error error = THUD_OK;
  thud_node *item = new_entry(r, parent, NULL, index, event->start_mark, &error);
  if (error == THUD_OK) error = read_value(r, event, depth + 1, item);
  if (error == THUD_OK) error = push_pending(r, item);
  return error;
}

static thud_error read_sequence(reader *r, int depth, thud_node *node) {
  size_t first = r->pending_count;
  node->kind = THUD_NODE_SEQUENCE;
  for (size_t k = 0;; k++) {
    yaml_event_t event;
    thud_error error = next_event(r, &event);
    if (error != THUD_OK) return error;
    bool end = event.type == YAML_SEQUENCE_END_EVENT;
    if (!end) error = read_entry(r, &event, depth, node, k);
    yaml_event_delete(&event);
    if (error != THUD_OK) return error;
    if (end) return take_pending(r, first, node);
  }
}

/* The repetition that comes first in the file. */
static thud_error check_repeated_keys(reader *r, const thud_node *map) {
  const thud_node *first = NULL, *again = NULL;
  thud_names keys = thud_names_new(r->tree->context, NULL);
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && again == NULL && k < map->count; k++) {
    size_t there = THUD_NAMES_NONE;
    error = thud_names_add(&keys, map->items[k]->key, strlen(map->items[k]->key), k, &there);
    if (there == THUD_NAMES_NONE) continue;
    first = map->items[there];
    again = map->items[k];
  }
  thud_names_free(&keys);
  if (error != THUD_OK || again == NULL) return error;
  if (r->on_command_line)
    return thud_node_fail(again, THUD_ERROR_SYNTAX, "[duplicate-key] the key '%.60s' is written twice; keep one",
                          again->key);
  thud_node here = *again;
  here.line = again->key_line;
  here.column = again->key_column;
  return thud_node_fail(&here, THUD_ERROR_SYNTAX, "[duplicate-key] the key '%.60s' is there already at %d:%d; keep one",
                        again->key, first->key_line, first->key_column);
}

/* The key's text, kept by the tree. */
static thud_error read_key(reader *r, const yaml_event_t *event, const thud_node *map, const char **key) {
  if (event->type != YAML_SCALAR_EVENT)
    return fail_at_mark(r, THUD_ERROR_SYNTAX, event->start_mark,
                        event->type == YAML_ALIAS_EVENT ? "an alias cannot be a key" : "a collection cannot be a key",
                        "; keys are plain names");
  const char *text = (const char *)event->data.scalar.value;
  if (strlen(text) != event->data.scalar.length)
    return fail_at_mark(r, THUD_ERROR_SYNTAX, event->start_mark, "a key with a NUL character", "; leave out the \\0");
  if (strcmp(text, "<<") == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
    return fail_at_mark(r, THUD_ERROR_SYNTAX, event->start_mark, "merge keys (<<) are not part of YAML 1.2",
                        "; write the entries out");
  if (event->data.scalar.length > THUD_TREE_MAX_KEY) /* longer ones could not be written so that they read back */
    return fail_at_mark(r, THUD_ERROR_OVERFLOW, event->start_mark, "a key of more than 128 bytes", "; shorten it");
  char *kept = thud_tree_keep_text(r->tree, text, event->data.scalar.length);
  if (kept == NULL) return THUD_ERROR_MEMORY;
  thud_node place = {.tree = r->tree, .parent = map, .key = kept, .origin = r->origin};
  set_place(r, event->start_mark, &place);
  thud_error error = check_tag(&place, event->data.scalar.tag);
  if (error == THUD_OK && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
    error = check_parentheses(r, &place, kept);
  if (error == THUD_OK) *key = kept;
  return error;
}

/* One key and its value; *end at the end of the map. */
static thud_error read_pair(reader *r, int depth, const thud_node *map, size_t index, bool *end) {
  yaml_event_t event;
  const char *key = NULL;
  thud_error error = next_event(r, &event);
  if (error != THUD_OK) return error;
  *end = event.type == YAML_MAPPING_END_EVENT;
  yaml_mark_t mark = event.start_mark;
  if (!*end) error = read_key(r, &event, map, &key);
  yaml_event_delete(&event);
  if (error != THUD_OK || *end) return error;

  error = next_event(r, &event);
  if (error != THUD_OK) return error;
  thud_node *value = new_entry(r, map, key, index, event.start_mark, &error);
  if (error == THUD_OK && !r->on_command_line) {
    value->key_line = (int)mark.line + 1;
    value->key_column = (int)mark.column + 1;
  }
  if (error == THUD_OK) error = read_value(r, &event, depth + 1, value);
  if (error == THUD_OK) error = push_pending(r, value);
  yaml_event_delete(&event);
  return error;
}

static thud_error read_map(reader *r, int depth, thud_node *node) {
  size_t first = r->pending_count;
  bool end = false;
  thud_error error = THUD_OK;
  node->kind = THUD_NODE_MAP;
  for (size_t k = 0; error == THUD_OK && !end; k++) error = read_pair(r, depth, node, k, &end);
  if (error == THUD_OK) error = take_pending(r, first, node);
  if (error == THUD_OK) error = check_repeated_keys(r, node);
  return error == THUD_OK ? thud_node_index_keys(node) : error;
}

/* depth: collections around the node, with itself. The event belongs to the caller. */
static thud_error read_collection(reader *r, const yaml_event_t *event, int depth, thud_node *node) {
  bool map = event->type == YAML_MAPPING_START_EVENT;
  bool flow = map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                  : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
  const yaml_char_t *tag = map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
  thud_error error = thud_node_check_depth(node, depth);
  if (error == THUD_OK && tag != NULL)
    error = thud_node_fail(node, THUD_ERROR_SYNTAX, "[yaml] the tag '%.60s' is not used in scenes; leave it out",
                           (const char *)tag);
  if (error != THUD_OK) return error;
  r->flow_depth += flow;
  error = map ? read_map(r, depth, node) : read_sequence(r, depth, node);
  r->flow_depth -= flow;
  return error;
}

static thud_error read_value(reader *r, const yaml_event_t *event, int depth, thud_node *node) {
  thud_error error;
  switch (event->type) {
  case YAML_ALIAS_EVENT: return read_alias(r, event, depth, node);
  case YAML_SCALAR_EVENT:
    error = read_scalar(r, event, node);
    return error == THUD_OK ? remember_anchor(r, event->data.scalar.anchor, node) : error;
  case YAML_SEQUENCE_START_EVENT:
    error = read_collection(r, event, depth, node);
    return error == THUD_OK ? remember_anchor(r, event->data.sequence_start.anchor, node) : error;
  case YAML_MAPPING_START_EVENT:
    error = read_collection(r, event, depth, node);
    return error == THUD_OK ? remember_anchor(r, event->data.mapping_start.anchor, node) : error;
  default:
    return thud_node_fail(node, THUD_ERROR_INTERNAL, "[yaml] unexpected event %d of the YAML reader", (int)event->type);
  }
}

/* ---- documents ------------------------------------------------------------------------------------------- */

/* Skips to the beginning of the document's value. */
static thud_error open_document(reader *r, yaml_event_t *event) {
  for (;;) {
    thud_error error = next_event(r, event);
    if (error != THUD_OK) return error;
    yaml_mark_t mark = event->start_mark;
    yaml_event_type_t type = event->type;
    if (type != YAML_STREAM_START_EVENT && type != YAML_DOCUMENT_START_EVENT && type != YAML_STREAM_END_EVENT)
      return THUD_OK;
    yaml_event_delete(event);
    if (type == YAML_STREAM_END_EVENT)
      return fail_at_mark(r, THUD_ERROR_SYNTAX, mark, "there is nothing here", "; write at least one 'key: value'");
  }
}

/* After the value: the end of the document, then the end of the text. */
static thud_error close_document(reader *r) {
  for (;;) {
    yaml_event_t event;
    thud_error error = next_event(r, &event);
    if (error != THUD_OK) return error;
    yaml_event_type_t type = event.type;
    yaml_mark_t mark = event.start_mark;
    yaml_event_delete(&event);
    if (type == YAML_STREAM_END_EVENT) return THUD_OK;
    if (type != YAML_DOCUMENT_END_EVENT)
      return fail_at_mark(r, THUD_ERROR_SYNTAX, mark, "a second document starts here",
                          "; a file holds one: remove the '---' or split the file");
  }
}

static thud_error read_document(reader *r, int depth, thud_node *node) {
  yaml_event_t event;
  thud_error error = open_document(r, &event);
  if (error != THUD_OK) return error;
  set_place(r, event.start_mark, node);
  error = read_value(r, &event, depth, node);
  yaml_event_delete(&event);
  return error == THUD_OK ? close_document(r) : error;
}

thud_error thud_tree_parse_document(thud_tree *tree, const char *text, size_t length, bool on_command_line,
                                    thud_node *node) {
  reader r = {.tree = tree, .text = text, .length = length, .origin = node->origin, .on_command_line = on_command_line};
  if (!yaml_parser_initialize(&r.yaml))
    return thud_fail(tree->context, THUD_ERROR_MEMORY, "out of memory while reading %s", node->origin);
  yaml_parser_set_encoding(&r.yaml, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&r.yaml, (const unsigned char *)text, length);
  int depth = 1;
  for (const thud_node *up = node->parent; up != NULL; up = up->parent) depth++;
  thud_error error = read_document(&r, depth, node);
  yaml_parser_delete(&r.yaml);
  thud_free(tree->context, r.anchors);
  thud_free(tree->context, r.pending);
  return error;
}
