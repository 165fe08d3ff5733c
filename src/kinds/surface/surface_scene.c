/* `membrane` and `plate` scenes: meshes and tables of heights, made by the scene or texts of files; supports, obstacle,
 * loads. */
#include "base/json.h"
#include "kinds/surface/surface_scene.h"
#include "run/beside.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A place belongs to a triangle when its weights are no more negative than that. */
static const double INSIDE = 1e-12;

enum { LIFT = SURFACE_LIFT, LOAD_FACTOR, V_FACTOR, U_FACTOR, FORCE_FACTOR, FACTORS };
static const char *const factor_names[FACTORS] = {"lift", "load_factor", "v_factor", "u_factor", "force_factor"};

const char *const thud_surface_sections[2] = {"membrane", "plate"};
static const char *const stiffness_names[2] = {"tension", "bending"};
static const char *const support_names[] = {"held", "clamped", NULL};
static const char *const method_names[] = {"auto", "active-set", "multigrid", NULL};

const thud_option_table *thud_surface_scene_option_table(void) {
  static const thud_option_key rows[] = {
      {"method", THUD_OPTION_CHOICE, 0, 0, 0, 0, false, method_names, "",
       "what solves the contact with the obstacle; auto: multigrid for membranes on large rectangles, otherwise "
       "active-set"}};
  static const thud_option_table table = {.name = "surface scene", .keys = rows, .count = 1};
  return &table;
}

static const thud_option_key tension_rows[] = {
    {"tension", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "N/m", "of the membrane, force per length"}};
static THUD_SCENE_TABLE(tension_table, "membrane", tension_rows)

    static const thud_option_key bending_rows[] = {
        {"bending", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "N m",
         "stiffness of the plate, force times length"},
        {"poisson", THUD_OPTION_REAL, 0, 0.3, 0, 0.5, false, NULL, "1", "Poisson's ratio"}};
static THUD_SCENE_TABLE(bending_table, "plate", bending_rows)

    static const thud_option_key section_rows[] = {
        {"load", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "N/m^2", "force per area, of x, y and t"},
        {"lift", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m",
         "added to the obstacle and the pins, of t"},
        {"load_factor", THUD_OPTION_REAL, 0, 1, -DBL_MAX, DBL_MAX, false, NULL, "1", "of the load, of t"},
        {"v_factor", THUD_OPTION_REAL, 0, 1, -DBL_MAX, DBL_MAX, false, NULL, "1", "of v of the edges, of t"}};
static THUD_SCENE_TABLE(section_table, "surface", section_rows)

    static const thud_option_key factor_rows[] = {{"u_factor", THUD_OPTION_REAL, 0, 1, -DBL_MAX, DBL_MAX, false, NULL,
                                                   "1", "of u of the edges, of t; with `in_plane`"},
                                                  {"force_factor", THUD_OPTION_REAL, 0, 1, -DBL_MAX, DBL_MAX, false,
                                                   NULL, "1", "of the load in the plane, of t; with `in_plane`"}};
static THUD_SCENE_TABLE(factor_table, "surface", factor_rows)

    static const thud_option_key plane_rows[] = {
        {"stretch", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "N/m",
         "Young's modulus times thickness, force per length"},
        {"poisson", THUD_OPTION_REAL, 0, 0.3, 0, 0.5, false, NULL, "1", "Poisson's ratio"},
        {"friction", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "1", "coefficient"}};
static THUD_SCENE_TABLE(plane_table, "in_plane", plane_rows)

    static const thud_option_key edge_rows[] = {{"support", THUD_OPTION_CHOICE, 0, 1, 0, 0, false, support_names, "",
                                                 "of plates, with `v`: free to turn, or with the normal slope 0"}};
static THUD_SCENE_TABLE(edge_table, "edges", edge_rows)

    static const char *const at_keys[] = {"at"};
static const thud_option_key point_rows[] = {
    {"force", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "N", "upwards, of t"}};
static THUD_SCENE_TABLE(point_table, "point load", point_rows)

    static const thud_option_table *stiffness_table(thud_surface_kind kind) {
  return kind == THUD_SURFACE_PLATE ? bending_table() : tension_table();
}

