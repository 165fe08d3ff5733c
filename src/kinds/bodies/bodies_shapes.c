/* Shapes of `bodies` scenes. */
#include "kinds/bodies/bodies_scene.h"

#include "base/json.h"

#include <math.h>
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

typedef thud_error (*shape_fn)(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape);

static thud_error finish(bodies_scene *made, const thud_node *node, const thud_shape_def *def, thud_index *shape) {
  return thud_bodies_add_known_shape(made, node, def, shape);
}

static thud_error read_round(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  thud_error error = thud_scene_read_constant(made->scene, node, &def->radius);
  if (error == THUD_OK && !(def->radius > 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "the radius must be greater than 0, not %g (a point is 'particle')",
                           def->radius);
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

static thud_error read_extents(bodies_scene *made, const thud_node *node, double factor, thud_shape_def *def) {
  size_t count = (size_t)made->dimension;
  thud_error error = thud_bodies_read_numbers(made, node, count, def->half);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    if (!(def->half[k] > 0))
      error = thud_node_fail(thud_node_item(node, k), THUD_ERROR_SCHEMA, "an edge must be longer than 0, not %g",
                             def->half[k]);
    def->half[k] *= factor;
  }
  return error;
}

static thud_error read_box(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  thud_error error = read_extents(made, node, 0.5, def);
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

static thud_error read_ellipsoid(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  thud_error error = read_extents(made, node, 1, def);
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

static thud_error read_long(bodies_scene *made, const thud_node *node, const char *length, thud_shape_def *def,
                            thud_index *shape) {
  const char *const keys[] = {"radius", length};
  const thud_node *found;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, 2);
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) error = thud_node_require(node, keys[k], &found);
  if (error == THUD_OK) error = thud_bodies_read_positive(made, node, "radius", &def->radius);
  if (error == THUD_OK) error = thud_bodies_read_positive(made, node, length, &def->half_length);
  def->half_length *= 0.5;
  return error == THUD_OK ? finish(made, node, def, shape) : error;
}

static thud_error read_long_shape(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  return read_long(made, node, "length", def, shape);
}

static thud_error read_cone(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  return read_long(made, node, "height", def, shape);
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
    error = thud_node_fail(table, THUD_ERROR_SCHEMA, "%zu numbers per point are needed, not %zu", d, numbers.columns);
  if (error == THUD_OK) *points = thud_alloc(made->context, numbers.rows, 3 * sizeof **points);
  if (error == THUD_OK && *points == NULL) error = THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < numbers.rows; k++)
    memcpy(*points + 3 * k, numbers.values + d * k, d * sizeof **points);
  *count = numbers.rows;
  thud_free(made->context, numbers.values);
  return error;
}

static thud_error read_hull(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  double *points = NULL;
  size_t count = 0;
  bool table = thud_node_get_kind(node) == THUD_NODE_MAP;
  thud_error error = table ? read_point_table(made, node, &points, &count) : read_points(made, node, &points, &count);
  if (error == THUD_OK && count > INT32_MAX / 3) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "too many points");
  def->point_count = (thud_index)count;
  def->points = points;
  if (error == THUD_OK) error = finish(made, node, def, shape);
  thud_free(made->context, points);
  return error;
}

static thud_error read_segment(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE && thud_node_count(node) != 2)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "a segment has two ends: [[x, y], [x, y]]");
  return read_hull(made, node, def, shape);
}

/* {file, off, open}, or {vertices, triangles, open}. */
static thud_error read_inline_mesh(bodies_scene *made, const thud_node *node, bodies_mesh *mesh) {
  const thud_node *vertices, *triangles;
  thud_error error = thud_node_require(node, "vertices", &vertices);
  if (error == THUD_OK) error = read_points(made, vertices, &mesh->points, &mesh->point_count);
  if (error == THUD_OK) error = thud_node_require(node, "triangles", &triangles);
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
        error = thud_node_fail(triangle, THUD_ERROR_SCHEMA, "a corner is the number of a vertex, from 0 to %zu, not %g",
                               mesh->point_count - 1, corners[c]);
      mesh->triangles[3 * k + c] = error == THUD_OK ? (thud_index)corners[c] : 0;
    }
  }
  return error;
}

static thud_error read_mesh(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
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
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "too many triangles");
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

static thud_error read_height_field(bodies_scene *made, const thud_node *node, thud_shape_def *def, thud_index *shape) {
  static const char *const keys[] = {"size", "spacing", "heights", "file", "table"};
  bodies_numbers numbers = {0};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, 5);
  if (error != THUD_OK) return error;
  const thud_node *size = thud_node_find(node, "size"), *spacing = thud_node_find(node, "spacing");
  if ((size == NULL) == (spacing == NULL))
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "give either 'size' (of the whole field) or 'spacing' (of its grid)");
  error = thud_bodies_read_numbers(made, size != NULL ? size : spacing, 2, def->spacing);
  if (error == THUD_OK) error = read_heights(made, node, &numbers);
  if (error == THUD_OK && (numbers.rows < 2 || numbers.columns < 2 || numbers.rows > INT32_MAX / numbers.columns))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "at least 2 x 2 heights are needed, not %zu x %zu", numbers.rows,
                           numbers.columns);
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

