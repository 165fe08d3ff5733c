/* Shapes of the resolved scene. */
#include "verify/bodies_read.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  verify_shape_kind kind;
} kinds[] = {{"sphere", VERIFY_SHAPE_SPHERE},
             {"ellipsoid", VERIFY_SHAPE_ELLIPSOID},
             {"capsule", VERIFY_SHAPE_CAPSULE},
             {"box", VERIFY_SHAPE_BOX},
             {"cylinder", VERIFY_SHAPE_CYLINDER},
             {"cone", VERIFY_SHAPE_CONE},
             {"plane", VERIFY_SHAPE_PLANE},
             {"hull", VERIFY_SHAPE_HULL},
             {"height-field", VERIFY_SHAPE_TRIANGLES},
             {"mesh", VERIFY_SHAPE_TRIANGLES},
             {"disc", VERIFY_SHAPE_DISC},
             {"planar-capsule", VERIFY_SHAPE_PLANAR_CAPSULE},
             {"rectangle", VERIFY_SHAPE_RECTANGLE},
             {"polygon", VERIFY_SHAPE_POLYGON},
             {"segment", VERIFY_SHAPE_SEGMENT},
             {"half-plane", VERIFY_SHAPE_HALF_PLANE}};

static thud_error read_kind(const thud_node *map, verify_shape *shape, const char **name) {
  const thud_node *node;
  thud_error error = thud_node_require(map, "kind", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, name);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kinds[k].name, *name) != 0) continue;
    shape->kind = kinds[k].kind;
    return THUD_OK;
  }
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no shape '%s'", *name);
}

/* A number that may be missing: 0 then. */
static thud_error read_length(const thud_node *map, const char *key, double *value) {
  const thud_node *node = thud_node_find(map, key);
  thud_error error = node != NULL ? thud_node_read_number(node, value) : THUD_OK;
  return error == THUD_OK && !(*value >= 0) ? thud_node_fail(node, THUD_ERROR_SCHEMA, "a length is not negative")
                                            : error;
}

static thud_error read_half(const thud_node *map, verify_shape *shape) {
  const thud_node *node = thud_node_find(map, "half");
  double half[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_read_numbers(node, shape->kind == VERIFY_SHAPE_RECTANGLE ? 2 : 3, half);
  shape->half = thud_vec3_load(half);
  return error;
}

static thud_error read_points(thud_context *context, const thud_node *map, verify_shape *shape) {
  const thud_node *node = thud_node_find(map, "points");
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  size_t count = error == THUD_OK ? thud_node_count(node) : 0;
  if (error == THUD_OK && count % 3 != 0) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "points have three numbers");
  if (error != THUD_OK) return error;
  shape->points = THUD_NEW_ARRAY(context, thud_vec3, count / 3);
  if (shape->points == NULL) return THUD_ERROR_MEMORY;
  shape->point_count = count / 3;
  for (size_t k = 0; k < count && error == THUD_OK; k += 3) {
    double x[3] = {0, 0, 0};
    for (size_t i = 0; i < 3 && error == THUD_OK; i++)
      error = thud_node_read_number(thud_node_item(node, k + i), &x[i]);
    shape->points[k / 3] = thud_vec3_load(x);
  }
  return error;
}

static thud_error read_triangles(thud_context *context, const thud_node *map, verify_shape *shape) {
  const thud_node *node = thud_node_find(map, "triangles");
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  size_t count = error == THUD_OK ? thud_node_count(node) : 0;
  if (error == THUD_OK && count % 3 != 0)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "triangles have three corners");
  if (error != THUD_OK) return error;
  shape->triangles = THUD_NEW_ARRAY(context, size_t, count);
  if (shape->triangles == NULL) return THUD_ERROR_MEMORY;
  shape->triangle_count = count / 3;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t corner = 0;
    error = thud_node_read_integer(thud_node_item(node, k), 0, (int64_t)shape->point_count - 1, &corner);
    shape->triangles[k] = (size_t)corner;
  }
  return error;
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

