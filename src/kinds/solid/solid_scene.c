/* `solid` scenes: materials, supports, loads, and the quasi-static problem that they make. */
#include "kinds/solid/solid_scene.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "mesh/solid_mesh.h"
#include "scene/resolve.h"
#include "scene/scene_options.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const thud_solid_kinematics_names[] = {"plane-strain", "plane-stress", "axisymmetric", "space", NULL};
static const char *const axis_names[] = {"x", "y", "z"};

static const thud_option_key section_rows[] = {
    {"kinematics", THUD_OPTION_CHOICE, 0, 0, 0, 0, false, thud_solid_kinematics_names, "",
     "plane-strain and plane-stress in x and y; axisymmetric with the radius x and the axis y; space"},
    {"thickness", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, true, NULL, "m", "of plane kinematics"},
    {"overlap", THUD_OPTION_REAL, 0, 1e-9, 0, DBL_MAX, false, NULL, "m",
     "contacts that overlap their obstacle at the start by more are refused; by less they touch"}};
static THUD_SCENE_TABLE(section_table, "solid", section_rows)

    static const thud_option_key material_rows[] = {
        {"young", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "N/m^2", "Young's modulus"},
        {"poisson", THUD_OPTION_REAL, 0, 0.3, -1, 0.5, true, NULL, "1", "Poisson's ratio, below 1/2"}};
static THUD_SCENE_TABLE(material_table, "material of a solid", material_rows)

    static const thud_option_key mesh_rows[] = {
        {"order", THUD_OPTION_INT, 0, 1, 1, 2, false, NULL, "1", "of the elements of rectangles and boxes"}};
static THUD_SCENE_TABLE(mesh_table, "mesh of a solid", mesh_rows)

    const thud_kind_keys thud_solid_keys[] = {{.place = "solid", .table = section_table},
                                              {.place = "solid.mesh", .table = mesh_table},
                                              {.place = "solid.materials.*", .table = material_table},
                                              {.place = "solid.contacts[]", .table = thud_solid_contact_table},
                                              {.place = "simulate", .table = thud_quasistatic_scene_option_table},
                                              {.place = "simulate", .table = thud_quasistatic_option_table},
                                              {.place = NULL}};

/* ---- defaults ---------------------------------------------------------------------------------------------------------------- */

static thud_error resolve_mesh(thud_tree *tree, const thud_node *mesh) {
  bool made = thud_resolve_find(mesh, "rectangle") != NULL || thud_resolve_find(mesh, "box") != NULL;
  return made ? thud_resolve_options(tree, mesh, mesh_table(), NULL) : THUD_OK;
}

thud_error thud_solid_scene_take_files(thud_tree *tree) {
  const thud_node *section = thud_resolve_find(thud_tree_root(tree), "solid");
  return thud_solid_scene_take_mesh(tree, thud_resolve_find(section, "mesh"));
}

thud_error thud_solid_scene_resolve(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *section = thud_node_find(root, "solid");
  const thud_node *simulate = thud_node_find(root, "simulate"), *materials = thud_resolve_find(section, "materials"),
                  *contacts = thud_resolve_find(section, "contacts");
  thud_error error = thud_resolve_options(tree, simulate, thud_quasistatic_scene_option_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, thud_quasistatic_option_table(), NULL);
  if (error == THUD_OK) error = thud_solid_scene_take_files(tree);
  if (error == THUD_OK) error = resolve_mesh(tree, thud_resolve_find(section, "mesh"));
  if (error == THUD_OK) error = thud_resolve_options(tree, section, section_table(), NULL);
  bool map = materials != NULL && thud_node_get_kind(materials) == THUD_NODE_MAP;
  for (size_t k = 0; map && k < thud_node_count(materials) && error == THUD_OK; k++)
    error = thud_resolve_options(tree, thud_node_item(materials, k), material_table(), NULL);
  for (size_t k = 0; k < thud_resolve_count(contacts) && error == THUD_OK; k++)
    error = thud_resolve_options(tree, thud_node_item(contacts, k), thud_solid_contact_table(), NULL);
  return error;
}

