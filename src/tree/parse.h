/* Inside of the scene tree; included by scene/parse*.c only. */
#ifndef THUD_SRC_SCENE_PARSE_H
#define THUD_SRC_SCENE_PARSE_H

#include "base/base.h"
#include "base/names.h"
#include "thud/tree.h"

/* All nodes, items and texts live in the tree's arena; a node never moves. */
struct thud_node {
  thud_tree *tree;
  const thud_node *parent; /* NULL for the root */
  const char *key;         /* in a map; NULL otherwise */
  size_t index;            /* position in the parent */
  thud_node_kind kind;
  bool added; /* by thud_tree_add, not by the text */
  bool boolean;
  double number;
  const char *text;  /* STRING: UTF-8 without NUL */
  size_t count;      /* SEQUENCE, MAP */
  thud_node **items; /* [capacity], the first `count` are there */
  size_t capacity;
  thud_names *keys;   /* MAP of many: position of each key; NULL: few enough to look through */
  const char *origin; /* the tree's name, or "--set path" */
  int line, column;   /* of the value; from 1; 0, 0 on the command line */
  int key_line, key_column;
  int text_column; /* STRING that is verbatim on one line: column of its first character; otherwise 0 */
};

struct thud_tree {
  thud_context *context;
  thud_arena *arena;
  const char *name, *source;
  const char *changes; /* by thud_tree_set, as lines "# --set KEY=VALUE"; NULL: none */
  size_t source_length;
  thud_node *root;
  size_t node_count;
  size_t copies_left; /* nodes that aliases may still add */
};

/* A zeroed node with tree, parent, key, index and origin set. NULL when memory or the limit of nodes is exhausted
 * (message set, error in *error). */
thud_node *thud_node_new(thud_tree *tree, const thud_node *parent, const char *key, size_t index, const char *origin,
                         thud_error *error);
/* Copy of the text in the tree's arena; NULL on failure. */
char *thud_tree_keep_text(thud_tree *tree, const char *text, size_t length);
/* A tree with an empty root. */
thud_error thud_tree_create(thud_context *context, const char *name, const char *text, size_t length, thud_tree **tree);
/* Adds the item, whose index is the container's count, at the end. */
thud_error thud_node_append(thud_node *container, thud_node *item);
/* Indexes the keys of a map that has just been filled. */
thud_error thud_node_index_keys(thud_node *map);
/* Refuses collections that are nested too deeply. */
thud_error thud_node_check_depth(const thud_node *node, int depth);
/* Fills the fresh node `copy`, which is `depth` deep, with what `from` (of any tree) holds; the places stay those
 * of `from`. At most *budget nodes are copied (NULL: any number). */
thud_error thud_node_copy(const thud_node *from, int depth, size_t *budget, thud_node *copy);

/* Reads one YAML document into the fresh node. Places count from the text's beginning; on_command_line: nodes get no
 * line and column. */
thud_error thud_tree_parse_document(thud_tree *tree, const char *text, size_t length, bool on_command_line,
                                    thud_node *node);
/* Decides the type of a plain (unquoted) scalar after the YAML 1.2 core schema and fills the node's kind and value;
 * text is kept by the tree already. NaN and infinities are refused. */
thud_error thud_node_resolve_plain(thud_node *node, const char *text);
/* Refuses what is not plain UTF-8 text, with the place. */
thud_error thud_tree_check_text(thud_context *context, const char *name, const char *text, size_t length);
/* With the message and the code that a call of another context has left. */
thud_error thud_node_fail_as(const thud_node *node, thud_error error, const thud_context *other);
/* "FILE:LINE:COLUMN: what": for trouble that has no node. line 0: "ORIGIN: what". */
thud_error thud_tree_fail_at(thud_context *context, thud_error error, const char *origin, size_t line, size_t column,
                             const char *format, ...) THUD_PRINTF(6, 7);
/* " (did you mean 'x'?)" or "" for a word among the candidates; count as in thud_suggest. */
void thud_tree_hint(const char *word, const char *const *candidates, size_t count, char *buffer, size_t capacity);
/* The same among the keys of a map. */
void thud_node_hint_key(const thud_node *map, const char *word, char *buffer, size_t capacity);

#endif
