/* Retraction of a scene's moving set, and the error of catching-up that it bounds. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_RETRACTION_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_RETRACTION_H

#include "scene/build.h"
#include "thud/sim.h"

#include <math.h>

typedef enum scene_retraction_source {
  SCENE_RETRACTION_ENCLOSED,  /* by intervals, from the expressions of the scene: low <= ret <= high */
  SCENE_RETRACTION_ESTIMATED, /* from the support function at nodes of the partition: no bound */
  SCENE_RETRACTION_UNBOUNDED  /* no finite bound: infinite, or not known to be finite */
} scene_retraction_source;

typedef struct scene_retraction {
  scene_retraction_source source;
  double low, high; /* of ret(C; start, end), in the metric; estimated: both are the estimate */
  double mesh;      /* mu: ret over any interval of the partition is at most this, estimated likewise */
} scene_retraction;

/* 2 sqrt(mu ret): |u - u_P| is at most this for catching-up on the partition (J.J. Moreau, Evolution problem associated
 * with a moving convex set in a Hilbert space, 1977). Infinite without a bound. */
static inline double scene_retraction_bound(const scene_retraction *found) {
  return 2 * sqrt(found->mesh) * sqrt(found->high);
}

/* Moves the scene's set. */
thud_error thud_scene_retract(const thud_scene *scene, const thud_partition *partition, scene_retraction *found);

#endif
