/* Set nodes of a scene: {ball: {centre: [t, 0], radius: 1}} and so on. One table row per kind; every number may be an
 * expression of time. The parameters are appended in the order that thud/convex.h fixes for each kind, so that the
 * list moves the set afterwards; here they are evaluated at the start of the run to make the set. */
#include "scene/build.h"

#include <math.h>
#include <string.h>

/* Arguments of the constructors of leaves beside the parameters. */
typedef struct leaf_shape {
  thud_index n;          /* dimension; 0 while unknown */
  thud_index rows;       /* of A, of the gradients or of the generators */
  thud_index equalities; /* of a polyhedron */
  bool generated;        /* a cone is given by generators */
} leaf_shape;

/* A kind of set. node is the value behind the kind's key. A leaf reads its parameters (append) and is then made from
 * their values at the start; a combinator reads and makes in one go. */
typedef struct set_reader {
  const char *kind;
  thud_error (*append)(scene_numbers *numbers, const thud_node *node, leaf_shape *shape);
  thud_error (*make)(thud_context *context, const leaf_shape *shape, const double *parameters, thud_set **set);
  thud_error (*combine)(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set);
} set_reader;

/* ---- numbers into the parameter list -------------------------------------------------------------- */

thud_error thud_scene_append_number(scene_numbers *numbers, const thud_node *node) {
  scene_value value = {0};
  thud_scene *scene = numbers->scene;
  thud_error error = thud_scene_read_value(scene, node, &value);
  if (error != THUD_OK) return error;
  error = thud_scene_value_jumps(scene, &value, scene->start, scene->end, &numbers->jumps);
  if (error != THUD_OK) {
    thud_scene_value_free(&value);
    return thud_node_fail_within(node, error);
  }
  numbers->moves = numbers->moves || value.expr != NULL;
  error = thud_scene_values_add(scene, &numbers->values, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

void thud_scene_numbers_at(const scene_numbers *numbers, double t, thud_side side, double *out) {
  for (size_t k = 0; k < numbers->values.count; k++) {
    const scene_value *value = &numbers->values.items[k];
    out[k] = thud_scene_value_at(numbers->scene, value, t, side);
    if (value->expr != NULL && isinf(out[k])) out[k] = NAN;
  }
}

void thud_scene_numbers_free(scene_numbers *numbers) {
  thud_scene *scene = numbers->scene;
  if (scene == NULL) return; /* nothing was read */
  thud_scene_values_free(scene, &numbers->values);
  thud_free(scene->context, numbers->jumps.items);
  numbers->jumps = (scene_times){0};
}

/* The list under a key; *n is its length when it comes in as 0 and is checked otherwise. */
static thud_error require_list(const thud_node *map, const char *key, thud_index *n, const thud_node **list) {
  thud_error error = thud_node_require(map, key, list);
  if (error == THUD_OK) error = thud_node_expect(*list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(*list);
  if (count == 0 || count > INT32_MAX)
    return thud_node_fail(*list, THUD_ERROR_SCHEMA, "[wrong-count] at least one number is needed here");
  if (*n == 0) *n = (thud_index)count;
  if (count != (size_t)*n)
    return thud_node_fail(*list, THUD_ERROR_SCHEMA, "[wrong-count] %d number%s needed here, found %zu", (int)*n,
                          *n == 1 ? " is" : "s are", count);
  return THUD_OK;
}

static thud_error append_vector(scene_numbers *numbers, const thud_node *map, const char *key, thud_index *n) {
  const thud_node *list;
  thud_error error = require_list(map, key, n, &list);
  for (size_t k = 0; error == THUD_OK && k < (size_t)*n; k++)
    error = thud_scene_append_number(numbers, thud_node_item(list, k));
  return error;
}

static thud_error append_scalar(scene_numbers *numbers, const thud_node *map, const char *key) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? thud_scene_append_number(numbers, node) : error;
}

/* A matrix written row by row; *rows and *columns are read when 0 and checked otherwise. by_columns: appended column by
 * column (the order of dense matrices), otherwise row by row. */
static thud_error append_matrix(scene_numbers *numbers, const thud_node *map, const char *key, bool by_columns,
                                thud_index *rows, thud_index *columns) {
  const thud_node *matrix;
  thud_error error = thud_node_require(map, key, &matrix);
  if (error == THUD_OK) error = thud_node_expect(matrix, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t m = thud_node_count(matrix);
  if (m == 0 || m > INT32_MAX || (*rows != 0 && m != (size_t)*rows))
    return thud_node_fail(matrix, THUD_ERROR_SCHEMA, "[wrong-count] a matrix of %d rows is needed here, found %zu",
                          *rows != 0 ? (int)*rows : 1, m);
  *rows = (thud_index)m;
  for (size_t i = 0; i < m; i++) {
    const thud_node *row = thud_node_item(matrix, i);
    error = thud_node_expect(row, THUD_NODE_SEQUENCE);
    if (error != THUD_OK) return error;
    size_t count = thud_node_count(row);
    if (*columns == 0 && count > 0 && count <= INT32_MAX) *columns = (thud_index)count;
    if (count == 0 || count != (size_t)*columns)
      return thud_node_fail(row, THUD_ERROR_SCHEMA, "[wrong-count] a row of %d numbers is needed here, found %zu",
                            (int)*columns, count);
  }
  size_t n = (size_t)*columns;
  for (size_t k = 0; k < m * n && error == THUD_OK; k++) {
    size_t i = by_columns ? k % m : k / n, j = by_columns ? k / m : k % n;
    error = thud_scene_append_number(numbers, thud_node_item(thud_node_item(matrix, i), j));
  }
  return error;
}

/* ---- parameters at the start ------------------------------------------------------------------------ */

/* Values at the start of the run of the parameters from `first` on; freed with thud_free. */
static double *start_values(scene_numbers *numbers, size_t first) {
  size_t count = numbers->values.count - first;
  double *values = THUD_NEW_ARRAY(numbers->scene->context, double, count);
  for (size_t k = 0; values != NULL && k < count; k++)
    values[k] =
        thud_scene_value_at(numbers->scene, &numbers->values.items[first + k], numbers->scene->start, THUD_SIDE_VALUE);
  return values;
}

/* The constructors' messages name the set; the place in the file is put in front. */
static thud_error placed(const thud_node *node, thud_error error) {
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static thud_error keys_only(const thud_node *node, const char *a, const char *b) {
  const char *const keys[2] = {a, b};
  return thud_node_check_keys(node, keys, b != NULL ? 2 : 1);
}

/* ---- leaves ------------------------------------------------------------------------------------------- */

static thud_error append_half_space(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "normal", "offset");
  if (error == THUD_OK) error = append_vector(numbers, node, "normal", &shape->n);
  if (error == THUD_OK) error = append_scalar(numbers, node, "offset");
  return error;
}

static thud_error make_half_space(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_half_space(context, shape->n, p, p[shape->n], set);
}

/* A bound: null stands for "none". */
static thud_error append_bound(scene_numbers *numbers, const thud_node *node, double unbounded) {
  if (thud_node_get_kind(node) != THUD_NODE_NULL) return thud_scene_append_number(numbers, node);
  return thud_scene_values_add(numbers->scene, &numbers->values, (scene_value){.constant = unbounded});
}

static thud_error append_bounds(scene_numbers *numbers, const thud_node *map, const char *key, double unbounded,
                                thud_index *n) {
  const thud_node *list;
  thud_error error = require_list(map, key, n, &list);
  for (size_t k = 0; error == THUD_OK && k < (size_t)*n; k++)
    error = append_bound(numbers, thud_node_item(list, k), unbounded);
  return error;
}

static thud_error append_box(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "lower", "upper");
  if (error == THUD_OK) error = append_bounds(numbers, node, "lower", -INFINITY, &shape->n);
  if (error == THUD_OK) error = append_bounds(numbers, node, "upper", INFINITY, &shape->n);
  return error;
}

static thud_error make_box(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_box(context, shape->n, p, p + shape->n, set);
}

static thud_error append_interval(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  const thud_node *lower = NULL, *upper = NULL;
  shape->n = 1;
  thud_error error = keys_only(node, "lower", "upper");
  if (error == THUD_OK)
    error = thud_node_require_as(node, "lower", "a list with a number, or null, for each coordinate", &lower);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "upper", "a list with a number, or null, for each coordinate", &upper);
  if (error == THUD_OK) error = append_bound(numbers, lower, -INFINITY);
  if (error == THUD_OK) error = append_bound(numbers, upper, INFINITY);
  return error;
}

static thud_error make_interval(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  (void)shape;
  return thud_set_interval(context, p[0], p[1], set);
}

static thud_error append_ball(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "centre", "radius");
  if (error == THUD_OK) error = append_vector(numbers, node, "centre", &shape->n);
  if (error == THUD_OK) error = append_scalar(numbers, node, "radius");
  return error;
}

