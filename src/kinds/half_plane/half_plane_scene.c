#include "kinds/half_plane/half_plane_scene.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const thud_punch_method_names[] = {"frictionless", "static", "incremental", "rolling", NULL};

const thud_option_table *thud_punch_scene_option_table(void) {
  static const thud_option_key rows[] = {
      {"method", THUD_OPTION_CHOICE, 0, THUD_PUNCH_INCREMENTAL, 0, 0, false, thud_punch_method_names, "",
       "frictionless (Signorini), static (friction on the displacement itself, each row by itself), incremental (on "
       "the "
       "displacement since the row before), rolling"},
      {"roll", THUD_OPTION_INT, 0, 1, -1000, 1000, false, NULL, "1",
       "rolling: elements per step, negative to the left, not 0; needs a uniform mesh"},
      {"starts", THUD_OPTION_INT, 0, 0, 0, 100000, false, NULL, "1",
       "searches for further solutions of the last row, each from other states of the elements; 0: none"}};
  static const thud_option_table table = {.name = "half-plane scene", .keys = rows, .count = 3};
  return &table;
}

enum { MOST_ELEMENTS = 2000000 };

static const char *const gradings[] = {"uniform", "graded", NULL};

static const thud_option_key section_rows[] = {
    {"friction", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "1", "coefficient"},
    {"period", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "m", "everything repeats with it; 0: one punch"}};
static THUD_SCENE_TABLE(section_table, "half_plane", section_rows)

    static const thud_option_key mesh_rows[] = {
        {"elements", THUD_OPTION_INT, 0, NAN, 2, MOST_ELEMENTS, false, NULL, "1",
         "how many there are; graded: up to 8192"},
        {"left", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "m", "end of the mesh"},
        {"right", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "m", "end of the mesh"},
        {"grading", THUD_OPTION_CHOICE, 0, 1, 0, 0, false, gradings, "",
         "equal elements, or smaller ones towards both ends"}};
static THUD_SCENE_TABLE(mesh_table, "mesh", mesh_rows)

    static const thud_option_key profile_rows[] = {
        {"centre", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m", "of wedge, parabola and wave"},
        {"wedge", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "1", "slope"},
        {"parabola", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "m", "radius"}};
static THUD_SCENE_TABLE(profile_table, "profile", profile_rows)

    static const thud_option_key load_rows[] = {
        {"P", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "N/m", "normal force, of t"},
        {"depth", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "m",
         "how deep the punch is, of t, instead of `P`"},
        {"Q", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "N/m", "tangential force, of t"},
        {"shift", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "m",
         "the punch moves by minus this along x, of t, instead of `Q`"},
        {"tilt", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "1",
         "the gap grows by tilt (x - pivot), of t"},
        {"moment", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "N",
         "of the pressure about the pivot, of t, instead of `tilt`; needs `P`"},
        {"pivot", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m", "place about which the punch turns"},
        {"datum", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, true, NULL, "m",
         "distance at which the surface stays where it is"}};
static THUD_SCENE_TABLE(load_table, "load", load_rows)

    static const char *const of_section[] = {"friction", NULL};
const thud_kind_keys thud_punch_keys[] = {
    {.place = "half_plane", .table = section_table},
    {.place = "half_plane.mesh", .table = mesh_table},
    {.place = "half_plane.profile", .table = profile_table},
    {.place = "half_plane.load", .table = load_table},
    {.place = "simulate", .table = thud_punch_scene_option_table},
    {.place = "simulate", .table = thud_punch_option_table, .without = of_section},
    {.place = NULL}};

/* In the order of the drives: the force, and the displacement. */
static const char *const drive_names[PUNCH_DRIVES][2] = {{"P", "depth"}, {"Q", "shift"}, {"moment", "tilt"}};

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

static thud_error resolve_load(thud_tree *tree, const thud_node *load) {
  const char *replaced[3] = {NULL};
  size_t count = 0;
  if (thud_resolve_find(load, "shift") != NULL) replaced[count++] = "Q";
  if (thud_resolve_find(load, "moment") != NULL) replaced[count] = "tilt";
  return thud_resolve_options(tree, load, load_table(), replaced);
}

thud_error thud_punch_scene_resolve(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *section = thud_node_find(root, "half_plane");
  const thud_node *simulate = thud_node_find(root, "simulate"), *mesh = thud_resolve_find(section, "mesh");
  const thud_node *profile = NULL;
  thud_error error = thud_resolve_options(tree, section, section_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_map(tree, section, "profile", &profile);
  if (error == THUD_OK) error = thud_resolve_options(tree, profile, profile_table(), NULL);
  if (error == THUD_OK && thud_resolve_find(mesh, "elements") != NULL)
    error = thud_resolve_options(tree, mesh, mesh_table(), NULL);
  if (error == THUD_OK) error = resolve_load(tree, thud_resolve_find(section, "load"));
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, thud_punch_scene_option_table(), NULL);
  return error == THUD_OK ? thud_resolve_options(tree, simulate, thud_punch_option_table(), of_section) : error;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static thud_error read_number(punch_scene *made, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require_as(map, key, "a number", &node);
  return error == THUD_OK ? thud_scene_read_constant(made->scene, node, value) : error;
}

/* A list of at least `least` constants; freed with thud_free. */
static thud_error read_list(punch_scene *made, const thud_node *list, size_t least, double **values, size_t *count) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  *count = thud_node_count(list);
  if (*count < least)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] at least %zu numbers are needed", least);
  *values = THUD_NEW_ARRAY(made->scene->context, double, *count);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < *count && error == THUD_OK; k++)
    error = thud_scene_read_constant(made->scene, thud_node_item(list, k), &(*values)[k]);
  return error;
}

