/* `bodies` scenes: materials, pairs, named shapes, bodies, springs, options and changes. */
#include "kinds/bodies/bodies_scene.h"
#include "model/bodies.h"
#include "model/joint.h"
#include "run/run.h"
#include "scene/scene_options.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Up to so many bodies every row is whole and has its contacts. */
enum { FEW_BODIES = 200, WHOLE_OF_MANY = 20 };

/* ---- keys ------------------------------------------------------------------------------------------------------------------ */

static const thud_option_key law_rows[] = {{"friction", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "1",
                                            "coefficient, or [along, across] with an `axis`"},
                                           {"restitution", THUD_OPTION_REAL, 0, 0, 0, 1, false, NULL, "1", "Newton's"},
                                           {"rolling", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "m",
                                            "rolling moment at most this times the normal force"},
                                           {"spinning", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "m",
                                            "in space: drilling moment at most this times the normal force"}};
THUD_SCENE_TABLE(thud_bodies_law_table, "materials", law_rows)

static const thud_option_key density_rows[] = {
    {"density", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "kg/m^3", "mass per volume, in the plane per area"}};
THUD_SCENE_TABLE(thud_bodies_density_table, "materials", density_rows)

static const thud_option_key spring_rows[] = {
    {"length", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "m", "at rest"},
    {"stiffness", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "N/m", "force per length"},
    {"damping", THUD_OPTION_REAL, 0, 0, 0, DBL_MAX, false, NULL, "N s/m", "force per velocity"}};
THUD_SCENE_TABLE(thud_bodies_spring_table, "springs", spring_rows)

static const thud_option_key joint_rows[] = {
    {"touch", THUD_OPTION_BOOL, 0, 0, 0, 1, false, NULL, "", "the two bodies may touch each other all the same"}};
THUD_SCENE_TABLE(thud_bodies_joint_table, "joints", joint_rows)

const thud_option_table *thud_bodies_record_option_table(void) {
  static const thud_option_key rows[] = {
      {"contacts", THUD_OPTION_BOOL, 0, NAN, 0, 1, false, NULL, "",
       "every row has its contacts, not only whole ones; null: up to 200 bodies"},
      {"whole_every", THUD_OPTION_INT, 0, NAN, 0, 1e9, false, NULL, "1",
       "of so many recorded rows one has the whole step; null: 1 up to 200 bodies, otherwise 20; 0: none but the few "
       "steps that every record has for `thud verify`"}};
  static const thud_option_table table = {.name = "record of bodies", .keys = rows, .count = 2};
  return &table;
}

const char *const thud_bodies_of_times[] = {"start", "end", "steps", NULL};
const char *const thud_bodies_of_steps[] = {"tolerance", NULL};
const char *const thud_bodies_by_count[] = {"contacts", "whole_every", NULL};
const thud_kind_keys thud_bodies_keys[] = {
    {.place = "materials.*", .table = thud_bodies_law_table},
    {.place = "materials.*", .table = thud_bodies_density_table},
    {.place = "springs[]", .table = thud_bodies_spring_table},
    {.place = "joints[]", .table = thud_bodies_joint_table},
    {.place = "simulate", .table = thud_body_motion_option_table, .without = thud_bodies_of_times},
    {.place = "simulate.solver",
     .table = thud_scene_solver_option_table,
     .help = "what solves the contact problems of the steps"},
    {.place = "simulate.solver", .table = thud_solver_option_table, .without = thud_bodies_of_steps},
    {.place = "record", .table = thud_bodies_record_option_table, .nullable = thud_bodies_by_count},
    {.place = NULL}};

/* ---- materials --------------------------------------------------------------------------------------------------------- */

