/* Forces on bodies and paths of kinematic ones: expressions. */
#include "verify/bodies_read.h"

enum { PATH_PARTS = 4 };

/* Component k of a list of expressions, with its text; missing: 0. */
static thud_error read_component(verify_bodies *bodies, const thud_node *list, size_t k, verify_value *value,
                                 const char **text) {
  const thud_node *node = list != NULL && k < thud_node_count(list) ? thud_node_item(list, k) : NULL;
  if (node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING) *text = thud_node_string(node);
  return node != NULL ? thud_verify_read_value(&bodies->scene, node, value) : THUD_OK;
}

thud_error thud_verify_read_push(verify_bodies *bodies, const thud_node *type, verify_push **push) {
  const thud_node *force = thud_node_find(type, "force"), *torque = thud_node_find(type, "torque");
  thud_error error = THUD_OK;
  *push = NULL;
  if (force == NULL && torque == NULL) return THUD_OK;
  verify_push *made = THUD_NEW(bodies->scene.context, verify_push);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *push = made;
  const char *text[6] = {NULL};
  for (size_t k = 0; k < 6 && error == THUD_OK; k++) {
    const thud_node *list = k < 3 ? force : torque;
    size_t at = bodies->planar && k == 5 ? 0 : k % 3;
    if (bodies->planar && k != 0 && k != 1 && k != 5) continue;
    error = read_component(bodies, list, at, &made->component[k], &text[k]);
  }
  return error == THUD_OK ? thud_verify_compile_slopes(bodies, text, made) : error;
}

void thud_verify_free_push(thud_context *context, verify_push *push) {
  for (int k = 0; push != NULL && k < 6; k++) thud_expr_destroy(push->component[k].expr);
  if (push != NULL) {
    thud_expr_work_destroy(push->slope_work);
    thud_expr_program_destroy(push->slopes);
  }
  thud_free(context, push);
}

static thud_error compile(verify_bodies *bodies, const thud_node *list, verify_path *path) {
  thud_expr_graph *graph = NULL;
  thud_expr_value values[2 * PATH_PARTS];
  thud_context *context = bodies->scene.context;
  thud_error error = thud_expr_graph_create(context, bodies->scene.scope, &graph);
  for (size_t k = 0; k < PATH_PARTS && error == THUD_OK; k++) {
    const char *text;
    error = thud_node_read_string(thud_node_item(list, k), &text);
    if (error == THUD_OK) error = thud_expr_graph_add(graph, text, NULL, &values[k]);
    if (error == THUD_OK)
      error = thud_expr_graph_add_rate(graph, values[k], 1, &bodies->scene.time_slot, NULL, &values[PATH_PARTS + k]);
  }
  if (error == THUD_OK) error = thud_expr_program_create(graph, 2 * PATH_PARTS, values, &path->program);
  if (error == THUD_OK) error = thud_expr_work_create(context, path->program, 0, &path->work);
  thud_expr_graph_destroy(graph);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(list, error);
}

thud_error thud_verify_read_path(verify_bodies *bodies, const thud_node *type, verify_path **path) {
  const thud_node *list = thud_node_find(type, "path"), *axis = thud_node_find(type, "axis");
  double direction[3] = {0, 0, 1};
  *path = NULL;
  if (list == NULL) return THUD_OK;
  verify_path *made = THUD_NEW(bodies->scene.context, verify_path);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *path = made;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != PATH_PARTS)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "a path is x, y, z and an angle");
  if (error == THUD_OK && axis != NULL) error = thud_node_read_numbers(axis, 3, direction);
  made->axis = thud_vec3_load(direction);
  return error == THUD_OK ? compile(bodies, list, made) : error;
}

void thud_verify_free_path(thud_context *context, verify_path *path) {
  if (path != NULL) {
    thud_expr_work_destroy(path->work);
    thud_expr_program_destroy(path->program);
  }
  thud_free(context, path);
}
