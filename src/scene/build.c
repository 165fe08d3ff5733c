/* From a scene tree to a model: the top-level keys, the parameters, and the sweeping process. */
#include "scene/build.h"
#include "scene/line.h"
#include "scene/system.h"

#include <math.h>
#include <string.h>

static const char *const method_names[] = {"catching-up", "regularised", NULL};

/* ---- evaluation of the moving set's parameters ------------------------------------------------------- */

static int evaluate_motion(void *user, double t, thud_side side, double *out) {
  const thud_scene *scene = user;
  for (size_t k = 0; k < scene->parameters.count; k++) {
    const scene_value *value = &scene->parameters.items[k];
    out[k] = scene_value_at(scene, value, t, side);
    /* Only absent bounds may be infinite; an expression that overflows or divides by zero is an error. */
    if (value->expr != NULL && isinf(out[k])) out[k] = NAN;
  }
  return 0;
}

thud_moving_set scene_moving_set(const thud_scene *scene) {
  return (thud_moving_set){.set = scene->set, .parameters = scene->moves ? &scene->motion : NULL};
}

/* ---- top level ------------------------------------------------------------------------------------------ */

static thud_error check_version(const thud_node *root) {
  const thud_node *node;
  double version;
  thud_error error = thud_node_require(root, "thud", &node);
  if (error == THUD_OK) error = thud_node_read_number(node, &version);
  if (error == THUD_OK && version != 1)
    error =
        thud_node_fail(node, THUD_ERROR_SCHEMA, "scene format %g is not known; this program reads 'thud: 1'", version);
  return error;
}

static thud_error copy_string(thud_scene *scene, const thud_node *node, const char *fallback, char **copy) {
  const char *text = fallback;
  thud_error error = node != NULL ? thud_node_read_string(node, &text) : THUD_OK;
  if (error != THUD_OK) return error;
  *copy = thud_strdup(scene->context, text);
  return *copy != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* A parameter may use the ones before it. */
static thud_error build_parameters(thud_scene *scene, const thud_node *node) {
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++) {
    const thud_node *item = thud_node_item(node, k);
    double value;
    error = scene_read_constant(scene, item, &value);
    if (error != THUD_OK) break;
    error = thud_expr_scope_add_parameter(scene->scope, thud_node_key(node, k), value);
    if (error != THUD_OK) error = thud_node_fail_within(item, error);
  }
  return error;
}

/* ---- simulate, record --------------------------------------------------------------------------------------- */

thud_error scene_read_whole(thud_scene *scene, const thud_node *node, double low, double high, double *value) {
  thud_error error = scene_read_constant(scene, node, value);
  if (error == THUD_OK && !(*value == floor(*value) && *value >= low && *value <= high))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a whole number from %g to %g is needed here, not %g", low, high,
                           *value);
  return error;
}

/* Either `step` (rounded so that a whole number of steps fits) or `steps`. */
thud_error scene_read_steps(thud_scene *scene, const thud_node *simulate) {
  const thud_node *step = thud_node_find(simulate, "step"), *steps = thud_node_find(simulate, "steps");
  if ((step == NULL) == (steps == NULL))
    return thud_node_fail(simulate, THUD_ERROR_SCHEMA, "give either 'step' (a length of time) or 'steps' (a number)");
  double number;
  if (steps != NULL) {
    thud_error error = scene_read_whole(scene, steps, 1, 1e9, &number);
    if (error == THUD_OK) scene->steps = (thud_index)number;
    return error;
  }
  thud_error error = scene_read_constant(scene, step, &number);
  if (error != THUD_OK) return error;
  if (!(number > 0)) return thud_node_fail(step, THUD_ERROR_SCHEMA, "the step must be greater than 0, not %g", number);
  double count = ceil((scene->end - scene->start) / number * (1 - 1e-12));
  if (count > 1e9)
    return thud_node_fail(step, THUD_ERROR_SCHEMA, "a step of %g makes more than 1e9 steps; use a larger one", number);
  scene->steps = (thud_index)fmax(1, count);
  return THUD_OK;
}

