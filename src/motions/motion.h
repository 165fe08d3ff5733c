/* Motions seen from inside: from the interface to the family's struct. */
#ifndef THUD_SRC_MOTIONS_MOTION_H
#define THUD_SRC_MOTIONS_MOTION_H

#include "thud/motion.h"

#include <math.h>

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

/* thud_NAME_motion_present and thud_NAME_motion_get_info of a family, by the entries of its type; zeros for other motions. */
#define THUD_MOTION_QUERIES(name, frame_type, info_type, family)                                                       \
  frame_type thud_##name##_motion_present(const thud_motion *motion) {                                                 \
    frame_type frame = {0};                                                                                            \
    THUD_MOTION_OF_OR(frame, motion, family);                                                                          \
    (family)->present(motion, &frame);                                                                                 \
    return frame;                                                                                                      \
  }                                                                                                                    \
  info_type thud_##name##_motion_get_info(const thud_motion *motion) {                                                 \
    info_type info = {0};                                                                                              \
    THUD_MOTION_OF_OR(info, motion, family);                                                                           \
    (family)->info(motion, &info);                                                                                     \
    return info;                                                                                                       \
  }

/* ---- what a saved state may hold ---------------------------------------------------------------------------------------
 *
 * A state comes from a file. `restore` of a family checks every index, count, flag and enumeration of it, and every number
 * that a loop or a conversion relies on, before the motion changes. */

/* THUD_ERROR_FORMAT: what of the state cannot be. */
thud_error thud_motion_refuse_state(const thud_motion *motion, const char *what);
/* Bytes that are read as bool: each is 0 or 1. */
static inline bool thud_state_has_flags(const void *flags, size_t count) {
  const unsigned char *bytes = (const unsigned char *)flags;
  for (size_t k = 0; k < count; k++)
    if (bytes[k] > 1) return false;
  return true;
}
#define THUD_STATE_FLAG(flag) thud_state_has_flags(&(flag), 1)
/* -1 (none) or a number below count; 0 of what has not been set yet, also where there is nothing to name. */
static inline bool thud_state_has_index(thud_index index, thud_index count) {
  return index == 0 || (index >= -1 && index < count);
}
static inline bool thud_state_has_status(thud_motion_status status) {
  return (int)status >= THUD_MOTION_RUNNING && (int)status <= THUD_MOTION_NOT_HELD;
}
/* Numbers and integers of a block, which need not be aligned. */
bool thud_state_is_finite(size_t count, const void *numbers);
/* Every one of `count` integers lies in low..high. */
bool thud_state_has_range(size_t count, const void *numbers, int low, int high);
/* Within the run, beyond its ends by rounding at most; not NaN. */
static inline bool thud_state_has_time(double t, double start, double end) {
  double rounding = 1e-9 * (end - start) + 1e-12 * (fabs(start) + fabs(end));
  return t >= start - rounding && t <= end + rounding;
}

#endif
