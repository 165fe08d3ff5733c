/* Motions seen from inside: from the interface to the family's struct. */
#ifndef THUD_SRC_MOTIONS_MOTION_H
#define THUD_SRC_MOTIONS_MOTION_H

#include "thud/motion.h"

/* THUD_ERROR_ARGUMENT with a message when the motion is NULL or of another family. */
thud_error thud_motion_check_family(const thud_motion *motion, const thud_motion_type *type, const char *function);

/* At the beginning of a family's public function: thud_stepping *own = (thud_stepping *)motion, or return. */
#define THUD_MOTION_OF(motion, type)                                                                                   \
  do {                                                                                                                 \
    thud_error thud_family_ = thud_motion_check_family((motion), (type), __func__);                                    \
    if (thud_family_ != THUD_OK) return thud_family_;                                                                  \
  } while (0)
/* The same for functions that return something other than an error. */
#define THUD_MOTION_OF_OR(value, motion, family)                                                                       \
  do {                                                                                                                 \
    if ((motion) == NULL || (motion)->type != (family)) return value;                                                  \
  } while (0)

#endif
