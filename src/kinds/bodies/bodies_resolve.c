/* Defaults of `bodies` scenes, and the files beside them. */
#include "kinds/bodies/bodies_scene.h"
#include "scene/resolve.h"

#include <stdio.h>
#include <string.h>

/* ---- defaults ---------------------------------------------------------------------------------------------------------- */

/* Unit labels whose size in m or s is known: `over`/`under` is exact, so that 9.81 m/s^2 is 9810 mm/s^2 to the last bit. */
typedef struct known_unit {
  const char *label;
  double over, under;
} known_unit;

static const known_unit lengths[] = {{"m", 1, 1},    {"mm", 1, 1e3},   {"cm", 1, 100},   {"dm", 1, 10},
                                     {"km", 1e3, 1}, {"um", 1, 1e6},   {"µm", 1, 1e6},   {"μm", 1, 1e6},
                                     {"nm", 1, 1e9}, {"in", 254, 1e4}, {"ft", 3048, 1e4}};
static const known_unit times[] = {{"s", 1, 1},    {"ms", 1, 1e3}, {"us", 1, 1e6}, {"µs", 1, 1e6},
                                   {"μs", 1, 1e6}, {"ns", 1, 1e9}, {"min", 60, 1}, {"h", 3600, 1}};

/* The unit under `key` of `units`; the first of the list when it is not given, NULL when its size is not known. */
static const known_unit *find_unit(const thud_node *root, const char *key, const known_unit *list, size_t count) {
  const thud_node *given = thud_resolve_find(thud_resolve_find(root, "units"), key);
  if (given == NULL || thud_node_get_kind(given) != THUD_NODE_STRING) return list; /* the reader refuses other kinds */
  if (thud_node_string(given)[0] == '\0') return list;                             /* and empty labels */
  for (size_t k = 0; k < count; k++)
    if (strcmp(list[k].label, thud_node_string(given)) == 0) return &list[k];
  return NULL;
}

/* Defaults with dimensions are those of m and s, converted; without known units there is none to convert to. */
typedef struct scene_units {
  const known_unit *length, *time;
} scene_units;

static scene_units find_units(const thud_node *root) {
  return (scene_units){find_unit(root, "length", lengths, sizeof lengths / sizeof *lengths),
                       find_unit(root, "time", times, sizeof times / sizeof *times)};
}

static thud_error require_units(const thud_node *root, const scene_units *units, const char *key) {
  const thud_node *given = thud_resolve_find(root, "units");
  const char *name = units->length == NULL ? "length" : "time";
  if (units->length != NULL && units->time != NULL) return THUD_OK;
  const thud_node *label = thud_resolve_find(given, name);
  return thud_node_fail(label, THUD_ERROR_SCHEMA,
                        "the size of the unit '%s' is not known, so `%s` has no default: give it in these units",
                        thud_node_string(label), key);
}

static thud_error resolve_gravity(thud_tree *tree, const thud_node *root, const scene_units *units) {
  const thud_node *planar = thud_resolve_find(root, "planar");
  bool plane = planar != NULL && thud_node_get_kind(planar) == THUD_NODE_BOOL && thud_node_bool(planar);
  char number[THUD_DOUBLE_CAPACITY], text[THUD_DOUBLE_CAPACITY + 16];
  if (thud_node_find(root, "gravity") != NULL) return THUD_OK;
  thud_error error = require_units(root, units, "gravity");
  if (error != THUD_OK) return error;
  double rate = units->time->over / units->time->under;
  thud_format_double(-9.81 * units->length->under / units->length->over * (rate * rate), number, sizeof number);
  snprintf(text, sizeof text, plane ? "[0, %s]" : "[0, 0, %s]", number);
  return thud_tree_put(tree, "gravity", text);
}

/* 1e-3 m/s and 0.5 s, which matter where islands may fall asleep. */
static thud_error resolve_sleep(thud_tree *tree, const thud_node *root, const thud_node *simulate,
                                const scene_units *units) {
  const thud_node *sleep = thud_resolve_find(simulate, "sleep");
  bool asleep = sleep != NULL && thud_node_get_kind(sleep) == THUD_NODE_BOOL && thud_node_bool(sleep);
  bool given = thud_resolve_find(simulate, "sleep_speed") != NULL && thud_resolve_find(simulate, "sleep_time") != NULL;
  thud_error error = asleep && !given ? require_units(root, units, "sleep_speed") : THUD_OK;
  if (error != THUD_OK || simulate == NULL || units->length == NULL || units->time == NULL) return error;
  double rate = units->time->over / units->time->under;
  double speed = 1e-3 * units->length->under / units->length->over * rate;
  error = thud_resolve_number(tree, simulate, "sleep_speed", speed);
  return error == THUD_OK ? thud_resolve_number(tree, simulate, "sleep_time", 0.5 / rate) : error;
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
  scene_units units = find_units(root);
  thud_error error = thud_resolve_flag(tree, root, "planar", false);
  if (error == THUD_OK) error = resolve_gravity(tree, root, &units);
  if (error == THUD_OK) error = resolve_units(tree, root);
  if (error == THUD_OK) error = resolve_materials(tree, thud_resolve_find(root, "materials"));
  if (error == THUD_OK) error = resolve_springs(tree, thud_resolve_find(root, "springs"));
  if (error == THUD_OK) error = resolve_record(tree, thud_resolve_find(root, "record"));
  if (error == THUD_OK) error = resolve_sleep(tree, root, thud_resolve_find(root, "simulate"), &units);
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
