/* Bodies from a file, CSV or HDF5: {file: grains.csv, name: grain, body: {...}}. A record holds the table as CSV. */
#include "geom/shape_class.h"
#include "kinds/bodies/bodies_scene.h"
#include "base/json.h"
#include "record/h5.h"
#include "run/beside.h"
#include "scene/resolve.h"
#include "tree/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static const char *const column_names[TABLE_COLUMNS] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",     "angle", "vx",
                                                        "vy", "vz", "wx", "wy", "wz", "w",  "radius", "scale", "name"};

/* A table in the reading: where the columns stand on each line. */
typedef struct table {
  bodies_scene *made;
  const thud_node *node; /* for messages */
  const char *file, *at, *end;
  size_t line, fields;
  size_t order[TABLE_COLUMNS]; /* column of the k-th field */
  bool has[TABLE_COLUMNS];
  double values[TABLE_COLUMNS];
  char name[BODIES_NAME_ROOM + 1];
} table;

static thud_error refuse(const table *read, const char *what, const char *word) {
  return thud_node_fail(read->node, THUD_ERROR_SCHEMA, "[bad-file-content] %s, line %zu: %s%s%s%s", read->file,
                        read->line, what, word != NULL ? " '" : "", word != NULL ? word : "", word != NULL ? "'" : "");
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

/* The next line that has something, without its end; false when there is none. */
static bool next_line(table *read, const char **line, size_t *length) {
  while (read->at < read->end) {
    const char *stop = memchr(read->at, '\n', (size_t)(read->end - read->at));
    size_t size = (size_t)((stop != NULL ? stop : read->end) - read->at);
    *line = read->at;
    read->at += size + (stop != NULL);
    read->line++;
    while (size > 0 && strchr(" \t\r", (*line)[size - 1]) != NULL) size--;
    *length = size;
    if (size > 0 && (*line)[0] != '#') return true;
  }
  return false;
}

/* The field at the beginning of the line, without blanks; false at its end. A field that is too long is cut. */
static bool next_field(const char **line, size_t *length, bool *last, char *word, size_t room) {
  if (*last) return false;
  const char *comma = memchr(*line, ',', *length);
  size_t size = comma != NULL ? (size_t)(comma - *line) : *length;
  const char *from = *line;
  *last = comma == NULL;
  *line += size + (comma != NULL);
  *length -= size + (comma != NULL);
  while (size > 0 && strchr(" \t\"", *from) != NULL) from++, size--;
  while (size > 0 && strchr(" \t\"", from[size - 1]) != NULL) size--;
  if (size > room - 1) size = room - 1;
  memcpy(word, from, size);
  word[size] = '\0';
  return true;
}

static thud_error read_head(table *read) {
  const char *line;
  size_t length;
  char word[80];
  bool last = false;
  if (!next_line(read, &line, &length))
    return thud_node_fail(read->node, THUD_ERROR_SCHEMA,
                          "[bad-file-content] %s is empty; a line with the names of the columns is needed", read->file);
  while (next_field(&line, &length, &last, word, sizeof word)) {
    size_t column = 0;
    while (column < TABLE_COLUMNS && strcmp(column_names[column], word) != 0) column++;
    if (column == TABLE_COLUMNS) {
      const char *near = thud_suggest(word, column_names, TABLE_COLUMNS);
      return thud_node_fail(read->node, THUD_ERROR_SCHEMA, "[unknown-name] %s, line %zu: unknown column '%s'%s%s%s",
                            read->file, read->line, word, near != NULL ? "; did you mean '" : "",
                            near != NULL ? near : "", near != NULL ? "'?" : "");
    }
    if (read->has[column]) return refuse(read, "two columns are called", word);
    read->has[column] = true;
    read->order[read->fields++] = column;
  }
  return THUD_OK;
}

/* Groups of columns that come together, and those that are needed at all. */
static thud_error check_columns(const table *read) {
  static const int space[] = {TABLE_X, TABLE_Y, TABLE_Z}, plane[] = {TABLE_X, TABLE_Y};
  static const int only_plane[] = {TABLE_ANGLE, TABLE_W};
  static const int only_space[] = {TABLE_Z,  TABLE_QW, TABLE_QX, TABLE_QY, TABLE_QZ,
                                   TABLE_VZ, TABLE_WX, TABLE_WY, TABLE_WZ};
  bool planar = read->made->planar;
  const int *needed = planar ? plane : space, *other = planar ? only_space : only_plane;
  size_t needed_count = planar ? 2 : 3, other_count = planar ? 9 : 2;
  for (size_t k = 0; k < needed_count; k++)
    if (!read->has[needed[k]]) return refuse(read, "there is no column", column_names[needed[k]]);
  for (size_t k = 0; k < other_count; k++)
    if (read->has[other[k]])
      return refuse(read, planar ? "bodies of the plane have no column" : "bodies of space have no column",
                    column_names[other[k]]);
  for (size_t k = TABLE_QW; k <= TABLE_QZ; k++)
    if (read->has[k] != read->has[TABLE_QW]) return refuse(read, "the four columns qw, qx, qy, qz come together", NULL);
  if (read->has[TABLE_RADIUS] && read->has[TABLE_SCALE])
    return refuse(read, "'radius' and 'scale' both say how large a body is; one is enough", NULL);
  return THUD_OK;
}

static thud_error read_field(table *read, size_t column, const char *word) {
  double *value = &read->values[column];
  if (column == TABLE_NAME) {
    if (word[0] == '\0' || strlen(word) >= BODIES_NAME_ROOM) return refuse(read, "no name of a body:", word);
    if (thud_names_find(&read->made->names, word, strlen(word)) != THUD_NAMES_NONE)
      return refuse(read, "another body has the name", word);
    memcpy(read->name, word, strlen(word) + 1);
    return THUD_OK;
  }
  if (!thud_parse_double(word, value)) return refuse(read, "a finite number is needed, not", word);
  bool size = column == TABLE_RADIUS || column == TABLE_SCALE;
  return size && !(*value > 0) ? refuse(read, "a size must be greater than 0, not", word) : THUD_OK;
}

static thud_error read_line(table *read, const char *line, size_t length) {
  char word[80];
  bool last = false;
  size_t count = 0;
  thud_error error = THUD_OK;
  for (; error == THUD_OK && next_field(&line, &length, &last, word, sizeof word); count++)
    if (count < read->fields) error = read_field(read, read->order[count], word);
  if (error == THUD_OK && count != read->fields)
    error = thud_node_fail(read->node, THUD_ERROR_SCHEMA,
                           "[bad-file-content] %s, line %zu: %zu fields, %zu are needed as on the first line",
                           read->file, read->line, count, read->fields);
  return error;
}

/* ---- bodies --------------------------------------------------------------------------------------------------------------- */

static thud_error find_pose(const table *read, thud_pose *pose) {
  const double *v = read->values;
  *pose = thud_pose_identity();
  pose->position = thud_vec3_make(v[TABLE_X], v[TABLE_Y], v[TABLE_Z]);
  if (read->has[TABLE_QW]) {
    thud_quat q = thud_quat_make(v[TABLE_QW], v[TABLE_QX], v[TABLE_QY], v[TABLE_QZ]);
    if (!(fabs(thud_quat_norm(q) - 1) <= 1e-3)) return refuse(read, "the quaternion has not the norm 1", NULL);
    pose->rotation = thud_quat_normalise(q);
  }
  if (read->has[TABLE_ANGLE]) pose->rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, v[TABLE_ANGLE]));
  return THUD_OK;
}

