/* The interface of all motions: each call goes to the family's function. */
#include "base/base.h"
#include "motions/motion.h"

const char *thud_motion_status_name(thud_motion_status status) {
  switch (status) {
#define THUD_MOTION_STATUS(name, number, words)                                                                        \
  case THUD_MOTION_##name: return words;
    THUD_MOTION_STATUS_TABLE(THUD_MOTION_STATUS)
#undef THUD_MOTION_STATUS
  }
  return "unknown";
}

thud_error thud_motion_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  const thud_motion_sink none = {0};
  thud_reached here = {0};
  thud_error error = motion->type->step(motion, sink != NULL ? sink : &none, &here);
  if (error == THUD_OK && reached != NULL) *reached = here;
  return error;
}

thud_error thud_motion_run(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  thud_reached here = {0};
  thud_error error = THUD_OK;
  while (error == THUD_OK && here.status == THUD_MOTION_RUNNING) error = thud_motion_step(motion, sink, &here);
  if (error == THUD_OK && reached != NULL) *reached = here;
  return error;
}

void thud_motion_present(const thud_motion *motion, void *frame) {
  THUD_REQUIRE_OR(, motion, frame);
  motion->type->present(motion, frame);
}

void thud_motion_get_info(const thud_motion *motion, void *info) {
  THUD_REQUIRE_OR(, motion, info);
  motion->type->info(motion, info);
}

size_t thud_motion_state_size(const thud_motion *motion) {
  THUD_REQUIRE_OR(0, motion);
  return motion->type->state_size(motion);
}

void thud_motion_save(const thud_motion *motion, void *state) {
  THUD_REQUIRE_OR(, motion, state);
  motion->type->save(motion, state);
}

thud_error thud_motion_restore(thud_motion *motion, const void *state, size_t size) {
  THUD_REQUIRE_OF(motion, state);
  return motion->type->restore(motion, state, size);
}

void thud_motion_destroy(thud_motion *motion) {
  if (motion != NULL) motion->type->destroy(motion);
}

const char *thud_motion_family(const thud_motion *motion) {
  THUD_REQUIRE_OR(NULL, motion);
  return motion->type->name;
}

thud_error thud_motion_check_family(const thud_motion *motion, const thud_motion_type *type, const char *function) {
  if (motion == NULL) return THUD_ERROR_ARGUMENT;
  if (motion->type == type) return THUD_OK;
  return thud_fail(motion->context, THUD_ERROR_ARGUMENT, "%s: the motion is of the family '%s', not '%s'", function,
                   motion->type->name, type->name);
}
