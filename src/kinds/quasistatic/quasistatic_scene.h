/* `quasistatic` scenes: what a scene says of an elastic structure, ready for thud_quasistatic_motion_create. */
#ifndef THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_SCENE_H
#define THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_SCENE_H

#include "base/names.h"
#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/moment.h"
#include "thud/quasistatic.h"

typedef struct quasistatic_scene {
  thud_scene *scene;
  thud_owned_problem *owned; /* memory of K */
  thud_quasistatic_problem problem;
  thud_quasistatic_method method;
  thud_quasistatic_options options;
  thud_sparse H;
  double *gap, *mu, *initial;
  char **contact_names;
  scene_values loads;      /* of the unknowns that have one */
  thud_index *loaded;      /* [loads.count] unknown */
  scene_values thresholds; /* [contacts] */
  thud_regulated load, threshold;
  scene_times jumps; /* of loads and thresholds, and where a load turns */
  bool not_enclosed; /* a load turns so often that its turns are not all known */
  double period;     /* of a cyclic load, 0: none */
  bool continuum;    /* K is a discretised continuum */
  double *mass;      /* [n] of the dynamics that `thud study --rates` compares with; NULL: none */
  double rate;       /* of the loading there */
  thud_names names;  /* of the unknowns */
} quasistatic_scene;

thud_error thud_quasistatic_scene_build(thud_scene *scene, const thud_node *root, quasistatic_scene *made);
void thud_quasistatic_scene_free(quasistatic_scene *made);
/* What a built scene of this kind was made from; NULL for other kinds (kind_quasistatic.c). */
const quasistatic_scene *thud_quasistatic_scene_of(const thud_scene *scene);
/* Its motion, likewise. */
const thud_motion *thud_quasistatic_motion_of(const thud_scene *scene);
/* Adds the text of the stiffness file that the scene names, so that a record stands alone; any scene. */
thud_error thud_quasistatic_scene_take_files(thud_tree *tree);
/* Defaults, and the same. */
thud_error thud_quasistatic_scene_resolve(thud_tree *tree);
thud_error thud_view_quasistatic(const quasistatic_scene *built, thud_moment *moment, thud_drawing *drawing);
/* Names of methods, in the order of thud_quasistatic_method. */
extern const char *const thud_quasistatic_method_names[];

#endif