/* A number, or [along, across] with an axis. */
static thud_error read_friction(bodies_scene *made, const thud_node *node, thud_surface_law *law) {
  const thud_node *friction = thud_node_find(node, "friction"), *axis = thud_node_find(node, "axis");
  double both[2] = {0, 0};
  bool directed = friction != NULL && thud_node_get_kind(friction) == THUD_NODE_SEQUENCE;
  if (axis != NULL && !directed)
    return thud_node_fail(axis, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] an axis goes with two frictions: friction: [along, across]");
  if (!directed) {
    if (friction != NULL) law->friction_across = -1;
    return thud_bodies_read_not_negative(made, node, "friction", &law->friction);
  }
  if (made->planar)
    return thud_node_fail(friction, THUD_ERROR_SCHEMA, "[not-planar] in the plane friction is one number");
  thud_error error = thud_bodies_read_numbers(made, friction, 2, both);
  if (error == THUD_OK && !(both[0] >= 0 && both[1] >= 0))
    error = thud_node_fail(friction, THUD_ERROR_SCHEMA, "[out-of-range] frictions must be 0 or greater, not [%g, %g]",
                           both[0], both[1]);
  if (error == THUD_OK && axis == NULL)
    error = thud_node_fail(friction, THUD_ERROR_SCHEMA,
                           "[bad-rotation] two frictions need the 'axis' that the first one is along");
  thud_vec3 direction = thud_vec3_load(law->axis);
  if (error == THUD_OK) error = thud_bodies_read_axis(made, node, "axis", &direction);
  thud_vec3_store(direction, law->axis);
  law->friction = both[0];
  law->friction_across = both[1];
  return error;
}

thud_error thud_bodies_read_law(bodies_scene *made, const thud_node *node, thud_surface_law *law) {
  thud_error error = read_friction(made, node, law);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "restitution", &law->restitution);
  if (error == THUD_OK && law->restitution > 1)
    error = thud_node_fail(thud_node_find(node, "restitution"), THUD_ERROR_SCHEMA,
                           "[out-of-range] 'restitution' is from 0 to 1, not %g", law->restitution);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "rolling", &law->rolling);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "spinning", &law->spinning);
  if (error == THUD_OK && made->planar && law->spinning > 0)
    error = thud_node_fail(thud_node_find(node, "spinning"), THUD_ERROR_SCHEMA,
                           "[not-planar] 'spinning' needs a scene in space; this one is planar");
  return error;
}

static thud_error read_material(bodies_scene *made, const char *name, const thud_node *node) {
  static const char *const keys[] = {"axis"};
  thud_surface_law law = thud_surface_law_default();
  double density = 0;
  thud_index number = -1;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK)
    error = thud_scene_check_keys(made->scene, node, 1, keys,
                                  THUD_TABLES(thud_bodies_law_table(), thud_bodies_density_table()));
  if (error == THUD_OK) error = thud_bodies_read_law(made, node, &law);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "density", &density);
  if (error == THUD_OK)
    error = thud_array_reserve(made->context, &made->densities, &made->density_capacity, made->material_count + 1,
                               sizeof *made->densities);
  if (error == THUD_OK) error = thud_bodies_blame(node, thud_bodies_add_material(made->bodies, name, &law, &number));
  if (error == THUD_OK) error = thud_names_add(&made->materials, name, strlen(name), (size_t)number, NULL);
  if (error == THUD_OK) made->densities[made->material_count++] = density;
  const thud_node *friction = thud_node_find(node, "friction");
  bool said = friction != NULL && !thud_node_is_added(friction);
  if (error == THUD_OK && made->slippery < 0 && !said) made->slippery = number;
  return error;
}

static thud_error read_materials(bodies_scene *made, const thud_node *materials) {
  if (materials == NULL) return THUD_OK;
  thud_error error = thud_node_expect(materials, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(materials); k++)
    error = read_material(made, thud_node_key(materials, k), thud_node_item(materials, k));
  return error;
}

thud_error thud_bodies_read_pair(bodies_scene *made, const thud_node *node, thud_index *first, thud_index *second,
                                 thud_surface_law *law) {
  const thud_node *materials;
  size_t numbers[2] = {0, 0};
  thud_error error =
      thud_node_require_as(node, "materials", "the names of two materials, such as [stone, wood]", &materials);
  if (error == THUD_OK) error = thud_node_expect(materials, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(materials) != 2)
    error = thud_node_fail(materials, THUD_ERROR_SCHEMA, "[wrong-count] a pair is two materials, not %zu",
                           thud_node_count(materials));
  for (size_t k = 0; k < 2 && error == THUD_OK; k++)
    error = thud_bodies_find_name(made, thud_node_item(materials, k), &made->materials, "material", &numbers[k]);
  if (error != THUD_OK) return error;
  *first = (thud_index)numbers[0];
  *second = (thud_index)numbers[1];
  *law = thud_bodies_pair_law(made->bodies, *first, *second, NULL);
  return thud_bodies_read_law(made, node, law);
}

