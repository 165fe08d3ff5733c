/* Fields of records on the meshes of their kinds, as VTK files. */
#include "base/base.h"
#include "record/csv.h"
#include "record/reader.h"
#include "run/run.h"
#include "thud/film.h"

#include <math.h>
#include <string.h>

enum { MOST_FIELDS = 64 };

typedef struct field_export {
  thud_context *context;
  thud_record_reader *reader;
  thud_vtk_state state;
  thud_vtk_field point_fields[MOST_FIELDS], cell_fields[MOST_FIELDS];
  const char *names[MOST_FIELDS]; /* of the channels in the sample */
  size_t name_count;
  thud_record_sampler *sampler;
  double *left, *right; /* [width of the sample] */
  double *times;
  size_t time_count;
} field_export;

/* ---- which channels ------------------------------------------------------------------------------------------------------ */

static bool is_wanted(const thud_record_times *asked, const char *name) {
  for (size_t k = 0; asked != NULL && k < asked->name_count; k++)
    if (strcmp(asked->names[k], name) == 0) return true;
  return asked == NULL || asked->name_count == 0;
}

/* Numbers per point or cell, 0 when there is no such whole number from 1 to 3. */
static size_t per_place(size_t width, size_t places) {
  return places > 0 && width % places == 0 && width / places <= 3 ? width / places : 0;
}

/* Channels of the frames with numbers at points, or otherwise in cells; *offset of the next one in the sample. */
static thud_error choose_fields(field_export *task, const thud_record_times *asked) {
  size_t count = thud_record_reader_info(task->reader).channel_count[THUD_RECORD_FRAMES];
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(task->reader, THUD_RECORD_FRAMES, k);
    size_t at_points = per_place(channel->width, task->state.mesh.points);
    size_t in_cells = per_place(channel->width, task->state.mesh.cells);
    if ((at_points == 0 && in_cells == 0) || !is_wanted(asked, channel->name)) continue;
    if (channel->width == 1 && task->state.mesh.points != 1) continue; /* one cell, and a number of the whole motion */
    if (task->name_count == MOST_FIELDS)
      return thud_fail(task->context, THUD_ERROR_ARGUMENT, "[wrong-count] vtk: at most %d fields can be written",
                       MOST_FIELDS);
    thud_vtk_field field = {.name = channel->name, .width = at_points > 0 ? at_points : in_cells};
    if (at_points > 0)
      task->point_fields[task->state.point_field_count++] = field;
    else
      task->cell_fields[task->state.cell_field_count++] = field;
    task->names[task->name_count++] = channel->name;
  }
  task->state.point_fields = task->point_fields;
  task->state.cell_fields = task->cell_fields;
  if (task->name_count > 0) return THUD_OK;
  return thud_fail(task->context, THUD_ERROR_ARGUMENT,
                   "[usage] vtk: none of these channels has numbers at points or cells");
}

/* Where in the sample the values of a field begin. */
static const double *values_of(const field_export *task, const char *name) {
  size_t width = thud_record_sampler_width(task->sampler);
  for (size_t k = 0; k < width; k++)
    if (strcmp(thud_record_sampler_column(task->sampler, k).channel->name, name) == 0) return task->right + k;
  return NULL;
}

static thud_error make_sampler(field_export *task) {
  thud_error error = thud_record_sampler_create(task->reader, task->name_count, task->names, &task->sampler);
  if (error != THUD_OK) return error;
  size_t width = thud_record_sampler_width(task->sampler);
  task->left = THUD_NEW_ARRAY(task->context, double, width);
  task->right = THUD_NEW_ARRAY(task->context, double, width);
  if (task->left == NULL || task->right == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < task->state.point_field_count; k++)
    task->point_fields[k].values = values_of(task, task->point_fields[k].name);
  for (size_t k = 0; k < task->state.cell_field_count; k++)
    task->cell_fields[k].values = values_of(task, task->cell_fields[k].name);
  return THUD_OK;
}

/* ---- which times ---------------------------------------------------------------------------------------------------------- */

