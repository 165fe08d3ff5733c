/* `contacts` of `solid` scenes: obstacles, friction, points of contact. */
#include "kinds/solid/solid_scene.h"
#include "mesh/solid_mesh.h"
#include "scene/resolve.h"
#include "scene/scene_options.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const thud_option_key contact_rows[] = {
    {"friction", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "1", "coefficient"},
    {"threshold", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, false, NULL, "N/m^2",
     "of the method threshold: bound of the friction per area, of t"}};
THUD_SCENE_TABLE(thud_solid_contact_table, "contacts of a solid", contact_rows)

/* ---- obstacles ------------------------------------------------------------------------------------------------------------- */

/* The value and its slopes along the axes of an expression of x, y, z. */
static int measure_level(void *user, const double *place, double *value, double *gradient) {
  const solid_level *level = user;
  double variables[8] = {0}, out[4];
  for (int k = 0; k < level->scene->d; k++) variables[level->scene->slots[k]] = place[k];
  thud_expr_work_evaluate(level->work, variables, out);
  *value = out[0];
  memcpy(gradient, out + 1, (size_t)level->scene->d * sizeof *gradient);
  for (int k = 0; k <= level->scene->d; k++)
    if (!isfinite(out[k])) return 1;
  return 0;
}

static thud_error compile_level(solid_scene *made, const char *text, solid_level *level) {
  thud_context *context = made->scene->context;
  thud_expr_graph *graph = NULL;
  thud_expr_value values[4];
  bool depends = false;
  thud_error error = thud_expr_graph_create(context, made->scene->scope, &graph);
  if (error == THUD_OK) error = thud_expr_graph_add(graph, text, NULL, &values[0]);
  if (error == THUD_OK) error = thud_expr_graph_depends_on(graph, values[0], made->scene->time_slot, &depends);
  if (error == THUD_OK && depends)
    error =
        thud_fail(context, THUD_ERROR_SCHEMA,
                  "[not-constant] an obstacle stands still: '%s' depends on t; move the solid by its supports", text);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(graph, values[0], made->d, made->slots, values + 1);
  if (error == THUD_OK) error = thud_expr_program_create(graph, 1 + made->d, values, &level->program);
  if (error == THUD_OK) error = thud_expr_work_create(context, level->program, 0, &level->work);
  thud_expr_graph_destroy(graph);
  return error;
}

static thud_error read_level(solid_scene *made, const thud_node *node, thud_index k) {
  const char *text;
  thud_solid_obstacle *obstacle = &made->obstacles[k];
  thud_error error = thud_node_read_string(node, &text);
  obstacle->shape = THUD_OBSTACLE_LEVEL;
  obstacle->level = measure_level;
  obstacle->user = &made->levels[k];
  made->levels[k].scene = made;
  if (error != THUD_OK) return error;
  error = compile_level(made, text, &made->levels[k]);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, THUD_ERROR_SCHEMA);
}

