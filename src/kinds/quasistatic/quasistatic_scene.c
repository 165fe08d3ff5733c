#include "kinds/quasistatic/quasistatic_scene.h"
#include "run/beside.h"
#include "contact/owned.h"
#include "problem/file.h"
#include "problem/matrix_market.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const thud_quasistatic_method_names[] = {"increments", "event-driven", "static",
                                                     "threshold",  "fixed-point",  NULL};

const thud_option_table *thud_quasistatic_scene_option_table(void) {
  static const thud_option_key rows[] = {{"method", THUD_OPTION_CHOICE, 0, 0, 0, 0, false,
                                          thud_quasistatic_method_names, "",
                                          "how the structure follows its load (docs/quasistatic.md)"}};
  static const thud_option_table table = {.name = "quasi-static scene", .keys = rows, .count = 1};
  return &table;
}

enum { MOST_CONTACTS = 100000 };

static const thud_option_key contact_rows[] = {
    {"gap", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "m", "at U = 0"},
    {"mu", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, false, NULL, "1", "coefficient of friction, with `tangential`"},
    {"threshold", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, false, NULL, "N",
     "of the method threshold: bound of the friction force, of t"}};
static THUD_SCENE_TABLE(contact_table, "contacts", contact_rows)

    static const thud_option_key section_rows[] = {
        {"period", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "s",
         "of a cyclic load, a whole number of steps: the run says what the cycles tend to"},
        {"continuum", THUD_OPTION_BOOL, 0, 0, 0, 1, false, NULL, "",
         "the stiffness is that of a discretised continuum"},
        {"rate", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, true, NULL, "1",
         "of the loading of the dynamics that `thud study --rates` compares with; 1 without it"}};
static THUD_SCENE_TABLE(section_table, "quasistatic", section_rows)

    const thud_kind_keys thud_quasistatic_keys[] = {{.place = "quasistatic", .table = section_table},
                                                    {.place = "quasistatic.contacts[]", .table = contact_table},
                                                    {.place = "simulate", .table = thud_quasistatic_scene_option_table},
                                                    {.place = "simulate", .table = thud_quasistatic_option_table},
                                                    {.place = NULL}};

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

/* The text of the file comes into the resolved scene. The context of a tree is not to be had from it: one of its own. */
static thud_error resolve_stiffness(thud_tree *tree, const thud_node *stiffness) {
  const thud_node *named = thud_resolve_find(stiffness, "file");
  if (named == NULL || thud_resolve_find(stiffness, "matrix_market") != NULL) return THUD_OK;
  thud_context *context = NULL;
  char *text = NULL;
  size_t length;
  thud_error error = thud_context_create(NULL, &context);
  if (error != THUD_OK) return error;
  error = thud_run_read_beside(tree, named, context, &text, &length);
  if (error == THUD_OK) error = thud_resolve_text(tree, stiffness, "matrix_market", text);
  thud_free(context, text);
  thud_context_destroy(context);
  return error;
}

static thud_error resolve_contact(thud_tree *tree, const thud_node *contact, size_t k) {
  char name[40];
  snprintf(name, sizeof name, "contact%zu", k + 1);
  thud_error error = thud_resolve_text(tree, contact, "name", name);
  return error == THUD_OK ? thud_resolve_options(tree, contact, contact_table(), NULL) : error;
}

thud_error thud_quasistatic_scene_take_files(thud_tree *tree) {
  const thud_node *section = thud_resolve_find(thud_tree_root(tree), "quasistatic");
  return resolve_stiffness(tree, thud_resolve_find(section, "stiffness"));
}

thud_error thud_quasistatic_scene_resolve(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *section = thud_node_find(root, "quasistatic");
  const thud_node *simulate = thud_node_find(root, "simulate"), *contacts = thud_resolve_find(section, "contacts");
  thud_error error = thud_resolve_options(tree, simulate, thud_quasistatic_scene_option_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, thud_quasistatic_option_table(), NULL);
  if (error == THUD_OK) error = thud_quasistatic_scene_take_files(tree);
  if (error == THUD_OK) error = thud_resolve_options(tree, section, section_table(), NULL);
  for (size_t k = 0; k < thud_resolve_count(contacts) && error == THUD_OK; k++)
    error = resolve_contact(tree, thud_node_item(contacts, k), k);
  return error == THUD_OK ? thud_resolve_units(tree, thud_resolve_find(section, "unknowns")) : error;
}

