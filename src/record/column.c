#include "record/column.h"

#include "record/codec.h"

#include <math.h>
#include <string.h>

enum {
  CHUNK_BYTES_AIMED = 256 * 1024,
  ATTRIBUTES_IN_HEADER = 16 /* more than a channel has: all lie beside the dataset, not in a heap of their own */
};

/* Deflate expands at most 1032 times (zlib's documentation); whatever a file announces, its chunks cannot hold more. */
enum { DEFLATE_RATIO = 1032, SMALL_CHUNK = 65536 };

static const uint64_t largest_chunk = UINT32_MAX - 1024; /* HDF5 keeps chunk sizes in 32 bits */

static size_t element_size_of(thud_column_kind kind, size_t width) {
  switch (kind) {
  case THUD_COLUMN_REAL: return 8;
  case THUD_COLUMN_INTEGER: return 4;
  case THUD_COLUMN_LONG: return 8;
  case THUD_COLUMN_SMALL:
  case THUD_COLUMN_BYTE: return 1;
  case THUD_COLUMN_STRING: return width;
  }
  return 1;
}

bool thud_column_shape_make(thud_column_kind kind, size_t width, size_t chunk_rows, thud_column_shape *shape) {
  thud_column_shape made = {.kind = kind, .width = width, .element_size = element_size_of(kind, width)};
  size_t per_row = kind == THUD_COLUMN_STRING ? 1 : width;
  if (width == 0 || chunk_rows == 0 || !thud_size_multiply(per_row, made.element_size, &made.row_bytes)) return false;
  made.chunk_rows = chunk_rows;
  if (!thud_size_multiply(chunk_rows, made.row_bytes, &made.chunk_bytes) || made.chunk_bytes > largest_chunk)
    return false;
  *shape = made;
  return true;
}

bool thud_column_shape_fit(thud_column_kind kind, size_t width, size_t chunk_rows, thud_column_shape *shape) {
  thud_column_shape one;
  if (!thud_column_shape_make(kind, width, 1, &one)) return false;
  size_t aimed = one.row_bytes < CHUNK_BYTES_AIMED ? CHUNK_BYTES_AIMED / one.row_bytes : 1;
  return thud_column_shape_make(kind, width, chunk_rows < aimed ? chunk_rows : aimed, shape);
}

thud_error thud_column_space_reserve(thud_context *context, size_t capacity, thud_column_space *space) {
  if (capacity <= space->capacity && space->scratch != NULL) return THUD_OK;
  uint8_t *scratch = thud_alloc(context, capacity, 1);
  uint8_t *coded = scratch != NULL ? thud_alloc(context, thud_codec_bound(capacity), 1) : NULL;
  if (coded == NULL) {
    thud_free(context, scratch);
    return THUD_ERROR_MEMORY;
  }
  thud_column_space_release(context, space);
  *space = (thud_column_space){.scratch = scratch, .coded = coded, .capacity = capacity};
  return THUD_OK;
}

void thud_column_space_release(thud_context *context, thud_column_space *space) {
  thud_free(context, space->scratch);
  thud_free(context, space->coded);
  *space = (thud_column_space){0};
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static hid_t file_type(const thud_column_shape *shape) {
  switch (shape->kind) {
  case THUD_COLUMN_REAL: return H5Tcopy(H5T_IEEE_F64LE);
  case THUD_COLUMN_INTEGER: return H5Tcopy(H5T_STD_I32LE);
  case THUD_COLUMN_SMALL: return H5Tcopy(H5T_STD_I8LE);
  case THUD_COLUMN_BYTE: return H5Tcopy(H5T_STD_U8LE);
  case THUD_COLUMN_LONG: return H5Tcopy(H5T_STD_I64LE);
  case THUD_COLUMN_STRING: return thud_h5_string_type(shape->width - 1);
  }
  return -1;
}

/* Texts are one-dimensional datasets, numbers [rows x width]. */
static int rank_of(thud_column_kind kind) { return kind == THUD_COLUMN_STRING ? 1 : 2; }

static hid_t create_dataset(hid_t parent, const char *name, const thud_column_shape *shape) {
  int rank = rank_of(shape->kind);
  hsize_t extent[2] = {0, shape->width}, limit[2] = {H5S_UNLIMITED, shape->width};
  hsize_t chunk[2] = {shape->chunk_rows, shape->width};
  hid_t dataset = -1;
  hid_t type = file_type(shape);
  hid_t space = H5Screate_simple(rank, extent, limit);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (type >= 0 && space >= 0 && creation >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 &&
      H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, THUD_CODEC_LEVEL) >= 0 &&
      H5Pset_fletcher32(creation) >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
      H5Pset_attr_phase_change(creation, ATTRIBUTES_IN_HEADER, ATTRIBUTES_IN_HEADER) >= 0)
    dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  thud_h5_drop(creation);
  thud_h5_drop(space);
  thud_h5_drop(type);
  return dataset;
}

