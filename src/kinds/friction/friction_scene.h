/* The room of composed friction laws: a built `friction` scene, whose driven velocities are given functions of time, and
 * what it looks like. */
#ifndef THUD_SRC_KINDS_FRICTION_FRICTION_SCENE_H
#define THUD_SRC_KINDS_FRICTION_FRICTION_SCENE_H

#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/kind.h"
#include "thud/moment.h"

/* ---- friction_scene.c ---- */

/* Keys of `friction`. */
extern const thud_kind_keys thud_friction_keys[];

typedef struct friction_scene {
  thud_scene *scene;
  thud_composition *composition; /* at the start until it is placed elsewhere */
  size_t driven, internal, laws, rows;
  char **names;          /* [driven + internal] the coordinates, then the internal ones */
  char **law_names;      /* [laws] */
  size_t *first;         /* [laws + 1] first row of each law */
  scene_numbers numbers; /* of the laws */
  scene_value *velocity; /* [driven] */
  thud_expr **slips;     /* [rows] linear in the velocities */
  double *variables;     /* of the scope: t, the coordinates of an evolving scene, then the velocities */
  double *initial;       /* [driven + internal] the configuration at the start; NULL: laws of time alone */
  size_t loads;          /* 1: the last law is the load, a single force on the velocities that it names */
  size_t *loaded;        /* [rows of the load] their numbers */
  double *A, *B;         /* [rows*driven], [rows*internal] */
  double *parameters;    /* [numbers.values.count] of the laws, where they are placed */
} friction_scene;

/* `friction` and `simulate` of a scene whose parameters and data are there; on failure what was made is freed with
 * thud_friction_scene_free. */
thud_error thud_friction_scene_build(thud_scene *scene, const thud_node *root, friction_scene *made);
void thud_friction_scene_free(friction_scene *made);
/* The configuration of an evolving scene, q[driven + internal], for what is placed from now on. */
void thud_friction_scene_at(const friction_scene *made, const double *q);
/* Puts laws and slips to time t and gives the driven velocities there, W[driven]. */
thud_error thud_friction_scene_place(const friction_scene *made, double t, double *W);
/* Fills in the defaults. */
thud_error thud_friction_scene_resolve(thud_tree *tree);

/* ---- friction_view.c ---- */

/* The set of the forces, which the view keeps from one moment to the next; destroy(NULL) is allowed. */
typedef struct friction_outline friction_outline;
thud_error thud_friction_outline_create(const friction_scene *laws, friction_outline **outline);
void thud_friction_outline_destroy(thud_context *context, friction_outline *outline);
thud_error thud_view_friction(const friction_scene *laws, friction_outline *outline, thud_moment *moment,
                              thud_drawing *drawing);

#endif
