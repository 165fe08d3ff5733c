/* Series of states: a folder of .vtu files and the .pvd file that lists them with their times. */
#include "base/base.h"
#include "record/csv.h"
#include "record/vtk.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

struct thud_vtk_series {
  thud_context *context;
  char *path;   /* film.pvd */
  char *folder; /* film */
  char *file;   /* room for film/18446744073709551615.vtu */
  size_t file_size;
  bool overwrite;
  double *times;
  size_t count, capacity;
};

enum { FILE_NAME = 32 }; /* "/18446744073709551615.vtu" and more */
static const char ending[] = ".pvd";

static thud_error make_names(thud_vtk_series *series, const char *path) {
  size_t length = strlen(path), cut = sizeof ending - 1;
  if (length <= cut || strcmp(path + length - cut, ending) != 0 || path[length - cut - 1] == '/')
    return thud_fail(series->context, THUD_ERROR_ARGUMENT, "%s: the list of a series of VTK files is called NAME%s",
                     path, ending);
  series->path = thud_strdup(series->context, path);
  series->folder = thud_strdup(series->context, path);
  if (!thud_size_add(length, FILE_NAME, &series->file_size)) return THUD_ERROR_MEMORY;
  series->file = THUD_NEW_ARRAY(series->context, char, series->file_size);
  if (series->path == NULL || series->folder == NULL || series->file == NULL) return THUD_ERROR_MEMORY;
  series->folder[length - cut] = '\0';
  return THUD_OK;
}

/* The list is refused before hours of work, not after them. */
static thud_error look_at_files(const thud_vtk_series *series) {
  struct stat found;
  if (!series->overwrite && stat(series->path, &found) == 0)
    return thud_fail(series->context, THUD_ERROR_EXISTS, "%s exists already", series->path);
  if (mkdir(series->folder, 0777) == 0) return THUD_OK;
  int reason = errno;
  if (reason == EEXIST && stat(series->folder, &found) == 0 && S_ISDIR(found.st_mode)) return THUD_OK;
  return thud_fail(series->context, THUD_ERROR_FILE, "%s: no folder for the states (%s)", series->folder,
                   strerror(reason));
}

thud_error thud_vtk_series_create(thud_context *context, const char *path, bool overwrite, thud_vtk_series **series) {
  THUD_REQUIRE(context, context, path, series);
  thud_vtk_series *made = THUD_NEW(context, thud_vtk_series);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->overwrite = overwrite;
  thud_error error = make_names(made, path);
  if (error == THUD_OK) error = look_at_files(made);
  if (error == THUD_OK)
    *series = made;
  else
    thud_vtk_series_destroy(made);
  return error;
}

static thud_error keep_time(thud_vtk_series *series, double t) {
  if (!isfinite(t) || (series->count > 0 && !(t > series->times[series->count - 1])))
    return thud_fail(series->context, THUD_ERROR_ARGUMENT, "%s: the time %g does not follow those before", series->path,
                     t);
  if (series->count == series->capacity) {
    size_t room = series->capacity > 0 ? 2 * series->capacity : 16;
    double *times = THUD_NEW_ARRAY(series->context, double, room);
    if (times == NULL) return THUD_ERROR_MEMORY;
    if (series->count > 0) memcpy(times, series->times, series->count * sizeof *times);
    thud_free(series->context, series->times);
    series->times = times;
    series->capacity = room;
  }
  series->times[series->count] = t;
  return THUD_OK;
}

thud_error thud_vtk_series_add(thud_vtk_series *series, double t, const thud_vtk_state *state) {
  THUD_REQUIRE_OF(series, series->path, state);
  thud_error error = keep_time(series, t);
  if (error != THUD_OK) return error;
  snprintf(series->file, series->file_size, "%s/%zu.vtu", series->folder, series->count);
  error = thud_vtk_export(series->context, state, series->file, series->overwrite);
  if (error == THUD_OK) series->count++;
  return error;
}

static thud_error write_list(void *user, FILE *stream) {
  const thud_vtk_series *series = user;
  const char *slash = strrchr(series->folder, '/'), *folder = slash != NULL ? slash + 1 : series->folder;
  errno = 0;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n", stream);
  for (size_t k = 0; k < series->count; k++) {
    fputs("    <DataSet timestep=\"", stream);
    thud_csv_write_number(stream, series->times[k]);
    fputs("\" file=\"", stream);
    thud_vtk_write_text(stream, folder);
    fprintf(stream, "/%zu.vtu\"/>\n", k);
  }
  fputs("  </Collection>\n</VTKFile>\n", stream);
  return thud_csv_flush(series->context, stream);
}

thud_error thud_vtk_series_close(thud_vtk_series *series) {
  THUD_REQUIRE_OF(series, series->path);
  thud_error error = thud_csv_write_file(series->context, series->path, series->overwrite, write_list, series);
  thud_vtk_series_destroy(series);
  return error;
}

void thud_vtk_series_destroy(thud_vtk_series *series) {
  if (series == NULL) return;
  thud_context *context = series->context;
  thud_free(context, series->path);
  thud_free(context, series->folder);
  thud_free(context, series->file);
  thud_free(context, series->times);
  thud_free(context, series);
}
