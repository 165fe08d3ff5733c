/* `data:` piecewise functions of time with jumps, used in expressions by their names.
 *   shift: {breaks: [1, 2], pieces: [0, "3*t", 6], at_breaks: right}
 * Piece k holds between break k-1 and break k. The value at a break is the right limit, the left limit, or one of a
 * list. With conditions in the place of breaks,
 *   drive: {when: [x > 1], pieces: [2, 0]}
 * the motion goes on with the next piece from the node on at which the next condition holds (docs/observe.md). Members of
 * a family are written out first (data_family.c). */
#include "base/json.h"
#include "scene/build.h"

#include <math.h>
#include <string.h>

/* Number of breaks before t. */
static size_t breaks_before(const scene_data *data, double t) {
  size_t low = 0, high = data->break_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (data->breaks[middle] < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int evaluate_data(void *user, double t, thud_side side, double *out) {
  const scene_data *data = user;
  size_t piece = breaks_before(data, t);
  bool at_break = piece < data->break_count && data->breaks[piece] == t;
  if (at_break && side == THUD_SIDE_VALUE) {
    if (data->values != NULL) {
      *out = thud_scene_value_at(data->scene, &data->values[piece], t, THUD_SIDE_VALUE);
      return 0;
    }
    side = data->left_value ? THUD_SIDE_LEFT : THUD_SIDE_RIGHT;
  }
  if (at_break && side == THUD_SIDE_RIGHT) piece++;
  *out = thud_scene_value_at(data->scene, &data->pieces[piece], t, side);
  return 0;
}

bool thud_scene_data_piece(const thud_regulated *function, double from, double to, const thud_expr **expr,
                           double *constant) {
  const scene_data *data = function->user;
  size_t piece = breaks_before(data, from);
  if (piece < data->break_count && data->breaks[piece] == from) piece++;
  if (piece < data->break_count && data->breaks[piece] < to) return false;
  *expr = data->pieces[piece].expr;
  *constant = data->pieces[piece].constant;
  return true;
}

static thud_error read_breaks(thud_scene *scene, const thud_node *node, scene_data *data) {
  const thud_node *breaks;
  thud_error error = thud_node_require_as(node, "breaks", "a list of increasing times", &breaks);
  if (error == THUD_OK) error = thud_node_expect(breaks, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(breaks);
  data->breaks = THUD_NEW_ARRAY(scene->context, double, count);
  if (data->breaks == NULL) return THUD_ERROR_MEMORY;
  data->break_count = count;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(breaks, k);
    error = thud_scene_read_constant(scene, item, &data->breaks[k]);
    if (error == THUD_OK && k > 0 && !(data->breaks[k - 1] < data->breaks[k]))
      error = thud_node_fail(item, THUD_ERROR_SCHEMA, "[out-of-range] breaks must increase: %g comes after %g",
                             data->breaks[k], data->breaks[k - 1]);
  }
  return error;
}

/* As many breaks as there are conditions, none of which has come. */
static thud_error read_conditions(thud_scene *scene, const thud_node *node, const thud_node *list, scene_data *data) {
  if (thud_node_find(node, "breaks") != NULL)
    return thud_node_fail(list, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] data have either 'breaks', times, or 'when', conditions");
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  data->conditional = true;
  data->break_count = thud_node_count(list);
  data->breaks = THUD_NEW_ARRAY(scene->context, double, data->break_count);
  if (data->breaks == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < data->break_count; k++) data->breaks[k] = INFINITY;
  return THUD_OK;
}

static thud_error read_list(thud_scene *scene, const thud_node *list, size_t count, const char *what,
                            scene_value **values) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(list) != count)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] the breaks call for %zu %s, found %zu", count, what,
                          thud_node_count(list));
  *values = THUD_NEW_ARRAY(scene->context, scene_value, count);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_scene_read_value(scene, thud_node_item(list, k), &(*values)[k]);
  return error;
}

