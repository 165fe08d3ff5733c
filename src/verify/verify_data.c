/* `data:` of a scene: pieces of expressions between breaks. */
#include "verify/verify_scene.h"

#include <math.h>

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

static thud_error read_entry(verify_scene *scene, const thud_node *entry, verify_data *data) {
  const thud_node *pieces;
  data->scene = scene;
  thud_error error = read_breaks(scene, entry, data);
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
