/* The sets of a scene as the schema describes them. */
#include "verify/verify_scene.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------------------------------- */

thud_error thud_verify_add_value(verify_scene *scene, verify_value value) {
  thud_error error = thud_array_reserve(scene->context, &scene->values, &scene->value_capacity, scene->value_count + 1,
                                        sizeof(verify_value));
  if (error == THUD_OK)
    scene->values[scene->value_count++] = value;
  else
    thud_expr_destroy(value.expr);
  return error;
}

/* One number; `none` stands for null (a bound that is not there), NaN: null is not allowed. */
static thud_error read_number(verify_scene *scene, const thud_node *node, double none) {
  if (!isnan(none) && thud_node_get_kind(node) == THUD_NODE_NULL)
    return thud_verify_add_value(scene, (verify_value){.constant = none});
  verify_value value;
  thud_error error = thud_verify_read_value(scene, node, &value);
  if (error != THUD_OK) return error;
  error = thud_verify_value_jumps(scene, &value, scene->start, scene->end, &scene->jumps, &scene->jump_count,
                                  &scene->jump_capacity);
  if (error != THUD_OK) {
    thud_expr_destroy(value.expr);
    return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
  }
  return thud_verify_add_value(scene, value);
}

thud_error thud_verify_add_number(verify_scene *scene, const thud_node *node) { return read_number(scene, node, NAN); }

static thud_error read_scalar(verify_scene *scene, const thud_node *map, const char *key, double none) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? read_number(scene, node, none) : error;
}

/* A list of *n numbers; *n = 0 takes the list's length. */
static thud_error read_list(verify_scene *scene, const thud_node *list, double none, size_t *n) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  if (*n == 0) *n = count;
  if (count != *n || count == 0)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed here, there are %zu", *n, count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = read_number(scene, thud_node_item(list, k), none);
  return error;
}

static thud_error read_vector(verify_scene *scene, const thud_node *map, const char *key, double none, size_t *n) {
  const thud_node *list;
  thud_error error = thud_node_require(map, key, &list);
  return error == THUD_OK ? read_list(scene, list, none, n) : error;
}

static thud_error read_matrix(verify_scene *scene, const thud_node *map, const char *key, size_t *rows, size_t *n) {
  const thud_node *matrix;
  thud_error error = thud_node_require(map, key, &matrix);
  if (error == THUD_OK) error = thud_node_expect(matrix, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(matrix);
  if (*rows == 0) *rows = count;
  if (count != *rows || count == 0)
    return thud_node_fail(matrix, THUD_ERROR_SCHEMA, "%zu rows are needed here, there are %zu", *rows, count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = read_list(scene, thud_node_item(matrix, k), NAN, n);
  return error;
}

/* A whole number that does not move; `fallback` when the key is absent. */
static thud_error read_whole(verify_scene *scene, const thud_node *map, const char *key, size_t fallback,
                             size_t *number) {
  const thud_node *node = thud_node_find(map, key);
  double value = (double)fallback;
  thud_error error = node != NULL ? thud_verify_read_constant(scene, node, &value) : THUD_OK;
  if (error == THUD_OK && !(value >= 0 && value <= 1e6 && value == floor(value)))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a whole number is needed here, not %g", value);
  if (error == THUD_OK) *number = (size_t)value;
  return error;
}

/* ---- leaves ------------------------------------------------------------------------------------------------- */

static thud_error read_half_space(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "normal", NAN, &set->n);
  return error == THUD_OK ? read_scalar(scene, node, "offset", NAN) : error;
}

static thud_error read_box(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "lower", -INFINITY, &set->n);
  return error == THUD_OK ? read_vector(scene, node, "upper", INFINITY, &set->n) : error;
}

static thud_error read_interval(verify_scene *scene, const thud_node *node, verify_set *set) {
  set->n = 1;
  thud_error error = read_scalar(scene, node, "lower", -INFINITY);
  return error == THUD_OK ? read_scalar(scene, node, "upper", INFINITY) : error;
}

static thud_error read_ball(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "centre", NAN, &set->n);
  return error == THUD_OK ? read_scalar(scene, node, "radius", NAN) : error;
}

static thud_error read_ellipsoid(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "centre", NAN, &set->n);
  set->rows = set->n;
  return error == THUD_OK ? read_matrix(scene, node, "shape", &set->rows, &set->n) : error;
}

