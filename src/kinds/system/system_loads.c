/* `system.percussions`: impulsive loads, from the tree to expressions. */
#include "kinds/system/system_scene.h"

#include <math.h>
#include <string.h>

typedef struct load_parts {
  thud_scene *scene;
  thud_arena *texts;
  const thud_expr_system_def *def;
} load_parts;

/* Keys of one percussion; the last eight make it a family. */
static const char *const load_keys[] = {"time", "weight", "threshold",    "impulse",    "every",     "count", "index",
                                        "from", "tail",   "impulse_tail", "truncation", "tolerance", "limit", "lump"};
enum { LOAD_KEYS = sizeof load_keys / sizeof *load_keys, FIRST_FAMILY_KEY = 6 };

static thud_error read_optional(const load_parts *parts, const thud_node *map, const char *key, const char **source) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_scene_read_source(parts->texts, node, source) : THUD_OK;
}

static thud_error new_sources(const load_parts *parts, thud_index count, const char ***sources) {
  *sources = thud_arena_alloc(parts->texts, (size_t)count + 1, sizeof **sources);
  if (*sources == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < count; k++) (*sources)[k] = NULL;
  return THUD_OK;
}

/* `impulse`: by coordinate. */
static thud_error read_impulse(const load_parts *parts, const thud_node *node, thud_expr_load_def *load) {
  const thud_expr_system_def *def = parts->def;
  const char **sources;
  thud_error error = thud_node_check_keys(node, def->coordinates, (size_t)def->n);
  if (error == THUD_OK) error = new_sources(parts, def->n, &sources);
  for (thud_index i = 0; i < def->n && error == THUD_OK; i++)
    error = read_optional(parts, node, def->coordinates[i], &sources[i]);
  if (error == THUD_OK) load->impulse = sources;
  return error;
}

/* `threshold`: one for all laws by themselves, or by their names. */
static thud_error read_threshold(const load_parts *parts, const thud_node *node, thud_expr_load_def *load) {
  const thud_expr_system_def *def = parts->def;
  const char **sources, **names;
  size_t own = 0;
  bool by_name = thud_node_get_kind(node) == THUD_NODE_MAP;
  thud_error error = new_sources(parts, def->laws, &sources);
  if (error == THUD_OK) error = new_sources(parts, def->laws, &names);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < def->laws; k++)
    if (def->friction[k].constraint < 0) names[own++] = def->friction[k].name;
  if (by_name) error = thud_node_check_keys(node, names, own);
  for (thud_index k = 0; k < def->laws && error == THUD_OK; k++) {
    if (def->friction[k].constraint >= 0) continue;
    error = by_name ? read_optional(parts, node, def->friction[k].name, &sources[k])
                    : thud_scene_read_source(parts->texts, node, &sources[k]);
  }
  load->threshold = sources;
  return error;
}

/* `every` and `count`. */
static thud_error read_train(const load_parts *parts, const thud_node *item, thud_expr_load_def *load) {
  const thud_node *every = thud_node_find(item, "every"), *count = thud_node_find(item, "count");
  double number = -1;
  thud_error error = THUD_OK;
  if (count != NULL && every == NULL)
    return thud_node_fail(count, THUD_ERROR_SCHEMA,
                          "[misplaced-key] 'count' belongs to percussions that repeat: 'every' is missing");
  if (every != NULL) error = thud_scene_read_constant(parts->scene, every, &load->period);
  if (error == THUD_OK && every != NULL && !(load->period > 0))
    error =
        thud_node_fail(every, THUD_ERROR_SCHEMA, "[out-of-range] 'every' must be greater than 0, not %g", load->period);
  if (error == THUD_OK && count != NULL) error = thud_scene_read_whole(parts->scene, count, 0, 1e9, &number);
  load->count = (int64_t)number;
  return error;
}

/* truncation (how many are kept) or tolerance (of the tails), limit and lump. */
static thud_error read_cut(const load_parts *parts, const thud_node *item, thud_expr_load_def *load) {
  const thud_node *truncation = thud_node_find(item, "truncation"), *tolerance = thud_node_find(item, "tolerance");
  const thud_node *limit = thud_node_find(item, "limit"), *lump = thud_node_find(item, "lump");
  double keep = -1;
  thud_error error = THUD_OK;
  load->tolerance = thud_options_find(thud_system_family_table(), "tolerance")->default_value;
  if (truncation != NULL && tolerance != NULL)
    return thud_node_fail(
        tolerance, THUD_ERROR_SCHEMA,
        "[contradictory-keys] give either 'truncation' (percussions kept) or 'tolerance' (of the tail)");
  if (truncation != NULL) error = thud_scene_read_whole(parts->scene, truncation, 0, THUD_MAX_LOADS, &keep);
  if (error == THUD_OK && tolerance != NULL)
    error = thud_scene_read_constant(parts->scene, tolerance, &load->tolerance);
  if (error == THUD_OK && !(load->tolerance > 0))
    error = thud_node_fail(tolerance, THUD_ERROR_SCHEMA, "[out-of-range] the tolerance must be greater than 0, not %g",
                           load->tolerance);
  if (error == THUD_OK && limit != NULL) error = thud_scene_read_constant(parts->scene, limit, &load->limit);
  if (error == THUD_OK && lump != NULL) error = thud_node_read_bool(lump, &load->lump);
  if (error == THUD_OK && load->lump && limit == NULL)
    error = thud_node_fail(lump, THUD_ERROR_SCHEMA, "[misplaced-key] a tail is lumped at 'limit', which is missing");
  load->keep = (int64_t)keep;
  load->has_limit = limit != NULL;
  return error;
}

