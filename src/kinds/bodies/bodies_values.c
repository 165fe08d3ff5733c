/* Values of `bodies` scenes: numbers, vectors, rotations, names; forces on bodies and paths of kinematic ones as
 * expressions. */
#include "base/json.h"
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

thud_error thud_bodies_blame(const thud_node *node, thud_error error) {
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, THUD_ERROR_SCHEMA);
}

thud_error thud_bodies_read_number(bodies_scene *made, const thud_node *map, const char *key, double *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_scene_read_constant(made->scene, node, value) : THUD_OK;
}

static thud_error read_above(bodies_scene *made, const thud_node *map, const char *key, bool zero, double *value) {
  const thud_node *node = thud_node_find(map, key);
  double read = 0;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_scene_read_constant(made->scene, node, &read);
  if (error != THUD_OK) return error;
  if (!(zero ? read >= 0 : read > 0))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] '%s' must be %s, not %g", key,
                          zero ? "0 or greater" : "greater than 0", read);
  *value = read;
  return THUD_OK;
}

thud_error thud_bodies_read_positive(bodies_scene *made, const thud_node *map, const char *key, double *value) {
  return read_above(made, map, key, false, value);
}

thud_error thud_bodies_read_not_negative(bodies_scene *made, const thud_node *map, const char *key, double *value) {
  return read_above(made, map, key, true, value);
}

thud_error thud_bodies_read_count(bodies_scene *made, const thud_node *map, const char *key, double least, double most,
                                  size_t *value) {
  const thud_node *node = thud_node_find(map, key);
  double number = 0;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_scene_read_whole(made->scene, node, least, most, &number);
  if (error == THUD_OK) *value = (size_t)number;
  return error;
}

thud_error thud_bodies_read_flag(const thud_node *map, const char *key, bool *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_bool(node, value) : THUD_OK;
}

thud_error thud_bodies_read_numbers(bodies_scene *made, const thud_node *list, size_t count, double *values) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count) {
    bool flat = count == 3 && thud_node_count(list) == 2 && !made->planar, deep = thud_node_count(list) == 3;
    const char *hint = flat                                 ? "; a scene in the plane has 'planar: true'"
                       : count == 2 && deep && made->planar ? "; this scene is in the plane ('planar: true')"
                                                            : "";
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] %zu numbers are needed here, not %zu%s", count,
                           thud_node_count(list), hint);
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_scene_read_constant(made->scene, thud_node_item(list, k), &values[k]);
  return error;
}

