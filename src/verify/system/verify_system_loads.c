#include "verify/system/verify_system_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_TAIL = 1e-15;
enum { MOST_LOADS = 2000000 };

/* The expressions of one entry of the list. */
typedef struct load_texts {
  verify_system *system;
  thud_expr *time, *weight, *tail, *impulse_tail;
  thud_expr **impulse;   /* [n] */
  thud_expr **threshold; /* [laws] */
  double *variables;     /* of the scope */
} load_texts;

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static thud_error compile(load_texts *texts, const thud_node *node, thud_expr **expr) {
  verify_scene *scene = &texts->system->scene;
  char digits[40];
  const char *source = digits;
  if (node == NULL) return THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_STRING)
    source = thud_node_string(node);
  else
    thud_format_double(thud_node_number(node), digits, sizeof digits);
  thud_error error = thud_expr_compile(scene->context, scene->scope, source, NULL, expr);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static bool is_map(const thud_node *node) { return node != NULL && thud_node_get_kind(node) == THUD_NODE_MAP; }

static thud_error compile_all(load_texts *texts, const thud_node *item) {
  const verify_system *system = texts->system;
  const thud_node *impulse = thud_node_find(item, "impulse"), *threshold = thud_node_find(item, "threshold");
  thud_error error = compile(texts, thud_node_find(item, "time"), &texts->time);
  if (error == THUD_OK) error = compile(texts, thud_node_find(item, "weight"), &texts->weight);
  if (error == THUD_OK) error = compile(texts, thud_node_find(item, "tail"), &texts->tail);
  if (error == THUD_OK) error = compile(texts, thud_node_find(item, "impulse_tail"), &texts->impulse_tail);
  for (size_t i = 0; is_map(impulse) && i < system->n && error == THUD_OK; i++)
    error = compile(texts, thud_node_find(impulse, system->scene.names[i]), &texts->impulse[i]);
  for (size_t k = 0; threshold != NULL && k < system->law_count && error == THUD_OK; k++) {
    if (system->laws[k].constraint != SIZE_MAX) continue;
    error = compile(texts, is_map(threshold) ? thud_node_find(threshold, system->laws[k].name) : threshold,
                    &texts->threshold[k]);
  }
  if (error == THUD_OK && texts->time == NULL)
    error = thud_node_fail(item, THUD_ERROR_SCHEMA, "a percussion needs a time");
  return error;
}

static void free_texts(load_texts *texts) {
  const verify_system *system = texts->system;
  thud_context *context = system->scene.context;
  thud_expr_destroy(texts->time);
  thud_expr_destroy(texts->weight);
  thud_expr_destroy(texts->tail);
  thud_expr_destroy(texts->impulse_tail);
  for (size_t i = 0; texts->impulse != NULL && i < system->n; i++) thud_expr_destroy(texts->impulse[i]);
  for (size_t k = 0; texts->threshold != NULL && k < system->law_count; k++) thud_expr_destroy(texts->threshold[k]);
  thud_free(context, texts->impulse);
  thud_free(context, texts->threshold);
  thud_free(context, texts->variables);
}

static double value_of(const load_texts *texts, const thud_expr *expr) {
  return expr != NULL ? thud_expr_evaluate(expr, texts->variables) : 0;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

/* A row: t, impulse [n], c times given thresholds [laws], c of the laws' own ones [laws]. */
static size_t row_width(const verify_system *system) { return 1 + system->n + 2 * system->law_count; }

static thud_error add(const load_texts *texts, double t, double weight, bool with_impulse) {
  verify_system *system = texts->system;
  size_t n = system->n, laws = system->law_count, width = row_width(system);
  if (!(t >= system->scene.start && t <= system->scene.end)) return THUD_OK;
  if (system->load_count >= MOST_LOADS)
    return thud_fail(system->scene.context, THUD_ERROR_OVERFLOW, "too many percussions");
  thud_error error = thud_array_reserve(system->scene.context, &system->loads, &system->load_capacity,
                                        system->load_count + 1, width * sizeof(double));
  if (error != THUD_OK) return error;
  double *row = system->loads + width * system->load_count++;
  texts->variables[system->scene.time_slot] = t;
  row[0] = t;
  for (size_t i = 0; i < n; i++) row[1 + i] = with_impulse ? value_of(texts, texts->impulse[i]) : 0;
  for (size_t k = 0; k < laws; k++) {
    bool own = system->laws[k].constraint == SIZE_MAX, given = texts->threshold[k] != NULL;
    row[1 + n + k] = own && given ? weight * value_of(texts, texts->threshold[k]) : 0;
    row[1 + n + laws + k] = own && !given ? weight : 0;
  }
  return THUD_OK;
}

static thud_error add_at(const load_texts *texts, double t) {
  texts->variables[texts->system->scene.time_slot] = t;
  return add(texts, t, value_of(texts, texts->weight), true);
}

static thud_error read_repeated(load_texts *texts, const thud_node *item) {
  verify_scene *scene = &texts->system->scene;
  double first = value_of(texts, texts->time), period = INFINITY, count = INFINITY;
  thud_error error = thud_verify_read_optional(scene, item, "every", &period);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "count", &count);
  if (error != THUD_OK) return error;
  if (thud_node_find(item, "every") == NULL) return add_at(texts, first);
  if (!(period > 0)) return thud_node_fail(item, THUD_ERROR_SCHEMA, "'every' must be greater than 0");
  for (double k = 0; k < count && first + k * period <= scene->end && error == THUD_OK; k++)
    error = add_at(texts, first + k * period);
  return error;
}

