/* Filling in the defaults of a scene: here, and nowhere else, they are written down (options have theirs in their key
 * tables). The builders read what comes out and ask for every key.
 *
 * Nothing is judged: what has the wrong form is left alone, for the builder says what is wrong with it and where. */
#ifndef THUD_SRC_SCENE_RESOLVE_H
#define THUD_SRC_SCENE_RESOLVE_H

#include "thud/scene.h"

/* Adds the value to the map unless it has the key; where `map` is NULL or no map nothing happens. */
thud_error thud_resolve_number(thud_tree *tree, const thud_node *map, const char *key, double value);
thud_error thud_resolve_flag(thud_tree *tree, const thud_node *map, const char *key, bool value);
thud_error thud_resolve_text(thud_tree *tree, const thud_node *map, const char *key, const char *value);
thud_error thud_resolve_null(thud_tree *tree, const thud_node *map, const char *key);
/* The same with an empty map; *found is the map that is there in the end, NULL when none does. */
thud_error thud_resolve_map(thud_tree *tree, const thud_node *map, const char *key, const thud_node **found);
/* One key of an option table, under the name that the scene has for it. */
thud_error thud_resolve_option(thud_tree *tree, const thud_node *map, const char *key, const thud_option_table *table,
                               const char *name);
/* Every key of the table with a default, but for those of the list `without`, which NULL ends (NULL: there are none). */
thud_error thud_resolve_options(thud_tree *tree, const thud_node *map, const thud_option_table *table,
                                const char *const *without);

/* The entry under a key, NULL when `map` is NULL, no map or without it. */
const thud_node *thud_resolve_find(const thud_node *map, const char *key);
/* The number of entries of a list; 0 when it is NULL or no list. */
size_t thud_resolve_count(const thud_node *list);
/* The string under a key is this one. */
bool thud_resolve_is(const thud_node *map, const char *key, const char *text);
/* Calls fill(tree, map, name) for every name of a list of coordinates. */
typedef thud_error (*resolve_name_fn)(thud_tree *tree, const thud_node *map, const char *name);
thud_error thud_resolve_names(thud_tree *tree, const thud_node *coordinates, const thud_node *map,
                              resolve_name_fn fill);

/* Units of the coordinates and of time. */
thud_error thud_resolve_units(thud_tree *tree, const thud_node *coordinates);
/* "x'" of every coordinate is 0 at the start. */
thud_error thud_resolve_velocities(thud_tree *tree, const thud_node *coordinates);
/* The name of a coordinate's velocity; false when it is longer than a key can be. */
bool thud_resolve_velocity_name(const char *coordinate, char name[THUD_TREE_MAX_KEY + 1]);

/* A set node that has dimension n (0: not known). */
thud_error thud_resolve_set(thud_tree *tree, const thud_node *node, size_t n);

/* Defaults of every scene, with the unit of time unless the kind has units of its own; then those of the kinds. */
thud_error thud_scene_resolve_common(thud_tree *tree, bool units);
thud_error thud_resolve_system(thud_tree *tree);

#endif
