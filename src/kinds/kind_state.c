/* Checkpoints of the library's kinds of motion: what comes behind the state of the motion itself. */
#include "base/base.h"
#include "kinds/kinds.h"

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
