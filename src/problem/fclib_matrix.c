/* Matrix groups of FCLIB files: ints m, n, nzmax, nz and arrays p, i, x.
 *   nz >= 0  triplets, i the rows and p the columns, arrays of nz entries (not nzmax), duplicates add up
 *   nz = -1  compressed columns: p[n+1], i the rows;  nz = -2  compressed rows: p[m+1], i the columns
 * The entries of compressed forms are p[end] many; the arrays may be longer (nzmax). */
#include "problem/fclib_matrix.h"
#include "problem/matrix.h"

typedef struct matrix_group {
  const thud_fclib_source *source;
  hid_t group;
  thud_index rows, columns;
  thud_index nz;
  size_t entries;
  size_t stored;                /* length of the arrays i and x */
  thud_index *pointers, *inner; /* p and i */
  double *values;
} matrix_group;

static thud_error read_array(const matrix_group *matrix, const char *name, bool integers, size_t count, void **values) {
  thud_context *context = matrix->source->context;
  void *made = thud_alloc(context, count, integers ? sizeof(thud_index) : sizeof(double));
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_fclib_read_numbers(matrix->source, matrix->group, name, integers, count, made);
  if (error == THUD_OK)
    *values = made;
  else
    thud_free(context, made);
  return error;
}

static thud_error read_header(const thud_fclib_source *source, hid_t group, thud_index *rows, thud_index *columns,
                              thud_index *nz) {
  thud_index nzmax = 0;
  thud_error error = thud_fclib_read_integer(source, group, "m", 0, INT32_MAX - 1, rows);
  if (error == THUD_OK) error = thud_fclib_read_integer(source, group, "n", 0, INT32_MAX - 1, columns);
  if (error == THUD_OK) error = thud_fclib_read_integer(source, group, "nzmax", 0, INT32_MAX - 1, &nzmax);
  if (error == THUD_OK) error = thud_fclib_read_integer(source, group, "nz", THUD_FCLIB_ROWS, nzmax, nz);
  return error;
}

thud_error thud_fclib_read_shape(const thud_fclib_source *source, hid_t parent, const char *name, thud_index *rows,
                                 thud_index *columns) {
  hid_t group = 0;
  thud_index nz = 0;
  thud_error error = thud_fclib_open_group(source, parent, name, true, &group);
  if (error == THUD_OK) error = read_header(source, group, rows, columns, &nz);
  thud_h5_drop(group);
  return error;
}

/* The lengths that the file itself shows, compared with what the header calls for. */
static thud_error check_lengths(matrix_group *matrix, size_t pointers) {
  size_t p = 0, i = 0, x = 0;
  thud_error error = thud_fclib_count(matrix->source, matrix->group, "p", true, &p);
  if (error == THUD_OK) error = thud_fclib_count(matrix->source, matrix->group, "i", true, &i);
  if (error == THUD_OK) error = thud_fclib_count(matrix->source, matrix->group, "x", false, &x);
  if (error != THUD_OK) return error;
  if (p != pointers)
    return thud_fclib_fail(matrix->source, matrix->group, "p", THUD_ERROR_FORMAT,
                           "%zu indices are needed here, found %zu", pointers, p);
  if (i != x || x > INT32_MAX)
    return thud_fclib_fail(matrix->source, matrix->group, "i", THUD_ERROR_FORMAT,
                           "i and x must be of one length, found %zu and %zu", i, x);
  matrix->stored = x;
  return THUD_OK;
}

