/* The channels of a sweeping process: what a thud_frame holds. */
#include "record/writer.h"

#include <stdio.h>

enum { MOTION_CHANNELS = 7 };

/* "reaction[x]" for the coordinate x: column titles of the reaction, n pointers followed by their texts in one block.
 * NULL when out of memory. */
static const char **reaction_names(thud_context *context, size_t n, const char *const *names) {
  enum { ROOM = THUD_RECORD_NAME_LENGTH + 1 };
  size_t per_name = sizeof(char *) + ROOM;
  const char **block = thud_alloc(context, n, per_name);
  for (size_t k = 0; block != NULL && k < n; k++) {
    char *text = (char *)(block + n) + k * ROOM;
    snprintf(text, ROOM, "reaction[%.*s]", ROOM - 11, names[k]);
    block[k] = text;
  }
  return block;
}

thud_error thud_record_create_motion(thud_context *context, const char *path, const thud_record_options *options,
                                     const thud_record_header *header, const thud_record_motion *motion,
                                     thud_record_writer **writer) {
  if (motion == NULL || motion->dimension == 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: a motion has at least one component");
  const size_t n = motion->dimension;
  const char **names = motion->names != NULL ? reaction_names(context, n, motion->names) : NULL;
  if (motion->names != NULL && names == NULL) return THUD_ERROR_MEMORY;
  const thud_record_channel channels[MOTION_CHANNELS] = {
      {"t", THUD_RECORD_REAL, 1, NULL, motion->time_unit, "time", "time of the frame"},
      {"side", THUD_RECORD_SMALL, 1, NULL, NULL, "side", "-1 before a jump, 1 after it, 0 where there is none"},
      {"state", THUD_RECORD_REAL, n, motion->names, motion->state_unit, "state", "u"},
      {"reaction", THUD_RECORD_REAL, n, names, motion->reaction_unit, "reaction",
       "density on the interval that ends here, or the impulse where atom is 1"},
      {"atom", THUD_RECORD_SMALL, 1, NULL, NULL, "atom", "1: the reaction is a point mass at t"},
      {"variation", THUD_RECORD_REAL, 1, NULL, motion->state_unit, "variation",
       "total variation of u from the start, in the metric"},
      {"residual", THUD_RECORD_REAL, 1, NULL, NULL, "residual", "normal-cone residual of the step's projection"},
  };
  thud_record_writer *made;
  thud_error error = thud_record_create(context, path, options, header, MOTION_CHANNELS, channels, &made);
  thud_free(context, (void *)names);
  if (error != THUD_OK) return error;
  made->motion_dimension = n;
  *writer = made;
  return THUD_OK;
}

thud_error thud_record_append_frame(thud_record_writer *writer, const thud_frame *frame) {
  if (writer->motion_dimension == 0)
    return thud_fail(writer->context, THUD_ERROR_ARGUMENT, "record: this record was not made for frames of a motion");
  const double side = (double)frame->side, atom = frame->atom ? 1 : 0;
  const double *const rows[MOTION_CHANNELS] = {&frame->t,         &side,           frame->state, frame->reaction, &atom,
                                               &frame->variation, &frame->residual};
  return thud_record_append(writer, rows);
}

static int append_to_record(void *user, const thud_frame *frame) {
  return thud_record_append_frame(user, frame) == THUD_OK ? 0 : -1;
}

thud_sink thud_record_sink(thud_record_writer *writer) {
  return (thud_sink){.frame = append_to_record, .user = writer};
}