static thud_error read_pair(bodies_scene *made, const thud_node *node) {
  static const char *const keys[] = {"materials", "axis"};
  thud_index first, second;
  thud_surface_law law;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, 2, keys, THUD_TABLES(thud_bodies_law_table()));
  if (error == THUD_OK) error = thud_bodies_read_pair(made, node, &first, &second, &law);
  if (error == THUD_OK && (first == made->slippery || second == made->slippery)) made->slippery = -1;
  return error == THUD_OK ? thud_bodies_blame(node, thud_bodies_set_pair(made->bodies, first, second, &law)) : error;
}

typedef thud_error (*entry_fn)(bodies_scene *made, const thud_node *node);

static thud_error read_list(bodies_scene *made, const thud_node *list, entry_fn read) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(list); k++) error = read(made, thud_node_item(list, k));
  return error;
}

/* ---- shapes, bodies, springs -------------------------------------------------------------------------------------------- */

static thud_error read_named_shape(bodies_scene *made, const char *name, const thud_node *node) {
  thud_index shape = -1;
  if (thud_bodies_is_shape_word(name))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[duplicate-name] '%s' is a shape already; give yours another name",
                          name);
  thud_error error = thud_bodies_read_shape(made, node, &shape);
  if (error == THUD_OK)
    error = thud_array_reserve(made->context, &made->shape_numbers, &made->number_capacity, made->named_count + 1,
                               sizeof *made->shape_numbers);
  if (error == THUD_OK) error = thud_names_add(&made->named_shapes, name, strlen(name), made->named_count, NULL);
  if (error == THUD_OK) made->shape_numbers[made->named_count++] = shape;
  return error;
}

static thud_error read_named_shapes(bodies_scene *made, const thud_node *shapes) {
  if (shapes == NULL) return THUD_OK;
  thud_error error = thud_node_expect(shapes, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(shapes); k++)
    error = read_named_shape(made, thud_node_key(shapes, k), thud_node_item(shapes, k));
  return error;
}

static thud_error read_entry(bodies_scene *made, const thud_node *node) {
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_node_find(node, "generate") != NULL) return thud_bodies_generate(made, node);
  return thud_node_find(node, "file") != NULL || thud_node_find(node, "table") != NULL
             ? thud_bodies_read_table(made, node)
             : thud_bodies_read_body(made, node);
}

static thud_error read_spring(bodies_scene *made, const thud_node *node) {
  static const char *const keys[] = {"name", "a", "at_a", "b", "at_b"};
  const thud_node *named, *a, *b;
  size_t numbers[2] = {0, 0};
  thud_spring_def def = thud_spring_def_default();
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK)
    error = thud_scene_check_keys(made->scene, node, sizeof keys / sizeof *keys, keys,
                                  THUD_TABLES(thud_bodies_spring_table()));
  if (error == THUD_OK) error = thud_node_require_as(node, "a", "the name of a body", &a);
  if (error == THUD_OK) error = thud_bodies_find_name(made, a, &made->names, "body", &numbers[0]);
  if (error == THUD_OK && (b = thud_node_find(node, "b")) != NULL)
    error = thud_bodies_find_name(made, b, &made->names, "body", &numbers[1]);
  if (error != THUD_OK) return error;
  if ((named = thud_node_find(node, "name")) != NULL) error = thud_bodies_read_name(named, &def.name);
  def.a = made->ids[numbers[0]];
  if (thud_node_find(node, "b") != NULL) def.b = made->ids[numbers[1]];
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "at_a", &def.point_a);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "at_b", &def.point_b);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "length", &def.length);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "stiffness", &def.stiffness);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "damping", &def.damping);
  return error == THUD_OK ? thud_bodies_blame(node, thud_bodies_add_spring(made->bodies, &def)) : error;
}

/* ---- units, simulate, record -------------------------------------------------------------------------------------------- */