/* ---- materials --------------------------------------------------------------------------------------------------------------- */

static thud_error read_material(solid_scene *made, const thud_node *node, thud_solid_material *material) {
  const thud_node *value;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, 0, NULL, THUD_TABLES(material_table()));
  if (error == THUD_OK) error = thud_node_require_as(node, "young", "Young's modulus", &value);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, value, &material->young);
  if (error == THUD_OK) error = thud_node_require(node, "poisson", &value);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, value, &material->poisson);
  if (error == THUD_OK && !(material->young > 0 && material->poisson > -1 && material->poisson < 0.5))
    error = thud_node_fail(
        node, THUD_ERROR_SCHEMA,
        "[out-of-range] young %g and poisson %g: a modulus > 0 and a ratio within -1 < poisson < 0.5 are "
        "needed",
        material->young, material->poisson);
  return error;
}

/* `all` is the material of the groups that have none of their own. */
static thud_error read_materials(solid_scene *made, const thud_node *section, thud_solid_material *materials) {
  const thud_node *map;
  thud_error error =
      thud_node_require_as(section, "materials", "a map such as {all: {young: 2.1e11, poisson: 0.3}}", &map);
  if (error == THUD_OK) error = thud_node_expect(map, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(map); k++) {
    const char *name = thud_node_key(map, k);
    if (strcmp(name, "all") != 0 && thud_solid_mesh_find_group(made->mesh, name, made->d) < 0)
      error = thud_node_fail(thud_node_item(map, k), THUD_ERROR_SCHEMA,
                             "[unknown-name] the mesh has no group of elements '%s'", name);
  }
  for (thud_index g = 0; g < made->view.groups && error == THUD_OK; g++) {
    if (made->view.group_dimension[g] != made->d) continue;
    const thud_node *node = thud_node_find(map, made->view.group_names[g]);
    if (node == NULL) node = thud_node_find(map, "all");
    if (node == NULL)
      return thud_node_fail(map, THUD_ERROR_SCHEMA,
                            "[missing-key] the group of elements '%s' has no material; '%s' or 'all' is needed",
                            made->view.group_names[g], made->view.group_names[g]);
    error = read_material(made, node, &materials[g]);
  }
  return error;
}

/* ---- nodes of groups --------------------------------------------------------------------------------------------------------- */

static thud_error add_node(solid_scene *made, thud_index node) {
  thud_error error =
      thud_array_reserve(made->scene->context, &made->list, &made->list_room, made->list_count + 1, sizeof *made->list);
  if (error == THUD_OK) made->list[made->list_count++] = node;
  return error;
}

static void mark(unsigned char *marks, size_t count, const thud_index *nodes) {
  for (size_t k = 0; k < count; k++) marks[nodes[k]] = 1;
}

/* Marks the nodes of all groups with a name, of whatever dimension; false: there is none. */
static bool mark_group(const solid_scene *made, const char *name, unsigned char *marks) {
  const thud_solid_mesh_definition *mesh = &made->view;
  size_t corners = (size_t)thud_solid_mesh_corners(made->d, mesh->order);
  size_t side_corners = (size_t)thud_solid_mesh_corners(made->d - 1, mesh->order);
  bool any = false;
  for (thud_index g = 0; g < mesh->groups; g++) {
    if (strcmp(mesh->group_names[g], name) != 0) continue;
    any = true;
    for (thud_index e = 0; e < mesh->elements; e++)
      if (mesh->element_group[e] == g) mark(marks, corners, mesh->element + corners * (size_t)e);
    for (thud_index s = 0; s < mesh->sides; s++)
      if (mesh->side_group[s] == g) mark(marks, side_corners, mesh->side + side_corners * (size_t)s);
    for (thud_index m = 0; m < mesh->marks; m++)
      if (mesh->mark_group[m] == g) marks[mesh->mark[m]] = 1;
  }
  return any;
}

