/* The checker's reading of `bodies` scenes: the model is rebuilt from what the scene says, entry by entry. Options, materials
 * and the laws of their pairs, forces and paths, bodies. */
#include "verify/bodies/verify_bodies_read.h"
#include "verify/verify_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void thud_verify_bodies_free(verify_bodies *bodies) {
  thud_context *context = bodies->scene.context;
  for (size_t k = 0; k < bodies->shape_count; k++) thud_verify_free_shape(context, &bodies->shape[k]);
  for (size_t k = 0; k < bodies->push_count; k++) thud_verify_free_push(context, bodies->push[k]);
  for (size_t k = 0; k < bodies->path_count; k++) thud_verify_free_path(context, bodies->path[k]);
  for (size_t k = 0; k < bodies->joint_count; k++) thud_verify_free_laws(&bodies->joint[k]);
  void *const arrays[] = {bodies->body,         bodies->part,         (void *)bodies->material,
                          bodies->start,        bodies->pair,         bodies->spring,
                          bodies->joint,        bodies->shape,        bodies->variables,
                          (void *)bodies->push, (void *)bodies->path, bodies->applied};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_arena_destroy(bodies->arena);
  thud_verify_scene_free(&bodies->scene);
}

/* ---- options ------------------------------------------------------------------------------------------------------------------ */

static thud_error read_gain(const thud_node *simulate, verify_bodies_options *options) {
  static const char *const choices[] = {"reduce_e", "refuse", "allow", NULL};
  const thud_node *node = thud_node_find(simulate, "on_energy_gain");
  int choice = 0;
  thud_error error = node != NULL ? thud_node_read_choice(node, choices, &choice) : THUD_OK;
  options->reduces = choice == 0;
  options->gains = choice == 2;
  return error;
}

static thud_error read_options(verify_bodies *bodies, const thud_node *root) {
  verify_bodies_options *options = &bodies->options;
  const thud_node *simulate, *law, *record = thud_node_find(root, "record");
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(&bodies->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(&bodies->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_thinning(&bodies->scene, root);
  const struct {
    const char *key;
    double *value;
  } numbers[] = {{"tolerance", &options->tolerance},
                 {"penetration", &options->penetration},
                 {"impact_velocity", &options->impact_velocity},
                 {"sleep_speed", &options->sleep_speed},
                 {"energy_tolerance", &options->energy_tolerance}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers && error == THUD_OK; k++) {
    error = thud_verify_read_optional(&bodies->scene, simulate, numbers[k].key, numbers[k].value);
  }
  const struct {
    const char *key;
    bool *value;
  } flags[] = {{"predicted", &options->predicted},
               {"gyroscopic", &options->gyroscopic},
               {"relax", &options->relax},
               {"sleep", &options->sleep}};
  for (size_t k = 0; k < sizeof flags / sizeof *flags && error == THUD_OK; k++)
    error = thud_verify_given_flag(simulate, flags[k].key, flags[k].value);
  law = error == THUD_OK ? thud_node_find(simulate, "impact_law") : NULL;
  if (error == THUD_OK) error = read_gain(simulate, options);
  options->newton =
      law == NULL || (thud_node_get_kind(law) == THUD_NODE_STRING && strcmp(thud_node_string(law), "newton") == 0);
  const thud_node *whole = record != NULL ? thud_node_find(record, "whole_every") : NULL;
  if (error == THUD_OK && whole != NULL) error = thud_node_read_number(whole, &bodies->whole_every);
  return error == THUD_OK && record != NULL ? thud_verify_given_flag(record, "contacts", &bodies->contacts) : error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------ */

static thud_error read_named_shapes(verify_build *build, const thud_node *shapes) {
  thud_error error = shapes != NULL ? thud_node_expect(shapes, THUD_NODE_MAP) : THUD_OK;
  for (size_t k = 0; shapes != NULL && error == THUD_OK && k < thud_node_count(shapes); k++) {
    const char *name = thud_node_key(shapes, k);
    size_t number = SIZE_MAX;
    error = thud_verify_given_shape(build, thud_node_item(shapes, k), &number);
    if (error == THUD_OK)
      error = thud_array_reserve(build->context, &build->named, &build->named_capacity, k + 1, sizeof *build->named);
    if (error != THUD_OK) return error;
    build->named[k] = number;
    error = thud_names_add(&build->shapes, name, strlen(name), k, NULL);
  }
  return error;
}

static thud_error read_entry(verify_build *build, const thud_node *node) {
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_node_find(node, "generate") != NULL) return thud_verify_generate(build, node);
  bool table = thud_node_find(node, "file") != NULL || thud_node_find(node, "table") != NULL;
  return table ? thud_verify_read_table(build, node) : thud_verify_read_body(build, node);
}

static thud_error read_spring(verify_build *build, const thud_node *map) {
  verify_spring spring = {.b = SIZE_MAX};
  const thud_node *a;
  thud_error error = thud_node_require(map, "a", &a);
  if (error == THUD_OK) error = thud_verify_given_name(map, "a", &build->names, "body", &spring.a);
  if (error == THUD_OK) error = thud_verify_given_name(map, "b", &build->names, "body", &spring.b);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "at_a", &spring.at_a);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "at_b", &spring.at_b);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "length", &spring.length);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "stiffness", &spring.stiffness);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "damping", &spring.damping);
  return error == THUD_OK ? thud_verify_add_spring(build, spring) : error;
}