thud_error thud_column_create(thud_context *context, const char *path, hid_t parent, const char *name,
                              thud_column_shape shape, thud_column_writer *column) {
  thud_column_writer made = {.shape = shape};
  made.buffer = thud_alloc(context, shape.chunk_bytes, 1);
  if (made.buffer == NULL) return THUD_ERROR_MEMORY;
  made.dataset = create_dataset(parent, name, &shape);
  if (made.dataset < 0) {
    thud_free(context, made.buffer);
    return thud_h5_fail(context, THUD_ERROR_FILE, path, "a dataset cannot be created");
  }
  *column = made;
  return THUD_OK;
}

void thud_column_writer_release(thud_context *context, thud_column_writer *column) {
  thud_h5_drop(column->dataset);
  thud_free(context, column->buffer);
  *column = (thud_column_writer){0};
}

uint8_t *thud_column_next(thud_column_writer *column) {
  return column->buffer + column->buffered * column->shape.row_bytes;
}

static herr_t write_bytes(const thud_column_writer *column, bool coded, thud_column_space *space) {
  hsize_t offset[2] = {column->full_rows, 0};
  const thud_column_shape *shape = &column->shape;
  if (!coded)
    return H5Dwrite_chunk(column->dataset, H5P_DEFAULT, THUD_CODEC_VERBATIM, offset, shape->chunk_bytes,
                          column->buffer);
  size_t count;
  if (!thud_codec_encode(column->buffer, shape->chunk_bytes, shape->element_size, space->scratch, space->coded, &count))
    return -1;
  return H5Dwrite_chunk(column->dataset, H5P_DEFAULT, THUD_CODEC_CODED, offset, count, space->coded);
}

static herr_t extend(const thud_column_writer *column) {
  hsize_t extent[2] = {column->full_rows + column->buffered, column->shape.width};
  return H5Dset_extent(column->dataset, extent);
}

herr_t thud_column_store(thud_column_writer *column, bool last, thud_column_space *space) {
  if (column->stored == column->buffered) return 0;
  bool full = column->buffered == column->shape.chunk_rows;
  if (column->stored == 0) {
    /* HDF5 takes a chunk only inside the extent. */
    if (extend(column) < 0 || write_bytes(column, full || last, space) < 0) return -1;
  } else if (write_bytes(column, false, space) < 0 || extend(column) < 0) {
    return -1;
  }
  column->stored = column->buffered;
  if (!full) return 0;
  column->full_rows += column->buffered;
  column->buffered = column->stored = 0;
  memset(column->buffer, 0, column->shape.chunk_bytes);
  return 0;
}

/* Counts rows that were put into the buffer. */
static herr_t take_in(thud_column_writer *column, size_t rows, thud_column_space *space) {
  column->buffered += rows;
  return column->buffered == column->shape.chunk_rows ? thud_column_store(column, false, space) : 0;
}

herr_t thud_column_push(thud_column_writer *column, thud_column_space *space) { return take_in(column, 1, space); }

static size_t room_for(const thud_column_writer *column, size_t rows) {
  size_t room = column->shape.chunk_rows - column->buffered;
  return rows < room ? rows : room;
}

herr_t thud_column_push_bytes(thud_column_writer *column, size_t rows, const void *bytes, thud_column_space *space) {
  const uint8_t *next = bytes;
  herr_t status = 0;
  while (rows > 0 && status >= 0) {
    size_t taken = room_for(column, rows), count = taken * column->shape.row_bytes;
    memcpy(thud_column_next(column), next, count);
    next += count;
    rows -= taken;
    status = take_in(column, taken, space);
  }
  return status;
}

