/* The checker's reading of a scene: top level, metric, times, numbers, piecewise data. */
#include "verify/math/verify_dense.h"
#include "verify/verify_record.h"
#include "verify/verify_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A matrix is symmetric when the entries differ by no more than this part of the largest. */
static const double SYMMETRY = 1e-12;
/* Nodes closer than this part of a step are one node written with different rounding. */
static const double SAME_NODE = 1e-9;

thud_error thud_verify_read_optional(verify_scene *scene, const thud_node *map, const char *key, double *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_verify_read_constant(scene, node, value) : THUD_OK;
}

thud_error thud_verify_read_parameters(verify_scene *scene, const thud_node *node) {
  thud_error error = node != NULL ? thud_node_expect(node, THUD_NODE_MAP) : THUD_OK;
  for (size_t k = 0; error == THUD_OK && node != NULL && k < thud_node_count(node); k++) {
    double value;
    error = thud_verify_read_constant(scene, thud_node_item(node, k), &value);
    if (error == THUD_OK) error = thud_expr_scope_add_parameter(scene->scope, thud_node_key(node, k), value);
  }
  return error;
}

/* The checker's own reading; systems add theirs with their variables. */
static thud_error read_definitions(verify_scene *scene, const thud_node *root) {
  const thud_node *map = thud_node_find(root, "definitions");
  if (map == NULL || thud_node_find(root, "system") != NULL) return THUD_OK;
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(map); k++) {
    const thud_node *item = thud_node_item(map, k);
    char digits[40];
    bool number = thud_node_get_kind(item) == THUD_NODE_NUMBER;
    if (!number && thud_node_get_kind(item) != THUD_NODE_STRING) return thud_node_expect(item, THUD_NODE_STRING);
    if (number) snprintf(digits, sizeof digits, "%.17g", thud_node_number(item));
    error =
        thud_expr_scope_add_expression(scene->scope, thud_node_key(map, k), number ? digits : thud_node_string(item));
  }
  return error;
}

thud_error thud_verify_read_steps(verify_scene *scene, const thud_node *simulate) {
  double step = 0;
  thud_error error = thud_verify_read_optional(scene, simulate, "steps", &scene->steps);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "step", &step);
  if (error != THUD_OK) return error;
  /* A whole number of steps: the one that fits, or the next larger. 1e-12 forgives the rounding of the quotient. */
  if (step > 0) scene->steps = fmax(1, ceil((scene->end - scene->start) / step * (1 - 1e-12)));
  if (!(scene->steps >= 1)) return thud_node_fail(simulate, THUD_ERROR_SCHEMA, "neither 'step' nor 'steps' is usable");
  return THUD_OK;
}

thud_error thud_verify_read_span(verify_scene *scene, const thud_node *simulate) {
  const thud_node *end;
  thud_error error = thud_node_require(simulate, "end", &end);
  if (error == THUD_OK) error = thud_verify_read_constant(scene, end, &scene->end);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "start", &scene->start);
  if (error == THUD_OK && !(scene->start < scene->end))
    error = thud_node_fail(end, THUD_ERROR_SCHEMA, "the end does not come after the start");
  return error;
}

static thud_error read_simulate(verify_scene *scene, const thud_node *root) {
  static const char *const methods[] = {"catching-up", "regularised", NULL};
  const thud_node *simulate, *method;
  int choice = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_choice(method, methods, &choice);
  if (error == THUD_OK) error = thud_verify_read_span(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "tolerance", &scene->tolerance);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "lambda", &scene->lambda);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "classify", &scene->levels);
  const thud_node *sweeping = thud_node_find(root, "sweeping");
  bool listed = sweeping != NULL && thud_node_get_kind(sweeping) == THUD_NODE_MAP &&
                thud_node_find(sweeping, "partition") != NULL;
  if (error == THUD_OK && !listed) error = thud_verify_read_steps(scene, simulate);
  scene->method = methods[choice];
  scene->regularised = choice == 1;
  if (error == THUD_OK && scene->regularised && !(scene->lambda > 0))
    error = thud_node_fail(simulate, THUD_ERROR_SCHEMA, "lambda must be greater than 0");
  return error;
}