static thud_error read_coulomb(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_whole(scene, node, "dimension", set->n, &set->n);
  if (error == THUD_OK && set->n < 2)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "the cone needs a dimension from 2 on");
  return error == THUD_OK ? read_scalar(scene, node, "mu", NAN) : error;
}

/* { x : (1 + a.x, x) in Coulomb's cone } as the preimage of the cone moved by (-1, 0): L = (a, I). The other half, where
 * 1 + a.x < 0, is empty for mu |a| <= 1, without which the law is not convex
 * and the scene would have been refused. */
static thud_error read_generalized(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_context *context = scene->context;
  thud_error error = read_vector(scene, node, "coupling", NAN, &set->n);
  size_t n = set->n;
  for (size_t k = 0; k < n * n && error == THUD_OK; k++)
    error = thud_verify_add_value(scene, (verify_value){.constant = k % (n + 1) == 0});
  verify_set *moved = error == THUD_OK ? THUD_NEW(context, verify_set) : NULL;
  if (moved == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  set->rows = n + 1;
  set->operands = moved;
  set->operand_count = 1;
  *moved = (verify_set){.kind = VERIFY_TRANSLATION, .n = n + 1, .first = scene->value_count};
  for (size_t k = 0; k <= n && error == THUD_OK; k++)
    error = thud_verify_add_value(scene, (verify_value){.constant = k == 0 ? -1 : 0});
  moved->operands = error == THUD_OK ? THUD_NEW(context, verify_set) : NULL;
  if (moved->operands == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  moved->operand_count = 1;
  *moved->operands = (verify_set){.kind = VERIFY_COULOMB_CONE, .n = n + 1, .first = scene->value_count};
  return read_scalar(scene, node, "mu", NAN);
}

static thud_error read_polyhedron(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_matrix(scene, node, "A", &set->rows, &set->n);
  if (error == THUD_OK) error = read_vector(scene, node, "b", NAN, &set->rows);
  if (error == THUD_OK) error = read_whole(scene, node, "equalities", 0, &set->equalities);
  if (error == THUD_OK && set->equalities > set->rows)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "more equalities than rows");
  return error;
}

static thud_error read_affine(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_polyhedron(scene, node, set);
  set->equalities = set->rows;
  return error;
}

static thud_error read_cone(verify_scene *scene, const thud_node *node, verify_set *set) {
  bool generated = thud_node_find(node, "generators") != NULL;
  set->kind = generated ? VERIFY_GENERATORS : VERIFY_GRADIENTS;
  return read_matrix(scene, node, generated ? "generators" : "gradients", &set->rows, &set->n);
}

static thud_error read_half_line(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "origin", NAN, &set->n);
  return error == THUD_OK ? read_vector(scene, node, "direction", NAN, &set->n) : error;
}

static thud_error read_segment(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "from", NAN, &set->n);
  return error == THUD_OK ? read_vector(scene, node, "to", NAN, &set->n) : error;
}

/* ---- combinators ---------------------------------------------------------------------------------------------- */

static thud_error allocate_operands(verify_scene *scene, size_t count, verify_set *set) {
  set->operands = THUD_NEW_ARRAY(scene->context, verify_set, count);
  if (set->operands == NULL) return THUD_ERROR_MEMORY;
  set->operand_count = count;
  return THUD_OK;
}

static thud_error read_operands(verify_scene *scene, const thud_node *node, size_t n, verify_set *set) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) == 0)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "at least one set is needed here");
  if (error == THUD_OK) error = allocate_operands(scene, thud_node_count(node), set);
  for (size_t k = 0; error == THUD_OK && k < set->operand_count; k++)
    error = thud_verify_read_set(scene, thud_node_item(node, k), n, &set->operands[k]);
  return error;
}

static thud_error read_product(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_operands(scene, node, 0, set);
  set->n = 0;
  for (size_t k = 0; error == THUD_OK && k < set->operand_count; k++) set->n += set->operands[k].n;
  return error;
}

/* Sums and intersections: sets of one dimension. */
static thud_error read_alike(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_operands(scene, node, set->n, set);
  if (error != THUD_OK) return error;
  set->n = set->operands[0].n;
  for (size_t k = 1; k < set->operand_count; k++)
    if (set->operands[k].n != set->n)
      return thud_node_fail(node, THUD_ERROR_DIMENSION, "sets of dimension %zu and %zu", set->n, set->operands[k].n);
  return THUD_OK;
}

