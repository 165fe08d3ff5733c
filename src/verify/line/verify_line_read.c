/* The checker's reading of a `string` or `beam` scene, and the shape of a line under loads and reactions. */
#include "verify/line/verify_line.h"

#include <float.h>
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
  line->initial = THUD_NEW_ARRAY(context, double, line->n);
  if (line->x == NULL || line->initial == NULL) return THUD_ERROR_MEMORY;
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
  load->spread = thud_node_find(node, "density") != NULL;
  if (load->spread) return add_value(reader, node, "factor");
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

/* x is the second variable of the scope. */
double thud_verify_line_field(const verify_line *line, const verify_value *field, size_t i, double t, thud_side side) {
  const thud_index time_slot = line->scene.time_slot;
  double variables[2];
  if (field->expr == NULL) return field->constant;
  variables[time_slot] = t;
  variables[1 - time_slot] = line->x[i];
  return thud_expr_evaluate_side(field->expr, variables, time_slot, side);
}

/* A function of x and t with the jumps that it has everywhere at once: those that an unknown x leaves. */
static thud_error read_field(const line_reader *reader, const thud_node *node, verify_value *field) {
  verify_scene *scene = reader->scene;
  double *found = NULL, unknown[2] = {NAN, NAN};
  size_t count = 0;
  thud_error error = thud_verify_read_value(scene, node, field);
  if (error != THUD_OK || field->expr == NULL) return error;
  unknown[scene->time_slot] = scene->start;
  error = thud_expr_jump_times(scene->context, field->expr, unknown, scene->time_slot, scene->start, scene->end, &found,
                               &count);
  if (error != THUD_OK) return error;
  error = thud_array_reserve(scene->context, &scene->jumps, &scene->jump_capacity, scene->jump_count + count,
                             sizeof *scene->jumps);
  for (size_t k = 0; k < count && error == THUD_OK; k++) scene->jumps[scene->jump_count++] = found[k];
  thud_expr_free_times(scene->context, found);
  return error;
}

static thud_error read_initial(const line_reader *reader, const thud_node *initial) {
  verify_line *line = reader->line;
  const thud_node *u;
  verify_value value = {0};
  thud_error error = thud_node_require(initial, "u", &u);
  if (error == THUD_OK) error = thud_verify_read_value(reader->scene, u, &value);
  for (size_t i = 0; i < line->n && error == THUD_OK; i++) {
    line->initial[i] = thud_verify_line_field(line, &value, i, 0, THUD_SIDE_VALUE);
    if (!isfinite(line->initial[i])) error = thud_node_fail(u, THUD_ERROR_NOT_FINITE, "not finite at node %zu", i);
  }
  thud_expr_destroy(value.expr);
  return error;
}

static thud_error read_functions(const line_reader *reader, const thud_node *root) {
  verify_line *line = reader->line;
  const thud_node *obstacle = thud_node_find(reader->section, "obstacle"), *initial = thud_node_find(root, "initial");
  const thud_node *loads = thud_node_find(reader->section, "loads");
  thud_index slot;
  thud_error error = thud_expr_scope_add_variable(reader->scene->scope, "x", &slot);
  line->rests = obstacle != NULL;
  if (error == THUD_OK && line->rests) error = read_field(reader, obstacle, &line->obstacle);
  for (size_t k = 0; k < line->load_count && error == THUD_OK; k++) {
    const thud_node *density = thud_node_find(thud_node_item(loads, k), "density");
    if (density != NULL) error = read_field(reader, density, &line->loads[k].density);
  }
  return error == THUD_OK && initial != NULL ? read_initial(reader, initial) : error;
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
  for (size_t k = 0; line->loads != NULL && k < line->load_count; k++) thud_expr_destroy(line->loads[k].density.expr);
  thud_expr_destroy(line->obstacle.expr);
  for (size_t k = 0; line->names != NULL && k < VERIFY_LINE_FIELDS * line->n; k++) thud_free(context, line->names[k]);
  void *arrays[] = {line->x, line->initial, line->loads, line->names, line->stops};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_scene_free(&line->scene);
  thud_free(context, line);
}

/* ---- loads by cells, and the shape of a line under loads and reactions by integration from its left end ---------- */

/* ---- loads ------------------------------------------------------------------------------------------------------------- */

static size_t cell_at(const verify_line *line, double x) {
  size_t k = thud_verify_times_before(line->x, line->n, x);
  if (k < line->n && line->x[k] == x) k++;
  return k == 0 ? 0 : k >= line->n ? line->n - 2 : k - 1;
}

static void add_atom(const verify_line *line, double x, double force, verify_line_cells *cells) {
  size_t c = cell_at(line, x);
  double y = line->x[c + 1] - x, *G = cells->G[c];
  G[0] += force;
  G[1] += force * y;
  G[2] += force * y * y / 2;
  G[3] += force * y * y * y / 6;
  cells->size += fabs(force);
}

/* The density p + q y from a to b within cell c: antiderivatives in y. */
static void add_piece(const verify_line *line, size_t c, double a, double b, double density_a, double density_b,
                      verify_line_cells *cells) {
  if (!(b > a)) return;
  double far = line->x[c + 1] - a, near = line->x[c + 1] - b, q = (density_a - density_b) / (b - a);
  double p = density_b - q * near, factorial = 1, high = 1, low = 1;
  for (int m = 0; m < 4; m++) {
    high *= far, low *= near;
    if (m > 0) factorial *= m;
    cells->G[c][m] += (p * (high - low) / (m + 1) + q * (high * far - low * near) / (m + 2)) / factorial;
  }
  cells->size += (fabs(density_a) + fabs(density_b)) / 2 * (b - a);
}

