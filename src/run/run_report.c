/* Reports of kinds: figures, lines, warnings; rows as JSON and as lines; the result of a run. */
#include "base/base.h"
#include "run/run_observe.h"
#include "run/run_report.h"
#include "run/run.h"
#include "run/run_scales.h"

#include <math.h>
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

/* A figure may be written: somebody wants it, and its key is not there yet. */
static bool begin_figure(thud_report *report, const char *key) {
  if (report->json == NULL || report->error != THUD_OK) return false;
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
    thud_text_print(text, "  %-*s %s [%s]\n", REPORT_LABEL, "warning", report->warnings[k].message,
                    report->warnings[k].code);
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

/* ---- rows of tables as JSON and as lines, by the descriptions of their channels alone ---------------------------- */

static bool is(const char *a, const char *b) { return a != NULL && strcmp(a, b) == 0; }

size_t thud_report_find_name(size_t count, const thud_record_channel *channels, const char *name) {
  for (size_t k = 0; k < count; k++)
    if (is(channels[k].name, name)) return k;
  return SIZE_MAX;
}

size_t thud_report_find_role(size_t count, const thud_record_channel *channels, const char *role) {
  for (size_t k = 0; k < count; k++)
    if (is(channels[k].role, role)) return k;
  return SIZE_MAX;
}

static const char *label_of(const thud_record_channel *channel, double value) {
  bool known = value >= 0 && value < (double)channel->label_count;
  return known ? channel->labels[(size_t)value] : NULL;
}

/* The label of a value, or the value itself where there is none; the text is good until the next call with it. */
static const char *name_of(const thud_record_channel *channel, double value, char number[THUD_DOUBLE_CAPACITY]) {
  const char *label = label_of(channel, value);
  snprintf(number, THUD_DOUBLE_CAPACITY, "%.6g", value);
  return label != NULL ? label : number;
}

/* Two labels, false and true: a flag. */
static bool is_flag(const thud_record_channel *channel) {
  return channel->label_count == 2 && strcmp(channel->labels[0], "false") == 0 &&
         strcmp(channel->labels[1], "true") == 0;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void write_value(thud_json *json, const thud_record_channel *channel, double value) {
  if (is_flag(channel))
    thud_json_bool(json, value != 0);
  else if (channel->label_count > 0)
    thud_json_string(json, label_of(channel, value));
  else if (channel->type == THUD_RECORD_REAL || value != (double)(int64_t)value)
    thud_json_number(json, value);
  else
    thud_json_integer(json, (int64_t)value);
}

static void write_components(thud_json *json, const thud_record_channel *channel, const thud_record_cell *cell) {
  char name[THUD_RECORD_NAME_LENGTH + 24];
  thud_json_begin_object(json);
  for (size_t c = 0; c < cell->count; c++) {
    snprintf(name, sizeof name, "%s[%zu]", channel->name, c);
    thud_json_key(json, channel->components != NULL ? channel->components[c] : name);
    write_value(json, channel, cell->values[c]);
  }
  thud_json_end_object(json);
}

static void write_list(thud_json *json, const thud_record_channel *channel, const thud_record_cell *cell) {
  thud_json_begin_flat_array(json);
  for (size_t c = 0; c < cell->count; c++) write_value(json, channel, cell->values[c]);
  thud_json_end_array(json);
}

/* Length of the name that a component belongs to: "floor.t1" belongs to "floor". */
static size_t owner_length(const char *name) {
  const char *dot = strrchr(name, '.');
  bool slip = dot != NULL && dot[1] == 't' && dot[2] >= '1' && dot[2] <= '9';
  return slip ? (size_t)(dot - name) : strlen(name);
}

/* owner -> [values]: `group` values for each entry of the index, or those of all components with the same owner. */
static void write_owned(thud_json *json, const thud_record_channel *channel, const thud_record_cell *cell,
                        const thud_record_channel *index, const thud_record_cell *entries) {
  size_t group = channel->group > 0 ? channel->group : 1;
  char owner[256] = "";
  bool open = false;
  thud_json_begin_object(json);
  for (size_t k = 0; k < entries->count && (k + 1) * group <= cell->count; k++) {
    const char *name = label_of(index, entries->values[k]);
    size_t length = name == NULL ? 0 : group > 1 ? strlen(name) : owner_length(name);
    bool same = open && channel->group <= 1 && strlen(owner) == length && strncmp(owner, name, length) == 0;
    if (!same) {
      if (open) thud_json_end_array(json);
      if (length >= sizeof owner) length = sizeof owner - 1;
      memcpy(owner, name != NULL ? name : "", length);
      owner[length] = '\0';
      thud_json_key(json, owner);
      thud_json_begin_flat_array(json);
      open = true;
    }
    for (size_t i = 0; i < group; i++) write_value(json, channel, cell->values[k * group + i]);
  }
  if (open) thud_json_end_array(json);
  thud_json_end_object(json);
}

/* Columns that are no news to a reader of the result. */
static bool is_left_out(const thud_record_channel *channel, const thud_record_cell *cell) {
  bool of_functions = channel->role != NULL && strncmp(channel->role, "posed_", 6) == 0; /* for verification alone */
  if (of_functions || is(channel->role, "index") || is(channel->role, "ledger") || is(channel->role, "frame"))
    return true;
  if (!channel->optional) return false;
  if (channel->type == THUD_RECORD_TEXT || channel->width == 0) return cell->count == 0;
  return channel->label_count > 0 ? cell->values[0] < 0 : isnan(cell->values[0]);
}

void thud_report_json_row(thud_json *json, size_t count, const thud_record_channel *channels,
                          const thud_record_cell *cells) {
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = &channels[k];
    const thud_record_cell *cell = &cells[k];
    if (is_left_out(channel, cell)) continue;
    size_t index = channel->at != NULL ? thud_report_find_name(count, channels, channel->at) : SIZE_MAX;
    thud_json_key(json, channel->name);
    if (channel->type == THUD_RECORD_TEXT)
      thud_json_string(json, cell->text);
    else if (index != SIZE_MAX)
      write_owned(json, channel, cell, &channels[index], &cells[index]);
    else if (channel->width == 1 && channel->components == NULL)
      write_value(json, channel, cell->values[0]);
    else if (channel->width >= 1)
      write_components(json, channel, cell);
    else
      write_list(json, channel, cell);
  }
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Effect of an event on an entry of its list: its impulse, or how its mode changed. */
static void write_effect(thud_text *text, size_t count, const thud_record_channel *channels,
                         const thud_record_cell *cells, const char *name, bool impulses) {
  char entry[THUD_DOUBLE_CAPACITY], from[THUD_DOUBLE_CAPACITY], to[THUD_DOUBLE_CAPACITY];
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = &channels[k];
    size_t index = channel->at != NULL ? thud_report_find_name(count, channels, channel->at) : SIZE_MAX;
    bool pair = channel->group == 2 && channel->label_count > 0;
    if (index == SIZE_MAX || pair == impulses || (!pair && !is(channel->role, "impulse"))) continue;
    size_t group = pair ? 2 : 1;
    for (size_t i = 0; i < cells[index].count && (i + 1) * group <= cells[k].count; i++) {
      if (strcmp(name_of(&channels[index], cells[index].values[i], entry), name) != 0) continue;
      const double *value = &cells[k].values[group * i];
      if (!pair)
        thud_text_print(text, " (impulse %.6g)", *value);
      else if (value[0] != value[1])
        thud_text_print(text, " (%s to %s)", name_of(channel, value[0], from), name_of(channel, value[1], to));
    }
  }
}

void thud_report_event_line(thud_text *text, size_t count, const thud_record_channel *channels,
                            const thud_record_cell *cells) {
  enum { SHOWN = 8 };
  const size_t t = 0, kind = 1; /* as thud/kind.h demands */
  char number[THUD_DOUBLE_CAPACITY];
  size_t list = thud_report_find_role(count, channels, "constraints"),
         note = thud_report_find_role(count, channels, "note");
  size_t impulse = thud_report_find_role(count, channels, "impulse");
  bool impulses = impulse != SIZE_MAX && cells[impulse].count > 0;
  if (count < 2) return;
  bool text_kind = channels[kind].type == THUD_RECORD_TEXT;
  thud_text_print(text, "    %-18.13g %-7s ", cells[t].values[0],
                  !text_kind                 ? name_of(&channels[kind], cells[kind].values[0], number)
                  : cells[kind].text != NULL ? cells[kind].text
                                             : "");
  size_t names = list != SIZE_MAX ? cells[list].count : 0, shown = 0;
  for (size_t i = 0; i < names && shown < SHOWN; i++) {
    const char *name = name_of(&channels[list], cells[list].values[i], number);
    thud_text_print(text, "%s%s", shown++ > 0 ? ", " : "", name);
    write_effect(text, count, channels, cells, name, impulses);
  }
  size_t laws = thud_report_find_role(count, channels, "laws");
  for (size_t i = 0; laws != SIZE_MAX && i < cells[laws].count; i++, names++)
    if (shown < SHOWN)
      thud_text_print(text, "%s%s", shown++ > 0 ? ", " : "", name_of(&channels[laws], cells[laws].values[i], number));
  if (names > SHOWN) thud_text_print(text, " and %zu more", names - SHOWN);
  bool noted = note != SIZE_MAX && cells[note].count > 0;
  thud_text_print(text, "%s%s\n", noted && names > 0 ? " " : "", noted ? cells[note].text : "");
}

/* ---- the first events of a run ----------------------------------------------------------------------------------- */

void thud_run_kept_create(thud_context *context, size_t channels, size_t most, run_kept *kept) {
  *kept = (run_kept){.context = context, .channels = channels, .most = most};
}

void thud_run_kept_destroy(run_kept *kept) {
  for (size_t k = 0; k < kept->count; k++) thud_free(kept->context, kept->rows[k]);
  if (kept->context != NULL) thud_free(kept->context, kept->rows);
  kept->count = 0;
  kept->rows = NULL;
}

/* Bytes of a cell's content; texts get a final 0. Numbers come first in a block, so that they are aligned. */
static size_t bytes_of(const thud_record_cell *cell) {
  return cell->text != NULL ? cell->count + 1 : cell->count * sizeof(double);
}

static thud_record_cell *copy_row(const run_kept *kept, const thud_record_cell *cells) {
  size_t head = kept->channels * sizeof *cells, total = head;
  for (size_t k = 0; k < kept->channels; k++) total += bytes_of(&cells[k]);
  thud_record_cell *row = thud_alloc(kept->context, total, 1);
  if (row == NULL) return NULL;
  char *next = (char *)row + head;
  memcpy(row, cells, head);
  for (int texts = 0; texts < 2; texts++)
    for (size_t k = 0; k < kept->channels; k++) {
      if ((cells[k].text != NULL) != (texts == 1)) continue;
      const void *from = texts == 1 ? (const void *)cells[k].text : (const void *)cells[k].values;
      if (cells[k].count > 0) memcpy(next, from, bytes_of(&cells[k]) - (size_t)texts);
      if (texts == 1)
        row[k].text = next;
      else
        row[k].values = (double *)(void *)next;
      next += bytes_of(&cells[k]);
    }
  return row;
}

thud_error thud_run_kept_add(run_kept *kept, const thud_record_cell *cells) {
  if (kept->count >= kept->most) return THUD_OK;
  thud_error error =
      thud_array_reserve(kept->context, &kept->rows, &kept->capacity, kept->count + 1, sizeof *kept->rows);
  thud_record_cell *row = error == THUD_OK ? copy_row(kept, cells) : NULL;
  if (row == NULL) return THUD_ERROR_MEMORY;
  kept->rows[kept->count++] = row;
  return THUD_OK;
}

thud_error thud_run_kept_read(run_kept *kept, thud_record_reader *reader, size_t events) {
  thud_record_cell *cells = THUD_NEW_ARRAY(kept->context, thud_record_cell, kept->channels);
  thud_error error = cells != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t row = 0; row < events && kept->count < kept->most && error == THUD_OK; row++) {
    for (size_t k = 0; k < kept->channels && error == THUD_OK; k++)
      error = thud_record_read_cell(reader, THUD_RECORD_EVENTS, k, row, &cells[k]);
    if (error == THUD_OK) error = thud_run_kept_add(kept, cells);
  }
  thud_free(kept->context, cells);
  return error;
}