const thud_kind_keys thud_membrane_keys[] = {{.place = "membrane", .table = tension_table},
                                             {.place = "membrane", .table = section_table},
                                             {.place = "membrane", .table = factor_table},
                                             {.place = "membrane.loads[]", .table = point_table},
                                             {.place = "membrane.in_plane", .table = plane_table},
                                             {.place = "simulate", .table = thud_surface_scene_option_table},
                                             {.place = NULL}};
const thud_kind_keys thud_plate_keys[] = {{.place = "plate", .table = bending_table},
                                          {.place = "plate", .table = section_table},
                                          {.place = "plate", .table = factor_table},
                                          {.place = "plate.edges.*", .table = edge_table},
                                          {.place = "plate.loads[]", .table = point_table},
                                          {.place = "plate.in_plane", .table = plane_table},
                                          {.place = "simulate", .table = thud_surface_scene_option_table},
                                          {.place = NULL}};

/* ---- files ------------------------------------------------------------------------------------------------------- */

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

static thud_error take_mesh(thud_tree *tree, const thud_node *mesh) {
  return thud_run_take_file(tree, mesh, "gmsh", convert_mesh);
}

/* ---- pictures as heights ----------------------------------------------------------------------------------------- */

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
                     "[bad-file-content] a PGM picture of %ld x %ld values up to %ld, for which the file is too "
                     "short, or which is none",
                     width, height, most);
  for (long k = 0; k < width * height; k++) {
    char number[THUD_DOUBLE_CAPACITY];
    const unsigned char *raw = (const unsigned char *)bytes + at;
    long grey = plain ? pgm_number(bytes, size, &at) : each == 1 ? raw[0] : 256 * raw[0] + raw[1];
    if (!plain) at += each;
    if (grey < 0 || grey > most)
      return thud_fail(context, THUD_ERROR_FORMAT,
                       "[bad-file-content] grey value %ld of the picture is not within 0 and %ld", k, most);
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
    if (bytes[k] == '\0')
      return thud_fail(context, THUD_ERROR_FORMAT, "[contradictory-keys] neither a PGM picture (P2, P5) nor a table");
  thud_text_append(text, bytes, size);
  return THUD_OK;
}

static thud_error take_heights(thud_tree *tree, const thud_node *heights) {
  if (heights == NULL || thud_node_get_kind(heights) != THUD_NODE_MAP) return THUD_OK;
  return thud_run_take_file(tree, heights, "table", convert_heights);
}

/* ---- the mesh ---------------------------------------------------------------------------------------------------- */

static thud_error read_numbers(surface_scene *made, const thud_node *list, size_t count, double *numbers) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] %zu numbers are needed", count);
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
  if (error == THUD_OK) error = thud_node_require_as(mesh, "cells", "[nx, ny], the numbers of cells", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != 2)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] the numbers of cells in x and y are needed");
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
  if (error == THUD_OK) error = thud_node_require_as(mesh, "rings", "the number of rings of elements", &node);
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
  if (error == THUD_OK) error = thud_node_require_as(mesh, "gmsh", "the text of a Gmsh file", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, &text);
  return error == THUD_OK ? thud_mesh_read_gmsh(made->scene->context, name, text, strlen(text), &made->mesh) : error;
}

static thud_error read_mesh(surface_scene *made, const thud_node *section) {
  const thud_node *mesh;
  thud_error error = thud_node_require_as(
      section, "mesh",
      "{rectangle: [left, bottom, right, top], cells: [nx, ny]}, {disc: [x, y, radius], rings: n} or {file: NAME.msh}",
      &mesh);
  if (error == THUD_OK) error = thud_node_expect(mesh, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *rectangle = thud_node_find(mesh, "rectangle"), *disc = thud_node_find(mesh, "disc");
  error = rectangle != NULL ? read_rectangle(made, mesh, rectangle)
          : disc != NULL    ? read_disc(made, mesh, disc)
                            : read_gmsh(made, mesh);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY || error == THUD_ERROR_SCHEMA) return error;
  return thud_node_fail_within(mesh, THUD_ERROR_SCHEMA);
}

