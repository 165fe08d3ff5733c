/* From a scene tree to a model: the keys that every scene has. */
#include "base/names.h"
#include "scene/build.h"
#include "scene/scene_scales.h"
#include "tree/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- top level ------------------------------------------------------------------------------------------ */

static thud_error check_version(const thud_node *root) {
  const thud_node *node;
  double version;
  thud_error error = thud_node_require(root, "thud", &node);
  if (error == THUD_OK) error = thud_node_read_number(node, &version);
  if (error == THUD_OK && version != 1)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                           "[scene-version] scene format %g is not known; this program reads 'thud: 1'", version);
  return error;
}

static thud_error copy_string(thud_scene *scene, const thud_node *node, char **copy) {
  const char *text;
  thud_error error = thud_node_read_string(node, &text);
  if (error != THUD_OK) return error;
  *copy = thud_strdup(scene->context, text);
  return *copy != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error copy_entry(thud_scene *scene, const thud_node *map, const char *key, char **copy) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? copy_string(scene, node, copy) : error;
}

/* A parameter may use the ones before it. */
static thud_error build_parameters(thud_scene *scene, const thud_node *node) {
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++) {
    const thud_node *item = thud_node_item(node, k);
    double value;
    error = thud_scene_read_constant(scene, item, &value);
    if (error != THUD_OK) break;
    error = thud_expr_scope_add_parameter(scene->scope, thud_node_key(node, k), value);
    if (error != THUD_OK) error = thud_node_fail_within(item, error);
  }
  return error;
}

/* ---- definitions ---------------------------------------------------------------------------------------------- */

static thud_error read_definition(thud_scene *scene, const thud_node *item, const char *name) {
  char digits[THUD_DOUBLE_CAPACITY], found[80];
  thud_node_kind kind = thud_node_get_kind(item);
  if (kind != THUD_NODE_STRING && kind != THUD_NODE_NUMBER) {
    thud_node_describe(item, found, sizeof found);
    return thud_node_fail(item, THUD_ERROR_SCHEMA, "[wrong-type] expected a number or an expression, found %s", found);
  }
  if (kind == THUD_NODE_NUMBER) thud_format_double(thud_node_number(item), digits, sizeof digits);
  const char *source = kind == THUD_NODE_NUMBER ? digits : thud_node_string(item);
  thud_error error = thud_expr_scope_add_expression(scene->scope, name, source);
  return error == THUD_OK ? THUD_OK : thud_node_fail_within(item, error);
}

thud_error thud_scene_read_definitions(thud_scene *scene, const thud_node *node) {
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++)
    error = read_definition(scene, thud_node_item(node, k), thud_node_key(node, k));
  return error;
}

thud_error thud_scene_check_definitions(thud_scene *scene, const thud_node *node) {
  const char *name = NULL;
  thud_expr_place place = {0};
  thud_error error = thud_expr_scope_check(scene->scope, &name, &place);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY || node == NULL || name == NULL) return error;
  const thud_node *where = thud_node_find(node, name); /* NULL: it is one of `data` */
  return where != NULL ? thud_node_fail_within_at(where, place.column, error) : error;
}

/* ---- simulate, record --------------------------------------------------------------------------------------- */

thud_error thud_scene_read_whole(thud_scene *scene, const thud_node *node, double low, double high, double *value) {
  thud_error error = thud_scene_read_constant(scene, node, value);
  if (error == THUD_OK && !(*value == floor(*value) && *value >= low && *value <= high))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                           "[out-of-range] a whole number from %g to %g is needed here, not %g", low, high, *value);
  return error;
}

thud_error thud_scene_read_classify(thud_scene *scene, const thud_node *simulate, int *levels) {
  const thud_node *node;
  double number = 0;
  thud_error error = thud_node_require(simulate, "classify", &node);
  if (error == THUD_OK) error = thud_scene_read_whole(scene, node, 0, SCENE_MOST_LEVELS, &number);
  if (error == THUD_OK && number > 0 && number < THUD_LIMIT_LEAST_LEVELS)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] 0 (no judgement) or at least %d levels are needed",
                           (int)THUD_LIMIT_LEAST_LEVELS);
  *levels = (int)number;
  return error;
}

