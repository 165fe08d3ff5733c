#include "record_channels.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text) {
  char *made = malloc(strlen(text) + 1);
  assert_non_null(made);
  return strcpy(made, text);
}

void record_channels_load(thud_context *context, const char *path, record_channels *r) {
  *r = (record_channels){.finished = true};
  assert_int_equal(thud_record_open(context, path, &r->reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(r->reader);
  r->rows = info.rows;
  r->count = info.channel_count;
  assert_true(r->count <= RECORD_CHANNELS_MOST);
  r->summary = duplicate(info.summary);
  r->verdict = duplicate(info.verdict);
  for (size_t k = 0; k < r->count; k++) {
    r->values[k] = malloc((r->rows * record_channels_width(r, k) + 1) * sizeof(double));
    assert_non_null(r->values[k]);
    assert_int_equal(thud_record_read(r->reader, k, 0, r->rows, r->values[k]), THUD_OK);
  }
  r->event_count = info.event_count;
  r->event_times = malloc((r->event_count + 1) * sizeof(double));
  r->event_texts = malloc((r->event_count + 1) * sizeof(char *));
  r->event_kinds = malloc((r->event_count + 1) * sizeof(char *));
  assert_true(r->event_times != NULL && r->event_texts != NULL && r->event_kinds != NULL);
  for (size_t k = 0; k < r->event_count; k++) {
    thud_record_note note;
    assert_int_equal(thud_record_read_event(r->reader, k, &note), THUD_OK);
    r->event_times[k] = note.t;
    r->event_texts[k] = duplicate(note.text);
    r->event_kinds[k] = duplicate(note.kind);
  }
}

void record_channels_save(thud_context *context, const char *path, const record_channels *r) {
  thud_record_info info = thud_record_reader_info(r->reader);
  thud_record_channel channels[RECORD_CHANNELS_MOST];
  for (size_t k = 0; k < r->count; k++) channels[k] = *thud_record_reader_channel(r->reader, k);
  thud_record_header header = {
      .title = info.title, .method = info.method, .scene = info.scene, .options = info.options};
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  options.flush_every_seconds = 0;
  thud_record_writer *writer;
  assert_int_equal(thud_record_create(context, path, &options, &header, r->count, channels, &writer), THUD_OK);
  for (size_t row = 0; row < r->rows; row++) {
    const double *rows[RECORD_CHANNELS_MOST];
    for (size_t k = 0; k < r->count; k++) rows[k] = r->values[k] + row * channels[k].width;
    assert_int_equal(thud_record_append(writer, rows), THUD_OK);
  }
  for (size_t k = 0; k < r->event_count; k++)
    assert_int_equal(thud_record_add_event(writer, r->event_times[k], r->event_kinds[k], r->event_texts[k]), THUD_OK);
  if (r->finished)
    assert_int_equal(thud_record_close(writer, r->verdict, info.reason, r->summary), THUD_OK);
  else
    thud_record_abandon(writer);
}

void record_channels_free(record_channels *r) {
  for (size_t k = 0; k < r->count; k++) free(r->values[k]);
  for (size_t k = 0; k < r->event_count; k++) {
    free(r->event_texts[k]);
    free(r->event_kinds[k]);
  }
  free(r->event_kinds);
  free(r->event_times);
  free(r->event_texts);
  free(r->summary);
  free(r->verdict);
  thud_record_reader_destroy(r->reader);
}

size_t record_channels_find(const record_channels *r, const char *role) {
  size_t channel = 0;
  assert_int_equal(thud_record_find_role(r->reader, role, &channel), THUD_OK);
  return channel;
}

size_t record_channels_width(const record_channels *r, size_t channel) {
  return thud_record_reader_channel(r->reader, channel)->width;
}
