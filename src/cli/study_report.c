/* Studies as tables, CSV, JSON and pictures. */
#include "cli/study.h"
#include "cli/terminal.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- files --------------------------------------------------------------------------------------------------------
 */

thud_error study_write_csv(const cli_call *call, const char *flag, const thud_text *text) {
  const char *path = cli_value(call, flag, 0);
  if (path == NULL) return THUD_OK;
  if (strcmp(path, "-") == 0) {
    cli_put(stdout, thud_text_chars(text));
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return THUD_OK;
    return thud_fail(call->context, THUD_ERROR_FILE, "cannot write to standard output");
  }
  return cli_write_table(call, path, thud_text_chars(text));
}

static thud_error draw(const cli_call *call, const thud_plot_figure *figure) {
  const char *path = cli_value(call, "plot", 0);
  if (path == NULL) return THUD_OK;
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = cli_may_replace(call, path);
  return thud_plot_write(call->context, figure, &options, path);
}

int study_finish(const cli_call *call, thud_text *text, const thud_text *csv, const thud_plot_figure *figure) {
  thud_error error = text->error != THUD_OK ? text->error : csv->error;
  if (error == THUD_OK) error = study_write_csv(call, "output", csv);
  if (error == THUD_OK && figure != NULL) error = draw(call, figure);
  if (error != THUD_OK) return cli_report_error(call, error);
  const char *path = cli_value(call, "output", 0); /* a table on standard output is alone there */
  return path != NULL && strcmp(path, "-") == 0 ? CLI_GOOD : cli_write_out(thud_text_chars(text));
}

/* ---- refinement ---------------------------------------------------------------------------------------------------
 */

void study_csv_number(thud_text *text, double value) {
  char digits[THUD_DOUBLE_CAPACITY];
  thud_format_double(value, digits, sizeof digits);
  thud_text_print(text, ",%s", isfinite(value) ? digits : "");
}

static void refinement_csv(const thud_study *study, thud_text *text) {
  thud_text_print(text, "level,steps,step,q_next,q_second,q_order,v_next,v_second,v_order,graph_next,graph_order,"
                        "penetration,residual,impacts\n");
  for (size_t k = 0; k < study->count; k++) {
    const thud_study_row *row = &study->rows[k];
    const double numbers[] = {row->step,        row->q_next,      row->q_second, row->q_order,
                              row->v_next,      row->v_second,    row->v_order,  row->graph_next,
                              row->graph_order, row->penetration, row->residual};
    thud_text_print(text, "%d,%d", row->level, (int)row->steps);
    for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) study_csv_number(text, numbers[j]);
    thud_text_print(text, ",%zu\n", row->impacts);
  }
}

void study_json_flags(thud_json *json, unsigned flags) {
  thud_json_key(json, "flags");
  thud_json_begin_flat_array(json);
  if (flags & THUD_STUDY_PARITY) thud_json_string(json, "parity");
  if (flags & THUD_STUDY_NO_ORDER) thud_json_string(json, "order");
  if (flags & THUD_STUDY_RUN_FAILED) thud_json_string(json, "run-failed");
  thud_json_end_array(json);
}

void study_json_begin(thud_json *json, const cli_call *call, const thud_study *study) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "verdict", study->flags == 0 ? "good" : "failed");
  thud_json_string_field(json, "reason", study->message);
  thud_json_string_field(json, "file", call->operands[0]);
  thud_json_string_field(json, "method", study->method);
  study_json_flags(json, study->flags);
}

/* The end of a scene with `until`; NaN: it has none. */
static double end_by_condition(const thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *simulate = thud_node_find(root, "simulate"), *end = NULL;
  if (thud_node_find(root, "until") != NULL && simulate != NULL) end = thud_node_find(simulate, "end");
  return end != NULL && thud_node_get_kind(end) == THUD_NODE_NUMBER ? thud_node_number(end) : (double)NAN;
}

void study_until_note(thud_text *text, const thud_tree *tree) {
  double end = end_by_condition(tree);
  if (!isnan(end)) thud_text_print(text, "note: the scene has `until`; motions are compared up to t = %.10g\n", end);
}