typedef thud_error (*entry_fn)(verify_build *build, const thud_node *node);

static thud_error read_entries(verify_build *build, const thud_node *list, entry_fn read) {
  thud_error error = list != NULL ? thud_node_expect(list, THUD_NODE_SEQUENCE) : THUD_OK;
  for (size_t k = 0; list != NULL && k < thud_node_count(list) && error == THUD_OK; k++)
    error = read(build, thud_node_item(list, k));
  return error;
}

static thud_error read_model(verify_build *build, const thud_node *root) {
  verify_bodies *bodies = build->bodies;
  const thud_node *planar, *gravity;
  thud_error error = thud_arena_create(build->context, 65536, &bodies->arena);
  if (error == THUD_OK) error = thud_node_require(root, "planar", &planar);
  if (error == THUD_OK) error = thud_node_read_bool(planar, &bodies->planar);
  if (error == THUD_OK) error = thud_node_require(root, "gravity", &gravity);
  build->dimension = bodies->planar ? 2 : 3;
  if (error == THUD_OK) error = thud_verify_given_vector(build, root, "gravity", &bodies->gravity);
  if (error == THUD_OK) error = thud_verify_read_laws(build, root);
  if (error == THUD_OK) error = read_named_shapes(build, thud_node_find(root, "shapes"));
  if (error == THUD_OK) error = read_entries(build, thud_node_find(root, "bodies"), read_entry);
  if (error == THUD_OK) error = read_entries(build, thud_node_find(root, "springs"), read_spring);
  if (error == THUD_OK) error = read_entries(build, thud_node_find(root, "joints"), thud_verify_read_joint);
  return error == THUD_OK ? thud_verify_compile_pushes(build) : error;
}

static thud_error build_model(verify_bodies *bodies, const thud_node *root) {
  thud_context *context = bodies->scene.context;
  verify_build build = {.bodies = bodies, .context = context, .scene = &bodies->scene, .assumed = SIZE_MAX};
  build.names = thud_names_new(context, NULL);
  build.materials = thud_names_new(context, NULL);
  build.shapes = thud_names_new(context, NULL);
  thud_error error = read_model(&build, root);
  thud_names_free(&build.names);
  thud_names_free(&build.materials);
  thud_names_free(&build.shapes);
  thud_free(context, build.named);
  thud_free(context, build.densities);
  return error;
}

