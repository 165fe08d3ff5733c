#include "study/study_section.h"
#include "run/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- points ------------------------------------------------------------------------------------------------------ */

double thud_section_evaluate(section_run *run, const thud_expr *expr, double t, const double *state) {
  run->variables[run->scene->time_slot] = t;
  for (size_t k = 0; k < run->state.count; k++) run->variables[run->slots[k]] = state[k];
  return thud_expr_evaluate(expr, run->variables);
}

void thud_section_add_point(section_run *run, double t, const double *state) {
  if (t < run->options->after || run->error != THUD_OK) return;
  run->error = thud_array_reserve(run->context, &run->points.items, &run->points.capacity, run->points.count + 1,
                                  sizeof(thud_sweep_point));
  if (run->error != THUD_OK) return;
  run->points.items[run->points.count++] = (thud_sweep_point){
      .run = run->run, .value = run->value, .t = t, .quantity = thud_section_evaluate(run, run->quantity, t, state)};
}

/* ---- preparing it ------------------------------------------------------------------------------------------------ */

static thud_error compile(section_run *run, const char *what, const char *source, thud_expr **expr) {
  thud_error error = thud_expr_compile(run->context, run->scene->scope, source, NULL, expr);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  char detail[512];
  snprintf(detail, sizeof detail, "%s", thud_context_last_message(run->context));
  return thud_fail(run->context, error, "the %s '%.100s': %s", what, source, detail);
}

/* Channels of the events that impacts are read from. */
static thud_error find_impacts(section_run *run, const thud_record_layout *layout) {
  size_t count = layout->count[THUD_RECORD_EVENTS];
  const thud_record_channel *channels = layout->channels[THUD_RECORD_EVENTS];
  section_impacts *impact = &run->impact;
  impact->before = thud_report_find_role(count, channels, "before");
  impact->component = thud_report_find_name(count, channels, "reactions");
  impact->impulse = thud_report_find_role(count, channels, "impulse");
  impact->constraint = -1;
  for (size_t k = 0; k < channels[1].label_count; k++)
    if (strcmp(channels[1].labels[k], "impact") == 0) impact->kind = (double)k;
  if (run->options->section != THUD_SECTION_IMPACTS || run->options->where == NULL) return THUD_OK;
  impact->constraint = run->scene->kind->study->find_constraint(run->scene, run->options->where);
  if (impact->constraint >= 0) return THUD_OK;
  return thud_fail(run->context, THUD_ERROR_NOT_FOUND,
                   "there is no constraint '%.100s' whose impacts could be looked at", run->options->where);
}

static thud_error allocate_section(section_run *run, const thud_record_layout *layout) {
  thud_context *context = run->context;
  thud_expr_scope *scope = run->scene->scope;
  thud_error error = thud_run_state_create(context, layout->count[THUD_RECORD_FRAMES],
                                           layout->channels[THUD_RECORD_FRAMES], &run->state);
  if (error != THUD_OK) return error;
  size_t n = run->state.count;
  run->variables = THUD_NEW_ARRAY(context, double, thud_expr_scope_variable_count(scope));
  run->slots = THUD_NEW_ARRAY(context, thud_index, n);
  run->left = THUD_NEW_ARRAY(context, double, 4 * n);
  if (run->variables == NULL || run->slots == NULL || run->left == NULL) return THUD_ERROR_MEMORY;
  run->right = run->left + n;
  run->before = run->right + n;
  run->mid = run->before + n;
  for (size_t k = 0; k < n; k++) run->slots[k] = thud_expr_scope_find_variable(scope, run->state.names[k]);
  return THUD_OK;
}

/* From the state at the start. */
static thud_error find_period(section_run *run) {
  run->scene->kind->study->start(run->scene, run->right);
  run->period = thud_section_evaluate(run, run->where, run->scene->start, run->right);
  if (!(run->period > 0))
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the period '%.100s' is %g: it must be positive",
                     run->options->where, run->period);
  run->next_period = ceil(fmax(run->options->after, run->scene->start) / run->period) * run->period;
  return THUD_OK;
}

thud_error thud_section_prepare(section_run *run) {
  const thud_sweep_study_options *options = run->options;
  const thud_record_layout *layout = run->scene->kind->layout(run->scene->motion);
  bool has_where = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  thud_error error = allocate_section(run, layout);
  if (error == THUD_OK) error = compile(run, "quantity", options->quantity, &run->quantity);
  if (error == THUD_OK && has_where) error = compile(run, "section", options->where, &run->where);
  if (error == THUD_OK) error = find_impacts(run, layout);
  return error == THUD_OK && options->section == THUD_SECTION_PERIOD ? find_period(run) : error;
}

void thud_section_release(section_run *run) {
  thud_run_state_free(run->context, &run->state);
  thud_expr_destroy(run->quantity);
  thud_expr_destroy(run->where);
  thud_free(run->context, run->variables);
  thud_free(run->context, run->slots);
  thud_free(run->context, run->left);
  thud_free(run->context, run->impact.waiting);
}
