/* Files of problems in folders, and the names of what is written about them. */
#include "study/study_compare.h"

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file that may hold a problem, by its name; Matrix Market files belong to native ones. */
static bool looks_like_problem(const char *name) {
  static const char *const suffixes[] = {".dat", ".hdf5", ".h5", ".yaml", ".yml"};
  const char *dot = strrchr(name, '.');
  for (size_t k = 0; dot != NULL && k < sizeof suffixes / sizeof *suffixes; k++)
    if (strcmp(dot, suffixes[k]) == 0) return true;
  return false;
}

static thud_error add_path(compare_files *files, const char *folder, const char *name) {
  thud_context *context = files->context;
  thud_error error =
      thud_array_reserve(context, &files->paths, &files->capacity, files->count + 1, sizeof *files->paths);
  if (error != THUD_OK) return error;
  size_t length = strlen(folder), room;
  bool slash = length > 0 && folder[length - 1] != '/';
  if (!thud_size_add(length, strlen(name) + 2, &room)) return THUD_ERROR_OVERFLOW;
  char *path = thud_alloc(context, room, 1);
  if (path == NULL) return THUD_ERROR_MEMORY;
  snprintf(path, room, "%s%s%s", folder, slash ? "/" : "", name);
  files->paths[files->count++] = path;
  return THUD_OK;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

thud_error thud_compare_find_files(const char *path, compare_files *files) {
  struct stat found;
  size_t before = files->count;
  thud_error error = THUD_OK;
  if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode)) return add_path(files, "", path); /* the reader complains */
  DIR *folder = opendir(path);
  if (folder == NULL)
    return thud_fail(files->context, THUD_ERROR_FILE, "%s: the folder cannot be read (%s)", path, strerror(errno));
  for (struct dirent *entry; error == THUD_OK && (entry = readdir(folder)) != NULL;)
    if (looks_like_problem(entry->d_name)) error = add_path(files, path, entry->d_name);
  closedir(folder);
  if (error != THUD_OK) return error;
  if (files->count == before)
    return thud_fail(files->context, THUD_ERROR_NOT_FOUND,
                     "[bad-study] %s: the folder has no file that ends in .dat, .h5, .hdf5, .yaml or .yml", path);
  qsort(files->paths + before, files->count - before, sizeof *files->paths, by_name);
  return THUD_OK;
}

void thud_compare_files_free(compare_files *files) {
  for (size_t k = 0; k < files->count; k++) thud_free(files->context, files->paths[k]);
  thud_free(files->context, files->paths);
  *files = (compare_files){.context = files->context};
}

const char *thud_compare_tolerance_text(double tolerance, char text[COMPARE_NUMBER]) {
  char mantissa[COMPARE_NUMBER];
  int power = (int)floor(log10(tolerance) + 1e-9); /* of 1e-4, whose logarithm is rounded, -4 */
  thud_compare_number_text(tolerance / pow(10, power), 6, mantissa);
  snprintf(text, COMPARE_NUMBER, "%.20se%d", mantissa, power);
  return text;
}

char *thud_compare_path(const thud_compare *compare, const char *folder, const char *stem, const char *suffix) {
  char tolerance[COMPARE_NUMBER];
  size_t room = strlen(folder) + strlen(stem) + strlen(suffix) + sizeof tolerance + 3;
  char *path = thud_alloc(compare->context, room, 1);
  thud_compare_tolerance_text(compare->options.tolerance, tolerance);
  if (path != NULL) snprintf(path, room, "%s/%s-%s%s", folder, stem, tolerance, suffix);
  return path;
}