thud_error thud_bodies_read_units(bodies_scene *made, const thud_node *root) {
  static const char *const keys[] = {"length", "mass", "time"};
  enum { MOST = 20 };
  const thud_node *units, *node;
  const char *labels[3] = {"m", "kg", "s"};
  thud_scene *scene = made->scene;
  thud_error error = thud_node_require(root, "units", &units);
  if (error == THUD_OK) error = thud_node_check_keys(units, keys, 3);
  for (size_t k = 0; k < 3 && error == THUD_OK; k++) {
    error = thud_node_require(units, keys[k], &node);
    if (error == THUD_OK) error = thud_node_read_string(node, &labels[k]);
    if (error == THUD_OK && (labels[k][0] == '\0' || strlen(labels[k]) > MOST))
      error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-name] the label of a unit has from 1 to %d bytes", MOST);
  }
  if (error != THUD_OK) return error;
  made->units = thud_body_units_make(labels[0], labels[1], labels[2]);
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, 0);
  scene->units = THUD_NEW_ARRAY(scene->context, char *, 0);
  scene->time_unit = thud_strdup(scene->context, labels[2]);
  bool there = scene->coordinates != NULL && scene->units != NULL && scene->time_unit != NULL;
  return there ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error read_options(thud_scene *scene, const thud_node *map, const thud_option_table *table, void *options) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) {
    const thud_node *node = thud_node_find(map, table->keys[k].name);
    if (node == NULL || thud_run_is_listed(table->keys[k].name, thud_bodies_of_times)) continue;
    error = thud_scene_read_option(scene, node, table, &table->keys[k], options);
  }
  return error;
}