/* ---- stiffness --------------------------------------------------------------------------------------------------- */

static thud_error read_rows(quasistatic_scene *made, const thud_node *node) {
  size_t n, columns;
  thud_error error = thud_node_matrix_shape(node, &n, &columns);
  if (error == THUD_OK && n != columns)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                           "[wrong-count] the stiffness matrix is to be square, it is %zu x %zu", n, columns);
  double *K = error == THUD_OK ? thud_owned_problem_alloc(made->owned, n * n, sizeof *K) : NULL;
  if (error == THUD_OK && K == NULL) error = THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n && error == THUD_OK; i++)
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = thud_scene_read_constant(made->scene, thud_node_item(thud_node_item(node, i), j), &K[i + j * n]);
  made->problem.K =
      (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = (thud_index)n, .columns = (thud_index)n, .dense = K};
  return error;
}

/* Rows of a Matrix Market text: the first number of the first line that is no comment; 0: there is none. */
static thud_index market_rows(const char *text) {
  while (*text == '%' || *text == '\n' || *text == '\r') {
    text = strchr(text, '\n');
    if (text == NULL) return 0;
    text++;
  }
  long rows = strtol(text, NULL, 10);
  return rows > 0 && rows <= INT32_MAX ? (thud_index)rows : 0;
}

/* A size that the file cannot mean is refused before memory is taken for it. Every row has an entry (of 4 bytes at least)
 * or is one that contacts hold. */
static thud_error check_market_size(const thud_node *node, const char *text, thud_index n) {
  size_t most = strlen(text) / 4 + 3 * (size_t)MOST_CONTACTS;
  if (n == 0 && text[0] == '%')
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[out-of-range] the number of rows is to be a whole number from 1 to %d", INT32_MAX);
  if ((size_t)n <= most) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_SCHEMA,
                        "[wrong-count] the stiffness matrix has %d rows, but entries for %zu of them at most: a size "
                        "in the file is wrong",
                        (int)n, strlen(text) / 4);
}

static thud_error read_market(quasistatic_scene *made, const thud_node *node) {
  static const char *const keys[] = {"file", "matrix_market"};
  const thud_node *market, *file = thud_node_find(node, "file");
  const char *text, *name = "stiffness";
  thud_error error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK && file != NULL) error = thud_node_read_string(file, &name);
  if (error == THUD_OK) error = thud_node_require(node, "matrix_market", &market);
  if (error == THUD_OK) error = thud_node_read_string(market, &text);
  if (error != THUD_OK) return error;
  thud_index n = market_rows(text);
  error = check_market_size(node, text, n);
  if (error != THUD_OK) return error;
  error =
      thud_matrix_market_read_text(made->scene->context, name, text, strlen(text), n, n, made->owned, &made->problem.K);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static thud_error read_stiffness(quasistatic_scene *made, const thud_node *section) {
  const thud_node *node;
  thud_error error = thud_node_require_as(
      section, "stiffness", "the rows of a symmetric matrix, such as [[2, -1], [-1, 2]], or {file: stiffness.mtx}",
      &node);
  if (error == THUD_OK) error = thud_owned_problem_create(made->scene->context, &made->owned);
  if (error != THUD_OK) return error;
  return thud_node_get_kind(node) == THUD_NODE_MAP ? read_market(made, node) : read_rows(made, node);
}

/* ---- unknowns ---------------------------------------------------------------------------------------------------- */