static thud_error list_nodes(solid_scene *made, const unsigned char *marks, thud_index *first, thud_index *count) {
  thud_error error = THUD_OK;
  *first = (thud_index)made->list_count;
  for (thud_index i = 0; i < made->view.nodes && error == THUD_OK; i++)
    if (marks[i] != 0) error = add_node(made, i);
  *count = (thud_index)made->list_count - *first;
  return error;
}

/* The node at a place. */
static thud_error mark_place(const solid_scene *made, const thud_node *at, const double *place, unsigned char *marks) {
  char text[80];
  double best = INFINITY, span = 0;
  thud_index nearest = 0;
  for (thud_index i = 0; i < made->view.nodes; i++) {
    double distance = 0;
    for (int k = 0; k < made->d; k++) {
      double difference = made->view.place[(size_t)made->d * (size_t)i + (size_t)k] - place[k];
      distance += difference * difference;
    }
    if (distance < best) best = distance, nearest = i;
    span = fmax(span, distance);
  }
  const double *x = made->view.place + (size_t)made->d * (size_t)nearest;
  if (!(sqrt(best) <= 1e-9 * sqrt(span)))
    return thud_node_fail(at, THUD_ERROR_SCHEMA,
                          "[missing-key] a pin needs a node of the mesh; the nearest one is at %s",
                          thud_solid_mesh_place(made->d, x, text));
  marks[nearest] = 1;
  return THUD_OK;
}

/* ---- given expressions ------------------------------------------------------------------------------------------------------- */

static thud_error add_given(solid_scene *made, solid_givens *list, const thud_node *node, solid_given given) {
  void *items = list->items;
  thud_error error = thud_scene_read_value(made->scene, node, &given.value);
  if (error != THUD_OK) return error;
  error = thud_array_reserve(made->scene->context, &items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items = items;
  if (error == THUD_OK)
    list->items[list->count++] = given;
  else
    thud_scene_value_free(&given.value);
  return error;
}

/* The components of a map. */
static thud_error add_components(solid_scene *made, solid_givens *list, const thud_node *map, solid_given given) {
  thud_error error = THUD_OK;
  for (int k = 0; k < made->d && error == THUD_OK; k++) {
    const thud_node *node = thud_node_find(map, axis_names[k]);
    given.part = k;
    if (node != NULL) error = add_given(made, list, node, given);
  }
  return error;
}

static thud_error check_components(const solid_scene *made, const thud_node *map, const char *further) {
  const char *keys[4] = {"x", "y", further, "z"};
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (further == NULL) keys[2] = "z";
  return thud_node_check_keys(map, keys, (size_t)made->d + (further != NULL));
}

static void hold(solid_scene *made, size_t first) {
  for (size_t k = first; k < made->supports.count; k++) {
    const solid_given *given = &made->supports.items[k];
    made->has_given = made->has_given || given->value.expr != NULL || given->value.constant != 0;
    for (thud_index i = 0; i < given->count; i++)
      made->held[(size_t)made->d * (size_t)made->list[given->first + i] + (size_t)given->part] = 1;
  }
}

static thud_error read_support(solid_scene *made, const thud_node *map, const char *name, unsigned char *marks) {
  solid_given given = {.group = -1};
  size_t first = made->supports.count;
  memset(marks, 0, (size_t)made->view.nodes);
  thud_error error = check_components(made, map, NULL);
  if (error == THUD_OK && !mark_group(made, name, marks))
    error = thud_node_fail(map, THUD_ERROR_SCHEMA, "[unknown-name] the mesh has no group '%s'", name);
  if (error == THUD_OK) error = list_nodes(made, marks, &given.first, &given.count);
  if (error == THUD_OK) error = add_components(made, &made->supports, map, given);
  if (error == THUD_OK) hold(made, first);
  return error;
}

static thud_error read_pin(solid_scene *made, const thud_node *map, unsigned char *marks) {
  solid_given given = {.group = -1};
  size_t first = made->supports.count;
  const thud_node *at;
  double place[3];
  memset(marks, 0, (size_t)made->view.nodes);
  thud_error error = check_components(made, map, "at");
  if (error == THUD_OK) error = thud_node_require_as(map, "at", "the place of a node", &at);
  if (error == THUD_OK) error = thud_solid_scene_numbers(made, at, (size_t)made->d, place);
  if (error == THUD_OK) error = mark_place(made, at, place, marks);
  if (error == THUD_OK) error = list_nodes(made, marks, &given.first, &given.count);
  if (error == THUD_OK) error = add_components(made, &made->supports, map, given);
  if (error == THUD_OK) hold(made, first);
  return error;
}

static thud_error read_supports(solid_scene *made, const thud_node *section) {
  const thud_node *supports = thud_node_find(section, "supports"), *pins = thud_node_find(section, "pins");
  unsigned char *marks = THUD_NEW_ARRAY(made->scene->context, unsigned char, made->view.nodes);
  thud_error error = marks != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && supports != NULL) error = thud_node_expect(supports, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && supports != NULL && k < thud_node_count(supports); k++)
    error = read_support(made, thud_node_item(supports, k), thud_node_key(supports, k), marks);
  if (error == THUD_OK && pins != NULL) error = thud_node_expect(pins, THUD_NODE_SEQUENCE);
  for (size_t k = 0; error == THUD_OK && pins != NULL && k < thud_node_count(pins); k++)
    error = read_pin(made, thud_node_item(pins, k), marks);
  thud_free(made->scene->context, marks);
  return error;
}

