/* The interface of all motions: each call goes to the family's function. */
#include "base/base.h"
#include "motions/motion.h"

#include <stdio.h>
#include <string.h>

const char *thud_motion_status_name(thud_motion_status status) {
  switch (status) {
#define THUD_MOTION_STATUS(name, number, words)                                                                        \
  case THUD_MOTION_##name: return words;
    THUD_MOTION_STATUS_TABLE(THUD_MOTION_STATUS)
#undef THUD_MOTION_STATUS
  }
  return "unknown";
}

/* The caller's sink during a step: what it says when it fails outlives whatever the family makes of the failure. */
typedef struct guarded_sink {
  thud_context *context;
  const thud_motion_sink *given;
  bool failed;
  char message[THUD_MESSAGE_CAPACITY]; /* of the failure */
} guarded_sink;

static int guard(guarded_sink *guarded, int (*receive)(void *, const void *), const void *made, const char *what) {
  char first = thud_context_hide_message(guarded->context);
  int answer = receive(guarded->given->user, made);
  bool said = thud_context_show_message(guarded->context, first);
  if (answer >= 0 || guarded->failed) return answer;
  guarded->failed = true;
  if (said)
    snprintf(guarded->message, sizeof guarded->message, "%s", thud_context_last_message(guarded->context));
  else
    snprintf(guarded->message, sizeof guarded->message, "the function that receives %s failed (%d)", what, answer);
  return answer;
}

static int guard_frame(void *user, const void *frame) {
  guarded_sink *guarded = user;
  return guard(guarded, guarded->given->frame, frame, "frames");
}

static int guard_event(void *user, const void *event) {
  guarded_sink *guarded = user;
  return guard(guarded, guarded->given->event, event, "events");
}

thud_error thud_motion_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  guarded_sink guarded; /* without initialising the message */
  thud_motion_sink inner = {.user = &guarded};
  thud_reached here = {0};
  guarded.context = motion->context;
  guarded.given = sink;
  guarded.failed = false;
  if (sink != NULL && sink->frame != NULL) inner.frame = guard_frame;
  if (sink != NULL && sink->event != NULL) inner.event = guard_event;
  thud_error error = motion->type->step(motion, &inner, &here);
  if (guarded.failed) return thud_fail(motion->context, THUD_ERROR_CALLBACK, "%s", guarded.message);
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

thud_error thud_motion_advance(thud_motion *motion, size_t most, double until, const thud_motion_sink *sink,
                               size_t *done, thud_reached *reached) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  thud_reached here = {0};
  size_t steps = 0;
  thud_error error = THUD_OK;
  do {
    error = thud_motion_step(motion, sink, &here);
    steps += error == THUD_OK;
  } while (error == THUD_OK && here.status == THUD_MOTION_RUNNING && steps < most && here.t < until);
  if (error == THUD_OK && reached != NULL) *reached = here;
  if (done != NULL) *done = steps;
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

/* ---- saved states ---- */

thud_error thud_motion_refuse_state(const thud_motion *motion, const char *what) {
  return thud_fail(motion->context, THUD_ERROR_FORMAT,
                   "[state-of-another-run] the saved state is damaged: no motion of the family '%s' has such %s",
                   motion->type->name, what);
}

bool thud_state_is_finite(size_t count, const void *numbers) {
  const char *next = numbers;
  for (size_t k = 0; k < count; k++, next += sizeof(double)) {
    double number;
    memcpy(&number, next, sizeof number);
    if (!isfinite(number)) return false;
  }
  return true;
}

bool thud_state_has_range(size_t count, const void *numbers, int low, int high) {
  const char *next = numbers;
  for (size_t k = 0; k < count; k++, next += sizeof(int)) {
    int number;
    memcpy(&number, next, sizeof number);
    if (number < low || number > high) return false;
  }
  return true;
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
