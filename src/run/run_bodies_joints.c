/* Which joints act at a row: those of the start, and what changes of the record did to them. */
#include "base/base.h"
#include "run/run_bodies.h"

#include <string.h>

typedef struct event_channels {
  size_t t, kind, values;
} event_channels;

/* false: the record has no changes. */
static bool find_channels(const thud_record_reader *reader, event_channels *channels) {
  const struct {
    const char *name;
    size_t *channel;
  } wanted[] = {{"t", &channels->t}, {"kind", &channels->kind}, {"values", &channels->values}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
    if (thud_record_find_channel(reader, THUD_RECORD_EVENTS, wanted[k].name, wanted[k].channel) != THUD_OK)
      return false;
  return true;
}

/* The label of an event; "": it has none. */
static const char *label_of(const thud_record_channel *kinds, double value) {
  if (!(value >= 0 && value < (double)kinds->label_count)) return "";
  return kinds->labels[(size_t)value];
}

/* Adds the change of an event that attaches or detaches a joint. */
static thud_error read_change(body_record *record, const event_channels *channels, size_t row, double kind) {
  const char *label = label_of(thud_record_reader_channel(record->reader, THUD_RECORD_EVENTS, channels->kind), kind);
  bool off = strcmp(label, "detach") == 0;
  thud_record_cell values;
  double t;
  if (!off && strcmp(label, "attach") != 0) return THUD_OK;
  thud_error error = thud_record_read(record->reader, THUD_RECORD_EVENTS, channels->t, row, 1, &t);
  if (error == THUD_OK)
    error = thud_record_read_cell(record->reader, THUD_RECORD_EVENTS, channels->values, row, &values);
  if (error != THUD_OK || values.count == 0) return error;
  if (!(values.values[0] >= 0 && values.values[0] < (double)record->view.joint_count)) return THUD_OK;
  error = thud_array_reserve(record->context, &record->joint_changes, &record->joint_change_capacity,
                             record->joint_change_count + 1, sizeof *record->joint_changes);
  if (error == THUD_OK)
    record->joint_changes[record->joint_change_count++] =
        (body_joint_change){.t = t, .joint = (thud_index)values.values[0], .off = off};
  return error;
}

thud_error thud_body_record_read_joint_changes(body_record *record) {
  size_t rows = thud_record_reader_info(record->reader).rows[THUD_RECORD_EVENTS];
  event_channels channels;
  if (record->view.joint_count == 0) return THUD_OK;
  record->off = THUD_NEW_ARRAY(record->context, bool, (size_t)record->view.joint_count);
  if (record->off == NULL) return THUD_ERROR_MEMORY;
  if (rows == 0 || !find_channels(record->reader, &channels)) return THUD_OK;
  double *kinds = THUD_NEW_ARRAY(record->context, double, rows);
  if (kinds == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_record_read(record->reader, THUD_RECORD_EVENTS, channels.kind, 0, rows, kinds);
  for (size_t row = 0; row < rows && error == THUD_OK; row++) error = read_change(record, &channels, row, kinds[row]);
  thud_free(record->context, kinds);
  return error;
}

void thud_body_record_switch_joints(body_record *record, double t) {
  for (thud_index k = 0; k < record->view.joint_count; k++) record->off[k] = record->view.joints[k].absent;
  for (size_t k = 0; k < record->joint_change_count; k++)
    if (record->joint_changes[k].t <= t) record->off[record->joint_changes[k].joint] = record->joint_changes[k].off;
}