static thud_error read_all(verify_bodies *bodies, const thud_node *root) {
  thud_error error = thud_verify_scene_open(&bodies->scene, root);
  if (error == THUD_OK) error = thud_verify_read_data(&bodies->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_options(bodies, root);
  return error == THUD_OK ? build_model(bodies, root) : error;
}

thud_error thud_verify_bodies_read(thud_context *context, const thud_tree *tree, verify_bodies *bodies) {
  *bodies = (verify_bodies){.scene = {.context = context}};
  bodies->options = (verify_bodies_options){
      .tolerance = thud_verify_default_number(&thud_verify_bodies_kind, "/simulate/tolerance"),
      .penetration = thud_verify_default_number(&thud_verify_bodies_kind, "/simulate/penetration"),
      .energy_tolerance = thud_verify_default_number(&thud_verify_bodies_kind, "/simulate/energy_tolerance"),
      .predicted = true,
      .gyroscopic = true};
  thud_error error = read_all(bodies, thud_tree_root(tree));
  if (error != THUD_OK) thud_verify_bodies_free(bodies);
  return error;
}

/* ---- materials and the laws of their pairs ----------------------------------------------------------------------- */

static const verify_contact_law smooth = {.mu_across = -1, .axis = {1, 0, 0}};

/* A law as the scene gives it, where it does; *law keeps the rest. */
static thud_error read_law(verify_build *build, const thud_node *map, verify_contact_law *law) {
  const thud_node *friction = thud_node_find(map, "friction");
  double both[2] = {0, -1};
  thud_error error = THUD_OK;
  if (friction != NULL)
    error = thud_node_get_kind(friction) == THUD_NODE_SEQUENCE
                ? thud_verify_given_numbers(build, friction, 2, both)
                : thud_verify_read_constant(build->scene, friction, &both[0]);
  if (friction != NULL) {
    law->mu = both[0];
    law->mu_across = both[1];
  }
  if (error == THUD_OK) error = thud_verify_given_axis(build, map, "axis", &law->axis);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "restitution", &law->restitution);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "rolling", &law->rolling);
  return error == THUD_OK ? thud_verify_given_number(build, map, "spinning", &law->spinning) : error;
}

/* Every material with itself has its own law, two of them what the rule makes of both. */
static void combine_all(verify_bodies *bodies, const verify_contact_law *own) {
  for (size_t i = 0; i < bodies->material_count; i++)
    for (size_t j = i; j < bodies->material_count; j++) {
      bool of_second = false;
      verify_contact_law law = i == j ? own[i] : thud_verify_combine_laws(&own[i], &own[j], &of_second);
      bodies->pair[bodies->pair_count++] = (verify_material_pair){of_second ? j : i, of_second ? i : j, law};
    }
}

/* An entry of `pairs` changes the law that holds so far; a direction is fixed in the body of its first material. */
static thud_error read_pair(verify_build *build, const thud_node *map) {
  verify_bodies *bodies = build->bodies;
  const thud_node *both;
  const char *name;
  size_t number[2] = {0, 0};
  thud_error error = thud_node_require(map, "materials", &both);
  if (error == THUD_OK) error = thud_node_expect(both, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(both) != 2)
    error = thud_node_fail(both, THUD_ERROR_SCHEMA, "a pair is two materials");
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) {
    error = thud_node_read_string(thud_node_item(both, k), &name);
    number[k] = error == THUD_OK ? thud_names_find(&build->materials, name, strlen(name)) : 0;
    if (number[k] == THUD_NAMES_NONE) error = thud_node_fail(both, THUD_ERROR_SCHEMA, "there is no such material");
  }
  for (size_t k = 0; k < bodies->pair_count && error == THUD_OK; k++) {
    verify_material_pair *pair = &bodies->pair[k];
    bool straight = pair->first == number[0] && pair->second == number[1];
    if (!straight && (pair->first != number[1] || pair->second != number[0])) continue;
    pair->first = number[0];
    pair->second = number[1];
    return read_law(build, map, &pair->law);
  }
  return error;
}

