/* thud study --rates: quasi-static motions as limits of dynamics. */
#include "base/base.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 32 };

static void rates_csv(const thud_study *study, thud_text *text) {
  thud_text_print(text, "level,rate,steps,distance,order,distance_after_jump,penetration,residual\n");
  for (size_t k = 0; k < study->count; k++) {
    const thud_study_row *row = &study->rows[k];
    const double numbers[] = {row->q_next, row->q_order, row->q_second, row->penetration, row->residual};
    thud_text_print(text, "%d", row->level);
    study_csv_number(text, row->step);
    thud_text_print(text, ",%d", (int)row->steps);
    for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) study_csv_number(text, numbers[j]);
    thud_text_print(text, "\n");
  }
}

static void rates_json(const cli_call *call, const thud_study *study, thud_text *text) {
  thud_json json = thud_json_new(text);
  study_json_begin(&json, call, study);
  thud_json_number_field(&json, "order", study->q_order);
  thud_json_number_field(&json, "first_jump", study->first_jump);
  thud_json_key(&json, "table");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < study->count; k++) {
    const thud_study_row *row = &study->rows[k];
    thud_json_begin_object(&json);
    thud_json_integer_field(&json, "level", row->level);
    thud_json_number_field(&json, "rate", row->step);
    thud_json_integer_field(&json, "steps", row->steps);
    thud_json_number_field(&json, "distance", row->q_next);
    thud_json_number_field(&json, "order", row->q_order);
    thud_json_number_field(&json, "distance_after_jump", row->q_second);
    thud_json_number_field(&json, "penetration", row->penetration);
    thud_json_number_field(&json, "residual", row->residual);
    thud_json_end_object(&json);
  }
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static void rates_text(const cli_call *call, const thud_study *study, thud_text *text) {
  bool jumps = !isnan(study->first_jump);
  thud_text_print(text, "%s: dynamics under slow loads against the quasi-static motion (%s)\n", call->operands[0],
                  study->method);
  thud_text_print(text, "        rate      steps       sup|dU|  order%s\n", jumps ? "    after jump" : "");
  for (size_t k = 0; k < study->count; k++) {
    const thud_study_row *row = &study->rows[k];
    thud_text_print(text, "%12.6g%11d", row->step, (int)row->steps);
    study_difference_cell(text, row->q_next);
    study_order_cell(text, row->q_order);
    if (jumps) study_difference_cell(text, row->q_second);
    thud_text_print(text, "\n");
  }
  if (jumps)
    thud_text_print(
        text,
        "note: the quasi-static motion jumps at t = %.6g; sup|dU| and its order are those before, and after it "
        "undamped dynamics does not converge: it oscillates, and may go to another equilibrium\n",
        study->first_jump);
  if (study->count > 2 && isinf(study->q_order))
    thud_text_print(text, "the dynamics is the quasi-static motion up to rounding%s\n",
                    jumps ? " before the jump" : "");
  else if (study->count > 2)
    thud_text_print(text, "order of the distance in the rate: %.2f\n", study->q_order);
  thud_text_print(text, "verdict: %s%s%s\n", study->flags == 0 ? "good" : "failed", study->flags == 0 ? "" : ": ",
                  study->message);
}

int study_print_rates(const cli_call *call, const thud_tree *tree, const thud_study *study) {
  thud_text text = thud_text_new(call->context), csv = thud_text_new(call->context);
  double x[MOST_ROWS], y[MOST_ROWS];
  size_t count = 0;
  rates_csv(study, &csv);
  if (call->json)
    rates_json(call, study, &text);
  else
    rates_text(call, study, &text);
  for (size_t k = 0; k < study->count && count < MOST_ROWS; k++) {
    if (!(study->rows[k].q_next > 0)) continue;
    x[count] = study->rows[k].step;
    y[count++] = study->rows[k].q_next;
  }
  thud_plot_series series = {.label = "sup |dU|", .count = count, .x = x, .y = y, .style = THUD_PLOT_LINE_MARKERS};
  thud_plot_panel panel = {.y_label = "distance to the quasi-static motion",
                           .y_log = true,
                           .series_count = 1,
                           .series = &series,
                           .slope_count = 1,
                           .slopes = &(thud_plot_slope){.order = 1}};
  thud_plot_figure figure = {.title = study_scene_title(call, tree),
                             .x_label = "rate of loading",
                             .x_log = true,
                             .panel_count = 1,
                             .panels = &panel};
  int code = study_finish(call, &text, &csv, count > 0 ? &figure : NULL);
  thud_text_free(&text);
  thud_text_free(&csv);
  return code;
}
