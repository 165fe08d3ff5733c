/* Defaults that all scenes share, and the tools of those that the kinds bring. */
#include "scene/resolve.h"
#include "base/base.h"
#include "scene/scene_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tools ------------------------------------------------------------------------------------------------------ */

const thud_node *thud_resolve_find(const thud_node *map, const char *key) {
  return map != NULL ? thud_node_find(map, key) : NULL;
}

size_t thud_resolve_count(const thud_node *list) {
  return list != NULL && thud_node_get_kind(list) == THUD_NODE_SEQUENCE ? thud_node_count(list) : 0;
}

bool thud_resolve_is(const thud_node *map, const char *key, const char *text) {
  const thud_node *node = thud_resolve_find(map, key);
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING && strcmp(thud_node_string(node), text) == 0;
}

static thud_error fill(thud_tree *tree, const thud_node *map, const char *key, thud_tree_value value) {
  if (map == NULL || thud_node_get_kind(map) != THUD_NODE_MAP || thud_node_find(map, key) != NULL) return THUD_OK;
  return thud_tree_add(tree, map, key, &value, NULL);
}

thud_error thud_resolve_number(thud_tree *tree, const thud_node *map, const char *key, double value) {
  return fill(tree, map, key, (thud_tree_value){.kind = THUD_NODE_NUMBER, .number = value});
}

thud_error thud_resolve_flag(thud_tree *tree, const thud_node *map, const char *key, bool value) {
  return fill(tree, map, key, (thud_tree_value){.kind = THUD_NODE_BOOL, .boolean = value});
}

thud_error thud_resolve_text(thud_tree *tree, const thud_node *map, const char *key, const char *value) {
  return fill(tree, map, key, (thud_tree_value){.kind = THUD_NODE_STRING, .text = value});
}

thud_error thud_resolve_null(thud_tree *tree, const thud_node *map, const char *key) {
  return fill(tree, map, key, (thud_tree_value){.kind = THUD_NODE_NULL});
}

thud_error thud_resolve_map(thud_tree *tree, const thud_node *map, const char *key, const thud_node **found) {
  thud_error error = fill(tree, map, key, (thud_tree_value){.kind = THUD_NODE_MAP});
  *found = thud_resolve_find(map, key);
  return error;
}

/* A default that is NAN is none. */
static thud_error fill_option(thud_tree *tree, const thud_node *map, const char *key, const thud_option_key *option) {
  if (isnan(option->default_value)) return THUD_OK;
  switch (option->type) {
  case THUD_OPTION_BOOL: return thud_resolve_flag(tree, map, key, option->default_value != 0);
  case THUD_OPTION_CHOICE: return thud_resolve_text(tree, map, key, option->choices[(int)option->default_value]);
  case THUD_OPTION_INT:
  case THUD_OPTION_REAL: break;
  }
  return thud_resolve_number(tree, map, key, option->default_value);
}

thud_error thud_resolve_option(thud_tree *tree, const thud_node *map, const char *key, const thud_option_table *table,
                               const char *name) {
  return fill_option(tree, map, key, thud_options_find(table, name));
}

thud_error thud_resolve_options(thud_tree *tree, const thud_node *map, const thud_option_table *table,
                                const char *const *without) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) {
    const thud_option_key *key = &table->keys[k];
    size_t i = 0;
    while (without != NULL && without[i] != NULL && strcmp(without[i], key->name) != 0) i++;
    if (without == NULL || without[i] == NULL) error = fill_option(tree, map, key->name, key);
  }
  return error;
}

thud_error thud_resolve_names(thud_tree *tree, const thud_node *coordinates, const thud_node *map,
                              resolve_name_fn with) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(coordinates) && error == THUD_OK; k++) {
    const thud_node *name = thud_node_item(coordinates, k);
    if (thud_node_get_kind(name) == THUD_NODE_STRING) error = with(tree, map, thud_node_string(name));
  }
  return error;
}

/* ---- coordinates ------------------------------------------------------------------------------------------------ */

static thud_error fill_unit(thud_tree *tree, const thud_node *units, const char *name) {
  return thud_resolve_text(tree, units, name, "");
}

thud_error thud_resolve_units(thud_tree *tree, const thud_node *coordinates) {
  const thud_node *units;
  thud_error error = thud_resolve_map(tree, thud_tree_root(tree), "units", &units);
  if (error == THUD_OK) error = thud_resolve_names(tree, coordinates, units, fill_unit);
  return error == THUD_OK ? thud_resolve_text(tree, units, "t", "s") : error;
}

bool thud_resolve_velocity_name(const char *coordinate, char name[THUD_TREE_MAX_KEY + 1]) {
  int length = snprintf(name, THUD_TREE_MAX_KEY + 1, "%s'", coordinate);
  return length > 0 && length <= THUD_TREE_MAX_KEY;
}

static thud_error fill_velocity(thud_tree *tree, const thud_node *initial, const char *coordinate) {
  char name[THUD_TREE_MAX_KEY + 1];
  return thud_resolve_velocity_name(coordinate, name) ? thud_resolve_number(tree, initial, name, 0) : THUD_OK;
}

thud_error thud_resolve_velocities(thud_tree *tree, const thud_node *coordinates) {
  return thud_resolve_names(tree, coordinates, thud_resolve_find(thud_tree_root(tree), "initial"), fill_velocity);
}

/* ---- the common part -------------------------------------------------------------------------------------------- */

/* The value of data at a break is the right limit. */
static thud_error resolve_data(thud_tree *tree, const thud_node *data) {
  thud_error error = THUD_OK;
  bool map = data != NULL && thud_node_get_kind(data) == THUD_NODE_MAP;
  for (size_t k = 0; map && k < thud_node_count(data) && error == THUD_OK; k++)
    error = thud_resolve_text(tree, thud_node_item(data, k), "at_breaks", "right");
  return error;
}

/* Every step is recorded, unless a time between the frames is given. */
static thud_error resolve_record(thud_tree *tree) {
  const thud_node *record;
  thud_error error = thud_resolve_map(tree, thud_tree_root(tree), "record", &record);
  if (error == THUD_OK)
    error = thud_resolve_flag(tree, record, "every_step", thud_resolve_find(record, "every") == NULL);
  return error == THUD_OK ? thud_resolve_null(tree, record, "checkpoint_every") : error;
}

thud_error thud_scene_resolve_common(thud_tree *tree, bool units) {
  const thud_node *root = thud_tree_root(tree);
  thud_error error = thud_resolve_text(tree, root, "title", "");
  if (error == THUD_OK) error = resolve_data(tree, thud_node_find(root, "data"));
  if (error == THUD_OK)
    error =
        thud_resolve_option(tree, thud_node_find(root, "simulate"), "start", thud_scene_times_option_table(), "start");
  if (error == THUD_OK) error = resolve_record(tree);
  return error == THUD_OK && units ? thud_resolve_units(tree, NULL) : error;
}