thud_error thud_verify_read_names(verify_scene *scene, const thud_node *list) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  scene->n = thud_node_count(list);
  if (scene->n == 0) return thud_node_fail(list, THUD_ERROR_SCHEMA, "no coordinates");
  scene->names = THUD_NEW_ARRAY(scene->context, const char *, scene->n);
  if (scene->names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < scene->n && error == THUD_OK; k++)
    error = thud_node_read_string(thud_node_item(list, k), &scene->names[k]);
  return error;
}

/* ---- metric ------------------------------------------------------------------------------------------------- */

/* Eigenvalue bounds: Gershgorin's row sums from above, those of the inverse from below. */
static thud_error bound_full_metric(verify_scene *scene, const thud_node *node) {
  size_t n = scene->n;
  double *column = THUD_NEW_ARRAY(scene->context, double, n), inverse = 0;
  scene->metric_root = THUD_NEW_ARRAY(scene->context, double, n *n);
  if (column == NULL || scene->metric_root == NULL) {
    thud_free(scene->context, column);
    return THUD_ERROR_MEMORY;
  }
  memcpy(scene->metric_root, scene->metric, n * n * sizeof(double));
  bool definite = thud_verify_cholesky(n, scene->metric_root), symmetric = true;
  scene->metric_high = 0;
  for (size_t i = 0; i < n && definite; i++) {
    double sum = 0, inverse_sum = 0;
    memset(column, 0, n * sizeof(double));
    column[i] = 1;
    thud_verify_cholesky_solve(n, scene->metric_root, column);
    for (size_t j = 0; j < n; j++) sum += fabs(scene->metric[i * n + j]);
    for (size_t j = 0; j < n; j++) inverse_sum += fabs(column[j]);
    scene->metric_high = fmax(scene->metric_high, sum);
    inverse = fmax(inverse, inverse_sum);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      symmetric =
          symmetric && fabs(scene->metric[i * n + j] - scene->metric[j * n + i]) <= SYMMETRY * scene->metric_high;
  scene->metric_low = 1 / inverse;
  thud_free(scene->context, column);
  if (definite && symmetric) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_NOT_SPD, "the metric is not %s", definite ? "symmetric" : "positive definite");
}

static thud_error bound_diagonal_metric(verify_scene *scene, const thud_node *node) {
  scene->metric_low = INFINITY;
  scene->metric_high = 0;
  for (size_t i = 0; i < scene->n; i++) {
    if (!(scene->metric[i] > 0))
      return thud_node_fail(node, THUD_ERROR_NOT_SPD, "entry %zu of the metric is not positive", i);
    scene->metric_low = fmin(scene->metric_low, scene->metric[i]);
    scene->metric_high = fmax(scene->metric_high, scene->metric[i]);
  }
  return THUD_OK;
}

static thud_error read_row(verify_scene *scene, const thud_node *row, double *out) {
  thud_error error = thud_node_expect(row, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(row) != scene->n)
    error = thud_node_fail(row, THUD_ERROR_SCHEMA, "%zu numbers are needed here", scene->n);
  for (size_t j = 0; error == THUD_OK && j < scene->n; j++)
    error = thud_verify_read_constant(scene, thud_node_item(row, j), &out[j]);
  return error;
}

static thud_error read_metric(verify_scene *scene, const thud_node *node) {
  static const char *const named[] = {"euclidean", NULL};
  int choice;
  scene->metric_low = scene->metric_high = 1;
  if (node == NULL) return THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_STRING) return thud_node_read_choice(node, named, &choice);
  size_t n = scene->n, count;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) != n)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a metric of dimension %zu is needed here", n);
  if (error != THUD_OK) return error;
  scene->metric_full = thud_node_get_kind(thud_node_item(node, 0)) == THUD_NODE_SEQUENCE;
  if (!thud_size_multiply(n, scene->metric_full ? n : 1, &count)) return THUD_ERROR_OVERFLOW;
  scene->metric = THUD_NEW_ARRAY(scene->context, double, count);
  if (scene->metric == NULL) return THUD_ERROR_MEMORY;
  if (!scene->metric_full) {
    error = read_row(scene, node, scene->metric);
    return error == THUD_OK ? bound_diagonal_metric(scene, node) : error;
  }
  for (size_t i = 0; i < n && error == THUD_OK; i++)
    error = read_row(scene, thud_node_item(node, i), scene->metric + i * n);
  return error == THUD_OK ? bound_full_metric(scene, node) : error;
}