/* ---- what a run found, as JSON for machines and as a few lines for people ---------------------------------------- */

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
static const char *const result_keys[] = {"verdict", "reason",   "code",         "step_chosen", "title",
                                          "method",  "time",     "wall_seconds", "path",        "state",
                                          "events",  "ledger",   "events_total", "record",      "frames",
                                          "samples", "warnings", "samples_left", "dumped",      "until"};

static void warn_of_switches(const thud_run *run, thud_report *report) {
  const scene_observe *seen = run->scene->observe;
  for (size_t k = 0; seen != NULL && k < seen->count; k++)
    if (thud_observe_switched(seen, k) > 0)
      thud_report_warning(report, NAN, "observed-switch",
                          "'%s' switches (abs, min, if, a comparison) within %zu arc%s, on which it is not recorded",
                          seen->entries[k].name, thud_observe_switched(seen, k),
                          thud_plural(thud_observe_switched(seen, k)));
}

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
  thud_scene_report_units(run->scene, report);
  run->kind->report(run->motion, report);
  warn_of_switches(run, report);
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

/* "until": {condition, met, t (null: never)}, where the scene has it. */
static void write_until(const thud_run *run, thud_json *json) {
  const scene_observe *seen = run->scene->observe;
  if (seen == NULL || seen->until == SIZE_MAX) return;
  thud_json_key(json, "until");
  thud_json_begin_object(json);
  thud_json_string_field(json, "condition", seen->conditions[seen->until].text);
  thud_json_key(json, "met");
  thud_json_bool(json, !isnan(thud_observe_until(seen)));
  thud_json_number_field(json, "t", thud_observe_until(seen));
  thud_json_end_object(json);
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
  if (with_wall_clock)
    thud_json_string_field(json, "step_chosen", run->scene->chosen[0] != '\0' ? run->scene->chosen : NULL);
  if (with_wall_clock) thud_json_string_field(json, "code", run->code.text[0] != '\0' ? run->code.text : NULL);
  thud_json_string_field(json, "title", run->scene->title);
  thud_json_string_field(json, "method", run->kind->method(run->motion));
  thud_json_number_field(json, "time", run->reached.t);
  if (with_wall_clock) thud_json_number_field(json, "wall_seconds", run->wall_seconds);
  if (run->path != NULL) thud_run_path_json(run->path, json);
  thud_json_key(json, "state");
  thud_run_state_json(&run->state, run->final, json);
  thud_run_report(run, !with_wall_clock, json, NULL, &report);
  write_events(run, json);
  write_until(run, json);
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

static void write_conditions(const thud_run *run, thud_text *text) {
  const scene_observe *seen = run->scene->observe;
  if (seen == NULL || seen->until == SIZE_MAX) return;
  double t = thud_observe_until(seen);
  const char *condition = seen->conditions[seen->until].text;
  if (isnan(t))
    thud_text_print(text, "  %-*s '%s' was not met\n", REPORT_LABEL, "until", condition);
  else
    thud_text_print(text, "  %-*s '%s' was met at t = %.13g%s\n", REPORT_LABEL, "until", condition, t,
                    t == run->scene->start ? ", the start: the motion has not begun"
                    : seen->names.series   ? ""
                                           : ", the first node");
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
  if (scene->chosen[0] != '\0') thud_text_print(&text, "  %-*s %s\n", REPORT_LABEL, "step", scene->chosen);
  thud_run_samples_lines(&run->samples, &text);
  thud_run_state_line(&run->state, "state", run->reached.t, "", run->final, &text);
  thud_text_print(&text, "%s", thud_text_chars(&lines));
  thud_report_write_warnings(&report, &text);
  write_conditions(run, &text);
  write_dumped(run, &text);
  write_record(run, &text);
  thud_text_print(&text, "verdict: %s%s%s", run->verdict_name, run->reason[0] != '\0' ? ": " : "", run->reason);
  thud_text_print(&text, run->code.text[0] != '\0' ? " [%s]\n" : "%s\n", run->code.text);
  if (text.error == THUD_OK) text.error = lines.error != THUD_OK ? lines.error : report.error;
  thud_report_release(&report);
  thud_text_free(&lines);
  return thud_run_hand_out(&text, out);
}
