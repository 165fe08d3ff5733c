/* Fields of recorded membranes and plates, with their mesh: for pictures. */
#ifndef THUD_SRC_KINDS_SURFACE_SURFACE_FIELDS_H
#define THUD_SRC_KINDS_SURFACE_SURFACE_FIELDS_H

#include "thud/mesh.h"
#include "thud/record.h"
#include "thud/scene.h"

typedef struct surface_fields {
  thud_context *context;
  thud_record_reader *reader;
  thud_scene *scene;
  const thud_mesh *mesh; /* of the scene */
  size_t rows, n;
  double *t;    /* [rows] */
  double *area; /* [n] a third of the triangles around each node */
  double *work; /* [2n] */
} surface_fields;

/* THUD_ERROR_ARGUMENT when the record is of another kind. Freed with thud_surface_fields_close, also on failure. */
thud_error thud_surface_fields_open(thud_context *context, const char *path, surface_fields *fields);
void thud_surface_fields_close(surface_fields *fields);
/* values[n] of "v", "pressure", "status", "u" or "r" in a row. THUD_ERROR_NOT_FOUND lists what there is. */
thud_error thud_surface_fields_read(surface_fields *fields, const char *name, size_t row, double *values);

#endif
