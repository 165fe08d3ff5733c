/* `half_plane` scenes: what a scene says of a punch on a half-plane, ready to be driven. */
#ifndef THUD_SRC_KINDS_HALF_PLANE_HALF_PLANE_SCENE_H
#define THUD_SRC_KINDS_HALF_PLANE_HALF_PLANE_SCENE_H

#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/half_plane.h"
#include "thud/kind.h"
#include "thud/moment.h"

extern const char *const thud_punch_method_names[]; /* by thud_punch_method, ended by NULL */
/* Rows of `simulate` beside those of the options. */
const thud_option_table *thud_punch_scene_option_table(void);
/* Keys of `half_plane` and `simulate`. */
extern const thud_kind_keys thud_punch_keys[];

enum { PUNCH_NORMAL, PUNCH_TANGENTIAL, PUNCH_ROTATION, PUNCH_DRIVES };

typedef struct punch_scene {
  thud_scene *scene;
  thud_punch_method method;
  thud_index n;
  double *edges;   /* [n+1] */
  double *x, *gap; /* [n] middles of the elements, profile there */
  thud_half_plane *plane;
  thud_punch *punch;
  thud_punch_options options;
  thud_half_plane_material material;
  thud_punch_drive drive; /* which are given, pivot and datum */
  scene_values values;    /* [PUNCH_DRIVES] of time */
  thud_index roll;        /* elements per step, negative: to the left */
  size_t inside_count;    /* points inside, where stress and displacement are recorded */
  double *inside;         /* [2 inside_count] x and depth */
  size_t cells[2];        /* the points are middles of so many cells in x and depth; 0: they were listed */
  double box[3];          /* left, right and depth of the cells */
  int starts;             /* further searches for solutions of the last row */
} punch_scene;

thud_error thud_punch_scene_build(thud_scene *scene, const thud_node *root, punch_scene *made);
void thud_punch_scene_free(punch_scene *made);
thud_error thud_punch_scene_resolve(thud_tree *tree);
/* The drive at a time, of the scene `user` (thud_punch_problem). */
int thud_punch_scene_drive(void *user, double t, thud_punch_drive *drive);
/* What the punch and the surface look like at a moment of their record (half_plane_view.c). */
thud_error thud_view_half_plane(const punch_scene *built, thud_moment *moment, thud_drawing *drawing);

#endif