thud_error scene_read_span(thud_scene *scene, const thud_node *simulate) {
  const thud_node *start = thud_node_find(simulate, "start"), *end;
  thud_error error = start != NULL ? scene_read_constant(scene, start, &scene->start) : THUD_OK;
  if (error == THUD_OK) error = thud_node_require(simulate, "end", &end);
  if (error == THUD_OK) error = scene_read_constant(scene, end, &scene->end);
  if (error == THUD_OK && !(scene->start < scene->end))
    error =
        thud_node_fail(end, THUD_ERROR_SCHEMA, "the end, %g, must come after the start, %g", scene->end, scene->start);
  return error;
}

/* The keys of the options table may stand among the keys of `simulate`. */
static thud_error read_sweep_options(thud_scene *scene, const thud_node *simulate) {
  const thud_option_table *table = thud_sweep_option_table();
  scene->sweep = thud_sweep_options_default();
  for (size_t k = 0; k < table->count; k++) {
    const thud_node *node = thud_node_find(simulate, table->keys[k].name);
    double value;
    if (node == NULL) continue;
    thud_error error = scene_read_constant(scene, node, &value);
    if (error != THUD_OK) return error;
    error = thud_options_set_number(scene->context, table, &scene->sweep, table->keys[k].name, value);
    if (error != THUD_OK) return thud_node_fail_within(node, THUD_ERROR_SCHEMA);
  }
  return THUD_OK;
}

static thud_error read_method(thud_scene *scene, const thud_node *simulate) {
  const thud_node *node;
  int method = 0;
  thud_error error = thud_node_require(simulate, "method", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, method_names, &method);
  scene->method = (thud_sweep_method)method;
  return error;
}

static thud_error build_simulate(thud_scene *scene, const thud_node *root) {
  static const char *const keys[] = {"method",    "start",          "end",   "step", "steps", "refinements",
                                     "tolerance", "max_iterations", "lambda"};
  const thud_node *simulate;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_check_keys(simulate, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = read_method(scene, simulate);
  if (error == THUD_OK) error = scene_read_steps(scene, simulate);
  if (error == THUD_OK) error = read_sweep_options(scene, simulate);
  if (error != THUD_OK) return error;
  double refinements = 1;
  const thud_node *node = thud_node_find(simulate, "refinements");
  if (node != NULL) error = scene_read_whole(scene, node, 0, 12, &refinements);
  scene->refinements = (int)refinements;
  return error;
}

static thud_error build_record(thud_scene *scene, const thud_node *record) {
  static const char *const keys[] = {"every", "every_step", "checkpoint_every"};
  if (record == NULL) return THUD_OK;
  thud_error error = thud_node_check_keys(record, keys, scene->lagrangian != NULL ? 3 : 2);
  if (error != THUD_OK) return error;
  const thud_node *every = thud_node_find(record, "every"), *every_step = thud_node_find(record, "every_step");
  bool each = every == NULL;
  if (every_step != NULL) error = thud_node_read_bool(every_step, &each);
  if (error != THUD_OK) return error;
  if (every != NULL && each)
    return thud_node_fail(record, THUD_ERROR_SCHEMA, "'every' and 'every_step: true' contradict each other");
  if (every == NULL && !each)
    return thud_node_fail(record, THUD_ERROR_SCHEMA, "without 'every_step' a length of time 'every' is needed");
  if (every != NULL) error = scene_read_constant(scene, every, &scene->record_every);
  if (error == THUD_OK && every != NULL && !(scene->record_every > 0))
    error = thud_node_fail(every, THUD_ERROR_SCHEMA, "'every' must be greater than 0, not %g", scene->record_every);
  return error;
}

/* ---- the sweeping process --------------------------------------------------------------------------------------- */

thud_error scene_read_names(thud_scene *scene, const thud_node *list) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  if (count == 0 || count > 100000)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "from 1 to 100000 coordinate names are needed, found %zu", count);
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, count);
  if (scene->coordinates == NULL) return THUD_ERROR_MEMORY;
  scene->dimension = (thud_index)count;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(list, k);
    error = copy_string(scene, item, "", &scene->coordinates[k]);
    if (error != THUD_OK) break;
    bool usable = scene->coordinates[k][0] != '\0' && strlen(scene->coordinates[k]) < THUD_RECORD_NAME_LENGTH &&
                  strcmp(scene->coordinates[k], "t") != 0;
    if (!usable)
      error = thud_node_fail(item, THUD_ERROR_SCHEMA, "'%s' cannot name a coordinate", scene->coordinates[k]);
    for (size_t j = 0; j < k && error == THUD_OK; j++)
      if (strcmp(scene->coordinates[j], scene->coordinates[k]) == 0)
        error = thud_node_fail(item, THUD_ERROR_SCHEMA, "the coordinate '%s' is named twice", scene->coordinates[k]);
  }
  return error;
}

