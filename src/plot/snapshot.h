/* Bodies at a time: what the pictures of the plane and of space share. */
#ifndef THUD_SRC_PLOT_SNAPSHOT_H
#define THUD_SRC_PLOT_SNAPSHOT_H

#include "plot/plot_layout.h"
#include "run/run_bodies.h"
#include "thud/plot.h"

/* From where bodies are seen, by unit vectors: u to the right, v upwards on paper, w towards the eye. */
typedef struct snapshot_camera {
  thud_vec3 right, top, toward;
} snapshot_camera;

static inline thud_vec3 thud_snapshot_project(const snapshot_camera *camera, thud_vec3 x) {
  return thud_vec3_make(thud_vec3_dot(camera->right, x), thud_vec3_dot(camera->top, x),
                        thud_vec3_dot(camera->toward, x));
}

/* The same bodies at several times, which are drawn side by side at the same scale. */
typedef struct snapshot_scene {
  thud_context *context;
  thud_bodies_view view;
  size_t count;         /* times */
  const body_row *rows; /* [count] */
  const char *title, *length_unit, *time_unit, *force_unit;
  bool forces;               /* contact forces are drawn */
  double azimuth, elevation; /* degrees */
  double time_step;          /* between the times of a film; 0: single times */
  /* filled when it is drawn */
  thud_shape_surface *surfaces; /* [shape_count] */
  double **normals;             /* [shape_count] at the corners of triangles, [9 triangles]; NULL: none */
  thud_bounds room;             /* of the moving bodies at all times */
  thud_vec3 centre;             /* of the room */
  double size;                  /* its diagonal, or 1 */
  double mean_radius;           /* of the moving parts; INFINITY: there are none, or nothing but particles */
  double largest_force;         /* of all times; 0: there is none */
  snapshot_camera camera;
} snapshot_scene;

/* One picture. */
typedef struct snapshot {
  const snapshot_scene *scene;
  const body_row *row;
} snapshot;

/* Draws the scene; what is to be filled is 0. options may be NULL. */
thud_error thud_snapshot_write(const snapshot_scene *scene, const thud_plot_options *options, const char *path);
/* The same, its rows as the frames of a film, each shown for so long (s). */
thud_error thud_snapshot_film(const snapshot_scene *scene, double delay, const thud_plot_options *options,
                              const char *path);

/* ---- snapshot.c ---- */

/* "t = 0.25 s"; with a step between the times: as many decimals as tell them apart, in every text. */
void thud_snapshot_write_time(double t, double step, const char *unit, char text[THUD_PLOT_TEXT]);
/* Joins those of three pieces that are not NULL with commas. */
void thud_snapshot_join(const char *const pieces[3], char text[THUD_PLOT_TEXT]);
/* Bodies that move by forces have one of the colours, all others are gray. */
void thud_snapshot_colour(const snapshot_scene *scene, thud_index body, double rgb[3]);
/* By azimuth, elevation and the direction of gravity; the eye of the plane looks from above. */
snapshot_camera thud_snapshot_camera(const snapshot_scene *scene);
/* Where a part is drawn. */
thud_pose thud_snapshot_place(const snapshot *shown, thud_index part);

/* ---- painters of the plane and of space; user: a snapshot ---- */

thud_error thud_snapshot_paint_plane(void *user, const thud_plot_layout *layout);
thud_error thud_snapshot_paint_space(void *user, const thud_plot_layout *layout);

/* Springs and joints, over the bodies (snapshot_joints.c). */
void thud_snapshot_paint_joints(const snapshot *shown, const thud_plot_layout *layout);

/* ---- snapshot_marks.c ---- */

/* Contact forces as strokes through their points, thick and long by their sizes. */
void thud_snapshot_paint_forces(const snapshot *shown, const thud_plot_layout *layout);
/* The line that is left of a plane seen from its side. */
void thud_snapshot_paint_edge_on(const snapshot *shown, const thud_plot_layout *layout, const thud_pose *place);
/* 1, 2 or 5 times a power of 10, at most x > 0. */
double thud_snapshot_round(double x);
/* Below a picture without axes, on the right: a length. */
void thud_snapshot_paint_length(const thud_plot_layout *layout, const char *unit);
/* Below pictures of space: the directions of the axes and a length. */
void thud_snapshot_paint_axes(const snapshot_scene *scene, const thud_plot_layout *layout);

/* ---- snapshot_normals.c ---- */

/* Normals at the corners of triangles: means over the triangles that meet there at less than the angle of a crease, or
 * (facets) those of the triangles. normals [9 triangles]. */
thud_error thud_snapshot_normals(thud_context *context, const thud_shape_surface *surface, bool facets,
                                 double **normals);

#endif