/* What the library refuses is the fault of this node. */
static thud_error blame(const thud_node *node, thud_error error) {
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

/* ---- material and mesh ------------------------------------------------------------------------------------------- */

static thud_error read_body(punch_scene *made, const thud_node *node, double body[2]) {
  static const char *const keys[] = {"young", "poisson"};
  thud_error error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK) error = read_number(made, node, "young", &body[0]);
  return error == THUD_OK ? read_number(made, node, "poisson", &body[1]) : error;
}

/* {young, poisson}, {modulus, coupling}, or a list of two bodies. */
static thud_error read_material(punch_scene *made, const thud_node *section) {
  static const char *const keys[] = {"modulus", "coupling"};
  thud_context *context = made->scene->context;
  thud_half_plane_material *material = &made->material;
  const thud_node *node;
  double bodies[2][2] = {{0}};
  thud_error error = thud_node_require_as(
      section, "material", "{young: 1, poisson: 0.3}, a list of two of them, or {modulus: 1, coupling: 0}", &node);
  if (error != THUD_OK) return error;
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE) {
    if (thud_node_count(node) != 2)
      return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] two bodies are needed, or one without a list");
    for (size_t k = 0; k < 2 && error == THUD_OK; k++) error = read_body(made, thud_node_item(node, k), bodies[k]);
    if (error != THUD_OK) return error;
    return blame(node, thud_half_plane_material_of_pair(context, bodies[0][0], bodies[0][1], bodies[1][0], bodies[1][1],
                                                        material));
  }
  error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_node_find(node, "modulus") == NULL) {
    error = read_body(made, node, bodies[0]);
    if (error != THUD_OK) return error;
    return blame(node, thud_half_plane_material_of(context, bodies[0][0], bodies[0][1], material));
  }
  error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK) error = read_number(made, node, "modulus", &material->modulus);
  return error == THUD_OK ? read_number(made, node, "coupling", &material->coupling) : error;
}

/* {elements, left, right, grading}, or {edges: [...]}. */
static thud_error read_mesh(punch_scene *made, const thud_node *section) {
  static const char *const edge_keys[] = {"edges"};
  const thud_node *node, *elements, *grading;
  double count = 0, left = 0, right = 0;
  int choice = 0;
  size_t edges = 0;
  thud_error error =
      thud_node_require_as(section, "mesh", "{elements: 100, left: -1, right: 1} or {edges: [-1, 0, 1]}", &node);
  if (error == THUD_OK) error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *list = thud_node_find(node, "edges");
  error = list != NULL ? thud_node_check_keys(node, edge_keys, 1)
                       : thud_scene_check_keys(made->scene, node, 0, NULL, THUD_TABLES(mesh_table()));
  if (error == THUD_OK && list != NULL) {
    error = read_list(made, list, 3, &made->edges, &edges);
    if (error == THUD_OK && edges > MOST_ELEMENTS)
      error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] too many edges");
    made->n = (thud_index)edges - 1;
    return error;
  }
  if (error == THUD_OK) error = thud_node_require_as(node, "elements", "the number of elements", &elements);
  if (error == THUD_OK) error = thud_scene_read_whole(made->scene, elements, 2, MOST_ELEMENTS, &count);
  if (error == THUD_OK) error = read_number(made, node, "left", &left);
  if (error == THUD_OK) error = read_number(made, node, "right", &right);
  if (error == THUD_OK) error = thud_node_require(node, "grading", &grading);
  if (error == THUD_OK) error = thud_node_read_choice(grading, gradings, &choice);
  if (error != THUD_OK) return error;
  made->n = (thud_index)count;
  made->edges = THUD_NEW_ARRAY(made->scene->context, double, (size_t)made->n + 1);
  if (made->edges == NULL) return THUD_ERROR_MEMORY;
  return blame(node, thud_half_plane_fill_mesh(made->scene->context, (thud_half_plane_mesh)choice, made->n, left, right,
                                               made->edges));
}

