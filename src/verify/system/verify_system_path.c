/* Reading trajectories of `system` scenes. */
#include "verify/system/verify_system_arcs.h"
#include "verify/verify_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MEMBERS = 100000 };

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

static thud_error gather(verify_path *p, verify_table_column *columns) {
  size_t total;
  p->t = columns[0].values;
  p->side = columns[1].values;
  columns[0].values = columns[1].values = NULL;
  if (!thud_size_multiply(p->rows, p->n, &total)) return THUD_ERROR_OVERFLOW;
  if (p->side == NULL) p->side = THUD_NEW_ARRAY(p->context, double, p->rows);
  p->q = THUD_NEW_ARRAY(p->context, double, total);
  p->v = THUD_NEW_ARRAY(p->context, double, total);
  if (p->side == NULL || p->q == NULL || p->v == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < p->rows; k++)
    for (size_t i = 0; i < p->n; i++) {
      p->q[k * p->n + i] = columns[2 + i].values[k];
      p->v[k * p->n + i] = columns[2 + p->n + i].values[k];
    }
  return THUD_OK;
}

static thud_error add_arc(verify_path *p, verify_arc arc) {
  thud_error error = thud_array_reserve(p->context, &p->arcs, &p->arc_capacity, p->arc_count + 1, sizeof(verify_arc));
  if (error == THUD_OK) p->arcs[p->arc_count++] = arc;
  return error;
}

/* Rows between two that stand at one time are an arc. */
static thud_error split_rows(verify_path *p, const char *file) {
  size_t first = 0;
  thud_error error = THUD_OK;
  for (size_t k = 1; k <= p->rows && error == THUD_OK; k++) {
    if (k < p->rows && !(p->t[k] >= p->t[k - 1]))
      return thud_fail(p->context, THUD_ERROR_FORMAT, "%s: row %zu: time runs backwards, from %.17g to %.17g", file,
                       k + 1, p->t[k - 1], p->t[k]);
    if (k < p->rows && p->t[k] > p->t[k - 1]) continue;
    if (k < p->rows && !(p->side[k] > p->side[k - 1]))
      return thud_fail(p->context, THUD_ERROR_FORMAT,
                       "%s: row %zu: two rows at t = %.17g are not the left (-) and the right (+) limit", file, k + 1,
                       p->t[k]);
    error = add_arc(p, (verify_arc){.from = p->t[first], .to = p->t[k - 1], .first = first, .last = k - 1});
    first = k;
  }
  return error;
}

static thud_error read_table(verify_path *p, const char *file) {
  size_t count = 2 + 2 * p->n;
  verify_table_column *columns = THUD_NEW_ARRAY(p->context, verify_table_column, count);
  if (columns == NULL) return THUD_ERROR_MEMORY;
  columns[0] = (verify_table_column){.name = "t", .required = true};
  columns[1] = (verify_table_column){.name = "side", .side = true};
  for (size_t i = 0; i < p->n; i++) {
    columns[2 + i] = (verify_table_column){.name = p->system->scene.names[i], .required = true};
    columns[2 + p->n + i] = (verify_table_column){.name = p->system->velocities[i], .required = true};
  }
  thud_error error = thud_verify_table_read(p->context, file, count, columns, &p->rows);
  if (error == THUD_OK) error = gather(p, columns);
  for (size_t i = 0; i < count; i++) thud_free(p->context, columns[i].values);
  thud_free(p->context, columns);
  return error == THUD_OK ? split_rows(p, file) : error;
}

/* ---- pieces --------------------------------------------------------------------------------------------------------
 */

/* q, q' and q'' of one coordinate: a number or an expression. */
static thud_error add_coordinate(verify_path *p, thud_expr_graph *graph, const thud_node *node, size_t i,
                                 thud_expr_value *values) {
  thud_expr_value *q = values + i, *v = q + p->n, *a = v + p->n;
  thud_error error;
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER) {
    error = thud_expr_graph_add_constant(graph, thud_node_number(node), q);
  } else {
    const char *source;
    thud_expr_place place = {0};
    error = thud_node_read_string(node, &source);
    if (error != THUD_OK) return error;
    error = thud_expr_graph_add(graph, source, &place, q);
    if (error != THUD_OK)
      return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within_at(node, place.column, error);
  }
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(graph, *q, 1, &p->names.time_slot, v);
  return error == THUD_OK ? thud_expr_graph_add_gradient(graph, *v, 1, &p->names.time_slot, a) : error;
}

