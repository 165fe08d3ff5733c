/* What the scene says itself of its bodies, beside the list of all of them and beside the first row. */
#include "verify/bodies_read.h"

#include <math.h>
#include <string.h>

/* ---- the model --------------------------------------------------------------------------------------------------------------- */

/* Constants of a list, up to `count`; those that are missing stay. */
static thud_error read_constants(verify_bodies *bodies, const thud_node *list, size_t count, double *x) {
  thud_error error = THUD_OK;
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE) return THUD_OK;
  for (size_t k = 0; k < count && k < thud_node_count(list) && error == THUD_OK; k++)
    error = thud_verify_read_constant(&bodies->scene, thud_node_item(list, k), &x[k]);
  return error;
}

thud_error thud_verify_bodies_check_model(verify_bodies *bodies, const thud_node *root, thud_verify_check *check) {
  const thud_node *planar = thud_node_find(root, "planar");
  bool plane = planar != NULL && thud_node_get_kind(planar) == THUD_NODE_BOOL && thud_node_bool(planar);
  double g[3] = {0, 0, 0};
  thud_error error = read_constants(bodies, thud_node_find(root, "gravity"), plane ? 2 : 3, g);
  if (plane != bodies->planar)
    thud_verify_fail(check, NAN, SIZE_MAX, "the list of bodies is %s, the scene is not",
                     bodies->planar ? "of the plane" : "in space");
  if (error == THUD_OK && thud_vec3_distance(thud_vec3_load(g), bodies->gravity) != 0)
    thud_verify_fail(check, NAN, SIZE_MAX, "the gravity of the list of bodies is not that of the scene");
  if (error == THUD_OK) error = thud_verify_bodies_check_laws(bodies, root, check);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY) {
    thud_verify_fail(check, NAN, SIZE_MAX, "the scene cannot be used: %s",
                     thud_context_last_message(bodies->scene.context));
    error = THUD_OK;
  }
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu bodies, laws of %zu material%s", bodies->count, bodies->material_count,
                        thud_plural(bodies->material_count));
  return error;
}

/* ---- the start --------------------------------------------------------------------------------------------------------------- */

static size_t find_body(const verify_bodies *bodies, const thud_node *entry) {
  const thud_node *name = thud_node_find(entry, "name");
  if (name == NULL || thud_node_get_kind(name) != THUD_NODE_STRING) return SIZE_MAX;
  for (size_t i = 0; i < bodies->count; i++)
    if (strcmp(bodies->body[i].name, thud_node_string(name)) == 0) return i;
  return SIZE_MAX;
}

/* {axis, angle}, a quaternion, or in the plane an angle. */
static thud_error read_rotation(verify_bodies *bodies, const thud_node *node, thud_quat *q) {
  double w[4] = {1, 0, 0, 0}, axis[3] = {0, 0, 1}, angle = 0;
  thud_vec3 unit = {0, 0, 1};
  thud_error error = THUD_OK;
  *q = thud_quat_identity();
  if (node == NULL) return THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE) {
    error = read_constants(bodies, node, 4, w);
    *q = thud_quat_normalise(thud_quat_make(w[0], w[1], w[2], w[3]));
    return error;
  }
  bool map = thud_node_get_kind(node) == THUD_NODE_MAP;
  const thud_node *turn = map ? thud_node_find(node, "angle") : node;
  if (map) error = read_constants(bodies, thud_node_find(node, "axis"), 3, axis);
  if (error == THUD_OK && turn != NULL) error = thud_verify_read_constant(&bodies->scene, turn, &angle);
  thud_vec3_normalise(thud_vec3_load(axis), &unit);
  *q = thud_quat_from_rotation_vector(thud_vec3_scale(angle, unit));
  return error;
}

static thud_error read_start(verify_bodies *bodies, const thud_node *entry, const verify_rigid *body,
                             verify_body_state *state) {
  size_t d = bodies->planar ? 2 : 3;
  double x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, w[3] = {0, 0, 0};
  const thud_node *spin = thud_node_find(entry, "spin");
  thud_error error = read_constants(bodies, thud_node_find(entry, "position"), d, x);
  if (error == THUD_OK) error = read_constants(bodies, thud_node_find(entry, "velocity"), d, v);
  if (error == THUD_OK && bodies->planar && spin != NULL)
    error = thud_verify_read_constant(&bodies->scene, spin, &w[2]);
  if (error == THUD_OK && !bodies->planar) error = read_constants(bodies, spin, 3, w);
  if (error == THUD_OK) error = read_rotation(bodies, thud_node_find(entry, "rotation"), &state->q);
  state->x = thud_vec3_add(thud_vec3_load(x), thud_quat_rotate(state->q, body->centre));
  state->v = thud_vec3_load(v);
  state->w = thud_vec3_load(w);
  return error;
}

static void compare_start(const verify_rigid *body, const verify_body_state *given, const verify_body_row *row,
                          const verify_body_state *found, thud_verify_check *check) {
  thud_quat between = thud_quat_multiply(given->q, thud_quat_conjugate(found->q));
  double reach = thud_vec3_norm(given->x) + thud_vec3_norm(body->centre);
  const struct {
    double error, size;
  } parts[4] = {{thud_vec3_distance(given->x, found->x), reach},
                {thud_vec3_norm(thud_quat_to_rotation_vector(between)), 1},
                {thud_vec3_distance(given->v, found->v), thud_vec3_norm(given->v)},
                {thud_vec3_distance(given->w, found->w), thud_vec3_norm(given->w)}};
  for (int k = 0; k < 4; k++)
    if (thud_verify_tally(check, parts[k].error, VERIFY_SUMS * parts[k].size, 0, row->t, row->number))
      thud_verify_explain(check, "of '%s'", body->name);
}

thud_error thud_verify_body_initial(verify_bodies *bodies, const thud_node *root, const verify_body_row *row,
                                    thud_verify_check *check) {
  const thud_node *list = thud_node_find(root, "bodies");
  size_t asked = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; list != NULL && k < thud_node_count(list) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(list, k);
    verify_body_state given = {.q = thud_quat_identity()};
    if (thud_node_get_kind(entry) != THUD_NODE_MAP || thud_node_find(entry, "generate") != NULL) continue;
    size_t i = find_body(bodies, entry);
    if (i == SIZE_MAX || bodies->body[i].role == VERIFY_KINEMATIC || bodies->options.relax) continue;
    error = read_start(bodies, entry, &bodies->body[i], &given);
    if (bodies->body[i].absent) given.v = given.w = (thud_vec3){0}; /* it has them when it comes */
    if (error == THUD_OK) compare_start(&bodies->body[i], &given, row, &row->end[i], check);
    asked++;
  }
  if (error != THUD_OK && error != THUD_ERROR_MEMORY) {
    thud_verify_fail(check, row->t, row->number, "the scene cannot be used: %s",
                     thud_context_last_message(bodies->scene.context));
    error = THUD_OK;
  }
  if (asked == 0) thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "no body has a place of its own in the scene");
  return error;
}