static thud_error read_arrays(matrix_group *matrix) {
  size_t pointers = matrix->nz >= 0                    ? (size_t)matrix->nz
                    : matrix->nz == THUD_FCLIB_COLUMNS ? (size_t)matrix->columns + 1
                                                       : (size_t)matrix->rows + 1;
  thud_error error = check_lengths(matrix, pointers);
  if (error == THUD_OK && matrix->nz >= 0 && matrix->stored != (size_t)matrix->nz)
    error = thud_fclib_fail(matrix->source, matrix->group, "i", THUD_ERROR_FORMAT,
                            "%d triplets are announced by nz, found %zu", (int)matrix->nz, matrix->stored);
  if (error == THUD_OK) error = read_array(matrix, "p", true, pointers, (void **)&matrix->pointers);
  if (error == THUD_OK) error = read_array(matrix, "i", true, matrix->stored, (void **)&matrix->inner);
  if (error == THUD_OK) error = read_array(matrix, "x", false, matrix->stored, (void **)&matrix->values);
  if (error != THUD_OK || matrix->nz >= 0) return error;
  matrix->entries = 0;
  for (size_t k = 0; k < pointers; k++) {
    thud_index low = k > 0 ? matrix->pointers[k - 1] : 0, high = k > 0 ? INT32_MAX : 0;
    if (matrix->pointers[k] < low || matrix->pointers[k] > high || (size_t)matrix->pointers[k] > matrix->stored)
      return thud_fclib_fail(matrix->source, matrix->group, "p", THUD_ERROR_FORMAT,
                             "entry %zu is %d: the pointers must rise from 0 to at most %zu", k,
                             (int)matrix->pointers[k], matrix->stored);
  }
  matrix->entries = (size_t)matrix->pointers[pointers - 1];
  return THUD_OK;
}

static thud_error gather(const matrix_group *matrix, thud_triplets *triplets) {
  if (matrix->nz >= 0) {
    for (size_t k = 0; k < matrix->stored; k++)
      thud_triplets_add(triplets, matrix->inner[k], matrix->pointers[k], matrix->values[k]);
  } else {
    bool by_columns = matrix->nz == THUD_FCLIB_COLUMNS;
    thud_index outer = by_columns ? matrix->columns : matrix->rows;
    for (thud_index o = 0; o < outer; o++)
      for (thud_index k = matrix->pointers[o]; k < matrix->pointers[o + 1]; k++)
        thud_triplets_add(triplets, by_columns ? matrix->inner[k] : o, by_columns ? o : matrix->inner[k],
                          matrix->values[k]);
  }
  for (size_t k = 0; k < triplets->count; k++) {
    thud_index row = triplets->row[k], column = triplets->column[k];
    if (row < 0 || row >= matrix->rows || column < 0 || column >= matrix->columns)
      return thud_fclib_fail(matrix->source, matrix->group, "", THUD_ERROR_FORMAT,
                             "entry %zu is at row %d, column %d of a %d x %d matrix", k, (int)row, (int)column,
                             (int)matrix->rows, (int)matrix->columns);
  }
  return THUD_OK;
}

/* The storage that thud noted; a note that does not suit the pattern is left alone. */
static thud_error restore_storage(const matrix_group *matrix, thud_index block, thud_problem_file *file,
                                  thud_matrix *made) {
  thud_index storage = THUD_MATRIX_SPARSE;
  if (!thud_fclib_has(matrix->group, THUD_FCLIB_STORAGE)) return THUD_OK;
  thud_error error = thud_fclib_read_integer(matrix->source, matrix->group, THUD_FCLIB_STORAGE, THUD_MATRIX_DENSE,
                                             THUD_MATRIX_BLOCKS, &storage);
  if (error != THUD_OK) return error;
  error = thud_problem_matrix_store(matrix->source->context, file->owned, (thud_matrix_storage)storage, block, made);
  return error == THUD_ERROR_FORMAT ? THUD_OK : error;
}

static thud_error read_content(matrix_group *matrix, thud_index block, thud_problem_file *file, thud_matrix *made) {
  thud_triplets triplets = {0};
  thud_context *context = matrix->source->context;
  thud_error error = read_arrays(matrix);
  if (error == THUD_OK)
    error = thud_triplets_create(context, matrix->nz >= 0 ? matrix->stored : matrix->entries, &triplets);
  if (error == THUD_OK) error = gather(matrix, &triplets);
  if (error == THUD_OK) {
    error = thud_problem_matrix_from_triplets(context, file->owned, matrix->rows, matrix->columns, &triplets, made);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) {
      char place[128] = "";
      H5Iget_name(matrix->group, place, sizeof place);
      error = thud_fail_within(context, error, "%s: %s", matrix->source->path, place);
    }
  }
  thud_triplets_free(context, &triplets);
  return error == THUD_OK ? restore_storage(matrix, block, file, made) : error;
}