static thud_error read_solver(bodies_scene *made, const thud_node *simulate) {
  const thud_option_table *table = thud_solver_option_table();
  const thud_node *solver = thud_node_find(simulate, "solver"), *node;
  if (solver == NULL) return THUD_OK;
  thud_error error = THUD_OK;
  if ((node = thud_node_find(solver, "tolerance")) != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[misplaced-key] the tolerance of the steps is 'tolerance' of 'simulate'");
  if ((node = thud_node_find(solver, "method")) != NULL)
    error = thud_scene_read_solver_method(node, &made->options.method);
  return error == THUD_OK ? read_options(made->scene, solver, table, &made->options.solver) : error;
}

static thud_error read_simulate(bodies_scene *made, const thud_node *root) {
  const thud_option_table *table = thud_body_motion_option_table();
  const thud_node *simulate;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  made->options = thud_body_motion_options_default();
  if (error == THUD_OK) error = read_options(made->scene, simulate, table, &made->options);
  if (error == THUD_OK) error = read_solver(made, simulate);
  if (error == THUD_OK) error = thud_scene_read_given_steps(made->scene, simulate);
  made->options.start = made->scene->start;
  made->options.end = made->scene->end;
  made->options.steps = made->scene->steps;
  return error;
}

static thud_error read_record(bodies_scene *made, const thud_node *root) {
  const thud_option_key *key = thud_options_find(thud_bodies_record_option_table(), "whole_every");
  const thud_node *record, *node;
  bool few = made->body_count <= FEW_BODIES;
  made->rows = (thud_body_row_options){.units = made->units, .contacts = few, .whole_every = few ? 1 : WHOLE_OF_MANY};
  thud_error error = thud_node_require(root, "record", &record);
  if (error != THUD_OK || thud_node_get_kind(record) != THUD_NODE_MAP) return error;
  if ((node = thud_node_find(record, "contacts")) != NULL && thud_node_get_kind(node) != THUD_NODE_NULL)
    error = thud_node_read_bool(node, &made->rows.contacts);
  if (error == THUD_OK && (node = thud_node_find(record, "whole_every")) != NULL &&
      thud_node_get_kind(node) != THUD_NODE_NULL)
    error = thud_bodies_read_count(made, record, "whole_every", key->minimum, key->maximum, &made->rows.whole_every);
  return error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

/* A key of other kinds of scenes, which would do nothing. */
static thud_error refuse_others(const thud_node *root) {
  const thud_node *initial = thud_node_find(root, "initial");
  if (initial == NULL) return THUD_OK;
  return thud_node_fail(initial, THUD_ERROR_SCHEMA,
                        "[misplaced-key] bodies have no '%s': where they begin is written with each of them",
                        "initial");
}

static thud_error create(bodies_scene *made, const thud_node *root) {
  const thud_node *planar;
  thud_error error = refuse_others(root);
  if (error == THUD_OK) error = thud_node_require(root, "planar", &planar);
  if (error == THUD_OK) error = thud_node_read_bool(planar, &made->planar);
  if (error != THUD_OK) return error;
  made->dimension = made->planar ? 2 : 3;
  thud_bodies_options options = thud_bodies_options_default();
  options.planar = made->planar;
  thud_vec3 gravity = thud_vec3_load(options.gravity);
  error = thud_bodies_read_vector(made, root, "gravity", &gravity);
  thud_vec3_store(gravity, options.gravity);
  if (error == THUD_OK) error = thud_arena_create(made->context, 65536, &made->arena);
  return error == THUD_OK ? thud_bodies_create(made->context, &options, &made->bodies) : error;
}

thud_error thud_bodies_scene_build(thud_scene *scene, const thud_node *root, bodies_scene *made) {
  *made = (bodies_scene){
      .scene = scene, .context = scene->context, .bare = -1, .slippery = -1, .assumed = -1, .turned_mesh = -1};
  made->materials = thud_names_new(scene->context, NULL);
  made->named_shapes = thud_names_new(scene->context, NULL);
  made->known_shapes = thud_names_new(scene->context, NULL);
  made->names = thud_names_new(scene->context, NULL);
  const thud_node *bodies = thud_node_find(root, "bodies");
  thud_error error = thud_bodies_read_units(made, root);
  if (error == THUD_OK) error = create(made, root);
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = read_materials(made, thud_node_find(root, "materials"));
  if (error == THUD_OK) error = read_list(made, thud_node_find(root, "pairs"), read_pair);
  if (error == THUD_OK) error = read_named_shapes(made, thud_node_find(root, "shapes"));
  if (error == THUD_OK) error = read_list(made, bodies, read_entry);
  if (error == THUD_OK && made->body_count == 0)
    error = thud_node_fail(bodies, THUD_ERROR_SCHEMA, "[wrong-count] at least one body is needed");
  if (error == THUD_OK) error = read_list(made, thud_node_find(root, "springs"), read_spring);
  if (error == THUD_OK) error = read_list(made, thud_node_find(root, "joints"), thud_bodies_read_joint);
  if (error == THUD_OK) error = read_record(made, root);
  if (error == THUD_OK) error = thud_bodies_read_changes(made, thud_node_find(root, "changes"));
  if (error == THUD_OK) error = thud_bodies_compile_forces(made);
  if (error == THUD_OK) error = thud_bodies_scene_blame(made, root, thud_bodies_complete(made->bodies));
  return error;
}

thud_error thud_bodies_scene_blame(const bodies_scene *made, const thud_node *root, thud_error error) {
  thud_index refused = made->bodies->refused;
  return thud_bodies_blame(refused >= 0 ? made->nodes[refused] : thud_node_find(root, "bodies"), error);
}

void thud_bodies_scene_forget_nodes(bodies_scene *made) {
  thud_free(made->context, (void *)made->nodes);
  made->nodes = NULL;
}

void thud_bodies_scene_free(bodies_scene *made) {
  thud_context *context = made->context;
  if (context == NULL) return;
  thud_bodies_destroy(made->bodies);
  thud_bodies_free_expressions(made);
  thud_bodies_free_drives(made);
  for (size_t k = 0; k < made->shape_count; k++) thud_shape_destroy(made->shapes[k]);
  thud_free(context, made->shapes);
  thud_free(context, made->shape_numbers);
  thud_free(context, made->densities);
  thud_free(context, made->ids);
  thud_free(context, made->changes);
  thud_free(context, (void *)made->nodes);
  thud_free(context, (void *)made->body_names);
  thud_names_free(&made->materials);
  thud_names_free(&made->named_shapes);
  thud_names_free(&made->known_shapes);
  thud_names_free(&made->names);
  thud_arena_destroy(made->arena);
}

/* ---- changes: what happens to the running motion at given times (thud/body_motion.h) --------------------------------- */

/* Times of nodes are rounded: a node this part of a step before the given time is at it. */
static const double AT_NODE = 1e-9;

static const char *const words[THUD_BODY_CHANGES + 1] = {"add",      "remove", "set",    "impulse", "force", "release",
                                                         "material", "pair",   "detach", "attach",  "motor", NULL};

/* ---- changes: reading ------------------------------------------------------------------------------------------------ */

static bool is_given(const thud_node *node, const char *key) { return thud_node_find(node, key) != NULL; }

/* Position of the frame, rotation, velocity and spin; what is left out stays, or is as the body's definition says. */
static thud_error read_state(bodies_scene *made, const thud_node *node, bodies_change *change) {
  thud_error error = thud_bodies_read_vector(made, node, "position", &change->state.position);
  if (error == THUD_OK) error = thud_bodies_read_rotation(made, node, "rotation", &change->state.rotation);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "velocity", &change->state.velocity);
  if (error == THUD_OK) error = thud_bodies_read_spin(made, node, "spin", &change->state.spin);
  change->has_position = is_given(node, "position");
  change->has_rotation = is_given(node, "rotation");
  change->has_velocity = is_given(node, "velocity");
  change->has_spin = is_given(node, "spin");
  return error;
}

static thud_error read_push(bodies_scene *made, const thud_node *node, bodies_change *change) {
  bool impulse = change->kind == THUD_BODY_CHANGE_IMPULSE;
  change->push = thud_body_push_default();
  thud_error error = thud_bodies_read_vector(made, node, impulse ? "impulse" : "force", &change->push.force);
  if (error == THUD_OK) error = thud_bodies_read_spin(made, node, impulse ? "moment" : "torque", &change->push.torque);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "point", &change->point);
  change->push.at_point = is_given(node, "point");
  return error == THUD_OK && !impulse ? thud_bodies_read_flag(node, "lasting", &change->push.lasting) : error;
}