static thud_error make_ball(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_ball(context, shape->n, p, p[shape->n], set);
}

static thud_error append_ellipsoid(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "centre", "shape");
  if (error == THUD_OK) error = append_vector(numbers, node, "centre", &shape->n);
  thud_index rows = shape->n, columns = shape->n;
  if (error == THUD_OK) error = append_matrix(numbers, node, "shape", true, &rows, &columns);
  return error;
}

static thud_error make_ellipsoid(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_ellipsoid(context, shape->n, p, p + shape->n, set);
}

static thud_error read_whole_number(scene_numbers *numbers, const thud_node *node, thud_index low, thud_index high,
                                    thud_index *value) {
  double number;
  thud_error error = thud_scene_read_constant(numbers->scene, node, &number);
  if (error != THUD_OK) return error;
  if (number != floor(number) || number < low || number > high)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] a whole number from %d to %d is needed here, not %g",
                          (int)low, (int)high, number);
  *value = (thud_index)number;
  return THUD_OK;
}

/* Both Coulomb cones: {mu: 0.3, dimension: 3}. */
static thud_error append_coulomb(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "mu", "dimension");
  if (error != THUD_OK) return error;
  const thud_node *dimension = thud_node_find(node, "dimension");
  error = dimension != NULL ? read_whole_number(numbers, dimension, 2, 1000000, &shape->n)
                            : thud_node_fail(node, THUD_ERROR_SCHEMA,
                                             "[wrong-dimension] here the cone needs its 'dimension', for instance 3");
  return error == THUD_OK ? append_scalar(numbers, node, "mu") : error;
}