static thud_error read_unknowns(quasistatic_scene *made, const thud_node *section) {
  thud_scene *scene = made->scene;
  const thud_node *names = thud_node_find(section, "unknowns");
  thud_index n = made->problem.K.rows;
  thud_error error = names != NULL ? thud_scene_read_names(scene, names) : thud_scene_make_names(scene, n);
  if (error == THUD_OK && scene->dimension != n)
    error = thud_node_fail(names, THUD_ERROR_SCHEMA,
                           "[wrong-count] the stiffness matrix has %d rows, %d unknowns are named", (int)n,
                           (int)scene->dimension);
  made->names = thud_names_new(scene->context, NULL);
  for (thud_index i = 0; i < n && error == THUD_OK; i++)
    error = thud_names_add(&made->names, scene->coordinates[i], strlen(scene->coordinates[i]), (size_t)i, NULL);
  made->problem.unknowns = n;
  made->problem.unknown_names = (const char *const *)scene->coordinates;
  return error;
}

static thud_error find_unknown(const quasistatic_scene *made, const thud_node *node, const char *name,
                               thud_index *unknown) {
  size_t there = thud_names_find(&made->names, name, strlen(name));
  if (there == THUD_NAMES_NONE)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[unknown-name] '%s' is none of the %d unknowns", name,
                          (int)made->problem.unknowns);
  *unknown = (thud_index)there;
  return THUD_OK;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

typedef struct triplets {
  thud_index *row, *column;
  double *value;
  size_t count, capacity_row, capacity_column, capacity_value;
} triplets;

static thud_error add_entry(const quasistatic_scene *made, triplets *list, thud_index row, thud_index column,
                            double value) {
  thud_context *context = made->scene->context;
  size_t more = list->count + 1;
  thud_error error = thud_array_reserve(context, &list->row, &list->capacity_row, more, sizeof *list->row);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &list->column, &list->capacity_column, more, sizeof *list->column);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &list->value, &list->capacity_value, more, sizeof *list->value);
  if (error != THUD_OK) return error;
  list->row[list->count] = row, list->column[list->count] = column, list->value[list->count++] = value;
  return THUD_OK;
}

/* x, -x, or {x: 0.6, y: 0.8}: a row of H'. */
static thud_error read_row(quasistatic_scene *made, const thud_node *node, thud_index column, triplets *list) {
  thud_index unknown = 0;
  if (thud_node_get_kind(node) == THUD_NODE_STRING) {
    const char *name = thud_node_string(node);
    bool minus = name[0] == '-';
    thud_error error = find_unknown(made, node, name + minus, &unknown);
    return error == THUD_OK ? add_entry(made, list, unknown, column, minus ? -1 : 1) : error;
  }
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  bool any = false;
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++) {
    double value = 0;
    error = find_unknown(made, thud_node_item(node, k), thud_node_key(node, k), &unknown);
    if (error == THUD_OK) error = thud_scene_read_constant(made->scene, thud_node_item(node, k), &value);
    if (error == THUD_OK) error = add_entry(made, list, unknown, column, value);
    any = any || value != 0;
  }
  if (error == THUD_OK && !any)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] this row is zero: no unknown moves it");
  return error;
}

static bool is_one_row(const thud_node *tangential) { return thud_node_get_kind(tangential) != THUD_NODE_SEQUENCE; }

static thud_error read_tangents(quasistatic_scene *made, const thud_node *contact, thud_index first, triplets *list) {
  const thud_node *node = thud_node_find(contact, "tangential");
  thud_index d = made->problem.dimension;
  size_t count = node == NULL ? 0 : is_one_row(node) ? 1 : thud_node_count(node);
  if ((thud_index)count != d - 1)
    return thud_node_fail(
        node != NULL ? node : contact, THUD_ERROR_SCHEMA,
        "[wrong-count] all contacts have the same number of tangential rows: %d as the first one, not %zu", (int)d - 1,
        count);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_row(made, is_one_row(node) ? node : thud_node_item(node, k), first + 1 + (thud_index)k, list);
  return error;
}

