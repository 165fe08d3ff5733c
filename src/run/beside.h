/* Files beside a scene. */
#ifndef THUD_SRC_RUN_BESIDE_H
#define THUD_SRC_RUN_BESIDE_H

#include "base/json.h"
#include "thud/tree.h"

/* The whole content of the file that a node of the tree names, which stands beside the scene; freed with thud_free of this
 * context, which also has the message of a file that cannot be read. */
thud_error thud_run_read_beside(thud_tree *tree, const thud_node *named, thud_context *context, char **text,
                                size_t *length);

/* The path of such a file. */
thud_error thud_run_name_beside(const thud_tree *tree, const thud_node *named, thud_text *path);

/* Converts a file's content. */
typedef thud_error (*thud_run_convert_fn)(thud_context *context, const thud_node *map, const char *name,
                                          const char *bytes, size_t size, thud_text *text);
/* Reads the `file` that the map names and puts what `convert` makes of it under the key, unless that is there. */
thud_error thud_run_take_file(thud_tree *tree, const thud_node *map, const char *key, thud_run_convert_fn convert);

#endif