/* The vector under a key; its length must not be 0. */
static thud_error read_direction(solid_scene *made, const thud_node *map, const char *key, double *direction) {
  const thud_node *node;
  double size = 0;
  thud_error error = thud_node_require_as(map, key, "a vector", &node);
  if (error == THUD_OK) error = thud_solid_scene_numbers(made, node, (size_t)made->d, direction);
  for (int k = 0; k < made->d && error == THUD_OK; k++) size += fabs(direction[k]);
  if (error == THUD_OK && !(size > 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] the direction is zero");
  return error;
}

static thud_error read_radius(solid_scene *made, const thud_node *map, double *radius) {
  const thud_node *node;
  thud_error error = thud_node_require_as(map, "radius", "a number; negative: the solid is inside", &node);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, node, radius);
  if (error == THUD_OK && !(fabs(*radius) > 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] the radius is %g", *radius);
  return error;
}

static thud_error read_obstacle(solid_scene *made, const thud_node *contact, thud_index k) {
  static const char *const planes[] = {"plane", "normal"}, *const balls[] = {"ball", "radius"};
  static const char *const cylinders[] = {"cylinder", "direction", "radius"}, *const levels[] = {"level"};
  const thud_node *map;
  thud_solid_obstacle *obstacle = &made->obstacles[k];
  thud_error error =
      thud_node_require_as(contact, "obstacle",
                           "{plane: [0, 0], normal: [0, 1]}, {ball: [0, -1], radius: 1}, {cylinder: [0, 0, 0], "
                           "direction: [0, 1, 0], radius: 1} or {level: an expression that is > 0 outside}",
                           &map);
  if (error == THUD_OK) error = thud_node_expect(map, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *plane = thud_node_find(map, "plane"), *ball = thud_node_find(map, "ball"),
                  *cylinder = thud_node_find(map, "cylinder"), *level = thud_node_find(map, "level");
  const thud_node *point = plane != NULL ? plane : ball != NULL ? ball : cylinder;
  if (point == NULL && level == NULL)
    return thud_node_fail(map, THUD_ERROR_SCHEMA, "[missing-key] one of plane, ball, cylinder, level is needed");
  if (point == NULL) {
    error = thud_node_check_keys(map, levels, 1);
    return error == THUD_OK ? read_level(made, level, k) : error;
  }
  error = plane != NULL  ? thud_node_check_keys(map, planes, 2)
          : ball != NULL ? thud_node_check_keys(map, balls, 2)
                         : thud_node_check_keys(map, cylinders, 3);
  obstacle->shape = plane != NULL ? THUD_OBSTACLE_PLANE : ball != NULL ? THUD_OBSTACLE_BALL : THUD_OBSTACLE_CYLINDER;
  if (error == THUD_OK && cylinder != NULL && plane == NULL && ball == NULL && made->d == 2)
    error = thud_node_fail(cylinder, THUD_ERROR_SCHEMA,
                           "[contradictory-keys] cylinders are in space; in the plane take a ball");
  if (error == THUD_OK) error = thud_solid_scene_numbers(made, point, (size_t)made->d, obstacle->point);
  if (error == THUD_OK && obstacle->shape != THUD_OBSTACLE_BALL)
    error = read_direction(made, map, plane != NULL ? "normal" : "direction", obstacle->direction);
  if (error == THUD_OK && plane == NULL) error = read_radius(made, map, &obstacle->radius);
  return error;
}

/* ---- contacts -------------------------------------------------------------------------------------------------------------- */

static thud_error read_friction(solid_scene *made, const thud_node *contact, thud_index k) {
  const thud_node *friction, *threshold = thud_node_find(contact, "threshold");
  bool bounded = made->method == THUD_QUASISTATIC_THRESHOLD;
  scene_value value = {0};
  thud_error error = thud_node_require(contact, "friction", &friction);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, friction, &made->obstacles[k].mu);
  if (error == THUD_OK && !(made->obstacles[k].mu >= 0))
    error = thud_node_fail(friction, THUD_ERROR_SCHEMA,
                           "[out-of-range] the coefficient of friction is %g; 0 or greater is needed",
                           made->obstacles[k].mu);
  if (error == THUD_OK && bounded != (threshold != NULL))
    error = thud_node_fail(
        contact, THUD_ERROR_SCHEMA,
        bounded ? "[missing-key] the method threshold needs 'threshold', a bound of the friction per area"
                : "[misplaced-key] 'threshold' belongs to the method threshold");
  if (error != THUD_OK || !bounded) return error;
  error = thud_scene_read_value(made->scene, threshold, &value);
  if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->thresholds, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

static thud_error read_contact(solid_scene *made, const thud_node *contact, thud_index k) {
  static const char *const keys[] = {"group", "obstacle"};
  const thud_node *group;
  const char *name;
  thud_error error = thud_scene_check_keys(made->scene, contact, 2, keys, THUD_TABLES(thud_solid_contact_table()));
  if (error == THUD_OK) error = thud_node_require_as(contact, "group", "the name of a group of sides", &group);
  if (error == THUD_OK) error = thud_node_read_string(group, &name);
  if (error != THUD_OK) return error;
  made->obstacle_names[k] = name;
  made->obstacles[k].group = thud_solid_mesh_find_group(made->mesh, name, made->d - 1);
  if (made->obstacles[k].group < 0)
    return thud_node_fail(group, THUD_ERROR_SCHEMA, "[unknown-name] the mesh has no group of sides '%s'", name);
  error = read_obstacle(made, contact, k);
  return error == THUD_OK ? read_friction(made, contact, k) : error;
}

thud_error thud_solid_scene_read_contacts(solid_scene *made, const thud_node *section) {
  thud_context *context = made->scene->context;
  const thud_node *contacts = thud_node_find(section, "contacts");
  thud_error error = contacts != NULL ? thud_node_expect(contacts, THUD_NODE_SEQUENCE) : THUD_OK;
  size_t count = contacts != NULL && error == THUD_OK ? thud_node_count(contacts) : 0;
  made->obstacles = THUD_NEW_ARRAY(context, thud_solid_obstacle, count);
  made->levels = THUD_NEW_ARRAY(context, solid_level, count);
  made->obstacle_names = THUD_NEW_ARRAY(context, const char *, count);
  if (made->obstacles == NULL || made->levels == NULL || made->obstacle_names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    made->obstacle_count = (thud_index)k + 1;
    error = thud_node_expect(thud_node_item(contacts, k), THUD_NODE_MAP);
    if (error == THUD_OK) error = read_contact(made, thud_node_item(contacts, k), (thud_index)k);
  }
  return error;
}

/* ---- points ---------------------------------------------------------------------------------------------------------------- */

/* "bottom(0.5, 0)" */
static thud_error name_contacts(solid_scene *made) {
  thud_context *context = made->scene->context;
  made->contact_names = THUD_NEW_ARRAY(context, char *, made->touch.contacts);
  if (made->contact_names == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < made->touch.contacts; i++) {
    const double *x = made->view.place + (size_t)made->d * (size_t)made->touch.corner[i];
    char name[200], place[80];
    snprintf(name, sizeof name, "%.80s%s", made->obstacle_names[made->touch.obstacle[i]],
             thud_solid_mesh_place(made->d, x, place));
    made->contact_names[i] = thud_strdup(context, name);
    if (made->contact_names[i] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

/* A point of contact whose displacement is given must not move into the obstacle: gaps do not depend on time. */
static thud_error check_given(const solid_scene *made, const thud_node *section) {
  unsigned char *moves = THUD_NEW_ARRAY(made->scene->context, unsigned char, made->view.nodes);
  if (moves == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < made->supports.count; k++) {
    const solid_given *given = &made->supports.items[k];
    bool rests = given->value.expr == NULL && given->value.constant == 0;
    for (thud_index i = 0; !rests && i < given->count; i++) moves[made->list[given->first + i]] = 1;
  }
  thud_error error = THUD_OK;
  thud_index corners = thud_solid_mesh_corners(made->d - 1, made->view.order);
  for (thud_index k = 0; k < made->obstacle_count && error == THUD_OK; k++)
    for (thud_index s = 0; s < made->view.sides && error == THUD_OK; s++)
      for (thud_index c = 0; c < corners && error == THUD_OK; c++) {
        thud_index node = made->view.side[(size_t)corners * (size_t)s + (size_t)c];
        const double *x = made->view.place + (size_t)made->d * (size_t)node;
        char place[80];
        if (made->view.side_group[s] == made->obstacles[k].group && moves[node] != 0)
          error = thud_node_fail(section, THUD_ERROR_SCHEMA,
                                 "[bad-contact] the group '%s' may touch, and its node at %s has a displacement "
                                 "that is given and not 0: a node of a contact is free or rests",
                                 made->obstacle_names[k], thud_solid_mesh_place(made->d, x, place));
      }
  thud_free(made->scene->context, moves);
  return error;
}

thud_error thud_solid_scene_make_contacts(solid_scene *made, const thud_node *section) {
  const thud_node *overlap;
  double allowed = 0;
  bool friction = made->method == THUD_QUASISTATIC_THRESHOLD;
  thud_error error = thud_node_require(section, "overlap", &overlap);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, overlap, &allowed);
  if (error == THUD_OK) error = check_given(made, section);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < made->obstacle_count; k++) friction = friction || made->obstacles[k].mu > 0;
  error = thud_solid_contacts_create(made->solid, made->obstacle_count, made->obstacles, friction, allowed,
                                     &made->contacts);
  if (error != THUD_OK)
    return error == THUD_ERROR_MEMORY ? error
                                      : thud_node_fail_within(thud_node_find(section, "contacts"), THUD_ERROR_SCHEMA);
  made->touch = thud_solid_contacts_get(made->contacts);
  return name_contacts(made);
}

void thud_solid_scene_free_contacts(solid_scene *made) {
  thud_context *context = made->scene->context;
  for (thud_index i = 0; made->contact_names != NULL && i < made->touch.contacts; i++)
    thud_free(context, made->contact_names[i]);
  thud_free(context, made->contact_names);
  thud_solid_contacts_destroy(made->contacts);
  for (thud_index k = 0; made->levels != NULL && k < made->obstacle_count; k++) {
    thud_expr_work_destroy(made->levels[k].work);
    thud_expr_program_destroy(made->levels[k].program);
  }
  thud_free(context, made->levels);
  thud_free(context, made->obstacles);
  thud_free(context, (void *)made->obstacle_names);
  thud_scene_values_free(made->scene, &made->thresholds);
}
