/* What a run found, as JSON for machines and as a few lines for people. */
#include "run/run.h"

#include <math.h>
#include <string.h>

thud_error thud_run_hand_out(thud_text *text, char **out) {
  thud_error error = text->error;
  if (error == THUD_OK)
    *out = text->data;
  else
    thud_text_free(text);
  return error;
}

thud_error thud_run_hand_over(thud_context *context, thud_error error, const char *reason, thud_run_result *made,
                              thud_run_result *result) {
  if (error == THUD_OK) {
    made->reason = thud_strdup(context, reason);
    if (made->reason == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error != THUD_OK)
    thud_run_result_free(context, made);
  else
    *result = *made;
  return error;
}

/* Keys of the result beside those of the kind's figures. */
static const char *const result_keys[] = {
    "verdict", "reason",       "title",  "method", "time",    "wall_seconds", "path",         "state", "events",
    "ledger",  "events_total", "record", "frames", "samples", "warnings",     "samples_left", "dumped"};

void thud_run_report(const thud_run *run, bool for_record, thud_json *json, thud_text *lines, thud_report *report) {
  *report = (thud_report){.context = run->context,
                          .json = json,
                          .lines = lines,
                          .layout = run->layout,
                          .kept = &run->kept,
                          .events = run->counters.events,
                          .recorded = run->record != NULL,
                          .for_record = for_record,
                          .brief = run->path != NULL,
                          .taken = result_keys,
                          .taken_count = sizeof result_keys / sizeof *result_keys};
  run->kind->report(run->motion, report);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void write_events(const thud_run *run, thud_json *json) {
  thud_json_key(json, "events");
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->kept.count; k++) {
    thud_json_begin_object(json);
    thud_report_json_row(json, run->kept.channels, run->layout->channels[THUD_RECORD_EVENTS], run->kept.rows[k]);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
  thud_json_integer_field(json, "events_total", (int64_t)run->counters.events);
}

static void write_ledger(const thud_run *run, thud_json *json) {
  thud_json_key(json, "ledger");
  if (run->ledger == NULL) {
    thud_json_null(json);
    return;
  }
  const thud_record_channel *channel = &run->layout->channels[THUD_RECORD_FRAMES][run->ledger_channel];
  thud_json_begin_object(json);
  for (size_t c = 0; c < channel->width; c++) thud_json_number_field(json, channel->components[c], run->ledger[c]);
  thud_json_end_object(json);
}

void thud_run_json(const thud_run *run, bool with_wall_clock, thud_json *json, thud_error *error) {
  thud_report report;
  thud_json_begin_object(json);
  thud_json_string_field(json, "verdict", run->verdict_name);
  thud_json_string_field(json, "reason", run->reason);
  thud_json_string_field(json, "title", run->scene->title);
  thud_json_string_field(json, "method", run->kind->method(run->motion));
  thud_json_number_field(json, "time", run->reached.t);
  if (with_wall_clock) thud_json_number_field(json, "wall_seconds", run->wall_seconds);
  if (run->path != NULL) thud_run_path_json(run->path, json);
  thud_json_key(json, "state");
  thud_run_state_json(&run->state, run->final, json);
  thud_run_report(run, !with_wall_clock, json, NULL, &report);
  write_events(run, json);
  write_ledger(run, json);
  thud_report_json_warnings(&report, json);
  if (run->dump.directory != NULL && with_wall_clock) thud_json_integer_field(json, "dumped", (int64_t)run->dump.count);
  thud_json_string_field(json, "record", with_wall_clock ? run->record : NULL);
  thud_json_integer_field(json, "frames", (int64_t)run->counters.recorded);
  thud_run_samples_json(&run->samples, json);
  thud_json_end_object(json);
  if (*error == THUD_OK) *error = report.error;
  thud_report_release(&report);
}

thud_error thud_run_write_json(const thud_run *run, bool with_wall_clock, char **out) {
  thud_text text = thud_text_new(run->context);
  thud_json json = thud_json_new(&text);
  thud_error error = THUD_OK;
  thud_run_json(run, with_wall_clock, &json, &error);
  if (text.error == THUD_OK) text.error = error;
  return thud_run_hand_out(&text, out);
}

/* ---- report ------------------------------------------------------------------------------------------------------ */

static void write_record(const thud_run *run, thud_text *text) {
  if (run->record == NULL) return;
  thud_text_print(text,
                  run->broken ? "  %-*s %s (incomplete: %zu frames were handed over)\n" : "  %-*s %s (%zu frames)\n",
                  REPORT_LABEL, "record", run->record, run->counters.recorded);
}

static void write_dumped(const thud_run *run, thud_text *text) {
  if (run->dump.directory == NULL) return;
  thud_text_print(text, "  %-*s %s (%zu contact problem%s)\n", REPORT_LABEL, "dumped", run->dump.directory,
                  run->dump.count, thud_plural(run->dump.count));
}

thud_error thud_run_write_report(const thud_run *run, char **out) {
  const thud_scene *scene = run->scene;
  thud_text text = thud_text_new(run->context), lines = thud_text_new(run->context);
  thud_report report;
  thud_run_report(run, false, NULL, &lines, &report);
  if (scene->title[0] != '\0') thud_text_print(&text, "%s\n", scene->title);
  thud_text_print(&text, "  %-*s %s%s%s, t = %g to %g\n", REPORT_LABEL, "method", run->kind->method(run->motion),
                  report.method[0] != '\0' ? ", " : "", report.method, scene->start, scene->end);
  thud_run_samples_lines(&run->samples, &text);
  thud_run_state_line(&run->state, "state", run->reached.t, "", run->final, &text);
  thud_text_print(&text, "%s", thud_text_chars(&lines));
  thud_report_write_warnings(&report, &text);
  write_dumped(run, &text);
  write_record(run, &text);
  thud_text_print(&text, "verdict: %s%s%s\n", run->verdict_name, run->reason[0] != '\0' ? ": " : "", run->reason);
  if (text.error == THUD_OK) text.error = lines.error != THUD_OK ? lines.error : report.error;
  thud_report_release(&report);
  thud_text_free(&lines);
  return thud_run_hand_out(&text, out);
}