/* Those of the rows, each once. */
static thud_error times_of_rows(field_export *task) {
  size_t rows = thud_record_reader_info(task->reader).rows[THUD_RECORD_FRAMES], channel, kept = 0;
  task->times = THUD_NEW_ARRAY(task->context, double, rows);
  if (task->times == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_record_find_role(task->reader, THUD_RECORD_FRAMES, "time", &channel);
  if (error == THUD_OK) error = thud_record_read(task->reader, THUD_RECORD_FRAMES, channel, 0, rows, task->times);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < rows; k++)
    if (kept == 0 || task->times[k] > task->times[kept - 1]) task->times[kept++] = task->times[k];
  task->time_count = kept;
  return THUD_OK;
}

static thud_error find_times(field_export *task, const thud_record_times *asked) {
  double start, end;
  if (asked == NULL || (asked->count == 0 && !(asked->every > 0))) return times_of_rows(task);
  thud_record_sampler_span(task->sampler, &start, &end);
  return thud_csv_gather_times(task->reader, asked, start, end, &task->times, &task->time_count);
}

/* ---- writing -------------------------------------------------------------------------------------------------------------- */

static thud_error take_sample(field_export *task, double *t) {
  bool jumps;
  return thud_record_sample(task->sampler, t, task->left, task->right, &jumps);
}

static thud_error write_series(field_export *task, const char *path, bool overwrite) {
  thud_vtk_series *series = NULL;
  thud_error error = thud_vtk_series_create(task->context, path, overwrite, &series);
  double last = -INFINITY;
  for (size_t k = 0; k < task->time_count && error == THUD_OK; k++) {
    double t = task->times[k];
    error = take_sample(task, &t);
    if (error == THUD_OK && t > last) error = thud_vtk_series_add(series, t, &task->state);
    last = t;
  }
  if (error == THUD_OK) return thud_vtk_series_close(series);
  thud_vtk_series_destroy(series);
  return error;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

static thud_error write_fields(field_export *task, const thud_record_times *asked, const char *path, bool overwrite) {
  thud_error error = choose_fields(task, asked);
  if (error == THUD_OK) error = make_sampler(task);
  if (error == THUD_OK) error = find_times(task, asked);
  if (error != THUD_OK) return error;
  if (task->time_count == 0)
    return thud_fail(task->context, THUD_ERROR_ARGUMENT, "[time-outside] vtk: the record has no such times");
  if (ends_in(path, ".pvd")) return write_series(task, path, overwrite);
  double t = task->times[task->time_count - 1];
  error = take_sample(task, &t);
  return error == THUD_OK ? thud_vtk_export(task->context, &task->state, path, overwrite) : error;
}

static thud_error export_fields(const thud_scene *scene, thud_record_reader *reader, const thud_record_times *times,
                                const char *path, bool overwrite) {
  thud_context *context = scene->context;
  field_export task = {.context = context, .reader = reader};
  thud_error error = scene->kind->mesh(scene->motion, &task.state.mesh);
  if (error == THUD_OK) error = write_fields(&task, times, path, overwrite);
  thud_record_sampler_destroy(task.sampler);
  thud_free(context, task.left);
  thud_free(context, task.right);
  thud_free(context, task.times);
  return error;
}

/* The kind exports its records itself, or it has a mesh that stays. */
thud_error thud_scene_export_vtk(const thud_scene *scene, thud_record_reader *reader, const thud_record_times *times,
                                 const char *path, bool overwrite) {
  THUD_REQUIRE_OF(scene, reader, path);
  if (!ends_in(path, ".pvd") && !ends_in(path, ".vtu"))
    return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                     "[usage] %s: VTK files are called NAME.pvd (all times) or NAME.vtu (one)", path);
  if (scene->kind->export_vtk != NULL) return scene->kind->export_vtk(scene, reader, times, path, overwrite);
  if (scene->kind->mesh != NULL) return export_fields(scene, reader, times, path, overwrite);
  return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                   "[contradictory-keys] motions of the kind '%s' have neither a mesh nor bodies that VTK could show",
                   scene->kind->name);
}

thud_error thud_run_export_vtk(thud_context *context, thud_record_reader *reader, const thud_record_times *times,
                               const char *path, bool overwrite) {
  THUD_REQUIRE(context, context, reader, path);
  thud_scene *scene = NULL;
  thud_error error = thud_film_build_scene(context, reader, &scene);
  if (error == THUD_OK) error = thud_scene_export_vtk(scene, reader, times, path, overwrite);
  thud_scene_destroy(scene);
  return error;
}