/* The pattern in the size of this line. */
static thud_error find_size(table *read, const bodies_pattern *pattern, double *scale, bodies_pattern *sized) {
  double wanted = read->has[TABLE_SCALE] ? read->values[TABLE_SCALE] : 1;
  if (read->has[TABLE_RADIUS]) {
    thud_shape_def def = thud_shape_get_def(read->made->shapes[pattern->parts[0].shape]);
    wanted = read->values[TABLE_RADIUS] / def.radius;
  }
  if (wanted == *scale) return THUD_OK;
  thud_bodies_pattern_free(read->made, sized);
  *scale = wanted;
  return thud_bodies_pattern_scale(read->made, pattern, wanted, sized);
}

static thud_error add_line(table *read, const bodies_pattern *sized, const char *name, size_t *number) {
  const double *v = read->values;
  bodies_pattern one = *sized;
  thud_pose pose;
  bool planar = read->made->planar, velocity = read->has[TABLE_VX] || read->has[TABLE_VY] || read->has[TABLE_VZ];
  bool spin = planar ? read->has[TABLE_W] : read->has[TABLE_WX] || read->has[TABLE_WY] || read->has[TABLE_WZ];
  if (velocity) one.def.velocity = thud_vec3_make(v[TABLE_VX], v[TABLE_VY], v[TABLE_VZ]);
  if (spin)
    one.def.spin = planar ? thud_vec3_make(0, 0, v[TABLE_W]) : thud_vec3_make(v[TABLE_WX], v[TABLE_WY], v[TABLE_WZ]);
  thud_error error = find_pose(read, &pose);
  if (error != THUD_OK) return error;
  return read->has[TABLE_NAME] ? thud_bodies_add_body(read->made, read->node, &one, read->name, &pose, NULL)
                               : thud_bodies_add_numbered(read->made, read->node, &one, name, number, &pose);
}

