/* thud/tree.h: trees of scene files. A file (YAML 1.2 core types; JSON is accepted too) is read into a tree of nodes
 * that know their place; what the keys mean is the business of thud/scene.h. */
#ifndef THUD_TREE_H
#define THUD_TREE_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_node_kind {
  THUD_NODE_NULL = 0,
  THUD_NODE_BOOL = 1,   /* true and false only */
  THUD_NODE_NUMBER = 2, /* finite; .nan and .inf are refused on reading */
  THUD_NODE_STRING = 3,
  THUD_NODE_SEQUENCE = 4,
  THUD_NODE_MAP = 5 /* keys are strings, in the order of the file, without repeats */
} thud_node_kind;

enum {
  THUD_TREE_MAX_BYTES = 64 * 1024 * 1024, /* of a file */
  THUD_TREE_MAX_KEY = 128,                /* bytes of a key */
  THUD_TREE_MAX_DEPTH = 60,               /* collections inside each other */
  THUD_TREE_MAX_NODES = 4000000,
  THUD_TREE_MAX_ANCHORS = 1000,
  THUD_TREE_MAX_COPIES = 100000 /* nodes that aliases (*name) add */
};

typedef struct thud_tree thud_tree; /* owns its nodes and their texts */
typedef struct thud_node thud_node;

/* Errors read "FILE:LINE:COLUMN: /json/pointer: what is wrong; how to fix it". */
THUD_API thud_error thud_tree_read_file(thud_context *context, const char *path, thud_tree **tree);
/* name stands for the file in messages. */
THUD_API thud_error thud_tree_read_text(thud_context *context, const char *name, const char *text, size_t length,
                                        thud_tree **tree);
THUD_API void thud_tree_destroy(thud_tree *tree);
THUD_API const thud_node *thud_tree_root(const thud_tree *tree);
/* The file's path or the name given with the text, as used in messages. */
THUD_API const char *thud_tree_name(const thud_tree *tree);
/* The text that was read, byte for byte (thud_tree_set does not change it); *length may be NULL. */
THUD_API const char *thud_tree_source(const thud_tree *tree, size_t *length);
/* Changes or adds one value: a dotted path (numbers index sequences) and a YAML flow value ("0.5", "[1, 2]"). A bare
 * name means an existing entry of `parameters`. Only the last key of a dotted path may be new. Nodes that are replaced
 * stay valid until the tree is destroyed. */
THUD_API thud_error thud_tree_set(thud_tree *tree, const char *path, const char *value);
/* Puts a YAML flow value under a key of the root, which must be a map, in place of what is there. */
THUD_API thud_error thud_tree_put(thud_tree *tree, const char *key, const char *value);
/* A tree of its own with the same values at the same places. */
THUD_API thud_error thud_tree_copy(thud_context *context, const thud_tree *tree, thud_tree **copy);

/* A value that the program adds; MAP and SEQUENCE: an empty one. */
typedef struct thud_tree_value {
  thud_node_kind kind;
  bool boolean;     /* BOOL */
  double number;    /* NUMBER, finite */
  const char *text; /* STRING */
} thud_tree_value;

/* Adds a value to a map of the tree under a key that the map does not have; added may be NULL. Its place
 * is that of the map. */
THUD_API thud_error thud_tree_add(thud_tree *tree, const thud_node *map, const char *key, const thud_tree_value *value,
                                  const thud_node **added);
/* The effective tree as JSON text that reads back as the same tree; freed with thud_tree_free_text. */
THUD_API thud_error thud_tree_write_json(const thud_tree *tree, char **text);
THUD_API void thud_tree_free_text(const thud_tree *tree, char *text);