static thud_error read_heights(thud_context *context, const thud_node *map, verify_shape *shape) {
  const thud_node *node[4] = {NULL};
  static const char *const keys[4] = {"columns", "rows", "spacing", "heights"};
  int64_t columns = 0, rows = 0;
  double spacing[2];
  thud_error error = THUD_OK;
  for (int k = 0; k < 4 && error == THUD_OK; k++) error = thud_node_require(map, keys[k], &node[k]);
  if (error == THUD_OK) error = thud_node_read_integer(node[0], 2, 1000000, &columns);
  if (error == THUD_OK) error = thud_node_read_integer(node[1], 2, 1000000, &rows);
  if (error == THUD_OK) error = thud_node_read_numbers(node[2], 2, spacing);
  if (error == THUD_OK && thud_node_count(node[3]) != (size_t)(columns * rows))
    error =
        thud_node_fail(node[3], THUD_ERROR_SCHEMA, "a grid of %d by %d has as many heights", (int)columns, (int)rows);
  if (error != THUD_OK) return error;
  size_t w = (size_t)columns, d = (size_t)rows;
  shape->point_count = w * d;
  shape->triangle_count = 2 * (w - 1) * (d - 1);
  shape->points = THUD_NEW_ARRAY(context, thud_vec3, shape->point_count);
  shape->triangles = THUD_NEW_ARRAY(context, size_t, 3 * shape->triangle_count);
  if (shape->points == NULL || shape->triangles == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < shape->point_count && error == THUD_OK; k++) {
    size_t column = k % w, row = k / w;
    double x = ((double)column - 0.5 * (double)(w - 1)) * spacing[0];
    double y = ((double)row - 0.5 * (double)(d - 1)) * spacing[1], z = 0;
    error = thud_node_read_number(thud_node_item(node[3], k), &z);
    shape->points[k] = thud_vec3_make(x, y, z);
  }
  split_cells(w, d, shape->triangles);
  return error;
}

static bool is_complete(const verify_shape *shape) {
  switch (shape->kind) {
  case VERIFY_SHAPE_HULL: return shape->point_count >= 4;
  case VERIFY_SHAPE_POLYGON: return shape->point_count >= 3;
  case VERIFY_SHAPE_SEGMENT: return shape->point_count == 2;
  case VERIFY_SHAPE_TRIANGLES: return shape->triangle_count > 0;
  case VERIFY_SHAPE_BOX:
  case VERIFY_SHAPE_ELLIPSOID: return shape->half.x > 0 && shape->half.y > 0 && shape->half.z > 0;
  case VERIFY_SHAPE_RECTANGLE: return shape->half.x > 0 && shape->half.y > 0;
  case VERIFY_SHAPE_CAPSULE:
  case VERIFY_SHAPE_PLANAR_CAPSULE:
  case VERIFY_SHAPE_CYLINDER:
  case VERIFY_SHAPE_CONE: return shape->radius > 0 && shape->half_length > 0;
  case VERIFY_SHAPE_SPHERE:
  case VERIFY_SHAPE_DISC:
  case VERIFY_SHAPE_PLANE:
  case VERIFY_SHAPE_HALF_PLANE: break;
  }
  return true;
}

thud_error thud_verify_read_shape(thud_context *context, const thud_node *map, verify_shape *shape) {
  const char *name = "";
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error == THUD_OK) error = read_kind(map, shape, &name);
  if (error == THUD_OK) error = read_length(map, "radius", &shape->radius);
  if (error == THUD_OK) error = read_length(map, "half_length", &shape->half_length);
  if (error == THUD_OK) error = read_half(map, shape);
  if (error == THUD_OK && strcmp(name, "height-field") == 0) return read_heights(context, map, shape);
  if (error == THUD_OK) error = read_points(context, map, shape);
  if (error == THUD_OK) error = read_triangles(context, map, shape);
  if (error == THUD_OK && !is_complete(shape))
    error = thud_node_fail(map, THUD_ERROR_SCHEMA, "a '%s' needs more than this", name);
  return error;
}