thud_error thud_bodies_read_vector(bodies_scene *made, const thud_node *map, const char *key, thud_vec3 *vector) {
  const thud_node *node = thud_node_find(map, key);
  double values[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_bodies_read_numbers(made, node, (size_t)made->dimension, values);
  if (error == THUD_OK) *vector = thud_vec3_load(values);
  return error;
}

thud_error thud_bodies_read_axis(bodies_scene *made, const thud_node *map, const char *key, thud_vec3 *axis) {
  const thud_node *node = thud_node_find(map, key);
  double values[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_bodies_read_numbers(made, node, 3, values);
  if (error == THUD_OK && !thud_vec3_normalise(thud_vec3_load(values), axis))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-rotation] an axis needs a direction: [0, 0, 0] has none");
  return error;
}

static thud_error read_quaternion(bodies_scene *made, const thud_node *node, thud_quat *rotation) {
  double q[4];
  thud_error error = thud_bodies_read_numbers(made, node, 4, q);
  if (error != THUD_OK) return error;
  double norm = thud_quat_norm(thud_quat_make(q[0], q[1], q[2], q[3]));
  if (!(fabs(norm - 1) <= 1e-3))
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[bad-rotation] a quaternion [w, x, y, z] of norm 1 is needed, not %g", norm);
  *rotation = thud_quat_normalise(thud_quat_make(q[0], q[1], q[2], q[3]));
  return THUD_OK;
}

/* Whole numbers of degrees beyond a turn are rarely meant in radians. */
static void note_angle(bodies_scene *made, const thud_node *node, double angle) {
  const double step = 5, least = 10;
  if (made->suspect_angle != 0 || fabs(angle) < least || fmod(angle, step) != 0) return;
  made->suspect_angle = angle;
  thud_node_path(node, made->suspect_place, sizeof made->suspect_place);
}

thud_error thud_bodies_read_rotation(bodies_scene *made, const thud_node *map, const char *key, thud_quat *rotation) {
  static const char *const keys[] = {"axis", "angle"};
  const thud_node *node = thud_node_find(map, key), *found;
  thud_vec3 axis = thud_vec3_make(0, 0, 1);
  double angle = 0;
  thud_error error = THUD_OK;
  if (node == NULL) return THUD_OK;
  if (made->planar) {
    error = thud_scene_read_constant(made->scene, node, &angle);
  } else if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE) {
    return read_quaternion(made, node, rotation);
  } else {
    error = thud_node_check_keys(node, keys, 2);
    for (size_t k = 0; k < 2 && error == THUD_OK; k++) error = thud_node_require(node, keys[k], &found);
    if (error == THUD_OK) error = thud_bodies_read_axis(made, node, "axis", &axis);
    if (error == THUD_OK) error = thud_bodies_read_number(made, node, "angle", &angle);
  }
  if (error != THUD_OK) return error;
  note_angle(made, node, angle);
  *rotation = thud_quat_from_rotation_vector(thud_vec3_scale(angle, axis));
  return THUD_OK;
}

thud_error thud_bodies_read_spin(bodies_scene *made, const thud_node *map, const char *key, thud_vec3 *spin) {
  const thud_node *node = thud_node_find(map, key);
  double values[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = made->planar ? thud_scene_read_constant(made->scene, node, &values[2])
                                  : thud_bodies_read_numbers(made, node, 3, values);
  if (error == THUD_OK) *spin = thud_vec3_load(values);
  return error;
}

/* Components of records are called NAME.qx, with 63 bytes at most. */
thud_error thud_bodies_read_name(const thud_node *node, const char **name) {
  thud_error error = thud_node_read_string(node, name);
  if (error != THUD_OK) return error;
  size_t length = strlen(*name);
  if (length == 0 || length > BODIES_NAME_ROOM)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-name] a name has from 1 to %d bytes, not %zu",
                          BODIES_NAME_ROOM, length);
  for (const unsigned char *c = (const unsigned char *)*name; *c != '\0'; c++)
    if (*c < ' ' || *c == ',' || *c == '"')
      return thud_node_fail(node, THUD_ERROR_SCHEMA,
                            "[bad-name] a name has no commas, quotation marks or control characters");
  return THUD_OK;
}

enum { NAMES_CAPACITY = 160, NAMES_SHOWN = 8 };

/* "; did you mean 'x'?", or the names that there are, or that there is none. */
static void list_names(const bodies_scene *made, const thud_names *names, const char *word, char *text,
                       size_t capacity) {
  const char **all = THUD_NEW_ARRAY(made->context, const char *, names->count + 1);
  size_t count = 0, used = 0;
  text[0] = '\0';
  for (size_t k = 0; all != NULL && k < names->size; k++)
    if (names->entries[k].text != NULL) all[count++] = names->entries[k].text;
  const char *near = count > 0 ? thud_suggest(word, all, count) : NULL;
  if (near != NULL) {
    snprintf(text, capacity, "; did you mean '%s'?", near);
  } else if (count == 0) {
    snprintf(text, capacity, "; the scene has none");
  } else if (count <= NAMES_SHOWN) {
    for (size_t k = 0; k < count && used < capacity; k++)
      used += (size_t)snprintf(text + used, capacity - used, "%s%s", k == 0 ? "; there are: " : ", ", all[k]);
  }
  thud_free(made->context, (void *)all);
}

