/* Shapes of `bodies` scenes. */
#include "kinds/bodies/bodies_scene.h"

#include "base/json.h"
#include "geom/shape_class.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes that are there already ------------------------------------------------------------------------------- */

static bool has_arrays(const thud_shape_def *def) {
  return def->point_count > 0 || def->triangle_count > 0 || def->heights != NULL;
}

/* Bytes that two equal shapes without arrays have in common. */
typedef struct shape_key {
  double numbers[5];
  int kind;
} shape_key;

static thud_error find_known(bodies_scene *made, const thud_shape_def *def, thud_index *shape, bool *found) {
  shape_key *key = thud_arena_alloc(made->arena, 1, sizeof *key);
  size_t there = THUD_NAMES_NONE;
  if (key == NULL) return THUD_ERROR_MEMORY;
  key->numbers[0] = def->radius;
  key->numbers[1] = def->half_length;
  for (int k = 0; k < 3; k++) key->numbers[2 + k] = def->half[k];
  key->kind = (int)def->kind;
  thud_error error = thud_names_add(&made->known_shapes, (const char *)key, sizeof *key, made->shape_count, &there);
  *found = error == THUD_OK && there != THUD_NAMES_NONE;
  if (*found) *shape = (thud_index)there;
  return error;
}

thud_error thud_bodies_add_known_shape(bodies_scene *made, const thud_node *node, const thud_shape_def *def,
                                       thud_index *shape) {
  bool found = false;
  thud_shape *created = NULL;
  thud_index number = -1;
  thud_error error = thud_array_reserve(made->context, &made->shapes, &made->shape_capacity, made->shape_count + 1,
                                        sizeof *made->shapes);
  if (error == THUD_OK) error = thud_bodies_blame(node, thud_shape_create(made->context, def, &created));
  if (error == THUD_OK && !has_arrays(def)) error = find_known(made, def, shape, &found);
  if (error != THUD_OK || found) {
    thud_shape_destroy(created);
    return error;
  }
  made->shapes[made->shape_count++] = created;
  error = thud_bodies_blame(node, thud_bodies_add_shape(made->bodies, def, &number));
  if (error == THUD_OK) *shape = number;
  return error;
}

static double *scaled_copy(bodies_scene *made, const double *values, size_t count, double scale) {
  double *copy = THUD_NEW_ARRAY(made->context, double, count);
  for (size_t k = 0; copy != NULL && k < count; k++) copy[k] = scale * values[k];
  return copy;
}

thud_error thud_bodies_scale_shape(bodies_scene *made, const thud_node *node, thud_index shape, double scale,
                                   thud_index *scaled) {
  thud_shape_def def = thud_shape_get_def(made->shapes[shape]);
  size_t cells = (size_t)def.rows * (size_t)def.columns;
  double *points = scaled_copy(made, def.points, 3 * (size_t)def.point_count, scale);
  double *heights = scaled_copy(made, def.heights, def.heights != NULL ? cells : 0, scale);
  thud_error error = points != NULL && heights != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  def.radius *= scale;
  def.half_length *= scale;
  for (int k = 0; k < 3; k++) def.half[k] *= scale;
  for (int k = 0; k < 2; k++) def.spacing[k] *= scale;
  def.points = def.point_count > 0 ? points : NULL;
  def.heights = def.heights != NULL ? heights : NULL;
  if (error == THUD_OK) error = thud_bodies_add_known_shape(made, node, &def, scaled);
  thud_free(made->context, points);
  thud_free(made->context, heights);
  return error;
}

/* ---- what the scene says ------------------------------------------------------------------------------------------ */

/* What a shape's class says about its notation in scenes; shape: the number of the shape that is made. */
typedef thud_error (*notation_fn)(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                                  thud_shape_def *def, thud_index *shape);

static thud_error finish(bodies_scene *made, const thud_node *node, const thud_shape_def *def, thud_index *shape) {
  return thud_bodies_add_known_shape(made, node, def, shape);
}

/* Where a parameter is in the def; numbers of a list follow the first. */
static double *place_of(thud_shape_def *def, const thud_shape_parameter *parameter) {
  return (double *)(void *)((char *)def + parameter->offset);
}

