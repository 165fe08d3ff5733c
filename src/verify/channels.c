#include "verify/channels.h"

#include <math.h>
#include <string.h>

thud_error verify_read_channel(thud_context *context, thud_record_reader *reader, size_t rows, const char *role,
                               size_t width, double **values, thud_verify_check *structure) {
  size_t channel, total;
  if (thud_record_find_role(reader, role, &channel) != THUD_OK) {
    verify_fail(structure, NAN, SIZE_MAX, "the record has no channel for the %s", role);
    return THUD_OK;
  }
  size_t found = thud_record_reader_channel(reader, channel)->width;
  if (found != width) {
    verify_fail(structure, NAN, SIZE_MAX, "the %s has %zu components, the scene asks for %zu", role, found, width);
    return THUD_OK;
  }
  if (!thud_size_multiply(rows, width, &total)) return THUD_ERROR_OVERFLOW;
  *values = THUD_NEW_ARRAY(context, double, total);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  return thud_record_read(reader, channel, 0, rows, *values);
}

thud_error verify_read_channels(thud_context *context, thud_record_reader *reader, size_t rows, size_t count,
                                const verify_channel *channels, thud_verify_check *structure) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const verify_channel *channel = &channels[k];
    if (channel->width > 0) {
      error = verify_read_channel(context, reader, rows, channel->role, channel->width, channel->values, structure);
    } else {
      *channel->values = THUD_NEW_ARRAY(context, double, 0);
      if (*channel->values == NULL) error = THUD_ERROR_MEMORY;
    }
  }
  return error;
}

void verify_check_finished(const thud_record_info *info, thud_verify_check *check) {
  if (!info->finished)
    verify_fail(check, NAN, SIZE_MAX, "unfinished record: the run is still going on or was killed");
  else if (strcmp(info->verdict, "good") != 0)
    verify_fail(check, NAN, SIZE_MAX, "the run itself ended with the verdict '%s': %s", info->verdict, info->reason);
}
