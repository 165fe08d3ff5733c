/* Shapes as the scene gives them, also those whose numbers were in files: the scene of a record holds their texts. */
#include "verify/bodies/verify_bodies_read.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- texts ---------------------------------------------------------------------------------------------------------- */

enum { WORD_ROOM = 64 };

/* A text in the reading; words are separated by blanks, commas and semicolons, '#' begins a comment. */
typedef struct words {
  const thud_node *node;
  const char *at;
} words;

static bool next_word(words *text, char word[WORD_ROOM]) {
  size_t length = 0;
  while (*text->at != '\0' && strchr(" \t\r,;", *text->at) != NULL) text->at++;
  if (*text->at == '\0' || *text->at == '\n' || *text->at == '#') return false;
  for (; *text->at != '\0' && !isspace((unsigned char)*text->at) && strchr(",;#", *text->at) == NULL; text->at++)
    if (length < WORD_ROOM - 1) word[length++] = *text->at;
  word[length] = '\0';
  return true;
}

static bool next_line(words *text) {
  text->at += strcspn(text->at, "\n");
  text->at += *text->at == '\n';
  return *text->at != '\0';
}

static thud_error read_word(words *text, char word[WORD_ROOM]) {
  while (!next_word(text, word))
    if (!next_line(text)) return thud_node_fail(text->node, THUD_ERROR_SCHEMA, "this text ends too early");
  return THUD_OK;
}

static thud_error read_double(words *text, double *value) {
  char word[WORD_ROOM];
  thud_error error = read_word(text, word);
  if (error == THUD_OK && !thud_parse_double(word, value))
    error = thud_node_fail(text->node, THUD_ERROR_SCHEMA, "a number is needed in this text, not '%s'", word);
  return error;
}

/* A whole number below `end`. */
static thud_error read_whole(words *text, double end, size_t *value) {
  double number = 0;
  thud_error error = read_double(text, &number);
  if (error == THUD_OK && !(number >= 0 && number < end && number == floor(number)))
    error = thud_node_fail(text->node, THUD_ERROR_SCHEMA, "%g is no count or number of a vertex", number);
  *value = error == THUD_OK ? (size_t)number : 0;
  return error;
}

thud_error thud_verify_read_lines(thud_context *context, const thud_node *node, verify_numbers *numbers) {
  words text = {.node = node};
  char word[WORD_ROOM];
  size_t total = 0;
  thud_error error = thud_node_read_string(node, &text.at);
  if (error != THUD_OK) return error;
  do {
    size_t count = 0;
    for (; error == THUD_OK && next_word(&text, word); count++) {
      error = thud_array_reserve(context, &numbers->values, &numbers->capacity, total + 1, sizeof *numbers->values);
      if (error == THUD_OK && !thud_parse_double(word, &numbers->values[total++]))
        error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a number is needed in this text, not '%s'", word);
    }
    if (error != THUD_OK || count == 0) continue;
    if (numbers->rows++ == 0) numbers->columns = count;
    if (count != numbers->columns) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "lines of this text differ");
  } while (error == THUD_OK && next_line(&text));
  return error;
}

/* ---- shapes of the model ---------------------------------------------------------------------------------------------- */

void thud_verify_free_shape(thud_context *context, verify_shape *shape) {
  thud_free(context, shape->points);
  thud_free(context, shape->triangles);
  shape->points = NULL;
  shape->triangles = NULL;
}

thud_error thud_verify_add_shape(verify_build *build, const verify_shape *shape, size_t *number) {
  verify_bodies *bodies = build->bodies;
  thud_error error = thud_array_reserve(build->context, &bodies->shape, &build->shape_capacity, bodies->shape_count + 1,
                                        sizeof *bodies->shape);
  if (error != THUD_OK) {
    verify_shape lost = *shape;
    thud_verify_free_shape(build->context, &lost);
    return error;
  }
  *number = bodies->shape_count;
  bodies->shape[bodies->shape_count++] = *shape;
  return THUD_OK;
}

thud_error thud_verify_scale_shape(verify_build *build, size_t shape, double scale, size_t *scaled) {
  verify_shape made = build->bodies->shape[shape];
  const verify_shape *from = &build->bodies->shape[shape];
  made.points = THUD_NEW_ARRAY(build->context, thud_vec3, made.point_count);
  made.triangles = THUD_NEW_ARRAY(build->context, size_t, 3 * made.triangle_count);
  if (made.points == NULL || made.triangles == NULL) {
    thud_verify_free_shape(build->context, &made);
    return THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < made.point_count; k++) made.points[k] = thud_vec3_scale(scale, from->points[k]);
  for (size_t k = 0; k < 3 * made.triangle_count; k++) made.triangles[k] = from->triangles[k];
  made.radius *= scale;
  made.half_length *= scale;
  made.half = thud_vec3_scale(scale, made.half);
  return thud_verify_add_shape(build, &made, scaled);
}

