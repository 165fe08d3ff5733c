/* Trajectories from elsewhere, checked against a scene; the first byte chooses scene and format. */
#include "fuzz_support.h"

#include "thud/verify.h"

static const char *const names[] = {"input.csv", "input.yaml"};
static const size_t scenes[] = {0, 2, 3, 5}; /* samples: sweeping, two systems, quasi-static */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || size > 4000) return 0;
  fuzz_file file = fuzz_file_make(names[data[0] % 2], data + 1, size - 1);
  thud_context *context = fuzz_small_context(16000000);
  thud_tree *tree = fuzz_sample_tree(context, scenes[data[0] / 2 % 4], false);
  thud_verify_options options = thud_verify_options_default();
  thud_verify_result result;
  char *text = NULL;
  options.trajectory_samples = 4;
  thud_error error = thud_verify_trajectory(context, tree, file.path, &options, &result);
  fuzz_check_error(context, error);
  if (error == THUD_OK && thud_verify_write_json(context, "input", &result, &text) == THUD_OK)
    thud_verify_free_text(context, text);
  thud_tree_destroy(tree);
  fuzz_context_end(context);
  return 0;
}
