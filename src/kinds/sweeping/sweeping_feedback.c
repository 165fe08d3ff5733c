/* Sweeping processes whose set or perturbation depends on the state, and their explicit partitions.
 *   -du in N_{C(t, u)}(u) + f(t, u) dt
 * (J.J. Moreau 1973, (8.16)-(8.17); P. Ballard 1999, (25) and (31).) */
#include "kinds/sweeping/sweeping_scene.h"
#include "run/run.h"

#include <string.h>

/* ---- the state in expressions ------------------------------------------------------------------------------------ */

static thud_error read_initial(sweeping_scene *made, const thud_node *root) {
  thud_scene *scene = made->scene;
  const thud_node *initial;
  thud_error error =
      thud_node_require_as(root, "initial", "the coordinates at the start, such as {x: 0, y: 0}", &initial);
  if (error == THUD_OK)
    error = thud_node_check_keys(initial, (const char *const *)scene->coordinates, (size_t)scene->dimension);
  for (thud_index i = 0; i < scene->dimension && error == THUD_OK; i++) {
    const thud_node *value;
    error = thud_node_require_as(initial, scene->coordinates[i], "a number, the value at the start", &value);
    if (error == THUD_OK) error = thud_scene_read_constant(scene, value, &made->initial[i]);
  }
  return error;
}

/* A coordinate whose name a parameter has, or that is no name of expressions, cannot be used in them. */
static thud_error name_state(sweeping_scene *made) {
  thud_scene *scene = made->scene;
  for (thud_index i = 0; i < scene->dimension; i++) {
    made->slots[i] = -1;
    thud_error error = thud_expr_scope_add_variable(scene->scope, scene->coordinates[i], &made->slots[i]);
    if (error == THUD_ERROR_ARGUMENT)
      thud_run_forget_message(scene->context);
    else if (error != THUD_OK)
      return error;
  }
  return THUD_OK;
}