static thud_error build_plane(punch_scene *made, const thud_node *section) {
  thud_context *context = made->scene->context;
  double period = 0;
  thud_error error = read_material(made, section);
  if (error == THUD_OK) error = read_mesh(made, section);
  if (error == THUD_OK) error = read_number(made, section, "period", &period);
  if (error == THUD_OK)
    error =
        blame(section, thud_half_plane_create(context, &made->material, made->n, made->edges, period, &made->plane));
  if (error != THUD_OK) return error;
  made->x = THUD_NEW_ARRAY(context, double, made->n);
  made->gap = THUD_NEW_ARRAY(context, double, made->n);
  if (made->x == NULL || made->gap == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < made->n; i++) made->x[i] = thud_half_plane_middle(made->plane, i);
  return THUD_OK;
}

/* ---- profile ----------------------------------------------------------------------------------------------------- */

/* An expression of x, which every expression that is read later may use, too. */
static thud_error tabulate(punch_scene *made, const thud_node *node) {
  thud_scene *scene = made->scene;
  scene_value value = {0};
  thud_index slot = 0;
  thud_error error = thud_expr_scope_add_variable(scene->scope, "x", &slot);
  if (error != THUD_OK) return thud_node_fail_within(node, error);
  error = thud_scene_read_value(scene, node, &value);
  if (error == THUD_OK && value.expr != NULL && thud_expr_depends_on(value.expr, scene->time_slot))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                           "[not-constant] '%s' depends on t; a function of x is needed (load.tilt and "
                           "load.depth move the punch)",
                           thud_node_string(node));
  double variables[2] = {0, 0};
  for (thud_index i = 0; i < made->n && error == THUD_OK; i++) {
    variables[slot] = made->x[i];
    made->gap[i] = value.expr != NULL ? thud_expr_evaluate(value.expr, variables) : value.constant;
    if (!isfinite(made->gap[i]))
      error = thud_node_fail(node, THUD_ERROR_NOT_FINITE, "at x = %g this is %g", made->x[i], made->gap[i]);
  }
  thud_scene_value_free(&value);
  return error;
}

static thud_error read_table(punch_scene *made, const thud_node *node, thud_punch_profile *profile) {
  static const char *const keys[] = {"x", "gap"};
  const thud_node *x, *gap;
  double *places = NULL, *heights = NULL;
  size_t count = 0, other = 0;
  thud_error error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK) error = thud_node_require_as(node, "x", "a list of places", &x);
  if (error == THUD_OK) error = thud_node_require_as(node, "gap", "a list with the gap at each place", &gap);
  if (error == THUD_OK) error = read_list(made, x, 2, &places, &count);
  if (error == THUD_OK) error = read_list(made, gap, 2, &heights, &other);
  if (error == THUD_OK && other != count)
    error = thud_node_fail(gap, THUD_ERROR_SCHEMA, "[wrong-count] %zu numbers are needed, as many as places, not %zu",
                           count, other);
  profile->shape = THUD_PUNCH_TABLE;
  profile->points = count;
  profile->x = places;
  profile->gap = heights;
  if (error == THUD_OK)
    error =
        blame(node, thud_punch_profile_evaluate(made->scene->context, profile, (size_t)made->n, made->x, made->gap));
  thud_free(made->scene->context, places);
  thud_free(made->scene->context, heights);
  return error;
}

static thud_error read_wave(punch_scene *made, const thud_node *node, thud_punch_profile *profile) {
  static const char *const keys[] = {"amplitude", "wavelength"};
  thud_error error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK) error = read_number(made, node, "amplitude", &profile->size);
  return error == THUD_OK ? read_number(made, node, "wavelength", &profile->wavelength) : error;
}

