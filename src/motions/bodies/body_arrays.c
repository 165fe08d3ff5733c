/* Arrays that grow together, and end together. */
#include "motions/bodies/body_motion.h"

#include <string.h>

thud_error thud_bodies_grow(thud_context *context, size_t count, const body_array *arrays, size_t *capacity,
                            size_t needed) {
  size_t grown = *capacity;
  if (needed <= *capacity) return THUD_OK;
  for (size_t k = 0; k < count; k++) {
    grown = *capacity;
    thud_error error = thud_array_reserve(context, arrays[k].array, &grown, needed, arrays[k].size);
    if (error != THUD_OK) return error;
  }
  *capacity = grown;
  return THUD_OK;
}

void thud_bodies_release(thud_context *context, size_t count, const body_array *arrays) {
  for (size_t k = 0; k < count; k++) {
    void *data; /* copied by bytes: reading a T * through a void ** would break the aliasing rules */
    memcpy(&data, arrays[k].array, sizeof data);
    thud_free(context, data);
  }
}
