/* Channels of a record, read whole. */
#ifndef THUD_SRC_VERIFY_VERIFY_CHANNELS_H
#define THUD_SRC_VERIFY_VERIFY_CHANNELS_H

#include "base/base.h"
#include "thud/record.h"
#include "verify/verify_result.h"

/* A channel of fixed width that is wanted: values [rows x width], freed with thud_free. */
typedef struct verify_channel {
  const char *role; /* of frames; of events and their like: the name */
  size_t width;
  double **values;
} verify_channel;

/* A channel that is missing or has another width fails `structure` and leaves *values as it was. Channels without
 * components are not in the record and get an array of nothing. */
thud_error thud_verify_read_channels(thud_context *context, thud_record_reader *reader, thud_record_table table,
                                     size_t count, const verify_channel *channels, thud_verify_check *structure);

/* A ragged channel in memory: the values of row k are values[starts[k]] ... values[starts[k+1] - 1]. */
typedef struct verify_ragged {
  size_t *starts; /* [rows + 1] */
  double *values;
} verify_ragged;

static inline size_t verify_ragged_count(const verify_ragged *ragged, size_t row) {
  return ragged->starts[row + 1] - ragged->starts[row];
}
static inline const double *verify_ragged_row(const verify_ragged *ragged, size_t row) {
  return ragged->values + ragged->starts[row];
}

/* A ragged channel of numbers that is wanted. */
typedef struct verify_ragged_channel {
  const char *role; /* as above */
  size_t group;     /* rows hold whole groups; 0: the scene has nothing that could are in the channel */
  verify_ragged *ragged;
} verify_ragged_channel;

/* As above; channels with group 0 get rows of nothing. */
thud_error thud_verify_read_ragged(thud_context *context, thud_record_reader *reader, thud_record_table table,
                                   size_t count, const verify_ragged_channel *channels, thud_verify_check *structure);
void thud_verify_ragged_free(thud_context *context, verify_ragged *ragged);

/* Names of the components, or of the values 0, 1, ..., of a channel that is there. */
void thud_verify_check_components(const thud_record_reader *reader, thud_record_table table, const char *role,
                                  size_t count, const char *const *names, thud_verify_check *structure);
void thud_verify_check_labels(const thud_record_reader *reader, thud_record_table table, const char *role, size_t count,
                              const char *const *names, thud_verify_check *structure);

#endif
