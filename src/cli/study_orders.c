/* thud study --levels A:B --quantity ..., --mesh A:B: orders of numbers and fields, in the step and in the mesh. */
#include "base/base.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_QUANTITIES = 16, MOST_LEVELS = 32 };

/* "u(0.5),reaction": commas within parentheses belong to a quantity. */
static bool split_quantities(char *list, const char **items, size_t *count) {
  int depth = 0;
  *count = 0;
  for (char *at = list, *begin = list;; at++) {
    depth += (*at == '(') - (*at == ')');
    if (*at != '\0' && (*at != ',' || depth > 0)) continue;
    bool last = *at == '\0';
    *at = '\0';
    if (*begin == '\0' || *count == MOST_QUANTITIES) return false;
    items[(*count)++] = begin;
    if (last) return true;
    begin = at + 1;
  }
}

static const char *level_name(const thud_orders *study) {
  return study->refined == THUD_REFINED_MESH ? "parts" : "steps";
}

/* Steps, or parts of each cell. */
static size_t level_size(const thud_orders_row *row) { return row->steps > 0 ? row->steps : (size_t)1 << row->level; }

static void write_csv(const thud_orders *study, thud_text *text) {
  thud_text_print(text, "level,%s", level_name(study));
  for (size_t j = 0; j < study->quantity_count; j++) {
    const char *name = study->quantities[j].name;
    thud_text_print(text, ",\"%s\",\"%s next\",\"%s order\"", name, name, name);
  }
  for (size_t k = 0; k < study->count; k++) {
    thud_text_print(text, "\n%d,%zu", study->rows[k].level, level_size(&study->rows[k]));
    for (size_t j = 0; j < study->quantity_count; j++) {
      study_csv_number(text, study->rows[k].values[j]);
      study_csv_number(text, study->rows[k].differences[j]);
      study_csv_number(text, study->rows[k].orders[j]);
    }
  }
  thud_text_print(text, "\n");
}

