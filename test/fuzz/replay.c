/* Runs a fuzz target over files and folders: kept findings and seeds as a plain test, with any compiler. */
#include "fuzz_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static size_t replayed;

static void replay_file(const char *path, size_t size) {
  FILE *stream = fopen(path, "rb");
  uint8_t *data = malloc(size + 1);
  fuzz_demand(stream != NULL && data != NULL && fread(data, 1, size, stream) == size, "an input can be read");
  fclose(stream);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  replayed++;
}

static void replay(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return;
  if (!S_ISDIR(status.st_mode)) {
    replay_file(path, (size_t)status.st_size);
    return;
  }
  DIR *folder = opendir(path);
  fuzz_demand(folder != NULL, "a folder can be read");
  for (struct dirent *item = readdir(folder); item != NULL; item = readdir(folder)) {
    char inside[1024];
    if (item->d_name[0] == '.') continue;
    fuzz_demand(snprintf(inside, sizeof inside, "%s/%s", path, item->d_name) < (int)sizeof inside, "names are short");
    replay(inside);
  }
  closedir(folder);
}

int main(int argc, char **argv) {
  LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
  for (int k = 1; k < argc; k++) replay(argv[k]);
  printf("%zu inputs replayed\n", replayed);
  return 0;
}