static thud_error compile_piece(verify_path *p, const thud_node *node, verify_piece *piece) {
  thud_expr_graph *graph = NULL;
  thud_expr_value *values = THUD_NEW_ARRAY(p->context, thud_expr_value, 3 * p->n);
  if (values == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_expr_graph_create(p->context, p->names.scope, &graph);
  for (size_t i = 0; i < p->n && error == THUD_OK; i++) {
    const thud_node *coordinate;
    error = thud_node_require(node, p->system->scene.names[i], &coordinate);
    if (error == THUD_OK) error = add_coordinate(p, graph, coordinate, i, values);
  }
  if (error == THUD_OK) error = thud_expr_program_create(graph, (thud_index)(3 * p->n), values, &piece->program);
  if (error == THUD_OK) error = thud_expr_work_create(p->context, piece->program, 0, &piece->work);
  thud_expr_graph_destroy(graph);
  thud_free(p->context, values);
  return error;
}

static thud_error read_family(verify_path *p, const thud_node *family, verify_piece *piece, double *from, double *to) {
  static const char *const keys[] = {"index", "from", "to"};
  const thud_node *node;
  const char *name;
  thud_error error = thud_node_check_keys(family, keys, 3);
  if (error == THUD_OK) error = thud_node_require(family, "index", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  piece->index_slot = thud_expr_scope_find_variable(p->names.scope, name);
  if (piece->index_slot < 0) error = thud_expr_scope_add_variable(p->names.scope, name, &piece->index_slot);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
  const struct {
    const char *key;
    double *value;
  } ends[] = {{"from", from}, {"to", to}};
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) {
    int64_t number;
    error = thud_node_require(family, ends[k].key, &node);
    if (error == THUD_OK) error = thud_node_read_integer(node, -MOST_MEMBERS, MOST_MEMBERS, &number);
    if (error == THUD_OK) *ends[k].value = (double)number;
  }
  return error;
}

static thud_error read_until(verify_path *p, const thud_node *node, verify_piece *piece) {
  verify_value value = {0};
  char digits[40];
  const char *source = digits;
  snprintf(digits, sizeof digits, "%.17g", thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : 0);
  thud_error error = thud_node_get_kind(node) == THUD_NODE_NUMBER ? THUD_OK : thud_node_read_string(node, &source);
  if (error == THUD_OK) error = thud_expr_compile(p->context, p->names.scope, source, NULL, &value.expr);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
  piece->until = value.expr;
  if (thud_expr_depends_on(piece->until, p->names.time_slot))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "the end of a piece cannot depend on t");
  return THUD_OK;
}

/* One entry: a piece, or a family of them, up to the times `until`. */
static thud_error read_piece(verify_path *p, const thud_node *node, size_t k, double *t) {
  verify_piece *piece = &p->pieces[k];
  const thud_node *until, *family;
  double first = 0, last = 0;
  piece->index_slot = -1;
  thud_error error = thud_node_require(node, "until", &until);
  if (error != THUD_OK) return error;
  family = thud_node_find(node, "family");
  if (family != NULL) error = read_family(p, family, piece, &first, &last);
  if (error == THUD_OK) error = read_until(p, until, piece);
  if (error == THUD_OK) error = compile_piece(p, node, piece);
  double *room = error == THUD_OK ? thud_realloc(p->context, p->variables,
                                                 (size_t)thud_expr_scope_variable_count(p->names.scope), sizeof(double))
                                  : NULL;
  if (room == NULL) return error != THUD_OK ? error : THUD_ERROR_MEMORY;
  p->variables = room;
  double step = last >= first ? 1 : -1;
  for (double index = first; error == THUD_OK && step * index <= step * last; index += step) {
    if (piece->index_slot >= 0) p->variables[piece->index_slot] = index;
    double end = thud_expr_evaluate(piece->until, p->variables);
    if (!(end > *t) || !isfinite(end))
      return thud_node_fail(until, THUD_ERROR_SCHEMA, "a piece ends at t = %.17g, but the one before at %.17g", end,
                            *t);
    error = add_arc(p, (verify_arc){.from = *t, .to = end, .piece = k, .index = index});
    *t = end;
  }
  return error;
}