static thud_error read_at_breaks(thud_scene *scene, const thud_node *node, scene_data *data) {
  static const char *const choices[] = {"right", "left", NULL};
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE)
    return read_list(scene, node, data->break_count, "values at the breaks", &data->values);
  int choice = 0;
  thud_error error = thud_node_read_choice(node, choices, &choice);
  data->left_value = choice == 1;
  return error;
}

/* The breaks, and within each piece's range (cut to the run's) the jumps of the piece itself. */
static thud_error collect_jumps(thud_scene *scene, const thud_node *pieces, scene_data *data) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < data->break_count && error == THUD_OK && !data->conditional; k++)
    error = thud_scene_times_add(scene, &data->jumps, data->breaks[k]);
  for (size_t k = 0; k <= data->break_count && error == THUD_OK; k++) {
    if (data->conditional) {
      error = thud_scene_value_jumps(scene, &data->pieces[k], scene->start, scene->end, &data->jumps);
      if (error == THUD_OK && data->jumps.count > 0)
        error = thud_node_fail(thud_node_item(pieces, k), THUD_ERROR_SCHEMA,
                               "[bad-data] the pieces of data with conditions must not jump themselves");
      continue;
    }
    double from = k > 0 ? fmax(scene->start, data->breaks[k - 1]) : scene->start;
    double to = k < data->break_count ? fmin(scene->end, data->breaks[k]) : scene->end;
    if (!(from <= to)) continue;
    error = thud_scene_value_jumps(scene, &data->pieces[k], from, to, &data->jumps);
    if (error != THUD_OK) error = thud_node_fail_within(thud_node_item(pieces, k), error);
  }
  thud_scene_times_sort(&data->jumps);
  return error;
}

static thud_error read_entry(thud_scene *scene, const thud_node *node, scene_data *data) {
  static const char *const keys[] = {"breaks", "pieces", "at_breaks", "when"};
  const thud_node *pieces = NULL, *at_breaks = NULL, *when = NULL;
  data->scene = scene;
  thud_error error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) when = thud_node_find(node, "when");
  if (error == THUD_OK)
    error = when != NULL ? read_conditions(scene, node, when, data) : read_breaks(scene, node, data);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "pieces", "a list of expressions of t, one more than there are breaks", &pieces);
  if (error == THUD_OK) error = read_list(scene, pieces, data->break_count + 1, "pieces", &data->pieces);
  if (error == THUD_OK) error = thud_node_require(node, "at_breaks", &at_breaks);
  if (error == THUD_OK) error = read_at_breaks(scene, at_breaks, data);
  if (error == THUD_OK) error = collect_jumps(scene, pieces, data);
  data->function = (thud_regulated){.dimension = 1,
                                    .evaluate = evaluate_data,
                                    .user = data,
                                    .jump_count = data->jumps.count,
                                    .jumps = data->jumps.items};
  return error;
}

/* Pieces first .. last as if(t < break, ..., ...), halved at each break so that the depth stays small. */
static void write_pieces(const scene_data *data, const thud_node *pieces, size_t first, size_t last, thud_text *text) {
  if (first == last) {
    const thud_node *piece = thud_node_item(pieces, first);
    if (thud_node_get_kind(piece) == THUD_NODE_STRING)
      thud_text_print(text, "(%s)", thud_node_string(piece));
    else
      thud_text_print(text, "(%.17g)", thud_node_number(piece));
    return;
  }
  size_t middle = first + (last - first + 1) / 2;
  thud_text_print(text, "if(t %s (%.17g), ", data->left_value ? "<=" : "<", data->breaks[middle - 1]);
  write_pieces(data, pieces, first, middle - 1, text);
  thud_text_print(text, ", ");
  write_pieces(data, pieces, middle, last, text);
  thud_text_print(text, ")");
}