/* ---- tables of heights ------------------------------------------------------------------------------------------- */

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
        error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-file-content] line %zu of the table: '%s' is no number",
                               line, word);
      text += size;
    }
    text = *end == '\n' ? end + 1 : end;
    if (error != THUD_OK || table->count == before) continue;
    if (table->rows++ == 0) table->columns = table->count;
    if (table->count - before != table->columns)
      error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                             "[bad-file-content] line %zu of the table has %zu numbers, the first one %zu", line,
                             table->count - before, table->columns);
  }
  if (error == THUD_OK && (table->rows < 2 || table->columns < 2))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-file-content] a table of 2 x 2 heights at least is needed");
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
      return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-file-content] the box of the table does not reach (%g, %g)",
                            x, y);
    const double *top = table->values + r * table->columns + c, *next = top + table->columns;
    out[i] = (1 - q) * ((1 - p) * top[0] + p * top[1]) + q * ((1 - p) * next[0] + p * next[1]);
  }
  return THUD_OK;
}

static thud_error read_heights(surface_scene *made, const thud_node *heights, double *out) {
  static const char *const keys[] = {"file", "table", "box", "low", "high"};
  const thud_node *text, *list;
  const char *source;
  height_table table = {0};
  double box[4];
  thud_error error = thud_node_check_keys(heights, keys, 5);
  if (error == THUD_OK) error = thud_node_require_as(heights, "box", "[left, bottom, right, top]", &list);
  if (error == THUD_OK) error = read_numbers(made, list, 4, box);
  if (error == THUD_OK && (!(box[0] < box[2]) || !(box[1] < box[3])))
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] [left, bottom, right, top] is needed");
  if (error == THUD_OK)
    error = thud_node_require_as(heights, "table", "a text with lines of numbers, or 'file: NAME' instead", &text);
  if (error == THUD_OK) error = thud_node_read_string(text, &source);
  if (error == THUD_OK) error = read_table(made->scene->context, text, source, &table);
  if (error == THUD_OK && table.values != NULL) error = interpolate(made, text, &table, box, out);
  thud_free(made->scene->context, table.values);
  return error;
}

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

static thud_error resolve_edges(thud_tree *tree, const thud_node *edges, thud_surface_kind kind) {
  thud_error error = THUD_OK;
  if (edges == NULL || thud_node_get_kind(edges) != THUD_NODE_MAP || kind != THUD_SURFACE_PLATE) return THUD_OK;
  for (size_t k = 0; k < thud_node_count(edges) && error == THUD_OK; k++) {
    const thud_node *edge = thud_node_item(edges, k);
    if (thud_resolve_find(edge, "v") != NULL) error = thud_resolve_options(tree, edge, edge_table(), NULL);
  }
  return error;
}

thud_error thud_surface_scene_resolve(thud_tree *tree, thud_surface_kind kind) {
  const thud_node *root = thud_tree_root(tree), *section = thud_node_find(root, thud_surface_sections[kind]);
  const thud_node *plane = thud_resolve_find(section, "in_plane");
  thud_error error = thud_surface_scene_take_files(tree);
  if (error == THUD_OK) error = thud_resolve_options(tree, section, section_table(), NULL);
  if (error == THUD_OK && plane != NULL) error = thud_resolve_options(tree, section, factor_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_options(tree, section, stiffness_table(kind), NULL);
  if (error == THUD_OK) error = resolve_edges(tree, thud_resolve_find(section, "edges"), kind);
  if (error == THUD_OK) error = thud_resolve_options(tree, plane, plane_table(), NULL);
  return error == THUD_OK
             ? thud_resolve_options(tree, thud_node_find(root, "simulate"), thud_surface_scene_option_table(), NULL)
             : error;
}

thud_error thud_surface_scene_take_files(thud_tree *tree) {
  thud_error error = THUD_OK;
  for (int k = 0; k < 2 && error == THUD_OK; k++) {
    const thud_node *section = thud_resolve_find(thud_tree_root(tree), thud_surface_sections[k]);
    error = take_mesh(tree, thud_resolve_find(section, "mesh"));
    if (error == THUD_OK) error = take_heights(tree, thud_resolve_find(section, "obstacle"));
  }
  return error;
}

/* ---- numbers and functions --------------------------------------------------------------------------------------- */

static thud_error read_number(surface_scene *made, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require_as(map, key, "a number", &node);
  return error == THUD_OK ? thud_scene_read_constant(made->scene, node, value) : error;
}

static thud_error read_factors(surface_scene *made, const thud_node *section) {
  thud_error error = THUD_OK;
  for (int k = 0; k < FACTORS && error == THUD_OK; k++) {
    const thud_node *node;
    scene_value value = {.constant = 1};
    if (made->plane || k < U_FACTOR) {
      error = thud_node_require(section, factor_names[k], &node);
      if (error == THUD_OK) error = thud_scene_read_value(made->scene, node, &value);
    }
    if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->values, value);
    if (error != THUD_OK) thud_scene_value_free(&value);
  }
  return error;
}