/* The last material is that of parts without one. */
thud_error thud_verify_read_laws(verify_build *build, const thud_node *root) {
  verify_bodies *bodies = build->bodies;
  const thud_node *materials = thud_node_find(root, "materials"), *pairs = thud_node_find(root, "pairs");
  thud_error error = materials != NULL ? thud_node_expect(materials, THUD_NODE_MAP) : THUD_OK;
  if (error == THUD_OK && pairs != NULL) error = thud_node_expect(pairs, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t given = materials != NULL ? thud_node_count(materials) : 0, count = given + 1;
  verify_contact_law *own = THUD_NEW_ARRAY(build->context, verify_contact_law, count);
  bodies->material = THUD_NEW_ARRAY(build->context, const char *, count);
  bodies->pair = THUD_NEW_ARRAY(build->context, verify_material_pair, count * (count + 1) / 2);
  build->densities = THUD_NEW_ARRAY(build->context, double, count);
  if (own == NULL || bodies->material == NULL || bodies->pair == NULL || build->densities == NULL)
    error = THUD_ERROR_MEMORY;
  for (size_t k = 0; k < given && error == THUD_OK; k++) {
    const thud_node *map = thud_node_item(materials, k);
    bodies->material[k] = thud_node_key(materials, k);
    own[k] = smooth;
    error = thud_names_add(&build->materials, bodies->material[k], strlen(bodies->material[k]), k, NULL);
    if (error == THUD_OK) error = thud_node_expect(map, THUD_NODE_MAP);
    if (error == THUD_OK) error = read_law(build, map, &own[k]);
    if (error == THUD_OK) error = thud_verify_given_number(build, map, "density", &build->densities[k]);
  }
  if (error == THUD_OK) {
    own[given] = smooth;
    bodies->material[given] = "(none)";
    build->bare = given;
    bodies->material_count = count;
    combine_all(bodies, own);
  }
  for (size_t k = 0; pairs != NULL && k < thud_node_count(pairs) && error == THUD_OK; k++)
    error = read_pair(build, thud_node_item(pairs, k));
  for (size_t k = 0; k < bodies->pair_count; k++) {
    bodies->rolling = bodies->rolling || bodies->pair[k].law.rolling > 0;
    bodies->spinning = bodies->spinning || bodies->pair[k].law.spinning > 0;
  }
  thud_free(build->context, own);
  return error;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-14 * (fabs(a) + fabs(b)); }

bool thud_verify_same_law(const verify_contact_law *a, const verify_contact_law *b) {
  bool directed = a->mu_across >= 0;
  return near(a->mu, b->mu) && directed == (b->mu_across >= 0) && (!directed || near(a->mu_across, b->mu_across)) &&
         (!directed || thud_vec3_distance(a->axis, b->axis) <= 1e-14) && near(a->restitution, b->restitution) &&
         near(a->rolling, b->rolling) && near(a->spinning, b->spinning);
}

/* ---- forces on bodies and paths of kinematic ones ---------------------------------------------------------------- */

/* Forces on bodies and paths of kinematic ones: expressions. */

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

/* ---- functions of a program --------------------------------------------------------------------------------------------- */

bool thud_verify_is_told(const thud_node *node) {
  const thud_node *flag = node != NULL && thud_node_get_kind(node) == THUD_NODE_MAP && thud_node_count(node) == 1
                              ? thud_node_find(node, "functions")
                              : NULL;
  bool told = false;
  return flag != NULL && thud_node_read_bool(flag, &told) == THUD_OK && told;
}

/* Rows have the numbers of the functions in the order of the bodies; a pattern of several has none. */
static thud_error take_place(verify_build *build, const thud_node *map, size_t count, size_t *at) {
  if (thud_node_find(map, "name") == NULL)
    return thud_node_fail(map, THUD_ERROR_SCHEMA, "functions belong to single bodies, which have a name");
  *at = build->bodies->told_size;
  build->bodies->told_size += count;
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
  made->told = thud_verify_is_told(force);
  if (!made->told) return THUD_OK;
  made->force = made->torque = NULL;
  return torque == NULL ? take_place(build, map, VERIFY_TOLD_FORCE, &made->at)
                        : thud_node_fail(torque, THUD_ERROR_SCHEMA, "the function of the force gives the torque");
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
    if (push->told) continue;
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

thud_error thud_verify_read_path(verify_build *build, const thud_node *map, const thud_node *node, verify_path **made) {
  thud_vec3 axis = {0, 0, 1};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_verify_is_told(node)) {
    error = new_path(build, axis, made);
    if (error != THUD_OK) return error;
    (*made)->told = true;
    return take_place(build, map, VERIFY_TOLD_PATH, &(*made)->at);
  }
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

/* ---- one body of a scene, or the pattern that a generator or a table repeats ------------------------------------- */

/* ---- values --------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_given_number(verify_build *build, const thud_node *map, const char *key, double *value) {
  return thud_verify_read_optional(build->scene, map, key, value);
}

thud_error thud_verify_given_count(verify_build *build, const thud_node *map, const char *key, size_t *value) {
  const thud_node *node = thud_node_find(map, key);
  double number = 0;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_verify_read_constant(build->scene, node, &number);
  if (error == THUD_OK && !(number >= 0 && number <= 0x1p53 && number == floor(number)))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a whole number is needed here, not %g", number);
  if (error == THUD_OK) *value = (size_t)number;
  return error;
}

thud_error thud_verify_given_flag(const thud_node *map, const char *key, bool *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_bool(node, value) : THUD_OK;
}

thud_error thud_verify_given_numbers(verify_build *build, const thud_node *list, size_t count, double *values) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed here", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_constant(build->scene, thud_node_item(list, k), &values[k]);
  return error;
}

thud_error thud_verify_given_vector(verify_build *build, const thud_node *map, const char *key, thud_vec3 *vector) {
  const thud_node *node = thud_node_find(map, key);
  double x[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_verify_given_numbers(build, node, build->dimension, x);
  if (error == THUD_OK) *vector = thud_vec3_load(x);
  return error;
}

thud_error thud_verify_given_axis(verify_build *build, const thud_node *map, const char *key, thud_vec3 *axis) {
  const thud_node *node = thud_node_find(map, key);
  double x[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_verify_given_numbers(build, node, 3, x);
  if (error == THUD_OK && !thud_vec3_normalise(thud_vec3_load(x), axis))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "this axis has no direction");
  return error;
}

thud_error thud_verify_given_name(const thud_node *map, const char *key, const thud_names *names, const char *what,
                                  size_t *number) {
  const thud_node *node = thud_node_find(map, key);
  const char *name;
  *number = SIZE_MAX;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  *number = thud_names_find(names, name, strlen(name));
  return *number != THUD_NAMES_NONE ? THUD_OK
                                    : thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no %s '%s'", what, name);
}

/* {axis, angle}, a quaternion, or in the plane an angle. */
static thud_error given_rotation(verify_build *build, const thud_node *map, thud_quat *q) {
  const thud_node *node = thud_node_find(map, "rotation"), *turn = node;
  double w[4] = {1, 0, 0, 0}, angle = 0;
  thud_vec3 axis = {0, 0, 1};
  thud_error error = THUD_OK;
  if (node == NULL) return THUD_OK;
  if (!build->bodies->planar && thud_node_get_kind(node) == THUD_NODE_SEQUENCE) {
    error = thud_verify_given_numbers(build, node, 4, w);
    *q = thud_quat_normalise(thud_quat_make(w[0], w[1], w[2], w[3]));
    return error;
  }
  if (!build->bodies->planar) {
    error = thud_node_expect(node, THUD_NODE_MAP);
    if (error == THUD_OK) error = thud_node_require(node, "angle", &turn);
    if (error == THUD_OK) error = thud_verify_given_axis(build, node, "axis", &axis);
  }
  if (error == THUD_OK) error = thud_verify_read_constant(build->scene, turn, &angle);
  *q = thud_quat_from_rotation_vector(thud_vec3_scale(angle, axis));
  return error;
}

/* ---- parts ---------------------------------------------------------------------------------------------------------- */

/* The material and density of parts that say nothing else; density < 0: that of the material. */
typedef struct part_stuff {
  size_t material;
  double density;
} part_stuff;

static thud_error given_stuff(verify_build *build, const thud_node *map, part_stuff *stuff) {
  size_t number;
  thud_error error = thud_verify_given_name(map, "material", &build->materials, "material", &number);
  if (error == THUD_OK && number != SIZE_MAX) stuff->material = number;
  return error == THUD_OK ? thud_verify_given_number(build, map, "density", &stuff->density) : error;
}

static thud_error read_part(verify_build *build, const thud_node *map, part_stuff stuff, verify_part *part,
                            double *density) {
  const thud_node *shape;
  thud_quat q = {1, 0, 0, 0};
  thud_error error = thud_node_require(map, "shape", &shape);
  if (error == THUD_OK) error = thud_verify_given_shape(build, shape, &part->shape);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "position", &part->place.x0);
  if (error == THUD_OK) error = given_rotation(build, map, &q);
  if (error == THUD_OK) error = given_stuff(build, map, &stuff);
  part->place.R = thud_quat_to_matrix(q);
  part->material = stuff.material;
  *density = stuff.density >= 0 ? stuff.density : build->densities[stuff.material];
  return error;
}

static thud_error read_parts(verify_build *build, const thud_node *map, verify_pattern *pattern) {
  const thud_node *parts = thud_node_find(map, "parts"), *shape = thud_node_find(map, "shape");
  part_stuff stuff = {build->bare, -1};
  thud_error error = given_stuff(build, map, &stuff);
  if (error == THUD_OK && parts != NULL) error = thud_node_expect(parts, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && parts == NULL && shape == NULL && build->assumed == SIZE_MAX)
    error = thud_node_fail(map, THUD_ERROR_SCHEMA, "this body has no shape");
  if (error == THUD_OK && parts != NULL && thud_node_count(parts) == 0)
    error = thud_node_fail(parts, THUD_ERROR_SCHEMA, "this body has no parts");
  if (error != THUD_OK) return error;
  pattern->part_count = parts != NULL ? thud_node_count(parts) : 1;
  pattern->parts = THUD_NEW_ARRAY(build->context, verify_part, pattern->part_count);
  pattern->density = THUD_NEW_ARRAY(build->context, double, pattern->part_count);
  if (pattern->parts == NULL || pattern->density == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; parts != NULL && k < pattern->part_count && error == THUD_OK; k++)
    error = read_part(build, thud_node_item(parts, k), stuff, &pattern->parts[k], &pattern->density[k]);
  if (parts != NULL) return error;
  pattern->parts[0] = (verify_part){.shape = build->assumed, .material = stuff.material};
  pattern->parts[0].place.R = thud_mat3_identity();
  pattern->density[0] = stuff.density >= 0 ? stuff.density : build->densities[stuff.material];
  return shape != NULL ? thud_verify_given_shape(build, shape, &pattern->parts[0].shape) : THUD_OK;
}

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

static thud_error given_inertia(verify_build *build, const thud_node *node, thud_mat3 *inertia) {
  double m[9] = {0}, moments[3];
  thud_error error = THUD_OK;
  if (build->bodies->planar) {
    error = thud_verify_read_constant(build->scene, node, &m[8]);
  } else if (thud_node_count(node) > 0 && thud_node_get_kind(thud_node_item(node, 0)) == THUD_NODE_SEQUENCE) {
    for (size_t r = 0; r < 3 && error == THUD_OK; r++)
      error = thud_node_count(node) == 3 ? thud_verify_given_numbers(build, thud_node_item(node, r), 3, m + 3 * r)
                                         : thud_node_fail(node, THUD_ERROR_SCHEMA, "a matrix of 3 x 3 belongs here");
  } else {
    error = thud_verify_given_numbers(build, node, 3, moments);
    for (size_t k = 0; k < 3 && error == THUD_OK; k++) m[4 * k] = moments[k];
  }
  thud_mat3 given = thud_mat3_load(m); /* of which the symmetric part counts */
  *inertia = thud_mat3_scale(0.5, thud_mat3_add(given, thud_mat3_transpose(given)));
  return error;
}

static thud_error given_mass(verify_build *build, const thud_node *map, verify_rigid *body) {
  const thud_node *inertia = thud_node_find(map, "inertia");
  thud_error error = thud_verify_given_number(build, map, "mass", &body->mass);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "centre", &body->centre);
  return error == THUD_OK && inertia != NULL ? given_inertia(build, inertia, &body->inertia) : error;
}

