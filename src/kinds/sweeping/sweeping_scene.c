/* `sweeping` scenes: the moving set, its metric, the initial state and how it is swept. */
#include "kinds/sweeping/sweeping_scene.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"

#include <math.h>

static const char *const method_names[] = {"catching-up", "regularised", NULL};

static const thud_option_key rows[] = {
    {"method", THUD_OPTION_CHOICE, 0, 0, 0, 0, false, method_names, "",
     "the implicit scheme of the process itself, or that of a penalty with the relaxation time `lambda`"},
    {"refinements", THUD_OPTION_INT, 0, 1, 0, 12, false, NULL, "1", "halvings of the partition for the error estimate"},
};

const thud_option_table *thud_scene_sweeping_option_table(void) {
  static const thud_option_table table = {.name = "sweeping scene", .keys = rows, .count = sizeof rows / sizeof *rows};
  return &table;
}

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

thud_error thud_sweeping_scene_resolve(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *sweeping = thud_node_find(root, "sweeping");
  const thud_node *simulate = thud_node_find(root, "simulate"),
                  *coordinates = thud_resolve_find(sweeping, "coordinates");
  thud_error error = thud_resolve_text(tree, sweeping, "metric", "euclidean");
  if (error == THUD_OK)
    error = thud_resolve_set(tree, thud_resolve_find(sweeping, "set"), thud_resolve_count(coordinates));
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, thud_scene_sweeping_option_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, thud_scene_classify_option_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, thud_sweep_option_table(), NULL);
  return error == THUD_OK ? thud_resolve_units(tree, coordinates) : error;
}

/* ---- evaluation of the moving set's parameters ------------------------------------------------------------------- */

static int evaluate_motion(void *user, double t, thud_side side, double *out) {
  thud_scene_numbers_at(user, t, side, out);
  return 0;
}

thud_moving_set thud_sweeping_scene_set(const sweeping_scene *made) {
  return (thud_moving_set){.set = made->set, .parameters = made->numbers.moves ? &made->set_motion : NULL};
}

/* ---- simulate ---------------------------------------------------------------------------------------------------- */

/* The keys of the options table may be among the keys of `simulate`. */
static thud_error read_sweep_options(sweeping_scene *made, const thud_node *simulate) {
  thud_scene *scene = made->scene;
  const thud_option_table *table = thud_sweep_option_table();
  made->options = thud_sweep_options_default();
  for (size_t k = 0; k < table->count; k++) {
    const thud_node *node;
    double value;
    thud_error error = thud_node_require(simulate, table->keys[k].name, &node);
    if (error == THUD_OK) error = thud_scene_read_constant(scene, node, &value);
    if (error != THUD_OK) return error;
    error = thud_options_set_number(scene->context, table, &made->options, table->keys[k].name, value);
    if (error != THUD_OK) return thud_node_fail_within(node, THUD_ERROR_SCHEMA);
  }
  return THUD_OK;
}

static thud_error read_method(sweeping_scene *made, const thud_node *simulate) {
  const thud_node *node;
  int method = 0;
  thud_error error = thud_node_require(simulate, "method", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, method_names, &method);
  made->method = (thud_sweep_method)method;
  return error;
}

static thud_error build_simulate(sweeping_scene *made, const thud_node *root) {
  thud_scene *scene = made->scene;
  const thud_option_key *key = thud_options_find(thud_scene_sweeping_option_table(), "refinements");
  const thud_node *simulate, *node;
  double refinements = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = read_method(made, simulate);
  if (error == THUD_OK && thud_resolve_find(thud_node_find(root, "sweeping"), "partition") == NULL)
    error = thud_scene_read_steps(scene, simulate);
  if (error == THUD_OK) error = read_sweep_options(made, simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, key->name, &node);
  if (error == THUD_OK) error = thud_scene_read_whole(scene, node, key->minimum, key->maximum, &refinements);
  made->refinements = (int)refinements;
  return error == THUD_OK ? thud_scene_read_classify(scene, simulate, &made->levels) : error;
}

/* ---- the set ----------------------------------------------------------------------------------------------------- */

/* "euclidean", a list of n numbers (diagonal) or n lists of n numbers. */
static thud_error read_metric(sweeping_scene *made, const thud_node *node) {
  thud_scene *scene = made->scene;
  static const char *const named[] = {"euclidean", NULL};
  int choice;
  if (thud_node_get_kind(node) == THUD_NODE_STRING) return thud_node_read_choice(node, named, &choice);
  size_t n = (size_t)scene->dimension;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(node) != n)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] a metric of %zu rows is needed here, found %zu", n,
                          thud_node_count(node));
  double *M = THUD_NEW_ARRAY(scene->context, double, n *n);
  if (M == NULL) return THUD_ERROR_MEMORY;
  bool diagonal = thud_node_get_kind(thud_node_item(node, 0)) != THUD_NODE_SEQUENCE;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = thud_node_item(node, i);
    if (diagonal) {
      error = thud_scene_read_constant(scene, row, &M[i]);
      continue;
    }
    error = thud_node_expect(row, THUD_NODE_SEQUENCE);
    if (error == THUD_OK && thud_node_count(row) != n)
      error = thud_node_fail(row, THUD_ERROR_SCHEMA, "[wrong-count] a row of %zu numbers is needed here, found %zu", n,
                             thud_node_count(row));
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = thud_scene_read_constant(scene, thud_node_item(row, j), &M[i + j * n]);
  }
  if (error == THUD_OK) {
    error = diagonal ? thud_metric_create_diagonal(scene->context, scene->dimension, M, &made->metric)
                     : thud_metric_create(scene->context, scene->dimension, M, &made->metric);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(node, error);
  }
  thud_free(scene->context, M);
  return error;
}