static thud_error read_new_material(bodies_scene *made, const thud_node *node, bodies_change *change) {
  const thud_node *material;
  size_t number = 0, part = 0;
  thud_error error = thud_node_require_as(node, "material", "the name of a material", &material);
  if (error == THUD_OK) error = thud_bodies_find_name(made, material, &made->materials, "material", &number);
  if (error == THUD_OK) error = thud_bodies_read_count(made, node, "part", 0, INT32_MAX, &part);
  change->material = (thud_index)number;
  change->part = is_given(node, "part") ? (thud_index)part : -1;
  return error;
}

static thud_error read_new_law(bodies_scene *made, const thud_node *node, bodies_change *change) {
  return thud_bodies_read_pair(made, node, &change->part, &change->material, &change->law);
}

/* The coordinate of that name, or the joint's first one. */
static thud_error read_coordinate(const thud_node *node, int kind, int *coordinate) {
  static const char *const names[] = {"turning", "sliding", "second", NULL};
  const thud_joint_class *of = thud_joint_class_of(kind);
  const thud_node *given = thud_node_find(node, "coordinate");
  int wanted = 0;
  *coordinate = 0;
  if (given == NULL) return THUD_OK;
  thud_error error = thud_node_read_choice(given, names, &wanted);
  if (error != THUD_OK) return error;
  for (int c = 1; c < of->free_count; c++)
    if (strcmp(of->sections[c], names[wanted]) == 0) return *coordinate = c, THUD_OK;
  if (of->free_count > 0 && wanted == (thud_coordinate_is_angle(of->free[0]) ? 0 : 1)) return THUD_OK;
  return thud_node_fail(given, THUD_ERROR_SCHEMA, "[bad-change] a %s joint has no coordinate of this kind", of->name);
}

static thud_error read_motor(bodies_scene *made, const thud_node *node, bodies_change *change) {
  bool speed = is_given(node, "speed"), position = is_given(node, "position"), bound = is_given(node, "at_most");
  thud_body_motor *motor = &change->motor;
  *motor = thud_body_motor_default();
  if ((speed && position) || (!speed && !position && !bound))
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[bad-change] give the motor a 'speed' or a 'position' to reach, or a bound 'at_most', 0: "
                          "it is off");
  if (speed) motor->motor = THUD_JOINT_MOTOR_SPEED;
  if (position) motor->motor = THUD_JOINT_MOTOR_POSITION;
  thud_error error = thud_bodies_read_number(made, node, speed ? "speed" : "position", &motor->target);
  if (error == THUD_OK) error = thud_bodies_read_number(made, node, "at_most", &motor->at_most);
  if (error == THUD_OK && bound && !(motor->at_most >= 0))
    error = thud_node_fail(thud_node_find(node, "at_most"), THUD_ERROR_SCHEMA,
                           "[bad-change] the bound of a motor is not negative");
  return error;
}

static thud_error read_joint_change(bodies_scene *made, const thud_node *node, bodies_change *change) {
  const thud_node *joint;
  size_t number = 0;
  thud_error error = thud_node_require_as(node, "joint", "the name of a joint", &joint);
  if (error == THUD_OK) error = thud_bodies_find_name(made, joint, &made->bodies->joint_names, "joint", &number);
  if (error != THUD_OK) return error;
  change->joint = made->bodies->joints[number].name;
  if (change->kind != THUD_BODY_CHANGE_MOTOR) return THUD_OK;
  error = read_coordinate(node, made->bodies->joints[number].kind, &change->coordinate);
  return error == THUD_OK ? read_motor(made, node, change) : error;
}