static thud_error read_time_value(surface_scene *made, const thud_node *node) {
  scene_value value = {0};
  thud_error error = thud_scene_read_value(made->scene, node, &value);
  if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->values, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

static thud_error read_point(surface_scene *made, const thud_node *node, size_t *first) {
  const thud_node *at, *force;
  *first = made->values.count;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, 1, at_keys, THUD_TABLES(point_table()));
  if (error == THUD_OK) error = thud_node_require_as(node, "at", "[x, y], each a number or an expression of t", &at);
  if (error == THUD_OK) error = thud_node_expect(at, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(at) != 2)
    error = thud_node_fail(at, THUD_ERROR_SCHEMA, "[wrong-count] [x, y] is needed");
  for (size_t d = 0; d < 2 && error == THUD_OK; d++) error = read_time_value(made, thud_node_item(at, d));
  if (error == THUD_OK) error = thud_node_require_as(node, "force", "a number or an expression of t", &force);
  return error == THUD_OK ? read_time_value(made, force) : error;
}

/* Forces at points, which may move. */
static thud_error read_points(surface_scene *made, const thud_node *section) {
  const thud_node *loads = thud_node_find(section, "loads");
  thud_error error = loads != NULL ? thud_node_expect(loads, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error != THUD_OK || loads == NULL) return error;
  made->points = THUD_NEW_ARRAY(made->scene->context, size_t, thud_node_count(loads));
  if (made->points == NULL) return THUD_ERROR_MEMORY;
  made->point_count = thud_node_count(loads);
  for (size_t k = 0; k < made->point_count && error == THUD_OK; k++)
    error = read_point(made, thud_node_item(loads, k), &made->points[k]);
  return error;
}

static scene_places places_of(const surface_scene *made) {
  return (scene_places){.scene = made->scene,
                        .values = &made->values,
                        .count = (size_t)made->n,
                        .dimension = 2,
                        .at = thud_mesh_get(made->mesh).xy,
                        .slots = {made->x_slot, made->y_slot}};
}

static void mark_group(const surface_scene *made, thud_index group, unsigned char *marks) {
  const thud_mesh_definition mesh = thud_mesh_get(made->mesh);
  memset(marks, 0, (size_t)mesh.nodes);
  for (thud_index k = 0; k < mesh.edges; k++)
    if (mesh.edge_group[k] == group) marks[mesh.edge[2 * (ptrdiff_t)k]] = marks[mesh.edge[2 * (ptrdiff_t)k + 1]] = 1;
}

static thud_error fill_field(const surface_scene *made, const surface_field *f, double t, thud_side side) {
  const scene_places places = places_of(made);
  if (f->group >= 0) mark_group(made, f->group, made->marks);
  return thud_scene_field_fill(&places, &f->field, f->group >= 0 ? made->marks : NULL, t, side, f->to);
}

/* A number or an expression of x, y and t at the nodes of a group of edges (-1: all), to[n]; now at the start. */
static thud_error tabulate(surface_scene *made, const thud_node *node, const char *name, thud_index group, double *to) {
  surface_field made_of = {.field = {.name = name}, .group = group, .to = to};
  thud_error error = thud_array_reserve(made->scene->context, &made->fields, &made->field_capacity,
                                        made->field_count + 1, sizeof *made->fields);
  if (error == THUD_OK) error = thud_scene_read_field(made->scene, node, &made->values, &made_of.field);
  if (error != THUD_OK) return error;
  made->fields[made->field_count++] = made_of;
  made->moves = made->moves || made_of.field.moves;
  error = fill_field(made, &made_of, made->scene->start, THUD_SIDE_VALUE);
  return error == THUD_OK ? error : thud_node_fail_within(node, error);
}

