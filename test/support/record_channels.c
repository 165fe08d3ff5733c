#include "record_channels.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text) {
  char *made = malloc(strlen(text) + 1);
  assert_non_null(made);
  return strcpy(made, text);
}

typedef thud_error note_reader(thud_record_reader *reader, size_t index, thud_record_note *note);

static void load_notes(thud_record_reader *reader, note_reader *read, size_t count, double **times, char ***kinds,
                       char ***texts) {
  *times = malloc((count + 1) * sizeof(double));
  *texts = malloc((count + 1) * sizeof(char *));
  *kinds = malloc((count + 1) * sizeof(char *));
  assert_true(*times != NULL && *texts != NULL && *kinds != NULL);
  for (size_t k = 0; k < count; k++) {
    thud_record_note note;
    assert_int_equal(read(reader, k, &note), THUD_OK);
    (*times)[k] = note.t;
    (*texts)[k] = duplicate(note.text);
    (*kinds)[k] = duplicate(note.kind);
  }
}

static void free_notes(size_t count, double *times, char **kinds, char **texts) {
  for (size_t k = 0; k < count; k++) {
    free(texts[k]);
    free(kinds[k]);
  }
  free(kinds);
  free(times);
  free(texts);
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
  r->warning_count = info.warning_count;
  load_notes(r->reader, thud_record_read_event, r->event_count, &r->event_times, &r->event_kinds, &r->event_texts);
  load_notes(r->reader, thud_record_read_warning, r->warning_count, &r->warning_times, &r->warning_kinds,
             &r->warning_texts);
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
  for (size_t k = 0; k < r->warning_count; k++)
    assert_int_equal(thud_record_add_warning(writer, r->warning_times[k], r->warning_kinds[k], r->warning_texts[k]),
                     THUD_OK);
  if (r->finished)
    assert_int_equal(thud_record_close(writer, r->verdict, info.reason, r->summary), THUD_OK);
  else
    thud_record_abandon(writer);
}

void record_channels_free(record_channels *r) {
  for (size_t k = 0; k < r->count; k++) free(r->values[k]);
  free_notes(r->event_count, r->event_times, r->event_kinds, r->event_texts);
  free_notes(r->warning_count, r->warning_times, r->warning_kinds, r->warning_texts);
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