static thud_error given_filters(verify_build *build, const thud_node *map, verify_rigid *body) {
  size_t group = 0, category = 1, mask = UINT32_MAX;
  thud_error error = thud_verify_given_count(build, map, "group", &group);
  if (error == THUD_OK) error = thud_verify_given_count(build, map, "category", &category);
  if (error == THUD_OK) error = thud_verify_given_count(build, map, "mask", &mask);
  body->group = thud_node_find(map, "group") != NULL ? (int64_t)group : -1;
  body->category = (uint32_t)category;
  body->mask = (uint32_t)mask;
  return error;
}

static thud_error given_role(verify_build *build, const thud_node *map, verify_rigid *body) {
  const thud_node *path = thud_node_find(map, "path");
  bool fixed = false;
  thud_error error = thud_verify_given_flag(map, "fixed", &fixed);
  if (error == THUD_OK) error = thud_verify_given_flag(map, "absent", &body->absent);
  body->role = fixed ? VERIFY_FIXED : path != NULL ? VERIFY_KINEMATIC : VERIFY_DYNAMIC;
  return error == THUD_OK && body->role == VERIFY_KINEMATIC ? thud_verify_read_path(build, map, path, &body->path)
                                                            : error;
}

static thud_error given_motion(verify_build *build, const thud_node *map, verify_pattern *pattern) {
  const thud_node *spin = thud_node_find(map, "spin");
  double w[3] = {0, 0, 0};
  thud_error error = thud_verify_given_vector(build, map, "position", &pattern->position);
  if (error == THUD_OK) error = given_rotation(build, map, &pattern->rotation);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "velocity", &pattern->velocity);
  if (error == THUD_OK && spin != NULL)
    error = build->bodies->planar ? thud_verify_read_constant(build->scene, spin, &w[2])
                                  : thud_verify_given_numbers(build, spin, 3, w);
  pattern->spin = thud_vec3_load(w);
  return error == THUD_OK ? thud_verify_given_number(build, map, "gravity_scale", &pattern->body.gravity_scale) : error;
}

