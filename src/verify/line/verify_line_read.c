/* The checker's reading of a `string` or `beam` scene. */
#include "verify/line/verify_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nodes of time closer than this part of a step are one node written with different rounding. */
static const double SAME_NODE = 1e-9;

typedef struct line_reader {
  verify_line *line;
  verify_scene *scene;
  const thud_node *section;
} line_reader;

static thud_error read_constant(const line_reader *reader, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(reader->section, key, &node);
  return error == THUD_OK ? thud_verify_read_constant(reader->scene, node, value) : error;
}

static thud_error read_nodes(const line_reader *reader) {
  verify_line *line = reader->line;
  thud_context *context = reader->scene->context;
  const thud_node *nodes;
  double length = 0, count = 0;
  thud_error error = thud_node_require(reader->section, "nodes", &nodes);
  if (error == THUD_OK) error = read_constant(reader, "length", &length);
  if (error != THUD_OK) return error;
  bool listed = thud_node_get_kind(nodes) == THUD_NODE_SEQUENCE;
  if (listed) count = (double)thud_node_count(nodes);
  if (!listed) error = thud_verify_read_constant(reader->scene, nodes, &count);
  if (error != THUD_OK) return error;
  if (!(count >= 2 && count <= 1e6)) return thud_node_fail(nodes, THUD_ERROR_SCHEMA, "no number of nodes");
  line->n = (size_t)count;
  line->x = THUD_NEW_ARRAY(context, double, line->n);
  line->obstacle = THUD_NEW_ARRAY(context, double, line->n);
  line->initial = THUD_NEW_ARRAY(context, double, line->n);
  if (line->x == NULL || line->obstacle == NULL || line->initial == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < line->n && error == THUD_OK; i++) {
    line->x[i] = length * (double)i / (count - 1);
    if (listed) error = thud_verify_read_constant(reader->scene, thud_node_item(nodes, i), &line->x[i]);
    if (i > 0 && !(line->x[i] > line->x[i - 1])) error = thud_node_fail(nodes, THUD_ERROR_SCHEMA, "not in order");
  }
  return error;
}

/* A value of time, and its jumps. */
static thud_error add_value(const line_reader *reader, const thud_node *map, const char *key) {
  verify_scene *scene = reader->scene;
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_verify_add_number(scene, node);
  if (error != THUD_OK) return error;
  return thud_verify_value_jumps(scene, &scene->values[scene->value_count - 1], scene->start, scene->end, &scene->jumps,
                                 &scene->jump_count, &scene->jump_capacity);
}

static thud_error read_load(const line_reader *reader, const thud_node *node, verify_line_load *load) {
  static const char *const directions[] = {"transverse", "longitudinal", NULL};
  const thud_node *direction;
  int choice = 0;
  thud_error error = thud_node_require(node, "direction", &direction);
  if (error == THUD_OK) error = thud_node_read_choice(direction, directions, &choice);
  load->along = choice == 1;
  load->first = reader->scene->value_count;
  if (error != THUD_OK) return error;
  if (thud_node_find(node, "density") != NULL) return add_value(reader, node, "factor");
  error = add_value(reader, node, "at");
  if (error == THUD_OK) error = add_value(reader, node, "force");
  return error == THUD_OK ? thud_verify_read_optional(reader->scene, node, "width", &load->width) : error;
}

static thud_error read_values(const line_reader *reader) {
  static const char *const ends_keys[] = {"v_left", "v_right", "u_left", "u_right"};
  verify_line *line = reader->line;
  const thud_node *ends, *loads = thud_node_find(reader->section, "loads");
  thud_error error = thud_node_require(reader->section, "ends", &ends);
  for (int k = 0; k < 4 && error == THUD_OK; k++) error = add_value(reader, ends, ends_keys[k]);
  if (error == THUD_OK) error = add_value(reader, reader->section, "lift");
  if (error != THUD_OK || loads == NULL) return error;
  line->load_count = thud_node_count(loads);
  line->loads = THUD_NEW_ARRAY(reader->scene->context, verify_line_load, line->load_count);
  if (line->loads == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < line->load_count && error == THUD_OK; k++)
    error = read_load(reader, thud_node_item(loads, k), &line->loads[k]);
  return error;
}

/* A function of x at the nodes; x is the second variable of the scope. */
static thud_error tabulate(const line_reader *reader, const thud_node *node, double *out) {
  verify_value value;
  thud_error error = thud_verify_read_value(reader->scene, node, &value);
  if (error != THUD_OK) return error;
  double variables[2] = {0, 0};
  for (size_t i = 0; i < reader->line->n; i++) {
    variables[1 - reader->scene->time_slot] = reader->line->x[i];
    out[i] = value.expr != NULL ? thud_expr_evaluate(value.expr, variables) : value.constant;
    if (!isfinite(out[i])) error = thud_node_fail(node, THUD_ERROR_NOT_FINITE, "not finite at node %zu", i);
  }
  thud_expr_destroy(value.expr);
  return error;
}