/* {} (flat), {wedge: slope}, {parabola: radius}, {wave: ...}, {table: ...} or {gap: f(x)}; with a centre. */
static thud_error read_profile(punch_scene *made, const thud_node *section) {
  static const char *const keys[] = {"centre", "wedge", "parabola", "wave", "table", "gap"};
  enum { KEYS = sizeof keys / sizeof *keys, GAP = 5 };
  thud_punch_profile profile = {.shape = THUD_PUNCH_FLAT};
  const thud_node *node, *shape = NULL;
  int chosen = 0;
  thud_error error = thud_node_require(section, "profile", &node);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, KEYS);
  if (error == THUD_OK) error = read_number(made, node, "centre", &profile.centre);
  for (int k = 1; k < KEYS && error == THUD_OK; k++) {
    const thud_node *found = thud_node_find(node, keys[k]);
    if (found != NULL && shape != NULL)
      error = thud_node_fail(found, THUD_ERROR_SCHEMA, "[contradictory-keys] '%s' and '%s': a punch has one profile",
                             keys[chosen], keys[k]);
    if (found != NULL) shape = found, chosen = k;
  }
  if (error != THUD_OK) return error;
  if (chosen == GAP) return tabulate(made, shape);
  profile.shape = (thud_punch_shape)chosen;
  if (profile.shape == THUD_PUNCH_TABLE) return read_table(made, shape, &profile);
  if (profile.shape == THUD_PUNCH_WAVE)
    error = read_wave(made, shape, &profile);
  else if (chosen != 0)
    error = thud_scene_read_constant(made->scene, shape, &profile.size);
  if (error != THUD_OK) return error;
  return blame(node, thud_punch_profile_evaluate(made->scene->context, &profile, (size_t)made->n, made->x, made->gap));
}

/* ---- inside ------------------------------------------------------------------------------------------------------ */

enum { MOST_INSIDE = 1000000 };

static thud_error read_numbers(punch_scene *made, const thud_node *list, size_t count, double *numbers) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] %zu numbers are needed", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_scene_read_constant(made->scene, thud_node_item(list, k), &numbers[k]);
  return error;
}

/* The middles of nx x ny cells from left to right, from the surface down. */
static thud_error read_grid(punch_scene *made, const thud_node *inside, const thud_node *grid) {
  const thud_node *cells;
  double count[2] = {0, 0};
  thud_error error = read_numbers(made, grid, 3, made->box);
  if (error == THUD_OK && (!(made->box[0] < made->box[1]) || !(made->box[2] > 0)))
    error = thud_node_fail(grid, THUD_ERROR_SCHEMA, "[out-of-range] [left, right, depth] with left < right, depth > 0");
  if (error == THUD_OK) error = thud_node_require_as(inside, "cells", "[nx, ny], the numbers of cells", &cells);
  if (error == THUD_OK) error = thud_node_expect(cells, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(cells) != 2)
    error = thud_node_fail(cells, THUD_ERROR_SCHEMA, "[wrong-count] the numbers of cells in x and depth are needed");
  for (size_t k = 0; k < 2 && error == THUD_OK; k++)
    error = thud_scene_read_whole(made->scene, thud_node_item(cells, k), 1, 10000, &count[k]);
  if (error == THUD_OK && count[0] * count[1] > MOST_INSIDE)
    error = thud_node_fail(cells, THUD_ERROR_SCHEMA, "[wrong-count] at most %d cells", MOST_INSIDE);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < 2; k++) made->cells[k] = (size_t)count[k];
  made->inside_count = made->cells[0] * made->cells[1];
  made->inside = THUD_NEW_ARRAY(made->scene->context, double, 2 * made->inside_count);
  if (made->inside == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < made->inside_count; k++) {
    size_t i = k % made->cells[0], j = k / made->cells[0];
    made->inside[2 * k] = made->box[0] + (made->box[1] - made->box[0]) * ((double)i + 0.5) / count[0];
    made->inside[2 * k + 1] = made->box[2] * ((double)j + 0.5) / count[1];
  }
  return THUD_OK;
}