herr_t thud_column_push_numbers(thud_column_writer *column, size_t rows, const double *values,
                                thud_column_space *space) {
  const thud_column_shape *shape = &column->shape;
  herr_t status = 0;
  while (rows > 0 && status >= 0) {
    size_t taken = room_for(column, rows), count = taken * shape->width;
    uint8_t *bytes = thud_column_next(column);
    for (size_t k = 0; k < count; k++) thud_column_put_number(shape->kind, values[k], bytes + k * shape->element_size);
    values += count;
    rows -= taken;
    status = take_in(column, taken, space);
  }
  return status;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static bool has_our_filters(hid_t creation) {
  static const H5Z_filter_t expected[3] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
  if (H5Pget_nfilters(creation) != 3) return false;
  for (unsigned k = 0; k < 3; k++) {
    unsigned flags, config, values[8];
    size_t count = 8;
    char name[8];
    if (H5Pget_filter2(creation, k, &flags, &count, values, sizeof name, name, &config) != expected[k]) return false;
  }
  return true;
}

static bool type_matches(hid_t type, thud_column_kind kind) {
  switch (kind) {
  case THUD_COLUMN_REAL: return H5Tequal(type, H5T_IEEE_F64LE) > 0;
  case THUD_COLUMN_INTEGER: return H5Tequal(type, H5T_STD_I32LE) > 0;
  case THUD_COLUMN_SMALL: return H5Tequal(type, H5T_STD_I8LE) > 0;
  case THUD_COLUMN_BYTE: return H5Tequal(type, H5T_STD_U8LE) > 0;
  case THUD_COLUMN_LONG: return H5Tequal(type, H5T_STD_I64LE) > 0;
  case THUD_COLUMN_STRING: return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  }
  return false;
}

/* The shape that the dataset announces, with the number of rows; false when a record cannot have it. */
static bool read_shape(hid_t dataset, thud_column_kind kind, thud_column_shape *shape, hsize_t *rows) {
  int rank = rank_of(kind);
  hsize_t extent[2] = {0, 0}, chunk[2] = {0, 0};
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset), creation = H5Dget_create_plist(dataset);
  bool good = type >= 0 && space >= 0 && creation >= 0 && type_matches(type, kind) &&
              H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
              H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, rank, chunk) == rank &&
              has_our_filters(creation);
  size_t width = good ? (kind == THUD_COLUMN_STRING ? H5Tget_size(type) : (size_t)extent[1]) : 0;
  if (kind != THUD_COLUMN_STRING) good = good && chunk[1] == extent[1];
  good = good && thud_column_shape_make(kind, width, (size_t)chunk[0], shape);
  *rows = extent[0];
  thud_h5_drop(creation);
  thud_h5_drop(space);
  thud_h5_drop(type);
  return good;
}

/* Size of a chunk in the file, 0 when it is not there or cannot be one of ours. */
static hsize_t chunk_size(const thud_column_reader *column, size_t chunk) {
  hsize_t offset[2] = {(hsize_t)chunk * column->shape.chunk_rows, 0}, size = 0;
  if (H5Dget_chunk_storage_size(column->dataset, offset, &size) < 0) return 0;
  return size <= thud_codec_bound(column->shape.chunk_bytes) ? size : 0;
}

/* Rows in front of the first missing chunk: what a killed run has left, or what an absurd extent shrinks to. */
static size_t count_present_rows(const thud_column_reader *column, hsize_t announced) {
  size_t chunk = 0, rows_per_chunk = column->shape.chunk_rows;
  while ((hsize_t)chunk * rows_per_chunk < announced && chunk_size(column, chunk) > 0) chunk++;
  hsize_t present = (hsize_t)chunk * rows_per_chunk;
  return (size_t)(present < announced ? present : announced);
}

