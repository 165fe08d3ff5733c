/* What the fuzz targets share. A target defines LLVMFuzzerTestOneInput; built with THUD_FUZZ it is driven by libFuzzer,
 * otherwise by replay.c over files. */
#ifndef THUD_TEST_FUZZ_SUPPORT_H
#define THUD_TEST_FUZZ_SUPPORT_H

#include "problem/file.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A context whose allocator ends the program when more than `limit` bytes are alive: readers must not ask for more
 * memory than the input can call for. */
thud_context *fuzz_context(size_t limit);
/* Ends the program when something is left. */
void fuzz_context_end(thud_context *context);
/* Ends the program with a message when the condition does not hold. */
void fuzz_demand(bool good, const char *what);

/* A file (in memory, /dev/shm, where there is such a folder) with that content. */
typedef struct fuzz_file {
  char path[64];
} fuzz_file;
fuzz_file fuzz_file_make(const uint8_t *data, size_t size);
void fuzz_file_remove(fuzz_file *file);

/* Looks at everything that a reader handed over, and destroys it. On failure there must be a message and no file. */
void fuzz_use_result(thud_context *context, thud_error error, thud_problem_file *file);

#endif