/* Expressions that are read from now on may use x and y. */
static thud_error let_places_be_known(surface_scene *made, const thud_node *section) {
  thud_error error = thud_expr_scope_add_variable(made->scene->scope, "x", &made->x_slot);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(made->scene->scope, "y", &made->y_slot);
  if (error != THUD_OK) return thud_node_fail_within(section, error);
  if (made->x_slot < 3 && made->y_slot < 3 && made->scene->time_slot < 3) return THUD_OK;
  return thud_node_fail(section, THUD_ERROR_INTERNAL, "x and y are not the variables beside t");
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static thud_error read_edge(surface_scene *made, const thud_node *edge, thud_index group, thud_support *supports,
                            thud_support *in_plane) {
  static const char *const keys[] = {"v", "u"};
  const thud_node *v = thud_resolve_find(edge, "v"), *u = thud_resolve_find(edge, "u");
  const thud_node *support = thud_resolve_find(edge, "support");
  int choice = 0;
  thud_error error = thud_scene_check_keys(made->scene, edge, 2, keys,
                                           THUD_TABLES(made->kind == THUD_SURFACE_PLATE ? edge_table() : NULL));
  if (error == THUD_OK && support != NULL) error = thud_node_read_choice(support, support_names, &choice);
  if (error == THUD_OK && v != NULL) error = tabulate(made, v, "v of an edge", group, made->held);
  if (error != THUD_OK) return error;
  if (v != NULL) supports[group] = choice == 1 ? THUD_SUPPORT_CLAMPED : THUD_SUPPORT_HELD;
  if (u == NULL) return THUD_OK;
  if (!made->plane)
    return thud_node_fail(u, THUD_ERROR_SCHEMA, "[misplaced-key] u is given here, but the section has no 'in_plane'");
  error = thud_node_expect(u, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(u) != 2)
    error = thud_node_fail(u, THUD_ERROR_SCHEMA, "[wrong-count] [u_x, u_y] is needed");
  in_plane[group] = THUD_SUPPORT_HELD;
  for (size_t d = 0; d < 2 && error == THUD_OK; d++)
    error = tabulate(made, thud_node_item(u, d), "u of an edge", group, made->pull[d]);
  return error;
}

static thud_error read_edges(surface_scene *made, const thud_node *section, thud_support *supports,
                             thud_support *in_plane) {
  const thud_mesh_definition mesh = thud_mesh_get(made->mesh);
  const thud_node *edges;
  thud_error error =
      thud_node_require_as(section, "edges", "what holds the groups of edges, such as {edge: {v: 0}}", &edges);
  if (error == THUD_OK) error = thud_node_expect(edges, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(edges, mesh.group_names, (size_t)mesh.groups);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(edges); k++) {
    const thud_node *edge = thud_node_item(edges, k);
    error = thud_node_expect(edge, THUD_NODE_MAP);
    if (error == THUD_OK)
      error = read_edge(made, edge, thud_mesh_find_group(made->mesh, thud_node_key(edges, k)), supports, in_plane);
  }
  return error;
}

/* ---- the surface ------------------------------------------------------------------------------------------------- */

static thud_error read_plane(surface_scene *made, const thud_node *section, thud_surface_definition *definition) {
  static const char *const keys[] = {"load"};
  const thud_node *plane = thud_node_find(section, "in_plane"), *load;
  if (plane == NULL) return THUD_OK;
  thud_error error = thud_scene_check_keys(made->scene, plane, 1, keys, THUD_TABLES(plane_table()));
  if (error == THUD_OK) error = read_number(made, plane, "stretch", &definition->stretch);
  if (error == THUD_OK && !(definition->stretch > 0))
    error = thud_node_fail(plane, THUD_ERROR_SCHEMA, "[out-of-range] the stretch %g must be > 0", definition->stretch);
  if (error == THUD_OK) error = read_number(made, plane, "poisson", &definition->poisson);
  if (error == THUD_OK) error = read_number(made, plane, "friction", &made->problem.friction);
  load = thud_node_find(plane, "load");
  if (error != THUD_OK || load == NULL) return error;
  error = thud_node_expect(load, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(load) != 2)
    error = thud_node_fail(load, THUD_ERROR_SCHEMA, "[wrong-count] [f_x, f_y] is needed");
  for (size_t d = 0; d < 2 && error == THUD_OK; d++)
    error = tabulate(made, thud_node_item(load, d), "load in the plane", -1, made->force[d]);
  return error;
}

static thud_error make_surface(surface_scene *made, const thud_node *section) {
  thud_context *context = made->scene->context;
  size_t groups = (size_t)thud_mesh_get(made->mesh).groups;
  thud_surface_definition definition = {.kind = made->kind, .mesh = made->mesh, .method = made->method};
  thud_support *supports = THUD_NEW_ARRAY(context, thud_support, groups);
  thud_support *in_plane = THUD_NEW_ARRAY(context, thud_support, groups);
  thud_error error = supports != NULL && in_plane != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  definition.supports = supports;
  definition.in_plane = in_plane;
  if (error == THUD_OK) error = read_number(made, section, stiffness_names[made->kind], &definition.stiffness);
  if (error == THUD_OK && made->kind == THUD_SURFACE_PLATE)
    error = read_number(made, section, "poisson", &definition.plate_poisson);
  if (error == THUD_OK) error = read_plane(made, section, &definition);
  if (error == THUD_OK) error = read_edges(made, section, supports, in_plane);
  if (error == THUD_OK) {
    error = thud_surface_create(context, &definition, &made->surface);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(section, THUD_ERROR_SCHEMA);
  }
  thud_free(context, supports);
  thud_free(context, in_plane);
  return error;
}

/* ---- obstacles --------------------------------------------------------------------------------------------------- */

/* A pin [x, y, height] stands under a node. */
static thud_error read_pin(surface_scene *made, const thud_node *pin, surface_pin *to) {
  const thud_mesh_definition mesh = thud_mesh_get(made->mesh);
  double numbers[3], best = INFINITY, span = 0;
  thud_index nearest = 0;
  thud_error error = thud_node_expect(pin, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(pin) != 3)
    error = thud_node_fail(pin, THUD_ERROR_SCHEMA, "[wrong-count] [x, y, height] is needed");
  for (size_t d = 0; d < 3 && error == THUD_OK; d++)
    error = thud_scene_read_constant(made->scene, thud_node_item(pin, d), &numbers[d]);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < mesh.nodes; i++) {
    double distance = hypot(mesh.xy[2 * (ptrdiff_t)i] - numbers[0], mesh.xy[2 * (ptrdiff_t)i + 1] - numbers[1]);
    if (distance < best) best = distance, nearest = i;
    span = fmax(span, distance);
  }
  const double *place = mesh.xy + 2 * (ptrdiff_t)nearest;
  if (!(best <= 1e-9 * span))
    return thud_node_fail(pin, THUD_ERROR_SCHEMA,
                          "[missing-key] a pin needs a node of the mesh; the nearest one is at [%.17g, %.17g]",
                          place[0], place[1]);
  *to = (surface_pin){.node = nearest, .height = numbers[2]};
  return THUD_OK;
}

