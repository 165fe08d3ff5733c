/* FCLIB files byte by byte. Most inputs end inside the HDF5 library; fuzz_fclib.c goes deeper into thud's own code. */
#include "fuzz_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  thud_context *context = fuzz_context(1000000 + 4000 * size);
  fuzz_file input = fuzz_file_make("input.h5", data, size);
  thud_problem_file *file = NULL;
  thud_error error = thud_fclib_read(context, input.path, THUD_PROBLEM_KIND_AUTO, &file);
  fuzz_use_result(context, error, file);
  fuzz_context_end(context);
  return 0;
}
