/* What every kind of record is asked first. */
#ifndef THUD_SRC_VERIFY_CHANNELS_H
#define THUD_SRC_VERIFY_CHANNELS_H

#include "base/base.h"
#include "thud/record.h"
#include "verify/tally.h"

/* values [rows x width] of the channel with this role, freed with thud_free. A channel that is missing or has another
 * width fails `structure` and leaves *values as it was. */
thud_error verify_read_channel(thud_context *context, thud_record_reader *reader, size_t rows, const char *role,
                               size_t width, double **values, thud_verify_check *structure);
/* The same for several channels; those without components are not in the record and get an array of nothing. */
typedef struct verify_channel {
  const char *role;
  size_t width;
  double **values;
} verify_channel;
thud_error verify_read_channels(thud_context *context, thud_record_reader *reader, size_t rows, size_t count,
                                const verify_channel *channels, thud_verify_check *structure);
/* The run has ended, and with the verdict "good". */
void verify_check_finished(const thud_record_info *info, thud_verify_check *check);

#endif