static void put_pins(const surface_scene *made, double *obstacle) {
  for (size_t k = 0; k < made->pin_count; k++)
    obstacle[made->pins[k].node] = fmax(obstacle[made->pins[k].node], made->pins[k].height);
}

static thud_error read_pins(surface_scene *made, const thud_node *pins) {
  thud_error error = pins != NULL ? thud_node_expect(pins, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error != THUD_OK || pins == NULL) return error;
  made->pins = THUD_NEW_ARRAY(made->scene->context, surface_pin, thud_node_count(pins));
  if (made->pins == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(pins); k++) {
    error = read_pin(made, thud_node_item(pins, k), &made->pins[k]);
    if (error == THUD_OK) made->pin_count++;
  }
  return error;
}

static thud_error read_obstacle(surface_scene *made, const thud_node *section) {
  const thud_node *obstacle = thud_node_find(section, "obstacle"), *pins = thud_node_find(section, "pins");
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < made->n; i++) made->obstacle[i] = -INFINITY;
  if (obstacle != NULL)
    error = thud_node_get_kind(obstacle) == THUD_NODE_MAP ? read_heights(made, obstacle, made->obstacle)
                                                          : tabulate(made, obstacle, "obstacle", -1, made->obstacle);
  if (error == THUD_OK) error = read_pins(made, pins);
  if (error == THUD_OK) put_pins(made, made->obstacle);
  return error;
}