static thud_error read_number(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                              thud_shape_def *def, thud_index *shape) {
  const thud_shape_parameter *parameter = &class->scene.parameters[0];
  const char *without = class->scene.without_size;
  double *x = place_of(def, parameter);
  thud_error error = thud_scene_read_constant(made->scene, node, x);
  if (error == THUD_OK && !(*x > 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] the %s must be greater than 0, not %g%s%s%s",
                           parameter->key, *x, without != NULL ? " (a point is '" : "", without != NULL ? without : "",
                           without != NULL ? "')" : "");
  *x *= parameter->factor;
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

static thud_error read_list(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                            thud_shape_def *def, thud_index *shape) {
  const thud_shape_parameter *parameter = &class->scene.parameters[0];
  size_t count = (size_t)made->dimension;
  double *x = place_of(def, parameter);
  thud_error error = thud_bodies_read_numbers(made, node, count, x);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    if (!(x[k] > 0))
      error = thud_node_fail(thud_node_item(node, k), THUD_ERROR_SCHEMA,
                             "[bad-shape] an edge must be longer than 0, not %g", x[k]);
    x[k] *= parameter->factor;
  }
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

static thud_error read_map(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                           thud_shape_def *def, thud_index *shape) {
  const char *keys[THUD_SHAPE_PARAMETERS];
  const thud_shape_parameter *parameters = class->scene.parameters;
  const thud_node *found;
  size_t count = 0;
  while (count < THUD_SHAPE_PARAMETERS && parameters[count].key != NULL) {
    keys[count] = parameters[count].key;
    count++;
  }
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_node_require_as(node, keys[k], "a number > 0", &found);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    double *x = place_of(def, &parameters[k]);
    error = thud_bodies_read_positive(made, node, keys[k], x);
    *x *= parameters[k].factor;
  }
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

/* Points of a list [[x, y, z], ...], z = 0 in the plane; freed with thud_free, also after a failure. */
static thud_error read_points(bodies_scene *made, const thud_node *list, double **points, size_t *count) {
  size_t d = (size_t)made->dimension;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  *count = thud_node_count(list);
  *points = thud_alloc(made->context, *count, 3 * sizeof **points);
  if (*points == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < *count && error == THUD_OK; k++)
    error = thud_bodies_read_numbers(made, thud_node_item(list, k), d, *points + 3 * k);
  return error;
}

/* {file, table}: the text of a file with a point on each line. */
static thud_error read_point_table(bodies_scene *made, const thud_node *node, double **points, size_t *count) {
  static const char *const keys[] = {"file", "table"};
  const thud_node *table;
  const char *text;
  bodies_numbers numbers = {0};
  size_t d = (size_t)made->dimension;
  thud_error error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK) error = thud_node_require(node, "table", &table);
  if (error == THUD_OK) error = thud_node_read_string(table, &text);
  if (error == THUD_OK) error = thud_bodies_blame(table, thud_bodies_numbers_read(made->context, text, &numbers));
  if (error == THUD_OK && numbers.columns != d)
    error = thud_node_fail(table, THUD_ERROR_SCHEMA, "[bad-shape] %zu numbers per point are needed, not %zu", d,
                           numbers.columns);
  if (error == THUD_OK) *points = thud_alloc(made->context, numbers.rows, 3 * sizeof **points);
  if (error == THUD_OK && *points == NULL) error = THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < numbers.rows; k++)
    memcpy(*points + 3 * k, numbers.values + d * k, d * sizeof **points);
  *count = numbers.rows;
  thud_free(made->context, numbers.values);
  return error;
}

static thud_error read_points_shape(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                                    thud_shape_def *def, thud_index *shape) {
  double *points = NULL;
  size_t count = 0, most = (size_t) class->scene.points_exactly;
  bool table = thud_node_get_kind(node) == THUD_NODE_MAP;
  if (most > 0 && thud_node_get_kind(node) == THUD_NODE_SEQUENCE && thud_node_count(node) != most)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] %s", class->scene.points_fault);
  thud_error error = table ? read_point_table(made, node, &points, &count) : read_points(made, node, &points, &count);
  if (error == THUD_OK && count > INT32_MAX / 3)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-shape] too many points");
  def->point_count = (thud_index)count;
  def->points = points;
  if (error == THUD_OK) error = finish(made, node, def, shape);
  thud_free(made->context, points);
  return error;
}

/* {file, off, open}, or {vertices, triangles, open}. */
static thud_error read_inline_mesh(bodies_scene *made, const thud_node *node, bodies_mesh *mesh) {
  const thud_node *vertices, *triangles;
  thud_error error =
      thud_node_require_as(node, "vertices", "a list of points, such as [[0, 0, 0], [1, 0, 0], ...]", &vertices);
  if (error == THUD_OK) error = read_points(made, vertices, &mesh->points, &mesh->point_count);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "triangles", "a list of triples of vertices, counted from 0", &triangles);
  if (error == THUD_OK) error = thud_node_expect(triangles, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  mesh->triangle_count = thud_node_count(triangles);
  mesh->triangles = thud_alloc(made->context, mesh->triangle_count, 3 * sizeof *mesh->triangles);
  if (mesh->triangles == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < mesh->triangle_count && error == THUD_OK; k++) {
    double corners[3];
    const thud_node *triangle = thud_node_item(triangles, k);
    error = thud_bodies_read_numbers(made, triangle, 3, corners);
    for (size_t c = 0; c < 3 && error == THUD_OK; c++) {
      if (!(corners[c] >= 0 && corners[c] < (double)mesh->point_count && corners[c] == floor(corners[c])))
        error = thud_node_fail(triangle, THUD_ERROR_SCHEMA,
                               "[bad-mesh] a corner is the number of a vertex, from 0 to %zu, not %g",
                               mesh->point_count - 1, corners[c]);
      mesh->triangles[3 * k + c] = error == THUD_OK ? (thud_index)corners[c] : 0;
    }
  }
  return error;
}