/* ---- the table ------------------------------------------------------------------------------------------------------ */

typedef struct shape_word {
  const char *word;
  bool planar;
  thud_shape_kind kind;
  shape_fn read; /* NULL: a word without anything else */
} shape_word;

static const shape_word words[] = {
    {"sphere", false, THUD_SHAPE_SPHERE, read_round},
    {"ellipsoid", false, THUD_SHAPE_ELLIPSOID, read_ellipsoid},
    {"capsule", false, THUD_SHAPE_CAPSULE, read_long_shape},
    {"box", false, THUD_SHAPE_BOX, read_box},
    {"cylinder", false, THUD_SHAPE_CYLINDER, read_long_shape},
    {"cone", false, THUD_SHAPE_CONE, read_cone},
    {"plane", false, THUD_SHAPE_PLANE, NULL},
    {"hull", false, THUD_SHAPE_HULL, read_hull},
    {"height_field", false, THUD_SHAPE_HEIGHT_FIELD, read_height_field},
    {"mesh", false, THUD_SHAPE_MESH, read_mesh},
    {"particle", false, THUD_SHAPE_SPHERE, NULL},
    {"disc", true, THUD_SHAPE_DISC, read_round},
    {"capsule", true, THUD_SHAPE_PLANAR_CAPSULE, read_long_shape},
    {"box", true, THUD_SHAPE_RECTANGLE, read_box},
    {"polygon", true, THUD_SHAPE_POLYGON, read_hull},
    {"segment", true, THUD_SHAPE_SEGMENT, read_segment},
    {"half_plane", true, THUD_SHAPE_HALF_PLANE, NULL},
    {"particle", true, THUD_SHAPE_DISC, NULL},
};
enum { WORDS = sizeof words / sizeof *words };

bool thud_bodies_is_shape_word(const char *name) {
  for (size_t k = 0; k < WORDS; k++)
    if (strcmp(words[k].word, name) == 0) return true;
  return false;
}

static const shape_word *find_word(bool planar, const char *name) {
  for (size_t k = 0; k < WORDS; k++)
    if (words[k].planar == planar && strcmp(words[k].word, name) == 0) return &words[k];
  return NULL;
}

/* A word that is one of the other dimension gets another message than one that is none. */
static thud_error refuse_word(const bodies_scene *made, const thud_node *node, const char *name) {
  const char *all[WORDS], *near;
  size_t count = 0;
  if (find_word(!made->planar, name) != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' is a shape of %s; this scene is %s", name,
                          made->planar ? "space" : "the plane", made->planar ? "planar" : "not planar");
  for (size_t k = 0; k < WORDS; k++)
    if (words[k].planar == made->planar) all[count++] = words[k].word;
  near = thud_suggest(name, all, count);
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no shape '%s'%s%s%s", name,
                        near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
}

static thud_error read_shape_name(bodies_scene *made, const thud_node *node, thud_index *shape) {
  const char *name = thud_node_string(node);
  size_t number = thud_names_find(&made->named_shapes, name, strlen(name));
  if (number != THUD_NAMES_NONE) {
    *shape = made->shape_numbers[number];
    return THUD_OK;
  }
  const shape_word *word = find_word(made->planar, name);
  if (word != NULL && word->read == NULL) {
    thud_shape_def def = thud_shape_def_default(word->kind);
    return finish(made, node, &def, shape);
  }
  if (word != NULL) return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' needs its size: shape: {%s: ...}", name, name);
  if (thud_bodies_is_shape_word(name)) return refuse_word(made, node, name);
  return thud_bodies_find_name(made, node, &made->named_shapes, "shape", &number);
}

thud_error thud_bodies_read_shape(bodies_scene *made, const thud_node *node, thud_index *shape) {
  if (thud_node_get_kind(node) == THUD_NODE_STRING) return read_shape_name(made, node, shape);
  if (thud_node_get_kind(node) != THUD_NODE_MAP || thud_node_count(node) != 1) {
    char found[80];
    thud_node_describe(node, found, sizeof found);
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "a shape is a name or one entry like {sphere: 0.1}, not %s", found);
  }
  const char *name = thud_node_key(node, 0);
  const thud_node *value = thud_node_item(node, 0);
  const shape_word *word = find_word(made->planar, name);
  if (word == NULL) return refuse_word(made, node, name);
  if (word->read == NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' has no size: write shape: %s", name, name);
  thud_shape_def def = thud_shape_def_default(word->kind);
  return word->read(made, value, &def, shape);
}
