/* Scenes: YAML or JSON to a tree, to a built motion, and a few steps. There are no files beside them. */
#include "fuzz_support.h"

#include <string.h>

enum { MAX_SIZE = 4000, STEPS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > MAX_SIZE) return 0;
  thud_context *context = fuzz_small_context(16000000);
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "/nowhere/input", (const char *)data, size, &tree);
  fuzz_check_error(context, error);
  if (error == THUD_OK && fuzz_bound_scene(tree) == THUD_OK) fuzz_try_scene(context, tree, STEPS);
  thud_tree_destroy(tree);
  fuzz_context_end(context);
  return 0;
}
