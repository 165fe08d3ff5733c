/* A computed motion kept whole, and distances between two of them. */
#ifndef THUD_SRC_STUDY_STUDY_PATH_H
#define THUD_SRC_STUDY_STUDY_PATH_H

#include "base/base.h"
#include "thud/stepping.h"

/* Nodes of a motion; node k holds n numbers of each array. */
typedef struct study_path {
  thud_context *context;
  size_t n, count, capacity;
  double *t;      /* [count] */
  double *q;      /* [count*n] */
  double *v_left; /* [count*n] */
  double *v;      /* [count*n] */
  double *length; /* [2*count] of the filled graph up to (t, v_left) and (t, v) of each node */
  /* Only after thud_study_path_keep_contacts: */
  size_t m, r;          /* constraints; components of reactions */
  double *reaction;     /* [count*r] impulses of the step that ends at the node */
  bool *atom;           /* [count*m] */
  unsigned char *state; /* [count*(m+1)] study_contact_state, to be filled by whoever adds the node; the last one is for
                           a friction law that belongs to no constraint */
} study_path;

/* State of a constraint in a step, by its reactions. */
typedef enum study_contact_state {
  STUDY_OPEN = 0,         /* no reaction */
  STUDY_CLOSED = 1,       /* reaction without friction */
  STUDY_STICKING = 2,     /* friction below its threshold */
  STUDY_SLIDING = 3,      /* at it; in several directions */
  STUDY_SLIDING_UP = 4,   /* in one direction, friction > 0 */
  STUDY_SLIDING_DOWN = 5, /* friction < 0 */
} study_contact_state;

thud_error thud_study_path_create(thud_context *context, size_t n, size_t capacity, study_path *path);
/* Before the first node: reactions, atoms and states of m constraints with r components are kept, too. */
thud_error thud_study_path_keep_contacts(study_path *path, size_t m, size_t r);
void thud_study_path_free(study_path *path);
/* Adds the node; the capacity given at creation must suffice. */
void thud_study_path_add(study_path *path, const thud_stepping_frame *frame);
/* Velocity at the end of a step: the left limit at an impact. Elsewhere the velocity that the law saw is, in some
 * schemes, the one that the step began with. */
const double *thud_study_arriving(const thud_stepping_frame *frame);

/* The distance from a path, or 0 where the rounding errors of all its steps explain it, steps*eps*size of the values: what
 * is exact has no order, and ratios of rounding errors are none. values[count*n] are those of the path. */
double thud_study_significant(double distance, const study_path *path, const double *values);

double thud_study_distance(size_t n, const double *a, const double *b); /* Euclidean */

/* sup over the nodes of the coarse path of |q - q'|; its nodes are nodes of the fine one. */
double thud_study_position_distance(const study_path *coarse, const study_path *fine);
/* Integral of |v - v'| where each v holds from its node to the next. */
double thud_study_velocity_distance(const study_path *coarse, const study_path *fine);
/* Hausdorff distance of the filled graphs: the curves (t, v) with every jump from v_left to v drawn as a segment. */
double thud_study_graph_distance(const study_path *a, const study_path *b);

#endif
