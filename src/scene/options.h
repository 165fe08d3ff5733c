/* Options of motions and solvers as keys of `simulate` (build_motion.c). */
#ifndef THUD_SRC_SCENE_OPTIONS_H
#define THUD_SRC_SCENE_OPTIONS_H

#include "scene/build.h"
#include "thud/solve.h"

/* One option from its node. */
thud_error thud_scene_read_option(thud_scene *scene, const thud_node *node, const thud_option_table *table,
                                  const thud_option_key *key, void *options);
/* The keys of a table that scenes may have, without repeats. */
void thud_scene_add_option_keys(const thud_option_table *table, const char **keys, size_t capacity, size_t *count);
/* A registered method by its name. */
thud_error thud_scene_read_solver_method(const thud_node *node, const thud_solver_method **method);

#endif
