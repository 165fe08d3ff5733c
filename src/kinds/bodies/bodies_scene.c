/* `bodies` scenes: materials, pairs, named shapes, bodies, springs and options. */
#include "kinds/bodies/bodies_scene.h"

#include "scene/options.h"

#include <math.h>
#include <string.h>

/* Up to so many bodies every row is whole and has its contacts. */
enum { FEW_BODIES = 200, WHOLE_OF_MANY = 20 };

/* ---- materials --------------------------------------------------------------------------------------------------------- */

/* A number, or [along, across] with an axis. */
static thud_error read_friction(bodies_scene *made, const thud_node *node, thud_surface_law *law) {
  const thud_node *friction = thud_node_find(node, "friction"), *axis = thud_node_find(node, "axis");
  double both[2] = {0, 0};
  bool directed = friction != NULL && thud_node_get_kind(friction) == THUD_NODE_SEQUENCE;
  if (axis != NULL && !directed)
    return thud_node_fail(axis, THUD_ERROR_SCHEMA, "an axis goes with two frictions: friction: [along, across]");
  if (!directed) {
    if (friction != NULL) law->friction_across = -1;
    return thud_bodies_read_not_negative(made, node, "friction", &law->friction);
  }
  if (made->planar) return thud_node_fail(friction, THUD_ERROR_SCHEMA, "in the plane friction is one number");
  thud_error error = thud_bodies_read_numbers(made, friction, 2, both);
  if (error == THUD_OK && !(both[0] >= 0 && both[1] >= 0))
    error =
        thud_node_fail(friction, THUD_ERROR_SCHEMA, "frictions must be 0 or greater, not [%g, %g]", both[0], both[1]);
  if (error == THUD_OK && axis == NULL)
    error = thud_node_fail(friction, THUD_ERROR_SCHEMA, "two frictions need the 'axis' that the first one is along");
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
                           "'restitution' is from 0 to 1, not %g", law->restitution);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "rolling", &law->rolling);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "spinning", &law->spinning);
  if (error == THUD_OK && made->planar && law->spinning > 0)
    error = thud_node_fail(thud_node_find(node, "spinning"), THUD_ERROR_SCHEMA, "in the plane nothing spins so");
  return error;
}

static thud_error read_material(bodies_scene *made, const char *name, const thud_node *node) {
  static const char *const keys[] = {"friction", "axis", "restitution", "rolling", "spinning", "density"};
  thud_surface_law law = thud_surface_law_default();
  double density = 0;
  thud_index number = -1;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = thud_bodies_read_law(made, node, &law);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "density", &density);
  if (error == THUD_OK)
    error = thud_array_reserve(made->context, &made->densities, &made->density_capacity, made->material_count + 1,
                               sizeof *made->densities);
  if (error == THUD_OK) error = thud_bodies_blame(node, thud_bodies_add_material(made->bodies, name, &law, &number));
  if (error == THUD_OK) error = thud_names_add(&made->materials, name, strlen(name), (size_t)number, NULL);
  if (error == THUD_OK) made->densities[made->material_count++] = density;
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
  thud_error error = thud_node_require(node, "materials", &materials);
  if (error == THUD_OK) error = thud_node_expect(materials, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(materials) != 2)
    error =
        thud_node_fail(materials, THUD_ERROR_SCHEMA, "a pair is two materials, not %zu", thud_node_count(materials));
  for (size_t k = 0; k < 2 && error == THUD_OK; k++)
    error = thud_bodies_find_name(made, thud_node_item(materials, k), &made->materials, "material", &numbers[k]);
  if (error != THUD_OK) return error;
  *first = (thud_index)numbers[0];
  *second = (thud_index)numbers[1];
  *law = thud_bodies_pair_law(made->bodies, *first, *second, NULL);
  return thud_bodies_read_law(made, node, law);
}

