/* Recorded bodies, row by row, with the shapes of their scene: for pictures and VTK files. */
#ifndef THUD_SRC_RUN_RUN_BODIES_H
#define THUD_SRC_RUN_RUN_BODIES_H

#include "thud/bodies.h"
#include "thud/record.h"
#include "thud/scene.h"

typedef struct body_contact {
  thud_index a, b;                  /* numbers of bodies */
  thud_vec3 point, normal, impulse; /* world; the impulse acts on a */
  double gap;
} body_contact;

/* Values of one row; arrays of the record that read it, until it reads the next one. */
typedef struct body_row {
  double t, step;            /* step: over which the impulses act; 0: the row of the start */
  const thud_pose *pose;     /* [count] centres of mass, rotations of the bodies' frames */
  const thud_vec3 *velocity; /* [count] of the centres of mass */
  const thud_vec3 *spin;     /* [count] */
  size_t contact_count;
  const body_contact *contacts;
  const bool *absent; /* [count] the body is not there, and not shown; NULL: all are there */
  const bool *off;    /* [joint_count] the joint does not act; NULL: all do */
} body_row;

/* A joint begins or ceases to act. */
typedef struct body_joint_change {
  double t;
  thud_index joint;
  bool off;
} body_joint_change;

/* The part's body is there. */
static inline bool thud_body_is_shown(const thud_bodies_view *view, const body_row *row, thud_index part) {
  return row->absent == NULL || !row->absent[view->part_body[part]];
}

/* Channels of frames by what they hold; SIZE_MAX: the record has none. */
typedef struct body_channels {
  size_t position, rotation, velocity, spin, step, a, b, point, normal, gap, impulse, absent;
} body_channels;

typedef struct body_record {
  thud_context *context;
  thud_record_reader *reader; /* borrowed */
  thud_bodies_view view;      /* borrowed from the scene */
  size_t rows;
  double *t; /* [rows] */
  body_channels channels;
  double *work; /* [4 count] */
  thud_pose *pose;
  thud_vec3 *velocity, *spin;
  bool *absent;
  bool *off;                 /* [joint_count] NULL: there are no joints */
  size_t joint_change_count; /* in the order of the events */
  body_joint_change *joint_changes;
  size_t joint_change_capacity;
  size_t contact_capacity;
  body_contact *contacts;
} body_record;

/* Reader and scene (that of the record, built) are borrowed. THUD_ERROR_ARGUMENT when motions of this kind have no bodies,
 * THUD_ERROR_FORMAT when the channels are not those of the bodies. Closed also after a failure. */
thud_error thud_body_record_open(thud_record_reader *reader, const thud_scene *scene, body_record *record);
void thud_body_record_close(body_record *record);
thud_error thud_body_record_read(body_record *record, size_t row, body_row *read);
/* The row whose time is nearest; THUD_ERROR_ARGUMENT when t lies outside the record. */
thud_error thud_body_record_find(const body_record *record, double t, size_t *row);

/* Surfaces of all shapes of the view, [shape_count]; those without borders are cut off at `extent` and shifted to where
 * parts need them by thud_body_place. */
thud_error thud_body_surfaces_make(thud_context *context, const thud_bodies_view *view, int segments, double extent,
                                   thud_shape_surface **surfaces);
void thud_body_surfaces_free(thud_context *context, const thud_bodies_view *view, thud_shape_surface *surfaces);
/* Where a part is when its body is at `pose`. Planes and half-planes are moved within themselves, next to `centre`. */
thud_pose thud_body_place(const thud_bodies_view *view, thud_index part, const thud_pose *pose, thud_vec3 centre);
/* True for parts that are planes or half-planes. */
bool thud_body_is_endless(const thud_bodies_view *view, thud_index part);

/* The box around the bodies at these poses (only those that move by forces, if there are any), without what is endless;
 * added to *box. */
void thud_body_bounds_add(const thud_bodies_view *view, const thud_pose *pose, thud_bounds *box);
thud_bounds thud_body_bounds_empty(void);
/* Where springs and joints are held in the world: hinges, ends of rods and ropes, where pulleys lead theirs. False: number k, below
 * the count, is none of these. */
size_t thud_body_held_count(const thud_bodies_view *view);
bool thud_body_held_at(const thud_bodies_view *view, size_t k, thud_vec3 *x);
void thud_body_bounds_add_held(const thud_bodies_view *view, thud_bounds *box);

/* ---- run_bodies_joints.c ---- */

/* Fills off and joint_changes; for thud_body_record_open. */
thud_error thud_body_record_read_joint_changes(body_record *record);
/* Sets off as it is at time t, behind the changes at it. */
void thud_body_record_switch_joints(body_record *record, double t);

/* ---- bodies_vtk.c: VTK files ---- */

/* Two parts per time: "bodies" (their surfaces, planes cut off around the scene; point field velocity, that of the
 * material point; cell fields body, speed of the centre of mass) and "contacts" (points; fields force, impulse over
 * length of the step, normal, gap, body_a, body_b), both with the names of the bodies. A time stands for the row
 * nearest to it. path: NAME.pvd, or NAME.vtu for the last time, with NAME-contacts.vtu beside it. */
thud_error thud_body_vtk_export(const thud_scene *scene, thud_record_reader *reader, const thud_record_times *times,
                                const char *path, bool overwrite);

#endif
