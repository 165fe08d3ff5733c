#include "fuzz_support.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { size_t alive, limit; } memory;

static void *count_bytes(void *user, void *pointer, size_t old_size, size_t new_size) {
  (void)user;
  memory.alive = memory.alive - old_size + new_size;
  if (memory.alive > memory.limit) {
    fprintf(stderr, "over-allocation: %zu bytes alive, %zu allowed\n", memory.alive, memory.limit);
    abort();
  }
  if (new_size > 0) return realloc(pointer, new_size);
  free(pointer);
  return NULL;
}

void fuzz_demand(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

thud_context *fuzz_context(size_t limit) {
  thud_context_options options = thud_context_options_default();
  thud_context *context = NULL;
  memory.alive = 0;
  memory.limit = limit;
  options.allocator = count_bytes;
  fuzz_demand(thud_context_create(&options, &context) == THUD_OK, "a context can be made");
  return context;
}

void fuzz_context_end(thud_context *context) {
  fuzz_demand(thud_context_live_blocks(context) == 0, "nothing is left when the reader is done");
  thud_context_destroy(context);
  fuzz_demand(memory.alive == 0, "nothing is left");
}

fuzz_file fuzz_file_make(const uint8_t *data, size_t size) {
  /* A name that leads to the file: HDF5 asks for the real path, which files of memfd_create do not have. */
  fuzz_file file = {.path = "/dev/shm/thud-fuzz-XXXXXX"};
  int descriptor = mkstemp(file.path);
  if (descriptor < 0) { /* a chroot without /dev/shm */
    file = (fuzz_file){.path = "/tmp/thud-fuzz-XXXXXX"};
    descriptor = mkstemp(file.path);
  }
  fuzz_demand(descriptor >= 0, "a file can be made in /dev/shm or /tmp");
  for (size_t done = 0; done < size;) {
    ssize_t wrote = write(descriptor, data + done, size - done);
    fuzz_demand(wrote > 0, "the file can be written");
    done += (size_t)wrote;
  }
  close(descriptor);
  return file;
}

void fuzz_file_remove(fuzz_file *file) { unlink(file->path); }

static volatile double sink;

static void look(const double *values, size_t count) {
  double sum = 0;
  for (size_t k = 0; values != NULL && k < count; k++) sum += values[k];
  sink = sum;
}

static void look_at_answer(const thud_contact_problem *problem, const thud_problem_solution *solution) {
  look(solution->u, thud_contact_size(problem));
  look(solution->r, thud_contact_size(problem));
  look(solution->v, thud_contact_ndof(problem));
  look(solution->l, (size_t)problem->bilateral);
}

static void check_ids(void) {
  fuzz_demand(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "every HDF5 object is closed again");
}

void fuzz_use_result(thud_context *context, thud_error error, thud_problem_file *file) {
  check_ids();
  if (error != THUD_OK) {
    fuzz_demand(file == NULL, "no file is handed over on failure");
    fuzz_demand(thud_context_last_message(context)[0] != '\0', "a failure has a message");
    fuzz_demand(error != THUD_ERROR_INTERNAL, "bad input is not an internal error");
    return;
  }
  thud_problem_contents contents = thud_problem_file_contents(file);
  look_at_answer(contents.problem, &contents.solution);
  for (size_t k = 0; k < contents.guess_count; k++) look_at_answer(contents.problem, &contents.guesses[k]);
  fuzz_demand(thud_problem_file_decision(file)[0] != '\0', "what was decided is said");
  sink = contents.title != NULL ? (double)strlen(contents.title) : 0;
  /* Walks through every matrix and vector; what it finds is the validation's business. */
  thud_contact_validate(context, contents.problem, NULL);
  thud_problem_file_destroy(file);
}
