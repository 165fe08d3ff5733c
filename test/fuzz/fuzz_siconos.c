/* Siconos' text; the first byte chooses the expected kind. */
#include "fuzz_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  thud_problem_kind kind = (thud_problem_kind)(data[0] % 6);
  thud_context *context = fuzz_context(100000 + 200 * size);
  thud_problem_file *file = NULL;
  thud_error error = thud_siconos_read_text(context, "input", (const char *)data + 1, size - 1, kind, &file);
  fuzz_use_result(context, error, file);
  fuzz_context_end(context);
  return 0;
}