void thud_verify_scene_apply_metric(const verify_scene *scene, const double *x, double *out) {
  size_t n = scene->n;
  for (size_t i = 0; i < n; i++) {
    if (scene->metric == NULL)
      out[i] = x[i];
    else
      out[i] = scene->metric_full ? thud_verify_dot(n, scene->metric + i * n, x) : scene->metric[i] * x[i];
  }
}

void thud_verify_scene_solve_metric(const verify_scene *scene, const double *x, double *out) {
  memcpy(out, x, scene->n * sizeof(double));
  if (scene->metric_full)
    thud_verify_cholesky_solve(scene->n, scene->metric_root, out);
  else if (scene->metric != NULL)
    for (size_t i = 0; i < scene->n; i++) out[i] /= scene->metric[i];
}

double thud_verify_scene_metric_norm(const verify_scene *scene, const double *x, double *scratch) {
  thud_verify_scene_apply_metric(scene, x, scratch);
  return sqrt(fmax(0, thud_verify_dot(scene->n, x, scratch)));
}

/* ---- the rest ------------------------------------------------------------------------------------------------- */

static thud_error read_initial(verify_scene *scene, const thud_node *root) {
  const thud_node *initial, *value;
  thud_error error = thud_node_require(root, "initial", &initial);
  if (error != THUD_OK) return error;
  scene->initial = THUD_NEW_ARRAY(scene->context, double, scene->n);
  if (scene->initial == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < scene->n && error == THUD_OK; i++) {
    error = thud_node_require(initial, scene->names[i], &value);
    if (error == THUD_OK) error = thud_verify_read_constant(scene, value, &scene->initial[i]);
  }
  return error;
}

/* Coordinates whose names are free are names of expressions from here on. */
static thud_error name_state(verify_scene *scene) {
  scene->slots = THUD_NEW_ARRAY(scene->context, thud_index, scene->n);
  double *variables = THUD_NEW_ARRAY(scene->context, double, scene->n + 1);
  if (scene->slots == NULL || variables == NULL) {
    thud_free(scene->context, variables);
    return THUD_ERROR_MEMORY;
  }
  scene->variables = variables;
  for (size_t i = 0; i < scene->n; i++) {
    scene->slots[i] = -1;
    thud_error error = thud_expr_scope_add_variable(scene->scope, scene->names[i], &scene->slots[i]);
    if (error == THUD_ERROR_MEMORY) return error;
  }
  variables[scene->time_slot] = scene->start;
  thud_verify_scene_at_state(scene, scene->initial);
  return THUD_OK;
}

void thud_verify_scene_at_state(const verify_scene *scene, const double *u) {
  for (size_t i = 0; i < scene->n; i++)
    if (scene->slots[i] >= 0) scene->variables[scene->slots[i]] = u[i];
}

static void find_followers(verify_scene *scene) {
  for (size_t k = 0; k < scene->value_count; k++)
    for (size_t i = 0; scene->values[k].expr != NULL && i < scene->n; i++)
      if (scene->slots[i] >= 0 && thud_expr_depends_on(scene->values[k].expr, scene->slots[i])) scene->follows = true;
}

static thud_error read_perturbation(verify_scene *scene, const thud_node *map) {
  if (map == NULL) return THUD_OK;
  thud_error error = thud_node_check_keys(map, scene->names, scene->n);
  if (error != THUD_OK) return error;
  scene->perturbation = THUD_NEW_ARRAY(scene->context, verify_value, scene->n);
  if (scene->perturbation == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < scene->n && error == THUD_OK; i++) {
    const thud_node *value = thud_node_find(map, scene->names[i]);
    if (value != NULL) error = thud_verify_read_value(scene, value, &scene->perturbation[i]);
  }
  return error;
}

/* The nodes between start and end that the scene lists. */
static thud_error read_partition(verify_scene *scene, const thud_node *list) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  size_t count = error == THUD_OK ? thud_node_count(list) : 0;
  scene->nodes = THUD_NEW_ARRAY(scene->context, double, count + 2);
  scene->points = THUD_NEW_ARRAY(scene->context, bool, count + 2);
  if (scene->nodes == NULL || scene->points == NULL) return THUD_ERROR_MEMORY;
  scene->steps = (double)count + 1;
  scene->nodes[0] = scene->start;
  scene->nodes[count + 1] = scene->end;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(list, k);
    scene->points[k + 1] = thud_node_get_kind(item) == THUD_NODE_MAP;
    if (scene->points[k + 1]) error = thud_node_require(item, "point", &item);
    if (error == THUD_OK) error = thud_verify_read_constant(scene, item, &scene->nodes[k + 1]);
  }
  for (size_t k = 0; k <= count && error == THUD_OK; k++)
    if (!(scene->nodes[k] < scene->nodes[k + 1]))
      error = thud_node_fail(list, THUD_ERROR_SCHEMA, "the nodes of the partition do not increase");
  return error;
}

