/* A computed motion kept whole, and distances between two of them. */
#ifndef THUD_SRC_STUDY_PATH_H
#define THUD_SRC_STUDY_PATH_H

#include "base/base.h"
#include "thud/motion.h"

/* Nodes of a motion; node k holds n numbers of each array. */
typedef struct study_path {
  thud_context *context;
  size_t n, count, capacity;
  double *t;      /* [count] */
  double *q;      /* [count*n] */
  double *v_left; /* [count*n] */
  double *v;      /* [count*n] */
} study_path;

thud_error study_path_create(thud_context *context, size_t n, size_t capacity, study_path *path);
void study_path_free(study_path *path);
/* Adds the node; the capacity given at creation must suffice. */
void study_path_add(study_path *path, const thud_motion_frame *frame);

/* sup over the nodes of the coarse path of |q - q'|; its nodes are nodes of the fine one. */
double study_position_distance(const study_path *coarse, const study_path *fine);
/* Integral of |v - v'| where each v holds from its node to the next. */
double study_velocity_distance(const study_path *coarse, const study_path *fine);
/* Hausdorff distance of the filled graphs: the curves (t, v) with every jump from v_left to v drawn as a segment. */
double study_graph_distance(const study_path *a, const study_path *b);

#endif
