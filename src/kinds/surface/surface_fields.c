#include "kinds/surface/surface_fields.h"
#include "base/base.h"
#include "kinds/surface/surface_scene.h"
#include "thud/run.h"

#include <math.h>
#include <string.h>

void thud_surface_fields_close(surface_fields *fields) {
  if (fields->context == NULL) return;
  thud_free(fields->context, fields->t);
  thud_free(fields->context, fields->area);
  thud_free(fields->context, fields->work);
  thud_scene_destroy(fields->scene);
  thud_record_reader_destroy(fields->reader);
}

static void find_areas(surface_fields *fields) {
  const thud_mesh_definition mesh = thud_mesh_get(fields->mesh);
  for (ptrdiff_t k = 0; k < 3 * (ptrdiff_t)mesh.triangles; k++) {
    const thud_index *c = mesh.triangle + k / 3 * 3;
    const double *p = mesh.xy + 2 * (ptrdiff_t)c[0], *q = mesh.xy + 2 * (ptrdiff_t)c[1],
                 *r = mesh.xy + 2 * (ptrdiff_t)c[2];
    fields->area[c[k % 3]] += ((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])) / 6;
  }
}

static thud_error read_channel(surface_fields *fields, const char *name, size_t row, size_t width, double *values) {
  size_t index;
  thud_error error = thud_record_find_channel(fields->reader, THUD_RECORD_FRAMES, name, &index);
  if (error != THUD_OK) return error;
  if (thud_record_reader_channel(fields->reader, THUD_RECORD_FRAMES, index)->width != width)
    return thud_fail(fields->context, THUD_ERROR_FORMAT, "the channel '%s' of the record is not that of its mesh",
                     name);
  return thud_record_read(fields->reader, THUD_RECORD_FRAMES, index, row, 1, values);
}

static thud_error build_scene(surface_fields *fields, const char *path) {
  thud_record_info info = thud_record_reader_info(fields->reader);
  thud_tree *tree = NULL;
  if (strcmp(info.kind, "membrane") != 0 && strcmp(info.kind, "plate") != 0)
    return thud_fail(fields->context, THUD_ERROR_ARGUMENT,
                     "%s: fields are those of membranes and plates, this is of the kind '%s'", path, info.kind);
  thud_error error = thud_tree_read_text(fields->context, "scene", info.scene, strlen(info.scene), &tree);
  if (error == THUD_OK) error = thud_scene_build(fields->context, tree, &fields->scene);
  thud_tree_destroy(tree);
  if (error != THUD_OK) return error;
  fields->mesh = thud_surface_scene_mesh(fields->scene);
  fields->rows = info.rows[THUD_RECORD_FRAMES];
  if (fields->mesh == NULL || fields->rows == 0)
    return thud_fail(fields->context, THUD_ERROR_FORMAT, "%s: the record has no frames on a mesh", path);
  return THUD_OK;
}

thud_error thud_surface_fields_open(thud_context *context, const char *path, surface_fields *fields) {
  *fields = (surface_fields){.context = context};
  thud_error error = thud_record_open(context, path, &fields->reader);
  if (error == THUD_OK) error = build_scene(fields, path);
  if (error != THUD_OK) return error;
  fields->n = (size_t)thud_mesh_get(fields->mesh).nodes;
  fields->t = THUD_NEW_ARRAY(context, double, fields->rows);
  fields->area = THUD_NEW_ARRAY(context, double, fields->n);
  fields->work = THUD_NEW_ARRAY(context, double, 2 * fields->n);
  if (fields->t == NULL || fields->area == NULL || fields->work == NULL) return THUD_ERROR_MEMORY;
  find_areas(fields);
  for (size_t k = 0; k < fields->rows && error == THUD_OK; k++) error = read_channel(fields, "t", k, 1, &fields->t[k]);
  return error;
}

static bool has_plane(const surface_fields *fields) {
  size_t index;
  return thud_record_find_channel(fields->reader, THUD_RECORD_FRAMES, "u", &index) == THUD_OK;
}

thud_error thud_surface_fields_read(surface_fields *fields, const char *name, size_t row, double *values) {
  bool plane = has_plane(fields), pressure = strcmp(name, "pressure") == 0;
  bool vector = plane && (strcmp(name, "u") == 0 || strcmp(name, "r") == 0);
  thud_error error;
  if (!vector && !pressure && strcmp(name, "v") != 0 && strcmp(name, "status") != 0)
    return thud_fail(fields->context, THUD_ERROR_NOT_FOUND,
                     "the record has no field '%s'; there are v, pressure, status%s", name, plane ? ", u and r" : "");
  if (!vector) {
    error = read_channel(fields, pressure ? "s" : name, row, fields->n, values);
    for (size_t i = 0; i < fields->n && pressure && error == THUD_OK; i++) values[i] /= fields->area[i];
    return error;
  }
  error = read_channel(fields, name, row, 2 * fields->n, fields->work);
  bool forces = strcmp(name, "r") == 0; /* per area, as pressure: the force on a node says more about its cells */
  for (size_t i = 0; i < fields->n && error == THUD_OK; i++)
    values[i] = hypot(fields->work[2 * i], fields->work[2 * i + 1]) / (forces ? fields->area[i] : 1);
  return error;
}