static thud_error read_sweeping(verify_scene *scene, const thud_node *root) {
  const thud_node *sweeping, *coordinates, *set;
  thud_error error = thud_node_require(root, "sweeping", &sweeping);
  if (error == THUD_OK) error = thud_node_require(sweeping, "coordinates", &coordinates);
  if (error == THUD_OK) error = thud_verify_read_names(scene, coordinates);
  if (error == THUD_OK) error = read_initial(scene, root);
  if (error == THUD_OK) error = name_state(scene);
  if (error == THUD_OK) error = read_metric(scene, thud_node_find(sweeping, "metric"));
  if (error == THUD_OK) error = thud_node_require(sweeping, "set", &set);
  if (error == THUD_OK) error = thud_verify_read_set(scene, set, scene->n, &scene->set);
  if (error == THUD_OK) error = read_perturbation(scene, thud_node_find(sweeping, "perturbation"));
  if (error == THUD_OK) error = read_partition(scene, thud_node_find(sweeping, "partition"));
  if (error == THUD_OK) find_followers(scene);
  thud_verify_sort_times(scene->jumps, &scene->jump_count);
  return error;
}

thud_error thud_verify_read_thinning(verify_scene *scene, const thud_node *root) {
  const thud_node *record = thud_node_find(root, "record");
  if (record == NULL) return THUD_OK;
  thud_error error = thud_node_expect(record, THUD_NODE_MAP);
  return error == THUD_OK ? thud_verify_read_optional(scene, record, "every", &scene->record_every) : error;
}

thud_error thud_verify_scene_open(verify_scene *scene, const thud_node *root) {
  thud_error error = thud_node_expect(root, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_expr_scope_create(scene->context, &scene->scope);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scene->scope, "t", &scene->time_slot);
  if (error == THUD_OK) error = thud_verify_read_parameters(scene, thud_node_find(root, "parameters"));
  return error == THUD_OK ? read_definitions(scene, root) : error;
}

static thud_error read_all(verify_scene *scene, const thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree);
  thud_error error = thud_verify_scene_open(scene, root);
  if (error == THUD_OK) error = read_simulate(scene, root);
  if (error == THUD_OK) error = thud_verify_read_data(scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_sweeping(scene, root);
  return error == THUD_OK ? thud_verify_read_thinning(scene, root) : error;
}

thud_error thud_verify_scene_create(thud_context *context, const thud_tree *tree, verify_scene **scene) {
  verify_scene *made = THUD_NEW(context, verify_scene);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->tolerance = thud_verify_default_number(&thud_verify_sweeping_kind, "/simulate/tolerance");
  made->lambda = thud_verify_default_number(&thud_verify_sweeping_kind, "/simulate/lambda");
  thud_error error = read_all(made, tree);
  if (error != THUD_OK)
    thud_verify_scene_destroy(made);
  else
    *scene = made;
  return error;
}

void thud_verify_scene_free(verify_scene *scene) {
  thud_context *context = scene->context;
  for (size_t k = 0; k < scene->value_count; k++) thud_expr_destroy(scene->values[k].expr);
  for (size_t i = 0; scene->perturbation != NULL && i < scene->n; i++) thud_expr_destroy(scene->perturbation[i].expr);
  thud_free(context, scene->perturbation);
  thud_free(context, scene->nodes);
  thud_free(context, scene->points);
  thud_free(context, scene->slots);
  thud_free(context, scene->variables);
  thud_free(context, scene->values);
  thud_verify_free_set(context, &scene->set);
  thud_verify_free_data(scene);
  thud_expr_scope_destroy(scene->scope);
  thud_free(context, scene->jumps);
  thud_free(context, scene->metric);
  thud_free(context, scene->metric_root);
  thud_free(context, scene->initial);
  thud_free(context, scene->names);
}

void thud_verify_scene_destroy(verify_scene *scene) {
  if (scene == NULL) return;
  thud_context *context = scene->context;
  thud_verify_scene_free(scene);
  thud_free(context, scene);
}

