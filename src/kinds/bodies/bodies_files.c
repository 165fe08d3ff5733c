/* Files of shapes: triangles in OFF, OBJ and STL, points and heights in lines of numbers. A record holds meshes as OFF. */
#include "run/beside.h"
#include "kinds/bodies/bodies_scene.h"
#include "scene/resolve.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- words and lines ------------------------------------------------------------------------------------------------- */

/* A text that is read word by word; '#' begins a comment. */
typedef struct scanner {
  thud_context *context;
  const char *name, *at, *end;
  size_t line;
} scanner;

enum { WORD_ROOM = 64 };

/* The next word of the present line, false at its end. Words that are too long are cut. */
static bool next_word(scanner *text, char word[WORD_ROOM]) {
  while (text->at < text->end && *text->at != '\n' &&
         (isspace((unsigned char)*text->at) || *text->at == ',' || *text->at == ';'))
    text->at++;
  size_t length = 0;
  if (text->at >= text->end || *text->at == '\n' || *text->at == '#') return false;
  for (; text->at < text->end && !isspace((unsigned char)*text->at) && strchr(",;#", *text->at) == NULL; text->at++)
    if (length < WORD_ROOM - 1) word[length++] = *text->at;
  word[length] = '\0';
  return true;
}

/* Moves to the next line, false at the end of the text. */
static bool next_line(scanner *text) {
  while (text->at < text->end && *text->at != '\n') text->at++;
  if (text->at >= text->end) return false;
  text->at++;
  text->line++;
  return text->at < text->end;
}

/* The next word of this or a later line. */
static bool any_word(scanner *text, char word[WORD_ROOM]) {
  while (!next_word(text, word))
    if (!next_line(text)) return false;
  return true;
}

static thud_error refuse(const scanner *text, const char *what, const char *word) {
  return thud_fail(text->context, THUD_ERROR_FORMAT, "[bad-file-content] %s, line %zu: %s%s%s%s", text->name,
                   text->line, what, word != NULL ? " '" : "", word != NULL ? word : "", word != NULL ? "'" : "");
}

static thud_error read_double(scanner *text, double *value) {
  char word[WORD_ROOM];
  if (!any_word(text, word)) return refuse(text, "the file ends where a number is needed", NULL);
  return thud_parse_double(word, value) ? THUD_OK : refuse(text, "a number is needed, not", word);
}