static thud_error make_coulomb(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_coulomb_cone(context, shape->n, p[0], set);
}

static thud_error make_coulomb_dual(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_coulomb_dual_cone(context, shape->n, p[0], set);
}

/* {mu: 0.5, coupling: [0.75]} */
static thud_error append_generalized(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "mu", "coupling");
  if (error == THUD_OK) error = append_vector(numbers, node, "coupling", &shape->n);
  return error == THUD_OK ? append_scalar(numbers, node, "mu") : error;
}

static thud_error make_generalized(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_generalized_coulomb(context, shape->n, p, p[shape->n], set);
}

static thud_error append_polyhedron(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  static const char *const keys[] = {"A", "b", "equalities"};
  const thud_node *equalities;
  thud_error error = thud_node_check_keys(node, keys, 3);
  if (error == THUD_OK) error = append_matrix(numbers, node, "A", false, &shape->rows, &shape->n);
  if (error == THUD_OK) error = append_vector(numbers, node, "b", &shape->rows);
  if (error == THUD_OK) error = thud_node_require(node, "equalities", &equalities);
  if (error == THUD_OK) error = read_whole_number(numbers, equalities, 0, shape->rows, &shape->equalities);
  return error;
}

static thud_error make_polyhedron(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  const double *b = p + (size_t)shape->rows * (size_t)shape->n;
  return thud_set_polyhedron(context, shape->n, shape->rows, shape->equalities, p, b, set);
}

static thud_error append_affine(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "A", "b");
  if (error == THUD_OK) error = append_matrix(numbers, node, "A", false, &shape->rows, &shape->n);
  if (error == THUD_OK) error = append_vector(numbers, node, "b", &shape->rows);
  return error;
}

static thud_error make_affine(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_affine(context, shape->n, shape->rows, p, p + (size_t)shape->rows * (size_t)shape->n, set);
}

/* cone: {gradients: [[..]]} is { a_i.x <= 0 }; cone: {generators: [[..]]} is { sum l_i g_i, l >= 0 }. */
static thud_error append_cone(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  thud_error error = keys_only(node, "gradients", "generators");
  if (error != THUD_OK) return error;
  shape->generated = thud_node_find(node, "generators") != NULL;
  if (shape->generated && thud_node_find(node, "gradients") != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] give either gradients or generators, not both");
  return append_matrix(numbers, node, shape->generated ? "generators" : "gradients", false, &shape->rows, &shape->n);
}

static thud_error make_cone(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  if (shape->generated) return thud_set_cone_of_generators(context, shape->n, shape->rows, p, set);
  return thud_set_cone_of_gradients(context, shape->n, shape->rows, p, set);
}

