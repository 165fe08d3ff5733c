/* Copies of trees and of values that aliases repeat, and values added to a tree by the program. */
#include "base/base.h"
#include "tree/parse.h"

#include <string.h>

thud_error thud_node_check_depth(const thud_node *node, int depth) {
  if (depth <= THUD_TREE_MAX_DEPTH) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_OVERFLOW,
                        "[yaml] more than %d collections inside each other; flatten the file",
                        (int)THUD_TREE_MAX_DEPTH);
}

/* The text as the copy's tree keeps it; NULL stays NULL. */
static thud_error keep(thud_tree *tree, const thud_node *from, const char *text, const char **kept) {
  *kept = text;
  if (from->tree == tree || text == NULL) return THUD_OK;
  *kept = text == from->tree->name ? tree->name : thud_tree_keep_text(tree, text, strlen(text));
  return *kept != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error copy_item(const thud_node *from, size_t k, int depth, size_t *budget, thud_node *copy) {
  const thud_node *item = from->items[k];
  const char *key, *origin;
  thud_error error = keep(copy->tree, from, item->key, &key);
  if (error == THUD_OK) error = keep(copy->tree, from, item->origin, &origin);
  if (error != THUD_OK) return error;
  copy->items[k] = thud_node_new(copy->tree, copy, key, k, origin, &error);
  if (error != THUD_OK) return error;
  copy->items[k]->key_line = item->key_line;
  copy->items[k]->key_column = item->key_column;
  return thud_node_copy(item, depth + 1, budget, copy->items[k]);
}

thud_error thud_node_copy(const thud_node *from, int depth, size_t *budget, thud_node *copy) {
  thud_error error = from->kind >= THUD_NODE_SEQUENCE ? thud_node_check_depth(copy, depth) : THUD_OK;
  if (error != THUD_OK) return error;
  if (budget != NULL && *budget == 0)
    return thud_node_fail(copy, THUD_ERROR_OVERFLOW,
                          "[yaml] aliases (*name) repeat more than %d values; write less of them",
                          (int)THUD_TREE_MAX_COPIES);
  if (budget != NULL) --*budget;
  copy->kind = from->kind;
  copy->added = from->added;
  copy->boolean = from->boolean;
  copy->number = from->number;
  copy->text_column = from->text_column;
  copy->line = from->line;
  copy->column = from->column;
  error = keep(copy->tree, from, from->text, &copy->text);
  if (error != THUD_OK || from->kind < THUD_NODE_SEQUENCE) return error;
  copy->items = thud_arena_alloc(copy->tree->arena, from->count, sizeof(thud_node *));
  if (copy->items == NULL) return THUD_ERROR_MEMORY;
  copy->capacity = from->count;
  for (size_t k = 0; error == THUD_OK && k < from->count; k++) error = copy_item(from, k, depth, budget, copy);
  if (error != THUD_OK) return error;
  copy->count = from->count;
  return thud_node_index_keys(copy);
}

thud_error thud_tree_copy(thud_context *context, const thud_tree *tree, thud_tree **copy) {
  THUD_REQUIRE(context, context, tree, copy);
  thud_tree *made = NULL;
  if (tree == NULL || copy == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "no tree to be copied was given");
  thud_error error = thud_tree_create(context, tree->name, tree->source, tree->source_length, &made);
  if (error == THUD_OK) error = thud_node_copy(tree->root, 0, NULL, made->root);
  if (error == THUD_OK && tree->changes != NULL) {
    made->changes = thud_tree_keep_text(made, tree->changes, strlen(tree->changes));
    if (made->changes == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK)
    *copy = made;
  else
    thud_tree_destroy(made);
  return error;
}

/* ---- adding ---------------------------------------------------------------------------------------------------- */

/* The node of a tree that may be changed; as deep as the tree, which is bounded. */
static thud_node *own_node(thud_tree *tree, const thud_node *node) {
  return node->parent == NULL ? tree->root : own_node(tree, node->parent)->items[node->index];
}

thud_error thud_node_index_keys(thud_node *map) {
  enum { FEW = 16 }; /* up to here looking through them is as fast */
  if (map->kind != THUD_NODE_MAP || map->count <= FEW) return THUD_OK;
  thud_names *keys = thud_arena_alloc(map->tree->arena, 1, sizeof *keys);
  if (keys == NULL) return THUD_ERROR_MEMORY;
  *keys = thud_names_new(map->tree->context, map->tree->arena);
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && k < map->count; k++)
    error = thud_names_add(keys, map->items[k]->key, strlen(map->items[k]->key), k, NULL);
  if (error == THUD_OK) map->keys = keys;
  return error;
}

thud_error thud_node_append(thud_node *container, thud_node *item) {
  if (container->count == container->capacity) {
    size_t capacity = 2 * container->capacity + 4; /* far from overflow: the number of nodes is bounded */
    thud_node **items = thud_arena_alloc(container->tree->arena, capacity, sizeof(thud_node *));
    if (items == NULL) return THUD_ERROR_MEMORY;
    if (container->count > 0) memcpy(items, container->items, container->count * sizeof(thud_node *));
    container->items = items;
    container->capacity = capacity;
  }
  container->items[container->count++] = item;
  if (container->keys != NULL) return thud_names_add(container->keys, item->key, strlen(item->key), item->index, NULL);
  return thud_node_index_keys(container);
}

thud_error thud_tree_add(thud_tree *tree, const thud_node *map, const char *key, const thud_tree_value *value,
                         const thud_node **added) {
  THUD_REQUIRE_OF(tree, map, key, value);
  if (tree == NULL || map == NULL || map->tree != tree || map->kind != THUD_NODE_MAP || key == NULL || value == NULL ||
      (value->kind == THUD_NODE_STRING && value->text == NULL) || thud_node_find(map, key) != NULL)
    return thud_fail(tree != NULL ? tree->context : NULL, THUD_ERROR_ARGUMENT,
                     "a value is added to a map of the tree under a key that the map does not have");
  thud_node *container = own_node(tree, map);
  const char *kept = thud_tree_keep_text(tree, key, strlen(key));
  if (kept == NULL) return THUD_ERROR_MEMORY;
  thud_error error;
  thud_node *node = thud_node_new(tree, container, kept, container->count, container->origin, &error);
  if (node == NULL) return error;
  node->line = node->key_line = container->line;
  node->column = node->key_column = container->column;
  node->kind = value->kind;
  node->added = true;
  node->boolean = value->boolean;
  node->number = value->number;
  if (value->kind == THUD_NODE_STRING) node->text = thud_tree_keep_text(tree, value->text, strlen(value->text));
  if (value->kind == THUD_NODE_STRING && node->text == NULL) return THUD_ERROR_MEMORY;
  error = thud_node_append(container, node);
  if (error == THUD_OK && added != NULL) *added = node;
  return error;
}