static thud_error read_members(load_texts *texts, const thud_node *item, thud_index slot) {
  verify_scene *scene = &texts->system->scene;
  const thud_node *lumped = thud_node_find(item, "lump");
  double first = 0, keep = -1, tolerance = DEFAULT_TAIL, limit = NAN, tail = 0;
  bool lump = false;
  thud_error error = thud_verify_read_optional(scene, item, "from", &first);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "truncation", &keep);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "tolerance", &tolerance);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "limit", &limit);
  if (error == THUD_OK && lumped != NULL) error = thud_node_read_bool(lumped, &lump);
  for (double k = 0; error == THUD_OK; k++) {
    texts->variables[slot] = first + k;
    tail = value_of(texts, texts->tail);
    double largest = fmax(tail, value_of(texts, texts->impulse_tail));
    if (k == keep || (keep < 0 && largest <= tolerance) || !isfinite(largest) || k > MOST_LOADS) break;
    error = add_at(texts, value_of(texts, texts->time));
  }
  if (error == THUD_OK && !isnan(limit)) error = add(texts, limit, lump ? tail : 0, false);
  return error;
}

/* Any of these keys makes a percussion a family. */
static bool is_family(const thud_node *item) {
  static const char *const keys[] = {"index",      "from",      "tail",  "impulse_tail",
                                     "truncation", "tolerance", "limit", "lump"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (thud_node_find(item, keys[k]) != NULL) return true;
  return false;
}

static thud_error read_load(verify_system *system, const thud_node *item) {
  verify_scene *scene = &system->scene;
  load_texts texts = {.system = system,
                      .impulse = THUD_NEW_ARRAY(scene->context, thud_expr *, system->n),
                      .threshold = THUD_NEW_ARRAY(scene->context, thud_expr *, system->law_count)};
  const thud_node *index = thud_node_find(item, "index");
  const char *name = "n";
  thud_index slot = -1;
  bool family = is_family(item);
  thud_error error = texts.impulse != NULL && texts.threshold != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && index != NULL) error = thud_node_read_string(index, &name);
  if (error == THUD_OK && family) slot = thud_expr_scope_find_variable(scene->scope, name);
  if (error == THUD_OK && family && slot < 0) error = thud_expr_scope_add_variable(scene->scope, name, &slot);
  if (error == THUD_OK) error = compile_all(&texts, item);
  texts.variables = THUD_NEW_ARRAY(scene->context, double, thud_expr_scope_variable_count(scene->scope));
  if (texts.variables == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = family ? read_members(&texts, item, slot) : read_repeated(&texts, item);
  free_texts(&texts);
  return error;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

thud_error thud_verify_read_loads(verify_system *system, const thud_node *list) {
  size_t width = row_width(system), kept = 0;
  thud_error error = list != NULL ? thud_node_expect(list, THUD_NODE_SEQUENCE) : THUD_OK;
  for (size_t k = 0; list != NULL && error == THUD_OK && k < thud_node_count(list); k++) {
    const thud_node *item = thud_node_item(list, k);
    error = thud_node_expect(item, THUD_NODE_MAP);
    if (error == THUD_OK) error = read_load(system, item);
  }
  if (error != THUD_OK || system->load_count == 0) return error;
  qsort(system->loads, system->load_count, width * sizeof(double), compare_times);
  for (size_t k = 0; k < system->load_count; k++) { /* those at one time are one */
    const double *row = system->loads + k * width;
    double *last = kept > 0 ? system->loads + (kept - 1) * width : NULL;
    if (last == NULL || last[0] != row[0])
      memmove(system->loads + kept++ * width, row, width * sizeof *row);
    else
      for (size_t c = 1; c < width; c++) last[c] += row[c];
  }
  system->load_count = kept;
  return THUD_OK;
}

void thud_verify_free_loads(verify_system *system) { thud_free(system->scene.context, system->loads); }

size_t thud_verify_loads_before(const verify_system *system, double t, bool with) {
  size_t low = 0, high = system->load_count, width = row_width(system);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    double at = system->loads[middle * width];
    if (at < t || (with && at == t))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void thud_verify_loads_sum(const verify_system *system, size_t first, size_t end, const double *friction,
                           double *impulse, double *extra) {
  size_t n = system->n, laws = system->law_count, width = row_width(system);
  for (size_t i = 0; i < n; i++) impulse[i] = 0;
  for (size_t k = 0; k < laws; k++) extra[k] = 0;
  for (size_t load = first; load < end; load++) {
    const double *row = system->loads + load * width + 1;
    for (size_t i = 0; i < n; i++) impulse[i] += row[i];
    for (size_t k = 0; k < laws; k++) extra[k] += row[n + k] + row[n + laws + k] * friction[k];
  }
}
