/* A recorded composed friction law: the scene as the checker reads it, and its rows. */
#ifndef THUD_SRC_VERIFY_FRICTION_VERIFY_FRICTION_H
#define THUD_SRC_VERIFY_FRICTION_VERIFY_FRICTION_H

#include "thud/record.h"
#include "verify/verify_scene.h"
#include "verify/verify_result.h"

typedef struct verify_friction {
  verify_scene scene; /* its names are the coordinates */
  size_t driven, internal, laws, rows;
  const char **internal_names; /* [internal] borrowed from the tree, as the next */
  const char **law_names;      /* [laws] */
  verify_set *sets;            /* [laws] threshold times the law */
  size_t *first;               /* [laws + 1] */
  verify_value *velocity;      /* [driven] */
  thud_expr **slips;           /* [rows] */
  double *variables;           /* of the scope */
  double *numbers;             /* of the sets, at the time that was asked for last, as are */
  double *W;                   /* [driven] the velocities and */
  double *coefficients;        /* [rows x (driven + internal)] the slips */
} verify_friction;

thud_error thud_verify_friction_read(thud_context *context, const thud_tree *tree, verify_friction *law);
void thud_verify_friction_free(verify_friction *law);
/* Velocities, slips and sets at t; false when they are not finite or a slip is not linear. */
bool thud_verify_friction_place(verify_friction *law, double t);

/* All checks of one record; tree is NULL when the scene cannot be read: error and the context's message say why. */
thud_error thud_verify_friction_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                       thud_error error, const thud_verify_options *options,
                                       thud_verify_result *result);

#endif