thud_error thud_bodies_find_name(const bodies_scene *made, const thud_node *node, const thud_names *names,
                                 const char *what, size_t *number) {
  const char *name;
  thud_error error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  *number = thud_names_find(names, name, strlen(name));
  if (*number != THUD_NAMES_NONE) return THUD_OK;
  char hint[NAMES_CAPACITY];
  list_names(made, names, name, hint, sizeof hint);
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "[unknown-name] there is no %s '%s'%s", what, name, hint);
}

/* ---- expressions ----------------------------------------------------------------------------------------------------- */

enum { OWN_VARIABLES = 6, MOST_VARIABLES = 16, FORCE_PARTS = 6, STATE_PARTS = BODIES_STATE_PARTS, PATH_PARTS = 4 };

/* The text of a number or an expression, for records. */
static char *keep_text(thud_context *context, const thud_node *node) {
  char number[THUD_DOUBLE_CAPACITY];
  if (node == NULL) return thud_strdup(context, "0");
  if (thud_node_get_kind(node) == THUD_NODE_STRING) return thud_strdup(context, thud_node_string(node));
  thud_format_double(thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : 0, number, sizeof number);
  return thud_strdup(context, number);
}

/* ---- expressions: forces --------------------------------------------------------------------------------------------- */

/* The state in the order of the slots. */
static void fill_variables(const bodies_force *law, double t, const thud_body_state *state, double *variables) {
  const thud_quat q = state->rotation;
  const double space[BODIES_VARIABLES] = {state->position.x,
                                          state->position.y,
                                          state->position.z,
                                          state->velocity.x,
                                          state->velocity.y,
                                          state->velocity.z,
                                          q.w,
                                          q.x,
                                          q.y,
                                          q.z,
                                          state->spin.x,
                                          state->spin.y,
                                          state->spin.z};
  const double plane[6] = {state->position.x,
                           state->position.y,
                           state->velocity.x,
                           state->velocity.y,
                           2 * atan2(state->rotation.z, state->rotation.w),
                           state->spin.z};
  variables[law->time_slot] = t;
  for (size_t k = 0; k < (law->planar ? OWN_VARIABLES : BODIES_VARIABLES); k++)
    if (law->slots[k] >= 0) variables[law->slots[k]] = law->planar ? plane[k] : space[k];
}

static int apply_force(void *user, double t, const thud_body_state *state, thud_vec3 *force, thud_vec3 *torque) {
  const bodies_force *law = user;
  double variables[MOST_VARIABLES] = {0}, values[FORCE_PARTS];
  fill_variables(law, t, state, variables);
  for (size_t k = 0; k < FORCE_PARTS; k++) {
    const scene_value *value = &law->values[k];
    values[k] = value->expr != NULL ? thud_expr_evaluate(value->expr, variables) : value->constant;
  }
  *force = thud_vec3_load(values);
  *torque = thud_vec3_load(values + 3);
  return 0;
}

static int find_slope(void *user, double t, const thud_body_state *state, double by_place[36], double by_velocity[36]) {
  const bodies_force *law = user;
  double variables[MOST_VARIABLES] = {0}, values[FORCE_PARTS * STATE_PARTS];
  if (law->slopes == NULL) return 0;
  fill_variables(law, t, state, variables);
  thud_expr_work_evaluate(law->slope_work, variables, values);
  for (size_t i = 0; i < FORCE_PARTS; i++)
    for (size_t k = 0; k < law->slope_count; k++) {
      size_t column = law->slope_column[k];
      (column < 6 ? by_place : by_velocity)[i * 6 + column % 6] = values[i * law->slope_count + k];
    }
  return 0;
}