/* A list of n numbers (diagonal) or n lists of n numbers. */
static thud_error read_metric(thud_scene *scene, const thud_node *node) {
  if (node == NULL) return THUD_OK;
  size_t n = (size_t)scene->dimension;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(node) != n)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "a metric of %zu rows is needed here, found %zu", n,
                          thud_node_count(node));
  double *M = THUD_NEW_ARRAY(scene->context, double, n *n);
  if (M == NULL) return THUD_ERROR_MEMORY;
  bool diagonal = thud_node_get_kind(thud_node_item(node, 0)) != THUD_NODE_SEQUENCE;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = thud_node_item(node, i);
    if (diagonal) {
      error = scene_read_constant(scene, row, &M[i]);
      continue;
    }
    error = thud_node_expect(row, THUD_NODE_SEQUENCE);
    if (error == THUD_OK && thud_node_count(row) != n)
      error = thud_node_fail(row, THUD_ERROR_SCHEMA, "a row of %zu numbers is needed here, found %zu", n,
                             thud_node_count(row));
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = scene_read_constant(scene, thud_node_item(row, j), &M[i + j * n]);
  }
  if (error == THUD_OK) {
    error = diagonal ? thud_metric_create_diagonal(scene->context, scene->dimension, M, &scene->metric)
                     : thud_metric_create(scene->context, scene->dimension, M, &scene->metric);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(node, error);
  }
  thud_free(scene->context, M);
  return error;
}

static thud_error build_set(thud_scene *scene, const thud_node *root) {
  static const char *const keys[] = {"coordinates", "metric", "set"};
  const thud_node *sweeping, *coordinates, *set;
  thud_error error = thud_node_require(root, "sweeping", &sweeping);
  if (error == THUD_OK) error = thud_node_check_keys(sweeping, keys, 3);
  if (error == THUD_OK) error = thud_node_require(sweeping, "coordinates", &coordinates);
  if (error == THUD_OK) error = scene_read_names(scene, coordinates);
  if (error == THUD_OK) error = read_metric(scene, thud_node_find(sweeping, "metric"));
  if (error == THUD_OK) error = thud_node_require(sweeping, "set", &set);
  if (error == THUD_OK) error = scene_build_set(scene, set, scene->dimension, &scene->set);
  if (error != THUD_OK) return error;
  if (scene->parameters.count != thud_set_parameter_count(scene->set))
    return thud_node_fail(set, THUD_ERROR_INTERNAL, "the set has %zu parameters, the scene gave %zu",
                          thud_set_parameter_count(scene->set), scene->parameters.count);
  error = scene_values_common_jumps(scene, &scene->parameters, &scene->jumps);
  if (error != THUD_OK) return thud_node_fail_within(set, error);
  scene->motion = (thud_regulated){.dimension = (thud_index)scene->parameters.count,
                                   .evaluate = evaluate_motion,
                                   .user = scene,
                                   .may_be_infinite = true,
                                   .jump_count = scene->jumps.count,
                                   .jumps = scene->jumps.items};
  return THUD_OK;
}

static thud_error build_initial(thud_scene *scene, const thud_node *root) {
  const thud_node *initial;
  thud_error error = thud_node_require(root, "initial", &initial);
  if (error == THUD_OK)
    error = thud_node_check_keys(initial, (const char *const *)scene->coordinates, (size_t)scene->dimension);
  if (error != THUD_OK) return error;
  scene->initial = THUD_NEW_ARRAY(scene->context, double, scene->dimension);
  if (scene->initial == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < scene->dimension && error == THUD_OK; i++) {
    const thud_node *value;
    error = thud_node_require(initial, scene->coordinates[i], &value);
    if (error == THUD_OK) error = scene_read_constant(scene, value, &scene->initial[i]);
  }
  return error;
}