static thud_error read_family(const load_parts *parts, const thud_node *item, thud_expr_load_def *load) {
  const thud_node *index = thud_node_find(item, "index"), *from = thud_node_find(item, "from");
  double first = 0;
  thud_error error = THUD_OK;
  load->index = "n";
  if (index != NULL) error = thud_node_read_string(index, &load->index);
  if (error == THUD_OK && thud_expr_scope_find_variable(parts->scene->scope, load->index) >= 0)
    error = thud_node_fail(index != NULL ? index : item, THUD_ERROR_SCHEMA,
                           "[bad-name] the index of a family cannot be called '%s': that is a name of the motion",
                           load->index);
  if (error == THUD_OK && from != NULL) error = thud_scene_read_whole(parts->scene, from, -1e9, 1e9, &first);
  load->first = (int64_t)first;
  if (error == THUD_OK) error = read_optional(parts, item, "tail", &load->tail);
  if (error == THUD_OK) error = read_optional(parts, item, "impulse_tail", &load->impulse_tail);
  return error == THUD_OK ? read_cut(parts, item, load) : error;
}

static thud_error read_load(const load_parts *parts, const thud_node *item, thud_expr_load_def *load) {
  const thud_node *time, *impulse, *threshold;
  thud_error error = thud_node_check_keys(item, load_keys, LOAD_KEYS);
  if (error == THUD_OK) error = thud_node_require_as(item, "time", "when it acts", &time);
  if (error == THUD_OK) error = thud_scene_read_source(parts->texts, time, &load->time);
  if (error == THUD_OK) error = read_optional(parts, item, "weight", &load->weight);
  if (error != THUD_OK) return error;
  impulse = thud_node_find(item, "impulse");
  threshold = thud_node_find(item, "threshold");
  if (threshold != NULL && load->weight == NULL)
    return thud_node_fail(threshold, THUD_ERROR_SCHEMA,
                          "[misplaced-key] 'threshold' counts times 'weight', which is missing");
  if (impulse != NULL) error = read_impulse(parts, impulse, load);
  if (error == THUD_OK && threshold != NULL) error = read_threshold(parts, threshold, load);
  if (error == THUD_OK) error = read_train(parts, item, load);
  bool family = false;
  for (size_t k = FIRST_FAMILY_KEY; k < LOAD_KEYS; k++) {
    if (thud_node_find(item, load_keys[k]) == NULL) continue;
    family = true;
    if (error == THUD_OK && load->period > 0)
      error = thud_node_fail(
          thud_node_find(item, load_keys[k]), THUD_ERROR_SCHEMA,
          "[contradictory-keys] 'every' repeats one percussion, '%s' is for a family of them: give one of both",
          load_keys[k]);
  }
  return error == THUD_OK && family ? read_family(parts, item, load) : error;
}

thud_error thud_scene_read_loads(thud_scene *scene, thud_arena *texts, const thud_node *list,
                                 thud_expr_system_def *def) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  if (count > THUD_MAX_LOADS)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] at most %d percussions are possible", THUD_MAX_LOADS);
  thud_expr_load_def *loads = thud_arena_alloc(texts, count + 1, sizeof *loads);
  if (loads == NULL) return THUD_ERROR_MEMORY;
  const load_parts parts = {scene, texts, def};
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    loads[k] = (thud_expr_load_def){.count = -1, .keep = -1};
    error = read_load(&parts, thud_node_item(list, k), &loads[k]);
  }
  def->loads = loads;
  def->load_count = (thud_index)count;
  return error;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The entry of a map, or the node itself where one stands for all. */
static const thud_node *entry_of(const thud_node *node, const char *key) {
  const thud_node *entry = node != NULL && thud_node_get_kind(node) == THUD_NODE_MAP ? thud_node_find(node, key) : NULL;
  return entry != NULL ? entry : node;
}

const thud_node *thud_scene_load_node(const thud_node *list, const thud_expr_system_def *def,
                                      const thud_expr_system_place *place) {
  const thud_node *item = thud_node_item(list, (size_t)place->index), *node = NULL;
  switch (place->part) {
  case THUD_SOURCE_LOAD_TIME: node = thud_node_find(item, "time"); break;
  case THUD_SOURCE_LOAD_WEIGHT: node = thud_node_find(item, "weight"); break;
  case THUD_SOURCE_LOAD_TAIL: node = thud_node_find(item, "tail"); break;
  case THUD_SOURCE_LOAD_IMPULSE_TAIL: node = thud_node_find(item, "impulse_tail"); break;
  case THUD_SOURCE_LOAD_IMPULSE:
    node = entry_of(thud_node_find(item, "impulse"), def->coordinates[place->second]);
    break;
  case THUD_SOURCE_LOAD_THRESHOLD:
    node = entry_of(thud_node_find(item, "threshold"), def->friction[place->second].name);
    break;
  default: break;
  }
  return node != NULL ? node : item;
}
