/* Options as keys of scenes: rows that several kinds of motion read, and one option from its node. */
#include "scene/scene_options.h"

#include <float.h>
#include <math.h>

/* ---- rows --------------------------------------------------------------------------------------------------------- */

static const thud_option_key times[] = {
    {"start", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "s", "initial time"},
    {"end", THUD_OPTION_REAL, 0, NAN, -DBL_MAX, DBL_MAX, false, NULL, "s", "final time, after the start"},
    {"step", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "s",
     "length of a step; shortened so that a whole number of steps fits"},
    {"steps", THUD_OPTION_INT, 0, NAN, 1, SCENE_MOST_STEPS, false, NULL, "1",
     "number of equal steps, instead of `step`"},
};
THUD_SCENE_TABLE(thud_scene_times_option_table, "times", times)

static const thud_option_key classify[] = {
    {"classify", THUD_OPTION_INT, 0, 0, 0, SCENE_MOST_LEVELS, false, NULL, "1",
     "number of partitions, each half as wide as the one before, by which the solution is classified: at least 3; 0: "
     "not at all"},
};
THUD_SCENE_TABLE(thud_scene_classify_option_table, "classification", classify)

static const thud_option_key record[] = {
    {"every", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "s",
     "least time between two recorded frames; jumps and impacts are always recorded"},
    {"every_step", THUD_OPTION_BOOL, 0, 1, 0, 1, false, NULL, "", "record every step: instead of `every`"},
    {"checkpoint_every", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "s",
     "time between checkpoints, from which `thud run --resume` goes on; null: one per minute of processor time"},
};
THUD_SCENE_TABLE(thud_scene_record_option_table, "record", record)

static const thud_option_key solver[] = {
    /* choices NULL: the registered methods (thud_solver_method_at) */
    {"method", THUD_OPTION_CHOICE, 0, NAN, 0, 0, false, NULL, "",
     "the registered method that every problem goes to (`thud solve --list-methods`); without it the problem decides"},
};
THUD_SCENE_TABLE(thud_scene_solver_option_table, "method of the solver", solver)

/* ---- keys of maps ------------------------------------------------------------------------------------------------- */

thud_error thud_scene_check_keys(thud_scene *scene, const thud_node *map, size_t count, const char *const *others,
                                 const thud_option_table *const *tables) {
  size_t most = count;
  for (size_t i = 0; tables[i] != NULL; i++) most += tables[i]->count;
  const char **keys = thud_alloc(scene->context, most + 1, sizeof *keys);
  if (keys == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) keys[k] = others[k];
  for (size_t i = 0; tables[i] != NULL; i++)
    for (size_t k = 0; k < tables[i]->count; k++) keys[count++] = tables[i]->keys[k].name;
  thud_error error = thud_node_check_keys(map, keys, most);
  thud_free(scene->context, (void *)keys);
  return error;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

thud_error thud_scene_read_option(thud_scene *scene, const thud_node *node, const thud_option_table *table,
                                  const thud_option_key *key, void *options) {
  double value = 0;
  int choice = 0;
  bool flag = false;
  thud_error error;
  switch (key->type) {
  case THUD_OPTION_CHOICE:
    error = thud_node_read_choice(node, key->choices, &choice);
    value = choice;
    break;
  case THUD_OPTION_BOOL:
    error = thud_node_read_bool(node, &flag);
    value = flag;
    break;
  default: error = thud_scene_read_constant(scene, node, &value); break;
  }
  if (error != THUD_OK) return error;
  error = thud_options_set_number(scene->context, table, options, key->name, value);
  return error == THUD_OK ? THUD_OK : thud_node_fail_within(node, THUD_ERROR_SCHEMA);
}

thud_error thud_scene_read_solver_method(const thud_node *node, const thud_solver_method **method) {
  enum { MOST_METHODS = 64 };
  const char *names[MOST_METHODS + 1] = {NULL};
  int choice = 0;
  for (size_t k = 0; k < MOST_METHODS && thud_solver_method_at(k) != NULL; k++)
    names[k] = thud_solver_method_name(thud_solver_method_at(k));
  thud_error error = thud_node_read_choice(node, names, &choice);
  if (error == THUD_OK) *method = thud_solver_method_at((size_t)choice);
  return error;
}
