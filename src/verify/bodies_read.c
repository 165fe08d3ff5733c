/* The checker's reading of `bodies` scenes: `all_bodies` of the resolved scene, which lists every body as it was built,
 * and the options. */
#include "verify/bodies_read.h"

#include "verify/defaults.h"

#include <math.h>
#include <string.h>

/* What bodies of one type have in common. */
typedef struct body_type {
  verify_rigid body;
  const thud_node *parts;
} body_type;

void thud_verify_bodies_free(verify_bodies *bodies) {
  thud_context *context = bodies->scene.context;
  for (size_t k = 0; k < bodies->shape_count; k++) {
    thud_free(context, bodies->shape[k].points);
    thud_free(context, bodies->shape[k].triangles);
  }
  for (size_t k = 0; k < bodies->type_count; k++) {
    thud_verify_free_push(context, bodies->push[k]);
    thud_verify_free_path(context, bodies->path[k]);
  }
  void *const arrays[] = {bodies->body,      bodies->part,   (void *)bodies->material, bodies->pair,
                          bodies->spring,    bodies->shape,  (void *)bodies->push,     (void *)bodies->path,
                          bodies->variables, bodies->applied};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_scene_free(&bodies->scene);
}

thud_error thud_verify_read_plain(const thud_node *map, const char *key, double *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_number(node, value) : THUD_OK;
}

thud_error thud_verify_read_vector(const verify_bodies *bodies, const thud_node *map, const char *key,
                                   thud_vec3 *vector) {
  const thud_node *node;
  double x[3] = {0, 0, 0};
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_node_read_numbers(node, bodies->planar ? 2 : 3, x);
  if (error == THUD_OK) *vector = thud_vec3_load(x);
  return error;
}

/* ---- types -------------------------------------------------------------------------------------------------------------------- */

static thud_error read_inertia(const verify_bodies *bodies, const thud_node *map, verify_rigid *body) {
  const thud_node *node;
  double rows[9] = {0};
  thud_error error = thud_node_require(map, "inertia", &node);
  if (error == THUD_OK)
    error = bodies->planar ? thud_node_read_number(node, &rows[8]) : thud_node_read_numbers(node, 9, rows);
  if (error != THUD_OK) return error;
  body->inertia = thud_mat3_transpose(thud_mat3_load(rows));
  if (bodies->planar && rows[8] > 0) body->inverse.cz.z = 1 / rows[8];
  if (rows[1] != rows[3] || rows[2] != rows[6] || rows[5] != rows[7])
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "an inertia is symmetric");
  if (bodies->planar || thud_mat3_trace(body->inertia) == 0) return THUD_OK;
  return thud_mat3_inverse(body->inertia, &body->inverse)
             ? THUD_OK
             : thud_node_fail(node, THUD_ERROR_SCHEMA, "this is no inertia: it has no inverse");
}

static thud_error read_flag(const thud_node *map, const char *key, bool *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_bool(node, value) : THUD_OK;
}

static thud_error read_bits(const thud_node *map, const char *key, uint32_t *bits) {
  const thud_node *node = thud_node_find(map, key);
  int64_t value = *bits;
  thud_error error = node != NULL ? thud_node_read_integer(node, 0, UINT32_MAX, &value) : THUD_OK;
  *bits = (uint32_t)value;
  return error;
}

static thud_error read_role(const verify_bodies *bodies, const thud_node *map, verify_rigid *body) {
  static const char *const roles[] = {"dynamic", "fixed", "kinematic", NULL};
  const thud_node *role, *group = thud_node_find(map, "group");
  int choice = 0;
  *body = (verify_rigid){.gravity_scale = 1, .group = -1, .category = 1, .mask = UINT32_MAX, .q = {1, 0, 0, 0}};
  thud_error error = thud_node_require(map, "role", &role);
  if (error == THUD_OK) error = thud_node_read_choice(role, roles, &choice);
  body->role = (verify_role)choice;
  if (error == THUD_OK && group != NULL) error = thud_node_read_integer(group, 0, INT32_MAX, &body->group);
  if (error == THUD_OK) error = read_flag(map, "absent", &body->absent);
  if (error == THUD_OK) error = read_bits(map, "category", &body->category);
  if (error == THUD_OK) error = read_bits(map, "mask", &body->mask);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "gravity_scale", &body->gravity_scale);
  if (error != THUD_OK || body->role != VERIFY_DYNAMIC) return error;
  error = thud_verify_read_plain(map, "mass", &body->mass);
  if (error == THUD_OK && !(body->mass > 0)) error = thud_node_fail(map, THUD_ERROR_SCHEMA, "a mass is missing here");
  if (error == THUD_OK) error = read_inertia(bodies, map, body);
  return error == THUD_OK ? thud_verify_read_vector(bodies, map, "centre", &body->centre) : error;
}

