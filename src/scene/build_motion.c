/* `initial`, `simulate` and checkpoints of `system` scenes. */
#include "scene/system.h"

#include <math.h>
#include <string.h>

static thud_error read_state(thud_scene *scene, const thud_node *initial, char *const *names, bool needed,
                             double *values) {
  thud_error error = THUD_OK;
  for (thud_index k = 0; k < scene->dimension && error == THUD_OK; k++) {
    const thud_node *node = thud_node_find(initial, names[k]);
    values[k] = 0;
    if (node == NULL && needed) error = thud_node_require(initial, names[k], &node);
    if (error == THUD_OK && node != NULL) error = scene_read_constant(scene, node, &values[k]);
  }
  return error;
}

thud_error scene_read_start(thud_scene *scene, const thud_node *root, char *const *velocities, double **q0,
                            double **v0) {
  size_t n = (size_t)scene->dimension;
  const thud_node *initial;
  thud_error error = thud_node_require(root, "initial", &initial);
  const char **names = THUD_NEW_ARRAY(scene->context, const char *, 2 * n);
  *q0 = THUD_NEW_ARRAY(scene->context, double, n);
  *v0 = THUD_NEW_ARRAY(scene->context, double, n);
  if (names == NULL || *q0 == NULL || *v0 == NULL) error = THUD_ERROR_MEMORY;
  for (size_t k = 0; k < n && error == THUD_OK; k++) {
    names[k] = scene->coordinates[k];
    names[n + k] = velocities[k];
  }
  if (error == THUD_OK) error = thud_node_check_keys(initial, names, 2 * n);
  thud_free(scene->context, names);
  if (error == THUD_OK) error = read_state(scene, initial, scene->coordinates, true, *q0);
  if (error == THUD_OK) error = read_state(scene, initial, velocities, false, *v0);
  return error;
}

static bool is_read_elsewhere(const char *key) {
  static const char *const keys[] = {"method", "start", "end", "steps"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (strcmp(key, keys[k]) == 0) return true;
  return false;
}

/* The keys of the options table stand among the keys of `simulate`. */
static thud_error read_options(thud_scene *scene, const thud_node *simulate) {
  const thud_option_table *table = thud_motion_option_table();
  thud_motion_options *options = &scene->lagrangian->motion;
  for (size_t k = 0; k < table->count; k++) {
    const char *key = table->keys[k].name;
    const thud_node *node = thud_node_find(simulate, key);
    double value;
    if (node == NULL || is_read_elsewhere(key)) continue;
    thud_error error = scene_read_constant(scene, node, &value);
    if (error != THUD_OK) return error;
    error = thud_options_set_number(scene->context, table, options, key, value);
    if (error != THUD_OK) return thud_node_fail_within(node, THUD_ERROR_SCHEMA);
  }
  return THUD_OK;
}

static thud_error read_method(thud_scene *scene, const thud_node *simulate) {
  const thud_option_key *key = thud_options_find(thud_motion_option_table(), "method");
  const thud_node *node;
  thud_error error = thud_node_require(simulate, "method", &node);
  return error == THUD_OK ? thud_node_read_choice(node, key->choices, &scene->lagrangian->motion.method) : error;
}

/* Equal steps (step or steps), or a tolerance. */
static thud_error read_step(thud_scene *scene, const thud_node *simulate) {
  thud_motion_options *options = &scene->lagrangian->motion;
  options->start = scene->start;
  options->end = scene->end;
  options->steps = 0;
  bool equal = thud_node_find(simulate, "step") != NULL || thud_node_find(simulate, "steps") != NULL;
  if (options->tolerance > 0 && equal)
    return thud_node_fail(simulate, THUD_ERROR_SCHEMA,
                          "give either 'tolerance' (controlled steps) or 'step' or 'steps' (equal ones)");
  if (options->tolerance > 0) return THUD_OK;
  thud_error error = scene_read_steps(scene, simulate);
  options->steps = scene->steps;
  return error;
}

static thud_error read_simulate(thud_scene *scene, const thud_node *root) {
  enum { MOST_KEYS = 32 };
  const thud_option_table *table = thud_motion_option_table();
  const char *keys[MOST_KEYS];
  size_t count = 0;
  for (size_t k = 0; k < table->count && count < MOST_KEYS - 1; k++) keys[count++] = table->keys[k].name;
  keys[count++] = "step";
  const thud_node *simulate = thud_node_find(root, "simulate");
  thud_error error = thud_node_check_keys(simulate, keys, count);
  if (error == THUD_OK) error = read_method(scene, simulate);
  if (error == THUD_OK) error = read_options(scene, simulate);
  return error == THUD_OK ? read_step(scene, simulate) : error;
}

static thud_error read_checkpoints(thud_scene *scene, const thud_node *record) {
  const thud_node *node = record != NULL ? thud_node_find(record, "checkpoint_every") : NULL;
  if (node == NULL) return THUD_OK;
  double *every = &scene->lagrangian->checkpoint_every;
  thud_error error = scene_read_constant(scene, node, every);
  if (error == THUD_OK && !(*every > 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "'checkpoint_every' must be greater than 0, not %g", *every);
  return error;
}

thud_error scene_build_lagrangian_start(thud_scene *scene, const thud_node *root) {
  thud_error error = read_simulate(scene, root);
  if (error == THUD_OK)
    error =
        scene_read_start(scene, root, scene->lagrangian->velocities, &scene->lagrangian->q0, &scene->lagrangian->v0);
  return error == THUD_OK ? read_checkpoints(scene, thud_node_find(root, "record")) : error;
}