static thud_error append_two_vectors(scene_numbers *numbers, const thud_node *node, const char *first,
                                     const char *second, leaf_shape *shape) {
  thud_error error = keys_only(node, first, second);
  if (error == THUD_OK) error = append_vector(numbers, node, first, &shape->n);
  if (error == THUD_OK) error = append_vector(numbers, node, second, &shape->n);
  return error;
}

static thud_error append_half_line(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  return append_two_vectors(numbers, node, "origin", "direction", shape);
}

static thud_error make_half_line(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_half_line(context, shape->n, p, p + shape->n, set);
}

static thud_error append_segment(scene_numbers *numbers, const thud_node *node, leaf_shape *shape) {
  return append_two_vectors(numbers, node, "from", "to", shape);
}

static thud_error make_segment(thud_context *context, const leaf_shape *shape, const double *p, thud_set **set) {
  return thud_set_segment(context, shape->n, p, p + shape->n, set);
}

/* ---- combinators ---------------------------------------------------------------------------------------- */

typedef thud_error (*many_sets_fn)(thud_context *, thud_index, thud_set *const *, thud_set **);

/* Operands in a list; n is what each must have (0: any). */
static thud_error read_operands(scene_numbers *numbers, const thud_node *node, thud_index n, many_sets_fn make,
                                thud_set **set) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(node), made = 0;
  if (count == 0 || count > INT32_MAX)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] at least one set is needed here");
  thud_set **operands = THUD_NEW_ARRAY(numbers->scene->context, thud_set *, count);
  if (operands == NULL) return THUD_ERROR_MEMORY;
  for (; made < count && error == THUD_OK; made += error == THUD_OK)
    error = thud_scene_build_set(numbers, thud_node_item(node, made), n, &operands[made]);
  if (error == THUD_OK) error = placed(node, make(numbers->scene->context, (thud_index)count, operands, set));
  if (error != THUD_OK)
    for (size_t k = 0; k < made; k++) thud_set_destroy(operands[k]);
  thud_free(numbers->scene->context, operands);
  return error;
}

static thud_error read_product(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  (void)n;
  return read_operands(numbers, node, 0, thud_set_product, set);
}

static thud_error read_sum(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  return read_operands(numbers, node, n, thud_set_sum, set);
}

static thud_error read_intersection(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  return read_operands(numbers, node, n, thud_set_intersection, set);
}

/* The operand under `set:`; its parameters follow those appended before. */
static thud_error read_operand(scene_numbers *numbers, const thud_node *map, thud_index n, thud_set **operand) {
  const thud_node *node;
  thud_error error =
      thud_node_require_as(map, "set", "a convex set, such as {ball: {centre: [0, 0], radius: 1}}", &node);
  return error == THUD_OK ? thud_scene_build_set(numbers, node, n, operand) : error;
}

static thud_error read_translation(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  size_t first = numbers->values.count;
  thud_set *operand = NULL;
  thud_error error = keys_only(node, "by", "set");
  if (error == THUD_OK) error = append_vector(numbers, node, "by", &n);
  if (error == THUD_OK) error = read_operand(numbers, node, n, &operand);
  if (error != THUD_OK) return error;
  double *p = start_values(numbers, first);
  error = p != NULL ? placed(node, thud_set_translation(numbers->scene->context, p, operand, set)) : THUD_ERROR_MEMORY;
  if (error != THUD_OK) thud_set_destroy(operand);
  thud_free(numbers->scene->context, p);
  return error;
}

static thud_error read_scaling(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  size_t first = numbers->values.count;
  thud_set *operand = NULL;
  thud_error error = keys_only(node, "by", "set");
  if (error == THUD_OK) error = append_scalar(numbers, node, "by");
  if (error == THUD_OK) error = read_operand(numbers, node, n, &operand);
  if (error != THUD_OK) return error;
  double *p = start_values(numbers, first);
  error = p != NULL ? placed(node, thud_set_scaling(numbers->scene->context, p[0], operand, set)) : THUD_ERROR_MEMORY;
  if (error != THUD_OK) thud_set_destroy(operand);
  thud_free(numbers->scene->context, p);
  return error;
}