static thud_error read_types(verify_bodies *bodies, const thud_node *list, body_type *types) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_node_count(list) && error == THUD_OK; k++) {
    const thud_node *map = thud_node_item(list, k);
    error = thud_node_expect(map, THUD_NODE_MAP);
    if (error == THUD_OK) error = read_role(bodies, map, &types[k].body);
    if (error == THUD_OK) error = thud_node_require(map, "parts", &types[k].parts);
    if (error == THUD_OK) error = thud_node_expect(types[k].parts, THUD_NODE_SEQUENCE);
    if (error != THUD_OK) return error;
    types[k].body.part_count = thud_node_count(types[k].parts);
    bodies->type_count++;
    error = thud_verify_read_push(bodies, map, &bodies->push[k]);
    if (error == THUD_OK) error = thud_verify_read_path(bodies, map, &bodies->path[k]);
    if (error == THUD_OK && types[k].body.role == VERIFY_KINEMATIC && bodies->path[k] == NULL)
      error = thud_node_fail(map, THUD_ERROR_SCHEMA, "a kinematic body has a path");
    types[k].body.push = bodies->push[k];
    types[k].body.path = bodies->path[k];
  }
  return error;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------------------- */

static thud_error read_part(const verify_bodies *bodies, const thud_node *map, verify_part *part) {
  const thud_node *shape, *material, *rotation;
  int64_t number = 0, stuff = -1;
  double q[4] = {1, 0, 0, 0};
  thud_error error = thud_node_require(map, "shape", &shape);
  if (error == THUD_OK) error = thud_node_require(map, "material", &material);
  if (error == THUD_OK) error = thud_node_require(map, "rotation", &rotation);
  if (error == THUD_OK) error = thud_node_read_integer(shape, 0, (int64_t)bodies->shape_count - 1, &number);
  if (error == THUD_OK) error = thud_node_read_integer(material, -1, (int64_t)bodies->material_count - 1, &stuff);
  if (error == THUD_OK) error = thud_node_read_numbers(rotation, 4, q);
  if (error == THUD_OK) error = thud_verify_read_vector(bodies, map, "position", &part->place.x0);
  part->shape = (size_t)number;
  part->material = stuff >= 0 ? (size_t)stuff : SIZE_MAX;
  part->place.R = thud_quat_to_matrix(thud_quat_make(q[0], q[1], q[2], q[3]));
  return error;
}

/* Bodies of a type have copies of its parts. */
static thud_error add_bodies(verify_bodies *bodies, const thud_node *names, const thud_node *numbers,
                             const body_type *types) {
  thud_error error = THUD_OK;
  size_t next = 0, capacity = 0;
  for (size_t i = 0; i < bodies->count && error == THUD_OK; i++) {
    int64_t type = 0;
    const char *name;
    error = thud_node_read_integer(thud_node_item(numbers, i), 0, (int64_t)bodies->type_count - 1, &type);
    if (error == THUD_OK) error = thud_node_read_string(thud_node_item(names, i), &name);
    if (error != THUD_OK) return error;
    verify_rigid *body = &bodies->body[i];
    *body = types[type].body;
    body->name = name;
    body->first_part = next;
    error = thud_array_reserve(bodies->scene.context, &bodies->part, &capacity, next + body->part_count,
                               sizeof *bodies->part);
    for (size_t k = 0; k < body->part_count && error == THUD_OK; k++) {
      bodies->part[next] = (verify_part){.body = i};
      error = read_part(bodies, thud_node_item(types[type].parts, k), &bodies->part[next++]);
    }
  }
  bodies->part_count = next;
  return error;
}

