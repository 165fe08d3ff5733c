/* Tables of bodies in files: their columns. */
#ifndef THUD_SRC_KINDS_BODIES_BODIES_TABLE_H
#define THUD_SRC_KINDS_BODIES_BODIES_TABLE_H

#include "base/json.h"

enum {
  TABLE_X,
  TABLE_Y,
  TABLE_Z,
  TABLE_QW,
  TABLE_QX,
  TABLE_QY,
  TABLE_QZ,
  TABLE_ANGLE,
  TABLE_VX,
  TABLE_VY,
  TABLE_VZ,
  TABLE_WX,
  TABLE_WY,
  TABLE_WZ,
  TABLE_W,
  TABLE_RADIUS,
  TABLE_SCALE,
  TABLE_NAME,
  TABLE_COLUMNS
};

const char *thud_bodies_column_name(size_t column);
/* The datasets of an HDF5 file that are columns, as a table in CSV (bodies_hdf5.c). */
thud_error thud_bodies_table_from_hdf5(thud_context *context, const char *path, thud_text *text);

#endif