/* ---- one shape ---------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_read_radius(verify_build *build, const thud_node *node, verify_shape *shape) {
  return thud_verify_read_constant(build->scene, node, &shape->radius);
}

static thud_error read_half(verify_build *build, const thud_node *node, double part, verify_shape *shape) {
  double x[3] = {0, 0, 0};
  thud_error error = thud_verify_given_numbers(build, node, build->dimension, x);
  shape->half = thud_vec3_scale(part, thud_vec3_load(x));
  return error;
}

thud_error thud_verify_read_edges(verify_build *build, const thud_node *node, verify_shape *shape) {
  return read_half(build, node, 0.5, shape);
}

thud_error thud_verify_read_axes(verify_build *build, const thud_node *node, verify_shape *shape) {
  return read_half(build, node, 1, shape);
}

thud_error thud_verify_read_long(verify_build *build, const thud_node *node, verify_shape *shape) {
  const thud_node *radius, *length;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require(node, "radius", &radius);
  if (error == THUD_OK) error = thud_node_require(node, thud_verify_form_of(shape)->length, &length);
  if (error == THUD_OK) error = thud_verify_read_constant(build->scene, radius, &shape->radius);
  if (error == THUD_OK) error = thud_verify_read_constant(build->scene, length, &shape->half_length);
  shape->half_length *= 0.5;
  return error;
}

static thud_error take_points(verify_build *build, const double *values, size_t count, verify_shape *shape) {
  size_t d = build->dimension;
  shape->points = THUD_NEW_ARRAY(build->context, thud_vec3, count);
  if (shape->points == NULL) return THUD_ERROR_MEMORY;
  shape->point_count = count;
  for (size_t k = 0; k < count; k++)
    shape->points[k] = thud_vec3_make(values[d * k], values[d * k + 1], d > 2 ? values[d * k + 2] : 0);
  return THUD_OK;
}

/* Lists of lists of numbers. */
static thud_error read_list(verify_build *build, const thud_node *list, verify_numbers *numbers) {
  thud_error error = thud_node_matrix_shape(list, &numbers->rows, &numbers->columns);
  if (error != THUD_OK) return error;
  numbers->values = thud_alloc(build->context, numbers->rows, numbers->columns * sizeof *numbers->values);
  if (numbers->values == NULL) return THUD_ERROR_MEMORY;
  for (size_t r = 0; r < numbers->rows && error == THUD_OK; r++)
    error = thud_verify_given_numbers(build, thud_node_item(list, r), numbers->columns,
                                      numbers->values + r * numbers->columns);
  return error;
}

/* A list, or a map with the text of a file under `table`. */
static thud_error read_points(verify_build *build, const thud_node *node, verify_shape *shape) {
  verify_numbers numbers = {0};
  const thud_node *table = node;
  bool text = thud_node_get_kind(node) == THUD_NODE_MAP;
  thud_error error = text ? thud_node_require(node, "table", &table) : THUD_OK;
  if (error == THUD_OK)
    error = text ? thud_verify_read_lines(build->context, table, &numbers) : read_list(build, node, &numbers);
  if (error == THUD_OK && numbers.columns != build->dimension)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "points have %zu numbers here", build->dimension);
  if (error == THUD_OK) error = take_points(build, numbers.values, numbers.rows, shape);
  thud_free(build->context, numbers.values);
  return error;
}

thud_error thud_verify_read_hull(verify_build *build, const thud_node *node, verify_shape *shape) {
  thud_error error = read_points(build, node, shape);
  if (error == THUD_OK) error = thud_verify_find_hull(build->context, shape);
  if (error == THUD_OK && shape->triangle_count == 0)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "the points of this hull are in a plane");
  return error;
}

/* Corners of the hull, counter-clockwise: a point is one when it is the farthest along some direction. Jarvis' march turns
 * from corner to corner; points on an edge, up to rounding, are left out. */
static thud_error find_polygon(thud_context *context, verify_shape *shape) {
  size_t n = shape->point_count, first = 0, at, corners = 0;
  const thud_vec3 *p = shape->points;
  thud_vec3 *hull = n > 2 ? THUD_NEW_ARRAY(context, thud_vec3, n) : NULL;
  if (n <= 2) return THUD_OK;
  if (hull == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 1; k < n; k++)
    if (p[k].x < p[first].x || (p[k].x == p[first].x && p[k].y < p[first].y)) first = k;
  at = first;
  do {
    size_t next = at;
    hull[corners++] = p[at];
    for (size_t k = 0; k < n; k++) {
      thud_vec3 to = thud_vec3_subtract(p[k], p[at]), best = thud_vec3_subtract(p[next], p[at]);
      double turn = thud_vec3_cross(best, to).z, straight = 1e-14 * thud_vec3_norm(best) * thud_vec3_norm(to);
      bool farther = fabs(turn) <= straight && thud_vec3_norm(to) > thud_vec3_norm(best);
      if (turn < -straight || farther) next = k;
    }
    at = next;
  } while (corners < n && thud_vec3_distance(p[at], p[first]) > 0);
  thud_free(context, shape->points);
  shape->points = hull;
  shape->point_count = corners;
  return THUD_OK;
}

