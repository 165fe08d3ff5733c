#include "study/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- points ------------------------------------------------------------------------------------------------------ */

double section_evaluate(section_run *run, const thud_expr *expr, double t, const double *q, const double *v) {
  run->variables[run->scene->time_slot] = t;
  for (thud_index k = 0; k < run->scene->dimension; k++) {
    run->variables[run->q_slots[k]] = q[k];
    run->variables[run->v_slots[k]] = v[k];
  }
  return thud_expr_evaluate(expr, run->variables);
}

void section_add_point(section_run *run, double t, const double *q, const double *v) {
  if (t < run->options->after || run->error != THUD_OK) return;
  void *items = run->points.items;
  run->error =
      thud_array_reserve(run->context, &items, &run->points.capacity, run->points.count + 1, sizeof(thud_sweep_point));
  run->points.items = items;
  if (run->error != THUD_OK) return;
  run->points.items[run->points.count++] = (thud_sweep_point){
      .run = run->run, .value = run->value, .t = t, .quantity = section_evaluate(run, run->quantity, t, q, v)};
}

/* ---- preparing it ------------------------------------------------------------------------------------------------ */

static thud_error compile(section_run *run, const char *what, const char *source, thud_expr **expr) {
  thud_error error = thud_expr_compile(run->context, run->scene->scope, source, NULL, expr);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  char detail[512];
  snprintf(detail, sizeof detail, "%s", thud_context_last_message(run->context));
  return thud_fail(run->context, error, "the %s '%.100s': %s", what, source, detail);
}

static thud_error find_constraint(section_run *run) {
  const thud_system *system = run->scene->lagrangian->system;
  run->constraint = -1;
  if (run->options->section != THUD_SECTION_IMPACTS || run->options->where == NULL) return THUD_OK;
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++)
    if (strcmp(thud_system_constraint(system, i)->name, run->options->where) == 0) run->constraint = i;
  if (run->constraint >= 0) return THUD_OK;
  return thud_fail(run->context, THUD_ERROR_NOT_FOUND,
                   "there is no constraint '%.100s' whose impacts could be looked at", run->options->where);
}

static thud_error allocate(section_run *run) {
  thud_context *context = run->context;
  const thud_scene *scene = run->scene;
  size_t n = (size_t)scene->dimension;
  run->variables = THUD_NEW_ARRAY(context, double, thud_expr_scope_variable_count(scene->scope));
  run->q_slots = THUD_NEW_ARRAY(context, thud_index, 2 * n);
  run->q_before = THUD_NEW_ARRAY(context, double, 4 * n);
  if (run->variables == NULL || run->q_slots == NULL || run->q_before == NULL) return THUD_ERROR_MEMORY;
  run->v_slots = run->q_slots + n;
  run->v_before = run->q_before + n;
  run->q_mid = run->v_before + n;
  run->v_mid = run->q_mid + n;
  for (size_t k = 0; k < n; k++) {
    run->q_slots[k] = thud_expr_scope_find_variable(scene->scope, scene->coordinates[k]);
    run->v_slots[k] = thud_expr_scope_find_variable(scene->scope, scene->lagrangian->velocities[k]);
  }
  return THUD_OK;
}

thud_error section_prepare(section_run *run) {
  const thud_sweep_study_options *options = run->options;
  bool has_where = options->section == THUD_SECTION_ZEROS || options->section == THUD_SECTION_PERIOD;
  thud_error error = allocate(run);
  if (error == THUD_OK) error = compile(run, "quantity", options->quantity, &run->quantity);
  if (error == THUD_OK && has_where) error = compile(run, "section", options->where, &run->where);
  if (error == THUD_OK) error = find_constraint(run);
  if (error != THUD_OK || options->section != THUD_SECTION_PERIOD) return error;
  const scene_system *made = run->scene->lagrangian;
  run->period = section_evaluate(run, run->where, run->scene->start, made->q0, made->v0);
  if (!(run->period > 0))
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the period '%.100s' is %g: it must be positive",
                     options->where, run->period);
  run->next_period = ceil(fmax(options->after, run->scene->start) / run->period) * run->period;
  return THUD_OK;
}

void section_release(section_run *run) {
  thud_expr_destroy(run->quantity);
  thud_expr_destroy(run->where);
  thud_free(run->context, run->variables);
  thud_free(run->context, run->q_slots);
  thud_free(run->context, run->q_before);
}