static void add_spread(const verify_line *line, double from, double to, double density, verify_line_cells *cells) {
  double first = fmax(from, line->x[0]), last = fmin(to, line->x[line->n - 1]);
  if (!(first < last)) return;
  for (size_t c = cell_at(line, first); c + 1 < line->n && line->x[c] < last; c++)
    add_piece(line, c, fmax(first, line->x[c]), fmin(last, line->x[c + 1]), density, density, cells);
}

/* Linear between the nodes. */
static void add_density(const verify_line *line, const verify_line_load *load, double factor, double t, thud_side side,
                        verify_line_cells *cells) {
  double left = factor * thud_verify_line_field(line, &load->density, 0, t, side);
  for (size_t c = 0; c + 1 < line->n; c++) {
    double right = factor * thud_verify_line_field(line, &load->density, c + 1, t, side);
    add_piece(line, c, line->x[c], line->x[c + 1], left, right, cells);
    left = right;
  }
}

void thud_verify_line_loads(const verify_line *line, bool along, double t, thud_side side, verify_line_cells *cells) {
  const verify_scene *scene = &line->scene;
  memset(cells->G, 0, (line->n - 1) * sizeof *cells->G);
  cells->size = 0;
  for (size_t k = 0; k < line->load_count; k++) {
    const verify_line_load *load = &line->loads[k];
    if (load->along != along) continue;
    double first = thud_verify_value_at(scene, &scene->values[load->first], t, side);
    if (load->spread) {
      add_density(line, load, first, t, side, cells);
      continue;
    }
    double force = thud_verify_value_at(scene, &scene->values[load->first + 1], t, side);
    if (load->width > 0)
      add_spread(line, first - load->width / 2, first + load->width / 2, force / load->width, cells);
    else
      add_atom(line, first, force, cells);
  }
}

/* ---- shapes ------------------------------------------------------------------------------------------------------------ */

/* Straight lines do not change curvature: the last end gets its value. */
static void set_end(const verify_line *line, double right, double *w) {
  size_t last = line->n - 1;
  double miss = right - w[last], length = line->x[last] - line->x[0];
  for (size_t i = 1; i <= last; i++) w[i] += miss * (line->x[i] - line->x[0]) / length;
}

/* T w'' = -(loads and forces) */
static void shape_string(const verify_line *line, double T, const verify_line_cells *cells, const double *forces,
                         double *w) {
  double slope = 0;
  for (size_t c = 0; c + 1 < line->n; c++) {
    w[c + 1] = w[c] + slope * (line->x[c + 1] - line->x[c]) - cells->G[c][1] / T;
    slope -= (cells->G[c][0] + forces[c + 1]) / T;
  }
}

/* The shear force at the left end with which the moment at the right one vanishes. */
static double left_shear(const verify_line *line, const verify_line_cells *cells, const double *forces) {
  double right = line->x[line->n - 1], moment = 0;
  for (size_t c = 0; c + 1 < line->n; c++)
    moment += cells->G[c][1] + cells->G[c][0] * (right - line->x[c + 1]) + forces[c + 1] * (right - line->x[c + 1]);
  return -moment / (right - line->x[0]);
}

/* l w'''' = loads and forces, w'' = 0 at both ends */
static void shape_beam(const verify_line *line, double l, const verify_line_cells *cells, const double *forces,
                       double *w) {
  double slope = 0, curve = 0, shear = left_shear(line, cells, forces) / l;
  for (size_t c = 0; c + 1 < line->n; c++) {
    const double *G = cells->G[c];
    double h = line->x[c + 1] - line->x[c];
    w[c + 1] = w[c] + h * (slope + h * (curve / 2 + h * shear / 6)) + G[3] / l;
    slope += h * (curve + h * shear / 2) + G[2] / l;
    curve += h * shear + G[1] / l;
    shear += (G[0] + forces[c + 1]) / l;
  }
}

void thud_verify_line_shape(const verify_line *line, bool bending, double stiffness, const verify_line_cells *cells,
                            const double *forces, const double ends[2], double *w) {
  w[0] = ends[0];
  if (bending)
    shape_beam(line, stiffness, cells, forces, w);
  else
    shape_string(line, stiffness, cells, forces, w);
  set_end(line, ends[1], w);
}

/* Rows of the stiffness matrix are rounded relative to their terms, stiffness/h (/h^3 for beams) times w: forces that wrong
 * bend the whole line, and put a kink of the size of rounding at their nodes. */
verify_line_rounding thud_verify_line_rounding(const verify_line *line, bool bending, double stiffness, double load,
                                               const double *w) {
  double length = line->x[line->n - 1] - line->x[0], least = length, size = 0, nodes = (double)line->n;
  for (size_t i = 0; i < line->n; i++) size = fmax(size, fabs(w[i]));
  for (size_t c = 0; c + 1 < line->n; c++) least = fmin(least, line->x[c + 1] - line->x[c]);
  double ratio = length / least, bent = load * length / stiffness * (bending ? length * length / 16 : 1);
  double rows = bending ? sqrt(nodes) * ratio * ratio * ratio : nodes * ratio;
  verify_line_rounding found = {.whole = 16 * DBL_EPSILON * (rows * size + nodes * bent)};
  found.kink = 1024 * DBL_EPSILON * (size + bent);
  found.curve = bending ? 160 * found.whole / (length * length) : 0;
  return found;
}
