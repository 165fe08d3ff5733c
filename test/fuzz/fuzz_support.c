#include "fuzz_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What these libraries keep until the process ends, or lose over damaged files. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\nleak:libhdf5"; }

static struct {
  size_t alive, limit;
  bool refuses;
} memory;

static void *count_bytes(void *user, void *pointer, size_t old_size, size_t new_size) {
  (void)user;
  size_t alive = memory.alive - old_size + new_size;
  if (new_size > old_size && alive > memory.limit) {
    if (memory.refuses) return NULL;
    fprintf(stderr, "over-allocation: %zu bytes alive, %zu allowed\n", alive, memory.limit);
    abort();
  }
  memory.alive = alive;
  if (new_size > 0) return realloc(pointer, new_size);
  free(pointer);
  return NULL;
}

void fuzz_demand(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

static thud_context *make_context(size_t limit, bool refuses) {
  thud_context_options options = thud_context_options_default();
  thud_context *context = NULL;
  memory.alive = 0;
  memory.limit = limit;
  memory.refuses = refuses;
  options.allocator = count_bytes;
  fuzz_demand(thud_context_create(&options, &context) == THUD_OK, "a context can be made");
  return context;
}

thud_context *fuzz_context(size_t limit) { return make_context(limit, false); }
thud_context *fuzz_small_context(size_t limit) { return make_context(limit, true); }

void fuzz_context_end(thud_context *context) {
  fuzz_demand(thud_context_live_blocks(context) == 0, "nothing is left when the reader is done");
  thud_context_destroy(context);
  fuzz_demand(memory.alive == 0, "nothing is left");
}

void fuzz_check_error(const thud_context *context, thud_error error) {
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return;
  fuzz_demand(thud_context_last_message(context)[0] != '\0', "a failure has a message");
  fuzz_demand(error != THUD_ERROR_INTERNAL, "bad input is not an internal error");
}

void fuzz_check_h5(void) {
  fuzz_demand(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "every HDF5 object is closed again");
}

unsigned fuzz_byte(fuzz_input *input) { return input->at < input->size ? input->data[input->at++] : 0; }

unsigned fuzz_word(fuzz_input *input) {
  unsigned low = fuzz_byte(input);
  return low | fuzz_byte(input) << 8;
}

int fuzz_number(fuzz_input *input, int usual) {
  static const int wild[] = {-1, -2, -3, 0, 1, 0x7fffffff, -0x7fffffff - 1, 1000000, 65536, 255};
  unsigned byte = fuzz_byte(input);
  if (byte < 200) return usual;
  if (byte < 240) return (int)fuzz_byte(input) - 4;
  return wild[byte % (sizeof wild / sizeof *wild)];
}

static char folder[FUZZ_PATH - 40];

static void remove_folder(void) {
  DIR *open = opendir(folder);
  for (struct dirent *item; open != NULL && (item = readdir(open)) != NULL;) {
    char path[FUZZ_PATH + 256];
    snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    if (item->d_name[0] != '.') unlink(path);
  }
  if (open != NULL) closedir(open);
  rmdir(folder);
}

/* A name that leads to the file: HDF5 asks for the real path, which files of memfd_create do not have. */
void fuzz_path(const char *name, char path[FUZZ_PATH]) {
  const char *base = getenv("THUD_FUZZ_FOLDER");
  if (folder[0] == '\0') {
    snprintf(folder, sizeof folder, "%s/thud-fuzz-XXXXXX", base != NULL ? base : "/dev/shm");
    if (mkdtemp(folder) == NULL) { /* a chroot without /dev/shm */
      snprintf(folder, sizeof folder, "/tmp/thud-fuzz-XXXXXX");
      fuzz_demand(mkdtemp(folder) != NULL, "a folder can be made in /dev/shm or /tmp");
    }
    atexit(remove_folder);
  }
  fuzz_demand(snprintf(path, FUZZ_PATH, "%s/%s", folder, name) < FUZZ_PATH, "names are short");
}

void fuzz_write(const char *path, const void *data, size_t size) {
  FILE *stream = fopen(path, "wb");
  fuzz_demand(stream != NULL && fwrite(data, 1, size, stream) == size, "a file can be written");
  fuzz_demand(fclose(stream) == 0, "a file can be closed");
}

fuzz_file fuzz_file_make(const char *name, const void *data, size_t size) {
  fuzz_file file;
  fuzz_path(name, file.path);
  fuzz_write(file.path, data, size);
  return file;
}

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

void fuzz_use_result(thud_context *context, thud_error error, thud_problem_file *file) {
  fuzz_check_h5();
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
