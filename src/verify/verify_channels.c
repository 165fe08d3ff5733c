/* Channels of a record as the checks want them. */
#include "verify/verify_channels.h"

#include <math.h>
#include <string.h>

/* Frames are found by their roles, which are one of a kind; events by their names. NULL: missing. */
static const thud_record_channel *find(const thud_record_reader *reader, thud_record_table table, const char *role,
                                       size_t *index) {
  thud_error error = table == THUD_RECORD_FRAMES ? thud_record_find_role(reader, table, role, index)
                                                 : thud_record_find_channel(reader, table, role, index);
  return error == THUD_OK ? thud_record_reader_channel(reader, table, *index) : NULL;
}

static void fail_missing(thud_record_table table, const char *role, thud_verify_check *structure) {
  thud_verify_fail(structure, NAN, SIZE_MAX, "the %s have no channel for the %s", thud_record_table_name(table), role);
}

/* ---- fixed width --------------------------------------------------------------------------------------------------
 */

static thud_error read_channel(thud_context *context, thud_record_reader *reader, thud_record_table table,
                               const verify_channel *channel, thud_verify_check *structure) {
  size_t index, total, rows = channel->width > 0 ? thud_record_reader_info(reader).rows[table] : 0;
  const thud_record_channel *found = channel->width > 0 ? find(reader, table, channel->role, &index) : NULL;
  if (channel->width > 0 && found == NULL) {
    fail_missing(table, channel->role, structure);
    return THUD_OK;
  }
  if (found != NULL && found->width != channel->width) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the %s has %zu components, the scene asks for %zu", channel->role,
                     found->width, channel->width);
    return THUD_OK;
  }
  if (!thud_size_multiply(rows, channel->width, &total)) return THUD_ERROR_OVERFLOW;
  *channel->values = THUD_NEW_ARRAY(context, double, total);
  if (*channel->values == NULL) return THUD_ERROR_MEMORY;
  return found != NULL ? thud_record_read(reader, table, index, 0, rows, *channel->values) : THUD_OK;
}

thud_error thud_verify_read_channels(thud_context *context, thud_record_reader *reader, thud_record_table table,
                                     size_t count, const verify_channel *channels, thud_verify_check *structure) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_channel(context, reader, table, &channels[k], structure);
  return error;
}

/* ---- ragged -------------------------------------------------------------------------------------------------------
 */

static thud_error read_ragged(thud_context *context, thud_record_reader *reader, thud_record_table table,
                              const verify_ragged_channel *channel, thud_verify_check *structure) {
  size_t index = 0, rows = thud_record_reader_info(reader).rows[table];
  verify_ragged *ragged = channel->ragged;
  const thud_record_channel *found = find(reader, table, channel->role, &index);
  if (channel->group > 0 && found == NULL) fail_missing(table, channel->role, structure);
  bool lists = found != NULL && found->width == 0 && found->type != THUD_RECORD_TEXT;
  if (channel->group == 0 && !lists) found = NULL;
  if (channel->group > 0 && found != NULL && (!lists || found->group != channel->group)) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the %s are not lists of groups of %zu numbers", channel->role,
                     channel->group);
    found = NULL;
  }
  ragged->starts = THUD_NEW_ARRAY(context, size_t, rows + 1);
  if (ragged->starts == NULL) return THUD_ERROR_MEMORY;
  thud_error error = found != NULL && rows > 0
                         ? thud_record_read_ends(reader, table, index, 0, rows, NULL, ragged->starts + 1)
                         : THUD_OK;
  if (error != THUD_OK) return error;
  bool ordered = true;
  for (size_t k = 0; k < rows; k++) ordered = ordered && ragged->starts[k] <= ragged->starts[k + 1];
  if (!ordered || (channel->group == 0 && ragged->starts[rows] > 0)) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the lists of the %s do not follow each other", channel->role);
    memset(ragged->starts, 0, (rows + 1) * sizeof *ragged->starts);
  }
  size_t total = ragged->starts[rows];
  ragged->values = THUD_NEW_ARRAY(context, double, total);
  if (ragged->values == NULL) return THUD_ERROR_MEMORY;
  return total > 0 ? thud_record_read_values(reader, table, index, 0, total, ragged->values) : THUD_OK;
}

thud_error thud_verify_read_ragged(thud_context *context, thud_record_reader *reader, thud_record_table table,
                                   size_t count, const verify_ragged_channel *channels, thud_verify_check *structure) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_ragged(context, reader, table, &channels[k], structure);
  return error;
}

void thud_verify_ragged_free(thud_context *context, verify_ragged *ragged) {
  thud_free(context, ragged->starts);
  thud_free(context, ragged->values);
}

/* ---- names --------------------------------------------------------------------------------------------------------
 */

void thud_verify_check_components(const thud_record_reader *reader, thud_record_table table, const char *role,
                                  size_t count, const char *const *names, thud_verify_check *structure) {
  size_t index;
  const thud_record_channel *found = count > 0 ? find(reader, table, role, &index) : NULL;
  for (size_t i = 0; found != NULL && i < count && i < (found->width > 0 ? found->width : found->group); i++)
    if (strcmp(found->components[i], names[i]) != 0)
      thud_verify_fail(structure, NAN, SIZE_MAX, "component %zu of the %s is '%s', the scene says '%s'", i, role,
                       found->components[i], names[i]);
}

void thud_verify_check_labels(const thud_record_reader *reader, thud_record_table table, const char *role, size_t count,
                              const char *const *names, thud_verify_check *structure) {
  size_t index;
  const thud_record_channel *found = count > 0 ? find(reader, table, role, &index) : NULL;
  if (found == NULL) return;
  if (found->label_count != count)
    thud_verify_fail(structure, NAN, SIZE_MAX, "%zu values of the %s have names, %zu have a meaning",
                     found->label_count, role, count);
  for (size_t i = 0; i < count && i < found->label_count; i++)
    if (strcmp(found->labels[i], names[i]) != 0)
      thud_verify_fail(structure, NAN, SIZE_MAX, "value %zu of the %s is called '%s', not '%s'", i, role,
                       found->labels[i], names[i]);
}
