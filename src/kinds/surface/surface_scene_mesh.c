/* Meshes and tables of heights in scenes: made by the scene, or texts of files. */
#include "run/beside.h"
#include "kinds/surface/surface_scene.h"
#include "scene/resolve.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* Any file of Gmsh becomes text of the format 2.2 with what is needed of it. */
static thud_error convert_mesh(thud_context *context, const thud_node *map, const char *name, const char *bytes,
                               size_t size, thud_text *text) {
  thud_mesh *mesh = NULL;
  char *written = NULL;
  (void)map;
  thud_error error = thud_mesh_read_gmsh(context, name, bytes, size, &mesh);
  if (error != THUD_OK) return error;
  error = thud_mesh_write_gmsh(mesh, &written);
  if (error == THUD_OK) thud_text_append(text, written, strlen(written));
  thud_mesh_free_text(mesh, written);
  thud_mesh_destroy(mesh);
  return error;
}

thud_error thud_surface_take_mesh(thud_tree *tree, const thud_node *mesh) {
  return thud_run_take_file(tree, mesh, "gmsh", convert_mesh);
}

/* ---- pictures as heights -------------------------------------------------------------------------------------------- */

/* The next number of the head of a PGM file; -1: there is none. */
static long pgm_number(const char *bytes, size_t size, size_t *at) {
  while (*at < size && (strchr(" \t\r\n", bytes[*at]) != NULL || bytes[*at] == '#')) {
    if (bytes[*at] == '#')
      while (*at < size && bytes[*at] != '\n') (*at)++;
    else
      (*at)++;
  }
  long number = -1;
  for (; *at < size && bytes[*at] >= '0' && bytes[*at] <= '9' && number < 100000000; (*at)++)
    number = 10 * (number < 0 ? 0 : number) + (bytes[*at] - '0');
  return number;
}

static double plain_number(const thud_node *map, const char *key, double otherwise) {
  const thud_node *node = thud_resolve_find(map, key);
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : otherwise;
}

/* Grey values 0 ... maximum become low ... high. */
static thud_error convert_picture(thud_context *context, const thud_node *map, const char *bytes, size_t size,
                                  thud_text *text) {
  size_t at = 2;
  bool plain = bytes[1] == '2';
  long width = pgm_number(bytes, size, &at), height = pgm_number(bytes, size, &at), most = pgm_number(bytes, size, &at);
  double low = plain_number(map, "low", 0), high = plain_number(map, "high", 1);
  size_t each = plain ? 2 : most > 255 ? 2 : 1;
  if (!plain) at++;
  if (width < 2 || height < 2 || most < 1 || most > 65535 || at > size ||
      (size_t)width > (size - at + 1) / each / (size_t)height)
    return thud_fail(context, THUD_ERROR_FORMAT,
                     "a PGM picture of %ld x %ld values up to %ld, for which the file is too "
                     "short, or which is none",
                     width, height, most);
  for (long k = 0; k < width * height; k++) {
    char number[THUD_DOUBLE_CAPACITY];
    const unsigned char *raw = (const unsigned char *)bytes + at;
    long grey = plain ? pgm_number(bytes, size, &at) : each == 1 ? raw[0] : 256 * raw[0] + raw[1];
    if (!plain) at += each;
    if (grey < 0 || grey > most)
      return thud_fail(context, THUD_ERROR_FORMAT, "grey value %ld of the picture is not within 0 and %ld", k, most);
    thud_format_double(low + (high - low) * (double)grey / (double)most, number, sizeof number);
    thud_text_print(text, "%s%s", number, (k + 1) % width == 0 ? "\n" : " ");
  }
  return THUD_OK;
}