static thud_error read_bodies(verify_bodies *bodies, const thud_node *all) {
  thud_context *context = bodies->scene.context;
  const thud_node *list, *names, *numbers;
  thud_error error = thud_node_require(all, "types", &list);
  if (error == THUD_OK) error = thud_node_require(all, "name", &names);
  if (error == THUD_OK) error = thud_node_require(all, "type", &numbers);
  if (error == THUD_OK && thud_node_count(names) != thud_node_count(numbers))
    error = thud_node_fail(numbers, THUD_ERROR_SCHEMA, "there are %zu names and %zu types of bodies",
                           thud_node_count(names), thud_node_count(numbers));
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  bodies->count = thud_node_count(names);
  body_type *types = THUD_NEW_ARRAY(context, body_type, count);
  bodies->push = THUD_NEW_ARRAY(context, verify_push *, count);
  bodies->path = THUD_NEW_ARRAY(context, verify_path *, count);
  bodies->body = THUD_NEW_ARRAY(context, verify_rigid, bodies->count);
  if (types == NULL || bodies->push == NULL || bodies->path == NULL || bodies->body == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = read_types(bodies, list, types);
  if (error == THUD_OK) error = add_bodies(bodies, names, numbers, types);
  thud_free(context, types);
  return error;
}

static thud_error read_shapes(verify_bodies *bodies, const thud_node *all) {
  const thud_node *list;
  thud_error error = thud_node_require(all, "shapes", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  bodies->shape = THUD_NEW_ARRAY(bodies->scene.context, verify_shape, thud_node_count(list));
  if (bodies->shape == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < thud_node_count(list) && error == THUD_OK; k++)
    error =
        thud_verify_read_shape(bodies->scene.context, thud_node_item(list, k), &bodies->shape[bodies->shape_count++]);
  return error;
}

static thud_error read_spring(const verify_bodies *bodies, const thud_node *map, verify_spring *spring) {
  const thud_node *a, *b;
  int64_t from = 0, to = -1, most = (int64_t)bodies->count - 1;
  thud_error error = thud_node_require(map, "a", &a);
  if (error == THUD_OK) error = thud_node_require(map, "b", &b);
  if (error == THUD_OK) error = thud_node_read_integer(a, 0, most, &from);
  if (error == THUD_OK) error = thud_node_read_integer(b, -1, most, &to);
  spring->a = (size_t)from;
  spring->b = to >= 0 ? (size_t)to : SIZE_MAX;
  if (error == THUD_OK) error = thud_verify_read_vector(bodies, map, "point_a", &spring->at_a);
  if (error == THUD_OK) error = thud_verify_read_vector(bodies, map, "point_b", &spring->at_b);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "length", &spring->length);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "stiffness", &spring->stiffness);
  return error == THUD_OK ? thud_verify_read_plain(map, "damping", &spring->damping) : error;
}