/* Kind of the node; THUD_NODE_NULL for NULL. */
THUD_API thud_node_kind thud_node_get_kind(const thud_node *node);
/* "a map", "the number 3", "the string 'abc'": for messages. */
THUD_API void thud_node_describe(const thud_node *node, char *buffer, size_t capacity);
THUD_API size_t thud_node_count(const thud_node *node);                          /* entries of a sequence or map */
THUD_API const thud_node *thud_node_item(const thud_node *node, size_t k);       /* k-th entry's value */
THUD_API const char *thud_node_key(const thud_node *node, size_t k);             /* k-th key of a map */
THUD_API const thud_node *thud_node_find(const thud_node *map, const char *key); /* NULL when absent */
THUD_API double thud_node_number(const thud_node *node);                         /* of a NUMBER */
THUD_API const char *thud_node_string(const thud_node *node);                    /* of a STRING */
THUD_API bool thud_node_bool(const thud_node *node);                             /* of a BOOL */
/* The value comes from thud_tree_add, as defaults do, and not from the text. */
THUD_API bool thud_node_is_added(const thud_node *node);
THUD_API int thud_node_line(const thud_node *node); /* from 1; 0 for values given on the command line */
THUD_API int thud_node_column(const thud_node *node);
/* JSON pointer ("/system/constraints/0/phi", "" for the root); cut with "..." when capacity bytes do not suffice. */
THUD_API void thud_node_path(const thud_node *node, char *buffer, size_t capacity);

/* Sets the message "FILE:LINE:COLUMN: /path: " + format and returns error. */
THUD_API thud_error thud_node_fail(const thud_node *node, thud_error error, const char *format, ...) THUD_PRINTF(3, 4);
/* The same, keeping the message that a failed inner call has left after the place. */
THUD_API thud_error thud_node_fail_within(const thud_node *node, thud_error error);
/* The same for trouble inside a string (an expression): LINE:COLUMN is the place of its byte number `byte` (from 1)
 * when the string is in the file as it is (one line, no escapes), else the string's beginning. */
THUD_API thud_error thud_node_fail_within_at(const thud_node *node, thud_index byte, thud_error error);

/* Checks with precise messages (THUD_ERROR_SCHEMA). */
THUD_API thud_error thud_node_expect(const thud_node *node, thud_node_kind kind);
/* node must be a map whose keys are all among allowed[count]; unknown keys get a "did you mean". */
THUD_API thud_error thud_node_check_keys(const thud_node *map, const char *const *allowed, size_t count);
THUD_API thud_error thud_node_require(const thud_node *map, const char *key, const thud_node **value);
/* The same; where the key is missing the message says what may stand there ("a number", "{disc: ...} or {file: ...}"). */
THUD_API thud_error thud_node_require_as(const thud_node *map, const char *key, const char *what,
                                         const thud_node **value);
/* A key whose value is one of the choices, which the message lists where the key is missing; NULL-terminated. */
THUD_API thud_error thud_node_require_choice(const thud_node *map, const char *key, const char *const *choices,
                                             int *index);
THUD_API thud_error thud_node_read_number(const thud_node *node, double *value);
THUD_API thud_error thud_node_read_string(const thud_node *node, const char **value);
THUD_API thud_error thud_node_read_bool(const thud_node *node, bool *value);
/* A whole number in minimum..maximum. */
THUD_API thud_error thud_node_read_integer(const thud_node *node, int64_t minimum, int64_t maximum, int64_t *value);
/* choices is NULL-terminated. */
THUD_API thud_error thud_node_read_choice(const thud_node *node, const char *const *choices, int *index);
/* A sequence of exactly `count` numbers. */
THUD_API thud_error thud_node_read_numbers(const thud_node *node, size_t count, double *values);
/* A matrix is a sequence of rows of equal length (at least 1 x 1), each a sequence. */
THUD_API thud_error thud_node_matrix_shape(const thud_node *node, size_t *rows, size_t *columns);
/* Numbers of a rows x columns matrix, row by row: values[i*columns + j]. */
THUD_API thud_error thud_node_read_matrix(const thud_node *node, size_t rows, size_t columns, double *values);

#ifdef __cplusplus
}
#endif
#endif