/* Keys that go with each kind, besides `at`, `do` and, but for pairs and joints, `body`. */
static thud_error check_keys(const thud_node *node, int kind) {
  static const char *const state[] = {"at", "when", "do", "body", "position", "rotation", "velocity", "spin"};
  static const char *const impulse[] = {"at", "when", "do", "body", "impulse", "moment", "point"};
  static const char *const force[] = {"at", "when", "do", "body", "force", "torque", "point", "lasting"};
  static const char *const material[] = {"at", "when", "do", "body", "material", "part"};
  static const char *const pair[] = {"at",   "when",        "do",      "materials", "friction",
                                     "axis", "restitution", "rolling", "spinning"};
  static const char *const joint[] = {"at", "when", "do", "joint", "coordinate", "speed", "position", "at_most"};
  switch (kind) {
  case THUD_BODY_CHANGE_DETACH:
  case THUD_BODY_CHANGE_ATTACH: return thud_node_check_keys(node, joint, 4);
  case THUD_BODY_CHANGE_MOTOR: return thud_node_check_keys(node, joint, sizeof joint / sizeof *joint);
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE: return thud_node_check_keys(node, state, sizeof state / sizeof *state);
  case THUD_BODY_CHANGE_IMPULSE: return thud_node_check_keys(node, impulse, sizeof impulse / sizeof *impulse);
  case THUD_BODY_CHANGE_FORCE: return thud_node_check_keys(node, force, sizeof force / sizeof *force);
  case THUD_BODY_CHANGE_MATERIAL: return thud_node_check_keys(node, material, sizeof material / sizeof *material);
  case THUD_BODY_CHANGE_PAIR: return thud_node_check_keys(node, pair, sizeof pair / sizeof *pair);
  default: return thud_node_check_keys(node, state, 4);
  }
}

static thud_error read_at(bodies_scene *made, const thud_node *node, double *at) {
  const thud_node *time;
  const thud_body_motion_options *options = &made->options;
  bool conditional = thud_node_find(node, "when") != NULL;
  if (conditional && thud_node_find(node, "at") != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] a change has either 'at', a time, or 'when', a condition");
  *at = INFINITY; /* the driver says when */
  if (conditional) return THUD_OK;
  thud_error error = thud_node_require_as(node, "at", "a time", &time);
  if (error == THUD_OK) error = thud_bodies_read_number(made, node, "at", at);
  if (error == THUD_OK && !(*at >= options->start && *at < options->end))
    error =
        thud_node_fail(time, THUD_ERROR_SCHEMA,
                       "[bad-change] a change at t = %g must not be before the start %g, and must be before the end %g",
                       *at, options->start, options->end);
  return error;
}

static thud_error read_change(bodies_scene *made, const thud_node *node, bodies_change *change) {
  const thud_node *body;
  size_t number = 0;
  *change = (bodies_change){.state = {.rotation = thud_quat_identity()}};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require_choice(node, "do", words, &change->kind);
  if (error == THUD_OK) error = check_keys(node, change->kind);
  if (error == THUD_OK) error = read_at(made, node, &change->at);
  if (error != THUD_OK) return error;
  if (change->kind == THUD_BODY_CHANGE_PAIR) return read_new_law(made, node, change);
  if (change->kind >= THUD_BODY_CHANGE_DETACH) return read_joint_change(made, node, change);
  error = thud_node_require_as(node, "body", "the name of a body", &body);
  if (error == THUD_OK) error = thud_bodies_find_name(made, body, &made->names, "body", &number);
  if (error != THUD_OK) return error;
  change->body = made->ids[number];
  switch (change->kind) {
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE: return read_state(made, node, change);
  case THUD_BODY_CHANGE_IMPULSE:
  case THUD_BODY_CHANGE_FORCE: return read_push(made, node, change);
  case THUD_BODY_CHANGE_MATERIAL: return read_new_material(made, node, change);
  default: return THUD_OK;
  }
}

thud_error thud_bodies_read_changes(bodies_scene *made, const thud_node *list) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  made->changes = THUD_NEW_ARRAY(made->context, bodies_change, count);
  if (made->changes == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    bodies_change change;
    error = read_change(made, thud_node_item(list, k), &change);
    if (error != THUD_OK) return error;
    change.entry = k;
    size_t place = made->change_count++; /* in the order of their times, of equal ones as they are given */
    for (; place > 0 && made->changes[place - 1].at > change.at; place--)
      made->changes[place] = made->changes[place - 1];
    made->changes[place] = change;
  }
  return THUD_OK;
}

/* ---- changes: applying ----------------------------------------------------------------------------------------------- */

