#include "record_rows.h"
#include "testing.h"

#include <string.h>

enum { MOST_CHANNELS = 24 };

static const thud_record_channel event_channels[3] = {
    {.name = "t", .width = 1, .role = "time", .look = THUD_LOOK_POINT},
    {.name = "kind", .type = THUD_RECORD_TEXT, .role = "kind", .look = THUD_LOOK_POINT},
    {.name = "text", .type = THUD_RECORD_TEXT, .role = "text", .look = THUD_LOOK_POINT}};

thud_record_layout record_rows_layout(size_t count, const thud_record_channel *channels) {
  return (thud_record_layout){.count = {count, 3}, .channels = {channels, event_channels}};
}

thud_error record_rows_create(thud_context *context, const char *path, const thud_record_options *options,
                              const thud_record_header *header, size_t count, const thud_record_channel *channels,
                              thud_record_writer **writer) {
  const thud_record_layout layout = record_rows_layout(count, channels);
  return thud_record_create(context, path, options, header, &layout, writer);
}

thud_error record_rows_append(thud_record_writer *writer, size_t count, const thud_record_channel *channels,
                              const double *const *rows) {
  thud_record_cell cells[MOST_CHANNELS];
  thud_assert_at_most(count, MOST_CHANNELS);
  for (size_t k = 0; k < count; k++) cells[k] = (thud_record_cell){.values = rows[k], .count = channels[k].width};
  return thud_record_append(writer, THUD_RECORD_FRAMES, cells);
}

thud_error record_rows_event(thud_record_writer *writer, double t, const char *kind, const char *text) {
  const thud_record_cell cells[3] = {
      {.values = &t, .count = 1}, {.text = kind, .count = strlen(kind)}, {.text = text, .count = strlen(text)}};
  return thud_record_append(writer, THUD_RECORD_EVENTS, cells);
}