static void refinement_json(const cli_call *call, const thud_tree *tree, const thud_study *study, thud_text *text) {
  thud_json json = thud_json_new(text);
  study_json_begin(&json, call, study);
  if (!isnan(end_by_condition(tree))) thud_json_number_field(&json, "end", end_by_condition(tree));
  thud_json_number_field(&json, "q_order", study->q_order);
  thud_json_number_field(&json, "v_order", study->v_order);
  thud_json_number_field(&json, "graph_order", study->graph_order);
  thud_json_number_field(&json, "error_estimate", study->error_estimate);
  if (study->kind == THUD_STUDY_OF_QUASISTATIC) {
    thud_json_number_field(&json, "first_jump", study->first_jump);
    thud_json_integer_field(&json, "left_out", (int64_t)study->left_out);
  }
  thud_json_key(&json, "table");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < study->count; k++) {
    const thud_study_row *row = &study->rows[k];
    thud_json_begin_object(&json);
    thud_json_integer_field(&json, "level", row->level);
    thud_json_integer_field(&json, "steps", row->steps);
    thud_json_number_field(&json, "step", row->step);
    thud_json_number_field(&json, "q_next", row->q_next);
    thud_json_number_field(&json, "q_second", row->q_second);
    thud_json_number_field(&json, "q_order", row->q_order);
    thud_json_number_field(&json, "v_next", row->v_next);
    thud_json_number_field(&json, "v_second", row->v_second);
    thud_json_number_field(&json, "v_order", row->v_order);
    thud_json_number_field(&json, "graph_next", row->graph_next);
    thud_json_number_field(&json, "graph_order", row->graph_order);
    thud_json_number_field(&json, "penetration", row->penetration);
    thud_json_number_field(&json, "residual", row->residual);
    thud_json_integer_field(&json, "impacts", (int64_t)row->impacts);
    thud_json_end_object(&json);
  }
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

void study_difference_cell(thud_text *text, double value) {
  if (isnan(value))
    thud_text_print(text, "%14s", "");
  else
    thud_text_print(text, "  %12.4e", value);
}

void study_order_cell(thud_text *text, double value) {
  if (isnan(value))
    thud_text_print(text, "%7s", "");
  else
    thud_text_print(text, "%7.2f", value);
}

void study_jumps_note(thud_text *text, double first_jump, size_t left_out) {
  if (left_out == 0) return;
  thud_text_print(text, "note: the state jumps");
  if (!isnan(first_jump)) thud_text_print(text, ", first at t = %.6g", first_jump);
  thud_text_print(text,
                  "; the %zu nodes next to jumps are left out of the sup norms, the graphs have jumps as segments\n",
                  left_out);
}

static void refinement_text(const cli_call *call, const thud_tree *tree, const thud_study *study, thud_text *text) {
  static const char *const headers[] = {
      "      steps  sup|dq| next  order   sup|dq| 2nd   L1|dv| next  order    graph next  order  impacts\n",
      "      steps  sup|dU| next  order   sup|dU| 2nd  sup|dr| next  order    graph next  order    jumps\n"};
  bool elastic = study->kind == THUD_STUDY_OF_QUASISTATIC;
  thud_text_print(text, "%s: %s\n%s", call->operands[0], study->method, headers[elastic]);
  for (size_t k = 0; k < study->count; k++) {
    const thud_study_row *row = &study->rows[k];
    thud_text_print(text, "%11d", (int)row->steps);
    study_difference_cell(text, row->q_next);
    study_order_cell(text, row->q_order);
    study_difference_cell(text, row->q_second);
    study_difference_cell(text, row->v_next);
    study_order_cell(text, row->v_order);
    study_difference_cell(text, row->graph_next);
    study_order_cell(text, row->graph_order);
    thud_text_print(text, "  %7zu\n", row->impacts);
  }
  study_jumps_note(text, study->first_jump, study->left_out);
  study_until_note(text, tree);
  if (study->flags == 0 && elastic)
    thud_text_print(text, "orders: displacements %.2f, reactions %.2f, %.2f (graphs); error of the finest about %.3g\n",
                    study->q_order, study->v_order, study->graph_order, study->error_estimate);
  else if (study->flags == 0)
    thud_text_print(text,
                    "orders: positions %.2f, velocities %.2f (L1), %.2f (graphs); error of the finest about %.3g\n",
                    study->q_order, study->v_order, study->graph_order, study->error_estimate);
  thud_text_print(text, "verdict: %s%s%s\n", study->flags == 0 ? "good" : "failed", study->flags == 0 ? "" : ": ",
                  study->message);
}