static thud_error read_triangles(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                                 thud_shape_def *def, thud_index *shape) {
  (void)class;
  static const char *const file_keys[] = {"file", "off", "open"}, *const keys[] = {"vertices", "triangles", "open"};
  const thud_node *off, *file;
  const char *text, *name = "mesh";
  bodies_mesh mesh = {0};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  bool lists = thud_node_find(node, "vertices") != NULL || thud_node_find(node, "triangles") != NULL;
  error = thud_node_check_keys(node, lists ? keys : file_keys, 3);
  if (error == THUD_OK) error = thud_bodies_read_flag(node, "open", &def->open);
  if (error == THUD_OK && lists) error = read_inline_mesh(made, node, &mesh);
  if (error == THUD_OK && !lists) {
    if ((file = thud_node_find(node, "file")) != NULL) error = thud_node_read_string(file, &name);
    if (error == THUD_OK) error = thud_node_require(node, "off", &off);
    if (error == THUD_OK) error = thud_node_read_string(off, &text);
    if (error == THUD_OK)
      error = thud_bodies_blame(node, thud_bodies_mesh_read(made->context, name, text, strlen(text), &mesh));
  }
  if (error == THUD_OK && (mesh.point_count > INT32_MAX / 3 || mesh.triangle_count > INT32_MAX / 3))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-shape] too many triangles");
  def->point_count = (thud_index)mesh.point_count;
  def->points = mesh.points;
  def->triangle_count = (thud_index)mesh.triangle_count;
  def->triangles = mesh.triangles;
  if (error == THUD_OK) error = finish(made, node, def, shape);
  thud_bodies_mesh_free(made->context, &mesh);
  return error;
}

/* Lists of lists, or the text of a file; the first line is that of the smallest y. */
static thud_error read_heights(bodies_scene *made, const thud_node *node, bodies_numbers *numbers) {
  const thud_node *lists = thud_node_find(node, "heights"), *table;
  const char *text;
  thud_error error;
  if (lists == NULL) {
    error = thud_node_require(node, "table", &table);
    if (error == THUD_OK) error = thud_node_read_string(table, &text);
    return error == THUD_OK ? thud_bodies_blame(table, thud_bodies_numbers_read(made->context, text, numbers)) : error;
  }
  error = thud_node_matrix_shape(lists, &numbers->rows, &numbers->columns);
  if (error != THUD_OK) return error;
  numbers->values = thud_alloc(made->context, numbers->rows, numbers->columns * sizeof *numbers->values);
  if (numbers->values == NULL) return THUD_ERROR_MEMORY;
  for (size_t r = 0; r < numbers->rows && error == THUD_OK; r++)
    error = thud_bodies_read_numbers(made, thud_node_item(lists, r), numbers->columns,
                                     numbers->values + r * numbers->columns);
  return error;
}

static thud_error read_field(bodies_scene *made, const thud_node *node, const thud_shape_class *class,
                             thud_shape_def *def, thud_index *shape) {
  (void)class;
  static const char *const keys[] = {"size", "spacing", "heights", "file", "table"};
  bodies_numbers numbers = {0};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, 5);
  if (error != THUD_OK) return error;
  const thud_node *size = thud_node_find(node, "size"), *spacing = thud_node_find(node, "spacing");
  if ((size == NULL) == (spacing == NULL))
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] give either 'size' (of the whole field) or 'spacing' (of its grid)");
  error = thud_bodies_read_numbers(made, size != NULL ? size : spacing, 2, def->spacing);
  if (error == THUD_OK) error = read_heights(made, node, &numbers);
  if (error == THUD_OK && (numbers.rows < 2 || numbers.columns < 2 || numbers.rows > INT32_MAX / numbers.columns))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-shape] at least 2 x 2 heights are needed, not %zu x %zu",
                           numbers.rows, numbers.columns);
  if (error == THUD_OK && size != NULL) {
    def->spacing[0] /= (double)(numbers.columns - 1);
    def->spacing[1] /= (double)(numbers.rows - 1);
  }
  def->columns = (thud_index)numbers.columns;
  def->rows = (thud_index)numbers.rows;
  def->heights = numbers.values;
  if (error == THUD_OK) error = finish(made, node, def, shape);
  thud_free(made->context, numbers.values);
  return error;
}