static thud_error add_as_expression(thud_scene *scene, const char *name, const thud_node *node,
                                    const scene_data *data) {
  if (data->values != NULL)
    return thud_fail(
        scene->context, THUD_ERROR_UNSUPPORTED,
        "[bad-data] the value at a break is taken from the left or from the right here; a list of values at the "
        "breaks cannot be followed");
  thud_text text = thud_text_new(scene->context);
  write_pieces(data, thud_node_find(node, "pieces"), 0, data->break_count, &text);
  thud_error error =
      text.error == THUD_OK ? thud_expr_scope_add_expression(scene->scope, name, thud_text_chars(&text)) : text.error;
  thud_text_free(&text);
  return error;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

enum { MOST_DEFINITIONS_DEEP = 64 };

/* Does a text use the name, itself or by the scene's definitions? */
static bool uses(const thud_node *definitions, const char *text, const char *name, int depth) {
  for (const char *word = text; *word != '\0' && depth < MOST_DEFINITIONS_DEEP;) {
    size_t length = 0;
    while (is_letter(word[length])) length++;
    if (length > 0 && strlen(name) == length && strncmp(word, name, length) == 0) return true;
    for (size_t k = 0; length > 0 && definitions != NULL && k < thud_node_count(definitions); k++) {
      const char *key = thud_node_key(definitions, k);
      const thud_node *item = thud_node_item(definitions, k);
      bool found = strlen(key) == length && strncmp(word, key, length) == 0;
      if (found && thud_node_get_kind(item) == THUD_NODE_STRING &&
          uses(definitions, thud_node_string(item), name, depth + 1))
        return true;
    }
    word += length > 0 ? length : 1;
  }
  return false;
}

/* Does an entry of a list of the section use the name under this key? place: "constraints.gap". */
static bool is_used_at(const thud_node *root, const char *section, const char *place, const char *name) {
  char list_name[THUD_TREE_MAX_KEY + 1];
  size_t length = strcspn(place, ".");
  const thud_node *model = thud_node_find(root, section), *definitions = thud_node_find(root, "definitions");
  if (model == NULL || thud_node_get_kind(model) != THUD_NODE_MAP || length >= sizeof list_name) return false;
  memcpy(list_name, place, length);
  list_name[length] = '\0';
  const thud_node *list = thud_node_find(model, list_name);
  if (definitions != NULL && thud_node_get_kind(definitions) != THUD_NODE_MAP) definitions = NULL;
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE) return false;
  for (size_t i = 0; i < thud_node_count(list); i++) {
    const thud_node *item = thud_node_item(list, i);
    const thud_node *text = thud_node_get_kind(item) == THUD_NODE_MAP ? thud_node_find(item, place + length + 1) : NULL;
    if (text != NULL && thud_node_get_kind(text) == THUD_NODE_STRING &&
        uses(definitions, thud_node_string(text), name, 0))
      return true;
  }
  return false;
}

static bool is_expression(const thud_node *root, const char *name, const scene_data_form *form) {
  bool used = form->expressions;
  for (size_t k = 0; k < form->place_count && !used; k++) used = is_used_at(root, form->section, form->places[k], name);
  return used;
}

/* Does any text of the node but those under `left_out` use the name? */
static bool is_mentioned(const thud_node *root, const thud_node *node, const char *left_out, const char *name) {
  const thud_node *definitions = thud_node_find(root, "definitions");
  thud_node_kind kind = thud_node_get_kind(node);
  if (definitions != NULL && thud_node_get_kind(definitions) != THUD_NODE_MAP) definitions = NULL;
  if (kind == THUD_NODE_STRING) return uses(definitions, thud_node_string(node), name, 0);
  for (size_t k = 0; (kind == THUD_NODE_MAP || kind == THUD_NODE_SEQUENCE) && k < thud_node_count(node); k++) {
    bool skipped = kind == THUD_NODE_MAP && left_out != NULL && strcmp(thud_node_key(node, k), left_out) == 0;
    if (!skipped && is_mentioned(root, thud_node_item(node, k), NULL, name)) return true;
  }
  return false;
}

