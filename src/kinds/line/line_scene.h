/* `string` and `beam` scenes: what a scene says of a line, ready for thud_line_motion_create. */
#ifndef THUD_SRC_KINDS_LINE_LINE_SCENE_H
#define THUD_SRC_KINDS_LINE_LINE_SCENE_H

#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/elastic.h"
#include "thud/kind.h"
#include "thud/moment.h"

/* Keys of `string` or `beam` and of `simulate`. */
extern const thud_kind_keys thud_string_keys[], thud_beam_keys[];

/* A point force (or one spread evenly over `width`) at a place that moves, or a density of x and t times a factor of t. */
typedef struct line_load {
  thud_line_direction direction;
  double *density; /* [n] at the nodes, NULL: a point */
  scene_field field;
  size_t first; /* of the values: place and force of a point, factor of a density */
  double width;
} line_load;

/* The first values of time. */
enum { LINE_V_LEFT, LINE_V_RIGHT, LINE_U_LEFT, LINE_U_RIGHT, LINE_LIFT };

typedef struct line_scene {
  thud_scene *scene;
  thud_line_kind kind;
  thud_line *line;
  thud_line_problem problem;
  double stiffness, extension;
  thud_index n;
  double *x, *obstacle, *initial; /* [n]; the obstacle is -INFINITY where there is none */
  scene_values
      values; /* of time: ends of v and u, lift of the obstacle (LINE_...), then those of the loads, then fields */
  scene_times jumps;
  size_t load_count;
  line_load *loads;
  scene_field obstacle_field, initial_field;
  bool has_obstacle;
  double t; /* time and side that obstacle and densities are at */
  thud_side side;
  int levels; /* of partitions that classify the motion, 0: none */
} line_scene;

thud_error thud_line_scene_build(thud_scene *scene, const thud_node *root, thud_line_kind kind, line_scene *made);
void thud_line_scene_free(line_scene *made);
/* The same scene on other nodes, which may be given as often as wanted; `copy` is empty at first, borrows from `made` and is
 * freed by the second function. */
thud_error thud_line_scene_remesh(const line_scene *made, thud_index n, const double *x, line_scene *copy);
void thud_line_scene_free_mesh(line_scene *copy);
/* Obstacle and densities that move at another time; it fails where they are not finite. */
thud_error thud_line_scene_place(line_scene *made, double t, thud_side side);
/* A field at the nodes, out[n]. */
thud_error thud_line_scene_field(const line_scene *made, const scene_field *field, double t, thud_side side,
                                 double *out);
/* The obstacle at x without its lift, at the time of the last place, and places of point loads across the line. */
double thud_line_scene_obstacle(const line_scene *made, double x);
size_t thud_line_scene_places(const line_scene *made, double t, thud_side side, size_t most, double *places);
/* Defaults of the section "string" or "beam". */
thud_error thud_line_scene_resolve(thud_tree *tree, const char *section);
/* What the line looks like at a moment of its record (line_view.c). */
thud_error thud_view_line(const line_scene *built, thud_moment *moment, thud_drawing *drawing);

#endif