static thud_error build_units(thud_scene *scene, const thud_node *units) {
  size_t n = (size_t)scene->dimension;
  thud_error error = THUD_OK;
  const char **names = THUD_NEW_ARRAY(scene->context, const char *, n + 1);
  scene->units = THUD_NEW_ARRAY(scene->context, char *, n);
  if (names == NULL || scene->units == NULL) {
    error = THUD_ERROR_MEMORY;
  } else {
    for (size_t k = 0; k < n; k++) names[k] = scene->coordinates[k];
    names[n] = "t";
    if (units != NULL) error = thud_node_check_keys(units, names, n + 1);
  }
  for (size_t k = 0; k < n && error == THUD_OK; k++)
    error = copy_string(scene, units != NULL ? thud_node_find(units, names[k]) : NULL, "", &scene->units[k]);
  if (error == THUD_OK)
    error = copy_string(scene, units != NULL ? thud_node_find(units, "t") : NULL, "s", &scene->time_unit);
  thud_free(scene->context, names);
  return error;
}

/* Distance of the initial state to C(start): the first thing a person wants to know of a scene. */
static thud_error measure_initial(thud_scene *scene, const thud_node *root) {
  double *scratch = THUD_NEW_ARRAY(scene->context, double, scene->parameters.count);
  if (scratch == NULL) return THUD_ERROR_MEMORY;
  thud_moving_set moving = scene_moving_set(scene);
  thud_error error = thud_moving_set_place(&moving, scene->start, THUD_SIDE_VALUE, scratch);
  if (error == THUD_OK)
    error = thud_set_distance(scene->set, scene->metric, scene->initial, &scene->initial_distance, NULL);
  thud_free(scene->context, scratch);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  return thud_node_fail_within(thud_node_find(thud_node_find(root, "sweeping"), "set"), error);
}

static thud_error build_sweeping(thud_scene *scene, const thud_node *root) {
  thud_error error = build_simulate(scene, root);
  if (error == THUD_OK) error = build_set(scene, root);
  if (error == THUD_OK) error = build_initial(scene, root);
  return error == THUD_OK ? measure_initial(scene, root) : error;
}

/* One model per scene. */
static thud_error check_kind(const thud_node *root) {
  static const char *const models[] = {"sweeping", "system", "particles_on_line"};
  const char *found = NULL;
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    if (thud_node_find(root, models[k]) == NULL) continue;
    if (found != NULL)
      return thud_node_fail(root, THUD_ERROR_SCHEMA, "'%s' and '%s' in one scene: make two of it", found, models[k]);
    found = models[k];
  }
  if (found == NULL)
    return thud_node_fail(root, THUD_ERROR_SCHEMA,
                          "a scene needs a model: 'system' (coordinates, energies, constraints), 'sweeping' or "
                          "'particles_on_line'");
  const thud_node *definitions = thud_node_find(root, "definitions");
  if (strcmp(found, "sweeping") == 0 && definitions != NULL)
    return thud_node_fail(definitions, THUD_ERROR_SCHEMA,
                          "'definitions' belong to 'system' and 'particles_on_line' scenes");
  return THUD_OK;
}

/* The time span comes first: data that jump are looked at within it. */
static thud_error build_span(thud_scene *scene, const thud_node *root) {
  const thud_node *simulate;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_expect(simulate, THUD_NODE_MAP);
  return error == THUD_OK ? scene_read_span(scene, simulate) : error;
}

static thud_error build_all(thud_scene *scene, const thud_tree *tree) {
  static const char *const keys[] = {"thud",     "title",    "units",  "parameters",        "definitions",
                                     "data",     "sweeping", "system", "particles_on_line", "initial",
                                     "simulate", "record"};
  const thud_node *root = thud_tree_root(tree);
  if (thud_node_find(root, "thud_problem") != NULL)
    return thud_node_fail(root, THUD_ERROR_FORMAT,
                          "this is a contact problem, not a scene; solve it with 'thud solve'");
  thud_error error = thud_node_check_keys(root, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = check_kind(root);
  if (error == THUD_OK) error = check_version(root);
  if (error == THUD_OK) error = copy_string(scene, thud_node_find(root, "title"), "", &scene->title);
  if (error == THUD_OK) error = thud_expr_scope_create(scene->context, &scene->scope);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scene->scope, "t", &scene->time_slot);
  if (error == THUD_OK) error = build_parameters(scene, thud_node_find(root, "parameters"));
  if (error == THUD_OK) error = build_span(scene, root);
  const thud_node *data = error == THUD_OK ? thud_node_find(root, "data") : NULL;
  bool series = thud_node_find(root, "particles_on_line") != NULL ||
                (thud_node_find(root, "system") != NULL && scene_asks_for_events(root));
  if (data != NULL) error = scene_build_data(scene, data, series);
  if (error == THUD_OK)
    error = thud_node_find(root, "system") != NULL              ? scene_build_system(scene, root)
            : thud_node_find(root, "particles_on_line") != NULL ? scene_build_line(scene, root)
                                                                : build_sweeping(scene, root);
  if (error == THUD_OK) error = build_units(scene, thud_node_find(root, "units"));
  if (error == THUD_OK) error = build_record(scene, thud_node_find(root, "record"));
  if (error != THUD_OK) return error;
  char *text = NULL;
  error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) return error;
  scene->text = thud_strdup(scene->context, text);
  thud_tree_free_text(tree, text);
  return scene->text != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_scene_build(thud_context *context, const thud_tree *tree, thud_scene **scene) {
  if (tree == NULL || scene == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "no scene tree was given");
  thud_scene *made = THUD_NEW(context, thud_scene);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  thud_error error = build_all(made, tree);
  if (error != THUD_OK) {
    thud_scene_destroy(made);
    return error;
  }
  *scene = made;
  return THUD_OK;
}

