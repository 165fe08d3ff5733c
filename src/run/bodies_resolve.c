/* Defaults of `bodies` scenes, and the files beside them. */
#include "run/bodies_scene.h"
#include "scene/resolve.h"

#include <string.h>

/* ---- defaults ---------------------------------------------------------------------------------------------------------- */

static thud_error resolve_gravity(thud_tree *tree, const thud_node *root) {
  const thud_node *planar = thud_resolve_find(root, "planar");
  bool plane = planar != NULL && thud_node_get_kind(planar) == THUD_NODE_BOOL && thud_node_bool(planar);
  return thud_node_find(root, "gravity") == NULL
             ? thud_tree_put(tree, "gravity", plane ? "[0, -9.81]" : "[0, 0, -9.81]")
             : THUD_OK;
}

static thud_error resolve_units(thud_tree *tree, const thud_node *root) {
  const thud_node *units;
  thud_error error = thud_resolve_map(tree, root, "units", &units);
  if (error == THUD_OK) error = thud_resolve_text(tree, units, "length", "m");
  if (error == THUD_OK) error = thud_resolve_text(tree, units, "mass", "kg");
  return error == THUD_OK ? thud_resolve_text(tree, units, "time", "s") : error;
}

static thud_error resolve_materials(thud_tree *tree, const thud_node *materials) {
  static const char *const keys[] = {"friction", "restitution", "rolling", "spinning", "density"};
  thud_error error = THUD_OK;
  bool map = materials != NULL && thud_node_get_kind(materials) == THUD_NODE_MAP;
  for (size_t k = 0; map && k < thud_node_count(materials); k++)
    for (size_t i = 0; i < sizeof keys / sizeof *keys && error == THUD_OK; i++)
      error = thud_resolve_number(tree, thud_node_item(materials, k), keys[i], 0);
  return error;
}

static thud_error resolve_springs(thud_tree *tree, const thud_node *springs) {
  static const char *const keys[] = {"length", "stiffness", "damping"};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(springs); k++)
    for (size_t i = 0; i < sizeof keys / sizeof *keys && error == THUD_OK; i++)
      error = thud_resolve_number(tree, thud_node_item(springs, k), keys[i], 0);
  return error;
}

static thud_error resolve_record(thud_tree *tree, const thud_node *record) {
  thud_error error = thud_resolve_null(tree, record, "contacts");
  return error == THUD_OK ? thud_resolve_null(tree, record, "whole_every") : error;
}

/* A solver that is named has its options; without one steps are solved as their sizes ask for. */
static thud_error resolve_simulate(thud_tree *tree, const thud_node *simulate) {
  static const char *const given[] = {"start", "end", "steps"}, *const other[] = {"tolerance"};
  const thud_node *solver = thud_resolve_find(simulate, "solver");
  thud_error error = thud_resolve_options(tree, solver, thud_solver_option_table(), other, 1);
  return error == THUD_OK ? thud_resolve_options(tree, simulate, thud_body_motion_option_table(), given, 3) : error;
}

thud_error thud_bodies_scene_resolve(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree);
  thud_error error = thud_resolve_flag(tree, root, "planar", false);
  if (error == THUD_OK) error = resolve_gravity(tree, root);
  if (error == THUD_OK) error = resolve_units(tree, root);
  if (error == THUD_OK) error = resolve_materials(tree, thud_resolve_find(root, "materials"));
  if (error == THUD_OK) error = resolve_springs(tree, thud_resolve_find(root, "springs"));
  if (error == THUD_OK) error = resolve_record(tree, thud_resolve_find(root, "record"));
  return error == THUD_OK ? resolve_simulate(tree, thud_resolve_find(root, "simulate")) : error;
}

/* ---- files -------------------------------------------------------------------------------------------------------------- */

/* Shapes stand anywhere within bodies, parts and patterns: under `shape`, or as entries of `shapes`. */
static thud_error take_files(thud_tree *tree, const thud_node *node) {
  thud_node_kind kind = thud_node_get_kind(node);
  thud_error error = THUD_OK;
  if (kind != THUD_NODE_MAP && kind != THUD_NODE_SEQUENCE) return THUD_OK;
  if (kind == THUD_NODE_MAP) error = thud_bodies_take_shape_files(tree, node);
  for (size_t k = 0; k < thud_node_count(node) && error == THUD_OK; k++)
    error = take_files(tree, thud_node_item(node, k));
  return error;
}

thud_error thud_bodies_scene_take_files(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *bodies = thud_resolve_find(root, "bodies");
  const thud_node *shapes = thud_resolve_find(root, "shapes");
  thud_error error = THUD_OK;
  if (bodies == NULL) return THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(bodies) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(bodies, k);
    error = thud_bodies_take_table(tree, entry);
    if (error == THUD_OK) error = take_files(tree, entry);
  }
  return error == THUD_OK && shapes != NULL ? take_files(tree, shapes) : error;
}