static thud_error read_springs(verify_bodies *bodies, const thud_node *all) {
  const thud_node *list;
  thud_error error = thud_node_require(all, "springs", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  bodies->spring = THUD_NEW_ARRAY(bodies->scene.context, verify_spring, thud_node_count(list));
  if (bodies->spring == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < thud_node_count(list) && error == THUD_OK; k++)
    error = read_spring(bodies, thud_node_item(list, k), &bodies->spring[bodies->spring_count++]);
  return error;
}

/* ---- options ------------------------------------------------------------------------------------------------------------------ */

static thud_error read_options(verify_bodies *bodies, const thud_node *root) {
  verify_bodies_options *options = &bodies->options;
  const thud_node *simulate, *law, *record = thud_node_find(root, "record");
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(&bodies->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(&bodies->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_thinning(&bodies->scene, root);
  const struct {
    const char *key;
    double *value;
  } numbers[] = {{"tolerance", &options->tolerance},
                 {"penetration", &options->penetration},
                 {"impact_velocity", &options->impact_velocity}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers && error == THUD_OK; k++) {
    error = thud_verify_read_optional(&bodies->scene, simulate, numbers[k].key, numbers[k].value);
  }
  const struct {
    const char *key;
    bool *value;
  } flags[] = {{"predicted", &options->predicted},
               {"gyroscopic", &options->gyroscopic},
               {"relax", &options->relax},
               {"sleep", &options->sleep}};
  for (size_t k = 0; k < sizeof flags / sizeof *flags && error == THUD_OK; k++)
    error = read_flag(simulate, flags[k].key, flags[k].value);
  law = error == THUD_OK ? thud_node_find(simulate, "impact_law") : NULL;
  options->newton =
      law == NULL || (thud_node_get_kind(law) == THUD_NODE_STRING && strcmp(thud_node_string(law), "newton") == 0);
  if (error == THUD_OK && record != NULL) error = thud_verify_read_plain(record, "whole_every", &bodies->whole_every);
  return error == THUD_OK && record != NULL ? read_flag(record, "contacts", &bodies->contacts) : error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------ */

/* Forces may depend on the body's state, when there are any. */
static thud_error add_variables(verify_bodies *bodies, const thud_node *all) {
  static const char *const names[BODY_VARIABLES] = {"x",  "y",  "z",  "x'", "y'", "z'", "angle", "angle'",
                                                    "qw", "qx", "qy", "qz", "wx", "wy", "wz"};
  const thud_node *types = thud_node_find(all, "types");
  bool forces = false;
  thud_error error = THUD_OK;
  for (size_t k = 0; types != NULL && k < thud_node_count(types); k++) {
    const thud_node *type = thud_node_item(types, k);
    bool map = thud_node_get_kind(type) == THUD_NODE_MAP;
    forces = forces || (map && (thud_node_find(type, "force") != NULL || thud_node_find(type, "torque") != NULL));
  }
  for (int k = 0; k < BODY_VARIABLES && error == THUD_OK; k++) {
    bool of_plane = k == BODY_ANGLE || k == BODY_RATE, of_space = k == BODY_Z || k == BODY_VZ || k >= BODY_QW;
    bodies->slot[k] = -1;
    if (forces && !(bodies->planar ? of_space : of_plane))
      error = thud_expr_scope_add_variable(bodies->scene.scope, names[k], &bodies->slot[k]);
    if (k >= BODY_QW && error == THUD_ERROR_ARGUMENT) error = THUD_OK;
  }
  if (error != THUD_OK) return error;
  bodies->variables =
      THUD_NEW_ARRAY(bodies->scene.context, double, thud_expr_scope_variable_count(bodies->scene.scope));
  return bodies->variables != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error read_all(verify_bodies *bodies, const thud_node *root) {
  const thud_node *all, *planar;
  thud_error error = thud_verify_scene_open(&bodies->scene, root);
  if (error == THUD_OK) error = thud_verify_read_data(&bodies->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = thud_node_require(root, "all_bodies", &all);
  if (error == THUD_OK) error = thud_node_expect(all, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require(all, "planar", &planar);
  if (error == THUD_OK) error = thud_node_read_bool(planar, &bodies->planar);
  if (error == THUD_OK) error = thud_verify_read_vector(bodies, all, "gravity", &bodies->gravity);
  if (error == THUD_OK) error = add_variables(bodies, all);
  if (error == THUD_OK) error = read_options(bodies, root);
  if (error == THUD_OK) error = thud_verify_read_laws(bodies, all);
  if (error == THUD_OK) error = read_shapes(bodies, all);
  if (error == THUD_OK) error = read_bodies(bodies, all);
  return error == THUD_OK ? read_springs(bodies, all) : error;
}

thud_error thud_verify_bodies_read(thud_context *context, const thud_tree *tree, verify_bodies *bodies) {
  *bodies = (verify_bodies){.scene = {.context = context}};
  bodies->options =
      (verify_bodies_options){.tolerance = thud_verify_default_number(VERIFY_BODIES, "/simulate/tolerance"),
                              .penetration = thud_verify_default_number(VERIFY_BODIES, "/simulate/penetration"),
                              .predicted = true,
                              .gyroscopic = true};
  thud_error error = read_all(bodies, thud_tree_root(tree));
  if (error != THUD_OK) thud_verify_bodies_free(bodies);
  return error;
}
