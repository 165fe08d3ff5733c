/* Numbers of a scene and their jumps. */
#include "verify/verify_scene.h"

#include <math.h>
#include <stdlib.h>

thud_error thud_verify_read_value(verify_scene *scene, const thud_node *node, verify_value *value) {
  *value = (verify_value){0};
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER) {
    value->constant = thud_node_number(node);
    return THUD_OK;
  }
  const char *source;
  thud_error error = thud_node_read_string(node, &source);
  if (error != THUD_OK) return error;
  error = thud_expr_compile(scene->context, scene->scope, source, NULL, &value->expr);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

double thud_verify_value_at(const verify_scene *scene, const verify_value *value, double t, thud_side side) {
  return value->expr != NULL ? thud_expr_evaluate_side(value->expr, &t, scene->time_slot, side) : value->constant;
}

thud_error thud_verify_read_constant(verify_scene *scene, const thud_node *node, double *value) {
  verify_value read;
  thud_error error = thud_verify_read_value(scene, node, &read);
  if (error != THUD_OK) return error;
  double found = thud_verify_value_at(scene, &read, 0, THUD_SIDE_VALUE);
  if (read.expr != NULL && !thud_expr_is_constant(read.expr))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a constant is needed here, this depends on time");
  else if (!isfinite(found))
    error = thud_node_fail(node, THUD_ERROR_NOT_FINITE, "a finite number is needed here, this is %g", found);
  thud_expr_destroy(read.expr);
  if (error == THUD_OK) *value = found;
  return error;
}

thud_error thud_verify_value_jumps(verify_scene *scene, const verify_value *value, double from, double to,
                                   double **times, size_t *count, size_t *capacity) {
  if (value->expr == NULL) return THUD_OK;
  double *found = NULL;
  size_t found_count = 0;
  thud_error error =
      thud_expr_jump_times(scene->context, value->expr, &from, scene->time_slot, from, to, &found, &found_count);
  if (error != THUD_OK) return error;
  error = thud_array_reserve(scene->context, times, capacity, *count + found_count, sizeof(double));
  for (size_t k = 0; k < found_count && error == THUD_OK; k++) (*times)[(*count)++] = found[k];
  thud_expr_free_times(scene->context, found);
  return error;
}

static int earlier(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

void thud_verify_sort_times(double *times, size_t *count) {
  if (*count < 2) return;
  qsort(times, *count, sizeof(double), earlier);
  size_t kept = 0;
  for (size_t k = 1; k < *count; k++)
    if (times[k] != times[kept]) times[++kept] = times[k];
  *count = kept + 1;
}

size_t thud_verify_times_before(const double *times, size_t count, double t) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (times[middle] < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
