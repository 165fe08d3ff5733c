/* The checker's reading of a `quasistatic` scene, with matrices as rows of entries or as Matrix Market texts. */
#include "base/json.h"
#include "base/names.h"
#include "verify/math/verify_dense.h"
#include "verify/quasistatic/verify_quasistatic.h"
#include "verify/verify_record.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

static thud_error entries_add(thud_context *context, verify_entries *entries, size_t row, size_t column, double value) {
  thud_error error =
      thud_array_reserve(context, &entries->items, &entries->capacity, entries->count + 1, sizeof *entries->items);
  if (error == THUD_OK) entries->items[entries->count++] = (verify_entry){.row = row, .column = column, .value = value};
  return error;
}

static thud_error rows_create(thud_context *context, size_t count, const verify_entries *entries, verify_rows *rows) {
  *rows = (verify_rows){.count = count};
  rows->starts = THUD_NEW_ARRAY(context, size_t, count + 2);
  rows->entries = THUD_NEW_ARRAY(context, verify_entry, entries->count);
  if (rows->starts == NULL || rows->entries == NULL) return THUD_ERROR_MEMORY;
  /* starts[i + 2] counts row i, then starts[i + 1] runs through its places. */
  for (size_t k = 0; k < entries->count; k++) rows->starts[entries->items[k].row + 2]++;
  for (size_t i = 2; i < count + 2; i++) rows->starts[i] += rows->starts[i - 1];
  for (size_t k = 0; k < entries->count; k++)
    rows->entries[rows->starts[entries->items[k].row + 1]++] = entries->items[k];
  return THUD_OK;
}

static void rows_free(thud_context *context, verify_rows *rows) {
  thud_free(context, rows->starts);
  thud_free(context, rows->entries);
}

double thud_verify_row_dot(const verify_rows *rows, size_t i, const double *x) {
  double sum = 0;
  for (size_t k = rows->starts[i]; k < rows->starts[i + 1]; k++)
    sum += rows->entries[k].value * x[rows->entries[k].column];
  return sum;
}

double thud_verify_row_size(const verify_rows *rows, size_t i, const double *x) {
  double sum = 0;
  for (size_t k = rows->starts[i]; k < rows->starts[i + 1]; k++)
    sum += fabs(rows->entries[k].value * x[rows->entries[k].column]);
  return sum;
}

/* ---- Matrix Market ------------------------------------------------------------------------------------------------- */

typedef struct market {
  thud_context *context;
  const char *next;
  bool coordinates, symmetric;
} market;

static thud_error refuse(const market *m, const char *what) {
  return thud_fail(m->context, THUD_ERROR_FORMAT, "Matrix Market: %s", what);
}