/* The state that is asked for: what is given, on top of `now`. Positions are those of the body's frame. */
static void complete_state(const bodies_change *change, thud_vec3 centre, thud_body_state *now) {
  thud_vec3 frame = thud_vec3_subtract(now->position, thud_quat_rotate(now->rotation, centre));
  if (change->has_position) frame = change->state.position;
  if (change->has_rotation) now->rotation = change->state.rotation;
  if (change->has_velocity) now->velocity = change->state.velocity;
  if (change->has_spin) now->spin = change->state.spin;
  now->position = thud_vec3_add(frame, thud_quat_rotate(now->rotation, centre));
}

static thud_error apply_state(const bodies_scene *made, thud_motion *motion, const bodies_change *change) {
  thud_bodies_view view;
  thud_error error = thud_bodies_get(made->bodies, &view);
  if (error != THUD_OK) return error;
  thud_index i = thud_bodies_number(made->bodies, change->body);
  bool comes = change->kind == THUD_BODY_CHANGE_ADD;
  bool plain = !change->has_position && !change->has_rotation && !change->has_velocity && !change->has_spin;
  thud_body_state state = {view.pose[i].position, view.pose[i].rotation, view.velocity[i], view.spin[i]};
  if (comes && plain) return thud_body_motion_add(motion, change->body, NULL);
  if (!comes) error = thud_body_motion_get_state(motion, change->body, &state);
  if (error != THUD_OK) return error;
  complete_state(change, view.centre[i], &state);
  return comes ? thud_body_motion_add(motion, change->body, &state)
               : thud_body_motion_set_state(motion, change->body, &state);
}

/* `point` is a place of the body's frame, so that it can be given before it is known where the body is. */
static thud_error apply_push(const bodies_scene *made, thud_motion *motion, const bodies_change *change) {
  thud_body_push push = change->push;
  thud_pose frame = thud_body_motion_frame_pose(motion, thud_bodies_number(made->bodies, change->body));
  push.point = thud_pose_point(&frame, change->point);
  return change->kind == THUD_BODY_CHANGE_IMPULSE ? thud_body_motion_apply_impulse(motion, change->body, &push)
                                                  : thud_body_motion_apply_force(motion, change->body, &push);
}

static thud_error apply(const bodies_scene *made, thud_motion *motion, const bodies_change *change) {
  switch (change->kind) {
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE: return apply_state(made, motion, change);
  case THUD_BODY_CHANGE_REMOVE: return thud_body_motion_remove(motion, change->body);
  case THUD_BODY_CHANGE_IMPULSE:
  case THUD_BODY_CHANGE_FORCE: return apply_push(made, motion, change);
  case THUD_BODY_CHANGE_RELEASE: return thud_body_motion_release_forces(motion, change->body);
  case THUD_BODY_CHANGE_MATERIAL:
    return thud_body_motion_set_material(motion, change->body, change->part, change->material);
  case THUD_BODY_CHANGE_DETACH: return thud_body_motion_detach(motion, change->joint);
  case THUD_BODY_CHANGE_ATTACH: return thud_body_motion_attach(motion, change->joint);
  case THUD_BODY_CHANGE_MOTOR:
    return thud_body_motion_set_motor(motion, change->joint, change->coordinate, &change->motor);
  default: return thud_body_motion_set_pair(motion, change->part, change->material, &change->law);
  }
}

thud_error thud_bodies_apply_changes(const bodies_scene *made, thud_motion *motion, double t, size_t *next) {
  double h = (made->options.end - made->options.start) / (double)made->options.steps;
  thud_error error = THUD_OK;
  for (; *next < made->change_count && made->changes[*next].at <= t + AT_NODE * h && error == THUD_OK; ++*next) {
    error = apply(made, motion, &made->changes[*next]);
    if (error != THUD_OK)
      return thud_fail_within(made->context, error, "the change '%s' at t = %g", words[made->changes[*next].kind],
                              made->changes[*next].at);
  }
  return error;
}

thud_error thud_bodies_fire_change(const bodies_scene *made, thud_motion *motion, size_t entry) {
  for (size_t k = 0; k < made->change_count; k++) {
    if (made->changes[k].entry != entry) continue;
    thud_error error = apply(made, motion, &made->changes[k]);
    return error == THUD_OK
               ? error
               : thud_fail_within(made->context, error, "the change '%s' on a condition", words[made->changes[k].kind]);
  }
  return THUD_OK;
}
