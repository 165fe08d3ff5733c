/* Motions of any family in tests: runs and steps that end with the family's info. */
#ifndef THUD_TEST_SUPPORT_RUN_MOTION_H
#define THUD_TEST_SUPPORT_RUN_MOTION_H

#include "thud/motion.h"

/* thud_motion_run; info: the struct of the family, untouched when the run fails. */
static inline thud_error thud_test_run_motion(thud_motion *motion, const thud_motion_sink *sink, void *info) {
  thud_error error = thud_motion_run(motion, sink, NULL);
  if (error == THUD_OK) thud_motion_get_info(motion, info);
  return error;
}

/* The same for one step. */
static inline thud_error thud_test_step_motion(thud_motion *motion, const thud_motion_sink *sink, void *info) {
  thud_error error = thud_motion_step(motion, sink, NULL);
  if (error == THUD_OK) thud_motion_get_info(motion, info);
  return error;
}

#endif