static void write_json(const thud_orders *study, thud_json *json) {
  thud_json_string_field(json, "refined", study->refined == THUD_REFINED_MESH ? "mesh" : "steps");
  thud_json_string_field(json, "verdict", study->flags == 0 ? "good" : "failed");
  thud_json_string_field(json, "reason", study->message);
  study_json_flags(json, study->flags);
  thud_json_key(json, "quantities");
  thud_json_begin_array(json);
  for (size_t j = 0; j < study->quantity_count; j++) {
    const thud_orders_quantity *quantity = &study->quantities[j];
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", quantity->name);
    thud_json_key(json, "exact");
    thud_json_bool(json, isinf(quantity->order));
    thud_json_number_field(json, "order", quantity->order);
    thud_json_number_field(json, "limit", quantity->limit);
    thud_json_number_field(json, "error", quantity->error);
    thud_json_key(json, "table");
    thud_json_begin_array(json);
    for (size_t k = 0; k < study->count; k++) {
      thud_json_begin_object(json);
      thud_json_integer_field(json, level_name(study), (int64_t)level_size(&study->rows[k]));
      thud_json_number_field(json, "value", study->rows[k].values[j]);
      thud_json_number_field(json, "next", study->rows[k].differences[j]);
      thud_json_number_field(json, "order", study->rows[k].orders[j]);
      thud_json_end_object(json);
    }
    thud_json_end_array(json);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_quantity(const thud_orders *study, size_t j, thud_text *text) {
  const thud_orders_quantity *quantity = &study->quantities[j];
  thud_text_print(text, "%11s  %18s %13s  order\n", level_name(study), quantity->name, "next");
  for (size_t k = 0; k < study->count; k++) {
    const thud_orders_row *row = &study->rows[k];
    thud_text_print(text, "%11zu  ", level_size(row));
    if (quantity->field)
      thud_text_print(text, "%18s", "");
    else
      thud_text_print(text, "%18.12g", row->values[j]);
    study_difference_cell(text, row->differences[j]);
    study_order_cell(text, row->orders[j]);
    thud_text_print(text, "\n");
  }
  if (isnan(quantity->order)) return;
  if (isinf(quantity->order))
    thud_text_print(text, "%s: exact up to rounding\n", quantity->name);
  else if (quantity->field)
    thud_text_print(text, "%s: order %.2f, error of the finest about %.3g\n", quantity->name, quantity->order,
                    quantity->error);
  else
    thud_text_print(text, "%s: order %.2f, towards %.10g +- %.3g\n", quantity->name, quantity->order, quantity->limit,
                    quantity->error);
}

static void write_text(const cli_call *call, const thud_orders *study, thud_text *text) {
  thud_text_print(text, "%s: %s, %s\n", call->operands[0], study->method,
                  study->refined == THUD_REFINED_MESH ? "the mesh refined" : "the steps refined");
  for (size_t j = 0; j < study->quantity_count; j++) write_quantity(study, j, text);
  thud_text_print(text, "verdict: %s%s%s\n", study->flags == 0 ? "good" : "failed", study->flags == 0 ? "" : ": ",
                  study->message);
}

/* Differences over the step or the cell, both as parts of the whole. */
static int print(const cli_call *call, const thud_tree *tree, const thud_orders *study, thud_text *text,
                 const thud_text *csv) {
  double x[MOST_QUANTITIES][MOST_LEVELS], y[MOST_QUANTITIES][MOST_LEVELS];
  thud_plot_series series[MOST_QUANTITIES];
  size_t made = 0;
  for (size_t j = 0; j < study->quantity_count && made < MOST_QUANTITIES; j++) {
    size_t count = 0;
    for (size_t k = 0; k < study->count && count < MOST_LEVELS; k++) {
      if (!(study->rows[k].differences[j] > 0)) continue;
      x[made][count] = 1 / (double)level_size(&study->rows[k]);
      y[made][count++] = study->rows[k].differences[j];
    }
    if (count == 0) continue;
    series[made] = (thud_plot_series){.label = study->quantities[j].name,
                                      .count = count,
                                      .x = x[made],
                                      .y = y[made],
                                      .style = THUD_PLOT_LINE_MARKERS};
    made++;
  }
  thud_plot_panel panel = {.y_label = "difference to the next level",
                           .y_log = true,
                           .series = series,
                           .series_count = made,
                           .slope_count = study->flags == 0,
                           .slopes = &(thud_plot_slope){.order = 1}};
  thud_plot_figure figure = {.title = study_scene_title(call, tree),
                             .x_label = study->refined == THUD_REFINED_MESH ? "part of a cell" : "part of the time",
                             .x_unit = "",
                             .x_log = true,
                             .panel_count = 1,
                             .panels = &panel};
  return study_finish(call, text, csv, made > 0 ? &figure : NULL);
}

static int report(const cli_call *call, const thud_tree *tree, size_t count, const thud_orders *studies) {
  thud_text text = thud_text_new(call->context), csv = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  if (call->json) {
    thud_json_begin_object(&json);
    thud_json_string_field(&json, "file", call->operands[0]);
    thud_json_string_field(&json, "method", studies[0].method);
    thud_json_key(&json, "studies");
    thud_json_begin_array(&json);
  }
  for (size_t k = 0; k < count; k++) {
    write_csv(&studies[k], &csv);
    if (!call->json) write_text(call, &studies[k], &text);
    if (call->json) thud_json_begin_object(&json);
    if (call->json) write_json(&studies[k], &json);
    if (call->json) thud_json_end_object(&json);
  }
  if (call->json) {
    thud_json_end_array(&json);
    thud_json_end_object(&json);
    thud_text_print(&text, "\n");
  }
  int code = print(call, tree, &studies[count - 1], &text, &csv);
  for (size_t k = 0; k < count && code == CLI_GOOD; k++)
    if (studies[k].flags != 0) code = cli_interrupted() ? CLI_INTERRUPTED : CLI_BAD_VERDICT;
  thud_text_free(&text);
  thud_text_free(&csv);
  return code;
}

int study_run_orders(const cli_call *call, const thud_tree *tree, const study_orders_levels *levels,
                     thud_run_progress_fn progress, bool *shown) {
  thud_orders_options options = thud_orders_options_default();
  const char *items[MOST_QUANTITIES], *given = cli_value(call, "quantity", 0);
  char list[2048] = "";
  thud_orders studies[2] = {{0}};
  size_t count = 0;
  thud_error error = THUD_OK;
  options.progress = progress;
  options.progress_user = shown;
  if (given != NULL && snprintf(list, sizeof list, "%s", given) >= (int)sizeof list) list[0] = '\0';
  if (given != NULL && !split_quantities(list, items, &options.quantity_count)) {
    cli_complain("study: --quantity needs at most %d names or expressions, like reaction,u(0.5)", MOST_QUANTITIES);
    return CLI_BAD_INPUT;
  }
  options.quantities = items;
  for (int k = 0; k < 2 && error == THUD_OK; k++) {
    if (!levels->given[k]) continue;
    options.refined = (thud_refined)k;
    options.first_level = levels->first[k];
    options.last_level = levels->last[k];
    error = thud_study_orders(call->context, tree, &options, &studies[count]);
    count += error == THUD_OK;
  }
  if (*shown) fprintf(stderr, "\r      \r");
  int code = error == THUD_OK ? report(call, tree, count, studies) : cli_report_error(call, error);
  for (size_t k = 0; k < count; k++) thud_orders_free(&studies[k]);
  return code;
}