static thud_error read_operand(verify_scene *scene, const thud_node *node, size_t n, verify_set *set) {
  const thud_node *inner;
  thud_error error = thud_node_require(node, "set", &inner);
  if (error == THUD_OK) error = allocate_operands(scene, 1, set);
  return error == THUD_OK ? thud_verify_read_set(scene, inner, n, &set->operands[0]) : error;
}

static thud_error read_translation(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_vector(scene, node, "by", NAN, &set->n);
  return error == THUD_OK ? read_operand(scene, node, set->n, set) : error;
}

static thud_error read_scaling(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_scalar(scene, node, "by", NAN);
  if (error == THUD_OK) error = read_operand(scene, node, set->n, set);
  if (error == THUD_OK) set->n = set->operands[0].n;
  return error;
}

static thud_error read_image(verify_scene *scene, const thud_node *node, verify_set *set) {
  size_t columns = 0;
  set->rows = set->n;
  thud_error error = read_matrix(scene, node, "matrix", &set->rows, &columns);
  set->n = set->rows;
  return error == THUD_OK ? read_operand(scene, node, columns, set) : error;
}

static thud_error read_preimage(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = read_matrix(scene, node, "matrix", &set->rows, &set->n);
  return error == THUD_OK ? read_operand(scene, node, set->rows, set) : error;
}

static thud_error read_polar(verify_scene *scene, const thud_node *node, verify_set *set) {
  thud_error error = allocate_operands(scene, 1, set);
  if (error == THUD_OK) error = thud_verify_read_set(scene, node, set->n, &set->operands[0]);
  if (error == THUD_OK) set->n = set->operands[0].n;
  return error;
}

/* ---- dispatch --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  verify_kind kind;
  thud_error (*read)(verify_scene *, const thud_node *, verify_set *);
} kinds[] = {
    {"half_space", VERIFY_HALF_SPACE, read_half_space},
    {"box", VERIFY_BOX, read_box},
    {"interval", VERIFY_BOX, read_interval},
    {"ball", VERIFY_BALL, read_ball},
    {"ellipsoid", VERIFY_ELLIPSOID, read_ellipsoid},
    {"coulomb_cone", VERIFY_COULOMB_CONE, read_coulomb},
    {"coulomb_dual_cone", VERIFY_COULOMB_DUAL_CONE, read_coulomb},
    {"generalized_coulomb", VERIFY_PREIMAGE, read_generalized},
    {"polyhedron", VERIFY_POLYHEDRON, read_polyhedron},
    {"cone", VERIFY_GRADIENTS, read_cone},
    {"affine", VERIFY_POLYHEDRON, read_affine},
    {"half_line", VERIFY_HALF_LINE, read_half_line},
    {"segment", VERIFY_SEGMENT, read_segment},
    {"product", VERIFY_PRODUCT, read_product},
    {"sum", VERIFY_SUM, read_alike},
    {"intersection", VERIFY_INTERSECTION, read_alike},
    {"translation", VERIFY_TRANSLATION, read_translation},
    {"scaling", VERIFY_SCALING, read_scaling},
    {"image", VERIFY_IMAGE, read_image},
    {"preimage", VERIFY_PREIMAGE, read_preimage},
    {"polar", VERIFY_POLAR, read_polar},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

thud_error thud_verify_read_set(verify_scene *scene, const thud_node *node, size_t n, verify_set *set) {
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_node_count(node) != 1) return thud_node_fail(node, THUD_ERROR_SCHEMA, "a set has exactly one kind");
  size_t k = 0;
  while (k < KIND_COUNT && strcmp(kinds[k].name, thud_node_key(node, 0)) != 0) k++;
  if (k == KIND_COUNT)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "the checker does not know the set '%s'", thud_node_key(node, 0));
  *set = (verify_set){.kind = kinds[k].kind, .n = n, .first = scene->value_count};
  error = kinds[k].read(scene, thud_node_item(node, 0), set);
  if (error == THUD_OK && n != 0 && set->n != n)
    error =
        thud_node_fail(node, THUD_ERROR_DIMENSION, "a set of dimension %zu is given where %zu is needed", set->n, n);
  return error;
}

void thud_verify_free_set(thud_context *context, verify_set *set) {
  for (size_t k = 0; k < set->operand_count; k++) thud_verify_free_set(context, &set->operands[k]);
  thud_free(context, set->operands);
}