thud_error thud_bodies_read_force(bodies_scene *made, const thud_node *node, thud_body_def *def) {
  const thud_node *force = thud_node_find(node, "force"), *torque = thud_node_find(node, "torque");
  if (force == NULL && torque == NULL) return THUD_OK;
  thud_error error = thud_array_reserve(made->context, &made->forces, &made->force_capacity, made->force_count + 1,
                                        sizeof *made->forces);
  bodies_force *law = error == THUD_OK ? THUD_NEW(made->context, bodies_force) : NULL;
  if (law == NULL) return THUD_ERROR_MEMORY;
  law->force = force;
  law->torque = torque;
  law->planar = made->planar;
  law->time_slot = made->scene->time_slot;
  made->forces[made->force_count++] = law;
  def->force_user = law;
  if (thud_bodies_is_told(force)) return thud_bodies_read_told_force(made, node, law, def);
  def->force = apply_force;
  def->slope = find_slope;
  return THUD_OK;
}

/* Names of what forces may depend on. A parameter named as a coordinate is in the way; one named as a component of the
 * quaternion or of the spin goes before it. */
static thud_error add_variables(bodies_scene *made, const thud_node *node, thud_index slots[BODIES_VARIABLES]) {
  static const char *const space[BODIES_VARIABLES] = {"x",  "y",  "z",  "x'", "y'", "z'", "qw",
                                                      "qx", "qy", "qz", "wx", "wy", "wz"};
  static const char *const plane[OWN_VARIABLES] = {"x", "y", "x'", "y'", "angle", "angle'"};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < BODIES_VARIABLES; k++) slots[k] = -1;
  for (size_t k = 0; k < (made->planar ? OWN_VARIABLES : BODIES_VARIABLES) && error == THUD_OK; k++) {
    error = thud_expr_scope_add_variable(made->scene->scope, made->planar ? plane[k] : space[k], &slots[k]);
    if (k >= OWN_VARIABLES && error == THUD_ERROR_ARGUMENT) error = THUD_OK;
  }
  if (error == THUD_OK && thud_expr_scope_variable_count(made->scene->scope) > MOST_VARIABLES)
    error = THUD_ERROR_INTERNAL;
  return thud_bodies_blame(node, error);
}

/* One number of a force; an expression of the state is kept as it is. */
static thud_error read_component(bodies_scene *made, const thud_node *node, scene_value *value, char **text) {
  *text = keep_text(made->context, node);
  return *text != NULL ? thud_scene_read_value(made->scene, node, value) : THUD_ERROR_MEMORY;
}

static thud_error read_components(bodies_scene *made, const thud_node *node, size_t count, scene_value *values,
                                  char **texts) {
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) != count)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] %zu numbers or expressions are needed here, not %zu",
                           count, thud_node_count(node));
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_component(made, thud_node_item(node, k), &values[k], &texts[k]);
  return error;
}

/* Slots of places, velocities and spins, with the columns of thud_body_slope_fn; those of velocities have 6 added. What
 * depends on the quaternion is taken as it is. */
static void list_slopes(bodies_force *law, thud_index slots[STATE_PARTS]) {
  enum { NONE = 12 };
  static const size_t space[BODIES_VARIABLES] = {0, 1, 2, 6, 7, 8, NONE, NONE, NONE, NONE, 9, 10, 11};
  static const size_t plane[OWN_VARIABLES] = {0, 1, 6, 7, 5, 11};
  law->slope_count = 0;
  for (size_t k = 0; k < (law->planar ? OWN_VARIABLES : BODIES_VARIABLES); k++) {
    size_t column = law->planar ? plane[k] : space[k];
    if (law->slots[k] < 0 || column == NONE) continue;
    slots[law->slope_count] = law->slots[k];
    law->slope_column[law->slope_count++] = column;
  }
}