/* image: { L x : x in C }; preimage: { x : L x in C }. matrix is L by rows. */
static thud_error read_linear(scene_numbers *numbers, const thud_node *node, thud_index n, bool image, thud_set **set) {
  size_t first = numbers->values.count;
  thud_set *operand = NULL;
  thud_index rows = image ? n : 0, columns = image ? 0 : n;
  thud_error error = keys_only(node, "matrix", "set");
  if (error == THUD_OK) error = append_matrix(numbers, node, "matrix", true, &rows, &columns);
  if (error == THUD_OK) error = read_operand(numbers, node, image ? columns : rows, &operand);
  if (error != THUD_OK) return error;
  double *p = start_values(numbers, first);
  if (p == NULL)
    error = THUD_ERROR_MEMORY;
  else if (image)
    error = placed(node, thud_set_linear_image(numbers->scene->context, rows, p, operand, set));
  else
    error = placed(node, thud_set_linear_preimage(numbers->scene->context, columns, p, operand, set));
  if (error != THUD_OK) thud_set_destroy(operand);
  thud_free(numbers->scene->context, p);
  return error;
}

static thud_error read_image(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  return read_linear(numbers, node, n, true, set);
}

static thud_error read_preimage(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  return read_linear(numbers, node, n, false, set);
}

static thud_error read_polar(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  thud_set *operand = NULL;
  thud_error error = thud_scene_build_set(numbers, node, n, &operand);
  if (error != THUD_OK) return error;
  error = placed(node, thud_set_polar(numbers->scene->context, operand, set));
  if (error != THUD_OK) thud_set_destroy(operand);
  return error;
}

/* ---- dispatch --------------------------------------------------------------------------------------------- */

static const set_reader readers[] = {
    {"half_space", append_half_space, make_half_space, NULL},
    {"box", append_box, make_box, NULL},
    {"interval", append_interval, make_interval, NULL},
    {"ball", append_ball, make_ball, NULL},
    {"ellipsoid", append_ellipsoid, make_ellipsoid, NULL},
    {"coulomb_cone", append_coulomb, make_coulomb, NULL},
    {"coulomb_dual_cone", append_coulomb, make_coulomb_dual, NULL},
    {"generalized_coulomb", append_generalized, make_generalized, NULL},
    {"polyhedron", append_polyhedron, make_polyhedron, NULL},
    {"cone", append_cone, make_cone, NULL},
    {"affine", append_affine, make_affine, NULL},
    {"half_line", append_half_line, make_half_line, NULL},
    {"segment", append_segment, make_segment, NULL},
    {"product", NULL, NULL, read_product},
    {"translation", NULL, NULL, read_translation},
    {"scaling", NULL, NULL, read_scaling},
    {"sum", NULL, NULL, read_sum},
    {"image", NULL, NULL, read_image},
    {"preimage", NULL, NULL, read_preimage},
    {"intersection", NULL, NULL, read_intersection},
    {"polar", NULL, NULL, read_polar},
};
enum { READER_COUNT = sizeof readers / sizeof *readers };

/* A leaf is made from its parameters at the start of the run. */
static thud_error read_leaf(scene_numbers *numbers, const set_reader *reader, const thud_node *node, thud_index n,
                            thud_set **set) {
  size_t first = numbers->values.count;
  leaf_shape shape = {.n = n};
  thud_error error = reader->append(numbers, node, &shape);
  if (error != THUD_OK) return error;
  double *values = start_values(numbers, first);
  if (values == NULL) return THUD_ERROR_MEMORY;
  error = placed(node, reader->make(numbers->scene->context, &shape, values, set));
  thud_free(numbers->scene->context, values);
  return error;
}

thud_error thud_scene_build_set(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set) {
  const char *kinds[READER_COUNT];
  for (size_t k = 0; k < READER_COUNT; k++) kinds[k] = readers[k].kind;
  thud_error error = thud_node_check_keys(node, kinds, READER_COUNT);
  if (error != THUD_OK) return error;
  if (thud_node_count(node) != 1)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[bad-set] a set is written as one kind, like {ball: {...}}; found %zu keys",
                          thud_node_count(node));
  const set_reader *reader = readers;
  while (strcmp(reader->kind, thud_node_key(node, 0)) != 0) reader++;
  const thud_node *content = thud_node_item(node, 0);
  thud_set *made = NULL;
  error = reader->combine != NULL ? reader->combine(numbers, content, n, &made)
                                  : read_leaf(numbers, reader, content, n, &made);
  if (error != THUD_OK) return error;
  if (n != 0 && thud_set_dimension(made) != n) {
    error = thud_node_fail(node, THUD_ERROR_DIMENSION, "this %s has dimension %d, %d is needed here",
                           thud_set_kind(made), (int)thud_set_dimension(made), (int)n);
    thud_set_destroy(made);
    return error;
  }
  *set = made;
  return THUD_OK;
}
