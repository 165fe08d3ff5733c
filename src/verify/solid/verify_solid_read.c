/* The checker's reading of `solid` scenes: materials, supports, loads. */
#include "verify/solid/verify_solid.h"

#include <math.h>
#include <string.h>

static const char *const axes[] = {"x", "y", "z"};

static void free_loads(thud_context *context, solid_loads *loads) {
  for (size_t k = 0; k < loads->count; k++) {
    thud_expr_destroy(loads->items[k].value.expr);
    thud_free(context, loads->items[k].marks);
  }
  thud_free(context, loads->items);
}

void thud_verify_solid_free(verify_solid *solid) {
  thud_context *context = solid->scene.context;
  for (size_t k = 0; k < solid->touch_count; k++) {
    thud_free(context, solid->touches[k].node);
    thud_free(context, solid->touches[k].weight);
    thud_free(context, solid->touches[k].direction);
  }
  for (size_t k = 0; k < solid->barrier_count; k++) {
    thud_expr_destroy(solid->barriers[k].threshold.expr);
    thud_expr_work_destroy(solid->barriers[k].work);
    thud_expr_program_destroy(solid->barriers[k].program);
  }
  free_loads(context, &solid->supports);
  free_loads(context, &solid->tractions);
  free_loads(context, &solid->body);
  void *const arrays[] = {solid->touches, solid->barriers, solid->young, solid->poisson, solid->held, solid->density};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_cells_free(context, &solid->cells);
  thud_verify_scene_free(&solid->scene);
}

static thud_error read_number(verify_solid *solid, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? thud_verify_read_constant(&solid->scene, node, value) : error;
}

static thud_error read_materials(verify_solid *solid, const thud_node *section) {
  const verify_cells *cells = &solid->cells;
  const thud_node *materials;
  thud_error error = thud_node_require(section, "materials", &materials);
  solid->young = THUD_NEW_ARRAY(solid->scene.context, double, cells->groups);
  solid->poisson = THUD_NEW_ARRAY(solid->scene.context, double, cells->groups);
  if (solid->young == NULL || solid->poisson == NULL) return THUD_ERROR_MEMORY;
  for (size_t g = 0; g < cells->groups && error == THUD_OK; g++) {
    if (cells->group[g].dimension != cells->d) continue;
    const thud_node *material = thud_node_find(materials, cells->group[g].name);
    if (material == NULL) error = thud_node_require(materials, "all", &material);
    if (error == THUD_OK) error = read_number(solid, material, "young", &solid->young[g]);
    if (error == THUD_OK) error = read_number(solid, material, "poisson", &solid->poisson[g]);
  }
  return error;
}

/* ---- what acts where --------------------------------------------------------------------------------------------------------- */

static void mark_group(const verify_solid *solid, const char *name, unsigned char *marks) {
  const verify_cells *cells = &solid->cells;
  for (size_t g = 0; g < cells->groups; g++) {
    if (strcmp(cells->group[g].name, name) != 0) continue;
    for (size_t k = 0; k < cells->corners * cells->elements; k++)
      if (cells->element_group[k / cells->corners] == g) marks[cells->element[k]] = 1;
    for (size_t k = 0; k < cells->side_corners * cells->sides; k++)
      if (cells->side_group[k / cells->side_corners] == g) marks[cells->side[k]] = 1;
    for (size_t k = 0; k < cells->marks; k++)
      if (cells->mark_group[k] == g) marks[cells->mark[k]] = 1;
  }
}

/* The node nearest to a place. */
static thud_error mark_place(verify_solid *solid, const thud_node *at, unsigned char *marks) {
  size_t d = (size_t)solid->cells.d, best = 0;
  double place[3] = {0, 0, 0}, least = INFINITY;
  thud_error error = thud_node_expect(at, THUD_NODE_SEQUENCE);
  for (size_t k = 0; k < d && error == THUD_OK; k++)
    error = thud_verify_read_constant(&solid->scene, thud_node_item(at, k), &place[k]);
  for (size_t i = 0; i < solid->cells.nodes; i++) {
    double distance = 0;
    for (size_t k = 0; k < d; k++) distance = hypot(distance, solid->cells.place[d * i + k] - place[k]);
    if (distance < least) least = distance, best = i;
  }
  marks[best] = 1;
  return error;
}

