/* Parts of scene trees within other JSON. */
#ifndef THUD_SRC_TREE_TREE_JSON_H
#define THUD_SRC_TREE_TREE_JSON_H

#include "base/json.h"
#include "thud/tree.h"

/* Writes the node with all it holds as one value. */
void thud_node_write_json(thud_json *json, const thud_node *node);

#endif