static thud_error read_traction(solid_scene *made, const thud_node *map, const char *name, unsigned char *marks) {
  const thud_node *pressure;
  solid_given given = {.group = thud_solid_mesh_find_group(made->mesh, name, made->d - 1)};
  memset(marks, 0, (size_t)made->view.nodes);
  thud_error error = check_components(made, map, "pressure");
  if (error == THUD_OK && given.group < 0)
    error = thud_node_fail(map, THUD_ERROR_SCHEMA, "[unknown-name] the mesh has no group of sides '%s'", name);
  if (error != THUD_OK) return error;
  (void)mark_group(made, name, marks);
  error = list_nodes(made, marks, &given.first, &given.count);
  if (error == THUD_OK) error = add_components(made, &made->tractions, map, given);
  pressure = thud_node_find(map, "pressure");
  given.part = SOLID_PRESSURE;
  return error == THUD_OK && pressure != NULL ? add_given(made, &made->tractions, pressure, given) : error;
}

static thud_error read_loads(solid_scene *made, const thud_node *section) {
  const thud_node *tractions = thud_node_find(section, "tractions"), *body = thud_node_find(section, "body_force");
  unsigned char *marks = THUD_NEW_ARRAY(made->scene->context, unsigned char, made->view.nodes);
  solid_given everywhere = {.group = -1, .first = (thud_index)made->list_count, .count = made->view.nodes};
  thud_error error = marks != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && tractions != NULL) error = thud_node_expect(tractions, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && tractions != NULL && k < thud_node_count(tractions); k++)
    error = read_traction(made, thud_node_item(tractions, k), thud_node_key(tractions, k), marks);
  if (error == THUD_OK && body != NULL) {
    everywhere.first = (thud_index)made->list_count;
    memset(marks, 1, (size_t)made->view.nodes);
    error = check_components(made, body, NULL);
    if (error == THUD_OK) error = list_nodes(made, marks, &everywhere.first, &everywhere.count);
    if (error == THUD_OK) error = add_components(made, &made->body, body, everywhere);
  }
  thud_free(made->scene->context, marks);
  return error;
}

/* ---- values at a time -------------------------------------------------------------------------------------------------------- */

static double value_at(const solid_scene *made, const scene_value *value, thud_index node, double t, thud_side side) {
  double variables[8] = {0};
  if (value->expr == NULL) return value->constant;
  variables[made->scene->time_slot] = t;
  for (int k = 0; k < made->d; k++)
    variables[made->slots[k]] = made->view.place[(size_t)made->d * (size_t)node + (size_t)k];
  return thud_expr_evaluate_side(value->expr, variables, made->scene->time_slot, side);
}