/* The keys x, y, z and pressure of a map, on the nodes of a group (name), at a place (at), or everywhere. */
static thud_error read_loads_of(verify_solid *solid, const thud_node *map, const char *name, const thud_node *at,
                                size_t group, solid_loads *loads) {
  thud_error error = THUD_OK;
  for (int part = 0; part <= SOLID_NORMAL_PART && error == THUD_OK; part++) {
    const thud_node *node = thud_node_find(map, part == SOLID_NORMAL_PART ? "pressure" : axes[part]);
    if (node == NULL) continue;
    error = thud_array_reserve(solid->scene.context, &loads->items, &loads->capacity, loads->count + 1,
                               sizeof *loads->items);
    if (error != THUD_OK) return error;
    solid_load *load = &loads->items[loads->count++];
    *load = (solid_load){.group = group, .part = part};
    load->marks = THUD_NEW_ARRAY(solid->scene.context, unsigned char, solid->cells.nodes);
    if (load->marks == NULL) return THUD_ERROR_MEMORY;
    error = thud_verify_read_value(&solid->scene, node, &load->value);
    if (error == THUD_OK && name != NULL) mark_group(solid, name, load->marks);
    if (error == THUD_OK && at != NULL) error = mark_place(solid, at, load->marks);
    if (name == NULL && at == NULL) memset(load->marks, 1, solid->cells.nodes);
  }
  return error;
}

static thud_error read_supports(verify_solid *solid, const thud_node *section) {
  const thud_node *supports = thud_node_find(section, "supports"), *pins = thud_node_find(section, "pins");
  size_t d = (size_t)solid->cells.d;
  thud_error error = THUD_OK;
  for (size_t k = 0; supports != NULL && k < thud_node_count(supports) && error == THUD_OK; k++)
    error =
        read_loads_of(solid, thud_node_item(supports, k), thud_node_key(supports, k), NULL, SIZE_MAX, &solid->supports);
  for (size_t k = 0; pins != NULL && k < thud_node_count(pins) && error == THUD_OK; k++) {
    const thud_node *at;
    error = thud_node_require(thud_node_item(pins, k), "at", &at);
    if (error == THUD_OK) error = read_loads_of(solid, thud_node_item(pins, k), NULL, at, SIZE_MAX, &solid->supports);
  }
  solid->held = THUD_NEW_ARRAY(solid->scene.context, unsigned char, d * solid->cells.nodes);
  if (solid->held == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < solid->supports.count; k++)
    for (size_t i = 0; i < solid->cells.nodes; i++)
      if (solid->supports.items[k].marks[i] != 0) solid->held[d * i + (size_t)solid->supports.items[k].part] = 1;
  return error;
}

static thud_error read_loads(verify_solid *solid, const thud_node *section) {
  const thud_node *tractions = thud_node_find(section, "tractions"), *body = thud_node_find(section, "body_force");
  thud_error error = THUD_OK;
  for (size_t k = 0; tractions != NULL && k < thud_node_count(tractions) && error == THUD_OK; k++) {
    const char *name = thud_node_key(tractions, k);
    size_t group = SIZE_MAX;
    for (size_t g = 0; g < solid->cells.groups; g++)
      if (strcmp(solid->cells.group[g].name, name) == 0 && solid->cells.group[g].dimension == solid->cells.d - 1)
        group = g;
    error = group == SIZE_MAX
                ? thud_node_fail(tractions, THUD_ERROR_SCHEMA, "there is no group '%s'", name)
                : read_loads_of(solid, thud_node_item(tractions, k), name, NULL, group, &solid->tractions);
  }
  if (error == THUD_OK && body != NULL) error = read_loads_of(solid, body, NULL, NULL, SIZE_MAX, &solid->body);
  return error;
}

/* ---- values ------------------------------------------------------------------------------------------------------------------- */

/* t is the first variable, the places follow. */
static double value_at(const verify_solid *solid, const verify_value *value, size_t node, double t, thud_side side) {
  double variables[8] = {t};
  size_t d = (size_t)solid->cells.d;
  if (value->expr == NULL) return value->constant;
  memcpy(variables + 1, solid->cells.place + d * node, d * sizeof *variables);
  return thud_expr_evaluate_side(value->expr, variables, solid->scene.time_slot, side);
}

void thud_verify_solid_given(const verify_solid *solid, double t, thud_side side, double *u) {
  size_t d = (size_t)solid->cells.d;
  for (size_t k = 0; k < solid->supports.count; k++)
    for (size_t i = 0; i < solid->cells.nodes; i++)
      if (solid->supports.items[k].marks[i] != 0)
        u[d * i + (size_t)solid->supports.items[k].part] = value_at(solid, &solid->supports.items[k].value, i, t, side);
}