static thud_error read_points(punch_scene *made, const thud_node *points) {
  thud_error error = thud_node_expect(points, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  made->inside_count = thud_node_count(points);
  made->inside = THUD_NEW_ARRAY(made->scene->context, double, 2 * made->inside_count);
  if (made->inside == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < made->inside_count && error == THUD_OK; k++) {
    const thud_node *point = thud_node_item(points, k);
    error = read_numbers(made, point, 2, made->inside + 2 * k);
    if (error == THUD_OK && !(made->inside[2 * k + 1] > 0))
      error = thud_node_fail(point, THUD_ERROR_SCHEMA, "[out-of-range] [x, depth] with a depth > 0 is needed");
  }
  return error;
}

/* {points: [[x, depth], ...]} or {grid: [left, right, depth], cells: [nx, ny]} */
static thud_error read_inside(punch_scene *made, const thud_node *section) {
  static const char *const keys[] = {"points", "grid", "cells"};
  const thud_node *inside = thud_node_find(section, "inside");
  if (inside == NULL) return THUD_OK;
  const thud_node *points = thud_node_find(inside, "points"), *grid = thud_node_find(inside, "grid"), *period;
  double length = 0;
  thud_error error = thud_node_check_keys(inside, keys, 3);
  if (error == THUD_OK && (points == NULL) == (grid == NULL))
    error =
        thud_node_fail(inside, THUD_ERROR_SCHEMA, "[contradictory-keys] 'points' or 'grid' is needed, and not both");
  if (error == THUD_OK) error = thud_node_require(section, "period", &period);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, period, &length);
  if (error == THUD_OK && length > 0)
    error = thud_node_fail(inside, THUD_ERROR_SCHEMA, "[contradictory-keys] 'inside' is computed without a period");
  if (error != THUD_OK) return error;
  return points != NULL ? read_points(made, points) : read_grid(made, inside, grid);
}

/* ---- load -------------------------------------------------------------------------------------------------------- */

static thud_error read_drive(punch_scene *made, const thud_node *load, int k, bool *motion_given) {
  const thud_node *force = thud_node_find(load, drive_names[k][0]), *motion = thud_node_find(load, drive_names[k][1]);
  scene_value value = {0};
  if ((force == NULL) == (motion == NULL))
    return thud_node_fail(load, THUD_ERROR_SCHEMA, "[contradictory-keys] '%s' or '%s' is needed, and not both",
                          drive_names[k][0], drive_names[k][1]);
  *motion_given = motion != NULL;
  thud_error error = thud_scene_read_value(made->scene, motion != NULL ? motion : force, &value);
  if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->values, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

static thud_error read_load(punch_scene *made, const thud_node *section) {
  const thud_node *load;
  bool given[PUNCH_DRIVES] = {false};
  thud_error error = thud_node_require_as(
      section, "load", "{P: 1} or {depth: 0.1}, with Q or shift, and tilt or moment, each an expression of t", &load);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, load, 0, NULL, THUD_TABLES(load_table()));
  for (int k = 0; k < PUNCH_DRIVES && error == THUD_OK; k++) error = read_drive(made, load, k, &given[k]);
  if (error == THUD_OK) error = read_number(made, load, "pivot", &made->drive.pivot);
  if (error == THUD_OK) error = read_number(made, load, "datum", &made->drive.datum);
  if (error == THUD_OK && !(made->drive.datum > 0))
    error = thud_node_fail(load, THUD_ERROR_SCHEMA, "[out-of-range] the datum %g is no distance", made->drive.datum);
  made->drive.depth_given = given[PUNCH_NORMAL];
  made->drive.shift_given = given[PUNCH_TANGENTIAL];
  made->drive.moment_given = !given[PUNCH_ROTATION];
  if (error == THUD_OK && made->drive.depth_given && made->drive.moment_given)
    error = thud_node_fail(load, THUD_ERROR_SCHEMA,
                           "[contradictory-keys] a given moment goes with a given force P, not with a depth");
  double half = 0.5 * (made->edges[made->n] - made->edges[0]);
  bool displaced = made->drive.depth_given || made->drive.shift_given;
  if (error == THUD_OK && displaced && !(made->drive.datum > 0.5 * half))
    error = thud_node_fail(
        load, THUD_ERROR_SCHEMA,
        "[out-of-range] with a given displacement the datum must be more than half the mesh's half-width (%g), not "
        "%g: a deeper punch would press less",
        half, made->drive.datum);
  return error;
}