/* Exact derivatives by the state. Functions whose derivatives are not known leave none. */
static thud_error compile_slopes(bodies_scene *made, bodies_force *law) {
  thud_index slots[STATE_PARTS];
  list_slopes(law, slots);
  size_t count = law->slope_count;
  thud_expr_graph *graph = NULL;
  thud_expr_value value, slopes[FORCE_PARTS * STATE_PARTS];
  bool any = false;
  thud_error error = thud_expr_graph_create(made->context, made->scene->scope, &graph);
  for (size_t k = 0; k < FORCE_PARTS && error == THUD_OK; k++) {
    error = thud_expr_graph_add(graph, law->texts[k] != NULL ? law->texts[k] : "0", NULL, &value);
    thud_expr_value *row = slopes + k * count;
    if (error == THUD_OK) error = thud_expr_graph_add_gradient(graph, value, (thud_index)count, slots, row);
    for (size_t j = 0; j < count && error == THUD_OK; j++) {
      double number = 1;
      any = any || !thud_expr_graph_is_constant(graph, row[j], &number) || number != 0;
    }
  }
  if (error == THUD_OK && any)
    error = thud_expr_program_create(graph, (thud_index)(FORCE_PARTS * count), slopes, &law->slopes);
  if (error == THUD_OK && any) error = thud_expr_work_create(made->context, law->slopes, 0, &law->slope_work);
  thud_expr_graph_destroy(graph);
  return error == THUD_ERROR_UNSUPPORTED ? THUD_OK : error;
}

thud_error thud_bodies_compile_forces(bodies_scene *made) {
  thud_index slots[BODIES_VARIABLES] = {0};
  thud_error error = THUD_OK;
  for (size_t i = 0; i < made->force_count && error == THUD_OK; i++) {
    bodies_force *law = made->forces[i];
    if (i == 0) error = add_variables(made, law->force != NULL ? law->force : law->torque, slots);
    memcpy(law->slots, slots, sizeof slots);
    if (law->told != NULL) law->force = law->torque = NULL;
    if (law->told != NULL) continue;
    if (error == THUD_OK) error = read_components(made, law->force, (size_t)made->dimension, law->values, law->texts);
    if (error == THUD_OK && made->planar && law->torque != NULL)
      error = read_component(made, law->torque, &law->values[5], &law->texts[5]);
    else if (error == THUD_OK)
      error = read_components(made, law->torque, 3, law->values + 3, law->texts + 3);
    if (error == THUD_OK) error = compile_slopes(made, law);
    law->force = law->torque = NULL;
  }
  return error;
}

/* ---- expressions: paths ---------------------------------------------------------------------------------------------- */

/* Velocity and spin are the exact derivatives of the expressions. */
static int follow_path(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  const bodies_path *path = user;
  double variables[MOST_VARIABLES] = {0}, out[2 * PATH_PARTS];
  variables[path->time_slot] = t;
  thud_expr_work_evaluate(path->work, variables, out);
  pose->position = thud_vec3_load(out);
  pose->rotation = thud_quat_from_rotation_vector(thud_vec3_scale(out[3], path->axis));
  *velocity = thud_vec3_load(out + PATH_PARTS);
  *spin = thud_vec3_scale(out[PATH_PARTS + 3], path->axis);
  return 0;
}

static thud_error add_expression(bodies_scene *made, thud_expr_graph *graph, const thud_node *node, const char *text,
                                 thud_expr_value *value, thud_expr_value *rate) {
  thud_expr_place place = {0};
  thud_error error = thud_expr_graph_add(graph, text, &place, value);
  if (error != THUD_OK && node != NULL) return thud_node_fail_within_at(node, place.column, error);
  if (error == THUD_OK) error = thud_expr_graph_add_rate(graph, *value, 1, &made->scene->time_slot, NULL, rate);
  return error != THUD_OK && node != NULL ? thud_bodies_blame(node, error) : error;
}