bool thud_verify_scene_place(const verify_scene *scene, double t, thud_side side, double *numbers) {
  bool usable = true;
  for (size_t k = 0; k < scene->value_count; k++) {
    numbers[k] = thud_verify_value_at(scene, &scene->values[k], t, side);
    usable = usable && (scene->values[k].expr == NULL || isfinite(numbers[k]));
  }
  return usable;
}

bool thud_verify_scene_jumps_at(const verify_scene *scene, double t) {
  size_t k = thud_verify_times_before(scene->jumps, scene->jump_count, t);
  return k < scene->jump_count && scene->jumps[k] == t;
}

static double node_time(const verify_scene *scene, double k) {
  if (scene->nodes != NULL) return scene->nodes[(size_t)fmin(k, scene->steps)];
  return k == scene->steps ? scene->end : scene->start + k / scene->steps * (scene->end - scene->start);
}

double thud_verify_scene_time_before(const verify_scene *scene, double t, bool *is_jump) {
  double length = scene->end - scene->start, slack = scene->nodes != NULL ? 0 : SAME_NODE * length / scene->steps;
  *is_jump = false;
  if (!(t > scene->start)) return t;
  double k = scene->nodes != NULL ? (double)thud_verify_times_before(scene->nodes, (size_t)scene->steps + 1, t)
                                  : fmin(scene->steps, ceil((t - scene->start) / length * scene->steps) + 1);
  while (k > 0 && !(node_time(scene, k) < t - slack)) k--;
  double before = node_time(scene, k);
  size_t j = thud_verify_times_before(scene->jumps, scene->jump_count, t);
  if (j > 0 && scene->jumps[j - 1] >= before) {
    before = scene->jumps[j - 1];
    *is_jump = true;
  }
  return before;
}

/* ---- numbers of a scene and their jumps -------------------------------------------------------------------------- */

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
  if (value->expr == NULL) return value->constant;
  if (scene->variables == NULL) return thud_expr_evaluate_side(value->expr, &t, scene->time_slot, side);
  scene->variables[scene->time_slot] = t;
  return thud_expr_evaluate_side(value->expr, scene->variables, scene->time_slot, side);
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
  const double *variables = scene->variables != NULL ? scene->variables : &from;
  size_t found_count = 0;
  thud_error error =
      thud_expr_jump_times(scene->context, value->expr, variables, scene->time_slot, from, to, &found, &found_count);
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

/* ---- `data:` of a scene ------------------------------------------------------------------------------------------ */

/* `data:` of a scene: pieces of expressions between breaks. */

static int evaluate(void *user, double t, thud_side side, double *out) {
  const verify_data *data = user;
  size_t piece = thud_verify_times_before(data->breaks, data->break_count, t);
  bool at_break = piece < data->break_count && data->breaks[piece] == t;
  if (at_break && side == THUD_SIDE_VALUE && data->at != NULL) {
    *out = thud_verify_value_at(data->scene, &data->at[piece], t, THUD_SIDE_VALUE);
    return 0;
  }
  if (at_break && side == THUD_SIDE_VALUE) side = data->left ? THUD_SIDE_LEFT : THUD_SIDE_RIGHT;
  if (at_break && side == THUD_SIDE_RIGHT) piece++;
  *out = thud_verify_value_at(data->scene, &data->pieces[piece], t, side);
  return 0;
}

bool thud_verify_data_piece(const thud_regulated *function, double from, double to, const thud_expr **expr,
                            double *constant) {
  const verify_data *data = function->user;
  size_t piece = thud_verify_times_before(data->breaks, data->break_count, from);
  if (piece < data->break_count && data->breaks[piece] == from) piece++;
  bool holds = piece == data->break_count || to <= data->breaks[piece];
  *expr = data->pieces[piece].expr;
  *constant = data->pieces[piece].constant;
  return holds;
}

static thud_error read_values(verify_scene *scene, const thud_node *list, size_t count, verify_value **values) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(list) != count)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "the breaks ask for %zu entries, here are %zu", count,
                          thud_node_count(list));
  *values = THUD_NEW_ARRAY(scene->context, verify_value, count);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_value(scene, thud_node_item(list, k), &(*values)[k]);
  return error;
}

