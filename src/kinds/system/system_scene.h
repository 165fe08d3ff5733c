/* A built `system` scene: the Lagrangian system, its initial state and how it is to be stepped. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_SCENE_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_SCENE_H

#include "model/system.h"
#include "scene/build.h"
#include "thud/event.h"
#include "thud/kind.h"
#include "thud/stepping.h"

/* Expressions of t, q and q': the user's impact law (q' is the velocity before), scales of normal forces. */
typedef struct scene_functions {
  thud_expr_program *program; /* NULL: none */
  thud_expr_work *work;
  double *variables; /* [variable count] */
  thud_index time_slot;
  thud_index *position_slots, *velocity_slots; /* [dimension] */
  thud_index dimension, count;                 /* coordinates, expressions */
} scene_functions;

typedef struct scene_system {
  const thud_system *system;
  thud_system *own;  /* NULL: the system belongs to a C program */
  bool functions;    /* records hold the numbers of the functions: nobody else can evaluate them */
  bool event_driven; /* simulate.method */
  thud_stepping_options
      motion;               /* time stepping; also set when event_driven (then steps is 0 unless the scene has them) */
  thud_event_options event; /* always set: the same times and laws */
  char **velocities;        /* [dimension] "x'" */
  double *q0, *v0;          /* [dimension] */
  scene_functions table;
  thud_model_frame *frames; /* [friction laws] what looks wrong at the start; NULL: a C program made the system */
} scene_system;

/* `system`, `definitions`, `initial` and `simulate` of a scene whose parameters and data are
 * there. */
thud_error thud_scene_build_system(thud_scene *scene, const thud_node *root);
/* The same without the system: what expressions of `draw` may use, and the options. */
thud_error thud_scene_read_system_names(thud_scene *scene, const thud_node *root);
/* The place of an error that a motion of the scene could not start with. */
thud_error thud_scene_place_start_error(const thud_scene *scene, const thud_node *root, thud_error error);
/* The part of it that needs constants only: `initial`, `simulate` (build_motion.c). */
thud_error thud_scene_build_lagrangian_start(thud_scene *scene, const thud_node *root);
/* Whether simulate.method is event-driven, before anything is checked. */
bool thud_scene_asks_for_events(const thud_node *root);
/* The source of an expression: a string as it is, a number with all its digits. */
thud_error thud_scene_read_source(thud_arena *texts, const thud_node *node, const char **source);
/* build_loads.c: `percussions` (NULL: none) into def, whose coordinates and friction laws are there. */
thud_error thud_scene_read_loads(thud_scene *scene, thud_arena *texts, const thud_node *list,
                                 thud_expr_system_def *def);
/* The node in which the system found an error of its loads. */
const thud_node *thud_scene_load_node(const thud_node *list, const thud_expr_system_def *def,
                                      const thud_expr_system_place *place);
/* "x'" of every coordinate; also on failure *velocities is to be freed with its [dimension] texts. */
thud_error thud_scene_name_velocities(thud_scene *scene, char ***velocities);
/* `initial`: positions and velocities; q0[dimension], v0[dimension], to be freed also on failure. */
thud_error thud_scene_read_start(thud_scene *scene, const thud_node *root, char *const *velocities, double **q0,
                                 double **v0);
void thud_scene_free_system(thud_scene *scene);
/* The keys of `simulate`. */
extern const thud_kind_keys thud_system_keys[];
/* Rows of `system`, and within it of `impact_law.lzb`, of constraints that are unilateral or velocity forms, of their
 * `friction`, and of families of percussions. */
const thud_option_table *thud_system_section_table(void);
const thud_option_table *thud_system_lzb_table(void);
const thud_option_table *thud_system_unilateral_table(void);
const thud_option_table *thud_system_velocity_table(void);
const thud_option_table *thud_system_friction_table(void);
const thud_option_table *thud_system_family_table(void);

/* ---- system_kind.c: what both kinds of its motions share ---- */

/* The first members of a motion. */
typedef struct system_motion {
  thud_kind_object object;
  thud_scene *scene;
} system_motion;

/* The motion as a kind makes it: [size] bytes, with its findings at this place. */
typedef struct system_family {
  size_t size, found, found_size;
  thud_error (*begin)(system_motion *made); /* object.motion, and what the findings begin with */
  thud_error (*make_rows)(thud_context *context, const thud_system *system, const thud_row_names *names,
                          thud_rows **rows);
} system_family;

/* Entries of thud_kind; build with a motion, or without one for pictures. */
thud_error thud_system_build(const system_family *family, thud_scene *scene, const thud_node *root, bool moves,
                             void **motion);
void thud_system_destroy_motion(void *motion);
const thud_record_layout *thud_system_layout(const void *motion);

/* The system that the scene was built from; NULL: it is of another kind. */
static inline scene_system *thud_scene_lagrangian(const thud_scene *scene) {
  return scene->free_model == thud_scene_free_system ? scene->model : NULL;
}

#endif