thud_error thud_fclib_read_matrix(const thud_fclib_source *source, hid_t parent, const char *name, bool required,
                                  thud_index rows, thud_index columns, thud_index block, thud_problem_file *file,
                                  thud_matrix *matrix) {
  matrix_group read = {.source = source};
  thud_matrix made = {0};
  thud_error error = thud_fclib_open_group(source, parent, name, required, &read.group);
  if (error != THUD_OK || read.group == 0) return error;
  error = read_header(source, read.group, &read.rows, &read.columns, &read.nz);
  if (error == THUD_OK && (read.rows != rows || read.columns != columns))
    error = thud_fclib_fail(source, read.group, "", THUD_ERROR_FORMAT, "a %d x %d matrix is needed here, found %d x %d",
                            (int)rows, (int)columns, (int)read.rows, (int)read.columns);
  if (error == THUD_OK) error = read_content(&read, block, file, &made);
  thud_free(source->context, read.pointers);
  thud_free(source->context, read.inner);
  thud_free(source->context, read.values);
  thud_h5_drop(read.group);
  if (error == THUD_OK) *matrix = made;
  return error;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

/* No time of creation: the same problem gives the same file. */
hid_t thud_fclib_create_dataset(hid_t group, const char *name, hid_t type, hid_t space) {
  hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (properties < 0) return -1;
  hid_t dataset = H5Pset_obj_track_times(properties, false) < 0
                      ? -1
                      : H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  thud_h5_drop(properties);
  return dataset;
}

herr_t thud_fclib_write_numbers(hid_t group, const char *name, bool integers, size_t count, const void *values) {
  const hsize_t extent = count;
  hid_t space = H5Screate_simple(1, &extent, NULL);
  hid_t dataset =
      space < 0 ? -1 : thud_fclib_create_dataset(group, name, integers ? H5T_STD_I32LE : H5T_IEEE_F64LE, space);
  herr_t status = dataset < 0 ? -1 : 0;
  if (status >= 0 && count > 0)
    status = H5Dwrite(dataset, integers ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  thud_h5_drop(dataset);
  thud_h5_drop(space);
  return status;
}

static herr_t write_sparse(hid_t group, const thud_sparse *sparse) {
  size_t columns = (size_t)sparse->columns, entries = (size_t)sparse->column_start[sparse->columns];
  const struct {
    const char *name;
    thud_index value;
  } sizes[] = {{"m", sparse->rows}, {"n", sparse->columns}, {"nzmax", (thud_index)entries}, {"nz", THUD_FCLIB_COLUMNS}};
  herr_t status = 0;
  for (size_t k = 0; status >= 0 && k < sizeof sizes / sizeof *sizes; k++)
    status = thud_fclib_write_numbers(group, sizes[k].name, true, 1, &sizes[k].value);
  if (status >= 0) status = thud_fclib_write_numbers(group, "p", true, columns + 1, sparse->column_start);
  if (status >= 0) status = thud_fclib_write_numbers(group, "i", true, entries, sparse->row);
  if (status >= 0) status = thud_fclib_write_numbers(group, "x", false, entries, sparse->value);
  return status;
}

thud_error thud_fclib_write_matrix(thud_context *context, const char *path, hid_t parent, const char *name,
                                   const thud_matrix *matrix) {
  thud_sparse sparse = {0};
  if (matrix->storage == THUD_MATRIX_NONE) return THUD_OK;
  thud_error error = thud_problem_matrix_to_sparse(context, matrix, &sparse);
  if (error != THUD_OK) return error;
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  herr_t status = group < 0 ? -1 : write_sparse(group, &sparse);
  if (status >= 0 && matrix->storage != THUD_MATRIX_SPARSE)
    status = thud_fclib_write_numbers(group, THUD_FCLIB_STORAGE, true, 1, &(thud_index){(thud_index)matrix->storage});
  if (status < 0) error = thud_h5_fail(context, THUD_ERROR_FILE, path, "cannot be written");
  thud_h5_drop(group);
  thud_sparse_destroy(context, &sparse);
  return error;
}