int thud_punch_scene_drive(void *user, double t, thud_punch_drive *drive) {
  const punch_scene *made = user;
  double *const values[PUNCH_DRIVES] = {&drive->normal, &drive->tangential, &drive->rotation};
  for (size_t k = 0; k < PUNCH_DRIVES; k++)
    *values[k] = thud_scene_value_at(made->scene, &made->values.items[k], t, THUD_SIDE_VALUE);
  return 0;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static thud_error read_option(punch_scene *made, const thud_node *simulate, const thud_option_key *key) {
  double value = 0;
  if (strcmp(key->name, "friction") == 0) return THUD_OK;
  thud_error error = read_number(made, simulate, key->name, &value);
  if (error != THUD_OK) return error;
  return blame(simulate, thud_options_set_number(made->scene->context, thud_punch_option_table(), &made->options,
                                                 key->name, value));
}

static thud_error read_simulate(punch_scene *made, const thud_node *root) {
  const thud_option_table *table = thud_punch_option_table();
  const thud_option_key *rolls = thud_options_find(thud_punch_scene_option_table(), "roll");
  const thud_node *simulate, *method, *roll, *starts;
  int choice = 0;
  double elements = 0, count = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_choice(method, thud_punch_method_names, &choice);
  if (error == THUD_OK) error = thud_scene_read_steps(made->scene, simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "roll", &roll);
  if (error == THUD_OK) error = thud_scene_read_whole(made->scene, roll, rolls->minimum, rolls->maximum, &elements);
  if (error == THUD_OK) error = thud_node_require(simulate, "starts", &starts);
  if (error == THUD_OK) error = thud_scene_read_whole(made->scene, starts, 0, 100000, &count);
  made->starts = (int)count;
  made->options = thud_punch_options_default();
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) error = read_option(made, simulate, &table->keys[k]);
  made->method = (thud_punch_method)choice;
  made->roll = (thud_index)elements;
  if (error == THUD_OK && made->method == THUD_PUNCH_ROLLING && made->roll == 0)
    error =
        thud_node_fail(roll, THUD_ERROR_SCHEMA, "[out-of-range] a punch that rolls 0 elements per step does not roll");
  return error;
}

static thud_error build_punch(punch_scene *made, const thud_node *section) {
  const thud_node *friction;
  thud_error error = thud_node_require(section, "friction", &friction);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, friction, &made->options.friction);
  if (error != THUD_OK) return error;
  if (!(made->options.friction >= 0))
    return thud_node_fail(friction, THUD_ERROR_SCHEMA,
                          "[out-of-range] the coefficient of friction is %g; 0 or greater is needed",
                          made->options.friction);
  if (made->method == THUD_PUNCH_FRICTIONLESS && made->options.friction > 0)
    return thud_node_fail(friction, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] the method 'frictionless' goes with friction 0, not %g",
                          made->options.friction);
  if (made->method == THUD_PUNCH_ROLLING && !thud_half_plane_is_uniform(made->plane))
    return thud_node_fail(
        section, THUD_ERROR_SCHEMA,
        "[missing-key] rolling moves the surface by whole elements: it needs a uniform mesh (grading: uniform)");
  return blame(section, thud_punch_create(made->plane, made->gap, &made->options, &made->punch));
}

thud_error thud_punch_scene_build(thud_scene *scene, const thud_node *root, punch_scene *made) {
  static const char *const keys[] = {"material", "mesh", "profile", "load", "inside"};
  const thud_node *section;
  *made = (punch_scene){.scene = scene};
  thud_error error = thud_node_require(root, "half_plane", &section);
  if (error == THUD_OK)
    error = thud_scene_check_keys(scene, section, sizeof keys / sizeof *keys, keys, THUD_TABLES(section_table()));
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = build_plane(made, section);
  if (error == THUD_OK) error = thud_scene_make_names(scene, PUNCH_DRIVES);
  if (error == THUD_OK) error = read_load(made, section);
  if (error == THUD_OK) error = read_inside(made, section);
  if (error == THUD_OK) error = read_profile(made, section);
  return error == THUD_OK ? build_punch(made, section) : error;
}

void thud_punch_scene_free(punch_scene *made) {
  if (made->scene == NULL) return;
  thud_context *context = made->scene->context;
  thud_punch_destroy(made->punch);
  thud_half_plane_destroy(made->plane);
  thud_free(context, made->edges);
  thud_free(context, made->x);
  thud_free(context, made->gap);
  thud_free(context, made->inside);
  thud_scene_values_free(made->scene, &made->values);
}