thud_error thud_sweeping_read_state(sweeping_scene *made, const thud_node *root) {
  thud_scene *scene = made->scene;
  size_t n = (size_t)scene->dimension;
  made->initial = THUD_NEW_ARRAY(scene->context, double, n);
  made->slots = THUD_NEW_ARRAY(scene->context, thud_index, n);
  made->variables = THUD_NEW_ARRAY(scene->context, double, n + 1);
  if (made->initial == NULL || made->slots == NULL || made->variables == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_initial(made, root);
  if (error == THUD_OK) error = name_state(made);
  if (error != THUD_OK) return error;
  made->variables[scene->time_slot] = scene->start;
  scene->variables = made->variables;
  thud_sweeping_at_state(made, made->initial);
  return THUD_OK;
}

void thud_sweeping_at_state(const sweeping_scene *made, const double *u) {
  for (thud_index i = 0; i < made->scene->dimension; i++)
    if (made->slots[i] >= 0) made->variables[made->slots[i]] = u[i];
}

/* ---- feedback ---------------------------------------------------------------------------------------------------- */

static bool depends_on_state(const sweeping_scene *made, const scene_value *value) {
  for (thud_index i = 0; value->expr != NULL && i < made->scene->dimension; i++)
    if (made->slots[i] >= 0 && thud_expr_depends_on(value->expr, made->slots[i])) return true;
  return false;
}

static thud_error set_at(void *user, double t, thud_side side, const double *u, double *parameters) {
  const sweeping_scene *made = user;
  thud_sweeping_at_state(made, u);
  thud_scene_numbers_at(&made->numbers, t, side, parameters);
  return THUD_OK;
}

static thud_error perturbation_at(void *user, double t, thud_side side, const double *u, double *f) {
  const sweeping_scene *made = user;
  thud_sweeping_at_state(made, u);
  for (thud_index i = 0; i < made->scene->dimension; i++)
    f[i] = thud_scene_value_at(made->scene, &made->perturbation[i], t, side);
  return THUD_OK;
}

/* Times of jumps must not depend on the state: those of two states are compared. */
static thud_error check_jumps(sweeping_scene *made, const thud_node *node) {
  thud_scene *scene = made->scene;
  scene_times there = {0};
  const size_t count = made->numbers.jumps.count;
  for (thud_index i = 0; i < scene->dimension; i++)
    if (made->slots[i] >= 0) made->variables[made->slots[i]] = made->initial[i] + 1 / (double)(i + 3);
  thud_error error = thud_scene_values_common_jumps(scene, &made->numbers.values, &there);
  bool same = error == THUD_OK && there.count == count;
  for (size_t k = 0; same && k < count; k++) same = there.items[k] == made->numbers.jumps.items[k];
  thud_free(scene->context, there.items);
  thud_sweeping_at_state(made, made->initial);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
  return same ? THUD_OK
              : thud_node_fail(node, THUD_ERROR_UNSUPPORTED,
                               "the times at which the set jumps depend on the state: write a set that is "
                               "continuous in the state");
}

static thud_error read_perturbation(sweeping_scene *made, const thud_node *map) {
  thud_scene *scene = made->scene;
  thud_error error = thud_node_check_keys(map, (const char *const *)scene->coordinates, (size_t)scene->dimension);
  if (error != THUD_OK) return error;
  made->perturbation = THUD_NEW_ARRAY(scene->context, scene_value, scene->dimension);
  if (made->perturbation == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < scene->dimension && error == THUD_OK; i++) {
    const thud_node *value = thud_node_find(map, scene->coordinates[i]);
    if (value != NULL) error = thud_scene_read_value(scene, value, &made->perturbation[i]);
  }
  made->feedback.perturbation = perturbation_at;
  made->has_feedback = true;
  return error;
}

thud_error thud_sweeping_read_feedback(sweeping_scene *made, const thud_node *sweeping) {
  const thud_node *perturbation = thud_node_find(sweeping, "perturbation"), *set = thud_node_find(sweeping, "set");
  thud_error error = THUD_OK;
  made->feedback.user = made;
  for (size_t k = 0; k < made->numbers.values.count; k++)
    made->set_follows = made->set_follows || depends_on_state(made, &made->numbers.values.items[k]);
  if (made->set_follows) {
    made->feedback.parameters = set_at;
    made->has_feedback = true;
    error = check_jumps(made, set);
  }
  if (error == THUD_OK && perturbation != NULL) error = read_perturbation(made, perturbation);
  if (error == THUD_OK && made->has_feedback && made->method != THUD_SWEEP_CATCHING_UP)
    error = thud_node_fail(sweeping, THUD_ERROR_UNSUPPORTED,
                           "sets and perturbations that depend on the state are for the method catching-up, "
                           "not for the penalty");
  return error;
}

/* ---- explicit partitions ----------------------------------------------------------------------------------------- */

typedef struct partition_list {
  sweeping_scene *made;
  scene_times nodes;
  bool *points; /* [nodes.count] */
} partition_list;

/* A time, or {point: time}: an interval of its own. */
static thud_error read_node(partition_list *list, const thud_node *item, bool *point) {
  static const char *const keys[] = {"point"};
  thud_scene *scene = list->made->scene;
  const thud_node *time = item;
  double t;
  thud_error error = THUD_OK;
  *point = thud_node_get_kind(item) == THUD_NODE_MAP;
  if (*point) error = thud_node_check_keys(item, keys, 1);
  if (error == THUD_OK && *point) error = thud_node_require(item, "point", &time);
  if (error == THUD_OK) error = thud_scene_read_constant(scene, time, &t);
  if (error != THUD_OK) return error;
  double before = list->nodes.count > 0 ? list->nodes.items[list->nodes.count - 1] : scene->start;
  if (!(t > before && t < scene->end))
    return thud_node_fail(
        item, THUD_ERROR_SCHEMA,
        "[out-of-range] nodes increase between the start, %g, and the end, %g; here %g comes after %g", scene->start,
        scene->end, t, before);
  return thud_scene_times_add(scene, &list->nodes, t);
}

/* Jumps of the set are points, and nodes besides. */
static bool is_point(const partition_list *list, double t) {
  const scene_times *jumps = &list->made->numbers.jumps;
  for (size_t k = 0; k < jumps->count; k++)
    if (jumps->items[k] == t) return true;
  for (size_t k = 0; k < list->nodes.count; k++)
    if (list->nodes.items[k] == t) return list->points[k];
  return false;
}

static void add_interval(sweeping_scene *made, double left, double right, bool left_closed) {
  made->intervals[made->interval_count++] =
      (thud_interval){.left = left, .right = right, .left_closed = left_closed, .right_closed = left == right};
}

/* [start, t_1[, [t_1, t_2[, ..., {end}; a point t is {t}, ]t, ...[. */
static thud_error make_intervals(partition_list *list, const scene_times *all) {
  sweeping_scene *made = list->made;
  made->intervals = THUD_NEW_ARRAY(made->scene->context, thud_interval, 2 * all->count);
  if (made->intervals == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < all->count; k++) {
    bool last = k + 1 == all->count, point = last || is_point(list, all->items[k]);
    if (point) add_interval(made, all->items[k], all->items[k], true);
    if (!last) add_interval(made, all->items[k], all->items[k + 1], !point);
  }
  made->scene->steps = (thud_index)all->count - 1;
  return THUD_OK;
}

static thud_error gather_nodes(partition_list *list, scene_times *all) {
  thud_scene *scene = list->made->scene;
  const scene_times *jumps = &list->made->numbers.jumps;
  thud_error error = thud_scene_times_add(scene, all, scene->start);
  for (size_t k = 0; k < list->nodes.count && error == THUD_OK; k++)
    error = thud_scene_times_add(scene, all, list->nodes.items[k]);
  for (size_t k = 0; k < jumps->count && error == THUD_OK; k++)
    if (jumps->items[k] >= scene->start && jumps->items[k] < scene->end)
      error = thud_scene_times_add(scene, all, jumps->items[k]);
  if (error == THUD_OK) error = thud_scene_times_add(scene, all, scene->end);
  thud_scene_times_sort(all);
  return error;
}

thud_error thud_sweeping_read_partition(sweeping_scene *made, const thud_node *sweeping, const thud_node *simulate) {
  thud_scene *scene = made->scene;
  const thud_node *node = thud_node_find(sweeping, "partition");
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_find(simulate, "step") != NULL || thud_node_find(simulate, "steps") != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] give either 'partition' (nodes) or simulate.step or simulate.steps");
  size_t count = thud_node_count(node);
  partition_list list = {.made = made, .points = THUD_NEW_ARRAY(scene->context, bool, count)};
  scene_times all = {0};
  if (list.points == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_node(&list, thud_node_item(node, k), &list.points[k]);
  if (error == THUD_OK) error = gather_nodes(&list, &all);
  if (error == THUD_OK) error = make_intervals(&list, &all);
  thud_free(scene->context, list.points);
  thud_free(scene->context, list.nodes.items);
  thud_free(scene->context, all.items);
  return error;
}
