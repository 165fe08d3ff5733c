/* The checker's reading of `bodies` scenes: the model is rebuilt from what the scene says, entry by entry. */
#include "verify/bodies/verify_bodies_read.h"

#include "verify/verify_defaults.h"

#include <string.h>

void thud_verify_bodies_free(verify_bodies *bodies) {
  thud_context *context = bodies->scene.context;
  for (size_t k = 0; k < bodies->shape_count; k++) thud_verify_free_shape(context, &bodies->shape[k]);
  for (size_t k = 0; k < bodies->push_count; k++) thud_verify_free_push(context, bodies->push[k]);
  for (size_t k = 0; k < bodies->path_count; k++) thud_verify_free_path(context, bodies->path[k]);
  void *const arrays[] = {
      bodies->body,  bodies->part,      (void *)bodies->material, bodies->start,        bodies->pair,   bodies->spring,
      bodies->shape, bodies->variables, (void *)bodies->push,     (void *)bodies->path, bodies->applied};
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
      .tolerance = thud_verify_default_number(VERIFY_BODIES, "/simulate/tolerance"),
      .penetration = thud_verify_default_number(VERIFY_BODIES, "/simulate/penetration"),
      .energy_tolerance = thud_verify_default_number(VERIFY_BODIES, "/simulate/energy_tolerance"),
      .predicted = true,
      .gyroscopic = true};
  thud_error error = read_all(bodies, thud_tree_root(tree));
  if (error != THUD_OK) thud_verify_bodies_free(bodies);
  return error;
}
