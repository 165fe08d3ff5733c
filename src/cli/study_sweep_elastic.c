/* thud study --sweep of quasi-static scenes: a row per value of the parameter. */
#include "base/base.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 40 };

static const char *uniqueness(const thud_elastic_sweep_row *row) {
  return row->info.proved ? "proved" : row->info.examined ? "examined" : "not examined";
}

static void write_csv(const thud_sweep_study_options *options, const thud_elastic_sweep *study, thud_text *text) {
  thud_text_print(text, "run,%s,verdict,time,solutions,forks,jumps,first_jump,friction,stored,work,uniqueness\n",
                  options->parameter);
  for (size_t k = 0; k < study->count; k++) {
    const thud_elastic_sweep_row *row = &study->rows[k];
    thud_text_print(text, "%zu", k);
    study_csv_number(text, row->value);
    thud_text_print(text, ",%s", row->good ? "good" : "failed");
    study_csv_number(text, row->info.time);
    thud_text_print(text, ",%zu,%zu,%zu", row->info.most_solutions, row->info.forks, row->info.jumps);
    const double numbers[] = {row->info.first_jump, row->ledger.friction, row->ledger.stored, row->ledger.work};
    for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) study_csv_number(text, numbers[j]);
    thud_text_print(text, ",%s\n", uniqueness(row));
  }
}

static void write_row(thud_json *json, const thud_elastic_sweep_row *row) {
  thud_json_begin_object(json);
  thud_json_number_field(json, "value", row->value);
  thud_json_string_field(json, "verdict", row->good ? "good" : "failed");
  thud_json_string_field(json, "reason", row->message);
  thud_json_number_field(json, "time", row->info.time);
  thud_json_integer_field(json, "most_solutions", (int64_t)row->info.most_solutions);
  thud_json_integer_field(json, "forks", (int64_t)row->info.forks);
  thud_json_integer_field(json, "jumps", (int64_t)row->info.jumps);
  thud_json_number_field(json, "first_jump", row->info.first_jump);
  thud_json_number_field(json, "friction", row->ledger.friction);
  thud_json_number_field(json, "stored", row->ledger.stored);
  thud_json_number_field(json, "work", row->ledger.work);
  thud_json_string_field(json, "uniqueness", uniqueness(row));
  thud_json_end_object(json);
}

static void write_json(const cli_call *call, const thud_sweep_study_options *options, const thud_elastic_sweep *study,
                       thud_text *text) {
  const char *reason = "";
  for (size_t k = 0; k < study->count && reason[0] == '\0'; k++) reason = study->rows[k].message;
  thud_json json = thud_json_new(text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", study->failed == 0 ? "good" : "failed");
  thud_json_string_field(&json, "reason", reason);
  thud_json_string_field(&json, "file", call->operands[0]);
  thud_json_string_field(&json, "parameter", options->parameter);
  thud_json_integer_field(&json, "runs", (int64_t)study->count);
  thud_json_integer_field(&json, "failed", (int64_t)study->failed);
  thud_json_key(&json, "table");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < study->count; k++) write_row(&json, &study->rows[k]);
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static void write_table(const cli_call *call, const thud_sweep_study_options *options, const thud_elastic_sweep *study,
                        thud_text *text) {
  thud_text_print(text, "%s: %s from %g to %g, %zu runs\n", call->operands[0], options->parameter, options->from,
                  options->to, study->count);
  thud_text_print(text, "%12s  verdict  solutions  jumps      friction  ends at\n", options->parameter);
  for (size_t k = 0; k < study->count && k < MOST_ROWS; k++) {
    const thud_elastic_sweep_row *row = &study->rows[k];
    char solutions[THUD_DOUBLE_CAPACITY] = "-"; /* not looked for */
    if (row->info.most_solutions > 0) snprintf(solutions, sizeof solutions, "%zu", row->info.most_solutions);
    thud_text_print(text, "%12.6g  %-7s%11s%7zu%14.6g  %.6g\n", row->value, row->good ? "good" : "failed", solutions,
                    row->info.jumps, row->ledger.friction, row->info.time);
  }
  if (study->count > MOST_ROWS)
    thud_text_print(text, "and %zu more: -o FILE.csv has all of them\n", study->count - MOST_ROWS);
  for (size_t k = 0; k < study->count && study->failed > 0; k++)
    if (!study->rows[k].good) {
      thud_text_print(text, "%zu run%s failed; first: %s = %.10g: %s\n", study->failed, thud_plural(study->failed),
                      options->parameter, study->rows[k].value, study->rows[k].message);
      break;
    }
  thud_text_print(text, "verdict: %s\n", study->failed == 0 ? "good" : "failed");
}

int study_print_elastic_sweep(const cli_call *call, const thud_tree *tree, const thud_sweep_study_options *options,
                              const thud_elastic_sweep *study) {
  thud_text text = thud_text_new(call->context), csv = thud_text_new(call->context);
  double *x = THUD_NEW_ARRAY(call->context, double, study->count);
  double *y = THUD_NEW_ARRAY(call->context, double, study->count);
  for (size_t k = 0; x != NULL && y != NULL && k < study->count; k++)
    x[k] = study->rows[k].value, y[k] = study->rows[k].ledger.friction;
  write_csv(options, study, &csv);
  if (call->json)
    write_json(call, options, study, &text);
  else
    write_table(call, options, study, &text);
  thud_plot_series series = {.count = study->count, .x = x, .y = y, .style = THUD_PLOT_POINTS, .no_jumps = true};
  thud_plot_panel panel = {.y_label = "lost in friction", .series_count = 1, .series = &series};
  char unit[STUDY_UNIT], note[160];
  study_unit(tree, options->parameter, unit);
  int used = snprintf(note, sizeof note, "%zu run%s", study->count, thud_plural(study->count));
  if (study->failed > 0) snprintf(note + used, sizeof note - (size_t)used, ", %zu of them failed", study->failed);
  thud_plot_figure figure = {.title = study_scene_title(call, tree),
                             .x_label = options->parameter,
                             .x_unit = unit,
                             .panel_count = 1,
                             .panels = &panel,
                             .note = note};
  int code =
      x != NULL && y != NULL ? study_finish(call, &text, &csv, &figure) : cli_report_error(call, THUD_ERROR_MEMORY);
  thud_free(call->context, x);
  thud_free(call->context, y);
  thud_text_free(&text);
  thud_text_free(&csv);
  return code;
}