static thud_error add_lines(table *read, const bodies_pattern *pattern, const char *name) {
  bodies_pattern sized = {0};
  const char *line;
  size_t length, number = 0, count = 0;
  double scale = 0; /* none yet */
  thud_error error = THUD_OK;
  for (; error == THUD_OK && next_line(read, &line, &length); count++) {
    error = read_line(read, line, length);
    if (error == THUD_OK) error = find_size(read, pattern, &scale, &sized);
    if (error == THUD_OK) error = add_line(read, &sized, name, &number);
  }
  thud_bodies_pattern_free(read->made, &sized);
  if (error == THUD_OK && count == 0)
    error = thud_node_fail(read->node, THUD_ERROR_SCHEMA, "[bad-file-content] %s has no bodies, only names of columns",
                           read->file);
  return error;
}

/* Without a shape the bodies of a table with radii are spheres, or discs. */
static thud_error read_pattern(table *read, const thud_node *body, bodies_pattern *pattern) {
  bodies_scene *made = read->made;
  bool bare = thud_node_get_kind(body) == THUD_NODE_MAP && thud_node_find(body, "shape") == NULL &&
              thud_node_find(body, "parts") == NULL && read->has[TABLE_RADIUS];
  thud_error error = THUD_OK;
  if (bare) {
    thud_shape_def def = thud_shape_def_default(made->planar ? THUD_SHAPE_DISC : THUD_SHAPE_SPHERE);
    def.radius = 1;
    error = thud_bodies_add_known_shape(made, body, &def, &made->assumed);
    if (error == THUD_OK && thud_node_find(body, "mass") != NULL)
      error = thud_node_fail(thud_node_find(body, "mass"), THUD_ERROR_SCHEMA,
                             "[misplaced-key] bodies of different radii have a 'density', not one mass");
  }
  if (error == THUD_OK) error = thud_bodies_read_pattern(made, body, true, pattern);
  made->assumed = -1;
  if (error != THUD_OK || !read->has[TABLE_RADIUS]) return error;
  thud_shape_def def = thud_shape_get_def(made->shapes[pattern->parts[0].shape]);
  bool round = thud_shape_class_of(def.kind)->ball;
  if (pattern->part_count == 1 && round && def.radius > 0) return THUD_OK;
  error = thud_node_fail(body, THUD_ERROR_SCHEMA,
                         "[contradictory-keys] a column 'radius' goes with spheres and discs; use 'scale'");
  thud_bodies_pattern_free(made, pattern);
  return error;
}