void thud_verify_solid_loads(const verify_solid *solid, double t, thud_side side, double *forces) {
  const solid_loads *const lists[] = {&solid->tractions, &solid->body};
  size_t d = (size_t)solid->cells.d;
  for (size_t l = 0; l < 2; l++)
    for (size_t k = 0; k < lists[l]->count; k++) {
      const solid_load *load = &lists[l]->items[k];
      bool normal = load->part == SOLID_NORMAL_PART;
      memset(solid->density, 0, d * solid->cells.nodes * sizeof *solid->density);
      for (size_t i = 0; i < solid->cells.nodes; i++)
        if (load->marks[i] != 0)
          solid->density[normal ? i : d * i + (size_t)load->part] = value_at(solid, &load->value, i, t, side);
      thud_verify_solid_add(solid, load->group, normal, solid->density, forces);
    }
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------- */

/* Jumps in time at the first node. */
static thud_error find_jumps(verify_solid *solid) {
  const solid_loads *const lists[] = {&solid->supports, &solid->tractions, &solid->body};
  verify_scene *scene = &solid->scene;
  thud_error error = THUD_OK;
  for (size_t l = 0; l < 3; l++)
    for (size_t k = 0; k < lists[l]->count && error == THUD_OK; k++) {
      const verify_value *value = &lists[l]->items[k].value;
      double variables[8] = {scene->start}, *times = NULL;
      size_t count = 0;
      if (value->expr == NULL) continue;
      memcpy(variables + 1, solid->cells.place, (size_t)solid->cells.d * sizeof *variables);
      error = thud_expr_jump_times(scene->context, value->expr, variables, scene->time_slot, scene->start, scene->end,
                                   &times, &count);
      if (error == THUD_OK)
        error = thud_array_reserve(scene->context, &scene->jumps, &scene->jump_capacity, scene->jump_count + count,
                                   sizeof *scene->jumps);
      if (error == THUD_OK && count > 0) memcpy(scene->jumps + scene->jump_count, times, count * sizeof *times);
      if (error == THUD_OK) scene->jump_count += count;
      thud_expr_free_times(scene->context, times);
    }
  thud_verify_sort_times(scene->jumps, &scene->jump_count);
  return error;
}

static thud_error read_method(verify_solid *solid, const thud_node *simulate) {
  const thud_node *method;
  const char *name;
  thud_error error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_string(method, &name);
  if (error != THUD_OK) return error;
  solid->scene.method = name;
  solid->threshold = strcmp(name, "threshold") == 0;
  solid->fresh = strcmp(name, "static") == 0;
  return THUD_OK;
}

static thud_error read_section(verify_solid *solid, const thud_node *section) {
  static const char *const kinds[] = {"plane-strain", "plane-stress", "axisymmetric", "space", NULL};
  const thud_node *node;
  int kind = 0;
  thud_error error = thud_node_require(section, "kinematics", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, kinds, &kind);
  solid->kind = (solid_kind)kind;
  if (error == THUD_OK) error = thud_node_require(section, "mesh", &node);
  if (error == THUD_OK) error = thud_verify_cells_read(&solid->scene, node, &solid->cells);
  if (error == THUD_OK && (solid->cells.d == 3) != (solid->kind == SOLID_SPACE))
    error = thud_node_fail(section, THUD_ERROR_SCHEMA, "the mesh has another dimension than the kinematics");
  for (int k = 0; error == THUD_OK && k < solid->cells.d; k++)
    error = thud_expr_scope_add_variable(solid->scene.scope, axes[k], NULL);
  if (error == THUD_OK) error = read_number(solid, section, "thickness", &solid->thickness);
  if (error == THUD_OK) error = read_number(solid, section, "overlap", &solid->overlap);
  if (error == THUD_OK) error = read_materials(solid, section);
  if (error == THUD_OK) error = read_supports(solid, section);
  if (error == THUD_OK) error = read_loads(solid, section);
  if (error == THUD_OK) error = thud_verify_solid_read_barriers(solid, section);
  return error == THUD_OK ? thud_verify_solid_touches(solid) : error;
}

thud_error thud_verify_solid_read(thud_context *context, const thud_tree *tree, verify_solid *solid) {
  const thud_node *root = thud_tree_root(tree), *simulate, *section;
  *solid = (verify_solid){.scene = {.context = context}};
  verify_scene *scene = &solid->scene;
  thud_error error = thud_verify_scene_open(scene, root);
  if (error == THUD_OK) error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "tolerance", &scene->tolerance);
  if (error == THUD_OK) error = thud_verify_read_steps(scene, simulate);
  if (error == THUD_OK) error = read_method(solid, simulate);
  if (error == THUD_OK) error = thud_verify_read_data(scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = thud_node_require(root, "solid", &section);
  if (error == THUD_OK) error = read_section(solid, section);
  if (error == THUD_OK) error = thud_verify_read_thinning(scene, root);
  if (error == THUD_OK) error = find_jumps(solid);
  solid->density =
      error == THUD_OK ? THUD_NEW_ARRAY(context, double, (size_t)solid->cells.d * solid->cells.nodes) : NULL;
  if (error == THUD_OK && solid->density == NULL) error = THUD_ERROR_MEMORY;
  if (error != THUD_OK) thud_verify_solid_free(solid);
  return error;
}