thud_error thud_scene_read_given_steps(thud_scene *scene, const thud_node *simulate) {
  bool given = thud_node_find(simulate, "step") != NULL || thud_node_find(simulate, "steps") != NULL;
  scene->steps = 0;
  return given ? thud_scene_read_steps(scene, simulate) : THUD_OK;
}

/* Either `step` (rounded so that a whole number of steps fits) or `steps`, or neither: then they are chosen. */
thud_error thud_scene_read_steps(thud_scene *scene, const thud_node *simulate) {
  const thud_node *step = thud_node_find(simulate, "step"), *steps = thud_node_find(simulate, "steps");
  if (step == NULL && steps == NULL) return thud_scales_choose_by_data(scene);
  if (step != NULL && steps != NULL)
    return thud_node_fail(simulate, THUD_ERROR_SCHEMA,
                          "[no-step] give either 'step' (a length of time) or 'steps' (a number)");
  double number;
  if (steps != NULL) {
    thud_error error = thud_scene_read_whole(scene, steps, 1, SCENE_MOST_STEPS, &number);
    if (error == THUD_OK) scene->steps = (thud_index)number;
    return error;
  }
  thud_error error = thud_scene_read_constant(scene, step, &number);
  if (error != THUD_OK) return error;
  if (!(number > 0))
    return thud_node_fail(step, THUD_ERROR_SCHEMA, "[out-of-range] the step must be greater than 0, not %g", number);
  double count = ceil((scene->end - scene->start) / number * (1 - 1e-12));
  if (count > SCENE_MOST_STEPS)
    return thud_node_fail(step, THUD_ERROR_SCHEMA,
                          "[out-of-range] a step of %g makes more than 1e9 steps; use a larger one", number);
  scene->steps = (thud_index)fmax(1, count);
  return THUD_OK;
}

thud_error thud_scene_read_span(thud_scene *scene, const thud_node *simulate) {
  const thud_node *start, *end;
  thud_error error = thud_node_require(simulate, "start", &start);
  if (error == THUD_OK) error = thud_scene_read_constant(scene, start, &scene->start);
  if (error == THUD_OK && (end = thud_node_find(simulate, "end")) == NULL)
    error = thud_node_fail(simulate, THUD_ERROR_SCHEMA,
                           "[no-end] the key 'end' is missing; it says how long the motion is: simulate: {end: 2}");
  if (error == THUD_OK) error = thud_scene_read_constant(scene, end, &scene->end);
  if (error == THUD_OK && !(scene->start < scene->end))
    error = thud_node_fail(end, THUD_ERROR_SCHEMA, "[bad-span] the end, %g, must come after the start, %g", scene->end,
                           scene->start);
  return error;
}

static thud_error build_checkpoints(thud_scene *scene, const thud_node *record) {
  const thud_node *node;
  double *every = &scene->checkpoint_every;
  thud_error error = thud_node_require(record, "checkpoint_every", &node);
  if (error != THUD_OK || thud_node_get_kind(node) == THUD_NODE_NULL) return error; /* null: none are made */
  error = thud_scene_read_constant(scene, node, every);
  if (error == THUD_OK && !(*every > 0))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] 'checkpoint_every' must be greater than 0, not %g",
                           *every);
  return error;
}

static thud_error build_record(thud_scene *scene, const thud_node *record) {
  const thud_node *every_step;
  bool each = false;
  thud_error error = thud_node_require(record, "every_step", &every_step);
  if (error == THUD_OK) error = thud_node_read_bool(every_step, &each);
  if (error != THUD_OK) return error;
  const thud_node *every = thud_node_find(record, "every");
  if (every != NULL && each)
    return thud_node_fail(record, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] 'every' and 'every_step: true' contradict each other");
  if (every == NULL && !each)
    return thud_node_fail(record, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] without 'every_step' a length of time 'every' is needed");
  if (every != NULL) error = thud_scene_read_constant(scene, every, &scene->record_every);
  if (error == THUD_OK && every != NULL && !(scene->record_every > 0))
    error = thud_node_fail(every, THUD_ERROR_SCHEMA, "[out-of-range] 'every' must be greater than 0, not %g",
                           scene->record_every);
  return error == THUD_OK ? build_checkpoints(scene, record) : error;
}

