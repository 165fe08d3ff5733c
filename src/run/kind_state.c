/* Checkpoints of the library's kinds of motion: what comes behind the state of the motion itself. */
#include "base/base.h"
#include "run/kind_state.h"
#include "run/run.h"

#include <string.h>

size_t thud_kind_state_size(kind_state parts) {
  return parts.motion_size + parts.found_size + thud_rows_state_size(parts.rows);
}

thud_error thud_kind_state_check(kind_state parts, size_t size) {
  if (size == thud_kind_state_size(parts)) return THUD_OK;
  return thud_fail(parts.context, THUD_ERROR_FORMAT, "the state is not of this motion and these options");
}

void thud_kind_state_save(kind_state parts, const void *found, void *state) {
  char *to = (char *)state + parts.motion_size;
  memcpy(to, found, parts.found_size);
  thud_rows_save(parts.rows, to + parts.found_size);
}

void thud_kind_state_restore(kind_state parts, const void *state, void *found) {
  const char *from = (const char *)state + parts.motion_size;
  memcpy(found, from, parts.found_size);
  thud_rows_restore(parts.rows, from + parts.found_size);
}

/* ---- the driver's blocks ------------------------------------------------------------------------------------------- */

size_t thud_run_state_size(const thud_scene *scene) {
  if (scene->kind->state_size != NULL) return scene->kind->state_size(scene->motion);
  const thud_kind_object *object = scene->motion;
  return thud_motion_state_size(object->motion) + object->found_size +
         (object->rows != NULL ? thud_rows_state_size(object->rows) : 0);
}

void thud_run_save_state(const thud_scene *scene, void *state) {
  if (scene->kind->state_size != NULL) {
    scene->kind->save(scene->motion, state);
    return;
  }
  const thud_kind_object *object = scene->motion;
  char *to = (char *)state + thud_motion_state_size(object->motion);
  thud_motion_save(object->motion, state);
  if (object->found_size > 0) memcpy(to, object->found, object->found_size);
  if (object->rows != NULL) thud_rows_save(object->rows, to + object->found_size);
}

thud_error thud_run_restore_state(thud_scene *scene, const void *state, size_t size) {
  if (scene->kind->state_size != NULL) return scene->kind->restore(scene->motion, state, size);
  thud_kind_object *object = scene->motion;
  size_t motion = thud_motion_state_size(object->motion);
  if (size != thud_run_state_size(scene))
    return thud_fail(scene->context, THUD_ERROR_FORMAT, "the state is not of this motion and these options");
  thud_error error = thud_motion_restore(object->motion, state, motion);
  if (error != THUD_OK) return error;
  const char *from = (const char *)state + motion;
  if (object->found_size > 0) memcpy(object->found, from, object->found_size);
  if (object->rows != NULL) thud_rows_restore(object->rows, from + object->found_size);
  return THUD_OK;
}
