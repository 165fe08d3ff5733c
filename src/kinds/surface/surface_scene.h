/* `membrane` and `plate` scenes: what a scene says of a surface, ready for thud_surface_motion_create. */
#ifndef THUD_SRC_KINDS_SURFACE_SURFACE_SCENE_H
#define THUD_SRC_KINDS_SURFACE_SURFACE_SCENE_H

#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/moment.h"
#include "thud/kind.h"
#include "thud/surface.h"

enum { SURFACE_LIFT = 0 }; /* the first value of time */

/* A function of x, y and t at the nodes, or at those of a group of edges. */
typedef struct surface_field {
  scene_field field;
  thud_index group; /* -1: all nodes */
  double *to;       /* [n] */
} surface_field;

/* A node with an obstacle of its own. */
typedef struct surface_pin {
  thud_index node;
  double height;
} surface_pin;

typedef struct surface_scene {
  thud_scene *scene;
  thud_surface_kind kind;
  thud_mesh *mesh;
  thud_surface *surface;
  thud_surface_problem problem;
  thud_index n, x_slot, y_slot;
  double *obstacle, *load, *force[2]; /* [n]; the obstacle is -INFINITY where there is none */
  double *held, *pull[2];             /* [n] v and u of held nodes */
  double *work;                       /* [2n] */
  unsigned char *marks;               /* [n] nodes of a group */
  size_t field_count, field_capacity;
  surface_field *fields; /* [field_count] in the order in which they are filled in */
  bool moves;            /* one of them depends on t */
  size_t pin_count, point_count;
  surface_pin *pins; /* [pin_count] */
  size_t *points;    /* [point_count] of forces at places that move: the first of their values x, y, force */
  bool plane;        /* there is `in_plane` */
  thud_surface_method method;
  scene_values values; /* of time: lift, load_factor, v_factor, u_factor, force_factor, then of points and fields */
  scene_times jumps;
} surface_scene;

extern const char *const thud_surface_sections[2];

thud_error thud_surface_scene_build(thud_scene *scene, const thud_node *root, thud_surface_kind kind,
                                    surface_scene *made);
void thud_surface_scene_free(surface_scene *made);
/* Obstacle, loads and values of edges that move at another time; it fails where they are not finite. */
thud_error thud_surface_scene_place(surface_scene *made, double t, thud_side side);
/* The obstacle at a time without its lift, out[n]. */
thud_error thud_surface_scene_obstacle(const surface_scene *made, double t, thud_side side, double *out);
/* x, y and force of point load k. */
void thud_surface_scene_point(const surface_scene *made, size_t k, double t, thud_side side, double point[3]);
/* Defaults of the section. */
thud_error thud_surface_scene_resolve(thud_tree *tree, thud_surface_kind kind);
/* Rows of `simulate`. */
const thud_option_table *thud_surface_scene_option_table(void);
/* Keys of `membrane` or `plate` and of `simulate`. */
extern const thud_kind_keys thud_membrane_keys[], thud_plate_keys[];
/* The texts of the files beside the scene (mesh, heights) come into it. */
thud_error thud_surface_scene_take_files(thud_tree *tree);
/* What the surface looks like at a moment of its record (surface_view.c). */
thud_error thud_view_surface(const surface_scene *built, thud_moment *moment, thud_drawing *drawing);

#endif