static thud_error build_names(sweeping_scene *made, const thud_node *sweeping) {
  static const char *const keys[] = {"coordinates", "metric", "set", "perturbation", "partition"};
  const thud_node *coordinates;
  thud_error error = thud_node_check_keys(sweeping, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK)
    error = thud_node_require_as(sweeping, "coordinates", "a list of names, such as [x, y]", &coordinates);
  return error == THUD_OK ? thud_scene_read_names(made->scene, coordinates) : error;
}

static thud_error build_set(sweeping_scene *made, const thud_node *sweeping) {
  thud_scene *scene = made->scene;
  const thud_node *metric, *set;
  thud_error error = thud_node_require(sweeping, "metric", &metric);
  if (error == THUD_OK) error = read_metric(made, metric);
  if (error == THUD_OK)
    error = thud_node_require_as(sweeping, "set", "a convex set, such as {ball: {centre: [t, 0], radius: 1}}", &set);
  if (error == THUD_OK) error = thud_scene_build_set(&made->numbers, set, scene->dimension, &made->set);
  if (error != THUD_OK) return error;
  if (made->numbers.values.count != thud_set_parameter_count(made->set))
    return thud_node_fail(set, THUD_ERROR_INTERNAL, "the set has %zu parameters, the scene gave %zu",
                          thud_set_parameter_count(made->set), made->numbers.values.count);
  error = thud_scene_values_common_jumps(scene, &made->numbers.values, &made->numbers.jumps);
  if (error != THUD_OK) return thud_node_fail_within(set, error);
  made->set_motion = (thud_regulated){.dimension = (thud_index)made->numbers.values.count,
                                      .evaluate = evaluate_motion,
                                      .user = &made->numbers,
                                      .may_be_infinite = true,
                                      .jump_count = made->numbers.jumps.count,
                                      .jumps = made->numbers.jumps.items};
  return THUD_OK;
}

/* Distance of the initial state to C(start): the first thing a person wants to know of a scene. */
static thud_error measure_initial(sweeping_scene *made, const thud_node *root) {
  thud_scene *scene = made->scene;
  double *scratch = THUD_NEW_ARRAY(scene->context, double, made->numbers.values.count);
  if (scratch == NULL) return THUD_ERROR_MEMORY;
  thud_moving_set moving = thud_sweeping_scene_set(made);
  thud_sweeping_at_state(made, made->initial);
  thud_error error = thud_moving_set_place(&moving, scene->start, THUD_SIDE_VALUE, scratch);
  if (error == THUD_OK)
    error = thud_set_distance(made->set, made->metric, made->initial, &made->initial_distance, NULL);
  thud_free(scene->context, scratch);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  return thud_node_fail_within(thud_node_find(thud_node_find(root, "sweeping"), "set"), error);
}

static thud_error build_section(sweeping_scene *made, const thud_node *root) {
  const thud_node *sweeping;
  thud_error error = thud_node_require(root, "sweeping", &sweeping);
  if (error == THUD_OK) error = build_names(made, sweeping);
  if (error == THUD_OK) error = thud_sweeping_read_state(made, root);
  if (error == THUD_OK) error = build_set(made, sweeping);
  if (error == THUD_OK) error = thud_sweeping_read_feedback(made, sweeping);
  if (error == THUD_OK) error = thud_sweeping_read_partition(made, sweeping, thud_node_find(root, "simulate"));
  return error;
}

thud_error thud_sweeping_scene_build(thud_scene *scene, const thud_node *root, sweeping_scene *made) {
  *made = (sweeping_scene){.scene = scene, .numbers = {.scene = scene}};
  thud_error error = build_simulate(made, root);
  if (error == THUD_OK) error = build_section(made, root);
  if (error == THUD_OK) error = thud_scene_build_units(scene, root);
  return error == THUD_OK ? measure_initial(made, root) : error;
}

void thud_sweeping_scene_free(sweeping_scene *made) {
  thud_scene *scene = made->scene;
  thud_context *context = scene->context;
  if (scene->variables == made->variables) scene->variables = NULL;
  for (thud_index i = 0; made->perturbation != NULL && i < scene->dimension; i++)
    thud_scene_value_free(&made->perturbation[i]);
  thud_set_destroy(made->set);
  thud_metric_destroy(made->metric);
  thud_scene_numbers_free(&made->numbers);
  thud_free(context, made->perturbation);
  thud_free(context, made->intervals);
  thud_free(context, made->variables);
  thud_free(context, made->slots);
  thud_free(context, made->initial);
}
