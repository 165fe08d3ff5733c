/* A recorded composed friction law: the scene as the checker reads it, and its rows. */
#ifndef THUD_SRC_VERIFY_FRICTION_VERIFY_FRICTION_H
#define THUD_SRC_VERIFY_FRICTION_VERIFY_FRICTION_H

#include "thud/record.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

typedef struct verify_friction {
  verify_scene scene; /* its names are the coordinates */
  size_t driven, internal, laws, rows;
  const char **internal_names; /* [internal] borrowed from the tree, as the next */
  const char **law_names;      /* [laws] */
  verify_set *sets;            /* [laws] threshold times the law */
  size_t *first;               /* [laws + 1] */
  verify_value *velocity;      /* [driven] */
  thud_expr **slips;           /* [rows] */
  double *variables;           /* of the scope: t, the coordinates of an evolving scene, then the velocities */
  double *initial;             /* [driven + internal] the configuration at the start; NULL: laws of time alone */
  const thud_node *load;       /* the forces of the last law, whose slips are velocities; NULL: none */
  double *numbers;             /* of the sets, at the time that was asked for last, as are */
  double *W;                   /* [driven] the velocities and */
  double *coefficients;        /* [rows x (driven + internal)] the slips */
} verify_friction;

#endif