/* The next word of the first line, in small letters. */
static void next_word(market *m, char *word, size_t capacity) {
  size_t length = 0;
  while (*m->next == ' ' || *m->next == '\t') m->next++;
  for (; *m->next != '\0' && !isspace((unsigned char)*m->next); m->next++)
    if (length + 1 < capacity) word[length++] = (char)tolower((unsigned char)*m->next);
  word[length] = '\0';
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static thud_error read_header(market *m) {
  char word[20];
  next_word(m, word, sizeof word);
  if (strcmp(word, "%%matrixmarket") != 0) return refuse(m, "the first line is not %%MatrixMarket");
  next_word(m, word, sizeof word);
  if (strcmp(word, "matrix") != 0) return refuse(m, "no matrix");
  next_word(m, word, sizeof word);
  if (!is_one_of(word, "coordinate", "array", "array")) return refuse(m, "neither coordinate nor array");
  m->coordinates = strcmp(word, "coordinate") == 0;
  next_word(m, word, sizeof word);
  if (!is_one_of(word, "real", "double", "integer")) return refuse(m, "the entries are not real");
  next_word(m, word, sizeof word);
  if (!is_one_of(word, "general", "symmetric", "symmetric")) return refuse(m, "neither general nor symmetric");
  m->symmetric = strcmp(word, "symmetric") == 0;
  while (*m->next != '\0' && *m->next != '\n') m->next++;
  return THUD_OK;
}

/* The next number; lines that begin with % are comments. */
static bool next_number(market *m, double *value) {
  char *end;
  for (;;) {
    while (isspace((unsigned char)*m->next)) m->next++;
    if (*m->next != '%') break;
    while (*m->next != '\0' && *m->next != '\n') m->next++;
  }
  *value = strtod(m->next, &end);
  bool found = end != m->next;
  m->next = end;
  return found;
}

static bool next_index(market *m, double below, size_t *index) {
  double value;
  if (!next_number(m, &value) || !(value >= 1 && value <= below) || value != floor(value)) return false;
  *index = (size_t)value - 1;
  return true;
}

static thud_error add(market *m, verify_entries *entries, size_t i, size_t j, double value) {
  if (!isfinite(value)) return refuse(m, "an entry is not finite");
  thud_error error = entries_add(m->context, entries, i, j, value);
  if (error == THUD_OK && m->symmetric && i != j) error = entries_add(m->context, entries, j, i, value);
  return error;
}

static thud_error read_entries(market *m, size_t n, double count, verify_entries *entries) {
  thud_error error = THUD_OK;
  for (double k = 0; m->coordinates && k < count && error == THUD_OK; k++) {
    size_t i, j;
    double value;
    if (!next_index(m, (double)n, &i) || !next_index(m, (double)n, &j) || !next_number(m, &value))
      return refuse(m, "an entry is missing or outside");
    error = add(m, entries, i, j, value);
  }
  for (size_t j = 0; !m->coordinates && j < n; j++)
    for (size_t i = m->symmetric ? j : 0; i < n && error == THUD_OK; i++) {
      double value;
      if (!next_number(m, &value)) return refuse(m, "an entry is missing");
      error = add(m, entries, i, j, value);
    }
  return error;
}

static int compare_entries(const void *one, const void *other) {
  const verify_entry *a = one, *b = other;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

/* No entry is there twice, as itself or from the other triangle. */
static thud_error check_repeats(const market *m, verify_entries *entries) {
  if (entries->count > 0) qsort(entries->items, entries->count, sizeof *entries->items, compare_entries);
  for (size_t k = 1; k < entries->count; k++)
    if (compare_entries(&entries->items[k - 1], &entries->items[k]) == 0) return refuse(m, "an entry is there twice");
  return THUD_OK;
}

/* A Matrix Market text of a real square matrix, all of it (symmetric ones are written as their lower half); *n: rows. */
static thud_error market_read(thud_context *context, const char *text, size_t *n, verify_entries *entries) {
  market m = {.context = context, .next = text};
  double rows = 0, columns = 0, count = 0;
  thud_error error = read_header(&m);
  if (error != THUD_OK) return error;
  bool sized = next_number(&m, &rows) && next_number(&m, &columns) && (!m.coordinates || next_number(&m, &count));
  if (!sized || !(rows >= 1 && rows <= 1e9) || rows != columns || rows != floor(rows))
    return refuse(&m, "the size is not that of a square matrix");
  *n = (size_t)rows;
  error = read_entries(&m, *n, count, entries);
  return error == THUD_OK ? check_repeats(&m, entries) : error;
}

/* ---- the checker's reading of a `quasistatic` scene -------------------------------------------------------------- */

/* Nodes closer than this part of a step are one node written with different rounding. */
static const double SAME_NODE = 1e-9;
/* Rows of the largest K whose condition is looked at, and what is taken for the error of larger or singular ones. */
enum { DENSE_UP_TO = 300 };
static const double LARGE_ROUNDING = 1e-10;

typedef struct quasi_reader {
  verify_quasi *q;
  verify_scene *scene;
  thud_names names;
  verify_entries K, H, H_columns;
} quasi_reader;

/* ---- simulate ------------------------------------------------------------------------------------------------------ */

static thud_error read_simulate(quasi_reader *reader, const thud_node *root) {
  static const char *const methods[] = {"increments", "event-driven", "static", "threshold", "fixed-point", NULL};
  verify_scene *scene = reader->scene;
  const thud_node *simulate;
  int choice = 0; /* records name their method; a scene that trajectories are judged by need not */
  thud_error error = thud_node_require(root, "simulate", &simulate);
  const thud_node *method = error == THUD_OK ? thud_node_find(simulate, "method") : NULL;
  if (method != NULL) error = thud_node_read_choice(method, methods, &choice);
  if (error == THUD_OK) error = thud_verify_read_span(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "tolerance", &scene->tolerance);
  if (error == THUD_OK)
    error = thud_verify_read_optional(scene, simulate, "enumerate_up_to", &reader->q->enumerate_up_to);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, simulate, "coarse_above", &reader->q->coarse_above);
  if (error == THUD_OK)
    error = thud_verify_read_optional(scene, simulate, "error_tolerance", &reader->q->error_tolerance);
  if (error == THUD_OK) error = thud_verify_read_steps(scene, simulate);
  scene->method = methods[choice];
  reader->q->method = (verify_quasi_method)choice;
  return error;
}

/* ---- stiffness and unknowns ---------------------------------------------------------------------------------------- */

static thud_error read_dense(quasi_reader *reader, const thud_node *node) {
  size_t n = 0, columns = 0;
  thud_error error = thud_node_matrix_shape(node, &n, &columns);
  if (error == THUD_OK && (n == 0 || n != columns)) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "not square");
  for (size_t i = 0; i < n && error == THUD_OK; i++)
    for (size_t j = 0; j < n && error == THUD_OK; j++) {
      double value = 0;
      error = thud_verify_read_constant(reader->scene, thud_node_item(thud_node_item(node, i), j), &value);
      if (error == THUD_OK && value != 0) error = entries_add(reader->scene->context, &reader->K, i, j, value);
    }
  reader->q->n = n;
  return error;
}