static thud_error check_piece_keys(const verify_path *p, const thud_node *node) {
  const char **keys = THUD_NEW_ARRAY(p->context, const char *, p->n + 2);
  if (keys == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < p->n; i++) keys[i] = p->system->scene.names[i];
  keys[p->n] = "until";
  keys[p->n + 1] = "family";
  thud_error error = thud_node_check_keys(node, keys, p->n + 2);
  thud_free(p->context, keys);
  return error;
}

static thud_error read_pieces(verify_path *p, const thud_node *root, const thud_node *scene) {
  static const char *const keys[] = {"title", "parameters", "pieces"};
  const thud_node *pieces;
  double t = p->system->scene.start;
  thud_error error = thud_node_check_keys(root, keys, 3);
  p->names.start = p->system->scene.start;
  p->names.end = p->system->scene.end;
  if (error == THUD_OK) error = thud_verify_scene_open(&p->names, scene);
  if (error == THUD_OK) error = thud_verify_read_data(&p->names, thud_node_find(scene, "data"));
  if (error == THUD_OK) error = thud_verify_read_parameters(&p->names, thud_node_find(root, "parameters"));
  if (error == THUD_OK) error = thud_node_require(root, "pieces", &pieces);
  if (error == THUD_OK) error = thud_node_expect(pieces, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(pieces) == 0) return thud_node_fail(pieces, THUD_ERROR_SCHEMA, "at least one piece is needed");
  p->pieces = THUD_NEW_ARRAY(p->context, verify_piece, thud_node_count(pieces));
  p->out = THUD_NEW_ARRAY(p->context, double, 3 * p->n);
  if (p->pieces == NULL || p->out == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < thud_node_count(pieces) && error == THUD_OK; k++) {
    error = check_piece_keys(p, thud_node_item(pieces, k));
    if (error != THUD_OK) break;
    p->piece_count = k + 1;
    error = read_piece(p, thud_node_item(pieces, k), k, &t);
  }
  return error;
}

/* ---- the whole -----------------------------------------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

thud_error thud_verify_path_read(verify_path *p, const thud_tree *scene, const char *file) {
  if (!ends_with(file, ".yaml") && !ends_with(file, ".yml") && !ends_with(file, ".json")) return read_table(p, file);
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_file(p->context, file, &tree);
  if (error == THUD_OK) error = read_pieces(p, thud_tree_root(tree), thud_tree_root(scene));
  thud_tree_destroy(tree);
  return error;
}

void thud_verify_path_free(verify_path *p) {
  for (size_t k = 0; k < p->piece_count; k++) {
    thud_expr_destroy(p->pieces[k].until);
    thud_expr_work_destroy(p->pieces[k].work);
    thud_expr_program_destroy(p->pieces[k].program);
  }
  void *memory[] = {p->arcs, p->pieces, p->variables, p->out, p->t, p->side, p->q, p->v};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) thud_free(p->context, memory[k]);
  thud_verify_scene_free(&p->names);
}

bool thud_verify_path_at(verify_path *p, const verify_arc *arc, double t, double *q, double *v, double *a) {
  verify_piece *piece = &p->pieces[arc->piece];
  bool finite = true;
  p->variables[p->names.time_slot] = t;
  if (piece->index_slot >= 0) p->variables[piece->index_slot] = arc->index;
  thud_expr_work_evaluate(piece->work, p->variables, p->out);
  for (size_t k = 0; k < 3 * p->n; k++) finite = finite && isfinite(p->out[k]);
  memcpy(q, p->out, p->n * sizeof(double));
  memcpy(v, p->out + p->n, p->n * sizeof(double));
  if (a != NULL) memcpy(a, p->out + 2 * p->n, p->n * sizeof(double));
  return finite;
}
