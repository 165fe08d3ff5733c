#include "plot/field_read.h"
#include "base/base.h"
#include "run/run.h"
#include "thud/film.h"

#include <math.h>
#include <string.h>

/* Names of fields in pictures, and the roles of their channels. */
static const struct {
  const char *name, *role;
  bool vector;   /* x and y of every node: the length is shown */
  bool per_area; /* forces on nodes, shown as pressures: the force on a node says more about its cells */
} kinds_of_fields[] = {{.name = "v", .role = "deflection"},
                       {.name = "pressure", .role = "pressure", .per_area = true},
                       {.name = "status", .role = "status"},
                       {.name = "u", .role = "in-plane", .vector = true},
                       {.name = "r", .role = "friction", .vector = true, .per_area = true}};
enum { FIELDS = sizeof kinds_of_fields / sizeof *kinds_of_fields };

void thud_plot_fields_close(plot_fields *fields) {
  if (fields->context == NULL) return;
  thud_free(fields->context, fields->t);
  thud_free(fields->context, fields->area);
  thud_free(fields->context, fields->work);
  thud_scene_destroy(fields->scene);
  thud_record_reader_destroy(fields->reader);
}

static void find_areas(plot_fields *fields) {
  const thud_vtk_mesh *mesh = &fields->mesh;
  for (size_t k = 0; k < 3 * mesh->cells; k++) {
    const size_t *c = mesh->corners + k / 3 * 3;
    const double *p = mesh->places + 3 * c[0], *q = mesh->places + 3 * c[1], *r = mesh->places + 3 * c[2];
    fields->area[c[k % 3]] += ((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])) / 6;
  }
}

static bool has_role(const plot_fields *fields, const char *role, size_t *channel) {
  return thud_record_find_role(fields->reader, THUD_RECORD_FRAMES, role, channel) == THUD_OK;
}

static thud_error read_channel(plot_fields *fields, const char *role, size_t row, size_t width, double *values) {
  size_t index;
  thud_error error = thud_record_find_role(fields->reader, THUD_RECORD_FRAMES, role, &index);
  if (error != THUD_OK) return error;
  const thud_record_channel *channel = thud_record_reader_channel(fields->reader, THUD_RECORD_FRAMES, index);
  if (channel->width != width)
    return thud_fail(fields->context, THUD_ERROR_FORMAT,
                     "[usage] the channel '%s' of the record is not that of its mesh", channel->name);
  return thud_record_read(fields->reader, THUD_RECORD_FRAMES, index, row, 1, values);
}

static bool has_triangles(const thud_vtk_mesh *mesh) {
  bool all = mesh->points > 0 && mesh->cells > 0;
  for (size_t k = 0; k < mesh->cells && all; k++) all = mesh->types[k] == THUD_VTK_TRIANGLE;
  return all;
}

static thud_error build_scene(plot_fields *fields, const char *path) {
  thud_record_info info = thud_record_reader_info(fields->reader);
  size_t channel;
  if (!has_role(fields, kinds_of_fields[0].role, &channel))
    return thud_fail(fields->context, THUD_ERROR_ARGUMENT,
                     "[nothing-to-draw] %s: fields are those of membranes and plates, this is of the kind '%s'", path,
                     info.kind);
  thud_error error = thud_film_build_scene(fields->context, fields->reader, &fields->scene);
  if (error == THUD_OK && fields->scene->kind->mesh != NULL)
    error = fields->scene->kind->mesh(fields->scene->motion, &fields->mesh);
  if (error != THUD_OK) return error;
  fields->rows = info.rows[THUD_RECORD_FRAMES];
  if (!has_triangles(&fields->mesh) || fields->rows == 0)
    return thud_fail(fields->context, THUD_ERROR_FORMAT, "[nothing-to-draw] %s: the record has no frames on a mesh",
                     path);
  return THUD_OK;
}

thud_error thud_plot_fields_open(thud_context *context, const char *path, plot_fields *fields) {
  *fields = (plot_fields){.context = context};
  thud_error error = thud_record_open(context, path, &fields->reader);
  if (error == THUD_OK) error = build_scene(fields, path);
  if (error != THUD_OK) return error;
  fields->n = fields->mesh.points;
  fields->t = THUD_NEW_ARRAY(context, double, fields->rows);
  fields->area = THUD_NEW_ARRAY(context, double, fields->n);
  fields->work = THUD_NEW_ARRAY(context, double, 2 * fields->n);
  if (fields->t == NULL || fields->area == NULL || fields->work == NULL) return THUD_ERROR_MEMORY;
  find_areas(fields);
  for (size_t k = 0; k < fields->rows && error == THUD_OK; k++)
    error = read_channel(fields, "time", k, 1, &fields->t[k]);
  return error;
}

thud_error thud_plot_fields_read(plot_fields *fields, const char *name, size_t row, double *values) {
  size_t channel, which = 0;
  bool plane = has_role(fields, "in-plane", &channel);
  while (which < FIELDS && strcmp(kinds_of_fields[which].name, name) != 0) which++;
  if (which == FIELDS || (kinds_of_fields[which].vector && !plane))
    return thud_fail(fields->context, THUD_ERROR_NOT_FOUND,
                     "[unknown-channel] the record has no field '%s'; there are v, pressure, status%s", name,
                     plane ? ", u and r" : "");
  bool vector = kinds_of_fields[which].vector;
  double *read = vector ? fields->work : values;
  thud_error error = read_channel(fields, kinds_of_fields[which].role, row, (vector ? 2 : 1) * fields->n, read);
  for (size_t i = 0; i < fields->n && error == THUD_OK; i++) {
    if (vector) values[i] = hypot(fields->work[2 * i], fields->work[2 * i + 1]);
    if (kinds_of_fields[which].per_area) values[i] /= fields->area[i];
  }
  return error;
}
