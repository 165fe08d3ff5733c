#include "kinds/line/line_scene.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_NODES = 1000000 };

static const char *const section_names[] = {"string", "beam"};
static const char *const stiffness_names[] = {"tension", "bending"};
static const char *const direction_names[] = {"transverse", "longitudinal", NULL};

static const thud_option_key tension_rows[] = {
    {"tension", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "N", "of the string, a force"}};
static THUD_SCENE_TABLE(tension_table, "string", tension_rows)

    static const thud_option_key bending_rows[] = {{"bending", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL,
                                                    "N m^2", "stiffness of the beam, force times length squared"}};
static THUD_SCENE_TABLE(bending_table, "beam", bending_rows)

    static const thud_option_key section_rows[] = {
        {"length", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, true, NULL, "m",
         "of the line, whose nodes are given as a number"},
        {"extension", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, true, NULL, "N", "stiffness against stretching, a force"},
        {"friction", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "1", "coefficient"},
        {"obstacle", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "m",
         "height, of x and t; none without it"},
        {"lift", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m", "added to the obstacle, of t"}};
static THUD_SCENE_TABLE(section_table, "line", section_rows)

    static const thud_option_key end_rows[] = {{"v_left", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m",
                                                "transverse displacement of the left end, of t"},
                                               {"v_right", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m",
                                                "transverse displacement of the right end, of t"},
                                               {"u_left", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m",
                                                "longitudinal displacement of the left end, of t"},
                                               {"u_right", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m",
                                                "longitudinal displacement of the right end, of t"}};
static THUD_SCENE_TABLE(end_table, "ends", end_rows)

    static const thud_option_key point_rows[] = {
        {"at", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "m", "of a point force: its place, of t"},
        {"force", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "N",
         "of a point force: upwards or to the right, of t"},
        {"width", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "m",
         "of a point force: over which it is spread evenly"}};
static THUD_SCENE_TABLE(point_table, "point load", point_rows)

    static const thud_option_key density_rows[] = {
        {"density", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "N/m",
         "instead of a point force: force per length, of x and t; linear between the nodes"},
        {"factor", THUD_OPTION_REAL, 0, 1, -DBL_MAX, DBL_MAX, false, NULL, "1", "of a density: of t"}};
static THUD_SCENE_TABLE(density_table, "density", density_rows)

    static const thud_option_key direction_rows[] = {
        {"direction", THUD_OPTION_CHOICE, 0, THUD_LINE_TRANSVERSE, 0, 0, false, direction_names, "", "of the load"}};
static THUD_SCENE_TABLE(direction_table, "load", direction_rows)

#define THUD_LINE_KEYS(noun, stiffness)                                                                                \
  {                                                                                                                    \
    {.place = noun, .table = stiffness}, {.place = noun, .table = section_table},                                      \
        {.place = noun ".ends", .table = end_table}, {.place = noun ".loads[]", .table = direction_table},             \
        {.place = noun ".loads[]", .table = point_table}, {.place = noun ".loads[]", .table = density_table},          \
        {.place = "simulate", .table = thud_scene_classify_option_table}, {                                            \
      .place = NULL                                                                                                    \
    }                                                                                                                  \
  }
    const thud_kind_keys thud_string_keys[] = THUD_LINE_KEYS("string", tension_table);
const thud_kind_keys thud_beam_keys[] = THUD_LINE_KEYS("beam", bending_table);

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

static thud_error resolve_load(thud_tree *tree, const thud_node *load) {
  bool dense = thud_resolve_find(load, "density") != NULL;
  thud_error error = thud_resolve_options(tree, load, direction_table(), NULL);
  return error == THUD_OK ? thud_resolve_options(tree, load, dense ? density_table() : point_table(), NULL) : error;
}

thud_error thud_line_scene_resolve(thud_tree *tree, const char *name) {
  const thud_node *root = thud_tree_root(tree), *section = thud_node_find(root, name), *ends = NULL;
  const thud_node *loads = thud_resolve_find(section, "loads");
  thud_error error = thud_resolve_options(tree, section, section_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_map(tree, section, "ends", &ends);
  if (error == THUD_OK) error = thud_resolve_options(tree, ends, end_table(), NULL);
  for (size_t k = 0; k < thud_resolve_count(loads) && error == THUD_OK; k++)
    error = resolve_load(tree, thud_node_item(loads, k));
  return error == THUD_OK
             ? thud_resolve_options(tree, thud_node_find(root, "simulate"), thud_scene_classify_option_table(), NULL)
             : error;
}

/* ---- numbers and functions of x ------------------------------------------------------------------------------------ */

static thud_error read_number(line_scene *made, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require_as(map, key, "a number or an expression", &node);
  return error == THUD_OK ? thud_scene_read_constant(made->scene, node, value) : error;
}

/* The next value of time. */
static thud_error read_value(line_scene *made, const thud_node *map, const char *key) {
  const thud_node *node;
  scene_value value = {0};
  thud_error error = thud_node_require_as(map, key, "a number or an expression", &node);
  if (error == THUD_OK) error = thud_scene_read_value(made->scene, node, &value);
  if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->values, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

static scene_places places_of(const line_scene *made) {
  return (scene_places){.scene = made->scene,
                        .values = &made->values,
                        .count = (size_t)made->n,
                        .dimension = 1,
                        .at = made->x,
                        .slots = {1 - made->scene->time_slot}};
}

/* A number or an expression of x and t, and its values at the nodes at the start, out[n]. Names of the scope are known,
 * and x. */
static thud_error tabulate(line_scene *made, const thud_node *node, const char *name, scene_field *field, double *out) {
  field->name = name;
  thud_error error = thud_scene_read_field(made->scene, node, &made->values, field);
  if (error != THUD_OK) return error;
  error = thud_line_scene_field(made, field, made->scene->start, THUD_SIDE_VALUE, out);
  return error == THUD_OK ? error : thud_node_fail_within(node, error);
}

/* Expressions that are read from now on may use x. */
static thud_error let_x_be_known(line_scene *made, const thud_node *section) {
  thud_index slot;
  thud_error error = thud_expr_scope_add_variable(made->scene->scope, "x", &slot);
  if (error != THUD_OK) return thud_node_fail_within(section, error);
  return slot + made->scene->time_slot == 1 ? THUD_OK
                                            : thud_node_fail(section, THUD_ERROR_INTERNAL, "x is no second variable");
}

/* ---- the line -------------------------------------------------------------------------------------------------------- */

static thud_error allocate(line_scene *made, const thud_node *nodes, double count) {
  if (!(count >= 2 && count <= MOST_NODES) || count != floor(count))
    return thud_node_fail(nodes, THUD_ERROR_SCHEMA, "[wrong-count] from 2 to %d nodes are needed", MOST_NODES);
  made->n = (thud_index)count;
  made->x = THUD_NEW_ARRAY(made->scene->context, double, made->n);
  made->obstacle = THUD_NEW_ARRAY(made->scene->context, double, made->n);
  made->initial = THUD_NEW_ARRAY(made->scene->context, double, made->n);
  return made->x != NULL && made->obstacle != NULL && made->initial != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* nodes: their number, evenly on [0, length], or their places. */
static thud_error read_nodes(line_scene *made, const thud_node *section) {
  const thud_node *nodes;
  double length = 0, count = 0;
  thud_error error = thud_node_require_as(section, "nodes", "the number of nodes, or a list of their places", &nodes);
  if (error == THUD_OK) error = read_number(made, section, "length", &length);
  if (error != THUD_OK) return error;
  bool listed = thud_node_get_kind(nodes) == THUD_NODE_SEQUENCE;
  if (listed)
    count = (double)thud_node_count(nodes);
  else
    error = thud_scene_read_constant(made->scene, nodes, &count);
  if (error == THUD_OK) error = allocate(made, nodes, count);
  for (thud_index i = 0; i < made->n && error == THUD_OK; i++) {
    made->x[i] = length * (double)i / (double)(made->n - 1);
    if (listed) error = thud_scene_read_constant(made->scene, thud_node_item(nodes, (size_t)i), &made->x[i]);
  }
  return error;
}

static thud_error read_line(line_scene *made, const thud_node *section) {
  thud_line_definition definition = {.kind = made->kind};
  thud_error error = read_nodes(made, section);
  if (error == THUD_OK) error = read_number(made, section, stiffness_names[made->kind], &definition.stiffness);
  if (error == THUD_OK) error = read_number(made, section, "extension", &definition.extension);
  if (error == THUD_OK) error = read_number(made, section, "friction", &made->problem.friction);
  if (error != THUD_OK) return error;
  made->stiffness = definition.stiffness;
  made->extension = definition.extension;
  definition.nodes = made->n;
  definition.x = made->x;
  error = thud_line_create(made->scene->context, &definition, &made->line);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(section, THUD_ERROR_SCHEMA);
}

/* ---- what moves ------------------------------------------------------------------------------------------------------ */

static thud_error read_ends(line_scene *made, const thud_node *section) {
  const thud_option_table *table = end_table();
  const thud_node *ends;
  thud_error error = thud_node_require(section, "ends", &ends);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, ends, 0, NULL, THUD_TABLES(table));
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) error = read_value(made, ends, table->keys[k].name);
  return error == THUD_OK ? read_value(made, section, "lift") : error;
}

/* Everything of a load but its density, which needs x. */
static thud_error read_load(line_scene *made, const thud_node *node, line_load *load) {
  const thud_node *direction;
  int choice = 0;
  bool point = thud_resolve_find(node, "density") == NULL;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK)
    error = thud_scene_check_keys(made->scene, node, 0, NULL,
                                  THUD_TABLES(direction_table(), point ? point_table() : density_table()));
  if (error == THUD_OK) error = thud_node_require(node, "direction", &direction);
  if (error == THUD_OK) error = thud_node_read_choice(direction, direction_names, &choice);
  if (error != THUD_OK) return error;
  load->direction = (thud_line_direction)choice;
  load->first = made->values.count;
  if (!point) return read_value(made, node, "factor");
  error = read_value(made, node, "at");
  if (error == THUD_OK) error = read_value(made, node, "force");
  if (error == THUD_OK) error = read_number(made, node, "width", &load->width);
  if (error == THUD_OK && !(load->width >= 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] the width of a load must be 0 or greater, not %g",
                           load->width);
  return error;
}

static thud_error read_loads(line_scene *made, const thud_node *section) {
  const thud_node *loads = thud_node_find(section, "loads");
  thud_error error = loads != NULL ? thud_node_expect(loads, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error != THUD_OK || loads == NULL) return error;
  made->load_count = thud_node_count(loads);
  made->loads = THUD_NEW_ARRAY(made->scene->context, line_load, made->load_count);
  if (made->loads == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < made->load_count && error == THUD_OK; k++)
    error = read_load(made, thud_node_item(loads, k), &made->loads[k]);
  return error;
}

/* Obstacle, densities and initial u. */
static thud_error read_functions(line_scene *made, const thud_node *root, const thud_node *section) {
  static const char *const keys[] = {"u"};
  const thud_node *obstacle = thud_node_find(section, "obstacle"), *initial = thud_node_find(root, "initial");
  const thud_node *loads = thud_node_find(section, "loads"), *u = NULL;
  thud_error error = let_x_be_known(made, section);
  for (thud_index i = 0; i < made->n; i++) made->obstacle[i] = -INFINITY;
  made->has_obstacle = obstacle != NULL;
  if (error == THUD_OK && obstacle != NULL)
    error = tabulate(made, obstacle, "obstacle", &made->obstacle_field, made->obstacle);
  for (size_t k = 0; k < made->load_count && error == THUD_OK; k++) {
    const thud_node *density = thud_node_find(thud_node_item(loads, k), "density");
    if (density == NULL) continue;
    made->loads[k].density = THUD_NEW_ARRAY(made->scene->context, double, made->n);
    if (made->loads[k].density == NULL) return THUD_ERROR_MEMORY;
    error = tabulate(made, density, "density", &made->loads[k].field, made->loads[k].density);
  }
  if (error != THUD_OK || initial == NULL) return error;
  error = thud_node_check_keys(initial, keys, 1);
  if (error == THUD_OK) error = thud_node_require(initial, "u", &u);
  if (error == THUD_OK) error = tabulate(made, u, "initial u", &made->initial_field, made->initial);
  if (error == THUD_OK && made->initial_field.moves)
    error = thud_node_fail(u, THUD_ERROR_SCHEMA, "[not-constant] '%s' depends on t; here a function of x is needed",
                           thud_node_string(u));
  return error;
}

/* ---- data of the motion ------------------------------------------------------------------------------------------------ */

static double value_at(const line_scene *made, size_t k, double t, thud_side side) {
  return thud_scene_value_at(made->scene, &made->values.items[k], t, side);
}

static thud_error add_load(const line_scene *made, const line_load *load, double t, thud_side side, double *forces) {
  double first = value_at(made, load->first, t, side);
  thud_error error = THUD_OK;
  if (load->density != NULL) {
    for (thud_index i = 0; i + 1 < made->n && error == THUD_OK; i++)
      error = thud_line_add_density(made->line, load->direction, made->x[i], made->x[i + 1], first * load->density[i],
                                    first * load->density[i + 1], forces);
    return error;
  }
  double force = value_at(made, load->first + 1, t, side), half = load->width / 2;
  if (!(half > 0)) return thud_line_add_atom(made->line, load->direction, first, force, forces);
  double slack = 1e-12 * (made->x[made->n - 1] - made->x[0]); /* rounding of `at` */
  if (!(first - half >= made->x[0] - slack && first + half <= made->x[made->n - 1] + slack))
    return thud_fail(made->scene->context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a force of %g spread from x = %g to %g: the line goes from %g to %g, and the rest "
                     "would be lost",
                     force, first - half, first + half, made->x[0], made->x[made->n - 1]);
  return thud_line_add_density(made->line, load->direction, first - half, first + half, force / load->width,
                               force / load->width, forces);
}

thud_error thud_line_scene_field(const line_scene *made, const scene_field *field, double t, thud_side side,
                                 double *out) {
  const scene_places places = places_of(made);
  return thud_scene_field_fill(&places, field, NULL, t, side, out);
}

thud_error thud_line_scene_place(line_scene *made, double t, thud_side side) {
  thud_error error = THUD_OK;
  made->t = t;
  made->side = side;
  if (made->obstacle_field.moves) error = thud_line_scene_field(made, &made->obstacle_field, t, side, made->obstacle);
  for (size_t k = 0; k < made->load_count && error == THUD_OK; k++)
    if (made->loads[k].field.moves)
      error = thud_line_scene_field(made, &made->loads[k].field, t, side, made->loads[k].density);
  return error;
}

static int give_data(void *user, double t, thud_side side, thud_line_data *data) {
  line_scene *made = user;
  double lift = value_at(made, LINE_LIFT, t, side);
  if (thud_line_scene_place(made, t, side) != THUD_OK) return -1;
  for (int e = 0; e < 2; e++) {
    data->v_ends[e] = value_at(made, LINE_V_LEFT + (size_t)e, t, side);
    data->u_ends[e] = value_at(made, LINE_U_LEFT + (size_t)e, t, side);
  }
  for (thud_index i = 0; i < made->n; i++) data->psi[i] = made->obstacle[i] + lift;
  for (size_t k = 0; k < made->load_count; k++) {
    const line_load *load = &made->loads[k];
    bool across = load->direction == THUD_LINE_TRANSVERSE;
    if (add_load(made, load, t, side, across ? data->transverse : data->longitudinal) != THUD_OK) return -1;
  }
  return 0;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static thud_error read_simulate(line_scene *made, const thud_node *root) {
  const thud_node *simulate;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_scene_read_steps(made->scene, simulate);
  return error == THUD_OK ? thud_scene_read_classify(made->scene, simulate, &made->levels) : error;
}

thud_error thud_line_scene_build(thud_scene *scene, const thud_node *root, thud_line_kind kind, line_scene *made) {
  static const char *const keys[] = {"nodes", "ends", "loads"};
  const thud_option_table *stiffness = kind == THUD_LINE_BEAM ? bending_table() : tension_table();
  const thud_node *section;
  *made = (line_scene){.scene = scene, .kind = kind};
  thud_error error = thud_node_require(root, section_names[kind], &section);
  if (error == THUD_OK)
    error = thud_scene_check_keys(scene, section, sizeof keys / sizeof *keys, keys,
                                  THUD_TABLES(stiffness, section_table()));
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = read_line(made, section);
  if (error == THUD_OK) error = thud_scene_make_names(scene, made->n);
  if (error == THUD_OK) error = read_ends(made, section);
  if (error == THUD_OK) error = read_loads(made, section);
  if (error == THUD_OK) error = read_functions(made, root, section);
  if (error == THUD_OK) error = thud_scene_values_common_jumps(scene, &made->values, &made->jumps);
  made->problem.line = made->line;
  made->problem.initial = made->initial;
  made->problem.data = give_data;
  made->problem.user = made;
  made->problem.jump_count = made->jumps.count;
  made->problem.jumps = made->jumps.items;
  return error;
}

/* ---- other nodes ------------------------------------------------------------------------------------------------------- */

double thud_line_scene_obstacle(const line_scene *made, double x) {
  const scene_places places = places_of(made);
  if (!made->has_obstacle) return -(double)INFINITY;
  return thud_scene_field_at(&places, &made->obstacle_field, &x, made->t, made->side);
}

size_t thud_line_scene_places(const line_scene *made, double t, thud_side side, size_t most, double *places) {
  size_t count = 0;
  for (size_t k = 0; k < made->load_count && count < most; k++) {
    const line_load *load = &made->loads[k];
    bool point = load->density == NULL && !(load->width > 0) && load->direction == THUD_LINE_TRANSVERSE;
    if (point) places[count++] = value_at(made, load->first, t, side);
  }
  return count;
}

void thud_line_scene_free_mesh(line_scene *copy) {
  if (copy->scene == NULL) return;
  thud_context *context = copy->scene->context;
  for (size_t k = 0; copy->loads != NULL && k < copy->load_count; k++) thud_free(context, copy->loads[k].density);
  thud_free(context, copy->loads);
  thud_line_destroy(copy->line);
  thud_free(context, copy->x);
  thud_free(context, copy->obstacle);
  thud_free(context, copy->initial);
  *copy = (line_scene){0};
}

/* Arrays of n nodes for a copy that has others, or none. */
static thud_error make_room(const line_scene *made, thud_index n, line_scene *copy) {
  thud_context *context = made->scene->context;
  thud_line_scene_free_mesh(copy);
  *copy = *made;
  copy->line = NULL;
  copy->n = n;
  copy->x = THUD_NEW_ARRAY(context, double, n);
  copy->obstacle = THUD_NEW_ARRAY(context, double, n);
  copy->initial = THUD_NEW_ARRAY(context, double, n);
  copy->loads = THUD_NEW_ARRAY(context, line_load, made->load_count);
  bool room = copy->x != NULL && copy->obstacle != NULL && copy->initial != NULL && copy->loads != NULL;
  for (size_t k = 0; room && k < made->load_count; k++) {
    copy->loads[k] = made->loads[k];
    copy->loads[k].density = NULL;
  }
  for (size_t k = 0; room && k < made->load_count; k++) {
    if (made->loads[k].density == NULL) continue;
    copy->loads[k].density = THUD_NEW_ARRAY(context, double, n);
    room = copy->loads[k].density != NULL;
  }
  copy->problem.user = copy;
  return room ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_line_scene_remesh(const line_scene *made, thud_index n, const double *x, line_scene *copy) {
  thud_error error = copy->scene == NULL || copy->n != n ? make_room(made, n, copy) : THUD_OK;
  if (error != THUD_OK) return error;
  const scene_places places = places_of(made);
  for (thud_index i = 0; i < n; i++) {
    bool same = copy->line != NULL && copy->x[i] == x[i]; /* most nodes stay where they are */
    copy->x[i] = x[i];
    if (same) continue;
    copy->obstacle[i] = thud_line_scene_obstacle(made, x[i]);
    if (made->initial_field.name != NULL)
      copy->initial[i] = thud_scene_field_at(&places, &made->initial_field, &x[i], made->t, made->side);
    for (size_t k = 0; k < made->load_count; k++)
      if (copy->loads[k].density != NULL)
        copy->loads[k].density[i] = thud_scene_field_at(&places, &made->loads[k].field, &x[i], made->t, made->side);
  }
  thud_line_destroy(copy->line);
  copy->line = NULL;
  const thud_line_definition definition = {
      .kind = made->kind, .nodes = n, .x = copy->x, .stiffness = made->stiffness, .extension = made->extension};
  error = thud_line_create(made->scene->context, &definition, &copy->line);
  copy->problem.line = copy->line;
  copy->problem.initial = copy->initial;
  return error;
}

void thud_line_scene_free(line_scene *made) {
  if (made->scene == NULL) return;
  thud_context *context = made->scene->context;
  for (size_t k = 0; made->loads != NULL && k < made->load_count; k++) thud_free(context, made->loads[k].density);
  thud_free(context, made->loads);
  thud_line_destroy(made->line);
  thud_free(context, made->x);
  thud_free(context, made->obstacle);
  thud_free(context, made->initial);
  thud_free(context, made->jumps.items);
  thud_scene_values_free(made->scene, &made->values);
}