thud_error thud_verify_pattern_read(verify_build *build, const thud_node *node, verify_pattern *pattern) {
  *pattern = (verify_pattern){.body = {.gravity_scale = 1, .q = {1, 0, 0, 0}}, .rotation = {1, 0, 0, 0}};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = given_role(build, node, &pattern->body);
  if (error == THUD_OK) error = read_parts(build, node, pattern);
  if (error == THUD_OK) error = given_mass(build, node, &pattern->body);
  if (error == THUD_OK) error = given_motion(build, node, pattern);
  if (error == THUD_OK) error = given_filters(build, node, &pattern->body);
  return error == THUD_OK ? thud_verify_read_push(build, node, &pattern->body.push) : error;
}

void thud_verify_pattern_free(const verify_build *build, verify_pattern *pattern) {
  thud_free(build->context, pattern->parts);
  thud_free(build->context, pattern->density);
  pattern->parts = NULL;
  pattern->density = NULL;
  pattern->part_count = 0;
}

thud_error thud_verify_pattern_copy(const verify_build *build, const verify_pattern *pattern, verify_pattern *copy) {
  size_t n = pattern->part_count;
  *copy = *pattern;
  copy->parts = THUD_NEW_ARRAY(build->context, verify_part, n);
  copy->density = THUD_NEW_ARRAY(build->context, double, n);
  if (copy->parts == NULL || copy->density == NULL) {
    thud_verify_pattern_free(build, copy);
    return THUD_ERROR_MEMORY;
  }
  memcpy(copy->parts, pattern->parts, n * sizeof *copy->parts);
  memcpy(copy->density, pattern->density, n * sizeof *copy->density);
  return THUD_OK;
}

