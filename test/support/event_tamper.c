#include "event_tamper.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <math.h>
#include <string.h>

/* Relative to the largest number of its kind. */
static const double CHANGE = 1e-4;

static double number_at(const record_channels *record, const char *role, size_t row) {
  return record->values[record_channels_find(record, role)][row];
}

/* Components of one coefficient of a series; 0: the channel is none. */
static size_t series_width(const record_channels *record, const thud_record_channel *about) {
  if (strcmp(about->role, "position_series") == 0)
    return record_channels_width(record, record_channels_find(record, "velocity_left"));
  if (strcmp(about->role, "reaction_series") == 0)
    return record_channels_width(record, record_channels_find(record, "impulse"));
  return 0;
}

/* Beside the largest number of the channel; coefficient k of a series beside what it does on the arc. */
static double change_of(const record_channels *record, size_t channel, size_t component, size_t row) {
  const thud_record_channel *about = thud_record_reader_channel(record->reader, channel);
  size_t series = series_width(record, about), counted = series > 0 ? series : about->width;
  double size = 0, h = number_at(record, "end", row) - number_at(record, "time", row);
  for (size_t k = 0; k < record->rows; k++)
    for (size_t i = 0; i < counted; i++) size = fmax(size, fabs(record->values[channel][k * about->width + i]));
  if (!(size > 1e-9)) size = 1;
  size_t power = series > 0 ? component / series : 0;
  return CHANGE * size * (h > 0 ? pow(h, -(double)power) : 1);
}

/* The modes before the start, and what decided the modes of an arc that is not there. */
static bool says_nothing(const record_channels *record, const char *role, size_t row) {
  bool no_arc = number_at(record, "end", row) == number_at(record, "time", row);
  if (strcmp(role, "mode_left") == 0) return row == 0;
  return strcmp(role, "order") == 0 && (no_arc || number_at(record, "accumulation", row) != 0);
}

bool event_tamper(thud_context *context, record_channels *record, size_t channel, size_t component, size_t row) {
  const thud_record_channel *about = thud_record_reader_channel(record->reader, channel);
  double *number = record->values[channel] + row * about->width + component, kept = *number;
  double sign = (component + row) % 2 == 0 ? 1 : -1;
  const char *path = thud_test_path("tampered.h5");
  thud_verify_result result;
  if (says_nothing(record, about->role, row)) return false;
  *number = kept + sign * (about->type == THUD_RECORD_SMALL ? 1 : change_of(record, channel, component, row));
  record_channels_save(context, path, record);
  assert_int_equal(thud_verify_record(context, path, NULL, &result), THUD_OK);
  if (result.verdict != THUD_VERIFY_BAD)
    fail_msg("%s of %s at row %zu: %.17g for %.17g is not found", about->components[component], about->name, row,
             *number, kept);
  *number = kept;
  return true;
}
