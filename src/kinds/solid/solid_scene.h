/* `solid` scenes: what a scene says of an elastic solid, ready for thud_quasistatic_motion_create. */
#ifndef THUD_SRC_KINDS_SOLID_SOLID_SCENE_H
#define THUD_SRC_KINDS_SOLID_SOLID_SCENE_H

#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/kind.h"
#include "thud/moment.h"
#include "thud/solid.h"

enum { SOLID_PRESSURE = 3 }; /* part of a load beside its components */

/* One expression of x, y, z and t, at nodes: a component of given displacements, of a traction, of the body force, or a pressure. */
typedef struct solid_given {
  scene_value value;
  thud_index group;        /* of loads; -1: all elements */
  int part;                /* component, or SOLID_PRESSURE */
  thud_index first, count; /* nodes in the list of the scene */
} solid_given;

typedef struct solid_givens {
  solid_given *items;
  size_t count, capacity;
} solid_givens;

/* An obstacle given by an expression, with its gradient. */
typedef struct solid_level {
  const struct solid_scene *scene;
  thud_expr_program *program;
  thud_expr_work *work;
} solid_level;

typedef struct solid_scene {
  thud_scene *scene;
  thud_solid_mesh *mesh;
  thud_solid_mesh_definition view; /* of the mesh */
  thud_solid *solid;
  thud_solid_kinematics kinematics;
  thud_index d, slots[3], most_slots;
  size_t all;          /* d * nodes */
  unsigned char *held; /* [all] */
  bool has_given;      /* some displacement that is given is not 0 */
  thud_index *list;    /* nodes of the givens */
  size_t list_count, list_room;
  solid_givens supports, tractions, body;
  /* contacts: */
  thud_index obstacle_count;
  thud_solid_obstacle *obstacles;
  solid_level *levels;         /* [obstacle_count] */
  const char **obstacle_names; /* [obstacle_count] of the groups, borrowed */
  scene_values thresholds;     /* [obstacle_count], of the method threshold */
  thud_solid_contacts *contacts;
  thud_solid_contacts_view touch;
  char **contact_names; /* [c] */
  thud_quasistatic_problem problem;
  thud_quasistatic_method method;
  thud_quasistatic_options options;
  thud_regulated load, threshold;
  scene_times jumps;
  double *work, *density; /* [all] */
} solid_scene;

/* Keys of `solid` and `simulate`. */
extern const thud_kind_keys thud_solid_keys[];
thud_error thud_solid_scene_build(thud_scene *scene, const thud_node *root, solid_scene *made);
void thud_solid_scene_free(solid_scene *made);
thud_error thud_solid_scene_resolve(thud_tree *tree);
thud_error thud_solid_scene_take_files(thud_tree *tree);
/* Given displacements at a time: u[all], 0 where none is. */
void thud_solid_scene_displace(const solid_scene *made, double t, thud_side side, double *u);
/* Loads on all components at a time: force[all]. */
thud_error thud_solid_scene_load(const solid_scene *made, double t, thud_side side, double *force);
/* u[all] of the unknowns U and what is given. */
void thud_solid_scene_expand(const solid_scene *made, const double *U, double t, thud_side side, double *u);

/* ---- solid_mesh_scene.c ---- */

thud_error thud_solid_scene_read_mesh(solid_scene *made, const thud_node *section);
thud_error thud_solid_scene_take_mesh(thud_tree *tree, const thud_node *mesh);
extern const char *const thud_solid_kinematics_names[];
/* A list of `count` constants. */
thud_error thud_solid_scene_numbers(solid_scene *made, const thud_node *list, size_t count, double *numbers);

/* ---- solid_touch.c ---- */

/* `contacts` of the section. */
thud_error thud_solid_scene_read_contacts(solid_scene *made, const thud_node *section);
const thud_option_table *thud_solid_contact_table(void);
/* Points of contact, from what has been read, once the solid is made. */
thud_error thud_solid_scene_make_contacts(solid_scene *made, const thud_node *section);
void thud_solid_scene_free_contacts(solid_scene *made);

/* ---- solid_view.c ---- */

thud_error thud_view_solid(const solid_scene *built, thud_moment *moment, thud_drawing *drawing);

#endif
