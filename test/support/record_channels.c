#include "record_channels.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text) {
  char *made = malloc(strlen(text) + 1);
  assert_non_null(made);
  return strcpy(made, text);
}

static void load_warnings(record_channels *r, size_t count) {
  r->warning_count = count;
  r->warning_times = malloc((count + 1) * sizeof(double));
  r->warning_texts = malloc((count + 1) * sizeof(char *));
  r->warning_kinds = malloc((count + 1) * sizeof(char *));
  assert_non_null(r->warning_times);
  assert_non_null(r->warning_texts);
  assert_non_null(r->warning_kinds);
  for (size_t k = 0; k < count; k++) {
    thud_record_note note;
    assert_int_equal(thud_record_read_note(r->reader, THUD_RECORD_WARNINGS, k, &note), THUD_OK);
    r->warning_times[k] = note.t;
    r->warning_texts[k] = duplicate(note.text);
    r->warning_kinds[k] = duplicate(note.kind);
  }
}

void record_channels_load(thud_context *context, const char *path, record_channels *r) {
  *r = (record_channels){.finished = true};
  assert_int_equal(thud_record_open(context, path, &r->reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(r->reader);
  r->summary = duplicate(info.summary);
  r->verdict = duplicate(info.verdict);
  record_table_load(r->reader, THUD_RECORD_FRAMES, &r->frames);
  record_table_load(r->reader, THUD_RECORD_EVENTS, &r->events);
  load_warnings(r, info.rows[THUD_RECORD_WARNINGS]);
}

void record_channels_save(thud_context *context, const char *path, const record_channels *r) {
  thud_record_info info = thud_record_reader_info(r->reader);
  thud_record_channel frames[RECORD_TABLE_MOST], events[RECORD_TABLE_MOST];
  record_table_describe(&r->frames, frames);
  record_table_describe(&r->events, events);
  const thud_record_layout layout = {.count = {r->frames.count, r->events.count}, .channels = {frames, events}};
  thud_record_header header = {.title = info.title,
                               .kind = info.kind,
                               .method = info.method,
                               .scene = info.scene,
                               .resolved = r->resolved != NULL ? r->resolved : info.resolved};
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  options.flush_every_seconds = 0;
  thud_record_writer *writer;
  if (thud_record_create(context, path, &options, &header, &layout, &writer) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  for (size_t row = 0; row < r->frames.rows; row++) record_table_append(writer, &r->frames, row);
  for (size_t row = 0; row < r->events.rows; row++) record_table_append(writer, &r->events, row);
  for (size_t k = 0; k < r->warning_count; k++)
    assert_int_equal(thud_record_add_warning(writer, r->warning_times[k], r->warning_kinds[k], r->warning_texts[k]),
                     THUD_OK);
  if (r->finished)
    assert_int_equal(thud_record_close(writer, r->verdict, info.reason, r->summary), THUD_OK);
  else
    thud_record_abandon(writer);
}

void record_channels_free(record_channels *r) {
  record_table_free(&r->frames);
  record_table_free(&r->events);
  for (size_t k = 0; k < r->warning_count; k++) {
    free(r->warning_texts[k]);
    free(r->warning_kinds[k]);
  }
  free(r->warning_kinds);
  free(r->warning_times);
  free(r->warning_texts);
  free(r->summary);
  free(r->verdict);
  thud_record_reader_destroy(r->reader);
}

void record_channels_try(thud_context *context, const char *what, record_channels *record, const record_table *table,
                         size_t channel, size_t component, size_t row, double number) {
  double *place = record_table_cell(table, channel, row) + component, kept = *place;
  const char *path = thud_test_path("tampered.h5");
  thud_verify_result result;
  *place = number;
  record_channels_save(context, path, record);
  assert_int_equal(thud_verify_record(context, path, NULL, &result), THUD_OK);
  if (result.verdict != THUD_VERIFY_BAD)
    fail_msg("%s: number %zu of '%s' in row %zu of the %s: %.17g for %.17g is not found", what, component,
             table->columns[channel].about.name, row, thud_record_table_name(table->which), number, kept);
  *place = kept;
}