thud_error thud_verify_read_polygon(verify_build *build, const thud_node *node, verify_shape *shape) {
  thud_error error = read_points(build, node, shape);
  if (error == THUD_OK) error = find_polygon(build->context, shape);
  if (error == THUD_OK && shape->point_count < 3)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "the points of this polygon are on a line");
  return error;
}

thud_error thud_verify_read_segment(verify_build *build, const thud_node *node, verify_shape *shape) {
  thud_error error = read_points(build, node, shape);
  if (error == THUD_OK && shape->point_count != 2)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a segment has two ends");
  return error;
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------------- */

/* OFF: counts, points, faces as fans of triangles. */
static thud_error read_off(thud_context *context, const thud_node *node, verify_shape *shape) {
  words text = {.node = node};
  char word[WORD_ROOM];
  size_t faces = 0, edges = 0, capacity = 0;
  thud_error error = thud_node_read_string(node, &text.at);
  double most = error == THUD_OK ? (double)strlen(text.at) + 1 : 1; /* every number takes some bytes */
  if (error == THUD_OK) error = read_word(&text, word);
  if (error == THUD_OK && strcmp(word, "OFF") != 0)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a mesh in a record is an OFF text");
  if (error == THUD_OK) error = read_whole(&text, most, &shape->point_count);
  if (error == THUD_OK) error = read_whole(&text, most, &faces);
  if (error == THUD_OK) error = read_whole(&text, 0x1p31, &edges);
  if (error == THUD_OK && (shape->points = THUD_NEW_ARRAY(context, thud_vec3, shape->point_count)) == NULL)
    error = THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < shape->point_count; k++) {
    error = read_double(&text, &shape->points[k].x);
    if (error == THUD_OK) error = read_double(&text, &shape->points[k].y);
    if (error == THUD_OK) error = read_double(&text, &shape->points[k].z);
    next_line(&text);
  }
  for (size_t k = 0; error == THUD_OK && k < faces; k++) {
    size_t corners = 0, fan[3] = {0, 0, 0};
    error = read_whole(&text, most, &corners);
    for (size_t c = 0; c < corners && error == THUD_OK; c++) {
      fan[1] = fan[2];
      error = read_whole(&text, (double)shape->point_count, c == 0 ? &fan[0] : &fan[2]);
      if (error != THUD_OK || c < 2) continue;
      error = thud_array_reserve(context, &shape->triangles, &capacity, 3 * (shape->triangle_count + 1),
                                 sizeof *shape->triangles);
      if (error == THUD_OK) memcpy(shape->triangles + 3 * shape->triangle_count++, fan, sizeof fan);
    }
    next_line(&text);
  }
  return error;
}

static thud_error read_triangles(verify_build *build, const thud_node *list, verify_shape *shape) {
  verify_numbers numbers = {0};
  thud_error error = read_list(build, list, &numbers);
  if (error == THUD_OK && numbers.columns != 3)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "triangles have three corners");
  if (error == THUD_OK && (shape->triangles = THUD_NEW_ARRAY(build->context, size_t, 3 * numbers.rows)) == NULL)
    error = THUD_ERROR_MEMORY;
  shape->triangle_count = numbers.rows;
  for (size_t k = 0; error == THUD_OK && k < 3 * numbers.rows; k++) {
    double corner = numbers.values[k];
    if (!(corner >= 0 && corner < (double)shape->point_count && corner == floor(corner)))
      error = thud_node_fail(list, THUD_ERROR_SCHEMA, "there is no vertex %g", corner);
    shape->triangles[k] = error == THUD_OK ? (size_t)corner : 0;
  }
  thud_free(build->context, numbers.values);
  return error;
}

thud_error thud_verify_read_mesh(verify_build *build, const thud_node *node, verify_shape *shape) {
  const thud_node *off, *list, *vertices;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_verify_given_flag(node, "open", &shape->open);
  if (error != THUD_OK) return error;
  if ((vertices = thud_node_find(node, "vertices")) == NULL) {
    error = thud_node_require(node, "off", &off);
    return error == THUD_OK ? read_off(build->context, off, shape) : error;
  }
  error = thud_node_require(node, "triangles", &list);
  if (error == THUD_OK) error = read_points(build, vertices, shape);
  return error == THUD_OK ? read_triangles(build, list, shape) : error;
}