static thud_error read_name(thud_scene *scene, const thud_node *item, size_t k, thud_names *taken) {
  size_t there = THUD_NAMES_NONE;
  thud_error error = copy_string(scene, item, &scene->coordinates[k]);
  if (error != THUD_OK) return error;
  const char *name = scene->coordinates[k];
  bool usable = name[0] != '\0' && strlen(name) < THUD_RECORD_NAME_LENGTH && strcmp(name, "t") != 0;
  if (!usable) return thud_node_fail(item, THUD_ERROR_SCHEMA, "[bad-name] '%s' cannot name a coordinate", name);
  error = thud_names_add(taken, name, strlen(name), k, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_node_fail(item, THUD_ERROR_SCHEMA, "[duplicate-name] the coordinate '%s' is named twice", name);
  return error;
}

thud_error thud_scene_read_names(thud_scene *scene, const thud_node *list) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  if (count == 0 || count > 100000)
    return thud_node_fail(list, THUD_ERROR_SCHEMA,
                          "[wrong-count] from 1 to 100000 coordinate names are needed, found %zu", count);
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, count);
  if (scene->coordinates == NULL) return THUD_ERROR_MEMORY;
  scene->dimension = (thud_index)count;
  thud_names taken = thud_names_new(scene->context, NULL);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = read_name(scene, thud_node_item(list, k), k, &taken);
  thud_names_free(&taken);
  return error;
}

/* Parameters g and gravity of 9.81 belong to m and s. Labels that are no lengths say nothing. */
static thud_error look_at_gravity(thud_scene *scene, const thud_node *parameters) {
  static const char *const names[] = {"g", "gravity"}, *const lengths[] = {"mm", "cm", "dm", "km", "um", "in", "ft"},
                           *const times[] = {"ms", "us", "min", "h"};
  const double least = 9.7, most = 9.9; /* on earth */
  const char *length = NULL, *time = NULL;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (thud_index i = 0; i < scene->dimension; i++)
      if (strcmp(scene->units[i], lengths[k]) == 0) length = lengths[k];
  for (size_t k = 0; k < sizeof times / sizeof *times; k++)
    if (strcmp(scene->time_unit, times[k]) == 0) time = times[k];
  for (size_t k = 0; k < 2 && error == THUD_OK && (length != NULL || time != NULL); k++) {
    const thud_node *node = parameters != NULL ? thud_node_find(parameters, names[k]) : NULL;
    double value = 0;
    if (node != NULL) error = thud_scene_read_constant(scene, node, &value);
    if (!(fabs(value) >= least && fabs(value) <= most)) continue;
    scene->suspect_gravity = value;
    snprintf(scene->suspect_unit, sizeof scene->suspect_unit, "%s/%s^2", length != NULL ? length : "m",
             time != NULL ? time : "s");
  }
  return error;
}

/* Those of parameters are for the axes of studies. */
thud_error thud_scene_build_units(thud_scene *scene, const thud_node *root) {
  const thud_node *units = thud_node_find(root, "units"), *parameters = thud_node_find(root, "parameters");
  size_t n = (size_t)scene->dimension, extra = parameters != NULL ? thud_node_count(parameters) : 0;
  thud_error error = THUD_OK;
  const char **names = THUD_NEW_ARRAY(scene->context, const char *, n + 1 + extra);
  scene->units = THUD_NEW_ARRAY(scene->context, char *, n);
  if (names == NULL || scene->units == NULL) {
    error = THUD_ERROR_MEMORY;
  } else {
    for (size_t k = 0; k < n; k++) names[k] = scene->coordinates[k];
    names[n] = "t";
    for (size_t k = 0; k < extra; k++) names[n + 1 + k] = thud_node_key(parameters, k);
    error = thud_node_check_keys(units, names, n + 1 + extra);
  }
  for (size_t k = 0; k < n && error == THUD_OK; k++) error = copy_entry(scene, units, names[k], &scene->units[k]);
  if (error == THUD_OK) error = copy_entry(scene, units, "t", &scene->time_unit);
  thud_free(scene->context, names);
  return error == THUD_OK ? look_at_gravity(scene, parameters) : error;
}

/* The time span comes first: data that jump are looked at within it. */
static thud_error build_span(thud_scene *scene, const thud_node *root) {
  const thud_node *simulate;
  if ((simulate = thud_node_find(root, "simulate")) == NULL)
    return thud_node_fail(root, THUD_ERROR_SCHEMA,
                          "[no-end] the key 'simulate' is missing; it says how long the motion is: simulate: {end: 2}");
  thud_error error = thud_node_expect(simulate, THUD_NODE_MAP);
  return error == THUD_OK ? thud_scene_read_span(scene, simulate) : error;
}