thud_error thud_bodies_read_table(bodies_scene *made, const thud_node *node) {
  static const char *const keys[] = {"file", "table", "name", "body"};
  const thud_node *file = thud_node_find(node, "file"), *text, *body, *named;
  const char *chars, *name = "body";
  table read = {.made = made, .node = file != NULL ? file : node, .file = "table"};
  bodies_pattern pattern = {0};
  thud_error error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK && file != NULL) error = thud_node_read_string(file, &read.file);
  if (error == THUD_OK) error = thud_node_require(node, "table", &text);
  if (error == THUD_OK) error = thud_node_read_string(text, &chars);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "body", "the keys of a body that all have, such as {material: stone}", &body);
  if (error == THUD_OK && (named = thud_node_find(node, "name")) != NULL) error = thud_bodies_read_name(named, &name);
  if (error != THUD_OK) return error;
  read.at = chars;
  read.end = chars + strlen(chars);
  error = read_head(&read);
  if (error == THUD_OK) error = check_columns(&read);
  if (error == THUD_OK) error = read_pattern(&read, body, &pattern);
  if (error == THUD_OK) error = add_lines(&read, &pattern, name);
  thud_bodies_pattern_free(made, &pattern);
  return error;
}

/* ---- HDF5 ------------------------------------------------------------------------------------------------------------ */

/* One dataset of one dimension for each column. */

typedef struct columns {
  thud_context *context;
  const char *path;
  hid_t file;
  size_t count;                  /* of bodies */
  size_t opened;                 /* columns so far */
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
  /* A value takes two bytes of the table at least: what cannot fit is not read, nor what was never written. */
  if (!line)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT, "[bad-file-content] %s: dataset '%s' is no list of numbers",
                       read->path, name);
  else if (length > 0 && H5Dget_storage_size(dataset) == 0)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT, "[bad-file-content] %s: dataset '%s' was never written",
                       read->path, name);
  else if (length == 0 || length > THUD_TREE_MAX_BYTES / 4)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT,
                       "[bad-file-content] %s: dataset '%s' has %llu values; from 1 to %d are possible", read->path,
                       name, (unsigned long long)length, THUD_TREE_MAX_BYTES / 4);
  else if (read->count > 0 && length != read->count)
    *error = thud_fail(read->context, THUD_ERROR_FORMAT,
                       "[bad-file-content] %s: dataset '%s' has %llu values, another one %zu", read->path, name,
                       (unsigned long long)length, read->count);
  else if ((size_t)length > THUD_TREE_MAX_BYTES / 2 / ++read->opened)
    *error = thud_fail(read->context, THUD_ERROR_OVERFLOW,
                       "[bad-file-content] %s: a table of %zu columns with %llu values each is too large for a scene",
                       read->path, read->opened, (unsigned long long)length);
  if (*error == THUD_OK) {
    read->count = (size_t)length;
    return dataset;
  }
  thud_h5_drop(dataset);
  return -1;
}

static thud_error read_numbers(columns *read, size_t column) {
  const char *name = column_names[column];
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
                        "[bad-file-content] %s: dataset '%s', entry %zu is %g; a finite number is needed", read->path,
                        name, k, values[k]);
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
    error = thud_fail(read->context, THUD_ERROR_FORMAT,
                      "[bad-file-content] %s: dataset 'name' needs strings of variable length", read->path);
  read->names = error == THUD_OK ? THUD_NEW_ARRAY(read->context, char *, read->count) : NULL;
  if (error == THUD_OK && read->names == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, (void *)read->names) < 0)
    error = thud_h5_fail(read->context, THUD_ERROR_FORMAT, read->path, "name");
  for (size_t k = 0; k < read->count && error == THUD_OK; k++) /* they become fields of a line */
    if (read->names[k] != NULL && strpbrk(read->names[k], ",\n") != NULL)
      error =
          thud_fail(read->context, THUD_ERROR_FORMAT,
                    "[contradictory-keys] %s: dataset 'name', entry %zu: names must have neither commas nor line ends",
                    read->path, k);
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
      thud_text_print(text, "%s%s", comma, column_names[c]);
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