/* Takes the open dataset over, also on failure. */
static thud_error take_dataset(thud_context *context, const char *path, hid_t dataset, const char *name,
                               thud_column_kind kind, uint64_t file_bytes, thud_column_reader *column) {
  thud_column_reader made = {.held_chunk = SIZE_MAX, .dataset = dataset};
  hsize_t announced = 0;
  if (!read_shape(made.dataset, kind, &made.shape, &announced) ||
      (made.shape.chunk_bytes > SMALL_CHUNK && made.shape.chunk_bytes / DEFLATE_RATIO > file_bytes)) {
    thud_column_reader_release(context, &made);
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "[record-damaged] %s: the record is damaged: '%s' has not the shape of a record's data", path,
                     name);
  }
  made.rows = count_present_rows(&made, announced);
  made.complete = made.rows == announced;
  *column = made;
  return THUD_OK;
}

static thud_error open_dataset(thud_context *context, const char *path, hid_t file, const char *name, hid_t *dataset) {
  *dataset = H5Dopen2(file, name, H5P_DEFAULT);
  if (*dataset >= 0) return THUD_OK;
  return thud_fail(context, THUD_ERROR_FORMAT,
                   "[record-damaged] %s: the record is damaged: '%s' is missing or unreadable", path, name);
}

thud_error thud_column_open(thud_context *context, const char *path, hid_t file, const char *name,
                            thud_column_kind kind, uint64_t file_bytes, thud_column_reader *column) {
  hid_t dataset;
  thud_error error = open_dataset(context, path, file, name, &dataset);
  return error == THUD_OK ? take_dataset(context, path, dataset, name, kind, file_bytes, column) : error;
}

/* The kind that a channel of this type of values has. */
static thud_column_kind kind_of(hid_t dataset) {
  hid_t type = H5Dget_type(dataset);
  thud_column_kind kind = THUD_COLUMN_REAL;
  if (type >= 0 && H5Tget_class(type) != H5T_FLOAT)
    kind = H5Tget_size(type) > 1               ? THUD_COLUMN_INTEGER
           : H5Tget_sign(type) == H5T_SGN_NONE ? THUD_COLUMN_BYTE
                                               : THUD_COLUMN_SMALL;
  thud_h5_drop(type);
  return kind;
}

thud_error thud_column_open_channel(thud_context *context, const char *path, hid_t file, const char *name,
                                    uint64_t file_bytes, thud_column_reader *column) {
  hid_t dataset;
  thud_error error = open_dataset(context, path, file, name, &dataset);
  return error == THUD_OK ? take_dataset(context, path, dataset, name, kind_of(dataset), file_bytes, column) : error;
}

void thud_column_reader_release(thud_context *context, thud_column_reader *column) {
  thud_h5_drop(column->dataset);
  thud_free(context, column->buffer);
  *column = (thud_column_reader){0};
}

static bool load_chunk(thud_column_reader *column, size_t chunk, thud_column_space *space) {
  const thud_column_shape *shape = &column->shape;
  hsize_t offset[2] = {(hsize_t)chunk * shape->chunk_rows, 0}, size = chunk_size(column, chunk);
  uint32_t mask = 0;
  if (size == 0 || H5Dread_chunk(column->dataset, H5P_DEFAULT, offset, &mask, space->coded) < 0) return false;
  if (mask == THUD_CODEC_CODED)
    return thud_codec_decode(space->coded, (size_t)size, shape->element_size, shape->chunk_bytes, space->scratch,
                             column->buffer);
  if (mask != THUD_CODEC_VERBATIM || size != shape->chunk_bytes) return false;
  memcpy(column->buffer, space->coded, shape->chunk_bytes);
  return true;
}

thud_error thud_column_fetch(thud_context *context, const char *path, thud_column_reader *column, size_t row,
                             thud_column_space *space, const uint8_t **bytes, size_t *rows_there) {
  const thud_column_shape *shape = &column->shape;
  size_t chunk = row / shape->chunk_rows, within = row % shape->chunk_rows;
  if (column->held_chunk != chunk) {
    thud_error error = thud_column_space_reserve(context, shape->chunk_bytes, space);
    if (error == THUD_OK && column->buffer == NULL) column->buffer = thud_alloc(context, shape->chunk_bytes, 1);
    if (column->buffer == NULL) return THUD_ERROR_MEMORY;
    if (error != THUD_OK) return error;
    error = thud_h5_need_memory(context);
    if (error != THUD_OK) return error;
    column->held_chunk = SIZE_MAX;
    if (!load_chunk(column, chunk, space))
      return thud_fail(context, THUD_ERROR_FORMAT,
                       "[record-damaged] %s: the record is damaged: rows %zu to %zu cannot be read", path,
                       chunk * shape->chunk_rows, (chunk + 1) * shape->chunk_rows - 1);
    column->held_chunk = chunk;
  }
  size_t left = column->rows - row, in_chunk = shape->chunk_rows - within;
  *rows_there = left < in_chunk ? left : in_chunk;
  *bytes = column->buffer + within * shape->row_bytes;
  return THUD_OK;
}