/* Nothing that is prepared before the motion, differentiated or the gradient of an energy may depend on times that are not known:
 * forces of systems that are stepped remain. */
static thud_error check_switch(const thud_node *root, const thud_node *item, const char *name,
                               const scene_data_form *form) {
  const thud_node *model = form->section != NULL ? thud_node_find(root, form->section) : NULL;
  if (form->expressions || form->place_count == 0)
    return thud_node_fail(item, THUD_ERROR_UNSUPPORTED,
                          "[bad-data] data with conditions are for 'system' scenes that are stepped in time");
  if (model == NULL ||
      (!is_mentioned(root, model, "forces", name) && !is_mentioned(root, thud_node_find(root, "data"), NULL, name) &&
       !is_mentioned(root, thud_node_find(root, "draw"), NULL, name)))
    return THUD_OK;
  return thud_node_fail(
      item, THUD_ERROR_UNSUPPORTED,
      "[bad-data] '%s' has conditions: it may stand in 'forces' of the system, in 'observe', 'until' and "
      "conditions alone",
      name);
}

bool thud_scene_has_switches(const thud_scene *scene) {
  for (size_t k = 0; k < scene->data_count; k++)
    if (scene->data[k].conditional) return true;
  return false;
}

size_t thud_scene_switched(const thud_scene *scene) {
  size_t count = 0;
  for (size_t k = 0; k < scene->data_count; k++)
    for (size_t i = 0; scene->data[k].conditional && i < scene->data[k].break_count; i++)
      count += isfinite(scene->data[k].breaks[i]) != 0;
  return count;
}

/* lists: the entry, or its members written out. */
static thud_error add_entry(thud_scene *scene, const thud_node *root, const char *name, const thud_node *item,
                            const thud_node *lists, const scene_data_form *form, scene_data *data) {
  thud_error error = read_entry(scene, lists, data);
  if (error != THUD_OK) return lists == item || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(item, error);
  if (data->conditional) error = check_switch(root, item, name, form);
  if (error != THUD_OK) return error;
  error = is_expression(root, name, form)
              ? add_as_expression(scene, name, lists, data)
              : thud_expr_scope_add_function(scene->scope, name, scene->time_slot, &data->function);
  return error == THUD_OK ? error : thud_node_fail_within(item, error);
}

static thud_error build_entry(thud_scene *scene, const thud_node *root, const char *name, const thud_node *item,
                              const scene_data_form *form, scene_data *data) {
  thud_tree *written = NULL;
  thud_error error = thud_node_expect(item, THUD_NODE_MAP);
  if (error == THUD_OK && thud_node_find(item, "family") != NULL)
    error = thud_scene_write_family(scene, name, item, &written);
  if (error == THUD_OK)
    error = add_entry(scene, root, name, item, written != NULL ? thud_tree_root(written) : item, form, data);
  thud_tree_destroy(written);
  return error;
}

thud_error thud_scene_build_data(thud_scene *scene, const thud_node *root, scene_data_form form) {
  const thud_node *node = thud_node_find(root, "data");
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(node);
  scene->data = THUD_NEW_ARRAY(scene->context, scene_data, count);
  if (scene->data == NULL) return THUD_ERROR_MEMORY;
  scene->data_count = count;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = build_entry(scene, root, thud_node_key(node, k), thud_node_item(node, k), &form, &scene->data[k]);
  return error;
}

static void free_list(thud_scene *scene, scene_value *values, size_t count) {
  for (size_t k = 0; values != NULL && k < count; k++) thud_scene_value_free(&values[k]);
  thud_free(scene->context, values);
}

void thud_scene_free_data(thud_scene *scene) {
  for (size_t k = 0; k < scene->data_count; k++) {
    scene_data *data = &scene->data[k];
    free_list(scene, data->pieces, data->break_count + 1);
    free_list(scene, data->values, data->break_count);
    thud_free(scene->context, data->breaks);
    thud_free(scene->context, data->jumps.items);
  }
  thud_free(scene->context, scene->data);
}
