/* A built `friction` scene: a composed friction law whose driven velocities are given functions of time. */
#ifndef THUD_SRC_KINDS_FRICTION_FRICTION_SCENE_H
#define THUD_SRC_KINDS_FRICTION_FRICTION_SCENE_H

#include "scene/build.h"

typedef struct scene_friction {
  thud_composition *composition; /* at the start until it is placed elsewhere */
  size_t driven, internal, laws, rows;
  char **names;          /* [driven + internal] the coordinates, then the internal ones */
  char **law_names;      /* [laws] */
  size_t *first;         /* [laws + 1] first row of each law */
  scene_value *velocity; /* [driven] */
  thud_expr **slips;     /* [rows] linear in the velocities */
  double *variables;     /* of the scope: t, then the velocities */
  double *A, *B;         /* [rows*driven], [rows*internal] */
  double *parameters;    /* of the laws */
} scene_friction;

/* `friction` and `simulate` of a scene whose parameters and data are there. */
thud_error thud_scene_build_friction(thud_scene *scene, const thud_node *root);
void thud_scene_free_friction(thud_scene *scene);
/* The law that the scene was built from; NULL: it is of another kind. */
static inline scene_friction *thud_scene_friction(const thud_scene *scene) {
  return scene->free_model == thud_scene_free_friction ? scene->model : NULL;
}
/* Puts laws and slips to time t and gives the driven velocities there, W[driven]. */
thud_error thud_scene_place_friction(const thud_scene *scene, double t, double *W);

#endif