thud_error thud_column_read_numbers(thud_context *context, const char *path, thud_column_reader *column, size_t first,
                                    size_t count, thud_column_space *space, double *values) {
  const thud_column_shape *shape = &column->shape;
  while (count > 0) {
    const uint8_t *bytes = NULL;
    size_t there = 0;
    thud_error error = thud_column_fetch(context, path, column, first, space, &bytes, &there);
    if (error != THUD_OK) return error;
    size_t taken = there < count ? there : count, numbers = taken * shape->width;
    for (size_t k = 0; k < numbers; k++)
      values[k] = thud_column_get_number(shape->kind, bytes + k * shape->element_size);
    values += numbers;
    first += taken;
    count -= taken;
  }
  return THUD_OK;
}

thud_error thud_column_read_bytes(thud_context *context, const char *path, thud_column_reader *column, size_t first,
                                  size_t count, thud_column_space *space, void *bytes) {
  uint8_t *next = bytes;
  while (count > 0) {
    const uint8_t *source = NULL;
    size_t there = 0;
    thud_error error = thud_column_fetch(context, path, column, first, space, &source, &there);
    if (error != THUD_OK) return error;
    size_t taken = there < count ? there : count;
    memcpy(next, source, taken * column->shape.row_bytes);
    next += taken * column->shape.row_bytes;
    first += taken;
    count -= taken;
  }
  return THUD_OK;
}

/* ---- numbers as little-endian bytes ------------------------------------------------------------------- */

static void put_bits(uint64_t bits, size_t count, uint8_t *bytes) {
  for (size_t k = 0; k < count; k++) bytes[k] = (uint8_t)(bits >> (8 * k));
}

static uint64_t get_bits(size_t count, const uint8_t *bytes) {
  uint64_t bits = 0;
  for (size_t k = 0; k < count; k++) bits |= (uint64_t)bytes[k] << (8 * k);
  return bits;
}

static const double largest_long = 9007199254740992.0; /* 2^53: up to here every whole number is a double */

bool thud_column_fits(thud_column_kind kind, double value) {
  switch (kind) {
  case THUD_COLUMN_REAL: return true;
  case THUD_COLUMN_SMALL: return value >= INT8_MIN && value <= INT8_MAX && value == (double)(int8_t)value;
  case THUD_COLUMN_BYTE: return value >= 0 && value <= UINT8_MAX && value == (double)(uint8_t)value;
  case THUD_COLUMN_INTEGER: return value >= INT32_MIN && value <= INT32_MAX && value == (double)(int32_t)value;
  case THUD_COLUMN_LONG: return fabs(value) <= largest_long && value == (double)(int64_t)value;
  case THUD_COLUMN_STRING: return false;
  }
  return false;
}

void thud_column_put_number(thud_column_kind kind, double value, uint8_t *bytes) {
  uint64_t bits;
  if (kind == THUD_COLUMN_REAL)
    memcpy(&bits, &value, sizeof bits);
  else
    bits = (uint64_t)(int64_t)value;
  put_bits(bits, element_size_of(kind, 1), bytes);
}

double thud_column_get_number(thud_column_kind kind, const uint8_t *bytes) {
  switch (kind) {
  case THUD_COLUMN_REAL: {
    uint64_t bits = get_bits(8, bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  case THUD_COLUMN_SMALL: return (int8_t)bytes[0];
  case THUD_COLUMN_INTEGER: return (int32_t)(uint32_t)get_bits(4, bytes);
  case THUD_COLUMN_LONG: return (double)(int64_t)get_bits(8, bytes);
  case THUD_COLUMN_BYTE:
  case THUD_COLUMN_STRING: return bytes[0];
  }
  return 0;
}