/* Cell A B C D (A at column i and row j, counter-clockwise) is the triangles A B C and A C D. */
static void split_cells(size_t columns, size_t rows, size_t *triangles) {
  for (size_t j = 0; j + 1 < rows; j++)
    for (size_t i = 0; i + 1 < columns; i++) {
      size_t a = j * columns + i, b = a + 1, d = a + columns, c = d + 1;
      const size_t corners[6] = {a, b, c, a, c, d};
      memcpy(triangles, corners, sizeof corners);
      triangles += 6;
    }
}

thud_error thud_verify_make_heights(thud_context *context, size_t columns, size_t rows, const double spacing[2],
                                    const double *heights, verify_shape *shape) {
  shape->point_count = columns * rows;
  shape->triangle_count = 2 * (columns - 1) * (rows - 1);
  shape->points = THUD_NEW_ARRAY(context, thud_vec3, shape->point_count);
  shape->triangles = THUD_NEW_ARRAY(context, size_t, 3 * shape->triangle_count);
  if (shape->points == NULL || shape->triangles == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < shape->point_count; k++) {
    size_t column = k % columns, row = k / columns;
    double x = ((double)column - 0.5 * (double)(columns - 1)) * spacing[0];
    double y = ((double)row - 0.5 * (double)(rows - 1)) * spacing[1];
    shape->points[k] = thud_vec3_make(x, y, heights[k]);
  }
  split_cells(columns, rows, shape->triangles);
  return THUD_OK;
}

/* {size or spacing, heights or table}. */
thud_error thud_verify_read_height_field(verify_build *build, const thud_node *node, verify_shape *shape) {
  verify_numbers numbers = {0};
  double spacing[2] = {0, 0};
  const thud_node *table;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *size = thud_node_find(node, "size"), *lists = thud_node_find(node, "heights"), *grid = size;
  if (size == NULL) error = thud_node_require(node, "spacing", &grid);
  if (error == THUD_OK) error = thud_verify_given_numbers(build, grid, 2, spacing);
  if (error == THUD_OK && lists == NULL) error = thud_node_require(node, "table", &table);
  if (error == THUD_OK)
    error = lists != NULL ? read_list(build, lists, &numbers) : thud_verify_read_lines(build->context, table, &numbers);
  if (error == THUD_OK && (numbers.rows < 2 || numbers.columns < 2))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "at least 2 x 2 heights are needed");
  if (error == THUD_OK && size != NULL) {
    spacing[0] /= (double)(numbers.columns - 1);
    spacing[1] /= (double)(numbers.rows - 1);
  }
  if (error == THUD_OK)
    error = thud_verify_make_heights(build->context, numbers.columns, numbers.rows, spacing, numbers.values, shape);
  thud_free(build->context, numbers.values);
  return error;
}

/* ---- words ------------------------------------------------------------------------------------------------------------------ */

/* The kind that a word means, and whether the word says everything. */
static thud_error find_word(const verify_build *build, const thud_node *node, const char *word, verify_shape_kind *kind,
                            bool *bare) {
  for (verify_shape_kind k = 0; k < VERIFY_SHAPE_KINDS; k++) {
    const verify_form *form = &thud_verify_forms[k];
    bool without_size = form->without_size != NULL && strcmp(form->without_size, word) == 0;
    if (form->planar != build->bodies->planar || (!without_size && strcmp(form->word, word) != 0)) continue;
    *kind = k;
    *bare = without_size || form->read == NULL;
    return THUD_OK;
  }
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no shape '%s'", word);
}

/* A map of one entry, a name of `shapes`, or a word. */
thud_error thud_verify_given_shape(verify_build *build, const thud_node *node, size_t *number) {
  verify_shape shape = {0};
  bool name = thud_node_get_kind(node) == THUD_NODE_STRING, bare = false;
  if (name) {
    size_t known = thud_names_find(&build->shapes, thud_node_string(node), strlen(thud_node_string(node)));
    *number = known != THUD_NAMES_NONE ? build->named[known] : SIZE_MAX;
    if (known != THUD_NAMES_NONE) return THUD_OK;
  }
  if (!name && (thud_node_get_kind(node) != THUD_NODE_MAP || thud_node_count(node) != 1))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "a shape is a name or one entry");
  const char *word = name ? thud_node_string(node) : thud_node_key(node, 0);
  thud_error error = find_word(build, node, word, &shape.kind, &bare);
  if (error != THUD_OK) return error;
  if (name != bare) return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' is not given so", word);
  if (!bare) error = thud_verify_form_of(&shape)->read(build, thud_node_item(node, 0), &shape);
  if (error == THUD_OK) return thud_verify_add_shape(build, &shape, number);
  thud_verify_free_shape(build->context, &shape);
  return error;
}