thud_error thud_verify_pattern_scale(verify_build *build, const verify_pattern *pattern, double scale,
                                     verify_pattern *scaled) {
  double volume = pow(scale, (double)build->dimension);
  thud_error error = thud_verify_pattern_copy(build, pattern, scaled);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < scaled->part_count && error == THUD_OK; k++) {
    verify_part *part = &scaled->parts[k];
    part->place.x0 = thud_vec3_scale(scale, part->place.x0);
    error = thud_verify_scale_shape(build, part->shape, scale, &part->shape);
  }
  scaled->body.mass *= volume;
  scaled->body.centre = thud_vec3_scale(scale, scaled->body.centre);
  scaled->body.inertia = thud_mat3_scale(volume * scale * scale, scaled->body.inertia);
  return error;
}

double thud_verify_pattern_radius(const verify_bodies *bodies, const verify_pattern *pattern) {
  double radius = 0;
  for (size_t k = 0; k < pattern->part_count; k++) {
    const verify_part *part = &pattern->parts[k];
    radius = fmax(radius, thud_vec3_norm(part->place.x0) + thud_verify_shape_size(&bodies->shape[part->shape]));
  }
  return radius;
}

verify_box thud_verify_pattern_box(const verify_bodies *bodies, const verify_pattern *pattern) {
  verify_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  thud_mat3 turn = thud_quat_to_matrix(pattern->rotation);
  for (size_t k = 0; k < pattern->part_count; k++) {
    const verify_place *inner = &pattern->parts[k].place;
    verify_place place = {thud_mat3_apply(turn, inner->x0), thud_mat3_multiply(turn, inner->R)};
    verify_box box = thud_verify_shape_box(&bodies->shape[pattern->parts[k].shape], &place);
    all.low = thud_vec3_make(fmin(all.low.x, box.low.x), fmin(all.low.y, box.low.y), fmin(all.low.z, box.low.z));
    all.high = thud_vec3_make(fmax(all.high.x, box.high.x), fmax(all.high.y, box.high.y), fmax(all.high.z, box.high.z));
  }
  return all;
}

