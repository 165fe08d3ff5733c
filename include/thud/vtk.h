/* thud/vtk.h: fields on meshes as files of VTK (ParaView, VisIt). Layer: record.
 *
 * A mesh is points and cells; fields have numbers at the points or in the cells. One state is a .vtu file (XML,
 * unstructured grid; numbers in base64, bit for bit, NaN included), a motion a .pvd file that lists the times and one
 * .vtu file per time in a folder beside it: film.pvd, film/0.vtu, film/1.vtu, ... Where a time has several parts with
 * meshes of their own, each has its file: film/0-bodies.vtu, film/0-contacts.vtu, ... */
#ifndef THUD_VTK_H
#define THUD_VTK_H

#include "thud/base.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* VTK's numbers of the cells that are used here; others pass as they are. */
typedef enum thud_vtk_cell {
  THUD_VTK_VERTEX = 1,
  THUD_VTK_LINE = 3,
  THUD_VTK_TRIANGLE = 5,
  THUD_VTK_POLYGON = 7, /* corners in turn */
  THUD_VTK_QUAD = 9,    /* corners in turn */
  THUD_VTK_TETRA = 10,
  THUD_VTK_HEXAHEDRON = 12
} thud_vtk_cell;

/* All arrays are borrowed. */
typedef struct thud_vtk_mesh {
  size_t points;
  const double *places; /* [3*points] x, y, z */
  size_t cells;
  const unsigned char *types; /* [cells] thud_vtk_cell */
  const size_t *ends;         /* [cells] how many corners cells 0..k have together */
  const size_t *corners;      /* [ends of the last cell] numbers of points */
} thud_vtk_mesh;

typedef struct thud_vtk_field {
  const char *name;
  size_t width;         /* components: 1 a number, 3 a vector, 9 a tensor */
  const double *values; /* [width * points] or [width * cells] */
} thud_vtk_field;

typedef struct thud_vtk_state {
  thud_vtk_mesh mesh;
  size_t point_field_count, cell_field_count;
  const thud_vtk_field *point_fields, *cell_fields;
} thud_vtk_state;

/* One of several meshes that belong to the same time. */
typedef struct thud_vtk_part {
  const char *name; /* letters, digits, - and _ */
  thud_vtk_state state;
  size_t text_count; /* texts that belong to the whole, as an array "names" (of bodies by their numbers); 0: none */
  const char *const *texts; /* [text_count] */
  THUD_RESERVED(4);
} thud_vtk_part;

/* One state as text of a .vtu file. THUD_ERROR_ARGUMENT: ends that fall, corners that are no points, fields without name or
 * width. */
THUD_API thud_error thud_vtk_write(thud_context *context, const thud_vtk_state *state, FILE *stream);
/* The same into a file, which appears complete or not at all; THUD_ERROR_EXISTS: it is there and overwrite is false. */
THUD_API thud_error thud_vtk_export(thud_context *context, const thud_vtk_state *state, const char *path,
                                    bool overwrite);

/* A series of states, whose list of times appears when it is closed. */
typedef struct thud_vtk_series thud_vtk_series;
/* path ends in ".pvd"; the folder beside it is made when it is missing. Files of other series stay where they are. */
THUD_API thud_error thud_vtk_series_create(thud_context *context, const char *path, bool overwrite,
                                           thud_vtk_series **series);
/* Times increase. */
THUD_API thud_error thud_vtk_series_add(thud_vtk_series *series, double t, const thud_vtk_state *state);
/* The same of several parts; every time of a series has parts of the same names in the same order. */
THUD_API thud_error thud_vtk_series_add_parts(thud_vtk_series *series, double t, size_t count,
                                              const thud_vtk_part *parts);
/* Writes the list and frees the series, whether the call succeeds or not. */
THUD_API thud_error thud_vtk_series_close(thud_vtk_series *series);
/* Frees it without the list; the states that were written stay. NULL is allowed. */
THUD_API void thud_vtk_series_destroy(thud_vtk_series *series);

#ifdef __cplusplus
}
#endif
#endif