static thud_error convert_heights(thud_context *context, const thud_node *map, const char *name, const char *bytes,
                                  size_t size, thud_text *text) {
  (void)name;
  if (size > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5'))
    return convert_picture(context, map, bytes, size, text);
  for (size_t k = 0; k < size; k++)
    if (bytes[k] == '\0') return thud_fail(context, THUD_ERROR_FORMAT, "neither a PGM picture (P2, P5) nor a table");
  thud_text_append(text, bytes, size);
  return THUD_OK;
}

thud_error thud_surface_take_heights(thud_tree *tree, const thud_node *heights) {
  if (heights == NULL || thud_node_get_kind(heights) != THUD_NODE_MAP) return THUD_OK;
  return thud_run_take_file(tree, heights, "table", convert_heights);
}

/* ---- the mesh -------------------------------------------------------------------------------------------------------- */

static thud_error read_numbers(surface_scene *made, const thud_node *list, size_t count, double *numbers) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_scene_read_constant(made->scene, thud_node_item(list, k), &numbers[k]);
  return error;
}

static thud_error read_rectangle(surface_scene *made, const thud_node *mesh, const thud_node *rectangle) {
  static const char *const keys[] = {"rectangle", "cells"};
  const thud_node *list;
  double box[4], count;
  thud_index cells[2] = {0, 0};
  thud_error error = thud_node_check_keys(mesh, keys, 2);
  if (error == THUD_OK) error = read_numbers(made, rectangle, 4, box);
  if (error == THUD_OK) error = thud_node_require(mesh, "cells", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != 2)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "the numbers of cells in x and y are needed");
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) {
    error = thud_scene_read_whole(made->scene, thud_node_item(list, k), 1, 20000, &count);
    if (error == THUD_OK) cells[k] = (thud_index)count;
  }
  return error == THUD_OK ? thud_mesh_rectangle(made->scene->context, box, cells, &made->mesh) : error;
}

static thud_error read_disc(surface_scene *made, const thud_node *mesh, const thud_node *disc) {
  static const char *const keys[] = {"disc", "rings"};
  const thud_node *node;
  double numbers[3], rings = 0;
  thud_error error = thud_node_check_keys(mesh, keys, 2);
  if (error == THUD_OK) error = read_numbers(made, disc, 3, numbers);
  if (error == THUD_OK) error = thud_node_require(mesh, "rings", &node);
  if (error == THUD_OK) error = thud_scene_read_whole(made->scene, node, 1, 5000, &rings);
  return error == THUD_OK ? thud_mesh_disc(made->scene->context, numbers, numbers[2], (thud_index)rings, &made->mesh)
                          : error;
}

static thud_error read_gmsh(surface_scene *made, const thud_node *mesh) {
  static const char *const keys[] = {"file", "gmsh"};
  const thud_node *node, *file = thud_node_find(mesh, "file");
  const char *text, *name = "mesh";
  thud_error error = thud_node_check_keys(mesh, keys, 2);
  if (error == THUD_OK && file != NULL) error = thud_node_read_string(file, &name);
  if (error == THUD_OK) error = thud_node_require(mesh, "gmsh", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, &text);
  return error == THUD_OK ? thud_mesh_read_gmsh(made->scene->context, name, text, strlen(text), &made->mesh) : error;
}

thud_error thud_surface_read_mesh(surface_scene *made, const thud_node *section) {
  const thud_node *mesh;
  thud_error error = thud_node_require(section, "mesh", &mesh);
  if (error == THUD_OK) error = thud_node_expect(mesh, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *rectangle = thud_node_find(mesh, "rectangle"), *disc = thud_node_find(mesh, "disc");
  error = rectangle != NULL ? read_rectangle(made, mesh, rectangle)
          : disc != NULL    ? read_disc(made, mesh, disc)
                            : read_gmsh(made, mesh);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY || error == THUD_ERROR_SCHEMA) return error;
  return thud_node_fail_within(mesh, THUD_ERROR_SCHEMA);
}

/* ---- tables of heights ------------------------------------------------------------------------------------------------- */

typedef struct height_table {
  size_t rows, columns, count, capacity;
  double *values;
} height_table;

