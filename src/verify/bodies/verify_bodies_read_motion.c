/* Forces on bodies and paths of kinematic ones: expressions. */
#include "verify/bodies/verify_bodies_read.h"

#include <string.h>

enum { PATH_PARTS = 4 };

/* A number or an expression as text; NULL: "0". */
static thud_error keep_text(const verify_build *build, const thud_node *node, const char **text) {
  char number[THUD_DOUBLE_CAPACITY] = "0";
  const char *from = number;
  if (node != NULL && thud_node_get_kind(node) == THUD_NODE_NUMBER)
    thud_format_double(thud_node_number(node), number, sizeof number);
  else if (node != NULL && thud_node_read_string(node, &from) != THUD_OK)
    return THUD_ERROR_SCHEMA;
  size_t size = strlen(from) + 1;
  char *kept = thud_arena_alloc(build->bodies->arena, size, 1);
  if (kept == NULL) return THUD_ERROR_MEMORY;
  memcpy(kept, from, size);
  *text = kept;
  return THUD_OK;
}

/* ---- forces --------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_read_push(verify_build *build, const thud_node *map, verify_push **push) {
  verify_bodies *bodies = build->bodies;
  const thud_node *force = thud_node_find(map, "force"), *torque = thud_node_find(map, "torque");
  *push = NULL;
  if (force == NULL && torque == NULL) return THUD_OK;
  thud_error error = thud_array_reserve(build->context, &bodies->push, &build->push_capacity, bodies->push_count + 1,
                                        sizeof *bodies->push);
  if (error != THUD_OK) return error;
  verify_push *made = THUD_NEW(build->context, verify_push);
  if (made == NULL) return THUD_ERROR_MEMORY;
  bodies->push[bodies->push_count++] = made;
  made->force = force;
  made->torque = torque;
  *push = made;
  return THUD_OK;
}

static thud_error compile_component(verify_build *build, const thud_node *node, verify_push *push, size_t k) {
  thud_error error = keep_text(build, node, &push->text[k]);
  return error == THUD_OK && node != NULL ? thud_verify_read_value(build->scene, node, &push->component[k]) : error;
}

/* `count` components from `first` on. */
static thud_error compile_list(verify_build *build, const thud_node *list, verify_push *push, size_t first,
                               size_t count) {
  thud_error error = list != NULL ? thud_node_expect(list, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error == THUD_OK && list != NULL && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers or expressions are needed here", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = compile_component(build, list != NULL ? thud_node_item(list, k) : NULL, push, first + k);
  return error;
}

/* Forces may depend on the body's state, when there are any. */
static thud_error add_variables(verify_bodies *bodies) {
  static const char *const names[BODY_VARIABLES] = {"x",  "y",  "z",  "x'", "y'", "z'", "angle", "angle'",
                                                    "qw", "qx", "qy", "qz", "wx", "wy", "wz"};
  thud_error error = THUD_OK;
  for (int k = 0; k < BODY_VARIABLES && error == THUD_OK; k++) {
    bool of_plane = k == BODY_ANGLE || k == BODY_RATE, of_space = k == BODY_Z || k == BODY_VZ || k >= BODY_QW;
    bodies->slot[k] = -1;
    if (bodies->push_count > 0 && !(bodies->planar ? of_space : of_plane))
      error = thud_expr_scope_add_variable(bodies->scene.scope, names[k], &bodies->slot[k]);
    /* a parameter of the scene with this name hides it */
    if (k >= BODY_QW && error == THUD_ERROR_ARGUMENT) error = THUD_OK;
  }
  if (error != THUD_OK) return error;
  bodies->variables =
      THUD_NEW_ARRAY(bodies->scene.context, double, thud_expr_scope_variable_count(bodies->scene.scope));
  return bodies->variables != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_verify_compile_pushes(verify_build *build) {
  verify_bodies *bodies = build->bodies;
  bool planar = bodies->planar;
  thud_error error = add_variables(bodies);
  for (size_t k = 0; k < bodies->push_count && error == THUD_OK; k++) {
    verify_push *push = bodies->push[k];
    error = compile_list(build, push->force, push, 0, planar ? 2 : 3);
    if (error != THUD_OK) return error;
    error = planar ? compile_component(build, push->torque, push, 5) : compile_list(build, push->torque, push, 3, 3);
    if (error == THUD_OK) error = thud_verify_compile_slopes(bodies, push);
  }
  return error;
}

void thud_verify_free_push(thud_context *context, verify_push *push) {
  for (int k = 0; push != NULL && k < 6; k++) thud_expr_destroy(push->component[k].expr);
  if (push != NULL) {
    thud_expr_work_destroy(push->slope_work);
    thud_expr_program_destroy(push->slopes);
  }
  thud_free(context, push);
}

/* ---- paths ---------------------------------------------------------------------------------------------------------- */

static thud_error compile(verify_build *build, const thud_node *node, verify_path *path) {
  thud_expr_graph *graph = NULL;
  thud_expr_value values[2 * PATH_PARTS];
  verify_scene *scene = build->scene;
  thud_error error = thud_expr_graph_create(build->context, scene->scope, &graph);
  for (size_t k = 0; k < PATH_PARTS && error == THUD_OK; k++) {
    error = thud_expr_graph_add(graph, path->text[k], NULL, &values[k]);
    if (error == THUD_OK)
      error = thud_expr_graph_add_rate(graph, values[k], 1, &scene->time_slot, NULL, &values[PATH_PARTS + k]);
  }
  if (error == THUD_OK) error = thud_expr_program_create(graph, 2 * PATH_PARTS, values, &path->program);
  if (error == THUD_OK) error = thud_expr_work_create(build->context, path->program, 0, &path->work);
  thud_expr_graph_destroy(graph);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static thud_error new_path(verify_build *build, thud_vec3 axis, verify_path **path) {
  verify_bodies *bodies = build->bodies;
  thud_error error = thud_array_reserve(build->context, &bodies->path, &build->path_capacity, bodies->path_count + 1,
                                        sizeof *bodies->path);
  if (error != THUD_OK) return error;
  *path = THUD_NEW(build->context, verify_path);
  if (*path == NULL) return THUD_ERROR_MEMORY;
  (*path)->axis = axis;
  bodies->path[bodies->path_count++] = *path;
  return THUD_OK;
}

thud_error thud_verify_read_path(verify_build *build, const thud_node *node, verify_path **made) {
  thud_vec3 axis = {0, 0, 1};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *position = thud_node_find(node, "position"), *angle = thud_node_find(node, "angle");
  if (position != NULL) error = thud_node_expect(position, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && position != NULL && thud_node_count(position) != build->dimension)
    error = thud_node_fail(position, THUD_ERROR_SCHEMA, "%zu expressions are needed here", build->dimension);
  if (error == THUD_OK) error = thud_verify_given_axis(build, node, "axis", &axis);
  if (error == THUD_OK) error = new_path(build, axis, made);
  for (size_t k = 0; k < PATH_PARTS && error == THUD_OK; k++) {
    bool given = k < build->dimension && position != NULL;
    error = keep_text(build, k == 3 ? angle : given ? thud_node_item(position, k) : NULL, &(*made)->text[k]);
  }
  return error == THUD_OK ? compile(build, node, *made) : error;
}

thud_error thud_verify_make_turn(verify_build *build, const thud_node *angle, thud_vec3 axis, thud_vec3 position,
                                 verify_path **made) {
  const double place[3] = {position.x, position.y, position.z};
  thud_error error = new_path(build, axis, made);
  for (size_t k = 0; k < 3 && error == THUD_OK; k++) {
    char *text = thud_arena_alloc(build->bodies->arena, THUD_DOUBLE_CAPACITY, 1);
    if (text == NULL) return THUD_ERROR_MEMORY;
    thud_format_double(place[k], text, THUD_DOUBLE_CAPACITY);
    (*made)->text[k] = text;
  }
  if (error == THUD_OK) error = keep_text(build, angle, &(*made)->text[3]);
  return error == THUD_OK ? compile(build, angle, *made) : error;
}

void thud_verify_free_path(thud_context *context, verify_path *path) {
  if (path != NULL) {
    thud_expr_work_destroy(path->work);
    thud_expr_program_destroy(path->program);
  }
  thud_free(context, path);
}
