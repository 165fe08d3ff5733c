/* Numbers, vectors, rotations and names of `bodies` scenes. */
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
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
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' must be %s, not %g", key,
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
  if (error == THUD_OK && thud_node_count(list) != count)
    error =
        thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed here, not %zu", count, thud_node_count(list));
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
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "an axis needs a direction: [0, 0, 0] has none");
  return error;
}

static thud_error read_quaternion(bodies_scene *made, const thud_node *node, thud_quat *rotation) {
  double q[4];
  thud_error error = thud_bodies_read_numbers(made, node, 4, q);
  if (error != THUD_OK) return error;
  double norm = thud_quat_norm(thud_quat_make(q[0], q[1], q[2], q[3]));
  if (!(fabs(norm - 1) <= 1e-3))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "a quaternion [w, x, y, z] of norm 1 is needed, not %g", norm);
  *rotation = thud_quat_normalise(thud_quat_make(q[0], q[1], q[2], q[3]));
  return THUD_OK;
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
  if (error == THUD_OK) *rotation = thud_quat_from_rotation_vector(thud_vec3_scale(angle, axis));
  return error;
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
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "a name has from 1 to %d bytes, not %zu", BODIES_NAME_ROOM, length);
  for (const unsigned char *c = (const unsigned char *)*name; *c != '\0'; c++)
    if (*c < ' ' || *c == ',' || *c == '"')
      return thud_node_fail(node, THUD_ERROR_SCHEMA, "a name has no commas, quotation marks or control characters");
  return THUD_OK;
}

/* The nearest name of a table, NULL: none is near. */
static const char *nearest(const bodies_scene *made, const thud_names *names, const char *word) {
  const char **all = THUD_NEW_ARRAY(made->context, const char *, names->count + 1), *found = NULL;
  size_t count = 0;
  for (size_t k = 0; all != NULL && k < names->size; k++)
    if (names->entries[k].text != NULL) all[count++] = names->entries[k].text;
  if (all != NULL) found = thud_suggest(word, all, count);
  thud_free(made->context, (void *)all);
  return found;
}

thud_error thud_bodies_find_name(const bodies_scene *made, const thud_node *node, const thud_names *names,
                                 const char *what, size_t *number) {
  const char *name;
  thud_error error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  *number = thud_names_find(names, name, strlen(name));
  if (*number != THUD_NAMES_NONE) return THUD_OK;
  const char *near = nearest(made, names, name);
  if (near != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no %s '%s'; did you mean '%s'?", what, name, near);
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no %s '%s'", what, name);
}