/* ---- bodies --------------------------------------------------------------------------------------------------------- */

static bool has_hull(const verify_bodies *bodies, const verify_pattern *pattern) {
  bool hull = false;
  for (size_t k = 0; k < pattern->part_count; k++)
    hull = hull || (!bodies->planar && thud_verify_form_of(&bodies->shape[pattern->parts[k].shape])->corners);
  return hull;
}

static thud_error keep_name(verify_build *build, const char *name, const char **kept) {
  size_t length = strlen(name), there = THUD_NAMES_NONE;
  char *copy = thud_arena_alloc(build->bodies->arena, length + 1, 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, name, length + 1);
  *kept = copy;
  thud_error error = thud_names_add(&build->names, copy, length, build->bodies->count, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_fail(build->context, THUD_ERROR_SCHEMA, "two bodies have the name '%s'", name);
  return error;
}

thud_error thud_verify_add_body(verify_build *build, const verify_pattern *pattern, const char *name, thud_vec3 place,
                                thud_quat turn, double size) {
  verify_bodies *bodies = build->bodies;
  size_t i = bodies->count, first = bodies->part_count, n = pattern->part_count;
  thud_error error =
      thud_array_reserve(build->context, &bodies->body, &build->body_capacity, i + 1, sizeof *bodies->body);
  if (error == THUD_OK)
    error = thud_array_reserve(build->context, &bodies->start, &build->start_capacity, i + 1, sizeof *bodies->start);
  if (error == THUD_OK)
    error = thud_array_reserve(build->context, &bodies->part, &build->part_capacity, first + n, sizeof *bodies->part);
  if (error != THUD_OK) return error;
  verify_rigid *body = &bodies->body[i];
  *body = pattern->body;
  error = keep_name(build, name, &body->name);
  if (error != THUD_OK) return error;
  body->first_part = first;
  body->part_count = n;
  for (size_t k = 0; k < n; k++) {
    bodies->part[first + k] = pattern->parts[k];
    bodies->part[first + k].body = i;
  }
  body->q = thud_quat_multiply(turn, pattern->rotation);
  body->x = thud_vec3_add(place, thud_quat_rotate(body->q, body->centre));
  double reach = thud_vec3_norm(body->centre); /* of the terms that the centre of mass is the sum of */
  for (size_t k = 0; k < n; k++) reach = fmax(reach, thud_vec3_norm(pattern->parts[k].place.x0));
  bodies->start[i] = (verify_start){.state = {body->x, body->q, pattern->velocity, pattern->spin},
                                    .size = size + reach,
                                    .is_hull = has_hull(bodies, pattern)};
  bodies->part_count += n;
  bodies->count++;
  return THUD_OK;
}

thud_error thud_verify_add_spring(verify_build *build, verify_spring spring) {
  verify_bodies *bodies = build->bodies;
  thud_error error = thud_array_reserve(build->context, &bodies->spring, &build->spring_capacity,
                                        bodies->spring_count + 1, sizeof *bodies->spring);
  if (error != THUD_OK) return error;
  spring.at_a = thud_vec3_subtract(spring.at_a, bodies->body[spring.a].centre);
  if (spring.b != SIZE_MAX) spring.at_b = thud_vec3_subtract(spring.at_b, bodies->body[spring.b].centre);
  bodies->spring[bodies->spring_count++] = spring;
  return THUD_OK;
}

thud_error thud_verify_read_body(verify_build *build, const thud_node *node) {
  verify_pattern pattern;
  char numbered[32];
  const char *name = numbered;
  const thud_node *named = thud_node_get_kind(node) == THUD_NODE_MAP ? thud_node_find(node, "name") : NULL;
  snprintf(numbered, sizeof numbered, "body-%zu", build->bodies->count + 1);
  thud_error error = thud_verify_pattern_read(build, node, &pattern);
  if (error == THUD_OK) error = thud_verify_pattern_finish(build->bodies, node, &pattern);
  if (error == THUD_OK && named != NULL) error = thud_node_read_string(named, &name);
  if (error == THUD_OK)
    error = thud_verify_add_body(build, &pattern, name, pattern.position, thud_quat_identity(),
                                 thud_vec3_norm(pattern.position));
  thud_verify_pattern_free(build, &pattern);
  return error;
}
