/* Files beside a scene. */
#ifndef THUD_SRC_RUN_BESIDE_H
#define THUD_SRC_RUN_BESIDE_H

#include "thud/tree.h"

/* The whole content of the file that a node of the tree names, which stands beside the scene; freed with thud_free of this
 * context, which also has the message of a file that cannot be read. */
thud_error thud_run_read_beside(thud_tree *tree, const thud_node *named, thud_context *context, char **text,
                                size_t *length);

#endif