void thud_solid_scene_displace(const solid_scene *made, double t, thud_side side, double *u) {
  memset(u, 0, made->all * sizeof *u);
  for (size_t k = 0; k < made->supports.count; k++) {
    const solid_given *given = &made->supports.items[k];
    for (thud_index i = 0; i < given->count; i++) {
      thud_index node = made->list[given->first + i];
      u[(size_t)made->d * (size_t)node + (size_t)given->part] = value_at(made, &given->value, node, t, side);
    }
  }
}

/* Adds one given load. */
static thud_error add_load(const solid_scene *made, const solid_given *given, double t, thud_side side, bool body,
                           double *force) {
  double *density = made->density;
  size_t step = given->part == SOLID_PRESSURE ? 1 : (size_t)made->d,
         part = given->part == SOLID_PRESSURE ? 0 : (size_t)given->part;
  memset(density, 0, made->all * sizeof *density);
  for (thud_index i = 0; i < given->count; i++) {
    thud_index node = made->list[given->first + i];
    density[step * (size_t)node + part] = value_at(made, &given->value, node, t, side);
  }
  if (given->part == SOLID_PRESSURE) return thud_solid_add_pressure(made->solid, given->group, density, force);
  if (body) return thud_solid_add_body_force(made->solid, given->group, density, force);
  return thud_solid_add_traction(made->solid, given->group, density, force);
}

thud_error thud_solid_scene_load(const solid_scene *made, double t, thud_side side, double *force) {
  thud_error error = THUD_OK;
  memset(force, 0, made->all * sizeof *force);
  for (size_t k = 0; k < made->tractions.count && error == THUD_OK; k++)
    error = add_load(made, &made->tractions.items[k], t, side, false, force);
  for (size_t k = 0; k < made->body.count && error == THUD_OK; k++)
    error = add_load(made, &made->body.items[k], t, side, true, force);
  return error;
}

void thud_solid_scene_expand(const solid_scene *made, const double *U, double t, thud_side side, double *u) {
  const thud_solid_view view = thud_solid_get(made->solid);
  thud_solid_scene_displace(made, t, side, u);
  for (thud_index i = 0; i < view.unknowns; i++) u[view.component[i]] = U[i];
}

/* Loads less what the given displacements take: F - K u of them, at the unknowns. */
static int evaluate_load(void *user, double t, thud_side side, double *F) {
  const solid_scene *made = user;
  const thud_solid_view view = thud_solid_get(made->solid);
  double *force = made->work, *given = made->density;
  memset(F, 0, (size_t)made->problem.unknowns * sizeof *F);
  if (made->has_given) {
    thud_solid_scene_displace(made, t, side, given);
    thud_solid_apply(made->solid, given, force);
    for (thud_index i = 0; i < view.unknowns; i++) F[i] = -force[view.component[i]];
  }
  if (thud_solid_scene_load(made, t, side, force) != THUD_OK) return -1;
  for (thud_index i = 0; i < view.unknowns; i++) F[i] += force[view.component[i]];
  return 0;
}

