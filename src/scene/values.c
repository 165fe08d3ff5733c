/* Numbers of a scene: constants and expressions of time, functions of place and time, and lists of them. */
#include "scene/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

thud_error thud_scene_read_value_in(thud_scene *scene, const thud_expr_scope *scope, const thud_node *node,
                                    scene_value *value) {
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER) {
    *value = (scene_value){.constant = thud_node_number(node)};
    return THUD_OK;
  }
  if (thud_node_get_kind(node) != THUD_NODE_STRING) {
    char found[80];
    thud_node_describe(node, found, sizeof found);
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-type] expected a number or an expression of t, found %s",
                          found);
  }
  thud_expr *expr = NULL;
  thud_expr_place place = {0};
  thud_error error = thud_expr_compile(scene->context, scope, thud_node_string(node), &place, &expr);
  if (error != THUD_OK) return thud_node_fail_within_at(node, place.column, error);
  if (!thud_expr_is_constant(expr)) {
    *value = (scene_value){.expr = expr};
    return THUD_OK;
  }
  const double no_time = 0;
  double constant = thud_expr_evaluate(expr, &no_time);
  thud_expr_destroy(expr);
  if (!isfinite(constant))
    return thud_node_fail(node, THUD_ERROR_NOT_FINITE, "'%s' is %g; give a finite number", thud_node_string(node),
                          constant);
  *value = (scene_value){.constant = constant};
  return THUD_OK;
}

thud_error thud_scene_read_value(thud_scene *scene, const thud_node *node, scene_value *value) {
  return thud_scene_read_value_in(scene, scene->scope, node, value);
}

thud_error thud_scene_read_constant(thud_scene *scene, const thud_node *node, double *value) {
  scene_value read = {0};
  thud_error error = thud_scene_read_value(scene, node, &read);
  if (error != THUD_OK) return error;
  if (read.expr != NULL) {
    thud_scene_value_free(&read);
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[not-constant] '%s' depends on time; a constant is needed here",
                          thud_node_string(node));
  }
  *value = read.constant;
  return THUD_OK;
}

double thud_scene_value_at(const thud_scene *scene, const scene_value *value, double t, thud_side side) {
  if (value->expr == NULL) return value->constant;
  if (scene->variables == NULL) return thud_expr_evaluate_side(value->expr, &t, scene->time_slot, side);
  scene->variables[scene->time_slot] = t;
  return thud_expr_evaluate_side(value->expr, scene->variables, scene->time_slot, side);
}

thud_error thud_scene_value_jumps(thud_scene *scene, const scene_value *value, double from, double to,
                                  scene_times *times) {
  if (value->expr == NULL) return THUD_OK;
  const double anywhen = from, *variables = scene->variables != NULL ? scene->variables : &anywhen;
  double *found = NULL;
  size_t count = 0;
  thud_error error =
      thud_expr_jump_times(scene->context, value->expr, variables, scene->time_slot, from, to, &found, &count);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = thud_scene_times_add(scene, times, found[k]);
  thud_expr_free_times(scene->context, found);
  return error;
}

thud_error thud_scene_values_common_jumps(thud_scene *scene, const scene_values *values, scene_times *times) {
  size_t variables = (size_t)thud_expr_scope_variable_count(scene->scope), moving = 0, count = 0;
  const thud_expr **exprs = THUD_NEW_ARRAY(scene->context, const thud_expr *, values->count);
  double *anywhere = THUD_NEW_ARRAY(scene->context, double, variables), *found = NULL;
  thud_error error = exprs != NULL && anywhere != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < values->count && error == THUD_OK; k++)
    if (values->items[k].expr != NULL) exprs[moving++] = values->items[k].expr;
  for (size_t k = 0; k < variables && error == THUD_OK; k++)
    anywhere[k] = scene->variables != NULL ? scene->variables[k] : (double)NAN; /* unknown places */
  if (error == THUD_OK) anywhere[scene->time_slot] = scene->start;
  if (error == THUD_OK)
    error = thud_expr_common_jump_times(scene->context, moving, exprs, anywhere, scene->time_slot, scene->start,
                                        scene->end, &found, &count);
  times->count = 0;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = thud_scene_times_add(scene, times, found[k]);
  thud_expr_free_times(scene->context, found);
  thud_free(scene->context, exprs);
  thud_free(scene->context, anywhere);
  return error;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

thud_error thud_scene_read_field(thud_scene *scene, const thud_node *node, scene_values *values, scene_field *field) {
  scene_value value = {0};
  thud_error error = thud_scene_read_value(scene, node, &value);
  if (error == THUD_OK) {
    field->value = values->count;
    field->moves = value.expr != NULL && thud_expr_depends_on(value.expr, scene->time_slot);
    error = thud_scene_values_add(scene, values, value);
  }
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

double thud_scene_field_at(const scene_places *places, const scene_field *field, const double *place, double t,
                           thud_side side) {
  const scene_value *value = &places->values->items[field->value];
  double variables[1 + SCENE_MOST_PLACES] = {0};
  if (value->expr == NULL) return value->constant;
  variables[places->scene->time_slot] = t;
  for (size_t d = 0; d < places->dimension; d++) variables[places->slots[d]] = place[d];
  return thud_expr_evaluate_side(value->expr, variables, places->scene->time_slot, side);
}

thud_error thud_scene_field_fill(const scene_places *places, const scene_field *field, const unsigned char *only,
                                 double t, thud_side side, double *out) {
  for (size_t i = 0; i < places->count; i++) {
    const double *place = places->at + i * places->dimension;
    if (only != NULL && only[i] == 0) continue;
    out[i] = thud_scene_field_at(places, field, place, t, side);
    if (isfinite(out[i])) continue;
    char here[64];
    if (places->dimension == 1)
      snprintf(here, sizeof here, "x = %g", place[0]);
    else
      snprintf(here, sizeof here, "(%g, %g)", place[0], place[1]);
    return thud_fail(places->scene->context, THUD_ERROR_NOT_FINITE,
                     field->moves ? "[not-finite] the %s at %s is %g at t = %g" : "[not-finite] the %s at %s is %g",
                     field->name, here, out[i], t);
  }
  return THUD_OK;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

void thud_scene_value_free(scene_value *value) {
  thud_expr_destroy(value->expr);
  value->expr = NULL;
}

thud_error thud_scene_values_add(thud_scene *scene, scene_values *values, scene_value value) {
  void *items = values->items;
  thud_error error =
      thud_array_reserve(scene->context, &items, &values->capacity, values->count + 1, sizeof(scene_value));
  values->items = items;
  if (error == THUD_OK) values->items[values->count++] = value;
  return error;
}

void thud_scene_values_free(thud_scene *scene, scene_values *values) {
  for (size_t k = 0; k < values->count; k++) thud_scene_value_free(&values->items[k]);
  thud_free(scene->context, values->items);
  *values = (scene_values){0};
}

thud_error thud_scene_times_add(thud_scene *scene, scene_times *times, double t) {
  void *items = times->items;
  thud_error error = thud_array_reserve(scene->context, &items, &times->capacity, times->count + 1, sizeof(double));
  times->items = items;
  if (error == THUD_OK) times->items[times->count++] = t;
  return error;
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void thud_scene_times_sort(scene_times *times) {
  if (times->count == 0) return;
  qsort(times->items, times->count, sizeof(double), compare_times);
  size_t kept = 1;
  for (size_t k = 1; k < times->count; k++)
    if (times->items[k] != times->items[kept - 1]) times->items[kept++] = times->items[k];
  times->count = kept;
}