/* The datasets of an HDF5 file that are columns, as a table in CSV. */
static thud_error table_from_hdf5(thud_context *context, const char *path, thud_text *text) {
  columns read = {.context = context, .path = path, .file = -1};
  thud_error error = thud_h5_need_memory(context);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  read.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (read.file < 0) error = thud_h5_fail(context, THUD_ERROR_FILE, path, "cannot be opened as an HDF5 file");
  for (size_t c = 0; c < TABLE_NAME && error == THUD_OK; c++) error = read_numbers(&read, c);
  if (error == THUD_OK) error = read_names(&read);
  if (error == THUD_OK && read.count == 0)
    error = thud_fail(context, THUD_ERROR_FORMAT, "[bad-file-content] %s: no datasets x, y, ... are in it", path);
  if (error == THUD_OK) write_table(&read, text);
  if (error == THUD_OK && text->length > THUD_TREE_MAX_BYTES)
    error = thud_fail(context, THUD_ERROR_OVERFLOW,
                      "[bad-file-content] %s: a table of %zu bytes is too large for a scene", path, text->length);
  for (size_t k = 0; read.names != NULL && k < read.count; k++) (void)H5free_memory(read.names[k]);
  thud_free(context, (void *)read.names);
  for (size_t c = 0; c < TABLE_COLUMNS; c++) thud_free(context, read.values[c]);
  thud_h5_drop(read.file);
  thud_h5_leave(guard);
  return error == THUD_OK ? text->error : error;
}

/* ---- files ------------------------------------------------------------------------------------------------------------------ */

static thud_error convert_csv(thud_context *context, const thud_node *map, const char *name, const char *bytes,
                              size_t size, thud_text *text) {
  (void)map;
  if (memchr(bytes, 0, size) != NULL)
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "[bad-file-content] %s: a text with a table is needed (or an HDF5 file, *.h5)", name);
  if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) bytes += 3, size -= 3;
  thud_text_append(text, bytes, size);
  return text->error;
}

static bool is_hdf5(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

static thud_error take_hdf5(thud_tree *tree, const thud_node *node, const thud_node *named) {
  thud_context *context = NULL;
  thud_error error = thud_context_create(NULL, &context);
  if (error != THUD_OK) return error;
  thud_text path = thud_text_new(context), text = thud_text_new(context);
  error = thud_run_name_beside(tree, named, &path);
  if (error == THUD_OK) {
    error = table_from_hdf5(context, thud_text_chars(&path), &text);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_as(named, error, context);
  }
  if (error == THUD_OK) error = thud_resolve_text(tree, node, "table", thud_text_chars(&text));
  thud_text_free(&path);
  thud_text_free(&text);
  thud_context_destroy(context);
  return error;
}

thud_error thud_bodies_take_table(thud_tree *tree, const thud_node *node) {
  if (thud_node_get_kind(node) != THUD_NODE_MAP) return THUD_OK;
  const thud_node *named = thud_node_find(node, "file");
  if (named == NULL || thud_node_find(node, "table") != NULL) return THUD_OK;
  bool hdf5 = thud_node_get_kind(named) == THUD_NODE_STRING && is_hdf5(thud_node_string(named));
  return hdf5 ? take_hdf5(tree, node, named) : thud_run_take_file(tree, node, "table", convert_csv);
}
