/* Recorded fields on triangles in the plane, with their mesh. */
#ifndef THUD_SRC_PLOT_FIELD_READ_H
#define THUD_SRC_PLOT_FIELD_READ_H

#include "thud/record.h"
#include "thud/scene.h"
#include "thud/vtk.h"

typedef struct plot_fields {
  thud_context *context;
  thud_record_reader *reader;
  thud_scene *scene;
  thud_vtk_mesh mesh; /* triangles; of the scene */
  size_t rows, n;
  double *t;    /* [rows] */
  double *area; /* [n] a third of the triangles around each node */
  double *work; /* [2n] */
} plot_fields;

/* THUD_ERROR_ARGUMENT when the record has no fields on triangles. Closed with thud_plot_fields_close, also on failure. */
thud_error thud_plot_fields_open(thud_context *context, const char *path, plot_fields *fields);
void thud_plot_fields_close(plot_fields *fields);
/* values[n] of "v", "pressure", "status", "u" or "r" in a row. THUD_ERROR_NOT_FOUND lists what there is. */
thud_error thud_plot_fields_read(plot_fields *fields, const char *name, size_t row, double *values);

#endif