static thud_error read_pair(bodies_scene *made, const thud_node *node) {
  static const char *const keys[] = {"materials", "friction", "axis", "restitution", "rolling", "spinning"};
  thud_index first, second;
  thud_surface_law law;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = thud_bodies_read_pair(made, node, &first, &second, &law);
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
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' is a shape already; give yours another name", name);
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
  static const char *const keys[] = {"name", "a", "at_a", "b", "at_b", "length", "stiffness", "damping"};
  const thud_node *named, *a, *b;
  size_t numbers[2] = {0, 0};
  thud_spring_def def = thud_spring_def_default();
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = thud_node_require(node, "a", &a);
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

static thud_error read_units(bodies_scene *made, const thud_node *root) {
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
      error = thud_node_fail(node, THUD_ERROR_SCHEMA, "the label of a unit has from 1 to %d bytes", MOST);
  }
  if (error != THUD_OK) return error;
  made->units = thud_body_units_make(labels[0], labels[1], labels[2]);
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, 0);
  scene->units = THUD_NEW_ARRAY(scene->context, char *, 0);
  scene->time_unit = thud_strdup(scene->context, labels[2]);
  bool there = scene->coordinates != NULL && scene->units != NULL && scene->time_unit != NULL;
  return there ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Options that are keys of `simulate` in another way. */
static bool is_read_elsewhere(const char *key) {
  static const char *const keys[] = {"start", "end", "steps"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (strcmp(keys[k], key) == 0) return true;
  return false;
}

static thud_error read_options(thud_scene *scene, const thud_node *map, const thud_option_table *table, void *options) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) {
    const thud_node *node = thud_node_find(map, table->keys[k].name);
    if (node == NULL || is_read_elsewhere(table->keys[k].name)) continue;
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
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "the tolerance of the steps is 'tolerance' of 'simulate'");
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
  if (error == THUD_OK) error = thud_scene_read_steps(made->scene, simulate);
  made->options.start = made->scene->start;
  made->options.end = made->scene->end;
  made->options.steps = made->scene->steps;
  return error;
}

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

/* Keys of other kinds of scenes, which would do nothing. */
static thud_error refuse_others(const thud_node *root) {
  static const char *const keys[] = {"initial", "definitions"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (thud_node_find(root, keys[k]) != NULL)
      return thud_node_fail(thud_node_find(root, keys[k]), THUD_ERROR_SCHEMA,
                            "bodies have no '%s': where they begin is written with each of them", keys[k]);
  return THUD_OK;
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
  *made = (bodies_scene){.scene = scene, .context = scene->context, .bare = -1, .assumed = -1};
  made->materials = thud_names_new(scene->context, NULL);
  made->named_shapes = thud_names_new(scene->context, NULL);
  made->known_shapes = thud_names_new(scene->context, NULL);
  made->names = thud_names_new(scene->context, NULL);
  const thud_node *bodies = thud_node_find(root, "bodies");
  thud_error error = read_units(made, root);
  if (error == THUD_OK) error = create(made, root);
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = read_materials(made, thud_node_find(root, "materials"));
  if (error == THUD_OK) error = read_list(made, thud_node_find(root, "pairs"), read_pair);
  if (error == THUD_OK) error = read_named_shapes(made, thud_node_find(root, "shapes"));
  if (error == THUD_OK) error = read_list(made, bodies, read_entry);
  if (error == THUD_OK && made->body_count == 0)
    error = thud_node_fail(bodies, THUD_ERROR_SCHEMA, "at least one body is needed");
  if (error == THUD_OK) error = read_list(made, thud_node_find(root, "springs"), read_spring);
  if (error == THUD_OK) error = read_record(made, root);
  if (error == THUD_OK) error = thud_bodies_read_changes(made, thud_node_find(root, "changes"));
  if (error == THUD_OK) error = thud_bodies_compile_forces(made);
  if (error == THUD_OK) error = thud_bodies_scene_blame(made, root, thud_bodies_complete(made->bodies));
  return error;
}

/* The node of the body that comes first in the message, in quotation marks; the list of bodies when there is none. */
thud_error thud_bodies_scene_blame(const bodies_scene *made, const thud_node *root, thud_error error) {
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  const char *message = thud_context_last_message(made->context), *open = strchr(message, '\'');
  const char *close = open != NULL ? strchr(open + 1, '\'') : NULL;
  size_t number = close != NULL ? thud_names_find(&made->names, open + 1, (size_t)(close - open - 1)) : THUD_NAMES_NONE;
  const thud_node *place = number != THUD_NAMES_NONE ? made->nodes[number] : thud_node_find(root, "bodies");
  return thud_node_fail_within(place, THUD_ERROR_SCHEMA);
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