/* A body cannot be at two places at once. */
static thud_error check_continuous(bodies_scene *made, const thud_node *node) {
  scene_value value = {0};
  scene_times times = {0};
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_STRING) return THUD_OK;
  thud_error error = thud_scene_read_value(made->scene, node, &value);
  if (error != THUD_OK) return error;
  error = thud_scene_value_jumps(made->scene, &value, made->scene->start, made->scene->end, &times);
  if (error == THUD_ERROR_UNSUPPORTED) error = THUD_OK; /* times that cannot be found are not looked for */
  for (size_t k = 0; k < times.count && error == THUD_OK; k++) {
    double left = thud_scene_value_at(made->scene, &value, times.items[k], THUD_SIDE_LEFT);
    double right = thud_scene_value_at(made->scene, &value, times.items[k], THUD_SIDE_RIGHT);
    if (!(fabs(right - left) <= 1e-12 * (1 + fabs(left) + fabs(right))))
      error =
          thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-path] this path jumps at t = %g, from %g to %g; a body cannot",
                         times.items[k], left, right);
  }
  thud_free(made->context, times.items);
  thud_scene_value_free(&value);
  return error;
}

/* Texts that the path has already are not those of nodes. */
static thud_error compile_path(bodies_scene *made, const thud_node *const nodes[PATH_PARTS], bodies_path *path) {
  thud_expr_graph *graph = NULL;
  thud_expr_value values[2 * PATH_PARTS];
  thud_error error = thud_expr_graph_create(made->context, made->scene->scope, &graph);
  for (size_t k = 0; k < PATH_PARTS && error == THUD_OK; k++) {
    if (path->texts[k] == NULL) path->texts[k] = keep_text(made->context, nodes[k]);
    if (path->texts[k] == NULL) error = THUD_ERROR_MEMORY;
    if (error == THUD_OK)
      error = add_expression(made, graph, nodes[k], path->texts[k], &values[k], &values[PATH_PARTS + k]);
    if (error == THUD_OK) error = check_continuous(made, nodes[k]);
  }
  if (error == THUD_OK) error = thud_expr_program_create(graph, 2 * PATH_PARTS, values, &path->program);
  if (error == THUD_OK) error = thud_expr_work_create(made->context, path->program, 0, &path->work);
  thud_expr_graph_destroy(graph);
  return error;
}

/* Expressions of the path in the order x, y, z, angle; NULL: 0. */
static thud_error find_parts(bodies_scene *made, const thud_node *node, const thud_node *parts[PATH_PARTS]) {
  const thud_node *position = thud_node_find(node, "position");
  size_t d = (size_t)made->dimension;
  thud_error error = position != NULL ? thud_node_expect(position, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error != THUD_OK) return error;
  if (position != NULL && thud_node_count(position) != d)
    return thud_node_fail(position, THUD_ERROR_SCHEMA,
                          "[wrong-count] %zu numbers or expressions are needed here, not %zu", d,
                          thud_node_count(position));
  for (size_t k = 0; k < d && position != NULL; k++) parts[k] = thud_node_item(position, k);
  parts[3] = thud_node_find(node, "angle");
  for (size_t k = 0; k < PATH_PARTS; k++)
    if (parts[k] != NULL && thud_node_get_kind(parts[k]) != THUD_NODE_NUMBER)
      error = thud_node_expect(parts[k], THUD_NODE_STRING) == THUD_OK ? error : THUD_ERROR_SCHEMA;
  return error;
}

static thud_error new_path(bodies_scene *made, thud_vec3 axis, bodies_path **path) {
  thud_error error =
      thud_array_reserve(made->context, &made->paths, &made->path_capacity, made->path_count + 1, sizeof *made->paths);
  if (error != THUD_OK) return error;
  *path = THUD_NEW(made->context, bodies_path);
  if (*path == NULL) return THUD_ERROR_MEMORY;
  made->paths[made->path_count++] = *path;
  (*path)->axis = axis;
  (*path)->planar = made->planar;
  (*path)->time_slot = made->scene->time_slot;
  return THUD_OK;
}