static int evaluate_threshold(void *user, double t, thud_side side, double *bound) {
  const solid_scene *made = user;
  for (thud_index i = 0; i < made->touch.contacts; i++)
    bound[i] = made->touch.area[i] *
               thud_scene_value_at(made->scene, &made->thresholds.items[made->touch.obstacle[i]], t, side);
  return 0;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------------------- */

/* Times at which something given jumps at the first node. */
static thud_error find_jumps(solid_scene *made, const thud_node *section) {
  const solid_givens *const lists[] = {&made->supports, &made->tractions, &made->body};
  thud_context *context = made->scene->context;
  const thud_expr **exprs =
      THUD_NEW_ARRAY(context, const thud_expr *, made->supports.count + made->tractions.count + made->body.count);
  if (exprs == NULL) return THUD_ERROR_MEMORY;
  double variables[8] = {0}, *found = NULL;
  size_t moving = 0, count = 0;
  for (size_t l = 0; l < 3; l++)
    for (size_t k = 0; k < lists[l]->count; k++)
      if (lists[l]->items[k].value.expr != NULL) exprs[moving++] = lists[l]->items[k].value.expr;
  variables[made->scene->time_slot] = made->scene->start;
  for (int k = 0; k < made->d; k++) variables[made->slots[k]] = made->view.place[k];
  thud_error error = thud_expr_common_jump_times(context, moving, exprs, variables, made->scene->time_slot,
                                                 made->scene->start, made->scene->end, &found, &count);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(section, THUD_ERROR_SCHEMA);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_scene_times_add(made->scene, &made->jumps, found[k]);
  thud_expr_free_times(context, found);
  thud_free(context, (void *)exprs);
  return error;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

/* Expressions that are read from now on may use x, y and, in space, z. */
static thud_error let_places_be_known(solid_scene *made, const thud_node *section) {
  thud_error error = THUD_OK;
  for (int k = 0; k < made->d && error == THUD_OK; k++) {
    error = thud_expr_scope_add_variable(made->scene->scope, axis_names[k], &made->slots[k]);
    if (error == THUD_OK && made->slots[k] >= 8) error = THUD_ERROR_INTERNAL;
  }
  return error == THUD_OK ? THUD_OK : thud_node_fail_within(section, error);
}

static thud_error read_simulate(solid_scene *made, const thud_node *root) {
  const thud_option_table *table = thud_quasistatic_option_table();
  const thud_node *simulate, *node;
  int method = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, thud_quasistatic_method_names, &method);
  if (error == THUD_OK) error = thud_scene_read_steps(made->scene, simulate);
  made->method = (thud_quasistatic_method)method;
  made->options = thud_quasistatic_options_default();
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) {
    error = thud_node_require(simulate, table->keys[k].name, &node);
    if (error == THUD_OK) error = thud_scene_read_option(made->scene, node, table, &table->keys[k], &made->options);
  }
  return error;
}

/* A word about bodies that nothing holds, with the place and the motion. */
static thud_error check_held(solid_scene *made, const thud_node *section) {
  static const char *const motions[] = {"moves along x",  "moves along y",  "moves along z",
                                        "turns around x", "turns around y", "turns around z"};
  unsigned char *touched = THUD_NEW_ARRAY(made->scene->context, unsigned char, made->view.nodes);
  thud_index node = -1;
  double motion[6];
  int most = 0;
  if (touched == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < made->touch.contacts; i++) touched[made->touch.corner[i]] = 1;
  thud_error error = thud_solid_find_free(made->solid, touched, &node, motion);
  thud_free(made->scene->context, touched);
  if (error != THUD_OK || node < 0) return error;
  for (int k = 1; k < 6; k++)
    if (fabs(motion[k]) > fabs(motion[most])) most = k;
  const double *x = made->view.place + (size_t)made->d * (size_t)node;
  char place[80];
  return thud_node_fail(section, THUD_ERROR_SCHEMA,
                        "[not-held] nothing holds the body with the node at %s: it %s freely; give 'supports' or "
                        "'pins', or let it touch an obstacle",
                        thud_solid_mesh_place(made->d, x, place), motions[most]);
}

static thud_error make_solid(solid_scene *made, const thud_node *section) {
  const thud_node *node;
  thud_solid_material *materials = THUD_NEW_ARRAY(made->scene->context, thud_solid_material, made->view.groups);
  thud_solid_definition given = {
      .mesh = made->mesh, .kinematics = made->kinematics, .materials = materials, .held = made->held};
  thud_error error = materials != NULL ? read_materials(made, section, materials) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_node_require(section, "thickness", &node);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, node, &given.thickness);
  if (error == THUD_OK) {
    error = thud_solid_create(made->scene->context, &given, &made->solid);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(section, THUD_ERROR_SCHEMA);
  }
  thud_free(made->scene->context, materials);
  return error;
}