static thud_error read_breaks(verify_scene *scene, const thud_node *entry, verify_data *data) {
  const thud_node *list;
  thud_error error = thud_node_require(entry, "breaks", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  data->breaks = THUD_NEW_ARRAY(scene->context, double, count);
  if (data->breaks == NULL) return THUD_ERROR_MEMORY;
  data->break_count = count;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = thud_verify_read_constant(scene, thud_node_item(list, k), &data->breaks[k]);
    if (error == THUD_OK && k > 0 && !(data->breaks[k] > data->breaks[k - 1]))
      error = thud_node_fail(thud_node_item(list, k), THUD_ERROR_SCHEMA, "the breaks do not increase");
  }
  return error;
}

static thud_error read_at_breaks(verify_scene *scene, const thud_node *node, verify_data *data) {
  static const char *const sides[] = {"right", "left", NULL};
  if (node == NULL) return THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE) return read_values(scene, node, data->break_count, &data->at);
  int side = 0;
  thud_error error = thud_node_read_choice(node, sides, &side);
  data->left = side == 1;
  return error;
}

/* Every break is a jump, and so is every jump of a piece between its breaks. */
static thud_error find_jumps(verify_scene *scene, verify_data *data) {
  thud_error error =
      thud_array_reserve(scene->context, &data->jumps, &data->jump_capacity, data->break_count, sizeof(double));
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < data->break_count; k++) data->jumps[data->jump_count++] = data->breaks[k];
  for (size_t k = 0; k <= data->break_count && error == THUD_OK; k++) {
    double from = k > 0 ? fmax(data->breaks[k - 1], scene->start) : scene->start;
    double to = k < data->break_count ? fmin(data->breaks[k], scene->end) : scene->end;
    if (from <= to)
      error = thud_verify_value_jumps(scene, &data->pieces[k], from, to, &data->jumps, &data->jump_count,
                                      &data->jump_capacity);
  }
  thud_verify_sort_times(data->jumps, &data->jump_count);
  return error;
}

/* Breaks that conditions bring are not known yet (verify_observe.c finds them). */
static thud_error await_breaks(verify_scene *scene, const thud_node *when, verify_data *data) {
  thud_error error = thud_node_expect(when, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  data->break_count = thud_node_count(when);
  data->breaks = THUD_NEW_ARRAY(scene->context, double, data->break_count);
  if (data->breaks == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < data->break_count; k++) data->breaks[k] = INFINITY;
  return THUD_OK;
}

static thud_error read_entry(verify_scene *scene, const thud_node *entry, verify_data *data) {
  const thud_node *pieces;
  data->scene = scene;
  const thud_node *when = thud_node_find(entry, "when");
  thud_error error = when != NULL ? await_breaks(scene, when, data) : read_breaks(scene, entry, data);
  if (error == THUD_OK) error = thud_node_require(entry, "pieces", &pieces);
  if (error == THUD_OK) error = read_values(scene, pieces, data->break_count + 1, &data->pieces);
  if (error == THUD_OK) error = read_at_breaks(scene, thud_node_find(entry, "at_breaks"), data);
  if (error == THUD_OK) error = find_jumps(scene, data);
  data->function = (thud_regulated){
      .dimension = 1, .evaluate = evaluate, .user = data, .jump_count = data->jump_count, .jumps = data->jumps};
  return error;
}

thud_error thud_verify_read_data(verify_scene *scene, const thud_node *node) {
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(node);
  scene->data = THUD_NEW_ARRAY(scene->context, verify_data, count);
  if (scene->data == NULL) return THUD_ERROR_MEMORY;
  scene->data_count = count;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = read_entry(scene, thud_node_item(node, k), &scene->data[k]);
    if (error == THUD_OK)
      error = thud_expr_scope_add_function(scene->scope, thud_node_key(node, k), scene->time_slot,
                                           &scene->data[k].function);
  }
  return error;
}

static void free_values(thud_context *context, verify_value *values, size_t count) {
  for (size_t k = 0; values != NULL && k < count; k++) thud_expr_destroy(values[k].expr);
  thud_free(context, values);
}

void thud_verify_free_data(verify_scene *scene) {
  for (size_t k = 0; k < scene->data_count; k++) {
    verify_data *data = &scene->data[k];
    free_values(scene->context, data->pieces, data->break_count + 1);
    free_values(scene->context, data->at, data->break_count);
    thud_free(scene->context, data->breaks);
    thud_free(scene->context, data->jumps);
  }
  thud_free(scene->context, scene->data);
}
