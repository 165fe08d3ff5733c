/* What the fuzz targets share. A target defines LLVMFuzzerTestOneInput; built with THUD_FUZZ it is driven by libFuzzer,
 * otherwise by replay.c over files. */
#ifndef THUD_TEST_FUZZ_SUPPORT_H
#define THUD_TEST_FUZZ_SUPPORT_H

#include "problem/file.h"
#include "thud/run.h"

#include <hdf5.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- memory and promises (fuzz_support.c) ---- */

/* A context whose allocator ends the program when more than `limit` bytes are alive: readers must not ask for more
 * memory than the input can call for. */
thud_context *fuzz_context(size_t limit);
/* A context that is out of memory when more than `limit` bytes are alive: for inputs that may call for any amount, and
 * whose work grows with it. */
thud_context *fuzz_small_context(size_t limit);
/* Ends the program when something is left. */
void fuzz_context_end(thud_context *context);
/* Ends the program with a message when the condition does not hold. */
void fuzz_demand(bool good, const char *what);
/* Ends the program when a failure has no message, or calls bad input an internal error. */
void fuzz_check_error(const thud_context *context, thud_error error);
/* Ends the program when HDF5 objects are open. */
void fuzz_check_h5(void);

/* ---- the input as a list of choices (fuzz_support.c) ---- */

typedef struct fuzz_input {
  const uint8_t *data;
  size_t size, at;
} fuzz_input;

/* 0 behind the end. */
unsigned fuzz_byte(fuzz_input *input);
unsigned fuzz_word(fuzz_input *input); /* two bytes */
/* The usual number mostly, now and then one that nobody expects. */
int fuzz_number(fuzz_input *input, int usual);

/* ---- files (fuzz_support.c) ---- */

enum { FUZZ_PATH = 96 };

/* The path of a file in a folder of the process (in memory, /dev/shm, where there is such a folder). */
void fuzz_path(const char *name, char path[FUZZ_PATH]);
void fuzz_write(const char *path, const void *data, size_t size);
/* A file with that content in the folder, which the next call for the same name replaces. */
typedef struct fuzz_file {
  char path[FUZZ_PATH];
} fuzz_file;
fuzz_file fuzz_file_make(const char *name, const void *data, size_t size);

/* Looks at everything that a reader handed over, and destroys it. On failure there must be a message and no file. */
void fuzz_use_result(thud_context *context, thud_error error, thud_problem_file *file);

/* ---- scenes (fuzz_scenes.c) ---- */

/* Caps the whole numbers that steps, meshes and iterations grow with, so that an execution stays short. */
thud_error fuzz_bound_scene(thud_tree *tree);
/* Builds the scene, checks it and makes at most `steps` steps without a record. */
void fuzz_try_scene(thud_context *context, const thud_tree *tree, int steps);
/* The same of a scene that names a file beside it. */
void fuzz_try_beside(const char *scene, const char *name, const void *data, size_t size);

/* Small scenes of every kind, from the examples. */
enum { FUZZ_SAMPLES = 16 };
thud_tree *fuzz_sample_tree(thud_context *context, size_t sample, bool checkpoints);
/* The record of a sample, run to its end or stopped behind a checkpoint (ten times as large, because chunks that were flushed while
 * they grew are not compressed); made at the first call, never freed. */
typedef struct fuzz_record {
  uint8_t *bytes;
  size_t size;
} fuzz_record;
const fuzz_record *fuzz_sample_record(size_t sample, bool stopped);

/* ---- records (fuzz_readers.c) ---- */

/* One reader, which the choice names: verify, page, pictures, a run that is resumed, what `thud info` shows, CSV, VTK. */
void fuzz_read_record(const char *path, unsigned choice);
/* Is it a run that is resumed? */
bool fuzz_resumes(unsigned choice);

/* ---- HDF5 in memory (fuzz_h5.c) ---- */

/* An empty file in memory. */
hid_t fuzz_h5_create(void);
/* Closes it; its bytes are freed with free(). */
uint8_t *fuzz_h5_close(hid_t file, size_t *size);
/* Types that nobody expects for some choices (250 to 255), otherwise the usual one. */
hid_t fuzz_h5_type(unsigned choice, hid_t usual);
/* A dataset of `usual` elements (at most 64) filled from values (int or double), with whatever the input wants wrong: left out,
 * a group or a link instead, another type or length, other values, compressed, never written. */
void fuzz_h5_put(fuzz_input *input, hid_t group, const char *name, bool integers, int usual, const void *values);

#endif