static void free_strings(thud_context *context, char **strings, thud_index count) {
  for (thud_index k = 0; strings != NULL && k < count; k++) thud_free(context, strings[k]);
  thud_free(context, strings);
}

void thud_scene_destroy(thud_scene *scene) {
  if (scene == NULL) return;
  thud_context *context = scene->context;
  scene_free_system(scene);
  scene_free_line(scene);
  thud_set_destroy(scene->set);
  thud_metric_destroy(scene->metric);
  scene_values_free(scene, &scene->parameters);
  thud_free(context, scene->jumps.items);
  scene_free_data(scene);
  thud_expr_scope_destroy(scene->scope);
  free_strings(context, scene->coordinates, scene->dimension);
  free_strings(context, scene->units, scene->dimension);
  thud_free(context, scene->time_unit);
  thud_free(context, scene->initial);
  thud_free(context, scene->title);
  thud_free(context, scene->text);
  thud_free(context, scene);
}

static thud_exactness projection_kind(const thud_scene *scene) {
  thud_set_abilities abilities = thud_set_get_abilities(scene->set);
  if (scene->metric == NULL) return abilities.projection;
  return thud_metric_is_diagonal(scene->metric) ? abilities.projection_diagonal : abilities.projection_metric;
}

static thud_scene_info system_info(const thud_scene *scene) {
  const scene_system *made = scene->lagrangian;
  return (thud_scene_info){
      .title = scene->title,
      .kind = "system",
      .method = made->event_driven ? "event-driven" : thud_motion_method_name((thud_motion_method)made->motion.method),
      .dimension = scene->dimension,
      .coordinates = (const char *const *)scene->coordinates,
      .start = scene->start,
      .end = scene->end,
      .steps = scene->steps,
      .series_order = made->series_order,
      .system = made->system,
      .initial_position = made->q0,
      .initial_velocity = made->v0};
}

static thud_scene_info line_info(const thud_scene *scene) {
  const scene_line *made = scene->particles;
  return (thud_scene_info){.title = scene->title,
                           .kind = "particles_on_line",
                           .method = thud_line_method_name((thud_line_method)made->options.method),
                           .dimension = scene->dimension,
                           .coordinates = (const char *const *)scene->coordinates,
                           .start = scene->start,
                           .end = scene->end,
                           .steps = scene->steps,
                           .line = made->line,
                           .initial_position = made->q0,
                           .initial_velocity = made->v0};
}

thud_scene_info thud_scene_get_info(const thud_scene *scene) {
  if (scene->particles != NULL) return line_info(scene);
  if (scene->lagrangian != NULL) return system_info(scene);
  return (thud_scene_info){.title = scene->title,
                           .kind = "sweeping",
                           .method = method_names[scene->method],
                           .dimension = scene->dimension,
                           .coordinates = (const char *const *)scene->coordinates,
                           .set_kind = thud_set_kind(scene->set),
                           .projection = projection_kind(scene),
                           .moves = scene->moves,
                           .start = scene->start,
                           .end = scene->end,
                           .steps = scene->steps,
                           .jump_count = scene->jumps.count,
                           .jumps = scene->jumps.items,
                           .initial_distance = scene->initial_distance,
                           .starts_outside = scene->initial_distance > scene->sweep.tolerance};
}