/* Lines of numbers between blanks, commas or semicolons; "#" begins a comment. */
static thud_error read_table(thud_context *context, const thud_node *node, const char *text, height_table *table) {
  thud_error error = THUD_OK;
  for (size_t line = 1; *text != '\0' && error == THUD_OK; line++) {
    size_t before = table->count, length = strcspn(text, "\n");
    const char *end = text + length;
    while (text < end && error == THUD_OK) {
      char word[64];
      text += strspn(text, " \t\r,;");
      size_t size = strcspn(text, " \t\r,;\n#");
      if (size == 0) break; /* end of the line, or a comment */
      memcpy(word, text, size < sizeof word ? size : sizeof word - 1);
      word[size < sizeof word ? size : sizeof word - 1] = '\0';
      error = thud_array_reserve(context, &table->values, &table->capacity, table->count + 1, sizeof *table->values);
      if (error == THUD_OK && !thud_parse_double(word, &table->values[table->count++]))
        error = thud_node_fail(node, THUD_ERROR_SCHEMA, "line %zu of the table: '%s' is no number", line, word);
      text += size;
    }
    text = *end == '\n' ? end + 1 : end;
    if (error != THUD_OK || table->count == before) continue;
    if (table->rows++ == 0) table->columns = table->count;
    if (table->count - before != table->columns)
      error = thud_node_fail(node, THUD_ERROR_SCHEMA, "line %zu of the table has %zu numbers, the first one %zu", line,
                             table->count - before, table->columns);
  }
  if (error == THUD_OK && (table->rows < 2 || table->columns < 2))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a table of 2 x 2 heights at least is needed");
  return error;
}

/* Place within 0 ... count-1 along one axis. */
static bool place_along(double from, double to, double x, size_t count, size_t *cell, double *part) {
  double at = (x - from) / (to - from) * (double)(count - 1), slack = 1e-9 * (double)count;
  if (!(at >= -slack && at <= (double)(count - 1) + slack)) return false;
  at = fmin(fmax(at, 0), (double)(count - 1));
  *cell = (size_t)fmin(floor(at), (double)(count - 2));
  *part = at - (double)*cell;
  return true;
}

/* The first line is at the top of the box; linear in x and in y between the numbers. */
static thud_error interpolate(const surface_scene *made, const thud_node *node, const height_table *table,
                              const double box[4], double *out) {
  const double *xy = thud_mesh_get(made->mesh).xy;
  for (thud_index i = 0; i < made->n; i++) {
    double p, q, x = xy[2 * (ptrdiff_t)i], y = xy[2 * (ptrdiff_t)i + 1];
    size_t c, r;
    if (!place_along(box[0], box[2], x, table->columns, &c, &p) || !place_along(box[3], box[1], y, table->rows, &r, &q))
      return thud_node_fail(node, THUD_ERROR_SCHEMA, "the box of the table does not reach (%g, %g)", x, y);
    const double *top = table->values + r * table->columns + c, *next = top + table->columns;
    out[i] = (1 - q) * ((1 - p) * top[0] + p * top[1]) + q * ((1 - p) * next[0] + p * next[1]);
  }
  return THUD_OK;
}

thud_error thud_surface_read_heights(surface_scene *made, const thud_node *heights, double *out) {
  static const char *const keys[] = {"file", "table", "box", "low", "high"};
  const thud_node *text, *list;
  const char *source;
  height_table table = {0};
  double box[4];
  thud_error error = thud_node_check_keys(heights, keys, 5);
  if (error == THUD_OK) error = thud_node_require(heights, "box", &list);
  if (error == THUD_OK) error = read_numbers(made, list, 4, box);
  if (error == THUD_OK && (!(box[0] < box[2]) || !(box[1] < box[3])))
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[left, bottom, right, top] is needed");
  if (error == THUD_OK) error = thud_node_require(heights, "table", &text);
  if (error == THUD_OK) error = thud_node_read_string(text, &source);
  if (error == THUD_OK) error = read_table(made->scene->context, text, source, &table);
  if (error == THUD_OK) error = interpolate(made, text, &table, box, out);
  thud_free(made->scene->context, table.values);
  return error;
}