static thud_error read_functions(const line_reader *reader, const thud_node *root) {
  verify_line *line = reader->line;
  const thud_node *obstacle = thud_node_find(reader->section, "obstacle"), *initial = thud_node_find(root, "initial");
  const thud_node *loads = thud_node_find(reader->section, "loads"), *u;
  thud_index slot;
  thud_error error = thud_expr_scope_add_variable(reader->scene->scope, "x", &slot);
  for (size_t i = 0; i < line->n; i++) line->obstacle[i] = -INFINITY;
  if (error == THUD_OK && obstacle != NULL) error = tabulate(reader, obstacle, line->obstacle);
  for (size_t k = 0; k < line->load_count && error == THUD_OK; k++) {
    const thud_node *density = thud_node_find(thud_node_item(loads, k), "density");
    if (density == NULL) continue;
    line->loads[k].density = THUD_NEW_ARRAY(reader->scene->context, double, line->n);
    error = line->loads[k].density != NULL ? tabulate(reader, density, line->loads[k].density) : THUD_ERROR_MEMORY;
  }
  if (error != THUD_OK || initial == NULL) return error;
  error = thud_node_require(initial, "u", &u);
  return error == THUD_OK ? tabulate(reader, u, line->initial) : error;
}

/* Left limit, value and right limit where the data jump, the value elsewhere. */
static void add_stops(verify_line *line, double t, bool jump) {
  const verify_scene *scene = &line->scene;
  if (jump && t > scene->start) line->stops[line->stop_count++] = (verify_line_stop){t, -1};
  line->stops[line->stop_count++] = (verify_line_stop){t, 0};
  if (jump && t < scene->end) line->stops[line->stop_count++] = (verify_line_stop){t, 1};
}

static thud_error list_stops(verify_line *line) {
  verify_scene *scene = &line->scene;
  size_t steps = (size_t)scene->steps, next = 0;
  double slack = SAME_NODE * (scene->end - scene->start) / scene->steps;
  thud_verify_sort_times(scene->jumps, &scene->jump_count);
  line->stops = THUD_NEW_ARRAY(scene->context, verify_line_stop, steps + 1 + 3 * scene->jump_count);
  if (line->stops == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k <= steps; k++) {
    double t = k == steps ? scene->end : scene->start + (double)k / scene->steps * (scene->end - scene->start);
    bool taken = false;
    for (; next < scene->jump_count && scene->jumps[next] <= t + slack; next++) {
      add_stops(line, scene->jumps[next], true);
      taken = fabs(scene->jumps[next] - t) <= slack;
    }
    if (!taken) add_stops(line, t, false);
  }
  return THUD_OK;
}

static thud_error name_fields(verify_line *line) {
  static const char fields[] = "uvsr";
  thud_context *context = line->scene.context;
  char place[THUD_DOUBLE_CAPACITY], name[THUD_DOUBLE_CAPACITY + 4];
  line->names = THUD_NEW_ARRAY(context, char *, VERIFY_LINE_FIELDS * line->n);
  if (line->names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < VERIFY_LINE_FIELDS * line->n; k++) {
    thud_format_double(line->x[k % line->n], place, sizeof place);
    snprintf(name, sizeof name, "%c(%s)", fields[k / line->n], place);
    line->names[k] = thud_strdup(context, name);
    if (line->names[k] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_error read_all(line_reader *reader, const thud_tree *tree) {
  verify_line *line = reader->line;
  verify_scene *scene = reader->scene;
  const thud_node *root = thud_tree_root(tree), *simulate;
  thud_error error = thud_verify_scene_open(scene, root);
  if (error == THUD_OK) error = thud_node_require(root, line->beam ? "beam" : "string", &reader->section);
  if (error == THUD_OK) error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "classify", &line->levels);
  if (error == THUD_OK) error = thud_verify_read_data(scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_nodes(reader);
  if (error == THUD_OK) error = read_constant(reader, line->beam ? "bending" : "tension", &line->stiffness);
  if (error == THUD_OK) error = read_constant(reader, "extension", &line->extension);
  if (error == THUD_OK) error = read_constant(reader, "friction", &line->mu);
  if (error == THUD_OK) error = read_values(reader);
  if (error == THUD_OK) error = read_functions(reader, root);
  if (error == THUD_OK) error = thud_verify_read_thinning(scene, root);
  if (error == THUD_OK) error = list_stops(line);
  return error == THUD_OK ? name_fields(line) : error;
}

thud_error thud_verify_line_create(thud_context *context, const thud_tree *tree, bool beam, verify_line **line) {
  verify_line *made = THUD_NEW(context, verify_line);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->scene.context = context;
  made->scene.method = "catching-up";
  made->beam = beam;
  line_reader reader = {.line = made, .scene = &made->scene};
  thud_error error = read_all(&reader, tree);
  if (error == THUD_OK)
    *line = made;
  else
    thud_verify_line_destroy(made);
  return error;
}

void thud_verify_line_destroy(verify_line *line) {
  if (line == NULL) return;
  thud_context *context = line->scene.context;
  for (size_t k = 0; line->loads != NULL && k < line->load_count; k++) thud_free(context, line->loads[k].density);
  for (size_t k = 0; line->names != NULL && k < VERIFY_LINE_FIELDS * line->n; k++) thud_free(context, line->names[k]);
  void *arrays[] = {line->x, line->obstacle, line->initial, line->loads, line->names, line->stops};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_scene_free(&line->scene);
  thud_free(context, line);
}
