/* Tables of bodies in HDF5 files: one dataset of one dimension for each column. */
#include "record/h5.h"
#include "kinds/bodies/bodies_table.h"
#include "thud/tree.h"

#include <math.h>
#include <string.h>

typedef struct columns {
  thud_context *context;
  const char *path;
  hid_t file;
  size_t count;                  /* of bodies */
  double *values[TABLE_COLUMNS]; /* NULL: no such dataset */
  char **names;                  /* of HDF5; NULL: no such dataset */
} columns;

/* The dataset of a column, opened, with as many values as the others; < 0: there is none, or *error. */
static hid_t open_column(columns *read, const char *name, thud_error *error) {
  if (H5Lexists(read->file, name, H5P_DEFAULT) <= 0) return -1;
  hid_t dataset = H5Dopen2(read->file, name, H5P_DEFAULT), space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t length = 0;
  bool line =
      space >= 0 && H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &length, NULL) == 1;
  thud_h5_drop(space);
  if (!line)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT, "%s: dataset '%s' is no list of numbers", read->path, name);
  else if (length == 0 || length > THUD_TREE_MAX_BYTES / 4)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT, "%s: dataset '%s' has %llu values; from 1 to %d are possible",
                       read->path, name, (unsigned long long)length, THUD_TREE_MAX_BYTES / 4);
  else if (read->count > 0 && length != read->count)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT, "%s: dataset '%s' has %llu values, another one %zu",
                       read->path, name, (unsigned long long)length, read->count);
  if (*error == THUD_OK) {
    read->count = (size_t)length;
    return dataset;
  }
  thud_h5_drop(dataset);
  return -1;
}

static thud_error read_numbers(columns *read, size_t column) {
  const char *name = thud_bodies_column_name(column);
  thud_error error = THUD_OK;
  hid_t dataset = open_column(read, name, &error);
  if (dataset < 0) return error;
  double *values = read->values[column] = THUD_NEW_ARRAY(read->context, double, read->count);
  if (values == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    error = thud_h5_fail(read->context, THUD_ERROR_FORMAT, read->path, name);
  thud_h5_drop(dataset);
  for (size_t k = 0; k < read->count && error == THUD_OK; k++)
    if (!isfinite(values[k]))
      error = thud_fail(read->context, THUD_ERROR_NOT_FINITE,
                        "%s: dataset '%s', entry %zu is %g; a finite number is needed", read->path, name, k, values[k]);
  return error;
}

static thud_error read_names(columns *read) {
  thud_error error = THUD_OK;
  hid_t dataset = open_column(read, "name", &error);
  if (dataset < 0) return error;
  hid_t stored = H5Dget_type(dataset), type = H5Tcopy(H5T_C_S1);
  bool texts = stored >= 0 && H5Tis_variable_str(stored) > 0;
  (void)H5Tset_size(type, H5T_VARIABLE);
  (void)H5Tset_cset(type, stored >= 0 && texts ? H5Tget_cset(stored) : H5T_CSET_ASCII);
  if (!texts)
    error =
        thud_fail(read->context, THUD_ERROR_FORMAT, "%s: dataset 'name' needs strings of variable length", read->path);
  read->names = error == THUD_OK ? THUD_NEW_ARRAY(read->context, char *, read->count) : NULL;
  if (error == THUD_OK && read->names == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, (void *)read->names) < 0)
    error = thud_h5_fail(read->context, THUD_ERROR_FORMAT, read->path, "name");
  thud_h5_drop(type);
  thud_h5_drop(stored);
  thud_h5_drop(dataset);
  return error;
}

static void write_table(const columns *read, thud_text *text) {
  char number[THUD_DOUBLE_CAPACITY];
  const char *comma = "";
  for (size_t c = 0; c < TABLE_COLUMNS; c++)
    if (read->values[c] != NULL || (c == TABLE_NAME && read->names != NULL)) {
      thud_text_print(text, "%s%s", comma, thud_bodies_column_name(c));
      comma = ",";
    }
  thud_text_print(text, "\n");
  for (size_t k = 0; k < read->count && text->error == THUD_OK; k++) {
    comma = "";
    for (size_t c = 0; c < TABLE_COLUMNS; c++) {
      if (read->values[c] == NULL) continue;
      thud_format_double(read->values[c][k], number, sizeof number);
      thud_text_print(text, "%s%s", comma, number);
      comma = ",";
    }
    if (read->names != NULL) thud_text_print(text, "%s%s", comma, read->names[k] != NULL ? read->names[k] : "");
    thud_text_print(text, "\n");
  }
}

thud_error thud_bodies_table_from_hdf5(thud_context *context, const char *path, thud_text *text) {
  columns read = {.context = context, .path = path, .file = -1};
  thud_error error = thud_h5_need_memory(context);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  read.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (read.file < 0) error = thud_h5_fail(context, THUD_ERROR_FILE, path, "cannot be opened as an HDF5 file");
  for (size_t c = 0; c < TABLE_NAME && error == THUD_OK; c++) error = read_numbers(&read, c);
  if (error == THUD_OK) error = read_names(&read);
  if (error == THUD_OK && read.count == 0)
    error = thud_fail(context, THUD_ERROR_FORMAT, "%s: no datasets x, y, ... are in it", path);
  if (error == THUD_OK) write_table(&read, text);
  if (error == THUD_OK && text->length > THUD_TREE_MAX_BYTES)
    error = thud_fail(context, THUD_ERROR_OVERFLOW, "%s: a table of %zu bytes is too large for a scene", path,
                      text->length);
  for (size_t k = 0; read.names != NULL && k < read.count; k++) (void)H5free_memory(read.names[k]);
  thud_free(context, (void *)read.names);
  for (size_t c = 0; c < TABLE_COLUMNS; c++) thud_free(context, read.values[c]);
  thud_h5_drop(read.file);
  thud_h5_leave(guard);
  return error == THUD_OK ? text->error : error;
}
