/* Reads a `particles_on_line` scene with the checker's own code. */
#include "verify/dense.h"
#include "verify/line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_TAIL = 1e-15;
enum { MOST_ATOMS = 2000000 };

static bool is_list(const thud_node *node) { return node != NULL && thud_node_get_kind(node) == THUD_NODE_SEQUENCE; }

/* Entry i of a list, or the node itself. */
static const thud_node *entry(const thud_node *node, size_t i) {
  return is_list(node) ? thud_node_item(node, i) : node;
}

static thud_error check_length(const verify_line *line, const thud_node *node) {
  if (!is_list(node) || thud_node_count(node) == line->n) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu entries, not %zu", thud_node_count(node), line->n);
}

static thud_error read_numbers(verify_line *line, const thud_node *node, double *numbers) {
  thud_error error = check_length(line, node);
  for (size_t i = 0; i < line->n && error == THUD_OK; i++)
    error = verify_read_constant(&line->scene, entry(node, i), &numbers[i]);
  return error;
}

static thud_error read_matrix(verify_line *line, const thud_node *node, double **matrix) {
  size_t n = line->n;
  *matrix = THUD_NEW_ARRAY(line->scene.context, double, n *n);
  if (*matrix == NULL) return THUD_ERROR_MEMORY;
  if (node == NULL) return THUD_OK;
  thud_error error = check_length(line, node);
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = entry(node, i);
    if (!is_list(row)) {
      error = verify_read_constant(&line->scene, row, &(*matrix)[i * n + i]);
      continue;
    }
    error = check_length(line, row);
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = verify_read_constant(&line->scene, thud_node_item(row, j), &(*matrix)[i * n + j]);
  }
  return error;
}

static thud_error read_functions(verify_line *line, const thud_node *node, verify_value **values) {
  *values = THUD_NEW_ARRAY(line->scene.context, verify_value, line->n);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  if (node == NULL) return THUD_OK;
  thud_error error = check_length(line, node);
  for (size_t i = 0; i < line->n && error == THUD_OK; i++)
    error = verify_read_value(&line->scene, entry(node, i), &(*values)[i]);
  return error;
}

/* ---- names and start --------------------------------------------------------------------------------------------- */

static thud_error read_names(verify_line *line, const thud_node *model, const thud_node *mass) {
  verify_scene *scene = &line->scene;
  const thud_node *names = thud_node_find(model, "names");
  thud_error error = THUD_OK;
  if (names != NULL) {
    error = verify_read_names(scene, names);
    line->n = scene->n;
    return error;
  }
  line->n = scene->n = is_list(mass) ? thud_node_count(mass) : 1;
  scene->names = THUD_NEW_ARRAY(scene->context, const char *, line->n);
  line->default_names = thud_alloc(scene->context, line->n, sizeof *line->default_names);
  if (scene->names == NULL || line->default_names == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < line->n; i++) {
    snprintf(line->default_names[i], VERIFY_LINE_NAME, line->n == 1 ? "q" : "q%zu", i + 1);
    scene->names[i] = line->default_names[i];
  }
  return THUD_OK;
}

