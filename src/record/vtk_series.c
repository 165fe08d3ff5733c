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
  bool overwrite;
  size_t part_count; /* of every time; 0: one without a name */
  char **parts;      /* [part_count] their names */
  double *times;
  size_t count, capacity;
};

enum { NUMBER_ROOM = 32 }; /* "/18446744073709551615-.vtu" and more */
static const char ending[] = ".pvd";

static thud_error make_names(thud_vtk_series *series, const char *path) {
  size_t length = strlen(path), cut = sizeof ending - 1;
  if (length <= cut || strcmp(path + length - cut, ending) != 0 || path[length - cut - 1] == '/')
    return thud_fail(series->context, THUD_ERROR_ARGUMENT,
                     "[file-ending] %s: the list of a series of VTK files is called NAME%s", path, ending);
  series->path = thud_strdup(series->context, path);
  series->folder = thud_strdup(series->context, path);
  if (series->path == NULL || series->folder == NULL) return THUD_ERROR_MEMORY;
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

/* ---- parts -------------------------------------------------------------------------------------------------------------- */

/* Names are parts of names of files. */
static bool is_part_name(const char *name) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return name != NULL && name[0] != '\0' && name[strspn(name, letters)] == '\0';
}

/* The parts of the first time are those of all. */
static thud_error keep_parts(thud_vtk_series *series, size_t count, const thud_vtk_part *parts) {
  for (size_t k = 0; k < count; k++)
    if (!is_part_name(parts[k].name))
      return thud_fail(series->context, THUD_ERROR_ARGUMENT, "%s: part %zu needs a name of letters, digits, - and _",
                       series->path, k);
  if (series->count == 0 && series->parts == NULL && count > 0) {
    series->parts = THUD_NEW_ARRAY(series->context, char *, count);
    if (series->parts == NULL) return THUD_ERROR_MEMORY;
    for (; series->part_count < count; series->part_count++) {
      series->parts[series->part_count] = thud_strdup(series->context, parts[series->part_count].name);
      if (series->parts[series->part_count] == NULL) return THUD_ERROR_MEMORY;
    }
  }
  bool same = series->part_count == count;
  for (size_t k = 0; same && k < count; k++) same = strcmp(series->parts[k], parts[k].name) == 0;
  if (same) return THUD_OK;
  return thud_fail(series->context, THUD_ERROR_ARGUMENT, "%s: the parts are not those of the times before",
                   series->path);
}

/* folder/12.vtu, folder/12-bodies.vtu. */
static thud_error write_state(const thud_vtk_series *series, const thud_vtk_part *part) {
  size_t size, named = part->name != NULL ? strlen(part->name) : 0;
  if (!thud_size_add(strlen(series->folder), NUMBER_ROOM + named, &size)) return THUD_ERROR_MEMORY;
  char *file = THUD_NEW_ARRAY(series->context, char, size);
  if (file == NULL) return THUD_ERROR_MEMORY;
  snprintf(file, size, "%s/%zu%s%s.vtu", series->folder, series->count, named > 0 ? "-" : "",
           named > 0 ? part->name : "");
  thud_error error = thud_vtk_export_part(series->context, part, file, series->overwrite);
  thud_free(series->context, file);
  return error;
}

thud_error thud_vtk_series_add(thud_vtk_series *series, double t, const thud_vtk_state *state) {
  THUD_REQUIRE_OF(series, series->path, state);
  thud_error error = keep_parts(series, 0, NULL);
  if (error == THUD_OK) error = keep_time(series, t);
  if (error == THUD_OK) error = write_state(series, &(thud_vtk_part){.state = *state});
  if (error == THUD_OK) series->count++;
  return error;
}

thud_error thud_vtk_series_add_parts(thud_vtk_series *series, double t, size_t count, const thud_vtk_part *parts) {
  THUD_REQUIRE_OF(series, series->path, parts);
  if (count == 0) return thud_fail(series->context, THUD_ERROR_ARGUMENT, "%s: parts are needed", series->path);
  thud_error error = keep_parts(series, count, parts);
  if (error == THUD_OK) error = keep_time(series, t);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = write_state(series, &parts[k]);
  if (error == THUD_OK) series->count++;
  return error;
}

/* ---- the list ------------------------------------------------------------------------------------------------------------ */

static void list_file(const thud_vtk_series *series, FILE *stream, const char *folder, size_t k, size_t part) {
  fputs("    <DataSet timestep=\"", stream);
  thud_csv_write_number(stream, series->times[k]);
  if (series->part_count > 0) fprintf(stream, "\" part=\"%zu\" name=\"%s", part, series->parts[part]);
  fputs("\" file=\"", stream);
  thud_vtk_write_text(stream, folder);
  fprintf(stream, "/%zu%s%s.vtu\"/>\n", k, series->part_count > 0 ? "-" : "",
          series->part_count > 0 ? series->parts[part] : "");
}

static thud_error write_list(void *user, FILE *stream) {
  const thud_vtk_series *series = user;
  const char *slash = strrchr(series->folder, '/'), *folder = slash != NULL ? slash + 1 : series->folder;
  errno = 0;
  fputs("<?xml version=\"1.0\"?>\n<!-- thud " THUD_VERSION
        " -->\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n",
        stream);
  size_t parts = series->part_count > 0 ? series->part_count : 1;
  for (size_t k = 0; k < series->count; k++)
    for (size_t part = 0; part < parts; part++) list_file(series, stream, folder, k, part);
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
  for (size_t k = 0; k < series->part_count; k++) thud_free(context, series->parts[k]);
  thud_free(context, series->parts);
  thud_free(context, series->times);
  thud_free(context, series);
}
