/* Native problems: the YAML text alone; there are no matrix files beside it. */
#include "fuzz_support.h"
#include "problem/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  thud_context *context = fuzz_context(4000000 + 4000 * size);
  thud_tree *tree = NULL;
  thud_problem_file *file = NULL;
  thud_error error = thud_tree_read_text(context, "input", (const char *)data, size, &tree);
  if (error == THUD_OK) {
    error = thud_native_read_tree(context, tree, "/nowhere/", THUD_PROBLEM_KIND_AUTO, &file);
    fuzz_use_result(context, error, file);
  }
  thud_tree_destroy(tree);
  fuzz_context_end(context);
  return 0;
}