static thud_error read_stiffness(quasi_reader *reader, const thud_node *section) {
  const thud_node *node, *file;
  const char *text;
  thud_context *context = reader->scene->context;
  thud_error error = thud_node_require(section, "stiffness", &node);
  if (error != THUD_OK) return error;
  if (thud_node_get_kind(node) != THUD_NODE_MAP) {
    error = read_dense(reader, node);
  } else {
    error = thud_node_require(node, "matrix_market", &file);
    if (error == THUD_OK) error = thud_node_read_string(file, &text);
    if (error == THUD_OK) error = market_read(context, text, &reader->q->n, &reader->K);
  }
  return error == THUD_OK ? rows_create(context, reader->q->n, &reader->K, &reader->q->K) : error;
}

/* Without names they are u1, u2, ... */
static thud_error make_names(verify_quasi *q) {
  verify_scene *scene = &q->scene;
  char name[32];
  scene->names = THUD_NEW_ARRAY(scene->context, const char *, q->n);
  q->made_names = THUD_NEW_ARRAY(scene->context, char *, q->n);
  if (scene->names == NULL || q->made_names == NULL) return THUD_ERROR_MEMORY;
  scene->n = q->n;
  for (size_t i = 0; i < q->n; i++) {
    snprintf(name, sizeof name, "u%zu", i + 1);
    scene->names[i] = q->made_names[i] = thud_strdup(scene->context, name);
    if (q->made_names[i] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_error read_unknowns(quasi_reader *reader, const thud_node *section) {
  const thud_node *names = thud_node_find(section, "unknowns");
  verify_scene *scene = reader->scene;
  thud_error error = names != NULL ? thud_verify_read_names(scene, names) : make_names(reader->q);
  if (error == THUD_OK && scene->n != reader->q->n)
    error = thud_node_fail(names, THUD_ERROR_SCHEMA, "the stiffness matrix has %zu rows", reader->q->n);
  for (size_t i = 0; error == THUD_OK && i < scene->n; i++)
    error = thud_names_add(&reader->names, scene->names[i], strlen(scene->names[i]), i, NULL);
  return error;
}

static thud_error find_unknown(const quasi_reader *reader, const thud_node *node, const char *name, size_t *unknown) {
  *unknown = thud_names_find(&reader->names, name, strlen(name));
  if (*unknown != THUD_NAMES_NONE) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' is no unknown", name);
}

/* ---- contacts ------------------------------------------------------------------------------------------------------ */

static thud_error add_direction(quasi_reader *reader, size_t row, size_t unknown, double value) {
  thud_context *context = reader->scene->context;
  thud_error error = entries_add(context, &reader->H, row, unknown, value);
  return error == THUD_OK ? entries_add(context, &reader->H_columns, unknown, row, value) : error;
}

/* x, -x, or {x: 0.6, y: 0.8} */
static thud_error read_direction(quasi_reader *reader, const thud_node *node, size_t row) {
  size_t unknown;
  if (thud_node_get_kind(node) == THUD_NODE_STRING) {
    const char *name = thud_node_string(node);
    double sign = name[0] == '-' ? -1 : 1;
    thud_error error = find_unknown(reader, node, name + (sign < 0), &unknown);
    return error == THUD_OK ? add_direction(reader, row, unknown, sign) : error;
  }
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++) {
    double value = 0;
    error = find_unknown(reader, thud_node_item(node, k), thud_node_key(node, k), &unknown);
    if (error == THUD_OK) error = thud_verify_read_constant(reader->scene, thud_node_item(node, k), &value);
    if (error == THUD_OK) error = add_direction(reader, row, unknown, value);
  }
  return error;
}

static size_t tangent_count(const thud_node *tangential) {
  if (tangential == NULL) return 0;
  return thud_node_get_kind(tangential) == THUD_NODE_SEQUENCE ? thud_node_count(tangential) : 1;
}

static thud_error add_value(quasi_reader *reader, const thud_node *node) {
  verify_scene *scene = reader->scene;
  verify_value value;
  thud_error error =
      thud_array_reserve(scene->context, &scene->values, &scene->value_capacity, scene->value_count + 1, sizeof value);
  if (error == THUD_OK) error = thud_verify_read_value(scene, node, &value);
  if (error == THUD_OK) scene->values[scene->value_count++] = value;
  return error;
}

static thud_error read_contact(quasi_reader *reader, const thud_node *contact, size_t i) {
  verify_quasi *q = reader->q;
  const thud_node *node, *tangential = thud_node_find(contact, "tangential");
  thud_error error = thud_node_require(contact, "name", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, &q->contacts[i]);
  if (error == THUD_OK) error = thud_node_require(contact, "normal", &node);
  if (error == THUD_OK) error = read_direction(reader, node, i * q->d);
  if (error == THUD_OK && tangent_count(tangential) + 1 != q->d)
    error = thud_node_fail(contact, THUD_ERROR_SCHEMA, "not as many tangential rows as the first contact");
  for (size_t k = 1; k < q->d && error == THUD_OK; k++) {
    bool list = thud_node_get_kind(tangential) == THUD_NODE_SEQUENCE;
    error = read_direction(reader, list ? thud_node_item(tangential, k - 1) : tangential, i * q->d + k);
  }
  if (error == THUD_OK) error = thud_verify_read_optional(reader->scene, contact, "gap", &q->gap[i]);
  if (error == THUD_OK) error = thud_verify_read_optional(reader->scene, contact, "mu", &q->mu[i]);
  if (error != THUD_OK || q->method != VERIFY_QUASI_THRESHOLD || q->d == 1) return error;
  error = thud_node_require(contact, "threshold", &node);
  return error == THUD_OK ? add_value(reader, node) : error;
}

static thud_error name_reactions(verify_quasi *q) {
  static const char *const parts[3][3] = {{"n"}, {"n", "t"}, {"n", "t1", "t2"}};
  for (size_t k = 0; k < q->m; k++) {
    thud_text text = thud_text_new(q->scene.context);
    thud_text_print(&text, "%s.%s", q->contacts[k / q->d], parts[q->d - 1][k % q->d]);
    if (text.error != THUD_OK) return text.error;
    q->reactions[k] = text.data;
  }
  return THUD_OK;
}

static thud_error read_contacts(quasi_reader *reader, const thud_node *section) {
  verify_quasi *q = reader->q;
  thud_context *context = reader->scene->context;
  const thud_node *contacts;
  thud_error error = thud_node_require(section, "contacts", &contacts);
  if (error == THUD_OK) error = thud_node_expect(contacts, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  q->c = thud_node_count(contacts);
  if (q->c == 0) return thud_node_fail(contacts, THUD_ERROR_SCHEMA, "no contacts");
  q->d = 1 + tangent_count(thud_node_find(thud_node_item(contacts, 0), "tangential"));
  if (q->d > 3) return thud_node_fail(contacts, THUD_ERROR_SCHEMA, "a contact has 1 or 2 tangential rows");
  q->m = q->c * q->d;
  q->gap = THUD_NEW_ARRAY(context, double, q->c);
  q->mu = THUD_NEW_ARRAY(context, double, q->c);
  q->contacts = THUD_NEW_ARRAY(context, const char *, q->c);
  q->reactions = THUD_NEW_ARRAY(context, char *, q->m);
  if (q->gap == NULL || q->mu == NULL || q->contacts == NULL || q->reactions == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < q->c && error == THUD_OK; i++) error = read_contact(reader, thud_node_item(contacts, i), i);
  if (error == THUD_OK) error = name_reactions(q);
  if (error == THUD_OK) error = rows_create(context, q->m, &reader->H, &q->H);
  return error == THUD_OK ? rows_create(context, q->n, &reader->H_columns, &q->H_columns) : error;
}

/* ---- loads, nodes, initial state ------------------------------------------------------------------------------------ */

/* Nodes of the times at which the load k turns between its jumps. */
static thud_error read_turns(verify_scene *scene, size_t jumps, size_t k) {
  const thud_expr *expr = scene->values[k].expr;
  thud_error error = THUD_OK;
  double apart = SAME_NODE * (scene->end - scene->start) / scene->steps;
  for (size_t j = 0; j <= jumps && expr != NULL && error == THUD_OK; j++) {
    double from = j > 0 ? scene->jumps[j - 1] : scene->start, to = j < jumps ? scene->jumps[j] : scene->end;
    double *found = NULL;
    size_t count = 0;
    bool complete;
    error = thud_expr_turning_times(scene->context, expr, thud_verify_data_piece, &scene->start, scene->time_slot, from,
                                    to, &found, &count, &complete);
    if (error == THUD_OK)
      error = thud_array_reserve(scene->context, &scene->jumps, &scene->jump_capacity, scene->jump_count + count,
                                 sizeof *scene->jumps);
    for (size_t i = 0; i < count && error == THUD_OK; i++) {
      bool near = found[i] - scene->start <= apart || scene->end - found[i] <= apart;
      for (size_t l = 0; l < scene->jump_count && !near; l++) near = fabs(found[i] - scene->jumps[l]) <= apart;
      if (!near) scene->jumps[scene->jump_count++] = found[i];
    }
    thud_expr_free_times(scene->context, found);
  }
  return error;
}

static thud_error read_loads(quasi_reader *reader, const thud_node *section) {
  verify_quasi *q = reader->q;
  verify_scene *scene = reader->scene;
  const thud_node *load;
  thud_error error = thud_node_require(section, "load", &load);
  if (error == THUD_OK) error = thud_node_expect(load, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  q->load_count = thud_node_count(load);
  q->loaded = THUD_NEW_ARRAY(scene->context, size_t, q->load_count);
  if (q->loaded == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < q->load_count && error == THUD_OK; k++) {
    error = find_unknown(reader, thud_node_item(load, k), thud_node_key(load, k), &q->loaded[k]);
    if (error == THUD_OK) error = add_value(reader, thud_node_item(load, k));
    if (error == THUD_OK)
      error = thud_verify_value_jumps(scene, &scene->values[k], scene->start, scene->end, &scene->jumps,
                                      &scene->jump_count, &scene->jump_capacity);
  }
  thud_verify_sort_times(scene->jumps, &scene->jump_count);
  size_t jumps = scene->jump_count;
  for (size_t k = 0; k < q->load_count && error == THUD_OK; k++) error = read_turns(scene, jumps, k);
  thud_verify_sort_times(scene->jumps, &scene->jump_count);
  return error;
}

static double slack(const verify_quasi *q) { return SAME_NODE * (q->scene.end - q->scene.start) / q->scene.steps; }

/* start + k (end - start)/steps and the jumps of the load, in order; a node beside a jump is that. */
static thud_error list_nodes(verify_quasi *q) {
  verify_scene *scene = &q->scene;
  size_t steps = (size_t)scene->steps, next = 0;
  q->nodes = THUD_NEW_ARRAY(scene->context, double, steps + 1 + scene->jump_count);
  if (q->nodes == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k <= steps; k++) {
    double part = (double)k / scene->steps,
           t = k == steps ? scene->end : scene->start + part * (scene->end - scene->start);
    for (; next < scene->jump_count && scene->jumps[next] <= t + slack(q); next++)
      if (q->node_count == 0 || scene->jumps[next] > q->nodes[q->node_count - 1])
        q->nodes[q->node_count++] = scene->jumps[next];
    if (q->node_count == 0 || t > q->nodes[q->node_count - 1] + slack(q)) q->nodes[q->node_count++] = t;
  }
  return THUD_OK;
}

/* The largest load up to every node, on both sides of it. */
static thud_error measure_loads(verify_quasi *q) {
  double *F = THUD_NEW_ARRAY(q->scene.context, double, q->n), largest = 0;
  q->largest = THUD_NEW_ARRAY(q->scene.context, double, q->node_count);
  thud_error error = F != NULL && q->largest != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < q->node_count && error == THUD_OK; k++) {
    for (int side = THUD_SIDE_LEFT; side <= THUD_SIDE_RIGHT; side++) {
      thud_verify_quasi_load(q, q->nodes[k], (thud_side)side, F);
      for (size_t i = 0; i < q->n; i++)
        if (isfinite(F[i])) largest = fmax(largest, fabs(F[i]));
    }
    q->largest[k] = largest;
  }
  thud_free(q->scene.context, F);
  return error;
}

bool thud_verify_quasi_node(const verify_quasi *q, double t, size_t *node) {
  size_t k = thud_verify_times_before(q->nodes, q->node_count, t);
  /* the nearest one: jumps of the load may be closer to each other than nodes of one time with different rounding */
  if (k > 0 && t - q->nodes[k - 1] <= slack(q) && (k == q->node_count || t - q->nodes[k - 1] < q->nodes[k] - t)) k--;
  *node = k;
  return k < q->node_count && fabs(q->nodes[k] - t) <= slack(q);
}

static thud_error read_initial(quasi_reader *reader, const thud_node *root) {
  verify_quasi *q = reader->q;
  const thud_node *initial = thud_node_find(root, "initial");
  q->scene.initial = THUD_NEW_ARRAY(q->scene.context, double, q->n);
  if (q->scene.initial == NULL) return THUD_ERROR_MEMORY;
  q->has_initial = initial != NULL;
  if (initial == NULL) return THUD_OK;
  thud_error error = thud_node_expect(initial, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(initial); k++) {
    size_t unknown = 0;
    error = find_unknown(reader, thud_node_item(initial, k), thud_node_key(initial, k), &unknown);
    if (error == THUD_OK)
      error = thud_verify_read_constant(&q->scene, thud_node_item(initial, k), &q->scene.initial[unknown]);
  }
  return error;
}

/* ---- how well K determines U ----------------------------------------------------------------------------------------- */

/* Row sums of K^-1, column by column: the condition number in the maximum norm. False: K is not definite. */
static bool find_condition(size_t n, double *A, double norm, double *sums, double *column, double *condition) {
  if (!thud_verify_cholesky(n, A)) return false;
  double inverse = 0;
  for (size_t j = 0; j < n; j++) {
    memset(column, 0, n * sizeof *column);
    column[j] = 1;
    thud_verify_cholesky_solve(n, A, column);
    for (size_t i = 0; i < n; i++) sums[i] += fabs(column[i]);
  }
  for (size_t i = 0; i < n; i++) inverse = fmax(inverse, sums[i]);
  *condition = norm * inverse;
  return *condition < 1e13;
}

/* Units in which all K_ii are 1. An unknown without stiffness has the unit of the softest other one. */
static thud_error find_units(verify_quasi *q) {
  double softest = 0;
  q->unit = THUD_NEW_ARRAY(q->scene.context, double, q->n);
  if (q->unit == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < q->K.starts[q->n]; k++)
    if (q->K.entries[k].row == q->K.entries[k].column) q->unit[q->K.entries[k].row] += q->K.entries[k].value;
  for (size_t i = 0; i < q->n; i++) {
    q->unit[i] = q->unit[i] > 0 ? 1 / sqrt(q->unit[i]) : 0;
    softest = fmax(softest, q->unit[i]);
  }
  for (size_t i = 0; i < q->n; i++)
    if (q->unit[i] == 0) q->unit[i] = softest > 0 ? softest : 1;
  for (size_t i = 0; i < q->m; i++) {
    double square = 0;
    for (size_t k = q->H.starts[i]; k < q->H.starts[i + 1]; k++) {
      double part = q->H.entries[k].value * q->unit[q->H.entries[k].column];
      square += part * part;
    }
    q->contact_unit = fmax(q->contact_unit, sqrt(square));
  }
  return THUD_OK;
}

/* A[n*n] in these units; *norm its largest row sum. */
static thud_error scale_stiffness(const verify_quasi *q, double *A, double *norm) {
  size_t n = q->n;
  for (size_t k = 0; k < q->K.starts[n]; k++) {
    const verify_entry *entry = &q->K.entries[k];
    A[entry->row * n + entry->column] += entry->value * q->unit[entry->row] * q->unit[entry->column];
  }
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(A[i * n + j]);
    *norm = fmax(*norm, sum);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      if (fabs(A[i * n + j] - A[j * n + i]) > 1e-12 * *norm)
        return thud_fail(q->scene.context, THUD_ERROR_NOT_SPD, "the stiffness matrix is not symmetric");
  return THUD_OK;
}

static thud_error look_at_stiffness(verify_quasi *q) {
  thud_context *context = q->scene.context;
  size_t n = q->n;
  double norm = 0, condition = 0;
  thud_error error = find_units(q);
  q->definite = true;
  q->rounding = LARGE_ROUNDING;
  if (error != THUD_OK || n > DENSE_UP_TO) return error;
  double *A = THUD_NEW_ARRAY(context, double, n *n), *sums = THUD_NEW_ARRAY(context, double, 2 * n);
  error = A != NULL && sums != NULL ? scale_stiffness(q, A, &norm) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) q->definite = find_condition(n, A, norm, sums, sums + n, &condition);
  q->semidefinite = !q->definite && !(condition > 0 && condition < 1 / DBL_EPSILON);
  if (q->definite) q->rounding = fmin(LARGE_ROUNDING, 64 * DBL_EPSILON * (4 * (double)n + condition));
  thud_free(context, A);
  thud_free(context, sums);
  return error;
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

static thud_error read_all(quasi_reader *reader, const thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *section = NULL;
  verify_scene *scene = reader->scene;
  thud_error error = thud_verify_scene_open(scene, root);
  if (error == THUD_OK) error = thud_node_require(root, "quasistatic", &section);
  if (error == THUD_OK) error = read_simulate(reader, root);
  if (error == THUD_OK) error = thud_verify_read_data(scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_stiffness(reader, section);
  if (error == THUD_OK) error = read_unknowns(reader, section);
  if (error == THUD_OK) error = read_loads(reader, section);
  if (error == THUD_OK) error = read_contacts(reader, section);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, section, "period", &reader->q->period);
  if (error == THUD_OK) error = read_initial(reader, root);
  if (error == THUD_OK) error = thud_verify_read_thinning(scene, root);
  if (error == THUD_OK) error = list_nodes(reader->q);
  if (error == THUD_OK) error = measure_loads(reader->q);
  return error == THUD_OK ? look_at_stiffness(reader->q) : error;
}

thud_error thud_verify_quasi_create(thud_context *context, const thud_tree *tree, verify_quasi **quasi) {
  verify_quasi *made = THUD_NEW(context, verify_quasi);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->scene.context = context;
  made->scene.tolerance = thud_verify_default_number(&thud_verify_quasi_kind, "/simulate/tolerance");
  made->enumerate_up_to = thud_verify_default_number(&thud_verify_quasi_kind, "/simulate/enumerate_up_to");
  made->coarse_above = thud_verify_default_number(&thud_verify_quasi_kind, "/simulate/coarse_above");
  quasi_reader reader = {.q = made, .scene = &made->scene, .names = thud_names_new(context, NULL)};
  thud_error error = read_all(&reader, tree);
  thud_names_free(&reader.names);
  thud_free(context, reader.K.items);
  thud_free(context, reader.H.items);
  thud_free(context, reader.H_columns.items);
  if (error == THUD_OK)
    *quasi = made;
  else
    thud_verify_quasi_destroy(made);
  return error;
}

void thud_verify_quasi_destroy(verify_quasi *q) {
  if (q == NULL) return;
  thud_context *context = q->scene.context;
  rows_free(context, &q->K);
  rows_free(context, &q->H);
  rows_free(context, &q->H_columns);
  for (size_t k = 0; q->reactions != NULL && k < q->m; k++) thud_free(context, q->reactions[k]);
  for (size_t i = 0; q->made_names != NULL && i < q->n; i++) thud_free(context, q->made_names[i]);
  void *arrays[] = {q->gap, q->mu, q->loaded, q->contacts, q->reactions, q->made_names, q->nodes, q->largest, q->unit};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_scene_free(&q->scene);
  thud_free(context, q);
}

void thud_verify_quasi_load(const verify_quasi *q, double t, thud_side side, double *F) {
  memset(F, 0, q->n * sizeof *F);
  for (size_t k = 0; k < q->load_count; k++)
    F[q->loaded[k]] = thud_verify_value_at(&q->scene, &q->scene.values[k], t, side);
}

double thud_verify_quasi_bound(const verify_quasi *q, size_t i, double t, double r_normal) {
  if (q->method != VERIFY_QUASI_THRESHOLD) return q->mu[i] * fmax(0, r_normal);
  return thud_verify_value_at(&q->scene, &q->scene.values[q->load_count + i], t, THUD_SIDE_VALUE);
}
