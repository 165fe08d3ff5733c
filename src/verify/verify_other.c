/* A record of a kind that the checker does not know: what holds of every record. */
#include "verify/verify_result.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <math.h>
#include <string.h>

/* Whether the numbers of a channel must be finite: times, states, and what applies to every event. */
static bool must_be_finite(thud_record_table table, const thud_record_channel *channel) {
  if (channel->type != THUD_RECORD_REAL) return false;
  bool time = strcmp(channel->role, "time") == 0 || strcmp(channel->role, "end") == 0;
  return time || (table == THUD_RECORD_FRAMES ? channel->state : !channel->optional);
}

/* Cell by cell, as a record of any size can be read. */
static thud_error check_finite(thud_record_reader *reader, thud_record_table table, size_t channel,
                               thud_verify_check *check) {
  const thud_record_channel *about = thud_record_reader_channel(reader, table, channel);
  size_t rows = must_be_finite(table, about) ? thud_record_reader_info(reader).rows[table] : 0;
  for (size_t row = 0; row < rows; row++) {
    thud_record_cell cell;
    thud_error error = thud_record_read_cell(reader, table, channel, row, &cell);
    if (error != THUD_OK) return error;
    for (size_t c = 0; c < cell.count; c++)
      if (!isfinite(cell.values[c]))
        thud_verify_fail(check, NAN, table == THUD_RECORD_FRAMES ? row : SIZE_MAX, "row %zu of the %s: '%s' is %g", row,
                         thud_record_table_name(table), about->name, cell.values[c]);
  }
  return THUD_OK;
}

static void check_times(size_t count, const double *t, const char *table, thud_verify_check *check) {
  for (size_t k = 1; k < count; k++)
    if (!(t[k] >= t[k - 1])) thud_verify_fail(check, t[k], SIZE_MAX, "row %zu of the %s goes back in time", k, table);
}

/* Every event has a frame, which comes after it. */
static void check_links(const thud_record_info *info, const double *t, const double *event_t, const double *frame,
                        thud_verify_check *check) {
  size_t frames = info->rows[THUD_RECORD_FRAMES];
  for (size_t e = 0; e < info->rows[THUD_RECORD_EVENTS]; e++) {
    bool there = frame[e] >= 0 && frame[e] < (double)frames;
    if (!there && (info->finished || frame[e] != (double)frames))
      thud_verify_fail(check, event_t[e], SIZE_MAX, "event %zu belongs to frame %g, of %zu", e, frame[e], frames);
    if (e > 0 && frame[e] < frame[e - 1])
      thud_verify_fail(check, event_t[e], SIZE_MAX, "event %zu belongs to an earlier frame than the one before", e);
    if (there && !(event_t[e] <= t[(size_t)frame[e]]))
      thud_verify_fail(check, event_t[e], (size_t)frame[e], "event %zu is later than the frame that shows it", e);
  }
}

static thud_error check_structure(thud_context *context, thud_record_reader *reader, thud_verify_check *check) {
  thud_record_info info = thud_record_reader_info(reader);
  double *t = NULL, *event_t = NULL, *frame = NULL;
  const verify_channel frames[] = {{"time", 1, &t}}, events[] = {{"t", 1, &event_t}, {"frame", 1, &frame}};
  thud_error error = thud_verify_read_channels(context, reader, THUD_RECORD_FRAMES, 1, frames, check);
  if (error == THUD_OK && info.channel_count[THUD_RECORD_EVENTS] > 0)
    error = thud_verify_read_channels(context, reader, THUD_RECORD_EVENTS, 2, events, check);
  for (int table = THUD_RECORD_FRAMES; table <= THUD_RECORD_EVENTS; table++)
    for (size_t k = 0; k < info.channel_count[table] && error == THUD_OK; k++)
      error = check_finite(reader, (thud_record_table)table, k, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED) {
    check_times(info.rows[THUD_RECORD_FRAMES], t, "frames", check);
    check_times(event_t != NULL ? info.rows[THUD_RECORD_EVENTS] : 0, event_t, "events", check);
    if (event_t != NULL) check_links(&info, t, event_t, frame, check);
    if (info.rows[THUD_RECORD_FRAMES] == 0) thud_verify_fail(check, NAN, SIZE_MAX, "the record has no frames");
  }
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu frames, %zu events", info.rows[THUD_RECORD_FRAMES], info.rows[THUD_RECORD_EVENTS]);
  thud_free(context, t);
  thud_free(context, event_t);
  thud_free(context, frame);
  return error;
}

thud_error thud_verify_other_record(thud_context *context, thud_record_reader *reader, thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check structure = thud_verify_check_new("structure"), kind = thud_verify_check_new("kind");
  thud_verify_check summary = thud_verify_check_new("summary"), finished = thud_verify_check_new("finished");
  thud_tree *tree = NULL;
  thud_error error = check_structure(context, reader, &structure);
  if (error == THUD_OK) error = thud_verify_summary_open(context, reader, &summary, &tree);
  thud_tree_destroy(tree);
  if (error != THUD_OK) return error;
  thud_verify_skip(&kind, THUD_VERIFY_NOT_CHECKABLE, "motions of the kind '%s' cannot be checked, only their structure",
                   info.kind);
  thud_verify_check_finished(&info, &finished);
  *result = (thud_verify_result){0};
  thud_verify_result_add(result, &structure);
  thud_verify_result_add(result, &kind);
  thud_verify_result_add(result, &summary);
  thud_verify_result_add(result, &finished);
  return THUD_OK;
}