static thud_error read_start(verify_line *line, const thud_node *root) {
  const thud_node *initial, *value;
  thud_error error = thud_node_require(root, "initial", &initial);
  for (size_t i = 0; i < line->n && error == THUD_OK; i++) {
    char rate[THUD_TREE_MAX_KEY + 2];
    error = thud_node_require(initial, line->scene.names[i], &value);
    if (error == THUD_OK) error = verify_read_constant(&line->scene, value, &line->q0[i]);
    snprintf(rate, sizeof rate, "%s'", line->scene.names[i]);
    if (error == THUD_OK) error = verify_read_optional(&line->scene, initial, rate, &line->v0[i]);
  }
  return error;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

/* normal: N at the atom or NULL (the density's value there). */
static thud_error add_atom(verify_line *line, double t, double weight, const double *normal) {
  thud_context *context = line->scene.context;
  if (!(t >= line->scene.start && t <= line->scene.end)) return THUD_OK;
  if (line->atom_count >= MOST_ATOMS) return thud_fail(context, THUD_ERROR_OVERFLOW, "too many atoms");
  thud_error error =
      thud_array_reserve(context, &line->atoms, &line->atom_capacity, line->atom_count + 1, sizeof(verify_atom));
  if (error != THUD_OK) return error;
  double *bound = THUD_NEW_ARRAY(context, double, line->n);
  if (bound == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < line->n; i++) {
    double value = normal != NULL ? normal[i] : verify_value_at(&line->scene, &line->density[i], t, THUD_SIDE_VALUE);
    bound[i] = weight * line->friction[i] * value;
  }
  line->atoms[line->atom_count++] = (verify_atom){.t = t, .bound = bound};
  return THUD_OK;
}

static thud_error read_listed(verify_line *line, const thud_node *item, bool train, double *normal) {
  const thud_node *value = thud_node_find(item, "value");
  double t = NAN, weight = NAN, period = INFINITY, count = train ? INFINITY : 1;
  thud_error error = verify_read_optional(&line->scene, item, train ? "start" : "time", &t);
  if (error == THUD_OK) error = verify_read_optional(&line->scene, item, "weight", &weight);
  if (error == THUD_OK && train) error = verify_read_optional(&line->scene, item, "period", &period);
  if (error == THUD_OK && train) error = verify_read_optional(&line->scene, item, "count", &count);
  if (error == THUD_OK && value != NULL) error = read_numbers(line, value, normal);
  if (error == THUD_OK && train && !(period > 0))
    error = thud_node_fail(item, THUD_ERROR_SCHEMA, "a train needs a period > 0");
  for (double k = 0; k < count && error == THUD_OK; k++) {
    double at = k > 0 ? t + k * period : t;
    if (!(at <= line->scene.end)) break;
    error = add_atom(line, at, weight, value != NULL ? normal : NULL);
  }
  return error;
}

typedef struct family_texts {
  thud_expr *time, *weight, *tail, *value;
} family_texts;

static thud_error compile(verify_line *line, const thud_node *item, const char *key, thud_expr **expr) {
  char digits[40];
  const thud_node *node = thud_node_find(item, key);
  if (node == NULL) return THUD_OK;
  const char *source = digits;
  if (thud_node_get_kind(node) == THUD_NODE_STRING)
    source = thud_node_string(node);
  else
    thud_format_double(thud_node_number(node), digits, sizeof digits);
  thud_error error = thud_expr_compile(line->scene.context, line->scene.scope, source, NULL, expr);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

/* variables: t and the index at `slot`. */
static thud_error read_members(verify_line *line, const thud_node *item, const family_texts *texts, thud_index slot,
                               double *variables, double *normal) {
  double first = 0, keep = -1, tolerance = DEFAULT_TAIL, limit = NAN, tail = 0;
  bool lump = false;
  const thud_node *lumped = thud_node_find(item, "lump");
  thud_error error = verify_read_optional(&line->scene, item, "from", &first);
  if (error == THUD_OK) error = verify_read_optional(&line->scene, item, "truncation", &keep);
  if (error == THUD_OK) error = verify_read_optional(&line->scene, item, "tolerance", &tolerance);
  if (error == THUD_OK) error = verify_read_optional(&line->scene, item, "limit", &limit);
  if (error == THUD_OK && lumped != NULL) error = thud_node_read_bool(lumped, &lump);
  for (double k = 0; error == THUD_OK; k++) {
    variables[slot] = first + k;
    tail = thud_expr_evaluate(texts->tail, variables);
    bool over = k == keep || (keep < 0 && tail <= tolerance) || !isfinite(tail) || k > MOST_ATOMS;
    if (over && !(lump && tail > 0)) break;
    double t = over ? limit : thud_expr_evaluate(texts->time, variables);
    double weight = over ? tail : thud_expr_evaluate(texts->weight, variables);
    variables[line->scene.time_slot] = t;
    double value = texts->value != NULL ? thud_expr_evaluate(texts->value, variables) : 0;
    for (size_t i = 0; i < line->n; i++) normal[i] = value;
    error = add_atom(line, t, weight, texts->value != NULL ? normal : NULL);
    if (over) break;
  }
  return error;
}

static thud_error read_family(verify_line *line, const thud_node *item, double *normal) {
  verify_scene *scene = &line->scene;
  const thud_node *index = thud_node_find(item, "index");
  const char *name = "n";
  family_texts texts = {0};
  thud_error error = index != NULL ? thud_node_read_string(index, &name) : THUD_OK;
  thud_index slot = thud_expr_scope_find_variable(scene->scope, name);
  if (error == THUD_OK && slot < 0) error = thud_expr_scope_add_variable(scene->scope, name, &slot);
  if (error == THUD_OK) error = compile(line, item, "time", &texts.time);
  if (error == THUD_OK) error = compile(line, item, "weight", &texts.weight);
  if (error == THUD_OK) error = compile(line, item, "tail", &texts.tail);
  if (error == THUD_OK) error = compile(line, item, "value", &texts.value);
  if (error == THUD_OK && (texts.time == NULL || texts.weight == NULL || texts.tail == NULL))
    error = thud_node_fail(item, THUD_ERROR_SCHEMA, "a family needs time, weight and tail");
  double *variables = THUD_NEW_ARRAY(scene->context, double, thud_expr_scope_variable_count(scene->scope));
  if (variables == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = read_members(line, item, &texts, slot, variables, normal);
  thud_free(scene->context, variables);
  thud_expr_destroy(texts.time);
  thud_expr_destroy(texts.weight);
  thud_expr_destroy(texts.tail);
  thud_expr_destroy(texts.value);
  return error;
}

static int compare_atoms(const void *a, const void *b) {
  double x = ((const verify_atom *)a)->t, y = ((const verify_atom *)b)->t;
  return (x > y) - (x < y);
}

/* Atoms at one time are one. */
static void join_atoms(verify_line *line) {
  size_t kept = 0;
  if (line->atom_count > 1) qsort(line->atoms, line->atom_count, sizeof *line->atoms, compare_atoms);
  for (size_t k = 0; k < line->atom_count; k++) {
    if (kept == 0 || line->atoms[kept - 1].t != line->atoms[k].t) {
      line->atoms[kept++] = line->atoms[k];
      continue;
    }
    for (size_t i = 0; i < line->n; i++) line->atoms[kept - 1].bound[i] += line->atoms[k].bound[i];
    thud_free(line->scene.context, line->atoms[k].bound);
  }
  line->atom_count = kept;
}

static thud_error read_atoms(verify_line *line, const thud_node *normal) {
  static const char *const lists[] = {"atoms", "trains", "families"};
  double *numbers = THUD_NEW_ARRAY(line->scene.context, double, line->n);
  thud_error error = numbers != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t kind = 0; kind < 3 && error == THUD_OK; kind++) {
    const thud_node *list = thud_node_find(normal, lists[kind]);
    for (size_t k = 0; list != NULL && k < thud_node_count(list) && error == THUD_OK; k++) {
      const thud_node *item = thud_node_item(list, k);
      error = kind == 2 ? read_family(line, item, numbers) : read_listed(line, item, kind == 1, numbers);
    }
  }
  thud_free(line->scene.context, numbers);
  if (error == THUD_OK) join_atoms(line);
  return error;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static double largest_row(size_t n, const double *A) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(A[i * n + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

/* Row sums of the matrices; those of M^-1 column by column (it is symmetric). */
static thud_error measure(verify_line *line, const thud_node *mass) {
  size_t n = line->n;
  thud_context *context = line->scene.context;
  double *root = THUD_NEW_ARRAY(context, double, n *n), *column = THUD_NEW_ARRAY(context, double, n);
  thud_error error = root != NULL && column != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    memcpy(root, line->mass, n * n * sizeof *root);
    if (!verify_cholesky(n, root)) error = thud_node_fail(mass, THUD_ERROR_NOT_SPD, "not positive definite");
  }
  for (size_t j = 0; j < n && error == THUD_OK; j++) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) column[i] = i == j;
    verify_cholesky_solve(n, root, column);
    for (size_t i = 0; i < n; i++) sum += fabs(column[i]);
    line->inverse_norm = fmax(line->inverse_norm, sum);
  }
  line->stiffness_norm = largest_row(n, line->stiffness);
  line->viscosity_norm = largest_row(n, line->viscosity);
  thud_free(context, root);
  thud_free(context, column);
  return error;
}

static thud_error read_simulate(verify_line *line, const thud_node *root) {
  const thud_node *simulate, *method;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = verify_read_span(&line->scene, simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_string(method, &line->scene.method);
  if (error != THUD_OK) return error;
  line->implicit = strcmp(line->scene.method, "implicit") == 0;
  return line->implicit ? verify_read_steps(&line->scene, simulate) : THUD_OK;
}

/* Named expressions join the scope before anything is read that may use them. */
static thud_error read_definitions(verify_line *line, const thud_node *definitions) {
  thud_error error = definitions != NULL ? thud_node_expect(definitions, THUD_NODE_MAP) : THUD_OK;
  for (size_t k = 0; error == THUD_OK && definitions != NULL && k < thud_node_count(definitions); k++) {
    const thud_node *item = thud_node_item(definitions, k);
    bool text = thud_node_get_kind(item) == THUD_NODE_STRING;
    char number[40] = "";
    double value = 0;
    if (!text) error = thud_node_read_number(item, &value);
    if (error != THUD_OK) break;
    snprintf(number, sizeof number, "%.17g", value);
    const char *source = text ? thud_node_string(item) : number;
    error = thud_expr_scope_add_expression(line->scene.scope, thud_node_key(definitions, k), source);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(item, error);
  }
  return error;
}

static thud_error read_model(verify_line *line, const thud_node *root) {
  const thud_node *model, *friction, *normal;
  thud_error error = thud_node_require(root, "particles_on_line", &model);
  if (error == THUD_OK) error = verify_read_data(&line->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_definitions(line, thud_node_find(root, "definitions"));
  if (error != THUD_OK) return error;
  const thud_node *mass = thud_node_find(model, "masses");
  if (mass == NULL) error = thud_node_require(model, "mass", &mass);
  if (error == THUD_OK) error = read_names(line, model, mass);
  if (error == THUD_OK) error = read_matrix(line, mass, &line->mass);
  if (error == THUD_OK) error = read_matrix(line, thud_node_find(model, "stiffness"), &line->stiffness);
  if (error == THUD_OK) error = read_matrix(line, thud_node_find(model, "viscosity"), &line->viscosity);
  if (error == THUD_OK) error = measure(line, mass);
  if (error != THUD_OK) return error;
  thud_context *context = line->scene.context;
  line->friction = THUD_NEW_ARRAY(context, double, line->n);
  line->q0 = THUD_NEW_ARRAY(context, double, line->n);
  line->v0 = THUD_NEW_ARRAY(context, double, line->n);
  if (line->friction == NULL || line->q0 == NULL || line->v0 == NULL) return THUD_ERROR_MEMORY;
  error = thud_node_require(model, "friction", &friction);
  if (error == THUD_OK) error = read_numbers(line, friction, line->friction);
  if (error == THUD_OK) error = thud_node_require(model, "normal", &normal);
  if (error == THUD_OK) error = read_functions(line, thud_node_find(normal, "density"), &line->density);
  if (error == THUD_OK) error = read_functions(line, thud_node_find(model, "force"), &line->force);
  if (error == THUD_OK) error = read_functions(line, thud_node_find(model, "transport"), &line->transport);
  if (error == THUD_OK) error = read_start(line, root);
  return error == THUD_OK ? read_atoms(line, normal) : error;
}

thud_error verify_line_create(thud_context *context, const thud_tree *tree, verify_line **line) {
  verify_line *made = THUD_NEW(context, verify_line);
  if (made == NULL) return THUD_ERROR_MEMORY;
  const thud_node *root = thud_tree_root(tree);
  made->scene.context = context;
  thud_error error = verify_scene_open(&made->scene, root);
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = read_model(made, root);
  if (error != THUD_OK) {
    verify_line_destroy(made);
    return error;
  }
  *line = made;
  return THUD_OK;
}

void verify_line_destroy(verify_line *line) {
  if (line == NULL) return;
  thud_context *context = line->scene.context;
  verify_value *const lists[] = {line->density, line->force, line->transport};
  for (size_t k = 0; k < 3; k++) {
    for (size_t i = 0; lists[k] != NULL && i < line->n; i++) thud_expr_destroy(lists[k][i].expr);
    thud_free(context, lists[k]);
  }
  for (size_t k = 0; k < line->atom_count; k++) thud_free(context, line->atoms[k].bound);
  double *const arrays[] = {line->mass, line->stiffness, line->viscosity, line->friction, line->q0, line->v0};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, line->atoms);
  thud_free(context, line->default_names);
  verify_scene_free(&line->scene);
  thud_free(context, line);
}

bool verify_is_line(const thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree);
  return thud_node_get_kind(root) == THUD_NODE_MAP && thud_node_find(root, "particles_on_line") != NULL;
}
