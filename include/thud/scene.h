/* thud/scene.h: from a scene tree to a model. */
#ifndef THUD_SCENE_H
#define THUD_SCENE_H

#include "thud/line_motion.h"
#include "thud/motion.h"
#include "thud/sim.h"
#include "thud/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scene whose meaning has been checked and whose model has been built; it keeps what it needs of the tree. Of a
 * system also the start has been checked: the initial state keeps the constraints, those that act there are not
 * positively dependent, the method takes the system. */
typedef struct thud_scene thud_scene;

THUD_API thud_error thud_scene_build(thud_context *context, const thud_tree *tree, thud_scene **scene);
THUD_API void thud_scene_destroy(thud_scene *scene);

/* What `thud check` tells; borrowed from the scene. */
typedef struct thud_scene_info {
  const char *title;  /* "" when the scene has none */
  const char *kind;   /* "sweeping", "system" or "particles_on_line" */
  const char *method; /* "catching-up", "moreau-jean", ... */
  thud_index dimension;
  const char *const *coordinates; /* [dimension] */
  const char *set_kind;           /* "ball", "product", ... */
  thud_exactness projection;      /* exact or iterative, in this scene's metric */
  bool moves;                     /* the set depends on time */
  double start, end;
  thud_index steps;
  size_t jump_count;
  const double *jumps;     /* [jump_count] times at which the data may jump, within [start, end] */
  double initial_distance; /* of the initial state to C(start), in the metric */
  bool starts_outside;     /* that distance is more than the run's tolerance */
  int series_order;        /* "system", event-driven: of the power series; otherwise 0 */
  /* "system" only (set_kind NULL then) */
  const thud_system *system;      /* NULL: sweeping */
  const thud_line *line;          /* "particles_on_line" only, NULL otherwise */
  const double *initial_position; /* [dimension] */
  const double *initial_velocity; /* [dimension] */
} thud_scene_info;

THUD_API thud_scene_info thud_scene_get_info(const thud_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
