/* What kinds report: figures, lines, warnings. */
#include "base/base.h"
#include "run/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void thud_report_method(thud_report *report, const char *format, ...) {
  THUD_REQUIRE_OR(, report, format);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->method, sizeof report->method, format, arguments);
  va_end(arguments);
}

static bool is_among(size_t count, const char *const *keys, const char *key) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(keys[k], key) == 0) return true;
  return false;
}

void thud_report_of_run_alone(thud_report *report, bool alone) { report->aside = alone; }

/* A figure may be written: somebody wants it, and its key is not there yet. */
static bool begin_figure(thud_report *report, const char *key) {
  if (report->json == NULL || report->error != THUD_OK || (report->aside && report->for_record)) return false;
  bool own = is_among(report->key_count, (const char *const *)report->keys, key);
  if (own || is_among(report->taken_count, report->taken, key)) {
    report->error = thud_fail(report->context, THUD_ERROR_ARGUMENT,
                              "a figure of the report has the key '%s', which %s: use another one", key,
                              own ? "another figure has" : "is one of the result's own");
    return false;
  }
  report->error = thud_array_reserve(report->context, &report->keys, &report->key_capacity, report->key_count + 1,
                                     sizeof *report->keys);
  char *kept = report->error == THUD_OK ? thud_strdup(report->context, key) : NULL;
  if (kept == NULL) report->error = THUD_ERROR_MEMORY;
  if (kept != NULL) report->keys[report->key_count++] = kept;
  return kept != NULL;
}

void thud_report_integer(thud_report *report, const char *key, int64_t value) {
  THUD_REQUIRE_OR(, report, key);
  if (begin_figure(report, key)) thud_json_integer_field(report->json, key, value);
}

void thud_report_number(thud_report *report, const char *key, double value) {
  THUD_REQUIRE_OR(, report, key);
  if (begin_figure(report, key)) thud_json_number_field(report->json, key, value);
}

void thud_report_string(thud_report *report, const char *key, const char *value) {
  THUD_REQUIRE_OR(, report, key);
  if (begin_figure(report, key)) thud_json_string_field(report->json, key, value);
}

void thud_report_flag(thud_report *report, const char *key, bool value) {
  THUD_REQUIRE_OR(, report, key);
  if (!begin_figure(report, key)) return;
  thud_json_key(report->json, key);
  thud_json_bool(report->json, value);
}

void thud_report_list(thud_report *report, const char *key, size_t keys, const char *const *names, size_t count,
                      const double *values) {
  THUD_REQUIRE_OR(, report, key, keys == 0 || names, keys * count == 0 || values);
  thud_json *json = report->json;
  if (!begin_figure(report, key)) return;
  thud_json_key(json, key);
  thud_json_begin_array(json);
  for (size_t k = 0; k < count; k++) {
    thud_json_begin_object(json);
    for (size_t i = 0; i < keys; i++) thud_json_number_field(json, names[i], values[k * keys + i]);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* The formatted text; NULL: no memory. Freed by the caller. */
static char *print(thud_context *context, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length >= 0 ? thud_alloc(context, (size_t)length + 1, 1) : NULL;
  if (text != NULL) vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

void thud_report_line(thud_report *report, const char *label, const char *format, ...) {
  THUD_REQUIRE_OR(, report, label, format);
  if (report->lines == NULL) return;
  va_list arguments;
  va_start(arguments, format);
  char *text = print(report->context, format, arguments);
  va_end(arguments);
  if (text == NULL)
    report->error = THUD_ERROR_MEMORY;
  else
    thud_text_print(report->lines, "  %-*s %s\n", REPORT_LABEL, label, text);
  thud_free(report->context, text);
}

void thud_report_warning(thud_report *report, double t, const char *code, const char *format, ...) {
  THUD_REQUIRE_OR(, report, code, format);
  report_warning made = {.t = t, .code = thud_strdup(report->context, code)};
  va_list arguments;
  va_start(arguments, format);
  made.message = print(report->context, format, arguments);
  va_end(arguments);
  thud_error error = thud_array_reserve(report->context, &report->warnings, &report->warning_capacity,
                                        report->warning_count + 1, sizeof made);
  if (error == THUD_OK && made.code != NULL && made.message != NULL) {
    report->warnings[report->warning_count++] = made;
    return;
  }
  thud_free(report->context, made.code);
  thud_free(report->context, made.message);
  report->error = THUD_ERROR_MEMORY;
}

size_t thud_report_kept_count(const thud_report *report) {
  THUD_REQUIRE_OR(0, report);
  return report->kept != NULL ? report->kept->count : 0;
}

const thud_record_cell *thud_report_kept_event(const thud_report *report, size_t k) {
  THUD_REQUIRE_OR(NULL, report);
  return k < thud_report_kept_count(report) ? report->kept->rows[k] : NULL;
}

void thud_report_events(thud_report *report, size_t most) {
  THUD_REQUIRE_OR(, report);
  if (report->lines == NULL || report->brief) return;
  size_t kept = thud_report_kept_count(report);
  for (size_t k = 0; k < kept && k < most; k++)
    thud_report_event_line(report->lines, report->kept->channels, report->layout->channels[THUD_RECORD_EVENTS],
                           report->kept->rows[k]);
  if (report->events > most && kept >= most)
    thud_text_print(report->lines, "    and %zu more%s\n", report->events - most,
                    report->recorded ? ": thud export --events lists them" : "");
}

void thud_report_write_warnings(const thud_report *report, thud_text *text) {
  for (size_t k = 0; k < report->warning_count; k++)
    thud_text_print(text, "  %-*s %s\n", REPORT_LABEL, "warning", report->warnings[k].message);
}

void thud_report_json_warnings(const thud_report *report, thud_json *json) {
  thud_json_key(json, "warnings");
  thud_json_begin_array(json);
  for (size_t k = 0; k < report->warning_count; k++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", report->warnings[k].t);
    thud_json_string_field(json, "code", report->warnings[k].code);
    thud_json_string_field(json, "message", report->warnings[k].message);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

void thud_report_release(thud_report *report) {
  for (size_t k = 0; k < report->warning_count; k++) {
    thud_free(report->context, report->warnings[k].code);
    thud_free(report->context, report->warnings[k].message);
  }
  for (size_t k = 0; k < report->key_count; k++) thud_free(report->context, report->keys[k]);
  thud_free(report->context, report->keys);
  report->keys = NULL;
  report->key_count = report->key_capacity = 0;
  thud_free(report->context, report->warnings);
  report->warnings = NULL;
  report->warning_count = report->warning_capacity = 0;
}