enum { CURVES = 3, MOST_ROWS = 32 };

/* Differences over the step in a doubly logarithmic picture. */
static size_t refinement_series(const thud_study *study, double (*x)[MOST_ROWS], double (*y)[MOST_ROWS],
                                thud_plot_series *series) {
  static const char *const names[][CURVES] = {{"sup |dq|", "L1 |dv|", "graphs of v"},
                                              {"sup |dU|", "sup |dr|", "graphs of U"}};
  const char *const *labels = names[study->kind == THUD_STUDY_OF_QUASISTATIC];
  size_t made = 0;
  for (size_t c = 0; c < CURVES; c++) {
    size_t count = 0;
    for (size_t k = 0; k < study->count && count < MOST_ROWS; k++) {
      const thud_study_row *row = &study->rows[k];
      double value = c == 0 ? row->q_next : c == 1 ? row->v_next : row->graph_next;
      if (!(value > 0)) continue;
      x[c][count] = row->step;
      y[c][count++] = value;
    }
    if (count > 0)
      series[made++] =
          (thud_plot_series){.label = labels[c], .count = count, .x = x[c], .y = y[c], .style = THUD_PLOT_LINE_MARKERS};
  }
  return made;
}

int study_print_refinement(const cli_call *call, const thud_tree *tree, const thud_study *study) {
  thud_text text = thud_text_new(call->context), csv = thud_text_new(call->context);
  double x[CURVES][MOST_ROWS], y[CURVES][MOST_ROWS];
  thud_plot_series series[CURVES];
  refinement_csv(study, &csv);
  if (call->json)
    refinement_json(call, tree, study, &text);
  else
    refinement_text(call, tree, study, &text);
  thud_plot_panel panel = {.y_label = "difference to half the step",
                           .y_log = true,
                           .series = series,
                           .slope_count = study->flags == 0 && study->q_order < 5,
                           .slopes = &(thud_plot_slope){.order = 1}};
  panel.series_count = refinement_series(study, x, y, series);
  char title[512];
  snprintf(title, sizeof title, "%s: %s", study_scene_title(call, tree), study->method);
  thud_plot_figure figure = study_step_figure(tree, title, &panel);
  int code = study_finish(call, &text, &csv, panel.series_count > 0 ? &figure : NULL);
  thud_text_free(&text);
  thud_text_free(&csv);
  return code;
}

/* ---- sweeps ---------------------------------------------------------------------------------------------------------
 */

static void sweep_csv(const thud_sweep_study_options *options, const thud_sweep_study *study, thud_text *text) {
  thud_text_print(text, "run,%s,t,quantity\n", options->parameter);
  for (size_t k = 0; k < study->count; k++) {
    const thud_sweep_point *point = &study->points[k];
    const double numbers[] = {point->value, point->t, point->quantity};
    thud_text_print(text, "%zu", point->run);
    for (size_t j = 0; j < 3; j++) study_csv_number(text, numbers[j]);
    thud_text_print(text, "\n");
  }
}