static thud_error make_problem(solid_scene *made) {
  thud_quasistatic_problem *problem = &made->problem;
  problem->unknowns = made->touch.unknowns;
  problem->contacts = made->touch.contacts;
  problem->dimension = made->touch.dimension;
  problem->K = (thud_matrix){
      .storage = THUD_MATRIX_SPARSE, .rows = problem->unknowns, .columns = problem->unknowns, .sparse = *made->touch.K};
  problem->H = *made->touch.H;
  problem->gap = made->touch.gap;
  problem->mu = problem->dimension > 1 ? made->touch.mu : NULL;
  problem->contact_names = (const char *const *)made->contact_names;
  made->load = (thud_regulated){.dimension = problem->unknowns,
                                .evaluate = evaluate_load,
                                .user = made,
                                .jump_count = made->jumps.count,
                                .jumps = made->jumps.items};
  made->threshold = (thud_regulated){.dimension = problem->contacts, .evaluate = evaluate_threshold, .user = made};
  problem->load = &made->load;
  problem->threshold = made->method == THUD_QUASISTATIC_THRESHOLD ? &made->threshold : NULL;
  return THUD_OK;
}

static thud_error read_parts(solid_scene *made, const thud_node *section) {
  thud_context *context = made->scene->context;
  made->all = (size_t)made->d * (size_t)made->view.nodes;
  made->held = THUD_NEW_ARRAY(context, unsigned char, made->all);
  made->work = THUD_NEW_ARRAY(context, double, made->all);
  made->density = THUD_NEW_ARRAY(context, double, made->all);
  if (made->held == NULL || made->work == NULL || made->density == NULL) return THUD_ERROR_MEMORY;
  thud_error error = let_places_be_known(made, section);
  if (error == THUD_OK) error = read_supports(made, section);
  if (error == THUD_OK) error = read_loads(made, section);
  if (error == THUD_OK) error = thud_solid_scene_read_contacts(made, section);
  if (error == THUD_OK) error = make_solid(made, section);
  if (error == THUD_OK) error = thud_solid_scene_make_contacts(made, section);
  if (error == THUD_OK) error = check_held(made, section);
  if (error == THUD_OK) error = find_jumps(made, section);
  return error == THUD_OK ? make_problem(made) : error;
}

thud_error thud_solid_scene_build(thud_scene *scene, const thud_node *root, solid_scene *made) {
  static const char *const keys[] = {"mesh", "materials", "supports", "pins", "tractions", "body_force", "contacts"};
  const thud_node *section, *node, *initial = thud_node_find(root, "initial");
  int kinematics = 0;
  *made = (solid_scene){.scene = scene};
  thud_error error = thud_node_require(root, "solid", &section);
  if (error == THUD_OK && initial != NULL)
    error =
        thud_node_fail(initial, THUD_ERROR_SCHEMA, "[misplaced-key] a solid begins undeformed: 'initial' says nothing");
  if (error == THUD_OK)
    error = thud_scene_check_keys(scene, section, sizeof keys / sizeof *keys, keys, THUD_TABLES(section_table()));
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = thud_node_require(section, "kinematics", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, thud_solid_kinematics_names, &kinematics);
  made->kinematics = (thud_solid_kinematics)kinematics;
  if (error == THUD_OK) error = thud_solid_scene_read_mesh(made, section);
  made->d = made->view.dimension;
  if (error == THUD_OK && (made->d == 3) != (made->kinematics == THUD_SOLID_SPACE))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                           "[contradictory-keys] the mesh has %d dimensions, and the kinematics are %s", (int)made->d,
                           thud_solid_kinematics_names[kinematics]);
  if (error == THUD_OK) error = thud_scene_make_names(scene, 1);
  return error == THUD_OK ? read_parts(made, section) : error;
}

static void free_givens(thud_context *context, solid_givens *list) {
  for (size_t k = 0; k < list->count; k++) thud_scene_value_free(&list->items[k].value);
  thud_free(context, list->items);
}

void thud_solid_scene_free(solid_scene *made) {
  if (made->scene == NULL) return;
  thud_context *context = made->scene->context;
  thud_solid_scene_free_contacts(made);
  thud_solid_destroy(made->solid);
  thud_solid_mesh_destroy(made->mesh);
  free_givens(context, &made->supports);
  free_givens(context, &made->tractions);
  free_givens(context, &made->body);
  void *const arrays[] = {made->held, made->list, made->work, made->density, made->jumps.items};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
}
