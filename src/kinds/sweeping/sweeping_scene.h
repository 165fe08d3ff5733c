/* The room of sweeping processes: what a scene says of them, the retraction of its moving set, what they look like. */
#ifndef THUD_SRC_KINDS_SWEEPING_SWEEPING_SCENE_H
#define THUD_SRC_KINDS_SWEEPING_SWEEPING_SCENE_H

#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/moment.h"
#include "thud/sim.h"

#include <math.h>

/* ---- sweeping_scene.c ---- */

typedef struct sweeping_scene {
  thud_scene *scene;
  thud_metric *metric; /* NULL: Euclidean */
  thud_set *set;
  scene_numbers numbers;     /* of the set */
  thud_regulated set_motion; /* evaluates them */
  double *initial;           /* [dimension] */
  double initial_distance;   /* to C(start), of the initial state */
  double *variables;         /* [1 + dimension] scene->variables */
  thud_index *slots;         /* [dimension] of the coordinates in them, -1: none */
  scene_value *perturbation; /* [dimension]; NULL: none */
  bool set_follows;          /* numbers of the set depend on the state */
  thud_sweep_feedback feedback;
  bool has_feedback;        /* a set or a perturbation that depends on the state, or on t */
  size_t interval_count;    /* of an explicit partition, 0: equal steps */
  thud_interval *intervals; /* [interval_count] */
  thud_sweep_method method;
  thud_sweep_options options;
  int refinements;
  int levels; /* of partitions that classify the motion, 0: none */
} sweeping_scene;

/* `sweeping`, `initial` and `simulate`; on failure what was made is freed with thud_sweeping_scene_free. */
thud_error thud_sweeping_scene_build(thud_scene *scene, const thud_node *root, sweeping_scene *made);
void thud_sweeping_scene_free(sweeping_scene *made);
thud_moving_set thud_sweeping_scene_set(const sweeping_scene *made);
/* What a built scene of this kind was made from; NULL for other kinds (sweeping_kind.c). */
const sweeping_scene *thud_sweeping_scene_of(const thud_scene *scene);
/* Fills in the defaults. */
thud_error thud_sweeping_scene_resolve(thud_tree *tree);
/* Rows of `simulate` beside those of the options (NAN: no default). */
const thud_option_table *thud_scene_sweeping_option_table(void);

/* ---- sweeping_feedback.c ---- */

/* The initial state, and with it the coordinates as names of expressions. */
thud_error thud_sweeping_read_state(sweeping_scene *made, const thud_node *root);
/* `perturbation` of the section, and whether the set follows the state. */
thud_error thud_sweeping_read_feedback(sweeping_scene *made, const thud_node *sweeping);
/* Expressions are evaluated at this state, u[dimension], from now on. */
void thud_sweeping_at_state(const sweeping_scene *made, const double *u);
/* `partition` of the section; its points are nodes, and the jumps of the set besides. */
thud_error thud_sweeping_read_partition(sweeping_scene *made, const thud_node *sweeping, const thud_node *simulate);

/* ---- sweeping_retraction.c ---- */

typedef enum retraction_source {
  RETRACTION_ENCLOSED,  /* by intervals, from the expressions of the scene: low <= ret <= high */
  RETRACTION_ESTIMATED, /* from the support function at nodes of the partition: no bound */
  RETRACTION_UNBOUNDED  /* no finite bound: infinite, or not known to be finite */
} retraction_source;

typedef struct sweeping_retraction {
  retraction_source source;
  double low, high; /* of ret(C; start, end), in the metric; estimated: both are the estimate */
  double mesh;      /* mu: ret over any interval of the partition is at most this, estimated likewise */
} sweeping_retraction;

/* 2 sqrt(mu ret): |u - u_P| is at most this for catching-up on the partition (J.J. Moreau, Evolution problem associated
 * with a moving convex set in a Hilbert space, 1977). Infinite without a bound. */
static inline double sweeping_retraction_bound(const sweeping_retraction *found) {
  return 2 * sqrt(found->mesh) * sqrt(found->high);
}

/* Moves the scene's set. */
thud_error thud_sweeping_retract(const sweeping_scene *built, const thud_partition *partition,
                                 sweeping_retraction *found);

/* ---- sweeping_view.c ---- */

thud_error thud_view_sweeping(const sweeping_scene *built, thud_moment *moment, thud_drawing *drawing);

#endif