static void sweep_json(const cli_call *call, const thud_sweep_study_options *options, const thud_sweep_study *study,
                       thud_text *text) {
  thud_json json = thud_json_new(text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", study->failed == 0 ? "good" : "failed");
  thud_json_string_field(&json, "reason", study->message);
  thud_json_string_field(&json, "file", call->operands[0]);
  thud_json_string_field(&json, "parameter", options->parameter);
  thud_json_string_field(&json, "quantity", options->quantity);
  thud_json_integer_field(&json, "runs", (int64_t)options->count);
  thud_json_integer_field(&json, "failed", (int64_t)study->failed);
  thud_json_key(&json, "points");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < study->count; k++) {
    const thud_sweep_point *point = &study->points[k];
    thud_json_begin_flat_array(&json);
    thud_json_number(&json, point->value);
    thud_json_number(&json, point->t);
    thud_json_number(&json, point->quantity);
    thud_json_end_array(&json);
  }
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static thud_error sweep_columns(const cli_call *call, const thud_sweep_study *study, double **x, double **y,
                                size_t *count) {
  *x = THUD_NEW_ARRAY(call->context, double, study->count);
  *y = THUD_NEW_ARRAY(call->context, double, study->count);
  *count = 0;
  if (*x == NULL || *y == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < study->count; k++) {
    if (!isfinite(study->points[k].quantity)) continue;
    (*x)[*count] = study->points[k].value;
    (*y)[(*count)++] = study->points[k].quantity;
  }
  return THUD_OK;
}

/* "640 points before impacts on table, 60 runs, from t = 4 on" */
static void sweep_note(const thud_sweep_study_options *options, const thud_sweep_study *study, size_t count, char *note,
                       size_t capacity) {
  static const char *const places[] = {
      "before impacts on ", "where this passes through 0 upwards: ", "at multiples of the period ", "at the end"};
  const char *where = options->where != NULL ? options->where : "any constraint";
  bool end = options->section == THUD_SECTION_END;
  size_t used =
      (size_t)snprintf(note, capacity, "%zu point%s %s%.120s; %zu run%s", count, thud_plural(count),
                       places[options->section], end ? "" : where, options->count, thud_plural(options->count));
  if (options->after > 0 && used < capacity)
    used += (size_t)snprintf(note + used, capacity - used, ", from t = %g on", options->after);
  if (study->count > count && used < capacity)
    used += (size_t)snprintf(note + used, capacity - used, ", %zu points that are not finite left out",
                             study->count - count);
  if (study->failed > 0 && used < capacity)
    snprintf(note + used, capacity - used, ", %zu of them ended early", study->failed);
}

int study_print_sweep(const cli_call *call, const thud_tree *tree, const thud_sweep_study_options *options,
                      const thud_sweep_study *study) {
  thud_text text = thud_text_new(call->context), csv = thud_text_new(call->context);
  double *x = NULL, *y = NULL;
  size_t count = 0;
  sweep_csv(options, study, &csv);
  if (call->json) {
    sweep_json(call, options, study, &text);
  } else {
    thud_text_print(&text, "%s: %s from %g to %g, %zu runs, %zu points\n", call->operands[0], options->parameter,
                    options->from, options->to, options->count, study->count);
    if (study->failed > 0) thud_text_print(&text, "%zu runs ended early; first: %s\n", study->failed, study->message);
    thud_text_print(&text, "verdict: %s\n", study->failed == 0 ? "good" : "failed");
  }
  thud_error error = sweep_columns(call, study, &x, &y, &count);
  thud_plot_series series = {.count = count, .x = x, .y = y, .style = THUD_PLOT_POINTS, .no_jumps = true};
  char x_unit[STUDY_UNIT], y_unit[STUDY_UNIT], note[400];
  study_unit(tree, options->parameter, x_unit);
  study_unit(tree, options->quantity, y_unit);
  sweep_note(options, study, count, note, sizeof note);
  thud_plot_panel panel = {.y_label = options->quantity, .y_unit = y_unit, .series_count = 1, .series = &series};
  thud_plot_figure figure = {.title = study_scene_title(call, tree),
                             .x_label = options->parameter,
                             .x_unit = x_unit,
                             .panel_count = 1,
                             .panels = &panel,
                             .note = note};
  int code =
      error == THUD_OK ? study_finish(call, &text, &csv, count > 0 ? &figure : NULL) : cli_report_error(call, error);
  thud_free(call->context, x);
  thud_free(call->context, y);
  thud_text_free(&text);
  thud_text_free(&csv);
  return code;
}