/* ---- words ---------------------------------------------------------------------------------------------------------- */

static const notation_fn notations[] = {
    [THUD_NOTED_NUMBER] = read_number,       [THUD_NOTED_LIST] = read_list,           [THUD_NOTED_MAP] = read_map,
    [THUD_NOTED_POINTS] = read_points_shape, [THUD_NOTED_TRIANGLES] = read_triangles, [THUD_NOTED_HEIGHTS] = read_field,
};

/* A word of a scene: a kind of shape. */
typedef struct shape_word {
  const char *word;
  thud_shape_kind kind;
  const thud_shape_class *class;
  bool bare; /* nothing else is said */
} shape_word;

enum { MOST_WORDS = 2 * THUD_SHAPE_KINDS, WORDS_CAPACITY = 300 };

/* The words of the plane or of space: those of the kinds, then those of shapes without a size. */
static size_t list_words(bool planar, shape_word words[MOST_WORDS]) {
  size_t count = 0;
  for (int without_size = 0; without_size < 2; without_size++)
    for (thud_shape_kind kind = 0; kind < THUD_SHAPE_KINDS; kind++) {
      const thud_shape_class *class = thud_shape_class_of(kind);
      const char *word = without_size ? class->scene.without_size : class->scene.word;
      bool bare = without_size || class->scene.notation == THUD_NOTED_BARE;
      if (class->planar == planar && word != NULL) words[count++] = (shape_word){word, kind, class, bare};
    }
  return count;
}

/* False, and *found untouched: there is no such word there. */
static bool find_word(bool planar, const char *name, shape_word *found) {
  shape_word words[MOST_WORDS];
  size_t count = list_words(planar, words);
  for (size_t k = 0; k < count; k++)
    if (strcmp(words[k].word, name) == 0) {
      *found = words[k];
      return true;
    }
  return false;
}

bool thud_bodies_is_shape_word(const char *name) {
  shape_word word;
  return find_word(false, name, &word) || find_word(true, name, &word);
}

/* A word that is one of the other dimension gets another message than one that is none. */
static thud_error refuse_word(const bodies_scene *made, const thud_node *node, const char *name) {
  const char *all[MOST_WORDS], *near;
  shape_word words[MOST_WORDS], other;
  if (find_word(!made->planar, name, &other))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-shape] '%s' is a shape of %s; this scene is %s", name,
                          made->planar ? "space" : "the plane",
                          made->planar ? "in the plane ('planar: true')"
                                       : "in space (a scene in the plane has 'planar: true')");
  size_t count = list_words(made->planar, words);
  char list[WORDS_CAPACITY] = "";
  for (size_t k = 0, used = 0; k < count && used < sizeof list; k++) {
    all[k] = words[k].word;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", words[k].word);
  }
  near = thud_suggest(name, all, count);
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "[unknown-name] there is no shape '%s'; %s%s%shere are: %s", name,
                        near != NULL ? "did you mean '" : "", near != NULL ? near : "", near != NULL ? "'? T" : "t",
                        list);
}

static thud_error read_shape_name(bodies_scene *made, const thud_node *node, thud_index *shape) {
  const char *name = thud_node_string(node);
  size_t number = thud_names_find(&made->named_shapes, name, strlen(name));
  shape_word word;
  if (number != THUD_NAMES_NONE) {
    *shape = made->shape_numbers[number];
    return THUD_OK;
  }
  if (find_word(made->planar, name, &word)) {
    thud_shape_def def = thud_shape_def_default(word.kind);
    if (word.bare) return finish(made, node, &def, shape);
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-shape] '%s' needs its size: shape: {%s: ...}", name, name);
  }
  if (thud_bodies_is_shape_word(name)) return refuse_word(made, node, name);
  return thud_bodies_find_name(made, node, &made->named_shapes, "shape", &number);
}

thud_error thud_bodies_read_shape(bodies_scene *made, const thud_node *node, thud_index *shape) {
  if (thud_node_get_kind(node) == THUD_NODE_STRING) return read_shape_name(made, node, shape);
  if (thud_node_get_kind(node) != THUD_NODE_MAP || thud_node_count(node) != 1) {
    char found[80];
    thud_node_describe(node, found, sizeof found);
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[bad-shape] a shape is a name or one entry like {sphere: 0.1}, not %s", found);
  }
  const char *name = thud_node_key(node, 0);
  const thud_node *value = thud_node_item(node, 0);
  shape_word word;
  if (!find_word(made->planar, name, &word)) return refuse_word(made, node, name);
  if (word.bare)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-shape] '%s' has no size: write shape: %s", name, name);
  thud_shape_def def = thud_shape_def_default(word.kind);
  return notations[word.class->scene.notation](made, value, word.class, &def, shape);
}