thud_error thud_scene_build_common(thud_scene *scene, const thud_node *root, scene_data_form form) {
  thud_error error = check_version(root);
  if (error == THUD_OK) error = copy_entry(scene, root, "title", &scene->title);
  if (error == THUD_OK) error = thud_expr_scope_create(scene->context, &scene->scope);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scene->scope, "t", &scene->time_slot);
  if (error == THUD_OK) error = build_parameters(scene, thud_node_find(root, "parameters"));
  if (error == THUD_OK) error = build_span(scene, root);
  return error == THUD_OK ? thud_scene_build_data(scene, root, form) : error;
}

thud_error thud_scene_make_names(thud_scene *scene, thud_index n) {
  char name[24];
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, n);
  scene->units = THUD_NEW_ARRAY(scene->context, char *, n);
  scene->time_unit = thud_strdup(scene->context, "s");
  if (scene->coordinates == NULL || scene->units == NULL || scene->time_unit == NULL) return THUD_ERROR_MEMORY;
  scene->dimension = n;
  for (thud_index i = 0; i < n; i++) {
    snprintf(name, sizeof name, "u%d", (int)i + 1);
    scene->coordinates[i] = thud_strdup(scene->context, name);
    scene->units[i] = thud_strdup(scene->context, "");
    if (scene->coordinates[i] == NULL || scene->units[i] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_error keep_json(thud_scene *scene, const thud_tree *tree, char **kept) {
  char *text = NULL;
  thud_error error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) return error;
  *kept = thud_strdup(scene->context, text);
  thud_tree_free_text(tree, text);
  return *kept != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Keeps the scene as it was written; files beyond the limit are data rather than text. */
static thud_error keep_source(thud_scene *scene, const thud_tree *given) {
  enum { LONGEST = 1 << 20 };
  size_t length;
  const char *source = thud_tree_source(given, &length), *changes = given->changes != NULL ? given->changes : "";
  size_t more = strlen(changes);
  if (length > LONGEST || memchr(source, '\0', length) != NULL) length = more = 0;
  scene->source = THUD_NEW_ARRAY(scene->context, char, length + more + 2);
  if (scene->source == NULL) return THUD_ERROR_MEMORY;
  memcpy(scene->source, source, length);
  if (more > 0 && length > 0 && source[length - 1] != '\n') scene->source[length++] = '\n';
  memcpy(scene->source + length, changes, more);
  return THUD_OK;
}

thud_error thud_scene_build_rest(thud_scene *scene, const thud_tree *given, const thud_tree *resolved) {
  const thud_node *root = thud_tree_root(resolved);
  thud_error error = scene->units == NULL ? thud_scene_build_units(scene, root) : THUD_OK;
  if (error == THUD_OK) error = build_record(scene, thud_node_find(root, "record"));
  if (error == THUD_OK) error = keep_source(scene, given);
  if (error == THUD_OK) error = keep_json(scene, given, &scene->text);
  return error == THUD_OK ? keep_json(scene, resolved, &scene->resolved) : error;
}

const char *thud_scene_common_unit(const thud_scene *scene) {
  for (thud_index k = 1; k < scene->dimension; k++)
    if (strcmp(scene->units[k], scene->units[0]) != 0) return "";
  return scene->dimension > 0 ? scene->units[0] : "";
}

static void free_strings(thud_context *context, char **strings, thud_index count) {
  for (thud_index k = 0; strings != NULL && k < count; k++) thud_free(context, strings[k]);
  thud_free(context, strings);
}

void thud_scene_free(thud_scene *scene) {
  thud_context *context = scene->context;
  if (scene->model != NULL) scene->free_model(scene);
  thud_scene_free_data(scene);
  thud_expr_scope_destroy(scene->scope);
  free_strings(context, scene->coordinates, scene->dimension);
  free_strings(context, scene->units, scene->dimension);
  thud_free(context, scene->time_unit);
  thud_free(context, scene->title);
  thud_free(context, scene->text);
  thud_free(context, scene->resolved);
  thud_free(context, scene->source);
  thud_free(context, scene);
}