/* The body follows the path from now on; it begins where the path does. */
static thud_error take_path(const bodies_scene *made, const thud_node *node, bodies_path *path, thud_body_def *def) {
  thud_vec3 velocity, spin;
  def->path = follow_path;
  def->path_user = path;
  (void)follow_path(path, made->scene->start, &def->pose, &velocity, &spin);
  thud_vec3 place = def->pose.position;
  double sum = place.x + place.y + place.z + thud_quat_norm(def->pose.rotation) + thud_vec3_norm(velocity) +
               thud_vec3_norm(spin);
  if (isfinite(sum)) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_NOT_FINITE, "[bad-path] this path is not finite at t = %g",
                        made->scene->start);
}

thud_error thud_bodies_read_path(bodies_scene *made, const thud_node *body, const thud_node *node, thud_body_def *def) {
  static const char *const keys[] = {"position", "angle", "axis"};
  const thud_node *parts[PATH_PARTS] = {NULL};
  thud_vec3 axis = thud_vec3_make(0, 0, 1);
  bodies_path *path = NULL;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (thud_bodies_is_told(node)) {
    error = new_path(made, axis, &path);
    return error == THUD_OK ? thud_bodies_read_told_path(made, body, node, path, def) : error;
  }
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, made->planar ? 2 : 3);
  if (error == THUD_OK) error = find_parts(made, node, parts);
  if (error == THUD_OK && !made->planar && parts[3] != NULL && thud_node_find(node, "axis") == NULL)
    error = thud_node_fail(parts[3], THUD_ERROR_SCHEMA, "[bad-rotation] an angle needs the 'axis' that it turns about");
  if (error == THUD_OK) error = thud_bodies_read_axis(made, node, "axis", &axis);
  if (error == THUD_OK) error = new_path(made, axis, &path);
  if (error == THUD_OK) error = compile_path(made, parts, path);
  return error == THUD_OK ? take_path(made, node, path, def) : error;
}

thud_error thud_bodies_make_turn(bodies_scene *made, const thud_node *angle, thud_vec3 axis, thud_vec3 position,
                                 thud_body_def *def) {
  const thud_node *parts[PATH_PARTS] = {NULL, NULL, NULL, angle};
  const double place[3] = {position.x, position.y, position.z};
  char number[THUD_DOUBLE_CAPACITY];
  bodies_path *path = NULL;
  thud_error error = new_path(made, axis, &path);
  for (size_t k = 0; k < 3 && error == THUD_OK; k++) {
    thud_format_double(place[k], number, sizeof number);
    path->texts[k] = thud_strdup(made->context, number);
    if (path->texts[k] == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK) error = compile_path(made, parts, path);
  return error == THUD_OK ? take_path(made, angle, path, def) : error;
}

/* ---- expressions: end ------------------------------------------------------------------------------------------------ */

void thud_bodies_free_expressions(bodies_scene *made) {
  thud_context *context = made->context;
  for (size_t i = 0; i < made->force_count; i++) {
    for (size_t k = 0; k < FORCE_PARTS; k++) {
      thud_scene_value_free(&made->forces[i]->values[k]);
      thud_free(context, made->forces[i]->texts[k]);
    }
    thud_expr_work_destroy(made->forces[i]->slope_work);
    thud_expr_program_destroy(made->forces[i]->slopes);
    thud_free(context, made->forces[i]);
  }
  for (size_t i = 0; i < made->path_count; i++) {
    thud_expr_work_destroy(made->paths[i]->work);
    thud_expr_program_destroy(made->paths[i]->program);
    for (size_t k = 0; k < PATH_PARTS; k++) thud_free(context, made->paths[i]->texts[k]);
    thud_free(context, made->paths[i]);
  }
  for (size_t i = 0; i < made->told_count; i++) thud_free(context, made->told[i]);
  thud_free(context, made->forces);
  thud_free(context, made->paths);
  thud_free(context, (void *)made->told);
  thud_free(context, made->told_values);
}