static thud_error read_functions(surface_scene *made, const thud_node *section) {
  const thud_node *load;
  thud_error error = let_places_be_known(made, section);
  if (error == THUD_OK) error = read_obstacle(made, section);
  if (error == THUD_OK) error = thud_node_require(section, "load", &load);
  if (error == THUD_OK) error = tabulate(made, load, "load", -1, made->load);
  if (error == THUD_OK) error = make_surface(made, section);
  return error == THUD_OK ? thud_scene_values_common_jumps(made->scene, &made->values, &made->jumps) : error;
}

/* ---- data of the motion ------------------------------------------------------------------------------------------ */

static void scaled(const surface_scene *made, const double *from, double factor, double *to) {
  for (thud_index i = 0; i < made->n; i++) to[i] = factor * from[i];
}

/* The weights of the corners of a triangle at a place; false: it lies outside. */
static bool weigh(const thud_mesh_definition *mesh, thud_index triangle, const double place[2], double weight[3]) {
  const thud_index *t = mesh->triangle + 3 * (ptrdiff_t)triangle;
  const double *a = mesh->xy + 2 * (ptrdiff_t)t[0], *b = mesh->xy + 2 * (ptrdiff_t)t[1];
  const double *c = mesh->xy + 2 * (ptrdiff_t)t[2];
  double twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  weight[1] = ((place[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (place[1] - a[1])) / twice;
  weight[2] = ((b[0] - a[0]) * (place[1] - a[1]) - (place[0] - a[0]) * (b[1] - a[1])) / twice;
  weight[0] = 1 - weight[1] - weight[2];
  return weight[0] >= -INSIDE && weight[1] >= -INSIDE && weight[2] >= -INSIDE;
}

void thud_surface_scene_point(const surface_scene *made, size_t k, double t, thud_side side, double point[3]) {
  for (size_t d = 0; d < 3; d++)
    point[d] = thud_scene_value_at(made->scene, &made->values.items[made->points[k] + d], t, side);
}

/* Each force is shared out among the corners of the first triangle that its place lies in. */
static thud_error add_points(const surface_scene *made, double t, thud_side side, double *forces) {
  const thud_mesh_definition mesh = thud_mesh_get(made->mesh);
  for (size_t k = 0; k < made->point_count; k++) {
    double point[3], weight[3] = {0, 0, 0};
    thud_index triangle = 0;
    thud_surface_scene_point(made, k, t, side, point);
    while (triangle < mesh.triangles && !weigh(&mesh, triangle, point, weight)) triangle++;
    if (triangle == mesh.triangles || !isfinite(point[2]))
      return thud_fail(made->scene->context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] t = %g: a point load of %g at (%g, %g) is not on the %s", t, point[2], point[0],
                       point[1], thud_surface_sections[made->kind]);
    for (int c = 0; c < 3; c++) forces[mesh.triangle[3 * (ptrdiff_t)triangle + c]] += weight[c] * point[2];
  }
  return THUD_OK;
}

thud_error thud_surface_scene_obstacle(const surface_scene *made, double t, thud_side side, double *out) {
  const scene_places places = places_of(made);
  thud_error error = THUD_OK;
  memcpy(out, made->obstacle, (size_t)made->n * sizeof *out);
  for (size_t k = 0; k < made->field_count && error == THUD_OK; k++) {
    const surface_field *f = &made->fields[k];
    if (f->to != made->obstacle || !f->field.moves) continue;
    error = thud_scene_field_fill(&places, &f->field, NULL, t, side, out);
    if (error == THUD_OK) put_pins(made, out);
  }
  return error;
}

thud_error thud_surface_scene_place(surface_scene *made, double t, thud_side side) {
  thud_error error = THUD_OK;
  if (!made->moves) return THUD_OK;
  for (size_t k = 0; k < made->field_count && error == THUD_OK; k++)
    error = fill_field(made, &made->fields[k], t, side);
  if (error == THUD_OK) put_pins(made, made->obstacle);
  return error;
}

static int give_data(void *user, double t, thud_side side, thud_surface_data *data) {
  surface_scene *made = user;
  double factor[FACTORS];
  if (thud_surface_scene_place(made, t, side) != THUD_OK) return -1;
  for (size_t k = 0; k < FACTORS; k++) factor[k] = thud_scene_value_at(made->scene, &made->values.items[k], t, side);
  for (thud_index i = 0; i < made->n; i++) data->psi[i] = made->obstacle[i] + factor[LIFT];
  scaled(made, made->held, factor[V_FACTOR], data->held);
  scaled(made, made->load, factor[LOAD_FACTOR], made->work);
  if (thud_surface_add_density(made->surface, made->work, data->transverse) != THUD_OK) return -1;
  if (add_points(made, t, side, data->transverse) != THUD_OK) return -1;
  for (int d = 0; d < 2 && made->plane; d++) {
    scaled(made, made->force[d], factor[FORCE_FACTOR], made->work);
    memset(made->work + made->n, 0, (size_t)made->n * sizeof(double));
    if (thud_surface_add_density(made->surface, made->work, made->work + made->n) != THUD_OK) return -1;
    for (thud_index i = 0; i < made->n; i++) {
      data->in_plane[2 * (ptrdiff_t)i + d] = made->work[made->n + i];
      data->in_held[2 * (ptrdiff_t)i + d] = factor[U_FACTOR] * made->pull[d][i];
    }
  }
  return 0;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static thud_error read_simulate(surface_scene *made, const thud_node *root) {
  const thud_node *simulate, *method;
  int choice = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_scene_read_steps(made->scene, simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_choice(method, method_names, &choice);
  made->method = (thud_surface_method)choice;
  return error;
}

static thud_error allocate(surface_scene *made) {
  double **const arrays[] = {&made->obstacle, &made->load,    &made->force[0], &made->force[1],
                             &made->held,     &made->pull[0], &made->pull[1]};
  made->n = thud_mesh_get(made->mesh).nodes;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = THUD_NEW_ARRAY(made->scene->context, double, made->n);
    if (*arrays[k] == NULL) return THUD_ERROR_MEMORY;
  }
  made->work = THUD_NEW_ARRAY(made->scene->context, double, 2 * (size_t)made->n);
  made->marks = THUD_NEW_ARRAY(made->scene->context, unsigned char, made->n);
  return made->work != NULL && made->marks != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_surface_scene_build(thud_scene *scene, const thud_node *root, thud_surface_kind kind,
                                    surface_scene *made) {
  static const char *const keys[] = {"mesh", "obstacle", "pins", "edges", "in_plane", "loads"};
  const thud_node *section;
  *made = (surface_scene){.scene = scene, .kind = kind};
  thud_error error = thud_node_require(root, thud_surface_sections[kind], &section);
  if (error == THUD_OK && thud_node_find(root, "initial") != NULL)
    error = thud_node_fail(thud_node_find(root, "initial"), THUD_ERROR_SCHEMA,
                           "[misplaced-key] a %s begins with u = 0; there is nothing to give here",
                           thud_surface_sections[kind]);
  if (error == THUD_OK)
    error = thud_scene_check_keys(scene, section, sizeof keys / sizeof *keys, keys,
                                  THUD_TABLES(section_table(), factor_table(), stiffness_table(kind)));
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = read_mesh(made, section);
  if (error == THUD_OK) error = allocate(made);
  made->plane = error == THUD_OK && thud_node_find(section, "in_plane") != NULL;
  if (error == THUD_OK) error = thud_scene_make_names(scene, 1);
  if (error == THUD_OK) error = read_factors(made, section);
  if (error == THUD_OK) error = read_points(made, section);
  if (error == THUD_OK) error = read_functions(made, section);
  made->problem.surface = made->surface;
  made->problem.data = give_data;
  made->problem.user = made;
  made->problem.jump_count = made->jumps.count;
  made->problem.jumps = made->jumps.items;
  return error;
}

void thud_surface_scene_free(surface_scene *made) {
  if (made->scene == NULL) return;
  thud_context *context = made->scene->context;
  double *const arrays[] = {made->obstacle, made->load,    made->force[0], made->force[1],
                            made->held,     made->pull[0], made->pull[1],  made->work};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_surface_destroy(made->surface);
  thud_mesh_destroy(made->mesh);
  thud_free(context, made->marks);
  thud_free(context, made->fields);
  thud_free(context, made->pins);
  thud_free(context, made->points);
  thud_free(context, made->jumps.items);
  thud_scene_values_free(made->scene, &made->values);
}