static thud_error read_friction(quasistatic_scene *made, const thud_node *contact, thud_index i) {
  const thud_node *mu = thud_node_find(contact, "mu"), *threshold = thud_node_find(contact, "threshold");
  bool bounded = made->method == THUD_QUASISTATIC_THRESHOLD;
  scene_value value = {0};
  if (made->problem.dimension == 1) {
    const thud_node *given = mu != NULL ? mu : threshold;
    return given == NULL ? THUD_OK
                         : thud_node_fail(given, THUD_ERROR_SCHEMA, "[missing-key] friction needs 'tangential' rows");
  }
  if (!bounded && mu == NULL)
    return thud_node_fail(contact, THUD_ERROR_SCHEMA,
                          "[missing-key] the key 'mu' is missing; add 'mu: ...', the coefficient of friction");
  if (bounded != (threshold != NULL))
    return thud_node_fail(contact, THUD_ERROR_SCHEMA,
                          bounded
                              ? "[missing-key] the method threshold needs 'threshold', a bound of the friction force"
                              : "[misplaced-key] 'threshold' belongs to the method threshold");
  thud_error error = mu != NULL ? thud_scene_read_constant(made->scene, mu, &made->mu[i]) : THUD_OK;
  if (error == THUD_OK && !(made->mu[i] >= 0))
    error = thud_node_fail(mu, THUD_ERROR_SCHEMA, "[out-of-range] mu must be 0 or greater, not %g", made->mu[i]);
  if (error != THUD_OK || !bounded) return error;
  error = thud_scene_read_value(made->scene, threshold, &value);
  if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->thresholds, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

static thud_error read_contact(quasistatic_scene *made, const thud_node *contact, thud_index i, triplets *list,
                               thud_names *taken) {
  static const char *const keys[] = {"name", "normal", "tangential"};
  const thud_node *node;
  const char *name;
  size_t there;
  thud_index first = i * made->problem.dimension;
  thud_error error =
      thud_scene_check_keys(made->scene, contact, sizeof keys / sizeof *keys, keys, THUD_TABLES(contact_table()));
  if (error == THUD_OK) error = thud_node_require_as(contact, "name", "a word that reports show", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  if (name[0] == '\0' || strlen(name) >= THUD_RECORD_NAME_LENGTH - 4)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-name] '%s' cannot name a contact", name);
  made->contact_names[i] = thud_strdup(made->scene->context, name);
  if (made->contact_names[i] == NULL) return THUD_ERROR_MEMORY;
  error = thud_names_add(taken, made->contact_names[i], strlen(name), (size_t)i, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[duplicate-name] two contacts are called '%s'", name);
  if (error == THUD_OK)
    error = thud_node_require_as(contact, "normal",
                                 "the unknown that opens the contact, such as y, or a row such as {y: 1}", &node);
  if (error == THUD_OK) error = read_row(made, node, first, list);
  if (error == THUD_OK) error = read_tangents(made, contact, first, list);
  if (error == THUD_OK) error = thud_node_require(contact, "gap", &node);
  if (error == THUD_OK) error = thud_scene_read_constant(made->scene, node, &made->gap[i]);
  return error == THUD_OK ? read_friction(made, contact, i) : error;
}

static thud_error read_contacts(quasistatic_scene *made, const thud_node *section) {
  thud_context *context = made->scene->context;
  const thud_node *contacts;
  triplets list = {0};
  thud_error error = thud_node_require_as(
      section, "contacts", "a list of contacts, such as [{name: foot, normal: y, tangential: x, mu: 0.5}]", &contacts);
  if (error == THUD_OK) error = thud_node_expect(contacts, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(contacts);
  if (count == 0 || count > MOST_CONTACTS)
    return thud_node_fail(contacts, THUD_ERROR_SCHEMA, "[wrong-count] from 1 to %d contacts are needed, found %zu",
                          MOST_CONTACTS, count);
  const thud_node *tangential = thud_node_find(thud_node_item(contacts, 0), "tangential");
  size_t tangents = tangential == NULL ? 0 : is_one_row(tangential) ? 1 : thud_node_count(tangential);
  if (tangents > 2)
    return thud_node_fail(tangential, THUD_ERROR_SCHEMA, "[wrong-count] a contact has 1 or 2 tangential rows");
  made->problem.contacts = (thud_index)count;
  made->problem.dimension = (thud_index)tangents + 1;
  made->gap = THUD_NEW_ARRAY(context, double, count);
  made->mu = THUD_NEW_ARRAY(context, double, count);
  made->contact_names = THUD_NEW_ARRAY(context, char *, count);
  if (made->gap == NULL || made->mu == NULL || made->contact_names == NULL) return THUD_ERROR_MEMORY;
  thud_names taken = thud_names_new(context, NULL);
  for (size_t i = 0; i < count && error == THUD_OK; i++)
    error = read_contact(made, thud_node_item(contacts, i), (thud_index)i, &list, &taken);
  thud_names_free(&taken);
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(context, made->problem.unknowns, made->problem.contacts * made->problem.dimension,
                                      list.count, list.row, list.column, list.value, &made->H);
  thud_free(context, list.row);
  thud_free(context, list.column);
  thud_free(context, list.value);
  made->problem.H = made->H;
  made->problem.gap = made->gap;
  made->problem.mu = tangents > 0 ? made->mu : NULL;
  made->problem.contact_names = (const char *const *)made->contact_names;
  return error;
}

/* ---- loads ------------------------------------------------------------------------------------------------------- */

static int evaluate_load(void *user, double t, thud_side side, double *F) {
  const quasistatic_scene *made = user;
  memset(F, 0, (size_t)made->problem.unknowns * sizeof *F);
  for (size_t k = 0; k < made->loads.count; k++)
    F[made->loaded[k]] = thud_scene_value_at(made->scene, &made->loads.items[k], t, side);
  return 0;
}

static int evaluate_threshold(void *user, double t, thud_side side, double *bound) {
  const quasistatic_scene *made = user;
  for (size_t k = 0; k < made->thresholds.count; k++)
    bound[k] = thud_scene_value_at(made->scene, &made->thresholds.items[k], t, side);
  return 0;
}

/* Where a load turns between its jumps there is a node: steps that go past a pulse would not see it. */
static thud_error add_turns_of(quasistatic_scene *made, const thud_expr *expr, double from, double to,
                               scene_times *turns) {
  double *found = NULL;
  size_t count = 0;
  bool complete;
  thud_scene *scene = made->scene;
  thud_error error = thud_expr_turning_times(scene->context, expr, thud_scene_data_piece, &scene->start,
                                             scene->time_slot, from, to, &found, &count, &complete);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = thud_scene_times_add(scene, turns, found[k]);
  thud_expr_free_times(scene->context, found);
  made->not_enclosed = made->not_enclosed || !complete;
  return error;
}

/* Turns that are this part of a step from another node are that. */
static const double SAME_NODE = 1e-9;

static thud_error add_turns(quasistatic_scene *made) {
  thud_scene *scene = made->scene;
  scene_times turns = {0};
  thud_error error = THUD_OK;
  double apart = SAME_NODE * (scene->end - scene->start) / scene->steps;
  size_t jumps = made->jumps.count;
  for (size_t k = 0; k < made->loads.count && error == THUD_OK; k++)
    for (size_t j = 0; j <= jumps && made->loads.items[k].expr != NULL && error == THUD_OK; j++) {
      double from = j > 0 ? made->jumps.items[j - 1] : scene->start, to = j < jumps ? made->jumps.items[j] : scene->end;
      error = add_turns_of(made, made->loads.items[k].expr, from, to, &turns);
    }
  for (size_t k = 0; k < turns.count && error == THUD_OK; k++) {
    bool near = turns.items[k] - scene->start <= apart || scene->end - turns.items[k] <= apart;
    for (size_t j = 0; j < made->jumps.count && !near; j++) near = fabs(turns.items[k] - made->jumps.items[j]) <= apart;
    if (!near) error = thud_scene_times_add(scene, &made->jumps, turns.items[k]);
  }
  thud_scene_times_sort(&made->jumps);
  thud_free(scene->context, turns.items);
  return error;
}

static thud_error read_loads(quasistatic_scene *made, const thud_node *section) {
  const thud_node *load;
  thud_error error =
      thud_node_require_as(section, "load", "a map from unknowns to forces, such as {x: 0.5*t, y: -1}", &load);
  if (error == THUD_OK) error = thud_node_expect(load, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(load);
  made->loaded = THUD_NEW_ARRAY(made->scene->context, thud_index, count);
  if (made->loaded == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    scene_value value = {0};
    error = find_unknown(made, thud_node_item(load, k), thud_node_key(load, k), &made->loaded[k]);
    if (error == THUD_OK) error = thud_scene_read_value(made->scene, thud_node_item(load, k), &value);
    if (error == THUD_OK) error = thud_scene_values_add(made->scene, &made->loads, value);
    if (error != THUD_OK) thud_scene_value_free(&value);
  }
  if (error == THUD_OK) error = thud_scene_values_common_jumps(made->scene, &made->loads, &made->jumps);
  if (error == THUD_OK) error = add_turns(made);
  if (error != THUD_OK) return error;
  made->load = (thud_regulated){.dimension = made->problem.unknowns,
                                .evaluate = evaluate_load,
                                .user = made,
                                .jump_count = made->jumps.count,
                                .jumps = made->jumps.items};
  made->threshold = (thud_regulated){.dimension = made->problem.contacts, .evaluate = evaluate_threshold, .user = made};
  made->problem.load = &made->load;
  made->problem.threshold = made->method == THUD_QUASISTATIC_THRESHOLD ? &made->threshold : NULL;
  return THUD_OK;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static thud_error read_initial(quasistatic_scene *made, const thud_node *root) {
  const thud_node *initial = thud_node_find(root, "initial");
  if (initial == NULL) return THUD_OK;
  thud_error error = thud_node_expect(initial, THUD_NODE_MAP);
  made->initial = THUD_NEW_ARRAY(made->scene->context, double, made->problem.unknowns);
  if (made->initial == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(initial); k++) {
    thud_index unknown = 0;
    error = find_unknown(made, thud_node_item(initial, k), thud_node_key(initial, k), &unknown);
    if (error == THUD_OK)
      error = thud_scene_read_constant(made->scene, thud_node_item(initial, k), &made->initial[unknown]);
  }
  made->problem.initial = made->initial;
  return error;
}

static thud_error read_option(quasistatic_scene *made, const thud_node *simulate, const thud_option_table *table,
                              const thud_option_key *key) {
  const thud_node *node;
  double value = 0;
  int choice = 0;
  thud_error error = thud_node_require(simulate, key->name, &node);
  if (error != THUD_OK) return error;
  if (key->type == THUD_OPTION_CHOICE) {
    error = thud_node_read_choice(node, key->choices, &choice);
    value = choice;
  } else {
    error = thud_scene_read_constant(made->scene, node, &value);
  }
  if (error != THUD_OK) return error;
  error = thud_options_set_number(made->scene->context, table, &made->options, key->name, value);
  return error == THUD_OK ? error : thud_node_fail_within(node, THUD_ERROR_SCHEMA);
}

static thud_error read_simulate(quasistatic_scene *made, const thud_node *root) {
  const thud_option_table *table = thud_quasistatic_option_table();
  const thud_node *simulate, *node;
  int method = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, thud_quasistatic_method_names, &method);
  if (error == THUD_OK) error = thud_scene_read_steps(made->scene, simulate);
  made->method = (thud_quasistatic_method)method;
  made->options = thud_quasistatic_options_default();
  for (size_t k = 0; k < table->count && error == THUD_OK; k++)
    error = read_option(made, simulate, table, &table->keys[k]);
  return error;
}

static thud_error read_cycle(quasistatic_scene *made, const thud_node *section) {
  const thud_node *period = thud_node_find(section, "period"), *continuum;
  thud_error error = thud_node_require(section, "continuum", &continuum);
  if (error == THUD_OK) error = thud_node_read_bool(continuum, &made->continuum);
  if (error != THUD_OK || period == NULL) return error;
  error = thud_scene_read_constant(made->scene, period, &made->period);
  if (error != THUD_OK) return error;
  double whole = made->scene->steps * made->period / (made->scene->end - made->scene->start);
  if (!(made->period > 0))
    return thud_node_fail(period, THUD_ERROR_SCHEMA, "[out-of-range] the period must be greater than 0, not %g",
                          made->period);
  if (fabs(whole - round(whole)) > 1e-9 * whole || whole < 1)
    return thud_node_fail(period, THUD_ERROR_SCHEMA,
                          "[out-of-range] a period is to be a whole number of steps, not %.6g of them", whole);
  return THUD_OK;
}

/* A positive number; fallback without the node. */
static thud_error read_positive(quasistatic_scene *made, const thud_node *node, double fallback, double *value) {
  *value = fallback;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_scene_read_constant(made->scene, node, value);
  if (error == THUD_OK && !(*value > 0 && isfinite(*value)))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] a number greater than 0 is needed, not %g", *value);
  return error;
}

/* `mass` and `rate` of the dynamics whose limit this motion is: one mass for all unknowns, or one for each. */
static thud_error read_inertia(quasistatic_scene *made, const thud_node *section) {
  const thud_node *mass = thud_node_find(section, "mass");
  size_t n = (size_t)made->problem.unknowns;
  thud_error error = read_positive(made, thud_node_find(section, "rate"), 1, &made->rate);
  if (error != THUD_OK || mass == NULL) return error;
  bool list = thud_node_get_kind(mass) == THUD_NODE_SEQUENCE;
  if (list && thud_node_count(mass) != n)
    return thud_node_fail(mass, THUD_ERROR_SCHEMA,
                          "[wrong-count] one mass for all unknowns or one for each of the %zu, not %zu", n,
                          thud_node_count(mass));
  made->mass = THUD_NEW_ARRAY(made->scene->context, double, n);
  if (made->mass == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n && error == THUD_OK; i++)
    error = read_positive(made, list ? thud_node_item(mass, i) : mass, 1, &made->mass[i]);
  return error;
}

thud_error thud_quasistatic_scene_build(thud_scene *scene, const thud_node *root, quasistatic_scene *made) {
  static const char *const keys[] = {"unknowns", "stiffness", "load", "contacts", "mass"};
  const thud_node *section;
  *made = (quasistatic_scene){.scene = scene};
  thud_error error = thud_node_require(root, "quasistatic", &section);
  if (error == THUD_OK)
    error = thud_scene_check_keys(scene, section, sizeof keys / sizeof *keys, keys, THUD_TABLES(section_table()));
  if (error == THUD_OK) error = read_simulate(made, root);
  if (error == THUD_OK) error = read_stiffness(made, section);
  if (error == THUD_OK) error = read_unknowns(made, section);
  if (error == THUD_OK)
    error = thud_node_find(section, "unknowns") != NULL ? thud_scene_build_units(scene, root) : THUD_OK;
  if (error == THUD_OK) error = read_contacts(made, section);
  if (error == THUD_OK) error = read_loads(made, section);
  if (error == THUD_OK) error = read_cycle(made, section);
  if (error == THUD_OK) error = read_inertia(made, section);
  return error == THUD_OK ? read_initial(made, root) : error;
}

void thud_quasistatic_scene_free(quasistatic_scene *made) {
  if (made->scene == NULL) return;
  thud_context *context = made->scene->context;
  thud_owned_problem_destroy(made->owned);
  thud_sparse_destroy(context, &made->H);
  thud_names_free(&made->names);
  for (thud_index i = 0; made->contact_names != NULL && i < made->problem.contacts; i++)
    thud_free(context, made->contact_names[i]);
  thud_free(context, made->contact_names);
  thud_free(context, made->gap);
  thud_free(context, made->mu);
  thud_free(context, made->initial);
  thud_free(context, made->mass);
  thud_free(context, made->loaded);
  thud_scene_values_free(made->scene, &made->loads);
  thud_scene_values_free(made->scene, &made->thresholds);
  thud_free(context, made->jumps.items);
}