static thud_error read_index(scanner *text, double most, size_t *value) {
  double number = 0;
  thud_error error = read_double(text, &number);
  if (error == THUD_OK && !(number >= 0 && number <= most && number == floor(number)))
    error = refuse(text, "a number of a vertex, or of how many there are, does not fit", NULL);
  if (error == THUD_OK) *value = (size_t)number;
  return error;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------------ */

static thud_error add_point(thud_context *context, bodies_mesh *mesh, const double point[3]) {
  thud_error error = thud_array_reserve(context, &mesh->points, &mesh->point_capacity, mesh->point_count + 1,
                                        3 * sizeof *mesh->points);
  if (error == THUD_OK) memcpy(mesh->points + 3 * mesh->point_count++, point, 3 * sizeof *point);
  return error;
}

static thud_error add_triangle(thud_context *context, bodies_mesh *mesh, size_t a, size_t b, size_t c) {
  thud_error error = thud_array_reserve(context, &mesh->triangles, &mesh->triangle_capacity, mesh->triangle_count + 1,
                                        3 * sizeof *mesh->triangles);
  if (error != THUD_OK) return error;
  thud_index *to = mesh->triangles + 3 * mesh->triangle_count++;
  to[0] = (thud_index)a, to[1] = (thud_index)b, to[2] = (thud_index)c;
  return THUD_OK;
}

void thud_bodies_mesh_free(thud_context *context, bodies_mesh *mesh) {
  thud_free(context, mesh->points);
  thud_free(context, mesh->triangles);
  *mesh = (bodies_mesh){0};
}

/* OFF: counts, points, faces as fans of triangles. */
static thud_error read_off(scanner *text, bodies_mesh *mesh) {
  char word[WORD_ROOM];
  size_t points = 0, faces = 0, edges = 0, bytes = (size_t)(text->end - text->at);
  if (!any_word(text, word) || strcmp(word, "OFF") != 0) return refuse(text, "'OFF' is needed", NULL);
  thud_error error = read_index(text, (double)bytes, &points); /* every one takes some bytes */
  if (error == THUD_OK) error = read_index(text, (double)bytes, &faces);
  if (error == THUD_OK) error = read_index(text, INT32_MAX, &edges);
  for (size_t k = 0; k < points && error == THUD_OK; k++) {
    double point[3] = {0, 0, 0};
    for (size_t c = 0; c < 3 && error == THUD_OK; c++) error = read_double(text, &point[c]);
    if (error == THUD_OK) error = add_point(text->context, mesh, point);
    (void)next_line(text); /* colours and the like */
  }
  for (size_t k = 0; k < faces && error == THUD_OK; k++) {
    size_t corners = 0, first = 0, before = 0, corner = 0;
    error = read_index(text, (double)bytes, &corners);
    if (error == THUD_OK && corners < 3) error = refuse(text, "a face has three corners at least", NULL);
    for (size_t c = 0; c < corners && error == THUD_OK; c++) {
      error = read_index(text, (double)points - 1, &corner);
      if (error == THUD_OK && c >= 2) error = add_triangle(text->context, mesh, first, before, corner);
      if (c == 0) first = corner;
      before = corner;
    }
    (void)next_line(text);
  }
  return error;
}

/* A corner of OBJ: "7", "7/1", "7//3"; negative: counted from the last point. */
static thud_error read_obj_corner(scanner *text, const bodies_mesh *mesh, char *word, size_t *corner) {
  double number = 0;
  char *slash = strchr(word, '/');
  if (slash != NULL) *slash = '\0';
  if (!thud_parse_double(word, &number) || number != floor(number)) return refuse(text, "no corner of a face:", word);
  if (number < 0) number += (double)mesh->point_count + 1;
  if (!(number >= 1 && number <= (double)mesh->point_count)) return refuse(text, "there is no vertex", word);
  *corner = (size_t)number - 1;
  return THUD_OK;
}

static thud_error read_obj_face(scanner *text, bodies_mesh *mesh) {
  char word[WORD_ROOM];
  size_t first = 0, before = 0, corner = 0, count = 0;
  thud_error error = THUD_OK;
  for (; error == THUD_OK && next_word(text, word); count++) {
    error = read_obj_corner(text, mesh, word, &corner);
    if (error == THUD_OK && count >= 2) error = add_triangle(text->context, mesh, first, before, corner);
    if (count == 0) first = corner;
    before = corner;
  }
  return error == THUD_OK && count < 3 ? refuse(text, "a face has three corners at least", NULL) : error;
}

static thud_error read_obj(scanner *text, bodies_mesh *mesh) {
  char word[WORD_ROOM];
  thud_error error = THUD_OK;
  do {
    double point[3] = {0, 0, 0};
    if (!next_word(text, word)) continue;
    if (strcmp(word, "v") == 0) {
      for (size_t c = 0; c < 3 && error == THUD_OK; c++) error = read_double(text, &point[c]);
      if (error == THUD_OK) error = add_point(text->context, mesh, point);
    } else if (strcmp(word, "f") == 0) {
      error = read_obj_face(text, mesh);
    }
  } while (error == THUD_OK && next_line(text));
  return error;
}

/* STL repeats points: equal bits are one point. */
typedef struct stl_points {
  thud_names known;
  thud_arena *arena;
} stl_points;

static thud_error find_point(thud_context *context, bodies_mesh *mesh, stl_points *points, const double point[3],
                             size_t *number) {
  double *kept = thud_arena_alloc(points->arena, 3, sizeof *kept);
  if (kept == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < 3; c++) kept[c] = point[c] + 0.0; /* -0 is 0 */
  thud_error error = thud_names_add(&points->known, (const char *)kept, 3 * sizeof *kept, mesh->point_count, number);
  if (error != THUD_OK || *number != THUD_NAMES_NONE) return error;
  *number = mesh->point_count;
  return add_point(context, mesh, kept);
}

static thud_error add_stl_triangle(thud_context *context, bodies_mesh *mesh, stl_points *points,
                                   const double corners[9]) {
  size_t numbers[3] = {0, 0, 0};
  thud_error error = THUD_OK;
  for (size_t c = 0; c < 3 && error == THUD_OK; c++)
    error = find_point(context, mesh, points, corners + 3 * c, &numbers[c]);
  return error == THUD_OK ? add_triangle(context, mesh, numbers[0], numbers[1], numbers[2]) : error;
}

static thud_error read_text_stl(scanner *text, bodies_mesh *mesh, stl_points *points) {
  char word[WORD_ROOM];
  double corners[9];
  size_t count = 0;
  thud_error error = THUD_OK;
  while (error == THUD_OK && any_word(text, word)) {
    if (strcmp(word, "vertex") != 0) continue;
    for (size_t c = 0; c < 3 && error == THUD_OK; c++) error = read_double(text, &corners[3 * count + c]);
    if (++count < 3) continue;
    count = 0;
    if (error == THUD_OK) error = add_stl_triangle(text->context, mesh, points, corners);
  }
  return error == THUD_OK && count != 0 ? refuse(text, "a triangle has three vertices", NULL) : error;
}

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

/* Little-endian numbers, whatever the machine. */
static uint32_t little(const char *bytes) {
  const unsigned char *b = (const unsigned char *)bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static thud_error read_binary_stl(thud_context *context, const char *name, const char *bytes, size_t size,
                                  bodies_mesh *mesh, stl_points *points) {
  size_t count = little(bytes + STL_HEAD - 4);
  if (count > (size - STL_HEAD) / STL_TRIANGLE)
    return thud_fail(context, THUD_ERROR_FORMAT, "[bad-file-content] %s: the file is too short for its %zu triangles",
                     name, count);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    double corners[9];
    const char *from = bytes + STL_HEAD + k * STL_TRIANGLE + 12;
    for (size_t c = 0; c < 9; c++) {
      uint32_t bits = little(from + 4 * c);
      float number;
      memcpy(&number, &bits, sizeof number);
      corners[c] = (double)number;
      if (!isfinite(corners[c]))
        return thud_fail(context, THUD_ERROR_FORMAT,
                         "[bad-file-content] %s: triangle %zu has a coordinate that is not finite", name, k + 1);
    }
    error = add_stl_triangle(context, mesh, points, corners);
  }
  return error;
}

static thud_error read_stl(scanner *text, const char *bytes, size_t size, bool binary, bodies_mesh *mesh) {
  stl_points points = {.known = thud_names_new(text->context, NULL)};
  thud_error error = thud_arena_create(text->context, 65536, &points.arena);
  if (error == THUD_OK)
    error = binary ? read_binary_stl(text->context, text->name, bytes, size, mesh, &points)
                   : read_text_stl(text, mesh, &points);
  thud_names_free(&points.known);
  thud_arena_destroy(points.arena);
  return error;
}

/* A binary STL says how many triangles it has and is as long as they need. */
static bool is_binary_stl(const char *bytes, size_t size) {
  return size >= STL_HEAD && size == STL_HEAD + (size_t)little(bytes + STL_HEAD - 4) * STL_TRIANGLE;
}

thud_error thud_bodies_mesh_read(thud_context *context, const char *name, const char *bytes, size_t size,
                                 bodies_mesh *mesh) {
  scanner text = {.context = context, .name = name, .at = bytes, .end = bytes + size, .line = 1};
  scanner look = text;
  char word[WORD_ROOM] = "";
  bool binary = is_binary_stl(bytes, size);
  if (!binary && memchr(bytes, 0, size) != NULL)
    return thud_fail(context, THUD_ERROR_FORMAT, "[contradictory-keys] %s: neither text nor a binary STL file", name);
  (void)any_word(&look, word);
  thud_error error = binary                       ? read_stl(&text, bytes, size, true, mesh)
                     : strcmp(word, "OFF") == 0   ? read_off(&text, mesh)
                     : strcmp(word, "solid") == 0 ? read_stl(&text, bytes, size, false, mesh)
                                                  : read_obj(&text, mesh);
  if (error == THUD_OK && mesh->triangle_count == 0)
    error = thud_fail(context, THUD_ERROR_FORMAT,
                      "[bad-file-content] %s: no triangles; OFF, OBJ and STL files are read", name);
  return error;
}

static thud_error convert_mesh(thud_context *context, const thud_node *map, const char *name, const char *bytes,
                               size_t size, thud_text *text) {
  bodies_mesh mesh = {0};
  char number[THUD_DOUBLE_CAPACITY];
  (void)map;
  thud_error error = thud_bodies_mesh_read(context, name, bytes, size, &mesh);
  thud_text_print(text, "OFF\n%zu %zu 0\n", mesh.point_count, mesh.triangle_count);
  for (size_t k = 0; k < 3 * mesh.point_count; k++) {
    thud_format_double(mesh.points[k], number, sizeof number);
    thud_text_print(text, "%s%s", number, k % 3 == 2 ? "\n" : " ");
  }
  for (size_t k = 0; k < mesh.triangle_count; k++)
    thud_text_print(text, "3 %d %d %d\n", (int)mesh.triangles[3 * k], (int)mesh.triangles[3 * k + 1],
                    (int)mesh.triangles[3 * k + 2]);
  thud_bodies_mesh_free(context, &mesh);
  return error;
}

/* ---- lines of numbers ---------------------------------------------------------------------------------------------------- */

thud_error thud_bodies_numbers_read(thud_context *context, const char *text, bodies_numbers *numbers) {
  scanner lines = {.context = context, .name = "table", .at = text, .end = text + strlen(text), .line = 1};
  char word[WORD_ROOM];
  thud_error error = THUD_OK;
  size_t total = 0;
  do {
    size_t count = 0;
    for (; error == THUD_OK && next_word(&lines, word); count++) {
      error = thud_array_reserve(context, &numbers->values, &numbers->capacity, total + 1, sizeof *numbers->values);
      if (error == THUD_OK && !thud_parse_double(word, &numbers->values[total++]))
        error = refuse(&lines, "a number is needed, not", word);
    }
    if (error != THUD_OK || count == 0) continue;
    if (numbers->rows++ == 0) numbers->columns = count;
    if (count != numbers->columns)
      error = thud_fail(context, THUD_ERROR_FORMAT, "[bad-file-content] line %zu has %zu numbers, the first one %zu",
                        lines.line, count, numbers->columns);
  } while (error == THUD_OK && next_line(&lines));
  return error;
}

static thud_error convert_table(thud_context *context, const thud_node *map, const char *name, const char *bytes,
                                size_t size, thud_text *text) {
  (void)map;
  if (memchr(bytes, 0, size) != NULL)
    return thud_fail(context, THUD_ERROR_FORMAT, "[bad-file-content] %s: a text with lines of numbers is needed", name);
  thud_text_append(text, bytes, size);
  return text->error;
}

thud_error thud_bodies_take_shape_files(thud_tree *tree, const thud_node *map) {
  static const char *const tables[] = {"hull", "polygon", "height_field"};
  const thud_node *mesh = thud_resolve_find(map, "mesh"), *shape;
  thud_error error = mesh != NULL && thud_node_get_kind(mesh) == THUD_NODE_MAP
                         ? thud_run_take_file(tree, mesh, "off", convert_mesh)
                         : THUD_OK;
  for (size_t k = 0; k < sizeof tables / sizeof *tables && error == THUD_OK; k++)
    if ((shape = thud_resolve_find(map, tables[k])) != NULL && thud_node_get_kind(shape) == THUD_NODE_MAP)
      error = thud_run_take_file(tree, shape, "table", convert_table);
  return error;
}
