/* Options of motions and solvers as keys of scenes. */
#ifndef THUD_SRC_SCENE_OPTIONS_H
#define THUD_SRC_SCENE_OPTIONS_H

#include "scene/build.h"
#include "thud/solve.h"

/* One option from its node. */
thud_error thud_scene_read_option(thud_scene *scene, const thud_node *node, const thud_option_table *table,
                                  const thud_option_key *key, void *options);
/* A registered method by its name. */
thud_error thud_scene_read_solver_method(const thud_node *node, const thud_solver_method **method);

/* The keys of a map are those of the tables, which NULL ends, and `count` others, which have no row. */
#define THUD_TABLES(...) ((const thud_option_table *const[]){__VA_ARGS__, NULL})
thud_error thud_scene_check_keys(thud_scene *scene, const thud_node *map, size_t count, const char *const *others,
                                 const thud_option_table *const *tables);

/* A table of rows that have no field in an options struct. A default may be NAN: there is none. */
#define THUD_SCENE_TABLE(function, what, rows)                                                                         \
  const thud_option_table *function(void) {                                                                            \
    static const thud_option_table table = {.name = what, .keys = rows, .count = sizeof rows / sizeof *rows};          \
    return &table;                                                                                                     \
  }

/* Rows of keys that several kinds of motion read by hand: `start`, `end`, `step`, `steps`; `classify`; `record` of every
 * scene; `method` of a solver, whose choices are the registered methods. Their defaults may be NAN: none. */
const thud_option_table *thud_scene_times_option_table(void);
const thud_option_table *thud_scene_classify_option_table(void);
const thud_option_table *thud_scene_record_option_table(void);
const thud_option_table *thud_scene_solver_option_table(void);

#endif
